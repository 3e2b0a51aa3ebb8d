"""`make bench`: run every benchmark of strike, or those that the command line names."""

from __future__ import annotations

import sys

from benchmarks import (
    bridge,
    fights,
    find,
    odds,
    opening,
    phones,
    serve,
    shell,
    sight,
    sim,
    startup,
    table,
    throughput,
)


def main() -> None:
    """Run every benchmark, or those named on the command line."""
    suites = {
        "startup": startup.main,
        "opening": opening.main,
        "find": find.main,
        "shell": shell.main,
        "odds": odds.main,
        "sight": sight.main,
        "throughput": throughput.main,
        "fights": fights.main,
        "table": table.main,
        "phones": phones.main,
        "bridge": bridge.main,
        "serve": serve.main,
        "sim": sim.main,
    }
    for name in sys.argv[1:] or suites:
        print(f"\n{name}")
        suites[name]()


if __name__ == "__main__":
    main()
