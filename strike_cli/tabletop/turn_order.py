"""The turn order by a list that goes round: the person acting, and the people who come next.

It is read from the table of a scene. `order` has each person once for each turn in a round. `active` is the
person acting. `initiative` is a person's rolled initiative, and `initiatives` has one for each turn of a
person with several. `acted` is the last round in which a person had a turn, and `taken` is the number of
turns in that round. `delayed` marks a person who waits for a better moment. `out` marks a person without
further turns.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Final

from ..immutable_records import Value

if TYPE_CHECKING:
    from .data import InOrder, OrderKept
else:
    InOrder = OrderKept = Mapping

ACTING = "acting"
"""The state of the one who has the turn."""
WAITING = "waiting"
"""The state of somebody whose turn in this round is still to come."""
ACTED: Final = "acted"
"""The state of somebody who has had their turn in this round.

In the table of a scene it is the key of the last round in which they had one.
"""
DELAYED: Final = "delayed"
"""The state of somebody who waits for a better moment; also the key for it in a scene's table."""
HELD: Final = "held"
"""The state of somebody who keeps their turn for later; also the key for it in a scene's table."""
OUT: Final = "out"
"""The state of somebody who has no more turns; also the key for it in a scene's table."""
INITIATIVE: Final = "initiative"
"""The key in a scene's table for what somebody rolled for their place."""
INITIATIVES: Final = "initiatives"
"""The key in a scene's table for what somebody rolled for each of several turns in a round."""
TAKEN: Final = "taken"
"""The key in a scene's table for how many turns somebody with several has had in their last round."""

People = Mapping[str, InOrder]


class Entry(Value):
    """A place in the turn order: the person or side (`who`), with a state and an initiative.

    `state` is the state of this turn in the present round, such as WAITING. `members` is above 1 for a group
    that acts as one.
    """

    who: str
    state: str = WAITING
    initiative: int | None = None
    members: int = 1


def turns_taken(person: Mapping[str, object], round_number: int) -> int:
    """Return the number of turns that a person has had in round `round_number`."""
    taken = person.get(TAKEN, 1) if has_acted(person, round_number) else 0
    return taken if isinstance(taken, int) else 0


def has_acted(person: Mapping[str, object], round_number: int) -> bool:
    """Return whether a person has had a turn in round `round_number`."""
    acted = person.get(ACTED)
    return isinstance(acted, int) and acted >= round_number


_OrderPlace = tuple[str, InOrder, int, int]
"""A place in the order: who has it, their table, which of their turns it is, and how many they have had."""


def order_entries(scene: OrderKept, people: People) -> list[Entry]:
    """Return the entries of a round's turn order, each with its state.

    Entries of people who are out of the fight are included.
    """
    active = scene.get("active")
    return [
        Entry(place[0], _turn_state(place, active), _rolled_initiative(place), place[1].get("count", 1))
        for place in _order_places(scene, people)
    ]


def _order_places(scene: OrderKept, people: People) -> Iterator[_OrderPlace]:
    passed: dict[str, int] = {}
    for person in scene.get("order", ()):
        if (one := people.get(person)) is not None:
            passed[person] = passed.get(person, 0) + 1
            yield person, one, passed[person], turns_taken(one, scene["round"])


def which_turns_have_begun(scene: OrderKept, people: People) -> list[bool]:
    """Return, for each place in the turn order, whether the turn at that place has begun.

    A turn has begun if it is under way, over, or given up.
    """
    active = scene.get("active")
    return [place[3] >= place[2] or _is_acting(place, active) for place in _order_places(scene, people)]


def _is_acting(place: _OrderPlace, active: str | None) -> bool:
    person, _, number, had = place
    return person == active and number == had + 1


def _rolled_initiative(place: _OrderPlace) -> int | None:
    """Return the rolled initiative of the turn at a place in the order, or None."""
    _, one, number, _ = place
    several: Sequence[int] = one.get(INITIATIVES, ())
    rolled: int | None = one.get(INITIATIVE)
    return several[number - 1] if number <= len(several) else rolled


def _turn_state(place: _OrderPlace, active: str | None) -> str:
    _, one, number, had = place
    if "out" in one:
        return OUT
    if _is_acting(place, active):
        return ACTING
    return DELAYED if one.get(DELAYED) else ACTED if had >= number else WAITING


def turns_left_in_round(scene: OrderKept, people: People) -> list[str]:
    """Return the people with a turn left in this round, in order.

    The person acting is included. A person with two turns left is there twice.
    """
    return list(_people_of_turns_not_over_in_round(scene, people))


def _people_of_turns_not_over_in_round(scene: OrderKept, people: People) -> Iterator[str]:
    return (
        person
        for person, one, number, had in _order_places(scene, people)
        if "out" not in one and had < number
    )


def first_with_turn_left(scene: OrderKept, people: People) -> str | None:
    """Return the first person with a turn left in this round, or else the first person of the next round.

    While a turn is under way, the result can be the person whose turn it is. It is None if nobody can have
    another turn.
    """
    return next(
        chain(_people_of_turns_not_over_in_round(scene, people), person_of_each_turn(scene, people)), None
    )


def person_of_each_turn(scene: OrderKept, people: People) -> Iterator[str]:
    """Yield the person of each turn in a round, in order; people who are out are left out."""
    return (person for person, one, _, _ in _order_places(scene, people) if "out" not in one)


def next_two_or_first_of_next_round(
    left: Sequence[str], next_round: Sequence[str], active: str | None
) -> tuple[str, ...]:
    """Return the people who act next: at most two of this round, or one of the next round.

    `left` has the people with a turn left in this round. The first two of them are returned. If `left` is
    empty, the first person of `next_round` is returned. If that person is `active` now, the result is empty.
    """
    return tuple(left[:2]) or tuple(person for person in next_round[:1] if person != active)
