"""One small shop, taken through every step once, and ways to run the command."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

for library in ("typer", "rich", "scipy", "implicit"):
    pytest.importorskip(library)

Run = Callable[..., Any]


@pytest.fixture(scope="session")
def run() -> Run:
    """Runs a command in this process, as piped."""

    from typer.testing import CliRunner

    from waypost.cli.main import app

    def invoke(*arguments: Any, code: int = 0) -> Any:
        result = CliRunner().invoke(app, [str(argument) for argument in arguments])
        assert result.exit_code == code, result.output
        return result

    return invoke


@pytest.fixture(scope="session")
def ratings_file() -> Callable[[Path], Path]:
    """Writes made-up ratings: users of eight tastes, a few items that many like."""
    return write_ratings


def write_ratings(path: Path, users: int = 600) -> Path:
    rng = random.Random(1)
    lines = ["customer,product,stars"]
    for user in range(users):
        taste = rng.randrange(8)
        for _ in range(rng.randint(4, 12)):
            item = int(rng.paretovariate(0.8)) % 60 + 60 * (taste if rng.random() < 0.8 else rng.randrange(8))
            lines.append(f"u{user},product-{item},{rng.randint(1, 5)}")
    path.write_text("\n".join(lines) + "\n")
    return path


@pytest.fixture(scope="session")
def shop(tmp_path_factory: pytest.TempPathFactory, run: Run) -> Path:
    """A folder with ratings.csv, shop.factors.npz, shop.waypost and shop.learned.waypost, made by the commands."""
    folder = tmp_path_factory.mktemp("shop")
    ratings, factors = write_ratings(folder / "ratings.csv"), folder / "shop.factors.npz"
    columns = ("--user", "customer", "--item", "product", "--rating", "stars")
    run("factorize", ratings, factors, *columns, "--factors", 16, "--iterations", 5)
    run("build", factors, folder / "shop.waypost", "--degree", 6, "--candidates", 30)
    learned = folder / "shop.learned.waypost"
    run("train", folder / "shop.waypost", factors, learned, "--budget", 64, "--steps", 50, "--set", "batch=64")
    return folder
