// Exact search against sorting all products.
#include "waypost/exact.hpp"

#include <functional>
#include <limits>
#include <stdexcept>

#include "check.hpp"
#include "samples.hpp"
#include "waypost/key.hpp"

namespace {

using namespace waypost;

struct Answers {
  std::vector<std::int64_t> ids;
  std::vector<float> scores;

  bool operator==(const Answers&) const = default;
};

Answers brute_force(Vectors items, Vectors queries, std::size_t k) {
  Answers answers;
  for (std::size_t q = 0; q < queries.rows; ++q) {
    std::vector<Key> keys;
    for (std::size_t i = 0; i < items.rows; ++i) {
      double sum = 0;
      for (std::size_t c = 0; c < items.cols; ++c) sum += static_cast<double>(items.row(i)[c]) * queries.row(q)[c];
      keys.push_back(make_key(static_cast<float>(sum), static_cast<Row>(i)));
    }
    std::sort(keys.begin(), keys.end(), std::greater<>{});
    for (std::size_t i = 0; i < k; ++i) {
      answers.ids.push_back(key_row(keys[i]));
      answers.scores.push_back(key_score(keys[i]));
    }
  }
  return answers;
}

Answers find(Vectors items, Vectors queries, std::size_t k, unsigned threads, const Progress& progress = {}) {
  Answers answers{std::vector<std::int64_t>(queries.rows * k), std::vector<float>(queries.rows * k)};
  exact_search(items, queries, k, threads, answers.ids.data(), answers.scores.data(), progress);
  return answers;
}

void check_all_threads(const samples::Matrix& items, const samples::Matrix& queries, std::size_t k) {
  const Answers expected = brute_force(items.view(), queries.view(), k);
  for (unsigned threads = 1; threads <= 4; ++threads) {
    CHECK(find(items.view(), queries.view(), k, threads) == expected);
  }
}

// Sums of small integers have no rounding, so brute force must agree to the last bit, and many of them tie.
TEST(exact_is_brute_force_with_ties) {
  for (const std::size_t n : {1, 2, 15, 16, 17, 31, 32, 33, 100, 700}) {
    for (const std::size_t m : {1, 5, 6, 12, 13, 30}) {
      const auto items = samples::integers(n, 5, n);
      const auto queries = samples::integers(m, 5, 100 + m);
      for (const std::size_t k : {std::size_t{1}, std::min<std::size_t>(n, 10), n})
        check_all_threads(items, queries, k);
    }
  }
}

TEST(exact_is_brute_force_where_all_tie) {
  check_all_threads(samples::constant(300, 3, 1.0f), samples::integers(20, 3, 1), 10);
  check_all_threads(samples::constant(300, 3, 0.0f), samples::integers(20, 3, 2), 300);
}

// One rounded product a score: fractions that lie close together, and still the same bits.
TEST(exact_is_brute_force_with_fractions) {
  check_all_threads(samples::uniform(3000, 1, 1), samples::uniform(30, 1, 2), 50);
}

TEST(exact_is_brute_force_for_many_queries) {
  check_all_threads(samples::integers(60, 4, 1), samples::integers(1100, 4, 2), 7);
}

// Few queries and many items: each thread takes a slice of the items.
TEST(exact_is_brute_force_over_slices) {
  for (const std::size_t m : {1, 2, 25})
    check_all_threads(samples::integers(13000, 3, m), samples::integers(m, 3, 9), 50);
  check_all_threads(samples::integers(9001, 3, 3), samples::integers(1, 3, 9), 9001);
}

TEST(exact_does_not_depend_on_threads_or_company) {
  const auto items = samples::uniform(9000, 33, 1);
  const auto queries = samples::uniform(40, 33, 2);
  const Answers expected = find(items.view(), queries.view(), 10, 1);
  for (unsigned threads = 2; threads <= 4; ++threads)
    CHECK(find(items.view(), queries.view(), 10, threads) == expected);
  for (std::size_t q = 0; q < queries.rows; q += 13) {
    const Answers alone = find(items.view(), {queries.view().row(q), 1, 33}, 10, 3);
    for (std::size_t i = 0; i < 10; ++i) {
      CHECK(alone.ids[i] == expected.ids[q * 10 + i]);
      CHECK(alone.scores[i] == expected.scores[q * 10 + i]);
    }
  }
}

TEST(exact_answers_no_queries) {
  const auto items = samples::integers(10, 3, 1);
  exact_search(items.view(), {nullptr, 0, 3}, 2, 2, nullptr, nullptr, {});
}

// Finite vectors can have products that are not: those of -infinity or NaN are no answers.
TEST(exact_leaves_places_empty_where_products_overflow) {
  for (const std::size_t n : {50, 9000}) {
    auto items = samples::constant(n, 4, 1e30f);
    const auto queries = samples::constant(3, 4, -1e30f);
    for (std::size_t c = 0; c < 4; ++c) items.values[7 * 4 + c] = 1.0f;
    for (unsigned threads = 1; threads <= 4; ++threads) {
      const Answers answers = find(items.view(), queries.view(), 3, threads);
      for (std::size_t q = 0; q < 3; ++q) {
        CHECK(answers.ids[q * 3] == 7);
        CHECK(answers.ids[q * 3 + 1] == -1 && answers.ids[q * 3 + 2] == -1);
        CHECK(answers.scores[q * 3 + 1] == -std::numeric_limits<float>::infinity());
      }
    }
  }
}

TEST(exact_reports_progress_up_to_the_total) {
  const auto items = samples::integers(3000, 3, 1);
  const auto queries = samples::integers(2000, 3, 2);
  for (const unsigned threads : {1u, 3u}) {
    std::size_t last = 0;
    bool rising = true;
    find(items.view(), queries.view(), 3, threads, [&](std::size_t done, std::size_t total) {
      rising = rising && done >= last && total == 6000000;
      last = done;
    });
    CHECK(rising);
    CHECK(last == 6000000);
  }
}

TEST(exact_stops_when_progress_throws) {
  const auto items = samples::integers(3000, 3, 1);
  const auto queries = samples::integers(2000, 3, 2);
  for (const unsigned threads : {1u, 3u}) {
    const auto stop = [](std::size_t, std::size_t) { throw std::runtime_error("enough"); };
    CHECK_THROWS(std::runtime_error, find(items.view(), queries.view(), 3, threads, stop));
  }
}

}  // namespace
