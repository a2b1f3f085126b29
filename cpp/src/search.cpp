#include "waypost/search.hpp"

#include <algorithm>
#include <limits>

#include "waypost/best_keys.hpp"
#include "waypost/parallel.hpp"
#include "waypost/scorer.hpp"

namespace waypost {
namespace {

constexpr std::size_t queries_a_chunk = 16;

// Replaces routing scores by exact ones.
void rescore(const InnerProduct& exact, SearchSpace& space) {
  space.rows.clear();
  for (const Key key : space.chosen) space.rows.push_back(key_row(key));
  for (const Row row : space.rows) exact.expect(row);
  space.scores.resize(space.rows.size());
  exact.score(space.rows.data(), space.rows.size(), space.scores.data());
  for (std::size_t i = 0; i < space.rows.size(); ++i) space.chosen[i] = make_key(space.scores[i], space.rows[i]);
}

template <AnswerFilter Filter>
void choose(std::size_t query, std::size_t count, const Filter& filter, SearchSpace& space) {
  space.chosen.clear();
  for (const Key key : space.walk.keys) {
    if (filter.allows(query, key_row(key))) space.chosen.push_back(key);
  }
  keep_best(space.chosen, count);
}

void write(std::size_t query, std::size_t k, const SearchAnswers& answers, std::vector<Key>& chosen) {
  keep_best(chosen, k);
  std::sort(chosen.begin(), chosen.end(), std::greater<>{});
  std::int64_t* ids = answers.ids + query * k;
  float* scores = answers.scores + query * k;
  for (std::size_t i = 0; i < k; ++i) {
    ids[i] = i < chosen.size() ? key_row(chosen[i]) : -1;
    scores[i] = i < chosen.size() ? key_score(chosen[i]) : -std::numeric_limits<float>::infinity();
  }
}

template <Visitor V, AnswerFilter Filter>
void search_one(const SearchPlan& plan, const SearchQueries& queries, std::size_t query, const SearchAnswers& answers,
                V& visitor, const Filter& filter, SearchSpace& space) {
  const std::size_t entry_row = queries.entries.rows == 1 ? 0 : query;
  const std::span<const Row> entries(queries.entries.row(entry_row), queries.entries.cols);
  InnerProduct routing(queries.route.row(query), plan.route);
  Budget budget(plan.budget - plan.rerank);
  walk(plan.graph, entries, routing, budget, visitor, space.walk);
  std::size_t cost = space.walk.keys.size();
  choose(query, std::max(plan.k, plan.rerank), filter, space);
  if (plan.rerank > 0) {
    keep_best(space.chosen, plan.rerank);
    rescore(InnerProduct(queries.rank.row(query), plan.rank), space);
    cost += space.chosen.size();
  }
  write(query, plan.k, answers, space.chosen);
  answers.cost[query] = static_cast<std::int64_t>(cost);
}

}  // namespace

void search(const SearchPlan& plan, const SearchQueries& queries, const SearchAnswers& answers,
            std::vector<Trace>* traces, SpacePool<SearchSpace>& pool, const Progress& progress) {
  const std::size_t total = queries.route.rows;
  const std::size_t chunks = (total + queries_a_chunk - 1) / queries_a_chunk;
  std::vector<std::unique_ptr<SearchSpace>> spaces(threads_used(chunks, plan.threads));
  for (auto& space : spaces) space = pool.take();
  if (traces != nullptr) traces->resize(total);
  std::size_t polls = 0;
  parallel_for(
      chunks, plan.threads,
      [&](std::size_t chunk, unsigned worker) {
        NoVisitor nobody;
        const std::size_t end = std::min((chunk + 1) * queries_a_chunk, total);
        for (std::size_t query = chunk * queries_a_chunk; query < end; ++query) {
          if (traces == nullptr) {
            search_one(plan, queries, query, answers, nobody, AllowAll{}, *spaces[worker]);
          } else {
            search_one(plan, queries, query, answers, (*traces)[query], AllowAll{}, *spaces[worker]);
          }
        }
      },
      [&] {
        if (progress) progress(std::min(++polls * spaces.size(), chunks), chunks);
      });
  for (auto& space : spaces) pool.give_back(std::move(space));
}

}  // namespace waypost
