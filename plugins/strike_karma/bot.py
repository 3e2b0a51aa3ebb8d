"""The bot of fights by Karma: its options, its valuation of a fight, and its use by `strike sim`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from strike_cli.plugin import Bot, Option, PersonArgs, Refused, World
from strike_cli.plugin.sim import Lineup, SimulationRules

from .action import KarmaAction
from .conditional_actions import ConditionMet, has_triggerable_action
from .delayed_actions import Complete
from .fight_setup import StartKarmaFight
from .fight_state import OPEN, OVER, PASSING, KarmaFight
from .initiative_and_rounds import Hold, NextRound, may_end_round
from .reaction import FLAGS, React
from .recorded_decisions_and_fight_end import EndKarmaFight
from .sheet import sheet_of, trope_and_trademark_names

HERE, DIE, TURN, AT_IT = 10.0, 1.0, 0.2, 0.1
"""The values of a combatant, of a die in a pool, of a turn left, and of an uncompleted action."""


def bot_options(world: World) -> Iterator[Option]:
    """Yield the options of the bot, in a fixed order.

    The order is:

    1. Complete the delayed actions that are due.
    2. If the holder of the initiative has yet to act: act, complete an open delayed action first, or hold.
    3. If the holder has acted: pass the initiative.
    4. If the holder has acted, or the round is over: complete open delayed actions.
    5. End the round, if possible.
    6. Trigger conditional actions, and react.
    """
    if not world.get("karma"):
        return
    fight = KarmaFight(world)
    yield from (_completion_option(combatant, False) for combatant in fight.combatants_with_due_action())
    if fight.stage == OPEN and fight.initiative_holder:
        kinds = list(
            trope_and_trademark_names(sheet_of(fight.world, fight.people[fight.initiative_holder]["ref"]))
        )
        for chosen in dict.fromkeys((tuple(kinds), *((kind,) for kind in kinds), ())):
            words = [word for kind in chosen for word in ("--for", kind)]
            yield Option(
                "karma act",
                KarmaAction(who=fight.initiative_holder, for_=list(chosen)),
                ("act", fight.initiative_holder, *words),
            )
        yield from (
            _completion_option(combatant, True) for combatant in _people_with_open_delayed_action(fight)
        )
        for to in fight.hold_receivers(fight.initiative_holder):
            typed = ("hold", fight.initiative_holder, "--pass", to)
            yield Option("karma hold", Hold(who=fight.initiative_holder, to=to), typed)
    if fight.stage == PASSING:
        # The possible receivers, the holder's side first
        side = fight.people[fight.initiative_holder].get("side") if fight.initiative_holder else ""
        for to in sorted(
            fight.next_holders_or_next_round_starters(),
            key=lambda combatant: fight.people[combatant].get("side") != side,
        ):
            yield Option("karma pass", PersonArgs(who=to), ("pass", to), at=(to,))
    if fight.stage in (PASSING, OVER):
        yield from (
            _completion_option(combatant, False) for combatant in _people_with_open_delayed_action(fight)
        )
    if may_end_round(fight):
        yield Option("karma round", NextRound(), ("round",))
    yield from _trigger_and_reaction_options(fight)


def _trigger_and_reaction_options(fight: KarmaFight) -> Iterator[Option]:
    """Yield the conditional actions that can be triggered, and the possible reactions of all combatants.

    A combatant has up to three ways to react (CIN-06, 07):
    - with the Reaction Pool, if it isn't empty;
    - with a Trope or Trademark; if the Reaction Pool isn't empty, this reaction is passive and leaves the
      pool unused;
    - as an action, which uses up a turn that the combatant has left.
    """
    for combatant in fight.combatants_there():
        if has_triggerable_action(fight, combatant):
            yield Option("karma trigger", ConditionMet(who=combatant), ("trigger", combatant), answers=True)
    for combatant in fight.combatants_there():
        extras = list(trope_and_trademark_names(sheet_of(fight.world, fight.people[combatant]["ref"])))
        if fight.people[combatant]["pool"]:
            yield _reaction_option(React(who=combatant))
        if extras:
            passive = bool(fight.people[combatant]["pool"])
            yield _reaction_option(
                React(who=combatant, for_=extras[:1], passive=passive, optional=not passive)
            )
        if fight.turns_left(combatant):
            yield _reaction_option(React(who=combatant, as_action=True))


def _reaction_option(args: React) -> Option:
    typed = [word for kind in args.for_ for word in ("--for", kind)]
    typed += [f"--{flag.replace('_', '-')}" for flag in FLAGS if getattr(args, flag)]
    return Option("karma react", args, ("react", args.who, *typed), answers=True)


def _people_with_open_delayed_action(fight: KarmaFight) -> list[str]:
    delayed = {
        combatant: fight.people[combatant].get("delayed_action") for combatant in fight.combatants_there()
    }
    return [combatant for combatant, action in delayed.items() if action and "due" not in action]


def _completion_option(combatant: str, before_holder_acts: bool) -> Option:
    words = ("--before",) if before_holder_acts else ()
    return Option(
        "karma complete", Complete(who=combatant, before=before_holder_acts), ("complete", combatant, *words)
    )


def side_value_minus_opponents(world: World, side: str) -> float:
    """Return the value of the fight for a side: the value of its people minus the value of its opponents.

    Without a fight, return 0. Pool dice and Instant Karma raise a person's value. Unused turns and a delayed
    action lower it. So a bot that seeks a high value uses its turns and completes its delayed action.
    """
    if not world.get("karma"):
        return 0.0
    fight = KarmaFight(world)
    mine = {combatant: fight.people[combatant].get("side") == side for combatant in fight.combatants_there()}
    return sum(_combatant_value(fight, combatant) * (1 if own else -1) for combatant, own in mine.items())


def _combatant_value(fight: KarmaFight, combatant: str) -> float:
    one = fight.people[combatant]
    standing = HERE * int(one.get("count", 1)) + DIE * (int(one["pool"]) + int(one.get("karma", 0)))
    return standing - TURN * fight.turns_left(combatant) - AT_IT * ("delayed_action" in one)


class KarmaBot(Bot):
    """The bot of fights by Karma."""

    def options(self, world: World) -> Iterator[Option]:
        return bot_options(world)

    def evaluate(self, world: World, side: str) -> float:
        """Return the value of the fight for `side`, by `side_value_minus_opponents`."""
        return side_value_minus_opponents(world, side)


def start_fight_option(world: World, encounter: str, lineup: Lineup) -> Option:
    """Return the option that starts the fight, with a roll for the first initiative.

    Raises Refused if `lineup` has a difficulty.
    """
    if lineup.difficulty:
        raise Refused("Karma doesn't rate difficulty.", "--with CREATURE:N adds more.")
    args = StartKarmaFight(encounter=encounter, party=lineup.party, creatures=lineup.creatures, roll=True)
    return Option("karma start", args, ("start", encounter, "--roll"))


def fight_result_for_party(world: World) -> str:
    """Return "won" or "lost" for the party, or "" as long as both sides have people left."""
    return KarmaFight(world).result()


def end_fight_option(world: World) -> Option | None:
    """Return the option that ends the fight, `karma end`."""
    return Option("karma end", EndKarmaFight(), ("end",))


def extra_dice_or_plain_used(option: Option, data: Mapping[str, object]) -> str:
    """Return the extra dice of a `karma act`, such as "trope and trademark", or "plain" without any.

    It is "" for any other option.
    """
    return " and ".join(option.given(KarmaAction).for_) or "plain" if option.command == "karma act" else ""


SIMULATED = SimulationRules(
    start_fight_option,
    fight_result_for_party,
    end_fight_option,
    health=("pool",),
    unit="dice",
    counted=("karma",),
    used=extra_dice_or_plain_used,
    undecided="Karma leaves the effects of hits to the table, so its fights are never won or lost.",
)
