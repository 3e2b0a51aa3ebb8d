"""`strike serve`: reads, dry runs and recorded commands a second, how long a fight's commands take, and
what of `strike batch` is left of it. The server has a process of its own, and its own time is what counts."""

from __future__ import annotations

import http.client
import json
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import median, quantiles
from typing import NamedTuple
from urllib.parse import urlsplit

from benchmarks.campaigns import in_a_fight
from strike_cli.words import words_of

KEY = "the-key-of-this-door"
WARM = 60
"""Commands that are played before any is measured."""
AT_ONCE = 4
"""Programs that ask side by side."""
PROGRAM = """
import sys, time, threading
from pathlib import Path
from strike_cli.serve.command import served
with served(Path(sys.argv[1]), sys.argv[2], on_ready=lambda url: print(url, flush=True)) as (game, url):
    def used():
        for _ in sys.stdin:
            print(time.process_time(), flush=True)
        game.stop()
    threading.Thread(target=used, daemon=True).start()
    game.run()
"""


class Door(NamedTuple):
    """A door in a process of its own."""

    process: subprocess.Popen[str]
    host: str

    def used(self) -> float:
        """Seconds of the processor that it has taken."""
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
            _rate("reads (status), a second", door, [("GET", "/api/v1/status", None)] * 600, 300)
            _rate("reads (options), a second", door, [("GET", "/api/v1/options", None)] * 600, 300)
            tried = [_command("combat damage odo 1", dry_run=True)] * 300
            _rate("dry runs, a second", door, tried, 300)
        _against_batch(Path(scratch))


def _rate(what: str, door: Door, asked: Sequence[tuple[str, str, str | None]], least: float) -> None:
    before = door.used()
    ask(door, asked)
    rate = len(asked) / (door.used() - before)
    kept = "" if rate >= least else ": UNDER"
    print(f"  {what + ', of its processor':<58} {rate:6.0f}  at least {least:g}{kept}")


def _against_batch(scratch: Path) -> None:
    """Whole fights as the bot types them: by `strike batch`, then by a program, a command at a time. What is
    played first counts for neither: a process that has just begun reads its modules."""
    from benchmarks.throughput import SEED, _quietly, _whole_fights
    from strike_cli.campaign.create import create

    lines = _whole_fights(scratch / "played", 300)
    ratios, took = [], []
    for number in range(5):
        folder = scratch / f"batch-{number}"
        create(folder, seed=SEED)
        script = folder / "script"
        for part in (lines[:WARM], lines[WARM:]):
            script.write_text("\n".join(part) + "\n", encoding="utf-8")
            begun = time.process_time()
            if _quietly("-C", str(folder), "batch", str(script), "--json"):
                raise RuntimeError("the script failed")
            batch = time.process_time() - begun
        folder = scratch / f"serve-{number}"
        create(folder, seed=SEED)
        with opened(folder) as door:
            asked = [_command(line, key=f"{number}-{at}") for at, line in enumerate(lines)]
            ask(door, asked[:WARM], at_once=1)
            before = door.used()
            took += ask(door, asked[WARM:], at_once=1)
            ratios.append(batch / (door.used() - before))
    found = median(ratios)
    limit = "at least 0.8" if found >= 0.8 else "at least 0.8: UNDER"
    print(f"  {'recorded, of what strike batch plays a second':<58} {found:6.2f}  {limit}")
    late = quantiles(took, n=20)[-1] * 1000
    print(f"  {'a command of a fight, ms at the 95th percentile':<58} {late:6.1f}  at most 30")


Asked = tuple[str, str, str | None]


def _command(line: str, **more: object) -> Asked:
    return "POST", "/api/v1/commands", json.dumps({"words": words_of(line), **more})


def ask(door: Door, asked: Sequence[Asked], at_once: int = AT_ONCE) -> list[float]:
    """Ask for all of it, some side by side; how long each took, in seconds."""
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


@contextmanager
def opened(folder: Path) -> Iterator[Door]:
    """The door of a campaign."""
    process = subprocess.Popen(
        [sys.executable, "-c", PROGRAM, str(folder), KEY],
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
        process.wait(10)
