#include "waypost/reach.hpp"

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
    for (const Row row : graph.of(from)) {
      if (!graph.holds(row) || hops[static_cast<std::size_t>(row)] >= 0) continue;
      hops[static_cast<std::size_t>(row)] = hops[from] + 1;
      queue.push_back(row);
    }
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

}  // namespace waypost
