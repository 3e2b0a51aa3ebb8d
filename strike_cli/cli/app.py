"""The root of the command line: finds the module of the command that was typed, and ends with its code."""

# Annotations are left as they are: kept as text, Typer would compile each of the root's four times a start.

import os
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from copy import copy
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer
from typer.core import TyperGroup

import strike_cli.called as called
import strike_cli.registry as registry

from ..problems import INTERRUPTED, CampaignProblem, Problem, Usage, nearest
from ..registry.installed import index, load_object
from ..terminal.nouns import FOLDER
from ..terminal.options import (
    AnyCommand,
    StrikeGroup,
    commands_of,
    common_options,
    declaration_of,
    no_such_option,
)

if TYPE_CHECKING:
    from _typeshed import SupportsWrite

    from ..registry.declaration import System
    from ..registry.outside import AskedCommand, Asker, Given
    from ..terminal.result import Result

ODDS = "odds"
"""The group of commands that every system with odds has a part in."""


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

        formatter.write(overview_text(ctx.params.get("campaign") or _folder_typed(sys.argv)))

    def resolve_command(self, ctx, args):  # type: ignore[no-untyped-def]  # classes of Typer that are private
        """As typed; or, where that is no command, what a short line means (`verbs`)."""
        name, *rest = args
        if name.startswith("-"):
            return super().resolve_command(ctx, args)
        name, *rest = written_out(args, ctx.params.get("campaign"))
        return name, self._build(name, rest[0] if rest else None), rest

    def first_words(self, ctx: typer.Context, begun: str) -> list[str]:
        """What could stand first and begins so, a short line's words among it. Where nothing is begun yet, of
        the commands those of an evening: all of them would fill the screen."""
        from .help import names_of_an_evening, names_used
        from .verbs import Spoken

        if begun.startswith("-"):
            names = [name for each in self.get_params(ctx) for name in each.opts if name.startswith("--")]
        else:
            folder = ctx.params.get("campaign")
            commands = names_used(folder) if begun else names_of_an_evening(folder)
            names = [*Spoken(folder, verbs_of).known(), *commands]
        return [name for name in dict.fromkeys(names) if name.startswith(begun)]

    def _build(self, name: str, following: str | None) -> AnyCommand | None:
        return _built(name, following) if name in registry.groups() else None


SLIP = 0.75
"""How like a command a word has to be, up to 1, to be a slip of the fingers."""
HELP = ("--help", "-h")
ASKING = "_STRIKE_COMPLETE"
"""What the environment has while a shell asks what Tab should offer."""


def written_out(words: Sequence[str], folder: str | None) -> list[str]:
    """The whole command that a line means, its group first. Raises Usage where it means nothing, or may mean
    several."""
    name, *rest = words
    following = rest[0] if rest else None
    if following in registry.together().get(name, ()):
        return written_out(rest, folder)
    found = _built(name, following) if name in registry.groups() else None
    commands, is_group = commands_of(found), isinstance(found, TyperGroup)
    if found is not None and (following in HELP or following in commands):
        return list(words)
    if (
        found is not None
        and not is_group
        and (following is None or following.startswith("-") or _takes(found, following))
    ):
        return list(words)
    from .verbs import Spoken, begun, left_out

    if is_group and following is not None and not following.startswith("-"):
        whole = begun(following, list(commands))
        if whole is not None:
            return [name, whole, *rest[1:]]
        if not nearest(following, commands, alike=SLIP) and (meant := left_out(name, rest)):
            return [name, meant, *rest]
    spoken = Spoken(folder, verbs_of)
    if found is None:
        short = spoken.answer(words) or spoken.written_out(words) or spoken.answer(words, begun=True)
        if short is None:
            raise spoken.refusal(name, rest, _fits)
        return short if short[0] == name else written_out(short, folder)
    # The name of a group, or of a command that takes no words, which a scene under way has as a verb, too.
    group = spoken.verb(name)
    if group is not None and _takes(commands_of(_built(group, name))[name], following):
        return [group, *words]
    return list(words)


def first_words_of_help(name: str) -> str:
    """The first sentence of a command's or a group's help, by its name."""
    found = _built(name, None)
    command = found if name in registry.known_systems() else commands_of(found).get(name, found)
    return " ".join((command.help or "").split("\n\n")[0].split()).partition(". ")[0].rstrip(".")


def whole_group(name: str) -> AnyCommand:
    """A group of commands with all that are in it."""
    return _built(name, None)


def _takes(command: AnyCommand, following: str | None) -> bool:
    """Whether a word may follow a command: a command of it, if it is a group."""
    is_group = isinstance(command, TyperGroup)
    if following is None or following.startswith("-"):
        return not is_group
    if is_group:
        return following in commands_of(command)
    return any(each.param_type_name == "argument" for each in command.params)


def _fits(words: list[str]) -> bool:
    """Whether a command written out takes its words, as far as its form goes."""
    command = commands_of(_built(words[0], words[1])).get(words[1])
    try:
        return command is not None and bool(command.make_context(words[1], words[2:]))
    except (Usage, typer.Exit):
        return False


@lru_cache(maxsize=8)
def verbs_of(name: str) -> Sequence[str]:
    """The commands of a group, by name. Those of scenes are named without making them."""
    known = registry.known_systems().get(name)
    if known and known.scene:
        return _verbs_of_scenes(name)
    return list(dict.fromkeys(_names_in(_group(name, None))))


def _verbs_of_scenes(name: str) -> Sequence[str]:
    from ..registry.hand import HEADS

    system, commands = registry.system(name), dict(registry.groups()[name])
    own = commands.pop("", "")
    found = [*(_names_in(_app(own)) if own else ()), *commands]
    found += ["show", *(["next"] if system.scene.next_turn else [])]
    found += ["options", "auto"] if system.bot else []
    return list(dict.fromkeys([*found, *(HEADS if system.scene.people else ())]))


def _names_in(group: typer.Typer) -> list[str]:
    commands = [str(item.name) for item in group.registered_commands]
    return commands + [str(item.name) for item in group.registered_groups]


@lru_cache(maxsize=512)  # a script types the same commands over and over
def _built(name: str, following: str | None) -> AnyCommand:
    group = _group(name, following)
    # An app that brings commands for the top has one of this name; a system's group may have one, too.
    known = registry.known_systems().get(name)
    is_group = known is not None and bool(known.scene)
    only = _only(group, (following,) if is_group else (name, following))
    found: AnyCommand = typer.main.get_command(only)  # type: ignore[assignment]  # its own class is private
    commands = commands_of(found)
    found.name = name
    for each in (found, *commands.values()):
        _keep_parser(each)
    wanted = found if is_group else commands.get(name, found)
    wanted.rich_help_panel = index().titles[name]
    return wanted


def _keep_parser(command: AnyCommand) -> None:
    """Let a command that is typed again be read by the parser it had: building one takes as long as playing
    most commands does."""
    make = command.make_parser
    made: list[object] = []

    def make_parser(ctx: typer.Context) -> object:
        if not made:
            made.append(make(ctx))
        made[0].ctx = ctx  # type: ignore[attr-defined]  # Typer's class of parsers is private
        return made[0]

    command.make_parser = make_parser  # type: ignore[method-assign, assignment]  # for the same reason


def _group(name: str, following: str | None) -> typer.Typer:
    """The group of a name; with what stands elsewhere of it only where that, or all of it, is asked for."""
    commands = dict(registry.groups().get(name, {}))
    if following in commands:
        return _app(commands[following])
    if name == ODDS and following and following in registry.known_systems():
        return _odds_of(following)
    own = commands.pop("", "")
    group = _app(own) if own else typer.Typer(cls=StrikeGroup)
    all_of_it = following not in {item.name for item in group.registered_commands}
    if name == ODDS and all_of_it:
        group = _with_all_odds(group)
    known = registry.known_systems().get(name)
    if known and known.scene and all_of_it:
        from ..terminal.scene_commands import with_scene_commands

        group = with_scene_commands(group, registry.system(name), commands, following)
    if not commands or any(item.name == following for item in group.registered_commands):
        return group
    # Modules may add to the group's own app, or bring one: each counts once.
    apps = {id(app): app for app in [group, *map(_app, commands.values())]}
    places = {command: place for place, command in enumerate(commands)}
    whole = copy(group)
    whole.registered_commands = sorted(
        (item for app in apps.values() for item in app.registered_commands),
        key=lambda item: places.get(item.name or "", -1),
    )
    whole.registered_groups = [item for app in apps.values() for item in app.registered_groups]
    return whole


class OddsGroup(StrikeGroup):
    """The group `odds`: its help and Tab have what the campaign's games bring, and every other is there, too,
    to be refused with this game's own."""

    def list_commands(self, ctx: typer.Context) -> list[str]:  # type: ignore[override]  # Typer passes its own
        """The names of those commands."""
        from .help import systems_used

        used = systems_used(ctx.find_root().params.get("campaign"))
        others = {
            name
            for key, known in registry.known_systems().items()
            if key not in used
            for name in (key, *_own_commands(known.groups.get(ODDS, {})))
        }
        return [name for name in super().list_commands(ctx) if name not in others]


def _own_commands(commands: Mapping[str, str]) -> list[str]:
    own = _app(commands[""]).registered_commands if "" in commands else []
    return [*filter(None, commands), *(item.name for item in own if item.name)]


def _odds_of(name: str) -> typer.Typer:
    """The group `odds`, with the odds of one system's moves alone."""
    whole = typer.Typer(cls=StrikeGroup)
    whole.callback()(lambda: None)
    _add_odds(whole, registry.system(name))
    return whole


def _with_all_odds(group: typer.Typer) -> typer.Typer:
    """The group `odds` with those of every system's moves besides its own, for its help and for Tab; who
    brings a command of that name has that one."""
    whole = copy(group)
    whole.info = copy(group.info)
    whole.info.cls = OddsGroup
    whole.registered_groups = list(group.registered_groups)
    for system in registry.systems():
        if system.name not in registry.groups()[ODDS] and any(move.odds for move in system.moves.values()):
            _add_odds(whole, system)
    return whole


def _add_odds(group: typer.Typer, system: "System") -> None:
    from ..terminal.scene_commands import odds_app

    group.add_typer(odds_app(system, _app(registry.groups()[system.name][""])), name=system.name)


def _app(reference: str) -> typer.Typer:
    app: typer.Typer = load_object(reference)
    return app


@lru_cache(maxsize=1)
def root_command() -> LazyGroup:
    """The whole command line, as Typer builds it."""
    root = typer.main.get_group(app)
    assert isinstance(root, LazyGroup)
    _keep_parser(root)
    return root


def _only(group: typer.Typer, names: Sequence[str | None]) -> typer.Typer:
    """The group with nothing in it but what was typed: Typer builds every command of a group that it is
    handed, which costs more than most commands do. Whole where none of the names is in it."""
    commands = [item for item in group.registered_commands if item.name in names]
    groups = [item for item in group.registered_groups if item.name in names]
    if not commands and not groups:
        return group
    alone = copy(group)
    alone.registered_commands, alone.registered_groups = commands, groups
    return alone


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


def _install_completion(wanted: bool) -> None:
    if wanted:
        from .shells import install

        typer.echo(install())
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
    ctx.obj = campaign
    if ctx.invoked_subcommand is None:
        from .help import greet

        greet(campaign)


def main(argv: Sequence[str] | None = None) -> NoReturn:
    """Run a command and end with its exit code."""
    if sys.stdin is None or sys.stdout is None or sys.stderr is None:
        from ..terminal.closed import stand_in

        stand_in()
    if argv is None:
        called.Here.campaign = _folder_typed(sys.argv) or ""
    code = run(_fit_for_the_system(list(sys.argv[1:] if argv is None else argv)))
    try:
        sys.stderr.flush()
    except OSError:  # what could not be said there is no failure, which it would be where Python tries again
        from ..terminal.result import give_up

        give_up(sys.stderr)
    sys.exit(code)


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


def result_of(argv: list[str]) -> "Result":
    """What came of a command, for programs: nothing is printed. Raises the Problem of one that is refused."""
    from ..terminal.surroundings import results_to

    came: list[Result] = []
    with results_to(came.append):
        try:
            root_command()(args=argv, prog_name="strike", standalone_mode=False)
        except typer.TyperException as error:
            raise Usage(error.format_message(), "`strike help COMMAND` shows how.") from None
    if not came:
        raise Usage(f"`{' '.join(argv)}` gives no result.", "Name a whole command.")
    if came[-1].problem:
        raise came[-1].problem
    return came[-1]


def asked_for(command: "AskedCommand", asker: "Asker", given: "Given") -> "Result":
    """What came of a command that somebody outside asks for, in the campaign that is in place. Raises
    NotFromOutside for what they may not say with it, the Problem of what is refused."""
    from ..terminal.surroundings import from_outside

    with from_outside(asker, given):
        return result_of(command.words)


def asked_command(words: Sequence[str], asker: "Asker", folder: str | None = None) -> "AskedCommand":
    """The whole command that words from outside mean. Every door asks this first. Raises NotFromOutside where
    it may not be asked for."""
    from ..registry.outside import AskedCommand, NotFromOutside, must_be_allowed

    if not words or words[0].startswith("-"):
        raise NotFromOutside("A command begins with its name.", 'As in ["status"]. Nothing was changed.')
    whole = written_out(words, folder)
    found, name = command_words(whole)
    if isinstance(found, TyperGroup):
        raise Usage(f"`{' '.join(name)}` is no whole command.", f"`help {' '.join(name)}` lists those of it.")
    must_be_allowed(" ".join(name), asker)
    if {*HELP} & {*(whole[: whole.index("--")] if "--" in whole else whole)}:  # it would be printed
        raise NotFromOutside("--help can't be given from outside.", f"`help {' '.join(name)}` shows it.")
    if declaration_of(found) is None:
        raise NotFromOutside(f"`{' '.join(name)}` can't be asked for from outside.", "It prints by itself.")
    return AskedCommand(" ".join(name), whole)


def run(argv: list[str]) -> int:
    """Run a command; its exit code. Every refusal becomes text on stderr, or JSON on stdout."""
    if ASKING in os.environ:
        from .shells import answer

        answer(os.environ[ASKING])
        return 0
    try:
        code = root_command()(args=argv, prog_name="strike", standalone_mode=False)
        if code == INTERRUPTED:
            _complain("\nInterrupted; `strike log --last 1` shows the last that was recorded.")
        return code if isinstance(code, int) else 0
    except Problem as problem:
        return _refuse(problem, argv)
    except typer.TyperException as error:
        if option := no_such_option(error):
            from ..terminal.wrong_words import before_the_command

            return _refuse(before_the_command(option, argv, common_options(), "strike"), argv)
        if option := getattr(error, "option_name", ""):
            return _refuse(Usage(f"{option} has no value.", "`strike --help` lists what it takes."), argv)
        context = getattr(error, "ctx", None)  # of whatever was wrong with a command's words
        command = context.command_path if context else "strike"
        return _refuse(Usage(error.format_message(), f"`{command} --help` shows how."), argv)
    except (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError) as error:
        explained = _no_such_letters(error) if isinstance(error, UnicodeEncodeError) else None
        explained = explained or _explained(argv)
        if explained is None:
            raise
        return _refuse(explained, argv)
    except OSError as error:
        return _broken_off(error, argv)


def _broken_off(error: OSError, argv: list[str]) -> int:
    """A file that can't be read or written; or whoever read what we print has gone, which is no failure."""
    from ..campaign.files import reason
    from ..terminal.result import give_up, reader_is_gone

    give_up(sys.stdout)
    if reader_is_gone(error):
        return 0
    where = error.filename or "stdout"
    return _refuse(CampaignProblem(f"{where}: {reason(error)}.", "Fix that and try again."), argv)


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


def _refuse(problem: Problem, argv: list[str]) -> int:
    from ..terminal.result import show_problem

    show_problem(problem, _command_name(argv), "--json" in argv)
    return problem.exit_code


def _command_name(argv: list[str]) -> str:
    """The command as the contract names it, whatever options stand around it: `combat status add`."""
    words = [
        word for before, word in zip(["", *argv], argv, strict=False) if before not in ("-C", "--campaign")
    ]
    words = [word for word in words if not word.startswith("-")]
    with suppress(Problem):
        words = written_out(words, _folder_typed(argv)) if words else words
    with suppress(Problem):  # nobody knows any where what strike itself brings is broken
        words = command_words(words)[1]
    return " ".join(words)


def command_words(words: Sequence[str]) -> tuple[AnyCommand | None, list[str]]:
    """The command that a line written out begins with, None where it begins with none; and its words."""
    name: list[str] = []
    found: AnyCommand | None = None
    for word, following in zip(words, [*words[1:], None], strict=False):
        inner = (
            (_built(word, following) if word in registry.groups() else None)
            if not name
            else commands_of(found).get(word)
        )
        if inner is None:
            break
        found = inner
        name.append(word)
    return found, name
