"""Loss of control: the die that decides what a creature does, and the acts that are forced on it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, ClassVar

from strike_cli.kernel.procedure import Procedure, World
from strike_cli.kernel.statements import Reason
from strike_cli.problems import Refused
from strike_cli.tabletop.active_effects import effect_banning, roll_reasons
from strike_cli.tabletop.dice import clamp_total, roll_die
from strike_cli.tabletop.grid import FAR, Grid, Square, format_square, gap

from ..board.areas import with_combatant_at
from ..board.move import MoveAction, destinations, play_move
from ..board.sight_and_hiding import is_in_cover
from ..facts.steps import DieEach, FaceIs
from ..facts.turns import Compelled, ControlRolled, TurnSpent
from ..fight_state import ACTIONS, Fight
from ..health_and_statuses import add_status
from ..powers.charge import Charge, play_charge
from ..powers.effects import do_steps, steps_in_short
from ..powers.power_use import UsePower, play_attack
from ..powers.powers_and_targets import Deed, power_with_owner
from ..powers.use_limits import MELEE_BASIC, RANGED_BASIC
from . import COMPELLED, Faces, StepTable
from .branching_and_statuses import ApplyStep, steps_for_face
from .step import EffectStep, describe_steps, step_class_of, steps_on_sheet

if TYPE_CHECKING:
    from ..data import ContentOfFights


class CompulsionStep(EffectStep):
    """A step that forces a creature to act towards or away from `origin`.

    The act takes an action of the creature's turn. If the creature can't do so, the steps in `otherwise` are
    played instead.
    """

    disadvantage: bool = False
    otherwise: Sequence[StepTable] = ()

    does: ClassVar[str]
    """The act in words, as the predicate of a sentence about the creature."""

    def play(self, world: World, deed: Deed, target: str) -> Procedure[None]:
        """Force the target to act; `origin` is the giver of the status.

        `LoseControlStep` calls `compel` directly.
        """
        yield from self.compel(world, deed, target, deed.giver)

    def compel(self, world: World, deed: Deed, target: str, origin: str) -> Procedure[bool]:
        """Force the target to act; return whether it did the act."""
        fight = Fight(world)
        there = bool(origin) and fight.is_on_map(origin) and fight.is_on_map(target)
        if not there or effect_banning(world, target, "act"):
            return False
        return (yield from self.act(world, target, origin, [deed.power["name"]] if self.disadvantage else []))

    def act(self, world: World, target: str, origin: str, drawbacks: Sequence[str]) -> Procedure[bool]:
        """Do the act, and return whether it was done; each of `drawbacks` gives its rolls Disadvantage."""
        raise NotImplementedError

    def label(self, fight: Fight, deed: Deed, target: str) -> Reason:
        return Compelled(self.table["do"], deed.giver or deed.who)

    def summarize(self, book: ContentOfFights) -> str:
        words = self.does + (" with Disadvantage" if self.disadvantage else "")
        return words + (f" (or else {steps_on_sheet(book, self.otherwise)})" if self.otherwise else "")

    def describe(self, book: ContentOfFights, target: str) -> str:
        words = f"{target} {self.does}" + (" with Disadvantage" if self.disadvantage else "")
        return words + (
            f" (or else {describe_steps(book, self.otherwise, target)})" if self.otherwise else ""
        )


def try_command(procedure: Procedure[object]) -> Procedure[bool]:
    """Play a command, and return True; return False if the rules refuse it at its start."""
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


def basic_attack_if_legal(
    world: World, actor: str, origin: str, power: str, drawbacks: Sequence[str]
) -> Procedure[bool]:
    """Make a basic attack on `origin`; return whether it was made."""
    if Fight(world).is_out(origin):
        return False
    args = UsePower(who=actor, targets=[origin], power=power, dis=drawbacks)
    return (yield from try_command(play_attack(world, args)))


def move_to_best_square(
    world: World, combatant: str, worth: Callable[[Square], tuple[int, ...]]
) -> Procedure[bool]:
    """Take one Move Action to the square with the lowest `worth`; return whether the creature moved.

    The creature stays if no square that it can reach has a lower `worth` than its own square.
    """
    fight = Fight(world)
    here, costs = fight.at(combatant), destinations(fight, combatant)
    best = min(costs, key=lambda square: (worth(square), costs[square], square), default=here)
    if worth(best) >= worth(here):
        return False
    return (yield from move_to_square(world, combatant, best))


def move_to_square(world: World, combatant: str, to: Square) -> Procedure[bool]:
    """Take a Move Action to a square; return whether it was legal."""
    return (yield from try_command(play_move(world, MoveAction(who=combatant, to=format_square(to)))))


def distance_from(fight: Fight, combatant: str, origin: str, square: Square) -> int:
    """Return the distance in squares from `origin` that a combatant would have on `square`."""
    return gap(square, fight.size(combatant), fight.at(origin), fight.size(origin))


def walking_distance_function(
    fight: Fight, combatant: str, origin: str, grid: Grid
) -> Callable[[Square], int]:
    """Return a function that counts the squares of movement from `origin` to a square.

    They are counted for a creature as large as `combatant`; creatures in the way are ignored. If the grid is
    `backwards`, the way is counted from the square to `origin`. If there is no way, the function returns FAR.
    """
    found = grid.reachable(
        fight.at(origin), FAR, passable=lambda _: True, standable=lambda _: True, size=fight.size(combatant)
    )
    return lambda square: found.get(square, FAR)


class RunAtStep(CompulsionStep):
    """A move towards the origin, to the nearest square that one Move Action reaches.

    "Nearest" is counted in squares of movement.
    """

    does = "runs at the giver"

    def act(self, world: World, target: str, origin: str, drawbacks: Sequence[str]) -> Procedure[bool]:
        fight = Fight(world)
        if fight.gap(target, origin) <= 1:
            return True
        walk = walking_distance_function(
            fight, target, origin, fight.grid.backwards
        )  # that is, from there to the origin
        return (
            yield from move_to_best_square(
                world, target, lambda square: (walk(square), distance_from(fight, target, origin, square))
            )
        )


class RunFromStep(CompulsionStep):
    """A move away from the origin, as far as one Move Action allows."""

    does = "runs from the giver"

    def act(self, world: World, target: str, origin: str, drawbacks: Sequence[str]) -> Procedure[bool]:
        fight = Fight(world)
        walk = walking_distance_function(fight, target, origin, fight.grid)
        return (
            yield from move_to_best_square(
                world, target, lambda square: (-distance_from(fight, target, origin, square), -walk(square))
            )
        )


class TakeCoverStep(CompulsionStep):
    """A move to the nearest square in cover from the origin, if one Move Action reaches such a square.

    Squares from which the creature can still be seen are preferred to squares that are out of sight.
    """

    does = "takes cover"

    def act(self, world: World, target: str, origin: str, drawbacks: Sequence[str]) -> Procedure[bool]:
        fight = Fight(world)
        worth: dict[Square, tuple[bool, int]] = {}
        for square, cost in {fight.at(target): 0, **destinations(fight, target)}.items():
            moved = with_combatant_at(fight, target, square)
            seen = moved.has_line_of_sight(origin, target)
            if not seen or is_in_cover(moved, origin, target, melee=False):
                worth[square] = not seen, cost
        if not worth:
            return False
        best = min(worth, key=lambda square: (worth[square], square))
        return best == fight.at(target) or (yield from move_to_square(world, target, best))


class ChargeStep(CompulsionStep):
    """A charge at the origin, or only its attack if the creature is next to the origin."""

    does = "charges the giver"

    def act(self, world: World, target: str, origin: str, drawbacks: Sequence[str]) -> Procedure[bool]:
        if Fight(world).gap(target, origin) <= 1:
            return (yield from basic_attack_if_legal(world, target, origin, MELEE_BASIC, drawbacks))
        return (yield from try_command(play_charge(world, Charge(who=target, target=origin, dis=drawbacks))))


class MeleeStep(CompulsionStep):
    """A melee basic attack on the origin."""

    does = "makes a melee basic attack"

    def act(self, world: World, target: str, origin: str, drawbacks: Sequence[str]) -> Procedure[bool]:
        return (yield from basic_attack_if_legal(world, target, origin, MELEE_BASIC, drawbacks))


class RangedStep(CompulsionStep):
    """A ranged basic attack on the origin."""

    does = "makes a ranged basic attack"

    def act(self, world: World, target: str, origin: str, drawbacks: Sequence[str]) -> Procedure[bool]:
        return (yield from basic_attack_if_legal(world, target, origin, RANGED_BASIC, drawbacks))


class LoseControlStep(EffectStep):
    """A die that a creature rolls when it has lost control of itself, with steps for each face.

    `roll` is the kind of the roll. Steps that make the creature move or attack take up its whole turn. They
    are directed at the giver of the status or, if the giver isn't on the map, at the nearest enemy.
    """

    faces: Faces
    roll: str = "panic"

    def play(self, world: World, deed: Deed, target: str) -> Procedure[None]:
        """Roll the die and play the steps for its face. A creature that can't act doesn't roll."""
        fight = Fight(world)
        if effect_banning(world, target, "act"):
            return
        origin = _origin_of_compulsion(fight, deed, target)
        rolled = yield from roll_die(target, deed.power["name"], *roll_reasons(world, target, self.roll))
        steps = steps_for_face(self.faces, clamp_total(rolled.total))
        does = tuple(_compelled_act_clause(fight, deed, step, target, origin) for step in steps)
        yield world.tell(ControlRolled(target, rolled, power_with_owner(deed.power, deed.who), does))
        yield from _play_forced_steps(world, deed._replace(giver=deed.giver or origin), target, origin, steps)
        if any(step["do"] in COMPELLED for step in steps):
            spent = {f"fight.turn.{action}": max(1, fight.times_taken(action)) for action in ACTIONS}
            yield world.tell(TurnSpent(target), spent)

    def summarize(self, book: ContentOfFights) -> str:
        each = (f"{faces}: {steps_on_sheet(book, steps) or 'nothing'}" for faces, steps in self.faces.items())
        return f"a die of control ({'; '.join(each)})"

    def label(self, fight: Fight, deed: Deed, target: str) -> Reason:
        """Return a clause with short descriptions of the steps for each face."""
        faces = {faces: steps_in_short(fight, deed, steps, target) for faces, steps in self.faces.items()}
        return DieEach([FaceIs(*face) for face in faces.items()], True)

    def describe(self, book: ContentOfFights, target: str) -> str:
        faces = (f"on {faces} {describe_steps(book, steps, target)}" for faces, steps in self.faces.items())
        return f"a die for {target}: {'; '.join(faces)}"


def _compelled_act_clause(fight: Fight, deed: Deed, step: StepTable, target: str, origin: str) -> Compelled:
    do = step["do"]
    if do in COMPELLED or do == "apply":
        return Compelled(do, origin, step.get("status", ""))
    (words,) = steps_in_short(fight, deed, [step], target)
    return Compelled(do, words=words)


def _origin_of_compulsion(fight: Fight, deed: Deed, target: str) -> str:
    giver = deed.giver if deed.held else deed.who
    if giver in fight.data["combatants"] and giver != target and fight.is_on_map(giver):
        return giver
    return min(fight.foes_on_map(target), key=lambda foe: fight.gap(target, foe), default="")


def _play_forced_steps(
    world: World, deed: Deed, target: str, origin: str, steps: Sequence[StepTable]
) -> Procedure[None]:
    """Play the steps for a face in order.

    If a forced act is impossible, the steps of its `otherwise` are played in place of the act and of all
    later steps.
    """
    for table in steps:
        step = step_class_of(world.book, table)(table)
        if isinstance(step, ApplyStep):  # the report of the die names it
            yield from add_status(world, target, step.status_to_give(world, deed, target), silent=True)
        elif not isinstance(step, CompulsionStep):
            yield from do_steps(world, deed, [table], target, deed.holding)
        elif not (yield from step.compel(world, deed, target, origin)) and step.otherwise:
            yield from _play_forced_steps(world, deed, target, origin, step.otherwise)
            return
