"""Commands that may be sent from outside: by another program, an assistant, a player's phone.

Each system lists these commands in two groups: commands that play a move, and commands that only read. All
other commands are refused. `session.command_dispatch.allowed_command_from_outside` checks every command from
outside against these lists, and nothing else allows one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple

from ..problems import Usage
from . import installed_plugins

PLAYED, READ = "played", "read"

NEVER_REMOTE = (
    *("batch", "shell", "play", "watch", "table", "serve", "mcp", "tour", "demo", "new", "bridge", "plugin"),
    *("players", "import", "export", "map import", "map export", "schema", "content check"),
    *("backup", "restore"),
)
"""Commands, or whole groups, that are always refused from outside, whatever a system declares."""
GM_ONLY = ("accept", "decline", "override", "map shift")
"""The game master's own commands: from outside, only `strike serve` accepts them."""
ASSISTANT = "mcp"
"""The value of `by` in entries that an assistant played."""


class RemoteSender(StrEnum):
    """The outside program that sends a command."""

    SERVE = "serve"
    """A program of the game master's that has the key of `strike serve`."""
    MCP = "mcp"
    """An assistant."""
    PROPOSAL = "proposal"
    """A player's phone or an assistant, whose proposal the game master has accepted."""


class RemoteCommand(NamedTuple):
    """An allowed command that came from outside: its whole name, and all its words."""

    name: str
    words: list[str]


class NotFromOutside(Usage):
    """The refusal of a command that may not be sent from outside, or of one of its options.

    "Outside" means other programs, assistants and players' phones.
    """

    code = "not-from-outside"


def allowed_remote_use(command: str, asker: RemoteSender = RemoteSender.SERVE) -> str:
    """Return the allowed use of a command, given by its whole name: "played", "read", or "" for none."""
    if command in GM_ONLY and asker is not RemoteSender.SERVE:
        return ""
    return remote_commands().get(command, "")


def may_be_proposed_by_player(words: Sequence[str]) -> bool:
    """Return whether a full command line plays a command that a player may propose."""
    names = (" ".join(words[:count]) for count in (1, 2, 3))
    return any(allowed_remote_use(name, RemoteSender.PROPOSAL) == PLAYED for name in names)


def remote_commands() -> Mapping[str, str]:
    """Return the allowed use of each command that may be sent from outside, by its whole name.

    The use is "played" or "read".
    """
    return _allowed_commands(installed_plugins.plugin_index())


@lru_cache(maxsize=1)
def _allowed_commands(index: installed_plugins.PluginIndex) -> Mapping[str, str]:
    return {
        name: may
        for name, may in index.outside.items()
        if not any(name == never or name.startswith(f"{never} ") for never in NEVER_REMOTE)
    }


def must_be_allowed_from_outside(command: str, asker: RemoteSender) -> None:
    """Raise NotFromOutside for a command that may not be sent by this asker."""
    if not allowed_remote_use(command, asker):
        raise NotFromOutside(
            f"`{command}` can't be called from outside.", "Type it in a terminal. Nothing was changed."
        )


def option_refusal(command: str, option: str) -> NotFromOutside:
    """Return the refusal of an option that may not be used from outside."""
    return NotFromOutside(
        f"{option} of `{command}` can't be used from outside.",
        "Leave it out, or type the command in a terminal. Nothing was changed.",
    )
