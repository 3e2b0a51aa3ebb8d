"""`make bench`: run every benchmark of strike, or those that the command line names."""

from __future__ import annotations

import sys

from benchmarks import (
    bot_speed,
    bridge,
    find,
    odds,
    opening,
    phones,
    serve,
    shell,
    sight,
    sim,
    startup,
    table_page_in_browser,
    throughput,
)


def main() -> None:
    """Run every benchmark, or those named on the command line."""
    modules = (
        startup,
        opening,
        find,
        shell,
        odds,
        sight,
        throughput,
        bot_speed,
        table_page_in_browser,
        phones,
        bridge,
        serve,
        sim,
    )
    suites = {module.__name__.rpartition(".")[2]: module.main for module in modules}
    for name in sys.argv[1:] or suites:
        print(f"\n{name}")
        suites[name]()


if __name__ == "__main__":
    main()
