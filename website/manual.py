"""Man pages and scripts for Tab, made of the live helps for the wheel (`hatch_build.py`).

`man strike`, and a page for each group of commands, `man strike-combat`.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

from typer.core import TyperArgument, TyperGroup

from strike_cli import __version__, registry
from strike_cli.cli.shell_completion import BASH, FISH, ZSH
from strike_cli.session.command_catalogue import build_whole_group
from strike_cli.terminal.commands_and_options import AnyCommand

from .references import below, first_sentence, own_parameters, word_of

AT_ONCE = '[[ $zsh_eval_context[-1] != loadautofunc ]] || _strike_completion "$@"'
"""The end of the script for zsh, which reads the file at the first Tab: so it answers that one, too."""
COMPLETIONS = {
    "bash-completion/completions/strike": BASH,
    "zsh/site-functions/_strike": ZSH + AT_ONCE,
    "fish/vendor_completions.d/strike.fish": FISH,
}
"""The folders where shells look for completions, below `share`."""


def main() -> None:
    """Write all of it into a folder, with the paths that it has below `share`."""
    for name, text in shared().items():
        file = Path(sys.argv[1]) / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")


def shared() -> dict[str, str]:
    """Return every file that goes below `share`, by its path there."""
    found = {f"man/man1/{name}.1": page for name, page in man_pages().items()}
    return found | {place: f"{script.strip()}\n" for place, script in COMPLETIONS.items()}


def man_pages() -> dict[str, str]:
    """Return the page of strike, and a page for each command or group of commands."""
    groups = {name: build_whole_group(name) for name in registry.command_groups()}
    return {"strike": _overview(groups), **{f"strike-{name}": _page(name, it) for name, it in groups.items()}}


def _overview(groups: dict[str, AnyCommand]) -> str:
    lines = [
        *_head("strike", "run tabletop RPG nights from a terminal"),
        ".SH SYNOPSIS", r".B strike", r"[\-C DIR] COMMAND ...",
        ".SH DESCRIPTION",
        _plain("To learn it: `strike tour`. To watch an evening: `strike demo`. A campaign of your own: `strike new DIR`. "
               "`strike help now` says what can be done as things stand."),
        ".SH COMMANDS",
    ]  # fmt: skip
    for name, command in groups.items():
        lines += [".TP", rf"\fBstrike\-{_plain(name)}\fR(1)", _plain(first_sentence(command.help))]
    lines += [".SH ENVIRONMENT", ".TP", ".B STRIKE_CAMPAIGN", "The campaign's folder, where none is named.",
              ".TP", ".B NO_COLOR", "Set to anything: no colour.",
              ".SH EXIT STATUS", "0 done, 1 the rules refuse, 2 a mistake in what was typed, 3 the campaign or its files, "
              "4 a plugin, 5 the bridge, 6 a decision is open."]  # fmt: skip
    return "\n".join(lines) + "\n"


def _page(name: str, command: AnyCommand) -> str:
    lines = [*_head(f"strike-{name}", first_sentence(command.help).rstrip("."))]
    lines += [".SH DESCRIPTION"]
    for path, found in below(command, name):
        if not isinstance(found, TyperGroup):
            lines += _command(path, found)
    lines += [".SH SEE ALSO", r"\fBstrike\fR(1), \fBstrike help\fR"]
    return "\n".join(lines) + "\n"


def _command(path: str, command: AnyCommand) -> Iterator[str]:
    own = own_parameters(command)
    words = " ".join(word_of(each) for each in own if isinstance(each, TyperArgument))
    yield from (f".SS {_plain(f'strike {path} {words}'.strip())}",)
    said, _, example = (command.help or "").partition("Example: ")
    for paragraph in said.strip().split("\n\n"):
        yield from (".PP", _plain(paragraph))
    if example:
        yield from (".PP", f"Example: {_plain(example)}")
    for each in own:
        if each.help:
            names = word_of(each) if isinstance(each, TyperArgument) else ", ".join(each.opts)
            yield from (".TP", rf"\fB{_plain(names)}\fR", _plain(each.help))


def _head(name: str, what: str) -> Iterator[str]:
    yield f'.TH "{name.upper()}" 1 "" "strike {__version__}" "strike"'
    yield from (".SH NAME", rf"{_plain(name)} \- {_plain(what)}")


def _plain(text: str) -> str:
    """Return a text escaped for roff: on one line, without requests."""
    flat = " ".join(text.split()).replace("\\", r"\e").replace("-", r"\-")
    flat = re.sub(r"`([^`]*)`", r"\\fB\1\\fR", flat)
    return rf"\&{flat}" if flat.startswith((".", "'")) else flat


if __name__ == "__main__":
    main()
