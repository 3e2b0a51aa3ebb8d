"""Nobody looks for meaning in what is told: who may know what goes by ids and fields (facts.md)."""

from __future__ import annotations

import re
from pathlib import Path

import strike_cli

HERE = Path(strike_cli.__file__).parent
BRIDGE = HERE.parent / "bridge" / "strike_bridge"
TELLS = [
    *(HERE / name for name in ("kernel", "tabletop", "visibility", "play", "phones", "pages", "serve")),
    *(HERE / name for name in ("terminal/screen", "systems/campaign/commands/reports")),
    *(HERE / f"{name}.py" for name in ("campaign/redacted_journal", "terminal/command_output")),
    *(HERE / f"cli/{name}.py" for name in ("log", "watch", "play")),
    *BRIDGE.glob("*.py"),
]
"""What makes, keeps back or hands on what is told, and shows it."""
ELSE = {
    "strike_cli/visibility/hidden_name_search.py": "words that people typed",
    "strike_cli/kernel/driver.py": "an answer that somebody typed",
    "strike_cli/tabletop/dice_notation.py": "dice that somebody typed",
    "strike_cli/pages/html.py": "the text between tags",
    "strike_cli/pages/plots.py": "the size of an SVG",
    "strike_cli/serve/gm_console_and_pictures.py": "the size of a map in its file's name",
    "bridge/strike_bridge/address.py": "addresses",
    "bridge/strike_bridge/token_links.py": "ids of a tabletop",
    "bridge/strike_bridge/request_outcome.py": "what TLS and servers say",
    "bridge/strike_bridge/state_projection.py": "squares",
    "bridge/strike_bridge/credential_store.py": "the keys' file",
}
"""Who has a regular expression there, for what else."""


IMPORTS = re.compile(r"^ *(import|from) (re|regex)\b", re.MULTILINE)
"""A line that brings in regular expressions."""


def test_what_is_told_is_searched_by_no_expression() -> None:
    files = [file for place in TELLS for file in ([place] if place.suffix else place.rglob("*.py"))]
    found = {
        file.relative_to(HERE.parent).as_posix() for file in files if IMPORTS.search(file.read_text("utf-8"))
    }
    assert found == set(ELSE)
