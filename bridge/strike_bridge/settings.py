"""The settings of a campaign's targets, `[bridge.targets.NAME]` in campaign.toml.

This module also checks the targets' addresses.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple, Never
from urllib.parse import quote, urlsplit
from zlib import crc32

from strike_cli.campaign.file_access import file_name_not_reserved, refuse_link_or_special_file
from strike_cli.included_and_stray_files import IncludedFiles, OutsideCampaign, read_authored_file
from strike_cli.kernel.statements import ENGLISH, Language
from strike_cli.problems import CampaignProblem, PluginProblem, Usage, did_you_mean, listed
from strike_cli.refusals import NotAnAddress, Unreadable
from strike_cli.registry.installed_plugins import load_language, plugin_index
from strike_cli.untrusted_input import parse_toml
from strike_cli.visibility.audiences import METERS, Audience

from .address import origin_of, redact_address

CAMPAIGN_FILE = "campaign.toml"
BRIDGE_FOLDER = "bridge"
RELEASE_LOCK = ".aside"
"""The suffix of the marker file by which a command asks the holder of a target's lock to release it for a
moment."""
FRESHLY = ".fresh"
"""The suffix of the marker file, beside that of a sync, which says that the target has lost everything."""
OFF = ".off"
"""The suffix of the file with the digest of the settings under which a target switched itself off."""


REST = "rest"
"""The kind of a target that is described by its table alone."""
PULL_OFF = "off"

_NOTHING: Mapping[str, Never] = MappingProxyType({})


class TableProblem(CampaignProblem):
    """Raised for faults in a target's table in campaign.toml or a preset."""

    def with_locations(self, folder: Path) -> CampaignProblem:
        """Return the same problem with the file and line of each fault, if they are known."""
        return self


class Settings(NamedTuple):
    """The settings of one target.

    Attributes:
        name: The target's name in the campaign.
        kind: The kind of target.
        url: The target's address. "" means the default of the kind.
        auto: Whether the target is updated after every command, without anybody waiting.
        insecure: Whether an address without encryption is allowed.
        audience: "players" or "gm". "" means the default of the kind. Only "gm" gets hidden and secret
            things.
        hp: The way to show the HP of creatures outside the party.
        create: Whether the bridge may create missing tokens.
        defeated: "mark" or "hide": the way to show the tokens of defeated creatures.
        pull: The choice of edits that are taken over from the target.
        statuses: The target's words for our statuses, by id or name.
        attributes: The places where the target stores "hp", "max_hp" and other numbers.
        preset: The name of a set of `statuses` and `attributes` that comes with the kind. "" means its
            default.
        options: The options that only this kind has.
        own: For a target of kind rest, the other keys of its table.
        fault: The error in the target's table, or "". With an error, nothing is sent.
        language: The language of the texts that are sent.
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
    pull: str = PULL_OFF
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
        """Return a table of words among the `options`; empty if there is none."""
        return _as_unchecked_words_table(self.options.get(option))

    def where(self, key: str) -> str:
        """Return the file and the full name of one of this target's keys, for messages."""
        return f"{CAMPAIGN_FILE}: bridge.targets.{self.name}.{key}"

    def digest(self) -> str:
        """Return a short digest of the settings, without the language.

        Equal settings have the same digest, whichever function read them.
        """
        plain = json.dumps(
            self[:-1],
            default=lambda value: dict(value) if isinstance(value, Mapping) else str(value),
            sort_keys=True,
        )
        return f"{crc32(plain.encode()):08x}"


def settings_from_unchecked_table(name: str, table: Mapping[str, object]) -> Settings:
    """Return a target's settings from its table in campaign.toml.

    The table may contain faults, since it need not have been checked. An invalid `audience` or `hp` counts as
    the strictest value, so that players never see too much. The table's keys are described in
    `strike_cli.bridge_target_schema`.
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
        _read_choice(table, "pull", ("ask", "moves", "all"), PULL_OFF, PULL_OFF),
        _as_unchecked_words_table(table.get("statuses")),
        _as_unchecked_words_table(table.get("attributes")),
        str(table.get("preset", "")),
        _as_table(table.get("options")),
        _rest_target_fields(table) if table.get("kind") == REST else _NOTHING,
        str(table.get("fault", "")),
    )


def _rest_target_fields(table: Mapping[str, object]) -> Mapping[str, object]:
    from strike_cli.bridge_target_schema import (
        REST_TARGET_FIELDS,  # imported late: few campaigns have such a target
    )

    return {key: value for key, value in table.items() if key in REST_TARGET_FIELDS}


def _read_choice(
    table: Mapping[str, object], key: str, words: Sequence[str], default: str, if_invalid: str
) -> str:
    """Return the value of a setting that must be one of `words` or `default`.

    If the key is missing, return `default`. If the value is invalid, return `if_invalid`.
    """
    said = table.get(key, default)
    return said if isinstance(said, str) and said in (default, *words) else if_invalid


def _as_table(value: object) -> Mapping[str, object]:
    return value if isinstance(value, Mapping) else _NOTHING


def _as_unchecked_words_table(value: object) -> Mapping[str, str]:
    return value if isinstance(value, Mapping) else _NOTHING


class Option(NamedTuple):
    """A key that a kind of target allows in the table `options` of its settings.

    `help` describes the key. `choices` has the allowed values. If it is empty, every value of the right type
    is allowed.
    """

    type: type
    default: object
    help: str
    choices: tuple[object, ...] = ()

    def fault(self, value: object) -> str:
        """Return what is wrong with a value, in words; "" if nothing is."""
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


def checked_options_with_defaults(settings: Settings, known: Mapping[str, Option]) -> dict[str, object]:
    """Return a target's options with defaults filled in.

    Raises CampaignProblem, which names the key, for an unknown option or an invalid value.
    """
    for key, value in settings.options.items():
        where = settings.where(f"options.{key}")
        if key not in known:
            hint = f"Known: {listed(sorted(known))}." if known else f"{settings.kind} has none."
            raise CampaignProblem(f"{where}: there is no such option.{did_you_mean(key, known)}", hint)
        fault = known[key].fault(value)
        if fault:
            raise CampaignProblem(f"{where}: {fault}.", known[key].help)
    return {key: settings.options.get(key, option.default) for key, option in known.items()}


def read_targets(folder: Path) -> dict[str, Settings]:
    """Return the settings of all targets of a campaign, by the targets' names.

    They are read from campaign.toml and from the files that it includes. The other tables in these files
    aren't checked. Raises CampaignProblem.
    """
    tables: dict[str, object] = {}
    main = _read_required_toml(folder / CAMPAIGN_FILE)
    for data in [
        main,
        *map(_read_required_toml, _included_files_skipping_invalid(folder, main.get("include", []))),
    ]:
        tables.update(_as_table(_as_table(data.get("bridge")).get("targets")))
    language = campaign_language(folder)
    return {
        name: settings_from_unchecked_table(name, table)._replace(language=language)
        for name, table in tables.items()
        if isinstance(table, dict)
    }


def campaign_language(folder: Path) -> Language:
    """Return a campaign's language, read directly from campaign.toml; English if no plugin supplies it."""
    with contextlib.suppress(PluginProblem):  # reported when somebody plays
        return load_language(
            str(_read_required_toml(folder / CAMPAIGN_FILE).get("language", "")), plugin_index()
        )
    return ENGLISH


def settings_files(folder: Path) -> list[Path]:
    """Return campaign.toml and the files that it includes. Raises CampaignProblem if it can't be read."""
    main = folder / CAMPAIGN_FILE
    return [main, *_included_files_skipping_invalid(folder, _read_required_toml(main).get("include", []))]


def _included_files_skipping_invalid(folder: Path, patterns: object) -> list[Path]:
    """Return the files that a campaign includes.

    Invalid patterns are skipped: `strike doctor` reports them.
    """
    found: list[Path] = []
    for pattern in patterns if isinstance(patterns, list) else []:
        with contextlib.suppress(ValueError, OSError, OutsideCampaign):
            found += IncludedFiles(folder, str(pattern)).files
    return found


def find_target(targets: Mapping[str, Settings], name: str) -> Settings:
    """Return the target with this name. Raises Usage for an unknown one, with the nearest name."""
    if name not in targets:
        raise Usage(
            f"There is no target {name!r}.{did_you_mean(name, targets)}", f"Known: {listed(targets)}."
        )
    return targets[name]


def _read_required_toml(path: Path) -> dict[str, object]:
    try:
        return parse_toml(read_authored_file(path))
    except (OSError, ValueError) as error:
        raise Unreadable(path, error, "`strike doctor` checks the campaign.") from None


def target_file_path(folder: Path, name: str, suffix: str) -> Path:
    """Return the path of a target's file in the campaign's `bridge` folder.

    Whatever characters `name` contains, the file is directly in that folder. Raises CampaignProblem if the
    path is a link.
    """
    plain = quote(name, safe=" ")
    if file_name_not_reserved(plain) != plain:  # as for a device of Windows, whose first letter is encoded
        plain = f"%{ord(plain[0]):02X}{plain[1:]}"
    path = folder / BRIDGE_FOLDER / f"{plain}{suffix}"
    refuse_link_or_special_file(path)
    return path


def safe_address_or_raise(settings: Settings, default: str = "") -> str:
    """Return the address in the settings, or `default`, without a slash at its end.

    Raises CampaignProblem if the text is no address, or if the address isn't safe. An address with a name or
    a password in it isn't safe. Plain http to another machine isn't safe either, but the setting `insecure`
    allows it.
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
        said = repr(redact_address(url)) if url and "@" not in url else "the text"
        raise NotAnAddress(where, said, 'Write it like "http://127.0.0.1:4747".')
    if origin.scheme == "http" and not origin.is_loopback and not settings.insecure:
        raise CampaignProblem(
            f"{where}: {redact_address(url)} is plain http to another machine, so others can read the key.",
            "Use https, or set insecure = true for a network that you trust.",
        )
    return url.rstrip("/")
