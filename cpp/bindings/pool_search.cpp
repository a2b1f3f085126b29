#include "waypost/pool_search.hpp"

#include "arrays.hpp"
#include "filter.hpp"
#include "progress.hpp"
#include "routed_graph.hpp"
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

// The walk by a bounded pool, over vectors or their codes.
class PoolSearcher {
 public:
  PoolSearcher(RowMatrix neighbors, FloatMatrix route, std::optional<FloatMatrix> rank, std::optional<CodeMatrix> codes,
               std::optional<FloatVector> scales, std::optional<FloatMatrix> bias, std::optional<FloatMatrix> centroids,
               std::optional<RowMatrix> seeds, std::optional<RowMatrix> deferred, std::optional<IdVector> own_ids)
      : routed_(std::move(neighbors), std::move(route), std::move(rank), std::move(bias), std::move(centroids),
                std::move(seeds), std::move(deferred)),
        codes_(std::move(codes)),
        scales_(std::move(scales)),
        own_ids_(std::move(own_ids)) {
    routed_.describe(plan_, 0);
    if (codes_.has_value() != scales_.has_value()) throw nb::value_error("codes and scales must come together");
    if (codes_) take_codes();
    if (own_ids_ && own_ids_->shape(0) != routed_.size()) {
      throw nb::value_error("own_ids must have one number an item");
    }
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
    plan.by_kind = by_kind && routed_.tells_kinds();
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
    const std::size_t n = plan.graph.size;
    if (plan.k < 1 || plan.k > n) throw nb::value_error("k must be at least 1 and at most the number of items");
    if (plan.pool < 1 || plan.pool > n)
      throw nb::value_error("pool must be at least 1 and at most the number of items");
    if (plan.rerank > n) throw nb::value_error("rerank must be at most the number of items");
    if (plan.rerank > 0 && plan.rerank < plan.k) throw nb::value_error("rerank must be 0 or at least k");
    check_call(plan, queries, entries, rank_queries);
  }

  void take_codes() {
    const std::size_t n = routed_.size();
    if (codes_->shape(0) != n || codes_->shape(1) != routed_.route().shape(1) || scales_->shape(0) != n) {
      throw nb::value_error("codes must have the shape of route, and scales one number a row");
    }
    if (codes_->shape(1) > most_code_cols) throw nb::value_error("codes must be at most 65536 wide");
    plan_.codes = {codes_->data(), scales_->data(), codes_->shape(0), codes_->shape(1)};
  }

  RoutedGraph routed_;
  std::optional<CodeMatrix> codes_;
  std::optional<FloatVector> scales_;
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
