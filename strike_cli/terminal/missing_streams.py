"""What stands in for stdin, stdout and stderr where a command is begun without them (`strike status >&-`)."""

from __future__ import annotations

import errno
import io
import os
import sys


def stand_in() -> None:
    """Replace closed standard streams, so that no file of the campaign's takes their numbers.

    Writing to a closed stdout raises OSError.
    """
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # the lowest number that is free
    sys.stdin = sys.stdin or io.StringIO()
    sys.stdout = sys.stdout or _Closed()
    sys.stderr = sys.stderr or io.StringIO()


class _Closed(io.StringIO):
    def write(self, text: str) -> int:
        raise OSError(errno.EBADF, os.strerror(errno.EBADF))
