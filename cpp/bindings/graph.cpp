#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <string>

#include "arrays.hpp"
#include "deferred_argument.hpp"
#include "progress.hpp"
#include "topics.hpp"
#include "waypost/build.hpp"
#include "waypost/layout.hpp"
#include "waypost/reach.hpp"

namespace waypost::bindings {
namespace {

using namespace nb::literals;

using Builder = LargeVector<Row> (*)(Vectors, const BuildOptions&);

const std::map<std::string, Builder>& builders() {
  static const std::map<std::string, Builder> all{
      {"ip-nsw", build_ip_nsw}, {"l2-nsw", build_l2_nsw},   {"cos-nsw", build_cos_nsw},
      {"ipdg", build_ipdg},     {"moebius", build_moebius}, {"moebius-printed", build_moebius_printed},
      {"united", build_united}};
  return all;
}

// The rows in the order given, or as they stand; an order that is none is refused.
std::vector<Row> order_of(const std::optional<RowVector>& order, std::size_t n) {
  std::vector<Row> rows(n);
  std::iota(rows.begin(), rows.end(), Row{0});
  if (!order) return rows;
  const std::vector<Row> given(order->data(), order->data() + order->size());
  std::vector<Row> sorted = given;
  std::sort(sorted.begin(), sorted.end());
  if (sorted != rows) throw nb::value_error("order must hold every row of items once");
  return given;
}

Out<Row> build_graph(const FloatMatrix& items, const std::string& kind, std::size_t degree, std::size_t candidates,
                     const std::optional<RowVector>& order, Row entry, std::uint64_t seed, std::size_t batch,
                     unsigned threads, const std::optional<nb::callable>& progress) {
  const auto builder = builders().find(kind);
  if (builder == builders().end()) throw nb::value_error(("unknown kind of graph: " + kind).c_str());
  const std::size_t n = items.shape(0);
  if (n == 0 || items.shape(1) == 0 || n > 0x7FFFFFFEu) throw nb::value_error("items must hold 1 to 2^31 - 2 vectors");
  if (degree < 1 || candidates < 1) throw nb::value_error("degree and candidates must be at least 1");
  if (entry >= 0 && static_cast<std::size_t>(entry) >= n) throw nb::value_error("entry must be a row of items");
  const BuildOptions options{degree, candidates, order_of(order, n), entry, seed, batch, threads, watched(progress)};
  LargeVector<Row> neighbors;
  {
    const nb::gil_scoped_release unlocked;
    neighbors = builder->second(view(items), options);
  }
  return to_array(std::move(neighbors), {n, degree});
}

Graph graph_view(const RowMatrix& neighbors) { return {neighbors.data(), neighbors.shape(0), neighbors.shape(1)}; }

void check_rows(const RowMatrix& neighbors) {
  const auto n = static_cast<std::int64_t>(neighbors.shape(0));
  for (std::size_t i = 0; i < neighbors.size(); ++i) {
    if (neighbors.data()[i] < -1 || neighbors.data()[i] >= n) throw nb::value_error("neighbors must be rows, or -1");
  }
}

std::pair<Out<Row>, std::size_t> repair_graph(const FloatMatrix& items, const RowMatrix& neighbors, Row root,
                                              std::size_t candidates, unsigned,
                                              const std::optional<nb::callable>& progress, std::size_t fixed) {
  const std::size_t n = items.shape(0);
  const std::size_t degree = neighbors.shape(1);
  if (neighbors.shape(0) != n || n == 0) throw nb::value_error("neighbors must have one row an item");
  if (static_cast<std::uint32_t>(root) >= n) throw nb::value_error("root must be a row of items");
  if (degree < 1 || candidates < 1) throw nb::value_error("degree and candidates must be at least 1");
  if (fixed >= degree) throw nb::value_error("fixed must leave a place to each row");
  check_rows(neighbors);
  std::vector<Row> repaired(neighbors.data(), neighbors.data() + neighbors.size());
  const auto watch = watched(progress);
  std::size_t added = 0;
  {
    const nb::gil_scoped_release unlocked;
    added = repair(view(items), repaired, degree, root, candidates, watch, fixed);
  }
  return {to_array(std::move(repaired), {n, degree}), added};
}

Out<std::int32_t> hops(const RowMatrix& neighbors, const RowVector& entries, const std::optional<RowMatrix>& deferred) {
  std::vector<std::int32_t> found;
  Graph graph = graph_view(neighbors);
  if (deferred) add_deferred(*deferred, 0, graph);
  {
    const nb::gil_scoped_release unlocked;
    found = hops_from(graph, {entries.data(), entries.shape(0)});
  }
  return to_array(std::move(found), {neighbors.shape(0)});
}

Out<Row> layout(const RowMatrix& neighbors, const RowVector& entries) {
  std::vector<Row> order;
  {
    const nb::gil_scoped_release unlocked;
    order = breadth_first_order(graph_view(neighbors), {entries.data(), entries.shape(0)});
  }
  return to_array(std::move(order), {neighbors.shape(0)});
}

}  // namespace

void add_graph(nb::module_& module) {
  module.def("build_graph", &build_graph, "items"_a.noconvert(), "kind"_a, "degree"_a, "candidates"_a,
             "order"_a.none() = nb::none(), "entry"_a = -1, "seed"_a = 0, "batch"_a = 0, "threads"_a = 0,
             "progress"_a.none() = nb::none());
  module.def("repair_graph", &repair_graph, "items"_a.noconvert(), "neighbors"_a.noconvert(), "root"_a, "candidates"_a,
             "threads"_a = 0, "progress"_a.none() = nb::none(), "fixed"_a = 0);
  module.def("breadth_first_order", &layout, "neighbors"_a.noconvert(), "entries"_a.noconvert());
  module.def("hops_from", &hops, "neighbors"_a.noconvert(), "entries"_a.noconvert(),
             "deferred"_a.none().noconvert() = nb::none());
}

}  // namespace waypost::bindings
