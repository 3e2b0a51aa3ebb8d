"""State in the form of an earlier version of its plugin: told, kept from play, and brought up by `doctor`."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from support.cases import case
from support.cli import Strike
from support.plugins import play_with, shade, write_shade

from strike_cli.campaign import Campaign
from strike_cli.plugin.testing import Contract

MIGRATE = """

def migrate(key, table):
    if key == "characters":
        return table | {"luck": table["luck"] + 10}
    assert key == "shade"
    people = {who: {"pence" if key == "coins" else key: value for key, value in one.items()}
              for who, one in table["people"].items()}
    return table | {"people": people, "meters": {"pence": {"name": "Pence", "max": "all"}}}
"""
KEPT = """

def kept(book):
    return {"luck": Number(0)}
"""
COUNTED = {
    "import SceneTable": "import SceneTable, Sheets",
    'scene=SceneTable("shade"),': 'scene=SceneTable("shade"), sheets=Sheets("shade:kept"),',
    'odds="shade:what_counts"': 'sheets=True, odds="shade:what_counts"',
    "    sets = {": '    luck = f"characters.{winner}.luck"\n    sets = {luck: world.get(luck, 0) + 1} | {',
}
"""What the toy keeps of characters, besides: how often each has won."""
Become = Callable[..., None]


@pytest.fixture
def become(site: Path) -> Become:
    """Install a version of the toy system: of the second, coins are called pence in its state."""

    def become(version: int, migrate: str = MIGRATE) -> None:
        text = shade() + KEPT
        for before, after in COUNTED.items():
            assert before in text
            text = text.replace(before, after)
        if version == 2:
            begin, _, rest = text.partition("STATE = ")
            begin = begin.replace('title="Coin', 'migrations=["shade:migrate"], title="Coin')
            text = begin + "STATE = " + rest.replace('"coins"', '"pence"').replace(".coins", ".pence")
            text = text.replace("args.pence", "args.coins") + migrate
        write_shade(site, text)

    return become


@pytest.fixture
def older(become: Become, folder: Path, strike: Strike, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A campaign with a scene of the first version under way and another one parked."""
    become(1)
    play_with(folder, "shade")
    monkeypatch.chdir(folder)
    for line in ("start vex brann", "park", "start vex brann", "toss vex --choose heads --dice 1"):
        strike(f"shade {line}")
    become(2)
    return folder


def luck(folder: Path) -> dict[str, object]:
    with Campaign(folder) as campaign:
        people = campaign.state.get("characters", {})
    return {who: one["luck"] for who, one in people.items() if "luck" in one}


def pence(folder: Path) -> list[object]:
    with Campaign(folder) as campaign:
        scenes = [campaign.state["shade"], *campaign.state["parked"]["shade"].values()]
    return [one.get("pence") for scene in scenes for one in scene["people"].values()]


def test_state_is_brought_up_by_doctor_and_taken_back_by_undo(older: Path, strike: Strike) -> None:
    for line in ("roll die 1d6", "status", "shade toss brann", "doctor", "undo"):
        ran = strike(line, code=3 if line in ("shade toss brann", "doctor") else 0)
        assert "version 1, and strike-shade 1.0 (shade) reads version 2" in ran.out + ran.err, line
    assert "from version 1 to version 2" in strike("doctor --upgrade").out
    assert pence(older) == [3, 1, 2, 2]
    assert "version" not in strike("doctor").out
    assert "from version 1 to version 2" in strike("log").out
    strike("undo")
    assert strike("shade toss brann", code=3)
    strike("redo")
    strike("shade toss brann --choose heads --dice 1")
    assert pence(older) == [2, 2, 2, 2]
    state = json.loads(strike("undo 2 --json").out)
    assert state["ok"]
    assert strike("shade toss brann", code=3)


def test_a_migration_that_fails_changes_nothing(older: Path, become: Become, strike: Strike) -> None:
    for does, named in (
        ("return table[key]", "shade.py, line"), ("return table", "migrates 'shade' to"),
        ("raise SystemExit", "SystemExit"),
    ):  # fmt: skip
        with case(does):
            become(2, f"\ndef migrate(key, table):\n    {does}\n")
            before = (older / "state.toml").read_bytes()
            told = strike("doctor --upgrade", code=3)
            assert named in told.out
            assert "Traceback" not in told.out + told.err
            assert (older / "state.toml").read_bytes() == before
            strike("roll die 1d6")


def test_what_is_kept_of_characters_is_brought_up_with_the_rest(older: Path, strike: Strike) -> None:
    assert luck(older) == {"vex": 1}
    strike("condition add brann shaken")
    strike("doctor --upgrade")
    assert luck(older) == {"vex": 11}
    assert "shaken" in (older / "state.toml").read_text()
    strike("undo")
    assert luck(older) == {"vex": 1}
    strike("redo")
    assert luck(older) == {"vex": 11}
    strike("shade toss brann --choose heads --dice 1")
    assert luck(older) == {"vex": 11, "brann": 1}
    strike("undo 2")
    assert luck(older) == {"vex": 1}


@pytest.mark.slow
def test_a_newer_state_waits_for_its_plugin(older: Path, become: Become, strike: Strike) -> None:
    strike("doctor --upgrade")
    become(1)
    assert "newer strike-shade" in strike("shade toss brann", code=3).err
    assert "Nothing needs" in strike("doctor --upgrade", code=3).out
    strike("status")
    become(2)
    strike("shade toss brann --choose heads --dice 1")


def test_a_decision_that_waits_is_taken_back_first(
    become: Become, folder: Path, strike: Strike, monkeypatch: pytest.MonkeyPatch
) -> None:
    become(1)
    play_with(folder, "shade")
    monkeypatch.chdir(folder)
    strike("shade start vex brann")
    strike("shade toss vex", code=6)
    become(2)
    assert "strike undo" in strike("doctor --upgrade", code=3).out
    strike("choose heads", code=3)
    strike("undo")
    strike("doctor --upgrade")
    strike("shade toss vex --choose heads --dice 1")


@pytest.mark.slow
def test_a_system_of_a_later_version_keeps_the_contract(become: Become) -> None:
    become(2)
    Contract("shade", begin=[("shade start", {"one": "ana", "other": "bo"})]).check(evenings=2)
