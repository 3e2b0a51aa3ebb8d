"""The writer of a simulated fight as a campaign of its own, to step through.

The new journal has all commands, with their dice and choices. All commands of the fight but the first are
undone, so that `strike redo` plays them one by one.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from strike_cli.campaign import Campaign
from strike_cli.campaign.campaign import state_differences
from strike_cli.campaign.create import write_new_folder
from strike_cli.campaign.undo_and_repair_facts import Edited
from strike_cli.content import CAMPAIGN_FILE
from strike_cli.kernel.driver import DrivenPlay
from strike_cli.kernel.procedure import Happened
from strike_cli.play.command_execution import PlaySettings, perform_command
from strike_cli.play.legal_options import Option
from strike_cli.problems import CampaignProblem
from strike_cli.sim.campaign_variants import files_with_values_set, parse_path_value, read_campaign_files
from strike_cli.sim.sim_report import OUTCOME_WORDS
from strike_cli.sim.sim_request import SimRequest, freeze_campaigns
from strike_cli.sim.simulated_fight import DayResult, play_day_until_not_won
from strike_cli.sim.simulation_hooks import Lineup
from strike_cli.tabletop.characters_and_names import GameMasterSpeaker

if TYPE_CHECKING:
    from ..data import LastRun

STATE_COMMAND = "hand edit"
"""The name in the journal for the command that sets the state in which the fight began."""


class WrittenFight(NamedTuple):
    """A simulated fight that was written to a folder, with its outcome.

    `steps` is the number of commands to redo, and `summary` the outcome in words.
    """

    outcome: str
    rounds: int
    steps: int
    summary: str


def write_fight_to_redo_into_folder(
    campaign: Campaign, run: LastRun, number: int, folder: Path
) -> WrittenFight:
    """Play fight `number` of a run again, in a copy of the campaign in a new folder.

    Raises CampaignProblem if the campaign has changed since the run. Raises Usage if the folder exists and
    isn't empty.
    """
    import tomllib

    encounters, system, lineup, sets = run["request"]
    party, creatures, difficulty = lineup
    request = SimRequest(tuple(encounters), system, Lineup(tuple(party), creatures, difficulty), tuple(sets))
    frozen = freeze_campaigns(campaign.folder, campaign.book, campaign.state, request)[0]
    if frozen.digest != run["frozen"]:
        raise CampaignProblem(
            "The campaign has changed since these fights were played.",
            "Play them again: `strike sim ENCOUNTER`.",
        )
    script: list[tuple[Option, DrivenPlay]] = []
    day = play_day_until_not_won(
        frozen, run["seed"], number, run["player"], lambda option, played: script.append((option, played))
    )
    # No target of the bridge follows the copy by itself.
    files = files_with_values_set(
        read_campaign_files(campaign.folder), [parse_path_value(word) for word in sets]
    )
    table = tomllib.loads(files[CAMPAIGN_FILE].decode("utf-8-sig"))
    targets = table.get("bridge", {}).get("targets", {})
    loud = {name: {"auto": False} for name, target in targets.items() if target.get("auto")}
    files = files_with_values_set(files, [{"bridge": {"targets": loud}}] if loud else [])
    write_new_folder(folder, files)
    with Campaign(folder, writing=True) as copy, copy.keep_open():
        changes = list(state_differences({}, frozen.state))
        if changes:
            fact = Happened(Edited(simulated=True), tuple(changes)).as_json(GameMasterSpeaker(copy.book))
            copy.commit(STATE_COMMAND, {}, [], [fact], frozen.state)
        for option, played in script:
            faces = [face for _, answer in played.answers if isinstance(answer, list) for face in answer]
            choices = [answer for _, answer in played.answers if isinstance(answer, str)]
            perform_command(
                copy,
                option.command,
                option.args,
                PlaySettings(dice=faces, choices=choices, keep_pending=False),
            )
        steps = len(script) - 1
        if steps:
            copy.undo(steps)
    return _fight_summary(day, steps, frozen.rules.ours)


def _fight_summary(day: DayResult, steps: int, ours: str) -> WrittenFight:
    rounds = sum(fight.rounds for fight in day.fights)
    last = day.fights[-1]
    down = [one.name for one in last.people.values() if one.out and one.left == 0 and one.side == ours]
    fell = f", {', '.join(down)} out" if down else ""
    words = f"{OUTCOME_WORDS[day.outcome].lower()} in {rounds} round{'s' * (rounds != 1)}{fell}."
    return WrittenFight(day.outcome, rounds, steps, words)
