"""Measures, cuts and wraps styled texts in columns, for the map and its legend."""

from __future__ import annotations

from collections.abc import Sequence

# A text and its style: an ink, and after a slash the ground it is written on.
Piece = tuple[str, str]
Line = list[Piece]


def make_printable_line(text: str) -> str:
    """Return a text on a single line, without control characters."""
    return " ".join("".join(each if each.isprintable() else " " for each in text).split())


def width_of(text: str) -> int:
    """Return how many columns a text takes; East Asian letters, emoji and flags take two."""
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


def pad(text: str, width: int, *, align_right: bool = False) -> str:
    """Pad a text with blanks to `width` columns; with `align_right` the blanks come first."""
    room = " " * (width - width_of(text))
    return room + text if align_right else text + room


def clip(text: str, width: int) -> str:
    """Return the text, cut to `width` columns with an ellipsis at the end if it is wider."""
    if width_of(text) <= width:
        return text
    while text and width_of(text) > width - 1:
        text = text[:-1]
    return (text + "…")[: max(width, 0)]


def width_of_line(line: Line) -> int:
    """Return the width of a line in columns."""
    return sum(width_of(text) for text, _ in line)


def cut_line(line: Line, width: int) -> Line:
    """Return the line, cut to `width` columns if it is wider."""
    room, pieces = width, []
    for text, style in line:
        if width_of(text) > room:
            pieces.append((clip(text, room), style))
            break
        pieces.append((text, style))
        room -= width_of(text)
    return pieces


def words_as_styled_lines(text: str, style: str) -> list[Line]:
    """Return each word of a text as a line of its own in a style, so that the words can be wrapped."""
    return [[(word, style)] for word in text.split()]


def wrap_items(items: Sequence[Line], width: int, separator: str) -> list[Line]:
    """Return items on as few lines as fit into `width` columns.

    `separator` is put between two items on the same line. It also ends every line except the last, but
    without the spaces at its end.
    """
    lines: list[Line] = []
    for item in items:
        if lines and width_of_line(lines[-1]) + len(separator) + width_of_line(item) <= width:
            lines[-1] += [(separator, "quiet"), *item]
        elif lines and separator.strip():
            lines[-1].append((separator.rstrip(), "quiet"))
            lines.append(list(item))
        else:
            lines.append(list(item))
    return lines
