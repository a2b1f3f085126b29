#include "waypost/beam_lessons.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <string>

#include "arrays.hpp"
#include "deferred_argument.hpp"
#include "progress.hpp"
#include "topics.hpp"

namespace waypost::bindings {
namespace {

using namespace nb::literals;

Lesson lesson_of(const std::string& name) {
  if (name == "imitation") return Lesson::imitation;
  if (name == "reinforcement") return Lesson::reinforcement;
  throw nb::value_error("lesson must be 'imitation' or 'reinforcement'");
}

// Lessons of all queries end to end: those of query i are rows[offsets[i]..offsets[i + 1]).
nb::tuple join(const std::vector<BeamLessons>& lessons) {
  std::vector<std::int64_t> offsets{0};
  std::vector<Row> rows;
  std::vector<float> weights;
  double loss = 0;
  std::int64_t states = 0;
  std::int64_t found = 0;
  for (const BeamLessons& lesson : lessons) {
    rows.insert(rows.end(), lesson.rows.begin(), lesson.rows.end());
    weights.insert(weights.end(), lesson.weights.begin(), lesson.weights.end());
    offsets.push_back(static_cast<std::int64_t>(rows.size()));
    loss += lesson.loss;
    states += lesson.states;
    found += lesson.found;
  }
  const std::size_t seen = rows.size();
  const std::size_t ends = offsets.size();
  return nb::make_tuple(to_array(std::move(offsets), {ends}), to_array(std::move(rows), {seen}),
                        to_array(std::move(weights), {seen}), loss, states, found);
}

void check_kinds(const RowVector& kinds, std::size_t queries, std::size_t biases) {
  if (kinds.shape(0) != queries) throw nb::value_error("kinds must be one a query");
  for (std::size_t i = 0; i < queries; ++i) {
    if (kinds.data()[i] < 0 || kinds.data()[i] >= static_cast<std::int64_t>(biases)) {
      throw nb::value_error("kinds must be rows of bias");
    }
  }
}

nb::tuple beam_lessons(const RowMatrix& neighbors, const FloatMatrix& route, const FloatMatrix& queries,
                       const RowMatrix& entries, const RowMatrix& answers, std::size_t budget, float tau, float noise,
                       const std::string& lesson, const std::optional<FloatMatrix>& bias,
                       const std::optional<RowVector>& kinds, std::uint64_t seed, unsigned threads,
                       const std::optional<RowMatrix>& deferred, float penalty) {
  const std::size_t n = route.shape(0);
  const std::size_t m = queries.shape(0);
  if (neighbors.shape(0) != n || (bias && bias->shape(1) != n)) {
    throw nb::value_error("neighbors, route and bias must be as long");
  }
  if (queries.shape(1) != route.shape(1)) throw nb::value_error("queries must be as wide as route");
  if (entries.shape(0) != 1 && entries.shape(0) != m) throw nb::value_error("entries must have 1 row or one a query");
  if (answers.shape(0) != m) throw nb::value_error("answers must have one row a query");
  if (answers.shape(1) > most_answers) throw nb::value_error("answers must be at most 64 a query");
  if (budget < 1) throw nb::value_error("budget must be at least 1");
  if (!(tau > 0) || !(noise >= 0)) throw nb::value_error("tau must be above 0 and noise not below");
  if (kinds) check_kinds(*kinds, m, bias ? bias->shape(0) : 0);
  BeamLessonPlan plan;
  plan.graph = {neighbors.data(), n, neighbors.shape(1)};
  if (deferred) add_deferred(*deferred, penalty, plan.graph);
  plan.route = view(route);
  if (bias) plan.bias = view(*bias);
  plan.budget = budget;
  plan.tau = tau;
  plan.noise = noise;
  plan.lesson = lesson_of(lesson);
  plan.seed = seed;
  plan.threads = threads;
  std::vector<BeamLessons> lessons;
  const std::optional<nb::callable> no_callback;
  {
    const nb::gil_scoped_release unlocked;
    learn_from_beams(plan, {view(queries), view(entries), view(answers), kinds ? kinds->data() : nullptr}, lessons,
                     watched(no_callback));
  }
  return join(lessons);
}

}  // namespace

void add_beam_lessons(nb::module_& module) {
  module.def("beam_lessons", &beam_lessons, "neighbors"_a.noconvert(), "route"_a.noconvert(), "queries"_a.noconvert(),
             "entries"_a.noconvert(), "answers"_a.noconvert(), "budget"_a, "tau"_a, "noise"_a = 0.0f,
             "lesson"_a = "imitation", "bias"_a.none().noconvert() = nb::none(),
             "kinds"_a.none().noconvert() = nb::none(), "seed"_a = 0, "threads"_a = 0,
             "deferred"_a.none().noconvert() = nb::none(), "penalty"_a = 0.0f);
}

}  // namespace waypost::bindings
