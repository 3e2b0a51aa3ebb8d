"""The frame knows no game system: neither by an import (`make check`) nor by a word of its code."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest
from support.cases import case

import strike_bridge
import strike_cli
from strike_cli.content.merged_content import Book
from strike_cli.content.schemas import added_fields
from strike_cli.registry import fact_classes_by_kind, load_usable_systems, systems_by_scene_key
from strike_cli.registry.installed_plugins import import_object
from strike_cli.validation_schemas_from_types import declared_fields

HERE = Path(strike_cli.__file__).parent
FRAME = (
    "cli", "phones", "sim", "terminal", "play", "registry", "campaign", "content", "tabletop", "kernel",
    "visibility", "systems/campaign",
)  # fmt: skip
MODULES = sorted(
    [file for part in FRAME for file in (HERE / part).rglob("*.py")]
    + [HERE / "validation.py", HERE / "problems.py"]
)
BRIDGE = Path(strike_bridge.__file__).parents[1]
TELLERS = sorted(
    file
    for package in ("strike_bridge", "strike_table")
    for kind in ("*.py", "*.js")
    for file in (BRIDGE / package).rglob(kind)
)
OF_A_TABLETOP = {"foundry.py": {"combat"}}
"""What a virtual tabletop itself calls its documents."""
OF_SHARED_FOLDERS = {
    f"{name}.py": {"conflict"}
    for name in ("campaign", "diverged_copies", "doctor", "journal_repair", "state")
}
"""What git, and programs that share files, call two versions of one file."""
SIMS_OWN = [
    HERE / "systems/campaign" / name for name in ("system.py", "commands/fight_written_for_replay.py")
]
"""The modules of the campaign that have simulated fights."""
OF_SIM = {"fight"}
"""What sim calls whatever it plays many times, of any game; it is the name of a scene's table, too."""
OF_THE_HAND = {"scene_change_facts.py": {"fight"}, "help.py": {"fight"}}
"""What the game master's hand calls a scene that somebody joins and leaves, in a sentence, and the first
screen of help a part of an evening."""
OF_THE_FRAME = {"campaign", "core"}
"""Words that are the frame's own, too: a campaign, and the plugin that brings strike's own systems."""


def names_of_systems() -> set[str]:
    """Every name by which one might know a system: its own, and its scene's table of the state."""
    return ({system.name for system in load_usable_systems()} | set(systems_by_scene_key())) - OF_THE_FRAME


def told_and_played() -> set[str]:
    """Every kind of fact and every move of a system other than the frame's own, those left out that are
    everyday words."""
    others = [system for system in load_usable_systems() if system.name != "campaign"]
    names = {
        name for system in others for table in (fact_classes_by_kind(system), system.moves) for name in table
    }
    return {name for name in names if "-" in name or " " in name}


def words_of(file: Path) -> Iterator[tuple[int, str]]:
    """Every name and every text of a module's code, with its line; what documents it is left out."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    prose = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in prose:
            yield node.lineno, node.value
        elif isinstance(node, ast.Name):
            yield node.lineno, node.id
        elif isinstance(node, ast.Attribute):
            yield node.lineno, node.attr


def test_it_knows_what_to_look_for() -> None:
    assert {"combat", "conflict", "chase", "wealth", "fight"} <= names_of_systems()
    assert {"combat attack", "roll skill", "fight-started"} <= told_and_played()
    assert len(MODULES) > 60


@pytest.mark.slow
def test_the_frame_names_no_system() -> None:
    """systems.md: a module of the frame works for any system, so it names none, no move and no fact of one.
    (What Action Points and statuses do is on the tabletop, and so are their facts.)"""
    every, told = names_of_systems(), told_and_played()
    for file in MODULES:
        plays_many = file.parent.name == "sim" or file.name.startswith("sim") or file in SIMS_OWN
        names = every - OF_THE_HAND.get(file.name, set()) - (OF_SIM if plays_many else set())
        if file.parent == HERE / "campaign":
            names -= OF_SHARED_FOLDERS.get(file.name, set())
        others = told if HERE / "tabletop" not in file.parents else set()
        with case(str(file.relative_to(HERE))):
            assert named(words_of(file), names, others) == []


def named(words: Iterable[tuple[int, str]], names: set[str], others: set[str]) -> list[str]:
    """The words that are of a system, with their lines."""
    return [
        f"line {line}: {text!r}"
        for line, text in words
        if text in others or not names.isdisjoint(re.split(r"[^A-Za-z]+", text))
    ]


def names_in_script(file: Path) -> Iterator[tuple[int, str]]:
    """The lines of a page's script, less what documents it."""
    text = re.sub(
        r"/\*.*?\*/", lambda said: "\n" * said[0].count("\n"), file.read_text("utf-8"), flags=re.DOTALL
    )
    for number, line in enumerate(text.splitlines(), 1):
        yield number, re.sub(r"(?<!:)//.*", "", line)


@pytest.mark.slow
def test_bridge_and_table_name_no_system() -> None:
    """systems.md: they show any scene by its common form."""
    every, told = names_of_systems(), told_and_played()
    for file in TELLERS:
        words = words_of(file) if file.suffix == ".py" else names_in_script(file)
        lower = [(line, text.lower()) for line, text in words]
        with case(str(file.relative_to(BRIDGE))):
            assert named(lower, every - OF_A_TABLETOP.get(file.name, set()), told) == []


OF_EVERY_SCENE = {"size", "statuses"}
"""Keys of sheets that the form of a scene has, too (`strike_cli.tabletop.scene`)."""
OF_EVERY_SHEET = {"name", "player", "concept", "notes", "image", "draft"}


AS_SCRIPTS_READ_IT = {
    "sim_report.py": {"powers"},
    "intermission_sender.py": {"conditions"},
    "foundry_scene.py": {"levels"},
}
AS_SCRIPTS_READ_IT["validation.py"] = {
    *("hp", "melee", "powers", "ranged", "speed", "tier", "tools", "traits", "tricks")
}
"""Keys of sheets that the JSON of a command, of the table, or of another program has, too; and what keys of
other games are here."""


def keys_of_sheets(book: Book) -> set[str]:
    """Whatever systems have on a character's sheet, or keep of it."""
    found: set[str] = set()
    for each in load_usable_systems():
        if each.sheets.state:
            found |= set(declared_fields(import_object(each.absolute(each.sheets.state)), book))
        found |= set(added_fields(each, "characters"))
    return found - OF_EVERY_SCENE - OF_EVERY_SHEET


@pytest.mark.slow
def test_the_frame_names_no_key_of_a_sheet(book: Book) -> None:
    """What a system keeps of a character is its own: screens and reports have it by the door. (Action Points,
    Tricks and Conditions are on the tabletop.)"""
    keys = keys_of_sheets(book)
    assert {"ap", "flaws", "conditions", "wealth", "powers", "hp"} <= keys
    found = [
        f"{file.relative_to(HERE)}, line {line}: {text!r}"
        for file in MODULES
        if HERE / "tabletop" not in file.parents
        for line, text in words_of(file)
        if " " not in text
        and not (keys - AS_SCRIPTS_READ_IT.get(file.name, set())).isdisjoint(text.split("."))
    ]
    assert found == []
