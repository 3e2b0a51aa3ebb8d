"""Measure how long it takes after a command until screens and phones show the result.

This is measured for thirty screens, for thirty players' phones, and for all sixty at once. The table and the
bridge run on this machine in a process of their own, so one clock serves for all times.
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

from benchmarks.paired_timing import usual_or_trial_amount
from benchmarks.sample_campaigns import make_campaign_in_fight
from strike_cli.campaign.campaign import Campaign
from strike_cli.campaign.change_stamp import LIVELY_SECONDS
from strike_cli.phones.links import get_or_make_link_secrets
from strike_cli.play.command_execution import PlaySettings, perform_command
from strike_cli.systems.campaign.commands.table import DEFAULT_TABLE_TARGET, running_bridge, running_table

CROWD = usual_or_trial_amount(30, 2)
COMMANDS = usual_or_trial_amount(60, 2)
ENTRIES = usual_or_trial_amount(300, 10)
REST_SECONDS = usual_or_trial_amount(30.0, 0.1)
"""The seconds of rest."""
LOST_AFTER = 10.0
"""Seconds after which a command that hasn't arrived counts as lost."""


class Screen(NamedTuple):
    """A screen or phone that follows the table.

    It has the path of its event stream, its secret, and the address that it connects from. Screens and phones
    connect from different addresses, because a table limits the connections from one address.
    """

    path: str
    secret: str = ""
    address: str = "127.0.0.1"


def main() -> None:
    """Print the milliseconds from a command's end until every screen and phone has it.

    Also print the processor time that the table uses.
    """
    with tempfile.TemporaryDirectory() as scratch:
        folder = make_campaign_in_fight(Path(scratch) / "campaign", ENTRIES)
        with Campaign(folder) as campaign:
            secrets = list(get_or_make_link_secrets(folder, campaign.book.characters).values())
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
            with _running_table_and_bridge(folder) as (url, processor):
                before = processor()
                _print_delays(f"to each of {whom}, in ms", _delays(folder, url, each))
                spent = (processor() - before) / COMMANDS * 1000
                print(f"  {'the table, ms of processor a command':<58} {spent:6.1f}")
        with _running_table_and_bridge(folder) as (_, processor):
            share = _percent_of_core_at_rest(processor)
            kept = "" if share <= 1 else ": OVER"
            print(f"  {'the table at rest, % of a core':<58} {share:6.2f}  at most 1{kept}")


def _percent_of_core_at_rest(processor: Callable[[], float]) -> float:
    """Return the percentage of a core that the table uses once no commands come in."""
    time.sleep(usual_or_trial_amount(LIVELY_SECONDS + 5, 0.1))
    before, began = processor(), time.monotonic()
    time.sleep(REST_SECONDS)
    return (processor() - before) / (time.monotonic() - began) * 100


@contextmanager
def _running_table_and_bridge(folder: Path) -> Iterator[tuple[str, Callable[[], float]]]:
    """Run a table with players' phones, only on this machine, and a bridge to it.

    Yield its address, and a function that returns the processor seconds that it has used.
    """
    spawn = multiprocessing.get_context("spawn")
    ours, theirs = spawn.Pipe()
    process = spawn.Process(target=_serve_table_bridge_and_clock, args=[folder, theirs])
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


def _serve_table_bridge_and_clock(folder: Path, connection: Connection) -> None:
    with (
        running_table(folder, "Benchmark", port=0, phones=True) as running,
        running_bridge(folder, running, DEFAULT_TABLE_TARGET) as bridge,
    ):
        bridge.wait_until_delivered(30)
        connection.send(running.url)
        with suppress(EOFError):  # closed when all is measured
            while True:
                connection.recv()
                connection.send(time.process_time())


def _delays(folder: Path, url: str, screens: Sequence[Screen]) -> list[float]:
    """Return the milliseconds from the end of each command until each screen received its result."""
    place = urlsplit(url)
    pauses = random.Random(7)
    found: list[float] = []
    with selectors.DefaultSelector() as lines:
        for path, secret, address in screens:
            line = socket.create_connection((place.hostname, place.port), source_address=(address, 0))
            holding = f"Authorization: Bearer {secret}\r\n" if secret else ""
            line.sendall(f"GET {path} HTTP/1.1\r\nHost: {place.netloc}\r\n{holding}\r\n".encode())
            lines.register(line, selectors.EVENT_READ)
        _wait_for_mark(lines, "", 2.0)  # until all have what there is
        for number in range(COMMANDS):
            mark = f"blow number {number} before {len(screens)} at {screens[0].path}"
            with Campaign(folder, writing=True) as campaign:
                command = "combat heal" if number % 2 else "combat damage"
                perform_command(campaign, command, {"who": "odo", "amount": 1, "why": mark}, PlaySettings())
            ended = time.monotonic()
            came = _wait_for_mark(lines, mark, LOST_AFTER)
            assert len(came) == len(screens), f"{len(came)} of {len(screens)} have heard of {mark!r}"
            found += [(at - ended) * 1000 for at in came]
            _wait_for_mark(
                lines, "", pauses.uniform(0.05, 0.15)
            )  # not in step with anything that looks now and then
        for key in list(lines.get_map().values()):
            key.fileobj.close()  # type: ignore[union-attr]
    return found


def _wait_for_mark(lines: selectors.BaseSelector, mark: str, seconds: float) -> list[float]:
    """Read from all connections, and return the time at which each one received `mark`.

    Without a mark, read everything that arrives within `seconds` and return an empty list.
    """
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


def _print_delays(label: str, delays: list[float]) -> None:
    high = statistics.quantiles(delays, n=20)[-1]
    kept = "" if high <= 150 else ": OVER"
    middle, most = statistics.median(delays), max(delays)
    print(f"  {label:<58} {middle:6.1f}  (95th {high:.1f}, most {most:.1f})  150 at the 95th{kept}")
