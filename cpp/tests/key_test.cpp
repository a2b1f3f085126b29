// Keys compare as answers do: higher score first, then lower row.
#include "waypost/key.hpp"

#include <cmath>
#include <limits>

#include "check.hpp"
#include "samples.hpp"

namespace {

using namespace waypost;

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr Row last_row = std::numeric_limits<Row>::max() - 1;

TEST(key_orders_scores_of_every_kind) {
  const std::vector<float> rising{-infinity,
                                  -std::numeric_limits<float>::max(),
                                  -2.0f,
                                  -1.0f,
                                  -1e-30f,
                                  -std::numeric_limits<float>::denorm_min(),
                                  0.0f,
                                  std::numeric_limits<float>::denorm_min(),
                                  1e-30f,
                                  1.0f,
                                  std::nextafter(1.0f, 2.0f),
                                  3e38f,
                                  infinity};
  for (std::size_t i = 1; i < rising.size(); ++i) {
    CHECK(make_key(rising[i - 1], 0) < make_key(rising[i], last_row));
  }
}

TEST(key_ties_go_to_the_lower_row) {
  for (const float score : {-2.5f, 0.0f, 7.0f}) {
    CHECK(make_key(score, 0) > make_key(score, 1));
    CHECK(make_key(score, 41) > make_key(score, 42));
    CHECK(make_key(score, 0) > make_key(score, last_row));
  }
}

TEST(key_sees_no_difference_between_the_zeros) {
  CHECK(make_key(-0.0f, 5) == make_key(0.0f, 5));
  CHECK(make_key(-0.0f, 4) > make_key(0.0f, 5));
  CHECK(!std::signbit(key_score(make_key(-0.0f, 5))));
}

TEST(key_gives_back_what_went_in) {
  samples::Draws draws(1);
  for (int i = 0; i < 2000; ++i) {
    const float score = draws.between(-1, 1) * std::pow(10.0f, draws.between(-30, 30));
    const auto row = static_cast<Row>(draws.below(static_cast<std::size_t>(last_row) + 1));
    CHECK(key_score(make_key(score, row)) == score);
    CHECK(key_row(make_key(score, row)) == row);
  }
  CHECK(key_score(make_key(-infinity, 3)) == -infinity);
  CHECK(key_score(make_key(infinity, 3)) == infinity);
}

TEST(key_none_is_below_all) {
  CHECK(no_key < make_key(-infinity, last_row));
  CHECK(no_key < make_key(-std::numeric_limits<float>::quiet_NaN(), last_row));
}

}  // namespace
