"""Keys: where they come from, who may read them, and that they are made once."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import stat
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from support.agreed import put_in_keys
from support.cases import case

from strike_bridge import consent
from strike_bridge.address import Origin
from strike_bridge.credential_store import (
    ensure_serve_key,
    ensure_table_key,
    keys_file,
    last_origin_if_own_table,
    read_and_bind_key,
    read_link_secrets_with_withdrawn,
)
from strike_bridge.settings import settings_from_unchecked_table
from strike_bridge.targets import make_target_checking_consent
from strike_cli.problems import CampaignProblem

HERE = Origin("http", "127.0.0.1", 4747)


@pytest.fixture(autouse=True)
def _no_key_around(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("STRIKE_TABLE_KEY")


def written(folder: Path, text: str, mode: int = 0o600) -> Path:
    """Keys as an earlier strike kept them, or as a stranger plants them."""
    file = folder / "secrets.toml"
    file.write_text(text, encoding="utf-8")
    file.chmod(mode)
    return file


def test_the_environment_comes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put_in_keys(tmp_path, '[targets.table]\nkey = "from-the-file"\n')
    assert read_and_bind_key(tmp_path, "table", HERE) == "from-the-file"
    monkeypatch.setenv("STRIKE_TABLE_KEY", "from-outside")
    assert read_and_bind_key(tmp_path, "table", HERE) == "from-outside"
    assert ensure_table_key(tmp_path, "table") == "from-outside"


def test_a_key_is_made_once_and_nobody_else_can_read_it(tmp_path: Path) -> None:
    with pytest.raises(CampaignProblem, match="no key for table") as problem:
        read_and_bind_key(tmp_path, "table", HERE)
    assert "strike table" in problem.value.hint
    found: list[str] = []
    make = [
        threading.Thread(target=lambda: found.append(ensure_table_key(tmp_path, "table", 4747)))
        for _ in "four"
    ]
    for thread in make:
        thread.start()
    for thread in make:
        thread.join()
    assert len(set(found)) == 1
    assert len(found[0]) >= 40
    assert read_and_bind_key(tmp_path, "table", HERE) == found[0]
    if os.name == "posix":
        assert stat.S_IMODE(keys_file(tmp_path).stat().st_mode) == 0o600
    assert not [*tmp_path.glob("secrets*")]


def test_what_stands_in_the_file_stays(tmp_path: Path) -> None:
    text = (
        '# mine\n[targets.discord]\nkey = "abc" # old\n\n[targets.table] # here\nnote = "x"\n[other]\na = 1\n'
    )
    file = put_in_keys(tmp_path, text)
    key = ensure_table_key(tmp_path, "table")
    assert file.read_text(encoding="utf-8") == text.replace(
        "# here\n", f'# here\nkey = "{key}"\nport = "0"\n'
    )
    more = ensure_table_key(tmp_path, "my table", HERE.port)
    assert read_and_bind_key(tmp_path, "my table", HERE) == more
    assert read_and_bind_key(tmp_path, "discord", HERE) == "abc"


def test_a_file_that_cannot_be_added_to_is_left_alone(tmp_path: Path) -> None:
    text = 'targets = { table = { note = "x" } }\n'
    file = put_in_keys(tmp_path, text)
    with pytest.raises(CampaignProblem, match="can't be added to"):
        ensure_table_key(tmp_path, "table")
    assert file.read_text(encoding="utf-8") == text


@pytest.mark.skipif(os.name != "posix", reason="modes are POSIX")
def test_a_file_that_others_can_read_is_refused(tmp_path: Path) -> None:
    for mode in [0o640, 0o604, 0o660]:
        with case(mode):
            put_in_keys(tmp_path, '[targets.table]\nkey = "open-secret"\n', mode)
            for ask in (
                lambda: read_and_bind_key(tmp_path, "table", HERE),
                lambda: ensure_table_key(tmp_path, "table"),
            ):
                with pytest.raises(CampaignProblem, match="can be read by others") as problem:
                    ask()
                assert "chmod 600" in problem.value.hint
                assert "open-secret" not in problem.value.message


def test_what_is_no_key_is_refused_without_being_shown(tmp_path: Path) -> None:
    for line in ["key = 5", 'key = "ü-secret"', 'key = "a\\nb-secret"', 'key = " "', 'key "secret']:
        with case(line):
            put_in_keys(tmp_path, f"[targets.table]\n{line}\n")
            with pytest.raises(CampaignProblem) as problem:
                read_and_bind_key(tmp_path, "table", HERE)
            assert "secret" not in problem.value.message


STRANGERS = """
[targets.table]
key = "a-strangers-key"
[targets.foundry]
key = "a-strangers-too"
address = "https://relay.example"
[serve]
key = "a-strangers-door"
[players]
vex = "a-strangers-link"
"""


def ways_in(folder: Path) -> list[Callable[[], object]]:
    return [
        lambda: ensure_table_key(folder, "table", 4747),
        lambda: read_and_bind_key(folder, "foundry", Origin("https", "relay.example", 443)),
        lambda: read_link_secrets_with_withdrawn(folder),
        lambda: ensure_serve_key(folder),
    ]


@pytest.mark.parametrize("which", range(4))
@pytest.mark.parametrize("own", [False, True])
def test_keys_that_come_with_a_folder_are_refused_and_named(tmp_path: Path, which: int, own: bool) -> None:
    """Whether this machine has keys for the folder already or not."""
    if own:
        ensure_table_key(tmp_path, "table", 4747)
    planted = written(tmp_path, STRANGERS)
    with pytest.raises(CampaignProblem) as problem:
        ways_in(tmp_path)[which]()
    for words in ("key of table", "key of foundry", "key of `strike serve`", "players' links"):
        assert words in problem.value.message
    assert "stranger" not in problem.value.message
    assert f"rm {planted}" in problem.value.hint
    planted.unlink()
    written(tmp_path, '[targets.foundry]\nkey = "a-strangers-too"\n')
    with pytest.raises(CampaignProblem, match="key of foundry"):
        ways_in(tmp_path)[which]()
    planted.unlink()
    assert ensure_serve_key(tmp_path)[0] != "a-strangers-door"
    assert read_link_secrets_with_withdrawn(tmp_path) == {}


def older(folder: Path, key: str) -> Path:
    """Keys as an earlier strike kept them, which noted that it had made the table's."""
    state = consent.machine_state_folder()
    state.mkdir(parents=True, exist_ok=True)
    known = {"schema": 1, "agreed": [], "made": [hashlib.sha256(key.encode()).hexdigest()]}
    (state / "agreed.json").write_text(json.dumps(known), "utf-8")
    (state / "agreed.json").chmod(0o600)
    text = f'# mine\n[targets.table]\nkey = "{key}"\n[serve]\nkey = "door"\n[players]\nvex = "link"\n'
    return written(folder, text)


def test_keys_that_this_machine_made_are_brought_over_once(tmp_path: Path) -> None:
    first, copy = tmp_path / "first", tmp_path / "copy"
    first.mkdir()
    old = older(first, "made-here")
    shutil.copytree(first, copy)
    assert ensure_table_key(first, "table", 4747) == "made-here"
    assert (read_link_secrets_with_withdrawn(first), ensure_serve_key(first)[0]) == ({"vex": "link"}, "door")
    assert not old.exists()
    assert "# mine" in keys_file(first).read_text("utf-8")
    assert last_origin_if_own_table(first, "table", HERE) == HERE
    with pytest.raises(CampaignProblem, match="came with this folder"):
        ensure_table_key(copy, "table", 4747)
    shutil.copy(copy / "secrets.toml", old)  # a backup that is restored: nothing new stands in it
    assert ensure_serve_key(first)[0] == "door" and not old.exists()


def test_a_folder_that_is_moved_or_copied_has_no_keys(tmp_path: Path) -> None:
    first, copy, moved = tmp_path / "first", tmp_path / "copy", tmp_path / "moved"
    first.mkdir()
    keys = {ensure_table_key(first, "table", 4747), ensure_serve_key(first)[0]}
    shutil.copytree(first, copy)
    keys |= {ensure_table_key(copy, "table", 4747), ensure_serve_key(copy)[0]}
    first.rename(moved)
    keys |= {ensure_table_key(moved, "table", 4747), ensure_serve_key(moved)[0]}
    assert len(keys) == 6


def test_loopback_is_an_address_with_its_port(tmp_path: Path) -> None:
    """What listens at another port of this machine gets no key unasked, and not the table's when asked."""
    key = ensure_table_key(tmp_path, "table", 4747)
    for port in (4747, 4748):
        for host in ("127.0.0.1", "localhost", "::1"):
            named = Origin("http", host, port)
            assert last_origin_if_own_table(tmp_path, "table", named) == named._replace(port=4747)
    assert last_origin_if_own_table(tmp_path, "table", Origin("http", "192.0.2.1", 4747)) is None
    with pytest.raises(CampaignProblem, match="is not sent to http://127.0.0.1:4748"):
        read_and_bind_key(tmp_path, "table", HERE._replace(port=4748))
    assert ensure_table_key(tmp_path, "table", 4748) == key, "served there now"
    assert last_origin_if_own_table(tmp_path, "table", HERE) == HERE._replace(port=4748)
    settings = settings_from_unchecked_table("table", {"kind": "table", "url": "http://127.0.0.1:4747"})
    assert make_target_checking_consent(tmp_path, settings).address == "http://127.0.0.1:4748", (
        "where it is served last"
    )
    assert ensure_table_key(tmp_path, "table", 4748, replace_if_made_here=True) != key
