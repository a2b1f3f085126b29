// Pool kernels for any processor, in plain C++.
#include "pool_offer.hpp"
#include "pool_tables.hpp"

namespace waypost {
namespace {

std::size_t place_of(const std::uint64_t* pool, std::size_t size, std::uint64_t key) {
  std::size_t larger = 0;
  for (std::size_t i = 0; i < size; ++i) larger += pool[i] > key ? 1 : 0;
  return larger;
}

void offer(std::uint64_t* pool, std::size_t size, const float* scores, const Row* rows, std::size_t count) {
  offer_each(pool, size, scores, rows, count, place_of);
}

std::size_t first_open(const std::uint64_t* pool, std::size_t size) {
  std::size_t i = 0;
  while (i < size && pool[i] % 2 == 0) ++i;
  return i;
}

void dot_codes(const std::int8_t* query, const std::uint8_t* codes, std::size_t d, const Row* rows, std::size_t count,
               std::int32_t* out) {
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint8_t* code = codes + static_cast<std::size_t>(rows[i]) * d;
    std::int32_t sum = 0;
    for (std::size_t k = 0; k < d; ++k) sum += static_cast<std::int32_t>(query[k]) * code[k];
    out[i] = sum;
  }
}

}  // namespace

const PoolKernels generic_pool_kernels{offer, first_open, take_fresh_one_by_one, take_marked_one_by_one, dot_codes};

}  // namespace waypost
