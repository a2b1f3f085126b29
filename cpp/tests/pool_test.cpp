// The parts of a pool search: keys, marks, codes, and the kernels of every table against sorting and plain sums.
#include <algorithm>
#include <cmath>
#include <functional>
#include <set>

#include "../src/kernels/pool_tables.hpp"
#include "check.hpp"
#include "fenced.hpp"
#include "samples.hpp"
#include "waypost/candidate_pool.hpp"
#include "waypost/codes.hpp"
#include "waypost/kernels.hpp"
#include "waypost/marks.hpp"

namespace {

using namespace waypost;
using check::Fenced;
using samples::Draws;

std::vector<PoolKernels> tables() {
  std::vector<PoolKernels> found{generic_pool_kernels};
#ifdef WAYPOST_X86
  for (const std::string_view name : available_kernels()) {
    if (name == "avx2") found.push_back(avx2_pool_kernels);
    if (name == "avx512") found.push_back(avx512_pool_kernels);
  }
  found.push_back(pool_kernels());  // with VNNI where there is any
#endif
  return found;
}

TEST(pool_keys_are_ordered_by_score_then_row_and_carry_a_mark) {
  const std::vector<float> scores{-3e38f, -1.0f, -0.0f, 0.0f, 1e-40f, 2.0f};
  for (const float score : scores) {
    for (const Row row : {0, 1, 77, 0x7FFFFFFE}) {
      const PoolKey key = make_pool_key(score, row);
      CHECK(pool_row(key) == row && pool_score(key) == score);
      CHECK(plain_key(key) == make_key(score, row) && plain_key(key & ~open_bit) == make_key(score, row));
      CHECK((key & open_bit) == open_bit);
      for (const float other : scores) {
        CHECK((key > make_pool_key(other, 5)) == (make_key(score, row) > make_key(other, 5)) || row == 5);
      }
    }
  }
}

// Offers batches to a pool and compares it with all keys sorted.
void offer_like_sorting(const PoolKernels& kernel, std::size_t size, std::size_t batch, bool ties) {
  Draws draws(size * 1000 + batch);
  CandidatePool pool;
  pool.reset(size);
  std::vector<PoolKey> all;
  Row next = 0;
  for (int round = 0; round < 6; ++round) {
    Fenced<float> scores(std::vector<float>(batch, 0.0f));
    Fenced<Row> rows(std::vector<Row>(batch, 0));
    for (std::size_t i = 0; i < batch; ++i) {
      scores.data()[i] = ties ? static_cast<float>(draws.below(5)) - 2.0f : draws.between(-1, 1);
      rows.data()[i] = static_cast<Row>((next++ * 7919) % 100003);
      all.push_back(make_pool_key(scores.data()[i], rows.data()[i]));
    }
    pool.offer(scores.data(), rows.data(), batch, kernel);
    std::sort(all.begin(), all.end(), std::greater<>{});
    const std::size_t held = std::min(size, all.size());
    for (std::size_t i = 0; i < held; ++i) CHECK((pool.keys()[i] | open_bit) == all[i]);
    for (std::size_t i = held; i < (size + 7) / 8 * 8; ++i) CHECK(pool.keys()[i] == 0);
    std::vector<Row> expected;
    for (std::size_t i = 0; i < held && expected.size() < 3; ++i) {
      if (pool.keys()[i] % 2 == 1) expected.push_back(pool_row(pool.keys()[i]));
    }
    std::vector<Row> expanded;
    CHECK(pool.expand(3, kernel, [&](Row row) { expanded.push_back(row); }) == expected.size());
    CHECK(expanded == expected);
  }
}

TEST(pool_holds_the_best_of_what_it_is_offered) {
  for (const PoolKernels& kernel : tables()) {
    for (const std::size_t size : {1, 2, 7, 8, 9, 16, 31, 64, 127, 128, 129, 136, 300}) {
      for (const std::size_t batch : {1, 3, 8, 16, 33, 128}) {
        offer_like_sorting(kernel, size, batch, false);
        offer_like_sorting(kernel, size, batch, true);
      }
    }
  }
}

TEST(pool_expands_its_best_open_vertex_and_closes_it) {
  for (const PoolKernels& kernel : tables()) {
    for (const std::size_t size : {1, 5, 8, 40, 200}) {
      CandidatePool pool;
      pool.reset(size);
      std::vector<Row> expanded;
      const auto note = [&](Row row) { expanded.push_back(row); };
      CHECK(pool.expand(2, kernel, note) == 0);
      std::vector<float> scores;
      std::vector<Row> rows;
      for (std::size_t i = 0; i < size; ++i) {
        scores.push_back(static_cast<float>((i * 37) % size));
        rows.push_back(static_cast<Row>(i));
      }
      pool.offer(scores.data(), rows.data(), size, kernel);
      std::vector<Key> keys;
      for (std::size_t i = 0; i < size; ++i) keys.push_back(make_key(scores[i], rows[i]));
      std::sort(keys.begin(), keys.end(), std::greater<>{});
      CHECK(pool.expand(1, kernel, note) == 1 && expanded[0] == key_row(keys[0]));
      CHECK(pool.expand(size + 1, kernel, note) == size - 1);
      for (std::size_t i = 0; i < size; ++i) CHECK(expanded[i] == key_row(keys[i]));
      CHECK(pool.expand(1, kernel, note) == 0);
    }
  }
}

TEST(pool_marks_are_forgotten_by_the_next_search) {
  Marks marks;
  Draws draws(1);
  for (int search = 0; search < 600; ++search) {  // more often than a byte counts
    const std::size_t size = search % 3 == 0 ? 50 : 200;
    marks.begin(size);
    std::set<Row> seen;
    for (int i = 0; i < 40; ++i) {
      const auto row = static_cast<Row>(draws.below(size));
      CHECK(marks.insert(row) == seen.insert(row).second);
    }
    for (const Row outside : {Row{-1}, static_cast<Row>(size), Row{0x7FFFFFFF}, Row{-0x7FFFFFFF}}) {
      CHECK(!marks.insert(outside));
    }
  }
}

TEST(pool_takes_fresh_rows_once) {
  for (const PoolKernels& kernel : tables()) {
    Draws draws(3);
    Marks marks;
    for (int search = 0; search < 300; ++search) {
      marks.begin(120);
      std::set<Row> seen;
      for (const std::size_t count : {1, 5, 16, 17, 40}) {
        std::vector<Row> rows;
        std::vector<Row> expected;
        for (std::size_t i = 0; i < count; ++i) {
          rows.push_back(static_cast<Row>(draws.below(130)) - 3);  // some lie outside, some come twice
          if (rows[i] >= 0 && rows[i] < 120 && seen.insert(rows[i]).second) expected.push_back(rows[i]);
        }
        std::vector<Row> fresh(count);
        fresh.resize(marks.take_fresh(rows.data(), count, fresh.data(), kernel));
        CHECK(fresh == expected);
      }
    }
  }
}

TEST(pool_takes_rows_whose_bit_is_set) {
  for (const PoolKernels& kernel : tables()) {
    Draws draws(6);
    for (const std::size_t count : {0, 1, 7, 8, 9, 16, 17, 40}) {
      for (const std::size_t share : {0, 10, 100}) {
        std::vector<std::uint32_t> bits(16, 0);
        for (std::size_t bit = 0; bit < 512; ++bit) {
          if (draws.below(100) < share) bits[bit / 32] |= std::uint32_t{1} << bit % 32;
        }
        Fenced<Row> rows(std::vector<Row>(count, 0));
        Fenced<Row> found(std::vector<Row>(count + 16, -1));
        std::vector<Row> expected;
        for (std::size_t i = 0; i < count; ++i) {
          const Row row = rows.data()[i] = static_cast<Row>(draws.below(0x7FFFFFFF));
          if ((bits[static_cast<std::size_t>(row) % 512 / 32] >> row % 32 & 1) != 0) expected.push_back(row);
        }
        const std::size_t taken = kernel.take_marked(bits.data(), rows.data(), count, found.data());
        CHECK(std::vector<Row>(found.data(), found.data() + taken) == expected);
      }
    }
  }
}

TEST(pool_codes_are_multiplied_exactly) {
  for (const std::size_t d : {1, 2, 15, 16, 17, 31, 32, 48, 63, 64, 65, 96, 127, 128, 129, 300}) {
    Draws draws(d);
    const std::size_t rows = 11;
    Fenced<std::uint8_t> codes(std::vector<std::uint8_t>(rows * d, 255));  // the largest sums
    Fenced<std::int8_t> query(std::vector<std::int8_t>(d, 127));
    for (int round = 0; round < 2; ++round) {
      for (std::size_t count : {0, 1, 2, 3, 4, 5, 8, 11}) {
        std::vector<Row> asked;
        for (std::size_t i = 0; i < count; ++i) asked.push_back(static_cast<Row>(draws.below(rows)));
        for (const PoolKernels& kernel : tables()) {
          Fenced<std::int32_t> out(std::vector<std::int32_t>(count, -1));
          kernel.dot_codes(query.data(), codes.data(), d, asked.data(), count, out.data());
          for (std::size_t i = 0; i < count; ++i) {
            std::int32_t sum = 0;
            for (std::size_t k = 0; k < d; ++k) {
              sum += query.data()[k] * codes.data()[static_cast<std::size_t>(asked[i]) * d + k];
            }
            CHECK(out.data()[i] == sum);
          }
        }
      }
      for (std::size_t i = 0; i < rows * d; ++i) codes.data()[i] = static_cast<std::uint8_t>(draws.below(256));
      for (std::size_t k = 0; k < d; ++k) query.data()[k] = static_cast<std::int8_t>(draws.below(256) - 128);
    }
  }
}

TEST(pool_coded_products_are_near_the_true_ones) {
  for (const std::size_t d : {1, 7, 96}) {
    const samples::Matrix vectors = samples::uniform(40, d, d);
    std::vector<std::uint8_t> codes(40 * d);
    std::vector<float> scales(40);
    encode(vectors.view(), 2, codes.data(), scales.data());
    CodedQuery query;
    query.set(vectors.values.data(), d);
    for (std::size_t i = 0; i < 40; ++i) {
      double sum = 0;
      double coded = 0;
      for (std::size_t k = 0; k < d; ++k) {
        sum += static_cast<double>(vectors.values[k]) * vectors.values[i * d + k];
        coded += static_cast<double>(query.values[k]) * (codes[i * d + k] - code_zero);
      }
      coded *= static_cast<double>(query.scale) * scales[i];
      CHECK(std::abs(sum - coded) <= 0.01 * static_cast<double>(d));
    }
  }
}

}  // namespace
