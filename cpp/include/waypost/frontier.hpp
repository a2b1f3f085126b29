// The candidates of a best-first walk, unbounded: vertices seen and not yet expanded.
//
// Keys lie in blocks of 64 in the order in which they came, with the largest of each block kept beside. Adding is an
// append; taking the best looks at one number a block and at one block. For the few hundred to some ten thousand
// candidates of a walk this beats a heap, and what was seen stays in order for whoever wants to know.
#pragma once

#include <algorithm>
#include <vector>

#include "waypost/kernels.hpp"
#include "waypost/key.hpp"

namespace waypost {

class Frontier {
 public:
  void clear() { count_ = 0; }

  void push(Key key) {
    const std::size_t block = count_ / width;
    if (count_ % width == 0) open_block(block);
    keys_[count_++] = key;
    best_[block] = std::max(best_[block], key);
  }

  // The best candidate, still in place; no_key when none is left.
  Key peek(const Kernels& kernel) const { return count_ == 0 ? no_key : kernel.largest(best_.data(), padded_blocks()); }

  // Takes out the key that peek gave.
  void remove(Key key, const Kernels& kernel) {
    const std::size_t block = find(best_.data(), key);
    Key* keys = keys_.data() + block * width;
    keys[find(keys, key)] = no_key;
    best_[block] = kernel.largest(keys, width);
  }

 private:
  static constexpr std::size_t width = 64;

  std::size_t padded_blocks() const { return ((count_ + width - 1) / width + 7) / 8 * 8; }

  static std::size_t find(const Key* keys, Key key) {
    std::size_t i = 0;
    while (keys[i] != key) ++i;
    return i;
  }

  void open_block(std::size_t block) {
    const std::size_t needed = (block + 1) * width;
    if (keys_.size() < needed) keys_.resize(2 * needed);
    std::fill_n(keys_.begin() + static_cast<std::ptrdiff_t>(block * width), width, no_key);
    if (block % 8 == 0) {
      if (best_.size() < block + 8) best_.resize(2 * (block + 8));
      std::fill_n(best_.begin() + static_cast<std::ptrdiff_t>(block), 8, no_key);
    }
  }

  std::vector<Key> keys_;
  std::vector<Key> best_;
  std::size_t count_ = 0;
};

}  // namespace waypost
