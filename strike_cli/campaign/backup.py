"""Backups: a whole campaign in one zip file, and its restoration.

A backup has the campaign's sources, journal and state. It leaves out keys, the lock and files that don't
belong to the campaign. The same campaign always gives the same bytes. Automatic backups lie outside the
campaign's folder. Begin with `back_up`.
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import stat
import time
from collections.abc import Iterator
from hashlib import sha256
from itertools import count, islice
from pathlib import Path, PurePosixPath
from typing import IO, TYPE_CHECKING, NamedTuple

from ..command_line_splitting import quote_word_if_needed
from ..included_and_stray_files import is_inside, stray_file_kind
from ..problems import CampaignProblem, Problem, Refused, Usage
from ..user_folders_and_cache import data_folder
from . import file_access
from .journal import Journal

if TYPE_CHECKING:
    from zipfile import ZipFile

ENDING = ".zip"
_BACKUP_COMMENT = b"strike backup 1"
"""The comment in a zip file that marks it as a backup."""
_LEFT_OUT = ("secrets.toml", "bridge", ".lock", ".git")
"""Names that backups leave out: keys, what a tabletop can send again, and what is no part of a campaign."""
_KEPT_DOTFILES = (".gitignore", ".gitattributes")
_CHUNK = 2**20


class Backup(NamedTuple):
    """A backup that was written and then read again to check it.

    `file` is its path. `files` is how many files it has, and `entries` how many journal entries. `left_out`
    lists names that could not be packed. `damaged` describes the fault of a damaged journal; it is "" for a
    sound one.
    """

    file: str
    files: int
    entries: int
    left_out: list[str]
    damaged: str


def backups_folder(folder: Path) -> Path:
    """Return the folder in which this computer stores the backups of the campaign in `folder`.

    It lies outside the campaign's folder.
    """
    place = folder.resolve()
    digest = sha256(os.fsencode(place)).hexdigest()[:16]
    return _folder_of_all_backups() / f"{re.sub('[^A-Za-z0-9_-]+', '-', place.name)}-{digest}"


def _folder_of_all_backups() -> Path:
    return data_folder() / "backups"


def list_backups(folder: Path | None = None) -> list[Path]:
    """Return the backups on this computer, newest first.

    They are those of the campaign in `folder`; without `folder`, those of all campaigns.
    """
    found = (
        backups_folder(folder).glob(f"*{ENDING}") if folder else _folder_of_all_backups().glob(f"*/*{ENDING}")
    )
    return sorted((path for path in found if path.name[0] != "."), key=_time_and_number_in_name, reverse=True)


def _time_and_number_in_name(path: Path) -> tuple[str, int]:
    """Return the time in the name of a backup's file, and the number in the name.

    The number counts the backups of the same second. A name without a number has number 1.
    """
    name = path.name.removesuffix(ENDING)
    numbered = re.fullmatch(r"(.+Z)-(\d+)", name)
    return (numbered[1], int(numbered[2])) if numbered else (name, 1)


def back_up(folder: Path, to: Path | None = None, *, locked: bool = False) -> Backup:
    """Write a backup of a campaign.

    `to` is the file to write, or the folder for a new file. By default it is the folder for backups on this
    computer. `locked` is True if the caller already has the campaign's lock. Raises Problem if the backup
    fails.
    """
    path = _make_or_reuse_backup_path(folder, to)
    lock = file_access.Lock(folder)
    if not locked and os.access(folder, os.W_OK):  # on a read-only disk nobody else writes
        lock.acquire()
    scratch = path.with_name(f".{path.name}.new")
    try:
        file_access.remove_if_possible(scratch)
        digests, left_out = _write_zip(folder, scratch)
        _verify_backup(scratch, digests)
        entries, damaged = _last_readable_entry_and_fault(folder)
        file_access.replace_file_without_sync(scratch, path)
        file_access.sync_folder(path.parent)
    except OSError as error:
        raise file_access.unwritable_problem(path, error) from None
    finally:
        file_access.remove_if_possible(scratch)
        lock.release()
    return Backup(str(path), len(digests), entries, left_out, damaged)


def back_up_and_delete_older_or_warn(folder: Path, keep: int) -> str:
    """Back up a campaign at the end of an evening, and delete all but its newest `keep` backups.

    If `keep` is 0, nothing is done. If the journal is damaged, no older backup is deleted. Return a message
    if the backup failed or the journal is damaged; otherwise "".
    """
    if not keep:
        return ""
    try:
        made = back_up(folder, locked=True)
        others = [path for path in list_backups(folder) if str(path) != made.file]
        for old in [] if made.damaged else others[keep - 1 :]:
            file_access.remove_if_possible(old)
    except (Problem, OSError) as problem:
        what = str(problem).partition("\n")[0].rstrip(".")
        return f"No backup was made: {what}. `strike backup DIR` makes one elsewhere."
    damaged = f"The backup has a damaged journal: {made.damaged} `strike doctor` says more."
    return damaged if made.damaged else ""


def _make_or_reuse_backup_path(folder: Path, to: Path | None) -> Path:
    """Return the path of the backup to write.

    Without `to`, it is a new name in the backups' folder. If `to` is a folder, it is a new name in `to`.
    Otherwise it is `to` itself.

    Raises:
        Usage: `to` is in the campaign's folder, or is a file's name without ENDING.
        Refused: `to` is an existing file that is no backup.
        CampaignProblem: The backups' folder can't be made.
    """
    name = f"{time.strftime('%Y-%m-%dT%H%M%SZ', time.gmtime())}{ENDING}"
    if to is None:
        to = backups_folder(folder)
        try:
            to.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as error:
            raise file_access.unwritable_problem(to, error) from None
        others = (f"{name.removesuffix(ENDING)}-{number}{ENDING}" for number in count(2))
        return next(path for each in (name, *islice(others, 99)) if not (path := to / each).exists())
    if is_inside(folder, to):
        raise Usage(
            f"{to} is in the campaign's own folder, and would be lost with it.", "Choose a place outside it."
        )
    if to.is_dir():
        return to / f"{folder.resolve().name}-{name}"
    if to.suffix != ENDING:
        shown = quote_word_if_needed(f"{to}{ENDING}")
        raise Usage(
            f"{to} is not a folder, and a backup's name ends in {ENDING}.", f"`strike backup {shown}`."
        )
    if os.path.lexists(to):
        with contextlib.suppress(Problem), _open_backup(to):
            return to
        raise Refused(
            f"{to} exists already, and is not a backup.", "Choose another name. Nothing was changed."
        )
    return to


def _write_zip(folder: Path, path: Path) -> tuple[dict[str, bytes], list[str]]:
    """Write a campaign's files into a new zip file and sync it.

    Return each member's digest by its name, and the names that could not be packed. Raises OSError.
    """
    from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

    digests, left_out = dict[str, bytes](), list[str]()
    file = file_access.open_plain_file(path, os.O_RDWR | os.O_CREAT | os.O_EXCL)
    with open(file, "w+b") as out:
        with ZipFile(out, "w", ZIP_DEFLATED, compresslevel=1) as archive:
            archive.comment = _BACKUP_COMMENT
            for inside, source in _files_to_back_up(folder, left_out):
                info = ZipInfo(f"{folder.resolve().name or 'campaign'}/{inside}")
                info.compress_type = ZIP_DEFLATED
                with open(source, "rb") as read:
                    info.external_attr = (stat.S_IFREG | os.fstat(read.fileno()).st_mode & 0o777) << 16
                    with archive.open(info, "w", force_zip64=True) as packed:
                        digests[info.filename] = _copy_and_digest(read, packed)
        out.flush()
        os.fsync(out.fileno())
    return digests, left_out


def _copy_and_digest(read: IO[bytes], to: IO[bytes] | None = None) -> bytes:
    """Read a file to its end and return the digest of its bytes.

    If `to` is given, the bytes are also written to that file.
    """
    digest = sha256()
    while chunk := read.read(_CHUNK):
        digest.update(chunk)
        if to is not None:
            to.write(chunk)
    return digest.digest()


def _files_to_back_up(folder: Path, unpackable: list[str]) -> Iterator[tuple[str, Path]]:
    """Yield a campaign's files in order, each with its path in the campaign's folder.

    If a link leads to something inside the folder, the files there are yielded, too. Other links aren't
    followed, nor are links found behind a link. Their names, and names of files that can't be packed, are
    added to `unpackable`.
    """
    real = folder.resolve()
    for place, folders, names in os.walk(folder, followlinks=True):
        at = Path(place)
        here = at.relative_to(folder)
        beside = [*folders, *names]
        folders[:] = sorted(name for name in folders if not _is_left_out(here / name, beside))
        for name in [*folders, *sorted(name for name in names if not _is_left_out(here / name, beside))]:
            path, inside = at / name, (here / name).as_posix()
            is_real = at.resolve() == real / here  # not behind a link: links can form a loop
            follows = not path.is_symlink() or (is_real and is_inside(folder, path))
            if follows and path.is_dir():
                continue
            if follows and path.is_file() and inside.isprintable():
                if not _is_left_out(path.resolve().relative_to(real), []):  # a link to keys
                    yield inside, path
            else:
                unpackable.append(ascii(inside)[1:-1])
                folders[:] = [each for each in folders if each != name]


def _is_left_out(inside: Path, siblings: list[str]) -> bool:
    """Return whether backups leave out a file: a key, the lock, bookkeeping, an old copy or litter.

    `inside` is the file's path in the campaign's folder. `siblings` are the names of all files in the same
    subfolder. Old copies are those that upgrades made before version 0.4.
    """
    if inside.as_posix() in _KEPT_DOTFILES:
        return False
    # Before 0.4 upgrades made their own copies.
    of_upgrade = len(inside.parts) == 1 and inside.match("before-*.tar.gz")
    return of_upgrade or inside.parts[0] in _LEFT_OUT or bool(stray_file_kind(inside.name, siblings))


@contextlib.contextmanager
def _open_backup(path: Path) -> Iterator[ZipFile]:
    """Open a backup for reading. Raises CampaignProblem for a file that is damaged or no backup."""
    import zlib
    from zipfile import BadZipFile, ZipFile

    try:
        with ZipFile(path) as archive:
            if archive.comment != _BACKUP_COMMENT or not archive.namelist():
                raise CampaignProblem(
                    f"{path} is not a backup made by strike.", "`strike restore` lists them."
                )
            yield archive
    except (BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, ValueError) as error:
        raise CampaignProblem(
            f"{path} is damaged, or not a backup: {error}.",
            "`strike restore` lists others. Nothing was changed.",
        ) from None


def _verify_backup(path: Path, digests: dict[str, bytes]) -> None:
    """Read a backup again, and compare the digests of its files with `digests`.

    Raises CampaignProblem if they differ.
    """
    with _open_backup(path) as archive:
        found = {}
        for name in archive.namelist():
            with archive.open(name) as packed:  # compares the CRC
                found[name] = _copy_and_digest(packed)
    if found != digests:
        raise CampaignProblem(f"{path} reads back different from what was written.", "Try another disk.")


def _last_readable_entry_and_fault(folder: Path) -> tuple[int, str]:
    """Return the number of the journal's last readable entry, and the fault that follows it.

    The fault is "" if there is none.
    """
    seq = 0
    try:
        for entry, _, _ in Journal(folder).checked_entries():
            seq = entry["seq"]
    except Problem as problem:
        return seq, problem.message
    return seq, ""


def restore_backup(backup: Path, to: Path | None = None, beside: Path | None = None) -> tuple[Path, int, str]:
    """Unpack a backup into a new folder, whole or not at all.

    The new folder is `to`. Without `to`, it has the campaign's old name. It then lies next to the campaign
    `beside`; without `beside`, it lies in the current folder. Return the folder, the number of journal
    entries, and the journal's fault ("" for none). Raises Problem.
    """
    if not backup.is_file():
        raise CampaignProblem(f"There is no backup {backup}.", "`strike restore` lists backups.")
    try:
        with _open_backup(backup) as archive:
            members = {name: _member_path(backup, name) for name in archive.namelist()}
            target = to or (beside.parent if beside else Path()) / archive.namelist()[0].partition("/")[0]
            if os.path.lexists(target):
                _raise_folder_exists(backup, target)
            scratch = target.with_name(f".{target.name}.restoring")
            scratch.mkdir(parents=True, exist_ok=True)
            lock = file_access.Lock(scratch)
            lock.acquire()
            try:
                for left in scratch.iterdir():  # left by a restore that was killed
                    if left != lock.path:
                        shutil.rmtree(left) if left.is_dir() else left.unlink()
                for name, inside in members.items():
                    _unpack_member(archive, name, scratch / inside)
                for place, _, _ in os.walk(scratch):
                    file_access.sync_folder(Path(place))
                entries, damaged = _last_readable_entry_and_fault(scratch)
                file_access.remove_if_possible(lock.path)
                if file_access.WINDOWS:  # it can't rename a folder with an open file
                    lock.release()
                os.rename(scratch, target)
            except BaseException:
                shutil.rmtree(scratch, ignore_errors=True)
                raise
            finally:
                lock.release()
            file_access.sync_folder(target.parent)
    except OSError as error:
        raise file_access.unwritable_problem(to or backup, error) from None
    return target, entries, damaged


def _member_path(backup: Path, name: str) -> PurePosixPath:
    """Return the path of a backed-up file, relative to the campaign's folder.

    `name` is the file's name in the backup. Raises CampaignProblem for a path that strike never puts into a
    backup.
    """
    inside = PurePosixPath(*PurePosixPath(name).parts[1:])
    strange = not inside.parts or ".." in inside.parts or (file_access.WINDOWS and set(name) & set("\\:"))
    if strange or _is_left_out(Path(inside), []):
        raise CampaignProblem(f"{backup} has {name!r}, which no backup contains.", "Nothing was unpacked.")
    return inside


def _unpack_member(archive: ZipFile, name: str, place: Path) -> None:
    mode = (
        file_access.PRIVATE if not archive.getinfo(name).external_attr >> 16 & 0o077 else file_access.PUBLIC
    )
    place.parent.mkdir(parents=True, exist_ok=True)
    file = file_access.open_plain_file(place, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
    with archive.open(name) as packed, open(file, "wb") as out:
        _copy_and_digest(packed, out)
        out.flush()
        os.fsync(out.fileno())


def _raise_folder_exists(backup: Path, target: Path) -> None:
    others = (target.with_name(f"{target.name}-{number}") for number in range(2, 1000))
    free = next((each for each in others if not os.path.lexists(each)), Path("DIR"))
    typed = f"strike restore {quote_word_if_needed(str(backup))} {quote_word_if_needed(str(free))}"
    raise Refused(f"{target} exists already, and is never overwritten.", f"`{typed}`.")
