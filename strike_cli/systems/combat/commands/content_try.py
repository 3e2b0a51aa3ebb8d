"""`strike content try`: a power is tried on dummies before a game, with its exact odds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, TypedDict

import typer

from strike_cli.tabletop.characters_and_names import GameMasterSpeaker
from strike_cli.terminal.command_output import BarChart, Block, NumberHeading, Result, Table
from strike_cli.terminal.commands_and_options import Options, command, new_app
from strike_cli.terminal.odds_view import chance_as_json, chance_words, estimate_as_json, mean_words

from . import argument_completions

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from fractions import Fraction

    from strike_cli.kernel.chance_estimates import Chances
    from strike_cli.kernel.driver import Choices

    from ..powers.power_trial import OutcomeSummary, Trial, TrialOutcome

app = new_app("`strike content` for fights.")


@command(app, "try", kind="reads")
def try_(
    options: Options,
    power: Annotated[
        str, typer.Argument(metavar=argument_completions.POWER, help="A full id, or its last part.")
    ],
    seed: Annotated[int | None, typer.Option("--seed", metavar="N", help="Seed of the dice.")] = None,
    dice: Annotated[
        str, typer.Option("--dice", metavar="5,2", help="Natural faces of your dice, in the order asked.")
    ] = "",
    choose: Annotated[str, typer.Option("--choose", metavar="A,B", help="Choices, in order.")] = "",
    bloodied: Annotated[bool, typer.Option("--bloodied", help="Everybody starts at half HP.")] = False,
) -> Result:
    """Play a power once, on a small map against dummies, and show its exact odds. Nothing is kept.

    The bot aims the power and triggers interrupts. It also makes the choices that --choose doesn't make.

    Example: `strike content try chain-drag --dice 5`
    """
    from strike_cli.content.merged_content import book_of_core_and_plugins
    from strike_cli.kernel.driver import EnteredDice

    from ..powers.power_trial import play_trial_seeking_reaction, prepare_trial, trial_odds_merged_to_few_rows

    campaign = options.open_campaign_if_any()
    book = campaign.book if campaign else book_of_core_and_plugins()
    key = book.find("powers", power)
    trial = prepare_trial(book, key, bloodied)
    faces = options.typed_faces(dice) if dice else None
    entered = None if faces is None else EnteredDice(faces)
    choices = _typed_then_planned_choices(choose)
    tried = play_trial_seeking_reaction(trial, entered, choices, seed)
    if entered is not None:
        entered.check_all_used()
    return _trial_result(book.powers[key], key, trial, tried, trial_odds_merged_to_few_rows(trial))


def _typed_then_planned_choices(choose: str) -> Choices:
    """Return a function that answers the questions asked during a trial of a power.

    `choose` has the user's answers, separated by commas. Each question takes the next answer. When there are
    no more answers, the function answers as `TrialPlan` does.
    """
    from strike_cli.kernel.driver import ScriptedChoices

    from ..powers.power_trial import TrialPlan

    scripted = ScriptedChoices([word.strip() for word in choose.split(",") if word.strip()])
    plan = TrialPlan()
    return lambda question: scripted(question) or plan(question)


def _trial_result(
    power: Mapping[str, object], key: str, trial: Trial, outcome: TrialOutcome, ways: Chances[OutcomeSummary]
) -> Result:
    speaker = GameMasterSpeaker(trial.world.book, outcome.played.states)
    happened = [said for fact in outcome.played.facts if (said := fact.as_json(speaker)["text"])]
    rows = sorted(ways.items(), key=lambda item: (-item[1], str(item[0])))
    longest = max(chance for _, chance in rows)
    after = list(_combatants_after_trial(trial, outcome))
    seeded = f", seed {outcome.seed}" if outcome.seed is not None else ""
    blocks: list[Block] = [
        [(f"{power['name']}", "title"), (f"  on dummies{seeded}", "dim")],
        *((text, "dim") for text in trial.situation),
        *happened,
        "",
        Table(
            ["", "At", NumberHeading("HP"), "Has"],
            [[one["name"], one["moved"], f"{one['hp']}/{one['max_hp']}", one["has"]] for one in after],
        ),
        "",
        ("Its odds:", "title"),
        BarChart(
            [
                (_outcome_words(way), float(chance / longest), f"{chance_words(chance, ways.plays):>6}")
                for way, chance in rows
            ]
        ),
    ]
    blocks += [_averages_span(ways)]
    args, used = trial.option.args.as_json(), dict[str, object](command=trial.option.command)
    used |= {key: args[key] for key in ("who", "targets", "at", "to") if key in args}
    data: dict[str, object] = {
        "power": key,
        "name": power["name"],
        "seed": outcome.seed,
        "situation": list(trial.situation),
        "used": used,
        "happened": happened,
        "after": [
            {field: one[field] for field in ("who", "name", "at", "hp", "max_hp", "statuses")}
            for one in after
        ],
        "odds": [{**_outcome_data(way), **chance_as_json(chance, ways.plays)} for way, chance in rows],
        **estimate_as_json(ways.plays),
    }
    return Result("content try", data, blocks)


class CombatantAfterTrial(TypedDict):
    """A combatant's state after the trial of a power.

    The terminal's table shows `moved` (the square before and after, in words) and `has` (the statuses).
    """

    who: str
    name: str
    at: str
    moved: str
    hp: int
    max_hp: int
    statuses: Sequence[str]
    has: str


def _combatants_after_trial(trial: Trial, outcome: TrialOutcome) -> Iterator[CombatantAfterTrial]:
    from strike_cli.kernel.procedure import World

    from ..fight_state import combatants_in
    from ..health_and_statuses import statuses_and_conditions_in_words

    world = World(trial.world.book, outcome.after)
    for combatant, one in combatants_in(outcome.after).items():
        statuses = statuses_and_conditions_in_words(world, combatant)
        was = trial.world.get(f"fight.combatants.{combatant}.at", one["at"])  # a summoned creature had none
        moved = f"{was} to {one['at']}" if was != one["at"] else one["at"]
        out = ["out of the fight"] if "out" in one else []
        yield {
            "who": combatant,
            "name": one["name"],
            "at": one["at"],
            "moved": moved,
            "hp": one["hp"],
            "max_hp": one["max_hp"],
            "statuses": statuses,
            "has": ", ".join([*out, *statuses]) or "-",
        }


def _outcome_words(way: OutcomeSummary) -> str:
    words = [", ".join(way.results)] if way.results else []
    words += [f"{way.damage} damage"] if way.damage else []
    words += [
        f"{name}{f' x{count}' if count > 1 else ''}" for name, whose, count in way.statuses if whose == "foes"
    ]
    words += [f"user's side: {name}" for name, whose, _ in way.statuses if whose != "foes"]
    words += [f"{way.healed} HP regained"] if way.healed else []
    words += [f"{way.lost} HP lost by the user's own side"] if way.lost else []
    words += [f"{way.out} out"] if way.out else []
    words += [f"{way.called} summoned"] if way.called else []
    return "; ".join(words) or "nothing"


def _outcome_data(way: OutcomeSummary) -> dict[str, object]:
    statuses = [{"name": name, "whose": whose, "count": count} for name, whose, count in way.statuses]
    return {**way._asdict(), "results": list(way.results), "statuses": statuses}


def _averages_span(ways: Chances[OutcomeSummary]) -> tuple[str, str]:
    def mean_of_field(field: str) -> str:
        values: dict[int, Fraction] = {}
        for way, chance in ways.items():
            values[getattr(way, field)] = values.get(getattr(way, field), 0) + chance
        return mean_words(values, ways.plays) if any(values) else ""

    words = [f"On average {mean_of_field('damage') or '0.00'} damage"]
    for field, text in (("healed", "HP regained"), ("lost", "HP lost")):
        words += [f"{mean} {text}"] if (mean := mean_of_field(field)) else []
    exactly = f"estimated from {ways.plays} plays (±: 95% sure)" if ways.plays else "exact"
    return f"{', '.join(words)}; {exactly}.", "dim"
