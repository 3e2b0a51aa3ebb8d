"""What is kept between commands, and safe to delete."""

from __future__ import annotations

import os
import time
from copy import copy
from pathlib import Path

import pytest
from support.swift import forget_the_oldest

from strike_cli import user_folders_and_cache
from strike_cli.campaign.create import create_campaign_folder
from strike_cli.content.merged_content import Book, open_book
from strike_cli.user_folders_and_cache import (
    MOST_FILES,
    LazyTable,
    cache_folder,
    read_cache,
    read_cache_with_tables,
    strings_under_indexed_key_in_items,
    write_cache,
)


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(user_folders_and_cache, "_delete_oldest_files_over_limit", forget_the_oldest)


def test_it_does_not_grow_with_every_campaign_that_ever_was() -> None:
    """What was written longest ago goes; what is in use stays."""
    for number in range(MOST_FILES + 5):
        write_cache(f"book-{number}.json", "key", number)
        os.utime(cache_folder() / f"book-{number}.json", (number, number))
    assert len(list(cache_folder().iterdir())) == MOST_FILES
    assert read_cache("book-0.json", "key") is None
    assert read_cache(f"book-{MOST_FILES + 4}.json", "key") == MOST_FILES + 4


def test_what_is_written_again_drops_nothing() -> None:
    for number in range(MOST_FILES):
        write_cache(f"book-{number}.json", "key", number)
    write_cache("book-3.json", "key", "changed")
    assert len(list(cache_folder().iterdir())) == MOST_FILES
    assert read_cache("book-3.json", "key") == "changed"


def test_things_of_a_table_are_read_by_themselves() -> None:
    powers = {"x\ty": {"name": "c\nd\te"}, "z": {"on": "noon", "w": [{"on": "dusk"}]}}
    written: dict[str, dict[str, object]] = {"powers": {**powers}, "where": {}}
    write_cache("book-1.json", "key", {"name": "a\nb"}, written)
    value, lines = read_cache_with_tables("book-1.json", "key")
    assert value == {"name": "a\nb"}
    tables = {kind: LazyTable(line) for kind, line in lines.items()}
    assert tables == written
    assert list(tables["powers"]) == ["x\ty", "z"]
    assert tables["powers"]["z"] is tables["powers"]["z"]
    assert strings_under_indexed_key_in_items(tables["powers"], "on") == ["dusk", "noon"]
    assert strings_under_indexed_key_in_items(written["powers"], "on") == {"dusk", "noon"}
    assert "nobody" not in tables["powers"]
    assert tables["powers"].get("nobody") is None
    assert read_cache_with_tables("book-1.json", "another") == (None, {})


def test_a_kept_book_is_the_one_that_was_read(tmp_path: Path) -> None:
    """Whatever was asked of it before, and of a copy."""
    create_campaign_folder(tmp_path / "campaign")
    time.sleep(0.06)  # what changed a moment ago is not kept: it may change again with the same stamp
    read = open_book(tmp_path / "campaign").compiled()
    kept = open_book(tmp_path / "campaign")
    assert "powers" not in vars(kept), "it is from the cache, and nobody has asked for powers yet"
    assert "powers" in kept
    assert "nonsense" not in kept
    another = copy(kept)
    assert kept.powers == another.table("powers") == read["powers"]
    assert kept.compiled() == another.compiled() == Book(read).compiled() == read
    fresh = open_book(tmp_path / "campaign").compiled()
    assert list(fresh) == list(kept.compiled()), "fights that were frozen are known by it"
    with pytest.raises(KeyError):
        kept.table("nonsense")
