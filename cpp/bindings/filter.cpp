#include "filter.hpp"

#include <nanobind/stl/optional.h>

#include <algorithm>

#include "topics.hpp"

namespace waypost::bindings {
namespace {

using namespace nb::literals;

std::span<const Row> span_of(const RowVector& rows) { return {rows.data(), rows.size()}; }

// One sign bit tells of a negative row and of one that is too large: no branch, many rows at a time.
void check_rows(const RowVector& rows, std::size_t size, const char* message) {
  const std::uint32_t last = static_cast<std::uint32_t>(size) - 1;
  std::uint32_t bad = size == 0 && rows.size() > 0 ? ~0u : 0u;
  for (const Row row : span_of(rows)) {
    const auto number = static_cast<std::uint32_t>(row);
    bad |= number | (last - number);
  }
  if (bad >> 31 != 0) throw nb::value_error(message);
}

void check_offsets(const OffsetVector& offsets, std::size_t rows) {
  const std::span<const std::int64_t> all{offsets.data(), offsets.size()};
  if (all.empty() || all.front() != 0 || all.back() != static_cast<std::int64_t>(rows) ||
      !std::is_sorted(all.begin(), all.end())) {
    throw nb::value_error("offsets must rise from 0 to the number of rows");
  }
}

}  // namespace

Filter::Filter(std::size_t size, std::optional<OffsetVector> offsets, std::optional<RowVector> excluded,
               std::optional<RowVector> barred, std::optional<RowVector> allowed, std::optional<RowVector> row_of,
               std::optional<RowVector> number_of)
    : offsets_(std::move(offsets)),
      excluded_(std::move(excluded)),
      barred_(std::move(barred)),
      allowed_(std::move(allowed)),
      row_of_(std::move(row_of)),
      number_of_(std::move(number_of)),
      lists_(size) {
  if (offsets_.has_value() != excluded_.has_value()) throw nb::value_error("offsets and excluded must come together");
  if (allowed_) {
    check_rows(*allowed_, size, "allowed must hold rows of items");
    const auto rows = span_of(*allowed_);
    const auto falls = std::adjacent_find(rows.begin(), rows.end(), [](Row a, Row b) { return a >= b; });
    if (falls != rows.end()) throw nb::value_error("allowed must rise");
    lists_.allow_only(rows);
  }
  if (barred_) {
    check_rows(*barred_, size, "barred must hold rows of items");
    lists_.bar(span_of(*barred_));
  }
  if (offsets_) {
    check_offsets(*offsets_, excluded_->size());
    check_rows(*excluded_, size, "excluded must hold rows of items");
    lists_.exclude({offsets_->data(), offsets_->size()}, excluded_->data(), numbering());
  }
}

// An index makes these itself, once: to go through all its rows would cost more than a query does.
Numbering Filter::numbering() const {
  if (row_of_.has_value() != number_of_.has_value()) throw nb::value_error("row_of and number_of must come together");
  if (!row_of_) return {};
  if (row_of_->size() != lists_.size() || number_of_->size() != lists_.size()) {
    throw nb::value_error("row_of and number_of must have as many entries as there are items");
  }
  return {row_of_->data(), number_of_->data()};
}

const FilterLists& Filter::lists_for(std::size_t size, std::size_t queries) const {
  if (lists_.size() != size) throw nb::value_error("filter must be for as many rows as there are items");
  if (lists_.by_query() && lists_.queries() != queries) throw nb::value_error("filter must have one list a query");
  return lists_;
}

void add_filter(nb::module_& module) {
  nb::class_<Filter>(module, "Filter")
      .def(nb::init<std::size_t, std::optional<OffsetVector>, std::optional<RowVector>, std::optional<RowVector>,
                    std::optional<RowVector>, std::optional<RowVector>, std::optional<RowVector>>(),
           "size"_a, "offsets"_a.none().noconvert() = nb::none(), "excluded"_a.none().noconvert() = nb::none(),
           "barred"_a.none().noconvert() = nb::none(), "allowed"_a.none().noconvert() = nb::none(),
           "row_of"_a.none().noconvert() = nb::none(), "number_of"_a.none().noconvert() = nb::none());
}

}  // namespace waypost::bindings
