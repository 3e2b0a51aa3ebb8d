"""The root of the command line: finds and imports the module of a command, and exits with its code."""

# Annotations are left as they are: kept as text, Typer would compile each of the root's four times a start.

import os
import sys
from collections.abc import Sequence
from functools import lru_cache, partial
from itertools import pairwise
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer
from typer.core import TyperGroup

import strike_cli.registry as registry

from ..session.command_catalogue import build_group, keep_parser, written_out
from ..session.display import display_line
from ..suggested_commands import process_words
from ..terminal.argument_names import FOLDER
from ..terminal.invocation import AT_TERMINAL, Invocation
from ..terminal.options import AnyCommand, in_campaign

if TYPE_CHECKING:
    from _typeshed import SupportsWrite

    from ..kernel.procedure import Choose
    from ..session.typed_line import Asides


class LazyGroup(TyperGroup):
    """The root group: a command's module is imported when its name is asked for, never before."""

    def list_commands(self, ctx: object) -> list[str]:
        """Return every command, in the order of the systems that define them."""
        return list(registry.command_groups())

    def get_command(self, ctx: object, name: str) -> AnyCommand | None:
        """Import and return the command or group of a name; None where there is none."""
        return self._build(name, None)

    def format_help(self, ctx: typer.Context, formatter: "SupportsWrite[str]") -> None:  # type: ignore[override]  # Typer passes its own
        """Write every command by name, on one screen."""
        from .help import overview_text

        folder = ctx.params.get("campaign") or _folder_typed(sys.argv)
        formatter.write(overview_text((ctx.obj or AT_TERMINAL)._replace(folder=folder)))

    def resolve_command(self, ctx, args):  # type: ignore[no-untyped-def]  # classes of Typer that are private
        """Return the typed command; for a short line the command that it means (`verbs`)."""
        name, *rest = args
        if name.startswith("-"):
            return super().resolve_command(ctx, args)
        name, *rest = written_out(args, invocation_of(ctx))
        return name, self._build(name, rest[0] if rest else None), rest

    def _build(self, name: str, following: str | None) -> AnyCommand | None:
        return build_group(name, following) if name in registry.command_groups() else None


ASKING = "_STRIKE_COMPLETE"
"""The environment variable that is set while a shell asks for Tab's completions."""


@lru_cache(maxsize=1)
def root_command() -> LazyGroup:
    """Return the whole command line as a Typer group."""
    root = typer.main.get_group(app)
    assert isinstance(root, LazyGroup)
    keep_parser(root)
    return root


app = typer.Typer(
    cls=LazyGroup,
    name="strike",
    invoke_without_command=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="markdown",
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(value: bool) -> None:
    if value:
        from .. import __version__

        typer.echo(f"strike {__version__}")
        raise typer.Exit


def _install_completion(ctx: typer.Context, wanted: bool) -> None:
    if wanted:
        from .shell_completion import install_completion

        typer.echo(install_completion((ctx.obj or AT_TERMINAL).typed.program(elsewhere=True)))
        raise typer.Exit


def _show_completion(shell: str | None) -> None:
    if shell:
        from .shell_completion import completion_script

        typer.echo(completion_script(shell))
        raise typer.Exit


@app.callback()
def root(
    ctx: typer.Context,
    campaign: Annotated[
        str | None, typer.Option("-C", "--campaign", metavar=FOLDER, help="The campaign's folder.")
    ] = None,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version.")
    ] = False,
    install_completion: Annotated[
        bool,
        typer.Option(
            "--install-completion",
            callback=_install_completion,
            is_eager=True,
            help="Set up completion by Tab in your shell.",
        ),
    ] = False,
    show_completion: Annotated[
        str | None,
        typer.Option(
            "--show-completion",
            metavar="SHELL",
            callback=_show_completion,
            is_eager=True,
            help="Print the completion script of bash, zsh, fish or powershell.",
        ),
    ] = None,
) -> None:
    """Run tabletop RPG nights from a terminal.

    To learn it: `strike tour`. To watch an evening: `strike demo`. A campaign of your own: `strike new
    my-campaign`, then, inside it, `strike roll skill vex Climbing` or `strike combat start ford`.

    Example: `strike roll skill --skilled --adv "a good rope"`
    """
    ctx.obj = invocation_of(ctx)
    if ctx.invoked_subcommand is None:
        from .help import print_greeting

        print_greeting(ctx.obj)


def invocation_of(ctx: typer.Context) -> Invocation:
    """Return how the command of a line is run: in the campaign that the line names, if it names one."""
    return in_campaign(ctx.obj or AT_TERMINAL, ctx.params.get("campaign"))


def main(argv: Sequence[str] | None = None) -> NoReturn:
    """Run a command and end with its exit code."""
    if sys.stdin is None or sys.stdout is None or sys.stderr is None:
        from ..terminal.encoding import stand_in

        stand_in()
    here = AT_TERMINAL
    if argv is None:
        argv = sys.argv[1:]
        here = here._replace(typed=process_words(sys.argv, sys.orig_argv, _folder_typed(argv) or ""))
    words = _fit_for_the_system(list(argv))
    aside = _Aside(words)
    code = run(words, here._replace(aside=aside))
    if aside.taken:
        from .shell import play_asides

        here = here._replace(folder=str(aside.taken.folder), plain="--plain" in words)
        play_asides(here, aside.taken.lines)
    try:
        sys.stderr.flush()
    except OSError:  # no failure; Python would try again and fail
        from ..terminal.result import give_up

        give_up(sys.stderr)
    sys.exit(code)


class _Aside:
    """The function that plays other commands typed at this command's question. Imported at its first use."""

    def __init__(self, words: list[str]) -> None:
        self.words = words
        self.taken: Asides | None = None

    def __call__(self, line: str, question: "Choose") -> bool:
        from ..session.typed_line import Asides
        from ..terminal.options import find_campaign

        folder = find_campaign(_folder_typed(self.words))
        if folder is None:
            return False
        self.taken = self.taken or Asides(folder)
        return self.taken(line, question)


def _fit_for_the_system(words: list[str]) -> list[str]:
    """Return the words of the command line, and make the streams accept characters that they can't encode.

    This is only needed on a system without Unicode, of which there are hardly any.
    """
    if os.name == "nt" and not sys.stdin.isatty():
        from ..terminal.encoding import read_as_typed

        read_as_typed(sys.stdin)
    if all(stream.encoding == "utf-8" for stream in (sys.stdout, sys.stderr)) and all(
        map(str.isascii, words)
    ):
        return words
    from ..terminal.encoding import let_all_be_said, words_as_typed

    let_all_be_said()
    return words_as_typed(words)


def run(argv: list[str], invocation: Invocation = AT_TERMINAL) -> int:
    """Run a command, and return its exit code."""
    if ASKING in os.environ:
        from .shell_completion import print_completions

        print_completions(os.environ[ASKING])
        return 0
    play = partial(root_command(), args=argv, prog_name="strike", standalone_mode=False, obj=invocation)
    return display_line(argv, invocation._replace(folder=_folder_typed(argv) or invocation.folder), play)


def _folder_typed(argv: Sequence[str]) -> str | None:
    named = [word for before, word in pairwise(argv) if before in ("-C", "--campaign")]
    return named[-1] if named else None
