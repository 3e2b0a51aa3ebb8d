"""Measure how fast the bridge updates a table, and how soon after a command the tabletop has the result.

The bridge is compared with a bare httpx loop that makes the same requests, against a table and against a
server that does nothing.
"""

from __future__ import annotations

import asyncio
import itertools
import multiprocessing
import os
import statistics
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from multiprocessing.connection import Connection
from pathlib import Path
from statistics import median
from typing import Any

import httpx

from benchmarks.paired_timing import usual_or_trial_amount
from benchmarks.sample_campaigns import make_campaign_in_fight
from strike_bridge.consent import record_consent
from strike_bridge.delivery_record import load_or_make_cursor
from strike_bridge.dry_run import dry_run
from strike_bridge.http_conversation import HEADERS, encode_json
from strike_bridge.push_follow_and_sync import deliver_until_stopped, push
from strike_bridge.settings import Settings, settings_from_unchecked_table
from strike_bridge.targets import make_target_checking_consent
from strike_cli.campaign import Campaign
from strike_cli.play.command_execution import PlaySettings, perform_command

RESULTS = usual_or_trial_amount(300, 3)
MANY = usual_or_trial_amount(1_500, 3)
"""A number of results so large that the beginning and end hardly count."""
CHANGES = usual_or_trial_amount(1_000, 3)
ROUNDS = usual_or_trial_amount(5, 1)
COMMANDS = usual_or_trial_amount(60, 2)
KEY = "benchmark"


_OK_RESPONSE = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}"


class _EmptyOkProtocol(asyncio.Protocol):
    """A protocol that answers every request with 200 and `{}`, as quickly as Python can."""

    def connection_made(self, transport: Any) -> None:
        self.transport, self.came = transport, b""

    def data_received(self, data: bytes) -> None:
        self.came += data
        head, found, body = self.came.partition(b"\r\n\r\n")
        _, _, length = head.lower().partition(b"content-length: ")
        if found and len(body) >= int(length.partition(b"\r\n")[0] or 0):
            self.came = b""
            self.transport.write(_OK_RESPONSE)


def main() -> None:
    """Measure the bridge, and print the measurements.

    The first is the bridge's throughput, as a share of the throughput of a loop that only sends requests. The
    second is the time to deliver a thousand changes of 12 tokens. The third is the time from a command until
    the table acknowledges it. At the end, the throughput is measured again, with a server that does nothing.
    """
    os.environ["STRIKE_TABLE_KEY"] = os.environ["STRIKE_REST_KEY"] = KEY
    with tempfile.TemporaryDirectory() as state:
        os.environ["XDG_STATE_HOME"] = state  # what is agreed to here is nobody's business later
        _measure_all()


def _measure_all() -> None:
    with (
        tempfile.TemporaryDirectory() as scratch,
        _server_process(_serve_table, Path(scratch) / "table") as url,
    ):
        folder, settings = _make_campaign_and_deliver_fight(Path(scratch) / "campaign", url)
        share, each, _ = _compare_with_bare_loop(folder, settings)
        print(f"  {'results a second':<58} {1 / each:6.0f}")
        print(f"  {'share of a bare httpx loop':<58} {share:6.0%}")
        _record_hp_changes(folder, CHANGES)
        start = time.perf_counter()
        report = push(folder, settings)
        spent = time.perf_counter() - start
        print(f"  {f'{CHANGES} changes of {report.tokens} tokens, coalesced: seconds':<58} {spent:6.2f}")
        soon = _delivery_delay_95th_percentile(folder, settings)
        print(f"  {'command to table, 95th percentile (at most 150): ms':<58} {soon * 1000:6.0f}")
    with (
        tempfile.TemporaryDirectory() as scratch,
        _server_process(_serve_empty_answers, Path(scratch)) as url,
    ):
        share, _, spent = _compare_with_bare_loop(
            *_make_campaign_and_deliver_fight(Path(scratch) / "campaign", url)
        )
        print(f"  {'share of it where the server does nothing (at least 80%)':<58} {share:6.0%}")
        print(f"  {'the same of processor time alone':<58} {spent:6.0%}")
    with (
        tempfile.TemporaryDirectory() as scratch,
        _server_process(_serve_empty_answers, Path(scratch)) as url,
    ):
        folder, settings = _make_campaign_and_deliver_fight(Path(scratch) / "campaign", url, _BY_TOML)
        share, _, spent = _compare_with_bare_loop(folder, settings, _make_transport_sender, MANY)
        print(f"  {'of a target by TOML alone, against one httpx transport (65%)':<58} {share:6.0%}")
        print(f"  {'the same of processor time alone':<58} {spent:6.0%}")
        share, _, spent = _compare_with_bare_loop(
            folder, settings, partial(_make_transport_sender, built=True), MANY
        )
        print(f"  {'where httpx has its requests built before, too':<58} {share:6.0%}")
        print(f"  {'the same of processor time alone':<58} {spent:6.0%}")


def _serve_empty_answers(ready: Connection, folder: Path) -> None:
    async def serve() -> None:
        server = await asyncio.get_running_loop().create_server(_EmptyOkProtocol, "127.0.0.1", 0)
        ready.send(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}")
        await server.serve_forever()

    asyncio.run(serve())


@contextmanager
def _server_process(serve: Callable[[Connection, Path], None], folder: Path) -> Iterator[str]:
    """Run a server in a separate process, and yield its address. The process ends with the context.

    In this way the server uses no processor time of the process that is measured.
    """
    ours, theirs = multiprocessing.Pipe()
    process = multiprocessing.get_context("spawn").Process(target=serve, args=[theirs, folder], daemon=True)
    process.start()
    try:
        yield ours.recv()
    finally:
        process.terminate()
        process.join()


def _serve_table(ready: Connection, folder: Path) -> None:
    from strike_table.serve import serve

    serve(folder, KEY, port=0, on_ready=ready.send)


_BY_TOML = {
    "kind": "rest",
    "auth": {"kind": "bearer"},
    "on": {
        "result": {
            "request": "PUT /chat/{{ result.id }}",
            "body": {"text": "{{ result.text }}", "html": "{{ result.html }}"},
        }
    },
}


def _make_campaign_and_deliver_fight(
    folder: Path, url: str, table: Mapping[str, Any] | None = None
) -> tuple[Path, Settings]:
    """Make a campaign with a fight under way, and deliver the fight to a target.

    Return the campaign's folder and the target's settings.
    """
    settings = settings_from_unchecked_table("table", {**(table or {"kind": "table"}), "url": url})
    make_campaign_in_fight(folder)
    record_consent(folder, settings, make_target_checking_consent(folder, settings, with_key=False).terms())
    push(folder, settings)
    return folder, settings


def _compare_with_bare_loop(
    folder: Path,
    settings: Settings,
    bare: Callable[[list[dict[str, Any]]], Callable[[], None]] | None = None,
    count: int = RESULTS,
) -> tuple[float, float, float]:
    """Compare the speed of the bridge with that of a bare loop that sends the same requests.

    Returns:
        The bridge's throughput as a share of the loop's; the bridge's seconds for each request; and the
        loop's processor time as a share of the bridge's.
    """
    cursor = folder / "bridge" / "table.json"
    told = cursor.read_bytes()
    _record_rolls(folder, count)
    requests = dry_run(folder, settings)
    rounds = []
    for _ in range(ROUNDS):
        alone = _timed(bare(requests) if bare else lambda: _send_with_httpx(requests))
        cursor.write_bytes(told)
        cursor.with_suffix(".lines").unlink(missing_ok=True)
        rounds.append((alone, _timed(lambda: _push_exactly(folder, settings, len(requests)))))
    share = median(alone[0] / told_in[0] for alone, told_in in rounds)
    spent = min(alone[1] for alone, _ in rounds) / min(told_in[1] for _, told_in in rounds)
    return share, min(told_in[0] for _, told_in in rounds) / len(requests), spent


def _timed(work: Callable[[], object]) -> tuple[float, float]:
    """Call `work`, and return the seconds that passed and the seconds of processor time."""
    start, used = time.perf_counter(), time.process_time()
    work()
    return time.perf_counter() - start, time.process_time() - used


def _push_exactly(folder: Path, settings: Settings, count: int) -> None:
    report = push(folder, settings)
    if report.error or report.sent != count:
        raise RuntimeError(f"{report.sent} of {count} sent: {report.error}")


def _delivery_delay_95th_percentile(folder: Path, settings: Settings) -> float:
    """Return the delay from a command's end until a running bridge has delivered it.

    The unit is seconds; the value is the 95th percentile.
    """
    stop, waits = threading.Event(), []
    following = threading.Thread(target=deliver_until_stopped, args=(folder, settings, stop))
    following.start()
    try:
        for number in range(COMMANDS):
            with Campaign(folder, writing=True) as campaign:
                came = perform_command(
                    campaign, "roll die", {"n": 1, "sides": 6, "who": ""}, PlaySettings(dice=[number % 6 + 1])
                )
            start = time.perf_counter()
            while load_or_make_cursor(folder, settings.name).acknowledged < (came.seq or 0):
                time.sleep(0.002)
            waits.append(time.perf_counter() - start)
    finally:
        stop.set()
        following.join()
    return statistics.quantiles(waits, n=20)[-1]


def _record_rolls(folder: Path, count: int) -> None:
    with Campaign(folder, writing=True) as campaign, campaign.keep_open():
        for number in range(count):
            args = {"n": 1, "sides": 6, "who": ""}
            perform_command(campaign, "roll die", args, PlaySettings(dice=[number % 6 + 1]))


def _record_hp_changes(folder: Path, count: int) -> None:
    with Campaign(folder, writing=True) as campaign, campaign.keep_open():
        everybody = list(campaign.state["fight"]["combatants"])[:12]
        for number in range(count):
            person = everybody[number % len(everybody)]
            path = f"fight.combatants.{person}.hp"
            args = {"path": path, "value": 1 + number % 7, "why": "shuffled", "scene": "fight"}
            perform_command(campaign, "override", args, PlaySettings(secret=True))


def _send_with_httpx(requests: list[dict[str, Any]]) -> None:
    """Send the requests with an `httpx.Client` alone."""
    with httpx.Client(trust_env=False) as client:
        for each in requests:
            headers = {**each["headers"], "authorization": f"Bearer {KEY}"}
            client.request(each["method"], each["url"], headers=headers, json=each["body"])


def _make_transport_sender(requests: list[dict[str, Any]], *, built: bool = False) -> Callable[[], None]:
    """Return a function that sends the requests over one httpx transport, with the bridge's own headers.

    The bodies are encoded in advance. With `built`, the request objects are also made in advance. The
    transport loads no certificates, since plain http needs none.
    """
    headers = {**HEADERS, "content-type": "application/json", "authorization": f"Bearer {KEY}"}
    ready = [(each["method"], each["url"], encode_json(each["body"])) for each in requests]

    def request(method: str, url: str, content: bytes) -> httpx.Request:
        return httpx.Request(method, url, headers=headers, content=content)

    before = [request(*each) for each in ready] if built else None

    def send() -> None:
        with httpx.HTTPTransport(verify=False) as transport:
            for each in before or itertools.starmap(request, ready):
                answer = transport.handle_request(each)
                answer.read()
                answer.close()

    return send
