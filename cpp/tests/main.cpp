// Runs every native test, or those whose names contain the one argument. No test at all is a failure, too.
#include "check.hpp"

int main(int count, char** words) {
  const std::string_view filter = count > 1 ? words[1] : "";
  const auto tally = waypost::check::run(waypost::check::registered(), filter, std::cout);
  return tally.failed == 0 && tally.passed > 0 ? 0 : 1;
}
