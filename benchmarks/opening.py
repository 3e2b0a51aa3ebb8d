"""A benchmark: opening a campaign with a long journal must take as long as with a short one."""

from __future__ import annotations

import tempfile
from pathlib import Path

from benchmarks.paired_timing import print_ratio, time_ratios, usual_or_trial_amount
from benchmarks.sample_campaigns import make_campaign_in_fight
from strike_cli.campaign.campaign import Campaign


def main() -> None:
    """Measure how long it takes to open a campaign with 1,000 and with 100,000 journal entries.

    Print each time as a multiple of the time without entries.
    """
    with tempfile.TemporaryDirectory() as scratch:
        short = make_campaign_in_fight(Path(scratch) / "0")
        for entries in usual_or_trial_amount((1_000, 100_000), (10, 100)):
            long = make_campaign_in_fight(Path(scratch) / str(entries), entries)
            found = time_ratios(
                lambda long=long: Campaign(long), lambda: Campaign(short), rounds=21, repeat=20
            )
            print_ratio(f"opening at {entries:,} entries over opening at 0", found, "about 1")
