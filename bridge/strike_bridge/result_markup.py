"""A result as a short text with markup: what happened, the dice, and reasons for modifiers.

HTML has only the tags of TAGS and no attributes, and every text in it is escaped, so it is safe in any chat.
For another markup language, the caller gives the escaping.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from html import escape
from typing import TYPE_CHECKING, NamedTuple

from strike_cli.kernel.statements import STANDS_OUT
from strike_cli.untrusted_input import isolate_right_to_left_words

if TYPE_CHECKING:
    from .payloads import ShownResult, ShownRoll


TAGS = ("p", "ul", "li", "b", "i", "code")


_LONGEST_TITLE = 90


class Markup(NamedTuple):
    """A markup language.

    `text` escapes a plain text; `bold`, `code` and `italic` take a text that is escaped already.
    """

    text: Callable[[str], str]
    bold: Callable[[str], str]
    code: Callable[[str], str]
    italic: Callable[[str], str]


HTML = Markup(escape, "<b>{}</b>".format, "<code>{}</code>".format, "<i>{}</i>".format)


def result_html(texts: Sequence[str], dice: Iterable[ShownRoll]) -> str:
    """Return HTML with the texts as paragraphs, and the dice as a list below them."""
    lines = (line for text in texts for line in text.splitlines() if line.strip())
    paragraphs = "".join(f"<p>{escape(line)}</p>" for line in lines)
    rolled = "".join(f"<li>{format_roll(die)}</li>" for die in dice)
    return paragraphs + (f"<ul>{rolled}</ul>" if rolled else "")


PLAIN = Markup(str, str, str, str)


def text_with_number_and_dice(
    result: ShownResult, markup: Markup, longest: int, separator: str = "\n"
) -> str:
    """Return a result's number and then its text, with the dice below.

    It is for a chat that has no other place for an id. `separator` separates the lines. A text that is longer
    than `longest` characters is cut, with an ellipsis, and has no dice.
    """

    def join_lines(text: str, dice: Iterable[ShownRoll]) -> str:
        lines = [markup.text(line) for line in text.splitlines() if line.strip()]
        return separator.join([*lines, *(format_roll(die, markup) for die in dice)])

    text = f"#{result['id']} {result['text']}".strip()
    whole, room = join_lines(text, result["dice"]), len(text)
    while len(whole) > longest:
        room = room * 3 // 4
        whole = join_lines(f"{text[:room].rstrip()}…", [])
    return whole


def title_and_remaining_text(result: ShownResult) -> tuple[str, str]:
    """Return a result's title, and the rest of its text.

    The title is made of the result's headlines, such as a critical hit or a fall. Without headlines the title
    is the first line. A title that would be as long as a paragraph is "".
    """
    title, text = str(result["title"]), str(result["text"])
    if out := " · ".join(find_headlines(result)):
        return (out, f"\n{text}") if len(out) <= _LONGEST_TITLE else ("", text)
    if len(title) > _LONGEST_TITLE:
        return "", text
    return title, text.removeprefix(title) if text.startswith(title) else f"\n{text}"


def find_headlines(result: ShownResult) -> list[str]:
    """Return the headlines of a result that stand out, each only once.

    If the result combines several results, the headlines of all of them are returned.
    """
    plays = [one.get("play") for one in result.get("parts", [result])]
    banners = (banner for play in plays if play for banner in play["banners"])
    return list(
        dict.fromkeys(
            isolate_right_to_left_words(one["text"]) for one in banners if one["event"] in STANDS_OUT
        )
    )


def format_roll(die: ShownRoll, markup: Markup = HTML) -> str:
    """Return a roll as text, with its modifiers and reasons.

    For example `<b>Vex</b>, attack: <code>5, 2</code> 5 kept +1 (Flanking) = 6. <i>Advantage: High
    ground</i>`.
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
    return isolate_right_to_left_words(line)
