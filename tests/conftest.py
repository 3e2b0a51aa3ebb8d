"""What all tests start from: no campaign of the user's, no cache of the user's, no colour."""

from __future__ import annotations

import gc
import os
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import settings
from support.cli import Once, Strike
from support.evenings import EVENINGS
from support.game import Game, with_house
from support.swift import collect_garbage_seldom, swift
from support.thorough import THOROUGH

from strike_cli.content.merged_content import Book, open_book

TESTS = Path(__file__).parent
DATA = TESTS / "data"

# No test asserts a time: a busy machine is no failure.
settings.register_profile("strike", deadline=None, max_examples=100 if THOROUGH else 30)
settings.load_profile("strike")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--regenerate-golden",
        action="store_true",
        help="Write what the golden evenings come to now, to be read before it is kept.",
    )
    parser.addoption(
        "--evenings",
        type=int,
        default=EVENINGS,
        help="How many random evenings a plugin's system is played for, by the contract kit.",
    )


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """One more than there are processors: some tests wait for a server or a process."""
    return (os.cpu_count() or 1) + 1


MANY_FILES = 100
"""Files of tests from which on it is worth to compile them first."""


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_setupnodes(config: pytest.Config) -> None:
    """Where the whole suite is new, as after a checkout, it is compiled before there are workers. That takes
    three times as long as to collect it, and each of them would do it for itself."""
    uncompiled = [file for file in TESTS.rglob("test_*.py") if not _is_compiled(file)]
    if config.args != [TESTS.name] or sys.dont_write_bytecode or len(uncompiled) < MANY_FILES:
        return
    command = [sys.executable, "-m", "pytest", "-p", "no:xdist", "--collect-only", "-qq"]
    shares = [uncompiled[at :: os.cpu_count()] for at in range(os.cpu_count() or 1)]
    with ThreadPoolExecutor() as several:
        for share in shares:
            several.submit(subprocess.run, [*command, *share], cwd=TESTS.parent, stdout=subprocess.DEVNULL)


def _is_compiled(file: Path) -> bool:
    """Whether pytest has a file with its assertions rewritten."""
    kept = f"{file.stem}.{sys.implementation.cache_tag}-pytest-{pytest.__version__}.pyc"
    return (file.parent / "__pycache__" / kept).exists()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Whatever needs a browser is slow, without a word in each module."""
    for item in items:
        if "browser" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.slow)


@pytest.hookimpl(tryfirst=True)
def pytest_collection() -> None:
    """What is collected stays: nothing of it is looked through for garbage."""
    gc.disable()


def pytest_runtest_call() -> None:
    """Hypothesis has a clock in there, for deadlines alone. It swallows a Ctrl-C that comes just then."""
    gc.callbacks.clear()


MEMORY = Path("/dev/shm")
ENOUGH_MEMORY = 2 * 1024**3


def pytest_configure() -> None:
    """A background job begins with Ctrl-C ignored, and hands that on to all that tests start. Their files lie
    in memory where there is room: a disk keeps whoever replaces a file waiting."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    with suppress(OSError, AttributeError):  # there is none
        found = os.statvfs(MEMORY)
        if found.f_bavail * found.f_frsize >= ENOUGH_MEMORY and not found.f_flag & os.ST_NOEXEC:
            os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(MEMORY))


def pytest_collection_finish() -> None:
    collect_garbage_seldom()


BEGAN = time.monotonic()
MANY = 1000
"""Tests from which on a run is one whose time is worth a word."""


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """The time of the suite and its dearest tests, so that growth is seen."""
    took = Counter[str]()
    for reports in terminalreporter.stats.values():
        for report in reports:
            if isinstance(report, pytest.TestReport):
                took[report.nodeid] += report.duration  # type: ignore[assignment]
    if len(took) < MANY:
        return
    terminalreporter.section("what it took")
    terminalreporter.line(f"{time.monotonic() - BEGAN:.0f} s for {len(took)} tests. The dearest, in seconds:")
    for name, seconds in took.most_common(10):
        terminalreporter.line(f"{seconds:6.1f}  {name}")


@pytest.fixture(scope="session", autouse=True)
def _environment(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        patch.setenv("XDG_DATA_HOME", str(tmp_path_factory.mktemp("data")))
        patch.setenv("XDG_CONFIG_HOME", str(tmp_path_factory.mktemp("config")))
        patch.setenv("XDG_STATE_HOME", str(tmp_path_factory.mktemp("state")))
        patch.setenv("NO_COLOR", "1")
        patch.setenv("TZ", "UTC")
        if hasattr(time, "tzset"):  # not on Windows
            time.tzset()
        patch.delenv("STRIKE_CAMPAIGN", raising=False)
        patch.delenv("COLUMNS", raising=False)
        with swift():
            yield


@pytest.fixture(scope="session")
def book(_environment: None) -> Book:
    """The book of the small campaign in tests/data."""
    return open_book(DATA)


@pytest.fixture(scope="session")
def example(_environment: None, tmp_path_factory: pytest.TempPathFactory) -> Book:
    """The book of the example campaign."""
    folder = tmp_path_factory.mktemp("example")
    shutil.copyfile(DATA.parents[1] / "campaign.example.toml", folder / "campaign.toml")
    return open_book(folder)


@pytest.fixture
def game(book: Book) -> Game:
    """A game in memory that nothing has happened in."""
    return Game(book)


@pytest.fixture
def game_with(book: Book) -> Callable[..., Game]:
    """Such a game under other house rules: `game_with(bloodied="less-than-half")`."""
    return lambda **rules: Game(with_house(book, **rules))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A campaign on disk, the small one, that nothing has happened in."""
    made = tmp_path / "mill"
    made.mkdir()
    shutil.copy2(DATA / "campaign.toml", made)
    return made


@pytest.fixture(scope="session")
def once(tmp_path_factory: pytest.TempPathFactory) -> Once:
    """What is played in a folder before a test, under a name: the first time it is played, then copied."""
    kept: dict[str, Path] = {}

    def play_once(name: str, folder: Path, play: Callable[[], object]) -> None:
        if name in kept:
            shutil.copytree(kept[name], folder, dirs_exist_ok=True)
        else:
            play()
            kept[name] = shutil.copytree(folder, tmp_path_factory.mktemp("once") / "folder")

    return play_once


@pytest.fixture
def strike(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Strike:
    """The command line in this process, in an empty folder."""
    monkeypatch.chdir(tmp_path)
    return Strike(capsys)


@pytest.fixture
def in_campaign(strike: Strike, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Strike:
    """The command line in the folder of the small campaign."""
    monkeypatch.chdir(folder)
    return strike


@pytest.fixture
def fight(in_campaign: Strike, folder: Path, once: Once) -> Strike:
    """The same in Vex's turn, who is with Odo in a ring with two goblins."""
    lines = ("combat start ring --party vex --party odo", "combat initiative --dice 6,5,1,1", "combat turn")
    once("vex in the ring", folder, lambda: [in_campaign(line) for line in lines])
    return in_campaign
