"""From the data inside the package to a page that shows what learned routing buys, in minutes on two cores."""

from __future__ import annotations

import json
import time
import warnings
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from waypost import __version__
from waypost.comparison import Comparison, compare
from waypost.exact import exact_search
from waypost.graph import build_graph
from waypost.index import Index
from waypost.interruption import noticed_interruption

if TYPE_CHECKING:
    from waypost.arguments import Floats
    from waypost.data import Factors, Ratings
    from waypost.report import Example

Progress = Callable[[int, int], None]
Stage = Callable[[str], AbstractContextManager[Any]]
"""Called with the name of each stage; gives what is to be called with (done, total)."""

K = 10
VALIDATING = 2_000
EXAMPLE_BUDGET = 256
EXACT_TRIES, ROUTED_TRIES = 10, 200  # of one query; the quickest counts
NAMES = ("npm.factors.npz", "npm.waypost", "npm.learned.waypost", "npm.learned.jsonl", "npm.learned.training")

PROJECTS: tuple[tuple[str, ...], ...] = (
    ("express", "mongoose", "jsonwebtoken"),
    ("react", "webpack", "babel-loader"),
    ("gulp", "gulp-sass", "browser-sync"),
    ("commander", "chalk", "inquirer"),
    ("socket.io", "redis", "async"),
)
"""What the projects of the examples use."""


@dataclass(frozen=True)
class DemoSettings:
    """What a demo is made of; its recipe was chosen on validation queries.

    >>> DemoSettings(users=1000).budgets
    (64, 128, 256, 512)
    """

    users: int | None = None
    """So many projects, drawn by the seed, and what two or more of them use; None takes all there are."""
    factors: int = 96
    kind: str = "ip-nsw"
    degree: int = 16
    candidates: int = 100
    training: int = 10_000
    """Training queries, each with its true answers."""
    budgets: tuple[int, ...] = (64, 128, 256, 512)
    seed: int = 0
    threads: int = 0


@dataclass(frozen=True)
class Demo:
    """What a demo came to, and where it wrote it.

    >>> Demo(Comparison(10, 300, 20, ()), [], {}).comparison.k
    10
    """

    comparison: Comparison
    examples: Sequence[Example]
    files: dict[str, str] = field(default_factory=dict)


def run_demo(folder: str | Path, settings: DemoSettings | None = None, stage: Stage | None = None) -> Demo:
    """Ratings, factors, graph, router, comparison, examples and the page, all in `folder`.

    What a demo of the same settings has finished there is not made again, so one that was stopped goes on.

    >>> demo = run_demo("waypost-demo")  # doctest: +SKIP
    >>> print(*demo.comparison.verdicts, sep="\\n")  # doctest: +SKIP
    """
    work = _Work(Path(folder), settings or DemoSettings(), stage or _quiet)
    work.begin()
    factors = work.factors()
    plain = work.plain(factors)
    learned = work.learned(factors, plain)
    return work.shown(plain, learned, factors.queries("test"))


@dataclass(frozen=True)
class _Work:
    folder: Path
    settings: DemoSettings
    stage: Stage

    def begin(self) -> None:
        """Clears away what was made by other settings."""
        self.folder.mkdir(parents=True, exist_ok=True)
        about = json.dumps({"waypost": __version__} | asdict(self.settings) | {"threads": None}, indent=1)
        written = self.folder / "settings.json"
        if not written.exists() or written.read_text() != about:
            for name in NAMES:
                (self.folder / name).unlink(missing_ok=True)
            written.write_text(about)

    def factors(self) -> Factors:
        from waypost.data import AlsConfig, Factors, factorize, load_dataset, split_queries

        path, seed = self.folder / "npm.factors.npz", self.settings.seed
        if path.exists():
            return Factors.load(path)
        with self.stage("reading the npm packages"):
            ratings = _drawn(load_dataset("npm_deps"), self.settings.users, seed)
            split = split_queries(ratings, seed)
        with self.stage("factors by alternating least squares") as progress:
            config = AlsConfig(self.settings.factors, seed=seed, threads=self.settings.threads)
            factors = factorize(ratings, config, progress=progress).with_split(split)
        factors.save(path)
        return factors

    def plain(self, factors: Factors) -> Index:
        path, given = self.folder / "npm.waypost", self.settings
        if path.exists():
            return Index.load(path)
        with self.stage(f"building the {given.kind} graph") as progress:
            graph = build_graph(
                factors.items,
                given.kind,
                degree=given.degree,
                candidates=given.candidates,
                seed=given.seed,
                threads=given.threads,
                progress=progress,
            )
        index = Index(factors.items, graph, ids=factors.item_ids, als=factors.als)
        index.save(path)
        return index

    def learned(self, factors: Factors, plain: Index) -> Index:
        from waypost.learn import TrainConfig, train_router

        path, given = self.folder / "npm.learned.waypost", self.settings
        if path.exists():
            return Index.load(path)
        train, valid = factors.queries("train")[: given.training], factors.queries("valid")[:VALIDATING]
        with self.stage("exact answers to learn from"):
            labels = exact_search(plain.items, train, K, threads=given.threads).ids
        config = TrainConfig(budgets=given.budgets, seed=given.seed, threads=given.threads)
        kept, log = self.folder / "npm.learned.training", self.folder / "npm.learned.jsonl"
        with (
            warnings.catch_warnings(record=True) as said,
            noticed_interruption() as interruption,
            self.stage("training") as progress,
        ):
            router = train_router(
                plain.items,
                plain.graph,
                train,
                labels,
                config,
                valid,
                log=log,
                progress=progress,
                checkpoint=kept,
            )
        if interruption.happened:  # what a training says that was stopped early is no verdict on it
            raise KeyboardInterrupt
        for warning in said:
            warnings.warn(warning.message, stacklevel=2)
        learned = plain.with_router(router)
        learned.save(path)
        kept.unlink(missing_ok=True)
        return learned

    def shown(self, plain: Index, learned: Index, queries: Floats) -> Demo:
        from waypost.report import gather, write_figures, write_overview, write_report

        given = self.settings
        with self.stage("exact answers to compare with"):
            truth = plain.exact(queries, K, threads=given.threads)
        with self.stage("comparing") as progress:
            shared: dict[str, Any] = {"truth": truth, "k": K, "budgets": given.budgets, "threads": given.threads}
            measured = compare(plain, learned, queries, progress=progress, **shared)
        examples = [example_of(plain, learned, list(liked)) for liked in _known(plain)]
        page, figures = self.folder / "report.html", self.folder / "figures"
        with self.stage("drawing the page"):
            log = self.folder / "npm.learned.jsonl"
            shared |= {"measured": measured, "log": log, "examples": examples, "seed": given.seed}
            report = gather(plain, learned, queries, title="What learned routing buys on npm", **shared)
            write_report(report, page)
            write_figures(report, figures)
            write_overview(report, figures / "overview.svg")
        files = {"report": page, "figures": figures, "index": self.folder / NAMES[2], "factors": self.folder / NAMES[0]}
        return Demo(measured, examples, {name: str(path) for name, path in files.items()})


def example_of(plain: Index, learned: Index, liked: list[str], budget: int = EXAMPLE_BUDGET) -> Example:
    """What someone who likes these items gets beside them, exactly and by the router, and what each cost.

    >>> example_of(plain, learned, ["express", "mongoose"]).found  # doctest: +SKIP
    10
    """
    from waypost.report import Example

    query, wanted = learned.fold_in(liked), min(K + len(liked), len(plain))
    truth, exact_us = _quickest(lambda: plain.exact(query, wanted, threads=1), EXACT_TRIES)
    answer, routed_us = _quickest(lambda: learned.search(query, wanted, budget, threads=1), ROUTED_TRIES)
    exact, routed = (
        [one for one in ids[0].tolist() if one not in {*liked, None}][:K] for ids in (truth.ids, answer.ids)
    )
    return Example(liked, exact, routed, len(plain), int(answer.cost[0]), exact_us, routed_us)


def _known(index: Index) -> list[tuple[str, ...]]:
    """The projects all whose packages are there: a small demo may lack some."""
    names = set() if index.ids is None else set(index.ids.tolist())
    return [liked for liked in PROJECTS if names.issuperset(liked)]


def _quickest(search: Callable[[], Any], tries: int) -> tuple[Any, float]:
    """What the search gives, and its time in microseconds."""
    best, given = float("inf"), None
    for _ in range(tries):
        start = time.perf_counter()
        given = search()
        best = min(best, time.perf_counter() - start)
    return given, best * 1e6


def _drawn(ratings: Ratings, users: int | None, seed: int) -> Ratings:
    import numpy as np

    from waypost.data import Ratings
    from waypost.data.assemble import filtered

    if users is None or users >= ratings.matrix.shape[0]:
        return ratings
    rows = np.sort(np.random.default_rng(seed).permutation(ratings.matrix.shape[0])[:users])
    assert ratings.users is not None
    return filtered(Ratings(ratings.matrix[rows], ratings.users[rows], ratings.items, ratings.notes), min_item=2)


def _quiet(what: str) -> AbstractContextManager[Progress]:
    return nullcontext(lambda done, total: None)
