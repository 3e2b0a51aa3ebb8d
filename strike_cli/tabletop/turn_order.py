"""Turn order by a list that goes round: the acting person, and the next ones.

It is read from a scene's table. `order` has each person once for each of their turns in a round, `active` is
the acting person. `initiative` is a person's roll, `initiatives` their rolls for several turns; `acted` is
the last round in which they had a turn, `taken` the number of turns in that round, for people with several;
`delayed` marks a person who waits for a better moment, `out` one who has no more turns.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Final

from ..values import Value

if TYPE_CHECKING:
    from .data import InOrder, OrderKept
else:
    InOrder = OrderKept = Mapping

ACTING = "acting"
"""The state of the person whose turn it is."""
WAITING = "waiting"
"""The state of a person whose turn in this round is still to come."""
ACTED: Final = "acted"
"""The state of a person who has had their turn in this round; in a scene's table the key of the last round in
which they had one."""
DELAYED: Final = "delayed"
"""The state of a person who waits for a better moment; also its key in a scene's table."""
HELD: Final = "held"
"""The state of a person who keeps their turn for later; also its key in a scene's table."""
OUT: Final = "out"
"""The state of a person who has no more turns; also its key in a scene's table."""
INITIATIVE: Final = "initiative"
"""The key in a scene's table of a person's roll for their place."""
INITIATIVES: Final = "initiatives"
"""The key in a scene's table of a person's rolls for each of several turns in a round."""
TAKEN: Final = "taken"
"""The key in a scene's table of the turns that a person with several has had in their last round."""

People = Mapping[str, InOrder]


class Entry(Value):
    """A place in the order: the person, their state in this round, and their initiative.

    `members` is above 1 for a group that acts as one.
    """

    __slots__ = ("initiative", "members", "state", "who")

    def __init__(
        self, who: str, state: str = WAITING, initiative: int | None = None, members: int = 1
    ) -> None:
        self.who = who
        self.state = state
        self.initiative = initiative
        self.members = members


def turns_taken(person: Mapping[str, object], now: int) -> int:
    """Return the number of turns that a person has had in round `now`."""
    taken = person.get(TAKEN, 1) if has_acted(person, now) else 0
    return taken if isinstance(taken, int) else 0


def has_acted(person: Mapping[str, object], now: int) -> bool:
    """Return whether a person has had a turn in round `now`."""
    acted = person.get(ACTED)
    return isinstance(acted, int) and acted >= now


_OrderPlace = tuple[str, InOrder, int, int]
"""A place in the order: the person, their table, the number of this turn, and the turns they have had."""


def _places(scene: OrderKept, people: People) -> Iterator[_OrderPlace]:
    passed: dict[str, int] = {}
    for person in scene.get("order", ()):
        if (one := people.get(person)) is not None:
            passed[person] = passed.get(person, 0) + 1
            yield person, one, passed[person], turns_taken(one, scene["round"])


def entries_of(scene: OrderKept, people: People) -> list[Entry]:
    """Return the order of a round, each place with its state; people who are out are included."""
    active = scene.get("active")
    return [
        Entry(place[0], _state_of(place, active), _initiative(place), place[1].get("count", 1))
        for place in _places(scene, people)
    ]


def begun(scene: OrderKept, people: People) -> list[bool]:
    """Return for each place whether its turn in this round has come: it is under way, over, or given up."""
    active = scene.get("active")
    return [place[3] >= place[2] or _is_acting(place, active) for place in _places(scene, people)]


def _is_acting(place: _OrderPlace, active: str | None) -> bool:
    person, _, number, had = place
    return person == active and number == had + 1


def _initiative(place: _OrderPlace) -> int | None:
    """Return the initiative rolled for this turn."""
    _, one, number, _ = place
    several: Sequence[int] = one.get(INITIATIVES, ())
    rolled: int | None = one.get(INITIATIVE)
    return several[number - 1] if number <= len(several) else rolled


def _state_of(place: _OrderPlace, active: str | None) -> str:
    _, one, number, had = place
    if "out" in one:
        return OUT
    if _is_acting(place, active):
        return ACTING
    return DELAYED if one.get(DELAYED) else ACTED if had >= number else WAITING


def waiting(scene: OrderKept, people: People) -> list[str]:
    """Return the people with a turn left in this round, in order, including the acting person.

    A person with two turns left is listed twice.
    """
    return list(_waiting(scene, people))


def _waiting(scene: OrderKept, people: People) -> Iterator[str]:
    return (
        person for person, one, number, had in _places(scene, people) if "out" not in one and had < number
    )


def next_up(scene: OrderKept, people: People) -> str | None:
    """Return the next person to act, in this round or at the start of the following one.

    Return None where nobody is left.
    """
    return next(chain(_waiting(scene, people), taking_turns(scene, people)), None)


def taking_turns(scene: OrderKept, people: People) -> Iterator[str]:
    """Yield the people who have a turn in each round, in order."""
    return (person for person, one, _, _ in _places(scene, people) if "out" not in one)


def next_in_list(left: Sequence[str], again: Sequence[str], active: str | None) -> tuple[str, ...]:
    """Return the next people to act.

    They are up to two of those with a turn left in this round, else the first of the following one, unless
    that person acts now.
    """
    return tuple(left[:2]) or tuple(person for person in again[:1] if person != active)
