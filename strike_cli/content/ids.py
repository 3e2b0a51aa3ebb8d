"""Full ids of content, `core:dazed` or `burning`, and the names that people type for them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import cast


def ids_matching(name: str, table: Mapping[str, object]) -> list[str]:
    """Return every full id that a name may mean: the id, else its last part, else a display name.

    Case doesn't matter.
    """
    return Meanings(table).all_of(name)


class Meanings:
    """The meanings of names among the things of a table, for callers that look up many names.

    Callers may replace things meanwhile, but not add or rename any; things that they remove they have to
    `forget`. `order` lists namespaces: a name in several of them means the thing of the first.
    """

    def __init__(self, table: Mapping[str, object], order: Sequence[str] = ()) -> None:
        self._table = table
        self._order = order
        self._gone: set[str] = set()

    def forget(self, id: str) -> None:
        """Note that a thing is removed."""
        self._gone.add(id)

    def of(self, name: str) -> list[str]:
        """Return the full ids that a name may mean, as `ids_matching` does.

        The campaign's own come before the first namespace that has any; others are left out.
        """
        found = self.all_of(name)
        for first in ("", *self._order) if len(found) > 1 else ():
            if of_first := [each for each in found if each.rpartition(":")[0] == first]:
                return of_first
        return found

    def all_of(self, name: str) -> list[str]:
        """Return every full id that a name may mean."""
        bare = name.strip().lower()
        id = bare.replace(" ", "-")
        for found in (
            self._index_by_id.get(id),
            self._index_by_last_part.get(id),
            self._index_by_name.get(bare),
        ):
            left = [each for each in found or () if each not in self._gone]
            if left:
                return left
        return []

    @cached_property
    def _index_by_id(self) -> Mapping[str, list[str]]:
        return _group_by_word((key.lower(), key) for key in self._table)

    @cached_property
    def _index_by_last_part(self) -> Mapping[str, list[str]]:
        return _group_by_word((key.rpartition(":")[2].lower(), key) for key in self._table)

    @cached_property
    def _index_by_name(self) -> Mapping[str, list[str]]:
        return _group_by_word(
            (str(cast("Mapping[str, object]", thing).get("name", "")).lower(), key)
            for key, thing in self._table.items()
        )


def _group_by_word(meant: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for word, key in meant:
        found.setdefault(word, []).append(key)
    return found


def one_of(kind: str) -> str:
    """Return the singular of a kind: `status` of `statuses`."""
    return {"statuses": "status", "severities": "severity"}.get(kind, kind[:-1]).replace("_", " ")
