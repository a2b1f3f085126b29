// The gradient of a batch as arrays: by every vertex, or by those alone that the walks met.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "waypost/routing_gradient.hpp"

namespace waypost::bindings {

struct Gradients {
  nb::object rows = nb::none();  // of the lines of `vectors`; none: every vertex has one
  nb::object vectors = nb::none();
  nb::object queries = nb::none();
};

// Holds the interpreter's lock when called, and lets go of it while it computes.
inline Gradients gradients_of(const std::vector<Pulls>& pulls, Vectors route, Vectors queries, unsigned threads,
                              bool met_alone, bool for_queries) {
  Gradients found;
  std::optional<PullsByVertex> by_vertex;
  {
    const nb::gil_scoped_release unlocked;
    by_vertex.emplace(pulls, route.rows, threads);
  }
  const std::size_t lines = met_alone ? by_vertex->rows().size() : route.rows;
  auto vectors = new_array<float>({lines, route.cols});
  std::optional<Out<float>> asked;
  if (for_queries) asked = new_array<float>({queries.rows, route.cols});
  {
    const nb::gil_scoped_release unlocked;
    if (met_alone) {
      by_vertex->gradient(queries, threads, vectors.data());
    } else {
      by_vertex->dense_gradient(queries, threads, vectors.data());
    }
    if (asked) gradient_of_queries(pulls, route, threads, asked->data());
  }
  if (met_alone) found.rows = nb::cast(to_array(std::vector<Row>(by_vertex->rows()), {lines}));
  found.vectors = nb::cast(std::move(vectors));
  if (asked) found.queries = nb::cast(std::move(*asked));
  return found;
}

}  // namespace waypost::bindings
