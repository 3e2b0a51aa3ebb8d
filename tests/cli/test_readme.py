"""The front of the house: README is short, its links lead somewhere, its pictures are there and ask nobody
for anything, and its five lines lead to a fight on the page."""

from __future__ import annotations

import re
import shlex
import threading
from pathlib import Path

import httpx
import pytest
from support.cli import Strike
from support.documents import ROOT, examples_in

from strike_cli.systems.campaign.commands import table
from website.terminal import Shot, moving, still

README = (ROOT / "README.md").read_text(encoding="utf-8")
FRONT = ("README.md", "CONTRIBUTING.md", "SECURITY.md")
IN_THE_FIGHT = ("The Ford at Dusk", 10)
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
            assert "//" not in svg and "url(" not in svg and "@import" not in svg


def test_five_lines_lead_to_a_fight_on_the_page(
    strike: Strike, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As they stand in README; the first installs, and the last serves the page that is looked at here."""
    lines = [each.typed for each in examples_in(README) if "installs" in each.unplayed]
    assert (
        len(lines) == 5
        and "install" in lines[0]
        and shlex.split(lines[4], comments=True) == ["strike", "table"]
    )
    seen: list[tuple[str, int]] = []

    def look(running: table.Running, also: threading.Event | None = None) -> None:
        """Until everybody is on the page, or it has been too long."""
        for _ in range(1000):
            state = httpx.get(f"{running.url}/api/v1/state").json()
            seen.append((state["scene"]["name"] if state["scene"] else "", len(state["tokens"])))
            if seen[-1] == IN_THE_FIGHT:
                return
            threading.Event().wait(0.02)

    monkeypatch.setattr(table.Running, "wait", look)
    monkeypatch.chdir(tmp_path)
    for line in lines[1:]:
        words = shlex.split(line, comments=True)
        if words[0] == "cd":
            monkeypatch.chdir(words[1])
        else:
            strike(shlex.join([*words[1:], *(["--port", "0"] if words[1] == "table" else [])]))
    assert seen[-1] == IN_THE_FIGHT


# How pictures are drawn


def test_a_screen_is_drawn_as_it_is() -> None:
    svg = still("\x1b[1;31mout\x1b[0m of <it>\n  \x1b[7mhere\x1b[0m", "a title")
    assert ">out</text>" in svg and ">of &lt;it&gt;</text>" in svg and "font-weight:bold" in svg
    assert svg.count("<rect") == 2  # the paper, and what is reversed
    assert "animation" not in svg


def test_rows_that_stay_are_drawn_once() -> None:
    """A row is shown for as long as it stood there; whoever wants no movement sees the last screen."""
    svg = moving([Shot("same\none", 1), Shot("same\ntwo", 3)], "a title")
    assert svg.count(">same</text>") == 1
    assert svg.index(">one</text>") < svg.index(">two</text>")
    assert "25%{visibility:visible}" in svg and "25%{visibility:hidden}" in svg
    assert "prefers-reduced-motion" in svg
