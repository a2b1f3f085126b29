// The tables that pool_kernels.cpp chooses among; as tables.hpp, nothing here has code.
#pragma once

#include "waypost/pool_kernels.hpp"

namespace waypost {

extern const PoolKernels generic_pool_kernels;
#ifdef WAYPOST_X86
extern const PoolKernels avx2_pool_kernels;
extern const PoolKernels avx512_pool_kernels;

void dot_codes_by_vnni(const std::int8_t* query, const std::uint8_t* codes, std::size_t d, const Row* rows,
                       std::size_t count, std::int32_t* out);
#endif

}  // namespace waypost
