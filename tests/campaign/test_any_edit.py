"""Anything in the place of any value, in state.toml or campaign.toml: taken, or refused with file and path.

Never a traceback, whatever people write, and never a command that fails later for what was let in.
"""

from __future__ import annotations

import os
import tomllib
from pathlib import Path
from typing import Any

import hypothesis.strategies as st
import pytest
import tomli_w
from campaign.conftest import Strike
from campaign.evening import TEXT, contents, make
from hypothesis import HealthCheck, given, settings
from support.cli import run_in
from support.mutate import Way, ways

EXAMPLES = 3000 if os.environ.get("STRIKE_THOROUGH") else 15
ANYHOW = settings(
    max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck), database=None
)

GONE = object()
VALUES: list[Any] = [
    *(GONE, 0, 3, -1, 10**30, 1.5, True, "", "x", "C3", "vex"),
    *([], [3], ["x"], {}, {"x": 1}, [{}], [{"x": 1}]),
]

PLAYING = [
    "combat turn",
    "combat attack . goblin",
    "combat move . C3",
    "combat end-turn",
    "choose learn",
    "choose bonus",
    "roll skill vex Sneaking",
    "roll opposed vex Climbing --against brann Hauling",
    "session end",
    "combat finish --won",
]
LOOKING = ["combat show", "combat map", "character show vex", "log"]


def _with(table: Any, way: Way, value: Any) -> Any:
    key, *rest = way
    copy = table.copy()
    if rest:
        copy[key] = _with(copy[key], tuple(rest), value)
    elif value is GONE:
        del copy[key]
    else:
        copy[key] = value
    return copy


@pytest.fixture(scope="module")
def rich(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A campaign in the middle of everything: a fight, statuses, a decision, things learned and lost."""
    folder = make(tmp_path_factory.mktemp("rich") / "causeway")
    for words in (
        "session start --title One",
        "roll skill vex Hauling --dice 6 --choose learn",
        "condition add vex winded --why rain",
        "bonus bank brann Climbing --why plans",
        "combat start ford",
        "combat initiative --dice 6,5,4,3",
        "combat turn",
        "combat status add vex dazed",
        "combat status add goblin ongoing --value 2",
        "combat damage ox 2",
        "combat zone add Fire B2:C3 --damage 1 --obscured",
        "combat hide vex --now",
        "override fight.map.walls [[[1,0],[1,2.5]]] --why a_wall",
        "override fight.map.one_way_walls [[[4,0],[4,2.5]]] --why a_ledge",
        "override fight.map.doors [{at=[[2,0],[2,1]],open=true}] --why a_door",
        "roll skill brann Rowing --unskilled --dice 6",
    ):
        code, said = run_in(folder, words)
        assert code in (0, 6), (words, said)
    return folder


@pytest.mark.slow
@given(st.data())
@ANYHOW
def test_any_edit_of_the_state_is_taken_or_refused_with_its_path(rich: Path, data: st.DataObject) -> None:
    file = rich / "state.toml"
    kept = file.read_text()
    state = tomllib.loads(kept)
    del state["strike"]
    way = data.draw(st.sampled_from(list(ways(state))))
    value = data.draw(st.sampled_from(VALUES))
    text = tomli_w.dumps(_with(state, way, value)) + kept[kept.index("\n[strike]\n") :]
    try:
        file.write_text(text)
        before = contents(rich)
        code, said = run_in(rich, "status")
        if code:
            assert code == 3
            assert "state.toml" in said
            assert str(next(key for key in way if isinstance(key, str))) in said
        else:
            for words in (*LOOKING, *(f"{words} --dry-run" for words in PLAYING)):
                code, said = run_in(rich, words)
                assert code in (0, 1, 2, 3, 6), (words, said)
        assert contents(rich) == before
    finally:
        file.write_text(kept)


@pytest.mark.slow
@given(st.data())
@ANYHOW
def test_anything_in_the_campaign_file_is_taken_or_refused_with_its_key(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    campaign = tomllib.loads(TEXT)
    way = data.draw(st.sampled_from(list(ways(campaign))))
    value = data.draw(st.sampled_from(VALUES))
    folder = make(tmp_path_factory.mktemp("any") / "causeway", tomli_w.dumps(_with(campaign, way, value)))
    before = contents(folder)
    code, said = run_in(folder, "status")
    assert contents(folder) == before
    if code:
        assert code in (3, 4)
        assert "campaign.toml" in said
        assert way[0] in said or "powers" in said or "ford" in said
        return
    for words in ("combat start ford", "combat initiative", *PLAYING, *LOOKING, "content list", "doctor"):
        code, said = run_in(folder, words)
        assert code in (0, 1, 2, 6), (words, said)


@pytest.mark.parametrize(
    "value", ["1e999", "1979-05-27", "07:32:00", "nan", '"\\u0000"', "0x10", "'''\nx'''"]
)
def test_whatever_toml_can_write_is_taken_or_refused(value: str, folder: Path, strike: Strike) -> None:
    strike("session start")
    text = (folder / "state.toml").read_text()
    for key in ("title = ", "number = "):
        line = next(line for line in text.splitlines() if line.startswith(key))
        (folder / "state.toml").write_text(text.replace(line, key + value, 1))
        before = contents(folder)
        said = strike("roll die")
        assert said.code in (0, 3)
        if said.code == 3:
            assert "state.toml: session." in said.err
            assert contents(folder) == before
        (folder / "state.toml").write_text(text)
        strike("undo 2" if said.code == 0 else "status")
