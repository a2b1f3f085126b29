// A priority queue of keys, unbounded: what a walk has seen and not yet expanded, or the answers among what it saw.
//
// A tree of maxima, 64 to a node, over the keys in the order in which they came. Adding touches one number a level and
// taking the best a few cache lines; neither has a branch that depends on the scores, which a heap's would mispredict.
#pragma once

#include <algorithm>
#include <array>
#include <vector>

#include "waypost/kernels.hpp"
#include "waypost/key.hpp"

namespace waypost {

class KeyQueue {
 public:
  void clear() {
    count_ = 0;
    top_ = 1;
    best_ = no_key;
  }

  void push(Key key) {
    if (count_ % fan == 0) open_block();
    std::size_t i = count_++;
    levels_[0][i] = key;
    for (std::size_t level = 1; level <= top_; ++level) {
      i /= fan;
      Key& best = levels_[level][i];
      best = std::max(best, key);
    }
    best_ = std::max(best_, key);
  }

  // The best key, or no_key when there is none.
  Key best() const { return best_; }

  // Takes the best key out and gives it; no_key when there is none.
  Key pop(const Kernels& kernel) {
    const Key best = best_;
    if (best == no_key) return no_key;
    const std::size_t width = top_width();
    std::size_t node = kernel.position(levels_[top_].data(), width, best);
    for (std::size_t level = top_ - 1; level > 0; --level) {
      node = node * fan + kernel.position(levels_[level].data() + node * fan, fan, best);
    }
    Key rest = kernel.take_out(levels_[0].data() + node * fan, fan, best);
    for (std::size_t level = 1; level < top_; ++level) {
      levels_[level][node] = rest;
      node /= fan;
      rest = kernel.largest(levels_[level].data() + node * fan, fan);
    }
    levels_[top_][node] = rest;
    best_ = kernel.largest(levels_[top_].data(), width);
    return best;
  }

 private:
  static constexpr std::size_t fan = 64;
  static constexpr std::size_t most_levels = 6;  // 64^6 keys: more than there are rows

  // The nodes of the top level in use, rounded up to what the kernels take.
  std::size_t top_width() const {
    std::size_t nodes = count_;
    for (std::size_t level = 0; level < top_; ++level) nodes = (nodes + fan - 1) / fan;
    return (nodes + 7) / 8 * 8;
  }

  // Makes room for the next 64 keys.
  void open_block() {
    std::size_t first = count_;
    for (std::size_t level = 0;; ++level) {
      open(level, first);
      if (level == top_ && first == fan) add_level();
      first /= fan;
      if (level == top_ || first % fan != 0) return;
    }
  }

  void open(std::size_t level, std::size_t first) {
    auto& keys = levels_[level];
    if (keys.size() < first + fan) keys.resize(2 * (first + fan));
    std::fill_n(keys.begin() + static_cast<std::ptrdiff_t>(first), fan, no_key);
  }

  // The top level has a second block: one above it holds the largest of each.
  void add_level() {
    const auto first = levels_[top_].begin();
    const Key best = *std::max_element(first, first + fan);
    open(++top_, 0);
    levels_[top_][0] = best;
  }

  std::array<std::vector<Key>, most_levels> levels_;
  std::size_t count_ = 0;
  std::size_t top_ = 1;
  Key best_ = no_key;
};

}  // namespace waypost
