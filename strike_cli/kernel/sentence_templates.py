"""Sentence templates: texts in which the fields of a statement stand in braces.

    {who} takes {amount} damage from {cause}[: {hp.before} to {hp.after} HP].

A template is compiled to a function when it is first used.

- `{who}`: the field in words. `{hp.after}`: a part of the field. `{who's}`: the possessive, such as Vex's.
- `{n:box|boxes}`: one word or the other, depending on a number or on a list's length.
- `{by:?by hand|by itself}`: the first words if the field is true or present, otherwise the second words.
  `{beats:? and beats it}` has no second words.
- `{result:critical=a critical hit|miss=a miss|a hit}`: the words for the field's value. Words without `=` are
  for any other value.
- `{mod:+}`: a number with its sign. `{power:a}`: with its article. `{side:cap}`: with a capital.
- `{names:or}` `{names:and}`: a list with that word before the last item. `{names:list}`: a list with commas.
- `[ ({reasons})]`: an optional part. It is left out if a field that it prints is empty, or if the audience
  may not know one of its fields.

An empty field prints nothing. If the audience may not know a field outside brackets, there is no sentence:
the result is None. The words in a choice may contain fields themselves. A template can't contain literal
braces or brackets.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Sized
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .statements import AnyFieldType, Speaker, Statement

CompiledTemplate = Callable[["Statement", "Speaker"], "str | None"]
"""A template after it was compiled: returns words, or None if the audience may not know a part of them."""

WordsFunction = Callable[["Statement", "Speaker"], "str | None"]


class TemplateFault(ValueError):
    """The error for a template that can't be parsed, or names a field that its statement doesn't have."""


def compile_template(
    template: str, fields: Mapping[str, AnyFieldType], literal: Callable[[str], str] = str
) -> CompiledTemplate:
    """Compile a template to a function that returns its words for a statement and an audience.

    `fields` has the sort of each field of the statement; `literal` translates the words between fields.
    Raises TemplateFault if the template can't be parsed, or names an unknown field.
    """
    return _Parser(template, fields, literal).parse_until("")


def field_names_in(template: str, fields: Mapping[str, AnyFieldType]) -> set[str]:
    """Return the names of the fields that a template uses."""
    parser = _Parser(template, fields)
    parser.parse_until("")
    return parser.named


class _Parser:
    """The parser of one template, from left to right."""

    def __init__(
        self, text: str, fields: Mapping[str, AnyFieldType], literal: Callable[[str], str] = str
    ) -> None:
        self.text = text
        self.literal = literal
        self.fields = fields
        self.at = 0
        self.named: set[str] = set()

    def make_fault(self, what: str) -> TemplateFault:
        return TemplateFault(f"{self.text!r}: {what}")

    def parse_until(self, end_characters: str) -> CompiledTemplate:
        """Parse a part of a template, and return a function that prints this part.

        The part ends before the first of the characters in `end_characters`, or at the template's end.
        """
        parts: list[str | tuple[bool, WordsFunction]] = []
        words = ""
        while self.at < len(self.text):
            char = self.text[self.at]
            if char in end_characters:
                break
            if char not in "{[":
                if char in "}]":
                    raise self.make_fault(f"{char} closes nothing")
                words, self.at = words + char, self.at + 1
                continue
            if words:
                parts.append(self.literal(words))
                words = ""
            self.at += 1
            parts.append(
                self._parse_field_and_if_printed() if char == "{" else (False, self._parse_optional())
            )
        if words:
            parts.append(self.literal(words))
        return _join_parts(parts)

    def _parse_optional(self) -> WordsFunction:
        inner = self.parse_until("]")
        self._expect("]")
        plain: CompiledTemplate = getattr(inner, "or_nothing", inner)

        def words_or_empty(statement: Statement, speaker: Speaker) -> str | None:
            return plain(statement, speaker) or ""

        return words_or_empty

    def _expect(self, char: str) -> None:
        if self.at >= len(self.text) or self.text[self.at] != char:
            raise self.make_fault(f"{char} is missing")
        self.at += 1

    def _parse_field_and_if_printed(self) -> tuple[bool, WordsFunction]:
        """Parse a field in braces, such as `{who}`.

        Return whether the field's own value is printed, and the function that returns the words. The value
        isn't printed if the field only chooses between other words, as in `{n:box|boxes}`.
        """
        begin = self.at
        while self.at < len(self.text) and self.text[self.at] not in ":}":
            self.at += 1
        path = self.text[begin : self.at]
        possessive = path.endswith("'s")
        name, _, part = path.removesuffix("'s").partition(".")
        if name not in self.fields:
            raise self.make_fault(f"there is no field {name!r}; there are {', '.join(self.fields)}")
        self.named.add(name)
        read = _Field(name, part, self.fields[name])
        if self.at < len(self.text) and self.text[self.at] == ":":
            self.at += 1
            said, slot = self._parse_choice(read)
        else:
            said, slot = True, read.possessive if possessive else read.words
        self._expect("}")
        return said, slot

    def _parse_choice(self, read: _Field) -> tuple[bool, WordsFunction]:
        if self.text.startswith("?", self.at):
            self.at += 1
            arms = self._parse_arms()
            return False, read.choose_by_truth(arms[0][1], arms[1][1] if len(arms) > 1 else None)
        for form in ("+", "a", "or", "and", "list", "cap"):
            if self.text.startswith(form + "}", self.at):
                self.at += len(form)
                return True, read.in_form(form)
        arms = self._parse_arms()
        if any(value is not None for value, _ in arms):
            return False, read.choose_by_value(arms)
        if len(arms) != 2:
            raise self.make_fault(f"{{{read.name}:...}} needs two words, like box|boxes")
        return False, read.choose_by_number(arms[0][1], arms[1][1])

    def _parse_arms(self) -> list[tuple[str | None, CompiledTemplate]]:
        """Parse the choices of a field, which are separated by `|`, and return each with its value.

        `a=words` is the choice for the value `a`. A choice without a value is returned with None. What it is
        for depends on the form:

        - In `a=words|b=words|words`, it is for any other value.
        - In `box|boxes`, the two choices are the singular and the plural.
        - In `?yes|no`, they are for true and false. The caller has already read the `?`.
        """
        arms = []
        while True:
            value, begin = None, self.at
            end = begin
            while end < len(self.text) and (self.text[end].isalnum() or self.text[end] in "-_"):
                end += 1
            if end > begin and self.text[end : end + 1] == "=":
                value, self.at = self.text[begin:end], end + 1
            arms.append((value, self.parse_until("|}")))
            if self.at >= len(self.text) or self.text[self.at] != "|":
                return arms
            self.at += 1


def _join_parts(parts: Sequence[str | tuple[bool, WordsFunction]]) -> CompiledTemplate:
    """Return a function that joins the parts of a template into one text.

    A part is fixed text or a field. If the words of any field are None, the function returns None.

    If the template has fields, the function has an attribute `join_words_unless_field_empty`. This is a
    second function. It returns None also if the words of a printed field are empty.
    """
    if all(isinstance(part, str) for part in parts):
        whole = "".join(part for part in parts if isinstance(part, str))
        return lambda statement, speaker: whole

    form = "".join(part.replace("%", "%%") if isinstance(part, str) else "%s" for part in parts)
    fields = [part for part in parts if not isinstance(part, str)]
    slots = [slot for _, slot in fields]
    said = [number for number, (is_said, _) in enumerate(fields) if is_said]

    def join_words(statement: Statement, speaker: Speaker) -> str | None:
        words = [slot(statement, speaker) for slot in slots]
        return None if None in words else form % tuple(words)

    def join_words_unless_field_empty(statement: Statement, speaker: Speaker) -> str | None:
        words = [slot(statement, speaker) for slot in slots]
        return None if None in words or not all(words[each] for each in said) else form % tuple(words)

    join_words.or_nothing = join_words_unless_field_empty  # type: ignore[attr-defined]  # read by `_parse_optional`
    return join_words


class _Field:
    """A field of a statement, or a part of it, with a method for each form in which templates print it."""

    def __init__(self, name: str, part: str, sort: AnyFieldType) -> None:
        self.name = name
        self.part = part
        self.sort = sort

    def words(self, statement: Statement, speaker: Speaker) -> str | None:
        value = getattr(statement, self.name)
        if value is None:
            return ""
        if self.part:
            if not self.sort.is_known(value, statement, speaker):
                return None
            name, _, rest = self.part.partition(".")
            if hasattr(value, "field_types") and (sort := value.field_types().get(name)):
                return _Field(name, rest, sort).words(value, speaker)  # each field of a clause by itself
            part = self._stored_value(statement)
            return "" if part is None else str(part)
        return self.sort.words(value, statement, speaker)

    def _stored_value(self, statement: Statement) -> object:
        value: object = getattr(statement, self.name)
        for key in self.part.split(".") if self.part else ():
            value = getattr(value, key, None)
        return value

    def possessive(self, statement: Statement, speaker: Speaker) -> str | None:
        said = self.words(statement, speaker)
        return speaker.language.possessive(said) if said else said

    def in_form(self, form: str) -> WordsFunction:
        def formed_words(statement: Statement, speaker: Speaker) -> str | None:
            if form == "+":
                value = self._stored_value(statement)
                known = value is None or self.sort.is_known(value, statement, speaker)
                if not known or value is None:
                    return "" if known else None
                return f"{value:+d}" if isinstance(value, int) else str(value)
            if form in ("or", "and", "list"):
                language = speaker.language
                joint = {"or": language.either, "and": language.both}.get(form, ",")
                value = getattr(statement, self.name)
                return "" if value is None else self.sort.words(value, statement, speaker, joint)
            said = self.words(statement, speaker)
            if not said:
                return said
            return said[:1].upper() + said[1:] if form == "cap" else speaker.language.with_article(said)

        return formed_words

    def choose_by_truth(self, yes: CompiledTemplate, no: CompiledTemplate | None) -> WordsFunction:
        def chosen_words(statement: Statement, speaker: Speaker) -> str | None:
            value = self._known_part_of_value(statement, speaker)
            if value is not NOTHING and value:
                return yes(statement, speaker)
            return no(statement, speaker) if no else ""

        return chosen_words

    def _known_part_of_value(self, statement: Statement, speaker: Speaker) -> object:
        """Return the part of the value that the audience may know; NOTHING if it may know none of it.

        For a list, it is the items that the audience may know.
        """
        value = getattr(statement, self.name)
        if value is None:
            return None
        left = self.sort.known_part(value, statement, speaker)
        if left is None:
            return NOTHING
        return self._stored_value(statement) if self.part else left

    def choose_by_number(self, one: CompiledTemplate, several: CompiledTemplate) -> WordsFunction:
        def chosen_words(statement: Statement, speaker: Speaker) -> str | None:
            value = self._known_part_of_value(statement, speaker)
            if value is NOTHING:
                return None
            count = value if isinstance(value, int | float) else len(value) if isinstance(value, Sized) else 0
            return (one if count == 1 else several)(statement, speaker)

        return chosen_words

    def choose_by_value(self, arms: Sequence[tuple[str | None, CompiledTemplate]]) -> WordsFunction:
        by_value = {value: words for value, words in arms if value is not None}
        other = next((words for value, words in arms if value is None), None)

        def chosen_words(statement: Statement, speaker: Speaker) -> str | None:
            value = self._known_part_of_value(statement, speaker)
            if value is NOTHING:
                return None
            key = "" if value is None else str(value).lower() if isinstance(value, bool) else str(value)
            words = by_value.get(key, other)
            return words(statement, speaker) if words else ""

        return chosen_words


NOTHING = object()
"""Marks a value of which the audience may know nothing."""
