#include "waypost/imitation.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "query_chunks.hpp"
#include "waypost/scorer.hpp"
#include "waypost/visited.hpp"

namespace waypost {
namespace {

constexpr std::size_t queries_a_chunk = 16;

struct ImitationSpace {
  Visited visited;
  std::vector<Row> fresh;
  std::vector<float> fresh_scores;
  std::vector<std::size_t> frontier;  // places in the three below
  std::vector<Row> met;
  std::vector<float> scores;
  std::vector<double> slopes;
  std::vector<double> weights;  // of the frontier, before they are divided by their sum
};

// One query's beam search.
class Pupil {
 public:
  Pupil(const ImitationPlan& plan, const ImitationQueries& queries, std::size_t query, ImitationSpace& space)
      : plan_(plan),
        routing_(queries.route.row(query), plan.route),
        remaining_(queries.potentials, query),
        space_(space),
        left_(plan.budget) {
    space.visited.fit(plan.graph.size);
    space.frontier.clear();
    space.met.clear();
    space.scores.clear();
    space.slopes.clear();
    meet({queries.entries.row(queries.entries.rows == 1 ? 0 : query), 1});
  }

  Lesson learn() {
    const bool labelled = remaining_.any();
    while (remaining_.any() && !space_.frontier.empty()) {
      if (space_.frontier.size() > 1) take_lesson();
      const Row best = expand_best();
      remaining_.reach(best);
      if (left_ == 0) break;
      meet(plan_.graph.of(static_cast<std::size_t>(best)));
    }
    lesson_.reached = labelled && !remaining_.any();
    for (std::size_t i = 0; i < space_.met.size(); ++i) {
      space_.visited.forget(space_.met[i]);
      if (space_.slopes[i] != 0) lesson_.pulls.push_back({space_.met[i], static_cast<float>(space_.slopes[i])});
    }
    return std::move(lesson_);
  }

 private:
  // Scores those of the rows not met before, as many as the budget allows.
  void meet(std::span<const Row> rows) {
    space_.fresh.clear();
    for (const Row row : rows) {
      if (!plan_.graph.holds(row) || space_.fresh.size() == left_) break;
      if (!space_.visited.insert(row)) continue;
      space_.fresh.push_back(row);
      routing_.expect(row);
    }
    left_ -= space_.fresh.size();
    space_.fresh_scores.resize(space_.fresh.size());
    routing_.score(space_.fresh.data(), space_.fresh.size(), space_.fresh_scores.data());
    for (std::size_t i = 0; i < space_.fresh.size(); ++i) {
      space_.frontier.push_back(space_.met.size());
      space_.met.push_back(space_.fresh[i]);
      space_.scores.push_back(space_.fresh_scores[i]);
      space_.slopes.push_back(0);
    }
  }

  // log sum exp of the scores over tau of those places that count, and their shares of it in `weights` (0 elsewhere).
  template <class Counts>
  double shares(const Counts& counts) {
    float largest = -std::numeric_limits<float>::infinity();
    for (const std::size_t place : space_.frontier) {
      if (counts(place)) largest = std::max(largest, space_.scores[place]);
    }
    space_.weights.resize(space_.frontier.size());
    double sum = 0;
    for (std::size_t i = 0; i < space_.frontier.size(); ++i) {
      const std::size_t place = space_.frontier[i];
      space_.weights[i] = counts(place) ? std::exp((space_.scores[place] - largest) / plan_.tau) : 0;
      sum += space_.weights[i];
    }
    for (double& weight : space_.weights) weight /= sum;
    return static_cast<double>(largest) / plan_.tau + std::log(sum);
  }

  void take_lesson() {
    std::uint8_t nearest = 255;
    for (const std::size_t place : space_.frontier) {
      nearest = std::min(nearest, remaining_.distance(space_.met[place]));
    }
    const double all = shares([](std::size_t) { return true; });
    pull(1);
    const double right = shares([&](std::size_t place) { return remaining_.distance(space_.met[place]) == nearest; });
    pull(-1);
    lesson_.loss += all - right;
    ++lesson_.states;
  }

  void pull(double sign) {
    for (std::size_t i = 0; i < space_.frontier.size(); ++i) {
      space_.slopes[space_.frontier[i]] += sign * space_.weights[i] / plan_.tau;
    }
  }

  // Takes the best out of the frontier; ties go to the lower row.
  Row expand_best() {
    const auto better = [&](std::size_t a, std::size_t b) {
      const float left = space_.scores[a];
      const float right = space_.scores[b];
      return left != right ? left > right : space_.met[a] < space_.met[b];
    };
    const auto best = std::min_element(space_.frontier.begin(), space_.frontier.end(), better);
    const Row row = space_.met[*best];
    *best = space_.frontier.back();
    space_.frontier.pop_back();
    return row;
  }

  const ImitationPlan& plan_;
  InnerProduct routing_;
  Remaining remaining_;
  ImitationSpace& space_;
  std::size_t left_;
  Lesson lesson_;
};

}  // namespace

std::vector<Lesson> imitate(const ImitationPlan& plan, const ImitationQueries& queries, const Progress& progress) {
  const QueryChunks chunks{queries.route.rows, queries_a_chunk, plan.threads};
  std::vector<ImitationSpace> spaces(chunks.workers());
  std::vector<Lesson> lessons(chunks.queries);
  chunks.each(spaces, progress, [&](std::size_t query, ImitationSpace& space) {
    lessons[query] = Pupil(plan, queries, query, space).learn();
  });
  return lessons;
}

}  // namespace waypost
