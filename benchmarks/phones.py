"""Measure how soon after a command every screen and phone shows it.

Thirty screens, thirty players' phones, and all sixty at once. The table and the bridge run in a process of
their own on this machine, so both read one clock.
"""

from __future__ import annotations

import json
import multiprocessing
import random
import selectors
import socket
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from multiprocessing.connection import Connection
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

from benchmarks.campaigns import in_a_fight
from benchmarks.measure import size
from strike_cli.campaign.campaign import Campaign
from strike_cli.campaign.change_stamp import LIVELY
from strike_cli.phones.links import link_secrets
from strike_cli.play.command_execution import PlaySettings, perform_command
from strike_cli.systems.campaign.commands.table import OWN, running_bridge, running_table

CROWD = size(30, 2)
COMMANDS = size(60, 2)
ENTRIES = size(300, 10)
REST = size(30.0, 0.1)
"""The seconds of rest."""
ENOUGH = 10.0
"""Seconds after which a command that hasn't arrived counts as lost."""


class Screen(NamedTuple):
    """A screen that follows the table.

    It has the stream that it reads, its own secret, and the address that it comes from: a table has a limit
    for one address.
    """

    path: str
    secret: str = ""
    address: str = "127.0.0.1"


def main() -> None:
    """Print milliseconds from a command's end until each has it."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = in_a_fight(Path(scratch) / "campaign", ENTRIES)
        with Campaign(folder) as campaign:
            secrets = list(link_secrets(folder, campaign.book.characters).values())
        screens = [Screen("/events")] * CROWD
        phones = [
            Screen("/api/v1/own/events", secrets[at % len(secrets)], "127.0.0.2") for at in range(CROWD)
        ]
        looking = {
            "30 screens": screens,
            "30 players' phones": phones,
            "30 screens and 30 phones at once": [*screens, *phones],
        }
        for whom, each in looking.items():
            with _table(folder) as (url, processor):
                before = processor()
                _report(f"to each of {whom}, in ms", _delays(folder, url, each))
                spent = (processor() - before) / COMMANDS * 1000
                print(f"  {'the table, ms of processor a command':<58} {spent:6.1f}")
        with _table(folder) as (_, processor):
            share = _at_rest(processor)
            kept = "" if share <= 1 else ": OVER"
            print(f"  {'the table at rest, % of a core':<58} {share:6.2f}  at most 1{kept}")


def _at_rest(processor: Callable[[], float]) -> float:
    """Return the percentage of a core that a table uses a while after the last command."""
    time.sleep(size(LIVELY + 5, 0.1))
    before, began = processor(), time.monotonic()
    time.sleep(REST)
    return (processor() - before) / (time.monotonic() - began) * 100


@contextmanager
def _table(folder: Path) -> Iterator[tuple[str, Callable[[], float]]]:
    """Run a table with players' phones, only on this machine, and a bridge to it.

    Yield its address, and a function that returns the processor seconds that it has used.
    """
    spawn = multiprocessing.get_context("spawn")
    ours, theirs = spawn.Pipe()
    process = spawn.Process(target=_serve, args=[folder, theirs])
    process.start()
    theirs.close()

    def processor() -> float:
        ours.send("")
        return float(ours.recv())

    try:
        yield ours.recv(), processor
    finally:
        ours.close()
        process.join(10)


def _serve(folder: Path, until: Connection) -> None:
    with (
        running_table(folder, "Benchmark", port=0, phones=True) as running,
        running_bridge(folder, running, OWN) as bridge,
    ):
        bridge.wait_until_delivered(30)
        until.send(running.url)
        with suppress(EOFError):  # closed when all is measured
            while True:
                until.recv()
                until.send(time.process_time())


def _delays(folder: Path, url: str, screens: Sequence[Screen]) -> list[float]:
    """Return the milliseconds from each command's end until each screen had it."""
    place = urlsplit(url)
    pauses = random.Random(7)
    found: list[float] = []
    with selectors.DefaultSelector() as lines:
        for path, secret, address in screens:
            line = socket.create_connection((place.hostname, place.port), source_address=(address, 0))
            holding = f"Authorization: Bearer {secret}\r\n" if secret else ""
            line.sendall(f"GET {path} HTTP/1.1\r\nHost: {place.netloc}\r\n{holding}\r\n".encode())
            lines.register(line, selectors.EVENT_READ)
        _listen(lines, "", 2.0)  # until all have what there is
        for number in range(COMMANDS):
            mark = f"blow number {number} before {len(screens)} at {screens[0].path}"
            with Campaign(folder, writing=True) as campaign:
                command = "combat heal" if number % 2 else "combat damage"
                perform_command(campaign, command, {"who": "odo", "amount": 1, "why": mark}, PlaySettings())
            ended = time.monotonic()
            came = _listen(lines, mark, ENOUGH)
            assert len(came) == len(screens), f"{len(came)} of {len(screens)} have heard of {mark!r}"
            found += [(at - ended) * 1000 for at in came]
            _listen(
                lines, "", pauses.uniform(0.05, 0.15)
            )  # not in step with anything that looks now and then
        for key in list(lines.get_map().values()):
            key.fileobj.close()  # type: ignore[union-attr]
    return found


def _listen(lines: selectors.BaseSelector, mark: str, seconds: float) -> list[float]:
    """Return when each line had the mark; without a mark, read whatever comes in this time."""
    wanted = json.dumps(mark)[1:-1].encode()
    heard = {key.fd: b"" for key in lines.get_map().values()}
    came: dict[int, float] = {}
    deadline = time.monotonic() + seconds
    while len(came) < len(heard) and (left := deadline - time.monotonic()) > 0:
        for key, _ in lines.select(left):
            part = key.fileobj.recv(1 << 20)  # type: ignore[union-attr]
            assert part, "the table closed a line"
            heard[key.fd] += part
            if mark and key.fd not in came and wanted in heard[key.fd]:
                came[key.fd] = time.monotonic()
    return list(came.values())


def _report(what: str, ratios: list[float]) -> None:
    high = statistics.quantiles(ratios, n=20)[-1]
    kept = "" if high <= 150 else ": OVER"
    middle, most = statistics.median(ratios), max(ratios)
    print(f"  {what:<58} {middle:6.1f}  (95th {high:.1f}, most {most:.1f})  150 at the 95th{kept}")
