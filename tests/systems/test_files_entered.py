"""How far somebody walks who reads along with a command: files whose functions it enters."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import strike_cli
from strike_cli.campaign.campaign import Campaign
from strike_cli.campaign.create import create_campaign_folder
from strike_cli.play.command_execution import PlaySettings, perform_command

ATTACK = ["combat", "attack", "vex", "goblin-3", "--power", "lantern flare"]
MOST_FILES = 49  # one of them for the old names of steps, which go with the next version
TRACER = """
import json, sys
seen = set()
def called(frame, event, argument):
    if event == "call" and frame.f_code.co_flags & 1 and frame.f_code.co_filename.startswith(root):
        seen.add(frame.f_code.co_filename[len(root):])
root, place, *words = sys.argv[1:]
sys.argv = ["strike", *words]
sys.setprofile(called)
try:
    from strike_cli.__main__ import main
    main()
finally:
    sys.setprofile(None)
    with open(place, "w") as file:
        json.dump(sorted(seen), file)
"""


@pytest.mark.slow
@pytest.mark.parametrize("die", ["2", "5", "6"])
def test_who_reads_along_with_an_attack_opens_few_files(tmp_path: Path, die: str) -> None:
    folder = tmp_path / "evening"
    create_campaign_folder(folder)
    with Campaign(folder, writing=True) as campaign:
        everybody = {"goal": "", "party": list(campaign.book.characters), "creatures": {}}
        perform_command(campaign, "combat start", {"encounter": "ford", **everybody}, PlaySettings())
        perform_command(campaign, "combat initiative", {}, PlaySettings(dice=[6, 5, 4, 3, *[1] * 6]))
        perform_command(campaign, "combat turn", {}, PlaySettings())
    entered = tmp_path / "entered.json"
    root = os.path.dirname(strike_cli.__file__) + os.sep
    command = [sys.executable, "-c", TRACER, root, str(entered), "-C", str(folder), *ATTACK, "--dice", die]
    unsized = {**os.environ, "COLUMNS": ""}  # lines that somebody says how wide to make are folded
    tried = [*command, "--dry-run"]  # the first fills caches
    for each in (tried, tried, command):
        subprocess.run(each, check=True, capture_output=True, env=unsized)
    files = json.loads(entered.read_text())
    assert "systems/combat/powers/power_use.py" in files
    assert len(files) <= MOST_FILES, "\n".join(files)
