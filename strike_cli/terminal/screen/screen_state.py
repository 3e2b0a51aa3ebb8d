"""The state of the screen: what is selected, which boxes are open, and how far the log is scrolled.

The selection decides which command Enter plays. The methods are called for keys and clicks. This module uses
neither Textual nor Rich.
"""

from __future__ import annotations

from collections.abc import Sequence

from ...play.forecast import Preview
from ...tabletop.grid import Square
from ...tabletop.scene import Scene
from ..battlemap.labels_and_marks import all_ids_by_turn_order_down_last
from ..command_output import Line
from ..move_commands import option_by_name_or_number
from ..scene_view import to_act_lines_unless_list
from .campaign_view import (
    CampaignView,
    DicePrompt,
    LogLines,
    PossibleMove,
    ShownDecision,
    acting_person_id,
    distance_or_zero_between,
    legal_moves_to_square_or_reason,
    person_id_at,
    square_of_person,
)

MOST_MESSAGES = 200
"""The most messages of this screen that its log keeps."""


class ScreenState:
    """The state of one screen: the view of the campaign, the selection, open boxes, the log's position."""

    def __init__(self, view: CampaignView) -> None:
        self.view = view
        self.scene_index = -1
        """The index of the scene that is shown; -1 is the newest."""
        self.moves: list[PossibleMove] | None = None
        """The possible moves; None while they are being looked for."""
        self.is_selection_new = False
        """Whether the selection was changed since the last change of state: otherwise a second Enter has no
        effect."""
        self.unlisted_moves_here: list[PossibleMove] = []
        """Moves to the selected square that are not in the list."""
        self.why_not = ""
        """The reason why no move goes there."""
        self.reachable_squares: set[Square] = set()
        """Squares in reach that are not in the list."""
        self.previews: dict[str, Preview | str] = {}
        """Previews of choices, by their command line; a text is the reason why a choice can't be played."""
        self.cursor: Square | None = None
        self.person = ""
        self.picked_row: int | None = None
        self.picked_answer: int | None = None
        self.closed_decision: ShownDecision | None = None
        """The decision whose box was closed."""
        self.is_help_open = False
        self.log_rows_back = 0
        """The number of rows by which the log is scrolled back."""
        self.messages: list[LogLines] = []
        self.open_text: tuple[str, Sequence[Line]] | None = None
        """A long text that is open: its title, and its lines."""
        self.open_text_line = 0
        self.running_command = ""
        """The command that is being played."""
        self.refusal: Sequence[Line] = ()
        """The last refusal, until the next key."""
        self.dice_prompt: DicePrompt | None = None
        """The roll of the command whose faces are asked for."""
        self._turn: object = None
        self._select_actor_if_turn_changed()

    # The screen's content

    @property
    def scene(self) -> Scene | None:
        """The scene on the screen; None if no scene is under way.

        It is the newest scene, or another one that the user chose.
        """
        scenes = self.view.scenes
        return scenes[self.scene_index % len(scenes)] if scenes else None

    @property
    def shown_decision(self) -> ShownDecision | None:
        """The open decision whose box is shown; None if there is none, or if its box was closed."""
        first = self.next_decision
        return None if first == self.closed_decision else first

    @property
    def next_decision(self) -> ShownDecision | None:
        """The open decision to answer next.

        It is the decision of the scene on the screen, or else the newest decision of other scenes.
        """
        key = self.scene.key if self.scene else ""
        own = [each for each in self.view.decisions if each.key == key]
        return next(iter([*own, *reversed(self.view.decisions)]), None)

    def show_view(self, view: CampaignView) -> None:
        """Show a new view of the campaign.

        If the campaign's state has changed, the moves and previews that were found for the old state are
        dropped.
        """
        before, old = self.view, self.next_decision
        self.view = view
        if not view.has_same_state(before):
            self._drop_moves_and_previews()
            self._keep_actor_selected(before)
            self._select_actor_if_turn_changed()
        if self.next_decision != old:
            self.picked_answer, self.refusal = None, ()
        if not self.view.decisions:
            self.closed_decision = None

    def _drop_moves_and_previews(self) -> None:
        self.moves, self.previews, self.picked_row = None, {}, None
        self.unlisted_moves_here, self.why_not, self.reachable_squares = [], "", set()
        self.is_selection_new = False

    def _keep_actor_selected(self, earlier_view: CampaignView) -> None:
        """Move the cursor along with the acting person.

        This happens only if the cursor was on that person before, and if it is still that person's turn.
        """
        scene = self.scene
        old = next((each for each in earlier_view.scenes if scene and each.key == scene.key), None)
        if (
            scene
            and old
            and self.cursor == square_of_person(old, acting_person_id(old))
            and acting_person_id(old) == acting_person_id(scene)
        ):
            self.cursor = square_of_person(scene, acting_person_id(scene)) or self.cursor

    def _select_actor_if_turn_changed(self) -> None:
        """Select the person whose turn it is, if the turn or the scene has changed."""
        scene = self.scene
        turn = scene and (scene.key, scene.id, acting_person_id(scene), scene.round)
        if scene is None or turn == self._turn:
            if scene is None or self.person not in scene.people:
                self.person = ""
            return
        self._turn = turn
        self.person = acting_person_id(scene)
        self.cursor = square_of_person(scene, self.person)
        self.picked_row = None

    def show_next_scene(self) -> None:
        """Show the next of the scenes under way."""
        if len(self.view.scenes) > 1:
            self.scene_index = (self.scene_index + 1) % len(self.view.scenes)
            self._drop_moves_and_previews()
            self._select_actor_if_turn_changed()

    def store_moves_and_pick_obvious(self, moves: Sequence[PossibleMove]) -> None:
        """Store the legal moves that were found, and pick the one that is most likely meant, if any."""
        self.moves = list(moves)
        self._pick_obvious_move()

    def add_message(self, lines: Sequence[Line]) -> None:
        """Add a message of this screen to the log."""
        if lines:
            self.messages = [*self.messages[-MOST_MESSAGES:], LogLines(self.view.seq, lines)]
            self.log_rows_back = 0

    def show_refusal(self, lines: Sequence[Line]) -> None:
        """Add a refusal to the log, and show it in a box."""
        self.add_message(lines)
        self.refusal = lines

    def show_text(self, title: str, lines: Sequence[Line]) -> None:
        """Open a long text in a box over the panels."""
        self.open_text, self.open_text_line = (title, lines), 0

    @property
    def log_entries_and_messages(self) -> list[LogLines]:
        """The entries of the journal, together with this screen's own messages, in order of time."""
        last = self.view.log[-1].seq if self.view.log else 0
        first = self.view.log[0].seq if self.view.log else 0
        told = list(self.view.log)
        told += [each for each in self.messages if each.seq >= first or not told]
        # A message follows the entry that was newest when it was shown; if that isn't listed yet, it is last.
        return sorted(told, key=lambda each: min(each.seq, last))

    # Possible actions

    @property
    def selected_person_id(self) -> str:
        """The id of the selected person; "" if nobody is selected.

        If there is a map, it is the person on the cursor's square.
        """
        scene = self.scene
        if scene is None:
            return ""
        return person_id_at(scene, self.cursor) if scene.board and self.cursor else self.person

    def rank_by_selection(self, move: PossibleMove) -> int:
        """Return how closely a move concerns the selected person or square, from 0 (the closest) to 3.

        - 0: the move has that person as a target, or goes to that square.
        - 1: the selected person makes the move, and it isn't that person's turn.
        - 2: neither is true.
        - 3: neither is true, and the move only answers something at the table.
        """
        aimed, scene = self.selected_person_id, self.scene
        if aimed in move.targets or (move.square is not None and move.square == self.cursor):
            return 0
        if aimed and move.who == aimed and scene and aimed != acting_person_id(scene):
            return 1
        return 3 if move.option.answers else 2

    @property
    def listed_moves(self) -> list[PossibleMove]:
        """The moves in the list, those about the selected target first.

        A move that only goes to a square is in the list only if that square is selected.
        """
        listed = [
            each
            for each in self.moves or ()
            if not each.has_square_but_no_target or self.rank_by_selection(each) == 0
        ]
        return sorted([*listed, *self.unlisted_moves_here], key=self.rank_by_selection)

    @property
    def moves_about_selection_count(self) -> int:
        """The number of moves in the list that concern the selected person or the selected square.

        A move counts if it has the selected person as a target, or goes to the selected square. A move that
        the selected person makes also counts, unless it is that person's turn.
        """
        return sum(self.rank_by_selection(each) < 2 for each in self.listed_moves)

    @property
    def picked_move(self) -> PossibleMove | None:
        """The picked move, which Enter plays; None if none is picked."""
        rows = self.listed_moves
        return rows[self.picked_row] if self.picked_row is not None and self.picked_row < len(rows) else None

    @property
    def picked_preview_or_reason(self) -> Preview | str | None:
        """The preview of the picked move, or the reason why the move can't be played.

        It is None until either of these is known.
        """
        return self.previews.get(self.picked_move.typed) if self.picked_move else None

    @property
    def squares_in_reach(self) -> set[Square]:
        """The squares to which the actor may go."""
        return {
            each.square for each in self.moves or () if each.has_square_but_no_target and each.square
        } | self.reachable_squares

    @property
    def tab_target_ids_or_everybody(self) -> list[str]:
        """The ids of the people whom Tab selects, one after the other.

        First come the targets of possible moves, then other people who have possible moves. On somebody's
        turn, both groups are sorted: the other side comes before the own side, and near people come before
        distant people. If both groups are empty, the result has everybody in the scene.
        """
        scene = self.scene
        if scene is None:
            return []
        choices, own = self.moves or (), acting_person_id(scene)
        aimed = {person for each in choices for person in each.targets} - {own}
        doing = {each.who for each in choices} - {own}
        order = all_ids_by_turn_order_down_last(scene)
        if own:  # the other side's first
            side = scene.people[own].side
            order.sort(
                key=lambda person: (
                    scene.people[person].side == side,
                    distance_or_zero_between(scene, own, person),
                )
            )
        return [person for some in (aimed, doing - aimed) for person in order if person in some] or order

    # Pointing

    def handle_arrow(self, right: int, down: int) -> None:
        """Handle an arrow key: a step of `right` and `down`, which are each from -1 to 1.

        If a text is open, the key scrolls it. If a decision's box is open, the key steps through the answers.
        Otherwise the key moves the cursor on the map or, without a map, in the list.
        """
        scene = self.scene
        if self.open_text:
            self.scroll_open_text(down or right)
        elif self.shown_decision:
            self.step_answer(down or right)
        elif scene is not None and scene.board and scene.board.rows:
            x, y = self.cursor or square_of_person(scene, self.person) or (0, 0)
            self.select_square((x + right, y + down))
        else:
            self.step_to_move(down or right)

    def scroll_open_text(self, by: int) -> None:
        """Scroll the open text down by `by` lines; a negative number scrolls up."""
        if self.open_text:
            self.open_text_line = min(max(self.open_text_line + by, 0), len(self.open_text[1]) - 1)

    def select_square(self, square: Square) -> None:
        """Select a square of the map, and the person on it."""
        scene = self.scene
        if scene is None or scene.board is None:
            return
        grid = scene.board.grid
        if grid.is_on_map(square):
            self.cursor, self.is_selection_new = square, True
            self.person = person_id_at(scene, square)
            self._pick_obvious_move()

    def select_person(self, person: str) -> None:
        """Select a person, and their square."""
        scene = self.scene
        if scene is not None and person in scene.people:
            self.person, self.is_selection_new = person, True
            self.cursor = square_of_person(scene, person) or self.cursor
            self._pick_obvious_move()

    def step_to_target(self, by: int) -> None:
        """Select the next target if `by` is 1, or the one before if it is -1."""
        targets = self.tab_target_ids_or_everybody
        if targets:
            known = (
                targets.index(self.selected_person_id)
                if self.selected_person_id in targets
                else (-1 if by > 0 else 0)
            )
            self.select_person(targets[(known + by) % len(targets)])

    def _pick_obvious_move(self) -> None:
        """Pick the move in the list that the user most likely means, or none.

        If an empty square is selected and no listed move goes there, other legal moves to the square are
        looked for first. Then there are two rules:

        - If a target was just selected, and the first move is about this target, the first move is picked.
        - If the list has only one move, it is picked. But it isn't picked while somebody may also try things
          that aren't listed.
        """
        self.unlisted_moves_here, self.why_not = [], ""
        listed = any(each.square == self.cursor for each in self.moves or ())
        if self.moves and self.cursor is not None and not listed and not self.selected_person_id:
            self.unlisted_moves_here, self.why_not = legal_moves_to_square_or_reason(
                self.view, self.moves, self.cursor
            )
        rows = self.listed_moves
        near = bool(rows) and self.is_selection_new and self.rank_by_selection(rows[0]) == 0
        alone = len(rows) == 1 and not (self.scene and to_act_lines_unless_list(self.scene))
        self.picked_row = 0 if alone or near else None

    def step_to_move(self, by: int) -> None:
        """Pick the next move in the list if `by` is 1, or the one before if it is -1."""
        count = len(self.listed_moves)
        if count:
            self.picked_row = (
                (0 if by > 0 else count - 1) if self.picked_row is None else (self.picked_row + by) % count
            )

    def pick_move(self, number: int) -> None:
        """Pick a move in the list by its number, from 1."""
        if 1 <= number <= len(self.listed_moves):
            self.picked_row = number - 1

    def step_answer(self, by: int) -> None:
        """Pick the next answer of the open decision if `by` is 1, or the one before if it is -1."""
        if self.shown_decision:
            count = len(self.shown_decision.asked.options)
            first = 0 if by > 0 else count - 1
            self.picked_answer = first if self.picked_answer is None else (self.picked_answer + by) % count

    def scroll_log(self, by: int) -> None:
        """Scroll the log by `by` rows; a positive number scrolls to older entries."""
        self.log_rows_back = max(self.log_rows_back + by, 0)

    def go_back_one_step(self) -> bool:
        """Go back by one step, and return True; return False if there is nothing to go back from.

        A step closes a text, the help, a refusal or a decision's box. If none is open, it scrolls the log to
        its end, or selects the actor again.
        """
        if self.open_text:
            self.open_text = None
        elif self.is_help_open:
            self.is_help_open = False
        elif self.refusal:
            self.refusal = ()
        elif self.shown_decision:
            self.closed_decision = self.shown_decision
        elif self.log_rows_back:
            self.log_rows_back = 0
        elif self.picked_row is not None or self.selected_person_id:
            self._turn = None
            self._select_actor_if_turn_changed()
        else:
            return False
        return True

    def reopen_decision_box(self) -> None:
        """Open the box of the decision again."""
        self.closed_decision = None

    # The line to play

    def handle_enter_and_return_words(self) -> list[str] | None:
        """Handle Enter, and return the words of the command that it plays; None if it plays none.

        The command is the picked answer of the open decision, or the picked move. If a text is open, Enter
        only closes it. If the box of a decision was closed and no move is picked, Enter opens the box again.
        """
        if self.open_text:
            self.open_text = None
            return None
        if self.shown_decision:
            return (
                self.words_to_answer_next_decision(self.picked_answer)
                if self.picked_answer is not None
                else None
            )
        if self.next_decision and not self.picked_move:
            self.reopen_decision_box()
            return None
        scene = self.scene
        return [scene.system, *self.picked_move.option.typed] if scene and self.picked_move else None

    def words_to_answer_next_decision(self, option_index: int) -> list[str] | None:
        """Return the words of the command that answers the open decision with an option.

        `option_index` is the number of the option, from 0. Return None if no option has that number.
        """
        waiting = self.next_decision
        if waiting is None or not 0 <= option_index < len(waiting.asked.options):
            return None
        return ["choose", waiting.asked.options[option_index], "--for", waiting.key]

    def words_to_answer_line(self, line: str) -> list[str] | None:
        """Return the command words by which a typed line answers the shown decision.

        The line answers the decision if it is one of the options, or the number of one. For any other line,
        return None. Such a line is a command.
        """
        waiting = self.shown_decision
        option = option_by_name_or_number(waiting.asked.options, line) if waiting else None
        return (
            self.words_to_answer_next_decision(waiting.asked.options.index(option))
            if waiting and option
            else None
        )
