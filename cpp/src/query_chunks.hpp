// Threads take the queries of a training batch by chunks, one query after another, each thread with a space of its own.
#pragma once

#include <algorithm>
#include <vector>

#include "waypost/parallel.hpp"
#include "waypost/progress.hpp"

namespace waypost {

struct QueryChunks {
  std::size_t queries;
  std::size_t a_chunk;
  unsigned threads;

  std::size_t count() const { return (queries + a_chunk - 1) / a_chunk; }
  std::size_t workers() const { return threads_used(count(), threads); }

  // Calls body(query, space) for each query; there is a space for each worker.
  template <class Space, class Body>
  void each(std::vector<Space>& spaces, const Progress& progress, const Body& body) const {
    std::size_t polls = 0;
    parallel_for(
        count(), threads,
        [&](std::size_t chunk, unsigned worker) {
          const std::size_t end = std::min((chunk + 1) * a_chunk, queries);
          for (std::size_t query = chunk * a_chunk; query < end; ++query) body(query, spaces[worker]);
        },
        [&] {
          if (progress) progress(std::min(++polls * spaces.size(), count()), count());
        });
  }
};

}  // namespace waypost
