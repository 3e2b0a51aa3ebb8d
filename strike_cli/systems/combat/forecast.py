"""What would come of a command, exactly: every fall of the dice, played by the very procedure that plays it.

Nothing happens to the world that is looked at. Choices on the way are taken by a stated `Plan`.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import prod
from typing import Any, NamedTuple, TypeVar

from strike_cli.kernel.exhaustive import Policy
from strike_cli.kernel.facts import Change, State, apply_changes
from strike_cli.kernel.procedure import Choose, Happen, World
from strike_cli.play.forecast import Preview, chances
from strike_cli.play.legal import Option
from strike_cli.problems import Refused

from .attack import UsePower, power_meant
from .fight import Fight
from .powers import is_rolled, take_first_aim

Key = TypeVar("Key", bound=Hashable)

GLANCING = ("damage", "effect")
TOKENS = ("keep", "hit", "best")
OPPORTUNITIES = ("take", "pass")


@dataclass(frozen=True)
class Plan:
    """How choices are taken where nobody is asked.

    Of a glancing hit damage or effect. Miss Tokens: kept, spent (as few as do) to turn a miss into a hit, or
    spent for the best result. Opportunities taken or passed. Of anything else what is taken where nobody can
    be asked, or else the first option.
    """

    glancing: str = "damage"
    tokens: str = "hit"
    opportunities: str = "take"

    def __call__(self, question: Choose) -> str:
        """The option that the plan takes."""
        if question.kind == "tokens":
            return self._tokens(question)
        wanted = {"glancing": self.glancing, "opportunity": self.opportunities}.get(question.kind)
        return wanted or question.default or question.options[0]

    def _tokens(self, question: Choose) -> str:
        # The options go from spending none to the best result.
        missed = question.outcomes[0] == "miss"
        if self.tokens == "keep" or (self.tokens == "hit" and not missed):
            return question.options[0]
        return question.options[1 if self.tokens == "hit" else -1]


USUAL = Plan()


class Harm(NamedTuple):
    """Damage done on the way, in HP: to whom, and by whom, if by anybody."""

    who: str
    by: str
    amount: int


@dataclass
class Blow:
    """An attack roll on the way: whose, at whom, and the damage to that target from then on until the next
    roll at it: the roll's own and what its steps do."""

    by: str
    target: str
    damage: int = 0


class Outcome(NamedTuple):
    """What a command came to: its data, the state after it, the damage that it did, roll by roll and in
    all."""

    data: dict[str, Any]
    state: State
    blows: Sequence[Blow]
    harms: Sequence[Harm]


class _Watched(World):
    """A world that keeps in mind which damage is done in it."""

    __slots__ = ("blows", "harms")

    def __init__(self, world: World) -> None:
        super().__init__(world.book, world.state)
        self.blows: list[Blow] = []
        self.harms: list[Harm] = []

    def happen(
        self, kind: str, who: str, text: str, sets: Mapping[str, Any] | None = None, **details: Any
    ) -> Happen:
        """The fact, noted where it is an attack roll or damage."""
        if kind == "attacked":
            self.blows.append(Blow(who, str(details.get("target", ""))))
        elif kind == "damaged":
            self.harms.append(Harm(who, str(details.get("by", "")), int(details["amount"])))
            blow = next((blow for blow in reversed(self.blows) if blow.target == who), None)
            if blow:
                blow.damage += int(details["amount"])
        return super().happen(kind, who, text, sets, **details)


def foreseen(
    world: World, option: Option, read: Callable[[Outcome], Key], plan: Policy = USUAL
) -> dict[Key, Fraction]:
    """The exact chance of each thing that `read` makes of what an option comes to.

    Raises Refused where the command would be.
    """

    def key(data: dict[str, Any], latest: _Watched) -> Key:
        return read(Outcome(data, latest.state, latest.blows, latest.harms))

    return chances(world, option.command, option.args, key, plan, _Watched)


def in_turn(world: World, who: str) -> World:
    """The world as if it were just now somebody's turn, with nothing done in it yet."""
    if world.get("fight.active") == who:
        return world
    now = {"fight.active": who, "fight.turn": None, "fight.round": world.get("fight.round") or 1}
    changes: list[Change] = [(path, world.get(path), value) for path, value in now.items()]
    return World(world.book, apply_changes(world.state, changes))


class AttackLine(NamedTuple):
    """How an attack roll comes out for its target: what `combat attack` says of it, without the dice.
    `damage` is all that comes to the target by it, HP that steps of the power take included."""

    result: str
    damage: int
    effect: bool
    strike: bool
    tokens_spent: int
    taken_out: bool


Lines = tuple[AttackLine | None, ...]
"""A line for each of the targets named, in that order, where one may be named several times; None for one
that was not rolled for."""


def lines_of(outcome: Outcome, who: str, targets: Sequence[str]) -> Lines:
    """How each roll of an attack of somebody's came out."""
    rolls = [blow for blow in outcome.blows if blow.by == who]
    attacks = list(zip(outcome.data["attacks"], rolls, strict=False))
    lines: list[AttackLine | None] = []
    for target in targets:
        # Rolls come in the order of the targets; those who fell before theirs have none.
        if not attacks or attacks[0][0]["target"] != target:
            lines.append(None)
            continue
        attack, blow = attacks.pop(0)
        lines.append(AttackLine(*(attack[key] for key in AttackLine._fields))._replace(damage=blow.damage))
    return tuple(lines)


MOST_TOGETHER = 4
"""Rolls that are counted together: each one more takes six times as long."""


def aimed_at(world: World, args: UsePower) -> list[str]:
    """Whom an attack is rolled for, in order: those named, or else all in its area. Raises Refused where it
    can't be aimed so."""
    fight = Fight(in_turn(world, args.who))
    return list(take_first_aim(fight, args.who, power_meant(fight, args), args.targets, args.at).targets)


def attack_odds(world: World, args: UsePower, plan: Policy = USUAL) -> dict[Lines, Fraction]:
    """The exact chance of each way that an attack comes out (STR-TAC-09 to 11).

    It is looked at as in the attacker's own turn, nothing done in it yet. Raises Refused for an attack that
    would be.
    """
    who, targets = args.who, aimed_at(world, args)
    attack = Option("combat attack", args, ())
    return foreseen(in_turn(world, who), attack, lambda outcome: lines_of(outcome, who, targets), plan)


def rolled_for(world: World, option: Option) -> list[str]:
    """Whom an option rolls an attack for, in order; nobody where it is none, or would be refused."""
    args = option.args
    if not isinstance(args, UsePower):
        return []
    try:
        return aimed_at(world, args) if is_rolled(power_meant(Fight(world), args)) else []
    except Refused:
        return []


def each_alone(option: Option, targets: Iterable[str]) -> list[Option]:
    """The same at each of its targets alone."""
    return [option._replace(args=option.args.but(targets=[target])) for target in targets]


class Prospect(NamedTuple):
    """What is to be expected of an option: the chance that an attack hits anybody, the HP of damage that it
    does to the other side in all and how many it Takes Out on average, who gets an Opportunity, the HP of
    damage that it costs one's own side on average, and what bears on its attack rolls, each once: Advantage,
    Disadvantage or a number, with its reason. Whom nobody knows of is left out."""

    hit: Fraction
    damage: Fraction
    taken_out: Fraction
    provokes: tuple[str, ...]
    harm: Fraction
    bears: tuple[tuple[str | int, str], ...]


def prospect(world: World, option: Option, plan: Plan = USUAL) -> Prospect:
    """What is to be expected of an option as things stand: exact, but for attacks of more rolls than
    MOST_TOGETHER, of which each is looked at by itself and with its Miss Tokens kept.

    Raises Refused where the command would be.
    """
    targets = rolled_for(world, option)
    if len(targets) <= MOST_TOGETHER:
        return _prospect(world, option, plan)
    plan = replace(plan, tokens="keep")
    first, *others = each_alone(option, dict.fromkeys(targets))
    alone = [_prospect(world, first, plan)]
    alone += [_prospect(world, other, plan, only=other.args.targets[0]) for other in others]
    missed = prod((1 - each.hit for each in alone), start=Fraction(1))
    damage, taken_out, harm = (
        sum((getattr(each, field) for each in alone), Fraction()) for field in ("damage", "taken_out", "harm")
    )
    bears = tuple(dict.fromkeys(item for each in alone for item in each.bears))
    return Prospect(1 - missed, damage, taken_out, alone[0].provokes, harm, bears)


def preview(world: World, option: Option) -> Preview:
    """What `combat options` says of an option, in the form that any system's has. Raises Refused where the
    command would be."""
    if not (getattr(option.args, "who", "") or world.get("fight.active")):  # how the fight goes on
        return Preview()
    what = prospect(world, option)
    rolled = option.command == "combat charge" or bool(rolled_for(world, option))
    averages = {"damage": what.damage, "taken out": what.taken_out, "own damage": what.harm}
    return Preview(
        {"hit": what.hit} if rolled else {},
        {name: value for name, value in averages.items() if value or (rolled and name == "damage")},
        provokes=what.provokes,
        bears=what.bears,
    )


class _Way(NamedTuple):
    """What a Prospect sums up, of one way that the dice may fall."""

    hit: bool
    damage: int
    taken_out: int
    provokes: tuple[str, ...]
    harm: int
    bears: tuple[tuple[str | int, str], ...]


def _prospect(world: World, option: Option, plan: Plan, only: str = "") -> Prospect:
    """Exactly; with `only`, what befalls that one and nobody else."""
    people: Mapping[str, Mapping[str, Any]] = world.get("fight.combatants")
    mine = people[getattr(option.args, "who", "") or world.get("fight.active")]["side"]
    unknown = {who for who, one in people.items() if one["side"] != mine and one.get("hidden")}
    own = {
        who: one["side"] == mine for who, one in people.items() if who not in unknown and only in ("", who)
    }

    def out(state: State) -> int:
        now = state.get("fight", {}).get("combatants", {})
        return sum("out" in now.get(who, ()) for who, is_own in own.items() if not is_own)

    before = out(world.state)

    def read(outcome: Outcome) -> _Way:
        attacks, blows = (outcome.data.get(key, ()) for key in ("attacks", "opportunities"))
        harms = [harm for harm in outcome.harms if harm.by not in unknown]
        return _Way(
            any(attack["result"] != "miss" for attack in attacks),
            sum(harm.amount for harm in harms if own.get(harm.who) is False),
            out(outcome.state) - before,
            tuple(blow["by"] for blow in blows if blow["by"] not in unknown),
            sum(harm.amount for harm in harms if own.get(harm.who)),
            _bearing(attacks),
        )

    ways = foreseen(world, option, read, plan)
    provoked = dict.fromkeys(taker for way in ways for taker in way.provokes)
    bears = dict.fromkeys(item for way in ways for item in way.bears)
    hit, damage, taken_out, harm = (
        sum((getattr(way, field) * chance for way, chance in ways.items()), Fraction())
        for field in ("hit", "damage", "taken_out", "harm")
    )
    return Prospect(hit, damage, taken_out, tuple(provoked), harm, tuple(bears))


def _bearing(attacks: Sequence[Mapping[str, Any]]) -> tuple[tuple[str | int, str], ...]:
    found: list[tuple[str | int, str]] = []
    for attack in attacks:
        found += [(source["kind"], source["reason"]) for source in attack["roll"]["sources"]]
        found += [(item["value"], item["reason"]) for item in attack["roll"]["modifiers"]]
    return tuple(dict.fromkeys(found))
