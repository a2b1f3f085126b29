// Insertion by place and shift, for tables whose registers do not hold a pool. Each file that includes this gets a copy
// of its own, compiled for its own instruction set; so it includes nothing that has inline code.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "waypost/matrix.hpp"

namespace waypost {
namespace {

// As make_pool_key, which lives in a header that these files must not include.
std::uint64_t key_of(float score, Row row) {
  const float unsigned_zero = score + 0.0f;
  std::uint32_t bits;
  std::memcpy(&bits, &unsigned_zero, sizeof bits);
  const std::uint32_t ordered = bits ^ ((0u - (bits >> 31)) | 0x80000000u);
  return (static_cast<std::uint64_t>(ordered) << 32) | ((~static_cast<std::uint32_t>(row) << 1) | 1u);
}

// No branch on what was seen: it would be mispredicted.
std::size_t take_fresh_one_by_one(std::uint8_t* marks, std::uint8_t search, std::uint32_t outside, const Row* rows,
                                  std::size_t count, Row* fresh) {
  std::size_t found = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const Row row = rows[i];
    const std::uint32_t place = static_cast<std::uint32_t>(row) < outside ? static_cast<std::uint32_t>(row) : outside;
    fresh[found] = row;
    found += marks[place] != search ? 1 : 0;
    marks[place] = search;
  }
  return found;
}

[[maybe_unused]] std::size_t take_marked_one_by_one(const std::uint32_t* bits, const Row* rows, std::size_t count,
                                                    Row* found) {
  std::size_t taken = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const auto row = static_cast<std::uint32_t>(rows[i]);
    found[taken] = rows[i];
    taken += bits[row >> 5 & 15] >> (row & 31) & 1;
  }
  return taken;
}

template <class PlaceOf>
void offer_each(std::uint64_t* pool, std::size_t size, const float* scores, const Row* rows, std::size_t count,
                const PlaceOf& place_of) {
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t key = key_of(scores[i], rows[i]);
    if (key < pool[size - 1]) continue;
    const std::size_t place = place_of(pool, size, key);
    std::memmove(pool + place + 1, pool + place, (size - 1 - place) * sizeof key);
    pool[place] = key;
  }
}

}  // namespace
}  // namespace waypost
