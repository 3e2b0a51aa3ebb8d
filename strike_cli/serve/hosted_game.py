"""A campaign that stays open, so that other programs can send it commands.

One thread plays the commands, one after the other. A command with an idempotency key is played only once.
While commands come quickly, the campaign stays open (`Campaign.keep_open`). After a short pause without
commands, and at least once a second, other processes may write. This module knows nothing of HTTP.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import queue
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeAlias, TypeVar

from ..campaign import Campaign
from ..campaign.change_stamp import journal_and_state_stamp
from ..campaign.journal import START
from ..campaign.undo_and_repair_facts import Decided
from ..content import CAMPAIGN_FILE
from ..kernel.driver import RecordedAnswers, ScriptedChoices, play_until_open_decision, refuse_more_dice
from ..kernel.procedure import World
from ..kernel.state_changes import State, apply_fact
from ..play.command_execution import PerformedCommand
from ..play.playable_moves_and_time_limit import find_move
from ..play.replay import NOT_PLAYED
from ..problems import PENDING_EXIT_CODE, CampaignProblem, Problem
from ..registry.remote_permissions import READ, RemoteCommand, RemoteSender, remote_commands
from ..session.command_catalogue import expand_short_line, find_command_and_name_in_line
from ..session.command_dispatch import allowed_command_from_outside, play_full_command
from ..terminal.command_output import (
    SCHEMA,
    Result,
    performed_result,
    refusal_envelope,
    result_as_text_storing_items,
)
from ..terminal.invocation import UNATTENDED, GivenOptions, RemoteCaller
from ..terminal.move_commands import start_automatic_bridge_workers

if TYPE_CHECKING:
    from ..kernel.journal_types import EntryMarks, JournalEntry
    from ..terminal.json_envelope_types import Envelope


def keyed_entries(campaign: Campaign) -> Iterator[tuple[str, JournalEntry]]:
    """Yield each journal entry that was requested under an idempotency key, with that key, oldest first."""
    for entry, _, _ in campaign.journal.entries_since(START):
        if isinstance(key := entry.get("key"), str):
            yield key, entry


def envelope_recorded_for_key(campaign: Campaign, key: str) -> Envelope | None:
    """Return the envelope of the command that was recorded under the idempotency key `key`.

    Return None if there is no such command. The envelope has all facts of the command. Its `data` is None in
    three cases:
    - The command recorded several entries (`next`, `auto`).
    - The command was `undo` or `redo`.
    - The rules have changed, so that the command can't be replayed.
    """
    state: State = {}
    found: list[JournalEntry] = []
    before: State = {}
    for entry, _, _ in campaign.journal.entries_since(START):
        if entry.get("key") == key:
            before = before if found else state
            found.append(entry)
        elif found:
            break
        for fact in entry["facts"]:
            state = apply_fact(state, fact)
    if not found:
        return None
    if len(found) == 1 and found[0]["command"] not in NOT_PLAYED:
        again = _replay_entry(campaign, before, found[0])
        if again is not None:
            return again
    return {
        "schema": SCHEMA,
        "ok": True,
        "command": found[-1]["command"],
        "seq": found[-1]["seq"],
        "data": None,
        "facts": [fact for entry in found for fact in entry["facts"]],
        "pending": None,
        "exit": PENDING_EXIT_CODE if found[-1].get("pending") else 0,
    }


def _replay_entry(campaign: Campaign, state: State, entry: JournalEntry) -> Envelope | None:
    """Replay a journal entry with its recorded dice and choices, and return its envelope.

    The envelope is the result of the command as JSON. `state` is the state before the entry. Returns None if
    the entry can't be replayed because the rules have changed.
    """
    for fact in entry["facts"]:
        if fact["kind"] == Decided.kind:
            state = apply_fact(state, fact)
    world = World(campaign.book, state)
    recorded = RecordedAnswers(entry["answers"], refuse_more_dice, ScriptedChoices((), asking=True))
    try:
        procedure = find_move(entry["command"]).play_with_consequences(world, entry["args"])
        came = play_until_open_decision(procedure, world, recorded.replay_dice, recorded.replay_choice)
    except (Problem, KeyError, TypeError, ValueError):
        return None
    if bool(came.pending) != bool(entry.get("pending")):
        return None
    performed = PerformedCommand(entry["command"], came, entry["seq"], campaign.book)
    if not came.pending:
        performed.facts = list(entry["facts"])
    return envelope_of(performed_result(performed, campaign))


IDLE_SECONDS = 0.05
"""Seconds without a command after which other processes may write."""
LONGEST_HOLD = 1.0
"""Seconds for which other processes are kept from writing at a stretch."""
WRITERS_PAUSE = 0.03
"""Seconds that other processes then have to begin writing: they try at least every 0.02 seconds."""
LOCK_SECONDS = 2.0
"""Seconds to wait for another command that writes."""
LIST_SECONDS = 0.01
"""Seconds for which commands of one list are played; then other requests have a turn."""
KEYS_KEPT = 2000
"""The keys whose answers are stored as given; older answers are rebuilt from the journal."""

WATCHED_ENDINGS = (".toml", ".md", ".csv")
"""The kinds of files that people write for a campaign."""

T = TypeVar("T")


class CommandRequest(NamedTuple):
    """A command that another program requests.

    A second request with the same `key` isn't played again.
    """

    words: tuple[str, ...]
    how: GivenOptions = GivenOptions()
    key: str = ""
    without: tuple[str, ...] = ()
    """Options that the caller may not give, besides those that no outside caller may."""

    def digest(self) -> str:
        """Return a hash of the request without its key.

        If two requests with the same key have different hashes, the second asks for something else.
        """
        how = self.how
        said = [how.dice, how.choose, how.note, how.secret, how.dry_run, how.seed, self.without]
        asked = json.dumps([self.words, said], ensure_ascii=True)
        return hashlib.sha256(asked.encode()).hexdigest()[:22]


class KeyReused(Exception):
    """Raised if an idempotency key was used for another command."""


class Busy(Exception):
    """Raised if another process is writing, so that nothing was played."""


RequestResult: TypeAlias = "Envelope | KeyReused | Busy"
"""The result of one of many commands."""


def ends_list(outcome: RequestResult, *, keep_going: bool) -> bool:
    """Return whether the rest of a list of commands is dropped after this result of a command.

    If the game was busy (`Busy`), the rest is always dropped. If the command failed, the rest is dropped
    unless `keep_going` is True. An open decision isn't a failure, because the next command may answer it.
    """
    if isinstance(outcome, Busy):
        return True
    failed = isinstance(outcome, KeyReused) or outcome["exit"] not in (0, PENDING_EXIT_CODE)
    return failed and not keep_going


class _StoredAnswer(NamedTuple):
    """The answer to a request with a key: a hash of the request, and the envelope."""

    digest: str
    answer: Envelope | None


class HostedGame:
    """A campaign that is played for other programs.

    `play_until_stopped` plays, on the thread that calls it, the requests that other threads make.
    """

    def __init__(self, folder: Path, asker: RemoteSender, marks: EntryMarks | None = None) -> None:
        """Open the campaign in `folder`.

        `asker` is the outside program that sends the commands. `marks` are recorded in each entry of the
        journal. Raises CampaignProblem if the campaign can't be played.
        """
        self.folder = folder
        self.asker = asker
        self.on_change: Callable[[], None] = lambda: None
        """Called, on the game's thread, after something was recorded."""
        self.words = False
        """Whether the game master's page plays: output is wanted (`play_with_output`), and ties are asked
        about.
        """
        self._told = ""
        self.changes = 0
        """The number of recordings here, and elsewhere as far as they were noticed."""
        self._marks: EntryMarks = marks or {}
        self._asked: queue.SimpleQueue[Callable[[], None] | None] = queue.SimpleQueue()
        self._left = contextlib.ExitStack()
        self._make_campaign_current(Campaign(folder))
        self._held_since = 0.0
        self._drain = False
        self._reads: dict[CommandRequest, Envelope] = {}
        self._keys: OrderedDict[str, _StoredAnswer] = OrderedDict()
        self._older: dict[str, str] = {
            key: str(entry.get("asked", "")) for key, entry in keyed_entries(self._campaign)
        }

    # Asking, from any thread

    def play_request(self, request: CommandRequest) -> Future[Envelope]:
        """Request a command; return a future of its envelope. The future raises KeyReused or Busy."""
        return self.call_on_game_thread(lambda: self._answer_once(request))

    def play_requests_for_a_moment(
        self, requests: Sequence[CommandRequest], *, keep_going: bool
    ) -> Future[list[RequestResult]]:
        """Play as many of the requests as fit into a short time; return a future of their results.

        The requests are played in order, for about LIST_SECONDS seconds. At least one is played. For the
        requests that were not played, call this method again. After a result for which `ends_list` is true,
        no further request is played. If a request meets KeyReused or Busy, that problem is its result and
        isn't raised.
        """

        def play_for_a_moment() -> list[RequestResult]:
            until, came = time.monotonic() + LIST_SECONDS, list[RequestResult]()
            for ask in requests:
                try:
                    came.append(self._answer_once(ask))
                except (KeyReused, Busy) as problem:
                    came.append(problem)
                if time.monotonic() > until or ends_list(came[-1], keep_going=keep_going):
                    break
            return came

        return self.call_on_game_thread(play_for_a_moment)

    def play_with_output(self, request: CommandRequest) -> Future[tuple[str, Envelope]]:
        """Request a command; return a future of its terminal output and its envelope."""

        def play_and_collect() -> tuple[str, Envelope]:
            self._told = ""
            envelope = self._answer_once(request)
            return self._told, envelope

        return self.call_on_game_thread(play_and_collect)

    def call_on_game_thread(self, work: Callable[[], T]) -> Future[T]:
        """Have `work` called on the game's thread; return a future of its result."""
        future: Future[T] = Future()

        def run_work() -> None:
            if not future.set_running_or_notify_cancel():
                return
            try:
                found = work()
            except BaseException as error:
                future.set_exception(error)
            else:
                future.set_result(found)

        self._asked.put(run_work)
        return future

    def stop(self) -> None:
        """End `play_until_stopped`.

        It first plays the requests that were made before this call.
        """
        self._asked.put(None)

    # Playing

    def play_until_stopped(self) -> None:
        """Play requests on this thread until `stop` is called.

        If a plugin's code loops endlessly, it is stopped (`limit_processor_time` in
        `play.playable_moves_and_time_limit`). On the process's main thread, it can be stopped anywhere in the
        loop, if the operating system has timers. On other threads, and on Windows, it can be stopped only at
        a roll, a decision or a fact.
        """
        try:
            while True:
                try:
                    do = self._asked.get(timeout=IDLE_SECONDS if self._is_held else None)
                except queue.Empty:
                    self._save_and_release_campaign()
                    continue
                if do is None:
                    return
                do()
                if self._is_held and time.monotonic() - self._held_since > LONGEST_HOLD:
                    self._save_and_release_campaign()
                    time.sleep(WRITERS_PAUSE)
        finally:
            self._save_and_release_campaign()

    @contextlib.contextmanager
    def run_in_thread(self) -> Iterator[HostedGame]:
        """Play requests in another thread during a `with` block. Yield the game.

        At the end of the block, the thread is stopped.
        """
        thread = threading.Thread(target=self.play_until_stopped, name="game", daemon=True)
        thread.start()
        try:
            yield self
        finally:
            self.stop()
            thread.join(10)

    @property
    def current_campaign(self) -> Campaign:
        """The campaign as it is now, for reading; it is read again if other processes changed it.

        Raises CampaignProblem. Use it on the game's thread only.
        """
        if self._is_held and self._has_edited_files():
            self._save_and_release_campaign()
        if not self._is_held and (self._play_stamp() != self._seen or self._has_edited_files()):
            self._make_campaign_current(Campaign(self.folder))
            self._note_change()
        return self._campaign

    def _make_campaign_current(self, campaign: Campaign) -> None:
        """Make a campaign that was just read the current one, and note the state of its files."""
        self._campaign = campaign
        places = {CAMPAIGN_FILE, *campaign.book.where.values()}
        files = {self.folder / place for place in places if place.endswith(WATCHED_ENDINGS)}
        watched = {*files, *(file.parent for file in files if file.parent != self.folder)}
        self._files = sorted(map(str, watched))
        self._seen, self._written = self._play_stamp(), _file_stamps(self._files)

    def _play_stamp(self) -> object:
        return journal_and_state_stamp(self.folder)

    def _has_edited_files(self) -> bool:
        return _file_stamps(self._files) != self._written

    def _answer_once(self, request: CommandRequest) -> Envelope:
        digest = request.digest() if request.key else ""
        if request.key and (found := self._known_answer(request.key, digest)) is not None:
            return found
        try:
            campaign = self.current_campaign
        except CampaignProblem as problem:
            return _refusal_envelope(problem, request.words)
        answer = self._answer_new_request(request, digest, campaign)
        if request.key:
            self._keys[request.key] = _StoredAnswer(digest, answer)
            if len(self._keys) > KEYS_KEPT:
                key, known = self._keys.popitem(last=False)
                self._older[key] = known.digest
        return answer

    def _answer_new_request(self, request: CommandRequest, digest: str, campaign: Campaign) -> Envelope:
        try:
            command = self._resolve_command(request, campaign)
        except Problem as problem:
            return _refusal_envelope(problem, request.words)
        # A command that changes nothing needs no lock.
        if request.how.dry_run or remote_commands().get(command.name) == READ:
            return self._answer_read_only(request, command, campaign)
        return self._answer_locked(request, command, digest, campaign)

    def _resolve_command(self, request: CommandRequest, campaign: Campaign) -> RemoteCommand:
        """Return the full command for the words of a request. Raises NotFromOutside or Usage."""
        return allowed_command_from_outside(request.words, self.asker, UNATTENDED._replace(campaign=campaign))

    def _answer_read_only(
        self, request: CommandRequest, command: RemoteCommand, campaign: Campaign
    ) -> Envelope:
        kept = request._replace(key="")
        if (known := self._reads.get(kept)) is not None and not self.words:
            return known
        state, head = campaign.state, campaign.head.copy()
        try:
            answer = self._play_command(request, command, campaign)
        finally:
            campaign.state, campaign.head = state, head  # some commands play trials in it
        if len(self._reads) < KEYS_KEPT and not request.how.dry_run:
            self._reads[kept] = answer
        return answer

    def _answer_locked(
        self, request: CommandRequest, command: RemoteCommand, digest: str, campaign: Campaign
    ) -> Envelope:
        read, campaign = campaign, self._lock_and_refresh_campaign(campaign)
        before = campaign.head.seq
        asked: EntryMarks = {"key": request.key, "asked": digest} if request.key else {}
        campaign.marks = {**self._marks, **asked}
        try:
            if campaign is not read:  # another process has played: the words may mean another command now
                command = self._resolve_command(request, campaign)
            return self._play_command(request, command, campaign)
        except Problem as problem:
            return _refusal_envelope(problem, request.words)
        finally:
            campaign.marks = {}
            if campaign.head.seq != before:
                self._drain = True
                self._note_change()

    def _play_command(self, request: CommandRequest, command: RemoteCommand, campaign: Campaign) -> Envelope:
        try:
            outsider = RemoteCaller(self.asker, request.without)
            invocation = UNATTENDED._replace(
                campaign=campaign, given=request.how, outsider=outsider, leaves_decisions_open=self.words
            )
            result = play_full_command(command.words, invocation)
            if self.words:
                self._told = result_as_text_storing_items(result)
            return envelope_of(result)
        except Problem as problem:
            return _refusal_envelope(problem, request.words)
        except (RecursionError, ArithmeticError, LookupError, TypeError, ValueError, AttributeError) as error:
            told = f"`{' '.join(request.words)[:200]}` failed: {type(error).__name__}: {error}."
            return _refusal_envelope(Problem(told, "Please report it: see CONTRIBUTING.md."), request.words)

    # Idempotency keys

    def _known_answer(self, key: str, digest: str) -> Envelope | None:
        """Return the answer that was given earlier to a request with this key; None for a new key.

        If the answer isn't in memory any more, it is read from the journal. If the command recorded no entry,
        no answer can be read. Then return None, so that the command is played again. Raises KeyReused if an
        earlier request with this key had another command.
        """
        found = self._keys.get(key)
        if found is None and key in self._older:
            if self._older[key] != digest:
                raise KeyReused
            answer = envelope_recorded_for_key(self.current_campaign, key)
            if answer is None:
                return None
            found = self._keys[key] = _StoredAnswer(digest, answer)
        if found is None:
            return None
        if found.digest != digest:
            raise KeyReused
        return found.answer

    # Holding the campaign

    @property
    def _is_held(self) -> bool:
        return self._campaign.kept_open

    def _lock_and_refresh_campaign(self, campaign: Campaign) -> Campaign:
        """Lock the campaign against other writers, and return it as it is now. Raises Busy."""
        if self._is_held:
            return campaign
        try:
            campaign.writing = True
            campaign.lock.patience = LOCK_SECONDS
            campaign.lock.acquire()
        except CampaignProblem as problem:
            raise Busy(problem.message) from problem
        try:
            if self._play_stamp() != self._seen:
                campaign.lock.release()
                campaign = Campaign(self.folder, writing=True)
                self._make_campaign_current(campaign)
                self._note_change()
            self._left.callback(campaign.lock.release)
            self._left.enter_context(campaign.keep_open())
        except BaseException:
            campaign.lock.release()
            raise
        self._held_since = time.monotonic()
        return campaign

    def _save_and_release_campaign(self) -> None:
        """Write everything that was played to the disk, then let other processes write again.

        If the campaign isn't held, do nothing.
        """
        if not self._is_held:
            return
        campaign = self._campaign
        try:
            self._left.close()
        finally:
            campaign.writing = False
            self._seen = self._play_stamp()
            if self._drain:
                self._drain = False
                start_automatic_bridge_workers(campaign)

    def _note_change(self) -> None:
        self.changes += 1
        self._reads.clear()
        self.on_change()


def _file_stamps(files: Iterable[str]) -> list[tuple[int, int]]:
    found = []
    for file in files:
        try:
            status = os.stat(file)
        except OSError:
            found.append((0, 0))
        else:
            found.append((status.st_mtime_ns, status.st_size))
    return found


def envelope_of(result: Result) -> Envelope:
    """Return a command's result as `--json` prints it, with its exit code."""
    envelope = result.as_json()
    if result.items is not None:
        envelope["data"] = result.items.data_with_items(result.data, [item for _, item in result.items.items])
    envelope["exit"] = result.exit_code
    return envelope


def _refusal_envelope(problem: Problem, words: Sequence[str]) -> Envelope:
    name = " ".join(words[:1])
    with contextlib.suppress(Problem):
        name = (
            " ".join(find_command_and_name_in_line(expand_short_line(words, UNATTENDED))[1]) if words else ""
        )
    envelope = refusal_envelope(problem, name)
    envelope["exit"] = problem.exit_code
    return envelope
