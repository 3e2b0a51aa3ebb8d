"""state.toml: what play has changed, with a head that names the last journal entry it includes.

A file that nobody has edited since strike wrote it is read by `read_own`, since Python's reader of TOML takes
as long as everything else in opening a campaign. Strike writes a fixed form: heads of tables, a key and its
value on a line, lists with an item on a line, short tables within braces. Values are written as in JSON,
except for the keys within braces. Any other form is left to Python's reader.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from ..kernel.facts import State, is_bare
from ..problems import CampaignProblem
from ..safe_reading import describe_unsound, toml_of
from .entry import LINK, Position, after_redo, position_of, read_count
from .files import read_plain, unreadable_problem
from .journal import START, Journal, link

if TYPE_CHECKING:
    from typing import NoReturn

    from ..kernel.journal_types import JournalEntry
    from .entry import Seen

SCHEMA = 1
LARGEST = 64 * 1024 * 1024
"""The most bytes of a state.toml."""
STATE_FILE = "state.toml"
_TABLES = ("session", "characters", "pending")
"""Tables that every version of strike has."""
_MARK = "\n# The tool's own bookkeeping: leave it as it is.\n[strike]\n"
_CHECK = b'check = "'
_HEADER = """\
# What play has changed, written by strike after every command. Your own words are in campaign.toml.
# Edit it by hand if you must: the next command notices the edit, checks it and journals it.

"""


class StateHead:
    """The bookkeeping beside the state.

    `seq` is the last journal entry that the state includes and `end` where that entry ends; `last` is the
    newest entry in effect, which undo takes back; `redo` are those taken back since, newest last; `commands`
    counts the commands in effect, and `rolls` those of them that asked for dice or wait: with `seed` it seeds
    the dice. `after` is the hash of the last entry's line and `start` where that begins; they are "" and None
    where there is no entry or they aren't known. `seen` are dice of the seed that were rolled and taken back.
    `book` is the digest of the campaign's files at the last command (`earlier_versions`).
    """

    __slots__ = (
        "after", "book", "commands", "end", "has_identity", "last", "redo", "rolls", "seed", "seen", "seq",
        "start",
    )  # fmt: skip

    def __init__(self, seed: int = 0) -> None:
        self.seq = 0
        self.commands = 0
        self.rolls = 0
        self.seed = seed
        self.end: Position = START
        self.last: Position | None = None
        self.redo: list[Position] = []
        self.seen: Seen = {}
        self.after = ""
        self.start: Position | None = None
        self.has_identity = False
        self.book = ""

    def copied(self) -> StateHead:
        """Return a copy."""
        copy = StateHead()
        for slot in StateHead.__slots__:
            setattr(copy, slot, getattr(self, slot))
        return copy

    def advance(self, entry: JournalEntry, start: Position, end: Position, link: str = "") -> None:
        """Include an entry of the journal, from `start` to `end`, and the hash of its line."""
        self.seq = entry["seq"]
        self.end = end
        self.after, self.start = link, start
        if "head" in entry:  # undo and redo record the position that they lead to
            head = entry["head"]
            self.last = head["last"] and position_of(head["last"])
            self.redo = [position_of(position) for position in head["redo"]]
            self.commands = head["commands"]
            self.rolls = head.get("rolls", self.commands)
            self.seen = dict(head.get("seen", ()))
        else:
            self.last = start
            self.redo = []
            self.commands += 1
            self.rolls = rolls_after(entry)
            if self.seen:
                self.seen = after_redo(self.seen, [entry])
        self.seed = entry.get("seed", self.seed)
        self.has_identity = self.has_identity or "identity" in entry
        self.book = entry.get("book", self.book)

    def as_toml(self) -> dict[str, object]:
        """Return the `[strike]` table."""
        table: dict[str, object] = {
            "schema": SCHEMA,
            "seq": self.seq,
            "commands": self.commands,
            "rolls": self.rolls,
            "seed": self.seed,
            "end": list(self.end),
        }
        if self.has_identity:
            table["identity"] = True
        if self.after:
            table["after"] = self.after
        if self.book:
            table["book"] = self.book
        if self.last:
            table["last"] = list(self.last)
        if self.redo:
            table["redo"] = [list(position) for position in self.redo]
        if self.seen:
            table["seen"] = [list(pair) for pair in self.seen.items()]
        return table


def rolls_after(entry: JournalEntry) -> int:
    """Return the number of the next roll's dice after an entry.

    It is one more, unless the entry says that it asked for none.
    """
    return entry["n"] + entry.get("rolled", True)


def render_state(head: StateHead, state: State) -> bytes:
    """Return the text of state.toml."""
    from zlib import crc32

    import tomli_w

    # The head comes last: plain keys at the beginning of the state would become its keys.
    text = (_HEADER + tomli_w.dumps(state) + _MARK + tomli_w.dumps(head.as_toml())).encode()
    return text + _check(crc32(text))


def _check(number: int) -> bytes:
    """Return the last line: a checksum that reveals an edit of anything above it, even of a comment."""
    return _CHECK + f'{number:08x}"\n'.encode()


def head_follows_journal(journal: Journal, head: StateHead) -> bool:
    """Return whether a head belongs to a journal: the line that it follows is where it should be.

    The head's data about that line are completed: older heads don't name it.
    """
    if head.seq == 0:
        return True
    name, offset = head.end
    if journal.size(name) < offset:
        return False
    line, head.start = journal.line_before(head.end) or (b"", None)
    known, head.after = head.after, link(line)
    if known or head.start is None:
        return head.after == known
    return line.endswith(b"\n") and bool(journal.at(head.start)["seq"] == head.seq)


class ReadState:
    """The content of a state.toml: head, state, and whether strike wrote it last."""

    def __init__(self, head: StateHead, state: State, edited: bool) -> None:
        self.head = head
        self.state = state
        self.edited = edited


def _head(table: Mapping[str, object]) -> StateHead:
    """Return the bookkeeping from the table [strike]. Raises LookupError, TypeError or ValueError."""
    head = StateHead()
    head.seq, head.commands, head.seed = (read_count(table[key]) for key in ("seq", "commands", "seed"))
    head.rolls = read_count(table.get("rolls", head.commands))  # an older strike counted every command
    read_count(table["schema"])
    after = table.get("after", "")
    if not isinstance(after, str) or len(after) not in (0, LINK):
        raise ValueError(f"{str(after)[:60]!r} is not the hash of an entry")
    head.after = after
    head.has_identity = table.get("identity") is True
    book = table.get("book", "")
    if not isinstance(book, str):
        raise TypeError("`book` should be text")
    head.book = book
    head.end = position_of(table["end"])
    head.last = position_of(table["last"]) if "last" in table else None
    taken_back: list[object] = table.get("redo", [])  # type: ignore[assignment]  # else it raises
    head.redo = [position_of(position) for position in taken_back]
    pairs: list[list[object]] = table.get("seen", [])  # type: ignore[assignment]  # else it raises
    head.seen = {read_count(n): read_count(seq) for n, seq in pairs}
    return head


def is_in_conflict(folder: Path) -> bool:
    """Return whether state.toml has both sides of a git conflict in it."""
    try:
        return has_git_markers(read_plain(folder / STATE_FILE, LARGEST))
    except OSError:
        return False


def has_git_markers(raw: bytes) -> bool:
    """Return whether git has left both sides of a conflict in a file."""
    marks = iter((b"<<<<<<< ", b"=======", b">>>>>>> "))
    mark = next(marks)
    return any(line.startswith(mark) and not (mark := next(marks, b"")) for line in raw.splitlines())


def read_state_file(folder: Path) -> ReadState | None:
    """Return the content of state.toml, or None.

    None means that there is no file, or one with two branches that git could not merge. Raises
    CampaignProblem where the file can't be understood.
    """
    from zlib import crc32

    path = folder / STATE_FILE
    rebuild = f"Fix it, or move it away: strike then rebuilds it from the journal. ({path})"
    try:
        raw = read_plain(path, LARGEST)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise unreadable_problem(path, error) from None
    text = raw.rpartition(_CHECK)[0]
    edited = raw != text + _check(crc32(text))
    if edited and has_git_markers(raw):
        return None
    try:
        data = (None if edited else read_own(raw)) or toml_of(raw)
    except ValueError as error:
        from strike_cli.refusals import NotToml

        raise NotToml(STATE_FILE, error, rebuild) from None
    table = data.pop("strike", None)
    if not isinstance(table, dict):
        raise CampaignProblem(f"{STATE_FILE}: the [strike] table is missing.", rebuild)
    if isinstance(table.get("schema"), int) and table["schema"] > SCHEMA:
        from strike_cli.refusals import NewerSchema

        raise NewerSchema(STATE_FILE, str(table["schema"])[:20], SCHEMA)
    try:
        head = _head(table)
    except (LookupError, TypeError, ValueError) as error:
        what = f"{type(error).__name__}: {error}"
        raise CampaignProblem(f"{STATE_FILE}: [strike] is damaged ({what}).", rebuild) from None
    for key in _TABLES:
        if not isinstance(data.get(key, {}), dict):
            raise CampaignProblem(f"{STATE_FILE}: {key}: should be a table.", rebuild)
    return ReadState(head, data, edited)


_OTHER_FORM = (AttributeError, LookupError, RecursionError, TypeError, ValueError)


def read_own(raw: bytes) -> dict[str, object] | None:
    """Return the content of a file that strike wrote; None for a form that may not be strike's."""
    try:
        data = _tables(iter(raw.decode().split("\n")))
    except _OTHER_FORM:
        return None
    return None if describe_unsound(data) else data


def _tables(lines: Iterator[str]) -> dict[str, object]:
    data: dict[str, object] = {}
    table = data
    for line in lines:
        if not line or line[0] == "#":
            continue
        if line[0] == "[":
            table = _table_at(data, line)
            continue
        key, found, value = line.partition(" = ")
        if not found or not is_bare(key) or key in table:
            raise ValueError
        table[key] = _value("".join(_list(lines)) if value == "[" else value)
    return data


def _table_at(data: dict[str, object], line: str) -> dict[str, object]:
    """Return the table whose head a line is."""
    many = line.startswith("[[")
    path = line[2:-2] if many else line[1:-1]
    if line != (f"[[{path}]]" if many else f"[{path}]"):
        raise ValueError
    *outer, last = path.split(".")
    if not all(map(is_bare, (*outer, last))):
        raise ValueError
    table = data
    for key in outer:
        inner = table.setdefault(key, {})
        table = inner[-1] if type(inner) is list else inner  # type: ignore[assignment]  # else it raises
    new: dict[str, object] = {}
    if many:
        table.setdefault(last, []).append(new)  # type: ignore[attr-defined]  # else it raises
    elif last in table:
        raise ValueError
    else:
        table[last] = new
    return new


def _list(lines: Iterator[str]) -> Iterator[str]:
    """Yield the lines of a list, and of lists in it, without the comma after the last item."""
    yield "["
    before = ""
    for line in lines:
        yield before.removesuffix(",") if line.lstrip().startswith("]") else before
        if line == "]":
            yield line
            return
        before = line
    raise ValueError


def _value(text: str) -> object:
    if "{" in text:  # inline tables: {a = 1} becomes {"a": 1}
        if "\\" in text:
            raise ValueError
        parts = text.split('"')
        parts[::2] = map(_quote_keys, parts[::2])  # the other parts are in quotes
        text = '"'.join(parts)
    value: object
    value, end = _JSON.raw_decode(text)
    if end != len(text):
        raise ValueError
    return value


def _refuse_constant(constant: str) -> NoReturn:
    raise ValueError(constant)


_JSON = json.JSONDecoder(strict=False, parse_constant=_refuse_constant)
"""A JSON decoder that allows a tab within a text, and no `NaN` and the like."""


def _quote_keys(text: str) -> str:
    *keyed, rest = text.split(" = ")
    written = []
    for each in keyed:
        before, _, key = each.rpartition(" ")
        if not is_bare(key):
            raise ValueError
        written.append(f'{before} "{key}": ')
    return "".join([*written, rest])
