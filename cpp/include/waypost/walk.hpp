// The best-first walk (Algorithm 2 of the paper): expand the best vertex seen so far, score its unseen neighbors, go on
// until the stop rule has had enough. What scores, what stops and what watches are the caller's, so that a new search
// adds a small type and edits nothing here.
#pragma once

#include <algorithm>
#include <concepts>
#include <span>
#include <vector>

#include "waypost/frontier.hpp"
#include "waypost/graph.hpp"
#include "waypost/kernels.hpp"
#include "waypost/key.hpp"
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

// Memory that a walk needs; one a thread, used again and again. `keys` holds what was seen, in order.
struct WalkSpace {
  Visited visited;
  Frontier frontier;
  std::vector<Key> keys;
  std::vector<Row> fresh;
  std::vector<float> scores;

  void start(std::size_t vertices, std::size_t most_at_once) {
    visited.fit(vertices);
    frontier.clear();
    keys.clear();
    if (fresh.size() < most_at_once) {
      fresh.resize(most_at_once);
      scores.resize(most_at_once);
    }
  }

  void finish() {
    for (const Key key : keys) visited.forget(key_row(key));
  }
};

// Scores those of `rows` that are new, as far as the stop rule grants it; false when it did not grant all.
template <Scorer S, StopRule Stop, Visitor V>
bool look_at(std::span<const Row> rows, std::int32_t hop, const Graph& graph, S& scorer, Stop& stop, V& visitor,
             WalkSpace& space) {
  std::size_t count = 0;
  for (const Row row : rows) {
    if (!graph.holds(row) || !space.visited.insert(row)) continue;
    space.fresh[count++] = row;
    scorer.expect(row);
  }
  const std::size_t granted = stop.admit(count);
  scorer.score(space.fresh.data(), granted, space.scores.data());
  for (std::size_t i = 0; i < granted; ++i) {
    const Key key = make_key(space.scores[i], space.fresh[i]);
    space.keys.push_back(key);
    space.frontier.push(key);
    visitor.seen(space.fresh[i], space.scores[i], hop);
  }
  for (std::size_t i = granted; i < count; ++i) space.visited.forget(space.fresh[i]);
  return granted == count;
}

template <Scorer S, StopRule Stop, Visitor V>
void walk(const Graph& graph, std::span<const Row> entries, S& scorer, Stop& stop, V& visitor, WalkSpace& space) {
  const Kernels& kernel = kernels();
  space.start(graph.size, std::max(graph.degree, entries.size()));
  bool more = look_at(entries, -1, graph, scorer, stop, visitor, space);
  for (std::int32_t hop = 0; more && !stop.spent(); ++hop) {
    const Key best = space.frontier.peek(kernel);
    if (best == no_key) break;
    const Row vertex = key_row(best);
    const auto neighbors = graph.of(static_cast<std::size_t>(vertex));
    prefetch(neighbors.data());
    space.frontier.remove(best, kernel);
    visitor.expanded(vertex);
    more = look_at(neighbors, hop, graph, scorer, stop, visitor, space);
  }
  space.finish();
}

}  // namespace waypost
