#include "waypost/imitation.hpp"

#include <nanobind/stl/optional.h>

#include "gradients.hpp"
#include "progress.hpp"
#include "routing_arguments.hpp"
#include "topics.hpp"

namespace waypost::bindings {
namespace {

using namespace nb::literals;

// What the batch came to, for the log.
struct Summary {
  double loss = 0;
  double reached = 0;
  double states = 0;

  explicit Summary(const std::vector<Lesson>& lessons) {
    for (const Lesson& lesson : lessons) {
      loss += lesson.loss;
      reached += lesson.reached ? 1 : 0;
      states += static_cast<double>(lesson.states);
    }
  }
};

// Hands the pulls over, scaled so that the loss is the mean over all the batch's states.
std::vector<Pulls> mean_pulls(std::vector<Lesson>& lessons, double states) {
  std::vector<Pulls> pulls;
  pulls.reserve(lessons.size());
  for (Lesson& lesson : lessons) {
    for (Pull& pull : lesson.pulls) pull.slope = static_cast<float>(pull.slope / states);
    pulls.push_back(std::move(lesson.pulls));
  }
  return pulls;
}

nb::tuple imitate_all(const RowMatrix& neighbors, const FloatMatrix& route, const FloatMatrix& route_queries,
                      const RowMatrix& entries, std::size_t budget, float tau, const HopMatrix& hops,
                      const RowMatrix& targets, unsigned threads, bool query_gradient, bool met_alone) {
  if (budget < 1) throw nb::value_error("budget must be at least 1");
  if (!(tau > 0)) throw nb::value_error("tau must be above 0");
  const std::size_t m = route_queries.shape(0);
  ImitationPlan plan;
  plan.graph = graph_for_routing(neighbors, route, route_queries, entries);
  plan.route = view(route);
  plan.budget = budget;
  plan.tau = tau;
  plan.threads = threads;
  const ImitationQueries queries{view(route_queries), view(entries), potentials_of(hops, targets, route.shape(0), m)};
  const std::optional<nb::callable> no_callback;
  std::vector<Lesson> lessons;
  {
    const nb::gil_scoped_release unlocked;
    lessons = imitate(plan, queries, watched(no_callback));
  }
  const Summary summary(lessons);
  const double states = std::max(summary.states, 1.0);
  const double count = static_cast<double>(std::max<std::size_t>(m, 1));
  const std::vector<Pulls> pulls = mean_pulls(lessons, states);
  const Gradients found = gradients_of(pulls, plan.route, queries.route, threads, met_alone, query_gradient);
  return nb::make_tuple(summary.loss / states, summary.reached / count, summary.states / count, found.rows,
                        found.vectors, found.queries);
}

}  // namespace

void add_imitation(nb::module_& module) {
  module.def("imitate", &imitate_all, "neighbors"_a.noconvert(), "route"_a.noconvert(), "route_queries"_a.noconvert(),
             "entries"_a.noconvert(), "budget"_a, "tau"_a, "hops"_a.noconvert(), "targets"_a.noconvert(),
             "threads"_a = 0, "query_gradient"_a = false, "met_alone"_a = false);
}

}  // namespace waypost::bindings
