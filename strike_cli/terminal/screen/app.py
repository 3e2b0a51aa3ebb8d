"""The screen of `strike play` as a Textual app: keys, the mouse, slow work in threads.

Only this module knows Textual. Begin with `PlayScreen`. `screen_drawing` draws the content, and
`screen_state` has what is selected.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from contextlib import suppress
from functools import partial
from typing import NamedTuple, Protocol

from textual import events, work
from textual.app import App, ComposeResult
from textual.containers import Horizontal
from textual.geometry import Region
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget
from textual.widgets import Input, Static
from textual.worker import Worker, get_current_worker

from ...command_prefix import OWN_PROMPT
from ...kernel.procedure import Roll
from ...play.forecast import Preview, preview
from ...problems import Problem, Refused, Usage, pluralize
from ...registry import systems_by_scene_key
from ...untrusted_input import replace_unprintable
from ..command_output import Line, Span
from ..move_commands import LATER
from ..physical_dice import TAKE_BACK, parse_faces, question_for_roll, taken_back_refusal, valid_faces_words
from .campaign_view import (
    CampaignView,
    DicePrompt,
    PossibleMove,
    legal_moves_in_scene,
    squares_in_reach_if_few_listed,
)
from .screen_drawing import ClickTarget, DrawnScreen, draw_play_screen
from .screen_state import ScreenState

SECONDS_BETWEEN_LOOKS = 0.2
"""Seconds between looks at the journal."""
UNDO, UNDO_COMMAND = "u", "undo"
ROWS_OF_SCROLL = 5
"""Rows of the log that a key scrolls."""
SCROLLS = {"ctrl+pageup": ROWS_OF_SCROLL, "ctrl+pagedown": -ROWS_OF_SCROLL}
QUIT_KEY = "ctrl+q"
"""The key that quits without waiting for anything."""
MOST_LINES_IN_LOG = 4
"""The most lines of a message that the log shows; a longer one opens over the panels."""
ARROWS = {"up": (0, -1), "down": (0, 1), "left": (-1, 0), "right": (1, 0)}
KEYS_FOR_MOVE_LIST = {*ARROWS, "tab", "shift+tab", "pageup", "pagedown", "enter"}
"""Keys that pick an action from the list, besides its numbers."""

DIGIT_IGNORED: Line = [("Digits do nothing here: Enter or Esc closes it.", "dim")]
"""The message for digits after a refusal: they were the faces of its dice, or an answer in it."""


class CommandOutput(NamedTuple):
    """What a command returned: its exit code, its output, its errors."""

    code: int
    out: str
    err: str


class ScreenCommandLine(Protocol):
    """The parts of the command line that the screen needs."""

    quit_words: Sequence[str]
    """Words that quit."""

    def change_stamp(self) -> object:
        """Return a value that changes when a command is played, or the campaign's files are edited."""

    def read_view(self) -> CampaignView:
        """Return the campaign as it is now. Raises Problem if it can't be read."""

    def run_command(
        self, words: Sequence[str], width: int, faces_of: Callable[[Roll, str], list[int] | None]
    ) -> CommandOutput:
        """Play a command as if it were typed, and return its output, `width` columns wide.

        `faces_of` asks for the faces of physical dice. No other questions are asked.
        """

    def command_words_of_line(self, line: str, shown: str = "") -> list[str]:
        """Return the words of the command that a typed line means; [] if the line plays nothing.

        `shown` is the key of the scene whose decision is on the screen. Raises Usage for a line that can't be
        read.
        """

    def completions_of_line(self, line: str) -> list[str]:
        """Return the completions of the last word of a line."""

    def history(self) -> list[str]:
        """Return the lines typed earlier, oldest first."""

    def add_to_history(self, line: str) -> None:
        """Add a typed line to the history."""


class ScreenPicture(Widget, can_focus=True):
    """The screen above the input line."""

    def __init__(self, paint: Callable[[int, int], DrawnScreen]) -> None:
        super().__init__()
        self._paint = paint
        self._painted: DrawnScreen | None = None

    def redraw(self) -> None:
        """Draw the screen again."""
        self._painted = None
        self.refresh()

    @property
    def drawn_screen(self) -> DrawnScreen:
        """The screen as it was last drawn.

        If drawing is due, the screen is drawn first.
        """
        if self._painted is None:
            self._painted = self._paint(self.size.width, self.size.height)
        return self._painted

    def render_lines(self, crop: Region) -> list[Strip]:
        """Return the rows of the screen in the region `crop`."""
        rows = self.drawn_screen.rows
        strips = [Strip(rows[y]) if y < len(rows) else Strip([]) for y in range(crop.y, crop.bottom)]
        return [strip.crop_extend(crop.x, crop.right, None) for strip in strips]

    def on_resize(self) -> None:
        """Draw the screen again in its new size."""
        self.redraw()


class LineRead(Message):
    """A message sent after a key that goes to the input line.

    When the message arrives, the input line has handled the key.
    """


class TypedLine(Input):
    """The input line.

    Enter, Tab and the up and down arrows are handled by the screen itself, even in this line.
    """


class PlayScreen(App[None]):
    """The full screen of `strike play`, as a Textual app."""

    ENABLE_COMMAND_PALETTE = False
    CSS = """
    Screen, ScreenPicture, Static, TypedLine, TypedLine:focus {
        background: ansi_default; color: ansi_default; background-tint: ansi_default 0%;
    }
    ScreenPicture { height: 1fr; }
    Horizontal { height: 1; }
    Static { width: 2; height: 1; }
    TypedLine, TypedLine:focus { width: 1fr; height: 1; border: none; padding: 0; }
    TypedLine > .input--cursor { background: ansi_default; color: ansi_default; text-style: reverse; }
    """

    def __init__(self, commands: ScreenCommandLine, scene: str = "") -> None:
        super().__init__(ansi_color=True)
        self.theme = "ansi-dark"
        self.commands = commands
        self.screen_state = ScreenState(commands.read_view())
        self._must_select_scene_if_named(scene)
        self.picture = ScreenPicture(self._paint)
        self.input_line = TypedLine(compact=True, select_on_focus=False)
        """The input line."""
        self._faces_answer: Future[list[int] | None] | None = None
        """The roll whose faces the command under way waits for."""
        self._roll: Roll | None = None
        self._leaving = False
        self.waiting_keys: deque[events.Key | events.Paste] = deque()
        """Keys that the screen can't handle yet, in the order in which they were pressed."""
        self._line_reads = False
        """Whether the input line has a key that it hasn't processed yet."""
        self._completing = False
        self.typed_lines = commands.history()
        self._typed_at = len(self.typed_lines)
        self._offered_completions: Sequence[str] = ()
        self._stamp: object = commands.change_stamp()

    def _must_select_scene_if_named(self, key: str) -> None:
        keys = [scene.key for scene in self.screen_state.view.scenes]
        if key and key not in keys:
            raise Refused(f"No scene {key!r} is under way.", f"There are: {', '.join(keys) or 'none'}.")
        if key:
            self.screen_state.scene_index = keys.index(key)

    def compose(self) -> ComposeResult:
        """Yield the picture, and the input line below it."""
        yield self.picture
        with Horizontal():
            yield Static("> ")
            yield self.input_line

    def on_mount(self) -> None:
        """Begin to watch the journal, and to look for legal moves."""
        self.picture.focus()
        self.set_interval(SECONDS_BETWEEN_LOOKS, self._read_campaign_if_changed)
        self._find_and_preview_moves()

    @property
    def is_typing(self) -> bool:
        """Whether keys go to the input line."""
        return self.focused is self.input_line

    def _paint(self, width: int, height: int) -> DrawnScreen:
        return draw_play_screen(self.screen_state, width, height, self._hint_lines())

    def _hint_lines(self) -> list[Line]:
        if self.screen_state.dice_prompt is not None and self._roll is not None:
            several = self._roll.n > 1 and "Several: 5 2, 5,2 or 52. "
            return [(f"{several or ''}An empty line and Enter: strike rolls.", "dim")]
        if not self.is_typing:
            return []
        if self.input_line.value == UNDO:
            return [[("u or Enter: ", "dim"), ("undo", "command"), f" {self.screen_state.view.undo_text}"]]
        if self._offered_completions:
            return [" ".join(self._offered_completions)]
        answer = self.screen_state.words_to_answer_line(self.input_line.value)
        if answer:
            return [[("Enter answers: ", "dim"), (answer[1], "command")]]
        return [("Tab completes, the arrows recall earlier lines, Esc leaves the line.", "dim")]

    # Following the journal, and slow work

    def _read_campaign_if_changed(self) -> None:
        now = self.commands.change_stamp()
        if now != self._stamp and not self.screen_state.running_command:
            self._stamp = now
            self._read_campaign_in_thread()

    @work(thread=True, exclusive=True, group="read")
    def _read_campaign_in_thread(self) -> None:
        """Read the campaign in a thread, and show it; keys are handled meanwhile."""
        worker = get_current_worker()
        try:
            show = partial(self._show_view_and_find_moves, self.commands.read_view())
        except Problem as problem:  # somebody may be in the middle of an edit
            show = partial(self._show_problem, problem)
        self._apply_unless_cancelled(worker, show)

    def _show_problem(self, problem: Problem) -> None:
        hint: list[Line] = [(OWN_PROMPT.adapt_prose(problem.hint), "dim")] if problem.hint else []
        self.screen_state.show_refusal([(OWN_PROMPT.adapt_prose(problem.message), "bad"), *hint])
        self.picture.redraw()

    def _show_view_and_find_moves(self, view: CampaignView) -> None:
        self.screen_state.show_view(view)
        self._redraw_and_handle_keys()
        if self.screen_state.moves is None:
            self._find_and_preview_moves()

    @work(thread=True, exclusive=True, group="choices")
    def _find_and_preview_moves(self) -> None:
        """Find the legal moves in a thread, and then make their previews.

        The preview of the picked move comes first, then those of the moves in the list, then those of moves
        to squares. The squares in reach come last. The work stops when it is cancelled, as by a change of
        state.
        """
        worker, desk = get_current_worker(), self.screen_state
        view, scene = desk.view, desk.scene
        if scene is None:
            return
        choices: list[PossibleMove] = []
        try:
            for choice in legal_moves_in_scene(view, scene):
                if worker.is_cancelled:
                    return
                choices.append(choice)
        except Exception as error:  # a system that fails must not end the screen
            self._apply_unless_cancelled(
                worker, partial(desk.add_message, [(f"Options can't be listed: {error!r}", "bad")])
            )
        self._apply_unless_cancelled(worker, lambda: desk.store_moves_and_pick_obvious(choices))
        left = {
            choice.typed: choice
            for choice in sorted(choices, key=lambda choice: choice.has_square_but_no_target)
        }
        while left and not worker.is_cancelled:
            picked = desk.picked_move
            typed = picked.typed if picked and picked.typed in left else next(iter(left))
            found = self._preview_or_reason(view, scene.key, left.pop(typed))
            self._apply_unless_cancelled(worker, partial(desk.previews.__setitem__, typed, found))
        for square in squares_in_reach_if_few_listed(view, scene, choices):
            if worker.is_cancelled:
                return
            self._apply_unless_cancelled(worker, partial(desk.reachable_squares.add, square))

    def _preview_or_reason(self, view: CampaignView, scene_key: str, move: PossibleMove) -> Preview | str:
        assert view.world is not None
        try:
            return preview(systems_by_scene_key()[scene_key], view.world, move.option)
        except Refused as refused:
            return refused.message
        except Exception as error:  # a system that fails must not end the screen
            return f"The result can't be foreseen: {error!r}"

    def _apply_unless_cancelled(self, worker: Worker[object], apply_result: Callable[[], None]) -> None:
        def apply() -> None:
            if not worker.is_cancelled:
                apply_result()
                self._redraw_and_handle_keys()

        if not worker.is_cancelled:
            self.call_from_thread(apply)

    # Dice on the table

    async def action_quit(self) -> None:
        """Quit; a command that waits for dice is taken back first."""
        self._leaving = self._faces_answer is not None
        self._answer_dice_prompt(TAKE_BACK)
        if not self._leaving:
            self.exit()

    def _answer_dice_prompt(self, typed: str) -> None:
        """Handle a line typed for a roll: faces, an empty line to let strike roll, or `undo`."""
        if self._roll is None or self._faces_answer is None or self.screen_state.dice_prompt is None:
            return
        faces = parse_faces(typed, self._roll) if typed else None
        if typed and typed != TAKE_BACK and faces is None:
            self.screen_state.dice_prompt = self.screen_state.dice_prompt._replace(wrong=typed)
            return
        answer, self._faces_answer, self.screen_state.dice_prompt = self._faces_answer, None, None
        if typed == TAKE_BACK:
            answer.set_exception(taken_back_refusal())
        else:
            answer.set_result(faces)

    def on_unmount(self) -> None:
        """Take back a command that still waits for dice when the screen ends."""
        self._answer_dice_prompt(TAKE_BACK)

    def _redraw_and_handle_keys(self) -> None:
        """Draw the screen again, and then handle the waiting keys."""
        self.picture.redraw()
        self.call_later(self._handle_waiting_keys)

    # Keys

    async def on_event(self, event: events.Event) -> None:
        """Put each key into a queue, from which the keys are handled in order.

        A fast typist may press a key before its meaning is known: the input line may not have handled the
        last key, a command may still be running, or the list of moves may be incomplete. Ctrl-Q, and events
        that are no keys, are handled at once.
        """
        at_once = event.is_forwarded or getattr(event, "key", "") == QUIT_KEY
        if isinstance(event, events.Key | events.Paste) and not at_once:
            self.waiting_keys.append(event)
            await self._handle_waiting_keys()
        else:
            await super().on_event(event)

    async def _handle_waiting_keys(self) -> None:
        """Handle the keys in the queue, up to the first whose meaning isn't known yet."""
        while self.waiting_keys and not self._has_to_wait(self.waiting_keys[0]):
            event = self.waiting_keys.popleft()
            if not self._handle_key_or_paste(event):
                self._line_reads = self.is_typing
                await super().on_event(event)
                if self._line_reads:
                    self.input_line.post_message(LineRead())
            self._preview_picked_unlisted_move()
            self.picture.redraw()

    def _preview_picked_unlisted_move(self) -> None:
        """Make the preview of the picked move if that move isn't in the list.

        A move to a distant square, for example, isn't in the list.
        """
        desk, choice = self.screen_state, self.screen_state.picked_move
        if choice and desk.scene and choice in desk.unlisted_moves_here and choice.typed not in desk.previews:
            self._preview_in_thread(desk.view, desk.scene.key, choice)

    @work(thread=True, exclusive=True, group="here")
    def _preview_in_thread(self, view: CampaignView, scene_key: str, move: PossibleMove) -> None:
        found = self._preview_or_reason(view, scene_key, move)
        self._apply_unless_cancelled(
            get_current_worker(), partial(self.screen_state.previews.__setitem__, move.typed, found)
        )

    def on_line_read(self) -> None:
        """Handle the next keys in the queue after the input line has handled a key.

        If the line's text is now `uu`, the last command is undone first. This isn't done while dice are being
        asked for.
        """
        self._line_reads = False
        if self.input_line.value == UNDO * 2 and self.screen_state.dice_prompt is None:
            self._clear_and_leave_line()
            self._start_command([UNDO_COMMAND])
        self._redraw_and_handle_keys()

    def _start_command(self, words: Sequence[str]) -> None:
        if not words:
            return
        if self.screen_state.running_command:
            self.screen_state.add_message(
                [(f"Wait: {self.screen_state.running_command} is still being played.", "warn")]
            )
            return
        self.workers.cancel_group(self, "read")  # it would read an older campaign
        self.screen_state.running_command = " ".join(words)
        self.picture.redraw()
        self._run_command_in_thread(list(words), self.picture.size.width - 4)

    @work(thread=True, group="commands")
    def _run_command_in_thread(self, words: list[str], width: int) -> None:
        """Play a command in a thread, then show its result."""
        before = self.screen_state.view.seq
        try:
            ran = self.commands.run_command(words, width, self._ask_faces)
        except Exception as error:  # a command that fails must not end the screen
            ran = CommandOutput(1, "", f"{error!r}; `strike doctor` checks the campaign.")
        self._stamp = (
            self.commands.change_stamp()
        )  # before reading, so that anything played meanwhile is noticed
        view = None
        with suppress(Problem):
            view = self.commands.read_view()
        self.call_from_thread(self._show_command_result_or_exit, words, ran, before, view)

    def _show_command_result_or_exit(
        self, words: list[str], output: CommandOutput, seq_before: int, view: CampaignView | None
    ) -> None:
        self.screen_state.running_command = ""
        if self._leaving:
            self.exit()
            return
        lines: list[Line] = []
        recorded = view is not None and view.seq != seq_before
        # The journal shows what was recorded.
        if not recorded and output.out.strip():
            told: list[Line] = [*replace_unprintable(output.out.rstrip()).splitlines()]
            head: list[Span] = [("> ", "dim"), (" ".join(words), "command")]
            lines = [head, *told]
            if len(told) > MOST_LINES_IN_LOG:
                self.screen_state.show_text(" ".join(words), told)
                lines = [[*head, (f"  {pluralize(len(told), 'line')} to read", "dim")]]
        refused = bool(output.code) and not recorded
        complaints = [
            (line, "bad" if refused else "warn") for line in replace_unprintable(output.err).splitlines()
        ]
        if view is not None:
            self._show_view_and_find_moves(view)
        self.screen_state.add_message(lines)
        (self.screen_state.show_refusal if refused else self.screen_state.add_message)(complaints)
        self._redraw_and_handle_keys()

    def _ask_faces(self, roll: Roll, name: str) -> list[int] | None:
        """Ask for the faces of a roll in the input line, and return them.

        This is called in the thread that plays the command, and waits for the answer. Raises Refused if the
        user takes the command back.
        """
        answer: Future[list[int] | None] = Future()
        self.call_from_thread(self._show_dice_prompt, roll, name, answer)
        return answer.result()

    def _show_dice_prompt(self, roll: Roll, name: str, answer: Future[list[int] | None]) -> None:
        self._roll, self._faces_answer = roll, answer
        self.screen_state.dice_prompt = DicePrompt(
            question_for_roll(roll, name), valid_faces_words(roll), roll.n > 1
        )
        self._redraw_and_handle_keys()

    def _has_to_wait(self, event: events.Key | events.Paste) -> bool:
        """Return whether a key has to wait in the queue, because its meaning isn't known yet.

        Every key waits until the input line has handled earlier keys and has its completions. Keys that would
        play something wait until the running command has ended or asks for dice. Keys that pick a move wait
        until the list of moves is complete.
        """
        desk = self.screen_state
        if self._line_reads or self._completing:
            return True
        if isinstance(event, events.Paste) or event.key in SCROLLS:
            return False
        key, sign = event.key, event.character or ""
        playing = bool(desk.running_command) and desk.dice_prompt is None
        if self.is_typing:
            undoes = sign == UNDO and self.input_line.value == UNDO
            return playing and (undoes or key in ("enter", "tab", "shift+tab"))
        if sign == ":" or sign.isalpha():  # begins a line, whatever is on the screen
            return False
        looking = desk.scene is not None and desk.moves is None
        wants_list = (key in KEYS_FOR_MOVE_LIST or sign.isdigit()) and not (key in ARROWS and desk.cursor)
        return playing or (
            looking and wants_list and not (desk.dice_prompt or desk.open_text or desk.shown_decision)
        )

    def _handle_key_or_paste(self, event: events.Key | events.Paste) -> bool:
        """Handle a key or pasted text, and return True.

        Return False for a key or text that is for the input line, and for a key without a meaning.
        """
        if isinstance(event, events.Paste):
            if self.is_typing:
                return False
            self._begin_line((event.text.splitlines() or [""])[0])
            return True
        if event.key == "escape":
            if self.is_typing:
                self._clear_and_leave_line()
            elif (
                self.screen_state.dice_prompt is not None
                and not self.screen_state.open_text
                and not self.screen_state.is_help_open
            ):
                self._answer_dice_prompt(TAKE_BACK)
            else:
                self.screen_state.go_back_one_step()
        elif event.key in SCROLLS:
            self.screen_state.scroll_log(SCROLLS[event.key])
        else:
            return self._handle_key_besides_escape(event)
        return True

    def _handle_key_besides_escape(self, event: events.Key) -> bool:
        """Handle a key other than Esc and the scrolling keys. Return whether the key was handled here.

        A key isn't handled if it is for the input line, or if it has no meaning. If the key isn't typed into
        the input line, the box of a refusal is closed.
        """
        if self._swallow_enter_or_digit_for_refused(event):
            return True
        types = event.key != "enter" and (self.is_typing or (event.character or "").isalpha())
        self.screen_state.refusal = self.screen_state.refusal if types else ()
        if event.key == "f2":
            self.screen_state.show_next_scene()
            self._find_and_preview_moves()
            return True
        return self._handle_line_key(event.key) if self.is_typing else self._handle_pointing_key(event)

    def _swallow_enter_or_digit_for_refused(self, event: events.Key) -> bool:
        """Swallow a key that was meant for the command just refused; return whether the key was swallowed.

        While the message about the refusal is shown, Enter closes the message. A digit, meant as a die's face
        or an answer, adds a hint to the message. So neither key plays anything else by mistake.
        """
        desk, sign = self.screen_state, event.character or ""
        if not desk.refusal or self.is_typing or desk.shown_decision or desk.dice_prompt:
            return False
        if event.key == "enter":
            desk.refusal = ()
        elif sign.isdigit() and sign.isascii():
            desk.refusal = [*(line for line in desk.refusal if line != DIGIT_IGNORED), DIGIT_IGNORED]
        else:
            return False
        return True

    def _handle_line_key(self, key: str) -> bool:
        """Handle a key while a line is being typed; return False for a key that the input line handles."""
        if key == "enter":
            self._handle_line(self.input_line.value.strip())
        elif key in ("tab", "shift+tab"):
            self._completing = True
            self._find_line_completions(self.input_line.value[: self.input_line.cursor_position])
        elif key in ("up", "down"):
            at = self._typed_at + (1 if key == "down" else -1)
            if 0 <= at <= len(self.typed_lines):
                self._typed_at = at
                self.input_line.value = self.typed_lines[at] if at < len(self.typed_lines) else ""
                self.input_line.cursor_position = len(self.input_line.value)
        else:
            return False
        return True

    def _handle_pointing_key(self, event: events.Key) -> bool:
        """Handle a key while no line is typed, and return whether the key has a meaning now."""
        desk, key, sign = self.screen_state, event.key, event.character or ""
        if desk.dice_prompt is not None and key == "enter":
            self._answer_dice_prompt("")
        elif desk.dice_prompt is not None and sign.isprintable() and sign.strip():
            self._begin_line(sign)
        elif key in ARROWS:
            desk.handle_arrow(*ARROWS[key])
        elif key in ("tab", "shift+tab"):
            desk.step_to_target(1 if key == "tab" else -1)
        elif key in ("pageup", "pagedown"):
            by = 1 if key == "pagedown" else -1
            if desk.open_text:
                desk.scroll_open_text(by * ROWS_OF_SCROLL)
            else:
                (desk.step_answer if desk.shown_decision else desk.step_to_move)(by)
        elif key == "enter":
            self._start_command(desk.handle_enter_and_return_words() or ())
        else:
            return self._handle_character(sign)
        return True

    def _handle_character(self, character: str) -> bool:
        """Handle a character while no line is being typed; return False if the character has no meaning.

        Some characters act at once: `?` shows or hides the help, and a digit picks a move or an answer. A
        letter begins a line.
        """
        desk = self.screen_state
        if character and character in "+-" and desk.view.proposals:
            self._start_command(["accept" if character == "+" else "decline", str(desk.view.proposals[0].id)])
        elif character == "?":
            desk.is_help_open = not desk.is_help_open
        elif character.isdigit() and character.isascii():
            number = int(character)
            waiting = self.screen_state.shown_decision
            if waiting is None:
                self.screen_state.pick_move(number)
            elif len(waiting.asked.options) > 9:
                self._begin_line(character)
            elif number <= len(waiting.asked.options) and number:
                self._start_command(self.screen_state.words_to_answer_next_decision(number - 1) or ())
            else:
                self.screen_state.show_refusal(
                    [(f"{character} is not an answer: type 1 to {len(waiting.asked.options)}.", "bad")]
                )
        elif character == ":" or (character.isprintable() and character.strip()):
            self._begin_line("" if character == ":" else character)
        else:
            return False
        return True

    def _begin_line(self, text: str) -> None:
        self.screen_state.open_text = None
        self.input_line.value = text
        self.set_focus(self.input_line)
        self.input_line.cursor_position = len(text)

    def _clear_and_leave_line(self) -> None:
        self.input_line.value = ""
        self._offered_completions = ()
        self._typed_at = len(self.typed_lines)
        self.set_focus(self.picture)

    # The line

    def on_input_changed(self, event: Input.Changed) -> None:
        """Draw the screen again, since its foot depends on the typed text."""
        self._offered_completions = ()
        self.picture.redraw()

    def _handle_line(self, line: str) -> None:
        """Handle a line after Enter: faces of dice, a word of the screen such as `exit`, or a command."""
        self._clear_and_leave_line()
        if self.screen_state.dice_prompt is not None:
            self._answer_dice_prompt(line)
        elif not line:
            pass
        elif line == UNDO:
            self._start_command([UNDO_COMMAND])
        elif line in self.commands.quit_words:
            self.exit()
        elif line == LATER:
            self.screen_state.closed_decision = self.screen_state.shown_decision
        elif line == "?":
            self.screen_state.is_help_open = True
        else:
            self.typed_lines.append(line)
            self._typed_at = len(self.typed_lines)
            self.commands.add_to_history(line)
            waiting = self.screen_state.shown_decision
            try:
                self._start_command(self.commands.command_words_of_line(line, waiting.key if waiting else ""))
            except Usage as problem:
                self._show_problem(problem)

    @work(thread=True, exclusive=True, group="completion")
    def _find_line_completions(self, text_before_cursor: str) -> None:
        """Complete the typed line, in a thread.

        Keys that are typed in the meantime wait for the result.
        """
        try:
            found = self.commands.completions_of_line(text_before_cursor)
        except Exception:  # a system that fails must not end the screen
            found = []
        self.call_from_thread(self._apply_completions, text_before_cursor, found)

    def _apply_completions(self, text_before_cursor: str, completions: Sequence[str]) -> None:
        self._completing = False
        line = self.input_line
        if line.value[: line.cursor_position] != text_before_cursor or not self.is_typing:
            self._redraw_and_handle_keys()
            return
        shared = completions[0] if completions else ""
        for word in completions:
            while not word.startswith(shared):
                shared = shared[:-1]
        typed = text_before_cursor.rpartition(" ")[2]
        if len(shared) > len(typed):
            with self.prevent(Input.Changed):
                line.value = (
                    text_before_cursor[: len(text_before_cursor) - len(typed)]
                    + shared
                    + line.value[line.cursor_position :]
                )
                line.cursor_position = len(text_before_cursor) - len(typed) + len(shared)
        self._offered_completions = completions if len(completions) > 1 else ()
        self._redraw_and_handle_keys()

    # The mouse

    def on_click(self, event: events.Click) -> None:
        """Select what is clicked; a double click also plays it."""
        if event.widget is not self.picture:
            return
        self.screen_state.refusal = ()
        hit = self.picture.drawn_screen.click_target_at(event.x, event.y)
        if self.is_typing:
            self._clear_and_leave_line()
        if hit is not None:
            self._select_or_answer_by_click(hit, event.chain > 1)
            self._preview_picked_unlisted_move()
        self.picture.redraw()

    def _select_or_answer_by_click(self, target: ClickTarget, is_double: bool) -> None:
        desk = self.screen_state
        if target.kind == "answer":
            self._start_command(desk.words_to_answer_next_decision(target.number) or ())
            return
        if target.kind == "square" and target.square is not None:
            desk.select_square(target.square)
        elif target.kind == "person":
            desk.select_person(target.who)
        elif target.kind == "action":
            desk.pick_move(target.number + 1)
        if is_double and target.kind != "log":
            self._start_command(desk.handle_enter_and_return_words() or ())

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        """Scroll the log to older entries."""
        self.screen_state.scroll_log(1)
        self.picture.redraw()

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        """Scroll the log to newer entries."""
        self.screen_state.scroll_log(-1)
        self.picture.redraw()
