"""Every command that a message names to be typed is one that the program reads."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.hints import read

from strike_cli.campaign.create import create_campaign_folder
from strike_cli.command_line_splitting import split_words_keeping_apostrophes
from strike_cli.problems import Usage
from strike_cli.registry import command_apps_by_group, load_usable_systems
from strike_cli.session.command_catalogue import commands_in_group

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
SOURCES = ("strike_cli", "plugins", "bridge")
HINT = re.compile(r"`(strike [^`(]+)`(?! (?:has|wants|takes|gives|reads)\b)")
FIELDS = {
    "example": "on",
    "command": "status",
    "' '.join(map(as_word, words))": "show",
    "words[0]": "show",
    "systems[0]": "combat",
    "each": "combat",
    "system.name": "combat",
    "table.system.name": "combat",
    "self.system.name": "combat",
    "self.name": "combat",
    "scene.system": "combat",
    "key": "combat",
    "self.key": "combat",
    "name": "combat",
    "move.name": "combat turn",
    "hint": "status",
    "begins[-1]": "combat start ford",
    "side": "ours",
    "price": "3",
    "proposal.id": "1",
    "dice[1]": "2d6",
    "power.get('back', 'long')": "long",
    "1 if not one.filled else -1": "1",
    "word": "creature",
    "draft.example": "ogre",
    "' --theirs' if side == 'theirs' else ''": " --theirs",
    "f' {len(recorded)}' if len(recorded) > 1 else ''": " 2",
    "meter": "str",
    "places[1]": "the-bridge",
}
"""What stands in a message for what the program puts there; a name, where nothing is said here."""


def messages(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Yield the texts of a module with their lines, what is put into them in braces; no docstrings and helps.

    The help of a group (`new_app`) tells of its commands, as a docstring does.
    """
    silent = {
        id(part)
        for node in ast.walk(tree)
        for part in (
            ast.walk(node)
            if isinstance(node, ast.JoinedStr)
            else [node.value]
            if isinstance(node, ast.Expr)
            else [*node.args, *(each.value for each in node.keywords)]
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "new_app"
            else []
        )
        if part is not node
    }
    for node in ast.walk(tree):
        if id(node) in silent:
            continue
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.lineno, node.value
        elif isinstance(node, ast.JoinedStr):
            yield node.lineno, "".join(map(_shown, node.values))


def _shown(part: ast.expr) -> str:
    return str(part.value) if isinstance(part, ast.Constant) else f"{{{ast.unparse(part.value)}}}"  # type: ignore[attr-defined]


def hints() -> dict[str, str]:
    """Every command in backticks of a message, and where it stands first."""
    found: dict[str, str] = {}
    for file in (file for source in SOURCES for file in sorted((ROOT / source).rglob("*.py"))):
        if "tests" not in file.parts and file.name != "command_prefix.py":
            for number, text in messages(ast.parse(file.read_text(encoding="utf-8"))):
                for hint in HINT.findall(text):
                    found.setdefault(" ".join(hint.split()), f"{file.relative_to(ROOT)}:{number}")
    return found


def filled(hint: str) -> list[str]:
    """The words of a hint, with something in each place that is for something."""
    text = re.sub(r"\{((?:[^{}]|\{[^{}]*\})*)\}", lambda place: FIELDS.get(place[1], "vex"), hint)
    words = []
    for word in split_words_keeping_apostrophes(text.replace(" GAME ", " combat "))[1:]:
        word = word.strip("[]").partition("|")[0]
        if word in ("N", "NUMBER", "PRICE", "DAYS", "SEQ", "RANK"):
            word = "1"
        if word.strip("."):
            words.append(word.removesuffix("..."))
    return words


def test_every_hint_is_a_command_that_is_read(tmp_path: Path) -> None:
    folder = tmp_path / "road"
    create_campaign_folder(folder, seed=3)
    found, wrong = hints(), []
    for hint, where in found.items():
        words = filled(hint)
        if words and words[0].startswith("-"):
            continue
        try:
            read(words, folder)
        except Usage as problem:
            wrong.append(f"{where}: `{hint}`: {problem.message}")
    assert len(found) > 200
    assert not wrong, "\n".join(wrong)


BARE = re.compile(r"`(?!strike )([a-z-]+) [^`]+`")
NO_LINE = {
    "strike_cli/serve/mcp_server.py": "an assistant asks for the words of a command",
    "strike_cli/cli/shell.py": "its own prompt says so",
    "strike_cli/systems/combat/commands/content_new.py": "what a power does is no command",
    "strike_cli/systems/core/commands/condition_draft_and_checks.py": "what a power does is no command",
}
"""Where what stands in backticks and begins as commands do is not typed after `strike`, and why."""


def test_a_line_to_type_is_written_with_strike_in_front() -> None:
    """So that one place says how it is typed here (`command_prefix`)."""
    commands = {
        *command_apps_by_group(),
        *(
            verb
            for system in load_usable_systems()
            if system.scene
            for verb in commands_in_group(system.name)
        ),
    }
    wrong, spared = [], set()
    for file in (file for source in SOURCES for file in sorted((ROOT / source).rglob("*.py"))):
        name = str(file.relative_to(ROOT))
        for number, text in messages(ast.parse(file.read_text(encoding="utf-8"))):
            found = [line[0] for line in BARE.finditer(text) if line[1] in commands]
            spared.update({name} if found and name in NO_LINE else ())
            wrong += [f"{name}:{number}: {line}" for line in found if name not in NO_LINE]
    assert not wrong, "\n".join(wrong)
    assert spared == {*NO_LINE}
