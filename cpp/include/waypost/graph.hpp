// A borrowed proximity graph: one row of neighbors a vertex, best first, padded with -1. Some vertices may have
// deferred edges, too: a walk that was at such a vertex comes back to it later, as if it were so much farther off, for
// those.
#pragma once

#include <span>

#include "waypost/matrix.hpp"

namespace waypost {

struct Graph {
  const Row* neighbors = nullptr;
  std::size_t size = 0;
  std::size_t degree = 0;
  const Row* deferred = nullptr;
  std::size_t deferred_degree = 0;
  float penalty = 0;  // what deferred edges are put back by, for a query of unit length

  std::span<const Row> of(std::size_t vertex) const { return {neighbors + vertex * degree, degree}; }

  std::span<const Row> deferred_of(std::size_t vertex) const {
    return {deferred + vertex * deferred_degree, deferred_degree};
  }
  bool defers(std::size_t vertex) const { return deferred_degree > 0 && holds(deferred[vertex * deferred_degree]); }

  // One unsigned comparison turns away the padding and whatever a damaged file may hold.
  bool holds(Row vertex) const { return static_cast<std::uint32_t>(vertex) < size; }
};

}  // namespace waypost
