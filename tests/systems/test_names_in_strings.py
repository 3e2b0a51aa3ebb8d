"""Names that stand in strings, which no type check reads, are of something that is there."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import strike_cli
from strike_cli.content.compiler import _compiler_source_files
from strike_cli.registry import installed_plugins

ROOT = Path(strike_cli.__file__).parents[1]
ASK_BY_NAME = ("getattr", "hasattr", "setattr", "delattr")
OF_OTHERS = {
    "IO_REPARSE_TAG_MOUNT_POINT", "st_reparse_tag",  # Windows alone
    "SO_EXCLUSIVEADDRUSE", "O_BINARY", "O_NOFOLLOW", "O_NONBLOCK", "O_CLOEXEC", "geteuid",
    "sched_getaffinity", "setitimer", "gi_frame", "gi_yieldfrom", "strerror", "func",
    "is_flag", "min", "max", "option_name", "param_type", "possibilities",  # Typer's
}  # fmt: skip
"""Attributes of Python's own objects and of libraries' that some systems or some objects lack."""


def test_what_is_asked_for_by_name_is_declared_somewhere() -> None:
    """A default hides that nothing is called so any more: what it guards would never happen."""
    trees = {
        file: ast.parse(file.read_text("utf-8"))
        for top in ("strike_cli", "bridge", "plugins")
        for file in (ROOT / top).rglob("*.py")
    }
    declared = {name for tree in trees.values() for name in _declared_names(tree)}
    asked = {
        node.args[1].value: f"{file.relative_to(ROOT)}:{node.lineno}"
        for file, tree in trees.items()
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id in ASK_BY_NAME
        and isinstance(node.args[1], ast.Constant)
    }
    assert len(asked) > 30
    lost = {name: at for name, at in asked.items() if not name.startswith("_")}
    assert {name: at for name, at in lost.items() if name not in declared | OF_OTHERS} == {}


def _declared_names(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        match node:
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name) | ast.arg(arg=name):
                yield name
            case ast.Name(id=name, ctx=ast.Store()) | ast.Attribute(attr=name, ctx=ast.Store()):
                yield name


def test_the_files_whose_edit_outdates_compiled_campaigns_are_there() -> None:
    files = [Path(file) for file in _compiler_source_files(installed_plugins.plugin_index())]
    assert len(files) > 10
    assert [file for file in files if not file.is_file()] == []
