"""Campaigns whose fights are short, for whoever plays many."""

from __future__ import annotations

from pathlib import Path

import pytest

from strike_cli.campaign.create import create_campaign_folder
from strike_cli.content.merged_content import open_book
from strike_cli.sim.simulated_fight import FrozenCampaign
from strike_cli.sim.simulation_hooks import Lineup


@pytest.fixture(scope="session")
def grit_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The example of grit: the bridge is over in a round or two."""
    return create_campaign_folder(tmp_path_factory.mktemp("sim") / "grit", system="grit")


@pytest.fixture(scope="session")
def frozen(grit_folder: Path) -> FrozenCampaign:
    """Its bridge."""
    return FrozenCampaign.freeze(open_book(grit_folder), {}, "grit", ["bridge"], Lineup())
