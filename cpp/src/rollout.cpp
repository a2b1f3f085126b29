#include "waypost/rollout.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <optional>

#include "choices.hpp"
#include "waypost/parallel.hpp"
#include "waypost/prefetch.hpp"
#include "waypost/scorer.hpp"
#include "waypost/visited.hpp"

namespace waypost {
namespace {

constexpr std::size_t paths_a_chunk = 16;
constexpr std::size_t paths_at_once = 4;  // of one thread: the memory of one arrives while another chooses

struct RolloutSpace {
  Visited visited;
  std::vector<Row> marked;
  std::vector<Row> fresh;
  std::vector<float> scores;
  std::vector<float> products;
  std::vector<float> probabilities;
  std::vector<float> rewards;
};

// One query's agent on its way.
class Agent {
 public:
  Agent(const RolloutPlan& plan, const RolloutQueries& queries, std::size_t query, RolloutSpace& space, Path& path)
      : plan_(plan),
        routing_(queries.route.row(query), plan.route),
        exact_(queries.queries.row(query), plan.items),
        remaining_(queries.potentials, query),
        draws_(plan.seed, query),
        space_(space),
        path_(path) {
    space.visited.fit(plan.graph.size);
    space.marked.clear();
    path.candidates.reserve(std::min(plan.budget, plan.graph.size));
    path.probabilities.reserve(path.candidates.capacity());
    enter(queries.entries.row(queries.entries.rows == 1 ? 0 : query)[0]);
  }

  // Looks round and asks for the memory of what there is to choose from; false when the path is over.
  bool look() {
    if (left_ > 0 && !path_.reached && look_round()) return true;
    for (const Row row : space_.marked) space_.visited.forget(row);
    discount(plan_, path_);
    return false;
  }

  // Goes on to one of the vertices looked at last.
  void choose() {
    score();
    space_.probabilities.resize(space_.scores.size());
    softmax(space_.scores, plan_.tau, space_.probabilities.data());
    rewards();
    const std::size_t choice = draws_.among(space_.probabilities);
    path_.chosen.push_back(static_cast<std::int32_t>(path_.candidates.size() + choice));
    path_.rewards.push_back(space_.rewards[choice]);
    path_.baselines.push_back(baseline_of(plan_, space_.rewards, space_.probabilities, draws_));
    path_.candidates.insert(path_.candidates.end(), space_.fresh.begin(), space_.fresh.end());
    path_.probabilities.insert(path_.probabilities.end(), space_.probabilities.begin(), space_.probabilities.end());
    path_.offsets.push_back(static_cast<std::int32_t>(path_.candidates.size()));
    go_to(space_.fresh[choice], space_.products[choice]);
  }

 private:
  void enter(Row row) {
    mark(row);
    state_ = row;
    exact_.score(&row, 1, &product_);
    left_ = plan_.budget - 1;  // the entry's score is a product, too
    const bool labelled = remaining_.any();
    remaining_.reach(row);
    path_.reached = labelled && !remaining_.any();
  }

  void mark(Row row) {
    space_.visited.insert(row);
    space_.marked.push_back(row);
  }

  // The unvisited neighbors, as many as the budget lets score; false when there are none.
  bool look_round() {
    space_.fresh.clear();
    for (const Row row : plan_.graph.of(static_cast<std::size_t>(state_))) {
      if (!plan_.graph.holds(row) || space_.fresh.size() == left_) break;
      if (!space_.visited.insert(row)) continue;
      space_.fresh.push_back(row);
      space_.marked.push_back(row);
      routing_.expect(row);
      exact_.expect(row);
      prefetch(plan_.graph.of(static_cast<std::size_t>(row)).data());
    }
    left_ -= space_.fresh.size();
    return !space_.fresh.empty();
  }

  void score() {
    const std::size_t count = space_.fresh.size();
    space_.scores.resize(count);
    space_.products.resize(count);
    routing_.score(space_.fresh.data(), count, space_.scores.data());
    exact_.score(space_.fresh.data(), count, space_.products.data());
  }

  void rewards() {
    space_.rewards.resize(space_.fresh.size());
    const float here = remaining_.any() ? remaining_.distance(state_) : 0;
    for (std::size_t i = 0; i < space_.fresh.size(); ++i) {
      float reward = plan_.products ? space_.products[i] - product_ : 0;
      if (remaining_.any()) {
        const Row next = space_.fresh[i];
        const bool ends = left_ == 0 || remaining_.last_is(next);
        reward -= shaping(plan_, ends, remaining_.distance(next), here);
      }
      space_.rewards[i] = reward;
    }
  }

  void go_to(Row next, float product) {
    state_ = next;
    product_ = product;
    if (!remaining_.any()) return;
    remaining_.reach(next);
    path_.reached = !remaining_.any();
  }

  const RolloutPlan& plan_;
  InnerProduct routing_;
  InnerProduct exact_;
  Remaining remaining_;
  Draws draws_;
  RolloutSpace& space_;
  Path& path_;
  Row state_ = 0;
  float product_ = 0;  // of the state with the query
  std::size_t left_ = 0;
};

// Walks the paths of queries [next, end), several at once.
void walk(const RolloutPlan& plan, const RolloutQueries& queries, RolloutSpace* spaces, std::vector<Path>& paths,
          std::size_t next, std::size_t end) {
  std::array<std::optional<Agent>, paths_at_once> agents;
  std::array<std::size_t, paths_at_once> order{};
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto start_next = [&](std::size_t lane) {
    while (next < end) {
      agents[lane].emplace(plan, queries, next, spaces[lane], paths[next]);
      ++next;
      if (agents[lane]->look()) return true;
    }
    return false;
  };
  std::size_t active = 0;
  while (active < paths_at_once && start_next(active)) ++active;
  while (active > 0) {
    for (std::size_t i = 0; i < active;) {
      Agent& agent = *agents[order[i]];
      agent.choose();
      if (agent.look() || start_next(order[i])) {
        ++i;
      } else {
        order[i] = order[--active];
      }
    }
  }
}

}  // namespace

void collect_paths(const RolloutPlan& plan, const RolloutQueries& queries, std::vector<Path>& paths,
                   const Progress& progress) {
  const std::size_t total = queries.route.rows;
  const std::size_t chunks = (total + paths_a_chunk - 1) / paths_a_chunk;
  std::vector<RolloutSpace> spaces(threads_used(chunks, plan.threads) * paths_at_once);
  paths.assign(total, Path{});
  std::size_t polls = 0;
  parallel_for(
      chunks, plan.threads,
      [&](std::size_t chunk, unsigned worker) {
        const std::size_t first = chunk * paths_a_chunk;
        walk(plan, queries, &spaces[worker * paths_at_once], paths, first, std::min(first + paths_a_chunk, total));
      },
      [&] {
        if (progress) progress(std::min(++polls * spaces.size() / paths_at_once, chunks), chunks);
      });
}

// A path meets a vertex as a candidate once at most.
std::vector<Pulls> policy_pulls(const RolloutPlan& plan, const std::vector<Path>& paths) {
  std::vector<Pulls> pulls(paths.size());
  const float scale = 1.0f / (plan.tau * static_cast<float>(paths.size()));
  const std::size_t chunks = (paths.size() + paths_a_chunk - 1) / paths_a_chunk;
  parallel_for(chunks, plan.threads, [&](std::size_t chunk, unsigned) {
    const std::size_t end = std::min((chunk + 1) * paths_a_chunk, paths.size());
    for (std::size_t query = chunk * paths_a_chunk; query < end; ++query) {
      const Path& path = paths[query];
      pulls[query].reserve(path.candidates.size());
      for (std::size_t step = 0; step < path.chosen.size(); ++step) {
        for (auto i = path.offsets[step]; i < path.offsets[step + 1]; ++i) {
          const auto at = static_cast<std::size_t>(i);
          const float taken = i == path.chosen[step] ? 1.0f : 0.0f;
          const float slope = -path.returns[step] * (taken - path.probabilities[at]);
          pulls[query].push_back({path.candidates[at], scale * slope});
        }
      }
    }
  });
  return pulls;
}

}  // namespace waypost
