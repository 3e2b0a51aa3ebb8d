"""How far a target has been told, kept in `<campaign>/bridge/<target>.json` and lines beside it.

Only the worker that holds the target's lock changes it; anybody may read it.
"""

from __future__ import annotations

import dataclasses
import hashlib
import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from strike_cli.campaign.entry import Position, position_of
from strike_cli.campaign.files import replace, unreadable, unwritable, write_scratch
from strike_cli.campaign.journal import START, Journal, identity_key
from strike_cli.problems import CampaignProblem
from strike_cli.stored_form import fits

from .consent import state_folder
from .journal_reader import JournalReader
from .settings import OFF, Settings, bridge_file
from .snapshot_log import SnapshotLog, keep_aside

if TYPE_CHECKING:
    from .payloads import (
        PulledFields,
        ReviewItem,
        ShownAside,
        ShownDecision,
        ShownExhibit,
        ShownOrder,
        ShownScene,
        ShownToken,
        ToldResult,
    )
    from .targets.base import Target

SCHEMA = 1
WHOLES = ("scene", "order", "beside", "asked", "exhibits")
"""What is told whole, each in a field of its own."""
BY_ENTRY, UNCOUNTED = -1, -2
"""Of how many results were told: an older strike has told them, by the numbers of the journal; or nobody has
counted them yet."""
RUNS_KEPT = 500
"""Runs of results whose numbers are remembered: what is taken back of older ones is not marked where it
stands."""
_OTHER_FORM = (
    *(ArithmeticError, AttributeError, IndexError, KeyError, RecursionError, TypeError, ValueError),
)
"""What comes of a file in another form."""
_LATEST = 2.5e11
"""Unix time, before the end of the last year that a date can have."""
ANOTHER = "it received another journal than this one; `strike bridge push` says more"
"""What goes wrong where a campaign's journal was put in the place of another copy's."""
LOST = "set-aside"
"""What the review calls a target's file that could not be read."""


class Unreadable(CampaignProblem):
    """A target's file that says nothing any more."""


@dataclasses.dataclass
class Cursor:
    """Everything that is remembered of a target between workers."""

    target: str
    acknowledged: int = 0
    """The last journal entry whose results are settled."""
    position: Position = START
    """Where that entry ends."""
    line: str = ""
    """The hash of its line; "" where it isn't known."""
    begin: int = 0
    """The entry after which this target was first told anything."""
    told: int = 0
    """How many results players were told: each goes by the next number, so that none is missing where
    something was secret."""
    runs: dict[str, int] = dataclasses.field(default_factory=dict)
    """The numbers of the newest of them: journal entries that were told after one that wasn't, with their
    numbers. The entries that follow each have the numbers that follow, up to that of the next run."""
    recent: list[str] = dataclasses.field(default_factory=list)
    """Identities of the results that were told last."""
    noted: bool = False
    """Whether it is noted outside of the campaign's folder that results were told."""
    go_on: int = 0
    """By which number somebody said that results go on, where nobody knows what was told; -1: the next."""
    posted: int = 0
    """Of the next entry's posts, how many are settled."""
    under_way: list[str] = dataclasses.field(default_factory=list)
    """Steps that must not be taken twice and were under way when last heard of: whether they were taken is
    not known."""
    unsure: int = 0
    """Of results up to this journal entry nobody here knows whether they were told: the target is asked."""
    resync: bool = True
    """Nothing is known of what the target shows: clear it and send the whole state."""
    fresh: bool = False
    """The target has lost what it had: links that lead nowhere are forgotten, and all is made anew."""
    scene: ShownScene | None = None
    order: ShownOrder | None = None
    tokens: dict[str, ShownToken] = dataclasses.field(default_factory=dict)
    beside: list[ShownAside] | None = None
    asked: list[ShownDecision] | None = None
    exhibits: list[ShownExhibit] | None = None
    """What the target acknowledged last."""
    doubt: list[str] = dataclasses.field(default_factory=list)
    """Of what something was sent since, so that the target may show either: "token:ID", a name of WHOLES, or
    "clear" for all of it."""
    at_work: bool = False
    """A worker began to send and has not come to an end. If it is none of now, it died in the middle."""
    destination: str = ""
    """Kind and address of what that was."""
    links: dict[str, str] = dataclasses.field(default_factory=dict)
    """Our id of a token to the target's, for kinds that give their own."""
    made: list[str] = dataclasses.field(default_factory=list)
    """Those of them that we created; the rest were linked by people."""
    memory: dict[str, str] = dataclasses.field(default_factory=dict)
    """What the target itself wants to find again."""
    creating: list[str] = dataclasses.field(default_factory=list)
    """Tokens whose creation was on its way when last heard of: whether they are there is not known."""
    asked_at: dict[str, float] = dataclasses.field(default_factory=dict)
    """Steps of which something that must not be done twice may still come about, with the unix time when it
    was asked for."""
    again: dict[str, float] = dataclasses.field(default_factory=dict)
    """Subjects of which an older value may still arrive: they are told once more at that unix time."""
    pulled: dict[str, PulledFields] = dataclasses.field(default_factory=dict)
    """What was taken over from the target, by token: it shows that, whatever it was told last."""
    stays: dict[str, str] = dataclasses.field(default_factory=dict)
    """What the target shows otherwise whatever it is sent: "ID FIELD" to what it showed after a sync, as
    JSON."""
    answers: dict[str, str] = dataclasses.field(default_factory=dict)
    """What became of answers that players gave there, by the target's id of each."""
    unsaid: list[str] = dataclasses.field(default_factory=list)
    """Those of them, by id, of which it isn't said there yet."""
    unlinked: list[str] = dataclasses.field(default_factory=list)
    """Tokens that the target has none for, and may not be given."""
    refused: dict[str, str] = dataclasses.field(default_factory=dict)
    """What the target would not take, with a digest: sent again only once it is different."""
    skip: list[str] = dataclasses.field(default_factory=list)
    """Posts that somebody gave up before they were settled."""
    attempts: int = 0
    """How many have failed in a row."""
    next_attempt: float | None = None
    """Unix time."""
    failing: str = ""
    """The request of a step that the target answers with a failure of its own, as a digest,"""
    failures: int = 0
    """how many times in a row,"""
    passed_over: int = 0
    """and how many such steps were put aside since something got through."""
    asked_to_wait: bool = False
    """Whether the target itself named that time."""
    doubtful: bool = False
    """Whether something went wrong last of which nobody knows what came: the target is probed first."""
    settings: str = ""
    """The settings that it was spoken to under last, as a digest."""
    last_error: str = ""
    review: list[ReviewItem] = dataclasses.field(default_factory=list)
    """What people should look at: {id, seq, summary, why} and, for a result, the result."""
    off: str = ""
    """The settings that the target switched itself off under; it is on again under any other. Beside the
    cursor they stand in a file of their own (`OFF`), for commands that have no time to read all this."""

    def __post_init__(self) -> None:
        self._store: SnapshotLog | None = None
        self._marked_off: str | None = None

    @classmethod
    def load(cls, folder: Path, target: str) -> Cursor | None:
        """Return the cursor as it was left, or None for a target that was never sent anything.

        Raises Unreadable where the file can't be understood, CampaignProblem where it can't be read or is a
        newer strike's.
        """
        path = bridge_file(folder, target, ".json")
        try:
            store = SnapshotLog(path, BY_KEY)
            stored = store.read()
            if stored["schema"] > SCHEMA:  # type: ignore[operator]  # what is no number raises
                raise CampaignProblem(
                    f"{path} was written by a newer strike.", "Upgrade: `pip install --upgrade strike-cli`."
                )
            stored.setdefault("destination", stored.get("there", ""))  # as it was called at first
            stored.setdefault("told", BY_ENTRY)
            stored.setdefault("runs", stored.get("numbers", {}))  # of one entry each, at first
            names = {field.name for field in dataclasses.fields(cls)}
            cursor = cls(**{key: value for key, value in stored.items() if key in names})  # type: ignore[arg-type]  # `_check` looks
            cursor._store = store
            cursor.position = position_of(cursor.position)
            cursor._check()
            if cursor.told == BY_ENTRY:
                cursor.told = cursor.acknowledged
                cursor.runs = {"1": 1}
            runs = sorted((int(first), int(number)) for first, number in cursor.runs.items())
            cursor.runs = {str(first): number for first, number in runs}
        except FileNotFoundError:
            return None
        except OSError as error:
            raise unreadable(path, error) from None
        except _OTHER_FORM as error:
            raise Unreadable(
                f"{path} can't be read: {error}.",
                f"`strike bridge push {target}` sets it aside, and asks the target what it has.",
            ) from None
        return cursor

    def _check(self) -> None:
        """Raise ValueError where a field is of another form than it should be."""
        for field in dataclasses.fields(self):
            if field.name != "position" and not fits(getattr(self, field.name), _FORMS[str(field.type)]):
                raise ValueError(f"{field.name} should have another form")
        if self.next_attempt is not None and not 0 <= self.next_attempt < _LATEST:
            raise ValueError("`next_attempt` should be a time")
        if not all(first.isascii() and first.isdigit() for first in self.runs):
            raise ValueError("`runs` should have numbers as keys")

    def settle_in(self, settings: Settings) -> None:
        """Adopt the settings of today: what was sent to another place is sent anew.

        Once anything was changed, a target that was switched off is on again, and nothing is waited for but
        what the target asked for.
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

    def number(self, seq: int) -> None:
        """Give the result of a journal entry, which was sent, the next number."""
        if self.number_of(seq - 1) != self.told:
            self.runs[str(seq)] = self.told + 1
            while len(self.runs) > RUNS_KEPT:
                del self.runs[next(iter(self.runs))]
        self.told += 1

    def number_of(self, seq: int) -> int | None:
        """Return the number under which the result of a journal entry was sent.

        It is None where it was not sent, or too long ago.
        """
        following = self.told + 1
        for first, number in reversed(self.runs.items()):
            if int(first) <= seq:
                found = number + seq - int(first)
                return found if found < following else None
            following = number
        return None

    def journal_replaced(self, acknowledged: int) -> None:
        """Go on from an earlier entry of the journal: what was sent after it is not in it any more."""
        if acknowledged < self.acknowledged:
            left = filter(None, map(self.number_of, range(acknowledged, 0, -1)))
            self.told = next(left, UNCOUNTED)
            self.runs = {first: number for first, number in self.runs.items() if int(first) <= acknowledged}

    def recover(self) -> None:
        """Put in doubt everything that a worker that died could have been sending.

        It may have sent what was undone since.
        """
        if self.at_work:
            known = [f"token:{id}" for id in self.tokens]
            known += [name for name in WHOLES if getattr(self, name) is not None]
            self.doubt = list(dict.fromkeys([*self.doubt, *known]))
            self.at_work = False

    def know_nothing(self) -> None:
        """Forget all that is known of what the target shows."""
        self.resync, self.pulled = False, {}
        self.tokens.clear()
        for name in WHOLES:
            setattr(self, name, None)

    def knows(self, subject: str) -> bool:
        """Return whether the target acknowledged anything of a subject."""
        kind, _, id = subject.partition(":")
        return id in self.tokens if kind == "token" else getattr(self, kind, True) is not None

    def forget_token(self, id: str) -> None:
        """Forget a token made by us that the target no longer has: it is to be made again."""
        self.links.pop(id, None)
        self.tokens.pop(id, None)
        self.pulled.pop(id, None)
        if id in self.made:
            self.made.remove(id)

    def meet_pulled(self) -> None:
        """Count what was taken over as sent, from here on."""
        for id, fields in self.pulled.items():
            if id in self.tokens:
                self.tokens[id] = with_pulled_fields(self.tokens[id], fields)
        self.pulled.clear()

    def is_over(self, id: str) -> None:
        """Note that a step that was under way is known to be taken, or not to be."""
        self.asked_at.pop(id, None)
        if id in self.under_way:
            self.under_way.remove(id)

    def due_resends(self, now: float) -> list[str]:
        """Return what is to be sent once more, at this unix time."""
        return [subject for subject, at in self.again.items() if at <= now]

    def lend_to(self, target: Target) -> None:
        """Let a target use what is remembered for it."""
        target.links, target.made, target.memory = self.links, self.made, self.memory
        target.told, target.ground, target.recent = self.tokens, self.scene, self.recent

    def save(self, folder: Path, *, whole: bool = False, sync: bool = False) -> None:
        """Keep it; with `sync` or `whole` so that it lasts through a power cut. Raises OSError."""
        if self._store is None:
            self._store = SnapshotLog(bridge_file(folder, self.target, ".json"), BY_KEY)
        fields = {"schema": SCHEMA, **vars(self)}
        del fields["_store"], fields["_marked_off"]
        self._store.write(fields, whole=whole, sync=sync)
        self._mark_off(folder)

    def _mark_off(self, folder: Path) -> None:
        if self.off != self._marked_off:
            marker = bridge_file(folder, self.target, OFF)
            if self.off:
                replace(write_scratch(marker, self.off.encode()), marker)
            else:
                marker.unlink(missing_ok=True)
            self._marked_off = self.off

    def note(
        self, id: str, summary: str, why: str, *, seq: int, result: ToldResult | None = None, event: str = ""
    ) -> None:
        """Put something up for review, in place of what stood there under the same id."""
        self.forget_review(id)
        item: ReviewItem = {"id": id, "seq": seq, "summary": summary, "why": why}
        self.review.append(item if result is None else {**item, "result": result, "event": event})

    def forget_review(self, id: str) -> None:
        """Take something off the review, if it is on it."""
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
"""Of fields, by how they are annotated; of what was sent as far as anything rests on it, for an older strike
may have sent less."""
BY_KEY = tuple(field.name for field in dataclasses.fields(Cursor) if str(field.type).startswith("dict["))
"""The tables, of which few keys change at a time."""


def with_pulled_fields(token: ShownToken, fields: PulledFields) -> ShownToken:
    """Return a token as it was sent, but for the place and the number taken over from the target."""
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


def open_cursor(folder: Path, name: str) -> Cursor:
    """Return how far deliveries to a target have got.

    A target that was never sent anything begins with the state as it is, and with the results of the evening
    under way: what was played before is of no use to people who watch now.
    """
    return Cursor.load(folder, name) or new_cursor(folder, name)


def new_cursor(folder: Path, name: str) -> Cursor:
    """Return the cursor of a target that was never sent anything, as far as is known.

    Where its file was lost or deleted, nobody knows which results of the evening under way were sent.
    """
    position, seq = JournalReader(folder).evening()
    cursor = Cursor(name, acknowledged=seq, position=position, begin=seq, told=UNCOUNTED)
    if _marks(name).exists() and _mark_of(folder, name).exists():
        cursor.unsure = seq + JournalReader(folder).count_after(seq)
    return cursor


def note_first_delivery(folder: Path, name: str) -> None:
    """Keep outside of the campaign's folder that a target was told results of it. Raises OSError."""
    mark = _mark_of(folder, name)
    mark.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    mark.touch()


def _mark_of(folder: Path, name: str) -> Path:
    """Return the file that marks a target as sent something by this machine.

    Its name is made from the journal's own key, so that it counts for every copy of the campaign.
    """
    own = identity_key(Journal(folder)) or os.fsencode(folder.resolve())
    return _marks(name) / hashlib.sha256(own + name.encode()).hexdigest()[:32]


def _marks(name: str) -> Path:
    """Return the folder for marks of targets of a name.

    Without any the journal need not be read for its key.
    """
    return state_folder() / "told" / hashlib.sha256(name.encode()).hexdigest()[:16]


def must_be_of(cursor: Cursor, journal: JournalReader) -> None:
    """Refuse a journal other than the one a target was sent results of, with CampaignProblem."""
    if journal.is_another(cursor.position, cursor.acknowledged, cursor.line):
        number = cursor.acknowledged
        raise CampaignProblem(
            f"{cursor.target} received another entry {number} than this journal has: the journal is from "
            "another copy of the campaign.",
            f"Put the right journal back, or `strike bridge sync {cursor.target}` goes on with this one: it "
            f"shows the table as it is now, and results from entry {number + 1} on. Nothing was sent.",
        )


def replace_broken_cursor(folder: Path, name: str) -> Cursor:
    """Make a cursor in place of a file that can't be understood, which is kept aside.

    The cursor begins with the evening under way and has the target asked which results of it arrived. Only
    with the target's lock held.

    Raises CampaignProblem where it can't be stored.
    """
    path = bridge_file(folder, name, ".json")
    try:
        note_first_delivery(folder, name)
        cursor = new_cursor(folder, name)
        aside = keep_aside(path)
        why = f"it could not be read and is kept as {aside.name}; the target was asked for its results"
        cursor.note(LOST, path.name, why, seq=cursor.acknowledged)
        cursor.save(folder, whole=True)
    except OSError as error:
        raise unwritable(path, error) from None
    return cursor
