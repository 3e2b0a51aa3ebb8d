"""Agreeing to the address of a target, as somebody at this machine does."""

from __future__ import annotations

from pathlib import Path

from strike_bridge.consent import record_consent
from strike_bridge.credential_store import keys_file
from strike_bridge.settings import Settings, read_targets
from strike_bridge.targets import terms_unless_own_table


def agree_to(folder: Path, settings: Settings | str = "table") -> None:
    """To that of a target's settings, or of one that campaign.toml names. It outlasts this process."""
    chosen = read_targets(folder)[settings] if isinstance(settings, str) else settings
    terms = terms_unless_own_table(folder, chosen)
    if terms is not None:
        record_consent(folder, chosen, terms)


def put_in_keys(folder: Path, text: str, mode: int = 0o600) -> Path:
    """Have this machine keep these keys for a campaign's folder; where they stand."""
    file = keys_file(folder)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
    file.chmod(mode)
    return file
