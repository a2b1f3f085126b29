// Products of bytes by VNNI, which multiplies and adds four at a time without overflow.
#include "avx512_codes.hpp"
#include "pool_tables.hpp"

namespace waypost {
namespace {

struct ByVnni {
  static __m512i add(__m512i sum, __m512i codes, __m512i query) { return _mm512_dpbusd_epi32(sum, codes, query); }
};

}  // namespace

void dot_codes_by_vnni(const std::int8_t* query, const std::uint8_t* codes, std::size_t d, const Row* rows,
                       std::size_t count, std::int32_t* out) {
  dot_code_rows<ByVnni>(query, codes, d, rows, count, out);
}

}  // namespace waypost
