// Which table this processor gets.
#include "waypost/kernels.hpp"

#include <cstdlib>
#include <stdexcept>
#include <string>

#include "kernels/tables.hpp"

namespace waypost {
namespace {

std::vector<const Kernels*> runnable() {
  std::vector<const Kernels*> tables{&generic_kernels};
#ifdef WAYPOST_X86
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
    tables.push_back(&avx2_kernels);
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("avx512dq")) {
      tables.push_back(&avx512_kernels);
    }
  }
#endif
  return tables;
}

const Kernels& choose() {
  const auto tables = runnable();
  const char* wanted = std::getenv("WAYPOST_KERNELS");
  if (wanted == nullptr || *wanted == '\0') return *tables.back();
  for (const Kernels* table : tables) {
    if (std::string_view(wanted) == table->name) return *table;
  }
  throw std::invalid_argument("WAYPOST_KERNELS names '" + std::string(wanted) +
                              "', which this processor does not run; unset it or use 'generic'");
}

}  // namespace

const Kernels& kernels() {
  static const Kernels& chosen = choose();
  return chosen;
}

std::vector<std::string_view> available_kernels() {
  std::vector<std::string_view> names;
  for (const Kernels* table : runnable()) names.emplace_back(table->name);
  return names;
}

}  // namespace waypost
