// Keys of a candidate pool: as other keys a score and a row, higher score first, then the lower row; and in the lowest
// bit whether the vertex is still to be expanded, so that the mark moves along when the pool is sorted.
#pragma once

#include <bit>
#include <cstdint>

#include "waypost/key.hpp"

namespace waypost {

using PoolKey = std::uint64_t;

inline constexpr PoolKey open_bit = 1;

inline PoolKey make_pool_key(float score, Row row) {
  const Key key = make_key(score, row);
  return (key & ~Key{0xFFFFFFFFu}) | ((key << 1) & 0xFFFFFFFFu) | open_bit;
}

inline Key plain_key(PoolKey key) { return (key & ~PoolKey{0xFFFFFFFFu}) | 0x80000000u | ((key & 0xFFFFFFFFu) >> 1); }

inline Row pool_row(PoolKey key) { return key_row(plain_key(key)); }

inline float pool_score(PoolKey key) { return key_score(key); }

}  // namespace waypost
