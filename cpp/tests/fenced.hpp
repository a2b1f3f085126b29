// Memory that ends where a forbidden page begins: whoever reads or writes behind it ends the process. The address
// sanitizer alone would not see the masked loads and stores of the wider instruction sets.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <new>
#include <vector>

namespace waypost::check {

template <class T>
class Fenced {
 public:
  explicit Fenced(std::size_t count) : count_(count) {
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    const std::size_t room = (count * sizeof(T) + page - 1) / page * page;
    bytes_ = room + page;
    begin_ = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (begin_ == MAP_FAILED) throw std::bad_alloc();
    char* const fence = static_cast<char*>(begin_) + room;
    if (mprotect(fence, page, PROT_NONE) != 0) throw std::bad_alloc();
    data_ = reinterpret_cast<T*>(fence) - count;
  }

  explicit Fenced(const std::vector<T>& values) : Fenced(values.size()) {
    std::copy(values.begin(), values.end(), data_);
  }

  Fenced(const Fenced&) = delete;
  Fenced& operator=(const Fenced&) = delete;
  ~Fenced() { munmap(begin_, bytes_); }

  T* data() { return data_; }
  T& operator[](std::size_t i) { return data_[i]; }
  T* begin() { return data_; }
  T* end() { return data_ + count_; }

 private:
  std::size_t count_;
  std::size_t bytes_ = 0;
  void* begin_ = nullptr;
  T* data_ = nullptr;
};

}  // namespace waypost::check
