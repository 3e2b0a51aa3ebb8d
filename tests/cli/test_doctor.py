"""`strike doctor` knows all that any other command knows; OK means looked at."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from support.cli import Strike
from support.edits import append_to

from strike_cli.campaign import doctor
from strike_cli.content.system_checks import load_checks
from strike_cli.registry import load_usable_systems
from strike_cli.user_folders_and_cache import load_checked_packaged_file


def wrong(strike: Strike, code: int | None = 3) -> str:
    """What it finds wrong, in one text."""
    findings = strike("doctor --json", code).json["data"]["findings"]
    return "\n".join(finding["what"] for finding in findings if not finding["ok"])


def test_every_table_of_numbers_is_read() -> None:
    load_checked_packaged_file.cache_clear()
    for system in load_usable_systems():
        load_checks(system).check_tables()
    read = load_checked_packaged_file.cache_info().currsize
    assert read == len([*Path(doctor.__file__).parents[1].glob("systems/*/numbers.toml")]) + len(["tags"])


@pytest.mark.parametrize(
    ("file", "text", "said"),
    [
        ("scenes/broken.md", "---\ntitle: Broken\n---\nHello", "scenes/broken.md: line 1"),
        ("scenes/lost.md", '+++\ntables = ["nowhere"]\n+++\n[a way](nowhere.md)\n', "no table 'nowhere'"),
        ("scenes/lost.md", "[a way](nowhere.md)\n", "leads nowhere"),
        ("handouts/letter.txt", "\udc00", "handouts/letter.txt"),
        ("handouts/map.png", "no picture", "handouts/map.png is not a png"),
        ("content/names.toml", "[tables.names", "content/names.toml"),
        ("content/odd.toml", '[characters.odd]\nname = "Od\\nd"\n',
         "content/odd.toml, line 2: characters.odd.name has"),
    ],
)  # fmt: skip
def test_what_is_left_out_or_leads_nowhere_is_found(
    in_campaign: Strike, folder: Path, file: str, text: str, said: str
) -> None:
    path = folder / file
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(text.encode("utf-8", "surrogatepass"))
    assert said in wrong(in_campaign)


def test_a_fight_that_can_not_begin_is_found(in_campaign: Strike, folder: Path) -> None:
    """`combat start` would say it when everybody waits."""
    text = """
[encounters]
crowded = { name = "Crowded", map = "P.", place = { P = "party" }, creatures = { goblin = 9 } }
"""
    assert "can begin" in in_campaign("doctor", None).out
    append_to(folder / "campaign.toml", text)
    assert "Crowded can't begin" in wrong(in_campaign)


def test_what_may_be_meant_so_is_a_warning_and_no_finding(in_campaign: Strike, folder: Path) -> None:
    text = """
[characters.odd]
name = "Odd"
skills = ["Climbing"]
tricks = [{ name = "Up", skill = "Climbng" }, { name = "Down", skill = "climbing" }, "Out"]

[encounters.narrow]
name = "Narrow"
map = "P.\\n..."
place = { P = "party" }
"""
    append_to(folder / "campaign.toml", text)
    ran = in_campaign("doctor --json", 0)
    told = "\n".join(one["what"] for one in ran.json["data"]["findings"] if one["warning"])
    for words in (
        "characters.odd.tricks[1].skill: the sheet has no Skill 'Climbng'. Did you mean 'Climbing'?",
        "encounters.narrow.map: row 1 is shorter than the longest, 3 squares: the missing squares are void",
        "Narrow can begin with at most 1 of the party",
    ):
        assert told.count(words) == 1, told
    assert told.count("odd.tricks") == 1
    assert "\n!  encounters.narrow: " in in_campaign("doctor", 0).out


def test_what_a_bridge_holds_is_found(in_campaign: Strike, folder: Path) -> None:
    """The last error and what is to be reviewed, without asking anybody."""
    target = '[bridge.targets.hook]\nkind = "webhook"\nurl = "http://127.0.0.1:9/in"\n'
    append_to(folder / "campaign.toml", target)
    in_campaign("bridge allow hook", None)
    in_campaign("roll die 1d6 --who vex --dice 3", None)
    in_campaign("bridge push hook", None)
    assert "bridge hook: " in wrong(in_campaign)


def test_what_is_looked_at_is_what_is_said(in_campaign: Strike, folder: Path) -> None:
    """Files that nobody has written are no work of an earlier strike, and prep speaks of scenes alone."""
    (folder / ".gitignore").unlink(missing_ok=True)
    told = in_campaign("doctor", None).out
    assert "earlier strike" not in told
    assert "this version has newer forms of " in told


def test_an_extra_that_is_not_installed_is_a_fault_where_the_campaign_needs_it(
    in_campaign: Strike, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(doctor, "find_spec", lambda module: None if module == "uvicorn" else module)
    said = in_campaign("doctor").out
    assert '"table" is not installed, for `strike table`' in said and "strike-cli[mcp]" in said
    assert "strike-cli[play]" not in said
    append_to(folder / "campaign.toml", '[serve]\norigins = ["https://here.example"]\n')
    assert 'serve.origins: the extra "table" is not installed' in wrong(in_campaign)


def test_a_name_of_several_lines_is_named_and_shown_in_one(strike: Strike, tmp_path: Path) -> None:
    strike(f"new {tmp_path / 'there'} --empty")
    append_to(tmp_path / "there" / "campaign.toml", '\n[characters.ana]\nname = "Ana\\nBanana"\n')
    assert "characters.ana.name has several lines" in strike(f"-C {tmp_path / 'there'} doctor", None).out
    assert "Ana Banana" in strike(f"-C {tmp_path / 'there'} status").out


@pytest.fixture
def script(folder: Path, in_campaign: Strike) -> Path:
    """Three commands that state.toml knows, then a script of six that it doesn't know yet."""
    for face in (1, 2, 3):
        in_campaign(f"roll die --dice {face}")
    shutil.copy(folder / "state.toml", folder / "earlier.toml")
    (folder / "script").write_text("roll die --dice 4\n" * 6, encoding="utf-8")
    in_campaign("batch script")
    shutil.move(folder / "earlier.toml", folder / "state.toml")
    return folder / "journal" / "0001.jsonl"


def punch(journal: Path, entry: int) -> None:
    """A hole of zeros where an entry stood, as a page that never reached the disk."""
    lines = journal.read_bytes().splitlines(keepends=True)
    lines[entry - 1] = b"\0" * (len(lines[entry - 1]) - 1) + b"\n"
    journal.write_bytes(b"".join(lines))


def test_what_stands_behind_the_hole_is_saved_too(in_campaign: Strike, script: Path) -> None:
    punch(script, 7)
    before = script.read_bytes()
    assert "doctor --mend" in in_campaign("status", 3).err
    assert script.read_bytes() == before
    in_campaign("doctor --mend")
    assert [entry["seq"] for entry in in_campaign.json("log")["data"]["entries"]] == list(range(1, 10))
    assert script.with_name("0001.branch-1").read_bytes() == before
    in_campaign("roll die --dice 6")
    in_campaign("replay --verify")


def test_a_whole_journal_is_left_as_it_is(in_campaign: Strike, script: Path) -> None:
    before = script.read_bytes()
    in_campaign("doctor --mend")
    assert script.read_bytes() == before
