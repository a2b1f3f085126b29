#include "waypost/search.hpp"

#include "arrays.hpp"
#include "filter.hpp"
#include "progress.hpp"
#include "routed_graph.hpp"
#include "topics.hpp"

namespace waypost::bindings {
namespace {

using namespace nb::literals;

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

// The walk of the paper, under a budget.
class Searcher {
 public:
  Searcher(RowMatrix neighbors, FloatMatrix route, std::optional<FloatMatrix> rank, std::optional<FloatMatrix> bias,
           std::optional<FloatMatrix> centroids, std::optional<RowMatrix> seeds, std::optional<RowMatrix> deferred,
           float penalty)
      : routed_(std::move(neighbors), std::move(route), std::move(rank), std::move(bias), std::move(centroids),
                std::move(seeds), std::move(deferred)) {
    routed_.describe(plan_, penalty);
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
    plan.by_kind = by_kind && routed_.tells_kinds();
    plan.complete = complete;
    const std::size_t m = queries.shape(0);
    if (k < 1) throw nb::value_error("k must be at least 1");
    check_call(plan, queries, entries, rank_queries);
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
  RoutedGraph routed_;
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
