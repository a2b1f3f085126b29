// The queue gives what std::priority_queue gives, whatever its number of levels.
#include "waypost/key_queue.hpp"

#include <queue>

#include "check.hpp"
#include "samples.hpp"

namespace {

using namespace waypost;

// Plays the same pushes and pops on both queues.
class Pair {
 public:
  explicit Pair(std::uint64_t seed) : draws_(seed) {}

  void push() {
    const float score = static_cast<float>(draws_.below(50)) - 25.0f;  // so that many tie
    const Key key = make_key(score, next_row_++);
    queue_.push(key);
    expected_.push(key);
  }

  bool pop_agrees() {
    const Key best = expected_.empty() ? no_key : expected_.top();
    if (!expected_.empty()) expected_.pop();
    return queue_.best() == best && queue_.pop(kernels()) == best;
  }

  bool empty() const { return expected_.empty(); }
  samples::Draws& draws() { return draws_; }

  void clear() {
    queue_.clear();
    expected_ = {};
    next_row_ = 0;
  }

 private:
  samples::Draws draws_;
  KeyQueue queue_;
  std::priority_queue<Key> expected_;
  Row next_row_ = 0;
};

bool drains(Pair& pair) {
  while (!pair.empty()) {
    if (!pair.pop_agrees()) return false;
  }
  return pair.pop_agrees();
}

TEST(key_queue_is_empty_at_first) {
  Pair pair(1);
  CHECK(pair.pop_agrees());
  CHECK(pair.pop_agrees());
}

TEST(key_queue_drains_in_order_at_every_boundary) {
  Pair pair(2);
  for (const std::size_t boundary : {1, 8, 64, 128, 512, 4096, 8192}) {
    for (std::size_t count = boundary - 1; count <= boundary + 1; ++count) {
      pair.clear();
      for (std::size_t i = 0; i < count; ++i) pair.push();
      CHECK(drains(pair));
    }
  }
}

TEST(key_queue_holds_more_than_64_cubed) {
  Pair pair(3);
  for (std::size_t i = 0; i < 64 * 64 * 64 + 70; ++i) pair.push();
  bool agree = true;
  for (int i = 0; i < 5000; ++i) agree = agree && pair.pop_agrees();
  CHECK(agree);
}

TEST(key_queue_agrees_under_mixed_pushes_and_pops) {
  Pair pair(4);
  for (const std::size_t pushes_in_ten : {9, 6, 5, 3}) {
    bool agree = true;
    for (int step = 0; step < 12000; ++step) {
      if (pair.draws().below(10) < pushes_in_ten) {
        pair.push();
      } else {
        agree = agree && pair.pop_agrees();
      }
    }
    CHECK(agree);
    if (pushes_in_ten == 6) CHECK(drains(pair));  // and goes on where it has run empty
  }
}

TEST(key_queue_remembers_nothing_after_clear) {
  Pair pair(5);
  for (std::size_t before = 20000; before > 0; before /= 5) {
    for (std::size_t i = 0; i < before; ++i) pair.push();
    pair.clear();
    CHECK(pair.pop_agrees());
    for (std::size_t i = 0; i < 70; ++i) pair.push();
    CHECK(drains(pair));
    pair.clear();
  }
}

}  // namespace
