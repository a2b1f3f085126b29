// The few loops where the processor's width matters, one table an instruction set, chosen once at run time.
//
// Inner products are summed in 16 lanes by fused multiply-add and folded in one fixed order, so that avx2 and avx512
// give the same bits; generic differs by rounding alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "waypost/matrix.hpp"

namespace waypost {

struct Kernels {
  const char* name;

  float (*dot)(const float* a, const float* b, std::size_t d);

  // out[i] = <query, base[rows[i]]>, and the squared distance likewise.
  void (*dot_rows)(const float* query, const float* base, std::size_t d, const Row* rows, std::size_t count,
                   float* out);
  void (*squared_distance_rows)(const float* query, const float* base, std::size_t d, const Row* rows,
                                std::size_t count, float* out);

  // to[k] += weight * from[k] for the first d.
  void (*add_scaled)(const float* from, float weight, std::size_t d, float* to);

  // On integers whose count is a multiple of 8, at most 64 for the last two: the largest; where a value stands that is
  // there once; and the largest that is left when it is replaced by zero.
  std::uint64_t (*largest)(const std::uint64_t* values, std::size_t count);
  std::size_t (*position)(const std::uint64_t* values, std::size_t count, std::uint64_t value);
  std::uint64_t (*take_out)(std::uint64_t* values, std::size_t count, std::uint64_t value);

  // How many of `count` integers, any count, are at least as large as `least`.
  std::size_t (*count_from)(const std::uint64_t* values, std::size_t count, std::uint64_t least);

  // A tile of exact search: panels hold tile_queries (tile_items) vectors side by side, dimension by dimension.
  // scores[q * tile_items + i] is their product; bit i of hits[q] says that it exceeds thresholds[q].
  std::size_t tile_queries;
  std::size_t tile_items;
  void (*score_tile)(const float* query_panel, const float* item_panel, std::size_t d, const float* thresholds,
                     float* scores, std::uint32_t* hits);
};

inline constexpr std::size_t most_tile_queries = 16;
inline constexpr std::size_t most_tile_items = 32;

// The best table this processor runs, or the one that the environment variable WAYPOST_KERNELS names.
const Kernels& kernels();

// Names of the tables this processor runs, best last.
std::vector<std::string_view> available_kernels();

}  // namespace waypost
