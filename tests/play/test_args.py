"""Arguments as journals have them: what their types say is what is read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

import pytest

from strike_cli.kernel.args import Args
from strike_cli.problems import CampaignProblem


class Pair(NamedTuple):
    side: Literal["ours", "theirs"]
    count: int = 1


class Some(Args):
    side: Literal["ours", "theirs"] = "ours"
    roll: Literal["advance", "defense"] | Literal[""] = ""
    pairs: Sequence[Pair] = ()


def test_a_word_of_a_few() -> None:
    assert Some.read({"side": "theirs", "roll": "defense"}) == Some(side="theirs", roll="defense")
    assert Some.read({"roll": ""}) == Some()


def test_a_named_tuple_is_a_list_in_the_journal() -> None:
    args = Some.read({"pairs": [["ours", 3], ["theirs"]]})
    assert args.pairs == [Pair("ours", 3), Pair("theirs", 1)]
    assert Some.read(args.as_json()) == args


@pytest.mark.parametrize(
    ("raw", "where"),
    [
        ({"side": ""}, "Some.side"),
        ({"side": ["ours"]}, "Some.side"),
        ({"roll": "attack"}, "Some.roll"),
        ({"pairs": [[]]}, r"Some.pairs\[1\]"),
        ({"pairs": [["ours"], ["ours", 2, 3]]}, r"Some.pairs\[2\]"),
        ({"pairs": [["nobody"]]}, r"Some.pairs\[1\]"),
        ({"pairs": [["ours", "many"]]}, r"Some.pairs\[1\]"),
    ],
)
def test_what_can_not_be_read(raw: dict[str, Any], where: str) -> None:
    with pytest.raises(CampaignProblem, match=f"{where} can't be"):
        Some.read(raw)
