"""The standard roll, and how a plugin can replace its method (CIN-11)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, lru_cache
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple, TypedDict

from strike_cli.plugin import Args, Procedure, Refused, Roll, World
from strike_cli.plugin.dice import Handful
from strike_cli.plugin.handlers import load_handler

from .dice import HERO, dice_of
from .facts import KarmaActed
from .fight import KarmaFight
from .sheet import extra_dice, sheet_of

if TYPE_CHECKING:
    from .data import KarmaResolution, KarmaSheet, StandardRollTold


class Method(NamedTuple):
    """How dice are read: each die has a score, and the scores of several dice make one.

    It has nothing else, so that odds stay exact and quick.
    """

    of_die: Callable[[int, int, int], int]
    """Gives the score of a die, from its face, its sides and the Target Number."""
    combine: Callable[[Iterable[int]], int]
    """Gives the score of several dice, from the score of each."""
    needs: Callable[[int], int]
    """Gives the score that an unopposed roll needs, from the Target Number."""
    unit: str
    """What the score counts, such as "successes"."""


METHODS = {
    # Every die of the target or more is a success.
    "count": Method(lambda face, sides, target: face >= target, sum, lambda target: 1, "successes"),
    # A die that is larger than a d6 has one for each time that the target goes into it.
    "several": Method(
        lambda face, sides, target: face // target if sides > 6 else face >= target,
        sum, lambda target: 1, "successes",
    ),
    "highest": Method(
        lambda face, sides, target: face, lambda faces: max(faces), lambda target: target, "highest"
    ),
    "total": Method(lambda face, sides, target: face, sum, lambda target: target, "total"),
}  # fmt: skip
"""The ways to read dice, by the value of the house rule `karma.standard_roll`."""


class Rolling(Args):
    """The options of a roll.

    `for_` names the Trope and the Trademark that apply, and `other` has further dice. `against` has the
    opposing dice. `target` is the Target Number for the actor's dice, 0 for that of the house rule. With
    `no_roll` nothing is rolled.
    """

    for_: Sequence[str] = ()
    target: int = 0
    against: Sequence[str] = ()
    other: Sequence[str] = ()
    no_roll: bool = False

    @property
    def rolling(self) -> Rolling:
        """The options of the roll alone, without the further arguments of a subclass."""
        return Rolling(**{name: getattr(self, name) for name in Rolling.FIELDS})

    def over(self, declared: Mapping[str, object]) -> Rolling:
        """Return the options that were declared before, replaced by those that are given now."""
        return Rolling.read({**declared, **self.rolling.as_json()})


class RollFields(TypedDict, total=False):
    """The fields of a fact that has a roll."""

    roll: Handful
    against: Handful | None
    unit: str
    score: int
    needed: int
    success: bool


class RollOutcome(NamedTuple):
    """The result of a standard roll: the dice of both sides, the score, and the score needed."""

    rolled: Handful
    against: Handful | None
    score: int
    needed: int
    success: bool
    unit: str

    def as_data(self) -> StandardRollTold:
        """Return what a command's result says about the roll."""
        return {
            "roll": self.rolled.as_json(),
            "against": self.against.as_json() if self.against else None,
            "successes": self.score,
            "needed": self.needed,
            "success": self.success,
        }

    def as_fields(self) -> RollFields:
        """Return the roll as fields of a fact."""
        return {
            "roll": self.rolled,
            "against": self.against,
            "unit": self.unit,
            "score": self.score,
            "needed": self.needed,
            "success": self.success,
        }


def standard_roll(
    world: World,
    combatant: str,
    purpose: str,
    dice: Sequence[int],
    rolling: Rolling,
    *,
    defends: bool = False,
) -> Procedure[RollOutcome]:
    """Roll dice against a number or against other dice; a tie goes to the defender.

    Dice: `dice` in their order, then those against them. The Target Number is for the actor's dice only:
    those against them use that of the house rule (CIN-11). Raises Refused for a Target Number that changes
    nothing.
    """
    must_read_target(world, rolling)
    method, usual = method_of(world), _default_target(world)
    target = rolling.target or usual
    rolled, score = yield from _throw(method, target, combatant, purpose, dice)
    against, needed = None, method.needs(target)
    if rolling.against:
        theirs = dice_of(rolling.against)
        against, needed = yield from _throw(method, usual, "", f"against {purpose}", theirs)
    success = score > needed if against and not defends else score >= needed
    return RollOutcome(rolled, against, score, needed, success, method.unit)


def must_read_target(world: World, rolling: Rolling) -> None:
    """Raise Refused for a Target Number that would change nothing.

    That is so in an opposed roll, if the house rule's method doesn't compare dice with it.
    """
    usual = _default_target(world)
    target = rolling.target or usual
    if rolling.against and target != usual and not _depends_on_target(method_of(world)):
        rule = world.book.house["karma.standard_roll"]
        raise Refused(
            f"A Target Number changes no die by karma.standard_roll = {rule!r}: it is for rolls without an "
            "opponent, and here is one.",
            f"Leave out --target (or give --target {usual}, as by the house rule), or leave out --against.",
        )


def _default_target(world: World) -> int:
    return int(world.book.house["karma.success_on"])


def method_of(world: World) -> Method:
    """Return how dice are read by the house rule: a method in METHODS, or a plugin's."""
    name = str(world.book.house["karma.standard_roll"])
    return METHODS[name] if name in METHODS else _method_of(load_handler(world, name))


@cache
def _method_of(handler: Callable[[], Method]) -> Method:
    return Method(*handler())


@cache
def _depends_on_target(method: Method) -> bool:
    """Return whether the score of a die depends on the Target Number."""
    scores = {tuple(method.of_die(face, 12, target) for face in range(1, 13)) for target in range(1, 13)}
    return len(scores) > 1


def _throw(
    method: Method, target: int, actor: str, purpose: str, dice: Sequence[int]
) -> Procedure[tuple[Handful, int]]:
    """Roll several dice, and return them with their score."""
    faces: list[int] = []
    scores: list[int] = []
    for sides, same in groupby(dice):
        matters = _score_of(method, sides, target)
        thrown = yield Roll(len(list(same)), sides, purpose, actor, matters)
        faces += thrown
        scores.append(matters(thrown))
    score = method.combine(scores)
    return Handful(actor, purpose, faces, score, dice=dice), score


@lru_cache(maxsize=256)
def _score_of(method: Method, sides: int, target: int) -> Callable[[Sequence[int]], int]:
    """Return the function that scores dice of one kind.

    Equal arguments give the same function, so that odds can be cached.
    """

    def score(faces: Sequence[int]) -> int:
        return int(method.combine(method.of_die(face, sides, target) for face in faces))

    return score


def action_dice(world: World, combatant: str, rolling: Rolling) -> list[int]:
    """Return the sides of all dice of an action: Hero Dice, Trope, Trademark, others (CIN-11).

    Raises Refused for dice that the actor lacks or the game doesn't use.
    """
    sheet = sheet_of(world, KarmaFight(world).people[combatant]["ref"])
    return [*[HERO] * sheet["hero"], *joining_dice(sheet, rolling)]


def joining_dice(sheet: KarmaSheet, rolling: Rolling) -> list[int]:
    """Return the sides of the dice that are added to the Hero Dice.

    Raises Refused for dice that the sheet lacks or the game doesn't use, also among the opposing ones.
    """
    dice_of(rolling.against)
    return [*extra_dice(sheet, rolling.for_), *dice_of(rolling.other)]


def must_be_rollable(world: World, combatant: str, rolling: Rolling) -> None:
    """Raise Refused for dice that the actor lacks, and for a Target Number that would change nothing."""
    action_dice(world, combatant, rolling)
    must_read_target(world, rolling)


def resolve_action(
    world: World, combatant: str, what: str, rolling: Rolling, sets: Mapping[str, object] | None = None
) -> Procedure[KarmaResolution]:
    """Play an action that was declared: roll for it, unless the options say otherwise."""
    told, group = what.rstrip("."), KarmaFight(world).is_group(combatant)
    if rolling.no_roll:
        yield world.tell(KarmaActed(who=combatant, what=told, group=group), sets)
        return {
            "who": combatant,
            "what": what,
            "roll": None,
            "against": None,
            "successes": None,
            "needed": None,
            "success": None,
        }
    dice = action_dice(world, combatant, rolling)
    came = yield from standard_roll(world, combatant, what or "action", dice, rolling)
    outcome = "success" if came.success else "failure"
    yield world.tell(
        KarmaActed(who=combatant, what=told, outcome=outcome, group=group, **came.as_fields()), sets
    )
    rolled = came.as_data()
    return {
        "who": combatant,
        "what": what,
        "roll": rolled["roll"],
        "against": rolled["against"],
        "successes": rolled["successes"],
        "needed": rolled["needed"],
        "success": rolled["success"],
    }
