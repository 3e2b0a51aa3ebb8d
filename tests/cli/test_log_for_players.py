"""`log --player`: what players hear of last, whatever came since that they don't."""

from __future__ import annotations

import pytest
from support.cli import Strike


@pytest.mark.parametrize("which", ["", "--session 0"])
def test_the_last_that_players_hear_of_is_told(which: str, in_campaign: Strike) -> None:
    for face in (2, 3, 4):
        in_campaign(f"roll die d6 --dice {face}")
    for _ in range(5):
        in_campaign("roll die d6 --dice 6 --secret")
    told = in_campaign.json(f"log --player --last 2 {which}")["data"]["entries"]
    assert [entry["facts"][0]["text"][-2:] for entry in told] == ["3.", "4."]
    assert in_campaign(f"log --player --last 1 {which}").out.count("d6: 4.") == 1
    assert len(in_campaign.json(f"log --player --last 9 {which}")["data"]["entries"]) == 3


def test_where_players_heard_of_nothing_nothing_was_played(in_campaign: Strike) -> None:
    in_campaign("roll die d6 --dice 6 --secret")
    assert in_campaign("log --player --last 1").out == "Nothing has been played yet.\n"


def test_a_story_says_what_stands_out(in_campaign: Strike) -> None:
    """A critical hit, in bold before the words of its turn."""
    for line in (
        "combat start yard --party vex",
        "combat initiative --dice 6,5,5",
        "combat place vex H2",
        "combat turn",
    ):
        in_campaign(line)
    in_campaign("combat attack vex goblin-1 --dice 6", None)
    (chapter,) = in_campaign.json("session story")["data"]["chapters"]
    assert "Critical hit" in [each for part in chapter["parts"] for each in part.get("headlines", ())]
    assert "Critical hit" in in_campaign("session story").out


def test_a_secret_that_is_taken_back_stays_one(in_campaign: Strike) -> None:
    """Neither that there was something, nor by its number how many there were."""
    in_campaign("roll die --secret")
    in_campaign("roll die")
    in_campaign("roll skill vex Climbing --secret --cost waive --dice 3")
    in_campaign("undo 3")
    in_campaign("redo 3")
    told = in_campaign.json("log --player")["data"]["entries"]
    assert [entry["command"] for entry in told] == ["roll die", "undo", "redo"]
    rolled, *moved = (entry["facts"][0]["text"] for entry in told)
    assert moved == [f"Undone: {rolled}", f"Done again: {rolled}"]
    assert all("of" not in entry["facts"][0] for entry in told)
    in_campaign("undo")
    assert len(in_campaign.json("log --player")["data"]["entries"]) == 3
    assert "#" not in in_campaign("log --player").out
