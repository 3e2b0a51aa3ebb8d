"""Deliver a campaign to its targets, without the command `strike`.

Usage: `python -m strike_bridge push [--auto] FOLDER [TARGET...]`.
"""

from __future__ import annotations

import argparse
import sys
from functools import partial
from pathlib import Path

from strike_cli.problems import BridgeProblem, Problem
from strike_cli.untrusted_input import replace_unprintable

from .push_follow_and_sync import push, push_unattended
from .settings import find_target, read_targets


def main() -> int:
    """Deliver once to the targets, and return the exit code.

    The code is 5 if a delivery failed, and 2 or 3 if the targets can't be found or read. Otherwise it is 0,
    even if nothing was sent because another worker is delivering.
    """
    parser = argparse.ArgumentParser(prog="python -m strike_bridge", description=__doc__)
    commands = parser.add_subparsers(required=True)
    command = commands.add_parser("push", help="deliver everything once")
    command.add_argument("--auto", action="store_true", help="quietly, and with longer timeouts")
    command.add_argument("folder", type=Path)
    command.add_argument("targets", nargs="*", metavar="TARGET")
    asked = parser.parse_args()
    try:
        known = read_targets(asked.folder)
        targets = [find_target(known, name) for name in asked.targets] or list(known.values())
    except Problem as problem:
        print(replace_unprintable(f"{problem.message} {problem.hint}"), file=sys.stderr)
        return problem.exit_code
    deliver = push_unattended if asked.auto else partial(push, wait_for_other=0)
    reports = [deliver(asked.folder, target) for target in targets]
    for report in reports:
        if report.error and not report.busy:
            print(replace_unprintable(f"{report.target}: {report.error}"), file=sys.stderr)
    return BridgeProblem.exit_code if any(report.error and not report.busy for report in reports) else 0


if __name__ == "__main__":
    sys.exit(main())
