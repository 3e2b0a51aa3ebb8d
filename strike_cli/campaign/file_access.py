"""File access: one writer at a time, and files that change whole or not at all.

A campaign's folder may come from a stranger. So strike uses its files there only if they are plain files with
a single name, and makes them readable to their owner alone. Links are neither followed nor written through,
so that nothing outside the folder is touched.
"""

from __future__ import annotations

import contextlib
import errno
import os
import stat
import sys
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

from ..problems import CampaignProblem

WINDOWS = os.name == "nt"
LOCK_FILE = ".lock"
LOCK_WAIT = 10.0
"""Seconds to wait for another command that holds the campaign's lock."""
REPLACE_WAIT = 2.0
"""Seconds to wait for a reader to close a file, on systems that can't replace an open file."""
PRIVATE = 0o600
"""The mode of strike's own files: open to their owner alone."""
PUBLIC = 0o644
"""The mode of files that people may hand on, such as a new campaign.toml."""
_OTHERS_MODE_BITS = 0o077
_JUNCTION = getattr(stat, "IO_REPARSE_TAG_MOUNT_POINT", 0xA0000003)
"""The reparse tag of a Windows junction: a folder that leads elsewhere, which is no link to Python."""
_SAFE_OPEN_FLAGS = (
    getattr(os, "O_NOFOLLOW", 0)
    | getattr(os, "O_NONBLOCK", 0)  # else a pipe in the file's place would block
    | getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_BINARY", 0)
)


def open_plain_file(path: Path, flags: int, mode: int = PRIVATE) -> int:
    """Open one of strike's own files for reading or writing.

    Raises OSError for anything but a plain file, such as a link, a pipe or a device. For writing, it is also
    raised for a file with several names.
    """
    if WINDOWS and os.path.islink(path):
        raise OSError(errno.ELOOP, "it is a link", str(path))
    try:
        file = os.open(path, flags | _SAFE_OPEN_FLAGS, mode)
    except PermissionError:
        if WINDOWS and os.path.isdir(path):  # where the error is misleading
            raise OSError(errno.EISDIR, "it is a folder", str(path)) from None
        raise
    try:
        status = os.fstat(file)
        writing = bool(flags & (os.O_WRONLY | os.O_RDWR))
        _must_be_plain(path, status, writing=writing)
        if writing and status.st_mode & _OTHERS_MODE_BITS and mode == PRIVATE and not WINDOWS:
            with contextlib.suppress(OSError):  # another user's file, who decides on it
                os.fchmod(file, stat.S_IMODE(status.st_mode) & ~_OTHERS_MODE_BITS)
    except BaseException:
        os.close(file)
        raise
    return file


def _must_be_plain(path: Path, status: os.stat_result, *, writing: bool) -> None:
    if stat.S_ISLNK(status.st_mode):
        raise OSError(errno.ELOOP, "it is a link", str(path))
    if stat.S_ISDIR(status.st_mode):
        raise OSError(errno.EISDIR, "it is a folder", str(path))
    if not stat.S_ISREG(status.st_mode):
        raise OSError(errno.ENXIO, "it is not a plain file", str(path))
    if writing and status.st_nlink > 1:
        raise OSError(errno.EMLINK, "it is a hard link", str(path))


def refuse_link_or_special_file(path: Path) -> None:
    """Raise CampaignProblem if a file of strike's own, or the file's folder, is a link.

    The same problem is raised for a special file such as a pipe, for a file with several names, and for a
    place that can't be read. A missing file is accepted.
    """
    for place in (path.parent, path):
        try:
            status = os.lstat(place)
            if not stat.S_ISDIR(status.st_mode):
                _must_be_plain(place, status, writing=True)
        except FileNotFoundError:
            return
        except OSError as error:
            raise unwritable_problem(place, error) from None


def refuse_links_and_special_files_below(folder: Path) -> None:
    """Raise CampaignProblem if a folder of strike's own is a link, or has a link or special file in it.

    Its subfolders are checked, too. `refuse_link_or_special_file` says which files are refused. A missing
    folder is accepted.
    """
    try:
        if not folder_exists_refusing_links(folder):
            return
        for place, folders, names in os.walk(folder):
            for name in [*folders, *names]:
                refuse_link_or_special_file(Path(place, name))
    except OSError as error:
        raise unwritable_problem(folder, error) from None


def folder_exists_refusing_links(folder: Path) -> bool:
    """Return whether a folder exists. Raises OSError for a file, or for a link, which may lead elsewhere."""
    try:
        status = os.lstat(folder)
    except FileNotFoundError:
        return False
    if stat.S_ISLNK(status.st_mode) or getattr(status, "st_reparse_tag", 0) == _JUNCTION:
        raise OSError(errno.ELOOP, "it is a link", str(folder))
    if not stat.S_ISDIR(status.st_mode):
        raise OSError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), str(folder))
    return True


def read_plain_file(path: Path, max_bytes: int) -> bytes:
    """Return the bytes of one of strike's own files.

    Raises OSError if the file can't be read, or has more than `max_bytes` bytes.
    """
    with _name_file_in_errors(path), open(open_plain_file(path, os.O_RDONLY), "rb") as file:
        if os.fstat(file.fileno()).st_size > max_bytes:
            raise OSError(errno.EFBIG, os.strerror(errno.EFBIG), str(path))
        return file.read()


def read_whole(path: Path) -> bytes:
    """Return all bytes of one of strike's own files. Raises CampaignProblem if it can't be read."""
    try:
        return read_plain_file(path, sys.maxsize)
    except OSError as error:
        raise unreadable_problem(path, error) from None


class Lock:
    """The operating system's lock on a file beside state.toml.

    The lock ends with the process that holds it.
    """

    def __init__(self, folder: Path) -> None:
        self.path = folder / LOCK_FILE
        self.file: int | None = None
        self.patience: float | None = None
        """Seconds to wait for the lock; LOCK_WAIT by default."""

    def acquire(self) -> None:
        """Take the lock; wait a moment if another command has it.

        Raises CampaignProblem if the other command still has the lock then, or if the folder can't be
        written.
        """
        file = None
        try:
            file = open_plain_file(self.path, os.O_RDWR | os.O_CREAT)
            self._wait_for_lock(file)
        except BaseException as error:
            if file is not None:
                os.close(file)
            if isinstance(error, OSError):
                raise unwritable_problem(self.path, error) from None
            raise
        self.file = file

    def _wait_for_lock(self, file: int) -> None:
        patience = LOCK_WAIT if self.patience is None else self.patience
        deadline = time.monotonic() + patience
        pause = 0.001
        while not try_lock(file):
            if time.monotonic() > deadline:
                raise CampaignProblem(
                    f"Another strike command has been writing to {self.path.parent} for {patience:.0f} s.",
                    "Wait for it to end, or end it, and try again. Nothing was changed.",
                )
            time.sleep(pause)
            pause = min(pause * 1.5, 0.02)

    def release(self) -> None:
        """Release the lock. Safe to call twice."""
        if self.file is not None:
            unlock_and_close(self.file)
            self.file = None


def try_lock(file: int, *, shared: bool = False) -> bool:
    """Lock an open file, unless another process has locked it; return whether it is locked now.

    The lock ends when the file is closed. If `shared` is True, several processes may have the lock at once,
    except on Windows. A shared lock is only for finding out whether another process has the real lock.
    """
    if WINDOWS:
        import msvcrt

        try:
            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined,unused-ignore]
        except OSError:
            return False
        return True
    import fcntl

    try:
        fcntl.flock(file, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def unlock_and_close(file: int) -> None:
    """Close a file; if it is locked, release the lock at once."""
    if WINDOWS:  # it releases locks some time after closing
        import msvcrt

        with contextlib.suppress(OSError):
            msvcrt.locking(file, msvcrt.LK_UNLCK, 1)  # type: ignore[attr-defined,unused-ignore]
    os.close(file)


class HalfWritten(OSError):
    """The error for a write that failed and left a part that could not be removed again."""


def unwritable_problem(path: Path, error: OSError) -> CampaignProblem:
    """Return the problem of a failed write, with a remedy.

    The problem names the file that is named in `error`. If `error` names no file, the problem names `path`.
    """
    where = error.filename or path
    if isinstance(error, HalfWritten):
        hint = "It may be recorded all the same: once the disk works again, `strike log --last 1` shows it."
    else:
        hint = f"{_remedy_for(error)} Nothing was changed."
    from strike_cli.refusals import Unwritable

    return Unwritable(where, error_reason(error), hint)


def unreadable_problem(path: Path, error: OSError) -> CampaignProblem:
    """Return the problem of a file that can't be read, with a remedy."""
    from strike_cli.refusals import Unreadable

    return Unreadable(path, error_reason(error), f"{_remedy_for(error)} Nothing was changed.")


_REASONS = {
    errno.ELOOP: "it is a link",
    errno.EMLINK: "it is a hard link; the other name would change too",
    errno.ENXIO: "it is not a plain file",
}


def error_reason(error: OSError) -> str:
    """Return the words for an OSError, without its number and file name."""
    known = _REASONS.get(error.errno or 0)
    return known or (os.strerror(error.errno) if error.errno else str(error))


def _remedy_for(error: OSError) -> str:
    permissions = "Check the permissions of the folder and the files in it."
    in_the_way = "Something else has the name of a file or folder of the campaign: move it away."
    remedies = {
        errno.ENOSPC: "Free some space on that disk and try again.",
        errno.EDQUOT: "Your disk quota is used up: free some space and try again.",
        errno.EROFS: "The file system is read-only: copy the campaign to where you can write.",
        errno.EACCES: permissions,
        errno.EPERM: permissions,
        errno.EEXIST: in_the_way,
        errno.EISDIR: in_the_way,
        errno.ENOTDIR: in_the_way,
        errno.ENOENT: "Put it back from a copy: `strike restore` lists backups.",
        errno.ELOOP: "strike follows no links in a campaign's folder: put the file or folder itself there.",
        errno.EMLINK: "Put a copy of it in its place.",
        errno.ENXIO: in_the_way,
        errno.ENAMETOOLONG: "Choose a shorter name.",
    }
    return remedies.get(error.errno or 0, "Check the disk and try again.")


@contextlib.contextmanager
def _name_file_in_errors(path: Path) -> Iterator[None]:
    """Add the file's path to an OSError that is raised in the block and names no file."""
    try:
        yield
    except OSError as error:
        error.filename = error.filename or str(path)
        raise


@contextlib.contextmanager
def delay_interrupts() -> Iterator[None]:
    """Let Ctrl-C wait until the block is done, so that a command is recorded whole or not at all."""
    import signal
    import threading

    if threading.current_thread() is not threading.main_thread():
        yield
        return
    caught: list[object] = []
    before = signal.signal(signal.SIGINT, lambda number, frame: caught.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
        if caught:
            signal.raise_signal(signal.SIGINT)


def write_scratch(path: Path, data: bytes, mode: int = PRIVATE) -> Path:
    """Write and sync a new version of `path` to a scratch file beside it; return the scratch file's path.

    Raises OSError, leaving nothing behind.
    """
    scratch = path.with_name(f".{path.name}.new")
    try:
        write_new_synced_file(scratch, data, mode)
    except FileExistsError:  # left by a command that was killed, or foreign
        os.unlink(scratch)
        write_new_synced_file(scratch, data, mode)
    return scratch


def write_new_synced_file(path: Path, data: bytes, mode: int = PRIVATE) -> None:
    """Write a new file completely, and sync it.

    Raises FileExistsError if the path exists, even as a broken link; then nothing is changed. Raises another
    OSError if writing fails; then no file is left behind.
    """
    with _name_file_in_errors(path):
        file = open_plain_file(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
        try:
            _write_all(file, data)
            os.fsync(file)
        except BaseException:  # Ctrl-C too: a shell goes on, and on Windows an open file is locked
            os.close(file)
            remove_if_possible(path)
            raise
        os.close(file)


def replace_file_without_sync(new_file: Path, path: Path) -> None:
    """Replace the file `path` by the file `new_file` in one step. Raises OSError.

    Windows can't replace a file that is being read: there this tries again for up to REPLACE_WAIT seconds.
    """
    deadline = time.monotonic() + REPLACE_WAIT
    while True:
        try:
            os.replace(new_file, path)
            return
        except PermissionError:
            if not WINDOWS or time.monotonic() > deadline:
                raise
            time.sleep(0.005)


def make_marker_file(path: Path) -> None:
    """Make an empty file and its folder, so that both survive a power cut. Raises OSError."""
    path.parent.mkdir(0o700, exist_ok=True)
    with _name_file_in_errors(path):
        os.close(open_plain_file(path, os.O_WRONLY | os.O_CREAT))
        sync_folder(path.parent)
        sync_folder(path.parent.parent)


_RESERVED = {"con", "prn", "aux", "nul", *(f"{port}{n}" for port in ("com", "lpt") for n in range(10))}


def file_name_not_reserved(name: str) -> str:
    """Return a file name, made from an id, that is valid on every system.

    Windows reserves names such as `con` and `nul`, with any extension. Such a name gets an underscore at its
    end.
    """
    return f"{name}_" if name.partition(".")[0].lower() in _RESERVED else name


def remove_if_possible(path: Path) -> None:
    """Delete a file that is no longer needed; ignore a failure."""
    with contextlib.suppress(OSError):
        os.unlink(path)


def append_at(path: Path, offset: int, data: bytes, *, sync: bool = True) -> None:
    """Write data into a file at `offset`, where the valid part of the file ends.

    If `sync` is True, the file is synced. If the file or its folder is missing, it is made.

    Raises:
        HalfWritten: A part of the data is left in the file.
        OSError: Any other failure; everything is as before.
    """
    made_folder = _make_folder_if_missing(path.parent)
    made_file = offset == 0 and not os.path.lexists(path)
    try:
        with _name_file_in_errors(path):
            _append_at(path, offset, data, sync)
    except HalfWritten:
        raise
    except OSError:
        if made_file:
            remove_if_possible(path)
        if made_folder:
            with contextlib.suppress(OSError):
                os.rmdir(path.parent)
        raise


def _make_folder_if_missing(folder: Path) -> bool:
    """Make a folder if it is missing; return whether it was missing."""
    if folder_exists_refusing_links(folder):
        return False
    os.mkdir(folder, 0o700)
    try:
        with _name_file_in_errors(folder):
            sync_folder(folder.parent)
    except OSError:
        with contextlib.suppress(OSError):
            os.rmdir(folder)
        raise
    return True


def _append_at(path: Path, offset: int, data: bytes, sync: bool) -> None:
    file = open_plain_file(path, os.O_WRONLY | os.O_CREAT)
    try:
        os.lseek(file, offset, os.SEEK_SET)
        _write_all(file, data)
        if sync:
            os.fsync(file)
        if offset == 0:  # even if the file exists: its maker may have been killed before this
            sync_folder(path.parent)
            sync_folder(path.parent.parent)
    except OSError as error:
        try:
            os.ftruncate(file, offset)
        except OSError:
            raise HalfWritten(error.errno, error.strerror) from None
        raise
    finally:
        os.close(file)


def sync_file(path: Path) -> None:
    """Sync a file, so that its data survives a power cut. Raises OSError."""
    with _name_file_in_errors(path):
        file = open_plain_file(path, os.O_RDWR)
        try:
            os.fsync(file)
        finally:
            os.close(file)


def truncate_file(path: Path, end: int) -> None:
    """Cut a file off at the byte `end`, and sync it. Raises OSError."""
    with _name_file_in_errors(path):
        file = open_plain_file(path, os.O_RDWR)
        try:
            os.ftruncate(file, end)
            os.fsync(file)
        finally:
            os.close(file)


def write_user_file(path: Path, data: bytes) -> None:
    """Write a file that the user named, such as a report. Raises OSError.

    For a path below the current folder, no link is followed, since that folder may be a stranger's. For a
    path that is absolute or goes up, links are followed, since it is the user's own choice.
    """
    if path.is_absolute() or ".." in path.parts:
        path.write_bytes(data)
    else:
        write_user_file_below(Path(), path, data, make_folders=False)


def write_user_file_below(folder: Path, path: Path, data: bytes, *, make_folders: bool = True) -> None:
    """Write one of the user's files in `folder` or in a folder below it.

    The file is written whole or not at all. Links aren't followed. If `make_folders` is true, missing folders
    between `folder` and the file are made. Raises OSError.
    """
    for inner in list(path.parents)[-2::-1]:
        if not folder_exists_refusing_links(folder / inner) and make_folders:
            os.mkdir(folder / inner)
            sync_folder((folder / inner).parent)
    place, mode = folder / path, PUBLIC
    with _name_file_in_errors(place):
        if os.path.lexists(place):
            file = open_plain_file(place, os.O_WRONLY, PUBLIC)
            mode = stat.S_IMODE(os.fstat(file).st_mode)
            os.close(file)
        _write_by_replacing(place, data, mode)


def write_new_user_file(path: Path, data: bytes) -> None:
    """Write a new file that belongs to the user, whole or not at all.

    Raises FileExistsError if the path exists, and other OSErrors.
    """
    if os.path.lexists(path):
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(path))
    _write_by_replacing(path, data, PUBLIC)


def write_new_user_texts(texts: Mapping[Path, str]) -> None:
    """Write new text files that belong to the user, and make their folder if it is missing.

    Raises CampaignProblem.
    """
    for path, text in texts.items():
        try:
            if not folder_exists_refusing_links(path.parent):
                path.parent.mkdir()
                sync_folder(path.parent.parent)
            write_new_user_file(path, text.encode())
        except OSError as error:
            raise unwritable_problem(path, error) from None


def _write_by_replacing(path: Path, data: bytes, mode: int) -> None:
    scratch = write_scratch(path, data, mode)
    try:
        replace_file_without_sync(scratch, path)
    except OSError:
        remove_if_possible(scratch)
        raise
    sync_folder(path.parent)


def sync_folder(folder: Path) -> None:
    """Sync a folder, if the system can, so that a new name in the folder survives a power cut."""
    if WINDOWS:
        return
    file = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(file)
    finally:
        os.close(file)


def _write_all(file: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(file, view) :]
