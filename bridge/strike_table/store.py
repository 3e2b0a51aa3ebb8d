"""What the table knows, kept in one JSON file so that a restart loses nothing.

No HTTP here and no rules: absolute values come in, each change gets the next version number, and whoever was
away asks for the changes since the version that they saw. Safe to use from several threads.
"""

from __future__ import annotations

import hashlib
import json
import logging
import os
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import Any, Literal

from strike_table.shapes import Order, Refusal, Result, Scene, Snapshot, Token

SCHEMA = 1
FILE_NAME = "table.json"
RESULTS_KEPT = 500
CHANGES_KEPT = 1000
KEYS_KEPT = 1000

Kind = Literal["scene", "token", "token-removed", "order", "result"]

log = logging.getLogger(__name__)


class NewerFile(RuntimeError):
    """The data directory was written by a newer version of the table."""


class KeyReused(Refusal):
    """An idempotency key came a second time with a different body."""


@dataclass(frozen=True, slots=True)
class Change:
    """What made version `version` of the one before. `data` is what an event of this kind carries."""

    version: int
    kind: Kind
    data: Mapping[str, Any] | None


@dataclass(frozen=True, slots=True)
class Known:
    """Everything at one version. Never altered: a write makes the next one, so a reader needs no lock."""

    version: int
    scene: Scene | None = None
    tokens: Mapping[str, Token] = field(default_factory=dict)
    order: Order | None = None
    results: tuple[Result, ...] = ()
    bodies_by_key: Mapping[str, str] = field(default_factory=dict)
    recent: tuple[Change, ...] = ()


class TableStore:
    """Writers are served one at a time, and a write has reached the disk before anybody hears of it."""

    def __init__(self, data_dir: Path, *, title: str = "") -> None:
        """Raises NewerFile. A file that can't be read is set aside and the table starts empty."""
        self.title = title
        self.on_change: Callable[[], None] = lambda: None
        """Called after each change, on the thread that made it."""
        self._lock = threading.Lock()
        data_dir.mkdir(parents=True, exist_ok=True)
        self._path = data_dir / FILE_NAME
        self._known = _load(self._path)

    # Reading

    @property
    def known(self) -> Known:
        return self._known

    def snapshot(self) -> Snapshot:
        known = self._known
        return {
            "version": known.version,
            "title": self.title,
            "scene": known.scene,
            "tokens": list(known.tokens.values()),
            "order": known.order,
            "results": list(known.results),
        }

    def results_after(self, seq: int) -> list[Result]:
        return [result for result in self._known.results if result["seq"] > seq]

    def changes_after(self, version: int) -> tuple[Change, ...] | None:
        """The changes since then in order, or None when that is too long ago or never was: send it all."""
        known = self._known
        missed = known.version - version
        if not 0 <= missed <= len(known.recent):
            return None
        return known.recent[len(known.recent) - missed :]

    # Writing

    def put_scene(self, scene: Scene) -> None:
        with self._lock:
            if scene != self._known.scene:
                self._commit(replace(self._known, scene=scene), ("scene", scene))

    def clear_scene(self) -> None:
        """The fight is over: the scene, its tokens and the turn order go, the results stay."""
        with self._lock:
            known = self._known
            changes: list[tuple[Kind, Any]] = [("token-removed", {"id": id}) for id in known.tokens]
            if known.order is not None:
                changes.append(("order", None))
            if known.scene is not None:
                changes.append(("scene", None))
            if changes:
                self._commit(replace(known, scene=None, tokens={}, order=None), *changes)

    def put_token(self, token: Token) -> None:
        with self._lock:
            known = self._known
            if known.tokens.get(token["id"]) != token:
                self._commit(replace(known, tokens={**known.tokens, token["id"]: token}), ("token", token))

    def remove_token(self, token_id: str) -> None:
        with self._lock:
            known = self._known
            if token_id in known.tokens:
                left = {id: token for id, token in known.tokens.items() if id != token_id}
                self._commit(replace(known, tokens=left), ("token-removed", {"id": token_id}))

    def put_order(self, order: Order) -> None:
        with self._lock:
            if order != self._known.order:
                self._commit(replace(self._known, order=order), ("order", order))

    def add_result(self, result: Result, key: str | None = None) -> tuple[Result, bool]:
        """The result as it is kept, and whether it is a new one.

        A result with a known id replaces that one in its place. An idempotency `key` that was seen before
        adds nothing; with a different body it raises KeyReused.
        """
        with self._lock:
            known = self._known
            if key is not None and key in known.bodies_by_key:
                if known.bodies_by_key[key] != _digest(result):
                    raise KeyReused("this Idempotency-Key was used before, with a different body")
                kept = next((old for old in known.results if old["id"] == result["id"]), result)
                return kept, False

            places = [place for place, old in enumerate(known.results) if old["id"] == result["id"]]
            results = list(known.results)
            if places:
                results[places[0]] = result
            else:
                results.append(result)

            keys = dict(known.bodies_by_key)
            if key is not None:
                keys[key] = _digest(result)
                keys = dict(islice(keys.items(), max(0, len(keys) - KEYS_KEPT), None))

            self._commit(
                replace(known, results=tuple(results[-RESULTS_KEPT:]), bodies_by_key=keys),
                ("result", result),
            )
            return result, not places

    def _commit(self, known: Known, *changes: tuple[Kind, Any]) -> None:
        """Number the changes, write the file, then let readers see it. Raises OSError, changing nothing."""
        numbered = tuple(
            Change(self._known.version + step, kind, data) for step, (kind, data) in enumerate(changes, 1)
        )
        known = replace(
            known,
            version=self._known.version + len(numbered),
            recent=(known.recent + numbered)[-CHANGES_KEPT:],
        )
        _save(self._path, known)
        self._known = known
        self.on_change()


def _digest(result: Result) -> str:
    return hashlib.sha256(json.dumps(result, sort_keys=True).encode()).hexdigest()


def _save(path: Path, known: Known) -> None:
    text = json.dumps(
        {
            "schema": SCHEMA,
            "version": known.version,
            "scene": known.scene,
            "tokens": list(known.tokens.values()),
            "order": known.order,
            "results": known.results,
            "bodies_by_key": known.bodies_by_key,
        },
        ensure_ascii=False,
        separators=(",", ":"),
    )
    beside = path.with_suffix(".tmp")
    with beside.open("w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    beside.replace(path)


def _load(path: Path) -> Known:
    try:
        kept = json.loads(path.read_text(encoding="utf-8"))
        if kept["schema"] > SCHEMA:
            raise NewerFile(
                f"{path} was written by a newer version of strike: upgrade, or choose another directory"
            )
        return Known(
            version=int(kept["version"]),
            scene=kept["scene"],
            tokens={token["id"]: token for token in kept["tokens"]},
            order=kept["order"],
            results=tuple(kept["results"]),
            bodies_by_key=dict(kept["bodies_by_key"]),
        )
    except FileNotFoundError:
        return _unwritten()
    except (ValueError, KeyError, TypeError) as problem:
        aside = path.with_name(f"{path.name}.unreadable-{time.time_ns()}")
        path.replace(aside)
        log.warning(
            "%s can't be read (%r): set aside as %s, the table starts empty", path, problem, aside.name
        )
        return _unwritten()


def _unwritten() -> Known:
    # Counting from the clock keeps versions growing even over a lost data directory: a page that saw the
    # former life is behind whatever this one says, and so is sent a snapshot.
    return Known(version=time.time_ns() // 1_000_000)
