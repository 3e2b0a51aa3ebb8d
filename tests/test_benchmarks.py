"""Every benchmark in its smallest form: it still works. What its numbers say takes a quiet machine."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from benchmarks.archetypes import read_draws, results_table

ROOT = Path(__file__).parent.parent
NO_BENCHMARKS = {
    "archetypes",
    "best_response",
    "sample_campaigns",
    "paired_timing",
    "status_costs",
    "__init__",
    "__main__",
}
NAMES = sorted({file.stem for file in (ROOT / "benchmarks").glob("*.py")} - NO_BENCHMARKS)

pytestmark = pytest.mark.slow


def ran(*words: str) -> str:
    """What a benchmark prints that is only tried. Chromium has a socket there, whose path is to be short."""
    with TemporaryDirectory() as scratch:
        environment = os.environ | {"STRIKE_BENCH_ONCE": "1", "TMPDIR": scratch}
        done = subprocess.run(
            [sys.executable, "-m", *words], cwd=ROOT, env=environment, capture_output=True, text=True
        )
    assert done.returncode == 0, done.stderr[-4000:]
    return done.stdout


@pytest.mark.parametrize("name", NAMES)
def test_it_works(name: str) -> None:
    title, *lines = ran("benchmarks", name).split("\n", 2)[1:]
    assert title == name
    assert lines[0].startswith("  ")
    assert "no chromium found" not in lines[0] or not os.environ.get("STRIKE_REQUIRE_BROWSER")


def test_the_table_of_archetypes_is_made_of_the_fights_that_are_kept() -> None:
    draws = read_draws(ROOT / "benchmarks" / "archetypes.full.jsonl")
    document = (ROOT / "docs" / "archetypes.md").read_text("utf-8")
    rows = "\n".join(line for line in results_table(draws).split("\n") if line.startswith("|"))
    assert f"{3 * len(draws):,} fights, {len(draws):,} by each archetype.\n\n{rows}\n" in document


def test_archetypes_are_dealt_and_their_fights_kept(tmp_path: Path) -> None:
    kept = tmp_path / "quick.jsonl"
    for draws in ("1", "2"):
        said = ran("benchmarks.archetypes", "quick", "--draws", draws, "--into", str(kept))
        assert said == f"{draws} draws are too few for a table.\n"
    assert len(kept.read_text("utf-8").splitlines()) == 2
