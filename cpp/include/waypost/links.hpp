// The graph while it is built: each vertex's neighbors, best first, with the score of every edge.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "waypost/huge_pages.hpp"
#include "waypost/key.hpp"

namespace waypost {

class Links {
 public:
  Links(std::size_t vertices, std::size_t degree)
      : degree_(degree), rows_(vertices * degree, Row{-1}), scores_(vertices * degree), loose_(vertices, 0) {}

  std::size_t degree() const { return degree_; }

  // All places of the vertex's list; the first -1 ends it.
  std::span<const Row> of(Row vertex) const { return {rows_.data() + offset(vertex), degree_}; }

  std::size_t count(Row vertex) const {
    const auto list = of(vertex);
    return static_cast<std::size_t>(std::find(list.begin(), list.end(), Row{-1}) - list.begin());
  }

  Key key(Row vertex, std::size_t place) const {
    return make_key(scores_[offset(vertex) + place], rows_[offset(vertex) + place]);
  }

  // Whether the list holds neighbors that no selection looked at together.
  bool loose(Row vertex) const { return loose_[static_cast<std::size_t>(vertex)] != 0; }
  void set_loose(Row vertex, bool loose) { loose_[static_cast<std::size_t>(vertex)] = loose ? 1 : 0; }

  // Replaces the vertex's list.
  void assign(Row vertex, std::span<const Key> keys) {
    for (std::size_t i = 0; i < degree_; ++i) {
      rows_[offset(vertex) + i] = i < keys.size() ? key_row(keys[i]) : Row{-1};
      if (i < keys.size()) scores_[offset(vertex) + i] = key_score(keys[i]);
    }
  }

  LargeVector<Row> take_rows() { return std::move(rows_); }

 private:
  std::size_t offset(Row vertex) const { return static_cast<std::size_t>(vertex) * degree_; }

  std::size_t degree_;
  LargeVector<Row> rows_;
  LargeVector<float> scores_;
  std::vector<char> loose_;
};

}  // namespace waypost
