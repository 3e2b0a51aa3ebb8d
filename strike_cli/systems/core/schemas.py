"""The forms of the core: Conditions, what a character's sheet says of Skills and points, what play changes of
it."""

from __future__ import annotations

from typing import Any

from strike_cli.tabletop.contribution_schemas import CONTRIBUTIONS
from strike_cli.validation import (
    NAME,
    Anything,
    Either,
    Flag,
    Known,
    ListOf,
    Number,
    OneOf,
    Record,
    Reference,
    TableOf,
    Text,
)

from .charges import TIMES
from .conditions import NEEDS

RECOVERY = Record(needs=(ListOf(OneOf(*NEEDS)), ...), text=(Text(), ...))
CONDITION = Record(
    name=(NAME, ...),
    severity=(OneOf("minor", "major", "wealth"), ...),
    summary=(Text(), ""),
    recovery=RECOVERY,  # what ends it; without one the game master says
    # so many of it become one of another
    escalates=Record(to=(Reference("conditions"), ...), at=(Number(2, 9), ...)),
    stacks=Flag(),  # whether each instance counts; unless said, those of Minor Conditions don't
    doubts=(Flag(), False),  # it touches Skills that are named when it is gained
    tags=(ListOf(Text()), []),
    override=(Flag(), False),
    **CONTRIBUTIONS,
)

_NAMED = Either(str, NAME, Record(name=(NAME, ...), skill=Text(), text=Text()))
CHARACTER: dict[str, Any] = {
    "skills": (ListOf(Text()), []),
    "tags": (TableOf(ListOf(Text())), {}),  # what a Skill is about, where a guess would be wrong
    "connections": (ListOf(Text()), []),
    "tools": (ListOf(Text()), []),
    "tricks": (ListOf(_NAMED), []),
    "complications": (ListOf(_NAMED), []),
    "relationships": (ListOf(Text()), []),
    "fallback": Text(),
    "ap": (Number(0, 99), 1),
}
"""What a character's sheet says of the core."""


def character_state(book: Any) -> dict[str, Any]:
    """What play changes of a character: `[characters.ID]` of state.toml."""
    return {
        "ap": Number(0),
        "conditions": ListOf(Known("conditions", book.conditions)),
        "doubts": ListOf(Text()),  # the Skills that Lost Confidence touches
        "skills_learned": ListOf(Text()),
        "flaws": ListOf(Record(id=(Text(), ...), on=(Text(), ...), text=Text())),
        "favors": ListOf(
            Record(
                id=(Text(), ...),
                to=(Text(), ...),
                text=Text(),
                reputation=Flag(),
                associates=ListOf(Text()),  # of those whom it is owed to
            )
        ),
        "banked": ListOf(
            Record(
                id=(Text(), ...),
                gives=(OneOf("advantage", "disadvantage"), ...),
                for_=(Text(), ...),
                why=Text(),
            )
        ),
        "tricks_gained": ListOf(Record(name=(Text(), ...), skill=Text())),
        "tricks_lost": ListOf(Text()),
        "complications_gained": ListOf(Text()),
        "complications_lost": ListOf(Text()),
        "fallback": Text(),
        "fallback_used": Number(0),  # the session in which it was
        "awesome_given": Number(0),  # the session in which the Awesome Point was
        "levels": Number(0),
        "skill_uses": TableOf(Number(0)),
        "trick_uses": TableOf(Number(0)),
        "complication_uses": Number(0),
        "charges": TableOf(Record(spent=(Number(1), ...), back=(OneOf(*TIMES), ...))),
        "last_roll": Anything(),
    }


def tasks_state(book: Any) -> ListOf:
    """What was tried already (Fun once): `tasks` of state.toml."""
    return ListOf(Record(who=(Text(), ...), task=(Text(), ...), intent=(Text(), ...), text=Text()))
