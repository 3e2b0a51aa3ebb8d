"""All commands of the program by name, imported on first use; and the full command of a short line.

Begin with `verbs_of`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from functools import lru_cache
from threading import local
from typing import TYPE_CHECKING

import typer
from typer.core import TyperGroup

import strike_cli.registry as registry

from ..problems import Problem, Usage, nearest
from ..registry.installed import KnownSystem, index, load_object, switch_off
from ..terminal.invocation import AT_TERMINAL, Invocation
from ..terminal.options import AnyCommand, Options, StrikeGroup, commands_of

if TYPE_CHECKING:
    from ..content.book import Book
    from ..registry.declaration import System
    from ..registry.installed import Index

ODDS = "odds"
"""The group of commands in which every system with odds has a part."""
SLIP = 0.75
"""How similar a word must be to a command, up to 1, to count as a typo."""
HELP = ("--help", "-h")


def written_out(words: Sequence[str], invocation: Invocation) -> list[str]:
    """Return the whole command that a line means, its group first.

    Raises Usage where it means nothing, or may mean several.
    """
    name, *rest = words
    following = rest[0] if rest else None
    if following in registry.grouped_commands().get(name, ()):
        return written_out(rest, invocation)
    found = build_group(name, following) if name in registry.command_groups() else None
    commands, is_group = commands_of(found), isinstance(found, TyperGroup)
    if found is not None and (following in HELP or following in commands):
        return list(words)
    if (
        found is not None
        and not is_group
        and (following is None or following.startswith("-") or _accepts_word(found, following))
    ):
        return list(words)
    from .shorthand import Spoken, find_by_beginning, implied_command, short_form_in

    if is_group and following is not None and not following.startswith("-"):
        if whole := short_form_in(name, following, commands) or find_by_beginning(following, list(commands)):
            return [name, *whole.split(), *rest[1:]]
        if not nearest(following, commands, alike=SLIP) and (meant := implied_command(name, rest)):
            return [name, meant, *rest]
    spoken = Spoken(invocation, verbs_of)
    if found is None:
        short = spoken.answer(words) or spoken.written_out(words) or spoken.answer(words, begun=True)
        if short is None:
            raise registry.turned_off(name) or spoken.refusal(name, rest, _accepts_words)
        return short if short[0] == name else written_out(short, invocation)
    # The name of a group, or of a command that takes no words, which a scene under way has as a verb, too.
    group = spoken.verb(name)
    if group is not None and _accepts_word(commands_of(build_group(group, name))[name], following):
        return [group, *words]
    return list(words)


def first_words_of_help(name: str) -> str:
    """Return the first sentence of a command's or a group's help, by its name."""
    found = build_group(name, None)
    command = found if name in registry.known_systems() else commands_of(found).get(name, found)
    return " ".join((command.help or "").split("\n\n")[0].split()).partition(". ")[0].rstrip(".")


def help_text(path: Sequence[str], width: int) -> str:
    """Return the help of a command by its words, as plain text of a given width."""
    command = build_group(path[0], path[1] if path[1:] else None)
    context = typer.Context(TyperGroup(name="strike"), info_name="strike", terminal_width=width)
    for number, word in enumerate(path):
        command = commands_of(command)[word] if number else command
        context = typer.Context(command, parent=context, info_name=word)
    shown = copy(command)
    shown.rich_markup_mode = None
    return shown.get_help(context)


def whole_group(name: str) -> AnyCommand:
    """Return a group of commands with all its contents."""
    return build_group(name, None)


def _accepts_word(command: AnyCommand, following: str | None) -> bool:
    """Return whether a word may follow a command: in a group, one of its commands."""
    is_group = isinstance(command, TyperGroup)
    if following is None or following.startswith("-"):
        return not is_group
    if is_group:
        return following in commands_of(command)
    return any(each.param_type_name == "argument" for each in command.params)


def _accepts_words(words: list[str]) -> bool:
    """Return whether a command written out accepts its words, as far as its form shows that."""
    command = commands_of(build_group(words[0], words[1])).get(words[1])
    try:
        return command is not None and bool(command.make_context(words[1], words[2:]))
    except (Usage, typer.Exit):
        return False


def verbs_of(name: str) -> Sequence[str]:
    """Return the commands of a group, by name; none of a plugin that can't be imported.

    The commands of scenes are named without being made.
    """
    with registry.contained(name):
        return _verbs_of(name, index())
    return ()


def listed_verbs(name: str) -> Sequence[str]:
    """Return the commands of a group that are listed: not aliases of others."""
    own = registry.command_groups()[name].get("")
    hidden = {str(item.name) for item in _app(own).registered_commands if item.hidden} if own else set()
    return [verb for verb in verbs_of(name) if verb not in hidden]


@lru_cache(maxsize=8)
def _verbs_of(name: str, _: Index) -> Sequence[str]:
    known = registry.known_systems().get(name)
    if known and known.scene:
        return _verbs_of_scenes(name)
    return list(dict.fromkeys(_names_in(_group(name, None))))


def _verbs_of_scenes(name: str) -> Sequence[str]:
    from ..registry.gm_override import HEADS

    system, commands = registry.load_system(name), dict(registry.command_groups()[name])
    own = commands.pop("", "")
    found = [*(_names_in(_app(own)) if own else ()), *commands]
    found += ["show", *(["next"] if system.scene.next_turn else [])]
    found += ["options", "auto"] if system.bot else []
    return list(dict.fromkeys([*found, *(HEADS if system.scene.people else ())]))


def _names_in(group: typer.Typer) -> list[str]:
    commands = [str(item.name) for item in group.registered_commands]
    return commands + [str(item.name) for item in group.registered_groups]


def build_group(name: str, following: str | None) -> AnyCommand:
    """Return a command or group by name, built as far as needed: all of it, or what is typed.

    Raises PluginProblem where a plugin's can't be built; that plugin is switched off then.
    """
    owner = following if name == ODDS and following else name
    owner = index().owners.get(owner, owner)
    if problem := registry.turned_off(owner):
        raise problem
    try:
        return _build_group(name, following, index())
    except (Exception, SystemExit) as error:  # what a plugin has for a signature may be anything
        if isinstance(error, Problem) or (problem := switch_off(owner, error)) is None:
            raise
        raise problem from error


@lru_cache(maxsize=512)  # a script types the same commands over and over
def _build_group(name: str, following: str | None, _: Index) -> AnyCommand:
    group = _group(name, following)
    # An app of top-level commands has a command of its own name, and a system's group may have one, too.
    # Of systems without scenes only strike's own bring top-level commands, such as `strike prep`.
    known = registry.known_systems().get(name)
    is_group = known is not None and bool(known.scene or index().bringer_of(name) is not index().plugins[0])
    only = _reduce_group(group, (following,) if is_group else (name, following))
    found: AnyCommand = typer.main.get_command(only)  # type: ignore[assignment]  # its own class is private
    commands = commands_of(found)
    found.name = name
    for each in (found, *commands.values()):
        keep_parser(each)
    wanted = found if is_group else commands.get(name, found)
    wanted.rich_help_panel = index().titles[name]
    return wanted


def keep_parser(command: AnyCommand) -> None:
    """Store the parser of a command, for when the command is typed again.

    Building a parser takes as long as playing most commands does.
    """
    make, kept = command.make_parser, local()  # a parser holds the line that it reads: one a thread

    def make_parser(ctx: typer.Context) -> object:
        if not hasattr(kept, "parser"):
            kept.parser = make(ctx)
        kept.parser.ctx = ctx
        return kept.parser

    command.make_parser = make_parser  # type: ignore[method-assign, assignment]  # for the same reason


def _group(name: str, following: str | None) -> typer.Typer:
    """Return the Typer app of a command group, with only as much as `following`, the next word typed, needs.

    If `following` is a command that another module adds, that module's app is returned alone. If it is None
    or unknown, the group is complete.
    """
    commands = dict(registry.command_groups().get(name, {}))
    if following in commands:
        return _app(commands[following])
    if name == ODDS and following and following in registry.known_systems():
        return _odds_of(following)
    own = commands.pop("", "")
    group = _app(own) if own else typer.Typer(cls=StrikeGroup)
    all_of_it = following not in {item.name for item in group.registered_commands}
    if name == ODDS and all_of_it:
        group = _add_all_odds(group)
    known = registry.known_systems().get(name)
    if known and known.scene and all_of_it:
        from ..terminal.scene_commands import with_scene_commands

        group = with_scene_commands(group, registry.load_system(name), commands, following)
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
    """The group `odds`, whose help and Tab list the commands of the campaign's games.

    The odds of every other game are there, too, so that they can be refused with this game's own.
    """

    def list_commands(self, ctx: typer.Context) -> list[str]:  # type: ignore[override]  # Typer passes its own
        """Return the names of the campaign's own commands."""
        used = games_used(book_near(ctx.find_root().obj or AT_TERMINAL))
        others = {
            name
            for key, known in registry.known_systems().items()
            if key not in used
            for name in (key, *_command_names(known.groups.get(ODDS, {})))
        }
        return [name for name in super().list_commands(ctx) if name not in others]


def _command_names(commands: Mapping[str, str]) -> list[str]:
    own = _app(commands[""]).registered_commands if "" in commands else []
    return [*filter(None, commands), *(item.name for item in own if item.name)]


def _odds_of(name: str) -> typer.Typer:
    """Return the group `odds` with the odds of one system's moves alone."""
    whole = typer.Typer(cls=StrikeGroup)
    whole.callback()(lambda: None)
    _add_odds(whole, registry.load_system(name))
    return whole


def _add_all_odds(group: typer.Typer) -> typer.Typer:
    """Return the group `odds` with the odds of every system's moves besides its own, for help and Tab.

    A system that defines a command of that name keeps it.
    """
    whole = copy(group)
    whole.info = copy(group.info)
    whole.info.cls = OddsGroup
    whole.registered_groups = list(group.registered_groups)
    for system in registry.installed_systems():
        if system.name in registry.command_groups()[ODDS] or not any(
            move.odds for move in system.moves.values()
        ):
            continue
        with registry.contained(system.name):
            if system.name not in index().plugins[0].systems:  # all of it is built: any of it may fail
                typer.main.get_command(_odds_of(system.name))
            _add_odds(whole, system)
    return whole


def _add_odds(group: typer.Typer, system: System) -> None:
    from ..terminal.scene_commands import odds_app

    group.add_typer(odds_app(system, _app(registry.command_groups()[system.name][""])), name=system.name)


def _app(reference: str) -> typer.Typer:
    app: typer.Typer = load_object(reference)
    return app


def _reduce_group(group: typer.Typer, names: Sequence[str | None]) -> typer.Typer:
    """Return the group reduced to what was typed; the whole group where it has none of the names.

    Typer builds every command of a group that it is given, which costs more than most commands do.
    """
    commands = [item for item in group.registered_commands if item.name in names]
    groups = [item for item in group.registered_groups if item.name in names]
    if not commands and not groups:
        return group
    alone = copy(group)
    alone.registered_commands, alone.registered_groups = commands, groups
    return alone


def command_words(words: Sequence[str]) -> tuple[AnyCommand | None, list[str]]:
    """Return the command that a full line begins with, None where it begins with none; and its words."""
    name: list[str] = []
    found: AnyCommand | None = None
    for word, following in zip(words, [*words[1:], None], strict=False):
        inner = (
            (build_group(word, following) if word in registry.command_groups() else None)
            if not name
            else commands_of(found).get(word)
        )
        if inner is None:
            break
        found = inner
        name.append(word)
    return found, name


def book_near(invocation: Invocation) -> Book | None:
    """Return the campaign's book; None where there is no campaign, or none that can be read."""
    try:
        campaign = Options({}, invocation).campaign_if_any()
    except Problem:
        return None  # the command that wants it says what is wrong
    if campaign is None:
        return None
    with campaign:
        return campaign.book


def games_used(book: Book | None) -> dict[str, KnownSystem]:
    """Return the systems that a campaign uses, by name.

    They are the systems that the campaign names, else strike's own; systems with a table in a sheet; and the
    systems of every campaign.
    """
    known = index().systems
    named = systems_played((book.systems if book else ()) or index().plugins[0].systems)
    sheets = [*book.characters.values(), *book.creatures.values()] if book else []
    return {
        name: each
        for name, each in known.items()
        if name in named or any(sheet.get(name) and isinstance(sheet[name], dict) for sheet in sheets)
    }


WHEN = ("Before", "At the table", "In a fight", "After")
"""The moments at which a command of an evening is needed, in the order of the first screen."""


def evening_of(names: Iterable[str]) -> dict[str, dict[str, str]]:
    """Return the lines of some systems on the first screen: moment -> line as typed -> its meaning."""
    moments: dict[str, dict[str, str]] = {when: {} for when in WHEN}
    for name in names:
        for when, lines in index().systems[name].evening.items():
            moments.setdefault(when, {}).update(lines)
    return moments


def names_used(near: Invocation) -> list[str]:
    """Return the commands of the systems that the campaign uses, but for those listed below a group."""
    titles = {each.title for each in games_used(book_near(near)).values()}
    below = {name for names in index().together.values() for name in names}
    return [name for name, title in index().titles.items() if title in titles and name not in below]


def names_of_an_evening(near: Invocation) -> list[str]:
    """Return the commands on the first screen of help, of the systems that the campaign uses."""
    lines = (line for shown in evening_of(games_used(book_near(near))).values() for line in shown)
    names = dict.fromkeys(line.split()[0] for line in lines)
    return ["help", *(name for name in names if name in index().titles)]


def systems_played(named: Iterable[str]) -> set[str]:
    """Return the named systems and those that come with them.

    The additional ones are the systems of every campaign, and the core along with any of Strike!'s own.
    """
    found = {*named, *(name for name, each in index().systems.items() if each.frame)}
    return found | {CORE} if {*named} & {*index().plugins[0].systems} else found


CORE = "core"
"""The system that is played along with any other of Strike!'s own."""
