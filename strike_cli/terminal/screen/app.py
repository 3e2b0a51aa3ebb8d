"""The screen of `strike play` as a Textual app: keys, the mouse, slow work in threads.

Only this module knows Textual. Begin with `PlayScreen`. `screen_drawing` draws the content, and `selection`
has what is selected.
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

from ...kernel.procedure import Roll
from ...play.forecast import Preview, preview
from ...problems import Problem, Refused, Usage, pluralize
from ...registry import scene_systems
from ...suggested_commands import OWN_PROMPT
from ...untrusted_data_reader import make_printable
from ..command_declarations import LATER
from ..physical_dice import TAKE_BACK, faces_in_words, parse_faces, question_for_roll, taken_back_refusal
from ..result import Line, Span
from .model import CampaignView, DicePrompt, PossibleMove, further_squares, possible_moves
from .screen_drawing import ClickTarget, Screen, draw_screen
from .selection import ScreenSelection

LOOK_EVERY = 0.2
"""Seconds between looks at the journal."""
UNDO, UNDO_COMMAND = "u", "undo"
PAGE = 5
"""Rows of the log that a key scrolls."""
SCROLLS = {"ctrl+pageup": PAGE, "ctrl+pagedown": -PAGE}
AT_ONCE = "ctrl+q"
"""The key that quits without waiting for anything."""
SHORT = 4
"""The most lines of a message that the log shows; a longer one opens over the panels."""
ARROWS = {"up": (0, -1), "down": (0, 1), "left": (-1, 0), "right": (1, 0)}
WANT_LIST = {*ARROWS, "tab", "shift+tab", "pageup", "pagedown", "enter"}
"""Keys that pick an action from the list, besides its numbers."""

NOT_PICKED: Line = [("Digits do nothing here: Enter or Esc closes it.", "dim")]
"""The message for digits after a refusal: they were the faces of its dice, or an answer in it."""


class CommandOutput(NamedTuple):
    """What a command returned: its exit code, its output, its errors."""

    code: int
    out: str
    err: str


class Commands(Protocol):
    """The parts of the command line that the screen needs."""

    leave: Sequence[str]
    """Words that quit."""

    def stamp(self) -> object:
        """Return a value that changes when a command is played, or the campaign's files are edited."""

    def view(self) -> CampaignView:
        """Return the campaign as it is now. Raises Problem if it can't be read."""

    def run_command(
        self, words: Sequence[str], width: int, faces_of: Callable[[Roll, str], list[int] | None]
    ) -> CommandOutput:
        """Play a command as if it were typed, and return its output, `width` columns wide.

        `faces_of` asks for the faces of physical dice. No other questions are asked.
        """

    def words(self, line: str, shown: str = "") -> list[str]:
        """Return the words of the command that a typed line means; none if the line plays nothing.

        `shown` is the scene whose decision is on the screen. Raises Usage for a line that can't be read.
        """

    def complete(self, line: str) -> list[str]:
        """Return the completions of the last word of a line."""

    def history(self) -> list[str]:
        """Return the lines typed earlier, oldest first."""

    def keep(self, line: str) -> None:
        """Add a typed line to the history."""


class ScreenPicture(Widget, can_focus=True):
    """The screen above the input line."""

    def __init__(self, paint: Callable[[int, int], Screen]) -> None:
        super().__init__()
        self._paint = paint
        self._painted: Screen | None = None

    def again(self) -> None:
        """Draw the screen again."""
        self._painted = None
        self.refresh()

    @property
    def painted(self) -> Screen:
        """The screen as it was last drawn.

        If drawing is due, the screen is drawn first.
        """
        if self._painted is None:
            self._painted = self._paint(self.size.width, self.size.height)
        return self._painted

    def render_lines(self, crop: Region) -> list[Strip]:
        """Return the rows of the screen in the region `crop`."""
        rows = self.painted.rows
        strips = [Strip(rows[y]) if y < len(rows) else Strip([]) for y in range(crop.y, crop.bottom)]
        return [strip.crop_extend(crop.x, crop.right, None) for strip in strips]

    def on_resize(self) -> None:
        """Draw the screen again in its new size."""
        self.again()


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

    def __init__(self, commands: Commands, scene: str = "") -> None:
        super().__init__(ansi_color=True)
        self.theme = "ansi-dark"
        self.commands = commands
        self.desk = ScreenSelection(commands.view())
        self._select_scene(scene)
        self.picture = ScreenPicture(self._paint)
        self.line = TypedLine(compact=True, select_on_focus=False)
        """The input line."""
        self._faces: Future[list[int] | None] | None = None
        """The roll whose faces the command under way waits for."""
        self._roll: Roll | None = None
        self._leaving = False
        self.waiting_keys: deque[events.Key | events.Paste] = deque()
        """Keys that the screen can't handle yet, in the order in which they were pressed."""
        self._line_reads = False
        """Whether the input line has a key that it hasn't processed yet."""
        self._completing = False
        self.typed = commands.history()
        self._typed_at = len(self.typed)
        self._offered: Sequence[str] = ()
        self._stamp: object = commands.stamp()

    def _select_scene(self, key: str) -> None:
        keys = [scene.key for scene in self.desk.view.scenes]
        if key and key not in keys:
            raise Refused(f"No scene {key!r} is under way.", f"There are: {', '.join(keys) or 'none'}.")
        if key:
            self.desk.which = keys.index(key)

    def compose(self) -> ComposeResult:
        """Yield the picture, and the input line below it."""
        yield self.picture
        with Horizontal():
            yield Static("> ")
            yield self.line

    def on_mount(self) -> None:
        """Begin to watch the journal, and to look for legal moves."""
        self.picture.focus()
        self.set_interval(LOOK_EVERY, self._check_for_changes)
        self._find_moves()

    @property
    def typing(self) -> bool:
        """Whether keys go to the input line."""
        return self.focused is self.line

    def _paint(self, width: int, height: int) -> Screen:
        return draw_screen(self.desk, width, height, self._hint())

    def _hint(self) -> list[Line]:
        if self.desk.throw is not None and self._roll is not None:
            several = self._roll.n > 1 and "Several: 5 2, 5,2 or 52. "
            return [(f"{several or ''}An empty line and Enter: strike rolls.", "dim")]
        if not self.typing:
            return []
        if self.line.value == UNDO:
            return [[("u or Enter: ", "dim"), ("undo", "command"), f" {self.desk.view.undoes}"]]
        if self._offered:
            return [" ".join(self._offered)]
        answer = self.desk.words_to_answer_line(self.line.value)
        if answer:
            return [[("Enter answers: ", "dim"), (answer[1], "command")]]
        return [("Tab completes, the arrows recall earlier lines, Esc leaves the line.", "dim")]

    # Following the journal, and slow work

    def _check_for_changes(self) -> None:
        now = self.commands.stamp()
        if now != self._stamp and not self.desk.busy:
            self._stamp = now
            self._read_campaign()

    @work(thread=True, exclusive=True, group="read")
    def _read_campaign(self) -> None:
        """Read the campaign in a thread, and show it; keys are handled meanwhile."""
        worker = get_current_worker()
        try:
            show = partial(self._show_view, self.commands.view())
        except Problem as problem:  # somebody may be in the middle of an edit
            show = partial(self._show_problem, problem)
        self._apply_unless_cancelled(worker, show)

    def _show_problem(self, problem: Problem) -> None:
        hint: list[Line] = [(OWN_PROMPT.adapt_prose(problem.hint), "dim")] if problem.hint else []
        self.desk.show_refusal([(OWN_PROMPT.adapt_prose(problem.message), "bad"), *hint])
        self.picture.again()

    def _show_view(self, view: CampaignView) -> None:
        self.desk.show(view)
        self._redraw()
        if self.desk.choices is None:
            self._find_moves()

    @work(thread=True, exclusive=True, group="choices")
    def _find_moves(self) -> None:
        """Find the legal moves in a thread, and then make their previews.

        The preview of the picked move comes first, then those of the moves in the list, then those of moves
        to squares. The work ends once the state changes.
        """
        worker, desk = get_current_worker(), self.desk
        view, scene = desk.view, desk.scene
        if scene is None:
            return
        choices: list[PossibleMove] = []
        try:
            for choice in possible_moves(view, scene):
                if worker.is_cancelled:
                    return
                choices.append(choice)
        except Exception as error:  # a system that fails must not end the screen
            self._apply_unless_cancelled(
                worker, partial(desk.tell, [(f"Options can't be listed: {error!r}", "bad")])
            )
        self._apply_unless_cancelled(worker, lambda: desk.found(choices))
        left = {choice.typed: choice for choice in sorted(choices, key=lambda choice: choice.goes)}
        while left and not worker.is_cancelled:
            picked = desk.choice
            typed = picked.typed if picked and picked.typed in left else next(iter(left))
            found = self._preview(view, scene.key, left.pop(typed))
            self._apply_unless_cancelled(worker, partial(desk.previews.__setitem__, typed, found))
        for square in further_squares(view, scene, choices):
            if worker.is_cancelled:
                return
            self._apply_unless_cancelled(worker, partial(desk.further.add, square))

    def _preview_unlisted_move(self) -> None:
        """Make the preview of the picked move if that move isn't in the list.

        A move to a distant square, for example, isn't in the list.
        """
        desk, choice = self.desk, self.desk.choice
        if choice and desk.scene and choice in desk.here and choice.typed not in desk.previews:
            self._preview_in_thread(desk.view, desk.scene.key, choice)

    @work(thread=True, exclusive=True, group="here")
    def _preview_in_thread(self, view: CampaignView, key: str, choice: PossibleMove) -> None:
        found = self._preview(view, key, choice)
        self._apply_unless_cancelled(
            get_current_worker(), partial(self.desk.previews.__setitem__, choice.typed, found)
        )

    def _preview(self, view: CampaignView, key: str, choice: PossibleMove) -> Preview | str:
        assert view.world is not None
        try:
            return preview(scene_systems()[key], view.world, choice.option)
        except Refused as refused:
            return refused.message
        except Exception as error:  # a system that fails must not end the screen
            return f"The result can't be foreseen: {error!r}"

    def _apply_unless_cancelled(self, worker: Worker[object], give: Callable[[], None]) -> None:
        def apply() -> None:
            if not worker.is_cancelled:
                give()
                self._redraw()

        if not worker.is_cancelled:
            self.call_from_thread(apply)

    def _play(self, words: Sequence[str]) -> None:
        if not words:
            return
        if self.desk.busy:
            self.desk.tell([(f"Wait: {self.desk.busy} is still being played.", "warn")])
            return
        self.workers.cancel_group(self, "read")  # it would read an older campaign
        self.desk.busy = " ".join(words)
        self.picture.again()
        self._run_command(list(words), self.picture.size.width - 4)

    @work(thread=True, group="commands")
    def _run_command(self, words: list[str], width: int) -> None:
        """Play a command in a thread, then show its result."""
        before = self.desk.view.seq
        try:
            ran = self.commands.run_command(words, width, self._ask_faces)
        except Exception as error:  # a command that fails must not end the screen
            ran = CommandOutput(1, "", f"{error!r}; `strike doctor` checks the campaign.")
        self._stamp = self.commands.stamp()  # before reading, so that anything played meanwhile is noticed
        view = None
        with suppress(Problem):
            view = self.commands.view()
        self.call_from_thread(self._show_played, words, ran, before, view)

    # Dice on the table

    def _ask_faces(self, roll: Roll, name: str) -> list[int] | None:
        """Return the faces of a roll that are typed in the input line.

        The thread that plays the command waits for them. Raises Refused if the command is taken back.
        """
        answer: Future[list[int] | None] = Future()
        self.call_from_thread(self._show_dice_prompt, roll, name, answer)
        return answer.result()

    def _show_dice_prompt(self, roll: Roll, name: str, answer: Future[list[int] | None]) -> None:
        self._roll, self._faces = roll, answer
        self.desk.throw = DicePrompt(question_for_roll(roll, name), faces_in_words(roll), roll.n > 1)
        self._redraw()

    def _answer_roll(self, typed: str) -> None:
        """Handle a line typed for a roll: faces, an empty line to let strike roll, or `undo`."""
        if self._roll is None or self._faces is None or self.desk.throw is None:
            return
        faces = parse_faces(typed, self._roll) if typed else None
        if typed and typed != TAKE_BACK and faces is None:
            self.desk.throw = self.desk.throw._replace(wrong=typed)
            return
        answer, self._faces, self.desk.throw = self._faces, None, None
        if typed == TAKE_BACK:
            answer.set_exception(taken_back_refusal())
        else:
            answer.set_result(faces)

    async def action_quit(self) -> None:
        """Quit; a command that waits for dice is taken back first."""
        self._leaving = self._faces is not None
        self._answer_roll(TAKE_BACK)
        if not self._leaving:
            self.exit()

    def on_unmount(self) -> None:
        """Take back a command that still waits for dice, however the screen ends."""
        self._answer_roll(TAKE_BACK)

    def _show_played(
        self, words: list[str], ran: CommandOutput, before: int, view: CampaignView | None
    ) -> None:
        self.desk.busy = ""
        if self._leaving:
            self.exit()
            return
        lines: list[Line] = []
        recorded = view is not None and view.seq != before
        # The journal shows what was recorded.
        if not recorded and ran.out.strip():
            told: list[Line] = [*make_printable(ran.out.rstrip()).splitlines()]
            head: list[Span] = [("> ", "dim"), (" ".join(words), "command")]
            lines = [head, *told]
            if len(told) > SHORT:
                self.desk.read(" ".join(words), told)
                lines = [[*head, (f"  {pluralize(len(told), 'line')} to read", "dim")]]
        refused = bool(ran.code) and not recorded
        complaints = [(line, "bad" if refused else "warn") for line in make_printable(ran.err).splitlines()]
        if view is not None:
            self._show_view(view)
        self.desk.tell(lines)
        (self.desk.show_refusal if refused else self.desk.tell)(complaints)
        self._redraw()

    def _redraw(self) -> None:
        """Draw the screen again, and then handle the waiting keys."""
        self.picture.again()
        self.call_later(self._handle_waiting_keys)

    # Keys

    async def on_event(self, event: events.Event) -> None:
        """Put each key into a queue, from which keys are handled in order.

        Fast typists may press a key too early: before the input line has handled the last key, a command has
        ended, or the list of moves is complete. Other events, and Ctrl-Q, are handled at once.
        """
        at_once = event.is_forwarded or getattr(event, "key", "") == AT_ONCE
        if isinstance(event, events.Key | events.Paste) and not at_once:
            self.waiting_keys.append(event)
            await self._handle_waiting_keys()
        else:
            await super().on_event(event)

    async def _handle_waiting_keys(self) -> None:
        """Handle the keys in the queue, up to the first whose meaning isn't known yet."""
        while self.waiting_keys and not self._must_wait(self.waiting_keys[0]):
            event = self.waiting_keys.popleft()
            if not self._handle_typed_key(event):
                self._line_reads = self.typing
                await super().on_event(event)
                if self._line_reads:
                    self.line.post_message(LineRead())
            self._preview_unlisted_move()
            self.picture.again()

    def on_line_read(self) -> None:
        """Handle the next keys in the queue, once the input line has handled the last one.

        If the line has the text `uu`, the last command is undone.
        """
        self._line_reads = False
        if self.line.value == UNDO * 2 and self.desk.throw is None:
            self._leave_line()
            self._play([UNDO_COMMAND])
        self._redraw()

    def _must_wait(self, event: events.Key | events.Paste) -> bool:
        """Return whether a key has to wait because its meaning isn't known yet.

        A key waits until the input line has handled earlier keys and has its completions. Some keys also wait
        until the command being played has ended or asks for dice. Keys that pick a move also wait until the
        list of moves is complete.
        """
        desk = self.desk
        if self._line_reads or self._completing:
            return True
        if isinstance(event, events.Paste) or event.key in SCROLLS:
            return False
        key, sign = event.key, event.character or ""
        playing = bool(desk.busy) and desk.throw is None
        if self.typing:
            undoes = sign == UNDO and self.line.value == UNDO
            return playing and (undoes or key in ("enter", "tab", "shift+tab"))
        if sign == ":" or sign.isalpha():  # begins a line, whatever is on the screen
            return False
        looking = desk.scene is not None and desk.choices is None
        wants_list = (key in WANT_LIST or sign.isdigit()) and not (key in ARROWS and desk.cursor)
        return playing or (looking and wants_list and not (desk.throw or desk.page or desk.waiting))

    def _handle_typed_key(self, event: events.Key | events.Paste) -> bool:
        """Handle a key or pasted text; return whether that was done.

        Return False for a key that is for the input line, or that has no meaning.
        """
        if isinstance(event, events.Paste):
            if self.typing:
                return False
            self._begin_line((event.text.splitlines() or [""])[0])
            return True
        if event.key == "escape":
            if self.typing:
                self._leave_line()
            elif self.desk.throw is not None and not self.desk.page and not self.desk.helping:
                self._answer_roll(TAKE_BACK)
            else:
                self.desk.escape()
        elif event.key in SCROLLS:
            self.desk.scroll(SCROLLS[event.key])
        else:
            return self._handle_other_key(event)
        return True

    def _handle_other_key(self, event: events.Key) -> bool:
        """Handle a key, other than Esc and the keys that scroll; return whether that was done.

        Return False for a key that is for the input line, or that has no meaning. A key that isn't typed into
        the input line also closes the box of a refusal.
        """
        if self._is_meant_for_refused(event):
            return True
        types = event.key != "enter" and (self.typing or (event.character or "").isalpha())
        self.desk.noted = self.desk.noted if types else ()
        if event.key == "f2":
            self.desk.show_next_scene()
            self._find_moves()
            return True
        return self._handle_line_key(event.key) if self.typing else self._handle_pointing_key(event)

    def _is_meant_for_refused(self, event: events.Key) -> bool:
        """Return whether a key was meant for the command that was just refused.

        Such a key is a face, an answer or Enter. It must not play anything else.
        """
        desk, sign = self.desk, event.character or ""
        if not desk.noted or self.typing or desk.waiting or desk.throw:
            return False
        if event.key == "enter":
            desk.noted = ()
        elif sign.isdigit() and sign.isascii():
            desk.noted = [*(line for line in desk.noted if line != NOT_PICKED), NOT_PICKED]
        else:
            return False
        return True

    def _handle_line_key(self, key: str) -> bool:
        """Handle a key while a line is being typed; return False for a key that the input line handles."""
        if key == "enter":
            self._handle_line(self.line.value.strip())
        elif key in ("tab", "shift+tab"):
            self._completing = True
            self._find_line_completions(self.line.value[: self.line.cursor_position])
        elif key in ("up", "down"):
            at = self._typed_at + (1 if key == "down" else -1)
            if 0 <= at <= len(self.typed):
                self._typed_at = at
                self.line.value = self.typed[at] if at < len(self.typed) else ""
                self.line.cursor_position = len(self.line.value)
        else:
            return False
        return True

    def _handle_pointing_key(self, event: events.Key) -> bool:
        """Handle a key while no line is typed; return False if it has no meaning."""
        desk, key, sign = self.desk, event.key, event.character or ""
        if desk.throw is not None and key == "enter":
            self._answer_roll("")
        elif desk.throw is not None and sign.isprintable() and sign.strip():
            self._begin_line(sign)
        elif key in ARROWS:
            desk.move(*ARROWS[key])
        elif key in ("tab", "shift+tab"):
            desk.next_target(1 if key == "tab" else -1)
        elif key in ("pageup", "pagedown"):
            by = 1 if key == "pagedown" else -1
            if desk.page:
                desk.turn_page(by * PAGE)
            else:
                (desk.step_answer if desk.waiting else desk.step)(by)
        elif key == "enter":
            self._play(desk.enter() or ())
        else:
            return self._handle_character(sign)
        return True

    def _handle_character(self, sign: str) -> bool:
        """Handle a character while no line is typed; return False if it has no meaning.

        A letter begins a line.
        """
        desk = self.desk
        if sign and sign in "+-" and desk.view.proposals:
            self._play(["accept" if sign == "+" else "decline", str(desk.view.proposals[0].id)])
        elif sign == "?":
            desk.helping = not desk.helping
        elif sign.isdigit() and sign.isascii():
            number = int(sign)
            waiting = self.desk.waiting
            if waiting is None:
                self.desk.pick(number)
            elif len(waiting.asked.options) > 9:
                self._begin_line(sign)
            elif number <= len(waiting.asked.options) and number:
                self._play(self.desk.answered(number - 1) or ())
            else:
                self.desk.show_refusal(
                    [(f"{sign} is not an answer: type 1 to {len(waiting.asked.options)}.", "bad")]
                )
        elif sign == ":" or (sign.isprintable() and sign.strip()):
            self._begin_line("" if sign == ":" else sign)
        else:
            return False
        return True

    def _begin_line(self, text: str) -> None:
        self.desk.page = None
        self.line.value = text
        self.set_focus(self.line)
        self.line.cursor_position = len(text)

    def _leave_line(self) -> None:
        self.line.value = ""
        self._offered = ()
        self._typed_at = len(self.typed)
        self.set_focus(self.picture)

    # The line

    def on_input_changed(self, event: Input.Changed) -> None:
        """Draw the screen again, since its foot depends on the typed text."""
        self._offered = ()
        self.picture.again()

    def _handle_line(self, line: str) -> None:
        """Handle a line after Enter: faces of dice, a word of the screen such as `exit`, or a command."""
        self._leave_line()
        if self.desk.throw is not None:
            self._answer_roll(line)
        elif not line:
            pass
        elif line == UNDO:
            self._play([UNDO_COMMAND])
        elif line in self.commands.leave:
            self.exit()
        elif line == LATER:
            self.desk.closed = self.desk.waiting
        elif line == "?":
            self.desk.helping = True
        else:
            self.typed.append(line)
            self._typed_at = len(self.typed)
            self.commands.keep(line)
            waiting = self.desk.waiting
            try:
                self._play(self.commands.words(line, waiting.key if waiting else ""))
            except Usage as problem:
                self._show_problem(problem)

    @work(thread=True, exclusive=True, group="completion")
    def _find_line_completions(self, before: str) -> None:
        """Complete the typed line in a thread; keys wait for the result."""
        try:
            found = self.commands.complete(before)
        except Exception:  # a system that fails must not end the screen
            found = []
        self.call_from_thread(self._apply_completions, before, found)

    def _apply_completions(self, before: str, completions: Sequence[str]) -> None:
        self._completing = False
        line = self.line
        if line.value[: line.cursor_position] != before or not self.typing:
            self._redraw()
            return
        shared = completions[0] if completions else ""
        for word in completions:
            while not word.startswith(shared):
                shared = shared[:-1]
        typed = before.rpartition(" ")[2]
        if len(shared) > len(typed):
            with self.prevent(Input.Changed):
                line.value = before[: len(before) - len(typed)] + shared + line.value[line.cursor_position :]
                line.cursor_position = len(before) - len(typed) + len(shared)
        self._offered = completions if len(completions) > 1 else ()
        self._redraw()

    # The mouse

    def on_click(self, event: events.Click) -> None:
        """Select what is clicked; a double click also plays it."""
        if event.widget is not self.picture:
            return
        self.desk.noted = ()
        hit = self.picture.painted.hit(event.x, event.y)
        if self.typing:
            self._leave_line()
        if hit is not None:
            self._handle_click(hit, event.chain > 1)
            self._preview_unlisted_move()
        self.picture.again()

    def _handle_click(self, hit: ClickTarget, twice: bool) -> None:
        desk = self.desk
        if hit.kind == "answer":
            self._play(desk.answered(hit.number) or ())
            return
        if hit.kind == "square" and hit.square is not None:
            desk.point(hit.square)
        elif hit.kind == "person":
            desk.aim(hit.who)
        elif hit.kind == "action":
            desk.pick(hit.number + 1)
        if twice and hit.kind != "log":
            self._play(desk.enter() or ())

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        """Scroll the log to older entries."""
        self.desk.scroll(1)
        self.picture.again()

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        """Scroll the log to newer entries."""
        self.desk.scroll(-1)
        self.picture.again()
