// What the walks of a training look at, checked once so that the native code need not.
#pragma once

#include <optional>

#include "arrays.hpp"
#include "waypost/graph.hpp"
#include "waypost/targets.hpp"

namespace waypost::bindings {

using HopMatrix = nb::ndarray<const std::uint8_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

inline void check_rows(const RowMatrix& rows, std::int64_t least, std::size_t n, const char* message) {
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows.data()[i] < least || rows.data()[i] >= static_cast<std::int64_t>(n)) throw nb::value_error(message);
  }
}

inline Graph graph_for_routing(const RowMatrix& neighbors, const FloatMatrix& route, const FloatMatrix& route_queries,
                               const RowMatrix& entries) {
  const std::size_t n = route.shape(0);
  if (neighbors.shape(0) != n) throw nb::value_error("neighbors and route must be as long");
  if (route.shape(1) != route_queries.shape(1)) throw nb::value_error("route_queries must be as wide as route");
  if (entries.shape(1) != 1 || (entries.shape(0) != 1 && entries.shape(0) != route_queries.shape(0))) {
    throw nb::value_error("entries must be one row, or one a query");
  }
  check_rows(entries, 0, n, "entries must be rows of items");
  return {neighbors.data(), n, neighbors.shape(1)};
}

inline Potentials potentials_of(const std::optional<HopMatrix>& hops, const std::optional<RowMatrix>& targets,
                                std::size_t vertices, std::size_t queries) {
  if (!targets) return {};
  if (!hops || hops->shape(1) != vertices) {
    throw nb::value_error("hops must have one column an item when there are targets");
  }
  if (targets->shape(0) != queries) throw nb::value_error("targets must have one row a query");
  check_rows(*targets, -1, hops->shape(0), "targets must be rows of hops, or -1");
  return {view(*hops), view(*targets)};
}

}  // namespace waypost::bindings
