"""Content packs: TOML files, or folders of them, in a campaign's folder `packs` or in the user's own.

The user's packs serve every campaign. `frost.toml`, or the files in the folder `frost`, add items called
`frost:NAME`, as a plugin of that name does.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from ..campaign_files import campaign_file_names, is_inside
from ..registry.installed_plugins import InstalledPlugin
from ..user_folders_and_cache import data_folder
from ..validation import can_be_id

PACKS = "packs"


def pack_folders(campaign: Path | None) -> list[Path]:
    """Return the folders of packs: the user's own folder, then the campaign's."""
    return [data_folder() / PACKS, *([campaign / PACKS] if campaign else [])]


def find_packs(folder: Path, taken: dict[str, str], within: Path | None = None) -> Iterator[InstalledPlugin]:
    """Yield the packs in a folder, in the order of their names; broken ones are marked.

    `taken` maps the namespaces in use to their origins; the namespaces of the packs found are added to it.
    With `within`, the campaign's folder, a pack that is a link out of this folder is broken. A `folder` that
    can't be read yields one broken pack with the folder's name; a missing folder yields nothing.
    """
    try:
        files = [folder / name for name in campaign_file_names(folder)]
        files = [file for file in files if file.suffix == ".toml" or file.is_dir()]
    except (FileNotFoundError, NotADirectoryError):
        return
    except OSError as error:
        unreadable = InstalledPlugin(folder.name, str(folder), "", "")
        yield unreadable.but(broken=unreadable.broken_message(error.strerror or str(error)))
        return
    for file in files:
        name, broken = file.name if file.is_dir() else file.stem, ""
        if within is not None and folder.parent == within and not is_inside(within, file):
            broken = "it is a link out of the campaign's folder"
        elif not can_be_id(name) or ":" in name:
            broken = "its name can't begin an id: letters, digits, - and _ only"
        elif name in taken:
            broken = f"{taken[name]} has that name already"
        found = InstalledPlugin(
            name, str(file), "", "", namespace=name, file=str(file), content=_toml_files_of_pack(file)
        )
        if broken:
            found = found.but(broken=found.broken_message(broken))
        else:
            taken[name] = found.origin
        yield found


def _toml_files_of_pack(pack: Path) -> tuple[str, ...]:
    """Return the TOML files of a pack, relative to the folder of the pack."""
    if not pack.is_dir():
        return (pack.name,)
    names = [
        name for name in campaign_file_names(pack) if name.endswith(".toml") and is_inside(pack, pack / name)
    ]
    return tuple(f"{pack.name}/{name}" for name in names)
