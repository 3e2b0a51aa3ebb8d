"""Campaigns of every version so far are opened, checked, taken back whole and played on; what an earlier
strike made is brought up to this one with a copy of what was.

`tests/data/played` has a folder for each version, as that version left it in the middle of an evening. With a
release comes another: play one with it, and put it there without `.lock` and `secrets.toml`.
"""

from __future__ import annotations

import re
import shutil
import tomllib
from pathlib import Path

import pytest
from conftest import DATA
from support.cli import Strike
from support.documents import ROOT

from strike_cli import __version__
from strike_cli.campaign import Campaign
from strike_cli.campaign.backup import list_backups, restore_backup
from strike_cli.campaign.folder_upgrade import find_outdated_files

VERSIONS = sorted(folder.name for folder in (DATA / "played").iterdir())


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to play in."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture(params=VERSIONS)
def played(request: pytest.FixtureRequest, here: Path) -> Path:
    """A copy of a version's campaign."""
    return Path(shutil.copytree(DATA / "played" / request.param, here / "road"))


def what_stands(folder: Path) -> dict[str, bytes]:
    """Every file of a folder."""
    return {
        file.relative_to(folder).as_posix(): file.read_bytes() for file in folder.rglob("*") if file.is_file()
    }


def test_it_is_opened_and_played_on(played: Path, strike: Strike) -> None:
    with Campaign(played) as campaign:
        assert campaign.notices == []
        before, count = campaign.state, campaign.head.commands
    assert strike.json(f"-C {played} doctor")["ok"]
    strike(f"-C {played} status")
    strike(f"-C {played} roll die 2d6 --dice 3,4")
    strike(f"-C {played} undo {count + 1}")
    with Campaign(played) as campaign:
        assert campaign.state == {}
    strike(f"-C {played} redo {count}")
    with Campaign(played) as campaign:
        assert campaign.state == before


def test_what_it_lacks_is_written_with_a_copy_of_what_was(played: Path, strike: Strike) -> None:
    was = what_stands(played)
    lacking = {change.name for change in find_outdated_files(played)}
    strike(f"-C {played} doctor --upgrade")
    assert find_outdated_files(played) == []
    now = what_stands(played)
    assert {name for name in was if now[name] != was[name]} <= lacking
    copies = list_backups(played)
    assert bool(copies) == bool(lacking)
    for copy in copies:
        restore_backup(copy, played.parent / "copy")
        kept = what_stands(played.parent / "copy")
        assert kept == {file: text for file, text in was.items() if not file.startswith("bridge/")}
    assert strike.json(f"-C {played} doctor")["ok"]


def test_the_first_version_lacks_something(here: Path, strike: Strike) -> None:
    """Doctor says so without minding it, changes nothing by itself, and is content afterwards."""
    road = shutil.copytree(DATA / "played" / "0.1", here / "road")
    was = what_stands(road)
    told = [
        finding
        for finding in strike.json("-C road doctor")["data"]["findings"]
        if "newer forms of" in finding["what"]
    ]
    assert len(told) == 1 and told[0]["ok"] and "--upgrade" in told[0]["hint"]
    assert {**what_stands(road), ".lock": b""} == {**was, ".lock": b""}
    said = strike("-C road doctor --upgrade").out
    assert ".gitattributes: is new, with" in said and "newer forms" not in said
    assert "Nothing needs an upgrade." in strike("-C road doctor --upgrade").out
    assert len(list_backups(road)) == 1


def test_lines_of_one_s_own_stay(in_campaign: Strike, folder: Path) -> None:
    (folder / ".gitignore").write_text("*.bak\nbridge/", encoding="utf-8")
    said = in_campaign("doctor --upgrade").out
    assert ".gitignore: has secrets.toml," in said
    lines = (folder / ".gitignore").read_text(encoding="utf-8").splitlines()
    assert lines[:2] == ["*.bak", "bridge/"] and lines.count("bridge/") == 1 and ".lock" in lines


def test_a_state_in_another_spelling_is_written_anew_and_says_the_same(
    in_campaign: Strike, folder: Path
) -> None:
    """As an earlier strike may have written it: the check at its end is right, so it is no edit by hand."""
    from zlib import crc32

    in_campaign("doctor --upgrade")
    in_campaign("ap give vex")
    file = folder / "state.toml"
    text = (
        file.read_bytes()
        .rpartition(b'check = "')[0]
        .replace(b"# What play has changed", b"# What has changed")
    )
    file.write_bytes(text + b'check = "' + f'{crc32(text):08x}"\n'.encode())
    with Campaign(folder) as campaign:
        before = campaign.state
        assert campaign.notices == []
    assert "state.toml: rewritten in the newest form." in in_campaign("doctor --upgrade").out
    with Campaign(folder) as campaign:
        assert campaign.state == before
    assert find_outdated_files(folder) == []


def test_an_edit_by_hand_is_left_to_the_next_command(in_campaign: Strike, folder: Path) -> None:
    in_campaign("ap give vex")
    file = folder / "state.toml"
    file.write_bytes(file.read_bytes().replace(b"ap = ", b"ap  = "))
    assert "state.toml" not in {change.name for change in find_outdated_files(folder)}


def test_a_new_campaign_lacks_nothing(strike: Strike, here: Path) -> None:
    strike("new road")
    strike("-C road roll die --dice 4")
    assert find_outdated_files(here / "road") == []


def test_copies_get_names_of_their_own(in_campaign: Strike, folder: Path) -> None:
    in_campaign("doctor --upgrade")
    (folder / ".gitignore").write_text("", encoding="utf-8")
    in_campaign("doctor --upgrade")
    assert len(list_backups(folder)) == 2


def test_a_release_says_one_number_everywhere() -> None:
    """What `.github/workflows/release.yml` asks of a tag; until then the changelog has the next one ready."""
    said = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    assert said == __version__
    headings = re.findall(r"^## \[(.+?)\]", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE)
    assert headings[0] == "Unreleased"


def test_doctor_says_what_a_report_needs(in_campaign: Strike) -> None:
    about = in_campaign.json("doctor")["data"]["about"]
    assert about["strike"] == __version__ and list(about) == ["strike", "python", "system"]
    assert __version__ in in_campaign("doctor").out.splitlines()[0]
