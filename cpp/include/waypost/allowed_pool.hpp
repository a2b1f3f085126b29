// What a walk goes by once the excluded have filled its pool: a pool of allowed candidates alone, with as many excluded
// ones between them as there are.
#pragma once

#include <limits>
#include <span>
#include <vector>

#include "waypost/candidate_pool.hpp"
#include "waypost/filter.hpp"
#include "waypost/kernels.hpp"
#include "waypost/key_queue.hpp"
#include "waypost/marks.hpp"

namespace waypost {

// A pool that remembers all it was offered, so that another may go on from where it ended.
class RememberingPool : public CandidatePool {
 public:
  void reset(std::size_t size) {
    CandidatePool::reset(size);
    rows_.clear();
    scores_.clear();
    expanded_.clear();
  }

  void offer(const float* scores, const Row* rows, std::size_t count, const PoolKernels& kernel) {
    CandidatePool::offer(scores, rows, count, kernel);
    rows_.insert(rows_.end(), rows, rows + count);
    scores_.insert(scores_.end(), scores, scores + count);
  }

  template <class Each>
  std::size_t expand(std::size_t most, const PoolKernels& kernel, const Each& each) {
    return CandidatePool::expand(most, kernel, [&](Row row) {
      expanded_.push_back(row);
      each(row);
    });
  }

  // For a walk that was cut short, so that not all it came to was offered: what goes on expands everything again.
  void reopen() { expanded_.clear(); }

  const std::vector<Row>& rows() const { return rows_; }
  const std::vector<float>& scores() const { return scores_; }
  const std::vector<Row>& expanded() const { return expanded_; }

 private:
  std::vector<Row> expanded_;
  std::vector<Row> rows_;
  std::vector<float> scores_;
};

// It has converged when no open vertex is better than its worst candidate. What is not better is never expanded, so it
// is neither queued nor looked up among the excluded.
class AllowedPool {
 public:
  // Begins with all that another pool was offered, and what that one has expanded stays so. All rows lie in
  // [0, vertices).
  void reset(std::size_t size, const RowFilter& filter, const RememberingPool& before, std::size_t vertices,
             const PoolKernels& kernel) {
    filter_ = &filter;
    worst_ = no_key;
    allowed_.reset(size);
    open_.clear();
    expanded_.begin(vertices);
    for (const Row row : before.expanded()) expanded_.put(row);
    const std::span<const Row> rows = before.rows();
    keep_allowed(before.scores().data(), rows.data(), rows.size(), kernel);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const Key key = make_key(before.scores()[i], rows[i]);
      if (key >= worst_ && !expanded_.holds(rows[i])) open_.push(key);
    }
  }

  void offer(const float* scores, const Row* rows, std::size_t count, const PoolKernels& kernel) {
    for (std::size_t i = 0; i < count; ++i) {
      const Key key = make_key(scores[i], rows[i]);
      if (key > worst_) open_.push(key);
    }
    keep_allowed(scores, rows, count, kernel);
  }

  // As CandidatePool::expand.
  template <class Each>
  std::size_t expand(std::size_t most, const PoolKernels&, const Each& each) {
    for (std::size_t count = 0; count < most; ++count) {
      if (open_.best() < worst_ || open_.best() == no_key) return count;
      each(key_row(open_.pop(kernels_)));
    }
    return most;
  }

  std::size_t size() const { return allowed_.size(); }
  const PoolKey* keys() const { return allowed_.keys(); }

 private:
  void keep_allowed(const float* scores, const Row* rows, std::size_t count, const PoolKernels& kernel) {
    if (rows_.size() < count) {
      rows_.resize(count);
      scores_.resize(count);
    }
    const float least = worst_ == no_key ? -std::numeric_limits<float>::infinity() : key_score(worst_);
    std::size_t allowed = 0;
    for (std::size_t i = 0; i < count; ++i) {
      rows_[allowed] = rows[i];
      scores_[allowed] = scores[i];
      allowed += scores[i] >= least && filter_->allows(rows[i]) ? 1 : 0;
    }
    allowed_.offer(scores_.data(), rows_.data(), allowed, kernel);
    const PoolKey last = keys()[size() - 1];
    worst_ = last == 0 ? no_key : plain_key(last);
  }

  const RowFilter* filter_ = nullptr;
  const Kernels& kernels_ = kernels();
  CandidatePool allowed_;
  Marks expanded_;      // by the pool before
  KeyQueue open_;       // what is to be expanded, excluded or not
  Key worst_ = no_key;  // of the candidates, when they are as many as wanted
  std::vector<Row> rows_;
  std::vector<float> scores_;
};

}  // namespace waypost
