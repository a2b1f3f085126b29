// Deferred edges as an argument, beside the neighbors of the same vertices.
#pragma once

#include "arrays.hpp"
#include "waypost/graph.hpp"

namespace waypost::bindings {

inline void add_deferred(const RowMatrix& deferred, float penalty, Graph& graph) {
  if (deferred.shape(0) != graph.size) throw nb::value_error("deferred must have one row an item");
  if (!(penalty >= 0)) throw nb::value_error("penalty must not be below 0");
  graph.deferred = deferred.data();
  graph.deferred_degree = deferred.shape(1);
  graph.penalty = penalty;
}

}  // namespace waypost::bindings
