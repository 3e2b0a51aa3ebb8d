"""A Team Conflict in memory: its commands, each taken back once, with what the command line would fill in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from strike_cli.kernel.procedure import World
from strike_cli.kernel.statements import data_with_clauses_in_words
from strike_cli.play.forecast import outcomes_of_move
from strike_cli.systems.conflict.conflict_under_way import ACTIONS

from .game import Game, check_facts

TEAM = ["vex", "brann", "odo", "vesna"]
WEIGH: dict[str, Any] = {"default": "advance", "picks": []}
SKILL = {"vex": "Climbing", "brann": "Hauling", "odo": "Cooking", "vesna": "Riding"}


class Table:
    """A conflict: each command is taken back once and must leave the state that was, and a sound one."""

    def __init__(self, game: Game, *traits: str, advance: int = 0, defense: int = 0, **more: Any) -> None:
        self.game = game
        self.do(
            "start", name="Council", intent="a road", against="The Company", their_intent="a toll",
            advance=advance, defense=defense, traits=list(traits), **{"team": TEAM, **more},
        )  # fmt: skip

    def do(self, command: str, /, dice: Sequence[int] = (), choose: Sequence[str] = (), **args: Any) -> Any:
        before = self.game.state
        came = self.game.drive(f"conflict {command}", args, dice, choose)
        assert came.pending is None, f"still asked: {came.pending}"
        data, self.game.facts = data_with_clauses_in_words(came.data, self.game.speaker()), came.facts
        check_facts(self.game.facts, before, self.game.state, self.game.book)
        return data

    def act(self, who: str, action: str = "", **args: Any) -> Any:
        needs = action in ACTIONS and not ACTIONS[action].get("basic")
        given = {"skill": SKILL[who] if needs else "", "using": "", "recover": "", "next": "", **args}
        return self.do("act", who=who, action=action, **given)

    def secondary(self, who: str, to: str, *dice: int, choose: Sequence[str] = (), **args: Any) -> Any:
        return self.do("secondary", dice, choose, who=who, to=to, **{"skill": SKILL[who], **args})

    def hit(self, side: str, what: str, recover: str = "") -> Any:
        return self.do("hit", side=side, what=what, recover=recover)

    def scout(self, which: str = "", *dice: int, side: str = "") -> Any:
        return self.do("scout", dice, which=which, side=side)

    def concede(self, *complications: Any, side: str = "ours") -> Any:
        return self.do("concede", complications=[list(one) for one in complications], side=side)

    def oppose(self, action: str, **args: Any) -> Any:
        return self.do("oppose", action=action, **{"recover": "", "next": "", **args})

    def roll(self, *dice: int, choose: Sequence[str] = (), **args: Any) -> Any:
        given = {"weigh": WEIGH, "dis": {}, "stock": {}, "recover": "", **args}
        return self.do("roll", dice, choose, **given)

    def round(self, ours: Mapping[str, str], theirs: str, *dice: int, **args: Any) -> Any:
        """A round: what some of the team do, while the others pass."""
        for side in ("ours", "theirs"):
            for who in self.of(side, "team"):
                if who not in self.of(side, "withdrawn", []):
                    self.act(who, ours.get(who, "pass"))
        if not self.of("theirs", "team") and not self.of("theirs", "opposition"):
            self.oppose(theirs)
        return self.roll(*dice, **args)

    def all_pass(self, theirs: str = "block") -> Table:
        """Everybody who hasn't chosen yet passes; the opposition does what is said."""
        for who in self.of("ours", "team"):
            if who not in self.of("ours", "actions", {}):
                self.act(who, "pass")
        self.oppose(theirs)
        return self

    def get(self, path: str, default: Any = None) -> Any:
        return self.game.get(f"conflict.{path}", default)

    def of(self, side: str, key: str, default: Any = None) -> Any:
        return self.game.get(f"conflict.{side}.{key}", default)

    def set(self, side: str, **values: Any) -> Table:
        for key, value in values.items():
            self.game.set(f"conflict.{side}.{key}", value)
        return self

    def struck(self, ours: int, theirs: int = 0) -> Table:
        return self.set("ours", strikes=ours).set("theirs", strikes=theirs)


def odds(world: World, move: str, **args: Any) -> dict[tuple[str, tuple[str, ...]], Fraction]:
    """The exact chance of each outcome of a round with its Hits, from the move that plays it."""
    return {(key["outcome"], key["hits"]): chance for key, chance in outcomes_of_move(world, move, args)}


def bonuses(data: Any, side: str) -> tuple[int, int]:
    """What a side had on its two rolls besides the dice."""
    return data[side]["advance_bonus"], data[side]["defense_bonus"]
