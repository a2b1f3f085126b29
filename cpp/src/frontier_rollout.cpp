#include <cstdint>
#include <span>

#include "choices.hpp"
#include "query_chunks.hpp"
#include "waypost/scorer.hpp"
#include "waypost/visited.hpp"

namespace waypost {
namespace {

constexpr std::size_t paths_a_chunk = 16;

// In parallel arrays: what was met, in order, and what of it can still be chosen.
struct FrontierSpace {
  Visited visited;
  std::vector<Row> met;
  std::vector<float> met_scores;
  std::vector<float> met_products;
  std::vector<double> slopes;  // of those met
  std::vector<Row> fresh;

  std::vector<std::size_t> places;  // of the frontier, among those met
  std::vector<float> scores;
  std::vector<float> products;
  std::vector<std::uint8_t> hops;  // to the nearest target left
  std::vector<float> rewards;

  std::vector<std::size_t> candidates;  // of all choices of the path: places among those met
  std::vector<float> gains;             // and the reward of each
  Path path;

  void begin(std::size_t vertices) {
    visited.fit(vertices);
    met.clear();
    met_scores.clear();
    met_products.clear();
    places.clear();
    scores.clear();
    products.clear();
    hops.clear();
    candidates.clear();
    gains.clear();
    path.candidates.clear();
    path.probabilities.clear();
    path.offsets.assign(1, 0);
    path.chosen.clear();
    path.rewards.clear();
    path.baselines.clear();
    path.reached = false;
  }

  void drop(std::size_t at) {
    const auto close = [at](auto& values) {
      values[at] = values.back();
      values.pop_back();
    };
    close(places);
    close(scores);
    close(products);
    close(hops);
  }
};

// One query's agent on its way.
class FrontierAgent {
 public:
  FrontierAgent(const RolloutPlan& plan, const RolloutQueries& queries, std::size_t query, FrontierSpace& space)
      : plan_(plan),
        routing_(queries.route.row(query), plan.route),
        exact_(queries.queries.row(query), plan.items),
        remaining_(queries.potentials, query),
        draws_(plan.seed, query),
        space_(space),
        path_(space.path) {
    space.begin(plan.graph.size);
    enter(queries.entries.row(queries.entries.rows == 1 ? 0 : query)[0]);
  }

  FrontierPath walk(bool keep_path) {
    const Row entry = state_;
    while (left_ > 0 && !path_.reached) {
      look_round();
      if (space_.places.empty()) break;
      choose();
    }
    space_.visited.forget(entry);
    for (const Row row : space_.met) space_.visited.forget(row);
    discount(plan_, path_);
    return told(keep_path);
  }

 private:
  void enter(Row row) {
    space_.visited.insert(row);
    state_ = row;
    exact_.score(&row, 1, &product_);
    left_ = plan_.budget - 1;  // the entry's score is a product, too
    const bool labelled = remaining_.any();
    remaining_.reach(row);
    path_.reached = labelled && !remaining_.any();
    here_ = distance(row);
  }

  std::uint8_t distance(Row row) const { return remaining_.any() ? remaining_.distance(row) : 0; }

  // The unvisited neighbors, as many as the budget lets score, join the frontier.
  void look_round() {
    space_.fresh.clear();
    for (const Row row : plan_.graph.of(static_cast<std::size_t>(state_))) {
      if (!plan_.graph.holds(row) || space_.fresh.size() == left_) break;
      if (!space_.visited.insert(row)) continue;
      space_.fresh.push_back(row);
      routing_.expect(row);
      exact_.expect(row);
    }
    const std::size_t first = space_.met.size(), count = space_.fresh.size();
    left_ -= count;
    space_.met.insert(space_.met.end(), space_.fresh.begin(), space_.fresh.end());
    space_.met_scores.resize(first + count);
    space_.met_products.resize(first + count);
    routing_.score(space_.fresh.data(), count, space_.met_scores.data() + first);
    exact_.score(space_.fresh.data(), count, space_.met_products.data() + first);
    for (std::size_t place = first; place < first + count; ++place) {
      space_.places.push_back(place);
      space_.scores.push_back(space_.met_scores[place]);
      space_.products.push_back(space_.met_products[place]);
      space_.hops.push_back(distance(space_.met[place]));
    }
  }

  void choose() {
    const std::size_t first = path_.probabilities.size(), count = space_.places.size();
    path_.probabilities.resize(first + count);
    const std::span<const float> chances(path_.probabilities.data() + first, count);
    softmax(space_.scores, plan_.tau, path_.probabilities.data() + first);
    reward_all();
    const std::size_t choice = draws_.among(chances);
    path_.chosen.push_back(static_cast<std::int32_t>(first + choice));
    path_.rewards.push_back(space_.rewards[choice]);
    path_.baselines.push_back(baseline_of(plan_, space_.rewards, chances, draws_));
    path_.offsets.push_back(static_cast<std::int32_t>(first + count));
    space_.candidates.insert(space_.candidates.end(), space_.places.begin(), space_.places.end());
    space_.gains.insert(space_.gains.end(), space_.rewards.begin(), space_.rewards.end());
    go_to(choice);
  }

  void reward_all() {
    space_.rewards.resize(space_.places.size());
    for (std::size_t i = 0; i < space_.places.size(); ++i) {
      float reward = plan_.products ? space_.products[i] - product_ : 0;
      if (remaining_.any()) {
        const bool ends = left_ == 0 || (space_.hops[i] == 0 && remaining_.last_is(space_.met[space_.places[i]]));
        reward -= shaping(plan_, ends, space_.hops[i], here_);
      }
      space_.rewards[i] = reward;
    }
  }

  void go_to(std::size_t choice) {
    const bool target = remaining_.any() && space_.hops[choice] == 0;
    state_ = space_.met[space_.places[choice]];
    product_ = space_.products[choice];
    here_ = space_.hops[choice];
    space_.drop(choice);
    if (!target) return;
    remaining_.reach(state_);
    path_.reached = !remaining_.any();
    here_ = distance(state_);
    for (std::size_t i = 0; i < space_.places.size(); ++i) space_.hops[i] = distance(space_.met[space_.places[i]]);
  }

  FrontierPath told(bool keep_path) {
    FrontierPath found;
    found.choices = path_.chosen.size();
    found.reached = path_.reached;
    for (const float reward : path_.rewards) found.reward += reward;
    pull(found.pulls);
    if (keep_path) {
      for (const std::size_t place : space_.candidates) path_.candidates.push_back(space_.met[place]);
      found.path = path_;
    }
    return found;
  }

  void pull(Pulls& pulls) {
    space_.slopes.assign(space_.met.size(), 0);
    const bool expected = plan_.baseline == Baseline::expectation && plan_.later_baselines;
    for (std::size_t step = 0; step < path_.chosen.size(); ++step) {
      const auto first = static_cast<std::size_t>(path_.offsets[step]);
      const auto last = static_cast<std::size_t>(path_.offsets[step + 1]);
      for (std::size_t at = first; at < last; ++at) {
        const float credit = expected ? path_.baselines[step] - space_.gains[at] : path_.returns[step];
        space_.slopes[space_.candidates[at]] += static_cast<double>(credit) * path_.probabilities[at];
      }
      if (expected) continue;
      space_.slopes[space_.candidates[static_cast<std::size_t>(path_.chosen[step])]] -= path_.returns[step];
    }
    pulls.reserve(space_.met.size());
    for (std::size_t place = 0; place < space_.met.size(); ++place) {
      if (space_.slopes[place] == 0) continue;
      pulls.push_back({space_.met[place], static_cast<float>(space_.slopes[place])});
    }
  }

  const RolloutPlan& plan_;
  InnerProduct routing_;
  InnerProduct exact_;
  Remaining remaining_;
  Draws draws_;
  FrontierSpace& space_;
  Path& path_;
  Row state_ = 0;
  float product_ = 0;  // of the state with the query
  float here_ = 0;     // hops from the state
  std::size_t left_ = 0;
};

}  // namespace

std::vector<FrontierPath> collect_frontier_paths(const RolloutPlan& plan, const RolloutQueries& queries,
                                                 bool keep_paths, const Progress& progress) {
  const QueryChunks chunks{queries.route.rows, paths_a_chunk, plan.threads};
  std::vector<FrontierSpace> spaces(chunks.workers());
  std::vector<FrontierPath> paths(chunks.queries);
  const float scale = 1.0f / (plan.tau * static_cast<float>(chunks.queries));
  chunks.each(spaces, progress, [&](std::size_t query, FrontierSpace& space) {
    paths[query] = FrontierAgent(plan, queries, query, space).walk(keep_paths);
    for (Pull& pull : paths[query].pulls) pull.slope *= scale;
  });
  return paths;
}

}  // namespace waypost
