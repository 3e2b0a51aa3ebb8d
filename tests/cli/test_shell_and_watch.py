"""The prompt and the screen that follows the evening."""

from __future__ import annotations

import io
import json
import re
from functools import partial
from pathlib import Path

import pytest
from cli.conftest import Typed
from rich.console import Console, ConsoleDimensions
from support.cli import Strike

from strike_cli.campaign import Campaign
from strike_cli.campaign.journal import Journal
from strike_cli.campaign_on_screen import campaign_on_one_screen
from strike_cli.cli import watch
from strike_cli.cli.watch import campaign_now_and_after_changes
from strike_cli.session.prompt import decision_or_scene_for_prompt
from strike_cli.session.tab_completion import quoted_completions_with_blank
from strike_cli.terminal import command_output
from strike_cli.terminal.command_output import blocks_as_unwrapped_text
from strike_cli.visibility.audiences import GM, PLAYERS


def test_a_shell_plays_line_after_line(in_campaign: Strike, at_shell: Typed) -> None:
    prompts = at_shell("roll die --dice 5", "strike ap give odo", "", "# a note", "exit", "ap give odo")
    in_campaign("shell")
    entries = in_campaign.json("log")["data"]["entries"]
    assert [entry["command"] for entry in entries] == ["roll die", "ap give"]
    assert prompts[0] == "> "


@pytest.mark.slow
@pytest.mark.parametrize("evening", ["hall", "house", "store"])
def test_a_whole_evening_of_each_game(
    evening: str, strike: Strike, at_shell: Typed, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Four against five with physical dice, a line at each prompt: as it is in the golden evening."""
    golden = Path(__file__).parents[1] / "golden" / evening
    monkeypatch.chdir(tmp_path)
    (tmp_path / "campaign.toml").write_bytes(golden.with_suffix(".toml").read_bytes())
    at_shell(*golden.with_suffix(".strike").read_text(encoding="utf-8").splitlines())
    said = strike("shell", None).err
    lines = golden.with_suffix(".txt").read_text(encoding="utf-8").splitlines()
    written = [json.loads(line[2:])["kind"] for line in lines if line.startswith("= ")]
    journal = Journal(tmp_path)
    entries = [entry for name in journal.file_names() for entry, _, _ in journal.entries_since((name, 0))]
    assert [fact["kind"] for entry in entries for fact in entry["facts"]] == written, said


def test_a_refused_line_does_not_end_it(in_campaign: Strike, at_shell: Typed) -> None:
    at_shell("combat turn", 'roll "die', "shell", KeyboardInterrupt(), "roll die --dice 2")
    said = in_campaign("shell")
    assert [word for word in ("no fight", "Close every quote", "`shell`") if word not in said.err] == []
    assert len(in_campaign.json("log")["data"]["entries"]) == 1


def test_the_prompt_says_what_the_scene_waits_for(in_campaign: Strike, folder: Path) -> None:
    assert decision_or_scene_for_prompt(Campaign(folder)) == ""
    in_campaign("combat start ring --party vex --party odo")
    assert decision_or_scene_for_prompt(Campaign(folder)) == "ring"
    in_campaign("combat initiative --dice 6,5,1,1")
    in_campaign("combat turn")
    assert decision_or_scene_for_prompt(Campaign(folder)) == "round 1, vex"
    in_campaign("combat attack vex goblin-1 --power trip --dice 3", code=6)
    assert decision_or_scene_for_prompt(Campaign(folder)) == "vex: damage/effect"


def test_tab_offers_commands_options_and_names(
    in_campaign: Strike, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STRIKE_CAMPAIGN", str(folder))
    assert quoted_completions_with_blank("", "und") == ["undo "]
    assert "attack " in quoted_completions_with_blank("combat ", "a")
    assert quoted_completions_with_blank("combat start ", "r") == ["ring "]
    assert "--trade " in quoted_completions_with_blank("combat move vex C3 ", "--t")
    assert quoted_completions_with_blank("roll 'die ", "x") == []


def test_a_shell_is_for_people(in_campaign: Strike) -> None:
    assert "batch" in in_campaign("shell --json", 2).out
    assert "log" in in_campaign("watch --json", 2).out


def test_watching_sees_every_change_and_nothing_twice(in_campaign: Strike, folder: Path) -> None:
    """It looks again and again; a campaign comes only where something was played."""
    naps = []

    def nap(seconds: float) -> None:
        naps.append(seconds)
        if len(naps) == 3:
            in_campaign("roll die --dice 4")

    follow = campaign_now_and_after_changes(folder, nap)
    assert next(follow).head.seq == 0
    assert next(follow).head.seq == 1
    assert len(naps) == 3


def test_the_screen_holds_the_map_and_whole_entries(in_campaign: Strike, folder: Path) -> None:
    in_campaign("combat start ring --party vex --party odo")
    in_campaign("combat initiative --dice 6,5,1,1")
    text = blocks_as_unwrapped_text(campaign_on_one_screen(Campaign(folder), 5, 40))
    assert "The Ring" in text
    assert "#1 " in text
    assert "Initiative:" in text
    in_campaign("combat turn")
    small = blocks_as_unwrapped_text(campaign_on_one_screen(Campaign(folder), 1, 10))
    assert "#3 " in small
    assert "Vex's turn" in small.splitlines()[0]
    assert len(small.splitlines()) == 10


@pytest.mark.parametrize("last", [0, 5])
def test_players_are_shown_each_new_entry_once_and_nothing_for_a_hidden_one(
    in_campaign: Strike, folder: Path, last: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing at all is printed for what is hidden from them; an entry comes even to an empty journal."""
    lines = ["roll die --dice 4", "roll die --dice 6 --secret", "roll die --dice 2; roll die --dice 3"]

    def nap(_: float) -> None:
        if not lines:
            raise KeyboardInterrupt
        for line in lines.pop(0).split("; "):
            in_campaign(line)
        shown.append([])

    shown: list[list[str]] = [[]]
    follow = partial(campaign_now_and_after_changes, wait=nap)
    monkeypatch.setattr(watch, "campaign_now_and_after_changes", follow)
    monkeypatch.setattr(
        watch, "write_text_to_stdout", lambda text: shown[-1].extend(re.findall(r"d6: (\d)", text))
    )
    with pytest.raises(KeyboardInterrupt):
        watch._print_new_entries_until_stopped(folder, last, PLAYERS)
    assert shown == [[], ["4"], [], ["2", "3"]]


def test_the_screen_says_at_a_glance_what_stands_out(fight: Strike, folder: Path) -> None:
    fight("combat damage goblin-2 9")
    for audience in (GM, PLAYERS):
        screen = blocks_as_unwrapped_text(campaign_on_one_screen(Campaign(folder), 9, 60, audience))
        assert re.search(r"^.*\d\d:\d\d Goblin 2 falls", screen, re.MULTILINE), audience


def test_the_watched_screen_is_drawn_anew_when_the_terminal_has_another_size(
    in_campaign: Strike, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The log below the map of a narrow terminal stands beside it in a wide one."""
    in_campaign("combat start ring --party vex --party odo")
    out = io.StringIO()
    console = Console(file=out, force_terminal=True, width=80, height=24, color_system=None)
    monkeypatch.setattr(command_output, "make_rich_console", lambda: console)
    naps: list[float] = []

    def nap(seconds: float) -> None:
        naps.append(out.tell())
        if len(naps) == 2:
            raise KeyboardInterrupt
        console.size = ConsoleDimensions(120, 30)

    monkeypatch.setattr(watch.time, "sleep", nap)
    with pytest.raises(KeyboardInterrupt):
        watch._draw_until_stopped(folder, 5, GM)
    first, second = out.getvalue()[: naps[0]], out.getvalue()[naps[0] :]
    assert "── Log ─" in first
    assert "│ ── Log ─" not in first
    assert "│ ── Log ─" in second
    assert max(map(len, second.splitlines())) >= 120
