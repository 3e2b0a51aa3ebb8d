"""The names of arguments in fights' commands, with the words that Tab offers for each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING

from strike_cli.problems import Problem
from strike_cli.terminal.argument_completions import Metavar
from strike_cli.terminal.name_lookup import ENCOUNTER as ENCOUNTER
from strike_cli.terminal.name_lookup import people_still_in_scene_suggester, short_content_id_suggester

if TYPE_CHECKING:
    from strike_cli.campaign import Campaign

Typed = Mapping[str, object]


def _typed_combatant_or_whose_turn(campaign: Campaign, typed: Typed) -> str:
    """Return the id of the typed combatant, else of the combatant whose turn it is, else ""."""
    from .argument_parsers import find_combatant

    for named in (typed.get("who"), "."):
        with suppress(Problem):
            if named:
                return find_combatant(campaign, str(named))
    return ""


def _reachable_then_all_square_names(campaign: Campaign, typed: Typed) -> Iterator[str]:
    """Yield the squares that the combatant can reach, then all squares of the map.

    Of all squares of the map, walls and empty space are left out.
    """
    from strike_cli.kernel.procedure import World
    from strike_cli.tabletop.grid import format_square

    from ..board.move import destinations
    from ..fight_state import Fight
    from .argument_parsers import must_find_fight

    fight = Fight(World(campaign.book, campaign.state))
    if combatant := _typed_combatant_or_whose_turn(campaign, typed):
        yield from map(format_square, sorted(destinations(fight, combatant), key=lambda square: square[::-1]))
    for y, row in enumerate(must_find_fight(campaign)["map"]["rows"]):
        yield from (format_square((x, y)) for x, sign in enumerate(row) if sign not in "# ")


def _short_ids_of_own_powers(campaign: Campaign, typed: Typed) -> Iterator[str]:
    from strike_cli.kernel.procedure import World

    from ..fight_state import Fight, ids_by_last_part_or_whole_id
    from ..powers.standard_powers_and_use_limits import STANDARD

    combatant = _typed_combatant_or_whose_turn(campaign, typed)
    fight = Fight(World(campaign.book, campaign.state))
    own = [*fight.sheet(combatant).get("powers", []), *STANDARD]
    yield from ids_by_last_part_or_whole_id(own)


def _short_ids_of_statuses_held(campaign: Campaign, typed: Typed) -> Iterator[str]:
    from .argument_parsers import must_find_fight

    for item in must_find_fight(campaign)["combatants"][_typed_combatant_or_whose_turn(campaign, typed)].get(
        "statuses", ()
    ):
        yield str(item["id"]).rpartition(":")[2]


def _zone_ids(campaign: Campaign, typed: Typed) -> Iterator[str]:
    from .argument_parsers import must_find_fight

    yield from must_find_fight(campaign).get("zones", ())


def duration_words(campaign: Campaign) -> list[str]:
    """Return the words for the duration of a status: strike's own words and those of plugins."""
    from strike_cli.tabletop.rules_vocabulary import DURATIONS, UNTIL

    brought = (*campaign.book.table("durations"), *campaign.book.table("moments"))
    return [each for each in (*DURATIONS, *UNTIL, *brought) if each != "until"]


def _preparable_action_words(campaign: Campaign, typed: Typed) -> Iterator[str]:
    yield from ("attack", "move", "charge")
    yield from _short_ids_of_own_powers(campaign, typed)


def _people_and_square_names(campaign: Campaign, typed: Typed) -> Iterator[str]:
    yield from people_still_in_scene_suggester("fight")(campaign, typed)
    yield from _reachable_then_all_square_names(campaign, typed)


def difficulty_words() -> tuple[str, ...]:
    """Return the words for the difficulty of a fight."""
    from ..rule_numbers import combat_numbers

    return tuple(combat_numbers()["difficulty"])


COMBATANT = Metavar("WHO", people_still_in_scene_suggester("fight"))
"""A combatant."""
SQUARE = Metavar("SQUARE", _reachable_then_all_square_names)
"""A square of the map; Tab offers squares in reach first."""
COMBATANT_AND_SQUARE = Metavar("WHO SQUARE", _people_and_square_names)
"""A combatant and a square."""
OWN_POWER = Metavar("POWER", _short_ids_of_own_powers)
"""A power of the actor."""
POWER = Metavar("POWER", short_content_id_suggester("powers"))
"""Any power."""
STATUS = Metavar("STATUS", short_content_id_suggester("statuses"))
"""Any status."""
STATUS_HELD = Metavar("STATUS", _short_ids_of_statuses_held)
"""A status that the combatant has."""
ZONE = Metavar("ZONE", _zone_ids)
"""A zone of the fight."""
HP_CHANGE = Metavar("-4|+4|7", counts=True)
"""A change of HP."""
DURATION = Metavar("WHEN", lambda campaign, typed: duration_words(campaign))
"""When a status or a zone ends."""
PREPARED_ACTION = Metavar("WHAT", _preparable_action_words)
"""A prepared action, as it is typed."""
CREATURES = Metavar("CREATURE:N", short_content_id_suggester("creatures"))
"""Creatures of a kind, with their number."""
DIFFICULTY = Metavar("HOW", words=difficulty_words)
"""The difficulty of a fight."""
HAZARD = Metavar("HAZARD", short_content_id_suggester("hazards"))
"""A hazard from which a zone is made."""
