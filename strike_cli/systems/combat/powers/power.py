"""Powers: their users, their ranges, and their possible targets (STR-TAC-12, 13)."""

# No `from __future__ import annotations`: a NamedTuple would compile each annotation at every start.

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Literal, NamedTuple, cast

from strike_cli.kernel.facts import about
from strike_cli.kernel.procedure import Happen
from strike_cli.kernel.statements import Reason
from strike_cli.problems import Refused, is_allowed
from strike_cli.tabletop.dice import Modifier, Source, typed_sources
from strike_cli.tabletop.grid import Square, format_square
from strike_cli.tabletop.people import must_have_points
from strike_cli.tabletop.status_effects import ActiveEffect, ban_on
from strike_cli.values import Value

from ..board.areas import AIMED, may_aim_at, squares_in, squares_to_aim_at
from ..board.sight import is_hidden_from, must_see
from ..facts.effects import ByPower
from ..fight import Actor, Fight, adjusted_number, changed_in, shape_of, square_named
from ..reactions.triggers import Impending, Moment
from ..steps import CHANGING, NESTING, PARTS, UNROLLED, with_nested
from .uses import MELEE_BASIC, RALLY, RANGED_BASIC, STANDARD, Power, must_have_uses

if TYPE_CHECKING:
    from ..data import BasicAttack, OpportunityData, PowerWritten


def is_limited(power: Power) -> bool:
    """Return whether the number of uses of a power is limited."""
    return power["usage"] == "encounter" or "uses" in power or "charges" in power


SEE_MAP = "`strike combat map` shows all positions."


class NamedModifier(NamedTuple):
    """A flat modifier that a player types, and its reason."""

    value: int
    reason: str


class Reasons(Actor):
    """Typed reasons for Advantage and Disadvantage on a roll, and typed modifiers."""

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
    """The targets of a power.

    `melee` is whether an attack is a melee one. `at` is the square at which an area is aimed, and `squares`
    are the squares of the area.
    """

    __slots__ = ("at", "melee", "squares", "targets")

    def __init__(
        self,
        targets: tuple[str, ...],
        melee: bool = False,
        at: Square | None = None,
        squares: frozenset[Square] = frozenset(),
    ) -> None:
        self.targets = targets
        self.melee = melee
        self.at = at
        self.squares = squares


class DamageTally:
    """The damage in HP that a power has dealt so far, and the Opportunities that its steps led to."""

    __slots__ = ("dealt", "opportunities")

    def __init__(self) -> None:
        self.dealt = 0
        self.opportunities: list[OpportunityData] = []


class Deed(NamedTuple):
    """The use of a power by a creature, with its aim and everything else that its rolls and steps depend on.

    `granted` is true if another power grants the attack (STR-TAC-04), `reacting` if it is a reaction, to
    which there are no further reactions. `tally` counts its damage. `holding` are the conditions (`if`) that
    hold. `answering` is the event that it reacts to. `instead` maps creatures to the targets whose place they
    took. For steps of a status or trait, `held` is the status or trait, `moment` what it reacts to, and
    `giver` the status's giver. For attacks that it grants, `struck` are the creatures that the chain of
    grants has already attacked, and `places` the squares of its own targets.
    """

    who: str
    power: Power
    aim: Aim
    sources: tuple[Source, ...] = ()
    modifiers: tuple[Modifier, ...] = ()
    granted: bool = False
    reacting: bool = False
    tally: DamageTally | None = None
    answering: Impending | None = None
    instead: Mapping[str, str] = {}
    struck: tuple[str, ...] = ()
    places: tuple[Square, ...] = ()
    holding: frozenset[str] = frozenset()
    held: ActiveEffect | None = None
    moment: Moment | None = None
    giver: str = ""


def power_with_owner(power: Power, actor: str = "") -> Reason:
    """Return a creature's power as a part of a sentence.

    If the power has a name of its own in `called`, such as an improvised attack, it is that.
    """
    found: Reason = power.get("called") or ByPower(power["id"], actor)
    return found


def sign_with_user(deed: Deed, target: str, happen: Happen) -> Happen:
    """Return a fact about a creature, marked with the user of the power that causes it.

    It isn't reported to audiences that may not know of the user.
    """
    if deed.who == target:
        return happen
    return Happen(happen.fact.signed_by(power_of=deed.who))


# A combatant's powers


def power_of(fight: Fight, actor: str, power: str) -> Power:
    """Return a power as a combatant has it: a basic attack takes damage and range from the sheet.

    Raises Refused if the combatant hasn't got the power, or for a ranged attack of one that has none.
    """
    known, asked = about(fight.world), (_power_of, actor, power)
    found: Power | None = known.get(asked)
    if found is None:
        found = known[asked] = _power_of(fight, actor, power)
    return found


def _power_of(fight: Fight, actor: str, power: str) -> Power:
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
    if changed := changed_in(fight.world.book):
        for way in ("reach", "range"):
            if way in found and way in changed:
                found[way] = max(adjusted_number(fight, actor, way, found[way])[0], 1)
    return found


def basic_attack(fight: Fight, actor: str, targets: Sequence[str]) -> str:
    """Return the id of the basic attack that reaches these targets.

    It is the melee one if that reaches them all or the attacker has no ranged one, else the ranged one.
    """
    if any(map(fight.is_out, targets)) or RANGED_BASIC not in powers_of(fight, actor):
        return MELEE_BASIC
    near = all(fight.is_within(actor, target, fight.reach(actor)) for target in targets)
    return MELEE_BASIC if near else RANGED_BASIC


def powers_of(fight: Fight, combatant: str) -> list[str]:
    """Return the ids of all powers of a combatant: those of its sheet, then those that everybody has."""
    sheet = fight.sheet(combatant)
    without = (RANGED_BASIC,) if sheet.get("ranged") is False else ()
    return [*sheet.get("powers", []), *(power for power in STANDARD if power not in without)]


def is_rolled(power: "PowerWritten") -> bool:
    """Return whether a power has an attack roll: it has damage, even 0 (STR-TAC-09, conflict C-14)."""
    return "damage" in power


def grants_attack(power: Power) -> bool:
    """Return whether a power allows another attack. Such a power can't itself be granted (STR-TAC-04)."""
    for part in PARTS:
        for step in power.get(part, ()):
            if step["do"] == "attack":
                return True
            if any(key in step for key in NESTING) and any(
                one["do"] == "attack" for one in with_nested([step])
            ):
                return True
    return False


def must_be_usable(fight: Fight, actor: str, power: Power) -> None:
    """Raise Refused if a power is used up, or its user can't pay for it or may not use it."""
    if is_limited(power):
        must_have_uses(fight, actor, power)
    if "hp" in power and power["hp"] >= fight.combatant(actor)["hp"]:
        raise Refused(f"{fight.name(actor)} hasn't the HP for {power['name']}: it costs {power['hp']}.")
    if power["kind"] != "basic" and (is_rolled(power) or power["action"] == "attack"):
        must_not_be_held_to_basics(fight, actor)
    if power["id"] == RALLY and not fight.is_player(actor):
        raise Refused(f"{fight.name(actor)} can't Rally; only the players' characters do (STR-TAC-13).")
    if "ap" in power and fight.is_player(actor):
        must_have_points(fight.world, fight.combatant(actor)["ref"], power["name"], power["ap"])


def must_not_be_held_to_basics(fight: Fight, combatant: str) -> None:
    """Raise Refused if a status limits a creature to Basic Attacks, including Charge (STR-TAC-25)."""
    if reason := ban_on(fight.world, combatant, "non-basic"):
        raise Refused(f"{fight.name(combatant)} can only use Basic Attacks: {reason.name}.")


# Possible targets


def take_aim(fight: Fight, actor: str, power: Power, named: Sequence[str], at: str = "") -> Aim:
    """Return the aim of a power: at the named targets, or at all in its area around `at`.

    If an area needs a square and none is given, it chooses the square for which the area has all named
    targets, as few friends and as many others as possible. Raises Refused if the power can't be aimed like
    that.
    """
    known, asked = about(fight.world), (_take_aim, actor, id(power), tuple(named), at)
    found: tuple[Power, Aim] | None = known.get(asked)
    if found is None:  # the power is kept, too: no other has its id meanwhile
        found = known[asked] = power, _take_aim(fight, actor, power, named, at)
    return found[1]


def _take_aim(fight: Fight, actor: str, power: Power, named: Sequence[str], at: str) -> Aim:
    _must_be_sound(fight, named, power)
    shape = shape_of(power)
    if at and shape not in AIMED:
        raise Refused(f"{power['name']} isn't aimed at a square.", "Leave out --at.")
    if not shape:
        return _aim_at_targets(fight, actor, power, named)
    where = _middle(fight, actor, power, named, at) if shape in AIMED else None
    squares = squares_in(fight, actor, power, where)
    inside = _people_inside(fight, actor, power, squares)
    for target in named:
        if target not in inside:
            raise Refused(_outside_words(fight, actor, power, target))
    aim = Aim(tuple(named or inside), False, where, squares)
    _must_be_few(fight, power, aim.targets)
    if is_rolled(power) and not aim.targets:
        from strike_cli.refusals import NobodyInArea

        raise NobodyInArea(power["name"], "`strike combat map` shows all positions.")
    return aim


def take_first_aim(fight: Fight, actor: str, power: Power, named: Sequence[str], at: str = "") -> Aim:
    """Return the aim of a power as `take_aim` does, before the power's own first steps are played.

    If the power begins with a shift, a teleport or a move of its user, its range is longer by these squares.
    """
    # The squares that the user may move before the other steps
    steps = 0
    for step in power.get("before", ()):
        amount = step.get("amount", 0)
        if isinstance(amount, int) and step["to"] == "self" and step["do"] in ("shift", "teleport", "move"):
            steps += amount
    if not steps:
        return take_aim(fight, actor, power, named, at)
    known, asked = about(fight.world), (take_first_aim, id(power))
    found: tuple[Power, Power] | None = known.get(asked)
    if found is None:  # the power is kept, too: no other has its id meanwhile
        further = power.copy()
        way: Literal["reach", "range", "burst"]
        for way in ("reach", "range", "burst"):
            if way in power:
                further[way] = power[way] + steps
        found = known[asked] = power, further
    return take_aim(fight, actor, found[1], named, at)


def aim_again(fight: Fight, deed: Deed) -> Aim:
    """Return the aim of a deed after its first steps, with the targets that it can still reach."""
    at = format_square(deed.aim.at) if deed.aim.at else ""
    found = []
    for target in deed.aim.targets:
        try:
            found.append(take_aim(fight, deed.who, deed.power, [target], at))
        except Refused:
            continue
    targets = tuple(target for aim in found for target in aim.targets)
    shape = shape_of(deed.power)
    squares = squares_in(fight, deed.who, deed.power, deed.aim.at) if shape else frozenset[Square]()
    return Aim(targets, bool(found) and all(aim.melee for aim in found), deed.aim.at, squares)


def _must_be_sound(fight: Fight, named: Sequence[str], power: Power) -> None:
    for number, target in enumerate(named):
        if target in named[:number] and not power.get("repeats"):
            raise Refused(f"{fight.name(target)} is named twice; each target is rolled for once.")
        fight.must_be_in(target)


def _must_be_few(fight: Fight, power: Power, targets: Sequence[str]) -> None:
    most = power.get("targets", "all" if shape_of(power) else 1)
    if most != "all" and len(targets) > most:
        names = ", ".join(map(fight.name, targets))
        raise Refused(
            f"{power['name']} has {most} target{'s' if most > 1 else ''}, not {len(targets)}: {names}.",
            "Name the right ones.",
        )


def _aim_at_targets(fight: Fight, actor: str, power: Power, named: Sequence[str]) -> Aim:
    if not named and power.get("who") == "self":
        named = [actor]
    elif not named and power.get("targets") == "all":
        everybody = (one for one in fight.in_the_fight() if _is_fit_target(fight, actor, power, one))
        named = [one for one in everybody if is_allowed(_must_reach, fight, actor, power, one)]
    if not named and needs_name(power):
        raise Refused(words_for_missing_target(power), "Name the target after the user.")
    for target in named:
        if fight.is_out(target) or not _is_fit_target(fight, actor, power, target):
            raise Refused(_unfit_words(fight, actor, power, target))
        _must_reach(fight, actor, power, target)
    _must_be_few(fight, power, named)
    melee = (
        bool(named) and "reach" in power and all(fight.is_within(actor, one, power["reach"]) for one in named)
    )
    for target in named:
        if is_rolled(power) or not is_friend(fight, actor, power, target):
            _must_be_open(fight, actor, target, "melee" if melee else "ranged")
    return Aim(tuple(named), melee)


def melee_ban(fight: Fight, actor: str, target: str) -> ActiveEffect | None:
    """Return the effect that prevents a melee attack on a target, or None."""
    against = ban_on(fight.world, target, "melee", side="against", other=actor)
    return against or ban_on(fight.world, actor, "melee", other=target)


def _must_be_open(fight: Fight, actor: str, target: str, range_: str) -> None:
    """Raise Refused if a status of the attacker or the target prevents an attack of this range."""
    if reason := ban_on(fight.world, target, range_, side="against", other=actor):
        raise Refused(f"{fight.name(target)} can't be attacked: {reason.name}.")
    if reason := ban_on(fight.world, actor, range_, other=target):
        raise Refused(f"{fight.name(actor)} can't attack {fight.name(target)} in {range_}: {reason.name}.")


def needs_name(power: Power) -> bool:
    """Return whether a power needs a named target, since no other is obvious."""
    found = bool(shape_of(power)) or power.get("who") == "self" or power.get("targets") == "all"
    return not found and (
        is_rolled(power) or any(is_about_target(step) for part in UNROLLED for step in power.get(part, ()))
    )


def words_for_missing_target(power: Power) -> str:
    """Return the error for a power that is used without a target."""
    return f"{'An attack' if is_rolled(power) else power['name']} needs a target."


def is_about_target(step: Mapping[str, object]) -> bool:
    """Return whether a step is played for each target, since it affects the target or those around it."""
    if step["do"] in CHANGING:
        return False
    return step["to"] == "target" or step.get("from") == "target"


def fit_for(power: "PowerWritten") -> str:
    """Return the word for a power's possible targets: enemies, allies, friends, others, any or self.

    Friends include the user, others exclude it.
    """
    return str(power.get("who") or ("others" if is_rolled(power) or shape_of(power) else "any"))


def _is_fit_target(fight: Fight, actor: str, power: Power, target: str) -> bool:
    return _FITS[fit_for(power)](is_friend(fight, actor, power, target), target == actor)


def others_in_fight(fight: Fight, deed: Deed, friends: bool) -> list[str]:
    """Return the other creatures in the fight that a deed treats as `friends`, or else as enemies."""
    if deed.reacting:
        return list((fight.allies_of if friends else fight.enemies_of)(deed.who))
    others = (one for one in fight.in_the_fight() if one != deed.who)
    return [one for one in others if is_friend(fight, deed.who, deed.power, one) == friends]


def is_friend(fight: Fight, actor: str, power: Power, other: str) -> bool:
    """Return whether a power of `actor` treats another creature as a friend (STR-TAC-25).

    If another creature decides for `actor`, friends are those of that creature's side. A power used as a
    reaction always goes by the user's own side.
    """
    answers = "on" in power or "trigger" in power
    return other == actor or fight.side(other) == (fight.side(actor) if answers else fight.acts_for(actor))


_FITS: Mapping[str, Callable[[bool, bool], bool]] = {
    "enemies": lambda friend, oneself: not friend,
    "allies": lambda friend, oneself: friend and not oneself,
    "friends": lambda friend, oneself: friend,
    "others": lambda friend, oneself: not oneself,
    "any": lambda friend, oneself: True,
    "self": lambda friend, oneself: oneself,
}
"""The test for each word of `fit_for`.

It takes whether a creature is a friend, and whether it is the user.
"""


def _unfit_words(fight: Fight, actor: str, power: Power, target: str) -> str:
    if target == actor and is_rolled(power):
        return f"{fight.name(target)} can't attack itself."
    kinds = {"friends": "yourself and allies", "self": "oneself"}
    kind = kinds.get(fit_for(power), fit_for(power))
    return f"{power['name']} is for {kind}, not for {fight.name(target)}."


def _must_reach(fight: Fight, actor: str, power: Power, target: str) -> None:
    """Raise Refused if a power can't reach a target, or needs to see it and can't.

    A power without a range reaches everywhere.
    """
    most = largest_reach(power)
    if not most and is_hidden_from(fight, target, actor):
        must_see(fight, actor, target)
    if target == actor or not most:
        return
    name = fight.name(target)
    if not fight.is_within(actor, target, most):
        raise Refused(
            f"{name} is {_distance_words(fight, actor, target)}; {power['name']} reaches {most}.", SEE_MAP
        )
    if is_rolled(power) or not is_friend(fight, actor, power, target):
        must_see(fight, actor, target)
    elif not fight.sees(actor, target):
        raise Refused(f"{fight.name(actor)} can't see {name} from there: a wall is in the way.", SEE_MAP)


def largest_reach(power: "PowerWritten") -> int:
    """Return a power's longest reach or range in squares, 0 if it has neither."""
    return max(power.get("reach", 0), power.get("range", 0))


def _distance_words(fight: Fight, actor: str, target: str) -> str:
    from strike_cli.tabletop.distance_measure import (
        SQUARES,  # an attack that reaches its target names no distance
    )

    return f"{SQUARES.words(fight.gap(actor, target))} away"


# Areas


def _middle(fight: Fight, actor: str, power: Power, named: Sequence[str], at: str) -> Square:
    """Return the square at which an area is aimed: `at`, or the one that suits the named targets best."""
    if at:
        square = square_named(at)
        if not may_aim_at(fight, actor, power, square):
            raise Refused(
                f"{power['name']} can't be aimed at {format_square(square)}.",
                f"It must be in sight, and within {power['range']}." if shape_of(power) == "area" else "",
            )
        return square
    best = None
    for square in squares_to_aim_at(fight, actor, power):
        inside = _people_inside(fight, actor, power, squares_in(fight, actor, power, square))
        if not set(named) <= set(inside):
            continue
        friends = sum(is_friend(fight, actor, power, one) for one in inside)
        worth = (-friends, len(inside))
        if best is None or worth > best[0]:
            best = worth, square
    if best is None:
        names = ", ".join(map(fight.name, named))
        raise Refused(f"No area of {power['name']} has {names} in it.", "--at SQUARE aims it.")
    return best[1]


def _people_inside(fight: Fight, actor: str, power: Power, squares: frozenset[Square]) -> list[str]:
    """Return all possible targets of a power in an area, whether they can be seen or not (STR-TAC-22)."""
    return [
        one
        for one in fight.in_the_fight()
        if fight.is_on_map(one)
        and _is_fit_target(fight, actor, power, one)
        and not squares.isdisjoint(fight.squares_of(one))
    ]


def _outside_words(fight: Fight, actor: str, power: Power, target: str) -> str:
    if not _is_fit_target(fight, actor, power, target):
        return _unfit_words(fight, actor, power, target)
    shape = shape_of(power)
    where = "" if shape in AIMED else f", {_distance_words(fight, actor, target)}"
    far = power[shape] if shape else 0
    return f"{fight.name(target)} is not in the {shape} {far} of {power['name']}{where}."
