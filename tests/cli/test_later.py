"""Modules that are imported when they are first used are the same as if they had been imported at once."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from strike_cli.later import SELDOM_USED

FIRST = "from strike_cli.later import import_later; import_later(); import sys, strike_cli.later\n"


def _said(program: str) -> str:
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stderr
    return ended.stdout.strip()


@pytest.mark.slow
@pytest.mark.parametrize("name", SELDOM_USED)
def test_a_module_is_whole_once_something_of_it_is_used(name: str) -> None:
    names = (
        f"import {name}; names = sorted(set(dir({name})) - {{'__builtins__'}}); print(names)\n"
        f"print(type({name}).__name__)"
    )
    assert _said(FIRST + names) == _said(names)


@pytest.mark.parametrize("name", SELDOM_USED)
def test_to_import_one_does_not_use_it(name: str) -> None:
    assert _said(FIRST + f"import {name}; print(type({name}).__name__)") == "Later"


def test_what_is_not_in_a_module_is_refused_as_ever() -> None:
    asking = (
        "import subprocess\ntry: subprocess.nothing_like_it\nexcept AttributeError as error: print(error)"
    )
    assert _said(FIRST + asking) == "module 'subprocess' has no attribute 'nothing_like_it'"
    asking = "try: from subprocess import nothing_like_it\nexcept ImportError as error: print(error)"
    assert _said(FIRST + asking) == _said(asking)


def test_a_module_that_is_there_already_stays_as_it_is() -> None:
    assert (
        _said("import tokenize; before = tokenize\n" + FIRST + "print(sys.modules['tokenize'] is before)")
        == "True"
    )


def test_threads_that_use_one_at_once_all_find_it_whole() -> None:
    program = """
import threading, subprocess
start, found = threading.Barrier(8), []
def ask():
    start.wait()
    found.append(subprocess.run([sys.executable, "-c", "pass"]).returncode)
threads = [threading.Thread(target=ask) for _ in range(8)]
for each in threads: each.start()
for each in threads: each.join()
print(found)
"""
    assert _said(FIRST + program) == str([0] * 8)


@pytest.mark.slow
@pytest.mark.parametrize("words", [["status"], ["roll", "skill", "vex", "Climbing", "--dry-run"], ["log"]])
def test_a_command_in_a_campaign_imports_no_more_than_it_uses(folder: Path, words: list[str]) -> None:
    typed = ["strike", "-C", str(folder), *words]
    subprocess.run([sys.executable, "-m", "strike_cli", *typed[1:]], check=True)  # it reads the book once
    large = ["rich", "tomllib", "importlib.metadata", "httpcore", "ssl", "textual", "asyncio", "dataclasses"]
    program = (
        f"import strike_cli.__main__ as way_in, sys, atexit\nsys.argv = {typed!r}\n"
        f"atexit.register(lambda: print([name for name in {large!r} if name in sys.modules]))\nway_in.main()"
    )
    assert _said(program).splitlines()[-1] == "[]"


def test_a_command_ends_without_having_needed_them() -> None:
    subprocess.run(
        [sys.executable, "-m", "strike_cli", "roll", "die"], check=True
    )  # it looks at plugins once
    program = (
        "import strike_cli.__main__ as way_in, sys, atexit\n"
        "sys.argv = ['strike', 'roll', 'skill', '--skilled', '--json']\n"
        "used = lambda: [name for name in "
        + repr(list(SELDOM_USED))
        + " if type(sys.modules.get(name)).__name__ == 'module']\n"
        "atexit.register(lambda: print(used()))\n"
        "way_in.main()"
    )
    # What a test's own Python has loaded before the program begins counts for nothing.
    before = _said(f"import sys; print([name for name in {list(SELDOM_USED)} if name in sys.modules])")
    assert _said(program).splitlines()[-1] == before
