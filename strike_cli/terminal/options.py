"""What every command takes: where the campaign is, how to answer, how to show; and what adds it."""

from __future__ import annotations

import contextlib
import inspect
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple, TypeVar

import typer

from strike_cli.refusals import NoCampaignHere

from ..problems import Problem, Usage
from ..reading import is_number
from ..values import Value
from .parsing import StrikeCommand, StrikeGroup
from .result import Result, show, untold

if TYPE_CHECKING:
    from ..campaign import Campaign
    from ..kernel.procedure import Roll
    from ..play.execute import How
    from ..registry.outside import Asker

Function = TypeVar("Function", bound="Callable[..., Result]")


class OnlyHere:
    """Marks an option that nobody outside may give: it names a file, a folder or another machine, or mends
    what people wrote. `Annotated[str, typer.Option("--out"), ONLY_HERE]`."""


ONLY_HERE = OnlyHere()

_READING: dict[str, object] = {
    "campaign": Annotated[
        str | None,
        typer.Option(
            "-C", "--campaign", metavar="DIR", help="The campaign's folder.", rich_help_panel="Everywhere"
        ),
        ONLY_HERE,
    ],
    "json": Annotated[
        bool, typer.Option("--json", help="One JSON object on stdout.", rich_help_panel="Everywhere")
    ],
    "plain": Annotated[bool, typer.Option("--plain", help="No colour.", rich_help_panel="Everywhere")],
    "debug": Annotated[
        bool, typer.Option("--debug", help="The trace of a plugin's mistake.", hidden=True), ONLY_HERE
    ],
}
_WRITING: dict[str, object] = {
    "dry_run": Annotated[
        bool,
        typer.Option(
            "--dry-run", help="Show what would happen; write nothing.", rich_help_panel="Everywhere"
        ),
    ],
    "note": Annotated[
        str,
        typer.Option("--note", metavar="TEXT", help="Kept with it in the log.", rich_help_panel="Everywhere"),
    ],
    "secret": Annotated[
        bool,
        typer.Option("--secret", help="Keep it from the players' screens.", rich_help_panel="Everywhere"),
    ],
}
_PLAYING: dict[str, object] = {
    "dice": Annotated[
        list[str] | None,
        typer.Option(
            "--dice",
            "-d",
            metavar="5,2|ask",
            help="Natural faces of the dice on your table, in the order asked; or ask for them.",
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
        bool,
        typer.Option(
            "--reroll", help="Other dice than before; the log shows it.", rich_help_panel="Everywhere"
        ),
    ],
    "explain": Annotated[
        bool, typer.Option("--explain", help="Show what made the roll.", rich_help_panel="Everywhere")
    ],
}
_DEFAULTS: dict[str, object] = {"note": "", "choose": None, "campaign": None, "dice": None, "seed": None}


class Options:
    """The common options of one command, as typed."""

    def __init__(self, values: Mapping[str, Any], root_campaign: str | None) -> None:
        self.folder: str | None = values.get("campaign") or root_campaign
        self.json: bool = values.get("json", False)
        self.plain: bool = values.get("plain", False)
        self.dry_run: bool = values.get("dry_run", False)
        self.secret: bool = values.get("secret", False)
        self.note: str = values.get("note", "")
        self.dice_text: str | None = _joined("--dice", values.get("dice"))
        self.choices: list[str] = _split(_joined("--choose", values.get("choose")) or "")
        self.seed: int | None = values.get("seed")
        self.reroll: bool = values.get("reroll", False)
        self.explain: bool = values.get("explain", False)

    # The campaign

    def campaign(self, *, writing: bool = False) -> Campaign:
        """The campaign, open. Raises CampaignProblem where none is near."""
        found = self.campaign_if_any(writing=writing)
        if found is None:
            raise NoCampaignHere("Go to its folder, or name it with -C DIR; `strike new DIR` makes one.")
        return found

    def campaign_if_any(self, *, writing: bool = False) -> Campaign | None:
        """The campaign, open, or None where none was named and none is near."""
        from ..campaign.find import find_campaign

        if _shared.campaign is not None:
            _shared.campaign.notices.clear()
            return _marked(_shared.campaign)
        folder = find_campaign(self.folder)
        if folder is None:
            return None
        from ..campaign.campaign import Campaign

        return _marked(Campaign(folder, writing=writing and not self.dry_run))

    # Answers

    def dice(self, more: str | None = None) -> list[int] | None:
        """The faces typed with --dice, then those of `more`; None where none were."""
        if self.asks_dice and more is None:
            return None
        text = ",".join(part for part in (self.dice_text, more) if part)
        if self.dice_text is None and more is None:
            return None
        faces = []
        for word in _split(text):
            if not is_number(word):
                raise Usage(f"--dice: {word[:20]!r} is not a face.", "Write natural faces, like --dice 5,2.")
            faces.append(int(word))
        return faces

    def _together(self, more: str | None = None) -> str:
        """Digits typed for --dice without a comma, which may be a face each; empty where there are none."""
        text = (self.dice_text or "").strip()
        return text if not more and len(text) > 1 and text.isascii() and text.isdigit() else ""

    @property
    def asks_dice(self) -> bool:
        """Whether every roll's faces are asked for: `--dice ask`, here or of the whole shell."""
        return self.dice_text == ASK or (_shared.dice == ASK and self.dice_text is None)

    @property
    def interactive(self) -> bool:
        """Whether somebody sits at a terminal to be asked."""
        return not self.json and not _shared.unattended and sys.stdin.isatty() and sys.stdout.isatty()

    @property
    def somebody_answers(self) -> bool:
        """Whether decisions are asked of somebody: at the terminal, or on a screen that shows them."""
        return _shared.asking or self.interactive

    @property
    def faces_of(self) -> FacesOf | None:
        """Who asks for the faces of dice on the table; None where nobody can be asked."""
        if self.json:
            return None
        if _shared.faces_of is None and self.interactive:
            from .physical_dice import ask_faces

            return ask_faces
        return _shared.faces_of

    def how(self, *, choices: Sequence[str] | None = None, more_dice: str | None = None) -> How:
        """How the command is to be played."""
        from ..play.execute import How

        return How(
            asking=_shared.asking,
            dice=self.dice(more_dice),
            together=self._together(more_dice),
            choices=self.choices if choices is None else choices,
            seed=self.seed,
            reroll=self.reroll,
            secret=self.secret,
            note=self.note,
            dry_run=self.dry_run,
            player=_shared.player,
        )


def new_app(help: str = "", **settings: Any) -> typer.Typer:
    """A group of commands, or a module's commands, as every one of them is made. `help` is that of a
    group."""
    settings.setdefault("cls", StrikeGroup)
    app = typer.Typer(no_args_is_help=True, add_completion=False, rich_markup_mode="markdown", **settings)
    if help:
        # With a callback it is a group, also where there is but one command in it.
        app.callback(help=help)(_nothing)
    return app


def _nothing() -> None:
    pass


FacesOf = Callable[["Roll", str], "list[int] | None"]
"""Who asks for the faces of a roll, by the name of whose it is; None for one that is left to strike. Raises
Refused where the command is taken back."""


class Given(NamedTuple):
    """What somebody outside says with a command, beside its words."""

    dice: Sequence[int] = ()
    choose: Sequence[str] = ()
    note: str = ""
    secret: bool = False
    dry_run: bool = False
    seed: int | None = None
    """Of the dice, for those who may not foresee what will fall."""
    without: tuple[str, ...] = ()
    """Options that they may not give, besides those that nobody may."""

    def options(self) -> dict[str, object]:
        """The common options that were given, by name, as they would have been typed."""
        typed: dict[str, object] = {
            "dice": [",".join(map(str, self.dice))] if self.dice else None,
            "choose": [",".join(self.choose)] if self.choose else None,
            "note": self.note,
            "secret": self.secret,
            "dry_run": self.dry_run,
            "seed": self.seed,
        }
        return {name: value for name, value in typed.items() if value}


NOTHING_GIVEN = Given()


class OutsideCall(Value):
    """Who outside a command is played for, and what they say beside its words."""

    __slots__ = ("asker", "given")

    def __init__(
        self,
        asker: Asker,
        given: Given,
    ) -> None:
        self.asker = asker
        self.given = given


class _Shared:
    """What many commands share: the campaign that a script keeps open, and who is asked in a terminal's
    place."""

    campaign: Campaign | None = None
    unattended = False
    asking = False
    dice: str | None = None
    faces_of: FacesOf | None = None
    taken_by: Callable[[Result], None] | None = None
    """Who takes what came of a command, in the place of a terminal."""
    player = ""
    by = ""
    outside: OutsideCall | None = None


_shared = _Shared()


def _marked(campaign: Campaign) -> Campaign:
    """A campaign whose entries keep for whom they are played."""
    if _shared.by:
        campaign.marks = {**campaign.marks, "by": _shared.by}
    return campaign


ASK = "ask"
"""What --dice is where somebody shall be asked for the faces of every roll."""


@contextlib.contextmanager
def dice_for_all(typed: str | None) -> Iterator[None]:
    """Let every command of the block that says nothing of its dice have these."""
    _shared.dice = typed
    try:
        yield
    finally:
        _shared.dice = None


@contextlib.contextmanager
def unattended() -> Iterator[None]:
    """Ask nobody anything in the block, terminal or not: decisions stay pending."""
    _shared.unattended = True
    try:
        yield
    finally:
        _shared.unattended = False


@contextlib.contextmanager
def asked_elsewhere(faces_of: FacesOf) -> Iterator[None]:
    """Ask nobody at the terminal in the block, but leave every decision open for whoever shows it, those too
    that would be taken by default. The faces of dice on the table are asked of `faces_of`."""
    _shared.asking, _shared.faces_of = True, faces_of
    try:
        with unattended():
            yield
    finally:
        _shared.asking, _shared.faces_of = False, None


@contextlib.contextmanager
def results_to(taken_by: Callable[[Result], None]) -> Iterator[None]:
    """In the block what comes of commands is printed nowhere: it is handed over."""
    before, _shared.taken_by = _shared.taken_by, taken_by
    try:
        yield
    finally:
        _shared.taken_by = before


def is_collected() -> bool:
    """Whether somebody takes what comes of commands, in the place of a terminal."""
    return _shared.taken_by is not None


@contextlib.contextmanager
def from_phone(player: str, by: str = "") -> Iterator[None]:
    """Commands of the block come from the phone of a character's player, or from an assistant (`by`), which
    the journal keeps."""
    _shared.player, _shared.by = player, by
    shared = _shared.campaign
    marks = shared.marks if shared is not None else {}
    try:
        yield
    finally:
        _shared.player = _shared.by = ""
        if shared is not None:
            shared.marks = marks


@contextlib.contextmanager
def from_outside(asker: Asker, given: Given = NOTHING_GIVEN) -> Iterator[None]:
    """Commands of the block are asked for from outside: what may not be asked for is refused before anything
    is looked at (`registry.outside`)."""
    before, _shared.outside = _shared.outside, OutsideCall(asker, given)
    try:
        yield
    finally:
        _shared.outside = before


def in_a_script() -> bool:
    """Whether a script keeps the campaign open, and sees to what follows its commands."""
    return _shared.campaign is not None


@contextlib.contextmanager
def shared(campaign: Campaign) -> Iterator[None]:
    """Let every command in the block use this open campaign, and keep it open."""
    with in_place(campaign), campaign.keep_open():
        yield


@contextlib.contextmanager
def in_place(campaign: Campaign | None) -> Iterator[None]:
    """Let every command in the block use this campaign, which is open; None lets each open its own."""
    before, _shared.campaign = _shared.campaign, campaign
    try:
        yield
    finally:
        _shared.campaign = before


def _joined(option: str, typed: Sequence[str] | None) -> str | None:
    """What was typed for an option that may stand several times, in its order; None where it never stands.
    Raises Usage for faces beside `ask`."""
    if not typed:
        return None
    if len(typed) > 1 and ASK in typed:
        raise Usage(f"{option} {ASK} stands beside others.", f"Ask for all dice, or name them: {option} 5,2.")
    return ",".join(typed)


def _split(text: str) -> list[str]:
    return [word.strip() for word in text.split(",") if word.strip()]


class Command:
    """A command as Typer takes it: what it is called with, its own parameters and the common ones.

    Its signature is read when Typer asks, which it does of the command that was typed: reading those of a
    whole group would cost more than most commands do.
    """

    def __init__(
        self,
        function: Callable[..., Result],
        own: Callable[[], Sequence[inspect.Parameter]],
        kind: str,
        actor: Callable[[], str] = str,
        last_word: Callable[[], str] = str,
    ) -> None:
        self.function = function
        self.own = own
        self.actor = actor
        """The parameter of who acts, where that may be left out; empty where none may."""
        self.last_word = last_word
        """The option whose value may stand last, without it; empty where none may."""
        self.common = {
            **_READING,
            **(_WRITING if kind != "reads" else {}),
            **(_PLAYING if kind == "plays" else {}),
        }
        self.__name__ = function.__name__
        self.__doc__ = function.__doc__
        # Those of the signature are values already: Typer would go through all of them again.
        self.__annotations__ = dict[str, object]()

    def __call__(self, ctx: typer.Context, **values: Any) -> int:
        given = {key: values.pop(f"common_{key}") for key in self.common}
        if _shared.outside is not None:
            given |= self._asked_for(ctx, _shared.outside)
        options = Options(given, ctx.find_root().obj)
        try:
            result = self.function(options, **values)
        except (Problem, typer.TyperException, typer.Exit, typer.Abort):
            raise
        except Exception as error:
            from .mistakes import of_plugin

            if (problem := of_plugin(error, ctx.command_path, options.folder)) is None:
                raise
            raise problem from error
        if _shared.taken_by is not None:
            _shared.taken_by(result)
            return result.exit_code
        try:
            show(result, as_json=options.json, plain=options.plain)
        except OSError as error:
            return untold(result, error)
        return result.exit_code

    def _asked_for(self, ctx: typer.Context, outside: OutsideCall) -> dict[str, object]:
        """What somebody outside gives with it. Raises NotFromOutside where they may not ask for it so, and
        Usage for what it doesn't take."""
        from ..registry.outside import must_be_allowed, refuse_option

        name = ctx.command_path.partition(" ")[2]
        must_be_allowed(name, outside.asker)
        for each in ctx.command.params:
            never = each.name in self.only_here or any(word in outside.given.without for word in each.opts)
            if never and _is_typed(ctx, str(each.name)):
                raise refuse_option(name, each.opts[0])
        if ASK in (ctx.params.get("common_dice") or ()):
            raise refuse_option(name, f"--dice {ASK}")
        given = outside.given.options()
        for key in given:
            if key not in self.common or _is_typed(ctx, f"common_{key}"):
                word = key.replace("_", "-")
                twice = "is given twice" if key in self.common else "is nothing that it takes"
                raise Usage(f"`{name}`: {word} {twice}.", "Leave it out. Nothing was changed.")
        return given

    @cached_property
    def only_here(self) -> frozenset[str]:
        """Its parameters that nobody outside may give."""
        return frozenset(
            name for name, each in self.__signature__.parameters.items() if is_only_here(each.annotation)
        )

    @cached_property
    def __signature__(self) -> inspect.Signature:
        keyword = inspect.Parameter.KEYWORD_ONLY
        context = inspect.Parameter("ctx", keyword, annotation=typer.Context)
        own = [parameter.replace(kind=keyword) for parameter in self.own()]
        common = [
            inspect.Parameter(f"common_{key}", keyword, default=_DEFAULTS.get(key, False), annotation=kind)
            for key, kind in self.common.items()
        ]
        return inspect.Signature([context, *own, *common])


def is_only_here(annotation: object) -> bool:
    """Whether the option that is annotated so is marked with ONLY_HERE."""
    return any(isinstance(each, OnlyHere) for each in getattr(annotation, "__metadata__", ()))


def _is_typed(ctx: typer.Context, parameter: str) -> bool:
    """Whether a parameter was typed, rather than left at its default."""
    from typer._click.core import ParameterSource

    return ctx.get_parameter_source(parameter) is ParameterSource.COMMANDLINE


def command(
    app: typer.Typer, name: str, *, kind: str = "plays", **settings: Any
) -> Callable[[Function], Function]:
    """Make a function a command. Its first parameter is `options: Options`; the common ones are added.

    `kind` says which it takes: "reads" (where, how shown), "writes" (also --dry-run, --note, --secret),
    "plays" (also dice and choices).
    """

    def decorate(function: Function) -> Function:
        def own() -> Sequence[inspect.Parameter]:
            _, *parameters = inspect.signature(function, eval_str=True).parameters.values()
            return parameters

        settings.setdefault("cls", StrikeCommand)
        app.command(name, **settings)(Command(function, own, kind))
        return function

    return decorate
