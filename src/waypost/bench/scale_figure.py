"""The picture of a run at scale: small panels over the number of items, both axes logarithmic but for recall."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from waypost.bench.peers.peer import needed

PANELS = (
    ("build", "seconds to build, all cores"),
    ("peak", "GiB at the peak, all in"),
    ("micros", "microseconds at the wanted recall"),
    ("recall", "recall 10@10 at a fixed effort"),
)
COLOUR = "#d62728"


def draw(measured: Sequence[Mapping[str, Any]], stem: Path) -> Path:
    """Writes STEM.svg and STEM.png and gives the path of the first."""
    matplotlib = needed("matplotlib")
    matplotlib.use("agg")
    plt = needed("matplotlib.pyplot")
    rows = [{**one, "micros": 1e6 / one["qps_enough"]} for one in measured]
    with matplotlib.rc_context({"svg.hashsalt": "waypost", "font.size": 9}):
        figure, axes = plt.subplots(1, len(PANELS), figsize=(13, 3.2), layout="constrained")
        for axis, (key, title) in zip(axes, PANELS, strict=True):
            _panel(axis, [one["items"] for one in rows], [one[key] for one in rows], title, key == "recall")
        stem.parent.mkdir(parents=True, exist_ok=True)
        for ending, extra in ((".svg", {"metadata": {"Date": None}}), (".png", {"dpi": 150})):
            figure.savefig(stem.with_suffix(ending), **extra)
        plt.close(figure)
    return stem.with_suffix(".svg")


def _panel(axis: Any, items: list[int], values: list[float], title: str, share: bool) -> None:
    axis.plot(items, values, color=COLOUR, marker="o", markersize=4, linewidth=1.8)
    axis.set_xscale("log")
    axis.set_title(title, loc="left", fontsize=9, fontweight="bold")
    axis.set_xlabel("items")
    if share:
        axis.set_ylim(0, 1.08)
    else:
        axis.set_yscale("log")
        axis.margins(y=0.2)
    axis.margins(x=0.12)
    axis.grid(True, color="#e6e6e6", linewidth=0.6)
    axis.spines[["top", "right"]].set_visible(False)
    for n, value in zip(items, values, strict=True):
        shown = f"{value:,.0f}" if value >= 100 else f"{value:.3g}"
        axis.annotate(shown, (n, value), xytext=(0, 6), textcoords="offset points", ha="center", fontsize=8)
