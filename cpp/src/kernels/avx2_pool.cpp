// Pool kernels for x86-64 with AVX2.
#include <immintrin.h>

#include "pool_offer.hpp"
#include "pool_tables.hpp"

namespace waypost {
namespace {

inline __m256i load(const void* from) { return _mm256_loadu_si256(static_cast<const __m256i*>(from)); }

// AVX2 compares signed integers alone; with the highest bit flipped, unsigned ones come in their order.
inline __m256i flipped(__m256i values) {
  return _mm256_xor_si256(values, _mm256_set1_epi64x(static_cast<long long>(0x8000000000000000u)));
}

std::size_t place_of(const std::uint64_t* pool, std::size_t size, std::uint64_t key) {
  const __m256i wanted = flipped(_mm256_set1_epi64x(static_cast<long long>(key)));
  __m256i larger = _mm256_setzero_si256();  // minus the number of larger ones, lane by lane
  for (std::size_t i = 0; i < size; i += 4) {
    larger = _mm256_add_epi64(larger, _mm256_cmpgt_epi64(flipped(load(pool + i)), wanted));
  }
  const __m128i two = _mm_add_epi64(_mm256_castsi256_si128(larger), _mm256_extracti128_si256(larger, 1));
  return static_cast<std::size_t>(-(_mm_extract_epi64(two, 0) + _mm_extract_epi64(two, 1)));
}

void offer(std::uint64_t* pool, std::size_t size, const float* scores, const Row* rows, std::size_t count) {
  offer_each(pool, size, scores, rows, count, place_of);
}

std::size_t first_open(const std::uint64_t* pool, std::size_t size) {
  for (std::size_t i = 0; i < size; i += 4) {
    const __m256i sign = _mm256_slli_epi64(load(pool + i), 63);
    const int open = _mm256_movemask_pd(_mm256_castsi256_pd(sign));
    if (open != 0) return i + static_cast<std::size_t>(__builtin_ctz(static_cast<unsigned>(open)));
  }
  return (size + 7) / 8 * 8;
}

std::size_t take_marked(const std::uint32_t* bits, const Row* rows, std::size_t count, Row* found) {
  const __m256i low = load(bits);
  const __m256i high = load(bits + 8);
  std::size_t taken = 0;
  std::size_t i = 0;
  for (; i + 8 <= count; i += 8) {
    const __m256i some = load(rows + i);
    const __m256i place = _mm256_srli_epi32(some, 5);
    const __m256 words = _mm256_blendv_ps(_mm256_castsi256_ps(_mm256_permutevar8x32_epi32(low, place)),
                                          _mm256_castsi256_ps(_mm256_permutevar8x32_epi32(high, place)),
                                          _mm256_castsi256_ps(_mm256_slli_epi32(place, 28)));
    const __m256i shift = _mm256_andnot_si256(some, _mm256_set1_epi32(31));  // brings the row's bit to the sign
    const __m256i marked = _mm256_sllv_epi32(_mm256_castps_si256(words), shift);
    for (int left = _mm256_movemask_ps(_mm256_castsi256_ps(marked)); left != 0; left &= left - 1) {
      found[taken++] = rows[i + static_cast<std::size_t>(__builtin_ctz(static_cast<unsigned>(left)))];
    }
  }
  return taken + take_marked_one_by_one(bits, rows + i, count - i, found + taken);
}

inline std::int32_t total(__m256i sum) {
  __m128i four = _mm_add_epi32(_mm256_castsi256_si128(sum), _mm256_extracti128_si256(sum, 1));
  four = _mm_add_epi32(four, _mm_shuffle_epi32(four, 0x4E));
  four = _mm_add_epi32(four, _mm_shuffle_epi32(four, 0xB1));
  return _mm_cvtsi128_si32(four);
}

// Products of bytes are widened first: added in pairs of 16 bits, as the instruction for bytes does it, they overflow.
std::int32_t dot_code(const std::int8_t* query, const std::uint8_t* code, std::size_t d) {
  __m256i sum = _mm256_setzero_si256();
  std::size_t k = 0;
  for (; k + 16 <= d; k += 16) {
    const __m256i q = _mm256_cvtepi8_epi16(_mm_loadu_si128(reinterpret_cast<const __m128i*>(query + k)));
    const __m256i c = _mm256_cvtepu8_epi16(_mm_loadu_si128(reinterpret_cast<const __m128i*>(code + k)));
    sum = _mm256_add_epi32(sum, _mm256_madd_epi16(q, c));
  }
  std::int32_t rest = 0;
  for (; k < d; ++k) rest += static_cast<std::int32_t>(query[k]) * code[k];
  return total(sum) + rest;
}

void dot_codes(const std::int8_t* query, const std::uint8_t* codes, std::size_t d, const Row* rows, std::size_t count,
               std::int32_t* out) {
  for (std::size_t i = 0; i < count; ++i) out[i] = dot_code(query, codes + static_cast<std::size_t>(rows[i]) * d, d);
}

}  // namespace

const PoolKernels avx2_pool_kernels{offer, first_open, take_fresh_one_by_one, take_marked, dot_codes};

}  // namespace waypost
