// The pool search as a whole: a pool of everything against the plain walk, on any number of threads, with codes, a
// bias, a filter and on hostile graphs.
#include "waypost/pool_search.hpp"

#include <stdexcept>

#include "check.hpp"
#include "plain_walk.hpp"
#include "samples.hpp"

namespace {

using namespace waypost;
using check::PlainWalk;

struct Found {
  std::vector<std::int64_t> ids;
  std::vector<float> scores;
  std::vector<std::int64_t> cost;

  bool operator==(const Found&) const = default;
};

struct Setting {
  static constexpr std::size_t n = 240;
  static constexpr std::size_t m = 150;
  samples::Matrix items = samples::integers(n, 5, 1);
  samples::Matrix queries = samples::integers(m, 5, 2);
  std::vector<Row> neighbors = samples::random_graph(n, 6, 3);
  std::vector<Row> entries{0, 100, 17, -1, 17};
  std::vector<std::uint8_t> codes = std::vector<std::uint8_t>(n * 5);
  std::vector<float> scales = std::vector<float>(n);
  samples::Matrix bias = samples::integers(1, n, 4);

  Setting() { encode(items.view(), 1, codes.data(), scales.data()); }

  PoolPlan plan(std::size_t pool) const {
    PoolPlan plan;
    plan.graph = {neighbors.data(), n, 6};
    plan.route = plan.rank = items.view();
    plan.k = 7;
    plan.pool = pool;
    plan.threads = 1;
    return plan;
  }

  Found search(const PoolPlan& plan, const Progress& progress = {}) const {
    Found found{std::vector<std::int64_t>(m * plan.k), std::vector<float>(m * plan.k), std::vector<std::int64_t>(m)};
    SpacePool<PoolSearchSpace> spaces;
    const SearchQueries asked{queries.view(), queries.view(), {entries.data(), 1, entries.size()}};
    pool_search(plan, asked, {found.ids.data(), found.scores.data(), found.cost.data()}, spaces, progress);
    return found;
  }

  // The best of all that can be reached.
  Found everything(std::size_t k) const {
    Found found;
    const std::vector<Row> sound{0, 100, 17};  // in the plain walk, -1 ends a list
    for (std::size_t q = 0; q < m; ++q) {
      const PlainWalk walk({neighbors.data(), n, 6}, items.view(), queries.view().row(q), sound, n + 1);
      for (const Key key : walk.best(k)) {
        found.ids.push_back(key_row(key));
        found.scores.push_back(key_score(key));
      }
      found.cost.push_back(static_cast<std::int64_t>(walk.trace().rows.size()));
    }
    return found;
  }
};

TEST(pool_search_with_room_for_everything_is_the_plain_walk) {
  const Setting setting;
  CHECK(setting.search(setting.plan(Setting::n)) == setting.everything(7));
  PoolPlan biased = setting.plan(Setting::n);
  biased.bias = setting.bias.view();
  biased.bias_scale = 0.5f;
  CHECK(setting.search(biased) == setting.everything(7));
  PoolPlan coded = setting.plan(Setting::n);
  coded.codes = {setting.codes.data(), setting.scales.data(), Setting::n, 5};
  coded.rerank = Setting::n;
  const Found found = setting.search(coded);
  CHECK(found.ids == setting.everything(7).ids && found.scores == setting.everything(7).scores);
}

TEST(pool_search_does_not_depend_on_threads) {
  const Setting setting;
  std::vector<std::int64_t> offsets{0};
  std::vector<Row> excluded;
  for (std::size_t q = 0; q < Setting::m; ++q) {
    for (std::size_t i = 0; i < q % 9; ++i) excluded.push_back(static_cast<Row>((q * 31 + i * 7) % Setting::n));
    offsets.push_back(static_cast<std::int64_t>(excluded.size()));
  }
  FilterLists lists(Setting::n);
  lists.exclude(offsets, excluded.data());
  for (const bool coded : {false, true}) {
    for (const FilterLists* filter :
         {static_cast<const FilterLists*>(nullptr), static_cast<const FilterLists*>(&lists)}) {
      PoolPlan plan = setting.plan(11);
      if (coded) plan.codes = {setting.codes.data(), setting.scales.data(), Setting::n, 5};
      plan.rerank = coded ? 9 : 0;
      plan.filter = filter;
      const Found alone = setting.search(plan);
      for (const unsigned threads : {2u, 5u}) {
        plan.threads = threads;
        CHECK(setting.search(plan) == alone);
      }
      for (std::size_t q = 0; q < Setting::m && filter != nullptr; ++q) {
        for (const Row row : filter->excluded(q)) {
          const auto begin = alone.ids.begin() + static_cast<std::ptrdiff_t>(q * plan.k);
          CHECK(std::find(begin, begin + static_cast<std::ptrdiff_t>(plan.k), row) ==
                begin + static_cast<std::ptrdiff_t>(plan.k));
        }
      }
    }
  }
}

TEST(pool_search_names_answers_by_the_callers_ids) {
  const Setting setting;
  PoolPlan plan = setting.plan(20);
  const Found rows = setting.search(plan);
  std::vector<std::int64_t> own;
  for (std::size_t i = 0; i < Setting::n; ++i) own.push_back(static_cast<std::int64_t>(i) + 1000);
  plan.own_ids = own.data();
  const Found named = setting.search(plan);
  for (std::size_t i = 0; i < rows.ids.size(); ++i) CHECK(named.ids[i] == (rows.ids[i] < 0 ? -1 : rows.ids[i] + 1000));
}

TEST(pool_search_survives_hostile_graphs_and_small_budgets) {
  Setting setting;
  samples::Draws draws(9);
  for (Row& row : setting.neighbors) {
    if (draws.below(3) == 0) row = static_cast<Row>(static_cast<std::uint32_t>(draws.bits()));
  }
  for (const std::size_t budget : {1, 2, 5, 50}) {
    PoolPlan plan = setting.plan(13);
    plan.budget = budget;
    const Found found = setting.search(plan);
    for (const std::int64_t cost : found.cost) CHECK(cost <= static_cast<std::int64_t>(budget));
    for (const std::int64_t id : found.ids) CHECK(id >= -1 && id < static_cast<std::int64_t>(Setting::n));
  }
}

TEST(pool_search_ends_when_its_progress_throws) {
  const Setting setting;
  const auto stop = [](std::size_t, std::size_t) { throw std::runtime_error("enough"); };
  CHECK_THROWS(std::runtime_error, setting.search(setting.plan(9), stop));
}

}  // namespace
