"""Creation of a campaign folder."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

from ..content import CAMPAIGN_FILE
from ..content.drafts import toml_string
from ..problems import CampaignProblem, Problem, Usage, did_you_mean, listed
from ..registry import load_usable_systems, path_beside
from .file_access import (
    remove_if_possible,
    sync_folder,
    unreadable_problem,
    unwritable_problem,
    write_new_user_file,
)

EXAMPLE_FILE = "campaign.example.toml"

_FRAME = """\
#:schema ./campaign.schema.json
# {name}: a campaign for strike. `strike doctor` checks this file; `strike new DIR` without --empty
# makes one with a whole example to change.

schema = 1
name = {quoted}

# Keep people and places in files of their own if you like.
# include = ["characters/*.toml", "encounters/*.toml"]

# [characters.vex]
# name = "Vex Marlowe"
# player = "Ana"
# skills = ["Climbing", "Sneaking"]

# [house]
# bloodied = "half-or-less"

[bridge.targets.table]
kind = "table"
url = "http://127.0.0.1:4747"
"""

GITIGNORE = """\
# Kept out of version control: keys, the bridge's bookkeeping, the lock, what strike makes anew: state.toml
# from the journal, the schema by `strike schema`.
secrets.toml
state.toml
campaign.schema.json
bridge/
.lock
.state.toml.new
journal/index.json
journal/.index.json.new
journal/before-*.json
journal/.before-*.json.new
"""

GITATTRIBUTES = """\
# Line ends stay as they are: undo finds entries of the journal by the byte.
journal/*.jsonl -text
"""


def example_file_path() -> Path:
    """Return the path of campaign.example.toml.

    The file is beside the package in a checkout, and inside the package otherwise. Raises CampaignProblem if
    the file is missing.
    """
    package = Path(__file__).parent.parent
    for place in (package / EXAMPLE_FILE, package.parent / EXAMPLE_FILE):
        if place.is_file():
            return place
    raise CampaignProblem(f"{EXAMPLE_FILE} is missing from this installation.", "Install strike-cli again.")


def read_example_subfolder_files(folder: Path | None = None) -> dict[str, bytes]:
    """Return the contents of an example's files except campaign.toml, by their paths in a campaign.

    They are the Markdown, TOML and WebP files in the subfolders of the example. `folder` is the example's
    folder; by default it is the folder of Strike!'s own example.
    """
    folder = folder or example_file_path().with_suffix("")
    files = sorted(file for kind in ("*.md", "*.toml", "*.webp") for file in folder.glob(f"*/{kind}"))
    return {file.relative_to(folder).as_posix(): file.read_bytes() for file in files}


def example_folder_of_system(system: str) -> Path:
    """Return the folder with the example campaign of the system `system`. Raises Usage if there is none."""
    examples = {each.name: each for each in load_usable_systems() if each.example}
    if system not in examples:
        raise Usage(
            f"--system: no example of {system!r}.{did_you_mean(system, examples)}",
            f"There is one of {listed(examples)}; without --system you get Strike!'s own.",
        )
    return path_beside(examples[system], examples[system].example)


def create_campaign_folder(
    folder: Path,
    *,
    name: str = "",
    empty: bool = False,
    seed: int | None = None,
    system: str = "",
    further_files: Callable[[], Mapping[str, str]] = dict,
) -> Path:
    """Create a campaign in a new or empty folder, and return the folder.

    The campaign is a copy of the example of `system`, by default Strike!'s own example. With `empty` it is
    only a frame to fill in. A `seed` makes the dice predictable. `further_files` is called once the campaign
    can be read, and returns further files. Raises Usage if the folder isn't empty, or if `system` has no
    example.
    """
    example = example_folder_of_system(system) / CAMPAIGN_FILE if system else example_file_path()
    more = {} if empty else read_example_subfolder_files(example.parent if system else None)
    if (folder / CAMPAIGN_FILE).exists():
        raise Usage(f"{folder} already has a campaign.", "Choose another folder; nothing was changed.")
    if empty:
        title = name or folder.resolve().name.replace("-", " ").title()
        text = _FRAME.format(name=title, quoted=toml_string(title))
    else:
        text = example.read_text(encoding="utf-8")
    if system:
        import tomllib

        if not {"plugins", "systems"} & tomllib.loads(text).keys():
            text = text.replace("name =", f"systems = [{toml_string(system)}]\nname =", 1)
    lines = text.splitlines(keepends=True)
    at = next(n for n, line in enumerate(lines) if line.startswith("name ="))
    if name:
        lines[at] = f"name = {toml_string(name)}\n"
    if seed is not None:
        lines.insert(at + 1, f"seed = {seed}\n")
    text = "".join(lines)
    own = {".gitattributes": GITATTRIBUTES, ".gitignore": GITIGNORE, CAMPAIGN_FILE: text}
    write_new_folder(folder, {**own, **more}, further_files)
    return folder


def write_new_folder(
    folder: Path, files: Mapping[str, str | bytes], further_files: Callable[[], Mapping[str, str]] = dict
) -> None:
    """Write files into a new or empty folder. If one can't be written, none stays.

    `files` are written first, then the files that `further_files` returns. Both map a file's path below the
    folder to its contents. Raises Usage if the folder isn't empty, and CampaignProblem if it can't be
    written.
    """
    try:
        taken = folder.exists() and (not folder.is_dir() or any(folder.iterdir()))
    except OSError as error:
        raise unreadable_problem(folder, error) from None
    if taken:
        raise Usage(f"{folder} is not an empty folder.", "Choose a new one; nothing was changed.")
    folders = sorted({folder, *((folder / file).parent for file in files)})
    wanted = {each for below in folders for each in (below, *below.parents)}
    made = sorted(each for each in wanted if not each.exists())
    written = list(files)
    try:
        for each in folders:
            each.mkdir(parents=True, exist_ok=True)
        for file, text in files.items():
            write_new_user_file(folder / file, text.encode() if isinstance(text, str) else text)
        for file, text in further_files().items():
            written.append(file)
            write_new_user_file(folder / file, text.encode())
        for each in {*folders, *(new.parent for new in made)}:
            sync_folder(each)
    except (OSError, Problem) as error:
        _remove_files_and_folders([folder / file for file in written], made)
        raise error if isinstance(error, Problem) else unwritable_problem(folder, error) from None


def _remove_files_and_folders(files: Iterable[Path], folders: Sequence[Path]) -> None:
    for file in files:
        remove_if_possible(file)
    for each in reversed(folders):
        with contextlib.suppress(OSError):
            each.rmdir()
