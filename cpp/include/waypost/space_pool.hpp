// Scratch spaces kept between calls, so that a single query neither allocates nor clears memory.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

namespace waypost {

template <class Space>
class SpacePool {
 public:
  std::unique_ptr<Space> take() {
    const std::lock_guard lock(mutex_);
    if (spaces_.empty()) return std::make_unique<Space>();
    auto space = std::move(spaces_.back());
    spaces_.pop_back();
    return space;
  }

  // Only a space whose last use ended well comes back: an exception may have left marks in it.
  void give_back(std::unique_ptr<Space> space) {
    const std::lock_guard lock(mutex_);
    spaces_.push_back(std::move(space));
  }

 private:
  std::mutex mutex_;
  std::vector<std::unique_ptr<Space>> spaces_;
};

}  // namespace waypost
