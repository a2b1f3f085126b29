#include "waypost/kernels.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <string>

#include "arrays.hpp"
#include "finite.hpp"
#include "topics.hpp"
#include "waypost/parallel.hpp"

namespace waypost::bindings {
namespace {

using namespace nb::literals;

using RowsKernel = void (*)(const float*, const float*, std::size_t, const Row*, std::size_t, float*);

Out<float> apply(RowsKernel kernel, const FloatVector& query, const FloatMatrix& vectors, const RowVector& rows) {
  if (query.shape(0) != vectors.shape(1)) throw nb::value_error("query must be as wide as vectors");
  for (std::size_t i = 0; i < rows.shape(0); ++i) {
    if (static_cast<std::uint32_t>(rows.data()[i]) >= vectors.shape(0))
      throw nb::value_error("rows must lie in vectors");
  }
  auto out = new_array<float>({rows.shape(0)});
  kernel(query.data(), vectors.data(), vectors.shape(1), rows.data(), rows.shape(0), out.data());
  return out;
}

}  // namespace

void add_kernels(nb::module_& module) {
  module.def("kernels", [] { return std::string(kernels().name); }, "The kernels in use.");
  module.def(
      "available_kernels",
      [] {
        const auto names = available_kernels();
        return std::vector<std::string>(names.begin(), names.end());
      },
      "The kernels this processor runs, best last; the environment variable WAYPOST_KERNELS forces one.");
  module.def("default_threads", &default_threads, "The cores this process may use.");
  module.def(
      "all_finite",
      [](const nb::ndarray<const float, nb::c_contig, nb::device::cpu>& values) {
        return all_finite(values.data(), values.size());
      },
      "values"_a.noconvert());
  module.def(
      "dot_rows",
      [](const FloatVector& query, const FloatMatrix& vectors, const RowVector& rows) {
        return apply(kernels().dot_rows, query, vectors, rows);
      },
      "query"_a.noconvert(), "vectors"_a.noconvert(), "rows"_a.noconvert());
  module.def(
      "squared_distance_rows",
      [](const FloatVector& query, const FloatMatrix& vectors, const RowVector& rows) {
        return apply(kernels().squared_distance_rows, query, vectors, rows);
      },
      "query"_a.noconvert(), "vectors"_a.noconvert(), "rows"_a.noconvert());
}

}  // namespace waypost::bindings
