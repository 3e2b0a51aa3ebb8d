"""`strike sim`: play a fight thousands of times and report the results, or step through one of them.

Begin with `run`, then `simulate_without_storing`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple, TypedDict, cast

import typer

from strike_cli.kernel.state_changes import pending_decisions_in
from strike_cli.problems import CampaignProblem, Usage, listed
from strike_cli.terminal.argument_completions import CREATURES, DIFFICULTY, FILE, FOLDER, WHO, Metavar
from strike_cli.terminal.command_output import Block, Result
from strike_cli.terminal.commands_and_options import ONLY_HERE, Options, command, new_app
from strike_cli.terminal.roll_and_chart_options import command_with_repeated_options
from strike_cli.untrusted_input import is_safe_unsigned_number

if TYPE_CHECKING:
    from strike_cli.campaign import Campaign
    from strike_cli.sim.sim_plan import SimPlan
    from strike_cli.sim.sim_report import SimReport
    from strike_cli.sim.sim_request import SimRequest
    from strike_cli.sim.simulated_fight import FrozenCampaign
    from strike_cli.sim.tallies import DaysTally
    from strike_cli.sim.task_backends import Backend

    from ..data import LastRun
    from .sim_progress import SimProgress

app = new_app("Simulate fights by the rules, thousands of times.\n\nExample: `strike sim ford`")
odds_app = new_app()


def default_sim_command(words: Sequence[str]) -> str:
    """Return "run", the command that `strike sim` means if the next word names no command.

    So `sim ford` is `sim run ford`.
    """
    return "run"


def _ids_of_all_prepared_scenes(campaign: Campaign, typed: Mapping[str, object]) -> list[str]:
    kinds = ("encounters", "conflicts", "chases")
    return [key for kind in kinds if kind in campaign.book for key in campaign.book.table(kind)]


def _bot_names() -> list[str]:
    from strike_cli.sim.bot_players import PLAYER_NAMES

    return list(PLAYER_NAMES)


def _simulated_systems() -> list[str]:
    from strike_cli.registry import load_usable_systems

    return [system.name for system in load_usable_systems() if system.simulation.rules]


PREPARED = Metavar("ENCOUNTER", _ids_of_all_prepared_scenes)
"""A prepared scene of any game that can be simulated."""
Encounters = Annotated[
    list[str],
    typer.Argument(
        metavar=PREPARED.with_text("ENCOUNTER..."),
        help="An encounter of campaign.toml; several make a day, one after the other.",
    ),
]
Fights = Annotated[
    int | None, typer.Option("--fights", metavar="N", min=1, max=10_000_000, help="The number of fights.")
]
Until = Annotated[
    str,
    typer.Option("--until", metavar="2%", help="Play until the chance to win is this certain, either way."),
]
Bot = Annotated[
    str,
    typer.Option(
        "--bot",
        metavar=Metavar("NAME", words=_bot_names),
        help="The player of both sides: quick, good or full. Default: full.",
    ),
]
BotOnly = Annotated[
    bool,
    typer.Option("--bot-only", help="Leave the chance to win as that bot plays it, without full's replays."),
]
Party = Annotated[
    list[str] | None,
    typer.Option("--party", metavar=WHO.with_text("WHO..."), help="The party. Default: everybody."),
]
With = Annotated[
    list[str] | None, typer.Option("--with", metavar=CREATURES, help="More creatures, like goblin:2.")
]
Difficulty = Annotated[
    str,
    typer.Option("--difficulty", metavar=DIFFICULTY, help="Scale the creatures by count to this difficulty."),
]
Sets = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="PATH=VALUE",
        help="Play with another value in campaign.toml, like characters.vex.hp=12.",
    ),
]
Compare = Annotated[
    str,
    typer.Option(
        "--compare",
        metavar=CREATURES.with_text("PATH=VALUE|CREATURE:N"),
        help="Play the same fights with a change, on the same dice; also without=WHO, difficulty=HOW.",
    ),
]
SystemName = Annotated[
    str,
    typer.Option(
        "--system",
        metavar=Metavar("NAME", words=_simulated_systems),
        help="The game system, if several could play it.",
    ),
]
Workers = Annotated[
    int | None,
    typer.Option("--workers", metavar="N", min=1, max=256, help="Processes. Default: all cores."),
    ONLY_HERE,
]
On = Annotated[
    str,
    typer.Option("--on", metavar="tcp://HOST:PORT", help="A Dask scheduler, to play on its workers."),
    ONLY_HERE,
]
Seed = Annotated[int, typer.Option("--seed", metavar="N", help="The seed of the dice.")]
ChunkSize = Annotated[int | None, typer.Option("--chunk", metavar="N", min=1, max=10_000, hidden=True)]
SvgFile = Annotated[
    str | None, typer.Option("--svg", metavar=FILE, help="Draw the results into a file."), ONLY_HERE
]
HtmlFile = Annotated[
    str | None, typer.Option("--html", metavar=FILE, help="Write one page with all results."), ONLY_HERE
]


@command(app, "run", kind="reads", cls=command_with_repeated_options("--party", "--with"))
def run(
    options: Options,
    encounters: Encounters,
    fights: Fights = None,
    until: Until = "",
    bot: Bot = "full",
    bot_only: BotOnly = False,
    party: Party = None,
    creatures: With = None,
    difficulty: Difficulty = "",
    sets: Sets = None,
    compare: Compare = "",
    workers: Workers = None,
    on: On = "",
    seed: Seed = 1,
    chunk: ChunkSize = None,
    svg: SvgFile = None,
    html: HtmlFile = None,
    system: SystemName = "",
) -> Result:
    """Play an encounter many times, from the party's present state, and show the results.

    Nothing is recorded.

    A bot plays both sides and knows no more than the table. The bot `full` plays best. With `--bot quick`,
    many more fights are played in the same time. `full` then plays some of these fights, too, and the chance
    to win is corrected to that of `full`. To see the chance of the quick bot itself, add `--bot-only`. Ctrl-C
    shows the results so far.

    Example: `strike sim run ford --fights 100`, or in short `strike sim ford --compare goblin:2`
    """
    with options.open_campaign() as campaign:
        request = make_sim_request(
            campaign, encounters, system, party or (), creatures or (), difficulty, sets or (), compare
        )
        limit = _parse_precision_share(until)
        where: SimBackendOptions = {"workers": workers, "on": on, "chunk": chunk}
        report = simulate_without_storing(
            campaign, request, find_bot(bot, bot_only), fights, limit, seed, where, options
        )
        _store_last_run(campaign, request, report, report.frozen)
        from .sim_report_blocks import report_blocks

        blocks = report_blocks(report)
        for path, what in ((html, "page"), (svg, "picture")):
            if path:
                _write_report_file(path, report, what)
                blocks.append([("The ", "dim"), (what, "dim"), (" is in ", "dim"), path])
        return Result("sim", report.as_data(), blocks, notices=campaign.notices)


def _write_report_file(path: str, report: SimReport, form: str) -> None:
    from strike_cli.campaign.file_access import unwritable_problem, write_user_file
    from strike_cli.sim.report_page import report_page, report_picture

    text = report_page(report) if form == "page" else report_picture(report)
    try:
        write_user_file(Path(path), text.encode("utf-8"))
    except OSError as error:
        raise unwritable_problem(Path(path), error) from None


def _parse_precision_share(text: str) -> float | None:
    """Return a percentage such as `2%` as a share, from 0.001 to 0.5; None for "". Raises Usage otherwise."""
    if not text:
        return None
    try:
        share = float(text.strip().rstrip("%")) / 100
    except ValueError:
        share = -1.0
    if not 0.001 <= share <= 0.5:
        raise Usage(f"--until: {text!r} is not a share.", "Write it like 2%, from 0.1% to 50%.")
    return share


class SimBot(NamedTuple):
    """The bot that plays both sides of a simulation.

    Normally, the reported chance to win is corrected to what the best bot would reach. If `uncorrected` is
    true, the chance that this bot reaches is reported.
    """

    name: str
    uncorrected: bool = False


def find_bot(name: str, uncorrected: bool = False) -> SimBot:
    """Return the only bot whose name, or a part of it after a hyphen, begins with `name`.

    `uncorrected` is stored in the result. Raises UnknownName, with a list of all bots, if no bot or more than
    one fits.
    """
    from strike_cli.terminal.name_lookup import find_word

    return SimBot(find_word(name, _bot_names(), "player"), uncorrected)


def make_sim_request(
    campaign: Campaign,
    encounters: Sequence[str],
    system: str,
    party: Sequence[str],
    creatures: Sequence[str],
    difficulty: str,
    sets: Sequence[str],
    compare: str,
) -> SimRequest:
    """Return the simulation request for the typed words. All names are looked up in the campaign.

    Raises Usage for a word that fits nothing, or for encounters of different games.
    """
    from strike_cli.sim.sim_request import (
        SimRequest,
        find_character_id,
        find_prepared_scene_and_system,
        parse_creatures_with_colon_counts,
    )
    from strike_cli.sim.simulation_hooks import Lineup

    book = campaign.book
    found = [find_prepared_scene_and_system(book, name, system) for name in encounters]
    plays = {each.name for _, each in found}
    if len(plays) > 1:
        raise Usage(
            f"A day needs encounters of one game, and these are of {listed(sorted(plays))}.",
            "Simulate them one by one.",
        )
    lineup = Lineup(
        tuple(dict.fromkeys(find_character_id(book, person) for person in party)),
        parse_creatures_with_colon_counts(book, creatures),
        difficulty.strip().lower(),
    )
    return SimRequest(tuple(id for id, _ in found), plays.pop(), lineup, tuple(sets), compare)


class SimBackendOptions(TypedDict, total=False):
    """The options for the processes that play the fights, here or on a cluster.

    `workers` is the number of processes on this machine. `on` is the address of a cluster's scheduler.
    `chunk` is the number of fights that a worker gets at once.
    """

    workers: int | None
    on: str | None
    chunk: int | None


def simulate_without_storing(
    campaign: Campaign,
    request: SimRequest,
    bot: SimBot,
    fights: int | None,
    until: float | None,
    seed: int,
    backend_options: SimBackendOptions,
    options: Options,
    extra_tables: dict[str, object] | None = None,
    label: str = "",
) -> SimReport:
    """Play the fights of a request, here or on a cluster, and return the report.

    `extra_tables` has further tables that count as part of campaign.toml. `label` is the label before the
    progress bar.
    """
    from strike_cli.sim.sim_plan import BETTER_PLAYER, DEFAULT_FIGHTS, SimPlan
    from strike_cli.sim.sim_request import freeze_campaigns

    from .sim_progress import SimProgress

    frozen = freeze_campaigns(campaign.folder, campaign.book, campaign.state, request, extra_tables)
    arms = [(each, bot.name) for each in frozen]
    known = frozen[0].system.simulation.players
    plays_alike = bot.name == BETTER_PLAYER or (
        bot.name in known and known[bot.name] == known.get(BETTER_PLAYER)
    )
    corrected = not (bot.uncorrected or plays_alike or request.compare)
    chunk = backend_options.get("chunk")
    plan = SimPlan(
        [*arms, (frozen[0], BETTER_PLAYER)] if corrected else arms,
        seed,
        fights or DEFAULT_FIGHTS[bot.name],
        until,
        **({"chunk": chunk} if chunk else {}),
        corrected=corrected,
    )
    backend = _make_backend(backend_options, plan.fights)
    progress = SimProgress(plan, label, quiet=options.json)
    try:
        return _run_simulation(request, plan, backend, progress)
    finally:
        progress.end()
        backend.close()


def _run_simulation(request: SimRequest, plan: SimPlan, backend: Backend, progress: SimProgress) -> SimReport:
    from strike_cli.sim.sim_plan import (
        ALL,
        compare_arms,
        correction_by_better_player,
        digest_of_tallies,
        outcome_chances,
        play_plan,
    )
    from strike_cli.sim.sim_report import SimReport
    from strike_cli.sim.sim_request import encounter_ids_and_names
    from strike_cli.sim.simulated_fight import simulation_rules_of

    frozen, player = plan.arms[0]
    played = play_plan(plan, backend, progress.show_results_so_far)
    found = played.results
    if not found.arms[-1].days:
        raise CampaignProblem("Interrupted before the first fight was over.", "Nothing is known yet.")
    others = len(plan.arms) > 1 and not plan.corrected
    rules = simulation_rules_of(frozen.system)
    return SimReport(
        encounter_ids_and_names(frozen.book, request),
        request.system,
        player,
        plan.seed,
        played.tally_of_first_arm,
        outcome_chances(plan, found, played.stopped_by == ALL),
        digest_of_tallies(found.arms),
        played.stopped_by,
        rules.unit,
        rules.scene,
        rules.ours,
        _names_of_used_powers(frozen, played.tally_of_first_arm),
        correction_by_better_player(found) if plan.corrected else None,
        request.compare,
        found.arms[1] if others else None,
        compare_arms(found.pairs) if others else None,
        request.sets,
        frozen.digest,
    )


def _names_of_used_powers(frozen: FrozenCampaign, tally: DaysTally) -> dict[str, str]:
    from strike_cli.kernel.procedure import World

    world = World(frozen.book)
    used = {what for leg in tally.legs for one in leg.people.values() for what in one.uses}
    return {what: frozen.rules.named(world, what) for what in sorted(used)}


def _make_backend(backend_options: SimBackendOptions, fights: int) -> Backend:
    from strike_cli.sim.task_backends import DaskCluster, InProcess, LocalProcesses, usable_core_count

    if on := backend_options.get("on"):
        return DaskCluster(on)
    workers = backend_options.get("workers") or usable_core_count()
    return LocalProcesses(workers) if workers > 1 and fights > 1 else InProcess()


# A fight of the last run, to step through

NOTABLE_FIGHTS = ("worst", "median", "best", "longest")


def _store_last_run(campaign: Campaign, request: SimRequest, report: SimReport, frozen_digest: str) -> None:
    """Store the run as the last one, so that `sim play` can find its fights by number."""
    from strike_cli.user_folders_and_cache import write_cache

    legs = report.tally.legs
    value = {
        "request": [list(request.encounters), request.system, list(request.lineup), list(request.sets)],
        "player": report.player,
        "seed": report.seed,
        "frozen": frozen_digest,
        "picks": legs[-1].worst_median_best_longest_fight() if legs else {},
    }
    write_cache(_cache_name(campaign), str(campaign.folder.resolve()), value)


def _cache_name(campaign: Campaign) -> str:
    from zlib import crc32

    return f"sim-{crc32(str(campaign.folder.resolve()).encode()):08x}.json"


@command(app, "play", kind="reads")
def write_fight_of_last_run(
    options: Options,
    which: Annotated[
        str,
        typer.Argument(
            metavar=Metavar("N|worst|longest|median|best", words=lambda: NOTABLE_FIGHTS),
            help="A fight of the last run.",
        ),
    ],
    into: Annotated[
        str, typer.Option("--into", metavar=FOLDER, help="The new folder. Default: sim-N."), ONLY_HERE
    ] = "",
) -> Result:
    """Write a fight of the last run into a new campaign folder, to look at it step by step.

    The new campaign stands at the beginning of the fight. There, `strike redo` plays one step. The fight has
    the same dice as in the run. Your own campaign stays unchanged.

    Example: `strike sim play worst`
    """
    from .fight_written_for_replay import write_fight_to_redo_into_folder

    with options.open_campaign() as campaign:
        number, run = _fight_number_and_last_run(campaign, which)
        folder = Path(into or f"sim-{number}")
        written = write_fight_to_redo_into_folder(campaign, run, number, folder)
        where = f"-C {folder}"
        blocks: list[Block] = [
            [(f"Fight {number}: ", "title"), written.summary],
            [("Step by step: ", "dim"), (f"strike {where} redo", "command"), ("   all of it: ", "dim"),
             (f"strike {where} redo {written.steps}", "command")],
            [("On a screen:  ", "dim"), (f"strike {where} watch", "command"), ("   in words:  ", "dim"),
             (f"strike {where} log", "command")],
        ]  # fmt: skip
        data = {
            "number": number,
            "folder": str(folder),
            "outcome": written.outcome,
            "rounds": written.rounds,
            "steps": written.steps,
        }
        return Result("sim play", data, blocks, notices=campaign.notices)


def _fight_number_and_last_run(campaign: Campaign, which: str) -> tuple[int, LastRun]:
    from strike_cli.user_folders_and_cache import read_cache

    kept = read_cache(_cache_name(campaign), str(campaign.folder.resolve()))
    if not isinstance(kept, dict):
        raise Usage("Nothing has been simulated here yet.", "Run `strike sim ENCOUNTER` first.")
    run = cast("LastRun", kept)
    if is_safe_unsigned_number(which):
        return int(which), run
    word = which.strip().lower()
    if word not in run["picks"]:
        raise Usage(f"{which!r} is not a fight.", f"A number, or {listed(run['picks'])}.")
    return int(run["picks"][word]), run


# Odds of a fight


@odds_app.callback()
def _odds_group() -> None:
    """Tell the chances of a fight."""


@command(odds_app, "fight", kind="reads", cls=command_with_repeated_options("--party", "--with"))
def odds_fight(
    options: Options,
    encounter: Annotated[
        str,
        typer.Argument(
            metavar=PREPARED.with_text("[ENCOUNTER]"),
            help="An encounter of campaign.toml. Default: the fight under way.",
        ),
    ] = "",
    fights: Fights = None,
    bot: Bot = "full",
    bot_only: BotOnly = False,
    party: Party = None,
    creatures: With = None,
    seed: Seed = 1,
    workers: Workers = None,
    svg: SvgFile = None,
) -> Result:
    """Estimate the chance to win a fight by simulating it.

    Without an encounter, it is the fight under way, from here on. The result says how many fights were
    simulated; `strike sim` shows more.

    Example: `strike odds fight ford --fights 20`
    """
    from .sim_report_blocks import odds_blocks

    with options.open_campaign() as campaign:
        if encounter:
            request = make_sim_request(campaign, [encounter], "", party or (), creatures or (), "", (), "")
        else:
            request = _request_for_scene_under_way(campaign)
        where: SimBackendOptions = {"workers": workers}
        report = simulate_without_storing(
            campaign, request, find_bot(bot, bot_only), fights or ODDS_FIGHTS, None, seed, where, options
        )
        blocks = odds_blocks(report)
        if svg:
            _write_report_file(svg, report, "picture")
            blocks.append([("The picture is in ", "dim"), svg])
        told = report.as_data()
        kept = (
            "encounter", "system", "policy", "seed", "fights", "outcomes", "win", "chances", "digest",
            "stopped_by",
        )  # fmt: skip
        return Result("odds fight", {key: told[key] for key in kept}, blocks, notices=campaign.notices)


ODDS_FIGHTS = 60
"""The default number of fights that odds are estimated from."""


def _request_for_scene_under_way(campaign: Campaign) -> SimRequest:
    from strike_cli.registry import systems_by_scene_key
    from strike_cli.sim.sim_request import SimRequest

    for key, system in systems_by_scene_key().items():
        if key in campaign.state and system.simulation.rules:
            if key in pending_decisions_in(campaign.state):
                raise CampaignProblem("A decision is open in it.", "`strike choose OPTION` answers it first.")
            return SimRequest((), system.name)
    raise Usage("No fight is under way.", "Name an encounter: `strike odds fight ENCOUNTER`.")
