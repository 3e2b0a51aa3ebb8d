"""Golden evenings: a script of commands with the dice in, and all that it says and does.

`NAME.strike` is the script, a command a line as one types it, in the campaign of `NAME.toml`, or else the
small one of tests/data. `NAME.txt` is what came of it, each command with its screen, what went to stderr
(`!`), its exit code where it isn't 0, and its facts (`=`). After a change that means to change them:
`pytest tests/golden --regenerate-golden`, and read the difference.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from support.cli import Ran, Strike

HERE = Path(__file__).parent


def commands(script: Path) -> Iterator[str]:
    """The lines of a script that are commands."""
    for line in script.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            yield line


def play(strike: Strike, folder: Path, script: Path) -> str:
    """The evening, in full."""
    lines: list[str] = []
    seen: dict[Path, int] = {}
    if (own := script.with_suffix(".toml")).exists():
        (folder / "campaign.toml").write_bytes(own.read_bytes())
    for line in commands(script):
        ran = strike(line, None)
        facts = [fact for entry in newly_told(folder, seen) for fact in entry["facts"]]
        lines += [
            f"$ {line}",
            *screen(ran),
            *(f"= {json.dumps(fact, ensure_ascii=False)}" for fact in facts),
            "",
        ]
    return "\n".join(lines)


def newly_told(folder: Path, seen: dict[Path, int]) -> Iterator[dict[str, Any]]:
    """The journal's entries beyond what was seen of each file."""
    for file in sorted((folder / "journal").glob("*.jsonl")):
        with open(file, "rb") as opened:
            opened.seek(seen.get(file, 0))
            yield from map(json.loads, opened)
            seen[file] = opened.tell()


def screen(ran: Ran) -> Iterator[str]:
    yield from ran.out.splitlines()
    yield from (f"! {line}" for line in ran.err.splitlines())
    if ran.code:
        yield f"(exit code {ran.code})"


@pytest.mark.parametrize("name", [path.stem for path in sorted(HERE.glob("*.strike"))])
def test_golden_evening(in_campaign: Strike, folder: Path, name: str, request: pytest.FixtureRequest) -> None:
    """STR-CORE-02 to 06, STR-CORE-16, 17, 20; STR-TAC-01 to 25, 27. Its journal, played again from its
    recorded dice, says the same."""
    told = play(in_campaign, folder, HERE / f"{name}.strike")
    expected = HERE / f"{name}.txt"
    if request.config.getoption("--regenerate-golden"):
        expected.write_text(told, encoding="utf-8")
    assert told.splitlines() == expected.read_text(encoding="utf-8").splitlines()
    replayed = in_campaign.json("replay --verify")["data"]
    assert replayed["differences"] == []
    assert replayed["played"] > 10
