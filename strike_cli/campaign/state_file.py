"""state.toml: what play has changed, and a head that names the last journal entry included.

If nobody has edited the file since strike wrote it, `parse_own_format` parses it. Python's TOML parser would
double the time of opening a campaign. Strike writes a fixed form: heads of tables, one key and value on a
line, lists with one item on a line, short inline tables. Values are written as in JSON, except for the keys
of inline tables. A file in any other form is parsed by Python's parser.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from ..kernel.state_changes import State, is_bare_key
from ..problems import CampaignProblem
from ..untrusted_input import describe_unreadable_part, parse_toml
from .file_access import read_plain_file, unreadable_problem
from .journal import START, Journal, line_hash
from .journal_entry_format import (
    HASH_TEXT_LENGTH,
    Position,
    checked_count,
    parse_position,
    seen_dice_after_redo,
)

if TYPE_CHECKING:
    from typing import NoReturn

    from ..kernel.journal_types import JournalEntry
    from .journal_entry_format import Seen

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
    """The table [strike] of state.toml: the journal position that the state has reached, and data for undo.

    - `seq` is the number of the last journal entry that the state includes. Its line is from `start` to
      `end`, and has the hash `after`. If the line isn't known, `start` is None and `after` is "".
    - `last` is the newest entry in effect, which undo takes back.
    - `redo` are the undone entries, newest last.
    - `commands` is the number of commands in effect.
    - `rolls` is the number of the next roll. This number and `seed` decide its dice.
    - `seen` has the dice that people have seen in commands that were undone later.
    - `book` is the digest of the campaign's files at the last command.
    - `has_identity` is True once an entry names the campaign's identity.
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

    def copy(self) -> StateHead:
        copy = StateHead()
        for slot in StateHead.__slots__:
            setattr(copy, slot, getattr(self, slot))
        return copy

    def include_entry(self, entry: JournalEntry, start: Position, end: Position, line_hash: str = "") -> None:
        """Update the head for one more entry, which is from `start` to `end` in the journal.

        `line_hash` is the hash of the entry's line.
        """
        self.seq = entry["seq"]
        self.end = end
        self.after, self.start = line_hash, start
        if "head" in entry:  # undo and redo record the position that they lead to
            head = entry["head"]
            self.last = head["last"] and parse_position(head["last"])
            self.redo = [parse_position(position) for position in head["redo"]]
            self.commands = head["commands"]
            self.rolls = head.get("rolls", self.commands)
            self.seen = dict(head.get("seen", ()))
        else:
            self.last = start
            self.redo = []
            self.commands += 1
            self.rolls = next_roll_number(entry)
            if self.seen:
                self.seen = seen_dice_after_redo(self.seen, [entry])
        self.seed = entry.get("seed", self.seed)
        self.has_identity = self.has_identity or "identity" in entry
        self.book = entry.get("book", self.book)

    def as_table(self) -> dict[str, object]:
        """Return the head as the table `[strike]` of state.toml."""
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


def next_roll_number(entry: JournalEntry) -> int:
    """Return the number of the next roll after an entry.

    It is the entry's own roll number, plus one if the entry used dice.
    """
    return entry["n"] + entry.get("rolled", True)


def render_state(head: StateHead, state: State) -> bytes:
    """Return the text of state.toml."""
    from zlib import crc32

    import tomli_w

    # The head comes last: plain keys at the beginning of the state would become its keys.
    text = (_HEADER + tomli_w.dumps(state) + _MARK + tomli_w.dumps(head.as_table())).encode()
    return text + _checksum_line(crc32(text))


def _checksum_line(checksum: int) -> bytes:
    """Return the last line of state.toml, a checksum of the text above it.

    The checksum reveals every edit of that text, even of a comment.
    """
    return _CHECK + f'{checksum:08x}"\n'.encode()


def match_journal_and_note_last_line(journal: Journal, head: StateHead) -> bool:
    """Return whether the journal has the last line that the state includes, at the place in `head`.

    `head` names the line's number, end and hash. Older versions of strike stored no hash; then the number
    must match. If `head` names no line, the result is True.

    If the journal's file is long enough to have the line, two values of `head` are updated. `start` becomes
    the place where the line at `end` starts, and `after` becomes that line's hash.
    """
    if head.seq == 0:
        return True
    name, offset = head.end
    if journal.file_size(name) < offset:
        return False
    line, head.start = journal.line_before(head.end) or (b"", None)
    known, head.after = head.after, line_hash(line)
    if known or head.start is None:
        return head.after == known
    return line.endswith(b"\n") and bool(journal.entry_at(head.start)["seq"] == head.seq)


class StateFileContent:
    """The content of a state.toml: its head, its state, and whether it was `edited` since strike wrote it."""

    def __init__(self, head: StateHead, state: State, edited: bool) -> None:
        self.head = head
        self.state = state
        self.edited = edited


def state_has_git_conflict(folder: Path) -> bool:
    """Return whether state.toml has both sides of a git conflict in it."""
    try:
        return has_git_merge_markers(read_plain_file(folder / STATE_FILE, LARGEST))
    except OSError:
        return False


def has_git_merge_markers(raw: bytes) -> bool:
    """Return whether git has left both sides of a conflict in a file."""
    marks = iter((b"<<<<<<< ", b"=======", b">>>>>>> "))
    mark = next(marks)
    return any(line.startswith(mark) and not (mark := next(marks, b"")) for line in raw.splitlines())


def read_state_file(folder: Path) -> StateFileContent | None:
    """Return the content of state.toml; None if it is missing, or has both sides of a git conflict.

    Raises CampaignProblem if the file can't be understood.
    """
    from zlib import crc32

    path = folder / STATE_FILE
    rebuild = f"Fix it, or move it away: strike then rebuilds it from the journal. ({path})"
    try:
        raw = read_plain_file(path, LARGEST)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise unreadable_problem(path, error) from None
    text = raw.rpartition(_CHECK)[0]
    edited = raw != text + _checksum_line(crc32(text))
    if edited and has_git_merge_markers(raw):
        return None
    try:
        data = (None if edited else parse_own_format(raw)) or parse_toml(raw)
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
        head = _parse_head(table)
    except (LookupError, TypeError, ValueError) as error:
        what = f"{type(error).__name__}: {error}"
        raise CampaignProblem(f"{STATE_FILE}: [strike] is damaged ({what}).", rebuild) from None
    for key in _TABLES:
        if not isinstance(data.get(key, {}), dict):
            raise CampaignProblem(f"{STATE_FILE}: {key}: should be a table.", rebuild)
    return StateFileContent(head, data, edited)


def _parse_head(table: Mapping[str, object]) -> StateHead:
    """Return the head that is stored in `table`, the table [strike].

    Raises LookupError, TypeError or ValueError for a table in another form.
    """
    head = StateHead()
    head.seq, head.commands, head.seed = (checked_count(table[key]) for key in ("seq", "commands", "seed"))
    head.rolls = checked_count(table.get("rolls", head.commands))  # an older strike counted every command
    checked_count(table["schema"])
    after = table.get("after", "")
    if not isinstance(after, str) or len(after) not in (0, HASH_TEXT_LENGTH):
        raise ValueError(f"{str(after)[:60]!r} is not the hash of an entry")
    head.after = after
    head.has_identity = table.get("identity") is True
    book = table.get("book", "")
    if not isinstance(book, str):
        raise TypeError("`book` should be text")
    head.book = book
    head.end = parse_position(table["end"])
    head.last = parse_position(table["last"]) if "last" in table else None
    taken_back: list[object] = table.get("redo", [])  # type: ignore[assignment]  # else it raises
    head.redo = [parse_position(position) for position in taken_back]
    pairs: list[list[object]] = table.get("seen", [])  # type: ignore[assignment]  # else it raises
    head.seen = {checked_count(n): checked_count(seq) for n, seq in pairs}
    return head


_OTHER_FORM = (AttributeError, LookupError, RecursionError, TypeError, ValueError)


def parse_own_format(raw: bytes) -> dict[str, object] | None:
    """Return the tables of a file in the fixed form that strike writes; None for any other form."""
    try:
        data = _parse_tables(iter(raw.decode().split("\n")))
    except _OTHER_FORM:
        return None
    return None if describe_unreadable_part(data) else data


def _parse_tables(lines: Iterator[str]) -> dict[str, object]:
    data: dict[str, object] = {}
    table = data
    for line in lines:
        if not line or line[0] == "#":
            continue
        if line[0] == "[":
            table = _add_table(data, line)
            continue
        key, found, value = line.partition(" = ")
        if not found or not is_bare_key(key) or key in table:
            raise ValueError
        table[key] = _parse_value("".join(_list_lines_as_json(lines)) if value == "[" else value)
    return data


def _add_table(data: dict[str, object], line: str) -> dict[str, object]:
    """Add to `data` the table that a head line such as `[a.b]` or `[[a.b]]` begins.

    Return the table. Raises ValueError for a head that strike would write differently, and for a table that
    exists already.
    """
    many = line.startswith("[[")
    path = line[2:-2] if many else line[1:-1]
    if line != (f"[[{path}]]" if many else f"[{path}]"):
        raise ValueError
    *outer, last = path.split(".")
    if not all(map(is_bare_key, (*outer, last))):
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


def _list_lines_as_json(lines: Iterator[str]) -> Iterator[str]:
    """Yield the lines of a list, from its opening to its closing bracket, as lines of JSON.

    `lines` begins after the opening bracket. The last item's comma is left out. Raises ValueError if the list
    isn't closed.
    """
    yield "["
    before = ""
    for line in lines:
        yield before.removesuffix(",") if line.lstrip().startswith("]") else before
        if line == "]":
            yield line
            return
        before = line
    raise ValueError


def _parse_value(text: str) -> object:
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
        if not is_bare_key(key):
            raise ValueError
        written.append(f'{before} "{key}": ')
    return "".join([*written, rest])
