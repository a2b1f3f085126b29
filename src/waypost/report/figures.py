"""The report's figures as SVG and PNG files, for papers and slides."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

from waypost.report.content import Report, SearchPicture, TrainingCurve
from waypost.report.wording import NAMES

COLOURS = {"learned": "#0b5fd0", "unlearned": "#b4530a", "exact": "#5b4b8a", "plot": "#3b4a63"}
DASHES = {"learned": "-", "unlearned": "--", "exact": "-"}
STYLE = {
    "font.size": 10,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.color": "#e6e3dc",
    "axes.axisbelow": True,
    "svg.hashsalt": "waypost",  # the same report gives the same file
    "svg.fonttype": "none",
}
Draw = Callable[[Any], None]


def write_figures(report: Report, folder: str | os.PathLike[str]) -> list[Path]:
    """Writes each figure as NAME.svg and NAME.png into `folder`, which is made; needs the extra `report`.

    >>> write_figures(report, "figures")  # doctest: +SKIP
    """
    matplotlib = _matplotlib()
    target = Path(folder)
    target.mkdir(parents=True, exist_ok=True)
    written = []
    with matplotlib.rc_context(STYLE):
        for name, (columns, draw) in _drawings(report).items():
            figure = matplotlib.figure.Figure(figsize=(5 * columns, 3.6 if columns == 1 else 5), layout="constrained")
            draw(figure)
            for ending, more in (("svg", {"metadata": {"Date": None}}), ("png", {"dpi": 160})):
                written.append(target / f"{name}.{ending}")
                figure.savefig(written[-1], **more)
    return written


def _matplotlib() -> Any:
    try:
        matplotlib = import_module("matplotlib")
        import_module("matplotlib.figure")
    except ImportError:
        raise ImportError("write_figures needs matplotlib; run pip install 'waypost[report]'.") from None
    return matplotlib


def _drawings(report: Report) -> dict[str, tuple[int, Draw]]:
    drawings: dict[str, tuple[int, Draw]] = {
        "recall-by-products": (1, partial(_recall, report=report)),
        "recall-by-speed": (1, partial(_speed, report=report)),
        "path-lengths": (1, partial(_lengths, report=report)),
        "degrees": (1, partial(_degrees, report=report)),
    }
    for curve in report.training:
        drawings[f"training-{curve.name.replace('_', '-')}"] = 1, partial(_training, curve=curve)
    for shown in report.pictures:
        drawings[f"search-{shown.why.replace(' ', '-')}"] = 2, partial(_search, shown=shown)
    return drawings


def _recall(figure: Any, report: Report) -> None:
    axes = figure.subplots()
    budgets = [at.budget for at in report.recalls]
    for name in ("unlearned", "learned"):
        recalls = [getattr(at, name) for at in report.recalls]
        axes.plot(budgets, recalls, DASHES[name], marker="o", color=COLOURS[name], label=name)
    axes.set_xscale("log", base=2)
    axes.set_xticks(budgets, [str(budget) for budget in budgets])
    axes.set(xlabel="inner products a query", ylabel=f"recall {report.k}@{report.k}")
    axes.legend(frameon=False)


def _speed(figure: Any, report: Report) -> None:
    axes = figure.subplots()
    for name in ("unlearned", "learned", "exact"):
        speeds = [at for at in report.speeds if at.name == name]
        across, up = [at.batched for at in speeds], [at.recall for at in speeds]
        axes.plot(across, up, DASHES[name], marker="o", color=COLOURS[name], label=name)
    axes.set_xscale("log")
    axes.set(xlabel="queries a second", ylabel=f"recall {report.k}@{report.k}")
    axes.legend(frameon=False)


def _lengths(figure: Any, report: Report) -> None:
    axes, lengths = figure.subplots(), report.lengths
    sides = (
        ("learned", lengths.learned, lengths.learned_missed, 1),
        ("unlearned", lengths.unlearned, lengths.unlearned_missed, -1),
    )
    for name, counts, missed, sign in sides:
        total = sum(counts) + missed or 1
        heights = [sign * count / total for count in counts]
        axes.bar(range(len(counts)), heights, color=COLOURS[name], label=f"{name} (never: {missed / total:.1%})")
    axes.axhline(0, color="#a9a79f", linewidth=0.8)
    axes.yaxis.set_major_formatter(lambda value, _: f"{abs(value):.0%}")
    axes.set(xlabel="vertices looked at until an answer came into sight", ylabel="share of the true answers")
    axes.legend(frameon=False)


def _degrees(figure: Any, report: Report) -> None:
    axes = figure.subplots()
    axes.bar(range(len(report.graph.degrees)), report.graph.degrees, color=COLOURS["plot"])
    axes.set(xlabel="neighbours", ylabel="items")


def _training(figure: Any, curve: TrainingCurve) -> None:
    axes = figure.subplots()
    axes.plot(*zip(*curve.points, strict=True), color=COLOURS["plot"], marker="o" if len(curve.points) < 13 else None)
    axes.set(xlabel="update", ylabel=NAMES.get(curve.name, curve.name))


def _search(figure: Any, shown: SearchPicture) -> None:
    for axes, name in zip(figure.subplots(1, 2), ("unlearned", "learned"), strict=True):
        sights = getattr(shown, name)
        places = [(shown.spots[sight.spot].x, shown.spots[sight.spot].y) for sight in sights]
        edges = [(places[at.parent], place) for at, place in zip(sights, places, strict=True) if at.parent >= 0]
        # None lifts the pen.
        across, up = ([end for a, b in edges for end in (a[axis], b[axis], None)] for axis in (0, 1))
        axes.plot(across, up, color=COLOURS[name], alpha=0.3, linewidth=0.8, zorder=1)
        axes.scatter(*zip(*places, strict=True), s=14, color=COLOURS[name], zorder=2)
        _answers(axes, shown, {sight.spot for sight in sights})
        axes.set_title(f"{name}: {shown.seen(name)} of {shown.answers} true answers seen", fontsize=10)
        axes.set_aspect("equal")
        axes.set_axis_off()


def _answers(axes: Any, shown: SearchPicture, seen: set[int]) -> None:
    for number, spot in enumerate(shown.spots):
        if spot.true_rank is not None:
            fill = "#16181d" if number in seen else "white"
            axes.scatter([spot.x], [spot.y], s=42, marker="D", facecolor=fill, edgecolor="#16181d", zorder=3)
