"""Reads lines in which names of several words have no quotes.

All ways to divide the words among the parameters are tried. If two of these ways make sense, the user has to
choose one of them by adding quotes.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from inspect import Parameter
from typing import TYPE_CHECKING, NamedTuple, get_args

import typer

from ..problems import Refused, Usage
from .commands_and_options import Metavar

if TYPE_CHECKING:
    from .commands_and_options import TypedWords


ACTOR_WORD = "."
"""The word for the acting person."""
MOST_SPLIT_WORDS = 8
"""The most words in which names are looked for: a longer list needs quotes."""
MOST_IN_NAME = 6
"""The most words of a name."""


class TwoReadings(Usage):
    """Raised for words that can be read in two ways, so that the user has to add quotes."""

    def __init__(self, words: str, readings: Iterable[str], how: str = "") -> None:
        told = f"{words!r} can be read as {' or as '.join(readings)}."
        super().__init__(told, f"Put quotes around a name{how}.")
        self.words_known = len(words.split())


ParseWords = Callable[[Mapping[str, object], "dict[str, object]"], object]
"""A function that parses words by parameter and stores the meaning of each; it raises a Problem."""


class JoinedWords(str):
    """Several typed words that are read as one name or text."""


def as_joined_words(words: Sequence[str]) -> str:
    """Return several words as one `JoinedWords`; a single word is unchanged."""
    return words[0] if len(words) == 1 else JoinedWords(" ".join(words))


def ways_to_split(words: Sequence[str]) -> Iterator[list[str]]:
    """Yield every way to divide words into names of at most MOST_IN_NAME words."""
    if not words:
        yield []
    for place in range(1, min(len(words), MOST_IN_NAME) + 1):
        for rest in ways_to_split(words[place:]):
            yield [as_joined_words(words[:place]), *rest]


def possible_names(words: Sequence[str]) -> set[str]:
    """Return the names that consecutive words could form. A name has at most MOST_IN_NAME words."""
    ends = range(1, len(words) + 1)
    return {as_joined_words(words[a:b]) for b in ends for a in range(max(b - MOST_IN_NAME, 0), b)}


def meanings_of_unquoted_names(parse: Callable[[str], object], words: Sequence[str]) -> list[object]:
    """Return the meanings of typed names, of which each has one word or several.

    `parse` returns the meaning of a name, or raises Usage for an unknown name. The words are divided into
    names that `parse` knows. If they can be divided in two ways with different meanings, raise TwoReadings.
    If they can't be divided, raise the error of `parse` for an unknown word.
    """
    if not 1 < len(words) <= MOST_SPLIT_WORDS:
        return [parse(word) for word in words]
    found: dict[tuple[object, ...], list[str]] = {}
    known: dict[str, object] = {}
    for name in possible_names(words):
        with suppress(Usage):
            known[name] = parse(name)
    for parts in ways_to_split(words):
        meant = tuple(known.get(part) for part in parts)
        if not any(one is None or isinstance(one, JoinedWords) for one in meant):
            found.setdefault(meant, parts)
    once = {meant: parts for meant, parts in found.items() if len({*map(str, meant)}) == len(meant)} or found
    if len(once) > 1:
        raise TwoReadings(" ".join(words), (" and ".join(map(repr, parts)) for parts in once.values()))
    if once:
        return list(next(iter(once)))
    with adding_known_word_count_to_refusal(words, known) as rest:
        for word in rest:
            parse(word)
    return [parse(word) for word in words]


@contextmanager
def adding_known_word_count_to_refusal(
    words: Sequence[str], known: Collection[str]
) -> Iterator[Sequence[str]]:
    """Yield the words that remain when known names are removed from both ends of `words`.

    This is a context manager. If its block raises Usage, the number of removed words is stored in the error,
    as `words_known`.
    """
    count = len(words)
    while end := next((end for end in range(len(words), 0, -1) if as_joined_words(words[:end]) in known), 0):
        words = words[end:]
    while (
        words
        and (at := next((at for at in range(len(words)) if as_joined_words(words[at:]) in known), -1)) >= 0
    ):
        words = words[:at]
    try:
        yield words
    except Usage as problem:
        problem.words_known = count - len(words)
        raise


class Reading(NamedTuple):
    """One way to read a line.

    `typed` has the words for each parameter, and `meanings` has the meanings of these words.
    """

    typed: Mapping[str, object]
    meanings: Mapping[str, object]
    names: Sequence[str]
    """The parameters that are names, in order, and the options with several words in one of the readings."""
    options: Mapping[str, object]
    refusal: Usage | Refused | None = None
    """The reason why the words can't be read so; `meanings` has the words before the faulty one."""

    @property
    def meanings_of_names(self) -> tuple[str, ...]:
        """What the typed names mean in this reading, in the order of `names`."""
        return tuple(str(self.meanings.get(place)) for place in self.names)

    @property
    def extra_name_word_count(self) -> int:
        """How many words the names in the reading have, without the first word of each name."""
        return sum(str(self.typed.get(place) or "").count(" ") for place in self.names)

    @property
    def amount_understood(self) -> tuple[int, ...]:
        """How much of the line was understood, for comparing readings; a greater value means more.

        It consists of the number of words in known names, the number of parameters that were read, and
        whether the actor is left out.
        """
        known = [self.typed[name] for name in self.names if name in self.meanings]
        several = [str(one) for value in known for one in (value if isinstance(value, list) else [value])]
        words = sum(len(one.split()) for one in several if one not in ("None", ACTOR_WORD))
        words += self.refusal.words_known if isinstance(self.refusal, Usage) else 0
        return words, len(self.meanings), ACTOR_WORD in self.typed.values()

    @property
    def has_unknown_joined_name(self) -> bool:
        """Whether the reading has a name of several words that isn't known."""
        return any(isinstance(self.meanings.get(place), JoinedWords) for place in self.names)

    @property
    def names_each_person_once_at_most(self) -> bool:
        """Whether no person is named twice."""
        several = [str(one) for many in self.meanings.values() if isinstance(many, list) for one in many]
        named = [one for one in (*self.meanings_of_names, *several) if one != "None"]
        return len({*named}) == len(named)

    def is_unknown_text_of_words(self, parameter: str) -> bool:
        """Return whether a parameter's value is a text of several words, and not a known name."""
        typed = self.typed.get(parameter)
        return isinstance(typed, JoinedWords) and self.meanings.get(parameter) == typed

    def __str__(self) -> str:
        parts = (each if isinstance(each, list) else [each] for each in self.typed.values())
        words = (str(word) for part in parts for word in part if word not in (None, "", ACTOR_WORD))
        return " and ".join(map(repr, words))


def may_have_other_reading(
    parameters: Sequence[Parameter],
    parsed_parameters: Collection[str],
    words: Mapping[str, object],
    args: Mapping[str, object],
) -> bool:
    """Return whether a line that could be parsed may have another reading.

    It may if a person is named twice. It may also if a text of several words follows a name: some of the
    text's words may belong to the name.
    """
    people: list[str] = []
    for each in parameters:
        value = args.get(each.name) if each.name in parsed_parameters else None
        if isinstance(value, list):
            people += map(str, value)
        elif value and is_argument_taking_campaign_name(each):
            people.append(str(value))
    if len({*people}) < len(people):
        return True
    text = words.get(parameters[-1].name) if people and takes_several_words(parameters[-1]) else None
    return isinstance(text, list) and len(text) > 1 and parameters[-1].name not in parsed_parameters


def only_reading_or_best_refused(
    parameters: Sequence[Parameter],
    parsed_names: Collection[str],
    line: TypedWords,
    longer_lines: Sequence[TypedWords],
    parse: ParseWords,
    *,
    may_omit_actor: bool,
    as_typed: bool,
) -> Reading | None:
    """Return the reading of a typed line that makes sense.

    Names of several words needn't be quoted in the line, so it may have several readings.

    If no reading makes sense, the most complete of the refused ones is returned. If there is none, the result
    is None.

    Args:
        parameters: The parameters of the command.
        parsed_names: The names of the parameters that have a parser.
        line: The line as typed.
        longer_lines: Variants of the line in which the value of an option has more words.
        parse: Parses the words of a reading.
        may_omit_actor: The actor may be left out.
        as_typed: The line can be parsed as typed. Then readings that name a person twice don't count.

    Raises:
        TwoReadings: Two or more readings make sense.
    """
    named = parsed_parameters_that_take_names(parameters, parsed_names)
    lines = [line, *longer_lines] if named else longer_lines
    named += dict.fromkeys(each.longer_option for each in longer_lines)
    free = [each.name for each in parameters[:-1] if each.name not in named]  # never joined
    every = [
        each
        for one in lines
        for each in _readings_and_refusals_of_line(
            parameters, one, parse, named, may_omit_actor=may_omit_actor
        )
    ]
    found = [
        each
        for each in every
        if not (each.refusal or each.has_unknown_joined_name or any(map(each.is_unknown_text_of_words, free)))
    ]
    found = [each for each in found if each.names_each_person_once_at_most] or ([] if as_typed else found)
    texts = {place for each in found for place in named if each.is_unknown_text_of_words(place)}
    longest: dict[tuple[str, ...], Reading] = {}
    for each in found:  # text may follow a name: the name takes as many words as it can
        one = each._replace(names=[place for place in named if place not in texts])
        if (
            best := longest.get(one.meanings_of_names)
        ) is None or one.extra_name_word_count > best.extra_name_word_count:
            longest[one.meanings_of_names] = one
    if len(longest) > 1:
        raise TwoReadings(" ".join(line.words), map(str, longest.values()))
    if longest:
        return next(iter(longest.values()))
    refused = [each for each in every if each.refusal]
    return max(refused, key=lambda each: each.amount_understood, default=None)


def parsed_parameters_that_take_names(
    parameters: Iterable[Parameter], parsed_names: Collection[str]
) -> list[str]:
    """Return the parameters that take a name from the campaign, as a list of their own names.

    Only parameters in `parsed_names` count: these are the names of the parameters that have a parser.
    """
    return [
        each.name
        for each in parameters
        if is_argument_taking_campaign_name(each) and each.name in parsed_names
    ]


def _readings_and_refusals_of_line(
    parameters: Sequence[Parameter],
    line: TypedWords,
    parse: ParseWords,
    named: Sequence[str],
    *,
    may_omit_actor: bool,
) -> Iterator[Reading]:
    """Yield every reading of a line; with `may_omit_actor`, also those with the actor left out."""
    told = {name: line.options[name] for name in named if name in line.options}
    for start in [[], [ACTOR_WORD]] if may_omit_actor else [[]]:
        for typed in _ways_to_assign_words([*start, *line.words], parameters, line.convert_word):
            refusal, meant = None, dict[str, object]()
            try:
                parse({**line.options, **typed}, meant)
            except (Usage, Refused) as problem:
                refusal = problem
            yield Reading({**typed, **told}, meant, named, line.options, refusal)


def takes_several_words(parameter: Parameter) -> bool:
    """Return whether a parameter takes a list of words."""
    return "list" in str(get_args(parameter.annotation)[0])


def is_argument(parameter: Parameter) -> bool:
    """Return whether a parameter is an argument and not an option."""
    more = get_args(parameter.annotation)[1:]
    return any(isinstance(each, typer.models.ArgumentInfo) for each in more)


def is_argument_taking_campaign_name(parameter: Parameter) -> bool:
    """Return whether a parameter takes a name of the campaign, which may have several words."""
    infos = (each for each in get_args(parameter.annotation) if isinstance(each, typer.models.ArgumentInfo))
    info = next(infos, None)
    return info is not None and isinstance(info.metavar, Metavar) and info.metavar.names is not None


def _ways_to_assign_words(
    words: Sequence[str], parameters: Sequence[Parameter], convert_word: Callable[[str, str], object]
) -> Iterator[dict[str, object]]:
    """Yield the ways to divide typed words among parameters.

    Each way is a dict with a value for each parameter, by the parameter's name. If a value can't be converted
    to its parameter's type, that way is left out.
    """
    if not parameters:
        if not words:
            yield {}
        return
    place, *rest = parameters
    unsaid = place.default
    least = 1 if unsaid is Parameter.empty or words else 0
    most = len(words) if takes_several_words(place) or not rest else min(len(words), MOST_IN_NAME)
    for count in range(least, most + 1):
        value: object = None if unsaid is Parameter.empty else unsaid
        try:
            if count and takes_several_words(place):
                value = list(words[:count])
            elif count:
                value = convert_word(place.name, as_joined_words(words[:count]))
        except typer.TyperException:
            continue
        for others in _ways_to_assign_words(words[count:], rest, convert_word):
            yield {place.name: value, **others}
