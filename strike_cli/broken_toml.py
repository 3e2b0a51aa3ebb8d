"""Explanations of faulty TOML: each mistake with its line, a caret and the likely correction.

The module is imported only after the TOML parser has refused a file. Begin with `find_toml_faults`.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable, Iterator
from typing import NamedTuple

from .problems import cut_long_lines
from .untrusted_input import parse_toml

MAX_FAULTS = 20
"""The most mistakes that are searched for in a file."""
_PLACE = re.compile(r" \(at (?:line (\d+)(?:, column (\d+))?|end of document)\)$")
_KEY = re.compile(r"""\s*(?P<key>[^=\[\]#"']+?|"[^"]*"|'[^']*')\s*=\s*(?P<value>.*?)\s*$""")
_TABLE_HEAD = re.compile(r"\s*\[\[?\s*[^\W\d\[]")
_TRIPLE_QUOTE = re.compile("\"{3}|'{3}")
_BACKSLASH = "a backslash means more in quotes: write / in a path, or put the text in '...'"
_DEFINED_TWICE_MESSAGES = ("Cannot declare", "Cannot overwrite", "Cannot mutate", "Cannot redefine")

Correction = Callable[[str], str | None]
"""A function that corrects a statement; None, or the same text, means nothing to correct."""


class TomlFault(NamedTuple):
    """A mistake in a TOML text, described by `what`.

    `write` is the text that corrects it by replacing the lines `line` to `last`; it is None if no correction
    is known. `text` is the first wrong line, and `column` is the caret's place in it. Lines and columns count
    from 1.
    """

    line: int
    column: int
    what: str
    text: str
    last: int
    write: str | None = None

    def __str__(self) -> str:
        write = f": {self.write.replace(chr(10), ', then ')}" if self.write else ""
        told = f"line {self.line}: {self.what}{write}"
        if not self.text.strip():
            return told
        return f"{told}\n    {cut_long_lines(self.text.replace(chr(9), ' '))}\n    {' ' * (self.column - 1)}^"


def find_toml_faults(text: str) -> list[TomlFault]:
    """Return the mistakes in a TOML text, in order; an empty list for valid TOML.

    If git has left merge conflicts in the text, only these are returned. Otherwise, unreadable lines are
    replaced by placeholders and the rest is parsed again, until MAX_FAULTS mistakes are found.
    """
    lines = text.replace("\r\n", "\n").split("\n")
    if conflicts := list(_fault_per_merge_conflict(lines)):
        return conflicts
    found: list[TomlFault] = []
    while len(found) < MAX_FAULTS:
        try:
            parse_toml("\n".join(lines).encode())
            break
        except tomllib.TOMLDecodeError as error:
            first, last, column = _unreadable_lines_and_column(str(error), lines)
            last = max(last, _index_of_closing_line(first, lines))
            message = _PLACE.sub("", str(error))
            fault = _explain_fault(message, lines[first : last + 1], first, column)
            if fault.write is not None and not _correction_parses(fault, lines):
                fault = fault._replace(what=_describe_mistake(message, lines[first].strip()), write=None)
            if found and fault.line == found[-1].line:
                break  # the fault is there without it, too
            found.append(fault)
            for number in range(first, last + 1):
                lines[number] = _placeholder_line(lines[number], number)
        except (ValueError, RecursionError):
            break  # reported by the reader of the whole
    return sorted(found)


def _correction_parses(fault: TomlFault, lines: list[str]) -> bool:
    """Return whether the file with the fault's correction can be parsed.

    It is also True if the parser fails only on a line after the correction.
    """
    write = (fault.write or "").split("\n")
    try:
        tomllib.loads("\n".join([*lines[: fault.line - 1], *write, *lines[fault.last :]]))
    except ValueError as error:
        _, line = split_error_and_line(error)
        return line is None or line >= fault.line + len(write)
    return True


def _fault_per_merge_conflict(lines: list[str]) -> Iterator[TomlFault]:
    """Yield a fault for each merge conflict whose two sides git has left in the file."""
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
            yield TomlFault(begin, 1, cut_long_lines(what), lines[begin - 1], number)
            begin = None


def split_error_and_line(error: ValueError) -> tuple[str, int | None]:
    """Split an error of Python's TOML parser into its message and its line.

    The line is None if the error names no line.
    """
    found = _PLACE.search(str(error))
    return _PLACE.sub("", str(error)), int(found[1]) if found and found[1] else None


def _unreadable_lines_and_column(message: str, lines: list[str]) -> tuple[int, int, int]:
    """Return the first and the last unreadable line, and the column of the caret.

    Lines are counted from 0, and columns from 1. `message` is the parser's message.
    """
    found = _PLACE.search(message)
    line, column = (int(found[1]) - 1, int(found[2])) if found and found[1] else (len(lines) - 1, 1)
    line = min(line, len(lines) - 1)
    long = [n for n, text in enumerate(lines) if text.count('"""') % 2 or text.count("'''") % 2]
    if (
        long
        and found
        and not found[1]
        and (message.startswith("Unterminated") or _TRIPLE_QUOTE.search(message))
    ):
        return long[-1], len(lines) - 1, 1
    loose = [n for n, text in enumerate(lines) if _unclosed_quote(text) == "'"]
    if loose and message.startswith('Expected "\'"'):
        return loose[-1], loose[-1], len(lines[loose[-1]]) + 1
    if message.startswith(("Illegal character", "Unterminated string", 'Expected \'"""\'')) or column > 1:
        begun = _index_of_opening_line(line, lines) if not _KEY.match(lines[line]) else None
        return (line if begun is None else begun), line, column if begun is None else len(lines[begun]) + 1
    begun = _index_of_opening_line(line, lines)
    return (line, line, column) if begun is None else (begun, max(begun, line - 1), len(lines[begun]) + 1)


def _count_open_brackets(line: str) -> int:
    """Return how many more lists and inline tables a line opens than it closes."""
    bare = _mask_quotes_and_split_comment(line.partition("=")[2] if _KEY.match(line) else line)[0]
    return sum(map(bare.count, "[{")) - sum(map(bare.count, "]}"))


def _index_of_opening_line(line: int, lines: list[str]) -> int | None:
    """Return the index of the line above `line` that opened a list or table that is still open.

    It is None if none is open.
    """
    depth = 0
    for number in range(line - 1, -1, -1):
        depth += _count_open_brackets(lines[number])
        key = _KEY.match(lines[number])
        if key and depth > 0:
            return number
        if key or _TABLE_HEAD.match(lines[number]):
            return None
    return None


def _index_of_closing_line(first: int, lines: list[str]) -> int:
    """Return the index of the line that closes the list or inline table opened on the line `first`.

    If no line closes it, `first` is returned.
    """
    depth, key = _count_open_brackets(lines[first]), _KEY.match(lines[first])
    for number in range(first + 1, len(lines) if key and depth > 0 else 0):
        in_list = key is not None and key["value"].startswith("[")
        if _TABLE_HEAD.match(lines[number]) or (in_list and _KEY.match(lines[number])):
            break
        depth += _count_open_brackets(lines[number])
        if depth <= 0:
            return number
    return first


def _placeholder_line(line: str, number: int) -> str:
    """Return the text that replaces an unreadable line.

    For the head of a table, it is a head that occurs nowhere else. For any other line it is "".
    """
    return f"[unreadable-{number}]" if line.lstrip().startswith("[") and not _KEY.match(line) else ""


def _explain_fault(message: str, lines: list[str], number: int, column: int) -> TomlFault:
    """Return the mistake in an unreadable TOML statement, with a correction if one is found.

    Args:
        message: The parser's message.
        lines: The lines of the statement.
        number: The number of the first line, counted from 0.
        column: The column of the mistake, counted from 1.
    """
    line, last = lines[0], number + len(lines)
    if message.startswith(_DEFINED_TWICE_MESSAGES):
        at = len(line) - len(line.lstrip()) + 1
        return TomlFault(number + 1, at, "this is defined twice: keep one", line, last)
    parts = [_mask_quotes_and_split_comment(each) for each in lines]
    code = " ".join(each[: len(bare)].strip() for each, (bare, _) in zip(lines, parts, strict=True)).strip()
    comment = "; ".join(comment for _, comment in parts if comment)
    code, wrong = _try_to_correct_statement(code)
    if len(lines) > 1 and code.endswith("}"):
        wrong.insert(0, "a table in braces must be on one line")
    if not wrong or not _is_valid_toml(code):
        return TomlFault(number + 1, min(column, len(line) + 1), _describe_mistake(message, code), line, last)
    indent = line[: len(line) - len(line.lstrip())]
    write = indent + (f"{code} # {comment}" if comment and code else code or f"# {comment}" * bool(comment))
    pairs = enumerate(zip(write, line, strict=False))
    at = next((n for n, (new, old) in pairs if new != old), min(len(write), len(line.rstrip()))) + 1
    return TomlFault(number + 1, at, "; ".join(wrong), line, last, write)


def _try_to_correct_statement(code: str) -> tuple[str, list[str]]:
    """Apply the corrections in `_CORRECTIONS` to a statement, one after another, until it can be parsed.

    Return the statement, which may still be wrong, and the mistakes that were corrected.
    """
    wrong: list[str] = []
    for what, mend in _CORRECTIONS:
        if _is_valid_toml(code) or _TRIPLE_QUOTE.search(code):
            break
        mended = mend(code)
        if mended is not None and mended != code:
            code = mended
            wrong.append(what)
    return code, wrong


def _describe_mistake(message: str, code: str) -> str:
    """Return the words for a mistake in a TOML statement for which strike knows no correction."""
    key = _KEY.match(code)
    if long := _TRIPLE_QUOTE.search(code):
        return f"{long[0]} starts a text that ends with {long[0]}"
    if message.startswith("Unescaped"):
        return _BACKSLASH
    if key and not key["value"]:
        return f"{key['key'].strip()} has no value: write text in quotes, a list in [ ]"
    why = f"{message[:1].lower()}{message[1:]}"
    return why if key or _TABLE_HEAD.match(code) else f"a line is a key, = and a value: {why}"


def _is_valid_toml(code: str) -> bool:
    try:
        tomllib.loads(code)
    except (ValueError, RecursionError):
        return False
    return True


_STRING = re.compile(r"""("(?:[^"\\]|\\.)*"|'[^']*')|#.*""")


def _mask_quotes_and_split_comment(line: str) -> tuple[str, str]:
    """Return a line of TOML in two parts: the code before the comment, and the comment.

    In the code, `_` replaces each character of quoted text. The comment is "" if there is none.
    """
    comment = ""

    def mask_quote_or_cut_comment(match: re.Match[str]) -> str:
        nonlocal comment
        if match[1]:
            return f"{match[1][0]}{'_' * (len(match[1]) - 2)}{match[1][0]}"
        comment = match[0].lstrip("# ").rstrip()
        return ""

    bare = _STRING.sub(mask_quote_or_cut_comment, line).rstrip()
    return bare, comment


def _replacement_outside_quotes(pattern: str, replacement: str) -> Correction:
    """Return a function that replaces each match of `pattern` by `replacement`, except in quoted text."""

    def replace_matches(code: str) -> str:
        bare = _mask_quotes_and_split_comment(code)[0].ljust(len(code), "_")
        for found in reversed(list(re.finditer(pattern, bare))):
            new = replacement
            for group in range(1, found.re.groups + 1):
                new = new.replace(f"\\{group}", code[slice(*found.span(group))])
            code = code[: found.start()] + new + code[found.end() :]
        return code

    return replace_matches


def _correction_of_value_only(correction: Correction) -> Correction:
    """Return a function that applies the correction `correction` only to the value after a key.

    The function returns None for a statement without a key and a value.
    """

    def correct_line(code: str) -> str | None:
        key = _KEY.match(code)
        mended = correction(key["value"]) if key and key["value"] else None
        return code[: key.start("value")] + mended if key and mended is not None else None

    return correct_line


def _replace_backslashes_by_slashes(code: str) -> str:
    odd = r"\\(?![btnfr\"\\uU])"
    return re.sub(
        r'"[^"]*"', lambda text: text[0].replace("\\", "/") if re.search(odd, text[0]) else text[0], code
    )


def _use_hash_for_comment(code: str) -> str | None:
    found = re.search(r"(?:^|(?<=\s))(?://|--|;|/\*)\s*", _mask_quotes_and_split_comment(code)[0])
    return f"{code[: found.start()]}# {code[found.end() :].removesuffix('*/').rstrip()}" if found else None


def _split_into_two_lines(code: str) -> str | None:
    bare = _mask_quotes_and_split_comment(code)[0]
    for found in re.finditer(r"""(?<=["'\w\]}])\s*[,;]?\s+(?=(?:[\w.-]+|"_*")\s*=)""", bare):
        above, below = code[: found.start()], code[found.end() :]
        if (
            ("=" in above or _TABLE_HEAD.match(above))
            and _count_open_brackets(above) <= 0
            and _is_valid_toml(f"{above}\n{below}")
        ):
            return f"{above}\n{below}"
    return None


def _quote_join_or_translate_key(code: str) -> str | None:
    """Return a line of TOML with its invalid key repaired.

    If the key is a word that strike knows from other games, strike's own key replaces it. In any other key,
    underscores replace the spaces. If the result is still invalid, the key is put in quotes. Return None if
    the key is valid, or if the line isn't a key with a value.
    """
    from .validation import KEYS_OF_OTHER_GAMES

    key = _KEY.match(code)
    name = key["key"].strip() if key else ""
    if not key or _is_valid_toml(f"{name} = 1") or set("\"'{") & set(name):
        return None
    joined = name.replace(" ", "_")
    called = KEYS_OF_OTHER_GAMES.get(joined.lower(), (joined,))[0]
    return f"{called if _is_valid_toml(f'{called} = 1') else _put_in_quotes(name)} = {key['value']}"


def _add_commas(value: str) -> str | None:
    """Return a list or inline table with its missing commas added.

    Return None for any other value.
    """
    missing = r"""(?<=["'\d\]}])\s+(?=["'\d\[{]|[\w-]+\s*[=:])"""
    return _replacement_outside_quotes(missing, ", ")(value) if value[:1] in "[{" else None


def _fix_boolean(value: str) -> str:
    def boolean_literal(match: re.Match[str]) -> str:
        return "true" if match[0].lower() in ("true", "yes", "on") else "false"

    return re.sub(r"(?i)^(true|yes|on|false|no|off)$", boolean_literal, value)


def _remove_null_line(code: str) -> str | None:
    return "" if re.search(r"(?i)=\s*(null|none|nil|undefined)$", code) else None


def _bracket_and_quote_list(value: str) -> str | None:
    """Put a list that was written without brackets into brackets, and its items into quotes.

    Return None for a value that has brackets, or only one item.
    """
    if value[:1] in "[{":
        return None
    bare = _mask_quotes_and_split_comment(value)[0]
    cuts = [found.span() for found in re.finditer(r"""\s*,\s*|(?<=["'])\s+(?=["'])""", bare)]
    ends = [0, *(edge for pair in cuts for edge in pair), len(value)]
    items = [value[begin:end].strip() for begin, end in zip(ends[::2], ends[1::2], strict=True)]
    items = [item if _is_valid_toml(f"a = {item}") else _put_in_quotes(item) for item in items if item]
    return f"[{', '.join(items)}]" if len(items) > 1 else None


def _close_quote(value: str) -> str | None:
    """Return a value with its missing closing quote added, or None if this can't be done.

    The quote is added at the end of the value, or before its closing brackets. It can't be added if no quote
    is open, or if it isn't clear where the quote belongs.
    """
    quote = _unclosed_quote(value)
    if not quote or (value[0] not in "[{" and value.count(quote) > 1):
        return None
    text = re.sub(r"[\]}\s,]*$", "", value)
    return text + quote + value[len(text) :]


def _unclosed_quote(text: str) -> str:
    """Return the quote character that opens an unclosed quote in a line; "" if there is none."""
    found = re.search("[\"']", re.sub("\"_*\"|'_*'", "", _mask_quotes_and_split_comment(text)[0]))
    return found[0] if found else ""


def _add_closing_brackets(value: str) -> str | None:
    """Add the closing brackets that are missing at the end of a value; None if none are missing."""
    ends: list[str] = []
    for sign in _mask_quotes_and_split_comment(value)[0]:
        if sign in "[{":
            ends.append("]" if sign == "[" else "}")
        elif sign in "]}" and ends:
            ends.pop()
    return re.sub(r"\s*,?\s*$", "", value) + "".join(reversed(ends)) if ends else None


def _swap_outer_quotes(value: str) -> str | None:
    if len(value) < 3 or value[0] not in "\"'" or value[-1] != value[0]:
        return None
    return _put_in_quotes(value[1:-1]) if value.count(value[0]) > 2 else None


def _put_in_quotes(text: str) -> str:
    return f'"{text}"' if not set('"\\') & set(text) else f"'{text}'" if "'" not in text else json.dumps(text)


def _quote_value_or_items(value: str) -> str | None:
    if value[0] in "\"'" and value[0] == value[-1]:
        return None
    if value[0] not in "[{":
        return _put_in_quotes(value)
    return _replacement_outside_quotes(
        r"(?<=[\[,=])(\s*)(?!(?:true|false|inf|nan)\b)([^\W\d][\w '-]*?)(\s*)(?=[,\]}])", r'\1"\2"\3'
    )(value)


def _close_table_head(code: str) -> str | None:
    if not _TABLE_HEAD.match(code) or _KEY.match(code):
        return None
    inner = code.strip("[]")
    return f"[[{inner}]]" if code.startswith("[[") else f"[{inner}]"


def _quote_table_head(code: str) -> str | None:
    """Return the head of a TOML table, with quotes around the parts that need them.

    Return None if the line isn't the head of a table.
    """
    found = re.fullmatch(r"(\[+)([^\[\]]*)(\]+)", code)
    if not found:
        return None
    parts = (part.strip() for part in re.findall(r'"[^"]*"|[^."]+', found[2]))
    return (
        found[1]
        + ".".join(part if _is_valid_toml(f"{part} = 1") else _put_in_quotes(part) for part in parts)
        + found[3]
    )


_PLAIN_KEY = r"(?:[\w.-]+|\"_*\"|'_*')"
_CORRECTIONS: tuple[tuple[str, Correction], ...] = (
    (
        "this is a no-break space: type a plain one",
        _replacement_outside_quotes("[\u00a0\u2007\u202f\u200b\ufeff]", " "),
    ),
    (
        "write plain quotes",
        lambda code: _replacement_outside_quotes("[\u201c\u201d\u201e\u00ab\u00bb]", '"')(
            re.sub("\u2018([^\u2019]*)\u2019", r'"\1"', code)
        ),
    ),
    (_BACKSLASH, _replace_backslashes_by_slashes),
    ("a comment begins with #", _use_hash_for_comment),
    ("take out the comma or semicolon after the value", _replacement_outside_quotes(r"\s*[,;]$", "")),
    ("put each key on a line of its own", _split_into_two_lines),
    ("close the head of this table", _close_table_head),
    ("put quotes around this name", _quote_table_head),
    (
        "write = between a key and its value",
        _replacement_outside_quotes(rf"^({_PLAIN_KEY})\s*(?::=|==|=>|:)\s*", r"\1 = "),
    ),
    ("a key is one word, or stands in quotes", _quote_join_or_translate_key),
    ("write a comma between two items", _correction_of_value_only(_add_commas)),
    (
        "write = between a key and its value",
        _correction_of_value_only(
            _replacement_outside_quotes(rf"(?<=[{{,])(\s*{_PLAIN_KEY})\s*:\s*", r"\1 = ")
        ),
    ),
    ("a table in braces ends without a comma", _replacement_outside_quotes(r"\s*,(?=\s*\})", "")),
    (
        "a number has no comma in it",
        _correction_of_value_only(_replacement_outside_quotes(r"(?<=\d),(?=000(?:,000)*$)", "")),
    ),
    (
        "a number has no 0 before it",
        _correction_of_value_only(
            _replacement_outside_quotes(r"(?<![\w.+:-])([+-]?)0+(?=\d+(?![\w:-]))", r"\1")
        ),
    ),
    (
        "a number has digits before its point",
        _correction_of_value_only(_replacement_outside_quotes(r"(?<![\w.])(?=\.\d)", "0")),
    ),
    (
        "a number has digits after its point",
        _correction_of_value_only(_replacement_outside_quotes(r"(?<=\d)\.(?![\w.])", ".0")),
    ),
    ("write true or false", _correction_of_value_only(_fix_boolean)),
    ("a key needs a value: take out this line", _remove_null_line),
    ("put brackets around a list", _correction_of_value_only(_bracket_and_quote_list)),
    ("a quote is missing at its end", _correction_of_value_only(_close_quote)),
    ("a bracket is missing at its end", _correction_of_value_only(_add_closing_brackets)),
    ("put the other quotes around quotes", _correction_of_value_only(_swap_outer_quotes)),
    ("put quotes around text", _correction_of_value_only(_quote_value_or_items)),
)
"""Common mistakes in TOML, in the order of the search: what is wrong, and its correction. Each changes only
its own mistake wherever that occurs, so that several mistakes of a line are reported together.
"""
