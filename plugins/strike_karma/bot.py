"""How the bot values a fight by Karma, and the functions that `strike sim` calls."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from strike_cli.plugin import Bot, OfOne, Option, Refused, World
from strike_cli.plugin.sim import Lineup, Simulated
from strike_cli.plugin.tactics import ENEMIES, PARTY

from .action import KarmaAction
from .conditional_actions import ConditionMet, is_ready
from .delayed_actions import Complete
from .fight import OPEN, OVER, PASSING, KarmaFight
from .gm_moves import EndKarmaFight
from .initiative import Hold, NextRound, may_end
from .reaction import FLAGS, React
from .setup import StartKarmaFight
from .sheet import extras_of, sheet_of

HERE, DIE, TURN, AT_IT = 10.0, 1.0, 0.2, 0.1
"""What is worth how much: a combatant who is there, a die of a pool, a turn left, an uncompleted action."""


def options(world: World) -> Iterator[Option]:
    """Yield what can be done now.

    Delayed actions that are due come first. Then the holder acts, with all dice that apply before fewer, or
    holds; once the holder has acted, the initiative is passed. Last come triggers and reactions.
    """
    if not world.get("karma"):
        return
    fight = KarmaFight(world)
    yield from (_complete(combatant, False) for combatant in fight.due())
    if fight.stage == OPEN and fight.holder:
        kinds = list(extras_of(sheet_of(fight.world, fight.people[fight.holder]["ref"])))
        for chosen in dict.fromkeys((tuple(kinds), *((kind,) for kind in kinds), ())):
            words = [word for kind in chosen for word in ("--for", kind)]
            yield Option(
                "karma act", KarmaAction(who=fight.holder, for_=list(chosen)), ("act", fight.holder, *words)
            )
        yield from (_complete(combatant, True) for combatant in _discretionary_delays(fight))
        for to in fight.may_be_held_for(fight.holder):
            typed = ("hold", fight.holder, "--pass", to)
            yield Option("karma hold", Hold(who=fight.holder, to=to), typed)
    if fight.stage == PASSING:
        # The possible receivers, the holder's side first
        side = fight.people[fight.holder].get("side") if fight.holder else ""
        for to in sorted(
            fight.receivers(), key=lambda combatant: fight.people[combatant].get("side") != side
        ):
            yield Option("karma pass", OfOne(who=to), ("pass", to), at=(to,))
    if fight.stage in (PASSING, OVER):
        yield from (_complete(combatant, False) for combatant in _discretionary_delays(fight))
    if may_end(fight):
        yield Option("karma round", NextRound(), ("round",))
    yield from _answers(fight)


def _answers(fight: KarmaFight) -> Iterator[Option]:
    """Yield the conditional actions that can be triggered, and the reactions of everybody.

    A reaction uses the Reaction Pool; a passive one uses a Trope or Trademark alone; and as an action it uses
    a turn (CIN-06, 07).
    """
    for combatant in fight.there():
        if is_ready(fight, combatant):
            yield Option("karma trigger", ConditionMet(who=combatant), ("trigger", combatant), answers=True)
    for combatant in fight.there():
        extras = list(extras_of(sheet_of(fight.world, fight.people[combatant]["ref"])))
        if fight.people[combatant]["pool"]:
            yield _react(React(who=combatant))
        if extras:
            passive = bool(fight.people[combatant]["pool"])
            yield _react(React(who=combatant, for_=extras[:1], passive=passive, optional=not passive))
        if fight.turns_left(combatant):
            yield _react(React(who=combatant, as_action=True))


def _react(args: React) -> Option:
    typed = [word for kind in args.for_ for word in ("--for", kind)]
    typed += [f"--{flag.replace('_', '-')}" for flag in FLAGS if getattr(args, flag)]
    return Option("karma react", args, ("react", args.who, *typed), answers=True)


def _discretionary_delays(fight: KarmaFight) -> list[str]:
    delayed = {combatant: fight.people[combatant].get("delayed_action") for combatant in fight.there()}
    return [combatant for combatant, action in delayed.items() if action and "due" not in action]


def _complete(combatant: str, before: bool) -> Option:
    words = ("--before",) if before else ()
    return Option("karma complete", Complete(who=combatant, before=before), ("complete", combatant, *words))


def side_value(world: World, side: str) -> float:
    """Return what the fight is worth to a side: its people, pools and turns, less those of the other side."""
    if not world.get("karma"):
        return 0.0
    fight = KarmaFight(world)
    mine = {combatant: fight.people[combatant].get("side") == side for combatant in fight.there()}
    return sum(_value_of(fight, combatant) * (1 if own else -1) for combatant, own in mine.items())


def _value_of(fight: KarmaFight, combatant: str) -> float:
    one = fight.people[combatant]
    standing = HERE * int(one.get("count", 1)) + DIE * (int(one["pool"]) + int(one.get("karma", 0)))
    return standing - TURN * fight.turns_left(combatant) - AT_IT * ("delayed_action" in one)


class KarmaBot(Bot):
    """The bot of fights by Karma."""

    def options(self, world: World) -> Iterator[Option]:
        return options(world)

    def evaluate(self, world: World, side: str) -> float:
        """Return what the fight is worth to `side`, as `worth` counts it."""
        return side_value(world, side)


def begin(world: World, encounter: str, lineup: Lineup) -> Option:
    """Return the option that begins the fight, with a roll for the first initiative.

    Raises Refused if a difficulty is given.
    """
    if lineup.difficulty:
        raise Refused("Karma doesn't rate difficulty.", "--with CREATURE:N adds more.")
    args = StartKarmaFight(encounter=encounter, party=lineup.party, creatures=lineup.creatures, roll=True)
    return Option("karma start", args, ("start", encounter, "--roll"))


def result(world: World) -> str:
    """Return "won" or "lost" for the party, or "" as long as both sides have people left."""
    fight = KarmaFight(world)
    sides = {str(fight.people[combatant].get("side")) for combatant in fight.there()}
    if sides >= {PARTY, ENEMIES}:
        return ""
    return "won" if PARTY in sides else "lost"


def finish(world: World) -> Option | None:
    """Return the option that ends the fight, `karma end`."""
    return Option("karma end", EndKarmaFight(), ("end",))


def option_used(option: Option, data: Mapping[str, object]) -> str:
    """Return which Trope or Trademark an action used, "plain" if none, and "" for anything but an action."""
    return " and ".join(option.given(KarmaAction).for_) or "plain" if option.command == "karma act" else ""


SIMULATED = Simulated(
    begin,
    result,
    finish,
    health=("pool",),
    unit="dice",
    counted=("karma",),
    used=option_used,
    undecided="Karma leaves the effects of hits to the table, so its fights are never won or lost.",
)
