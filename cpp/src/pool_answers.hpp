// What a pool search goes by and where its answers lie, with a filter and without, with a bias and without.
#pragma once

#include <type_traits>

#include "waypost/pool_search.hpp"

namespace waypost {

// How a call that asks for everything makes its filters, and one that does not.
struct Unfiltered {
  using Filter = AllowAll;

  static Filter filter(const PoolPlan&, PoolSearchSpace&) { return {}; }
  static CandidatePool& pool(PoolSearchSpace& space) { return space.pool; }
};

struct Filtered {
  using Filter = RowFilter;

  static Filter filter(const PoolPlan& plan, PoolSearchSpace& space) { return {*plan.filter, space.excluded}; }
  static RememberingPool& pool(PoolSearchSpace& space) { return space.pool; }
};

// The answers are the best of the pool that are allowed.
template <class Filtering>
struct AnswersInPool : Filtering {
  using Witness = NoWitness;

  static void begin(const PoolPlan&, PoolSearchSpace&) {}
  static Witness witness(const PoolPlan&, const typename Filtering::Filter&, std::size_t, PoolSearchSpace&) {
    return {};
  }
};

// Keeps answers in a pool of their own: those that a filter allows, by their scores without the bias.
template <class Filtering>
struct AnswersApart : Filtering {
  using Filter = typename Filtering::Filter;

  struct Witness {
    PoolSearchSpace* space;
    const float* bias;  // or none
    float scale;
    const Filter* filter;

    void scored(const Row* rows, float* scores, std::size_t count) {
      if (space->rows.size() < count) {
        space->rows.resize(count);
        space->scores.resize(count);
      }
      std::size_t allowed = 0;
      for (std::size_t i = 0; i < count; ++i) {
        space->rows[allowed] = rows[i];
        space->scores[allowed] = scores[i];
        allowed += filter->allows(rows[i]) ? 1 : 0;
      }
      space->answers.offer(space->scores.data(), space->rows.data(), allowed, pool_kernels());
      if (bias == nullptr) return;
      for (std::size_t i = 0; i < count; ++i) scores[i] += scale * bias[rows[i]];
    }
  };

  static void begin(const PoolPlan& plan, PoolSearchSpace& space) { space.answers.reset(plan.chosen()); }
  static Witness witness(const PoolPlan& plan, const Filter& filter, std::size_t column, PoolSearchSpace& space) {
    return {&space, plan.biased() ? plan.bias.row(column) : nullptr, plan.bias_scale, &filter};
  }
};

template <class Keeping>
inline constexpr bool filters = std::is_base_of_v<Filtered, Keeping>;

template <class Keeping>
inline constexpr bool answers_in_pool = std::is_same_v<typename Keeping::Witness, NoWitness>;

}  // namespace waypost
