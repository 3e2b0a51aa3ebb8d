"""The results of a run as one value that screens, pages and programs read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from ..pages.plots import short_percentage
from .confidence_intervals import Interval, exact_chance_interval
from .sim_plan import Comparison, Correction
from .simulated_fight import UseCounts
from .simulation_hooks import DRAWN, FLED, LOST, WON
from .tallies import DaysTally, FightTally, PersonTally


class SimReport(NamedTuple):
    """The results of a run of one encounter, or of a day of several encounters in a row.

    `encounters` has the id and the name of each encounter. `chances` has the chance of each outcome of the
    whole run. If there is a `correction`, these are the chances of the better player that it names. Otherwise
    they are those of `player`, the one that was asked for. If two campaigns are compared, `against` names the
    other campaign in words, and `other` is the tally of that campaign.
    """

    encounters: Sequence[tuple[str, str]]
    system: str
    player: str
    seed: int
    tally: DaysTally
    chances: Mapping[str, Interval]
    digest: str
    stopped_by: str
    unit: str
    scene: str
    ours: str
    names: Mapping[str, str]
    """The names of things that were used, by id."""
    correction: Correction | None = None
    against: str = ""
    other: DaysTally | None = None
    comparison: Comparison | None = None
    changed: Sequence[str] = ()
    """The values that were set otherwise than in the campaign."""
    frozen: str = ""
    """The digest of the frozen campaign that was played."""

    @property
    def title(self) -> str:
        """The names of the encounters."""
        return ", then ".join(name for _, name in self.encounters) or "From here on"

    @property
    def unit_of_play(self) -> str:
        """The word for one simulated play: the system's word for a scene; "day" for several encounters."""
        return self.scene if len(self.encounters) < 2 else "day"

    @property
    def fights_or_days(self) -> int:
        """The number of fights, or of days for a run of several encounters."""
        return self.tally.days

    @property
    def win_chance_unless_all_drawn(self) -> Interval | None:
        """The chance to win, which is the headline; None if no fight was decided."""
        counts = self.tally.days_by_outcome()
        undecided = counts[DRAWN] == self.fights_or_days and (
            not self.correction or self.chances[DRAWN].value >= 1
        )
        return None if undecided else self.chances[WON]

    @property
    def bot_whose_chance_is_shown(self) -> str:
        """The bot whose chance to win is shown.

        If a better bot's fights corrected the result, it is the better bot. Otherwise it is the bot that was
        asked for. A bot plays both sides.
        """
        return self.correction.by if self.correction else self.player

    @property
    def fights_behind_chance(self) -> int:
        """The number of fights from which the chance to win was computed.

        If the report has a `correction`, the chance was computed from pairs of fights. The result is then the
        number of pairs.
        """
        return self.correction.pairs if self.correction else self.fights_or_days

    def outcomes_to_show(self) -> Iterator[tuple[str, Interval]]:
        """Yield the outcomes to show, with their chances: "won", "lost", and each other that occurred."""
        for outcome, known in self.chances.items():
            if known.value or outcome in (WON, LOST):
                yield outcome, known

    def as_data(self) -> dict[str, object]:
        """Return the report as `--json` shows it."""
        legs = list(self.tally.legs)
        first = legs[0] if legs else FightTally()
        policy: dict[str, object] = {"player": self.player}
        if self.correction:
            policy |= {
                "corrected_by": self.correction.by,
                "pairs": self.correction.pairs,
                "shift": interval_data(self.correction.shift),
                "as_played": interval_data(self.correction.as_played),
            }
        return {
            "encounter": self.encounters[0][0] if self.encounters else "",
            "system": self.system,
            "policy": policy,
            "seed": self.seed,
            "fights": self.fights_or_days,
            "outcomes": dict(self.tally.days_by_outcome()),
            "win": self.win_chance_unless_all_drawn and interval_data(self.win_chance_unless_all_drawn),
            "chances": {
                outcome: interval_data(known)
                for outcome, known in self.outcomes_to_show()
                if self.win_chance_unless_all_drawn
            },
            **encounter_results_data(first),
            "digest": self.digest,
            "stopped_by": self.stopped_by,
            "picks": first.worst_median_best_longest_fight(),
            **({"set": list(self.changed)} if self.changed else {}),
            **({"day": list(self._data_of_each_encounter_of_day())} if len(self.encounters) > 1 else {}),
            **({"comparison": self._comparison_data()} if self.comparison and self.other else {}),
        }

    def _data_of_each_encounter_of_day(self) -> Iterator[dict[str, object]]:
        for (id, name), leg in zip(self.encounters, self.tally.legs, strict=False):
            yield {
                "encounter": id,
                "name": name,
                "fights": leg.fights,
                "win": interval_data(exact_chance_interval(leg.fights_won, leg.fights)),
                **encounter_results_data(leg),
            }

    def _comparison_data(self) -> dict[str, object]:
        assert self.comparison
        assert self.other
        wins, margin = self.comparison.wins, self.comparison.margin
        return {
            "against": self.against,
            "outcomes": dict(self.other.days_by_outcome()),
            "wins": interval_data(wins),
            "luck": round(self.comparison.luck, 6),
            "margin": interval_data(margin),
            "worth": round(self.comparison.worth, 2) if self.comparison.worth else None,
        }


def interval_data(interval: Interval) -> dict[str, object]:
    """Return an interval as `--json` shows it."""
    return {
        "p": round(interval.value, 6),
        "low": _finite_or_none(interval.low),
        "high": _finite_or_none(interval.high),
        "method": interval.method,
    }


def _finite_or_none(value: float) -> float | None:
    return round(value, 6) if abs(value) < float("inf") else None


def encounter_results_data(leg: FightTally) -> dict[str, object]:
    """Return the results of one encounter's fights as `--json` shows them.

    The numbers of each person are averages per fight.
    """
    rounds = {str(length): leg.rounds[length] for length in sorted(leg.rounds)}
    found: dict[str, object] = {
        "rounds": {"mean": round(leg.mean_rounds, 3), "histogram": rounds},
        "people": {combatant: person_results_data(one) for combatant, one in leg.people.items()},
        "concession": shares_of_results(leg, "concession"),
    }
    other = {what: shares_of_results(leg, what) for what in leg.came_of_it if what != "concession"}
    stuck = {"given_up": dict(leg.stuck)} if leg.stuck else {}
    stuck |= {"unweighed": dict(leg.unweighed)} if leg.unweighed else {}
    return found | ({"came_of_it": other} if other else {}) | stuck


def shares_of_results(leg: FightTally, kind: str) -> dict[str, float]:
    """Return how often each result of a kind occurred, as a share of all results of that kind.

    For the kind "concession", the results are the Concessions. If no fight had a result of that kind, the
    dict is empty.
    """
    counts = leg.came_of_it.get(kind, Counter[str]())
    of = sum(counts.values())
    return {how: round(counts[how] / of, 6) for how in sorted(counts)}


def person_results_data(tally: PersonTally) -> dict[str, object]:
    """Return a person's results as `--json` shows them: shares of the fights, and averages per fight."""

    def per_fight(total: int) -> float:
        return round(total / tally.fights, 4)

    return {
        "name": tally.name,
        "side": tally.side,
        "fights": tally.fights,
        "hp_left": per_fight(tally.left),
        "hp_max": tally.most,
        "down": per_fight(tally.down),
        "out": per_fight(tally.out),
        "fled": per_fight(tally.fled),
        "dealt": per_fight(tally.dealt),
        "taken": per_fight(tally.taken),
        "healed": per_fight(tally.healed),
        **{key: per_fight(count) for key, count in tally.counted.items()},
        "powers": {
            power: {
                "used": per_fight(used.times),
                "damage": per_fight(used.damage),
                "healed": per_fight(used.healed),
                "felled": per_fight(used.felled),
            }
            for power, used in sorted(tally.uses.items(), key=lambda item: (-item[1].damage, item[0]))
        },
    }


class GroupAverages(NamedTuple):
    """The average results of one fight, for a person or for all creatures of a kind together.

    The fields mean the same as in `PersonResult`. `left`, `most`, `dealt`, `taken` and `counted` are sums
    over the group. `down`, `out` and `fled` are shares of the group. `uses` are the totals of all fights.
    `fights` is the number of fights.
    """

    name: str
    side: str
    fights: int
    left: float
    most: float
    down: float
    """The share of the group that went down, from 0 to 1."""
    out: float
    fled: float
    """The share of the group that left by its own will; it is part of `out`, too."""
    dealt: float
    taken: float
    counted: Mapping[str, float]
    uses: Mapping[str, UseCounts]


def averages_by_group(leg: FightTally) -> list[GroupAverages]:
    """Return the averages of an encounter's people, in order; creatures of a kind are one group."""
    kinds: dict[tuple[str, str], list[PersonTally]] = {}
    for one in leg.people.values():
        kinds.setdefault((one.side, one.ref), []).append(one)
    return [_make_group(alike) for alike in kinds.values()]


def _make_group(alike: Sequence[PersonTally]) -> GroupAverages:
    first, count = alike[0], len(alike)
    fights = max(one.fights for one in alike)
    seen = sum(one.fights for one in alike)
    uses: dict[str, UseCounts] = {}
    counted: dict[str, float] = {}
    for one in alike:
        for power, used in one.uses.items():
            uses[power] = uses.get(power, UseCounts()) + used
        for key, total in one.counted.items():
            counted[key] = counted.get(key, 0.0) + total / fights
    name = first.name
    if count > 1:
        name = f"{name.rstrip('0123456789').rstrip() or name} \N{MULTIPLICATION SIGN}{count}"
    return GroupAverages(
        name,
        first.side,
        fights,
        sum(one.left for one in alike) / fights,
        sum(one.most for one in alike),
        sum(one.down for one in alike) / seen,
        sum(one.out for one in alike) / seen,
        sum(one.fled for one in alike) / seen,
        sum(one.dealt for one in alike) / fights,
        sum(one.taken for one in alike) / fights,
        counted,
        uses,
    )


def interval_bounds_words(interval: Interval) -> str:
    """Return an interval in words: `66 to 76%`."""
    return f"{short_percentage(interval.low).rstrip('%')} to {short_percentage(interval.high)}"


def confidence_and_bounds_words(interval: Interval) -> str:
    """Return an interval with its certainty: `95% sure: 66 to 76%`."""
    return f"95% sure: {interval_bounds_words(interval)}"


def count_with_noun(count: int, word: str) -> str:
    """Return a number with its noun: `1 fight`, `2 000 fights`."""
    return f"{count:,} {word}{'' if count == 1 else 's'}".replace(",", "\N{NARROW NO-BREAK SPACE}")


def headline_words(report: SimReport) -> str:
    """Return the chance to win and its precision, in the same words wherever they are shown."""
    if report.win_chance_unless_all_drawn is None:
        why = next((why for leg in report.tally.legs for why, _ in leg.stuck.most_common(1)), "")
        told = f" ({why.rstrip('.')})" if why else ""
        return (
            f"Nothing was decided in {count_with_noun(report.fights_or_days, report.unit_of_play)}{told}: "
            f"no chance to win."
        )
    what = count_with_noun(report.fights_behind_chance, report.unit_of_play)
    chance = report.win_chance_unless_all_drawn
    bounds = confidence_and_bounds_words(chance)
    played = f"{what} played by {report.bot_whose_chance_is_shown}"
    return f"{short_percentage(chance.value)} won ({bounds}, {played})"


def unweighed_decisions_sentence(leg: FightTally) -> str:
    """Return a sentence that counts the decisions which the bot took without weighing its options.

    It is "" if there are none.
    """
    count, kinds = leg.unweighed.total(), [kind for kind, _ in leg.unweighed.most_common(MOST_KINDS)]
    if not count:
        return ""
    more = ", ..." if len(leg.unweighed) > MOST_KINDS else ""
    verb = "was" if count == 1 else "were"
    return f"{count_with_noun(count, 'decision')} {verb} not weighed: {', '.join(kinds)}{more}"


MOST_KINDS = 5
"""The most kinds of decisions that are named."""


def own_result_words_if_corrected(report: SimReport) -> str:
    """Return the result of the requested player in words; "" if a better player didn't correct it.

    If there is a correction (`report.correction`), the headline has the better player's result. These words
    are shown beside the headline.
    """
    found = report.correction
    if not found:
        return ""
    points = round(found.shift.value * 100)
    apart = f"{abs(points)} points {'more' if points > 0 else 'less'} often" if points else "as often"
    sure, played = (
        confidence_and_bounds_words(found.as_played),
        count_with_noun(report.fights_or_days, report.unit_of_play),
    )
    return (
        f"As {report.player} plays it: {short_percentage(found.as_played.value)} won ({sure}, {played}). "
        f"The {found.pairs} that {found.by} played again it won {apart}."
    )


OUTCOME_WORDS = {WON: "Won", LOST: "Lost", FLED: "Fled", DRAWN: "Undecided"}
"""The words for outcomes."""
