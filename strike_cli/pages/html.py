"""The frame of an HTML page, and its cards and tables. The pages contain no scripts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from html import escape
from pathlib import Path

import strike_look
from strike_cli.untrusted_input import isolate_right_to_left_words

STYLE = "page.css"
"""The style sheet that pages share, a file beside this one."""
MADE = "made by strike"
"""The mark in files that strike made, which it may overwrite."""
SAFE = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"


def make_page(
    title: str, body: Iterable[str], *, styles: Sequence[str] = (STYLE,), more_style: str = ""
) -> str:
    """Return a whole HTML page with the parts of `body` one below the other.

    `styles` names the style sheets to include, which are files of this package. `more_style` is CSS that
    follows them.
    """
    written = "".join(map(read_style_sheet, styles)) + more_style
    shown = strike_look.css_declarations_of_used_variables(written) + written
    inner = re.sub("(?<=>)[^<]+", lambda text: isolate_right_to_left_words(text[0]), "\n".join(body))
    return (
        f'<!doctype html>\n<!-- {MADE} -->\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        f'<meta http-equiv="Content-Security-Policy" content="{SAFE}">'
        f"<title>{escape(title)}</title><style>{shown}</style></head>\n"
        f"<body><main>\n{inner}\n</main></body></html>\n"
    )


def read_style_sheet(name: str) -> str:
    """Return the content of a style sheet beside this file."""
    return Path(__file__).with_name(name).read_text(encoding="utf-8")


def make_card(title: str, inner: str) -> str:
    """Return a part of a page, with a heading, around the HTML `inner`."""
    return f'<section class="card"><h2>{escape(title)}</h2>{inner}</section>'


def make_table(headings: Sequence[str], rows: Iterable[Sequence[str]], text_columns: int = 1) -> str:
    """Return an HTML table of plain texts; if it is too wide, readers can scroll it.

    The first `text_columns` columns have texts, and the others have numbers.
    """
    side = [' class="l"' if at < text_columns else "" for at in range(len(headings))]
    head = "".join(
        f"<th{how}>{escape(text)}</th>" if text else "<td></td>"  # an empty heading is no `th`
        for how, text in zip(side, headings, strict=True)
    )
    lines = [
        "".join(f"<td{how}>{escape(cell)}</td>" for how, cell in zip(side, row, strict=True)) for row in rows
    ]
    inner = "".join(f"<tr>{line}</tr>" for line in [head, *lines])
    return f'<div class="scroll"><table>{inner}</table></div>'
