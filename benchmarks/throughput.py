"""Commands a second in one process: what a script of commands can count on."""

from __future__ import annotations

import contextlib
import io
import tempfile
import time
from pathlib import Path

from benchmarks.campaigns import in_a_fight
from strike_cli.cli.app import run

COMMANDS = 1_000


def main() -> None:
    """Print commands a second of `strike batch` in a fight of twelve."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = in_a_fight(Path(scratch) / "campaign")
        script = Path(scratch) / "script"
        pair = "combat damage odo 1\ncombat heal odo 1\n"
        script.write_text(pair * (COMMANDS // 2))
        start = time.perf_counter()
        with contextlib.redirect_stdout(io.StringIO()):
            code = run(["-C", str(folder), "batch", str(script)])
        spent = time.perf_counter() - start
        if code:
            raise RuntimeError(f"the script ended with {code}")
        print(f"  {'combat commands a second in strike batch':<58} {COMMANDS / spent:6.0f}")
