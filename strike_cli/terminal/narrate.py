"""How what happened is told: lines for facts, rolls and questions, the same after every command."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from ..kernel.procedure import Choose
from ..kernel.statements import OTHER, Decision, decision_of_json, spoken_language
from ..registry import style_of
from .result import Line, Result

if TYPE_CHECKING:
    from ..campaign import Campaign
    from ..play.execute import Performed

MOST_OPTIONS = 6
"""Options of a decision that get a line each."""


def told_lines(came: Performed, explain: bool = False) -> list[Line]:
    """A line for each fact that has something to say, with what made a roll behind it."""
    return fact_lines(came.facts[came.shown :], explain)


def fact_lines(facts: Iterable[Mapping[str, Any]], explain: bool = False) -> list[Line]:
    """A line for each fact that has something to say."""
    lines: list[Line] = []
    for fact in facts:
        if fact["text"]:
            style = style_of(fact["kind"])
            lines.append((fact["text"], style) if style else fact["text"])
        for key in ("roll", "against"):
            if key in fact:
                lines += reason_lines(fact[key], explain)
        for helper in fact.get("helpers", ()):
            lines += reason_lines(helper["roll"], explain) if explain else []
    return lines


def reasons_in_words(roll: Mapping[str, Any]) -> str:
    """Every source and modifier of a roll with its reason; empty where there is none."""
    reasons = [f"{source['kind']}: {source['reason']}" for source in roll["sources"]]
    reasons += [f"{item['value']:+d}: {item['reason']}" for item in roll["modifiers"]]
    return "; ".join(reasons)


def reason_lines(roll: Mapping[str, Any], explain: bool = False) -> list[Line]:
    """What made a roll: every source and modifier with its reason; all of the roll with `explain`."""
    reasons = reasons_in_words(roll)
    lines: list[Line] = [(f"  {reasons}", "dim")] if reasons else []
    if explain:
        faces = ", ".join(map(str, roll["faces"]))
        dice = " + ".join(f"d{sides}" for sides in roll.get("dice", (roll["sides"],)))
        kept = "" if roll["kept"] is None else f"kept {roll['kept']}, "
        purpose = spoken_language().purpose(roll["purpose"])
        told = f"  {purpose}: {dice} {roll['mode']}, faces {faces}, {kept}total {roll['total']}"
        lines.append((told, "dim"))
    return lines


def question_lines(question: Choose, prompting: bool = False) -> list[Line]:
    """A decision, its options, and how to answer."""
    lines: list[Line] = [(f"A decision for {question.who or 'the table'}: {question.asks}", "strong")]
    labels = question.labels or ("",) * len(question.options)
    numbered = list(enumerate(zip(question.options, labels, strict=True), 1))
    # The likeliest come first; a long tail of others fits on a line.
    shown = len(numbered) if len(numbered) <= MOST_OPTIONS else MOST_OPTIONS - 1
    for number, (option, label) in numbered[:shown]:
        sign = f"{number}. " if prompting else ""
        lines.append([f"  {sign}", (option, "command"), f"  {label}" if label else ""])
    if numbered[shown:]:
        names = [f"{number}. {option}" if prompting else option for number, (option, _) in numbered[shown:]]
        lines.append(("  or " + ", ".join(names), "dim"))
    if prompting:
        empty = f"takes {question.default!r}" if question.default else "leaves it open"
        lines.append((f"A name or a number; an empty line {empty}.", "dim"))
    else:
        lines.append([("Answer with ", "dim"), (f"strike choose {question.options[0]}", "command")])
    if question.about and OTHER in question.about.worded and OTHER in question.options:
        example = "the guard hears" if prompting else "strike choose the guard hears"
        lines.append([("Or in your own words: ", "dim"), (example, "command")])
    return lines


def question_of(item: Mapping[str, object]) -> Choose:
    """A decision of the state, to read answers by."""
    told, options = item.get("about"), item["options"]
    about: Decision | None = None
    with contextlib.suppress(KeyError, TypeError, ValueError):
        about = decision_of_json(told) if isinstance(told, dict) else None
    known = tuple(map(str, options)) if isinstance(options, list | tuple) else ()
    return Choose(str(item["who"]), str(item["what"]), known, text=str(item.get("text", "")), about=about)


def pending_lines(item: Mapping[str, Any]) -> list[Line]:
    """A pending decision from the state: what was said so far, then the question."""
    from ..registry.scenes import asked_of  # it brings all that scenes are made of

    said: list[Line] = [(text, "dim") for text in asked_of(item).said]
    question = question_of(item).but(labels=tuple(item.get("labels", ())))
    return [*said, *question_lines(question), *_kept_lines(item.get("faces", ()))]


def _kept_lines(faces: Iterable[int]) -> list[Line]:
    shown = _listed(faces)
    return [(f"Dice for what comes after it: {shown}.", "dim")] if shown else []


def _listed(faces: Iterable[int]) -> str:
    return ", ".join(map(str, faces))


def played(
    came: Performed, campaign: Campaign | None, lines: list[Line] | None = None, *, explain: bool = False
) -> Result:
    """The result of a played command: what happened, then what is open."""
    shown = told_lines(came, explain) if lines is None else lines
    if came.pending:
        shown = [*shown, *question_lines(came.pending), *_kept_lines(came.faces_left)]
    elif came.faces_left:
        shown = [*shown, (f"Nothing asked for these dice after all: {_listed(came.faces_left)}.", "dim")]
    return Result(
        came.command,
        came.data,
        shown,
        facts=came.facts,
        seq=came.seq,
        pending=came.pending,
        notices=campaign.notices if campaign else [],
    )
