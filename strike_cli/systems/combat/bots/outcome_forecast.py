"""Forecasts of a command in a fight: its possible results, and their chances.

The command is played with every result of the dice, without changing the world. A `ChoicePolicy` answers the
questions that come up. An attack on many targets is computed target by target if these don't affect each
other. Otherwise its chances are estimated. Begin with `outcome_chances_of_option`.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from math import prod
from operator import add
from typing import TYPE_CHECKING, NamedTuple, TypeVar, cast

from strike_cli.kernel.chance_estimates import (
    MOST_WAYS,
    PLAYS,
    Chances,
    IndependentPart,
    PartOutcome,
    outcomes_of_parts_if_independent,
)
from strike_cli.kernel.procedure import Choose, Happen, Prose, World
from strike_cli.kernel.state_changes import Change, State, apply_changes
from strike_cli.kernel.statements import Fact, Reason, data_with_clauses_in_words
from strike_cli.play.forecast import Preview, move_chances, starter_and_reader_of_move
from strike_cli.play.legal_options import Option
from strike_cli.problems import Refused
from strike_cli.tabletop.characters_and_names import GameMasterSpeaker

from ..facts.attacks import Attacked
from ..facts.harm import Damaged
from ..fight_state import Fight, combatants_in
from ..powers.power_use import UsePower, power_or_basic_attack_from_args
from ..powers.powers_and_targets import aim_power_with_reach_of_first_steps, has_attack_roll

if TYPE_CHECKING:
    from ..data import AttackedData, ForeseenData

Key = TypeVar("Key", bound=Hashable)

GLANCING = ("damage", "effect")
MOST_WORK = 48_000
"""The most work for one question, in units.

Each attack roll of each play counts as many units as there are combatants, since the time for a roll grows
with their number.
"""
TOKENS = ("keep", "hit", "best")
OPPORTUNITIES = ("take", "pass")


@dataclass(frozen=True)
class ChoicePolicy:
    """A policy that answers the questions of a forecast, where no player is asked.

    `glancing` is the answer for a glancing hit: "damage" or "effect". `tokens` is the spending of Miss
    Tokens: "keep" for none, "hit" for the fewest that turn a miss into a hit, "best" for as many as give the
    best result. `opportunities` is "take" or "pass". Any other question gets its default answer or, without
    one, its first option.
    """

    glancing: str = "damage"
    tokens: str = "hit"
    opportunities: str = "take"

    def __call__(self, question: Choose) -> str:
        """Return the option that this policy chooses in answer to a question."""
        if question.kind == "tokens":
            # The options go from spending none to the best result.
            missed = question.outcomes[0] == "miss"
            if self.tokens == "keep" or (self.tokens == "hit" and not missed):
                return question.options[0]
            return question.options[1 if self.tokens == "hit" else -1]
        wanted = {"glancing": self.glancing, "opportunity": self.opportunities}.get(question.kind)
        return wanted or question.default or question.options[0]


USUAL_POLICY = ChoicePolicy()
KINDS_WITH_POLICY = ("tokens", "glancing", "opportunity", "answer")
"""The kinds of decision that a ChoicePolicy makes.

For "answer", a reaction to an event, it takes the default or first option.
"""


class Harm(NamedTuple):
    """Damage that was done during a command, in HP.

    `who` is its victim, and `by` the creature that did it, or "".
    """

    who: str
    by: str
    amount: int


@dataclass
class ForeseenBlow:
    """An attack roll during a command: its attacker, its target, and the damage that follows.

    The damage includes all that the target takes until the next roll against it.
    """

    by: str
    target: str
    damage: int = 0


class ForeseenOutcome(NamedTuple):
    """The outcome of a command that a bot has tried.

    Attributes:
        data: The command's data.
        state: The state after the command.
        blows: The attack rolls.
        harms: All damage, also from other causes than attack rolls.
        at_first_roll: The state at the first attack roll, and how many `harms` came before that roll. It is
            None without an attack roll.
    """

    data: ForeseenData
    state: State
    blows: Sequence[ForeseenBlow]
    harms: Sequence[Harm]
    at_first_roll: tuple[State, int] | None


class WorkBudget:
    """The work that may still be spent on computing one decision.

    The work is counted in rolls, and a roll costs more in a fight with more combatants. Time isn't counted,
    so the same question always gets the same answer.
    """

    def __init__(self, world: World, units: int = MOST_WORK) -> None:
        self.units_left = units
        self.units_a_roll = max(len(world.get("fight.combatants", ())), 1)

    def count_roll(self) -> None:
        """Subtract the work of one roll from the budget. A play without rolls counts as one roll."""
        self.units_left -= self.units_a_roll

    def plays_affordable_at_least_one(self, rolls: int) -> int:
        """Return how many more plays the budget allows; at least one.

        `rolls` is the number of rolls in each play.
        """
        return max(1, self.units_left // (self.units_a_roll * max(rolls, 1)))


class _RecordingWorld(World):
    """A world that records the attack rolls and the damage of one play.

    The play costs a part of the work budget `effort`. So does each attack roll after the first.
    """

    __slots__ = ("blows", "effort", "first", "harms")

    def __init__(self, world: World, effort: WorkBudget) -> None:
        super().__init__(world.book, world.state)
        self.effort = effort
        effort.count_roll()
        self.blows: list[ForeseenBlow] = []
        self.harms: list[Harm] = []
        self.first: tuple[State, int] | None = None

    def tell(self, fact: Fact | Prose, sets: Mapping[str, object] | None = None) -> Happen:
        """Return the fact, and record it if it is an attack roll or damage."""
        if isinstance(fact, Attacked):
            if self.first is None:
                self.first = self.state, len(self.harms)
            else:
                self.effort.count_roll()
            self.blows.append(ForeseenBlow(fact.who, fact.target))
        elif isinstance(fact, Damaged):
            self.harms.append(Harm(fact.who, fact.by, fact.amount))
            blow = next((blow for blow in reversed(self.blows) if blow.target == fact.who), None)
            if blow:
                blow.damage += fact.amount
        return super().tell(fact, sets)


def outcome_chances_of_option(
    world: World,
    option: Option,
    read: Callable[[ForeseenOutcome], Key],
    policy: ChoicePolicy = USUAL_POLICY,
    effort: WorkBudget | None = None,
    rolls: int = 1,
    plays: int = PLAYS,
) -> Chances[Key]:
    """Return the chances of an option's outcomes, summed up by a value of the outcome.

    `read` returns that value for an outcome. `effort` limits the work, and `rolls` is the number of attack
    rolls in one play. If the limit allows every result of the dice to be played, the chances are exact.
    Otherwise they are estimated from at most `plays` plays. Raises Refused if the command is refused.
    """
    effort = effort or WorkBudget(world)
    most = min(effort.plays_affordable_at_least_one(rolls), MOST_WAYS)
    watching = partial(_RecordingWorld, effort=effort)
    key = _make_outcome_key(read)
    return move_chances(
        world,
        option.command,
        option.args,
        key,
        policy,
        watching,
        most,
        min(plays, effort.plays_affordable_at_least_one(rolls)),
    )


def _make_outcome_key(
    read: Callable[[ForeseenOutcome], Key],
) -> Callable[[Mapping[str, object], _RecordingWorld], Key]:
    def key(data: Mapping[str, object], after: _RecordingWorld) -> Key:
        return read(
            ForeseenOutcome(cast("ForeseenData", data), after.state, after.blows, after.harms, after.first)
        )

    return key


def independent_outcomes_by_target(
    world: World,
    option: Option,
    targets: Sequence[str],
    read: Callable[[ForeseenOutcome, int | None], Key],
    join: Callable[[Sequence[Key]], Key],
    plan: ChoicePolicy = USUAL_POLICY,
    effort: WorkBudget | None = None,
    *,
    test_plays: int,
) -> list[list[PartOutcome[Key]]] | None:
    """Return the exact outcomes of an attack and their chances, separately for each target.

    This is much faster than playing the whole attack in every way, but it needs targets that don't affect
    each other. To test this, the whole attack is played `test_plays` times. Return None if the targets affect
    each other, if a target is named twice, or if the attack is refused.

    Args:
        world: The world before the attack.
        option: The attack.
        targets: The ids of the targets.
        read: A function that gets a value from an outcome. Its second argument is the number of a target, or
            None for all targets together.
        join: A function that joins the values of the targets to one value.
        plan: How decisions are answered.
        effort: The limit on the work.
        test_plays: The number of test plays.
    """
    if len(set(targets)) < len(targets):
        return None

    watching = partial(_RecordingWorld, effort=effort or WorkBudget(world))

    def independent_part(of: Option, number: int | None) -> IndependentPart[Mapping[str, object], Key]:
        key = _make_outcome_key(lambda outcome: read(outcome, number))
        return IndependentPart(*starter_and_reader_of_move(world, of.command, of.args, key, watching))

    try:
        parts = [independent_part(one, number) for number, one in enumerate(split_by_target(option, targets))]
        return outcomes_of_parts_if_independent(independent_part(option, None), parts, join, plan, test_plays)
    except Refused:  # what needs several at once can't be aimed at one
        return None


def with_turn_begun(world: World, combatant: str) -> World:
    """Return a copy of the world in which the turn of `combatant` has begun.

    If the combatant's turn is under way already, return the world itself.
    """
    if world.get("fight.active") == combatant:
        return world
    now = {"fight.active": combatant, "fight.turn": None, "fight.round": world.get("fight.round") or 1}
    changes: list[Change] = [(path, world.get(path), value) for path, value in now.items()]
    return World(world.book, apply_changes(world.state, changes))


class AttackLine(NamedTuple):
    """The result of one attack roll, without the faces of the dice.

    `damage` is all damage to the target in HP, including the damage by the power's steps. It is 0 if another
    creature took the attack in the target's place.
    """

    result: str
    damage: int
    effect: bool
    strike: bool
    tokens_spent: int
    taken_out: bool


Lines = tuple[AttackLine | None, ...]
"""A line for each named target, in order; a target may be named more than once. None if there was no roll."""


def attack_lines_of(outcome: ForeseenOutcome, actor: str, targets: Sequence[str]) -> Lines:
    """Return the results of a creature's attack rolls in an outcome, one result for each of `targets`.

    The result is None for a target that the creature didn't roll against.
    """
    rolls = [blow for blow in outcome.blows if blow.by == actor]
    attacks = list(zip(outcome.data["attacks"], rolls, strict=False))
    lines: list[AttackLine | None] = []
    for target in targets:
        # Rolls come in the order of the targets; those who fell before theirs have none.
        if not attacks or attacks[0][0].get("aimed_at", attacks[0][0]["target"]) != target:
            lines.append(None)
            continue
        attack, blow = attacks.pop(0)
        lines.append(
            AttackLine(
                attack["result"],
                blow.damage,
                attack["effect"],
                attack["strike"],
                attack["tokens_spent"],
                attack["taken_out"],
            )
        )
        if "aimed_at" in attack:  # somebody else took it
            lines[-1] = lines[-1] and lines[-1]._replace(damage=0, taken_out=False)
    return tuple(lines)


def targets_of_use(world: World, args: UsePower) -> list[str]:
    """Return the targets against which an attack is rolled, in order.

    If targets are named, these are the named targets. Otherwise, these are the creatures in the power's area
    that it affects. Raises Refused if the attack can't be aimed in this way.
    """
    fight = Fight(with_turn_begun(world, args.who))
    return list(
        aim_power_with_reach_of_first_steps(
            fight, args.who, power_or_basic_attack_from_args(fight, args), args.targets, args.at
        ).targets
    )


def attack_odds(world: World, args: UsePower, plan: ChoicePolicy = USUAL_POLICY) -> Chances[Lines]:
    """Return the chance of each outcome of an attack; an outcome has a line for each attack roll.

    These are the rules STR-TAC-09 to 11. If it isn't the attacker's turn, the odds are computed as if that
    turn had just begun. Raises Refused if the attack isn't legal.
    """
    combatant, targets = args.who, targets_of_use(world, args)
    attack = Option("combat attack", args, ())
    return outcome_chances_of_option(
        with_turn_begun(world, combatant),
        attack,
        lambda outcome: attack_lines_of(outcome, combatant, targets),
        plan,
        rolls=len(targets),
    )


class AttackTotals(NamedTuple):
    """The totals of an attack on several targets: hits, damage in HP, and creatures Taken Out."""

    hit: int = 0
    damage: int = 0
    taken_out: int = 0

    def __add__(self, other: object) -> AttackTotals:
        if not isinstance(other, AttackTotals):
            return NotImplemented
        return AttackTotals(*map(add, self, other))


class AttackOdds(NamedTuple):
    """The chances of an attack on several targets.

    `by_target` has, for each target, the chances of the results against that target alone. `totals` has the
    chances of the totals of hits, damage and creatures Taken Out.
    """

    by_target: Mapping[str, Mapping[Lines, Fraction]]
    totals: Chances[AttackTotals]

    @property
    def plays(self) -> int:
        """The number of plays behind an estimate, 0 if the odds are exact."""
        return self.totals.plays


def attack_odds_by_target(world: World, args: UsePower, plan: ChoicePolicy = USUAL_POLICY) -> AttackOdds:
    """Return the chances of an attack on several targets, made at the start of the attacker's turn.

    If the targets don't affect each other, the chances are exact. They are also exact if the dice can fall in
    few ways. Otherwise they are estimated.
    """
    combatant, targets = args.who, targets_of_use(world, args)
    attack, world = Option("combat attack", args, ()), with_turn_begun(world, args.who)

    def read(outcome: ForeseenOutcome, number: int | None) -> Lines:
        return attack_lines_of(outcome, combatant, targets if number is None else [targets[number]])

    leaves = independent_outcomes_by_target(
        world, attack, targets, read, _concatenate_lines, plan, test_plays=TEST_ROUNDS
    )
    if leaves is not None:
        each = {target: _sum_leaves(own) for target, own in zip(targets, leaves, strict=True)}
        together: Chances[AttackTotals] = Chances({AttackTotals(): Fraction(1)})
        for own in each.values():
            together = Chances(_add_totals(together, own))
        return AttackOdds(each, together)
    ways = attack_odds(world, args, plan)
    several: dict[str, dict[Lines, Fraction]] = {target: {} for target in targets}
    together = Chances()
    together.plays = ways.plays
    for lines, chance in ways.items():
        for target, found in several.items():
            own_lines = tuple(line for name, line in zip(targets, lines, strict=True) if name == target)
            found[own_lines] = found.get(own_lines, Fraction()) + chance
        totals = _attack_totals(lines)
        together[totals] = together.get(totals, Fraction()) + chance
    return AttackOdds(several, together)


TEST_ROUNDS = 2
"""How many rounds of plays test whether targets affect each other, for odds that a person asks for."""


def _concatenate_lines(lines: Sequence[Lines]) -> Lines:
    return tuple(line for each in lines for line in each)


def _sum_leaves(leaves: Iterable[PartOutcome[Key]]) -> dict[Key, Fraction]:
    found: dict[Key, Fraction] = {}
    for leaf in leaves:
        found[leaf.value] = found.get(leaf.value, Fraction()) + leaf.chance
    return found


def _attack_totals(lines: Lines) -> AttackTotals:
    known = [line for line in lines if line is not None]
    return AttackTotals(
        sum(line.result != "miss" for line in known),
        sum(line.damage for line in known),
        sum(line.taken_out for line in known),
    )


def _add_totals(
    before: Mapping[AttackTotals, Fraction], lines: Mapping[Lines, Fraction]
) -> dict[AttackTotals, Fraction]:
    found: dict[AttackTotals, Fraction] = {}
    for one, chance in lines.items():
        more = _attack_totals(one)
        for totals, so_far in before.items():
            found[totals + more] = found.get(totals + more, Fraction()) + so_far * chance
    return found


def targets_rolled_against(world: World, option: Option) -> list[str]:
    """Return the targets against which an option rolls attacks, in order.

    The list is empty if the option makes no attack roll, or if it is refused.
    """
    args = option.args
    if not isinstance(args, UsePower):
        return []
    try:
        return (
            targets_of_use(world, args)
            if has_attack_roll(power_or_basic_attack_from_args(Fight(world), args))
            else []
        )
    except Refused:
        return []


def split_by_target(option: Option, targets: Iterable[str]) -> list[Option]:
    """Return several copies of an option, one for each target. Each copy is aimed at its target alone."""
    return [option._replace(args=option.args.but(targets=[target])) for target in targets]


class ExpectedOutcome(NamedTuple):
    """The expected outcome of an option.

    - `hit`: the chance that at least one attack hits.
    - `damage`: the HP that the other side loses, on average.
    - `taken_out`: the number of creatures of the other side that are Taken Out, on average.
    - `own_damage`: the HP that the acting side loses, on average.
    - `provokes`: the creatures that may get an Opportunity.
    - `side_with_modifiers`: Advantage, Disadvantage and modifiers of the attack rolls, each with its reason.
    - `plays`: the number of plays behind an estimate; 0 if the numbers are exact.

    Creatures that are Hidden from the actor are left out.
    """

    hit: Fraction
    damage: Fraction
    taken_out: Fraction
    provokes: tuple[str, ...]
    own_damage: Fraction
    side_with_modifiers: tuple[tuple[str | int, str], ...]
    plays: int = 0


MOST_TOGETHER = 4
"""The most rolls for which the spending of Miss Tokens is planned; with more, none is spent."""
FEW_PLAYS = 30
"""How many plays are behind an estimate where many options are compared."""


def expected_outcome_within_effort(
    world: World, option: Option, plan: ChoicePolicy = USUAL_POLICY, effort: WorkBudget | None = None
) -> ExpectedOutcome | None:
    """Return the expected outcome of an option in the present state; None if no effort is left.

    The outcome is exact if there are few enough results of the dice to play each of them. Otherwise it is an
    estimate. Raises Refused if the command is refused.
    """
    effort = effort or WorkBudget(world)
    if effort.units_left <= 0:
        return None
    targets = targets_rolled_against(world, option)
    read = _make_effects_reader(world, option)
    plans = [plan] if len(targets) <= MOST_TOGETHER else [plan, replace(plan, tokens="keep")]
    for each in plans if len(targets) > 1 else ():
        leaves = independent_outcomes_by_target(
            world, option, targets, read, _join_effects, each, effort, test_plays=0
        )
        if leaves is not None:
            return _expected_outcome_of_parts(world, [_sum_leaves(own) for own in leaves])
    whole = outcome_chances_of_option(
        world, option, lambda outcome: read(outcome, None), plan, effort, len(targets), FEW_PLAYS
    )
    return _expected_outcome_of_parts(world, [whole])._replace(plays=whole.plays)


def preview_option(world: World, option: Option) -> Preview:
    """Return the expected outcome of an option, in the form that all systems share.

    If the option is played between turns, or if nothing can be forecast for it, the result is empty. Raises
    Refused if the option's command is refused.
    """
    if not (getattr(option.args, "who", "") or world.get("fight.active")):  # how the fight goes on
        return Preview()
    what = expected_outcome_within_effort(world, option)
    if what is None:
        return Preview()
    rolled = option.command == "combat charge" or bool(targets_rolled_against(world, option))
    averages = {"damage": what.damage, "taken out": what.taken_out, "own damage": what.own_damage}
    return Preview(
        {"hit": what.hit} if rolled else {},
        {name: value for name, value in averages.items() if value or (rolled and name == "damage")},
        provokes=what.provokes,
        bears=what.side_with_modifiers,
        plays=what.plays,
    )


class _ResultEffects(NamedTuple):
    """The effects of one result of the dice, from which an ExpectedOutcome is computed."""

    hit: bool = False
    damage: int = 0
    taken_out: int = 0
    provokes: tuple[str, ...] = ()
    harm: int = 0
    bears: tuple[tuple[str | int, Reason], ...] = ()


def _make_effects_reader(
    world: World, option: Option
) -> Callable[[ForeseenOutcome, int | None], _ResultEffects]:
    """Return a function that reads the effects of an outcome, as far as the actor knows the creatures.

    The function takes the outcome, and the number of a target or None for all targets. The first target has
    the number 0. For every other target, only events from the first attack roll on count.
    """
    people = combatants_in(world.state)
    combatant: str = getattr(option.args, "who", "") or world.get("fight.active", "")
    mine, theirs = Fight(world).side_acted_for(combatant), people[combatant]["side"]
    unknown = {other for other, one in people.items() if one["side"] != theirs and one.get("hidden")}
    own = {other: one["side"] == mine for other, one in people.items() if other not in unknown}

    def count_enemies_out(state: State) -> int:
        now = combatants_in(state)
        return sum("out" in now.get(combatant, ()) for combatant, is_own in own.items() if not is_own)

    def read_effects(outcome: ForeseenOutcome, number: int | None) -> _ResultEffects:
        later = bool(number)
        if later and outcome.at_first_roll is None:
            return _ResultEffects()
        before, done = outcome.at_first_roll if later and outcome.at_first_roll else (world.state, 0)
        attacks, blows = outcome.data.get("attacks", ()), outcome.data.get("opportunities", ())
        harms = [harm for harm in outcome.harms[done:] if harm.by not in unknown]
        return _ResultEffects(
            any(attack["result"] != "miss" for attack in attacks),
            sum(harm.amount for harm in harms if own.get(harm.who) is False),
            count_enemies_out(outcome.state) - count_enemies_out(before),
            () if later else tuple(blow["by"] for blow in blows if blow["by"] not in unknown),
            sum(harm.amount for harm in harms if own.get(harm.who)),
            _roll_sources_and_modifiers(attacks),
        )

    return read_effects


def _join_effects(effects: Sequence[_ResultEffects]) -> _ResultEffects:
    return _ResultEffects(
        any(way.hit for way in effects),
        sum(way.damage for way in effects),
        sum(way.taken_out for way in effects),
        tuple(taker for way in effects for taker in way.provokes),
        sum(way.harm for way in effects),
        tuple(dict.fromkeys(item for way in effects for item in way.bears)),
    )


def _expected_outcome_of_parts(
    world: World, parts: Sequence[Mapping[_ResultEffects, Fraction]]
) -> ExpectedOutcome:
    """Return the expected outcome of an attack that consists of several independent parts."""
    missed = prod((sum(chance for way, chance in ways.items() if not way.hit) for ways in parts), start=1)
    damage, taken_out, harm = (
        sum((getattr(way, field) * chance for ways in parts for way, chance in ways.items()), Fraction())
        for field in ("damage", "taken_out", "harm")
    )
    provoked = dict.fromkeys(taker for ways in parts for way in ways for taker in way.provokes)
    bears = dict.fromkeys(item for ways in parts for way in ways for item in way.bears)
    speaker = GameMasterSpeaker(world.book, [world.state])
    named = tuple((what, str(data_with_clauses_in_words(reason, speaker))) for what, reason in bears)
    return ExpectedOutcome(1 - Fraction(missed), damage, taken_out, tuple(provoked), harm, named)


def _roll_sources_and_modifiers(attacks: Sequence[AttackedData]) -> tuple[tuple[str | int, Reason], ...]:
    found: list[tuple[str | int, Reason]] = []
    for attack in attacks:
        found += [(source["kind"], source["reason"]) for source in attack["roll"]["sources"]]
        found += [(item["value"], item["reason"]) for item in attack["roll"]["modifiers"]]
    return tuple(dict.fromkeys(found))
