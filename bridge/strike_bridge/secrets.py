"""The targets' keys: from the environment, the keyring, or secrets.toml, which nobody else may read.

A key goes into a request's header and nowhere else: no message, no journal, no `--dry-run` holds one.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from strike_cli.campaign.files import open_plain, replace, sync_folder, unreadable, write_scratch
from strike_cli.problems import CampaignProblem

from .lock import held
from .settings import BRIDGE_FOLDER

SECRETS_FILE = "secrets.toml"
TABLE_KEY = "STRIKE_TABLE_KEY"
PLAYERS = "players"
"""The table of the file that has players' links."""


def read_key(folder: Path, target: str, variable: str = TABLE_KEY, words: str = "key") -> str:
    """A target's key, from the environment's `variable`, the keyring, or secrets.toml.

    People call it `words`. Raises CampaignProblem where there is none, or where others could read the file.
    """
    key = _key(folder, target, variable)
    if key is None:
        own = " `strike table` makes one for its own table." if variable == TABLE_KEY else ""
        raise CampaignProblem(
            f"There is no {words} for {target}.",
            f"`strike bridge login {target}` asks for it. Or set {variable}, or write [targets.{target}] "
            f'key = "..." into {SECRETS_FILE}.{own}',
        )
    return key


def keep_key(folder: Path, target: str, key: str) -> str:
    """Keep a key in the keyring, or in secrets.toml where there is none that works; says which.

    Raises CampaignProblem for what is no key, and where the file can't be written.
    """
    key = _checked(key, "What was given")
    if _to_keyring(folder, target, key):
        return "the keyring"
    with held(folder / BRIDGE_FOLDER / ".secrets.lock", wait=5):
        _read(folder / SECRETS_FILE)
        _put(folder / SECRETS_FILE, target, "key", key)
    return SECRETS_FILE


def ensure_key(folder: Path, target: str, variable: str = TABLE_KEY) -> str:
    """A target's key, made and kept in secrets.toml where there is none yet. Raises CampaignProblem."""
    # Two that begin at once must come out with one key.
    with held(folder / BRIDGE_FOLDER / ".secrets.lock", wait=5):
        key = _key(folder, target, variable)
        if key is None:
            import secrets

            key = secrets.token_urlsafe(32)
            _put(folder / SECRETS_FILE, target, "key", key)
        return key


def read_session(folder: Path, target: str) -> str:
    """What `keep_session` kept last, or nothing. Raises CampaignProblem."""
    session = _read(folder / SECRETS_FILE).get("targets", {}).get(target, {}).get("session", "")
    return session if isinstance(session, str) else ""


def keep_session(folder: Path, target: str, session: str) -> None:
    """Keep what a target gave in exchange for the key, such as a cookie. Raises CampaignProblem."""
    with held(folder / BRIDGE_FOLDER / ".secrets.lock", wait=5):
        _put(folder / SECRETS_FILE, target, "session", session)


def read_links(folder: Path) -> dict[str, str]:
    """The secret of each character's link to the table, by id; nothing for one that was withdrawn. Raises
    CampaignProblem."""
    found = _read(folder / SECRETS_FILE).get("players", {})
    if not isinstance(found, dict) or not all(isinstance(secret, str) for secret in found.values()):
        raise CampaignProblem(
            f"{folder / SECRETS_FILE}: players should be a table of links.", "Mend it, or take it out."
        )
    return found


def keep_links(folder: Path, make: Callable[[Mapping[str, str]], Mapping[str, str]]) -> dict[str, str]:
    """Change the secrets of links: `make` is called with those that there are and gives the new ones. All of
    them afterwards. Raises CampaignProblem."""
    with held(folder / BRIDGE_FOLDER / ".secrets.lock", wait=5):
        links = read_links(folder)
        for who, secret in make(links).items():
            links[who] = secret
            _put(folder / SECRETS_FILE, None, who, secret)
    return links


def _key(folder: Path, target: str, variable: str) -> str | None:
    own = f"{variable}_{re.sub('[^A-Za-z0-9]', '_', target).upper()}"
    for name in (own, variable):
        if os.environ.get(name):
            return _checked(os.environ[name], name)
    key = _from_keyring(folder, target)
    if key is not None:
        return _checked(key, f"What the keyring has for {target}")
    key = _read(folder / SECRETS_FILE).get("targets", {}).get(target, {}).get("key")
    return None if key is None else _checked(key, f"{SECRETS_FILE}: targets.{target}.key")


def _checked(key: Any, where: str) -> str:
    if not isinstance(key, str) or not key.isascii() or not key.isprintable() or not key.strip():
        raise CampaignProblem(f"{where} is no key.", "A key is text of printable ASCII characters.")
    return key.strip()


# The keyring is the desktop's own store, by the optional package of that name. It has a place for each
# campaign folder and target. Without a desktop it has no store that works, which is no mistake.


def _keyring() -> Any:
    from importlib import import_module
    from importlib.util import find_spec

    # Importing it takes longer than most commands: only who sends something needs it.
    return import_module("keyring") if find_spec("keyring") else None


def _place(folder: Path, target: str) -> tuple[str, str]:
    return "strike", f"{folder.resolve()}: {target}"


def _from_keyring(folder: Path, target: str) -> str | None:
    store = _keyring()
    if store is None:
        return None
    with contextlib.suppress(Exception):  # whatever the desktop's store may fail with: there is the file
        found = store.get_password(*_place(folder, target))
        return found if isinstance(found, str) else None
    return None


def _to_keyring(folder: Path, target: str, key: str) -> bool:
    store = _keyring()
    if store is None:
        return False
    with contextlib.suppress(Exception):
        store.set_password(*_place(folder, target), key)
        return bool(store.get_password(*_place(folder, target)) == key)
    return False


def _read(path: Path) -> dict[str, Any]:
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
        raise CampaignProblem(f"{path} is not valid TOML.", "Mend it, or move it away.") from None
    tables = data.get("targets", {})
    if not isinstance(tables, dict) or not all(isinstance(table, dict) for table in tables.values()):
        raise CampaignProblem(
            f"{path}: targets should be tables.", 'Write [targets.table] and key = "..." below.'
        )
    return data


def _put(path: Path, target: str | None, field: str, value: str) -> None:
    """Write a field of a target into the file, or of no target the link of a character's player, leaving all
    else that stands in it as it is, comments too."""
    import tomllib

    text = (
        path.read_text(encoding="utf-8")
        if path.exists()
        else "# Keys of the bridge's targets. Keep it private.\n"
    )
    name = PLAYERS if target is None else f"targets.{_bare(target)}"
    line = f"{_bare(field)} = {json.dumps(value)}\n"
    heading = re.search(rf"^\[{re.escape(name)}\][ \t]*(?:#.*)?$\n?", text, re.MULTILINE)
    if heading:
        before, own, after = _table_at(text, heading.end())
        own = re.sub(rf"^{re.escape(_bare(field))}[ \t]*=.*$\n?", "", own, flags=re.MULTILINE)
        text = f"{before.rstrip()}\n{line}{own}{after}"
    else:
        text = f"{text.rstrip()}\n\n[{name}]\n{line}"
    try:
        tables = tomllib.loads(text)
        if (tables[PLAYERS] if target is None else tables["targets"][target])[field] != value:
            raise ValueError
        _replace(path, text)
    except (ValueError, KeyError, TypeError):
        what = f"A link for {field}" if target is None else f"A {field} for {target}"
        raise CampaignProblem(
            f"{what} can't be put into {path} as it is written.", f"Add `{name}.{field}` there by hand."
        ) from None
    except OSError as error:
        raise CampaignProblem(
            f"{path} can't be written: {error.strerror}.", "Check its permissions."
        ) from None


def _bare(word: str) -> str:
    """A key as TOML has it."""
    return word if re.fullmatch(r"[A-Za-z0-9_-]+", word) else json.dumps(word, ensure_ascii=False)


def _table_at(text: str, start: int) -> tuple[str, str, str]:
    """A TOML text in three: up to `start`, from there to the next heading, and the rest."""
    following = re.compile(r"^\[", re.MULTILINE).search(text, start)
    end = following.start() if following else len(text)
    return text[:start], text[start:end], text[end:]


def _replace(path: Path, text: str) -> None:
    replace(write_scratch(path, text.encode()), path)
    sync_folder(path.parent)
