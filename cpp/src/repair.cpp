// Makes a graph strongly connected without exceeding its degree.
//
// First a tree of edges from the root to every vertex, then, for each vertex, a way back to the root. Edges that one of
// these depends on are kept; any other may give its place to a new edge. There is always a place: a tree has leaves.
#include <algorithm>
#include <numeric>

#include "insertion_order.hpp"
#include "waypost/greedy_search.hpp"
#include "waypost/reach.hpp"
#include "waypost/similarity.hpp"

namespace waypost {
namespace {

class Repair {
 public:
  Repair(Vectors items, std::vector<Row>& neighbors, std::size_t degree, std::size_t fixed, Row root,
         std::size_t candidates, const Progress& progress)
      : geometry_{items, Similarity::inner_product},
        neighbors_(neighbors),
        degree_(degree),
        fixed_(fixed),
        root_(root),
        candidates_(candidates),
        progress_(progress),
        kept_(neighbors.size(), 0),
        found_(items.rows, 0) {}

  std::size_t run() {
    make_all_reachable();
    std::fill(found_.begin(), found_.end(), 0);
    make_all_return();
    return added_;
  }

  // What greedy_search walks on.
  std::span<const Row> of(Row vertex) const { return {neighbors_.data() + offset(vertex), degree_}; }

 private:
  static constexpr std::size_t nowhere = ~std::size_t{0};

  std::size_t offset(Row vertex) const { return static_cast<std::size_t>(vertex) * degree_; }
  std::size_t size() const { return found_.size(); }
  char& found(Row vertex) { return found_[static_cast<std::size_t>(vertex)]; }

  // A place for one more edge of the vertex: a free one, or that of the worst edge nothing depends on.
  std::size_t place(Row vertex) const {
    std::size_t best = nowhere;
    for (std::size_t i = offset(vertex) + fixed_; i < offset(vertex) + degree_; ++i) {
      if (neighbors_[i] < 0) return i;
      if (kept_[i] == 0) best = i;
    }
    return best;
  }

  void link(std::size_t at, Row to) {
    neighbors_[at] = to;
    kept_[at] = 1;
    ++added_;
  }

  void find_near(Row vertex) { search_.run(*this, size(), PointOfView(geometry_, vertex), root_, candidates_); }

  void tell(std::size_t done) {
    if (progress_) progress_(done, 2 * size());
  }

  void make_all_reachable() {
    spread_from(root_);
    for (const Row row : by_falling_norm()) {
      if (found(row) != 0) continue;
      link(place_towards(row), row);
      spread_from(row);
      tell(tree_.size());
    }
  }

  // The items most likely to be answers choose their place first.
  std::vector<Row> by_falling_norm() const {
    std::vector<double> norms(size());
    for (std::size_t i = 0; i < size(); ++i) norms[i] = squared_norm(geometry_.vectors, i);
    std::vector<Row> order(size());
    std::iota(order.begin(), order.end(), Row{0});
    std::stable_sort(order.begin(), order.end(), [&](Row a, Row b) {
      return norms[static_cast<std::size_t>(a)] > norms[static_cast<std::size_t>(b)];
    });
    return order;
  }

  // Where the nearest vertex with a place to give would link to this one; the walk sees nothing but reachable ones.
  std::size_t place_towards(Row row) {
    find_near(row);
    for (const Key key : search_.best()) {
      const std::size_t at = place(key_row(key));
      if (at != nowhere) return at;
    }
    // Any other will do. What is passed over has no place left, and gets none back.
    while (place(tree_[spare_]) == nowhere) ++spare_;
    return place(tree_[spare_]);
  }

  void spread_from(Row start) {
    found(start) = 1;
    queue_.assign(1, start);
    for (std::size_t next = 0; next < queue_.size(); ++next) {
      for (std::size_t i = offset(queue_[next]); i < offset(queue_[next]) + degree_; ++i) {
        const Row row = neighbors_[i];
        if (row < 0 || found(row) != 0) continue;
        found(row) = 1;
        kept_[i] = 1;
        queue_.push_back(row);
      }
    }
    tree_.insert(tree_.end(), queue_.begin(), queue_.end());
  }

  void make_all_return() {
    const Reversed reversed = reverse({neighbors_.data(), size(), degree_});
    return_through(root_, reversed);
    // A vertex without a place has descendants with one: they come first, and it may return through them.
    for (bool all = false; !all;) {
      all = true;
      for (std::size_t i = 0; i < size(); ++i) {
        const auto row = static_cast<Row>(i);
        if (found(row) != 0) continue;
        const std::size_t at = place(row);
        if (at == nowhere) {
          all = false;
          continue;
        }
        link(at, nearest_that_returns(row));
        return_through(row, reversed);
        tell(size() + i);
      }
    }
  }

  Row nearest_that_returns(Row row) {
    find_near(row);
    for (const Key key : search_.best()) {
      if (found(key_row(key)) != 0) return key_row(key);
    }
    return root_;
  }

  void return_through(Row start, const Reversed& reversed) {
    found(start) = 1;
    queue_.assign(1, start);
    for (std::size_t next = 0; next < queue_.size(); ++next) {
      for (const Row source : reversed.into(queue_[next])) {
        if (found(source) != 0) continue;
        const std::size_t begin = offset(source);
        const auto list = neighbors_.begin() + static_cast<std::ptrdiff_t>(begin);
        const auto edge = std::find(list, list + static_cast<std::ptrdiff_t>(degree_), queue_[next]);
        const auto at = static_cast<std::size_t>(edge - list);
        if (at == degree_) continue;  // replaced since
        found(source) = 1;
        kept_[begin + at] = 1;
        queue_.push_back(source);
      }
    }
  }

  Geometry geometry_;
  std::vector<Row>& neighbors_;
  std::size_t degree_;
  std::size_t fixed_;
  Row root_;
  std::size_t candidates_;
  const Progress& progress_;
  std::vector<char> kept_;   // an edge that something depends on
  std::vector<char> found_;  // reached from the root, later: returns to it
  std::vector<Row> queue_;
  GreedySearch search_;
  std::vector<Row> tree_;  // what is reached from the root, in the order in which it was
  std::size_t spare_ = 0;
  std::size_t added_ = 0;
};

}  // namespace

std::size_t repair(Vectors items, std::vector<Row>& neighbors, std::size_t degree, Row root, std::size_t candidates,
                   const Progress& progress, std::size_t fixed) {
  return Repair(items, neighbors, degree, fixed, root, candidates, progress).run();
}

}  // namespace waypost
