"""Keys: where they come from, who may read them, and that they are made once."""

from __future__ import annotations

import os
import stat
import threading
from pathlib import Path

import pytest

from strike_bridge.address import Origin
from strike_bridge.secrets import ensure_key, read_key
from strike_cli.problems import CampaignProblem

HERE = Origin("http", "127.0.0.1", 4747)


@pytest.fixture(autouse=True)
def _no_key_around(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("STRIKE_TABLE_KEY")


def written(folder: Path, text: str, mode: int = 0o600) -> Path:
    file = folder / "secrets.toml"
    file.write_text(text, encoding="utf-8")
    file.chmod(mode)
    return file


def test_the_environment_comes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written(tmp_path, '[targets.table]\nkey = "from-the-file"\n')
    assert read_key(tmp_path, "table", HERE) == "from-the-file"
    monkeypatch.setenv("STRIKE_TABLE_KEY", "from-outside")
    assert read_key(tmp_path, "table", HERE) == "from-outside"
    assert ensure_key(tmp_path, "table") == "from-outside"


def test_a_key_is_made_once_and_nobody_else_can_read_it(tmp_path: Path) -> None:
    with pytest.raises(CampaignProblem, match="no key for table") as problem:
        read_key(tmp_path, "table", HERE)
    assert "strike table" in problem.value.hint
    found: list[str] = []
    threads = [threading.Thread(target=lambda: found.append(ensure_key(tmp_path, "table"))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(found)) == 1
    assert len(found[0]) >= 40
    assert read_key(tmp_path, "table", HERE) == found[0]
    if os.name == "posix":
        assert stat.S_IMODE((tmp_path / "secrets.toml").stat().st_mode) == 0o600


def test_what_stands_in_the_file_stays(tmp_path: Path) -> None:
    text = (
        '# mine\n[targets.discord]\nkey = "abc" # old\n\n[targets.table] # here\nnote = "x"\n[other]\na = 1\n'
    )
    file = written(tmp_path, text)
    key = ensure_key(tmp_path, "table")
    assert file.read_text(encoding="utf-8") == text.replace("# here\n", f'# here\nkey = "{key}"\n')
    more = ensure_key(tmp_path, "my table")
    assert read_key(tmp_path, "my table", HERE) == more
    assert read_key(tmp_path, "discord", HERE) == "abc"


def test_a_file_that_cannot_be_added_to_is_left_alone(tmp_path: Path) -> None:
    text = 'targets = { table = { note = "x" } }\n'
    file = written(tmp_path, text)
    with pytest.raises(CampaignProblem, match="can't be put into"):
        ensure_key(tmp_path, "table")
    assert file.read_text(encoding="utf-8") == text


@pytest.mark.skipif(os.name != "posix", reason="modes are POSIX")
@pytest.mark.parametrize("mode", [0o640, 0o604, 0o660])
def test_a_file_that_others_can_read_is_refused(tmp_path: Path, mode: int) -> None:
    written(tmp_path, '[targets.table]\nkey = "open-secret"\n', mode)
    for ask in (lambda: read_key(tmp_path, "table", HERE), lambda: ensure_key(tmp_path, "table")):
        with pytest.raises(CampaignProblem, match="can be read by others") as problem:
            ask()
        assert "chmod 600" in problem.value.hint
        assert "open-secret" not in problem.value.message


@pytest.mark.parametrize(
    "line", ["key = 5", 'key = "ü-secret"', 'key = "a\\nb-secret"', 'key = " "', 'key "secret']
)
def test_what_is_no_key_is_refused_without_being_shown(tmp_path: Path, line: str) -> None:
    written(tmp_path, f"[targets.table]\n{line}\n")
    with pytest.raises(CampaignProblem) as problem:
        read_key(tmp_path, "table", HERE)
    assert "secret" not in problem.value.message.replace("secrets.toml", "")
