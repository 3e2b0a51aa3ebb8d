"""A plugin that fails, prints or never ends is named in one sentence, and takes nothing with it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from support.cli import Strike
from support.plugins import install, install_toy, play_with
from support.thorough import few_of

from strike_cli.play import playable_moves_and_time_limit
from strike_cli.plugin import PersonArgs, Procedure, World
from strike_cli.problems import PluginProblem
from strike_cli.registry import installed_plugins
from strike_cli.session.tab_completion import find_completions

Replace = Callable[[str, Any], str]


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Path]:
    with pytest.MonkeyPatch.context() as patch:
        install_toy(tmp_path / "site", patch)
        yield tmp_path / "site"
    installed_plugins.drop_plugin_index()


@pytest.fixture
def tossing(site: Path, in_campaign: Strike) -> Strike:
    play_with(Path(), "toy")
    in_campaign("toy start vex brann")
    return in_campaign


@pytest.fixture
def replace(tossing: Strike, monkeypatch: pytest.MonkeyPatch) -> Replace:
    """Puts a function in the place of one of the toy's or its bot's, as if it stood there; tells the file."""
    import toy

    def replace_in_toy(name: str, function: Any) -> str:
        function.__code__ = function.__code__.replace(co_filename=toy.__file__)
        monkeypatch.setattr(toy.TossBot if name == "options" else toy, name, function)
        installed_plugins.drop_plugin_index()
        return str(toy.__file__)

    return replace_in_toy


def test_a_mistake_of_a_plugin_is_one_sentence(tossing: Strike, replace: Replace) -> None:
    """Whose, of which move, where; exit code 4, and one object for programs."""

    def play_toss(world: World, args: PersonArgs) -> Procedure[dict[str, Any]]:
        yield from ()
        return {"nobody": world.state["nowhere"]}

    file = replace("play_toss", play_toss)
    before = tossing.json("log")["data"]
    refused = tossing("toy toss vex", 4)
    assert refused.err.startswith("`toy toss` failed in strike-toy 1.0 (toy), ")
    assert f"{file}, line " in refused.err
    assert "KeyError: 'nowhere'." in refused.err
    assert "Nothing was recorded." in refused.err
    assert "Traceback" not in refused.err
    assert "Traceback" in tossing("toy toss vex --debug", 4).err
    Path("evening.strike").write_text("toy toss vex --debug\n", encoding="utf-8")
    assert "Traceback" in tossing("batch evening.strike", 4).err
    error = tossing("toy toss vex --json", 4).json["error"]
    assert error["code"] == "plugin"
    assert tossing.json("log")["data"] == before


def toss_again_and_again(world: World, args: PersonArgs) -> Procedure[dict[str, Any]]:
    while True:
        yield world.happen("toy-tossed", args.who, "Again.")


def test_a_move_that_never_ends_is_stopped(
    tossing: Strike, replace: Replace, monkeypatch: pytest.MonkeyPatch
) -> None:
    replace("play_toss", toss_again_and_again)
    monkeypatch.setattr(playable_moves_and_time_limit, "MAX_REQUESTS", 50)
    said = tossing("toy toss vex", 4).err
    assert "`toy toss` did not end" in said
    assert "50 times" in said


@pytest.mark.parametrize(("name", "move"), few_of([("options", "toy options"), ("play_toss", "toy toss")], 2))
def test_a_rule_that_never_ends_while_options_are_listed_is_stopped(
    name: str, move: str, tossing: Strike, replace: Replace, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`show`, `options` and Tab, each with whose it is and where; Tab goes by names then."""

    def options(self: object, world: World) -> Iterator[Any]:
        while world:
            pass
        yield

    def play_toss(world: World, args: PersonArgs) -> Procedure[dict[str, Any]]:
        yield from options(None, world)
        return {}

    file = replace(name, options if name == "options" else play_toss)
    monkeypatch.setattr(playable_moves_and_time_limit, "MOST_SECONDS", 0.05)
    for command in ("toy show", "toy options"):
        said = tossing(command, 4).err
        assert f"`{move}` did not end in strike-toy 1.0 (toy), {file}, line " in said
        assert "Nothing was recorded." in said
    assert tossing.json("toy show", code=4)["error"]["code"] == "plugin"
    assert find_completions(["toy", "toss"], "").words == ["vex", "brann"], "all that are there, legal or not"


def test_a_rule_that_asks_nothing_and_never_ends_is_stopped() -> None:
    """By the time that the processor is busy with it: people may take as long as they like."""

    def go_on() -> None:
        with playable_moves_and_time_limit.limit_processor_time("toy toss", 0.05):
            while True:
                pass

    with pytest.raises(PluginProblem, match="used the processor"):
        go_on()


@pytest.mark.parametrize("error", [RuntimeError, OSError, AssertionError])
def test_tab_goes_by_names_where_a_plugin_is_broken(
    error: type[Exception], tossing: Strike, replace: Replace
) -> None:
    """And the command that is typed then says what is wrong."""

    def options(self: object, world: World) -> Iterator[Any]:
        raise error("no")
        yield

    replace("options", options)
    assert find_completions(["toy", "toss"], "").words == ["vex", "brann"]
    assert find_completions(["toy"], "to").words == ["toss"]
    assert "strike-toy 1.0" in tossing("toy options", 4).err


def test_without_a_timer_time_is_looked_at_with_each_roll_and_fact(
    tossing: Strike, replace: Replace, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As on Windows, and beside the first thread."""
    file = replace("play_toss", toss_again_and_again)
    monkeypatch.setattr(playable_moves_and_time_limit, "MOST_SECONDS", 0.05)
    monkeypatch.setattr(playable_moves_and_time_limit, "MAX_REQUESTS", 10**9)
    monkeypatch.delattr("signal.setitimer")
    said = tossing("toy toss vex", 4).err
    assert f"`toy toss` did not end in strike-toy 1.0 (toy), {file}, line " in said
    assert "used the processor for 0.05 seconds" in said


def test_each_thread_has_its_own_time() -> None:
    stopped: list[str] = []

    def go_on() -> None:
        with suppress(PluginProblem), playable_moves_and_time_limit.limit_processor_time("toy toss", 0.02):
            while True:
                playable_moves_and_time_limit.check_time_left()
        stopped.append("toy toss")

    with playable_moves_and_time_limit.limit_processor_time("another", 60):
        thread = Thread(target=go_on)
        thread.start()
        thread.join(30)
        playable_moves_and_time_limit.check_time_left()
    assert stopped == ["toy toss"]


def test_plugin_list_looks_anew(site: Path, strike: Strike) -> None:
    """It said what was remembered of a plugin that had been changed in its place."""
    install("strike-other", "2.0", "other = toy:plugin", site)
    installed_plugins.drop_plugin_index()
    strike("plugin list")
    entries = site / "strike_other-2.0.dist-info" / "entry_points.txt"
    entries.write_text("[strike_cli.plugins]\nother = nowhere:plugin\n")
    assert "Plugin 'other' of strike-other 2.0 is broken" in strike("plugin list").out


@pytest.mark.slow
def test_of_two_plugins_of_one_name_none_is_taken(site: Path, strike: Strike) -> None:
    install("strike-other", "2.0", "toy = toy:plugin", site)
    installed_plugins.drop_plugin_index()
    assert "each bring a plugin 'toy'" in strike("toy show", 4).err
    plugins = {
        (one["name"], one["distribution"]): one for one in strike.json("plugin list")["data"]["plugins"]
    }
    for distribution in ("strike-toy", "strike-other"):
        assert "None of them is used" in plugins["toy", distribution]["broken"]
    assert "strike-other 2.0, strike-toy 1.0 each bring a plugin 'toy'" in strike("plugin doctor", 4).out


def test_what_a_plugin_prints_at_import_stands_before_no_json(
    site: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (site / "loud.py").write_text("print('Hello!')\nplugin = 1\n", encoding="utf-8")
    assert installed_plugins.import_object("loud:plugin") == 1
    told = capsys.readouterr()
    assert (told.out, told.err) == ("", "Hello!\n")


@pytest.mark.parametrize("option", ["--dice 3 --dice 4", "--dice 3,4"])
def test_repeated_dice_are_joined(strike: Strike, option: str) -> None:
    assert strike.json(f"roll die 2d6 {option}")["data"]["rolls"][0]["faces"] == [3, 4]
    assert "--dice ask can't be combined with faces" in strike("roll die 2d6 --dice 3 --dice ask", 2).err


@pytest.mark.slow
def test_the_doctor_plays_the_evenings_of_examples(strike: Strike, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each in a process of its own; one that doesn't end in time is named. What isn't tried is said."""
    from strike_cli.systems.campaign.commands import plugin

    assert strike.json("plugin doctor")["data"]["played"] == ["grit", "karma", "momentum"]
    monkeypatch.setattr(plugin, "EXAMPLE_SECONDS", 0.01)
    assert "The example of 'karma' did not end within" in strike("plugin doctor", 4).out
    monkeypatch.setattr(plugin, "EXAMPLE_SECONDS", 60.0)
    monkeypatch.setattr(plugin, "_system_has_example", lambda name: name == "wealth")
    assert "The example of 'wealth' fails with exit code 2" in strike("plugin doctor", 4).out
