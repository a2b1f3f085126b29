// Kinds of queries: the centroid that a query has the largest product with says where its walk starts and which bias
// it goes by. The products with the centroids are paid from the budget like any other.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "waypost/kernels.hpp"
#include "waypost/matrix.hpp"

namespace waypost {

struct Codebook {
  Vectors centroids;
  MatrixView<Row> seeds;  // one row a centroid, -1 at free places

  std::size_t size() const { return centroids.rows; }

  std::span<const Row> seeds_of(std::size_t kind) const { return {seeds.row(kind), seeds.cols}; }
};

// The lower centroid where two are as near.
inline std::size_t kind_of(const float* query, Vectors centroids) {
  std::size_t best = 0;
  float largest = 0;
  for (std::size_t i = 0; i < centroids.rows; ++i) {
    const float product = kernels().dot(query, centroids.row(i), centroids.cols);
    if (i > 0 && !(product > largest)) continue;
    largest = product;
    best = i;
  }
  return best;
}

}  // namespace waypost
