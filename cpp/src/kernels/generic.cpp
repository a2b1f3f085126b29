// Kernels for any processor, in plain C++ that compilers vectorise. Products are summed in the same 16 lanes and
// folded in the same order as in the other tables; they differ only where those fuse multiplication and addition.
#include "tables.hpp"

namespace waypost {
namespace {

constexpr std::size_t lanes = 16;

struct Product {
  static float term(float a, float b) { return a * b; }
};

struct SquaredDifference {
  static float term(float a, float b) { return (a - b) * (a - b); }
};

float fold(float* sums) {
  for (std::size_t width = lanes / 2; width > 0; width /= 2) {
    for (std::size_t i = 0; i < width; ++i) sums[i] += sums[i + width];
  }
  return sums[0];
}

template <class Term>
float sum_terms(const float* a, const float* b, std::size_t d) {
  float sums[lanes] = {};
  std::size_t k = 0;
  for (; k + lanes <= d; k += lanes) {
    for (std::size_t i = 0; i < lanes; ++i) sums[i] += Term::term(a[k + i], b[k + i]);
  }
  for (std::size_t i = 0; k + i < d; ++i) sums[i] += Term::term(a[k + i], b[k + i]);
  return fold(sums);
}

template <class Term>
void sum_rows(const float* query, const float* base, std::size_t d, const Row* rows, std::size_t count, float* out) {
  for (std::size_t i = 0; i < count; ++i)
    out[i] = sum_terms<Term>(query, base + static_cast<std::size_t>(rows[i]) * d, d);
}

std::uint64_t largest(const std::uint64_t* values, std::size_t count) {
  std::uint64_t best = 0;
  for (std::size_t i = 0; i < count; ++i) best = values[i] > best ? values[i] : best;
  return best;
}

std::size_t position(const std::uint64_t* values, std::size_t count, std::uint64_t value) {
  std::size_t found = 0;
  for (std::size_t i = 0; i < count; ++i) found = values[i] == value ? i : found;
  return found;
}

std::uint64_t take_out(std::uint64_t* values, std::size_t count, std::uint64_t value) {
  std::uint64_t best = 0;
  for (std::size_t i = 0; i < count; ++i) {
    values[i] = values[i] == value ? 0 : values[i];
    best = values[i] > best ? values[i] : best;
  }
  return best;
}

std::size_t count_from(const std::uint64_t* values, std::size_t count, std::uint64_t least) {
  std::size_t found = 0;
  for (std::size_t i = 0; i < count; ++i) found += values[i] >= least ? 1 : 0;
  return found;
}

constexpr std::size_t tile_queries = 4;
constexpr std::size_t tile_items = 16;

void score_tile(const float* query_panel, const float* item_panel, std::size_t d, const float* thresholds,
                float* scores, std::uint32_t* hits) {
  float sums[tile_queries][tile_items] = {};
  for (std::size_t k = 0; k < d; ++k) {
    for (std::size_t q = 0; q < tile_queries; ++q) {
      const float value = query_panel[k * tile_queries + q];
      for (std::size_t i = 0; i < tile_items; ++i) sums[q][i] += value * item_panel[k * tile_items + i];
    }
  }
  for (std::size_t q = 0; q < tile_queries; ++q) {
    std::uint32_t mask = 0;
    for (std::size_t i = 0; i < tile_items; ++i) {
      scores[q * tile_items + i] = sums[q][i];
      mask |= static_cast<std::uint32_t>(sums[q][i] > thresholds[q]) << i;
    }
    hits[q] = mask;
  }
}

void add_scaled(const float* from, float weight, std::size_t d, float* to) {
  for (std::size_t k = 0; k < d; ++k) to[k] += weight * from[k];
}

}  // namespace

const Kernels generic_kernels{"generic",         sum_terms<Product>,
                              sum_rows<Product>, sum_rows<SquaredDifference>,
                              add_scaled,        largest,
                              position,          take_out,
                              count_from,        tile_queries,
                              tile_items,        score_tile};

}  // namespace waypost
