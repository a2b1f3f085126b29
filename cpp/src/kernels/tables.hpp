// The tables that kernels.cpp chooses among. Files that are compiled for one instruction set include nothing else that
// has inline code: a copy of it compiled there could be linked into code meant for every processor.
#pragma once

#include "waypost/kernels.hpp"

namespace waypost {

extern const Kernels generic_kernels;
#ifdef WAYPOST_X86
extern const Kernels avx2_kernels;
extern const Kernels avx512_kernels;
#endif

}  // namespace waypost
