// Scores of rows by the product of a coded query with codes.
#pragma once

#include <vector>

#include "waypost/codes.hpp"
#include "waypost/pool_kernels.hpp"
#include "waypost/prefetch.hpp"

namespace waypost {

class CodedProduct {
 public:
  CodedProduct(const CodedQuery& query, Codes codes, std::vector<std::int32_t>& sums)
      : query_(&query), codes_(codes), sums_(&sums) {}

  void expect(Row row) const {
    prefetch(codes_.row(static_cast<std::size_t>(row)), codes_.cols);
    prefetch(codes_.scales + row);
  }

  void score(const Row* rows, std::size_t count, float* out) const {
    if (sums_->size() < count) sums_->resize(count);
    std::int32_t* sums = sums_->data();
    kernel_.dot_codes(query_->values.data(), codes_.data, codes_.cols, rows, count, sums);
    for (std::size_t i = 0; i < count; ++i) {
      out[i] = static_cast<float>(sums[i] - query_->sum_at_zero) * (query_->scale * codes_.scales[rows[i]]);
    }
  }

 private:
  const CodedQuery* query_;
  Codes codes_;
  std::vector<std::int32_t>* sums_;
  const PoolKernels& kernel_ = pool_kernels();
};

}  // namespace waypost
