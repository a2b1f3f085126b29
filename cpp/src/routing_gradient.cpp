#include "waypost/routing_gradient.hpp"

#include <algorithm>
#include <utility>

#include "waypost/kernels.hpp"
#include "waypost/parallel.hpp"

namespace waypost {
namespace {

constexpr std::size_t rows_a_chunk = 1024;
constexpr std::size_t most_parts = 8;  // each counts for every vertex

// Calls body(first, last) for chunks of [0, total).
template <class Body>
void in_chunks(std::size_t total, std::size_t size, unsigned threads, const Body& body) {
  parallel_for((total + size - 1) / size, threads,
               [&](std::size_t chunk, unsigned) { body(chunk * size, std::min((chunk + 1) * size, total)); });
}

}  // namespace

// A counting sort: threads count and place the pulls of some queries each, in queries' order whatever their number.
PullsByVertex::PullsByVertex(std::span<const Pulls> pulls, std::size_t vertices, unsigned threads)
    : vertices_(vertices) {
  const std::size_t parts = std::min<std::size_t>(threads_used(pulls.size(), threads), most_parts);
  const std::size_t a_part = (pulls.size() + parts - 1) / std::max<std::size_t>(parts, 1);
  std::vector<std::vector<std::size_t>> next(parts, std::vector<std::size_t>(vertices, 0));
  const auto by_part = [&](const auto& body) {
    parallel_for(parts, threads, [&](std::size_t part, unsigned) {
      const std::size_t last = std::min((part + 1) * a_part, pulls.size());
      for (std::size_t query = part * a_part; query < last; ++query) {
        for (const Pull& pull : pulls[query]) body(query, pull, next[part][static_cast<std::size_t>(pull.row)]);
      }
    });
  };
  by_part([](std::size_t, const Pull&, std::size_t& count) { ++count; });
  std::size_t total = 0;
  for (std::size_t row = 0; row < vertices; ++row) {
    const std::size_t first = total;
    for (std::size_t part = 0; part < parts; ++part) total += std::exchange(next[part][row], total);
    if (total == first) continue;
    rows_.push_back(static_cast<Row>(row));
    offsets_.push_back(first);
  }
  offsets_.push_back(total);
  pulls_.resize(total);
  by_part([&](std::size_t query, const Pull& pull, std::size_t& place) {
    pulls_[place++] = {static_cast<std::uint32_t>(query), pull.slope};
  });
}

void PullsByVertex::add_up(std::size_t place, Vectors queries, float* to) const {
  std::fill_n(to, queries.cols, 0.0f);
  for (std::size_t i = offsets_[place]; i < offsets_[place + 1]; ++i) {
    kernels().add_scaled(queries.row(pulls_[i].query), pulls_[i].slope, queries.cols, to);
  }
}

void PullsByVertex::gradient(Vectors queries, unsigned threads, float* out) const {
  in_chunks(rows_.size(), rows_a_chunk, threads, [&](std::size_t first, std::size_t last) {
    for (std::size_t place = first; place < last; ++place) add_up(place, queries, out + place * queries.cols);
  });
}

void PullsByVertex::dense_gradient(Vectors queries, unsigned threads, float* out) const {
  in_chunks(vertices_, rows_a_chunk, threads, [&](std::size_t first, std::size_t last) {
    const auto start = std::lower_bound(rows_.begin(), rows_.end(), static_cast<Row>(first));
    auto place = static_cast<std::size_t>(start - rows_.begin());
    for (std::size_t row = first; row < last; ++row) {
      float* to = out + row * queries.cols;
      if (place < rows_.size() && rows_[place] == static_cast<Row>(row)) {
        add_up(place++, queries, to);
      } else {
        std::fill_n(to, queries.cols, 0.0f);
      }
    }
  });
}

void gradient_of_queries(std::span<const Pulls> pulls, Vectors route, unsigned threads, float* out) {
  in_chunks(pulls.size(), 16, threads, [&](std::size_t first, std::size_t last) {
    for (std::size_t query = first; query < last; ++query) {
      float* to = out + query * route.cols;
      std::fill_n(to, route.cols, 0.0f);
      for (const Pull& pull : pulls[query]) {
        kernels().add_scaled(route.row(static_cast<std::size_t>(pull.row)), pull.slope, route.cols, to);
      }
    }
  });
}

}  // namespace waypost
