"""A system of a plugin, 80 lines long, has everything that strike's own have: nothing is written for it."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from support.cli import Strike
from support.current_campaign import is_taken_back_and_replayed, state
from support.plugins import TOY

from strike_cli.campaign import Campaign
from strike_cli.campaign_on_screen import campaign_on_one_screen
from strike_cli.registry import installed_plugins
from strike_cli.terminal.command_output import blocks_as_unwrapped_text
from strike_cli.terminal.name_lookup import people_still_in_scene_suggester
from strike_cli.visibility.audiences import PLAYERS


def test_it_is_short() -> None:
    """systems.md: under 80 lines."""
    lines = (TOY / "toy.py").read_text(encoding="utf-8").splitlines()
    assert len([line for line in lines if line.strip()]) < 80


@pytest.mark.slow
def test_it_is_listed(with_toy: Strike) -> None:
    assert "\n  toy " in with_toy("help all").out
    assert "strike toy start vex brann" in with_toy("toy --help").out
    assert "Two begin to toss" in with_toy("toy start --help").out
    assert "Coin tossing" in with_toy("plugin show toy").out


def test_tab_knows_its_people(tossing: Strike) -> None:
    with Campaign(Path()) as campaign:
        assert "vex" in people_still_in_scene_suggester("toy")(campaign, {})


def test_it_is_played(tossing: Strike) -> None:
    data = tossing.json("toy toss brann --dice 2 --choose heads")["data"]
    assert data == {"who": "brann", "face": "tails", "winner": "vex", "left": {"vex": 4, "brann": 0}}
    assert "Vex has it all." in tossing("log").out
    assert "toy" not in state()


def test_what_it_refuses(tossing: Strike) -> None:
    before = state()
    assert "somebody else's toss" in tossing("toy toss vex", 1).err
    assert "Two toss at a time" in tossing("toy start vex brann", 1).err
    assert "Did you mean 'Vex'" in tossing("toy start vax brann", 2).err
    assert "There is no person 'odo'" in tossing("toy toss odo", 2).err
    assert state() == before


def test_a_dot_is_nobody_where_sides_act(tossing: Strike) -> None:
    tossing("override toy.turns sides --why together")
    tossing("override toy.active party --why together")
    assert "The turn belongs to a side: party." in tossing("toy toss .", 1).err


def test_nothing_is_written_by_a_dry_run(tossing: Strike) -> None:
    before = state()
    assert tossing.json("toy toss . --dice 1 --choose heads --dry-run")["seq"] is None
    assert state() == before


def test_a_decision_waits(tossing: Strike) -> None:
    """It is asked, told by status, answered, and its dice stand."""
    pending = tossing.json("toy toss .", 6)["pending"]
    assert (pending["who"], pending["options"]) == ("brann", ["heads", "tails"])
    assert "heads" in tossing("status").out
    assert "heads" in tossing("toy show").out
    tossing("toy toss .", 1)
    face = tossing.json("choose heads")["data"]["face"]
    tossing("undo")
    assert tossing.json("choose heads")["data"]["face"] == face


def test_undo_and_redo(tossing: Strike) -> None:
    is_taken_back_and_replayed(tossing, "toy toss . --dice 2 --choose heads")


def test_the_journal_replays(tossing: Strike) -> None:
    assert tossing.json("replay --verify")["data"]["differences"] == []
    assert all(finding["ok"] for finding in tossing.json("doctor")["data"]["findings"])


def test_its_odds(tossing: Strike) -> None:
    outcomes = tossing.json("odds toy toss .")["data"]["outcomes"]
    assert {(each["winner"], each["probability"]) for each in outcomes} == {("vex", "1/2"), ("brann", "1/2")}


def test_its_options_and_its_bot(tossing: Strike) -> None:
    assert [each["typed"] for each in tossing.json("toy options")["data"]["options"]] == ["toss brann"]
    assert "strike toy toss brann" in tossing("toy show").out
    tossing("roll die")  # the seed's next face leaves a coin to toss for
    assert tossing.json("toy auto")["data"]["who"] == "brann"
    assert "toss brann" not in tossing("toy options", None).out


def test_options_of_somebody(tossing: Strike) -> None:
    assert tossing.json("toy options vex")["data"]["options"] == []
    assert [each["typed"] for each in tossing.json("toy options bra")["data"]["options"]] == ["toss brann"]
    assert "There is no person 'odo'" in tossing("toy options odo", 2).err


def test_options_with_odds(tossing: Strike) -> None:
    """Numbers alone: who wins is a word, and has none."""
    assert tossing.json("toy options --odds")["data"]["options"][0]["odds"] == {}
    assert "Chances and averages" in tossing("toy options --odds").out


def test_every_screen_shows_it(tossing: Strike) -> None:
    status = tossing.json("status")["data"]
    assert status["toy"]["name"] == "The toss"
    with Campaign(Path()) as campaign:
        watched = blocks_as_unwrapped_text(campaign_on_one_screen(campaign, 5, 24, PLAYERS))
    for out in (tossing("toy show").out, watched):
        assert "The toss" in out
        assert "Vex" in out
        assert "3/4" in out
    assert "The toss: round 1, Brann's turn" in tossing("status").out


def test_a_report_tells_it(with_toy: Strike) -> None:
    with_toy("session start")
    with_toy("toy start vex brann --coins 1")
    with_toy("toy toss . --dice 1 --choose heads")
    scenes = with_toy.json("session report")["data"]["scenes"]
    assert [(scene["name"], scene["outcome"]) for scene in scenes] == [("The toss", "Vex has it all.")]
    assert "The toss" in with_toy("session report").out


def test_a_hand_on_its_state(tossing: Strike) -> None:
    """Overrides and hand edits are checked against its form."""
    assert "toy.people.vex.coins" in tossing("override toy.people.vex.coins -1 --why x", 3).err
    tossing("override toy.people.vex.coins 5 --why gift")
    path = Path("state.toml")
    path.write_text(path.read_text(encoding="utf-8").replace("coins = 5", "coins = 'many'"), encoding="utf-8")
    assert "toy.people.vex.coins" in tossing("toy toss .", 3).err


def test_a_script_plays_it(with_toy: Strike, tmp_path: Path) -> None:
    script = tmp_path / "toss.strike"
    script.write_text("toy start vex brann\ntoy toss . --dice 1 --choose heads\n", encoding="utf-8")
    with_toy(f"batch {script}")
    assert state()["toy"]["people"]["vex"]["coins"] == 3  # type: ignore[index]


def test_the_bridge_tells_it(tossing: Strike, folder: Path) -> None:
    """A virtual tabletop gets a token with a meter for everybody in it."""
    text = (folder / "campaign.toml").read_text(encoding="utf-8")
    table = '\n[bridge.targets.table]\nkind = "table"\nurl = "http://127.0.0.1:1"\n'
    (folder / "campaign.toml").write_text(text + table, encoding="utf-8")
    out = tossing("bridge push --dry-run --json").out
    assert '"vex"' in out
    assert "Coins" in out


# When the plugin goes


@contextmanager
def gone() -> Iterator[None]:
    """It is not installed during the block."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "path", [place for place in sys.path if Path(place).name != "site"])
        patch.setenv("XDG_CACHE_HOME", str(Path.cwd().parent / "cache-without"))
        installed_plugins.drop_plugin_index()
        yield
    installed_plugins.drop_plugin_index()


def test_its_state_is_kept_when_it_goes(tossing: Strike) -> None:
    """One message that names its distribution; the rest works; it goes on when the plugin is back."""
    before = state()
    with gone():
        assert "[toy] is kept for a plugin that is not installed" in tossing("status").out
        findings = tossing.json("doctor", 3)["data"]["findings"]
        kept = [each["what"] for each in findings if "toy" in each["what"]]
        assert "The plugin 'toy' is not installed" in kept[0]
        assert any("strike-toy 1.0 (toy)" in what for what in kept)
        assert "There is no command 'toy'" in tossing("toy show", 2).err
        tossing("roll die 1d6 --dice 3")
        tossing("undo")
        tossing("override characters.vex.ap 2 --why luck")
        assert "strike-toy" in tossing.json("replay --verify", 3)["data"]["differences"][0]["what"]
    assert state()["toy"] == before["toy"]
    tossing("toy toss . --dice 2 --choose heads")


def test_a_decision_of_a_plugin_that_goes_stops_nothing_else(tossing: Strike) -> None:
    tossing("toy toss .", 6)
    with gone():
        tossing("roll skill odo Haggling --unskilled --dice 5")
        assert "not installed" in tossing("choose heads", 3).err
    tossing("choose heads")


@pytest.mark.slow
def test_in_a_process_of_its_own(with_toy: Strike) -> None:
    words = [sys.executable, "-m", "strike_cli", "toy", "start", "vex", "brann"]
    done = subprocess.run(words, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout.strip()) == (0, "The toss begins.")
