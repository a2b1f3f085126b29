// The walk, step by step, with a scorer, a stop rule and a visitor of the test's own.
#include "waypost/walk.hpp"

#include <limits>

#include "check.hpp"
#include "plain_walk.hpp"
#include "samples.hpp"
#include "waypost/scorer.hpp"

namespace {

using namespace waypost;
using check::PlainWalk;

struct Writer {
  Trace* trace;

  void expanded(Row row) { trace->path.push_back(row); }
  void seen(Row row, float score, std::int32_t hop) {
    trace->rows.push_back(row);
    trace->scores.push_back(score);
    trace->hops.push_back(hop);
  }
};

template <class Stop>
Trace walk(const Graph& graph, Vectors vectors, const float* query, std::span<const Row> entries, Stop stop,
           WalkSpace& space) {
  Trace trace;
  Walk steps(graph, entries, InnerProduct(query, vectors), stop, Writer{&trace}, space);
  do {
    steps.score();
  } while (steps.expand());
  steps.leave();
  return trace;
}

TEST(walk_is_the_plain_walk) {
  constexpr std::size_t n = 200;
  WalkSpace space;
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const auto items = samples::integers(n, 4, seed);  // with many ties
    const auto query = samples::integers(1, 4, 50 + seed);
    const std::vector<Row> neighbors = samples::random_graph(n, 6, seed);
    const Graph graph{neighbors.data(), n, 6};
    const std::vector<Row> entries{static_cast<Row>(seed), 17, 17, 60, -1, 3};
    for (std::size_t budget = 0; budget <= n + 1; budget += budget < 12 ? 1 : 27) {
      const Trace trace = walk(graph, items.view(), query.values.data(), entries, Budget(budget), space);
      CHECK(check::same(trace, PlainWalk(graph, items.view(), query.values.data(), entries, budget).trace()));
      CHECK(space.keys.size() == trace.rows.size());
    }
  }
}

TEST(walk_comes_back_for_deferred_edges) {
  constexpr std::size_t n = 200;
  WalkSpace space;
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const auto items = samples::integers(n, 4, seed);  // with many ties
    const auto query = samples::integers(1, 4, 50 + seed);
    const std::vector<Row> neighbors = samples::random_graph(n, 2, seed);
    std::vector<Row> deferred = samples::random_graph(n, 9, 100 + seed);
    for (std::size_t row = 0; row < n; row += 3) deferred[row * 9] = -1;  // none there
    const auto penalty = static_cast<float>(seed);
    const Graph graph{neighbors.data(), n, 2, deferred.data(), 9, penalty};
    const std::vector<Row> entries{static_cast<Row>(seed), 17};
    for (const std::size_t budget : {1, 2, 7, 40, 150, 201}) {
      Trace trace;
      Walk steps(graph, entries, InnerProduct(query.values.data(), items.view()), Budget(budget), Writer{&trace}, space,
                 penalty);
      do {
        steps.score();
      } while (steps.expand());
      steps.leave();
      const PlainWalk plain(graph, items.view(), query.values.data(), entries, budget, penalty);
      CHECK(check::same(trace, plain.trace()));
    }
  }
}

TEST(walk_leaves_no_marks) {
  WalkSpace space;
  const auto items = samples::integers(130, 4, 1);
  const std::vector<Row> neighbors = samples::random_graph(130, 5, 1);
  const std::vector<Row> entries{64};
  walk({neighbors.data(), 130, 5}, items.view(), items.values.data(), entries, Budget(40), space);
  for (Row row = 0; row < 130; ++row) CHECK(space.visited.insert(row));
}

TEST(walk_takes_its_space_from_one_graph_to_the_next) {
  WalkSpace space;
  for (const std::size_t n : {10, 500, 3, 90}) {
    const auto items = samples::integers(n, 3, n);
    const std::vector<Row> neighbors = samples::random_graph(n, n % 7 + 1, n);
    const Graph graph{neighbors.data(), n, n % 7 + 1};
    const std::vector<Row> entries{0, 2};
    const float* query = items.view().row(1);
    const Trace expected = PlainWalk(graph, items.view(), query, entries, 300).trace();
    CHECK(check::same(walk(graph, items.view(), query, entries, Budget(300), space), expected));
  }
}

// Grants all, and stops after a number of steps.
struct Steps {
  std::size_t left;

  std::size_t admit(std::size_t count) {
    --left;
    return count;
  }
  bool spent() const { return left == 0; }
};

TEST(walk_takes_a_stop_rule_of_another_kind) {
  const std::vector<Row> chain{1, 2, 3, 4, -1};
  const auto items = samples::constant(5, 1, 1.0f);
  WalkSpace space;
  const std::vector<Row> entries{0};
  const Trace trace = walk({chain.data(), 5, 1}, items.view(), items.values.data(), entries, Steps{3}, space);
  CHECK(trace.rows == std::vector<Row>{0, 1, 2});
  CHECK(trace.path == std::vector<Row>{0, 1});
  CHECK(trace.hops == std::vector<std::int32_t>{-1, 0, 1});
}

// Never spent, yet at some time grants fewer than asked.
struct Reluctant {
  std::size_t most;

  std::size_t admit(std::size_t count) const { return std::min(count, most); }
  bool spent() const { return false; }
};

TEST(walk_ends_when_it_is_granted_fewer_than_asked) {
  const std::vector<Row> neighbors{1, -1, 2, 3, 4, -1, -1, -1, -1, -1};
  const auto items = samples::constant(5, 1, 1.0f);
  WalkSpace space;
  const std::vector<Row> entries{0};
  const Trace trace = walk({neighbors.data(), 5, 2}, items.view(), items.values.data(), entries, Reluctant{1}, space);
  CHECK(trace.rows == std::vector<Row>{0, 1, 2});
  CHECK(trace.path == std::vector<Row>{0, 1});
}

TEST(walk_sees_nothing_without_an_entry) {
  const std::vector<Row> chain{1, 0};
  const auto items = samples::constant(2, 1, 1.0f);
  WalkSpace space;
  for (const std::vector<Row>& entries : {std::vector<Row>{}, {-1}, {2}, {std::numeric_limits<Row>::min()}}) {
    CHECK(walk({chain.data(), 2, 1}, items.view(), items.values.data(), entries, Budget(9), space).rows.empty());
  }
}

}  // namespace
