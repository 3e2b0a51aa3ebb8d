"""How much a step does: a number, dice, or what is measured, with more, half, a least and a most
(STR-TAC-12, docs/power-reference.md); and how statuses change a number, in which order and when."""

from __future__ import annotations

import pytest
from support.cases import case
from support.game import Game, book_with
from support.told import words_of

from strike_cli.content.merged_content import Book
from strike_cli.systems.combat.fight_state import Fight, adjusted_number_and_reasons, is_effect_condition_met
from strike_cli.tabletop.active_effects import effects_on

AMOUNTS = {
    "round": 3, "strikes": 4, "tokens": 5, "targets": 2, "enemies-adjacent": 6, "allies-adjacent": 1,
    "missing": 7, "dealt": 0,
}  # fmt: skip
"""What each measure comes to where Vex stands among six goblins beside Brann."""


@pytest.fixture(scope="module")
def measuring() -> Book:
    return book_with(
        "".join(
            f"""
[powers.by-{of}]
name = "By {of}"
action = "role"
range = 9
targets = 2
effect = [{{ do = "damage", amount = {{ of = "{of}" }} }}]
"""
            for of in AMOUNTS
        ),
        "vex",
    )


def test_what_an_amount_is_measured_by(measuring: Book) -> None:
    """STR-TAC-12: the round, one's Strikes, Miss Tokens and neighbours, the number of targets; HP that each
    target lacks; and what the power has dealt so far, which is nothing before its first step. What there is
    none of comes to nothing."""
    among = Game(measuring).draw("ggg.p", "gVB.p", "gg...").begin("vex")
    among.set("fight.round", 3)
    among.put("vex", strikes=4, miss_tokens=5).put("post-1", hp=92).put("post-2", hp=92)
    alone = Game(measuring).draw("V.p").begin("vex")
    for of, amount in AMOUNTS.items():
        with case(of):
            game = Game(measuring, among.state)
            game.play("combat use", who="vex", power=f"by-{of}", targets=["post-1", "post-2"])
            assert [92 - game.of(post, "hp") for post in ("post-1", "post-2")] == [amount] * 2
    for of in ("strikes", "tokens", "enemies-adjacent", "allies-adjacent", "missing"):
        with case(of, "none"):
            game = Game(measuring, alone.state)
            game.play("combat use", who="vex", power=f"by-{of}", targets=["post"])
            assert game.of("post", "hp") == game.of("post", "max_hp")


STATUSES = """
statuses.hard = { numbers = [{ of = "taken", gives = -3 }] }
statuses.half-up = { name = "Half up", numbers = [{ of = "taken", half = "up" }] }
statuses.half-down = { name = "Half down", numbers = [{ of = "taken", half = "down" }] }
statuses.capped = { numbers = [{ of = "taken", most = 4 }] }
statuses.wet = { numbers = [{ of = "taken", gives = -5, only = ["fire"] }, { of = "dealt", gives = 2 }] }
statuses.drilled = { stacks = "by-source", numbers = [{ of = "speed", gives = 1, when = "bloodied" }] }
"""


@pytest.fixture(scope="module")
def changing() -> Book:
    return book_with(STATUSES)


def test_numbers_are_added_to_then_halved_then_limited(changing: Book) -> None:
    """STR-TAC-12: never below 0, each change with its reason; what is for a keyword counts for that alone."""
    for statuses, keywords, taken, reasons in (
        ([], [], 9, []),
        (["hard"], [], 6, ["-3 Hard"]),
        (["half-up"], [], 5, ["half: Half up"]),
        (["half-down"], [], 4, ["half: Half down"]),
        (["capped", "half-up", "hard"], [], 3, ["-3 Hard", "half: Half up"]),
        (["capped", "half-up"], [], 4, ["half: Half up", "at most 4: Capped"]),
        (["wet"], [], 9, []),
        (["wet"], ["cold"], 9, []),
        (["wet"], ["cold", "fire"], 4, ["-5 Wet"]),
        (["wet", "hard"], ["fire"], 1, ["-5 Wet", "-3 Hard"]),
    ):
        with case(statuses, keywords):
            game = Game(changing).draw("V.g").begin("vex")
            game.put("vex", statuses=[{"id": one, "ends": "encounter"} for one in statuses])
            fight = Fight(game.world)
            amount, why = adjusted_number_and_reasons(fight, "vex", "taken", 9, keywords=keywords)
            assert (amount, [words_of(one, fight.world) for one in why]) == (taken, reasons)
            assert adjusted_number_and_reasons(fight, "vex", "taken", 0, keywords=keywords)[0] == 0
            assert adjusted_number_and_reasons(fight, "vex", "dealt", 3)[0] == (5 if "wet" in statuses else 3)


def test_when_a_change_counts(changing: Book) -> None:
    """STR-TAC-15, STR-TAC-25: by how its holder stands, or the one on the other side, here a goblin. What is
    about a giver doesn't count where there is none, nor of one who is out of the fight."""
    for word, so, not_so in (
        ("bloodied", {"hp": 5}, {"hp": 6}),
        ("unhurt", {"hp": 10}, {"hp": 9}),
        ("alone", {"at": "A1"}, {"at": "B2"}),
        ("with-ally", {"at": "B2"}, {"at": "A1"}),
        ("first-round", {"round": 1}, {"round": 2}),
        ("first-round", {"round": 1}, {"round": 0}),
        ("from-giver", {"by": "goblin-1"}, {"by": "goblin-2"}),
        ("without-giver", {"by": "goblin-2"}, {"by": "goblin-1"}),
        ("other-bloodied", {"other": 2}, {"other": 3}),
        ("other-alone", {"other_at": "E1"}, {"other_at": "D3"}),
    ):
        for given, expected in ((so, True), (not_so, False)):
            with case(word, given):
                game = Game(changing).draw("V....", ".....", "B.gg.").begin("vex")
                game.put("vex", hp=given.get("hp", 10), at=given.get("at", "A1"))
                game.put("goblin-1", hp=given.get("other", 4))
                game.put("goblin-2", at=given.get("other_at", "D3"))
                game.set("fight.round", given.get("round", 1))
                game.put("vex", statuses=[{"id": "drilled", "ends": "encounter", "by": given.get("by", "")}])
                (held,) = (one for one in effects_on(game.world, "vex") if one.id == "drilled")
                assert is_effect_condition_met(Fight(game.world), "vex", "goblin-1", held, word) is expected
                if word.startswith("other-"):  # nobody is on the other side
                    assert not is_effect_condition_met(Fight(game.world), "vex", "", held, word)
                if word == "without-giver" and expected:
                    game.play("combat damage", who="goblin-2", amount=9)
                    fight = Fight(game.world)
                    assert not is_effect_condition_met(fight, "vex", "goblin-1", held, word)
