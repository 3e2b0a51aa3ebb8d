"""What sentences of facts may be made of (`kernel.templates`): each form, and what is left of it for somebody
who does not know all."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import ClassVar
from unittest.mock import patch

import pytest
from support.cases import case
from support.told import Listener

from strike_cli.kernel.sentence_templates import TemplateFault, compile_template
from strike_cli.kernel.statements import (
    ENGLISH,
    OWN_KEYS,
    BeforeAfter,
    BookWords,
    Clause,
    Decision,
    Fact,
    Hp,
    HpNumber,
    Language,
    Person,
    Reason,
    Statement,
    Words,
    class_of_kind,
    classes_by_key,
    field_type,
    say,
    statement_from_fields,
    table_with_clauses_in_words,
)
from strike_cli.systems.prep.facts import HandoutRead
from strike_cli.tabletop.dice import Modifier


class PushedBy(Clause):
    """Why: somebody."""

    who: Person

    says = "{who} pushed"


class WhatNext(Decision):
    """What somebody is asked."""

    who: Person

    asks = "what does {who} do?"


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
    each: Mapping[Person, Words] = {}
    reasons: Sequence[Reason] = ()
    asked: WhatNext | None = None
    book: BookWords = ""


def told(template: str, **fields: object) -> str | None:
    fact = _Told(**{"who": "vex", **fields})  # type: ignore[arg-type]  # each case names what it needs
    return compile_template(template, _Told.template_types())(fact, Listener())


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
    ("hit[ ({why})]", {"why": PushedBy("odo")}, "hit (Odo pushed)"),
    ("hit ({reasons})", {"reasons": ["luck", PushedBy("odo")]}, "hit (luck, Odo pushed)"),
    ("hit[ by {people:or}]", {}, "hit"),
    ("hit[{by_hand:? by hand}: {note}]", {"note": "ouch"}, "hit: ouch"),
    ("hit[{result:miss= as if}: {note}]", {"note": "ouch"}, "hit: ouch"),
    ("hit[{n:| times}: {note}]", {"note": "ouch"}, "hit: ouch"),
    ("hit[[ ({why})]: {note}]", {"note": "ouch"}, "hit: ouch"),
    ("hit{by_hand}", {}, "hit"),
    ("{low:box|boxes}", {}, "boxes"),
    ("{each:box|boxes}", {}, "boxes"),
    ("hit{each.kind}", {"each": {"odo": "runs"}}, "hit"),
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
    ("{each:box|boxes}", {"each": {"odo": "runs", "shadow": "waits"}}, "box"),
    ("{each:box|boxes}", {"each": {"odo": "like Shadow"}}, None),
    ("{each.kind}", {"each": {"odo": "like Shadow"}}, None),
    ("{each.kind}", {"each": {"odo": "runs", "shadow": "waits"}}, None),
    ("{hp.after} HP", {"who": "odo", "hp": BeforeAfter(9, 7)}, None),
    ("hit[, {hp.after} HP left]", {"who": "odo", "hp": BeforeAfter(9, 7)}, "hit"),
    ("{low:+}", {"low": 2}, "+2"),
    ("{low:+}", {"who": "odo", "low": 2}, None),
    ("hit{low:+}", {}, "hit"),
    ("hit{low:+}", {"who": "odo"}, "hit"),
    ("hit[: {note}]", {"note": "Shadow did it"}, "hit"),
    ("hit[ ({why})]", {"why": PushedBy("shadow")}, "hit"),
]


def test_each_form_says_what_its_field_is() -> None:
    for template, fields, words in SAID:
        with case(template, fields):
            assert told(template, **fields) == words


def test_what_somebody_may_not_know_is_kept_back_with_the_brackets_around_it_or_the_whole() -> None:
    for template, fields, words in KEPT_BACK:
        with case(template, fields):
            assert told(template, **fields) == words


ALL = _Told(
    "vex",
    ["odo", "shadow"],
    hp=BeforeAfter(9, 7),
    note="Shadow did it",
    why=PushedBy("shadow"),
    each={"odo": "runs", "vex": "like Shadow", "shadow": "waits"},
    reasons=["luck", PushedBy("odo"), PushedBy("shadow")],
    asked=WhatNext("odo"),
    book="a rope",
)
"""A fact with something in each field that names anybody."""
PUSHED = {"clause": "pushed-by", "who": "odo"}
ASKED = {"decision": "what-next", "who": "odo"}


def test_a_fact_names_what_is_in_its_fields() -> None:
    people = ["vex", "odo", "shadow", "shadow", "odo", "vex", "shadow", "odo", "shadow", "odo"]
    assert list(ALL.ids()) == [("person", who) for who in people]
    assert list(ALL.typed_words()) == ["Shadow did it", "runs", "like Shadow", "waits", "a rope"]
    assert list(HandoutRead("map", "").typed_words()) == []


def test_players_hear_of_each_field_what_they_may_know() -> None:
    whole = ALL.as_json(Listener(gm=True))
    assert (whole["people"], whole["asked"]) == (["odo", "shadow"], ASKED)
    assert _Told.from_json(whole).as_json(Listener(gm=True)) == whole
    assert whole["reasons"] == ["luck", PUSHED, {**PUSHED, "who": "shadow"}]
    assert ALL.as_json_known_to(Listener()) == {
        "who": "vex", "people": ["odo"], "hp": [9, 7], "each": {"odo": "runs"}, "asked": ASKED,
        "book": "a rope", "reasons": ["luck", PUSHED],
    }  # fmt: skip
    nothing = _Told(
        "odo", ["shadow"], hp=BeforeAfter(9, 7), each={"shadow": "waits"}, asked=WhatNext("shadow")
    )
    assert nothing.as_json_known_to(Listener()) == {"who": "odo"}


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("who", 3),
        ("people", "vex"),
        ("people", [3]),
        ("hp", [9]),
        ("hp", ["9", "7"]),
        ("each", ["vex"]),
        ("why", {"clause": "no-such-clause"}),
        ("why", {"clause": "damaged", "who": "vex"}),
        ("why", {"who": "vex"}),
        ("why", 3),
        ("asked", {"decision": "somebody", "who": "vex"}),
        ("asked", "vex"),
    ],
)
def test_a_field_of_another_form_is_refused(field: str, value: object) -> None:
    with pytest.raises((TypeError, KeyError, ValueError)):
        _Told.from_json({"who": "vex", field: value})


def test_a_private_class_is_found_by_no_journal() -> None:
    """It is what others have in common; nor is what has variants told itself."""
    assert class_of_kind("rolled:save").__name__ == "SaveRolled"
    for kind in (_Told.kind, "rolled", "rolled:nothing", "nothing"):
        with case(kind), pytest.raises(KeyError):
            statement_from_fields(kind, {"who": "vex"})


def test_a_class_is_known_by_its_name_or_by_the_kind_and_variant_that_it_says() -> None:
    with patch.dict(classes_by_key):

        class OddThing(Fact):
            of: Person
            mark: ClassVar[bool] = True
            _own: int = 3
            for_: Words = ""

        class OddOne(OddThing, variant="one"):
            pass

        class Apart(OddOne):
            pass

        class Named(Fact, kind="odd-name"):
            pass

        class Damaged(Fact):
            pass

        class _OddBase(Fact):
            pass

        assert [(cls.kind, cls.key, cls.has_variants) for cls in (OddThing, OddOne, Apart, Named)] == [
            ("odd-thing", "odd-thing", True),
            ("odd-thing", "odd-thing:one", False),
            ("apart", "apart", False),
            ("odd-name", "odd-name", False),
        ]
        assert [cls.variant for cls in (OddThing, OddOne, Apart)] == ["", "one", ""]
        for cls in (OddThing, OddOne, Apart, Named):
            assert class_of_kind(cls.key) is cls
        assert class_of_kind("damaged") is not Damaged, "nobody takes the place of a class of another module"
        assert _OddBase not in classes_by_key.values()
        assert list(OddOne.field_types()) == ["of", "for_"]
        one = OddOne("vex", "luck")
        assert one.as_json(Listener()) == {"variant": "one", "of": "vex", "for": "luck"}
        assert statement_from_fields("odd-thing", {"variant": "one", "of": "vex", "for": "luck"}) == one
        assert list(one.ids()) == [("person", "vex")]

        class OddThing(Fact):  # type: ignore[no-redef]  # as a module that is read anew declares it
            pass

        assert class_of_kind("odd-thing") is OddThing


def test_what_a_move_returns_is_told_with_the_words_of_its_clauses() -> None:
    found = {
        "n": 1,
        "why": PushedBy("odo"),
        "all": [{"why": PushedBy("vex")}, "luck", (2, PushedBy("shadow"))],
    }
    told = {"n": 1, "why": "Odo pushed", "all": [{"why": "Vex pushed"}, "luck", [2, ""]]}
    assert table_with_clauses_in_words(found, Listener()) == told
    modifier = Modifier(1, "luck")
    assert table_with_clauses_in_words({"it": modifier}, Listener())["it"] is modifier


def test_a_template_that_is_wrong_is_refused() -> None:
    for template in ("{whom}", "{who", "{who:", "[{who}", "who}", "{n:box}", "{n:a|b|c}", "{n:a"):
        with case(template), pytest.raises(TemplateFault):
            compile_template(template, _Told.template_types())


class _Hurt(Fact):
    """Somebody is hurt by somebody, either of whom may be unseen."""

    who: Person
    by: Person
    hp: Hp

    unseen = ("who", "by")
    says = "{by} hurts {who}: {hp.after} HP."
    says_without_hp = "{by} hurts {who}."


class _Struck(Fact):
    """Somebody unseen is struck: one sentence for all."""

    who: Person
    hp: Hp

    unseen = ("who",)
    says = "{who} is struck[: {hp.after} HP]."


class _Seen(Fact):
    """Three sentences, each of which could be said of somebody unseen."""

    who: Person

    unseen = ("who",)
    says = "{who} is hurt."
    says_without_hp = "{who} is struck."
    says_unseen = "{who} is heard."


def test_somebody_unseen_has_the_sentence_that_is_furthest_from_all() -> None:
    for who, words in (("vex", "Vex is hurt."), ("shadow", "Somebody unseen is heard.")):
        with case(who):
            assert say(_Seen(who), Listener()) == words


def test_of_somebody_unseen_no_numbers_are_told() -> None:
    for who, by, words in (
        ("vex", "odo", "Odo hurts Vex: 7 HP."),
        ("odo", "vex", "Vex hurts Odo."),
        ("odo", "shadow", "Somebody unseen hurts Odo."),
        ("shadow", "odo", "Odo hurts somebody unseen."),
        ("shadow-vex", "odo", "Odo hurts somebody unseen."),
        ("shadow", "shadows", None),
    ):
        with case(who, by):
            assert say(_Hurt(who, by, BeforeAfter(9, 7)), Listener()) == words
    for who, words in (
        ("vex", "Vex is struck: 7 HP."),
        ("odo", "Odo is struck."),
        ("shadow-vex", "Somebody unseen is struck."),
    ):
        with case(who):
            assert say(_Struck(who, BeforeAfter(9, 7)), Listener()) == words


def test_what_can_be_no_field_of_a_fact() -> None:
    for annotation in (float, list, tuple[()], tuple[int, str], str | Clause, Sequence[float]):
        with case(annotation), pytest.raises(TypeError, match="no such type of field"):
            field_type(annotation)


def _named(base: type[Statement], field: str) -> Callable[[], Statement]:
    """What makes a statement of a class that has such a field."""
    made: type[Statement] = type(base)(
        f"Has{field}", (base,), {"__annotations__": {field: int}, "__module__": __name__}
    )
    return lambda: made(**{field: 3})


class _MayBeNone(Fact):
    count: int | None = 1


class _IsNone(Fact):
    count: int | None


def test_a_class_that_could_not_be_read_back_is_refused_when_it_is_made() -> None:
    for base, keys in (
        (Fact, OWN_KEYS - {"who"} | {"variant"}),
        (Clause, {"clause", "variant"}),
        (Decision, {"decision", "variant"}),
    ):
        for key in keys:
            with case(f"{base.__name__}.{key}"), pytest.raises(TypeError, match="rename the field"):
                _named(base, key)()
    with pytest.raises(TypeError, match="let the default be None"):
        _MayBeNone()
    assert _IsNone.from_json(_IsNone(None).as_json(Listener(gm=True))) == _IsNone(None)


def test_a_sentence_begins_with_a_capital() -> None:
    class _Fallen(_Told):
        says = "a die of {people} falls"

    assert say(_Fallen("vex", ["odo"]), Listener()) == "A die of Odo falls"


class _Old(Language):
    purposes: ClassVar[dict[str, str]] = {"attack": "smite", "save": "rescue from {of}", "raw force": "might"}


@pytest.mark.parametrize(
    ("language", "key", "words"),
    [
        (ENGLISH, "attack", "attack"),
        (ENGLISH, "attack: Vex", "attack: Vex"),
        (ENGLISH, "raw-force", "raw force"),
        (ENGLISH, "raw-force: a wall-door", "raw force: a wall-door"),
        (ENGLISH, "Well-Aimed", "Well-Aimed"),
        (ENGLISH, "as well-aimed as can be", "as well-aimed as can be"),
        (ENGLISH, "save: Dazed", "save against Dazed"),
        (ENGLISH, "skill: Bluff", "Bluff"),
        (ENGLISH, "opposed: Bluff", "Bluff"),
        (ENGLISH, "skill", "skill"),
        (_Old(), "attack: Vex", "smite: Vex"),
        (_Old(), "save: Dazed", "rescue from Dazed"),
        (_Old(), "skill: Bluff", "Bluff"),
        (_Old(), "raw-force", "might"),
    ],
)
def test_what_a_roll_is_for_is_said_by_its_key(language: Language, key: str, words: str) -> None:
    assert language.purpose(key) == words


def test_words_that_sentences_share() -> None:
    for said, words in (
        (ENGLISH.listed([], "and"), ""),
        (ENGLISH.listed(["Vex"], "and"), "Vex"),
        (ENGLISH.listed(["Vex", "Odo", "Brann"], "or"), "Vex, Odo or Brann"),
        (ENGLISH.possessive("Boss"), "Boss's"),
        (ENGLISH.possessive("the Crew"), "the Crew's"),
        (ENGLISH.possessive("The Runners"), "The Runners'"),
        (ENGLISH.possessive("theirs"), "theirs's"),
        (ENGLISH.and_more("#2 Vex", 0), "#2 Vex"),
        (ENGLISH.and_more("#2 Vex", 2), "#2 Vex; and 2 more"),
        (ENGLISH.with_article("Arrow"), "an Arrow"),
        (ENGLISH.with_article("Goblin"), "a Goblin"),
    ):
        with case(words):
            assert said == words
