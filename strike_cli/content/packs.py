"""Content packs: TOML files, or folders of them, in a campaign's `packs` or the user's own.

The user's packs serve every campaign. `frost.toml` and the files of `frost` add their things as `frost:NAME`,
as a plugin of that name does.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from ..includes import is_inside, own_names
from ..registry.installed import Installed
from ..user_cache import data_folder
from ..validation import is_id

PACKS = "packs"


def pack_folders(campaign: Path | None) -> list[Path]:
    """Return the folders of packs: the user's own folder, then the campaign's."""
    return [data_folder() / PACKS, *([campaign / PACKS] if campaign else [])]


def packs_in(folder: Path, taken: dict[str, str], within: Path | None = None) -> Iterator[Installed]:
    """Yield the packs of a folder, by name.

    `taken` are the namespaces of others, with their origins. A folder that can't be read is reported as a
    broken pack of its name; so is a pack in the campaign `within` that is a link to a place outside.
    """
    try:
        files = [folder / name for name in own_names(folder)]
        files = [file for file in files if file.suffix == ".toml" or file.is_dir()]
    except (FileNotFoundError, NotADirectoryError):
        return
    except OSError as error:
        unreadable = Installed(folder.name, str(folder), "", "")
        yield unreadable.but(broken=unreadable.breaks(error.strerror or str(error)))
        return
    for file in files:
        name, broken = file.name if file.is_dir() else file.stem, ""
        if within is not None and folder.parent == within and not is_inside(within, file):
            broken = "it is a link out of the campaign's folder"
        elif not is_id(name) or ":" in name:
            broken = "its name can't begin an id: letters, digits, - and _ only"
        elif name in taken:
            broken = f"{taken[name]} has that name already"
        found = Installed(name, str(file), "", "", namespace=name, file=str(file), content=_content_of(file))
        if broken:
            found = found.but(broken=found.breaks(broken))
        else:
            taken[name] = found.origin
        yield found


def _content_of(pack: Path) -> tuple[str, ...]:
    """Return the files of a pack, relative to its parent folder."""
    if not pack.is_dir():
        return (pack.name,)
    names = [name for name in own_names(pack) if name.endswith(".toml") and is_inside(pack, pack / name)]
    return tuple(f"{pack.name}/{name}" for name in names)
