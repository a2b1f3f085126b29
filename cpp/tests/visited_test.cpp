// The set of vertices that a walk has seen.
#include "waypost/visited.hpp"

#include <set>

#include "check.hpp"
#include "samples.hpp"

namespace {

using namespace waypost;

TEST(visited_says_what_is_fresh) {
  for (const std::size_t size : {1, 63, 64, 65, 1000}) {
    samples::Draws draws(size);
    Visited visited;
    visited.fit(size);
    std::set<Row> expected;
    for (int i = 0; i < 3000; ++i) {
      const auto row = static_cast<Row>(draws.below(size));
      CHECK(visited.insert(row) == expected.insert(row).second);
    }
    CHECK(!visited.insert(*expected.rbegin()));
  }
}

TEST(visited_is_empty_once_all_are_forgotten) {
  samples::Draws draws(7);
  Visited visited;
  visited.fit(500);
  std::vector<Row> marked;
  for (int i = 0; i < 200; ++i) {
    marked.push_back(static_cast<Row>(draws.below(500)));
    visited.insert(marked.back());
  }
  for (const Row row : marked) visited.forget(row);
  for (Row row = 0; row < 500; ++row) CHECK(visited.insert(row));
}

TEST(visited_fits_a_larger_graph_and_stays_when_one_is_smaller) {
  Visited visited;
  visited.fit(64);
  CHECK(visited.insert(63));
  visited.forget(63);
  visited.fit(6400);
  CHECK(visited.insert(6399));
  visited.fit(10);
  CHECK(!visited.insert(6399));
}

}  // namespace
