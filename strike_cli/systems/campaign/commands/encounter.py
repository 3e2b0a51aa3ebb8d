"""`strike encounter`: rate an encounter by the rules and by playing it, or build a new one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, count
from typing import TYPE_CHECKING, Annotated

import typer

from strike_cli.problems import Usage
from strike_cli.terminal.argument_completions import CREATURES, DIFFICULTY, FREE
from strike_cli.terminal.command_output import Block, NumberHeading, Result, Span, Table
from strike_cli.terminal.commands_and_options import Options, command, new_app
from strike_cli.terminal.roll_and_chart_options import command_with_repeated_options

from . import sim as sims

if TYPE_CHECKING:
    from strike_cli.campaign import Campaign
    from strike_cli.sim.encounter_rating_and_rosters import EncounterRating, Roster
    from strike_cli.sim.sim_report import SimReport

    from .sim import SimBackendOptions

app = new_app("Rate an encounter, or build one to measure.\n\nExample: `strike encounter rate ford`")
DEFAULT_FIGHTS = 60
"""The default number of fights that an encounter is rated by."""
DEFAULT_ENCOUNTER_ID = "built"
"""The default name of an encounter that is tried."""
MOST_ROSTERS = 3
"""The most rosters that are tried."""
FIGHTS_OF_FIRST, FIGHTS_OF_OTHERS = 24, 8
"""The default numbers of fights for the roster that is shown to copy, and for each other one."""

EncounterName = Annotated[
    str, typer.Argument(metavar=sims.PREPARED.with_text("NAME"), help="An encounter of campaign.toml.")
]


@command(app, "rate", kind="reads", cls=command_with_repeated_options("--party", "--with"))
def rate(
    options: Options,
    name: EncounterName,
    fights: sims.Fights = None,
    bot: sims.Bot = "full",
    bot_only: sims.BotOnly = False,
    party: sims.Party = None,
    creatures: sims.With = None,
    difficulty: sims.Difficulty = "",
    workers: sims.Workers = None,
    on: sims.On = "",
    seed: sims.Seed = 1,
    system: sims.SystemName = "",
) -> Result:
    """Rate an encounter by the rules' own count, and by playing it.

    Example: `strike encounter rate ford --fights 20`
    """
    from strike_cli.registry import load_known_system as system_of
    from strike_cli.sim.encounter_rating_and_rosters import rate_encounter

    with options.open_campaign() as campaign:
        request = sims.make_sim_request(
            campaign, [name], system, party or (), creatures or (), difficulty, (), ""
        )
        count = rate_encounter(
            system_of(request.system), campaign.book, request.encounters[0], request.lineup
        )
        where: SimBackendOptions = {"workers": workers, "on": on}
        player = sims.find_bot(bot, bot_only)
        report = sims.simulate_without_storing(
            campaign, request, player, fights or DEFAULT_FIGHTS, None, seed, where, options
        )
        data = {
            "encounter": request.encounters[0],
            "count": count
            and {**count._asdict(), "budgets": dict(count.budgets), "roster": dict(count.roster)},
            "sim": report.as_data(),
        }
        blocks = [*_rating_or_unrated_note_blocks(count), *_played_results_blocks(report)]
        return Result("encounter rate", data, blocks, notices=campaign.notices)


def _rating_or_unrated_note_blocks(count: EncounterRating | None) -> Iterator[Block]:
    if count is None:
        yield ("This game doesn't rate difficulty; here are the results of play.", "dim")
        return
    of = f"{count.worth:g} standard creatures for {count.players} characters"
    yield [("By the count: ", "dim"), (count.difficulty or "below the easiest", "strong"), f"  {of}"]
    marks = (f"{name} {budget:g}" for name, budget in count.budgets.items())
    yield (f"              {', '.join(marks)}", "dim")


def _played_results_blocks(report: SimReport) -> Iterator[Block]:
    from strike_cli.pages.plots import short_percentage
    from strike_cli.sim.sim_report import (
        averages_by_group,
        count_with_noun,
        headline_words,
        own_result_words_if_corrected,
        unweighed_decisions_sentence,
    )

    yield [("As played:    ", "dim"), (headline_words(report), "strong")]
    if words := own_result_words_if_corrected(report):
        yield (f"              {words}", "dim")
    leg = report.tally.legs[0]
    told = f"{leg.mean_rounds:.1f} rounds on average"
    ours = [one for one in averages_by_group(leg) if one.side == report.ours]
    if any(one.most for one in ours):
        left = sum(one.left for one in ours) / sum(one.most for one in ours)
        fallen = max(ours, key=lambda one: one.down)
        down = (
            f"{fallen.name} went down in {short_percentage(fallen.down)}"
            if fallen.down
            else "nobody went down"
        )
        told += f", {short_percentage(left)} of the party's {report.unit} left, {down}"
    yield [
        ("              ", ""),
        f"{told} ({count_with_noun(leg.fights, report.scene)} played by {report.player})",
    ]
    for why, times in leg.stuck.items():
        yield (f"              {count_with_noun(times, report.scene)} undecided: {why}", "warn")
    if told := unweighed_decisions_sentence(leg):
        yield (f"              {told}.", "warn")


Difficulty = Annotated[
    str, typer.Option("--difficulty", metavar=DIFFICULTY, help="easy, normal, hard or deadly.")
]
From = Annotated[
    list[str] | None,
    typer.Option(
        "--from", metavar=CREATURES.with_text("CREATURE..."), help="Creatures to choose from. Default: all."
    ),
]
Size = Annotated[int | None, typer.Option("--size", metavar="N", min=1, max=60, help="How many creatures.")]
MapOf = Annotated[
    str,
    typer.Option(
        "--map", metavar=sims.PREPARED, help="The encounter whose map it uses. Default: the first one's."
    ),
]


@command(app, "build", kind="reads", cls=command_with_repeated_options("--from", "--party"))
def build(
    options: Options,
    difficulty: Difficulty = "normal",
    kinds: From = None,
    size: Size = None,
    map_of: MapOf = "",
    name: Annotated[
        str, typer.Option("--name", metavar=FREE.with_text("ID"), help="The id of the new encounter.")
    ] = DEFAULT_ENCOUNTER_ID,
    fights: sims.Fights = None,
    bot: sims.Bot = "full",
    bot_only: sims.BotOnly = False,
    party: sims.Party = None,
    workers: sims.Workers = None,
    seed: sims.Seed = 1,
    system: sims.SystemName = "",
) -> Result:
    """Build a roster of creatures for a difficulty, try it on a map, and print it for campaign.toml.

    Up to three rosters near the budget are tried. The nearest one plays 24 fights, and is shown for you to
    copy. The others play 8 fights each. With --fights you choose the number of fights of each roster.

    Example: `strike encounter build --difficulty hard --from goblin lamp-thief --fights 10`
    """
    import tomli_w

    with options.open_campaign() as campaign:
        plan = _EncounterBuilder(campaign, map_of, system, party or (), name)
        found = plan.best_rosters_to_try(difficulty.strip().lower(), kinds or (), size)[:MOST_ROSTERS]
        tried: list[tuple[Roster, SimReport]] = []
        for number, roster in enumerate(found):
            where: SimBackendOptions = {"workers": workers}
            player = sims.find_bot(bot, bot_only)
            many = fights or (FIGHTS_OF_OTHERS if number else FIGHTS_OF_FIRST)
            what = f"Roster {number + 1} of {len(found)}: "
            tried.append((roster, plan.simulate_roster(roster, player, many, seed, where, options, what)))
        table = plan.encounter_table(found[0])
        text = tomli_w.dumps({"encounters": {plan.id: table}}, multiline_strings=True)
        data = {
            "difficulty": difficulty,
            "map": plan.map,
            "rosters": [
                {**roster._asdict(), "creatures": dict(roster.creatures), "win": report.as_data()["win"]}
                for roster, report in tried
            ],
            "toml": text,
        }
        blocks: list[Block] = [
            _rosters_table(campaign, plan, difficulty, tried),
            "",
            *text.rstrip().splitlines(),
        ]
        return Result("encounter build", data, blocks, notices=campaign.notices)


class _EncounterBuilder:
    """A builder of encounters for `encounter build`.

    It takes the map from an encounter of the campaign, and finds an id for the new encounter that isn't used
    yet.
    """

    def __init__(self, campaign: Campaign, map_of: str, system: str, party: Sequence[str], name: str) -> None:
        from strike_cli.registry import load_known_system as system_of
        from strike_cli.sim.campaign_variants import read_campaign_files
        from strike_cli.sim.simulated_fight import simulation_rules_of

        encounters = campaign.book.table("encounters")
        if not encounters:
            raise Usage(
                "The campaign has no encounter, so there is no map.", "campaign.toml has [encounters.ID]."
            )
        request = sims.make_sim_request(
            campaign, [map_of or next(iter(encounters))], system, party, (), "", (), ""
        )
        self.campaign = campaign
        self.request = request
        self.map = request.encounters[0]
        self.system = system_of(request.system)
        self.rules = simulation_rules_of(self.system)
        names = chain([name], (f"{name}-{number}" for number in count(2)))
        self.id = next(each for each in names if each not in encounters)
        self.files = read_campaign_files(campaign.folder)

    def best_rosters_to_try(self, difficulty: str, kinds: Sequence[str], size: int | None) -> list[Roster]:
        """Return the rosters to try for a difficulty, the best first. Raises Usage if there are none."""
        from strike_cli.sim.encounter_rating_and_rosters import propose_rosters
        from strike_cli.sim.sim_request import parse_creatures_with_colon_counts

        book = self.campaign.book
        chosen = list(parse_creatures_with_colon_counts(book, kinds)) if kinds else list(book.creatures)
        party = self.request.lineup.party or list(book.characters)
        return propose_rosters(self.rules, book, difficulty, len(party), chosen, size)

    def encounter_table(self, roster: Roster) -> dict[str, object]:
        """Return the encounter with this roster, as its table in campaign.toml."""
        from strike_cli.sim.encounter_rating_and_rosters import encounter_with_roster

        return encounter_with_roster(self.files, self.map, self.id, roster)

    def simulate_roster(
        self,
        roster: Roster,
        bot: sims.SimBot,
        fights: int,
        seed: int,
        backend_options: SimBackendOptions,
        options: Options,
        label: str,
    ) -> SimReport:
        """Simulate `fights` fights of the party against a roster, and return the report.

        `bot` plays both sides. `backend_options` is the choice of workers or cluster. `label` is the label
        before the progress bar.
        """
        return sims.simulate_without_storing(
            self.campaign,
            self.request._replace(encounters=(self.id,)),
            bot,
            fights,
            None,
            seed,
            backend_options,
            options,
            extra_tables={"encounters": {self.id: self.encounter_table(roster)}},
            label=label,
        )


def _rosters_table(
    campaign: Campaign, plan: _EncounterBuilder, difficulty: str, tried: Sequence[tuple[Roster, SimReport]]
) -> Block:
    from strike_cli.pages.plots import short_percentage
    from strike_cli.sim.sim_report import interval_bounds_words

    rows: list[list[Span]] = []
    for roster, report in tried:
        names = [f"{n} {campaign.book.creatures[ref]['name']}" for ref, n in roster.creatures.items()]
        win = report.win_chance_unless_all_drawn
        rows.append(
            [
                (", ".join(names), "name"),
                f"{roster.worth:g}",
                roster.difficulty or "below the easiest",
                short_percentage(win.value) if win else "",
                interval_bounds_words(win) if win else "nothing decided",
                f"{report.tally.legs[0].mean_rounds:.1f}",
            ]
        )
    place = f"on the map of {campaign.book.table('encounters')[plan.map]['name']}"
    best = tried[0][0].difficulty
    title = f"{difficulty.strip().capitalize()}, {place}"
    if best != difficulty.strip().lower():
        title = f"No roster reaches {difficulty}; the best reaches {best or 'below the easiest'}, {place}"
    return Table(
        ["", NumberHeading("Worth"), "", NumberHeading("Won"), "", NumberHeading("Rounds")], rows, title
    )
