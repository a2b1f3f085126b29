// The best-first walk (Algorithm 2 of the paper): expand the best vertex seen so far, score its unseen neighbors, go on
// until the stop rule has had enough. What scores, what stops and what watches are the caller's, so that a new search
// adds a small type and edits nothing here.
#pragma once

#include <algorithm>
#include <concepts>
#include <limits>
#include <span>
#include <vector>

#include "waypost/graph.hpp"
#include "waypost/kernels.hpp"
#include "waypost/key.hpp"
#include "waypost/key_queue.hpp"
#include "waypost/prefetch.hpp"
#include "waypost/visited.hpp"

namespace waypost {

// Gives the routing scores of some rows, and may be told ahead which rows come.
template <class T>
concept Scorer = requires(T scorer, const Row* rows, std::size_t count, float* out, Row row) {
  scorer.score(rows, count, out);
  scorer.expect(row);
};

// Grants some of `count` further products; the walk ends when fewer are granted than asked or all is spent.
template <class T>
concept StopRule = requires(T rule, std::size_t count) {
  { rule.admit(count) } -> std::same_as<std::size_t>;
  { rule.spent() } -> std::same_as<bool>;
};

// Is told of every expansion, and of every vertex seen with the number of the expansion that showed it (-1: an entry).
template <class T>
concept Visitor = requires(T visitor, Row row, float score, std::int32_t hop) {
  visitor.expanded(row);
  visitor.seen(row, score, hop);
};

struct NoVisitor {
  void expanded(Row) {}
  void seen(Row, float, std::int32_t) {}
};

class Budget {
 public:
  explicit Budget(std::size_t products) : left_(products) {}

  std::size_t admit(std::size_t count) {
    const std::size_t granted = count < left_ ? count : left_;
    left_ -= granted;
    return granted;
  }

  bool spent() const { return left_ == 0; }

 private:
  std::size_t left_;
};

// A frontier's entry for a vertex that was expanded once and still has deferred edges to show: its row under this mark.
inline constexpr Row second_visit = std::numeric_limits<Row>::min();

// Memory that a walk needs; used again and again. `keys` holds what was seen, in order.
struct WalkSpace {
  Visited visited;
  KeyQueue frontier;
  std::vector<Key> keys;
  std::vector<Row> fresh;
  std::vector<float> scores;
};

// A walk in two alternating steps: `expand` looks up the next vertices and asks for their memory, `score` uses it. Who
// walks for several queries at once takes the steps in turn, so that one query's memory arrives during another's step.
template <Scorer S, StopRule Stop, Visitor V>
class Walk {
 public:
  // `penalty` is what deferred edges are put back by, in this query's scores.
  Walk(const Graph& graph, std::span<const Row> entries, S scorer, Stop stop, V visitor, WalkSpace& space,
       float penalty = 0)
      : graph_(&graph), scorer_(scorer), stop_(stop), visitor_(visitor), space_(&space), penalty_(penalty) {
    space.visited.fit(graph.size);
    space.frontier.clear();
    space.keys.clear();
    const std::size_t most = std::max({graph.degree, graph.deferred_degree, entries.size()});
    if (space.fresh.size() < most) {
      space.fresh.resize(most);
      space.scores.resize(most);
    }
    look_up(entries);
  }

  // Scores what was looked up last.
  void score() {
    scorer_.score(space_->fresh.data(), count_, space_->scores.data());
    for (std::size_t i = 0; i < count_; ++i) {
      const Key key = make_key(space_->scores[i], space_->fresh[i]);
      space_->keys.push_back(key);
      space_->frontier.push(key);
      visitor_.seen(space_->fresh[i], space_->scores[i], hop_);
    }
  }

  // Goes to the best vertex seen and looks up its neighbors; false when the walk is over.
  bool expand() {
    if (cut_short_ || stop_.spent()) return false;
    const Key best = space_->frontier.pop(kernels_);
    if (best == no_key) return false;
    ++hop_;
    const Row row = key_row(best);
    if (row < 0) {
      show_deferred(row ^ second_visit);
      return true;
    }
    visitor_.expanded(row);
    if (graph_->defers(static_cast<std::size_t>(row))) {
      space_->frontier.push(make_key(key_score(best) - penalty_, row | second_visit));
    }
    look_up(graph_->of(static_cast<std::size_t>(row)));
    return true;
  }

  // Cleans up behind a walk that is over; what it saw stays in the space's keys.
  void leave() {
    for (const Key key : space_->keys) space_->visited.forget(key_row(key));
  }

 private:
  void show_deferred(Row row) {
    visitor_.expanded(row);
    look_up(graph_->deferred_of(static_cast<std::size_t>(row)));
  }

  void look_up(std::span<const Row> rows) {
    std::size_t count = 0;
    for (const Row row : rows) {
      if (!graph_->holds(row)) break;
      space_->fresh[count] = row;
      count += space_->visited.insert(row) ? 1 : 0;  // a branch on what was visited would be mispredicted
    }
    for (std::size_t i = 0; i < count; ++i) {
      scorer_.expect(space_->fresh[i]);
      prefetch(graph_->of(static_cast<std::size_t>(space_->fresh[i])).data());
    }
    count_ = stop_.admit(count);
    cut_short_ = count_ < count;
    for (std::size_t i = count_; i < count; ++i) space_->visited.forget(space_->fresh[i]);
  }

  const Graph* graph_;
  S scorer_;
  Stop stop_;
  V visitor_;
  WalkSpace* space_;
  float penalty_;
  const Kernels& kernels_ = kernels();
  std::size_t count_ = 0;
  std::int32_t hop_ = -1;
  bool cut_short_ = false;
};

}  // namespace waypost
