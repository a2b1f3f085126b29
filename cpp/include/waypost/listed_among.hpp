// Which of a few rows a long list names: the list is gone through once, many rows at a time, and most of them are
// dropped by a small filter of bits.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>

#include "waypost/pool_kernels.hpp"

namespace waypost {

inline constexpr std::size_t most_looked_up = 32;

// Bit i for rows[i], of which there are at most `most_looked_up`; the list may be in any order.
inline std::uint32_t listed_among(std::span<const Row> rows, std::span<const Row> list) {
  constexpr std::size_t kinds = 512;  // that take_marked tells apart
  constexpr std::size_t chunk = 256;
  std::array<std::uint32_t, kinds / 32> bits{};
  std::array<std::uint8_t, kinds> last{};  // a kind's last row, counted from 1, and of each the one before it
  std::array<std::uint8_t, most_looked_up + 1> before{};
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::size_t kind = static_cast<std::uint32_t>(rows[i]) % kinds;
    bits[kind / 32] |= std::uint32_t{1} << kind % 32;
    before[i + 1] = last[kind];
    last[kind] = static_cast<std::uint8_t>(i + 1);
  }
  const PoolKernels& kernel = pool_kernels();
  std::array<Row, chunk + 16> found;
  std::uint32_t listed = 0;
  for (std::size_t first = 0; first < list.size(); first += chunk) {
    const std::size_t count = std::min(chunk, list.size() - first);
    const std::size_t taken = kernel.take_marked(bits.data(), list.data() + first, count, found.data());
    for (std::size_t j = 0; j < taken; ++j) {
      for (std::uint8_t i = last[static_cast<std::uint32_t>(found[j]) % kinds]; i != 0; i = before[i]) {
        listed |= static_cast<std::uint32_t>(rows[i - 1u] == found[j]) << (i - 1);
      }
    }
  }
  return listed;
}

}  // namespace waypost
