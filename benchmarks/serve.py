"""Measure how many requests a second `strike serve` answers, and compare it with `strike batch`.

The requests are reads, dry runs and recorded commands. The server and the batch each run in their own
process. The rates count only the processor time of that process.
"""

from __future__ import annotations

import http.client
import json
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import median, quantiles
from typing import NamedTuple
from urllib.parse import urlsplit

from benchmarks.paired_timing import TRIAL_RUN, usual_or_trial_amount
from benchmarks.sample_campaigns import make_campaign_in_fight
from benchmarks.throughput import SEED, _record_fight_commands
from strike_cli.campaign.create import create_campaign_folder
from strike_cli.command_line_splitting import split_words_keeping_apostrophes

KEY = "the-key-of-this-door"
WARM_UP = usual_or_trial_amount(60, 2)
"""The commands that are played before any is measured."""
READS = usual_or_trial_amount(600, 8)
LINES = usual_or_trial_amount(300, 1)
"""The fewest commands of whole fights."""
ROUNDS = usual_or_trial_amount(7, 1)
CLIENTS = 4
"""The programs that send requests side by side."""
PIPELINE_DEPTH = 4
"""The commands sent ahead of their answers, where the server is kept busy."""
LIST_SIZE = 100
"""The commands of a list."""
SERVER_PROGRAM = """
import sys, time, threading
import strike_cli.__main__  # what is collected, and when, is set there
from pathlib import Path
from strike_cli.serve.serve_command import run_http_server_in_thread
ready = lambda url: print(url, flush=True)
with run_http_server_in_thread(Path(sys.argv[1]), sys.argv[2], on_ready=ready) as (game, url):
    def used():
        for _ in sys.stdin:
            print(time.process_time(), flush=True)
        game.stop()
    threading.Thread(target=used, daemon=True).start()
    game.play_until_stopped()
"""


BATCH_PROGRAM = """
import sys, time
import strike_cli.__main__
from benchmarks.throughput import _run_discarding_output
for script in sys.argv[2:]:
    begun = time.process_time()
    if _run_discarding_output("-C", sys.argv[1], "batch", script, "--json"):
        sys.exit("the script failed")
    used = time.process_time() - begun
print(used)
"""
"""The program that plays scripts, and reports the processor time of the last one."""
VALGRIND = ("valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null")


class ServerProcess(NamedTuple):
    """A server in a process of its own."""

    process: subprocess.Popen[str]
    host: str

    def processor_seconds(self) -> float:
        """Return the processor time that the server has used, in seconds."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write("\n")
        self.process.stdin.flush()
        return float(self.process.stdout.readline())


def main() -> None:
    """Print how many reads, dry runs and recorded commands `strike serve` handles in a second.

    Also print the ratio of its speed to that of `strike batch`.
    """
    with tempfile.TemporaryDirectory() as scratch:
        folder = make_campaign_in_fight(Path(scratch) / "campaign")
        with running_server(folder) as door:
            send_side_by_side(door, [("GET", "/api/v1/status", None)])
            _report_rate_by_processor_time(
                "reads (status), a second", door, [("GET", "/api/v1/status", None)] * READS, 300
            )
            _report_rate_by_processor_time(
                "reads (options), a second", door, [("GET", "/api/v1/options", None)] * READS, 300
            )
            tried = [_command_request("combat damage odo 1", dry_run=True)] * (READS // 2)
            _report_rate_by_processor_time("dry runs, a second", door, tried, 300)
        _compare_with_batch(Path(scratch))


def _report_rate_by_processor_time(
    label: str, door: ServerProcess, requests: Sequence[tuple[str, str, str | None]], least: float
) -> None:
    before = door.processor_seconds()
    send_side_by_side(door, requests)
    rate = len(requests) / (door.processor_seconds() - before)
    kept = "" if rate >= least else ": UNDER"
    print(f"  {label + ', of its processor':<58} {rate:6.0f}  at least {least:g}{kept}")


def _compare_with_batch(scratch: Path) -> None:
    """Compare the server with `strike batch` on whole fights, with the commands that the bot types.

    The server gets the commands in three ways:

    - several commands before the answers to earlier ones have come, so that it is always busy;
    - one command at a time, after the answer to the command before;
    - lists of LIST_SIZE commands, which share the cost of a request.

    The server's first commands are not counted, since a new process still imports its modules.
    """
    lines = _record_fight_commands(scratch / "played", LINES)
    took: list[float] = []

    def waiting(door: ServerProcess, asked: Sequence[RequestParts]) -> None:
        took.extend(send_side_by_side(door, asked, at_once=1))

    ways = {
        "kept busy": _send_pipelined,
        "one at a time": waiting,
        f"{LIST_SIZE} in a request": _send_in_lists,
    }
    kept: dict[str, list[float]] = {way: [] for way in ways}
    for number in range(ROUNDS):
        batch = _batch_processor_seconds(_new_campaign(scratch / f"batch-{number}"), lines)
        for way, play in ways.items():
            with running_server(_new_campaign(scratch / f"serve-{number}-{way}")) as door:
                asked = [_command_request(line, key=f"{number}-{at}") for at, line in enumerate(lines)]
                send_side_by_side(door, asked[:WARM_UP], at_once=1)
                before = door.processor_seconds()
                play(door, asked[WARM_UP:])
                kept[way].append(batch / (door.processor_seconds() - before))
    for way, found in kept.items():
        _print_ratios(f"recorded, of strike batch by its processor, {way}", found)
    late = quantiles(took, n=20)[-1] * 1000
    print(f"  {'a command of a fight, ms at the 95th percentile':<58} {late:6.1f}  at most 30")
    if TRIAL_RUN:  # valgrind would take minutes
        return
    if shutil.which(VALGRIND[0]) is None:
        print("  recorded, of strike batch by instructions: not counted, valgrind is not installed")
        return
    _print_ratios("recorded, of strike batch by instructions", [_ratio_by_instructions(scratch, lines)])


def _print_ratios(label: str, ratios: Sequence[float]) -> None:
    spread = f"({min(ratios):.2f} to {max(ratios):.2f})  " if len(ratios) > 1 else ""
    limit = "at least 0.8" + ("" if median(ratios) >= 0.8 else ": UNDER")
    print(f"  {label:<58} {median(ratios):6.2f}  {spread}{limit}", flush=True)


def _new_campaign(folder: Path) -> Path:
    create_campaign_folder(folder, seed=SEED)
    return folder


def _batch_processor_seconds(folder: Path, lines: Sequence[str], wrapper: Sequence[str] = ()) -> float:
    """Return the processor seconds that `strike batch` needs for `lines`, without the warm-up.

    The first WARM_UP lines are the warm-up. They are played, too, but their time isn't counted. `wrapper` is
    a program that runs the measured program, such as valgrind, with its arguments.
    """
    scripts = []
    for name, part in (("warm", lines[:WARM_UP]), ("script", lines[WARM_UP:])):
        if part:
            (folder / name).write_text("\n".join(part) + "\n", encoding="utf-8")
            scripts.append(str(folder / name))
    program = [*wrapper, sys.executable, "-c", BATCH_PROGRAM, str(folder), *scripts]
    return float(subprocess.run(program, check=True, stdout=subprocess.PIPE, text=True).stdout)


def _ratio_by_instructions(scratch: Path, lines: Sequence[str]) -> float:
    """Return the ratio of `strike batch` to the server in instructions, counted by valgrind.

    The instructions of the warm-up are subtracted.
    """

    def of_batch(folder: Path, count: int, before: Sequence[str]) -> None:
        _batch_processor_seconds(folder, lines[:count], wrapper=before)

    def of_serve(folder: Path, count: int, before: Sequence[str]) -> None:
        with running_server(folder, before) as door:
            send_side_by_side(
                door,
                [_command_request(line, key=f"{at}") for at, line in enumerate(lines[:count])],
                at_once=1,
            )

    def counted(play: Callable[[Path, int, Sequence[str]], None]) -> int:
        found = []
        for count in (WARM_UP, len(lines)):
            name = f"{play.__name__}-{count}"
            log = scratch / f"{name}.log"
            play(_new_campaign(scratch / name), count, [*VALGRIND, f"--log-file={log}"])
            (refs,) = re.findall(r"I +refs: +([\d,]+)", log.read_text(encoding="utf-8"))
            found.append(int(refs.replace(",", "")))
        return found[1] - found[0]

    return counted(of_batch) / counted(of_serve)


RequestParts = tuple[str, str, str | None]


def _command_request(line: str, **more: object) -> RequestParts:
    return "POST", "/api/v1/commands", json.dumps({"words": split_words_keeping_apostrophes(line), **more})


def send_side_by_side(
    door: ServerProcess, requests: Sequence[RequestParts], at_once: int = CLIENTS
) -> list[float]:
    """Send all requests from `at_once` threads, and return the seconds that each request took."""
    took: list[float] = []

    def run(mine: Sequence[RequestParts]) -> None:
        line = http.client.HTTPConnection(door.host)
        for method, path, body in mine:
            begun = time.perf_counter()
            line.request(method, path, body, {"Authorization": f"Bearer {KEY}"})
            answer = line.getresponse()
            text = answer.read()
            took.append(time.perf_counter() - begun)
            if answer.status != 200 or b'"ok": false' in text[:40]:
                raise RuntimeError(text[:200])
        line.close()

    crowd = [threading.Thread(target=run, args=(requests[at::at_once],)) for at in range(at_once)]
    for one in crowd:
        one.start()
    for one in crowd:
        one.join()
    if len(took) != len(requests):
        raise RuntimeError("something was refused")
    return took


def _send_in_lists(door: ServerProcess, requests: Sequence[RequestParts]) -> None:
    """Send LIST_SIZE commands at a time."""
    bodies = [body or "" for _, _, body in requests]
    for at in range(0, len(bodies), LIST_SIZE):
        listed = f'{{"commands": [{", ".join(bodies[at : at + LIST_SIZE])}]}}'
        line = http.client.HTTPConnection(door.host)
        line.request("POST", "/api/v1/commands", listed, {"Authorization": f"Bearer {KEY}"})
        answers = json.loads(line.getresponse().read())["answers"]
        line.close()
        if len(answers) != len(bodies[at : at + LIST_SIZE]) or not answers[-1]["ok"]:
            raise RuntimeError(str(answers[-1])[:200])


def _send_pipelined(door: ServerProcess, requests: Sequence[RequestParts]) -> None:
    """Send requests on one connection without waiting for each answer.

    Up to PIPELINE_DEPTH requests are sent ahead of their answers. So the server always has a request to work
    on.
    """
    host, port = door.host.split(":")
    with socket.create_connection((host, int(port)), timeout=60) as line, line.makefile("rb") as answers:
        sent = 0
        for answered in range(len(requests)):
            for method, path, body in requests[sent : answered + PIPELINE_DEPTH]:
                length = f"Content-Length: {len((body or '').encode())}"
                head = (f"{method} {path} HTTP/1.1", f"Host: {host}", f"Authorization: Bearer {KEY}", length)
                line.sendall(("\r\n".join(head) + "\r\n\r\n" + (body or "")).encode())
            sent = max(sent, min(answered + PIPELINE_DEPTH, len(requests)))
            status, fields = answers.readline(), http.client.parse_headers(answers)
            text = answers.read(int(fields["Content-Length"]))
            if b" 200 " not in status or b'"ok": false' in text[:40]:
                raise RuntimeError(text[:200])


@contextmanager
def running_server(folder: Path, wrapper: Sequence[str] = ()) -> Iterator[ServerProcess]:
    """Run a campaign's server during the block.

    `wrapper` is a program that runs it, such as valgrind, with its arguments.
    """
    process = subprocess.Popen(
        [*wrapper, sys.executable, "-c", SERVER_PROGRAM, str(folder), KEY],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        yield ServerProcess(process, urlsplit(process.stdout.readline().strip()).netloc)
    finally:
        process.stdin.close()
        process.wait(60)
