// What a plan says of one query, whichever way it is searched.
#pragma once

#include <span>
#include <vector>

#include "waypost/codebook.hpp"
#include "waypost/scan.hpp"
#include "waypost/search.hpp"

namespace waypost {

struct Outset {
  std::span<const Row> entries;
  std::size_t column;  // of the bias that the walk goes by
};

// A query of a known kind starts at the kind's seeds, any other at the caller's entries.
template <class Plan>
Outset outset_of(const Plan& plan, const SearchQueries& queries, std::size_t query) {
  if (plan.by_kind) {
    const std::size_t kind = kind_of(queries.route.row(query), plan.codebook.centroids);
    return {plan.codebook.seeds_of(kind), plan.bias.rows > 1 ? 1 + kind : 0};
  }
  const std::size_t row = queries.entries.rows == 1 ? 0 : query;
  return {{queries.entries.row(row), queries.entries.cols}, 0};
}

// Leaves the k best of what the filter allows in `best`, by the vectors that rank where there is a re-rank, and says
// how many products that took.
template <class Plan>
std::size_t scan_for(const Plan& plan, const SearchQueries& queries, std::size_t query, const RowFilter& filter,
                     std::vector<Key>& best) {
  const bool ranked = plan.rerank > 0;
  const float* vector = ranked ? queries.rank.row(query) : queries.route.row(query);
  return scan_allowed(filter, InnerProduct(vector, ranked ? plan.rank : plan.route), plan.k, best);
}

}  // namespace waypost
