"""Records many commands, opening and closing the campaign for each; run as a program by test_writers.

python commits.py FOLDER WHO COUNT
"""

from __future__ import annotations

import sys
from pathlib import Path

from strike_cli.campaign import Campaign
from strike_cli.play.command_execution import PlaySettings, perform_command


def main(folder: Path, who: str, count: int) -> None:
    for number in range(1, count + 1):
        with Campaign(folder, writing=True) as campaign:
            had = campaign.state.get("characters", {}).get("vex", {}).get("ap", 0)
            why = f"{who} {number}"
            args = {"path": "characters.vex.ap", "value": had + 1, "why": why, "scene": "roll vex"}
            perform_command(campaign, "override", args, PlaySettings())


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]))
