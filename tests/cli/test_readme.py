"""The front of the house: README is short, its links lead somewhere, its pictures are there and ask nobody
for anything. What it says of installing is typed in tests/test_installing.py."""

from __future__ import annotations

import re

import pytest
from support.documents import ROOT

from website.terminal_pictures import Shot, animated_svg, still_svg

README = (ROOT / "README.md").read_text(encoding="utf-8")
FRONT = ("README.md", "CONTRIBUTING.md", "SECURITY.md")
PICTURES = sorted((ROOT / "docs" / "pictures").iterdir())


def test_it_is_short() -> None:
    assert README.count("\n") < 150


@pytest.mark.parametrize("name", FRONT)
def test_links_lead_somewhere(name: str) -> None:
    page = ROOT / name
    links = re.findall(r"\]\(([^)#\s]+)[^)]*\)", page.read_text(encoding="utf-8"))
    assert links
    assert [link for link in links if "://" not in link and not (page.parent / link).exists()] == []


def test_pictures_are_small_and_ask_nobody_for_anything() -> None:
    assert {picture.name for picture in PICTURES} >= {"evening.svg", "table.webp", "terminal.svg"}
    for picture in PICTURES:
        assert picture.stat().st_size < 300_000, picture
        if picture.suffix == ".svg":
            svg = picture.read_text(encoding="utf-8").replace("http://www.w3.org/2000/svg", "")
            svg = re.sub(r"(<text[^>]*>)[^<]*", r"\1", svg)  # a terminal may show an address
            assert "//" not in svg and "url(" not in svg and "@import" not in svg


# How pictures are drawn


def test_a_screen_is_drawn_as_it_is() -> None:
    svg = still_svg("\x1b[1;31mout\x1b[0m of <it>\n  \x1b[7mhere\x1b[0m", "a title")
    assert ">out</text>" in svg and ">of &lt;it&gt;</text>" in svg and "font-weight:bold" in svg
    assert svg.count("<rect") == 2  # the paper, and what is reversed
    assert "animation" not in svg


def test_rows_that_stay_are_drawn_once() -> None:
    """A row is shown for as long as it stood there; whoever wants no movement sees the last screen."""
    svg = animated_svg([Shot("same\none", 1), Shot("same\ntwo", 3)], "a title")
    assert svg.count(">same</text>") == 1
    assert svg.index(">one</text>") < svg.index(">two</text>")
    assert "25%{visibility:visible}" in svg and "25%{visibility:hidden}" in svg
    assert "prefers-reduced-motion" in svg
