// How the queries of a call are shared out: threads take them by chunks, and a thread may work on several at once, each
// in a lane with memory of its own.
#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "waypost/parallel.hpp"
#include "waypost/progress.hpp"
#include "waypost/space_pool.hpp"

namespace waypost {

inline constexpr std::size_t most_queries_a_chunk = 64;

// Queries between two looks at Ctrl-C: few where each may scan very many rows.
inline std::size_t queries_a_chunk(bool filtered, std::size_t vertices, std::size_t least) {
  constexpr std::size_t products = std::size_t{1} << 24;
  if (!filtered) return most_queries_a_chunk;
  return std::clamp<std::size_t>(products / std::max<std::size_t>(vertices, 1), least, most_queries_a_chunk);
}

// Begins with the next query that is not answered at once; false when none is left.
template <class Lane>
bool start_next(Lane& lane, std::size_t& next, std::size_t end) {
  while (next < end) {
    if (lane.start(next++)) return true;
  }
  return false;
}

struct Shares {
  std::size_t queries;
  std::size_t a_chunk;
  std::size_t lanes;  // of one thread
  unsigned threads;
};

// `make(lanes, space, first)` adds a lane to a thread's, whose first space is `first`; `run(lanes, next, end)` works on
// some queries.
template <class Lane, class Space, class Make, class Run>
void share_out(const Shares& shares, SpacePool<Space>& pool, const Progress& progress, const Make& make,
               const Run& run) {
  const std::size_t chunks = (shares.queries + shares.a_chunk - 1) / shares.a_chunk;
  std::vector<std::unique_ptr<Space>> spaces(threads_used(chunks, shares.threads) * shares.lanes);
  for (auto& space : spaces) space = pool.take();
  std::vector<std::vector<Lane>> workers(spaces.size() / shares.lanes);
  for (std::size_t i = 0; i < spaces.size(); ++i) {
    const std::size_t worker = i / shares.lanes;
    make(workers[worker], *spaces[i], *spaces[worker * shares.lanes]);
  }
  std::size_t polls = 0;
  parallel_for(
      chunks, shares.threads,
      [&](std::size_t chunk, unsigned worker) {
        const std::size_t first = chunk * shares.a_chunk;
        run(workers[worker], first, std::min(first + shares.a_chunk, shares.queries));
      },
      [&] {
        if (progress) progress(std::min(++polls * workers.size(), chunks), chunks);
      });
  for (auto& space : spaces) pool.give_back(std::move(space));
}

}  // namespace waypost
