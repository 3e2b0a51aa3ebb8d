"""The bot `full`: it looks further than `good`.

It evaluates more squares and more acts: healing on every friend, a Rally that restores a power, powers that
can be used only once a fight, an attack prepared for an enemy that isn't in sight yet, and a step out of
danger after an attack.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain, islice

from strike_cli.kernel.facts import apply_changes
from strike_cli.kernel.procedure import World
from strike_cli.play.legal_options import Option
from strike_cli.tabletop.grid import Square, distance, format_square, gap, parse_square
from strike_cli.tabletop.people import squares_a_side

from ..board.move import MoveAction, destinations
from ..encounter.objective import LEFT, is_way_out, objective_progress, objective_targets, steps_to
from ..fight import PARTY, Fight, path_of
from ..powers.uses import RALLY
from ..turns.delay_and_prepare import Prepare, Trigger
from .bot import WORTH_IT, expected_gain, harm_on_the_way, moved_to, side_value
from .creature_tactics import Habit
from .endgame import Endgame
from .forecast import Effort
from .good_bot import COMES_ONCE, Good, SearchBreadth, best_of
from .legal_options import END_TURN, leave_option
from .objective_moves import doors_to_aim
from .quick_bot import HABITS, QuickTurn
from .retreat import escape_options
from .unwinnable import is_lost, looks_lost

CLOSE = 0.15
"""The cost of ending a turn within an enemy's reach, in HP for each HP of damage of that enemy's attack."""


class Full(Good):
    """A player that looks further ahead than `good`."""

    name = "full"
    breadth = SearchBreadth(acts=8, squares=5, acts_there=3, effort=40_000, within=6.0)

    def __init__(self) -> None:
        super().__init__()
        self.endgame = Endgame()

    def at_once(self, turn: QuickTurn) -> Option | None:
        """Return the option that `good` takes at once, or a way out of a fight that is as good as lost."""
        if option := super().at_once(turn):
            return option
        fight = turn.fight
        if not fight.is_player(turn.who) or turn.is_commanded or turn.side != PARTY or not looks_lost(fight):
            return None
        option = turn.first(escape_options(turn))
        return option if option and is_lost(fight) else None

    def choose_command(self, world: World, person: str = "") -> Option | None:
        """Return a prepared action whose trigger has come, else the choice of `good` with a broader search.

        Near the end of a fight for a goal it is the option that has the best chance to reach the goal.
        """
        if not world.state.get("fight"):
            return None
        if option := _prepared_option(world):
            return option
        option = super().choose_command(world, person)
        return self.endgame.better(world, option) if option else None

    def best_act(self, turn: QuickTurn, effort: Effort) -> tuple[float, Option | None]:
        """Return the gain of the best act from the present square, and the act.

        The gain includes powers that the act spends or restores, and leaving by the way out that it leads to.
        """
        acts = self.acts(turn, self.breadth.acts)
        return best_of(
            (gained + _value_of_saved_powers(turn, act) + _gain_of_exit(turn, act), act)
            for gained, act in self.weighed(turn, acts, effort)
        )

    def acts(self, turn: QuickTurn, most: int) -> Iterator[Option]:
        """Return the acts of `good` and more.

        These are every heal for every friend, a Rally after any loss of HP, and moves towards the objective.
        """
        more = (_heals(turn), _rallies(turn), self.towards(turn))
        return chain(super().acts(turn, most), *more)

    def squares(self, turn: QuickTurn) -> Iterator[tuple[Square, int]]:
        """Yield squares that may be worth moving to, with their cost.

        For each enemy these are the two nearest squares in range of it and the one furthest from it. To them
        come the squares of `good`, and those nearest to the objective.
        """
        found = destinations(turn.fight, turn.who)
        seen = {square for square, _ in super().squares(turn)}
        seen |= set(_nearest_to_aim(turn, found))
        for _, foe, _ in turn.foes:
            there = turn.fight.at(foe)
            near = [square for square in found if distance(square, there) <= turn.tools.far]
            near = [square for square in near if not turn.burns(square)]
            seen.update(sorted(near, key=found.__getitem__)[:2])
            seen.update(sorted(near, key=lambda square: -distance(square, there))[:1])
        for square in sorted(seen & found.keys()):
            yield square, found[square]

    def otherwise(self, turn: QuickTurn) -> Option:
        """Return the option for a turn in which no act or move gains enough.

        It leaves by the way out, moves towards the objective, opens a door, or steps out of danger after an
        attack; where no enemy can be reached, it prepares an attack.
        """
        for way in (_exit_options(turn), self.towards(turn), doors_to_aim(turn)):
            if (option := turn.first(way)) is not None:
                return option
        if not turn.may("attack") and (option := turn.first(_evasive_moves(turn))):
            return option
        option = super().otherwise(turn)
        if option.command in ("combat move", "combat charge") and self._leaves_objective(turn, option):
            option = END_TURN
        if option == END_TURN and turn.may("attack") and not turn.is_commanded:
            return turn.first(_readied_attack(turn) if not turn.foes else _approach_moves(turn)) or option
        return option

    def gain_of_place(self, turn: QuickTurn, there: QuickTurn) -> float:
        """Return how much nearer to the objective, in HP, the place in `there` is than the present one."""
        if "objective" not in turn.fight.data:
            return 0.0
        side = turn.side
        nearer = objective_progress(there.fight.data, side) - objective_progress(turn.fight.data, side)
        return nearer + _gain_of_leaving(there) - _gain_of_leaving(turn)

    def gain_of_going(self, turn: QuickTurn) -> float:
        """Return what a move towards the objective would gain after the act, 0 without a Move Action."""
        if turn.turn.get("move"):
            return 0.0
        return max(
            (self._gain_at(turn, option.given(MoveAction).to) for option in self.towards(turn)), default=0.0
        )

    def towards(self, turn: QuickTurn) -> Iterator[Option]:
        """Yield moves nearer to the fight's objective, if they gain enough."""
        if not turn.may("move") or turn.is_commanded or not objective_targets(turn.fight.data, turn.who):
            return
        for square in _nearest_to_aim(turn, destinations(turn.fight, turn.who)):
            option = turn.move(square)
            if self._gain_at(turn, option.given(MoveAction).to) > WORTH_IT:
                yield option

    def _gain_at(self, turn: QuickTurn, to: str) -> float:
        square = parse_square(to)
        there = QuickTurn(Fight(moved_to(turn.world, turn.who, square)), turn.who)
        return self.gain_of_place(turn, there) - harm_on_the_way(turn.fight, turn.who, square)

    def _leaves_objective(self, turn: QuickTurn, option: Option) -> bool:
        """Return whether a move loses more than it gains, in a fight with an objective."""
        if "objective" not in turn.fight.data:
            return False
        return expected_gain(turn.world, turn.who, option) < -WORTH_IT


def _exit_options(turn: QuickTurn) -> Iterator[Option]:
    """Yield the option to leave the fight, if the creature stands on the objective's way out."""
    if not turn.is_commanded and is_way_out(turn.fight.data, turn.who) and turn.one["hp"] > 0:
        yield leave_option(turn.who)


def _gain_of_leaving(turn: QuickTurn) -> float:
    """Return what leaving the fight from the present square gains, 0 if it isn't the objective's way out."""
    if turn.is_commanded or not is_way_out(turn.fight.data, turn.who):
        return 0.0
    world, side = turn.world, turn.side
    gone = apply_changes(world.state, [(path_of(turn.who, "out"), None, LEFT)])
    return side_value(world.book, gone, side) - side_value(world.book, world.state, side)


def _gain_of_exit(turn: QuickTurn, act: Option) -> float:
    """Return what leaving the fight gains after a move to the objective's way out, 0 for any other act."""
    if act.command != "combat move" or "reach" not in turn.fight.data.get("objective", ()):
        return 0.0
    there = moved_to(turn.world, turn.who, parse_square(act.given(MoveAction).to))
    return _gain_of_leaving(QuickTurn(Fight(there), turn.who))


def _nearest_to_aim(turn: QuickTurn, squares: Iterable[Square]) -> list[Square]:
    """Return those of the squares that are nearest to the objective, at most AIMS, without harmful ones."""
    aims = objective_targets(turn.fight.data, turn.who)
    if not aims:
        return []
    far = {square: steps_to(turn.fight.data, aims, turn.one, square) for square in squares}
    return sorted((square for square in far if not turn.burns(square)), key=far.__getitem__)[:AIMS]


AIMS = 3
"""The most squares near the fight's objective that are considered."""


def _value_of_saved_powers(turn: QuickTurn, act: Option) -> float:
    """Return the value, in HP, of the once-a-fight powers that an act restores, below 0 if it spends one."""
    key = getattr(act.args, "power", "")
    power = turn.world.book.powers.get(key, {})
    used = turn.one.get("used", ())
    if key == RALLY:
        return COMES_ONCE if any(turn.world.book.powers[one]["kind"] == "class" for one in used) else 0.0
    return -COMES_ONCE if power.get("usage") == "encounter" else 0.0


def _heals(turn: QuickTurn) -> Iterator[Option]:
    """Yield uses of healing powers without an attack roll, on each friend that is hurt."""
    for tool in turn.tools.helps:
        if turn.usable(tool) and any(step["do"] == "heal" for step in tool.power.get("effect", ())):
            hurt = [one for one in turn.friends if turn.is_hurt(one)]
            yield from (turn.use(tool, (one,)) for one in hurt)


def _rallies(turn: QuickTurn) -> Iterator[Option]:
    if turn.is_hurt(turn.who) and turn.one["hp"] > 0:
        yield from HABITS["rally"](turn, Habit("rally", "anyhow"))


def _evasive_moves(turn: QuickTurn) -> Iterator[Option]:
    """Yield shifts out of a harmful zone or, for a shooter, to a square with fewer adjacent enemies."""
    if turn.turn.get("move") or turn.is_commanded:
        return
    shoots = turn.tools.far > turn.tools.near + 1
    burning = turn.burns(turn.at)
    if not burning and not (shoots and turn.beside):
        return
    steps = [
        square
        for square in turn.fight.grid.neighbours(turn.at, turn.size)
        if turn.is_free(square) and not turn.burns(square)
    ]
    here = turn.beside_at(turn.at)
    for square in sorted(steps, key=turn.beside_at):
        if burning or turn.beside_at(square) < here:
            to = format_square(square)
            yield Option(
                "combat move", MoveAction(who=turn.who, to=to, shift=True), ("move", turn.who, to, "--shift")
            )


def _approach_moves(turn: QuickTurn) -> Iterator[Option]:
    """Yield moves nearer, in a straight line, to the nearest enemy, if no path leads to it."""
    _, foe, there = turn.foes[0]
    stays = "objective" in turn.fight.data or turn.turn.get("move")
    if turn.may("move") and not stays and turn.way_to(foe, 1) is None:
        size = squares_a_side(there["size"])
        far = {
            square: gap(square, turn.size, turn.fight.at(foe), size)
            for square in destinations(turn.fight, turn.who)
            if not turn.burns(square)
        }
        nearer = [square for square in far if far[square] < gap(turn.at, turn.size, turn.fight.at(foe), size)]
        yield from map(turn.move, sorted(nearer, key=far.__getitem__))


# Readied attacks

SHOWS = "an enemy comes into reach"


def _readied_attack(turn: QuickTurn) -> Iterator[Option]:
    """Yield the option to prepare an attack for an enemy that comes into reach."""
    args = Prepare(who=turn.who, trigger=SHOWS, then="attack", do="attack")
    typed = ("prepare", turn.who, "--trigger", SHOWS, "--then", "attack")
    if "prepared" not in turn.one:
        yield Option("combat prepare", args, typed)


def _prepared_option(world: World) -> Option | None:
    """Return the option to trigger a prepared attack if that is possible and gains anything, else None."""
    fight = Fight(world)
    for combatant, one in fight.data["combatants"].items():
        if "prepared" not in one or fight.data.get("active") in (None, combatant):
            continue
        turn = QuickTurn(fight, combatant)
        for act in islice(turn.attacks(turn.tools.attacks, ""), TRIED):
            plain = act.args.as_json()
            del plain["who"]
            args = Trigger(who=combatant, do="attack", args=plain)
            option = Option("combat trigger", args, ("trigger", combatant, "--then", " ".join(act.typed)))
            if (
                expected_gain(world, combatant, option) > 0
            ):  # all of it is played: it may be refused on the way
                return option
    return None


TRIED = 2
"""The most attacks that are tried for a prepared action."""
