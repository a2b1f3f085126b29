// Best-first search on a graph as a textbook has it: two heaps and a hash set. What the benchmark measures against.
//
// Built by `python -m waypost.bench.core` with the flags of the core, and never part of the product. With
// TEXTBOOK_CORE_KERNEL defined the inner product is the core's own, so that only the search itself differs.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <queue>
#include <unordered_set>
#include <utility>
#include <vector>

#ifdef TEXTBOOK_CORE_KERNEL
#include "waypost/kernels.hpp"
#endif

namespace {

struct Task {
  const float* items;
  std::int64_t d;
  const std::int32_t* neighbors;
  std::int64_t degree;
  std::int32_t entry;
  std::int64_t k;
  std::int64_t budget;
};

using Scored = std::pair<float, std::int32_t>;
using BestOnTop = std::priority_queue<Scored>;
using WorstOnTop = std::priority_queue<Scored, std::vector<Scored>, std::greater<>>;

#ifdef TEXTBOOK_CORE_KERNEL
float inner_product(const float* a, const float* b, std::int64_t d) {
  return waypost::kernels().dot(a, b, static_cast<std::size_t>(d));
}
#else
// Sixteen partial sums, because a compiler may not reorder a single one into vector registers without -ffast-math.
float inner_product(const float* a, const float* b, std::int64_t d) {
  float sums[16] = {};
  std::int64_t i = 0;
  for (; i + 16 <= d; i += 16) {
    for (int lane = 0; lane < 16; ++lane) sums[lane] += a[i + lane] * b[i + lane];
  }
  float total = 0;
  for (; i < d; ++i) total += a[i] * b[i];
  for (float sum : sums) total += sum;
  return total;
}
#endif

class Search {
 public:
  Search(const Task& task, const float* query) : task_(task), query_(query) {
    visited_.reserve(static_cast<std::size_t>(task.budget));
  }

  void run() {
    visit(task_.entry);
    while (!candidates_.empty() && has_budget()) {
      const std::int32_t best = candidates_.top().second;
      candidates_.pop();
      expand(best);
    }
  }

  void write_answers(std::int64_t* rows) {
    std::fill(rows, rows + task_.k, -1);
    for (std::int64_t at = static_cast<std::int64_t>(answers_.size()) - 1; at >= 0; --at) {
      rows[at] = answers_.top().second;
      answers_.pop();
    }
  }

 private:
  bool has_budget() const { return static_cast<std::int64_t>(visited_.size()) < task_.budget; }

  void expand(std::int32_t row) {
    const std::int32_t* neighbors = task_.neighbors + row * task_.degree;
    for (std::int64_t i = 0; i < task_.degree && neighbors[i] >= 0 && has_budget(); ++i) visit(neighbors[i]);
  }

  void visit(std::int32_t row) {
    if (!visited_.insert(row).second) return;
    const float score = inner_product(query_, task_.items + row * task_.d, task_.d);
    candidates_.emplace(score, row);
    answers_.emplace(score, row);
    if (static_cast<std::int64_t>(answers_.size()) > task_.k) answers_.pop();
  }

  const Task& task_;
  const float* query_;
  std::unordered_set<std::int32_t> visited_;
  BestOnTop candidates_;
  WorstOnTop answers_;
};

}  // namespace

// Writes the k best rows of each query, -1 where there are fewer.
extern "C" void textbook_search(const float* items, std::int64_t d, const std::int32_t* neighbors, std::int64_t degree,
                                const float* queries, std::int64_t count, std::int32_t entry, std::int64_t k,
                                std::int64_t budget, std::int64_t* rows) {
  const Task task{items, d, neighbors, degree, entry, k, budget};
  for (std::int64_t query = 0; query < count; ++query) {
    Search search(task, queries + query * d);
    search.run();
    search.write_answers(rows + query * k);
  }
}
