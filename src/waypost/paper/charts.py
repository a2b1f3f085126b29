"""Drawings by matplotlib, which is imported when the first is made."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from io import BytesIO
from pathlib import Path
from typing import Any

from waypost.atomic import replacing
from waypost.paper.exhibit import Draw
from waypost.paper.numbers import Measured, Number, measured
from waypost.paper.plan import Plan
from waypost.paper.store import Store


def panels(names: Sequence[str], columns: int = 3, size: float = 3.6) -> tuple[Any, dict[str, Any]]:
    """A figure with one titled panel a name."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise ImportError("figures need matplotlib; run pip install 'waypost[report]'.") from None
    names = list(dict.fromkeys(names))
    columns = min(columns, len(names))
    rows = -(-len(names) // columns)
    figure = Figure(figsize=(size * columns * 1.3, size * rows), layout="constrained")
    grid = figure.subplots(rows, columns, squeeze=False).ravel()
    for axis in grid[len(names) :]:
        axis.set_visible(False)
    for axis, name in zip(grid, names, strict=False):
        axis.set_title(name, fontsize="small")
        axis.grid(alpha=0.3)
    return figure, dict(zip(names, grid, strict=False))


def name_axes(axes: dict[str, Any], x: str, y: str) -> None:
    """Names the axes of all panels, and their lines where there are any: once, below, where they are the same."""
    for axis in axes.values():
        axis.set_xlabel(x)
        axis.set_ylabel(y)
        axis.set_visible(axis.has_data())  # what is still to be run shows no empty axes
    named = [axis.get_legend_handles_labels() for axis in axes.values()]
    handles, labels = max(named, key=lambda one: len(one[1]))
    if len(axes) > 1 and all(own == labels[: len(own)] for _, own in named):
        figure = next(iter(axes.values())).figure
        figure.legend(handles, labels, loc="outside lower center", ncols=4, fontsize="small")
        return
    for axis, (_, own) in zip(axes.values(), named, strict=True):
        if own:
            axis.legend(fontsize="x-small")


def drawn_lines(
    numbers: Callable[[Plan], list[Number]],
    *,
    x: str,
    y: str,
    panel: tuple[str, ...] = ("set", "entry"),
    log: bool = False,
    columns: int = 3,
) -> Draw:
    """A drawing of numbers as lines over the label `x`, one line a method, with the spread between seeds as a band."""

    def draw(plan: Plan, store: Store) -> Any:
        found = measured(numbers(plan), store)
        known = [one for one in found if one.mean is not None]  # what is still to be run gets no panel
        figure, axes = panels([_title(one, panel) for one in known or found], columns)
        lines: dict[tuple[str, str], list[Measured]] = {}
        for one in known:
            lines.setdefault((_title(one, panel), one.labels["method"]), []).append(one)
        for (title, method), points in lines.items():
            _line(axes[title], [_value(one.labels[x]) for one in points], points, method)
        name_axes(axes, x, y)
        for axis in axes.values() if log else ():
            axis.set_xscale("log", base=2)
        return figure

    return draw


def _line(axis: Any, at: list[float], points: list[Measured], method: str) -> None:
    means = [one.mean or 0.0 for one in points]
    [line] = axis.plot(at, means, marker="o", markersize=3, label=method)
    below = [mean - (one.spread or 0.0) for mean, one in zip(means, points, strict=True)]
    above = [mean + (one.spread or 0.0) for mean, one in zip(means, points, strict=True)]
    axis.fill_between(at, below, above, color=line.get_color(), alpha=0.15)


def _title(one: Measured, panel: tuple[str, ...]) -> str:
    return ", ".join(one.labels[name] for name in panel)


def _value(label: str) -> float:
    return float(label.rstrip("%").replace(",", ""))


def save(figure: Any, folder: Path, name: str) -> None:
    """As SVG and as PNG; the same figure gives the same bytes."""
    import matplotlib

    with matplotlib.rc_context({"svg.hashsalt": "waypost"}):
        for form, metadata in (("svg", {"Date": None}), ("png", {"Software": None})):
            content = BytesIO()
            figure.savefig(content, format=form, dpi=90, metadata=metadata)
            with replacing(folder / f"{name}.{form}") as file:
                file.write(content.getvalue())
