#include "waypost/pool_search.hpp"

#include <nanobind/stl/optional.h>

#include "arrays.hpp"
#include "deferred_argument.hpp"
#include "filter.hpp"
#include "finite.hpp"
#include "progress.hpp"
#include "topics.hpp"
#include "waypost/codes.hpp"

namespace waypost::bindings {
namespace {

using namespace nb::literals;

// What the caller provides to be written to: cheaper to make in Python than here.
using IdsOut = nb::ndarray<std::int64_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using ScoresOut = nb::ndarray<float, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using CostOut = nb::ndarray<std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using IdVector = nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

using CodeMatrix = nb::ndarray<const std::uint8_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

nb::tuple encoded(const FloatMatrix& vectors, unsigned threads) {
  if (vectors.shape(1) > most_code_cols) throw nb::value_error("vectors must be at most 65536 wide to be coded");
  auto codes = new_array<std::uint8_t>({vectors.shape(0), vectors.shape(1)});
  auto scales = new_array<float>({vectors.shape(0)});
  {
    const nb::gil_scoped_release unlocked;
    encode(view(vectors), threads, codes.data(), scales.data());
  }
  return nb::make_tuple(std::move(codes), std::move(scales));
}

// A graph with the vectors or codes that it is walked by and all that a router brings, borrowed from arrays that this
// keeps alive.
class PoolSearcher {
 public:
  PoolSearcher(RowMatrix neighbors, FloatMatrix route, std::optional<FloatMatrix> rank, std::optional<CodeMatrix> codes,
               std::optional<FloatVector> scales, std::optional<FloatMatrix> bias, std::optional<FloatMatrix> centroids,
               std::optional<RowMatrix> seeds, std::optional<RowMatrix> deferred, std::optional<IdVector> own_ids)
      : neighbors_(std::move(neighbors)),
        route_(std::move(route)),
        rank_(std::move(rank)),
        codes_(std::move(codes)),
        scales_(std::move(scales)),
        bias_(std::move(bias)),
        centroids_(std::move(centroids)),
        seeds_(std::move(seeds)),
        deferred_(std::move(deferred)),
        own_ids_(std::move(own_ids)) {
    const std::size_t n = neighbors_.shape(0);
    if (n != route_.shape(0) || (rank_ && rank_->shape(0) != n)) {
      throw nb::value_error("neighbors and vectors must have one row an item");
    }
    if (n > 0x7FFFFFFEu) throw nb::value_error("there must be fewer than 2^31 - 1 items");
    plan_.graph = {neighbors_.data(), n, neighbors_.shape(1)};
    plan_.route = view(route_);
    plan_.rank = rank_ ? view(*rank_) : plan_.route;
    if (codes_.has_value() != scales_.has_value()) throw nb::value_error("codes and scales must come together");
    if (centroids_.has_value() != seeds_.has_value()) throw nb::value_error("centroids and seeds must come together");
    if (codes_) take_codes();
    if (centroids_) take_codebook();
    if (bias_) take_bias();
    if (deferred_) add_deferred(*deferred_, 0, plan_.graph);
    if (own_ids_ && own_ids_->shape(0) != n) throw nb::value_error("own_ids must have one number an item");
    if (own_ids_) plan_.own_ids = own_ids_->data();
  }

  void search(const FloatMatrix& queries, const RowMatrix& entries, const IdsOut& ids, const ScoresOut& scores,
              const CostOut& cost, std::size_t pool, std::optional<std::size_t> budget, std::size_t rerank,
              const std::optional<FloatMatrix>& rank_queries, unsigned threads, float bias_scale, bool by_kind,
              std::size_t second_looks, const Filter* filter, bool complete) {
    PoolPlan plan = plan_;
    plan.k = ids.shape(1);
    plan.pool = pool;
    if (budget) plan.budget = *budget;
    plan.rerank = rerank;
    plan.threads = threads;
    plan.bias_scale = bias_scale;
    plan.by_kind = by_kind && centroids_;
    plan.second_looks = second_looks;
    plan.complete = complete;
    if (filter != nullptr) plan.filter = &filter->lists_for(plan.graph.size, queries.shape(0));
    check(plan, queries, entries, rank_queries);
    const std::size_t m = queries.shape(0);
    if (ids.shape(0) != m || scores.shape(0) != m || scores.shape(1) != plan.k || cost.shape(0) != m) {
      throw nb::value_error("ids, scores and cost must have one row a query, and the first two the same columns");
    }
    const SearchQueries asked{view(queries), rank_queries ? view(*rank_queries) : view(queries), view(entries)};
    const std::optional<nb::callable> no_callback;
    const nb::gil_scoped_release unlocked;
    const Progress progress = m > 1 ? watched(no_callback) : Progress{};
    pool_search(plan, asked, {ids.data(), scores.data(), cost.data()}, spaces_, progress);
  }

 private:
  void check(const PoolPlan& plan, const FloatMatrix& queries, const RowMatrix& entries,
             const std::optional<FloatMatrix>& rank_queries) const {
    const std::size_t m = queries.shape(0);
    const std::size_t n = plan.graph.size;
    if (plan.k < 1 || plan.k > n) throw nb::value_error("k must be at least 1 and at most the number of items");
    if (plan.pool < 1 || plan.pool > n)
      throw nb::value_error("pool must be at least 1 and at most the number of items");
    if (plan.rerank > n) throw nb::value_error("rerank must be at most the number of items");
    if (plan.rerank > 0 && plan.rerank < plan.k) throw nb::value_error("rerank must be 0 or at least k");
    if (plan.rerank >= plan.budget || plan.overhead() >= plan.budget - plan.rerank) {
      throw nb::value_error("budget must exceed rerank and centroids: the walk needs products, too");
    }
    if (entries.shape(0) != 1 && entries.shape(0) != m) throw nb::value_error("entries must have 1 row or one a query");
    check_queries(queries, plan.route);
    if (rank_queries) check_queries(*rank_queries, plan.rank);
    if (rank_queries && rank_queries->shape(0) != m) throw nb::value_error("rank_queries must have one row a query");
    if (plan.rerank > 0 && !rank_queries && plan.rank.cols != plan.route.cols) {
      throw nb::value_error("rank_queries must be given when ranking vectors differ in width from routing vectors");
    }
  }

  static void check_queries(const FloatMatrix& queries, const Vectors& vectors) {
    if (queries.shape(1) != vectors.cols) {
      throw nb::value_error("queries must be as wide as the vectors they are compared with");
    }
    if (!all_finite(queries.data(), queries.size())) {
      throw nb::value_error("queries must be finite: remove rows that hold NaN or infinity");
    }
  }

  void take_codes() {
    if (codes_->shape(0) != route_.shape(0) || codes_->shape(1) != route_.shape(1) ||
        scales_->shape(0) != route_.shape(0)) {
      throw nb::value_error("codes must have the shape of route, and scales one number a row");
    }
    if (codes_->shape(1) > most_code_cols) throw nb::value_error("codes must be at most 65536 wide");
    plan_.codes = {codes_->data(), scales_->data(), codes_->shape(0), codes_->shape(1)};
  }

  void take_codebook() {
    if (centroids_->shape(0) != seeds_->shape(0) || centroids_->shape(1) != route_.shape(1)) {
      throw nb::value_error("centroids must be as many as the rows of seeds and as wide as route");
    }
    plan_.codebook = {view(*centroids_), view(*seeds_)};
  }

  void take_bias() {
    const std::size_t rows = bias_->shape(0);
    if (rows != 1 && rows != 1 + plan_.codebook.size()) {
      throw nb::value_error("bias must have one row, or one and one a centroid");
    }
    if (bias_->shape(1) != neighbors_.shape(0)) throw nb::value_error("bias must have one number an item");
    plan_.bias = view(*bias_);
  }

  RowMatrix neighbors_;
  FloatMatrix route_;
  std::optional<FloatMatrix> rank_;
  std::optional<CodeMatrix> codes_;
  std::optional<FloatVector> scales_;
  std::optional<FloatMatrix> bias_;
  std::optional<FloatMatrix> centroids_;
  std::optional<RowMatrix> seeds_;
  std::optional<RowMatrix> deferred_;
  std::optional<IdVector> own_ids_;
  PoolPlan plan_;
  SpacePool<PoolSearchSpace> spaces_;
};

}  // namespace

void add_pool_search(nb::module_& module) {
  module.def("encode", &encoded, "vectors"_a.noconvert(), "threads"_a = 0,
             "A byte a dimension, 128 for zero, and a scale a vector.");
  nb::class_<PoolSearcher>(module, "PoolSearcher")
      .def(nb::init<RowMatrix, FloatMatrix, std::optional<FloatMatrix>, std::optional<CodeMatrix>,
                    std::optional<FloatVector>, std::optional<FloatMatrix>, std::optional<FloatMatrix>,
                    std::optional<RowMatrix>, std::optional<RowMatrix>, std::optional<IdVector>>(),
           "neighbors"_a.noconvert(), "route"_a.noconvert(), "rank"_a.none().noconvert() = nb::none(),
           "codes"_a.none().noconvert() = nb::none(), "scales"_a.none().noconvert() = nb::none(),
           "bias"_a.none().noconvert() = nb::none(), "centroids"_a.none().noconvert() = nb::none(),
           "seeds"_a.none().noconvert() = nb::none(), "deferred"_a.none().noconvert() = nb::none(),
           "own_ids"_a.none().noconvert() = nb::none())
      .def("search", &PoolSearcher::search, "queries"_a.noconvert(), "entries"_a.noconvert(), "ids"_a.noconvert(),
           "scores"_a.noconvert(), "cost"_a.noconvert(), "pool"_a, "budget"_a.none() = nb::none(), "rerank"_a = 0,
           "rank_queries"_a.none().noconvert() = nb::none(), "threads"_a = 0, "bias_scale"_a = 0.0f,
           "by_kind"_a = false, "second_looks"_a = 0, "filter"_a.none() = nb::none(), "complete"_a = true);
}

}  // namespace waypost::bindings
