// Scores of rows by inner product with one query.
#pragma once

#include <vector>

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

// A learned bias, so many times, on top of the product: E_v = [x; s b], E_q = [q; 1]. What it scored is written down
// without the bias, in order, so that answers are ranked exactly at no further product.
class BiasedProduct {
 public:
  BiasedProduct(InnerProduct product, const float* bias, float scale, std::vector<float>& exact)
      : product_(product), bias_(bias), scale_(scale), exact_(&exact) {
    exact.clear();
  }

  void expect(Row row) const {
    product_.expect(row);
    prefetch(bias_ + row);
  }

  void score(const Row* rows, std::size_t count, float* out) const {
    product_.score(rows, count, out);
    exact_->insert(exact_->end(), out, out + count);
    for (std::size_t i = 0; i < count; ++i) out[i] += scale_ * bias_[rows[i]];
  }

 private:
  InnerProduct product_;
  const float* bias_;
  float scale_;
  std::vector<float>* exact_;
};

}  // namespace waypost
