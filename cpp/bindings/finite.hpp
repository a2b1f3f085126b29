// Whether all values are finite, at the speed of memory.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace waypost::bindings {

// NaN and the infinities are what has all bits of the exponent set. Integers, because a sum of floats has to wait for
// each addition and these do not.
inline bool all_finite(const float* values, std::size_t count) {
  constexpr std::uint32_t exponent = 0x7F800000u;
  constexpr std::size_t block = 4096;
  for (std::size_t first = 0; first < count; first += block) {
    std::uint32_t bad = 0;
    for (std::size_t i = first; i < std::min(first + block, count); ++i) {
      bad |= static_cast<std::uint32_t>((std::bit_cast<std::uint32_t>(values[i]) & exponent) == exponent);
    }
    if (bad != 0) return false;
  }
  return true;
}

}  // namespace waypost::bindings
