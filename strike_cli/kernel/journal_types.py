"""The types of the journal: entries, stored facts, and waiting decisions.

The module has only types. A program that uses them only in annotations needn't import it at run time.

The arguments of each move, and the fields of each kind of fact, are declared elsewhere. Here are the fields
that screens and reports read from facts of any kind.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NotRequired, TypedDict, final

from .roll_types import RollTold
from .state_changes import Change


class RollOfHelper(TypedDict):
    """A helper and the helper's roll, in the form in which a fact stores them."""

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
    """A fact that led to a decision that is still open.

    The state already contains the changes of the fact. `text` is stored only if the class of the fact is
    unknown. For other facts, the text is made from the fact's fields.
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

    `last` is the newest entry that is still in effect. `redo` has the undone entries that can be redone. An
    entry is given as the name of its journal file and an offset in bytes.

    `commands` and `rolls` count the commands and rolls that are in effect. `seen` says which dice people saw
    before the dice were undone. Each pair has the number of a roll, and the number of the undone entry that
    showed the roll.
    """

    last: tuple[str, int] | None
    redo: Sequence[tuple[str, int]]
    commands: int
    rolls: NotRequired[int]
    seen: NotRequired[Sequence[tuple[int, int]]]


class EntryMarks(TypedDict, total=False):
    """The keys of an entry about the way in which its command was played.

    Attributes:
        new_file: Whether the entry begins a new journal file.
        secret: Whether the entry is secret from players.
        open: Whether players may read the typed words, even if these name a hidden person.
        note: The game master's note.
        player: The character whose player asked for the command.
        reroll: The salt with which the dice were rolled again.
        seeded: The other seed with which the dice were rolled.
        entered: Whether the dice were entered by hand.
        seen: The number of an undone entry that had already shown these dice.
        by: The program or plugin that had the command played.
        origin: The plugin of the command's system, if `by` names another program.
        key: The key of a program's request.
        asked: A hash of this request.
        act: Set if the entry belongs to the same step as the entry before, such as one `strike next`.
        was: The identity of the entry that this entry repeats.
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
    """An entry of the journal: a command with its number, time, session and facts.

    `after` is the hash of the line before, and `prev` is the position of the previous command in effect. `n`
    is the number of rolls so far that weren't undone; the next dice depend on it. `book` is the digest of the
    campaign's files, for this entry and the ones after it.

    Some keys mark special entries:

    - `seed` and `identity` are in the first entry. `identity` is the random key with which entries are hashed
      for other programs.
    - `pending`: the entry asks for a decision.
    - `rolled` is false if the entry used no dice.
    - `head`: the entry is an undo or redo.
    - `missing_from`: the entry replaces damaged entries, from this number up to its own.
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
