"""The record of what a target has been sent, in `<campaign>/bridge/<target>.json` and a log beside it.

Only the worker that has the target's lock changes it; anybody may read it.
"""

from __future__ import annotations

import dataclasses
import hashlib
import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from strike_cli.campaign.file_access import (
    replace_file_without_sync,
    unreadable_problem,
    unwritable_problem,
    write_scratch,
)
from strike_cli.campaign.journal import START, Journal, key_for_hashing_entry_ids
from strike_cli.campaign.journal_entry_format import Position, parse_position
from strike_cli.problems import CampaignProblem
from strike_cli.stored_data_check import fits_form

from .consent import machine_state_folder
from .journal_reader import JournalReader
from .settings import OFF, Settings, target_file_path
from .table_file_with_change_log import SnapshotLog, copy_aside

if TYPE_CHECKING:
    from .payloads import (
        PulledFields,
        ReviewItem,
        ShownAside,
        ShownDecision,
        ShownExhibit,
        ShownOrder,
        ShownResult,
        ShownScene,
        ShownToken,
    )
    from .targets.base import Target

SCHEMA = 1
WHOLE_PARTS = ("scene", "order", "beside", "asked", "exhibits")
"""The parts that are always sent whole, each in a field of its own."""
BY_ENTRY, UNCOUNTED = -1, -2
"""Special values for the number of results sent: BY_ENTRY for an older strike that used the journal's own
numbers, UNCOUNTED where nobody has counted yet."""
RUNS_KEPT = 500
"""Runs of result numbers that are remembered. The undoing of an older result is not marked on that result."""
_OTHER_FORM = (
    *(ArithmeticError, AttributeError, IndexError, KeyError, RecursionError, TypeError, ValueError),
)
"""The errors that reading a file of another form raises."""
_LATEST = 2.5e11
"""A unix time shortly before the end of the last year that a date can have."""
ANOTHER_JOURNAL = "it received another journal than this one; `strike bridge push` says more"
"""The error for a campaign whose journal was replaced by that of another copy."""
LOST_RECORD_ITEM = "set-aside"
"""The review's id for a target's file that could not be read."""


class UnreadableCursor(CampaignProblem):
    """Raised where the file of a target's cursor can't be understood."""


@dataclasses.dataclass
class Cursor:
    """Everything that the bridge remembers about one target from one worker to the next."""

    target: str
    acknowledged: int = 0
    """The last journal entry whose results are settled."""
    position: Position = START
    """The position where that entry ends in the journal."""
    line: str = ""
    """The hash of that entry's line; "" where it isn't known."""
    begin: int = 0
    """The journal entry after which the target was first sent anything."""
    told: int = 0
    """The number of results sent to players. Results are numbered consecutively, so that the numbers don't
    reveal secret ones."""
    runs: dict[str, int] = dataclasses.field(default_factory=dict)
    """The newest runs of consecutive results: the journal entry that starts a run, to its result number. The
    entries that follow it have the following numbers, up to the next run."""
    recent: list[str] = dataclasses.field(default_factory=list)
    """The identities of the results that were sent last."""
    noted: bool = False
    """Whether a note outside of the campaign's folder says that results were sent."""
    go_on: int = 0
    """The number with which results continue, as somebody decided where the sent numbers are unknown; -1:
    from the next result on."""
    posted: int = 0
    """The number of settled posts of the next entry."""
    under_way: list[str] = dataclasses.field(default_factory=list)
    """Steps that must not be taken twice and had been started when the cursor was last saved: they may or may
    not have been taken."""
    unsure: int = 0
    """The last journal entry whose results may or may not have arrived: the target is asked."""
    resync: bool = True
    """Whether what the target shows is unknown: it is cleared and sent the whole state."""
    fresh: bool = False
    """Whether the target has lost everything: dead links are forgotten, and all tokens are made anew."""
    scene: ShownScene | None = None
    order: ShownOrder | None = None
    tokens: dict[str, ShownToken] = dataclasses.field(default_factory=dict)
    beside: list[ShownAside] | None = None
    asked: list[ShownDecision] | None = None
    exhibits: list[ShownExhibit] | None = None
    """The exhibits that the target acknowledged last."""
    doubt: list[str] = dataclasses.field(default_factory=list)
    """The subjects sent since, of which the target may show either value: "token:ID", a name of
    WHOLE_PARTS, or "clear" for everything."""
    at_work: bool = False
    """Whether a worker began to send and has not finished. If none is running, it died in the middle."""
    destination: str = ""
    """The kind and the address that the last sending went to."""
    links: dict[str, str] = dataclasses.field(default_factory=dict)
    """Our id of each token to the target's, for kinds with ids of their own."""
    made: list[str] = dataclasses.field(default_factory=list)
    """The linked tokens that the bridge created; people linked the rest."""
    memory: dict[str, str] = dataclasses.field(default_factory=dict)
    """Values that the target's kind wants to find again."""
    creating: list[str] = dataclasses.field(default_factory=list)
    """Tokens whose creation had been started when the cursor was last saved: they may or may not exist."""
    asked_at: dict[str, float] = dataclasses.field(default_factory=dict)
    """Steps that must not be done twice and may still take effect, with the unix time of their request."""
    again: dict[str, float] = dataclasses.field(default_factory=dict)
    """Subjects for which an older value may still arrive, with the unix time at which they are sent once
    more."""
    pulled: dict[str, PulledFields] = dataclasses.field(default_factory=dict)
    """Edits that were taken over from the target, by token: the target shows these values, whatever it was
    sent last."""
    stays: dict[str, str] = dataclasses.field(default_factory=dict)
    """Lasting differences: "ID FIELD" to what the target showed after a sync, as JSON, whatever it was
    sent."""
    answers: dict[str, str] = dataclasses.field(default_factory=dict)
    """The outcome of each answer that a player gave at the target, by the target's id of the answer."""
    unsaid: list[str] = dataclasses.field(default_factory=list)
    """The ids of the answers whose outcome has not been shown at the target yet."""
    unlinked: list[str] = dataclasses.field(default_factory=list)
    """Tokens that have no counterpart at the target, which the bridge may not create."""
    refused: dict[str, str] = dataclasses.field(default_factory=dict)
    """Steps that the target refused, each with a digest: they are sent again only once they differ."""
    skip: list[str] = dataclasses.field(default_factory=list)
    """Posts that somebody dropped before they were settled."""
    attempts: int = 0
    """The number of attempts that have failed in a row."""
    next_attempt: float | None = None
    """The unix time of the next attempt."""
    failing: str = ""
    """The digest of the request that the target answers with a failure of its own."""
    failures: int = 0
    """The number of times in a row that this request has failed."""
    passed_over: int = 0
    """The number of such steps put aside since one succeeded."""
    asked_to_wait: bool = False
    """Whether the target itself asked for that time of the next attempt."""
    doubtful: bool = False
    """Whether the last outcome was unknown: the target is probed first."""
    settings: str = ""
    """A digest of the settings under which the target was last contacted."""
    last_error: str = ""
    review: list[ReviewItem] = dataclasses.field(default_factory=list)
    """Items for people to look at: {id, seq, summary, why} and, for a result, the result."""
    off: str = ""
    """The digest of the settings under which the target switched itself off; under any others it is on again.
    It is also in a file of its own beside the cursor (`OFF`), for commands that must be quick."""

    def __post_init__(self) -> None:
        self._store: SnapshotLog | None = None
        self._marked_off: str | None = None

    @classmethod
    def load(cls, folder: Path, target: str) -> Cursor | None:
        """Return the stored cursor; None for a target that was never sent anything.

        Raises UnreadableCursor where the file can't be understood, and CampaignProblem where it can't be read
        or was written by a newer strike.
        """
        path = target_file_path(folder, target, ".json")
        try:
            store = SnapshotLog(path, BY_KEY)
            stored = store.read_existing()
            if stored["schema"] > SCHEMA:  # type: ignore[operator]  # what is no number raises
                raise CampaignProblem(
                    f"{path} was written by a newer strike.", "Upgrade: `pip install --upgrade strike-cli`."
                )
            stored.setdefault("destination", stored.get("there", ""))  # its first name
            stored.setdefault("told", BY_ENTRY)
            stored.setdefault("runs", stored.get("numbers", {}))  # at first each run had one entry
            names = {field.name for field in dataclasses.fields(cls)}
            cursor = cls(**{key: value for key, value in stored.items() if key in names})  # type: ignore[arg-type]  # checked below
            cursor._store = store
            cursor.position = parse_position(cursor.position)
            cursor._check_forms()
            if cursor.told == BY_ENTRY:
                cursor.told = cursor.acknowledged
                cursor.runs = {"1": 1}
            runs = sorted((int(first), int(number)) for first, number in cursor.runs.items())
            cursor.runs = {str(first): number for first, number in runs}
        except FileNotFoundError:
            return None
        except OSError as error:
            raise unreadable_problem(path, error) from None
        except _OTHER_FORM as error:
            raise UnreadableCursor(
                f"{path} can't be read: {error}.",
                f"`strike bridge push {target}` sets it aside, and asks the target what it has.",
            ) from None
        return cursor

    def _check_forms(self) -> None:
        """Raise ValueError where a stored field has the wrong type or form."""
        for field in dataclasses.fields(self):
            if field.name != "position" and not fits_form(getattr(self, field.name), _FORMS[str(field.type)]):
                raise ValueError(f"{field.name} should have another form")
        if self.next_attempt is not None and not 0 <= self.next_attempt < _LATEST:
            raise ValueError("`next_attempt` should be a time")
        if not all(first.isascii() and first.isdigit() for first in self.runs):
            raise ValueError("`runs` should have numbers as keys")

    def apply_settings_change(self, settings: Settings) -> None:
        """Adopt the current settings, and act on what has changed in them.

        If any setting has changed, a target that was switched off is turned on. A wait for the next attempt
        ends then, too, unless the target itself asked for the wait. If the kind or the address has changed,
        everything is sent anew. If the kind has changed, links and the target's memory are forgotten, too.
        """
        digest = settings.digest()
        if self.off != digest:
            self.off = ""
        if self.settings not in ("", digest) and not self.asked_to_wait:
            self.attempts, self.next_attempt = 0, None
        self.settings = digest
        destination = f"{settings.kind} {settings.url}"
        if self.destination and self.destination != destination:
            self.resync = True
            if self.destination.partition(" ")[0] != settings.kind:
                self.links, self.made, self.memory = {}, [], {}
        self.destination = destination

    def assign_result_number(self, seq: int) -> None:
        """Give the journal entry `seq`, whose result was sent, the next free result number."""
        if self.remembered_result_number_of(seq - 1) != self.told:
            self.runs[str(seq)] = self.told + 1
            while len(self.runs) > RUNS_KEPT:
                del self.runs[next(iter(self.runs))]
        self.told += 1

    def remembered_result_number_of(self, seq: int) -> int | None:
        """Return the number under which the result of journal entry `seq` was sent.

        Return None if the result was not sent. Return None also if it was sent so long ago that its number is
        no longer stored.
        """
        following = self.told + 1
        for first, number in reversed(self.runs.items()):
            if int(first) <= seq:
                found = number + seq - int(first)
                return found if found < following else None
            following = number
        return None

    def forget_result_numbers_after(self, acknowledged: int) -> None:
        """Forget the result numbers of all journal entries after the entry `acknowledged`.

        Use it when the journal has lost those entries. The next result then gets the number after the last
        remaining one. If the cursor hasn't got past the entry `acknowledged`, nothing happens.
        """
        if acknowledged < self.acknowledged:
            left = filter(None, map(self.remembered_result_number_of, range(acknowledged, 0, -1)))
            self.told = next(left, UNCOUNTED)
            self.runs = {first: number for first, number in self.runs.items() if int(first) <= acknowledged}

    def doubt_everything_after_crash(self) -> None:
        """Add to `doubt` everything that a worker may have been sending when it died.

        The target may show the old value or the new one. This includes values that look unchanged: the worker
        may have sent a change that was undone since.
        """
        if self.at_work:
            known = [f"token:{id}" for id in self.tokens]
            known += [name for name in WHOLE_PARTS if getattr(self, name) is not None]
            self.doubt = list(dict.fromkeys([*self.doubt, *known]))
            self.at_work = False

    def forget_shown_and_end_resync(self) -> None:
        """Forget everything that is known about what the target shows, and set `resync` to False."""
        self.resync, self.pulled = False, {}
        self.tokens.clear()
        for name in WHOLE_PARTS:
            setattr(self, name, None)

    def has_any_acknowledged_value(self, subject: str) -> bool:
        """Return whether the target has acknowledged a value of `subject`.

        The subject is `token:ID`, or one of the names in WHOLE_PARTS, such as the scene.
        """
        kind, _, id = subject.partition(":")
        return id in self.tokens if kind == "token" else getattr(self, kind, True) is not None

    def forget_lost_token(self, id: str) -> None:
        """Forget one of our tokens that the target has lost, so that it is created again."""
        self.links.pop(id, None)
        self.tokens.pop(id, None)
        self.pulled.pop(id, None)
        if id in self.made:
            self.made.remove(id)

    def count_pulled_as_sent(self) -> None:
        """Record the values that were taken over from the target as if they had been sent to it."""
        for id, fields in self.pulled.items():
            if id in self.tokens:
                self.tokens[id] = with_pulled_fields(self.tokens[id], fields)
        self.pulled.clear()

    def forget_step_under_way(self, id: str) -> None:
        """Note that it is now known whether the started step `id` took effect."""
        self.asked_at.pop(id, None)
        if id in self.under_way:
            self.under_way.remove(id)

    def due_resends(self, now: float) -> list[str]:
        """Return the subjects that are due to be sent once more at the unix time `now`."""
        return [subject for subject, at in self.again.items() if at <= now]

    def share_with(self, target: Target) -> None:
        """Let a target use this cursor's links, memory and acknowledged values.

        The target gets the same objects, not copies. So its changes are changes of the cursor.
        """
        target.links, target.created_ids, target.memory = self.links, self.made, self.memory
        target.acknowledged, target.acknowledged_scene, target.recent_results = (
            self.tokens,
            self.scene,
            self.recent,
        )

    def save(self, folder: Path, *, whole: bool = False, sync: bool = False) -> None:
        """Save the cursor. Raises OSError if it can't be saved.

        By default, the changes are added to the cursor's log, and a power cut may lose the latest ones. With
        `sync`, these changes survive a power cut. With `whole`, the file is written anew, and it survives a
        power cut.
        """
        if self._store is None:
            self._store = SnapshotLog(target_file_path(folder, self.target, ".json"), BY_KEY)
        fields = {"schema": SCHEMA, **vars(self)}
        del fields["_store"], fields["_marked_off"]
        self._store.write(fields, whole=whole, sync=sync)
        if self.off != self._marked_off:
            marker = target_file_path(folder, self.target, OFF)
            if self.off:
                replace_file_without_sync(write_scratch(marker, self.off.encode()), marker)
            else:
                marker.unlink(missing_ok=True)
            self._marked_off = self.off

    def add_or_replace_review_item(
        self, id: str, summary: str, why: str, *, seq: int, result: ShownResult | None = None, event: str = ""
    ) -> None:
        """Add an item to the review, or replace the item that has the same id.

        `summary` describes the item, and `why` is the reason for the review. `seq` is the number of the
        journal entry up to which the target has acknowledged everything. If the item is a result that may be
        sent again, `result` is this result, and `event` identifies it to the target.
        """
        self.forget_review_item(id)
        item: ReviewItem = {"id": id, "seq": seq, "summary": summary, "why": why}
        self.review.append(item if result is None else {**item, "result": result, "event": event})

    def forget_review_item(self, id: str) -> None:
        """Remove an item from the review, if it is there."""
        self.review = [item for item in self.review if item["id"] != id]


_NUMBERS = {"value?": (int, None), "max?": (int, None)}
_PLACE = ({"x": int, "y": int}, None)
_TOKEN = {
    "position": _PLACE,
    "meters?": [{"shown": str, "gm?": (_NUMBERS, None), **_NUMBERS}],
    "hp?": (_NUMBERS, None),
    "gm_hp?": (_NUMBERS, None),
}
_FORMS: Mapping[str, object] = {
    **{kind.__name__: kind for kind in (int, str, bool)},
    "float | None": (float, None),
    "list[str]": [str],
    **{f"dict[str, {kind.__name__}]": {str: kind} for kind in (int, str, float)},
    "dict[str, ShownToken]": {str: _TOKEN},
    "dict[str, PulledFields]": {str: {"position?": _PLACE, "hp?": (int, None)}},
    "ShownScene | None": ({"id": str}, None),
    "ShownOrder | None": (dict, None),
    **dict.fromkeys(
        (f"list[Shown{what}] | None" for what in ("Aside", "Decision", "Exhibit")), ([dict], None)
    ),
    "list[ReviewItem]": [{"id": str, "seq": int, "summary": str, "why": str, "result?": dict, "event?": str}],
}
"""The forms of the fields, by their annotation. Sent values are checked only as far as the code relies on
them, since an older strike may have sent less."""
BY_KEY = tuple(field.name for field in dataclasses.fields(Cursor) if str(field.type).startswith("dict["))
"""The fields that are tables of which few keys change at a time."""


def with_pulled_fields(token: ShownToken, fields: PulledFields) -> ShownToken:
    """Return a token with the position and HP that somebody gave it at the target.

    `token` is the token as it was sent. `fields` has the values that were changed at the target.
    """
    shown: ShownToken = {**token, "position": fields.get("position", token["position"])}
    value = fields.get("hp")
    if value is None or not shown["meters"]:
        return shown
    first, *others = shown["meters"]
    if first["shown"] == "exact":
        first = {**first, "value": value}
        shown["hp"] = shown["hp"] and {**shown["hp"], "value": value}
    if first["gm"]:
        first = {**first, "gm": {**first["gm"], "value": value}}
    if "gm_hp" in shown:
        shown["gm_hp"] = {**shown["gm_hp"], "value": value}
    return {**shown, "meters": [first, *others]}


def load_or_make_cursor(folder: Path, name: str) -> Cursor:
    """Return a target's stored cursor, or a new one if none is stored.

    A new cursor begins with the newest session: earlier results are not sent, because people who watch now
    have no use for them.
    """
    return Cursor.load(folder, name) or new_cursor_at_newest_session(folder, name)


def new_cursor_at_newest_session(folder: Path, name: str) -> Cursor:
    """Return a new cursor for a target whose cursor isn't stored. It begins with the newest session.

    If this machine has sent results to the target before, the stored cursor was lost. Then each result of the
    session may or may not have arrived, and `unsure` says so.
    """
    position, seq = JournalReader(folder).start_of_newest_session()
    cursor = Cursor(name, acknowledged=seq, position=position, begin=seq, told=UNCOUNTED)
    if _markers_folder(name).exists() and _delivery_marker_shared_by_copies(folder, name).exists():
        cursor.unsure = seq + JournalReader(folder).count_entries_after(seq)
    return cursor


def note_first_delivery(folder: Path, name: str) -> None:
    """Note, outside the campaign's folder, that this machine has sent results to a target.

    Raises OSError.
    """
    mark = _delivery_marker_shared_by_copies(folder, name)
    mark.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    mark.touch()


def _delivery_marker_shared_by_copies(folder: Path, name: str) -> Path:
    """Return the path of the marker file, which says that this machine has sent results to a target.

    The file's name is made from the journal's identity key and the target's name. So every copy of the
    campaign on this machine has the same marker file. If the journal has no key, the folder's path is used
    instead.
    """
    own = key_for_hashing_entry_ids(Journal(folder)) or os.fsencode(folder.resolve())
    return _markers_folder(name) / hashlib.sha256(own + name.encode()).hexdigest()[:32]


def _markers_folder(name: str) -> Path:
    """Return the folder with the marker files of all targets with this name.

    A marker file says that this machine has sent results to a target. If the folder doesn't exist, there are
    no marker files.
    """
    return machine_state_folder() / "told" / hashlib.sha256(name.encode()).hexdigest()[:16]


def require_same_journal(cursor: Cursor, journal: JournalReader) -> None:
    """Raise CampaignProblem if the target was last sent results from another journal than `journal`."""
    if journal.has_other_entry_of_same_number(cursor.position, cursor.acknowledged, cursor.line):
        number = cursor.acknowledged
        raise CampaignProblem(
            f"{cursor.target} received another entry {number} than this journal has: the journal is from "
            "another copy of the campaign.",
            f"Put the right journal back, or `strike bridge sync {cursor.target}` goes on with this one: it "
            f"shows the table as it is now, and results from entry {number + 1} on. Nothing was sent.",
        )


def replace_broken_cursor(folder: Path, name: str) -> Cursor:
    """Return a new cursor in place of a cursor file that can't be understood.

    The broken file is kept under another name. The new cursor begins with the newest session. All results of
    that session count as unsure, so the target will be asked which of them arrived.

    Call this only while you hold the target's lock. Raises CampaignProblem if the new cursor can't be stored.
    """
    path = target_file_path(folder, name, ".json")
    try:
        note_first_delivery(folder, name)
        cursor = new_cursor_at_newest_session(folder, name)
        aside = copy_aside(path)
        why = f"it could not be read and is kept as {aside.name}; the target was asked for its results"
        cursor.add_or_replace_review_item(LOST_RECORD_ITEM, path.name, why, seq=cursor.acknowledged)
        cursor.save(folder, whole=True)
    except OSError as error:
        raise unwritable_problem(path, error) from None
    return cursor
