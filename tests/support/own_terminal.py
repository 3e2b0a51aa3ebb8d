"""strike at a terminal of its own, in a process."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path


def run_at_terminal(
    folder: Path, *words: str, typed: str = "", env: Mapping[str, str] | None = None
) -> tuple[int, str]:
    """The exit code of a command at a plain terminal where this is typed, and all that the terminal shows."""
    import pty

    ours, theirs = pty.openpty()
    env = env or {**os.environ, "TERM": "dumb"}
    script = [sys.executable, "-m", "strike_cli", *words, "-C", str(folder)]
    with subprocess.Popen(script, env=env, stdin=theirs, stdout=theirs, stderr=theirs) as process:
        os.close(theirs)
        os.write(ours, typed.encode())
        said = b""
        while True:
            try:
                part = os.read(ours, 65536)
            except OSError:
                break
            if not part:
                break
            said += part
    os.close(ours)
    return process.returncode, said.decode()
