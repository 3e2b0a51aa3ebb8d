"""An entry is written by what reads it: nothing comes into a journal that can't be read back equal."""

from __future__ import annotations

import json
import shutil
import tomllib
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from conftest import DATA
from support.cases import case
from support.cli import Strike
from support.journals import entries_of
from support.plugins import install_toy, play_with
from support.random_statements import RandomStatements, statement_classes
from support.thorough import THOROUGH

from strike_cli.kernel.state_changes import move_fact_fields_to_table, unpack_fact_fields
from strike_cli.kernel.statements import Fact, Said
from strike_cli.plugin import PersonArgs, Procedure, World
from strike_cli.registry import installed_plugins
from strike_cli.tabletop.characters_and_names import GameMasterSpeaker


def without_null(value: Any) -> Any:
    """A value as TOML has it."""
    if isinstance(value, dict):
        return {key: without_null(item) for key, item in value.items() if item is not None}
    return [without_null(item) for item in value] if isinstance(value, list) else value


@pytest.mark.parametrize("seed", range(100 if THOROUGH else 4))
def test_a_statement_of_any_class_is_read_back(seed: int) -> None:
    made = RandomStatements(statement_classes(), seed)
    for cls in made.classes:
        with case(cls):
            said = made.of(cls)
            kept = json.loads(json.dumps(said.as_json(GameMasterSpeaker())))
            if isinstance(said, Fact):
                fact = {"kind": said.kind, "who": "", "text": "", **kept, "changes": []}
                assert unpack_fact_fields(json.loads(json.dumps(move_fact_fields_to_table(fact)))) == fact
            for form in (kept, without_null(kept)):  # the journal's, and that of state.toml
                read = cls.from_json(form)
                assert read == said or json.loads(json.dumps(read.as_json(GameMasterSpeaker()))) == kept


@pytest.fixture
def toy(in_campaign: Strike, folder: Path, tmp_path: Path) -> Iterator[Strike]:
    """The toy system, where somebody tosses."""
    with pytest.MonkeyPatch.context() as patch:
        install_toy(tmp_path / "site", patch)
        play_with(folder, "toy")
        in_campaign("toy start vex brann")
        yield in_campaign
    installed_plugins.drop_plugin_index()


FIELDS = (
    "roll",
    "of",
    "against",
    "rolls",
    "helpers",
    "costs",
    "outcome",
    "by",
    "target",
    "note",
    "fields",
    "command",
)


def test_a_field_may_be_called_as_others_are(
    toy: Strike, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Reports, log and undo go on with numbers in the place of what strike's own facts have there."""
    module = import_module("toy")
    given: dict[str, Any] = {
        "__annotations__": dict.fromkeys(FIELDS, int), "__module__": "toy", "says": "Tossed {roll}."
    }  # fmt: skip
    odd = type(Fact)("ToyTossed", (Fact,), given)

    def play_toss(world: World, args: PersonArgs) -> Procedure[dict[str, Any]]:
        yield world.tell(odd(**dict.fromkeys(FIELDS, 3)), {"toy.coins.vex": 9})
        return {}

    monkeypatch.setattr(module, "play_toss", play_toss)
    installed_plugins.drop_plugin_index()
    before = entries_of(folder)
    toy("toy toss vex")
    told = entries_of(folder)[-1]["facts"][0]
    assert [told[key] for key in FIELDS] == [3] * len(FIELDS)
    assert toy.json("log --last 1")["data"]["entries"][0]["facts"][0]["roll"] == 3
    for words in ("session report 0", "story", "log", "doctor"):
        toy(words, None)
    assert toy.json("replay --verify")["data"]["differences"] == []
    toy("undo")
    assert len(entries_of(folder)) == len(before) + 2


class Lossy(Fact):
    """A fact whose words are lost on the way."""

    told: Said

    def as_json(self, speaker: Any) -> dict[str, object]:
        return {"told": {"clause": "said"}}


LOST: dict[str, Callable[[Any], Any]] = {
    "a field that is lost": lambda world: world.tell(Lossy(Said("why"))),
    "nothing in a list of the state": lambda world: world.tell(Rained(), {"toy.coins.vex": [None]}),
    "nothing in a table of the state": lambda world: world.tell(Rained(), {"toy.more": {"a": None}}),
    "a key that is a number": lambda world: world.tell(Rained(), {"toy.more": {1: 2}}),
    "an endless number": lambda world: world.tell(Rained(), {"toy.more": float("inf")}),
    "an endless detail": lambda world: world.happen("told", "", "It rains.", count=float("nan")),
    "a set": lambda world: world.happen("told", "", "It rains.", people={"vex"}),
    "faces that are none": lambda world: world.happen("told", "", "It rains.", roll={"faces": "many"}),
    "what every fact has": lambda world: world.happen("told", "", "It rains.", changes=3),
}


class Rained(Fact):
    """A fact without a field."""

    says = "It rains."


@pytest.mark.parametrize("how", LOST)
def test_what_can_t_be_read_back_is_refused_before_it_is_written(
    how: str, toy: Strike, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Typed or in a script, with the plugin's name; what was played before stands."""

    def play_toss(world: World, args: PersonArgs) -> Procedure[dict[str, Any]]:
        yield LOST[how](world)
        return {}

    module = import_module("toy")
    play_toss.__code__ = play_toss.__code__.replace(co_filename=module.__file__)
    monkeypatch.setattr(module, "play_toss", play_toss)
    installed_plugins.drop_plugin_index()
    before = (folder / "journal" / "0001.jsonl").read_bytes(), (folder / "state.toml").read_bytes()
    refused = toy("toy toss vex", 4)
    assert "strike-toy" in refused.err
    assert "Traceback" not in refused.err
    assert ((folder / "journal" / "0001.jsonl").read_bytes(), (folder / "state.toml").read_bytes()) == before
    (folder / "lines.strike").write_text("roll die d6\ntoy toss vex\n")
    assert toy(f"batch {folder / 'lines.strike'}", None).code != 0
    assert toy.json("replay --verify")["data"]["differences"] == []
    toy("undo")


@pytest.fixture
def short(folder: Path) -> Path:
    """A campaign with a journal in the short form, in which a decision was taken."""
    (folder / "journal").mkdir(exist_ok=True)
    shutil.copy(DATA / "short_form" / "0001.jsonl", folder / "journal" / "0001.jsonl")
    return folder


def test_a_journal_in_the_short_form_is_read_whole(short: Path, in_campaign: Strike) -> None:
    _, asked, rolled, ended, _ = entries_of(short)
    assert rolled["facts"][0]["roll"]["total"] == 2
    waiting = asked["facts"][0]["changes"][0][2]
    assert waiting["roll vex"]["args"]["skill"] == "Riding"
    assert ended["facts"][0]["changes"][0][1] == waiting
    in_campaign("undo 2")
    assert tomllib.loads((short / "state.toml").read_text("utf-8"))["pending"]["roll vex"]["what"] == "learn"
    in_campaign("redo 2")
    assert in_campaign.json("replay --verify")["data"]["differences"] == []


def test_a_decision_that_is_not_where_a_line_says_is_a_hole_for_all(short: Path, in_campaign: Strike) -> None:
    """Who takes it back would put nothing in its place: doctor and log say so, too."""
    file = short / "journal" / "0001.jsonl"
    place = json.loads(file.read_bytes().splitlines()[3])["facts"][0]["changes"][0][1]["roll vex"]
    file.write_bytes(file.read_bytes().replace(b'["0001.jsonl",%d]' % place[1], b'["0001.jsonl",7]'))
    for words in ("undo 2", "log", "doctor"):
        ran = in_campaign(words, 3)
        assert "is not where it says" in ran.err + ran.out
