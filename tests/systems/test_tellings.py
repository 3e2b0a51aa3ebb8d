"""All that strike can say of what happens, in one catalogue, and nothing said beside it.

`tests/data/tellings.txt` pins every template once: whoever rewords them reads one diff
(`pytest tests/systems/test_tellings.py --regenerate-golden`). A pseudo-language, in which every word of a
template is marked, shows what is said in other ways than by templates."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from conftest import DATA
from golden.test_golden import HERE as EVENINGS
from golden.test_golden import commands
from support.cli import Strike

from strike_cli.campaign import Campaign
from strike_cli.content.book import Book
from strike_cli.kernel.statements import ENGLISH, Decision, Language, Statement, speak
from strike_cli.registry import statement_class, systems
from strike_cli.visibility.heard import statement_in

CATALOGUE = DATA / "tellings.txt"


def declared() -> Iterator[type[Statement]]:
    """Every class of what a system tells or asks, in the order of its modules."""
    for system in systems():
        for name in map(system.absolute, system.fact_modules):
            for cls in vars(import_module(name)).values():
                if isinstance(cls, type) and issubclass(cls, Statement) and cls.__module__ == name:
                    yield cls


def catalogue() -> Iterator[str]:
    for cls in declared():
        yield f"{cls.__module__} {cls.kind}"
        yield from (f"  {name}: {template}" for name, template in cls.tellings())
        if issubclass(cls, Decision):
            yield from (f"  {option} = {template}" for option, template in cls.options.items())


def test_every_telling_stands_in_the_catalogue(request: pytest.FixtureRequest) -> None:
    said = "\n".join(catalogue()) + "\n"
    if request.config.getoption("--regenerate-golden"):
        CATALOGUE.write_text(said, encoding="utf-8")
    assert said.splitlines() == CATALOGUE.read_text(encoding="utf-8").splitlines()


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

    def rectangle(self, first: str, last: str) -> str:
        """Squares by the corners of the rectangle that they fill."""
        return f"{first}⟦·⟧{last}"

    def squares_around(self, count: int, middle: str) -> str:
        """Squares that fill no rectangle."""
        return f"{count}⟦·⟧{middle}"


def names_in(entry: Mapping[str, Any], statement: Statement, commands: Mapping[str, str]) -> set[str]:
    """The words of an entry that are names, or that people typed. `commands` are those of entries by their
    numbers."""
    ids = list(statement.ids())
    named = [commands[id] if sort == "entry" else id.rpartition(":")[2] for sort, id in ids]
    found = [*entry["names"].values(), *named, *statement.typed(), *map(str, flat(entry["args"]))]
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


@pytest.mark.parametrize("name", [path.stem for path in sorted(EVENINGS.glob("*.strike"))])
def test_nothing_is_said_but_by_templates(
    in_campaign: Strike, folder: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The golden evenings, told in the pseudo-language: what has a class holds no word but names."""
    monkeypatch.setattr(Book, "speak", lambda self: speak(MARKED))
    script = EVENINGS / f"{name}.strike"
    if (own := script.with_suffix(".toml")).exists():
        (folder / "campaign.toml").write_bytes(own.read_bytes())
    try:
        for line in commands(script):
            in_campaign(line, None)
        with Campaign(folder) as campaign:
            entries = [*campaign.journal.newest(10_000)]
    finally:
        speak(ENGLISH)
    said = set()
    typed = {str(entry["seq"]): entry["command"] for entry in entries}
    for entry in entries:
        for fact in entry["facts"] if "names" in entry else ():
            statement = statement_in(fact) if statement_class(fact["kind"]) else None
            if statement is not None:
                words = {word.lower() for word in WORD.findall(fact["text"])}
                left = words - names_in(entry, statement, typed) - GAMES_OWN
                said |= {f"{fact['kind']}: {word} ({fact['text']})" for word in left}
    assert said == set()


ON_THE_WAY = (
    "visibility",
    "campaign/heard.py",
    "terminal/narrate.py",
    "terminal/screen",
    "systems/campaign/commands/reports",
    "phones",
    "cli/log.py",
    "cli/watch.py",
    "cli/play.py",
)
"""Where facts go by on their way to a screen."""


def test_no_regular_expression_reads_what_is_told() -> None:
    """But for words that people typed: facts say by their fields whom they name."""
    root = DATA.parents[1]
    files = [file for part in ON_THE_WAY for file in (root / "strike_cli" / part).rglob("*.py")]
    files += [root / "strike_cli" / part for part in ON_THE_WAY if part.endswith(".py")]
    files += [root / "bridge" / "strike_bridge" / f"{name}.py" for name in ("messages", "play", "markup")]
    assert len(files) > 20
    reading = re.compile(r"^ *(?:import re\b|from re )", re.MULTILINE)
    reads = {file.name for file in files if reading.search(file.read_text(encoding="utf-8"))}
    assert reads == {"typed_words.py"}


MARKED = Marked()
