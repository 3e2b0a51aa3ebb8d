"""Words that somebody types are for players unless `--secret` says otherwise: nothing that was typed in the
open is dropped in silence, whomever it names."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from support.cli import Ran, Strike
from support.edits import replace_in
from support.evening import Evening

Type = Callable[..., Ran]


@pytest.fixture
def evening(tmp_path: Path) -> Evening:
    evening = Evening(tmp_path / "ferry")
    evening.start()
    return evening


@pytest.fixture
def typed(evening: Evening, strike: Strike) -> Type:
    return lambda line, code=0: strike(f"-C {evening.folder} {line}", code)


SAID = "The Reed Lurker is close"
LINES = (f"note {SAID}", f"combat damage vex 2 --why '{SAID}'")


@pytest.mark.parametrize("line", LINES)
def test_open_words_that_name_the_hidden_are_asked_about_and_told(
    evening: Evening, typed: Type, line: str
) -> None:
    before = evening.folder.joinpath("journal", "0001.jsonl").read_bytes()
    for more in ("", " --dry-run"):
        refused = typed(line + more, 1)
        assert "Players read this, and it names Reed Lurker, who is hidden." in refused.err
        assert "--secret" in refused.err and "--yes" in refused.err
    assert evening.folder.joinpath("journal", "0001.jsonl").read_bytes() == before
    typed(f"{line} --secret")
    assert SAID not in typed("log --player --json").out
    typed(f"{line} --yes")
    assert SAID in typed("log --player --json").out
    assert SAID in typed("session story --player --json").out
    typed("replay --verify")


def test_words_that_tell_players_nothing_more_are_not_asked_about(typed: Type) -> None:
    """Those of a command that players hear nothing of, and a note that is kept beside one."""
    typed(f"combat damage lurker 1 --why '{SAID}'")
    typed(f"roll die --note '{SAID}'")
    assert SAID not in typed("log --player --json").out


def test_a_house_may_have_it_told_unasked(evening: Evening, typed: Type) -> None:
    replace_in(evening.folder / "campaign.toml", "seed = 7", 'seed = 7\nhouse = { open_words = "tell" }')
    typed(f"note {SAID}")
    assert SAID in typed("log --player").out
