"""Compares the time of `strike find` with the time of `strike log --last 20`, in a long journal.

`find` may take at most twice as long as `log`, for any words that are sought.
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks.paired_timing import (
    Run,
    child_processor_seconds,
    print_ratio,
    time_ratios,
    usual_or_trial_amount,
)
from strike_cli.campaign.campaign import Campaign
from strike_cli.campaign.create import create_campaign_folder
from strike_cli.campaign.journal import line_hash
from strike_cli.campaign.journal_entry_format import encode_entry
from strike_cli.play.command_execution import PlaySettings, perform_command

ENTRIES = usual_or_trial_amount(100_000, 100)
ROUNDS = 9
WORDS = ("river", "lamp", "toll", "goblin", "marsh", "bell", "captain", "oil", "road", "ford", "eel", "night")
SOUGHT = {
    "in the newest": "last",
    "in the oldest alone": "ferryman",
    "nowhere": "nobody has said this",
    "in letters that bytes know no capitals of": "перевозчик",
    "a key of the journal": "session",
}


def main() -> None:
    """Print how long `strike find` takes in proportion to `strike log --last 20`.

    One ratio is printed for each of the sought texts in SOUGHT.
    """
    with tempfile.TemporaryDirectory() as scratch:
        folder = _make_campaign_with_notes(Path(scratch) / "old")
        log = _command_runner(folder, "log", "--last", "20")
        for what, words in SOUGHT.items():
            found = time_ratios(
                _command_runner(folder, "find", words), log, ROUNDS, clock=child_processor_seconds
            )
            print_ratio(f"find, {what}, over log --last 20", found, most=2)


def _command_runner(folder: Path, *words: str) -> Run:
    line = [sys.executable, "-m", "strike_cli", *words]
    return lambda: subprocess.run(line, cwd=folder, check=True, stdout=subprocess.DEVNULL)


def _make_campaign_with_notes(folder: Path) -> Path:
    """Make a campaign with a number of notes, written straight into its journal."""
    create_campaign_folder(folder, seed=1)
    with Campaign(folder, writing=True) as campaign:
        perform_command(campaign, "note", {"text": "the ferryman"}, PlaySettings())
        name, _ = campaign.head.end
    path, chance = folder / "journal" / name, random.Random(1)
    before = path.read_bytes()
    written = before.decode()
    with open(path, "ab") as file:
        for number in range(2, ENTRIES + 1):
            text = " ".join(chance.choices(WORDS, k=40))
            line = json.loads(written.replace("the ferryman", text))
            line.pop("seed", None)
            line |= {"after": line_hash(before), "seq": number, "n": number - 1, "prev": [name, 0]}
            before = encode_entry(line)
            file.write(before)
    with Campaign(folder, writing=True) as campaign:
        perform_command(campaign, "note", {"text": "the last"}, PlaySettings())
    return folder
