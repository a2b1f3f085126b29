#include "topics.hpp"

NB_MODULE(_core, module) {
  nanobind::set_leak_warnings(false);  // an index still alive when the interpreter ends is no leak
  module.doc() = "The native core of waypost: arrays in, arrays out.";
  waypost::bindings::add_kernels(module);
  waypost::bindings::add_exact(module);
  waypost::bindings::add_graph(module);
  waypost::bindings::add_filter(module);
  waypost::bindings::add_search(module);
  waypost::bindings::add_pool_search(module);
  waypost::bindings::add_replay(module);
  waypost::bindings::add_rollout(module);
  waypost::bindings::add_beam_lessons(module);
  waypost::bindings::add_edge_lessons(module);
  waypost::bindings::add_imitation(module);
}
