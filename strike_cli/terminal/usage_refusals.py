"""Refusals of wrong words in a command, in strike's own words.

Each refusal says what the command takes, with an example.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import typer
from typer.core import TyperArgument, TyperCommand, TyperGroup, TyperOption

from strike_cli.refusals import CommandIncomplete

from ..command_line_splitting import quote_word_if_needed
from ..problems import Usage, did_you_mean, listed

Parameter = TyperArgument | TyperOption
EVERYWHERE = "Everywhere"
"""The part of a help that lists the options of every command."""
_NUMBER = re.compile(r"[+=-]?\d+")
_EXAMPLE = re.compile(r"Example: `([^`]+)`")


def refusal_for_typer_error(
    error: typer.TyperException, command: TyperCommand | TyperGroup, ctx: typer.Context, args: Sequence[str]
) -> Usage:
    """Return the refusal for an error that Typer found in a command's words."""
    path = ctx.command_path
    words = getattr(error, "words", None)
    if words is not None:
        left = " ".join(words)
        return Usage(
            f"`{command_path_without_strike(ctx)}` takes no more words: {left!r} is left over.",
            example_or_advice(command, path),
        )
    parameter = getattr(error, "param", None)
    if parameter is not None and hasattr(error, "param_type"):
        missing = _really_missing_parameters(command, ctx, args, parameter)
        return CommandIncomplete(
            command_path_without_strike(ctx),
            " and ".join(map(_parameter_name_and_help, missing)),
            example_or_advice(command, path),
        )
    if parameter is not None:
        value = _word_of_wrong_type(command, ctx, args, parameter)
        said = f", not {value!r}" if value is not None else ""
        problem = Usage(
            f"{_name_in_help(parameter)} is {_expected_value_words(parameter)}{said}.",
            example_or_advice(command, path),
        )
        if value is not None and _NUMBER.fullmatch(value):  # no part of the name before it
            problem.words_known = [*command.params].index(parameter)
        return problem
    option = getattr(error, "option_name", "")
    if not option:
        return Usage(error.format_message(), example_or_advice(command, path))
    known = _options_by_name(command, ctx)
    if option in known:
        return CommandIncomplete(
            command_path_without_strike(ctx),
            _parameter_name_and_help(known[option]),
            example_or_advice(command, path),
        )
    own = [
        name
        for name, each in known.items()
        if not (getattr(each, "rich_help_panel", None) == EVERYWHERE or "--help" in each.opts or each.hidden)
        and name[1] == "-"
    ]
    has = f"It has {listed(own, 8)}" if own else "It has none of its own"
    hint = did_you_mean(option, known, alike=0.7)
    return Usage(
        f"`{command_path_without_strike(ctx)}` has no option {option}.{hint}", f"{has}: `{path} --help`."
    )


def command_path_without_strike(ctx: typer.Context) -> str:
    """Return the name of a command for use in a sentence, without `strike`."""
    return ctx.command_path.removeprefix("strike ")


def missing_value_refusal(
    command: TyperCommand, ctx: typer.Context, option: str, following_option: str
) -> Usage:
    """Return the refusal of an option that has no value, because another option follows.

    `following_option` is that other option.
    """
    path = ctx.command_path
    name = _name_in_help(_options_by_name(command, ctx)[option])
    message = f"{name} has no value: {following_option} is an option, too."
    return Usage(message, example_or_advice(command, path))


def misplaced_or_unknown_option_refusal(
    option: str, words: Sequence[str], common_metavars: Mapping[str, str], path: str
) -> Usage:
    """Return the refusal of an option that was typed before the command's name and is unknown there.

    `common_metavars` has the options that many commands share. It maps each to the placeholder of its value
    in help, and a flag to "". If `option` is one of these, the refusal says that it belongs after the
    command.
    """
    meant = common_metavars.get(option)
    if meant is None:
        return _unknown_option_refusal(path, option)
    rest = [quote_word_if_needed(word) for word in words if word != option]
    line = " ".join([*rest, option]) if rest and not meant else f"COMMAND {option} {meant}".strip()
    return Usage(f"{option} comes after a command, not before it.", f"So: `{path} {line}`")


def unknown_command_refusal(group: TyperGroup, ctx: typer.Context, word: str) -> Usage:
    """Return the refusal of a word that is no command of a group."""
    names = group.list_commands(ctx)
    path = ctx.command_path
    if word.startswith("-"):
        return _unknown_option_refusal(path, word)
    return Usage(
        f"`{command_path_without_strike(ctx)}` has no {word!r}.{did_you_mean(word, names)}",
        f"It has {listed(names, 40)}: `{path} --help`.",
    )


def _unknown_option_refusal(path: str, option: str) -> Usage:
    command = path.removeprefix("strike ")
    return Usage(f"`{command}` has no option {option}.", f"`{path} --help` lists its options.")


def missing_command_refusal(group: TyperGroup, ctx: typer.Context) -> Usage:
    """Return the refusal of a line in which no command follows the name of a group."""
    path = ctx.command_path
    names = listed(group.list_commands(ctx), 40)
    return Usage(
        f"`{command_path_without_strike(ctx)}` needs one of its commands: {names}.",
        f"`{path} --help` explains each.",
    )


def example_or_advice(command: TyperCommand | TyperGroup, path: str) -> str:
    """Return the example from a command's help, as a sentence.

    If the help has no example, return the advice to look at the help.
    """
    example = example_in_help(command.help)
    return f"Example: `{example}`" if example else f"`{path} --help` shows how."


def example_in_help(help: str | None) -> str:
    """Return the first example in a help text, as it is typed; "" if there is none."""
    found = _EXAMPLE.search(" ".join((help or "").split()))
    return found[1] if found else ""


def _options_by_name(command: TyperCommand | TyperGroup, ctx: typer.Context) -> dict[str, TyperOption]:
    options = [each for each in command.get_params(ctx) if isinstance(each, TyperOption)]
    return {name: each for each in options for name in each.opts}


def _really_missing_parameters(
    command: TyperCommand | TyperGroup, ctx: typer.Context, args: Sequence[str], reported: Parameter
) -> list[Parameter]:
    """Return the parameters that are missing, given the one that Typer reports (`reported`).

    Typer may report the wrong one. For a command with WHO... and N, it takes the last word for N, even if the
    word is a name. For `damage vex` it reports that WHO is missing, although N is.
    """
    arguments: list[Parameter] = [each for each in command.get_params(ctx) if isinstance(each, TyperArgument)]
    after = arguments[arguments.index(reported) + 1 :] if reported in arguments else []
    words = [word for word in args if not word.startswith("-") or _NUMBER.fullmatch(word)]
    if reported.nargs != -1 or len(after) != 1 or not words:
        return [reported]
    counts = _takes_whole_number(after[0]) or getattr(after[0].metavar, "is_number", False)
    if not counts:
        return [reported, *after]
    return [reported] if _NUMBER.fullmatch(words[-1]) else after


def _name_in_help(parameter: Parameter) -> str:
    """Return a parameter as help shows it: `SQUARE`, `--power P`."""
    metavar = str(parameter.metavar or parameter.name)
    if metavar[0] + metavar[-1] in ("[]", "{}") or metavar.endswith("]..."):
        metavar = metavar.strip("[]{}.")
    metavar = metavar.removesuffix("...").upper()
    if parameter.param_type_name == "argument":
        return metavar
    longest = max(parameter.opts, key=len)
    return f"{longest} {metavar}" if parameter.metavar else str(longest)


def _parameter_name_and_help(parameter: Parameter) -> str:
    told = (parameter.help or "").strip().rstrip(".")
    told = told if told[1:2].isupper() else f"{told[:1].lower()}{told[1:]}"
    return f"{_name_in_help(parameter)}: {told}" if told else _name_in_help(parameter)


def _takes_whole_number(parameter: Parameter) -> bool:
    return "int" in str(getattr(parameter.type, "name", ""))


def _expected_value_words(parameter: Parameter) -> str:
    """Return what a value must be: `a number from 0 to 10`."""
    kind = parameter.type
    choices = getattr(kind, "choices", None)
    if choices:
        return f"one of {listed(map(str, choices), 20)}"
    number = "a whole number" if _takes_whole_number(parameter) else "a number"
    low, high = getattr(kind, "min", None), getattr(kind, "max", None)
    if low is not None and high is not None:
        return f"{number} from {low} to {high}"
    if low is not None:
        return f"{number} from {low} on"
    return f"{number} up to {high}" if high is not None else number


def _word_of_wrong_type(
    command: TyperCommand | TyperGroup, ctx: typer.Context, args: Sequence[str], parameter: Parameter
) -> str | None:
    """Return the first typed word that a parameter's type doesn't allow, such as letters for a number.

    Return None if there is no such word.
    """
    options, _, _ = command.make_parser(ctx).parse_args(args=list(args))
    value = options.get(str(parameter.name))
    for word in value if isinstance(value, list | tuple) else [value]:
        try:
            parameter.type.convert(word, parameter, ctx)
        except typer.TyperException:
            return str(word)
    return None
