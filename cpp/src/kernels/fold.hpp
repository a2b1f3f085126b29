// The end of a sum over sixteen lanes, the same in every table for x86-64. Each file that includes this gets a copy of
// its own, compiled for its own instruction set.
#pragma once

#include <immintrin.h>

#include <cstddef>

namespace waypost {
namespace {

// Four times four lanes to four sums, each folded 4 -> 2 -> 1.
inline __m128 fold_four(__m128 a, __m128 b, __m128 c, __m128 d) {
  const __m128 ab = _mm_add_ps(_mm_movelh_ps(a, b), _mm_movehl_ps(b, a));
  const __m128 cd = _mm_add_ps(_mm_movelh_ps(c, d), _mm_movehl_ps(d, c));
  return _mm_add_ps(_mm_shuffle_ps(ab, cd, 0x88), _mm_shuffle_ps(ab, cd, 0xDD));
}

// The first `count` of four values.
inline void store_some(float* out, std::size_t count, __m128 four) {
  if (count >= 4) {
    _mm_storeu_ps(out, four);
    return;
  }
  if (count >= 2) {
    _mm_storel_pi(reinterpret_cast<__m64*>(out), four);
    out += 2;
    four = _mm_movehl_ps(four, four);
  }
  if (count % 2 == 1) _mm_store_ss(out, four);
}

}  // namespace
}  // namespace waypost
