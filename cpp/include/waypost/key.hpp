// A score and a row packed into one integer whose order is the order of answers: higher score first, then lower row.
#pragma once

#include <bit>
#include <cstdint>

#include "waypost/matrix.hpp"

namespace waypost {

using Key = std::uint64_t;

inline constexpr Key no_key = 0;  // below the key of every finite score

inline Key make_key(float score, Row row) {
  const auto bits = std::bit_cast<std::uint32_t>(score + 0.0f);  // -0 and +0 tie
  const std::uint32_t sign = 0u - (bits >> 31);
  const std::uint32_t ordered = bits ^ (sign | 0x80000000u);
  return (static_cast<Key>(ordered) << 32) | ~static_cast<std::uint32_t>(row);
}

inline Row key_row(Key key) { return static_cast<Row>(~static_cast<std::uint32_t>(key)); }

inline float key_score(Key key) {
  const auto ordered = static_cast<std::uint32_t>(key >> 32);
  const std::uint32_t negative = (ordered >> 31) - 1u;
  return std::bit_cast<float>(ordered ^ (negative | 0x80000000u));
}

}  // namespace waypost
