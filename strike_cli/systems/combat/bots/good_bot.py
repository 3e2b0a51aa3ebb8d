"""The bot `good`: it computes what the most promising options gain by the rules, and takes the best.

As for `quick`, printed numbers decide which options are promising. SearchBreadth says how many are computed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from itertools import islice
from typing import NamedTuple

from strike_cli.kernel.facts import State
from strike_cli.kernel.procedure import Choose, World
from strike_cli.play.decision_weighing import Underway, best_answer
from strike_cli.play.legal_options import Option
from strike_cli.registry import load_system
from strike_cli.tabletop.grid import Square, gap
from strike_cli.tabletop.status_effects import ban_on

from ..fight import Fight, combatants_in, fight_in
from ..powers.attack import UsePower
from .bot import NEVER, STEP, WORTH_IT, expected_gain, harm_on_the_way, move_if_legal, moved_to, side_worth
from .creature_tactics import Habit
from .forecast import Effort
from .legal_options import END_TURN
from .quick_bot import HABITS, Quick, QuickTurn

COMES_ONCE = 0.6
"""The value, in HP, of a power that can be used once a fight and hasn't been used."""


class SearchBreadth(NamedTuple):
    """How much a player searches.

    `acts` are computed from the present square, and `acts_there` from each of `squares` to move to. `effort`
    limits the work for all of them (forecast.Effort). Attacks that promise over `within` HP less than the
    best are skipped.
    """

    acts: int
    squares: int
    acts_there: int
    effort: int
    within: float


class Good(Quick):
    """A player that computes the gain of the most promising options."""

    name = "good"

    def __init__(self) -> None:
        super().__init__()
        self.remembered: dict[tuple[str, tuple[str, ...]], tuple[State, object, float, int]] = {}
        """The last evaluation of each act: the state, the book, the gain, and the effort that it took."""

    breadth = SearchBreadth(acts=3, squares=2, acts_there=1, effort=12_000, within=2.0)

    def choose_command(self, world: World, person: str = "") -> Option | None:
        """Return the next command: the act that gains most, a move that leads to more, or that of a habit."""
        by_habit = _is_no_turn(world)
        if by_habit:
            return super().choose_command(world, person)
        fight = Fight(world)
        turn = QuickTurn(fight, str(fight.data["active"]))
        if "at" not in turn.one or ban_on(world, turn.who, "act", fight.actions_taken() + 1):
            return turn.command()
        if option := self.at_once(turn):
            return option
        effort = Effort(world, self.breadth.effort)
        now, act = self.best_act(turn, effort)
        then, move = self.best_move(turn, effort)
        if move is not None and then > max(now, 0.0) + self.gain_of_going(turn) + WORTH_IT:
            return move
        return act if act is not None and now > WORTH_IT else self.otherwise(turn)

    def decide(self, world: World, question: Choose, underway: Underway | None = None) -> str:
        """Return the answer that is best for the decider's side, counting the powers that it uses up.

        Miss Tokens are spent by USUAL, since what they will be worth later can't be computed now.
        """
        if question.kind == "tokens" or underway is None:
            return super().decide(world, question)
        best = best_answer(load_system("combat"), underway, question, worth=partial(_value_kept, world.state))
        return best or super().decide(world, question)

    def at_once(self, turn: QuickTurn) -> Option | None:
        """Return an option that is taken without comparison with others, or None."""
        return turn.at_once()

    def best_act(self, turn: QuickTurn, effort: Effort) -> tuple[float, Option | None]:
        """Return the gain of the best act from the present square, and the act."""
        return best_of(self.weighed(turn, self.acts(turn, self.breadth.acts), effort))

    def best_move(self, turn: QuickTurn, effort: Effort) -> tuple[float, Option | None]:
        """Return the gain of the best move, including the best act after it, and the move.

        Only squares that promise more than the present one are considered.
        """
        best: tuple[float, Option | None] = 0.0, None
        if turn.turn.get("move") or not turn.may("attack") or not turn.foes:
            return best
        here = _best_attack_hp(turn)
        found = list[tuple[float, int, Square, int, QuickTurn]]()
        for square, cost in self.squares(turn):
            there = QuickTurn(Fight(moved_to(turn.world, turn.who, square)), turn.who)
            promised = _best_attack_hp(there) + self.gain_of_place(turn, there) - STEP * cost
            if promised > here:
                found.append((-promised, len(found), square, cost, there))
        for _, _, square, cost, there in sorted(found, key=lambda item: item[:2])[: self.breadth.squares]:
            option = move_if_legal(turn.world, turn.who, square)
            if option is None:
                continue
            gained, _ = best_of(self.weighed(there, self.acts(there, self.breadth.acts_there), effort))
            if place := self.gain_of_place(turn, there):
                gained = max(gained, 0.0) + place
            gained -= harm_on_the_way(turn.fight, turn.who, square) + STEP * cost
            if gained > best[0]:
                best = gained, option
        return best

    def gain_of_going(self, turn: QuickTurn) -> float:
        """Return what a move after the act would gain besides, in HP."""
        return 0.0

    def gain_of_place(self, turn: QuickTurn, there: QuickTurn) -> float:
        """Return how much more the place in `there` is worth than the present one, in HP, apart from acts."""
        return 0.0

    def acts(self, turn: QuickTurn, most: int) -> Iterator[Option]:
        """Yield the most promising acts from the present square other than moves.

        There are at most `most` of each kind. Charges are among them only if no attack is possible.
        """
        for word in ("escape", "stand", "rally", "help", "area"):
            yield from islice(HABITS[word](turn, Habit(word)), most)
        found = list(islice(self.attacks(turn), most)) if turn.may("attack") else []
        # Of equals the first is taken: in the order in which they are listed.
        order = list(turn.fight.data["combatants"])
        yield from sorted(
            found, key=lambda option: [order.index(one) for one in option.given(UsePower).targets]
        )
        if not found:
            yield from islice(HABITS["charge"](turn, Habit("charge")), most)

    def attacks(self, turn: QuickTurn) -> Iterator[Option]:
        """Yield the attacks that promise nearly as much as the best one."""
        return turn.attacks(turn.tools.attacks, "", self.breadth.within)

    def squares(self, turn: QuickTurn) -> Iterator[tuple[Square, int]]:
        """Yield the squares that may be worth moving to, with their approximate distance."""
        seen = set()
        for far in dict.fromkeys((turn.tools.far, turn.tools.near)):
            for _, foe, _ in turn.foes[:FOES]:
                way = turn.way_to(foe, far)
                if way and way.arrives and way.squares[-1] not in seen:
                    seen.add(way.squares[-1])
                    yield way.squares[-1], gap(turn.at, turn.size, way.squares[-1], turn.size)
        if turn.beside:
            for square in turn.fight.grid.neighbours(turn.at, turn.size):
                if square not in seen and turn.is_free(square) and not turn.burns(square):
                    yield square, 1

    def weighed(
        self, turn: QuickTurn, options: Iterator[Option], effort: Effort
    ) -> Iterator[tuple[float, Option]]:
        """Yield each option with its gain, until the effort is spent.

        A gain that was computed before is used again if the state is still the same, for instance after a
        move that went as expected.
        """
        world = turn.world
        for option in options:
            if effort.left <= 0:
                return
            key = turn.who, option.typed
            state, book, gained, spent = self.remembered.get(key, (None, None, 0.0, 0))
            if book is not world.book or state != world.state:
                before = effort.left
                gained = expected_gain(world, turn.who, option, effort)
                if len(self.remembered) >= MOST_REMEMBERED:
                    self.remembered.clear()
                self.remembered[key] = world.state, world.book, gained, before - effort.left
            else:
                effort.left -= spent
            yield gained, option

    def otherwise(self, turn: QuickTurn) -> Option:
        """Return the option for a turn in which no act or move gains enough."""
        for word in ("close", "charge", "run", "leave", "door"):
            if (option := turn.first(HABITS[word](turn, Habit(word)))) is not None:
                return option
        return END_TURN


def _value_kept(before: State, world: World, side: str) -> float:
    """Return the value of a fight to a side, less COMES_ONCE for each power used since `before`."""
    return side_worth(world, side) - COMES_ONCE * (_count_used(world.state, side) - _count_used(before, side))


def _count_used(state: State, side: str) -> int:
    people = combatants_in(state).values()
    return sum(len(one.get("used", ())) for one in people if one["side"] == side)


MOST_REMEMBERED = 1000
"""The most acts whose last evaluation is remembered."""
FOES = 3
"""The most enemies to which paths are sought."""


def _best_attack_hp(turn: QuickTurn) -> float:
    """Return the expected HP of the best attack from the present square, -1 if there is none."""
    found = turn.promising(turn.tools.attacks)
    return found[0][0] if found else -1.0


def best_of(options: Iterable[tuple[float, Option]]) -> tuple[float, Option | None]:
    """Return the highest gain and its option, the first of equals. Without options it is NEVER and None."""
    best: tuple[float, Option | None] = NEVER, None
    for gained, option in options:
        if gained > best[0]:
            best = gained, option
    return best


def _is_no_turn(world: World) -> bool:
    """Return whether there is nothing to evaluate: no fight, nobody's turn, or a fight that is decided."""
    fight = fight_in(world.state)
    return not fight or not fight.get("active") or Fight(world).decided() is not None
