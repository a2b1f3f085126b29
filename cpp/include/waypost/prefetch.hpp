// Asks for memory that is needed soon.
#pragma once

#include <cstddef>
#include <cstdint>

namespace waypost {

inline void prefetch(const void* address) { __builtin_prefetch(address, 0, 3); }

// Every cache line that the bytes touch: those of an array that is not aligned touch one more.
inline void prefetch(const void* address, std::size_t bytes) {
  const auto begin = reinterpret_cast<std::uintptr_t>(address);
  constexpr std::uintptr_t line = 64;
  for (std::uintptr_t at = begin / line * line; at < begin + bytes; at += line) {
    prefetch(reinterpret_cast<const void*>(at));
  }
}

}  // namespace waypost
