// Scores of rows by inner product with one query.
#pragma once

#include "waypost/kernels.hpp"
#include "waypost/prefetch.hpp"

namespace waypost {

class InnerProduct {
 public:
  InnerProduct(const float* query, Vectors vectors) : query_(query), vectors_(vectors), kernel_(kernels()) {}

  void expect(Row row) const { prefetch(vectors_.row(static_cast<std::size_t>(row)), vectors_.cols * sizeof(float)); }

  void score(const Row* rows, std::size_t count, float* out) const {
    kernel_.dot_rows(query_, vectors_.data, vectors_.cols, rows, count, out);
  }

 private:
  const float* query_;
  Vectors vectors_;
  const Kernels& kernel_;
};

}  // namespace waypost
