"""Options of the chase under way, as candidates: the move itself decides whether one is legal.

Neither a listed option nor a missing one reveals a side's pick; picks that may be changed aren't listed
again.
"""

from __future__ import annotations

from collections.abc import Iterator

from strike_cli.kernel.procedure import Args, World
from strike_cli.play.legal import Option

from .declare import ChangeDanger, Pick, Predict, Shoot, chase_if_any, still_in
from .resolve import RollChaseRound
from .tables import CHANGES, CHASERS, RUNNERS, SIDES, actions, other


def options(world: World) -> Iterator[Option]:
    """Everything that may be typed now, in the order in which one would; nothing while a decision waits."""
    chase = chase_if_any(world)
    if not chase or world.get("pending.chase"):
        return
    for word, by in CHANGES.items():
        yield Option("chase danger", ChangeDanger(by=by), ("danger", word), chase.get("winner", ""))
    secret = "runners_action" not in chase
    for action in actions() if secret else ():
        yield Option("chase run", Pick(action=action), ("run", action), RUNNERS)
    for action in actions() if "prediction" not in chase else ():
        typed = ("predict", action, *("--secret",) * secret)
        yield Option("chase predict", Predict(action=action, secret=secret), typed, CHASERS)
    yield Option("chase roll", RollChaseRound(), ("roll",))
    for at in SIDES:
        for who in still_in(chase, other(at)):
            yield Option("chase shoot", Shoot(who=who, at=at), ("shoot", who, "--at", at), other(at))
            driving = Shoot(who=who, at=at, driving=True)
            yield Option("chase shoot", driving, ("shoot", who, "--at", at, "--driving"), other(at))
    yield Option("chase end", Args(), ("end",))
