// A borrowed row-major matrix.
#pragma once

#include <cstddef>
#include <cstdint>

namespace waypost {

using Row = std::int32_t;  // an internal number of an item; negative means "none"

template <class T>
struct MatrixView {
  const T* data = nullptr;
  std::size_t rows = 0;
  std::size_t cols = 0;

  const T* row(std::size_t i) const { return data + i * cols; }
};

using Vectors = MatrixView<float>;

}  // namespace waypost
