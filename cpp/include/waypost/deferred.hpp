// How far a query's deferred edges are put back: in proportion to its length, as its scores are.
#pragma once

#include <cmath>

#include "waypost/graph.hpp"
#include "waypost/kernels.hpp"

namespace waypost {

inline float penalty_for(const Graph& graph, const float* query, std::size_t width) {
  if (graph.deferred_degree == 0) return 0;
  return graph.penalty * std::sqrt(kernels().dot(query, query, width));
}

}  // namespace waypost
