"""The programs of docs/serve.md, run as they stand there, against a fight that is played."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from serve.conftest import KEY, Served

PAGE = Path(__file__).parents[2] / "docs" / "serve.md"


def example(name: str) -> str:
    """A program of the page."""
    found = re.search(
        rf"<!-- example: {name} -->\n```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL
    )
    assert found, name
    return found[1]


def run(door: Served, program: str) -> str:
    """What a program says that is told where the door is."""
    ran = subprocess.run(
        [sys.executable, "-c", program, door.url, KEY], capture_output=True, text=True, timeout=120
    )
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


@pytest.mark.slow
def test_the_client_plays_and_reads(door: Served) -> None:
    said = run(door, example("client"))
    assert said.splitlines()[0] == "success" and "Vex Marlowe" in said
    assert len(door.recorded) == 1 and door.recorded[0]["key"]


@pytest.mark.slow
def test_the_client_plays_a_list_once(door: Served) -> None:
    client, _, _ = example("client").partition("print(")
    for _ in range(2):
        said = run(door, f"import shlex\n{client}\n{example('list')}")
        assert said.splitlines() == ["combat start", "combat initiative"]
    assert [entry["key"] for entry in door.recorded] == ["evening-3 0", "evening-3 1"]


@pytest.mark.slow
def test_the_bot_plays_a_side_of_a_fight_to_its_end(door: Served) -> None:
    client, _, _ = example("client").partition("print(")
    bot = f"import shlex\n{client}\n{example('bot')}"
    assert len([line for line in example("bot").splitlines() if line.strip()]) <= 20
    door.post("combat", "start", "ford")
    door.post("combat", "initiative")
    for _ in range(200):
        came = door.post("combat", "next")
        if not came["ok"]:
            break
        order = door.get("order")
        mine = {token["id"]: token["side"] for token in door.get("tokens")["tokens"]}
        if mine[order["active"]] == "enemies":
            run(door, bot)
        else:
            came = door.post("combat", "auto", order["active"])
            while came.get("pending"):
                came = door.post("choose", came["pending"]["options"][0])
        standing = {
            token["side"] for token in door.get("tokens")["tokens"] if token["state"] not in ("out", "left")
        }
        if len(standing) == 1:
            break
    assert any("attack" in entry["command"] and entry.get("key") for entry in door.recorded)
    assert door.post("combat", "finish")["ok"]
