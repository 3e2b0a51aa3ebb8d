"""Moves that do the same to several."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from .fight import Actor


class SeveralPeople(Actor):
    """Somebody, and those who get the same."""

    also: Sequence[str] = ()

    def people(self) -> Iterable[str]:
        """Everybody who is meant, once."""
        return dict.fromkeys((self.who, *self.also))


def of_each(found: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """What a command for several came to: of the first as for one alone, of the others below `others`."""
    (first, data), *others = found.items()
    more = {"others": [{"who": who, **each} for who, each in others]} if others else {}
    return {"who": first, **data, **more}
