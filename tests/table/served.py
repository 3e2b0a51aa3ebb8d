"""A table in a process of its own, as a game master's terminal has it, that ends by itself.

    python served.py DIRECTORY KEY SECONDS LIMITS

It says its address on a line and serves until its input is closed or the seconds are over. LIMITS are JSON.
"""

from __future__ import annotations

import json
import sys
import threading
from pathlib import Path

from strike_table import serve as serving
from strike_table.connection_limits import ServerLimits


def main() -> None:
    """Serve until whoever started us is gone."""
    directory, key, seconds, limits = sys.argv[1:]
    stop = threading.Event()
    ends = threading.Timer(float(seconds), stop.set)
    ends.daemon = True
    ends.start()

    def heed() -> None:
        sys.stdin.read()
        stop.set()

    threading.Thread(target=heed, daemon=True).start()
    serving._PATIENCE = 3600  # who ends does so at once, or is found waiting
    chosen = ServerLimits(**json.loads(limits))
    serving.serve(
        Path(directory), key, port=0, on_ready=lambda url: print(url, flush=True), stop=stop, limits=chosen
    )


if __name__ == "__main__":
    main()
