"""HP and what it brings: Bloodied, Incapacitated, Taken Out, healing, house rules (STR-TAC-15, 17, 25)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from support.cases import case
from support.game import Game

from strike_cli.content.merged_content import Book
from strike_cli.kernel.driver import play_until_open_decision, refuse_more_dice
from strike_cli.kernel.exact_odds import first_option
from strike_cli.problems import Refused
from strike_cli.refusals import CantHaveThere
from strike_cli.systems.combat.facts.harm import HouseStrike, StrikeTaken
from strike_cli.systems.combat.gm_override import FightHand
from strike_cli.systems.combat.health_and_statuses import is_bloodied
from strike_cli.tabletop.active_effects import effects_on

Games = Callable[..., Game]


# --- Bloodied


def test_bloodied_as_the_house_plays_it(game_with: Games) -> None:
    """STR-TAC-15, conflict C-1 and golden example 39."""
    for most, hp, half_or_less, less_than_half in (
        (10, 5, True, False), (10, 6, False, False), (10, 4, True, True),
        (13, 6, True, True), (13, 7, False, False),
        (1, 0, True, True), (1, 1, False, False), (2, 1, True, False),
    ):  # fmt: skip
        with case(most, hp, half_or_less, less_than_half):
            assert is_bloodied(game_with(bloodied="half-or-less").world, hp, most) is half_or_less
            assert is_bloodied(game_with(bloodied="less-than-half").world, hp, most) is less_than_half


@pytest.mark.parametrize(("rule", "at"), [("half-or-less", 5), ("less-than-half", 4)])
def test_bloodied_comes_and_goes_with_hp(game_with: Games, rule: str, at: int) -> None:
    """STR-TAC-15: a marker, in line with HP whichever way it moves."""
    game = game_with(bloodied=rule).draw("V.g").begin("vex")
    game.play("combat damage", who="vex", amount=9 - at)
    assert game.statuses("vex") == []
    assert game.get("fight.bloodied") == (None if rule == "half-or-less" else rule), "for whoever shows it"
    game.play("combat damage", who="vex", amount=1)
    assert game.statuses("vex") == ["bloodied"]
    game.play("combat heal", who="vex", amount=1)
    assert game.statuses("vex") == []


def test_creatures_are_bloodied_too(game: Game) -> None:
    """STR-TAC-15: an ogre of 13 at 6, and not at 7."""
    game.draw("V.x.", "....").begin("vex")
    game.play("combat damage", who="ogre", amount=6)
    assert game.statuses("ogre") == []
    game.play("combat damage", who="ogre", amount=1)
    assert game.statuses("ogre") == ["bloodied"]


# --- Incapacitated and Taken Out


def test_players_fall_and_are_taken_out(book: Book) -> None:
    """STR-TAC-15, conflict C-11: Incapacitated at 0 or less, Taken Out at -5 or less."""
    for damage, incapacitated, out in (
        (9, False, False), (10, True, False), (14, True, False), (15, True, True), (99, True, True),
    ):  # fmt: skip
        with case(damage):
            game = Game(book).draw("V.g").begin("goblin")
            assert game.play("combat damage", who="vex", amount=damage)["taken_out"] is out
            if out:
                assert (game.of("vex", "out"), game.of("vex", "at")) == ("taken-out", None)
            else:
                assert ("incapacitated" in game.statuses("vex")) is incapacitated


def test_creatures_are_out_at_zero(game: Game) -> None:
    """STR-TAC-15: no Incapacitated in between, and no turn any more."""
    game.draw("V.g.g").begin("vex")
    game.play("combat damage", who="goblin-1", amount=3)
    assert game.of("goblin-1", "out") is None
    assert game.play("combat damage", who="goblin-1", amount=1)["taken_out"] is True
    assert game.of("goblin-1", "out") == "taken-out"
    game.move("vex", "C1")


def test_who_is_out_is_left_alone(game: Game) -> None:
    """STR-TAC-15: no more harm, healing or statuses; an override may bring them back."""
    game.draw("V.g").begin("vex")
    game.play("combat damage", who="goblin", amount=4)
    for name, args in (
        ("combat damage", {"amount": 1}),
        ("combat heal", {"amount": 1}),
        ("combat status add", {"status": "core:prone"}),
    ):
        with pytest.raises(Refused, match="Goblin"):
            game.play(name, who="goblin", **args)


# --- healing


def test_what_would_give_or_take_nothing_is_refused(game: Game) -> None:
    """STR-TAC-15: healing the whole, no HP at all; and it changes nothing."""
    game.draw("V.g").begin("goblin")
    before = game.state
    for name, amount in (("heal", 2), ("heal", 0), ("damage", 0)):
        with pytest.raises(Refused, match="10 of 10 HP" if amount else "0 HP can't be given"):
            game.play(f"combat {name}", who="vex", amount=amount)
    assert game.state == before


def test_healing_starts_from_zero_and_ends_at_the_maximum(book: Book) -> None:
    """STR-TAC-15 and golden example 40: below 0 it is set to 0 first; never above the maximum. What was
    regained is told, not what was offered."""
    for hp, amount, after in (
        (3, 4, 7), (8, 4, 10), (9, 2, 10), (0, 3, 3), (-3, 4, 4), (-4, 1, 1), (-4, 20, 10),
    ):  # fmt: skip
        with case(hp, amount):
            game = Game(book).draw("V.g").begin("goblin")
            game.play("combat damage", who="vex", amount=10 - hp)
            data = game.play("combat heal", who="vex", amount=amount)
            assert (data["hp_before"], data["hp_after"], game.of("vex", "hp")) == (hp, after, after)
            assert ("incapacitated" in game.statuses("vex")) is (after <= 0)
            (healed,) = (fact for fact in game.facts if fact.kind == "healed")
            assert healed.details["amount"] == after - hp


def test_who_is_healed_up_can_act_and_is_prone(game: Game) -> None:
    """STR-TAC-16: as with a Comeback, Stunned ends and Prone stays."""
    game.draw("g.V").begin("goblin")
    game.play("combat damage", who="vex", amount=12)
    game.play("combat heal", who="vex", amount=4)
    game.next_turn()
    assert game.statuses("vex") == ["bloodied", "prone"]
    game.play("combat stand", who="vex")


# --- the house rule on Strikes


@pytest.mark.parametrize(("rule", "strikes"), [(False, 0), (True, 3)])
def test_hp_strikes(game_with: Games, rule: bool, strikes: int) -> None:
    """STR-TAC-17: optional Strikes for Bloodied, for each Incapacitation and for being Taken Out."""
    game = game_with(hp_strikes=rule).draw("V.x.", "....").begin("ogre")
    game.play("combat damage", who="vex", amount=5)
    assert game.of("vex", "strikes", 0) == (1 if rule else 0)
    game.play("combat damage", who="vex", amount=5)
    assert game.of("vex", "strikes", 0) == (2 if rule else 0)
    assert game.texts()[-1] == (
        "Vex takes a Strike (2 now): Incapacitated." if rule else "Vex is Incapacitated."
    )
    game.play("combat damage", who="vex", amount=5)
    assert game.of("vex", "strikes", 0) == strikes
    game.play("combat damage", who="ogre", amount=7)
    assert game.of("ogre", "strikes") is None, "Strikes are the players'"


@pytest.mark.parametrize(("amount", "strikes"), [(4, 0), (5, 1), (10, 2), (15, 3)])
def test_one_blow_counts_all_that_it_does(game_with: Games, amount: int, strikes: int) -> None:
    """STR-TAC-15, 17: who goes from full to -5 at once was Bloodied and Incapacitated on the way."""
    game = game_with(hp_strikes=True).draw("V.x.", "....").begin("ogre")
    game.play("combat damage", who="vex", amount=amount)
    assert game.of("vex", "strikes", 0) == strikes
    whys = [text.partition("now): ")[2] for text in game.texts() if "Strike" in text]
    assert whys == ["first Bloodied.", "Incapacitated.", "Taken Out."][:strikes]
    taken = [fact.told.why for fact in game.facts if isinstance(fact.told, StrikeTaken)]
    assert taken == [HouseStrike(why) for why in ("first-bloodied", "incapacitated", "taken-out")][:strikes]


# --- statuses by hand


@pytest.mark.parametrize(("why", "reason"), [("", "the game master"), ("a loose beam", "a loose beam")])
def test_what_the_game_master_does_says_why(game: Game, why: str, reason: str) -> None:
    """STR-TAC-15, STR-TAC-17: damage, healing and Strikes."""
    game.draw("V.g").begin("vex")
    for command, more in (("damage", {"amount": 3}), ("heal", {"amount": 1}), ("strike", {"n": 2})):
        game.play(f"combat {command}", who="vex", why=why, **more)
        (said,) = game.texts()
        assert reason in said
    assert game.of("vex", "strikes") == 2


def test_a_number_changed_by_one_is_one_hp(game: Game) -> None:
    """STR-TAC-15: up is healing and down is damage, by the hand that all games have."""
    for by, hp in ((1, 6), (-1, 4)):
        world = game.draw("V.g").put("vex", hp=5).world
        changed = FightHand().play_harm_or_healing(world, "vex", "hp", by)
        assert changed is not None
        play_until_open_decision(changed, world, refuse_more_dice, first_option)
        assert world.get("fight.combatants.vex.hp") == hp
        game.set("fight", None)


def test_numbers_of_a_player_go_down_to_nothing(game: Game) -> None:
    """STR-TAC-15, by the hand that all games have: Strikes are 0 or more, players' alone."""
    world = game.draw("V.g").world
    for number in (0, 1):
        changes = FightHand().changes_for_number(world, "vex", "strikes", number)
        assert changes == {"fight.combatants.vex.strikes": number or None}
    for who, number in (("vex", -1), ("goblin", 1)):
        with pytest.raises(CantHaveThere):
            FightHand().changes_for_number(world, who, "strikes", number)


def test_several_get_the_same(game: Game) -> None:
    """STR-TAC-10, 15, 17, 25: each once, the first as one alone would be told of, the others besides."""
    game.draw("VBO.g").begin("vex")
    named: dict[str, Any] = {"who": "vex", "also": ["brann", "vex", "odo"]}
    game.afflict("brann", "slowed", ends="save")
    for command, more, told in (
        ("damage", {"amount": 3}, {"hp_before": 10, "hp_after": 7, "taken_out": False, "amount": 3}),
        ("heal", {"amount": 1}, {"hp_before": 7, "hp_after": 8, "taken_out": False, "amount": 0}),
        ("strike", {"n": 2}, {"strikes": 2}),
        ("token", {"n": 3}, {"miss_tokens": 3}),
        ("status remove", {"status": "core:slowed"}, {"status": "core:slowed"}),
    ):
        if command == "status remove":
            data = game.play("combat status add", **named, status="core:slowed", ends="save")
            gained = [one["gained"] for one in (data, *data["others"])]
            assert gained == [True, False, True], "Brann has it already"
        data = game.play(f"combat {command}", **named, **more)
        assert data == {"who": "vex", **told, "others": [{"who": who, **told} for who in ("brann", "odo")]}
    assert "others" not in game.play("combat damage", who="vex", amount=1)


def test_what_changes_nothing_is_refused_for_one_and_for_several(game: Game) -> None:
    """STR-TAC-25: in the words of the status."""
    game.draw("VB.g").begin("vex")
    for who in ("vex", "brann"):
        game.afflict(who, "slowed", "ongoing")
    for command, status, also, message in (
        ("add", "slowed", [], "Vex is Slowed already."),
        ("add", "slowed", ["brann"], "Vex, Brann are Slowed already."),
        ("add", "ongoing", [], "Vex has Ongoing damage already."),
        ("add", "ongoing", ["brann"], "Vex, Brann have Ongoing damage already."),
        ("remove", "dazed", [], "Vex is not Dazed."),
        ("remove", "dazed", ["brann"], "Vex, Brann are not Dazed."),
        ("remove", "lost", [], "Vex is not core:lost."),
    ):
        lasts = {"ends": "permanent"} if command == "add" else {}
        with case(command, status, also):
            with pytest.raises(Refused) as refused:
                game.play(f"combat status {command}", who="vex", also=also, status=f"core:{status}", **lasts)
            assert refused.value.message == message


def test_what_statuses_bring_along(game: Game) -> None:
    """STR-TAC-25: and take away again."""
    game.draw("V.g").begin("vex")
    for status, implied in (
        ("grabbed", ["immobilized"]), ("restrained", ["immobilized"]), ("prone", ["slowed"]),
        ("incapacitated", ["prone", "stunned", "slowed"]),
    ):  # fmt: skip
        with case(status):
            game.afflict("vex", status)
            brought = {f"core:{name}" for name in [status, *implied]}
            assert brought <= {item.id for item in effects_on(game.world, "vex")}
            game.play("combat status remove", who="vex", status=f"core:{status}")
            assert brought.isdisjoint(item.id for item in effects_on(game.world, "vex"))
