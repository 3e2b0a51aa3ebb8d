"""Plays one command again and again, each time killed at another point; run as a program by test_crash.

It takes a job a line, as JSON: [TEMPLATE, OUT, [WORD...], FIRST]. OUT/whole is what the command makes of
TEMPLATE undisturbed. For every point, or for some of them where FIRST is a number, there is a copy of
TEMPLATE as the death left it, and beside it what had been printed by then. The answer is a line too: the
command's code, and the points.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
from itertools import count
from pathlib import Path

from campaign.befall import Befall, die
from campaign.evening import copied
from support.thorough import some_numbers

from strike_cli.cli.app import run_command_line_or_complete


def main(template: Path, out: Path, words: list[str], first: int | None) -> None:
    whole = out / "whole"
    copied(template, whole)
    code = _play(words, whole, out / "whole.out")  # here, so that every module is loaded before the forks
    points = []
    for half in (False, True):
        for number in count(1) if first is None else some_numbers(first + half):
            name = f"{'half' if half else 'before'}-{number}"
            point = _killed(template, out / name, words, number, half)
            if not point:
                break
            points.append({"name": name, "at": point})
    print(json.dumps({"code": code, "points": points}), flush=True)


def _play(words: list[str], folder: Path, printed: Path) -> int:
    sys.stdout.flush()
    kept = os.dup(1), os.dup(2)
    file = os.open(printed, os.O_WRONLY | os.O_CREAT, 0o644)
    os.dup2(file, 1)
    os.dup2(file, 2)
    try:
        return run_command_line_or_complete([*words, "-C", str(folder)])
    finally:
        os.dup2(kept[0], 1)
        os.dup2(kept[1], 2)


def _killed(template: Path, folder: Path, words: list[str], number: int, half: bool) -> str:
    """Where it was killed; empty where the command has fewer points than that."""
    now = copied(template, folder.with_name("now"))
    told = folder.with_suffix(".at")
    child = os.fork()
    if child == 0:
        befall = Befall(now, number, lambda path: (told.write_text(befall.struck), die(path)), half=half)
        with befall:
            code = _play(words, now, folder.with_suffix(".out"))
        os._exit(code)
    _, status = os.waitpid(child, 0)
    if not os.WIFSIGNALED(status):
        shutil.rmtree(now)
        return ""
    now.rename(folder)
    return told.read_text()


if __name__ == "__main__":
    for job in sys.stdin:
        folder, place, command, first = json.loads(job)
        main(Path(folder), Path(place), command, first)
