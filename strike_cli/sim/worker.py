"""A worker that plays chunks of fights, in a process of this machine or of another.

A campaign is sent to it once; a worker with another version of strike refuses. Begin with `play_chunk`.
"""

from __future__ import annotations

import os
import platform
import traceback
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from .. import __version__
from ..registry import installed
from .fight import Frozen, play_day
from .statistics import Chunk, Chunked

MOST_KEPT = 4
"""The most frozen campaigns that a worker stores."""


class Arm(NamedTuple):
    """One arm of a run: the digest of a frozen campaign, and the player."""

    frozen: str
    player: str


class Task(NamedTuple):
    """A chunk to play: each fight once in every arm.

    `strike` describes the requester's strike and plugins; `packed` has the campaigns that the worker lacks,
    by digest. `attempt` numbers the tries of a chunk.
    """

    chunk: Chunk
    arms: tuple[Arm, ...]
    seed: int
    strike: dict[str, str]
    packed: dict[str, bytes]
    attempt: int = 0


class WorkerAnswer(NamedTuple):
    """The answer of the `worker`, which has one of four fields.

    `played` is the chunk's result; `lacks` are the digests of campaigns that the worker needs; `unlike` is
    the difference of its strike; `fault` the failure.
    """

    worker: str
    played: Chunked | None = None
    lacks: tuple[str, ...] = ()
    unlike: str = ""
    fault: str = ""


_kept: dict[str, Frozen] = {}


def play_chunk(task: Task) -> WorkerAnswer:
    """Play a chunk. A failure of any kind is in the answer, and is not raised."""
    worker = f"{platform.node() or 'here'}:{os.getpid()}"
    try:
        if differs := describe_difference(task.strike, this_strike()):
            return WorkerAnswer(worker, unlike=differs)
        for digest, packed in task.packed.items():
            store_campaign(digest, packed)
        lacks = tuple({arm.frozen for arm in task.arms} - _kept.keys())
        if lacks:
            return WorkerAnswer(worker, lacks=lacks)
        found = Chunked(len(task.arms))
        arms = [(_kept[arm.frozen], arm.player) for arm in task.arms]
        for number in range(task.chunk.first, task.chunk.first + task.chunk.fights):
            found.take([play_day(frozen, task.seed, number, player) for frozen, player in arms])
        return WorkerAnswer(worker, played=found)
    except Exception as error:
        told = f"{type(error).__name__}: {error}"
        return WorkerAnswer(worker, fault=f"{told}\n{traceback.format_exc(limit=-6)}")


def receive_campaigns(strike: dict[str, str], packed: dict[str, bytes]) -> str:
    """Store the campaigns to play, unless the requester's strike differs; return that difference in words."""
    differs = describe_difference(strike, this_strike()) if strike else ""
    for digest, each in packed.items() if not differs else ():
        store_campaign(digest, each)
    return differs


def store_campaign(digest: str, packed: bytes) -> None:
    """Store a campaign to be played, and drop the ones stored longest.

    Raises ValueError where its digest doesn't fit.
    """
    if digest in _kept:
        return
    frozen = Frozen(packed)
    if frozen.digest != digest:
        raise ValueError("the book that arrived is not the one that was sent")
    while len(_kept) >= MOST_KEPT:
        del _kept[next(iter(_kept))]
    _kept[digest] = frozen


@cache
def this_strike() -> dict[str, str]:
    """Return everything that must be equal for two strikes to play the same.

    It is the version and source of strike and of every plugin, by name.
    """
    known = {"strike": f"{__version__} ({_source(Path(__file__).parent.parent)})"}
    for plugin in installed.index().plugins[1:]:
        source = _source(Path(plugin.file).parent) if plugin.file else ""
        known[f"plugin {plugin.name}"] = f"{plugin.version} ({source})"
    return known


def _source(folder: Path) -> str:
    """Return a short digest of the code and the tables of a package."""
    found = sha256()
    for path in sorted(folder.rglob("*")):
        if path.suffix in (".py", ".toml") and path.is_file():
            found.update(path.relative_to(folder).as_posix().encode() + b"\0" + path.read_bytes())
    return found.hexdigest()[:8]


def describe_difference(wanted: dict[str, str], own: dict[str, str]) -> str:
    """Return in words how another strike differs from this one; "" where it is the same."""
    return ", ".join(
        f"{name} {own.get(name, 'missing')} instead of {wanted.get(name, 'none')}"
        for name in sorted({*wanted, *own})
        if wanted.get(name) != own.get(name)
    )
