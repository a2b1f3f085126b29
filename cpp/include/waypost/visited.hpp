// The set of vertices a walk has seen: one bit each, so that it stays in the first cache levels.
#pragma once

#include <cstdint>
#include <vector>

#include "waypost/matrix.hpp"

namespace waypost {

class Visited {
 public:
  void fit(std::size_t size) {
    if (words_.size() * 64 < size) words_.assign((size + 63) / 64, 0);
  }

  // Marks the row and says whether it was unmarked before.
  bool insert(Row row) {
    std::uint64_t& word = words_[static_cast<std::uint32_t>(row) >> 6];
    const std::uint64_t bit = std::uint64_t{1} << (static_cast<std::uint32_t>(row) & 63);
    const bool fresh = (word & bit) == 0;
    word |= bit;
    return fresh;
  }

  // Wipes the row's whole word, so a walk cleans up in as many steps as it made, however large the graph is: name every
  // row that was marked.
  void forget(Row row) { words_[static_cast<std::uint32_t>(row) >> 6] = 0; }

 private:
  std::vector<std::uint64_t> words_;
};

}  // namespace waypost
