"""Measure `strike serve`: reads, dry runs and recorded commands a second, compared with `strike batch`.

Both run in a process of their own; its processor time is what counts.
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

from benchmarks.campaigns import in_a_fight
from benchmarks.measure import ONCE, size
from benchmarks.throughput import SEED, _whole_fights
from strike_cli.campaign.create import create_campaign
from strike_cli.command_line_splitting import split_words

KEY = "the-key-of-this-door"
WARM = size(60, 2)
"""The commands that are played before any is measured."""
READS = size(600, 8)
LINES = size(300, 1)
"""The fewest commands of whole fights."""
ROUNDS = size(7, 1)
AT_ONCE = 4
"""The programs that send requests side by side."""
AHEAD = 4
"""The commands sent ahead of their answers, where the server is kept busy."""
LISTED = 100
"""The commands of a list."""
PROGRAM = """
import sys, time, threading
import strike_cli.__main__  # what is collected, and when, is set there
from pathlib import Path
from strike_cli.serve.serve_command import serve_in_thread
ready = lambda url: print(url, flush=True)
with serve_in_thread(Path(sys.argv[1]), sys.argv[2], on_ready=ready) as (game, url):
    def used():
        for _ in sys.stdin:
            print(time.process_time(), flush=True)
        game.stop()
    threading.Thread(target=used, daemon=True).start()
    game.play_until_stopped()
"""


BATCH = """
import sys, time
import strike_cli.__main__
from benchmarks.throughput import _quietly
for script in sys.argv[2:]:
    begun = time.process_time()
    if _quietly("-C", sys.argv[1], "batch", script, "--json"):
        sys.exit("the script failed")
    used = time.process_time() - begun
print(used)
"""
"""The program that plays scripts, and reports the processor time of the last one."""
COUNT = ("valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null")


class Door(NamedTuple):
    """A server in a process of its own."""

    process: subprocess.Popen[str]
    host: str

    def used(self) -> float:
        """Return the processor seconds that it has used."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write("\n")
        self.process.stdin.flush()
        return float(self.process.stdout.readline())


def main() -> None:
    """Print reads, dry runs and recorded commands a second, and the ratio to `strike batch`."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = in_a_fight(Path(scratch) / "campaign")
        with opened(folder) as door:
            ask(door, [("GET", "/api/v1/status", None)])
            _rate("reads (status), a second", door, [("GET", "/api/v1/status", None)] * READS, 300)
            _rate("reads (options), a second", door, [("GET", "/api/v1/options", None)] * READS, 300)
            tried = [_command("combat damage odo 1", dry_run=True)] * (READS // 2)
            _rate("dry runs, a second", door, tried, 300)
        _against_batch(Path(scratch))


def _rate(what: str, door: Door, asked: Sequence[tuple[str, str, str | None]], least: float) -> None:
    before = door.used()
    ask(door, asked)
    rate = len(asked) / (door.used() - before)
    kept = "" if rate >= least else ": UNDER"
    print(f"  {what + ', of its processor':<58} {rate:6.0f}  at least {least:g}{kept}")


def _against_batch(scratch: Path) -> None:
    """Measure whole fights as the bot types them, by `strike batch` and by the server.

    The server is asked by a program that keeps it as busy as a script does; by one that waits for each answer
    before its next request (between two of its commands the processor's caches grow cold); and by one that
    sends lists, which is another question: the cost of a request is shared there. The first commands don't
    count: a process that has just begun reads its modules.
    """
    lines = _whole_fights(scratch / "played", LINES)
    took: list[float] = []

    def waiting(door: Door, asked: Sequence[Asked]) -> None:
        took.extend(ask(door, asked, at_once=1))

    ways = {"kept busy": _without_a_pause, "one at a time": waiting, f"{LISTED} in a request": _listed}
    kept: dict[str, list[float]] = {way: [] for way in ways}
    for number in range(ROUNDS):
        batch = _batch(_new(scratch / f"batch-{number}"), lines)
        for way, play in ways.items():
            with opened(_new(scratch / f"serve-{number}-{way}")) as door:
                asked = [_command(line, key=f"{number}-{at}") for at, line in enumerate(lines)]
                ask(door, asked[:WARM], at_once=1)
                before = door.used()
                play(door, asked[WARM:])
                kept[way].append(batch / (door.used() - before))
    for way, found in kept.items():
        _report(f"recorded, of strike batch by its processor, {way}", found)
    late = quantiles(took, n=20)[-1] * 1000
    print(f"  {'a command of a fight, ms at the 95th percentile':<58} {late:6.1f}  at most 30")
    if ONCE:  # valgrind would take minutes
        return
    if shutil.which(COUNT[0]) is None:
        print("  recorded, of strike batch by instructions: not counted, valgrind is not installed")
        return
    _report("recorded, of strike batch by instructions", [_by_instructions(scratch, lines)])


def _report(what: str, ratios: Sequence[float]) -> None:
    spread = f"({min(ratios):.2f} to {max(ratios):.2f})  " if len(ratios) > 1 else ""
    limit = "at least 0.8" + ("" if median(ratios) >= 0.8 else ": UNDER")
    print(f"  {what:<58} {median(ratios):6.2f}  {spread}{limit}", flush=True)


def _new(folder: Path) -> Path:
    create_campaign(folder, seed=SEED)
    return folder


def _batch(folder: Path, lines: Sequence[str], before: Sequence[str] = ()) -> float:
    """Return the processor's seconds of `strike batch` for the lines that are measured."""
    scripts = []
    for name, part in (("warm", lines[:WARM]), ("script", lines[WARM:])):
        if part:
            (folder / name).write_text("\n".join(part) + "\n", encoding="utf-8")
            scripts.append(str(folder / name))
    program = [*before, sys.executable, "-c", BATCH, str(folder), *scripts]
    return float(subprocess.run(program, check=True, stdout=subprocess.PIPE, text=True).stdout)


def _by_instructions(scratch: Path, lines: Sequence[str]) -> float:
    """Return the same ratio by valgrind's instructions outside the kernel: all lines, less the first ones."""

    def of_batch(folder: Path, count: int, before: Sequence[str]) -> None:
        _batch(folder, lines[:count], before=before)

    def of_serve(folder: Path, count: int, before: Sequence[str]) -> None:
        with opened(folder, before) as door:
            ask(door, [_command(line, key=f"{at}") for at, line in enumerate(lines[:count])], at_once=1)

    def counted(play: Callable[[Path, int, Sequence[str]], None]) -> int:
        found = []
        for count in (WARM, len(lines)):
            name = f"{play.__name__}-{count}"
            log = scratch / f"{name}.log"
            play(_new(scratch / name), count, [*COUNT, f"--log-file={log}"])
            (refs,) = re.findall(r"I +refs: +([\d,]+)", log.read_text(encoding="utf-8"))
            found.append(int(refs.replace(",", "")))
        return found[1] - found[0]

    return counted(of_batch) / counted(of_serve)


Asked = tuple[str, str, str | None]


def _command(line: str, **more: object) -> Asked:
    return "POST", "/api/v1/commands", json.dumps({"words": split_words(line), **more})


def ask(door: Door, asked: Sequence[Asked], at_once: int = AT_ONCE) -> list[float]:
    """Send all requests, some side by side, and return the seconds that each took."""
    took: list[float] = []

    def run(mine: Sequence[Asked]) -> None:
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

    crowd = [threading.Thread(target=run, args=(asked[at::at_once],)) for at in range(at_once)]
    for one in crowd:
        one.start()
    for one in crowd:
        one.join()
    if len(took) != len(asked):
        raise RuntimeError("something was refused")
    return took


def _listed(door: Door, asked: Sequence[Asked]) -> None:
    """Send LISTED commands at a time."""
    bodies = [body or "" for _, _, body in asked]
    for at in range(0, len(bodies), LISTED):
        listed = f'{{"commands": [{", ".join(bodies[at : at + LISTED])}]}}'
        line = http.client.HTTPConnection(door.host)
        line.request("POST", "/api/v1/commands", listed, {"Authorization": f"Bearer {KEY}"})
        answers = json.loads(line.getresponse().read())["answers"]
        line.close()
        if len(answers) != len(bodies[at : at + LISTED]) or not answers[-1]["ok"]:
            raise RuntimeError(str(answers[-1])[:200])


def _without_a_pause(door: Door, asked: Sequence[Asked]) -> None:
    """Send commands on one connection, AHEAD of the answers, which come in order: the server never waits."""
    host, port = door.host.split(":")
    with socket.create_connection((host, int(port)), timeout=60) as line, line.makefile("rb") as answers:
        sent = 0
        for answered in range(len(asked)):
            for method, path, body in asked[sent : answered + AHEAD]:
                length = f"Content-Length: {len((body or '').encode())}"
                head = (f"{method} {path} HTTP/1.1", f"Host: {host}", f"Authorization: Bearer {KEY}", length)
                line.sendall(("\r\n".join(head) + "\r\n\r\n" + (body or "")).encode())
            sent = max(sent, min(answered + AHEAD, len(asked)))
            status, fields = answers.readline(), http.client.parse_headers(answers)
            text = answers.read(int(fields["Content-Length"]))
            if b" 200 " not in status or b'"ok": false' in text[:40]:
                raise RuntimeError(text[:200])


@contextmanager
def opened(folder: Path, before: Sequence[str] = ()) -> Iterator[Door]:
    """Run the server of a campaign during the block; `before` comes before its command."""
    process = subprocess.Popen(
        [*before, sys.executable, "-c", PROGRAM, str(folder), KEY],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        yield Door(process, urlsplit(process.stdout.readline().strip()).netloc)
    finally:
        process.stdin.close()
        process.wait(60)
