"""CONTRIBUTING's recipes are true: the files that they name are there, and a change in them alone works."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import strike_cli
from strike_cli.content import compiler
from strike_cli.content.merged_content import Book
from strike_cli.included_and_stray_files import read_authored_file

PACKAGE = Path(strike_cli.__file__).parent
ROOT = PACKAGE.parent
NAMES = ("core", "combat", "cozyvtt", "heal", "universal_vtt")
"""What may stand for the NAME of a recipe's file."""


def recipes() -> list[str]:
    """Where each recipe says that it is written."""
    text = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    table = text.partition("| what | where | how |")[2].partition("\n\n")[0]
    return [row.split(" | ")[1] for row in table.splitlines()[2:]]


def test_the_files_of_recipes_are_there() -> None:
    files = [name for row in recipes() for name in re.findall(r"`([\w/]+\.(?:py|toml|md))`", row)]
    assert len(files) > 10
    for name in files:
        ways = [name.replace("NAME", each) for each in NAMES]
        assert any((folder / way).is_file() for folder in (PACKAGE, ROOT) for way in ways), name


def test_the_files_that_docstrings_name_are_there() -> None:
    """In a package's docstring, beside it; elsewhere, anywhere in the sources."""
    files = [file for part in ("strike_cli", "bridge", "plugins") for file in (ROOT / part).rglob("*.py")]
    paths = {file.relative_to(ROOT).as_posix() for file in files}
    for file in files:
        for name in re.findall(r"`([\w/]+\.py)`", file.read_text("utf-8")):
            beside = file.name == "__init__.py" and "/" not in name and name != "system.py"
            here = (
                (file.parent / name).is_file()
                if beside
                else any(f"/{path}".endswith(f"/{name}") for path in paths)
            )
            assert here, f"{file.relative_to(ROOT)}: {name}"


@pytest.mark.parametrize(
    ("file", "kind", "text"),
    [
        ("combat/statuses.toml", "statuses", 'sources = [{ on = "attack", gives = "disadvantage" }]'),
        ("core/conditions.toml", "conditions", 'severity = "minor"'),
        ("combat/powers.toml", "powers", 'action = "role"\neffect = [{ do = "heal", amount = 1 }]'),
    ],
)
def test_a_thing_of_core_is_one_table_in_its_file(
    file: str, kind: str, text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "campaign.toml").write_text('schema = 1\nname = "X"\n')
    added = f'\n[{kind}.giddy]\nname = "Giddy"\n{text}\n'.encode()

    def read(path: Path) -> bytes:
        return read_authored_file(path) + (added if path.as_posix().endswith(file) else b"")

    monkeypatch.setattr(compiler, "read_authored_file", read)
    book = Book(compiler.Compiler(tmp_path).compile())
    assert book.table(kind)["core:giddy"]["name"] == "Giddy"
