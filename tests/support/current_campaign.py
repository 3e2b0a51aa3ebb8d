"""What stands in the campaign of the current folder, for tests that type commands there."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from strike_cli.campaign import Campaign
from strike_cli.visibility.audiences import Audience
from strike_cli.visibility.redaction import redact_each_fact_of_entry

from .cli import Strike


def state() -> dict[str, Any]:
    with Campaign(Path()) as campaign:
        return dict(campaign.state)


def told_to(audience: Audience) -> list[str]:
    """The sentences of every fact as an audience is told them."""
    with Campaign(Path()) as campaign:
        now = campaign.state
        shown = [
            redact_each_fact_of_entry(entry, now, audience) for entry in campaign.journal.newest_entries(100)
        ]
    return [each.fact["text"] for entry in shown for each in entry if each.fact]


def is_taken_back_and_replayed(strike: Strike, line: str) -> None:
    """A command is undone, redone, and replayed, and comes to the same."""
    before = state()
    strike(line)
    after = state()
    strike("undo")
    assert state() == before
    strike("redo")
    assert state() == after
    assert strike.json("replay --verify")["data"]["differences"] == []
