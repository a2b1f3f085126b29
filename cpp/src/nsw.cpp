// ip-NSW (Algorithm 3) and, with other similarities, l2-NSW and cos-NSW.
#include <cmath>

#include "insertion_order.hpp"
#include "waypost/build.hpp"
#include "waypost/insertion.hpp"

namespace waypost {
namespace {

// The print leaves v0 open: searches start at the entry, which is the vertex inserted first.
LargeVector<Row> build(const Geometry& geometry, const BuildOptions& options) {
  const std::vector<Row> order = insertion_order(options);
  Links links(order.size(), options.degree);
  const KeepNearest rule(options.degree);
  Insertion insertion(geometry, rule, links, options);
  insertion.run(
      order, 1, [&](std::size_t) { return order.front(); }, [](std::size_t i) { return i; },
      [&](std::size_t done) { report(options, done, order.size()); });
  return links.take_rows();
}

LargeVector<float> unit_vectors(Vectors items) {
  LargeVector<float> units(items.rows * items.cols);
  for (std::size_t i = 0; i < items.rows; ++i) {
    const float* x = items.row(i);
    const auto norm = static_cast<float>(std::sqrt(squared_norm(items, i)));
    for (std::size_t k = 0; k < items.cols; ++k) units[i * items.cols + k] = norm > 0 ? x[k] / norm : 0.0f;
  }
  return units;
}

}  // namespace

LargeVector<Row> build_ip_nsw(Vectors items, const BuildOptions& options) {
  return build({items, Similarity::inner_product}, options);
}

LargeVector<Row> build_l2_nsw(Vectors items, const BuildOptions& options) {
  return build({items, Similarity::minus_squared_distance}, options);
}

LargeVector<Row> build_cos_nsw(Vectors items, const BuildOptions& options) {
  const LargeVector<float> units = unit_vectors(items);
  const Vectors view{units.data(), items.rows, items.cols};
  return build({view, Similarity::inner_product}, options);
}

}  // namespace waypost
