"""The files of a new plugin: a distribution of its own, with a test that passes from the first minute."""

from __future__ import annotations

import re
from enum import StrEnum
from pathlib import Path

from strike_cli.campaign.create import write_folder
from strike_cli.problems import Usage
from strike_cli.registry import known_systems
from strike_cli.registry.discovery import OF_THE_FRAME
from strike_cli.registry.installed import index
from strike_cli.registry.plugin import API

TEMPLATES = Path(__file__).parent / "templates" / "plugin"
NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
PACKAGE = "package"
"""The folder of the templates that becomes the plugin's package."""


class PluginKind(StrEnum):
    """What a new plugin brings; a folder of templates each."""

    CONTENT = "content"
    STATUS = "status"
    STEP = "step"
    TARGET = "target"
    MAP = "map"
    COMMAND = "command"
    SYSTEM = "system"


def write_plugin(name: str, folder: Path, *, kind: PluginKind, title: str) -> list[str]:
    """Write a plugin; returns the files, as paths below the folder.

    Raises Usage where the name or the folder won't do.
    """
    _check_name(name, kind)
    key = name.replace("-", "_")
    package = f"strike_{key}"
    words = {
        "@name@": name,
        "@table@": key,
        "@TABLE@": key.upper(),
        "@package@": package,
        "@title@": title,
        "@api@": str(API),
        "@class@": "".join(part.capitalize() for part in name.split("-")),
    }
    files = {}
    for part in ("shared", kind):
        for file in sorted((TEMPLATES / part).rglob("*")):
            if file.is_file():
                path = file.relative_to(TEMPLATES / part).as_posix().removesuffix(".txt")
                path = re.sub(f"^{PACKAGE}/", f"{package}/", path)
                files[path] = re.sub(
                    "@[a-zA-Z]+@", lambda word: words[word[0]], file.read_text(encoding="utf-8")
                )
    write_folder(folder, files)
    return list(files)


def _check_name(name: str, kind: PluginKind) -> None:
    if not NAME.fullmatch(name):
        raise Usage(f"{name!r} can't name a plugin.", "Lower case letters, digits and -, as in frost-hills.")
    taken = {plugin.name: plugin.origin for plugin in index().plugins}
    if kind in (PluginKind.COMMAND, PluginKind.SYSTEM):
        taken |= {name: "strike itself" for _, name in OF_THE_FRAME}
        taken |= dict.fromkeys([*known_systems(), *index().groups, *index().tables], "a system that is there")
    if by := taken.get(name) or taken.get(name.replace("-", "_")):
        raise Usage(f"The name {name!r} is taken by {by}.", "Choose another; nothing was written.")
