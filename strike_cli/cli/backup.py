"""The commands `strike backup` and `strike restore`.

The first writes a whole campaign as one file; the second unpacks such a file.
"""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Annotated

import typer

from ..command_line_splitting import quote_word_if_needed
from ..problems import listed, pluralize
from ..terminal.argument_completions import FILE, FOLDER
from ..terminal.command_output import Line, Result
from ..terminal.commands_and_options import Options, command, find_campaign_folder, new_app
from ..terminal.local_time import local_day_time_and_zone

app = new_app("Backups of a campaign.")


@command(app, "backup", kind="reads")
def backup(
    options: Options,
    to: Annotated[
        str,
        typer.Argument(metavar=FILE.with_text("[DIR|FILE]"), help="A folder, or a name that ends in .zip."),
    ] = "",
) -> Result:
    """Write the whole campaign into one file, and check the file.

    It has your files, the journal and the state, but no keys. Without DIR, it goes to the folder that `strike
    session end` uses for its backups. `[backup] keep = 10` in campaign.toml says how many backups `strike
    session end` keeps; with 0 it makes none. `strike restore` lists and unpacks backups.

    Example: `strike backup ../lantern.zip`
    """
    from ..campaign.backup import back_up

    made = back_up(options.campaign_folder(), Path(to) if to else None)
    files, entries = pluralize(made.files, "file"), pluralize(made.entries, "entry", "entries")
    lines: list[Line] = [(f"{made.file}: {files}, {entries} of the journal; read back.", "good")]
    if made.left_out:
        lines.append((f"Left out, as links or special files: {listed(made.left_out)}.", "warn"))
    if made.damaged:
        lines.append((f"The journal is damaged, here and in the backup: {made.damaged}", "warn"))
    return Result("backup", made._asdict(), lines)


@command(app, "restore", kind="reads")
def restore(
    options: Options,
    file: Annotated[
        str, typer.Argument(metavar=FILE.with_text("[FILE]"), help="A backup. Default: list all.")
    ] = "",
    directory: Annotated[
        str,
        typer.Argument(metavar=FOLDER.with_text("[DIR]"), help="A folder to make. Default: its former name."),
    ] = "",
) -> Result:
    """Unpack a backup into a new folder. Without FILE, list all backups on this computer, newest first.

    A folder that exists is never overwritten. A backup contains no keys: links and tabletops get new ones.

    Example: `strike restore ../lantern.zip ../lantern-again`
    """
    from ..campaign.backup import list_backups
    from ..campaign.backup import restore_backup as restored

    if not file:
        found = [str(path) for path in list_backups()]
        listing: list[Line] = [[path, (f" {_time_of_last_change(path)}", "dim")] for path in found]
        return Result("restore", {"backups": found}, listing or [("There is none yet.", "dim")])
    to = Path(directory) if directory else None
    folder, entries, damaged = restored(Path(file), to, find_campaign_folder())
    again = pluralize(entries, "entry", "entries")
    lines: list[Line] = [(f"{folder}: {again} of the journal restored.", "good")]
    if damaged:
        lines.append((f"The journal is damaged, as it was: {damaged}", "warn"))
    lines.append([("Next: ", "dim"), (f"strike -C {quote_word_if_needed(str(folder))} status", "command")])
    return Result("restore", {"folder": str(folder), "entries": entries, "damaged": damaged}, lines)


def _time_of_last_change(path: str) -> str:
    return local_day_time_and_zone(time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(os.stat(path).st_mtime)))
