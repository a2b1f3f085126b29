// Keeps the k best of a stream of keys: gathers, and throws the worse away whenever twice as many have come together.
#pragma once

#include <algorithm>
#include <functional>
#include <limits>
#include <span>
#include <vector>

#include "waypost/key.hpp"

namespace waypost {

// Brings the k best to the front, in no order, and drops the rest.
inline void keep_best(std::vector<Key>& keys, std::size_t k) {
  if (keys.size() <= k) return;
  std::nth_element(keys.begin(), keys.begin() + static_cast<std::ptrdiff_t>(k) - 1, keys.end(), std::greater<>{});
  keys.resize(k);
}

class BestKeys {
 public:
  explicit BestKeys(std::size_t k) : k_(k), room_(2 * k + 64) { keys_.reserve(room_); }

  void push(Key key) {
    keys_.push_back(key);
    if (keys_.size() == room_) shrink();
  }

  // A score has to exceed this to count, provided that rows come in rising order.
  float threshold() const { return threshold_; }

  // The k best, best first.
  std::span<const Key> sorted() {
    keep_best(keys_, k_);
    std::sort(keys_.begin(), keys_.end(), std::greater<>{});
    return keys_;
  }

 private:
  void shrink() {
    keep_best(keys_, k_);
    threshold_ = key_score(keys_[k_ - 1]);  // where nth_element left the k-th best
  }

  std::size_t k_;
  std::size_t room_;
  std::vector<Key> keys_;
  float threshold_ = -std::numeric_limits<float>::infinity();
};

}  // namespace waypost
