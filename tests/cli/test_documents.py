"""Commands in the documents and in the helps' examples are commands that there are, with their options."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from support.documents import commands_in

from strike_cli import registry
from strike_cli.cli.app import root_command

ROOT = Path(__file__).parents[2]
DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
AT_ONCE = ("--install-completion", "--show-completion", "--version", "--help")
"""What an option does while it is read."""


def read(line: str) -> None:
    """Read a command as the command line does, and play nothing. Raises what it would refuse."""
    words = shlex.split(line, comments=True)[1:]
    if any(word in AT_ONCE for word in words):
        return
    command, context, words = root_command(), None, words
    name = "strike"
    while True:
        context = command.make_context(name, words, parent=context)
        if not hasattr(command, "resolve_command"):
            return
        name, command, words = command.resolve_command(context, [*context._protected_args, *context.args])


def with_group(line: str, page: str) -> str:
    """A line of a system's page, whose evening leaves the group out of what its scene has for verbs."""
    known = registry.known_systems().get(page)
    _, name, *rest = line.split(" ")
    if known is None or not known.scene or name in registry.groups():
        return line
    system = registry.scene_systems()[known.scene]
    return " ".join(["strike", page, system.shorts.get(name, name), *rest])


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_commands_of_a_document_can_be_typed(document: Path) -> None:
    for line in commands_in(document.read_text(encoding="utf-8")):
        try:
            read(with_group(line, document.stem))
        except Exception as problem:
            pytest.fail(f"{line}: {getattr(problem, 'message', problem)}")


def helps(command: Any, path: str) -> Iterator[tuple[str, str]]:
    yield path, command.help or ""
    for name, inner in getattr(command, "commands", {}).items():
        yield from helps(inner, f"{path} {name}")


@pytest.mark.parametrize("group", registry.groups())
def test_examples_of_helps_can_be_typed(group: str) -> None:
    """And they are examples of that command."""
    for path, text in helps(root_command().get_command(None, group), group):
        examples = re.findall(r"`(strike [^`]+)`", " ".join(text.partition("Example: ")[2].split()))
        assert any(example.startswith(f"strike {path}") for example in examples), path
        for example in examples:
            try:
                read(example)
            except Exception as problem:
                pytest.fail(f"{path}: {example}: {getattr(problem, 'message', problem)}")
