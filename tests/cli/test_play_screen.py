"""The screen to play from, and the one to watch: what they show of any system's scene at every size, and
what keys and clicks do."""

from __future__ import annotations

import asyncio
import re
import shlex
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from support.cli import Strike
from support.edits import append_to
from textual import events

from strike_cli.campaign import Campaign
from strike_cli.campaign_on_screen import campaign_on_one_screen, campaign_view
from strike_cli.cli.app import run_command_line_or_complete
from strike_cli.cli.play import ScreenBackend, create_screen
from strike_cli.phones.proposals import add_or_replace_proposal, read_proposals
from strike_cli.play.forecast import preview
from strike_cli.problems import CampaignProblem
from strike_cli.registry import systems_by_scene_key
from strike_cli.terminal.command_output import blocks_as_unwrapped_text
from strike_cli.terminal.screen import app as screen
from strike_cli.terminal.screen.campaign_view import acting_person_id, legal_moves_in_scene, square_name
from strike_cli.terminal.screen.screen_drawing import draw_play_screen
from strike_cli.terminal.screen.screen_state import ScreenState
from strike_cli.terminal.screen.text_rows import text_of_row, width_of_row
from strike_cli.visibility.audiences import GM, PLAYERS

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
SCREENS = Path(__file__).parent / "screens"
SIZES = ((80, 24), (100, 30), (150, 45))
STRIKE = ROOT / "campaign.example.toml"
SCENES = {
    "fight": (STRIKE, "combat start ford", "combat initiative --dice 6,5,4,3,2,2,2,2,2,1", "combat turn"),
    "conflict": (STRIKE, "conflict start lamp-council", "conflict act vex progress"),
    "chase": (STRIKE, "chase start causeway", "chase run flee"),
    "grit": (ROOT / "plugins/strike_grit/example/campaign.toml", "grit start bridge"),
    "karma": (ROOT / "plugins/strike_karma/example/campaign.toml", "karma start wreck --first bo --seed 1"),
    "momentum": (ROOT / "plugins/strike_momentum/example/campaign.toml", "momentum start gate",
        "momentum initiative", "momentum turn"),
}  # fmt: skip
"""A scene of each system: its campaign, and the commands that lead to it."""


@pytest.fixture(autouse=True)
def _history(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("STRIKE_CAMPAIGN", "")


def play_in(folder: Path, line: str) -> None:
    assert run_command_line_or_complete(["-C", str(folder), *shlex.split(line)]) in (0, 6), line


def begun(folder: Path, name: str) -> Path:
    """The folder of a campaign in which a scene of a system is under way."""
    campaign, *commands = SCENES[name]
    folder.mkdir(exist_ok=True)
    shutil.copyfile(campaign, folder / "campaign.toml")
    for command in commands:
        play_in(folder, command)
    return folder


def desk_of(folder: Path) -> ScreenState:
    """A screen's desk for a campaign, with what may be done."""
    with Campaign(folder) as campaign:
        desk = ScreenState(campaign_view(campaign, 60))
    if desk.scene:
        desk.store_moves_and_pick_obvious(list(legal_moves_in_scene(desk.view, desk.scene)))
    return desk


def foresee(desk: ScreenState) -> None:
    """Find out what is to be expected of what is picked."""
    found = preview(systems_by_scene_key()[desk.scene.key], desk.view.world, desk.picked_move.option)
    desk.previews[desk.picked_move.typed] = found


def shown(desk: ScreenState, width: int = 80, height: int = 24) -> str:
    """The screen as text, with times left out."""
    rows = draw_play_screen(desk, width, height).rows
    assert [width_of_row(row) for row in rows] == [width] * height
    return timeless("\n".join(text_of_row(row).rstrip() for row in rows))


def timeless(text: str) -> str:
    return re.sub(r"(#\d+ )\d\d:\d\d", r"\1hh:mm", text)


# What is shown


@pytest.mark.parametrize("name", SCENES)
def test_screens_of_every_system_at_every_size(
    tmp_path: Path, name: str, request: pytest.FixtureRequest
) -> None:
    """The pictures that were looked at: with a target picked and foreseen, and as `strike watch` has them."""
    folder = begun(tmp_path / name, name)
    desk = desk_of(folder)
    desk.step_to_target(1)
    if desk.picked_move is None:
        desk.step_to_move(1)
    foresee(desk)
    pages = [f"=== strike play, {w}x{h}\n{shown(desk, w, h - 1)}\n>\n" for w, h in SIZES]
    with Campaign(folder) as campaign:
        for width, height in SIZES:
            text = timeless(blocks_as_unwrapped_text(campaign_on_one_screen(campaign, 5, height), width))
            assert len(text.splitlines()) == height
            assert max(map(len, text.splitlines())) <= width
            pages.append(f"=== strike watch, {width}x{height}\n{text}")
    file = SCREENS / f"{name}.txt"
    if request.config.getoption("--regenerate-golden"):
        file.write_text("".join(pages), encoding="utf-8")
    assert "".join(pages) == file.read_text(encoding="utf-8")


def test_a_choice_is_shown_with_its_way_its_chance_and_its_opportunities(tmp_path: Path) -> None:
    """STR-TAC-08: what the move itself says, before it is made."""
    folder = begun(tmp_path / "fight", "fight")
    play_in(folder, "override fight.active goblin-1 --why first")
    desk = desk_of(folder)
    desk.select_person("odo")
    assert desk.picked_move.typed == "charge goblin-1 odo"
    foresee(desk)
    text = shown(desk)
    assert "Enter: charge goblin-1 odo" in text
    assert "gives an Opportunity to Brann Oxley" in text
    assert "66.7% hit" in text
    assert "◎" in text


@pytest.mark.parametrize("name", ["fight", "momentum"])
def test_what_is_foreseen_is_what_the_move_says(tmp_path: Path, name: str) -> None:
    """Chances are chances, and a way begins where whoever acts stands and ends where they wanted."""
    desk = desk_of(begun(tmp_path / name, name))
    here = desk.scene.people[acting_person_id(desk.scene)].at
    system = systems_by_scene_key()[desk.scene.key]
    for choice in [each for each in desk.moves if not each.has_square_but_no_target][:4] + desk.moves[-12:]:
        found = preview(system, desk.view.world, choice.option)
        assert all(0 <= chance <= 1 for chance in found.chances.values())
        if choice.has_square_but_no_target:
            assert found.way[0] == here
            assert found.way[-1] == square_name(choice.square)


def test_a_move_shows_its_reach_and_its_way(tmp_path: Path) -> None:
    desk = desk_of(begun(tmp_path / "fight", "fight"))
    assert "◦" in shown(desk)
    goal = max(desk.squares_in_reach)
    desk.select_square(goal)
    assert desk.picked_move.square == goal
    foresee(desk)
    assert "◎" in shown(desk, 100, 30)
    desk.select_square((0, 0))
    assert desk.picked_move is None
    assert "Nobody can stand on A1." in shown(desk)


def test_any_square_may_be_pointed_at_where_few_are_listed(tmp_path: Path) -> None:
    """A system lists what its bot would do; whether another square can be gone to, its move says."""

    async def script(made: Any, press: Keys) -> None:
        desk = made.screen_state
        assert (
            len({each.square for each in desk.moves if each.has_square_but_no_target})
            < 4
            < len(desk.squares_in_reach)
        )
        await press("right")
        assert desk.picked_move.typed == "move ilse D4"
        assert "Enter: move ilse D4" in text_on(made)
        assert desk.previews[desk.picked_move.typed].way == ("C4", "D4")
        await press(*("down",) * 3, *("right",) * 9)
        assert desk.picked_move is None
        assert desk.why_not in text_on(made)
        desk.select_square((3, 3))
        await press("enter")
        assert desk.scene.people["ilse"].at == "D4"
        assert desk.rank_by_selection(desk.listed_moves[0]) == 0  # she may ward herself,
        assert desk.picked_move is None  # and a key held too long does not

    play_by_keys(begun(tmp_path / "orchard", "momentum"), script)


def test_what_is_cut_says_so(tmp_path: Path) -> None:
    """A map too wide and too high, an order and a list too long, a log, a box, a terminal too small."""
    desk = desk_of(begun(tmp_path / "fight", "fight"))
    small = shown(desk, 80, 18)
    assert re.search(r" [A-Z] to [A-Z] of R, \d+ to \d+ of 11 ", small)
    assert len(re.findall(r"… \d+ more", small)) == 2
    assert "… earlier" in small
    assert "This window is 40x10" in "".join(text_of_row(row) for row in draw_play_screen(desk, 40, 10).rows)


def test_the_end_of_a_turn_is_not_picked_by_itself_while_somebody_may_act(tmp_path: Path) -> None:
    """Enter held too long after a blow must not end the others' turn."""
    folder = begun(tmp_path / "grit", "grit")
    play_in(folder, "grit attack pete troll --with great-bow --dice 3")
    desk = desk_of(folder)
    assert [choice.typed for choice in desk.listed_moves] == ["next"]
    assert desk.picked_move is None


def test_a_picked_row_stays_in_sight(tmp_path: Path) -> None:
    desk = desk_of(begun(tmp_path / "conflict", "conflict"))
    desk.step_to_move(-1)
    assert "▶" in shown(desk)
    assert re.search(r"… \d+ above", shown(desk))


def test_players_are_shown_no_secrets(tmp_path: Path) -> None:
    folder = begun(tmp_path / "chase", "chase")
    with Campaign(folder) as campaign:
        seen = blocks_as_unwrapped_text(campaign_on_one_screen(campaign, 5, 24, PLAYERS))
        assert "flee" not in seen
        assert "flee" in blocks_as_unwrapped_text(campaign_on_one_screen(campaign, 5, 24))


def test_what_is_asked_stands_with_the_dice_that_led_to_it_and_what_may_be_answered(tmp_path: Path) -> None:
    folder = begun(tmp_path / "chase", "chase")
    play_in(folder, "roll opposed odo Haggling --against goblin Threatening --dice 3,2")
    with Campaign(folder) as campaign:
        for audience in (GM, PLAYERS):
            text = blocks_as_unwrapped_text(campaign_on_one_screen(campaign, 5, 30, audience))
            assert "goblin must choose" in text
            assert "Haggling 3, goblin Threatening 2" in text
            assert "shaky" in text.partition("costly")[0]


def test_a_decision_stands_in_a_box_with_the_dice_that_led_to_it(folder: Path, fight: Strike) -> None:
    fight("combat attack vex goblin-1 --power trip --dice 3", 6)
    text = shown(desk_of(folder))
    assert "Trip against Goblin 1, a glancing hit" in text
    assert "1 damage" in text
    assert "2 effect" in text
    assert "Dice: attack: 3" in text


def big(folder: Path) -> Path:
    """A fight on a map of 40 by 30, the party in its last corner."""
    rows = ["." * 40 for _ in range(30)]
    rows[2] = "..g" + rows[2][3:]
    rows[27] = rows[27][:36] + "PP.."
    folder.mkdir()
    plain = 'encounters.plain = { name = "Plain", map = """\n%s""", place = { P = "party", g = "goblin" } }\n'
    text = (ROOT / "tests/data/campaign.toml").read_text(encoding="utf-8")
    (folder / "campaign.toml").write_text(
        plain % "".join(f"{row}\n" for row in rows) + text, encoding="utf-8"
    )
    play_in(folder, "combat start plain --party vex --party odo")
    return folder


def test_a_big_map_opens_where_somebody_acts_and_follows(tmp_path: Path) -> None:
    folder = big(tmp_path / "plain")
    seen = []
    for line in ("status", "combat initiative --dice 5,6,4", "combat turn", "next", "next"):
        play_in(folder, line)
        seen.append(shown(desk_of(folder)))
    party, goblin = (re.compile(each, re.MULTILINE) for each in (r"^28 .*V.? +.?O", r"^ 3 .*\[G\]"))
    assert [bool(party.search(text)) for text in seen] == [True, True, True, True, False]
    assert [bool(goblin.search(text)) for text in seen] == [False, False, False, False, True]


def test_the_fallen_come_last_and_tab_goes_to_the_nearest(folder: Path, fight: Strike) -> None:
    for line in ("place goblin-1 A2", "place goblin-2 B2", "damage odo 10"):
        fight(f"combat {line}")
    desk = desk_of(folder)
    text = shown(desk)
    assert text.index("Goblin 2") < text.rindex("Odo ")
    fight("combat place goblin-1 D1")
    desk = desk_of(folder)
    desk.step_to_target(1)
    assert desk.selected_person_id == "goblin-2"


@pytest.mark.parametrize("name", ["conflict", "chase"])
def test_who_has_chosen_and_who_has_not_is_on_the_smallest_screen(tmp_path: Path, name: str) -> None:
    text = " ".join(shown(desk_of(begun(tmp_path / name, name))).split())
    assert "This round" in text
    assert "not chosen yet" in text or "not yet:" in text


@pytest.mark.parametrize("kind", ["dumb", ""])
def test_a_terminal_without_a_screen_is_named(
    in_campaign: Strike, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    here = SimpleNamespace(isatty=lambda: True)
    monkeypatch.setattr("strike_cli.cli.play.sys", SimpleNamespace(stdin=here, stdout=here))
    monkeypatch.setenv("TERM", kind)
    assert "`strike shell` plays" in in_campaign("play", 2).err


# What keys and clicks do


Keys = Callable[..., Awaitable[None]]


def play_by_keys(
    folder: Path, script: Callable[[Any, Keys], Awaitable[None]], size: Any = (80, 24), settle: bool = True
) -> str:
    """Run the screen without a terminal, and press keys, where wanted once all is there that may be done.
    Returns the last screen as text."""
    left: list[str] = []

    async def session() -> None:
        made = create_screen(folder)
        async with made.run_test(size=size):

            async def press(*keys: str) -> None:
                for key in keys:
                    await press_on(made, key)

            if settle:
                await settled(made)
                assert (*made.picture.size,) == (size[0], size[1] - 1)  # all of it, but the line to type on
            await script(made, press)
            left.append(text_on(made))

    asyncio.run(session())
    return left[0]


def at_once(made: Any, *keys: str) -> None:
    """Press keys faster than anybody can answer them."""
    for key in keys:
        made.post_message(events.Key(key, key if len(key) == 1 else None))


async def press_on(made: Any, key: str) -> None:
    """Press a key, or type a text that begins with ~ at once, and wait for what comes of it."""
    if key.startswith("~"):
        made.input_line.insert_text_at_cursor(key[1:])
    else:
        at_once(made, key)
    await settled(made)


async def heard(made: Any) -> None:
    """Until everybody has heard what was sent to them. (A pilot would wait until no thread computes.)"""
    for each in (made, made.screen, made.picture, made.input_line, made):
        done = asyncio.Event()
        each.call_later(done.set)
        await done.wait()


async def until(there: Callable[[], object]) -> None:
    """Wait for something for a minute."""
    for _ in range(6000):
        if there():
            return
        await asyncio.sleep(0.01)


async def settled(made: Any) -> None:
    """Until nothing is under way beside the keys."""
    await heard(made)
    while (
        made.screen_state.running_command
        or made.waiting_keys
        or not all(worker.is_finished for worker in made.workers)
    ):
        await asyncio.sleep(0.002)
    await heard(made)


def text_on(made: Any) -> str:
    return "\n".join(strip.text.rstrip() for strip in made.screen._compositor.render_strips())


def typed(line: str) -> tuple[str, ...]:
    """The keys of a line typed whole."""
    return (":", f"~{line}", "enter")


def commands(strike: Strike) -> list[str]:
    return [entry["command"] for entry in strike.json("log --last 50")["data"]["entries"]]


def test_part_of_a_fight_by_keys(folder: Path, in_campaign: Strike) -> None:
    """A typed command, a target, an attack, an answer by number, a move by arrows, undo."""
    in_campaign("combat start ring --party vex --party odo")

    async def script(made: Any, press: Keys) -> None:
        await press(*typed("combat initiative --dice 6,5,1,1 --choose as-listed"))
        assert made.screen_state.picked_move.typed == "turn"  # all that may be done needs no picking
        await press("enter")
        assert "Vex's turn" in text_on(made)
        await press("tab")
        assert made.screen_state.selected_person_id.startswith("goblin")
        assert "hit" in text_on(made)
        await press(*typed("combat attack vex goblin-1 --power trip --dice 3"))
        assert made.screen_state.shown_decision
        await press("2")
        assert made.screen_state.view.decisions == ()
        await press("escape", "down")
        assert "gives an Opportunity to Goblin 2" in text_on(made)
        await press("enter")
        assert "2 stay" in text_on(made)
        await press("2", "2", "enter")  # rather than walk, shift
        assert made.screen_state.scene.people["vex"].at == "B2"
        await press("escape")
        assert made.screen_state.cursor == (1, 1)
        await press("u")
        assert re.search(r"undo #\d+: Vex", text_on(made))
        await press("u")
        assert made.screen_state.scene.people["vex"].at == "B1"

    last = play_by_keys(folder, script)
    assert "Undone" in last
    assert commands(in_campaign)[-2:] == ["combat move", "undo"]


def test_part_of_a_conflict_and_of_a_chase_by_keys(tmp_path: Path) -> None:
    folder = begun(tmp_path / "both", "conflict")
    play_in(folder, "chase start causeway")

    async def script(made: Any, press: Keys) -> None:
        await press("1", "enter")
        assert "Runners pick" in made.screen_state.view.log[-1].lines[0][1][0]
        await press("down", "enter", "f2")
        assert made.screen_state.scene.sides[0].team
        await press("tab", "tab")
        who = made.screen_state.selected_person_id
        assert who == "sela" or who == "brann"
        assert made.screen_state.listed_moves[0].who == who
        await press("down", "enter")
        assert who in str(made.screen_state.view.world.state)

    play_by_keys(folder, script)
    with Campaign(folder) as campaign:
        played = [entry["command"] for entry in campaign.journal.newest_entries(3)]
    assert played[0] == "chase run"
    assert played[2].startswith("conflict")


def test_a_plugins_scene_by_keys(tmp_path: Path) -> None:
    """Its decision by number at the start, then what it offers."""
    shutil.copyfile(SCENES["karma"][0], tmp_path / "campaign.toml")

    async def script(made: Any, press: Keys) -> None:
        assert "Nothing is on the table" in text_on(made)
        await press(*typed("karma start wreck"))
        assert "1 ana" in text_on(made)
        await press("escape")
        assert made.screen_state.shown_decision is None
        await press("enter")
        await press("down", "down", "enter")
        assert "▸[Bo]" in text_on(made)
        await press("2")
        assert made.screen_state.picked_move.typed == "act bo"
        await press("enter")

    play_by_keys(tmp_path, script)
    with Campaign(tmp_path) as campaign:
        assert campaign.journal.newest_entries(1)[0]["command"] == "karma act"


def test_answers_are_typed_by_word_and_later_closes_the_box(folder: Path, fight: Strike) -> None:
    fight("combat attack vex goblin-1 --power trip --dice 3", 6)

    async def script(made: Any, press: Keys) -> None:
        await press(*typed("later"))
        assert made.screen_state.shown_decision is None
        assert "A decision is open" in text_on(made)
        await press("enter")
        await press(*typed("eff"))
        assert not made.screen_state.view.decisions

    play_by_keys(folder, script)
    assert fight.json("log --last 1")["data"]["entries"][0]["command"] == "combat attack"


async def asked(made: Any) -> None:
    """Until the faces of a roll are asked for, or the command has ended."""
    await heard(made)
    while made.screen_state.dice_prompt is None and made.screen_state.running_command:
        await asyncio.sleep(0.002)
    await heard(made)


async def say_to(made: Any, *keys: str) -> None:
    """Press keys while a command waits for dice."""
    for key in keys:
        at_once(made, key)
        await heard(made)


def test_what_is_no_answer_is_said_in_the_box(folder: Path, fight: Strike) -> None:
    fight("combat attack vex goblin-1 --power trip --dice 3", 6)

    async def script(made: Any, press: Keys) -> None:
        await press(*typed("efect"))
        assert "'efect' is not an option" in text_on(made)
        assert "The options: damage, effect." in text_on(made)
        await press("7")
        assert "7 is not an answer: type 1 to 2" in text_on(made)
        await press(*typed("the sword"))
        assert "'the sword' is not an option" in text_on(made)
        await press("2")
        assert "the sword" not in text_on(made).partition("── Log")[0]
        assert not made.screen_state.refusal

    play_by_keys(folder, script)


def test_a_refusal_is_whole_until_somebody_goes_on(folder: Path, fight: Strike) -> None:
    refused = fight("combat attack vex goblin-1 --power fireball --adv 'a very long reason'", 2).err

    async def script(made: Any, press: Keys) -> None:
        await press(*typed("attack vex goblin-1 --power fireball --adv 'a very long reason'"))
        boxed = " ".join(text_on(made).replace("│", " ").split())
        for sentence in refused.splitlines():
            assert sentence in boxed
        await press("a")  # it is read while the next is typed
        assert "Not played" in text_on(made)
        await press("escape", "tab")
        assert "Not played" not in text_on(made)

    play_by_keys(folder, script)


def test_what_was_typed_ahead_for_a_refused_command_plays_nothing_else(folder: Path, fight: Strike) -> None:
    """The faces of its dice would pick an option, and Enter play it."""
    before = fight.json("log --last 1")["data"]["entries"]

    async def script(made: Any, press: Keys) -> None:
        made.screen_state.picked_row = None
        await press(*typed("attack vex nobody"))
        assert "Not played" in text_on(made)
        await press("2", "1")
        assert "Digits do nothing here" in text_on(made)
        assert made.screen_state.picked_row is None
        await press("enter")
        assert "Not played" not in text_on(made)
        await press("2")
        assert made.screen_state.picked_row == 1, "once it is closed they pick again"

    play_by_keys(folder, script)
    assert fight.json("log --last 1")["data"]["entries"] == before


def test_what_players_propose_is_accepted_and_declined_by_a_key(folder: Path, fight: Strike) -> None:
    end_turn, climb = ("combat", "end-turn"), ("roll", "skill", "vex", "Climbing")
    first = add_or_replace_proposal(folder, "vex", end_turn, "End turn")
    add_or_replace_proposal(folder, "odo", ("roll", "skill", "odo", "Cooking"), "Cooking", [4])
    with Campaign(folder) as campaign:
        assert "strike accept 1" in blocks_as_unwrapped_text(campaign_on_one_screen(campaign, 5, 30))

    async def script(made: Any, press: Keys) -> None:
        assert "Vex proposes: End turn (and 1 more)  + accepts, - declines" in text_on(made)
        await press("+")
        assert "Odo proposes: Cooking  + accepts" in text_on(made)
        add_or_replace_proposal(folder, "vex", climb, "Climbing")
        await press("-")
        assert "Declined: Cooking" in text_on(made)
        assert "proposes: Climbing" in text_on(made)
        await press("+")
        assert "proposes" not in text_on(made)
        await press("+", "escape")  # with nothing proposed it is a letter like any other

    play_by_keys(folder, script, (100, 30))
    last = fight.json("log --last 2")["data"]["entries"]
    assert [(entry["command"], entry["player"]) for entry in last] == [
        ("combat end-turn", "vex"),
        ("roll skill", "vex"),
    ]
    assert not read_proposals(folder).waiting and first.id == 1


def test_dice_on_the_table_are_asked_for_in_a_box(folder: Path, in_campaign: Strike) -> None:
    """Who, how many, what for, which of two counts and why; a wrong face is asked again, Enter alone lets
    strike roll, Esc takes the command back."""
    append_to(folder / "campaign.toml", '[dice]\nmode = "physical"\n')

    async def roll(made: Any) -> None:
        made._start_command(["roll", "skill", "vex", "Climbing", "--dis", "in the rain", "--cost", "waive"])
        await asked(made)

    async def script(made: Any, press: Keys) -> None:
        await roll(made)
        text = text_on(made)
        assert "Vex, 2d6 for Climbing (the worse counts: in the rain)" in text
        assert "Type 2 faces from 1 to 6, as they fell" in text
        await say_to(made, "7", "1", "enter")
        assert "'71' doesn't fit this roll" in text_on(made)
        await say_to(made, "6", "5", "enter")
        await settled(made)
        assert made.screen_state.dice_prompt is None
        await roll(made)
        await press("enter")
        seq = made.screen_state.view.seq
        await roll(made)
        await press("escape")
        assert made.screen_state.view.seq == seq
        assert "taken back" in text_on(made)
        await roll(made)
        made.post_message(events.Key("ctrl+q", None))  # who leaves now leaves nothing behind
        while made.screen_state.running_command:
            await asyncio.sleep(0.002)

    play_by_keys(folder, script)
    entries = in_campaign.json("log --last 9")["data"]["entries"]
    assert [entry["command"] for entry in entries] == ["roll skill", "roll skill"]
    assert ["skill: Climbing", [6, 5]] in entries[0]["answers"]


def test_every_roll_asks_with_dice_ask(folder: Path, in_campaign: Strike) -> None:
    async def script(made: Any, press: Keys) -> None:
        made._start_command(["roll", "die", "2d6", "--dice", "ask"])
        await asked(made)
        assert "The table, 2d6" in text_on(made)
        await say_to(made, "3", " ", "4", "enter")
        await settled(made)
        assert "7" in text_on(made)

    play_by_keys(folder, script)


def test_the_line_completes_and_remembers(
    folder: Path, in_campaign: Strike, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STRIKE_CAMPAIGN", str(folder))

    async def script(made: Any, press: Keys) -> None:
        await press(*"und", "tab")
        assert made.input_line.value == "undo "
        await press("escape")
        await press(*typed("ap give odo"))
        await press(*typed('roll die "d6'))
        assert "No closing quotation" in text_on(made)
        await press(*typed("shell"))
        assert "`shell`" in text_on(made)
        await press(":", "up", "up", "up")
        assert made.input_line.value == "ap give odo"
        await press("enter")

    play_by_keys(folder, script)
    assert commands(in_campaign) == ["ap give", "ap give"]
    assert ScreenBackend(folder).history() == ["ap give odo", 'roll die "d6', "shell", "ap give odo"]


def test_what_is_recorded_is_told_once_and_what_is_not_is_shown(folder: Path, in_campaign: Strike) -> None:
    async def script(made: Any, press: Keys) -> None:
        await press(*typed("ap give odo"))
        assert text_on(made).count("Odo") == 1
        await press(*typed("character show nobody"))
        assert "'nobody'" in text_on(made)
        await press("?")
        assert "Keys" in text_on(made)
        await press("escape")
        assert "Keys" not in text_on(made)

    play_by_keys(folder, script)


def found(made: Any, places: Any, wanted: Callable[[Any], bool]) -> tuple[int, int]:
    """A place on the screen where a click means what is wanted."""
    hits = ((place, made.picture.drawn_screen.click_target_at(*place)) for place in places)
    return next(place for place, hit in hits if hit and wanted(hit))


def test_what_is_long_opens_to_be_read(folder: Path, in_campaign: Strike) -> None:
    """A help, a table: over the panels, as wide as the screen, and gone through by the arrows."""

    async def script(made: Any, press: Keys) -> None:
        await press(*typed("roll skill --help"))
        first = text_on(made)
        assert "╭─ roll skill --help ─" in first
        assert re.search(r"\d+ more: arrows, PgDn; Esc closes", first)
        await press("pagedown", "down")
        assert "roll skill --help (from line 7)" in text_on(made)
        await press("escape")
        assert "lines to read" in text_on(made)

    play_by_keys(folder, script)


def test_keys_wait_for_what_may_be_done(folder: Path, fight: Strike, monkeypatch: pytest.MonkeyPatch) -> None:
    """A Tab and an Enter before the list is there mean what they mean with it; an arrow goes at once."""
    go_on = threading.Event()
    monkeypatch.setattr(screen, "legal_moves_in_scene", waits_for(go_on, screen.legal_moves_in_scene))

    async def script(made: Any, press: Keys) -> None:
        before = made.screen_state.cursor
        at_once(made, "right")
        await heard(made)
        assert made.screen_state.cursor != before
        at_once(made, "tab", "enter", "n")
        await heard(made)
        assert made.screen_state.moves is None
        go_on.set()
        await settled(made)
        assert made.input_line.value == "n"

    play_by_keys(folder, script, settle=False)
    assert commands(fight)[-1] == "combat attack"


def test_keys_wait_for_the_command_before(
    folder: Path, fight: Strike, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A whole turn typed at once, while its first command is still being played."""
    fight("roll 1d6")  # then the attack asks nothing
    go_on = threading.Event()
    monkeypatch.setattr(ScreenBackend, "run_command", waits_for(go_on, ScreenBackend.run_command))

    async def script(made: Any, press: Keys) -> None:
        at_once(made, *"m b2 --shift", "enter", "tab", "enter", "n", "enter")
        await until(lambda: made.screen_state.running_command)
        await heard(made)
        assert made.screen_state.running_command == "m b2 --shift"
        go_on.set()
        await settled(made)

    play_by_keys(folder, script)
    assert commands(fight)[4:] == ["combat move", "combat attack", "combat end-turn", "combat turn"]


def test_keys_wait_for_the_line_and_its_completion(
    folder: Path, fight: Strike, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is typed behind a Tab, behind an Enter or behind a second u belongs there."""
    go_on = threading.Event()
    monkeypatch.setattr(
        ScreenBackend, "completions_of_line", waits_for(go_on, ScreenBackend.completions_of_line)
    )

    before = len(commands(fight))

    async def script(made: Any, press: Keys) -> None:
        at_once(made, *"combat dam", "tab", *" vex 3", "enter")
        at_once(made, *"uuhp odo 2", "left", "backspace", *" =", "right", "0", "backspace", "enter", "x")
        await heard(made)
        go_on.set()
        await settled(made)
        assert made.input_line.value == "x"
        assert made.screen_state.scene.people["odo"].meters[0].value == 2

    play_by_keys(folder, script)
    assert commands(fight)[before:] == ["combat damage", "undo", "combat hp"]


def waits_for(go_on: threading.Event, function: Callable[..., Any]) -> Callable[..., Any]:
    """The function, once it may go on."""

    def waiting(*args: Any) -> Any:
        assert go_on.wait(60)
        return function(*args)

    return waiting


def test_the_mouse_points_and_does(folder: Path, fight: Strike) -> None:

    async def session() -> None:
        made = create_screen(folder)
        async with made.run_test(size=(100, 30)) as pilot:
            await settled(made)
            places = [(x, y) for y in range(30) for x in range(100)]
            square = found(made, places, lambda hit: hit.square == (1, 1))
            await pilot.click(screen.ScreenPicture, offset=square)
            assert made.screen_state.picked_move.typed == "move vex B2"
            await pilot.click(
                screen.ScreenPicture, offset=found(made, places, lambda hit: hit.who == "goblin-2")
            )
            assert made.screen_state.selected_person_id == "goblin-2"
            await pilot.click(screen.ScreenPicture, offset=square)
            action = found(made, places, lambda hit: hit.kind == "action" and hit.number == 1)
            await pilot.click(screen.ScreenPicture, offset=action, times=2)
            await settled(made)
            assert made.screen_state.scene.people["vex"].at == "B2"

    asyncio.run(session())


def test_it_follows_what_others_play(
    folder: Path, in_campaign: Strike, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(screen, "SECONDS_BETWEEN_LOOKS", 0.01)

    async def script(made: Any, press: Keys) -> None:
        seq = made.screen_state.view.seq
        await asyncio.to_thread(play_in, folder, "combat start ring --party vex")
        await until(lambda: made.screen_state.view.seq != seq and made.screen_state.moves is not None)
        assert "The Ring" in text_on(made)
        await asyncio.to_thread((folder / "campaign.toml").write_text, "name = ", encoding="utf-8")
        await asyncio.to_thread(run_command_line_or_complete, ["-C", str(folder), "undo"])

    play_by_keys(folder, script)


def test_reading_ends_with_the_screen(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(screen, "SECONDS_BETWEEN_LOOKS", 0.01)

    async def script(made: Any, press: Keys) -> None:
        seen, reading = made.commands.read_view(), threading.Event()

        def late() -> Any:
            reading.set()
            while made.picture.is_attached:
                time.sleep(0.001)
            return seen

        monkeypatch.setattr(made.commands, "read_view", late)
        await asyncio.to_thread(play_in, folder, "note Rain.")
        assert await asyncio.to_thread(reading.wait, 60)

    play_by_keys(folder, script)


def test_keys_never_wait_for_odds(folder: Path, fight: Strike, monkeypatch: pytest.MonkeyPatch) -> None:
    """While odds are worked out the cursor moves; once the state is another they are dropped."""
    go_on, asked = threading.Event(), list[str]()

    def slow(system: Any, world: Any, option: Any) -> Any:
        asked.append(str(option))
        go_on.wait(60)
        return preview(system, world, option)

    monkeypatch.setattr(screen, "preview", slow)

    async def script(made: Any, press: Keys) -> None:
        await until(lambda: asked)
        before = made.screen_state.cursor
        at_once(made, "right")
        await heard(made)
        assert made.screen_state.cursor != before
        assert made.screen_state.previews == {}
        count = len(asked)
        made._find_and_preview_moves()
        go_on.set()
        await settled(made)
        assert asked[count:]

    play_by_keys(folder, script, settle=False)


def test_a_failing_system_ends_nothing(folder: Path, fight: Strike, monkeypatch: pytest.MonkeyPatch) -> None:

    def broken(*_: Any) -> Any:
        raise KeyError("plugin")

    monkeypatch.setattr(screen, "preview", broken)

    async def script(made: Any, press: Keys) -> None:
        await press("tab")
        assert "can't be foreseen" in text_on(made)

    play_by_keys(folder, script)


# Where there is no Textual, and where there is no need of it


def test_without_textual_one_message_says_how_to_get_it(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(sys.modules, "strike_cli.terminal.screen.app")
    monkeypatch.setitem(sys.modules, "textual", None)
    with pytest.raises(CampaignProblem) as problem:
        create_screen(folder)
    assert "strike-cli[play]" in problem.value.hint


def test_it_needs_a_terminal(in_campaign: Strike) -> None:
    assert "batch" in in_campaign("play", 2).err
    assert "for people" in in_campaign("play --json", 2).out


def test_nothing_else_imports_textual(folder: Path) -> None:
    code = (
        "import sys; from strike_cli.cli.app import run_command_line_or_complete\n"
        "from strike_cli.cli import play, watch\n"
        f"run_command_line_or_complete(['-C', {str(folder)!r}, 'status'])\n"
        "sys.exit('textual' in sys.modules or 'rich' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, check=False).returncode == 0
