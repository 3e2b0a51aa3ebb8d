"""The bot of fights by Grit: its options, its valuation of a fight, and its use by `strike sim`.

The rules are GRT-01 and 08.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache

from strike_cli.plugin import Bot, Option, Refused, World, refusal_of_move
from strike_cli.plugin.board import WalkingDistances, format_square
from strike_cli.plugin.sim import Lineup, SimulationRules
from strike_cli.plugin.tactics import PARTY, Spot

from .attack import GritAttack, weapons_and_bare_hands
from .dice import ATTRIBUTES, TRACK
from .facts import GONE
from .fight_setup import StartGritFight
from .fight_state import GritFight
from .harm import Settle, people_with_deferred_damage
from .healing_and_rest import Aid
from .morale import Morale, due_morale_occasions
from .movement_and_distances import (
    adjacent_closed_doors_towards,
    nearer_reachable_square,
    place_on_map,
    uses_worded_places,
)
from .turns_actions_and_fight_end import EndGritFight, GritMove, Next, SetGritDoor
from .vitals import FALLEN, states_of_attributes_at_zero

AT_ONCE = 3
"""The most targets that a bot considers for one blast, since each target multiplies the outcomes."""
UP, DOWN = 10.0, 1.0
"""What a combatant who is up is worth, and one who is down but can be helped."""
NEARER = 0.01
"""What each square nearer to a foe is worth."""


def bot_options(world: World) -> Iterator[Option]:
    """Yield the options of the acting side: due rolls first, then actions, then the next turn or the end."""
    if not world.get("grit"):
        return
    fight = GritFight(world)
    for combatant in people_with_deferred_damage(fight):
        yield Option("grit settle", Settle(who=combatant), ("settle", combatant))
    for combatant in due_morale_occasions(fight):
        yield Option("grit morale", Morale(who=combatant), ("morale", combatant))
    if not fight.result():
        for combatant in fight.combatants_up(fight.active):
            yield from _combatant_options(fight, combatant)
        yield Option("grit next", Next(), ("next",))
    else:
        yield Option("grit end", EndGritFight(), ("end",))


def _combatant_options(fight: GritFight, combatant: str) -> Iterator[Option]:
    """Yield the options of a combatant who may act: attacks and first aid.

    On a map, if no foe is in reach, there are also options to move towards the nearest foes, and to open the
    doors in the way.
    """
    if not fight.has_not_acted_this_round(combatant):
        return
    attacks = list(_attack_options_and_one_blast(fight, combatant))
    yield from attacks
    for other in fight.combatants_there():
        if FALLEN["str"] in states_of_attributes_at_zero(fight.people[other]):
            yield Option("grit aid", Aid(who=combatant, target=other), ("aid", combatant, other))
    if not attacks and not uses_worded_places(fight):
        here, apart = place_on_map(fight, combatant), dict[str, int]()
        for foe in _foes_up_unhidden_for_party(fight, fight.people[combatant]["side"]):
            if here and (there := place_on_map(fight, foe)):
                apart[foe] = fight.ways.walking_distance(*here, *there)
        nearest = min(apart.values(), default=0)
        for foe in (foe for foe, squares in apart.items() if squares == nearest):
            for at, beyond in adjacent_closed_doors_towards(fight, combatant, foe):
                typed = ("door", *filter(None, (at, beyond)))
                yield Option("grit door", SetGritDoor(at=at, beyond=beyond), typed)
            if goal := nearer_reachable_square(fight, combatant, foe):
                to = format_square(goal)
                yield Option("grit move", GritMove(who=combatant, to=to), ("move", combatant, to))


def _attack_options_and_one_blast(fight: GritFight, combatant: str) -> Iterator[Option]:
    """Yield the legal attacks of a combatant: each weapon on each foe that the weapon can reach.

    If a blast weapon can reach several foes, one attack on several of them follows, on at most AT_ONCE foes.
    If places are squares and the blast has a radius, this attack is left out.
    """
    foes = _foes_up_unhidden_for_party(fight, fight.people[combatant]["side"])
    for name, weapon in weapons_and_bare_hands(fight.world, combatant).items():
        options = {foe: _attack_option(combatant, [foe], name) for foe in foes}
        reached = [
            foe
            for foe, option in options.items()
            if refusal_of_move(fight.world, option.command, option.args) is None
        ]
        yield from map(options.__getitem__, reached)
        if weapon.blast and len(reached) > 1 and (uses_worded_places(fight) or not weapon.blast_radius):
            yield _attack_option(combatant, reached[:AT_ONCE], name)


def _attack_option(actor: str, targets: list[str], weapon: str) -> Option:
    args = GritAttack(who=actor, targets=targets, weapon=weapon)
    return Option("grit attack", args, ("attack", actor, *targets, "--with", weapon))


def side_value(world: World, side: str) -> float:
    """Return the value of the fight for a side; 0 without a fight.

    It is the value of the side's combatants minus the value of its foes. A little is subtracted for each
    square that the side's combatants would have to walk to the nearest foe.
    """
    if not world.get("grit"):
        return 0.0
    fight, total = GritFight(world), 0.0
    mine: list[Spot] = []
    for combatant in fight.combatants_there():
        if fight.people[combatant]["side"] == side:
            total += _combatant_value(fight, combatant)
            if place := place_on_map(fight, combatant):
                mine.append(place)
        else:
            total -= _combatant_value(fight, combatant)
    foes = (
        [place for other in _foes_up_unhidden_for_party(fight, side) if (place := place_on_map(fight, other))]
        if mine
        else []
    )
    return total - NEARER * _total_squares_to_foes(fight.ways, tuple(mine), tuple(foes)) if foes else total


@lru_cache(maxsize=1024)
def _total_squares_to_foes(ways: WalkingDistances, mine: tuple[Spot, ...], foes: tuple[Spot, ...]) -> int:
    """Return the total distance in squares from the combatants of a side to their foes.

    For each combatant, the walk to the nearest foe counts. `mine` are the places of the side's combatants,
    and `foes` are the places of the foes. The result is cached, since most options move nobody.
    """
    return sum(min(ways.walking_distance(*one, *foe) for foe in foes) for one in mine)


def _combatant_value(fight: GritFight, combatant: str) -> float:
    one = fight.people[combatant]
    if not fight.vitals_of(combatant).is_up:
        return DOWN
    dice = TRACK.index(one["str"]) + (TRACK.index(one["dex"]) + TRACK.index(one["wil"])) / 2
    return UP + 2 * dice + 0.5 * float(one["grit"]) - (1 if one.get("due") else 0)


def _foes_up_unhidden_for_party(fight: GritFight, side: str) -> list[str]:
    """Return the foes of `side` who are up. For the party, hidden ones are left out."""
    return [
        other
        for other in fight.combatants_up()
        if fight.people[other]["side"] != side and not (side == PARTY and fight.people[other].get("hidden"))
    ]


class GritBot(Bot):
    """The bot of fights by Grit."""

    def options(self, world: World) -> Iterator[Option]:
        return bot_options(world)

    def evaluate(self, world: World, side: str) -> float:
        """Return the value of the fight for `side`, by `side_value`."""
        return side_value(world, side)


def start_fight_option(world: World, encounter: str, lineup: Lineup) -> Option:
    """Return the option that starts the fight, `grit start`. Raises Refused if `lineup` has a difficulty."""
    if lineup.difficulty:
        raise Refused("Grit doesn't rate difficulty.", "--with CREATURE:N adds more.")
    args = StartGritFight(encounter=encounter, party=lineup.party, creatures=lineup.creatures)
    return Option("grit start", args, ("start", encounter))


def fight_result_for_party(world: World) -> str:
    """Return "won" or "lost" for the party, or "" while the fight goes on.

    It goes on as long as each side has somebody up, or Direct Damage waits for `grit settle`.
    """
    fight = GritFight(world)
    return "" if people_with_deferred_damage(fight) else fight.result()


def end_fight_option(world: World) -> Option | None:
    """Return the option that ends the fight, `grit end`."""
    return Option("grit end", EndGritFight(), ("end",))


def weapon_or_aid_used(option: Option, data: Mapping[str, object]) -> str:
    """Return what an option uses: the name of a weapon, "bare hands", or "aid" for first aid.

    It is "" for any option that is neither an attack nor first aid.
    """
    if option.command == "grit attack":
        return option.given(GritAttack).weapon or "bare hands"
    return "aid" if option.command == "grit aid" else ""


SIMULATED = SimulationRules(
    start_fight_option,
    fight_result_for_party,
    end_fight_option,
    health=("grit", *ATTRIBUTES),
    fells=ATTRIBUTES,
    unit="Grit and dice",
    used=weapon_or_aid_used,
    fled=tuple(GONE.values()),
)
