"""Control characters, C1 and marks that turn the direction of writing never reach a terminal as they are."""

from __future__ import annotations

import io
import json
import re
import shlex
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console
from support.cli import Strike

from strike_bridge.journal_reader import undo_facts_in_shown_tables
from strike_bridge.journal_results import posts_of_entry
from strike_cli.campaign import Campaign
from strike_cli.campaign.journal import START
from strike_cli.campaign_on_screen import campaign_on_one_screen, campaign_view
from strike_cli.cli import watch
from strike_cli.problems import CampaignProblem
from strike_cli.session import prompt
from strike_cli.terminal import command_output
from strike_cli.terminal.battlemap.text_width import width_of
from strike_cli.terminal.move_commands import printable_names_beginning_with
from strike_cli.terminal.screen.campaign_view import legal_moves_in_scene
from strike_cli.terminal.screen.screen_drawing import draw_play_screen
from strike_cli.terminal.screen.screen_state import ScreenState
from strike_cli.terminal.screen.text_rows import text_of_row
from strike_cli.untrusted_input import isolate_right_to_left_words, replace_unprintable
from strike_cli.visibility.audiences import GM, PLAYERS

EVIL = "\x1b]0;owned\x07\x9b31m\u202eevil\u2066\x7f\x85"
COLOURS = re.compile(r"\x1b\[[0-9;]*m")


def _is_safe(text: str) -> bool:
    return all(char.isprintable() or char == "\n" for char in text)


@pytest.fixture
def evil(folder: Path) -> Path:
    """The small campaign, where everything that has a name has an evil one."""
    return _renamed(folder, EVIL)


def _renamed(folder: Path, name: str) -> Path:
    text = (folder / "campaign.toml").read_text(encoding="utf-8")
    written = json.dumps(name)[1:-1].replace("\x7f", "\\u007f")
    text = re.sub(r'\b(name|goal|summary|player) = "', lambda found: found[0] + written, text)
    (folder / "campaign.toml").write_text(text, encoding="utf-8")
    return folder


PLAYED = [
    ["session", "start", "--title", EVIL],
    ["roll", "skill", "vex", "Climbing", "--note", EVIL, "--adv", EVIL, "--dice", "5,5"],
    ["condition", "add", "vex", "winded", "--why", EVIL],
    ["override", "characters.vex.notes", json.dumps(EVIL), "--why", EVIL],
    ["combat", "start", "yard"],
    ["combat", "initiative"],
    ["roll", "skill", "brann", f"Rowing{EVIL}", "--dice", "6", "--note", EVIL],
]
SAID = (
    *("status", "log", "log --gm", "log --player", "session list", "session report"),
    *("session report --markdown", "character list", "character show vex", "content list", "combat show"),
    *("combat map", "combat options", "doctor", "replay --verify", "bridge status", "bridge targets"),
    *("undo", "redo"),
)
LOOKED = [
    *(line.split() for line in SAID),
    ["odds", "skill", "vex", "Climbing", "--adv", EVIL],
    ["roll", "skill", EVIL, "Climbing"],
    ["choose", EVIL],
    [EVIL],
    ["status", f"--{EVIL}"],
    ["batch", EVIL],
]


def _played(folder: Path, strike: Strike, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    for words in PLAYED:
        said = strike(shlex.join(words), None)
        assert _is_safe(said.out + said.err), words


def test_nothing_raw_is_told_by_any_command(
    evil: Path, strike: Strike, monkeypatch: pytest.MonkeyPatch
) -> None:
    _played(evil, strike, monkeypatch)
    for more, words in product(([], ["--json"], ["--plain"]), LOOKED):
        said = strike(shlex.join([*words, *more]), None)
        assert _is_safe(said.out + said.err), (words, more)


def test_what_json_escapes_comes_back_as_it_was(
    evil: Path, strike: Strike, monkeypatch: pytest.MonkeyPatch
) -> None:
    _played(evil, strike, monkeypatch)
    assert EVIL in [entry.get("note") for entry in strike.json("log")["data"]["entries"]]
    assert EVIL in strike.json("status")["data"]["party"][0]["name"]


def test_nothing_raw_is_told_in_colour(evil: Path, strike: Strike, monkeypatch: pytest.MonkeyPatch) -> None:
    _played(evil, strike, monkeypatch)
    monkeypatch.setattr(command_output, "stdout_shows_colour", lambda: True)
    for words in LOOKED:
        out = io.StringIO()
        console = Console(file=out, force_terminal=True, width=120, no_color=False, color_system="standard")
        monkeypatch.setattr(command_output, "make_rich_console", lambda console=console: console)
        said = strike(shlex.join(words), None)
        assert _is_safe(COLOURS.sub("", out.getvalue() + said.out) + said.err), words


def _in_colour(blocks: Any) -> str:
    out = io.StringIO()
    Console(file=out, force_terminal=True, width=120).print(command_output.rich_renderable(blocks, 120))
    return out.getvalue()


def _played_from(folder: Path) -> str:
    """All that `strike play` shows: each scene, with everything pointed at, and the decisions that wait."""
    with Campaign(folder) as campaign:
        desk = ScreenState(campaign_view(campaign, 50))
    screens = [draw_play_screen(desk, 120, 40)]
    desk.go_back_one_step()
    for _ in desk.view.scenes:
        desk.show_next_scene()
        desk.store_moves_and_pick_obvious(list(legal_moves_in_scene(desk.view, desk.scene)))
        for who in desk.scene.people:
            desk.select_person(who)
            desk.step_to_move(1)
            desk.previews = {each.typed: "\x1b[31mno" for each in desk.listed_moves}
            screens.append(draw_play_screen(desk, 120, 40))
    return "\n".join(text_of_row(row) for screen in screens for row in screen.rows)


def test_nothing_raw_is_told_by_watch_and_shell(
    evil: Path, strike: Strike, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    _played(evil, strike, monkeypatch)
    with Campaign(evil) as campaign:
        for audience in (GM, PLAYERS):
            blocks = campaign_on_one_screen(campaign, 20, 40, audience)
            assert _is_safe(command_output.blocks_as_unwrapped_text(blocks))
            assert _is_safe(COLOURS.sub("", _in_colour(blocks)))
    assert _is_safe(prompt._prompt_text(evil))
    assert _is_safe(_played_from(evil))
    asked: list[str] = []
    monkeypatch.setattr("builtins.input", lambda prompt="": asked.append(prompt) or "exit")
    monkeypatch.setenv("STRIKE_CAMPAIGN", str(evil))  # a shell sets it for its whole process
    said = strike("shell")
    assert _is_safe(said.out + said.err + "".join(asked))


def test_watch_tells_a_broken_file_without_its_characters(
    folder: Path, strike: Strike, capsys: pytest.CaptureFixture[str]
) -> None:
    seen: list[Any] = []

    def nap(seconds: float) -> None:
        if len(seen) > 1:
            raise KeyboardInterrupt
        seen.append(seconds)
        (folder / "campaign.toml").write_text(f'schema = 1\n["{json.dumps(EVIL)[1:-1]}"]\n')
        (folder / "state.toml").write_text("x")

    with pytest.raises(KeyboardInterrupt):
        for _ in watch.campaign_now_and_after_changes(folder, nap):
            pass
    said = capsys.readouterr().err
    assert said
    assert _is_safe(said)


@pytest.mark.parametrize("more", ["", " --json"])
def test_a_script_s_failing_line_is_told_without_its_characters(
    more: str, folder: Path, strike: Strike, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    lines = f"roll die --note 'x{EVIL.replace(chr(0x85), '')}'\nroll 'x{EVIL}'\n"
    (folder / "prep.strike").write_text(lines, encoding="utf-8")
    said = strike(f"batch prep.strike{more}", None)
    assert said.code
    assert _is_safe(said.out + said.err)


def test_tab_offers_nothing_that_a_terminal_acts_on(folder: Path, strike: Strike) -> None:
    assert printable_names_beginning_with(["vex", f"vex{EVIL}"], "v") == ["vex"]


def test_a_problem_s_words_are_shown_line_by_line() -> None:
    problem = CampaignProblem(f"one\ntwo{EVIL}")
    assert replace_unprintable(problem.message).startswith("one\ntwo\N{REPLACEMENT CHARACTER}")


def test_names_stay_as_people_write_them() -> None:
    lost = "\N{REPLACEMENT CHARACTER}"
    for text, shown, width in (
        ("می‌خواهم", "می‌خواهم", 7), ("👨‍👩‍👧", "👨‍👩‍👧", 2), ("🇩🇪🇫🇷", "🇩🇪🇫🇷", 4), ("👍🏽", "👍🏽", 2),
        ("e\u0301", "e\u0301", 1),
        ("🏴\U000e0067\U000e0062\U000e007f", "🏴\U000e0067\U000e0062\U000e007f", 2), ("田中", "田中", 4),
        ("a \u2067שלום\u2069 b", "a \u2067שלום\u2069 b", 8), ("ve\u200dx", f"ve{lost}x", 4),
        ("\u200dx", f"{lost}x", 2),
        ("\u202eabc", f"{lost}abc", 4), ("a\u2067b", f"a{lost}b", 3), ("x\U000e0067", f"x{lost}", 2),
    ):  # fmt: skip
        assert replace_unprintable(text) == shown, text
        assert width_of(shown) == width, text


HEBREW = "\u05d1\u05e8\u05d0\u05df"
"""A name whose letters run from right to left."""


def _is_isolated(text: str) -> bool:
    """Whether each such name is within isolates, which are in pairs, on a line of its own."""
    lines = text.split("\n")
    inside = re.compile("\u2068[^\u2068\u2069]*\u2069")
    return not any(HEBREW in line or "\u2069" in line for line in (inside.sub("", line) for line in lines))


def test_names_from_right_to_left_are_isolated_wherever_they_are_told(
    folder: Path, strike: Strike, monkeypatch: pytest.MonkeyPatch
) -> None:
    _renamed(folder, HEBREW)
    monkeypatch.chdir(folder)
    for words in PLAYED:
        strike(shlex.join(words).replace(EVIL, HEBREW), None)
    named = 0
    for words in LOOKED:
        said = strike(shlex.join(words).replace(EVIL, HEBREW), None)
        named += said.out.count(HEBREW)
        assert _is_isolated(said.out + said.err), words
    assert named > 40
    assert "\u2068" not in strike("log --json").out
    with Campaign(folder) as campaign:
        posts = [
            post
            for entry, _, _ in campaign.journal.entries_since(START)
            for post in posts_of_entry(
                entry, undo_facts_in_shown_tables(campaign.state, entry["facts"]), campaign.journal.entry_at
            )
        ]
        blocks = campaign_on_one_screen(campaign, 20, 40, PLAYERS)
    texts = [post.result[key] for post in posts for key in ("title", "text", "html")]
    assert any(HEBREW in text for text in texts)
    for text in [*texts, _in_colour(blocks), _played_from(folder)]:
        assert _is_isolated(text), text


def test_what_is_isolated_stays_as_it_is() -> None:
    for text, shown in (
        ("Vex hits Brann: 5 – é", None), (f"Vex hits {HEBREW} 2: 5", f"Vex hits <{HEBREW}> 2: 5"),
        (f"{HEBREW}  4/4", f"<{HEBREW}>  4/4"), (f"  {HEBREW} 2 (4)", f"  <{HEBREW} 2 (4)>"),
        (f"{HEBREW}  {HEBREW}", f"<{HEBREW}>  <{HEBREW}>"), (f"│ {HEBREW} │ 4", f"│ <{HEBREW}> │ 4"),
        (f"a {HEBREW}\u200c{HEBREW}-{HEBREW}\n{HEBREW}", f"a <{HEBREW}\u200c{HEBREW}-{HEBREW}>\n<{HEBREW}>"),
    ):  # fmt: skip
        isolated = isolate_right_to_left_words(text)
        assert isolated == (shown or text).replace("<", "\u2068").replace(">", "\u2069")
        assert isolate_right_to_left_words(isolated) == isolated == replace_unprintable(isolated)
