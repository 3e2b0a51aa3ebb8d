"""Chances of the ends of a process that runs in rounds (an absorbing Markov chain).

Each round leads either to another state or to an end. A text identifies a state; anything else is an end. A
chain with few states is solved exactly. A larger chain is followed round by round, until it has almost
certainly ended. The chance that it hasn't ended by then is called the gap. Begin with `end_chances`.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping
from fractions import Fraction
from typing import Generic, NamedTuple, TypeVar

MOST_STATES = 250
LARGEST_LOOP = 40
"""How many states a loop may have for an exact solution. A chain with a larger one is followed by rounds."""
UNDECIDED = Fraction(1, 10**4)

End = TypeVar("End", bound=Hashable)
RoundResults = Mapping["str | End", Fraction]
"""What can come of a round: states and ends, each with its chance."""
Equation = dict["str | End | None", Fraction]
"""The equation of a state that is being solved: what can come of it, with chances; None counts rounds."""


class EndChances(NamedTuple, Generic[End]):
    """The chance of each end of a chain.

    `gap` is the chance that is left undecided, 0 if the chain was solved exactly. `rounds` is the average
    number of rounds, or a lower bound of it if there is a gap. `states` is the number of states that were
    examined.
    """

    chances: dict[End, Fraction]
    gap: Fraction
    rounds: Fraction
    states: int


def end_chances(results_of_round: Callable[[str], RoundResults[End]], start: str) -> EndChances[End]:
    """Return the chance of each end of the chain that starts in the state `start`.

    Args:
        results_of_round: Returns the results of a round in a state, with their chances. It is called at most
            once for each state.
        start: The text that identifies the first state.

    Returns:
        The chances. They are exact if the chain has few states. Otherwise a small part of the chance may stay
        undecided, and `gap` says how much.
    """
    known: dict[str, RoundResults[End]] = {}
    return _solve_exactly(results_of_round, start, known) or _follow_rounds(results_of_round, start, known)


def _solve_exactly(
    results_of_round: Callable[[str], RoundResults[End]], start: str, known: dict[str, RoundResults[End]]
) -> EndChances[End] | None:
    """Return the exact chances of the chain's ends; None if they can't be computed exactly.

    They can't be if the chain has too many states, if a loop is too large, or if a loop never ends. `known`
    gets the results of a round for each state that was examined.
    """
    order, met = [start], {start}
    for key in order:
        known[key] = results_of_round(key)
        new = [then for then in known[key] if isinstance(then, str) and then not in met]
        order += new
        met.update(new)
        if len(order) > MOST_STATES:
            return None
    ends: dict[str, dict[End, Fraction]] = {}
    rounds: dict[str, Fraction] = {}
    for loop in _strong_components(start, known):
        if len(loop) > LARGEST_LOOP or not _solve_component(loop, known, ends, rounds):
            return None
    return EndChances(ends[start], Fraction(0), rounds[start], len(known))


def _solve_component(
    states: list[str],
    known: Mapping[str, RoundResults[End]],
    ends: dict[str, dict[End, Fraction]],
    rounds: dict[str, Fraction],
) -> bool:
    """Solve the equations of a group of states that lead to one another, by Gaussian elimination.

    The chances of the ends are added to `ends`, and the average number of rounds to `rounds`. The states
    outside the group to which it leads must be solved already. Returns False if the group can never be left,
    else True.
    """
    rest = {key: _equation_of_state(known[key], set(states), ends, rounds) for key in states}
    for number, key in enumerate(states):
        row = rest[key]
        for earlier in states[:number]:
            _substitute_row(row, earlier, rest)
        stays = row.pop(key, Fraction(0))
        if stays == 1:
            return False
        rest[key] = {then: chance / (1 - stays) for then, chance in row.items()}
    for key in reversed(states):
        row = rest[key]
        for later in states:
            _substitute_row(row, later, rest)
        rounds[key] = row[None]
        ends[key] = {end: chance for end, chance in row.items() if not isinstance(end, str | None)}
    return True


def _equation_of_state(
    ways: RoundResults[End],
    inside: set[str],
    ends: Mapping[str, Mapping[End, Fraction]],
    rounds: Mapping[str, Fraction],
) -> Equation[End]:
    """Return the equation for the ends of a state, from the results of one round.

    `ways` has the chance of each result: an end, or a next state. The states in `inside` form a loop that is
    not solved yet, so they stay in the equation. Every other next state is solved. It is replaced by its
    chances of each end (`ends`) and its mean number of rounds (`rounds`).
    """
    row: Equation[End] = {None: Fraction(1)}
    for then, chance in ways.items():
        if not isinstance(then, str) or then in inside:
            row[then] = row.get(then, Fraction(0)) + chance
        else:
            row[None] += chance * rounds[then]
            for end, more in ends[then].items():
                row[end] = row.get(end, Fraction(0)) + chance * more
    return row


def _substitute_row(row: Equation[End], key: str, equations: Mapping[str, Equation[End]]) -> None:
    chance = row.pop(key, None)
    if chance:
        for then, more in equations[key].items():
            row[then] = row.get(then, Fraction(0)) + chance * more


def _strong_components(start: str, known: Mapping[str, RoundResults[End]]) -> list[list[str]]:
    """Return the strongly connected components: groups of states that can all lead to one another.

    A group comes after the groups to which it leads (Tarjan's algorithm).
    """
    number: dict[str, int] = {}
    low: dict[str, int] = {}
    waiting: list[str] = []
    on_stack: set[str] = set()
    found: list[list[str]] = []
    path: list[tuple[str, Iterator[str]]] = []

    def begin_visit(key: str) -> None:
        number[key] = low[key] = len(number)
        waiting.append(key)
        on_stack.add(key)
        path.append((key, (then for then in known[key] if isinstance(then, str))))

    begin_visit(start)
    while path:
        key, following = path[-1]
        then = next(following, None)
        if then is None:
            path.pop()
            if path:
                low[path[-1][0]] = min(low[path[-1][0]], low[key])
            if low[key] == number[key]:
                at = waiting.index(key)
                found.append(waiting[at:])
                on_stack.difference_update(waiting[at:])
                del waiting[at:]
        elif then not in number:
            begin_visit(then)
        elif then in on_stack:
            low[key] = min(low[key], number[then])
    return found


def _follow_rounds(
    results_of_round: Callable[[str], RoundResults[End]], start: str, known: dict[str, RoundResults[End]]
) -> EndChances[End]:
    """Follow a chain of rounds until it has almost certainly ended; return the chances of its ends.

    The first round begins in the state `start`. `results_of_round` returns the results of a round that begins
    in a given state. These results are stored in `known`, by that state. When `known` is full, no further
    states are examined. The chance of getting to a state that isn't examined counts as undecided.
    """
    now: dict[str, Fraction] = {start: Fraction(1)}
    chances: dict[End, Fraction] = {}
    left = rounds = Fraction(0)
    while sum(now.values()) > UNDECIDED / 2:
        later: dict[str, Fraction] = {}
        for key, chance in sorted(now.items(), key=lambda item: -item[1]):
            if key not in known and len(known) >= MOST_STATES * 2:
                left += chance
                continue
            rounds += chance
            if key not in known:
                known[key] = results_of_round(key)
            for then, more in known[key].items():
                if isinstance(then, str):
                    later[then] = later.get(then, Fraction(0)) + chance * more
                else:
                    chances[then] = chances.get(then, Fraction(0)) + chance * more
        now = later
    return EndChances(chances, left + sum(now.values(), Fraction(0)), rounds, len(known))
