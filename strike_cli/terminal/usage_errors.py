"""Refusals of a command's wrong words, in strike's own words.

Each tells what the command takes, with a valid example.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import typer
from typer.core import TyperArgument, TyperCommand, TyperGroup, TyperOption

from strike_cli.refusals import CommandWants

from ..problems import Usage, listed, nearest
from ..word_splitting import quote_word

Parameter = TyperArgument | TyperOption
EVERYWHERE = "Everywhere"
"""The part of a help that lists the options of every command."""
_NUMBER = re.compile(r"[+=-]?\d+")
_EXAMPLE = re.compile(r"Example: `([^`]+)`")


def in_our_words(
    error: typer.TyperException, command: TyperCommand | TyperGroup, ctx: typer.Context, args: Sequence[str]
) -> Usage:
    """Return a refusal by Typer in strike's own words."""
    path = ctx.command_path
    words = getattr(error, "words", None)
    if words is not None:
        left = " ".join(words)
        return Usage(
            f"`{name_of(ctx)}` takes no more words: {left!r} is left over.", example_of(command, path)
        )
    parameter = getattr(error, "param", None)
    if parameter is not None and hasattr(error, "param_type"):
        missing = _missing_parameters(command, ctx, args, parameter)
        return CommandWants(
            name_of(ctx), " and ".join(map(_parameter_help, missing)), example_of(command, path)
        )
    if parameter is not None:
        value = _unreadable_word(command, ctx, args, parameter)
        said = f", not {value!r}" if value is not None else ""
        problem = Usage(f"{_name_of(parameter)} is {_form_of(parameter)}{said}.", example_of(command, path))
        if value is not None and _NUMBER.fullmatch(value):  # no part of the name before it
            problem.words_known = [*command.params].index(parameter)
        return problem
    option = getattr(error, "option_name", "")
    if not option:
        return Usage(error.format_message(), example_of(command, path))
    known = _options(command, ctx)
    if option in known:
        return CommandWants(name_of(ctx), _parameter_help(known[option]), example_of(command, path))
    own = [
        name
        for name, each in known.items()
        if not (getattr(each, "rich_help_panel", None) == EVERYWHERE or "--help" in each.opts or each.hidden)
        and name[1] == "-"
    ]
    has = f"It has {listed(own, 8)}" if own else "It has none of its own"
    hint = nearest(option, known, alike=0.7)
    return Usage(f"`{name_of(ctx)}` has no option {option}.{hint}", f"{has}: `{path} --help`.")


def name_of(ctx: typer.Context) -> str:
    """Return the name of a command in a sentence; a command to type has `strike` in front."""
    return ctx.command_path.removeprefix("strike ")


def lacks_its_value(command: TyperCommand, ctx: typer.Context, option: str, following: str) -> Usage:
    """Return the refusal of an option without its value, since the next option would be taken for it."""
    path = ctx.command_path
    message = f"{_name_of(_options(command, ctx)[option])} has no value: {following} is an option, too."
    return Usage(message, example_of(command, path))


def before_the_command(option: str, words: Sequence[str], common: Mapping[str, str], path: str) -> Usage:
    """Return the refusal of an option that strike, or a group, doesn't have.

    The `common` options belong after a command.
    """
    meant = common.get(option)
    if meant is None:
        return _has_no_option(path, option)
    rest = [quote_word(word) for word in words if word != option]
    line = " ".join([*rest, option]) if rest and not meant else f"COMMAND {option} {meant}".strip()
    return Usage(f"{option} comes after a command, not before it.", f"So: `{path} {line}`")


def no_such_command(group: TyperGroup, ctx: typer.Context, word: str) -> Usage:
    """Return the refusal of a command that a group doesn't have."""
    names = group.list_commands(ctx)
    path = ctx.command_path
    if word.startswith("-"):
        return _has_no_option(path, word)
    return Usage(
        f"`{name_of(ctx)}` has no {word!r}.{nearest(word, names)}",
        f"It has {listed(names, 40)}: `{path} --help`.",
    )


def _has_no_option(path: str, option: str) -> Usage:
    command = path.removeprefix("strike ")
    return Usage(f"`{command}` has no option {option}.", f"`{path} --help` lists its options.")


def wants_command(group: TyperGroup, ctx: typer.Context) -> Usage:
    """Return the refusal of a group's name without a command."""
    path = ctx.command_path
    names = listed(group.list_commands(ctx), 40)
    return Usage(f"`{name_of(ctx)}` needs one of its commands: {names}.", f"`{path} --help` explains each.")


def example_of(command: TyperCommand | TyperGroup, path: str) -> str:
    """Return a valid example from a command's help, or the advice where to look."""
    example = example_in(command.help)
    return f"Example: `{example}`" if example else f"`{path} --help` shows how."


def example_in(help: str | None) -> str:
    """Return the first example in a help, as typed; "" where it has none."""
    found = _EXAMPLE.search(" ".join((help or "").split()))
    return found[1] if found else ""


def _options(command: TyperCommand | TyperGroup, ctx: typer.Context) -> dict[str, TyperOption]:
    options = [each for each in command.get_params(ctx) if isinstance(each, TyperOption)]
    return {name: each for each in options for name in each.opts}


def _missing_parameters(
    command: TyperCommand | TyperGroup, ctx: typer.Context, args: Sequence[str], parameter: Parameter
) -> list[Parameter]:
    """Return all missing parameters of a command, where Typer reports only `parameter`.

    With WHO... and N Typer takes the last word for N, whatever it is: `damage vex` lacks N.
    """
    arguments: list[Parameter] = [each for each in command.get_params(ctx) if isinstance(each, TyperArgument)]
    after = arguments[arguments.index(parameter) + 1 :] if parameter in arguments else []
    words = [word for word in args if not word.startswith("-") or _NUMBER.fullmatch(word)]
    if parameter.nargs != -1 or len(after) != 1 or not words:
        return [parameter]
    counts = _is_whole(after[0]) or getattr(after[0].metavar, "counts", False)  # as a `Noun` says it
    if not counts:
        return [parameter, *after]
    return [parameter] if _NUMBER.fullmatch(words[-1]) else after


def _name_of(parameter: Parameter) -> str:
    """Return a parameter's name in the help: `SQUARE`, `--power P`."""
    metavar = str(parameter.metavar or parameter.name)
    if metavar[0] + metavar[-1] in ("[]", "{}") or metavar.endswith("]..."):
        metavar = metavar.strip("[]{}.")
    metavar = metavar.removesuffix("...").upper()
    if parameter.param_type_name == "argument":
        return metavar
    longest = max(parameter.opts, key=len)
    return f"{longest} {metavar}" if parameter.metavar else str(longest)


def _parameter_help(parameter: Parameter) -> str:
    told = (parameter.help or "").strip().rstrip(".")
    told = told if told[1:2].isupper() else f"{told[:1].lower()}{told[1:]}"
    return f"{_name_of(parameter)}: {told}" if told else _name_of(parameter)


def _is_whole(parameter: Parameter) -> bool:
    return "int" in str(getattr(parameter.type, "name", ""))


def _form_of(parameter: Parameter) -> str:
    """Return the valid form of a value: `a number from 0 to 10`."""
    kind = parameter.type
    choices = getattr(kind, "choices", None)
    if choices:
        return f"one of {listed(map(str, choices), 20)}"
    number = "a whole number" if _is_whole(parameter) else "a number"
    low, high = getattr(kind, "min", None), getattr(kind, "max", None)
    if low is not None and high is not None:
        return f"{number} from {low} to {high}"
    if low is not None:
        return f"{number} from {low} on"
    return f"{number} up to {high}" if high is not None else number


def _unreadable_word(
    command: TyperCommand | TyperGroup, ctx: typer.Context, args: Sequence[str], parameter: Parameter
) -> str | None:
    """Return the word that could not be read as the parameter's value."""
    options, _, _ = command.make_parser(ctx).parse_args(args=list(args))
    value = options.get(str(parameter.name))
    for word in value if isinstance(value, list | tuple) else [value]:
        try:
            parameter.type.convert(word, parameter, ctx)
        except typer.TyperException:
            return str(word)
    return None
