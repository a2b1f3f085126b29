// An order of the vertices in which a walk finds near each other what it needs together.
#pragma once

#include <span>
#include <vector>

#include "waypost/graph.hpp"

namespace waypost {

// Every vertex once: the entries, then breadth first from them, and so again from what they do not reach, the lowest
// row first. So what most walks see comes first and stays in the caches.
std::vector<Row> breadth_first_order(const Graph& graph, std::span<const Row> entries);

}  // namespace waypost
