"""The squares of a map, drawn for a terminal.

A square takes one line and a few columns. If the map has walls between squares, every two neighbouring
squares have a line between them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import groupby, pairwise

from ...tabletop import scene as form
from ...tabletop.distance_units import SQUARES
from ...tabletop.grid import CLOSED_DOOR, DIFFICULT, FLOOR, NOTHING, OPEN_DOOR, WALL
from ...tabletop.scene import Person, Scene, Zone
from ...tabletop.squares_and_lines import (
    UNIT,
    Segment,
    Square,
    Walls,
    column_name,
    footprint,
    middle_in_wall_units,
    parse_square,
    segments_in_wall_units,
)
from .labels_and_marks import (
    ACTIVE,
    DOWN,
    HIDDEN,
    acting_down_or_hidden_mark,
    active_person,
    has_place_and_not_left,
    is_down_or_out,
    person_to_centre_on,
    side_style_name,
)
from .text_width import Line, Piece, make_printable_line, pad, width_of, words_as_styled_lines, wrap_items

ARROWS = {
    (1, 0): "→",
    (-1, 0): "←",
    (0, 1): "↓",
    (0, -1): "↑",
    (1, 1): "↘",
    (-1, -1): "↖",
    (1, -1): "↗",
    (-1, 1): "↙",
}
GOAL = "◎"
IN_REACH = "◦"
HURT, OBSCURED, DARK, AREA, COVER = "✶", "≈", "▩", "◌", "◫"
LOOKS_OF_ZONES = {
    "hazard": (HURT, "hurt"),
    "obscured": (OBSCURED, "obscured"),
    "dark": (DARK, "dark"),
    "difficult": ("", ""),
    "wall": ("█", "wall"),
    "cover": (COVER, "area"),
}
"""The look of each kind of zone: its sign, its colours."""

# Where walls meet, by whether one goes up, right, down and left from there.
JOINTS = " ╹╺┗╻┃┏┣╸┛━┻┓┫┳╋"
WALLED, SHUT, OPEN, ONWARD, BACK = "wall", "shut", "open", "onward", "back"
SEEN, WALKED, OBSTACLE = "seen through", "walked through", "obstacle"
EDGES = {  # the sign between squares side by side, the sign between squares one above the other, the style
    WALLED: ("┃", "━", "edge"),
    SHUT: ("▮", "▬", "door"),
    OPEN: ("▯", "▭", "door"),
    SEEN: ("┊", "┈", "edge"),  # a window, a railing: it stops steps alone
    WALKED: ("╎", "╌", "edge"),  # a curtain: it stops sight alone
    OBSTACLE: ("┆", "┄", "edge"),  # a tree, a rock: one sees in, not through
    ONWARD: ("▹", "▿", "edge"),  # a one-way wall, passable from the left or upper square
    BACK: ("◃", "▵", "edge"),
}
Edge = tuple[Square, Square]
HEAD = 2
"""The lines above the first row: the names of columns, and the frame."""


MARGIN = 2
"""The squares around a cursor that stay visible."""


def first_shown_row_or_column(count: int, fitting: int, centre: int, cursor: int | None = None) -> int:
    """Return the first column or row to show, if only `fitting` of `count` can be shown.

    The columns or rows around `centre` are shown. They move only as far as needed to include the `cursor`.
    """
    first = centre - fitting // 2
    first = min(max(0, first), count - fitting)
    if cursor is not None:
        margin = min(MARGIN, (fitting - 1) // 2)
        first = min(max(first, cursor + margin - fitting + 1), cursor - margin)
    return min(max(0, first), count - fitting)


class DrawnMap:
    """The map drawn for a terminal of some width; columns that don't fit are left out."""

    def __init__(
        self,
        scene: Scene,
        board: form.Board,
        tokens: Mapping[str, str],
        path: Sequence[Square],
        reach: Collection[Square],
        width: int,
        cursor: Square | None = None,
    ) -> None:
        self.scene, self.tokens, self.reach, self.cursor = scene, tokens, reach, cursor
        self.active = active_person(scene)
        watched = person_to_centre_on(scene)
        self.centre: Square = (0, 0)
        if watched is not None:
            x, y = _square_of_person_or_a1(watched)
            self.centre = x + watched.size // 2, y + watched.size // 2
        self.grid = board.grid
        self.seen = board.seen
        self.edges = _kinds_of_lines_between_squares(board)
        self.between = 1 if self.edges else 0
        self.zones = _looks_of_zone_squares(board)
        self.zone_list = board.zones
        signs = {path[-1]: GOAL} if path else {}
        for here, there in pairwise(path):
            step = (there[0] - here[0], there[1] - here[1])
            signs.setdefault(here, ARROWS.get(step, "•"))
        self.path = signs
        # A column for the state or the ground, and the label: three columns look square.
        self.cell = 1 + max([2, *map(width_of, tokens.values())])
        self.pitch = self.cell + self.between
        self.gutter = len(str(self.grid.height)) + 1
        fitting = max(1, (width - self.gutter - 2 + self.between) // self.pitch)
        self.shown = self._shown_columns(min(fitting, self.grid.width))
        self.inner = self.pitch * len(self.shown) - self.between
        self.width = self.gutter + 2 + self.inner
        self.absent: list[str] = []

    def _shown_columns(self, fitting: int) -> range:
        """Return the columns to show: all, or if not all fit, those around the centre.

        The cursor's column is always included.
        """
        cursor = self.cursor[0] if self.cursor else None
        return range(
            first := first_shown_row_or_column(self.grid.width, fitting, self.centre[0], cursor),
            first + fitting,
        )

    # --- the picture

    def lines(self) -> list[Line]:
        """Return the map with its coordinates and frame. A dotted side means that the map continues there."""
        left = "│" if self.shown.start == 0 else "┊"
        right = "│" if self.shown.stop == self.grid.width else "┊"
        across, indent = "─" * self.inner, " " * self.gutter
        lines: list[Line] = [self._column_names(), [(f"{indent}┌{across}┐", "axis")]]
        active_rows = {y for _, y in self._active_squares()}
        for row, signs in enumerate(self._draw_canvas()):
            y, between = divmod(row, 1 + self.between)
            number = "" if between else str(y + 1)
            style = "axis.active" if y in active_rows else "axis"
            cells = [
                ("".join(sign for sign, _ in run), look)
                for look, run in ((look, list(run)) for look, run in groupby(signs, key=lambda one: one[1]))
            ]
            lines.append([(f"{number:>{self.gutter - 1}} ", style), (left, "axis"), *cells, (right, "axis")])
        lines.append([(f"{indent}└{across}┘", "axis")])
        return lines

    def _draw_canvas(self) -> list[list[Piece]]:
        high = self.grid.height * (1 + self.between) - self.between
        canvas: list[list[Piece]] = [[(" ", "")] * self.inner for _ in range(high)]
        for y in range(self.grid.height):
            for x in self.shown:
                text, style = self._look_of_square((x, y))
                self._draw_texts(canvas, (x, y), [text], style)
        if self.between:
            self._draw_ground_between(canvas)
            self._draw_edges(canvas)
        self._draw_tokens_and_find_absent(canvas)
        self._draw_cursor(canvas)
        return canvas

    def _draw_cursor(self, canvas: list[list[Piece]]) -> None:
        """Draw the cursor's square inverted, with a bracket at each end that has no other sign."""
        if self.cursor is None or self.cursor[0] not in self.shown:
            return
        column, row = self._canvas_column_and_row(self.cursor)
        if not 0 <= row < len(canvas):
            return
        last = column + self.cell - 1
        for across in range(column, min(column + self.cell, self.inner)):
            sign, style = canvas[row][across]
            bracket = {column: "[", last: "]"}.get(across)
            free = sign in " ·░█▒" or (across == column and sign == ACTIVE)
            canvas[row][across] = (bracket if bracket and free else sign, f"cursor/{style}")

    def square_at(self, column: int, line: int) -> Square | None:
        """Return the square drawn at a column and line of `lines`; None if there is none."""
        x, y = (column - self.gutter - 1) // self.pitch, (line - HEAD) // (1 + self.between)
        inside = column > self.gutter and line >= HEAD and x < len(self.shown) and y < self.grid.height
        return (self.shown[x], y) if inside else None

    def line_of(self, square: Square) -> int:
        """Return the index in `lines` of a square's first line."""
        return HEAD + square[1] * (1 + self.between)

    def _draw_texts(
        self, canvas: list[list[Piece]], square: Square, texts: Sequence[str], style: str
    ) -> None:
        """Draw texts, one below the other, from a square's upper left corner.

        Text outside the canvas is cut off.
        """
        column, row = self._canvas_column_and_row(square)
        for down, text in enumerate(texts):
            across = column
            for sign in text:
                if 0 <= across < self.inner and 0 <= row + down < len(canvas):
                    canvas[row + down][across] = (sign, style)
                across += 1
                # A wide letter takes two columns, the second of which stays empty.
                for _ in range(width_of(sign) - 1):
                    if 0 <= across < self.inner and 0 <= row + down < len(canvas):
                        canvas[row + down][across] = ("", style)
                    across += 1

    def _canvas_column_and_row(self, square: Square) -> tuple[int, int]:
        return (square[0] - self.shown.start) * self.pitch, square[1] * (1 + self.between)

    def _draw_ground_between(self, canvas: list[list[Piece]]) -> None:
        """Draw ground on the lines between squares, wherever the neighbours have the same ground."""
        for y in range(self.grid.height):
            for x in self.shown:
                column, row = self._canvas_column_and_row((x, y))
                beside, below = x + 1 in self.shown, y + 1 < self.grid.height
                if beside:
                    canvas[row][column + self.cell] = self._look_of_seam((x, y), (x + 1, y))
                if below:
                    seam = self._look_of_seam((x, y), (x, y + 1))
                    canvas[row + 1][column : column + self.cell] = [seam] * self.cell
                if beside and below:
                    around = (x, y), (x + 1, y), (x, y + 1), (x + 1, y + 1)
                    canvas[row + 1][column + self.cell] = self._look_of_seam(*around)

    def _look_of_seam(self, *squares: Square) -> Piece:
        """Return the look of the place where neighbouring squares meet.

        If all these squares are drawn in the same style, the place is drawn like the first of them. If the
        styles differ and one of the squares is empty space (the sign NOTHING), the place is blank. Otherwise
        it is plain floor.
        """
        (text, style), *others = (self._look_of_square(square) for square in squares)
        if all(style.removesuffix(".odd") == theirs.removesuffix(".odd") for _, theirs in others):
            return text[0], style
        if any(self.grid.sign_at(square) == NOTHING for square in squares):
            return " ", ""
        return " ", "floor/floor"

    def _draw_edges(self, canvas: list[list[Piece]]) -> None:
        for (here, there), kind in self.edges.items():
            upright, level, style = EDGES[kind]
            column, row = self._canvas_column_and_row(here)
            if here[0] not in self.shown:
                continue
            if there[0] > here[0]:
                if there[0] in self.shown:
                    ground = canvas[row][column + self.cell][1].partition("/")[2]
                    canvas[row][column + self.cell] = (upright, f"{style}/{ground}" if ground else style)
            else:
                for across in range(column, column + self.cell):
                    ground = canvas[row + 1][across][1].partition("/")[2]
                    canvas[row + 1][across] = (level, f"{style}/{ground}" if ground else style)
        for y in range(self.grid.height - 1):
            for x in self.shown[:-1]:
                arms = (
                    ((x, y), (x + 1, y)),
                    ((x + 1, y), (x + 1, y + 1)),
                    ((x, y + 1), (x + 1, y + 1)),
                    ((x, y), (x, y + 1)),
                )
                joint = sum(1 << number for number, edge in enumerate(arms) if self.edges.get(edge) == WALLED)
                if joint:
                    column, row = self._canvas_column_and_row((x, y))
                    ground = canvas[row + 1][column + self.cell][1].partition("/")[2]
                    style = f"edge/{ground}" if ground else "edge"
                    canvas[row + 1][column + self.cell] = (JOINTS[joint], style)

    # --- tokens

    def _draw_tokens_and_find_absent(self, canvas: list[list[Piece]]) -> None:
        people = self.scene.people
        standing = [one for one in people.values() if has_place_and_not_left(one)]
        # The actor lies on top, and the fallen at the bottom.
        standing.sort(key=lambda one: (one is self.active, not is_down_or_out(one)))
        owners: dict[Square, Person] = {}
        for one in standing:
            at = _square_of_person_or_a1(one)
            self._draw_texts(canvas, at, self._token_texts(one, at), self._token_style(one))
            owners |= dict.fromkeys(footprint(at, one.size), one)
        seen = {one.id for (x, y), one in owners.items() if x in self.shown and 0 <= y < self.grid.height}
        self.absent = [person for person, one in people.items() if one in standing and person not in seen]

    def _token_style(self, person: Person) -> str:
        side = side_style_name(person)
        if person is self.active:
            return f"token.active/active.{side}"
        return "token.down/down" if is_down_or_out(person) else f"token.{side}/{side}"

    def _token_texts(self, person: Person, at: Square) -> list[str]:
        """Return the lines of a person's token: the mark and the label, in a box for a large creature."""
        mark, label, size = (
            acting_down_or_hidden_mark(self.scene, person.id),
            self.tokens[person.id],
            person.size,
        )
        if size == 1:
            ground = "░" if self._is_difficult(at) else " "
            return [(mark or ground) + label + ground * (self.cell - 1 - width_of(label))]
        across = self.pitch * size - self.between
        high = (1 + self.between) * size - self.between
        head = (mark or "┌") + label
        box = [head + "─" * (across - 1 - width_of(head)) + "┐"]
        box += ["│" + " " * (across - 2) + "│"] * (high - 2)
        return [*box, "└" + "─" * (across - 2) + "┘"]

    def _active_squares(self) -> tuple[Square, ...]:
        if self.active is None or not has_place_and_not_left(self.active):
            return ()
        return footprint(_square_of_person_or_a1(self.active), self.active.size)

    # --- the ground

    def _column_names(self) -> Line:
        active_columns = {x for x, _ in self._active_squares()}
        names: Line = [(" " * (self.gutter + 1), "")]
        for x in self.shown:
            style = "axis.active" if x in active_columns else "axis"
            names.append((pad(f" {column_name(x)}", self.pitch), style))
        return names

    def _is_difficult(self, square: Square) -> bool:
        zone = self.zones.get(square)
        return self.grid.is_difficult(square) or bool(zone and zone[2])

    def _look_of_square(self, square: Square) -> Piece:
        """Return the look of a square.

        Empty space and walls always have their own look. On other squares, a marked path or reach comes
        first, then a zone, then the square's own ground.
        """
        character = self.grid.sign_at(square)
        if character == NOTHING:
            return " " * self.cell, ""
        unseen = self._is_unseen(square)
        if character == WALL:
            x, y = square
            around = [(x + right, y + down) for right in (-1, 0, 1) for down in (-1, 0, 1)]
            facing = any(self.grid.sign_at(near) not in (WALL, NOTHING) for near in around) and not unseen
            return ("█" * self.cell, "wall/wall") if facing else ("▒" * self.cell, "rock/rock")
        odd = ".odd" if sum(square) % 2 else ""
        rough = self._is_difficult(square)
        side = "░" if rough else " "
        middle = {FLOOR: "·", DIFFICULT: "░", CLOSED_DOOR: "▮", OPEN_DOOR: "▯"}[character]
        style = {FLOOR: f"floor/floor{odd}", DIFFICULT: "difficult/difficult"}.get(character, "door/door")
        if rough and character == FLOOR:
            middle, style = "░", "difficult/difficult"
        elif unseen and character == FLOOR:
            middle = " "
        if square in self.zones and character in (FLOOR, DIFFICULT):
            sign, kind, _ = self.zones[square]
            middle, style = sign or middle, f"{kind}/{kind}" if kind else style
        if square in self.path:
            middle, style = self.path[square], "path/path"
        elif square in self.reach:
            middle = IN_REACH if middle in "·░" else middle
            style = f"reach/reach{odd}"
        return side + middle + side * (self.cell - 2), style

    def _is_unseen(self, square: Square) -> bool:
        return self.seen is not None and square not in self.seen

    # --- the key to the signs

    def lines_below(self, width: int) -> list[Line]:
        """Return the lines below the map: what lies outside the picture, and the key to the signs.

        If only some columns are shown, a line says which. People outside the picture are listed with their
        squares.
        """
        items: list[Line] = []
        if len(self.shown) < self.grid.width:
            first, last = column_name(self.shown[0]), column_name(self.shown[-1])
            of = f"{column_name(0)} to {column_name(self.grid.width - 1)}"
            items += wrap_items(
                words_as_styled_lines(f"Columns {first} to {last} of {of} are shown.", "off"), width, " "
            )
        if self.absent:
            absent = [f"{self.tokens[person]} at {self.scene.people[person].at}" for person in self.absent]
            items += wrap_items(
                words_as_styled_lines("Outside the picture: " + ", ".join(absent), "off"), width, " "
            )
        return items + wrap_items([*self._key_to_signs(), *self._zone_key()], width, "  ")

    def _key_to_signs(self) -> list[Line]:
        squares = [(x, y) for y in range(self.grid.height) for x in self.shown]
        ground = {self.grid.sign_at(square) for square in squares}
        kinds = set(self.edges.values())
        marks = {
            acting_down_or_hidden_mark(self.scene, person)
            for person, one in self.scene.people.items()
            if has_place_and_not_left(one)
        }
        measure = self.scene.measure or SQUARES
        dear = f", every second diagonal {measure.words(2)}" if measure.diagonals_alternate else ""
        key = [
            (any(map(self._is_difficult, squares)), "░░░", "difficult", "difficult/difficult"),
            (
                any(self._is_unseen(square) and self.grid.sign_at(square) == FLOOR for square in squares),
                "   ",
                "no dot: not seen by players",
                "floor/floor",
            ),
            (CLOSED_DOOR in ground, " ▮ ", "closed door", "door/door"),
            (OPEN_DOOR in ground, " ▯ ", "open door", "door/door"),
            (SHUT in kinds, "▮▬", "closed door", "door/floor"),
            (OPEN in kinds, "▯▭", "open door", "door/floor"),
            (SEEN in kinds, "┊┈", "stops only steps", "edge/floor"),
            (WALKED in kinds, "╎╌", "stops only sight", "edge/floor"),
            (OBSTACLE in kinds, "┆┄", "cover; you see into it, not through", "edge/floor"),
            (
                bool(kinds & {ONWARD, BACK}),
                "".join(f"{EDGES[kind][0]}{EDGES[kind][1]}" for kind in (ONWARD, BACK) if kind in kinds),
                "one-way, in its direction",
                "edge/floor",
            ),
            (bool(self.reach), f" {IN_REACH} ", "in reach", "reach/reach"),
            (bool(self.path), f" {GOAL} ", "the path's end", "path/path"),
            (ACTIVE in marks, ACTIVE, "acting", "title"),
            (DOWN in marks, DOWN, "down", "title"),
            (HIDDEN in marks, HIDDEN, "hidden", "title"),
            (
                self.scene.measure not in (None, SQUARES),
                " · ",
                f"a square: {measure.words(1)}{dear}",
                "floor/floor",
            ),
        ]
        return [[(sign, style), (f" {meaning}", "quiet")] for there, sign, meaning, style in key if there]

    def _zone_key(self) -> Iterator[Line]:
        for zone in self.zone_list:
            sign, kind = _look_of_zone(zone)
            does = [what for what in zone.does if what != zone.name.lower()]
            does += ["hidden from players"] if zone.secret else []
            caption = f" {make_printable_line(zone.name)}" + (f": {', '.join(does)}" if does else "")
            yield [(f" {sign or '░'} ", f"{kind or 'difficult'}/{kind or 'difficult'}"), (caption, "quiet")]


def _square_of_person_or_a1(person: Person) -> Square:
    return parse_square(person.at or "A1")


def _looks_of_zone_squares(board: form.Board) -> dict[Square, tuple[str, str, bool]]:
    """Return the look of each square in a zone: its sign, its colours, and whether it is difficult.

    If a square is in several zones, it has the sign and the colours of the most dangerous zone. It is
    difficult if any of these zones is difficult.
    """
    found: dict[Square, tuple[str, str, bool]] = {}
    ranks = ["█", HURT, DARK, OBSCURED, COVER, AREA, ""]
    for zone in board.zones:
        sign, kind = _look_of_zone(zone)
        for square in map(parse_square, zone.squares):
            before = found.get(square, ("", "", False))
            rough = before[2] or zone.difficult
            shown = min((sign, kind), before[:2], key=lambda look: ranks.index(look[0]))
            found[square] = (*shown, rough)
    return found


def _look_of_zone(zone: Zone) -> tuple[str, str]:
    return LOOKS_OF_ZONES["hazard"] if zone.damage else LOOKS_OF_ZONES.get(zone.kind, (AREA, "area"))


def _kinds_of_lines_between_squares(board: form.Board) -> dict[Edge, str]:
    """Return the kind of line to draw between neighbouring squares, by pairs of squares.

    The left or upper square of a pair comes first.
    """
    found: dict[Edge, str] = {}
    for segment in segments_in_wall_units(board.one_way_walls):
        for edge, kind in _edges_and_kinds_of_one_way_wall(segment):
            found[edge] = kind if found.get(edge, kind) == kind else WALLED
    for kind, lines in (
        (WALKED, board.walk_through_walls),
        (SEEN, board.see_through_walls),
        (OBSTACLE, board.terrain_walls),
        (WALLED, board.walls),
        (OPEN, [door["at"] for door in board.doors if door["open"]]),
        (SHUT, [door["at"] for door in board.doors if not door["open"]]),
    ):
        for segment in segments_in_wall_units(lines):
            wall = Walls([segment])
            for here, there in _neighbouring_pairs_near(segment):
                if wall.stops_line_ignoring_one_way(middle_in_wall_units(here), middle_in_wall_units(there)):
                    found[here, there] = kind
    high, wide = len(board.rows), max(map(len, board.rows))
    return {
        (here, there): kind
        for (here, there), kind in found.items()
        if min(here) >= 0 and there[0] < wide and there[1] < high
    }


def _edges_and_kinds_of_one_way_wall(segment: Segment) -> Iterator[tuple[Edge, str]]:
    """Yield each pair of neighbouring squares that a one-way wall separates, with the open direction.

    If neither direction between the two squares is open, it is WALLED.
    """
    wall = Walls((), [segment])
    for here, there in _neighbouring_pairs_near(segment):
        a, b = middle_in_wall_units(here), middle_in_wall_units(there)
        onward, back = not wall.stops_line(a, b), not wall.stops_line(b, a)
        if not (onward and back):
            yield (here, there), ONWARD if onward else BACK if back else WALLED


def _neighbouring_pairs_near(segment: Segment) -> Iterator[Edge]:
    """Yield all pairs of neighbouring squares that a wall could separate.

    Near the wall, pairs that it doesn't separate are yielded, too. The left or upper square of a pair comes
    first.
    """
    (left, right), (top, bottom) = (sorted(axis) for axis in zip(*segment, strict=True))
    for y in range(top // UNIT - 1, bottom // UNIT + 1):
        for x in range(left // UNIT - 1, right // UNIT + 1):
            yield (x, y), (x + 1, y)
            yield (x, y), (x, y + 1)
