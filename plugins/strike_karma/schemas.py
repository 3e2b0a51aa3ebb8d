"""The forms: what sheets and encounters say, and the fight under way (CIN-01, 10)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, cast

from strike_cli.plugin import Checks, nearest
from strike_cli.plugin.forms import (
    Fault,
    Fields,
    Flag,
    ListOf,
    Number,
    OneOf,
    Place,
    Record,
    TableOf,
    Text,
    scene_form,
)

from .dice import DICE, MOST
from .fight import ENEMIES, OPEN, OVER, PARTY, PASSING

if TYPE_CHECKING:
    from .data import KarmaScene

    _OfKarma = Mapping[str, Mapping[str, Mapping[str, int]]]
    """`karma.groups` of an encounter: how many of each creature."""

DIE = OneOf(*DICE)
EXTRA = Record(die=(DIE, ...), what=(Text(), ...))
SHEET: Fields = {
    "karma": Record(
        hero=(Number(1, MOST), ...),  # Hero Dice, each a d6
        luck=DIE,  # players roll it for Instant Karma
        actions=(Number(1, 6), 1),  # in a round
        trope=EXTRA,
        trademark=EXTRA,
    )
}
"""What it adds to the sheets of characters and creatures."""
ENCOUNTER: Fields = {
    "karma": Record(
        groups=(TableOf(Number(1, 99)), {}),  # creatures that share a card, with counters
        at=(TableOf(Text()), {}),  # where there is no map: who is where, by words
        facts=(ListOf(Text()), []),
        counters=(TableOf(Number(0)), {}),
    )
}
"""What it adds to encounters."""

_ROLLING = Record(
    for_=ListOf(Text()), target=Number(1), against=ListOf(Text()), other=ListOf(Text()), no_roll=Flag()
)
_ACTION: Fields = {
    "what": (Text(), ...),
    "round": (Number(1), ...),
    "roll": (_ROLLING, ...),
    "secret": Flag(),
}
STATE = scene_form(
    {
        "pool": (Number(0), ...),
        "max_pool": (Number(1), ...),
        "karma": Number(0),
        "health_due": ListOf(Text()),
        "delayed_action": Record(**_ACTION, segment=(Number(1), ...), due=Number(1)),
        "conditional_action": Record(**_ACTION, if_=(Text(), ...)),
    },
    segment=(Number(1), ...),
    stage=(OneOf(OPEN, PASSING, OVER), ...),
    starter=Text(),
    holds=ListOf(Text()),
    facts=ListOf(Text()),
    counters=TableOf(Number(0)),
)
"""`[karma]` of state.toml."""


def state_faults(state: Mapping[str, object]) -> Iterator[Fault]:
    """Yield the faults of a fight beyond its form."""
    fight = cast("KarmaScene", state["karma"])
    there = [who for who, one in fight["people"].items() if "out" not in one]
    named = [(key, str(who)) for key in ("active", "starter") if (who := fight.get(key)) is not None]
    named += [("holds", str(who)) for who in fight.get("holds", ())]
    for key, who in named:
        if who not in there:
            yield Fault(Place("karma", key), f"{who!r} is not in the fight.{nearest(who, there)}")
    if fight.get("turns") != "pool" or not fight.get("round"):
        yield Fault(Place("karma"), "turns should be pool, and round 1 or more")
    if fight["stage"] == OPEN and "active" not in fight:
        yield Fault(Place("karma", "stage"), "open, and nobody has the initiative")
    for who, one in fight["people"].items():
        if one.get("side") not in (PARTY, ENEMIES) or "ref" not in one:
            yield Fault(Place("karma", "people", who), f"needs a ref, and {PARTY} or {ENEMIES} as its side")


def content_faults(kind: str, id: str, tables: Mapping[str, Mapping[str, object]]) -> Sequence[Fault]:
    """Return a fault for each group of an encounter without such a creature."""
    if kind != "encounters":
        return []
    encounter = cast("_OfKarma", tables[kind][id])
    creatures, own = tables["creatures"], encounter.get("karma", {})
    return [
        Fault(Place("karma", "groups", ref), f"there is no such creature.{nearest(ref, creatures)}")
        for ref in own.get("groups", {})
        if ref not in creatures
    ]


class KarmaChecks(Checks):
    """Faults that no form finds."""

    def content(self, kind: str, id: str, tables: Mapping[str, Mapping[str, object]]) -> Iterable[Fault]:
        return content_faults(kind, id, tables)

    def state(self, state: Mapping[str, object]) -> Iterable[Fault]:
        return state_faults(state)
