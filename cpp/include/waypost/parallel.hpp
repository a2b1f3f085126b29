// A small pool of threads. OpenMP would bring a second runtime beside torch's own.
#pragma once

#include <cstddef>
#include <functional>

namespace waypost {

// The cores this process may use.
unsigned default_threads();

// Runs body(chunk, worker) for every chunk on up to `threads` threads (0 = all cores), the caller among them;
// worker < threads_used(...). Chunks are handed out in order as threads become free. `poll`, when given, runs on the
// calling thread between its chunks; an exception in it or in a body stops the rest and is thrown here.
void parallel_for(std::size_t chunks, unsigned threads, const std::function<void(std::size_t, unsigned)>& body,
                  const std::function<void()>& poll = {});

inline constexpr std::size_t most_threads = 1024;

// How many workers parallel_for would use: the size for scratch space kept a worker.
unsigned threads_used(std::size_t chunks, unsigned threads);

}  // namespace waypost
