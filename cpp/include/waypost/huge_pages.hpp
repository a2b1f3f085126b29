// Large arrays on huge pages, where the system gives them to who asks: walks jump about in them, and of ordinary pages
// the processor knows the places of too few.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace waypost {

// Smaller arrays do not fill enough of them. NumPy draws the line there, too.
inline constexpr std::size_t worth_huge_pages = std::size_t{1} << 22;

// Advice alone: refused or unknown, nothing is lost.
inline void ask_for_huge_pages([[maybe_unused]] void* begin, [[maybe_unused]] std::size_t bytes) {
#if defined(__linux__) && defined(MADV_HUGEPAGE)
  constexpr std::uintptr_t page = 4096;
  const auto address = reinterpret_cast<std::uintptr_t>(begin);
  const std::uintptr_t first = (address + page - 1) / page * page;
  if (bytes >= worth_huge_pages) madvise(reinterpret_cast<void*>(first), address + bytes - first, MADV_HUGEPAGE);
#endif
}

// Asks before the memory is first touched, for that is when its pages are made.
template <class T>
struct HugePages : std::allocator<T> {
  template <class Other>
  struct rebind {
    using other = HugePages<Other>;
  };

  HugePages() = default;
  template <class Other>
  HugePages(const HugePages<Other>&) {}

  T* allocate(std::size_t count) {
    T* begin = std::allocator<T>::allocate(count);
    ask_for_huge_pages(begin, count * sizeof(T));
    return begin;
  }
};

template <class T>
using LargeVector = std::vector<T, HugePages<T>>;

}  // namespace waypost
