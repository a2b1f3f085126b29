// The loops of a pool search where the processor's width matters; their table goes with that of kernels.hpp.
//
// A pool is an array of keys (pool_key.hpp), largest first, zero at free places, and zero up to the next multiple of
// eight.
#pragma once

#include <cstddef>
#include <cstdint>

#include "waypost/matrix.hpp"

namespace waypost {

struct PoolKernels {
  // Makes keys of scores and rows and keeps the best `size` of these and the pool's. The number of comparisons does not
  // depend on the scores.
  void (*offer)(std::uint64_t* pool, std::size_t size, const float* scores, const Row* rows, std::size_t count);

  // Where the first open key of a pool stands; `size` rounded up to eight, or more, when there is none.
  std::size_t (*first_open)(const std::uint64_t* pool, std::size_t size);

  // Writes those of the rows to `fresh` whose mark is not `search`, and marks them so; says how many they are. A row at
  // or beyond `outside`, a negative one too, is taken for row `outside`.
  std::size_t (*take_fresh)(std::uint8_t* marks, std::uint8_t search, std::uint32_t outside, const Row* rows,
                            std::size_t count, Row* fresh);

  // Writes those of the rows to `found` whose bit is set, bit r mod 512 of `bits` for row r; says how many they are.
  // There must be room for sixteen more than `count`.
  std::size_t (*take_marked)(const std::uint32_t* bits, const Row* rows, std::size_t count, Row* found);

  // out[i] = the sum over k of query[k] * codes[rows[i]][k].
  void (*dot_codes)(const std::int8_t* query, const std::uint8_t* codes, std::size_t d, const Row* rows,
                    std::size_t count, std::int32_t* out);
};

// Of the same instruction set as kernels(); codes are multiplied by VNNI where the processor has that, too.
const PoolKernels& pool_kernels();

}  // namespace waypost
