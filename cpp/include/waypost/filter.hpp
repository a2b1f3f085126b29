// Which rows a query may be answered with. A walk goes through the others all the same, so what they lead to is found.
#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <cstdint>
#include <span>
#include <vector>

#include "waypost/listed_among.hpp"
#include "waypost/marks.hpp"
#include "waypost/prefetch.hpp"

namespace waypost {

// One of these serves queries one after another: it is told which one comes, and again before the first row is asked
// about, so that the query's list may be on its way meanwhile.
template <class T>
concept AnswerFilter = requires(T filter, const T ready, std::size_t query, Row row) {
  filter.expect(query);
  filter.enter(query);
  { ready.allows(row) } -> std::same_as<bool>;
};

struct AllowAll {
  void expect(std::size_t) {}
  void enter(std::size_t) {}
  bool allows(Row) const { return true; }
};

// Where rows stand in another order than the numbers by which the caller names them: either by the other.
struct Numbering {
  const Row* row_of = nullptr;
  const Row* number_of = nullptr;
};

// What the queries of one call may be answered with. Borrows its lists; every row named must be one of `size`.
class FilterLists {
 public:
  explicit FilterLists(std::size_t size) : size_(size), allowed_count_(size) {}

  // Only these may be answers of any query: rising, none twice.
  void allow_only(std::span<const Row> rows) {
    restricted_ = true;
    only_ = rows;
    barred_.assign((size_ + 63) / 64, ~std::uint64_t{0});
    for (const Row row : rows) barred_[word(row)] &= ~bit(row);
    allowed_count_ = rows.size();
  }

  // These may be no query's answers; called after allow_only, if at all.
  void bar(std::span<const Row> rows) {
    if (barred_.empty()) barred_.assign((size_ + 63) / 64, 0);
    for (const Row row : rows) {
      allowed_count_ -= allows(row) ? 1 : 0;
      barred_[word(row)] |= bit(row);
    }
  }

  // Query q may not be answered with rows[offsets[q]] up to rows[offsets[q + 1]], or with the rows of these numbers:
  // most of them are never asked about, and need not be looked up.
  void exclude(std::span<const std::int64_t> offsets, const Row* rows, Numbering numbering = {}) {
    offsets_ = offsets;
    excluded_ = rows;
    numbering_ = numbering;
  }

  const Numbering& numbering() const { return numbering_; }

  std::size_t size() const { return size_; }
  bool by_query() const { return !offsets_.empty(); }
  std::size_t queries() const { return offsets_.size() - 1; }

  std::span<const Row> excluded(std::size_t query) const {
    if (offsets_.empty()) return {};
    const auto first = static_cast<std::size_t>(offsets_[query]);
    return {excluded_ + first, static_cast<std::size_t>(offsets_[query + 1]) - first};
  }

  // What holds for all queries.
  bool allows(Row row) const { return barred_.empty() || (barred_[word(row)] & bit(row)) == 0; }
  std::size_t allowed_count() const { return allowed_count_; }

  // Calls each(row) for the rows that are allowed to all queries, in rising order.
  template <class Each>
  void each_allowed(const Each& each) const {
    if (restricted_) {
      for (const Row row : only_) {
        if (allows(row)) each(row);
      }
      return;
    }
    for (std::size_t i = 0; i < size_; ++i) {
      if (allows(static_cast<Row>(i))) each(static_cast<Row>(i));
    }
  }

 private:
  static std::size_t word(Row row) { return static_cast<std::uint32_t>(row) >> 6; }
  static std::uint64_t bit(Row row) { return std::uint64_t{1} << (static_cast<std::uint32_t>(row) & 63); }

  std::size_t size_;
  std::size_t allowed_count_;
  bool restricted_ = false;
  std::span<const Row> only_;
  std::vector<std::uint64_t> barred_;  // one bit a row, or nothing where no row is barred
  std::span<const std::int64_t> offsets_;
  const Row* excluded_ = nullptr;
  Numbering numbering_;
};

// Marks the query's excluded rows, a byte each: as many steps as there are rows to exclude, however large the graph is,
// and one byte to look up for each vertex seen.
class RowFilter {
 public:
  static constexpr std::size_t at_once = most_looked_up;

 private:
  static constexpr std::size_t most_ahead = 4096;  // bytes: what the walk itself leaves room for

 public:
  RowFilter(const FilterLists& lists, Marks& marks) : lists_(&lists), marks_(&marks) {}

  void expect(std::size_t query) const {
    const std::span<const Row> rows = lists_->excluded(query);
    prefetch(rows.data(), std::min(rows.size_bytes(), most_ahead));
  }

  // For whom it is enough to ask about some tens of rows: to go through the list once for many of them costs less than
  // to mark all of it.
  void glance(std::size_t query, std::size_t asked) {
    if (asked > 2 * at_once) return enter(query);
    excluded_ = lists_->excluded(query);
    marked_ = false;
  }

  void enter(std::size_t query) {
    excluded_ = lists_->excluded(query);
    marked_ = true;
    marks_->begin(lists_->size());
    each_excluded([&](Row row) { marks_->put(row); });
  }

  // Of a query that was entered.
  bool allows(Row row) const { return !marks_->holds(row) && lists_->allows(row); }

  // Which of at most `at_once` rows are allowed, bit i for rows[i].
  std::uint32_t allowed_among(std::span<const Row> rows) const {
    std::uint32_t allowed = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const bool may = lists_->allows(rows[i]) && !(marked_ && marks_->holds(rows[i]));
      allowed |= std::uint32_t{may} << i;
    }
    return marked_ ? allowed : allowed & ~listed(rows);
  }

  // How many rows the query that was entered may be answered with.
  std::size_t allowed() {
    std::size_t count = lists_->allowed_count();
    marked_ = true;
    marks_->begin(lists_->size());
    each_excluded([&](Row row) {
      const bool first = marks_->insert(row);  // a list may name a row twice
      count -= first && lists_->allows(row) ? 1 : 0;
    });
    return count;
  }

  // Whether a query may be answered with so few rows; most often told without counting.
  bool allows_at_most(std::size_t most, std::size_t query) {
    const std::size_t excluded = lists_->excluded(query).size();
    if (lists_->allowed_count() > most + excluded) return false;
    enter(query);
    return allowed() <= most;
  }

  // Calls each(row) for these, in rising order.
  template <class Each>
  void each_allowed(const Each& each) const {
    lists_->each_allowed([&](Row row) {
      if (!marks_->holds(row)) each(row);
    });
  }

 private:
  template <class Each>
  void each_excluded(const Each& each) const {
    const Row* row_of = lists_->numbering().row_of;
    for (const Row number : excluded_) each(row_of == nullptr ? number : row_of[number]);
  }

  std::uint32_t listed(std::span<const Row> rows) const {
    const Row* number_of = lists_->numbering().number_of;
    if (number_of == nullptr) return listed_among(rows, excluded_);
    std::array<Row, at_once> numbers{};
    std::transform(rows.begin(), rows.end(), numbers.begin(), [&](Row row) { return number_of[row]; });
    return listed_among({numbers.data(), rows.size()}, excluded_);
  }

  const FilterLists* lists_;
  Marks* marks_;
  std::span<const Row> excluded_;
  bool marked_ = false;
};

}  // namespace waypost
