"""The settings of a campaign's targets, `[bridge.targets.NAME]` in campaign.toml, and address rules."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple, Never
from urllib.parse import quote, urlsplit
from zlib import crc32

from strike_cli.campaign.files import portable_name, refuse_link
from strike_cli.includes import Included, OutsideCampaign, read_text_file
from strike_cli.kernel.statements import ENGLISH, Language
from strike_cli.problems import CampaignProblem, PluginProblem, Usage, listed, nearest
from strike_cli.refusals import NoAddress, Unreadable
from strike_cli.registry.installed import index, language_named
from strike_cli.safe_reading import toml_of
from strike_cli.visibility.audience import METERS, Audience

from .address import displayed_address, origin_of

CAMPAIGN_FILE = "campaign.toml"
BRIDGE_FOLDER = "bridge"
ASIDE = ".aside"
"""The suffix of the marker file by which a command asks the holder of a target's lock to release it for a
moment."""
FRESHLY = ".fresh"
"""The suffix of the marker file, beside that of a sync, which says that the target has lost everything."""
OFF = ".off"
"""The suffix of the file with the digest of the settings under which a target switched itself off."""


REST = "rest"
"""The kind of a target that is described by its table alone."""
OFF_LIMITS = "off"

_NOTHING: Mapping[str, Never] = MappingProxyType({})


class TableProblem(CampaignProblem):
    """Faults of a target's own table, each with its key."""

    def at(self, folder: Path) -> CampaignProblem:
        """Return the same problem with the files and lines of a campaign's folder."""
        return self


class Settings(NamedTuple):
    """One target's settings. `url`, `audience` and `preset` are empty where the kind's default applies.

    `audience`: who sees the target; hidden and secret things go to "gm" alone. `hp`: how it shows the HP of
    creatures outside the party. `create`: missing tokens may be made. `defeated`: whether the token of a
    defeated creature is marked or hidden, "mark" or "hide". `pull`: which edits made there are taken over.
    `statuses`: our status, by id or name, to the target's; `attributes`: "hp", "max_hp" and the like to the
    place where the target keeps it. `preset` names a mapping of both that comes with the kind. `options` are
    the kind's own; `own` the further keys of a target of TOML alone. `fault` is the error in its table, so
    that nothing is sent.
    """

    name: str
    kind: str
    url: str = ""
    auto: bool = False
    insecure: bool = False
    audience: str = ""
    hp: str = "exact"
    create: bool = False
    defeated: str = "mark"
    pull: str = OFF_LIMITS
    statuses: Mapping[str, str] = _NOTHING
    attributes: Mapping[str, str] = _NOTHING
    preset: str = ""
    options: Mapping[str, object] = _NOTHING
    own: Mapping[str, object] = _NOTHING
    fault: str = ""
    language: Language = ENGLISH

    @property
    def players(self) -> Audience:
        """The audience of players, in this target's language."""
        return Audience(meters=self.hp, language=self.language)

    def words_of(self, option: str) -> Mapping[str, str]:
        """Return a table of words in its `options`; empty where there is none."""
        return _words_table(self.options.get(option))

    def where(self, key: str) -> str:
        """Return a key of this target as it is named in messages."""
        return f"{CAMPAIGN_FILE}: bridge.targets.{self.name}.{key}"

    def digest(self) -> str:
        """Return a digest that differs between any two settings of a target, however they were read."""
        plain = json.dumps(
            self[:-1],
            default=lambda value: dict(value) if isinstance(value, Mapping) else str(value),
            sort_keys=True,
        )
        return f"{crc32(plain.encode()):08x}"


def settings_of(name: str, table: Mapping[str, object]) -> Settings:
    """Return a target's settings from its table in campaign.toml, checked or not.

    An invalid value of a key that could show players too much (`audience`, `hp`) counts as the strictest. The
    keys are those of `strike_cli.bridge_target_form`, which takes longer to import than a command to run.
    """
    return Settings(
        name,
        str(table.get("kind", "")),
        str(table.get("url", "")),
        table.get("auto") is True,
        table.get("insecure") is True,
        _read_choice(table, "audience", ("", "players", "gm"), "", "players"),
        _read_choice(table, "hp", METERS, "exact", "none"),
        table.get("create") is True,
        "hide" if table.get("defeated") == "hide" else "mark",
        _read_choice(table, "pull", ("ask", "moves", "all"), OFF_LIMITS, OFF_LIMITS),
        _words_table(table.get("statuses")),
        _words_table(table.get("attributes")),
        str(table.get("preset", "")),
        _table(table.get("options")),
        _own_options(table) if table.get("kind") == REST else _NOTHING,
        str(table.get("fault", "")),
    )


def _own_options(table: Mapping[str, object]) -> Mapping[str, object]:
    from strike_cli.bridge_target_form import OWN  # imported late: few campaigns have such a target

    return {key: value for key, value in table.items() if key in OWN}


def _read_choice(table: Mapping[str, object], key: str, words: Sequence[str], unsaid: str, else_: str) -> str:
    """Return a key's value where it is one of `words`; `unsaid` for a missing key; else `else_`."""
    said = table.get(key, unsaid)
    return said if isinstance(said, str) and said in (unsaid, *words) else else_


def _table(value: object) -> Mapping[str, object]:
    return value if isinstance(value, Mapping) else _NOTHING


def _words_table(value: object) -> Mapping[str, str]:
    return value if isinstance(value, Mapping) else _NOTHING


class Option(NamedTuple):
    """A key of `options` that a kind of target knows.

    `help` is its description, `choices` are the allowed values, where they are few.
    """

    type: type
    default: object
    help: str
    choices: tuple[object, ...] = ()

    def fault(self, value: object) -> str:
        """Return the fault of a value, or ""."""
        if not isinstance(value, self.type) or (isinstance(value, bool) and self.type is not bool):
            return f"should be {_TYPES.get(self.type, self.type.__name__)}"
        if self.choices and value not in self.choices:
            return f"{value!r} is not one of {listed([repr(choice) for choice in self.choices])}"
        return ""


_TYPES: Mapping[type, str] = {
    str: "text in quotes",
    int: "a whole number",
    float: "a number with a point",
    bool: "true or false",
    list: "a list in [ ]",
    dict: "a table",
}


def checked_options(settings: Settings, known: Mapping[str, Option]) -> dict[str, object]:
    """Return a target's options with defaults filled in. Raises CampaignProblem that names the key."""
    for key, value in settings.options.items():
        where = settings.where(f"options.{key}")
        if key not in known:
            hint = f"Known: {listed(sorted(known))}." if known else f"{settings.kind} has none."
            raise CampaignProblem(f"{where}: there is no such option.{nearest(key, known)}", hint)
        fault = known[key].fault(value)
        if fault:
            raise CampaignProblem(f"{where}: {fault}.", known[key].help)
    return {key: settings.options.get(key, option.default) for key, option in known.items()}


def read_targets(folder: Path) -> dict[str, Settings]:
    """Return every target of a campaign, read straight from its files. Raises CampaignProblem.

    This is for a worker on its own, which needs nothing else of the campaign's files and so doesn't check it.
    """
    tables: dict[str, object] = {}
    main = _toml(folder / CAMPAIGN_FILE)
    for data in [main, *map(_toml, _included_files(folder, main.get("include", [])))]:
        tables.update(_table(_table(data.get("bridge")).get("targets")))
    language = language_of(folder)
    return {
        name: settings_of(name, table)._replace(language=language)
        for name, table in tables.items()
        if isinstance(table, dict)
    }


def language_of(folder: Path) -> Language:
    """Return the language of a campaign, read straight from its file; English where no plugin brings it."""
    with contextlib.suppress(PluginProblem):  # reported when somebody plays
        return language_named(str(_toml(folder / CAMPAIGN_FILE).get("language", "")), index())
    return ENGLISH


def files_of(folder: Path) -> list[Path]:
    """Return campaign.toml and the files that it includes. Raises CampaignProblem where it can't be read."""
    main = folder / CAMPAIGN_FILE
    return [main, *_included_files(folder, _toml(main).get("include", []))]


def _included_files(folder: Path, patterns: object) -> list[Path]:
    """Return the files that a campaign includes.

    An invalid pattern includes nothing: `strike doctor` reports it.
    """
    found: list[Path] = []
    for pattern in patterns if isinstance(patterns, list) else []:
        with contextlib.suppress(ValueError, OSError, OutsideCampaign):
            found += Included(folder, str(pattern)).files
    return found


def find_target(targets: Mapping[str, Settings], name: str) -> Settings:
    """Return the target of a name. Raises Usage that suggests the nearest name."""
    if name not in targets:
        raise Usage(f"There is no target {name!r}.{nearest(name, targets)}", f"Known: {listed(targets)}.")
    return targets[name]


def _toml(path: Path) -> dict[str, object]:
    try:
        return toml_of(read_text_file(path))
    except (OSError, ValueError) as error:
        raise Unreadable(path, error, "`strike doctor` checks the campaign.") from None


def bridge_file(folder: Path, name: str, suffix: str) -> Path:
    """Return the path of a file about a target. Raises CampaignProblem where that is a link.

    Any name makes one file in the bridge's folder.
    """
    plain = quote(name, safe=" ")
    if portable_name(plain) != plain:  # as for a device of Windows, whose first letter is encoded
        plain = f"%{ord(plain[0]):02X}{plain[1:]}"
    path = folder / BRIDGE_FOLDER / f"{plain}{suffix}"
    refuse_link(path)
    return path


def checked_address(settings: Settings, default: str = "") -> str:
    """Return the address to send to, without a slash at its end.

    Raises CampaignProblem for one that isn't safe.
    """
    where = settings.where("url")
    url = settings.url or default
    try:
        parts = urlsplit(url)
        named = parts.username is not None or parts.password is not None
        origin = None if named or not url.isprintable() else origin_of(url)
    except ValueError:
        named, origin = False, None
    if named:
        # Not shown: it holds the password.
        raise CampaignProblem(
            f"{where} holds a name or a password.", f"`strike bridge login {settings.name}` enters keys."
        )
    if origin is None:
        said = repr(displayed_address(url)) if url and "@" not in url else "the text"
        raise NoAddress(where, said, 'Write it like "http://127.0.0.1:4747".')
    if origin.scheme == "http" and not origin.is_loopback and not settings.insecure:
        raise CampaignProblem(
            f"{where}: {displayed_address(url)} is plain http to another machine, so "
            "others can read the key.",
            "Use https, or set insecure = true for a network that you trust.",
        )
    return url.rstrip("/")
