"""One campaign, held open for other programs: it plays one command after the other, each once.

Commands in quick succession are played like a script's (`Campaign.keep_open`); when none comes, and now and
then between them, other processes may write. No HTTP here.
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
from ..campaign.change_stamp import campaign_stamp
from ..campaign.facts import Decided
from ..campaign.journal import START
from ..content import CAMPAIGN_FILE
from ..kernel.driver import Recorded, Scripted, drive, refuse_more_dice
from ..kernel.facts import State, apply_fact
from ..kernel.procedure import World
from ..play.execute import Performed
from ..play.moves import find_move
from ..play.replay import NOT_PLAYED
from ..problems import PENDING_EXIT_CODE, CampaignProblem, Problem
from ..registry.remote_access import READ, AskedCommand, Asker, remote_commands
from ..session.command_catalogue import command_words, written_out
from ..session.command_reading import asked_command, result_of_whole
from ..terminal.declare import leave_drain
from ..terminal.invocation import UNATTENDED, GivenOptions, Outsider
from ..terminal.result import SCHEMA, Result, performed_result, refusal_of, text_of

if TYPE_CHECKING:
    from ..kernel.journal_types import HowPlayed, JournalEntry
    from ..terminal.envelope_types import Envelope


def keyed_entries(campaign: Campaign) -> Iterator[tuple[str, JournalEntry]]:
    """Yield the entries that were requested under a key, oldest first."""
    for entry, _, _ in campaign.journal.since(START):
        if isinstance(key := entry.get("key"), str):
            yield key, entry


def repeat_envelope(campaign: Campaign, key: str) -> Envelope:
    """Return the envelope of the entries recorded under a key.

    `data` is null for a command that recorded several entries (`next`, `auto`), for `undo` and `redo`, and
    where the rules have changed since; their facts are all there.
    """
    state: State = {}
    found: list[JournalEntry] = []
    before: State = {}
    for entry, _, _ in campaign.journal.since(START):
        if entry.get("key") == key:
            before = before if found else state
            found.append(entry)
        elif found:
            break
        for fact in entry["facts"]:
            state = apply_fact(state, fact)
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
    """Return the envelope of an entry, by its own dice and choices; None where the rules have changed."""
    for fact in entry["facts"]:
        if fact["kind"] == Decided.kind:
            state = apply_fact(state, fact)
    world = World(campaign.book, state)
    recorded = Recorded(entry["answers"], refuse_more_dice, Scripted((), asking=True))
    try:
        procedure = find_move(entry["command"]).with_what_follows(world, entry["args"])
        came = drive(procedure, world, recorded.dice, recorded.choices)
    except (Problem, KeyError, TypeError, ValueError):
        return None
    if bool(came.pending) != bool(entry.get("pending")):
        return None
    performed = Performed(entry["command"], came, entry["seq"], campaign.book)
    if not came.pending:
        performed.facts = list(entry["facts"])
    return envelope_of(performed_result(performed, campaign))


IDLE = 0.05
"""Seconds without a command after which other processes may write."""
LONGEST = 1.0
"""Seconds for which other processes are kept from writing at a stretch."""
PAUSE = 0.03
"""Seconds that they have then to begin: they try at least every 0.02 seconds."""
PATIENCE = 2.0
"""Seconds to wait for another command that writes."""
STRETCH = 0.01
"""Seconds for which commands of one list are played; then other requests have a turn."""
KEYS_KEPT = 2000
"""The keys whose answers are stored as given; older answers are rebuilt from the journal."""

FILES = (".toml", ".md", ".csv")
"""The kinds of files that people write for a campaign."""

T = TypeVar("T")


class Ask(NamedTuple):
    """A command that a program asks for. The same `key` again means the same command, played once."""

    words: tuple[str, ...]
    how: GivenOptions = GivenOptions()
    key: str = ""
    without: tuple[str, ...] = ()
    """Options that the caller may not give, besides those that no outside caller may."""

    def digest(self) -> str:
        """Return the hash that tells whether two requests under one key are the same."""
        how = self.how
        said = [how.dice, how.choose, how.note, how.secret, how.dry_run, how.seed, self.without]
        asked = json.dumps([self.words, said], ensure_ascii=True)
        return hashlib.sha256(asked.encode()).hexdigest()[:22]


class OtherWords(Exception):
    """The key was used for another command."""


class Busy(Exception):
    """Another command is writing; nothing was played."""


Came: TypeAlias = "Envelope | OtherWords | Busy"
"""The result of one of many commands."""


def ends_with(outcome: Came, *, keep_going: bool) -> bool:
    """Return whether the rest of a list of commands is dropped after this one, as in a script.

    The next command might answer a pending decision, and while another process writes none would be played.
    """
    if isinstance(outcome, Busy):
        return True
    failed = isinstance(outcome, OtherWords) or outcome["exit"] not in (0, PENDING_EXIT_CODE)
    return failed and not keep_going


class _Known(NamedTuple):
    """The answer stored under a key: a hash of the request, and the answer while it is in memory."""

    digest: str
    answer: Envelope | None


class Game:
    """A campaign played for callers outside.

    `run` plays, on the thread that calls it, whatever `answer` and `look` ask for from any other.
    """

    def __init__(self, folder: Path, asker: Asker, marks: HowPlayed | None = None) -> None:
        """Open the game; each entry records `marks`. Raises CampaignProblem for an unplayable folder."""
        self.folder = folder
        self.asker = asker
        self.on_change: Callable[[], None] = lambda: None
        """Called, on the game's thread, after something was recorded."""
        self.words = False
        """Whether the game master's page plays: terminal output is needed, too (`tell`), and ties are asked
        about.
        """
        self._told = ""
        self.changes = 0
        """The number of recordings here, and elsewhere as far as they were noticed."""
        self._marks: HowPlayed = marks or {}
        self._asked: queue.SimpleQueue[Callable[[], None] | None] = queue.SimpleQueue()
        self._left = contextlib.ExitStack()
        self._open(Campaign(folder))
        self._held_since = 0.0
        self._drain = False
        self._reads: dict[Ask, Envelope] = {}
        self._keys: OrderedDict[str, _Known] = OrderedDict()
        self._older: dict[str, str] = {
            key: str(entry.get("asked", "")) for key, entry in keyed_entries(self._campaign)
        }

    # Asking, from any thread

    def answer(self, ask: Ask) -> Future[Envelope]:
        """Play a command, and return a future of its envelope, which raises OtherWords or Busy."""
        return self.look(lambda: self._answer(ask))

    def answers(self, asks: Sequence[Ask], *, keep_going: bool) -> Future[list[Came]]:
        """Play commands in order for up to STRETCH seconds, at least one; return a future of their results.

        Call it again with the rest. None is played after a failed one, unless `keep_going`, nor after a Busy.
        OtherWords and Busy are among the results, and are not raised.
        """

        def play() -> list[Came]:
            until, came = time.monotonic() + STRETCH, list[Came]()
            for ask in asks:
                try:
                    came.append(self._answer(ask))
                except (OtherWords, Busy) as problem:
                    came.append(problem)
                if time.monotonic() > until or ends_with(came[-1], keep_going=keep_going):
                    break
            return came

        return self.look(play)

    def tell(self, ask: Ask) -> Future[tuple[str, Envelope]]:
        """Play a command, and return a future of its terminal output and its envelope."""

        def told() -> tuple[str, Envelope]:
            self._told = ""
            envelope = self._answer(ask)
            return self._told, envelope

        return self.look(told)

    def look(self, work: Callable[[], T]) -> Future[T]:
        """Do some work on the game's thread, and return a future of its result."""
        future: Future[T] = Future()

        def do() -> None:
            if not future.set_running_or_notify_cancel():
                return
            try:
                found = work()
            except BaseException as error:
                future.set_exception(error)
            else:
                future.set_result(found)

        self._asked.put(do)
        return future

    def stop(self) -> None:
        """End `run` after what was asked before."""
        self._asked.put(None)

    # Playing

    def run(self) -> None:
        """Play the requests until `stop`.

        Rules that never end are stopped on a process's first thread alone (`play.moves`).
        """
        try:
            while True:
                try:
                    do = self._asked.get(timeout=IDLE if self._is_held else None)
                except queue.Empty:
                    self._let_go()
                    continue
                if do is None:
                    return
                do()
                if self._is_held and time.monotonic() - self._held_since > LONGEST:
                    self._let_go()
                    time.sleep(PAUSE)
        finally:
            self._let_go()

    @contextlib.contextmanager
    def running(self) -> Iterator[Game]:
        """Run the game in a thread while the block runs."""
        thread = threading.Thread(target=self.run, name="game", daemon=True)
        thread.start()
        try:
            yield self
        finally:
            self.stop()
            thread.join(10)

    @property
    def now(self) -> Campaign:
        """Return the present campaign, for reading. On the game's thread alone. Raises CampaignProblem."""
        if self._is_held and self._edited():
            self._let_go()
        if not self._is_held and (self._play_stamp() != self._seen or self._edited()):
            self._open(Campaign(self.folder))
            self._note_change()
        return self._campaign

    def _open(self, campaign: Campaign) -> None:
        """Continue with a campaign that was just read."""
        self._campaign = campaign
        places = {CAMPAIGN_FILE, *campaign.book.where.values()}
        files = {self.folder / place for place in places if place.endswith(FILES)}
        watched = {*files, *(file.parent for file in files if file.parent != self.folder)}
        self._files = sorted(map(str, watched))
        self._seen, self._written = self._play_stamp(), _stamps(self._files)

    def _play_stamp(self) -> object:
        """Return a value that changes when anything is played."""
        return campaign_stamp(self.folder)

    def _edited(self) -> bool:
        """Return whether the files that people wrote have changed since they were read."""
        return _stamps(self._files) != self._written

    def _answer(self, ask: Ask) -> Envelope:
        digest = ask.digest() if ask.key else ""
        if ask.key and (found := self._known_answer(ask.key, digest)) is not None:
            return found
        try:
            campaign = self.now
        except CampaignProblem as problem:
            return _refusal_envelope(problem, ask.words)
        answer = self._play_ask(ask, digest, campaign)
        if ask.key:
            self._keys[ask.key] = _Known(digest, answer)
            if len(self._keys) > KEYS_KEPT:
                key, known = self._keys.popitem(last=False)
                self._older[key] = known.digest
        return answer

    def _play_ask(self, ask: Ask, digest: str, campaign: Campaign) -> Envelope:
        try:
            command = self._command(ask, campaign)
        except Problem as problem:
            return _refusal_envelope(problem, ask.words)
        # A command that changes nothing needs no lock.
        if ask.how.dry_run or remote_commands().get(command.name) == READ:
            return self._read(ask, command, campaign)
        return self._play(ask, command, digest, campaign)

    def _command(self, ask: Ask, campaign: Campaign) -> AskedCommand:
        """Return the command that the words mean now. Raises NotFromOutside or Usage."""
        return asked_command(ask.words, self.asker, UNATTENDED._replace(campaign=campaign))

    def _read(self, ask: Ask, command: AskedCommand, campaign: Campaign) -> Envelope:
        kept = ask._replace(key="")
        if (known := self._reads.get(kept)) is not None and not self.words:
            return known
        state, head = campaign.state, campaign.head.copied()
        try:
            answer = self._envelope(ask, command, campaign)
        finally:
            campaign.state, campaign.head = state, head  # some commands play trials in it
        if len(self._reads) < KEYS_KEPT and not ask.how.dry_run:
            self._reads[kept] = answer
        return answer

    def _play(self, ask: Ask, command: AskedCommand, digest: str, campaign: Campaign) -> Envelope:
        read, campaign = campaign, self._hold_campaign(campaign)
        before = campaign.head.seq
        asked: HowPlayed = {"key": ask.key, "asked": digest} if ask.key else {}
        campaign.marks = {**self._marks, **asked}
        try:
            if campaign is not read:  # another process has played: the words may mean another command now
                command = self._command(ask, campaign)
            return self._envelope(ask, command, campaign)
        except Problem as problem:
            return _refusal_envelope(problem, ask.words)
        finally:
            campaign.marks = {}
            if campaign.head.seq != before:
                self._drain = True
                self._note_change()

    def _envelope(self, ask: Ask, command: AskedCommand, campaign: Campaign) -> Envelope:
        try:
            outsider = Outsider(self.asker, ask.without)
            invocation = UNATTENDED._replace(
                campaign=campaign, given=ask.how, outsider=outsider, asking=self.words
            )
            result = result_of_whole(command.words, invocation)
            if self.words:
                self._told = text_of(result)
            return envelope_of(result)
        except Problem as problem:
            return _refusal_envelope(problem, ask.words)
        except (RecursionError, ArithmeticError, LookupError, TypeError, ValueError, AttributeError) as error:
            told = f"`{' '.join(ask.words)[:200]}` failed: {type(error).__name__}: {error}."
            return _refusal_envelope(Problem(told, "Please report it: see CONTRIBUTING.md."), ask.words)

    # Idempotency keys

    def _known_answer(self, key: str, digest: str) -> Envelope | None:
        """Return the earlier answer under a key; None for a new key. Raises OtherWords."""
        found = self._keys.get(key)
        if found is None and key in self._older:
            if self._older[key] != digest:
                raise OtherWords
            found = _Known(digest, repeat_envelope(self.now, key))
            self._keys[key] = found
        if found is None:
            return None
        if found.digest != digest:
            raise OtherWords
        return found.answer

    # Holding the campaign

    @property
    def _is_held(self) -> bool:
        return self._campaign.kept_open

    def _hold_campaign(self, campaign: Campaign) -> Campaign:
        """Return the campaign as it is `now`, locked against other writers. Raises Busy."""
        if self._is_held:
            return campaign
        try:
            campaign.writing = True
            campaign.lock.patience = PATIENCE
            campaign.lock.acquire()
        except CampaignProblem as problem:
            raise Busy(problem.message) from problem
        try:
            if self._play_stamp() != self._seen:
                campaign.lock.release()
                campaign = Campaign(self.folder, writing=True)
                self._open(campaign)
                self._note_change()
            self._left.callback(campaign.lock.release)
            self._left.enter_context(campaign.keep_open())
        except BaseException:
            campaign.lock.release()
            raise
        self._held_since = time.monotonic()
        return campaign

    def _let_go(self) -> None:
        """Let other processes write, once all that was played is on the disk."""
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
                leave_drain(campaign)

    def _note_change(self) -> None:
        self.changes += 1
        self._reads.clear()
        self.on_change()


def _stamps(files: Iterable[str]) -> list[tuple[int, int]]:
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
    """Return the output of a command with --json, and its exit code."""
    envelope = result.as_json()
    if result.items is not None:
        envelope["data"] = result.items.within(result.data, [item for _, item in result.items.told])
    envelope["exit"] = result.exit_code
    return envelope


def _refusal_envelope(problem: Problem, words: Sequence[str]) -> Envelope:
    name = " ".join(words[:1])
    with contextlib.suppress(Problem):
        name = " ".join(command_words(written_out(words, UNATTENDED))[1]) if words else ""
    envelope = refusal_of(problem, name)
    envelope["exit"] = problem.exit_code
    return envelope
