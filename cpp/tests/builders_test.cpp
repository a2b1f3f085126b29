// Every builder: the same graph on any number of threads, well-formed lists, and no trouble with strange items.
#include "waypost/build.hpp"

#include <cmath>
#include <set>
#include <stdexcept>
#include <string>

#include "check.hpp"
#include "samples.hpp"
#include "waypost/kernels.hpp"
#include "waypost/key.hpp"

namespace {

using namespace waypost;

struct Builder {
  std::string name;
  LargeVector<Row> (*build)(Vectors, const BuildOptions&);
};

const std::vector<Builder> builders{{"ip-nsw", build_ip_nsw},   {"l2-nsw", build_l2_nsw},
                                    {"cos-nsw", build_cos_nsw}, {"ipdg", build_ipdg},
                                    {"moebius", build_moebius}, {"moebius-printed", build_moebius_printed},
                                    {"united", build_united}};

BuildOptions options_for(std::size_t n, std::size_t degree, std::size_t candidates, unsigned threads) {
  BuildOptions options;
  options.degree = degree;
  options.candidates = candidates;
  options.order = samples::shuffled_order(n, 11);
  options.seed = 5;
  options.threads = threads;
  return options;
}

// In range, no self loop, no repeat, and nothing behind the first pad.
bool well_formed(std::span<const Row> neighbors, std::size_t n, std::size_t degree) {
  if (neighbors.size() != n * degree) return false;
  for (std::size_t i = 0; i < n; ++i) {
    std::set<Row> seen{static_cast<Row>(i)};
    bool ended = false;
    for (std::size_t j = i * degree; j < (i + 1) * degree; ++j) {
      const Row row = neighbors[j];
      if (row == -1) {
        ended = true;
      } else if (ended || row < 0 || static_cast<std::size_t>(row) >= n || !seen.insert(row).second) {
        return false;
      }
    }
  }
  return true;
}

using RowsKernel = void (*)(const float*, const float*, std::size_t, const Row*, std::size_t, float*);

// `sign` is -1 where the kernel gives distances.
bool best_first(std::span<const Row> neighbors, Vectors vectors, RowsKernel kernel, float sign) {
  const std::size_t degree = neighbors.size() / vectors.rows;
  for (std::size_t i = 0; i < vectors.rows; ++i) {
    Key last = ~no_key;
    for (std::size_t j = i * degree; j < (i + 1) * degree && neighbors[j] >= 0; ++j) {
      float value = 0;
      kernel(vectors.row(i), vectors.data, vectors.cols, &neighbors[j], 1, &value);
      const Key key = make_key(sign * value, neighbors[j]);
      if (key >= last) return false;
      last = key;
    }
  }
  return true;
}

// x / |x|^2, scaled as the builder does it.
samples::Matrix inverted(samples::Matrix items) {
  std::vector<double> squared(items.rows, 0);
  for (std::size_t i = 0; i < items.values.size(); ++i) {
    squared[i / items.cols] += static_cast<double>(items.values[i]) * items.values[i];
  }
  const double largest = std::sqrt(*std::max_element(squared.begin(), squared.end()));
  for (std::size_t i = 0; i < items.values.size(); ++i) {
    items.values[i] = static_cast<float>(items.values[i] * (largest / squared[i / items.cols]));
  }
  return items;
}

void check_builder(const Builder& builder, const samples::Matrix& items, std::size_t degree, std::size_t candidates,
                   std::size_t batch = 0, Row entry = -1) {
  BuildOptions options = options_for(items.rows, degree, candidates, 1);
  options.batch = batch;
  options.entry = entry;
  const LargeVector<Row> alone = builder.build(items.view(), options);
  options.threads = 4;
  CHECK(well_formed(alone, items.rows, degree));
  CHECK(builder.build(items.view(), options) == alone);
}

// Beyond 2048 vertices batches are large enough for the linking, too, to be shared out.
TEST(builders_give_the_same_graph_on_any_number_of_threads) {
  const auto items = samples::uniform(2600, 6, 1);
  for (const Builder& builder : builders) check_builder(builder, items, 8, 16);
}

TEST(builders_make_well_formed_graphs_of_every_shape) {
  const auto items = samples::integers(150, 3, 2);  // with duplicates and ties
  for (const Builder& builder : builders) {
    for (const std::size_t degree : {1, 2, 7, 200}) {
      for (const std::size_t candidates : {1, 3, 40}) {
        for (const std::size_t batch : {0, 1}) check_builder(builder, items, degree, candidates, batch);
      }
      check_builder(builder, items, degree, 10, 0, 77);
    }
  }
}

TEST(builders_take_one_two_or_three_items) {
  for (const Builder& builder : builders) {
    for (const std::size_t n : {1, 2, 3}) {
      for (const std::size_t degree : {1, 2, 16}) {
        for (Row entry = -1; entry < static_cast<Row>(n); ++entry) {
          check_builder(builder, samples::uniform(n, 4, n), degree, 10, 0, entry);
        }
      }
    }
  }
}

TEST(builders_link_all_when_there_is_room) {
  for (const std::size_t n : {2, 3, 9}) {
    const auto items = samples::uniform(n, 4, n);
    for (const auto build : {build_ip_nsw, build_l2_nsw, build_cos_nsw}) {
      const LargeVector<Row> neighbors = build(items.view(), options_for(n, n - 1, n, 2));
      CHECK(std::count(neighbors.begin(), neighbors.end(), Row{-1}) == 0);
    }
  }
}

TEST(builders_take_zero_vectors) {
  auto mixed = samples::uniform(300, 4, 3);
  for (std::size_t i = 0; i < mixed.values.size(); ++i) mixed.values[i] = i / 4 % 3 == 0 ? 0.0f : mixed.values[i];
  for (const Builder& builder : builders) {
    check_builder(builder, samples::constant(300, 4, 0.0f), 6, 12);
    check_builder(builder, mixed, 6, 12);
    check_builder(builder, mixed, 6, 12, 0, 0);  // an entry that is zero
    check_builder(builder, samples::constant(1, 4, 0.0f), 6, 12);
  }
}

TEST(builders_take_duplicates) {
  for (const Builder& builder : builders) {
    check_builder(builder, samples::constant(300, 4, 0.5f), 6, 12);
    check_builder(builder, samples::constant(300, 1, -2.0f), 1, 1);
  }
}

// Scores of infinity or NaN must not lead astray what is read and written.
TEST(builders_survive_products_that_overflow) {
  auto items = samples::uniform(300, 4, 4);
  for (float& value : items.values) value *= 3e38f;
  for (const Builder& builder : builders) {
    const LargeVector<Row> neighbors = builder.build(items.view(), options_for(300, 6, 12, 2));
    CHECK(neighbors.size() == 300 * 6);
    for (const Row row : neighbors) CHECK(row >= -1 && row < 300);
  }
}

TEST(builders_list_the_best_first) {
  for (const std::size_t n : {10, 400}) {
    const auto items = samples::uniform(n, 4, 5);
    const auto images = inverted(items);
    const BuildOptions options = options_for(n, 12, 20, 2);
    const auto distance = kernels().squared_distance_rows;
    CHECK(best_first(build_ip_nsw(items.view(), options), items.view(), kernels().dot_rows, 1));
    CHECK(best_first(build_ipdg(items.view(), options), items.view(), kernels().dot_rows, 1));
    CHECK(best_first(build_l2_nsw(items.view(), options), items.view(), distance, -1));
    CHECK(best_first(build_moebius(items.view(), options), images.view(), distance, -1));
    CHECK(best_first(build_moebius_printed(items.view(), options), images.view(), distance, -1));
  }
}

TEST(builders_depend_on_the_seed_only_where_they_draw) {
  const auto items = samples::uniform(600, 4, 6);
  BuildOptions options = options_for(600, 4, 4, 2);
  BuildOptions other = options;
  other.seed = 6;
  for (const Builder& builder : builders) {
    const bool same = builder.build(items.view(), options) == builder.build(items.view(), other);
    CHECK(same == (builder.name != "ipdg"));
  }
}

TEST(builders_report_progress_up_to_the_total) {
  const auto items = samples::uniform(500, 4, 7);
  for (const Builder& builder : builders) {
    BuildOptions options = options_for(500, 4, 8, 2);
    std::size_t last = 0;
    std::size_t end = 1;
    bool rising = true;
    options.progress = [&](std::size_t done, std::size_t total) {
      rising = rising && done > last && done <= total;
      last = done;
      end = total;
    };
    builder.build(items.view(), options);
    CHECK(rising);
    CHECK(last == end);
  }
}

// That nothing is left behind, the address sanitizer says when the process ends.
TEST(builders_stop_when_progress_throws) {
  const auto items = samples::uniform(500, 4, 8);
  for (const Builder& builder : builders) {
    for (const unsigned threads : {1u, 4u}) {
      BuildOptions options = options_for(500, 4, 8, threads);
      std::size_t last = 0;
      options.progress = [&](std::size_t done, std::size_t) {
        last = done;
        if (done > 200) throw std::runtime_error("enough");
      };
      CHECK_THROWS(std::runtime_error, builder.build(items.view(), options));
      CHECK(last > 200 && last < 300);
    }
  }
}

}  // namespace
