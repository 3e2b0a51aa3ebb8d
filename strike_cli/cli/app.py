"""The root of the command line: finds the module of the command that was typed, and ends with its code."""

# Annotations are left as they are: kept as text, Typer would compile each of the root's four times a start.

import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer
from typer.core import TyperGroup

import strike_cli.registry as registry

from ..command_line import CommandLine, of_process
from ..problems import INTERRUPTED, CampaignProblem, Problem, Usage
from ..registry.installed import failures
from ..session.catalogue import built, command_words, keep_parser, written_out
from ..terminal.invocation import AT_TERMINAL, Invocation
from ..terminal.nouns import FOLDER
from ..terminal.options import AnyCommand, common_options, no_such_option

if TYPE_CHECKING:
    from _typeshed import SupportsWrite

    from ..kernel.procedure import Choose
    from ..session.typed_line import Asides


class LazyGroup(TyperGroup):
    """The root group: a command's module is imported when its name is asked for, never before."""

    def list_commands(self, ctx: object) -> list[str]:
        """Every command, by the systems that bring them."""
        return list(registry.groups())

    def get_command(self, ctx: object, name: str) -> AnyCommand | None:
        """The command or group of a name, imported now; None where there is none."""
        return self._build(name, None)

    def format_help(self, ctx: typer.Context, formatter: "SupportsWrite[str]") -> None:  # type: ignore[override]  # Typer passes its own
        """Every command by name, on one screen."""
        from .help import overview_text

        folder = ctx.params.get("campaign") or _folder_typed(sys.argv)
        formatter.write(overview_text((ctx.obj or AT_TERMINAL)._replace(folder=folder)))

    def resolve_command(self, ctx, args):  # type: ignore[no-untyped-def]  # classes of Typer that are private
        """As typed; or, where that is no command, what a short line means (`verbs`)."""
        name, *rest = args
        if name.startswith("-"):
            return super().resolve_command(ctx, args)
        name, *rest = written_out(args, invocation_of(ctx))
        return name, self._build(name, rest[0] if rest else None), rest

    def _build(self, name: str, following: str | None) -> AnyCommand | None:
        return built(name, following) if name in registry.groups() else None


ASKING = "_STRIKE_COMPLETE"
"""What the environment has while a shell asks what Tab should offer."""


@lru_cache(maxsize=1)
def root_command() -> LazyGroup:
    """The whole command line, as Typer builds it."""
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
        from .shells import install

        typer.echo(install((ctx.obj or AT_TERMINAL).typed.program(elsewhere=True)))
        raise typer.Exit


def _show_completion(shell: str | None) -> None:
    if shell:
        from .shells import script

        typer.echo(script(shell))
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
            help="Let Tab complete in your shell.",
        ),
    ] = False,
    show_completion: Annotated[
        str | None,
        typer.Option(
            "--show-completion",
            metavar="SHELL",
            callback=_show_completion,
            is_eager=True,
            help="Print the script that lets Tab complete: of bash, zsh, fish or powershell.",
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
        from .help import greet

        greet(ctx.obj)


def invocation_of(ctx: typer.Context) -> Invocation:
    """How the command of a line is run: as its door says, in the campaign that the line names."""
    invocation, named = ctx.obj or AT_TERMINAL, ctx.params.get("campaign")
    return invocation._replace(folder=named) if named else invocation


def main(argv: Sequence[str] | None = None) -> NoReturn:
    """Run a command and end with its exit code."""
    if sys.stdin is None or sys.stdout is None or sys.stderr is None:
        from ..terminal.missing_streams import stand_in

        stand_in()
    here = AT_TERMINAL
    if argv is None:
        argv = sys.argv[1:]
        here = here._replace(typed=of_process(sys.argv, sys.orig_argv, _folder_typed(argv) or ""))
    words = _fit_for_the_system(list(argv))
    aside = _Aside(words)
    code = run(words, here._replace(aside=aside))
    if aside.taken:
        from .shell import play_asides

        play_asides(here._replace(folder=str(aside.taken.folder)), aside.taken.lines, "--plain" in words)
    try:
        sys.stderr.flush()
    except OSError:  # what could not be said there is no failure, which it would be where Python tries again
        from ..terminal.result import give_up

        give_up(sys.stderr)
    sys.exit(code)


class _Aside:
    """Who takes another command that is typed at the question of this one; nothing is imported for it before
    somebody is asked."""

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
    """The words of a command as they were typed, and streams that fail over no letter, where the system
    speaks no Unicode: hardly any does not."""
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
    """Run a command; its exit code. Every refusal becomes text on stderr, or JSON on stdout. What was
    switched off meanwhile is told besides."""
    known = failures()
    told: list[str] = []
    code = _run(argv, invocation, told)
    for reason in failures():
        if reason not in (*known, *told):
            _complain(f"Note: {reason} All else goes on.")
    return code


def _run(argv: list[str], invocation: Invocation, told: list[str]) -> int:
    if ASKING in os.environ:
        from .shells import answer

        answer(os.environ[ASKING])
        return 0
    try:
        code = root_command()(args=argv, prog_name="strike", standalone_mode=False, obj=invocation)
        if code == INTERRUPTED:
            _complain("\nInterrupted; `strike log --last 1` shows the last that was recorded.")
        return code if isinstance(code, int) else 0
    except OSError as error:
        return _broken_off(error, argv, invocation.typed)
    except Exception as error:
        problem = _problem_of(error, argv)
        if problem is None:
            raise
        told.append(problem.message)
        return _refuse(problem, argv, invocation.typed)


def _problem_of(error: Exception, argv: list[str]) -> Problem | None:
    """Return what to say of an error; None of one that is a mistake of strike's own."""
    if isinstance(error, Problem):
        return error
    if isinstance(error, typer.TyperException):
        if option := no_such_option(error):
            from ..terminal.wrong_words import before_the_command

            return before_the_command(option, argv, common_options(), "strike")
        if option := getattr(error, "option_name", ""):
            return Usage(f"{option} has no value.", "`strike --help` lists what it takes.")
        context = getattr(error, "ctx", None)  # of whatever was wrong with a command's words
        command = context.command_path if context else "strike"
        return Usage(error.format_message(), f"`{command} --help` shows how.")
    explained = _no_such_letters(error) if isinstance(error, UnicodeEncodeError) else None
    explained = explained or _of_plugin(error, argv)
    known = (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError)
    return explained or (_explained(argv) if isinstance(error, known) else None)


def _of_plugin(error: Exception, argv: list[str]) -> Problem | None:
    """Return what to say of a mistake of a plugin outside of any move: while words are read, or looked up."""
    from ..terminal.crash_report import of_plugin

    return of_plugin(error, _command_name(argv), lambda: None)


def _broken_off(error: OSError, argv: list[str], typed: CommandLine) -> int:
    """A file that can't be read or written; or whoever read what we print has gone, which is no failure."""
    from ..campaign.files import reason
    from ..terminal.result import give_up, reader_is_gone

    give_up(sys.stdout)
    if reader_is_gone(error):
        return 0
    where = error.filename or "stdout"
    return _refuse(CampaignProblem(f"{where}: {reason(error)}.", "Fix that and try again."), argv, typed)


def _no_such_letters(error: UnicodeEncodeError) -> Problem | None:
    """A file's name that can't be written in the system's letters; None where those are not at fault."""
    from ..terminal.encoding import speaks_unicode

    if speaks_unicode(sys.getfilesystemencoding()) or error.encoding not in ("ascii", "latin-1", "charmap"):
        return None
    return CampaignProblem(
        f"{str(error.object)[:200]!a} is no name that a file can have here: this system's letters are "
        f"{sys.getfilesystemencoding()}.",
        "Set a UTF-8 locale (LC_ALL=C.UTF-8), or PYTHONUTF8=1, and try again. Nothing was changed.",
    )


def _explained(argv: list[str]) -> Problem | None:
    """What of the campaign's files explains a failure that nobody expected; None where nothing does."""
    from ..campaign.doctor import wrong_form
    from ..terminal.options import find_campaign

    if any("\0" in word for word in argv):
        return Usage(
            "A word of the command has a zero character in it, as no file's name has.", "Take it out."
        )
    try:
        folder = find_campaign(_folder_typed(argv))
        return wrong_form(folder) if folder else None
    except Problem as problem:
        return problem


def _folder_typed(argv: Sequence[str]) -> str | None:
    named = [word for before, word in pairwise(argv) if before in ("-C", "--campaign")]
    return named[-1] if named else None


def _complain(text: str) -> None:
    from ..terminal.result import complain

    complain(text)


def _refuse(problem: Problem, argv: list[str], typed: CommandLine) -> int:
    from ..terminal.result import show_problem

    show_problem(problem, _command_name(argv), "--json" in argv, typed)
    return problem.exit_code


def _command_name(argv: list[str]) -> str:
    """The command as the contract names it, whatever options stand around it: `combat status add`."""
    words = [
        word for before, word in zip(["", *argv], argv, strict=False) if before not in ("-C", "--campaign")
    ]
    words = [word for word in words if not word.startswith("-")]
    with suppress(Problem):
        words = written_out(words, Invocation(_folder_typed(argv))) if words else words
    with suppress(Problem):  # nobody knows any where what strike itself brings is broken
        words = command_words(words)[1]
    return " ".join(words)
