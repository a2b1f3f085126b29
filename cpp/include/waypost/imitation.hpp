// Imitation learning (ILTR): beam search as the agent does it, and at every step the cross-entropy between the softmax
// over the whole frontier and those of its vertices that are nearest to the target, along the graph's edges: the first
// ones of the shortest paths that are left.
#pragma once

#include <cstdint>
#include <vector>

#include "waypost/graph.hpp"
#include "waypost/progress.hpp"
#include "waypost/routing_gradient.hpp"
#include "waypost/targets.hpp"

namespace waypost {

struct ImitationPlan {
  Graph graph;
  Vectors route;  // E_v
  std::size_t budget = 256;
  float tau = 1;  // temperature of the softmax
  unsigned threads = 0;
};

struct ImitationQueries {
  Vectors route;            // E_q
  MatrixView<Row> entries;  // one row for all or one a query
  Potentials potentials;    // a query without a target teaches nothing
};

struct Lesson {
  Pulls pulls;  // slopes of the loss by the routing scores, each vertex met once
  double loss = 0;
  std::size_t states = 0;  // steps of the search that had something to choose
  bool reached = false;    // whether every target was expanded
};

// One lesson a query. The loss of a query is the sum over its steps; divide by the states of the batch for the mean.
std::vector<Lesson> imitate(const ImitationPlan& plan, const ImitationQueries& queries, const Progress& progress);

}  // namespace waypost
