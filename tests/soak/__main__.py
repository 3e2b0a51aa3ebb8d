"""`make soak`: what takes longer than everyday tests may, within a bound, with figures.

    python -m soak [--minutes 30] [--seed N] [--mutants 1000] [PART...]

SOAK_PROCESSES: how many processes at once; else as many as there are processors.

Parts: `mutants` of the rules, each against the tests that run its line; `inputs`: mutated campaigns, states,
journals and command lines by the ten thousand; `cuts` of the power, ten thousand and more; `abuse` of the
table by strangers on its network; `growth` of its page over 100,000 updates; `secrecy` of random evenings;
`kills` of telling and pulling in a storm, a hundred and more of each kind; `agreement` of
what is simulated with exact odds, by chi-square of a million; `trust`: merges of random evenings by git,
kills and failing calls to the system at any moment, forged files, hostile answers; and the `thorough` forms
of the tests: random evenings, positions, fights, edits by the thousand. Exit code 1 where something is
wrong, or where over a tenth of the mutants live.
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
SHARES = {
    "thorough": 0.15, "mutants": 0.13, "inputs": 0.12, "cuts": 0.1, "abuse": 0.1, "growth": 0.11,
    "secrecy": 0.1, "kills": 0.07, "agreement": 0.04, "trust": 0.08,
}  # fmt: skip
"""What part of the time each may take."""
THOROUGH = (
    "tests/oracle",
    "tests/systems",
    "tests/rules",
    "tests/play",
    "tests/session",
    "tests/plugins",
    "tests/cli/test_contract.py tests/cli/test_long_evening.py tests/cli/test_round_trips.py "
    "tests/cli/test_broken_output.py tests/cli/test_battlemap.py",
    "tests/campaign/test_any_edit.py tests/campaign/test_state_machine.py "
    "tests/campaign/test_untrusted_folder.py tests/campaign/test_crash.py tests/campaign/test_disk.py "
    "tests/campaign/test_interrupt.py tests/campaign/test_writers.py",
    "tests/bridge tests/content tests/table/test_table_secrets.py tests/serve",
    "tests/sim --ignore=tests/sim/test_against_odds.py",
)
"""Each of these groups has its part of the time."""
KILLED = 0.9


def processes() -> int:
    return int(os.environ.get("SOAK_PROCESSES") or os.cpu_count() or 1)


def thorough(seconds: float, seed: int, most: int) -> bool:
    """The tests' long forms, each group in its part of the time; what one leaves the others have."""
    env = os.environ | {"STRIKE_THOROUGH": "1"}
    env["SOAK_MINUTES"] = str(seconds / 60 / len(THOROUGH) / 2)  # of those that go by the clock
    deadline, sound = time.monotonic() + seconds, True
    for done, group in enumerate(THOROUGH):
        part = max(1.0, (deadline - time.monotonic()) / (len(THOROUGH) - done))
        how = ["-x", "-n", str(processes()), "--dist", "worksteal"]
        script = [sys.executable, "-m", "pytest", *how, *group.split()]
        print(f"  {group}, at most {part:.0f} seconds", flush=True)
        try:
            sound &= subprocess.run(script, cwd=ROOT, env=env, timeout=part).returncode == 0
        except subprocess.TimeoutExpired:
            print("  not all of it in this time; nothing failed until then")
    return sound


def mutants(seconds: float, seed: int, most: int) -> bool:
    """A seeded sample of mutants: how many live, and which."""
    from .mutants import killed_share, run, shares

    found: dict[str, Counter[str]] = {}
    for number, outcome in enumerate(run(seed, seconds, most, processes()), 1):
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


def growth(seconds: float, seed: int, most: int) -> bool:
    """The table's page in chromium is sent 100,000 updates, or what there is time for: its heap and nodes."""
    minutes = str(seconds / 60 * 0.9)
    env = os.environ | {"STRIKE_THOROUGH": "1", "SOAK_MINUTES": minutes, "SOAK_SEED": str(seed)}
    script = [sys.executable, "-m", "pytest", "-s", "tests/table/test_table_growth.py"]
    return subprocess.run(script, cwd=ROOT, env=env).returncode == 0


def secrecy(seconds: float, seed: int, most: int) -> bool:
    """Random evenings with somebody hidden; all that players get of them is searched."""
    env = os.environ | {"STRIKE_THOROUGH": "1", "SOAK_MINUTES": str(seconds / 60), "SOAK_SEED": str(seed)}
    env["SOAK_MINUTES"] = str(seconds / 60 * 0.75)  # a third more goes to the evenings in folders
    which = "no_audience or no_screen"
    script = [sys.executable, "-m", "pytest", "-s", "-k", which, "tests/bridge/test_secrecy.py"]
    return subprocess.run(script, cwd=ROOT, env=env).returncode == 0


def agreement(seconds: float, seed: int, most: int) -> bool:
    """Fights, conflicts and chases as they are simulated against their exact odds: chi-square of a million of
    each, or of what there is time for."""
    env = os.environ | {"STRIKE_THOROUGH": "1", "SOAK_SECONDS": str(seconds / OF_AGREEMENT * 0.9)}
    script = [sys.executable, "-m", "pytest", "-q", "-s", "tests/sim/test_against_odds.py"]
    return subprocess.run(script, cwd=ROOT, env=env).returncode == 0


def inputs(seconds: float, seed: int, most: int) -> bool:
    """Files and lines in a wrong form, each kind in its part of the time: none may end in a traceback."""
    return _counted("tests/campaign/test_mutants.py", OF_INPUTS, seconds, seed)


def cuts(seconds: float, seed: int, most: int) -> bool:
    """Power cuts at any moment, with what was not synced lost by chance: nothing that had returned may be."""
    return _counted("tests/campaign/test_power_cuts.py", OF_CUTS, seconds, seed)


def kills(seconds: float, seed: int, most: int) -> bool:
    """Fights told and pulled through storms, with kills in the middle: both sides agree in the end."""
    return _counted("tests/bridge/test_pull_killed.py", OF_KILLS, seconds, seed)


def trust(seconds: float, seed: int, most: int) -> bool:
    """What others do to a campaign: git, kills, disks, forgers and tabletops."""
    return _counted(" ".join(OF_TRUST), OF_TRUST_IN_ALL, seconds, seed)


def _counted(tests: str, count: int, seconds: float, seed: int) -> bool:
    """A file of so many tests, each in its part of the time; how many of what they tried."""
    workers = processes()
    rounds = -(-count // workers)
    with tempfile.TemporaryDirectory() as place:
        figures = Path(place, "figures")
        env = os.environ | {
            "STRIKE_THOROUGH": "1",
            "SOAK_SEED": str(seed),
            "SOAK_SECONDS": str(seconds * 0.9 / rounds),
            "SOAK_FIGURES": str(figures),
        }
        script = [sys.executable, "-m", "pytest", "-q", "-n", str(workers), *tests.split()]
        done = subprocess.run(script, cwd=ROOT, env=env)
        tried = Counter[str]()
        for line in figures.read_text().splitlines() if figures.exists() else ():
            kind, count = line.split()
            tried[kind] += int(count)
    print("  tried: " + ", ".join(f"{count} of {kind}" for kind, count in tried.items()))
    return done.returncode == 0


OF_AGREEMENT = 4
"""Kinds in tests/sim/test_against_odds.py."""
OF_INPUTS = 16
"""Tests in tests/campaign/test_mutants.py: four kinds, each in four parts."""
OF_CUTS = 23
"""Tests in tests/campaign/test_power_cuts.py."""
OF_KILLS = 7
"""Tests in tests/bridge/test_pull_killed.py."""
OF_TRUST = (
    "tests/campaign/test_random_crashes.py",
    "tests/campaign/test_forged_files.py::test_any_kept_file_gets_an_answer",
    "tests/bridge/test_hostile_servers.py::test_any_bytes_in_place_of_an_answer_come_to_an_end",
)
OF_TRUST_IN_ALL = 12 + 5 + 1
"""Tests in them: three kinds in four parts each, a file each, one."""
PARTS = {
    "thorough": thorough, "mutants": mutants, "inputs": inputs, "cuts": cuts, "abuse": abuse,
    "growth": growth, "secrecy": secrecy, "kills": kills, "agreement": agreement, "trust": trust,
}  # fmt: skip


def main() -> int:
    """Run the parts that are asked for, each in its share of the time."""
    parser = argparse.ArgumentParser(prog="make soak")
    parser.add_argument("--minutes", type=float, default=float(os.environ.get("SOAK", 30)))
    parser.add_argument("--seed", type=int, default=int(os.environ.get("SOAK_SEED", 1)))
    parser.add_argument("--mutants", type=int, default=1000, help="No more than so many.")
    parser.add_argument("parts", nargs="*", choices=[*PARTS, []], default=[])
    asked = parser.parse_args()
    parts = asked.parts or [*PARTS]
    whole = sum(SHARES[part] for part in parts)
    sound = True
    for part in parts:
        seconds = asked.minutes * 60 * SHARES[part] / whole
        print(f"{part}, at most {seconds / 60:.0f} minutes, seed {asked.seed}", flush=True)
        began = time.monotonic()
        sound &= PARTS[part](seconds, asked.seed, asked.mutants)
        print(f"  {(time.monotonic() - began) / 60:.1f} minutes", flush=True)
    return 0 if sound else 1


if __name__ == "__main__":
    sys.exit(main())
