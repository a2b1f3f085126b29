// What can be reached from where.
#pragma once

#include <span>
#include <vector>

#include "waypost/graph.hpp"
#include "waypost/progress.hpp"

namespace waypost {

// Edges, deferred ones among them, on the shortest way from the nearest of the entries to every vertex; -1 where there
// is none.
std::vector<std::int32_t> hops_from(const Graph& graph, std::span<const Row> entries);

// The graph with every edge turned round, as one list of sources a vertex.
struct Reversed {
  std::vector<std::size_t> offsets;
  std::vector<Row> sources;

  std::span<const Row> into(Row vertex) const {
    const auto i = static_cast<std::size_t>(vertex);
    return {sources.data() + offsets[i], offsets[i + 1] - offsets[i]};
  }
};

Reversed reverse(const Graph& graph);

// Edges from every vertex to each target, one row of `hops` (targets x vertices) a target; 255 where it cannot be
// reached, 254 where it is that far or farther.
void hops_to(const Graph& graph, std::span<const Row> targets, unsigned threads, std::uint8_t* hops,
             const Progress& progress);

// Adds edges, within the degree, until every vertex reaches every other; returns how many. What cannot be reached is
// linked from the nearest vertex that has a place, or an edge that no other vertex depends on, to give.
// The first `fixed` places of a vertex, free ones among them, stay as they are.
std::size_t repair(Vectors items, std::vector<Row>& neighbors, std::size_t degree, Row root, std::size_t candidates,
                   const Progress& progress, std::size_t fixed = 0);

}  // namespace waypost
