// Long native work seen from Python: the interpreter is free meanwhile, is asked for Ctrl-C now and then, and gets to
// call the user's progress function.
#pragma once

#include <nanobind/nanobind.h>

#include <chrono>
#include <optional>

#include "waypost/progress.hpp"

namespace waypost::bindings {

namespace nb = nanobind;

// To be called without the interpreter's lock; takes it at most every 50 milliseconds.
inline Progress watched(const std::optional<nb::callable>& callback) {
  using Clock = std::chrono::steady_clock;
  return [&callback, last = Clock::now()](std::size_t done, std::size_t total) mutable {
    const auto now = Clock::now();
    if (now - last < std::chrono::milliseconds(50) && done != total) return;
    last = now;
    const nb::gil_scoped_acquire lock;
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
    if (callback) (*callback)(done, total);
  };
}

}  // namespace waypost::bindings
