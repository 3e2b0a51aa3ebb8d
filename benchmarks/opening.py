"""Opening a campaign must cost the same however long its journal is."""

from __future__ import annotations

import tempfile
from pathlib import Path

from benchmarks.campaigns import in_a_fight
from benchmarks.measure import ratios, report, size
from strike_cli.campaign.campaign import Campaign


def main() -> None:
    """Print the cost of opening at 1,000 and 100,000 entries over that at 0."""
    with tempfile.TemporaryDirectory() as scratch:
        short = in_a_fight(Path(scratch) / "0")
        for entries in size((1_000, 100_000), (10, 100)):
            long = in_a_fight(Path(scratch) / str(entries), entries)
            found = ratios(lambda long=long: Campaign(long), lambda: Campaign(short), rounds=21, repeat=20)
            report(f"opening at {entries:,} entries over opening at 0", found, "about 1")
