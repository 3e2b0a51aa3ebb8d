"""Mutants of the rules: a seeded sample of small changes, each against the tests that run the changed line.

A mutant that no test minds asks for a test, or means nothing. What never means anything is left out before
the sample is drawn (`left_out`); whatever else lives counts as alive. No file is ever changed. What changes
the inside of a function is tried in a process forked from one that has collected all tests, and gives that
function other code; the rest in one that has loaded no rules yet, where the changed module comes in place of
the other. What killed a neighbour is tried first. Which tests run which line is kept in `.soak/`, for each
file of tests, until it or something that it runs is another; so is what became of the mutants of a seed,
until any rule or test is another: a run goes on where the last was cut short.
"""

from __future__ import annotations

import ast
import gc
import hashlib
import importlib.abc
import importlib.machinery
import json
import os
import random
import re
import resource
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import _lru_cache_wrapper, cache
from itertools import islice
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any, NamedTuple

import hypothesis
import pytest
from cosmic_ray.ast import ast_nodes, get_ast
from cosmic_ray.mutating import mutate_code
from cosmic_ray.operators.operator import Operator
from cosmic_ray.plugins import get_operator, operator_names
from parso.python.tree import String

ROOT = Path(__file__).parents[2]
KEPT = ROOT / ".soak" / "lines"
TRIED = ROOT / ".soak" / "tried"
RULES = ("strike_cli/kernel", "strike_cli/tabletop", "strike_cli/systems")
NO_RULES = (
    "commands", "__init__.py", "system.py", "schemas.py", "status_effect_schemas.py",
    "scene.py", "fight_as_scene.py", "conflict_as_scene.py", "chase_as_scene.py", "campaign_pictures.py",
    "telling.py", "power_trial.py",
    "bot.py", "position_value.py", "power_harmfulness.py", "status_worth.py", "quick_bot.py", "good_bot.py",
    "full_bot.py", "tactics_habits.py", "lost_fights.py",
    "data.py", "journal_types.py", "roll_types.py",
)  # fmt: skip
"""Commands, declarations, screens, prose; bots' preferences; types, which mypy tests."""
TESTS = (
    *(
        f"tests/{folder}/**/test_*.py"
        for folder in ("rules", "oracle", "play", "systems", "content", "prep", "golden")
    ),
    "tests/campaign/test_broken_files.py",
    "tests/campaign/test_hand_edits.py",
    "tests/cli/test_*_cli.py",
    *(f"tests/cli/test_{name}.py" for name in ("content_try", "explain", "power_descriptions")),
    *(
        f"tests/sim/test_{name}.py"
        for name in ("against_odds", "fights", "confidence_intervals", "keyed_dice")
    ),
)
TOO_LONG = (
    "tests/play/test_bot.py", "tests/rules/test_rule_ids.py", "tests/systems/test_toy.py",
    "tests/content/test_plugin_new.py", "tests/content/test_plugins.py", "tests/content/test_book.py",
)  # fmt: skip
"""Whole fights by bots, tests that look at sources, that install: dear, and they tell little of a line. Tests
of what is kept by when files were written: whether they pass depends on what ran before."""
CONTRACTS = ("tests/systems/test_defaults.py",)
"""Tests that look at what modules declare, and run little of it."""
KINDS = "tests/systems/test_fact_kinds.py"
"""Tests of what every class of a fact declares: they read its module before a test is under way."""
LAST = ("tests/golden/", "tests/cli/")
"""Evenings and commands as they are typed: asked only where no other test minds."""
NO_OPERATORS = re.compile("Decorator|Exception|Variable|_Is$|_IsNot$|_Is_|_IsNot_")
"""Operators whose mutants are broken programs, or the same, rather than wrong rules."""
OPERATORS = re.compile("_Is_IsNot$|_IsNot_Is$")
"""Those of them that are wrong rules all the same."""
WORD = re.compile(r"""(["'])[a-z][a-z0-9_.:-]*\1""")
"""A text by which rules tell things apart: not prose."""
BOUNDS = re.compile(
    "EFFORT|ROUNDS|(FEW_)?PLAYS|LARGEST_LOOP"
    "|MOST(_IN_PASSING|_SIGHTS|_STATES|_WAYS|_FACES|_PART_OUTCOMES|_TOGETHER|_BOOKS|_TOTALS|_PEOPLE)?"
)
"""Names of how long odds are counted before they are estimated, how much is remembered, how much of a fight's
end a bot searches, and how often it is tried whether targets leave each other alone."""
UNCHANGED = 98
"""The exit code of a warm trial in which nothing was changed."""
FIRST_BATCH, BATCH = 40, 200
"""How many mutants are tried by tests that were collected once: few, until it is known how long they take."""
MOST, MOST_FILES = 40.0, 30
"""CPU seconds of tests that are tried, the quickest before the dear; and files of tests that are read anew
for what changes a module while it is read."""
PATIENCE, GRACE, WAIT = 5, 8, 900
"""How many times as long as without the mutant a test may compute, and how many CPU seconds besides; and how
long it may take by the clock. What goes on longer counts as killed, as a loop without end does."""
MEMORY = 4 << 30
"""Bytes that a trial may ask for: a loop that gathers without end shall end here, not the machine."""
NEIGHBOURS = 6
"""How many tests that killed near a line are asked before all others."""

# Made here, so that every process forked from this one has it: no shrinking, no memory of former failures.
hypothesis.settings.register_profile(
    "mutants",
    deadline=None,
    database=None,
    phases=[hypothesis.Phase.explicit, hypothesis.Phase.generate],
    suppress_health_check=list(hypothesis.HealthCheck),
)


class WordReplacer(Operator):  # type: ignore[misc]
    """Another word in the place of a text: rules tell things apart by words."""

    def mutation_positions(self, node: Any) -> Iterator[tuple[Any, Any]]:
        if isinstance(node, String) and WORD.fullmatch(node.value):
            yield node.start_pos, node.end_pos

    def mutate(self, node: Any, index: int) -> Any:
        return String(f"{node.value[:-1]}-{node.value[-1]}", node.start_pos, node.prefix)

    @classmethod
    def examples(cls) -> tuple[()]:
        return ()


class Mutant(NamedTuple):
    """One change: which operator at which of its places in a file, and the line there."""

    path: str
    operator: str
    occurrence: int
    line: int

    @property
    def kind(self) -> str:
        """What is changed, whatever into."""
        return self.operator.partition("_")[0]

    def code(self, source: str) -> str | None:
        """The changed source; None where it is no program, or the same."""
        made: str | None = mutate_code(source, make_operator(self.operator), self.occurrence)
        try:
            return None if made is None or _meaning(made) == _meaning(source) else made
        except SyntaxError:
            return None

    def told(self, source: str, made: str) -> str:
        """The changed line, before and after."""
        pairs = zip(source.splitlines(), made.splitlines(), strict=False)
        before, after = next(((a.strip(), b.strip()) for a, b in pairs if a != b), ("", ""))
        return f"{self.path}:{self.line}: {before}  ->  {after}"


class Outcome(NamedTuple):
    """What became of a mutant: "killed", "endless" (killed for going on), "alive" or "untested"."""

    mutant: Mutant
    what: str
    told: str

    @property
    def part(self) -> str:
        """The part of the rules that was changed: a system, or one of the layers below."""
        folders = self.mutant.path.split("/")
        return folders[2] if folders[1] == "systems" else folders[1]


def make_operator(name: str) -> Any:
    return WordReplacer() if name == "words" else get_operator(name)()


# What is drawn from


def _meaning(source: str) -> str:
    return ast.dump(ast.parse(source))


def left_out(tree: ast.AST) -> Iterator[ast.AST]:
    """What no mutant is made of, since nobody plays by it.

    Annotations, aliases of types, docstrings, `__all__`, `__slots__`, imports; decorators (a cache's size);
    messages: what is raised, and texts with a space in them, with the conditions that choose among them;
    `strict=` and `encoding=`, which guard against mistakes of programs, not of rules; `maxsize=` and
    `maxlen=`, the size of a cache that any size does for; how long odds are counted before they are
    estimated, and how often parts are tried (`BOUNDS`); `act`, given or by default, the word that says in a
    sentence what a moment's holder does; kinds of facts, every one of which tests/systems/test_fact_kinds.py
    reads in the source.
    """
    for node in ast.walk(tree):
        if is_prose(node):
            yield node
            continue
        match node:
            case ast.Raise() | ast.ImportFrom() | ast.Import() | ast.Expr(value=ast.Constant()):
                yield node
            case ast.FunctionDef():
                yield from node.decorator_list
                yield from filter(None, [node.returns])
            case ast.ClassDef():
                yield from node.decorator_list
            case ast.AnnAssign(target=ast.Name(id="act")):
                yield node
            case ast.arg(annotation=ast.AST() as note) | ast.AnnAssign(annotation=note):
                yield note
            case ast.Call(func=ast.Attribute(attr="happen") | ast.Name(id="Fact"), args=[kind, *_]):
                yield kind
            case ast.keyword(arg="strict" | "encoding" | "maxsize" | "maxlen" | "act"):
                yield node
            case (
                ast.Call(func=ast.Name(id="TypeVar" | "NewType")) | ast.If(test=ast.Name(id="TYPE_CHECKING"))
            ):
                yield node
            case ast.Call(func=ast.Name(id="cast"), args=[note, *_]):
                yield note
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if name.startswith("__") or (
                (_is_type_name(name) and isinstance(value, ast.Subscript | ast.BinOp))
                or BOUNDS.fullmatch(name)
            ):
                yield node


def is_prose(node: ast.AST) -> bool:
    """Whether an expression is a text for people: one with a space in it, or put together of such."""
    match node:
        case ast.Constant(value=str(text)):
            return " " in text
        case ast.JoinedStr(values=parts):
            return any(map(is_prose, parts))
        case ast.IfExp(body=one, orelse=other) | ast.BinOp(op=ast.Add(), left=one, right=other):
            return is_prose(one) or is_prose(other)
        case ast.Call(func=ast.Attribute(attr="join"), args=[ast.GeneratorExp(elt=part)]):
            return is_prose(part)
    return False


def _is_type_name(name: str) -> bool:
    return name[0].isupper() and not name.isupper()


class Places:
    """Which places in a source mutants are made of."""

    def __init__(self, source: str) -> None:
        tree = ast.parse(source)
        self.lines = source.splitlines()
        self.out = [self._span(node) for node in left_out(tree)]
        self.orders = [
            self._span(node.value)
            for node in ast.walk(tree)
            if isinstance(node, ast.keyword) and node.arg == "key" and isinstance(node.value, ast.Lambda)
        ]
        self.counts = [
            self._span(node)
            for node in ast.walk(tree)
            if isinstance(node, ast.Compare) and any(map(_is_number, (node.left, *node.comparators)))
        ]

    def _span(self, node: Any) -> tuple[tuple[int, int], tuple[int, int]]:
        ends = (node.lineno, node.col_offset), (node.end_lineno, node.end_col_offset)
        start, end = ((line, len(self.lines[line - 1].encode()[:at].decode())) for line, at in ends)
        return start, end

    def has(self, operator: str, start: tuple[int, int]) -> bool:
        """Whether a change there might mean something. What is no number is equal or not, never more or
        less; and -n - 1 (`~n`) puts whole numbers into the same order as -n does."""
        if any(a <= start < b for a, b in self.out):
            return False
        if operator.endswith("USub_Invert") and any(a <= start < b for a, b in self.orders):
            return False
        of_order = re.search("Operator_(Not)?Eq_(Lt|Gt)", operator)
        return not of_order or any(a <= start < b for a, b in self.counts)


def _is_number(node: ast.AST) -> bool:
    """Whether that is a number to be seen: written, counted or added up."""
    match node:
        case ast.Constant(value=value):
            return isinstance(value, int | float) and not isinstance(value, bool)
        case ast.Call(func=ast.Name(id=name)):
            return name in ("len", "sum", "min", "max", "abs")
    return isinstance(node, ast.BinOp)


@cache
def mutants_of(path: str) -> dict[int, list[Mutant]]:
    """Every mutant of a file that might mean something, by line."""
    source = (ROOT / path).read_text(encoding="utf-8")
    places = Places(source)
    names = [name for name in operator_names() if OPERATORS.search(name) or not NO_OPERATORS.search(name)]
    operators = [(name, make_operator(name)) for name in [*names, "words"]]
    seen = dict.fromkeys(dict(operators), 0)
    found: dict[int, list[Mutant]] = {}
    for node in ast_nodes(get_ast(source)):
        for name, operator in operators:
            for start, _ in operator.mutation_positions(node):
                if places.has(name, start):
                    found.setdefault(start[0], []).append(Mutant(path, name, seen[name], start[0]))
                seen[name] += 1
    return found


@cache
def files() -> list[str]:
    """The files whose rules are mutated."""
    return sorted(
        _path(file)
        for folder in RULES
        for file in (ROOT / folder).rglob("*.py")
        if not any(part in NO_RULES for part in file.relative_to(ROOT).parts)
    )


def sample(seed: int) -> Iterator[Mutant]:
    """Mutants without end, in the order of a seed: a line first, then what is changed there (a number, a
    comparison, ...), then to what."""
    chance = random.Random(seed)
    among = files()
    weights = [len((ROOT / file).read_text(encoding="utf-8").splitlines()) for file in among]
    given = set()
    while True:
        (file,) = chance.choices(among, weights)
        if found := mutants_of(file):
            there = found[chance.choice(sorted(found))]
            kind = chance.choice(sorted({mutant.kind for mutant in there}))
            mutant = chance.choice([mutant for mutant in there if mutant.kind == kind])
            if mutant not in given:
                given.add(mutant)
                yield mutant


# Processes forked from this one


class Done(NamedTuple):
    """What a process of its own came to: its exit code, below 0 if a signal ended it, and the test that it
    tried last."""

    job: Any
    code: int
    test: str


def in_forks(
    jobs: Iterable[Any], work: Callable[[Any, Path], int], workers: int, within: Callable[[Any], float]
) -> Iterator[Done]:
    """Each job with what `work` came to in a process of its own, so many at once; `within` says how many CPU
    seconds one may take."""
    running: dict[int, tuple[Any, Path]] = {}
    left = iter(jobs)
    with tempfile.TemporaryDirectory(prefix="strike-soak-") as scratch:
        while True:
            while len(running) < workers and (job := next(left, None)) is not None:
                place = Path(tempfile.mkdtemp(dir=scratch))
                pid = os.fork() or _do(work, job, place, within(job))
                running[pid] = job, place
            if not running:
                return
            pid, status = os.waitpid(-1, 0)
            job, place = running.pop(pid)
            under_way = _under_way(place)
            test = under_way.read_text(encoding="utf-8") if under_way.exists() else ""
            shutil.rmtree(place, ignore_errors=True)
            yield Done(job, os.waitstatus_to_exitcode(status), test)
            under_way.unlink(missing_ok=True)


def _under_way(place: Path) -> Path:
    """Where a process that works in a folder says which test it is at."""
    return place.with_suffix(".test")


def _do(work: Callable[[Any, Path], int], job: Any, place: Path, seconds: float) -> int:
    """In the forked process: do the work and end. Never returns."""
    code = 99
    try:
        _silence()
        resource.setrlimit(resource.RLIMIT_CPU, (int(seconds) + 1, int(seconds) + 2))
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        os.chdir(ROOT)
        code = work(job, place)
    finally:
        os._exit(code)


def _silence() -> None:
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nowhere, stream)


def _pytest(place: Path, plugin: Any, paths: Sequence[str]) -> int:
    options = ["-x", "-q", "--no-header", "--tb=no", "-W", "ignore", "--hypothesis-profile=mutants"]
    options += ["-p", "no:xdist", "-p", "no:cacheprovider", f"--basetemp={place / 'tests'}"]
    return int(pytest.main([*options, *paths], plugins=[plugin]))


# Which tests run which line


class Lines(NamedTuple):
    """What a file of tests runs: file -> line -> the tests, and the CPU seconds of each test."""

    ran: dict[str, dict[str, list[str]]]
    seconds: dict[str, float]


def measured(workers: int) -> Lines:
    """What every file of tests runs, measured anew where it may be another than it was."""
    KEPT.mkdir(parents=True, exist_ok=True)
    paths = [
        path
        for pattern in TESTS
        for path in sorted(_path(file) for file in ROOT.glob(pattern))
        if path not in TOO_LONG
    ]
    old = [path for path in paths if not _is_fresh(path)]
    if old:
        print(f"  measuring which tests run which line: {len(old)} files of tests ...", flush=True)
    for path, code, _ in in_forks(old, _measure, workers, lambda path: 3600):
        if code:
            sys.exit(f"{path} fails without a mutant (exit code {code}): mend that first.")
    whole = Lines({}, {})
    for path in paths:
        found = json.loads(_kept(path).read_text(encoding="utf-8"))
        whole.seconds.update(found["seconds"])
        for file, lines in found["ran"].items():
            for line, tests in lines.items():
                whole.ran.setdefault(file, {}).setdefault(line, []).extend(tests)
    return whole


def _path(file: Path) -> str:
    return file.relative_to(ROOT).as_posix()


def _kept(path: str) -> Path:
    return KEPT / f"{path.replace('/', '-')}.json"


def _is_fresh(path: str) -> bool:
    if not _kept(path).exists():
        return False
    made_of = json.loads(_kept(path).read_text(encoding="utf-8"))["made_of"]
    return made_of == _digests(made_of)


def _digests(paths: Iterable[str]) -> dict[str, str]:
    return {path: _digest(path) for path in paths}


@cache
def _digest(path: str) -> str:
    file = ROOT / path
    return hashlib.sha256(file.read_bytes()).hexdigest()[:16] if file.exists() else ""


class _Watch:
    """Tells the measuring which test is under way, and how long each took."""

    def __init__(self, coverage: Any) -> None:
        self.coverage = coverage
        self.seconds: dict[str, float] = {}

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Any:
        name = _function(item)
        self.seconds.setdefault(name, 0.0)
        _clear_caches()
        self.coverage.switch_context(name)
        try:
            return (yield)
        finally:
            self.coverage.switch_context("")

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Any:
        began = time.process_time()  # what a session's fixtures take is no matter of the first test that asks
        try:
            return (yield)
        finally:
            self.seconds[_function(item)] += time.process_time() - began


def _clear_caches() -> None:
    """Empty the caches of the rules' functions: a line behind one would count for the first test alone."""
    for name, module in list(sys.modules.items()):
        if name.startswith("strike_cli."):
            for value in list(vars(module).values()):
                if isinstance(value, _lru_cache_wrapper):
                    value.cache_clear()


def _function(item: pytest.Item) -> str:
    """A test's name without parameters."""
    return item.nodeid.partition("[")[0]


def _measure(path: str, place: Path) -> int:
    from coverage import Coverage

    coverage = Coverage(data_file=str(place / "data"), config_file=False, source=[str(ROOT / "strike_cli")])
    watch = _Watch(coverage)
    coverage.start()
    code = _pytest(place, watch, [path])
    coverage.stop()
    if code:
        return code
    data = coverage.get_data()
    ran: dict[str, dict[str, list[str]]] = {}
    for file in data.measured_files():
        lines = {
            str(line): tests
            for line, contexts in data.contexts_by_lineno(file).items()
            if (tests := [context for context in contexts if context])
        }
        if lines:
            ran[_path(Path(file))] = lines
    others = [*(ROOT / "tests/support").glob("*.py"), *(ROOT / "tests/data").glob("*.toml"),
              *(ROOT / "strike_cli/systems").rglob("*.toml")]  # fmt: skip
    helpers = [_path(file) for file in others]
    made_of = _digests([path, "tests/conftest.py", *helpers, *ran])
    text = json.dumps({"made_of": made_of, "ran": ran, "seconds": watch.seconds})
    _kept(path).write_text(text, encoding="utf-8")
    return 0


def tests_of(lines: Lines, mutant: Mutant) -> list[str]:
    """The tests that run any line of the statement that is changed: first some for each line of its function,
    since of very many tests few get to where it makes a difference; then the quickest, then those on the
    command line.

    What runs as a module is read is tried by those that run the function that it is the head of, or one that
    names what is set there, wherever that is imported; then by those that name its file, and by those that
    run anything of it; then by those of its folder.
    """
    if is_inside(mutant):
        ran = lines.ran.get(mutant.path, {})
        first, last = next(span for span in _statements(mutant.path) if span[0] <= mutant.line <= span[1])
        if "Continue" in mutant.operator or "Break" in mutant.operator:
            # A jump may run no line of its own: the nearest before it does.
            first = max((int(line) for line in ran if int(line) <= last), default=first)
        whole = {test for line in range(first, last + 1) for test in ran.get(str(line), ())}
        groups = [_all_over(lines, mutant, whole), whole]
    else:
        folder = mutant.path.rpartition("/")[0]
        users = _users(lines, mutant.path)
        module = mutant.path.removesuffix(".py").replace("/", ".")
        read = _that_read(lines, mutant)
        named = {test for test in lines.seconds if module in _text_of(test.partition("::")[0])}
        loaded = lines.ran.get(mutant.path, {}).get(str(mutant.line), ())
        groups = [
            {test for test in loaded if test.startswith(CONTRACTS)},
            {test for test in lines.seconds if test.startswith(KINDS) and "facts" in module},
            read & named,
            read,
            named,
            users,
            {test for path in files() if path.startswith(f"{folder}/") for test in _users(lines, path)},
        ]
    tests = [test for found in groups for test in sorted(found, key=lambda test: (lines.seconds[test], test))]
    proper = [test for test in dict.fromkeys(tests) if not test.startswith(LAST)]
    typed = [test for test in dict.fromkeys(tests) if test.startswith(LAST)]
    most = 10**9 if is_inside(mutant) else MOST_FILES
    return [*_affordable(lines, proper, most), *_affordable(lines, typed, most)]


def _all_over(lines: Lines, mutant: Mutant, tests: set[str]) -> set[str]:
    """Of tests the quickest two of those that run each line of the function that is changed."""
    ran = lines.ran.get(mutant.path, {})
    first, last = max(span for span in _insides(mutant.path) if span[0] <= mutant.line <= span[1])
    found = set[str]()
    for line in range(first, last + 1):
        there = tests.intersection(ran.get(str(line), ()))
        found.update(sorted(there, key=lambda test: (lines.seconds[test], test))[:2])
    return found


def _affordable(lines: Lines, tests: Sequence[str], most_files: int) -> Iterator[str]:
    """Of tests in their order those that fit into MOST seconds, and one whatever it takes."""
    left, of_files = MOST, set[str]()
    for test in tests:
        file = test.partition("::")[0]
        read = len(of_files) < most_files or file in of_files
        if read and (not of_files or lines.seconds[test] <= left):
            of_files.add(file)
            left -= lines.seconds[test]
            yield test


def _users(lines: Lines, path: str) -> set[str]:
    """The tests that run the inside of any function of a file."""
    ran = lines.ran.get(path, {})
    return {test for first, last in _insides(path) for line in range(first, last + 1)
            for test in ran.get(str(line), ())}  # fmt: skip


def _that_read(lines: Lines, mutant: Mutant) -> set[str]:
    """The tests that run a function of which the change is in the head, its parameters, or which names what
    the changed statement sets, in its file or in one that imports that from there."""
    names = _names_set(mutant.path, mutant.line)
    used = {mutant.path: names}
    for name in names:
        for path in _importers().get((mutant.path, name), ()):
            used[path] = used.get(path, set()) | {name}
    found = set[str]()
    for path, those in used.items():
        for function in _functions_in(path):
            first = function.body[0].lineno
            in_head = path == mutant.path and function.lineno <= mutant.line < first
            if in_head or not those.isdisjoint(_names_in(function)):
                for line in range(first, (function.end_lineno or first) + 1):
                    found.update(lines.ran.get(path, {}).get(str(line), ()))
    return found


@cache
def _importers() -> dict[tuple[str, str], list[str]]:
    """The files that import a name from a file of the rules, by both."""
    found: dict[tuple[str, str], list[str]] = {}
    for file in (file for folder in RULES for file in (ROOT / folder).rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom):
                base = file.parents[node.level - 1] if node.level else ROOT
                source = _path(base.joinpath(*(node.module or "").split("."))) + ".py"
                for name in node.names:
                    found.setdefault((source, name.name), []).append(_path(file))
    return found


def _names_set(path: str, at: int) -> set[str]:
    """The names that are given a value by a statement on a line."""
    return {
        name.id
        for node in ast.walk(ast.parse(_text_of(path)))
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.lineno <= at <= (node.end_lineno or at)
        for name in ast.walk(node)
        if isinstance(name, ast.Name) and isinstance(name.ctx, ast.Store)
    }


def _names_in(function: ast.FunctionDef) -> Iterator[str]:
    for node in ast.walk(function):
        match node:
            case ast.Name(id=name) | ast.Attribute(attr=name) | ast.keyword(arg=str(name)):
                yield name


@cache
def _text_of(path: str) -> str:
    return (ROOT / path).read_text(encoding="utf-8")


@cache
def is_inside(mutant: Mutant) -> bool:
    """Whether it changes the inside of a function, rather than what runs as the module is read."""
    return any(first <= mutant.line <= last for first, last in _insides(mutant.path))


@cache
def _insides(path: str) -> list[tuple[int, int]]:
    return [(one.body[0].lineno, one.end_lineno or one.lineno) for one in _functions_in(path)]


@cache
def _functions_in(path: str) -> list[ast.FunctionDef]:
    return [node for node in ast.walk(ast.parse(_text_of(path))) if isinstance(node, ast.FunctionDef)]


@cache
def _statements(path: str) -> list[tuple[int, int]]:
    """First and last line of each statement, of a compound one up to its first inner statement; the inner
    before the outer."""
    found = []
    for node in ast.walk(ast.parse((ROOT / path).read_text(encoding="utf-8"))):
        if isinstance(node, ast.stmt):
            body = getattr(node, "body", None) or getattr(node, "cases", None)
            inner = min((getattr(part, "lineno", node.lineno + 1) for part in body), default=0) if body else 0
            last = max(node.lineno, inner - 1) if inner else node.end_lineno or node.lineno
            found.append((node.lineno, last))
        elif isinstance(node, ast.match_case):
            first = node.pattern.lineno
            found.append((first, max(first, node.body[0].lineno - 1)))
    return sorted(found, key=lambda span: (span[1] - span[0], span))


# Trying them


class Trial(NamedTuple):
    """A mutant to be tried by tests, each with the CPU seconds that it takes without the mutant."""

    mutant: Mutant
    told: str
    made: str
    tests: dict[str, float]
    in_function: bool

    def patience(self) -> float:
        """CPU seconds after which it is ended, whatever it does."""
        return 60 + sum(map(_patience, self.tests.values()))


def _patience(seconds: float) -> float:
    return PATIENCE * seconds + GRACE


class Neighbours:
    """Which tests killed which lines: what killed near a line is likely to kill there, too."""

    def __init__(self) -> None:
        self.killers: dict[str, list[tuple[int, str]]] = {}

    def learn(self, mutant: Mutant, test: str) -> None:
        self.killers.setdefault(mutant.path, []).append((mutant.line, test))

    def ordered(self, trial: Trial) -> list[str]:
        """A trial's tests, those first that killed nearest."""
        near = sorted(
            self.killers.get(trial.mutant.path, ()), key=lambda killer: abs(killer[0] - trial.mutant.line)
        )
        first = dict.fromkeys(test for _, test in near if test in trial.tests)
        return list(dict.fromkeys([*islice(first, NEIGHBOURS), *trial.tests]))


def _run_tests(session: pytest.Session, trial: Trial, tests: Sequence[str], place: Path) -> int:
    """Run tests of a session in this order, to the first that fails or takes too long."""
    order = {test: number for number, test in enumerate(tests)}
    chosen = [item for item in session.items if _function(item) in order]
    chosen.sort(key=lambda item: order[_function(item)])
    under_way = _under_way(place)
    for number, item in enumerate(chosen):
        test = _function(item)
        under_way.write_text(test, encoding="utf-8")
        _be_patient(_patience(trial.tests[test]))
        after = chosen[number + 1] if number + 1 < len(chosen) else None
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=after)
        if session.testsfailed:
            return 1
    return 0 if chosen else 5


def _be_patient(seconds: float) -> None:
    """A signal ends this process when it has computed so many seconds more, or waited for long."""
    spent = resource.getrusage(resource.RUSAGE_SELF)
    _, most = resource.getrlimit(resource.RLIMIT_CPU)
    until = int(spent.ru_utime + spent.ru_stime + seconds) + 1
    resource.setrlimit(resource.RLIMIT_CPU, (min(until, most), most))
    signal.alarm(WAIT)


class _Cold:
    """Tests, in the place of all that pytest would run."""

    def __init__(self, trial: Trial, tests: Sequence[str], place: Path) -> None:
        self.trial, self.tests, self.place = trial, tests, place

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        # Not handed on: pytest would take it that whatever is none of its exit codes has failed.
        os._exit(_run_tests(session, self.trial, self.tests, self.place))


class _Changed(importlib.abc.MetaPathFinder):
    """Imports one module with other code than its file has."""

    def __init__(self, module: str, made: str) -> None:
        self.module, self.made = module, made

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if fullname != self.module:
            return None
        spec = importlib.machinery.PathFinder.find_spec(fullname, path)
        assert spec and spec.origin
        spec.loader = _Loader(fullname, spec.origin, self.made)
        return spec


class _Loader(importlib.machinery.SourceFileLoader):
    def __init__(self, fullname: str, path: str, made: str) -> None:
        super().__init__(fullname, path)
        self.made = made

    def get_code(self, fullname: str) -> CodeType:
        return compile(self.made, self.path, "exec")


def _try_cold(trial: Trial, tests: Sequence[str], place: Path) -> int:
    """Try what changes a module while it is read: nothing of it is loaded yet."""
    module = trial.mutant.path.removesuffix(".py").replace("/", ".")
    sys.meta_path.insert(0, _Changed(module, trial.made))
    return _pytest(place, _Cold(trial, tests, place), sorted({test.partition("::")[0] for test in tests}))


class _Warm:
    """All tests collected once; a process forked from there for each mutant of a function's inside, which
    gets other code. Outcomes go to a file, one a line, as they come."""

    def __init__(self, jobs: Sequence[Trial], workers: int, told: Path, neighbours: Neighbours) -> None:
        self.jobs, self.workers, self.told, self.neighbours = jobs, workers, told, neighbours

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        functions = _functions()
        gc.freeze()

        def work(trial: Trial, place: Path) -> int:
            # Each its own folder for what tests write.
            session.config._tmp_path_factory._basetemp = place  # type: ignore[attr-defined]
            if not _change(functions.get(str(ROOT / trial.mutant.path), ()), trial):
                return UNCHANGED
            return _run_tests(session, trial, self.neighbours.ordered(trial), place)

        with self.told.open("w", encoding="utf-8") as file:
            for trial, code, test in in_forks(self.jobs, work, self.workers, Trial.patience):
                print(json.dumps([self.jobs.index(trial), code, test]), file=file, flush=True)
                if _is_killed(code):
                    self.neighbours.learn(trial.mutant, test)
        return True


def _functions() -> dict[str, list[FunctionType]]:
    """Every function there is, by the file that it is from."""
    found: dict[str, list[FunctionType]] = {}
    gc.unfreeze()  # what is frozen is not among the objects that are told
    for thing in gc.get_objects():
        if isinstance(thing, FunctionType):
            found.setdefault(thing.__code__.co_filename, []).append(thing)
    return found


def _change(functions: Iterable[FunctionType], trial: Trial) -> bool:
    """Give every function of the changed module the code that the change makes of it. Whether any is another
    now: a cold trial has to do what can't be done so."""
    codes = dict(_codes(compile(trial.made, str(ROOT / trial.mutant.path), "exec")))
    changed = False
    for function in functions:
        code = codes.get(_key(function.__code__))
        if code is None or code == function.__code__:
            continue
        if code.co_freevars != function.__code__.co_freevars:
            return False
        function.__code__ = code
        changed = True
    return changed


def _codes(code: CodeType) -> Iterator[tuple[tuple[Any, ...], CodeType]]:
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            yield _key(inner), inner
            yield from _codes(inner)


def _key(code: CodeType) -> tuple[Any, ...]:
    """What tells functions of a module apart: the name, and where it begins."""
    return code.co_qualname, code.co_firstlineno, next(iter(code.co_positions()))[2]


def _is_killed(code: int) -> bool:
    return code not in (0, 4, 5, UNCHANGED, 99)


def tried(jobs: Sequence[Trial], workers: int, neighbours: Neighbours) -> Iterator[Done]:
    """Each trial with the exit code of its tests."""
    warm = [trial for trial in jobs if trial.in_function]
    cold = [trial for trial in jobs if not trial.in_function]
    for done in _tried_warm(warm, workers, neighbours) if warm else ():
        if done.code == UNCHANGED:
            cold.append(done.job)
        else:
            yield done

    def work(trial: Trial, place: Path) -> int:
        return _try_cold(trial, neighbours.ordered(trial), place)

    yield from in_forks(cold, work, workers, Trial.patience)


def _tried_warm(warm: Sequence[Trial], workers: int, neighbours: Neighbours) -> Iterator[Done]:
    with tempfile.TemporaryDirectory(prefix="strike-soak-") as folder:
        told = Path(folder, "told")
        told.touch()
        pid = os.fork()
        if not pid:
            _serve(warm, workers, told, Path(folder), neighbours)
        left = set(range(len(warm)))
        with told.open(encoding="utf-8") as lines:
            over = False
            while True:
                if line := lines.readline():
                    number, code, test = json.loads(line)
                    left.remove(number)
                    yield Done(warm[number], code, test)
                elif over:
                    break
                else:
                    over = os.waitpid(pid, os.WNOHANG)[0] == pid
                    time.sleep(0.05)
        if left:
            raise RuntimeError(f"{len(left)} mutants were not tried: do all tests pass without one?")


def _serve(warm: Sequence[Trial], workers: int, told: Path, folder: Path, neighbours: Neighbours) -> None:
    """In a forked process: collect the tests once, and try all. Never returns."""
    try:
        _silence()
        os.chdir(ROOT)
        paths = {test.partition("::")[0] for trial in warm for test in trial.tests}
        _pytest(folder, _Warm(warm, workers, told, neighbours), sorted(paths))
    finally:
        os._exit(0)


def _what(code: int) -> str:
    if code in (4, 5, 99):
        raise RuntimeError(f"a mutant's tests did not run: exit code {code}")
    return "alive" if code == 0 else "killed" if code > 0 else "endless"


def trials(mutants: Iterable[Mutant], lines: Lines) -> Iterator[Trial]:
    """Mutants with the tests to be tried."""
    for mutant in mutants:
        source = (ROOT / mutant.path).read_text(encoding="utf-8")
        made = mutant.code(source)
        if made is not None:
            tests = {test: lines.seconds[test] for test in tests_of(lines, mutant)}
            yield Trial(mutant, mutant.told(source, made), made, tests, is_inside(mutant))


class Tried:
    """What became of the mutants of a seed, kept for as long as rules and tests are what they were."""

    def __init__(self, seed: int) -> None:
        self.path = TRIED / f"{seed}.jsonl"
        self.outcomes: dict[Mutant, Outcome] = {}
        whole = hashlib.sha256()
        for path in sorted((*ROOT.glob("strike_cli/**/*.*"), *ROOT.glob("tests/**/*.*"))):
            if path.suffix in (".py", ".toml"):
                whole.update(path.read_bytes())
        made_of = json.dumps(whole.hexdigest())
        kept = self.path.read_text(encoding="utf-8").splitlines() if self.path.exists() else []
        if kept[:1] == [made_of]:
            for line in kept[1:]:
                mutant, *rest = json.loads(line)
                self.outcomes[Mutant(*mutant)] = Outcome(Mutant(*mutant), *rest)
        else:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self.path.write_text(f"{made_of}\n", encoding="utf-8")

    def keep(self, outcome: Outcome) -> Outcome:
        with self.path.open("a", encoding="utf-8") as file:
            print(json.dumps(outcome), file=file)
        return outcome


def run(seed: int, seconds: float, most: int, workers: int) -> Iterator[Outcome]:
    """Try the sample of a seed until the time is over, or so many were tried, now or before."""
    before = Tried(seed)
    yield from islice(list(before.outcomes.values()), most)
    left = (mutant for mutant in sample(seed) if mutant not in before.outcomes)
    for outcome in run_all(left, seconds, most - len(before.outcomes), workers):
        yield before.keep(outcome)


def run_all(mutants: Iterable[Mutant], seconds: float, most: int, workers: int) -> Iterator[Outcome]:
    """Try mutants until the time is over, or so many were tried, a batch after the other. Measuring the tests
    has its own time."""
    lines, neighbours = measured(workers), Neighbours()
    began, done, size = time.monotonic(), 0, min(FIRST_BATCH, max(0, most))
    drawn = trials(mutants, lines)
    while batch := list(islice(drawn, size)):
        for trial in batch:
            if not trial.tests:
                yield Outcome(trial.mutant, "untested", trial.told)
        for trial, code, test in tried([trial for trial in batch if trial.tests], workers, neighbours):
            if _is_killed(code):
                neighbours.learn(trial.mutant, test)
            yield Outcome(trial.mutant, _what(code), trial.told)
        done += len(batch)
        spent = time.monotonic() - began
        # No batch is begun that the time won't hold: of one that is cut, what is quickly tried would be left.
        size = max(0, min(BATCH, most - done, int((seconds - spent) / spent * done)))


def killed_share(counts: Mapping[str, int]) -> float:
    """The share of mutants that some test minded."""
    return (counts.get("killed", 0) + counts.get("endless", 0)) / max(1, sum(counts.values()))


def shares(outcomes: Mapping[str, Mapping[str, int]]) -> Iterator[str]:
    """Lines of figures: how many of how many were killed, for each part of the rules."""
    for part, counts in sorted(outcomes.items()):
        alive, tried = counts.get("alive", 0) + counts.get("untested", 0), sum(counts.values())
        yield f"{part:<10} {tried - alive:>4} of {tried:>4} killed, {killed_share(counts):.1%}"
