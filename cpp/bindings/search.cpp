#include "waypost/search.hpp"

#include <nanobind/stl/optional.h>

#include "arrays.hpp"
#include "deferred_argument.hpp"
#include "filter.hpp"
#include "finite.hpp"
#include "progress.hpp"
#include "topics.hpp"

namespace waypost::bindings {
namespace {

using namespace nb::literals;

void check_queries(const FloatMatrix& queries, const Vectors& vectors) {
  if (queries.shape(1) != vectors.cols) {
    throw nb::value_error("queries must be as wide as the vectors they are compared with");
  }
  if (!all_finite(queries.data(), queries.size()))
    throw nb::value_error("queries must be finite: remove rows that hold NaN or infinity");
}

// All queries' traces end to end, with the offsets at which each begins.
struct JoinedTraces {
  std::vector<std::int64_t> offsets{0};
  std::vector<std::int64_t> path_offsets{0};
  Trace all;

  explicit JoinedTraces(const std::vector<Trace>& traces) {
    for (const Trace& trace : traces) {
      all.rows.insert(all.rows.end(), trace.rows.begin(), trace.rows.end());
      all.scores.insert(all.scores.end(), trace.scores.begin(), trace.scores.end());
      all.hops.insert(all.hops.end(), trace.hops.begin(), trace.hops.end());
      all.path.insert(all.path.end(), trace.path.begin(), trace.path.end());
      offsets.push_back(static_cast<std::int64_t>(all.rows.size()));
      path_offsets.push_back(static_cast<std::int64_t>(all.path.size()));
    }
  }
};

template <class T>
Out<T> whole(std::vector<T>&& values) {
  const std::size_t count = values.size();
  return to_array(std::move(values), {count});
}

// A graph with what a router brings: the vectors it is walked by, those that rank, a bias, a codebook of entries.
// Borrowed from arrays that this keeps alive.
class Searcher {
 public:
  Searcher(RowMatrix neighbors, FloatMatrix route, std::optional<FloatMatrix> rank, std::optional<FloatMatrix> bias,
           std::optional<FloatMatrix> centroids, std::optional<RowMatrix> seeds, std::optional<RowMatrix> deferred,
           float penalty)
      : neighbors_(std::move(neighbors)),
        route_(std::move(route)),
        rank_(std::move(rank)),
        bias_(std::move(bias)),
        centroids_(std::move(centroids)),
        seeds_(std::move(seeds)),
        deferred_(std::move(deferred)) {
    if (neighbors_.shape(0) != route_.shape(0) || (rank_ && rank_->shape(0) != route_.shape(0))) {
      throw nb::value_error("neighbors and vectors must have one row an item");
    }
    if (neighbors_.shape(0) > 0x7FFFFFFEu) throw nb::value_error("there must be fewer than 2^31 - 1 items");
    plan_.graph = {neighbors_.data(), neighbors_.shape(0), neighbors_.shape(1)};
    if (deferred_) add_deferred(*deferred_, penalty, plan_.graph);
    plan_.route = view(route_);
    plan_.rank = rank_ ? view(*rank_) : plan_.route;
    if (centroids_.has_value() != seeds_.has_value()) throw nb::value_error("centroids and seeds must come together");
    if (centroids_) take_codebook();
    if (bias_) take_bias();
  }

  nb::tuple search(const FloatMatrix& queries, const RowMatrix& entries, std::size_t k, std::size_t budget,
                   std::size_t rerank, const std::optional<FloatMatrix>& rank_queries, unsigned threads, bool trace,
                   float bias_scale, bool by_kind, const Filter* filter, bool complete) {
    SearchPlan plan = plan_;
    plan.k = k;
    plan.budget = budget;
    plan.rerank = rerank;
    plan.threads = threads;
    plan.bias_scale = bias_scale;
    plan.by_kind = by_kind && centroids_;
    plan.complete = complete;
    const std::size_t m = queries.shape(0);
    if (k < 1) throw nb::value_error("k must be at least 1");
    if (rerank + plan.overhead() >= budget) {
      throw nb::value_error("budget must exceed rerank and centroids: the walk needs products, too");
    }
    if (entries.shape(0) != 1 && entries.shape(0) != m) throw nb::value_error("entries must have 1 row or one a query");
    check_queries(queries, plan.route);
    if (rank_queries) check_queries(*rank_queries, plan.rank);
    if (rank_queries && rank_queries->shape(0) != m) throw nb::value_error("rank_queries must have one row a query");
    if (rerank > 0 && !rank_queries && plan.rank.cols != plan.route.cols) {
      throw nb::value_error("rank_queries must be given when ranking vectors differ in width from routing vectors");
    }
    if (filter != nullptr) plan.filter = &filter->lists_for(plan.graph.size, m);
    const SearchQueries asked{view(queries), rank_queries ? view(*rank_queries) : view(queries), view(entries)};
    auto ids = new_array<std::int64_t>({m, k});
    auto scores = new_array<float>({m, k});
    auto cost = new_array<std::int64_t>({m});
    std::vector<Trace> traces;
    const std::optional<nb::callable> no_callback;
    {
      const nb::gil_scoped_release unlocked;
      const Progress progress = m > 1 ? watched(no_callback) : Progress{};
      waypost::search(plan, asked, {ids.data(), scores.data(), cost.data()}, trace ? &traces : nullptr, pool_,
                      progress);
    }
    if (!trace) return nb::make_tuple(std::move(ids), std::move(scores), std::move(cost));
    JoinedTraces joined(traces);
    return nb::make_tuple(std::move(ids), std::move(scores), std::move(cost), whole(std::move(joined.offsets)),
                          whole(std::move(joined.all.rows)), whole(std::move(joined.all.scores)),
                          whole(std::move(joined.all.hops)), whole(std::move(joined.path_offsets)),
                          whole(std::move(joined.all.path)));
  }

 private:
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
  std::optional<FloatMatrix> bias_;
  std::optional<FloatMatrix> centroids_;
  std::optional<RowMatrix> seeds_;
  std::optional<RowMatrix> deferred_;
  SearchPlan plan_;
  SpacePool<SearchSpace> pool_;
};

}  // namespace

void add_search(nb::module_& module) {
  nb::class_<Searcher>(module, "Searcher")
      .def(nb::init<RowMatrix, FloatMatrix, std::optional<FloatMatrix>, std::optional<FloatMatrix>,
                    std::optional<FloatMatrix>, std::optional<RowMatrix>, std::optional<RowMatrix>, float>(),
           "neighbors"_a.noconvert(), "route"_a.noconvert(), "rank"_a.none().noconvert() = nb::none(),
           "bias"_a.none().noconvert() = nb::none(), "centroids"_a.none().noconvert() = nb::none(),
           "seeds"_a.none().noconvert() = nb::none(), "deferred"_a.none().noconvert() = nb::none(), "penalty"_a = 0.0f)
      .def("search", &Searcher::search, "queries"_a.noconvert(), "entries"_a.noconvert(), "k"_a, "budget"_a,
           "rerank"_a = 0, "rank_queries"_a.none().noconvert() = nb::none(), "threads"_a = 0, "trace"_a = false,
           "bias_scale"_a = 0.0f, "by_kind"_a = false, "filter"_a.none() = nb::none(), "complete"_a = true);
}

}  // namespace waypost::bindings
