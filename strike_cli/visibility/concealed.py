"""What lies face down: what a side picks in secret, until a kind of fact turns it up."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, cast

from ..kernel.facts import State, apply_changes, look_up, scene_table
from ..registry import contained, fact_class, known_systems, scene_systems, system
from ..registry.declaration import Secret, System
from ..registry.scenes import scene_of
from ..tabletop.scene import Scene
from .audience import PLAYERS, Audience
from .entry_words import face_down_words

if TYPE_CHECKING:
    from ..kernel.journal_types import FactKept, JournalEntry


def face_down(scene: Scene, audience: Audience) -> set[str]:
    """The sides of a scene whose picks an audience may not see."""
    return {side.id for side in scene.sides if side.secret and not audience.gm and side.id != audience.side}


def table_for(scene: Scene, table: Mapping[str, object], audience: Audience) -> dict[str, object]:
    """A scene's own table of the state, without what lies face down for an audience."""
    secret = face_down(scene, audience)
    shown: State = {scene.key: dict(table)}
    for one in scene_systems()[scene.key].scene.secrets:
        if one.side in secret:
            shown = _without_picks(shown, one.path)
    return cast("dict[str, object]", shown[scene.key])


def _without_picks(state: State, path: str) -> State:
    stem = path.removesuffix(".*")
    picked = look_up(state, stem)
    if picked is None:
        return state
    left: dict[str, object] | None = None
    if stem != path and isinstance(picked, Mapping):
        left = {who: {} if isinstance(what, Mapping) else None for who, what in picked.items()}
    return apply_changes(state, [(stem, None, left)])


def is_pick(system: System, state: State, facts: Iterable[FactKept]) -> bool:
    """Whether facts of a system's move put something down that lies face down in the state after them: they
    are secret then, whoever plays the move."""
    table = scene_table(state, system.scene.key)
    if table is None or not system.scene.secrets:
        return False
    secret = face_down(scene_of(system, table, {}), PLAYERS)
    stems = tuple(one.path.removesuffix(".*") for one in system.scene.secrets if one.side in secret)
    changes = (change for fact in facts for change in fact["changes"])
    return any(after is not None and path.startswith(stems) for path, _, after in changes)


def entries_for(entries: Sequence[JournalEntry], audience: Audience) -> list[JournalEntry]:
    """Journal entries, oldest first, with the secret picks that nothing has turned up yet told without what
    was picked. Taking them back and putting them back tells no more.

    They are whole besides: what players may hear of the rest `heard` says.
    """
    return list(each_for(lambda: entries, audience, undone_by(entries)))


def each_for(
    again: Callable[[], Iterable[JournalEntry]], audience: Audience, undone: Collection[int]
) -> Iterator[JournalEntry]:
    """As `entries_for`, one after the other: `again` gives the entries, and is asked twice. `undone` are
    those that are taken back."""
    if audience.gm:
        yield from (entry.copy() for entry in again())
        return
    secrets: list[Secret] = []
    for known in known_systems().values():
        if known.secrets:  # the others aren't imported
            with contained(known.name):
                secrets += system(known.name).scene.secrets
    kinds = {secret.revealed_by for secret in secrets}
    turned_up: dict[str, int] = {}
    """The last entry that turns up what a kind of fact reveals."""
    for entry in again():
        if entry["seq"] not in undone and "head" not in entry and not entry.get("pending"):
            turned_up.update({fact["kind"]: entry["seq"] for fact in entry["facts"] if fact["kind"] in kinds})
    picked: set[str] = set()
    for entry in again():
        covered = [one for one in secrets if turned_up.get(one.revealed_by, 0) < entry["seq"]]
        yield _entry_face_down(entry, covered, picked)


def undone_by(entries: Iterable[JournalEntry]) -> set[int]:
    """Numbers of the entries that are taken back and not put back, as far as these entries, oldest first,
    say."""
    undone: set[int] = set()
    for entry in entries:
        for fact in entry["facts"] if "head" in entry else ():
            if fact["kind"] == "undone":
                undone.update(fact.get("of", ()))
            elif fact["kind"] == "redone":
                undone.difference_update(fact.get("of", ()))
    return undone


def _entry_face_down(entry: JournalEntry, secrets: Sequence[Secret], picked: set[str]) -> JournalEntry:
    """An entry without what of it lies face down; adds to `picked` where that stands in the state."""
    paths = tuple(secret.path.removesuffix(".*") for secret in secrets)
    touched = {
        path
        for fact in entry["facts"]
        for change in fact["changes"]
        for path in paths
        if change[0].startswith(path)
    }
    if "head" in entry:  # undo and redo change what the entries did that they are about
        return {**entry, "facts": [_without(fact, paths) for fact in entry["facts"]]}
    if entry.get("secret") and touched:
        picked |= touched
        return {**entry, "args": {}, "answers": [], "facts": [untold(fact, entry) for fact in entry["facts"]]}
    if picked:  # of those who had picked one may leave, and the whole scene may be dropped
        return {**entry, "facts": [_without(fact, tuple(picked)) for fact in entry["facts"]]}
    return entry.copy()


def untold(fact: FactKept, entry: JournalEntry) -> FactKept:
    """A fact of a secret pick: that there was one, and nothing of dice and changes."""
    words = fact["text"] if fact_class(fact["kind"]).discreet else ""
    text = face_down_words(fact, entry) or words
    return {"kind": fact["kind"], "who": fact["who"], "text": text, "changes": []}


def _without(fact: FactKept, paths: tuple[str, ...]) -> FactKept:
    """A fact without what it changes at these paths, and without what stands there of whole tables."""
    changes = []
    for path, before, after in fact["changes"]:
        if not path.startswith(paths):
            for inner in (each.removeprefix(f"{path}.") for each in paths if each.startswith(f"{path}.")):
                before, after = _cleared(before, inner), _cleared(after, inner)
            changes.append((path, before, after))
    return {**unchanging(fact), "changes": changes}


def _cleared(value: object, path: str) -> object:
    if not isinstance(value, dict) or look_up(value, path) is None:
        return value
    return apply_changes(value, [(path, None, None)])


def unchanging(fact: FactKept) -> FactKept:
    """A fact without what it changes."""
    left: FactKept = {**fact, "changes": []}
    left.pop("places", None)
    return left
