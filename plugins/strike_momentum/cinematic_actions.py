"""Cinematic Actions and Reactions, by one combatant or by several together, and Bursts (WSH-08)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple, cast

from strike_cli.plugin import Args, Procedure, Refused, Sets, World
from strike_cli.plugin.dice import ADVANTAGE, Source

from .action_costs import AP, NARRATIVE, RP, must_be_able_to_act, must_be_able_to_react, usable_rp
from .attack import roll_damage_parts
from .checks_and_defense_rolls import given_reasons, require_existing_skill, skill_check
from .damage_and_healing import Blow, deal_blow
from .dice import parse_dice_or_refuse
from .facts import ActingTogether, MomentumCinematic, MomentumCinematicOver, MomentumUpkeep
from .fight_state import Battle
from .refusals import IsObject, NoAlly, NoRoundYet, NoStatusEffect, NotTheirTurn
from .rule_constants import ACTION_POINTS, BURST, CINEMATIC, CRITICAL_FACE, DAMAGE_TYPE_NAMES, REACTION_POINTS
from .statuses import Upkeep, add_or_replace_status, next_cinematic_number

if TYPE_CHECKING:
    from strike_cli.plugin.dice import RollTold

    from .data import MomentumActionsCounts, MomentumCinematicData, SufferedData


class Companion(Args):
    """A combatant who takes part in another's cinematic: their Skill, and whether they pay with a Burst."""

    who: str
    skill: str
    burst: bool = False


class Cinematic(Args):
    """The arguments of `momentum cinematic`: an attempt in words, its Skill, difficulty and helpers.

    A success may deal `damage` to the targets, or give them a Status Effect. With `upkeep`, this effect lasts
    only as long as `upkeep` AP are paid each turn. `while_` is a further condition in words.
    """

    who: str
    what: str
    skill: str
    difficulty: int
    with_: Sequence[Companion] = ()
    burst: bool = False
    reaction: bool = False
    targets: Sequence[str] = ()
    damage: str = ""
    type: str = "physical"
    status: str = ""
    upkeep: int = 0
    while_: str = ""
    adv: Sequence[str] = ()
    dis: Sequence[str] = ()

    def people(self) -> Sequence[str]:
        return (self.who, *(one.who for one in self.with_), *self.targets)


class ParticipantShare(NamedTuple):
    """What one participant of a cinematic pays, and the Skill that the participant rolls."""

    who: str
    skill: str
    momentum: int
    ap: int
    rp: int


def play_cinematic(world: World, args: Cinematic) -> Procedure[MomentumCinematicData]:
    """Play `momentum cinematic`: an attempt that costs Narrative Momentum.

    The Narrative Momentum is spent, whether the attempt succeeds or fails. By naming a difficulty, the game
    master allows the attempt.

    The dice are rolled in this order: the actor's, the companions', and after a success those for damage.
    Raises Refused if the attempt is invalid, or if somebody can't pay.
    """
    battle = Battle(world)
    _refuse_unfitting_attempt_arguments(battle, args)
    shares = _require_payable_shares(battle, args)
    dice = parse_dice_or_refuse(args.damage) if args.damage else None
    attempt = MomentumCinematic(args.who, args.what.strip(), args.reaction)
    sets: Sets = {}
    for share in shares:
        for points, cost in ((NARRATIVE, share.momentum), (AP, share.ap), (RP, share.rp)):
            sets |= points.pay(battle, share.who, cost)
        if not share.ap + share.rp:
            sets |= battle.sets(share.who, burst=battle.round)
    yield world.tell(attempt, sets)
    rolls, failures, criticals = yield from _roll_participants_checks(world, args, shares)
    success = failures <= criticals if args.with_ else not failures
    data: MomentumCinematicData = {
        "who": args.who,
        "rolls": rolls,
        "success": success,
        "failures": failures,
        "criticals": criticals,
    }
    yield world.tell(MomentumCinematicOver(args.who, "success" if success else "failure"))
    if success:
        hits = (yield from roll_damage_parts(world, args.who, [(args.type, dice)])) if dice else []
        data["targets"] = []
        number = next_cinematic_number(battle, args.who)
        for target in args.targets:
            data["targets"].append(
                (yield from _apply_success(world, args, target, Blow(hits, by=args.who), number))
            )
        if args.status and args.upkeep:
            yield world.tell(MomentumUpkeep(args.who, args.upkeep, _further_upkeep_condition(args)))
    return data


def _further_upkeep_condition(args: Cinematic) -> str:
    return args.while_.strip().rstrip(".")


def _refuse_unfitting_attempt_arguments(battle: Battle, args: Cinematic) -> None:
    """Raise Refused for an attempt whose arguments are incomplete or don't fit together.

    Examples are an attempt without a description, an upkeep with nothing to keep up, and an unknown damage
    type.
    """
    if not args.what.strip():
        raise Refused("The attempt is missing.", "Describe it: --what TEXT.")
    for target in args.targets:
        battle.require_present(target)
    if (args.upkeep or args.while_) and not (args.status and args.targets):
        raise Refused("Nothing is there to keep up.", "--on names its target, --status its effect.")
    if args.while_ and not args.upkeep:
        raise Refused("Keeping it up costs AP.", "--upkeep 2 sets AP a turn.")
    if args.status and args.status not in battle.world.book.status_effects:
        raise NoStatusEffect(repr(args.status), "`strike content list` lists all of them.")
    if args.type not in DAMAGE_TYPE_NAMES:
        raise Refused(f"There is no damage type {args.type!r}.", f"Types: {', '.join(DAMAGE_TYPE_NAMES)}.")


def _roll_participants_checks(
    world: World, args: Cinematic, shares: Sequence[ParticipantShare]
) -> Procedure[tuple[list[RollTold], int, int]]:
    """Roll everybody's Skill Check, with Advantage if there are several participants.

    Returns the rolls, the number of failures, and the number of critical successes.
    """
    together = [Source(ADVANTAGE, ActingTogether())] if args.with_ else []
    rolls, failures, criticals = [], 0, 0
    for share in shares:
        why = [*together, *(given_reasons(args.adv, args.dis) if share.who == args.who else [])]
        rolled, success = yield from skill_check(world, share.who, share.skill, args.difficulty, why)
        rolls.append(rolled.as_json())
        failures += not success
        criticals += rolled.kept == CRITICAL_FACE
    return rolls, failures, criticals


def _apply_success(
    world: World, args: Cinematic, target: str, blow: Blow, number: int
) -> Procedure[SufferedData]:
    """Apply the effects of a successful cinematic action to one target.

    The effects are damage, a Status Effect, or both. `number` identifies the cinematic action. If the Status
    Effect needs upkeep, it gets this number for every target. So one payment keeps it up on all targets.
    """
    data = cast("SufferedData", {"target": target})
    if blow.parts:
        data = yield from deal_blow(world, target, blow)
    if args.status and "out" not in Battle(world).people[target]:
        kept = Upkeep(args.upkeep, number, _further_upkeep_condition(args)) if args.upkeep else None
        yield from add_or_replace_status(
            world, target, args.status, of=args.who if kept else "", by=args.who, upkeep=kept
        )
    return data


def _require_payable_shares(battle: Battle, args: Cinematic) -> list[ParticipantShare]:
    """Return what each participant pays and rolls, the actor first.

    Raises Refused for a participant who can't pay, isn't an ally, or is named twice.
    """
    everybody = [args.who, *(one.who for one in args.with_)]
    if len(set(everybody)) < len(everybody):
        raise Refused("Somebody is named twice.", "Name each once.")
    shares = [
        _require_payable_share(
            battle, args.who, args.skill, args.burst, reaction=args.reaction, together=bool(args.with_)
        )
    ]
    for one in args.with_:
        battle.require_present(one.who)
        if battle.side(one.who) != battle.side(args.who):
            raise NoAlly(battle.name(one.who), "Only allies can take part.")
        shares.append(
            _require_payable_share(battle, one.who, one.skill, one.burst, reaction=True, together=True)
        )
    return shares


def _require_payable_share(
    battle: Battle, combatant: str, skill: str, burst: bool, *, reaction: bool, together: bool
) -> ParticipantShare:
    one = battle.require_present(combatant)
    if one.get("object"):
        raise IsObject(one["name"], "That alone isn't cinematic.")
    require_existing_skill(battle, combatant, skill)
    price = BURST if burst else CINEMATIC
    momentum = price.together if together else price.alone
    ap, rp = (0, 0) if burst else (0, REACTION_POINTS) if reaction else (ACTION_POINTS, 0)
    if burst:
        _must_need_and_be_able_to_burst(battle, combatant, reaction)
    elif reaction:
        must_be_able_to_react(battle, combatant, rp)
    else:
        must_be_able_to_act(battle, combatant, ap)
    NARRATIVE.must_have(one, momentum, f"The game master gives some: `strike momentum gain {combatant}`.")
    return ParticipantShare(combatant, skill, momentum, ap, rp)


def _must_need_and_be_able_to_burst(battle: Battle, combatant: str, reaction: bool) -> None:
    """Raise Refused if a combatant can't have a Burst now, or doesn't need one.

    Without `reaction`, it has to be the combatant's own turn, and the combatant must not have spent AP in
    this turn. With `reaction`, the combatant must not have spent RP in this round. Each combatant can have
    one Burst in a round. A combatant with enough AP or RP to pay doesn't need one.

    Raises NoRoundYet before the first round.
    """
    one = battle.people[combatant]
    if not reaction and not battle.is_acting(combatant):
        raise NotTheirTurn(one["name"], "--reaction is for another turn.")
    if not battle.round:
        raise NoRoundYet()
    if one.get("reacted" if reaction else "spent", 0):
        word = "RP in this round" if reaction else "AP in this turn"
        raise Refused(f"{one['name']} has spent {word}.", "A Burst needs unspent points.")
    if one.get("burst") == battle.round:
        raise Refused(f"{one['name']} has had a Burst in this round.", "The next round brings another.")
    able = usable_rp(battle, combatant) >= REACTION_POINTS if reaction else one["ap"] >= ACTION_POINTS
    if able:
        raise Refused(f"{one['name']} can pay for it without a Burst.", "Leave out --burst.")


def odds_key(data: dict[str, object]) -> MomentumActionsCounts:
    """Return the values by which `strike odds momentum cinematic` tells results apart."""
    return {"success": bool(data["success"])}
