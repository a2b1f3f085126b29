#include "waypost/search.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>
#include <optional>
#include <type_traits>

#include "lanes.hpp"
#include "one_query.hpp"
#include "waypost/deferred.hpp"
#include "waypost/scorer.hpp"

namespace waypost {
namespace {

// Leaves the best `count` of the keys in `chosen`, best first.
void choose(std::size_t count, SearchSpace& space) {
  space.chosen.clear();
  for (Key key = no_key; space.chosen.size() < count && (key = space.queue.pop(kernels())) != no_key;) {
    space.chosen.push_back(key);
  }
}

// How a scorer is made for a query, and by which keys what it scored is ranked.
struct Plain {
  using Scorer = InnerProduct;

  static Scorer scorer(const SearchPlan& plan, const float* query, std::size_t, SearchSpace&) {
    return {query, plan.route};
  }
  static Key key(const SearchSpace& space, std::size_t i) { return space.walk.keys[i]; }
};

struct Biased {
  using Scorer = BiasedProduct;

  static Scorer scorer(const SearchPlan& plan, const float* query, std::size_t kind, SearchSpace& space) {
    return {InnerProduct(query, plan.route), plan.bias.row(kind), plan.bias_scale, space.exact};
  }
  static Key key(const SearchSpace& space, std::size_t i) {
    return make_key(space.exact[i], key_row(space.walk.keys[i]));
  }
};

// What the filter keeps back is queued as no key at all: a branch on it would be mispredicted.
template <class Scoring, AnswerFilter Filter>
void choose_seen(std::size_t count, const Filter& filter, SearchSpace& space) {
  space.queue.clear();
  for (std::size_t i = 0; i < space.walk.keys.size(); ++i) {
    const Key all = Key{0} - (filter.allows(key_row(space.walk.keys[i])) ? 1 : 0);
    space.queue.push(Scoring::key(space, i) & all);
  }
  choose(count, space);
}

// Puts exact scores in the place of the routing scores of those chosen, and chooses the best of them.
void rank(const InnerProduct& exact, std::size_t k, SearchSpace& space) {
  space.rows.clear();
  for (const Key key : space.chosen) space.rows.push_back(key_row(key));
  for (const Row row : space.rows) exact.expect(row);
  space.scores.resize(space.rows.size());
  exact.score(space.rows.data(), space.rows.size(), space.scores.data());
  space.queue.clear();
  for (std::size_t i = 0; i < space.rows.size(); ++i) space.queue.push(make_key(space.scores[i], space.rows[i]));
  choose(k, space);
}

void write(std::size_t query, std::size_t k, const std::vector<Key>& chosen, const SearchAnswers& answers) {
  std::int64_t* ids = answers.ids + query * k;
  float* scores = answers.scores + query * k;
  for (std::size_t i = 0; i < k; ++i) {
    ids[i] = i < chosen.size() ? key_row(chosen[i]) : -1;
    scores[i] = i < chosen.size() ? key_score(chosen[i]) : -std::numeric_limits<float>::infinity();
  }
}

// The memory of other queries arrives while one is worked on; more at once would only crowd the caches.
constexpr std::size_t walks_at_once = 4;

// How a call that asks for everything makes its filters, and one that does not.
struct Unfiltered {
  using Filter = AllowAll;
  static Filter filter(const SearchPlan&, Marks&) { return {}; }
};

struct Filtered {
  using Filter = RowFilter;
  static Filter filter(const SearchPlan& plan, Marks& marks) { return {*plan.filter, marks}; }
};

constexpr std::size_t wider = 4;  // a walk that found too little is walked again with so many times the products

// One of the queries being worked on.
template <class Scoring, class Filtering, class VisitorOf>
class Lane {
  using V = std::invoke_result_t<VisitorOf, std::size_t>;
  static constexpr bool filtered = std::is_same_v<Filtering, Filtered>;

 public:
  Lane(const SearchPlan& plan, const SearchQueries& queries, const SearchAnswers& answers, const VisitorOf& visitor_of,
       SearchSpace& space, Marks& excluded)
      : plan_(plan),
        queries_(queries),
        answers_(answers),
        visitor_of_(visitor_of),
        space_(space),
        filter_(Filtering::filter(plan, excluded)) {}

  // Begins with a query; false when it is answered already.
  bool start(std::size_t query) {
    query_ = query;
    cost_ = 0;
    filter_.expect(query);
    return set_out(plan_.budget);
  }

  void score() { walk_->score(); }
  bool expand() { return walk_->expand(); }

  // Answers by what the walk saw; false when that was too little and there is another walk to do.
  bool finish() {
    walk_->leave();
    cost_ += space_.walk.keys.size() + plan_.overhead();
    filter_.enter(query_);
    choose_seen<Scoring>(plan_.rerank > 0 ? plan_.rerank : plan_.k, filter_, space_);
    if constexpr (filtered) {
      if (plan_.complete && space_.chosen.size() < plan_.k && space_.chosen.size() < filter_.allowed()) {
        // A walk that ended by itself has seen all that it can: only a scan finds more.
        const bool exhausted = space_.walk.keys.size() < products_ - plan_.rerank - plan_.overhead();
        return !set_out(exhausted ? plan_.graph.size : wider * products_);
      }
    }
    if (plan_.rerank > 0) {
      cost_ += space_.chosen.size();
      rank(InnerProduct(queries_.rank.row(query_), plan_.rank), plan_.k, space_);
    }
    answer();
    return true;
  }

 private:
  // Scans where so many products allow it, and walks where not; false when the query is answered.
  bool set_out(std::size_t products) {
    if constexpr (filtered) {
      if (filter_.allows_at_most(products, query_)) {
        cost_ += scan_for(plan_, queries_, query_, filter_, space_.chosen);
        answer();
        return false;
      }
    }
    products_ = products;
    const float* routed = queries_.route.row(query_);
    const auto [entries, column] = outset_of(plan_, queries_, query_);
    const Budget budget(products - plan_.rerank - plan_.overhead());
    const float penalty = penalty_for(plan_.graph, routed, plan_.route.cols);
    walk_.emplace(plan_.graph, entries, Scoring::scorer(plan_, routed, column, space_), budget, visitor_of_(query_),
                  space_.walk, penalty);
    return true;
  }

  void answer() {
    write(query_, plan_.k, space_.chosen, answers_);
    answers_.cost[query_] = static_cast<std::int64_t>(cost_);
  }

  const SearchPlan& plan_;
  const SearchQueries& queries_;
  const SearchAnswers& answers_;
  const VisitorOf& visitor_of_;
  SearchSpace& space_;
  typename Filtering::Filter filter_;
  std::size_t query_ = 0;
  std::size_t products_ = 0;  // that the present walk may cost
  std::size_t cost_ = 0;
  std::optional<Walk<typename Scoring::Scorer, Budget, V>> walk_;
};

// Works on queries [next, end) with as many lanes as are given.
template <class LaneType>
void run(std::vector<LaneType>& lanes, std::size_t next, std::size_t end) {
  std::size_t active = 0;
  while (active < lanes.size() && start_next(lanes[active], next, end)) ++active;
  std::array<std::size_t, walks_at_once> order{};
  std::iota(order.begin(), order.end(), std::size_t{0});
  while (active > 0) {
    for (std::size_t i = 0; i < active; ++i) lanes[order[i]].score();
    for (std::size_t i = 0; i < active;) {
      LaneType& lane = lanes[order[i]];
      if (lane.expand() || !lane.finish() || start_next(lane, next, end)) {
        ++i;
      } else {
        order[i] = order[--active];
      }
    }
  }
}

template <class Scoring, class Filtering, class VisitorOf>
void search_with(const SearchPlan& plan, const SearchQueries& queries, const SearchAnswers& answers,
                 const VisitorOf& visitor_of, SpacePool<SearchSpace>& pool, const Progress& progress) {
  const std::size_t total = queries.route.rows;
  if (total == 0) return;
  using Work = Lane<Scoring, Filtering, VisitorOf>;
  const std::size_t a_chunk = queries_a_chunk(plan.filter != nullptr, plan.graph.size, walks_at_once);
  const Shares shares{total, a_chunk, std::min(walks_at_once, total), plan.threads};
  const auto make = [&](std::vector<Work>& lanes, SearchSpace& space, SearchSpace& first) {
    // The lanes of a worker use the filter's marks one after another.
    lanes.emplace_back(plan, queries, answers, visitor_of, space, first.excluded);
  };
  share_out<Work>(shares, pool, progress, make, run<Work>);
}

// Writes a walk down, in the place of an earlier one of the same query.
class Recorder {
 public:
  explicit Recorder(Trace& trace) : trace_(&trace) { trace = {}; }

  void expanded(Row row) { trace_->path.push_back(row); }
  void seen(Row row, float score, std::int32_t hop) {
    trace_->rows.push_back(row);
    trace_->scores.push_back(score);
    trace_->hops.push_back(hop);
  }

 private:
  Trace* trace_;
};

template <class Scoring, class Filtering>
void search_by(const SearchPlan& plan, const SearchQueries& queries, const SearchAnswers& answers,
               std::vector<Trace>* traces, SpacePool<SearchSpace>& pool, const Progress& progress) {
  if (traces == nullptr) {
    const auto nobody = [](std::size_t) { return NoVisitor{}; };
    search_with<Scoring, Filtering>(plan, queries, answers, nobody, pool, progress);
    return;
  }
  traces->resize(queries.route.rows);
  const auto recorder = [&](std::size_t query) { return Recorder((*traces)[query]); };
  search_with<Scoring, Filtering>(plan, queries, answers, recorder, pool, progress);
}

template <class Filtering>
constexpr auto search_as(const SearchPlan& plan) {
  return plan.biased() ? search_by<Biased, Filtering> : search_by<Plain, Filtering>;
}

}  // namespace

void search(const SearchPlan& plan, const SearchQueries& queries, const SearchAnswers& answers,
            std::vector<Trace>* traces, SpacePool<SearchSpace>& pool, const Progress& progress) {
  const auto run_search = plan.filter == nullptr ? search_as<Unfiltered>(plan) : search_as<Filtered>(plan);
  run_search(plan, queries, answers, traces, pool, progress);
}

}  // namespace waypost
