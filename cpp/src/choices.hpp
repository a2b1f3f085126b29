// What all sampled paths share: chances of the candidates, the draw among them, the baseline, the discounted sum.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>

#include "waypost/random.hpp"
#include "waypost/rollout.hpp"

namespace waypost {

// Uniform numbers of one path: the n-th draw depends on the seed, the query and n alone.
class Draws {
 public:
  Draws(std::uint64_t seed, std::size_t query) : seed_(random_bits(seed, query)) {}

  double next() { return static_cast<double>(random_bits(seed_, count_++) >> 11) * 0x1.0p-53; }

  // A place, by its chance.
  std::size_t among(std::span<const float> chances) {
    double at = next();
    for (std::size_t i = 0; i + 1 < chances.size(); ++i) {
      at -= chances[i];
      if (at < 0) return i;
    }
    return chances.size() - 1;
  }

 private:
  std::uint64_t seed_;
  std::uint64_t count_ = 0;
};

// Of at least one score.
inline void softmax(std::span<const float> scores, float tau, float* chances) {
  const float largest = *std::max_element(scores.begin(), scores.end());
  float sum = 0;
  for (std::size_t i = 0; i < scores.size(); ++i) sum += chances[i] = std::exp((scores[i] - largest) / tau);
  for (std::size_t i = 0; i < scores.size(); ++i) chances[i] /= sum;
}

inline float baseline_of(const RolloutPlan& plan, std::span<const float> rewards, std::span<const float> chances,
                         Draws& draws) {
  if (plan.baseline == Baseline::none) return 0;
  double sum = 0;
  if (plan.baseline == Baseline::expectation) {
    for (std::size_t i = 0; i < rewards.size(); ++i) sum += chances[i] * rewards[i];
    return static_cast<float>(sum);
  }
  for (std::size_t i = 0; i < plan.samples; ++i) sum += rewards[draws.among(chances)];
  return static_cast<float>(sum / static_cast<double>(plan.samples));
}

// What a step costs beside its gain in product, in the three cases of the overall reward: (a) no target, where nothing
// is to be asked, (b) the next state ends the path, (c) it does not. In (b) the distance left counts as zero, which is
// what leaves the optimal policy unchanged by the shaping.
inline float shaping(const RolloutPlan& plan, bool ends, std::uint8_t hops_left, float hops_here) {
  return plan.alpha * ((ends ? 0 : plan.gamma * static_cast<float>(hops_left)) - hops_here);
}

inline void discount(const RolloutPlan& plan, Path& path) {
  path.returns.resize(path.rewards.size());
  float rest = 0;
  for (std::size_t i = path.rewards.size(); i-- > 0;) {
    rest = path.rewards[i] + plan.gamma * rest;
    path.returns[i] = rest - path.baselines[i];
    if (plan.later_baselines) rest = path.returns[i];
  }
}

}  // namespace waypost
