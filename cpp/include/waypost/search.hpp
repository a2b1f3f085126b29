// Top-k search under a budget of inner products: the walk, and what is made of the vertices it saw.
#pragma once

#include <cstdint>
#include <vector>

#include "waypost/codebook.hpp"
#include "waypost/filter.hpp"
#include "waypost/graph.hpp"
#include "waypost/progress.hpp"
#include "waypost/space_pool.hpp"
#include "waypost/walk.hpp"

namespace waypost {

// What is the same for all queries of a call.
struct SearchPlan {
  Graph graph;
  Vectors route;  // walked by
  Vectors rank;   // scored exactly by, when rerank > 0
  std::size_t k = 10;
  std::size_t budget = 256;  // all inner products of one query, entries and re-rank among them
  std::size_t rerank = 0;    // so many of them rank the best visited exactly
  unsigned threads = 0;
  Codebook codebook{};   // the kinds of queries, if any are told apart
  bool by_kind = false;  // whether a query starts at its kind's seeds and goes by its kind's bias
  Vectors bias{};        // when it has rows: one for all queries, then one a kind; added to routing scores ...
  float bias_scale = 0;  // ... so many times; answers go without it
  const FilterLists* filter = nullptr;  // what may be answers, if not everything
  bool complete = true;  // a filtered query goes beyond its budget until it has k answers, if so many are allowed

  bool biased() const { return bias.rows > 0 && bias_scale != 0; }

  // Products that a query costs before its walk begins.
  std::size_t overhead() const { return by_kind ? codebook.size() : 0; }
};

struct SearchQueries {
  Vectors route;
  Vectors rank;
  MatrixView<Row> entries;  // one row for all queries or one a query
};

// Caller's arrays: k a query (ids padded with -1, scores with -infinity), and the products spent.
struct SearchAnswers {
  std::int64_t* ids;
  float* scores;
  std::int64_t* cost;
};

// What one walk saw, in order. `hops[i]` is the index in `path` of the expansion that showed rows[i], -1 for entries.
struct Trace {
  std::vector<Row> rows;
  std::vector<float> scores;
  std::vector<std::int32_t> hops;
  std::vector<Row> path;
};

struct SearchSpace {
  WalkSpace walk;
  KeyQueue queue;
  Marks excluded;
  std::vector<float> exact;  // products of what was seen, in order, where a bias hides them in the keys
  std::vector<Key> chosen;
  std::vector<Row> rows;
  std::vector<float> scores;
};

// `traces`, when given, gets one entry a query.
void search(const SearchPlan& plan, const SearchQueries& queries, const SearchAnswers& answers,
            std::vector<Trace>* traces, SpacePool<SearchSpace>& pool, const Progress& progress);

}  // namespace waypost
