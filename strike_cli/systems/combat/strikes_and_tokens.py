"""Strikes and Miss Tokens: what players collect in a fight (STR-TAC-10, 17)."""

from __future__ import annotations

from strike_cli.kernel.procedure import Procedure, World

from .fight import Fight, path_of


def gain_strike(world: World, who: str, why: str, count: int = 1) -> Procedure[None]:
    """A player takes Strikes (STR-TAC-17)."""
    fight = Fight(world)
    strikes = fight.combatant(who).get("strikes", 0) + count
    text = f"{fight.name(who)} takes a Strike ({strikes} now): {why}."
    yield world.happen("strike-taken", who, text, {path_of(who, "strikes"): strikes})


def gain_tokens(world: World, who: str, count: int) -> Procedure[None]:
    """A player gains Miss Tokens (STR-TAC-10)."""
    fight = Fight(world)
    tokens = fight.combatant(who).get("miss_tokens", 0) + count
    what = "a Miss Token" if count == 1 else f"{count} Miss Tokens"
    text = f"{fight.name(who)} gains {what} ({tokens} now)."
    yield world.happen("token-gained", who, text, {path_of(who, "miss_tokens"): tokens})
