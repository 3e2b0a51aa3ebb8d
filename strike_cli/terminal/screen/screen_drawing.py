"""Draws a whole screen as rows that exactly fit a terminal.

It also says what a click on each place of the screen hits.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from rich.cells import cell_len
from rich.style import Style

from ...kernel.statements import ENGLISH
from ...play.forecast import Preview
from ...problems import pluralize
from ...tabletop.grid import Square, column_name
from ...tabletop.scene import Asked, Scene
from ...untrusted_input import replace_unprintable
from ..battlemap.board import HEAD, DrawnMap, first_shown_row_or_column
from ..battlemap.colours import rich_style
from ..battlemap.labels_and_marks import map_labels, side_style_name
from ..battlemap.legend import legend_entries
from ..battlemap.text_width import make_printable_line
from ..command_output import Line, styled_spans
from ..scene_view import blocks_without_map_and_people, possessive_name, to_act_lines_unless_list
from .campaign_view import (
    CampaignView,
    DicePrompt,
    LogLines,
    PossibleMove,
    ShownDecision,
    acting_person_id,
    chance_words_of_preview,
    modifier_words_of_preview,
    opportunity_warning,
    path_length_words,
    path_squares,
    square_name,
)
from .screen_state import ScreenState
from .text_rows import (
    DIM,
    PICKED,
    STRONG,
    Row,
    clip_with_ellipsis,
    fit_block,
    fit_rows_marking_omissions,
    fit_width,
    heading_row,
    make_row,
    parse_style,
    row_from_map_line,
    rows_of_blocks,
    rows_up_to_newest_marking_cut,
    side_by_side,
    width_of_row,
    wrap_line,
    wrap_row,
)

SMALLEST = (78, 16)
NARROWEST_LIST, WIDEST_LIST = 31, 62
NARROWEST_LEFT = 44
"""The columns that the log and the people's list need."""
SIDE_BY_SIDE = 100
"""The columns from which the log of `strike watch` is beside the map."""
SHORTEST_LOG = 5
FOOT_ROWS = 3
"""The rows below the panels: the effect of Enter, its preview, the keys. The input line is below them, and
not drawn here."""
WARN, COMMAND, GOOD, FRAME = (parse_style(each) for each in ("bold yellow", "cyan", "green", "yellow"))


class ClickTarget(NamedTuple):
    """What a click hits: a "square", a "person", an "action", an "answer", or the "log".

    An action is given by its `number` in the list, and an answer by its `number` among the answers; both
    count from 0.
    """

    kind: str
    square: Square | None = None
    who: str = ""
    number: int = 0


Hits = Callable[[int, int], "ClickTarget | None"]


def _no_click_target(column: int, line: int) -> ClickTarget | None:
    return None


class Panel(NamedTuple):
    """The rows of a panel, with a function that finds click targets.

    The function takes a column and a line of the panel, and returns what a click there hits.
    """

    rows: list[Row]
    find_target: Hits = _no_click_target


class ClickArea(NamedTuple):
    """The place of a panel on the screen, with the function that finds the panel's click targets."""

    left: int
    top: int
    width: int
    height: int
    find_target: Hits


class DrawnScreen(NamedTuple):
    """A drawn screen: its rows, and the areas that can be clicked, the topmost first."""

    rows: list[Row]
    areas: tuple[ClickArea, ...] = ()

    def click_target_at(self, column: int, line: int) -> ClickTarget | None:
        """Return what a click at a column and line hits; None for nothing."""
        for area in self.areas:
            if 0 <= column - area.left < area.width and 0 <= line - area.top < area.height:
                return area.find_target(column - area.left, line - area.top)
        return None


# --- the screen to play from


def draw_play_screen(
    screen_state: ScreenState, width: int, height: int, hint: Sequence[Line] = ()
) -> DrawnScreen:
    """Return the screen of `strike play`, without the input line.

    A `hint` replaces the two rows that say what Enter would do.
    """
    if width < SMALLEST[0] or height < SMALLEST[1]:
        return _too_small_screen(width, height)
    scene = screen_state.scene
    head = [
        headline_and_waiting_row(screen_state.view, scene, width),
        *_oldest_proposal_rows(screen_state.view, width),
    ]
    at = len(head)
    room = height - at - FOOT_ROWS
    left, right = _left_and_right_widths(scene, width)
    if scene is None:
        upper = Panel(
            [
                *wrap_line(("Nothing is on the table.", "strong"), left),
                *wrap_line("Begin a scene with a command: type one below; Tab lists them.", left),
                [],
            ]
        )
    elif _has_map(scene):
        upper = map_panel_with_cursor_and_path(screen_state, scene, left, room - SHORTEST_LOG)
    else:
        upper = panel_without_map(screen_state.view, scene, left, room - SHORTEST_LOG)
    log_room = room - len(upper.rows)
    lower = log_rows(screen_state.log_entries_and_messages, left, log_room, screen_state.log_rows_back)
    order = (
        turn_order_panel(scene, right, max(room // 2, room - (len(screen_state.listed_moves) + 2)))
        if scene and _has_map(scene)
        else Panel([])
    )
    actions = actions_panel(screen_state, right, room - len(order.rows))
    body = side_by_side(
        fit_block([*upper.rows, *lower], left, room), fit_block([*order.rows, *actions.rows], right, room)
    )
    areas = [
        ClickArea(0, at, left, len(upper.rows), upper.find_target),
        ClickArea(0, at + len(upper.rows), left, log_room, lambda column, line: ClickTarget("log")),
        ClickArea(left + 3, at, right, len(order.rows), order.find_target),
        ClickArea(left + 3, at + len(order.rows), right, len(actions.rows), actions.find_target),
    ]
    box = _open_box_panel(screen_state, width, room)
    if box is not None:
        top = room - len(box.rows)
        body = [*body[:top], *box.rows]
        areas.insert(0, ClickArea(0, at + top, width, len(box.rows), box.find_target))
    rows = [*head, *body, *_foot_rows(screen_state, width, hint)]
    return DrawnScreen(fit_block(rows, width, height), tuple(areas))


def _too_small_screen(width: int, height: int) -> DrawnScreen:
    needs = f"`strike play` needs {SMALLEST[0]}x{SMALLEST[1]}. `strike shell` works at any size."
    rows = wrap_line(f"This window is {width}x{height}; {needs}", width)
    return DrawnScreen(fit_block(rows, width, height))


def _left_and_right_widths(scene: Scene | None, width: int) -> tuple[int, int]:
    wanted = _full_map_width(scene) if scene is not None and _has_map(scene) else (width - 3) * 11 // 20
    left = max(min(wanted, width - 3 - NARROWEST_LIST), width - 3 - WIDEST_LIST, NARROWEST_LEFT)
    return left, width - 3 - left


def _has_map(scene: Scene) -> bool:
    return scene.board is not None and bool(scene.board.rows)


def _full_map_width(scene: Scene) -> int:
    assert scene.board is not None
    return DrawnMap(scene, scene.board, map_labels(scene), (), (), 1000).width


def headline_and_waiting_row(view: CampaignView, scene: Scene | None, width: int) -> Row:
    """Return the top row: the scene, its round and turn, and everything that waits.

    Other scenes, an open decision, and edits at virtual tabletops may wait. The campaign's name is at the
    right, if there is room. Without a scene, the row begins with the campaign's name.
    """
    left = make_row((scene.name if scene else view.name, STRONG))
    if scene is not None:
        left += make_row((f" · Round {scene.round}", STRONG)) if scene.round else []
        left += _turn_row(scene)
        left += make_row((" · over", DIM)) if scene.over else []
        others = [each.name for each in view.scenes if each is not scene]
        left += make_row((f" · also {', '.join(others)}", DIM)) if others else []
    waits = [each for each in view.decisions if each.asked.who or each.asked.what]
    left += make_row((f" · {_chooser_words(view, waits[0])}", WARN)) if waits else []
    for words in view.vtt_edits[:1]:
        more = f" and {len(view.vtt_edits) - 1} more" if len(view.vtt_edits) > 1 else ""
        left += make_row((f" · {words}{more} (bridge pull)", WARN))
    name = make_row((view.name, DIM)) if scene else []
    gap = width - width_of_row(left) - width_of_row(name)
    return fit_width([*left, *make_row((" " * gap, DIM)), *name] if gap > 1 else left, width)


def _oldest_proposal_rows(view: CampaignView, width: int, with_keys: bool = True) -> list[Row]:
    """Return a row with the oldest proposal of a player, and how many others there are.

    Return no rows if there are no proposals.
    """
    if not view.proposals:
        return []
    first, *others = view.proposals
    more = f" (and {len(others)} more)" if others else ""
    ways = "+ accepts, - declines" if with_keys else f"strike accept {first.id}"
    words = make_row(
        (f"{first.who} proposes: ", WARN), (replace_unprintable(first.text), STRONG), (more, DIM)
    )
    how = make_row((f"  {ways}", COMMAND))
    return [fit_width([*fit_width(words, min(width_of_row(words), width - width_of_row(how))), *how], width)]


def _turn_row(scene: Scene) -> Row:
    person = scene.order.active if scene.order else None
    if not person:
        following = scene.order.next[:1] if scene.order and scene.order.kind == "list" and scene.round else ()
        return (
            make_row((" · next: ", DIM), (_name_in_scene(scene, following[0]), STRONG)) if following else []
        )
    one = scene.people.get(person)
    style = parse_style(rich_style(side_style_name(one))) if one else STRONG
    turn = make_row((" · ", DIM), (f"{possessive_name(scene, person)} turn", style))
    following = scene.order.next[:2] if scene.order and scene.order.kind == "list" else ()
    if following:
        turn += make_row((f" · then {', '.join(_name_in_scene(scene, each) for each in following)}", DIM))
    return turn


def _name_in_scene(scene: Scene, person: str) -> str:
    return scene.people[person].name if person in scene.people else person


def _chooser_words(view: CampaignView, waiting: ShownDecision) -> str:
    return f"{_name_in_view(view, waiting.asked.who)} must choose"


def _name_in_view(view: CampaignView, person: str) -> str:
    names = (scene.people[person].name for scene in view.scenes if person in scene.people)
    return next(names, person or "The table")


# --- panels


def map_panel_with_cursor_and_path(screen_state: ScreenState, scene: Scene, width: int, height: int) -> Panel:
    """Return the part of the map around the cursor.

    The path of the picked move, and the squares in reach, are marked.
    """
    choice, found = screen_state.picked_move, screen_state.picked_preview_or_reason
    way = path_squares(found) if isinstance(found, Preview) else []
    reach = screen_state.squares_in_reach if choice is None or choice.has_square_but_no_target else set()
    return map_panel(scene, width, height, path=way, reach=reach, cursor=screen_state.cursor)


def map_panel(
    scene: Scene,
    width: int,
    height: int,
    *,
    path: Sequence[Square] = (),
    reach: set[Square] | None = None,
    cursor: Square | None = None,
) -> Panel:
    """Return the map of a scene in at most `height` rows.

    The frame of the map says which rows and columns are shown.
    """
    assert scene.board is not None
    board = DrawnMap(scene, scene.board, map_labels(scene), path, reach or (), width, cursor)
    lines = board.lines()
    names, top, *squares, bottom = lines
    room = max(height - HEAD - 1, 1)
    first = 0
    if len(squares) > room:
        centre = board.line_of(board.centre) - HEAD
        first = first_shown_row_or_column(
            len(squares), room, centre, board.line_of(cursor) - HEAD if cursor else None
        )
    shown = squares[first : first + room]
    frame = _bottom_of_frame(board, bottom[0][0], first, len(shown), len(squares))
    rows = [row_from_map_line(each) for each in (names, top, *shown, [(frame, "axis")])]
    notes = board.lines_below(width)
    if len(board.shown) < board.grid.width:
        notes = notes[1:]  # the frame says which columns are shown
    goal = [[("Goal: ", "quiet"), (make_printable_line(scene.goal), "")]] if scene.goal else []
    notes = [*to_act_map_lines(scene), *goal, *notes]
    rows += [part for each in notes for part in wrap_row(row_from_map_line(each), width)][
        : max(height - len(rows), 0)
    ]
    last = HEAD + len(shown)

    def square_at(column: int, line: int) -> ClickTarget | None:
        square = board.square_at(column, line + first) if HEAD <= line < last else None
        return ClickTarget("square", square) if square else None

    return Panel(rows, square_at)


def to_act_map_lines(scene: Scene) -> list[list[tuple[str, str]]]:
    """Return the lines that say who may still act, in the styles of the map.

    If the scene has a list of turns, no lines are returned, since the list already says it.
    """
    ink = {"dim": "quiet", "name": "title"}
    return [
        [(text, ink.get(style, "")) for text, style in styled_spans(line)]
        for line in to_act_lines_unless_list(scene)
    ]


def _bottom_of_frame(board: DrawnMap, frame: str, first: int, count: int, total: int) -> str:
    """Return the lower side of the map's frame.

    If some rows or columns of the map aren't shown, the frame says which are shown, as far as there is room.
    """
    columns = rows = ""
    if len(board.shown) < board.grid.width:
        begin, end, last = (column_name(x) for x in (board.shown[0], board.shown[-1], board.grid.width - 1))
        columns = f"{begin} to {end} of {last}"
    if count < total:
        pitch = 1 + board.between
        rows = f"{first // pitch + 1} to {(first + count - 1) // pitch + 1} of {board.grid.height}"
    short = ", ".join(filter(None, (columns, rows)))
    long = ", ".join(f"{what} {words}" for what, words in (("columns", columns), ("rows", rows)) if words)
    corner = board.gutter + 2
    text = next((f" {words} " for words in (long, short) if len(words) + corner + 4 <= len(frame)), "")
    return frame[:corner] + text + frame[corner + len(text) :] if short else frame


def turn_order_panel(scene: Scene, width: int, height: int) -> Panel:
    """Return the people in turn order; if not all fit, those around the person whose turn it is."""
    found = legend_entries(scene, map_labels(scene), width)
    lines, active = found[1:], acting_person_id(scene)
    focus = next((number for number, (person, _) in enumerate(lines) if person == active), 0)
    rows, first = fit_rows_marking_omissions(
        [row_from_map_line(line) for _, line in lines], max(height - 1, 1), focus_row=focus
    )
    top = [row_from_map_line(found[0][1])] if found else []

    def person_at_line(column: int, line: int) -> ClickTarget | None:
        number = line - 1 + first
        return ClickTarget("person", who=lines[number][0]) if line and 0 <= number < len(lines) else None

    return Panel([*top, *rows], person_at_line)


def actions_panel(screen_state: ScreenState, width: int, height: int) -> Panel:
    """Return the numbered list of moves. Moves about the selected target come first.

    If no moves are listed, a line says why.
    """
    rows, choices = [heading_row("Options", width)], screen_state.listed_moves
    if screen_state.scene is None or screen_state.moves is None:
        words = "Looking ..." if screen_state.scene else "Type a command; Tab completes it."
        return Panel([*rows, make_row((words, DIM))][:height])
    if screen_state.next_decision:
        return Panel([*rows, *wrap_line(("A decision is open: Enter shows it.", "warn"), width)][:height])
    if not choices:
        goes = len(screen_state.squares_in_reach)
        words = f"{pluralize(goes, 'square')} to go to: point at one." if goes else "Nothing; type a command."
        return Panel([*rows, *wrap_line((words, "dim"), width)][:height])
    lines = [_action_row(screen_state, choice, number, width) for number, choice in enumerate(choices)]
    shown, first = fit_rows_marking_omissions(
        lines, max(height - 1, 1), focus_row=screen_state.picked_row or 0
    )

    def action_at_line(column: int, line: int) -> ClickTarget | None:
        number = line - 1 + first
        return ClickTarget("action", number=number) if line and 0 <= number < len(choices) else None

    return Panel([*rows, *shown], action_at_line)


def _action_row(screen_state: ScreenState, choice: PossibleMove, number: int, width: int) -> Row:
    found = screen_state.previews.get(choice.typed)
    tail = _first_chance_and_warning_signs(found) if isinstance(found, Preview) else ""
    picked, near = number == screen_state.picked_row, screen_state.rank_by_selection(choice) < 2
    style = PICKED if picked else STRONG if near else Style.null()
    sign = "▶" if picked else " "
    head = f"{sign}{number + 1:>2} " if number < 9 else f"{sign}   "
    room = max(width - len(head) - len(tail) - 1, 8)
    words = fit_width(make_row((_shortened_command_without_actor(screen_state, choice, room), style)), room)
    return fit_width(
        [
            *make_row((head, STRONG if picked else DIM)),
            *words,
            *make_row((f" {tail}", GOOD if tail[:1] != "!" else WARN)),
        ],
        width,
    )


def _shortened_command_without_actor(screen_state: ScreenState, choice: PossibleMove, width: int) -> str:
    """Return the command of a move, shortened for the list of moves.

    The actor, the dashes of options, and the names of options with a value are left out. If the command is
    still too long, people are written as their labels on the map. If even that is too long, the longest word
    is cut in its middle, unless too little of the word would be left.
    """
    scene = screen_state.scene
    active = acting_person_id(scene) if scene else ""
    typed = choice.option.typed
    words = [
        word.removeprefix("--")
        for number, (word, after) in enumerate(zip(typed, (*typed[1:], "--"), strict=True))
        if (word != active or number != 1) and not (word.startswith("--") and not after.startswith("--"))
        if word != "--secret"  # every command of its kind has it
    ]
    short = map_labels(scene) if scene and (_has_map(scene) or not scene.sides) else {}
    text = str(choice.option._replace(typed=tuple(words)))
    if width_of_row(make_row((text, Style.null()))) <= width:
        return text
    words = [short.get(word, word) for word in words]
    over = len(text := str(choice.option._replace(typed=tuple(words)))) - width
    longest = max(words, key=len)
    if over <= 0 or len(longest) - over < FEWEST_OF_A_WORD:
        return text
    keep = len(longest) - over - 1
    cut = f"{longest[: keep - keep // 2]}…{longest[len(longest) - keep // 2 :]}"
    return text.replace(longest, cut)


FEWEST_OF_A_WORD = 5
"""The fewest letters that are left of a shortened word, including the sign of the cut."""


def _first_chance_and_warning_signs(preview: Preview) -> str:
    """Return the first chance of a preview as a percentage.

    In front, `!` means that somebody may strike at the actor, and `~` that the chance is an estimate.
    """
    chance = next(iter(preview.chances.values()), None)
    return ("!" if preview.provokes else "") + (
        f"{'~' if preview.plays else ''}{float(chance) * 100:.0f}%" if chance is not None else ""
    )


def panel_without_map(view: CampaignView, scene: Scene, width: int, height: int) -> Panel:
    """Return the panel of a scene without a map.

    It has the scene's own description. Below, it has the people in turn order, unless the scene has sides.
    """
    rows = rows_of_blocks(
        [*blocks_without_map_and_people(scene), *view.system_blocks.get(scene.key, ())], width
    )
    if scene.sides or not scene.people:
        return Panel(fit_rows_marking_omissions(rows, height)[0])
    above = min(len(rows), max(height // 2, height - len(scene.people) - 1))
    people = turn_order_panel(scene, width, height - above)
    return Panel(
        [*fit_rows_marking_omissions(rows, above)[0], *people.rows],
        lambda column, line: people.find_target(column, line - above),
    )


def log_rows(log: Sequence[LogLines], width: int, height: int, rows_back: int = 0) -> list[Row]:
    """Return the rows of the log, the newest last, scrolled back by `rows_back` rows."""
    found: list[Row] = []
    for told in reversed(log):
        lines = [each for each in (told.lines or ()) if each]
        mine = [part for n, line in enumerate(lines) for part in _rows_of_log_line(line, width, n > 0)]
        found = [*mine, *found]
        if len(found) > height + rows_back:
            break
    rows_back = min(rows_back, max(len(found) - height + 1, 0))
    return [heading_row("Log", width), *rows_up_to_newest_marking_cut(found, height - 1, rows_back)]


def _rows_of_log_line(line: Line, width: int, is_further: bool) -> list[Row]:
    """Return the rows of one line of an entry.

    `is_further` is true for lines after the first, which are indented.
    """
    pieces = styled_spans(line)
    if is_further and pieces and not pieces[0][0].strip():
        pieces = pieces[1:]
    return wrap_line(pieces, width, indent=4, first_indent=2 if is_further else 0)


# --- boxes


KEY_HELP: Sequence[tuple[str, str]] = (
    ("arrows", "the cursor on the map; without one, the list"),
    ("Tab, Shift-Tab", "the next target, the previous one"),
    ("1 to 9, PgUp, PgDn", "pick an action from the list"),
    ("Enter", "do the action in the last line"),
    ("u", "undo the last command; it asks for a second u"),
    (":, any letter", "type a command; Tab completes, ↑ ↓: earlier ones"),
    ("1 to 9, a name", "answer the decision; later or Esc closes its box"),
    ("Ctrl-PgUp, Ctrl-PgDn", "the log, back and forth; so does the mouse wheel"),
    ("+, -", "accept or decline a player's proposal"),
    ("F2", "another scene under way"),
    ("click", "points at it; a second click acts"),
    ("Esc", "back"),
    ("Ctrl-Q", "leave; so does `exit`"),
)


def _open_box_panel(screen_state: ScreenState, width: int, height: int) -> Panel | None:
    if screen_state.open_text:
        return Panel(_long_text_rows(*screen_state.open_text, screen_state.open_text_line, width, height))
    if screen_state.is_help_open:
        longest = max(len(keys) for keys, _ in KEY_HELP)
        lines = [
            make_row((f"{keys:<{longest}}  ", COMMAND), (words, Style.null())) for keys, words in KEY_HELP
        ]
        return Panel(_framed_rows_of_at_most_height("Keys", lines, "Esc closes", width, height))
    if screen_state.dice_prompt is not None:
        return Panel(_dice_prompt_rows(screen_state.dice_prompt, width, height))
    if screen_state.shown_decision is not None:
        return _decision_box(screen_state, screen_state.shown_decision, width, height)
    if screen_state.refusal:
        return Panel(
            _framed_rows_of_at_most_height(
                "Not played", _unframed_refusal_rows(screen_state, width), "Esc closes", width, height
            )
        )
    return None


def _unframed_refusal_rows(screen_state: ScreenState, width: int) -> list[Row]:
    return [part for line in screen_state.refusal for part in wrap_line(line, width - 4, indent=2)]


def _long_text_rows(title: str, lines: Sequence[Line], first_row: int, width: int, height: int) -> list[Row]:
    """Return the rows of a box with a long text, from row `first_row` on."""
    rows = [part for line in lines for part in wrap_line(line, width - 4)]
    first = max(min(first_row, len(rows) - height + 2), 0)
    shown = rows[first : first + height - 2]
    below = len(rows) - first - len(shown)
    foot = f"{below} more: arrows, PgDn; Esc closes" if below else "Esc closes"
    return _framed_rows_of_at_most_height(
        f"{title} (from line {first + 1})" if first else title, shown, foot, width, height
    )


def _dice_prompt_rows(prompt: DicePrompt, width: int, height: int) -> list[Row]:
    """Return the rows of the box that asks a player to type the faces of physical dice."""
    fell = "they fell" if prompt.several else "it fell"
    lines = [*wrap_line((f"Type {prompt.faces}, as {fell}.", "strong"), width - 4)]
    if prompt.wrong:
        lines += wrap_line(
            [("✗ ", "bad"), (f"{prompt.wrong!r} doesn't fit this roll. Type it again.", "bad")], width - 4
        )
    foot = "Enter alone: strike rolls; undo, Esc: take the command back"
    return _framed_rows_of_at_most_height(prompt.title, lines, foot, width, height)


def _decision_box(screen_state: ScreenState, waiting: ShownDecision, width: int, height: int) -> Panel:
    """Return the box of a decision: the events and dice that led to it, then the numbered options."""
    asked, inner = waiting.asked, width - 4
    options = []
    for number, (option, label) in enumerate(_answers_with_labels(asked)):
        picked = number == screen_state.picked_answer
        style = PICKED if picked else STRONG
        pieces = make_row((f"{'▶' if picked else ' '}{number + 1:>2} ", STRONG), (option, style))
        options.append([*pieces, *make_row((f"  {label}" if label else "", Style.null()))])
    dice: list[Line] = [[("Dice: ", "dim"), ("; ".join(waiting.dice), "dice")]] if waiting.dice else []
    noted = _unframed_refusal_rows(screen_state, width)
    led_to = [part for text in asked.said for part in wrap_line((text, "dim"), inner, indent=2)]
    led_to += [part for line in dice for part in wrap_line(line, inner, indent=2)]
    title = _question_words(screen_state.view, asked)
    if cell_len(title) > inner - 4:  # the frame has no room for all of it
        led_to += wrap_line((title, "strong"), inner, indent=2)
        title = _chooser_words(screen_state.view, waiting)
    for_options = min(len(options), max(height - 3 - len(noted) - min(len(led_to), 3), 3))
    shown, first = fit_rows_marking_omissions(options, for_options, focus_row=screen_state.picked_answer or 0)
    led = (
        rows_up_to_newest_marking_cut(led_to, max(min(len(led_to), height - 3 - len(noted) - len(shown)), 0))
        if led_to
        else []
    )
    many = "its number and Enter" if len(asked.options) > 9 else "its number"
    foot = f"{many}, or arrows and Enter; later, Esc: leave it open"
    above = 1 + len(led)

    def answer_at_line(column: int, line: int) -> ClickTarget | None:
        number = line - above + first
        inside = above <= line < above + len(shown) and 0 <= number < len(options)
        return ClickTarget("answer", number=number) if inside else None

    return Panel(
        _framed_rows_of_at_most_height(title, [*led, *shown, *noted], foot, width, height), answer_at_line
    )


def _answers_with_labels(asked: Asked) -> list[tuple[str, str]]:
    labels_ = asked.labels or ("",) * len(asked.options)
    return list(zip(asked.options, labels_, strict=False))


def _question_words(view: CampaignView, asked: Asked) -> str:
    """Return the question of a decision in words.

    If the decision has no text, the words are made from the person who decides and the question's key.
    """
    return asked.text or f"{_name_in_view(view, asked.who)} must choose {asked.what}"


def _framed_rows_of_at_most_height(
    title: str, lines: Sequence[Row], foot: str, width: int, height: int
) -> list[Row]:
    inner = width - 4
    title, foot = (
        clip_with_ellipsis(replace_unprintable(title), inner - 4),
        clip_with_ellipsis(foot, inner - 4),
    )
    shown = fit_rows_marking_omissions(lines, height - 2)[0]
    top = make_row(("╭─ ", FRAME), (title, WARN), (" " + "─" * (inner - 2 - cell_len(title)) + "─╮", FRAME))
    bottom = make_row(("╰" + "─" * (inner - 2 - cell_len(foot)) + "─ ", FRAME), (foot, DIM), (" ─╯", FRAME))
    edge = ("│ ", FRAME), (" │", FRAME)
    return [
        fit_width(top, width),
        *([*make_row(edge[0]), *fit_width(each, inner), *make_row(edge[1])] for each in shown),
        fit_width(bottom, width),
    ]


# --- the foot


def _foot_rows(screen_state: ScreenState, width: int, hint: Sequence[Line]) -> list[Row]:
    first, second = _hint_rows(hint, width) if hint else _enter_preview_rows(screen_state)
    return [
        fit_width(first, width),
        fit_width(second, width),
        fit_width(_keys_row(screen_state, width), width),
    ]


def _hint_rows(hint: Sequence[Line], width: int) -> tuple[Row, Row]:
    """Return a hint as two rows.

    A longer hint is cut off, and ends with a sign that says so.
    """
    rows = [*(part for line in hint for part in wrap_line(line, width)), [], []]
    if any(rows[2:]):
        rows[1] = fit_width([*rows[1], *make_row((" " * width, DIM))], width)
    return rows[0], rows[1]


def _enter_preview_rows(screen_state: ScreenState) -> tuple[Row, Row]:
    """Return the two rows that say what Enter would do, and show a preview of that.

    While a command is played, they show that command. While a decision's box is open, they show the picked
    answer, or nothing if no answer is picked. If no move is picked, they show the person on the selected
    square and a hint.
    """
    if screen_state.running_command:
        return make_row((f"Playing: {screen_state.running_command}", DIM)), []
    if screen_state.shown_decision:
        if screen_state.picked_answer is None:
            return [], []
        option, label = _answers_with_labels(screen_state.shown_decision.asked)[screen_state.picked_answer]
        return make_row(("Enter: ", DIM), (option, COMMAND)), make_row((f"  {label}", Style.null()))
    choice, found = screen_state.picked_move, screen_state.picked_preview_or_reason
    on_map = screen_state.cursor is not None and (
        choice is None or not screen_state.rank_by_selection(choice)
    )
    at = (
        make_row((f"{square_name(screen_state.cursor)} ", DIM))
        if on_map and screen_state.cursor and screen_state.scene
        else []
    )
    if choice is None:
        return [*at, *_row_of_pointed_person(screen_state)], make_row(
            (_why_not_or_keys_hint(screen_state), DIM)
        )
    first = [*at, *make_row(("Enter: ", DIM), (f"{choice.typed}", COMMAND))]
    if found is None:
        return first, make_row(("  ...", DIM))
    if isinstance(found, str):
        return first, make_row((f"  {found}", WARN))
    pieces: list[tuple[str, Style]] = []
    for words, style in (
        (opportunity_warning(screen_state.scene, found) if screen_state.scene else "", WARN),
        (chance_words_of_preview(found), GOOD),
        (path_length_words(screen_state.scene, found) if len(found.way) > 2 else "", Style.null()),
        (modifier_words_of_preview(found), DIM),
    ):
        if words:
            pieces += [(" · " if pieces else "  ", DIM), (words, style)]
    return first, make_row(*pieces)


def _row_of_pointed_person(screen_state: ScreenState) -> Row:
    scene, person = screen_state.scene, screen_state.selected_person_id
    if scene is None or person not in scene.people:
        return []
    one = scene.people[person]
    words = [str(meter) if n == 0 else f"{meter.name} {meter}" for n, meter in enumerate(one.meters[:1])]
    return make_row(
        (one.name, parse_style(rich_style(side_style_name(one)))), (f" {' '.join(words)}", Style.null())
    )


def _why_not_or_keys_hint(screen_state: ScreenState) -> str:
    if screen_state.scene is None or not screen_state.moves:
        return ""
    if screen_state.why_not:
        return screen_state.why_not
    ending = next((each.option.typed[0] for each in screen_state.moves if each.option.ends), "")
    ways = [f"Decided: {ending} ends it"] if ending else []
    ways += ["Tab: a target"] if any(each.targets for each in screen_state.moves) else []
    ways += ["arrows: a square"] if screen_state.squares_in_reach else []
    ways += ["1 to 9, PgDn: an action"] if screen_state.scene.board else ["arrows, 1 to 9: an action"]
    return "; ".join(ways)


def _keys_row(screen_state: ScreenState, width: int) -> Row:
    keys = [("Tab", "target"), ("arrows", "point"), ("1-9", "action"), ("Enter", "do"), ("u", "undo")]
    if screen_state.shown_decision:
        keys = [("1-9", "answer"), ("Enter", "take it"), ("Esc", "later"), ("u", "undo")]
    if screen_state.dice_prompt:
        keys = [("digits", "faces"), ("Enter", "type them"), ("Esc", "take the command back")]
    keys += [("?", "keys")] if not screen_state.dice_prompt else []
    keys += [("F2", "other scene")] if len(screen_state.view.scenes) > 1 else []
    keys += [("Ctrl-Q", "leave")]
    pieces: list[tuple[str, Style]] = []
    for key, words in keys:  # `?` lists those for which there is no room
        gap = "  " if pieces else ""
        room = width - sum(len(text) for text, _ in pieces) - len(gap)
        pieces += (
            [(gap, DIM), (key, COMMAND), (f" {words}", DIM)] if len(key) + len(words) + 1 <= room else []
        )
    return make_row(*pieces)


# --- the screen to watch


def draw_watch_screen(view: CampaignView, width: int, height: int) -> DrawnScreen:
    """Return the screen of `strike watch`, which has no keys and no list of moves.

    The log is beside the map if there are SIDE_BY_SIDE columns, otherwise below it.
    """
    scene = view.scenes[-1] if view.scenes else None
    asked = [part for each in view.decisions for part in _watched_decision_rows(view, each, width)]
    asked = [
        *_oldest_proposal_rows(view, width, with_keys=False),
        *fit_rows_marking_omissions(asked, max(height // 4, 1))[0],
    ]
    room = max(height - 1 - len(asked), 1)
    if scene is None:
        body = log_rows(view.log, width, room)
    elif not _has_map(scene):
        body = _watched_mapless_scene_and_log_rows(view, scene, width, room)
    elif width >= SIDE_BY_SIDE:
        left = max(min(_full_map_width(scene), width - 3 - NARROWEST_LIST), NARROWEST_LEFT)
        upper = map_panel(scene, left, max(room - len(scene.people) - 1, room * 11 // 20)).rows
        lower = turn_order_panel(scene, left, room - len(upper)).rows
        log = log_rows(view.log, width - 3 - left, room)
        body = side_by_side(fit_block([*upper, *lower], left, room), fit_block(log, width - 3 - left, room))
    else:
        left, right = _left_and_right_widths(scene, width)
        upper = map_panel(scene, left, room - SHORTEST_LOG).rows
        log = log_rows(view.log, left, room - len(upper))
        order = turn_order_panel(scene, right, room).rows
        body = side_by_side(fit_block([*upper, *log], left, room), fit_block(order, right, room))
    return DrawnScreen(
        fit_block([headline_and_waiting_row(view, scene, width), *asked, *body], width, height)
    )


def _watched_mapless_scene_and_log_rows(
    view: CampaignView, scene: Scene, width: int, height: int
) -> list[Row]:
    """Return the rows of a scene without a map for `strike watch`, with the log beside or below."""
    if width < SIDE_BY_SIDE:
        upper = panel_without_map(view, scene, width, height - SHORTEST_LOG).rows
        return [*upper, *log_rows(view.log, width, height - len(upper))]
    left = (width - 3) * 11 // 20
    words = panel_without_map(view, scene, left, height).rows
    log = log_rows(view.log, width - 3 - left, height)
    return side_by_side(fit_block(words, left, height), fit_block(log, width - 3 - left, height))


def _watched_decision_rows(view: CampaignView, waiting: ShownDecision, width: int) -> list[Row]:
    """Return the rows of a decision for `strike watch`.

    They have the question, the dice so far, and the options with their labels.
    """
    asked = waiting.asked
    found = wrap_line([(_question_words(view, asked), "strong")], width, indent=2)
    if asked.dice:
        say = (view.world.book.locale() if view.world else ENGLISH).purpose
        rolls = (f"{_name_in_view(view, each.who)} {say(each.purpose)} {each.words}" for each in asked.dice)
        found += wrap_line([("  ", ""), (", ".join(rolls), "dice")], width, indent=2)
    for option, label in _answers_with_labels(asked):
        words: Line = [("  ", ""), (option, "command"), (f"  {label}" if label else "", "")]
        found += wrap_line(words, width, indent=4)
    return found
