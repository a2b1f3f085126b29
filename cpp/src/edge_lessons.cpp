#include "waypost/edge_lessons.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <span>

#include "query_chunks.hpp"
#include "waypost/deferred.hpp"
#include "waypost/scorer.hpp"
#include "waypost/walk.hpp"

namespace waypost {
namespace {

constexpr std::size_t walks_a_chunk = 16;
constexpr std::int32_t never = std::numeric_limits<std::int32_t>::max();

// What one walk met, and when.
struct Diary {
  std::vector<std::int32_t> seen_at;  // by row: the number of the expansion that showed it
  std::vector<Row> path;
  std::vector<Row> seen;
};

struct Writer {
  Diary* diary;

  void expanded(Row row) { diary->path.push_back(row); }
  void seen(Row row, float, std::int32_t hop) {
    diary->seen_at[static_cast<std::size_t>(row)] = hop;
    diary->seen.push_back(row);
  }
};

struct Worker {
  WalkSpace walk;
  Diary diary;
  std::vector<char> answers;  // by row: whether it answers the query
  std::vector<char> left;     // by row: whether the walk came by already
  EdgeLessons lessons;

  void fit(const EdgeLessonPlan& plan) {
    diary.seen_at.assign(plan.graph.size, never);
    answers.assign(plan.graph.size, 0);
    left.assign(plan.graph.size, 0);
    lessons.shown.assign(plan.candidates.rows * plan.candidates.cols, 0);
    lessons.hits.assign(lessons.shown.size(), 0);
  }
};

void walk(const EdgeLessonPlan& plan, const EdgeLessonQueries& queries, std::size_t query, Worker& worker) {
  const float* routed = queries.route.row(query);
  const std::size_t own = queries.entries.rows == 1 ? 0 : query;
  const std::span<const Row> entries{queries.entries.row(own), queries.entries.cols};
  Walk steps(plan.graph, entries, InnerProduct(routed, plan.route), Budget(plan.budget), Writer{&worker.diary},
             worker.walk, penalty_for(plan.graph, routed, plan.route.cols));
  do {
    steps.score();
  } while (steps.expand());
  steps.leave();
}

// Counts the candidates of every vertex on the path, at the first time that the walk came by.
void count(const EdgeLessonPlan& plan, Worker& worker) {
  const Diary& diary = worker.diary;
  for (std::size_t hop = 0; hop < diary.path.size(); ++hop) {
    const auto source = static_cast<std::size_t>(diary.path[hop]);
    if (worker.left[source] != 0) continue;
    worker.left[source] = 1;
    const Row* candidates = plan.candidates.row(source);
    for (std::size_t i = 0; i < plan.candidates.cols && plan.graph.holds(candidates[i]); ++i) {
      const auto target = static_cast<std::size_t>(candidates[i]);
      if (diary.seen_at[target] < static_cast<std::int32_t>(hop)) continue;
      const std::size_t edge = source * plan.candidates.cols + i;
      ++worker.lessons.shown[edge];
      worker.lessons.hits[edge] += worker.answers[target] != 0 ? 1 : 0;
    }
  }
}

void learn(const EdgeLessonPlan& plan, const EdgeLessonQueries& queries, std::size_t query, Worker& worker) {
  const std::span<const Row> answers{queries.answers.row(query), queries.answers.cols};
  const auto mark = [&](char value) {
    for (const Row row : answers) {
      if (plan.graph.holds(row)) worker.answers[static_cast<std::size_t>(row)] = value;
    }
  };
  mark(1);
  walk(plan, queries, query, worker);
  count(plan, worker);
  mark(0);
  for (const Row row : worker.diary.seen) worker.diary.seen_at[static_cast<std::size_t>(row)] = never;
  for (const Row row : worker.diary.path) worker.left[static_cast<std::size_t>(row)] = 0;
  worker.diary.seen.clear();
  worker.diary.path.clear();
}

void add(const std::vector<std::uint32_t>& from, std::vector<std::uint32_t>& to) {
  std::transform(from.begin(), from.end(), to.begin(), to.begin(), std::plus<>{});
}

}  // namespace

EdgeLessons learn_edges(const EdgeLessonPlan& plan, const EdgeLessonQueries& queries, const Progress& progress) {
  const QueryChunks chunks{queries.route.rows, walks_a_chunk, plan.threads};
  std::vector<Worker> workers(std::max<std::size_t>(chunks.workers(), 1));
  for (Worker& worker : workers) worker.fit(plan);
  chunks.each(workers, progress, [&](std::size_t query, Worker& worker) { learn(plan, queries, query, worker); });
  EdgeLessons all = std::move(workers.front().lessons);  // sums of counts, in whatever order
  for (std::size_t i = 1; i < workers.size(); ++i) {
    add(workers[i].lessons.shown, all.shown);
    add(workers[i].lessons.hits, all.hits);
  }
  return all;
}

}  // namespace waypost
