"""Content packs: TOML files, or folders of them, in a campaign's folder `packs` or in the user's own.

The user's packs serve every campaign. `frost.toml`, or the files in the folder `frost`, add items called
`frost:NAME`, as a plugin of that name does.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from ..included_and_stray_files import campaign_file_names, is_inside
from ..registry.installed_plugins import InstalledPlugin
from ..user_folders_and_cache import data_folder
from ..validation import can_be_id

PACKS = "packs"


def possible_pack_folders(campaign: Path | None) -> list[Path]:
    """Return the folders of packs: the user's own folder, then the campaign's."""
    return [data_folder() / PACKS, *([campaign / PACKS] if campaign else [])]


def find_packs_and_mark_broken(
    folder: Path, taken: dict[str, str], within: Path | None = None
) -> Iterator[InstalledPlugin]:
    """Yield the packs in a folder, in the order of their names. Broken packs are marked as broken.

    If the folder can't be read, one broken pack with the folder's name is yielded. If the folder is missing,
    nothing is yielded.

    Args:
        folder: The folder of the packs.
        taken: The origin of each namespace in use. The namespaces of the sound packs found are added.
        within: The campaign's folder, for packs in a campaign. A pack that is a link out of it is broken.
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
            name,
            str(file),
            "",
            "",
            namespace=name,
            file=str(file),
            content=_toml_files_of_pack_with_its_name(file),
        )
        if broken:
            found = found.but(broken=found.broken_message(broken))
        else:
            taken[name] = found.origin
        yield found


def _toml_files_of_pack_with_its_name(pack: Path) -> tuple[str, ...]:
    """Return the TOML files of a pack, relative to the folder of the pack."""
    if not pack.is_dir():
        return (pack.name,)
    names = [
        name for name in campaign_file_names(pack) if name.endswith(".toml") and is_inside(pack, pack / name)
    ]
    return tuple(f"{pack.name}/{name}" for name in names)
