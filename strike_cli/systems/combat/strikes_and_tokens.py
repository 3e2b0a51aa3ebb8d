"""Strikes and Miss Tokens: what players collect in a fight (STR-TAC-10, 17)."""

from __future__ import annotations

from strike_cli.kernel.procedure import Procedure, World
from strike_cli.kernel.statements import Reason

from .facts.strikes import StrikeTaken, TokenGained
from .fight import Fight, path_of


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
