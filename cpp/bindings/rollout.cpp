#include "waypost/rollout.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <span>
#include <string>

#include "arrays.hpp"
#include "gradients.hpp"
#include "progress.hpp"
#include "routing_arguments.hpp"
#include "topics.hpp"
#include "waypost/reach.hpp"

namespace waypost::bindings {
namespace {

using namespace nb::literals;

Out<std::uint8_t> hops_to_targets(const RowMatrix& neighbors, const RowVector& targets, unsigned threads,
                                  const std::optional<nb::callable>& progress) {
  const std::size_t n = neighbors.shape(0);
  auto hops = new_array<std::uint8_t>({targets.shape(0), n});
  const auto watch = watched(progress);
  const nb::gil_scoped_release unlocked;
  hops_to({neighbors.data(), n, neighbors.shape(1)}, {targets.data(), targets.shape(0)}, threads, hops.data(), watch);
  return hops;
}

Baseline baseline_of(const std::string& name) {
  if (name == "none") return Baseline::none;
  if (name == "samples") return Baseline::samples;
  if (name == "expectation") return Baseline::expectation;
  throw nb::value_error("baseline must be 'none', 'samples' or 'expectation'");
}

template <class T>
Out<T> copy_out(const std::vector<T>& values) {
  return to_array(std::vector<T>(values), {values.size()});
}

// Many queries' paths, end to end. All numbers of candidates and choices are positions in the joined arrays.
nb::dict join(const std::vector<Path>& paths) {
  std::vector<std::int64_t> path_offsets{0};
  std::vector<std::int64_t> choice_offsets{0};
  std::vector<std::int64_t> chosen;
  std::vector<std::uint8_t> reached;
  Path all;
  const auto append = [](auto& to, const auto& from) { to.insert(to.end(), from.begin(), from.end()); };
  for (const Path& path : paths) {
    const auto first = static_cast<std::int64_t>(all.candidates.size());
    for (const std::int32_t choice : path.chosen) chosen.push_back(first + choice);
    for (std::size_t i = 1; i < path.offsets.size(); ++i) choice_offsets.push_back(first + path.offsets[i]);
    append(all.candidates, path.candidates);
    append(all.probabilities, path.probabilities);
    append(all.rewards, path.rewards);
    append(all.baselines, path.baselines);
    append(all.returns, path.returns);
    reached.push_back(path.reached ? 1 : 0);
    path_offsets.push_back(static_cast<std::int64_t>(chosen.size()));
  }
  nb::dict joined;
  joined["path_offsets"] = copy_out(path_offsets);
  joined["choice_offsets"] = copy_out(choice_offsets);
  joined["candidates"] = copy_out(all.candidates);
  joined["probabilities"] = copy_out(all.probabilities);
  joined["chosen"] = copy_out(chosen);
  joined["rewards"] = copy_out(all.rewards);
  joined["baselines"] = copy_out(all.baselines);
  joined["returns"] = copy_out(all.returns);
  joined["reached"] = copy_out(reached);
  return joined;
}

struct Collected {
  std::vector<Path> paths;
  std::vector<Pulls> pulls;
  float reward = 0;   // mean return of a path
  float reached = 0;  // share of paths that reached their targets
  float length = 0;   // mean number of choices

  void count(std::span<const float> rewards, bool path_reached, std::size_t choices) {
    for (const float one : rewards) reward += one;
    reached += path_reached ? 1.0f : 0.0f;
    length += static_cast<float>(choices);
  }
};

// By Algorithm 1, or from the whole frontier; paths of the latter are kept where they are asked for alone.
Collected collect(const RolloutPlan& plan, const RolloutQueries& queries, bool frontier, bool gradient, bool keep) {
  const std::optional<nb::callable> no_callback;
  const Progress watch = watched(no_callback);
  const nb::gil_scoped_release unlocked;
  Collected all;
  const std::size_t m = queries.route.rows;
  if (frontier) {
    for (FrontierPath& one : collect_frontier_paths(plan, queries, keep, watch)) {
      all.count({&one.reward, 1}, one.reached, one.choices);
      all.pulls.push_back(std::move(one.pulls));
      if (keep) all.paths.push_back(std::move(one.path));
    }
  } else {
    collect_paths(plan, queries, all.paths, watch);
    if (gradient) all.pulls = policy_pulls(plan, all.paths);
    for (const Path& path : all.paths) all.count(path.rewards, path.reached, path.chosen.size());
  }
  for (float* figure : {&all.reward, &all.reached, &all.length}) {
    *figure /= static_cast<float>(std::max<std::size_t>(m, 1));
  }
  return all;
}

nb::tuple rollout(const RowMatrix& neighbors, const FloatMatrix& route, const FloatMatrix& items,
                  const FloatMatrix& route_queries, const FloatMatrix& asked, const RowMatrix& entries,
                  std::size_t budget, float tau, float gamma, float alpha, const std::optional<HopMatrix>& hops,
                  const std::optional<RowMatrix>& targets, bool products, const std::string& baseline,
                  std::size_t samples, bool later_baselines, std::uint64_t seed, unsigned threads, bool paths,
                  bool gradient, bool query_gradient, bool met_alone, bool frontier) {
  const std::size_t n = route.shape(0);
  const std::size_t m = asked.shape(0);
  if (items.shape(0) != n) throw nb::value_error("route and items must be as long");
  if (route_queries.shape(0) != m) throw nb::value_error("route_queries and queries must be as many");
  if (items.shape(1) != asked.shape(1)) throw nb::value_error("queries must be as wide as items");
  RolloutPlan plan;
  plan.graph = graph_for_routing(neighbors, route, route_queries, entries);
  plan.route = view(route);
  plan.items = view(items);
  const RolloutQueries queries{view(route_queries), view(asked), view(entries), potentials_of(hops, targets, n, m)};
  if (budget < 1) throw nb::value_error("budget must be at least 1");
  if (!(tau > 0)) throw nb::value_error("tau must be above 0");
  if (baseline == "samples" && samples < 1) throw nb::value_error("samples must be at least 1");
  plan.budget = budget;
  plan.tau = tau;
  plan.gamma = gamma;
  plan.alpha = alpha;
  plan.products = products;
  plan.baseline = baseline_of(baseline);
  plan.samples = samples;
  plan.later_baselines = later_baselines;
  plan.seed = seed;
  plan.threads = threads;
  const Collected collected = collect(plan, queries, frontier, gradient, paths);
  const Gradients found =
      gradient ? gradients_of(collected.pulls, plan.route, queries.route, threads, met_alone, query_gradient)
               : Gradients{};
  nb::object joined = paths ? nb::object(join(collected.paths)) : nb::none();
  return nb::make_tuple(collected.reward, collected.reached, collected.length, found.rows, found.vectors, found.queries,
                        joined);
}

}  // namespace

void add_rollout(nb::module_& module) {
  module.def("hops_to", &hops_to_targets, "neighbors"_a.noconvert(), "targets"_a.noconvert(), "threads"_a = 0,
             "progress"_a.none() = nb::none());
  module.def("rollout", &rollout, "neighbors"_a.noconvert(), "route"_a.noconvert(), "items"_a.noconvert(),
             "route_queries"_a.noconvert(), "queries"_a.noconvert(), "entries"_a.noconvert(), "budget"_a, "tau"_a,
             "gamma"_a, "alpha"_a, "hops"_a.none().noconvert() = nb::none(),
             "targets"_a.none().noconvert() = nb::none(), "products"_a = true, "baseline"_a = "samples",
             "samples"_a = 4, "later_baselines"_a = true, "seed"_a = 0, "threads"_a = 0, "paths"_a = false,
             "gradient"_a = true, "query_gradient"_a = false, "met_alone"_a = false, "frontier"_a = false);
}

}  // namespace waypost::bindings
