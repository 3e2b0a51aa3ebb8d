"""What a system has to do with everybody's sheets and with evenings, by the door alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from support.cli import Strike
from support.plugins import install_toy, play_with

from strike_cli.plugin import Procedure, World
from strike_cli.plugin.forms import Number
from strike_cli.plugin.parts import EventResponses, Sheets, Tally
from strike_cli.plugin.views import NumberHeading, PartyView, SheetItem, Task, Views
from strike_cli.registry import installed_plugins


def luck(world: World, who: str) -> int:
    return int(world.get(f"characters.{who}.luck", 0))


def of_characters(book: Any) -> dict[str, Any]:
    return {"luck": Number(0), "charm": Number(0)}


class LuckViews(Views):
    def party(self, world: World, people: Sequence[str]) -> PartyView:
        return PartyView(
            data={who: {"luck": luck(world, who)} for who in people},
            columns={NumberHeading("Luck"): {who: str(luck(world, who)) for who in people}},
            held=[SheetItem(who, "jinx", "Jinxed") for who in people if luck(world, who) > 5],
            unresolved=[SheetItem("vex", "d1", "A debt to the moon")],
        )

    def still_to_do(self, world: World) -> list[Task]:
        return [Task("The moon waits", "strike toy pay")]


class LuckFollower(EventResponses):
    def session_started(self, world: World) -> Procedure[dict[str, Any]]:
        yield world.happen("toy-started", "vex", "Vex finds a clover.", {"characters.vex.luck": 2})
        return {"clovers": 1}

    def session_ended(self, world: World) -> Procedure[dict[str, Any]]:
        yield world.happen("toy-over", "vex", "The clover wilts.", {"characters.vex.luck": 1})
        return {"wilted": 1}


@pytest.fixture
def lucky(in_campaign: Strike, tmp_path: Path) -> Iterator[Strike]:
    """The command line with a system that gives luck, installed."""
    with pytest.MonkeyPatch.context() as patch:
        install_toy(tmp_path / "site", patch)
        play_with(Path(), "toy")
        import toy

        for hook in (of_characters, LuckViews, LuckFollower):
            patch.setattr(toy, hook.__name__, hook, raising=False)
        changed = toy.TOY._replace(
            sheets=Sheets("toy:of_characters", forgotten=("charm",)),
            views="toy:LuckViews",
            follows="toy:LuckFollower",
            tallies={"luck": Tally("Luck", gained="found", lost="wilted")},
        )
        patch.setattr(toy, "TOY", changed)
        installed_plugins.drop_plugin_index()
        yield in_campaign
    installed_plugins.drop_plugin_index()


def test_how_everybody_stands(lucky: Strike) -> None:
    lucky("override characters.brann.luck 7 --why gift")
    party = {each["id"]: each for each in lucky.json("status")["data"]["party"]}
    assert (party["brann"]["luck"], party["vex"]["luck"]) == (7, 0)
    assert "ap" in party["vex"], "beside what others show"
    assert "Luck" in lucky("status").out


def test_its_evenings(lucky: Strike) -> None:
    """Its procedures play within the command, so that undo takes them back; its data stand beside others'."""
    lucky("override characters.vex.charm 4 --why gift")
    begun = lucky.json("session start")["data"]
    assert (begun["number"], begun["clovers"]) == (1, 1)
    assert "action_points_given" in begun
    assert "charm" not in lucky.json("character show vex")["data"]["changed"]
    ended = lucky("session end")
    assert "The clover wilts." in ended.out
    assert "The moon waits: strike toy pay" in ended.out
    lucky("undo 2")
    assert lucky.json("character show vex")["data"]["changed"] == {"charm": 4}


def test_a_report_counts_and_lists_what_is_its(lucky: Strike) -> None:
    lucky("session start")
    lucky("override characters.brann.luck 7 --why gift")
    lucky("session end")
    data = lucky.json("session report")["data"]
    assert (data["counts"]["vex"]["found"], data["counts"]["vex"]["wilted"]) == (2, 1)
    assert data["counts"]["brann"]["luck"] == 7
    assert data["conditions_held"] == {"brann": "Jinxed"}
    assert [(one["who"], one["which"]) for one in data["unresolved"]] == [("vex", "d1")]
    assert "| Luck in | Luck out |" in lucky("session report --markdown").out
