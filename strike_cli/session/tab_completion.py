"""Completions for the Tab key, in bash, zsh, fish and strike's own shell.

A completion is a legal word, a name, or a file. The scripts in `cli.shell_completion` call this module. Words
of the scene's legal options come first. If there are none, the `Metavar` of the command's argument gives the
completions. Begin with `quoted_completions_with_blank`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import nullcontext, suppress
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import typer
from typer.core import TyperArgument, TyperGroup, TyperOption

from .. import registry
from ..command_line_splitting import quote_word_if_needed, split_words_keeping_apostrophes
from ..kernel.state_changes import pending_decisions_in, require_scene_table
from ..problems import Usage
from ..terminal.argument_completions import Metavar
from ..terminal.commands_and_options import FOLDERS
from ..terminal.invocation import Invocation
from .command_catalogue import (
    build_command_or_group,
    commands_in_group,
    commands_in_use,
    commands_on_first_screen,
    expand_short_line,
)
from .shorthand import ShortForms

if TYPE_CHECKING:
    from typing import TypeGuard

    from ..campaign import Campaign
    from ..play.legal_options import Option
    from ..registry.system_declaration import System
    from ..tabletop.scene import Scene
    from ..terminal.commands_and_options import Command
    from ..terminal.usage_refusals import Parameter


class Completions(NamedTuple):
    """The completions of an unfinished word.

    If `place` is set, the shell completes files or folders instead.
    """

    words: Sequence[str] = ()
    place: str = ""


OTHER_CAMPAIGN = ("-C", "--campaign")
"""Options before a command that name a campaign."""


def find_completions(
    before: Sequence[str], incomplete: str, folder: str = "", options: Sequence[str] = ()
) -> Completions:
    """Return the completions of `incomplete` after the words before it.

    `folder` is the campaign's; by default it is found from the current folder. `options` are the program's
    own options, which may come before any command. There are no completions if the line can't be read.
    """
    words = list(before)
    while words and words[0] in OTHER_CAMPAIGN:
        if len(words) == 1:
            return Completions(place=FOLDERS)
        _, folder, *words = words
    near = Invocation(folder or None)
    if not words:
        return Completions(_complete_first_word(near, options, incomplete))
    if len(words) == 1 and not incomplete.startswith("-") and _is_group_of_scene(words[0]):
        return Completions(
            _names_beginning_with(commands_in_group(words[0]), incomplete)
        )  # without building all of its commands
    try:
        context = _parse_unfinished_line(near, words)
    except Exception:  # whatever is wrong with the line is reported when it is played
        return Completions()
    option, parted, value = incomplete.partition("=")
    if parted and option.startswith("-"):
        words, incomplete = [*words, option], value
    place = (
        None if incomplete.startswith("-") and "--" not in words else _parameter_to_complete(context, words)
    )
    if place is not None:
        if _is_value_option(place):  # an option without its value would keep the others from being read
            last = max(number for number, word in enumerate(words) if word in place.opts)
            context = _parse_unfinished_line(near, words[:last])
            _take_single_word_as_target(context)
        return _complete_parameter(context, place, incomplete)
    if isinstance(context.command, TyperGroup) and not incomplete.startswith("-"):
        also = (
            registry.top_level_commands_listed_in_groups().get(context.command.name or "", ())
            if context.parent
            else ()
        )
        return Completions(
            _names_beginning_with([*_commands_with_hidden_if_prefix(context, incomplete), *also], incomplete)
        )
    return Completions(
        list(
            dict.fromkeys(
                [
                    *_next_words_of_legal_options(context, None, incomplete),
                    *_option_names_after_hyphen(context, incomplete),
                ]
            )
        )
    )


def _commands_with_hidden_if_prefix(context: typer.Context, prefix: str) -> list[str]:
    """Return the names of a group's commands that Tab may offer.

    Hidden commands are among them only if the beginning of a word was typed (`prefix`).
    """
    group = context.command
    assert isinstance(group, TyperGroup)
    named = [(name, group.get_command(context, name)) for name in group.list_commands(context)]
    return [name for name, command in named if prefix or not (command and command.hidden)]


def completions_of_last_word(line: str, folder: str) -> list[str]:
    """Return the completions of the last word of a line, in the campaign of a folder."""
    before, space, last = line.rpartition(" ")
    return quoted_completions_with_blank(before + space, last, folder)


def quoted_completions_with_blank(before: str, incomplete: str, folder: str = "") -> list[str]:
    """Return the completions of a word, each quoted if needed and with a blank at the end.

    `incomplete` is the beginning of the word, and `before` is the part of the line in front of it. If
    `before` has an open quote, there are no completions.
    """
    try:
        words = split_words_keeping_apostrophes(before)
    except ValueError:  # within quotes
        return []
    return [f"{quote_word_if_needed(word)} " for word in find_completions(words, incomplete, folder).words]


def _complete_first_word(invocation: Invocation, option_flags: Sequence[str], prefix: str) -> list[str]:
    """Return the possible first words of a line that begin with `prefix`.

    They are commands, and the first words of lines in short form. If `prefix` begins with a hyphen, they are
    options instead. If `prefix` is empty, the commands are only those of the first help screen, since all
    commands would fill the screen.
    """
    names = option_flags
    if not prefix.startswith("-"):
        commands = commands_in_use(invocation) if prefix else commands_on_first_screen(invocation)
        names = [*ShortForms(invocation, commands_in_group).aliases_and_verbs(), *commands]
    return [name for name in dict.fromkeys(names) if name.startswith(prefix)]


def _parse_unfinished_line(invocation: Invocation, words: Sequence[str]) -> typer.Context:
    """Return Typer's context for an unfinished line: the command reached, with the arguments read so far.

    Raises Typer's own errors if the line can't be read.
    """
    root = typer.Context(
        TyperGroup(name="strike"), info_name="strike", obj=invocation, resilient_parsing=True
    )
    root.params["campaign"] = invocation.folder
    first, *rest = expand_short_line(words, invocation)
    group = build_command_or_group(first, rest[0] if rest else None)
    context: typer.Context = group.make_context(first, list(rest), parent=root, resilient_parsing=True)  # type: ignore[assignment]  # its own class is private
    rest = _words_after_options(group.params, rest)
    while rest and isinstance(context.command, TyperGroup):
        name, command, rest = context.command.resolve_command(context, rest)
        if command is None:
            return context
        context = command.make_context(name, list(rest), parent=context, resilient_parsing=True)  # type: ignore[assignment]  # likewise
        rest = _words_after_options(command.params, rest)
    return context


def _words_after_options(params: Iterable[object], words: Sequence[str]) -> list[str]:
    """Return the words after a group's own options: a command of the group, and the command's words."""
    values = {name for each in params if _is_value_option(each) for name in each.opts}
    rest = list(words)
    while rest and rest[0].startswith("-"):
        del rest[: 2 if rest[0] in values else 1]
    return rest


def _is_value_option(parameter: object) -> TypeGuard[TyperOption]:
    return isinstance(parameter, TyperOption) and not parameter.is_flag and not parameter.count


def _take_single_word_as_target(context: typer.Context) -> None:
    """Treat a single typed word as the target, if the command's actor may be left out.

    The context's parameters are changed: the word moves from the actor to the argument after it.
    """
    declared = _declaration_of_line(context)
    actor = declared.actor_parameter() if declared else ""
    others = [str(each.name) for each in context.command.params if isinstance(each, TyperArgument)][1:]
    if actor and others and not any(map(context.params.get, others)):
        context.params[others[0]] = context.params.get(actor)
        context.params[actor] = None


def _parameter_to_complete(context: typer.Context, words: Sequence[str]) -> Parameter | None:
    """Return the option whose value comes next, or the first argument that takes another word.

    Return None if only a command, or the name of an option, can come next.
    """
    places = context.command.params
    for each in places:
        last = next((word for word in reversed(words[-each.nargs :]) if word.startswith("-")), "")
        if _is_value_option(each) and last in each.opts:
            return each
    return next(
        (each for each in places if isinstance(each, TyperArgument) and _takes_another_word(context, each)),
        None,
    )


def _takes_another_word(context: typer.Context, argument: TyperArgument) -> bool:
    name = str(argument.name)
    source = context.get_parameter_source(name)
    return argument.nargs == -1 or source is None or source.name != "COMMANDLINE"


def _option_names_after_hyphen(context: typer.Context, prefix: str) -> list[str]:
    """Return the names of a command's options that begin with `prefix`, long names before short ones.

    Hidden options are left out. Options that were typed already are also left out, unless they can be
    repeated.
    """
    if not prefix.startswith("-"):
        return []
    return _names_beginning_with(
        (
            name
            for each in context.command.get_params(context)
            if isinstance(each, TyperOption) and not each.hidden
            if each.multiple
            or getattr(context.get_parameter_source(str(each.name)), "name", "") != "COMMANDLINE"
            for name in (*each.opts, *each.secondary_opts)
        ),
        prefix,
    )


def _is_group_of_scene(group: str) -> bool:
    known = registry.known_systems().get(group)
    return known is not None and bool(known.scene)


def _complete_parameter(context: typer.Context, parameter: Parameter, prefix: str) -> Completions:
    """Return the completions for an argument or for the value of an option.

    If the argument takes several words, the completions for the argument after it are included.
    """
    own = _complete_legal_words_else_names(context, parameter, prefix)
    places = [each for each in context.command.params if isinstance(each, TyperArgument)]
    if parameter not in places or parameter.nargs != -1 or parameter is places[-1]:
        return own
    after = _complete_legal_words_else_names(context, places[places.index(parameter) + 1], prefix)
    return Completions(list(dict.fromkeys([*own.words, *after.words])), own.place)


def _complete_legal_words_else_names(
    context: typer.Context, parameter: Parameter, prefix: str
) -> Completions:
    noun = parameter.metavar
    if isinstance(noun, Metavar) and noun.place:
        return Completions(place=noun.place)
    if legal := _next_words_of_legal_options(context, parameter, prefix):
        return Completions(legal)
    if isinstance(noun, Metavar):
        return Completions(_names_beginning_with(_names_of_noun(noun, context), prefix))
    # Typer's own completions, for parameters of its own types.
    return Completions([str(item.value) for item in parameter.shell_complete(context, prefix) if item.value])


def _names_of_noun(noun: Metavar, context: typer.Context) -> Iterator[str]:
    """Yield the names that may be typed for a noun, such as skills or creatures, in the line's campaign."""
    if noun.words is not None:
        yield from noun.words()
    campaign = _campaign_of_line(context) if noun.names else None
    if campaign is None or noun.names is None:
        return
    with suppress(Exception), campaign:  # the command itself reports a state in a wrong form
        yield from noun.names(campaign, context.params)


def _campaign_of_line(context: typer.Context) -> Campaign | None:
    from ..terminal.move_commands import open_campaign_for_completion

    return open_campaign_for_completion(context)


def _names_beginning_with(names: Iterable[str], prefix: str) -> list[str]:
    from ..terminal.move_commands import printable_names_beginning_with

    return printable_names_beginning_with(names, prefix)


# Legal options


def _next_words_of_legal_options(
    context: typer.Context, parameter: Parameter | None, prefix: str
) -> list[str]:
    """Return the words that continue the line to a legal option of the scene under way.

    `parameter` is the argument or the option whose value is completed; it is None after all arguments. No
    words are returned if there is no scene, if a decision is open, or if a plugin's rule fails.
    """
    from ..play.legal_options import limit_listing_time

    words = context.command_path.split()[1:]
    known = registry.known_systems().get(words[0]) if words else None
    if known is None or not known.scene or len(words) < 2:
        return []
    campaign = _campaign_of_line(context)
    try:
        with campaign or nullcontext():
            table = campaign.state.get(known.scene) if campaign else None
            if campaign is None or table is None or known.scene in pending_decisions_in(campaign.state):
                return []
            line = _UnfinishedLine(campaign, registry.load_known_system(words[0]), words[1:], context)
            with limit_listing_time(line.system):
                following = _names_beginning_with(line.following_words(parameter), prefix)
                return following or _names_beginning_with(
                    line.map_labels_of_following_people(parameter, prefix), prefix
                )
    except Exception:  # a plugin's rule may fail in any way; the command itself reports it
        return []


class _UnfinishedLine:
    """An unfinished line of a scene's command, compared with the scene's legal options."""

    def __init__(
        self, campaign: Campaign, system: System, verb: Sequence[str], context: typer.Context
    ) -> None:
        from ..kernel.procedure import World
        from ..registry.scenes_and_decisions_in_state import scene_or_bare_scene_from_table

        self.system, self.verb, self.context = system, tuple(verb), context
        self.world = World(campaign.book, campaign.state)
        table = require_scene_table(campaign.state, system.scene.key)
        self.scene: Scene = scene_or_bare_scene_from_table(system, table, {})
        self.people = {person: one.name for person, one in self.scene.people.items()}
        declared = _declaration_of_line(context)
        self._acts_for = declared.actor_parameter() if declared else ""
        self._last_word = declared.trailing_option() if declared else ""
        """The option whose value may also come last, without the option's name."""

    def following_words(self, parameter: Parameter | None) -> Iterator[str]:
        """Yield each word with which a legal option continues the line; names of options come last."""
        from ..play.legal_options import refusal_of_move

        option_names = tuple(parameter.opts) if isinstance(parameter, TyperOption) else ()
        told: dict[str, None] = {}
        for typed in self._possible_readings():
            for option in self._bot_options_of_command():
                new = [
                    word
                    for word in _next_words_of_option(
                        option.typed[len(self.verb) :], typed, option_names, self._last_word
                    )
                    if word not in told
                ]
                if new and refusal_of_move(self.world, option.command, option.args) is None:
                    told |= dict.fromkeys(new)
                    yield from (word for word in new if not word.startswith("--"))
        yield from (word for word in told if word.startswith("--"))

    def map_labels_of_following_people(self, parameter: Parameter | None, prefix: str) -> Iterator[str]:
        """Yield the map labels of the people who can be named next in the line.

        A person can be named next if a legal option continues the line with that person. `prefix` is the
        beginning of the word that is being typed. If it is "", nothing is yielded.
        """
        from ..terminal.battlemap.labels_and_marks import map_labels

        if prefix:
            short = map_labels(self.scene)
            yield from (short[word].lower() for word in self.following_words(parameter) if word in short)

    def _bot_options_of_command(self) -> Iterator[Option]:
        from ..play.legal_options import bot_of

        for option in bot_of(self.system).options(self.world):
            if option.typed[: len(self.verb)] == self.verb:
                yield option

    def _possible_readings(self) -> Iterator[list[str]]:
        """Yield the possible readings of the arguments typed so far, with ids in place of people's names.

        In a person's turn, the command's actor may be left out. Then the first reading has that person in
        front.
        """
        order = self.scene.order
        active = order.active if order and order.active in self.people else None
        words: list[str] = []
        for each in self.context.command.params:
            value = self.context.params.get(str(each.name))
            if isinstance(each, TyperArgument) and value:
                words += list(value) if isinstance(value, list | tuple) else [value]
        plain = [self._id_of_word(word, active) for word in words]
        if active and self._acts_for and plain[:1] != [active]:
            yield [active, *plain]
        yield plain

    def _id_of_word(self, word: object, person_for_dot: str | None) -> str:
        from ..terminal.battlemap.labels_and_marks import map_labels
        from ..terminal.name_lookup import find_id_if_any

        if word == "." and person_for_dot:
            return person_for_dot
        with suppress(Usage):
            return find_id_if_any(str(word), self.people, lambda: map_labels(self.scene)) or str(word)
        return str(word)


def _declaration_of_line(context: typer.Context) -> Command | None:
    from ..terminal.commands_and_options import declared_command_of

    return declared_command_of(context.command)


def _next_words_of_option(
    words: Sequence[str], typed: Sequence[str], option_names: Sequence[str], last_word: str
) -> list[str]:
    """Return the words of a legal move that may be typed next; [] if the move doesn't begin as typed.

    Usually this is one word. If this word is `last_word`, the value after it is returned, too, because the
    value may be typed without `last_word`.

    Args:
        words: The words of the legal move, after its verb.
        typed: The words that were typed before.
        option_names: The names of an option such as `--power`, if its value is to be completed. Then only
            this value is returned.
        last_word: The name of the option that may be left out before its value.
    """
    count = next((number for number, word in enumerate(words) if word.startswith("--")), len(words))
    arguments, rest = words[:count], words[count:]
    same = len(typed) <= len(arguments) and all(
        one.lower() == other.lower() for one, other in zip(arguments, typed, strict=False)
    )
    if not same:
        return []
    if option_names:
        return [value for name, value in pairwise(rest) if name in option_names][:1]
    following = words[len(typed) : len(typed) + 2]
    return list(following if following[:1] == (last_word,) else following[:1])
