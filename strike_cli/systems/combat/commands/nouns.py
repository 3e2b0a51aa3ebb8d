"""Names of the arguments of fights' commands, and their completions beyond the legal options.

They are for squares, powers, zones, and a creature's own powers and statuses.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING

from strike_cli.problems import Problem
from strike_cli.terminal.lookup import ENCOUNTER as ENCOUNTER
from strike_cli.terminal.lookup import content, people_of
from strike_cli.terminal.nouns import Noun

if TYPE_CHECKING:
    from strike_cli.campaign import Campaign

Typed = Mapping[str, object]


def _combatant_so_far(campaign: Campaign, typed: Typed) -> str:
    """Return the combatant named so far, else the one whose turn it is, else ""."""
    from .words import combatant

    for named in (typed.get("who"), "."):
        with suppress(Problem):
            if named:
                return combatant(campaign, str(named))
    return ""


def _squares(campaign: Campaign, typed: Typed) -> Iterator[str]:
    """Yield the squares of the map under way, or those in reach of the combatant named first."""
    from strike_cli.kernel.procedure import World
    from strike_cli.tabletop.grid import format_square

    from ..board.move import destinations
    from ..fight import Fight
    from .words import fight_of

    fight = Fight(World(campaign.book, campaign.state))
    if combatant := _combatant_so_far(campaign, typed):
        yield from map(format_square, sorted(destinations(fight, combatant), key=lambda square: square[::-1]))
    for y, row in enumerate(fight_of(campaign)["map"]["rows"]):
        yield from (format_square((x, y)) for x, sign in enumerate(row) if sign not in "# ")


def _powers(campaign: Campaign, typed: Typed) -> Iterator[str]:
    """Yield the powers of the named combatant, by their short names."""
    from strike_cli.kernel.procedure import World

    from ..fight import Fight, short_names
    from ..powers.uses import STANDARD

    combatant = _combatant_so_far(campaign, typed)
    fight = Fight(World(campaign.book, campaign.state))
    own = [*fight.sheet(combatant).get("powers", []), *STANDARD]
    yield from short_names(own)


def _statuses(campaign: Campaign, typed: Typed) -> Iterator[str]:
    """Yield the statuses that the named combatant has."""
    from .words import fight_of

    for item in fight_of(campaign)["combatants"][_combatant_so_far(campaign, typed)].get("statuses", ()):
        yield str(item["id"]).rpartition(":")[2]


def _zones(campaign: Campaign, typed: Typed) -> Iterator[str]:
    from .words import fight_of

    yield from fight_of(campaign).get("zones", ())


def _durations(campaign: Campaign, typed: Typed) -> Iterator[str]:
    from strike_cli.tabletop.vocabularies import DURATIONS, UNTIL

    yield from (each for each in (*DURATIONS, *UNTIL) if each != "until")
    yield from (*campaign.book.table("durations"), *campaign.book.table("moments"))


def _actions(campaign: Campaign, typed: Typed) -> Iterator[str]:
    yield from ("attack", "move", "charge")
    yield from _powers(campaign, typed)


def _people_and_squares(campaign: Campaign, typed: Typed) -> Iterator[str]:
    yield from people_of("fight")(campaign, typed)
    yield from _squares(campaign, typed)


def _difficulties() -> Iterable[str]:
    from ..numbers import numbers

    return list(numbers()["difficulty"])


COMBATANT = Noun("WHO", people_of("fight"))
"""The argument for a combatant."""
SQUARE = Noun("SQUARE", _squares)
"""The argument for a square of the map, squares in reach first."""
WAY = Noun("WHO SQUARE", _people_and_squares)
"""The arguments for a combatant and a square."""
OWN_POWER = Noun("POWER", _powers)
"""The argument for a power of the actor."""
POWER = Noun("POWER", content("powers"))
"""The argument for any power."""
STATUS = Noun("STATUS", content("statuses"))
"""The argument for any status."""
STATUS_HELD = Noun("STATUS", _statuses)
"""The argument for a status that the combatant has."""
ZONE = Noun("ZONE", _zones)
"""The argument for a zone of the fight."""
CHANGE = Noun("-4|+4|7", counts=True)
"""The argument for a change of HP."""
DURATION = Noun("WHEN", _durations)
"""The argument for the end of a status or a zone."""
DEED = Noun("WHAT", _actions)
"""The argument for a prepared action, as it is typed."""
CREATURES = Noun("CREATURE:N", content("creatures"))
"""The argument for a number of creatures of a kind."""
DIFFICULTY = Noun("HOW", words=_difficulties)
"""The argument for the difficulty of a fight."""
HAZARD = Noun("HAZARD", content("hazards"))
"""The argument for a hazard, which zones can be made of."""
