#include "waypost/pool_search.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <optional>
#include <type_traits>

#include "lanes.hpp"
#include "waypost/coded_product.hpp"
#include "waypost/scan.hpp"
#include "waypost/scorer.hpp"

namespace waypost {
namespace {

// Where vectors come from the main memory, those of other queries arrive while one is worked on; in the caches, more
// queries only crowd each other out.
constexpr std::size_t most_walks_at_once = 4;
constexpr std::size_t what_caches_hold = std::size_t{1} << 26;

std::size_t walks_at_once(const PoolPlan& plan) {
  const std::size_t bytes_a_row = plan.coded() ? plan.codes.cols : plan.route.cols * sizeof(float);
  const std::size_t bytes = plan.graph.size * (bytes_a_row + plan.graph.degree * sizeof(Row));
  return bytes > what_caches_hold ? most_walks_at_once : 1;
}

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

// How a call that asks for everything makes its filters, and one that does not.
struct Unfiltered {
  using Filter = AllowAll;
  static Filter filter(const PoolPlan&, PoolSearchSpace&) { return {}; }
};

struct Filtered {
  using Filter = RowFilter;
  static Filter filter(const PoolPlan& plan, PoolSearchSpace& space) { return {*plan.filter, space.excluded}; }
};

// Nothing hides an answer: the best of the pool are the best of all that was seen.
struct AnswersInPool : Unfiltered {
  using Witness = NoWitness;

  static Witness witness(const PoolPlan&, const Filter&, std::size_t, PoolSearchSpace&) { return {}; }
  static const CandidatePool& answers(const PoolSearchSpace& space) { return space.walk.pool; }
};

// A filter's answers are in the pool, too, where it holds enough that are allowed.
struct AllowedInPool : Filtered {
  using Witness = NoWitness;

  static Witness witness(const PoolPlan&, const Filter&, std::size_t, PoolSearchSpace&) { return {}; }
  static const CandidatePool& answers(const PoolSearchSpace& space) { return space.walk.pool; }
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

  static Witness witness(const PoolPlan& plan, const Filter& filter, std::size_t kind, PoolSearchSpace& space) {
    space.answers.reset(plan.chosen());
    return {&space, plan.biased() ? plan.bias.row(kind) : nullptr, plan.bias_scale, &filter};
  }
  static const CandidatePool& answers(const PoolSearchSpace& space) { return space.answers; }
};

constexpr std::size_t wider = 4;                 // a pool that found too little is walked again so much larger
constexpr std::size_t products_a_candidate = 5;  // what a walk costs for each, more or less: a scan may be cheaper

// One of the queries being worked on.
template <class Scoring, class Keeping>
class Lane {
  static constexpr bool filtered = std::is_same_v<typename Keeping::Filter, RowFilter>;
  static constexpr bool in_pool = std::is_same_v<Keeping, AllowedInPool>;

 public:
  Lane(const PoolPlan& plan, const SearchQueries& queries, const SearchAnswers& answers, PoolSearchSpace& space)
      : plan_(plan), queries_(queries), answers_(answers), space_(space), filter_(Keeping::filter(plan, space)) {}

  // Begins with a query; false when it is answered already.
  bool start(std::size_t query) {
    query_ = query;
    cost_ = 0;
    if constexpr (in_pool) {
      filter_.glance(query);
    } else {
      filter_.enter(query);
    }
    if (const std::size_t next = query + walks_at_once(plan_); next < queries_.route.rows) filter_.expect(next);
    return set_out(std::max(plan_.pool, plan_.chosen()), plan_.budget);
  }

  // One step of the walk, or of what comes after it; false when the query is answered.
  bool step() {
    if (walking_) {
      walk_->score();
      walking_ = walk_->expand();
      if (walking_) return true;
      cost_ += walk_->seen() + plan_.overhead();
      choose();
      if (const std::size_t larger = size_for_the_excluded(); larger > pool_) return set_out(larger, plan_.budget);
      if (found_too_few()) return set_out(wider * pool_, std::numeric_limits<std::size_t>::max());
      if (plan_.rerank > 0) return true;
    } else {
      rank();
    }
    answer();
    return false;
  }

 private:
  // Scans where that costs no more than the walk would, and walks where it does; false when the query is answered.
  bool set_out(std::size_t pool, std::size_t budget) {
    const float* routed = queries_.route.row(query_);
    const std::size_t kind = plan_.by_kind ? kind_of(routed, plan_.codebook.centroids) : 0;
    const auto entries = plan_.by_kind ? plan_.codebook.seeds_of(kind) : own_entries();
    if constexpr (filtered) {
      if (filter_.allows_at_most(std::min(budget, products_a_candidate * pool + entries.size()), query_)) {
        scan();
        return false;
      }
    }
    pool_ = std::min(pool, plan_.graph.size);
    const std::size_t column = plan_.by_kind && plan_.bias.rows > 1 ? 1 + kind : 0;
    walk_.emplace(plan_.graph, entries, Scoring::scorer(plan_, routed, space_),
                  Keeping::witness(plan_, filter_, column, space_), pool_, budget - plan_.rerank - plan_.overhead(),
                  plan_.second_looks, space_.walk);
    walking_ = true;
    return true;
  }

  // The pool that a walk needs where what is excluded left too few candidates in it, as a user's seen items can, which
  // are among the best: one that has room for these, too. A budget is not exceeded for it.
  std::size_t size_for_the_excluded() const {
    if constexpr (filtered) {
      if (!plan_.complete || plan_.budget != std::numeric_limits<std::size_t>::max()) return pool_;
      const PoolKey* keys = space_.walk.pool.keys();
      if (keys[pool_ - 1] == 0) return pool_;
      std::size_t allowed = in_pool ? space_.chosen.size() : 0;
      for (std::size_t i = 0; !in_pool && i < pool_; ++i) allowed += filter_.allows(pool_row(keys[i])) ? 1 : 0;
      if (allowed < plan_.k) return pool_ + 2 * (pool_ - allowed);
    }
    return pool_;
  }

  bool found_too_few() {
    const std::size_t found = space_.chosen.size();
    if constexpr (filtered) return plan_.complete && found < plan_.k && found < filter_.allowed();
    return false;
  }

  void scan() {
    if constexpr (filtered) {
      const bool ranked = plan_.rerank > 0;
      const InnerProduct product(ranked ? queries_.rank.row(query_) : queries_.route.row(query_),
                                 ranked ? plan_.rank : plan_.route);
      cost_ += scan_allowed(filter_, product, plan_.k, space_.chosen);
      answer();
    }
  }

  std::span<const Row> own_entries() const {
    const std::size_t row = queries_.entries.rows == 1 ? 0 : query_;
    return {queries_.entries.row(row), queries_.entries.cols};
  }

  void choose() {
    const CandidatePool& pool = Keeping::answers(space_);
    const InnerProduct exact(queries_.rank.row(query_), plan_.rank);
    space_.chosen.clear();
    for (std::size_t i = 0; i < pool.size() && pool.keys()[i] != no_key; ++i) {
      if (space_.chosen.size() == plan_.chosen()) break;
      if (in_pool && !filter_.allows(pool_row(pool.keys()[i]))) continue;
      space_.chosen.push_back(plain_key(pool.keys()[i]));
      if (plan_.rerank > 0) exact.expect(key_row(space_.chosen.back()));
    }
  }

  // Puts exact scores in the place of the routing scores.
  void rank() {
    const std::size_t count = space_.chosen.size();
    space_.rows.resize(std::max(space_.rows.size(), count));
    space_.scores.resize(space_.rows.size());
    for (std::size_t i = 0; i < count; ++i) space_.rows[i] = key_row(space_.chosen[i]);
    InnerProduct(queries_.rank.row(query_), plan_.rank).score(space_.rows.data(), count, space_.scores.data());
    for (std::size_t i = 0; i < count; ++i) space_.chosen[i] = make_key(space_.scores[i], space_.rows[i]);
    std::sort(space_.chosen.begin(), space_.chosen.end(), std::greater<>{});
    cost_ += count;
  }

  void answer() {
    std::int64_t* ids = answers_.ids + query_ * plan_.k;
    float* scores = answers_.scores + query_ * plan_.k;
    for (std::size_t i = 0; i < plan_.k; ++i) {
      const bool found = i < space_.chosen.size();
      const Row row = found ? key_row(space_.chosen[i]) : -1;
      ids[i] = found && plan_.own_ids != nullptr ? plan_.own_ids[row] : row;
      scores[i] = found ? key_score(space_.chosen[i]) : -std::numeric_limits<float>::infinity();
    }
    answers_.cost[query_] = static_cast<std::int64_t>(cost_);
  }

  const PoolPlan& plan_;
  const SearchQueries& queries_;
  const SearchAnswers& answers_;
  PoolSearchSpace& space_;
  typename Keeping::Filter filter_;
  std::size_t query_ = 0;
  std::size_t pool_ = 0;
  std::size_t cost_ = 0;
  bool walking_ = false;
  std::optional<PoolWalk<typename Scoring::Scorer, typename Keeping::Witness>> walk_;
};

// Works on queries [next, end) with as many lanes as are given.
template <class LaneType>
void run(std::vector<LaneType>& lanes, std::size_t next, std::size_t end) {
  std::array<LaneType*, most_walks_at_once> active{};
  std::size_t count = 0;
  while (count < lanes.size() && start_next(lanes[count], next, end)) {
    active[count] = &lanes[count];
    ++count;
  }
  while (count > 0) {
    for (std::size_t i = 0; i < count;) {
      if (active[i]->step() || start_next(*active[i], next, end)) {
        ++i;
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
  if (total == 1) {  // without what only several queries need
    auto space = spaces.take();
    Lane<Scoring, Keeping> lane(plan, queries, answers, *space);
    for (bool busy = lane.start(0); busy;) busy = lane.step();
    spaces.give_back(std::move(space));
    return;
  }
  using Work = Lane<Scoring, Keeping>;
  const std::size_t a_chunk = queries_a_chunk(plan.filter != nullptr, plan.graph.size, most_walks_at_once);
  const Shares shares{total, a_chunk, std::min(walks_at_once(plan), total), plan.threads};
  const auto make = [&](std::vector<Work>& lanes, PoolSearchSpace& space, PoolSearchSpace&) {
    lanes.emplace_back(plan, queries, answers, space);
  };
  share_out<Work>(shares, spaces, progress, make, run<Work>);
}

template <class Scoring>
void search_scored(const PoolPlan& plan, const SearchQueries& queries, const SearchAnswers& answers,
                   SpacePool<PoolSearchSpace>& spaces, const Progress& progress) {
  const auto apart = plan.filter != nullptr ? search_by<Scoring, AnswersApart<Filtered>>
                                            : search_by<Scoring, AnswersApart<Unfiltered>>;
  const auto inside = plan.filter != nullptr ? search_by<Scoring, AllowedInPool> : search_by<Scoring, AnswersInPool>;
  const auto search = plan.biased() ? apart : inside;
  search(plan, queries, answers, spaces, progress);
}

}  // namespace

void pool_search(const PoolPlan& plan, const SearchQueries& queries, const SearchAnswers& answers,
                 SpacePool<PoolSearchSpace>& spaces, const Progress& progress) {
  const auto search = plan.coded() ? search_scored<Coded> : search_scored<Plain>;
  search(plan, queries, answers, spaces, progress);
}

}  // namespace waypost
