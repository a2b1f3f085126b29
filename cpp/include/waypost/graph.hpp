// A borrowed proximity graph: one row of neighbors a vertex, best first, padded with -1.
#pragma once

#include <span>

#include "waypost/matrix.hpp"

namespace waypost {

struct Graph {
  const Row* neighbors = nullptr;
  std::size_t size = 0;
  std::size_t degree = 0;

  std::span<const Row> of(std::size_t vertex) const { return {neighbors + vertex * degree, degree}; }

  // One unsigned comparison turns away the padding and whatever a damaged file may hold.
  bool holds(Row vertex) const { return static_cast<std::uint32_t>(vertex) < size; }
};

}  // namespace waypost
