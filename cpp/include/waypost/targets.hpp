// What a query is to reach, and how far every vertex is from it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "waypost/matrix.hpp"

namespace waypost {

// Distances to targets: hops[t][v] edges lead from v to target t.
struct Potentials {
  MatrixView<std::uint8_t> hops;
  MatrixView<std::int32_t> targets;  // rows of `hops` a query is to reach, -1 at free places; no columns: no targets

  bool any() const { return targets.cols > 0; }
};

// The targets of one query that are still to be reached.
class Remaining {
 public:
  Remaining(const Potentials& potentials, std::size_t query) : hops_(potentials.hops) {
    for (std::size_t i = 0; i < potentials.targets.cols; ++i) {
      const std::int32_t target = potentials.targets.row(query)[i];
      if (target >= 0) targets_.push_back(static_cast<std::size_t>(target));
    }
  }

  bool any() const { return !targets_.empty(); }

  // L: edges to the nearest of them.
  std::uint8_t distance(Row vertex) const {
    std::uint8_t nearest = 255;
    for (const std::size_t target : targets_) {
      nearest = std::min(nearest, hops_.row(target)[static_cast<std::size_t>(vertex)]);
    }
    return nearest;
  }

  void reach(Row vertex) {
    std::erase_if(targets_,
                  [&](std::size_t target) { return hops_.row(target)[static_cast<std::size_t>(vertex)] == 0; });
  }

  // Whether going to the vertex reaches the last of them.
  bool last_is(Row vertex) const { return targets_.size() == 1 && distance(vertex) == 0; }

 private:
  MatrixView<std::uint8_t> hops_;
  std::vector<std::size_t> targets_;
};

}  // namespace waypost
