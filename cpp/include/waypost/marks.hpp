// The set of vertices that a search has seen, cleared by counting on: a byte a vertex holds the number of the search
// that marked it last. Rows that stand in the order of walks share the cache lines of their bytes, which makes these
// twice as fast as a table of the vertices seen, at a million rows still. Where so many bytes would be too much for
// every walk of every thread, the table stands in their place.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "waypost/few_marks.hpp"
#include "waypost/matrix.hpp"
#include "waypost/pool_kernels.hpp"

namespace waypost {

class Marks {
 public:
  // Begins a search over rows [0, size) with none marked.
  void begin(std::size_t size) {
    outside_ = static_cast<std::uint32_t>(size);
    few_alone_ = size > most_bytes;
    if (few_alone_) return few_.begin();
    if (marks_.size() < size + 1) {
      marks_.assign(size + 1, 0);
      search_ = 0;
    }
    if (++search_ == 0) {  // all numbers were used
      std::fill(marks_.begin(), marks_.end(), std::uint8_t{0});
      search_ = 1;
    }
    marks_[size] = search_;
  }

  // Writes those of `count` rows to `fresh` that are unmarked, marks them, and says how many they are; a row outside,
  // padding too, counts as marked.
  std::size_t take_fresh(const Row* rows, std::size_t count, Row* fresh, const PoolKernels& kernel) {
    if (few_alone_) return take_few(rows, count, fresh);
    return kernel.take_fresh(marks_.data(), search_, outside_, rows, count, fresh);
  }

  // Marks one row and says whether it was unmarked before.
  bool insert(Row row) {
    if (few_alone_) return static_cast<std::uint32_t>(row) < outside_ && few_.insert(row);
    std::uint8_t& mark = marks_[std::min(static_cast<std::uint32_t>(row), outside_)];
    const bool fresh = mark != search_;
    mark = search_;
    return fresh;
  }

  // For a row inside: marks it, takes its mark away, and says whether it has one.
  void put(Row row) {
    if (few_alone_) {
      few_.insert(row);
    } else {
      marks_[static_cast<std::uint32_t>(row)] = search_;
    }
  }

  void forget(Row row) {
    if (few_alone_) {
      few_.forget(row);
    } else {
      marks_[static_cast<std::uint32_t>(row)] = 0;  // no search has this number
    }
  }

  bool holds(Row row) const {
    return few_alone_ ? few_.holds(row) : marks_[static_cast<std::uint32_t>(row)] == search_;
  }

 private:
  static constexpr std::size_t most_bytes = std::size_t{1} << 26;

  std::size_t take_few(const Row* rows, std::size_t count, Row* fresh) {
    std::size_t found = 0;
    for (std::size_t i = 0; i < count; ++i) {
      if (insert(rows[i])) fresh[found++] = rows[i];
    }
    return found;
  }

  std::vector<std::uint8_t> marks_;
  std::uint8_t search_ = 0;
  std::uint32_t outside_ = 0;  // a place of its own, always marked
  bool few_alone_ = false;
  FewMarks few_;
};

}  // namespace waypost
