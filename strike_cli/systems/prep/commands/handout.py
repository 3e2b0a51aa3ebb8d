"""`strike handout`: pictures and texts for the players."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING, Annotated

import typer

from strike_cli.problems import Usage
from strike_cli.refusals import UnreadableArgument
from strike_cli.tabletop.characters_and_names import sentence_case_from_stem
from strike_cli.terminal.command_output import Block, Result, Span, Table
from strike_cli.terminal.commands_and_options import Options, command, new_app
from strike_cli.terminal.move_commands import Call, WordParser, plays
from strike_cli.terminal.name_lookup import find_id_by_name

from ..state import handouts_in

if TYPE_CHECKING:
    from pathlib import Path

    from strike_cli.campaign import Campaign
    from strike_cli.content.merged_content import Book

app = new_app("Pictures and texts for the players.\n\nExample: `strike handout list`")


def known_handouts(book: Book, folder: Path) -> dict[str, str]:
    """Return the names of all handouts, by id.

    They are the handouts of campaign.toml and of the folder `handouts`.
    """
    from .scene_gaps import handout_files

    written = {id: str(one["name"]) for id, one in book.table("handouts").items()}
    files = {id: sentence_case_from_stem(file.stem) for id, file in handout_files(folder).items()}
    return {**files, **written}


@plays(app, "show", "handout show", dice="those in braces in its text, like {2d6}")
def show(
    call: Call,
    handout: Annotated[
        str,
        typer.Argument(metavar="HANDOUT", help="A handout of campaign.toml or of the folder handouts."),
        WordParser(
            lambda call, name: find_id_by_name(name, _known_handouts(call.required_campaign), "handout", ""),
            _known_handouts,
        ),
    ],
) -> dict[str, object]:
    """Show a handout to the players: on the table's page, and on targets that can show it.

    `strike undo` takes it back.

    Example: `strike handout show warrant`
    """
    return {
        "handout": call.text_of("handout"),
        **read_handout_content(
            call.required_campaign.book, call.required_campaign.folder, call.text_of("handout")
        ),
    }


def _known_handouts(campaign: Campaign) -> dict[str, str]:
    return known_handouts(campaign.book, campaign.folder)


def read_handout_content(book: Book, folder: Path, id: str) -> dict[str, object]:
    """Return the name of a handout and its present content: a text, a picture, or both.

    A picture is given as its file and the hash of the file. Raises Usage if the handout can't be shown.
    """
    from strike_cli.tabletop.campaign_pictures import MEDIA_TYPES

    from .scene_gaps import handout_files

    name, written = known_handouts(book, folder)[id], book.table("handouts").get(id)
    if written is not None:
        picture = written.get("image") or written.get("picture", "")
        shown = _picture_file_and_hash(folder, picture) if picture else {}
        return {"name": name, "text": written.get("text", ""), **shown}
    path = handout_files(folder)[id]
    file = path.relative_to(folder).as_posix()
    is_picture = path.suffix.lower() in MEDIA_TYPES
    return {
        "name": name,
        **(_picture_file_and_hash(folder, file) if is_picture else _text_content(folder, file)),
    }


def _picture_file_and_hash(folder: Path, file: str) -> dict[str, object]:
    from strike_cli.tabletop import campaign_pictures

    try:
        content, _ = campaign_pictures.read_campaign_picture(folder, file, campaign_pictures.LARGEST)
    except ValueError as error:
        raise Usage(f"{file} {error}.", "`strike doctor` checks all of them.") from None
    return {"file": file, "sha256": sha256(content).hexdigest()}


def _text_content(folder: Path, file: str) -> dict[str, object]:
    from strike_cli.included_and_stray_files import read_authored_file

    from ..data import LONGEST

    try:
        text = read_authored_file(folder / file).decode("utf-8-sig").replace("\r\n", "\n").strip()
    except (OSError, ValueError) as error:
        raise UnreadableArgument(file, error, "Save it as UTF-8.") from None
    if not 0 < len(text) <= LONGEST:
        raise Usage(f"{file} has {len(text)} characters.", f"A handout has 1 to {LONGEST} at most.")
    return {"text": text}


@plays(app, "hide", "handout hide", kind="writes")
def hide(
    handout: Annotated[
        str,
        typer.Argument(metavar="HANDOUT", help="A handout on the table."),
        WordParser(
            lambda call, name: find_id_by_name(
                name, _handouts_on_table(call.required_campaign), "handout", " on the table"
            ),
            _handouts_on_table,
        ),
    ],
) -> None:
    """Remove a handout from the table.

    Example: `strike handout hide warrant`
    """


def _handouts_on_table(campaign: Campaign) -> dict[str, str]:
    return {id: one["name"] for id, one in handouts_in(campaign.state).items()}


@command(app, "list", kind="reads")
def list_(options: Options) -> Result:
    """List all handouts, and mark those on the table.

    Example: `strike handout list`
    """
    with options.open_campaign() as campaign:
        lying = _handouts_on_table(campaign)
        rows: list[list[Span]] = []
        data = []
        for id, name in {**lying, **_known_handouts(campaign)}.items():
            rows.append(
                [(id, "command"), (name, "name"), ("on the table", "good") if id in lying else ("", "")]
            )
            data.append({"id": id, "name": name, "shown": id in lying})
        none: Block = ("No handouts. Put pictures and texts into the folder handouts.", "dim")
        blocks: list[Block] = [Table(["Id", "Handout", ""], rows) if rows else none]
        return Result("handout list", {"handouts": data}, blocks, notices=campaign.notices)
