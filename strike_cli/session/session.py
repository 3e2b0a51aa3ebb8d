"""An open campaign as a program, for every way in and for notebooks: the command line's work, as values.

The same commands, rules, journal and locks; nothing here plays anything by itself.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from threading import RLock
from types import TracebackType
from typing import TYPE_CHECKING, NamedTuple, cast

from ..campaign import Campaign as OpenCampaign
from ..kernel.facts import waiting_in
from ..kernel.procedure import World
from ..play.forecast import Preview, preview
from ..play.legal_options import Option, legal_options, next_moves
from ..play.moves import find_move
from ..problems import CampaignProblem, Refused, Usage
from ..terminal.invocation import UNATTENDED, GivenOptions, Invocation
from ..terminal.name_lookup import scene_if_any
from ..terminal.result import Block, Result, as_text
from ..terminal.screen.model import CampaignView, audience_at_table, view_of
from ..visibility.audience import GM
from ..word_splitting import words_of
from .command_reading import Command, command_of, result_of
from .shorthand import systems_in_use
from .typed_line import OWN_TERMINAL

if TYPE_CHECKING:
    from ..content.book import Book
    from ..kernel.journal_types import JournalEntry
    from ..tabletop.scene import Scene


class Pending(NamedTuple):
    """A decision that waits for `who`.

    `what` is its key, `asks` the whole question; `options` are the answers, `labels` the words for each.
    """

    who: str
    what: str
    options: tuple[str, ...]
    labels: tuple[str, ...]
    asks: str = ""


class Played:
    """The result of a command.

    `data` is its result in the form of `--json`; `facts` are what happened: `kind`, `who`, `text`, details,
    and `changes` of the state. `seq` is its number in the journal, None where nothing was recorded. `pending`
    is the decision that it waits for, if any. `text` is the terminal's output.
    """

    def __init__(self, result: Result) -> None:
        envelope = result.as_json()
        self.command: str = envelope["command"]
        self.seq: int | None = envelope["seq"]
        self.data = cast("Mapping[str, object]", result.data)
        self.facts: list[Mapping[str, object]] = envelope["facts"]
        self.notices: list[str] = result.notices
        waits = result.pending
        self.pending = (
            Pending(waits.who, waits.what, tuple(waits.options), tuple(map(str, waits.labels)), waits.asks)
            if waits
            else None
        )
        self._blocks: Sequence[Block] = result.blocks
        if result.items is not None:
            told = list(result.items.told)
            self.data = result.items.within(result.data, [item for _, item in told])
            self._blocks = [line for lines, _ in told for line in lines] or list(result.items.nothing)

    @property
    def text(self) -> str:
        """The text of a terminal's output, without colour."""
        return as_text(self._blocks)

    def __repr__(self) -> str:
        waits = f", pending={self.pending}" if self.pending else ""
        return f"<Played {self.command!r}, seq={self.seq}{waits}>"

    def __str__(self) -> str:
        return self.text.rstrip("\n")

    def _repr_html_(self) -> str:
        """Return the form that a notebook shows."""
        from ..terminal.html_and_markdown import blocks_html

        return blocks_html(self._blocks)


class Session:
    """A campaign's folder.

    Every command opens it, plays, and releases it, so that a terminal can play meanwhile. In a `with` block
    it is kept open, as for a script: nobody else writes meanwhile, and a hundred commands take a moment.
    Refusals by the rules raise Refused, typing mistakes Usage, faults in files CampaignProblem; then nothing
    has changed.
    """

    def __init__(self, folder: str | os.PathLike[str] = ".") -> None:
        """Open a campaign.

        Raises CampaignProblem where there is none in the folder, and for mistakes in its files.
        """
        from ..terminal.options import find_campaign

        found = find_campaign(os.fspath(folder))
        if found is None:
            raise CampaignProblem(f"There is no campaign in {folder}.", "`Campaign.new(folder)` makes one.")
        self.folder: Path = found
        self._open: OpenCampaign | None = None
        self._one_at_a_time = RLock()
        self._left = contextlib.ExitStack()
        self.opened()

    @classmethod
    def new(
        cls,
        folder: str | os.PathLike[str],
        *,
        name: str = "",
        empty: bool = False,
        system: str = "",
        seed: int | None = None,
    ) -> Session:
        """Make a campaign, as `strike new` does: the example, or that of another game's `system`.

        With `empty` it has no content, with a `seed` its dice are known beforehand. Raises Usage where
        something is there already.
        """
        words = ["new", os.fspath(folder), *(["--name", name] if name else [])]
        words += [*(["--empty"] if empty else []), *(["--system", system] if system else [])]
        words += ["--seed", str(seed)] if seed is not None else []
        result_of(words, UNATTENDED)
        return cls(folder)

    def __enter__(self) -> Session:
        if self._open is not None:
            raise Refused("This campaign is open already.", "One `with` block is enough.")
        self._open = OpenCampaign(self.folder, writing=True)
        self._left.enter_context(self._open)
        self._left.enter_context(self._open.keep_open())
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        from ..terminal.declare import leave_drain

        campaign, self._open = self._open, None
        self._left.close()
        if campaign is not None:
            leave_drain(campaign)

    def __repr__(self) -> str:
        return f"<Campaign {self.name!r} in {self.folder}>"

    # Playing

    def play(
        self,
        *words: str | Sequence[str] | Command,
        dice: Sequence[int] | None = None,
        choose: Sequence[str] = (),
        note: str = "",
        secret: bool = False,
        seed: int | None = None,
        reroll: bool = False,
        dry_run: bool = False,
    ) -> Played:
        """Play a command.

        It is one text as one would type it without `strike`, or its words, one after the other or in a list,
        or a Command.
        `dice` are natural faces in the order asked, `choose` answers beforehand. A decision that nobody has
        answered is `pending` in the result; `play("choose", option)` answers it.
        """
        typed: list[str] = []
        for each in words:
            typed += [each] if isinstance(each, str) else each.words if isinstance(each, Command) else each
        typed = words_of(typed[0]) if len(words) == 1 and isinstance(words[0], str) else typed
        typed = typed[1:] if typed[:1] == ["strike"] else typed
        if not typed or typed[0] in OWN_TERMINAL:
            raise Usage(f"`{' '.join(typed)}` can't be played from Python.", "Name another command.")
        given = GivenOptions(dice or (), choose, note, secret, dry_run, seed, reroll)
        return Played(self.result(typed, UNATTENDED._replace(given=given)))

    def result(self, words: Sequence[str], how: Invocation) -> Result:
        """Return the result of a command in this campaign, played as `how` says."""
        with self._one_at_a_time:
            return result_of(words, self._invocation_here(how))

    def parse(self, line: str) -> Command:
        """Return the move that a line plays, with its arguments as the campaign is now; the first of several.

        Nothing is played. Raises the Problem of a line that is refused.
        """
        with self._one_at_a_time:
            return command_of(words_of(line), self._invocation_here())

    def options(self, who: str = "") -> list[Command]:
        """Return the legal commands of the scenes under way, the one in use first; of `who`, only theirs."""
        campaign = self.opened()
        world = World(campaign.book, campaign.state)
        waiting = waiting_in(campaign.state)
        return [
            Command(each.command, each.args, (system.name, *each.typed))
            for system in systems_in_use(campaign.state)
            if system.scene.key not in waiting and system.bot
            for each in legal_options(system, world)
            if not who or getattr(each.args, "who", "") == who
        ]

    def next(self) -> Command | None:
        """Return the move that `next` plays in the scene in use, the first of several.

        None between scenes, and while a decision waits. Where something is missing, playing it is refused
        with a message that names it.
        """
        campaign = self.opened()
        for system in systems_in_use(campaign.state)[:1]:
            scene = scene_if_any(campaign, system)
            if scene is None or system.scene.key in waiting_in(campaign.state) or not system.scene.next_turn:
                return None
            move, args = next_moves(system, World(campaign.book, campaign.state), scene)[0]
            return Command(move, args, (system.name, "next"))
        return None

    def foresee(self, command: Command | str) -> Preview:
        """Return the forecast of a move.

        It has the `chances` of the possible results, by name, the `averages` of numbers, the `way` that is
        walked, and those to whom it gives an Opportunity (`provokes`). Numbers are fractions; exact where
        `plays` is 0, else an estimate from so many plays.

        Nothing is played. Of each decision on the way the first option is taken. Raises Refused where the
        move would be.
        """
        move, args, words = self.parse(command) if isinstance(command, str) else command
        campaign = self.opened()
        world = World(campaign.book, campaign.state)
        return preview(find_move(move).system, world, Option(move, args, words[1:]))

    def undo(self, count: int = 1) -> Played:
        """Undo the last commands, as many as `count`."""
        return self.play("undo", str(count))

    def redo(self, count: int = 1) -> Played:
        """Redo the commands that were undone last, as many as `count`."""
        return self.play("redo", str(count))

    # Looking

    @property
    def state(self) -> Mapping[str, object]:
        """The state of the campaign, as in state.toml; read only, commands change it."""
        return self.opened().state

    @property
    def book(self) -> Book:
        """All that people wrote: `book.characters`, `book.creatures`, `book.powers`, by id."""
        return self.opened().book

    @property
    def name(self) -> str:
        """The campaign's name."""
        return self.book.name

    @property
    def scenes(self) -> list[Scene]:
        """The scenes on the table: people with their meters, the turn, the board."""
        from ..registry.scenes import scenes_of

        return list(scenes_of(self.state))

    def view(self, *, players: bool = False, last: int = 0) -> CampaignView:
        """Return the campaign as the game master sees it, or as `players` may.

        It has its `scenes`, the open decisions (`waiting`), and the `last` entries of the journal (`log`).
        """
        campaign = self.opened()
        return view_of(campaign, last, audience_at_table(campaign.book) if players else GM)

    @property
    def pending(self) -> dict[str, Pending]:
        """The decisions that wait, by their scene."""
        waits = waiting_in(self.state)
        return {
            scene: Pending(
                item["who"],
                item["what"],
                tuple(item["options"]),
                tuple(item["labels"]),
                item.get("text") or item["what"],
            )
            for scene, item in waits.items()
        }

    def sheet(self, who: str) -> dict[str, object]:
        """Return a character's sheet as written, with the changes from play put in."""
        return self.play("character", "show", who).data["merged"]  # type: ignore[return-value]  # its own form

    def entries(self, session: int | None = None) -> Iterator[JournalEntry]:
        """Yield the entries of the journal, oldest first: of one session, or of all.

        Undone entries are among them, and so are the entries that undid them.
        """
        from ..campaign.journal import START

        for entry, _, _ in self.opened().journal.since(START):
            if session is None or entry["session"] == session:
                yield entry

    def _invocation_here(self, how: Invocation = UNATTENDED) -> Invocation:
        return how._replace(folder=str(self.folder), campaign=self._open)

    def opened(self) -> OpenCampaign:
        """Return the present campaign, for reading."""
        return OpenCampaign(self.folder) if self._open is None else self._open
