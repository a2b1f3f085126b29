// NumPy arrays at the border: what comes in as a view, what goes out as an array that owns its memory.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <initializer_list>
#include <memory>
#include <vector>

#include "waypost/matrix.hpp"

namespace waypost::bindings {

namespace nb = nanobind;

using FloatMatrix = nb::ndarray<const float, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using FloatVector = nb::ndarray<const float, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using RowMatrix = nb::ndarray<const Row, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using RowVector = nb::ndarray<const Row, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

template <class T>
MatrixView<T> view(const nb::ndarray<const T, nb::ndim<2>, nb::c_contig, nb::device::cpu>& array) {
  return {array.data(), array.shape(0), array.shape(1)};
}

template <class T>
using Out = nb::ndarray<nb::numpy, T>;

template <class T>
Out<T> new_array(std::initializer_list<std::size_t> shape) {
  std::size_t size = 1;
  for (const std::size_t length : shape) size *= length;
  T* data = new T[size > 0 ? size : 1];
  const nb::capsule owner(data, [](void* p) noexcept { delete[] static_cast<T*>(p); });
  return Out<T>(data, shape, owner);
}

template <class T, class Allocator>
Out<T> to_array(std::vector<T, Allocator>&& values, std::initializer_list<std::size_t> shape) {
  using Kept = std::vector<T, Allocator>;
  auto kept = std::make_unique<Kept>(std::move(values));
  T* data = kept->data();
  const nb::capsule owner(kept.get(), [](void* p) noexcept { delete static_cast<Kept*>(p); });
  kept.release();
  return Out<T>(data, shape, owner);
}

}  // namespace waypost::bindings
