#include "waypost/layout.hpp"

#include <algorithm>

#include "check.hpp"
#include "samples.hpp"

namespace {

using namespace waypost;

TEST(layout_is_breadth_first_from_the_entries) {
  const std::vector<Row> neighbors{3, -1, 4, 2, 5, -1, 0, 1, -1, -1, 2, 0};
  const Graph graph{neighbors.data(), 6, 2};
  CHECK(breadth_first_order(graph, std::vector<Row>{3}) == std::vector<Row>{3, 0, 1, 4, 2, 5});
  CHECK(breadth_first_order(graph, std::vector<Row>{4, 0, 4, -1, 9}) == std::vector<Row>{4, 0, 3, 1, 2, 5});
  CHECK(breadth_first_order(graph, {}) == std::vector<Row>{0, 3, 1, 4, 2, 5});
}

TEST(layout_places_every_vertex_once) {
  for (const std::size_t n : {1, 50, 400}) {
    const std::vector<Row> neighbors = samples::random_graph(n, 2, n);
    std::vector<Row> order = breadth_first_order({neighbors.data(), n, 2}, std::vector<Row>{static_cast<Row>(n / 2)});
    CHECK(order[0] == static_cast<Row>(n / 2));
    std::sort(order.begin(), order.end());
    CHECK(order == samples::natural_order(n));
  }
}

}  // namespace
