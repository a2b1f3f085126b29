// Greedy search (Algorithm 5): the N vertices that a builder links a new one to are chosen from what this finds.
//
// A level expands every vertex of the candidate set at once; what is dropped from the set stays checked. As a set
// operation it does not depend on the order within a level, so vectors are asked for and scored many at a time, and no
// branch depends on a score.
#pragma once

#include <algorithm>
#include <functional>
#include <span>
#include <vector>

#include "waypost/kernels.hpp"
#include "waypost/key.hpp"
#include "waypost/prefetch.hpp"
#include "waypost/visited.hpp"

namespace waypost {

// A key such that exactly `most` of the keys, which are more than that and differ from each other, are at least as
// large: found by bisection, because counting is quick where sorting is not.
inline Key threshold(std::span<const Key> keys, std::size_t most) {
  const Kernels& kernel = kernels();
  const auto [least, largest] = std::minmax_element(keys.begin(), keys.end());
  Key low = *least;     // more than `most` are at least this
  Key high = *largest;  // at most `most` are
  for (;;) {
    const Key middle = low + (high - low + 1) / 2;
    const std::size_t count = kernel.count_from(keys.data(), keys.size(), middle);
    if (count == most) return middle;
    (count > most ? low : high) = middle;
  }
}

// What one greedy search needs, used again and again.
class GreedySearch {
 public:
  // Leaves the best `most` vertices in best(), best first. `links.of(row)` gives a vertex's neighbors, which a negative
  // row ends.
  template <class Links, class Scorer>
  void run(const Links& links, std::size_t vertices, const Scorer& scorer, Row entry, std::size_t most) {
    visited_.fit(vertices);
    marked_.clear();
    best_.clear();
    worst_ = no_key;
    frontier_.assign(1, entry);
    reserve(1);
    visited_.insert(entry);
    fresh_[0] = entry;
    score(scorer, 1);
    for (close_level(most); !frontier_.empty(); close_level(most)) expand(links, scorer);
    for (const Row row : marked_) visited_.forget(row);
    std::sort(best_.begin(), best_.end(), std::greater<>{});
  }

  std::vector<Key>& best() { return best_; }

 private:
  static constexpr std::size_t at_once = 64;  // vectors in flight: what the first cache level holds

  template <class Links, class Scorer>
  void expand(const Links& links, const Scorer& scorer) {
    constexpr std::size_t ahead = 6;
    std::size_t count = 0;
    for (std::size_t i = 0; i < frontier_.size(); ++i) {
      if (i + ahead < frontier_.size()) {
        const std::span<const Row> coming = links.of(frontier_[i + ahead]);
        prefetch(coming.data(), coming.size_bytes());
      }
      const std::span<const Row> neighbors = links.of(frontier_[i]);
      reserve(count + neighbors.size());
      const std::size_t before = count;
      for (const Row row : neighbors) {
        if (row < 0) break;
        fresh_[count] = row;
        count += visited_.insert(row) ? 1 : 0;
      }
      for (std::size_t j = before; j < count; ++j) scorer.expect(fresh_[j]);
      if (count >= at_once) {
        score(scorer, count);
        count = 0;
      }
    }
    score(scorer, count);
  }

  void reserve(std::size_t count) {
    if (fresh_.size() >= count) return;
    fresh_.resize(2 * count + at_once);
    scores_.resize(fresh_.size());
  }

  // Keeps those of the fresh vertices that may yet be among the best.
  template <class Scorer>
  void score(const Scorer& scorer, std::size_t count) {
    scorer.score(fresh_.data(), count, scores_.data());
    marked_.insert(marked_.end(), fresh_.begin(), fresh_.begin() + static_cast<std::ptrdiff_t>(count));
    std::size_t size = newcomers_.size();
    newcomers_.resize(size + count);
    for (std::size_t i = 0; i < count; ++i) {
      const Key key = make_key(scores_[i], fresh_[i]);
      newcomers_[size] = key;
      size += key > worst_ ? 1 : 0;
    }
    newcomers_.resize(size);
  }

  // Joins the newcomers to the set, cuts it to `most`, and makes the newcomers that stay the next frontier.
  void close_level(std::size_t most) {
    best_.insert(best_.end(), newcomers_.begin(), newcomers_.end());
    if (best_.size() > most) worst_ = threshold(best_, most);
    frontier_.resize(newcomers_.size());
    std::size_t staying = 0;
    for (const Key key : newcomers_) {
      frontier_[staying] = key_row(key);
      staying += key >= worst_ ? 1 : 0;
    }
    frontier_.resize(staying);
    if (best_.size() > most) drop_worst();
    newcomers_.clear();
  }

  void drop_worst() {
    std::size_t size = 0;
    for (const Key key : best_) {
      best_[size] = key;
      size += key >= worst_ ? 1 : 0;
    }
    best_.resize(size);
  }

  Visited visited_;
  std::vector<Key> best_;  // the paper's C, in no order until the end
  Key worst_ = no_key;     // at or below every member of a full set
  std::vector<Key> newcomers_;
  std::vector<Row> frontier_;
  std::vector<Row> marked_;
  std::vector<Row> fresh_;
  std::vector<float> scores_;
};

}  // namespace waypost
