"""The tables of a chase: actions by range, and the effects of prediction and range (STR-CH-01 to 06)."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Final, cast

from strike_cli.content.system_checks import Checks
from strike_cli.problems import Refused, Usage, listed
from strike_cli.user_folders_and_cache import load_checked_packaged_file

if TYPE_CHECKING:
    from .data import ChaseAction, ChaseNumbers, ChaseSideId, RangeModifiers


def numbers() -> ChaseNumbers:
    """Return the tables of `numbers.toml`."""
    return cast("ChaseNumbers", load_checked_packaged_file(__package__, "ChaseNumbers"))


class ChaseChecks(Checks):
    """Checks of the chase rules' `numbers.toml`."""

    def check_tables(self) -> None:
        """Check the track and the actions."""
        numbers()


RUNNERS: Final = "runners"
CHASERS: Final = "chasers"
SIDES: Final[tuple[ChaseSideId, ChaseSideId]] = (RUNNERS, CHASERS)
CAUGHT, ESCAPED, CRASH, STOPPED = "caught", "escaped", "crash", "stopped"
FOLLOW, GIVE_UP = "follow", "give-up"
"""The Chasers' answers to a Risk."""
DANGER_CHANGES = {"up": 1, "down": -1, "keep": 0}
"""The changes of the Danger Level from which the winner of a round may choose."""


def actions() -> Mapping[str, ChaseAction]:
    """Return the Runners' possible actions, by id (STR-CH-02)."""
    return numbers()["actions"]


def track_places() -> list[str]:
    """Return the places of the track, from caught to escaped (STR-CH-01)."""
    return numbers()["track"]


def ranges() -> list[str]:
    """Return the ranges at which a chase goes on, the nearest first (STR-CH-01)."""
    return track_places()[1:-1]


def danger_levels() -> list[int]:
    """Return all Danger Levels (STR-CH-06)."""
    limits = numbers()["danger"]
    return list(range(limits["least"], limits["most"] + 1))


def danger_levels_next_to(danger: int) -> list[int]:
    """Return the Danger Levels from which a winner may choose: `danger` and its neighbours (STR-CH-06)."""
    return [level for level in danger_levels() if abs(level - danger) <= 1]


def most_shooters(people: int) -> int:
    """Return how many of these people may shoot, since one has to drive (STR-CH-07)."""
    return people - 1


def cast_to_side_id(side: str) -> ChaseSideId:
    """Return a side's name with the type `ChaseSideId`.

    The caller knows that it is one of the two sides.
    """
    return RUNNERS if side == RUNNERS else CHASERS


def other_side(side: str) -> ChaseSideId:
    """Return the side of a chase that isn't `side`."""
    return CHASERS if side == RUNNERS else RUNNERS


def is_action_possible(action: str, range_: str) -> bool:
    """Return whether the Runners may choose an action at a range (STR-CH-02).

    Predictions have no such limit.
    """
    return range_ not in actions()[action]["not_at"]


def must_be_known(word: str | int, known: Collection[str] | Collection[int], noun: str) -> None:
    """Raise Usage if `word` isn't in `known`; `noun` is the noun for the message."""
    if word not in known:
        raise Usage(f"There is no {noun} {word!r}.", f"One of: {listed(map(str, known))}.")


def must_be_possible_action(action: str, range_: str) -> None:
    """Raise Refused if the Runners can't choose an action at a range (STR-CH-02).

    Raises Usage for an unknown action or range.
    """
    must_be_known(action, actions(), "action")
    must_be_known(range_, ranges(), "range")
    if not is_action_possible(action, range_):
        fits = listed(one for one in actions() if is_action_possible(one, range_))
        raise Refused(
            f"The Runners can't {actions()[action]['name']} at {range_.capitalize()} range.",
            f"At {range_.capitalize()} they can: {fits}.",
        )


def prediction_effect(action: str, prediction: str) -> str | None:
    """Return a prediction's effect on the Chasers' roll (STR-CH-03).

    It is "advantage", "disadvantage" or None.
    """
    return numbers()["prediction"][action].get(prediction)


def range_modifier(action: str, side: str, range_: str) -> int:
    """Return the Range Modifier of a side's roll (STR-CH-04; for a Hide STR-CH-05)."""
    table: RangeModifiers = actions()[action].get("range_modifiers", numbers()["range_modifiers"])
    return table[cast_to_side_id(side)].get(range_, 0)
