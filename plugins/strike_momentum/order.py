"""Initiative and unions: who goes when (WSH-03, 05)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from strike_cli.plugin import Args, Procedure, Refused, World

from .numbers import INITIATIVE_SKILLS
from .values import initiative, union_initiative


class Initiative(Args):
    """Nothing, in a fight; bare, a Stat and the levels of its five Skills."""

    instinct: int | None = None
    skills: Sequence[int] = ()


class Union(Args):
    """Who acts as one in this round; bare, their Initiatives."""

    who: Sequence[str]

    def people(self) -> Sequence[str]:
        """All of them."""
        return self.who


def play_initiative(world: World, args: Initiative) -> Procedure[dict[str, Any]]:
    """`momentum initiative`."""
    if args.instinct is not None:
        if len(args.skills) not in (0, len(INITIATIVE_SKILLS)):
            raise Refused(
                f"There are five Skills to it, not {len(args.skills)}.",
                "In order: " + ", ".join(INITIATIVE_SKILLS) + ".",
            )
        return (yield from _reckoned(world, initiative(args.instinct, args.skills)))
    raise Refused("Fights aren't played yet.", "Bare numbers are reckoned.")


def play_union(world: World, args: Union) -> Procedure[dict[str, Any]]:
    """`momentum union`."""
    if len(args.who) < 2:
        raise Refused("A union is two or more.", "Name everybody who is in it.")
    if all(word.isdigit() for word in args.who):
        return (yield from _reckoned(world, union_initiative(map(int, args.who))))
    raise Refused("Fights aren't played yet.", "Bare numbers are reckoned.")


def _reckoned(world: World, found: int) -> Procedure[dict[str, Any]]:
    yield world.happen("momentum-reckoned", "", f"Initiative {found}.")
    return {"initiative": found}
