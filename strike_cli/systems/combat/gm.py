"""What the game master does by hand: HP, statuses, Strikes and Miss Tokens as the table says."""

from __future__ import annotations

from typing import Any

from strike_cli.kernel.procedure import Procedure, World
from strike_cli.problems import Refused

from .damage import heal, hurt, is_whole
from .fight import Fight, Somebody, path_of
from .statuses import add_status, end_status, given_status, has_status, lasting
from .strikes_and_tokens import gain_strike, gain_tokens


class HitPoints(Somebody):
    """So many HP, taken or given."""

    amount: int
    why: str = ""


class AddStatus(Somebody):
    """A status (its full id) that lasts until it `ends`, by a duration or a fact; `by` whoever gave it. A
    duration by turns waits for those `of` somebody, the holder unless said. (`until` is the fact where an
    older journal says "until".)"""

    status: str
    ends: str = "save"
    value: int = 0
    by: str = ""
    of: str = ""
    until: str = ""


class RemoveStatus(Somebody):
    """A status by its full id."""

    status: str


class Strikes(Somebody):
    """So many Strikes."""

    n: int = 1
    why: str = ""


class Tokens(Somebody):
    """So many Miss Tokens."""

    RETIRED = ("why",)

    n: int = 1


def play_damage(world: World, args: HitPoints) -> Procedure[dict[str, Any]]:
    """`combat damage`: HP are taken from somebody."""
    _must_be_possible(Fight(world), args)
    change = yield from hurt(world, args.who, args.amount, args.why or "the game master")
    return {"who": args.who, **change._asdict()}


def play_heal(world: World, args: HitPoints) -> Procedure[dict[str, Any]]:
    """`combat heal`: HP are given back."""
    fight = Fight(world)
    _must_be_possible(fight, args)
    if is_whole(fight, args.who, args.amount):
        one = fight.combatant(args.who)
        unit = "boxes" if "threshold" in one else "HP"
        raise Refused(
            f"{fight.name(args.who)} has {one['hp']} of {one['max_hp']} {unit}, and this gives none back.",
            "Nobody is healed beyond their maximum; a box takes as much as its threshold.",
        )
    change = yield from heal(world, args.who, args.amount, args.why or "the game master")
    return {"who": args.who, **change._asdict()}


def _must_be_possible(fight: Fight, args: HitPoints) -> None:
    _must_be_in(fight, args.who)
    if args.amount < 1:
        raise Refused("0 HP is nothing to give or take.", "Say how many.")


def _must_be_in(fight: Fight, who: str) -> None:
    if fight.is_out(who):
        raise Refused(f"{fight.name(who)} is out of this fight.", "`strike override` can bring them back.")


def play_status_add(world: World, args: AddStatus) -> Procedure[dict[str, Any]]:
    """`combat status add`: a status takes hold."""
    fight, who = Fight(world), args.who
    _must_be_in(fight, who)
    if args.ends == "this-turn" and not fight.data.get("active"):
        raise Refused("It is nobody's turn.", "turn-end lasts to the end of somebody's next one.")
    lasts = lasting(world.book, args.ends, args.until)
    status = given_status(fight, {"status": args.status, **lasts}, args.by, of=args.of or who)
    if args.value:
        status["value"] = args.value
    if not (yield from add_status(world, who, status)):
        raise Refused(f"{fight.name(who)} is {world.book.statuses[args.status]['name']} already.")
    return {"who": who, "status": args.status, "ends": lasts["duration"]}


def play_status_remove(world: World, args: RemoveStatus) -> Procedure[dict[str, Any]]:
    """`combat status remove`: a status ends."""
    if not has_status(world, args.who, args.status):
        name = world.book.statuses.get(args.status, {}).get("name", args.status)
        raise Refused(f"{Fight(world).name(args.who)} is not {name}.")
    yield from end_status(world, args.who, args.status)
    return {"who": args.who, "status": args.status}


def play_strike(world: World, args: Strikes) -> Procedure[dict[str, Any]]:
    """`combat strike`: Strikes for a player's character (STR-TAC-17)."""
    who = _player(Fight(world), args.who, "Strikes")
    yield from gain_strike(world, who, args.why or "the game master says so", args.n)
    return {"who": who, "strikes": world.get(path_of(who, "strikes"))}


def play_token(world: World, args: Tokens) -> Procedure[dict[str, Any]]:
    """`combat token`: Miss Tokens for a player's character (STR-TAC-10)."""
    who = _player(Fight(world), args.who, "Miss Tokens")
    yield from gain_tokens(world, who, args.n)
    return {"who": who, "miss_tokens": world.get(path_of(who, "miss_tokens"))}


def _player(fight: Fight, who: str, what: str) -> str:
    if not fight.is_player(who):
        raise Refused(f"{fight.name(who)} takes no {what}: only the players' characters do.")
    return who
