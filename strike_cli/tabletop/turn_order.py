"""Turn order by a list that goes round: whose turn it is, and who comes next.

Read from a scene's table. `order` names somebody once for each turn that they have in a round, `active` is
whose turn it is. Somebody's `initiative` is what they rolled, `initiatives` what for each of several turns;
`acted` is the last round in which they had a turn, `taken` how many of that round's, where they have
several; `delayed` says that they wait for a better moment, `out` that they have no turn any more.
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
"""It is their turn."""
WAITING = "waiting"
"""Their turn of this round is still to come."""
ACTED: Final = "acted"
"""They have had their turn of this round; in a scene's table the key of the last round in which they had
one."""
DELAYED: Final = "delayed"
"""They wait for a better moment; in a scene's table the key that says so."""
HELD: Final = "held"
"""They keep their turn for later; in a scene's table the key that says so."""
OUT: Final = "out"
"""They have no turn any more; in a scene's table the key that says so."""
INITIATIVE: Final = "initiative"
"""In a scene's table the key of what somebody rolled for their place."""
INITIATIVES: Final = "initiatives"
"""In a scene's table the key of what they rolled for each of several turns in a round."""
TAKEN: Final = "taken"
"""In a scene's table the key of how many turns they have had in the last round in which they had one, where
they have several."""

People = Mapping[str, InOrder]


class Entry(Value):
    """A place in the order: the person, their state in this round, and their initiative.

    `members` is more than 1 for a group that acts as one.
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
    """Return the number of turns that somebody has had in round `now`."""
    taken = person.get(TAKEN, 1) if has_acted(person, now) else 0
    return taken if isinstance(taken, int) else 0


def has_acted(person: Mapping[str, object], now: int) -> bool:
    """Return whether somebody has had a turn in round `now`."""
    acted = person.get(ACTED)
    return isinstance(acted, int) and acted >= now


_OrderPlace = tuple[str, InOrder, int, int]
"""A place in the order: whose, their entry, the number of their turn that it is, how many they have had."""


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
    """Return for each place whether its turn of this round has come: it is under way, over, or given up."""
    active = scene.get("active")
    return [place[3] >= place[2] or _is_acting(place, active) for place in _places(scene, people)]


def _is_acting(place: _OrderPlace, active: str | None) -> bool:
    person, _, number, had = place
    return person == active and number == had + 1


def _initiative(place: _OrderPlace) -> int | None:
    """Return the initiative rolled for this turn of theirs."""
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
    """Return the people who have a turn left in this round, in order, the acting person included.

    Somebody with two turns left comes twice.
    """
    return list(_waiting(scene, people))


def _waiting(scene: OrderKept, people: People) -> Iterator[str]:
    return (
        person for person, one, number, had in _places(scene, people) if "out" not in one and had < number
    )


def next_up(scene: OrderKept, people: People) -> str | None:
    """Return whose turn comes next, in this round or at the start of the following one.

    None where nobody is left.
    """
    return next(chain(_waiting(scene, people), taking_turns(scene, people)), None)


def taking_turns(scene: OrderKept, people: People) -> Iterator[str]:
    """Yield who has a turn in each round, in order."""
    return (person for person, one, _, _ in _places(scene, people) if "out" not in one)


def next_in_list(left: Sequence[str], again: Sequence[str], active: str | None) -> tuple[str, ...]:
    """Return the people who come next.

    They are up to two of those who have a turn left in this round, else the first of the following one,
    unless that person acts now.
    """
    return tuple(left[:2]) or tuple(person for person in again[:1] if person != active)
