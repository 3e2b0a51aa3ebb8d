"""`strike content explain`: what was written, read back in plain words."""

from __future__ import annotations

from copy import copy
from typing import Any

import pytest
from support.cases import case
from support.cli import Strike
from support.game import book_with

from strike_cli.content.merged_content import Book, book_of_core_and_plugins
from strike_cli.file_faults import Faults, Place
from strike_cli.registry.installed_plugins import load_plugin_word
from strike_cli.systems.combat.commands import content_explain
from strike_cli.systems.combat.schemas import POWER, STATUS
from strike_cli.systems.combat.steps import (
    AMOUNTS,
    CONDITIONS,
    REACTION_EVENTS,
    WHOM,
    WHOM_AS_SUBJECTS,
    amount_in_words,
)
from strike_cli.systems.combat.steps.step import STEPS, EffectStep, describe_step, step_class_of
from strike_cli.tabletop.effects_in_plain_words import Explainer
from strike_cli.tabletop.rules_vocabulary import DURATIONS, MOMENTS, NUMBERS, ROLL_KINDS, STANDINGS
from strike_cli.tabletop.status_effect_schemas import ACTION_KINDS

HURT = {"do": "damage", "to": "target", "amount": 2}

SAYS: list[tuple[dict[str, Any], str]] = [
    ({"do": "apply", "status": "core:prone", "duration": "save"},
     "the target is Prone, until a Saving Throw ends it"),
    ({"do": "apply", "status": "core:ongoing", "duration": "turn-end", "amount": 2, "whose": "target"},
     "the target has Ongoing damage 2, until its next turn ends"),
    ({"do": "apply", "status": "core:marked", "duration": "turn-end"},
     "the target is Marked, until the user's next turn ends"),
    ({"do": "apply", "status": "core:prone", "duration": "until", "until": "damaged"},
     "the target is Prone, until damaged"),
    ({"do": "end", "status": "core:prone"}, "the target is rid of Prone"),
    ({"do": "end", "to": "self"}, "the user is rid of one harmful status of your choice"),
    (HURT, "the target takes 2 damage"),
    ({"do": "heal", "to": "self", "amount": {"of": "dealt", "half": "up"}},
     "the user regains HP equal to half the damage dealt, rounded up"),
    ({"do": "push", "amount": 1}, "the target is pushed 1 square away"),
    ({"do": "pull", "amount": 2, "way": "chosen"},
     "the target is pulled 2 squares nearer, each square chosen"),
    ({"do": "slide", "amount": {"die": 4}}, "the target is slid a number of squares equal to 1d4 anywhere"),
    ({"do": "shift", "amount": 3, "to": "self"}, "the user shifts up to 3 squares"),
    ({"do": "teleport", "amount": 5, "to": "ally"}, "a chosen ally is teleported up to 5 squares"),
    ({"do": "swap"}, "the user and the target change places"),
    ({"do": "choose", "options": [{"name": "A", "steps": [HURT]}, {"name": "B", "steps": []}]},
     "one of these, chosen by the user: A (the target takes 2 damage), or B (nothing)"),
    ({"do": "repeat", "amount": 3, "steps": [HURT]}, "3 times: the target takes 2 damage"),
    ({"do": "roll", "to": "enemies", "within": 2, "faces": {"1-3": [], "4-6": [HURT]}},
     "a die for each enemy within 2: on 1-3 nothing; on 4-6 each enemy within 2 takes 2 damage"),
    ({"do": "reroll"}, "the die is rolled again, and the new one counts"),
    ({"do": "reduce", "amount": 2}, "it is reduced by 2"),
    ({"do": "halve", "half": "up"}, "it is halved, rounded up"),
    ({"do": "prevent"}, "it doesn't happen"),
    ({"do": "redirect"}, "it happens to the user instead"),
    ({"do": "redirect", "to": "doer"}, "it happens to the actor instead"),
    ({"do": "save"}, "the target makes a Saving Throw at once against one status, chosen"),
    ({"do": "zone", "name": "Mud", "amount": 1, "difficult": True, "sight": "dark", "status": "core:slowed",
      "duration": "turn-end"},
     "a zone, Mud, until the user's next turn ends: 1 damage to each creature that enters it or begins a "
     "turn in it; difficult terrain; creatures in it can't be seen; each creature in it is Slowed"),
    ({"do": "token", "to": "self"}, "the user gets a Miss Token, if a player character"),
    ({"do": "strike", "amount": 2}, "the target takes 2 Strikes, if a player character"),
    ({"do": "regain"}, "the target may use one spent Encounter power of the class again"),
    ({"do": "attack", "to": "ally", "within": 5, "uses": "any", "at": "target"},
     "a chosen ally within 5 may attack at once, with any of their attacks at the target"),
    ({"do": "attack", "to": "self", "range": "melee", "at": "other", "near": 2},
     "the user may attack at once, with a basic attack in melee at somebody else within 2 of the "
     "target's square"),
    ({"do": "move", "to": "ally"}, "a chosen ally may move up to their Speed, giving Opportunities"),
    ({"do": "ap", "amount": 2, "to": "self"}, "the user gains 2 Action Points, if a player character"),
    ({"do": "zone", "name": "Wall", "blocks": True, "cover": True, "length": 3, "who": "enemies"},
     "a zone, Wall, 3 squares, drawn one by one, for the rest of the fight: a wall that blocks movement "
     "and sight; cover for creatures behind it; for enemies of its maker alone"),
    ({"do": "zone", "name": "Chill", "to": "self", "spread": 2, "along": True, "amount": 1},
     "a zone, Chill, within 2 of the user, that moves along, for the rest of the fight: 1 damage to each "
     "creature that enters it or begins a turn in it"),
    ({"do": "move-zone", "zone": "Mud", "amount": 2, "way": "away"},
     "the zone Mud moves 2 squares, away from the user"),
    ({"do": "move-zone"}, "the zone in question moves 1 square"),
    ({"do": "move-zone", "amount": {"die": 4}, "way": "chosen"},
     "the zone in question moves a number of squares equal to 1d4, in a direction of the user's choice"),
    ({"do": "move-zone", "way": "nearer"}, "the zone in question moves 1 square, towards the target"),
    ({"do": "move-zone", "way": "random"}, "the zone in question moves 1 square, in a random direction"),
    ({"do": "damage", "amount": 1, "to": "self"}, "the user takes 1 damage"),
    ({"do": "damage", "amount": {"of": "value"}, "final": True},
     "the target takes damage equal to its number, with one last action before it falls"),
    ({"do": "end", "this": True, "to": "self"}, "it ends"),
    ({"do": "raise", "status": "core:slowed", "amount": 2, "most": 5},
     "the Slowed of the target goes up by 2, to 5 at most"),
    ({"do": "raise", "this": True, "to": "self"}, "its number goes up by 1"),
    ({"do": "lower", "this": True, "to": "self", "amount": {"of": "this", "share": 3}},
     "its number goes down by 1/3 of this damage"),
    ({"do": "lower", "status": "core:slowed", "to": "self"}, "the Slowed of the user goes down by 1"),
    ({"do": "damage", "amount": {"of": "value", "status": "core:slowed"}},
     "the target takes damage equal to the number of Slowed"),
    ({"do": "swap", "partner": "next-target"}, "the target and the next target change places"),
    ({"do": "swap", "to": "ally", "partner": "target"}, "a chosen ally and the target change places"),
    ({"do": "summon", "creature": "hound", "hp": {"of": "max-hp", "half": "up"}, "speed": 4},
     "the target calls 1 x Hound, its HP half one's most HP, rounded up, its Speed 4, "
     "with turns of their own"),
    ({"do": "opportunity"}, "the target may make an Opportunity against the user"),
    ({"do": "opportunity", "to": "giver"}, "the giver may make an Opportunity"),
    ({"do": "lose-control", "faces": {"1-2": [HURT], "3-6": [
        {"do": "charge", "to": "target", "otherwise": [
            {"do": "run-at", "to": "target"}, {"do": "ranged", "to": "target", "disadvantage": True}]}]}},
     "a die for the target: on 1-2 the target takes 2 damage; on 3-6 the target charges the giver (or else "
     "the target runs at the giver; then the target makes a ranged basic attack with Disadvantage)"),
    ({"do": "run-at"}, "the target runs at the giver"),
    ({"do": "run-from"}, "the target runs from the giver"),
    ({"do": "take-cover"}, "the target takes cover"),
    ({"do": "charge"}, "the target charges the giver"),
    ({"do": "melee", "disadvantage": True}, "the target makes a melee basic attack with Disadvantage"),
    ({"do": "ranged"}, "the target makes a ranged basic attack"),
    ({"do": "grow-zone"}, "the zone in question grows by 1 square all round"),
    ({"do": "end-zone", "zone": "Mud"}, "the zone Mud ends"),
    ({"do": "summon", "creature": "hound", "amount": 2, "near": 3, "turns": "maker", "duration": "turn-end",
      "to": "self", "stays": True},
     "the user calls 2 x Hound within 3, acting after their summoner, until the user's next turn ends; "
     "they stay when their summoner is gone"),
    ({"do": "summon", "creature": "hound", "turns": "none"}, "the target calls 1 x Hound, without turns"),
    ({"do": "dismiss"}, "the target, if summoned, is gone"),
    ({"do": "note", "text": "It rains."}, "the table plays: It rains"),
    ({"do": "handler", "handler": "elements:leap"}, "the target: leap (by the plugin elements)"),
    ({**HURT, "if": "flanked"}, "the target takes 2 damage, if the target is flanked"),
    ({**HURT, "to": "around", "within": 1, "from": "target", "if_status": "core:prone"},
     "everybody else within 1 of the target takes 2 damage, where everybody else within 1 of the target is "
     "Prone"),
]  # fmt: skip


@pytest.fixture(scope="module")
def bare() -> Book:
    book = book_of_core_and_plugins()
    book.creatures = {**book.creatures, "hound": {"name": "Hound"}}
    return book


def test_what_a_step_says(bare: Book) -> None:
    """STR-TAC-12: each step in a clause of its own."""
    for step, words in SAYS:
        with case(step):
            assert describe_step(bare, {"to": "target", **step}) == words


def test_whom_a_step_is_for(bare: Book) -> None:
    for to, whom in (
        ("target", "the target"), ("self", "the user"), ("ally", "a chosen ally"),
        ("allies", "each ally"),
        ("enemies", "each enemy"), ("around", "everybody else"), ("doer", "the actor"),
        ("befallen", "the victim"), ("giver", "the giver"), ("inside", "each creature in it"),
        ("summons", "each of your summons"), ("other", "the other one"),
    ):  # fmt: skip
        with case(to):
            assert describe_step(bare, {**HURT, "to": to}) == f"{whom} takes 2 damage"


def test_no_step_is_left_out() -> None:
    assert {step["do"] for step, _ in SAYS} >= STEPS.keys()
    assert WHOM_AS_SUBJECTS.keys() == WHOM.keys()


def test_every_step_says_its_own() -> None:
    """Where a sheet has a word or two there is a whole clause."""
    for kind in STEPS:
        with case(kind):
            assert step_class_of(None, {"do": kind}).describe is not EffectStep.describe


def test_every_condition_and_moment_has_words() -> None:
    assert all(each.told for each in CONDITIONS.values())
    assert all(each.held for each in REACTION_EVENTS.values())
    said = [amount_in_words(None, {"of": key}) for key in AMOUNTS]
    assert all(said) and len(set(said)) == len(said)
    assert all(each.told or each.given for word, each in DURATIONS.items() if word != "until")


# A whole power

BLAST = """
[powers.spark]
name = "Spark"
level = 3
action = "role"
usage = "encounter"
kind = "role"
ap = 2
hp = 1
area = 1
range = 10
who = "enemies"
damage = 2
bonus = [{ amount = 2, if = "bloodied" }]
keywords = ["fire"]
before = [{ do = "shift", amount = 1, to = "self" }]
effect = [{ do = "apply", status = "singed" }]
hit = [{ do = "push", amount = 1 }]
miss = [{ do = "damage", amount = 1 }]
always = [{ do = "note", text = "It smells." }]

[statuses.singed]
name = "Singed"
summary = "Smoke in the eyes."

[powers.ward]
name = "Ward"
action = "interrupt"
on = "harmed"
befalls = "ally"
near = 2
once = "round"
plan = "bloodied"
effect = [{ do = "reduce", amount = 2 }]
"""


def told(book: Book, kind: str, key: str) -> dict[str, str]:
    """What is said of a thing, by what it is about."""
    lines = getattr(content_explain, f"explain_{kind}")(
        book, book.table({"status": "statuses"}.get(kind, f"{kind}s"))[key]
    )
    return {line.about: line.text for line in lines}


def test_all_of_a_power() -> None:
    """STR-TAC-09, 12: what it takes, whom it is aimed at, each face of the die, each part."""
    assert told(book_with(BLAST), "power", "spark") == {
        "Takes": "a Role Action, 2 Action Points (players only), 1 of your own HP, once a fight, of the role",
        "Target": "all enemies within 1 of a square within 10",
        "Die": "one for each target: 6: 4 damage and the Effect; 5, 4: 2 damage and the Effect; "
        "3: 2 damage or the Effect; 2, 1: a miss",
        "More": "2 extra damage, not doubled, if the target is Bloodied",
        "First, before any die": "the user shifts up to 1 square",
        "Effect": "the target is Singed, until a Saving Throw ends it",
        "On a hit by the die itself": "the target is pushed 1 square away",
        "On a miss": "the target takes 1 damage",
        "Afterwards, in any case": "the table plays: It smells",
        "Level": "3",
        "Keywords": "fire",
        "Singed": "Smoke in the eyes",
    }


def test_an_answer() -> None:
    """STR-TAC-12: to what, for whom, how often, and when creatures give it."""
    found = told(book_with(BLAST), "power", "ward")
    assert found["Answers"] == (
        "it is asked for when an ally within 2 would take damage, once a round; "
        "creatures give it for somebody Bloodied"
    )
    assert found["Effect"] == "it is reduced by 2"


def test_no_key_of_a_power_is_left_unsaid() -> None:
    """One that came later than these words is said as it stands."""
    unsaid = POWER.fields.keys() - content_explain.KEYS_WITH_OWN_LINES
    book = book_with(BLAST)
    for key in unsaid:
        lines = content_explain.explain_power(book, {**book.powers["spark"], key: "something"})
        assert any("something" in line.text for line in lines), key


def test_every_power_and_status_there_is(example: Book) -> None:
    for key in example.powers:
        assert "None" not in str(told(example, "power", key))
    for key in example.statuses:
        assert told(example, "status", key)
    for key in example.creatures:
        assert told(example, "creature", key)


# Statuses


def test_what_a_status_says() -> None:
    """STR-TAC-25: each contribution in a line."""
    for table, words in (
        ({"sources": [{"on": "attack", "gives": "disadvantage"}]}, "its attacks have Disadvantage"),
        ({"sources": [{"on": "attack", "side": "against", "range": "melee", "gives": 1, "when": "alone"}]},
         "attacks at it have +1 in melee, with no ally adjacent"),
        ({"sources": [{"on": "skill", "gives": -1, "round": 1, "tags": ["physical"]}]},
         "its Skill Rolls have \N{MINUS SIGN}1, in round 1 alone, if it is about physical"),
        ({"bans": [{"action": "move", "over": 2}]}, "it moves 2 at most"),
        ({"bans": [{"action": "melee", "side": "against", "unless": "alike"}]},
         "it can't be attacked in melee, unless the other one has the same"),
        ({"remaps": [{"stage": "die", "side": "against", "faces": {"6": 5}}]},
         "of attacks at it, a 6 counts as 5"),
        ({"remaps": [{"stage": "damage", "half": True}]}, "it deals half damage, rounded down"),
        ({"numbers": [{"of": "taken", "gives": -2, "only": ["fire"], "when": "bloodied"}]},
         "its damage taken: \N{MINUS SIGN}2, of what is fire, while Bloodied"),
        ({"numbers": [{"of": "speed", "half": "up", "most": 3}]}, "its Speed: half, rounded up, 3 at most"),
        ({"reactions": [{"on": "turn-started", "do": "damage", "amount": "value", "final": True}]},
         "at the start of its turn: it takes damage equal to its number, with one last action before it "
         "falls"),
        ({"reactions": [
            {"on": "missed", "do": "apply", "to": "other", "status": "core:prone", "once": "turn"}]},
         "when an attack misses it, once a turn: the other one is Prone, until a Saving Throw ends it"),
        ({"reactions": [{"on": "harmed", "do": "steps", "steps": [{"do": "reduce", "amount": 3}]}]},
         "before it takes damage: it is reduced by 3"),
        ({"reactions": [{"on": "hit", "do": "steps", "steps": [{"do": "heal", "to": "self", "amount": 1}]}]},
         "when an attack hits it: it regains 1 HP"),
        ({"reactions": [{"on": "attacks", "do": "opportunity", "to": "giver", "when": "without-giver"}]},
         "before it attacks, if the attack leaves out the giver: the giver may make an Opportunity"),
        ({"reactions": [{"on": "damaged", "do": "note", "text": "It hums."}]},
         "when it loses HP: the table plays: It hums"),
        ({"by_hand": "Water helps."}, "Water helps"),
        ({"flies": True}, "over other creatures and difficult terrain"),
        ({"implies": ["core:slowed"]}, "Slowed"),
        ({"ends_when": ["apart"]}, "until they are apart"),
    ):  # fmt: skip
        with case(table, words):
            faults: Faults = []
            status = STATUS.check({"name": "X", **table}, Place("x"), faults)
            assert not faults
            assert words in [
                line.text for line in content_explain.explain_status(book_of_core_and_plugins(), status)
            ]


def test_every_word_of_a_vocabulary_is_said(bare: Book) -> None:
    """Kinds of roll, bans, numbers, moments, reactions: none falls through."""
    for on in ROLL_KINDS:
        assert said(bare, sources=[{"on": on, "gives": 1, "side": "own", "range": "any", "tags": []}])
    for action in ACTION_KINDS:
        for side in ("own", "against"):
            assert said(bare, bans=[{"action": action, "side": side}])
    for of in NUMBERS:
        assert said(bare, numbers=[{"of": of, "gives": 1}])
    for when in STANDINGS:
        assert said(bare, numbers=[{"of": "taken", "gives": 1, "when": when}])
    for on in (*MOMENTS, *REACTION_EVENTS):
        assert said(bare, reactions=[{"on": on, "steps": []}])


def said(book: Book, **table: Any) -> str:
    reader = Explainer(book, load_plugin_word, lambda book, steps: "nothing", content_explain.MOMENTS)
    return "".join(line.text for line in reader.explain_effects(table))


# Through the command line


def test_it_is_read_back_at_a_terminal(in_campaign: Strike) -> None:
    out = in_campaign("content explain shove").out
    assert "Effect" in out
    assert "The target is pushed 2 squares away." in out


def test_it_is_data_too(in_campaign: Strike) -> None:
    (found,) = in_campaign.json("content explain winded")["data"]
    assert (found["kind"], found["id"], found["name"]) == ("conditions", "core:winded", "Winded")
    assert {"about": "Grows", "text": "3 of it become Exhausted"} in found["lines"]
    assert in_campaign.json("content explain ring")["data"][0]["kind"] == "encounters"
    lines = in_campaign.json("content explain goblin")["data"][0]["lines"]
    assert {line["about"] for line in lines} >= {"Tier", "Body", "Melee", "Opportunity"}


def test_what_there_is_not(in_campaign: Strike) -> None:
    assert "Did you mean 'shove'" in in_campaign("content explain shov", code=2).err


class Tide(EffectStep):
    amount: int

    def summarize(self, book: Any) -> str:
        return f"washes off {self.amount}."


class Surf(Tide):
    def describe(self, book: Any, who: str) -> str:
        return f"the surf takes {who} out {self.amount} squares"


def test_a_plugins_step_says_its_own(bare: Book) -> None:
    """In a clause that it brings, or else what a sheet says of it."""
    book = copy(bare)
    book.steps = {f"x:{name.lower()}": {"calls": f"{__name__}:{name}"} for name in ("Tide", "Surf")}
    step = {"do": "x:tide", "to": "self", "amount": 2}
    assert describe_step(book, step) == "the user: washes off 2"
    assert describe_step(book, {**step, "do": "x:surf"}) == "the surf takes the user out 2 squares"
