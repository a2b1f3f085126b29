#include "waypost/link_rules.hpp"

#include <algorithm>
#include <functional>

namespace waypost {
namespace {

std::size_t place_of(Key newcomer, std::span<const Key> list) {
  return static_cast<std::size_t>(std::lower_bound(list.begin(), list.end(), newcomer, std::greater<>{}) -
                                  list.begin());
}

}  // namespace

void KeepNearest::select(std::span<const Key> candidates, std::vector<Key>& kept) const {
  const auto nearest = candidates.first(std::min(candidates.size(), degree_));
  kept.assign(nearest.begin(), nearest.end());
}

void KeepNearest::offer(std::span<const Key> list, Key newcomer, std::vector<Key>& kept) const {
  const std::size_t place = place_of(newcomer, list);
  kept.assign(list.begin(), list.end());
  kept.insert(kept.begin() + static_cast<std::ptrdiff_t>(place), newcomer);
  if (kept.size() > degree_) kept.pop_back();
}

bool KeepDiverse::dominated(Key candidate, std::span<const Key> kept) const {
  constexpr std::size_t at_once = 4;
  Row rows[at_once];
  float scores[at_once];
  const float* point = geometry_.of(key_row(candidate));
  const float limit = bound(candidate);
  for (std::size_t first = 0; first < kept.size(); first += at_once) {
    const std::size_t count = std::min(at_once, kept.size() - first);
    for (std::size_t i = 0; i < count; ++i) rows[i] = key_row(kept[first + i]);
    geometry_.score(point, rows, count, scores);
    for (std::size_t i = 0; i < count; ++i) {
      if (scores[i] > limit && rows[i] != silent_) return true;
    }
  }
  return false;
}

void KeepDiverse::select(std::span<const Key> candidates, std::vector<Key>& kept) const {
  kept.clear();
  for (const Key candidate : candidates) {
    if (kept.size() == degree_) break;
    if (!dominated(candidate, kept)) kept.push_back(candidate);
  }
}

void KeepDiverse::offer(std::span<const Key> list, Key newcomer, std::vector<Key>& kept) const {
  const std::size_t place = place_of(newcomer, list);
  kept.assign(list.begin(), list.end());
  if (place == degree_ || dominated(newcomer, list.first(place))) return;
  kept.resize(place);
  kept.push_back(newcomer);
  std::vector<Row> rows;
  for (const Key later : list.subspan(place)) rows.push_back(key_row(later));
  std::vector<float> scores(rows.size());
  geometry_.score(geometry_.of(key_row(newcomer)), rows.data(), rows.size(), scores.data());
  for (std::size_t i = 0; i < rows.size() && kept.size() < degree_; ++i) {
    if (scores[i] <= bound(list[place + i]) || key_row(newcomer) == silent_) kept.push_back(list[place + i]);
  }
}

}  // namespace waypost
