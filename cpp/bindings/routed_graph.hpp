// What every search is made from: a graph, with what a router brings to it. Checked once, so that searches need not.
#pragma once

#include <nanobind/stl/optional.h>

#include <optional>

#include "arrays.hpp"
#include "deferred_argument.hpp"
#include "finite.hpp"

namespace waypost::bindings {

// The vectors that a graph is walked by, those that rank, a bias, a codebook of entries. Borrowed from arrays that this
// keeps alive.
class RoutedGraph {
 public:
  RoutedGraph(RowMatrix neighbors, FloatMatrix route, std::optional<FloatMatrix> rank, std::optional<FloatMatrix> bias,
              std::optional<FloatMatrix> centroids, std::optional<RowMatrix> seeds, std::optional<RowMatrix> deferred)
      : neighbors_(std::move(neighbors)),
        route_(std::move(route)),
        rank_(std::move(rank)),
        bias_(std::move(bias)),
        centroids_(std::move(centroids)),
        seeds_(std::move(seeds)),
        deferred_(std::move(deferred)) {
    const std::size_t n = neighbors_.shape(0);
    if (n != route_.shape(0) || (rank_ && rank_->shape(0) != n)) {
      throw nb::value_error("neighbors and vectors must have one row an item");
    }
    if (n > 0x7FFFFFFEu) throw nb::value_error("there must be fewer than 2^31 - 1 items");
    check_codebook();
    if (bias_) check_bias();
  }

  std::size_t size() const { return neighbors_.shape(0); }
  const FloatMatrix& route() const { return route_; }
  bool tells_kinds() const { return centroids_.has_value(); }

  // Puts all this where a search looks for it.
  template <class Plan>
  void describe(Plan& plan, float penalty) const {
    plan.graph = {neighbors_.data(), neighbors_.shape(0), neighbors_.shape(1)};
    if (deferred_) add_deferred(*deferred_, penalty, plan.graph);
    plan.route = view(route_);
    plan.rank = rank_ ? view(*rank_) : plan.route;
    if (centroids_) plan.codebook = {view(*centroids_), view(*seeds_)};
    if (bias_) plan.bias = view(*bias_);
  }

 private:
  void check_codebook() const {
    if (centroids_.has_value() != seeds_.has_value()) throw nb::value_error("centroids and seeds must come together");
    if (centroids_ && (centroids_->shape(0) != seeds_->shape(0) || centroids_->shape(1) != route_.shape(1))) {
      throw nb::value_error("centroids must be as many as the rows of seeds and as wide as route");
    }
  }

  void check_bias() const {
    const std::size_t kinds = centroids_ ? centroids_->shape(0) : 0;
    if (bias_->shape(0) != 1 && bias_->shape(0) != 1 + kinds) {
      throw nb::value_error("bias must have one row, or one and one a centroid");
    }
    if (bias_->shape(1) != size()) throw nb::value_error("bias must have one number an item");
  }

  RowMatrix neighbors_;
  FloatMatrix route_;
  std::optional<FloatMatrix> rank_;
  std::optional<FloatMatrix> bias_;
  std::optional<FloatMatrix> centroids_;
  std::optional<RowMatrix> seeds_;
  std::optional<RowMatrix> deferred_;
};

inline void check_queries(const FloatMatrix& queries, const Vectors& vectors) {
  if (queries.shape(1) != vectors.cols) {
    throw nb::value_error("queries must be as wide as the vectors they are compared with");
  }
  if (!all_finite(queries.data(), queries.size())) {
    throw nb::value_error("queries must be finite: remove rows that hold NaN or infinity");
  }
}

// Refuses queries, entries and numbers of a call that the plan cannot be searched with.
template <class Plan>
void check_call(const Plan& plan, const FloatMatrix& queries, const RowMatrix& entries,
                const std::optional<FloatMatrix>& rank_queries) {
  const std::size_t m = queries.shape(0);
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

}  // namespace waypost::bindings
