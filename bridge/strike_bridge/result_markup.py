"""A result as a short text with markup: the events, the dice, and the reasons for their count.

HTML has only the tags of TAGS, no attributes, and every text is escaped: it is safe in a chat as it is. Other
kinds of markup supply their own escaping.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from html import escape
from typing import TYPE_CHECKING, NamedTuple

from strike_cli.kernel.statements import STANDS_OUT
from strike_cli.safe_reading import isolate_direction

if TYPE_CHECKING:
    from .payloads import ToldDie, ToldResult


TAGS = ("p", "ul", "li", "b", "i", "code")


_LONGEST_TITLE = 90


class Markup(NamedTuple):
    """A markup language: `text` escapes a text; the other functions take escaped text."""

    text: Callable[[str], str]
    bold: Callable[[str], str]
    code: Callable[[str], str]
    italic: Callable[[str], str]


HTML = Markup(escape, "<b>{}</b>".format, "<code>{}</code>".format, "<i>{}</i>".format)


def html_of(texts: Sequence[str], dice: Iterable[ToldDie]) -> str:
    """Return the texts as paragraphs, with the dice as a list below them."""
    lines = (line for text in texts for line in text.splitlines() if line.strip())
    paragraphs = "".join(f"<p>{escape(line)}</p>" for line in lines)
    rolled = "".join(f"<li>{format_die(die)}</li>" for die in dice)
    return paragraphs + (f"<ul>{rolled}</ul>" if rolled else "")


PLAIN = Markup(str, str, str, str)


def with_number_and_dice(result: ToldResult, markup: Markup, longest: int, between: str = "\n") -> str:
    """Return a result with its number and dice, for a chat that has no other place for an id.

    The number comes first, the dice below. `between`: the separator of its lines. A text that is too long for
    the chat ends in an ellipsis, without dice.
    """

    def written(text: str, dice: Iterable[ToldDie]) -> str:
        lines = [markup.text(line) for line in text.splitlines() if line.strip()]
        return between.join([*lines, *(format_die(die, markup) for die in dice)])

    text = f"#{result['id']} {result['text']}".strip()
    whole, room = written(text, result["dice"]), len(text)
    while len(whole) > longest:
        room = room * 3 // 4
        whole = written(f"{text[:room].rstrip()}…", [])
    return whole


def split_title(result: ToldResult) -> tuple[str, str]:
    """Return a result's title and the rest of its text.

    The title is its headline (a critical hit, a fall, a save, a Cost), else its first line; "" where that
    would be a whole paragraph.
    """
    title, text = str(result["title"]), str(result["text"])
    if out := " · ".join(find_headlines(result)):
        return (out, f"\n{text}") if len(out) <= _LONGEST_TITLE else ("", text)
    if len(title) > _LONGEST_TITLE:
        return "", text
    return title, text.removeprefix(title) if text.startswith(title) else f"\n{text}"


def find_headlines(result: ToldResult) -> list[str]:
    """Return the headlines of a result, or of the several results that it merges."""
    plays = [one.get("play") for one in result.get("parts", [result])]
    banners = (banner for play in plays if play for banner in play["banners"])
    return list(
        dict.fromkeys(isolate_direction(one["text"]) for one in banners if one["event"] in STANDS_OUT)
    )


def format_die(die: ToldDie, markup: Markup = HTML) -> str:
    """Return a die with its modifiers and reasons as text.

    `<b>Vex</b>, attack: <code>5, 2</code> 5 kept +1 (Flanking) = 6. <i>Advantage: High ground</i>`.
    """
    text, bold, code, italic = markup
    head = ", ".join(part for part in (bold(text(die["who"])) if die["who"] else "",
                                       text(die["purpose"])) if part)  # fmt: skip
    words = [f"{head}:"] if head else []
    words.append(code(text(", ".join(map(str, die["faces"])))))
    if len(die["faces"]) > 1 and die["kept"] is not None:
        words.append(text(f"{die['kept']} kept"))
    words += [text(f"{each['value']:+d} ({each['reason']})") for each in die["modifiers"]]
    if die["modifiers"]:
        words.append(text(f"= {die['total']}"))
    line = " ".join(words)
    for kind in ("advantage", "disadvantage"):
        reasons = [str(source["reason"]) for source in die["sources"] if source["kind"] == kind]
        if reasons:
            line += " " + italic(text(f"{kind.capitalize()}: {'; '.join(reasons)}"))
    return isolate_direction(line)
