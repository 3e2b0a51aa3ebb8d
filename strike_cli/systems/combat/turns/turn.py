"""A turn from its start effects to its saves (STR-TAC-03, 16)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from strike_cli.kernel.procedure import Args, Choose, Procedure, Sets, World
from strike_cli.problems import Refused
from strike_cli.refusals import CantStandUp, SomebodysTurn
from strike_cli.tabletop.contributions import ban_on, held_by, reasons_for
from strike_cli.tabletop.dice import roll_die
from strike_cli.tabletop.turn_order import DELAYED

from ..facts.control import Dominated
from ..facts.saves import EscapeFrom, EscapeRolled
from ..facts.statuses import StatusIs
from ..facts.turns import PreparedWasted, Stood, TurnEnded, TurnStarted
from ..fight import Actor, Fight, action_taken, last_part, path_of
from ..harm import PRONE, Status, end_status, fall_due, has_status, statuses_of
from .saves import saving_throws
from .upkeep import end_effects, start_effects

if TYPE_CHECKING:
    from ..data import EndTurnData, EscapeData, StandData, TurnData


class Stand(Actor):
    """`trade` gives up the Attack Action for it."""

    trade: bool = False


class Escape(Stand):
    """From a status (its full id); where none is said the choice is asked."""

    status: str = ""


def play_turn(world: World, args: Args) -> Procedure[TurnData]:
    """`combat turn`: the next combatant's turn begins, with its start effects and Comeback Roll."""
    return (yield from begin_turn(world))


def begin_turn(world: World) -> Procedure[TurnData]:
    """Begin the turn of the next creature, with its start effects and the one who decides it."""
    fight = Fight(world)
    fight.must_have_begun()
    active = fight.data.get("active")
    if active:
        raise SomebodysTurn(fight.name(active), "`strike next` ends it.")
    who = fight.next_up()
    now = fight.data["round"]
    new_round = not fight.waiting()
    sets: Sets = {"fight.active": who, "fight.turn": None, path_of(who, DELAYED): None}
    if new_round:
        now += 1
        sets["fight.round"] = now
    yield world.tell(TurnStarted(who, now, new_round), sets)
    if "prepared" in fight.combatant(who):
        yield world.tell(PreparedWasted(who), {path_of(who, "prepared"): None})
    comeback = yield from start_effects(world, who)
    decided_by = yield from _say_who_decides(world, who)
    data: TurnData = {
        "who": who,
        "round": now,
        "new_round": new_round,
        "comeback": comeback and comeback.as_json(),
        "decided_by": decided_by,
        "by_hand": [
            f"{held.name}: {held.definition['by_hand']}"
            for held in held_by(world, who)
            if "by_hand" in held.definition
        ],
    }
    if fight.is_out(who):
        yield world.tell(TurnEnded(who, cut=True), {"fight.active": None, **fight.count_turn(who)})
    return data


def _say_who_decides(world: World, who: str) -> Procedure[str]:
    decider = Fight(world).decider(who)
    if decider != who:
        yield world.tell(Dominated(who, decider))
    return decider


def play_end_turn(world: World, args: Args) -> Procedure[EndTurnData]:
    """`combat end-turn`: a Saving Throw for each status that a save ends, then what ends with the turn."""
    fight = Fight(world)
    who = fight.data.get("active")
    if not who:
        raise Refused(
            "It is nobody's turn." if fight.data["round"] else "Initiative has not been rolled.",
            "`strike next` begins the next." if fight.data["round"] else "`strike next` rolls initiative.",
        )
    yield from fall_due(world)
    saves = yield from saving_throws(world, who)
    yield from end_effects(world, who)
    sets = {"fight.active": None, "fight.turn": None, **fight.count_turn(who)}
    yield world.tell(TurnEnded(who), sets)
    over = fight.decided()
    return {
        "who": who,
        "saves": [save.as_json() for save in saves],
        "next": None if over else fight.next_up(),
        "decided": over,
    }


def play_stand(world: World, args: Stand) -> Procedure[StandData]:
    """`combat stand`: a Move Action gets somebody up from Prone (STR-TAC-07)."""
    fight, who = Fight(world), args.who
    if not has_status(world, who, PRONE):
        lying = next((held for held in held_by(world, who) if held.id == PRONE), None)
        if lying is None:
            raise Refused(f"{fight.name(who)} is not Prone.")
        why = world.book.statuses[str(lying.instance["id"])]["name"]
        raise CantStandUp(fight.name(who), why)
    if reason := ban_on(world, who, "stand", 1):
        raise CantStandUp(fight.name(who), reason.name)
    action = fight.must_be_able(who, "move", args.trade)
    yield world.tell(Stood(who), {f"fight.turn.{action}": fight.taken(action) + 1})
    yield from end_status(world, who, PRONE, "stands")
    return {"who": who, "action": action}


def play_escape(world: World, args: Escape) -> Procedure[EscapeData]:
    """`combat escape`: a Move Action and a die against one status that an escape ends (STR-TAC-25)."""
    fight, who = Fight(world), args.who
    held = [
        status
        for status in statuses_of(world, who)
        if status["ends"] == "escape" and args.status in ("", status["id"])
    ]
    if not held:
        raise Refused(f"Nothing that {fight.name(who)} could escape from holds them.")
    action = fight.must_be_able(who, "move", args.trade)
    status = yield from _which_hold(world, who, held)
    yield action_taken(fight, who, action, "escape")
    rolled = yield from roll_die(who, "escape", *reasons_for(world, who, "escape"))
    ended = rolled.total >= world.book.house["escape_target"]
    yield world.tell(EscapeRolled(who, rolled, status["id"], ended))
    if ended:
        yield from end_status(world, who, status["id"], "silent", only=status)
    return {"who": who, "status": status["id"], "roll": rolled.as_json(), "ended": ended, "action": action}


def _which_hold(world: World, who: str, held: list[Status]) -> Procedure[Status]:
    if len(held) == 1:
        return held[0]
    keys = [f"{number}-{item.get('by') or last_part(item['id'])}" for number, item in enumerate(held, 1)]
    labels = tuple(StatusIs(item["id"], by=item.get("by", "")) for item in held)
    about = EscapeFrom(who, world.book.house["escape_target"])
    return held[keys.index((yield Choose(who, "escape from", tuple(keys), labels, about=about)))]
