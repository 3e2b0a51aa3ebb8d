"""Opening a campaign must cost the same however long its journal is."""

from __future__ import annotations

import tempfile
from pathlib import Path

from benchmarks.paired_timing import amount, print_ratio, time_ratios
from benchmarks.sample_campaigns import make_campaign_in_fight
from strike_cli.campaign.campaign import Campaign


def main() -> None:
    """Print the cost of opening at 1,000 and 100,000 entries over that at 0."""
    with tempfile.TemporaryDirectory() as scratch:
        short = make_campaign_in_fight(Path(scratch) / "0")
        for entries in amount((1_000, 100_000), (10, 100)):
            long = make_campaign_in_fight(Path(scratch) / str(entries), entries)
            found = time_ratios(
                lambda long=long: Campaign(long), lambda: Campaign(short), rounds=21, repeat=20
            )
            print_ratio(f"opening at {entries:,} entries over opening at 0", found, "about 1")
