"""Objectives that decide a fight: escape, hold a place, protect creatures, last some rounds.

`objective_outcome` decides the fight. `objective_value_for_side` tells bots how much the party's progress
towards its objective is worth.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Literal

from strike_cli.problems import Refused, listed, pluralize
from strike_cli.tabletop.characters_and_names import checked_creature_size
from strike_cli.tabletop.encounters import parse_areas
from strike_cli.tabletop.grid import Grid, Square, footprint, format_square, parse_square
from strike_cli.tabletop.walking_distances import grid_with_doors_open

if TYPE_CHECKING:
    from strike_cli.tabletop.data import ObjectiveKept
    from strike_cli.tabletop.scene_change_facts import Left

    from ..data import Combatant, FightState

PARTY, ENEMIES = "party", "enemies"
TAKEN_OUT, LEFT = "taken-out", "left"

# The value of progress, in HP
VALUE_OF_ESCAPE = 8.0
"""The value of a party member that has got away, besides its HP."""
VALUE_PER_SQUARE_TO_EXIT = 0.6
"""The value of each square that a party member is nearer to the way out."""
VALUE_OF_FIRST_ON_PLACE, VALUE_OF_FURTHER_ON_PLACE = 4.0, 1.0
"""The value of the first party member on the place to be held (HELD), and of each further one.

An enemy there takes HELD away.
"""
VALUE_PER_SQUARE_TO_PLACE = 0.4
"""The value of each square that the nearest party member is nearer to the place to be held."""
VALUE_OF_PROTECTED_HP = 1.0
"""The value of each HP of a creature to be protected, besides the usual value of HP."""


def resolve_objective_for_fight(
    written: ObjectiveKept, combatants: Mapping[str, Combatant], grid: Grid
) -> ObjectiveKept:
    """Return an encounter's objective in the form that the state of a fight stores.

    Areas are listed square by square, and people by their ids in the fight. Raises Refused if nobody can be
    on the squares, or if a creature to be protected isn't on the party's side.
    """
    kept: ObjectiveKept = {}
    keys: tuple[Literal["reach", "hold"], ...] = ("reach", "hold")
    for key in keys:
        if squares := parse_areas(written.get(key, ())):
            if not any(grid.fits(square) for square in squares):
                raise Refused(f"Nobody can stand at the objective: {key}.", "Name squares of the map.")
            kept[key] = [format_square(square) for square in squares]
    people = []
    for ref in written.get("protect", ()):
        found = [
            combatant for combatant, one in combatants.items() if one["ref"] == ref and one["side"] == PARTY
        ]
        if not found:
            raise Refused(
                f"{ref!r} should be protected, but isn't on the party's side in this fight.",
                "Name them with --party, or on the map.",
            )
        people += found
    if people:
        kept["protect"] = people
    if written.get("rounds"):
        kept["rounds"] = written["rounds"]
    return kept


def objective_words(objective: ObjectiveKept, names: Mapping[str, str]) -> str:
    """Return the party's objective in words; `names` are the combatants' names, by id."""
    rounds, parts = objective.get("rounds"), list[str]()
    if reach := objective.get("reach"):
        within = f" within {pluralize(rounds, 'round')}" if rounds else ""
        parts.append(f"Get out by {_first_to_last_square_words(reach)}{within}")
    if hold := objective.get("hold"):
        parts.append(f"Hold {_first_to_last_square_words(hold)} for {pluralize(rounds or 0, 'round')}")
    if protect := objective.get("protect"):
        parts.append(f"Protect {listed(names[combatant] for combatant in protect)}")
    if rounds and not (reach or hold):
        parts.append(f"Last {pluralize(rounds, 'round')}")
    return ". ".join(parts)


def _first_to_last_square_words(squares: Sequence[str]) -> str:
    """Return squares in words: `B2 to G9` for a whole rectangle, else one by one."""
    xs, ys = zip(*map(parse_square, squares), strict=True)
    corners = [format_square((pick(xs), pick(ys))) for pick in (min, max)]
    whole = len({*squares}) == (max(xs) - min(xs) + 1) * (max(ys) - min(ys) + 1)
    return " to ".join(dict.fromkeys(corners)) if whole else listed(squares)


def objective_outcome(fight: FightState) -> str | None:
    """Return "won" or "lost" for the party if the objective has decided the fight, else None."""
    objective, people = fight["objective"], fight["combatants"]
    if any(people[combatant].get("out") == TAKEN_OUT for combatant in objective.get("protect", ())):
        return "lost"
    over = fight["round"] > objective.get("rounds", fight["round"])
    ours = {combatant: one for combatant, one in people.items() if one["side"] == PARTY}
    if "reach" in objective:
        if not any("out" not in one for one in ours.values()):
            return "won" if any(map(_got_away_by_exit_or_story, ours.values())) else "lost"
        return "lost" if over else None
    if not over:
        return None
    if "hold" in objective:
        return "won" if is_place_held_by_party(fight) else None
    return "won" if any("out" not in one for one in ours.values()) else None


def is_place_held_by_party(fight: FightState) -> bool:
    """Return whether a party member, and no enemy, is on the place to be held.

    Only creatures with HP left count.
    """
    there = {one["side"] for _, one in _conscious_people_on(fight, fight["objective"]["hold"])}
    return there == {PARTY}


def is_party_member_on_way_out(fight: FightState, combatant: str) -> bool:
    """Return whether a combatant of the party is on the objective's way out."""
    one, reach = fight["combatants"][combatant], fight.get("objective", {}).get("reach", ())
    return bool(reach) and one["side"] == PARTY and _is_on_squares(one, reach)


def leaves_short_of_way_out(fight: FightState, combatant: str, fact: Left) -> bool:
    """Return whether a combatant of the party leaves without getting away by the objective's way out.

    It is so if the combatant surrenders, or isn't on the way out and has no reason from the story. The result
    is False for enemies, and if the objective has no way out.
    """
    ours = fight["combatants"][combatant]["side"] == PARTY
    if not ours or "reach" not in fight.get("objective", {}):
        return False
    return fact.surrenders or not (fact.why or is_party_member_on_way_out(fight, combatant))


def _got_away_by_exit_or_story(combatant: Combatant) -> bool:
    return combatant.get("out") == LEFT and "summoned" not in combatant and "elsewhere" not in combatant


def _is_on_squares(combatant: Combatant, squares: Collection[str]) -> bool:
    if "at" not in combatant:
        return False
    own = footprint(parse_square(combatant["at"]), checked_creature_size(combatant["size"]))
    return any(format_square(part) in squares for part in own)


def _conscious_people_on(fight: FightState, squares: Collection[str]) -> Iterator[tuple[str, Combatant]]:
    return (
        (combatant, one)
        for combatant, one in fight["combatants"].items()
        if _is_on_map_with_hp(one) and _is_on_squares(one, squares)
    )


def _is_on_map_with_hp(combatant: Combatant) -> bool:
    return "out" not in combatant and "at" in combatant and combatant["hp"] > 0


# Progress


def objective_value_for_side(fight: FightState, side: str) -> float:
    """Return the value, in HP, of the party's progress towards its objective.

    For the enemies' side it is the negative value.
    """
    objective = fight["objective"]
    total: float = sum(
        VALUE_OF_PROTECTED_HP * max(0, fight["combatants"][combatant]["hp"])
        for combatant in objective.get("protect", ())
        if fight["combatants"][combatant].get("out") != TAKEN_OUT
    )
    if "reach" in objective:
        ours = [one for one in fight["combatants"].values() if one["side"] == PARTY]
        out: float = sum(
            VALUE_OF_ESCAPE + max(0, one["hp"]) for one in ours if _got_away_by_exit_or_story(one)
        )
        total += out - VALUE_PER_SQUARE_TO_EXIT * sum(
            steps_to_squares_with_doors_open(fight, objective["reach"], one)
            for one in ours
            if _is_on_map_with_hp(one)
        )
    if "hold" in objective:
        total += _value_of_place_to_hold(fight, objective["hold"])
    return total if side == PARTY else -total


def _value_of_place_to_hold(fight: FightState, squares: Sequence[str]) -> float:
    sides = [one["side"] for _, one in _conscious_people_on(fight, squares)]
    ours, theirs = sides.count(PARTY), sides.count(ENEMIES)
    if ours:
        return (
            VALUE_OF_FIRST_ON_PLACE
            + VALUE_OF_FURTHER_ON_PLACE * (ours - 1)
            - VALUE_OF_FIRST_ON_PLACE * theirs
        )
    ready = [one for one in fight["combatants"].values() if one["side"] == PARTY and _is_on_map_with_hp(one)]
    far = min((steps_to_squares_with_doors_open(fight, squares, one) for one in ready), default=0)
    return -VALUE_PER_SQUARE_TO_PLACE * far - VALUE_OF_FIRST_ON_PLACE * theirs


def objective_squares(fight: FightState, combatant: str) -> Sequence[str]:
    """Return the objective's squares that matter to a combatant.

    The squares of a place to be held matter to both sides. The squares of a way out matter only to the party.
    For other objectives, the result is empty.
    """
    objective, ours = fight.get("objective", {}), fight["combatants"][combatant]["side"] == PARTY
    squares: Sequence[str] = objective.get("hold", ()) or (objective.get("reach", ()) if ours else ())
    return squares


def steps_to_squares_with_doors_open(
    fight: FightState, squares: Sequence[str], combatant: Combatant, at: Square | None = None
) -> int:
    """Return the number of steps on foot to the nearest of `squares`; STEPS_WITHOUT_PATH without a path.

    The steps start at the combatant's square, or at `at`. Closed doors count as open.
    """
    grid, size, here = (
        grid_with_doors_open(fight["map"]),
        checked_creature_size(combatant["size"]),
        at or parse_square(combatant["at"]),
    )
    ways = (grid.distances_to(parse_square(square), size).get(here, STEPS_WITHOUT_PATH) for square in squares)
    return min([STEPS_WITHOUT_PATH, *ways])


STEPS_WITHOUT_PATH = 60
"""The number of steps if no path leads there."""
