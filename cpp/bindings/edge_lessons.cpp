#include "waypost/edge_lessons.hpp"

#include <nanobind/stl/optional.h>

#include "arrays.hpp"
#include "deferred_argument.hpp"
#include "progress.hpp"
#include "topics.hpp"

namespace waypost::bindings {
namespace {

using namespace nb::literals;

nb::tuple edge_lessons(const RowMatrix& neighbors, const FloatMatrix& route, const FloatMatrix& queries,
                       const RowMatrix& entries, const RowMatrix& answers, const RowMatrix& candidates,
                       std::size_t budget, unsigned threads, const std::optional<RowMatrix>& deferred, float penalty) {
  const std::size_t n = route.shape(0);
  const std::size_t m = queries.shape(0);
  if (neighbors.shape(0) != n || candidates.shape(0) != n) {
    throw nb::value_error("neighbors, route and candidates must be as long");
  }
  if (queries.shape(1) != route.shape(1)) throw nb::value_error("queries must be as wide as route");
  if (entries.shape(0) != 1 && entries.shape(0) != m) throw nb::value_error("entries must have 1 row or one a query");
  if (answers.shape(0) != m) throw nb::value_error("answers must have one row a query");
  if (budget < 1) throw nb::value_error("budget must be at least 1");
  EdgeLessonPlan plan{{neighbors.data(), n, neighbors.shape(1)}, view(route), view(candidates), budget, threads};
  if (deferred) add_deferred(*deferred, penalty, plan.graph);
  EdgeLessons lessons;
  const std::optional<nb::callable> no_callback;
  {
    const nb::gil_scoped_release unlocked;
    lessons = learn_edges(plan, {view(queries), view(entries), view(answers)}, watched(no_callback));
  }
  const std::size_t most = candidates.shape(1);
  return nb::make_tuple(to_array(std::move(lessons.shown), {n, most}), to_array(std::move(lessons.hits), {n, most}));
}

}  // namespace

void add_edge_lessons(nb::module_& module) {
  module.def("edge_lessons", &edge_lessons, "neighbors"_a.noconvert(), "route"_a.noconvert(), "queries"_a.noconvert(),
             "entries"_a.noconvert(), "answers"_a.noconvert(), "candidates"_a.noconvert(), "budget"_a, "threads"_a = 0,
             "deferred"_a.none().noconvert() = nb::none(), "penalty"_a = 0.0f);
}

}  // namespace waypost::bindings
