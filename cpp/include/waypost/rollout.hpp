// Path collection (Algorithm 1): from the entry, look at the unvisited neighbors, choose one by the softmax of their
// routing scores, go there, until the budget of inner products is used up, nothing is left to choose, or every target
// is reached. Each path comes with the rewards of its choices and what REINFORCE makes of them.
#pragma once

#include <cstdint>
#include <vector>

#include "waypost/graph.hpp"
#include "waypost/progress.hpp"
#include "waypost/routing_gradient.hpp"
#include "waypost/targets.hpp"

namespace waypost {

// What is subtracted from a choice's reward: nothing, the mean over `samples` further draws from the same state (the
// paper's self-critic), or the mean over the whole distribution.
enum class Baseline { none, samples, expectation };

struct RolloutPlan {
  Graph graph;
  Vectors route;  // E_v
  Vectors items;  // X: what rewards are made of
  std::size_t budget = 256;
  float tau = 1;         // temperature of the softmax
  float gamma = 1;       // discount
  float alpha = 0;       // weight of the shaping
  bool products = true;  // whether the gain in inner product is a reward (false: shaping alone)
  Baseline baseline = Baseline::samples;
  std::size_t samples = 4;  // the paper's b
  // Whether later rewards count less their own states' baselines, as printed, or in full. The printed sum forgets what
  // a choice leads to wherever the choices after it are forced, for there the baseline is the reward.
  bool later_baselines = true;
  std::uint64_t seed = 0;
  unsigned threads = 0;
};

struct RolloutQueries {
  Vectors route;            // E_q
  Vectors queries;          // q
  MatrixView<Row> entries;  // one row for all or one a query
  Potentials potentials;
};

// One path. Choice i was made among candidates [offsets[i], offsets[i+1]).
struct Path {
  std::vector<Row> candidates;
  std::vector<float> probabilities;
  std::vector<std::int32_t> offsets{0};
  std::vector<std::int32_t> chosen;  // index into candidates
  std::vector<float> rewards;
  std::vector<float> baselines;
  std::vector<float> returns;  // G_t, what the choice is credited with
  bool reached = false;        // whether it ended because every target was reached
};

void collect_paths(const RolloutPlan& plan, const RolloutQueries& queries, std::vector<Path>& paths,
                   const Progress& progress);

// What choosing from the whole frontier came to, for one query.
struct FrontierPath {
  Pulls pulls;  // as policy_pulls has them
  float reward = 0;
  std::size_t choices = 0;
  bool reached = false;
  Path path;  // where it is kept: it is long, for each choice has all of the frontier as its candidates
};

// The same paths, but chosen among all vertices seen and not yet gone to, as Algorithm 2 does: the agent may go on from
// any of them, and a choice is rewarded as a step from the vertex that it was at. Where the baseline is the expectation
// and later rewards count less theirs, the update is replaced by its mean over what could have been chosen: every
// candidate is credited with its own reward, and what comes later, being zero on average, is left out.
std::vector<FrontierPath> collect_frontier_paths(const RolloutPlan& plan, const RolloutQueries& queries,
                                                 bool keep_paths, const Progress& progress);

// Each path's slopes of the loss -1/m sum over paths and choices of G_t log pi(a_t | s_t) by its routing scores.
std::vector<Pulls> policy_pulls(const RolloutPlan& plan, const std::vector<Path>& paths);

}  // namespace waypost
