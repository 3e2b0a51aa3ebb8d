"""Powers: their users, their ranges, and their possible targets (STR-TAC-12, 13)."""

# No `from __future__ import annotations`: a NamedTuple would compile each annotation at every start.

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Literal, NamedTuple, cast

from strike_cli.deprecated_api_names import add_old_names
from strike_cli.immutable_records import Value
from strike_cli.kernel.procedure import Happen
from strike_cli.kernel.state_changes import cached_values_of
from strike_cli.kernel.statements import Reason
from strike_cli.problems import Refused, is_not_refused
from strike_cli.tabletop.active_effects import ActiveEffect, effect_banning
from strike_cli.tabletop.characters_and_names import require_action_points
from strike_cli.tabletop.dice import Modifier, Source, typed_sources
from strike_cli.tabletop.grid import Square, format_square

from ..board.areas import AIMED, area_squares, may_aim_area_at, squares_to_aim_at
from ..board.sight_and_hiding import is_hidden_from, must_see
from ..facts.effects_and_causes import ByPower
from ..fight_state import (
    ActorArgs,
    Fight,
    adjusted_number_and_reasons,
    area_shape_of,
    names_of_changeable_numbers,
    parse_square_argument,
)
from ..reactions.reaction_events_and_moments import Moment, ReactionEvent
from ..steps import EVENT_CHANGING_STEPS, KEYS_WITH_STEPS, PARTS, UNROLLED, steps_with_nested
from .standard_powers_and_use_limits import MELEE_BASIC, RALLY, RANGED_BASIC, STANDARD, Power, must_have_uses

if TYPE_CHECKING:
    from ..data import BasicAttack, OpportunityData, PowerWritten


def has_limited_uses(power: Power) -> bool:
    """Return whether the number of uses of a power is limited."""
    return power["usage"] == "encounter" or "uses" in power or "charges" in power


SEE_MAP = "`strike combat map` shows all positions."


class NamedModifier(NamedTuple):
    """A flat modifier that a player types, and its reason."""

    value: int
    reason: str


class ActorWithRollReasons(ActorArgs):
    """The arguments of a command of a combatant, with the reasons that somebody typed for its roll.

    `adv` and `dis` are reasons for Advantage and Disadvantage. `mods` are modifiers, each with its reason.
    """

    adv: Sequence[str] = ()
    dis: Sequence[str] = ()
    mods: Sequence[NamedModifier] = ()

    @property
    def sources(self) -> tuple[Source, ...]:
        """The sources of Advantage and Disadvantage."""
        return tuple(typed_sources(self.adv, self.dis))

    @property
    def modifiers(self) -> tuple[Modifier, ...]:
        """The modifiers of the roll."""
        return tuple(Modifier(*given) for given in self.mods)


class Aim(Value):
    """The aim of a power: its targets and, for an area, its place.

    Attributes:
        targets: The ids of the targets.
        melee: Whether the attack is a melee attack.
        at: The square at which an area is aimed.
        squares: The squares of that area.
    """

    targets: tuple[str, ...]
    melee: bool = False
    at: Square | None = None
    squares: frozenset[Square] = frozenset()


class PowerUseTally:
    """The damage in HP that a power has dealt so far, and the Opportunities that its steps gave."""

    __slots__ = ("dealt", "opportunities")

    def __init__(self) -> None:
        self.dealt = 0
        self.opportunities: list[OpportunityData] = []


class PowerUse(NamedTuple):
    """One use of a power by the creature `who`, with everything on which its rolls and steps depend.

    - `granted`: true if another power grants this attack (STR-TAC-04).
    - `reacting`: true if the use is a reaction; nothing reacts to a reaction. `event` is the event that
      causes the reaction.
    - `tally`: the damage dealt so far.
    - `conditions_met`: those conditions of steps (`if`) that are met.
    - `original_targets`: if another creature takes a target's place, maps the other creature to the target.
    - `held`, `moment`, `giver`: set if a status or trait plays the steps. They are that status or trait, the
      moment it reacts to, and the status's giver.
    - `already_attacked`: the creatures that a chain of granted attacks has already attacked.
    - `target_squares`: the squares of the targets of a power that grants attacks.
    """

    who: str
    power: Power
    aim: Aim
    sources: tuple[Source, ...] = ()
    modifiers: tuple[Modifier, ...] = ()
    granted: bool = False
    reacting: bool = False
    tally: PowerUseTally | None = None
    event: ReactionEvent | None = None
    original_targets: Mapping[str, str] = {}
    already_attacked: tuple[str, ...] = ()
    target_squares: tuple[Square, ...] = ()
    conditions_met: frozenset[str] = frozenset()
    held: ActiveEffect | None = None
    moment: Moment | None = None
    giver: str = ""


add_old_names(
    PowerUse,
    answering="event",
    instead="original_targets",
    holding="conditions_met",
    struck="already_attacked",
    places="target_squares",
)


def power_as_reason(power: Power, actor: str = "") -> Reason:
    """Return a reason that names a creature's power.

    If the power has the key `called`, the reason is the text of this key. Otherwise the reason is a clause
    that names the power and its owner, `actor`.
    """
    found: Reason = power.get("called") or ByPower(power["id"], actor)
    return found


def mark_with_power_user(use: PowerUse, target: str, happen: Happen) -> Happen:
    """Return a fact about `target`, marked with the user of the power that causes the fact.

    Audiences that don't know of the user don't see the fact.
    """
    if use.who == target:
        return happen
    return Happen(happen.fact.attributed_to(power_of=use.who))


# A combatant's powers


def require_power_as_user_has_it(fight: Fight, actor: str, power: str) -> Power:
    """Return a power with its user's own numbers.

    A basic attack has the damage and the range that are on the sheet. Raises Refused if the combatant doesn't
    have the power.
    """
    known, asked = cached_values_of(fight.world), (_make_power_of_user, actor, power)
    found: Power | None = known.get(asked)
    if found is None:
        found = known[asked] = _make_power_of_user(fight, actor, power)
    return found


def _make_power_of_user(fight: Fight, actor: str, power: str) -> Power:
    sheet = fight.sheet(actor)
    if power not in fight.world.book.powers:
        raise Refused(f"There is no power {power!r}.", "`strike content list powers` lists them.")
    written: PowerWritten = fight.world.book.powers[power]
    found = cast("Power", {"id": power, **written})
    way: Literal["reach", "range"]
    if power == MELEE_BASIC:
        melee: BasicAttack = sheet.get("melee", {})
        found["damage"] = melee.get("damage", found["damage"])
        found["reach"] = melee.get("reach", found["reach"])
    elif power == RANGED_BASIC:
        none: BasicAttack = {}
        ranged = sheet.get("ranged", none)
        if ranged is False:
            raise Refused(
                f"{fight.name(actor)} has no ranged attack.",
                "`strike combat charge TARGET` or a move brings them into reach.",
            )
        found["damage"] = ranged.get("damage", found["damage"])
        found["range"] = ranged.get("range", found["range"])
    elif power not in sheet.get("powers", []) and power not in STANDARD:
        raise Refused(
            f"{fight.name(actor)} has no power {found['name']}.",
            "`strike combat show` lists everybody's powers.",
        )
    if changed := names_of_changeable_numbers(fight.world.book):
        for way in ("reach", "range"):
            if way in found and way in changed:
                found[way] = max(adjusted_number_and_reasons(fight, actor, way, found[way])[0], 1)
    return found


def basic_attack_reaching_targets(fight: Fight, actor: str, targets: Sequence[str]) -> str:
    """Return the id of the basic attack for these targets.

    It is the melee attack if it reaches all of them, if the attacker has no ranged attack, or if a target is
    out of the fight. Otherwise it is the ranged attack.
    """
    if any(map(fight.is_out, targets)) or RANGED_BASIC not in powers_of(fight, actor):
        return MELEE_BASIC
    near = all(fight.is_within(actor, target, fight.reach(actor)) for target in targets)
    return MELEE_BASIC if near else RANGED_BASIC


def powers_of(fight: Fight, combatant: str) -> list[str]:
    """Return the ids of a combatant's powers: first those of its sheet, then the standard ones.

    A creature without a ranged attack doesn't have the standard ranged attack.
    """
    sheet = fight.sheet(combatant)
    without = (RANGED_BASIC,) if sheet.get("ranged") is False else ()
    return [*sheet.get("powers", []), *(power for power in STANDARD if power not in without)]


def has_attack_roll(power: "PowerWritten") -> bool:
    """Return whether a power has an attack roll: it has damage, even 0 (STR-TAC-09, conflict C-14)."""
    return "damage" in power


def grants_another_attack(power: Power) -> bool:
    """Return whether a power allows another attack.

    Such a power can't itself be a granted attack (STR-TAC-04).
    """
    for part in PARTS:
        for step in power.get(part, ()):
            if step["do"] == "attack":
                return True
            if any(key in step for key in KEYS_WITH_STEPS) and any(
                one["do"] == "attack" for one in steps_with_nested([step])
            ):
                return True
    return False


def must_be_usable(fight: Fight, actor: str, power: Power) -> None:
    """Raise Refused if a power is used up, unaffordable, or forbidden to the creature."""
    if has_limited_uses(power):
        must_have_uses(fight, actor, power)
    if "hp" in power and power["hp"] >= fight.combatant(actor)["hp"]:
        raise Refused(f"{fight.name(actor)} hasn't the HP for {power['name']}: it costs {power['hp']}.")
    if power["kind"] != "basic" and (has_attack_roll(power) or power["action"] == "attack"):
        must_be_allowed_non_basics(fight, actor)
    if power["id"] == RALLY and not fight.is_player(actor):
        raise Refused(f"{fight.name(actor)} can't Rally; only the players' characters do (STR-TAC-13).")
    if "ap" in power and fight.is_player(actor):
        require_action_points(fight.world, fight.combatant(actor)["ref"], power["name"], power["ap"])


def must_be_allowed_non_basics(fight: Fight, combatant: str) -> None:
    """Raise Refused if a status allows a creature no powers but Basic Attacks (STR-TAC-25).

    A Charge counts as a Basic Attack.
    """
    if reason := effect_banning(fight.world, combatant, "non-basic"):
        raise Refused(f"{fight.name(combatant)} can only use Basic Attacks: {reason.name}.")


# Possible targets


def aim_power(fight: Fight, actor: str, power: Power, named_targets: Sequence[str], at: str = "") -> Aim:
    """Return the aim of a power: its targets and, for an area, the squares.

    If `named_targets` is empty, a power with an area is aimed at all possible targets in it. `at` is the
    square at which the area is aimed. If `at` is "", the best square is chosen. From there, the area must
    cover all named targets. It should cover as few friends and as many other targets as possible.

    Raises Refused if the power can't be aimed like that.
    """
    known, asked = cached_values_of(fight.world), (_find_aim, actor, id(power), tuple(named_targets), at)
    found: tuple[Power, Aim] | None = known.get(asked)
    if found is None:  # the power is kept, too: no other has its id meanwhile
        found = known[asked] = power, _find_aim(fight, actor, power, named_targets, at)
    return found[1]


def _find_aim(fight: Fight, actor: str, power: Power, named: Sequence[str], at: str) -> Aim:
    _must_be_distinct_targets_in_fight(fight, named, power)
    shape = area_shape_of(power)
    if at and shape not in AIMED:
        raise Refused(f"{power['name']} isn't aimed at a square.", "Leave out --at.")
    if not shape:
        return _aim_at_named_or_implied_targets(fight, actor, power, named)
    where = _choose_area_square(fight, actor, power, named, at) if shape in AIMED else None
    squares = area_squares(fight, actor, power, where)
    inside = _possible_targets_in(fight, actor, power, squares)
    for target in named:
        if target not in inside:
            raise Refused(_outside_area_words(fight, actor, power, target))
    aim = Aim(tuple(named or inside), False, where, squares)
    _must_not_exceed_targets(fight, power, aim.targets)
    if has_attack_roll(power) and not aim.targets:
        from strike_cli.refusals import NobodyInArea

        raise NobodyInArea(power["name"], SEE_MAP)
    return aim


def aim_power_with_reach_of_first_steps(
    fight: Fight, actor: str, power: Power, named_targets: Sequence[str], at: str = ""
) -> Aim:
    """Return the aim of a power whose first steps, such as a shift, are still to be played.

    These steps may let the user move some squares. The power then reaches farther by that number of squares.
    Otherwise the aim is the same as from `aim_power`.
    """
    # The squares that the user may move before the other steps
    steps = 0
    for step in power.get("before", ()):
        amount = step.get("amount", 0)
        if isinstance(amount, int) and step["to"] == "self" and step["do"] in ("shift", "teleport", "move"):
            steps += amount
    if not steps:
        return aim_power(fight, actor, power, named_targets, at)
    known, asked = cached_values_of(fight.world), (aim_power_with_reach_of_first_steps, id(power))
    found: tuple[Power, Power] | None = known.get(asked)
    if found is None:  # the power is kept, too: no other has its id meanwhile
        further = power.copy()
        way: Literal["reach", "range", "burst"]
        for way in ("reach", "range", "burst"):
            if way in power:
                further[way] = power[way] + steps
        found = known[asked] = power, further
    return aim_power(fight, actor, found[1], named_targets, at)


def aim_at_still_reachable_targets(fight: Fight, use: PowerUse) -> Aim:
    """Return the aim of a power, with only the targets that the power can still reach.

    Something may have changed since the power was aimed: for example, somebody may have moved.
    """
    at = format_square(use.aim.at) if use.aim.at else ""
    found = []
    for target in use.aim.targets:
        try:
            found.append(aim_power(fight, use.who, use.power, [target], at))
        except Refused:
            continue
    targets = tuple(target for aim in found for target in aim.targets)
    shape = area_shape_of(use.power)
    squares = area_squares(fight, use.who, use.power, use.aim.at) if shape else frozenset[Square]()
    return Aim(targets, bool(found) and all(aim.melee for aim in found), use.aim.at, squares)


def _must_be_distinct_targets_in_fight(fight: Fight, named: Sequence[str], power: Power) -> None:
    for number, target in enumerate(named):
        if target in named[:number] and not power.get("repeats"):
            raise Refused(f"{fight.name(target)} is named twice; each target is rolled for once.")
        fight.must_be_in_fight(target)


def _must_not_exceed_targets(fight: Fight, power: Power, targets: Sequence[str]) -> None:
    most = power.get("targets", "all" if area_shape_of(power) else 1)
    if most != "all" and len(targets) > most:
        names = ", ".join(map(fight.name, targets))
        raise Refused(
            f"{power['name']} has {most} target{'s' if most > 1 else ''}, not {len(targets)}: {names}.",
            "Name the right ones.",
        )


def _aim_at_named_or_implied_targets(fight: Fight, actor: str, power: Power, named: Sequence[str]) -> Aim:
    if not named and power.get("who") == "self":
        named = [actor]
    elif not named and power.get("targets") == "all":
        everybody = (one for one in fight.still_in_fight() if _is_in_target_group(fight, actor, power, one))
        named = [
            one for one in everybody if is_not_refused(_must_reach_and_see_target, fight, actor, power, one)
        ]
    if not named and needs_named_target(power):
        raise Refused(words_for_missing_target(power), "Name the target after the user.")
    for target in named:
        if fight.is_out(target) or not _is_in_target_group(fight, actor, power, target):
            raise Refused(_words_for_unfit_target(fight, actor, power, target))
        _must_reach_and_see_target(fight, actor, power, target)
    _must_not_exceed_targets(fight, power, named)
    melee = (
        bool(named) and "reach" in power and all(fight.is_within(actor, one, power["reach"]) for one in named)
    )
    for target in named:
        if has_attack_roll(power) or not is_treated_as_friend(fight, actor, power, target):
            _must_not_be_banned_attack(fight, actor, target, "melee" if melee else "ranged")
    return Aim(tuple(named), melee)


def melee_ban(fight: Fight, actor: str, target: str) -> ActiveEffect | None:
    """Return the effect that prevents a melee attack on a target, or None."""
    against = effect_banning(fight.world, target, "melee", side="against", other=actor)
    return against or effect_banning(fight.world, actor, "melee", other=target)


def _must_not_be_banned_attack(fight: Fight, actor: str, target: str, range_: str) -> None:
    """Raise Refused if a status of the attacker or of the target forbids the attack.

    `range_` is the kind of attack: melee or ranged.
    """
    if reason := effect_banning(fight.world, target, range_, side="against", other=actor):
        raise Refused(f"{fight.name(target)} can't be attacked: {reason.name}.")
    if reason := effect_banning(fight.world, actor, range_, other=target):
        raise Refused(f"{fight.name(actor)} can't attack {fight.name(target)} in {range_}: {reason.name}.")


def needs_named_target(power: Power) -> bool:
    """Return whether the user of a power must name its targets, because strike can't find them itself."""
    found = bool(area_shape_of(power)) or power.get("who") == "self" or power.get("targets") == "all"
    return not found and (
        has_attack_roll(power)
        or any(is_played_per_target(step) for part in UNROLLED for step in power.get(part, ()))
    )


def words_for_missing_target(power: Power) -> str:
    """Return the error message for a power that is used without a target."""
    return f"{'An attack' if has_attack_roll(power) else power['name']} needs a target."


def is_played_per_target(step: Mapping[str, object]) -> bool:
    """Return whether a step is played once for each target of the power.

    It is True if the step affects the target itself, or creatures around the target. It is False for a step
    that changes an event.
    """
    if step["do"] in EVENT_CHANGING_STEPS:
        return False
    return step["to"] == "target" or step.get("from") == "target"


def target_group_key(power: "PowerWritten") -> str:
    """Return the word for a power's possible targets: enemies, allies, friends, others, any or self.

    "friends" includes the user, "others" doesn't.
    """
    return str(power.get("who") or ("others" if has_attack_roll(power) or area_shape_of(power) else "any"))


def _is_in_target_group(fight: Fight, actor: str, power: Power, target: str) -> bool:
    return _TARGET_GROUP_TESTS[target_group_key(power)](
        is_treated_as_friend(fight, actor, power, target), target == actor
    )


def other_creatures_treated_as(fight: Fight, use: PowerUse, friends: bool) -> list[str]:
    """Return the creatures that count as friends for the use of a power, without the user.

    If `friends` is False, return the creatures that count as enemies instead.
    """
    if use.reacting:
        return list((fight.allies_of if friends else fight.enemies_of)(use.who))
    others = (one for one in fight.still_in_fight() if one != use.who)
    return [one for one in others if is_treated_as_friend(fight, use.who, use.power, one) == friends]


def is_treated_as_friend(fight: Fight, actor: str, power: Power, other: str) -> bool:
    """Return whether a power of `actor` treats another creature as a friend (STR-TAC-25).

    `actor` is its own friend. The other friends are the creatures on the side for which `actor` acts. A
    dominated creature acts for another side than its own. But a power that reacts to something always treats
    the creatures on its user's own side as friends.
    """
    answers = "on" in power or "trigger" in power
    return other == actor or fight.side(other) == (
        fight.side(actor) if answers else fight.side_acted_for(actor)
    )


_TARGET_GROUP_TESTS: Mapping[str, Callable[[bool, bool], bool]] = {
    "enemies": lambda friend, oneself: not friend,
    "allies": lambda friend, oneself: friend and not oneself,
    "friends": lambda friend, oneself: friend,
    "others": lambda friend, oneself: not oneself,
    "any": lambda friend, oneself: True,
    "self": lambda friend, oneself: oneself,
}
"""The test for each word of `target_group_key`.

It takes whether a creature is a friend, and whether it is the user.
"""


def _words_for_unfit_target(fight: Fight, actor: str, power: Power, target: str) -> str:
    if target == actor and has_attack_roll(power):
        return f"{fight.name(target)} can't attack itself."
    kinds = {"friends": "its user and allies", "self": "its user"}
    kind = kinds.get(target_group_key(power), target_group_key(power))
    return f"{power['name']} is for {kind}, not for {fight.name(target)}."


def _must_reach_and_see_target(fight: Fight, actor: str, power: Power, target: str) -> None:
    """Raise Refused if a power can't reach a target, or needs to see the target and can't.

    A power without a range reaches everywhere.
    """
    most = longest_reach_or_range(power)
    if not most and is_hidden_from(fight, target, actor):
        must_see(fight, actor, target)
    if target == actor or not most:
        return
    name = fight.name(target)
    if not fight.is_within(actor, target, most):
        raise Refused(
            f"{name} is {_distance_words(fight, actor, target)}; {power['name']} reaches {most}.", SEE_MAP
        )
    if has_attack_roll(power) or not is_treated_as_friend(fight, actor, power, target):
        must_see(fight, actor, target)
    elif not fight.has_line_of_sight(actor, target):
        raise Refused(f"{fight.name(actor)} can't see {name} from there: a wall is in the way.", SEE_MAP)


def longest_reach_or_range(power: "PowerWritten") -> int:
    """Return a power's longest reach or range in squares, 0 if it has neither."""
    return max(power.get("reach", 0), power.get("range", 0))


def _distance_words(fight: Fight, actor: str, target: str) -> str:
    from strike_cli.tabletop.distance_units import (
        SQUARES,  # an attack that reaches its target names no distance
    )

    return f"{SQUARES.words(fight.gap(actor, target))} away"


# Areas


def _choose_area_square(fight: Fight, actor: str, power: Power, named: Sequence[str], at: str) -> Square:
    """Return the square at which an area is aimed: `at`, or the best square for the named targets."""
    if at:
        square = parse_square_argument(at)
        if not may_aim_area_at(fight, actor, power, square):
            raise Refused(
                f"{power['name']} can't be aimed at {format_square(square)}.",
                f"It must be in sight, and within {power['range']}."
                if area_shape_of(power) == "area"
                else "",
            )
        return square
    best = None
    for square in squares_to_aim_at(fight, actor, power):
        inside = _possible_targets_in(fight, actor, power, area_squares(fight, actor, power, square))
        if not set(named) <= set(inside):
            continue
        friends = sum(is_treated_as_friend(fight, actor, power, one) for one in inside)
        worth = (-friends, len(inside))
        if best is None or worth > best[0]:
            best = worth, square
    if best is None:
        names = ", ".join(map(fight.name, named))
        raise Refused(f"No area of {power['name']} has {names} in it.", "--at SQUARE aims it.")
    return best[1]


def _possible_targets_in(fight: Fight, actor: str, power: Power, squares: frozenset[Square]) -> list[str]:
    """Return all possible targets of a power on `squares`, seen or unseen (STR-TAC-22)."""
    return [
        one
        for one in fight.still_in_fight()
        if fight.is_on_map(one)
        and _is_in_target_group(fight, actor, power, one)
        and not squares.isdisjoint(fight.squares_of(one))
    ]


def _outside_area_words(fight: Fight, actor: str, power: Power, target: str) -> str:
    if not _is_in_target_group(fight, actor, power, target):
        return _words_for_unfit_target(fight, actor, power, target)
    shape = area_shape_of(power)
    where = "" if shape in AIMED else f", {_distance_words(fight, actor, target)}"
    far = power[shape] if shape else 0
    return f"{fight.name(target)} is not in the {shape} {far} of {power['name']}{where}."
