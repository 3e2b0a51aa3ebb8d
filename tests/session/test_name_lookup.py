"""Words of a list, as people type them."""

from __future__ import annotations

import pytest

from strike_cli.refusals import UnknownName
from strike_cli.terminal.name_lookup import find_word

WORDS = ("back", "backstab", "double-back", "flee")


def test_a_word_is_found_whole_or_by_its_beginning_or_that_of_a_part() -> None:
    """The word itself comes before those that it begins."""
    for typed, word in (
        ("back", "back"),
        ("BACK ", "back"),
        ("backs", "backstab"),
        ("d", "double-back"),
        ("f", "flee"),
    ):
        assert find_word(typed, WORDS, "action") == word
    assert find_word("ba", ("double-back", "flee"), "action") == "double-back"
    for typed in ("", "b", "x"):
        with pytest.raises(UnknownName):
            find_word(typed, WORDS, "action")
