"""Examples in the documents and in the helps play as typed, in order, in a fresh campaign."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.cases import case
from support.cli import Strike
from support.documents import DOCUMENTS, ROOT, Reader, examples_in, is_as_shown, plays_of
from support.few_fights import play_few_fights
from support.thorough import THOROUGH

from strike_cli.campaign import Campaign
from strike_cli.campaign.create import create_campaign_folder

FEWEST = 300
"""Examples that there are at least: a page whose form isn't understood has none."""


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
@pytest.mark.parametrize("seed", range(1, 5 if THOROUGH else 2))
@pytest.mark.slow
def test_examples_of_a_document_play(
    document: Path, seed: int, strike: Strike, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """None is refused, but where the page shows that it is, and all that is shown is said. What comes of dice
    that a page doesn't give is another thing at every table: no page may show it."""
    monkeypatch.setattr(Campaign, "_configured_or_random_seed", lambda campaign: seed)
    monkeypatch.setenv("STRIKE_CAMPAIGN", "")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    play_few_fights(monkeypatch)
    create_campaign_folder(tmp_path / "fresh")
    monkeypatch.chdir(tmp_path / "fresh")
    reader, wrong = Reader(strike, monkeypatch), []
    for example in plays_of(document.read_text(encoding="utf-8")):
        trouble = reader.type(example)
        if trouble:
            wrong.append(f"{document.name}:{example.line}: `{example.typed}` {trouble}")
    assert not wrong, "\n".join(wrong)


def test_there_are_examples_and_few_are_not_played() -> None:
    texts = [document.read_text(encoding="utf-8") for document in DOCUMENTS]
    assert sum(len(list(plays_of(text))) for text in texts) > FEWEST
    unplayed = [each for text in texts for each in examples_in(text) if each.is_strikes and each.unplayed]
    # Others have a test of their own, which types them.
    assert len([each for each in unplayed if "types" not in each.unplayed]) < 40


def test_what_is_shown_is_what_was_said() -> None:
    for shown, said, same in (
        (["one", "two"], "one\n\ntwo  \n", True),
        (["one", "..."], "one\ntwo\n", True),
        (["one", "...", "three"], "one\ntwo\nthree\n", True),
        (["...", "two"], "one\n", False),
        (["one"], "one\ntwo", False),
        (['{"a": 1,', ' "b": [...'], '{"a": 1, "b": [2, 3]}', True),
        ([], "anything", True),
    ):
        with case(shown, said, same):
            assert is_as_shown(shown, said) == same
