#include "waypost/beam_lessons.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <span>

#include "query_chunks.hpp"
#include "waypost/deferred.hpp"
#include "waypost/random.hpp"
#include "waypost/scorer.hpp"
#include "waypost/visited.hpp"

namespace waypost {
namespace {

constexpr std::size_t walks_a_chunk = 8;
constexpr double largest_exponent = 200;  // beyond it the softmax is taken relative to a higher score
constexpr double least_total = 1e-200;    // below it, relative to the best that is left
constexpr double least_worth = 1e-300;    // choices of a smaller chance teach nothing: their slopes would overflow

using AnswerSet = std::uint64_t;  // one bit an answer of the query

// The vertices seen but not yet expanded, in parallel arrays: each state of the walk passes over all of them.
struct Frontier {
  std::vector<float> scores;
  std::vector<float> noisy;           // what the walk goes by
  std::vector<double> shares;         // of the softmax, before it is normalised
  std::vector<double> gradients;      // so far
  std::vector<AnswerSet> shown;       // answers among the neighbors
  std::vector<std::uint32_t> places;  // in the walk's list of what it saw
  std::vector<char> second;           // whether it was expanded before, and comes for its deferred edges

  std::size_t size() const { return places.size(); }

  void clear() {
    scores.clear();
    noisy.clear();
    shares.clear();
    gradients.clear();
    shown.clear();
    places.clear();
    second.clear();
  }

  void push(float score, float noisy_score, double share, AnswerSet shows, std::size_t place, bool again) {
    scores.push_back(score);
    noisy.push_back(noisy_score);
    shares.push_back(share);
    gradients.push_back(0);
    shown.push_back(shows);
    places.push_back(static_cast<std::uint32_t>(place));
    second.push_back(again ? 1 : 0);
  }

  std::size_t best() const {
    return static_cast<std::size_t>(std::max_element(noisy.begin(), noisy.end()) - noisy.begin());
  }

  void drop(std::size_t at) {
    const auto close = [at](auto& values) {
      values[at] = values.back();
      values.pop_back();
    };
    close(scores);
    close(noisy);
    close(shares);
    close(gradients);
    close(shown);
    close(places);
    close(second);
  }
};

// Four sums at once: one would wait for itself.
double sum(const std::vector<double>& values) {
  std::array<double, 4> sums{};
  std::size_t i = 0;
  for (; i + 4 <= values.size(); i += 4) {
    for (std::size_t k = 0; k < 4; ++k) sums[k] += values[i + k];
  }
  for (; i < values.size(); ++i) sums[0] += values[i];
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

struct LessonSpace {
  Visited visited;
  std::vector<std::uint8_t> answer_number;  // 1 + the answer's bit, by row; 0 elsewhere
  Frontier frontier;
  std::vector<Row> fresh;
  std::vector<float> scores;
};

class LessonWalk {
 public:
  LessonWalk(const BeamLessonPlan& plan, const BeamLessonQueries& queries, std::size_t query, LessonSpace& space,
             BeamLessons& lessons)
      : plan_(plan),
        product_(queries.route.row(query), plan.route),
        bias_(plan.bias.rows == 0 ? nullptr : plan.bias.row(kind(queries, query))),
        answers_(queries.answers.row(query), queries.answers.cols),
        entries_(queries.entries.row(queries.entries.rows == 1 ? 0 : query), queries.entries.cols),
        seed_(random_bits(plan.seed, query)),
        penalty_(penalty_for(plan.graph, queries.route.row(query), plan.route.cols)),
        space_(space),
        frontier_(space.frontier),
        lessons_(lessons) {}

  void run() {
    begin();
    see(entries_);
    while (left_ > 0 && frontier_.size() > 0) {
      learn();
      expand(frontier_.best());
    }
    finish();
  }

 private:
  static std::size_t kind(const BeamLessonQueries& queries, std::size_t query) {
    return queries.kinds == nullptr ? 0 : static_cast<std::size_t>(queries.kinds[query]);
  }

  void begin() {
    space_.visited.fit(plan_.graph.size);
    if (space_.answer_number.size() < plan_.graph.size) space_.answer_number.assign(plan_.graph.size, 0);
    frontier_.clear();
    left_ = plan_.budget;
    for (std::size_t i = 0; i < answers_.size(); ++i) {
      if (!plan_.graph.holds(answers_[i])) continue;
      space_.answer_number[static_cast<std::size_t>(answers_[i])] = static_cast<std::uint8_t>(i + 1);
      unseen_ |= AnswerSet{1} << i;
    }
    wanted_ = std::popcount(unseen_);
  }

  void see(std::span<const Row> rows) {
    space_.fresh.clear();
    for (const Row row : rows) {
      if (!plan_.graph.holds(row) || space_.fresh.size() == left_) break;
      if (!space_.visited.insert(row)) continue;
      space_.fresh.push_back(row);
      product_.expect(row);
      prefetch(plan_.graph.of(static_cast<std::size_t>(row)).data());
    }
    left_ -= space_.fresh.size();
    space_.scores.resize(space_.fresh.size());
    product_.score(space_.fresh.data(), space_.fresh.size(), space_.scores.data());
    for (std::size_t i = 0; i < space_.fresh.size(); ++i) add(space_.fresh[i], space_.scores[i]);
    for (const Row row : space_.fresh) unseen_ &= ~answer(row);
  }

  void add(Row row, float product) {
    const float score = bias_ == nullptr ? product : product + bias_[row];
    rebase(score);
    frontier_.push(score, score + plan_.noise * gumbel(row), std::exp(above_base(score)),
                   answers_in(plan_.graph.of(static_cast<std::size_t>(row))), lessons_.rows.size(), false);
    lessons_.rows.push_back(row);
    lessons_.weights.push_back(0);
  }

  AnswerSet answer(Row row) const {
    const std::uint8_t number = space_.answer_number[static_cast<std::size_t>(row)];
    return number == 0 ? 0 : AnswerSet{1} << (number - 1);
  }

  AnswerSet answers_in(std::span<const Row> rows) const {
    AnswerSet shows = 0;
    for (const Row neighbor : rows) {
      if (!plan_.graph.holds(neighbor)) break;
      shows |= answer(neighbor);
    }
    return shows;
  }

  // Keeps the shares within what a double holds: a score far above the base becomes the base.
  void rebase(float score) {
    if (lessons_.rows.empty()) base_ = score;
    if (above_base(score) <= largest_exponent) return;
    const double shrink = std::exp(-above_base(score));
    for (double& share : frontier_.shares) share *= shrink;
    base_ = score;
  }

  // Once all that scored far higher is expanded, what is left may have no share that a double holds.
  double total_share() {
    const double total = sum(frontier_.shares);
    if (total >= least_total) return total;
    base_ = *std::max_element(frontier_.scores.begin(), frontier_.scores.end());
    for (std::size_t i = 0; i < frontier_.size(); ++i) frontier_.shares[i] = std::exp(above_base(frontier_.scores[i]));
    return sum(frontier_.shares);
  }

  // In doubles: a float's exponential ends at 88.
  double above_base(float score) const { return (static_cast<double>(score) - base_) / plan_.tau; }

  float gumbel(Row row) const {
    if (plan_.noise == 0) return 0;
    const std::uint64_t bits = random_bits(seed_, static_cast<std::uint64_t>(row));
    const double uniform = (static_cast<double>(bits >> 11) + 0.5) * 0x1p-53;
    return static_cast<float>(-std::log(-std::log(uniform)));
  }

  // What the state before an expansion teaches. With v the value of a vertex and p its probability, the loss is
  // -log(sum of p v), where v is 0 or 1 for imitation and a count of answers for reinforcement: its slope is the policy
  // gradient of the expected count, over that count, so that states in which little is expected teach as much.
  void learn() {
    const double total = total_share();
    double worth = 0;
    for (std::size_t i = 0; i < frontier_.size(); ++i) worth += value(i) * frontier_.shares[i];
    if (!(worth >= least_worth)) return;
    const double pull = 1 / total, push = 1 / worth;
    for (std::size_t i = 0; i < frontier_.size(); ++i) {
      frontier_.gradients[i] += frontier_.shares[i] * (pull - push * value(i));
    }
    lessons_.loss -= std::log(worth / total);
    ++lessons_.states;
  }

  double value(std::size_t i) const {
    const AnswerSet newly = frontier_.shown[i] & unseen_;
    return plan_.lesson == Lesson::imitation ? (newly != 0 ? 1 : 0) : std::popcount(newly);
  }

  void expand(std::size_t at) {
    const auto row = static_cast<std::size_t>(lessons_.rows[frontier_.places[at]]);
    const bool again = frontier_.second[at] != 0;
    note(at);
    if (!again && plan_.graph.defers(row)) {
      come_back(at);
    } else {
      frontier_.drop(at);
    }
    see(again ? plan_.graph.deferred_of(row) : plan_.graph.of(row));
  }

  // The vertex stays in the frontier, put back by the penalty, for its deferred edges.
  void come_back(std::size_t at) {
    const auto row = static_cast<std::size_t>(lessons_.rows[frontier_.places[at]]);
    const float score = frontier_.scores[at] - penalty_;
    const float noisy = frontier_.noisy[at] - penalty_;
    const std::uint32_t place = frontier_.places[at];
    frontier_.drop(at);
    frontier_.push(score, noisy, std::exp(above_base(score)), answers_in(plan_.graph.deferred_of(row)), place, true);
  }

  void note(std::size_t at) {
    lessons_.weights[frontier_.places[at]] += static_cast<float>(frontier_.gradients[at] / plan_.tau);
  }

  void finish() {
    for (std::size_t i = 0; i < frontier_.size(); ++i) note(i);
    lessons_.found = static_cast<std::uint32_t>(wanted_ - std::popcount(unseen_));
    for (const Row row : lessons_.rows) space_.visited.forget(row);
    for (const Row row : answers_) {
      if (plan_.graph.holds(row)) space_.answer_number[static_cast<std::size_t>(row)] = 0;
    }
  }

  const BeamLessonPlan& plan_;
  InnerProduct product_;
  const float* bias_;
  std::span<const Row> answers_;
  std::span<const Row> entries_;
  std::uint64_t seed_;
  float penalty_;
  LessonSpace& space_;
  Frontier& frontier_;
  BeamLessons& lessons_;
  AnswerSet unseen_ = 0;
  int wanted_ = 0;
  std::size_t left_ = 0;
  float base_ = 0;  // the score whose share is one
};

}  // namespace

void learn_from_beams(const BeamLessonPlan& plan, const BeamLessonQueries& queries, std::vector<BeamLessons>& lessons,
                      const Progress& progress) {
  const QueryChunks chunks{queries.route.rows, walks_a_chunk, plan.threads};
  std::vector<LessonSpace> spaces(chunks.workers());
  lessons.assign(chunks.queries, BeamLessons{});
  chunks.each(spaces, progress, [&](std::size_t query, LessonSpace& space) {
    LessonWalk(plan, queries, query, space, lessons[query]).run();
  });
}

}  // namespace waypost
