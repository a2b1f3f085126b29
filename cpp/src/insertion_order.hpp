// What all builders need to know of the items before the first is inserted.
#pragma once

#include <algorithm>
#include <vector>

#include "waypost/build.hpp"

namespace waypost {

// In double precision: the largest float squared is no infinity here, nor the smallest zero.
inline double squared_norm(Vectors items, std::size_t row) {
  double sum = 0;
  for (std::size_t k = 0; k < items.cols; ++k) sum += static_cast<double>(items.row(row)[k]) * items.row(row)[k];
  return sum;
}

// The order asked for, but `entry` before the others; a negative one changes nothing.
inline std::vector<Row> insertion_order(const BuildOptions& options) {
  std::vector<Row> order = options.order;
  const auto entry = std::find(order.begin(), order.end(), options.entry);
  if (entry != order.end()) std::rotate(order.begin(), entry, entry + 1);
  return order;
}

inline void report(const BuildOptions& options, std::size_t done, std::size_t total) {
  if (options.progress) options.progress(done, total);
}

}  // namespace waypost
