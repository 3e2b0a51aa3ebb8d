"""A name may stand in a file that isn't in play: nobody of that name is made up, unless --new insists."""

from __future__ import annotations

from pathlib import Path

import pytest
from campaign.conftest import Strike
from support.thorough import few_of

from strike_cli.campaign.create import create

WOLF = '[creatures.wolf]\nname = "Wolf"\nhp = {hp}\n'


@pytest.mark.slow
@pytest.mark.parametrize("fault", ["<<<<<<< HEAD\n", 'colour = "grey"\n'], ids=["set aside", "not in effect"])
@pytest.mark.parametrize("line", few_of(["combat join wolf", "fight wolf", "roll wolf howling"]))
def test_nobody_is_made_up_who_may_be_in_a_file_with_a_fault(
    line: str, fault: str, tmp_path: Path, strike: Strike
) -> None:
    folder = tmp_path / "road"
    create(folder, seed=3)
    config = folder / "campaign.toml"
    config.write_text(
        config.read_text("utf-8").replace('["strike:*.toml"]', '["strike:*.toml", "more/*.toml"]'), "utf-8"
    )
    (folder / "more").mkdir()
    if "join" in line:
        strike("combat start ford", folder)
    else:
        strike("note begun", folder)
    (folder / "more" / "wolf.toml").write_text(WOLF.format(hp=6) + fault, "utf-8")
    refused = strike(line, folder)
    assert refused.code == 2
    assert "wolf.toml" in refused.err and "--new" in refused.err
    assert strike(f"{line} --new", folder).code in (0, 6)
    strike("undo", folder)
    (folder / "more" / "wolf.toml").write_text(WOLF.format(hp=6), "utf-8")
    assert strike(line, folder).err == ""
