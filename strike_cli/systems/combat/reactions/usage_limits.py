"""What is done once a turn, a round or a fight."""

from __future__ import annotations

from collections.abc import Mapping

from strike_cli.kernel.procedure import Procedure, World

from ..facts.turns import Reacted

SCENE = ("scene", "fight")
"""Both words for once a fight."""


def is_done(world: World, word: str, once: str) -> bool:
    """Return whether what `word` names was done in this `turn`, `round`, or `scene`, which is the `fight`."""
    if once == "turn":
        return word in world.get("fight.turn.reacted", [])
    rounds: Mapping[str, int] = world.get("fight.reacted", {})
    done = rounds.get(word)
    return done is not None and (once in SCENE or done == world.get("fight.round"))


def mark_done(world: World, who: str, word: str, once: str) -> Procedure[None]:
    """Record what `word` names as done."""
    if once == "turn":
        sets = {"fight.turn.reacted": [*world.get("fight.turn.reacted", []), word]}
        yield world.tell(Reacted(who), sets)
    else:
        yield world.tell(Reacted(who), {f"fight.reacted.{word}": world.get("fight.round")})


def word_for(*parts: object) -> str:
    """Return a word made of parts that may be a key of the state."""
    return ":".join(map(str, parts)).replace(".", "-")
