// The exact search of a filter's allowed rows: what a walk gives way to where little is allowed.
#pragma once

#include <array>
#include <vector>

#include "waypost/best_keys.hpp"
#include "waypost/filter.hpp"
#include "waypost/scorer.hpp"

namespace waypost {

// Leaves the k best of the allowed rows in `best`, best first, and says how many products that took.
inline std::size_t scan_allowed(const RowFilter& filter, const InnerProduct& product, std::size_t k,
                                std::vector<Key>& best) {
  constexpr std::size_t at_once = 64;
  std::array<Row, at_once> rows{};
  std::array<float, at_once> scores{};
  std::size_t count = 0;
  std::size_t cost = 0;
  BestKeys keys(k);
  const auto score = [&] {
    product.score(rows.data(), count, scores.data());
    for (std::size_t i = 0; i < count; ++i) {
      if (scores[i] > keys.threshold()) keys.push(make_key(scores[i], rows[i]));
    }
    cost += count;
    count = 0;
  };
  filter.each_allowed([&](Row row) {
    product.expect(row);
    rows[count++] = row;
    if (count == at_once) score();
  });
  score();
  const std::span<const Key> found = keys.sorted();
  best.assign(found.begin(), found.end());
  return cost;
}

}  // namespace waypost
