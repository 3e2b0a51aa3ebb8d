"""Nothing is said of what happens but by the templates of `tests/data/tellings.txt`: a pseudo-language, in
which every word of a template is marked, shows what is said in other ways."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from golden.test_golden import HERE as EVENINGS
from golden.test_golden import commands
from support.cli import Strike

from strike_bridge.journal_results import posts_of_entry
from strike_cli.campaign import Campaign
from strike_cli.campaign.redacted_journal import redacted_entries
from strike_cli.campaign.session_index import read_sessions_and_update_index
from strike_cli.content.merged_content import Book
from strike_cli.kernel.state_changes import State, apply_fact
from strike_cli.kernel.statements import Language, Statement
from strike_cli.phones.player_page_data import phone_entry
from strike_cli.registry import statement_class
from strike_cli.systems.campaign.commands.reports.entries_known_to_audience import past_needed_for_session
from strike_cli.systems.campaign.commands.reports.evening import EveningReport
from strike_cli.systems.campaign.commands.reports.story import Paragraph, Story
from strike_cli.visibility.audiences import GM, PLAYERS, Audience
from strike_cli.visibility.entry_headlines import entry_headline
from strike_cli.visibility.redaction import redact_each_fact_of_entry, statement_of_fact
from strike_cli.visibility.secret_picks import entry_numbers_left_undone


class Marked(Language):
    """A language of which every word is marked, and none has a letter of English."""

    both = either = "⟦⟧"
    unseen = "⟦?⟧"

    def literal(self, words: str) -> str:
        """The words of a template, letters as dots between marks."""
        return f"⟦{re.sub('[A-Za-z]', '·', words)}⟧" if words.strip() else words

    def best(self, kept: int, faces: Any) -> str:
        """The die that counts of several."""
        return f"{kept}⟦⟧{','.join(map(str, faces))}"

    def with_article(self, noun: str) -> str:
        """A noun with its article."""
        return f"⟦·⟧ {noun}"

    def possessive(self, name: str) -> str:
        """A name's possessive."""
        return f"{name}⟦·⟧"

    def and_more(self, first: str, more: int) -> str:
        """The first of several, and how many more."""
        return f"{first}⟦·{more}⟧" if more else first

    def rectangle(self, first: str, last: str) -> str:
        """Squares by the corners of the rectangle that they fill."""
        return f"{first}⟦·⟧{last}"

    def squares_around(self, count: int, middle: str) -> str:
        """Squares that fill no rectangle."""
        return f"{count}⟦·⟧{middle}"


def names_in(entry: Mapping[str, Any], statement: Statement, told: Mapping[str, str]) -> set[str]:
    """The words of an entry that are names, or that people typed. Entries are called by what they `told`
    first, by their numbers."""
    ids = list(statement.ids())
    named = [told[id] if sort == "entry" else id.rpartition(":")[2] for sort, id in ids]
    found = [*entry["names"].values(), *named, *statement.typed_words(), *map(str, flat(entry["args"]))]
    return {word for name in found for word in WORD.findall(name.replace("-", " ").lower())}


def flat(value: Any) -> Iterator[str]:
    """Every text in a value, however deep."""
    if isinstance(value, Mapping):
        for inner in value.values():
            yield from flat(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from flat(inner)
    elif isinstance(value, str):
        yield value


WORD = re.compile(r"[A-Za-z]{2,}")
GAMES_OWN = {"hp", "ap"}
"""Signs of the games, the same in every language."""


SHORT = {"rolls", "yard"}
"""Evenings that are told everyday."""


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(path.stem, marks=() if path.stem in SHORT else pytest.mark.slow)
        for path in sorted(EVENINGS.glob("*.strike"))
    ],
)
def test_nothing_is_said_but_by_templates(
    in_campaign: Strike, folder: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The golden evenings, told in the pseudo-language: what has a class holds no word but names."""
    monkeypatch.setattr(Book, "locale", lambda self: MARKED)
    script = EVENINGS / f"{name}.strike"
    if (own := script.with_suffix(".toml")).exists():
        (folder / "campaign.toml").write_bytes(own.read_bytes())
    for line in commands(script):
        in_campaign(line, None)
    with Campaign(folder) as campaign:
        entries = [*campaign.journal.newest_entries(10_000)]
        shown = {screen: [*told] for screen, told in screens(campaign, entries).items()}
    said = set()
    told = {str(entry["seq"]): entry_headline(entry, MARKED) for entry in entries}
    known = set(GAMES_OWN)
    for entry in entries:
        for fact in entry["facts"] if "names" in entry else ():
            statement = statement_of_fact(fact) if statement_class(fact["kind"]) else None
            if statement is not None:
                words = {word.lower() for word in WORD.findall(fact["text"])}
                names = names_in(entry, statement, told)
                said |= {f"{fact['kind']}: {word} ({fact['text']})" for word in words - names - GAMES_OWN}
                known |= names
            for item in waiting(entry, fact):
                fields = [*flat(item.get("means", [])), *flat(item.get("about", {}))]
                known |= {word.lower() for text in fields for word in WORD.findall(text)}
    assert said == set()
    for screen, texts in shown.items():
        words = {word.lower(): text for text in texts for word in WORD.findall(text)}
        left = {f"{word} ({text})" for word, text in words.items() if word not in known}
        assert left == set(), screen


def screens(campaign: Campaign, entries: Sequence[Mapping[str, Any]]) -> Mapping[str, Iterator[str]]:
    """What each screen shows of facts and decisions, without the labels around it."""
    return {
        "terminal": terminal(campaign, entries),
        "page": page(entries),
        "phone": phone(campaign, entries),
        "report": report(campaign),
        "story": story(campaign),
    }


def classed(fact: Mapping[str, Any]) -> bool:
    """Whether a fact's words are those of a class."""
    return statement_of_fact(fact) is not None


def terminal(campaign: Campaign, entries: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """What stands out of each entry, and the questions with what their answers come to."""
    for entry in entries:
        for told in redact_each_fact_of_entry(entry, {}, GM._replace(language=MARKED)):
            yield told.banner.text if told.banner else ""
        for item in (item for fact in entry["facts"] for item in waiting(entry, fact)):
            yield from (item["text"], *item["labels"]) if "about" in item else ()


def waiting(entry: Mapping[str, Any], fact: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """The decisions that an entry leaves open, as the state keeps them."""
    for _, _, after in fact["changes"] if entry.get("pending") else ():
        yield from [after] if "what" in after else after.values()


def page(entries: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """The lines and headlines of each result."""
    state: State = {}
    for entry in entries:
        facts = [fact for fact in entry["facts"] if classed(fact)]
        if "head" not in entry and "names" in entry:
            for post in posts_of_entry(
                {**entry, "facts": facts}, state, lambda position: {}, players=Audience(language=MARKED)
            ):
                play = post.result["play"]
                yield from (one["text"] for part in ("lines", "banners") for one in play[part])
        for fact in entry["facts"]:
            state = apply_fact(state, fact)


def phone(campaign: Campaign, entries: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """What a phone says of each entry."""
    for entry in redacted_entries(campaign, lambda: entries, PLAYERS, entry_numbers_left_undone(entries)):
        shown = phone_entry({**entry, "facts": [fact for fact in entry["facts"] if classed(fact)]}, MARKED)
        yield from (line.get(key, "") for line in shown["lines"] for key in ("text", "headline"))


def report(campaign: Campaign) -> Iterator[str]:
    """What stands under the headings of each evening's report."""
    for number in read_sessions_and_update_index(campaign.journal):
        whole = EveningReport.of_session(past_needed_for_session(campaign, number, GM), number)
        lines = [one for lines in whole.sections.values() for one in lines]
        yield from (text for one in lines if statement_class(one.kind) for text in (one.text, one.headline))


def story(campaign: Campaign) -> Iterator[str]:
    """The sentences of each evening's story."""
    for number in read_sessions_and_update_index(campaign.journal):
        for chapter in Story(past_needed_for_session(campaign, number, GM), number).chapters:
            for part in chapter.parts:
                yield from part.sentences if isinstance(part, Paragraph) else ()


MARKED = Marked()
