// Kernels for x86-64 with AVX2 and FMA. Sixteen lanes are two registers.
#include <immintrin.h>

#include "fold.hpp"
#include "tables.hpp"

namespace waypost {
namespace {

struct Lanes {
  __m256 low;
  __m256 high;
};

inline Lanes load(const float* p) { return {_mm256_loadu_ps(p), _mm256_loadu_ps(p + 8)}; }

// The first `count` < 16 values, zero behind them.
inline Lanes load_some(const float* p, std::size_t count) {
  const __m256i index = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
  const auto some = [&](const float* from, int left) {
    return _mm256_maskload_ps(from, _mm256_cmpgt_epi32(_mm256_set1_epi32(left), index));
  };
  const int left = static_cast<int>(count);
  return {some(p, left), left > 8 ? some(p + 8, left - 8) : _mm256_setzero_ps()};
}

struct Product {
  static void add(Lanes& sum, const Lanes& a, const Lanes& b) {
    sum.low = _mm256_fmadd_ps(a.low, b.low, sum.low);
    sum.high = _mm256_fmadd_ps(a.high, b.high, sum.high);
  }
};

struct SquaredDifference {
  static void add(Lanes& sum, const Lanes& a, const Lanes& b) {
    const __m256 low = _mm256_sub_ps(a.low, b.low);
    const __m256 high = _mm256_sub_ps(a.high, b.high);
    sum.low = _mm256_fmadd_ps(low, low, sum.low);
    sum.high = _mm256_fmadd_ps(high, high, sum.high);
  }
};

// Sixteen lanes to four: 16 -> 8 -> 4.
inline __m128 fold_to_four(const Lanes& sum) {
  const __m256 eight = _mm256_add_ps(sum.low, sum.high);
  return _mm_add_ps(_mm256_castps256_ps128(eight), _mm256_extractf128_ps(eight, 1));
}

template <class Term>
float sum_terms(const float* a, const float* b, std::size_t d) {
  Lanes sum{_mm256_setzero_ps(), _mm256_setzero_ps()};
  std::size_t k = 0;
  for (; k + 16 <= d; k += 16) Term::add(sum, load(a + k), load(b + k));
  if (k < d) Term::add(sum, load_some(a + k, d - k), load_some(b + k, d - k));
  const __m128 four = fold_to_four(sum);
  return _mm_cvtss_f32(fold_four(four, four, four, four));
}

// Four rows side by side, so that their additions overlap; where fewer are left, the last one stands in.
template <class Term>
void sum_rows(const float* query, const float* base, std::size_t d, const Row* rows, std::size_t count, float* out) {
  for (std::size_t i = 0; i < count; i += 4) {
    const float* row[4];
    Lanes sum[4];
    for (std::size_t j = 0; j < 4; ++j) {
      row[j] = base + static_cast<std::size_t>(rows[i + j < count ? i + j : count - 1]) * d;
      sum[j] = {_mm256_setzero_ps(), _mm256_setzero_ps()};
    }
    std::size_t k = 0;
    for (; k + 16 <= d; k += 16) {
      const Lanes q = load(query + k);
      for (std::size_t j = 0; j < 4; ++j) Term::add(sum[j], q, load(row[j] + k));
    }
    if (k < d) {
      const Lanes q = load_some(query + k, d - k);
      for (std::size_t j = 0; j < 4; ++j) Term::add(sum[j], q, load_some(row[j] + k, d - k));
    }
    store_some(out + i, count - i,
               fold_four(fold_to_four(sum[0]), fold_to_four(sum[1]), fold_to_four(sum[2]), fold_to_four(sum[3])));
  }
}

// AVX2 compares 64-bit integers as signed ones; flipping the top bit makes that the unsigned order.
inline __m256i flipped(__m256i values) {
  return _mm256_xor_si256(values, _mm256_set1_epi64x(static_cast<long long>(0x8000000000000000ull)));
}

inline __m256i larger(__m256i a, __m256i b) { return _mm256_blendv_epi8(b, a, _mm256_cmpgt_epi64(a, b)); }

inline __m256i load_four(const std::uint64_t* values) {
  return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(values));
}

inline std::uint64_t fold_largest(__m256i best) {
  best = larger(best, _mm256_permute4x64_epi64(best, 0x4E));
  best = larger(best, _mm256_shuffle_epi32(best, 0x4E));
  return static_cast<std::uint64_t>(_mm256_extract_epi64(flipped(best), 0));
}

std::uint64_t largest(const std::uint64_t* values, std::size_t count) {
  __m256i first = flipped(_mm256_setzero_si256());
  __m256i second = first;
  for (std::size_t i = 0; i < count; i += 8) {
    first = larger(first, flipped(load_four(values + i)));
    second = larger(second, flipped(load_four(values + i + 4)));
  }
  return fold_largest(larger(first, second));
}

std::size_t position(const std::uint64_t* values, std::size_t count, std::uint64_t value) {
  const __m256i wanted = _mm256_set1_epi64x(static_cast<long long>(value));
  std::uint64_t found = 0;
  for (std::size_t i = 0; i < count; i += 4) {
    const __m256i equal = _mm256_cmpeq_epi64(load_four(values + i), wanted);
    found |= static_cast<std::uint64_t>(_mm256_movemask_pd(_mm256_castsi256_pd(equal))) << i;
  }
  return static_cast<std::size_t>(__builtin_ctzll(found));
}

std::uint64_t take_out(std::uint64_t* values, std::size_t count, std::uint64_t value) {
  const __m256i wanted = _mm256_set1_epi64x(static_cast<long long>(value));
  __m256i best = flipped(_mm256_setzero_si256());
  for (std::size_t i = 0; i < count; i += 4) {
    const __m256i before = load_four(values + i);
    const __m256i rest = _mm256_andnot_si256(_mm256_cmpeq_epi64(before, wanted), before);
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(values + i), rest);
    best = larger(best, flipped(rest));
  }
  return fold_largest(best);
}

std::size_t count_from(const std::uint64_t* values, std::size_t count, std::uint64_t least) {
  const __m256i limit = flipped(_mm256_set1_epi64x(static_cast<long long>(least)));
  __m256i below = _mm256_setzero_si256();  // minus the number of smaller ones, lane by lane
  std::size_t i = 0;
  for (; i + 4 <= count; i += 4) {
    below = _mm256_add_epi64(below, _mm256_cmpgt_epi64(limit, flipped(load_four(values + i))));
  }
  const __m128i two = _mm_add_epi64(_mm256_castsi256_si128(below), _mm256_extracti128_si256(below, 1));
  std::size_t found = i + static_cast<std::size_t>(_mm_extract_epi64(two, 0) + _mm_extract_epi64(two, 1));
  for (; i < count; ++i) found += values[i] >= least ? 1 : 0;
  return found;
}

constexpr std::size_t tile_queries = 6;
constexpr std::size_t tile_items = 16;

void score_tile(const float* query_panel, const float* item_panel, std::size_t d, const float* thresholds,
                float* scores, std::uint32_t* hits) {
  Lanes sum[tile_queries];
  for (std::size_t q = 0; q < tile_queries; ++q) sum[q] = {_mm256_setzero_ps(), _mm256_setzero_ps()};
  for (std::size_t k = 0; k < d; ++k, query_panel += tile_queries, item_panel += tile_items) {
    const Lanes items = load(item_panel);
#pragma GCC unroll 6
    for (std::size_t q = 0; q < tile_queries; ++q) {
      const __m256 value = _mm256_broadcast_ss(query_panel + q);
      sum[q].low = _mm256_fmadd_ps(value, items.low, sum[q].low);
      sum[q].high = _mm256_fmadd_ps(value, items.high, sum[q].high);
    }
  }
#pragma GCC unroll 6
  for (std::size_t q = 0; q < tile_queries; ++q) {
    _mm256_storeu_ps(scores + q * tile_items, sum[q].low);
    _mm256_storeu_ps(scores + q * tile_items + 8, sum[q].high);
    const __m256 threshold = _mm256_broadcast_ss(thresholds + q);
    const int low = _mm256_movemask_ps(_mm256_cmp_ps(sum[q].low, threshold, _CMP_GT_OQ));
    const int high = _mm256_movemask_ps(_mm256_cmp_ps(sum[q].high, threshold, _CMP_GT_OQ));
    hits[q] = static_cast<std::uint32_t>(low | (high << 8));
  }
}

void add_scaled(const float* from, float weight, std::size_t d, float* to) {
  const __m256 weights = _mm256_set1_ps(weight);
  std::size_t k = 0;
  for (; k + 8 <= d; k += 8) {
    _mm256_storeu_ps(to + k, _mm256_fmadd_ps(weights, _mm256_loadu_ps(from + k), _mm256_loadu_ps(to + k)));
  }
  for (; k < d; ++k) to[k] = __builtin_fmaf(weight, from[k], to[k]);
}

}  // namespace

const Kernels avx2_kernels{"avx2",
                           sum_terms<Product>,
                           sum_rows<Product>,
                           sum_rows<SquaredDifference>,
                           add_scaled,
                           largest,
                           position,
                           take_out,
                           count_from,
                           tile_queries,
                           tile_items,
                           score_tile};

}  // namespace waypost
