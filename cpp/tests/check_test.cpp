// The harness itself: what fails must be seen to fail.
#include "check.hpp"

#include <sstream>
#include <stdexcept>
#include <thread>

namespace {

using waypost::check::run;
using waypost::check::Test;

void throw_out_of_range() { throw std::out_of_range("row 7"); }

TEST(check_counts_passed_and_failed_tests) {
  std::ostringstream out;
  const std::vector<Test> tests{{"good", [] { CHECK(1 + 1 == 2); }}, {"bad", [] { CHECK(1 + 1 == 3); }}};
  const auto tally = run(tests, "", out);
  CHECK(tally.passed == 1);
  CHECK(tally.failed == 1);
  CHECK(out.str().find("1 + 1 == 3") != std::string::npos);
  CHECK(out.str().find("FAILED bad") != std::string::npos);
  CHECK(out.str().ends_with("1 passed, 1 failed\n"));
}

TEST(check_goes_on_after_a_failure) {
  std::ostringstream out;
  bool reached = false;
  const auto tally = run({{"bad",
                           [&] {
                             CHECK(false);
                             reached = true;
                           }}},
                         "", out);
  CHECK(tally.failed == 1);
  CHECK(reached);
}

TEST(check_throws_wants_that_very_error) {
  std::ostringstream out;
  const std::vector<Test> tests{{"right", [] { CHECK_THROWS(std::out_of_range, throw_out_of_range()); }},
                                {"base", [] { CHECK_THROWS(std::logic_error, throw_out_of_range()); }},
                                {"other", [] { CHECK_THROWS(std::runtime_error, throw_out_of_range()); }},
                                {"none", [] { CHECK_THROWS(std::runtime_error, 1 + 1); }}};
  const auto tally = run(tests, "", out);
  CHECK(tally.passed == 2);
  CHECK(tally.failed == 2);
}

TEST(check_counts_a_test_that_throws_as_failed) {
  std::ostringstream out;
  const auto tally = run({{"throws", throw_out_of_range}, {"throws_int", [] { throw 7; }}}, "", out);
  CHECK(tally.failed == 2);
  CHECK(out.str().find("row 7") != std::string::npos);
}

TEST(check_runs_what_the_filter_names) {
  std::ostringstream out;
  const auto tally = run({{"graph_size", [] {}}, {"search_cost", [] { CHECK(false); }}}, "graph", out);
  CHECK(tally.passed == 1);
  CHECK(tally.failed == 0);
}

TEST(check_counts_failures_of_other_threads) {
  std::ostringstream out;
  const auto from_thread = [] { std::thread([] { CHECK(false); }).join(); };
  CHECK(run({{"threaded", from_thread}}, "", out).failed == 1);
}

}  // namespace
