"""`character add` and `creature add`: the sheet is that of the campaign's game, by options or asked for."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from cli.conftest import Typed
from support.cli import Strike
from support.edits import replace_in

from strike_cli.content.merged_content import open_book

HEAD = 'schema = 1\nplugins = ["{0}"]\nsystems = {1}\ninclude = {2}\n'
ARMORY = {"grit": '["grit:armory.toml"]', "momentum": '["momentum:armory.toml"]', "karma": "[]"}


@pytest.fixture
def game(strike: Strike, tmp_path: Path, request: pytest.FixtureRequest) -> Strike:
    """The command line in an empty campaign of a game."""
    name = request.param
    (tmp_path / "campaign.toml").write_text(HEAD.format(name, f'["{name}"]', ARMORY[name]), encoding="utf-8")
    return strike


def in_game(name: str) -> Any:
    return pytest.mark.parametrize("game", [name], indirect=True)


@in_game("grit")
def test_a_sheet_of_grit_by_options(game: Strike) -> None:
    game("character add tilda --name Tilda --dex d10 --weapons sling,maul --armor quilted-coat,buckler")
    sheet = open_book(Path.cwd()).characters["tilda"]["grit"]
    assert (sheet["str"], sheet["dex"], sheet["armor"], list(sheet["weapons"])) == (
        "d8",
        "d10",
        2,
        ["sling", "maul"],
    )
    game("creature add 'Salt Dog' --weapons bite")
    assert open_book(Path.cwd()).creatures["salt-dog"]["grit"]["str"] == "d6"


@in_game("momentum")
def test_a_sheet_of_momentum_by_options(game: Strike) -> None:
    options = "--stats 'dex 14, wil 12' --skills 'street smarts 2' --abilities blink,spark"
    game(f"character add tilda --name Tilda {options}")
    sheet = open_book(Path.cwd()).characters["tilda"]["momentum"]
    assert (sheet["stats"], sheet["skills"]) == ({"dex": 14, "wil": 12}, {"street-smarts": 2})
    assert list(sheet["abilities"]) == ["blink", "spark"]
    refused = game("creature add Rat --stats 'luck 14'", 2).err
    assert "--stats" in refused
    assert not (Path.cwd() / "content" / "creature-rat.toml").exists()


@in_game("karma")
def test_a_sheet_of_karma_is_asked_for(game: Strike, at_terminal: Typed) -> None:
    """An answer that can't be read is asked for anew; Enter takes what stands in brackets."""
    asked = at_terminal("Tilda", "Ida", "", "9", "2", "", "harpooner", "d8 Harpooner", "none")
    said = game("character add tilda --guided").out
    assert len(asked) == 9
    assert "It should be a die and its name" in said
    sheet = open_book(Path.cwd()).characters["tilda"]
    assert (sheet["player"], sheet["karma"]["hero"], sheet["karma"]["luck"]) == ("Ida", 2, "d8")
    assert sheet["karma"]["trope"] == {"die": "d8", "what": "Harpooner"}
    assert "trademark" not in sheet["karma"]


@in_game("grit")
@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("character add new --name X --skill Hiding", "skills: only Strike!'s sheets have that"),
        ("creature add X --tier goon", "--tier: that belongs to another game"),
        ("character add new --name X --system gritt", "no sheet of 'gritt'. Did you mean 'grit'"),
        ("character add new --name X --weapons nixx", "no grit weapon 'nixx'"),
        ("character add new --name X --str d7", "--str 'd7': it should be"),
    ],
)
def test_what_is_no_part_of_the_sheet_is_refused(game: Strike, line: str, says: str) -> None:
    """And nothing is written."""
    refused = game(line, None)
    assert refused.code in (2, 3)
    assert says in refused.err
    assert not (Path.cwd() / "content").exists() or not list((Path.cwd() / "content").iterdir())


def test_of_several_games_one_is_asked_for(strike: Strike, tmp_path: Path, at_terminal: Typed) -> None:
    """What was typed may say which; a script that says nothing has Strike!'s, as ever."""
    (tmp_path / "campaign.toml").write_text(
        HEAD.format("grit", '["core", "combat", "grit"]', "[]"), encoding="utf-8"
    )
    strike("character add one --name One")
    strike("character add two --name Two --wil d12")
    strike("character add three --name Three --system grit")
    asked = at_terminal("grit", *[""] * 8)
    strike("character add four --guided --name Four")
    assert len(asked) == 9
    sheets = open_book(tmp_path).characters
    assert [id for id, sheet in sheets.items() if "grit" in sheet] == ["four", "three", "two"]


def test_strikes_own_sheet_with_class_and_role(in_campaign: Strike, folder: Path, at_terminal: Typed) -> None:
    """A class and a role of the book bring their powers of level 1."""
    replace_in(folder / "campaign.toml", "seed = 20", 'seed = 20\ninclude = ["strike:archetypes.toml"]')
    answers = (
        "Climbing, Hiding",
        "Never seen",
        "",
        "",
        "rope",
        "",
        "2",
        "duelst",
        "duelist",
        "lead",
        "hold-them",
    )
    asked = at_terminal("Ida", "A lamplighter", *answers)
    said = in_campaign("character add tilda --guided --name Tilda").out
    assert len(asked) == 13
    assert "Did you mean 'duelist'" in " ".join(said.split())
    sheet = open_book(folder).characters["tilda"]
    assert (sheet["skills"], sheet["wealth"], sheet["role"]) == (["Climbing", "Hiding"], 2, "leader")
    assert sheet["powers"] == ["quick-cut", "riposte", "kind-word", "hold-them"]


def test_questions_want_a_terminal(in_campaign: Strike) -> None:
    assert "at a terminal" in in_campaign("character add tilda --guided", 2).err
