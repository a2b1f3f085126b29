// What a builder calls near: two vectors' inner product, or minus their squared distance.
#pragma once

#include "waypost/kernels.hpp"
#include "waypost/prefetch.hpp"

namespace waypost {

enum class Similarity { inner_product, minus_squared_distance };

// Vectors with a similarity over them. Both kinds are symmetric to the last bit, so a score found from one side of an
// edge serves the other side, too.
struct Geometry {
  Vectors vectors;
  Similarity similarity = Similarity::inner_product;

  void score(const float* point, const Row* rows, std::size_t count, float* out) const {
    const Kernels& kernel = kernels();
    if (similarity == Similarity::inner_product) {
      kernel.dot_rows(point, vectors.data, vectors.cols, rows, count, out);
      return;
    }
    kernel.squared_distance_rows(point, vectors.data, vectors.cols, rows, count, out);
    for (std::size_t i = 0; i < count; ++i) out[i] = -out[i];
  }

  const float* of(Row row) const { return vectors.row(static_cast<std::size_t>(row)); }
};

// The scores seen from one point.
class PointOfView {
 public:
  PointOfView(const Geometry& geometry, Row row) : geometry_(geometry), point_(geometry.of(row)) {}

  void expect(Row row) const { prefetch(geometry_.of(row), geometry_.vectors.cols * sizeof(float)); }

  void score(const Row* rows, std::size_t count, float* out) const { geometry_.score(point_, rows, count, out); }

 private:
  const Geometry& geometry_;
  const float* point_;
};

}  // namespace waypost
