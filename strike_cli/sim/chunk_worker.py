"""A worker that plays chunks of fights, in a process of this machine or of another.

A campaign is sent to a worker once; a worker with another version of strike refuses. Begin with `play_chunk`.
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
from ..registry import installed_plugins
from .simulated_fight import FrozenCampaign, play_day_until_not_won
from .tallies import Chunk, ChunkResult

MAX_CAMPAIGNS = 4
"""The most frozen campaigns that a worker stores."""


class Arm(NamedTuple):
    """One arm of a simulation run: the digest of a frozen campaign, and the name of the bot that plays it."""

    frozen: str
    player: str


class Task(NamedTuple):
    """A chunk to play: each fight once in every arm.

    `strike` describes the strike and plugins of the program that sends it; `packed` has the campaigns that
    the worker lacks, by digest. `attempt` counts how often the chunk was sent.
    """

    chunk: Chunk
    arms: tuple[Arm, ...]
    seed: int
    strike: dict[str, str]
    packed: dict[str, bytes]
    attempt: int = 0


class WorkerAnswer(NamedTuple):
    """The answer of the worker named `worker` to a task; exactly one of the other fields is set.

    `played` is the chunk's result. `lacks` has the digests of campaigns that the worker needs. `unlike`
    describes how the worker's strike differs. `fault` is an error's message and traceback.
    """

    worker: str
    played: ChunkResult | None = None
    lacks: tuple[str, ...] = ()
    unlike: str = ""
    fault: str = ""


_campaigns: dict[str, FrozenCampaign] = {}


def play_chunk(task: Task) -> WorkerAnswer:
    """Play a chunk, and return the answer.

    A failure of any kind is part of the answer, and isn't raised.
    """
    worker = f"{platform.node() or 'here'}:{os.getpid()}"
    try:
        if differs := describe_difference(task.strike, versions_and_source_digests()):
            return WorkerAnswer(worker, unlike=differs)
        for digest, packed in task.packed.items():
            store_campaign(digest, packed)
        lacks = tuple({arm.frozen for arm in task.arms} - _campaigns.keys())
        if lacks:
            return WorkerAnswer(worker, lacks=lacks)
        found = ChunkResult(len(task.arms))
        arms = [(_campaigns[arm.frozen], arm.player) for arm in task.arms]
        for number in range(task.chunk.first, task.chunk.first + task.chunk.fights):
            found.add_day(
                [play_day_until_not_won(frozen, task.seed, number, player) for frozen, player in arms]
            )
        return WorkerAnswer(worker, played=found)
    except Exception as error:
        told = f"{type(error).__name__}: {error}"
        return WorkerAnswer(worker, fault=f"{told}\n{traceback.format_exc(limit=-6)}")


def store_campaigns_if_same_strike(strike: dict[str, str], packed: dict[str, bytes]) -> str:
    """Store campaigns to play, and return "".

    If the sender's strike differs from this one, store nothing, and return the difference in words.
    """
    differs = describe_difference(strike, versions_and_source_digests()) if strike else ""
    for digest, each in packed.items() if not differs else ():
        store_campaign(digest, each)
    return differs


def store_campaign(digest: str, packed: bytes) -> None:
    """Store a campaign to be played.

    If more than MAX_CAMPAIGNS are stored, the oldest is dropped. Raises ValueError if `digest` isn't the
    campaign's.
    """
    if digest in _campaigns:
        return
    frozen = FrozenCampaign(packed)
    if frozen.digest != digest:
        raise ValueError("the book that arrived is not the one that was sent")
    while len(_campaigns) >= MAX_CAMPAIGNS:
        del _campaigns[next(iter(_campaigns))]
    _campaigns[digest] = frozen


@cache
def versions_and_source_digests() -> dict[str, str]:
    """Return the version and source digest of strike and of every plugin, by name.

    Two installations play the same only if these are equal.
    """
    known = {"strike": f"{__version__} ({_source_digest(Path(__file__).parent.parent)})"}
    for plugin in installed_plugins.plugin_index().plugins[1:]:
        source = _source_digest(Path(plugin.file).parent) if plugin.file else ""
        known[f"plugin {plugin.name}"] = f"{plugin.version} ({source})"
    return known


def _source_digest(folder: Path) -> str:
    """Return a short digest of the Python and TOML files of a package."""
    found = sha256()
    for path in sorted(folder.rglob("*")):
        if path.suffix in (".py", ".toml") and path.is_file():
            found.update(path.relative_to(folder).as_posix().encode() + b"\0" + path.read_bytes())
    return found.hexdigest()[:8]


def describe_difference(wanted: dict[str, str], own: dict[str, str]) -> str:
    """Return in words how the versions `own` differ from the versions `wanted`; "" if they don't."""
    return ", ".join(
        f"{name} {own.get(name, 'missing')} instead of {wanted.get(name, 'none')}"
        for name in sorted({*wanted, *own})
        if wanted.get(name) != own.get(name)
    )
