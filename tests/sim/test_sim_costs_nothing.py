"""Nothing of sim, statistics or Dask is imported unless sim is typed, and of Dask nothing without --on."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

TELLS = """
import sys
from strike_cli.cli.app import run_command_line_or_complete
code = run_command_line_or_complete(sys.argv[1:])
heavy = ("strike_cli.sim", "statistics", "multiprocessing", "concurrent.futures", "dask", "distributed")
print(*sorted({name for name in heavy if name in sys.modules}), file=sys.stderr)
"""


def _imported(folder: Path, line: str) -> set[str]:
    words = [sys.executable, "-c", TELLS, "-C", str(folder), *line.split()]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    return set(done.stderr.split())


@pytest.mark.slow
@pytest.mark.parametrize("line", ["status", "grit start bridge --dry-run", "sim --help"])
def test_other_commands_import_nothing_of_it(grit_folder: Path, line: str) -> None:
    assert not _imported(grit_folder, line) - ({"strike_cli.sim"} if "sim" in line else set())


@pytest.mark.slow
def test_sim_imports_no_dask(grit_folder: Path) -> None:
    line = "sim bridge --fights 1 --workers 1 --bot good --json"
    assert not {"dask", "distributed", "multiprocessing"} & _imported(grit_folder, line)
