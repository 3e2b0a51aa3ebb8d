"""`strike schema`: what it says a file may be is what strike reads, by a checker that isn't ours."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import tomli_w
from jsonschema import Draft7Validator
from support.cli import Strike
from support.thorough import few_of

import strike_cli
from strike_cli.content.campaign_json_schema import NO_OTHER
from strike_cli.content.compiler import SAMPLES
from strike_cli.content.merged_content import book_of_core_and_plugins, open_book
from strike_cli.registry import load_usable_systems, path_beside
from strike_cli.registry.installed_plugins import plugin_index
from strike_cli.systems.campaign.commands.schema import FILES, schema_of

ROOT = Path(__file__).parents[2]
PACKAGE = Path(strike_cli.__file__).parent


@cache
def checker(file: str) -> Draft7Validator:
    """The kept checker, with what `strike schema FILE` says outside of campaigns."""
    found = schema_of(file, book_of_core_and_plugins(plugin.name for plugin in plugin_index().plugins))
    Draft7Validator.check_schema(found)
    return Draft7Validator(found)


def faults(file: str, value: Any) -> list[str]:
    return [f"{error.json_path}: {error.message}"[:200] for error in checker(file).iter_errors(value)]


def read(path: Path) -> dict[str, Any]:
    return tomllib.loads(path.read_text(encoding="utf-8"))


def campaigns() -> Iterator[Path]:
    yield ROOT / "campaign.example.toml"
    yield from (ROOT / "tests").rglob("campaign.toml")
    yield from (
        path_beside(each, each.example) / "campaign.toml" for each in load_usable_systems() if each.example
    )


@pytest.mark.parametrize("path", [*campaigns()], ids=lambda path: path.parent.name)
def test_campaigns_are_as_the_schema_says(path: Path) -> None:
    assert faults("campaign", read(path)) == []


@pytest.mark.parametrize(
    "path",
    few_of([*SAMPLES.glob("*.toml"), PACKAGE / "systems/combat/statuses.toml"]),
    ids=lambda path: path.stem,
)
def test_content_is_as_the_schema_says(path: Path) -> None:
    assert faults("pack", read(path)) == []
    assert faults("included", read(path)) == []


WRONG: Mapping[str, Any] = {
    "characters.vex.skils": [],
    "characters.vex.ap": "one",
    "characters.vex.hp": 0,
    "creatures.rat.tier": "huge",
    "powers.jab.hit": [{"do": "push", "amount": 1, "sideways": True}],
    "house.bloodied": "never",
    "bridge.targets.table.hp": "guess",
    "house.bloodyed": "half-or-less",
    "weather": {},
    "creatures.rat.helth": 3,
}


@pytest.mark.parametrize("path", WRONG)
def test_what_strike_refuses_the_schema_refuses(path: str, strike: Strike, tmp_path: Path) -> None:
    """The schema is made of the forms that check: neither says what the other doesn't."""
    names = {"characters": {"vex": {"name": "Vex"}}, "creatures": {"rat": {"name": "Rat"}}}
    whole: dict[str, Any] = {"schema": 1, **names, "powers": {"jab": {"name": "Jab"}}}
    whole["bridge"] = {"targets": {"table": {"kind": "table"}}}
    assert faults("campaign", whole) == []
    table = whole
    *above, last = path.split(".")
    for key in above:
        table = table.setdefault(key, {})
    table[last] = WRONG[path]
    (fault,) = faults("campaign", whole)
    if NO_OTHER["const"] in fault:  # at the key: what is said of a table editors show at each of its lines
        assert fault.partition(":")[0].endswith((f".{last}", ".sideways"))
    assert last in fault or above[-1] in fault
    (tmp_path / "campaign.toml").write_text(tomli_w.dumps(whole), encoding="utf-8")
    code = (
        0 if path.startswith("bridge.targets.") else 3
    )  # a fault in a target's table stops that target alone
    ran = strike(f"-C {tmp_path} status", code=code)
    assert last in (ran.err or ran.out)


def test_what_strike_writes_is_as_the_schema_says(in_campaign: Strike, folder: Path) -> None:
    lines = (
        "session start", "roll skill vex Climbing --dice 5 --note high", "combat start yard --party vex",
        "combat initiative --dice 6,5,5", "combat next", "undo", "combat turn",
        'combat attack vex goblin-1 --dice 3', "roll skill odo Climbing --dice 1,3,4",
        "draw nowhere", "status", "session report", "session list", "odds skill vex Climbing",
    )  # fmt: skip
    for line in lines:
        said = json.loads(in_campaign(f"{line} --json", code=None).out)
        assert faults("json", said) == [], line
    entries = [
        json.loads(line)
        for path in sorted((folder / "journal").glob("*.jsonl"))
        for line in path.read_text(encoding="utf-8").splitlines()
    ]
    assert len(entries) > 4
    for entry in entries:
        assert faults("journal", entry) == [], entry["command"]
    state = Draft7Validator(schema_of("state", open_book(folder)))
    assert [*state.iter_errors(read(folder / "state.toml"))] == []


@pytest.mark.slow
def test_a_new_campaign_has_its_schema(strike: Strike, tmp_path: Path) -> None:
    """An editor finds it by the first line, and offers what there is to be named."""
    folder = tmp_path / "lanterns"
    strike(f"new {folder}")
    first = (folder / "campaign.toml").read_text(encoding="utf-8").splitlines()[0]
    assert first == "#:schema ./campaign.schema.json"
    schema = json.loads((folder / "campaign.schema.json").read_text(encoding="utf-8"))
    assert "Knife in the Dark" not in schema["definitions"]["name-of-powers"]["anyOf"][0]["enum"]
    assert "pinning-arrow" in schema["definitions"]["name-of-powers"]["anyOf"][0]["enum"]
    Draft7Validator(schema).validate(read(folder / "campaign.toml"))
    strike(f"-C {folder} schema campaign --out {folder / 'campaign.schema.json'}")
    written = read(folder / "campaign.toml")
    strike(f"schema json --out {folder / 'campaign.toml'}", code=2)
    assert read(folder / "campaign.toml") == written


@pytest.mark.parametrize("file", few_of(FILES))
def test_each_is_a_schema(file: str, strike: Strike) -> None:
    assert json.loads(strike(f"schema {file}").out)["$comment"] == "made by strike schema"
    assert checker(file)


@pytest.mark.slow
def test_data_are_as_their_types_say(in_campaign: Strike) -> None:
    """`strike schema data` is made of the types of what moves return."""
    whole = schema_of("data", book_of_core_and_plugins(plugin.name for plugin in plugin_index().plugins))
    Draft7Validator.check_schema(whole)
    untyped = {
        (name, key)
        for name, of in whole["definitions"].items()
        for key, each in of["properties"].items()
        if not each
    }
    assert untyped == {("OverrideData", "before"), ("OverrideData", "after")}
    played = {
        "roll die": "roll die d6 --seed 1",
        "roll skill": "roll skill vex Sneaking --dice 4",
        "chase start": "chase start --runners vex --chasers watch",
        "chase run": "chase run flee",
        "chase predict": "chase predict hide",
        "chase roll": "chase roll --dice 4,2,2",
        "chase end": "chase end",
    }
    for command, typed in played.items():
        schema = {**whole["properties"][command], "definitions": whole["definitions"]}
        Draft7Validator(schema).validate(json.loads(in_campaign(f"{typed} --json").out)["data"])
