// Which table of a pool search this processor gets.
#include "waypost/pool_kernels.hpp"

#include <string_view>

#include "kernels/pool_tables.hpp"
#include "waypost/kernels.hpp"

namespace waypost {
namespace {

PoolKernels choose() {
#ifdef WAYPOST_X86
  const std::string_view name = kernels().name;
  if (name == "avx2") return avx2_pool_kernels;
  if (name == "avx512") {
    PoolKernels table = avx512_pool_kernels;
    if (__builtin_cpu_supports("avx512vnni")) table.dot_codes = dot_codes_by_vnni;
    return table;
  }
#endif
  return generic_pool_kernels;
}

}  // namespace

const PoolKernels& pool_kernels() {
  static const PoolKernels chosen = choose();
  return chosen;
}

}  // namespace waypost
