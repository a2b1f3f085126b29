// Lessons of edges on friendly and hostile graphs: what they are is compared with plain Python elsewhere; here the
// sanitizers look at how they come about.
#include "waypost/edge_lessons.hpp"

#include <limits>

#include "check.hpp"
#include "samples.hpp"

namespace {

using namespace waypost;

struct Setting {
  samples::Matrix items;
  samples::Matrix queries;
  std::vector<Row> neighbors;
  std::vector<Row> candidates;
  std::vector<Row> entries{0, 3};
  std::vector<Row> answers;

  Setting(std::size_t n, std::size_t m)
      : items(samples::uniform(n, 7, 1)),
        queries(samples::uniform(m, 7, 2)),
        neighbors(samples::random_graph(n, 6, 4)),
        candidates(samples::random_graph(n, 9, 5)) {
    samples::Draws draws(6);
    for (std::size_t i = 0; i < m * 4; ++i) answers.push_back(static_cast<Row>(draws.below(n)));
  }

  EdgeLessons learn(std::size_t budget, unsigned threads) const {
    const std::size_t n = items.rows;
    EdgeLessonPlan plan{{neighbors.data(), n, 6}, items.view(), {candidates.data(), n, 9}, budget, threads};
    plan.graph.deferred = candidates.data();
    plan.graph.deferred_degree = 9;
    plan.graph.penalty = 0.2f;
    return learn_edges(plan, {queries.view(), {entries.data(), 1, entries.size()}, {answers.data(), queries.rows, 4}},
                       {});
  }
};

TEST(edge_lessons_are_the_same_on_any_number_of_threads) {
  const Setting setting(300, 90);
  const EdgeLessons one = setting.learn(80, 1);
  std::size_t hits = 0;
  for (std::size_t i = 0; i < one.shown.size(); ++i) {
    CHECK(one.hits[i] <= one.shown[i] && one.shown[i] <= 90);
    hits += one.hits[i];
  }
  CHECK(hits > 0);
  for (const unsigned threads : {2u, 4u}) {
    const EdgeLessons other = setting.learn(80, threads);
    CHECK(one.shown == other.shown && one.hits == other.hits);
  }
}

TEST(edge_lessons_read_nothing_out_of_range_on_a_hostile_graph) {
  Setting setting(100, 40);
  const std::vector<Row> bad{-1, -2, 100, 6400, std::numeric_limits<Row>::max(), std::numeric_limits<Row>::min()};
  samples::Draws draws(9);
  for (auto* rows : {&setting.neighbors, &setting.candidates, &setting.answers}) {
    for (Row& row : *rows) {
      if (draws.below(5) == 0) row = bad[draws.below(bad.size())];
    }
  }
  setting.entries = {5, 100, 7};
  for (const std::size_t budget : {1, 30, 1000}) {
    const EdgeLessons lessons = setting.learn(budget, 2);
    for (std::size_t i = 0; i < lessons.shown.size(); ++i) CHECK(lessons.hits[i] <= lessons.shown[i]);
  }
}

}  // namespace
