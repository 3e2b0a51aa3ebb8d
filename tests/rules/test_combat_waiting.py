"""Delaying, preparing, joining and leaving (STR-TAC-05, 06, 15)."""

from __future__ import annotations

from typing import Any

import pytest
from support.cases import case
from support.game import Game, book_with, next_up

from strike_cli.content.merged_content import Book
from strike_cli.problems import Refused
from strike_cli.systems.combat.fight_state import Fight
from strike_cli.tabletop.grid import footprint

# --- delaying


def test_delaying_moves_ones_place(game: Game) -> None:
    """STR-TAC-06: act after any creature's turn; from then on that is the place in the order."""
    game.draw("V.B.g").begin("vex")
    assert game.play("combat delay", who="vex")["next"] == "goblin"
    assert game.of("vex", "delayed") is True
    game.next_turn()
    with pytest.raises(Refused, match="Goblin's turn"):
        game.play("combat resume", who="vex")
    game.play("combat end-turn")
    assert game.play("combat resume", who="vex")["order"] == ["goblin", "vex", "brann"]
    game.move("vex", "B1")
    game.play("combat end-turn")
    assert [game.next_turn()["who"] for _ in range(4)] == ["brann", "goblin", "vex", "brann"]


def test_between_delaying_and_acting_comes_a_turn(game: Game) -> None:
    """STR-TAC-06: of somebody else, whether one is first or last in the order."""
    game.draw("V.B.g").begin("vex")
    game.play("combat delay", who="vex")
    with pytest.raises(Refused, match="Nobody has had a turn since Vex delayed"):
        game.play("combat resume", who="vex")
    game.next_turn()
    game.play("combat end-turn")
    game.play("combat resume", who="vex")
    game.next_turn()
    game.play("combat delay", who="brann")
    with pytest.raises(Refused, match="Nobody has had a turn since Brann delayed"):
        game.play("combat resume", who="brann")
    assert game.next_turn()["round"] == 2
    game.play("combat end-turn")
    game.play("combat resume", who="brann")


def test_the_last_to_act_may_come_after_everybody(game: Game) -> None:
    """STR-TAC-06."""
    game.draw("V.B.g").begin("vex")
    game.play("combat delay", who="vex")
    game.next_turn()
    game.next_turn()
    game.play("combat end-turn")
    assert game.play("combat resume", who="vex")["order"] == ["goblin", "brann", "vex"]
    assert game.next_turn()["new_round"] is True


def test_a_delay_that_nobody_ends_is_a_turn_lost(game: Game) -> None:
    """STR-TAC-06: the next round's turn comes at the old place."""
    game.draw("V.B.g").begin("vex")
    game.play("combat delay", who="vex")
    game.next_turn()
    game.next_turn()
    data = game.next_turn()
    assert (data["who"], data["round"]) == ("vex", 2)
    game.play("combat end-turn")
    with pytest.raises(Refused, match="not delayed"):
        game.play("combat resume", who="vex")


def test_resuming_in_the_next_round_is_that_rounds_turn(game: Game) -> None:
    """STR-TAC-06: nobody has two turns in it."""
    game.draw("V.B.g").begin("vex")
    game.play("combat end-turn")
    game.play("combat turn")
    game.play("combat end-turn")
    game.play("combat delay", who="brann")
    assert game.next_turn()["round"] == 2
    game.play("combat end-turn")
    assert game.play("combat resume", who="brann")["order"] == ["vex", "brann", "goblin"]
    assert [game.next_turn()["who"] for _ in range(2)] == ["goblin", "vex"]


def test_what_a_delay_does_to_statuses(game: Game) -> None:
    """STR-TAC-06: beneficial ones that end on that turn are lost, harmful ones stay; no Saving Throw."""
    game.draw("V.B.g").begin("vex").afflict("vex", "guarded", "slowed", ends="this-turn")
    game.afflict("vex", "dazed", ends="save").afflict("vex", "invisible", ends="encounter")
    game.play("combat delay", who="vex")
    assert game.statuses("vex") == ["slowed", "dazed", "invisible"]
    game.next_turn()
    game.play("combat end-turn")
    game.play("combat resume", who="vex")
    assert len(game.play("combat end-turn", dice=[6])["saves"]) == 1
    assert game.statuses("vex") == ["invisible"]


def test_only_an_attack_or_a_move_is_prepared() -> None:
    """STR-TAC-05: a power that takes the Role Action is no Attack, though it is rolled."""
    jeer = '[powers.jeer]\nname = "Jeer"\naction = "role"\nrange = 5\ndamage = 1\n'
    game = Game(book_with(jeer, "vex")).draw("V.g").begin("vex")
    named = {"who": "vex", "trigger": "it moves", "do": "use", "then": "use jeer goblin"}
    with pytest.raises(Refused, match="Jeer takes no Attack or Move Action"):
        game.play("combat prepare", power="jeer", **named)
    game.play("combat prepare", who="vex", trigger="it moves", do="attack", then="attack goblin --power jeer")
    game.next_turn()
    args = {"targets": ["goblin"], "power": "jeer", "adv": [], "dis": [], "mods": []}
    with pytest.raises(Refused, match="Jeer takes no Attack or Move Action"):
        game.play("combat trigger", who="vex", do="attack", args=args)


def test_delaying_comes_first_and_begins_the_turn(game: Game) -> None:
    """STR-TAC-06, STR-TAC-03: start effects come before it, and only once."""
    game.draw("V.B.g").begin("vex").afflict("goblin", "ongoing", ends="save", value=1)
    game.play("combat end-turn")
    game.play("combat delay", who="goblin")
    assert game.of("goblin", "hp") == 3
    game.next_turn()
    game.play("combat end-turn")
    game.play("combat resume", who="goblin")
    assert game.of("goblin", "hp") == 3
    game.play("combat end-turn", dice=[6])
    game.next_turn()
    game.move("vex", "B1")
    with pytest.raises(Refused, match="begun to act"):
        game.play("combat delay", who="vex")


def test_the_stunned_dont_delay(game: Game) -> None:
    """STR-TAC-06, STR-TAC-25."""
    game.draw("V.g").begin("vex").afflict("vex", "stunned")
    with pytest.raises(Refused, match="Stunned"):
        game.play("combat delay", who="vex")


# --- preparing


def prepare(game: Game, who: str = "vex", do: str = "attack") -> None:
    game.play("combat prepare", who=who, trigger="it moves", do=do, then=do)


def attack_on(target: str) -> dict[str, Any]:
    return {"targets": [target], "power": "core:melee-basic", "adv": [], "dis": [], "mods": []}


def test_a_prepared_attack_goes_off_on_anothers_turn(game: Game) -> None:
    """STR-TAC-05: it takes the Attack Action now, and none of anybody's then."""
    game.draw("Vg..").begin("vex")
    prepare(game)
    with pytest.raises(Refused, match="Attack Action"):
        game.attack("vex", "goblin", dice=[5])
    with pytest.raises(Refused, match="own turn"):
        game.play("combat trigger", who="vex", do="attack", args=attack_on("goblin"))
    game.next_turn()
    data = game.play("combat trigger", who="vex", do="attack", args=attack_on("goblin"), dice=[5])
    assert (data["trigger"], data["attacks"][0]["damage"]) == ("it moves", 3)
    game.move("goblin", "C1", shift=True)
    game.attack("goblin", "vex", power="core:ranged-basic", dice=[5])
    with pytest.raises(Refused, match="hasn.t prepared an action"):
        game.play("combat trigger", who="vex", do="attack", args=attack_on("goblin"))
    with pytest.raises(Refused, match="turn"):
        game.attack("vex", "goblin", dice=[5])


def test_a_prepared_move(game: Game) -> None:
    """STR-TAC-05: a move too, also between turns; and only what was prepared."""
    game.draw("V...", "...g").begin("vex")
    prepare(game, do="move")
    game.play("combat end-turn")
    with pytest.raises(Refused, match="prepared to move"):
        game.play("combat trigger", who="vex", do="attack", args=attack_on("goblin"))
    way = {"to": "D1", "via": [], "shift": False, "trade": False}
    data = game.play("combat trigger", who="vex", do="move", args=way)
    assert (data["to"], data["action"]) == ("D1", "interrupt")
    assert game.next_turn()["who"] == "goblin"


def test_a_prepared_charge(game: Game) -> None:
    """STR-TAC-05, 13."""
    game.draw("V....g").begin("vex")
    prepare(game, do="charge")
    game.next_turn()
    data = game.play("combat trigger", who="vex", do="charge", args={"target": "goblin"}, dice=[5])
    assert (game.of("vex", "at"), data["attacks"][0]["damage"]) == ("E1", 3)


BLINK = """
[powers]
blink = { action = "move", who = "self", effect = [{ do = "teleport", amount = 2, to = "self" }] }
flash = { action = "attack", range = 5, area = 1, effect = [
  { do = "apply", status = "core:blinded", duration = "save" }] }
"""


def test_every_power_that_is_an_attack_or_a_move_is_prepared() -> None:
    """STR-TAC-05: rolled or not, aimed at an area too; none of the turn's actions pays for it then."""
    book = book_with(BLINK, "vex")
    for power, aim, whose, what, choose in (
        ("blink", {}, "vex", "at", ["B1"]),
        ("flash", {"at": "C1"}, "goblin", "statuses", []),
    ):
        game = Game(book).draw("V.g.").begin("vex")
        game.play("combat prepare", who="vex", trigger="it moves", do="use", then=f"use {power}", power=power)
        game.next_turn()
        before = game.of(whose, what)
        game.play("combat trigger", who="vex", do="use", args={"power": power, **aim}, choose=choose)
        assert game.of(whose, what) != before
        game.move("goblin", "D1", shift=True)


def test_standing_up_and_escaping_are_prepared(game: Game) -> None:
    """STR-TAC-05: they are Move Actions."""
    game.draw("V.g.").begin("vex").afflict("vex", "prone").afflict("vex", "grabbed", ends="escape")
    prepare(game, do="stand")
    game.next_turn()
    assert game.play("combat trigger", who="vex", do="stand", args={})["action"] == "interrupt"
    assert "prone" not in game.statuses("vex")
    game.next_turn()
    prepare(game, do="escape")
    game.next_turn()
    assert game.play("combat trigger", who="vex", do="escape", args={}, dice=[6])["ended"] is True


def test_what_never_came_is_wasted(game: Game) -> None:
    """STR-TAC-05: gone when one's own next turn begins."""
    game.draw("V.g").begin("vex")
    prepare(game)
    game.next_turn()
    game.next_turn()
    assert "Vex's prepared action is wasted: it was never triggered." in game.texts()
    assert game.of("vex", "prepared") is None


def test_nobody_stunned_acts_on_a_trigger(game: Game) -> None:
    """STR-TAC-05, STR-TAC-25."""
    game.draw("Vg..").begin("vex")
    prepare(game)
    game.next_turn()
    game.afflict("vex", "stunned")
    with pytest.raises(Refused, match="Stunned"):
        game.play("combat trigger", who="vex", do="attack", args=attack_on("goblin"))


# --- joining and leaving


def join(game: Game, ref: str, at: str, *, count: int = 1, dice: tuple[int, ...] = ()) -> dict[str, Any]:
    side = "party" if ref in game.book.characters else "enemies"
    return game.play("combat join", ref=ref, count=count, at=[at], side=side, dice=dice)


def test_newcomers_have_a_place_in_the_order(game: Game) -> None:
    """STR-TAC-02: by their die, enemies before players who rolled the same."""
    game.draw("V.....g", ".......")
    game.play("combat initiative", dice=[5, 3])
    game.play("combat turn")
    data = join(game, "goblin", "G2", count=2, dice=(4, 5))
    assert data["joined"] == ["goblin-2", "goblin-3"]
    assert game.get("fight.order") == ["goblin-3", "vex", "goblin-2", "goblin"]


def test_large_newcomers_have_the_room_that_they_take(game: Game) -> None:
    """STR-TAC-01, STR-TAC-07: nobody stands on another."""
    game.draw("V.......", "........", "........", "........")
    join(game, "ogre", "C1", count=2)
    fight = Fight(game.world)
    first, second = (set(footprint(fight.at(who), fight.size(who))) for who in ("ogre-1", "ogre-2"))
    assert (len(first), len(second), first & second) == (4, 4, set())


def test_a_place_that_is_past_waits_for_the_next_round(game: Game) -> None:
    """STR-TAC-02."""
    game.draw("V.....g", ".......").begin("vex")
    join(game, "brann", "A2", dice=(6,))
    assert game.get("fight.order") == ["vex", "brann", "goblin"]
    assert game.next_turn()["who"] == "brann"
    game.next_turn()
    join(game, "odo", "B2", dice=(5,))
    assert game.get("fight.order") == ["vex", "brann", "odo", "goblin"]
    assert [game.next_turn()["who"] for _ in range(3)] == ["vex", "brann", "odo"]


def test_joining_before_initiative(game: Game) -> None:
    """STR-TAC-01: they roll with everybody."""
    game.draw("V..g")
    assert join(game, "brann", "B1")["rolls"] == []
    assert len(game.play("combat initiative", dice=[1, 2, 3])["order"]) == 3


def test_whose_side_newcomers_are_on(book: Book) -> None:
    """STR-TAC-01: characters are of the party, creatures against it, unless it is said."""
    for ref, side, on in (
        ("brann", {}, "party"), ("goblin", {}, "enemies"),
        ("brann", {"side": "enemies"}, "enemies"), ("goblin", {"side": "party"}, "party"),
    ):  # fmt: skip
        with case(ref, side):
            game = Game(book).draw("V..p")
            game.play("combat join", ref=ref, at=["B1"], **side)
            assert game.of(ref, "side") == on


def test_joining_needs_room_and_somebody_new(game: Game) -> None:
    """STR-TAC-01."""
    game.draw("V..g")
    for ref, at, message in (("goblin", "A1", "stands on A1"), ("vex", "B1", "here already")):
        with pytest.raises(Refused, match=message):
            join(game, ref, at)
    with pytest.raises(Refused, match="no room for 9"):
        join(game, "goblin", "B1", count=9)


def test_leaving(game: Game) -> None:
    """STR-TAC-15: out without being Taken Out, and the turn is over; no enemy left is a victory."""
    game.draw("V..g").begin("goblin").afflict("vex", "grabbed", ends="escape", by="goblin")
    assert game.play("combat leave", who="goblin", why="runs")["decided"] == "won"
    assert game.of("goblin", "out") == "left"
    assert (game.get("fight.active"), game.get("fight.turn")) == (None, None)
    assert game.statuses("vex") == [], "nobody holds it any more"
    with pytest.raises(Refused, match="is out of this fight"):
        game.play("combat leave", who="goblin")
    assert next_up(game) == "vex"


def test_who_leaves_owes_no_damage(game: Game) -> None:
    """STR-TAC-15, STR-TAC-25: what was put off to the end of a turn is off with whoever leaves in it."""
    game.draw("V..g").begin("goblin").put("vex", hp=2)
    game.play("combat status add", who="vex", status="core:ongoing", value=2)
    game.next_turn()
    assert game.get("fight.due.who") == "vex"
    game.play("combat leave", who="vex", why="crawls out")
    assert (game.get("fight.due"), game.of("vex", "hp")) == (None, 2)


def test_who_left_comes_back_as_they_were(game: Game) -> None:
    """STR-TAC-15: with the HP, Strikes and place in the order that they had, on the first free square that is
    named; the Taken Out don't."""
    game.draw("V..", "B.g").begin("vex").put("vex", hp=4, strikes=2)
    order = game.get("fight.order")
    game.play("combat leave", who="vex", why="the door bell")
    assert game.of("vex", "out") == "left"
    with pytest.raises(Refused, match="stands on A2"):
        game.play("combat join", ref="vex", at=["A2"])
    came = game.play("combat join", ref="vex", at=["A1", "B1"])
    assert came == {"joined": ["vex"], "rolls": [], "order": order}
    assert [game.of("vex", key) for key in ("hp", "strikes", "at", "out")] == [4, 2, "A1", None]
    assert game.statuses("vex") == ["bloodied"]
    game.play("combat damage", who="vex", amount=20)
    with pytest.raises(Refused, match="taken out"):
        game.play("combat join", ref="vex", at=["A1"])


def test_who_has_two_turns_and_delays_one_still_has_two(game: Game) -> None:
    """STR-TAC-06, STR-TAC-27."""
    game.draw("V..g").begin("vex").put("vex", turns=2)
    game.play("combat delay", who="vex")
    assert Fight(game.world).turns_taken("vex") == 1
    game.next_turn()
    if game.get("fight.active") == "vex":
        game.next_turn()
    game.play("combat end-turn")
    before = Fight(game.world).turns_taken("vex")
    game.play("combat resume", who="vex")
    assert Fight(game.world).turns_taken("vex") == before - 1


def test_who_delays_keeps_what_harms_them(game: Game) -> None:
    """STR-TAC-06: what helps and would end with this turn ends at once; what harms waits for the turn that
    comes after all, and what lasts for another turn is left alone."""
    game.draw("V.g").begin("vex")
    held: list[dict[str, Any]] = [
        {"id": "core:slowed", "ends": "turn-end", "of": "vex"},
        {"id": "core:invisible", "ends": "turn-end", "of": "vex"},
        {"id": "moss", "ends": "turn-end", "of": "vex", "later": True},
        {"id": "core:flying", "ends": "turn-end", "of": "goblin"},
    ]
    game.put("vex", statuses=held)
    game.play("combat delay", who="vex")
    assert game.of("vex", "statuses") == [one for one in held if one["id"] != "core:invisible"]


def test_a_final_action_is_not_put_off(game: Game) -> None:
    """STR-TAC-06, STR-TAC-25: it is all that is left of the turn."""
    game.draw("V.g").begin("goblin").put("vex", hp=1)
    game.afflict("vex", "ongoing", ends="save", value=2, by="goblin")
    game.next_turn()
    assert game.get("fight.due")
    with pytest.raises(Refused, match="only a final action"):
        game.play("combat delay", who="vex")
