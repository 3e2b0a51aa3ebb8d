"""How the words of a command are taken apart: texts that need no quotes, refusals in strike's own words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy

import typer
from typer.core import TyperCommand, TyperGroup, TyperOption

from ..problems import Usage

TEXTS = ("--why", "--note")
"""Options that take every word up to the next option."""
ONLY_TEXT = "--"
"""What all that comes after is text."""


class LeftOver(typer.TyperException):
    """More words than a command takes: those that are left."""

    def __init__(self, words: Sequence[str]) -> None:
        super().__init__(" ".join(words))
        self.words = words


class StrikeCommand(TyperCommand):
    """A command: `--why` and `--note` need no quotes, and what is typed wrong is said in strike's words."""

    def parse_args(self, ctx: typer.Context, args: list[str]) -> list[str]:  # type: ignore[override]
        """The words as typed, read. Raises Usage for those that the command doesn't take."""
        self._refuse_one_dash(ctx, args)
        args = self.gathered(ctx, args)
        try:
            return self.read_words(ctx, args)
        except typer.TyperException as error:
            from .wrong_words import in_our_words

            raise in_our_words(error, self, ctx, args) from None

    def format_help(self, ctx, formatter):  # type: ignore[no-untyped-def]
        """The help, without the options of games that the campaign doesn't play."""
        panels = {panel for each in self.params if (panel := getattr(each, "rich_help_panel", None))}
        shown = self
        if panels - {"Everywhere"}:
            from .drafting import panels_left_out

            left_out = panels_left_out(ctx.find_root().params.get("campaign"), panels)
            shown = copy(self)
            shown.params = [
                each for each in self.params if getattr(each, "rich_help_panel", None) not in left_out
            ]
        super(StrikeCommand, shown).format_help(ctx, formatter)

    def _refuse_one_dash(self, ctx: typer.Context, args: Sequence[str]) -> None:
        """`-dice 4` is not `-d` with the value `ice`. Raises Usage."""
        for word in args:
            if word == ONLY_TEXT:
                return
            if len(word) > 2 and word[0] == "-" and word[1].isalpha() and f"-{word}" in self.own_options(ctx):
                raise Usage(f"`{ctx.command_path}` has no option {word}. Did you mean '-{word}'?")

    def gathered(self, ctx: typer.Context, args: Sequence[str]) -> list[str]:
        """The words with each text made one of them."""
        if not any(word in TEXTS for word in args):
            return list(args)
        return gather(args, self.own_options(ctx))

    def own_options(self, ctx: typer.Context) -> Mapping[str, bool]:
        """Every option that the command takes, and whether a value follows it."""
        found: dict[str, bool] = {}
        for each in self.get_params(ctx):
            if isinstance(each, TyperOption):
                takes_value = not (each.is_flag or each.count)
                found |= dict.fromkeys([*each.opts, *each.secondary_opts], takes_value)
        return found

    def read_words(self, ctx: typer.Context, args: Sequence[str]) -> list[str]:
        """The words, read by Typer. Raises TyperException."""
        ctx.allow_extra_args = True
        left: list[str] = super().parse_args(ctx, list(args))
        if left and not ctx.resilient_parsing:
            raise LeftOver(left)
        return left


class StrikeGroup(TyperGroup):
    """A group of commands: one that it has not is refused in strike's words."""

    def resolve_command(self, ctx, args):  # type: ignore[no-untyped-def]
        """The command that the first word names. Raises Usage where it names none."""
        if args and not ctx.resilient_parsing and self.get_command(ctx, args[0]) is None:
            from .wrong_words import no_such_command

            raise no_such_command(self, ctx, args[0])
        return super().resolve_command(ctx, args)

    def parse_args(self, ctx: typer.Context, args: list[str]) -> list[str]:  # type: ignore[override]
        """As Typer reads them. Raises Usage for options that the group doesn't take."""
        typed = list(args)
        if not typed and self.no_args_is_help and not ctx.resilient_parsing:
            from .wrong_words import wants_command

            raise wants_command(self, ctx)
        try:
            return list(super().parse_args(ctx, args))
        except typer.TyperException as error:
            from .wrong_words import in_our_words

            raise in_our_words(error, self, ctx, typed) from None


def gather(args: Sequence[str], options: Mapping[str, bool], texts: Sequence[str] = TEXTS) -> list[str]:
    """Words with what follows each option of `texts` made one word: all up to the first that is an option, or
    a quoted text alone. What comes after `--` stays as it is."""
    made: list[str] = []
    text: list[str] | None = None
    only_text = False
    for word in args:
        if text is not None and word == ONLY_TEXT and not only_text:
            only_text = True
        elif text is not None and (only_text or word not in options) and not _is_quoted(text):
            text.append(word)
        else:
            made += _joined(text)
            text = [] if word in texts else None
            made.append(word)
            if word == ONLY_TEXT:
                return made + list(args[args.index(word) + 1 :])
    return made + _joined(text)


def _is_quoted(words: Sequence[str]) -> bool:
    return len(words) == 1 and " " in words[0]


def _joined(words: Sequence[str] | None) -> list[str]:
    return [" ".join(words)] if words else []


def free_text(command: StrikeCommand, ctx: typer.Context, args: Sequence[str]) -> list[str]:
    """The words of a command that is all text but for its options: the text is its one word, which comes
    last."""
    options = command.own_options(ctx)
    kept: list[str] = []
    text: list[str] = []
    words = iter(gather(args, options))
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
