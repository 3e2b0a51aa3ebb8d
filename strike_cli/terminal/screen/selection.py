"""What is selected on the screen: a square, a person, a move, an answer.

The selection decides which command Enter plays. Its methods are called for keys and clicks. This module knows
neither Textual nor Rich.
"""

from __future__ import annotations

from collections.abc import Sequence

from ...play.forecast import Preview
from ...tabletop.grid import Square
from ...tabletop.scene import Scene
from ..battlemap.labels import people_in_order
from ..command_declarations import option_by_name_or_number
from ..result import Line
from ..scene_view import to_act_lines
from .model import (
    CampaignView,
    DicePrompt,
    LogLines,
    PossibleMove,
    Waiting,
    acting_person,
    choices_at_square,
    distance_between,
    person_at,
    square_of_person,
)

KEPT = 200
"""The most messages of this screen that its log keeps."""


class ScreenSelection:
    """The state of one screen: the view of the campaign, the selection, open boxes, the log's position."""

    def __init__(self, view: CampaignView) -> None:
        self.view = view
        self.which = -1
        """The index of the scene that is shown; -1 is the newest."""
        self.choices: list[PossibleMove] | None = None
        """The possible moves; None while they are being looked for."""
        self.pointed = False
        """Whether the selection was changed since the last change of state: otherwise a second Enter has no
        effect."""
        self.here: list[PossibleMove] = []
        """Moves to the selected square that are not in the list."""
        self.why_not = ""
        """The reason why no move goes there."""
        self.further: set[Square] = set()
        """Squares in reach that are not in the list."""
        self.previews: dict[str, Preview | str] = {}
        """Previews of choices, by their command line; a text is the reason why a choice can't be played."""
        self.cursor: Square | None = None
        self.person = ""
        self.row: int | None = None
        self.answer: int | None = None
        self.closed: Waiting | None = None
        """The decision whose box was closed."""
        self.helping = False
        self.back = 0
        """The number of rows by which the log is scrolled back."""
        self.said: list[LogLines] = []
        self.page: tuple[str, Sequence[Line]] | None = None
        """A long text that is open: its title, and its lines."""
        self.at_line = 0
        self.busy = ""
        """The command that is being played."""
        self.noted: Sequence[Line] = ()
        """The last refusal, until the next key."""
        self.throw: DicePrompt | None = None
        """The roll of the command whose faces are asked for."""
        self._turn: object = None
        self._select_actor()

    # The screen's content

    @property
    def scene(self) -> Scene | None:
        """The scene on the screen; None if no scene is under way.

        It is the newest scene, or another one that the user chose.
        """
        scenes = self.view.scenes
        return scenes[self.which % len(scenes)] if scenes else None

    @property
    def waiting(self) -> Waiting | None:
        """The open decision whose box is shown; None if there is none, or if its box was closed."""
        first = self.decision
        return None if first == self.closed else first

    @property
    def decision(self) -> Waiting | None:
        """The open decision to answer next.

        It is the decision of the scene on the screen, or else the newest decision of other scenes.
        """
        key = self.scene.key if self.scene else ""
        own = [each for each in self.view.waiting if each.key == key]
        return next(iter([*own, *reversed(self.view.waiting)]), None)

    def show(self, view: CampaignView) -> None:
        """Show a new view of the campaign.

        If the state has changed, moves and previews found before are dropped.
        """
        before, old = self.view, self.decision
        self.view = view
        if not view.has_same_state(before):
            self._drop_findings()
            self._keep_actor_selected(before)
            self._select_actor()
        if self.decision != old:
            self.answer, self.noted = None, ()
        if not self.view.waiting:
            self.closed = None

    def _drop_findings(self) -> None:
        self.choices, self.previews, self.row = None, {}, None
        self.here, self.why_not, self.further = [], "", set()
        self.pointed = False

    def _keep_actor_selected(self, before: CampaignView) -> None:
        """Keep the cursor on the actor, if it was there and the turn is still the same."""
        scene = self.scene
        old = next((each for each in before.scenes if scene and each.key == scene.key), None)
        if (
            scene
            and old
            and self.cursor == square_of_person(old, acting_person(old))
            and acting_person(old) == acting_person(scene)
        ):
            self.cursor = square_of_person(scene, acting_person(scene)) or self.cursor

    def _select_actor(self) -> None:
        """Select the person whose turn it is, if the turn or the scene has changed."""
        scene = self.scene
        turn = scene and (scene.key, scene.id, acting_person(scene), scene.round)
        if scene is None or turn == self._turn:
            if scene is None or self.person not in scene.people:
                self.person = ""
            return
        self._turn = turn
        self.person = acting_person(scene)
        self.cursor = square_of_person(scene, self.person)
        self.row = None

    def show_next_scene(self) -> None:
        """Show the next of the scenes under way."""
        if len(self.view.scenes) > 1:
            self.which = (self.which + 1) % len(self.view.scenes)
            self._drop_findings()
            self._select_actor()

    def found(self, choices: Sequence[PossibleMove]) -> None:
        """Store the legal moves that were found, and pick one if it is obvious."""
        self.choices = list(choices)
        self._pick_the_obvious()

    def tell(self, lines: Sequence[Line]) -> None:
        """Add a message of this screen to the log."""
        if lines:
            self.said = [*self.said[-KEPT:], LogLines(self.view.seq, lines)]
            self.back = 0

    def show_refusal(self, lines: Sequence[Line]) -> None:
        """Add a refusal to the log, and show it in a box."""
        self.tell(lines)
        self.noted = lines

    def read(self, title: str, lines: Sequence[Line]) -> None:
        """Open a long text in a box over the panels."""
        self.page, self.at_line = (title, lines), 0

    @property
    def log(self) -> list[LogLines]:
        """The entries of the journal, together with this screen's own messages, in order of time."""
        last = self.view.log[-1].seq if self.view.log else 0
        first = self.view.log[0].seq if self.view.log else 0
        told = list(self.view.log)
        told += [each for each in self.said if each.seq >= first or not told]
        # A message follows the entry that was newest when it was shown; if that isn't listed yet, it is last.
        return sorted(told, key=lambda each: min(each.seq, last))

    # Possible actions

    @property
    def selected_person(self) -> str:
        """The id of the selected person; "" if nobody is selected.

        If there is a map, it is the person on the cursor's square.
        """
        scene = self.scene
        if scene is None:
            return ""
        return person_at(scene, self.cursor) if scene.board and self.cursor else self.person

    def rank(self, choice: PossibleMove) -> int:
        """Return how closely a move concerns the selected person or square; 0 is the closest.

        0 means that the move has that person as a target, or goes to that square. 1 means that the person
        makes the move out of turn. 2 means neither of these. 3 means neither, and that the move is only an
        answer to something at the table.
        """
        aimed, scene = self.selected_person, self.scene
        if aimed in choice.targets or (choice.square is not None and choice.square == self.cursor):
            return 0
        if aimed and choice.who == aimed and scene and aimed != acting_person(scene):
            return 1
        return 3 if choice.option.answers else 2

    @property
    def rows(self) -> list[PossibleMove]:
        """The moves in the list, those about the selected target first.

        A move that only goes to a square is in the list only if that square is selected.
        """
        listed = [each for each in self.choices or () if not each.goes or self.rank(each) == 0]
        return sorted([*listed, *self.here], key=self.rank)

    @property
    def near(self) -> int:
        """How many of the moves in the list are about the selected target."""
        return sum(self.rank(each) < 2 for each in self.rows)

    @property
    def choice(self) -> PossibleMove | None:
        """The picked move, which Enter plays; None if none is picked."""
        rows = self.rows
        return rows[self.row] if self.row is not None and self.row < len(rows) else None

    @property
    def preview(self) -> Preview | str | None:
        """The preview of the picked move, or the reason why the move can't be played.

        It is None until either of these is known.
        """
        return self.previews.get(self.choice.typed) if self.choice else None

    @property
    def reach(self) -> set[Square]:
        """The squares to which the actor may go."""
        return {each.square for each in self.choices or () if each.goes and each.square} | self.further

    @property
    def targets(self) -> list[str]:
        """The people whom Tab selects one after the other.

        First come the targets of moves: those of the other side before others, and near ones before distant
        ones. Then come other people who may act. If there are neither targets nor such people, everybody is
        selected in turn.
        """
        scene = self.scene
        if scene is None:
            return []
        choices, own = self.choices or (), acting_person(scene)
        aimed = {person for each in choices for person in each.targets} - {own}
        doing = {each.who for each in choices} - {own}
        order = people_in_order(scene)
        if own:  # the other side's first
            side = scene.people[own].side
            order.sort(
                key=lambda person: (scene.people[person].side == side, distance_between(scene, own, person))
            )
        return [person for some in (aimed, doing - aimed) for person in order if person in some] or order

    # Pointing

    def move(self, right: int, down: int) -> None:
        """Handle an arrow key: a step of `right` and `down`, which are each from -1 to 1.

        If a text is open, the key scrolls it. If a decision's box is open, the key steps through the answers.
        Otherwise the key moves the cursor on the map or, without a map, in the list.
        """
        scene = self.scene
        if self.page:
            self.turn_page(down or right)
        elif self.waiting:
            self.step_answer(down or right)
        elif scene is not None and scene.board and scene.board.rows:
            x, y = self.cursor or square_of_person(scene, self.person) or (0, 0)
            self.point((x + right, y + down))
        else:
            self.step(down or right)

    def turn_page(self, by: int) -> None:
        """Scroll the open text down by `by` lines; a negative number scrolls up."""
        if self.page:
            self.at_line = min(max(self.at_line + by, 0), len(self.page[1]) - 1)

    def point(self, square: Square) -> None:
        """Select a square of the map, and the person on it."""
        scene = self.scene
        if scene is None or scene.board is None:
            return
        grid = scene.board.grid
        if grid.inside(square):
            self.cursor, self.pointed = square, True
            self.person = person_at(scene, square)
            self._pick_the_obvious()

    def aim(self, person: str) -> None:
        """Select a person, and their square."""
        scene = self.scene
        if scene is not None and person in scene.people:
            self.person, self.pointed = person, True
            self.cursor = square_of_person(scene, person) or self.cursor
            self._pick_the_obvious()

    def next_target(self, by: int) -> None:
        """Select the next target if `by` is 1, or the one before if it is -1."""
        targets = self.targets
        if targets:
            known = (
                targets.index(self.selected_person)
                if self.selected_person in targets
                else (-1 if by > 0 else 0)
            )
            self.aim(targets[(known + by) % len(targets)])

    def _pick_the_obvious(self) -> None:
        """Pick the first move about the selected target, or the only move; otherwise pick none.

        If no known move goes to the selected square, and nobody is on that square, moves to it are tried
        first. While somebody may still act freely, the only listed move isn't picked, since not everything
        that people may try is listed.
        """
        self.here, self.why_not = [], ""
        listed = any(each.square == self.cursor for each in self.choices or ())
        if self.choices and self.cursor is not None and not listed and not self.selected_person:
            self.here, self.why_not = choices_at_square(self.view, self.choices, self.cursor)
        rows = self.rows
        near = bool(rows) and self.pointed and self.rank(rows[0]) == 0
        alone = len(rows) == 1 and not (self.scene and to_act_lines(self.scene))
        self.row = 0 if alone or near else None

    def step(self, by: int) -> None:
        """Pick the next move in the list if `by` is 1, or the one before if it is -1."""
        count = len(self.rows)
        if count:
            self.row = (0 if by > 0 else count - 1) if self.row is None else (self.row + by) % count

    def pick(self, number: int) -> None:
        """Pick a move in the list by its number, from 1."""
        if 1 <= number <= len(self.rows):
            self.row = number - 1

    def step_answer(self, by: int) -> None:
        """Pick the next answer of the open decision if `by` is 1, or the one before if it is -1."""
        if self.waiting:
            count = len(self.waiting.asked.options)
            first = 0 if by > 0 else count - 1
            self.answer = first if self.answer is None else (self.answer + by) % count

    def scroll(self, by: int) -> None:
        """Scroll the log by `by` rows; a positive number scrolls to older entries."""
        self.back = max(self.back + by, 0)

    def escape(self) -> bool:
        """Go back by one step; return False if there is no step to go back.

        A step closes a text, the help, a refusal or a decision's box, scrolls the log to its end, or drops
        the selection.
        """
        if self.page:
            self.page = None
        elif self.helping:
            self.helping = False
        elif self.noted:
            self.noted = ()
        elif self.waiting:
            self.closed = self.waiting
        elif self.back:
            self.back = 0
        elif self.row is not None or self.selected_person:
            self._turn = None
            self._select_actor()
        else:
            return False
        return True

    def open_box(self) -> None:
        """Open the box of the decision again."""
        self.closed = None

    # The line to play

    def enter(self) -> list[str] | None:
        """Return the words of the command that Enter plays: an answer or a move; None if it plays none.

        If a text is open, Enter only closes that text. If the box of a decision was closed, and no move is
        picked, Enter opens the box again.
        """
        if self.page:
            self.page = None
            return None
        if self.waiting:
            return self.answered(self.answer) if self.answer is not None else None
        if self.decision and not self.choice:
            self.open_box()
            return None
        scene = self.scene
        return [scene.system, *self.choice.option.typed] if scene and self.choice else None

    def answered(self, number: int) -> list[str] | None:
        """Return the words of the command that answers the open decision with an option.

        `number` is the number of the option, from 0. Return None if no option has that number.
        """
        waiting = self.decision
        if waiting is None or not 0 <= number < len(waiting.asked.options):
            return None
        return ["choose", waiting.asked.options[number], "--for", waiting.key]

    def words_to_answer_line(self, line: str) -> list[str] | None:
        """Return the words of the command that answers the shown decision as a line says.

        The line is an option or the number of one. Return None for any other line, which is then read as at
        the shell's prompt.
        """
        waiting = self.waiting
        option = option_by_name_or_number(waiting.asked.options, line) if waiting else None
        return self.answered(waiting.asked.options.index(option)) if waiting and option else None
