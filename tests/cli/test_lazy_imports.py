"""A command loads what it uses: its own rules, and none of the large libraries that others need."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

LARGE = [
    *("rich", "tomllib", "importlib.metadata", "httpcore", "ssl", "textual", "asyncio"),
    *(
        "jinja2",
        "jmespath",
        "strike_bridge.rest",
        "strike_cli.bridge_target_schema",
    ),  # of targets of TOML alone
    *("starlette", "uvicorn", "h11", "mcp", "strike_table", "strike_cli.serve"),  # of `serve` and `mcp` alone
]


@pytest.mark.slow
@pytest.mark.parametrize(
    "words", [["status"], ["roll", "skill", "vex", "Climbing", "--dry-run", "--dice", "5"], ["log"]]
)
def test_a_command_in_a_campaign_loads_no_large_library(
    folder: Path, words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))  # which no other test fills meanwhile
    typed = ["strike", "-C", str(folder), *words]
    subprocess.run([sys.executable, "-m", "strike_cli", *typed[1:]], check=True)  # it reads the book once
    program = (
        f"import strike_cli.__main__ as way_in, sys, atexit\nsys.argv = {typed!r}\n"
        f"atexit.register(lambda: print([name for name in {LARGE!r} if name in sys.modules]))\nway_in.main()"
    )
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert ended.stdout.splitlines()[-1] == "[]"
