"""Completions for Tab, in bash, zsh, fish and strike's own shell: legal words, and files where one is due.

`cli.shell_completion` has the scripts that ask. First come the scene's legal options, which its moves have
accepted; then the place's declaration, by its `Noun`. Begin with `complete_word`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import nullcontext, suppress
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import typer
from typer.core import TyperArgument, TyperGroup, TyperOption

from .. import registry
from ..kernel.facts import table_under_way, waiting_in
from ..problems import Usage
from ..terminal.argument_names import Noun
from ..terminal.invocation import Invocation
from ..terminal.options import FOLDERS
from ..word_splitting import quote_word, words_of
from .command_catalogue import build_group, names_of_an_evening, names_used, verbs_of, written_out
from .shorthand import Spoken

if TYPE_CHECKING:
    from typing import TypeGuard

    from ..campaign import Campaign
    from ..play.legal_options import Option
    from ..registry.declaration import System
    from ..tabletop.scene import Scene
    from ..terminal.options import Command
    from ..terminal.usage_errors import Parameter


class Completions(NamedTuple):
    """The completions for the unfinished word; or where a script finds them (`FILES`, `FOLDERS`)."""

    words: Sequence[str] = ()
    place: str = ""


OTHER_CAMPAIGN = ("-C", "--campaign")
"""Options before a command that name a campaign."""


def find_completions(
    before: Sequence[str], incomplete: str, folder: str = "", options: Sequence[str] = ()
) -> Completions:
    """Return the possible replacements for `incomplete`, after the words before it.

    They are those of the campaign in a folder, else of the one nearby; before any command also the program's
    own `options`. There are none where the line can't be read.
    """
    words = list(before)
    while words and words[0] in OTHER_CAMPAIGN:
        if len(words) == 1:
            return Completions(place=FOLDERS)
        _, folder, *words = words
    near = Invocation(folder or None)
    if not words:
        return Completions(_complete_first_word(near, options, incomplete))
    if len(words) == 1 and not incomplete.startswith("-") and _is_scene(words[0]):
        return Completions(_beginning(verbs_of(words[0]), incomplete))  # without building all of its commands
    try:
        context = _read(near, words)
    except Exception:  # whatever is wrong with the line is reported when it is played
        return Completions()
    option, parted, value = incomplete.partition("=")
    if parted and option.startswith("-"):
        words, incomplete = [*words, option], value
    place = None if incomplete.startswith("-") and "--" not in words else _place_of(context, words)
    if place is not None:
        if _is_value_option(place):  # an option without its value would keep the others from being read
            last = max(number for number, word in enumerate(words) if word in place.opts)
            context = _read(near, words[:last])
            _shift_for_actor(context)
        return _complete_place(context, place, incomplete)
    if isinstance(context.command, TyperGroup) and not incomplete.startswith("-"):
        also = registry.grouped_commands().get(context.command.name or "", ()) if context.parent else ()
        return Completions(_beginning([*_commands(context, incomplete), *also], incomplete))
    return Completions(
        list(dict.fromkeys([*_legal(context, None, incomplete), *_options(context, incomplete)]))
    )


def _commands(context: typer.Context, begun: str) -> list[str]:
    """Return the names of a group's commands; hidden ones only once a word is begun."""
    group = context.command
    assert isinstance(group, TyperGroup)
    named = [(name, group.get_command(context, name)) for name in group.list_commands(context)]
    return [name for name, command in named if begun or not (command and command.hidden)]


def line_completions(line: str, folder: str) -> list[str]:
    """Return the possible replacements for the last word of a line, in the campaign of a folder."""
    before, space, last = line.rpartition(" ")
    return complete_word(before + space, last, folder)


def complete_word(before: str, incomplete: str, folder: str = "") -> list[str]:
    """Return the possible replacements for `incomplete`, after the text typed before it."""
    try:
        words = words_of(before)
    except ValueError:  # within quotes
        return []
    return [f"{quote_word(word)} " for word in find_completions(words, incomplete, folder).words]


def _complete_first_word(near: Invocation, options: Sequence[str], begun: str) -> list[str]:
    """Return the possible first words with this beginning, including a short line's words.

    Without a beginning only the commands of an evening are included: all commands would fill the screen.
    """
    names = options
    if not begun.startswith("-"):
        commands = names_used(near) if begun else names_of_an_evening(near)
        names = [*Spoken(near, verbs_of).known(), *commands]
    return [name for name in dict.fromkeys(names) if name.startswith(begun)]


def _read(near: Invocation, words: Sequence[str]) -> typer.Context:
    """Return Typer's context of an unfinished line: its command so far, and the arguments read.

    Raises Typer's own errors where the line can't be read.
    """
    root = typer.Context(TyperGroup(name="strike"), info_name="strike", obj=near, resilient_parsing=True)
    root.params["campaign"] = near.folder
    first, *rest = written_out(words, near)
    group = build_group(first, rest[0] if rest else None)
    context: typer.Context = group.make_context(first, list(rest), parent=root, resilient_parsing=True)  # type: ignore[assignment]  # its own class is private
    rest = _complete_after_options(group.params, rest)
    while rest and isinstance(context.command, TyperGroup):
        name, command, rest = context.command.resolve_command(context, rest)
        if command is None:
            return context
        context = command.make_context(name, list(rest), parent=context, resilient_parsing=True)  # type: ignore[assignment]  # likewise
        rest = _complete_after_options(command.params, rest)
    return context


def _complete_after_options(params: Iterable[object], words: Sequence[str]) -> list[str]:
    """Return the words after a group's own options: a command of the group, and its words."""
    values = {name for each in params if _is_value_option(each) for name in each.opts}
    rest = list(words)
    while rest and rest[0].startswith("-"):
        del rest[: 2 if rest[0] in values else 1]
    return rest


def _is_value_option(place: object) -> TypeGuard[TyperOption]:
    return isinstance(place, TyperOption) and not place.is_flag and not place.count


def _shift_for_actor(context: typer.Context) -> None:
    """Take a single typed word for the target of a command with the active person as its actor."""
    declared = _command_under_way(context)
    actor = declared.actor() if declared else ""
    others = [str(each.name) for each in context.command.params if isinstance(each, TyperArgument)][1:]
    if actor and others and not any(map(context.params.get, others)):
        context.params[others[0]] = context.params.get(actor)
        context.params[actor] = None


def _place_of(context: typer.Context, words: Sequence[str]) -> Parameter | None:
    """Return the option whose value comes next, else the first argument that takes another word.

    None where a command or an option comes next.
    """
    places = context.command.params
    for each in places:
        last = next((word for word in reversed(words[-each.nargs :]) if word.startswith("-")), "")
        if _is_value_option(each) and last in each.opts:
            return each
    return next(
        (each for each in places if isinstance(each, TyperArgument) and _is_open(context, each)), None
    )


def _is_open(context: typer.Context, argument: TyperArgument) -> bool:
    """Return whether an argument takes another word."""
    name = str(argument.name)
    source = context.get_parameter_source(name)
    return argument.nargs == -1 or source is None or source.name != "COMMANDLINE"


def _options(context: typer.Context, begun: str) -> list[str]:
    """Return the names of a command's options with this beginning, long ones before short ones.

    Those already typed and the hidden ones are left out.
    """
    if not begun.startswith("-"):
        return []
    return _beginning(
        (
            name
            for each in context.command.get_params(context)
            if isinstance(each, TyperOption) and not each.hidden
            if each.multiple
            or getattr(context.get_parameter_source(str(each.name)), "name", "") != "COMMANDLINE"
            for name in (*each.opts, *each.secondary_opts)
        ),
        begun,
    )


def _is_scene(group: str) -> bool:
    known = registry.known_systems().get(group)
    return known is not None and bool(known.scene)


def _complete_place(context: typer.Context, place: Parameter, begun: str) -> Completions:
    """Return the possible words in the place of an argument or an option's value.

    Of an argument that takes several words, the words that may come after them are there, too.
    """
    own = _complete_one_place(context, place, begun)
    places = [each for each in context.command.params if isinstance(each, TyperArgument)]
    if place not in places or place.nargs != -1 or place is places[-1]:
        return own
    after = _complete_one_place(context, places[places.index(place) + 1], begun)
    return Completions(list(dict.fromkeys([*own.words, *after.words])), own.place)


def _complete_one_place(context: typer.Context, place: Parameter, begun: str) -> Completions:
    """Return the completions as `_complete_place` does, for this place alone."""
    noun = place.metavar
    if isinstance(noun, Noun) and noun.place:
        return Completions(place=noun.place)
    if legal := _legal(context, place, begun):
        return Completions(legal)
    if isinstance(noun, Noun):
        return Completions(_beginning(_names_of_noun(noun, context), begun))
    # Typer's own completions, for parameters of its own types.
    return Completions([str(item.value) for item in place.shell_complete(context, begun) if item.value])


def _names_of_noun(noun: Noun, context: typer.Context) -> Iterator[str]:
    """Yield the names that a noun stands for in the campaign of the line."""
    if noun.words is not None:
        yield from noun.words()
    campaign = _campaign(context) if noun.names else None
    if campaign is None or noun.names is None:
        return
    with suppress(Exception), campaign:  # the command itself reports a state in a wrong form
        yield from noun.names(campaign, context.params)


def _campaign(context: typer.Context) -> Campaign | None:
    from ..terminal.declare import campaign_of

    return campaign_of(context)


def _beginning(names: Iterable[str], begun: str) -> list[str]:
    from ..terminal.declare import names_beginning

    return names_beginning(names, begun)


# Legal options


def _legal(context: typer.Context, place: Parameter | None, begun: str) -> list[str]:
    """Return the words for an argument or an option's value, from the legal options of the scene under way.

    With no place they are the words that may follow all arguments.
    """
    from ..play.legal_options import listing_in_time

    words = context.command_path.split()[1:]
    known = registry.known_systems().get(words[0]) if words else None
    if known is None or not known.scene or len(words) < 2:
        return []
    campaign = _campaign(context)
    try:
        with campaign or nullcontext():
            table = campaign.state.get(known.scene) if campaign else None
            if campaign is None or table is None or known.scene in waiting_in(campaign.state):
                return []
            line = _Line(campaign, registry.load_system(words[0]), words[1:], context)
            with listing_in_time(line.system):
                following = _beginning(line.next_words(place), begun)
                return following or _beginning(line.labels(place, begun), begun)
    except Exception:  # a plugin's rule may fail in any way; the command itself reports it
        return []


class _Line:
    """The typed beginning of a scene's command, compared with the legal options."""

    def __init__(
        self, campaign: Campaign, system: System, verb: Sequence[str], context: typer.Context
    ) -> None:
        from ..kernel.procedure import World
        from ..registry.scenes import scene_of

        self.system, self.verb, self.context = system, tuple(verb), context
        self.world = World(campaign.book, campaign.state)
        table = table_under_way(campaign.state, system.scene.key)
        self.scene: Scene = scene_of(system, table, {})
        self.people = {person: one.name for person, one in self.scene.people.items()}
        declared = _command_under_way(context)
        self._acts_for = declared.actor() if declared else ""
        self._last_word = declared.last_word() if declared else ""
        """The option whose value may also come last, without the option's name."""

    def next_words(self, place: Parameter | None) -> Iterator[str]:
        """Yield the words that may come next, each once; names of options after all others."""
        from ..play.legal_options import why_not

        option_names = tuple(place.opts) if isinstance(place, TyperOption) else ()
        told: dict[str, None] = {}
        for typed in self._typed_ways():
            for option in self._options():
                new = [
                    word
                    for word in _next_words(
                        option.typed[len(self.verb) :], typed, option_names, self._last_word
                    )
                    if word not in told
                ]
                if new and why_not(self.world, option.command, option.args) is None:
                    told |= dict.fromkeys(new)
                    yield from (word for word in new if not word.startswith("--"))
        yield from (word for word in told if word.startswith("--"))

    def labels(self, place: Parameter | None, begun: str) -> Iterator[str]:
        """Yield the map's labels of the people who may be named, where a label is typed."""
        from ..terminal.battlemap.labels import labels

        if begun:
            short = labels(self.scene)
            yield from (short[word].lower() for word in self.next_words(place) if word in short)

    def _options(self) -> Iterator[Option]:
        from ..play.legal_options import bot_of

        for option in bot_of(self.system).options(self.world):
            if option.typed[: len(self.verb)] == self.verb:
                yield option

    def _typed_ways(self) -> Iterator[list[str]]:
        """Yield the words in the places of arguments, ids for people.

        Where the actor may be left out, the words are also yielded with the actor in front.
        """
        order = self.scene.order
        active = order.active if order and order.active in self.people else None
        words: list[str] = []
        for each in self.context.command.params:
            value = self.context.params.get(str(each.name))
            if isinstance(each, TyperArgument) and value:
                words += list(value) if isinstance(value, list | tuple) else [value]
        plain = [self._id(word, active) for word in words]
        if active and self._acts_for and plain[:1] != [active]:
            yield [active, *plain]
        yield plain

    def _id(self, word: object, active: str | None) -> str:
        from ..terminal.battlemap.labels import labels
        from ..terminal.name_lookup import find_if_any

        if word == "." and active:
            return active
        with suppress(Usage):
            return find_if_any(str(word), self.people, lambda: labels(self.scene)) or str(word)
        return str(word)


def _command_under_way(context: typer.Context) -> Command | None:
    """Return the declaration of the command under way."""
    from ..terminal.options import declaration_of

    return declaration_of(context.command)


def _next_words(
    words: Sequence[str], typed: Sequence[str], option_names: Sequence[str], last_word: str
) -> list[str]:
    """Return the words of an option of the scene that may follow the typed words; none for other options.

    That is its next word alone; where that is `last_word`, an option, also its value.
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
