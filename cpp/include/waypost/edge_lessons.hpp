// What walks teach about edges: how often an edge would have shown something new, and how often that was an answer.
// Edges that are not in the graph are watched, too: at every vertex that a walk expands, all its candidates are looked
// up in what the walk had seen by then.
#pragma once

#include <cstdint>
#include <vector>

#include "waypost/graph.hpp"
#include "waypost/progress.hpp"

namespace waypost {

struct EdgeLessonPlan {
  Graph graph;
  Vectors route;
  MatrixView<Row> candidates;  // a row a vertex, -1 at free places
  std::size_t budget = 256;
  unsigned threads = 0;
};

struct EdgeLessonQueries {
  Vectors route;
  MatrixView<Row> entries;  // one row for all queries or one a query, -1 at free places
  MatrixView<Row> answers;  // -1 at free places
};

// One number a candidate edge each.
struct EdgeLessons {
  std::vector<std::uint32_t> shown;  // walks that expanded the edge's source before they saw its target
  std::vector<std::uint32_t> hits;   // those of them whose query the target answers
};

EdgeLessons learn_edges(const EdgeLessonPlan& plan, const EdgeLessonQueries& queries, const Progress& progress);

}  // namespace waypost
