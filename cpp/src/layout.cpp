#include "waypost/layout.hpp"

#include <cstdint>

namespace waypost {

std::vector<Row> breadth_first_order(const Graph& graph, std::span<const Row> entries) {
  std::vector<std::uint8_t> placed(graph.size, 0);
  std::vector<Row> order;
  order.reserve(graph.size);
  const auto place = [&](Row row) {
    if (!graph.holds(row) || placed[static_cast<std::size_t>(row)] != 0) return;
    placed[static_cast<std::size_t>(row)] = 1;
    order.push_back(row);
  };
  for (const Row row : entries) place(row);
  std::size_t next = 0;
  for (std::size_t lowest = 0; lowest < graph.size; ++lowest) {
    for (; next < order.size(); ++next) {
      for (const Row row : graph.of(static_cast<std::size_t>(order[next]))) place(row);
    }
    place(static_cast<Row>(lowest));
  }
  return order;
}

}  // namespace waypost
