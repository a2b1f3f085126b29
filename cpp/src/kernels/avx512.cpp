// Kernels for x86-64 with AVX-512 (F, BW, VL, DQ). Sixteen lanes are one register.
#include <immintrin.h>

#include "fold.hpp"
#include "tables.hpp"

namespace waypost {
namespace {

inline __mmask16 first_lanes(std::size_t count) { return static_cast<__mmask16>((1u << count) - 1u); }

struct Product {
  static __m512 add(__m512 sum, __m512 a, __m512 b) { return _mm512_fmadd_ps(a, b, sum); }
};

struct SquaredDifference {
  static __m512 add(__m512 sum, __m512 a, __m512 b) {
    const __m512 difference = _mm512_sub_ps(a, b);
    return _mm512_fmadd_ps(difference, difference, sum);
  }
};

// Sixteen lanes to four: 16 -> 8 -> 4.
inline __m128 fold_to_four(__m512 sum) {
  const __m256 eight = _mm256_add_ps(_mm512_castps512_ps256(sum), _mm512_extractf32x8_ps(sum, 1));
  return _mm_add_ps(_mm256_castps256_ps128(eight), _mm256_extractf128_ps(eight, 1));
}

template <class Term>
float sum_terms(const float* a, const float* b, std::size_t d) {
  __m512 sum = _mm512_setzero_ps();
  std::size_t k = 0;
  for (; k + 16 <= d; k += 16) sum = Term::add(sum, _mm512_loadu_ps(a + k), _mm512_loadu_ps(b + k));
  if (k < d) {
    const __mmask16 some = first_lanes(d - k);
    sum = Term::add(sum, _mm512_maskz_loadu_ps(some, a + k), _mm512_maskz_loadu_ps(some, b + k));
  }
  const __m128 four = fold_to_four(sum);
  return _mm_cvtss_f32(fold_four(four, four, four, four));
}

// Four rows side by side, so that their additions overlap; where fewer are left, the last one stands in.
template <class Term>
void sum_rows(const float* query, const float* base, std::size_t d, const Row* rows, std::size_t count, float* out) {
  for (std::size_t i = 0; i < count; i += 4) {
    const float* row[4];
    __m512 sum[4];
    for (std::size_t j = 0; j < 4; ++j) {
      row[j] = base + static_cast<std::size_t>(rows[i + j < count ? i + j : count - 1]) * d;
      sum[j] = _mm512_setzero_ps();
    }
    std::size_t k = 0;
    for (; k + 16 <= d; k += 16) {
      const __m512 q = _mm512_loadu_ps(query + k);
      for (std::size_t j = 0; j < 4; ++j) sum[j] = Term::add(sum[j], q, _mm512_loadu_ps(row[j] + k));
    }
    if (k < d) {
      const __mmask16 some = first_lanes(d - k);
      const __m512 q = _mm512_maskz_loadu_ps(some, query + k);
      for (std::size_t j = 0; j < 4; ++j) sum[j] = Term::add(sum[j], q, _mm512_maskz_loadu_ps(some, row[j] + k));
    }
    store_some(out + i, count - i,
               fold_four(fold_to_four(sum[0]), fold_to_four(sum[1]), fold_to_four(sum[2]), fold_to_four(sum[3])));
  }
}

std::uint64_t largest(const std::uint64_t* values, std::size_t count) {
  __m512i best = _mm512_setzero_si512();
  for (std::size_t i = 0; i < count; i += 8) best = _mm512_max_epu64(best, _mm512_loadu_si512(values + i));
  return _mm512_reduce_max_epu64(best);
}

std::size_t position(const std::uint64_t* values, std::size_t count, std::uint64_t value) {
  const __m512i wanted = _mm512_set1_epi64(static_cast<long long>(value));
  std::uint64_t found = 0;
  for (std::size_t i = 0; i < count; i += 8) {
    found |= static_cast<std::uint64_t>(_mm512_cmpeq_epi64_mask(_mm512_loadu_si512(values + i), wanted)) << i;
  }
  return static_cast<std::size_t>(__builtin_ctzll(found));
}

std::uint64_t take_out(std::uint64_t* values, std::size_t count, std::uint64_t value) {
  const __m512i wanted = _mm512_set1_epi64(static_cast<long long>(value));
  __m512i best = _mm512_setzero_si512();
  for (std::size_t i = 0; i < count; i += 8) {
    const __m512i before = _mm512_loadu_si512(values + i);
    const __m512i rest = _mm512_maskz_mov_epi64(_mm512_cmpneq_epi64_mask(before, wanted), before);
    _mm512_storeu_si512(values + i, rest);
    best = _mm512_max_epu64(best, rest);
  }
  return _mm512_reduce_max_epu64(best);
}

std::size_t count_from(const std::uint64_t* values, std::size_t count, std::uint64_t least) {
  const __m512i limit = _mm512_set1_epi64(static_cast<long long>(least));
  std::size_t found = 0;
  std::size_t i = 0;
  for (; i + 8 <= count; i += 8) {
    const __mmask8 large = _mm512_cmpge_epu64_mask(_mm512_loadu_si512(values + i), limit);
    found += static_cast<std::size_t>(__builtin_popcount(large));
  }
  const auto rest = static_cast<__mmask8>((1u << (count - i)) - 1u);
  const __mmask8 large = _mm512_mask_cmpge_epu64_mask(rest, _mm512_maskz_loadu_epi64(rest, values + i), limit);
  return found + static_cast<std::size_t>(__builtin_popcount(large));
}

constexpr std::size_t tile_queries = 12;
constexpr std::size_t tile_items = 32;

void score_tile(const float* query_panel, const float* item_panel, std::size_t d, const float* thresholds,
                float* scores, std::uint32_t* hits) {
  __m512 low[tile_queries];
  __m512 high[tile_queries];
  for (std::size_t q = 0; q < tile_queries; ++q) low[q] = high[q] = _mm512_setzero_ps();
  for (std::size_t k = 0; k < d; ++k, query_panel += tile_queries, item_panel += tile_items) {
    const __m512 low_items = _mm512_loadu_ps(item_panel);
    const __m512 high_items = _mm512_loadu_ps(item_panel + 16);
#pragma GCC unroll 12
    for (std::size_t q = 0; q < tile_queries; ++q) {
      const __m512 value = _mm512_set1_ps(query_panel[q]);
      low[q] = _mm512_fmadd_ps(value, low_items, low[q]);
      high[q] = _mm512_fmadd_ps(value, high_items, high[q]);
    }
  }
#pragma GCC unroll 12
  for (std::size_t q = 0; q < tile_queries; ++q) {
    _mm512_storeu_ps(scores + q * tile_items, low[q]);
    _mm512_storeu_ps(scores + q * tile_items + 16, high[q]);
    const __m512 threshold = _mm512_set1_ps(thresholds[q]);
    const __mmask16 low_hits = _mm512_cmp_ps_mask(low[q], threshold, _CMP_GT_OQ);
    const __mmask16 high_hits = _mm512_cmp_ps_mask(high[q], threshold, _CMP_GT_OQ);
    hits[q] = static_cast<std::uint32_t>(low_hits) | (static_cast<std::uint32_t>(high_hits) << 16);
  }
}

void add_scaled(const float* from, float weight, std::size_t d, float* to) {
  const __m512 weights = _mm512_set1_ps(weight);
  std::size_t k = 0;
  for (; k + 16 <= d; k += 16) {
    _mm512_storeu_ps(to + k, _mm512_fmadd_ps(weights, _mm512_loadu_ps(from + k), _mm512_loadu_ps(to + k)));
  }
  if (k < d) {
    const __mmask16 some = first_lanes(d - k);
    const __m512 sum =
        _mm512_fmadd_ps(weights, _mm512_maskz_loadu_ps(some, from + k), _mm512_maskz_loadu_ps(some, to + k));
    _mm512_mask_storeu_ps(to + k, some, sum);
  }
}

}  // namespace

const Kernels avx512_kernels{"avx512",          sum_terms<Product>,
                             sum_rows<Product>, sum_rows<SquaredDifference>,
                             add_scaled,        largest,
                             position,          take_out,
                             count_from,        tile_queries,
                             tile_items,        score_tile};

}  // namespace waypost
