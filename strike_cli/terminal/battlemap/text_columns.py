"""Pieces of text in columns: the measuring, cutting and wrapping of the map's texts."""

from __future__ import annotations

from collections.abc import Sequence

# A text and its style: an ink, and after a slash the ground it is written on.
Piece = tuple[str, str]
Line = list[Piece]


def make_one_line(text: str) -> str:
    """Return a user's text on one line and without control characters."""
    return " ".join("".join(each if each.isprintable() else " " for each in text).split())


def width_of(text: str) -> int:
    """Return the columns that a text takes: two for an East Asian letter, an emoji or a flag."""
    if text.isascii():
        return len(text)
    from unicodedata import category, east_asian_width

    width, is_joined, is_half_flag = 0, False, False
    for each in text:
        if category(each) in ("Mn", "Me", "Cf"):  # marks above and below, joiners, variation selectors
            is_joined = each == "\u200d"
            continue
        is_second = is_half_flag and "\U0001f1e6" <= each <= "\U0001f1ff"
        is_half_flag = not is_second and "\U0001f1e6" <= each <= "\U0001f1ff"
        if not (is_joined or is_second or (category(each) == "Sk" and ord(each) > 0xFFFF)):
            width += 1 + (is_half_flag or east_asian_width(each) in "WF")
        is_joined = False
    return width


def pad(text: str, width: int, *, right: bool = False) -> str:
    """Pad a text with blanks to `width` columns; with `right` the blanks come first."""
    room = " " * (width - width_of(text))
    return room + text if right else text + room


def clip(text: str, width: int) -> str:
    """Return the text, or its beginning with an ellipsis where it is too wide."""
    if width_of(text) <= width:
        return text
    while text and width_of(text) > width - 1:
        text = text[:-1]
    return (text + "…")[: max(width, 0)]


def line_columns(line: Line) -> int:
    """Return the width of a line in columns."""
    return sum(width_of(text) for text, _ in line)


def cut_line(line: Line, width: int) -> Line:
    """Cut a line off at the width of a very narrow terminal."""
    room, pieces = width, []
    for text, style in line:
        if width_of(text) > room:
            pieces.append((clip(text, room), style))
            break
        pieces.append((text, style))
        room -= width_of(text)
    return pieces


def split_styled(text: str, style: str) -> list[Line]:
    """Return the words of a text, each as a styled line."""
    return [[(word, style)] for word in text.split()]


def wrap_items(items: Sequence[Line], width: int, between: str) -> list[Line]:
    """Wrap items to as many lines as they need, with `between` separating two on a line."""
    lines: list[Line] = []
    for item in items:
        if lines and line_columns(lines[-1]) + len(between) + line_columns(item) <= width:
            lines[-1] += [(between, "quiet"), *item]
        elif lines and between.strip():
            lines[-1].append((between.rstrip(), "quiet"))
            lines.append(list(item))
        else:
            lines.append(list(item))
    return lines
