// The marks of a search, by a byte a vertex and by a table of the vertices seen.
#include "waypost/marks.hpp"

#include <set>
#include <vector>

#include "check.hpp"
#include "samples.hpp"

namespace {

using namespace waypost;

constexpr std::size_t few = 3000;
constexpr std::size_t many = (std::size_t{1} << 26) + 9;  // more than get a byte each

TEST(marks_agree_with_a_set_whatever_the_size) {
  Marks marks;
  for (const std::size_t size : {few, many, few, many}) {
    samples::Draws draws(size);
    for (const int steps : {10, 30000, 500}) {  // more than the first table holds, and then fewer
      marks.begin(size);
      std::set<Row> expected;
      for (int i = 0; i < steps; ++i) {
        const auto row = static_cast<Row>(draws.below(i % 2 == 0 ? size : 300));
        switch (draws.below(4)) {
          case 0:
            marks.put(row);
            expected.insert(row);
            break;
          case 1:
            marks.forget(row);
            expected.erase(row);
            break;
          default:
            CHECK(marks.insert(row) == expected.insert(row).second);
        }
        CHECK(marks.holds(row) == expected.contains(row));
      }
      for (const Row row : expected) CHECK(marks.holds(row));
    }
  }
}

TEST(marks_take_each_row_once_and_none_outside) {
  const PoolKernels& kernel = pool_kernels();
  for (const std::size_t size : {few, many}) {
    Marks marks;
    marks.begin(size);
    const auto end = static_cast<Row>(size);
    const std::vector<Row> rows{5, -1, end - 1, 5, end, 7, 0x7FFFFFFF, end - 1, -0x7FFFFFFF};
    std::vector<Row> fresh(rows.size());
    fresh.resize(marks.take_fresh(rows.data(), rows.size(), fresh.data(), kernel));
    CHECK(fresh == (std::vector<Row>{5, end - 1, 7}));
    CHECK(!marks.insert(-1) && !marks.insert(end) && !marks.insert(7) && marks.insert(8));
  }
}

}  // namespace
