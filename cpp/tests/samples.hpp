// Made-up data for the tests: the same numbers in every run.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include "waypost/matrix.hpp"
#include "waypost/random.hpp"

namespace waypost::samples {

// Draws one number after another.
class Draws {
 public:
  explicit Draws(std::uint64_t seed) : seed_(seed) {}

  std::uint64_t bits() { return random_bits(seed_, count_++); }
  std::size_t below(std::size_t limit) { return static_cast<std::size_t>(bits() % limit); }
  float between(float low, float high) {
    return low + (high - low) * static_cast<float>(static_cast<double>(bits() >> 11) * 0x1p-53);
  }

 private:
  std::uint64_t seed_;
  std::uint64_t count_ = 0;
};

struct Matrix {
  std::vector<float> values;
  std::size_t rows;
  std::size_t cols;

  Vectors view() const { return {values.data(), rows, cols}; }
};

inline Matrix uniform(std::size_t rows, std::size_t cols, std::uint64_t seed) {
  Draws draws(seed);
  Matrix matrix{std::vector<float>(rows * cols), rows, cols};
  for (float& value : matrix.values) value = draws.between(-1, 1);
  return matrix;
}

// Products of such vectors have no rounding, whoever sums them, and many of them tie.
inline Matrix integers(std::size_t rows, std::size_t cols, std::uint64_t seed) {
  Draws draws(seed);
  Matrix matrix{std::vector<float>(rows * cols), rows, cols};
  for (float& value : matrix.values) value = static_cast<float>(draws.below(7)) - 3.0f;
  return matrix;
}

inline Matrix constant(std::size_t rows, std::size_t cols, float value) {
  return {std::vector<float>(rows * cols, value), rows, cols};
}

inline std::vector<Row> natural_order(std::size_t n) {
  std::vector<Row> order(n);
  std::iota(order.begin(), order.end(), Row{0});
  return order;
}

inline std::vector<Row> shuffled_order(std::size_t n, std::uint64_t seed) {
  Draws draws(seed);
  std::vector<Row> order = natural_order(n);
  for (std::size_t i = n; i > 1; --i) std::swap(order[i - 1], order[draws.below(i)]);
  return order;
}

// Lists of 0 to `degree` different neighbors, padded with -1.
inline std::vector<Row> random_graph(std::size_t n, std::size_t degree, std::uint64_t seed) {
  Draws draws(seed);
  std::vector<Row> neighbors(n * degree, Row{-1});
  for (std::size_t i = 0; i < n; ++i) {
    const auto list = neighbors.begin() + static_cast<std::ptrdiff_t>(i * degree);
    auto end = list;
    for (std::size_t tries = draws.below(degree + 1); tries > 0; --tries) {
      const auto row = static_cast<Row>(draws.below(n));
      if (row != static_cast<Row>(i) && std::find(list, end, row) == end) *end++ = row;
    }
  }
  return neighbors;
}

}  // namespace waypost::samples
