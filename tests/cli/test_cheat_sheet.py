"""`strike cheat`: one page, and nothing on it that strike doesn't know."""

from __future__ import annotations

import re
import shlex
import sys
from pathlib import Path

import pytest
import typer
from support.cases import case
from support.cli import Strike

from strike_cli import registry
from strike_cli.cli.app import root_command
from strike_cli.session.command_catalogue import find_command_and_name_in_line

GAMES = [name for name, known in registry.known_systems().items() if known.scene]


@pytest.mark.slow
def test_it_fits_a_terminal(in_campaign: Strike) -> None:
    lines = in_campaign("cheat").out.splitlines()
    assert max(map(len, lines)) <= 80
    for said in ("Fights", "Team Conflicts", "Chases", "In every scene", "Dice on your table"):
        assert said in lines
    assert any(re.match(r"a attack \[WHO\] TARGET\.\.\.  +\w", line) for line in lines)
    assert not any(re.match("Fights by", line) for line in lines)


def test_it_has_the_games_that_are_played_or_named(strike: Strike, tmp_path: Path) -> None:
    strike(f"new {tmp_path / 'stair'} --system grit")

    def titles(line: str) -> set[str]:
        return {part["title"] for part in strike.json(f"-C {tmp_path / 'stair'} {line}")["data"]["parts"]}

    assert "Fights by Grit" in titles("cheat") and "Fights" not in titles("cheat")
    assert {"Fights", "Chases"} <= titles("cheat combat chase") and "Fights by Grit" not in titles(
        "cheat combat"
    )
    assert "Did you mean 'combat'" in strike("cheat kombat", 2).err


def test_its_aliases_are_the_campaigns(in_campaign: Strike) -> None:
    file = Path("campaign.toml")
    file.write_text(f'aliases = {{ look = "roll skill {{1}} Watching" }}\n{file.read_text()}')
    lines = in_campaign("cheat").out.splitlines()
    assert "look  stands for: roll skill {1} Watching" in lines


@pytest.mark.slow
def test_every_command_on_it_exists_and_its_example_is_read(strike: Strike) -> None:
    """Whatever may be typed has an example; that of a scene's verb is of a command of this name."""
    parts = strike.json(f"cheat {' '.join(GAMES)}")["data"]["parts"]
    rows = [(part["title"], line) for part in parts for line in part["lines"] if line["example"]]
    assert len(rows) > 150
    for title, line in rows:
        with case(title, line):
            found, path = find_command_and_name_in_line(shlex.split(line["example"]))
            rest = shlex.split(line["example"])[len(path) :]
            with typer.Context(root_command()) as root:
                found.make_context(" ".join(path), rest, parent=root)
            typed = line["typed"].split()[0]
            assert typed.startswith("-") or typed in path


@pytest.mark.parametrize(
    "games",
    ["karma", *(pytest.param(most, marks=pytest.mark.slow) for most in ("", "combat chase momentum"))],
)
def test_on_paper_it_is_one_page(in_campaign: Strike, games: str) -> None:
    in_campaign(f"cheat {games} --pdf --out sheet.pdf")
    page = Path("sheet.pdf").read_bytes()
    assert page.startswith(b"%PDF-") and len(re.findall(rb"/Type /Page\b", page)) == 1
    assert in_campaign.json(f"cheat {games} --pdf --out sheet.pdf")["data"]["file"] == "sheet.pdf"
    assert Path("sheet.pdf").read_bytes() == page


@pytest.mark.slow
def test_more_than_a_page_has_room_for_is_refused(in_campaign: Strike) -> None:
    said = in_campaign(f"cheat {' '.join(GAMES)} --pdf --out all.pdf", 1).err
    assert "strike cheat combat --pdf" in said and not Path("all.pdf").exists()


def test_a_page_of_somebody_elses_stays(in_campaign: Strike) -> None:
    Path("strike-cheat.pdf").write_bytes(b"%PDF-1.7 mine")
    in_campaign("cheat --pdf", 2)
    assert Path("strike-cheat.pdf").read_bytes() == b"%PDF-1.7 mine"


@pytest.mark.slow
def test_letters_that_the_font_lacks_are_named(in_campaign: Strike) -> None:
    file = Path("campaign.toml")
    file.write_text(re.sub("^name = .*", 'name = "Nächte 夜"', file.read_text(), count=1, flags=re.MULTILINE))
    said = in_campaign("cheat --pdf --out a.pdf")
    assert "lacks 夜" in said.err and "ä" not in said.err


def test_without_the_extra_it_says_what_to_install(
    in_campaign: Strike, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "reportlab.lib.pagesizes", None)
    assert 'pip install "strike-cli[pdf]"' in in_campaign("cheat --pdf", 3).err
