"""What the documents show works as it stands: their Python, their `make` chores, their links."""

import re
from pathlib import Path

import pytest

from waypost.bench.document import write_part

ROOT = Path(__file__).parent.parent
GUIDES = ("docs/quickstart.md", "docs/guide.md", "docs/data.md", "docs/report.md")
DOCUMENTS = ("README.md", "CONTRIBUTING.md", "docs/cli.md", *GUIDES)
WITH_PYTHON = ("README.md", *GUIDES)


def text_of(document: str) -> str:
    return (ROOT / document).read_text(encoding="utf-8")


def python_of(document: str) -> str:
    """All Python blocks of a document as one program, each line where it stands there."""
    lines, inside = [], False
    for line in text_of(document).splitlines():
        if line.startswith("```"):
            inside = line == "```python"
            line = ""
        lines.append(line if inside else "")
    return "\n".join(lines)


@pytest.mark.parametrize("document", WITH_PYTHON)
def test_the_python_runs(document: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # the examples save files
    program = python_of(document)
    assert "import waypost as wp" in program
    exec(compile(program, document, "exec"), {"__name__": "__main__"})


@pytest.mark.parametrize("document", DOCUMENTS)
def test_the_chores_exist(document: str) -> None:
    chores = set(re.findall(r"^([a-z-]+):.*## ", text_of("Makefile"), re.MULTILINE))
    named = set(re.findall(r"(?:^|`)make ([a-z-]+)", text_of(document), re.MULTILINE))
    assert "test" in chores
    assert named <= chores


@pytest.mark.parametrize("document", DOCUMENTS)
def test_the_links_lead_somewhere(document: str) -> None:
    folder = (ROOT / document).parent
    links = re.findall(r"\]\(([^)#]+)[^)]*\)", text_of(document))
    assert [link for link in links if "://" not in link and not (folder / link).exists()] == []


def test_the_readme_keeps_a_place_for_what_others_reach(tmp_path: Path) -> None:
    page = tmp_path / "README.md"
    page.write_text(text_of("README.md"))
    write_part(page, "peers", "What others reach.", [])
    before, after = re.split(r"<!-- begin peers -->.*<!-- end peers -->", text_of("README.md"), flags=re.DOTALL)
    assert page.read_text().startswith(before)
    assert page.read_text().endswith(after)
    assert after.startswith("\n\n## ")
    assert "What others reach." in page.read_text()
