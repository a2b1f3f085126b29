// Asks for memory that is needed soon.
#pragma once

#include <cstddef>

namespace waypost {

inline void prefetch(const void* address) { __builtin_prefetch(address, 0, 3); }

inline void prefetch(const void* address, std::size_t bytes) {
  const char* line = static_cast<const char*>(address);
  for (std::size_t offset = 0; offset < bytes; offset += 64) prefetch(line + offset);
}

}  // namespace waypost
