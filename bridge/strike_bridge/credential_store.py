"""A campaign's keys: from the environment, the keyring, or a file that only this user can read.

No key is stored in the campaign's folder, which may be shared and may come from a stranger. A key belongs to
this machine, to the folder's real path, and to the scheme, host and port that it was entered for. It is sent
in requests and appears nowhere else: not in a message, the journal or a `--dry-run`.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, cast

from strike_cli.campaign.file_access import (
    open_plain_file,
    replace_file_without_sync,
    sync_folder,
    unreadable_problem,
    unwritable_problem,
    write_scratch,
)
from strike_cli.problems import CampaignProblem, listed
from strike_cli.refusals import Unwritable

from .address import Origin, origin_of
from .consent import agreed_origin, check_and_forget_keys_made_here, machine_state_folder
from .worker_lock import try_to_hold_lock

SECRETS_FILE = "secrets.toml"
"""The file of the campaign's folder in which an earlier strike stored keys."""
TABLE_KEY = "STRIKE_TABLE_KEY"
PLAYERS = "players"
"""The table of the keys' file that has the secrets of players' links."""
SERVE = "serve"
"""The table of the keys' file that has the key for other programs (`strike serve`)."""


def keys_file(folder: Path) -> Path:
    """Return the path of the file in which this machine stores the keys of a campaign's folder."""
    place = str(folder.resolve())
    digest = hashlib.sha256(place.encode(errors="surrogateescape")).hexdigest()[:16]
    return (
        machine_state_folder()
        / "keys"
        / f"{re.sub('[^A-Za-z0-9_-]+', '-', folder.resolve().name)}-{digest}.toml"
    )


def read_and_bind_key(
    folder: Path, target: str, origin: Origin | None, variable: str = TABLE_KEY, key_name: str = "key"
) -> str:
    """Return a target's key for the address `origin`.

    The key comes from the environment, the keyring or the file of keys, in this order. A key that was stored
    without an address is bound to `origin`. So call this only after somebody has agreed to that address.

    Args:
        folder: The campaign's folder.
        target: The target's name.
        origin: The address that the key is sent to; None if the key is itself an address.
        variable: The environment variable that may hold the key.
        key_name: The name of the key in messages, such as "password".

    Raises:
        CampaignProblem: There is no key, it was entered for another address, or others can read the
            file.
    """
    found = _find_key(folder, target, origin, variable)
    if found is None:
        own = " `strike table` makes one for its own table." if variable == TABLE_KEY else ""
        raise CampaignProblem(
            f"There is no {key_name} for {target}.",
            f"`strike bridge login {target}` asks for it. Or set {variable}.{own}",
        )
    if origin and found.origin and found.origin != str(origin):
        raise CampaignProblem(
            f"The {key_name} of {target} was entered for {found.origin}, and is not sent to {origin}.",
            f"`strike bridge login {target}` enters one for this address.",
        )
    if origin and not found.origin and found.lacks_address:
        _bind_to_origin(folder, target, origin, found.key)
    return found.key


def last_origin_if_own_table(folder: Path, target: str, origin: Origin) -> Origin | None:
    """Return the address at which this machine last served its own table, if `target` is that table.

    The result is None if `origin` is not on this machine, or if this machine did not make the target's key.
    Raises CampaignProblem.
    """
    found = _find_key(folder, target, origin, TABLE_KEY) if origin.is_loopback else None
    return origin_of(found.origin) if found is not None and found.made_here else None


def store_key(folder: Path, target: str, key: str, origin: Origin | None) -> str:
    """Store a key in the keyring, or else in the file of keys.

    Return the place: "the keyring", or the file's path.

    `origin` is the address that the key is for, or None for a key that is itself an address. Raises
    CampaignProblem for an invalid key, and if the file can't be written.
    """
    key = _checked_key(key, "This key")
    if _write_keyring(folder, target, key, origin):
        return "the keyring"
    _move_old_and_read_keys(folder)
    with _lock_keys(folder) as path:
        _write_or_remove_fields(path, target, {"key": key, "address": str(origin or ""), "port": ""})
    return str(path)


@contextlib.contextmanager
def _lock_keys(folder: Path) -> Iterator[Path]:
    """Lock the file of a folder's keys during the block, and yield the file's path.

    If another process keeps the lock for five seconds, the block runs without the lock. Raises
    CampaignProblem if the file or its lock can't be written.
    """
    path = keys_file(folder)
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with try_to_hold_lock(path.with_suffix(".lock"), wait=5):
            yield path
    except OSError as error:
        raise unwritable_problem(path, error) from None


def ensure_table_key(folder: Path, target: str, port: int = 0, *, replace_if_made_here: bool = False) -> str:
    """Return the key of a table that this machine serves. If there is no key, make one.

    The key is stored together with `port`, the table's port on this machine. The bridge can then send the key
    to this port without asking the user. If `replace_if_made_here` is true, a new key is made. A key that the
    user entered is never replaced. Raises CampaignProblem.
    """
    _move_old_and_read_keys(folder)
    # Two processes that begin at once must get the same key.
    with _lock_keys(folder) as path:
        found = _find_key(folder, target, Origin("http", "127.0.0.1", port), TABLE_KEY)
        if found is not None and not found.made_here:
            return found.key
        import secrets

        key = found.key if found and not replace_if_made_here else secrets.token_urlsafe(32)
        if found is None or replace_if_made_here or (port and not found.origin.endswith(f":{port}")):
            _write_or_remove_fields(path, target, {"key": key, "port": str(port)})
        return key


def read_session(folder: Path, target: str, origin: Origin) -> str:
    """Return the session stored last for an address, or "".

    Raises CampaignProblem if the file of keys can't be read, or others may read it.
    """
    table = _move_old_and_read_keys(folder).get("targets", {}).get(target, {})
    session = table.get("session", "") if table.get("session_address") == str(origin) else ""
    return session if isinstance(session, str) else ""


def store_session(folder: Path, target: str, session: str, origin: Origin) -> None:
    """Store the session, such as a cookie, that a target gave in exchange for the key.

    Raises CampaignProblem.
    """
    _move_old_and_read_keys(folder)
    with _lock_keys(folder) as path:
        _write_or_remove_fields(path, target, {"session": session, "session_address": str(origin)})


def read_link_secrets_with_withdrawn(folder: Path) -> dict[str, str]:
    """Return the secret in each character's link to the table, by the character's id.

    It is "" for a withdrawn link. Raises CampaignProblem if the file of keys can't be read, or others may
    read it.
    """
    found = _move_old_and_read_keys(folder).get("players", {})
    if not isinstance(found, dict) or not all(isinstance(secret, str) for secret in found.values()):
        raise CampaignProblem(
            f"{keys_file(folder)}: players should be a table of links.", "Fix it, or remove it."
        )
    return found


def merge_changed_link_secrets(
    folder: Path, changed_secrets: Callable[[Mapping[str, str]], Mapping[str, str]]
) -> dict[str, str]:
    """Change the secrets of links, and return all of them. Raises CampaignProblem.

    `changed_secrets` is called with the present secrets, and returns the secrets that are new or changed.
    """
    _move_old_and_read_keys(folder)
    with _lock_keys(folder) as path:
        links = read_link_secrets_with_withdrawn(folder)
        for person, secret in changed_secrets(links).items():
            links[person] = secret
            _write_or_remove_fields(path, None, {person: secret})
    return links


def ensure_serve_key(folder: Path, *, replace: bool = False) -> tuple[str, bool]:
    """Return this campaign's key for other programs (`strike serve`), and whether it was made just now.

    `replace` replaces it by a new one. Raises CampaignProblem.
    """
    _move_old_and_read_keys(folder)
    with _lock_keys(folder) as path:
        found = _move_old_and_read_keys(folder).get(SERVE, {})
        if not isinstance(found, dict):
            raise CampaignProblem(f"{path}: {SERVE} should be a table.", "Fix it, or remove it.")
        if "key" in found and not replace:
            return _checked_key(found["key"], f"{path}: {SERVE}.key"), False
        import secrets

        key = secrets.token_urlsafe(32)
        _write_or_remove_fields(path, None, {"key": key}, SERVE)
        return key, True


class _Key(NamedTuple):
    """A key, and the address that somebody entered it for; `origin` is "" if that address is unknown.

    With `lacks_address`, the key was stored without an address, and one can be added. With `made_here`, this
    machine made the key.
    """

    key: str
    origin: str = ""
    lacks_address: bool = False
    made_here: bool = False


def _find_key(folder: Path, target: str, origin: Origin | None, variable: str) -> _Key | None:
    own = f"{variable}_{re.sub('[^A-Za-z0-9]', '_', target).upper()}"
    names = [own]
    if variable != TABLE_KEY or (
        origin and origin.is_loopback
    ):  # the variable without a target's name has the key of this machine's tables
        names.append(variable)
    for name in names:
        if os.environ.get(name):
            return _Key(_checked_key(os.environ[name], name))
    for at in dict.fromkeys((origin, None)):
        key = _read_keyring(folder, target, at)
        if key is not None:
            return _Key(_checked_key(key, f"The keyring's key for {target}"), str(at or ""), at is None)
    table = _move_old_and_read_keys(folder).get("targets", {}).get(target, {})
    if "key" not in table:
        return None
    file = keys_file(folder)
    key, address = _checked_key(table["key"], f"{file}: targets.{target}.key"), table.get("address", "")
    if not isinstance(address, str):
        raise CampaignProblem(f"{file}: targets.{target}.address is not an address.", "Remove it.")
    if "port" in table and not str(table["port"]).isdecimal():
        raise CampaignProblem(f"{file}: targets.{target}.port is not a port.", "Remove it.")
    if "port" in table and not address:
        here = origin if origin and origin.is_loopback else Origin("http", "127.0.0.1", 0)
        return _Key(key, str(here._replace(port=int(str(table["port"])))), made_here=True)
    return _Key(key, address, not address)


def _bind_to_origin(folder: Path, target: str, origin: Origin, key: str) -> None:
    """Store the address `origin` with a key that was stored without one."""
    if _read_keyring(folder, target, None) == key:
        if _write_keyring(folder, target, key, origin):
            _forget_unbound_key_in_keyring(folder, target)
        return
    with _lock_keys(folder) as path:
        if _move_old_and_read_keys(folder).get("targets", {}).get(target, {}).get("key") == key:
            _write_or_remove_fields(path, target, {"address": str(origin)})


def _checked_key(key: object, where: str) -> str:
    if not isinstance(key, str) or not key.isascii() or not key.isprintable() or not key.strip():
        raise CampaignProblem(f"{where} is not a key.", "A key is text of printable ASCII characters.")
    return key.strip()


# The keyring is the desktop's own store, by the optional package of that name. It has a place for each
# campaign folder and target. Without a desktop it has no store that works, which is no mistake.


if TYPE_CHECKING:
    from typing import Protocol, TypedDict

    class _Keyring(Protocol):
        def get_password(self, service: str, username: str) -> object: ...
        def set_password(self, service: str, username: str, password: str) -> object: ...
        def delete_password(self, service: str, username: str) -> object: ...

    class _SecretsKept(TypedDict, total=False):
        """The contents of the keys' file.

        `targets` has the fields of each target, by the target's name; the other fields are tables for other
        purposes.
        """

        targets: dict[str, dict[str, object]]
        players: object
        serve: object


def _read_keyring(folder: Path, target: str, origin: Origin | None) -> str | None:
    store = _keyring_module()
    if store is None:
        return None
    with contextlib.suppress(Exception):  # the desktop's store may fail in any way; then the file is used
        found = store.get_password(*_keyring_entry(folder, target, origin))
        return found if isinstance(found, str) else None
    return None


def _keyring_entry(folder: Path, target: str, origin: Origin | None) -> tuple[str, str]:
    at = f" @ {origin}" if origin else ""
    return "strike", f"{folder.resolve()}: {target}{at}"


def _keyring_module() -> _Keyring | None:
    from importlib import import_module
    from importlib.util import find_spec

    # Importing it takes longer than most commands, and only commands that send something need it.
    # The package has no types; `_Keyring` has the three functions that it documents.
    return cast("_Keyring", import_module("keyring")) if find_spec("keyring") else None


def _write_keyring(folder: Path, target: str, key: str, origin: Origin | None) -> bool:
    store = _keyring_module()
    if store is None:
        return False
    with contextlib.suppress(Exception):
        store.set_password(*_keyring_entry(folder, target, origin), key)
        return bool(store.get_password(*_keyring_entry(folder, target, origin)) == key)
    return False


def _forget_unbound_key_in_keyring(folder: Path, target: str) -> None:
    with contextlib.suppress(Exception):
        if (store := _keyring_module()) is not None:
            store.delete_password(*_keyring_entry(folder, target, None))


def _move_old_and_read_keys(folder: Path) -> _SecretsKept:
    """Return a folder's stored keys.

    Keys that an earlier strike stored in the folder itself are moved first.
    """
    old, path = folder / SECRETS_FILE, keys_file(folder)
    if os.path.lexists(old):
        _move_old_keys_refusing_copied(folder, old, path)
    return _parse_keys(_read_private_keys_text(path), path)


def _read_private_keys_text(path: Path) -> str:
    """Return the text of a file of keys; "" if there is no file.

    Raises CampaignProblem if others may read it, another user owns it, or it can't be read.
    """
    try:
        with open(open_plain_file(path, os.O_RDONLY), "rb") as file:
            status = os.fstat(file.fileno())
            if os.name == "posix" and (status.st_mode & 0o077 or status.st_uid != os.geteuid()):
                raise CampaignProblem(
                    f"{path} can be read by others on this machine.", f"`chmod 600 {path}`, then try again."
                )
            return file.read().decode()
    except FileNotFoundError:
        return ""
    except OSError as error:
        raise unreadable_problem(path, error) from None
    except ValueError:
        raise _toml_problem(path) from None


def _toml_problem(path: Path) -> CampaignProblem:
    # Without the parser's words: they may quote the line.
    return CampaignProblem(f"{path} is not valid TOML.", "Fix it, or move it away.")


def _parse_keys(text: str, path: Path) -> _SecretsKept:
    import tomllib

    try:
        data = tomllib.loads(text)
    except ValueError:
        raise _toml_problem(path) from None
    tables = data.get("targets", {})
    if not isinstance(tables, dict) or not all(isinstance(table, dict) for table in tables.values()):
        raise CampaignProblem(
            f"{path}: targets should be tables.", 'Write [targets.table] and key = "..." below.'
        )
    return cast("_SecretsKept", data)  # each reader checks the type of its field


# Keys that an earlier strike stored in the folder are this machine's own where the table's key among them was
# made here, or where each of their targets was agreed to here, for this folder. All others came with the
# folder: nothing is opened or sent with them.


def _move_old_keys_refusing_copied(folder: Path, old: Path, path: Path) -> None:
    """Move the keys in a folder's secrets.toml (`old`) to this machine's file (`path`).

    Keys in a copied folder are refused: it isn't certain that somebody entered them on this machine. Raises
    CampaignProblem for such keys.
    """
    try:
        text = _read_private_keys_text(old)
        found = _parse_keys(text, old)
    except CampaignProblem:
        raise _copied_keys_problem(old, "its content") from None
    with _lock_keys(folder):
        kept = _parse_keys(_read_private_keys_text(path), path)
        if _contains_all_values(kept, found) or (not kept and _check_and_claim_keys_made_here(folder, found)):
            if not kept and any(found.values()):
                _replace_file(path, f"# Keys of {folder.resolve()}, for this machine alone.\n{text}")
                for target in _targets_without_address(found):
                    _write_or_remove_fields(path, target, {"port": _USUAL_PORT})
            with contextlib.suppress(OSError):  # a folder that can't be written to: nothing in it is read
                old.unlink()
            return
    names = [f"key of {target}" for target in found.get("targets", {})]
    names += [
        words
        for key, words in ((SERVE, "key of `strike serve`"), (PLAYERS, "players' links"))
        if key in found
    ]
    raise _copied_keys_problem(old, listed(names) if names else "its content")


_USUAL_PORT = "4747"
"""The port assumed for a table that was not served since its key was moved."""


def _contains_all_values(stored: object, wanted: object) -> bool:
    """Return whether `stored` has every value of `wanted` in the same place, at any depth."""
    if isinstance(wanted, Mapping):
        return all(
            _contains_all_values(stored.get(key) if isinstance(stored, Mapping) else None, each)
            for key, each in wanted.items()
        )
    return stored == wanted


def _copied_keys_problem(old: Path, contents: str) -> CampaignProblem:
    return CampaignProblem(
        f"{old} came with this folder, so strike doesn't use its keys: {contents}.",
        f"`rm {old}`, then `strike bridge login TARGET` enters your own keys; `strike table` and "
        "`strike serve` make their own.",
    )


def _targets_without_address(stored: _SecretsKept) -> list[str]:
    """Return the names of the targets that have a stored key but no stored address."""
    return [
        target
        for target, table in stored.get("targets", {}).items()
        if "address" not in table and "key" in table
    ]


def _check_and_claim_keys_made_here(folder: Path, stored: _SecretsKept) -> bool:
    """Return whether the keys in a folder's old file come from this machine: made here, or entered here.

    Call this only once. A key that strike made here is in a record, and finding the key removes it from that
    record.
    """
    tables = stored.get("targets", {})
    if check_and_forget_keys_made_here(
        [str(tables[target]["key"]) for target in _targets_without_address(stored)]
    ):
        return True
    asked = (
        "address" in table and agreed_origin(folder, target) == table["address"]
        for target, table in tables.items()
    )
    return bool(tables) and SERVE not in stored and PLAYERS not in stored and all(asked)


def _write_or_remove_fields(
    path: Path, target: str | None, fields: Mapping[str, str], table_without_target: str = PLAYERS
) -> None:
    """Write `fields` into a table of the file of keys.

    If `target` is given, it is the table of this target, and empty fields are removed. If `target` is None,
    it is the table named `table_without_target`, and empty fields are written, too. Everything else in the
    file stays, comments included.

    Raises CampaignProblem if the form of the file doesn't allow the change, or if the file can't be written.
    """
    import tomllib

    text = path.read_text(encoding="utf-8") if path.exists() else "# Keys, for this machine alone.\n"
    name = table_without_target if target is None else f"targets.{_toml_key(target)}"
    kept = {field: value for field, value in fields.items() if value or target is None}
    lines = "".join(f"{_toml_key(field)} = {json.dumps(value)}\n" for field, value in kept.items())
    heading = re.search(rf"^\[{re.escape(name)}\][ \t]*(?:#.*)?$\n?", text, re.MULTILINE)
    if heading:
        before, own, after = _split_around_section(text, heading.end())
        for field in fields:
            own = re.sub(rf"^{re.escape(_toml_key(field))}[ \t]*=.*$\n?", "", own, flags=re.MULTILINE)
        text = f"{before.rstrip()}\n{lines}{own}{after}"
    else:
        text = f"{text.rstrip()}\n\n[{name}]\n{lines}"
    what = listed(fields)
    try:
        tables = tomllib.loads(text)
        table = tables[table_without_target] if target is None else tables["targets"][target]
        if any(table.get(field, "") != value for field, value in fields.items()):
            raise ValueError
        _replace_file(path, text)
    except (ValueError, KeyError, TypeError, AttributeError):
        whose = f"The link of {what}" if target is None else f"The {what} of {target}"
        raise CampaignProblem(
            f"{whose} can't be added to {path} in its present form.", f"Add it to [{name}] there by hand."
        ) from None
    except OSError as error:
        raise Unwritable(path, error.strerror, "Check its permissions.") from None


def _toml_key(word: str) -> str:
    """Return a word as a TOML key, quoted where needed."""
    return word if re.fullmatch(r"[A-Za-z0-9_-]+", word) else json.dumps(word, ensure_ascii=False)


def _split_around_section(text: str, heading_end: int) -> tuple[str, str, str]:
    """Return a TOML text in three parts: to `heading_end`, from there to the next heading, and the rest."""
    following = re.compile(r"^\[", re.MULTILINE).search(text, heading_end)
    end = following.start() if following else len(text)
    return text[:heading_end], text[heading_end:end], text[end:]


def _replace_file(path: Path, text: str) -> None:
    replace_file_without_sync(write_scratch(path, text.encode()), path)
    sync_folder(path.parent)
