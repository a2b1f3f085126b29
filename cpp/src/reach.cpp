#include "waypost/reach.hpp"

#include <algorithm>

#include "waypost/parallel.hpp"

namespace waypost {

std::vector<std::int32_t> hops_from(const Graph& graph, std::span<const Row> entries) {
  std::vector<std::int32_t> hops(graph.size, -1);
  std::vector<Row> queue;
  for (const Row row : entries) {
    if (!graph.holds(row) || hops[static_cast<std::size_t>(row)] >= 0) continue;
    hops[static_cast<std::size_t>(row)] = 0;
    queue.push_back(row);
  }
  for (std::size_t i = 0; i < queue.size(); ++i) {
    const auto from = static_cast<std::size_t>(queue[i]);
    const auto spread = [&](std::span<const Row> rows) {
      for (const Row row : rows) {
        if (!graph.holds(row) || hops[static_cast<std::size_t>(row)] >= 0) continue;
        hops[static_cast<std::size_t>(row)] = hops[from] + 1;
        queue.push_back(row);
      }
    };
    spread(graph.of(from));
    if (graph.deferred_degree > 0) spread(graph.deferred_of(from));
  }
  return hops;
}

Reversed reverse(const Graph& graph) {
  Reversed reversed{std::vector<std::size_t>(graph.size + 1, 0), {}};
  for (std::size_t i = 0; i < graph.size; ++i) {
    for (const Row row : graph.of(i)) {
      if (graph.holds(row)) ++reversed.offsets[static_cast<std::size_t>(row) + 1];
    }
  }
  for (std::size_t i = 0; i < graph.size; ++i) reversed.offsets[i + 1] += reversed.offsets[i];
  reversed.sources.resize(reversed.offsets.back());
  std::vector<std::size_t> next(reversed.offsets.begin(), reversed.offsets.end() - 1);
  for (std::size_t i = 0; i < graph.size; ++i) {
    for (const Row row : graph.of(i)) {
      if (graph.holds(row)) reversed.sources[next[static_cast<std::size_t>(row)]++] = static_cast<Row>(i);
    }
  }
  return reversed;
}

namespace {

constexpr std::uint8_t unreachable = 255;
constexpr std::uint8_t farthest = 254;

void spread_back(const Reversed& reversed, Row target, std::uint8_t* hops, std::vector<Row>& queue) {
  hops[target] = 0;
  queue.assign(1, target);
  for (std::size_t i = 0; i < queue.size(); ++i) {
    const auto next = static_cast<std::uint8_t>(std::min<int>(hops[queue[i]] + 1, farthest));
    for (const Row row : reversed.into(queue[i])) {
      if (hops[row] != unreachable) continue;
      hops[row] = next;
      queue.push_back(row);
    }
  }
}

}  // namespace

void hops_to(const Graph& graph, std::span<const Row> targets, unsigned threads, std::uint8_t* hops,
             const Progress& progress) {
  const Reversed reversed = reverse(graph);
  std::vector<std::vector<Row>> queues(threads_used(targets.size(), threads));
  std::fill_n(hops, targets.size() * graph.size, unreachable);
  std::size_t polls = 0;
  parallel_for(
      targets.size(), threads,
      [&](std::size_t i, unsigned worker) {
        if (graph.holds(targets[i])) spread_back(reversed, targets[i], hops + i * graph.size, queues[worker]);
      },
      [&] {
        if (progress) progress(std::min(++polls * queues.size(), targets.size()), targets.size());
      });
}

}  // namespace waypost
