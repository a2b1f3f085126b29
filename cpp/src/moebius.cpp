// Moebius (Algorithm 6): the graph of y = x / |x|^2 under Euclidean distance, built round an auxiliary zero vector.
#include <cmath>
#include <functional>

#include "insertion_order.hpp"
#include "waypost/build.hpp"
#include "waypost/insertion.hpp"

namespace waypost {
namespace {

// An item this much shorter than the longest has no image: its inversion would leave all others in one point.
constexpr double smallest_share = 1e-12;

// The items that have an image, in their order, with their images; the auxiliary zero vector stands behind them.
struct Images {
  std::vector<Row> items;
  LargeVector<float> vectors;

  explicit Images(Vectors source) {
    std::vector<double> squared(source.rows);
    for (std::size_t i = 0; i < source.rows; ++i) squared[i] = squared_norm(source, i);
    const double largest = std::sqrt(*std::max_element(squared.begin(), squared.end()));
    for (std::size_t i = 0; i < source.rows; ++i) {
      if (std::sqrt(squared[i]) > smallest_share * largest) items.push_back(static_cast<Row>(i));
    }
    const std::size_t d = source.cols;
    vectors.assign((items.size() + 1) * d, 0.0f);
    for (std::size_t i = 0; i < items.size(); ++i) {
      const auto row = static_cast<std::size_t>(items[i]);
      // Scaled by the largest norm, which changes no comparison and keeps every image inside the range of floats.
      const double scale = largest / squared[row];
      for (std::size_t k = 0; k < d; ++k) vectors[i * d + k] = static_cast<float>(source.row(row)[k] * scale);
    }
  }
};

// The place of a row among the images; -1 when it has none.
Row image_of(const Images& images, Row row) {
  const auto place = std::lower_bound(images.items.begin(), images.items.end(), row);
  return place == images.items.end() || *place != row ? Row{-1} : static_cast<Row>(place - images.items.begin());
}

// The auxiliary vertex, then the images in the order of insertion.
std::vector<Row> insertion_order(const Images& images, Row zero, const BuildOptions& options) {
  std::vector<Row> order{zero};
  for (const Row row : insertion_order(options)) {
    const Row image = image_of(images, row);
    if (image >= 0) order.push_back(image);
  }
  return order;
}

// Every vertex of `rows` linked to all others: lists that no selection made.
void link_completely(std::span<const Row> rows, const Geometry& geometry, Links& links) {
  std::vector<Key> keys;
  for (const Row owner : rows) {
    keys.clear();
    for (const Row other : rows) {
      if (other == owner) continue;
      float score = 0;
      geometry.score(geometry.of(owner), &other, 1, &score);
      keys.push_back(make_key(score, other));
    }
    std::sort(keys.begin(), keys.end(), std::greater<>{});
    links.assign(owner, keys);
    links.set_loose(owner, true);
  }
}

// The graph over the items again: without the auxiliary vertex, every other under its own row.
LargeVector<Row> rename(const Links& links, const std::vector<Row>& items, std::size_t total) {
  LargeVector<Row> neighbors(total * links.degree(), Row{-1});
  for (std::size_t i = 0; i < items.size(); ++i) {
    Row* to = neighbors.data() + static_cast<std::size_t>(items[i]) * links.degree();
    for (const Row row : links.of(static_cast<Row>(i))) {
      if (row >= 0 && static_cast<std::size_t>(row) < items.size()) *to++ = items[static_cast<std::size_t>(row)];
    }
  }
  return neighbors;
}

LargeVector<Row> build(Vectors items, bool zero_is_silent, const BuildOptions& options) {
  const Images images(items);
  const std::size_t n = images.items.size();
  const auto zero = static_cast<Row>(n);
  const Geometry geometry{{images.vectors.data(), n + 1, items.cols}, Similarity::minus_squared_distance};
  const std::vector<Row> order = insertion_order(images, zero, options);
  const Row wanted = image_of(images, options.entry);
  const Row entry = wanted >= 0 ? wanted : zero;
  const auto complete = std::span(order).first(std::min(options.degree, order.size()));
  Links links(n + 1, options.degree);
  link_completely(complete, geometry, links);
  const KeepDiverse rule(geometry, options.degree, {}, zero_is_silent ? zero : Row{-1});
  Insertion insertion(geometry, rule, links, options);
  insertion.run(
      order, complete.size(), [&](std::size_t i) { return order[i] == entry ? zero : entry; },
      [](std::size_t i) { return i; }, [&](std::size_t done) { report(options, done, order.size()); });
  return rename(links, images.items, items.rows);
}

}  // namespace

LargeVector<Row> build_moebius(Vectors items, const BuildOptions& options) { return build(items, true, options); }

LargeVector<Row> build_moebius_printed(Vectors items, const BuildOptions& options) {
  return build(items, false, options);
}

}  // namespace waypost
