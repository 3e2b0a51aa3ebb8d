"""One look: every colour that strike shows has its name and its value in `strike_look`, and nowhere else."""

from __future__ import annotations

import re
from pathlib import Path

import strike_look

ROOT = Path(__file__).parents[2]
PLACES = ("strike_cli", "bridge", "plugins", "website")
LITERAL = re.compile(
    r"""(?<![\w&])(?:\#(?:[\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})(?![\w-])|(?:rgb|hsl|oklch|color)a?\(|0x[\da-f]{6}(?!\w))""",
    re.IGNORECASE,
)
DRAWN = ("website/art/",)
"""Drawings, which are painted in colours of their own."""
NAMES = re.compile(r"\.#\w+|#feed\b|^\s*(?:async )?#[a-z]\w*", re.MULTILINE)
"""Names that read as a colour does: of fields in JavaScript, of elements in style sheets."""
USED = re.compile(r"var\(--([\w-]+)\s*\)")
SET = re.compile(r"--([\w-]+)[\"`]?\s*[:,]")


def sources(*kinds: str) -> dict[str, str]:
    files = (file for place in PLACES for kind in kinds for file in (ROOT / place).rglob(f"*{kind}"))
    return {file.relative_to(ROOT).as_posix(): file.read_text(encoding="utf-8") for file in files}


def test_no_colour_is_written_outside_the_look() -> None:
    found = {
        name: literals
        for name, text in sources(".py", ".css", ".js", ".html").items()
        if not name.startswith((*DRAWN, "bridge/strike_look/__init__.py"))
        and (literals := LITERAL.findall(NAMES.sub("", text)))
    }
    assert found == {}


def test_every_colour_by_name_is_there_and_every_name_is_used() -> None:
    sheets = sources(".css", ".js", ".html")
    known = strike_look.LIGHT.keys() | strike_look._TYPE.keys() | strike_look._BY_DAY.keys()
    own = {name for text in sources(".css", ".js", ".py").values() for name in SET.findall(text)}
    used = {name for text in sheets.values() for name in USED.findall(text)}
    assert used - known - own == set()
    by_name = "".join(sources(".py", ".js").values())
    unused = {name for name in strike_look.LIGHT if name not in used and f'"{name}"' not in by_name}
    assert unused == set()
    assert strike_look.LIGHT.keys() == strike_look.DARK.keys()
