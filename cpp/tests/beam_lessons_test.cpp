// Lessons of beam states on friendly and hostile graphs: what they are is compared with plain Python elsewhere; here
// the sanitizers look at how they come about.
#include "waypost/beam_lessons.hpp"

#include <cmath>
#include <limits>
#include <set>

#include "check.hpp"
#include "samples.hpp"

namespace {

using namespace waypost;

struct Setting {
  samples::Matrix items;
  samples::Matrix queries;
  samples::Matrix bias;
  std::vector<Row> neighbors;
  std::vector<Row> entries{0, 3};
  std::vector<Row> answers;
  std::vector<Row> kinds;

  Setting(std::size_t n, std::size_t m)
      : items(samples::uniform(n, 7, 1)),
        queries(samples::uniform(m, 7, 2)),
        bias(samples::uniform(2, n, 3)),
        neighbors(samples::random_graph(n, 6, 4)) {
    samples::Draws draws(5);
    for (std::size_t i = 0; i < m * 4; ++i) answers.push_back(static_cast<Row>(draws.below(n)));
    for (std::size_t i = 0; i < m; ++i) kinds.push_back(static_cast<Row>(i % 2));
  }

  std::vector<BeamLessons> learn(std::size_t budget, Lesson lesson, float noise, unsigned threads) const {
    BeamLessonPlan plan;
    plan.graph = {neighbors.data(), items.rows, 6};
    plan.route = items.view();
    plan.bias = bias.view();
    plan.budget = budget;
    plan.tau = 0.3f;
    plan.noise = noise;
    plan.lesson = lesson;
    plan.threads = threads;
    std::vector<BeamLessons> lessons;
    const MatrixView<Row> wanted{answers.data(), queries.rows, 4};
    learn_from_beams(plan, {queries.view(), {entries.data(), 1, entries.size()}, wanted, kinds.data()}, lessons, {});
    return lessons;
  }
};

TEST(beam_lessons_sum_to_zero_and_stay_within_the_budget) {
  const Setting setting(300, 60);
  for (const Lesson lesson : {Lesson::imitation, Lesson::reinforcement}) {
    std::uint32_t states = 0;
    for (const BeamLessons& one : setting.learn(90, lesson, 0.1f, 2)) {
      CHECK(one.rows.size() <= 90 && one.rows.size() == one.weights.size());
      CHECK(std::set<Row>(one.rows.begin(), one.rows.end()).size() == one.rows.size());
      double sum = 0;  // a softmax does not change when all its scores do
      for (const float weight : one.weights) sum += static_cast<double>(weight);
      CHECK(std::abs(sum) < 1e-3);
      CHECK(std::isfinite(one.loss) && one.found <= 4);
      states += one.states;
    }
    CHECK(states > 60);
  }
}

TEST(beam_lessons_are_the_same_on_any_number_of_threads) {
  const Setting setting(300, 60);
  const auto one = setting.learn(90, Lesson::imitation, 0.2f, 1);
  for (const unsigned threads : {2u, 4u}) {
    const auto other = setting.learn(90, Lesson::imitation, 0.2f, threads);
    for (std::size_t i = 0; i < one.size(); ++i) {
      CHECK(one[i].rows == other[i].rows && one[i].weights == other[i].weights && one[i].loss == other[i].loss);
    }
  }
}

TEST(beam_lessons_read_nothing_out_of_range_on_a_hostile_graph) {
  Setting setting(100, 40);
  const std::vector<Row> bad{-1, -2, 100, 6400, std::numeric_limits<Row>::max(), std::numeric_limits<Row>::min()};
  samples::Draws draws(9);
  for (Row& row : setting.neighbors) {
    if (draws.below(5) == 0) row = bad[draws.below(bad.size())];
  }
  for (Row& row : setting.answers) {
    if (draws.below(4) == 0) row = bad[draws.below(bad.size())];
  }
  setting.entries = {5, 100, 7};
  for (const std::size_t budget : {1, 30, 1000}) {
    for (const BeamLessons& one : setting.learn(budget, Lesson::reinforcement, 0, 2)) {
      for (const Row row : one.rows) CHECK(row >= 0 && row < 100);
    }
  }
}

}  // namespace
