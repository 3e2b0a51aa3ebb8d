"""An open campaign for Python and notebooks: the commands of the terminal, with values as results.

Commands, rules, journal and locks are those of the terminal.
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
from ..command_line_splitting import split_words_keeping_apostrophes
from ..deprecated_api_names import OldName
from ..kernel.procedure import World
from ..kernel.state_changes import pending_decisions_in
from ..play.forecast import Preview, preview
from ..play.legal_options import Option, legal_options_listed_by_bot, moves_played_by_next
from ..play.playable_moves_and_time_limit import find_move
from ..problems import CampaignProblem, Refused, Usage
from ..terminal.command_output import Block, Result, blocks_as_unwrapped_text
from ..terminal.invocation import UNATTENDED, GivenOptions, Invocation
from ..terminal.name_lookup import scene_if_any
from ..terminal.screen.campaign_view import CampaignView, audience_at_table, make_campaign_view
from ..visibility.audiences import GM
from .command_dispatch import Command, first_move_of_line, play_words
from .shorthand import systems_with_open_scenes
from .typed_line import OWN_TERMINAL

if TYPE_CHECKING:
    from ..content.merged_content import Book
    from ..kernel.journal_types import JournalEntry
    from ..tabletop.scene import Scene


class Pending(NamedTuple):
    """An open decision.

    `who` is the person who decides, `what` the key of the decision, and `asks` the whole question. `options`
    are the possible answers, and `labels` their texts.
    """

    who: str
    what: str
    options: tuple[str, ...]
    labels: tuple[str, ...]
    asks: str = ""


class Played:
    """The result of a command.

    `data` is its result as in `--json`. `facts` has the facts of the command, each with `kind`, `who`,
    `text`, details, and `changes` of the state. `seq` is its number in the journal, or None if nothing was
    recorded. `pending` is the open decision for which it waits, or None. `text` is the terminal's output.
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
            told = list(result.items.items)
            self.data = result.items.data_with_items(result.data, [item for _, item in told])
            self._blocks = [line for lines, _ in told for line in lines] or list(result.items.empty_lines)

    @property
    def text(self) -> str:
        """The text of a terminal's output, without colour."""
        return blocks_as_unwrapped_text(self._blocks)

    def __repr__(self) -> str:
        waits = f", pending={self.pending}" if self.pending else ""
        return f"<Played {self.command!r}, seq={self.seq}{waits}>"

    def __str__(self) -> str:
        return self.text.rstrip("\n")

    def _repr_html_(self) -> str:
        from ..terminal.html_and_markdown import blocks_html

        return blocks_html(self._blocks)


class Session:
    """A campaign in a folder; its commands can be played from Python.

    Each command opens the campaign, plays, and releases it, so that a terminal can play in between. In a
    `with` block the campaign stays open: no other process can write, and a hundred commands take a moment.

    A command that fails changes nothing. It raises Refused if the rules don't allow it, Usage for a typing
    mistake, and CampaignProblem for a fault in the files.
    """

    def __init__(self, folder: str | os.PathLike[str] = ".") -> None:
        """Open the campaign in a folder.

        Raises CampaignProblem if there is none, or if its files have faults.
        """
        from ..terminal.commands_and_options import find_campaign_folder

        found = find_campaign_folder(os.fspath(folder))
        if found is None:
            raise CampaignProblem(f"There is no campaign in {folder}.", "`Campaign.new(folder)` makes one.")
        self.folder: Path = found
        self._open: OpenCampaign | None = None
        self._one_at_a_time = RLock()
        self._left = contextlib.ExitStack()
        self.current_campaign()

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
        """Make a campaign, as `strike new` does, and return a session of it.

        The campaign is the example of strike's own game, or of the game `system`. With `empty`, the campaign
        has no content. `seed` fixes the campaign's dice. Raises Usage if the folder contains something
        already.
        """
        words = ["new", os.fspath(folder), *(["--name", name] if name else [])]
        words += [*(["--empty"] if empty else []), *(["--system", system] if system else [])]
        words += ["--seed", str(seed)] if seed is not None else []
        play_words(words, UNATTENDED)
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
        from ..terminal.move_commands import start_automatic_bridge_workers

        campaign, self._open = self._open, None
        self._left.close()
        if campaign is not None:
            start_automatic_bridge_workers(campaign)

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

        The command is one text, as typed after `strike`; or its words, as several arguments or in a list; or
        a Command. `dice` has natural faces, in the order in which the command asks for them. `choose` has the
        answers to the command's decisions. A decision without an answer is `pending` in the result, and
        `play("choose", option)` answers it.
        """
        typed: list[str] = []
        for each in words:
            typed += [each] if isinstance(each, str) else each.words if isinstance(each, Command) else each
        typed = (
            split_words_keeping_apostrophes(typed[0])
            if len(words) == 1 and isinstance(words[0], str)
            else typed
        )
        typed = typed[1:] if typed[:1] == ["strike"] else typed
        if not typed or typed[0] in OWN_TERMINAL:
            raise Usage(f"`{' '.join(typed)}` can't be played from Python.", "Name another command.")
        given = GivenOptions(dice or (), choose, note, secret, dry_run, seed, reroll)
        return Played(self.play_for_result(typed, UNATTENDED._replace(given=given)))

    def play_for_result(self, words: Sequence[str], invocation: Invocation) -> Result:
        """Play a command in this campaign with the settings of `invocation`, and return its result."""
        with self._one_at_a_time:
            return play_words(words, self._invocation_here(invocation))

    def parse(self, line: str) -> Command:
        """Return the move that a line would play now, with its arguments. Nothing is played.

        If the line would play several moves, the first is returned. Raises a Problem if the line is refused.
        """
        with self._one_at_a_time:
            return first_move_of_line(split_words_keeping_apostrophes(line), self._invocation_here())

    def options(self, who: str = "") -> list[Command]:
        """Return the legal commands in the scenes under way; those of the scene in use come first.

        Some scenes add no commands: a scene with an open decision, and a scene whose system has no bot. If
        `who`, the id of a person, is given, only that person's commands are returned.
        """
        campaign = self.current_campaign()
        world = World(campaign.book, campaign.state)
        waiting = pending_decisions_in(campaign.state)
        return [
            Command(each.command, each.args, (system.name, *each.typed))
            for system in systems_with_open_scenes(campaign.state)
            if system.scene.key not in waiting and system.bot
            for each in legal_options_listed_by_bot(system, world)
            if not who or getattr(each.args, "who", "") == who
        ]

    def next(self) -> Command | None:
        """Return the command `next` for the current scene, with the first move that it would play.

        Return None between scenes, while a decision of the scene waits, or if the game system has no `next`.
        This method doesn't check whether the move is legal. If an illegal move is played, it is refused, and
        the refusal says which step is missing.
        """
        campaign = self.current_campaign()
        for system in systems_with_open_scenes(campaign.state)[:1]:
            scene = scene_if_any(campaign, system)
            if (
                scene is None
                or system.scene.key in pending_decisions_in(campaign.state)
                or not system.scene.next_turn
            ):
                return None
            move, args = moves_played_by_next(system, World(campaign.book, campaign.state), scene)[0]
            return Command(move, args, (system.name, "next"))
        return None

    def foresee(self, command: Command | str) -> Preview:
        """Return the forecast of a move.

        Nothing is played in the campaign. The forecast takes the first option of every decision.

        Args:
            command: The move, as a Command or as a typed line.

        Returns:
            The forecast. `chances` has the chance of each possible result, and `averages` the average of each
            number. Both are fractions, by name. `way` is the path of the actor. `provokes` has the ids of the
            people who may strike at the actor because of this path. If `plays` is 0, the numbers are exact.
            Otherwise they are estimated from that many plays.

        Raises:
            Refused: The move would be refused.
        """
        move, args, words = self.parse(command) if isinstance(command, str) else command
        campaign = self.current_campaign()
        world = World(campaign.book, campaign.state)
        return preview(find_move(move).system, world, Option(move, args, words[1:]))

    def undo(self, count: int = 1) -> Played:
        """Undo the last `count` commands."""
        return self.play("undo", str(count))

    def redo(self, count: int = 1) -> Played:
        """Redo the last `count` commands that were undone."""
        return self.play("redo", str(count))

    # Looking

    @property
    def state(self) -> Mapping[str, object]:
        """The state of the campaign, as in state.toml. Don't change it: commands do that."""
        return self.current_campaign().state

    @property
    def book(self) -> Book:
        """The campaign's written content by id: `book.characters`, `book.creatures`, `book.powers`."""
        return self.current_campaign().book

    @property
    def name(self) -> str:
        """The campaign's name."""
        return self.book.name

    @property
    def scenes(self) -> list[Scene]:
        """The scenes in the campaign's state, including scenes that are over. Parked scenes are left out.

        Each scene has its people with their meters, the turn, and the map.
        """
        from ..registry.scenes_and_decisions_in_state import scenes_of

        return list(scenes_of(self.state))

    def view(self, *, players: bool = False, last: int = 0) -> CampaignView:
        """Return the campaign as the game master sees it, or with `players` as the players may.

        It has the `scenes`, the open decisions (`waiting`), and the `last` entries of the journal (`log`).
        """
        campaign = self.current_campaign()
        return make_campaign_view(campaign, last, audience_at_table(campaign.book) if players else GM)

    @property
    def pending(self) -> dict[str, Pending]:
        """The open decisions, by scene."""
        waits = pending_decisions_in(self.state)
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
        """Return a character's sheet as written, with the changes made by play."""
        return self.play("character", "show", who).data["merged"]  # type: ignore[return-value]  # its own form

    def entries(self, session: int | None = None) -> Iterator[JournalEntry]:
        """Yield the entries of the journal, oldest first: those of one session, or all.

        Undone entries are included, and so are the entries that undid them.
        """
        from ..campaign.journal import START

        for entry, _, _ in self.current_campaign().journal.entries_since(START):
            if session is None or entry["session"] == session:
                yield entry

    def _invocation_here(self, invocation: Invocation = UNATTENDED) -> Invocation:
        return invocation._replace(folder=str(self.folder), campaign=self._open)

    def current_campaign(self) -> OpenCampaign:
        """Return the campaign for reading.

        Within a `with` block of the session, it is the campaign that the block keeps open. Otherwise the
        campaign is read anew.
        """
        return OpenCampaign(self.folder) if self._open is None else self._open

    result, opened = OldName("play_for_result"), OldName("current_campaign")
