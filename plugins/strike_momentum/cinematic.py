"""Cinematic Actions and Reactions, of one or of several together, and Bursts (WSH-08)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple, cast

from strike_cli.plugin import Args, Procedure, Refused, Sets, World
from strike_cli.plugin.dice import ADVANTAGE, Source

from .attack import roll_parts
from .battle import Battle
from .checks_and_defense_rolls import given_reasons, known_skill, skill_check
from .costs import AP, NARRATIVE, RP, must_act, must_react, rp_left
from .dice import read_dice
from .facts import ActingTogether, MomentumCinematic, MomentumCinematicOver, MomentumUpkeep
from .harm import Blow, deal_blow
from .numbers import ACTION_POINTS, BURST, CINEMATIC, CRITICAL_FACE, REACTION_POINTS, TYPES
from .refusals import IsObject, NoAlly, NoRoundYet, NoStatusEffect, NotTheirTurn
from .statuses import Upkeep, add_status, next_upkeep

if TYPE_CHECKING:
    from strike_cli.plugin.dice import RollTold

    from .data import MomentumActionsCounts, MomentumCinematicData, SufferedData


class Companion(Args):
    """Somebody who takes part in a cinematic: their Skill, and whether they pay with a Burst."""

    who: str
    skill: str
    burst: bool = False


class Cinematic(Args):
    """The arguments of `momentum cinematic`: an attempt in words, its Skill and difficulty, and who helps.

    A success may deal `damage` to the targets, or give them a Status Effect. If the effect lasts only as long
    as it is kept up, `upkeep` is what that costs in AP each turn, and `while_` what else it takes, in words.
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


class Share(NamedTuple):
    """What one participant pays and rolls."""

    who: str
    skill: str
    momentum: int
    ap: int
    rp: int


def play_cinematic(world: World, args: Cinematic) -> Procedure[MomentumCinematicData]:
    """Play `momentum cinematic`. Narrative Momentum is spent, whatever comes of it.

    The game master allows it by naming a difficulty. Dice: the actor's, then the others' in order, then the
    damage. Raises Refused if somebody can't pay.
    """
    battle = Battle(world)
    _must_make_sense(battle, args)
    shares = _shares(battle, args)
    dice = read_dice(args.damage) if args.damage else None
    attempt = MomentumCinematic(args.who, args.what.strip(), args.reaction)
    sets: Sets = {}
    for share in shares:
        for points, cost in ((NARRATIVE, share.momentum), (AP, share.ap), (RP, share.rp)):
            sets |= points.pay(battle, share.who, cost)
        if not share.ap + share.rp:
            sets |= battle.sets(share.who, burst=battle.round)
    yield world.tell(attempt, sets)
    rolls, failures, criticals = yield from _checks(world, args, shares)
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
        hits = (yield from roll_parts(world, args.who, [(args.type, dice)])) if dice else []
        data["targets"] = []
        number = next_upkeep(battle, args.who)
        for target in args.targets:
            data["targets"].append((yield from _strike(world, args, target, Blow(hits, by=args.who), number)))
        if args.status and args.upkeep:
            yield world.tell(MomentumUpkeep(args.who, args.upkeep, _condition(args)))
    return data


def _condition(args: Cinematic) -> str:
    return args.while_.strip().rstrip(".")


def _must_make_sense(battle: Battle, args: Cinematic) -> None:
    """Raise Refused for an attempt without words, and for effects that a success can't have."""
    if not args.what.strip():
        raise Refused("The attempt is missing.", "Describe it: --what TEXT.")
    for target in args.targets:
        battle.present(target)
    if (args.upkeep or args.while_) and not (args.status and args.targets):
        raise Refused("Nothing is there to keep up.", "--on names its target, --status its effect.")
    if args.while_ and not args.upkeep:
        raise Refused("Keeping it up costs AP.", "--upkeep 2 sets AP a turn.")
    if args.status and args.status not in battle.world.book.status_effects:
        raise NoStatusEffect(repr(args.status), "`strike content list` lists all of them.")
    if args.type not in TYPES:
        raise Refused(f"There is no damage type {args.type!r}.", f"Types: {', '.join(TYPES)}.")


def _checks(
    world: World, args: Cinematic, shares: Sequence[Share]
) -> Procedure[tuple[list[RollTold], int, int]]:
    """Roll everybody's Skill Check, with Advantage if they are several.

    Returns the rolls, and how many are failures and critical successes.
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


def _strike(world: World, args: Cinematic, target: str, blow: Blow, number: int) -> Procedure[SufferedData]:
    """Apply a success to one target. `number` joins the holds that one payment keeps up."""
    data = cast("SufferedData", {"target": target})
    if blow.parts:
        data = yield from deal_blow(world, target, blow)
    if args.status and "out" not in Battle(world).people[target]:
        kept = Upkeep(args.upkeep, number, _condition(args)) if args.upkeep else None
        yield from add_status(
            world, target, args.status, of=args.who if kept else "", by=args.who, upkeep=kept
        )
    return data


def _shares(battle: Battle, args: Cinematic) -> list[Share]:
    """Return what each participant pays.

    Raises Refused for one who can't pay, is no ally, or is named twice.
    """
    everybody = [args.who, *(one.who for one in args.with_)]
    if len(set(everybody)) < len(everybody):
        raise Refused("Somebody is named twice.", "Name each once.")
    shares = [
        _share(battle, args.who, args.skill, args.burst, reaction=args.reaction, together=bool(args.with_))
    ]
    for one in args.with_:
        battle.present(one.who)
        if battle.side(one.who) != battle.side(args.who):
            raise NoAlly(battle.name(one.who), "Only allies can take part.")
        shares.append(_share(battle, one.who, one.skill, one.burst, reaction=True, together=True))
    return shares


def _share(
    battle: Battle, combatant: str, skill: str, burst: bool, *, reaction: bool, together: bool
) -> Share:
    one = battle.present(combatant)
    if one.get("object"):
        raise IsObject(one["name"], "That alone isn't cinematic.")
    known_skill(battle, combatant, skill)
    price = BURST if burst else CINEMATIC
    momentum = price.together if together else price.alone
    ap, rp = (0, 0) if burst else (0, REACTION_POINTS) if reaction else (ACTION_POINTS, 0)
    if burst:
        _must_need_burst(battle, combatant, reaction)
    elif reaction:
        must_react(battle, combatant, rp)
    else:
        must_act(battle, combatant, ap)
    NARRATIVE.must_have(one, momentum, f"The game master gives some: `strike momentum gain {combatant}`.")
    return Share(combatant, skill, momentum, ap, rp)


def _must_need_burst(battle: Battle, combatant: str, reaction: bool) -> None:
    """Raise Refused for a Burst of somebody who can pay without it.

    Nobody may use one after spending AP in this turn (for a reaction: RP in this round), or twice in a round.
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
    able = rp_left(battle, combatant) >= REACTION_POINTS if reaction else one["ap"] >= ACTION_POINTS
    if able:
        raise Refused(f"{one['name']} can pay for it without a Burst.", "Leave out --burst.")


def odds_key(data: dict[str, object]) -> MomentumActionsCounts:
    """Return the values that `strike odds momentum cinematic` counts."""
    return {"success": bool(data["success"])}
