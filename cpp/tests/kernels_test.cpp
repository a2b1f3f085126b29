// Every table this processor runs, against plain double loops, on memory that ends at a fence.
#include "../src/kernels/tables.hpp"

#include <bit>
#include <cmath>
#include <stdexcept>
#include <string>

#include "check.hpp"
#include "fenced.hpp"
#include "samples.hpp"

namespace {

using namespace waypost;
using check::Fenced;
using samples::Draws;

const Kernels& table(std::string_view name) {
  if (name == generic_kernels.name) return generic_kernels;
#ifdef WAYPOST_X86
  if (name == avx2_kernels.name) return avx2_kernels;
  if (name == avx512_kernels.name) return avx512_kernels;
#endif
  throw std::invalid_argument("no table is called " + std::string(name));
}

std::vector<const Kernels*> tables() {
  std::vector<const Kernels*> found;
  for (const std::string_view name : available_kernels()) found.push_back(&table(name));
  return found;
}

std::vector<const Kernels*> fused_tables() {
  std::vector<const Kernels*> found = tables();
  std::erase(found, &generic_kernels);
  return found;
}

struct Sum {
  double value = 0;
  double size = 0;  // of the terms, which the rounding error grows with

  void add(double term) {
    value += term;
    size += std::abs(term);
  }
  bool is_near(float other) const { return std::abs(value - other) <= 2e-6 * size + 1e-30; }
};

Sum product(const float* a, const float* b, std::size_t d) {
  Sum sum;
  for (std::size_t k = 0; k < d; ++k) sum.add(static_cast<double>(a[k]) * b[k]);
  return sum;
}

Sum squared_distance(const float* a, const float* b, std::size_t d) {
  Sum sum;
  for (std::size_t k = 0; k < d; ++k) sum.add((static_cast<double>(a[k]) - b[k]) * (static_cast<double>(a[k]) - b[k]));
  return sum;
}

constexpr std::size_t most_dimensions = 130;
constexpr std::size_t base_rows = 7;

// A query and vectors of d dimensions. The last vector ends at the fence, so for most d none is aligned.
struct Input {
  std::size_t d;
  Fenced<float> query;
  Fenced<float> base;

  explicit Input(std::size_t dimensions)
      : d(dimensions), query(samples::uniform(1, d, d).values), base(samples::uniform(base_rows, d, 1000 + d).values) {}

  const float* row(Row i) { return base.data() + static_cast<std::size_t>(i) * d; }
};

std::vector<Row> some_rows(std::size_t count, std::uint64_t seed) {
  Draws draws(seed);
  std::vector<Row> rows(count);
  for (Row& row : rows) row = static_cast<Row>(draws.below(base_rows));
  if (count > 0) rows.back() = base_rows - 1;  // the one at the fence
  return rows;
}

using RowsKernel = void (*)(const float*, const float*, std::size_t, const Row*, std::size_t, float*);

std::vector<float> apply(RowsKernel kernel, Input& input, const std::vector<Row>& rows) {
  Fenced<Row> fenced_rows(rows);
  Fenced<float> out(rows.size());
  kernel(input.query.data(), input.base.data(), input.d, fenced_rows.data(), rows.size(), out.data());
  return {out.begin(), out.end()};
}

TEST(kernels_dot_is_the_inner_product) {
  for (std::size_t d = 1; d <= most_dimensions; ++d) {
    Input input(d);
    for (const Kernels* kernel : tables()) {
      for (Row row = 0; row < static_cast<Row>(base_rows); ++row) {
        const Sum expected = product(input.query.data(), input.row(row), d);
        CHECK(expected.is_near(kernel->dot(input.query.data(), input.row(row), d)));
      }
    }
  }
}

TEST(kernels_add_scaled_adds_to_the_first_d_alone) {
  for (std::size_t d = 1; d <= most_dimensions; ++d) {
    Input input(d);
    const float* from = input.row(static_cast<Row>(base_rows - 1));  // ends at the fence
    for (const Kernels* kernel : tables()) {
      Fenced<float> to(std::vector<float>(input.query.data(), input.query.data() + d));
      kernel->add_scaled(from, 0.3f, d, to.data());
      for (std::size_t k = 0; k < d; ++k) {
        CHECK(std::abs(to.data()[k] - (input.query.data()[k] + 0.3f * from[k])) < 1e-6f);
      }
    }
  }
}

TEST(kernels_rows_are_scored_for_every_width_and_count) {
  for (std::size_t d = 1; d <= most_dimensions; ++d) {
    Input input(d);
    for (std::size_t count = 0; count <= 9; ++count) {
      const std::vector<Row> rows = some_rows(count, d * 10 + count);
      for (const Kernels* kernel : tables()) {
        const auto products = apply(kernel->dot_rows, input, rows);
        const auto distances = apply(kernel->squared_distance_rows, input, rows);
        for (std::size_t i = 0; i < count; ++i) {
          CHECK(product(input.query.data(), input.row(rows[i]), d).is_near(products[i]));
          CHECK(squared_distance(input.query.data(), input.row(rows[i]), d).is_near(distances[i]));
        }
      }
    }
  }
}

TEST(kernels_write_no_more_scores_than_asked) {
  constexpr float mark = 12345.0f;
  Input input(20);
  for (const Kernels* kernel : tables()) {
    for (std::size_t count = 0; count <= 9; ++count) {
      std::vector<float> out(count + 8, mark);
      const std::vector<Row> rows = some_rows(count, count);
      kernel->dot_rows(input.query.data(), input.base.data(), input.d, rows.data(), count, out.data());
      for (std::size_t i = count; i < out.size(); ++i) CHECK(out[i] == mark);
    }
  }
}

TEST(kernels_fused_tables_give_the_same_bits) {
  const auto fused = fused_tables();
  for (std::size_t d = 1; d <= most_dimensions && fused.size() > 1; ++d) {
    Input input(d);
    const std::vector<Row> rows = some_rows(9, d);
    for (const Kernels* kernel : fused) {
      CHECK(apply(kernel->dot_rows, input, rows) == apply(fused[0]->dot_rows, input, rows));
      CHECK(apply(kernel->squared_distance_rows, input, rows) == apply(fused[0]->squared_distance_rows, input, rows));
      CHECK(kernel->dot(input.query.data(), input.base.data(), d) ==
            fused[0]->dot(input.query.data(), input.base.data(), d));
    }
  }
}

// An edge's score must be the same from both ends, and alone as among others.
TEST(kernels_scores_do_not_depend_on_side_or_company) {
  for (std::size_t d = 1; d <= most_dimensions; ++d) {
    Input input(d);
    for (const Kernels* kernel : tables()) {
      const std::vector<Row> rows = some_rows(9, d);
      const auto together = apply(kernel->dot_rows, input, rows);
      const auto distances = apply(kernel->squared_distance_rows, input, rows);
      for (std::size_t i = 0; i < rows.size(); ++i) {
        const Row first = 0;
        float from_other_side = 0;
        CHECK(apply(kernel->dot_rows, input, {rows[i]})[0] == together[i]);
        CHECK(kernel->dot(input.query.data(), input.row(rows[i]), d) == together[i]);
        kernel->dot_rows(input.row(rows[i]), input.query.data(), d, &first, 1, &from_other_side);
        CHECK(from_other_side == together[i]);
        kernel->squared_distance_rows(input.row(rows[i]), input.query.data(), d, &first, 1, &from_other_side);
        CHECK(from_other_side == distances[i]);
      }
    }
  }
}

// Different integers with small and large among them, as keys are.
std::vector<std::uint64_t> different_values(std::size_t count, std::uint64_t seed) {
  std::vector<std::uint64_t> values(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = random_bits(seed, i) >> (i % 40);
  return values;
}

TEST(kernels_find_and_take_out_the_largest) {
  for (std::size_t count = 8; count <= 64; count += 8) {
    const auto values = different_values(count, count);
    for (const Kernels* kernel : tables()) {
      Fenced<std::uint64_t> left(values);
      auto falling = values;
      std::sort(falling.begin(), falling.end(), std::greater<>{});
      for (std::size_t i = 0; i < count; ++i) {
        CHECK(kernel->largest(left.data(), count) == falling[i]);
        CHECK(left[kernel->position(left.data(), count, falling[i])] == falling[i]);
        const std::uint64_t next = i + 1 < count ? falling[i + 1] : 0;
        CHECK(kernel->take_out(left.data(), count, falling[i]) == next);
      }
      for (const std::uint64_t value : left) CHECK(value == 0);
    }
  }
}

TEST(kernels_largest_takes_long_lists) {
  for (const std::size_t count : {72, 128, 1000, 4096}) {
    auto values = different_values(count, 3);
    for (const std::size_t place : {std::size_t{0}, count / 2, count - 1}) {
      values[place] = ~std::uint64_t{0} - place;
      Fenced<std::uint64_t> fenced(values);
      const std::uint64_t expected = *std::max_element(values.begin(), values.end());
      for (const Kernels* kernel : tables()) CHECK(kernel->largest(fenced.data(), count) == expected);
      values[place] = 0;
    }
  }
}

TEST(kernels_count_from_counts) {
  for (std::size_t count = 0; count <= 70; ++count) {
    const auto values = different_values(count, 100 + count);
    Fenced<std::uint64_t> fenced(values);
    std::vector<std::uint64_t> limits = values;
    for (const std::uint64_t value : values) limits.push_back(value + 1);
    limits.insert(limits.end(), {0, 1, std::uint64_t{1} << 63, ~std::uint64_t{0}});
    for (const std::uint64_t limit : limits) {
      std::size_t expected = 0;
      for (const std::uint64_t value : values) expected += value >= limit ? 1 : 0;
      for (const Kernels* kernel : tables()) CHECK(kernel->count_from(fenced.data(), count, limit) == expected);
    }
  }
}

// One tile, its panels filled at random.
struct Tile {
  const Kernels& kernel;
  std::size_t d;
  Fenced<float> queries;
  Fenced<float> items;
  Fenced<float> thresholds;
  Fenced<float> scores;
  Fenced<std::uint32_t> hits;

  Tile(const Kernels& chosen, std::size_t dimensions)
      : kernel(chosen),
        d(dimensions),
        queries(samples::uniform(d, kernel.tile_queries, d).values),
        items(samples::uniform(d, kernel.tile_items, d + 1).values),
        thresholds(samples::uniform(1, kernel.tile_queries, d + 2).values),
        scores(kernel.tile_queries * kernel.tile_items),
        hits(kernel.tile_queries) {
    kernel.score_tile(queries.data(), items.data(), d, thresholds.data(), scores.data(), hits.data());
  }

  float score(std::size_t q, std::size_t i) { return scores[q * kernel.tile_items + i]; }

  Sum expected(std::size_t q, std::size_t i) {
    Sum sum;
    for (std::size_t k = 0; k < d; ++k) {
      sum.add(static_cast<double>(queries[k * kernel.tile_queries + q]) * items[k * kernel.tile_items + i]);
    }
    return sum;
  }

  float fused(std::size_t q, std::size_t i) {
    float sum = 0;
    for (std::size_t k = 0; k < d; ++k) {
      sum = std::fma(queries[k * kernel.tile_queries + q], items[k * kernel.tile_items + i], sum);
    }
    return sum;
  }
};

TEST(kernels_tile_scores_and_hits) {
  for (const Kernels* kernel : tables()) {
    CHECK(kernel->tile_queries <= most_tile_queries && kernel->tile_items <= most_tile_items);
    for (std::size_t d = 1; d <= most_dimensions; d += d < 5 ? 1 : 25) {
      Tile tile(*kernel, d);
      for (std::size_t q = 0; q < kernel->tile_queries; ++q) {
        for (std::size_t i = 0; i < kernel->tile_items; ++i) {
          CHECK(tile.expected(q, i).is_near(tile.score(q, i)));
          CHECK(((tile.hits[q] >> i) & 1u) == (tile.score(q, i) > tile.thresholds[q] ? 1u : 0u));
        }
        if (kernel->tile_items < 32) CHECK(tile.hits[q] >> kernel->tile_items == 0);
      }
    }
  }
}

TEST(kernels_tile_sums_dimension_by_dimension) {
  for (const Kernels* kernel : fused_tables()) {
    Tile tile(*kernel, 67);
    for (std::size_t q = 0; q < kernel->tile_queries; ++q) {
      for (std::size_t i = 0; i < kernel->tile_items; ++i) CHECK(tile.score(q, i) == tile.fused(q, i));
    }
  }
}

TEST(kernels_tile_needs_more_than_the_threshold) {
  for (const Kernels* kernel : tables()) {
    const std::vector<float> ones(std::max(kernel->tile_queries, kernel->tile_items), 1.0f);
    std::vector<float> scores(kernel->tile_queries * kernel->tile_items);
    std::vector<std::uint32_t> hits(kernel->tile_queries);
    for (const float threshold : {1.0f, 0.999f}) {
      const std::vector<float> thresholds(kernel->tile_queries, threshold);
      kernel->score_tile(ones.data(), ones.data(), 1, thresholds.data(), scores.data(), hits.data());
      const int expected = threshold < 1.0f ? static_cast<int>(kernel->tile_items) : 0;
      for (const std::uint32_t hit : hits) CHECK(std::popcount(hit) == expected);
    }
  }
}

}  // namespace
