"""Mutants of what people and strike write: campaigns, states, journals, command lines.

Each knows the structure of what it spoils, so that most of them are nearly right.
"""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Iterator, Sequence
from typing import Any

Way = tuple[Any, ...]

DEEP: Any = []
for _ in range(90):
    DEEP = [DEEP]
DEEP_TABLE: Any = {}
for _ in range(90):
    DEEP_TABLE = {"a": DEEP_TABLE}

VALUES: list[Any] = [
    0,
    1,
    -1,
    2,
    7,
    99,
    10**6,
    10**9,
    2**31,
    2**63 - 1,
    -(2**63),
    0.5,
    -0.0,
    1e308,
    float("inf"),
    float("nan"),
    True,
    False,
    "",
    " ",
    ".",
    "..",
    "/",
    "x",
    "vex",
    "party",
    "none",
    "A1",
    "ZZ999",
    "B2:C3",
    "core:dazed",
    ":",
    "a" * 256,
    "é" * 130,
    "x" * 5000,
    "\x1b[31m",
    "\u202e",
    "\n",
    "\x00",
    "2d6",
    "{}",
    "%s",
    "__class__",
    [],
    {},
    [[]],
    [{}],
    {"": 1},
    {"a.b": 1},
    {"name": "X"},
    [1, 2],
    ["vex", "vex"],
    [None],
    DEEP,
    DEEP_TABLE,
]
WORDS = [
    "",
    " ",
    ".",
    "..",
    "-",
    "--",
    "---",
    "-1",
    "0",
    "1",
    "2",
    "99",
    "1e9",
    "9" * 30,
    "9" * 5000,
    "vex",
    "brann",
    "Vex",
    "goblin",
    "ox",
    "nobody",
    "A1",
    "C3",
    "ZZ99",
    "B2:C3",
    "B2:",
    "d6",
    "2d6",
    "0d6",
    "999999999d6",
    "1d0",
    "d",
    "none",
    "true",
    "[]",
    "{}",
    "[[[[",
    "characters.vex.ap",
    "fight",
    "a.b.c",
    "a..b",
    "x" * 300,
    "\x1b[31m",
    "\u202e",
    "\udcff",
    "é",
    "\x00",
    "'",
    '"',
    "$HOME",
    "*",
    "../..",
    "/etc/passwd",
    "--json",
    "--plain",
    "--dry-run",
    "--secret",
    "--help",
    "--dice",
    "--dice=1,2",
    "--choose",
    "--choose=learn",
    "--seed=1",
    "--note=x",
    "--explain",
    "--reroll",
    "--adv=x",
    "--why=x",
    "--last=3",
    "--session=1",
    "--player",
    "--gm",
]


def ways(value: Any, way: Way = ()) -> Iterator[Way]:
    """The way to every value, tables and lists too."""
    if way:
        yield way
    inner: Any = (
        value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    )
    for key, item in inner:
        yield from ways(item, (*way, key))


def _at(tree: Any, way: Way) -> Any:
    for key in way:
        tree = tree[key]
    return tree


def tree(whole: Any, chance: random.Random, values: Sequence[Any] = VALUES) -> Any:
    """A copy of a tree of tables and lists with one to three things wrong in it."""
    spoilt = copy.deepcopy(whole)
    for _ in range(chance.choice((1, 1, 1, 2, 3))):
        known = list(ways(spoilt))
        if not known:
            return spoilt
        way = chance.choice(known)
        above, key = _at(spoilt, way[:-1]), way[-1]
        what = chance.randrange(8)
        if what == 0:
            del above[key]
        elif what == 1:
            above[key] = copy.deepcopy(_at(spoilt, chance.choice(known)))  # something of elsewhere
        elif what == 2 and isinstance(above, dict):
            above[chance.choice(["x", key + "s", key.upper(), "", "a.b", "k" * 300])] = above.pop(key)
        elif what == 3 and isinstance(above, list):
            above.insert(key, copy.deepcopy(above[key]))
        elif what == 4 and isinstance(above[key], int | float):
            above[key] = chance.choice([-above[key], above[key] + 1, above[key] * 1000, float(above[key])])
        elif what == 5 and isinstance(above[key], str):
            above[key] = chance.choice(
                [above[key] * 40, above[key][:1], above[key].upper(), above[key] + "\x9b"]
            )
        else:
            above[key] = copy.deepcopy(chance.choice(values))
    return spoilt


def raw(data: bytes, chance: random.Random) -> bytes:
    """Bytes of a file with something wrong in them."""
    at, to = sorted((chance.randrange(len(data) + 1), chance.randrange(len(data) + 1)))
    to = min(to, at + chance.choice((1, 8, 200)))
    lines = data.splitlines(keepends=True) or [b""]
    line = chance.randrange(len(lines))
    what = chance.randrange(9)
    if what == 0:
        return data[:at]
    if what == 1:
        return data[:at] + data[to:]
    if what == 2:
        return data[:at] + bytes([chance.randrange(256)]) + data[at + 1 :]
    if what == 3:
        return data[:to] + data[at:]
    if what == 4:
        return b"".join([*lines[:line], lines[line], *lines[line:]])
    if what == 5:
        return b"".join([*lines[:line], *lines[line + 1 :]])
    if what == 6:
        return b"".join(chance.sample(lines, len(lines)))
    if what == 7:
        return data.replace(b"\n", b"\r\n")
    junk = [
        b"\x00",
        b"\xff\xfe",
        b"\xef\xbb\xbf",
        b"[" * 3000,
        b"9" * 5000,
        b"\xed\xa0\x80",
        b"a." * 300,
        b'"""',
    ]
    return data[:at] + chance.choice(junk) + data[at:]


def journal(data: bytes, chance: random.Random) -> bytes:
    """A journal file with an entry or a line wrong."""
    if chance.random() < 0.3:
        return raw(data, chance)
    lines = data.splitlines(keepends=True)
    for _ in range(chance.choice((1, 1, 2))):
        number = chance.randrange(len(lines))
        entry = tree(json.loads(lines[number]), chance)
        lines[number] = (
            json.dumps(entry, ensure_ascii=chance.random() < 0.5).encode("utf-8", "replace") + b"\n"
        )
    return b"".join(lines)


def line(words: Sequence[str], chance: random.Random) -> list[str]:
    """A command line with one to three words wrong."""
    spoilt = list(words)
    for _ in range(chance.choice((1, 1, 2, 3))):
        at = chance.randrange(len(spoilt) + 1)
        what = chance.randrange(5)
        if what == 0 and spoilt:
            spoilt.pop(min(at, len(spoilt) - 1))
        elif what == 1 and spoilt:
            spoilt[min(at, len(spoilt) - 1)] = chance.choice(WORDS)
        elif what == 2 and spoilt:
            word = spoilt[min(at, len(spoilt) - 1)]
            spoilt[min(at, len(spoilt) - 1)] = chance.choice(
                [word[:-1], word * 2, word.upper(), word + ",", f"-{word}"]
            )
        elif what == 3 and len(spoilt) > 1:
            chance.shuffle(spoilt)
        else:
            spoilt.insert(at, chance.choice(WORDS))
    return spoilt
