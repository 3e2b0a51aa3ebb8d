"""Where a campaign's targets are: `[bridge.targets.NAME]` of campaign.toml, and what an address may be."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote, urlsplit

from strike_cli.problems import CampaignProblem, Usage, listed, nearest

CAMPAIGN_FILE = "campaign.toml"
BRIDGE_FOLDER = "bridge"


class Settings(NamedTuple):
    """One target as people set it up. `url` is empty where the kind has one of its own."""

    name: str
    kind: str
    url: str = ""
    auto: bool = False
    insecure: bool = False


def settings_of(name: str, table: Mapping[str, Any]) -> Settings:
    """A target from its table in campaign.toml, checked or not."""
    return Settings(
        name,
        str(table.get("kind", "")),
        str(table.get("url", "")),
        table.get("auto") is True,
        table.get("insecure") is True,
    )


def read_targets(folder: Path) -> dict[str, Settings]:
    """Every target of a campaign, read straight from its files. Raises CampaignProblem.

    For a worker on its own, which needs nothing else of what people wrote and so doesn't check it either.
    """
    main = _toml(folder / CAMPAIGN_FILE)
    files = [main]
    for pattern in main.get("include", []):
        files += [_toml(path) for path in sorted(folder.glob(str(pattern)))]
    tables: dict[str, Any] = {}
    for data in files:
        tables.update(data.get("bridge", {}).get("targets", {}))
    return {name: settings_of(name, table) for name, table in tables.items()}


def one_of(targets: Mapping[str, Settings], name: str) -> Settings:
    """The target of a name. Raises Usage with the nearest."""
    if name not in targets:
        raise Usage(f"There is no target {name!r}.{nearest(name, targets)}", f"Known: {listed(targets)}.")
    return targets[name]


def _toml(path: Path) -> dict[str, Any]:
    import tomllib

    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise CampaignProblem(
            f"{path} can't be read: {error}.", "`strike doctor` checks the campaign."
        ) from None


def bridge_file(folder: Path, name: str, suffix: str) -> Path:
    """Where something about a target is kept. Any name makes one file in the bridge's folder."""
    return folder / BRIDGE_FOLDER / f"{quote(name, safe=' ')}{suffix}"


def checked_address(settings: Settings, default: str = "") -> str:
    """The address to send to, without a slash at its end. Raises CampaignProblem for one that isn't safe."""
    where = f"campaign.toml: bridge.targets.{settings.name}.url"
    url = settings.url or default
    try:
        parts = urlsplit(url)
        host = parts.hostname
        _ = parts.port
    except ValueError:
        host = None
    if not url or host is None or parts.scheme not in ("http", "https"):
        shown = repr(url) if url and "@" not in url else "what stands there"
        raise CampaignProblem(f"{where}: {shown} is no address.", 'Write it like "http://127.0.0.1:4747".')
    if parts.username is not None or parts.password is not None:
        # Not shown: it holds the password.
        raise CampaignProblem(f"{where} holds a name or a password.", "Keys go into secrets.toml.")
    if parts.scheme == "http" and not is_loopback(host) and not settings.insecure:
        raise CampaignProblem(
            f"{where}: {url} is plain http to another machine: whoever is in between can read the key.",
            "Use https, or say insecure = true for a network that you trust.",
        )
    return url.rstrip("/")


def is_loopback(host: str) -> bool:
    """Whether a host's name means this machine."""
    from ipaddress import ip_address

    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False
