"""What is kept between commands, and safe to delete."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from strike_cli.user_cache import MOST_FILES, cache_folder, read_cache, write_cache


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))


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
