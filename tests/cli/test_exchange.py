"""`strike import` and `strike export`: other programs' people as drafts, ours for other programs."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest
from support.cases import case
from support.cli import Strike
from support.edits import append_to, replace_in

CAPTAIN: dict[str, Any] = {
    "name": "Hob Captain",
    "type": "npc",
    "img": "icons/hob.webp",
    "system": {
        "abilities": {"str": {"value": 15}, "dex": {"value": 14}},
        "attributes": {
            "ac": {"flat": 17},
            "hp": {"value": 39, "max": 39, "formula": "6d8+12"},
            "movement": {"walk": 30, "fly": 0, "units": "ft"},
            "senses": {"darkvision": 60},
        },
        "details": {"biography": {"value": "<p>Leads &amp; <b>drills</b>.</p><p>Hates elves.</p>"}, "cr": 3},
        "traits": {"size": "lg", "languages": {"value": ["common"]}},
        "currency": {"gp": 4},
    },
    "items": [
        {
            "name": "Greatsword",
            "type": "weapon",
            "system": {"damage": {"parts": [["2d6", "slashing"]]}, "description": {"value": "<p>Heavy.</p>"}},
        }
    ],
    "effects": [],
    "flags": {"core": {"sourceId": "x"}},
}
GOBLIN = {
    "Id": "a1",
    "Name": "Goblin",
    "Type": "Small humanoid",
    "HP": {"Value": 7, "Notes": "(2d6)"},
    "AC": {"Value": 15, "Notes": ""},
    "Actions": [{"Name": "Scimitar", "Content": "+4 to hit"}],
    "Player": "",
    "Mood": "sour",
}


@pytest.fixture
def files(folder: Path) -> Path:
    """Files of other programs, beside the campaign."""
    (folder / "hob.json").write_text(json.dumps(CAPTAIN), encoding="utf-8")
    library = {
        "ImprovedInitiative.Creatures": '["a1"]',
        "ImprovedInitiative.Creatures.a1": json.dumps(GOBLIN),
        "ImprovedInitiative.PersistentCharacters.p1": json.dumps(
            {"Id": "p1", "StatBlock": {"Name": "Ärger", "HP": {"Value": 3}, "Player": "player"}}
        ),
        "ImprovedInitiative.SavedEncounters.e1": json.dumps({"Name": "Ambush", "Combatants": []}),
        "ImprovedInitiative.Spells.s1": json.dumps({"Name": "Light"}),
    }
    (folder / "library.json").write_text(json.dumps(library), encoding="utf-8")
    table = "sep=;\nName;Tier;HP;Traits;CR\nMud Crab;goon;4;slow;1/8\nBog King;champion;30;proud; wet;7\n"
    (folder / "table.csv").write_text(table.replace("proud; wet", '"proud; wet"'), encoding="utf-8")
    return folder


def drafts(folder: Path, stem: str) -> dict[str, Any]:
    return tomllib.loads((folder / f"content/imported-{stem}.toml").read_text(encoding="utf-8"))


def test_an_actor_of_foundry(in_campaign: Strike, files: Path) -> None:
    """Its numbers are words; what is not taken over is named, in the file and in what is said."""
    (made,) = in_campaign.json("import hob.json")["data"]["drafts"]
    assert (made["kind"], made["id"], made["source"]) == ("creatures", "hob-captain", "hob.json")
    assert {"flags", "system.currency", "system.traits.languages", "system.attributes.senses"} <= {
        *made["left"]
    }
    one = drafts(files, "hob")["creatures"]["hob-captain"]
    assert one["draft"] is True and one["size"] == 2 and "hp" not in one
    for words in (
        "HP: 39 6d8+12",
        "Armour: 17",
        "walk 30 ft",
        "STR 15",
        "Greatsword: (weapon) 2d6 slashing Heavy.",
    ):
        assert words in one["notes"]
    assert one["notes"].endswith("Description: Leads & drills.\nHates elves.")
    assert "# Not imported from Hob Captain: flags, " in (files / "content/imported-hob.toml").read_text()


def test_a_library_of_improved_initiative(in_campaign: Strike, files: Path) -> None:
    """A name that is taken gets another id: what is there is never touched."""
    said = in_campaign("import library.json").out
    assert "Not imported from library.json: SavedEncounters (1), Spells (1)." in said
    assert "goblin-2" in said and "If an id exists" in said and "draft = true" in said
    found = drafts(files, "library")
    assert found["creatures"]["goblin-2"]["notes"].endswith("Scimitar: +4 to hit")
    assert found["characters"]["arger"]["name"] == "Ärger"
    assert "Not imported from Goblin: Mood." in (files / "content/imported-library.toml").read_text()


def test_csv_has_notes_beside_what_becomes_notes(in_campaign: Strike, folder: Path) -> None:
    """The sheet's notes are written once, and a cell that holds the word is a cell as any."""
    (folder / "x.csv").write_text(
        "Name,Notes,Colour,Concept\nCrab,It pinches.,red,\nEel,notes,,notes\n", "utf-8"
    )
    in_campaign("import x.csv --as creature")
    sheets = drafts(folder, "x")["creatures"]
    assert "It pinches." in sheets["crab"]["notes"] and "red" in sheets["crab"]["notes"]
    assert sheets["eel"]["notes"].startswith("notes\n") and "Concept: notes" in sheets["eel"]["notes"]


def test_csv_takes_our_own_keys(in_campaign: Strike, files: Path) -> None:
    in_campaign("import table.csv")
    king = drafts(files, "table")["creatures"]["bog-king"]
    assert (king["tier"], king["hp"], king["traits"]) == ("champion", 30, ["proud", "wet"])
    assert "CR: 7" in king["notes"]
    assert "Draft" in in_campaign("card bog-king").out


def test_drafts_are_told_until_they_are_none(in_campaign: Strike, files: Path) -> None:
    in_campaign("import table.csv")
    assert "creatures.mud-crab.draft: a draft" in in_campaign("doctor").out
    for _ in range(2):
        replace_in(files / "content/imported-table.toml", "draft = true\n", "")
    assert "a draft" not in in_campaign("doctor").out


def test_nothing_of_yours_is_written_over(in_campaign: Strike, files: Path) -> None:
    in_campaign("import hob.json")
    before = (files / "content/imported-hob.toml").read_bytes()
    assert "hob" in in_campaign("import hob.json", code=2).err
    assert (files / "content/imported-hob.toml").read_bytes() == before
    in_campaign("import table.csv --dry-run")
    assert not (files / "content/imported-table.toml").exists()


def test_what_is_wrong_is_one_message(in_campaign: Strike, folder: Path) -> None:
    """With file and line; nothing is written, and the evening goes on."""
    for name, raw, said in (
        ("x.csv", "Name,HP\nGrüner,4\n".encode("cp1252"), "x.csv, line 2: this is not utf-8."),
        ("x.csv", b"Title,HP\nCrab,4\n", "x.csv, line 1: no column is called `name`."),
        ("x.csv", b"Name,HP\nCrab,4,5\n", "x.csv, line 2: 3 cells, and there are 2 headings."),
        ("x.csv", b"Name,HP\n,4\n", "x.csv, line 2: it has no name."),
        ("x.csv", b"HP,Name\n4\n", "x.csv, line 2: it has no name."),
        ("x.csv", b"Name,HP,hp\nCrab,4,5\n", "x.csv, line 1: two columns are called hp."),
        ("x.csv", b"Name,Tier\nCrab,huge\n", "x.csv, line 2: tier: 'huge' is not one of"),
        ("x.csv", b"Name,HP\nCrab,lots\n", "x.csv, line 2: hp: "),
        ("x.csv", b"Name,Powers\nCrab,nonesuch\n", "nonesuch"),
        ("x.json", b"{", "x.json: this is not JSON"),
        ("x.json", b'{"a": [1]}', "x.json has no creatures"),
        ("x.json", b"[" * 5000 + b"]" * 5000, "x.json"),
        ("none.json", None, "none.json"),
    ):
        with case(name, raw):
            if raw is not None:
                (folder / name).write_bytes(raw)
            assert said in in_campaign(f"import {name}", code=2).err
            assert not (folder / "content").exists()
            in_campaign("roll die 2d6")


def test_another_encoding_is_said(in_campaign: Strike, folder: Path) -> None:
    (folder / "x.csv").write_bytes("Name,HP\nGrüner,4\n".encode("cp1252"))
    in_campaign("import x.csv --encoding cp1252")
    assert drafts(folder, "x")["creatures"]["gruner"]["name"] == "Grüner"


# Export


def test_notes_for_obsidian(in_campaign: Strike, folder: Path) -> None:
    in_campaign("condition add vex winded")
    in_campaign(f"export --out {folder / 'vault'}")
    text = (folder / "vault/vex.md").read_text(encoding="utf-8")
    _, front, body = text.split("---\n", 2)
    fields = dict(line.split(": ", 1) for line in front.splitlines() if not line.startswith("#"))
    assert json.loads(fields["tags"]) == ["strike", "character"]
    assert json.loads(fields["hp"]) == 10 and "Climbing" in json.loads(fields["skills"])
    assert "# Vex\n" in body and "**Winded**" not in fields and "Winded" in body
    in_campaign(f"export vex --out {folder / 'vault'}")
    (folder / "vault/vex.md").write_text("mine", encoding="utf-8")
    in_campaign(f"export vex --out {folder / 'vault'}", code=2)
    assert (folder / "vault/vex.md").read_text(encoding="utf-8") == "mine"


def test_two_of_one_name_are_two_files(in_campaign: Strike, folder: Path) -> None:
    append_to(folder / "campaign.toml", '[characters.imp]\nname = "Goblin"\n')
    for to, ending in (("obsidian", "md"), ("foundry", "json")):
        files = in_campaign.json(f"export imp goblin --to {to} --out {folder / to}")["data"]["files"]
        assert {path.name for path in (folder / to).iterdir()} == {f"goblin.{ending}", f"goblin-2.{ending}"}
        assert len(files) == 2


def test_there_and_back(in_campaign: Strike, folder: Path) -> None:
    """What is written for other programs is what is read of them."""
    in_campaign(f"export vex goblin --to foundry --out {folder / 'out'}")
    in_campaign(f"export vex goblin --to improved-initiative --out {folder / 'out'}")
    actor = json.loads((folder / "out/goblin.json").read_text(encoding="utf-8"))
    assert actor["system"]["health"] == {"value": 4, "min": 0, "max": 4}
    in_campaign("import out/goblin.json out/improved-initiative.json")
    assert "HP: 4\n" in drafts(folder, "goblin")["creatures"]["goblin-2"]["notes"]
    assert "HP: 10" in str(drafts(folder, "improved-initiative"))


def test_players_get_no_notes(in_campaign: Strike, folder: Path) -> None:
    append_to(folder / "campaign.toml", '[creatures.spy]\nname = "Spy"\nnotes = "He is the captain."\n')
    for to in ("obsidian", "foundry", "improved-initiative"):
        in_campaign(f"export spy --to {to} --player --out {folder / to}")
        (written,) = (folder / to).iterdir()
        assert "captain" not in written.read_text(encoding="utf-8")
