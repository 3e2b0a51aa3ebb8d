"""What the common form of a scene says that Strike!'s own systems have no use for: sides that act together,
meters that are dice."""

from __future__ import annotations

from support.cases import case

from strike_cli.kernel.statements import ENGLISH
from strike_cli.tabletop.dice import ADVANTAGE, BestOfMixedDice, Rolled
from strike_cli.tabletop.scene import Board, Meter, Status, read_scene, read_zone, word_for_visible_state
from strike_cli.terminal.command_output import blocks_as_unwrapped_text, reason_and_full_roll_lines
from strike_cli.terminal.scene_view import map_or_other_scene_blocks
from strike_cli.visibility.hidden_name_search import make_hidden_name_search

SIDES = {
    "name": "The Yard",
    "round": 2,
    "turns": "sides",
    "active": "party",
    "people": {
        "ana": {"name": "Ana", "side": "party", "acted": 2, "str": 6, "most": 8},
        "bo": {"name": "Bo", "side": "party", "acted": 1, "str": 0, "most": 8},
        "ogre": {"name": "Ogre", "side": "enemies"},
    },
    "meters": {"str": {"name": "STR", "max": "most", "sign": "d"}},
}


def test_sides_say_who_has_acted() -> None:
    """The sides come first, then everybody with how they stand."""
    order = read_scene("yard", "yard", SIDES).order
    assert order is not None
    states = {entry.who: entry.state for entry in order.entries}
    assert list(states) == ["party", "enemies", "ana", "bo", "ogre"]
    assert (states["party"], states["enemies"]) == ("acting", "waiting")
    assert (states["ana"], states["bo"]) == ("acted", "waiting")
    assert order.next == ("enemies",)


def test_below_a_map_stands_who_may_act() -> None:
    """The list beside a map has no turns in it."""
    scene = read_scene("yard", "yard", {**SIDES, "map": {"rows": ["..."]}})
    text = blocks_as_unwrapped_text(map_or_other_scene_blocks(scene))
    assert "To act: Bo\nActed: Ana\n" in text
    assert "Ogre" not in text.partition("To act")[2]


def test_a_zone_says_what_is_so_in_it() -> None:
    """All of it in words, and what matters most of it."""
    for zone, kind, does in (
        ({"damage": 2, "difficult": True}, "hazard", ("2 damage", "difficult")),
        ({"difficult": True, "cover": True}, "difficult", ("difficult", "cover")),
        ({"sight": "dark", "damage": 1}, "dark", ("1 damage", "completely obscured")),
        ({"sight": "obscured", "cover": True}, "obscured", ("obscured", "cover")),
        ({"blocks": True, "cover": True}, "wall", ("a wall", "cover")),
        ({"cover": True}, "cover", ("cover",)),
        ({}, "", ()),
    ):
        with case(zone, kind, does):
            read = read_zone("mill", zone)
            assert (read.kind, read.does) == (kind, does)


def test_a_meter_may_be_a_die() -> None:
    assert str(Meter("str", "STR", 6, 8, sign="d")) == "d6/d8"
    assert str(Meter("str", "STR", 0, 8, sign="d")) == "0/d8"
    assert str(Meter("hp", "HP", 4, 10)) == "4/10"
    assert str(Meter("strikes", "Strikes", 3)) == "3"
    assert "d6/d8" in blocks_as_unwrapped_text(map_or_other_scene_blocks(read_scene("yard", "yard", SIDES)))


def test_not_every_meter_is_about_life() -> None:
    """At 0 of it nobody is down, and at half of it nobody Bloodied."""
    hp, grit = Meter("hp", "HP", 0, 10), Meter("grit", "Grit", 0, 10, vital=False)
    assert (word_for_visible_state(hp), word_for_visible_state(grit)) == ("down", "hurt")
    assert (
        word_for_visible_state(hp._replace(value=10)),
        word_for_visible_state(grit._replace(value=10)),
    ) == ("unhurt", "unhurt")


def test_bloodied_is_of_games_that_say_when() -> None:
    hp = Meter("hp", "HP", 5, 10)
    assert (word_for_visible_state(hp), word_for_visible_state(hp._replace(low=5))) == (
        "badly hurt",
        "bloodied",
    )
    assert (
        word_for_visible_state(hp._replace(value=6)),
        word_for_visible_state(hp._replace(value=6, low=5)),
    ) == ("hurt", "hurt")


def test_who_is_in_sight_gives_nobody_away() -> None:
    """Pit Moth Linden may be spoken of while Pit Moth is hidden."""
    kept = make_hidden_name_search({"moth": "Pit Moth"}, {}, ["Pit Moth Linden", "Sam"])
    assert not kept.finds_in("Pit Moth Linden attacks Sam.")
    assert kept.finds_in("Pit Moth Linden and Pit Moth.")
    assert kept.finds_in("Pit Moths, everywhere.")


def test_who_is_down_may_be_something_else() -> None:
    """Incapacitated unless it is said, once where a status says it, too."""
    scene = read_scene("yard", "yard", SIDES)
    asleep = scene.people["bo"]._replace(state="down", down="asleep")
    for statuses in ((), (Status("asleep", "Asleep"),)):
        people = {**scene.people, "bo": asleep._replace(statuses=statuses)}
        for shown in (scene, scene._replace(board=Board(("...",)))):
            text = blocks_as_unwrapped_text(map_or_other_scene_blocks(shown._replace(people=people)))
            assert text.lower().count("asleep") == 1
            assert "Incapacitated" not in text


def test_a_roll_of_different_dice_says_which() -> None:
    rolled = BestOfMixedDice("ana", "damage", [3, 10], (6, 12), ADVANTAGE).as_json()
    assert rolled["dice"] == [6, 12]
    assert "damage: d6 + d12 advantage, faces 3, 10, kept 10" in blocks_as_unwrapped_text(
        reason_and_full_roll_lines(rolled, ENGLISH)
    )
    assert "dice" not in Rolled("ana", "damage", [3]).as_json()
