// Filtered search against a plain selection from the plain walk, and against a scan of everything.
#include "waypost/filter.hpp"

#include <numeric>
#include <set>

#include "check.hpp"
#include "fenced.hpp"
#include "plain_walk.hpp"
#include "samples.hpp"
#include "waypost/scan.hpp"
#include "waypost/search.hpp"

namespace {

using namespace waypost;
using check::Fenced;
using check::PlainWalk;

struct Found {
  std::vector<std::int64_t> ids;
  std::vector<float> scores;
  std::vector<std::int64_t> cost;

  bool operator==(const Found&) const = default;
};

constexpr std::size_t n = 300;
constexpr std::size_t m = 70;
constexpr std::size_t k = 10;

struct Setting {
  samples::Matrix items = samples::integers(n, 4, 1);
  samples::Matrix queries = samples::integers(m, 4, 3);
  std::vector<Row> neighbors = samples::random_graph(n, 5, 5);
  std::vector<Row> entries{0, 150};
  std::vector<std::int64_t> offsets{0};
  std::vector<Row> excluded;

  explicit Setting(std::size_t most_excluded) {
    samples::Draws draws(11);
    for (std::size_t q = 0; q < m; ++q) {
      for (std::size_t left = draws.below(most_excluded + 1); left > 0; --left) {
        excluded.push_back(static_cast<Row>(draws.below(n)));  // now and then one that is there already
      }
      offsets.push_back(static_cast<std::int64_t>(excluded.size()));
    }
  }

  FilterLists lists() const {
    FilterLists made(n);
    made.exclude(offsets, excluded.data());
    return made;
  }

  SearchPlan plan(const FilterLists& filter, std::size_t budget, bool complete, unsigned threads = 2) const {
    SearchPlan made{{neighbors.data(), n, 5}, items.view(), items.view(), k, budget, 0, threads};
    made.filter = &filter;
    made.complete = complete;
    return made;
  }

  Found search(const SearchPlan& plan, SpacePool<SearchSpace>& pool) const {
    Found found{std::vector<std::int64_t>(m * k), std::vector<float>(m * k), std::vector<std::int64_t>(m)};
    const SearchQueries asked{queries.view(), queries.view(), {entries.data(), 1, entries.size()}};
    waypost::search(plan, asked, {found.ids.data(), found.scores.data(), found.cost.data()}, nullptr, pool, {});
    return found;
  }

  bool allowed(const FilterLists& filter, std::size_t query, Row row) const {
    const auto own = filter.excluded(query);
    return filter.allows(row) && std::find(own.begin(), own.end(), row) == own.end();
  }

  std::vector<Row> all_allowed(const FilterLists& filter, std::size_t query) const {
    std::vector<Row> rows = samples::natural_order(n);
    std::erase_if(rows, [&](Row row) { return !allowed(filter, query, row); });
    return rows;
  }

  // The best allowed of what the plain walk sees, and how many it sees.
  std::pair<std::vector<Key>, std::size_t> walked(const FilterLists& filter, std::size_t query,
                                                  std::size_t budget) const {
    const PlainWalk walk({neighbors.data(), n, 5}, items.view(), queries.view().row(query), entries, budget);
    std::vector<Key> keys = walk.best(n);
    std::erase_if(keys, [&](Key key) { return !allowed(filter, query, key_row(key)); });
    keys.resize(std::min(keys.size(), k));
    return {keys, walk.trace().rows.size()};
  }

  std::vector<Key> scanned(const FilterLists& filter, std::size_t query) const {
    std::vector<Key> keys;
    for (const Row row : all_allowed(filter, query)) {
      const float* item = items.view().row(static_cast<std::size_t>(row));
      keys.push_back(make_key(kernels().dot(queries.view().row(query), item, 4), row));
    }
    std::sort(keys.begin(), keys.end(), std::greater<>{});
    keys.resize(std::min(keys.size(), k));
    return keys;
  }

  // The rule written down plainly: scan where the budget pays for it, walk, and walk wider until there is enough.
  Found expected(const FilterLists& filter, std::size_t budget, bool complete) const {
    Found found;
    for (std::size_t q = 0; q < m; ++q) {
      const std::size_t most = all_allowed(filter, q).size();
      std::vector<Key> keys;
      std::size_t cost = 0;
      for (std::size_t products = budget;;) {
        if (most <= products) {
          keys = scanned(filter, q);
          cost += most;
          break;
        }
        const auto [best, seen] = walked(filter, q, products);
        keys = best;
        cost += seen;
        if (!complete || keys.size() >= std::min(k, most)) break;
        products = seen < products ? most : 4 * products;
      }
      found.cost.push_back(static_cast<std::int64_t>(cost));
      for (std::size_t i = 0; i < k; ++i) {
        found.ids.push_back(i < keys.size() ? key_row(keys[i]) : -1);
        found.scores.push_back(i < keys.size() ? key_score(keys[i]) : -std::numeric_limits<float>::infinity());
      }
    }
    return found;
  }
};

TEST(filter_keeps_excluded_rows_from_being_answers) {
  SpacePool<SearchSpace> pool;
  for (const std::size_t most : {0, 30, 290, 2000}) {
    const Setting setting(most);
    const FilterLists filter = setting.lists();
    for (const std::size_t budget : {1, 12, 64, 150, 299, 300}) {
      for (const bool complete : {false, true}) {
        const Found found = setting.search(setting.plan(filter, budget, complete), pool);
        CHECK(found == setting.expected(filter, budget, complete));
        CHECK(found == setting.search(setting.plan(filter, budget, complete, 1), pool));
      }
    }
  }
}

TEST(filter_allows_some_rows_alone) {
  SpacePool<SearchSpace> pool;
  const Setting setting(30);
  samples::Draws draws(4);
  for (const std::size_t share : {0, 1, 20, 60, 100}) {
    std::vector<Row> only = samples::natural_order(n);
    std::erase_if(only, [&](Row) { return draws.below(100) >= share; });
    const std::vector<Row> barred{3, 50, 3, 299};
    FilterLists filter = setting.lists();
    filter.allow_only(only);
    filter.bar(barred);
    std::size_t count = 0;
    for (Row row = 0; row < static_cast<Row>(n); ++row) count += filter.allows(row) ? 1 : 0;
    CHECK(filter.allowed_count() == count);
    for (const std::size_t budget : {12, 64}) {
      CHECK(setting.search(setting.plan(filter, budget, true), pool) == setting.expected(filter, budget, true));
    }
  }
}

TEST(filter_marks_of_one_query_are_gone_for_the_next) {
  const Setting setting(100);
  const FilterLists lists = setting.lists();
  Marks marks;
  RowFilter filter(lists, marks);
  for (std::size_t again = 0; again < 4; ++again) {  // more queries than a byte tells apart
    for (std::size_t q = 0; q < m; ++q) {
      const std::vector<Row> allowed = setting.all_allowed(lists, q);
      CHECK(filter.allows_at_most(allowed.size(), q));
      CHECK(!filter.allows_at_most(allowed.size() - 1, q));
      filter.expect(q);
      filter.enter(q);
      std::vector<Row> rows;
      filter.each_allowed([&](Row row) { rows.push_back(row); });
      CHECK(rows == allowed);
      CHECK(filter.allowed() == allowed.size());
      for (const Row row : allowed) CHECK(filter.allows(row));
      for (const std::size_t asked : {std::size_t{1}, 1000 * RowFilter::at_once}) {
        filter.glance(q, asked);
        for (Row first = 0; first < static_cast<Row>(n); first += 7) {
          std::vector<Row> some;
          for (Row row = first; row < static_cast<Row>(n) && some.size() < RowFilter::at_once; row += 3) {
            some.push_back(row);
          }
          const std::uint32_t among = filter.allowed_among(some);
          for (std::size_t i = 0; i < RowFilter::at_once; ++i) {
            const bool expected = i < some.size() && std::binary_search(allowed.begin(), allowed.end(), some[i]);
            CHECK((among >> i & 1) == (expected ? 1u : 0u));
          }
        }
      }
    }
  }
}

TEST(filter_looks_up_the_numbers_that_rows_have) {
  const Setting setting(100);
  const FilterLists lists = setting.lists();
  const std::vector<Row> row_of = samples::shuffled_order(n, 21);
  std::vector<Row> number_of(n);
  for (std::size_t number = 0; number < n; ++number) {
    number_of[static_cast<std::size_t>(row_of[number])] = static_cast<Row>(number);
  }
  std::vector<Row> numbers;
  for (const Row row : setting.excluded) numbers.push_back(number_of[static_cast<std::size_t>(row)]);
  FilterLists numbered(n);
  numbered.exclude(setting.offsets, numbers.data(), {row_of.data(), number_of.data()});
  Marks marks;
  Marks others;
  RowFilter by_row(lists, marks);
  RowFilter by_number(numbered, others);
  for (std::size_t q = 0; q < m; ++q) {
    std::vector<Row> some;
    for (std::size_t i = 0; i < RowFilter::at_once; ++i) some.push_back(static_cast<Row>((q + 9 * i) % n));
    by_row.glance(q, 1);
    by_number.glance(q, 1);
    CHECK(by_row.allowed_among(some) == by_number.allowed_among(some));
    by_row.enter(q);
    by_number.enter(q);
    for (Row row = 0; row < static_cast<Row>(n); ++row) CHECK(by_row.allows(row) == by_number.allows(row));
    CHECK(by_row.allowed() == by_number.allowed());
  }
}

TEST(filter_finds_rows_in_a_list) {
  samples::Draws draws(8);
  for (const std::size_t size : {0, 1, 15, 16, 17, 255, 256, 257, 1000}) {
    for (const std::size_t range : {40, 600, 5000}) {  // rows that differ by multiples of 512 share a place
      Fenced<Row> list(std::vector<Row>(size, 0));
      for (std::size_t i = 0; i < size; ++i) list.data()[i] = static_cast<Row>(draws.below(range));
      std::vector<Row> rows;
      for (std::size_t i = 0; i < most_looked_up; ++i) rows.push_back(static_cast<Row>((i * 512 + i / 3) % range));
      const std::uint32_t listed = listed_among(rows, {list.data(), size});
      for (std::size_t i = 0; i < rows.size(); ++i) {
        CHECK((listed >> i & 1) ==
              (std::find(list.data(), list.data() + size, rows[i]) != list.data() + size ? 1u : 0u));
      }
    }
  }
}

}  // namespace
