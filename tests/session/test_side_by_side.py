"""Campaigns side by side in one process: each command lands in its own journal, in its own language, by
whichever door it came in."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from threading import Thread

import pytest
from conftest import DATA
from support.cli import Strike
from support.plugins import install
from support.thorough import THOROUGH, few_of

from strike_cli import Campaign
from strike_cli.cli.app import run_command_line_or_complete
from strike_cli.registry import installed_plugins
from strike_cli.registry.remote_permissions import RemoteSender
from strike_cli.serve.gm_console_and_pictures import GameMasterConsole
from strike_cli.serve.hosted_game import CommandRequest, HostedGame
from strike_cli.serve.mcp_tools import Assistant, Tools
from strike_cli.terminal.invocation import Invocation

ROUNDS = 200 if THOROUGH else 3
LINES = (
    "note {name} {number}",
    "chase start Road --runners vex --chasers brann",
    "roll skill vex Climbing --dice 5",
    "undo 2",
    "status",
)
Typed = Callable[[str], object]


def by_python(folder: Path, stack: ExitStack) -> Typed:
    return Campaign(folder).play


def by_python_held_open(folder: Path, stack: ExitStack) -> Typed:
    return stack.enter_context(Campaign(folder)).play


def by_serve(folder: Path, stack: ExitStack) -> Typed:
    game = stack.enter_context(HostedGame(folder, RemoteSender.SERVE).run_in_thread())
    return lambda line: game.play_request(CommandRequest(tuple(shlex.split(line)))).result(60)


def by_mcp(folder: Path, stack: ExitStack) -> Typed:
    tools = Tools(
        stack.enter_context(HostedGame(folder, RemoteSender.MCP).run_in_thread()),
        Assistant(physical_dice=True),
    )
    return lambda line: tools.look(line) if line == "status" else tools.play(line)


def by_page(folder: Path, stack: ExitStack) -> Typed:
    desk = GameMasterConsole(folder)
    stack.callback(desk.close)
    return desk.play


def by_command_line(folder: Path, stack: ExitStack) -> Typed:
    return lambda line: run_command_line_or_complete(
        shlex.split(line), Invocation(str(folder), result_handler=lambda result: None)
    )


BEGINS = {
    "en": "Road begins at Medium range, Danger Level 0: Vex Marlowe before Brann Oxley.",
    "de": "Road beginnt, Entfernung Mittel, Gefahr 0: Vex Marlowe vor Brann Oxley.",
}
DOORS = (by_python, by_python_held_open, by_serve, by_mcp, by_page, by_command_line)


@pytest.fixture
def german(tmp_path: Path) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        site = tmp_path / "site"
        install("strike-german", "1.0", "german = german:plugin", site)
        for place in (DATA / "german", site):
            patch.setattr(sys, "path", [*sys.path, str(place)])
        patch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache-with-german"))
        installed_plugins.drop_plugin_index()
        yield
    installed_plugins.drop_plugin_index()


def two_languages(place: Path) -> dict[str, Path]:
    """New campaigns that are told in each of two languages."""
    folders = {name: place / name for name in ("en", "de")}
    for folder in folders.values():
        Campaign.new(folder, seed=5)
    file = folders["de"] / "campaign.toml"
    text = file.read_text(encoding="utf-8").replace('["elements"]', '["elements", "german"]')
    file.write_text(f'language = "de"\n{text}', encoding="utf-8")
    return folders


@pytest.mark.slow
@pytest.mark.usefixtures("german")
def test_two_languages_on_one_thread(tmp_path: Path) -> None:
    """Whichever was opened or played last, what a session tells and shows is in its own language."""
    with ExitStack() as stack:
        games = {
            name: stack.enter_context(Campaign(folder)) for name, folder in two_languages(tmp_path).items()
        }
        begun = {name: game.play(LINES[1]).facts[0]["text"] for name, game in games.items()}
        seen = {name: game.view(last=1).log[-1].lines[0][1][0] for name, game in games.items()}
    assert begun == seen == BEGINS


@pytest.mark.slow
@pytest.mark.usefixtures("german")
@pytest.mark.parametrize("door", few_of(DOORS))
def test_two_campaigns_two_languages(
    door: Callable[[Path, ExitStack], Typed], tmp_path: Path, strike: Strike
) -> None:
    """A thousand commands each, thoroughly, with threads that change every tenth of a millisecond."""
    folders = two_languages(tmp_path)
    with ExitStack() as stack:
        typing = {name: door(folder, stack) for name, folder in folders.items()}
        every = sys.getswitchinterval()
        stack.callback(sys.setswitchinterval, every)
        sys.setswitchinterval(1e-4)

        def play(name: str) -> None:
            for number in range(ROUNDS):
                for line in LINES:
                    typing[name](line.format(name=name, number=number))

        threads = [Thread(target=play, args=(name,)) for name in folders]
        for each in threads:
            each.start()
        for each in threads:
            each.join()
    for name, folder in folders.items():
        entries = list(Campaign(folder).entries())
        notes = [entry["facts"][0]["text"] for entry in entries if entry["command"] == "note"]
        assert notes == [f"{name} {number}" for number in range(ROUNDS)]
        assert len(entries) == ROUNDS * 4
        begun = {entry["facts"][0]["text"] for entry in entries if entry["command"] == "chase start"}
        assert begun == {BEGINS[name]}
        strike(f"-C {folder} doctor")


@pytest.mark.parametrize("held", [True, pytest.param(False, marks=pytest.mark.slow)])
def test_one_campaign_on_several_threads(held: bool, tmp_path: Path, strike: Strike) -> None:
    campaign = Campaign.new(tmp_path / "campaign", seed=5)

    def play(who: str) -> None:
        for number in range(ROUNDS):
            campaign.play("note", f"{who} {number}")

    with campaign if held else ExitStack():
        threads = [Thread(target=play, args=(who,)) for who in "abc"]
        for each in threads:
            each.start()
        for each in threads:
            each.join()
    notes = [str(entry["facts"][0]["text"]) for entry in campaign.entries()]
    for who in "abc":
        assert [note for note in notes if note[0] == who] == [f"{who} {number}" for number in range(ROUNDS)]
    strike(f"-C {campaign.folder} doctor")
