// For the benchmark alone: which rows pool searches score, and the bare scoring of these rows in the same order. What a
// search takes beyond that is the price of walking.
#include <vector>

#include "arrays.hpp"
#include "topics.hpp"
#include "waypost/coded_product.hpp"
#include "waypost/pool_walk.hpp"
#include "waypost/scorer.hpp"

namespace waypost::bindings {
namespace {

using namespace nb::literals;

using OffsetVector = nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using CodeMatrix = nb::ndarray<const std::uint8_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

struct Recorder {
  std::vector<Row>* rows;

  void scored(const Row* scored_rows, float*, std::size_t count) {
    rows->insert(rows->end(), scored_rows, scored_rows + count);
  }
};

nb::tuple scored_rows(const RowMatrix& neighbors, const FloatMatrix& vectors, const FloatMatrix& queries,
                      const RowVector& entries, std::size_t pool) {
  if (neighbors.shape(0) != vectors.shape(0) || queries.shape(1) != vectors.shape(1) || pool < 1) {
    throw nb::value_error("neighbors, vectors and queries must fit each other, and pool be at least 1");
  }
  const Graph graph{neighbors.data(), neighbors.shape(0), neighbors.shape(1)};
  std::vector<Row> rows;
  std::vector<std::int64_t> offsets{0};
  PoolWalkSpace space;
  CandidatePool candidates;
  for (std::size_t q = 0; q < queries.shape(0); ++q) {
    candidates.reset(pool);
    PoolWalk walk(graph, InnerProduct(view(queries).row(q), view(vectors)), Recorder{&rows}, candidates,
                  ~std::size_t{0}, 0, space);
    walk.begin({entries.data(), entries.shape(0)});
    do walk.score();
    while (walk.expand());
    offsets.push_back(static_cast<std::int64_t>(rows.size()));
  }
  const std::size_t count = rows.size();
  const std::size_t ends = offsets.size();
  return nb::make_tuple(to_array(std::move(offsets), {ends}), to_array(std::move(rows), {count}));
}

template <class ScorerOf>
double score_lists(const OffsetVector& offsets, const RowVector& rows, std::size_t queries, std::size_t vectors,
                   const ScorerOf& scorer_of) {
  if (offsets.shape(0) != queries + 1) throw nb::value_error("offsets must be one more than the queries");
  for (std::size_t i = 0; i < rows.shape(0); ++i) {
    if (static_cast<std::uint32_t>(rows.data()[i]) >= vectors) throw nb::value_error("rows must lie in vectors");
  }
  for (std::size_t q = 0; q < queries; ++q) {
    if (offsets.data()[q] < 0 || offsets.data()[q + 1] < offsets.data()[q] ||
        static_cast<std::size_t>(offsets.data()[q + 1]) > rows.shape(0)) {
      throw nb::value_error("offsets must rise within rows");
    }
  }
  std::vector<float> scores(rows.shape(0) + 1);
  double total = 0;
  for (std::size_t q = 0; q < queries; ++q) {
    const auto first = static_cast<std::size_t>(offsets.data()[q]);
    const auto count = static_cast<std::size_t>(offsets.data()[q + 1]) - first;
    scorer_of(q).score(rows.data() + first, count, scores.data());
    total += static_cast<double>(scores[0]);
  }
  return total;
}

double score_vectors(const FloatMatrix& queries, const FloatMatrix& vectors, const OffsetVector& offsets,
                     const RowVector& rows) {
  if (queries.shape(1) != vectors.shape(1)) throw nb::value_error("queries must be as wide as vectors");
  return score_lists(offsets, rows, queries.shape(0), vectors.shape(0),
                     [&](std::size_t q) { return InnerProduct(view(queries).row(q), view(vectors)); });
}

double score_codes(const FloatMatrix& queries, const CodeMatrix& codes, const FloatVector& scales,
                   const OffsetVector& offsets, const RowVector& rows) {
  if (queries.shape(1) != codes.shape(1) || scales.shape(0) != codes.shape(0)) {
    throw nb::value_error("queries must be as wide as codes, and scales one number a row");
  }
  CodedQuery coded;
  std::vector<std::int32_t> sums;
  const Codes all{codes.data(), scales.data(), codes.shape(0), codes.shape(1)};
  return score_lists(offsets, rows, queries.shape(0), codes.shape(0), [&](std::size_t q) {
    coded.set(view(queries).row(q), codes.shape(1));
    return CodedProduct(coded, all, sums);
  });
}

}  // namespace

void add_replay(nb::module_& module) {
  module.def("scored_rows", &scored_rows, "neighbors"_a.noconvert(), "vectors"_a.noconvert(), "queries"_a.noconvert(),
             "entries"_a.noconvert(), "pool"_a);
  module.def("score_vectors", &score_vectors, "queries"_a.noconvert(), "vectors"_a.noconvert(), "offsets"_a.noconvert(),
             "rows"_a.noconvert());
  module.def("score_codes", &score_codes, "queries"_a.noconvert(), "codes"_a.noconvert(), "scales"_a.noconvert(),
             "offsets"_a.noconvert(), "rows"_a.noconvert());
}

}  // namespace waypost::bindings
