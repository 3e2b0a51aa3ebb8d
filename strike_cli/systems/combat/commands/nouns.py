"""What may stand in places of commands of fights, for Tab, beyond the legal options: squares, powers, zones,
what somebody has."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING

from strike_cli.problems import Problem

from ..fight import ENEMIES, PARTY
from ..numbers import numbers
from .words import combatant, fight_of

if TYPE_CHECKING:
    from strike_cli.campaign import Campaign

Typed = Mapping[str, object]


def _who(campaign: Campaign, typed: Typed) -> str:
    """The combatant named so far, else whose turn it is; empty where there is neither."""
    for named in (typed.get("who"), "."):
        with suppress(Problem):
            if named:
                return combatant(campaign, str(named))
    return ""


def _squares(campaign: Campaign, typed: Typed) -> Iterator[str]:
    """Squares of the map under way, those in reach of who was named first."""
    from strike_cli.kernel.procedure import World
    from strike_cli.tabletop.grid import format_square

    from ..board.move import destinations
    from ..fight import Fight

    fight = Fight(World(campaign.book, campaign.state))
    if who := _who(campaign, typed):
        yield from map(format_square, sorted(destinations(fight, who), key=lambda square: square[::-1]))
    for y, row in enumerate(fight_of(campaign)["map"]["rows"]):
        yield from (format_square((x, y)) for x, sign in enumerate(row) if sign not in "# ")


def _powers(campaign: Campaign, typed: Typed) -> Iterator[str]:
    """The powers of who was named, by the short names that they may be typed as."""
    from strike_cli.kernel.procedure import World

    from ..fight import Fight, short_names
    from ..powers.uses import STANDARD

    who = _who(campaign, typed)
    fight = Fight(World(campaign.book, campaign.state))
    own = [*fight.sheet(who).get("powers", []), *STANDARD]
    yield from short_names(own)


def _statuses(campaign: Campaign, typed: Typed) -> Iterator[str]:
    """The statuses that somebody has."""
    for item in fight_of(campaign)["combatants"][_who(campaign, typed)].get("statuses", ()):
        yield str(item["id"]).rpartition(":")[2]


def _zones(campaign: Campaign, typed: Typed) -> Iterator[str]:
    yield from fight_of(campaign).get("zones", ())


def _durations(campaign: Campaign, typed: Typed) -> Iterator[str]:
    from strike_cli.tabletop.vocabularies import DURATIONS, UNTIL

    yield from (each for each in (*DURATIONS, *UNTIL) if each != "until")
    yield from (*campaign.book.table("durations"), *campaign.book.table("moments"))


def _actions(campaign: Campaign, typed: Typed) -> Iterator[str]:
    yield from ("attack", "move", "charge")
    yield from _powers(campaign, typed)


def _somebody(campaign: Campaign, typed: Typed) -> Iterable[str]:
    return [who for who, one in fight_of(campaign)["combatants"].items() if not one.get("out")]


def _creatures(campaign: Campaign, typed: Typed) -> Iterable[str]:
    return (key.rpartition(":")[2] for key in campaign.book.creatures)


def _who_and_where(campaign: Campaign, typed: Typed) -> Iterator[str]:
    yield from _somebody(campaign, typed)
    yield from _squares(campaign, typed)


NOUNS: dict[str, Callable[[Campaign, Typed], Iterable[str]]] = {
    "combat WHO": _somebody,
    "SQUARE": _squares,
    "combat P": _powers,
    "odds attack P": _powers,
    "combat use POWER": _powers,
    "combat status remove STATUS": _statuses,
    "combat escape STATUS": _statuses,
    "ZONE": _zones,
    "combat zone add NAME": lambda campaign, typed: (),
    "WHEN": _durations,
    "combat WHAT": _actions,
    "CREATURE:N": _creatures,
    "HOW": lambda campaign, typed: numbers()["difficulty"],
    "SIDE": lambda campaign, typed: (PARTY, ENEMIES),
    "WHO SQUARE": _who_and_where,
}
