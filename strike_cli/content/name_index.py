"""The ids of content, such as `core:dazed` or `burning`, and the names that people type for them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import cast


def ids_by_first_matching_rule(name: str, table: Mapping[str, object]) -> list[str]:
    """Return every full id that a name may mean. Upper and lower case count as the same.

    These rules are tried in order. The first rule that finds an id decides:

    1. The name is a full id.
    2. The name is the last part of an id.
    3. The name is the display name of an item.
    """
    return NameIndex(table).ids_by_first_matching_rule(name)


class NameIndex:
    """An index of the names in a table of content, for callers that look up many names.

    While the index is in use, a caller may replace an item of the table. It may not add or rename items. If
    it removes an item, it must call `forget`.

    `order` lists namespaces. If several of them have an item with the wanted name, the first one counts.
    """

    def __init__(self, table: Mapping[str, object], order: Sequence[str] = ()) -> None:
        self._table = table
        self._order = order
        self._gone: set[str] = set()

    def forget(self, id: str) -> None:
        """Note that the item with this id was removed: no name means it any more."""
        self._gone.add(id)

    def ids_in_first_namespace(self, name: str) -> list[str]:
        """Return the ids that a name may mean in the first namespace that has the name.

        The campaign's own namespace comes first, then the namespaces in `order`. If none of these has the
        name, return every id that it may mean.
        """
        found = self.ids_by_first_matching_rule(name)
        for first in ("", *self._order) if len(found) > 1 else ():
            if of_first := [each for each in found if each.rpartition(":")[0] == first]:
                return of_first
        return found

    def ids_by_first_matching_rule(self, name: str) -> list[str]:
        """Return every full id that a name may mean, by the rules of `ids_by_first_matching_rule`."""
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


def _group_by_word(pairs: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for word, key in pairs:
        found.setdefault(word, []).append(key)
    return found


def singular_of_kind(kind: str) -> str:
    """Return the singular of a kind of content: "status" for "statuses"."""
    if kind.endswith("ies"):
        return f"{kind[:-3]}y".replace("_", " ")
    return "status" if kind == "statuses" else kind[:-1].replace("_", " ")
