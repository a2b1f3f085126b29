// Exact top-k by inner product: the ground truth.
#pragma once

#include <cstdint>

#include "waypost/matrix.hpp"
#include "waypost/progress.hpp"

namespace waypost {

// Writes the k best rows and scores of every query, best first, ties to the lower row; k <= items.rows. Every product
// is summed dimension by dimension, so the result depends neither on the number of threads nor on the other queries.
// A product that overflows to -infinity or NaN is no answer; places left empty by that hold -1 and -infinity.
void exact_search(Vectors items, Vectors queries, std::size_t k, unsigned threads, std::int64_t* ids, float* scores,
                  const Progress& progress);

}  // namespace waypost
