// IPDG (Algorithm 4): two rounds of search, Neighbor Selection and links back.
#include "insertion_order.hpp"
#include "waypost/build.hpp"
#include "waypost/insertion.hpp"
#include "waypost/random.hpp"

namespace waypost {
namespace {

constexpr std::size_t rounds = 2;

std::vector<float> own_scores(Vectors items) {
  std::vector<float> scores(items.rows);
  for (std::size_t i = 0; i < items.rows; ++i) scores[i] = kernels().dot(items.row(i), items.row(i), items.cols);
  return scores;
}

}  // namespace

LargeVector<Row> build_ipdg(Vectors items, const BuildOptions& options) {
  const Geometry geometry{items, Similarity::inner_product};
  const std::vector<Row> order = insertion_order(options);
  const std::size_t n = order.size();
  const std::vector<float> bounds = own_scores(items);
  const KeepDiverse rule(geometry, options.degree, bounds);
  Links links(n, options.degree);
  Insertion insertion(geometry, rule, links, options);
  for (std::size_t round = 0; round < rounds; ++round) {
    const auto inserted = [&](std::size_t i) { return round == 0 ? i : n; };
    // "Choose a vertex from G randomly": by counter, so that no thread's draw depends on another's. What a batch can
    // draw from is what stood before it, hence the remembered start of the batch.
    std::size_t batch_start = 0;
    const auto batch_begins = [&](std::size_t i) { return inserted(batch_start = i); };
    const auto entry_of = [&](std::size_t i) {
      if (options.entry >= 0) return options.entry;
      return order[random_bits(options.seed, round * n + i) % inserted(batch_start)];
    };
    insertion.run(order, round == 0 ? 1 : 0, entry_of, batch_begins,
                  [&](std::size_t done) { report(options, round * n + done, rounds * n); });
  }
  return links.take_rows();
}

}  // namespace waypost
