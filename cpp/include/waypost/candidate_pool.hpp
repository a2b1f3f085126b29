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

  // The row of the best vertex that is still open, which is closed by this; negative when there is none.
  Row expand(const PoolKernels& kernel) {
    const std::size_t place = kernel.first_open(keys(), size_);
    if (place >= size_) return -1;
    own_keys()[place] &= ~open_bit;
    return pool_row(keys()[place]);
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
