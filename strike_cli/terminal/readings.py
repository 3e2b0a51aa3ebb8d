"""Readings of a line whose names have several words and no quotes.

A line means what every one of its parts can be read as. Where that are two things, whoever typed it is asked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from inspect import Parameter
from typing import TYPE_CHECKING, NamedTuple, get_args

import typer

from ..problems import Refused, Usage
from .declare import THE_ACTIVE, Call, Declared, TwoReadings, arguments, is_argument, takes_many
from .options import Noun

if TYPE_CHECKING:
    from .options import TypedWords

MOST_WORDS = 8
"""Words that names are looked for in: a longer list wants quotes."""
MOST_IN_NAME = 5
"""Words of a name."""


class Joined(str):
    """Several typed words, as one name or text."""


def joined(words: Sequence[str]) -> str:
    """Return words as one; a single one as it is."""
    return words[0] if len(words) == 1 else Joined(" ".join(words))


def splits(words: Sequence[str]) -> Iterator[list[str]]:
    """Yield the words joined in every way into names."""
    if not words:
        yield []
    for place in range(1, min(len(words), MOST_IN_NAME) + 1):
        for rest in splits(words[place:]):
            yield [joined(words[:place]), *rest]


def spans(words: Sequence[str]) -> set[str]:
    """Return every name that some of the words, one after the other, may be."""
    ends = range(1, len(words) + 1)
    return {joined(words[a:b]) for b in ends for a in range(max(b - MOST_IN_NAME, 0), b)}


def names_of(read: Callable[[str], object], words: Sequence[str]) -> list[object]:
    """Return what a list of names means, each of one word or several.

    Raises what `read` raises where a word is no name's, and TwoReadings where they may be two lists.
    """
    if not 1 < len(words) <= MOST_WORDS:
        return [read(word) for word in words]
    found: dict[tuple[object, ...], list[str]] = {}
    known: dict[str, object] = {}
    for name in spans(words):
        with suppress(Usage):
            known[name] = read(name)
    for parts in splits(words):
        meant = tuple(known.get(part) for part in parts)
        if not any(one is None or isinstance(one, Joined) for one in meant):
            found.setdefault(meant, parts)
    once = {meant: parts for meant, parts in found.items() if len({*map(str, meant)}) == len(meant)} or found
    if len(once) > 1:
        raise TwoReadings(" ".join(words), (" and ".join(map(repr, parts)) for parts in once.values()))
    if once:
        return list(next(iter(once)))
    at = 0  # behind the last name: what stands there is refused
    while end := next((end for end in range(len(words), at, -1) if joined(words[at:end]) in known), 0):
        at = end
    for word in words[at:]:
        read(word)
    return [read(word) for word in words]


class Reading(NamedTuple):
    """One way to read a line: the words in the places of its arguments, and what those mean."""

    typed: Mapping[str, object]
    meant: Mapping[str, object]
    names: Sequence[str]
    """The places of names, in their order."""

    @property
    def people(self) -> tuple[str, ...]:
        """What stands in the places of names."""
        return tuple(str(self.meant.get(place)) for place in self.names)

    @property
    def length(self) -> int:
        """The words that its names have."""
        return sum(str(self.typed.get(place) or "").count(" ") for place in self.names)

    @property
    def is_sound(self) -> bool:
        """Whether nobody stands in two places, and each name of several words is somebody's."""
        several = [str(one) for many in self.meant.values() if isinstance(many, list) for one in many]
        named = [one for one in (*self.people, *several) if one != "None"]
        return len({*named}) == len(named) and not any(
            isinstance(self.meant.get(place), Joined) for place in self.names
        )

    def is_text(self, place: str) -> bool:
        """Return whether several words there mean nothing but themselves."""
        typed = self.typed.get(place)
        return isinstance(typed, Joined) and self.meant.get(place) == typed

    def __str__(self) -> str:
        parts = (each if isinstance(each, list) else [each] for each in self.typed.values())
        words = (str(word) for part in parts for word in part if word not in (None, "", THE_ACTIVE))
        return " and ".join(map(repr, words))


def doubted(declared: Declared, words: Mapping[str, object], args: Mapping[str, object]) -> bool:
    """Return whether a line that can be read as it is typed may mean something else.

    Somebody stands in two places, or text follows a name that may have more words.
    """
    places = [each for each in declared.parameters if is_argument(each)]
    people: list[str] = []
    for each in places:
        value = args.get(each.name) if each.name in declared.readers else None
        if isinstance(value, list):
            people += map(str, value)
        elif value and is_name(each):
            people.append(str(value))
    last = places[-1].name if places else ""
    text = bool(people) and takes_many(declared, last) and last not in declared.readers
    return len({*people}) < len(people) or (text and len(words.get(last) or ()) > 1)  # type: ignore[arg-type]  # a list of words


def reading_of(call: Call, declared: Declared, line: TypedWords) -> Mapping[str, object] | None:
    """Return the words of a line by the arguments that they are, None where it can't be read.

    Raises TwoReadings where it may mean two things.
    """
    named = [each.name for each in declared.parameters if is_name(each) and each.name in declared.readers]
    found = list(_readings(call, declared, line, named)) if named else []
    found = [each for each in found if each.is_sound] or found[:1]
    texts = {place for each in found for place in named if each.is_text(place)}
    longest: dict[tuple[str, ...], Reading] = {}
    for each in found:  # what follows a name is text: the name takes all words that it has
        read = each._replace(names=[place for place in named if place not in texts])
        if (best := longest.get(read.people)) is None or read.length > best.length:
            longest[read.people] = read
    if len(longest) > 1:
        raise TwoReadings(" ".join(line.words), map(str, longest.values()))
    return {**line.options, **next(iter(longest.values())).typed} if longest else None


def _readings(call: Call, declared: Declared, line: TypedWords, named: Sequence[str]) -> Iterator[Reading]:
    """Yield every way to read a line, also with the acting person left out in their turn.

    Raises TwoReadings where there is none, and a list in it may be two.
    """
    places = [each for each in declared.parameters if is_argument(each)]
    reader = declared.readers.get(declared.actor)
    acts = bool(reader and reader.whose_turn and call.campaign and reader.whose_turn(call.campaign))
    ambiguous, found = None, False
    for start in [[], [THE_ACTIVE]] if acts else [[]]:
        for typed in _ways([*start, *line.words], places, partial(takes_many, declared), line.cast):
            tried = Call(call.options, call.campaign, {}, call.played)
            try:
                arguments(tried, declared, {**line.options, **typed})
            except TwoReadings as problem:
                ambiguous = ambiguous or problem
            except (Usage, Refused):
                continue
            else:
                found = True
                yield Reading(typed, tried.typed, named)
    if ambiguous and not found:
        raise ambiguous


def is_name(parameter: Parameter) -> bool:
    """Return whether a word of a command is one of the campaign's names, which may have several words."""
    infos = (each for each in get_args(parameter.annotation) if isinstance(each, typer.models.ArgumentInfo))
    info = next(infos, None)
    return info is not None and isinstance(info.metavar, Noun) and info.metavar.names is not None


def _ways(
    words: Sequence[str],
    places: Sequence[Parameter],
    many: Callable[[str], bool],
    cast: Callable[[str, str], object],
) -> Iterator[dict[str, object]]:
    """Yield the words in the places of arguments, in every way that fits."""
    if not places:
        if not words:
            yield {}
        return
    place, *rest = places
    unsaid = place.default
    least = 1 if unsaid is Parameter.empty or words else 0
    most = len(words) if many(place.name) or not rest else min(len(words), MOST_IN_NAME)
    for count in range(least, most + 1):
        value: object = None if unsaid is Parameter.empty else unsaid
        try:
            if count and many(place.name):
                value = list(words[:count])
            elif count:
                value = cast(place.name, joined(words[:count]))
        except typer.TyperException:
            continue
        for others in _ways(words[count:], rest, many, cast):
            yield {place.name: value, **others}
