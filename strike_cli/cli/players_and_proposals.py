"""The commands `strike players`, `proposals`, `accept` and `decline`.

`strike players` handles the links for players' phones. The others handle the proposals that players make on
their phones.
"""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ..problems import Refused
from ..registry.remote_permissions import ASSISTANT, RemoteSender
from ..terminal.command_output import Block, Line, Result, Table
from ..terminal.commands_and_options import Options, command, new_app
from ..terminal.invocation import GivenOptions, RemoteCaller
from ..terminal.name_lookup import Character, find_character_by_name_or_player

if TYPE_CHECKING:
    from ..campaign import Campaign
    from ..phones.proposals import Proposal

app = new_app()
links = new_app(
    "The players' own links to the table: list them, withdraw one, make a new one.\n\n"
    "Example: `strike players list`"
)
app.add_typer(links, name="players")

Number = Annotated[
    int, typer.Argument(metavar="[N]", help="Its number. Default: the oldest.", show_default=False)
]


# Links


@command(links, "list", kind="reads")
def list_(options: Options) -> Result:
    """List the players' links, and whether each still works. The links themselves stay hidden.

    Example: `strike players list`
    """
    from strike_bridge.credential_store import read_link_secrets_with_withdrawn

    with options.open_campaign() as campaign:
        kept = read_link_secrets_with_withdrawn(campaign.folder)
        told = [
            {
                "id": person,
                "name": sheet["name"],
                "player": sheet.get("player", ""),
                "link": "none yet" if person not in kept else "holds" if kept[person] else "withdrawn",
            }
            for person, sheet in campaign.book.characters.items()
        ]
        words = {"holds": "works"}
        rows = [
            [(one["id"], "command"), one["name"], one["player"] or "-", words.get(one["link"], one["link"])]
            for one in told
        ]
        blocks: list[Block] = [Table(["Id", "Name", "Player", "Link"], rows)]
        blocks.append([("To show them with codes to scan: ", "dim"), ("strike table --players", "command")])
        data = {"answers": campaign.book.answers, "players": told}
        return Result("players list", data, blocks, notices=campaign.notices)


@command(links, "withdraw", kind="reads")
def withdraw(options: Options, who: Character) -> Result:
    """Withdraw a player's link. It stops working at once, on open pages too.

    Example: `strike players withdraw vex`
    """
    from ..phones.links import withdraw_link as take_away

    with options.open_campaign() as campaign:
        found = find_character_by_name_or_player(campaign, who)
        take_away(campaign.folder, found)
        name = campaign.book.characters[found]["name"]
        lines: list[Line] = [
            [f"{name}'s link no longer works.  ", _strike_command_span(f"players new {found}"), " makes one"]
        ]
        return Result("players withdraw", {"who": found}, lines, notices=campaign.notices)


@command(links, "new", kind="reads")
def new(options: Options, who: Character) -> Result:
    """Make a new link for a player; the old one stops working.

    `strike table --players` shows it; this command doesn't, since others may see your screen.

    Example: `strike players new vex`
    """
    from ..phones.links import renew_link

    with options.open_campaign() as campaign:
        found = find_character_by_name_or_player(campaign, who)
        renew_link(campaign.folder, found)
        name = campaign.book.characters[found]["name"]
        lines: list[Line] = [
            [f"{name} has another link.  ", _strike_command_span("table --players"), " shows it to scan"]
        ]
        return Result("players new", {"who": found}, lines, notices=campaign.notices)


@command(links, "code", kind="reads")
def code(options: Options, who: Character = "") -> Result:
    """Show the code for one player, or for each player.

    The player types the code on their phone, at the table's address. A code works for half an hour to an
    hour.

    Example: `strike players code vex`
    """
    from strike_bridge.credential_store import read_link_secrets_with_withdrawn

    from ..phones.links import current_code, format_code

    with options.open_campaign() as campaign:
        wanted = [find_character_by_name_or_player(campaign, who)] if who else [*campaign.book.characters]
        kept = read_link_secrets_with_withdrawn(campaign.folder)
        codes = [(each, format_code(current_code(kept[each])) if kept.get(each) else "") for each in wanted]
        names = {each: str(campaign.book.characters[each]["name"]) for each in wanted}
        rows = [[(names[each], "name"), (shown, "strong") if shown else "no link"] for each, shown in codes]
        data = {"codes": [{"who": each, "code": shown} for each, shown in codes]}
        return Result("players code", data, [Table(["Player of", "Code"], rows)], notices=campaign.notices)


def _strike_command_span(line: str) -> tuple[str, str]:
    return (f"strike {line}", "command")


# Proposals


@command(app, "proposals", kind="reads")
def proposals(options: Options) -> Result:
    """List the players' proposals from their phones, oldest first.

    Example: `strike proposals`
    """
    from ..phones.proposals import read_proposals

    with options.open_campaign() as campaign:
        waiting = read_proposals(campaign.folder).waiting
        lines: list[Block] = [
            [
                (f"{one.id:>3}  ", "dim"),
                (_name_of_proposer(campaign, one), "name"),
                f"  {one.text}  ",
                _strike_command_span(one.command_line),
            ]
            for one in waiting
        ]
        if waiting:
            number = waiting[0].id
            lines.append(
                [
                    "     ",
                    _strike_command_span(f"accept {number}"),
                    ("  or  ", "dim"),
                    _strike_command_span(f"decline {number}"),
                ]
            )
        data = {"proposals": [_proposal_as_json(one) for one in waiting]}
        nothing: list[Block] = [("Nobody has proposed anything.", "dim")]
        return Result("proposals", data, lines or nothing, notices=campaign.notices)


def _proposal_as_json(proposal: Proposal) -> dict[str, object]:
    return {
        "id": proposal.id,
        "who": proposal.who,
        "text": proposal.text,
        "typed": proposal.command_line,
        "answers": bool(proposal.answers),
    }


def _name_of_proposer(campaign: Campaign, proposal: Proposal) -> str:
    return str(campaign.book.characters.get(proposal.who, {}).get("name", proposal.who))


@command(app, "accept")
def accept(options: Options, number: Number = 0) -> Result:
    """Play a player's proposal, as if you had typed it.

    `strike proposals` lists the proposals. The journal records who made the proposal. `strike undo` takes the
    command back.

    If the rules refuse the command, nothing changes, and the proposal stays open.

    Example: `strike accept 1`
    """
    from ..phones.proposals import end_proposal, find_open_proposal

    folder = _campaign_folder(options)
    one = find_open_proposal(folder, number)
    options.invocation = options.invocation._replace(
        player="" if one.by else one.who, by=one.by and ASSISTANT
    )
    shared = options.invocation.campaign
    with shared.mark_entries({}) if shared else nullcontext():
        result = (
            _play_answer_or_end_proposal(options, folder, one)
            if one.answers
            else _play_proposed_command(options, folder, one)
        )
    if not options.dry_run:
        end_proposal(folder, one, "accepted")
    return result


def _campaign_folder(options: Options) -> Path:
    with options.open_campaign() as campaign:
        return campaign.folder


def _play_answer_or_end_proposal(options: Options, folder: Path, proposal: Proposal) -> Result:
    """Play a proposed answer to a decision.

    If the decision is no longer open, end the proposal and raise Refused.
    """
    from ..phones.player_page_data import is_proposal_offered_or_by_assistant
    from ..phones.proposals import end_proposal
    from ..terminal.move_commands import answer_open_decision

    def end_and_refuse_if_outdated(campaign: Campaign) -> None:
        if not is_proposal_offered_or_by_assistant(campaign, proposal):
            end_proposal(folder, proposal, "outdated")
            raise Refused(
                "That was decided already, or taken back.", "`strike proposals` lists what is open."
            )

    option, key = (
        (proposal.words[1], proposal.words[3]) if len(proposal.words) == 4 else ("", "")
    )  # a forged one, which `check` refuses
    return answer_open_decision(options, [option], key, end_and_refuse_if_outdated)


def _play_proposed_command(options: Options, folder: Path, proposal: Proposal) -> Result:
    """Play a proposed command, and return a result with the command's own data under `played`.

    Raises Refused if the proposal is no longer possible, and NotFromOutside if the stored proposal is a
    forged one.
    """
    from ..phones.player_page_data import is_proposal_offered_or_by_assistant
    from ..session.command_dispatch import allowed_command_from_outside, play_words

    with options.open_campaign() as campaign:
        if not is_proposal_offered_or_by_assistant(campaign, proposal):
            raise Refused(
                f"{_name_of_proposer(campaign, proposal)} can't do that now: {proposal.text}.",
                f"`strike decline {proposal.id}` declines it.",
            )
    invocation = options.invocation._replace(folder=str(folder))
    whole = [*proposal.words]
    if (
        proposal.words[0] != "undo" or proposal.by
    ):  # `is_proposal_offered_or_by_assistant` allows undo only of their own last command
        # The file may be forged: only commands that may come from outside are played.
        invocation = invocation._replace(outsider=RemoteCaller(RemoteSender.PROPOSAL))
        whole = allowed_command_from_outside(proposal.words, RemoteSender.PROPOSAL, invocation).words
    given = GivenOptions(
        # The player's dice count unless others are given.
        options.dice_text or proposal.faces,
        options.choices,
        options.note,
        options.secret,
        options.dry_run,
        options.seed,
        options.reroll,
        options.explain,
    )
    came = play_words(whole, invocation._replace(given=given, json=options.json, plain=options.plain))
    return Result(
        "accept",
        {**_proposal_as_json(proposal), "played": came.data},
        came.blocks,
        facts=came.facts,
        seq=came.seq,
        pending=came.pending,
        notices=came.notices,
    )


@command(app, "decline", kind="reads")
def decline(
    options: Options,
    number: Number = 0,
    why: Annotated[str, typer.Option("--why", metavar="TEXT", help="A reason for the player.")] = "",
) -> Result:
    """Decline a player's proposal; their phone shows it.

    Example: `strike decline 1 --why "The door is barred"`
    """
    from ..phones.proposals import end_proposal, find_open_proposal

    folder = _campaign_folder(options)
    one = find_open_proposal(folder, number)
    end_proposal(folder, one, "declined", why)
    return Result("decline", _proposal_as_json(one), [[("Declined: ", "dim"), one.text]])
