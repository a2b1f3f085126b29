// How long work tells its caller how far it is. The callback runs on the calling thread and may throw to stop the work.
#pragma once

#include <cstddef>
#include <functional>

namespace waypost {

using Progress = std::function<void(std::size_t done, std::size_t total)>;

}  // namespace waypost
