"""The files of scenes: Markdown files in the folder `scenes`.

A file may begin with a head: TOML between two lines of `+++`. This module reads heads, passages and links,
and writes nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from strike_cli.file_faults import Place
from strike_cli.tabletop.characters_and_names import sentence_case_from_stem, slug
from strike_cli.untrusted_input import FileFormat, line_of_deepest_key_found, parse_toml
from strike_cli.validation import can_be_id

FENCE = "+++"
NEEDED_KINDS = ("people", "tables", "clocks", "handouts")
"""The keys of a scene that name things it needs, besides what it begins."""

ALOUD, SECRET, TEXT, HEADING = "aloud", "secret", "text", "heading"
_HEADING = re.compile(r"(#{1,6})\s+(.*?)\s*#*$")
_CALLOUT = re.compile(r"\[!([\w-]+)\][+-]?\s*(.*)$")
_SECRET_CALLOUTS = ("secret", "secrets", "gm", "hidden")
_CODE = re.compile(r"\s*(```|~~~)")
_LINK = re.compile(
    r"(!?)\[\[([^\[\]|#]*)(?:#[^\[\]|]*)?(?:\|([^\[\]]*))?\]\]|(!?)\[([^\[\]]*)\]\(\s*<?([^()<>\s]*)>?[^()]*\)"
)
_CODE_SPAN = re.compile(r"`[^`]*`")
_ELSEWHERE = re.compile(r"[a-z][a-z0-9+.-]*:", re.IGNORECASE)
"""The beginning of a link out of the campaign: https:, mailto:, obsidian:."""


LONGEST_PASSAGE = 20_000
"""The most characters of a passage in which markup is looked for: a longer one is no prose."""


class Passage(NamedTuple):
    """A passage of a scene: successive lines of one `kind`.

    `kind` is ALOUD for text to read aloud, SECRET for text for the game master alone, HEADING for a heading,
    and TEXT for anything else. `line` is the number of the first line, counted from 1.
    """

    kind: str
    line: int
    text: str


class Link(NamedTuple):
    """A link in a scene's file: its target, whether it is a picture, and its line."""

    target: str
    picture: bool
    line: int


class FrontMatter(NamedTuple):
    """The head of a scene's file: the TOML between the lines of `+++`, and the first line below it (`body`).

    Lines are counted from 1.
    """

    toml: str
    body: int


def unparsed_front_matter_of(lines: Sequence[str]) -> FrontMatter:
    """Return the TOML head of a scene's file; an empty head if the file has none.

    Raises ValueError, with the line, if the head is YAML (between `---`) or isn't closed.
    """
    first = lines[0].strip() if lines else ""
    if first == "---":
        raise ValueError(f"line 1: the head of a scene is TOML, between lines of {FENCE}, and not YAML")
    if first != FENCE:
        return FrontMatter("", 1)
    for number, line in enumerate(lines[1:], 2):
        if line.strip() == FENCE:
            return FrontMatter("\n".join(lines[1 : number - 1]), number + 1)
    raise ValueError(f"line 1: the head that begins with {FENCE} has no end; put {FENCE} below it")


def _content_from_scene_head(text: str, stem: str) -> dict[str, object]:
    lines = text.splitlines()
    head = unparsed_front_matter_of(lines)
    try:
        item = parse_toml(head.toml.encode())
    except ValueError as error:
        from strike_cli.broken_toml import split_error_and_line

        what, line = split_error_and_line(error)
        # The head begins on the file's second line.
        remedy = "fix that line" if line or what != str(error) else "fix the head above the scene"
        raise ValueError(f"line {(line or 1) + 1}: {what}; {remedy}") from None
    id = slug(stem)
    if not can_be_id(id):
        raise ValueError(f"line 1: the file's name {stem!r} is not an id: it needs letters and digits")
    heading = next((found[2] for line in lines[head.body - 1 :] if (found := _HEADING.match(line))), "")
    return {"scenes": {id: {"name": heading or sentence_case_from_stem(stem), **item}}}


def _line_of_place(text: str, stem: str, place: Place) -> int | None:
    """Return the line of a key in a scene's file. `place` is its place, such as `scenes.ID.music`.

    If the key isn't in the front matter of the file, return 1. Return None for a place outside scenes.
    """
    kind, *keys = place.names()
    if kind != "scenes":
        return None
    keys = keys[1:]
    found = (
        line_of_deepest_key_found(unparsed_front_matter_of(text.splitlines()).toml, keys) if keys else None
    )
    return found + 1 if found else 1


SCENES = FileFormat(read=_content_from_scene_head, line_of=_line_of_place)


def passages_of(text: str) -> list[Passage]:
    """Return the passages of a scene below its head.

    A quote (`>`) is text to read aloud; a quote that begins with `[!secret]` is for the game master alone.
    """
    lines = text.splitlines()
    first = unparsed_front_matter_of(lines).body
    return [passage for passage in _possibly_empty_passages_from(lines, first) if passage.text]


def _possibly_empty_passages_from(lines: Sequence[str], first_line_read: int) -> Iterator[Passage]:
    kind, begin, said = TEXT, first_line_read, list[str]()
    fenced = quoted = False
    for number, line in enumerate(lines[first_line_read - 1 :], first_line_read):
        fenced ^= bool(_CODE.match(line))
        now, words = _kind_and_words_of_line(line) if not fenced else (TEXT, line.rstrip())
        if now == ALOUD and quoted:
            now = kind  # a quote goes on as it began
        quoted = now in (ALOUD, SECRET)
        if now != kind or now == HEADING or (not words and now == TEXT):
            yield Passage(kind, begin, "\n".join(said).strip("\n"))
            kind, begin, said = now, number, []
        if words or said:
            said.append(words)
    yield Passage(kind, begin, "\n".join(said).strip("\n"))


def _kind_and_words_of_line(line: str) -> tuple[str, str]:
    """Return the kind and the words of one line of a scene: heading, text, text to read aloud, or secret.

    The words are without the sign that shows the kind, such as `>`.
    """
    if found := _HEADING.match(line):
        return HEADING, found[2]
    if not line.lstrip().startswith(">"):
        return TEXT, line.rstrip()
    words = re.sub(r"^\s*>\s?", "", line).rstrip()
    if callout := _CALLOUT.match(words):
        return (SECRET if callout[1].lower() in _SECRET_CALLOUTS else ALOUD), callout[2]
    return ALOUD, words


def non_web_links_in(text: str) -> Iterator[Link]:
    """Yield the links of a scene to places in the campaign.

    Web addresses and links in code are left out.
    """
    lines = text.splitlines()
    first, fenced = unparsed_front_matter_of(lines).body, False
    for number, line in enumerate(lines[first - 1 :], first):
        fenced ^= bool(_CODE.match(line))
        for found in _LINK.finditer(_CODE_SPAN.sub("", line)) if not fenced else ():
            picture, target = (found[1], found[2]) if found[2] is not None else (found[4], found[6])
            target = target.partition("#")[0].strip().replace("%20", " ")
            if target and not _ELSEWHERE.match(target):
                yield Link(target, bool(picture), number)


def without_inline_markdown(text: str) -> str:
    """Return a text without its Markdown.

    A link is replaced by its words. The signs for bold, italics and code are removed. A text of more than
    LONGEST_PASSAGE characters is returned unchanged.
    """

    def link_words(match: re.Match[str]) -> str:
        wiki = match[2] is not None
        said = (match[3] or match[2].rpartition("/")[2]) if wiki else (match[5] or match[6])
        return f"(picture: {said})" if match[1] or match[4] else said

    if len(text) > LONGEST_PASSAGE:
        return text
    text = _LINK.sub(link_words, text)
    text = re.sub(r"(\*\*|__)(?=\S)(.+?)(?<=\S)\1", r"\2", text)
    text = re.sub(r"(?<![\w*])\*(?=\S)([^*\n]+?)(?<=\S)\*(?!\w)", r"\1", text)
    text = re.sub(r"(?<!\w)_(?=\S)([^_\n]+?)(?<=\S)_(?!\w)", r"\1", text)
    return re.sub(r"`([^`\n]+)`", r"\1", text)
