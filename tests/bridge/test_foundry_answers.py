"""Players answer open decisions in Foundry: held to the same checks as on their phones, and once only."""

from __future__ import annotations

import json
import random
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from support.cli import Strike
from support.evening import Evening
from support.journals import entries_of
from support.thorough import THOROUGH, few_of

from strike_bridge.foundry_module_archive import module_folder as module_folder
from strike_bridge.settings import read_targets
from strike_bridge.tabletop_edits import lock_and_open_pull
from strike_cli.campaign import Campaign
from strike_cli.campaign.create import create_campaign_folder
from strike_cli.cli.app import run_command_line_or_complete

from .helpers import asked, storm, told
from .servers.base import running
from .servers.foundry import BadFoundry

ORDER = "combat initiative --dice 6,5,4,3,2,2,2,2,2,1"
ASKED = "combat attack vex goblin-1 --power lantern-flare --dice 3"
PIA = {"id": "userPlayer000000", "name": "Pia"}
ANA = {"id": "userPlayer000001", "name": "Ana"}
SIX = {"formula": "1d6", "total": 6, "terms": [{"faces": 6, "results": [{"result": 6}]}]}
NODE = shutil.which("node")


class Room:
    """A fight in which Vex has to decide, told to a world in which Pia plays her."""

    def __init__(self, folder: Path, server: BadFoundry, strike: Strike, more: str = "") -> None:
        self.folder, self.server, self._strike = folder, server, strike
        file = folder / "campaign.toml"
        text = file.read_text("utf-8").partition("[bridge.targets.")[0]
        text += f'[bridge.targets.foundry]\nkind = "foundry"\nurl = "{server.url}"\n'
        text += '[bridge.targets.foundry.options.players]\nvex = "Pia"\n'
        file.write_text(text + f'[table]\nanswers = "on"\n{more}', "utf-8")

    def type(self, line: str, code: int | None = 0) -> Any:
        return self._strike(f"-C {self.folder} {line}", code)

    def tell(self) -> None:
        told(self.folder, read_targets(self.folder)["foundry"])

    def answers(self, how: str) -> None:
        file = self.folder / "campaign.toml"
        file.write_text(file.read_text("utf-8").replace('answers = "on"', f'answers = "{how}"'), "utf-8")

    @property
    def questions(self) -> list[dict[str, Any]]:
        """The questions in the chat that are open."""
        flags = [message["flags"].get("strike", {}) for message in self.server.world.messages]
        return [flag["asked"] for flag in flags if "asked" in flag and not flag["asked"]["over"]]

    def press(
        self, option: str, author: dict[str, str] = PIA, decision: str = "", rolls: list[Any] | None = None
    ) -> dict[str, Any]:
        """Somebody's answer, as the module makes it."""
        world = self.server.world
        given = {"decision": decision or self.questions[0]["decision"], "option": option}
        message = {
            "id": world.id("answer"), "author": author, "flags": {"strike": {"answer": given}},
            "content": "", "flavor": "", "whisper": [], "rolls": rolls or [], "timestamp": 0,
        }  # fmt: skip
        world.messages.append(message)
        return message

    def pull(self, code: int | None = 0) -> list[dict[str, Any]]:
        """`strike bridge pull`: what became of each answer."""
        out = self.type("bridge pull --json", code).out
        return list(json.loads(out)["data"]["answers"])

    def entries(self) -> list[Any]:
        return entries_of(self.folder)

    @property
    def pending(self) -> Any:
        with Campaign(self.folder) as campaign:
            return campaign.state.get("pending")


@pytest.fixture
def server() -> Iterator[BadFoundry]:
    with running(BadFoundry()) as server:
        yield server


@pytest.fixture(scope="module")
def fought(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A campaign with a fight in it, in which it is Vex's turn: played once, and copied."""
    folder = tmp_path_factory.mktemp("fought") / "road"
    create_campaign_folder(folder)
    for line in ("combat start ford", ORDER, "combat turn", "combat place vex G4"):
        assert run_command_line_or_complete(["-C", str(folder), *line.split()]) == 0
    return folder


@pytest.fixture
def copied(fought: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(fought, tmp_path / "road"))


@pytest.fixture
def room(copied: Path, server: BadFoundry, strike: Strike) -> Room:
    room = Room(copied, server, strike)
    room.type(ASKED, code=6)
    room.tell()
    return room


def came_of(message: dict[str, Any]) -> str:
    return str(message["flags"]["strike"]["answer"].get("came", ""))


@pytest.mark.slow
def test_an_answer_counts_as_if_the_game_master_had_typed_it(room: Room) -> None:
    (question,) = room.questions
    assert question["player"] == "Pia"
    assert [each["name"] for each in question["options"]] == ["damage", "effect"]
    answer = room.press("damage")
    (came,) = room.pull()
    assert (came["state"], came["who"], came["user"], came["option"]) == ("taken", "vex", "Pia", "damage")
    last = room.entries()[-1]
    assert (last["player"], last["note"]) == ("vex", "answered in foundry")
    assert not room.pending and came_of(answer) == "Taken."
    room.tell()
    assert room.questions == []
    assert "by vex's player" in room.type("log --last 1").out
    room.type("replay --verify")


@pytest.mark.slow
def test_undo_asks_again_and_the_old_answer_does_not_count_twice(room: Room) -> None:
    room.press("damage")
    room.pull()
    room.tell()
    room.type("undo")
    room.tell()
    assert len(room.questions) == 1
    assert room.pull() == [] and room.pending
    room.press("effect")
    assert [came["state"] for came in room.pull()] == ["taken"]


@pytest.mark.slow
def test_of_two_presses_one_counts(room: Room) -> None:
    first, second = room.press("damage"), room.press("effect")
    assert [came["state"] for came in room.pull()] == ["taken", "not taken"]
    assert came_of(first) == "Taken." and "decided already" in came_of(second)
    assert room.pull() == []


@pytest.mark.slow
@pytest.mark.parametrize(
    ("tried", "why"),
    [
        ({"option": "damage", "author": ANA}, "not yours"),
        ({"option": "damage", "author": {"id": "Ana", "name": "Gamemaster"}}, "not yours"),
        ({"option": "both"}, "not one of"),
        ({"option": "damage", "decision": "0" * 32}, "decided already"),
        ({"option": "damage", "rolls": [SIX]}, "don't fit"),
    ],
)  # fmt: skip
def test_what_is_tried_changes_nothing(room: Room, tried: dict[str, Any], why: str) -> None:
    before = room.entries()
    answer = room.press(**tried)
    (came,) = room.pull()
    assert came["state"] == "not taken" and why in came["why"] and why in came_of(answer)
    assert room.entries() == before
    assert room.pull() == [], "said once"
    room.press("damage")
    assert [came["state"] for came in room.pull()] == ["taken"], "the game goes on"


@pytest.mark.parametrize(
    "given", few_of([None, 5, [], {"decision": 5, "option": []}, {"option": "damage"}], 5)
)
def test_messages_that_make_no_sense_are_no_answers(room: Room, given: Any) -> None:
    room.press("damage")["flags"]["strike"]["answer"] = given
    assert room.pull() == []


@pytest.mark.slow
def test_where_players_may_not_answer_nothing_is_taken(room: Room) -> None:
    room.answers("off")
    room.press("damage")
    (came,) = room.pull()
    assert came["state"] == "not taken" and "takes no answers" in came["why"]
    room.answers("ask")


@pytest.mark.slow
def test_where_it_is_asked_an_answer_waits_for_the_game_master(room: Room) -> None:
    room.answers("ask")
    answer = room.press("damage")
    (came,) = room.pull()
    assert came["state"] == "proposed" and "game master" in came_of(answer)
    room.type("accept")
    assert room.entries()[-1]["player"] == "vex"


def test_others_and_hidden_decisions_are_not_asked_there(room: Room) -> None:
    room.press("damage")
    room.pull()
    room.type("combat end-turn")
    room.tell()
    assert room.questions == []
    text = json.dumps(room.server.world.messages)
    with Campaign(room.folder) as campaign:
        assert campaign.state.get("pending", {}) == {}
    assert "mark" not in json.loads(text)[0]["flags"].get("strike", {}).get("asked", {})


def test_a_question_that_lost_an_option_and_secret_ones_are_not_asked(
    fight: Evening, server: BadFoundry, strike: Strike
) -> None:
    room = Room(fight.folder, server, strike)
    for told_less in (asked(), asked(secret=True), asked(who="lurker"), asked(who="brann")):
        fight.happen(("asked", "", "", {"pending.roll vex": told_less}))
        room.tell()
        assert room.questions == []
        assert "urker" not in json.dumps(server.world.messages)


@pytest.mark.slow
def test_nothing_is_read_while_nothing_is_asked(room: Room) -> None:
    room.press("damage")
    room.pull()
    room.tell()
    before = len(room.server.calls)
    assert room.pull() == []
    assert len(room.server.calls) == before


@pytest.mark.slow
def test_dice_that_are_on_the_table_are_rolled_in_foundry(
    copied: Path, server: BadFoundry, strike: Strike
) -> None:
    """The module's own button, pressed in the stand-in for Foundry's client: its faces count."""
    if NODE is None:
        pytest.skip("node is not there")
    dice = '[dice]\nmode = "strike"\nplayers = { Ana = "physical" }\n'
    room = Room(copied, server, strike, dice)
    room.type("combat place vex G5")
    room.type("combat attack vex goblin-1 --power lantern-flare", code=6)
    room.tell()
    first = pressed(room, "go")
    before = room.entries()
    assert [came["state"] for came in room.pull()] == ["wants dice"]
    assert room.entries() == before and came_of(first) == "Roll 1d6 for it."
    second = pressed(room, "Roll 1d6 for strike")
    assert [came["state"] for came in room.pull()] == ["taken"]
    assert ["attack", [5]] in room.entries()[-1]["answers"] and came_of(second) == "Taken."


def pressed(room: Room, button: str) -> dict[str, Any]:
    """What the module makes of a press, put into the world as Foundry would."""
    (question,) = room.questions
    layer = Path(__file__).with_name("foundry_layer.mjs")
    given = json.dumps({"asked": question, "press": button})
    command = [str(NODE), str(layer), str(module_folder() / "strike.js"), "13", given]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=30)
    (made,) = json.loads(done.stdout)["made"]
    answer = made["flags"]["strike"]["answer"]
    return room.press(answer["option"], decision=answer["decision"], rolls=made["rolls"])


def test_whoever_dies_before_it_is_played_never_plays_it_twice(room: Room) -> None:
    room.press("damage")
    with lock_and_open_pull(room.folder, read_targets(room.folder)["foundry"]) as looking:
        looking.record_answer_before_play(looking.read_new_answers_and_show_outcomes()[0])
    assert room.pull() == [] and room.pending
    (message,) = (each for each in room.server.world.messages if "answer" in each["flags"]["strike"])
    assert "press again" in came_of(message), "it is said there"
    room.press("damage")
    assert [came["state"] for came in room.pull()] == ["taken"]


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(20 if THOROUGH else 1))
def test_a_storm_takes_each_answer_once_at_most(room: Room, seed: int) -> None:
    rng = random.Random(seed)
    taken = 0
    for _ in range(6):
        room.tell()
        room.press(rng.choice(["damage", "effect"]))
        room.server.always = storm(rng)
        for _ in range(6):
            ran = room.type("bridge pull --json", None)
            if ran.code == 0:
                taken += sum(came["state"] == "taken" for came in json.loads(ran.out)["data"]["answers"])
        room.server.always = None
        if not room.pending:
            room.type("undo")
        assert taken == sum(entry.get("player") == "vex" for entry in room.entries())
        assert room.pending
