// The walk of a pool search: it expands the best open vertices of a bounded pool until none is open. So it costs what
// the query needs, where the paper's walk (walk.hpp) spends a budget; here a budget is a cap.
#pragma once

#include <algorithm>
#include <concepts>
#include <span>
#include <vector>

#include "waypost/candidate_pool.hpp"
#include "waypost/graph.hpp"
#include "waypost/marks.hpp"
#include "waypost/prefetch.hpp"
#include "waypost/walk.hpp"

namespace waypost {

// Is given every batch of what the walk scored, and may change the scores that the walk goes by.
template <class T>
concept Witness =
    requires(T witness, const Row* rows, float* scores, std::size_t count) { witness.scored(rows, scores, count); };

struct NoWitness {
  void scored(const Row*, float*, std::size_t) {}
};

// What a walk goes by: takes what was scored, and calls each(row) for the best vertices that are still to be expanded.
template <class T>
concept Candidates = requires(T candidates, const T ready, const float* scores, const Row* rows, std::size_t count,
                              const PoolKernels& kernel, void (*each)(Row)) {
  candidates.offer(scores, rows, count, kernel);
  { candidates.expand(count, kernel, each) } -> std::same_as<std::size_t>;
  { ready.keys() } -> std::same_as<const PoolKey*>;
  { ready.size() } -> std::same_as<std::size_t>;
};

// So many vertices are expanded at a time. Nearly all would be in their turn, and what a step costs beside its products
// is paid once: a third of the time saved, for a few products more.
inline constexpr std::size_t expanded_together = 4;

// Memory that a walk needs; used again and again.
struct PoolWalkSpace {
  Marks marks;
  Marks came_back;  // which vertices' deferred edges were looked up
  std::vector<Row> fresh;
  std::vector<float> scores;
};

// When the pool has converged, the walk comes back to its `second_looks` best vertices for their deferred edges, and so
// on until these bring nothing new. Two alternating steps, as Walk has them: `expand` looks vertices up and asks for
// their memory, `score` uses it.
template <Scorer S, Witness W, Candidates C>
class PoolWalk {
 public:
  PoolWalk(const Graph& graph, S scorer, W witness, C& candidates, std::size_t budget, std::size_t second_looks,
           PoolWalkSpace& space)
      : graph_(&graph), scorer_(scorer), witness_(witness), candidates_(&candidates), left_(budget), space_(&space) {
    second_looks_ = graph.deferred_degree > 0 ? std::min(second_looks, candidates.size()) : 0;
  }

  // Sets out anew; without this, a walk goes on from what another has left in the space and the candidates.
  void begin(std::span<const Row> entries) {
    const Graph& graph = *graph_;
    PoolWalkSpace& space = *space_;
    if (second_looks_ > 0) space.came_back.begin(graph.size);
    space.marks.begin(graph.size);
    const std::size_t most = std::max({expanded_together * graph.degree, graph.deferred_degree, entries.size()});
    if (space.fresh.size() < most) {
      space.fresh.resize(most);
      space.scores.resize(most);
    }
    gather(entries);
    admit();
  }

  // Scores what was looked up last.
  void score() {
    scorer_.score(space_->fresh.data(), count_, space_->scores.data());
    witness_.scored(space_->fresh.data(), space_->scores.data(), count_);
    candidates_->offer(space_->scores.data(), space_->fresh.data(), count_, kernel_);
    seen_ += count_;
  }

  // Looks up the next vertices; false when the walk is over.
  bool expand() {
    do {
      if (left_ == 0) return false;
      count_ = 0;
      const auto expand = [&](Row row) { gather(graph_->of(static_cast<std::size_t>(row))); };
      if (candidates_->expand(expanded_together, kernel_, expand) == 0 && !gather_deferred()) return false;
    } while (count_ == 0);
    admit();
    return true;
  }

  bool cut_short() const { return left_ == 0; }

  // Products so far.
  std::size_t seen() const { return seen_; }

 private:
  void gather(std::span<const Row> rows) {
    count_ += space_->marks.take_fresh(rows.data(), rows.size(), space_->fresh.data() + count_, kernel_);
  }

  // The deferred edges of the best vertex that the walk has not come back to.
  bool gather_deferred() {
    for (std::size_t i = 0; i < second_looks_ && candidates_->keys()[i] != 0; ++i) {
      const Row row = pool_row(candidates_->keys()[i]);
      if (!space_->came_back.insert(row)) continue;
      gather(graph_->deferred_of(static_cast<std::size_t>(row)));
      return true;
    }
    return false;
  }

  // A budget that ends within a batch lets its first vertices in; the walk is over then, and the others are unseen.
  void admit() {
    for (; count_ > left_; --count_) space_->marks.forget(space_->fresh[count_ - 1]);
    left_ -= count_;
    if (seen_ == 0) return;  // entries stay in the caches
    for (std::size_t i = 0; i < count_; ++i) {
      scorer_.expect(space_->fresh[i]);
      prefetch(graph_->of(static_cast<std::size_t>(space_->fresh[i])).data());
    }
  }

  const Graph* graph_;
  S scorer_;
  W witness_;
  C* candidates_;
  std::size_t left_;
  PoolWalkSpace* space_;
  const PoolKernels& kernel_ = pool_kernels();
  std::size_t count_ = 0;
  std::size_t seen_ = 0;
  std::size_t second_looks_ = 0;
};

}  // namespace waypost
