"""Types of the journal: entries, facts as stored, and decisions that wait.

There are only types here, in the form of the files; where only annotations name them, they cost nothing at a
start. Moves declare their arguments, and facts their fields, in classes of their own: here are the fields
that screens and reports read of any kind of fact.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NotRequired, TypedDict, final

from .facts import Change
from .roll_data import RollTold


class RollOfHelper(TypedDict):
    """A helper's roll in a fact."""

    roll: RollTold


class FactKept(TypedDict):
    """A fact in the journal's form: its kind, its subject, the game master's words, and its changes.

    Each change is a list of three. `places` are the positions of keys that it removes; `names` are those of
    people who rolled; `of` are the numbers of other entries that it concerns. `banner` has the fields of a
    `Banner`, where somebody is shown one; `without_hp`, `lead` and `parts` are words of older journals.
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


class FactSoFar(TypedDict):
    """A fact before a decision, with its fields.

    Its changes are in the state already. It has a text where its fields can't be put in words.
    """

    kind: str
    text: NotRequired[str]


class RolledSoFar(TypedDict):
    """A roll made before a decision: its roller, its purpose, the sides of its dice, and their faces."""

    who: str
    purpose: str
    sides: int
    faces: list[int]


class DiceKept(TypedDict):
    """The source of a command's dice.

    It is `seed`, the number of the command, and `salt` for different dice than before; or the dice were
    `entered`, and `faces` are those left over. A `secret` command stays secret.
    """

    n: int
    salt: int
    seed: int
    entered: NotRequired[bool]
    faces: NotRequired[list[int]]
    secret: NotRequired[bool]


class SessionKept(TypedDict, total=False):
    """The session under way, or the last one."""

    number: int
    open: bool
    started: str
    title: str
    scene: str


class WaitingDecision(DiceKept):
    """A waiting decision, stored in `[pending]` of state.toml by its scene.

    It includes the command that continues with it.
    """

    command: str
    args: dict[str, object]
    answers: list[list[object]]
    who: str
    what: str
    options: list[str]
    labels: list[str]
    said: Sequence[FactSoFar | str]
    names: Mapping[str, str]
    commands: NotRequired[int]
    """The number of commands in effect when it was asked; not in state of older versions."""
    rolls: NotRequired[list[RolledSoFar]]
    text: NotRequired[str]
    about: NotRequired[dict[str, object]]
    decides: NotRequired[str]
    means: NotRequired[list[dict[str, object]]]
    hidden: NotRequired[bool]


class HeadMoved(TypedDict):
    """The position after undo and redo.

    It has the newest entry in effect, those taken back, the numbers of commands and of rolls in effect, and
    the dice that have been seen: by the number of their roll, and the entry that showed them. An entry is
    given by a file of the journal and a byte offset.
    """

    last: tuple[str, int] | None
    redo: Sequence[tuple[str, int]]
    commands: int
    rolls: NotRequired[int]
    seen: NotRequired[Sequence[tuple[int, int]]]


class HowPlayed(TypedDict, total=False):
    """Further data of an entry: how a command was played.

    Its dice were `entered` by hand, rolled anew with the salt `reroll`, or `seeded`; or they had been `seen`
    in the entry of that number, which was taken back. `by`, `key` and `asked` describe the request from
    outside; `origin` is the plugin that sent it, `act` the act that it is part of, `was` the identity of the
    entry that it repeats. `open`: the typed words may be shown to players although they name a hidden
    creature.
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
class HeardEntry(TypedDict):
    """A command as players may see it: without its number, since the journal counts secret ones, too.

    `number` counts only entries that players see, for programs that follow the journal.
    """

    at: str
    session: int
    command: str
    number: NotRequired[int]
    undone: NotRequired[bool]
    facts: Sequence[FactKept]


class JournalEntry(HowPlayed):
    """A command in the journal: its number, time, session and results, oldest first.

    `after` is the hash of the line before; `n` the number of rolls in effect, which determines the dice;
    `prev` the position of the entry before it. The first entry has the `seed` and the `identity`, the random
    key that hashes entries for other programs. A `pending` entry asks for a decision; one that has not
    `rolled` used no dice; one with a `head` is an undo or a redo. One with `missing_from` stands for damaged
    entries from that number up to its own. `book` is the digest of the campaign's files from here on.
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
    facts: Sequence[FactKept]
    pending: NotRequired[bool]
    head: NotRequired[HeadMoved]
    names: NotRequired[Mapping[str, str]]
    seed: NotRequired[int]
    identity: NotRequired[str]
    missing_from: NotRequired[int]
    book: NotRequired[str]
    prev: NotRequired[list[object] | None]
