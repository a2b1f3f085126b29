#include "waypost/search.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>
#include <optional>

#include "waypost/deferred.hpp"
#include "waypost/parallel.hpp"
#include "waypost/scorer.hpp"

namespace waypost {
namespace {

constexpr std::size_t queries_a_chunk = 64;

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

template <class Scoring, AnswerFilter Filter>
void choose_seen(std::size_t query, std::size_t count, const Filter& filter, SearchSpace& space) {
  space.queue.clear();
  for (std::size_t i = 0; i < space.walk.keys.size(); ++i) {
    if (filter.allows(query, key_row(space.walk.keys[i]))) space.queue.push(Scoring::key(space, i));
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

// One of the queries being worked on.
template <class Scoring, Visitor V, AnswerFilter Filter>
class Lane {
 public:
  Lane(const SearchPlan& plan, const SearchQueries& queries, const SearchAnswers& answers, const Filter& filter,
       SearchSpace& space)
      : plan_(plan), queries_(queries), answers_(answers), filter_(filter), space_(space) {}

  void start(std::size_t query, V visitor) {
    query_ = query;
    const float* routed = queries_.route.row(query);
    const std::size_t kind = plan_.by_kind ? kind_of(routed, plan_.codebook.centroids) : 0;
    const auto entries = plan_.by_kind ? plan_.codebook.seeds_of(kind) : own_entries();
    const std::size_t column = plan_.by_kind && plan_.bias.rows > 1 ? 1 + kind : 0;
    const Budget budget(plan_.budget - plan_.rerank - plan_.overhead());
    const float penalty = penalty_for(plan_.graph, routed, plan_.route.cols);
    walk_.emplace(plan_.graph, entries, Scoring::scorer(plan_, routed, column, space_), budget, visitor, space_.walk,
                  penalty);
  }

  void score() { walk_->score(); }
  bool expand() { return walk_->expand(); }

  void finish() {
    walk_->leave();
    std::size_t cost = space_.walk.keys.size() + plan_.overhead();
    choose_seen<Scoring>(query_, plan_.rerank > 0 ? plan_.rerank : plan_.k, filter_, space_);
    if (plan_.rerank > 0) {
      cost += space_.chosen.size();
      rank(InnerProduct(queries_.rank.row(query_), plan_.rank), plan_.k, space_);
    }
    write(query_, plan_.k, space_.chosen, answers_);
    answers_.cost[query_] = static_cast<std::int64_t>(cost);
  }

 private:
  std::span<const Row> own_entries() const {
    const std::size_t row = queries_.entries.rows == 1 ? 0 : query_;
    return {queries_.entries.row(row), queries_.entries.cols};
  }

  const SearchPlan& plan_;
  const SearchQueries& queries_;
  const SearchAnswers& answers_;
  const Filter& filter_;
  SearchSpace& space_;
  std::size_t query_ = 0;
  std::optional<Walk<typename Scoring::Scorer, Budget, V>> walk_;
};

// Works on queries [next, end) with as many lanes as are given; `visitor_of` makes each query its visitor.
template <class LaneType, class VisitorOf>
void run(std::vector<LaneType>& lanes, std::size_t next, std::size_t end, const VisitorOf& visitor_of) {
  std::size_t active = 0;
  for (; active < lanes.size() && next < end; ++active, ++next) lanes[active].start(next, visitor_of(next));
  std::array<std::size_t, walks_at_once> order{};
  std::iota(order.begin(), order.end(), std::size_t{0});
  while (active > 0) {
    for (std::size_t i = 0; i < active; ++i) lanes[order[i]].score();
    for (std::size_t i = 0; i < active;) {
      LaneType& lane = lanes[order[i]];
      if (lane.expand()) {
        ++i;
        continue;
      }
      lane.finish();
      if (next < end) {
        lane.start(next, visitor_of(next));
        ++next;
        ++i;
      } else {
        order[i] = order[--active];
      }
    }
  }
}

template <class Scoring, Visitor V, AnswerFilter Filter, class VisitorOf>
void search_with(const SearchPlan& plan, const SearchQueries& queries, const SearchAnswers& answers,
                 const Filter& filter, const VisitorOf& visitor_of, SpacePool<SearchSpace>& pool,
                 const Progress& progress) {
  const std::size_t total = queries.route.rows;
  if (total == 0) return;
  const std::size_t chunks = (total + queries_a_chunk - 1) / queries_a_chunk;
  const std::size_t lanes = std::min(walks_at_once, total);
  std::vector<std::unique_ptr<SearchSpace>> spaces(threads_used(chunks, plan.threads) * lanes);
  for (auto& space : spaces) space = pool.take();
  std::vector<std::vector<Lane<Scoring, V, Filter>>> workers(spaces.size() / lanes);
  for (std::size_t i = 0; i < spaces.size(); ++i) {
    workers[i / lanes].emplace_back(plan, queries, answers, filter, *spaces[i]);
  }
  std::size_t polls = 0;
  parallel_for(
      chunks, plan.threads,
      [&](std::size_t chunk, unsigned worker) {
        const std::size_t first = chunk * queries_a_chunk;
        run(workers[worker], first, std::min(first + queries_a_chunk, total), visitor_of);
      },
      [&] {
        if (progress) progress(std::min(++polls * workers.size(), chunks), chunks);
      });
  for (auto& space : spaces) pool.give_back(std::move(space));
}

// Writes a walk down.
struct Recorder {
  Trace* trace;

  void expanded(Row row) { trace->path.push_back(row); }
  void seen(Row row, float score, std::int32_t hop) {
    trace->rows.push_back(row);
    trace->scores.push_back(score);
    trace->hops.push_back(hop);
  }
};

template <class Scoring>
void search_by(const SearchPlan& plan, const SearchQueries& queries, const SearchAnswers& answers,
               std::vector<Trace>* traces, SpacePool<SearchSpace>& pool, const Progress& progress) {
  if (traces == nullptr) {
    const auto nobody = [](std::size_t) { return NoVisitor{}; };
    search_with<Scoring, NoVisitor>(plan, queries, answers, AllowAll{}, nobody, pool, progress);
    return;
  }
  traces->resize(queries.route.rows);
  const auto recorder = [&](std::size_t query) { return Recorder{&(*traces)[query]}; };
  search_with<Scoring, Recorder>(plan, queries, answers, AllowAll{}, recorder, pool, progress);
}

}  // namespace

void search(const SearchPlan& plan, const SearchQueries& queries, const SearchAnswers& answers,
            std::vector<Trace>* traces, SpacePool<SearchSpace>& pool, const Progress& progress) {
  const auto run_search = plan.biased() ? search_by<Biased> : search_by<Plain>;
  run_search(plan, queries, answers, traces, pool, progress);
}

}  // namespace waypost
