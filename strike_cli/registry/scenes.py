"""The scenes under way, read from the state by the systems that play them. The one place that loops over
them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..kernel.facts import remembered, waiting_in
from ..kernel.statements import Speaker, say, statement_of
from ..tabletop.exhibit import Exhibit
from ..tabletop.people import GameMaster
from ..tabletop.scene import Asked, Scene, Thrown, in_fog, read_scene
from . import system, systems
from .declaration import System
from .installed import index, load_object


@remembered
def scenes_of(state: Mapping[str, object]) -> Sequence[Scene]:
    """Every scene under way, in the order in which they began."""
    known = index().scenes
    return [
        scene_of(system(known[key]), key, table, waiting_in(state))
        for key, table in state.items()
        if key in known and isinstance(table, Mapping)
    ]


def exhibits_of(state: Mapping[str, object]) -> list[Exhibit]:
    """All that lies on the table beside scenes. A system that fails over its part of the state shows
    nothing."""
    found: list[Exhibit] = []
    for each in systems():
        if not each.exhibits:
            continue
        exhibits = load_object(each.absolute(each.exhibits))
        try:
            found += exhibits(state)
        except Exception:
            continue
    return found


FRAME = {"session", "characters", "pending", "parked", "plugins"}
"""The tables of the state that no system keeps."""


def without_system(state: Mapping[str, object]) -> list[str]:
    """The tables of a state that no system keeps which is installed."""
    return [key for key in state if key not in FRAME and key not in index().tables]


def scene_of(
    system: System, key: str, table: Mapping[str, object], pending: Mapping[str, Any] | None = None
) -> Scene:
    """A scene from its table, with the decision of `pending` that it waits for.

    One whose system fails over it is shown by its name alone: a state that somebody mended, or a broken
    plugin, must not stop whoever shows the rest.
    """
    return _read(system, key, table, (pending or {}).get(key))


@remembered
def _read(
    system: System, key: str, table: Mapping[str, object], waiting: Mapping[str, object] | None
) -> Scene:
    try:
        read = load_object(system.absolute(system.scene.read)) if system.scene.read else read_scene
        found: Scene = in_fog(read(system.name, key, table))
    except Exception:
        found = Scene(system.name, key, key, str(table.get("name", system.title or key)))
    return found if waiting is None else found._replace(asked=asked_of(waiting))


def asked_of(item: Mapping[str, Any]) -> Asked:
    """A pending decision of the state, in the game master's words."""
    speaker = GameMaster(names=item.get("names", {}))
    said = (so_far_in_words(fact, speaker) for fact in item.get("said", ()))
    return Asked(
        str(item.get("who") or ""),
        str(item.get("what", "")),
        tuple(item.get("options", ())),
        tuple(item.get("labels", ())),
        tuple(words for words in said if words),
        bool(item.get("secret") or item.get("hidden")),
        str(item.get("text", "")),
        tuple(_thrown(roll) for roll in item.get("rolls", ())),
        item,
    )


def so_far_in_words(fact: Mapping[str, Any] | str, speaker: Speaker) -> str | None:
    """What led to an open decision in words, as a state keeps it: a fact of a class, else words themselves;
    None where an audience may not hear of it."""
    if isinstance(fact, str):  # kept by a strike that knew no classes of facts
        return fact if speaker.may_read(fact) else None
    try:
        return say(statement_of(fact["kind"], fact), speaker)
    except (KeyError, TypeError, ValueError):
        words = str(fact.get("text", ""))
        return words if speaker.may_read(words) else None


def mark_of(key: str, item: Mapping[str, object]) -> str:
    """What tells a pending decision from any that was asked before or since: made of all that led to it, the
    command's number among it. For the game master's side alone; others get it sealed."""
    import hashlib
    import json

    text = json.dumps({"key": key, **item}, sort_keys=True, default=str, separators=(",", ":"))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def sealed(mark: str, seal: str) -> str:
    """A mark of a decision for players: nothing can be found out of it without the seal, which is secret."""
    import hashlib
    import hmac

    return hmac.new(seal.encode(), mark.encode(), hashlib.sha256).hexdigest()[:32]


def _thrown(roll: Mapping[str, Any]) -> Thrown:
    faces = tuple(int(face) for face in roll.get("faces", ()))
    return Thrown(str(roll.get("who") or ""), str(roll.get("purpose", "")), int(roll.get("sides", 6)), faces)
