"""Loss of control: the die that decides a creature's acts, and the steps that force these acts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar

from strike_cli.kernel.procedure import Procedure, World
from strike_cli.kernel.statements import Reason
from strike_cli.problems import Refused
from strike_cli.tabletop.active_effects import effect_banning, roll_reasons_from_effects
from strike_cli.tabletop.dice import clamp_total, roll_die
from strike_cli.tabletop.grid import (
    MORE_THAN_ANY_DISTANCE,
    Grid,
    Square,
    distance_between_spaces,
    format_square,
)

from ..board.areas import with_combatant_and_zones_at
from ..board.move import MoveAction, destinations, play_move
from ..board.sight_and_hiding import is_in_cover_of_obstacle_or_zone
from ..facts.step_descriptions import DieEach, FaceIs
from ..facts.turns_and_actions import Compelled, ControlRolled, TurnSpent
from ..fight_state import ACTIONS, Fight
from ..health_and_statuses import add_status_by_stacking_rule
from ..powers.charge import Charge, play_charge
from ..powers.power_use import UsePower, play_attack
from ..powers.powers_and_targets import PowerUse, power_as_reason
from ..powers.standard_powers_and_use_limits import MELEE_BASIC, RANGED_BASIC
from ..powers.step_play_and_summaries import (
    play_steps_and_get_statuses_given,
    summarize_effective_else_first_step,
)
from . import COMPULSION_STEPS, Faces, StepTable, conditions_and_other_target
from .branching_and_statuses import ApplyStep, require_steps_for_face
from .step import EffectStep, describe_steps, step_class_of, steps_words_on_sheet

if TYPE_CHECKING:
    from ..data import ContentOfFights


class CompulsionStep(EffectStep):
    """A step that forces a creature to act: to move or to attack.

    The act is directed at another creature, usually the giver of the status, or away from it. If the creature
    has lost control of itself and can't do the act, the steps in `otherwise` are played instead.
    """

    disadvantage: bool = False
    otherwise: Sequence[StepTable] = ()

    does: ClassVar[str]
    """The act in words, as the predicate of a sentence about the creature."""

    def play(self, world: World, use: PowerUse, target: str) -> Procedure[None]:
        """Force the target to do the act of this step, such as a run or an attack.

        The act is directed at the giver of the status, or away from the giver. `LoseControlStep` calls
        `compel` and not this method.
        """
        yield from self.compel(world, use, target, use.giver)

    def compel(self, world: World, use: PowerUse, target: str, origin: str) -> Procedure[bool]:
        """Force the target to act; return whether it did the act."""
        fight = Fight(world)
        there = bool(origin) and fight.is_on_map(origin) and fight.is_on_map(target)
        if not there or effect_banning(world, target, "act"):
            return False
        return (
            yield from self.do_forced_act(
                world, target, origin, [use.power["name"]] if self.disadvantage else []
            )
        )

    def do_forced_act(
        self, world: World, target: str, origin: str, drawbacks: Sequence[str]
    ) -> Procedure[bool]:
        """Make the creature `target` do the forced act, and return whether it did the act.

        `origin` is the creature that the act is directed at, or away from. `drawbacks` has reasons for
        Disadvantage on the rolls of the act.
        """
        raise NotImplementedError

    def label(self, fight: Fight, use: PowerUse, target: str) -> Reason:
        return Compelled(self.table["do"], use.giver or use.who)

    def summarize(self, book: ContentOfFights) -> str:
        words = self.does + (" with Disadvantage" if self.disadvantage else "")
        return words + (f" (or else {steps_words_on_sheet(book, self.otherwise)})" if self.otherwise else "")

    def describe(self, book: ContentOfFights, target: str) -> str:
        words = f"{target} {self.does}" + (" with Disadvantage" if self.disadvantage else "")
        return words + (
            f" (or else {describe_steps(book, self.otherwise, target)})" if self.otherwise else ""
        )


def play_unless_refused_at_once(procedure: Procedure[object]) -> Procedure[bool]:
    """Play a command if the rules allow it. Return False if they refuse it, else True.

    The command may only be refused at its very beginning. A later refusal is raised as usual.
    """
    try:
        question = next(procedure)
    except Refused:
        return False
    while True:
        answer = yield question
        try:
            question = procedure.send(answer)
        except StopIteration:
            return True


def make_basic_attack_if_legal(
    world: World, actor: str, origin: str, power: str, drawbacks: Sequence[str]
) -> Procedure[bool]:
    """Make the creature `actor` attack the creature `origin` with the basic attack `power`.

    Return whether the attack was made. It isn't made if `origin` is out or the attack isn't legal.
    """
    if Fight(world).is_out(origin):
        return False
    args = UsePower(who=actor, targets=[origin], power=power, dis=drawbacks)
    return (yield from play_unless_refused_at_once(play_attack(world, args)))


def move_to_best_square(
    world: World, combatant: str, rank: Callable[[Square], tuple[int, ...]]
) -> Procedure[bool]:
    """Take a Move Action to the square with the lowest `rank`; return whether the creature moved.

    The creature stays if no square in reach has a lower `rank` than its own.
    """
    fight = Fight(world)
    here, costs = fight.at(combatant), destinations(fight, combatant)
    best = min(costs, key=lambda square: (rank(square), costs[square], square), default=here)
    if rank(best) >= rank(here):
        return False
    return (yield from move_to_square_if_legal(world, combatant, best))


def move_to_square_if_legal(world: World, combatant: str, to: Square) -> Procedure[bool]:
    """Play a Move Action to a square if the rules allow it, and return whether they do."""
    return (
        yield from play_unless_refused_at_once(
            play_move(world, MoveAction(who=combatant, to=format_square(to)))
        )
    )


def distance_at_square(fight: Fight, combatant: str, origin: str, square: Square) -> int:
    """Return the distance in squares between `origin` and a combatant standing on `square`."""
    return distance_between_spaces(square, fight.size(combatant), fight.at(origin), fight.size(origin))


def walking_distance_function(
    fight: Fight, combatant: str, origin: str, grid: Grid
) -> Callable[[Square], int]:
    """Return a function that gives the walking distance in squares from `origin` to a square.

    The distance is for a creature of the combatant's size, as if no creature were in the way. If no path
    leads to the square, the function returns MORE_THAN_ANY_DISTANCE. For distances in the other direction,
    pass a `grid` whose one-way walls are reversed.
    """
    found = grid.reachable(
        fight.at(origin),
        MORE_THAN_ANY_DISTANCE,
        passable=lambda _: True,
        standable=lambda _: True,
        size=fight.size(combatant),
    )
    return lambda square: found.get(square, MORE_THAN_ANY_DISTANCE)


class RunAtStep(CompulsionStep):
    """A step that makes a creature run at another creature (`origin`), with one Move Action.

    The creature goes to the square in reach from which the walk to the other creature is shortest.
    """

    does = "runs at the giver"

    def do_forced_act(
        self, world: World, target: str, origin: str, drawbacks: Sequence[str]
    ) -> Procedure[bool]:
        fight = Fight(world)
        if fight.gap(target, origin) <= 1:
            return True
        walk = walking_distance_function(
            fight, target, origin, fight.grid.with_one_way_walls_reversed
        )  # that is, from there to the origin
        return (
            yield from move_to_best_square(
                world,
                target,
                lambda square: (walk(square), distance_at_square(fight, target, origin, square)),
            )
        )


class RunFromStep(CompulsionStep):
    """A step that makes the target run away from the giver of a status, as far as one Move Action allows."""

    does = "runs from the giver"

    def do_forced_act(
        self, world: World, target: str, origin: str, drawbacks: Sequence[str]
    ) -> Procedure[bool]:
        fight = Fight(world)
        walk = walking_distance_function(fight, target, origin, fight.grid)
        return (
            yield from move_to_best_square(
                world,
                target,
                lambda square: (-distance_at_square(fight, target, origin, square), -walk(square)),
            )
        )


class TakeCoverStep(CompulsionStep):
    """A step that forces a creature to take cover from another creature (`origin`).

    With at most one Move Action, the creature goes to a square in cover from the origin, or out of its sight.
    Squares in cover come first, then squares out of sight. Among equal squares, it takes the nearest.
    """

    does = "takes cover"

    def do_forced_act(
        self, world: World, target: str, origin: str, drawbacks: Sequence[str]
    ) -> Procedure[bool]:
        fight = Fight(world)
        worth: dict[Square, tuple[bool, int]] = {}
        for square, cost in {fight.at(target): 0, **destinations(fight, target)}.items():
            moved = with_combatant_and_zones_at(fight, target, square)
            seen = moved.has_line_of_sight(origin, target)
            if not seen or is_in_cover_of_obstacle_or_zone(moved, origin, target, melee=False):
                worth[square] = not seen, cost
        if not worth:
            return False
        best = min(worth, key=lambda square: (worth[square], square))
        return best == fight.at(target) or (yield from move_to_square_if_legal(world, target, best))


class ChargeStep(CompulsionStep):
    """A step that forces a creature to charge another one, the `origin`.

    If the two are next to each other already, the creature only makes the attack.
    """

    does = "charges the giver"

    def do_forced_act(
        self, world: World, target: str, origin: str, drawbacks: Sequence[str]
    ) -> Procedure[bool]:
        if Fight(world).gap(target, origin) <= 1:
            return (yield from make_basic_attack_if_legal(world, target, origin, MELEE_BASIC, drawbacks))
        return (
            yield from play_unless_refused_at_once(
                play_charge(world, Charge(who=target, target=origin, dis=drawbacks))
            )
        )


class MeleeStep(CompulsionStep):
    """A forced act: the creature makes a melee basic attack against the creature `origin`."""

    does = "makes a melee basic attack"

    def do_forced_act(
        self, world: World, target: str, origin: str, drawbacks: Sequence[str]
    ) -> Procedure[bool]:
        return (yield from make_basic_attack_if_legal(world, target, origin, MELEE_BASIC, drawbacks))


class RangedStep(CompulsionStep):
    """A ranged basic attack that a creature without control of itself has to make.

    The attack is against another creature, usually the giver of the status.
    """

    does = "makes a ranged basic attack"

    def do_forced_act(
        self, world: World, target: str, origin: str, drawbacks: Sequence[str]
    ) -> Procedure[bool]:
        return (yield from make_basic_attack_if_legal(world, target, origin, RANGED_BASIC, drawbacks))


class LoseControlStep(EffectStep):
    """A die that a creature rolls when it has lost control of itself, with steps for each face.

    `roll` is the kind of the roll. Steps that make the creature move or attack take up its whole turn. They
    are directed at the giver of the status or, if the giver isn't on the map, at the nearest enemy.
    """

    faces: Faces
    roll: str = "panic"

    def play(self, world: World, use: PowerUse, target: str) -> Procedure[None]:
        """Roll the die and play the steps for its face. A creature that can't act doesn't roll."""
        fight = Fight(world)
        if effect_banning(world, target, "act"):
            return
        origin = _giver_or_nearest_foe(fight, use, target)
        rolled = yield from roll_die(
            target, use.power["name"], *roll_reasons_from_effects(world, target, self.roll)
        )
        steps = require_steps_for_face(self.faces, clamp_total(rolled.total))
        does = tuple(_compelled_act_clause(fight, use, step, target, origin) for step in steps)
        yield world.tell(ControlRolled(target, rolled, power_as_reason(use.power, use.who), does))
        yield from _play_forced_steps(world, use._replace(giver=use.giver or origin), target, origin, steps)
        if any(step["do"] in COMPULSION_STEPS for step in steps):
            spent = {f"fight.turn.{action}": max(1, fight.times_taken(action)) for action in ACTIONS}
            yield world.tell(TurnSpent(target), spent)

    def summarize(self, book: ContentOfFights) -> str:
        each = (
            f"{faces}: {steps_words_on_sheet(book, steps) or 'nothing'}"
            for faces, steps in self.faces.items()
        )
        return f"a die of control ({'; '.join(each)})"

    def label(self, fight: Fight, use: PowerUse, target: str) -> Reason:
        """Return a clause that lists the faces of the die, each with a short description of its steps."""
        faces = {
            faces: summarize_effective_else_first_step(fight, use, steps, target)
            for faces, steps in self.faces.items()
        }
        return DieEach([FaceIs(*face) for face in faces.items()], True)

    def describe(self, book: ContentOfFights, target: str) -> str:
        faces = (f"on {faces} {describe_steps(book, steps, target)}" for faces, steps in self.faces.items())
        return f"a die for {target}: {'; '.join(faces)}"


def _compelled_act_clause(
    fight: Fight, use: PowerUse, step: StepTable, target: str, origin: str
) -> Compelled:
    do = step["do"]
    if do in COMPULSION_STEPS or do == "apply":
        return Compelled(do, origin, step.get("status", ""))
    (words,) = summarize_effective_else_first_step(fight, use, [step], target)
    return Compelled(do, words=words)


def _giver_or_nearest_foe(fight: Fight, use: PowerUse, target: str) -> str:
    giver = use.giver if use.held else use.who
    if giver in fight.data["combatants"] and giver != target and fight.is_on_map(giver):
        return giver
    return min(fight.foes_on_map(target), key=lambda foe: fight.gap(target, foe), default="")


def _is_unconditional(step: StepTable) -> bool:
    """Return whether a step has no condition, no other target than the usual, and no amount to determine."""
    return not (conditions_and_other_target(step) or isinstance(step.get("amount"), Mapping))


def _play_forced_steps(
    world: World, use: PowerUse, target: str, origin: str, steps: Sequence[StepTable]
) -> Procedure[None]:
    """Play the steps for a face of the control die, in order.

    A step can force the target to act. If the target can't do the act, the step's `otherwise` steps are
    played instead, and no later step is played. If there are no `otherwise` steps, the next step follows.
    """
    for table in steps:
        step = step_class_of(world.book, table)(table)
        if isinstance(step, ApplyStep) and _is_unconditional(table):  # the report of the die names it
            yield from add_status_by_stacking_rule(
                world, target, step.status_to_give(world, use, target), silent=True
            )
        elif not isinstance(step, CompulsionStep):
            yield from play_steps_and_get_statuses_given(world, use, [table], target, use.conditions_met)
        elif not (yield from step.compel(world, use, target, origin)) and step.otherwise:
            yield from _play_forced_steps(world, use, target, origin, step.otherwise)
            return
