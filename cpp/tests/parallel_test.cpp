// parallel_for hands out every chunk once, passes exceptions on, and survives nesting, crowds and forks.
#include "waypost/parallel.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <memory>
#include <stdexcept>
#include <thread>

#include "check.hpp"

#if defined(__SANITIZE_THREAD__)
#define WAYPOST_THREAD_SANITIZER
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define WAYPOST_THREAD_SANITIZER
#endif
#endif

namespace {

using namespace waypost;

// How often each chunk came.
class Visits {
 public:
  explicit Visits(std::size_t chunks) : counts_(chunks) {}

  void add(std::size_t chunk) { counts_[chunk].fetch_add(1); }

  bool once_each() const {
    for (const auto& count : counts_) {
      if (count.load() != 1) return false;
    }
    return true;
  }

 private:
  std::vector<std::atomic<int>> counts_;
};

bool each_chunk_once(std::size_t chunks, unsigned threads) {
  Visits visits(chunks);
  parallel_for(chunks, threads, [&](std::size_t chunk, unsigned) { visits.add(chunk); });
  return visits.once_each();
}

TEST(parallel_hands_out_every_chunk_once) {
  for (const std::size_t chunks : {0, 1, 2, 3, 7, 1000}) {
    for (const unsigned threads : {0u, 1u, 2u, 4u, 16u}) CHECK(each_chunk_once(chunks, threads));
  }
}

TEST(parallel_numbers_its_workers_below_threads_used) {
  for (const std::size_t chunks : {1, 3, 200}) {
    const unsigned most = threads_used(chunks, 4);
    std::vector<int> scratch(most, 0);  // no two workers share a number, or the thread sanitizer speaks up
    std::atomic<bool> in_range{true};
    parallel_for(chunks, 4, [&](std::size_t, unsigned worker) {
      if (worker >= most) {
        in_range = false;
        return;
      }
      ++scratch[worker];
    });
    CHECK(in_range);
    std::size_t sum = 0;
    for (const int count : scratch) sum += static_cast<std::size_t>(count);
    CHECK(sum == chunks);
  }
}

TEST(parallel_uses_no_more_threads_than_chunks_or_asked) {
  CHECK(default_threads() >= 1);
  CHECK(threads_used(0, 4) == 1);
  CHECK(threads_used(3, 8) == 3);
  CHECK(threads_used(100, 8) == 8);
  CHECK(threads_used(100000, 0) == default_threads());
  CHECK(threads_used(~std::size_t{0}, ~0u) == most_threads);
}

TEST(parallel_sees_what_was_written_before_and_shows_what_was_written_inside) {
  std::vector<int> in(1000, 3);
  std::vector<int> out(1000, 0);
  parallel_for(1000, 4, [&](std::size_t chunk, unsigned) { out[chunk] = 2 * in[chunk]; });
  CHECK(out == std::vector<int>(1000, 6));
}

TEST(parallel_throws_what_a_body_throws) {
  for (const unsigned threads : {1u, 2u, 4u}) {
    for (int i = 0; i < 50; ++i) {
      const auto body = [](std::size_t chunk, unsigned) {
        if (chunk == 13) throw std::out_of_range("chunk 13");
      };
      CHECK_THROWS(std::out_of_range, parallel_for(100, threads, body));
      const auto always = [](std::size_t, unsigned) { throw std::domain_error("all"); };
      CHECK_THROWS(std::domain_error, parallel_for(100, threads, always));
      CHECK(each_chunk_once(20, threads));
    }
  }
}

TEST(parallel_starts_no_chunk_after_an_exception_on_one_thread) {
  std::size_t last = 0;
  CHECK_THROWS(std::runtime_error, parallel_for(100, 1, [&](std::size_t chunk, unsigned) {
                 last = chunk;
                 if (chunk == 5) throw std::runtime_error("five");
               }));
  CHECK(last == 5);
}

TEST(parallel_polls_on_the_calling_thread_and_throws_what_poll_throws) {
  const auto caller = std::this_thread::get_id();
  for (const unsigned threads : {1u, 4u}) {
    bool elsewhere = false;
    const auto poll = [&] { elsewhere = elsewhere || std::this_thread::get_id() != caller; };
    parallel_for(200, threads, [](std::size_t, unsigned) {}, poll);
    CHECK(!elsewhere);
    // The caller gets a chunk for certain only when the others are held up until its poll has thrown.
    std::atomic<bool> polled{false};
    const auto body = [&](std::size_t, unsigned) {
      while (std::this_thread::get_id() != caller && !polled) std::this_thread::yield();
    };
    const auto stop = [&] {
      polled = true;
      throw std::overflow_error("stop");
    };
    CHECK_THROWS(std::overflow_error, parallel_for(200, threads, body, stop));
  }
}

TEST(parallel_nests) {
  Visits visits(12 * 30);
  parallel_for(12, 4, [&](std::size_t outer, unsigned) {
    parallel_for(30, 4, [&](std::size_t inner, unsigned) { visits.add(outer * 30 + inner); });
  });
  CHECK(visits.once_each());
}

TEST(parallel_passes_exceptions_through_nested_calls) {
  const auto outer = [](std::size_t, unsigned) {
    parallel_for(10, 3, [](std::size_t chunk, unsigned) {
      if (chunk == 7) throw std::range_error("seven");
    });
  };
  CHECK_THROWS(std::range_error, parallel_for(6, 3, outer));
}

TEST(parallel_serves_several_callers_at_once) {
  std::atomic<int> good{0};
  std::vector<std::thread> callers;
  for (int caller = 0; caller < 6; ++caller) {
    callers.emplace_back([&] {
      for (int i = 0; i < 60; ++i) good += each_chunk_once(40, 3) ? 1 : 0;
    });
  }
  for (std::thread& caller : callers) caller.join();
  CHECK(good == 6 * 60);
}

#ifndef WAYPOST_THREAD_SANITIZER  // which supports no new threads in a forked child
TEST(parallel_works_in_a_forked_child) {
  CHECK(each_chunk_once(100, 3));  // so that the parent has threads for the child to miss
  const pid_t child = fork();
  if (child == 0) {
    alarm(20);  // a child that waits for ever ends as a failure
    _exit(each_chunk_once(100, 3) && each_chunk_once(100, 2) ? 0 : 1);
  }
  int status = -1;
  CHECK(waitpid(child, &status, 0) == child);
  CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  CHECK(each_chunk_once(100, 3));
}
#endif

}  // namespace
