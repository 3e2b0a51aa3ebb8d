"""The look of everything that strike shows: colours, typefaces and shared components.

There are colours for day, night and paper, and styles for tokens, chips, pills and dice. The table, players'
phones, overlays, stories, reports, cards, plots, the site, the terminal's map, pictures of maps and other
tabletops all use them. This package imports nothing of strike.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path

_SERIF_OF_DEVICE = '"Iowan Old Style","Palatino Linotype",Palatino,"Book Antiqua",Georgia,serif'
_SANS_OF_DEVICE = 'system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif'
SERIF = f"Alegreya,{_SERIF_OF_DEVICE}"
SANS = f'"Source Sans 3",{_SANS_OF_DEVICE}'

_COLOURS = """
page       #f3efe6 #16181c  what lies below everything
panel      #fcfaf5 #1e2126  what is read
press      #ece4d3 #2a2e35  what is pressed
line       #e0d8c8 #31363e
ink        #2a2520 #ece8df
soft       #685f54 #a8a398  ink of what matters less
gold       #b07713 #e0ac4c  what is pointed out: whose turn it is, the focus
gold-ink   #87590b #e0ac4c
gold-wash  #f6e9cb #39301d
party      #22707a #277f8a  sides
enemies    #a43d2f #b5483a
neutral    #75601f #86702a
fourth     #8a4f9e #c58fd8
on-token   #ffffff #ffffff
good       #4b9a5b #4b9a5b  meters, and what was won, drawn, lost
low        #d9992b #d9992b
dire       #d2432f #d2432f
up         #2c6e3a #8dd39a  words of the same
down       #a43d2f #f08f80
hp-good    #8fdc9b #8fdc9b  the same on a token
hp-low     #f8c350 #f8c350
hp-dire    #ff8d78 #ff8d78
track      #2a252033 #ffffff26  the rest of a meter
track-token #00000059 #00000080
shade      #0000002e #00000073  shadows
veil       #00000099 #00000099  over what something lies on
die        #fffdf7 #fffdf7  dice that are thrown
die-edge   #cfc4ad #cfc4ad
die-ink    #2a2520 #2a2520
badge      #3b3046 #d8cfe6
on-badge   #ffffff #251d30
halo       #f3efe6 #16181c
floor      #f0e8d7 #23262c  maps
fleck      #b9a98a #4a505a
grid       #d9ceb8 #343941
rough      #e3d9b5 #2e302a
hatch      #a3925a #86835a
wall       #6c6156 #474d57
brick      #574d43 #3a3f48
wall-edge  #3f372f #646b77
cast       #3f372f40 #00000073
wood       #9c6b3a #a2713f
wood-dark  #5f3f1f #3a2713
fog        #15131a #08090b
unlit      #1b1828 #1b1828
zone-obscured #6d6880 #a9a4c0
zone-dark  #2d2940 #8d86b0
zone-hazard #c4472c #f0745a
zone-difficult #8a6d1c #d0b45c
zone-cover #4b7a4a #7fb87c
zone-light #c08a1a #e8bf5a
zone-water #2f78b0 #66aee6
zone-other0 #8a4f9e #c58fd8
zone-other1 #3f7f86 #74bcc4
zone-other2 #a2476f #dd86ad
"""
_ROWS = [line.split(maxsplit=3)[:3] for line in _COLOURS.strip().splitlines()]
LIGHT = {name: light for name, light, _ in _ROWS}
DARK = {name: dark for name, _, dark in _ROWS}
PAPER = {
    "page": "#ffffff", "panel": "#ffffff", "ink": "#000000", "soft": "#555555", "line": "#cccccc",
    "gold-ink": "#6d4708", "halo": "#ffffff",
}  # fmt: skip
"""Colours that differ in print: black on white. All others are as by day."""
SERIES = (
    LIGHT["party"], LIGHT["good"], LIGHT["low"], LIGHT["dire"], LIGHT["zone-other0"], LIGHT["zone-water"],
    LIGHT["zone-hazard"], LIGHT["neutral"],
)  # fmt: skip
"""Colours of a plot's lines and bars, where only colour distinguishes them."""
TRACED = {
    "red": "#e6194b", "orange": "#f58231", "blue": "#00c8e6", "violet": "#b45ad2", "green": "#3cd24b",
    "yellow": "#ffe119", "white": "#ffffff", "squares": "#00000055",
}  # fmt: skip
"""Colours of lines drawn over a map picture of any colours."""

# A difficult square that is a little redder would be in the red of enemies, where a terminal has 256 colours.
_MAP_IN_TERMINAL = """
floor      #6f695f #26231f
floor.odd  #6f695f #2c2925  every other square
difficult  #8a7a48 #2f2b17
wall       #756d62 #756d62
rock       #3f3b36 #3f3b36
door       #e0ac4c #4a3a1a
edge       #cfc4b2 #26231f
hurt       #ff8f4a #4a2212
obscured   #a9b7bd #3a4145
dark       #5f5a78 #141220
area       #b79ad6 #33283f
reach      #9cc3ea #22405c
reach.odd  #9cc3ea #264664
path       #ffd75f #54481c
down       #98928a #3a3632
active.party   #101010 #8fd8e0
active.enemies #101010 #ffab9c
active.other   #101010 #f0e2a0
"""
_MAP_ROWS = [line.split(maxsplit=3)[:3] for line in _MAP_IN_TERMINAL.strip().splitlines()]
MAP_INKS = {name: ink for name, ink, _ in _MAP_ROWS}
MAP_GROUNDS = {name: ground for name, _, ground in _MAP_ROWS}
"""Backgrounds of the terminal's map, set so that it looks the same on a light terminal and a dark one."""

PIPS = {
    1: [[12, 12]],
    2: [[7, 7], [17, 17]],
    3: [[7, 7], [12, 12], [17, 17]],
    4: [[7, 7], [17, 7], [7, 17], [17, 17]],
    5: [[7, 7], [17, 7], [12, 12], [7, 17], [17, 17]],
    6: [[7, 7], [17, 7], [7, 12], [17, 12], [7, 17], [17, 17]],
}
"""The positions of a six-sided die's pips, in a square of 24."""
OUTLINES = {
    4: "12,1.5 23,21 1,21",
    8: "12,1 22,12 12,23 2,12",
    10: "12,1 22,9.5 22,14.5 12,23 2,14.5 2,9.5",
    12: "12,1 22.5,9 18.5,21.5 5.5,21.5 1.5,9",
    20: "12,1 21.8,6.5 21.8,17.5 12,23 2.2,17.5 2.2,6.5",
}
"""The outlines of dice by their number of sides, in the same square; any other die is a rounded square."""
_SQUARE = '<rect class="die-body" x="1.5" y="1.5" width="21" height="21" rx="5"/>'
_TYPE = {"serif": SERIF, "sans": SANS}
_BY_DAY = {"texture": 'url("/static/paper.svg")', "picture": "none"}
_BY_NIGHT = {"texture": 'url("/static/slate.svg")', "picture": "brightness(0.82)"}


def css_declarations_of_used_variables(sheet: str) -> str:
    """Return the CSS that declares the colour and type variables used in a style sheet.

    The variables have values for day, for night (by the device or the root's `data-theme`), and for paper.
    """
    used = set(re.findall(r"var\(--([\w-]+)", sheet))

    def declared(values: Mapping[str, str]) -> str:
        return "".join(f"--{name}:{value};" for name, value in values.items() if name in used)

    night = f"color-scheme:dark;{declared(DARK | _BY_NIGHT)}"
    return (
        f":root{{color-scheme:light dark;{declared(LIGHT | _BY_DAY | _TYPE)}}}\n"
        f':root[data-theme="light"]{{color-scheme:light}}\n'
        f'@media screen and (prefers-color-scheme:dark){{:root:not([data-theme="light"]){{{night}}}}}\n'
        f'@media screen{{:root[data-theme="dark"]{{{night}}}}}\n'
        f"@media print{{:root{{color-scheme:light;{declared(PAPER)}}}}}\n"
    )


def fill_in_daytime_colours(sheet: str) -> str:
    """Return a style sheet in which each colour variable is replaced by its daytime colour.

    It is for pages of other sites, where these variables aren't defined.
    """
    return re.sub(r"var\(--([\w-]+)\)", lambda name: LIGHT[name[1]], sheet)


def component_css(name: str) -> str:
    """Return the CSS of a component that several screens share: "people" or "dice"."""
    return Path(__file__).with_name(f"{name}.css").read_text(encoding="utf-8")


def colour_variables_and_components_css() -> str:
    """Return the CSS of all colours and components, which the table's and the phones' pages load first."""
    every = "".join(f"var(--{name})" for name in (*LIGHT, *_BY_DAY, *_TYPE))
    waiting = f":root:not([data-typefaces]){{--serif:{_SERIF_OF_DEVICE};--sans:{_SANS_OF_DEVICE}}}\n"
    return (
        css_declarations_of_used_variables(every) + waiting + component_css("people") + component_css("dice")
    )


def colours_and_dice_script() -> str:
    """Return a JavaScript module with the daytime colours, and the pips and outlines of dice."""
    made = {"COLOURS": LIGHT, "PIPS": PIPS, "OUTLINES": OUTLINES}
    return "".join(f"export const {name} = {json.dumps(values)};\n" for name, values in made.items())


def die_svg(sides: int, face: int, counts: bool) -> str:
    """Return a die as SVG, 24 by 24, with the classes of the CSS of "dice".

    `counts` is False for a dropped die.
    """
    body = f'<polygon class="die-body" points="{OUTLINES[sides]}"/>' if sides in OUTLINES else _SQUARE
    if sides == 6 and face in PIPS:
        shown = "".join(f'<circle class="pip" cx="{x}" cy="{y}" r="2"/>' for x, y in PIPS[face])
    else:
        middle = 19 if sides == 4 else 16
        shown = f'<text class="die-number" text-anchor="middle" x="12" y="{middle}">{face}</text>'
    count = "kept" if counts else "dropped"
    return f'<svg class="die {count}" viewBox="0 0 24 24" role="img"><title>{face}</title>{body}{shown}</svg>'
