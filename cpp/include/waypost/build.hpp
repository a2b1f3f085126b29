// The proximity graphs of the paper.
#pragma once

#include <cstdint>
#include <vector>

#include "waypost/graph.hpp"
#include "waypost/huge_pages.hpp"
#include "waypost/progress.hpp"

namespace waypost {

struct BuildOptions {
  std::size_t degree = 16;       // the cap M
  std::size_t candidates = 100;  // the paper's N
  std::vector<Row> order;        // all rows in the order of their insertion
  Row entry = -1;                // where the searches start, inserted first; -1 leaves it to the kind
  std::uint64_t seed = 0;        // used by the kinds that draw at random
  std::size_t batch = 0;         // most vertices inserted side by side; 0 lets batches grow, 1 is the printed algorithm
  unsigned threads = 0;
  Progress progress;
};

// Each returns the neighbors of all vertices, `degree` a vertex, best first, padded with -1.
LargeVector<Row> build_ip_nsw(Vectors items, const BuildOptions& options);
LargeVector<Row> build_l2_nsw(Vectors items, const BuildOptions& options);
LargeVector<Row> build_cos_nsw(Vectors items, const BuildOptions& options);
LargeVector<Row> build_ipdg(Vectors items, const BuildOptions& options);

// The print lets the auxiliary zero vector crowd out edges between items, and then removes it, which can leave the
// longest items without any neighbor. In build_moebius it is linked like the others but crowds out nothing.
LargeVector<Row> build_moebius(Vectors items, const BuildOptions& options);
LargeVector<Row> build_moebius_printed(Vectors items, const BuildOptions& options);

// ip-NSW and Moebius within one cap.
LargeVector<Row> build_united(Vectors items, const BuildOptions& options);

}  // namespace waypost
