"""The bot `good`: it computes the gain of the most promising options, and takes the best one.

Options are promising if the numbers of their powers are high, as for the bot `quick`. SearchBreadth limits
for how many options the gain is computed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from itertools import islice
from typing import NamedTuple

from strike_cli.kernel.procedure import Choose, World
from strike_cli.kernel.state_changes import State
from strike_cli.play.decision_weighing import CommandUnderway, best_answer
from strike_cli.play.legal_options import Option
from strike_cli.registry import load_known_system
from strike_cli.tabletop.active_effects import effect_banning
from strike_cli.tabletop.grid import Square, distance_between_spaces

from ..fight_state import Fight, combatants_in, fight_in
from ..powers.power_use import UsePower
from .legal_options import END_TURN
from .outcome_forecast import WorkBudget
from .position_value import (
    ILLEGAL_GAIN,
    STEP,
    WORTH_IT,
    expected_gain_to_side_acted_for,
    fight_value_to_side_in,
    legal_move_option,
    opportunity_cost_to_side_acted_for,
    world_as_if_move_spent_to_reach,
)
from .quick_bot import HABITS, QuickBot, QuickTurn
from .tactics_habits import Habit

UNUSED_POWER = 0.6
"""The value, in HP, of a power that can be used once a fight and hasn't been used."""


class SearchBreadth(NamedTuple):
    """The limits of a bot's search for the best act.

    On the present square, the bot computes `acts` acts of each kind. It then tries `squares` other squares,
    and on each of these computes `acts_there` acts of each kind. `effort` limits the whole work. An attack is
    skipped if it promises more than `within` HP less than the best attack.
    """

    acts: int
    squares: int
    acts_there: int
    effort: int
    within: float


class GoodBot(QuickBot):
    """A bot that computes the gain of the most promising options, and compares them by it."""

    name = "good"

    def __init__(self) -> None:
        super().__init__()
        self.remembered: dict[tuple[str, tuple[str, ...]], tuple[State, object, float, int]] = {}
        """The last evaluation of each act: the state, the book, the gain, and the effort that it took."""

    breadth = SearchBreadth(acts=3, squares=2, acts_there=1, effort=12_000, within=2.0)

    def choose_command(self, world: World, person: str = "") -> Option | None:
        """Return the next command of the creature whose turn it is; None without a fight.

        This is usually the act with the highest gain. It is a move if a better act is possible after the
        move. An urgent option is returned without comparison. If no option gains enough, return
        `fallback_option`.

        If gains can't be computed, for example for a creature off the map, return the command of the bot
        `quick`.
        """
        by_habit = _is_nobodys_turn_or_fight_decided(world)
        if by_habit:
            return super().choose_command(world, person)
        fight = Fight(world)
        turn = QuickTurn(fight, str(fight.data["active"]))
        if "at" not in turn.combatant or effect_banning(world, turn.who, "act", fight.actions_taken() + 1):
            return turn.choose_option()
        if option := self.urgent_option(turn):
            return option
        effort = WorkBudget(world, self.breadth.effort)
        now, act = self.best_act_even_if_losing(turn, effort)
        then, move = self.best_move(turn, effort)
        if move is not None and then > max(now, 0.0) + self.gain_of_later_move_for_objective(turn) + WORTH_IT:
            return move
        return act if act is not None and now > WORTH_IT else self.fallback_option(turn)

    def decide(self, world: World, question: Choose, underway: CommandUnderway | None = None) -> str:
        """Return the answer that is best for the decider's side.

        A power that an answer uses up counts against that answer. Miss Tokens are spent as the plan
        USUAL_POLICY says, since what they will be worth later can't be computed now.
        """
        if question.kind == "tokens" or underway is None:
            return super().decide(world, question)
        best = best_answer(
            load_known_system("combat"),
            underway,
            question,
            evaluate=partial(_value_less_used_powers, world.state),
        )
        return best or super().decide(world, question)

    def urgent_option(self, turn: QuickTurn) -> Option | None:
        """Return an option that must be taken before any other is considered, or None."""
        return turn.urgent_option()

    def best_act_even_if_losing(self, turn: QuickTurn, effort: WorkBudget) -> tuple[float, Option | None]:
        """Return the gain of the best act from the present square, and the act."""
        return best_by_gain(
            self.options_with_gains(turn, self.promising_acts_of_each_kind(turn, self.breadth.acts), effort)
        )

    def best_move(self, turn: QuickTurn, effort: WorkBudget) -> tuple[float, Option | None]:
        """Return the gain of the best move, and the option to make this move.

        The gain includes what the creature can gain by acting after the move. Only squares that promise more
        than the present square are considered. If no move gains anything, the gain is 0 and the option is
        None.
        """
        best: tuple[float, Option | None] = 0.0, None
        if turn.turn.get("move") or not turn.has_action_left("attack") or not turn.known_foes_nearest_first:
            return best
        here = _best_attack_promise(turn)
        found = list[tuple[float, int, Square, int, QuickTurn]]()
        for square, cost in self.promising_squares_with_distances(turn):
            there = QuickTurn(Fight(world_as_if_move_spent_to_reach(turn.world, turn.who, square)), turn.who)
            promised = (
                _best_attack_promise(there) + self.gain_of_place_for_objective(turn, there) - STEP * cost
            )
            if promised > here:
                found.append((-promised, len(found), square, cost, there))
        for _, _, square, cost, there in sorted(found, key=lambda item: item[:2])[: self.breadth.squares]:
            option = legal_move_option(turn.world, turn.who, square)
            if option is None:
                continue
            gained, _ = best_by_gain(
                self.options_with_gains(
                    there, self.promising_acts_of_each_kind(there, self.breadth.acts_there), effort
                )
            )
            if place := self.gain_of_place_for_objective(turn, there):
                gained = max(gained, 0.0) + place
            gained -= opportunity_cost_to_side_acted_for(turn.fight, turn.who, square) + STEP * cost
            if gained > best[0]:
                best = gained, option
        return best

    def gain_of_later_move_for_objective(self, turn: QuickTurn) -> float:
        """Return the additional gain, in HP, of a move after the act; for this bot always 0."""
        return 0.0

    def gain_of_place_for_objective(self, turn: QuickTurn, turn_there: QuickTurn) -> float:
        """Return how much better the place in `turn_there` is than the place in `turn`, in HP.

        For this bot the result is always 0. A bot that overrides this method leaves out what the creature can
        do at the place: that is counted separately.
        """
        return 0.0

    def promising_acts_of_each_kind(self, turn: QuickTurn, most_of_each_kind: int) -> Iterator[Option]:
        """Yield the most promising actions from the present square, at most `most_of_each_kind` of each kind.

        Moves aren't among them. A charge is among them only if no attack is found.
        """
        for word in ("escape", "stand", "rally", "help", "area"):
            yield from islice(HABITS[word](turn, Habit(word)), most_of_each_kind)
        found = (
            list(islice(self.promising_attack_options(turn), most_of_each_kind))
            if turn.has_action_left("attack")
            else []
        )
        # Of equals the first is taken: in the order in which they are listed.
        order = list(turn.fight.data["combatants"])
        yield from sorted(
            found, key=lambda option: [order.index(one) for one in option.given(UsePower).targets]
        )
        if not found:
            yield from islice(HABITS["charge"](turn, Habit("charge")), most_of_each_kind)

    def promising_attack_options(self, turn: QuickTurn) -> Iterator[Option]:
        """Yield the attacks that promise nearly as much as the best one."""
        return turn.attack_options(turn.repertoire.attacks, "", self.breadth.within)

    def promising_squares_with_distances(self, turn: QuickTurn) -> Iterator[tuple[Square, int]]:
        """Yield the squares that may be worth moving to, with their approximate distance."""
        seen = set()
        for far in dict.fromkeys((turn.repertoire.longest_range, turn.repertoire.reach_of_best_melee_attack)):
            for _, foe, _ in turn.known_foes_nearest_first[:MOST_FOES]:
                way = turn.route_of_one_move_towards(foe, far)
                if way and way.arrives and way.squares[-1] not in seen:
                    seen.add(way.squares[-1])
                    yield (
                        way.squares[-1],
                        distance_between_spaces(turn.at, turn.size, way.squares[-1], turn.size),
                    )
        if turn.adjacent_foe_count:
            for square in turn.fight.grid.neighbours(turn.at, turn.size):
                if (
                    square not in seen
                    and turn.is_unoccupied_as_known(square)
                    and not turn.is_harmful_square(square)
                ):
                    yield square, 1

    def options_with_gains(
        self, turn: QuickTurn, options: Iterator[Option], effort: WorkBudget
    ) -> Iterator[tuple[float, Option]]:
        """Yield each option with its expected gain, until the effort is spent.

        A gain that was computed earlier for the same state is used again, for instance after a move that went
        as expected.
        """
        world = turn.world
        for option in options:
            if effort.units_left <= 0:
                return
            key = turn.who, option.typed
            state, book, gained, spent = self.remembered.get(key, (None, None, 0.0, 0))
            if book is not world.book or state != world.state:
                before = effort.units_left
                gained = expected_gain_to_side_acted_for(world, turn.who, option, effort)
                if len(self.remembered) >= MOST_REMEMBERED:
                    self.remembered.clear()
                self.remembered[key] = world.state, world.book, gained, before - effort.units_left
            else:
                effort.units_left -= spent
            yield gained, option

    def fallback_option(self, turn: QuickTurn) -> Option:
        """Return the option for a turn in which no act or move gains enough."""
        for word in ("close", "charge", "run", "leave", "door"):
            if (option := turn.first_legal(HABITS[word](turn, Habit(word)))) is not None:
                return option
        return END_TURN


def _value_less_used_powers(before: State, world: World, side: str) -> float:
    """Return a fight's value to a side, less UNUSED_POWER for each power that the side has used up.

    Only powers that were used since the state `before` count.
    """
    return fight_value_to_side_in(world, side) - UNUSED_POWER * (
        _count_used_powers(world.state, side) - _count_used_powers(before, side)
    )


def _count_used_powers(state: State, side: str) -> int:
    people = combatants_in(state).values()
    return sum(len(one.get("used", ())) for one in people if one["side"] == side)


MOST_REMEMBERED = 1000
"""The most acts whose last evaluation is remembered."""
MOST_FOES = 3
"""The most enemies to which paths are sought."""


def _best_attack_promise(turn: QuickTurn) -> float:
    """Return the HP that the best attack from the present square promises, -1 if no attack is possible."""
    found = turn.attacks_in_range_best_first(turn.repertoire.attacks)
    return found[0][0] if found else -1.0


def best_by_gain(options: Iterable[tuple[float, Option]]) -> tuple[float, Option | None]:
    """Return the highest gain, and the option that has it; the first one if several are equal.

    If there are no options, the gain is ILLEGAL_GAIN and the option None.
    """
    best: tuple[float, Option | None] = ILLEGAL_GAIN, None
    for gained, option in options:
        if gained > best[0]:
            best = gained, option
    return best


def _is_nobodys_turn_or_fight_decided(world: World) -> bool:
    """Return whether there is no fight, nobody's turn, or a fight that is decided."""
    fight = fight_in(world.state)
    return not fight or not fight.get("active") or Fight(world).fight_outcome() is not None
