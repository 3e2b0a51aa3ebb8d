"""Serves the table without `strike`: `python -m strike_table --data DIR`.

The environment variable STRIKE_TABLE_KEY has the key that deliveries must carry.
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from .access_control import LOOPBACK_NAMES, host_name
from .serve import LinkAudience, serve, watch_link


def main() -> int:
    """Serve the embedded table until it is stopped, and return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m strike_table", description="Serve the embedded table.")
    parser.add_argument("--data", type=Path, required=True, help="the directory for the table's memory")
    parser.add_argument("--host", default="127.0.0.1", help="the address to listen on (default: %(default)s)")
    parser.add_argument("--port", type=int, default=4747, help="0 picks a free one (default: %(default)s)")
    parser.add_argument("--title", default="", help="the page's title between fights")
    asked = parser.parse_args()
    key = os.environ.get("STRIKE_TABLE_KEY", "")
    if not key:
        parser.error("set STRIKE_TABLE_KEY to the key that deliveries will carry")

    def print_url_and_watch_links(url: str) -> None:
        print(url, flush=True)
        print(f"game master: {watch_link(url, key, LinkAudience.GM)}", file=sys.stderr, flush=True)
        if host_name(asked.host) not in LOOPBACK_NAMES:
            print(f"players on other machines: {watch_link(url, key)}", file=sys.stderr, flush=True)

    try:
        serve(asked.data, key, asked.host, asked.port, title=asked.title, on_ready=print_url_and_watch_links)
    except OSError as problem:
        print(f"error: {problem.strerror or problem}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
