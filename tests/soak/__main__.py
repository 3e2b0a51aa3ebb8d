"""`make soak`: what takes longer than everyday tests may, within a bound, with figures.

    python -m soak [--minutes 30] [--seed N] [--mutants 1000] [PART...]

Parts: `mutants` of the rules, each against the tests that run its line; `inputs`: mutated campaigns, states,
journals and command lines by the ten thousand; `abuse` of the table by strangers on its network; `secrecy` of
random evenings; and the `thorough` forms of the tests: random evenings, positions, fights, edits by the
thousand. Exit code 1 where something is wrong, or where over a tenth of the mutants live.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).parents[2]
SHARES = {"thorough": 0.35, "mutants": 0.25, "inputs": 0.15, "abuse": 0.15, "secrecy": 0.1}
"""What part of the time each may take."""
THOROUGH = ("tests/oracle", "tests/systems", "tests/rules", "tests/play", "tests/campaign/test_any_edit.py")
KILLED = 0.9


def thorough(seconds: float, seed: int, most: int) -> bool:
    """The tests' long forms, until the time is over."""
    env = os.environ | {"STRIKE_THOROUGH": "1"}
    script = [sys.executable, "-m", "pytest", "-n", "auto", *THOROUGH]
    try:
        done = subprocess.run(script, cwd=ROOT, env=env, timeout=seconds)
    except subprocess.TimeoutExpired:
        print("  not all of it in this time; nothing failed until then")
        return True
    return done.returncode == 0


def mutants(seconds: float, seed: int, most: int) -> bool:
    """A seeded sample of mutants: how many live, and which."""
    from .mutants import killed_share, run, shares

    found: dict[str, Counter[str]] = {}
    for number, outcome in enumerate(run(seed, seconds, most, os.cpu_count() or 1), 1):
        for part in (outcome.part, "together"):
            found.setdefault(part, Counter())[outcome.what] += 1
        if outcome.what in ("alive", "untested"):
            print(f"  {outcome.what}  {outcome.told}", flush=True)
        if number % 100 == 0:
            print(f"  {number} tried: {dict(found['together'])}", flush=True)
    for line in shares(found):
        print(f"  {line}")
    return not found or killed_share(found["together"]) >= KILLED


def abuse(seconds: float, seed: int, most: int) -> bool:
    """Strangers who send the table what they can think of, all the time; figures at the end."""
    env = os.environ | {"STRIKE_THOROUGH": "1", "SOAK_MINUTES": str(seconds / 60), "SOAK_SEED": str(seed)}
    script = [sys.executable, "-m", "pytest", "-s", "-k", "abuse_leave", "tests/table/test_table_abuse.py"]
    return subprocess.run(script, cwd=ROOT, env=env).returncode == 0


def secrecy(seconds: float, seed: int, most: int) -> bool:
    """Random evenings with somebody hidden; all that players get of them is searched."""
    env = os.environ | {"STRIKE_THOROUGH": "1", "SOAK_MINUTES": str(seconds / 60), "SOAK_SEED": str(seed)}
    script = [sys.executable, "-m", "pytest", "-s", "-k", "no_audience", "tests/bridge/test_secrecy.py"]
    return subprocess.run(script, cwd=ROOT, env=env).returncode == 0


def inputs(seconds: float, seed: int, most: int) -> bool:
    """Files and lines in a wrong form, each kind in its part of the time: none may end in a traceback."""
    workers = os.cpu_count() or 1
    rounds = -(-OF_INPUTS // workers)
    with tempfile.TemporaryDirectory() as place:
        figures = Path(place, "figures")
        env = os.environ | {
            "STRIKE_THOROUGH": "1",
            "SOAK_SEED": str(seed),
            "SOAK_SECONDS": str(seconds * 0.9 / rounds),
            "SOAK_FIGURES": str(figures),
        }
        script = [sys.executable, "-m", "pytest", "-q", "-n", str(workers), "tests/campaign/test_mutants.py"]
        done = subprocess.run(script, cwd=ROOT, env=env)
        tried = Counter[str]()
        for line in figures.read_text().splitlines() if figures.exists() else ():
            kind, count = line.split()
            tried[kind] += int(count)
    print("  tried: " + ", ".join(f"{count} of {kind}" for kind, count in tried.items()))
    return done.returncode == 0


OF_INPUTS = 16
"""Tests in tests/campaign/test_mutants.py: four kinds, each in four parts."""
PARTS = {
    "thorough": thorough, "mutants": mutants, "inputs": inputs, "abuse": abuse, "secrecy": secrecy,
}  # fmt: skip


def main() -> int:
    """Run the parts that are asked for, each in its share of the time."""
    parser = argparse.ArgumentParser(prog="make soak")
    parser.add_argument("--minutes", type=float, default=float(os.environ.get("SOAK", 30)))
    parser.add_argument("--seed", type=int, default=int(os.environ.get("SOAK_SEED", 1)))
    parser.add_argument("--mutants", type=int, default=1000, help="No more than so many.")
    parser.add_argument("parts", nargs="*", choices=[*PARTS, []], default=list(PARTS))
    asked = parser.parse_args()
    whole = sum(SHARES[part] for part in asked.parts)
    sound = True
    for part in asked.parts:
        seconds = asked.minutes * 60 * SHARES[part] / whole
        print(f"{part}, at most {seconds / 60:.0f} minutes, seed {asked.seed}", flush=True)
        began = time.monotonic()
        sound &= PARTS[part](seconds, asked.seed, asked.mutants)
        print(f"  {(time.monotonic() - began) / 60:.1f} minutes", flush=True)
    return 0 if sound else 1


if __name__ == "__main__":
    sys.exit(main())
