"""The standard roll, and the methods of reading its dice. A plugin can add methods (CIN-11)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, lru_cache
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple, TypedDict

from strike_cli.plugin import Args, Procedure, Refused, Roll, World
from strike_cli.plugin.dice import Handful
from strike_cli.plugin.handlers import load_handler

from .dice_notation import HERO_DIE_SIDES, parse_dice
from .facts import KarmaActed
from .fight_state import KarmaFight
from .sheet import sheet_of, trope_and_trademark_dice

if TYPE_CHECKING:
    from .data import KarmaResolution, KarmaSheet, StandardRollTold


class RollMethod(NamedTuple):
    """A method of reading dice: functions that score each die and combine the scores into one.

    A method is nothing but these functions, so that odds can be computed exactly and quickly.
    """

    score_die: Callable[[int, int, int], int]
    """Gives the score of a die, from its face, its sides and the Target Number."""
    combine_scores: Callable[[Iterable[int]], int]
    """Gives the score of several dice, from the score of each."""
    score_needed: Callable[[int], int]
    """Gives the score that an unopposed roll needs, from the Target Number."""
    unit: str
    """What the score counts, such as "successes"."""


ROLL_METHODS = {
    # Every die of the target or more is a success.
    "count": RollMethod(lambda face, sides, target: face >= target, sum, lambda target: 1, "successes"),
    # A die that is larger than a d6 has one for each time that the target goes into it.
    "several": RollMethod(
        lambda face, sides, target: face // target if sides > 6 else face >= target,
        sum, lambda target: 1, "successes",
    ),
    "highest": RollMethod(
        lambda face, sides, target: face, lambda faces: max(faces), lambda target: target, "highest"
    ),
    "total": RollMethod(lambda face, sides, target: face, sum, lambda target: target, "total"),
}  # fmt: skip
"""The ways to read dice, by the value of the house rule `karma.standard_roll`."""


class RollOptions(Args):
    """The options of a roll.

    `for_` says which of Trope and Trademark apply, `other` are further dice, and `against` are the opposing
    dice. `target` is the Target Number for the actor's dice. If `target` is 0, the house rule gives the
    number. With `no_roll`, nothing is rolled.
    """

    for_: Sequence[str] = ()
    target: int = 0
    against: Sequence[str] = ()
    other: Sequence[str] = ()
    no_roll: bool = False

    @property
    def roll_options(self) -> RollOptions:
        """Only the options of the roll, without the further arguments of a subclass."""
        return RollOptions(**{name: getattr(self, name) for name in RollOptions.FIELDS})

    def override_declared(self, declared: Mapping[str, object]) -> RollOptions:
        """Return the options of a roll: those in `declared`, except where this object sets others.

        `declared` has the options that were given when the action was declared.
        """
        return RollOptions.read({**declared, **self.roll_options.as_json()})


class RollFields(TypedDict, total=False):
    """The fields of a fact that reports a roll."""

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
        """Return the roll in the form in which results of moves contain it."""
        return {
            "roll": self.rolled.as_json(),
            "against": self.against.as_json() if self.against else None,
            "successes": self.score,
            "needed": self.needed,
            "success": self.success,
        }

    def as_fact_fields(self) -> RollFields:
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
    options: RollOptions,
    *,
    wins_ties: bool = False,
) -> Procedure[RollOutcome]:
    """Roll dice against a number or against opposing dice.

    The roller's dice are rolled in the order of `dice`. The opposing dice (`options.against`) are rolled
    after them. In a tie the opposing dice win; with `wins_ties` the roller's dice win.

    `options.target` is the Target Number for the roller's dice; 0 means that of the house rule. Opposing dice
    always use the house rule's Target Number (CIN-11). By some methods of reading dice, such as "total", a
    Target Number changes nothing in an opposed roll. In such a roll, Refused is raised for an
    `options.target` that differs from the house rule's.
    """
    target_must_matter(world, options)
    method, usual = house_rule_method(world), _house_rule_target(world)
    target = options.target or usual
    rolled, score = yield from _roll_and_score(method, target, combatant, purpose, dice)
    against, needed = None, method.score_needed(target)
    if options.against:
        theirs = parse_dice(options.against)
        against, needed = yield from _roll_and_score(method, usual, "", f"against {purpose}", theirs)
    success = score > needed if against and not wins_ties else score >= needed
    return RollOutcome(rolled, against, score, needed, success, method.unit)


def target_must_matter(world: World, options: RollOptions) -> None:
    """Raise Refused if the options have a Target Number that changes nothing.

    In an opposed roll, it changes nothing if the house rule's method doesn't use a Target Number. The Target
    Number of the house rule itself is always accepted.
    """
    usual = _house_rule_target(world)
    target = options.target or usual
    if options.against and target != usual and not _depends_on_target(house_rule_method(world)):
        rule = world.book.house["karma.standard_roll"]
        raise Refused(
            f"A Target Number changes no die by karma.standard_roll = {rule!r}: it is for rolls without an "
            "opponent, and here is one.",
            f"Leave out --target (or give --target {usual}, as by the house rule), or leave out --against.",
        )


def _house_rule_target(world: World) -> int:
    return int(world.book.house["karma.success_on"])


def house_rule_method(world: World) -> RollMethod:
    """Return the method of reading dice that the house rule `karma.standard_roll` names.

    It is one of ROLL_METHODS, or a method of a plugin.
    """
    name = str(world.book.house["karma.standard_roll"])
    return ROLL_METHODS[name] if name in ROLL_METHODS else _method_from_handler(load_handler(world, name))


@cache
def _method_from_handler(handler: Callable[[], RollMethod]) -> RollMethod:
    return RollMethod(*handler())


@cache
def _depends_on_target(method: RollMethod) -> bool:
    scores = {tuple(method.score_die(face, 12, target) for face in range(1, 13)) for target in range(1, 13)}
    return len(scores) > 1


def _roll_and_score(
    method: RollMethod, target: int, actor: str, purpose: str, dice: Sequence[int]
) -> Procedure[tuple[Handful, int]]:
    faces: list[int] = []
    scores: list[int] = []
    for sides, same in groupby(dice):
        matters = _scoring_function(method, sides, target)
        thrown = yield Roll(len(list(same)), sides, purpose, actor, matters)
        faces += thrown
        scores.append(matters(thrown))
    score = method.combine_scores(scores)
    return Handful(actor, purpose, faces, score, dice=dice), score


@lru_cache(maxsize=256)
def _scoring_function(method: RollMethod, sides: int, target: int) -> Callable[[Sequence[int]], int]:
    """Return a function that scores the faces of several dice with the same number of sides.

    Equal arguments always give the same function object. So odds that were computed for the function can be
    cached.
    """

    def score_of_faces(faces: Sequence[int]) -> int:
        return int(method.combine_scores(method.score_die(face, sides, target) for face in faces))

    return score_of_faces


def action_dice(world: World, combatant: str, options: RollOptions) -> list[int]:
    """Return the sides of all dice of an action: the Hero Dice and those that `options` add (CIN-11).

    Raises Refused for dice that the actor lacks or the game doesn't use.
    """
    sheet = sheet_of(world, KarmaFight(world).people[combatant]["ref"])
    return [*[HERO_DIE_SIDES] * sheet["hero"], *added_dice(sheet, options)]


def added_dice(sheet: KarmaSheet, options: RollOptions) -> list[int]:
    """Return the sides of the dice that the options add to the Hero Dice.

    Raises Refused for dice that the sheet lacks or the game doesn't use. The opposing dice are checked too,
    but not returned.
    """
    parse_dice(options.against)
    return [*trope_and_trademark_dice(sheet, options.for_), *parse_dice(options.other)]


def must_be_rollable(world: World, combatant: str, options: RollOptions) -> None:
    """Raise Refused if an action can't be rolled for with these options.

    Dice that the actor doesn't have are refused. So is a Target Number that would change nothing.
    """
    action_dice(world, combatant, options)
    target_must_matter(world, options)


def resolve_action(
    world: World, combatant: str, what: str, options: RollOptions, sets: Mapping[str, object] | None = None
) -> Procedure[KarmaResolution]:
    """Play a declared action, with a roll. If the options say `no_roll`, play it without one.

    `sets` are changes of the state that are recorded together with the action.
    """
    told, group = what.rstrip("."), KarmaFight(world).is_group(combatant)
    if options.no_roll:
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
    dice = action_dice(world, combatant, options)
    came = yield from standard_roll(world, combatant, what or "action", dice, options)
    outcome = "success" if came.success else "failure"
    yield world.tell(
        KarmaActed(who=combatant, what=told, outcome=outcome, group=group, **came.as_fact_fields()), sets
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
