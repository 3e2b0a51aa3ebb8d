"""What `strike sim` is told of Team Conflicts: how one begins and ends (STR-TC-09)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

from strike_cli.kernel.procedure import World
from strike_cli.play.legal import Option
from strike_cli.problems import Refused
from strike_cli.sim.plan import DRAWN, LOST, WON, Lineup, Simulated, how_many

from .declare import StartConflict
from .endings import EndConflict
from .state import ENDED_BY

MOST_ROUNDS = 40


def begin(world: World, prepared: str, lineup: Lineup) -> Option:
    """`conflict start`, with the team that was prepared, or everybody else, unless some are named."""
    if lineup.creatures or lineup.difficulty:
        raise Refused("A conflict has no creatures.", "Leave --with and --difficulty out.")
    known = world.book.conflicts[prepared]
    others = known.get("their_team", ())
    team = lineup.party or known.get("team") or [who for who in world.book.characters if who not in others]
    written = {key: known[key] for key in StartConflict.FIELDS if known.get(key) is not None}
    args = StartConflict(**{**written, "team": team, "id": prepared})
    return Option("conflict start", args, ("start", prepared))


def result(world: World) -> str:
    """Won or lost once it has ended, for our side."""
    ended = world.get("conflict.ended", "")
    if not ended:
        return ""
    loser = ENDED_BY.get(ended)
    return {"ours": LOST, "theirs": WON}.get(loser or "", DRAWN)


def finish(world: World) -> Option | None:
    """`conflict end`, where it is decided."""
    return Option("conflict end", EndConflict(), ("end",)) if world.get("conflict.ended") else None


def used(option: Option, data: Mapping[str, object]) -> str:
    """Return the name of an action; "" for any other command."""
    return (
        str(getattr(option.args, "action", "")) if option.command in ("conflict act", "conflict prep") else ""
    )


def came_of_it(data: Mapping[str, object]) -> Mapping[str, str]:
    """Return the Concessions that are owed, and the number of people who gain a Condition."""
    owed = ", ".join(cast("Sequence[str]", data["concessions"])) or "none"
    return {"concession": owed, "conditions": how_many(len(cast("Sequence[str]", data["conditions"])))}


SIMULATED = Simulated(
    begin,
    result,
    finish,
    health=(),
    unit="",
    scene="conflict",
    prepared="conflicts",
    ours="ours",
    used=used,
    came_of_it=came_of_it,
    most_rounds=MOST_ROUNDS,
)
