"""The page as Chromium shows it: at a desk, on a phone, in the dark, by mouse, keyboard and touch."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from browser import Browser, Page

from waypost.report import Report

TIP = "(document.getElementById('tip').hidden ? null : document.getElementById('tip').textContent)"
SHOWN = "document.querySelector('figure.search:not([hidden])')"


@pytest.fixture(scope="module")
def desk(browser: Browser, page_file: Path) -> Iterator[Page]:
    with browser.open(page_file) as page:
        yield page


@pytest.fixture(scope="module")
def phone(browser: Browser, page_file: Path) -> Iterator[Page]:
    with browser.open(page_file, 360, 740, phone=True) as page:
        yield page


def centre_of_visit(page: Page, which: str, visit: int) -> tuple[float, float]:
    """Brings a visited vertex into view and says where it is."""
    mark = f"{SHOWN}.querySelector('svg.{which} [data-tip][data-v=\"{visit}\"]')"
    page.run(f"{mark}.scrollIntoView({{block: 'center', behavior: 'instant'}})")
    page.run("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    x, y = page.run(
        f"(() => {{ const b = {mark}.getBoundingClientRect(); return [b.x + b.width/2, b.y + b.height/2] }})()"
    )
    return x, y


def tip_of_visit(report: Report, which: str, visit: int) -> tuple[str, str, str]:
    picture = report.pictures[0]
    sight = getattr(picture, which)[visit]
    spot = picture.spots[sight.spot]
    return spot.name, f"score {spot.score:.3f}", f"step {sight.step}"


def test_it_renders(desk: Page, report: Report) -> None:
    assert desk.run("document.querySelector('h1').textContent") == report.title
    assert desk.run("[...document.querySelectorAll('section')].every((one) => one.offsetHeight > 100)")
    sizes = desk.run(
        "[...document.querySelectorAll('svg')].filter((svg) => svg.checkVisibility())"
        ".map((svg) => { const b = svg.getBoundingClientRect(); return Math.min(b.width, b.height) })"
    )
    assert len(sizes) >= 8
    assert min(sizes) > 150


def test_the_console_is_silent_and_nothing_is_fetched(browser: Browser, page_file: Path) -> None:
    with browser.open(page_file) as page:
        page.run("document.querySelector('.play').click()")
        page.run("new Promise((done) => setTimeout(done, 300))")
        assert page.complaints == []
        assert [url for url in page.fetched if not url.startswith("data:")] == [page_file.as_uri()]


def test_the_console_would_be_heard(browser: Browser, tmp_path: Path) -> None:
    broken = tmp_path / "broken.html"
    broken.write_text("<!doctype html><title>x</title><script>nothing()</script>")
    with browser.open(broken) as page:
        assert any("nothing is not defined" in one for one in page.complaints)


@pytest.mark.parametrize("which", ["unlearned", "learned"])
def test_hovering_names_the_item(desk: Page, report: Report, which: str) -> None:
    for visit in (0, 7, len(getattr(report.pictures[0], which)) - 1):
        desk.point_at(*centre_of_visit(desk, which, visit))
        tip = desk.run(TIP)
        for part in tip_of_visit(report, which, visit)[:2]:
            assert part in tip
    assert f"step {getattr(report.pictures[0], which)[-1].step}" in tip
    desk.point_at(2, 2)
    assert desk.run(TIP) is None


def test_the_arrow_keys_name_the_items(desk: Page, report: Report) -> None:
    desk.run(f"{SHOWN}.querySelector('svg.learned').focus()")
    desk.press("End")
    assert all(part in desk.run(TIP) for part in tip_of_visit(report, "learned", -1))
    last = desk.run(TIP)
    desk.press("ArrowLeft")
    assert desk.run(TIP) not in (None, last)
    desk.press("ArrowRight")
    assert desk.run(TIP) == last
    desk.press("Escape")
    assert desk.run(TIP) is None


def test_touching_names_the_item(phone: Page, report: Report) -> None:
    phone.touch(*centre_of_visit(phone, "learned", 5))
    name, score, _ = tip_of_visit(report, "learned", 5)
    assert name in phone.run(TIP)
    assert score in phone.run(TIP)
    left, right = phone.run("(() => { const b = tip.getBoundingClientRect(); return [b.left, b.right] })()")
    assert left >= 0
    assert right <= 360


def test_a_search_can_be_taken_back(desk: Page, report: Report) -> None:
    picture = report.pictures[0]
    for spent in (1, 20, picture.budget):
        desk.run(
            f"(() => {{ const slider = {SHOWN}.querySelector('input'); slider.value = {spent};"
            "slider.dispatchEvent(new Event('input')) })()"
        )
        for which in ("unlearned", "learned"):
            visited = getattr(picture, which)[:spent]
            true = sum(picture.spots[sight.spot].true_rank is not None for sight in visited)
            side = f"{SHOWN}.querySelector('.walks > .{which}')"
            assert desk.run(f"{side}.querySelectorAll('[data-tip][data-v]:not(.later)').length") == len(visited)
            assert desk.run(f"{side}.querySelector('.seen').textContent") == str(true)
            assert desk.run(f"{side}.querySelectorAll('li:not(.missed)').length") == true


def test_one_of_the_searches_is_chosen(desk: Page, report: Report) -> None:
    assert desk.run("document.querySelectorAll('figure.search:not([hidden])').length") == 1
    desk.run("document.querySelector('.choices').lastElementChild.click()")
    assert desk.run("[...document.querySelectorAll('figure.search')].findIndex((one) => !one.hidden)") == (
        len(report.pictures) - 1
    )
    desk.run("document.querySelector('.choices').firstElementChild.click()")


def test_a_phone_need_not_scroll_sideways(browser: Browser, page_file: Path) -> None:
    for width in (320, 360, 412):
        with browser.open(page_file, width, 740, phone=True) as page:
            page.run("document.querySelectorAll('details').forEach((one) => (one.open = true))")
            assert page.run("document.documentElement.scrollWidth") <= width
            sticking_out = page.run(
                "[...document.querySelectorAll('main *')].filter((one) => !one.closest('.wide, .aloud, svg') && "
                f"one.getBoundingClientRect().right > {width} + 0.5).map((one) => one.outerHTML.slice(0, 80))"
            )
            assert sticking_out == []


def test_text_can_be_read_on_a_phone(phone: Page) -> None:
    smallest = phone.run(
        "Math.min(...[...document.querySelectorAll('svg.chart text')].map((text) =>"
        "parseFloat(getComputedStyle(text).fontSize) * text.ownerSVGElement.getScreenCTM().a))"
    )
    assert smallest >= 9.5
    heights = phone.run(
        "[...document.querySelectorAll('button')].filter((one) => one.checkVisibility()).map((one) => one.offsetHeight)"
    )
    assert min(heights) >= 40


CONTRAST = """(() => {
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const rgb = (colour) => {
    canvas.clearRect(0, 0, 1, 1); canvas.fillStyle = colour; canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data];
  };
  const light = (colour) => rgb(colour).slice(0, 3).map((part) => part / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
    .reduce((sum, part, at) => sum + part * [0.2126, 0.7152, 0.0722][at], 0);
  const behind = (node) => {
    for (; node; node = node.parentElement) {
      const colour = getComputedStyle(node).backgroundColor;
      if (rgb(colour)[3] === 255) return colour;
    }
    return "white";
  };
  const texts = [...document.querySelectorAll("body *")].filter((node) => node.checkVisibility() &&
    [...node.childNodes].some((child) => child.nodeType === 3 && child.textContent.trim()));
  return texts.map((node) => {
    const style = getComputedStyle(node);
    const pair = [light(node.closest("svg") ? style.fill : style.color), light(behind(node))].sort((a, b) => b - a);
    return [(pair[0] + 0.05) / (pair[1] + 0.05), node.outerHTML.slice(0, 80)];
  }).filter((one) => one[0] < 4.5);
})()"""


@pytest.mark.parametrize("dark", [False, True])
def test_all_text_stands_out(browser: Browser, page_file: Path, dark: bool) -> None:
    with browser.open(page_file, dark=dark) as page:
        assert page.run(CONTRAST) == []
        background = page.run("getComputedStyle(document.body).backgroundColor")
        parts = [int(part) for part in background.strip("rgb()").split(",")]
        assert max(parts) < 40 if dark else min(parts) > 230
