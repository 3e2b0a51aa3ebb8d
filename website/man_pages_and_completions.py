"""Man pages, and completion scripts for shells, made from the program's help for the wheel.

There is a page for strike (`man strike`), and one for each command or group (`man strike-combat`).
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

from .reference_pages import command_and_subcommands, first_sentence_of_help, own_parameters, placeholder_of

ZSH_FIRST_TAB = '[[ $zsh_eval_context[-1] != loadautofunc ]] || _strike_completion "$@"'
"""The end of the script for zsh, which reads the file at the first Tab: so it answers that one, too."""
COMPLETIONS = {
    "bash-completion/completions/strike": BASH,
    "zsh/site-functions/_strike": ZSH + ZSH_FIRST_TAB,
    "fish/vendor_completions.d/strike.fish": FISH,
}
"""The folders where shells look for completions, below `share`."""


def main() -> None:
    """Write the man pages and completion scripts below the folder `sys.argv[1]`.

    Each file gets the path that it has below the folder `share` once it is installed.
    """
    for name, text in shared_files().items():
        file = Path(sys.argv[1]) / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")


def shared_files() -> dict[str, str]:
    """Return the files for the folder `share`: each file's text, by its path below the folder.

    They are the man pages and the completion scripts.
    """
    found = {f"man/man1/{name}.1": page for name, page in man_pages().items()}
    return found | {place: f"{script.strip()}\n" for place, script in COMPLETIONS.items()}


def man_pages() -> dict[str, str]:
    """Return the page of strike, and a page for each command or group of commands."""
    groups = {name: build_whole_group(name) for name in registry.command_apps_by_group()}
    return {
        "strike": _overview_page(groups),
        **{f"strike-{name}": _group_page(name, it) for name, it in groups.items()},
    }


def _overview_page(groups: dict[str, AnyCommand]) -> str:
    lines = [
        *_page_head("strike", "run tabletop RPG nights from a terminal"),
        ".SH SYNOPSIS", r".B strike", r"[\-C DIR] COMMAND ...",
        ".SH DESCRIPTION",
        _roff_text("To learn it: `strike tour`. To watch an evening: `strike demo`. A campaign of your own: `strike new DIR`. "
               "`strike help now` says what you can do next."),
        ".SH COMMANDS",
    ]  # fmt: skip
    for name, command in groups.items():
        lines += [
            ".TP",
            rf"\fBstrike\-{_roff_text(name)}\fR(1)",
            _roff_text(first_sentence_of_help(command.help)),
        ]
    lines += [".SH ENVIRONMENT", ".TP", ".B STRIKE_CAMPAIGN", "The campaign's folder. `-C DIR` overrides it.",
              ".TP", ".B NO_COLOR", "Set to anything: no colour.",
              ".SH EXIT STATUS", "0 done, 1 the rules refuse, 2 a mistake in what was typed, 3 the campaign or its files, "
              "4 a plugin, 5 the bridge, 6 a decision is open."]  # fmt: skip
    return "\n".join(lines) + "\n"


def _group_page(name: str, command: AnyCommand) -> str:
    lines = [*_page_head(f"strike-{name}", first_sentence_of_help(command.help).rstrip("."))]
    lines += [".SH DESCRIPTION"]
    for path, found in command_and_subcommands(command, name):
        if not isinstance(found, TyperGroup):
            lines += _command_lines(path, found)
    lines += [".SH SEE ALSO", r"\fBstrike\fR(1), \fBstrike help\fR"]
    return "\n".join(lines) + "\n"


def _command_lines(path: str, command: AnyCommand) -> Iterator[str]:
    own = own_parameters(command)
    words = " ".join(placeholder_of(each) for each in own if isinstance(each, TyperArgument))
    yield from (f".SS {_roff_text(f'strike {path} {words}'.strip())}",)
    said, _, example = (command.help or "").partition("Example: ")
    for paragraph in said.strip().split("\n\n"):
        yield from (".PP", _roff_text(paragraph))
    if example:
        yield from (".PP", f"Example: {_roff_text(example)}")
    for each in own:
        if each.help:
            names = placeholder_of(each) if isinstance(each, TyperArgument) else ", ".join(each.opts)
            yield from (".TP", rf"\fB{_roff_text(names)}\fR", _roff_text(each.help))


def _page_head(name: str, summary: str) -> Iterator[str]:
    yield f'.TH "{name.upper()}" 1 "" "strike {__version__}" "strike"'
    yield from (".SH NAME", rf"{_roff_text(name)} \- {_roff_text(summary)}")


def _roff_text(text: str) -> str:
    """Return a text escaped for roff: on one line, without requests."""
    flat = " ".join(text.split()).replace("\\", r"\e").replace("-", r"\-")
    flat = re.sub(r"`([^`]*)`", r"\\fB\1\\fR", flat)
    return rf"\&{flat}" if flat.startswith((".", "'")) else flat


if __name__ == "__main__":
    main()
