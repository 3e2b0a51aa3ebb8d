"""The colours of the map: inks, and the grounds that they are written on."""

from __future__ import annotations

from strike_look import DARK, LIGHT

# The map brings its own ground, so its colours are fixed. What is written beside it stands on the
# terminal's own ground, and uses the terminal's own colours: they suit a light one, too.
INKS = {
    "": "none",
    "title": "bold",
    "quiet": "dim",
    "axis": "bright_black",
    "axis.active": "bold",
    "floor": "#6f695f",
    "difficult": "#8a7a48",
    "wall": "#756d62",
    "rock": "#3f3b36",
    "door": f"bold {DARK['gold']}",
    "edge": "bold #cfc4b2",
    "hurt": "bold #ff8f4a",
    "obscured": "#a9b7bd",
    "dark": "#5f5a78",
    "area": "#b79ad6",
    "reach": "#9cc3ea",
    "path": "bold #ffd75f",
    "token.party": f"bold {LIGHT['on-token']}",
    "token.enemies": f"bold {LIGHT['on-token']}",
    "token.other": f"bold {LIGHT['on-token']}",
    "token.active": "bold #101010",
    "token.down": "#98928a",
    "party": "bold cyan",
    "enemies": "bold red",
    "other": "bold yellow",
    "down": "dim",
    "bar.good": "green",
    "bar.hurt": "yellow",
    "bar.low": "red",
    "bar.empty": "bright_black",
    "grave": "bold red",
    "status": "yellow",
    "meter": "magenta",
    "off": "italic",
}
GROUNDS = {
    "floor": "#26231f",
    "floor.odd": "#2c2925",
    # A little redder, and a terminal of 256 colours would show it in the red of enemies.
    "difficult": "#2f2b17",
    "wall": "#756d62",
    "rock": "#3f3b36",
    "door": "#4a3a1a",
    "hurt": "#4a2212",
    "obscured": "#3a4145",
    "dark": "#141220",
    "area": "#33283f",
    "reach": "#22405c",
    "reach.odd": "#264664",
    "path": "#54481c",
    "party": LIGHT["party"],
    "enemies": LIGHT["enemies"],
    "other": LIGHT["neutral"],
    "down": "#3a3632",
    "active.party": "#8fd8e0",
    "active.enemies": "#ffab9c",
    "active.other": "#f0e2a0",
}


def look(style: str) -> str:
    """Return the style of a name, as Rich spells it."""
    if style.startswith("cursor/"):
        return f"{look(style.removeprefix('cursor/'))} bold reverse".replace("none ", "")
    ink, _, ground = style.partition("/")
    return f"{INKS[ink]} on {GROUNDS[ground]}" if ground else INKS[ink]
