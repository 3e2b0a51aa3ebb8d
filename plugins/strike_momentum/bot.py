"""How the bot values a fight by Momentum, and the functions that `strike sim` calls (WSH-01, 16)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from strike_cli.plugin import Args, Bot, Option, PersonArgs, Refused, World
from strike_cli.plugin.board import DELAYED, format_square
from strike_cli.plugin.sim import Lineup, SimulationRules

from .abilities import UseAbility, reach_in_metres
from .action_costs import MomentumAction, usable_rp
from .attack import MomentumAttack
from .fight_start_end_and_summons import EndBattle, StartBattle
from .fight_state import Battle
from .initiative_and_rounds import RollInitiative
from .rule_constants import MOVEMENT
from .statuses import BLEEDING, GRABBED, PRONE, active_status_effects, holds_kept_up_by_payment
from .walking import WalkTo

if TYPE_CHECKING:
    from .data import MomentumAbility


STANDING_VALUE = 5.0
"""The value of a combatant who is up, added to their Vitality."""
DOWN_VALUE = 1.0
"""What a combatant who is down is worth."""
STATUS_EFFECT_VALUE, STANCE_VALUE = -2.0, 0.1
"""What a Status Effect is worth, and a helpful stance."""
COST_OF_A_POINT, COST_OF_A_METRE = 0.02, 0.004
"""The least gain for which an AP or RP is spent, and for which a metre is walked."""
COST_OF_DISTANCE, UNUSED_MOVEMENT_SHARE = 0.3, 0.5
"""The loss for each metre that an enemy is out of reach, and the share that unused movement makes up for."""
ACTIONS_AT_FOES = ("trip", "grab", "disarm", "blind", "shove", "climb")
ACTIONS_AT_ONESELF = ("defend", "take-cover", "hide")


def bot_options(world: World) -> Iterator[Option]:
    """Yield the options among which the bot chooses, by the stage that the fight has reached."""
    if not world.get("momentum"):
        return
    battle = Battle(world)
    if not battle.round:
        yield Option("momentum initiative", RollInitiative(), ("initiative",))
    elif battle.result():
        yield Option("momentum end", EndBattle(), ("end",))
    elif not battle.active:
        yield _option_without_args("turn")
        yield from (
            _option_for_combatant(one, "resume")
            for one in battle.combatants_there()
            if battle.people[one].get(DELAYED)
        )
    else:
        for combatant in battle.union_members(battle.active):
            yield from _options_in_turn_besides_ending_it(battle, combatant)
        yield from _reaction_options(battle)
        yield _option_without_args("end-turn")
        yield from (
            _option_for_combatant(combatant, "hold") for combatant in battle.union_members(battle.active)[:1]
        )


def _option_without_args(word: str) -> Option:
    return Option(f"momentum {word}", Args(), (word,))


def _option_for_combatant(combatant: str, word: str) -> Option:
    return Option(f"momentum {word}", PersonArgs(who=combatant), (word, combatant))


def _options_in_turn_besides_ending_it(battle: Battle, combatant: str) -> Iterator[Option]:
    if not battle.is_up(combatant):
        return
    foes = [foe for foe in battle.enemies(combatant) if battle.is_up(foe)]
    # Every weapon at hand, alone and with each maneuver
    weapons = battle.weapons(combatant)
    ready = [id for id, weapon in weapons.items() if battle.has_in_hand(combatant, id) or not weapon["hands"]]
    maneuvers = [
        id for id, ability in battle.sheet(combatant).table["abilities"].items() if ability["maneuver"]
    ]
    for foe in foes:
        for weapon in ready or ["bare hands"]:
            for maneuver in ("", *maneuvers):
                args = MomentumAttack(who=combatant, target=foe, with_=weapon, maneuver=maneuver)
                more = ("--maneuver", maneuver) if maneuver else ()
                yield Option("momentum attack", args, ("attack", combatant, foe, "--with", weapon, *more))
    for name, ability in battle.sheet(combatant).table["abilities"].items():
        if "rp" not in ability and not ability["maneuver"]:
            yield from _ability_options_on_foes_or_friends(battle, combatant, name, ability, foes, "use")
    yield from _all_action_options(battle, combatant, foes)
    yield from _approach_and_retreat_options(battle, combatant, foes)


def _ability_options_on_foes_or_friends(
    battle: Battle,
    actor: str,
    name: str,
    ability: MomentumAbility,
    targets_if_harmful: Iterable[str],
    word: str,
) -> Iterator[Option]:
    """Yield the options to use an Ability, one option for each possible target.

    An Ability that harms may target each of `targets_if_harmful`. Any other Ability may target each combatant
    of the actor's own side. A burst has one option and no target. An Ability that heals leaves out targets
    with full Vitality. For an Ability that summons or teleports, nothing is yielded.
    """
    if "summon" in ability or "teleport" in ability:
        return
    hurts = ability["attack"] or "dr" in ability or "damage" in ability
    if "burst" in ability:
        yield Option(f"momentum {word}", UseAbility(who=actor, ability=name), (word, actor, name))
        return
    friends = [one for one in battle.combatants_there() if battle.side(one) == battle.side(actor)]
    for target in targets_if_harmful if hurts else friends:
        if "heal" in ability and battle.people[target]["vitality"] >= battle.people[target]["max_vitality"]:
            continue
        yield Option(
            f"momentum {word}",
            UseAbility(who=actor, ability=name, targets=[target]),
            (word, actor, name, target),
        )


def _reaction_options(battle: Battle) -> Iterator[Option]:
    for combatant in battle.combatants_there():
        if usable_rp(battle, combatant):
            foes = [foe for foe in battle.enemies(combatant) if battle.is_up(foe)]
            for name, ability in battle.sheet(combatant).table["abilities"].items():
                if "rp" in ability:
                    yield from _ability_options_on_foes_or_friends(
                        battle, combatant, name, ability, foes, "react"
                    )


def _all_action_options(battle: Battle, combatant: str, foes: Iterable[str]) -> Iterator[Option]:
    beside = [foe for foe in foes if battle.gap(combatant, foe) <= 1]
    for foe in beside:
        yield from (_action_option(combatant, action, foe) for action in ACTIONS_AT_FOES)
    yield from _recovery_and_upkeep_options(battle, combatant)
    yield from (_action_option(combatant, action) for action in ACTIONS_AT_ONESELF)
    if not beside:
        yield from (_action_option(combatant, action) for action in ("move", "sprint"))
    yield from _draw_and_item_options(battle, combatant)
    yield from _door_options(battle, combatant, foes)


def _door_options(battle: Battle, combatant: str, foes: Iterable[str]) -> Iterator[Option]:
    """Yield options to open the closed doors on the way to an enemy."""
    here, size, ways = battle.at(combatant), battle.size(combatant), battle.ways
    ahead = (ways.closed_doors_ahead(here, size, battle.at(foe)) for foe in foes)
    for at in dict.fromkeys(format_square(beyond or square) for found in ahead for square, beyond in found):
        args = MomentumAction(who=combatant, action="interact", at=at)
        yield Option("momentum act", args, ("act", combatant, "interact", "--at", at))


def _recovery_and_upkeep_options(battle: Battle, combatant: str) -> Iterator[Option]:
    """Yield options to shake off a climber, stand up, break free, keep up a hold, or stop bleeding.

    Bleeding can be stopped on anybody of the combatant's side.
    """
    yield from (_action_option(combatant, "shake-off", rider) for rider in battle.riders(combatant))
    if battle.has_status(combatant, PRONE):
        yield _action_option(combatant, "stand")
    for status in battle.people[combatant].get("statuses", ()):
        if status["id"] == GRABBED and status.get("by"):
            yield _action_option(combatant, "break-free", status["by"])
    for group in holds_kept_up_by_payment(battle, combatant).values():
        if not all(one.get("later") for _, one in group):
            yield _action_option(combatant, "keep-up", group[0][0])
    for other in battle.combatants_there():
        if battle.has_status(other, BLEEDING) and battle.side(other) == battle.side(combatant):
            yield _action_option(combatant, "stabilize", other)


def _draw_and_item_options(battle: Battle, combatant: str) -> Iterator[Option]:
    """Yield options to draw another weapon; for a wounded combatant, also options to use an item."""
    one = battle.people[combatant]
    for weapon, written in battle.weapons(combatant).items():
        if written["hands"] and not battle.has_in_hand(combatant, weapon):
            yield _item_option(combatant, "switch-weapons", weapon)
    if one["vitality"] < one["max_vitality"]:
        yield from (
            _item_option(combatant, "use-item", item) for item, left in one.get("items", {}).items() if left
        )


def _item_option(actor: str, action: str, thing: str) -> Option:
    args = MomentumAction(who=actor, action=action, items=[thing])
    return Option("momentum act", args, ("act", actor, action, "--item", thing))


def _action_option(actor: str, action: str, target: str = "") -> Option:
    args = MomentumAction(who=actor, action=action, target=target)
    return Option("momentum act", args, ("act", actor, action, *((target,) if target else ())))


def _approach_and_retreat_options(battle: Battle, combatant: str, foes: Iterable[str]) -> Iterator[Option]:
    """Yield walks to the square nearest to each enemy, and to the square farthest from all of them."""
    if not battle.people[combatant]["movement"]:
        return
    squares = battle.reachable(combatant, battle.people[combatant]["movement"])
    size, ways = battle.size(combatant), battle.ways

    def walking_metres_from(square: tuple[int, int], foe: str) -> int:
        return ways.walking_distance(square, size, *battle.spot(foe))

    foes = list(foes)
    goals = {
        min(squares, key=lambda square: (walking_metres_from(square, foe), squares[square], square))
        for foe in foes
    }
    if foes:
        goals.add(
            max(squares, key=lambda square: (min(walking_metres_from(square, foe) for foe in foes), square))
        )
    for square in sorted(goals - {battle.at(combatant)}):
        to = format_square(square)
        yield Option("momentum move", WalkTo(who=combatant, to=to), ("move", combatant, to))


# The value of a position


def side_value_minus_opponents(world: World, side: str) -> float:
    """Return the value of the fight for a side; 0 without a fight.

    The values of the side's combatants are added, and the values of the other side's combatants are
    subtracted. If a combatant of the side has no enemy in reach, something is subtracted for its position.
    This is more, the farther away the nearest enemy is.
    """
    if not world.get("momentum"):
        return 0.0
    battle = Battle(world)
    standing = sum(
        _combatant_value_apart_from_position(battle, combatant)
        * (1 if battle.side(combatant) == side else -1)
        for combatant in battle.combatants_there()
    )
    return standing + sum(
        _position_value(battle, combatant)
        for combatant in battle.combatants_there()
        if battle.side(combatant) == side
    )


def _combatant_value_apart_from_position(battle: Battle, combatant: str) -> float:
    one = battle.people[combatant]
    if one.get("object"):
        return 0.0
    value = float(one["vitality"]) + (DOWN_VALUE if one.get("down") else STANDING_VALUE)
    for item in active_status_effects(battle, combatant):
        if item.definition["category"] != "stance":
            value += STATUS_EFFECT_VALUE
        elif _is_threatened_now_or_after_a_move(battle, combatant):
            value += STANCE_VALUE
    value -= COST_OF_A_POINT * float(one.get("spent", 0) + one.get("reacted", 0))
    return value - COST_OF_A_METRE * float(one.get("gone", 0))


def _is_threatened_now_or_after_a_move(battle: Battle, combatant: str) -> bool:
    """Return whether an enemy could attack a combatant now, or after one basic movement.

    If no enemy could do so, the combatant gains nothing from a stance.
    """
    return any(
        battle.gap(combatant, foe) <= _longest_ready_attack_reach(battle, foe) + MOVEMENT
        for foe in battle.enemies(combatant)
        if battle.is_up(foe)
    )


def _position_value(battle: Battle, combatant: str) -> float:
    """Return how good a combatant's position is: 0 if an enemy is in reach, below 0 if none is.

    The farther away the nearest enemy is, the lower is the value. It is also 0 if the combatant isn't up, or
    if no enemy is up.
    """
    if not battle.is_up(combatant):
        return 0.0
    far = _longest_ready_attack_reach(battle, combatant)
    foes = [
        _metres_to_walk_until_in_reach(battle, combatant, foe, far)
        for foe in battle.enemies(combatant)
        if battle.is_up(foe)
    ]
    if not foes:
        return 0.0
    off = min(foes)
    return -COST_OF_DISTANCE * (
        off - UNUSED_MOVEMENT_SHARE * min(off, int(battle.people[combatant]["movement"]))
    )


def _metres_to_walk_until_in_reach(battle: Battle, combatant: str, foe: str, reach: int) -> int:
    """Return how many metres a combatant has to walk until an enemy is within `reach`.

    If the combatant sees the enemy, this is the distance minus the reach. If not, it is the length of the
    walk to the enemy minus 1 m, and at least 1.
    """
    here, there = battle.spot(combatant), battle.spot(foe)
    apart = battle.gap(here, there)
    if apart <= 1 or battle.grid.has_line_of_sight(here.square, there.square, here.size, there.size):
        return max(0, apart - reach)
    return max(1, battle.ways.walking_distance(*here, *there) - 1)


def _longest_ready_attack_reach(battle: Battle, combatant: str) -> int:
    weapons = [
        weapon
        for id, weapon in battle.weapons(combatant).items()
        if battle.has_in_hand(combatant, id) or not weapon["hands"]
    ]
    abilities = [
        one for one in battle.sheet(combatant).table["abilities"].values() if one["attack"] or "dr" in one
    ]
    return max((*map(reach_in_metres, weapons), *map(reach_in_metres, abilities)), default=1)


class MomentumBot(Bot):
    """The bot of fights by Momentum."""

    def options(self, world: World) -> Iterator[Option]:
        return bot_options(world)

    def evaluate(self, world: World, side: str) -> float:
        return side_value_minus_opponents(world, side)


ARGUMENT_NAMING_TOOL = {
    "momentum attack": "with",
    "momentum use": "ability",
    "momentum react": "ability",
    "momentum act": "action",
}
"""For each command, the argument that names the weapon, the Ability or the action."""


def start_fight_option(world: World, encounter: str, lineup: Lineup) -> Option:
    """Return the option that starts the fight, `momentum start`.

    Raises Refused if `lineup` has a difficulty.
    """
    if lineup.difficulty:
        raise Refused("Momentum doesn't rate difficulty.", "--with CREATURE:N adds more.")
    args = StartBattle(encounter=encounter, party=lineup.party, creatures=lineup.creatures)
    return Option("momentum start", args, ("start", encounter))


def fight_result(world: World) -> str:
    """Return "won" or "lost" for the party, or "" as long as both sides have somebody up."""
    return Battle(world).result()


def end_fight_option(world: World) -> Option | None:
    """Return the option that ends the fight, `momentum end`."""
    return Option("momentum end", EndBattle(), ("end",))


def weapon_ability_or_action_used(option: Option, data: Mapping[str, object]) -> str:
    """Return the weapon, Ability or action that an option uses; "" if it uses none."""
    key = ARGUMENT_NAMING_TOOL.get(option.command, "")
    return str(option.args.in_full().get(key, "")) if key else ""


SIMULATED = SimulationRules(
    start_fight_option,
    fight_result,
    end_fight_option,
    health=("vitality",),
    fells=("vitality",),
    unit="Vitality",
    counted=("momentum",),
    used=weapon_ability_or_action_used,
)
