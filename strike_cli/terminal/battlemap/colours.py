"""The colours of the map: text colours (inks) and backgrounds (grounds)."""

from __future__ import annotations

from strike_look import LIGHT, MAP_GROUNDS, MAP_INKS

# Text beside the map has the terminal's own background and uses the terminal's own colours, which suit light
# terminals, too.
INKS = {
    "": "none",
    "title": "bold",
    "quiet": "dim",
    "axis": "bright_black",
    "axis.active": "bold",
    **MAP_INKS,
    **{name: f"bold {MAP_INKS[name]}" for name in ("door", "edge", "hurt", "path")},
    **{f"token.{side}": f"bold {LIGHT['on-token']}" for side in ("party", "enemies", "other")},
    "token.active": f"bold {MAP_INKS['active.party']}",
    "token.down": MAP_INKS["down"],
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
GROUNDS = MAP_GROUNDS | {"party": LIGHT["party"], "enemies": LIGHT["enemies"], "other": LIGHT["neutral"]}


def rich_style(style: str) -> str:
    """Return one of the map's styles, such as "wall/rock" (ink and ground), in Rich's notation.

    A style that begins with "cursor/" is drawn bold and reversed.
    """
    if style.startswith("cursor/"):
        return f"{rich_style(style.removeprefix('cursor/'))} bold reverse".replace("none ", "")
    ink, _, ground = style.partition("/")
    return f"{INKS[ink]} on {GROUNDS[ground]}" if ground else INKS[ink]
