"""Reactions to what others do, with dice of the Reaction Pool (CIN-07)."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from strike_cli.plugin import Procedure, Refused, World

from .dice_notation import HERO_DIE_SIDES
from .facts import KarmaReacted
from .fight_state import KarmaFight
from .sheet import sheet_of
from .standard_roll import RollFields, RollOptions, RollOutcome, added_dice, standard_roll

if TYPE_CHECKING:
    from .data import KarmaReactData, KarmaReactionCounts

POOL, PASSIVE, ACTION, NONE = "pool", "passive", "action", "none"


FLAGS = ("passive", "as_action", "optional")
"""The arguments of a reaction that are flags of the command."""


class React(RollOptions):
    """The arguments of `karma react`: who reacts, to what, and the options of the roll.

    A reaction usually rolls the dice of the Reaction Pool. A `passive` reaction doesn't use the pool. A
    reaction made `as_action` rolls all Hero Dice instead, and uses up a turn.

    If there are no dice to roll, a reaction such as dodging fails. A reaction that is `optional`, such as an
    attack of opportunity, is refused instead.
    """

    who: str
    to: str = ""
    passive: bool = False
    as_action: bool = False
    optional: bool = False


def play_react(world: World, args: React) -> Procedure[KarmaReactData]:
    """Play `karma react`: a combatant rolls dice to react to something.

    The combatant's dice are rolled first, and the opposing dice after them. In a tie the combatant succeeds.
    If the combatant has no dice to roll, the reaction fails; an `optional` reaction is refused instead. With
    `no_roll`, nothing is rolled, and the reaction succeeds.

    Raises Refused if the reaction isn't possible. For example, `as_action` uses up a turn, so a combatant
    without a turn left can't react in this way.
    """
    fight = KarmaFight(world)
    fight.require_present(args.who)
    dice, mode = _reaction_dice_and_mode(fight, args)
    before = int(fight.people[args.who]["pool"])
    after = before - 1 if mode == POOL and before else before
    sets = fight.sets_turn_used_and_holds_cleared(args.who) if mode == ACTION else fight.sets_holds_cleared()
    sets |= fight.sets(args.who, pool=after)
    came: RollOutcome | None = None
    if dice and not args.no_roll:
        came = yield from standard_roll(
            world, args.who, args.to or "reaction", dice, args.roll_options, wins_ties=True
        )
    failed = not came.success if came else mode == NONE
    reacted = KarmaReacted(
        who=args.who,
        mode=mode,
        outcome="failure" if failed else "success",
        to=args.to,
        pool_before=before,
        pool_after=after,
        group=fight.is_group(args.who),
        **(came.as_fact_fields() if came else RollFields()),
    )
    yield world.tell(reacted, sets)
    data = {"who": args.who, "to": args.to, "dice": len(dice), "pool_before": before, "pool_after": after}
    rolled = came.as_data() if came else {"roll": None, "against": None}
    return cast("KarmaReactData", {**data, "mode": mode, "failed": failed, **rolled})


def odds_key(data: KarmaReactData) -> KarmaReactionCounts:
    """Return the values by which `strike odds karma react` tells results apart."""
    counts: KarmaReactionCounts = {"failed": data["failed"]}
    if data["roll"]:
        counts["successes"] = data["successes"]
    return counts


def _reaction_dice_and_mode(fight: KarmaFight, args: React) -> tuple[list[int], str]:
    """Return the sides of the dice that a reaction rolls, and the reaction's mode.

    The mode is one of these:
    - ACTION: the reaction uses the combatant's turn (`as_action`).
    - PASSIVE: it doesn't use the Reaction Pool (`passive`), or nothing is rolled (`no_roll`).
    - POOL: it uses the Reaction Pool.
    - NONE: the combatant would roll, but has no dice.

    Raises Refused:
    - for an optional reaction without dice;
    - for a passive reaction while the Reaction Pool is empty;
    - with `as_action`, for a passive reaction or a combatant without a turn left.
    """
    one = fight.people[args.who]
    sheet = sheet_of(fight.world, one["ref"])
    more = added_dice(sheet, args.roll_options)
    if args.as_action:
        if args.passive:
            raise Refused("As an action it uses all Hero Dice.", "Choose --passive or --as-action.")
        if not fight.turns_left(args.who):
            raise Refused(
                f"{fight.name_and_verb(args.who, 'has')} no action left in round {fight.round}.",
                "React without --as-action.",
            )
        return [*[HERO_DIE_SIDES] * sheet["hero"], *more], ACTION
    if args.passive and not one["pool"]:
        raise Refused(f"{one['name']}'s Reaction Pool is empty.", "Then leave out --passive.")
    if args.no_roll:
        return [], PASSIVE
    dice = more if args.passive else [*[HERO_DIE_SIDES] * one["pool"], *more]
    if not dice and args.optional:
        raise Refused(
            f"{fight.name_and_verb(args.who, 'has')} no dice to react with.",
            "Add --for TROPE or TRADEMARK if one applies, or use this round's action: --as-action.",
        )
    return dice, NONE if not dice else PASSIVE if args.passive else POOL
