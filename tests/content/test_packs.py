"""Content packs: TOML files with content, for one campaign or for all, without a plugin around them."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from content.conftest import BURNING, Place, settle

from strike_cli.cli.app import run_command_line_or_complete
from strike_cli.content.merged_content import book_of_core_and_plugins, open_book

Write = Callable[..., Path]


@pytest.fixture
def packs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The user's own folder of packs."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    folder = tmp_path / "data" / "strike" / "packs"
    folder.mkdir(parents=True)
    return folder


def put(folder: Path, name: str, text: str = BURNING) -> Path:
    folder.mkdir(exist_ok=True)
    file = folder / f"{name}.toml"
    file.write_text(text, encoding="utf-8")
    settle(file, folder)
    return file


def test_a_pack_for_all_campaigns(packs: Path, campaign: Write) -> None:
    put(packs, "frost")
    assert "frost:singed" in book_of_core_and_plugins().statuses
    assert "frost:singed" in open_book(campaign()).statuses


def test_a_pack_of_one_campaign(packs: Path, campaign: Write, capsys: pytest.CaptureFixture[str]) -> None:
    folder = campaign('[characters.vex]\nname = "Vex"\nstatuses = ["frost:singed"]\n')
    put(folder / "packs", "frost")
    book = open_book(folder)
    assert book.characters["vex"]["statuses"] == ["frost:singed"]
    assert book.where["statuses.frost:singed"] == f"the pack {folder / 'packs' / 'frost.toml'}"
    assert "frost:singed" not in book_of_core_and_plugins().statuses
    assert run_command_line_or_complete(["plugin", "list", "-C", str(folder)]) == 0
    assert "frost" in capsys.readouterr().out
    assert run_command_line_or_complete(["plugin", "show", "frost", "-C", str(folder), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["data"]["brings"] == {"statuses": ["frost:singed"]}


def test_packs_that_come_change_and_go_are_noticed(packs: Path, campaign: Write) -> None:
    folder = campaign()
    assert not [key for key in open_book(folder).statuses if key.startswith("frost")]
    file = put(packs, "frost")
    assert "frost:singed" in open_book(folder).statuses
    put(packs, "frost", BURNING.replace("singed", "frozen"))
    assert "frost:frozen" in open_book(folder).statuses
    file.unlink()
    settle(packs)
    assert not [key for key in open_book(folder).statuses if key.startswith("frost")]


def test_a_book_with_packs_is_kept(packs: Path, campaign: Write, asked: list[str]) -> None:
    put(packs, "frost")
    folder = campaign()
    for _ in range(3):
        open_book(folder)
    assert asked.count("book") == 1


def test_a_book_without_a_folder_of_packs_is_kept(
    campaign: Write, asked: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "nowhere"))
    folder = campaign()
    for _ in range(3):
        open_book(folder)
    assert asked.count("book") == 1


@pytest.mark.parametrize(
    ("name", "text", "why"),
    [
        ("frost", "[statuses.x]\nnmae = 'x'\n", "'name'"),
        ("frost", "name =\n", "line 1"),
        ("frost", "[systems.x]\n", "no such kind of content"),
        ("frost", "[statuses.x]\nname = 'x'\nimplies = ['dased']\n", "'dazed'"),
        ("core", BURNING, "has that name already"),
        ("fr ost", BURNING, "letters, digits"),
    ],
)
def test_a_broken_pack_is_switched_off_and_named(
    packs: Path, campaign: Write, name: str, text: str, why: str
) -> None:
    file = put(packs, name, text)
    put(packs, "ember")
    for book in (book_of_core_and_plugins(), open_book(campaign())):
        (trouble,) = map(str, book.troubles)
        assert str(file) in trouble
        assert why in trouble
        assert "ember:singed" in book.statuses
        assert "core:dazed" in book.statuses


def test_a_pack_may_replace_what_it_says_it_does(packs: Path) -> None:
    put(packs, "frost", "[statuses.'core:dazed']\nname = 'Frozen'\noverride = true\n")
    assert book_of_core_and_plugins().statuses["core:dazed"]["name"] == "Frozen"


def test_a_campaign_may_insist_on_a_pack(packs: Path, campaign: Write) -> None:
    folder = campaign('plugins = ["frost"]\n')
    assert "'frost' is not installed" in open_book(folder).lacking[0]
    put(packs, "frost")
    assert not open_book(folder).lacking


def test_two_packs_of_one_name(packs: Path, campaign: Write) -> None:
    """The user's own comes first; the campaign's is told to be the second."""
    put(packs, "frost")
    folder = campaign()
    put(folder / "packs", "frost", BURNING.replace("singed", "frozen"))
    book = open_book(folder)
    assert "frost:singed" in book.statuses
    assert "frost:frozen" not in book.statuses
    assert str(packs / "frost.toml") in str(book.troubles[0])


def test_a_pack_that_nobody_may_read(packs: Path) -> None:
    if os.name == "nt" or os.geteuid() == 0:
        pytest.skip("everything may be read")
    put(packs, "frost").chmod(0)
    assert "can't be read" in str(book_of_core_and_plugins().troubles[0])


def test_the_plugin_of_a_pack_s_name_is_the_older(place: Place, packs: Path) -> None:
    place.install("marsh")
    put(packs, "marsh", BURNING.replace("singed", "frozen"))
    book = book_of_core_and_plugins(["marsh"])
    assert "marsh:singed" in book.statuses
    assert "marsh 1.0 (marsh) has that name already" in str(book.troubles[0])
