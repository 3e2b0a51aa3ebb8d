"""The targets' keys: from the environment, the keyring, or secrets.toml, which nobody else may read.

A key is bound to scheme, host and port of the address that it was put in for. It goes into a request's header
and nowhere else: no message, no journal, no `--dry-run` holds one.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, cast

from strike_cli.campaign.files import open_plain, replace, sync_folder, unreadable, write_scratch
from strike_cli.problems import CampaignProblem, listed
from strike_cli.refusals import Unwritable

from .address import Origin
from .agreement import note_made, was_made
from .lock import held
from .settings import BRIDGE_FOLDER

SECRETS_FILE = "secrets.toml"
TABLE_KEY = "STRIKE_TABLE_KEY"
PLAYERS = "players"
"""The table of the file that has players' links."""
DOOR = "serve"
"""The table of the file that has the key of the door for other programs."""


def read_key(
    folder: Path, target: str, origin: Origin | None, variable: str = TABLE_KEY, words: str = "key"
) -> str:
    """A target's key for an address, from the environment's `variable`, the keyring, or secrets.toml; without
    an origin one that is an address itself.

    People call it `words`. A key that was kept without its address, as an older strike did or as it was
    written by hand, belongs to this one from now on: ask only once the address is agreed to. Raises
    CampaignProblem where there is none, where it was put in for another address, or where others could read
    the file.
    """
    found = _key(folder, target, origin, variable)
    if found is None:
        own = " `strike table` makes one for its own table." if variable == TABLE_KEY else ""
        raise CampaignProblem(
            f"There is no {words} for {target}.",
            f"`strike bridge login {target}` asks for it. Or set {variable}, or write [targets.{target}] "
            f'key = "..." into {SECRETS_FILE}.{own}',
        )
    if origin and found.origin and found.origin != str(origin):
        raise CampaignProblem(
            f"The {words} of {target} was put in for {found.origin}, and does not go to {origin}.",
            f"`strike bridge login {target}` puts in one for this address.",
        )
    if origin and not found.origin and found.is_kept:
        _bind(folder, target, origin, found.key)
    return found.key


def has_made_key(folder: Path, target: str, origin: Origin) -> bool:
    """Whether the key that goes to an address was made by this machine, for its own table. Raises
    CampaignProblem."""
    found = _key(folder, target, origin, TABLE_KEY)
    return found is not None and found.is_made


def keep_key(folder: Path, target: str, key: str, origin: Origin | None) -> str:
    """Keep a key for an address in the keyring, or in secrets.toml where there is none that works; says
    which. None for one that is an address itself.

    Raises CampaignProblem for what is no key, and where the file can't be written.
    """
    key = _checked(key, "This key")
    if _to_keyring(folder, target, key, origin):
        return "the keyring"
    with held(folder / BRIDGE_FOLDER / ".secrets.lock", wait=5):
        _read(folder / SECRETS_FILE)
        _put(folder / SECRETS_FILE, target, {"key": key, "address": str(origin or "")})
    return SECRETS_FILE


def ensure_key(folder: Path, target: str, port: int = 0) -> str:
    """The key of the table that this machine serves at a port, made and kept in secrets.toml where there is
    none yet. Raises CampaignProblem."""
    # Two that begin at once must come out with one key.
    with held(folder / BRIDGE_FOLDER / ".secrets.lock", wait=5):
        found = _key(folder, target, Origin("http", "127.0.0.1", port), TABLE_KEY)
        if found is not None:
            return found.key
        import secrets

        key = secrets.token_urlsafe(32)
        note_made(key)
        _put(folder / SECRETS_FILE, target, {"key": key})
        return key


def read_session(folder: Path, target: str, origin: Origin) -> str:
    """What `keep_session` kept last for an address, or nothing. Raises CampaignProblem."""
    table = _read(folder / SECRETS_FILE).get("targets", {}).get(target, {})
    session = table.get("session", "") if table.get("session_address") == str(origin) else ""
    return session if isinstance(session, str) else ""


def keep_session(folder: Path, target: str, session: str, origin: Origin) -> None:
    """Keep what a target gave in exchange for the key, such as a cookie. Raises CampaignProblem."""
    with held(folder / BRIDGE_FOLDER / ".secrets.lock", wait=5):
        fields = {"session": session, "session_address": str(origin)}
        _put(folder / SECRETS_FILE, target, fields)


def read_links(folder: Path) -> dict[str, str]:
    """The secret of each character's link to the table, by id; nothing for one that was withdrawn. Raises
    CampaignProblem."""
    found = _read(folder / SECRETS_FILE).get("players", {})
    if not isinstance(found, dict) or not all(isinstance(secret, str) for secret in found.values()):
        raise CampaignProblem(
            f"{folder / SECRETS_FILE}: players should be a table of links.", "Fix it, or remove it."
        )
    return found


def keep_links(folder: Path, make: Callable[[Mapping[str, str]], Mapping[str, str]]) -> dict[str, str]:
    """Change the secrets of links: `make` is called with those that there are and gives the new ones. All of
    them afterwards. Raises CampaignProblem."""
    with held(folder / BRIDGE_FOLDER / ".secrets.lock", wait=5):
        links = read_links(folder)
        for who, secret in make(links).items():
            links[who] = secret
            _put(folder / SECRETS_FILE, None, {who: secret})
    return links


def own_key(folder: Path, *, anew: bool = False) -> tuple[str, bool]:
    """The key of this campaign's own door for other programs (`strike serve`), and whether it was made just
    now; `anew` makes another in its place. Raises CampaignProblem."""
    with held(folder / BRIDGE_FOLDER / ".secrets.lock", wait=5):
        found = _read(folder / SECRETS_FILE).get(DOOR, {})
        if not isinstance(found, dict):
            raise CampaignProblem(
                f"{folder / SECRETS_FILE}: {DOOR} should be a table.",
                f'Write [{DOOR}] and key = "..." below.',
            )
        if "key" in found and not anew:
            return _checked(found["key"], f"{SECRETS_FILE}: {DOOR}.key"), False
        import secrets

        key = secrets.token_urlsafe(32)
        _put(folder / SECRETS_FILE, None, {"key": key}, DOOR)
        return key, True


class _Key(NamedTuple):
    """A key, what it was put in for (empty where that isn't said), whether that can be kept with it, and
    whether this machine made it."""

    key: str
    origin: str = ""
    is_kept: bool = False
    is_made: bool = False


def _key(folder: Path, target: str, origin: Origin | None, variable: str) -> _Key | None:
    own = f"{variable}_{re.sub('[^A-Za-z0-9]', '_', target).upper()}"
    names = [own]
    if variable != TABLE_KEY or (
        origin and origin.is_loopback
    ):  # without a target it is that of the tables here
        names.append(variable)
    for name in names:
        if os.environ.get(name):
            return _Key(_checked(os.environ[name], name))
    for at in dict.fromkeys((origin, None)):
        key = _from_keyring(folder, target, at)
        if key is not None:
            return _Key(_checked(key, f"The keyring's key for {target}"), str(at or ""), at is None)
    table = _read(folder / SECRETS_FILE).get("targets", {}).get(target, {})
    if "key" not in table:
        return None
    key, address = _checked(table["key"], f"{SECRETS_FILE}: targets.{target}.key"), table.get("address", "")
    if not isinstance(address, str):
        raise CampaignProblem(f"{SECRETS_FILE}: targets.{target}.address is none.", "Take it out.")
    if not address and variable == TABLE_KEY and was_made(key):
        return _Key(key, str(origin) if origin and origin.is_loopback else "this machine", is_made=True)
    return _Key(key, address, not address)


def _bind(folder: Path, target: str, origin: Origin, key: str) -> None:
    """A key that was kept without its address belongs to this one."""
    if _from_keyring(folder, target, None) == key:
        if _to_keyring(folder, target, key, origin):
            _forget_in_keyring(folder, target)
        return
    with held(folder / BRIDGE_FOLDER / ".secrets.lock", wait=5):
        if _read(folder / SECRETS_FILE).get("targets", {}).get(target, {}).get("key") == key:
            _put(folder / SECRETS_FILE, target, {"address": str(origin)})


def _checked(key: object, where: str) -> str:
    if not isinstance(key, str) or not key.isascii() or not key.isprintable() or not key.strip():
        raise CampaignProblem(f"{where} is no key.", "A key is text of printable ASCII characters.")
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
        """What the file has: of each target its fields, and those that are nobody's target."""

        targets: dict[str, dict[str, object]]
        players: object
        serve: object


def _keyring() -> _Keyring | None:
    from importlib import import_module
    from importlib.util import find_spec

    # Importing it takes longer than most commands: only who sends something needs it.
    # The package has no types; these three are what its documents promise.
    return cast("_Keyring", import_module("keyring")) if find_spec("keyring") else None


def _place(folder: Path, target: str, origin: Origin | None) -> tuple[str, str]:
    at = f" @ {origin}" if origin else ""
    return "strike", f"{folder.resolve()}: {target}{at}"


def _from_keyring(folder: Path, target: str, origin: Origin | None) -> str | None:
    store = _keyring()
    if store is None:
        return None
    with contextlib.suppress(Exception):  # whatever the desktop's store may fail with: there is the file
        found = store.get_password(*_place(folder, target, origin))
        return found if isinstance(found, str) else None
    return None


def _to_keyring(folder: Path, target: str, key: str, origin: Origin | None) -> bool:
    store = _keyring()
    if store is None:
        return False
    with contextlib.suppress(Exception):
        store.set_password(*_place(folder, target, origin), key)
        return bool(store.get_password(*_place(folder, target, origin)) == key)
    return False


def _forget_in_keyring(folder: Path, target: str) -> None:
    with contextlib.suppress(Exception):
        if (store := _keyring()) is not None:
            store.delete_password(*_place(folder, target, None))


def _read(path: Path) -> _SecretsKept:
    import tomllib

    try:
        with open(open_plain(path, os.O_RDONLY), "rb") as file:
            if os.name == "posix" and os.fstat(file.fileno()).st_mode & 0o077:
                raise CampaignProblem(
                    f"{path} can be read by others on this machine.", f"`chmod 600 {path}`, then try again."
                )
            data = tomllib.load(file)
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise unreadable(path, error) from None
    except ValueError:
        # Without the parser's words: they may quote the line.
        raise CampaignProblem(f"{path} is not valid TOML.", "Fix it, or move it away.") from None
    tables = data.get("targets", {})
    if not isinstance(tables, dict) or not all(isinstance(table, dict) for table in tables.values()):
        raise CampaignProblem(
            f"{path}: targets should be tables.", 'Write [targets.table] and key = "..." below.'
        )
    return cast("_SecretsKept", data)  # what reads a field looks at it first


def _put(path: Path, target: str | None, fields: Mapping[str, str], own_table: str = PLAYERS) -> None:
    """Write fields of a target into the file, or of no target those of another table (`own_table`), leaving
    all else that stands in it as it is, comments too. An empty one is taken out, but for a link."""
    import tomllib

    text = (
        path.read_text(encoding="utf-8")
        if path.exists()
        else "# Keys of the bridge's targets. Keep it private.\n"
    )
    name = own_table if target is None else f"targets.{_bare(target)}"
    kept = {field: value for field, value in fields.items() if value or target is None}
    lines = "".join(f"{_bare(field)} = {json.dumps(value)}\n" for field, value in kept.items())
    heading = re.search(rf"^\[{re.escape(name)}\][ \t]*(?:#.*)?$\n?", text, re.MULTILINE)
    if heading:
        before, own, after = _own_tableat(text, heading.end())
        for field in fields:
            own = re.sub(rf"^{re.escape(_bare(field))}[ \t]*=.*$\n?", "", own, flags=re.MULTILINE)
        text = f"{before.rstrip()}\n{lines}{own}{after}"
    else:
        text = f"{text.rstrip()}\n\n[{name}]\n{lines}"
    what = listed(fields)
    try:
        tables = tomllib.loads(text)
        table = tables[own_table] if target is None else tables["targets"][target]
        if any(table.get(field, "") != value for field, value in fields.items()):
            raise ValueError
        _replace(path, text)
    except (ValueError, KeyError, TypeError, AttributeError):
        whose = f"The link of {what}" if target is None else f"The {what} of {target}"
        raise CampaignProblem(
            f"{whose} can't be put into {path} as it is written.", f"Add it to [{name}] there by hand."
        ) from None
    except OSError as error:
        raise Unwritable(path, error.strerror, "Check its permissions.") from None


def _bare(word: str) -> str:
    """A key as TOML has it."""
    return word if re.fullmatch(r"[A-Za-z0-9_-]+", word) else json.dumps(word, ensure_ascii=False)


def _own_tableat(text: str, start: int) -> tuple[str, str, str]:
    """A TOML text in three: up to `start`, from there to the next heading, and the rest."""
    following = re.compile(r"^\[", re.MULTILINE).search(text, start)
    end = following.start() if following else len(text)
    return text[:start], text[start:end], text[end:]


def _replace(path: Path, text: str) -> None:
    replace(write_scratch(path, text.encode()), path)
    sync_folder(path.parent)
