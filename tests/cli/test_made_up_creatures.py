"""Creatures and fights made up in play: names that are in no file join, fight, are kept."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.cases import case
from support.cli import Strike
from support.edits import replace_in
from support.thorough import few_of

from strike_cli.campaign import Campaign
from strike_cli.campaign.create import create_campaign_folder
from strike_cli.kernel.state_changes import look_up


def state_of(folder: Path) -> dict[str, object]:
    with Campaign(folder) as campaign:
        return dict(campaign.state)


GAMES = {
    "grit": ("grit.people", {"str": 6, "dex": 6, "wil": 6}, "rat:2"),
    "karma": ("karma.people", {"pool": 2}, "rat:2"),
    "momentum": ("momentum.people", {"vitality": 10}, "rat:2"),
}
"""Where people stand, what a creature has that nothing is said of, and who joins."""


@pytest.mark.slow
@pytest.mark.parametrize("game", few_of(["", *GAMES]))
def test_a_fight_begins_from_nothing_in_every_game(game: str, strike: Strike, tmp_path: Path) -> None:
    """With the numbers of `creature add`; one undo takes all of it back, and it replays."""
    folder = tmp_path / "there"
    strike(f"new {folder} {f'--system {game}' if game else ''}")
    path, numbers, more = GAMES.get(game, ("fight.combatants", {"hp": 10}, "rat:2"))
    before = state_of(folder)
    strike(f"-C {folder} fight stoker:2", None)
    strike(f"-C {folder} choose 1", None)  # of Karma: who has the first initiative
    people = look_up(state_of(folder), path, {})
    for who in ("stoker-1", "stoker-2"):
        assert people[who] | numbers == people[who]
    strike(f"-C {folder} {game or 'combat'} join {more} --new")
    assert "rat-2" in look_up(state_of(folder), path, {})
    strike(f"-C {folder} replay --verify")
    strike(f"-C {folder} doctor")
    strike(f"-C {folder} undo {2 if game != 'karma' else 3}")
    assert state_of(folder) == before


def test_a_fight_wants_somebody_of_the_party(strike: Strike, tmp_path: Path) -> None:
    """It was lost at its first turn; following the refusal leads to a fight."""
    folder = tmp_path / "empty"
    strike(f"new {folder} --empty")
    assert "`strike character add NAME`" in strike(f"-C {folder} fight stoker", 1).err
    strike(f"-C {folder} character add Vex")
    strike(f"-C {folder} fight stoker")


LINES: tuple[tuple[str, int, str], ...] = (
    ("fight gobln", 2, "Did you mean 'Goblin'"),
    ("fight gobln --new --dry-run", 0, "Gobln begins"),
    ("fight vex gobln --new --dry-run", 0, "Made up: Gobln."),
    ("fight the goblin --dry-run", 0, "Goblin begins"),
    ("fight the", 2, "no character or creature 'the'"),
    ("fight the stoker --new", 2, "'the' is not a name"),
    ("fight goblin --new --dry-run", 0, "Made up: Goblin."),
    ("fight ring vex odo stoker:3 --dry-run", 0, "The Ring begins"),
    ("fight goblin --hp 3", 2, "goblin has a sheet"),
    ("fight stoker --hp many", 2, "--hp 'many'"),
    ("fight stoker --map 3x3", 2, "from 4 to 60"),
    ("fight stoker --system chess", 2, "--system combat"),
    ("fight stoker --like goblin --hp 2", 2, "leave out --hp"),
    ("fight vex stoker --map 20x12 --dry-run", 0, "Stoker"),
    ("creature keep stoker", 2, "made up in play"),
)


def test_each_word_of_a_fight_is_what_it_says(in_campaign: Strike) -> None:
    """An encounter, then a creature or character, then somebody new; a near miss is a typo."""
    for line, code, says in LINES:
        with case(line):
            ran = in_campaign(line, code)
            assert says in ran.out + ran.err


def test_numbers_may_be_said_or_be_anothers(in_campaign: Strike, folder: Path) -> None:
    in_campaign("fight boss:1 --tier elite")
    in_campaign("combat join stoker:2 --hp 6 --damage 3")
    in_campaign("combat join mate --like goblin")
    with Campaign(folder) as campaign:
        made = campaign.book.creatures
        assert (made["stoker"]["hp"], made["stoker"]["melee"]) == (6, {"damage": 3, "reach": 1})
        assert {**made["mate"], "name": ""} == {**made["goblin"], "name": ""}
        assert campaign.book.where["creatures.stoker"] == "made up in play"
    in_campaign("undo 3")
    with Campaign(folder) as campaign:
        assert "stoker" not in campaign.book.creatures


def test_what_is_kept_plays_from_the_next_scene_on(in_campaign: Strike, folder: Path) -> None:
    """`creature keep` writes the numbers that they have; the file counts once their scene is over."""
    in_campaign("fight stoker --tier goon")
    with Campaign(folder) as campaign:
        made = campaign.book.creatures["stoker"]
    in_campaign("creature keep stoker")
    replace_in(folder / "content" / "creature-stoker.toml", "speed = 6", "speed = 4")
    with Campaign(folder) as campaign:
        assert campaign.book.creatures["stoker"] == made
    in_campaign("combat abandon")
    assert not any("made-up" in step for step in in_campaign.json("next")["data"]["next"])
    with Campaign(folder) as campaign:
        assert campaign.book.creatures["stoker"] == {**made, "speed": 4}
    assert "exists already" in in_campaign("creature keep stoker", 1).err


def test_players_hear_nothing_of_the_numbers(in_campaign: Strike, folder: Path) -> None:
    """What is made up is told the game master alone, and no open decision minds it."""
    in_campaign("roll skill vex Climbing --dice 2", None)  # a Cost to choose, it may be
    in_campaign("fight stoker:2 --summary secretive")
    assert "Made up: Stoker." in in_campaign("log").out
    told = in_campaign("log --player").out
    assert "begins" in told
    assert "Made up" not in told


WOLF = '[creatures.wolf]\nname = "Wolf"\nhp = {hp}\n'


@pytest.mark.slow
@pytest.mark.parametrize("fault", ["<<<<<<< HEAD\n", 'colour = "grey"\n'], ids=["set aside", "not in effect"])
@pytest.mark.parametrize("line", few_of(["combat join wolf", "fight wolf", "roll wolf howling"]))
def test_nobody_is_made_up_who_may_be_in_a_file_with_a_fault(
    line: str, fault: str, tmp_path: Path, strike: Strike
) -> None:
    folder = tmp_path / "road"
    create_campaign_folder(folder, seed=3)
    replace_in(folder / "campaign.toml", '["strike:*.toml"]', '["strike:*.toml", "more/*.toml"]')
    (folder / "more").mkdir()
    if "join" in line:
        strike(f"-C {folder} combat start ford")
    else:
        strike(f"-C {folder} note begun")
    (folder / "more" / "wolf.toml").write_text(WOLF.format(hp=6) + fault, "utf-8")
    refused = strike(f"-C {folder} {line}", 2).err
    assert "wolf.toml" in refused and "--new" in refused
    assert strike(f"-C {folder} {line} --new", None).code in (0, 6)
    strike(f"-C {folder} undo")
    (folder / "more" / "wolf.toml").write_text(WOLF.format(hp=6), "utf-8")
    assert strike(f"-C {folder} {line}", None).err == ""
