"""state.toml mended by hand: a valid edit is journaled and can be undone; any other one is refused."""

from __future__ import annotations

import shutil
import tomllib
from pathlib import Path

import pytest
from campaign.conftest import Strike, refused
from campaign.evening import contents, edit_state, entries, faults_found, fold, make, torn, written_state

from strike_cli.campaign import Campaign
from strike_cli.cli.app import run_command_line_or_complete


@pytest.fixture(scope="module")
def evening(_environment: None, _own_cache: None, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A campaign in the middle of a fight, with a decision open."""
    folder = make(tmp_path_factory.mktemp("evening") / "causeway")
    for words in (
        "session start",
        "combat start ford",
        "combat initiative --dice 6,5,4,3",
        "combat turn",
        "combat status add goblin dazed",
        "roll skill vex Hauling --dice 6",
    ):
        assert run_command_line_or_complete([*words.split(), "-C", str(folder)]) in (0, 6), words
    return folder


@pytest.fixture
def played(evening: Path, folder: Path) -> Path:
    """A copy of that evening."""
    return shutil.copytree(evening, folder, dirs_exist_ok=True)


VALID = {
    "a number": ("ap = 1", "ap = 3", ["characters.brann.ap"]),
    "a text": ('goal = "Get across"', 'goal = "Get the cart across"', ["fight.goal"]),
    "a key more": ("ap = 1", 'ap = 1\nskills_learned = ["Rowing"]', ["characters.brann.skills_learned"]),
    "a table more": ("[fight]\n", '[characters.vex]\nconditions = ["core:winded"]\n\n[fight]\n',
        ["characters.vex"]),
    "a key less": ('goal = "Get across"\n', "", ["fight.goal"]),
    "two at once": ('title = ""\n', 'title = "The ford"\nstarted = "later"\n',
        ["session.started", "session.title"]),
}  # fmt: skip


@pytest.mark.parametrize("case", VALID)
def test_an_edit_is_seen_journaled_and_can_be_undone(case: str, played: Path, strike: Strike) -> None:
    old, new, paths = VALID[case]
    if "started" in new:
        line = next(
            line for line in (played / "state.toml").read_text().splitlines() if line.startswith("started")
        )
        edit_state(played, line + "\n", "")
    had, before = entries(played), fold(entries(played))
    edit_state(played, old, new)
    edited, on_disk = written_state(played), contents(played)
    assert edited != before

    # Whoever looks sees it, and leaves it at that.
    with Campaign(played) as campaign:
        assert campaign.state == edited
    assert strike("status").code == 0
    assert contents(played) == on_disk

    # The next command that writes journals it first.
    said = strike("roll die")
    assert said.code == 0
    assert "edited by hand" in said.err
    assert "strike undo" in said.err
    after = entries(played)
    assert [entry["command"] for entry in after[len(had) :]] == ["hand edit", "roll die"]
    (fact,) = after[len(had)]["facts"]
    assert fact["kind"] == "edited"
    assert sorted(change[0] for change in fact["changes"]) == paths
    assert fold(after) == written_state(played) == edited
    assert faults_found(played) == []

    # Undo takes it back, redo gives it again.
    assert strike("undo 2").code == 0
    assert written_state(played) == before
    assert strike("redo 2").code == 0
    assert written_state(played) == edited
    assert strike("replay --verify").code == 0


INVALID = {
    "broken": ("hp = 6", "hp = = 6", "not valid TOML", "line"),
    "text for a number": ("hp = 6", 'hp = "ten"', "fight.combatants.vex.hp", "whole number"),
    "fraction": ("hp = 6", "hp = 5.5", "fight.combatants.vex.hp", "whole number"),
    "endless": ("hp = 6", "hp = inf", "fight.combatants.vex.hp", "number"),
    "a day": ('title = ""', "title = 2026-01-31", "session.title", "text"),
    "unknown status": ('id = "core:dazed"', 'id = "core:dased"', "statuses[1].id",
        "Did you mean 'core:dazed'?"),
    "unknown duration": ('ends = "save"', 'ends = "sometime"', "statuses[1].ends", "'escape'"),
    "unknown character": ("[characters.brann]", "[characters.bran]", "characters.bran",
        "Did you mean 'brann'?"),
    "unknown key": ("round = 1", "rounds = 1", "fight.rounds", "Did you mean 'round'?"),
    "missing key": ("round = 1\n", "", "fight.round", "missing"),
    "negative": ("ap = 1", "ap = -1", "characters.brann.ap", "0 or more"),
    "nobody's turn": ('active = "vex"', 'active = "sela"', "fight.active", "'sela' is not in the fight"),
    "nobody's interrupt": ('active = "vex"', 'active = "vex"\ninterrupt = "sela"', "fight.interrupt",
        "'sela' is not in the fight"),
    "nobody's place": ('    "brann",\n', '    "sela",\n', "fight.order", "'sela' is not in the fight"),
    "no square": ('at = "B2"', 'at = "2B"', "fight.combatants.vex.at", "a square like C7"),
    "no terrain": ("#P.~..#".replace("P", "."), "#..X..#", "fight.map.rows", "a row of"),
    "not a table": ("[characters.brann]\nap = 1", "[characters]\nbrann = 1", "characters.brann", "a table"),
    "a dotted key": ("[characters.brann]", '[characters."brann.oxley"]', "brann.oxley", "contain a dot"),
    "a decision": ("n = 1\n", "n = 50\n", "pending.roll vex", "`strike choose OPTION` answers it"),
    "actions": ("[fight.map]", '[fight.turn]\nattack = "no"\n\n[fight.map]', "fight.turn.attack",
        "whole number"),
}  # fmt: skip


@pytest.mark.parametrize("case", INVALID)
def test_an_edit_that_can_not_be_right_is_refused_with_its_path(
    case: str, played: Path, strike: Strike
) -> None:
    old, new, path, why = INVALID[case]
    edit_state(played, old, new)
    for words in ("roll die", "status", "undo"):
        refused(strike, played, words, "state.toml", path, why, hint="Fix it, or move it away")

    # The remedy works: moved away, it is rebuilt.
    (played / "state.toml").rename(played / "state.bad")
    assert strike("roll die").code == 0
    assert faults_found(played) == []


def test_a_plain_state_may_be_mended_with_a_windows_editor(played: Path, strike: Strike) -> None:
    text = (played / "state.toml").read_text()
    (played / "state.toml").write_bytes(
        text.replace("ap = 1", "ap = 2").replace("\n", "\r\n").encode("utf-8-sig")
    )
    said = strike("roll die")
    assert said.code == 0, said.err
    assert entries(played)[-2]["facts"][0]["changes"] == [["characters.brann.ap", 1, 2]]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("ap = 1", "ap  =  1"),
        ("ap = 1", "# two would be too many\nap = 1"),
        ("[characters.brann]\nap = 1", "[characters]\nbrann = { ap = 1 }"),
        ("\n", "\r\n"),
        ("seq = 6", "seq = 6 # the last one"),
    ],
    ids=["whitespace", "comment", "another notation", "line ends", "comment below"],
)
def test_an_edit_that_changes_nothing_is_taken_quietly(
    old: str, new: str, played: Path, strike: Strike
) -> None:
    had = len(entries(played))
    text = (played / "state.toml").read_text()
    assert old in text
    (played / "state.toml").write_bytes(text.replace(old, new).encode())
    before = contents(played)
    said = strike("status")
    assert (said.code, said.err) == (0, "")
    assert contents(played) == before
    said = strike("roll die")
    assert (said.code, said.err) == (0, "")
    assert [entry["command"] for entry in entries(played)[had:]] == ["roll die"]
    assert faults_found(played) == []


def test_a_state_that_was_deleted_is_rebuilt_and_said_to_be(played: Path, strike: Strike) -> None:
    before = (played / "state.toml").read_bytes()
    (played / "state.toml").unlink()
    on_disk = contents(played)
    said = strike("status")
    assert said.code == 0
    assert "state.toml was missing; it is rebuilt from the journal." in said.err
    assert contents(played) == on_disk
    strike("choose bonus")
    strike("undo")
    assert strike("status").err == ""
    (played / "state.toml").unlink()
    assert strike("redo").code == 0
    strike("undo")
    assert fold(entries(played)) == written_state(played)
    head = "\n[strike]\n"
    assert (played / "state.toml").read_text().partition(head)[0] in before.decode()


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("seq = 6", "seq = 2"),
        ("commands = 6", "commands = 60"),
        ("seed = 11", "seed = 12"),
        ("last = [", "last_one = ["),
        ('check = "', 'check = "0'),
        ("end = [", "redo = []\nend = ["),
    ],
)
def test_the_tools_own_bookkeeping_is_taken_from_the_journal_where_somebody_edited_it(
    old: str, new: str, played: Path, strike: Strike, tmp_path: Path
) -> None:
    twin = shutil.copytree(played, tmp_path / "twin")
    state, mark, kept = (played / "state.toml").read_text().partition("\n[strike]\n")
    assert old in kept
    (played / "state.toml").write_text(state + mark + kept.replace(old, new, 1))
    for words in ("choose bonus", "roll die 3d6", "undo"):
        assert strike(words).code == strike(words, twin).code == 0
    mine, theirs = (tomllib.loads((folder / "state.toml").read_text()) for folder in (played, twin))
    for kept in (mine["strike"], theirs["strike"]):  # hashes of lines, whose tables have another order
        del kept["after"], kept["check"]
    assert mine == theirs
    assert faults_found(played) == []


def test_bookkeeping_of_entries_that_are_not_there_is_refused(played: Path, strike: Strike) -> None:
    edit_state(played, "seq = 6", "seq = 60")
    refused(strike, played, "roll die", "shorter than state.toml remembers")


@pytest.mark.parametrize("line", ["seq = true", "", 'seq = "six"'])
def test_bookkeeping_that_is_damaged_is_named(line: str, played: Path, strike: Strike) -> None:
    edit_state(played, "seq = 6\n", line + "\n")
    refused(strike, played, "roll die", "[strike] is damaged", hint="move it away")


# An edit and a crash


def _behind(folder: Path, strike: Strike, *commands: str) -> None:
    """Commands that were recorded in the journal, and killed before they could replace state.toml."""
    old = (folder / "state.toml").read_bytes()
    for words in commands:
        assert strike(words).code in (0, 6)
    (folder / "state.toml").write_bytes(old)


def test_an_edit_after_a_crash_keeps_both(played: Path, strike: Strike) -> None:
    strike("choose bonus")
    _behind(played, strike, "combat damage vex 2", "combat damage brann 1")
    edit_state(played, "ap = 1", "ap = 2")
    with Campaign(played) as campaign:
        assert campaign.state["fight"]["combatants"]["vex"]["hp"] == 4
        assert campaign.state["characters"]["brann"]["ap"] == 2
    assert strike("roll die").code == 0
    after = entries(played)
    assert [entry["command"] for entry in after[-4:]] == [
        "combat damage",
        "combat damage",
        "hand edit",
        "roll die",
    ]
    assert after[-2]["facts"][0]["changes"] == [["characters.brann.ap", 1, 2]]
    assert written_state(played) == fold(after)
    assert faults_found(played) == []
    assert strike("replay --verify").code == 0


def test_an_edit_of_what_a_crash_had_changed_too_can_be_undone(played: Path, strike: Strike) -> None:
    """The edit comes last; taking it back gives what the killed command had left."""
    strike("choose bonus")
    _behind(played, strike, "combat damage vex 2")
    edit_state(played, "hp = 6", "hp = 5")
    assert strike("roll die").code == 0
    assert written_state(played)["fight"]["combatants"]["vex"]["hp"] == 5
    assert strike("replay --verify").code == 0
    assert strike("undo 2").code == 0
    assert written_state(played)["fight"]["combatants"]["vex"]["hp"] == 4
    assert strike("undo").code == 0
    assert written_state(played)["fight"]["combatants"]["vex"]["hp"] == 6
    assert faults_found(played) == []


def test_an_edit_of_what_is_gone_meanwhile_is_refused(played: Path, strike: Strike) -> None:
    strike("choose bonus")
    _behind(played, strike, "combat abandon")
    edit_state(played, "hp = 6", "hp = 5")
    refused(strike, played, "roll die", "fight")


def test_an_edit_beside_a_torn_line_keeps_both(played: Path, strike: Strike) -> None:
    edit_state(played, "ap = 1", "ap = 2")
    with open(played / "journal" / "0001.jsonl", "ab") as file:
        file.write(b'{"seq":7,"at"')
    said = strike("roll die")
    assert said.code == 0
    assert "cut off" in said.err
    assert "edited by hand" in said.err
    assert not torn(played)
    assert (played / "journal" / "0001.torn-1").read_bytes() == b'{"seq":7,"at"'
    assert [entry["command"] for entry in entries(played)[-2:]] == ["hand edit", "roll die"]
    assert faults_found(played) == []


def test_an_edit_is_told_even_where_the_command_is_refused(played: Path, strike: Strike) -> None:
    edit_state(played, "ap = 1", "ap = 2")
    said = strike("session start")
    assert said.code == 1
    assert "edited by hand: characters.brann.ap" in said.err
    assert entries(played)[-1]["command"] == "hand edit"


def test_a_refused_edit_leaves_even_a_torn_line_where_it_is(played: Path, strike: Strike) -> None:
    edit_state(played, "ap = 1", "ap = -1")
    with open(played / "journal" / "0001.jsonl", "ab") as file:
        file.write(b'{"seq":7,"at"')
    refused(strike, played, "roll die")


def test_overrides_are_held_to_the_same_rules(played: Path, strike: Strike) -> None:
    before = contents(played)
    for path, value in (
        ("fight.combatants.vex.hp", "ten"),
        ("fight.active", "sela"),
        ("characters.bran.ap", "1"),
        ("plugins.mine.since", "2026-01-31"),
        ("plugins.mine.much", "nan"),
        ("fight.round.x", "1"),
        ("session", "5"),
        ("", "5"),
        ("characters..ap", "5"),
    ):
        said = strike(["override", path, value, "--why", "a test", "--json"])
        assert said.code in (1, 2, 3), path
        assert said.error["message"], path
        assert said.error["hint"], path
        assert contents(played) == before, path
