// What each file here adds to the module.
#pragma once

#include <nanobind/nanobind.h>

namespace waypost::bindings {

void add_kernels(nanobind::module_& module);
void add_exact(nanobind::module_& module);
void add_graph(nanobind::module_& module);
void add_filter(nanobind::module_& module);
void add_search(nanobind::module_& module);
void add_pool_search(nanobind::module_& module);
void add_replay(nanobind::module_& module);
void add_rollout(nanobind::module_& module);
void add_beam_lessons(nanobind::module_& module);
void add_edge_lessons(nanobind::module_& module);
void add_imitation(nanobind::module_& module);

}  // namespace waypost::bindings
