"""A search that solves the last rounds of a fight which an objective decides.

The search finds the chance that the party reaches its objective in the rounds that are left. It counts every
result of the dice, and plays the turns by the same procedures as a game.
"""

from __future__ import annotations

import marshal
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from itertools import chain, islice
from math import exp
from typing import NamedTuple

from strike_cli.kernel.exact_odds import TooManyWays, play_all_outcomes
from strike_cli.kernel.procedure import Data, Procedure, World
from strike_cli.kernel.state_changes import State
from strike_cli.play.legal_options import Option, refusal_of_move
from strike_cli.play.playable_moves_and_time_limit import find_move
from strike_cli.problems import Refused
from strike_cli.tabletop.grid import Square, distance_between_spaces, parse_square

from ..board.move import MoveAction, destinations, provoked_by_move_to
from ..encounter.objective import (
    is_party_member_on_way_out,
    objective_squares,
    steps_to_squares_with_doors_open,
)
from ..fight_state import PARTY, Fight, square_and_size_on_map
from .legal_options import END_TURN, leave_option
from .objective_moves import adjacent_door_options_to_objective, shift_option
from .outcome_forecast import USUAL_POLICY
from .position_value import fight_value_to_side
from .pursuit_evasion import Evasion
from .quick_bot import HABITS, QuickBot, QuickTurn
from .tactics_habits import Habit

PLAYS = 1_000
"""The most plays of commands for all decisions of a side in one fight; then the search stops."""
RUNS, FOR_ONE_RUN = 6_000, 3_000
"""The most plays for whether to run or to fight: in one fight, and for one option between two.

With more people there are fewer for an option, since a play takes longer.
"""
FOR_ONE = (40, 200, PLAYS)
"""The most plays for one option, in each pass over all options, so that cheap results come first."""
MOST_WAYS = 216
"""The most results of the dice of one command; a command with more is not searched."""
MOST_PEOPLE = 5
"""The most creatures that may still be in a fight whose end is searched."""
ROUNDS = 1
"""How many rounds after the present one are searched."""
LEAST_ADVANTAGE = 0.02
"""How much an option must raise the chance to win in order to replace the usual one."""
BROAD, NARROW = 3, 1
"""How many options of each kind are searched in the present position (BROAD), and in later ones (NARROW)."""
CERTAIN = 1 - 1e-9


class EndgameSolver:
    """A solver for the end of a fight; it keeps the chances to win that it has computed."""

    def __init__(self) -> None:
        self.habitual: dict[bytes, ChanceBound] = {}
        self.searched: dict[bytes, ChanceBound] = {}
        self.certain: dict[bytes, ChanceBound] = {}
        self.running: dict[bytes, ChanceBound] = {}
        self.plays_left = dict[str, int]()
        self.runs_left = RUNS
        self.running_was_better = set[tuple[str, tuple[int, ...]]]()

    def better_option_or_usual(self, world: World, usual: Option) -> Option:
        """Return an option that is clearly better than `usual`, if one is found; otherwise return `usual`.

        If the fight can't be searched, return `usual`. If an option keeps the creature out of reach of every
        attack until it has won, return that option.

        Otherwise, if the fight may end soon, compare the chances to win of the likely options. These chances
        mostly assume that the opposing side plays by habit.
        """
        fight = Fight(world)
        active = fight.data.get("active")
        if active is None or "at" not in fight.combatant(active) or not _is_small_fight_with_objective(fight):
            return usual
        turn = QuickTurn(fight, active)
        evasion = Evasion(turn)
        run = _option_out_of_reach(turn, evasion, [usual])
        if run and evasion.turns_safe(turn.at, _moves_left_with_attack_traded(turn)) == evasion.turns:
            return run
        if not _may_objective_be_decided_soon(fight) or self.plays_left.get(turn.side_acted_for, PLAYS) <= 0:
            return self._run_or_fight(fight, active, usual, run) if run and run != usual else usual
        options = [usual, *likely_options(fight, active, BROAD)]
        chances = self._chances_to_win_where_found(fight, active, options)
        best, known = max(chances), chances[0] if chances[0] >= 0 else CERTAIN - LEAST_ADVANTAGE
        return options[chances.index(best)] if best > known + LEAST_ADVANTAGE else usual

    def _run_or_fight(self, fight: Fight, active: str, usual: Option, run: Option) -> Option:
        """Return `run` if running away is clearly better than the usual option; else `usual`.

        `run` is a move out of reach. It is clearly better if it raises the chance to win by at least
        LEAST_ADVANTAGE. If the search would need too many plays, return `usual`. If `run` was clearly better
        once, it is returned again without a search until somebody's HP change.
        """
        hurt = active, tuple(one["hp"] for one in fight.data["combatants"].values())
        if hurt in self.running_was_better:
            return run
        side, last = fight.side_acted_for(active), _last_searched_round(fight)
        runs = EndgameSearch(self.running, out_of_reach_or_quick_option, side, last)
        habit = EndgameSearch(self.habitual, quick_bot_option, side, last)
        least, others = -1.0, sum(1 for _ in fight.still_in_fight()) - 1
        try:
            for search, option in ((runs, run), (runs, usual), (habit, usual)):
                search.plays_left = given = min(self.runs_left, FOR_ONE_RUN // others)
                found = search.chance_after(fight.world, option, least).chance
                self.runs_left -= given - search.plays_left
                if found > least >= 0:
                    return usual
                least = max(0.0, found - LEAST_ADVANTAGE) if option is run else least
        except TooManyWays:
            self.runs_left = 0
            return usual
        self.running_was_better.add(hurt)
        return run

    def _chances_to_win_where_found(
        self, fight: Fight, active: str, options: Sequence[Option]
    ) -> Sequence[float]:
        """Return the chance to win for each option; -1 for options without a result.

        An option has no result if there was no time to search it. It also has none if the search didn't show
        it to be better than the best option found before.
        """
        chances = [-1.0] * len(options)
        side, last = fight.side_acted_for(active), _last_searched_round(fight)
        habit = EndgameSearch(self.habitual, quick_bot_option, side, last)
        search = EndgameSearch(self.searched, likely_options, side, last)
        runs = EndgameSearch(self.running, out_of_reach_or_quick_option, side, last)

        def improve_chance(search: EndgameSearch, number: int, most: int, least: float) -> None:
            search.plays_left = given = min(most, self.plays_left.get(side, PLAYS))
            with suppress(TooManyWays):
                found = search.chance_after(fight.world, options[number], least)
                if found.chance > max(least, chances[number]):
                    chances[number] = found.chance
            self.plays_left[side] = self.plays_left.get(side, PLAYS) - given + max(search.plays_left, 0)

        if not objective_squares(fight.data, active):
            sure = EndgameSearch(self.certain, likely_options, side, last, _habitual_and_likely_options)
            for number in range(len(options)):
                if self.plays_left.get(side, PLAYS) > PLAYS // 2 and max(chances) <= CERTAIN:
                    improve_chance(sure, number, FOR_ONE[1], CERTAIN)
        policies = (runs, habit) if Evasion(QuickTurn(fight, active)).turns else (habit,)
        passes = *((policy, FOR_ONE[1]) for policy in policies), *((search, most) for most in FOR_ONE)
        for going_on, most in passes:
            for number in sorted(range(len(options)), key=lambda one: -chances[one]):
                if max(chances) <= CERTAIN:
                    improve_chance(going_on, number, most, max(chances))
        improve_chance(search, 0, FOR_ONE[1], max(chances) - LEAST_ADVANTAGE)
        return chances


def _moves_left_with_attack_traded(turn: QuickTurn) -> int:
    return (not turn.turn.get("move")) + (not turn.turn.get("attack"))


def _option_out_of_reach(
    turn: QuickTurn, evasion: Evasion, preferred: Sequence[Option] = ()
) -> Option | None:
    """Return an option that keeps a creature out of reach of attacks for as long as possible, or None.

    The options in `preferred` are tried first, then moves. The result is None if no option does this, or if
    the creature can't stay out of reach for even one enemy turn.
    """
    moves = _moves_left_with_attack_traded(turn)
    most = evasion.turns_safe(turn.at, moves)

    def stays_as_safe_as_possible(option: Option) -> bool:
        """Return whether an option keeps the creature as safe as it can be now.

        `most` is the number of turns for which the creature can avoid attacks from now on. After the option,
        the number must still be `most`. Charges, and moves that provoke attacks, are never safe.
        """
        if isinstance(option.args, MoveAction):
            to = parse_square(option.args.to)
            if not option.args.shift and provoked_by_move_to(turn.fight, turn.who, to):
                return False
            return evasion.turns_safe(to, moves - 1) == most
        if option.command == "combat charge":
            return False
        return evasion.turns_safe(turn.at, 0 if option == END_TURN else max(0, moves - 1)) == most

    return (
        next(filter(stays_as_safe_as_possible, chain(preferred, _distinct_moves(turn))), None)
        if most
        else None
    )


def _is_small_fight_with_objective(fight: Fight) -> bool:
    """Return whether the fight has an objective, and few creatures are left in it."""
    return "objective" in fight.data and sum(1 for _ in fight.still_in_fight()) <= MOST_PEOPLE


def _may_objective_be_decided_soon(fight: Fight) -> bool:
    """Return whether the objective will be decided within ROUNDS rounds.

    It is also True for an objective that names no round.
    """
    objective = fight.data["objective"]
    return objective.get("rounds", fight.data["round"]) - fight.data["round"] <= ROUNDS


def _last_searched_round(fight: Fight) -> int:
    """Return the last round that is searched: the one in which the objective decides the fight.

    If the objective names no such round, the last round is the one ROUNDS rounds from now.
    """
    objective = fight.data["objective"]
    decides = "hold" not in objective and objective.get("rounds", 0)
    return max(decides, fight.data["round"]) if decides else fight.data["round"] + ROUNDS


def quick_bot_option(fight: Fight, combatant: str) -> Iterator[Option]:
    """Yield the option that the bot `quick` would choose, if it has one."""
    if option := QUICK_BOT.choose_command(fight.world):
        yield option


QUICK_BOT = QuickBot()


def out_of_reach_or_quick_option(fight: Fight, combatant: str) -> Iterator[Option]:
    """Yield an option that takes the creature out of its enemies' reach.

    If there is none, yield the option that the bot `quick` would choose.
    """
    turn = QuickTurn(fight, combatant)
    if run := _option_out_of_reach(turn, Evasion(turn)):
        yield run
    else:
        yield from quick_bot_option(fight, combatant)


def _habitual_and_likely_options(fight: Fight, combatant: str) -> Iterator[Option]:
    yield from quick_bot_option(fight, combatant)
    yield from likely_options(fight, combatant)


Options = Callable[[Fight, str], Iterator[Option]]


class ChanceBound(NamedTuple):
    """The chance to win. If `exact` is false, the real chance may be lower than `chance`, but not higher."""

    chance: float
    exact: bool


class EndgameSearch:
    """A search for the chance that `side` wins by the end of the last round.

    `options` yields the options to search for this side, and `theirs` those for the other side. `known`
    stores chances that were found. `last` is the last round. `plays_left` is the number of commands that the
    search may still play. When it needs more, it raises TooManyWays.
    """

    def __init__(
        self,
        known: dict[bytes, ChanceBound],
        options: Options,
        side: str,
        last: int,
        theirs: Options | None = None,
    ) -> None:
        self.known_chances = known
        self.options = options
        self.opposing_options = theirs or quick_bot_option
        self.side = side
        self.last_round = last
        self.plays_left = 0

    def chance_after(self, world: World, option: Option, least: float = -1.0) -> ChanceBound:
        """Return the chance to win after an option; -1 if the option turns out to be illegal.

        Once it is certain that the chance isn't above `least`, the search stops. It then returns an upper
        bound of the chance instead.
        """
        latest = world

        def start() -> tuple[Procedure[Data], World]:
            nonlocal latest
            self.plays_left -= 1
            if self.plays_left < 0:
                raise TooManyWays
            latest = World(world.book, world.state)
            return find_move(option.command).start(latest, option.args), latest

        total, open_to = 0.0, 1.0
        try:
            for _, own, out_of in play_all_outcomes(start, USUAL_POLICY, MOST_WAYS):
                share = own / out_of
                open_to -= share
                total += share * self.chance_to_win(latest, (least - total - open_to) / share).chance
                if total + open_to <= least:
                    return ChanceBound(total + open_to, False)
        except Refused:
            return ChanceBound(-1.0, True)
        return ChanceBound(total, True)

    def chance_to_win(self, world: World, least: float = -1.0) -> ChanceBound:
        """Return the chance to win in a position.

        If the chance is above `least`, it is exact; otherwise it may be only an upper bound.
        """
        key = marshal.dumps((self.side, self.last_round, self.distinguishing_state(world.state)), 2)
        known = self.known_chances.get(key)
        if known is None or not (known.exact or known.chance <= least):
            known = self.known_chances[key] = self._search_chance(World(world.book, world.state), least)
        return known

    def distinguishing_state(self, state: State) -> State:
        """Return the part of a state by which two positions are compared.

        Here it is the whole state. A subclass may return less.
        """
        return state

    def chance_beyond_last_round(self, world: World) -> float:
        """Return the estimated chance to win if the fight is undecided after the last round."""
        return 1 / (1 + exp(-fight_value_to_side(world.book, world.state, self.side) / SPREAD))

    def _search_chance(self, world: World, least: float) -> ChanceBound:
        fight = Fight(world)
        if decided := fight.fight_outcome():
            return ChanceBound(float((decided == "won") == (self.side == PARTY)), True)
        if fight.data["round"] > self.last_round:
            return ChanceBound(self.chance_beyond_last_round(world), True)
        active = fight.data.get("active")
        if active is None or fight.side_acted_for(active) != self.side:
            return self._worst_chance(
                world, (self.opposing_options if active else quick_bot_option)(fight, active or ""), least
            )
        best = ChanceBound(0.0, True)
        for option in self.options(fight, active):
            best = max(best, self.chance_after(world, option, max(least, best.chance)))
            if best.chance > CERTAIN:
                break
        return best if best.chance > least else best._replace(exact=False)

    def _worst_chance(self, world: World, options: Iterator[Option], least: float) -> ChanceBound:
        worst = ChanceBound(1.0, True)
        for option in options:
            found = self.chance_after(world, option, least)
            if found.chance >= 0:
                worst = min(worst, found)
            if worst.chance <= least:
                return worst._replace(exact=False)
        return worst


SPREAD = 8.0
"""The lead, in HP, with which an undecided fight counts as won about three times in four."""


def likely_options(fight: Fight, combatant: str, most_of_each_kind: int = NARROW) -> Iterator[Option]:
    """Yield a few promising options of a creature, sorted by kind, such as moves and attacks.

    There are at most `most_of_each_kind` options of a kind, but up to twice as many moves. The last option is
    to end the turn.
    """
    turn = QuickTurn(fight, combatant)

    def first_few_legal(options: Iterator[Option], most: int) -> Iterator[Option]:
        legal = (one for one in options if refusal_of_move(turn.world, one.command, one.args) is None)
        return islice(legal, most)

    if "at" in turn.combatant:
        if is_party_member_on_way_out(fight.data, combatant) and not turn.acts_for_another_side:
            yield leave_option(combatant)
        yield from first_few_legal(_distinct_moves(turn), 2 * most_of_each_kind)
        yield from first_few_legal(adjacent_door_options_to_objective(turn), 1)
        for word in ("escape", "stand", "rally", "help", "area"):
            yield from first_few_legal(
                HABITS[word](turn, Habit(word, "anyhow" if word == "rally" else "")), most_of_each_kind
            )
        if turn.has_action_left("attack"):
            yield from first_few_legal(turn.attack_options(turn.repertoire.attacks, ""), most_of_each_kind)
            yield from first_few_legal(HABITS["charge"](turn, Habit("charge")), 1)
    yield END_TURN


def _distinct_moves(turn: QuickTurn) -> Iterator[Option]:
    """Yield the moves that are worth a search: one for each group of similar squares.

    Squares are similar if they have the same adjacent enemies, the same enemies in range, and both or neither
    provoke Opportunities. Of similar squares, the one nearest to the objective's squares is taken.

    If the objective has no squares, the square that stays safe for the most turns is taken. Of several, a
    member of the party takes the one farthest from its enemies, and any other creature takes the one nearest
    to an enemy.
    """
    if not turn.has_action_left("move"):
        return
    fight, combatant, size = turn.fight, turn.who, turn.size
    aims = objective_squares(fight.data, combatant)
    foes = [square_and_size_on_map(foe) for *_, foe in turn.known_foes_nearest_first]

    evasion, moves = Evasion(turn), not turn.turn.get("move") and not turn.turn.get("attack")

    def rank_by_objective_or_safety(square: Square) -> tuple[int, int]:
        if aims:
            return 0, steps_to_squares_with_doors_open(fight.data, aims, turn.combatant, square)
        apart = min((distance_between_spaces(square, size, at, large) for at, large in foes), default=0)
        return -evasion.turns_safe(square, moves), -apart if turn.side_acted_for == PARTY else apart

    best: dict[tuple[bool, ...], tuple[tuple[int, int], int, Option]] = {}

    def keep_if_better_ranked(square: Square, option: Option, struck: bool) -> None:
        apart = [distance_between_spaces(square, size, at, large) for at, large in foes]
        key = (
            struck,
            *(each == 1 for each in apart),
            *(each <= turn.repertoire.longest_range for each in apart),
        )
        offered = rank_by_objective_or_safety(square), len(best), option
        best[key] = min(best.get(key, offered), offered, key=lambda one: one[:2])

    for square in turn.fight.grid.neighbours(turn.at, size) if turn.adjacent_foe_count else ():
        if turn.is_unoccupied_as_known(square) and (
            option := turn.first_legal(iter([shift_option(turn, square)]))
        ):
            keep_if_better_ranked(square, option, False)
    for square in destinations(fight, combatant):
        keep_if_better_ranked(
            square, turn.move_option(square), bool(provoked_by_move_to(fight, combatant, square))
        )
    yield from (option for *_, option in sorted(best.values(), key=lambda one: one[:2]))
