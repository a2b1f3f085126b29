#include "waypost/pool_search.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <optional>

#include "waypost/coded_product.hpp"
#include "waypost/parallel.hpp"
#include "waypost/scorer.hpp"

namespace waypost {
namespace {

constexpr std::size_t queries_a_chunk = 64;

// The memory of one query arrives while the other is worked on.
constexpr std::size_t walks_at_once = 2;

// How a scorer is made for a query.
struct Plain {
  using Scorer = InnerProduct;

  static Scorer scorer(const PoolPlan& plan, const float* query, PoolSearchSpace&) { return {query, plan.route}; }
};

struct Coded {
  using Scorer = CodedProduct;

  static Scorer scorer(const PoolPlan& plan, const float* query, PoolSearchSpace& space) {
    space.coded.set(query, plan.codes.cols);
    return {space.coded, plan.codes, space.sums};
  }
};

// Nothing hides an answer: the best of the pool are the best of all that was seen.
struct AnswersInPool {
  using Witness = NoWitness;

  static Witness witness(const PoolPlan&, std::size_t, std::size_t, PoolSearchSpace&) { return {}; }
  static const CandidatePool& answers(const PoolSearchSpace& space) { return space.walk.pool; }
};

// Keeps answers in a pool of their own: those that a filter allows, by their scores without the bias.
template <AnswerFilter Filter>
struct AnswersApart {
  struct Witness {
    PoolSearchSpace* space;
    const float* bias;  // or none
    float scale;
    std::size_t query;
    Filter filter;

    void scored(const Row* rows, float* scores, std::size_t count) {
      std::size_t allowed = 0;
      if (space->allowed.size() < count) {
        space->allowed.resize(count);
        space->exact.resize(count);
      }
      for (std::size_t i = 0; i < count; ++i) {
        space->allowed[allowed] = rows[i];
        space->exact[allowed] = scores[i];
        allowed += filter.allows(rows[i]) ? 1 : 0;
      }
      space->answers.offer(space->exact.data(), space->allowed.data(), allowed, pool_kernels());
      if (bias == nullptr) return;
      for (std::size_t i = 0; i < count; ++i) scores[i] += scale * bias[rows[i]];
    }
  };

  static Witness witness(const PoolPlan& plan, std::size_t query, std::size_t kind, PoolSearchSpace& space) {
    space.answers.reset(plan.chosen());
    return {&space, plan.biased() ? plan.bias.row(kind) : nullptr, plan.bias_scale, query, Filter{}};
  }
  static const CandidatePool& answers(const PoolSearchSpace& space) { return space.answers; }
};

// One of the queries being worked on.
template <class Scoring, class Keeping>
class Lane {
 public:
  Lane(const PoolPlan& plan, const SearchQueries& queries, const SearchAnswers& answers, PoolSearchSpace& space)
      : plan_(plan), queries_(queries), answers_(answers), space_(space) {}

  void start(std::size_t query) {
    query_ = query;
    const float* routed = queries_.route.row(query);
    const std::size_t kind = plan_.by_kind ? kind_of(routed, plan_.codebook.centroids) : 0;
    const auto entries = plan_.by_kind ? plan_.codebook.seeds_of(kind) : own_entries();
    const std::size_t column = plan_.by_kind && plan_.bias.rows > 1 ? 1 + kind : 0;
    walk_.emplace(plan_.graph, plan_.deferred, entries, Scoring::scorer(plan_, routed, space_),
                  Keeping::witness(plan_, query, column, space_), std::max(plan_.pool, plan_.chosen()),
                  plan_.budget - plan_.rerank - plan_.overhead(), space_.walk);
    walking_ = true;
  }

  // One step of the walk, or of what comes after it; false when the query is done.
  bool step() {
    if (walking_) {
      walk_->score();
      walking_ = walk_->expand();
      if (walking_) return true;
      choose();
      if (plan_.rerank > 0) return true;
    } else {
      rank();
    }
    write();
    return false;
  }

 private:
  std::span<const Row> own_entries() const {
    const std::size_t row = queries_.entries.rows == 1 ? 0 : query_;
    return {queries_.entries.row(row), queries_.entries.cols};
  }

  void choose() {
    const CandidatePool& pool = Keeping::answers(space_);
    space_.chosen.clear();
    const InnerProduct exact(queries_.rank.row(query_), plan_.rank);
    for (std::size_t i = 0; i < plan_.chosen() && pool.keys()[i] != no_key; ++i) {
      space_.chosen.push_back(plain_key(pool.keys()[i]));
      if (plan_.rerank > 0) exact.expect(key_row(space_.chosen.back()));
    }
  }

  // Puts exact scores in the place of the routing scores.
  void rank() {
    space_.rows.clear();
    for (const Key key : space_.chosen) space_.rows.push_back(key_row(key));
    space_.scores.resize(space_.rows.size());
    InnerProduct(queries_.rank.row(query_), plan_.rank)
        .score(space_.rows.data(), space_.rows.size(), space_.scores.data());
    for (std::size_t i = 0; i < space_.rows.size(); ++i) space_.chosen[i] = make_key(space_.scores[i], space_.rows[i]);
    std::sort(space_.chosen.begin(), space_.chosen.end(), std::greater<>{});
  }

  void write() {
    std::int64_t* ids = answers_.ids + query_ * plan_.k;
    float* scores = answers_.scores + query_ * plan_.k;
    const std::size_t reranked = plan_.rerank > 0 ? space_.chosen.size() : 0;
    for (std::size_t i = 0; i < plan_.k; ++i) {
      const bool found = i < space_.chosen.size();
      ids[i] = found ? key_row(space_.chosen[i]) : -1;
      scores[i] = found ? key_score(space_.chosen[i]) : -std::numeric_limits<float>::infinity();
    }
    answers_.cost[query_] = static_cast<std::int64_t>(walk_->seen() + plan_.overhead() + reranked);
  }

  const PoolPlan& plan_;
  const SearchQueries& queries_;
  const SearchAnswers& answers_;
  PoolSearchSpace& space_;
  std::size_t query_ = 0;
  bool walking_ = false;
  std::optional<PoolWalk<typename Scoring::Scorer, typename Keeping::Witness>> walk_;
};

// Works on queries [next, end) with as many lanes as are given.
template <class LaneType>
void run(std::vector<LaneType>& lanes, std::size_t next, std::size_t end) {
  std::array<LaneType*, walks_at_once> active{};
  std::size_t count = 0;
  for (; count < lanes.size() && next < end; ++count, ++next) {
    active[count] = &lanes[count];
    lanes[count].start(next);
  }
  while (count > 0) {
    for (std::size_t i = 0; i < count;) {
      if (active[i]->step()) {
        ++i;
      } else if (next < end) {
        active[i++]->start(next++);
      } else {
        active[i] = active[--count];
      }
    }
  }
}

template <class Scoring, class Keeping>
void search_by(const PoolPlan& plan, const SearchQueries& queries, const SearchAnswers& answers,
               SpacePool<PoolSearchSpace>& spaces, const Progress& progress) {
  const std::size_t total = queries.route.rows;
  if (total == 0) return;
  const std::size_t chunks = (total + queries_a_chunk - 1) / queries_a_chunk;
  const std::size_t lanes = std::min(walks_at_once, total);
  std::vector<std::unique_ptr<PoolSearchSpace>> taken(threads_used(chunks, plan.threads) * lanes);
  for (auto& space : taken) space = spaces.take();
  std::vector<std::vector<Lane<Scoring, Keeping>>> workers(taken.size() / lanes);
  for (std::size_t i = 0; i < taken.size(); ++i) workers[i / lanes].emplace_back(plan, queries, answers, *taken[i]);
  std::size_t polls = 0;
  parallel_for(
      chunks, plan.threads,
      [&](std::size_t chunk, unsigned worker) {
        const std::size_t first = chunk * queries_a_chunk;
        run(workers[worker], first, std::min(first + queries_a_chunk, total));
      },
      [&] {
        if (progress) progress(std::min(++polls * workers.size(), chunks), chunks);
      });
  for (auto& space : taken) spaces.give_back(std::move(space));
}

}  // namespace

void pool_search(const PoolPlan& plan, const SearchQueries& queries, const SearchAnswers& answers,
                 SpacePool<PoolSearchSpace>& spaces, const Progress& progress) {
  const bool apart = plan.biased();
  const auto search = plan.coded() ? (apart ? search_by<Coded, AnswersApart<AllowAll>> : search_by<Coded, AnswersInPool>)
                                   : (apart ? search_by<Plain, AnswersApart<AllowAll>> : search_by<Plain, AnswersInPool>);
  search(plan, queries, answers, spaces, progress);
}

}  // namespace waypost
