"""The command `strike rule`, which shows a rule by its number or by words in its text."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from ..problems import Usage, did_you_mean
from ..terminal.argument_completions import Metavar
from ..terminal.command_output import Line, Result
from ..terminal.commands_and_options import Options, command, new_app

if TYPE_CHECKING:
    from ..registry.numbered_rules import Rule

app = new_app("Rules by number.")

MOST_WHOLE = 3
"""The most rules that are shown whole; more are listed."""


@command(app, "rule", kind="reads")
def rule(
    options: Options,
    words: Annotated[
        list[str] | None,
        typer.Argument(
            metavar=Metavar("[NUMBER|WORD...]", words=_rule_numbers),
            help="A number, its beginning, or words.",
        ),
    ] = None,
) -> Result:
    """Show a rule in our own words. Find it by its number or by words.

    Help texts and documents name the numbers; the beginning of a number is enough. Rules of the campaign's
    games come first. If none of them matches, rules of other games are shown. Many matches are listed by
    title.

    Example: `strike rule STR-TAC-04`, `strike rule flanking`
    """
    from ..registry import known_systems
    from ..registry.numbered_rules import all_rules, rules_matching
    from ..session.command_catalogue import book_of_invocation, systems_in_campaign

    known, typed = all_rules(), " ".join(words or ())
    used = systems_in_campaign(book_of_invocation(options.invocation))
    own = {id: rule for id, rule in known.items() if rule.system in used}
    found = (rules_matching(typed, own) if typed else []) or rules_matching(typed, known)
    if not found:
        hint = did_you_mean(typed, [*known, *(each.title for each in known.values())])
        raise Usage(f"No rule matches {typed!r}.{hint}", "`strike rule` lists all rules.")
    lines: list[Line] = []
    if len(found) > MOST_WHOLE:
        for name in dict.fromkeys(each.system for each in found):
            lines.append((known_systems()[name].title or name, "title"))
            mine = [each for each in found if each.system == name]
            longest = max(len(each.id) for each in mine)
            lines += [[(f"  {each.id:{longest}}  ", "command"), each.title] for each in mine]
        lines.append([("Show one: ", "dim"), (f"strike rule {found[0].id}", "command")])
    else:
        for each in found:
            head = [(f"{each.id}  ", "command"), (each.title, "strong")]
            if each.system not in used:
                head.append((f"  ({known_systems()[each.system].title}, which is not played here)", "dim"))
            lines += [head, *each.text.split("\n\n"), *_clause_lines(each)]
    told = [each._asdict() | {"clauses": [one._asdict() for one in each.clauses]} for each in found]
    return Result("rule", {"rules": told}, [*lines])


def _rule_numbers() -> list[str]:
    from ..registry.numbered_rules import all_rules

    return list(all_rules())


def _clause_lines(rule: Rule) -> Iterator[Line]:
    for clause in rule.clauses:
        yield [("- ", "dim"), clause.says]
        if clause.command:
            yield [("  ", ""), (f"strike {clause.command}", "command"), (f"  {clause.gives}", "dim")]
        elif clause.judged:
            yield (f"  The game master's part: {clause.judged}", "dim")
