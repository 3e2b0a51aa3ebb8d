"""The bridge: how fast it tells a table, against a bare httpx loop that makes the same requests."""

from __future__ import annotations

import multiprocessing
import os
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing.connection import Connection
from pathlib import Path
from statistics import median
from typing import Any

import httpx

from benchmarks.campaigns import in_a_fight
from strike_bridge.deliver import push
from strike_bridge.plan import dry_run
from strike_bridge.settings import Settings
from strike_cli.campaign import Campaign
from strike_cli.play.execute import How, perform

RESULTS = 300
CHANGES = 1_000
ROUNDS = 5
KEY = "benchmark"


def _serve(ready: Connection, kept: Path) -> None:
    from strike_table.serve import serve

    serve(kept, KEY, port=0, on_ready=ready.send)


@contextmanager
def _table(kept: Path) -> Iterator[str]:
    """The embedded table in a process of its own, so that it takes nothing from who is measured."""
    ours, theirs = multiprocessing.Pipe()
    process = multiprocessing.get_context("spawn").Process(target=_serve, args=[theirs, kept], daemon=True)
    process.start()
    try:
        yield ours.recv()
    finally:
        process.terminate()
        process.join()


def main() -> None:
    """Print the share of a bare loop's throughput, and how long a thousand changes of 12 tokens take."""
    os.environ["STRIKE_TABLE_KEY"] = KEY
    with tempfile.TemporaryDirectory() as scratch, _table(Path(scratch) / "table") as url:
        folder = in_a_fight(Path(scratch) / "campaign")
        settings = Settings("table", "table", url)
        cursor = folder / "bridge" / "table.json"
        push(folder, settings)
        told = cursor.read_bytes()
        _roll(folder, RESULTS)
        requests = dry_run(folder, settings)
        bare, bridge = [], []
        for _ in range(ROUNDS):
            bare.append(_bare(requests))
            cursor.write_bytes(told)
            start = time.perf_counter()
            report = push(folder, settings)
            bridge.append(time.perf_counter() - start)
            if report.error or report.sent != len(requests):
                raise RuntimeError(f"{report.sent} of {len(requests)} sent: {report.error}")
        best = min(bridge)
        share = median(alone / told_in for alone, told_in in zip(bare, bridge, strict=True))
        print(f"  {'results a second':<58} {len(requests) / best:6.0f}")
        print(f"  {'share of a bare httpx loop (at least 80%)':<58} {share:6.0%}")
        _shuffle(folder, CHANGES)
        start = time.perf_counter()
        report = push(folder, settings)
        spent = time.perf_counter() - start
        print(f"  {f'{CHANGES} changes of {report.tokens} tokens, coalesced: seconds':<58} {spent:6.2f}")


def _roll(folder: Path, count: int) -> None:
    with Campaign(folder, writing=True) as campaign, campaign.keep_open():
        for number in range(count):
            args = {"n": 1, "sides": 6, "who": ""}
            perform(campaign, "roll die", args, How(dice=[number % 6 + 1]))


def _shuffle(folder: Path, count: int) -> None:
    with Campaign(folder, writing=True) as campaign, campaign.keep_open():
        everybody = list(campaign.state["fight"]["combatants"])[:12]
        for number in range(count):
            who = everybody[number % len(everybody)]
            path = f"fight.combatants.{who}.hp"
            args = {"path": path, "value": 1 + number % 7, "why": "shuffled", "scene": "fight"}
            perform(campaign, "override", args, How(secret=True))


def _bare(requests: list[dict[str, Any]]) -> float:
    """Seconds for the same requests from httpx alone."""
    with httpx.Client(trust_env=False) as client:
        start = time.perf_counter()
        for each in requests:
            headers = {**each["headers"], "authorization": f"Bearer {KEY}"}
            client.request(each["method"], each["url"], headers=headers, json=each["body"])
        return time.perf_counter() - start
