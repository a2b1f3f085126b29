// Which neighbors a vertex keeps. A rule chooses a new vertex's neighbors from sorted candidates, and says what becomes
// of a list that is offered one more.
#pragma once

#include <span>
#include <vector>

#include "waypost/links.hpp"
#include "waypost/similarity.hpp"

namespace waypost {

// The NSW family (Algorithm 3): the nearest, as many as the degree allows.
class KeepNearest {
 public:
  explicit KeepNearest(std::size_t degree) : degree_(degree) {}

  void select(std::span<const Key> candidates, std::vector<Key>& kept) const;
  void offer(std::span<const Key> list, Key newcomer, std::vector<Key>& kept) const;

 private:
  std::size_t degree_;
};

// Neighbor Selection of IPDG and Moebius (Algorithms 4 and 6): in order of falling score, whatever no neighbor kept
// before it dominates. z dominates c when s(z, c) exceeds c's bound: <c, c> for IPDG, s(owner, c) for Moebius.
class KeepDiverse {
 public:
  // `bounds` holds a bound a vertex; when empty, the score towards the owner is the bound.
  // `silent`, when it is a row, dominates nothing.
  KeepDiverse(const Geometry& geometry, std::size_t degree, std::span<const float> bounds, Row silent = -1)
      : geometry_(geometry), degree_(degree), bounds_(bounds), silent_(silent) {}

  void select(std::span<const Key> candidates, std::vector<Key>& kept) const;

  // The same as select over list and newcomer together, for a list that select or offer made: what stood before the
  // newcomer stays, and what stands behind it can only be dominated by the newcomer.
  void offer(std::span<const Key> list, Key newcomer, std::vector<Key>& kept) const;

 private:
  float bound(Key candidate) const {
    return bounds_.empty() ? key_score(candidate) : bounds_[static_cast<std::size_t>(key_row(candidate))];
  }
  bool dominated(Key candidate, std::span<const Key> kept) const;

  const Geometry& geometry_;
  std::size_t degree_;
  std::span<const float> bounds_;
  Row silent_;
};

}  // namespace waypost
