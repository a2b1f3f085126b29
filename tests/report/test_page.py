"""What stands on the page, read without a browser: everything, escaped, by itself, and with the gathered numbers."""

import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import pytest
from sample_indexes import HOSTILE

from waypost.report import Report, write_overview, write_report
from waypost.report.content import Recalls
from waypost.report.page import page

VOID = {"meta", "link", "br", "input", "hr"}


class Reader(HTMLParser):
    """Reads a page and minds that every element is closed in its turn; keeps elements and texts."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[str] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert len({name for name, _ in attrs}) == len(attrs), f"an attribute of {tag} stands there twice"
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if not {"script", "style"} & set(self.open):
            self.texts.append(data)

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.elements if name == tag]

    @property
    def text(self) -> str:
        return re.sub(r"\s+", " ", " ".join(self.texts))


@pytest.fixture(scope="module")
def text(report: Report) -> str:
    return page(report)


@pytest.fixture(scope="module")
def read(text: str) -> Reader:
    return Reader(text)


def test_all_parts_are_there(read: Reader) -> None:
    ids = [attributes.get("id") for attributes in read.all("section")]
    assert ids == ["recall", "search", "examples", "lengths", "training", "graph"]


def test_the_numbers_are_the_gathered_ones(read: Reader, report: Report) -> None:
    for at in report.recalls:
        for value in (f"{at.learned:.4f}", f"{at.unlearned:.4f}", f"{at.learned * report.k:.2f}"):
            assert value in read.text
    for at in report.speeds:
        assert f"{at.batched:,.0f}" in read.text
        assert f"{at.single:,.0f}" in read.text
    assert f"{report.graph.edges:,}" in read.text
    for curve in report.training:
        assert f"{curve.points[-1][1]:.4g}" in read.text
    for count in (*report.lengths.learned[:3], report.lengths.unlearned_missed):
        assert f"({count:,})" in read.text


def test_every_visit_says_name_score_and_step(read: Reader, report: Report) -> None:
    tips = {attributes["data-tip"] for _, attributes in read.elements if "data-tip" in attributes}
    for picture in report.pictures:
        for which in ("unlearned", "learned"):
            for product, sight in enumerate(getattr(picture, which), start=1):
                spot = picture.spots[sight.spot]
                step = f"step {sight.step}" if sight.parent >= 0 else "a start"
                true = "" if spot.true_rank is None else f"\ntrue answer {spot.true_rank + 1}"
                assert f"{spot.name}\nscore {spot.score:.3f} · {step} · product {product}{true}" in tips


def test_names_are_only_text(text: str, read: Reader) -> None:
    assert text.count("<script>") == 1
    assert text.count("</main>") == 1
    assert text.count("</style>") == 1
    assert HOSTILE in read.text
    assert [name for _, attributes in read.elements for name in attributes if name.startswith("on")] == []


def test_it_needs_nothing_from_elsewhere(text: str, read: Reader) -> None:
    assert re.search(r"(?:https?|ftp|wss?):|//\w", re.sub(r"// [^\n]*", "", text)) is None
    assert not re.search(r"@import|url\(|fetch\(|XMLHttpRequest|<iframe|<img|srcset", text)
    links = [a[name] for _, a in read.elements for name in ("src", "href") if name in a]
    assert links == ["data:,"]


def test_pictures_have_an_alternative_and_a_table(read: Reader) -> None:
    pictures = read.all("svg")
    assert all(len(svg["aria-label"] or "") > 30 for svg in pictures if svg["class"] != "chart")
    assert all(svg["role"] == "img" and svg["aria-label"] for svg in pictures)
    assert len(read.all("details")) == len(read.all("figure"))


def test_ids_are_used_once_and_references_lead_somewhere(read: Reader) -> None:
    ids = [attributes["id"] for _, attributes in read.elements if "id" in attributes]
    assert len(set(ids)) == len(ids)
    for _, attributes in read.elements:
        for name in ("aria-labelledby", "aria-describedby"):
            assert attributes.get(name) in (None, *ids)


def test_it_is_of_modest_size(page_file: Path) -> None:
    assert page_file.stat().st_size < 500_000


def test_it_says_where_learning_is_no_better(report: Report) -> None:
    recalls = [Recalls(32, 0.5, 0.4), Recalls(64, 0.75, 0.75), Recalls(128, 0.9, 0.95)]
    text = Reader(page(replace(report, recalls=recalls))).text
    assert "At 32 products it is worse (4.00 against 5.00), and at 64 what differs may be chance." in text
    assert "It misses 50% fewer." in text
    worse = Reader(page(replace(report, recalls=[replace(recalls[0], budget=at) for at in (32, 64, 128)]))).text
    assert "The learned search finds 4.00 of the 10 true answers, the unlearned 5.00." in worse
    assert "fewer." not in worse
    assert "better at every" not in worse


def test_it_says_that_nothing_was_learned(report: Report) -> None:
    text = Reader(page(replace(report, routed=False))).text
    assert "Training found nothing better than the plain search" in text
    assert "better at every" not in text


def test_it_does_without_log_and_examples(report: Report) -> None:
    read = Reader(page(replace(report, training=[], examples=[])))
    assert "No log of the training was given" in read.text
    assert "examples" not in [attributes.get("id") for attributes in read.all("section")]


def test_the_same_report_is_the_same_page(report: Report, text: str) -> None:
    assert page(report) == text


def test_a_failure_leaves_the_old_page(report: Report, tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    path.write_text("old")
    with pytest.raises(AttributeError):
        write_report(replace(report, graph=None), path)  # type: ignore[arg-type]
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_the_overview_is_one_picture(report: Report, tmp_path: Path) -> None:
    write_overview(report, tmp_path / "overview.svg")
    text = (tmp_path / "overview.svg").read_text(encoding="utf-8")
    root = ElementTree.fromstring(text)  # an SVG by itself has to be XML
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert f"sees {report.pictures[0].seen('learned')} of 10" in "".join(root.itertext())
    assert f"{report.recalls[-1].learned:.3f}" in root.attrib["aria-label"]
    assert HOSTILE not in "".join(root.itertext())
    assert len(text) < 200_000
    assert re.search(r"(?:href|src)=|url\(|@import|data-", text) is None
