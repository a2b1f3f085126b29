// A test harness in one header. TEST(name) { ... } registers a test; CHECK and CHECK_THROWS note a failure and go on.
// Checks may be made from several threads at once.
#pragma once

#include <atomic>
#include <exception>
#include <functional>
#include <iostream>
#include <mutex>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace waypost::check {

struct Test {
  std::string name;
  std::function<void()> body;
};

struct Tally {
  int passed = 0;
  int failed = 0;
};

inline std::vector<Test>& registered() {
  static std::vector<Test> tests;
  return tests;
}

struct Registration {
  Registration(std::string name, std::function<void()> body) {
    registered().push_back({std::move(name), std::move(body)});
  }
};

// Where the failures of the test under way go.
class Journal {
 public:
  explicit Journal(std::ostream& out) : out_(out) {}

  void fail(std::string_view file, int line, std::string_view what) {
    const std::lock_guard lock(mutex_);
    out_ << "  " << file << ":" << line << ": " << what << "\n";
    ++failures_;
  }

  void fail(std::string_view what) {
    const std::lock_guard lock(mutex_);
    out_ << "  " << what << "\n";
    ++failures_;
  }

  bool clean() const { return failures_ == 0; }

 private:
  std::ostream& out_;
  std::mutex mutex_;
  std::atomic<int> failures_{0};
};

inline std::atomic<Journal*>& journal() {
  static std::atomic<Journal*> current{nullptr};
  return current;
}

// Runs one test with a journal of its own, so that a test may run tests: that is how the harness is tested.
inline bool passes(const Test& test, std::ostream& out) {
  Journal mine(out);
  Journal* const outer = journal().exchange(&mine);
  try {
    test.body();
  } catch (const std::exception& error) {
    mine.fail(std::string("ended by an exception: ") + error.what());
  } catch (...) {
    mine.fail("ended by something thrown that is no std::exception");
  }
  journal() = outer;
  if (!mine.clean()) out << "FAILED " << test.name << "\n";
  return mine.clean();
}

// Runs the tests whose names contain `filter` and closes with the line '<N> passed, <M> failed'.
inline Tally run(const std::vector<Test>& tests, std::string_view filter, std::ostream& out) {
  Tally tally;
  for (const Test& test : tests) {
    if (test.name.find(filter) == std::string::npos) continue;
    ++(passes(test, out) ? tally.passed : tally.failed);
  }
  out << tally.passed << " passed, " << tally.failed << " failed" << std::endl;
  return tally;
}

// Does `action` throw an Error?
template <class Error>
bool throws(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error&) {
    return true;
  } catch (...) {
    return false;
  }
  return false;
}

}  // namespace waypost::check

#define TEST(name)                                                                                     \
  static void waypost_test_##name();                                                                   \
  static const ::waypost::check::Registration waypost_registration_##name(#name, waypost_test_##name); \
  static void waypost_test_##name()

#define CHECK(...)                                                                                  \
  do {                                                                                              \
    if (!(__VA_ARGS__)) ::waypost::check::journal().load()->fail(__FILE__, __LINE__, #__VA_ARGS__); \
  } while (false)

// CHECK_THROWS(std::invalid_argument, call(with, bad, input))
#define CHECK_THROWS(Error, ...)                                                                         \
  do {                                                                                                   \
    if (!::waypost::check::throws<Error>([&] { static_cast<void>(__VA_ARGS__); }))                       \
      ::waypost::check::journal().load()->fail(__FILE__, __LINE__, "no " #Error " from: " #__VA_ARGS__); \
  } while (false)
