"""Strikes and Miss Tokens: what is told of them, and what they are for."""

from strike_cli.kernel.statements import Clause, Fact, Person, Reason
from strike_cli.tabletop.facts import Skill


class GameMasterSays(Clause):
    """Why somebody takes a Strike: the game master says so."""

    says = "the game master says so"


class AttackRollOfOne(Clause):
    """Why somebody takes a Strike (STR-TAC-09)."""

    says = "an attack roll of 1"


class CostOfRoll(Clause):
    """Why somebody takes a Strike: the Cost of a Skill Roll (STR-TAC-14)."""

    skill: Skill = ""

    says = "the Cost of {skill:?{skill}|a roll}"


class HouseStrike(Clause):
    """Why somebody takes a Strike by the house rule `hp_strikes`."""

    why: str

    says = "{why:incapacitated=Incapacitated|taken-out=Taken Out|first Bloodied}"


class StrikeTaken(Fact):
    """A player takes a Strike, or several, and has so many now (STR-TAC-17)."""

    who: Person
    strikes: int
    why: Reason

    style = "warn"
    event = "cost"
    tone = "bad"
    headline = "A Strike"
    says = "{who} takes a Strike ({strikes} now)[: {why}]."


class TokenGained(Fact):
    """A player gains Miss Tokens and has so many `now` (STR-TAC-10)."""

    who: Person
    n: int
    now: int

    style = "dim"
    in_story = False
    event = "gain"
    tone = "good"
    headline = "{n:A Miss Token|{n} Miss Tokens}"
    says = "{who} gains {n:a Miss Token|{n} Miss Tokens} ({now} now)."
