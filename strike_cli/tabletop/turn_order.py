"""Whose turn it is and who comes next, by a list that goes round: read from a scene's table, whoever keeps
it.

`order` names somebody once for each turn that they have in a round, `active` is whose turn it is. Somebody's
`acted` is the last round in which they had a turn, `taken` how many of that round's, where they have several;
`delayed` says that they wait for a better moment, `out` that they have no turn any more.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

ACTING, WAITING, ACTED, DELAYED, HELD = "acting", "waiting", "acted", "delayed", "held"

People = Mapping[str, Mapping[str, Any]]


class Entry(NamedTuple):
    """A place in the order: whose it is, how it stands in this round, what they rolled for it. `count` is
    more than 1 for a group that acts as one."""

    who: str
    state: str = WAITING
    initiative: int | None = None
    members: int = 1


def turns_taken(one: Mapping[str, Any], now: int) -> int:
    """How many turns somebody has had in round `now`."""
    return int(one.get("taken", 1)) if one.get("acted", 0) >= now else 0


def entries_of(scene: Mapping[str, Any], people: People) -> list[Entry]:
    """The order of a round, each place with how it stands. Who is out has none."""
    found: list[Entry] = []
    passed: dict[str, int] = {}
    for who in scene.get("order", ()):
        one = people.get(who)
        if one is None or "out" in one:
            continue
        number = passed[who] = passed.get(who, 0) + 1
        had = turns_taken(one, scene["round"])
        acting = who == scene.get("active") and number == had + 1
        state = ACTING if acting else DELAYED if one.get("delayed") else ACTED if had >= number else WAITING
        found.append(Entry(who, state, one.get("initiative"), one.get("count", 1)))
    return found


def waiting(scene: Mapping[str, Any], people: People) -> list[str]:
    """Who has a turn left in this round, in order; twice for who has two."""
    left: list[str] = []
    passed: dict[str, int] = {}
    for who in scene.get("order", ()):
        passed[who] = passed.get(who, 0) + 1
        if "out" not in people[who] and turns_taken(people[who], scene["round"]) < passed[who]:
            left.append(who)
    return left


def next_up(scene: Mapping[str, Any], people: People) -> str | None:
    """Whose turn comes next, in this round or at the start of the following one; None where nobody is
    left."""
    left = waiting(scene, people) or [who for who in scene.get("order", ()) if "out" not in people[who]]
    return left[0] if left else None
