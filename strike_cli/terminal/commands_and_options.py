"""Options that every command has, such as the campaign and the form of output.

The parsing of a command's words is here, too. Begin with `StrikeCommand`.
"""

from __future__ import annotations

import inspect
import os
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext, suppress
from copy import copy
from functools import cached_property, partial
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, get_args

import typer
from typer.core import TyperArgument, TyperCommand, TyperGroup, TyperOption

from ..content import CAMPAIGN_FILE
from ..deprecated_api_names import OldName
from ..problems import CampaignProblem, Problem, Usage
from ..untrusted_input import is_safe_unsigned_number
from .command_output import Result, handle_print_failure, print_result
from .invocation import ASK, AT_TERMINAL, FacesOf, Invocation, MoveParsed

if TYPE_CHECKING:
    from typing import ParamSpec, Protocol, TypedDict, Unpack

    from ..campaign import Campaign
    from ..play.command_execution import PerformedCommand, PlaySettings

    Signature = ParamSpec("Signature")

    class FunctionWithOptions(Protocol):
        """The function of a command.

        Its first argument has the options that commands share. The typed words are its keyword arguments, by
        the names of its parameters.
        """

        def __call__(self, options: Options, **words: object) -> Result:
            """Return the result of the command."""

    class CommonOptions(TypedDict, total=False):
        """The values of the options that commands have in common, as Typer has parsed them.

        Each key is the name of the option's parameter.
        """

        campaign: str | None
        json: bool
        plain: bool
        debug: bool
        dry_run: bool
        note: str
        secret: bool
        yes: bool
        dice: list[str] | None
        choose: list[str] | None
        seed: int | None
        reroll: bool
        explain: bool

    class AppSettings(TypedDict, total=False):
        """Settings with which Typer makes a group of commands."""

        cls: type[TyperGroup]
        name: str
        context_settings: dict[str, object]
        hidden: bool
        rich_help_panel: str

    class CommandSettings(TypedDict, total=False):
        """Settings with which Typer makes a command."""

        cls: type[TyperCommand]
        context_settings: dict[str, object]
        help: str
        epilog: str
        short_help: str
        no_args_is_help: bool
        hidden: bool
        deprecated: bool
        rich_help_panel: str


TEXTS = ("--why", "--note")
"""Options whose value is every word up to the next option."""
ONLY_TEXT = "--"
"""The word after which everything is text."""


AnyCommand = TyperCommand | TyperGroup
"""A command or a group of them, as Typer builds it."""
Names = Callable[["Campaign", Mapping[str, object]], Iterable[str]]
"""A function that returns the suggestions for a parameter, from the campaign and the words typed so far, by
parameter."""
Words = Callable[[], Iterable[str]]
"""Suggestions for a parameter that are the same in any campaign."""
FILES, FOLDERS = ":files", ":folders"
"""The words that tell a shell's script to complete files, or folders, itself."""


class Metavar(str):
    """The name of a value in help, such as `WHO`, together with the suggestions for Tab completion.

    Attributes:
        words: Returns suggestions that are the same in every campaign.
        names: Returns the names of things in a campaign.
        place: FILES or FOLDERS, if the shell completes a file or folder itself.
        is_number: The value is a number, which may be negative.
    """

    __slots__ = ("is_number", "names", "place", "words")
    is_number: bool
    names: Names | None
    words: Words | None
    place: str

    def __new__(
        cls,
        text: str,
        names: Names | None = None,
        *,
        words: Words | None = None,
        place: str = "",
        counts: bool = False,
    ) -> Metavar:
        noun = super().__new__(cls, text)
        noun.names, noun.words, noun.place, noun.is_number = names, words, place, counts
        return noun

    def with_text(self, text: str) -> Metavar:
        """Return a copy with another text: `WHO.with_text("[WHO]...")`."""
        return Metavar(text, self.names, words=self.words, place=self.place, counts=self.is_number)

    called = OldName("with_text")
    counts = OldName("is_number")


def choice_metavar(*words: str) -> Metavar:
    """Return the metavar of a value that must be one of `words`, such as `up|down|keep`."""
    return Metavar("|".join(words), words=lambda: words)


FOLDER = Metavar("DIR", place=FOLDERS)
"""A folder, which the shell completes."""
STRIKE_TITLE = "Strike!"
"""The title of Strike!'s own options in a help, where a command has options of several games."""
BOTH = "; "
"""The separator between the titles of games in help, for an option that they share."""


class SurplusWords(typer.TyperException):
    """Raised for more words than a command takes.

    `words` has the words that are too many.
    """

    def __init__(self, words: Sequence[str]) -> None:
        super().__init__(" ".join(words))
        self.words = words


class StrikeCommand(TyperCommand):
    """A command that refuses wrong words in strike's own words.

    Texts after `--why` and `--note` need no quotes.
    """

    def parse_args(self, ctx: typer.Context, args: list[str]) -> list[str]:  # type: ignore[override]  # Typer passes its own
        """Parse the typed words. Raises Usage for words that the command doesn't accept."""
        self._refuse_single_dash(ctx, args)
        args = self.join_unquoted_texts(ctx, args)
        self.refuse_option_typed_as_value(ctx, args)
        ctx.meta[TYPED] = args
        try:
            return self.parse_all_into_context(ctx, args)
        except typer.TyperException as error:
            from .usage_refusals import refusal_for_typer_error

            raise refusal_for_typer_error(error, self, ctx, args) from None

    def format_help(self, ctx, formatter):  # type: ignore[no-untyped-def]  # classes of Typer that are private
        """Write the help, without the options of games that the campaign doesn't play."""
        panels = {panel for each in self.params if (panel := getattr(each, "rich_help_panel", None))}
        shown = self
        if panels - {"Everywhere"}:
            left_out = _panels_of_other_games_if_any_played(_games_of_campaign(ctx), panels)
            shown = copy(self)
            shown.params = [
                each for each in self.params if getattr(each, "rich_help_panel", None) not in left_out
            ]
        super(StrikeCommand, shown).format_help(ctx, formatter)

    def _refuse_single_dash(self, ctx: typer.Context, args: Sequence[str]) -> None:
        """Raise Usage for an option that was typed with one dash instead of two.

        `-dice 4`, for example, would be read as `-d ice`.
        """
        for word in args:
            if word == ONLY_TEXT:
                return
            if (
                len(word) > 2
                and word[0] == "-"
                and word[1].isalpha()
                and f"-{word}" in self.which_options_take_value(ctx)
            ):
                from .usage_refusals import command_path_without_strike

                raise Usage(
                    f"`{command_path_without_strike(ctx)}` has no option {word}. Did you mean '-{word}'?"
                )

    def join_unquoted_texts(self, ctx: typer.Context, args: Sequence[str]) -> list[str]:
        """Return the words, with the text after `--why` or `--note` joined to a single word."""
        if not any(word in TEXTS for word in args):
            return list(args)
        return join_option_texts(args, self.which_options_take_value(ctx))

    def refuse_option_typed_as_value(self, ctx: typer.Context, args: Sequence[str]) -> None:
        """Raise Usage for an option that has no value, and is followed by another option.

        The other option would otherwise be taken for the value.
        """
        if ctx.resilient_parsing or sum(word.startswith("-") for word in args) < 2:
            return
        options = self.which_options_take_value(ctx)
        for word, following in pairwise(args):
            if word == ONLY_TEXT:
                return
            if options.get(word) and following in options:
                from .usage_refusals import missing_value_refusal

                raise missing_value_refusal(self, ctx, word, following)

    def which_options_take_value(self, ctx: typer.Context) -> Mapping[str, bool]:
        """Return every option of the command, common ones included, and whether the option has a value."""
        found: dict[str, bool] = {}
        for each in self.get_params(ctx):
            if isinstance(each, TyperOption):
                takes_value = not (each.is_flag or each.count)
                found |= dict.fromkeys([*each.opts, *each.secondary_opts], takes_value)
        return found

    def parse_all_into_context(self, ctx: typer.Context, args: Sequence[str]) -> list[str]:
        """Parse the typed words, and store their values in the parameters of `ctx`.

        Return the words that are left over. There are none, except during tab completion. Raises
        TyperException for words that don't fit the parameters.
        """
        if ctx.resilient_parsing:
            ctx.allow_extra_args = True
            return list(super().parse_args(ctx, list(args)))
        # As in Typer, which parses the defaults of some twenty options anew for each command: that takes as
        # long as playing many commands.
        words, left, typed = self.make_parser(ctx).parse_args(args=list(args))
        for each in sorted(dict.fromkeys(typed), key=lambda one: not one.is_eager):
            each.handle_parse_result(ctx, words, left)
        for each in self.params:
            name = str(each.name)
            if name not in ctx.params:
                if name not in self._defaults_parsed_so_far:
                    self._defaults_parsed_so_far[name] = each.handle_parse_result(ctx, {}, [])[0]
                ctx.params[name] = self._defaults_parsed_so_far[name]
        if left and not self.join_surplus_words_to_only_name(ctx, left):
            raise SurplusWords(left)
        return []

    def join_surplus_words_to_only_name(self, ctx: typer.Context, left: Sequence[str]) -> bool:
        """Join surplus words to the value of the command's only argument, and return True.

        If the command doesn't have exactly one argument, or if the argument isn't a name, join nothing and
        return False.
        """
        places = [each for each in self.params if isinstance(each, TyperArgument)]
        if len(places) != 1 or getattr(places[0].metavar, "names", None) is None:
            return False
        name = str(places[0].name)
        ctx.params[name] = " ".join([str(ctx.params[name]), *left])
        return True

    def store_words_to_parse_later(
        self, ctx: typer.Context, args: Sequence[str], error: typer.TyperException
    ) -> bool:
        """Store words that don't fit the parameters, together with the error, and return True.

        The words are parsed later, with the names of the campaign: these show which words belong together.
        Return False if the error is about an option.
        """
        if not (isinstance(error, SurplusWords) or isinstance(getattr(error, "param", None), TyperArgument)):
            return False
        from .usage_refusals import refusal_for_typer_error

        words, left, typed = self.make_parser(ctx).parse_args(args=list(args))
        ctx.params.clear()
        for each in self.params:
            if isinstance(each, TyperOption):
                each.handle_parse_result(ctx, words if each in typed else {}, left)
            else:
                ctx.params[str(each.name)] = None
        ctx.meta[UNREAD] = (
            self.words_of_arguments(words, left),
            refusal_for_typer_error(error, self, ctx, args),
        )
        return True

    def words_of_arguments(self, parsed: Mapping[str, object], left: Sequence[str]) -> list[str]:
        """Return the words of all arguments in order: those parsed, and those left over."""
        values = [parsed.get(str(each.name)) for each in self.params if isinstance(each, TyperArgument)]
        spread = ([value] if isinstance(value, str) else value for value in values if value is not None)
        return [*(str(word) for words in spread for word in words), *left]  # type: ignore[attr-defined]  # a list

    @cached_property
    def _defaults_parsed_so_far(self) -> dict[str, object]:
        """The default values of parameters by name, filled as they are needed."""
        return {}


TYPED = "strike.typed"
"""The key of a context for the words of a command, in order."""
UNREAD = "strike.unread"
"""The key of a context for words that don't fit the parameters, and the error."""


class TypedWords:
    """The words that were typed as the arguments of a command.

    `options` has the values of the command's options. If the words can't be given to the command's parameters
    one by one, `refusal` is the error. Otherwise `refusal` is None.
    """

    def __init__(self, ctx: typer.Context, values: Mapping[str, object]) -> None:
        self._ctx = ctx
        self.longer_option = ""
        """The option whose value has several words in this reading."""
        self._places = {
            str(each.name): each for each in ctx.command.params if isinstance(each, TyperArgument)
        }
        self._values = values
        unread: tuple[list[str] | None, Usage | None] = ctx.meta.get(UNREAD, (None, None))
        self._unread, self.refusal = unread

    @cached_property
    def words(self) -> list[str]:
        """The words that were typed for the command's arguments, in order."""
        if self._unread is not None:
            return self._unread
        typed = [self._values[name] for name in self._places if _is_typed(self._ctx, name)]
        return [
            str(word) for value in typed for word in (value if isinstance(value, list | tuple) else [value])
        ]

    @property
    def options(self) -> dict[str, object]:
        """The values of the command's options, by the names of their parameters."""
        return {name: value for name, value in self._values.items() if name not in self._places}

    def readings_with_longer_option(
        self, names: Collection[str], most_words: int, join: Callable[[Sequence[str]], str]
    ) -> Iterator[TypedWords]:
        """Yield other readings of the typed line, in each of which one option has a longer value.

        Typer takes one word as the value of an option. Here the value takes from 2 to `most_words` words, and
        `join` makes one word of them. This is tried for the options of the parameters `names`.
        """
        args: Sequence[str] = self._ctx.meta.get(TYPED, ())
        command: StrikeCommand = self._ctx.command  # type: ignore[assignment]  # one that is declared
        flags = {
            flag: str(each.name)
            for each in (command.params if any(word.startswith("-") for word in args) else ())
            if each.name in names and isinstance(each, TyperOption)
            for flag in each.opts
        }
        for at, flag in enumerate(args):
            for end in range(at + 3, min(at + 1 + most_words, len(args)) + 1) if flag in flags else ():
                if args[end - 1].startswith("-"):
                    break
                line = [*args[: at + 1], join(args[at + 1 : end]), *args[end:]]
                with suppress(typer.TyperException):
                    parsed, left, _ = command.make_parser(self._ctx).parse_args(args=line)
                    longer = TypedWords(self._ctx, {**self._values, flags[flag]: parsed[flags[flag]]})
                    longer.words, longer.longer_option = command.words_of_arguments(parsed, left), flags[flag]
                    yield longer

    def convert_word(self, name: str, word: str) -> object:
        """Return a word converted to the type of the parameter `name`.

        Raises TyperException for an invalid word.
        """
        found: object = self._places[name].type_cast_value(self._ctx, word)
        return word if isinstance(found, str) else found


class StrikeGroup(TyperGroup):
    """A group of commands.

    It refuses unknown commands in strike's own words.
    """

    def resolve_command(self, ctx, args):  # type: ignore[no-untyped-def]  # classes of Typer that are private
        """Return the command named by the first word. Raises Usage for an unknown one."""
        if args and not ctx.resilient_parsing and self.get_command(ctx, args[0]) is None:
            from .usage_refusals import unknown_command_refusal

            raise unknown_command_refusal(self, ctx, args[0])
        return super().resolve_command(ctx, args)

    def parse_args(self, ctx: typer.Context, args: list[str]) -> list[str]:  # type: ignore[override]  # Typer passes its own
        """Parse the words before a command's name.

        Raises Usage for unknown options, or if no command follows.
        """
        typed = list(args)
        if not typed and self.no_args_is_help and not ctx.resilient_parsing:
            from .usage_refusals import missing_command_refusal

            raise missing_command_refusal(self, ctx)
        try:
            return list(super().parse_args(ctx, args))
        except typer.TyperException as error:
            from .usage_refusals import misplaced_or_unknown_option_refusal, refusal_for_typer_error

            if option := unknown_option_in(error):
                raise misplaced_or_unknown_option_refusal(
                    option, typed, common_option_metavars(), ctx.command_path
                ) from None
            raise refusal_for_typer_error(error, self, ctx, typed) from None


def _panels_of_other_games_if_any_played(played: Sequence[str], panels: Collection[str]) -> set[str]:
    """Return the help panels of games that aren't among those `played`; none if `played` is empty."""
    from ..registry import installed_plugins, load_known_system

    if not played:
        return set()
    index = installed_plugins.plugin_index()
    own = index.plugins[0].systems
    titles = {load_known_system(name).title: name in played for name in index.systems if name not in own}
    titles[STRIKE_TITLE] = any(name in own for name in played)
    return {panel for panel in panels if not any(titles.get(title, True) for title in panel.split(BOTH))}


def _games_of_campaign(ctx: typer.Context) -> Sequence[str]:
    """Return the games that the campaign of a command line lists, or nothing without a campaign."""
    try:
        near = Invocation(ctx.find_root().params.get("campaign"))
        campaign = Options({}, near).open_campaign_if_any()
    except Problem:
        return ()
    with campaign or nullcontext():
        return campaign.book.systems if campaign else ()


def join_option_texts(
    args: Sequence[str], option_takes_value: Mapping[str, bool], text_options: Sequence[str] = TEXTS
) -> list[str]:
    """Return the typed words, with the text of each text option joined to one word.

    `text_options` names the options that take a text. The text ends at the next option. A quoted text of
    several words is complete by itself. Within a text, `--` means that all further words belong to it.
    Elsewhere, the words after `--` are unchanged.
    """
    made: list[str] = []
    text: list[str] | None = None
    only_text = False
    for word in args:
        if text is not None and word == ONLY_TEXT and not only_text:
            only_text = True
        elif (
            text is not None
            and (only_text or word not in option_takes_value)
            and not (len(text) == 1 and " " in text[0])
        ):
            text.append(word)
        else:
            made += _join_words(text)
            text = [] if word in text_options else None
            made.append(word)
            if word == ONLY_TEXT:
                return made + list(args[args.index(word) + 1 :])
    return made + _join_words(text)


def _join_words(words: Sequence[str] | None) -> list[str]:
    return [" ".join(words)] if words else []


def options_then_arguments_as_text(
    command: StrikeCommand, ctx: typer.Context, args: Sequence[str]
) -> list[str]:
    """Return a command's words with the options first, and with all arguments joined to one text.

    The word ONLY_TEXT stands between the options and the text: what follows it isn't read as an option. If
    there are no arguments, return only the options.
    """
    options = command.which_options_take_value(ctx)
    kept: list[str] = []
    text: list[str] = []
    words = iter(join_option_texts(args, options))
    for word in words:
        name = word.partition("=")[0]
        if word == ONLY_TEXT:
            text += words
        elif name in options and (name == word or options[name]):
            kept.append(word)
            if options[name] and name == word:
                kept += [following for following in [next(words, None)] if following is not None]
        else:
            text.append(word)
    return [*kept, ONLY_TEXT, " ".join(text)] if text else kept


class RefusedFromOutside:
    """The mark of an option that is refused if the command comes from outside this terminal.

    Such an option names a file, a folder or another machine, or changes files written by people. Example:
    `Annotated[str, typer.Option("--out"), ONLY_HERE]`.
    """


ONLY_HERE = RefusedFromOutside()
"""Marks an option that is refused from outside, such as a file or a folder."""

_READING_OPTIONS: dict[str, object] = {
    "campaign": Annotated[
        str | None,
        typer.Option(
            "-C", "--campaign", metavar=FOLDER, help="The campaign's folder.", rich_help_panel="Everywhere"
        ),
        ONLY_HERE,
    ],
    "json": Annotated[
        bool, typer.Option("--json", help="One JSON object on stdout.", rich_help_panel="Everywhere")
    ],
    "plain": Annotated[bool, typer.Option("--plain", help="No colour.", rich_help_panel="Everywhere")],
    "debug": Annotated[
        bool, typer.Option("--debug", help="The trace of a plugin's fault.", hidden=True), ONLY_HERE
    ],
}
_WRITING_OPTIONS: dict[str, object] = {
    "dry_run": Annotated[
        bool,
        typer.Option(
            "--dry-run", help="Show what would happen without recording it.", rich_help_panel="Everywhere"
        ),
    ],
    "note": Annotated[
        str,
        typer.Option(
            "--note", metavar="TEXT", help="A reason, kept in the log.", rich_help_panel="Everywhere"
        ),
    ],
    "secret": Annotated[
        bool,
        typer.Option("--secret", help="Keep it from the players' screens.", rich_help_panel="Everywhere"),
    ],
    # A player who names somebody hidden in the open is warned.
    "yes": Annotated[
        bool,
        typer.Option(
            "--yes", help="Let players read the text, even if it names hidden creatures.", hidden=True
        ),
    ],
}
_PLAYING_OPTIONS: dict[str, object] = {
    "dice": Annotated[
        list[str] | None,
        typer.Option(
            "--dice",
            "-d",
            metavar="5,2|ask",
            help="Natural faces of your own dice, in the order asked; or `ask`.",
            rich_help_panel="Everywhere",
        ),
    ],
    "choose": Annotated[
        list[str] | None,
        typer.Option("--choose", metavar="A,B", help="Choices, in order.", rich_help_panel="Everywhere"),
    ],
    "seed": Annotated[
        int | None,
        typer.Option("--seed", metavar="N", help="Seed of the dice.", rich_help_panel="Everywhere"),
    ],
    "reroll": Annotated[
        bool, typer.Option("--reroll", help="Roll new dice; the log shows it.", rich_help_panel="Everywhere")
    ],
    "explain": Annotated[
        bool, typer.Option("--explain", help="Show the parts of the roll.", rich_help_panel="Everywhere")
    ],
}


def unknown_option_in(error: typer.TyperException) -> str:
    """Return the unknown option that caused an error; "" for any other error."""
    return getattr(error, "option_name", "") if hasattr(error, "possibilities") else ""


def common_option_metavars() -> dict[str, str]:
    """Return the options that commands may have in common, each with the name of the option's value.

    For a flag, which has no value, that name is "".
    """
    found: dict[str, str] = {}
    for each in (*_READING_OPTIONS.values(), *_WRITING_OPTIONS.values(), *_PLAYING_OPTIONS.values()):
        option = get_args(each)[1]
        names = (option.default, *option.param_decls)  # Typer takes the first name for a default
        found |= dict.fromkeys(names, str(option.metavar or ""))
    return found


_DEFAULTS: dict[str, object] = {"note": "", "choose": None, "campaign": None, "dice": None, "seed": None}


class Options:
    """The common options of one command, as typed or given by its invocation."""

    def __init__(self, values: CommonOptions, invocation: Invocation = AT_TERMINAL) -> None:
        self.invocation = with_campaign_folder(invocation, values.get("campaign"))
        self.folder: str | None = self.invocation.folder
        self.json: bool = values.get("json", False) or invocation.json
        self.plain: bool = values.get("plain", False) or invocation.plain
        self.debug: bool = values.get("debug", False)
        self.dry_run: bool = values.get("dry_run", False)
        self.secret: bool = values.get("secret", False)
        self.note: str = values.get("note", "")
        self.dice_text: str | None = _join_values("--dice", values.get("dice"))
        self.choices: list[str] = _split_at_commas(_join_values("--choose", values.get("choose")) or "")
        self.seed: int | None = values.get("seed")
        self.reroll: bool = values.get("reroll", False)
        self.explain: bool = values.get("explain", False)
        self.yes: bool = values.get("yes", False)
        self.typed_words: TypedWords | None = None
        """The words of the arguments, as typed."""
        self.skips_confirmation = invocation.skips_confirmation
        """Whether nobody is asked before an action that has a cost."""
        self.is_followed = False
        """Whether another command follows in the same line, which gets the dice and choices that this one
        doesn't use."""

    # The campaign

    def open_campaign(self, *, writing: bool = False) -> Campaign:
        """Open and return the campaign. Raises CampaignProblem if there is none."""
        found = self.open_campaign_if_any(writing=writing)
        if found is None:
            raise _no_campaign_problem()
        return found

    def campaign_folder(self) -> Path:
        """Return the campaign's folder, even if the campaign can't be opened.

        Raises CampaignProblem if there is none.
        """
        folder = find_campaign_folder(self.folder)
        if folder is None:
            raise _no_campaign_problem()
        return folder

    def open_campaign_if_any(self, *, writing: bool = False) -> Campaign | None:
        """Open and return the campaign; None if none was named and there is none near this folder.

        An open campaign of the invocation is returned as it is. Raises CampaignProblem if the named folder
        has no campaign, or if the campaign can't be opened.
        """
        shared = self.invocation.campaign
        if shared is not None:
            shared.notices.clear()
            return self._mark_entries_with_assistant(shared)
        folder = find_campaign_folder(self.folder)
        if folder is None:
            return None
        from ..campaign.campaign import Campaign

        return self._mark_entries_with_assistant(
            Campaign(folder, writing=writing and not self.dry_run, at=self.invocation.expected_last_entry)
        )

    def _mark_entries_with_assistant(self, campaign: Campaign) -> Campaign:
        """Have the command's journal entries marked with the assistant that sent the command.

        The mark (`by`) is stored in `campaign`, which is returned. Without an assistant, nothing is stored.
        """
        if self.invocation.by:
            campaign.marks = {**campaign.marks, "by": self.invocation.by}
        return campaign

    # Answers

    def typed_faces(self, more_dice: str | None = None) -> list[int] | None:
        """Return the faces of dice that were typed with --dice, followed by those in `more_dice`.

        If neither is given, return None. If `--dice ask` is in effect and `more_dice` is None, return None,
        too: people are then asked for the faces of every roll. Raises Usage for a word that is no number.
        """
        if self.asks_for_every_roll and more_dice is None:
            return None
        text = ",".join(part for part in (self.dice_text, more_dice) if part)
        if self.dice_text is None and more_dice is None:
            return None
        faces = []
        for word in _split_at_commas(text):
            if not is_safe_unsigned_number(word):
                raise Usage(f"--dice: {word[:20]!r} is not a face.", "Write natural faces, like --dice 5,2.")
            faces.append(int(word))
        return faces

    @property
    def asks_for_every_roll(self) -> bool:
        """Whether people are asked for the faces of every roll.

        That is so with `--dice ask`, typed in the line or set for the whole shell.
        """
        return self.dice_text == ASK or (self.invocation.dice == ASK and self.dice_text is None)

    @property
    def interactive(self) -> bool:
        """Whether a person sits at the terminal who can be asked."""
        return not self.json and not self.invocation.unattended and sys.stdin.isatty() and sys.stdout.isatty()

    @property
    def can_be_answered(self) -> bool:
        """Whether somebody can answer decisions, at the terminal or on a screen."""
        return self.invocation.leaves_decisions_open or self.interactive

    @property
    def face_source(self) -> FacesOf | None:
        """The function that asks for the faces of physical dice; None if nobody can be asked."""
        if self.json:
            return None
        if self.invocation.face_source is None and self.interactive:
            from .physical_dice import ask_faces

            return ask_faces
        return self.invocation.face_source

    def play_settings(
        self, *, choices: Sequence[str] | None = None, more_dice: str | None = None
    ) -> PlaySettings:
        """Return the settings with which the command is played.

        `choices` are used in place of those of --choose. The faces in `more_dice` are used after those of
        --dice.
        """
        from ..play.command_execution import PlaySettings

        text = (self.dice_text or "").strip()
        return PlaySettings(
            asking=self.invocation.leaves_decisions_open,
            dice=self.typed_faces(more_dice),
            together=text if not more_dice and len(text) > 1 and text.isascii() and text.isdigit() else "",
            choices=self.choices if choices is None else choices,
            seed=self.seed,
            reroll=self.reroll,
            secret=self.secret,
            note=self.note,
            dry_run=self.dry_run,
            player=self.invocation.player,
            goes_on=self.is_followed,
            confirms=not self.skips_confirmation,
            is_open=self.yes or self.skips_confirmation,
        )

    def keep_unused_for_next(self, performed: PerformedCommand) -> None:
        """Keep a command's unused dice and choices for the next command in the same line."""
        if self.dice_text is not None and not self.asks_for_every_roll:
            self.dice_text = ",".join(map(str, performed.faces_left))
        self.choices = list(performed.choices_left)

    campaign = OldName("open_campaign")
    campaign_if_any = OldName("open_campaign_if_any")
    dice = OldName("typed_faces")
    asks_dice = OldName("asks_for_every_roll")
    somebody_answers = OldName("can_be_answered")
    faces_of = OldName("face_source")
    how = OldName("play_settings")
    leave_to_next = OldName("keep_unused_for_next")
    line = OldName("typed_words")
    sure = OldName("skips_confirmation")
    goes_on = OldName("is_followed")


def with_campaign_folder(invocation: Invocation, folder: str | None) -> Invocation:
    """Return the invocation for the campaign `folder`; unchanged if no campaign is named."""
    if not folder:
        return invocation
    shared = invocation.campaign
    same = shared is not None and find_campaign_folder(folder) == shared.folder
    return invocation._replace(folder=folder, campaign=shared if same else None)


def find_campaign_folder(named_folder: str | None = None) -> Path | None:
    """Return the campaign's folder, or None if there is none.

    If a folder is named, it is that folder: by `named_folder` or, without it, by the variable
    STRIKE_CAMPAIGN. If none is named, it is the current folder or the nearest folder above it that has a
    campaign.

    Raises CampaignProblem if the named folder has no campaign.
    """
    named = named_folder or os.environ.get("STRIKE_CAMPAIGN")
    if named:
        folder = Path(named)
        if folder.name == CAMPAIGN_FILE:
            folder = folder.parent
        if not (folder / CAMPAIGN_FILE).is_file():
            from ..command_line_splitting import quote_word_if_needed

            where = "-C" if named_folder else "STRIKE_CAMPAIGN"
            raise CampaignProblem(
                f"{where}: there is no {CAMPAIGN_FILE} in {folder}.",
                f"`strike new {quote_word_if_needed(str(folder))}` makes a campaign.",
            )
        return folder
    here = Path.cwd()
    return next((folder for folder in (here, *here.parents) if (folder / CAMPAIGN_FILE).is_file()), None)


def _no_campaign_problem() -> CampaignProblem:
    from strike_cli.refusals import NoCampaignHere

    return NoCampaignHere("Go to its folder, or name it with -C DIR; `strike new DIR` makes one.")


def new_app(help: str = "", **settings: Unpack[AppSettings]) -> typer.Typer:
    """Return a Typer app for a group of commands. `help` is the group's help text.

    If `help` is "", the app isn't a group of its own: it only collects the commands of a module.
    """
    settings.setdefault("cls", StrikeGroup)
    app = typer.Typer(no_args_is_help=True, add_completion=False, rich_markup_mode="markdown", **settings)
    if help:
        # With a callback it is a group, even if it has a single command.
        app.callback(help=help)(_do_nothing)
    return app


def _do_nothing() -> None:
    pass


def _join_values(option: str, typed: Sequence[str] | None) -> str | None:
    """Return the values of an option that may be repeated, joined by commas; None for no values.

    Raises Usage if faces of dice are given together with the word `ask`.
    """
    if not typed:
        return None
    if len(typed) > 1 and ASK in typed:
        raise Usage(
            f"{option} {ASK} can't be combined with faces.", f"Ask for all dice, or name them: {option} 5,2."
        )
    return ",".join(typed)


def _split_at_commas(text: str) -> list[str]:
    return [word.strip() for word in text.split(",") if word.strip()]


class Command:
    """A command for Typer: a function with its own parameters and the parameters that commands share.

    The signature is only built when Typer asks for it, so only for the command that was typed. Building the
    signatures of a whole group would take longer than most commands.
    """

    def __init__(
        self,
        function: Callable[Signature, Result],
        own: Callable[[], Sequence[inspect.Parameter]],
        kind: str,
        actor: Callable[[], str] = str,
        last_word: Callable[[], str] = str,
    ) -> None:
        self.function: FunctionWithOptions = function  # type: ignore[assignment]  # `own_parameters` says which words
        self.own_parameters = own
        self.actor_parameter = actor
        """The parameter of the acting person, if it may be left out; else empty."""
        self.trailing_option = last_word
        """The option whose value may come last, without the option's name; empty for none."""
        self.dice = ""
        """The dice that it asks for, in words and in order."""
        self.common = {
            **_READING_OPTIONS,
            **(_WRITING_OPTIONS if kind != "reads" else {}),
            **(_PLAYING_OPTIONS if kind == "plays" else {}),
        }
        self.__name__ = function.__name__
        self.__doc__ = function.__doc__
        # The signature's annotations are evaluated already: Typer would evaluate all of them again.
        self.__annotations__ = dict[str, object]()

    def __call__(self, ctx: typer.Context, **values: object) -> int:
        given = {key: values.pop(f"common_{key}", False) for key in self.common}
        invocation: Invocation = ctx.find_root().obj
        given |= self._checked_options_of_invocation(ctx, invocation)
        options = Options(given, invocation)  # type: ignore[arg-type]  # Typer has read them
        options.typed_words = TypedWords(ctx, values)
        shared = invocation.campaign
        before = (shared.state, shared.head.copy()) if shared and options.dry_run else None
        try:
            result = self.function(options, **values)
        except (Problem, MoveParsed, typer.TyperException, typer.Exit, typer.Abort):
            raise
        except Exception as error:
            from .plugin_error_report import plugin_error_problem

            folder = partial(find_campaign_folder, options.folder)
            problem = plugin_error_problem(
                error, ctx.command_path, folder, self.function, debug=options.debug
            )
            if problem is None:
                raise
            raise problem from error
        finally:
            if shared is not None and before is not None:  # several commands in a row are tried in it
                shared.state, shared.head = before
        if invocation.result_handler is not None:
            invocation.result_handler(result)
            return result.exit_code
        try:
            print_result(
                result, as_json=options.json, plain=options.plain, command_form=invocation.command_form
            )
        except OSError as error:
            return handle_print_failure(result, error)
        return result.exit_code

    def _checked_options_of_invocation(self, ctx: typer.Context, invocation: Invocation) -> dict[str, object]:
        """Return the common options that the invocation gives in addition to the typed words.

        Raises NotFromOutside if an outsider may not use the command, or one of its options. Raises Usage for
        an option that the command doesn't have, or that was also typed.
        """
        given, outsider = invocation.given.as_typed_options(), invocation.outsider
        if not (given or outsider):
            return given
        name = ctx.command_path.partition(" ")[2]
        if outsider:
            from ..registry.remote_permissions import must_be_allowed_from_outside, option_refusal

            must_be_allowed_from_outside(name, outsider.asker)
            for each in ctx.command.params:
                never = each.name in self.parameters_refused_outside or any(
                    word in outsider.without for word in each.opts
                )
                if never and _is_typed(ctx, str(each.name)):
                    raise option_refusal(name, each.opts[0])
            if ASK in (ctx.params.get("common_dice") or ()):
                raise option_refusal(name, f"--dice {ASK}")
        for key in given:
            if key not in self.common or _is_typed(ctx, f"common_{key}"):
                word = key.replace("_", "-")
                twice = "is given twice" if key in self.common else "is not one of its arguments"
                raise Usage(f"`{name}`: {word} {twice}.", "Leave it out. Nothing was changed.")
        return given

    @cached_property
    def parameters_refused_outside(self) -> frozenset[str]:
        """The names of the parameters that are refused if the command comes from outside this terminal."""
        return frozenset(
            name
            for name, each in self.__signature__.parameters.items()
            if is_refused_from_outside(each.annotation)
        )

    @cached_property
    def __signature__(self) -> inspect.Signature:
        keyword = inspect.Parameter.KEYWORD_ONLY
        context = inspect.Parameter("ctx", keyword, annotation=typer.Context)
        own = [parameter.replace(kind=keyword) for parameter in self.own_parameters()]
        mine = {parameter.name for parameter in own} & {"yes"}  # a --yes that means more than the common one
        common = [
            inspect.Parameter(f"common_{key}", keyword, default=_DEFAULTS.get(key, False), annotation=kind)
            for key, kind in self.common.items()
            if key not in mine
        ]
        return inspect.Signature([context, *own, *common])


def commands_of(command: AnyCommand | None) -> Mapping[str, AnyCommand]:
    """Return the commands of a group, by name; empty for anything else."""
    commands: Mapping[str, AnyCommand] = getattr(command, "commands", {})
    return commands


def declared_command_of(typer_command: object) -> Command | None:
    """Return the declaration from which a Typer command was made.

    Return None for a group, and for a command that was made in another way.
    """
    found = getattr(getattr(typer_command, "callback", None), "__wrapped__", None)
    return found if isinstance(found, Command) else None


def is_refused_from_outside(annotation: object) -> bool:
    """Return whether an option's annotation contains a `RefusedFromOutside`."""
    return any(isinstance(each, RefusedFromOutside) for each in getattr(annotation, "__metadata__", ()))


def _is_typed(ctx: typer.Context, parameter: str) -> bool:
    source = ctx.get_parameter_source(parameter)
    return source is not None and source.name == "COMMANDLINE"


def add_command(
    app: typer.Typer, name: str, new_command: Command, **settings: Unpack[CommandSettings]
) -> None:
    """Add a command to an app; by default it is built as a `StrikeCommand`."""
    settings.setdefault("cls", StrikeCommand)
    app.command(name, **settings)(new_command)


def command(
    app: typer.Typer, name: str, *, kind: str = "plays", **settings: Unpack[CommandSettings]
) -> Callable[[Callable[Signature, Result]], Callable[Signature, Result]]:
    """Make a function a command; its first parameter is `options: Options`.

    `kind` selects the common options that the command gets. "reads" gives the campaign and the form of
    output. "writes" also gives --dry-run, --note and --secret. "plays" also gives dice and choices.
    """

    def decorate(function: Callable[Signature, Result]) -> Callable[Signature, Result]:
        def own() -> Sequence[inspect.Parameter]:
            _, *parameters = inspect.signature(function, eval_str=True).parameters.values()
            return parameters

        add_command(app, name, Command(function, own, kind), **settings)
        return function

    return decorate
