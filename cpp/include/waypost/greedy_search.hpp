// Greedy search (Algorithm 5): the N vertices that a builder links a new one to are chosen from what this finds.
//
// A level expands every vertex of the candidate set at once; what is dropped from the set stays checked. As a set
// operation it does not depend on the order within a level, so all of a level's memory can be asked for ahead.
#pragma once

#include <algorithm>
#include <functional>
#include <span>
#include <vector>

#include "waypost/key.hpp"
#include "waypost/prefetch.hpp"
#include "waypost/visited.hpp"

namespace waypost {

struct GreedySpace {
  Visited visited;
  std::vector<Key> best;  // C, in no order until the end
  std::vector<Key> newcomers;
  std::vector<Key> sorting;
  std::vector<Row> frontier;
  std::vector<Row> marked;
  std::vector<Row> fresh;
  std::vector<float> scores;
};

// Where the set ends: the key of its worst member once it holds `most`.
inline Key admission(const std::vector<Key>& best, std::size_t most) {
  if (best.size() < most) return no_key;
  return *std::min_element(best.begin(), best.end());
}

// Joins the newcomers to the set, cuts it to `most`, and leaves in `frontier` the newcomers that stayed.
inline void join(GreedySpace& space, std::size_t most) {
  Key worst = no_key;
  if (space.best.size() + space.newcomers.size() > most) {
    space.sorting.assign(space.best.begin(), space.best.end());
    space.sorting.insert(space.sorting.end(), space.newcomers.begin(), space.newcomers.end());
    const auto last = space.sorting.begin() + static_cast<std::ptrdiff_t>(most) - 1;
    std::nth_element(space.sorting.begin(), last, space.sorting.end(), std::greater<>{});
    worst = *last;
  }
  std::erase_if(space.best, [&](Key key) { return key < worst; });
  space.frontier.clear();
  for (const Key key : space.newcomers) {
    if (key < worst) continue;
    space.best.push_back(key);
    space.frontier.push_back(key_row(key));
  }
}

// Links: `of(row)` gives the neighbors of a vertex, a negative one ends them. Fills space.best, best first.
template <class Links, class Scorer>
void greedy_search(const Links& links, std::size_t vertices, const Scorer& scorer, Row entry, std::size_t most,
                   GreedySpace& space) {
  space.visited.fit(vertices);
  space.marked.clear();
  space.best.clear();
  space.newcomers.clear();
  const auto look_at = [&](std::size_t count, Key worst) {
    space.scores.resize(count);
    scorer.score(space.fresh.data(), count, space.scores.data());
    for (std::size_t i = 0; i < count; ++i) {
      const Key key = make_key(space.scores[i], space.fresh[i]);
      if (key > worst) space.newcomers.push_back(key);
    }
  };
  space.visited.insert(entry);
  space.marked.push_back(entry);
  space.fresh.assign(1, entry);
  look_at(1, no_key);
  join(space, most);
  while (!space.frontier.empty()) {
    space.newcomers.clear();
    const Key worst = admission(space.best, most);
    for (std::size_t i = 0; i < space.frontier.size(); ++i) {
      if (i + 2 < space.frontier.size()) prefetch(links.of(space.frontier[i + 2]).data(), 64);
      space.fresh.clear();
      for (const Row row : links.of(space.frontier[i])) {
        if (row < 0) break;
        if (!space.visited.insert(row)) continue;
        space.fresh.push_back(row);
        scorer.expect(row);
      }
      space.marked.insert(space.marked.end(), space.fresh.begin(), space.fresh.end());
      look_at(space.fresh.size(), worst);
    }
    join(space, most);
  }
  for (const Row row : space.marked) space.visited.forget(row);
  std::sort(space.best.begin(), space.best.end(), std::greater<>{});
}

}  // namespace waypost
