"""Campaigns for the benchmarks.

The main one is the example's fight at the ford: twelve combatants, each with a status, and a journal of any
length.
"""

from __future__ import annotations

import json
from pathlib import Path

from strike_cli.campaign.campaign import Campaign
from strike_cli.campaign.create import create_campaign_folder
from strike_cli.campaign.journal import line_hash
from strike_cli.campaign.journal_entry_format import encode_entry
from strike_cli.play.command_execution import PlaySettings, perform_command


def make_campaign_in_fight(folder: Path, entries: int = 0) -> Path:
    """Make a campaign in the middle of a fight of twelve, with a zone and statuses; it is Vex's turn.

    Args:
        folder: The folder to create the campaign in.
        entries: The number of lines to pad the journal to, roughly; 0 for no padding.

    Returns:
        The folder.
    """
    create_campaign_folder(folder)
    if entries:
        _pad_journal(folder, entries)
    with Campaign(folder, writing=True) as campaign:
        party = list(campaign.book.characters)
        perform_command(
            campaign,
            "combat start",
            {"encounter": "ford", "goal": "", "party": party, "creatures": {"goblin": 2}},
            PlaySettings(),
        )
        faces = [6, 5, 4, 3, *[1] * 8]  # the party's dice come first, and Vex's before all
        perform_command(campaign, "combat initiative", {}, PlaySettings(dice=faces))
        zone = {"called": "Smoke", "squares": ["J4", "K4", "K5"], "by": "", "damage": 1, "difficult": False}
        zone |= {"sight": "obscured", "ends": "encounter", "secret": False}
        perform_command(campaign, "combat zone add", zone, PlaySettings())
        for number, person in enumerate(campaign.state["fight"]["combatants"]):
            status = ("core:blinded", "core:slowed", "core:harried")[number % 3]
            perform_command(
                campaign,
                "combat status add",
                {"who": person, "status": status, "ends": "save", "value": 0},
                PlaySettings(),
            )
        perform_command(campaign, "combat turn", {}, PlaySettings())
    return folder


def make_grit_campaign(folder: Path) -> Path:
    """Make the example campaign of the plugin system grit, in the first round of a fight."""
    create_campaign_folder(folder, system="grit")
    with Campaign(folder, writing=True) as campaign:
        perform_command(campaign, "grit start", {"encounter": "bridge"}, PlaySettings())
    return folder


def _pad_journal(folder: Path, entries: int) -> None:
    """Fill the journal with `entries` copies of one die roll.

    The copies are written straight into the journal's file, since playing so many rolls would take minutes.
    One more roll is then played, so that state.toml includes the copies.
    """
    with Campaign(folder, writing=True) as campaign:
        args = {"n": 1, "sides": 6, "who": ""}
        perform_command(campaign, "roll die", args, PlaySettings())
        name, _ = campaign.head.end
    path = folder / "journal" / name
    lines = [path.read_bytes()]
    entry = json.loads(lines[0])
    entry.pop("seed", None)
    for number in range(2, entries + 1):
        entry |= {"after": line_hash(lines[-1]), "seq": number, "n": number - 1}
        lines.append(encode_entry(entry))
    path.write_bytes(b"".join(lines))
    with Campaign(folder, writing=True) as campaign:  # takes the new lines in, and writes state.toml for them
        perform_command(campaign, "roll die", args, PlaySettings())
