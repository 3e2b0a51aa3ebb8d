"""Campaigns to measure with: the example's ford with its ten combatants, and a journal of any length."""

from __future__ import annotations

import json
from pathlib import Path

from strike_cli.campaign.campaign import Campaign
from strike_cli.campaign.create import create
from strike_cli.play.perform import How, perform


def in_a_fight(folder: Path, entries: int = 0) -> Path:
    """A campaign in the middle of a fight of ten, its journal padded to about `entries` lines."""
    create(folder)
    if entries:
        _pad(folder, entries)
    with Campaign(folder, writing=True) as campaign:
        party = list(campaign.book.characters)
        perform(campaign, "combat start", {"encounter": "ford", "goal": "", "party": party}, How())
        order = perform(campaign, "combat initiative", {}, How(choices=[]))
        while order.pending:
            from strike_cli.play.perform import choose

            order = choose(campaign, "fight", How(choices=[order.pending.options[0]]))
        perform(campaign, "combat turn", {}, How())
    return folder


def _pad(folder: Path, entries: int) -> None:
    """Damage and healing by turns would do, but written straight into the journal it takes no minutes."""
    with Campaign(folder, writing=True) as campaign:
        args = {"n": 1, "sides": 6, "who": ""}
        perform(campaign, "roll die", args, How())
        name, _ = campaign.head.end
    path = folder / "journal" / name
    line = json.loads(path.read_bytes().splitlines()[0])
    offset = path.stat().st_size
    lines = []
    for number in range(2, entries + 1):
        line.update(seq=number, n=number - 1, prev=[name, 0])
        line.pop("seed", None)
        lines.append(json.dumps(line, separators=(",", ":")) + "\n")
        offset += len(lines[-1])
    with open(path, "a", encoding="utf-8") as file:
        file.writelines(lines)
    with Campaign(folder, writing=True) as campaign:  # takes the new lines in, and writes state.toml for them
        perform(campaign, "roll die", args, How())
