"""The toy system, installed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from support.cli import Strike
from support.plugins import install_toy, play_with

from strike_cli.registry import installed_plugins


@pytest.fixture
def with_toy(in_campaign: Strike, tmp_path: Path) -> Iterator[Strike]:
    """The command line in the small campaign, with the toy system installed."""
    with pytest.MonkeyPatch.context() as patch:
        install_toy(tmp_path / "site", patch)
        play_with(Path(), "toy")
        yield in_campaign
    installed_plugins.drop_plugin_index()


@pytest.fixture
def tossing(with_toy: Strike) -> Strike:
    """The same in the middle of a toss: Vex has three coins, Brann one, and it is Brann's."""
    with_toy("toy start vex brann")
    with_toy("toy toss vex --dice 1 --choose heads")
    return with_toy
