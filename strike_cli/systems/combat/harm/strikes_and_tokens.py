"""Strikes and Miss Tokens: what players collect in a fight (STR-TAC-10, 17)."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from strike_cli.kernel.procedure import Procedure, World
from strike_cli.kernel.statements import Reason, Said
from strike_cli.problems import Refused

from ..facts.strikes import GameMasterSays, StrikeTaken, TokenGained
from ..fight import Fight, SeveralPeople, of_each, path_of

if TYPE_CHECKING:
    from ..data import StrikesData, TokensData


class Strikes(SeveralPeople):
    """So many Strikes."""

    n: int = 1
    why: str = ""


class Tokens(SeveralPeople):
    """So many Miss Tokens."""

    RETIRED = ("why",)

    n: int = 1


def gain_strike(world: World, who: str, why: Reason, count: int = 1) -> Procedure[None]:
    """A player takes Strikes (STR-TAC-17)."""
    fight = Fight(world)
    strikes = fight.combatant(who).get("strikes", 0) + count
    yield world.tell(StrikeTaken(who, strikes, why), {path_of(who, "strikes"): strikes})


def gain_tokens(world: World, who: str, count: int) -> Procedure[None]:
    """A player gains Miss Tokens (STR-TAC-10)."""
    fight = Fight(world)
    tokens = fight.combatant(who).get("miss_tokens", 0) + count
    yield world.tell(TokenGained(who, count, tokens), {path_of(who, "miss_tokens"): tokens})


def play_strike(world: World, args: Strikes) -> Procedure[StrikesData]:
    """`combat strike`: Strikes for a player's character (STR-TAC-17)."""
    people = [_player(Fight(world), who, "Strikes") for who in args.people()]
    for who in people:
        yield from gain_strike(world, who, Said(args.why) if args.why else GameMasterSays(), args.n)
    return cast(
        "StrikesData", of_each({who: {"strikes": world.get(path_of(who, "strikes"))} for who in people})
    )


def play_token(world: World, args: Tokens) -> Procedure[TokensData]:
    """`combat token`: Miss Tokens for a player's character (STR-TAC-10)."""
    people = [_player(Fight(world), who, "Miss Tokens") for who in args.people()]
    for who in people:
        yield from gain_tokens(world, who, args.n)
    return cast(
        "TokensData",
        of_each({who: {"miss_tokens": world.get(path_of(who, "miss_tokens"))} for who in people}),
    )


def _player(fight: Fight, who: str, what: str) -> str:
    if not fight.is_player(who):
        raise Refused(f"{fight.name(who)} takes no {what}: only the players' characters do.")
    return who
