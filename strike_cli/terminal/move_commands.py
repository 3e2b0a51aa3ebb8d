"""Commands that play moves: their declaration, their parsing, and the decisions of their moves.

`plays` declares a command: begin there. The annotation of a parameter has the parser of the parameter's word:
`Annotated[str, typer.Argument(...), WordParser(parse_word)]`. Parameters have the names of the move's
arguments. `play_move` plays the move and asks for decisions at the terminal. `answer_open_decision` answers a
decision that stayed open.
"""

from __future__ import annotations

import contextlib
import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from functools import cached_property, partial
from typing import TYPE_CHECKING, Annotated, TypeVar, get_args, get_origin
from weakref import WeakKeyDictionary

import typer

from ..deprecated_api_names import OldName
from ..immutable_records import Value
from ..kernel.state_changes import pending_decisions_in
from ..problems import CampaignProblem, ContentProblem, Problem, Refused, Usage
from ..untrusted_input import is_safe_unsigned_number
from .argument_completions import Metavar
from .command_output import Block, Result, performed_result, print_to_stderr, unlabelled_question_of_decision
from .commands_and_options import (
    Command,
    Options,
    RefusedFromOutside,
    StrikeCommand,
    declared_command_of,
    find_campaign_folder,
    options_then_arguments_as_text,
)
from .invocation import MoveParsed
from .unquoted_names import ACTOR_WORD as ACTOR_WORD
from .unquoted_names import TwoReadings as TwoReadings
from .unquoted_names import is_argument, takes_several_words

if TYPE_CHECKING:
    from types import CodeType
    from typing import ParamSpec, Protocol, Unpack

    from ..campaign import Campaign
    from ..kernel.journal_types import WaitingDecision
    from ..kernel.procedure import Choose
    from ..play.command_execution import PerformedCommand, PlaySettings
    from ..play.playable_moves_and_time_limit import Given
    from .commands_and_options import CommandSettings

    Signature = ParamSpec("Signature")
    Laid = TypeVar("Laid", bound=Mapping[str, object] | None)

    class CommandFunction(Protocol):
        """The function of a declared command.

        It may return arguments of the move, by name. Returned arguments replace those made from the typed
        words.
        """

        def __call__(self, *call: Call, **words: object) -> Mapping[str, object] | None:
            """Return arguments of the move, by name, that replace those made from the typed words.

            If the result is None, nothing is replaced.
            """


Typed = dict[str, object]
"""The typed words, by parameter name; words that have been parsed have their parsed value."""
Show = Callable[["Campaign | None", "PerformedCommand"], Iterable[Block]]
"""A function that returns blocks to show below the results."""


class Call(Value):
    """A command as it was typed: its options, its campaign, and the words parsed so far.

    `typed` has the parsed value of each parameter, by the parameter's name. `played` is False if the command
    isn't played: for odds, it is only parsed. If the command is played without its campaign because the
    campaign has faults, `notices` has lines that tell people so.
    """

    options: Options
    campaign: Campaign | None
    typed: Typed
    played: bool = False
    notices: Sequence[str] = ()

    @property
    def can_ask(self) -> bool:
        """Whether a question can be put to the person who typed the command."""
        return self.played and self.options.can_be_answered

    @property
    def required_campaign(self) -> Campaign:
        """The campaign, for parsers that can't do without one.

        Raises CampaignProblem if there is none.
        """
        return self.campaign if self.campaign is not None else self.options.open_campaign()

    def text_of(self, name: str) -> str:
        """Return the parsed value of a parameter as text; "" if the parameter was not typed."""
        found = self.typed.get(name, "")
        return found if isinstance(found, str) else str(found)

    def values_of(self, name: str) -> list[object]:
        """Return the parsed values of a parameter that takes several words; [] if it was not typed."""
        found = self.typed.get(name)
        return list(found) if isinstance(found, list | tuple) else []

    def texts_of(self, name: str) -> list[str]:
        """Return the parsed values of a parameter that takes several words, as texts."""
        return [str(one) for one in self.values_of(name)]

    asks = OldName("can_ask")
    here = OldName("required_campaign")
    word = OldName("text_of")
    several = OldName("values_of")
    words = OldName("texts_of")


class WordParser:
    """The parser of a parameter's word, with the completions for Tab.

    `read` gets the call and a word. It returns the word's value, or raises Usage. `complete` returns the
    words that Tab suggests. Without `complete`, the argument's `Metavar` suggests them.

    With `whose_turn`, the parameter is the actor. An actor who is left out is the person that `whose_turn`
    returns. If `whose_turn` returns None, the actor can't be left out.

    `trailing_option` is an option whose value may also be typed at the end of the line, without the option's
    name.
    """

    def __init__(
        self,
        read: Callable[[Call, str], object] | Callable[[Call, list[str]], object],
        complete: Callable[[Campaign], Iterable[str]] | None = None,
        whose_turn: Callable[[Campaign], str | None] | None = None,
        last_word: str = "",
    ) -> None:
        self.read: Callable[[Call, object], object] = read  # type: ignore[assignment]  # of the type beside it
        self.complete = complete
        self.whose_turn = whose_turn
        self.trailing_option = last_word
        self.single: WordParser | None = None
        """The parser of a single word, in a parser of several."""

    def for_list(self) -> WordParser:
        """Return a parser for a list of words, each of which this parser parses."""

        def read(call: Call, words: list[str]) -> list[object]:
            return [self.read(call, word) for word in words]

        made = WordParser(read, self.complete)
        made.single = self
        return made

    def for_unquoted_names(self) -> WordParser:
        """Return a parser for a list of names; a name of several words needs no quotes."""

        def read(call: Call, words: list[str]) -> list[object]:
            if len(words) < 2:
                return [self.read(call, word) for word in words]
            from .unquoted_names import meanings_of_unquoted_names

            return meanings_of_unquoted_names(partial(self.read, call), words)

        return WordParser(read, self.complete)

    many = OldName("for_list")
    names = OldName("for_unquoted_names")
    last_word = OldName("trailing_option")


class ParametersOf(Value):
    """An annotation that adds the parameters of another declared function.

    A function uses it as `**words: Annotated[object, ParametersOf(other)]`. The function then has all
    parameters of `other`, except those in `without`. Its own parameters take precedence over those of
    `other`.
    """

    __slots__ = ("function", "without")

    def __init__(self, function: Callable[Signature, object], without: Sequence[str] = ()) -> None:
        self.function: Callable[[], object] = function  # its signature alone is read
        self.without = without


_EXAMPLE = "\n\n    Example:"
"""The beginning of the last paragraph of a command's help."""


def plays(
    app: typer.Typer,
    name: str,
    move: str,
    *,
    kind: str = "plays",
    secret: bool | Callable[[Campaign], bool] = False,
    kept: bool = True,
    show: Show | None = None,
    dice: str = "",
    **settings: Unpack[CommandSettings],
) -> Callable[[Callable[Signature, Laid]], Callable[Signature, Laid]]:
    """Make a function a command that plays a move.

    The function's parameters declare the words that the user types. A parameter of type `Call` gets the call
    itself, with the campaign. The function may return arguments of the move, by name. They override the typed
    words.

    Args:
        app: The Typer app that gets the command.
        name: The command's name in the app.
        move: The name of the move.
        kind: The common options that the command gets (see `command`).
        secret: Whether the played command is hidden from players' screens. A function decides that for each
            campaign.
        kept: Whether the command is recorded in the campaign.
        show: Returns further blocks to show after the command.
        dice: The dice that the command asks for, in order. The help lists them.
        settings: Further settings of the Typer command.
    """

    def decorate(function: Callable[Signature, Laid]) -> Callable[Signature, Laid]:
        declared = DeclaredCommand(move, function, show)
        _declared.setdefault(app, {})[name] = declared

        def run_move(options: Options, **typed: object) -> Result:
            opened = open_campaign_for_move(options, move) if kept else nullcontext(Call(options, None, {}))
            with opened as call:
                if not options.secret:
                    options.secret = secret(call.required_campaign) if callable(secret) else secret
                return _play_declared_command(declared, call, typed)

        run_move.__doc__ = (function.__doc__ or "").replace(
            _EXAMPLE, f"\n\n    Dice: {dice}.{_EXAMPLE}" if dice else _EXAMPLE
        )
        run_move.__name__ = function.__name__
        run_move.__wrapped__ = function  # type: ignore[attr-defined]  # where it is declared
        settings.setdefault("cls", MoveCommand)
        made = Command(
            run_move,
            lambda: declared.parameters,
            kind,
            lambda: declared.omittable_actor_parameter,
            lambda: declared.trailing_option,
        )
        made.dice = dice
        app.command(name, **settings)(made)
        return function

    return decorate


def _play_declared_command(declared: DeclaredCommand, call: Call, typed: Mapping[str, object]) -> Result:
    """Play the move of a command with the words that were typed, and return the result to show."""
    args = parse_unquoted_arguments(call, declared, typed)
    performed = play_move(call.options, call.campaign, declared.move, args)
    result = performed_result(performed, call.campaign, explain=call.options.explain)
    if declared.show is not None and performed.pending is None:
        result.blocks += declared.show(call.campaign, performed)
        result.notices = list(call.campaign.notices if call.campaign else ())
    result.notices = [*result.notices, *call.notices]
    return result


def must_be_playable_in_campaign_if_any(campaign: Campaign | None, move: str) -> None:
    """Raise Refused if a move can't be played in the campaign.

    It can't be played if its system isn't in use. It also can't be played if the campaign's game has another
    command in its place.
    """
    if campaign is None:
        return
    from ..play.playable_moves_and_time_limit import find_move
    from ..registry import load_known_system, must_be_able_to_play_system

    mover = find_move(move).owner
    must_be_able_to_play_system(mover, campaign.book.plugins)
    named = campaign.book.systems
    if not named:
        return
    from ..registry.installed_plugins import plugin_index

    own = plugin_index().plugins[0].systems
    if mover in named or (mover in own and any(name in own for name in named)):
        return
    hints = [
        hint
        for name in named
        if name in plugin_index().systems and (hint := load_known_system(name).instead.get(move))
    ]
    if hints:
        raise Refused(
            f"`{move}` is a roll of a game that this campaign doesn't play.",
            " or ".join(f"`strike {hint}`" for hint in hints) + ". Nothing was rolled.",
        )


@contextmanager
def open_campaign_for_move(options: Options, move: str, *, writing: bool = True) -> Iterator[Call]:
    """Open the campaign for a move, and close it after the block. The block gets the call of the move.

    If `writing` is true, the campaign is locked. Some moves need no campaign, and can also be played outside
    one.

    If the campaign's files have faults, CampaignProblem is raised. There is one exception: a move that reads
    nothing of the campaign is played without it, if the journal is still empty. The move isn't recorded then.
    """
    from ..play.playable_moves_and_time_limit import find_move

    known, notices = find_move(move).move, list[str]()
    try:
        campaign = (options.open_campaign_if_any if known.stateless else options.open_campaign)(
            writing=writing
        )
    except CampaignProblem as problem:
        if not (
            known.stateless
            and known.scope == "nothing"
            and _has_faulty_files_and_no_entries(options, problem)
        ):
            raise
        fault = problem.message.partition("\n")[0].rstrip(".")
        notices.append(f"{fault}. It is played without the campaign, and not recorded.")
        campaign = None
    with campaign or nullcontext():
        must_be_playable_in_campaign_if_any(campaign, move)
        yield Call(options, campaign, {}, writing, notices)


def _has_faulty_files_and_no_entries(options: Options, problem: CampaignProblem) -> bool:
    """Return whether a campaign can't be opened because of faults in its files, and has an empty journal.

    `problem` is the error from opening it.
    """
    from ..campaign.journal import Journal
    from ..refusals import NotToml

    folder = find_campaign_folder(options.folder)
    is_written = isinstance(problem, (ContentProblem, NotToml))
    return is_written and folder is not None and not Journal(folder).file_names()


class DeclaredCommand:
    """A command declared with `plays`: its move, its function, and `show`.

    `show` returns the blocks below the results; it may be None. The function's signature is read at its first
    use.
    """

    def __init__(
        self, move: str, function: Callable[Signature, Mapping[str, object] | None], show: Show | None = None
    ) -> None:
        self.move = move
        self.function: CommandFunction = function  # type: ignore[assignment]  # its signature says which words
        self.show = show

    @property
    def parameters(self) -> Sequence[inspect.Parameter]:
        """The command's parameters, with annotations for Typer."""
        return self._signature[0]

    @cached_property
    def _signature(self) -> tuple[list[inspect.Parameter], dict[str, WordParser]]:
        try:
            return parameters_and_parsers(self.function)
        except Exception as error:  # its annotations may be anything
            code: CodeType = self.function.__code__  # type: ignore[attr-defined]  # every function's
            place = f"{code.co_filename}, line {code.co_firstlineno}, {code.co_name}"
            raise TypeError(f"{place}: {type(error).__name__}: {error}") from error

    @cached_property
    def defaults(self) -> Mapping[str, object]:
        """The default value of each parameter, by name."""
        return {each.name: each.default for each in self.parameters}

    @cached_property
    def omittable_actor_parameter(self) -> str:
        """The name of the parameter for the actor, if the user may leave the actor out; otherwise "".

        By default, the actor is the person whose turn it is.
        """
        return next((name for name, reader in self.parsers.items() if reader.whose_turn), "")

    @cached_property
    def trailing_option(self) -> str:
        """The option whose value may also be typed at the end of the line, without the option's name.

        It is "" if no option allows that.
        """
        return next(
            (reader.trailing_option for reader in self.parsers.values() if reader.trailing_option), ""
        )

    @cached_property
    def takes_call(self) -> bool:
        """Whether the function has a parameter for the `Call`."""
        return any(each in ("Call", Call) for each in self.function.__annotations__.values())

    @property
    def parsers(self) -> Mapping[str, WordParser]:
        """The parsers that read the typed words, by the name of the command's parameter."""
        return self._signature[1]


_declared: WeakKeyDictionary[typer.Typer, dict[str, DeclaredCommand]] = WeakKeyDictionary()
"""Declared commands, by the app itself as long as it exists: a later app may get the id of an earlier one."""


def commands_declared_in(app: typer.Typer) -> Mapping[str, DeclaredCommand]:
    """Return the commands declared in a Typer app, by name."""
    return _declared.get(app, {})


def parse_arguments_into_call(call: Call, declared: DeclaredCommand, typed: Mapping[str, object]) -> Typed:
    """Parse the typed words, and return the arguments of the move.

    The words are parsed in the order of the signature. Their values are also stored in `call.typed`.
    Parameters that weren't typed are left out.

    Then the command's function is called. If it returns arguments, they are added to the parsed values and
    take precedence. In this case, parsed values that the move doesn't take as arguments are dropped.
    """
    for name, value in typed.items():
        if value is not None and value != declared.defaults[name]:
            reader = declared.parsers.get(name)
            call.typed[name] = reader.read(call, value) if reader else value
    words = {name: call.typed.get(name, value) for name, value in typed.items()}
    made = declared.function(*[call] * declared.takes_call, **words)
    found = {name.rstrip("_"): value for name, value in call.typed.items()}
    if made is not None:
        from ..play.playable_moves_and_time_limit import find_move

        fields = find_move(declared.move).argument_names
        found = {name: value for name, value in found.items() if name in fields}
        found |= {name: value for name, value in made.items() if value is not None}
    return found


def parse_unquoted_arguments(call: Call, declared: DeclaredCommand, typed: Mapping[str, object]) -> Typed:
    """Return a move's arguments, parsed from typed words in which long names need no quotes.

    Raises TwoReadings if the words can be read in two ways. If they can't be read at all, raises the refusal
    of the best attempt, which is the one with the most known names.
    """
    line = call.options.typed_words
    refusal: Usage | Refused | None = line.refusal if line else None
    args: Typed = {}
    words = typed
    if refusal is None:
        try:
            words = words_with_actor_if_omitted(call, declared, typed)
            args = parse_arguments_into_call(call, declared, words)
        except TwoReadings:
            raise
        except Usage as problem:
            refusal = problem
    if line is None or not line.words:
        return _raise_or_return(args, refusal)
    from .unquoted_names import (
        MOST_IN_NAME,
        as_joined_words,
        may_have_other_reading,
        only_reading_or_best_refused,
    )

    places = [each for each in declared.parameters if is_argument(each)]
    longer = list(line.readings_with_longer_option(declared.parsers, MOST_IN_NAME, as_joined_words))
    sure = refusal is None and not may_have_other_reading(places, declared.parsers, typed, args)
    if not longer and (sure or len(line.words) < 2):
        return _raise_or_return(args, refusal)

    def parse_reading_into(tried: Mapping[str, object], meant: Typed) -> None:
        picked = _pick_words_in_signature_order(declared, tried)
        parse_arguments_into_call(Call(call.options, call.campaign, meant, call.played), declared, picked)

    reader = declared.parsers.get(declared.omittable_actor_parameter)
    acts = bool(reader and reader.whose_turn and call.campaign and reader.whose_turn(call.campaign))
    reading = partial(
        only_reading_or_best_refused,
        places,
        declared.parsers,
        parse=parse_reading_into,
        may_omit_actor=acts,
        as_typed=refusal is None,
    )
    if sure and not any((found := reading(each, ())) and not found.refusal for each in longer):
        return args
    found = reading(line, longer)
    if found and not found.refusal:
        call.typed.clear()
        return parse_arguments_into_call(
            call, declared, _pick_words_in_signature_order(declared, {**found.options, **found.typed})
        )
    if found and refusal:
        understood = _score_of_refused_reading(declared, words, call, refusal)
        refusal = found.refusal if found.amount_understood > understood else refusal
    return _raise_or_return(args, refusal)


def _score_of_refused_reading(
    declared: DeclaredCommand, words: Mapping[str, object], call: Call, refusal: Usage | Refused
) -> tuple[int, ...]:
    """Return how much of a refused line was understood, for comparison with `Reading.score`."""
    from .unquoted_names import Reading, parsed_parameters_that_take_names

    if call.options.typed_words and call.options.typed_words.refusal:
        return (call.options.typed_words.refusal.words_known,)
    return Reading(
        words,
        call.typed,
        parsed_parameters_that_take_names(declared.parameters, declared.parsers),
        {},
        refusal,
    ).amount_understood


def _raise_or_return(args: Typed, refusal: Usage | Refused | None) -> Typed:
    if refusal:
        raise refusal
    return args


def _pick_words_in_signature_order(declared: DeclaredCommand, words: Mapping[str, object]) -> Typed:
    """Return the words for the command's parameters, in the order of its signature.

    The order matters, since the meaning of a word may depend on earlier words. Words for other parameters are
    left out.
    """
    return {name: words[name] for name in declared.defaults if name in words}


def words_with_actor_if_omitted(
    call: Call, declared: DeclaredCommand, typed: Mapping[str, object]
) -> Mapping[str, object]:
    """Return the typed words; if the user left out the actor, as in `attack g3`, the actor is added.

    The added actor is the person whose turn it is. The words are returned unchanged in these cases:

    - The command takes no actor, or nobody has a turn.
    - The first word already names the person whose turn it is.
    - The last argument has no room for another word.
    - The words can be parsed as typed, but not with the actor added: somebody acts out of turn.
    - The words can be parsed as typed, and a later word names the person whose turn it is.
    """
    if not declared.omittable_actor_parameter or call.campaign is None:
        return typed
    reader = declared.parsers[declared.omittable_actor_parameter]
    active = reader.whose_turn(call.campaign) if reader.whose_turn else None
    if active is None or typed[declared.omittable_actor_parameter] in (active, ACTOR_WORD):
        return typed
    moved = _shift_words_for_actor(declared, typed)
    if moved is None or _parse_or_none(reader, call, typed[declared.omittable_actor_parameter]) == active:
        return typed
    fits_moved, fits_typed = (_can_be_parsed_in_some_way(call, declared, words) for words in (moved, typed))
    if fits_typed and any(
        _parse_or_none(reader, call, word) == active for word in _words_after_actor_argument(declared, typed)
    ):
        return typed  # not to make people act on themselves: `attack odo vex` on Vex's turn
    return typed if fits_typed and not fits_moved else moved


def _words_after_actor_argument(declared: DeclaredCommand, typed: Mapping[str, object]) -> list[str]:
    names = [each.name for each in declared.parameters if is_argument(each)][1:]
    values = [typed[name] for name in names]
    words = [word for value in values for word in (value if isinstance(value, list) else [value])]
    return [word for word in words if isinstance(word, str) and word]


def _can_be_parsed_in_some_way(call: Call, declared: DeclaredCommand, typed: Mapping[str, object]) -> bool:
    try:
        parse_arguments_into_call(Call(call.options, call.campaign, {}, call.played), declared, typed)
    except TwoReadings:
        return True
    except (Usage, Refused):
        return False
    return True


def _parse_or_none(parser: WordParser, call: Call, word: object) -> object:
    try:
        return parser.read(call, word)
    except (Usage, Refused):
        return None


def _shift_words_for_actor(declared: DeclaredCommand, typed: Mapping[str, object]) -> Typed | None:
    """Return typed arguments as if `.`, the word for the acting person, had been typed before them.

    Each argument gets the word that was typed for the one before it. Return None if no argument is left for
    the last word.
    """
    names = [each.name for each in declared.parameters if is_argument(each)]
    unsaid = declared.defaults
    words: list[object] = []
    for name in names:
        value = typed[name]
        if value is not None and value != unsaid[name]:
            words += value if isinstance(value, list) else [value]
    *single, last = names
    moved: Typed = dict(typed)
    left = [ACTOR_WORD, *words]
    for name in single:
        moved[name] = left.pop(0) if left else unsaid[name]
    if takes_several_words(next(each for each in declared.parameters if each.name == last)):
        moved[last] = left
        return moved
    if len(left) > 1 or not all(isinstance(word, str) for word in words):
        return None
    moved[last] = left[0] if left else unsaid[last]
    return moved


class MoveCommand(StrikeCommand):
    """A command that plays a move. Its actor may be left out, and is then the person whose turn it is."""

    def parse_all_into_context(self, ctx: typer.Context, args: Sequence[str]) -> list[str]:
        """Parse the words, and return those that no parameter takes.

        If a word is missing, the words are parsed again with `.` in front, which stands for the actor.
        """
        try:
            return super().parse_all_into_context(ctx, args)
        except typer.TyperException as error:
            declared = declared_command_of(self)
            # Only where a word is missing does Typer's error have its type.
            if not hasattr(error, "param_type"):
                if declared is None or not self.store_words_to_parse_later(ctx, args, error):
                    raise
                return []
            if declared is None or not declared.actor_parameter():
                raise
        return super().parse_all_into_context(ctx, [ACTOR_WORD, *args])

    def join_surplus_words_to_only_name(self, ctx: typer.Context, left: Sequence[str]) -> bool:
        """Return False: surplus words are parsed later, when the campaign is open."""
        return False


class TextCommand(MoveCommand):
    """A command that plays a move with a text. The text may have several words, and needs no quotes."""

    def join_unquoted_texts(self, ctx: typer.Context, args: Sequence[str]) -> list[str]:
        """Return the typed words, with all words that aren't options joined to a single text.

        The options come first, and then the text.
        """
        return options_then_arguments_as_text(self, ctx, args)


def parameters_and_parsers(
    function: Callable[Signature, object],
) -> tuple[list[inspect.Parameter], dict[str, WordParser]]:
    """Return a function's parameters as Typer needs them, and the parsers for their typed words.

    The parameters include their completions. The parsers are in a table, by the name of the parameter. A
    parameter without a parser isn't in the table.
    """
    parameters, readers = [], {}
    for parameter in _own_and_adopted_word_parameters(function):
        annotation = _annotation_with_list_parser(parameter.annotation)
        reader = _parser_in_annotation(annotation)
        if reader is not None:
            names = reader.single.for_unquoted_names() if reader.single and is_argument(parameter) else None
            readers[parameter.name] = names or reader
            annotation = _annotation_with_completion(annotation, reader, parameter.default is parameter.empty)
        parameters.append(parameter.replace(annotation=annotation))
    return parameters, readers


def _annotation_with_list_parser(annotation: object) -> object:
    """Return the annotation of a list parameter, with a parser for the whole list of words.

    That parser is made from the parser of a single element, as in `list[InScene]`. The annotation of any
    other parameter is returned unchanged.
    """
    (inner, *_) = (*get_args(annotation), None)
    reader = _parser_in_annotation(inner) if get_origin(annotation) is list else None
    if reader is None:
        return annotation
    kind, *more = get_args(inner)
    return Annotated[list[kind], *(each for each in more if each is not reader), reader.for_list()]  # type: ignore[valid-type]  # as it is annotated


def _own_and_adopted_word_parameters(function: Callable[Signature, object]) -> list[inspect.Parameter]:
    """Return those parameters of a function that are filled in from typed words.

    `Call` is not one of them. If the function takes on the parameters of another function by `ParametersOf`,
    these are included.
    """
    own = inspect.signature(function, eval_str=True).parameters
    words: list[inspect.Parameter] = []
    for parameter in own.values():
        if parameter.kind is inspect.Parameter.VAR_KEYWORD:
            like = next(each for each in parameter.annotation.__metadata__ if isinstance(each, ParametersOf))
            words += [
                each
                for each in _own_and_adopted_word_parameters(like.function)
                if each.name not in (*own, *like.without)
            ]
        elif parameter.annotation is not Call:
            words.append(parameter)
    return words


def _parser_in_annotation(annotation: object) -> WordParser | None:
    metadata: tuple[object, ...] = getattr(annotation, "__metadata__", ())
    return next((each for each in metadata if isinstance(each, WordParser)), None)


def open_campaign_for_completion(context: typer.Context) -> Campaign | None:
    """Return the campaign for the line being typed; None if none can be opened.

    It is the campaign given with -C, or else the one found from the current folder.
    """
    from ..campaign import Campaign

    named = context.params.get("common_campaign") or context.find_root().params.get("campaign")
    try:
        folder = find_campaign_folder(named)
        return Campaign(folder) if folder else None
    except (Problem, OSError):
        return None


def printable_names_beginning_with(names: Iterable[str], incomplete: str) -> list[str]:
    """Return the names that begin with `incomplete`, whatever the case of letters, each once.

    Names with control characters, which a shell must not print, are left out.
    """
    found = [name for name in dict.fromkeys(names) if name.lower().startswith(incomplete.lower())]
    return [name for name in found if name.isprintable()]


def _annotation_with_completion(annotation: object, parser: WordParser, is_argument: bool) -> object:
    complete = parser.complete
    kind, *more = get_args(annotation)
    found = (each for each in more if isinstance(each, typer.models.ParameterInfo))
    info = next(found, None)
    if info is None:  # as Typer takes a plain word
        info = typer.Argument() if is_argument else typer.Option()
        annotation = Annotated[kind, info, *more]
    called = info.metavar
    if complete is None or called is None or isinstance(called, Metavar):
        return annotation
    from copy import copy

    info = copy(info)
    info.metavar = Metavar(called, lambda campaign, typed: complete(campaign))
    return Annotated[kind, info, *(each for each in more if isinstance(each, RefusedFromOutside))]


def play_asking_faces_if_physical(
    options: Options, campaign: Campaign | None, settings: PlaySettings, play: Callable[[], PerformedCommand]
) -> PerformedCommand:
    """Call `play`, which plays a command, and return its result.

    If the user rolls physical dice, the faces are asked for. `settings` are the settings with which `play`
    plays.
    """
    if not options.asks_for_every_roll and (campaign is None or not campaign.book.dice):
        return play()
    from .physical_dice import play_asking_for_faces

    return play_asking_for_faces(
        options.face_source, campaign, settings, play, must_ask_all_rolls=options.asks_for_every_roll
    )


Decide = Callable[["PerformedCommand"], "str | None"]
"""A function that answers before a person is asked: it gets the results so far, and returns an option, or
None for a decision that people must take."""


def play_move(
    options: Options,
    campaign: Campaign | None,
    name: str,
    args: Given,
    *,
    more_dice: str | None = None,
    decide: Decide | None = None,
) -> PerformedCommand:
    """Play a move and return its result.

    `decide` may answer decisions first. At a terminal, people are asked for the other decisions; elsewhere
    these stay open. The faces in `more_dice` are used after those of --dice.

    Raises MoveParsed, without playing the move, if the command is only to be parsed.
    """
    from ..play.command_execution import perform_command

    if options.invocation.only_parses:
        raise MoveParsed(name, args)
    if campaign is None or not (options.interactive or decide):
        how = options.play_settings(more_dice=more_dice)
        performed = play_asking_faces_if_physical(
            options, campaign, how, lambda: perform_command(campaign, name, args, how)
        )
    else:
        performed = _play_asking_or_leaving_decisions(options, campaign, name, args, more_dice, decide)
    if campaign is not None and performed.seq:
        start_automatic_bridge_workers(campaign)
    return performed


def apply_trial_in_memory(campaign: Campaign, performed: PerformedCommand) -> None:
    """Apply a trial's facts to the campaign in memory, so that the next command can be tried after it.

    The campaign then differs from its files, and nothing may be recorded with it.
    """
    from ..kernel.state_changes import apply_fact

    for fact in performed.facts:
        campaign.state = apply_fact(campaign.state, fact)
    campaign.head.commands += 1
    campaign.head.rolls += performed.advances_roll_count


def start_automatic_bridge_workers(campaign: Campaign) -> None:
    """Start the workers that send new entries to virtual tabletops, in the background.

    Only targets with `auto = true` get a worker. If such a target receives nothing, a warning is printed.
    While a script keeps the campaign open, no worker is started.
    """
    targets = {name: target for name, target in campaign.book.targets.items() if target["auto"]}
    if targets and not campaign.kept_open:  # a script starts them when it ends
        from strike_bridge.target_outages import take_sentence_about_outage
        from strike_bridge.worker_launcher import start_workers_and_list_not_agreed as leave

        for name in [name for name, table in targets.items() if table.get("fault")]:
            print_to_stderr(f"{name} receives nothing; its table has a fault: `strike bridge doctor {name}`.")
            del targets[name]
        for line in filter(None, (take_sentence_about_outage(campaign.folder, name) for name in targets)):
            print_to_stderr(f"{line} `strike bridge status` says more.")
        for name in leave(campaign.folder, targets):
            # Every time: the game master believes that the table sees it.
            print_to_stderr(
                f"{name} receives nothing yet: `strike bridge allow {name}` shows its address and asks."
            )


def _play_asking_or_leaving_decisions(
    options: Options, campaign: Campaign, name: str, args: Given, more_dice: str | None, decide: Decide | None
) -> PerformedCommand:
    from ..play.command_execution import perform_command

    performed = None
    choices = list(options.choices)
    shown = 0
    while True:
        how = options.play_settings(choices=choices, more_dice=more_dice)
        how.keep_pending, how.asking = False, True
        before = performed
        performed = play_asking_faces_if_physical(
            options, campaign, how, partial(perform_command, campaign, name, args, how, before)
        )
        performed.shown = shown
        if performed.pending is None:
            return performed
        answer = decide(performed) if decide else None
        if answer is None and options.interactive:
            # Others may write while somebody thinks; the command then continues from the answers so far.
            with contextlib.suppress(OSError):  # reported when the script ends
                campaign.sync_journal()
            campaign.close()
            answer = ask_decision(performed, plain=options.plain, aside=options.invocation.play_at_question)
            campaign.reopen()
            shown = len(performed.facts)
            if answer == ASIDE:
                how = options.play_settings(choices=[], more_dice=more_dice)
                how.asking = True
                left_open = perform_command(campaign, name, args, how, performed)
                left_open.is_put_aside = True
                return left_open
        if answer is None:
            answer = performed.pending.default
        if answer is None:
            return perform_command(
                campaign, name, args, options.play_settings(choices=[], more_dice=more_dice), performed
            )
        choices = [answer]


def ask_decision(
    performed: PerformedCommand, *, plain: bool = False, aside: Callable[[str, Choose], bool] | None = None
) -> str | None:
    """Ask the person at the terminal for a decision, and return the chosen option.

    An empty line, `later` or the end of input leaves the decision open. Then return None. If the person types
    another command and `aside` plays it, return ASIDE. If the person types `undo`, CommandWithdrawn is
    raised, and nothing of the command is recorded.
    """
    from .command_output import new_fact_and_reason_lines, print_blocks, question_lines
    from .stream_encoding import decode_typed

    assert performed.pending is not None
    print_blocks(
        [
            *new_fact_and_reason_lines(performed),
            *question_lines(performed.pending, is_answered_at_prompt=True),
        ],
        plain=plain,
    )
    while True:
        try:
            word = decode_typed(input("? ")).strip()
        except EOFError:
            return None
        if not word or word == LATER:
            return None
        word = word.removeprefix("strike choose ").removeprefix("choose ")  # as the documents write it
        if word in ("undo", "strike undo"):
            from strike_cli.refusals import CommandWithdrawn

            raise CommandWithdrawn()
        if (
            word in ("?", "help", "n", "next")
            and option_by_name_or_number(performed.pending.options, word) is None
        ):
            print_blocks(question_lines(performed.pending, is_answered_at_prompt=True), plain=plain)
            continue
        if aside and aside(word, performed.pending):
            return ASIDE
        try:
            return _ask_free_text(performed.pending, parse_option(performed.pending, word))
        except Usage as problem:
            print_blocks(
                [problem.message, *question_lines(performed.pending, is_answered_at_prompt=True)[1:]],
                plain=plain,
            )


ASIDE = "\0aside"
"""The value that `ask_decision` returns where another command was typed at a question."""


def _ask_free_text(question: Choose, option: str) -> str:
    """Ask at the terminal for the free text that an option needs, and return the complete answer.

    An empty line adds no text.
    """
    from .stream_encoding import decode_typed

    asks = question.about.worded.get(option, "") if question.about else ""
    if not asks:
        return option
    try:
        words = decode_typed(input(f"{asks} ")).strip()
    except EOFError:
        words = ""
    return f"{option}: {words}" if words else option


LATER = "later"
"""The word that leaves a decision open."""


def option_by_name_or_number(options: Sequence[str], word: str) -> str | None:
    """Return the option that a word stands for, or None.

    The word is the whole option, in capital or small letters, or the option's number. Numbers count from 1.
    """
    low = word.strip().lower()
    exact = next((option for option in options if option.lower() == low), None)
    if exact is None and is_safe_unsigned_number(word) and 1 <= int(word[:9]) <= len(options):
        return options[int(word) - 1]
    return exact


def parse_option(question: Choose, word: str) -> str:
    """Return the option for a word: its number, the option itself, or its unique beginning.

    Raises Usage for any other word.
    """
    from ..kernel.driver import match_option

    return option_by_name_or_number(question.options, word) or match_option(question, word)


class AmbiguousAnswer(Usage):
    """Raised for an answer that fits several open decisions."""

    def __init__(
        self, word: str, waiting: Mapping[str, WaitingDecision], fits: Iterable[tuple[str, str]]
    ) -> None:
        from ..command_line_splitting import quote_word_if_needed
        from ..play.command_execution import question_of_decision

        lines = [
            f"`strike choose --for {key} {quote_word_if_needed(option)}`: "
            f"{question_of_decision(waiting[key])}"
            for key, option in fits
        ]
        super().__init__(f"{word!r} fits several open decisions.", "\n".join(["Name one:", *lines]))


def decision_answered_by(
    waiting: Mapping[str, WaitingDecision], word: str, *, must_fit: bool = True, shown_key: str = ""
) -> tuple[str, str] | None:
    """Return the key of the open decision that a word answers, and the chosen option, or None.

    A word fits a decision if it is one of the decision's options. With `allow_partial`, it also fits if it is
    the beginning of an option, or free text that the decision allows. If the word fits several decisions, it
    answers `shown_key`, the decision on the screen. A number chooses an option of the decision on the screen
    or, if there is none, of the newest decision.

    Raises AmbiguousAnswer if the word fits several decisions, but not the one on the screen. With
    `allow_partial`, raises Usage if the word fits no decision.
    """
    if not waiting:
        return None
    keys = [*waiting][::-1]
    keys.sort(key=lambda key: key != shown_key)
    questions = {key: unlabelled_question_of_decision(waiting[key]) for key in keys}
    low = word.strip().lower()
    fits = [(key, o) for key, each in questions.items() for o in each.options if o.lower() == low]
    if not fits and (option := option_by_name_or_number(questions[keys[0]].options, word)):
        fits = [(keys[0], option)]
    refused: Usage | None = None
    if not fits and must_fit:
        for key, each in questions.items():
            try:
                fits.append((key, parse_option(each, word)))
            except Usage as problem:
                refused = refused or problem
        fits = [found for found in fits if found[1] in questions[found[0]].options] or fits
    fits = [found for found in fits if found[0] == shown_key] or fits
    if len(fits) > 1:
        raise AmbiguousAnswer(word, waiting, fits)
    if not fits and refused:
        raise refused
    return fits[0] if fits else None


def answer_open_decision(
    options: Options,
    answers: list[str],
    scene: str = "",
    check: Callable[[Campaign], None] = lambda campaign: None,
) -> Result:
    """Answer an open decision, and return the result of the command that waited for it.

    Args:
        options: The options of this command.
        answers: The answer, and answers to further questions of the waiting command. Several words may also
            be one free text.
        scene: The key of the scene whose decision is meant. Without it, the first answer decides which
            decision is meant.
        check: A function that is called first, with the locked campaign. It may raise a refusal.
    """
    from ..play.command_execution import answer_decision_and_play_on as answer
    from ..play.command_execution import find_scene_with_open_decision

    with options.open_campaign(writing=True) as campaign:
        check(campaign)
        waiting = pending_decisions_in(campaign.state)
        which = "" if scene or len(waiting) < 2 else (decision_answered_by(waiting, answers[0]) or ("",))[0]
        which = which or find_scene_with_open_decision(campaign, scene)
        asked = unlabelled_question_of_decision(waiting[which])
        worded = asked.about.worded if asked.about else {}
        if len(answers) > 1 and worded and answers[1].lower() not in asked.options:
            # They may be words of one free text: `choose the guard hears`.
            begun = answers[0].lower()
            if not any(option.startswith(begun) for option in asked.options if option not in worded):
                answers = [" ".join(answers)]
        if is_safe_unsigned_number(answers[0]):
            answers[0] = parse_option(unlabelled_question_of_decision(waiting[which]), answers[0])
        how = options.play_settings(choices=[*answers, *options.choices])
        how.asking = how.asking or options.interactive
        performed = play_asking_faces_if_physical(
            options, campaign, how, lambda: answer(campaign, which, how)
        )
        if performed.seq:
            start_automatic_bridge_workers(campaign)
        return performed_result(performed, campaign, explain=options.explain)
