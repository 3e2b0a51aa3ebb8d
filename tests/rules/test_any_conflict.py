"""Random conflicts and chases: whatever is tried, a refusal changes nothing, every command is taken back
exactly and leaves a sound state, each gets to its end, and when a screen says that dice may fall, they do.

STRIKE_THOROUGH=1 tries a hundred times as many.
"""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.game import Game, check_facts
from support.thorough import THOROUGH

from strike_cli.content.merged_content import Book
from strike_cli.kernel.driver import play_until_open_decision
from strike_cli.kernel.procedure import Choose, Roll
from strike_cli.play.legal_options import legal_options_listed_by_bot
from strike_cli.play.playable_moves_and_time_limit import Given, find_move
from strike_cli.problems import Problem
from strike_cli.registry import load_known_system
from strike_cli.systems.chase.commands import chase as chase_show
from strike_cli.systems.chase.rule_tables import actions as chase_actions
from strike_cli.systems.conflict.commands import show as conflict_show
from strike_cli.systems.conflict.conflict_under_way import ACTIONS
from strike_cli.systems.conflict.rule_numbers import numbers

EXAMPLES = 1500 if THOROUGH else 3
MOST_STEPS = 60
SKILLS = {"vex": "Climbing", "brann": "Hauling", "odo": "Cooking", "vesna": "Riding"}
ROLLS = ("advance", "defense")


class Table:
    """A game played at random, and what it has come to."""

    def __init__(self, book: Book, seed: int) -> None:
        self.game = Game(book)
        self.random = Random(seed)
        self.refused = 0

    def do(self, name: str, args: Given) -> bool:
        """Play a command with any dice and answers; whether the rules allowed it."""
        world, before = self.game.world, self.game.state
        kept = repr(before)

        def dice(roll: Roll) -> list[int]:
            return [self.random.randint(1, roll.sides) for _ in range(roll.n)]

        def choose(question: Choose) -> str:
            return self.random.choice(question.options)

        try:
            played = play_until_open_decision(find_move(name).start(world, args), world, dice, choose)
        except Problem:
            assert repr(self.game.state) == kept
            self.refused += 1
            return False
        assert repr(before) == kept
        check_facts(played.facts, before, world.state, self.game.book)
        self.game.state = world.state
        return True


def any_conflict(table: Table) -> tuple[str, dict[str, Any]]:
    """A command of a conflict, sensible or not."""
    pick, game = table.random.choice, table.game
    who = pick(list(SKILLS))
    traits = [*game.get("conflict.ours.traits", []), *game.get("conflict.theirs.traits", [])]
    weigh = {"default": pick([*ROLLS, "none"]), "picks": pick([[], [[who, pick(ROLLS)]]])}
    recover = pick(["", "", "strike", "none", "Old money"])
    skill = pick(["", SKILLS[who], SKILLS[who]])
    act = {"who": who, "action": pick(list(ACTIONS)), "skill": skill, "using": pick(["", "rope"])}
    choices: list[tuple[int, str, dict[str, Any]]] = [
        (6, "act", {**act, "recover": pick(["", recover]), "next": pick(["", "", *ROLLS])}),
        (1, "secondary", {"who": who, "to": pick(ROLLS), "skill": skill}),
        (2, "oppose", {"action": pick(list(ACTIONS)), "recover": "", "next": pick(["", *ROLLS])}),
        (1, "prep", {"who": who, "action": pick(list(numbers()["prep"]["actions"]))}),
        (1, "scout", {"which": pick(["", *ROLLS]), "side": pick(["", "ours", "theirs"])}),
        (4, "roll", {"weigh": weigh, "dis": {}, "stock": pick([{}, {}, {"ours": "advance"}]), "recover": ""}),
        (3, "hit", {"side": pick(["ours", "theirs"]), "what": pick(["strike", "ablate", "drain", *traits]),
                    "recover": ""}),
        (1, "avert", {"who": who, "theirs": recover}),
        (0.2, "withdraw", {"who": who, "conditions": {}}),
        (0.1, "concede", {"complications": [], "side": pick(["ours", "theirs"])}),
        (1, "end", {"conditions": {}, "abandon": False}),
        (0.1, "end", {"conditions": {}, "abandon": False, "undecided": True}),
    ]  # type: ignore[list-item]  # fmt: skip
    weights = [weight for weight, _, _ in choices]
    _, name, args = table.random.choices(choices, weights)[0]
    return f"conflict {name}", args


@pytest.mark.slow
@given(seed=st.integers(0, 2**32))
@settings(max_examples=EXAMPLES, database=None)
def test_any_conflict(book: Book, seed: int) -> None:
    """STR-TC-01 to 16: of both kinds, with any traits, Conditions and Flaws. What is offered is accepted, and
    nothing is accepted of a kind that is not offered."""
    table = Table(book, seed)
    for who in SKILLS:
        held = [key for key in ("core:injured", "core:angry") if table.random.random() < 0.2]
        if held:
            table.game.set(f"characters.{who}.conditions", held)
    known = [item["name"] for item in book.traits.values()] + ["Old money"]
    both = table.random.random() < 0.4
    assert table.do("conflict start", {
        "name": "Any", "intent": "a", "against": "b", "their_intent": "c",
        "team": ["vex", "brann"] if both else table.random.choice([["vex"], list(SKILLS)]),
        "their_team": ["odo", "vesna"] if both else [],
        "traits": table.random.sample(known, table.random.choice([0, 1, 3])),
        "our_traits": table.random.sample(known, table.random.choice([0, 0, 2])),
    })  # fmt: skip
    for _ in range(MOST_STEPS):
        if not table.game.get("conflict"):
            break
        conflict_show.show_conflict(table.game.world, gm=table.random.random() < 0.5)
        steps = [step for step, _ in conflict_show.next_commands_with_purposes(table.game.world)]
        assert steps
        offered = list(legal_options_listed_by_bot(load_known_system("conflict"), table.game.world))
        name, args = any_conflict(table)
        sides = [table.game.get(f"conflict.{side}", {}) for side in ("ours", "theirs")]
        again = any(args.get("who") in side.get("actions", ()) for side in sides) or (
            "oppose" in name and "opposition" in sides[1]
        )
        if table.do(name, args) and not again and not args.get("abandon"):
            assert name in {option.command for option in offered}
        offered = list(legal_options_listed_by_bot(load_known_system("conflict"), table.game.world))
        if offered and table.random.random() < 0.3:
            option = table.random.choice(offered)
            assert table.do(option.command, option.args), str(option)
        if "strike conflict roll" in steps and table.random.random() < 0.7 and table.game.get("conflict"):
            name, args = "conflict roll", {"weigh": {}, "dis": {}, "stock": {}, "recover": ""}
            if [s for s, _ in conflict_show.next_commands_with_purposes(table.game.world)] == steps:
                assert table.do(name, args)
    if table.game.get("conflict"):
        assert table.do("conflict end", {"conditions": {}, "abandon": True})


@given(seed=st.integers(0, 2**32))
@settings(max_examples=EXAMPLES, database=None)
def test_any_chase(book: Book, seed: int) -> None:
    """STR-CH-01 to 07: with shooters, Danger and Conditions, until it is over."""
    table = Table(book, seed)
    pick = table.random.choice
    people = {"runners": ["vex", "odo"], "chasers": ["goblin", "brann", "the watch"]}
    range_, danger = pick(["close", "medium", "far"]), pick([0, 1, 2])
    assert table.do("chase start", {"id": "", "name": "Any", **people, "range": range_, "danger": danger})
    driver = {"who": "", "adv": [], "dis": [], "mods": []}
    for _ in range(MOST_STEPS):
        chase = table.game.get("chase")
        legal = legal_options_listed_by_bot(load_known_system("chase"), table.game.world)
        steps = [step for step, _ in chase_show.next_steps(table.game.world, legal)]
        chase_show.show_chase(table.game.world, gm=pick([True, False]))
        if "ended" in chase:
            break
        named = {**driver, "skill": "Sneaking", "skilled": pick([True, False])}
        hiding = chase.get("runners_action") == "hide"
        roll = ("roll", {"runners": named if hiding and pick([True, False]) else driver, "chasers": driver})
        name, args = pick([
            ("run", {"action": pick(list(chase_actions()))}),
            ("predict", {"action": pick(list(chase_actions())), "secret": pick([True, False])}),
            ("shoot", {"who": pick([*people["runners"], *people["chasers"], "odo"]),
                       "at": pick(["runners", "chasers"]), "driving": pick([True, False])}),
            ("danger", {"by": pick([1, -1, 0])}),
            roll, roll,
        ])  # fmt: skip
        allowed = table.do(f"chase {name}", args)
        if name == "roll":
            assert allowed == ("strike chase roll" in steps)
    assert table.do("chase end", {})
    assert table.game.get("chase") is None


def test_the_random_table_is_refused_and_obeyed(book: Book) -> None:
    """That it tries what is allowed, to the dice and beyond, and what is not."""
    start = {"name": "Any", "intent": "a", "against": "b", "their_intent": "c", "team": ["vex"], "traits": []}
    done, refused = [], 0
    for seed in range(10):
        table = Table(book, seed)
        table.do("conflict start", start)
        for _ in range(60):
            name, args = any_conflict(table)
            done += [name] if table.do(name, args) else []
        refused += table.refused
    assert {"conflict act", "conflict oppose", "conflict roll", "conflict end"} <= set(done)
    assert refused > 50
