"""What sentences of facts may be made of (`kernel.templates`): each form, and what is left of it for somebody
who does not know all."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from support.cases import case
from support.told import Listener

from strike_cli.kernel.statements import (
    BeforeAfter,
    Clause,
    Fact,
    Hp,
    HpNumber,
    Person,
    Reason,
    Words,
    say,
)
from strike_cli.kernel.templates import TemplateFault, compile_template


class _Because(Clause):
    """Why: somebody."""

    who: Person

    says = "{who} pushed"


class _Told(Fact):
    """One field of each sort that templates treat in a way of its own."""

    who: Person
    people: Sequence[Person] = ()
    n: int = 1
    result: str = ""
    hp: Hp | None = None
    low: HpNumber | None = None
    note: Words = ""
    why: Reason = ""
    by_hand: bool = False


def told(template: str, **fields: object) -> str | None:
    fact = _Told(**{"who": "vex", **fields})  # type: ignore[arg-type]  # each case names what it needs
    return compile_template(template, _Told.slots())(fact, Listener())


SAID: list[tuple[str, dict[str, object], str]] = [
    ("{who} falls", {}, "Vex falls"),
    ("{who's} turn", {}, "Vex's turn"),
    ("{who's} turn", {"who": "runners"}, "the Runners' turn"),
    ("{n} {n:box|boxes}", {"n": 1}, "1 box"),
    ("{n} {n:box|boxes}", {"n": 0}, "0 boxes"),
    ("{people} {people:takes|take} it", {"people": ["vex", "odo"]}, "Vex and Odo take it"),
    ("{people:or}", {"people": ["vex", "odo"]}, "Vex or Odo"),
    ("{people:list}", {"people": ["vex", "odo", "runners"]}, "Vex, Odo, the Runners"),
    ("{by_hand:?by hand|by itself}", {"by_hand": True}, "by hand"),
    ("{by_hand:?by hand|by itself}", {}, "by itself"),
    ("{by_hand:?by hand}", {}, ""),
    ("{result:critical=a crit|miss=a miss|a hit}", {"result": "miss"}, "a miss"),
    ("{result:critical=a crit|miss=a miss|a hit}", {"result": "solid"}, "a hit"),
    ("{by_hand:true=yes|false=no}", {"by_hand": True}, "yes"),
    ("{n:+}", {"n": 2}, "+2"),
    ("{n:+}", {"n": -2}, "-2"),
    ("{result:a}", {"result": "Arrow"}, "an Arrow"),
    ("{result:cap}", {"result": "at once"}, "At once"),
    ("{hp.before} to {hp.after} HP", {"hp": BeforeAfter(9, 7)}, "9 to 7 HP"),
    ("hit[: {note}]", {}, "hit"),
    ("hit[: {note}]", {"note": "ouch"}, "hit: ouch"),
    ("hit[ ({why})]", {"why": _Because("odo")}, "hit (Odo pushed)"),
]
KEPT_BACK: list[tuple[str, dict[str, object], str | None]] = [
    ("{who} falls", {"who": "shadow"}, None),
    ("{who's} turn", {"who": "shadow"}, None),
    ("hit[ by {who}]", {"who": "shadow"}, "hit"),
    ("{people:and}", {"people": ["vex", "shadow"]}, "Vex"),
    ("{people} {people:takes|take} it", {"people": ["vex", "shadow"]}, "Vex takes it"),
    ("{people:and}", {"people": ["shadow"]}, None),
    ("{people:box|boxes}", {"people": ["shadow"]}, None),
    ("{people:?some|none}", {"people": ["shadow"]}, "none"),
    ("{hp.after} HP", {"who": "odo", "hp": BeforeAfter(9, 7)}, None),
    ("hit[, {hp.after} HP left]", {"who": "odo", "hp": BeforeAfter(9, 7)}, "hit"),
    ("{low:+}", {"low": 2}, "+2"),
    ("{low:+}", {"who": "odo", "low": 2}, None),
    ("hit{low:+}", {}, "hit"),
    ("hit{low:+}", {"who": "odo"}, "hit"),
    ("hit[: {note}]", {"note": "Shadow did it"}, "hit"),
    ("hit[ ({why})]", {"why": _Because("shadow")}, "hit"),
]


def test_each_form_says_what_its_field_is() -> None:
    for template, fields, words in SAID:
        with case(template, fields):
            assert told(template, **fields) == words


def test_what_somebody_may_not_know_is_kept_back_with_the_brackets_around_it_or_the_whole() -> None:
    for template, fields, words in KEPT_BACK:
        with case(template, fields):
            assert told(template, **fields) == words


@pytest.mark.parametrize("template", ["{whom}", "{who", "[{who}", "who}", "{n:box}", "{n:a|b|c}"])
def test_a_template_that_is_wrong_is_refused(template: str) -> None:
    with pytest.raises(TemplateFault):
        compile_template(template, _Told.slots())


def test_a_sentence_begins_with_a_capital() -> None:
    class _Fallen(_Told):
        says = "dice of {people} fall"

    assert say(_Fallen("vex", ["odo"]), Listener()) == "Dice of Odo fall"
