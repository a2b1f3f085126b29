"""The picture of a side-by-side run: recall against queries a second, a line a library, named where it ends."""

from __future__ import annotations

import math
import statistics
from pathlib import Path
from typing import Any

from waypost.bench.peers import OURS
from waypost.bench.peers.peer import needed
from waypost.bench.peers.record import Entry

TICKS = (0.8, 0.9, 0.95, 0.98, 0.99, 0.995, 0.999)
LEAST, MOST = 0.75, 0.9995  # of recall
APART = 0.042  # of the height, between two names
COLOURS = (
    "#1f77b4", "#2ca02c", "#9467bd", "#8c564b", "#e377c2", "#7f7f7f", "#bcbd22", "#17becf", "#ff7f0e", "#4b5f9e",
    "#a8763e", "#5a9e6f",
)  # fmt: skip
OURS_COLOUR = "#d62728"
Line = list[tuple[float, float]]


def draw(data: Entry, folder: Path, name: str) -> list[Path]:
    """Writes NAME.svg and NAME.png into the folder, and gives the path of the first; nothing without a measured set."""
    sets = {name: lines for name, entry in data["sets"].items() if (lines := lines_of(entry))}
    if not sets:
        return []
    matplotlib = needed("matplotlib")
    matplotlib.use("agg")
    plt = needed("matplotlib.pyplot")
    with matplotlib.rc_context({"svg.hashsalt": "waypost", "font.size": 9}):
        figure, axes = plt.subplots(1, len(sets), figsize=(5.4 * len(sets), 4.6), squeeze=False, layout="constrained")
        colours = _colours(sets.values())
        for axis, (title, lines) in zip(axes[0], sets.items(), strict=True):
            _panel(axis, title, lines, colours)
        axes[0][0].set_ylabel("queries a second, one thread")
        folder.mkdir(parents=True, exist_ok=True)
        paths = [folder / f"{name}.svg", folder / f"{name}.png"]
        for path in paths:
            figure.savefig(path, dpi=150, metadata={"Date": None} if path.suffix == ".svg" else None)
        plt.close(figure)
    return paths[:1]


def lines_of(entry: Entry) -> dict[str, Line]:
    """For each library its points that no other of its own beats, by rising recall."""
    lines = {}
    for name, one in entry["measured"].items():
        found = [(point["recall"], statistics.median(point["qps"])) for point in one.get("points", ()) if point["qps"]]
        line: Line = []
        for recall, qps in sorted(found, reverse=True):
            if recall >= LEAST and (not line or qps > line[-1][1]):
                line.append((recall, qps))
        if line:
            lines[name] = line[::-1]
    return lines


def _colours(panels: Any) -> dict[str, str]:
    names = sorted({name for lines in panels for name in lines if name != OURS})
    return {name: COLOURS[at % len(COLOURS)] for at, name in enumerate(names)} | {OURS: OURS_COLOUR}


def _place(recall: float) -> float:
    """Each step of the axis halves what is missed: the last percents are where the libraries differ."""
    return -math.log10(1 - min(recall, MOST))


def _panel(axis: Any, title: str, lines: dict[str, Line], colours: dict[str, str]) -> None:
    axis.set_title(title, loc="left", fontweight="bold")
    axis.set_yscale("log")
    axis.set_xlabel("recall 10@10, test queries")
    axis.set_xticks([_place(tick) for tick in TICKS], [f"{tick:g}" for tick in TICKS])
    axis.set_xlim(_place(LEAST), _place(MOST) + 0.85)
    axis.grid(True, color="#e6e6e6", linewidth=0.6)
    axis.spines[["top", "right"]].set_visible(False)
    for name, line in lines.items():
        ours = name == OURS
        axis.plot(
            [_place(recall) for recall, _ in line], [qps for _, qps in line], color=colours[name], marker="o",
            markersize=4.5 if ours else 3, linewidth=2.4 if ours else 1.2, zorder=3 if ours else 2,
        )  # fmt: skip
    _name_the_ends(axis, lines, colours)


def _name_the_ends(axis: Any, lines: dict[str, Line], colours: dict[str, str]) -> None:
    """Names stand in a column at the right, as high as their lines end, pushed apart where they would meet."""
    low, high = (math.log10(limit) for limit in axis.get_ylim())
    ends = {name: (_place(line[-1][0]), (math.log10(line[-1][1]) - low) / (high - low)) for name, line in lines.items()}
    column = _place(MOST) + 0.14
    for name, height in spread({name: height for name, (_, height) in ends.items()}, APART).items():
        right, own = ends[name]
        heights = [10 ** (low + share * (high - low)) for share in (own, height)]
        axis.plot([right, column - 0.02], heights, color=colours[name], linewidth=0.5, alpha=0.6, zorder=1)
        weight = "bold" if name == OURS else "normal"
        axis.text(column, heights[1], name, color=colours[name], va="center", fontsize=8, fontweight=weight)


def spread(wanted: dict[str, float], apart: float) -> dict[str, float]:
    """Heights from 0 to 1 near the wanted ones, none nearer to another than `apart`.

    >>> {name: round(at, 2) for name, at in spread({"a": 0.5, "b": 0.5, "c": 0.9}, 0.1).items()}
    {'a': 0.45, 'b': 0.55, 'c': 0.9}
    """
    groups: list[list[str]] = []
    centres: list[float] = []
    for name in sorted(wanted, key=lambda name: wanted[name]):
        groups.append([name])
        centres.append(wanted[name])
        while len(groups) > 1 and centres[-1] - centres[-2] < apart * (len(groups[-1]) + len(groups[-2])) / 2 - 1e-12:
            last, centre = groups.pop(), centres.pop()
            both = len(groups[-1]) + len(last)
            centres[-1] = (centres[-1] * len(groups[-1]) + centre * len(last)) / both
            groups[-1] = groups[-1] + last
    return {
        name: centre + apart * (at - (len(group) - 1) / 2)
        for group, centre in zip(groups, centres, strict=True)
        for at, name in enumerate(group)
    }
