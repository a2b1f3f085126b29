// From the routing scores to the vectors they are products of: dL/dE_v = sum over the queries of dL/ds(q, v) E_q, and
// the other way round for the queries.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "waypost/matrix.hpp"

namespace waypost {

// dL/ds of one vertex for one query.
struct Pull {
  Row row;
  float slope;
};

using Pulls = std::vector<Pull>;  // of one query

// The pulls of all queries by vertex, and within a vertex by query: sums are taken in that order, so that the gradient
// does not depend on threads.
class PullsByVertex {
 public:
  PullsByVertex(std::span<const Pulls> pulls, std::size_t vertices, unsigned threads);

  // The vertices that any query pulls at, in order.
  const std::vector<Row>& rows() const { return rows_; }

  // One line of `out` for each of rows().
  void gradient(Vectors queries, unsigned threads, float* out) const;

  // One line of `out` for every vertex.
  void dense_gradient(Vectors queries, unsigned threads, float* out) const;

 private:
  struct OfQuery {
    std::uint32_t query;
    float slope;
  };

  void add_up(std::size_t place, Vectors queries, float* to) const;

  std::size_t vertices_;
  std::vector<Row> rows_;
  std::vector<std::size_t> offsets_;  // by place in rows_
  std::vector<OfQuery> pulls_;
};

// One line of `out` for each query.
void gradient_of_queries(std::span<const Pulls> pulls, Vectors route, unsigned threads, float* out);

}  // namespace waypost
