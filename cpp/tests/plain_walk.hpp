// Algorithm 2 written down as plainly as can be: what the walk and the search are compared with.
#pragma once

#include <algorithm>
#include <functional>
#include <set>
#include <span>
#include <tuple>
#include <vector>

#include "waypost/graph.hpp"
#include "waypost/kernels.hpp"
#include "waypost/key.hpp"
#include "waypost/search.hpp"

namespace waypost::check {

class PlainWalk {
 public:
  PlainWalk(const Graph& graph, Vectors vectors, const float* query, std::span<const Row> entries, std::size_t budget,
            float penalty = 0)
      : vectors_(vectors), query_(query), left_(budget), size_(graph.size) {
    look_up(entries);
    while (left_ > 0 && !cut_short_ && !open_.empty()) {
      const Waiting best = *open_.rbegin();
      open_.erase(std::prev(open_.end()));
      const auto row = static_cast<std::size_t>(best.row);
      trace_.path.push_back(best.row);
      if (best.first && graph.defers(row)) open_.insert({best.score - penalty, false, best.row});
      look_up(best.first ? graph.of(row) : graph.deferred_of(row));
    }
  }

  const Trace& trace() const { return trace_; }

  // The best `count` of what was seen.
  std::vector<Key> best(std::size_t count) const {
    std::vector<Key> keys;
    for (std::size_t i = 0; i < trace_.rows.size(); ++i) keys.push_back(make_key(trace_.scores[i], trace_.rows[i]));
    std::sort(keys.begin(), keys.end(), std::greater<>{});
    keys.resize(std::min(count, keys.size()));
    return keys;
  }

 private:
  // At equal scores first visits go before second ones, and lower rows before higher.
  struct Waiting {
    float score;
    bool first;
    Row row;

    bool operator<(const Waiting& other) const {
      return std::tuple(score, first, other.row) < std::tuple(other.score, other.first, row);
    }
  };

  void look_up(std::span<const Row> rows) {
    for (const Row row : rows) {
      if (row < 0 || static_cast<std::size_t>(row) >= size_) return;  // ends a list, like -1
      if (seen_.contains(row)) continue;
      cut_short_ = left_ == 0;
      if (cut_short_) return;
      --left_;
      see(row);
    }
  }

  void see(Row row) {
    const float score = kernels().dot(query_, vectors_.row(static_cast<std::size_t>(row)), vectors_.cols);
    seen_.insert(row);
    open_.insert({score, true, row});
    trace_.rows.push_back(row);
    trace_.scores.push_back(score);
    trace_.hops.push_back(static_cast<std::int32_t>(trace_.path.size()) - 1);
  }

  Vectors vectors_;
  const float* query_;
  std::size_t left_;
  std::size_t size_;
  bool cut_short_ = false;
  std::set<Row> seen_;
  std::set<Waiting> open_;
  Trace trace_;
};

inline bool same(const Trace& a, const Trace& b) {
  return a.rows == b.rows && a.scores == b.scores && a.hops == b.hops && a.path == b.path;
}

}  // namespace waypost::check
