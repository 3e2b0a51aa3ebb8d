"""What can be done in a chase, at which range, and what prediction and range give (STR-CH-01 to 06)."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Final, cast

from strike_cli.content.checks import Checks
from strike_cli.problems import Refused, Usage, listed
from strike_cli.user_cache import packaged_tables

if TYPE_CHECKING:
    from .data import ChaseAction, ChaseNumbers, ChaseSideId, RangeModifiers


def numbers() -> ChaseNumbers:
    """Return the tables of `numbers.toml`."""
    return cast("ChaseNumbers", packaged_tables(__package__, "ChaseNumbers"))


class ChaseChecks(Checks):
    """The tables of numbers."""

    def tables(self) -> None:
        """Tracks and actions."""
        numbers()


RUNNERS: Final = "runners"
CHASERS: Final = "chasers"
SIDES: Final[tuple[ChaseSideId, ChaseSideId]] = (RUNNERS, CHASERS)
CAUGHT, ESCAPED, CRASH, STOPPED = "caught", "escaped", "crash", "stopped"
FOLLOW, GIVE_UP = "follow", "give-up"
"""What the Chasers do about a Risk."""
CHANGES = {"up": 1, "down": -1, "keep": 0}
"""What the winner of a round may do with the Danger Level."""


def actions() -> Mapping[str, ChaseAction]:
    """Return the actions by their ids (STR-CH-02)."""
    return numbers()["actions"]


def track() -> list[str]:
    """Return the track from caught to escaped (STR-CH-01)."""
    return numbers()["track"]


def ranges() -> list[str]:
    """Return the ranges at which a chase goes on, nearest first (STR-CH-01)."""
    return track()[1:-1]


def danger_levels() -> list[int]:
    """Return every Danger Level there is (STR-CH-06)."""
    limits = numbers()["danger"]
    return list(range(limits["least"], limits["most"] + 1))


def levels_from(danger: int) -> list[int]:
    """Return the Danger Levels that a winner may choose from: this one and its neighbours (STR-CH-06)."""
    return [level for level in danger_levels() if abs(level - danger) <= 1]


def most_shooters(people: int) -> int:
    """Return how many of so many may shoot, where somebody else has to drive them (STR-CH-07)."""
    return people - 1


def as_side(side: str) -> ChaseSideId:
    """Return a word for a side as the type of sides."""
    return RUNNERS if side == RUNNERS else CHASERS


def other(side: str) -> ChaseSideId:
    """Return the other side."""
    return CHASERS if side == RUNNERS else RUNNERS


def possible(action: str, range_: str) -> bool:
    """Return whether the Runners may do that at a range (STR-CH-02). Anything may be predicted."""
    return range_ not in actions()[action]["not_at"]


def must_be_one(word: str | int, known: Collection[str] | Collection[int], what: str) -> None:
    """Refuse a word that is not among those known, with a Usage that lists them."""
    if word not in known:
        raise Usage(f"There is no {what} {word!r}.", f"One of: {listed(map(str, known))}.")


def must_be_possible(action: str, range_: str) -> None:
    """Refuse an action that the Runners can't take at a range (STR-CH-02).

    Refused lists those that they can take there; Usage says that there is no such action or range.
    """
    must_be_one(action, actions(), "action")
    must_be_one(range_, ranges(), "range")
    if not possible(action, range_):
        fits = listed(one for one in actions() if possible(one, range_))
        raise Refused(
            f"The Runners can't {actions()[action]['name']} at {range_.capitalize()} range.",
            f"At {range_.capitalize()} they can: {fits}.",
        )


def prediction_gives(action: str, prediction: str) -> str | None:
    """Return what a prediction gives the Chasers: `advantage`, `disadvantage` or None (STR-CH-03)."""
    return numbers()["prediction"][action].get(prediction)


def range_modifier(action: str, side: str, range_: str) -> int:
    """Return the Range Modifier of a side's roll (STR-CH-04, and for Hide STR-CH-05)."""
    table: RangeModifiers = actions()[action].get("range_modifiers", numbers()["range_modifiers"])
    return table[as_side(side)].get(range_, 0)
