#include "waypost/parallel.hpp"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#ifdef __linux__
#include <sched.h>
#endif
#ifndef _WIN32
#include <unistd.h>
#endif

namespace waypost {
namespace {

// One parallel_for under way. Workers join while there is a seat, take chunks until none is left, and leave.
class Job {
 public:
  Job(std::size_t chunks, unsigned seats, const std::function<void(std::size_t, unsigned)>& body)
      : chunks_(chunks), seats_(seats), body_(body) {}

  void work(const std::function<void()>& poll = {}) {
    const unsigned worker = next_worker_.fetch_add(1);
    if (worker >= seats_) return;
    try {
      for (std::size_t chunk; (chunk = next_chunk_.fetch_add(1)) < chunks_;) {
        body_(chunk, worker);
        if (poll) poll();
      }
    } catch (...) {
      fail(std::current_exception());
    }
  }

  void join() {
    const std::lock_guard lock(mutex_);
    ++inside_;
  }

  void leave() {
    const std::lock_guard lock(mutex_);
    if (--inside_ == 0) empty_.notify_all();
  }

  // Called once no further worker can join.
  void wait_until_empty() {
    std::unique_lock lock(mutex_);
    empty_.wait(lock, [&] { return inside_ == 0; });
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  void fail(std::exception_ptr failure) {
    next_chunk_.store(chunks_);
    const std::lock_guard lock(mutex_);
    if (!failure_) failure_ = failure;
  }

  const std::size_t chunks_;
  const unsigned seats_;
  const std::function<void(std::size_t, unsigned)>& body_;
  std::atomic<std::size_t> next_chunk_{0};
  std::atomic<unsigned> next_worker_{0};
  std::mutex mutex_;
  std::condition_variable empty_;
  unsigned inside_ = 0;
  std::exception_ptr failure_;
};

// Threads that wait for jobs for as long as the process lives. They are started when first needed.
class Pool {
 public:
  void run(Job& job, unsigned helpers, const std::function<void()>& poll) {
    {
      const std::lock_guard lock(mutex_);
      while (threads_ < helpers) start_thread();
      for (unsigned i = 0; i < helpers; ++i) waiting_.push_back(&job);
    }
    ready_.notify_all();
    job.work(poll);
    {
      const std::lock_guard lock(mutex_);
      std::erase(waiting_, &job);
    }
    job.wait_until_empty();
  }

 private:
  void start_thread() {
    std::thread([this] { serve(); }).detach();
    ++threads_;
  }

  void serve() {
    for (;;) {
      Job* job = nullptr;
      {
        std::unique_lock lock(mutex_);
        ready_.wait(lock, [&] { return !waiting_.empty(); });
        job = waiting_.front();
        waiting_.pop_front();
        job->join();  // under the pool's lock: run() cannot take the job away in between
      }
      job->work();
      job->leave();
    }
  }

  std::mutex mutex_;
  std::condition_variable ready_;
  std::deque<Job*> waiting_;
  unsigned threads_ = 0;
};

// A forked child has none of its parent's threads, so it gets a pool of its own. Pools are never destroyed: their
// threads outlive the static objects of the process.
Pool& pool() {
  static std::mutex mutex;
  static Pool* current = nullptr;
#ifndef _WIN32
  static pid_t owner = 0;
  const std::lock_guard lock(mutex);
  if (current == nullptr || owner != getpid()) {
    current = new Pool;
    owner = getpid();
  }
#else
  const std::lock_guard lock(mutex);
  if (current == nullptr) current = new Pool;
#endif
  return *current;
}

}  // namespace

unsigned default_threads() {
#ifdef __linux__
  cpu_set_t cores;
  if (sched_getaffinity(0, sizeof(cores), &cores) == 0) return static_cast<unsigned>(std::max(1, CPU_COUNT(&cores)));
#endif
  return std::max(1u, std::thread::hardware_concurrency());
}

unsigned threads_used(std::size_t chunks, unsigned threads) {
  if (chunks <= 1) return 1;  // before the system is asked how many cores there are
  const std::size_t wanted = threads == 0 ? default_threads() : threads;
  return static_cast<unsigned>(std::clamp<std::size_t>(chunks, 1, std::min<std::size_t>(wanted, most_threads)));
}

void parallel_for(std::size_t chunks, unsigned threads, const std::function<void(std::size_t, unsigned)>& body,
                  const std::function<void()>& poll) {
  const unsigned workers = threads_used(chunks, threads);
  if (workers == 1) {
    for (std::size_t chunk = 0; chunk < chunks; ++chunk) {
      body(chunk, 0);
      if (poll) poll();
    }
    return;
  }
  Job job(chunks, workers, body);
  pool().run(job, workers - 1, poll);
}

}  // namespace waypost
