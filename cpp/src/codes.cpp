#include "waypost/codes.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "waypost/parallel.hpp"

namespace waypost {
namespace {

// Sixteen maxima side by side, because each needs the one before it.
float largest_size(const float* values, std::size_t d) {
  std::array<float, 16> largest{};
  std::size_t k = 0;
  for (; k + largest.size() <= d; k += largest.size()) {
    for (std::size_t i = 0; i < largest.size(); ++i) largest[i] = std::max(largest[i], std::abs(values[k + i]));
  }
  for (; k < d; ++k) largest[0] = std::max(largest[0], std::abs(values[k]));
  return *std::max_element(largest.begin(), largest.end());
}

// The values in units of the scale, to the nearest whole number.
template <class Code>
float quantize(const float* values, std::size_t d, int zero, Code* codes) {
  const float scale = largest_size(values, d) / static_cast<float>(most_code);
  if (!(scale >= std::numeric_limits<float>::min())) {  // nothing, or so little that it vanishes
    std::fill_n(codes, d, static_cast<Code>(zero));
    return 0;
  }
  for (std::size_t k = 0; k < d; ++k) {  // without a branch or a call, so that compilers vectorise it
    const float units = values[k] / scale;
    codes[k] = static_cast<Code>(static_cast<int>(units + std::copysign(0.5f, units)) + zero);
  }
  return scale;
}

}  // namespace

void CodedQuery::set(const float* query, std::size_t d) {
  values.resize(d);
  scale = quantize(query, d, 0, values.data());
  std::int32_t sum = 0;
  for (const std::int8_t value : values) sum += value;
  sum_at_zero = code_zero * sum;
}

void encode(Vectors vectors, unsigned threads, std::uint8_t* codes, float* scales) {
  constexpr std::size_t rows_a_chunk = 1024;
  parallel_for((vectors.rows + rows_a_chunk - 1) / rows_a_chunk, threads, [&](std::size_t chunk, unsigned) {
    const std::size_t end = std::min((chunk + 1) * rows_a_chunk, vectors.rows);
    for (std::size_t i = chunk * rows_a_chunk; i < end; ++i) {
      scales[i] = quantize(vectors.row(i), vectors.cols, code_zero, codes + i * vectors.cols);
    }
  });
}

}  // namespace waypost
