// Top-k search by a bounded pool: the fastest way to answers, beside the exactly counted search of search.hpp.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "waypost/allowed_pool.hpp"
#include "waypost/codebook.hpp"
#include "waypost/codes.hpp"
#include "waypost/filter.hpp"
#include "waypost/graph.hpp"
#include "waypost/pool_walk.hpp"
#include "waypost/progress.hpp"
#include "waypost/search.hpp"
#include "waypost/space_pool.hpp"

namespace waypost {

// What is the same for all queries of a call.
struct PoolPlan {
  Graph graph;
  Vectors route;  // walked by, unless there are codes of it
  Codes codes{};
  Vectors rank;  // scored exactly by, when rerank > 0
  std::size_t k = 10;
  std::size_t pool = 64;
  std::size_t budget = std::numeric_limits<std::size_t>::max();  // a cap on all products of one query
  std::size_t rerank = 0;
  std::size_t second_looks = 0;  // so many of the pool's best are come back to for their deferred edges
  unsigned threads = 0;
  Codebook codebook{};
  bool by_kind = false;
  Vectors bias{};
  float bias_scale = 0;
  const FilterLists* filter = nullptr;  // what may be answers, if not everything
  bool complete = true;                 // a filtered query goes on until it has k answers, if so many are allowed

  const std::int64_t* own_ids = nullptr;  // the caller's, one a row; or rows are the ids

  bool coded() const { return codes.rows > 0; }
  bool biased() const { return bias.rows > 0 && bias_scale != 0; }
  std::size_t overhead() const { return by_kind ? codebook.size() : 0; }

  // How many of the best seen are kept as answers, or to be scored exactly.
  std::size_t chosen() const { return rerank > 0 ? rerank : k; }
};

struct PoolSearchSpace {
  Marks excluded;
  PoolWalkSpace walk;
  RememberingPool pool;
  AllowedPool allowed;
  CandidatePool answers;  // where they are not simply the best of the pool
  CodedQuery coded;
  std::vector<std::int32_t> sums;
  std::vector<Key> chosen;
  std::vector<Row> rows;
  std::vector<float> scores;
};

void pool_search(const PoolPlan& plan, const SearchQueries& queries, const SearchAnswers& answers,
                 SpacePool<PoolSearchSpace>& spaces, const Progress& progress);

}  // namespace waypost
