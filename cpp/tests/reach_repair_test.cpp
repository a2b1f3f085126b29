// What can be reached, and a repair after which everything can.
#include <stdexcept>

#include "check.hpp"
#include "samples.hpp"
#include "waypost/reach.hpp"

namespace {

using namespace waypost;

using Edges = std::vector<std::vector<std::size_t>>;

Edges edges_of(const std::vector<Row>& neighbors, std::size_t n, std::size_t degree, bool turned_round) {
  Edges edges(n);
  for (std::size_t i = 0; i < neighbors.size(); ++i) {
    if (neighbors[i] < 0) continue;
    const std::size_t from = i / degree;
    const auto to = static_cast<std::size_t>(neighbors[i]);
    edges[turned_round ? to : from].push_back(turned_round ? from : to);
  }
  return edges;
}

// Hops by relaxing every edge until nothing changes: slow and plain.
std::vector<std::int32_t> plain_hops(const Edges& edges, const std::vector<Row>& entries) {
  std::vector<std::int32_t> hops(edges.size(), -1);
  for (const Row entry : entries) hops[static_cast<std::size_t>(entry)] = 0;
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t from = 0; from < edges.size(); ++from) {
      if (hops[from] < 0) continue;
      for (const std::size_t to : edges[from]) {
        if (hops[to] >= 0 && hops[to] <= hops[from] + 1) continue;
        hops[to] = hops[from] + 1;
        changed = true;
      }
    }
  }
  return hops;
}

bool all_reach_all(const std::vector<Row>& neighbors, std::size_t n, std::size_t degree) {
  for (const bool turned_round : {false, true}) {
    const auto hops = plain_hops(edges_of(neighbors, n, degree, turned_round), {0});
    if (std::count(hops.begin(), hops.end(), -1) > 0) return false;
  }
  return true;
}

bool well_formed(const std::vector<Row>& neighbors, std::size_t n, std::size_t degree) {
  Edges edges = edges_of(neighbors, n, degree, false);
  for (std::size_t i = 0; i < n; ++i) {
    std::sort(edges[i].begin(), edges[i].end());
    if (std::adjacent_find(edges[i].begin(), edges[i].end()) != edges[i].end()) return false;
    if (std::binary_search(edges[i].begin(), edges[i].end(), i)) return false;
    if (!edges[i].empty() && edges[i].back() >= n) return false;
  }
  return neighbors.size() == n * degree;
}

void check_repair(const samples::Matrix& items, std::vector<Row> neighbors, std::size_t degree, Row root,
                  std::size_t candidates) {
  const std::size_t n = items.rows;
  const bool was_well_formed = well_formed(neighbors, n, degree);
  const bool was_connected = all_reach_all(neighbors, n, degree);
  const std::size_t added = repair(items.view(), neighbors, degree, root, candidates, {});
  CHECK(all_reach_all(neighbors, n, degree));
  CHECK((added == 0) == was_connected);
  CHECK(neighbors.size() == n * degree);
  CHECK(!was_well_formed || well_formed(neighbors, n, degree));
  const std::vector<Row> once = neighbors;
  CHECK(repair(items.view(), neighbors, degree, root, candidates, {}) == 0);
  CHECK(neighbors == once);
}

TEST(reach_counts_the_hops_from_the_nearest_entry) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const std::vector<Row> neighbors = samples::random_graph(90, 3, seed);
    const std::vector<Row> entries{5, 40, 5};
    CHECK(hops_from({neighbors.data(), 90, 3}, entries) == plain_hops(edges_of(neighbors, 90, 3, false), entries));
  }
}

TEST(reach_skips_what_is_out_of_range) {
  const std::vector<Row> neighbors{7, 1, -5, 2, 1 << 30, -1};
  const std::vector<Row> entries{-1, 3, 0, 1 << 30};
  const Graph graph{neighbors.data(), 3, 2};
  CHECK(hops_from(graph, entries) == std::vector<std::int32_t>{0, 1, 2});
  CHECK(hops_from(graph, {}) == std::vector<std::int32_t>(3, -1));
  CHECK(reverse(graph).sources == std::vector<Row>{0, 1});
}

TEST(reach_reverse_turns_every_edge_round) {
  const std::vector<Row> neighbors = samples::random_graph(60, 4, 3);
  const Edges expected = edges_of(neighbors, 60, 4, true);
  const Reversed reversed = reverse({neighbors.data(), 60, 4});
  for (std::size_t i = 0; i < 60; ++i) {
    const auto sources = reversed.into(static_cast<Row>(i));
    CHECK(std::equal(sources.begin(), sources.end(), expected[i].begin(), expected[i].end()));
  }
}

TEST(repair_connects_random_graphs_of_every_degree) {
  samples::Draws draws(1);
  for (std::size_t degree = 1; degree <= 4; ++degree) {
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
      const std::size_t n = 1 + draws.below(60);
      const auto root = static_cast<Row>(draws.below(n));
      check_repair(samples::integers(n, 3, seed), samples::random_graph(n, degree, seed), degree, root,
                   1 + draws.below(10));
    }
  }
}

TEST(repair_connects_graphs_without_an_edge) {
  for (std::size_t degree = 1; degree <= 4; ++degree) {
    for (const std::size_t n : {1, 2, 3, 50}) {
      for (const std::size_t candidates : {1, 100}) {
        const std::vector<Row> none(n * degree, Row{-1});
        check_repair(samples::uniform(n, 3, n), none, degree, static_cast<Row>(n - 1), candidates);
        check_repair(samples::constant(n, 3, 0.0f), none, degree, 0, candidates);
      }
    }
  }
}

// Every list is full, of vertices of its own half.
TEST(repair_connects_full_lists_that_lead_nowhere_else) {
  for (std::size_t degree = 1; degree <= 4; ++degree) {
    const std::size_t n = 40;
    std::vector<Row> neighbors(n * degree);
    for (std::size_t i = 0; i < neighbors.size(); ++i) {
      const std::size_t vertex = i / degree;
      neighbors[i] = static_cast<Row>((vertex % 20 + i % degree + 1) % 20 + vertex / 20 * 20);
    }
    check_repair(samples::uniform(n, 3, degree), neighbors, degree, 25, 5);
  }
}

// A graph of a user's own may hold self loops, repeats, and pads between neighbors.
TEST(repair_connects_untidy_graphs) {
  samples::Draws draws(2);
  for (std::size_t degree = 1; degree <= 4; ++degree) {
    for (int round = 0; round < 40; ++round) {
      std::vector<Row> neighbors(30 * degree);
      for (Row& row : neighbors) row = static_cast<Row>(draws.below(9)) - 1;
      check_repair(samples::integers(30, 3, 7), neighbors, degree, 4, 6);
    }
  }
}

TEST(repair_leaves_fixed_places_alone) {
  samples::Draws draws(3);
  for (std::size_t fixed = 1; fixed <= 3; ++fixed) {
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
      const std::size_t n = 1 + draws.below(50);
      const std::size_t degree = fixed + 1 + draws.below(2);
      const std::vector<Row> given = samples::random_graph(n, fixed, seed);
      std::vector<Row> padded(n * degree, Row{-1});
      for (std::size_t i = 0; i < given.size(); ++i) padded[i / fixed * degree + i % fixed] = given[i];
      const auto items = samples::integers(n, 3, seed);
      repair(items.view(), padded, degree, static_cast<Row>(draws.below(n)), 5, {}, fixed);
      CHECK(all_reach_all(padded, n, degree));
      CHECK(well_formed(padded, n, degree));
      for (std::size_t i = 0; i < given.size(); ++i) CHECK(padded[i / fixed * degree + i % fixed] == given[i]);
    }
  }
}

TEST(repair_stops_when_progress_throws) {
  const auto items = samples::uniform(50, 3, 1);
  for (const std::size_t limit : {0, 60}) {  // among the ways there and among the ways back
    std::vector<Row> neighbors(50 * 2, Row{-1});
    const auto stop = [&](std::size_t done, std::size_t) {
      if (done > limit) throw std::runtime_error("enough");
    };
    CHECK_THROWS(std::runtime_error, repair(items.view(), neighbors, 2, 0, 5, stop));
  }
}

}  // namespace
