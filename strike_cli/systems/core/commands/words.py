"""Words that commands of rolls take, as Tab offers them."""

from __future__ import annotations

from strike_cli.terminal.completion import offers

SKILLS = offers(
    lambda campaign: [skill for sheet in campaign.book.characters.values() for skill in sheet["skills"]]
)
"""Every Skill on a sheet."""
