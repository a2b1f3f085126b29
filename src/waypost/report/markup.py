"""HTML and SVG as strings that know whether they are markup: all other text is escaped on its way in."""

from __future__ import annotations

from html import escape
from importlib.resources import files

VOID = {"meta", "br", "hr", "input", "link"}
SHAPES = {"circle", "line", "path", "rect"}

Child = object


class Markup(str):
    """Text that is markup already."""

    __slots__ = ()


def element(tag: str, *children: Child, **attributes: object) -> Markup:
    """One element; a trailing `_` in an attribute's name is dropped, another one is a dash, and None leaves it out.

    >>> element("p", "1 < 2", element("b", "x"), class_="note", data_tip='"hi"', hidden=None)
    '<p class="note" data-tip="&quot;hi&quot;">1 &lt; 2<b>x</b></p>'
    """
    head = "".join([tag, *(_attribute(name, value) for name, value in attributes.items())])
    if tag in VOID:
        return Markup(f"<{head}>")
    if tag in SHAPES and not children:
        return Markup(f"<{head}/>")
    return Markup(f"<{head}>{joined(*children)}</{tag}>")


def joined(*children: Child) -> Markup:
    """Children after each other, what is not markup escaped; None is nothing, and lists are opened.

    >>> joined("a & b", None, [element("i", "c")])
    'a &amp; b<i>c</i>'
    """
    return Markup("".join(_text(child) for child in children))


def part(name: str) -> Markup:
    """A style sheet or script that lies beside this file.

    >>> "--ink" in part("colours.css")
    True
    """
    return Markup(files("waypost.report").joinpath(name).read_text(encoding="utf-8"))


def _text(child: Child) -> str:
    if child is None:
        return ""
    if isinstance(child, Markup):
        return child
    if isinstance(child, (list, tuple)):
        return joined(*child)
    return escape(_number(child), quote=False)


def _attribute(name: str, value: object) -> str:
    if value is None or value is False:
        return ""
    name = name.rstrip("_").replace("_", "-")
    return f" {name}" if value is True else f' {name}="{escape(_number(value))}"'


def _number(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.2f}".rstrip("0").rstrip(".")
    return str(value)
