"""The numbered rules of every system, in our own words, for `strike rule` and links in documents."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from ..problems import PluginProblem
from . import load_usable_systems, path_beside
from .system_declaration import System

RULE_NUMBER = r"[A-Z]+(?:-[A-Z]+)*-\d+[a-z]?"
"""The pattern of a rule's number: STR-TAC-04, STR-TC-12a."""
_HEADING = re.compile(rf"^## ({RULE_NUMBER}) (.+)$", re.MULTILINE)


class RuleClause(NamedTuple):
    """One statement of a rule, and what shows that strike covers it.

    Exactly one of these covers the statement:
    - `command`, which plays it. The commands in `after` are played first. `gives` is the result of `command`.
    - `test`, the name of a test.
    - `judged`, a description of what the game master decides.
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
    clauses: Sequence[RuleClause] = ()


CLAUSES_FILE = "clauses.toml"
"""The file of clauses beside a system's rules."""
OTHER_NAMES_PREFIX = "Also called: "
"""The beginning of the paragraph that lists a rule's other names."""


def all_rules() -> dict[str, Rule]:
    """Return every rule of every system, by number. Raises PluginProblem for an unreadable file."""
    return {rule.id: rule for system in load_usable_systems() if system.rules for rule in rules_of(system)}


def rules_of(system: System) -> Iterable[Rule]:
    """Yield the rules in the file of one system. Raises PluginProblem if the file can't be read."""
    try:
        text = path_beside(system, system.rules).read_text(encoding="utf-8")
        clauses = clauses_of(system)
    except (OSError, UnicodeError, tomllib.TOMLDecodeError, KeyError, TypeError) as error:
        raise PluginProblem(
            f"The rules of {system.name} can't be read: {error}.", "Fix or remove its plugin."
        ) from error
    _, *parts = _HEADING.split(text)
    for id, title, body in zip(parts[::3], parts[1::3], parts[2::3], strict=True):
        paragraphs = (" ".join(each.split()) for each in body.split("\n\n"))
        said = [each for each in paragraphs if each]
        lines = (
            each.removeprefix(OTHER_NAMES_PREFIX).rstrip(".")
            for each in said
            if each.startswith(OTHER_NAMES_PREFIX)
        )
        also = [word for line in lines for word in line.split(", ")]
        text = "\n\n".join(each for each in said if not each.startswith(OTHER_NAMES_PREFIX))
        mine = [clause for clause in clauses if clause.rule == id]
        yield Rule(id, title.strip(), text, system.name, also, mine)


def clauses_of(system: System) -> list[RuleClause]:
    """Return the clauses of a system's rules; none if no file of clauses is beside the rules."""
    file = path_beside(system, system.rules).with_name(CLAUSES_FILE)
    if not file.is_file():
        return []
    table = tomllib.loads(file.read_text(encoding="utf-8"))
    setups: Mapping[str, Sequence[str]] = table.get("setups", {})
    found = []
    for entry in table["clauses"]:
        after = [line for each in entry.pop("after", ()) for line in setups.get(each, [each])]
        found.append(RuleClause(command=entry.pop("try", ""), after=after, **entry))
    return found


def rules_matching(typed: str, known: Mapping[str, Rule]) -> list[Rule]:
    """Return the rules that the typed words mean; all rules for no words, [] if none fits.

    The following tests are tried in order, and the first that finds a rule decides:

    1. The words are a rule's number.
    2. The number begins with the words.
    3. The number ends with the words, as `04` after a hyphen.
    4. The words are another name of the rule (`also`).
    5. All words occur in its title and other names.
    6. All words occur in its title and text.

    In 5 and 6 a typed word may be the beginning of a word.
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
    return re.search(rf"\b{re.escape(word)}", text, re.IGNORECASE) is not None
