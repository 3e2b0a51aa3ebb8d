"""Faces of the example campaign as SVG, 400 by 400.

A face has a background, shoulders, a head, and features that make it recognizable.
"""

from __future__ import annotations

SIZE = 400
_GRAIN = (
    '<filter id="grain"><feTurbulence type="fractalNoise" baseFrequency=".8" numOctaves="3" seed="7"/>'
    '<feColorMatrix values="0 0 0 0 0  0 0 0 0 0  0 0 0 0 0  0 0 0 .22 0"/></filter>'
)


def _portrait_svg(night: str, glow: str, inside: str, at: tuple[int, int] = (280, 130)) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{SIZE}" height="{SIZE}" viewBox="40 36 320 320"><defs>{_GRAIN}'
        f'<radialGradient id="ground" cx="{at[0]}" cy="{at[1]}" r="330" gradientUnits="userSpaceOnUse">'
        f'<stop offset="0" stop-color="{glow}"/><stop offset=".8" stop-color="{night}"/></radialGradient></defs>'
        f'<rect width="400" height="400" fill="url(#ground)"/>{inside}'
        '<rect width="400" height="400" filter="url(#grain)" style="mix-blend-mode:multiply"/></svg>'
    )


def _filled_paths(fill: str, *lines: str) -> str:
    return "".join(f'<path fill="{fill}" d="{line}"/>' for line in lines)


def _eyes(colour: str = "#1d1a1a", y: int = 196, apart: int = 34, size: int = 7) -> str:
    pairs = ((200 - apart, y), (200 + apart, y))
    return "".join(
        f'<ellipse cx="{x}" cy="{at}" rx="{size}" ry="{size * 0.8}" fill="{colour}"/>' for x, at in pairs
    )


def _head(skin: str, shade: str, neck: bool = True) -> str:
    """Draw a face lit from the right: its shadow is on the left, and under the chin."""
    return (
        (_filled_paths(shade, "M164 250 h72 v70 h-72z") if neck else "")
        + _filled_paths(
            skin,
            "M128 170 Q128 96 200 96 Q272 96 272 170 Q272 232 240 262 Q220 280 200 280 Q180 280 160 262 Q128 232 128 170z",
        )
        + _filled_paths(
            shade,
            "M128 170 Q128 96 200 96 Q160 130 160 190 Q160 250 200 280 Q180 280 160 262 Q128 232 128 170z",
        )
        + _filled_paths(shade, "M196 200 L188 230 Q198 238 208 230z")
    )


def _shoulders(colour: str, light: str) -> str:
    return _filled_paths(
        colour, "M40 400 Q48 316 130 296 L200 330 L270 296 Q352 316 360 400z"
    ) + _filled_paths(light, "M270 296 Q352 316 360 400 L300 400 Q304 340 262 300z")


def _mouth(colour: str, bend: int = 6) -> str:
    return f'<path d="M178 248 Q200 {248 + bend} 222 248" fill="none" stroke="{colour}" stroke-width="5" stroke-linecap="round"/>'


def _brows(colour: str, tilt: int = 0) -> str:
    return (
        f'<path d="M146 {178 - tilt} Q166 {168} 186 {178 + tilt} M214 {178 + tilt} Q234 168 254 {178 - tilt}" fill="none" '
        f'stroke="{colour}" stroke-width="8" stroke-linecap="round"/>'
    )


def draw_vex() -> str:
    """Draw the portrait of Vex: a hood, a lock of hair, and the light of a lantern that isn't in the picture."""
    inside = (
        _shoulders("#1f3a40", "#35616a")
        + _filled_paths(
            "#162a30", "M84 330 Q60 80 200 48 Q340 80 316 330 Q290 300 274 280 L126 280 Q110 300 84 330z"
        )
        + _head("#e2b48c", "#a8714f")
        + _filled_paths(
            "#1c1514", "M126 190 Q118 84 214 84 Q276 92 276 160 Q240 120 196 128 Q150 136 126 190z"
        )
        + _filled_paths("#24464e", "M84 330 Q60 80 200 48 Q340 80 316 330 Q314 150 200 104 Q100 140 96 300z")
        + _filled_paths("#3f7480", "M200 48 Q340 80 316 330 Q318 140 214 96z")
        + _eyes()
        + _brows("#1c1514", 3)
        + _mouth("#7c3f2e", 10)
        + '<path d="M236 226 q14 -8 22 -22" stroke="#a8714f" stroke-width="4" fill="none"/>'
    )
    return _portrait_svg("#10191d", "#d6953f", inside)


def draw_brann() -> str:
    """Draw a beard and a ferryman's cap."""
    inside = (
        _shoulders("#3d3a2c", "#6a6446")
        + _filled_paths("#8b6d3a", "M130 296 L200 330 L270 296 L262 286 L200 312 L138 286z")
        + _head("#d9a67e", "#9c6a4b")
        + _filled_paths(
            "#6d3a1d",
            "M126 190 Q124 300 200 316 Q276 300 274 190 Q266 236 232 234 Q200 222 168 234 Q134 236 126 190z",
        )
        + _filled_paths("#8f5228", "M200 316 Q276 300 274 190 Q266 236 236 236 Q250 280 200 316z")
        + _filled_paths("#4a2a17", "M180 252 Q200 264 220 252 Q200 276 180 252z")
        + _filled_paths("#39424a", "M112 150 Q120 66 204 64 Q290 70 290 148 L268 150 Q200 126 112 150z")
        + _filled_paths("#56646f", "M204 64 Q290 70 290 148 L240 138 Q240 90 204 64z")
        + _filled_paths("#242b31", "M104 152 Q200 118 300 150 L296 164 Q200 136 108 166z")
        + _eyes(y=192)
        + _brows("#5b2f17", -3)
    )
    return _portrait_svg("#15201f", "#7c9a86", inside, (300, 90))


def draw_sela() -> str:
    """Draw the portrait of Sela, with braids, freckles, and a bow behind the shoulder."""
    freckles = "".join(
        f'<circle cx="{x}" cy="{y}" r="2.6" fill="#8a5638"/>'
        for x, y in ((160, 218), (170, 226), (180, 218), (222, 220), (232, 226), (242, 216))
    )
    inside = (
        '<path d="M70 400 Q-6 220 92 56" fill="none" stroke="#5a3c22" stroke-width="13"/>'
        '<path d="M70 400 L92 56" stroke="#d9cdb2" stroke-width="2.5"/>'
        + _filled_paths(
            "#7b3d1e",
            "M112 200 Q104 72 204 72 Q298 76 288 210 Q300 300 268 372 L244 366 Q262 280 258 220 L142 220 Q138 280 150 366 L128 372 Q104 300 112 200z",
        )
        + _shoulders("#4c5a32", "#74874a")
        + _head("#ecc6a0", "#b98360")
        + _filled_paths(
            "#934b25", "M122 188 Q116 84 206 80 Q284 84 280 188 Q262 132 214 116 Q160 128 122 188z"
        )
        + _filled_paths("#b86530", "M206 80 Q284 84 280 188 Q262 132 214 116z")
        + freckles
        + _eyes("#23301c")
        + _brows("#6d3417", 8)
        + _mouth("#8d4a38", -5)
    )
    return _portrait_svg("#1c2418", "#b6b06a", inside, (310, 110))


def draw_odo() -> str:
    """Draw the portrait of Odo: a bald head, white at the sides, a torchbearer's collar, and a smile."""
    inside = (
        _shoulders("#5b2b2b", "#8d4537")
        + _filled_paths("#d8b45c", "M124 298 L200 334 L276 298 L264 278 L200 308 L136 278z")
        + _filled_paths("#e8e2d4", "M118 206 Q112 150 134 140 L142 214z M282 206 Q288 150 266 140 L258 214z")
        + _head("#8a5a3c", "#5d3825")
        + _filled_paths("#a06d4a", "M212 102 Q262 110 266 164 Q246 126 212 120z")
        + _filled_paths("#efe9dc", "M150 236 Q200 208 250 236 Q236 246 200 240 Q164 246 150 236z")
        + _filled_paths("#d9d1c0", "M176 268 Q200 262 224 268 Q216 300 200 304 Q184 300 176 268z")
        + _eyes("#1a1110")
        + _brows("#efe9dc", -4)
        + _mouth("#3c1f16", 12)
    )
    return _portrait_svg("#1e1214", "#e0a04a", inside, (200, 40))


def draw_goblin() -> str:
    """Draw a goblin with large ears, a grin, and one tooth more than there should be."""
    inside = (
        _shoulders("#4b3a24", "#6d5734")
        + _filled_paths(
            "#5d7a3a", "M132 190 Q60 170 22 108 Q92 112 140 150z M268 190 Q340 170 378 108 Q308 112 260 150z"
        )
        + _filled_paths("#8aa850", "M268 190 Q340 170 378 108 Q330 140 262 168z")
        + _head("#7f9f48", "#52702f")
        + _filled_paths("#2b1c14", "M160 236 Q200 262 244 232 Q236 272 200 272 Q170 268 160 236z")
        + _filled_paths("#efe6c8", "M172 243 l8 16 l8 -11z M204 251 l8 14 l7 -16z M228 244 l4 12 l7 -17z")
        + _eyes("#f2d23c", 190, 36, 15)
        + _eyes("#1b1410", 191, 36, 6)
        + _brows("#3a4f20", 10)
    )
    return _portrait_svg("#131a12", "#8f7a3a", inside)


def draw_lamp_thief() -> str:
    """Draw a goblin with a stolen road-lamp."""
    inside = (
        '<circle cx="316" cy="120" r="96" fill="#ffcf62" opacity=".35"/>'
        '<path d="M320 400 L312 150" stroke="#5a3c22" stroke-width="14"/>'
        '<path d="M286 150 L292 86 L334 86 L342 150z" fill="#ffdf8a" stroke="#3a2a18" stroke-width="8"/>'
        '<path d="M284 86 L313 52 L342 86z" fill="#3a2a18"/>'
        + _shoulders("#3c2c3a", "#634a55")
        + _filled_paths(
            "#5d7a3a", "M132 190 Q60 170 22 108 Q92 112 140 150z M268 190 Q330 178 352 140 Q308 132 260 150z"
        )
        + _head("#8aa34c", "#56702f")
        + _filled_paths("#7b2f2a", "M118 160 Q150 62 214 74 Q280 80 282 158 Q200 126 118 160z")
        + _filled_paths("#a2453a", "M214 74 Q280 80 282 158 Q250 138 214 134z")
        + _filled_paths("#2b1c14", "M166 240 Q204 256 240 236 Q228 262 200 262 Q176 260 166 240z")
        + _filled_paths("#efe6c8", "M180 246 l7 14 l8 -11z M214 250 l7 10 l7 -14z")
        + _eyes("#f6dd52", 192, 36, 14)
        + _eyes("#1b1410", 193, 34, 6)
        + _brows("#3a4f20", 8)
    )
    return _portrait_svg("#141015", "#a8752f", inside, (316, 120))


def draw_marsh_hound() -> str:
    """Draw the portrait of the marsh hound: a long head, held low, before the reeds of the marsh."""
    reeds = "".join(
        f'<path d="M{x} 400 Q{x + 8} {y + 80} {x + 18} {y}" stroke="#2c3b26" stroke-width="7" fill="none"/>'
        for x, y in ((20, 210), (54, 250), (330, 220), (364, 180), (300, 270))
    )
    inside = (
        reeds
        + _filled_paths("#3d3a36", "M70 400 Q90 250 150 220 L250 220 Q310 250 330 400z")
        + _filled_paths("#4e4a44", "M128 170 L96 66 Q150 90 172 132z M272 170 L304 66 Q250 90 228 132z")
        + _filled_paths("#6b655c", "M138 154 L110 86 Q146 104 166 138z")
        + _filled_paths(
            "#57524b",
            "M124 170 Q140 110 200 112 Q260 110 276 170 Q272 226 236 270 Q226 336 200 338 Q174 336 164 270 Q128 226 124 170z",
        )
        + _filled_paths(
            "#756e64", "M200 112 Q260 110 276 170 Q272 226 236 270 Q228 330 200 338 Q214 240 200 112z"
        )
        + _filled_paths("#1c1917", "M176 296 Q200 282 224 296 Q220 322 200 326 Q180 322 176 296z")
        + _eyes("#e9b44c", 194, 42, 11)
        + _eyes("#17130f", 195, 42, 5)
        + '<path d="M148 176 L184 190 M252 176 L216 190" stroke="#2c2824" stroke-width="8" stroke-linecap="round"/>'
    )
    return _portrait_svg("#131c1b", "#66806a", inside, (200, 60))


def draw_toll_guard() -> str:
    """Draw the portrait of the toll guard: a face under a kettle hat."""
    inside = (
        _shoulders("#5d2a26", "#8c443a")
        + _filled_paths("#b9a15c", "M190 330 h20 v70 h-20z")
        + _head("#d7a582", "#97694d")
        + _filled_paths("#6c747b", "M126 156 Q126 66 200 62 Q274 66 274 156z")
        + _filled_paths("#99a3aa", "M200 62 Q274 66 274 156 L236 156 Q244 96 200 62z")
        + _filled_paths("#4b5258", "M76 168 Q200 124 324 168 Q312 186 200 176 Q88 186 76 168z")
        + _filled_paths("#7b858c", "M200 150 Q280 150 324 168 Q312 186 200 176z")
        + '<path d="M136 176 Q132 268 200 292 Q268 268 264 176" fill="none" stroke="#43291d" stroke-width="8"/>'
        + _eyes(y=204)
        + _mouth("#6e3a2b", -4)
    )
    return _portrait_svg("#171a20", "#8a7a66", inside)


def draw_captain() -> str:
    """Draw a plume, a moustache, and a gold chain."""
    inside = (
        _shoulders("#2a2f4a", "#454d74")
        + '<path d="M110 316 Q200 400 290 316" fill="none" stroke="#d8b45c" stroke-width="11" stroke-dasharray="14 6"/>'
        + _head("#e3b794", "#a67658")
        + _filled_paths("#20222e", "M104 156 Q110 60 206 58 Q300 62 298 152 Q200 112 104 156z")
        + _filled_paths("#353a52", "M206 58 Q300 62 298 152 Q250 132 206 128z")
        + _filled_paths("#c4472c", "M120 104 Q60 40 128 18 Q196 20 250 76 Q180 62 120 104z")
        + _filled_paths("#e06a4a", "M128 18 Q196 20 250 76 Q190 44 128 18z")
        + _filled_paths(
            "#3b2414", "M200 234 Q168 220 140 244 Q170 258 200 246 Q230 258 260 244 Q232 220 200 234z"
        )
        + _filled_paths("#3b2414", "M188 264 h24 q-2 30 -12 36 q-10 -6 -12 -36z")
        + _eyes(y=194)
        + _brows("#3b2414", 7)
    )
    return _portrait_svg("#14131c", "#b58a3e", inside)


def draw_ash_moth() -> str:
    """Draw wings with eyes on them, before a lamp."""
    wing = (
        "M200 190 Q120 60 30 84 Q16 190 96 236 Q40 270 74 336 Q150 344 200 236z "
        "M200 190 Q280 60 370 84 Q384 190 304 236 Q360 270 326 336 Q250 344 200 236z"
    )
    inside = (
        '<circle cx="200" cy="176" r="150" fill="#ffcf62" opacity=".22"/>'
        + _filled_paths("#8a8178", wing)
        + _filled_paths(
            "#b5aca0", "M200 190 Q280 60 370 84 Q300 110 250 196z M200 190 Q120 60 30 84 Q100 110 150 196z"
        )
        + _filled_paths(
            "#5c544d",
            "M200 236 Q250 344 326 336 Q260 310 226 236z M200 236 Q150 344 74 336 Q140 310 174 236z",
        )
        + "".join(
            f'<circle cx="{x}" cy="150" r="30" fill="#3a332f"/><circle cx="{x}" cy="150" r="17" fill="#d9952f"/><circle cx="{x}" cy="150" r="7" fill="#1c1715"/>'
            for x in (104, 296)
        )
        + _filled_paths("#4a423c", "M182 150 Q200 130 218 150 L214 310 Q200 336 186 310z")
        + '<path d="M192 144 Q170 90 132 84 M208 144 Q230 90 268 84" fill="none" stroke="#4a423c" stroke-width="6"/>'
        + _eyes("#f4c95a", 158, 10, 5)
    )
    return _portrait_svg("#171417", "#c98a3a", inside, (200, 176))


PORTRAITS = {"vex": draw_vex, "brann": draw_brann, "sela": draw_sela, "odo": draw_odo}
CREATURES = {
    "goblin": draw_goblin,
    "lamp-thief": draw_lamp_thief,
    "marsh-hound": draw_marsh_hound,
    "toll-guard": draw_toll_guard,
    "toll-captain": draw_captain,
    "ash-moth": draw_ash_moth,
}
