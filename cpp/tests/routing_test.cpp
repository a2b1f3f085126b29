// What training does on many threads: sampled paths, imitated searches, and the gradient that both add up.
#include <numeric>

#include "check.hpp"
#include "samples.hpp"
#include "waypost/imitation.hpp"
#include "waypost/kernels.hpp"
#include "waypost/reach.hpp"
#include "waypost/rollout.hpp"

namespace {

using namespace waypost;

constexpr std::size_t n = 400;
constexpr std::size_t m = 150;
constexpr std::size_t degree = 6;

// A graph, vectors, and for every query one of ten targets, or none.
struct Setting {
  samples::Matrix route = samples::uniform(n, 5, 1);
  samples::Matrix items = samples::uniform(n, 7, 2);
  samples::Matrix route_queries = samples::uniform(m, 5, 3);
  samples::Matrix queries = samples::uniform(m, 7, 4);
  std::vector<Row> neighbors = samples::random_graph(n, degree, 5);
  Row entry = 0;
  std::vector<std::uint8_t> hops;
  std::vector<std::int32_t> targets;

  Setting() : hops(10 * n), targets(m) {
    std::vector<Row> goals(10);
    std::iota(goals.begin(), goals.end(), Row{20});
    hops_to(graph(), goals, 2, hops.data(), {});
    for (std::size_t i = 0; i < m; ++i) targets[i] = static_cast<std::int32_t>(i % 11) - 1;
  }

  Graph graph() const { return {neighbors.data(), n, degree}; }
  Potentials potentials() const { return {{hops.data(), 10, n}, {targets.data(), m, 1}}; }

  std::vector<Pulls> rolled(unsigned threads, std::size_t budget) const {
    const RolloutPlan plan = this->plan(threads, budget);
    std::vector<Path> paths;
    collect_paths(plan, asked(), paths, {});
    return policy_pulls(plan, paths);
  }

  std::vector<FrontierPath> from_the_frontier(unsigned threads, std::size_t budget, Baseline baseline) const {
    RolloutPlan plan = this->plan(threads, budget);
    plan.baseline = baseline;
    return collect_frontier_paths(plan, asked(), true, {});
  }

  RolloutQueries asked() const { return {route_queries.view(), queries.view(), {&entry, 1, 1}, potentials()}; }

  RolloutPlan plan(unsigned threads, std::size_t budget) const {
    RolloutPlan plan;
    plan.graph = graph();
    plan.route = route.view();
    plan.items = items.view();
    plan.budget = budget;
    plan.alpha = 1;
    plan.seed = 9;
    plan.threads = threads;
    return plan;
  }

  std::vector<Lesson> imitated(unsigned threads, std::size_t budget) const {
    ImitationPlan plan;
    plan.graph = graph();
    plan.route = route.view();
    plan.budget = budget;
    plan.threads = threads;
    return imitate(plan, {route_queries.view(), {&entry, 1, 1}, potentials()}, {});
  }
};

bool same(const Pulls& a, const Pulls& b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i].row != b[i].row || a[i].slope != b[i].slope) return false;
  }
  return true;
}

TEST(paths_do_not_depend_on_threads) {
  const Setting setting;
  for (const std::size_t budget : {1u, 2u, 60u, 1000u}) {
    const auto one = setting.rolled(1, budget);
    const auto four = setting.rolled(4, budget);
    for (std::size_t i = 0; i < m; ++i) CHECK(same(one[i], four[i]));
  }
}

TEST(paths_from_the_frontier_do_not_depend_on_threads) {
  const Setting setting;
  for (const std::size_t budget : {1u, 2u, 60u, 1000u}) {
    for (const Baseline baseline : {Baseline::samples, Baseline::expectation}) {
      const auto one = setting.from_the_frontier(1, budget, baseline);
      const auto four = setting.from_the_frontier(4, budget, baseline);
      for (std::size_t i = 0; i < m; ++i) {
        CHECK(same(one[i].pulls, four[i].pulls));
        CHECK(one[i].path.candidates == four[i].path.candidates);
        CHECK(one[i].path.chosen.size() == one[i].choices);
        const bool labelled = setting.targets[i] >= 0;
        CHECK(labelled || !one[i].reached);
        if (!labelled || budget != 1000) continue;
        const auto target = static_cast<std::size_t>(setting.targets[i]);
        CHECK(one[i].reached == (setting.hops[target * n + static_cast<std::size_t>(setting.entry)] != 255));
      }
    }
  }
}

TEST(imitated_searches_do_not_depend_on_threads_and_end_at_their_targets) {
  const Setting setting;
  for (const std::size_t budget : {1u, 2u, 60u, 1000u}) {
    const auto one = setting.imitated(1, budget);
    const auto four = setting.imitated(4, budget);
    for (std::size_t i = 0; i < m; ++i) {
      CHECK(same(one[i].pulls, four[i].pulls));
      const bool labelled = setting.targets[i] >= 0;
      CHECK(labelled || (one[i].pulls.empty() && !one[i].reached));
      if (labelled && budget == 1000) {
        const auto target = static_cast<std::size_t>(setting.targets[i]);
        CHECK(one[i].reached == (setting.hops[target * n + static_cast<std::size_t>(setting.entry)] != 255));
      }
    }
  }
}

TEST(the_gradient_of_the_vertices_met_is_that_of_all) {
  const Setting setting;
  const auto pulls = setting.rolled(3, 80);
  const Vectors queries = setting.route_queries.view();
  const PullsByVertex by_vertex(pulls, n, 3);
  std::vector<float> dense(n * queries.cols, -1.0f);
  std::vector<float> met(by_vertex.rows().size() * queries.cols);
  by_vertex.dense_gradient(queries, 3, dense.data());
  by_vertex.gradient(queries, 2, met.data());
  std::vector<float> spread(dense.size(), 0.0f);
  for (std::size_t i = 0; i < by_vertex.rows().size(); ++i) {
    const auto row = static_cast<std::size_t>(by_vertex.rows()[i]);
    std::copy_n(met.data() + i * queries.cols, queries.cols, spread.data() + row * queries.cols);
  }
  CHECK(dense == spread);
  std::vector<float> plain(dense.size(), 0.0f);
  for (std::size_t query = 0; query < m; ++query) {
    for (const Pull& pull : pulls[query]) {
      float* to = plain.data() + static_cast<std::size_t>(pull.row) * queries.cols;
      kernels().add_scaled(queries.row(query), pull.slope, queries.cols, to);
    }
  }
  CHECK(dense == plain);  // both add up query by query
}

TEST(no_walk_pulls_at_nothing) {
  const std::vector<Pulls> none(3);
  const PullsByVertex by_vertex(none, 10, 2);
  CHECK(by_vertex.rows().empty());
  const auto queries = samples::uniform(3, 2, 1);
  std::vector<float> out(20, 1.0f);
  by_vertex.dense_gradient(queries.view(), 2, out.data());
  CHECK(out == std::vector<float>(20, 0.0f));
}

}  // namespace
