// Search against the plain walk: answers, cost, re-ranking and traces, on friendly and on hostile graphs.
#include "waypost/search.hpp"

#include <limits>
#include <stdexcept>
#include <thread>

#include "check.hpp"
#include "plain_walk.hpp"
#include "samples.hpp"
#include "waypost/parallel.hpp"

namespace {

using namespace waypost;
using check::PlainWalk;

constexpr float missing = -std::numeric_limits<float>::infinity();

struct Found {
  std::vector<std::int64_t> ids;
  std::vector<float> scores;
  std::vector<std::int64_t> cost;

  bool operator==(const Found&) const = default;
};

struct Setting {
  samples::Matrix route;
  samples::Matrix rank;
  samples::Matrix queries;
  samples::Matrix rank_queries;
  std::vector<Row> neighbors;
  std::size_t degree;
  std::vector<Row> entries;
  std::size_t entry_rows;

  Setting(std::size_t n, std::size_t m, std::size_t cap)
      : route(samples::integers(n, 4, 1)),
        rank(samples::integers(n, 6, 2)),
        queries(samples::integers(m, 4, 3)),
        rank_queries(samples::integers(m, 6, 4)),
        neighbors(samples::random_graph(n, cap, 5)),
        degree(cap),
        entries{0, static_cast<Row>(n / 2)},
        entry_rows(1) {}

  void give_each_query_entries(std::size_t count) {
    samples::Draws draws(6);
    entry_rows = queries.rows;
    entries.assign(entry_rows * count, -1);
    for (Row& row : entries) row = static_cast<Row>(draws.below(route.rows));
  }

  Graph graph() const { return {neighbors.data(), route.rows, degree}; }

  std::span<const Row> entries_of(std::size_t query) const {
    const std::size_t width = entries.size() / entry_rows;
    return {entries.data() + (entry_rows == 1 ? 0 : query) * width, width};
  }

  SearchPlan plan(std::size_t k, std::size_t budget, std::size_t rerank, unsigned threads) const {
    return {graph(), route.view(), rank.view(), k, budget, rerank, threads};
  }

  Found search(const SearchPlan& plan, SpacePool<SearchSpace>& pool, std::vector<Trace>* traces = nullptr,
               const Progress& progress = {}) const {
    const std::size_t m = queries.rows;
    Found found{std::vector<std::int64_t>(m * plan.k), std::vector<float>(m * plan.k), std::vector<std::int64_t>(m)};
    const SearchQueries asked{
        queries.view(), rank_queries.view(), {entries.data(), entry_rows, entries.size() / entry_rows}};
    waypost::search(plan, asked, {found.ids.data(), found.scores.data(), found.cost.data()}, traces, pool, progress);
    return found;
  }

  PlainWalk plain_walk(const SearchPlan& plan, std::size_t query) const {
    return {graph(), route.view(), queries.view().row(query), entries_of(query), plan.budget - plan.rerank};
  }

  Found expected(const SearchPlan& plan) const {
    Found found;
    for (std::size_t q = 0; q < queries.rows; ++q) {
      const PlainWalk walk = plain_walk(plan, q);
      std::vector<Key> keys = walk.best(plan.rerank > 0 ? plan.rerank : plan.k);
      found.cost.push_back(static_cast<std::int64_t>(walk.trace().rows.size() + (plan.rerank > 0 ? keys.size() : 0)));
      if (plan.rerank > 0) rank_exactly(keys, q);
      for (std::size_t i = 0; i < plan.k; ++i) {
        found.ids.push_back(i < keys.size() ? key_row(keys[i]) : -1);
        found.scores.push_back(i < keys.size() ? key_score(keys[i]) : missing);
      }
    }
    return found;
  }

 private:
  void rank_exactly(std::vector<Key>& keys, std::size_t query) const {
    for (Key& key : keys) {
      const Row row = key_row(key);
      const float* vector = rank.view().row(static_cast<std::size_t>(row));
      key = make_key(kernels().dot(rank_queries.view().row(query), vector, rank.cols), row);
    }
    std::sort(keys.begin(), keys.end(), std::greater<>{});
  }
};

TEST(search_gives_the_best_that_the_plain_walk_saw) {
  Setting setting(300, 70, 5);
  SpacePool<SearchSpace> pool;
  for (const std::size_t budget : {1, 2, 3, 20, 64, 65, 299, 300, 1000}) {
    for (const std::size_t k : {1, 10, 301}) {
      const SearchPlan plan = setting.plan(k, budget, 0, 1);
      CHECK(setting.search(plan, pool) == setting.expected(plan));
    }
  }
}

TEST(search_starts_each_query_at_its_own_entries) {
  Setting setting(300, 9, 5);
  setting.give_each_query_entries(3);
  SpacePool<SearchSpace> pool;
  const SearchPlan plan = setting.plan(5, 50, 0, 2);
  CHECK(setting.search(plan, pool) == setting.expected(plan));
}

TEST(search_reranks_within_the_budget) {
  Setting setting(300, 70, 5);
  SpacePool<SearchSpace> pool;
  for (const std::size_t rerank : {1, 7, 30, 200}) {
    for (const std::size_t budget : {rerank + 1, rerank + 60, rerank + 500}) {
      const SearchPlan plan = setting.plan(10, budget, rerank, 2);
      CHECK(setting.search(plan, pool) == setting.expected(plan));
    }
  }
}

TEST(search_spends_the_whole_budget_and_never_more) {
  Setting setting(500, 40, 8);
  for (std::size_t i = 0; i < 500; ++i) setting.neighbors[i * 8] = static_cast<Row>((i + 1) % 500);  // all reachable
  SpacePool<SearchSpace> pool;
  for (std::size_t budget = 1; budget <= 500; budget += 41) {
    const Found found = setting.search(setting.plan(3, budget, 0, 2), pool);
    CHECK(found.cost == std::vector<std::int64_t>(40, static_cast<std::int64_t>(budget)));
  }
  const Found found = setting.search(setting.plan(3, 5000, 0, 2), pool);
  CHECK(found.cost == std::vector<std::int64_t>(40, 500));
}

TEST(search_traces_are_the_plain_walk) {
  Setting setting(300, 70, 5);
  SpacePool<SearchSpace> pool;
  for (const unsigned threads : {1u, 3u}) {
    const SearchPlan plan = setting.plan(10, 90, 20, threads);
    std::vector<Trace> traces;
    const Found found = setting.search(plan, pool, &traces);
    CHECK(found == setting.search(plan, pool));
    CHECK(traces.size() == 70);
    for (std::size_t q = 0; q < traces.size(); ++q) {
      CHECK(check::same(traces[q], setting.plain_walk(plan, q).trace()));
    }
  }
}

// A trace must make sense by itself: each vertex hangs on the list of the vertex expanded at its hop.
TEST(search_traces_are_consistent) {
  Setting setting(300, 20, 5);
  SpacePool<SearchSpace> pool;
  std::vector<Trace> traces;
  setting.search(setting.plan(10, 90, 0, 2), pool, &traces);
  for (const Trace& trace : traces) {
    for (std::size_t i = 0; i < trace.rows.size(); ++i) {
      const std::int32_t hop = trace.hops[i];
      CHECK(hop >= -1 && hop < static_cast<std::int32_t>(trace.path.size()));
      const std::size_t from = hop < 0 ? 0 : static_cast<std::size_t>(trace.path[static_cast<std::size_t>(hop)]);
      const auto list = hop < 0 ? setting.entries_of(0) : setting.graph().of(from);
      CHECK(std::find(list.begin(), list.end(), trace.rows[i]) != list.end());
      CHECK(std::count(trace.rows.begin(), trace.rows.end(), trace.rows[i]) == 1);
    }
  }
}

// A damaged file may hold anything: the sanitizers see what is read out of range.
TEST(search_reads_nothing_out_of_range_on_a_hostile_graph) {
  Setting setting(100, 70, 8);
  samples::Draws draws(9);
  constexpr Row least = std::numeric_limits<Row>::min();
  constexpr Row most = std::numeric_limits<Row>::max();
  const std::vector<Row> bad{-1, -2, 100, 101, 128, 6400, most, least, 1 << 30};
  for (std::size_t i = 0; i < setting.neighbors.size(); ++i) {
    const std::size_t kind = draws.below(10);
    const Row self = static_cast<Row>(i / 8);
    setting.neighbors[i] = kind == 0  ? bad[draws.below(bad.size())]
                           : kind < 3 ? self
                           : kind < 5 ? setting.neighbors[i - i % 8]
                                      : static_cast<Row>(draws.below(100));
  }
  setting.give_each_query_entries(4);
  for (std::size_t i = 1; i < setting.entries.size(); i += 3) setting.entries[i] = bad[draws.below(bad.size())];
  SpacePool<SearchSpace> pool;
  for (const std::size_t budget : {5, 60, 1000}) {
    const SearchPlan plan = setting.plan(10, budget, 4, 2);
    CHECK(setting.search(plan, pool) == setting.expected(plan));
  }
}

TEST(search_gives_the_same_on_any_number_of_threads) {
  Setting setting(400, 500, 6);
  SpacePool<SearchSpace> pool;
  const Found expected = setting.search(setting.plan(10, 100, 20, 1), pool);
  for (unsigned threads = 2; threads <= 4; ++threads) {
    CHECK(setting.search(setting.plan(10, 100, 20, threads), pool) == expected);
  }
}

TEST(search_serves_several_callers_through_one_pool_of_spaces) {
  const Setting setting(400, 130, 6);
  SpacePool<SearchSpace> pool;
  const Found expected = setting.search(setting.plan(10, 100, 20, 1), pool);
  std::atomic<int> good{0};
  std::vector<std::thread> callers;
  for (unsigned caller = 0; caller < 4; ++caller) {
    callers.emplace_back([&, caller] {
      for (int i = 0; i < 8; ++i) {
        good += setting.search(setting.plan(10, 100, 20, caller % 2 + 1), pool) == expected ? 1 : 0;
      }
    });
  }
  for (std::thread& caller : callers) caller.join();
  CHECK(good == 4 * 8);
}

TEST(search_stops_when_progress_throws_and_works_again) {
  const Setting setting(200, 300, 6);
  SpacePool<SearchSpace> pool;
  for (const unsigned threads : {1u, 3u}) {
    const SearchPlan plan = setting.plan(10, 100, 0, threads);
    const Found expected = setting.search(plan, pool);
    const auto stop = [](std::size_t, std::size_t) { throw std::runtime_error("enough"); };
    const auto stopped = [&] { setting.search(plan, pool, nullptr, stop); };
    // With helpers about, the calling thread may come too late for a chunk, and is then not asked.
    if (threads == 1) CHECK_THROWS(std::runtime_error, stopped());
    if (threads > 1) check::throws<std::runtime_error>(stopped);
    CHECK(setting.search(plan, pool) == expected);
  }
}

TEST(search_survives_products_that_overflow) {
  Setting setting(100, 10, 5);
  for (float& value : setting.route.values) value *= 1e30f;
  for (float& value : setting.queries.values) value *= 1e30f;
  SpacePool<SearchSpace> pool;
  const Found found = setting.search(setting.plan(10, 50, 0, 2), pool);
  for (const std::int64_t row : found.ids) CHECK(row >= -1 && row < 100);
}

// Answers go without the bias, and kinds of queries are paid from the budget.
TEST(search_goes_by_a_bias_and_by_kinds) {
  const Setting setting(300, 40, 5);
  const samples::Matrix bias = samples::integers(4, 300, 7);
  const samples::Matrix centroids = samples::integers(3, 4, 8);
  const std::vector<Row> seeds{4, 9, 200, -1, 17, 3};
  SpacePool<SearchSpace> pool;
  for (const bool by_kind : {false, true}) {
    SearchPlan plan = setting.plan(10, 60, 0, 2);
    plan.bias = bias.view();
    plan.bias_scale = 0.5f;
    plan.codebook = {centroids.view(), {seeds.data(), 3, 2}};
    plan.by_kind = by_kind;
    std::vector<Trace> traces;
    const Found found = setting.search(plan, pool, &traces);
    for (std::size_t q = 0; q < setting.queries.rows; ++q) {
      const float* query = setting.queries.view().row(q);
      const std::size_t kind = kind_of(query, centroids.view());
      CHECK(traces[q].rows[0] == (by_kind ? seeds[2 * kind] : 0));
      CHECK(found.cost[q] == static_cast<std::int64_t>(traces[q].rows.size() + (by_kind ? 3 : 0)));
      CHECK(found.cost[q] <= 60);
      for (std::size_t i = 0; i < traces[q].rows.size(); ++i) {
        const auto row = static_cast<std::size_t>(traces[q].rows[i]);
        const float exact = kernels().dot(query, setting.route.view().row(row), 4);
        CHECK(traces[q].scores[i] == exact + 0.5f * bias.view().row(by_kind ? 1 + kind : 0)[row]);
        CHECK(found.scores[q * 10] >= exact);
      }
    }
  }
}

TEST(search_answers_no_queries) {
  Setting setting(10, 0, 2);
  SpacePool<SearchSpace> pool;
  std::vector<Trace> traces(3);
  CHECK(setting.search(setting.plan(2, 5, 0, 2), pool, &traces).ids.empty());
  CHECK(traces.empty());
}

}  // namespace
