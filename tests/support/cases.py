"""One test for many values: a failure says at which."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def case(*what: object) -> Iterator[None]:
    """What fails within is told with these values."""
    try:
        yield
    except BaseException as failure:
        failure.add_note("at " + ", ".join(map(repr, what)))
        raise
