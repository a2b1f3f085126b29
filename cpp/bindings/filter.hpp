// What the queries of one call may be answered with, as Python hands it over: checked once, and not copied.
#pragma once

#include <optional>

#include "arrays.hpp"
#include "waypost/filter.hpp"

namespace waypost::bindings {

using OffsetVector = nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

class Filter {
 public:
  Filter(std::size_t size, std::optional<OffsetVector> offsets, std::optional<RowVector> excluded,
         std::optional<RowVector> barred, std::optional<RowVector> allowed, std::optional<RowVector> row_of,
         std::optional<RowVector> number_of);

  // The lists, if they are for an index of so many rows and a call of so many queries.
  const FilterLists& lists_for(std::size_t size, std::size_t queries) const;

 private:
  Numbering numbering() const;

  std::optional<OffsetVector> offsets_;
  std::optional<RowVector> excluded_;
  std::optional<RowVector> barred_;
  std::optional<RowVector> allowed_;
  std::optional<RowVector> row_of_;
  std::optional<RowVector> number_of_;
  FilterLists lists_;
};

}  // namespace waypost::bindings
