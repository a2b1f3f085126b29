// The union of an ip-NSW and a Moebius graph. Moebius finds its way among items of like norm and loses those whose norm
// stands out; ip-NSW does the opposite. A few edges of the one beside the other make a graph that does not depend on
// how the norms are spread.
#include <algorithm>

#include "waypost/build.hpp"

namespace waypost {
namespace {

constexpr std::size_t inner_product_share = 4;  // one place in so many goes to ip-NSW first

// The two builders one after the other, as one piece of work.
BuildOptions half(const BuildOptions& options, std::size_t which) {
  BuildOptions own = options;
  if (options.progress) {
    own.progress = [&options, which](std::size_t done, std::size_t total) {
      options.progress(which * total + done, 2 * total);
    };
  }
  return own;
}

// Writes those of `from` that the list does not hold yet, as long as there is a place before `end`.
Row* add(Row* list, Row* next, const Row* end, std::span<const Row> from) {
  for (const Row row : from) {
    if (row < 0 || next == end) break;
    if (std::find(list, next, row) == next) *next++ = row;
  }
  return next;
}

}  // namespace

LargeVector<Row> build_united(Vectors items, const BuildOptions& options) {
  const std::size_t degree = options.degree;
  const LargeVector<Row> products = build_ip_nsw(items, half(options, 0));
  const LargeVector<Row> images = build_moebius(items, half(options, 1));
  const std::size_t share = (degree + inner_product_share - 1) / inner_product_share;
  LargeVector<Row> neighbors(products.size(), Row{-1});
  for (std::size_t first = 0; first < neighbors.size(); first += degree) {
    Row* list = neighbors.data() + first;
    const std::span<const Row> nearest{products.data() + first, degree};
    Row* next = add(list, list, list + degree, nearest.first(share));
    next = add(list, next, list + degree, {images.data() + first, degree});
    add(list, next, list + degree, nearest.subspan(share));
  }
  return neighbors;
}

}  // namespace waypost
