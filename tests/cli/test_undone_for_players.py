"""What players hear of what is taken back: never of what they hadn't heard of."""

from __future__ import annotations

from support.cli import Strike


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
