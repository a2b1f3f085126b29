// Pool kernels for x86-64 with AVX-512 (F, BW, VL, DQ). A pool lies in registers while keys are inserted.
#include <immintrin.h>

#include "avx512_codes.hpp"
#include "pool_offer.hpp"
#include "pool_tables.hpp"

namespace waypost {
namespace {

constexpr std::size_t most_registers = 16;
constexpr std::size_t segment = 8 * most_registers;
constexpr std::size_t at_once = 32;  // keys between two looks at the pool's worst

inline __mmask8 first_eight(std::size_t count) { return static_cast<__mmask8>(count < 8 ? (1u << count) - 1u : 0xFFu); }

// As make_pool_key, eight at a time.
inline __m512i keys_of(__m256 scores, __m256i rows) {
  const __m256i bits = _mm256_castps_si256(_mm256_add_ps(scores, _mm256_setzero_ps()));
  const __m256i flip = _mm256_or_si256(_mm256_srai_epi32(bits, 31), _mm256_set1_epi32(static_cast<int>(0x80000000u)));
  const __m512i high = _mm512_slli_epi64(_mm512_cvtepu32_epi64(_mm256_xor_si256(bits, flip)), 32);
  // ~row << 1 | 1 is ~(row << 1).
  const __m256i low = _mm256_xor_si256(_mm256_slli_epi32(rows, 1), _mm256_set1_epi32(-1));
  return _mm512_or_si512(high, _mm512_cvtepu32_epi64(low));
}

// The keys above `worst` of at most `at_once` scores.
inline std::size_t promising(std::uint64_t worst, const float* scores, const Row* rows, std::size_t count,
                             std::uint64_t* keys) {
  const __m512i limit = _mm512_set1_epi64(static_cast<long long>(worst));
  std::size_t found = 0;
  for (std::size_t i = 0; i < count; i += 8) {
    const __mmask8 some = first_eight(count - i);
    const __m512i made = keys_of(_mm256_maskz_loadu_ps(some, scores + i), _mm256_maskz_loadu_epi32(some, rows + i));
    const __mmask8 large = _mm512_mask_cmpgt_epu64_mask(some, made, limit);
    _mm512_storeu_si512(keys + found, _mm512_maskz_compress_epi64(large, made));
    found += static_cast<std::size_t>(__builtin_popcount(large));
  }
  return found;
}

// Inserts keys into so many registers of a pool. A place gets the larger of what it has and the smaller of the new key
// and what stands before it; so the order needs no search. What falls out at the end takes the key's place in `keys`.
template <std::size_t Registers>
void insert(std::uint64_t* pool, std::uint64_t* keys, std::size_t count) {
  __m512i part[Registers];
#pragma GCC unroll 16
  for (std::size_t i = 0; i < Registers; ++i) part[i] = _mm512_loadu_si512(pool + 8 * i);
  const __m512i first = _mm512_set1_epi64(-1);
  for (std::size_t n = 0; n < count; ++n) {
    const __m512i key = _mm512_set1_epi64(static_cast<long long>(keys[n]));
    const __m512i last = _mm512_min_epu64(part[Registers - 1], key);
    keys[n] = static_cast<std::uint64_t>(_mm_extract_epi64(_mm512_extracti64x2_epi64(last, 3), 1));
#pragma GCC unroll 16
    for (std::size_t i = 0; i < Registers; ++i) {
      const std::size_t at = Registers - 1 - i;  // from the end, since each looks at the one before it
      const __m512i before = _mm512_alignr_epi64(part[at], at > 0 ? part[at > 0 ? at - 1 : 0] : first, 7);
      part[at] = _mm512_max_epu64(part[at], _mm512_min_epu64(before, key));
    }
  }
#pragma GCC unroll 16
  for (std::size_t i = 0; i < Registers; ++i) _mm512_storeu_si512(pool + 8 * i, part[i]);
}

using Insert = void (*)(std::uint64_t*, std::uint64_t*, std::size_t);
constexpr Insert inserts[] = {insert<1>,  insert<2>,  insert<3>,  insert<4>,  insert<5>,  insert<6>,
                              insert<7>,  insert<8>,  insert<9>,  insert<10>, insert<11>, insert<12>,
                              insert<13>, insert<14>, insert<15>, insert<16>};

void insert_all(std::uint64_t* pool, std::size_t size, std::uint64_t* keys, std::size_t count) {
  const std::size_t places = (size + 7) / 8 * 8;
  std::size_t at = 0;
  for (; at + segment < places; at += segment) inserts[most_registers - 1](pool + at, keys, count);
  inserts[(places - at) / 8 - 1](pool + at, keys, count);
  // What went beyond the pool's size goes.
  const __m512i end = _mm512_loadu_si512(pool + places - 8);
  _mm512_storeu_si512(pool + places - 8, _mm512_maskz_mov_epi64(first_eight(8 - (places - size)), end));
}

void offer(std::uint64_t* pool, std::size_t size, const float* scores, const Row* rows, std::size_t count) {
  std::uint64_t keys[at_once + 8];
  for (std::size_t i = 0; i < count; i += at_once) {
    const std::size_t some = count - i < at_once ? count - i : at_once;
    const std::size_t found = promising(pool[size - 1], scores + i, rows + i, some, keys);
    if (found > 0) insert_all(pool, size, keys, found);
  }
}

std::size_t first_open(const std::uint64_t* pool, std::size_t size) {
  const __m512i open = _mm512_set1_epi64(1);
  std::size_t i = 0;
  for (; i < size; i += 8) {
    const __mmask8 found = _mm512_test_epi64_mask(_mm512_loadu_si512(pool + i), open);
    if (found != 0) return i + static_cast<std::size_t>(__builtin_ctz(found));
  }
  return i;
}

std::size_t take_marked(const std::uint32_t* bits, const Row* rows, std::size_t count, Row* found) {
  const __m512i words = _mm512_loadu_si512(bits);
  const __m512i one = _mm512_set1_epi32(1);
  std::size_t taken = 0;
  for (std::size_t i = 0; i < count; i += 16) {
    const __mmask16 some = static_cast<__mmask16>(count - i < 16 ? (1u << (count - i)) - 1u : 0xFFFFu);
    const __m512i loaded = _mm512_maskz_loadu_epi32(some, rows + i);
    // The permutation looks at four bits of an index and the shift, taken modulo 32, at five.
    const __m512i word = _mm512_permutexvar_epi32(_mm512_srli_epi32(loaded, 5), words);
    const __mmask16 marked = _mm512_mask_test_epi32_mask(some, word, _mm512_rolv_epi32(one, loaded));
    _mm512_storeu_si512(found + taken, _mm512_maskz_compress_epi32(marked, loaded));
    taken += static_cast<std::size_t>(__builtin_popcount(marked));
  }
  return taken;
}

struct ByWidening {
  static __m512i add(__m512i sum, __m512i codes, __m512i query) {
    const __m512i low = _mm512_madd_epi16(_mm512_cvtepu8_epi16(_mm512_castsi512_si256(codes)),
                                          _mm512_cvtepi8_epi16(_mm512_castsi512_si256(query)));
    const __m512i high = _mm512_madd_epi16(_mm512_cvtepu8_epi16(_mm512_extracti64x4_epi64(codes, 1)),
                                           _mm512_cvtepi8_epi16(_mm512_extracti64x4_epi64(query, 1)));
    return _mm512_add_epi32(sum, _mm512_add_epi32(low, high));
  }
};

}  // namespace

const PoolKernels avx512_pool_kernels{offer, first_open, take_fresh_one_by_one, take_marked, dot_code_rows<ByWidening>};

}  // namespace waypost
