"""The settings of a REST target: its own table, merged over the table of its preset.

The module also finds the file and the line of each key.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from strike_cli.bridge_target_schema import PRESET_SCHEMA
from strike_cli.file_faults import Faults, Place, faults_as_text
from strike_cli.included_and_stray_files import campaign_file_names, read_authored_file
from strike_cli.problems import CampaignProblem, did_you_mean, listed
from strike_cli.refusals import Unreadable
from strike_cli.registry import installed_plugins
from strike_cli.untrusted_input import line_of_deepest_key_found, parse_toml
from strike_cli.user_folders_and_cache import data_folder

from ..settings import CAMPAIGN_FILE, Settings, TableProblem, settings_files

if TYPE_CHECKING:
    from strike_cli.bridge_target_schema import AuthTable, PresetTable

BUILT_IN_PRESETS = Path(__file__).with_name("presets")
MOST_FAULTS = 10


class Preset(NamedTuple):
    """A preset: prepared settings for one kind of API, on which a target's settings can be based.

    `table` has the settings, and `file` is the file from which they were read.
    """

    name: str
    file: Path
    table: PresetTable


class RestTable:
    """The table in a target's own settings, merged over the table of its preset, if it has one."""

    def __init__(self, settings: Settings) -> None:
        """Read a target's table and merge it over its preset's.

        Raises CampaignProblem for a preset that doesn't exist, and TableFaults for a table of the wrong form.
        """
        self.settings = settings
        self.own = settings.own
        base = str(settings.own.get("base", ""))
        self.preset = find_preset(base, settings) if base else None
        whole = {key: value for key, value in settings.own.items() if key != "base"}
        faults: Faults = []
        whole = _merge_tables(self.preset.table, whole) if self.preset else whole
        self.table: PresetTable = PRESET_SCHEMA.check(whole, Place(), faults)  # type: ignore[assignment]  # of this form
        if faults:
            raise self.faults_as_problem([(each.place.path(), each.what) for each in faults])
        unsaid: AuthTable = {"kind": "none"}
        self.auth = self.table.get("auth", unsaid)
        self.on = self.table.get("on", {})
        self.read = self.table.get("read", {})

    @property
    def url(self) -> str:
        """The address in the merged table, "" without one.

        An address in the target's settings takes precedence.
        """
        return str(self.table.get("url", ""))

    def faults_as_problem(self, faults: list[tuple[str, str]], folder: Path | None = None) -> TableFaults:
        """Return the faults, pairs of key and words, as one exception.

        With `folder`, the exception also says in which file and line each key is.
        """
        told = [f"{self.location_of_key(key, folder)}: {words}" for key, words in faults[:MOST_FAULTS]]
        if len(faults) > MOST_FAULTS:
            told.append(f"and {len(faults) - MOST_FAULTS} more")
        remedy = f"Fix this and try again: `strike bridge doctor {self.settings.name}`."
        return TableFaults(
            self,
            faults,
            "\n".join(text if text.endswith("?") else text.rstrip(".") + "." for text in told),
            remedy,
        )

    def location_of_key(self, key: str, folder: Path | None = None) -> str:
        """Return where a key of the target's table is written, as text for messages: file, line and key.

        If the line isn't known, it is left out. `folder` is the campaign's folder. Without the folder, lines
        in the campaign's own files aren't known.
        """
        bare = re.sub(r"\[\d+\]", "", key)
        if self.preset and not _may_have_nested_key(self.own, bare.split(".")):
            return f"{self.preset.file}{_line_suffix(self.preset.file, bare)}: {key}"
        path = f"bridge.targets.{self.settings.name}.{bare}"
        own = f"bridge.targets.{self.settings.name}"
        for file in settings_files(folder) if folder else ():
            if folder and _file_has_nested_key(file, own):
                return f"{file.relative_to(folder)}{_line_suffix(file, path)}: {own}.{key}"
        return f"{CAMPAIGN_FILE}: {own}.{key}"


class TableFaults(TableProblem):
    """Raised for faults in the table of a REST target.

    `faults` has a pair for each fault: the key in the table, and the fault in words.
    """

    def __init__(self, table: RestTable, faults: list[tuple[str, str]], message: str, hint: str) -> None:
        super().__init__(message, hint)
        self.table = table
        self.faults = faults

    def with_locations(self, folder: Path) -> TableFaults:
        """Return a copy of this exception that names the file and line of each fault."""
        return self.table.faults_as_problem(self.faults, folder)


def _may_have_nested_key(table: object, keys: list[str]) -> bool:
    for key in keys:
        if isinstance(table, list):
            return True
        if not isinstance(table, Mapping) or key not in table:
            return False
        table = table[key]
    return True


def _line_suffix(file: Path, path: str) -> str:
    """Return the line of a dotted key in a file as `:12`; "" if the line isn't known."""
    try:
        line = line_of_deepest_key_found(read_authored_file(file).decode("utf-8-sig"), path.split("."))
    except (OSError, ValueError):
        return ""
    return f":{line}" if line else ""


def _file_has_nested_key(file: Path, path: str) -> bool:
    try:
        return _may_have_nested_key(parse_toml(read_authored_file(file)), path.split("."))
    except (OSError, ValueError):
        return False


def _merge_tables(base: Mapping[str, object], own: Mapping[str, object]) -> dict[str, object]:
    """Return a copy of `base` in which the values of `own` replace those of the same keys.

    Where both have a table, the two tables are merged in the same way.
    """
    both = {**base, **own}
    for key, value in own.items():
        below = base.get(key)
        if isinstance(below, Mapping) and isinstance(value, Mapping):
            both[key] = _merge_tables(below, value)
    return both


# Presets


def find_preset(name: str, settings: Settings) -> Preset:
    """Return the preset of this name.

    Raises CampaignProblem if there is no such preset, or if its file has a fault.
    """
    files = preset_files()
    if name not in files:
        raise CampaignProblem(
            f"{settings.where('base')}: there is no preset {name!r}.{did_you_mean(name, files)}",
            f"Known: {listed(sorted(files))}." if files else "",
        )
    return read_preset(name, files[name])


def read_preset(name: str, file: Path) -> Preset:
    """Read a preset's file. Raises CampaignProblem with the first faults in it, or if it can't be read."""
    faults: Faults = []
    try:
        table: PresetTable = parse_toml(read_authored_file(file))  # type: ignore[assignment]  # checked below
    except (OSError, ValueError) as error:
        raise Unreadable(file, error, "Fix it, or remove the file.") from None
    PRESET_SCHEMA.check(table, Place(file=str(file)), faults)
    if faults:
        hint = "Fix these. `kind`, `create` and other settings of every target stay in campaign.toml."
        raise CampaignProblem(faults_as_text(faults[:MOST_FAULTS]), hint)
    return Preset(name, file, table)


def preset_files() -> dict[str, Path]:
    """Return the file of every preset by name: strike's, plugins', and the user's own.

    If several presets have the same name, a plugin's replaces strike's, and the user's own replaces both.
    """
    of_plugins = (
        (kind, Path(plugin.file).with_name(reference))
        for kind, reference, plugin in installed_plugins.all_kinds_of_target()
        if reference.endswith(".toml")
    )
    return dict([*_presets_in(BUILT_IN_PRESETS), *of_plugins, *_presets_in(user_presets_folder())])


def _presets_in(folder: Path) -> Iterator[tuple[str, Path]]:
    try:
        names = campaign_file_names(folder)
    except OSError:
        return
    yield from ((name.removesuffix(".toml"), folder / name) for name in names if name.endswith(".toml"))


def user_presets_folder() -> Path:
    """Return the folder of the user's own presets: `targets` inside strike's data folder."""
    return data_folder() / "targets"


# The table that a target of one's own begins with


def starter_table_text() -> str:
    """Return the commented table that a new REST target starts from, as TOML text."""
    return Path(__file__).with_name("start.toml").read_text(encoding="utf-8")


def starter_table() -> Mapping[str, object]:
    """Return the table that a new REST target starts from, parsed."""
    return tomllib.loads(starter_table_text())


def with_target_headings(text: str, name: str) -> str:
    """Return a table's TOML text with its headings moved under `[bridge.targets.NAME]`, for campaign.toml."""
    own = f"bridge.targets.{name}"
    lines = [line.replace("[", f"[{own}.", 1) if line.startswith("[") else line for line in text.splitlines()]
    return "\n".join([f"[{own}]", *lines, ""])
