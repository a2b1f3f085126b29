// Products of bytes for AVX-512, once for processors with VNNI and once for those without. Each file that includes this
// gets a copy of its own, compiled for its own instruction set.
#pragma once

#include <immintrin.h>

#include <cstddef>
#include <cstdint>

#include "waypost/matrix.hpp"

namespace waypost {
namespace {

inline __mmask64 first_bytes(std::size_t count) { return (__mmask64{1} << count) - 1u; }

inline __m128i fold_codes(__m512i sum) {
  const __m256i eight = _mm256_add_epi32(_mm512_castsi512_si256(sum), _mm512_extracti64x4_epi64(sum, 1));
  return _mm_add_epi32(_mm256_castsi256_si128(eight), _mm256_extracti128_si256(eight, 1));
}

// Four times four lanes to four sums.
inline __m128i fold_four_codes(__m128i a, __m128i b, __m128i c, __m128i d) {
  const __m128i ab = _mm_add_epi32(_mm_unpacklo_epi32(a, b), _mm_unpackhi_epi32(a, b));
  const __m128i cd = _mm_add_epi32(_mm_unpacklo_epi32(c, d), _mm_unpackhi_epi32(c, d));
  return _mm_add_epi32(_mm_unpacklo_epi64(ab, cd), _mm_unpackhi_epi64(ab, cd));
}

// Four rows side by side; where fewer are left, the last one stands in. `Multiply` adds products of 64 bytes.
template <class Multiply>
void dot_code_rows(const std::int8_t* query, const std::uint8_t* codes, std::size_t d, const Row* rows,
                   std::size_t count, std::int32_t* out) {
  for (std::size_t i = 0; i < count; i += 4) {
    const std::uint8_t* code[4];
    __m512i sum[4];
    for (std::size_t j = 0; j < 4; ++j) {
      code[j] = codes + static_cast<std::size_t>(rows[i + j < count ? i + j : count - 1]) * d;
      sum[j] = _mm512_setzero_si512();
    }
    std::size_t k = 0;
    for (; k + 64 <= d; k += 64) {
      const __m512i q = _mm512_loadu_si512(query + k);
      for (std::size_t j = 0; j < 4; ++j) sum[j] = Multiply::add(sum[j], _mm512_loadu_si512(code[j] + k), q);
    }
    if (k < d) {
      const __mmask64 some = first_bytes(d - k);
      const __m512i q = _mm512_maskz_loadu_epi8(some, query + k);
      for (std::size_t j = 0; j < 4; ++j) {
        sum[j] = Multiply::add(sum[j], _mm512_maskz_loadu_epi8(some, code[j] + k), q);
      }
    }
    const __m128i four =
        fold_four_codes(fold_codes(sum[0]), fold_codes(sum[1]), fold_codes(sum[2]), fold_codes(sum[3]));
    const std::size_t left = count - i < 4 ? count - i : 4;
    _mm_mask_storeu_epi32(out + i, static_cast<__mmask8>((1u << left) - 1u), four);
  }
}

}  // namespace
}  // namespace waypost
