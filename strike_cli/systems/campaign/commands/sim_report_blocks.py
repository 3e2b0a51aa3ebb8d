"""The report of a simulation on a terminal: the chance to win, then lengths, damage, and what helped."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from strike_cli.pages.plots import short_percentage
from strike_cli.sim.confidence_intervals import Interval, exact_chance_interval
from strike_cli.sim.sim_plan import INTERRUPTED, KNOWN, LIMIT
from strike_cli.sim.sim_report import (
    OUTCOME_WORDS,
    GroupAverages,
    SimReport,
    averages_by_group,
    count_with_noun,
    headline_words,
    interval_bounds_words,
    own_result_words_if_corrected,
    shares_of_results,
    unweighed_decisions_sentence,
)
from strike_cli.sim.simulation_hooks import WON
from strike_cli.sim.tallies import FightTally
from strike_cli.terminal.command_output import BarChart, Block, NumberHeading, Span, Table

SPARKS = "▁▂▃▄▅▆▇█"
MOST_POWERS, SELDOM = 3, 0.2
"""The most powers shown for a person, and the fewest uses in a fight of a power that is shown."""
LITTLE = 0.05
"""Damage in a fight that is too little to show: then the number of uses is shown instead."""
STYLE = {"won": "good", "lost": "bad", "fled": "warn", "drawn": "warn"}


def report_blocks(report: SimReport) -> list[Block]:
    """Return the whole report of a simulation for a terminal."""
    blocks = odds_blocks(report)
    if report.correction:
        played = count_with_noun(report.fights_or_days, report.unit_of_play)
        blocks += ["", (f"The other fights as {report.player} plays it, {played}:", "title")]
    several = len(report.tally.legs) > 1
    if several or len(report.encounters) > 1:
        blocks += ["", _day_table(report)]
    for (_, name), leg in zip(report.encounters, report.tally.legs, strict=False):
        if several:
            blocks += ["", (name, "title")]
        blocks += ["", *_fight_blocks(report, leg)]
    if report.comparison and report.other:
        blocks += ["", *_comparison_blocks(report)]
    else:
        blocks += ["", *_notable_fights_hint(report)]
    return blocks


def odds_blocks(report: SimReport) -> list[Block]:
    """Return the short report of a simulation: title, headline, chances, and notes.

    The notes say how precise the chances are. They also count undecided fights, and decisions that the bot
    took without weighing its options.
    """
    otherwise = f" with {', '.join(report.changed)}" if report.changed else ""
    blocks: list[Block] = [
        [(report.title, "title"), otherwise, (f"   seed {report.seed}", "dim")],
        (headline_words(report), "strong" if report.win_chance_unless_all_drawn else "warn"),
    ]
    if report.win_chance_unless_all_drawn:
        rows = [
            (
                OUTCOME_WORDS[outcome],
                known.value,
                f"{short_percentage(known.value):>5}  {interval_bounds_words(known)}",
            )
            for outcome, known in report.outcomes_to_show()
        ]
        blocks.append(BarChart(rows))
    if words := own_result_words_if_corrected(report):
        blocks.append((words, "dim"))
    return [*blocks, *_precision_and_undecided_fight_notes(report)]


def _precision_and_undecided_fight_notes(report: SimReport) -> Iterator[Block]:
    played = count_with_noun(report.fights_behind_chance, report.unit_of_play)
    within = f"{report.chances[WON].half_width * 100:.1f} points"
    if report.stopped_by == INTERRUPTED:
        yield ("Interrupted: these are the results so far.", "warn")
    elif report.stopped_by == KNOWN:
        yield (f"Known to within {within} after {played}.", "dim")
    elif report.stopped_by == LIMIT:
        yield (f"Known to no better than {within} after {played}.", "warn")
    for leg in report.tally.legs if report.win_chance_unless_all_drawn else ():
        for why, times in leg.stuck.items():
            yield (f"{count_with_noun(times, report.scene)} undecided: {why}", "warn")
    for leg in report.tally.legs:
        if told := unweighed_decisions_sentence(leg):
            yield (f"{told}.", "warn")


def _fight_blocks(report: SimReport, fight: FightTally) -> Iterator[Block]:
    lengths = sorted(fight.rounds)
    spread = f"{lengths[0]} to {lengths[-1]}" if len(lengths) > 1 else ""
    line: list[Span] = [
        ("Rounds ", "dim"), f"{fight.mean_rounds:.1f} ", (_sparkline(fight.rounds), "command"),
        (f" {spread}", "dim"),
    ]  # fmt: skip
    for what in fight.came_of_it:
        found = shares_of_results(fight, what)
        told = ", ".join(
            f"{how} {short_percentage(share)}"
            for how, share in sorted(found.items(), key=lambda item: (-item[1], item[0]))
            if share
        )
        line += [(f"   {what.capitalize()} ", "dim"), told]
    yield line
    yield from _people_table(report, averages_by_group(fight))


def _sparkline(counts: Mapping[int, int]) -> str:
    if len(counts) < 2:
        return ""
    low, high = min(counts), max(counts)
    step = max(1, -(-(high - low + 1) // 24))
    lots = [sum(counts.get(at + more, 0) for more in range(step)) for at in range(low, high + 1, step)]
    most = max(lots)
    return "".join(SPARKS[round(count / most * 7)] if count else " " for count in lots)


def _people_table(report: SimReport, people: Sequence[GroupAverages]) -> Iterator[Block]:
    shown = sorted(people, key=lambda one: one.side != report.ours)
    counted = list(dict.fromkeys(key for one in shown for key, count in one.counted.items() if count))
    with_health = any(one.most for one in shown)
    health = [NumberHeading(f"{report.unit} left")] if with_health else []
    fled = any(one.fled for one in shown)
    harm = (
        [
            NumberHeading("Down"),
            NumberHeading("Out"),
            *[NumberHeading("Fled")] * fled,
            NumberHeading("Dealt"),
            NumberHeading("Taken"),
        ]
        if with_health
        else []
    )
    titles = [NumberHeading(key.replace("_", " ").capitalize()) for key in counted]
    rows: list[list[Span]] = []
    for one in shown:
        row: list[Span] = [(one.name, "name" if one.side == report.ours else "")]
        if with_health:
            row += [
                f"{_health_bar(one.left, one.most)} {one.left:4.1f}/{one.most:.0f}" if one.most else "",
                _share_span(one.down),
                _share_span(one.out, "bad" if one.side == report.ours else ""),
                *[_share_span(one.fled)] * fled,
                f"{one.dealt:.1f}",
                f"{one.taken:.1f}",
            ]
        row += [f"{one.counted[key]:.1f}" if key in one.counted else "" for key in counted]
        row.append(_most_damaging_powers_words(report, one))
        rows.append(row)
    used = "Damage per fight, by power" if with_health else "Uses per fight"
    yield Table(["", *health, *harm, *titles, used if any(one.uses for one in shown) else ""], rows)


def _share_span(share: float, style_from_a_quarter: str = "") -> Span:
    if not share:
        return ("\N{MIDDLE DOT}", "dim")
    return (
        (short_percentage(share), style_from_a_quarter)
        if style_from_a_quarter and share >= 0.25
        else short_percentage(share)
    )


def _health_bar(left: float, most: float) -> str:
    full = round(left / most * 8)
    return "█" * full + "░" * (8 - full)


def _most_damaging_powers_words(report: SimReport, group: GroupAverages) -> str:
    best = sorted(group.uses.items(), key=lambda item: (-item[1].damage, -item[1].times, item[0]))
    told = []
    best = [item for item in best if item[1].times / group.fights >= SELDOM] or best[:1]
    for id, used in best[:MOST_POWERS]:
        brought = used.damage / group.fights
        often = f"{used.times / group.fights:.1f}\N{MULTIPLICATION SIGN}"
        told.append(f"{report.names.get(id, id)} {f'{brought:.1f}' if brought >= LITTLE else often}")
    return ", ".join(told)


def _day_table(report: SimReport) -> Block:
    rows: list[list[Span]] = []
    for (_, name), leg in zip(report.encounters, report.tally.legs, strict=False):
        known = exact_chance_interval(leg.fights_won, leg.fights)
        rows.append(
            [
                name,
                str(leg.fights),
                short_percentage(known.value),
                interval_bounds_words(known),
                f"{leg.mean_rounds:.1f}",
            ]
        )
    return Table(
        ["The day", NumberHeading("Reached"), NumberHeading("Won"), "", NumberHeading("Rounds")], rows
    )


def _comparison_blocks(report: SimReport) -> Iterator[Block]:
    assert report.comparison
    assert report.other
    found = report.comparison
    share = report.other.days_won / max(1, report.fights_or_days)
    yield [(f"With {report.against}, the same dice", "title")]
    yield BarChart([("Won", share, f"{short_percentage(share):>5}")])
    sure = "sure" if found.luck < 0.001 else "hardly by chance" if found.luck < 0.05 else "perhaps by chance"
    yield [
        ("Chance to win ", "dim"), f"{_percentage_points(found.wins)} points",
        (f"   {sure} (p = {found.luck:.2g})", "good" if found.luck < 0.05 else "warn"),
    ]  # fmt: skip
    if report.unit:
        low, high = found.margin.low, found.margin.high
        yield [
            (f"Party {report.unit} minus enemy {report.unit} at the end ", "dim"),
            f"{found.margin.value:+.1f}  ({low:+.1f} to {high:+.1f})",
        ]  # fmt: skip
    if found.worth and found.worth >= 1.05:
        yield (f"The same dice were worth {found.worth:.1f} times as many fights.", "dim")


def _percentage_points(interval: Interval) -> str:
    return f"{interval.value * 100:+.0f}  ({interval.low * 100:+.0f} to {interval.high * 100:+.0f})"


def _notable_fights_hint(report: SimReport) -> Iterator[Block]:
    if not report.encounters or not report.tally.legs:
        return
    found = report.tally.legs[-1].worst_median_best_longest_fight()
    told: list[Span] = [("To see one: ", "dim"), ("strike sim play worst", "command")]
    told += [
        (f"   {word} is {number}" if word != "worst" else f" is {number}", "dim")
        for word, number in found.items()
    ]
    yield told
