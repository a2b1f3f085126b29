// What the states of a beam search teach: at each of them the policy is a softmax over the whole frontier, as in the
// search that will be used, and some frontier vertices are worth more than others, because answers that are not yet
// seen are among their neighbors. Each walk gives one number a vertex, the gradient of its loss with respect to that
// vertex's routing score; what the score is made of (a bias, a vector, a GCN) is the caller's.
#pragma once

#include <cstdint>
#include <vector>

#include "waypost/graph.hpp"
#include "waypost/progress.hpp"

namespace waypost {

enum class Lesson {
  imitation,      // cross-entropy towards the vertices that show an unseen answer
  reinforcement,  // the log of the expected number of answers that a choice by the policy would newly show
};

struct BeamLessonPlan {
  Graph graph;
  Vectors route;
  Vectors bias;  // when it has rows: on top of the products, the row that a query names
  std::size_t budget = 256;
  float tau = 1;    // temperature of the policy
  float noise = 0;  // scale of the Gumbel noise on the scores that the walk itself goes by
  Lesson lesson = Lesson::imitation;
  std::uint64_t seed = 0;
  unsigned threads = 0;
};

struct BeamLessonQueries {
  Vectors route;
  MatrixView<Row> entries;     // rows of all queries, or of each its own; -1 ends a list
  MatrixView<Row> answers;     // at most 64 a query, -1 at free places
  const Row* kinds = nullptr;  // each query's row of the bias; null: the first
};

// The lessons of one query's walk.
struct BeamLessons {
  std::vector<Row> rows;
  std::vector<float> weights;  // of each row: the gradient of the query's loss with respect to its routing score
  double loss = 0;             // sum over the states that taught something
  std::uint32_t states = 0;    // how many did
  std::uint32_t found = 0;     // answers seen by the end
};

inline constexpr std::size_t most_answers = 64;

void learn_from_beams(const BeamLessonPlan& plan, const BeamLessonQueries& queries, std::vector<BeamLessons>& lessons,
                      const Progress& progress);

}  // namespace waypost
