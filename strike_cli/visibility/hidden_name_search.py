"""The search of free text for names that are secret from players.

Only this module searches words. For facts and decisions, fields say which people they are about.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

from ..tabletop.scene import Board


class HiddenNameSearch(NamedTuple):
    """A search of texts for secret names, and for names of squares in the fog.

    `name_pattern` matches secret names; it is None if no name is secret. A name that everybody knows may
    contain a secret name. To leave it out, the pattern matches the whole known name in the group `open`.
    `fogged` has the maps with fog.
    """

    name_pattern: re.Pattern[str] | None
    fogged: Sequence[Board] = ()

    @property
    def is_empty(self) -> bool:
        """Whether nothing can be found: no name is secret, and no map has fog."""
        return self.name_pattern is None and not self.fogged

    def finds_in(self, *values: object) -> bool:
        """Return whether any text in these values contains a secret name, or names a square in fog.

        Texts inside lists and tables are searched, too.
        """
        return not self.is_empty and any(
            (
                self.name_pattern is not None
                and any(found.lastgroup is None for found in self.name_pattern.finditer(text))
            )
            or any(_names_square_in_fog(text, board) for board in self.fogged)
            for text in _texts_in_values(values)
        )

    def is_square_in_fog(self, square: str) -> bool:
        """Return whether the square with this name is in the fog."""
        return any(_names_square_in_fog(square, board) for board in self.fogged)


_SQUARE = re.compile(r"(?<![\w-])[A-Z]{1,2}[1-9][0-9]{0,2}(?![\w-])")


def _names_square_in_fog(text: str, board: Board) -> bool:
    """Return whether a text names a square of `board` that the party has not seen."""
    from ..tabletop.squares_and_lines import parse_square

    seen, rows = board.seen or frozenset(), board.rows
    named = map(parse_square, _SQUARE.findall(text))
    return any(y < len(rows) and x < len(rows[y]) and (x, y) not in seen for x, y in named)


def make_hidden_name_search(
    hidden_people: Mapping[str, str],
    secret_zones: Mapping[str, str],
    names_in_sight: Collection[str],
    fogged_maps: Sequence[Board] = (),
    open_zones: Collection[str] = (),
) -> HiddenNameSearch:
    """Return the search for names of hidden people and secret zones, and for squares in the fog.

    Args:
        hidden_people: The names of hidden people, by id.
        secret_zones: The names of secret zones, by id.
        names_in_sight: The names of everybody in sight.
        fogged_maps: The maps with fog.
        open_zones: The names of zones that players see. A secret zone of the same name isn't searched for by
            this name.
    """
    return HiddenNameSearch(
        _hidden_name_pattern(hidden_people, secret_zones, names_in_sight, open_zones), fogged_maps
    )


def _hidden_name_pattern(
    hidden: Mapping[str, str], zones: Mapping[str, str], seen: Collection[str], open_zones: Collection[str]
) -> re.Pattern[str] | None:
    """Return a pattern that finds names and ids of hidden people and secret zones in a text.

    Return None if there is nothing to find. Where the name of somebody whom players see contains a hidden
    name, the group `open` matches the whole name.
    """
    if not hidden and not zones:
        return None
    shared = {name.lower() for name in open_zones}
    kept = {word.lower() for pair in zones.items() for word in pair} - shared
    kept.update(
        word.lower()
        for person, name in hidden.items()
        for word in _names_and_id_giving_away(person, name, seen)
    )
    kept.discard("")
    if not kept:
        return None
    # Who sees Pit Moth Linden has not heard of the other one, who is called Pit Moth.
    longer = {name.lower() for name in seen if any(word in name.lower() for word in kept)} - kept
    shown = f"(?P<open>{_alternatives(longer)})|" if longer else ""
    return re.compile(rf"(?<![\w-])(?:{shown}(?:{_alternatives(kept)}))(?:e?s)?(?![\w-])", re.IGNORECASE)


def _alternatives(words: Iterable[str]) -> str:
    return "|".join(sorted(map(re.escape, words), key=lambda word: (-len(word), word)))


def _names_and_id_giving_away(person: str, name: str, seen: Iterable[str]) -> list[str]:
    """Return the names that give a person away: the id, the name, and the name without its number.

    The name without its number is left out if somebody in sight shares it.
    """
    kind = re.sub(r"\s+\d+$", "", name)
    shared = any(re.sub(r"\s+\d+$", "", other) == kind for other in seen)
    return [person, name] if shared else [person, name, kind]


def _texts_in_values(value: object) -> Iterable[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for inner in value.values():
            yield from _texts_in_values(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from _texts_in_values(inner)
