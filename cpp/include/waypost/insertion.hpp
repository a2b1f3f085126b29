// Inserting vertices one after another, in batches: every vertex of a batch is searched for, in parallel, in the graph
// as it stood before the batch; then they are linked in order. Lists of different vertices are independent of each
// other, so that the linking, too, is shared out, by the list's owner, and the graph is the same whatever the number of
// threads. With batches of one this is the printed algorithm.
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <numeric>
#include <span>
#include <vector>

#include "waypost/build.hpp"
#include "waypost/greedy_search.hpp"
#include "waypost/link_rules.hpp"
#include "waypost/links.hpp"
#include "waypost/parallel.hpp"
#include "waypost/similarity.hpp"
#include "waypost/space_pool.hpp"

namespace waypost {

// A batch stays small beside the graph that it is searched in, for its members do not see each other.
inline constexpr std::size_t batch_share = 32;
inline constexpr std::size_t largest_batch = 4096;

inline std::size_t batch_size(std::size_t inserted, std::size_t most) {
  return std::clamp<std::size_t>(inserted / batch_share, 1, most == 0 ? largest_batch : most);
}

template <class Rule>
class Insertion {
 public:
  Insertion(const Geometry& geometry, const Rule& rule, Links& links, const BuildOptions& options)
      : geometry_(geometry), rule_(rule), links_(links), options_(options) {}

  // Inserts rows[from..); `entry_of(i)` is where the search for rows[i] starts, a negative row links nothing;
  // `inserted_at(i)` is how many vertices stand in the graph when a batch begins with rows[i].
  template <class EntryOf, class InsertedAt, class Report>
  void run(std::span<const Row> rows, std::size_t from, const EntryOf& entry_of, const InsertedAt& inserted_at,
           const Report& report) {
    for (std::size_t first = from; first < rows.size();) {
      const std::size_t count = std::min(batch_size(inserted_at(first), options_.batch), rows.size() - first);
      take_turns(rows.subspan(first, count), rows.first(std::min(most_pivots, first)));
      find_neighbors(rows.subspan(first, count), first, entry_of);
      link_all(rows.subspan(first, count));
      first += count;
      report(first);
    }
  }

 private:
  struct Space {
    GreedySearch search;
    std::vector<Key> list;
    std::vector<Key> kept;
  };

  // Who of a batch is searched for after whom: those nearest to the same pivot see much the same vertices, which are
  // then in the caches. What is found does not depend on the turns.
  void take_turns(std::span<const Row> rows, std::span<const Row> pivots) {
    nearest_.resize(rows.size());
    in_chunks(rows.size(), rows_a_chunk, [&](std::size_t i, Space&) {
      float scores[most_pivots];
      geometry_.score(geometry_.of(rows[i]), pivots.data(), pivots.size(), scores);
      nearest_[i] = std::max_element(scores, scores + pivots.size()) - scores;
    });
    turns_.resize(rows.size());
    std::iota(turns_.begin(), turns_.end(), std::size_t{0});
    const auto pivot_of = [&](std::size_t i) { return nearest_[i]; };
    std::ranges::stable_sort(turns_, std::less<>{}, pivot_of);
  }

  template <class EntryOf>
  void find_neighbors(std::span<const Row> rows, std::size_t first, const EntryOf& entry_of) {
    if (chosen_.size() < rows.size()) chosen_.resize(rows.size());
    in_chunks(rows.size(), rows_a_chunk, [&](std::size_t turn, Space& space) {
      const std::size_t i = turns_[turn];
      chosen_[i].clear();
      const Row entry = entry_of(first + i);
      if (entry < 0) return;
      space.search.run(links_, geometry_.vectors.rows, PointOfView(geometry_, rows[i]), entry, options_.candidates);
      std::vector<Key>& found = space.search.best();
      std::erase_if(found, [&](Key key) { return key_row(key) == rows[i]; });
      rule_.select(found, chosen_[i]);
    });
  }

  void link_all(std::span<const Row> rows) {
    const std::size_t workers = rows.size() < 64 ? 1 : threads_used(most_threads, options_.threads);
    const std::size_t shares = workers == 1 ? 1 : 4 * workers;
    in_chunks(shares, 1, [&](std::size_t share, Space& space) {
      const auto mine = [&](Row owner) { return static_cast<std::size_t>(owner) % shares == share; };
      for (std::size_t i = 0; i < rows.size(); ++i) {
        if (mine(rows[i])) {
          adopt(rows[i], chosen_[i], space);
        }
        for (const Key key : chosen_[i]) {
          if (mine(key_row(key))) link(key_row(key), make_key(key_score(key), rows[i]), space);
        }
      }
    });
  }

  // The chosen become the vertex's neighbors. In a second round they join those it has, as far as there is room.
  void adopt(Row owner, const std::vector<Key>& chosen, Space& space) {
    read(owner, space.list);
    if (!space.list.empty()) links_.set_loose(owner, true);
    for (const Key key : chosen) {
      if (space.list.size() == links_.degree()) break;
      add(key, space.list);
    }
    links_.assign(owner, space.list);
  }

  void link(Row owner, Key newcomer, Space& space) {
    read(owner, space.list);
    if (links_.loose(owner)) {
      links_.set_loose(owner, false);
      add(newcomer, space.list);
      rule_.select(space.list, space.kept);
    } else {
      if (std::find(space.list.begin(), space.list.end(), newcomer) != space.list.end()) return;
      rule_.offer(space.list, newcomer, space.kept);
    }
    links_.assign(owner, space.kept);
  }

  void read(Row owner, std::vector<Key>& list) const {
    const std::size_t count = links_.count(owner);
    list.clear();
    for (std::size_t i = 0; i < count; ++i) list.push_back(links_.key(owner, i));
  }

  static void add(Key key, std::vector<Key>& sorted) {
    const auto place = std::lower_bound(sorted.begin(), sorted.end(), key, std::greater<>{});
    if (place == sorted.end() || *place != key) sorted.insert(place, key);
  }

  template <class Body>
  void in_chunks(std::size_t count, std::size_t width, const Body& body) {
    const std::size_t chunks = (count + width - 1) / width;
    std::vector<std::unique_ptr<Space>> spaces(threads_used(chunks, options_.threads));
    for (auto& space : spaces) space = pool_.take();
    parallel_for(chunks, options_.threads, [&](std::size_t chunk, unsigned worker) {
      for (std::size_t i = chunk * width; i < std::min(count, (chunk + 1) * width); ++i) body(i, *spaces[worker]);
    });
    for (auto& space : spaces) pool_.give_back(std::move(space));
  }

  static constexpr std::size_t rows_a_chunk = 8;
  static constexpr std::size_t most_pivots = 64;

  const Geometry& geometry_;
  const Rule& rule_;
  Links& links_;
  const BuildOptions& options_;
  std::vector<std::vector<Key>> chosen_;
  std::vector<std::ptrdiff_t> nearest_;  // the pivot of each of the batch
  std::vector<std::size_t> turns_;
  SpacePool<Space> pool_;
};

}  // namespace waypost
