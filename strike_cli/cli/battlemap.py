"""The battle map in a terminal: the map itself, and beside or below it who is who.

One layout makes lines of pieces, each a text and the name of a style. `plain` writes the texts,
`rich_renderable` colours the same texts, so the two never disagree. Looks live here, rules do not.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import count, pairwise
from typing import TYPE_CHECKING, Any

from strike_cli.rules.grid import (
    CLOSED_DOOR,
    DIFFICULT,
    FLOOR,
    NOTHING,
    OPEN_DOOR,
    WALL,
    Grid,
    Square,
    column_name,
    footprint,
    format_square,
    parse_square,
)

if TYPE_CHECKING:
    from rich.text import Text

Fight = Mapping[str, Any]
Combatant = Mapping[str, Any]
# A text and its style: an ink, and after a slash the ground it is written on.
Piece = tuple[str, str]
Line = list[Piece]

WIDE = 90  # Columns from which the legend goes beside the map.
GUTTER = 3  # Columns between the map and a legend beside it.
BAR = 10  # Columns of an HP bar: one for each HP of a fresh character.
NARROWEST_LEGEND = 40
NARROWEST_NOTES = 24

ACTIVE, DOWN, HIDDEN = "▸", "✗", "?"
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

# For terminals and files that know no Unicode: one character for one, so that nothing moves.
ASCII = str.maketrans("█▒━░·◦◎▮▯▸✗→←↓↑↘↖↗↙─│┊┌┐└┘…—", "###~.o@+/>x********-|:++++.-")

PARTY, ENEMIES = "party", "enemies"


# --- the two forms


def plain(
    fight: Fight,
    width: int = 80,
    *,
    path: Sequence[Square] = (),
    reach: Collection[Square] = (),
    ascii_only: bool = False,
) -> str:
    """The map and its legend as text of at most `width` columns, for pipes and files.

    `path` and `reach` are squares to mark: a way to walk, and where a move may end. With `ascii_only`
    the drawing is in ASCII; names stay as they are.
    """
    lines = layout(fight, width, path=path, reach=reach)
    if ascii_only:
        lines = [[(text.translate(ASCII), style) for text, style in line] for line in lines]
    return "\n".join("".join(text for text, _ in line).rstrip() for line in lines)


def rich_renderable(
    fight: Fight, width: int, *, path: Sequence[Square] = (), reach: Collection[Square] = ()
) -> "Text":
    """The same in colour, for a Rich console of `width` columns. Names are never read as markup."""
    from rich.style import Style
    from rich.text import Text

    styles: dict[str, Style] = {}
    picture = Text(no_wrap=True, overflow="crop")
    for number, line in enumerate(layout(fight, width, path=path, reach=reach)):
        if number:
            picture.append("\n")
        for text, style in line:
            if style not in styles:
                styles[style] = Style.parse(_look(style))
            picture.append(text, styles[style])
    return picture


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
    "door": "bold #e0aa4a",
    "reach": "#9cc3ea",
    "path": "bold #ffd75f",
    "token.party": "bold #a6dcff",
    "token.enemies": "bold #ffb3a6",
    "token.other": "bold #e6dba8",
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
    "strikes": "magenta",
    "tokens": "cyan",
    "off": "italic",
}
GROUNDS = {
    "floor": "#26231f",
    "floor.odd": "#2c2925",
    "difficult": "#352f18",
    "wall": "#756d62",
    "rock": "#3f3b36",
    "door": "#4a3a1a",
    "reach": "#22405c",
    "reach.odd": "#264664",
    "path": "#54481c",
    "party": "#14527a",
    "enemies": "#74211a",
    "other": "#5c532a",
    "down": "#3a3632",
    "active.party": "#9bdcff",
    "active.enemies": "#ffab9c",
    "active.other": "#f0e2a0",
}


def _look(style: str) -> str:
    """A style's name as Rich spells the style itself."""
    ink, _, ground = style.partition("/")
    return f"{INKS[ink]} on {GROUNDS[ground]}" if ground else INKS[ink]


# --- labels


def labels(fight: Fight) -> dict[str, str]:
    """A short label for each combatant, by id; no two are the same, whatever their case.

    `goblin-1` is G1, or Go1 where a `ghoul-1` is about; others go by the first letter of their name,
    or by two of its letters where that is not enough. The initiative order plays no part.
    """
    combatants: Mapping[str, Combatant] = fight.get("combatants", {})
    party_first = sorted(combatants, key=lambda who: (combatants[who].get("side") != PARTY, *_kind(who), who))
    kinds = {kind for kind, number in map(_kind, combatants) if number >= 0}
    names = {who: _letters(combatants[who], who) for who in party_first if _kind(who)[1] < 0}
    found: dict[str, str] = {}
    taken: set[str] = set()
    for who in party_first:
        if who in names:
            initials = {letters[0] for other, letters in names.items() if other != who}
            candidates = _name_labels(names[who], initials)
        else:
            candidates = _numbered_labels(*_kind(who), kinds)
        label = next(label for label in candidates if label.casefold() not in taken)
        taken.add(label.casefold())
        found[who] = label[0].upper() + label[1:]
    return {who: found[who] for who in combatants}


def _kind(who: str) -> tuple[str, int]:
    """`goblin-1` -> `("goblin", 1)`; -1 for a one of a kind."""
    kind, _, number = who.rpartition("-")
    if kind and number.isascii() and number.isdecimal():
        return kind, int(number)
    return who, -1


def _letters(combatant: Combatant, who: str) -> str:
    """The letters to make a label of, in lower case: the name's, or else the id's."""
    for text in (_said(combatant.get("name", "")), who):
        letters = [letter for letter in text.lower() if letter.isalpha() and _columns(letter) == 1]
        if letters:
            return "".join(letters)
    return "x"


def _name_labels(letters: str, initials: Collection[str]) -> Iterator[str]:
    first = letters[0]
    if first not in initials:
        yield first
    for letter in letters[1:]:
        yield first + letter
    for number in count(1):
        yield f"{first}{number}"


def _numbered_labels(kind: str, number: int, kinds: Collection[str]) -> Iterator[str]:
    for length in range(1, len(kind) + 1):
        start = kind[:length]
        if not any(other.startswith(start) for other in kinds if other != kind):
            yield f"{start}{number}"
    yield f"{kind}{number}"
    for copy in count(1):
        yield f"{kind}{number}.{copy}"


# --- who is in what state


def _side(combatant: Combatant) -> str:
    side = combatant.get("side")
    return side if side in (PARTY, ENEMIES) else "other"


def _down(combatant: Combatant) -> bool:
    hp = combatant.get("hp")
    return bool(combatant.get("out")) or (hp is not None and hp <= 0)


def _on_map(combatant: Combatant) -> bool:
    return bool(combatant.get("at")) and combatant.get("out") != "left"


def _mark(fight: Fight, who: str) -> str:
    """One character for the state that matters most on the map."""
    if who == fight.get("active"):
        return ACTIVE
    combatant = fight["combatants"][who]
    if _down(combatant):
        return DOWN
    return HIDDEN if combatant.get("hidden") else ""


def in_order(fight: Fight) -> list[str]:
    """Everybody's id: the initiative order first, then those who are not in it."""
    combatants = fight.get("combatants", {})
    order = [who for who in fight.get("order", ()) if who in combatants]
    return order + [who for who in combatants if who not in order]


# --- the layout


def layout(
    fight: Fight, width: int, *, path: Sequence[Square] = (), reach: Collection[Square] = ()
) -> list[Line]:
    """The whole picture in lines of pieces, none wider than `width` columns."""
    tokens = labels(fight)
    lines = [*_headline(fight, width), []]
    rows = fight.get("map", {}).get("rows", ())
    board = _Board(fight, Grid(rows), tokens, path, reach, width) if rows else None
    if board is None:
        lines += _legend(fight, tokens, width)
    elif width >= WIDE and width - board.width - GUTTER >= NARROWEST_LEGEND:
        left = [*board.lines(), [], *board.notes(max(board.width, NARROWEST_NOTES))]
        room = width - max(map(_line_columns, left)) - GUTTER
        lines += _side_by_side(left, _legend(fight, tokens, room))
    else:
        lines += [*board.lines(), *board.notes(width), [], *_legend(fight, tokens, width)]
    while not lines[-1]:
        lines.pop()
    return [_cut(line, width) for line in lines]


def _headline(fight: Fight, width: int) -> list[Line]:
    title: Line = [(_said(fight.get("name", "")) or "Fight", "title")]
    if fight.get("round"):
        title += [(" · ", "quiet"), (f"Round {fight['round']}", "title")]
    active = fight.get("combatants", {}).get(fight.get("active"))
    if active is not None:
        turn = f"{_name(active, fight['active'])}'s turn"
        title += [(" · ", "quiet"), (turn, _side(active))]
    goal = _said(fight.get("goal", ""))
    return [title, *(_wrapped(_words(f"Goal: {goal}", "quiet"), width, " ") if goal else ())]


def _side_by_side(left: list[Line], right: list[Line]) -> list[Line]:
    column = max(map(_line_columns, left)) + GUTTER
    lines = []
    for number in range(max(len(left), len(right))):
        line = list(left[number]) if number < len(left) else []
        if number < len(right) and right[number]:
            line.append((" " * (column - _line_columns(line)), ""))
            line += right[number]
        lines.append(line)
    return lines


# --- the map


class _Board:
    """The map as cells of a few columns and one row each, cropped to the columns that fit."""

    __slots__ = (
        "cell",
        "fight",
        "grid",
        "gutter",
        "hidden_tokens",
        "path",
        "reach",
        "shown",
        "tokens",
        "tokens_at",
        "width",
    )

    def __init__(
        self,
        fight: Fight,
        grid: Grid,
        tokens: Mapping[str, str],
        path: Sequence[Square],
        reach: Collection[Square],
        width: int,
    ) -> None:
        self.fight, self.grid, self.tokens, self.reach = fight, grid, tokens, reach
        self.path = _arrows(path)
        # A column for the state or the ground, and the label: three columns look square.
        self.cell = 1 + max([2, *map(_columns, tokens.values())])
        self.gutter = len(str(grid.height)) + 1
        fitting = max(1, (width - self.gutter - 2) // self.cell)
        self.shown = self._window(min(fitting, grid.width))
        self.width = self.gutter + 2 + self.cell * len(self.shown)
        self.tokens_at, self.hidden_tokens = self._place_tokens()

    def _window(self, fitting: int) -> range:
        """The columns to show: all of them, or as many as fit around whoever acts."""
        combatants = self.fight.get("combatants", {})
        active = combatants.get(self.fight.get("active"))
        watched = active if active is not None and _on_map(active) else None
        if watched is None:
            watched = next((one for one in combatants.values() if _on_map(one)), None)
        centre = 0 if watched is None else parse_square(watched["at"])[0] + watched.get("size", 1) // 2
        first = min(max(0, centre - fitting // 2), self.grid.width - fitting)
        return range(first, first + fitting)

    def _place_tokens(self) -> tuple[dict[Square, Piece], list[str]]:
        """Each token's pieces by square, and who is on the map but not in the picture."""
        pieces: dict[Square, Piece] = {}
        owners: dict[Square, str] = {}
        combatants = self.fight.get("combatants", {})
        standing = [who for who in combatants if _on_map(combatants[who])]
        # Whoever acts lies on top, and the fallen at the bottom.
        standing.sort(key=lambda who: (who == self.fight.get("active"), not _down(combatants[who])))
        for who in standing:
            at, size = parse_square(combatants[who]["at"]), combatants[who].get("size", 1)
            style = self._token_style(who)
            for square, text in zip(footprint(at, size), self._token_texts(who, at, size), strict=True):
                pieces[square], owners[square] = (text, style), who
        in_picture = {who for (x, y), who in owners.items() if x in self.shown and 0 <= y < self.grid.height}
        return pieces, [who for who in combatants if who in standing and who not in in_picture]

    def _token_style(self, who: str) -> str:
        combatant = self.fight["combatants"][who]
        side = _side(combatant)
        if who == self.fight.get("active"):
            return f"token.active/active.{side}"
        return "token.down/down" if _down(combatant) else f"token.{side}/{side}"

    def _token_texts(self, who: str, at: Square, size: int) -> list[str]:
        """A small token in its cell, or a large one as a box, cut into cells."""
        mark, label = _mark(self.fight, who), self.tokens[who]
        if size == 1:
            ground = "░" if self.grid.difficult(at) else " "
            return [(mark or ground) + label + ground * (self.cell - 1 - _columns(label))]
        across = self.cell * size
        head = (mark or "┌") + label
        box = [head + "─" * (across - 1 - len(head)) + "┐"]
        box += ["│" + " " * (across - 2) + "│"] * (size - 2)
        box += ["└" + "─" * (across - 2) + "┘"]
        return [row[start : start + self.cell] for row in box for start in range(0, across, self.cell)]

    def lines(self) -> list[Line]:
        """The map with its coordinates and frame; a dotted side says that it goes on there."""
        left = "│" if self.shown.start == 0 else "┊"
        right = "│" if self.shown.stop == self.grid.width else "┊"
        across, indent = "─" * (self.cell * len(self.shown)), " " * self.gutter
        lines: list[Line] = [self._column_names(), [(f"{indent}┌{across}┐", "axis")]]
        active_rows = {y for _, y in self._active_squares()}
        for y in range(self.grid.height):
            style = "axis.active" if y in active_rows else "axis"
            cells = [self._square((x, y)) for x in self.shown]
            lines.append([(f"{y + 1:>{self.gutter - 1}} ", style), (left, "axis"), *cells, (right, "axis")])
        lines.append([(f"{indent}└{across}┘", "axis")])
        return lines

    def _column_names(self) -> Line:
        active_columns = {x for x, _ in self._active_squares()}
        names: Line = [(" " * (self.gutter + 1), "")]
        for x in self.shown:
            style = "axis.active" if x in active_columns else "axis"
            names.append((_padded(f" {column_name(x)}", self.cell), style))
        return names

    def _active_squares(self) -> tuple[Square, ...]:
        active = self.fight.get("combatants", {}).get(self.fight.get("active"))
        if active is None or not _on_map(active):
            return ()
        return footprint(parse_square(active["at"]), active.get("size", 1))

    def _square(self, square: Square) -> Piece:
        """One cell: a token, or else a way marked on the ground, or else the ground."""
        if square in self.tokens_at:
            return self.tokens_at[square]
        character = self.grid.char(square)
        if character == NOTHING:
            return " " * self.cell, ""
        if character == WALL:
            return (
                ("█" * self.cell, "wall/wall") if self._faces_room(square) else ("▒" * self.cell, "rock/rock")
            )
        odd = ".odd" if sum(square) % 2 else ""
        side = "░" if character == DIFFICULT else " "
        middle = {FLOOR: "·", DIFFICULT: "░", CLOSED_DOOR: "▮", OPEN_DOOR: "▯"}[character]
        style = {FLOOR: f"floor/floor{odd}", DIFFICULT: "difficult/difficult"}.get(character, "door/door")
        if square in self.path:
            middle, style = self.path[square], "path/path"
        elif square in self.reach:
            middle, style = IN_REACH if character in (FLOOR, DIFFICULT) else middle, f"reach/reach{odd}"
        return side + middle + side * (self.cell - 2), style

    def _faces_room(self, square: Square) -> bool:
        """Whether a wall borders on something else than wall, and isn't the inside of the rock."""
        x, y = square
        around = [(x + right, y + down) for right in (-1, 0, 1) for down in (-1, 0, 1)]
        return any(self.grid.char(near) not in (WALL, NOTHING) for near in around)

    def notes(self, width: int) -> list[Line]:
        """What the picture leaves out, and what its signs mean; only those that are in it."""
        items: list[Line] = []
        if len(self.shown) < self.grid.width:
            first, last = column_name(self.shown[0]), column_name(self.shown[-1])
            of = f"{column_name(0)} to {column_name(self.grid.width - 1)}"
            items += _wrapped(_words(f"Columns {first} to {last} of {of} are shown.", "off"), width, " ")
        if self.hidden_tokens:
            combatants = self.fight["combatants"]
            absent = [f"{self.tokens[who]} at {combatants[who]['at']}" for who in self.hidden_tokens]
            items += _wrapped(_words("Not in the picture: " + ", ".join(absent), "off"), width, " ")
        return items + _wrapped(self._key(), width, "  ")

    def _key(self) -> list[Line]:
        squares = [(x, y) for y in range(self.grid.height) for x in self.shown]
        ground = {self.grid.char(square) for square in squares}
        marks = {
            _mark(self.fight, who) for who, one in self.fight.get("combatants", {}).items() if _on_map(one)
        }
        key = [
            (DIFFICULT in ground, "░░░", "difficult", "difficult/difficult"),
            (CLOSED_DOOR in ground, " ▮ ", "closed door", "door/door"),
            (OPEN_DOOR in ground, " ▯ ", "open door", "door/door"),
            (bool(self.reach), f" {IN_REACH} ", "in reach", "reach/reach"),
            (bool(self.path), f" {GOAL} ", "the path's end", "path/path"),
            (ACTIVE in marks, ACTIVE, "acting", "title"),
            (DOWN in marks, DOWN, "down", "title"),
            (HIDDEN in marks, HIDDEN, "hidden", "title"),
        ]
        return [[(sign, style), (f" {meaning}", "quiet")] for there, sign, meaning, style in key if there]


def _arrows(path: Sequence[Square]) -> dict[Square, str]:
    """A sign for each square of the path: where the next step goes, and the goal."""
    signs = {path[-1]: GOAL} if path else {}
    for here, there in pairwise(path):
        step = (there[0] - here[0], there[1] - here[1])
        signs.setdefault(here, ARROWS.get(step, "•"))
    return signs


# --- the legend


def _legend(fight: Fight, tokens: Mapping[str, str], width: int) -> list[Line]:
    """Everybody in initiative order: label, name, HP, square, initiative, and what ails them."""
    combatants = fight.get("combatants", {})
    everybody = in_order(fight)
    if not everybody:
        return []
    columns = _Columns([combatants[who] for who in everybody], everybody, tokens, width)
    lines: list[Line] = [[(columns.heading(), "quiet")]]
    for who in everybody:
        lines += _entry(fight, who, tokens[who], columns)
    return lines


class _Columns:
    """How wide each column of the legend is. Narrow terminals go without bars, then cut names."""

    __slots__ = ("at", "bar", "hp", "indent", "initiative", "label", "name", "rest", "width")

    def __init__(
        self, combatants: Sequence[Combatant], ids: Sequence[str], tokens: Mapping[str, str], width: int
    ) -> None:
        self.width = width
        self.label = max(map(_columns, tokens.values()))
        self.hp = max(2, *(len(_hp(one)) for one in combatants))
        self.at = max(2, *(len(_place(one)) for one in combatants))
        self.initiative = max(4, *(len(_initiative(one)) for one in combatants))
        self.indent = 2 + self.label + 1
        longest = max(4, *(_columns(_name(one, who)) for one, who in zip(combatants, ids, strict=True)))
        fixed = self.indent + 1 + self.hp + 2 + self.at + 1 + self.initiative
        self.bar = BAR + 1 if width - fixed - BAR - 1 >= min(longest, 10) else 0
        self.name = min(longest, max(4, width - fixed - self.bar))
        self.rest = width - fixed - self.bar - self.name - 2

    def heading(self) -> str:
        name = _padded("Name", self.name)
        hp = f"{'HP':>{self.hp}}"
        at = f"{_padded('At', self.at)} {'Init':>{self.initiative}}"
        return f"{' ' * self.indent}{name} {' ' * self.bar}{hp}  {at}"


def _entry(fight: Fight, who: str, label: str, columns: _Columns) -> list[Line]:
    combatant = fight["combatants"][who]
    side, down = _side(combatant), _down(combatant)
    style = "down" if down else side
    active = who == fight.get("active")
    line: Line = [
        (f"{ACTIVE if active else ' '} ", "title"),
        (_padded(label, columns.label), f"token.active/active.{side}" if active else style),
        (" ", ""),
        (_padded(_clipped(_name(combatant, who), columns.name), columns.name), style),
        (" ", ""),
    ]
    if columns.bar:
        line += [*_bar(combatant), (" ", "")]
    line += [
        (f"{_hp(combatant):>{columns.hp}}", "down" if down else ""),
        (f"  {_padded(_place(combatant), columns.at)}", "down" if down else ""),
        (f" {_initiative(combatant):>{columns.initiative}}", "quiet"),
    ]
    remarks = _remarks(combatant)
    if not remarks:
        return [line]
    if sum(map(_line_columns, remarks)) + 2 * (len(remarks) - 1) <= columns.rest:
        return [[*line, ("  ", ""), *_wrapped(remarks, columns.rest, ", ")[0]]]
    indent: Piece = (" " * columns.indent, "")
    return [line, *([indent, *rest] for rest in _wrapped(remarks, columns.width - columns.indent, ", "))]


def _bar(combatant: Combatant) -> Line:
    """HP as a bar of ten columns; anybody still up shows at least one."""
    hp, full = combatant.get("hp"), combatant.get("max_hp")
    if hp is None or not full:
        return [(" " * BAR, "")]
    filled = min(BAR, max(0, -(-hp * BAR // full)))
    state = "bar.low" if hp * 4 <= full else "bar.hurt" if hp * 2 <= full else "bar.good"
    return [("━" * filled, state), ("·" * (BAR - filled), "bar.empty")]


def _remarks(combatant: Combatant) -> list[Line]:
    """What a player should know about somebody, the gravest first."""
    hp, full, out = combatant.get("hp"), combatant.get("max_hp") or 0, combatant.get("out")
    statuses = [_status_name(status.get("id", "")) for status in combatant.get("statuses", ())]
    remarks: list[Piece] = []
    if out:
        remarks.append((_status_name(out), "down"))
    elif _down(combatant):
        remarks += [("Incapacitated", "grave")] if "Incapacitated" not in statuses else []
    elif "Bloodied" in statuses or (hp is not None and hp * 2 <= full):
        remarks.append(("Bloodied", "grave"))
    remarks += [(name, "status") for name in dict.fromkeys(statuses) if name != "Bloodied"]
    if combatant.get("hidden") and "Hidden" not in statuses:
        remarks.append(("Hidden", "status"))
    for key, one, many, style in (
        ("strikes", "Strike", "Strikes", "strikes"),
        ("miss_tokens", "Miss Token", "Miss Tokens", "tokens"),
    ):
        number = combatant.get(key, 0)
        if number:
            remarks.append((f"{number} {one if number == 1 else many}", style))
    return [[remark] for remark in remarks]


def _status_name(identifier: str) -> str:
    """`core:knocked-down` -> `Knocked Down`."""
    words = _said(identifier.rpartition(":")[2].replace("-", " ").replace("_", " "))
    return " ".join(word[:1].upper() + word[1:] for word in words.split())


def _name(combatant: Combatant, who: str) -> str:
    return _said(combatant.get("name", "")) or who


def _hp(combatant: Combatant) -> str:
    hp, full = combatant.get("hp"), combatant.get("max_hp")
    if hp is None:
        return "—"
    return f"{hp}/{full}" if full else str(hp)


def _place(combatant: Combatant) -> str:
    return format_square(parse_square(combatant["at"])) if _on_map(combatant) else "—"


def _initiative(combatant: Combatant) -> str:
    initiative = combatant.get("initiative")
    return "—" if initiative is None else str(initiative)


# --- text in columns


def _said(text: str) -> str:
    """What people wrote, on one line and without characters that steer the terminal."""
    return " ".join("".join(each if each.isprintable() else " " for each in text).split())


def _columns(text: str) -> int:
    """How many columns of a terminal a text takes; East Asian letters take two."""
    if text.isascii():
        return len(text)
    from unicodedata import combining, east_asian_width

    return sum(0 if combining(each) else 1 + (east_asian_width(each) in "WF") for each in text)


def _padded(text: str, width: int) -> str:
    return text + " " * (width - _columns(text))


def _clipped(text: str, width: int) -> str:
    """The text, or its beginning with an ellipsis where it is too wide."""
    if _columns(text) <= width:
        return text
    while text and _columns(text) > width - 1:
        text = text[:-1]
    return (text + "…")[: max(width, 0)]


def _line_columns(line: Line) -> int:
    return sum(_columns(text) for text, _ in line)


def _cut(line: Line, width: int) -> Line:
    """The line, cut off where a terminal is narrower than anything sensible."""
    room, kept = width, []
    for text, style in line:
        if _columns(text) > room:
            kept.append((_clipped(text, room), style))
            break
        kept.append((text, style))
        room -= _columns(text)
    return kept


def _words(text: str, style: str) -> list[Line]:
    return [[(word, style)] for word in text.split()]


def _wrapped(items: Sequence[Line], width: int, between: str) -> list[Line]:
    """The items on as many lines as they need, with `between` where two share a line."""
    lines: list[Line] = []
    for item in items:
        if lines and _line_columns(lines[-1]) + len(between) + _line_columns(item) <= width:
            lines[-1] += [(between, "quiet"), *item]
        elif lines and between.strip():
            lines[-1].append((between.rstrip(), "quiet"))
            lines.append(list(item))
        else:
            lines.append(list(item))
    return lines
