// Vectors as one byte a dimension: x is about scale * (code - 128), with a scale of its own for each vector. Sums of
// products of codes are whole numbers, so every instruction set gives the same bits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "waypost/matrix.hpp"

namespace waypost {

inline constexpr int code_zero = 128;                 // the code of 0
inline constexpr int most_code = 127;                 // codes lie so far to both sides of it
inline constexpr std::size_t most_code_cols = 65536;  // sums of more could leave 32 bits

// Borrowed codes of many vectors.
struct Codes {
  const std::uint8_t* data = nullptr;
  const float* scales = nullptr;
  std::size_t rows = 0;
  std::size_t cols = 0;

  const std::uint8_t* row(std::size_t i) const { return data + i * cols; }
};

// A query to multiply with codes.
struct CodedQuery {
  std::vector<std::int8_t> values;
  std::int32_t sum_at_zero = 0;  // what the zero of the codes adds to every sum
  float scale = 0;

  void set(const float* query, std::size_t d);
};

// Writes a byte a dimension and a scale a vector.
void encode(Vectors vectors, unsigned threads, std::uint8_t* codes, float* scales);

}  // namespace waypost
