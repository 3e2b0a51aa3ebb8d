"""Where the campaign is. Every command asks, also those that go on without one, so this imports little."""

from __future__ import annotations

import os
from pathlib import Path

from ..content import CAMPAIGN_FILE
from ..problems import CampaignProblem


def find_campaign(given: str | None = None) -> Path | None:
    """The campaign's folder: the one given, that of STRIKE_CAMPAIGN, or the nearest upward.

    None where no campaign was named and none is near. Raises CampaignProblem where a named one is not there.
    """
    named = given or os.environ.get("STRIKE_CAMPAIGN")
    if named:
        folder = Path(named)
        if folder.name == CAMPAIGN_FILE:
            folder = folder.parent
        if not (folder / CAMPAIGN_FILE).is_file():
            from ..words import as_word

            where = "-C" if given else "STRIKE_CAMPAIGN"
            raise CampaignProblem(
                f"{where}: there is no {CAMPAIGN_FILE} in {folder}.",
                f"`strike new {as_word(str(folder))}` makes a campaign.",
            )
        return folder
    here = Path.cwd()
    return next((folder for folder in (here, *here.parents) if (folder / CAMPAIGN_FILE).is_file()), None)
