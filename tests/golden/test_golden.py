"""Golden evenings: a script of commands with the dice in, and all that it says and does.

`NAME.strike` is the script, a command a line as one types it, in the campaign of `NAME.toml`, or else the
small one of tests/data. `NAME.txt` is what came of it, each command with its screen, what went to stderr
(`!`), its exit code where it isn't 0, and its facts (`=`): a fact may know more than it did when the evening
was written down, and nothing else. After a change that means to change them: `pytest tests/golden
--regenerate-golden`, and read the difference."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import zip_longest
from pathlib import Path
from typing import Any

import pytest
from support.cli import Ran, Strike

from strike_cli.campaign.journal import Journal

HERE = Path(__file__).parent


def commands(script: Path) -> Iterator[str]:
    """The lines of a script that are commands."""
    for line in script.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            yield line


def play(strike: Strike, folder: Path, script: Path) -> str:
    """The evening, in full."""
    lines: list[str] = []
    seen: dict[str, int] = {}
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


def newly_told(folder: Path, seen: dict[str, int]) -> Iterator[dict[str, Any]]:
    """The journal's entries beyond what was seen of each file."""
    journal = Journal(folder)
    for name in journal.file_names():
        for entry, _, end in journal.entries_since((name, seen.get(name, 0))):
            yield entry
            seen[end[0]] = end[1]


def as_far_as_written(told: list[str], written: list[str]) -> list[str | None]:
    """An evening's lines. Of a decision who takes it and its answers are compared, not in which words it is
    put: those are facts' business, and get better."""
    found: list[str | None] = []
    deciding = False
    for line, was in zip_longest(told, written):
        both = line is not None and was is not None
        asks = both and line.startswith(DECISION) and was.startswith(DECISION)
        deciding = bool(asks or (deciding and both and line.startswith("  ") and was.startswith("  ")))
        same_decision = asks and line.partition(": ")[0] == was.partition(": ")[0]
        same_answer = deciding and not asks and line.split()[:1] == was.split()[:1]
        waits = both and line.startswith(PENDING) and was.startswith(PENDING)
        same_wait = waits and line.rpartition(" (")[2] == was.rpartition(" (")[2]
        chooses = both and " must choose" in line and not line.startswith("= ")
        same_ask = (
            chooses and line.partition(" must choose")[0].lower() == was.partition(" must choose")[0].lower()
        )
        same = same_decision or same_answer or same_wait or same_ask
        found.append(was if same else as_far_as(line, was))
    return found


DECISION = "A decision for "
PENDING = "! A decision "
"""What a command is refused with while one is open."""


def as_far_as(line: str | None, written: str | None) -> str | None:
    """A line of an evening; of a fact, and of an open decision in it, what was known of it when the evening
    was written down."""
    if not (line and written and line.startswith("= ") and written.startswith("= ")):
        return line
    told, was = json.loads(line[2:]), json.loads(written[2:])
    if told["kind"] == was["kind"] == "asked":
        told["text"] = was["text"]  # words of the decision, too
    return f"= {json.dumps(known_of(told, was), ensure_ascii=False)}"


OF_CLASSES = ("clause", "because")


def known_of(told: Any, written: Any, *, loose: bool = True) -> Any:
    """What stands in both, of facts and decisions; else what is told, without what only says of which class
    it is."""
    if isinstance(told, dict) and isinstance(written, dict):
        loose = loose or "answers" in written
        return {
            key: known_of(told[key], item, loose=key == "pending")
            for key, item in written.items()
            if key in told
        } | (
            {}
            if loose
            else {key: item for key, item in told.items() if key not in written and key not in OF_CLASSES}
        )
    if isinstance(told, list) and isinstance(written, list) and len(told) == len(written):
        return [known_of(one, was, loose=False) for one, was in zip(told, written, strict=True)]
    return told


def anew(told: str, written: str) -> str:
    """An evening written anew: what still says the same stays as it was written."""
    blocks = [[block.splitlines() for block in text.split("\n\n$ ")] for text in (told, written)]
    kept = [
        was if as_far_as_written(now, was) == was else now for now, was in zip_longest(*blocks, fillvalue=[])
    ]
    return "\n\n$ ".join("\n".join(block) for block in kept[: len(blocks[0])]) + "\n"


def screen(ran: Ran) -> Iterator[str]:
    yield from ran.out.splitlines()
    yield from (f"! {line}" for line in ran.err.splitlines())
    if ran.code:
        yield f"(exit code {ran.code})"


LONG = ("fen", "forge", "wheel")
"""Evenings that take seconds of a processor."""


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(path.stem, marks=pytest.mark.slow if path.stem in LONG else ())
        for path in sorted(HERE.glob("*.strike"))
    ],
)
def test_golden_evening(in_campaign: Strike, folder: Path, name: str, request: pytest.FixtureRequest) -> None:
    """STR-CORE-02 to 06, STR-CORE-16, 17, 20; STR-TAC-01 to 25, 27. Its journal, played again from its
    recorded dice, says the same."""
    told = play(in_campaign, folder, HERE / f"{name}.strike")
    expected = HERE / f"{name}.txt"
    if request.config.getoption("--regenerate-golden"):
        old = expected.read_text(encoding="utf-8") if expected.exists() else ""
        expected.write_text(anew(told, old), encoding="utf-8")
    written = expected.read_text(encoding="utf-8").splitlines()
    assert as_far_as_written(told.splitlines(), written) == written
    replayed = in_campaign.json("replay --verify")["data"]
    assert replayed["differences"] == []
    assert replayed["played"] > 10
