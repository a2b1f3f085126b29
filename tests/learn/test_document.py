"""What docs/training.md shows works as it stands."""

import warnings
from pathlib import Path

import needs_torch  # noqa: F401
import pytest


def test_the_python_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    document = Path(__file__).parents[2] / "docs" / "training.md"
    blocks = document.read_text(encoding="utf-8").split("```python\n")[1:]
    program = "\n".join(block.split("```")[0] for block in blocks)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="training did not raise")
        exec(compile(program, document.name, "exec"), {})
    assert (tmp_path / "shop.training").exists()
