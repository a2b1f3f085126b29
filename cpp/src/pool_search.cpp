#include "waypost/pool_search.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "lanes.hpp"
#include "one_query.hpp"
#include "pool_answers.hpp"
#include "waypost/coded_product.hpp"
#include "waypost/scorer.hpp"

namespace waypost {
namespace {

constexpr std::size_t unbounded = std::numeric_limits<std::size_t>::max();

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

constexpr std::size_t crowding = 4;              // the excluded may be one candidate in so many
constexpr std::size_t wider_by = 2;              // candidates for each that is hidden
constexpr std::size_t products_a_candidate = 5;  // what a walk costs for each, more or less: a scan may be cheaper

// One of the queries being worked on.
template <class Scoring, class Keeping>
class Lane {
  static constexpr bool filtered = filters<Keeping>;
  static constexpr bool in_pool = answers_in_pool<Keeping>;

  template <class Candidates>
  using WalkBy = PoolWalk<typename Scoring::Scorer, typename Keeping::Witness, Candidates>;
  using Pool = std::remove_reference_t<decltype(Keeping::pool(std::declval<PoolSearchSpace&>()))>;

 public:
  Lane(const PoolPlan& plan, const SearchQueries& queries, const SearchAnswers& answers, PoolSearchSpace& space)
      : plan_(plan),
        queries_(queries),
        answers_(answers),
        space_(space),
        pool_(Keeping::pool(space)),
        filter_(Keeping::filter(plan, space)) {}

  // Begins with a query; false when it is answered already.
  bool start(std::size_t query) {
    query_ = query;
    if constexpr (filtered && in_pool) {
      filter_.glance(query, plan_.chosen());
    } else {
      filter_.enter(query);
    }
    if (const std::size_t next = query + walks_at_once(plan_); next < queries_.route.rows) filter_.expect(next);
    return set_out();
  }

  // One step of a walk, or of what comes after it; false when the query is answered.
  bool step() {
    switch (stage_) {
      case Stage::walk:
        walk_->score();
        if (walk_->expand()) return true;
        cost_ += walk_->seen();
        choose(pool_.keys(), pool_.size());
        return crowded() || found_too_few() ? go_on() : finish();
      case Stage::wider_walk:
        wider_walk_->score();
        return wider_walk_->expand() || end_wider_walk();
      case Stage::rank:
        rank();
    }
    return answer();
  }

 private:
  enum class Stage { walk, wider_walk, rank };

  // Scans where that costs no more than the walk would, and walks where it does; false when the query is answered.
  bool set_out() {
    const auto [entries, column] = outset_of(plan_, queries_, query_);
    const std::size_t wanted = std::max(plan_.pool, plan_.chosen());
    cost_ = plan_.overhead();
    if constexpr (filtered) {
      if (filter_.allows_at_most(std::min(plan_.budget, products_a_candidate * wanted + entries.size()), query_)) {
        return scan(0);
      }
    }
    stage_ = Stage::walk;
    column_ = column;
    pool_.reset(std::min(wanted, plan_.graph.size));
    Keeping::begin(plan_, space_);
    emplace(walk_, pool_, plan_.budget - plan_.rerank - plan_.overhead());
    walk_->begin(entries);
    return true;
  }

  template <class Candidates>
  void emplace(std::optional<WalkBy<Candidates>>& walk, Candidates& candidates, std::size_t budget) {
    walk.emplace(plan_.graph, Scoring::scorer(plan_, queries_.route.row(query_), space_),
                 Keeping::witness(plan_, filter_, column_, space_), candidates, budget, plan_.second_looks,
                 space_.walk);
  }

  // Whether the excluded take up so much of a full pool that the allowed were looked for with far less than was asked
  // for. A budget is not exceeded for more of them.
  bool crowded() const {
    if constexpr (filtered) {
      if (!plan_.complete || plan_.budget != unbounded || pool_.keys()[pool_.size() - 1] == no_key) return false;
      std::size_t looked_at = looked_at_;
      std::size_t allowed = space_.chosen.size();
      if constexpr (!in_pool) {
        for (looked_at = allowed = 0; looked_at < pool_.size() && allowed < plan_.chosen(); ++looked_at) {
          allowed += filter_.allows(pool_row(pool_.keys()[looked_at])) ? 1 : 0;
        }
      }
      return allowed < plan_.k || crowding * (looked_at - allowed) > looked_at;
    }
    return false;
  }

  bool found_too_few() {
    const std::size_t found = space_.chosen.size();
    if constexpr (filtered) return plan_.complete && found < plan_.k && found < filter_.allowed();
    return false;
  }

  // So many of all that was seen stand before the answers and are excluded.
  std::size_t hidden() const {
    std::size_t count = 0;
    if constexpr (filtered) {
      const std::span<const Row> rows = pool_.rows();
      std::vector<Key>& allowed = space_.chosen;
      allowed.clear();
      for (std::size_t i = 0; i < rows.size(); ++i) {
        if (filter_.allows(rows[i])) allowed.push_back(make_key(pool_.scores()[i], rows[i]));
      }
      Key last = no_key;
      if (allowed.size() >= plan_.k) {
        const auto place = allowed.begin() + static_cast<std::ptrdiff_t>(plan_.k - 1);
        std::nth_element(allowed.begin(), place, allowed.end(), std::greater<>{});
        last = *place;
      }
      for (std::size_t i = 0; i < rows.size(); ++i) {
        count += make_key(pool_.scores()[i], rows[i]) > last && !filter_.allows(rows[i]) ? 1 : 0;
      }
    }
    return count;
  }

  // From where the walk ended, by a pool of allowed candidates alone: the excluded have filled the other, as a user's
  // seen items can, which are among the best. What lies behind them is harder to find, so that this pool is the wider,
  // the more they are. Where few are allowed, a scan costs less.
  bool go_on() {
    if constexpr (filtered) {
      const std::size_t allowed = filter_.allowed();
      const std::size_t size = std::min(pool_.size() + wider_by * hidden(), plan_.graph.size);
      if (allowed * allowed <= products_a_candidate * size * plan_.graph.size) return scan(cost_);
      if (walk_->cut_short()) {
        pool_.reopen();
        space_.walk.came_back.begin(plan_.graph.size);
      }
      space_.allowed.reset(size, filter_, pool_, plan_.graph.size, pool_kernels());
      emplace(wider_walk_, space_.allowed, unbounded);
      stage_ = Stage::wider_walk;
      return wider_walk_->expand() || end_wider_walk();
    }
    return false;
  }

  // A walk that has found too few has seen all that it can: only a scan finds more.
  bool end_wider_walk() {
    cost_ += wider_walk_->seen();
    choose(space_.allowed.keys(), space_.allowed.size());
    return found_too_few() ? scan(cost_) : finish();
  }

  bool scan(std::size_t cost) {
    if constexpr (filtered) cost_ = cost + scan_for(plan_, queries_, query_, filter_, space_.chosen);
    return answer();
  }

  // Takes answers from the best of a walk's candidates, or from where the witness put them.
  void choose(const PoolKey* keys, std::size_t size) {
    if constexpr (!in_pool) {
      keys = space_.answers.keys();
      size = space_.answers.size();
    }
    const InnerProduct exact(queries_.rank.row(query_), plan_.rank);
    space_.chosen.clear();
    std::uint32_t allowed = 0;  // of the next keys, a bit each
    looked_at_ = 0;
    for (std::size_t i = 0; i < size && keys[i] != no_key; ++i) {
      if (space_.chosen.size() == plan_.chosen()) break;
      ++looked_at_;
      if constexpr (filtered && in_pool) {
        if (i % RowFilter::at_once == 0) allowed = allowed_among(keys + i, std::min(size - i, RowFilter::at_once));
        if ((allowed >> (i % RowFilter::at_once) & 1) == 0) continue;
      }
      space_.chosen.push_back(plain_key(keys[i]));
      if (plan_.rerank > 0) exact.expect(key_row(space_.chosen.back()));
    }
  }

  std::uint32_t allowed_among(const PoolKey* keys, std::size_t most) const {
    std::array<Row, RowFilter::at_once> rows{};
    std::size_t count = 0;
    for (; count < most && keys[count] != no_key; ++count) rows[count] = pool_row(keys[count]);
    return filter_.allowed_among({rows.data(), count});
  }

  bool finish() {
    stage_ = Stage::rank;
    return plan_.rerank > 0 || answer();
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

  bool answer() {
    std::int64_t* ids = answers_.ids + query_ * plan_.k;
    float* scores = answers_.scores + query_ * plan_.k;
    for (std::size_t i = 0; i < plan_.k; ++i) {
      const bool found = i < space_.chosen.size();
      const Row row = found ? key_row(space_.chosen[i]) : -1;
      ids[i] = found && plan_.own_ids != nullptr ? plan_.own_ids[row] : row;
      scores[i] = found ? key_score(space_.chosen[i]) : -std::numeric_limits<float>::infinity();
    }
    answers_.cost[query_] = static_cast<std::int64_t>(cost_);
    return false;
  }

  const PoolPlan& plan_;
  const SearchQueries& queries_;
  const SearchAnswers& answers_;
  PoolSearchSpace& space_;
  Pool& pool_;
  typename Keeping::Filter filter_;
  Stage stage_ = Stage::walk;
  std::size_t query_ = 0;
  std::size_t column_ = 0;  // of the bias
  std::size_t cost_ = 0;
  std::size_t looked_at_ = 0;  // of the pool's best, for the answers
  std::optional<WalkBy<Pool>> walk_;
  std::optional<WalkBy<AllowedPool>> wider_walk_;
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
  const auto inside = plan.filter != nullptr ? search_by<Scoring, AnswersInPool<Filtered>>
                                             : search_by<Scoring, AnswersInPool<Unfiltered>>;
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
