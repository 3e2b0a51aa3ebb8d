"""Portraits and maps for the examples of Grit, Karma and Momentum.

Each place has its own colours. The portraits are drawn in the same way as those of the example campaign.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from .map_art import MapLook
from .portraits import _brows, _eyes, _filled_paths, _head, _mouth, _portrait_svg, _shoulders

_MINE = MapLook("#b9b2a6", "#979084", "#9fc3c4", "#6f9ea3", "#6a655f", "#8f897f", "#2b2926", things=False)
_HALL = MapLook(
    "#8e8478", "#6f675d", "#9fc3c4", "#6f9ea3", "#57514b", "#7d766d", "#26231f", flags=True, things=False
)
_MUD = MapLook("#9a8b6f", "#7b6e56", "#5b8791", "#3c6470", "#5d5348", "#857866", "#272019", things=False)
_ORCHARD = MapLook(
    "#8b9a72", "#6a7a55", "#c9c6a4", "#a7b59a", "#6d6a63", "#98948a", "#2a2c28", things=False, trees="t"
)
_HOUSE = MapLook(
    "#a79a94", "#877a76", "#bcd3d6", "#8fb3ba", "#5c5560", "#877f8d", "#272330", flags=True, things=False
)

LOOKS: Mapping[str, Mapping[str, MapLook]] = {
    "grit": {"bridge": _MINE, "gallery": _HALL, "weir": _MINE, "pay-office": _HALL, "last-hall": _MINE},
    "karma": {"sluice": _MUD, "basin": _MUD},
    "momentum": {
        "gate": _ORCHARD, "dome": _HOUSE, "saplings": _ORCHARD._replace(trees="s"), "ballroom": _HOUSE, "bell": _HOUSE,
    },
}  # fmt: skip
"""The maps of each example, by their encounters."""


def _draw_sam() -> str:
    """Draw a tunnel runner: goggles pushed up, soot, a grin."""
    inside = (
        _shoulders("#4a4038", "#6f6154")
        + _head("#c99573", "#8f6148")
        + _filled_paths(
            "#3a2a20", "M122 176 Q112 84 204 78 Q284 82 278 172 Q252 128 200 126 Q150 128 122 176z"
        )
        + '<path d="M120 138 Q200 104 280 138" stroke="#2a211b" stroke-width="16" fill="none"/>'
        + "".join(
            f'<circle cx="{x}" cy="118" r="27" fill="#8fb7ba" stroke="#b08a3e" stroke-width="9"/>'
            for x in (166, 236)
        )
        + _eyes()
        + _brows("#3a2a20", 4)
        + _mouth("#6e3a2a", 14)
        + _filled_paths("#5a4436", "M226 214 q20 4 26 18 q-18 4 -26 -18z")
    )
    return _portrait_svg("#16191b", "#9c8f6a", inside)


def _draw_pete() -> str:
    """Draw a fowler with a bow over the shoulder and a feather in the hat."""
    inside = (
        '<path d="M330 40 Q410 210 330 392" stroke="#5b3d22" stroke-width="11" fill="none"/>'
        '<path d="M330 40 L330 392" stroke="#d8cfb4" stroke-width="3"/>'
        + _shoulders("#4b5436", "#707c50")
        + _head("#dcb08a", "#a17555")
        + _filled_paths(
            "#b88a4a", "M138 214 Q146 286 200 296 Q254 286 262 214 Q250 252 200 254 Q150 252 138 214z"
        )
        + _filled_paths(
            "#39412a",
            "M78 168 Q96 140 126 136 Q140 60 212 60 Q280 66 280 138 Q312 144 326 168 Q200 128 78 168z",
        )
        + '<path d="M270 128 Q318 92 318 34" stroke="#c8503c" stroke-width="10" fill="none" stroke-linecap="round"/>'
        + _eyes()
        + _brows("#8a642f")
    )
    return _portrait_svg("#14191a", "#8fae9f", inside)


def _draw_wick() -> str:
    """Draw the lamp bearer, lit from below by the lamp that they carry."""
    inside = (
        '<circle cx="110" cy="330" r="140" fill="#ffcf62" opacity=".4"/>'
        + _shoulders("#57473c", "#7f6a58")
        + _head("#e8bd8f", "#b27f52")
        + _filled_paths(
            "#a4632f",
            "M120 186 Q104 70 206 74 Q298 78 280 190 Q270 120 226 120 Q190 146 150 132 Q128 150 120 186z",
        )
        + _eyes("#2a2018", 196, 34, 9)
        + _brows("#8a5024", 6)
        + _mouth("#8a4a34", 4)
        + '<path d="M84 400 L88 318 L136 318 L140 400z" fill="#ffdf8a" stroke="#3a2a18" stroke-width="8"/>'
        '<path d="M80 318 L112 286 L144 318z" fill="#3a2a18"/>'
    )
    return _portrait_svg("#15120f", "#b8863a", inside, (110, 320))


def _draw_ana() -> str:
    """Draw a harpooner: cropped hair, a scar, the harpoon behind her."""
    inside = (
        '<path d="M316 400 L300 60" stroke="#6b5032" stroke-width="12"/>'
        '<path d="M278 92 L298 30 L326 88 L302 78z" fill="#aeb6b8"/>'
        + _shoulders("#27424f", "#41687a")
        + _head("#a8714c", "#744a30")
        + _filled_paths(
            "#17130f", "M124 172 Q118 84 204 82 Q284 86 276 172 Q258 116 200 116 Q142 116 124 172z"
        )
        + _eyes("#120e0c")
        + _brows("#17130f", 5)
        + _mouth("#5a2b20", 4)
        + '<path d="M236 160 L250 232" stroke="#d29a78" stroke-width="4"/>'
    )
    return _portrait_svg("#0f1a20", "#5f8e9a", inside)


def _draw_bo() -> str:
    """Draw the portrait of a hedge wizard, with leaves in the hair and beard."""
    leaves = "".join(
        f'<ellipse cx="{x}" cy="{y}" rx="13" ry="6" fill="{colour}" transform="rotate({turn} {x} {y})"/>'
        for x, y, turn, colour in (
            (150, 262, 40, "#6f8f3f"), (184, 290, -20, "#8a6a2a"), (232, 282, 30, "#6f8f3f"),
            (256, 246, -50, "#8a6a2a"), (120, 110, 20, "#6f8f3f"), (284, 116, -30, "#8a6a2a"),
        )
    )  # fmt: skip
    inside = (
        _shoulders("#3f4a31", "#5f6d47")
        + _head("#dba987", "#a06f54")
        + _filled_paths(
            "#8f8676", "M136 206 Q140 320 204 338 Q262 318 264 206 Q252 246 200 248 Q148 246 136 206z"
        )
        + _filled_paths(
            "#7c7364",
            "M118 176 Q96 76 150 96 Q168 60 206 84 Q250 56 258 98 Q304 86 280 176 Q252 122 200 124 Q148 124 118 176z",
        )
        + leaves
        + _eyes()
        + _brows("#6a6254", 9)
    )
    return _portrait_svg("#151a14", "#b07a3c", inside)


def _draw_cy() -> str:
    """Draw a seller of maps: a kerchief, an earring, a weighing look."""
    inside = (
        _shoulders("#5a3140", "#84505f")
        + _head("#cf9a72", "#956446")
        + _filled_paths("#9c2f3a", "M118 166 Q118 76 202 72 Q288 76 282 166 Q200 118 118 166z")
        + _filled_paths("#b9505a", "M204 72 Q288 76 282 166 Q246 140 206 136z")
        + _filled_paths("#9c2f3a", "M276 150 Q320 160 330 214 Q300 200 274 176z")
        + '<circle cx="276" cy="240" r="13" fill="none" stroke="#e4bb4e" stroke-width="6"/>'
        + _eyes("#1d1a1a", 198, 34, 6)
        + _brows("#2c1c16", -3)
        + '<path d="M182 250 Q208 258 230 240" fill="none" stroke="#7c3f2e" stroke-width="5" stroke-linecap="round"/>'
    )
    return _portrait_svg("#13181c", "#c79a4a", inside)


def _draw_runa() -> str:
    """Draw the glazier's daughter: braids, and an axe of her grandfather's."""
    inside = (
        '<path d="M70 400 L96 70" stroke="#6b4a2c" stroke-width="13"/>'
        '<path d="M92 82 Q36 80 34 146 Q70 132 98 148z" fill="#b9c6ca"/>'
        + _shoulders("#4c5b66", "#728592")
        + _filled_paths(
            "#c98a3a",
            "M116 180 Q96 300 120 356 Q150 330 146 220z M284 180 Q304 300 280 356 Q250 330 254 220z",
        )
        + _head("#ecc6a2", "#b88c69")
        + _filled_paths(
            "#d79a45", "M118 190 Q108 78 200 76 Q292 78 282 190 Q264 118 202 112 Q138 116 118 190z"
        )
        + _eyes("#2a4a5a", 196, 34, 8)
        + _brows("#a8702c")
        + _mouth("#a04a3c", 6)
    )
    return _portrait_svg("#141c20", "#a9d0c8", inside)


def _draw_ilse() -> str:
    """Draw an astronomer who listens: grey hair, round glasses, a star or two."""
    stars = "".join(
        f'<path fill="#f3e9b8" d="M{x} {y - 9}l3 6 6 3 -6 3 -3 6 -3 -6 -6 -3 6 -3z"/>'
        for x, y in ((84, 92), (318, 76), (340, 170), (66, 190))
    )
    inside = (
        stars
        + _shoulders("#2d2f52", "#484c7c")
        + _head("#b98a68", "#835c43")
        + _filled_paths(
            "#b8b4ad",
            "M116 206 Q92 70 202 70 Q310 72 284 206 Q276 128 214 116 Q150 132 132 170 Q122 186 116 206z",
        )
        + _eyes()
        + _brows("#97938c", 2)
        + "".join(
            f'<circle cx="{x}" cy="196" r="28" fill="none" stroke="#d9c27a" stroke-width="5"/>'
            for x in (166, 234)
        )
        + '<path d="M194 194 h12" stroke="#d9c27a" stroke-width="5"/>'
        + _mouth("#6e3a30", -3)
    )
    return _portrait_svg("#0f1024", "#54609a", inside)


def _draw_tam() -> str:
    """Draw a poacher: a cap low over the eyes, a hare's foot for luck."""
    inside = (
        _shoulders("#5b4a30", "#84704b")
        + _head("#d8a17a", "#9d6d4f")
        + _filled_paths(
            "#6b3f22",
            "M124 190 Q112 120 140 108 L262 108 Q288 120 276 190 Q262 150 200 146 Q140 150 124 190z",
        )
        + _filled_paths(
            "#4a5a3a", "M104 158 Q112 66 204 64 Q292 68 290 146 Q332 152 340 172 Q220 150 104 158z"
        )
        + _eyes("#1d1a1a", 202, 34, 7)
        + _brows("#4d2c17", 2)
        + _mouth("#7c3f2e", 12)
        + _filled_paths("#8d8272", "M150 330 q16 -8 22 10 q4 34 -10 46 q-16 -6 -12 -56z")
    )
    return _portrait_svg("#151a15", "#a9b27a", inside)


FACES: Mapping[str, Mapping[str, Callable[[], str]]] = {
    "grit": {"sam": _draw_sam, "pete": _draw_pete, "wick": _draw_wick},
    "karma": {"ana": _draw_ana, "bo": _draw_bo, "cy": _draw_cy},
    "momentum": {"runa": _draw_runa, "ilse": _draw_ilse, "tam": _draw_tam},
}
"""The people of each example."""
