"""Shows odds on a screen, in JSON and as a chart."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection, Mapping, Sequence
from fractions import Fraction
from typing import cast

import typer

from ..kernel.chance_estimates import Chances, margin_of_error
from ..problems import Usage
from .command_output import BarChart, Block, NumberHeading, Result, Span, Table
from .commands_and_options import Command, Options, add_command
from .move_commands import (
    Call,
    DeclaredCommand,
    MoveCommand,
    TwoReadings,
    Typed,
    open_campaign_for_move,
    parse_arguments_into_call,
    parse_unquoted_arguments,
    words_with_actor_if_omitted,
)
from .roll_and_chart_options import Svg

OddsFunction = Callable[[Call, "Typed", "str | None"], Result]
_SVG = inspect.Parameter("svg", inspect.Parameter.KEYWORD_ONLY, default=None, annotation=Svg)


def odds_command(
    app: typer.Typer,
    name: str,
    declared: DeclaredCommand,
    *,
    excluded: Collection[str] = (),
    more_parameters: Sequence[inspect.Parameter] = (),
    cls: type[MoveCommand] = MoveCommand,
) -> Callable[[OddsFunction], OddsFunction]:
    """Return a decorator that turns a function into the odds command of another command.

    The function gets the call, the arguments of the move, and the path for the chart. The path comes from the
    option --svg, and is None for no chart.

    Args:
        app: The app to which the odds command is added.
        name: The name of the odds command.
        declared: The command whose odds are computed. The odds command takes the same parameters.
        excluded: The names of parameters that don't affect odds. The odds command doesn't take them.
        more_parameters: Further parameters of the odds command. Their values are added to `call.typed`.
        cls: The class of the odds command.
    """

    def decorate(function: OddsFunction) -> OddsFunction:
        def show_odds(options: Options, svg: str | None = None, **typed: object) -> Result:
            with open_campaign_for_move(options, declared.move, writing=False) as call:
                own = {each.name: typed.pop(each.name) for each in more_parameters}
                args = _parse_arguments_adding_actor(call, declared, typed)
                call.typed.update(own)
                return function(call, args, svg)

        def parameters() -> list[inspect.Parameter]:
            return [
                *(each for each in declared.parameters if each.name not in excluded),
                *more_parameters,
                _SVG,
            ]

        show_odds.__doc__ = function.__doc__
        show_odds.__name__ = function.__name__
        made = Command(show_odds, parameters, "reads", lambda: declared.omittable_actor_parameter)
        add_command(app, name, made, cls=cls)
        return function

    return decorate


def _parse_arguments_adding_actor(
    call: Call, declared: DeclaredCommand, typed: Mapping[str, object]
) -> Typed:
    """Return the arguments of a move whose odds are computed, with the actor added if it was left out.

    A single name is the target, and the actor is then the person whose turn it is. Two names are the actor
    and the target. They are allowed in any turn.
    """
    args = parse_odds_arguments(call, declared, typed)
    if declared.omittable_actor_parameter and not args.get("targets"):
        return parse_arguments_into_call(call, declared, words_with_actor_if_omitted(call, declared, typed))
    return args


def parse_odds_arguments(call: Call, declared: DeclaredCommand, typed: Mapping[str, object]) -> Typed:
    """Return the arguments of the move whose odds were asked for.

    The actor must be named. It may also be a person whose turn it isn't.
    """
    if not (call.options.typed_words and call.options.typed_words.refusal):
        try:
            return parse_arguments_into_call(call, declared, typed)
        except TwoReadings:
            raise
        except Usage:
            call.typed.clear()
    return parse_unquoted_arguments(call, declared, typed)


def exact_chance_as_json(chance: Fraction) -> dict[str, object]:
    """Return an exact chance as `--json` has it: a fraction and a rounded number."""
    return {"probability": str(chance), "p": round(float(chance), 4)}


def percent(chance: Fraction) -> str:
    """Return a chance as a percentage with one decimal: `45.0%`."""
    return f"{float(chance) * 100:.1f}%"


LONGEST_FRACTION = 15


def chances_and_averages(outcomes: Sequence[tuple[Mapping[str, object], Fraction]]) -> dict[str, Fraction]:
    """Return a number for each value of the outcomes.

    For a value that is yes or no, it is the chance of yes; for a number, it is the average. An outcome
    without the value counts as 0. Values that are texts are left out.
    """
    found: dict[str, Fraction] = {}
    for outcome, chance in outcomes:
        for key, value in outcome.items():
            if isinstance(value, int):
                found[key] = found.get(key, Fraction(0)) + chance * value
    return found


def odds_in_short(
    outcomes: Sequence[tuple[Mapping[str, object], Fraction]],
    sampled_plays: int = 0,
    name_of: Callable[[str], str] = str,
) -> str:
    """Return odds in a few words: `hits 45.0%, damage 3.1`.

    If `sampled_plays` isn't 0, the odds are an estimate from that many plays: `hits about 45.0%`. `name_of`
    returns the name under which an average is shown.
    """
    flags = {key for outcome, _ in outcomes for key, value in outcome.items() if isinstance(value, bool)}
    sure = "about " if sampled_plays else ""
    return ", ".join(
        f"{key} {sure}{percent(value)}" if key in flags else f"{name_of(key)} {sure}{float(value):.1f}"
        for key, value in chances_and_averages(outcomes).items()
    )


def estimate_as_json(plays: int) -> dict[str, object]:
    """Return the keys that `--json` adds for estimated chances; {} for exact chances.

    `plays` is the number of plays behind the estimate, or 0 for exact chances. The key `within` has the
    margin of error at 95% confidence.
    """
    return {"estimate": True, "plays": plays, "within": round(margin_of_error(plays), 4)} if plays else {}


def chance_as_json(chance: Fraction, plays: int = 0) -> dict[str, object]:
    """Return a chance as `--json` has it.

    An exact chance comes with its fraction, and an estimate from `plays` plays with its margin of error.
    """
    if not plays:
        return exact_chance_as_json(chance)
    return {"p": round(float(chance), 4), "within": round(chance_margin(chance, plays), 4)}


def chance_margin(chance: Fraction, plays: int) -> float:
    """Return the margin of error of a chance estimated from `plays` plays, at 95% confidence."""
    ways: Chances[bool] = Chances({True: chance, False: 1 - chance})
    ways.plays = plays
    return ways.margin_of_error_of_mean(float)


def chance_words(chance: Fraction, plays: int = 0) -> str:
    """Return a chance as a percentage, such as `45.0%`.

    If `plays` isn't 0, the chance is an estimate from that many plays. Then the word "about" comes before it,
    and the margin of error after it.
    """
    return f"about {percent(chance)} ±{chance_margin(chance, plays) * 100:.1f}" if plays else percent(chance)


class OddsResult(Result):
    """The result of a command that shows odds. Its `data` is a table, to which callers may add keys."""

    data: dict[str, object]


Row = tuple[Mapping[str, object], str, Fraction]
"""An outcome, as data and in words, with its chance."""


def chances_result_and_chart_file(
    name: str,
    args: Mapping[str, object],
    rows: Sequence[Row],
    svg_path: str | None,
    plays: int = 0,
    *,
    blocks_above: Sequence[Block] = (),
    show_rows: bool = True,
) -> OddsResult:
    """Return odds as a result, with a row for each outcome and its chance.

    If `plays` isn't 0, the chances are an estimate from that many plays. A chart is written to the file
    `svg_path`, if one is given. The blocks in `blocks_above` are shown above the rows. With `show_rows`
    False, the rows aren't shown.
    """
    longest = max(chance for _, _, chance in rows)
    bars = [
        (
            words,
            float(chance / longest),
            chance_words(chance, plays) if plays else f"{percent(chance):>6}  {_short_fraction(chance)}",
        )
        for _, words, chance in rows
    ]
    blocks: list[Block] = list(blocks_above)
    if show_rows:
        blocks.append(BarChart(bars))
    else:
        blocks.append((f"--joint lists all {len(rows)} combinations.", "dim"))
    if plays:
        text = f"Estimated from {plays} plays. ± is the margin of error (95% sure)."
        blocks.append((text, "dim"))
    if svg_path:
        from pathlib import Path

        from ..campaign.file_access import unwritable_problem, write_user_file

        try:
            chart = chart_svg([(words, chance) for _, words, chance in rows], plays)
            write_user_file(Path(svg_path), chart.encode("utf-8"))
        except OSError as error:
            raise unwritable_problem(Path(svg_path), error) from None
        blocks.append(f"The chart is in {svg_path}.")
    outcomes = [{**key, **chance_as_json(chance, plays)} for key, _, chance in rows]
    return OddsResult(name, {"outcomes": outcomes, "of": dict(args), **estimate_as_json(plays)}, blocks)


def _short_fraction(chance: Fraction) -> str:
    """Return a chance as a fraction, or "" if the fraction is too long to read."""
    return shown if len(shown := str(chance)) <= LONGEST_FRACTION else ""


MOST_LISTED_COMBINATIONS = 16
"""The most combinations that are listed without being asked for."""


def odds_result_and_chart_file(
    name: str,
    args: Mapping[str, object],
    outcomes: Sequence[tuple[Mapping[str, object], Fraction]],
    svg_path: str | None,
    plays: int = 0,
    joint: bool = False,
) -> Result:
    """Return the odds of a move as a result of `strike odds`.

    An outcome can have several values, such as a hit and the damage. Usually the result has a row for each
    outcome. If there are more than MOST_LISTED_COMBINATIONS outcomes, and they have several values with a
    number among them, the result has a row for each value instead. The row of a number has its average and
    the chances of reaching certain results. With `joint`, the rows of the outcomes come below these rows.
    """
    each = [
        (key, _chances_by_result(outcomes, key))
        for key in dict.fromkeys(key for one, _ in outcomes for key in one)
    ]
    many = len(outcomes) > MOST_LISTED_COMBINATIONS
    numbers = any(
        isinstance(value, int) and not isinstance(value, bool) for _, values in each for value in values
    )
    # The likeliest of a few outcomes come first, unless they are a number alone; many are sorted by number.
    ordered = sort_outcomes(outcomes, by_number=numbers and (many or len(each) == 1))
    rows = [(dict(key), _outcome_in_words(key), chance) for key, chance in ordered]
    first: list[Block] = []
    if many and len(each) > 1 and numbers:
        cells = [_table_row_with_chance_or_mean(key, values, plays) for key, values in each]
        first.append(Table(["", NumberHeading("Chance or average"), "At least"], cells))
    result = chances_result_and_chart_file(
        name, args, rows, svg_path, plays, blocks_above=first, show_rows=joint or not first
    )
    result.data["each"] = {key: _chance_mean_or_shares_as_json(values, plays) for key, values in each}
    return result


def sort_outcomes(
    outcomes: Sequence[tuple[Mapping[str, object], Fraction]], *, by_number: bool
) -> list[tuple[Mapping[str, object], Fraction]]:
    """Return outcomes sorted by their values if `by_number` is true, else with the likeliest first."""
    if by_number:
        return sorted(outcomes, key=lambda item: [_sort_key(value) for value in item[0].values()])
    return sorted(outcomes, key=lambda item: (-item[1], [_sort_key(value) for value in item[0].values()]))


def _sort_key(value: object) -> tuple[int, int, str]:
    return (0, value, "") if isinstance(value, int) else (1, 0, str(value))


def _outcome_in_words(key: Mapping[str, object]) -> str:
    words = {True: "yes", False: "no"}
    return ", ".join(
        f"{name} {words[value] if isinstance(value, bool) else value}" for name, value in key.items()
    )


def _chances_by_result(
    outcomes: Sequence[tuple[Mapping[str, object], Fraction]], key: str
) -> dict[object, Fraction]:
    """Return the chance of each result that the value `key` can have, summed over all outcomes."""
    values: dict[object, Fraction] = {}
    for one, chance in outcomes:
        if key in one:
            values[one[key]] = values.get(one[key], Fraction()) + chance
    return values


def uncertain_chances_at_least(values: Mapping[int, Fraction]) -> dict[int, Fraction]:
    """Return for each possible result of a number the chance that the result is that or more.

    Results that are certain to be reached are left out.
    """
    chances = {
        number: sum((chance for value, chance in values.items() if value >= number), Fraction())
        for number in sorted(values)
    }
    return {number: chance for number, chance in chances.items() if chance < 1}


MARKED_CHANCES = (0.9, 0.75, 0.5, 0.25, 0.1)
"""The chances for which a long list names the nearest numbers."""


def chances_nearest_to_marks(chances: Mapping[int, Fraction]) -> dict[int, Fraction]:
    """Return a few of the chances: for each of MARKED_CHANCES, the nearest one.

    If there are no more chances than MARKED_CHANCES has marks, all chances are returned.
    """
    if len(chances) <= len(MARKED_CHANCES):
        return dict(chances)
    near = {min(chances, key=lambda number: abs(float(chances[number]) - mark)) for mark in MARKED_CHANCES}
    return {number: chances[number] for number in sorted(near)}


def at_least_words(values: Mapping[int, Fraction], sampled_plays: int = 0) -> str:
    """Return the chances of reaching certain numbers or more: `4+ 75.0%, 6+ 50.0%`.

    If the chances were estimated from a number of plays, `sampled_plays`, each has "about" in front.
    """
    sure = "about " if sampled_plays else ""
    return ", ".join(
        f"{number}+ {sure}{percent(chance)}"
        for number, chance in chances_nearest_to_marks(uncertain_chances_at_least(values)).items()
    )


def _table_row_with_chance_or_mean(key: str, values: Mapping[object, Fraction], plays: int) -> list[Span]:
    name = key.replace("_", " ")
    if all(isinstance(value, bool) for value in values):
        return [name, chance_words(values.get(True, Fraction()), plays), ""]
    if all(isinstance(value, int) for value in values):
        numbers = cast("Mapping[int, Fraction]", values)
        return [name, mean_words(numbers, plays), at_least_words(numbers, plays)]
    likely = sorted(values.items(), key=lambda item: -item[1])[: len(MARKED_CHANCES)]
    sure = "about " if plays else ""
    return [name, "", ", ".join(f"{value} {sure}{percent(chance)}" for value, chance in likely)]


def mean_words(values: Mapping[int, Fraction], plays: int = 0) -> str:
    """Return the average of a number in words, for example `3.50`.

    `values` has the probability of each number. If the probabilities were estimated from `plays` plays, the
    average is given with a margin of error: `about 3.50 ±0.12`.
    """
    mean = f"{float(_mean_of(values)):.2f}"
    return f"about {mean} ±{margin_of_error_of_mean(values, plays):.2f}" if plays else mean


def _mean_of(values: Mapping[int, Fraction]) -> Fraction:
    return sum((value * chance for value, chance in values.items()), Fraction())


def margin_of_error_of_mean(values: Mapping[int, Fraction], plays: int) -> float:
    """Return the margin of error of an average estimated from `plays` plays, at 95% confidence."""
    ways: Chances[int] = Chances(values)
    ways.plays = plays
    return ways.margin_of_error_of_mean(float)


def _chance_mean_or_shares_as_json(values: Mapping[object, Fraction], plays: int) -> dict[str, object]:
    """Return the odds of one value in the form that `--json` prints.

    `values` has the chance of each result that the value can have. If the results are true and false, only
    the chance of true is returned.
    """
    if all(isinstance(value, bool) for value in values):
        return chance_as_json(values.get(True, Fraction()), plays)
    if not all(isinstance(value, int) for value in values):
        return {"shares": {str(value): chance_as_json(chance, plays) for value, chance in values.items()}}
    return mean_and_at_least_as_json(cast("Mapping[int, Fraction]", values), plays)


def mean_and_at_least_as_json(values: Mapping[int, Fraction], plays: int = 0) -> dict[str, object]:
    """Return the odds of a number, in the form of the output of `--json`.

    `mean` is the average. `at_least` has, for each value of the number, the chance that the number is this
    value or more. Values for which this is certain are left out.

    If `plays` isn't 0, the odds are estimates from that many plays. Then `within` is the margin of error of
    the average.
    """
    mean: dict[str, object] = {"mean": round(float(_mean_of(values)), 4)}
    if plays:
        mean["within"] = round(margin_of_error_of_mean(values, plays), 4)
    chances = {
        str(number): chance_as_json(chance, plays)
        for number, chance in uncertain_chances_at_least(values).items()
    }
    return {**mean, "at_least": chances}


def chart_svg(rows: list[tuple[str, Fraction]], plays: int = 0) -> str:
    """Return a bar chart as SVG, with a label, a bar and a percentage for each row.

    Chances estimated from `plays` plays are labelled "about".
    """
    from html import escape

    from strike_look import LIGHT, PAPER

    ink, party = LIGHT["ink"], LIGHT["party"]
    longest = max(chance for _, chance in rows)
    height = 28 * len(rows) + 16
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 640 {height}" width="640" height="{height}" '
        'font-family="system-ui, sans-serif" font-size="14">',
        f'<rect width="640" height="{height}" fill="{PAPER["page"]}"/>',
    ]
    for number, (words, chance) in enumerate(rows):
        y = 12 + 28 * number
        width = float(chance / longest) * 320
        parts.append(f'<text x="212" y="{y + 15}" text-anchor="end" fill="{ink}">{escape(words)}</text>')
        parts.append(f'<rect x="220" y="{y}" width="{width:.1f}" height="20" rx="3" fill="{party}"/>')
        label = chance_words(chance, plays) if plays else f"{percent(chance)} ({chance})"
        parts.append(f'<text x="{228 + width:.1f}" y="{y + 15}" fill="{ink}">{label}</text>')
    return "\n".join([*parts, "</svg>", ""])
