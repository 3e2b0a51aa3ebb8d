"""The companion module for Foundry VTT, as a file to install: plain files of `foundry-module`, in a zip."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path

from strike_cli.problems import BridgeProblem

_SINCE = (1980, 1, 1, 0, 0, 0)
"""The earliest time that a zip can say: it is the same for everybody."""


def folder() -> Path:
    """Where its files are: beside the packages in a checkout, inside this one when installed. Raises
    BridgeProblem."""
    package = Path(__file__).parent
    for place in (package / "foundry-module", package.parent / "foundry-module"):
        if (place / "module.json").is_file():
            return place
    raise BridgeProblem("Foundry's module is missing from this installation.", "Install strike-cli anew.")


def archive() -> bytes:
    """A zip with one folder, named as Foundry wants it: after the module's id. It is the same to the byte
    wherever it is made."""
    place = folder()
    id = json.loads((place / "module.json").read_text(encoding="utf-8"))["id"]
    found = io.BytesIO()
    with zipfile.ZipFile(found, "w", zipfile.ZIP_STORED) as packed:
        files = (file for file in place.rglob("*") if file.is_file())
        for name in sorted(file.relative_to(place).as_posix() for file in files):
            entry = zipfile.ZipInfo(f"{id}/{name}", _SINCE)
            entry.create_system = 3  # of which the rights are
            entry.external_attr = 0o100644 << 16
            packed.writestr(entry, (place / name).read_bytes())
    return found.getvalue()
