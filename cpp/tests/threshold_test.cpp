// The bisection that cuts a set of keys, and the greedy search that it serves.
#include "check.hpp"
#include "samples.hpp"
#include "waypost/greedy_search.hpp"
#include "waypost/links.hpp"
#include "waypost/scorer.hpp"

namespace {

using namespace waypost;

std::vector<Key> falling(std::vector<Key> keys) {
  std::sort(keys.begin(), keys.end(), std::greater<>{});
  return keys;
}

// The threshold lies at or below the last that stays and above the first that goes.
bool cuts(const std::vector<Key>& keys, std::size_t most) {
  const std::vector<Key> sorted = falling(keys);
  const Key limit = threshold(keys, most);
  return sorted[most - 1] >= limit && sorted[most] < limit;
}

TEST(threshold_cuts_where_sorting_does) {
  samples::Draws draws(1);
  for (std::size_t count = 2; count <= 200; count += count < 20 ? 1 : 37) {
    std::vector<Key> keys;
    for (std::size_t i = 0; i < count; ++i) keys.push_back(make_key(draws.between(-5, 5), static_cast<Row>(i)));
    for (std::size_t most = 1; most < count; ++most) CHECK(cuts(keys, most));
  }
}

TEST(threshold_cuts_among_scores_that_tie) {
  std::vector<Key> keys;
  for (Row row = 0; row < 60; ++row) keys.push_back(make_key(row % 3 == 0 ? -1.0f : 1.0f, row));
  for (std::size_t most = 1; most < 60; ++most) CHECK(cuts(keys, most));
}

TEST(threshold_cuts_between_neighboring_integers) {
  std::vector<Key> keys{0, 1, 2, 3, ~Key{0} - 1};
  for (std::size_t most = 1; most < keys.size(); ++most) CHECK(cuts(keys, most));
}

Links links_of(const std::vector<Row>& neighbors, std::size_t n, std::size_t degree) {
  Links links(n, degree);
  for (std::size_t i = 0; i < n; ++i) {
    std::vector<Key> keys;
    for (std::size_t j = i * degree; j < (i + 1) * degree && neighbors[j] >= 0; ++j) {
      keys.push_back(make_key(0.0f, neighbors[j]));
    }
    links.assign(static_cast<Row>(i), keys);
  }
  return links;
}

Key key_of(const samples::Matrix& items, const float* query, Row row) {
  return make_key(kernels().dot(query, items.view().row(static_cast<std::size_t>(row)), items.cols), row);
}

// Algorithm 5 a level at a time, on sorted vectors.
std::vector<Key> plain_greedy(const Links& links, const samples::Matrix& items, const float* query, Row entry,
                              std::size_t most) {
  std::vector<char> checked(items.rows, 0);
  checked[static_cast<std::size_t>(entry)] = 1;
  std::vector<Key> best{key_of(items, query, entry)};
  for (std::vector<Key> frontier = best; !frontier.empty();) {
    std::vector<Key> fresh;
    for (const Key key : frontier) {
      for (const Row row : links.of(key_row(key))) {
        if (row < 0 || checked[static_cast<std::size_t>(row)]++ != 0) continue;
        fresh.push_back(key_of(items, query, row));
      }
    }
    best.insert(best.end(), fresh.begin(), fresh.end());
    best = falling(best);
    best.resize(std::min(best.size(), most));
    std::erase_if(fresh, [&](Key key) { return key < best.back(); });
    frontier = fresh;
  }
  return best;
}

void check_greedy_search(const samples::Matrix& items, std::uint64_t seed, GreedySearch& search) {
  const std::size_t n = items.rows;
  const auto query = samples::integers(1, items.cols, 40 + seed);
  const Links links = links_of(samples::random_graph(n, 7, seed), n, 7);
  for (const std::size_t most : {1, 2, 5, 10, 100, 400}) {
    search.run(links, n, InnerProduct(query.values.data(), items.view()), static_cast<Row>(seed), most);
    CHECK(search.best() == plain_greedy(links, items, query.values.data(), static_cast<Row>(seed), most));
  }
}

TEST(greedy_search_is_the_plain_one) {
  GreedySearch search;
  for (std::uint64_t seed = 0; seed < 12; ++seed) check_greedy_search(samples::integers(300, 4, seed), seed, search);
}

// The keys are then consecutive integers, and the threshold is the worst that stays.
TEST(greedy_search_is_the_plain_one_where_all_tie) {
  GreedySearch search;
  for (std::uint64_t seed = 0; seed < 40; ++seed) check_greedy_search(samples::constant(150, 4, 1), seed, search);
}

}  // namespace
