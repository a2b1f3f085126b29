// The set of vertices that a search of a very large graph has seen: a table of those alone. It takes as much memory as
// the search sees vertices, some thousands, whatever the size of the graph, and it is cleared by counting on.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "waypost/matrix.hpp"

namespace waypost {

class FewMarks {
 public:
  // Begins a search with nothing marked.
  void begin() {
    if (slots_.empty()) resize(first_size);
    if (++search_ == 0) {  // all numbers were used
      std::fill(slots_.begin(), slots_.end(), Slot{});
      search_ = 1;
    }
    count_ = 0;
  }

  // Marks a row and says whether it was unmarked before.
  bool insert(Row row) {
    Slot& slot = slots_[place_of(row)];
    if (slot.search == search_) return false;
    slot = {search_, row};
    if (++count_ * 2 > slots_.size()) grow();
    return true;
  }

  // Takes a mark away; its place stays taken.
  void forget(Row row) {
    Slot& slot = slots_[place_of(row)];
    if (slot.search == search_) slot.row = nobody;
  }

  bool holds(Row row) const { return slots_[place_of(row)].search == search_; }

 private:
  struct Slot {
    std::uint32_t search = 0;
    Row row = 0;
  };

  static constexpr std::size_t first_size = 4096;
  static constexpr Row nobody = -1;

  // Where the row stands, or the free place where it would.
  std::size_t place_of(Row row) const {
    std::size_t place = (static_cast<std::uint32_t>(row) * 0x9E3779B1u) >> shift_;
    while (slots_[place].search == search_ && slots_[place].row != row) place = (place + 1) & (slots_.size() - 1);
    return place;
  }

  void resize(std::size_t size) {
    slots_.assign(size, Slot{});
    shift_ = 32;
    for (; size > 1; size /= 2) --shift_;
  }

  void grow() {
    const std::vector<Slot> before = slots_;
    resize(2 * before.size());  // those taken by nobody count on, which is no harm
    for (const Slot& slot : before) {
      if (slot.search == search_ && slot.row != nobody) slots_[place_of(slot.row)] = slot;
    }
  }

  std::vector<Slot> slots_;  // a power of two of them, at most half of them taken
  unsigned shift_ = 0;
  std::uint32_t search_ = 0;
  std::size_t count_ = 0;
};

}  // namespace waypost
