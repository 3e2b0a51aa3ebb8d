"""Commands as declarations: a signature, a help text, and the move to play with the typed words.

The type of a parameter says how its word is read: `Annotated[str, typer.Argument(...),
WordParser(find_one)]`. A command's parameters have the names of the move's arguments. `play` plays the move
for a person: it asks at the terminal, and answers pending decisions.
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

from ..kernel.facts import waiting_in
from ..problems import CampaignProblem, ContentProblem, Problem, Refused, Usage
from ..safe_reading import is_number
from ..values import Value
from .argument_names import Noun
from .invocation import MoveRead
from .options import Command, OnlyHere, Options, StrikeCommand, declaration_of, find_campaign, free_text
from .result import Block, Result, performed_result, print_error, question_of
from .unquoted_names import THE_ACTIVE as THE_ACTIVE
from .unquoted_names import TwoReadings as TwoReadings
from .unquoted_names import is_argument, takes_many

if TYPE_CHECKING:
    from types import CodeType
    from typing import ParamSpec, Protocol, Unpack

    from ..campaign import Campaign
    from ..kernel.journal_types import WaitingDecision
    from ..kernel.procedure import Choose
    from ..play.execute import How, Performed
    from ..play.moves import Given
    from .options import CommandSettings

    Signature = ParamSpec("Signature")
    Laid = TypeVar("Laid", bound=Mapping[str, object] | None)

    class LaysOver(Protocol):
        """The function behind a declared command.

        It may return arguments of the move by name, which override those made from the typed words.
        """

        def __call__(self, *call: Call, **words: object) -> Mapping[str, object] | None:
            """Return arguments of the move, by name."""


Typed = dict[str, object]
"""The typed words, by parameter name; words that have been parsed have their parsed value."""
Show = Callable[["Campaign | None", "Performed"], Iterable[Block]]
"""A function that returns blocks to show below the results."""


class Call(Value):
    """A command as typed.

    It has its options, its campaign, the words parsed so far, and whether it is `played` or only looked at.
    `notices` are lines for people where it goes on without its campaign.
    """

    __slots__ = ("campaign", "notices", "options", "played", "typed")

    def __init__(
        self,
        options: Options,
        campaign: Campaign | None,
        typed: Typed,
        played: bool = False,
        notices: Sequence[str] = (),
    ) -> None:
        self.notices = notices
        self.options = options
        self.campaign = campaign
        self.typed = typed
        self.played = played

    @property
    def asks(self) -> bool:
        """Whether the person who typed it can be asked."""
        return self.played and self.options.somebody_answers

    @property
    def here(self) -> Campaign:
        """The campaign, for things that only a campaign has. Raises CampaignProblem where there is none."""
        return self.campaign if self.campaign is not None else self.options.campaign()

    def word(self, name: str) -> str:
        """Return the parsed value of a parameter that is text; "" for nothing."""
        found = self.typed.get(name, "")
        return found if isinstance(found, str) else str(found)

    def several(self, name: str) -> list[object]:
        """Return the parsed values of a parameter that takes several."""
        found = self.typed.get(name)
        return list(found) if isinstance(found, list | tuple) else []

    def words(self, name: str) -> list[str]:
        """Return the parsed values of a parameter that takes several texts."""
        return [str(one) for one in self.several(name)]


class WordParser:
    """A parser of a word of a command.

    `read` is called with the call and the word; it returns the meaning, or raises Usage. `complete` lists the
    possible words, for Tab, where no `Noun` does. `whose_turn` makes it the word for the acting person: where
    it is left out, it is the person that this function returns, None where it is nobody's turn. `last_word`
    is an option whose value may also come last, without the option's name.
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
        self.last_word = last_word
        self.single: WordParser | None = None
        """The parser of a single word, in a parser of several."""

    def many(self) -> WordParser:
        """Return a parser of several words, each parsed by this one."""

        def read(call: Call, words: list[str]) -> list[object]:
            return [self.read(call, word) for word in words]

        made = WordParser(read, self.complete)
        made.single = self
        return made

    def names(self) -> WordParser:
        """Return a parser of several names, each of one word or more."""

        def read(call: Call, words: list[str]) -> list[object]:
            if len(words) < 2:
                return [self.read(call, word) for word in words]
            from .unquoted_names import names_of

            return names_of(partial(self.read, call), words)

        return WordParser(read, self.complete)


class Like(Value):
    """An annotation that adds the parameters of another declared function.

    A declared function with `**words: Annotated[object, Like(other)]` also has the parameters of the other
    that it does not have itself, except those in `without`.
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
    """Make a signature a command that plays a move.

    The function may return arguments by name, which replace those made from the typed words. A first
    parameter of type `Call` is no word: it is the call itself, with the campaign. `secret` hides every use of
    the command from players' screens, or those in campaigns for which it returns True. A command that is not
    `kept` is never recorded. `show` returns further blocks to show. `dice` describes the dice that it asks
    for, in order, for the help.
    """

    def decorate(function: Callable[Signature, Laid]) -> Callable[Signature, Laid]:
        declared = Declared(move, function, show)
        _declared.setdefault(app, {})[name] = declared

        def run(options: Options, **typed: object) -> Result:
            with open_call(options, move) if kept else nullcontext(Call(options, None, {})) as call:
                options.secret = options.secret or (secret(call.here) if callable(secret) else secret)
                args = read_meant_arguments(call, declared, typed)
                performed = play_move(options, call.campaign, move, args)
                result = performed_result(performed, call.campaign, explain=options.explain)
                if show is not None and performed.pending is None:
                    result.blocks += show(call.campaign, performed)
                    result.notices = list(call.campaign.notices if call.campaign else ())
                result.notices = [*result.notices, *call.notices]
                return result

        run.__doc__ = (function.__doc__ or "").replace(
            _EXAMPLE, f"\n\n    Dice: {dice}.{_EXAMPLE}" if dice else _EXAMPLE
        )
        run.__name__ = function.__name__
        run.__wrapped__ = function  # type: ignore[attr-defined]  # where it is declared
        settings.setdefault("cls", MoveCommand)
        made = Command(
            run, lambda: declared.parameters, kind, lambda: declared.actor, lambda: declared.last_word
        )
        made.dice = dice
        app.command(name, **settings)(made)
        return function

    return decorate


def must_be_played(campaign: Campaign | None, move: str) -> None:
    """Refuse a move of a game that the campaign doesn't play.

    Raises Refused where the campaign's game has its own move for it.
    """
    if campaign is None:
        return
    from ..play.moves import find_move
    from ..registry import load_system, must_be_in_use

    mover = find_move(move).owner
    must_be_in_use(mover, campaign.book.plugins)
    named = campaign.book.systems
    if not named:
        return
    from ..registry.installed import index

    own = index().plugins[0].systems
    if mover in named or (mover in own and any(name in own for name in named)):
        return
    hints = [
        hint for name in named if name in index().systems and (hint := load_system(name).instead.get(move))
    ]
    if hints:
        raise Refused(
            f"`{move}` is a roll of a game that this campaign doesn't play.",
            " or ".join(f"`strike {hint}`" for hint in hints) + ". Nothing was rolled.",
        )


@contextmanager
def open_call(options: Options, move: str, *, writing: bool = True) -> Iterator[Call]:
    """Open the campaign that a move is played in, for the block; with `writing` under its lock.

    Moves that need no campaign may run without one. A move that reads nothing of it is played without being
    recorded where the campaign's files have faults and nothing was recorded yet, so that there is no earlier
    version.
    """
    from ..play.moves import find_move

    known, notices = find_move(move).move, list[str]()
    try:
        campaign = (options.campaign_if_any if known.stateless else options.campaign)(writing=writing)
    except CampaignProblem as problem:
        if not (known.stateless and known.scope == "nothing" and _is_unplayed(options, problem)):
            raise
        fault = problem.message.partition("\n")[0].rstrip(".")
        notices.append(f"{fault}. It is played without the campaign, and not recorded.")
        campaign = None
    with campaign or nullcontext():
        must_be_played(campaign, move)
        yield Call(options, campaign, {}, writing, notices)


def _is_unplayed(options: Options, problem: CampaignProblem) -> bool:
    """Return whether faults keep a campaign from opening, and nothing has been recorded in it yet."""
    from ..campaign.journal import Journal
    from ..refusals import NotToml

    folder = find_campaign(options.folder)
    is_written = isinstance(problem, (ContentProblem, NotToml))
    return is_written and folder is not None and not Journal(folder).files()


class Declared:
    """A declared command.

    It has the move that it plays, the function with its signature, which is read at its first use, and
    `show`, which returns the blocks to show below the results.
    """

    def __init__(
        self, move: str, function: Callable[Signature, Mapping[str, object] | None], show: Show | None = None
    ) -> None:
        self.move = move
        self.function: LaysOver = function  # type: ignore[assignment]  # its signature says which words
        self.show = show

    @cached_property
    def _signature(self) -> tuple[list[inspect.Parameter], dict[str, WordParser]]:
        try:
            return read_signature(self.function)
        except Exception as error:  # its annotations may be anything
            code: CodeType = self.function.__code__  # type: ignore[attr-defined]  # every function's
            place = f"{code.co_filename}, line {code.co_firstlineno}, {code.co_name}"
            raise TypeError(f"{place}: {type(error).__name__}: {error}") from error

    @property
    def parameters(self) -> Sequence[inspect.Parameter]:
        """Its parameters as Typer takes them."""
        return self._signature[0]

    @cached_property
    def unsaid(self) -> Mapping[str, object]:
        """The default value of each parameter."""
        return {each.name: each.default for each in self.parameters}

    @cached_property
    def actor(self) -> str:
        """The parameter of the acting person, if it may be left out in their turn; it comes first."""
        return next((name for name, reader in self.readers.items() if reader.whose_turn), "")

    @cached_property
    def last_word(self) -> str:
        """The option whose value may also come after all arguments, without the option's name."""
        return next((reader.last_word for reader in self.readers.values() if reader.last_word), "")

    @cached_property
    def takes_call(self) -> bool:
        """Whether the function's first parameter is the call, which is no word."""
        return any(each in ("Call", Call) for each in self.function.__annotations__.values())

    @property
    def readers(self) -> Mapping[str, WordParser]:
        """The parsers of its words, by parameter."""
        return self._signature[1]


_declared: WeakKeyDictionary[typer.Typer, dict[str, Declared]] = WeakKeyDictionary()
"""Declared commands, by the app itself as long as it exists: a later app may get the id of an earlier one."""


def declared_in(app: typer.Typer) -> Mapping[str, Declared]:
    """Return the declared commands of an app, by name."""
    return _declared.get(app, {})


def read_arguments(call: Call, declared: Declared, typed: Mapping[str, object]) -> Typed:
    """Return the arguments of a move: each parsed word, in the order of the signature.

    Words that were not typed are left out. Arguments that the function returns replace those of the words,
    and words that aren't arguments of the move are then left out.
    """
    for name, value in typed.items():
        if value is not None and value != declared.unsaid[name]:
            reader = declared.readers.get(name)
            call.typed[name] = reader.read(call, value) if reader else value
    words = {name: call.typed.get(name, value) for name, value in typed.items()}
    made = declared.function(*[call] * declared.takes_call, **words)
    found = {name.rstrip("_"): value for name, value in call.typed.items()}
    if made is not None:
        from ..play.moves import find_move

        fields = find_move(declared.move).fields
        found = {name: value for name, value in found.items() if name in fields}
        found |= {name: value for name, value in made.items() if value is not None}
    return found


def read_meant_arguments(call: Call, declared: Declared, typed: Mapping[str, object]) -> Typed:
    """Return the arguments of a move, whose names may have several words without quotes.

    Raises TwoReadings where the line may mean two things; where it means nothing, the refusal of the reading
    with the most known names.
    """
    line = call.options.line
    refusal: Usage | Refused | None = line.refusal if line else None
    args: Typed = {}
    words = typed
    if refusal is None:
        try:
            words = with_actor(call, declared, typed)
            args = read_arguments(call, declared, words)
        except TwoReadings:
            raise
        except Usage as problem:
            refusal = problem
    if line is None or not line.words:
        return _args_or_raise(args, refusal)
    from .unquoted_names import MOST_IN_NAME, is_doubtful, join_words, reading_of

    places = [each for each in declared.parameters if is_argument(each)]
    longer = list(line.longer(declared.readers, MOST_IN_NAME, join_words))
    sure = refusal is None and not is_doubtful(places, declared.readers, typed, args)
    if not longer and (sure or len(line.words) < 2):
        return _args_or_raise(args, refusal)

    def read(tried: Mapping[str, object], meant: Typed) -> None:
        read_arguments(
            Call(call.options, call.campaign, meant, call.played), declared, _own_words(declared, tried)
        )

    reader = declared.readers.get(declared.actor)
    acts = bool(reader and reader.whose_turn and call.campaign and reader.whose_turn(call.campaign))
    reading = partial(reading_of, places, declared.readers, read=read, acts=acts, as_typed=refusal is None)
    if sure and not any((found := reading(each, ())) and not found.refusal for each in longer):
        return args
    found = reading(line, longer)
    if found and not found.refusal:
        call.typed.clear()
        return read_arguments(call, declared, _own_words(declared, {**found.options, **found.typed}))
    if found and refusal and found.known > _known_places(declared, words, call, refusal):
        refusal = found.refusal
    return _args_or_raise(args, refusal)


def _known_places(
    declared: Declared, words: Mapping[str, object], call: Call, refusal: Usage | Refused
) -> tuple[int, ...]:
    """Return how much of a refused line could be read, in the form of `Reading.known`."""
    from .unquoted_names import Reading, names_in

    if call.options.line and call.options.line.refusal:
        return (call.options.line.refusal.words_known,)
    return Reading(words, call.typed, names_in(declared.parameters, declared.readers), {}, refusal).known


def _args_or_raise(args: Typed, refusal: Usage | Refused | None) -> Typed:
    if refusal:
        raise refusal
    return args


def _own_words(declared: Declared, words: Mapping[str, object]) -> Typed:
    """Return the words for a move's own parameters, in order, since later ones depend on earlier ones.

    The further parameters of a command about its odds are left out.
    """
    return {name: words[name] for name in declared.unsaid if name in words}


def with_actor(call: Call, declared: Declared, typed: Mapping[str, object]) -> Mapping[str, object]:
    """Return the typed words, with the acting person added in front if left out: `attack g3 lan`.

    The person is added where the first word is not theirs, and the words fit with them in front; where they
    don't fit, somebody acts out of turn.
    """
    if not declared.actor or call.campaign is None:
        return typed
    reader = declared.readers[declared.actor]
    active = reader.whose_turn(call.campaign) if reader.whose_turn else None
    if active is None or typed[declared.actor] in (active, THE_ACTIVE):
        return typed
    moved = _shift_words(declared, typed)
    if moved is None or _read_or_none(reader, call, typed[declared.actor]) == active:
        return typed
    fits_moved, fits_typed = (_can_be_read(call, declared, words) for words in (moved, typed))
    if fits_typed and any(
        _read_or_none(reader, call, word) == active for word in _words_after_actor(declared, typed)
    ):
        return typed  # not to make people act on themselves: `attack odo vex` on Vex's turn
    return typed if fits_typed and not fits_moved else moved


def _words_after_actor(declared: Declared, typed: Mapping[str, object]) -> list[str]:
    """Return the words in the places of the arguments after the acting person."""
    names = [each.name for each in declared.parameters if is_argument(each)][1:]
    values = [typed[name] for name in names]
    words = [word for value in values for word in (value if isinstance(value, list) else [value])]
    return [word for word in words if isinstance(word, str) and word]


def _can_be_read(call: Call, declared: Declared, typed: Mapping[str, object]) -> bool:
    try:
        read_arguments(Call(call.options, call.campaign, {}, call.played), declared, typed)
    except TwoReadings:
        return True
    except Usage:
        return False
    return True


def _read_or_none(reader: WordParser, call: Call, word: object) -> object:
    try:
        return reader.read(call, word)
    except Usage:
        return None


def _shift_words(declared: Declared, typed: Mapping[str, object]) -> Typed | None:
    """Return the words moved one place back, with the acting person first; None where there is no place."""
    names = [each.name for each in declared.parameters if is_argument(each)]
    unsaid = declared.unsaid
    words: list[object] = []
    for name in names:
        value = typed[name]
        if value is not None and value != unsaid[name]:
            words += value if isinstance(value, list) else [value]
    *single, last = names
    moved: Typed = dict(typed)
    left = [THE_ACTIVE, *words]
    for name in single:
        moved[name] = left.pop(0) if left else unsaid[name]
    if takes_many(next(each for each in declared.parameters if each.name == last)):
        moved[last] = left
        return moved
    if len(left) > 1 or not all(isinstance(word, str) for word in words):
        return None
    moved[last] = left[0] if left else unsaid[last]
    return moved


class MoveCommand(StrikeCommand):
    """A command that plays a move: the actor may be left out, and is then the creature whose turn it is."""

    def read_words(self, ctx: typer.Context, args: Sequence[str]) -> list[str]:
        """Return the typed words; where there were too few, with `.` in front."""
        try:
            return super().read_words(ctx, args)
        except typer.TyperException as error:
            declared = declaration_of(self)
            # Only where a word is missing does Typer's error have its type.
            if not hasattr(error, "param_type"):
                if declared is None or not self.leave_unread(ctx, args, error):
                    raise
                return []
            if declared is None or not declared.actor():
                raise
        return super().read_words(ctx, [THE_ACTIVE, *args])

    def takes_left_over(self, ctx: typer.Context, left: Sequence[str]) -> bool:
        """Return False: a move's words are parsed with the campaign open."""
        return False


class TextCommand(MoveCommand):
    """A command that plays a move with a text of several words, which needs no quotes."""

    def gathered(self, ctx: typer.Context, args: Sequence[str]) -> list[str]:
        """Return the typed words, with all but the options joined to one."""
        return free_text(self, ctx, args)


def read_signature(
    function: Callable[Signature, object],
) -> tuple[list[inspect.Parameter], dict[str, WordParser]]:
    """Return the parameters of a declared command for Typer, with completions, and the words' parsers."""
    parameters, readers = [], {}
    for parameter in _word_parameters(function):
        annotation = _element_annotation(parameter.annotation)
        reader = _reader_of(annotation)
        if reader is not None:
            names = reader.single.names() if reader.single and is_argument(parameter) else None
            readers[parameter.name] = names or reader
            annotation = _add_completion(annotation, reader, parameter.default is parameter.empty)
        parameters.append(parameter.replace(annotation=annotation))
    return parameters, readers


def _element_annotation(annotation: object) -> object:
    """Return the annotation of a single element for a list with a parser: `InScene` for `list[InScene]`."""
    (inner, *_) = (*get_args(annotation), None)
    reader = _reader_of(inner) if get_origin(annotation) is list else None
    if reader is None:
        return annotation
    kind, *more = get_args(inner)
    return Annotated[list[kind], *(each for each in more if each is not reader), reader.many()]  # type: ignore[valid-type]  # as it is annotated


def _word_parameters(function: Callable[Signature, object]) -> list[inspect.Parameter]:
    """Return the parameters that are words, including those of the function that it is `Like`."""
    own = inspect.signature(function, eval_str=True).parameters
    words: list[inspect.Parameter] = []
    for parameter in own.values():
        if parameter.kind is inspect.Parameter.VAR_KEYWORD:
            like = next(each for each in parameter.annotation.__metadata__ if isinstance(each, Like))
            words += [
                each for each in _word_parameters(like.function) if each.name not in (*own, *like.without)
            ]
        elif parameter.annotation is not Call:
            words.append(parameter)
    return words


def _reader_of(annotation: object) -> WordParser | None:
    metadata: tuple[object, ...] = getattr(annotation, "__metadata__", ())
    return next((each for each in metadata if isinstance(each, WordParser)), None)


def campaign_of(context: typer.Context) -> Campaign | None:
    """Return the campaign for a line: the one given with -C, else the one nearby."""
    from ..campaign import Campaign

    named = context.params.get("common_campaign") or context.find_root().params.get("campaign")
    try:
        folder = find_campaign(named)
        return Campaign(folder) if folder else None
    except (Problem, OSError):
        return None


def names_beginning(names: Iterable[str], incomplete: str) -> list[str]:
    """Return the names that begin with a word, each once.

    Names that a shell may not write to a terminal unchanged are left out.
    """
    found = [name for name in dict.fromkeys(names) if name.lower().startswith(incomplete.lower())]
    return [name for name in found if name.isprintable()]


def _add_completion(annotation: object, reader: WordParser, is_argument: bool) -> object:
    complete = reader.complete
    kind, *more = get_args(annotation)
    found = (each for each in more if isinstance(each, typer.models.ParameterInfo))
    info = next(found, None)
    if info is None:  # as Typer takes a plain word
        info = typer.Argument() if is_argument else typer.Option()
        annotation = Annotated[kind, info, *more]
    called = info.metavar
    if complete is None or called is None or isinstance(called, Noun):
        return annotation
    from copy import copy

    info = copy(info)
    info.metavar = Noun(called, lambda campaign, typed: complete(campaign))
    return Annotated[kind, info, *(each for each in more if isinstance(each, OnlyHere))]


def play_with_dice(
    options: Options, campaign: Campaign | None, how: How, played: Callable[[], Performed]
) -> Performed:
    """Play, asking for the faces of rolls that use dice on the table, if there are any."""
    if not options.asks_dice and (campaign is None or not campaign.book.dice):
        return played()
    from .physical_dice import asking_for_faces

    return asking_for_faces(options.faces_of, campaign, how, played, everybody=options.asks_dice)


Decide = Callable[["Performed"], "str | None"]
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
) -> Performed:
    """Play a command. At a terminal a decision is asked at once; else it stays pending."""
    from ..play.execute import perform_command

    if options.invocation.reads:
        raise MoveRead(name, args)
    if campaign is None or not (options.interactive or decide):
        how = options.how(more_dice=more_dice)
        performed = play_with_dice(options, campaign, how, lambda: perform_command(campaign, name, args, how))
    else:
        performed = _play_asking(options, campaign, name, args, more_dice, decide)
    if campaign is not None and performed.seq:
        leave_drain(campaign)
    return performed


def go_on_from(campaign: Campaign, performed: Performed) -> None:
    """Continue from the result of a trial, so that the next command can be tried.

    From then on the campaign in memory differs from the one on the disk: nothing may be recorded in it.
    """
    from ..kernel.facts import apply_fact

    for fact in performed.facts:
        campaign.state = apply_fact(campaign.state, fact)
    campaign.head.commands += 1
    campaign.head.rolls += performed.rolled


def leave_drain(campaign: Campaign) -> None:
    """Start background drains for targets with `auto = true`, after a command was recorded."""
    targets = {name: target for name, target in campaign.book.targets.items() if target["auto"]}
    if targets and not campaign.kept_open:  # a script starts them when it ends
        from strike_bridge.background_worker import leave_drain as leave
        from strike_bridge.target_status import take_status_change

        for name in [name for name, table in targets.items() if table.get("fault")]:
            print_error(f"{name} receives nothing; its table has a fault: `strike bridge doctor {name}`.")
            del targets[name]
        for line in filter(None, (take_status_change(campaign.folder, name) for name in targets)):
            print_error(f"{line} `strike bridge status` says more.")
        for name in leave(campaign.folder, targets):
            # Every time: the game master believes that the table sees it.
            print_error(
                f"{name} receives nothing yet: `strike bridge allow {name}` shows its address and asks."
            )


def _play_asking(
    options: Options, campaign: Campaign, name: str, args: Given, more_dice: str | None, decide: Decide | None
) -> Performed:
    from ..play.execute import perform_command

    performed = None
    choices = list(options.choices)
    shown = 0
    while True:
        how = options.how(choices=choices, more_dice=more_dice)
        how.keep_pending, how.asking = False, True
        before = performed
        performed = play_with_dice(
            options, campaign, how, partial(perform_command, campaign, name, args, how, before)
        )
        performed.shown = shown
        if performed.pending is None:
            return performed
        answer = decide(performed) if decide else None
        if answer is None and options.interactive:
            # Others may write while somebody thinks; the command then continues from the answers so far.
            with contextlib.suppress(OSError):  # reported when the script ends
                campaign.sync()
            campaign.close()
            answer = ask_decision(performed, plain=options.plain, aside=options.invocation.aside)
            campaign.reopen()
            shown = len(performed.facts)
            if answer == ASIDE:
                how = options.how(choices=[], more_dice=more_dice)
                how.asking = True
                left_open = perform_command(campaign, name, args, how, performed)
                left_open.is_put_aside = True
                return left_open
        if answer is None:
            answer = performed.pending.default
        if answer is None:
            return perform_command(
                campaign, name, args, options.how(choices=[], more_dice=more_dice), performed
            )
        choices = [answer]


def ask_decision(
    performed: Performed, *, plain: bool = False, aside: Callable[[str, Choose], bool] | None = None
) -> str | None:
    """Put a decision to the person at the terminal.

    Return None where they leave it open (an empty line, `later`), ASIDE where they typed another command,
    which `aside` accepts and plays. Raises Refused where they take the command back (`undo`): nothing of it
    was recorded.
    """
    from .encoding import decode_typed
    from .result import performed_lines, question_lines, say_blocks

    assert performed.pending is not None
    say_blocks([*performed_lines(performed), *question_lines(performed.pending, prompting=True)], plain=plain)
    while True:
        try:
            word = decode_typed(input("? ")).strip()
        except EOFError:
            return None
        if not word or word == LATER:
            return None
        word = word.removeprefix("strike choose ").removeprefix("choose ")  # as the documents write it
        if word in ("undo", "strike undo"):
            from strike_cli.refusals import TakenBack

            raise TakenBack()
        if word in ("?", "help", "n", "next") and read_option(performed.pending.options, word) is None:
            say_blocks(question_lines(performed.pending, prompting=True), plain=plain)
            continue
        if aside and aside(word, performed.pending):
            return ASIDE
        try:
            return _add_free_text(performed.pending, parse_option(performed.pending, word))
        except Usage as problem:
            say_blocks([problem.message, *question_lines(performed.pending, prompting=True)[1:]], plain=plain)


ASIDE = "\0aside"
"""The value that `ask` returns where another command was typed at a question."""


def _add_free_text(question: Choose, option: str) -> str:
    """Return an answer with its free text, which is asked for where it is missing.

    An empty line adds none.
    """
    from .encoding import decode_typed

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


def read_option(options: Sequence[str], word: str) -> str | None:
    """Return the option that a word is, itself or by its number from 1; None for any other word."""
    low = word.strip().lower()
    exact = next((option for option in options if option.lower() == low), None)
    if exact is None and is_number(word) and 1 <= int(word[:9]) <= len(options):
        return options[int(word) - 1]
    return exact


def parse_option(question: Choose, word: str) -> str:
    """Return the option that a word means: a number, the option itself, or its unique beginning.

    Raises Usage.
    """
    from ..kernel.driver import match_option

    return read_option(question.options, word) or match_option(question, word)


class WhichDecision(Usage):
    """The refusal of an answer that fits several open decisions."""

    def __init__(
        self, word: str, waiting: Mapping[str, WaitingDecision], fits: Iterable[tuple[str, str]]
    ) -> None:
        from ..play.execute import subject_of_decision
        from ..word_splitting import quote_word

        lines = [
            f"`strike choose --for {key} {quote_word(option)}`: {subject_of_decision(waiting[key])}"
            for key, option in fits
        ]
        super().__init__(f"{word!r} fits several open decisions.", "\n".join(["Name one:", *lines]))


def decision_meant(
    waiting: Mapping[str, WaitingDecision], word: str, *, begun: bool = True, shown: str = ""
) -> tuple[str, str] | None:
    """Return the key of the open decision that a word answers, and the option.

    The word is an option, or a number; with `begun` it may also be the beginning of an option, or free text.
    Return None for any other word. The decision that is `shown` comes before others; a number answers it,
    else the newest.

    Raises Usage where the word fits several decisions; with `begun` also for a word that answers none.
    """
    if not waiting:
        return None
    keys = [*waiting][::-1]
    keys.sort(key=lambda key: key != shown)
    questions = {key: question_of(waiting[key]) for key in keys}
    low = word.strip().lower()
    fits = [(key, o) for key, each in questions.items() for o in each.options if o.lower() == low]
    if not fits and (option := read_option(questions[keys[0]].options, word)):
        fits = [(keys[0], option)]
    refused: Usage | None = None
    if not fits and begun:
        for key, each in questions.items():
            try:
                fits.append((key, parse_option(each, word)))
            except Usage as problem:
                refused = refused or problem
        fits = [found for found in fits if found[1] in questions[found[0]].options] or fits
    fits = [found for found in fits if found[0] == shown] or fits
    if len(fits) > 1:
        raise WhichDecision(word, waiting, fits)
    if not fits and refused:
        raise refused
    return fits[0] if fits else None


def answer_pending(
    options: Options,
    answers: list[str],
    scene: str = "",
    check: Callable[[Campaign], None] = lambda campaign: None,
) -> Result:
    """Answer a pending decision: that of `scene`, else the one that the first answer fits.

    `check` may refuse it, with the campaign as it is under the lock.
    """
    from ..play.execute import choose_pending as answer
    from ..play.execute import pending_scene

    with options.campaign(writing=True) as campaign:
        check(campaign)
        waiting = waiting_in(campaign.state)
        which = "" if scene or len(waiting) < 2 else (decision_meant(waiting, answers[0]) or ("",))[0]
        which = which or pending_scene(campaign, scene)
        asked = question_of(waiting[which])
        worded = asked.about.worded if asked.about else {}
        if len(answers) > 1 and worded and answers[1].lower() not in asked.options:
            # They may be words of one free text: `choose the guard hears`.
            begun = answers[0].lower()
            if not any(option.startswith(begun) for option in asked.options if option not in worded):
                answers = [" ".join(answers)]
        if is_number(answers[0]):
            answers[0] = parse_option(question_of(waiting[which]), answers[0])
        how = options.how(choices=[*answers, *options.choices])
        how.asking = how.asking or options.interactive
        performed = play_with_dice(options, campaign, how, lambda: answer(campaign, which, how))
        if performed.seq:
            leave_drain(campaign)
        return performed_result(performed, campaign, explain=options.explain)
