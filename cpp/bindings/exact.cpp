#include "waypost/exact.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>

#include "arrays.hpp"
#include "progress.hpp"
#include "topics.hpp"

namespace waypost::bindings {
namespace {

using namespace nb::literals;

std::pair<Out<std::int64_t>, Out<float>> exact_search_arrays(const FloatMatrix& items, const FloatMatrix& queries,
                                                             std::size_t k, unsigned threads,
                                                             const std::optional<nb::callable>& progress) {
  if (items.shape(1) != queries.shape(1)) throw nb::value_error("queries must be as wide as items");
  if (k < 1 || k > items.shape(0)) throw nb::value_error("k must lie between 1 and the number of items");
  auto ids = new_array<std::int64_t>({queries.shape(0), k});
  auto scores = new_array<float>({queries.shape(0), k});
  const auto watch = watched(progress);
  const nb::gil_scoped_release unlocked;
  exact_search(view(items), view(queries), k, threads, ids.data(), scores.data(), watch);
  return {std::move(ids), std::move(scores)};
}

}  // namespace

void add_exact(nb::module_& module) {
  module.def("exact_search", &exact_search_arrays, "items"_a.noconvert(), "queries"_a.noconvert(), "k"_a,
             "threads"_a = 0, "progress"_a.none() = nb::none());
}

}  // namespace waypost::bindings
