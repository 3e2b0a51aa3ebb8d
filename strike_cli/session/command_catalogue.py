"""All commands of the program by name, imported on first use; and the expansion of short lines.

Begin with `commands_in_group`.
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

from ..problems import Problem, Usage, did_you_mean
from ..registry.installed_plugins import (
    KnownSystem,
    import_object,
    plugin_index,
    switch_off_plugin_unless_core,
)
from ..terminal.commands_and_options import AnyCommand, Options, StrikeGroup, commands_of
from ..terminal.invocation import AT_TERMINAL, Invocation

if TYPE_CHECKING:
    from ..content.merged_content import Book
    from ..registry.installed_plugins import PluginIndex
    from ..registry.system_declaration import System

ODDS_GROUP = "odds"
"""The group of commands in which every system with odds has a part."""
TYPO_SIMILARITY = 0.75
"""How similar a word must be to a command, up to 1, to count as a typo."""
HELP_OPTIONS = ("--help", "-h")


def expand_short_line(words: Sequence[str], invocation: Invocation) -> list[str]:
    """Return the full command for a line that may be short. The full command begins with its group.

    Raises Usage if the line fits no command or several.
    """
    name, *rest = words
    following = rest[0] if rest else None
    if following in registry.top_level_commands_listed_in_groups().get(name, ()):
        return expand_short_line(rest, invocation)
    found = build_command_or_group(name, following) if name in registry.command_apps_by_group() else None
    commands, is_group = commands_of(found), isinstance(found, TyperGroup)
    if found is not None and (following in HELP_OPTIONS or following in commands):
        return list(words)
    if (
        found is not None
        and not is_group
        and (following is None or following.startswith("-") or _accepts_next_word_or_end(found, following))
    ):
        return list(words)
    from .shorthand import (
        ShortForms,
        command_for_short_form,
        find_or_refuse_ambiguous_beginning,
        implied_command,
    )

    if is_group and following is not None and not following.startswith("-"):
        if whole := command_for_short_form(name, following, commands) or find_or_refuse_ambiguous_beginning(
            following, list(commands)
        ):
            return [name, *whole.split(), *rest[1:]]
        if not did_you_mean(following, commands, alike=TYPO_SIMILARITY) and (
            meant := implied_command(name, rest)
        ):
            return [name, meant, *rest]
    spoken = ShortForms(invocation, commands_in_group)
    if found is None:
        short = (
            spoken.command_for_answer(words)
            or spoken.expand_line(words)
            or spoken.command_for_answer(words, begun=True)
        )
        if short is None:
            raise registry.off_or_broken_problem(name) or spoken.refusal(name, rest, _is_accepted_line)
        return short if short[0] == name else expand_short_line(short, invocation)
    # The name of a group, or of a command that takes no words, which a scene under way has as a verb, too.
    group = spoken.name_of_first_group_with_verb(name)
    if group is not None and _accepts_next_word_or_end(
        commands_of(build_command_or_group(group, name))[name], following
    ):
        return [group, *words]
    return list(words)


def first_sentence_of_help(name: str) -> str:
    """Return the first sentence of a command's or group's help, without the full stop."""
    found = build_command_or_group(name, None)
    command = found if name in registry.known_systems() else commands_of(found).get(name, found)
    return " ".join((command.help or "").split("\n\n")[0].split()).partition(". ")[0].rstrip(".")


def help_text(path: Sequence[str], width: int) -> str:
    """Return the help of the command named by the words of `path`, as plain text of a given width."""
    command = build_command_or_group(path[0], path[1] if path[1:] else None)
    context = typer.Context(TyperGroup(name="strike"), info_name="strike", terminal_width=width)
    for number, word in enumerate(path):
        command = commands_of(command)[word] if number else command
        context = typer.Context(command, parent=context, info_name=word)
    shown = copy(command)
    shown.rich_markup_mode = None
    return shown.get_help(context)


def build_whole_group(name: str) -> AnyCommand:
    """Return a group with all its commands."""
    return build_command_or_group(name, None)


def _accepts_next_word_or_end(command: AnyCommand, next_word: str | None) -> bool:
    """Return whether a command accepts `next_word` as the next typed word.

    A group accepts the names of its commands. Any other command accepts a word if it has an argument. If no
    word follows (None, or an option), a group returns False, and any other command True.
    """
    is_group = isinstance(command, TyperGroup)
    if next_word is None or next_word.startswith("-"):
        return not is_group
    if is_group:
        return next_word in commands_of(command)
    return any(each.param_type_name == "argument" for each in command.params)


def _is_accepted_line(words: list[str]) -> bool:
    """Return whether a full command accepts its words and options, without looking up the names in them."""
    command = commands_of(build_command_or_group(words[0], words[1])).get(words[1])
    try:
        return command is not None and bool(command.make_context(words[1], words[2:]))
    except (Usage, typer.Exit):
        return False


def commands_in_group(name: str) -> Sequence[str]:
    """Return the names of a group's commands; none if the group's plugin can't be imported.

    For the group of a scene, this is quick: its commands aren't built.
    """
    with registry.contain_failures(name):
        return _cached_commands_in_group(name, plugin_index())
    return ()


def listed_commands_in_group(name: str) -> Sequence[str]:
    """Return the names of a group's commands without hidden aliases, as help lists them."""
    own = registry.command_apps_by_group()[name].get("")
    hidden = {str(item.name) for item in _load_app(own).registered_commands if item.hidden} if own else set()
    return [verb for verb in commands_in_group(name) if verb not in hidden]


@lru_cache(maxsize=8)
def _cached_commands_in_group(name: str, _: PluginIndex) -> Sequence[str]:
    known = registry.known_systems().get(name)
    if known and known.scene:
        return _commands_of_scene_group(name)
    return list(dict.fromkeys(_command_names_in_app(_typer_app_of_group(name, None))))


def _commands_of_scene_group(name: str) -> Sequence[str]:
    from ..registry.gm_override_hooks import FIRST_WORDS

    system, commands = registry.load_known_system(name), dict(registry.command_apps_by_group()[name])
    own = commands.pop("", "")
    found = [*(_command_names_in_app(_load_app(own)) if own else ()), *commands]
    found += ["show", *(["next"] if system.scene.next_turn else [])]
    found += ["options", "auto"] if system.bot else []
    return list(dict.fromkeys([*found, *(FIRST_WORDS if system.scene.people else ())]))


def _command_names_in_app(group: typer.Typer) -> list[str]:
    commands = [str(item.name) for item in group.registered_commands]
    return commands + [str(item.name) for item in group.registered_groups]


def build_command_or_group(name: str, following: str | None) -> AnyCommand:
    """Return a command or group by name, built as far as the next typed word (`following`) needs it.

    If `following` is None, the whole group is built. Raises PluginProblem if a plugin's commands can't be
    built, and switches that plugin off.
    """
    owner = following if name == ODDS_GROUP and following else name
    owner = plugin_index().owners.get(owner, owner)
    if problem := registry.off_or_broken_problem(owner):
        raise problem
    try:
        return _build_cached_command_or_group(name, following, plugin_index())
    except (Exception, SystemExit) as error:  # what a plugin has for a signature may be anything
        if isinstance(error, Problem) or (problem := switch_off_plugin_unless_core(owner, error)) is None:
            raise
        raise problem from error


@lru_cache(maxsize=512)  # a script types the same commands over and over
def _build_cached_command_or_group(name: str, following: str | None, _: PluginIndex) -> AnyCommand:
    group = _typer_app_of_group(name, following)
    # An app of top-level commands has a command of its own name, and a system's group may have one, too.
    # Of systems without scenes only strike's own bring top-level commands, such as `strike prep`.
    known = registry.known_systems().get(name)
    is_group = known is not None and bool(
        known.scene or plugin_index().plugin_of_system(name) is not plugin_index().plugins[0]
    )
    only = _reduce_group(group, (following,) if is_group else (name, following))
    found: AnyCommand = typer.main.get_command(only)  # type: ignore[assignment]  # its own class is private
    commands = commands_of(found)
    found.name = name
    for each in (found, *commands.values()):
        cache_parser(each)
    wanted = found if is_group else commands.get(name, found)
    wanted.rich_help_panel = plugin_index().titles[name]
    return wanted


def cache_parser(command: AnyCommand) -> None:
    """Make a command build its parser only once in each thread, and use it for all later lines.

    This saves time: building a parser takes as long as playing most commands. Threads can't share a parser,
    since it holds the line that it reads.
    """
    make, kept = command.make_parser, local()  # a parser holds the line that it reads: one a thread

    def make_parser(ctx: typer.Context) -> object:
        if not hasattr(kept, "parser"):
            kept.parser = make(ctx)
        kept.parser.ctx = ctx
        return kept.parser

    command.make_parser = make_parser  # type: ignore[method-assign, assignment]  # for the same reason


def _typer_app_of_group(name: str, following: str | None) -> typer.Typer:
    """Return the Typer app of a command group, with at least the command that was typed.

    `following` is the word typed after the group's name. If this command is in another module, only that
    module's app is returned. If `following` is None or no known command, the app has every command of the
    group.
    """
    commands = dict(registry.command_apps_by_group().get(name, {}))
    if following in commands:
        return _load_app(commands[following])
    if name == ODDS_GROUP and following and following in registry.known_systems():
        return _odds_group_with_one_system(following)
    own = commands.pop("", "")
    group = _load_app(own) if own else typer.Typer(cls=StrikeGroup)
    all_of_it = following not in {item.name for item in group.registered_commands}
    if name == ODDS_GROUP and all_of_it:
        group = _copy_with_all_odds(group)
    known = registry.known_systems().get(name)
    if known and known.scene and all_of_it:
        from ..terminal.commands_of_every_scene import app_with_missing_scene_commands

        group = app_with_missing_scene_commands(group, registry.load_known_system(name), commands, following)
    if not commands or any(item.name == following for item in group.registered_commands):
        return group
    # Modules may add to the group's own app, or bring one: each counts once.
    apps = {id(app): app for app in [group, *map(_load_app, commands.values())]}
    places = {command: place for place, command in enumerate(commands)}
    whole = copy(group)
    whole.registered_commands = sorted(
        (item for app in apps.values() for item in app.registered_commands),
        key=lambda item: places.get(item.name or "", -1),
    )
    whole.registered_groups = [item for app in apps.values() for item in app.registered_groups]
    return whole


class OddsGroup(StrikeGroup):
    """The group `odds`, whose help and Tab list only the commands of the campaign's games.

    The commands of other games exist too, so that using one is refused with a message about the game.
    """

    def list_commands(self, ctx: typer.Context) -> list[str]:  # type: ignore[override]  # Typer passes its own
        """Return the names of the commands that the campaign's games use."""
        used = systems_in_campaign(book_of_invocation(ctx.find_root().obj or AT_TERMINAL))
        others = {
            name
            for key, known in registry.known_systems().items()
            if key not in used
            for name in (key, *_command_names_of_odds_part(known.groups.get(ODDS_GROUP, {})))
        }
        return [name for name in super().list_commands(ctx) if name not in others]


def _command_names_of_odds_part(commands: Mapping[str, str]) -> list[str]:
    own = _load_app(commands[""]).registered_commands if "" in commands else []
    return [*filter(None, commands), *(item.name for item in own if item.name)]


def _odds_group_with_one_system(name: str) -> typer.Typer:
    whole = typer.Typer(cls=StrikeGroup)
    whole.callback()(lambda: None)
    _add_odds_subgroup_of_system(whole, registry.load_known_system(name))
    return whole


def _copy_with_all_odds(group: typer.Typer) -> typer.Typer:
    """Return a copy of the Typer app `odds` with the odds of every installed system, for help and Tab.

    A system that already adds commands to `odds` itself is left out.
    """
    whole = copy(group)
    whole.info = copy(group.info)
    whole.info.cls = OddsGroup
    whole.registered_groups = list(group.registered_groups)
    for system in registry.load_usable_systems():
        if system.name in registry.command_apps_by_group()[ODDS_GROUP] or not any(
            move.odds for move in system.moves.values()
        ):
            continue
        with registry.contain_failures(system.name):
            if system.name not in plugin_index().plugins[0].systems:  # all of it is built: any of it may fail
                typer.main.get_command(_odds_group_with_one_system(system.name))
            _add_odds_subgroup_of_system(whole, system)
    return whole


def _add_odds_subgroup_of_system(group: typer.Typer, system: System) -> None:
    from ..terminal.commands_of_every_scene import make_odds_app

    group.add_typer(
        make_odds_app(system, _load_app(registry.command_apps_by_group()[system.name][""])), name=system.name
    )


def _load_app(reference: str) -> typer.Typer:
    app: typer.Typer = import_object(reference)
    return app


def _reduce_group(group: typer.Typer, names: Sequence[str | None]) -> typer.Typer:
    """Return a copy of a Typer app with only the commands in `names`.

    If the app has none of these commands, return the app itself. Reducing saves time: Typer builds every
    command of an app, which takes longer than most commands do.
    """
    commands = [item for item in group.registered_commands if item.name in names]
    groups = [item for item in group.registered_groups if item.name in names]
    if not commands and not groups:
        return group
    alone = copy(group)
    alone.registered_commands, alone.registered_groups = commands, groups
    return alone


def find_command_and_name_in_line(words: Sequence[str]) -> tuple[AnyCommand | None, list[str]]:
    """Return the command that a full line begins with, and the words of its name.

    The command is None, and the words are empty, if the line begins with no command.
    """
    name: list[str] = []
    found: AnyCommand | None = None
    for word, following in zip(words, [*words[1:], None], strict=False):
        inner = (
            (build_command_or_group(word, following) if word in registry.command_apps_by_group() else None)
            if not name
            else commands_of(found).get(word)
        )
        if inner is None:
            break
        found = inner
        name.append(word)
    return found, name


def book_of_invocation(invocation: Invocation) -> Book | None:
    """Return the content of the invocation's campaign; None if there is no campaign, or it can't be read."""
    try:
        campaign = Options({}, invocation).open_campaign_if_any()
    except Problem:
        return None  # the command that wants it says what is wrong
    if campaign is None:
        return None
    with campaign:
        return campaign.book


def systems_in_campaign(book: Book | None) -> dict[str, KnownSystem]:
    """Return the systems that a campaign uses, by name.

    A campaign uses the systems that it lists. If it lists none, it uses strike's own systems. It also uses
    every system for which the sheet of a character or creature has a table. A few systems belong to every
    campaign.
    """
    known = plugin_index().systems
    named = add_implied_systems((book.systems if book else ()) or plugin_index().plugins[0].systems)
    sheets = [*book.characters.values(), *book.creatures.values()] if book else []
    return {
        name: each
        for name, each in known.items()
        if name in named or any(sheet.get(name) and isinstance(sheet[name], dict) for sheet in sheets)
    }


MOMENTS_OF_EVENING = ("Before", "At the table", "In a fight", "After")
"""The moments at which a command of an evening is needed, in the order of the first screen."""


def first_screen_lines(names: Iterable[str]) -> dict[str, dict[str, str]]:
    """Return the lines that the systems `names` add to the first screen of help.

    The lines are grouped by the moment of a game evening at which they are needed, such as "Before". Each
    line is a command as it is typed, with an explanation of its effect.
    """
    moments: dict[str, dict[str, str]] = {when: {} for when in MOMENTS_OF_EVENING}
    for name in names:
        for when, lines in plugin_index().systems[name].evening.items():
            moments.setdefault(when, {}).update(lines)
    return moments


def commands_in_use(invocation: Invocation) -> list[str]:
    """Return the top-level commands of the systems that a campaign uses.

    Commands that help lists under a group are left out.
    """
    titles = {each.title for each in systems_in_campaign(book_of_invocation(invocation)).values()}
    below = {name for names in plugin_index().together.values() for name in names}
    return [name for name, title in plugin_index().titles.items() if title in titles and name not in below]


def commands_on_first_screen(invocation: Invocation) -> list[str]:
    """Return the top-level commands on the first screen of help, for the systems that the campaign uses."""
    lines = (
        line
        for shown in first_screen_lines(systems_in_campaign(book_of_invocation(invocation))).values()
        for line in shown
    )
    names = dict.fromkeys(line.split()[0] for line in lines)
    return ["help", *(name for name in names if name in plugin_index().titles)]


def add_implied_systems(named: Iterable[str]) -> set[str]:
    """Return the named systems and those that are played along with them.

    The systems that belong to every campaign are always included. The core is included if `named` has one of
    strike's own systems.
    """
    found = {*named, *(name for name, each in plugin_index().systems.items() if each.frame)}
    return found | {CORE} if {*named} & {*plugin_index().plugins[0].systems} else found


CORE = "core"
"""The system that is played along with any other of Strike!'s own."""
