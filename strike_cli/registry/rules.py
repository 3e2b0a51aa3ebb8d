"""The rules of every system by number, in our own words: what `strike rule` looks up, documents link to."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from ..problems import PluginProblem
from . import beside, systems
from .declaration import System

NUMBER = r"[A-Z]+(?:-[A-Z]+)*-\d+[a-z]?"
"""What the number of a rule looks like: STR-TAC-04, STR-TC-12a."""
_HEADING = re.compile(rf"^## ({NUMBER}) (.+)$", re.MULTILINE)


class SeedClause(NamedTuple):
    """A sentence or row of a game's text, and how it is covered.

    That is a command that plays it, after others, with its result; a test that plays it; or the words of what
    the game master judges.
    """

    seed: str
    rule: str
    says: str
    after: Sequence[str] = ()
    command: str = ""
    gives: str = ""
    test: str = ""
    judged: str = ""


class Rule(NamedTuple):
    """A rule by its number, as its system words it."""

    id: str
    title: str
    text: str
    """A paragraph or several, with an empty line between."""
    system: str
    also: Sequence[str] = ()
    """What players of other games call it."""
    clauses: Sequence[SeedClause] = ()


CLAUSES = "clauses.toml"
"""The file beside a system's rules that has their clauses."""
ALSO = "Also called: "
"""What the paragraph begins with that has those words."""


def rules() -> dict[str, Rule]:
    """Return every rule of every system, by number. Raises PluginProblem for a file that can't be read."""
    return {rule.id: rule for system in systems() if system.rules for rule in rules_of(system)}


def rules_of(system: System) -> Iterable[Rule]:
    """Yield the rules of one system, as its file has them."""
    try:
        text = beside(system, system.rules).read_text(encoding="utf-8")
    except (OSError, UnicodeError) as error:
        raise PluginProblem(
            f"The rules of {system.name} can't be read: {error}.", "Fix or remove its plugin."
        ) from error
    _, *parts = _HEADING.split(text)
    clauses = clauses_of(system)
    for id, title, body in zip(parts[::3], parts[1::3], parts[2::3], strict=True):
        paragraphs = (" ".join(each.split()) for each in body.split("\n\n"))
        said = [each for each in paragraphs if each]
        lines = (each.removeprefix(ALSO).rstrip(".") for each in said if each.startswith(ALSO))
        also = [word for line in lines for word in line.split(", ")]
        text = "\n\n".join(each for each in said if not each.startswith(ALSO))
        mine = [clause for clause in clauses if clause.rule == id]
        yield Rule(id, title.strip(), text, system.name, also, mine)


def clauses_of(system: System) -> list[SeedClause]:
    """Return the clauses of a system's rules; none where nobody has written them down."""
    file = beside(system, system.rules).with_name(CLAUSES)
    if not file.is_file():
        return []
    table = tomllib.loads(file.read_text(encoding="utf-8"))
    setups: Mapping[str, Sequence[str]] = table.get("setups", {})
    found = []
    for entry in table["clauses"]:
        after = [line for each in entry.pop("after", ()) for line in setups.get(each, [each])]
        found.append(SeedClause(command=entry.pop("try", ""), after=after, **entry))
    return found


def matching(typed: str, known: Mapping[str, Rule]) -> list[Rule]:
    """Return the rules that the typed words mean.

    They are the rule of that number, or those whose numbers begin or end so (`tac-04`), or those of that
    name, or those with all of the words in their titles, if there are any, else anywhere.
    """
    low = typed.strip().lower()
    if not low:
        return list(known.values())
    for test in (
        lambda rule: rule.id.lower() == low,
        lambda rule: rule.id.lower().startswith(low),
        lambda rule: rule.id.lower().endswith(f"-{low}"),
        lambda rule: low in (each.lower() for each in rule.also),
        lambda rule: all(_has(" ".join([rule.title, *rule.also]), word) for word in low.split()),
        lambda rule: all(_has(f"{rule.title} {rule.text}", word) for word in low.split()),
    ):
        found = [rule for rule in known.values() if test(rule)]
        if found:
            return found
    return []


def _has(text: str, word: str) -> bool:
    """Return whether a word of the text begins so."""
    return re.search(rf"\b{re.escape(word)}", text, re.IGNORECASE) is not None
