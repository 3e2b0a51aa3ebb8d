"""The numbered rules of every system, in our own words, for `strike rule` and links in documents."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from ..problems import PluginProblem
from . import installed_systems, path_beside
from .system_declaration import System

NUMBER = r"[A-Z]+(?:-[A-Z]+)*-\d+[a-z]?"
"""The pattern of a rule's number: STR-TAC-04, STR-TC-12a."""
_HEADING = re.compile(rf"^## ({NUMBER}) (.+)$", re.MULTILINE)


class SeedClause(NamedTuple):
    """A sentence or row of a game's text, and how it is covered.

    It may be covered by a `command` that plays it. Then `after` has the commands to play before, and `gives`
    has the result. Otherwise it is covered by a `test`, or by a description of what the game master judges
    (`judged`).
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
    """A rule: its number, title and text, and the name of its system."""

    id: str
    title: str
    text: str
    """One or more paragraphs, with an empty line between."""
    system: str
    also: Sequence[str] = ()
    """Names that other games use for the same thing."""
    clauses: Sequence[SeedClause] = ()


CLAUSES = "clauses.toml"
"""The file of clauses beside a system's rules."""
ALSO = "Also called: "
"""The beginning of the paragraph that lists a rule's other names."""


def all_rules() -> dict[str, Rule]:
    """Return every rule of every system, by number. Raises PluginProblem for an unreadable file."""
    return {rule.id: rule for system in installed_systems() if system.rules for rule in rules_of(system)}


def rules_of(system: System) -> Iterable[Rule]:
    """Yield the rules in the file of one system."""
    try:
        text = path_beside(system, system.rules).read_text(encoding="utf-8")
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
    """Return the clauses of a system's rules; none if no file of clauses is beside the rules."""
    file = path_beside(system, system.rules).with_name(CLAUSES)
    if not file.is_file():
        return []
    table = tomllib.loads(file.read_text(encoding="utf-8"))
    setups: Mapping[str, Sequence[str]] = table.get("setups", {})
    found = []
    for entry in table["clauses"]:
        after = [line for each in entry.pop("after", ()) for line in setups.get(each, [each])]
        found.append(SeedClause(command=entry.pop("try", ""), after=after, **entry))
    return found


def rules_matching(typed: str, known: Mapping[str, Rule]) -> list[Rule]:
    """Return the rules that the typed words mean; all rules for no words, [] if none fits.

    The words are looked for in four ways, and the first way that finds a rule decides. The words are the
    rule's number; or the beginning or end of its number (`tac-04`); or another name of the rule (`also`); or
    they all occur in its title and other names. As a last resort, rules are returned that have all the words
    in title or text.
    """
    low = typed.strip().lower()
    if not low:
        return list(known.values())
    for test in (
        lambda rule: rule.id.lower() == low,
        lambda rule: rule.id.lower().startswith(low),
        lambda rule: rule.id.lower().endswith(f"-{low}"),
        lambda rule: low in (each.lower() for each in rule.also),
        lambda rule: all(
            _has_word_beginning(" ".join([rule.title, *rule.also]), word) for word in low.split()
        ),
        lambda rule: all(_has_word_beginning(f"{rule.title} {rule.text}", word) for word in low.split()),
    ):
        found = [rule for rule in known.values() if test(rule)]
        if found:
            return found
    return []


def _has_word_beginning(text: str, word: str) -> bool:
    """Return whether any word of the text begins with `word`."""
    return re.search(rf"\b{re.escape(word)}", text, re.IGNORECASE) is not None
