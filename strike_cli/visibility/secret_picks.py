"""Secret picks: a side makes them face down, and a later fact reveals them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, cast

from ..kernel.state_changes import State, apply_changes, look_up, scene_table
from ..registry import contain_failures, fact_class, known_systems, load_known_system, systems_by_scene_key
from ..registry.scenes_and_decisions_in_state import scene_or_bare_scene_from_table
from ..registry.system_declaration import SecretPick, System
from ..tabletop.scene import Scene
from .audiences import PLAYERS, Audience
from .entry_headlines import secret_pick_sentence

if TYPE_CHECKING:
    from ..kernel.journal_types import JournalEntry, StoredFact
    from ..kernel.statements import Language


def sides_with_face_down_picks(scene: Scene, audience: Audience) -> set[str]:
    """Return the sides of a scene whose picks an audience may not see."""
    return {side.id for side in scene.sides if side.secret and not audience.gm and side.id != audience.side}


def scene_table_without_face_down_picks(
    scene: Scene, table: Mapping[str, object], audience: Audience
) -> dict[str, object]:
    """Return a scene's table in the state without the picks that are face down for an audience."""
    secret = sides_with_face_down_picks(scene, audience)
    shown: State = {scene.key: dict(table)}
    for one in systems_by_scene_key()[scene.key].scene.secrets:
        if one.side in secret:
            stem = one.path.removesuffix(".*")
            picked = look_up(shown, stem)
            if picked is not None:
                left: dict[str, object] | None = None
                if stem != one.path and isinstance(picked, Mapping):
                    left = {
                        person: {} if isinstance(what, Mapping) else None for person, what in picked.items()
                    }
                shown = apply_changes(shown, [(stem, None, left)])
    return cast("dict[str, object]", shown[scene.key])


def makes_secret_pick(system: System, state_after: State, facts: Iterable[StoredFact]) -> bool:
    """Return whether the facts of a move make a face-down pick, and so are secret.

    `state_after` is the state after these facts. It doesn't matter who plays the move.
    """
    table = scene_table(state_after, system.scene.key)
    if table is None or not system.scene.secrets:
        return False
    secret = sides_with_face_down_picks(scene_or_bare_scene_from_table(system, table, {}), PLAYERS)
    stems = tuple(one.path.removesuffix(".*") for one in system.scene.secrets if one.side in secret)
    changes = (change for fact in facts for change in fact["changes"])
    return any(after is not None and path.startswith(stems) for path, _, after in changes)


def entries_with_picks_concealed(entries: Sequence[JournalEntry], audience: Audience) -> list[JournalEntry]:
    """Return journal entries, oldest first, without the contents of picks that are still face down.

    Entries that undo or redo such picks reveal nothing more. Nothing else is redacted here.
    """
    return list(conceal_picks_in_entries(lambda: entries, audience, entry_numbers_left_undone(entries)))


def conceal_picks_in_entries(
    read_entries: Callable[[], Iterable[JournalEntry]], audience: Audience, undone_numbers: Collection[int]
) -> Iterator[JournalEntry]:
    """Yield all entries, without the contents of picks that are still face down.

    `read_entries` returns the entries, oldest first; it is called twice. `undone_numbers` has the numbers of
    undone entries.
    """
    if audience.gm:
        yield from (entry.copy() for entry in read_entries())
        return
    secrets: list[SecretPick] = []
    for known in known_systems().values():
        if known.secrets:  # systems without secrets aren't imported
            with contain_failures(known.name):
                secrets += load_known_system(known.name).scene.secrets
    kinds = {secret.revealed_by for secret in secrets}
    turned_up: dict[str, int] = {}
    """The last entry that turns up the picks revealed by a kind of fact."""
    for entry in read_entries():
        if entry["seq"] not in undone_numbers and "head" not in entry and not entry.get("pending"):
            turned_up.update({fact["kind"]: entry["seq"] for fact in entry["facts"] if fact["kind"] in kinds})
    picked: set[str] = set()
    for entry in read_entries():
        covered = [one for one in secrets if turned_up.get(one.revealed_by, 0) < entry["seq"]]
        yield _conceal_picks_and_note_paths(entry, covered, picked, audience.language)


def entry_numbers_left_undone(entries: Iterable[JournalEntry]) -> set[int]:
    """Return the numbers of the entries that are undone once all of `entries` have been played.

    `entries` are given oldest first. An entry that was undone and then redone isn't among the numbers.
    """
    undone: set[int] = set()
    for entry in entries:
        for fact in entry["facts"] if "head" in entry else ():
            if fact["kind"] == "undone":
                undone.update(fact.get("of", ()))
            elif fact["kind"] == "redone":
                undone.difference_update(fact.get("of", ()))
    return undone


def _conceal_picks_and_note_paths(
    entry: JournalEntry, secrets: Sequence[SecretPick], pick_paths: set[str], language: Language
) -> JournalEntry:
    """Return a journal entry without the contents of picks that are still face down.

    A pick is something that a side has chosen in secret. `secrets` has the parts of the state with picks that
    neither this entry nor a later one reveals.

    If this entry makes such a pick, the pick's path in the state is added to `pick_paths`. Changes at these
    paths are left out of later entries, since they may repeat the pick.
    """
    paths = tuple(secret.path.removesuffix(".*") for secret in secrets)
    touched = {
        path
        for fact in entry["facts"]
        for change in fact["changes"]
        for path in paths
        if change[0].startswith(path)
    }
    if "head" in entry:  # undo and redo repeat the changes of other entries
        return {**entry, "facts": [_drop_changes(fact, paths) for fact in entry["facts"]]}
    if entry.get("secret") and touched:
        pick_paths |= touched
        facts = [reduce_fact_to_pick_sentence(fact, entry, language) for fact in entry["facts"]]
        return {**entry, "args": {}, "answers": [], "facts": facts}
    if pick_paths:  # later changes may contain a pick: somebody leaves, or the scene ends
        return {**entry, "facts": [_drop_changes(fact, tuple(pick_paths)) for fact in entry["facts"]]}
    return entry.copy()


def reduce_fact_to_pick_sentence(fact: StoredFact, entry: JournalEntry, language: Language) -> StoredFact:
    """Return a fact that says only that a secret pick was made, without the pick's dice and changes."""
    words = fact["text"] if fact_class(fact["kind"]).discreet else ""
    text = secret_pick_sentence(fact, entry, language) or words
    return {"kind": fact["kind"], "who": fact["who"], "text": text, "changes": []}


def _drop_changes(fact: StoredFact, paths: tuple[str, ...]) -> StoredFact:
    """Return a fact without its changes at these paths of the state.

    If a change sets a whole table that contains such a path, only the value at that path is left out.
    """
    changes = []
    for path, before, after in fact["changes"]:
        if not path.startswith(paths):
            for inner in (each.removeprefix(f"{path}.") for each in paths if each.startswith(f"{path}.")):
                before, after = _without_value_at_path(before, inner), _without_value_at_path(after, inner)
            changes.append((path, before, after))
    return {**without_changes(fact), "changes": changes}


def _without_value_at_path(value: object, path: str) -> object:
    if not isinstance(value, dict) or look_up(value, path) is None:
        return value
    return apply_changes(value, [(path, None, None)])


def without_changes(fact: StoredFact) -> StoredFact:
    """Return a fact without its changes, and without its `places`, which refer to changes by number."""
    left: StoredFact = {**fact, "changes": []}
    left.pop("places", None)
    return left
