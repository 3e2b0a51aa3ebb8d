"""What is wrong with a text that is no TOML: every mistake that stands by itself, with its line, a caret and
what was probably meant. Read only where the reader of TOML has refused a file."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from typing import NamedTuple

from .problems import cut
from .reading import toml_of

MOST = 20
"""Mistakes that are looked for in a file."""
_PLACE = re.compile(r" \(at (?:line (\d+)(?:, column (\d+))?|end of document)\)$")
_KEY = re.compile(r"""\s*(?P<key>[^=\[\]#"']+?|"[^"]*"|'[^']*')\s*=\s*(?P<value>.*?)\s*$""")
_BARE = re.compile(r"[A-Za-z0-9_.\-\s]+")
_TWICE = ("Cannot declare", "Cannot overwrite", "Cannot mutate", "Cannot redefine")


class TomlFault(NamedTuple):
    """A mistake: its line, from 1 on, the column of the caret, from 1 on, and what to write."""

    line: int
    column: int
    what: str
    text: str

    def __str__(self) -> str:
        if not self.text.strip():
            return f"line {self.line}: {self.what}"
        shown = cut(self.text.replace("\t", " "))
        return f"line {self.line}: {self.what}\n    {shown}\n    {' ' * (self.column - 1)}^"


def faults_of(text: str) -> list[TomlFault]:
    """Every mistake in a text that can be told from the others, in order; none in sound TOML. Each line that
    can't be read is left out, and the rest read again."""
    lines = text.replace("\r\n", "\n").split("\n")
    if conflicts := list(_conflicts(lines)):
        return conflicts
    found: list[TomlFault] = []
    while len(found) < MOST:
        try:
            toml_of("\n".join(lines).encode())
            break
        except tomllib.TOMLDecodeError as error:
            first, last, column = _place(str(error), lines)
            fault = _explained(_PLACE.sub("", str(error)), first, column, lines)
            if found and fault.line == found[-1].line:
                break  # leaving it out mends nothing
            found.append(fault)
            for number in range(first, last + 1):
                lines[number] = _left_out(lines[number], number)
        except (ValueError, RecursionError):
            break  # the reader of the whole says it
    return sorted(found)


def _conflicts(lines: list[str]) -> Iterator[TomlFault]:
    """Each place where git has left both sides of a conflict."""
    begin = middle = None
    for number, line in enumerate(lines, 1):
        if line.startswith("<<<<<<< "):
            begin, middle = number, None
        elif begin and line.rstrip() == "=======":
            middle = number
        elif begin and middle and line.startswith(">>>>>>> "):
            ours, theirs = lines[begin : middle - 1], lines[middle : number - 1]
            what = (
                f"git could not merge lines {begin} to {number}: {' / '.join(ours) or 'nothing'} of one "
                f"side, {' / '.join(theirs) or 'nothing'} of the other; keep one of them, and take out the "
                "lines with <<<<<<<, ======= and >>>>>>>"
            )
            yield TomlFault(begin, 1, cut(what), lines[begin - 1])
            begin = None


def without_place(error: ValueError) -> tuple[str, int | None]:
    """What Python's reader of TOML says is wrong, and the line that it has in its words alone; None where it
    has none."""
    found = _PLACE.search(str(error))
    return _PLACE.sub("", str(error)), int(found[1]) if found and found[1] else None


def _place(message: str, lines: list[str]) -> tuple[int, int, int]:
    """The first and the last line of what can't be read, from 0 on, and the column, from 1 on."""
    found = _PLACE.search(message)
    line, column = (int(found[1]) - 1, int(found[2])) if found and found[1] else (len(lines) - 1, 1)
    line = min(line, len(lines) - 1)
    if message.startswith(("Illegal character", "Unterminated string", 'Expected \'"""\'')) or column > 1:
        begun = _begun_above(line, lines) if not _KEY.match(lines[line]) else None
        return (line if begun is None else begun), line, column if begun is None else len(lines[begun]) + 1
    begun = _begun_above(line, lines)
    return (line, line, column) if begun is None else (begun, max(begun, line - 1), len(lines[begun]) + 1)


def _begun_above(line: int, lines: list[str]) -> int | None:
    """The line above where a list or table in braces was begun that is still open."""
    depth = 0
    for number in range(line - 1, -1, -1):
        bare = re.sub(r"\"[^\"]*\"|'[^']*'|#.*", "", lines[number])
        depth += sum(map(bare.count, "[{")) - sum(map(bare.count, "]}"))
        if _KEY.match(lines[number]) and not lines[number].lstrip().startswith("["):
            return number if depth > 0 else None
        if lines[number].lstrip().startswith("["):
            return None
    return None


def _left_out(line: str, number: int) -> str:
    """What stands in the place of a line that can't be read: of a head, a table nobody else has."""
    return f"[unreadable-{number}]" if line.lstrip().startswith("[") and not _KEY.match(line) else ""


def _explained(message: str, number: int, column: int, lines: list[str]) -> TomlFault:
    line = lines[number]
    what, at = _guess(message, line)
    return TomlFault(number + 1, min(at or column, len(line) + 1), what, line)


def _guess(message: str, line: str) -> tuple[str, int]:
    """What is wrong with a line and what to write, and its column, from 1 on; 0 where the reader knows
    better."""
    told = line.split("#")[0].rstrip() if '"' not in line else line.rstrip()
    if odd := re.search("[\u00a0\u2007\u202f]", told):
        return "a no-break space stands there: write a plain one", odd.start() + 1
    if message.startswith("Unescaped") and (slash := told.find(chr(92))) >= 0:
        return "a backslash means more in quotes: write / in a path, or put the text in '...'", slash + 1
    if message.startswith(_TWICE):
        return "this is there twice: keep one", len(line) - len(line.lstrip()) + 1
    if curly := re.search("[\u201c\u201d\u201e\u2018\u2019]", told):
        return 'write plain quotes: "', curly.start() + 1
    if told.lstrip().startswith("[") and "=" not in told:
        return _guess_of_head(told)
    if found := re.match(r"(\s*)([\w.-]+)\s*:\s*(.+)$", told):
        return f"write = between a key and its value: {found[2]} = {found[3]}", len(found[0]) - len(found[3])
    key = _KEY.match(told)
    if key is None:
        return f"a line is a key, = and a value: {message[:1].lower()}{message[1:]}", 0
    name, value, at = key["key"], key["value"], key.start("value") + 1
    if " " in name and _is_bare(name.replace(" ", "_")):
        return _guess_of_key(name, value), key.start("key") + 1
    if name[:1] not in "\"'" and not _is_bare(name):
        return f'put quotes around this key: "{name}" = {value}', key.start("key") + 1
    return _guess_of_value(message, name, value, at)


def _guess_of_key(name: str, value: str) -> str:
    """What to write for a key of several words."""
    from .validation import ALSO_CALLED

    joined = name.strip().replace(" ", "_")
    known = ALSO_CALLED.get(joined.lower(), ())
    if known:
        return f"a key is one word: {known[0]} = {value}"
    return f'a key is one word: {joined} = {value}; or it is a name, in quotes: "{name}" = {value}'


def _is_bare(key: str) -> bool:
    return all(part and " " not in part and _BARE.fullmatch(part) for part in key.split("."))


def _guess_of_head(head: str) -> tuple[str, int]:
    inner = head.strip().strip("[]")
    if head.count("[") != head.count("]"):
        double = head.strip().startswith("[[")
        return f"close the head of this table: {f'[[{inner}]]' if double else f'[{inner}]'}", len(head) + 1
    odd = next((part for part in inner.split(".") if not _is_bare(part.strip())), inner)
    quoted = inner.replace(odd, f'"{odd.strip()}"', 1)
    return f"put quotes around this name: [{quoted}]", head.find(odd) + 1


def _guess_of_value(message: str, name: str, value: str, at: int) -> tuple[str, int]:
    if not value:
        return f"{name} has no value: text stands in quotes, a list in [ ]", at
    if value.lower() in ("true", "yes", "on", "false", "no", "off"):
        plain = "true" if value.lower() in ("true", "yes", "on") else "false"
        return f"write {name} = {plain}", at
    if value[0] in "\"'" and value.count(value[0]) % 2:
        return f"a quote is missing at its end: {name} = {value}{value[0]}", at + len(value)
    if value[0] not in "[{" and "," in value and not re.fullmatch(r"\"[^\"]*\"", value):
        return f"put brackets around a list: {name} = [{_listed(value)}]", at
    if value[0] in "[{":
        closing = "]" if value[0] == "[" else "}"
        if value.count(value[0]) > value.count(closing):
            return f"{closing} is missing at its end: {name} = {value}{closing}", at + len(value)
        if words := re.search(r"(?<=[\[,=])\s*([A-Za-z][\w '-]*)\s*(?=[,\]}])", value):
            return f'put quotes around text: "{words[1].strip()}"', at + words.start(1)
        return f"{message[:1].lower()}{message[1:]}", 0
    if value[0] not in "\"'":
        return f'put quotes around text: {name} = "{value}"', at
    return f"{message[:1].lower()}{message[1:]}", 0


def _listed(value: str) -> str:
    """The items of a list that stands without brackets, text in quotes."""
    items = [item.strip() for item in value.split(",")]
    return ", ".join(
        item if item[:1] in "\"'" or re.fullmatch(r"-?[\d.]+|true|false", item) else f'"{item}"'
        for item in items
        if item
    )
