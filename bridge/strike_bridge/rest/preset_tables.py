"""The table of a rest target, combined with the preset that it starts from, and the place of each key."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from strike_cli.bridge_target_form import PRESET
from strike_cli.faults import Faults, Place, fault_lines
from strike_cli.includes import own_names, read_text_file
from strike_cli.problems import CampaignProblem, listed, nearest
from strike_cli.refusals import Unreadable
from strike_cli.registry import installed
from strike_cli.safe_reading import line_of, toml_of
from strike_cli.user_cache import data_folder

from ..settings import CAMPAIGN_FILE, Settings, TableProblem, files_of

if TYPE_CHECKING:
    from strike_cli.bridge_target_form import AuthTable, PresetTable

OWN_PRESETS = Path(__file__).with_name("presets")
MOST_FAULTS = 10


class Preset(NamedTuple):
    """A preset: its file, and the table in it."""

    name: str
    file: Path
    table: PresetTable


class RestTable:
    """A target's own table merged over that of its preset."""

    def __init__(self, settings: Settings) -> None:
        """Read a target's table over that of its preset.

        Raises CampaignProblem for a preset that doesn't exist, and for a table of another form.
        """
        self.settings = settings
        self.own = settings.own
        base = str(settings.own.get("base", ""))
        self.preset = preset_of(base, settings) if base else None
        whole = {key: value for key, value in settings.own.items() if key != "base"}
        faults: Faults = []
        whole = _merge_tables(self.preset.table, whole) if self.preset else whole
        self.table: PresetTable = PRESET.check(whole, Place(), faults)  # type: ignore[assignment]  # of this form
        if faults:
            raise self.problem([(each.place.path(), each.what) for each in faults])
        unsaid: AuthTable = {"kind": "none"}
        self.auth = self.table.get("auth", unsaid)
        self.on = self.table.get("on", {})
        self.read = self.table.get("read", {})

    @property
    def url(self) -> str:
        """The table's `url`, which applies unless the target's settings name one."""
        return str(self.table.get("url", ""))

    def problem(self, faults: list[tuple[str, str]], folder: Path | None = None) -> TableFaults:
        """Return the faults at these keys as one problem."""
        told = [f"{self.place(key, folder)}: {words}" for key, words in faults[:MOST_FAULTS]]
        if len(faults) > MOST_FAULTS:
            told.append(f"and {len(faults) - MOST_FAULTS} more")
        remedy = f"Fix this and try again: `strike bridge doctor {self.settings.name}`."
        return TableFaults(
            self,
            faults,
            "\n".join(text if text.endswith("?") else text.rstrip(".") + "." for text in told),
            remedy,
        )

    def place(self, key: str, folder: Path | None = None) -> str:
        """Return file, line and key as text for people."""
        bare = re.sub(r"\[\d+\]", "", key)
        if self.preset and not _has_key(self.own, bare.split(".")):
            return f"{self.preset.file}{_line_suffix(self.preset.file, bare)}: {key}"
        path = f"bridge.targets.{self.settings.name}.{bare}"
        own = f"bridge.targets.{self.settings.name}"
        for file in files_of(folder) if folder else ():
            if folder and _names_table(file, own):
                return f"{file.relative_to(folder)}{_line_suffix(file, path)}: {own}.{key}"
        return f"{CAMPAIGN_FILE}: {own}.{key}"


class TableFaults(TableProblem):
    """The faults of a table, by key."""

    def __init__(self, table: RestTable, faults: list[tuple[str, str]], message: str, hint: str) -> None:
        super().__init__(message, hint)
        self.table = table
        self.faults = faults

    def at(self, folder: Path) -> TableFaults:
        """Return the same faults, with the file and line of each."""
        return self.table.problem(self.faults, folder)


def _has_key(table: object, keys: list[str]) -> bool:
    for key in keys:
        if isinstance(table, list):
            return True
        if not isinstance(table, Mapping) or key not in table:
            return False
        table = table[key]
    return True


def _line_suffix(file: Path, path: str) -> str:
    """Return the line of a dotted path in a file as `:12`; "" where the line isn't known."""
    try:
        line = line_of(read_text_file(file).decode("utf-8-sig"), path.split("."))
    except (OSError, ValueError):
        return ""
    return f":{line}" if line else ""


def _names_table(file: Path, path: str) -> bool:
    """Return whether a file contains the table of a path."""
    try:
        return _has_key(toml_of(read_text_file(file)), path.split("."))
    except (OSError, ValueError):
        return False


def _merge_tables(base: Mapping[str, object], own: Mapping[str, object]) -> dict[str, object]:
    """Return a preset's table with the file's own keys over it."""
    both = {**base, **own}
    for key, value in own.items():
        below = base.get(key)
        if isinstance(below, Mapping) and isinstance(value, Mapping):
            both[key] = _merge_tables(below, value)
    return both


# Presets


def preset_of(name: str, settings: Settings) -> Preset:
    """Return a preset by name. Raises CampaignProblem for an unknown one, and for faults in its file."""
    files = preset_files()
    if name not in files:
        raise CampaignProblem(
            f"{settings.where('base')}: there is no preset {name!r}.{nearest(name, files)}",
            f"Known: {listed(sorted(files))}." if files else "",
        )
    return read_preset(name, files[name])


def read_preset(name: str, file: Path) -> Preset:
    """Read a preset's file. Raises CampaignProblem with every fault in it."""
    faults: Faults = []
    try:
        table: PresetTable = toml_of(read_text_file(file))  # type: ignore[assignment]  # checked below
    except (OSError, ValueError) as error:
        raise Unreadable(file, error, "Fix it, or remove the file.") from None
    PRESET.check(table, Place(file=str(file)), faults)
    if faults:
        hint = "Fix these. `kind`, `create` and other settings of every target stay in campaign.toml."
        raise CampaignProblem(fault_lines(faults[:MOST_FAULTS]), hint)
    return Preset(name, file, table)


def preset_files() -> dict[str, Path]:
    """Return every preset by name: strike's, plugins', the user's own.

    Of several with one name the last counts.
    """
    of_plugins = (
        (kind, Path(plugin.file).with_name(reference))
        for kind, reference, plugin in installed.all_targets()
        if reference.endswith(".toml")
    )
    return dict([*_presets_in(OWN_PRESETS), *of_plugins, *_presets_in(own_folder())])


def _presets_in(folder: Path) -> Iterator[tuple[str, Path]]:
    try:
        names = own_names(folder)
    except OSError:
        return
    yield from ((name.removesuffix(".toml"), folder / name) for name in names if name.endswith(".toml"))


def own_folder() -> Path:
    """Return the folder of the user's own presets."""
    return data_folder() / "targets"


# The table that a target of one's own begins with


def start_text() -> str:
    """Return the commented start table as text, with the headings of a file of its own."""
    return Path(__file__).with_name("start.toml").read_text(encoding="utf-8")


def start_table() -> Mapping[str, object]:
    """Return the start table."""
    return tomllib.loads(start_text())


def as_target_text(text: str, name: str) -> str:
    """Return a table's text with the headings that campaign.toml needs."""
    own = f"bridge.targets.{name}"
    lines = [line.replace("[", f"[{own}.", 1) if line.startswith("[") else line for line in text.splitlines()]
    return "\n".join([f"[{own}]", *lines, ""])
