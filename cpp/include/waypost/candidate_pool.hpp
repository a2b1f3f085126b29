// The best keys of what a search has seen, in order, and no more of them than were asked for.
#pragma once

#include <cstdint>
#include <vector>

#include "waypost/pool_kernels.hpp"
#include "waypost/pool_key.hpp"

namespace waypost {

class CandidatePool {
 public:
  void reset(std::size_t size) {
    size_ = size;
    blocks_.assign((size + keys_a_block - 1) / keys_a_block, Block{});
  }

  void offer(const float* scores, const Row* rows, std::size_t count, const PoolKernels& kernel) {
    kernel.offer(own_keys(), size_, scores, rows, count);
  }

  // Calls each(row) for the best vertices that are still open, at most so many, and closes them; says how many they
  // are.
  template <class Each>
  std::size_t expand(std::size_t most, const PoolKernels& kernel, const Each& each) {
    std::size_t block = 0;
    for (std::size_t count = 0; count < most; ++count) {
      const std::size_t place = block + kernel.first_open(keys() + block, size_ - block);
      if (place >= size_) return count;
      own_keys()[place] &= ~open_bit;
      each(pool_row(keys()[place]));
      block = place / keys_a_block * keys_a_block;
    }
    return most;
  }

  std::size_t size() const { return size_; }

  // Best first; zero behind the last.
  const PoolKey* keys() const { return blocks_.data()->keys; }

 private:
  static constexpr std::size_t keys_a_block = 8;

  struct alignas(64) Block {  // one register, one cache line
    PoolKey keys[keys_a_block] = {};
  };

  PoolKey* own_keys() { return blocks_.data()->keys; }

  std::size_t size_ = 0;
  std::vector<Block> blocks_;
};

}  // namespace waypost
