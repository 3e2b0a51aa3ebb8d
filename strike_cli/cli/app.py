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

from ..command_prefix import command_prefix_of_process
from ..session.command_catalogue import build_command_or_group, cache_parser, expand_short_line
from ..session.line_play_and_report import run_and_report
from ..terminal.argument_completions import FOLDER
from ..terminal.commands_and_options import AnyCommand, with_campaign_folder
from ..terminal.invocation import AT_TERMINAL, Invocation

if TYPE_CHECKING:
    from _typeshed import SupportsWrite

    from ..kernel.procedure import Choose
    from ..session.typed_line import CommandsAtQuestion


class LazyGroup(TyperGroup):
    """The root group, which imports the module of a command only when the command is typed."""

    def list_commands(self, ctx: object) -> list[str]:
        """Return the names of all commands, in the order of the systems that define them."""
        return list(registry.command_apps_by_group())

    def get_command(self, ctx: object, name: str) -> AnyCommand | None:
        """Import and return a command or group; None if there is none of that name."""
        return self._build_command_if_known(name, None)

    def format_help(self, ctx: typer.Context, formatter: "SupportsWrite[str]") -> None:  # type: ignore[override]  # Typer passes its own
        """Write an overview of all commands, on one screen."""
        from .help import overview_text

        folder = ctx.params.get("campaign") or _typed_folder(sys.argv)
        formatter.write(overview_text((ctx.obj or AT_TERMINAL)._replace(folder=folder)))

    def resolve_command(self, ctx, args):  # type: ignore[no-untyped-def]  # classes of Typer that are private
        """Return the typed command or, for a short line, the command for which the line stands."""
        name, *rest = args
        if name.startswith("-"):
            return super().resolve_command(ctx, args)
        name, *rest = expand_short_line(args, invocation_of(ctx))
        return name, self._build_command_if_known(name, rest[0] if rest else None), rest

    def _build_command_if_known(self, name: str, following: str | None) -> AnyCommand | None:
        return build_command_or_group(name, following) if name in registry.command_apps_by_group() else None


COMPLETION_VARIABLE = "_STRIKE_COMPLETE"
"""The environment variable that is set while a shell asks for Tab's completions."""


@lru_cache(maxsize=1)
def root_command() -> LazyGroup:
    """Return the whole command line as a Typer group, built once."""
    root = typer.main.get_group(app)
    assert isinstance(root, LazyGroup)
    cache_parser(root)
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


def _print_version_and_exit(value: bool) -> None:
    if value:
        from .. import __version__

        typer.echo(f"strike {__version__}")
        raise typer.Exit


def _install_completion_and_exit(ctx: typer.Context, wanted: bool) -> None:
    if wanted:
        from .shell_completion import install_completion_and_alias

        typer.echo(
            install_completion_and_alias(
                (ctx.obj or AT_TERMINAL).command_form.program_words_without_campaign(elsewhere=True)
            )
        )
        raise typer.Exit


def _print_completion_script_and_exit(shell: str | None) -> None:
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
        bool,
        typer.Option("--version", callback=_print_version_and_exit, is_eager=True, help="Show the version."),
    ] = False,
    install_completion: Annotated[
        bool,
        typer.Option(
            "--install-completion",
            callback=_install_completion_and_exit,
            is_eager=True,
            help="Set up completion by Tab in your shell.",
        ),
    ] = False,
    show_completion: Annotated[
        str | None,
        typer.Option(
            "--show-completion",
            metavar="SHELL",
            callback=_print_completion_script_and_exit,
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
        from .help import print_everyday_commands_or_welcome

        print_everyday_commands_or_welcome(ctx.obj)


def invocation_of(ctx: typer.Context) -> Invocation:
    """Return the invocation for a typed line: the settings with which its command runs.

    If the line names a campaign before the command (`-C`), the invocation is for that campaign.
    """
    return with_campaign_folder(ctx.obj or AT_TERMINAL, ctx.params.get("campaign"))


def main(argv: Sequence[str] | None = None) -> NoReturn:
    """Run the command line, and exit with the command's code."""
    if sys.stdin is None or sys.stdout is None or sys.stderr is None:
        from ..terminal.stream_encoding import replace_closed_streams

        replace_closed_streams()
    here = AT_TERMINAL
    if argv is None:
        argv = sys.argv[1:]
        here = here._replace(
            command_form=command_prefix_of_process(sys.argv, sys.orig_argv, _typed_folder(argv) or "")
        )
    words = _decode_words_and_fit_streams(list(argv))
    aside = _LazyCommandsAtQuestion(words)
    code = run_command_line_or_complete(words, here._replace(play_at_question=aside))
    if aside.taken:
        from .shell import play_and_count_commands_at_question

        here = here._replace(folder=str(aside.taken.folder), plain="--plain" in words)
        play_and_count_commands_at_question(here, aside.taken.lines)
    try:
        sys.stderr.flush()
    except OSError:  # no failure; Python would try again and fail
        from ..terminal.command_output import discard_output_to

        discard_output_to(sys.stderr)
    sys.exit(code)


class _LazyCommandsAtQuestion:
    """A callable that stores commands which the user types in reply to a question.

    The question is asked by the command line `words`, and expects an answer. The commands typed instead are
    played later. To save time, the module that reads them is imported only at the first call.
    """

    def __init__(self, words: list[str]) -> None:
        self.words = words
        self.taken: CommandsAtQuestion | None = None

    def __call__(self, line: str, question: "Choose") -> bool:
        from ..session.typed_line import CommandsAtQuestion
        from ..terminal.commands_and_options import find_campaign_folder

        folder = find_campaign_folder(_typed_folder(self.words))
        if folder is None:
            return False
        self.taken = self.taken or CommandsAtQuestion(folder)
        return self.taken(line, question)


def _decode_words_and_fit_streams(words: list[str]) -> list[str]:
    """Return the decoded words of the command line, and prepare the program's input and output.

    If the output can't show all Unicode characters, it will replace the characters that it can't show. On
    Windows, input that doesn't come from a terminal is decoded as UTF-8 if possible.
    """
    if os.name == "nt" and not sys.stdin.isatty():
        from ..terminal.stream_encoding import decode_input_as_utf8_if_possible

        decode_input_as_utf8_if_possible(sys.stdin)
    if all(stream.encoding == "utf-8" for stream in (sys.stdout, sys.stderr)) and all(
        map(str.isascii, words)
    ):
        return words
    from ..terminal.stream_encoding import decode_typed_words, replace_unencodable_output

    replace_unencodable_output()
    return decode_typed_words(words)


def run_command_line_or_complete(argv: list[str], invocation: Invocation = AT_TERMINAL) -> int:
    """Run a command line and return its exit code; or print completions if a shell asks for them."""
    if COMPLETION_VARIABLE in os.environ:
        from .shell_completion import print_completions

        print_completions(os.environ[COMPLETION_VARIABLE])
        return 0
    play = partial(root_command(), args=argv, prog_name="strike", standalone_mode=False, obj=invocation)
    return run_and_report(argv, invocation._replace(folder=_typed_folder(argv) or invocation.folder), play)


def _typed_folder(argv: Sequence[str]) -> str | None:
    named = [word for before, word in pairwise(argv) if before in ("-C", "--campaign")]
    return named[-1] if named else None
