"""The results of a run as one HTML page, or one picture, that opens anywhere.

Everything is in the file, nothing is fetched. Begin with `report_page`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from html import escape

from .. import __version__
from ..pages import html, plots
from ..pages.html import make_card
from ..pages.plots import draw_histogram, draw_html_bar, short_percentage
from .confidence_intervals import Interval, exact_chance_interval
from .sim_report import (
    OUTCOME_WORDS,
    GroupAverages,
    SimReport,
    averages_by_group,
    count_with_noun,
    headline_words,
    interval_bounds_words,
    own_result_words_if_corrected,
    shares_of_results,
)
from .tallies import FightTally

CSS_CLASSES = {"won": "won", "lost": "lost", "fled": "drawn", "drawn": "drawn"}


def report_page(report: SimReport) -> str:
    """Return the report of a simulation as a whole HTML page."""
    return html.make_page(report.title, _page_parts(report, report.title))


def _page_parts(report: SimReport, title: str) -> Iterator[str]:
    otherwise = f"with {', '.join(report.changed)}, " if report.changed else ""
    yield f"<h1>{escape(title)}</h1>"
    played = f"{otherwise}both sides played by {report.bot_whose_chance_is_shown}"
    yield f'<p class="sub">{escape(played)}</p>'
    yield _outcome_card(report)
    if report.comparison:
        yield _comparison_card(report)
    if report.correction:
        about = (
            f"The other fights as {report.player} plays it, "
            f"{count_with_noun(report.fights_or_days, report.unit_of_play)}:"
        )
        yield f'<p class="sub">{escape(about)}</p>'
    if len(report.encounters) > 1:
        yield _day_card(report)
    for (_, name), leg in zip(report.encounters, report.tally.legs, strict=False):
        if len(report.encounters) > 1:
            yield f"<h1>{escape(name)}</h1>"
            yield f'<p class="sub">{count_with_noun(leg.fights, report.scene)}</p>'
        yield '<div class="two">' + "".join(_plot_cards(report, leg)) + "</div>"
        yield _people_card(report, averages_by_group(leg))
        if used := _uses_card(report, averages_by_group(leg)):
            yield used
    yield (
        f"<footer>strike {__version__}, seed {report.seed}, digest <code>{report.digest}</code>. "
        "The same seed plays the same anywhere.</footer>"
    )


def _outcome_card(report: SimReport) -> str:
    words = f'<p class="dim">{escape(own_result_words_if_corrected(report))}</p>' if report.correction else ""
    if report.win_chance_unless_all_drawn is None:
        return f'<section class="card"><p>{escape(headline_words(report))}</p></section>'
    shown = list(report.outcomes_to_show())
    parts = [
        f'<i class="{CSS_CLASSES[outcome]}" style="width:{100 * known.value:.2f}%"></i>'
        for outcome, known in shown
    ]
    legend = [
        f'<span><i class="{CSS_CLASSES[outcome]}"></i>{OUTCOME_WORDS[outcome]} '
        f"<b>{short_percentage(known.value)}</b> {escape(interval_bounds_words(known))}</span>"
        for outcome, known in shown
    ]
    number, _, rest = headline_words(report).partition(" ")
    return (
        f'<section class="card"><div class="big">{number}<small>{escape(rest)}</small></div>'
        f'{_draw_interval(report.win_chance_unless_all_drawn)}<div class="split">{"".join(parts)}</div>'
        f'<div class="legend">{"".join(legend)}</div>{words}</section>'
    )


def _draw_interval(interval: Interval) -> str:
    """Draw a chance on a ruler from 0 to 100 percent, with its interval."""
    low, at, high = (20 + 960 * share for share in (interval.low, interval.value, interval.high))
    ticks = "".join(
        f'<line x1="{20 + 9.6 * x}" x2="{20 + 9.6 * x}" y1="22" y2="28" class="axis"/>'
        f'<text x="{20 + 9.6 * x}" y="44" text-anchor="middle">{x}%</text>'
        for x in range(0, 101, 25)
    )
    return (
        '<svg viewBox="0 0 1000 50" role="img" aria-label="the chance to win and how sure it is">'
        '<line x1="20" x2="980" y1="18" y2="18" class="axis" stroke-width="2"/>'
        f'<rect x="{low:.1f}" y="13" width="{max(2.0, high - low):.1f}" height="10" rx="5" class="won" '
        'opacity=".35"/>'
        f'<circle cx="{at:.1f}" cy="18" r="8" class="won"/>{ticks}</svg>'
    )


def _plot_cards(report: SimReport, leg: FightTally) -> Iterator[str]:
    yield make_card(f"Rounds: {leg.mean_rounds:.1f} on average", draw_histogram(leg.rounds, lambda _: "blue"))
    if report.unit and len(leg.margins) > 1:
        title = f"Party {report.unit} minus enemy {report.unit} at the end"
        yield make_card(
            title, draw_histogram(leg.margins, lambda at: "won" if at > 0 else "lost" if at < 0 else "drawn")
        )
    for what in leg.came_of_it:
        found = shares_of_results(leg, what)
        if len(found) > 1:
            rows = [
                f"<tr><td>{escape(how.capitalize())}</td>"
                f'<td class="l">{draw_html_bar(share, "blue")}{short_percentage(share)}</td></tr>'
                for how, share in sorted(found.items(), key=lambda item: (-item[1], item[0]))
            ]
            yield make_card(what.capitalize(), f"<table>{''.join(rows)}</table>")


def _people_card(report: SimReport, people: Sequence[GroupAverages]) -> str:
    counted = list(dict.fromkeys(key for one in people for key in one.counted))
    health, fled = any(one.most for one in people), any(one.fled for one in people)
    heads = [
        "",
        *([f"{report.unit} left", "Down", "Out", *["Fled"] * fled, "Dealt", "Taken"] if health else []),
    ]
    heads += [key.replace("_", " ").capitalize() for key in counted]
    rows = []
    for ours in (True, False):
        side = [one for one in people if (one.side == report.ours) is ours]
        rows += [_person_row(one, counted, health, fled, "won" if ours else "lost") for one in side]
    head = "".join(
        f'<th class="l">{escape(word)}</th>' if n == 1 and health else f"<th>{escape(word)}</th>"
        for n, word in enumerate(heads)
    )
    inner = f'<div class="scroll"><table><tr>{head}</tr>{"".join(rows)}</table></div>'
    return make_card(f"Per fighter, average of all {report.scene}s", inner)


def _person_row(group: GroupAverages, counted: Iterable[str], health: bool, fled: bool, colour: str) -> str:
    cells = [f"<td>{escape(group.name)}</td>"]
    if health:
        left = (
            f"{draw_html_bar(group.left / group.most, colour)}{group.left:.1f} of {group.most:.0f}"
            if group.most
            else ""
        )
        cells += [
            f'<td class="l">{left}</td>',
            f"<td>{_share_html(group.down)}</td>",
            f"<td>{_share_html(group.out)}</td>",
        ]
        cells += [f"<td>{_share_html(group.fled)}</td>"] * fled
        cells += [f"<td>{group.dealt:.1f}</td>", f"<td>{group.taken:.1f}</td>"]
    cells += [
        f"<td>{group.counted[key]:.1f}</td>" if key in group.counted else "<td></td>" for key in counted
    ]
    return f"<tr>{''.join(cells)}</tr>"


def _share_html(share: float) -> str:
    return short_percentage(share) if share else '<span class="dim">\N{MIDDLE DOT}</span>'


def _uses_card(report: SimReport, people: Sequence[GroupAverages]) -> str:
    """Return a card that shows the powers and other things used by each person, and their effects.

    It is "" if nothing was used.
    """
    rows = []
    most = max((used.damage / one.fights for one in people for used in one.uses.values()), default=0.0)
    for one in sorted(people, key=lambda one: one.side != report.ours):
        best = sorted(one.uses.items(), key=lambda item: (-item[1].damage, -item[1].times, item[0]))
        for number, (id, used) in enumerate(best):
            name = report.names.get(id, id)
            damage = used.damage / one.fights
            colour = "won" if one.side == report.ours else "lost"
            combatant = escape(one.name) if not number else ""
            rows.append(
                f'<tr><td>{combatant}</td><td class="l">{escape(name)}</td>'
                f"<td>{used.times / one.fights:.1f}</td>"
                f'<td class="l">{draw_html_bar(damage / most if most else 0, colour)}{damage:.1f}</td>'
                f"<td>{used.damage / used.times:.1f}</td><td>{used.felled / one.fights:.2f}</td>"
                f"<td>{used.healed / one.fights:.1f}</td></tr>"
            )
    if not rows:
        return ""
    head = '<th></th><th class="l">What</th><th>Used</th><th class="l">Damage</th><th>Each time</th>'
    head += "<th>Felled</th><th>Healed</th>"
    inner = f'<div class="scroll"><table><tr>{head}</tr>{"".join(rows)}</table></div>'
    return make_card(f"Powers used and their effect, average of all {report.scene}s", inner)


def _day_card(report: SimReport) -> str:
    rows = []
    for (_, name), leg in zip(report.encounters, report.tally.legs, strict=False):
        known = exact_chance_interval(leg.fights_won, leg.fights)
        rows.append(
            f"<tr><td>{escape(name)}</td><td>{short_percentage(leg.fights / report.fights_or_days)}</td>"
            '<td class="l">'
            f"{draw_html_bar(known.value, 'won')}{short_percentage(known.value)} "
            f'<span class="dim">{interval_bounds_words(known)}</span></td>'
            f"<td>{leg.mean_rounds:.1f}</td></tr>"
        )
    head = '<tr><th></th><th>Reached</th><th class="l">Won</th><th>Rounds</th></tr>'
    return make_card("The day", f"<table>{head}{''.join(rows)}</table>")


def _comparison_card(report: SimReport) -> str:
    assert report.comparison
    assert report.other
    found = report.comparison
    share = report.other.days_won / report.fights_or_days
    own = report.tally.days_won / report.fights_or_days
    wins = (
        f"{found.wins.value * 100:+.0f} points ({found.wins.low * 100:+.0f} to {found.wins.high * 100:+.0f})"
    )
    rows = [("As it is", own, "blue"), (f"With {report.against}", share, "drawn")]
    table = "".join(
        f'<tr><td>{escape(name)}</td><td class="l">'
        f"{draw_html_bar(value, colour)}{short_percentage(value)} won</td></tr>"
        for name, value, colour in rows
    )
    luck = "hardly by chance" if found.luck < 0.05 else "perhaps by chance"
    more = f"; the same dice were worth {found.worth:.1f} times as many fights" if found.worth else ""
    words = f"{wins}: {luck} (p = {found.luck:.2g}){more}.".replace("-", "\N{MINUS SIGN}")
    return make_card(
        f"With {report.against}, on the same dice", f'<table>{table}</table><p class="dim">{words}</p>'
    )


# One picture


def report_picture(report: SimReport) -> str:
    """Return the chance to win, the outcomes and the rounds as one SVG."""
    x, parts = 24.0, []
    shown = list(report.outcomes_to_show()) if report.win_chance_unless_all_drawn else []
    for outcome, known in shown:
        wide = 592 * known.value
        parts.append(
            f'<rect x="{x:.1f}" y="106" width="{wide:.1f}" height="16" class="{CSS_CLASSES[outcome]}"/>'
        )
        x += wide
    legend = ", ".join(
        f"{OUTCOME_WORDS[outcome].lower()} {short_percentage(known.value)}" for outcome, known in shown
    )
    leg = report.tally.legs[0]
    rounds = plots.inner_svg(draw_histogram(leg.rounds, lambda _: "blue", 592, 170))
    number, _, rest = headline_words(report).partition(" ")
    plain = f'<text x="24" y="84">{escape(headline_words(report))}</text>'
    big = f'<text x="24" y="86" class="huge">{number}</text><text x="130" y="84">{escape(rest)}</text>'
    return plots.make_standalone_svg(
        640,
        360,
        f'<text x="24" y="36" class="head">{escape(report.title)}</text>'
        f"{big if report.win_chance_unless_all_drawn else plain}"
        f'{"".join(parts)}<text x="24" y="142">{legend}</text>'
        f'<text x="24" y="172">Rounds, {leg.mean_rounds:.1f} on average</text>'
        f'<g transform="translate(24 176)">{rounds}</g>',
    )
