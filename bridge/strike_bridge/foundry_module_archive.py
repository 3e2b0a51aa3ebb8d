"""The companion module for Foundry VTT as a zip to install, made from the files of `foundry-module`."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path

from strike_cli.problems import BridgeProblem
from strike_look import fill_in_daytime_colours

_SINCE = (1980, 1, 1, 0, 0, 0)
"""The earliest time that a zip can hold, used for every file so that the archive is reproducible."""


def module_folder() -> Path:
    """Return the folder of the module's files. Raises BridgeProblem if the folder is missing.

    In a checkout the folder is beside the package; once strike is installed, the folder is inside the
    package.
    """
    package = Path(__file__).parent
    for place in (package / "foundry-module", package.parent / "foundry-module"):
        if (place / "module.json").is_file():
            return place
    raise BridgeProblem("Foundry's module is missing from this installation.", "Install strike-cli again.")


ZIP = "strike-foundry.zip"


def make_manifest(repository: str = "", tag: str = "") -> dict[str, object]:
    """Return the module's manifest, the JSON table that Foundry reads first.

    With `repository` and `tag`, the manifest also has the release's version, the address of its download and
    the address that announces newer versions.

    Args:
        repository: The address of the repository.
        tag: The release's tag, such as `v1.2.0`.

    Raises:
        BridgeProblem: The module's files are missing.
    """
    found: dict[str, object] = json.loads((module_folder() / "module.json").read_text(encoding="utf-8"))
    if repository:
        found["url"] = repository
        found["manifest"] = f"{repository}/releases/latest/download/module.json"
        found["download"] = f"{repository}/releases/download/{tag}/{ZIP}"
        found["version"] = tag.removeprefix("v")
    return found


def manifest_bytes(repository: str = "", tag: str = "") -> bytes:
    """Return the manifest of the Foundry module as the bytes of a JSON file.

    `repository` and `tag` are those of `make_manifest`.
    """
    return json.dumps(make_manifest(repository, tag), indent=2).encode() + b"\n"


def make_archive(repository: str = "", tag: str = "") -> bytes:
    """Return the module as a zip with one folder.

    The folder is named after the module's id, as Foundry wants it. The same `repository` and `tag` give the
    same bytes everywhere.
    """
    place = module_folder()
    id = make_manifest()["id"]
    found = io.BytesIO()
    with zipfile.ZipFile(found, "w", zipfile.ZIP_STORED) as packed:
        files = (file for file in place.rglob("*") if file.is_file())
        for name in sorted(file.relative_to(place).as_posix() for file in files):
            entry = zipfile.ZipInfo(f"{id}/{name}", _SINCE)
            entry.create_system = 3  # of which the rights are
            entry.external_attr = 0o100644 << 16
            content = (place / name).read_bytes()
            if repository and name == "module.json":
                content = manifest_bytes(repository, tag)
            if name.endswith(".css"):
                content = fill_in_daytime_colours(content.decode()).encode()
            packed.writestr(entry, content)
    return found.getvalue()
