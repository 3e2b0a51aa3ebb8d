"""The types of the journal: entries, stored facts, and waiting decisions.

The module has only types, so a program that uses them only in annotations needn't import it. Moves declare
their arguments, and facts their fields, in classes of their own. Declared here are the fields of facts that
screens and reports read, whatever the fact.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NotRequired, TypedDict, final

from .roll_types import RollTold
from .state_changes import Change


class RollOfHelper(TypedDict):
    """A helper and the helper's roll, as a stored fact has them."""

    roll: RollTold


class StoredFact(TypedDict):
    """A fact as the journal stores it: its kind, its person, the game master's words, and its changes.

    Each change is a list of path, value before and value after. `places` says where to put removed keys back.
    `names` has the names of people who rolled, and `of` the numbers of entries that the fact is about.
    `banner` has the fields of a `Banner`, if one is shown. Only older journals have `without_hp`, `lead` and
    `parts`.
    """

    kind: str
    who: str
    text: str
    changes: Sequence[Change]
    places: NotRequired[Sequence[tuple[int, str]]]
    names: NotRequired[Mapping[str, str]]
    by: NotRequired[str]
    decided_by: NotRequired[str]
    trait_of: NotRequired[str]
    target: NotRequired[str]
    roll: NotRequired[RollTold]
    against: NotRequired[RollTold]
    rolls: NotRequired[Sequence[RollTold]]
    helpers: NotRequired[Sequence[RollOfHelper]]
    outcome: NotRequired[str | None]
    costs: NotRequired[int]
    of: NotRequired[Sequence[int]]
    banner: NotRequired[Mapping[str, str]]
    without_hp: NotRequired[str | None]
    lead: NotRequired[str]
    parts: NotRequired[Mapping[str, str]]


class FactBeforeDecision(TypedDict):
    """A fact from before a waiting decision, with its fields; the state has its changes already.

    It has a text only if its fields can't be put into words.
    """

    kind: str
    text: NotRequired[str]


class RollBeforeDecision(TypedDict):
    """A roll from before a decision: who rolled, for what, and the sides and faces of the dice."""

    who: str
    purpose: str
    sides: int
    faces: list[int]


class StoredDice(TypedDict):
    """The source of a command's dice, stored while the command waits for a decision.

    The dice come from `seed`, the number `n` of the roll, and `salt`, which gives other dice for a reroll. If
    they were `entered` by hand instead, `faces` has the faces not used yet. `secret` says whether the command
    is secret.
    """

    n: int
    salt: int
    seed: int
    entered: NotRequired[bool]
    faces: NotRequired[list[int]]
    secret: NotRequired[bool]


class StoredSession(TypedDict, total=False):
    """The session that is open, or the last one."""

    number: int
    open: bool
    started: str
    title: str
    scene: str


class WaitingDecision(StoredDice):
    """A waiting decision, with the command that its answer continues.

    The table `[pending]` of state.toml has it under the key of its scene.
    """

    command: str
    args: dict[str, object]
    answers: list[list[object]]
    who: str
    what: str
    options: list[str]
    labels: list[str]
    said: Sequence[FactBeforeDecision | str]
    names: Mapping[str, str]
    commands: NotRequired[int]
    """How many commands were in effect when it was asked. The states of older versions don't have it."""
    rolls: NotRequired[list[RollBeforeDecision]]
    text: NotRequired[str]
    about: NotRequired[dict[str, object]]
    decides: NotRequired[str]
    means: NotRequired[list[dict[str, object]]]
    hidden: NotRequired[bool]


class PositionAfterUndo(TypedDict):
    """The position in the journal after an undo or redo.

    `last` is the newest entry in effect, and `redo` has the undone entries. An entry is given as a journal
    file and an offset in bytes. `commands` and `rolls` are the numbers of commands and rolls in effect.
    `seen` lists dice that were shown already: each item is the number of a roll, and the number of the entry
    that showed it.
    """

    last: tuple[str, int] | None
    redo: Sequence[tuple[str, int]]
    commands: int
    rolls: NotRequired[int]
    seen: NotRequired[Sequence[tuple[int, int]]]


class EntryMarks(TypedDict, total=False):
    """Keys of an entry about the way in which its command was played.

    Its dice were `entered` by hand, rolled again with the salt `reroll`, or `seeded` with another seed.
    `seen` is the number of an undone entry that had already shown these dice. `by`, `key` and `asked`
    describe a request from outside, and `origin` is the plugin that sent it. `act` marks an entry that
    belongs to the same step as the one before, such as one `strike next`. `was` is the identity of the entry
    that this entry repeats. With `open`, players may read the typed words even if these name a hidden person.
    """

    new_file: bool
    secret: bool
    open: bool
    note: str
    player: str
    reroll: int
    seeded: int
    entered: bool
    seen: int
    by: str
    origin: str
    key: str
    asked: str
    act: str
    was: str


@final
class RedactedEntry(TypedDict):
    """A journal entry as players may see it.

    It lacks the journal's number, which would reveal secret entries; `number` counts only the entries that
    players see.
    """

    at: str
    session: int
    command: str
    number: NotRequired[int]
    undone: NotRequired[bool]
    facts: Sequence[StoredFact]


class JournalEntry(EntryMarks):
    """A command in the journal: its number, time and session, and its facts in order.

    `after` is the hash of the line before. `n` is the number of rolls in effect, on which the dice depend.
    `prev` is the position of the previous command in effect. The first entry has the `seed`, and the
    `identity`: the random key with which entries are hashed for other programs. An entry with `pending` asks
    for a decision. An entry with `rolled` false used no dice. An entry with a `head` is an undo or redo. An
    entry with `missing_from` replaces damaged entries, from that number up to its own. `book` is the digest
    of the campaign's files; it holds for this entry and those after it.
    """

    after: NotRequired[str]
    seq: int
    at: str
    session: int
    n: int
    rolled: NotRequired[bool]
    command: str
    args: dict[str, object]
    answers: list[list[object]]
    facts: Sequence[StoredFact]
    pending: NotRequired[bool]
    head: NotRequired[PositionAfterUndo]
    names: NotRequired[Mapping[str, str]]
    seed: NotRequired[int]
    identity: NotRequired[str]
    missing_from: NotRequired[int]
    book: NotRequired[str]
    prev: NotRequired[list[object] | None]
