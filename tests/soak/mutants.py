"""Mutants of the rules: a seeded sample of small changes, each against the tests that run the changed line.

A mutant that no test minds either means nothing, and then stands in `equivalent.txt` with a reason, or asks
for a test. What runs which line is measured once for each version of the code and kept in `.soak/`.
"""

from __future__ import annotations

import ast
import hashlib
import json
import os
import random
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

from cosmic_ray.ast import ast_nodes, get_ast
from cosmic_ray.mutating import mutate_code
from cosmic_ray.operators.operator import Operator
from cosmic_ray.plugins import get_operator, operator_names
from parso.python.tree import String

ROOT = Path(__file__).parents[2]
RULES = ("strike_cli/kernel", "strike_cli/tabletop", "strike_cli/systems", "plugins")
NO_RULES = ("commands", "__init__.py", "system.py", "schemas.py", "templates", "example-homebrew")
TESTS = ("tests/rules", "tests/play", "tests/oracle", "tests/systems", "tests/plugins", "tests/content")
COPIED = (
    "strike_cli", "bridge", "plugins", "tests", "docs", "pyproject.toml", "campaign.example.toml", "README.md"
)  # fmt: skip
MEANT = Path(__file__).with_name("equivalent.txt")
LEFT_OUT = ("Decorator", "Exception", "Variable", "_Is")
"""Operators whose mutants are broken programs, or the same, rather than wrong rules."""
WORD = re.compile(r"""(["'])[a-z][a-z0-9_.:-]*\1""")
"""A text by which rules tell things apart: not prose."""
MOST_TESTS = 150
PATIENCE = 120.0
"""Seconds that the tests of one mutant may take; more counts as killed, as a loop without end does."""


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

    def code(self, source: str) -> str | None:
        """The changed source; None where the change means nothing to Python."""
        made = mutate_code(source, make_operator(self.operator), self.occurrence)
        if made is None:
            return None
        try:
            return None if _meaning(made) == _meaning(source) else made
        except SyntaxError:
            return None

    def told(self, source: str, made: str) -> str:
        """The changed line, as `equivalent.txt` has it."""
        pairs = zip(source.splitlines(), made.splitlines(), strict=False)
        before, after = next(((a.strip(), b.strip()) for a, b in pairs if a != b), ("", ""))
        return f"{self.path}: {before}  ->  {after}"


class Outcome(NamedTuple):
    """What became of a mutant: "killed", "alive", "meant" (alive, and known to mean nothing) or
    "untested"."""

    mutant: Mutant
    what: str
    told: str


def make_operator(name: str) -> Any:
    return WordReplacer() if name == "words" else get_operator(name)()


class _NoAnnotations(ast.NodeTransformer):
    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.returns = None
        return self.generic_visit(node)

    def visit_arg(self, node: ast.arg) -> ast.AST:
        node.annotation = None
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        node.annotation = ast.Constant(0)
        return self.generic_visit(node)


def _meaning(source: str) -> str:
    """A program without annotations, which nobody reads while it runs."""
    return ast.dump(_NoAnnotations().visit(ast.parse(source)))


def mutants_of(path: str) -> list[Mutant]:
    """Every mutant of a file."""
    names = [name for name in operator_names() if not any(part in name for part in LEFT_OUT)]
    operators = [(name, make_operator(name)) for name in [*names, "words"]]
    seen = dict.fromkeys(dict(operators), 0)
    found = []
    for node in ast_nodes(get_ast((ROOT / path).read_text(encoding="utf-8"))):
        for name, operator in operators:
            for start, _ in operator.mutation_positions(node):
                found.append(Mutant(path, name, seen[name], start[0]))
                seen[name] += 1
    return found


def sample(seed: int) -> Iterator[Mutant]:
    """Mutants without end, in the order of a seed: a place first, then what to change there."""
    files = sorted(
        file.relative_to(ROOT).as_posix()
        for folder in RULES
        for file in (ROOT / folder).rglob("*.py")
        if not any(part in NO_RULES for part in file.relative_to(ROOT).parts)
    )
    chance = random.Random(seed)
    weights = [len((ROOT / file).read_text(encoding="utf-8").splitlines()) for file in files]
    known: dict[str, dict[int, list[Mutant]]] = {}
    given = set()
    while True:
        (file,) = chance.choices(files, weights)
        if file not in known:
            known[file] = {}
            for mutant in mutants_of(file):
                known[file].setdefault(mutant.line, []).append(mutant)
        if not known[file]:
            continue
        mutant = chance.choice(known[file][chance.choice(sorted(known[file]))])
        if mutant not in given:
            given.add(mutant)
            yield mutant


# Which tests run which line


def tests_by_line() -> dict[str, dict[str, list[str]]]:
    """File -> line -> tests that run it, the most particular first. Measured where the code is new."""
    kept = ROOT / ".soak" / f"lines-{_version()}.json"
    if not kept.exists():
        print("  measuring which tests run which line ...", flush=True)
        kept.parent.mkdir(exist_ok=True)
        kept.write_text(json.dumps(_measured()))
    found: dict[str, dict[str, list[str]]] = json.loads(kept.read_text())
    return found


def _version() -> str:
    digest = hashlib.sha256()
    for folder in (*RULES, *TESTS):
        for file in sorted((ROOT / folder).rglob("*.py")):
            digest.update(file.read_bytes())
    return digest.hexdigest()[:16]


def _measured() -> dict[str, dict[str, list[str]]]:
    from coverage import CoverageData

    data_file = ROOT / ".soak" / "coverage"
    settings = ROOT / ".soak" / "coveragerc"
    settings.write_text(
        f"[run]\ndynamic_context = test_function\ndata_file = {data_file}\nsource = .\nomit = tests/*\n"
    )
    tests = [test for test in TESTS if (ROOT / test).exists()]
    script = [
        sys.executable,
        "-m",
        "coverage",
        "run",
        f"--rcfile={settings}",
        "-m",
        "pytest",
        "-p",
        "no:xdist",
        *tests,
    ]
    subprocess.run(script, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    data = CoverageData(str(data_file))
    data.read()
    found: dict[str, dict[str, list[str]]] = {}
    breadth: dict[str, int] = {}
    for file in data.measured_files():
        lines = {
            str(line): [context for context in contexts if context]
            for line, contexts in data.contexts_by_lineno(file).items()
        }
        found[Path(file).relative_to(ROOT).as_posix()] = lines
        for contexts in lines.values():
            for context in contexts:
                breadth[context] = breadth.get(context, 0) + 1
    for lines in found.values():
        for contexts in lines.values():
            contexts.sort(key=lambda context: breadth[context])
            del contexts[MOST_TESTS:]
    return found


# Trying them


class Workshop:
    """A copy of the project in which mutants are tried, one at a time."""

    def __init__(self, place: Path) -> None:
        self.place = place
        for name in COPIED:
            there = ROOT / name
            if there.is_dir():
                shutil.copytree(there, place / name, ignore=shutil.ignore_patterns("__pycache__"))
            elif there.exists():
                shutil.copy2(there, place / name)
        self.env = os.environ | {"PYTHONDONTWRITEBYTECODE": "1", "XDG_CACHE_HOME": str(place / "cache")}
        self.env["PYTHONPATH"] = os.pathsep.join(str(place / part) for part in ("", "bridge", "plugins"))

    def outcome(self, mutant: Mutant, tests: Sequence[str], meant: set[str]) -> Outcome | None:
        """What becomes of a mutant; None where it is none."""
        file = self.place / mutant.path
        source = file.read_text(encoding="utf-8")
        made = mutant.code(source)
        if made is None:
            return None
        told = mutant.told(source, made)
        if told in meant:
            return Outcome(mutant, "meant", told)
        if not tests:
            return Outcome(mutant, "untested", told)
        file.write_text(made, encoding="utf-8")
        try:
            return Outcome(mutant, "killed" if self._minded(tests) else "alive", told)
        finally:
            file.write_text(source, encoding="utf-8")

    def _minded(self, tests: Sequence[str]) -> bool:
        options = ["-x", "-q", "-p", "no:xdist", "-p", "no:cacheprovider", "--no-header", "-W", "ignore"]
        try:
            done = subprocess.run(
                [sys.executable, "-m", "pytest", *options, *tests],
                cwd=self.place, env=self.env, capture_output=True, timeout=PATIENCE,
            )  # fmt: skip
        except subprocess.TimeoutExpired:
            return True
        return done.returncode != 0


def meant() -> set[str]:
    """The mutants that are known to mean nothing."""
    lines = MEANT.read_text(encoding="utf-8").splitlines() if MEANT.exists() else []
    return {line for line in lines if line and not line.startswith("#")}


def run(seed: int, seconds: float, most: int, workers: int) -> Iterator[Outcome]:
    """Try the sample of a seed until the time is over, or so many were tried."""
    import tempfile

    by_line, known, ends = tests_by_line(), meant(), time.monotonic() + seconds
    drawn = sample(seed)
    with tempfile.TemporaryDirectory(prefix="strike-soak-") as place:
        workshops = [Workshop(Path(place) / str(number)) for number in range(workers)]

        def one(turn: tuple[Workshop, Mutant]) -> Outcome | None:
            shop, mutant = turn
            return shop.outcome(mutant, _tests(by_line, mutant), known)

        tried = 0
        with ThreadPoolExecutor(workers) as pool:
            while tried < most and time.monotonic() < ends:
                for outcome in pool.map(one, [(shop, next(drawn)) for shop in workshops]):
                    if outcome is not None:
                        tried += 1
                        yield outcome


def _tests(by_line: dict[str, dict[str, list[str]]], mutant: Mutant) -> list[str]:
    """The tests of a line; of the nearest line above that any test runs, within the same statement."""
    lines = by_line.get(mutant.path, {})
    for line in range(mutant.line, max(0, mutant.line - 12), -1):
        if contexts := lines.get(str(line)):
            return list(dict.fromkeys(_node_id(context) for context in contexts))
    return []


def _node_id(context: str) -> str:
    """`rules.test_skill.test_x` as pytest has it. Whatever the parameters, the whole function runs."""
    *module, function = context.split(".")
    path = ROOT / "tests"
    parts = [part for part in module if part != "tests"]
    while parts and not (path / f"{parts[0]}.py").exists():
        path /= parts.pop(0)
    file = (path / f"{parts[0]}.py").relative_to(ROOT).as_posix() if parts else "tests"
    return "::".join([file, *parts[1:], function])
