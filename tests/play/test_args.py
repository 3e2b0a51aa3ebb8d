"""Arguments as journals have them: what their types say is what is read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

import pytest
from support.cases import case
from support.game import Game

from strike_cli.immutable_records import Value
from strike_cli.kernel.procedure import Args, argument_as_json
from strike_cli.play.playable_moves_and_time_limit import find_move
from strike_cli.problems import CampaignProblem


class Pair(NamedTuple):
    side: Literal["ours", "theirs"]
    count: int = 1


class Some(Args):
    side: Literal["ours", "theirs"] = "ours"
    roll: Literal["advance", "defense"] | Literal[""] = ""
    pairs: Sequence[Pair] = ()


class Needs(Args):
    who: str


class OneOfMany(Args):
    what: int | Pair | Literal["all"] | Sequence[int] | str | None = None


def test_a_word_of_a_few() -> None:
    assert Some.read({"side": "theirs", "roll": "defense"}) == Some(side="theirs", roll="defense")
    assert Some.read({"roll": ""}) == Some()


def test_arguments_are_told_apart_by_what_they_mean() -> None:
    """Not by what was written out; they are never changed, and wrong ones are refused by name."""
    one, same, other = Some(side="ours"), Some(), Some(side="theirs")
    assert (one == same, one == other, one == {}) == (True, False, False)
    assert len({one, same, other}) == 2
    assert repr(other) == "Some(side='theirs', roll='', pairs=())"
    assert other.but(roll="defense").as_json() == {"side": "theirs", "roll": "defense"}
    for wrong, why in (({"luck": 1}, "Some has no luck"), ({}, "Needs needs who")):
        with pytest.raises(TypeError, match=why):
            (Some if wrong else Needs)(**wrong)
    with pytest.raises(AttributeError, match="never changed"):
        one.side = "theirs"  # type: ignore[misc]


def test_what_an_older_journal_has_besides_is_read(game: Game) -> None:
    """What commands no longer take is left aside, and nothing else is."""
    for name, args, old in (
        ("override", {"path": "session.number", "why": "a slip", "value": 3}, {"scene": "the mill"}),
        ("combat token", {"who": "vex", "n": 2}, {"why": "luck"}),
    ):
        assert find_move(name).read_args({**args, **old}) == find_move(name).read_args(args)
        with pytest.raises(CampaignProblem):
            find_move(name).read_args({**args, "luck": 1})


def test_one_of_several_scenes_is_meant_first(game: Game) -> None:
    """Whichever is named; nothing else changes."""
    assert game.play("scene use", system="combat") == {"system": "combat"}
    assert game.state == {"session": {"scene": "combat"}}
    assert game.texts() == ["Next scene: combat."]


def test_a_named_tuple_is_a_list_in_the_journal() -> None:
    args = Some.read({"pairs": [["ours", 3], ["theirs"]]})
    assert args.pairs == [Pair("ours", 3), Pair("theirs", 1)]
    assert Some.read(args.as_json()) == args


def test_what_may_be_of_several_kinds_is_of_the_first_that_fits() -> None:
    for what in (None, 3, Pair("ours", 2), "all", [1, 2], "some"):
        with case(what):
            assert OneOfMany.read(OneOfMany(what=what).as_json()).what == what


def test_what_is_of_none_of_several_kinds() -> None:
    with pytest.raises(CampaignProblem, match="OneOfMany.what can't be"):
        OneOfMany.read({"what": {"some": 1}})


class Reach(NamedTuple):
    near: int = 5
    far: int = 0


def test_only_what_stands_at_the_end_is_left_out() -> None:
    for reach in (Reach(), Reach(1), Reach(1, 5), Reach(5, 5), Reach(0, 0)):
        with case(reach):
            written = argument_as_json(reach)
            assert Reach(*written) == reach
            assert len(written) == (2 if reach.far else 1 if reach.near != 5 else 0)


def test_what_can_not_be_read() -> None:
    for raw, where in (
        ({"side": ""}, "Some.side"),
        ({"side": ["ours"]}, "Some.side"),
        ({"roll": "attack"}, "Some.roll"),
        ({"pairs": [[]]}, r"Some.pairs\[1\]"),
        ({"pairs": [["ours"], ["ours", 2, 3]]}, r"Some.pairs\[2\]"),
        ({"pairs": [["nobody"]]}, r"Some.pairs\[1\]"),
        ({"pairs": [["ours", "many"]]}, r"Some.pairs\[1\]"),
    ):
        with case(raw, where), pytest.raises(CampaignProblem, match=f"{where} can't be"):
            Some.read(raw)


class Deep(Args):
    counts: Mapping[str, int] = {}
    inner: Some = Some()
    on: bool = False
    n: int = 0
    whatever: object = None


def test_each_sort_of_argument_is_read_as_it_was_written() -> None:
    for given in (
        {"counts": {"a": 1}},
        {"inner": {"side": "theirs"}},
        {"on": True},
        {"n": 2},
        {"whatever": [{}]},
    ):
        with case(given):
            assert Deep.read(given).as_json() == given
    for raw, where in (
        ({"counts": [1]}, "Deep.counts"),
        ({"counts": {"a": "1"}}, "Deep.counts.a"),
        ({"inner": []}, "Deep.inner"),
        ({"on": 1}, "Deep.on"),
        ({"n": True}, "Deep.n"),
    ):
        with case(raw), pytest.raises(CampaignProblem, match=f"{where} can't be"):
            Deep.read(raw)


def test_arguments_are_the_annotations_of_a_class_and_of_those_that_it_is_made_of() -> None:
    class First(Args):
        LIMIT: int = 3
        who: str
        n: int = 1

    class Second(First):
        for_: str = ""
        to: str

    assert (Second.FIELDS, Second.REQUIRED) == (("who", "n", "for_", "to"), ("who", "to"))
    assert list(First(who="vex").people()) == ["vex"]
    assert list(Some().people()) == []
    assert Second(who="vex", to="odo", for_="luck").as_json() == {"who": "vex", "for": "luck", "to": "odo"}


def test_a_named_value_has_the_fields_that_it_declares() -> None:
    class Row(Value):
        word: str
        n: int = 1

    assert Row("luck").field_values() == Row(word="luck", n=1).field_values() == ["luck", 1]
    assert Row("luck", 2).field_values_by_name() == {"word": "luck", "n": 2}
    for values, given, why in (
        ((), {}, r"Row\(\) missing .* 'word'"),
        (("luck", 1, 2), {}, r"Row\(\) takes"),
        (("luck",), {"of": 1}, r"Row\(\) got an unexpected keyword argument 'of'"),
        (("luck",), {"word": "wit"}, r"Row\(\) got multiple values for argument 'word'"),
    ):
        with case(values, given), pytest.raises(TypeError, match=why):
            Row(*values, **given)
    with pytest.raises(TypeError, match="'of'"):
        Row("luck").but(n=2, of=1)


def test_a_value_of_a_subclass_has_its_own_constructor() -> None:
    """Whichever of the classes is used first, and with a constructor of the subclass's own."""

    class Row(Value):
        word: str

    class Wide(Row):
        n: int = 1

    class Doubled(Row):
        def __init__(self, word: str) -> None:
            super().__init__(word * 2)

    assert Row("luck").field_values() == ["luck"]
    assert Wide("luck", 2).field_values() == ["luck", 2]
    assert [Doubled("ha").word, Doubled("ho").word] == ["haha", "hoho"]
