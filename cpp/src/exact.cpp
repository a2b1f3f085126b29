// Blocks of queries against blocks of items, with the best k picked out of each small tile of scores while it is in
// registers: the whole score matrix never exists.
#include "waypost/exact.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <limits>
#include <thread>
#include <vector>

#include "waypost/best_keys.hpp"
#include "waypost/kernels.hpp"
#include "waypost/parallel.hpp"

namespace waypost {
namespace {

constexpr std::size_t queries_a_block = 960;  // their panels fill part of the second cache level

// Lays vectors side by side in panels of `width`, dimension by dimension, zeros where there are no more.
void pack(Vectors vectors, std::size_t first, std::size_t count, std::size_t width, float* panel) {
  const std::size_t d = vectors.cols;
  if (count < width) std::fill_n(panel, width * d, 0.0f);
  for (std::size_t i = 0; i < count; ++i) {
    const float* from = vectors.row(first + i);
    for (std::size_t k = 0; k < d; ++k) panel[k * width + i] = from[k];
  }
}

class Block {
 public:
  Block(Vectors items, Vectors queries, std::size_t k, std::size_t first, std::size_t count)
      : items_(items), queries_(queries), count_(count), kernel_(kernels()) {
    best_.assign(count, BestKeys(k));
    const std::size_t width = kernel_.tile_queries;
    const std::size_t panels = (count + width - 1) / width;
    thresholds_.assign(panels * width, std::numeric_limits<float>::infinity());
    std::fill_n(thresholds_.begin(), count, -std::numeric_limits<float>::infinity());
    query_panels_.resize(panels * width * queries.cols);
    for (std::size_t p = 0; p < panels; ++p) {
      pack(queries, first + p * width, std::min(width, count - p * width), width, panel(p));
    }
    item_panel_.resize(kernel_.tile_items * items.cols);
  }

  void scan(std::size_t begin, std::size_t end) {
    for (std::size_t row = begin; row < end; row += kernel_.tile_items) {
      const std::size_t count = std::min(kernel_.tile_items, end - row);
      pack(items_, row, count, kernel_.tile_items, item_panel_.data());
      for (std::size_t p = 0; p * kernel_.tile_queries < count_; ++p) tile(p, row, count);
    }
  }

  BestKeys& best(std::size_t query) { return best_[query]; }

 private:
  float* panel(std::size_t p) { return query_panels_.data() + p * kernel_.tile_queries * queries_.cols; }

  void tile(std::size_t p, std::size_t row, std::size_t count) {
    alignas(64) float scores[most_tile_queries * most_tile_items];
    std::uint32_t hits[most_tile_queries];
    const std::size_t query = p * kernel_.tile_queries;
    kernel_.score_tile(panel(p), item_panel_.data(), items_.cols, thresholds_.data() + query, scores, hits);
    const std::uint32_t real = count == 32 ? ~0u : (1u << count) - 1u;
    for (std::size_t q = 0; q < kernel_.tile_queries; ++q) {
      if ((hits[q] & real) != 0) take(query + q, row, hits[q] & real, scores + q * kernel_.tile_items);
    }
  }

  void take(std::size_t query, std::size_t row, std::uint32_t hits, const float* scores) {
    for (; hits != 0; hits &= hits - 1) {
      const auto i = static_cast<std::size_t>(std::countr_zero(hits));
      best_[query].push(make_key(scores[i], static_cast<Row>(row + i)));
    }
    thresholds_[query] = best_[query].threshold();
  }

  Vectors items_;
  Vectors queries_;
  std::size_t count_;
  const Kernels& kernel_;
  std::vector<BestKeys> best_;
  std::vector<float> thresholds_;
  std::vector<float> query_panels_;
  std::vector<float> item_panel_;
};

// How the work is cut: blocks of queries, and slices of items when there are too few queries to go round.
struct Cut {
  std::size_t block;  // queries a block
  std::size_t blocks;
  std::size_t slice;  // items a slice
  std::size_t slices;

  Cut(std::size_t items, std::size_t queries, unsigned workers) {
    block = std::min(queries_a_block, (queries + workers - 1) / workers);
    block = std::max<std::size_t>(block, std::min<std::size_t>(queries, 24));
    blocks = (queries + block - 1) / block;
    const std::size_t wanted = blocks >= workers ? 1 : (workers + blocks - 1) / blocks;
    slice = std::max<std::size_t>((items + wanted - 1) / wanted, std::min<std::size_t>(items, 4096));
    slices = (items + slice - 1) / slice;
  }
};

// Says how far all threads are, on the calling thread alone, and stops the others when that throws.
class Reporter {
 public:
  Reporter(const Progress& progress, std::size_t total) : progress_(progress), total_(total) {}

  bool stopped() const { return stopped_.load(std::memory_order_relaxed); }

  void add(std::size_t work) {
    const std::size_t done = done_.fetch_add(work, std::memory_order_relaxed) + work;
    if (!progress_ || done == total_ || std::this_thread::get_id() != caller_) return;
    try {
      progress_(done, total_);
    } catch (...) {
      stopped_.store(true, std::memory_order_relaxed);
      throw;
    }
  }

 private:
  const Progress& progress_;
  const std::size_t total_;
  const std::thread::id caller_ = std::this_thread::get_id();
  std::atomic<std::size_t> done_{0};
  std::atomic<bool> stopped_{false};
};

constexpr std::size_t products_between_reports = std::size_t{1} << 24;

void scan(Block& block, std::size_t begin, std::size_t end, std::size_t count, Reporter& reporter) {
  const std::size_t piece = std::max<std::size_t>(products_between_reports / count / 64 * 64, 64);
  for (; begin < end && !reporter.stopped(); begin += piece) {
    const std::size_t stop = std::min(begin + piece, end);
    block.scan(begin, stop);
    reporter.add((stop - begin) * count);
  }
}

class Answers {
 public:
  Answers(std::size_t k, std::int64_t* ids, float* scores) : k_(k), ids_(ids), scores_(scores) {}

  // There are fewer than k keys where products overflowed to -infinity or NaN.
  void write(std::size_t query, std::span<const Key> keys) const {
    for (std::size_t i = 0; i < k_; ++i) {
      ids_[query * k_ + i] = i < keys.size() ? key_row(keys[i]) : -1;
      scores_[query * k_ + i] = i < keys.size() ? key_score(keys[i]) : -std::numeric_limits<float>::infinity();
    }
  }

  // The best of what the slices found.
  void merge(std::size_t query, const std::vector<std::vector<Key>>& found, std::size_t queries) const {
    std::vector<Key> all;
    for (std::size_t at = query; at < found.size(); at += queries) {
      all.insert(all.end(), found[at].begin(), found[at].end());
    }
    const auto best = static_cast<std::ptrdiff_t>(std::min(k_, all.size()));
    std::partial_sort(all.begin(), all.begin() + best, all.end(), std::greater<>{});
    write(query, all);
  }

 private:
  std::size_t k_;
  std::int64_t* ids_;
  float* scores_;
};

}  // namespace

void exact_search(Vectors items, Vectors queries, std::size_t k, unsigned threads, std::int64_t* ids, float* scores,
                  const Progress& progress) {
  if (queries.rows == 0) return;
  const Cut cut(items.rows, queries.rows, threads_used(most_threads, threads));
  const Answers answers(k, ids, scores);
  Reporter reporter(progress, items.rows * queries.rows);
  std::vector<std::vector<Key>> found(cut.slices > 1 ? cut.slices * queries.rows : 0);
  parallel_for(cut.blocks * cut.slices, threads, [&](std::size_t chunk, unsigned) {
    const std::size_t first = chunk / cut.slices * cut.block;
    const std::size_t count = std::min(cut.block, queries.rows - first);
    const std::size_t slice = chunk % cut.slices;
    const std::size_t begin = slice * cut.slice;
    Block block(items, queries, k, first, count);
    scan(block, begin, std::min(begin + cut.slice, items.rows), count, reporter);
    if (reporter.stopped()) return;
    for (std::size_t q = 0; q < count; ++q) {
      const auto keys = block.best(q).sorted();
      if (cut.slices == 1) {
        answers.write(first + q, keys);
      } else {
        found[slice * queries.rows + first + q].assign(keys.begin(), keys.end());
      }
    }
  });
  if (progress) progress(items.rows * queries.rows, items.rows * queries.rows);
  if (cut.slices == 1) return;
  for (std::size_t q = 0; q < queries.rows; ++q) answers.merge(q, found, queries.rows);
}

}  // namespace waypost
