"""The table's contents, stored in one JSON file so that a restart loses nothing.

Received values are absolute: the new HP, for example, not the HP lost. Each audience has its own versions and
changes. So even the numbers of versions tell players nothing of hidden things. After an absence, a page asks
for the changes since the last version that it has. The store may be used from several threads.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import json
import logging
import os
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import BinaryIO

from . import schemas
from .audience_views import Kind, LinkAudience, View, view_changes, view_for
from .images import Images, replace_file_without_sync, sync_folder
from .schemas import (
    AsidePayload,
    DecisionPayload,
    EveningPayload,
    ExhibitPayload,
    MemberPayload,
    OrderPayload,
    Refusal,
    ResultPayload,
    ScenePayload,
    StatePayload,
    TilePayload,
    TokenPayload,
)
from .tiles import TILES

SCHEMA = 3
FILE_NAME = "table.json"
RESULTS_KEPT = 500
CHANGES_KEPT = 1000
KEYS_KEPT = 1000

log = logging.getLogger(__name__)


class NewerFile(RuntimeError):
    """Raised if the data directory was written by a newer version of the table."""


class KeyReused(Refusal):
    """Raised if an idempotency key is sent a second time with a different body."""


class ImageNotUploaded(Refusal):
    """Raised if a scene, token or exhibit names a picture that wasn't uploaded."""


@dataclass(frozen=True, slots=True)
class VersionChange:
    """The single change that led a view to the version `version`.

    `kind` and `data` are those of the event that is sent.
    """

    version: int
    kind: Kind
    data: Mapping[str, object] | None


@dataclass(frozen=True, slots=True)
class History:
    """The current view of an audience, its version, and the latest changes that are still stored."""

    view: View
    version: int
    recent: tuple[VersionChange, ...] = ()

    def with_view(self, view: View) -> History:
        """Return a history in which `view` is the newest view.

        The changes from the last view to `view` are added to it. Only the latest CHANGES_KEPT changes are
        kept.
        """
        numbered = tuple(
            VersionChange(number, kind, data)
            for number, (kind, data) in enumerate(view_changes(self.view, view), self.version + 1)
        )
        return History(view, self.version + len(numbered), (self.recent + numbered)[-CHANGES_KEPT:])

    def changes_after(self, version: int) -> tuple[VersionChange, ...] | None:
        """Return the changes since a version, in order.

        If the version is too old, or never existed, return None. The page then needs a snapshot instead.
        """
        missed = self.version - version
        if not 0 <= missed <= len(self.recent):
            return None
        return self.recent[len(self.recent) - missed :]


@dataclass(frozen=True, slots=True)
class Contents:
    """Everything on the table at one moment, with its history for each audience.

    Contents never change: a write makes new Contents, so readers need no lock.
    """

    histories: Mapping[LinkAudience, History]
    bodies_by_key: Mapping[str, str] = field(default_factory=dict)

    @property
    def everything(self) -> View:
        return self.histories[LinkAudience.GM].view

    @property
    def versions(self) -> dict[str, int]:
        return {audience: history.version for audience, history in self.histories.items()}


class TableStore:
    """The table's contents. Writes are made one at a time, and reach the disk before any reader sees them."""

    def __init__(self, data_dir: Path, *, title: str = "") -> None:
        """Open the table stored in a directory. Raises NewerFile.

        If its file can't be read, the file is set aside and the table starts empty.
        """
        self.title = title
        self.on_change: Callable[[], None] = lambda: None
        """Called after each change, on the thread that made it."""
        self._lock = threading.Lock()
        data_dir.mkdir(parents=True, exist_ok=True)
        for folder in (data_dir.parent, data_dir.parent.parent):
            with contextlib.suppress(OSError):  # another user's, who decides on it
                sync_folder(folder)
        self._path = data_dir / FILE_NAME
        self._images = Images(data_dir / "images")
        contents = _load_contents_or_set_file_aside(self._path)
        if tiles := self._tiles_for_players(contents.everything.scene):
            everything = replace(contents.everything, tiles=tiles)
            versions = {character: history.version for character, history in contents.histories.items()}
            contents = _contents_without_history(everything, versions, contents.bodies_by_key)
        self._contents = contents

    # Reading

    @property
    def everything(self) -> View:
        return self._contents.everything

    def snapshot(self, audience: LinkAudience) -> StatePayload:
        history = self._contents.histories[audience]
        return {
            "version": history.version,
            "title": self.title,
            "audience": audience.value,
            "scene": history.view.scene,
            "tokens": list(history.view.tokens.values()),
            "order": history.view.order,
            "beside": list(history.view.beside),
            "asked": list(history.view.asked),
            "exhibits": list(history.view.exhibits),
            "evening": history.view.evening,
            "results": list(history.view.results),
        }

    def view(self, audience: LinkAudience) -> View:
        """Return the current view of an audience."""
        return self._contents.histories[audience].view

    def changes_after(self, audience: LinkAudience, version: int) -> tuple[VersionChange, ...] | None:
        """Return what has changed for an audience since a version, in order.

        Returns None if the version is too old or never existed. The audience then needs a snapshot.
        """
        return self._contents.histories[audience].changes_after(version)

    def shows_token(self, audience: LinkAudience, token_id: str) -> bool:
        """Return whether an audience sees a token."""
        return token_id in self._contents.histories[audience].view.tokens

    def open_image(self, audience: LinkAudience, digest: str) -> BinaryIO | None:
        """Return a picture's open file, which the caller closes.

        It is None if there is no such picture, or if the audience may not see the picture. Players get only
        the pictures in their view. The game master also gets pictures that were uploaded but aren't used yet.
        """
        on_the_table = (
            audience is LinkAudience.GM or digest in self._contents.histories[audience].view.image_hashes()
        )
        return self._images.open(digest) if on_the_table else None

    def tile(self, audience: LinkAudience, name: str, size: int) -> bytes | None:
        """Return a tile of a map with fog as WebP, with squares that are `size` pixels wide.

        The result is None if the tile isn't in the audience's view, or isn't cached any more.
        """
        scene = self._contents.histories[audience].view.scene
        shown = scene is not None and any(tile["id"] == name for tile in scene.get("tiles", ()))
        return TILES.encoded_tile_if_cut_is_known(name, size) if shown else None

    def _tiles_for_players(self, scene: ScenePayload | None) -> tuple[TilePayload, ...]:
        """Return the tiles of a scene's picture for players; empty if there is no fog or no picture."""
        if not scene or not scene["fog"] or not scene["image"]:
            return ()
        image = scene["image"]
        content = functools.partial(self._images.content, image["hash"])
        return tuple(TILES.cut_seen_tiles(image["hash"], content, image.get("place"), scene["fog"]["seen"]))

    # Writing

    def put_image(self, digest: str, media_type: str, content: bytes) -> None:
        """Store a picture for a later scene or token.

        Raises InvalidBody if the picture's digest or type doesn't fit its content, and OSError if the picture
        can't be stored.
        """
        self._images.put(digest, media_type, content)

    def put_scene_and_delete_old_images(self, scene: ScenePayload) -> None:
        """Show a scene, and delete pictures that nothing uses any more.

        Raises ImageNotUploaded if the scene's picture wasn't uploaded.
        """
        scene.pop("tiles", None)
        with self._lock:
            self._require_and_mark_image(scene)
            if scene != self.everything.scene:
                self._commit(replace(self.everything, scene=scene, tiles=self._tiles_for_players(scene)))
                self._images.delete_unused(self.everything.image_hashes())

    def end_all_scenes(self) -> None:
        """End all scenes, and with them tokens, turn order and open decisions.

        Results, exhibits and the evening stay.
        """
        with self._lock:
            kept = self.everything
            self._commit(View(results=kept.results, exhibits=kept.exhibits, evening=kept.evening))
            self._images.delete_unused(self.everything.image_hashes())

    def put_token(self, token: TokenPayload) -> None:
        """Show a token. Raises ImageNotUploaded if its picture wasn't uploaded."""
        with self._lock:
            self._require_and_mark_image(token)
            tokens = self.everything.tokens
            self._commit(replace(self.everything, tokens={**tokens, token["id"]: token}))

    def remove_token(self, token_id: str) -> None:
        with self._lock:
            left = {id: token for id, token in self.everything.tokens.items() if id != token_id}
            self._commit(replace(self.everything, tokens=left))

    def put_order(self, order: OrderPayload) -> None:
        with self._lock:
            self._commit(replace(self.everything, order=order))

    def put_side_scenes(self, beside: Sequence[AsidePayload]) -> None:
        """Show the scenes beside the main one.

        Raises ImageNotUploaded if a picture in them wasn't uploaded.
        """
        with self._lock:
            for aside in beside:
                self._require_and_mark_image(aside["scene"])
                for token in aside["tokens"]:
                    self._require_and_mark_image(token)
            self._commit(replace(self.everything, beside=tuple(beside)))

    def put_decisions(self, asked: Sequence[DecisionPayload]) -> None:
        with self._lock:
            self._commit(replace(self.everything, asked=tuple(asked)))

    def put_exhibits(self, exhibits: Sequence[ExhibitPayload]) -> None:
        """Show the exhibits. Raises ImageNotUploaded if the picture of an exhibit wasn't uploaded."""
        with self._lock:
            for one in exhibits:
                self._require_and_mark_image(one)
            self._commit(replace(self.everything, exhibits=tuple(exhibits)))

    def put_evening(self, evening: EveningPayload) -> None:
        """Show the session and the party, which the table shows between scenes.

        Raises ImageNotUploaded if a member's picture wasn't uploaded.
        """
        with self._lock:
            for member in evening["party"]:
                self._require_and_mark_image(member)
            self._commit(replace(self.everything, evening=evening))

    def add_or_replace_result(
        self, result: ResultPayload, key: str | None = None
    ) -> tuple[ResultPayload, bool]:
        """Add a result, or replace the result with the same id; return it, and whether it was added.

        A replaced result keeps its place in the order. If the idempotency `key` was used before, nothing is
        stored. Raises KeyReused if the earlier request with this key had a different body.
        """
        with self._lock:
            keys = self._contents.bodies_by_key
            results = list(self.everything.results)
            place = next((at for at, old in enumerate(results) if old["id"] == result["id"]), None)
            if key is not None and key in keys:
                if keys[key] != _result_digest(result):
                    raise KeyReused("this Idempotency-Key was used before, with a different body")
                return (result if place is None else results[place]), False

            if place is None:
                results.append(result)
            else:
                results[place] = result
            if key is not None:
                keys = {**keys, key: _result_digest(result)}
                keys = dict(islice(keys.items(), max(0, len(keys) - KEYS_KEPT), None))
            self._commit(replace(self.everything, results=tuple(results[-RESULTS_KEPT:])), keys)
            return result, place is None

    def _require_and_mark_image(
        self, shown: ScenePayload | TokenPayload | ExhibitPayload | MemberPayload
    ) -> None:
        image = shown["image"] and shown["image"]["hash"]
        if image and not self._images.has(image):
            raise ImageNotUploaded(f"image {image} is not here: PUT /api/v1/images/{image} first")
        if image:
            self._images.end_protection_as_new(image)

    def _commit(self, everything: View, keys: Mapping[str, str] | None = None) -> None:
        """Store new contents: write the file, then show the contents to readers.

        `everything` is the new view. Without `keys`, the present keys stay; if the view is also unchanged,
        nothing happens. Raises OSError if the file can't be written. Then nothing has changed.
        """
        keys = self._contents.bodies_by_key if keys is None else keys
        if everything == self.everything and keys is self._contents.bodies_by_key:
            return
        histories = {
            audience: history.with_view(view_for(audience, everything))
            for audience, history in self._contents.histories.items()
        }
        contents = Contents(histories, keys)
        _save_contents(self._path, contents)
        self._contents = contents
        self.on_change()


def _result_digest(result: ResultPayload) -> str:
    return hashlib.sha256(json.dumps(result, sort_keys=True).encode()).hexdigest()


def _save_contents(path: Path, contents: Contents) -> None:
    everything = contents.everything
    text = json.dumps(
        {
            "schema": SCHEMA,
            "versions": contents.versions,
            "scene": everything.scene,
            "tokens": list(everything.tokens.values()),
            "order": everything.order,
            "beside": {"scenes": everything.beside},
            "asked": {"asked": everything.asked},
            "exhibits": {"exhibits": everything.exhibits},
            "evening": everything.evening,
            "results": everything.results,
            "bodies_by_key": contents.bodies_by_key,
        },
        ensure_ascii=False,
        separators=(",", ":"),
    )
    beside = path.with_suffix(".tmp")
    with beside.open("w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    replace_file_without_sync(beside, path)
    sync_folder(path.parent)


def _load_contents_or_set_file_aside(path: Path) -> Contents:
    try:
        stored = json.loads(path.read_text(encoding="utf-8"))
        if stored["schema"] > SCHEMA:
            raise NewerFile(
                f"{path} was written by a newer version of strike: upgrade, or choose another directory"
            )
        everything = View(
            stored["scene"] and schemas.read_scene(stored["scene"]),
            {token["id"]: schemas.read_token(token, token["id"]) for token in stored["tokens"]},
            stored["order"] and schemas.read_order(stored["order"]),
            tuple(map(schemas.read_result, stored["results"])),
            tuple(schemas.read_side_scenes(stored.get("beside", {"scenes": []}))),  # since schema 3
            tuple(schemas.read_decisions(stored.get("asked", {"asked": []}))),
            tuple(schemas.read_exhibits(stored.get("exhibits", {"exhibits": []}))),
            schemas.read_evening(stored["evening"]) if stored.get("evening") else None,
        )
        # Schema 1 had one version for everybody.
        versions = stored.get("versions") or dict.fromkeys(LinkAudience, stored.get("version"))
        return _contents_without_history(
            everything,
            {character: int(versions[character]) for character in LinkAudience},
            dict(stored["bodies_by_key"]),
        )
    except FileNotFoundError:
        return _empty_contents()
    except (ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError) as problem:
        aside = path.with_name(f"{path.name}.unreadable-{time.time_ns()}")
        path.replace(aside)
        log.warning(
            "%s can't be read (%r): set aside as %s, the table starts empty", path, problem, aside.name
        )
        return _empty_contents()


def _empty_contents() -> Contents:
    # Versions begin at the clock's time, so that they grow even after the data directory was lost: a page
    # with an earlier version is then sent a snapshot.
    return _contents_without_history(View(), dict.fromkeys(LinkAudience, time.time_ns() // 1_000_000), {})


def _contents_without_history(
    everything: View, versions: Mapping[LinkAudience, int], keys: Mapping[str, str]
) -> Contents:
    histories = {
        character: History(view_for(character, everything), version)
        for character, version in versions.items()
    }
    return Contents(histories, keys)
