"""Files that are broken or newer than this strike: file and key named, a remedy given, nothing written."""

from __future__ import annotations

import json
import shutil
from functools import reduce
from pathlib import Path

import pytest
from campaign.conftest import Strike, refused
from campaign.evening import TEXT, contents, edit_state, entries, faults_found, fold, make, written_state
from support.cases import case
from support.cli import Once
from support.thorough import few_of

from strike_cli.campaign import Campaign
from strike_cli.kernel.state_changes import apply_fact

COMMANDS = ("roll die", "status", "undo", "combat start ford")


# campaign.toml

CAMPAIGN = {
    # what is written wrong: (old, new, what the message must name)
    "broken TOML": ('name = "Goblin"', 'name = "Goblin', ["campaign.toml", "line 23"]),
    "unknown key": ("[characters.vex]", "[charakters.vex]", ["campaign.toml: charakters", "'characters'"]),
    "unknown key of a character": ("hp = 6\nmelee", "hitpoints = 6\nmelee", ["characters.vex.hitpoints"]),
    "nearly a key": ('powers = ["flare"]', 'power = ["flare"]', ["vex.power", "Did you mean 'powers'?"]),
    "text for a number": ("hp = 3", 'hp = "three"', ["creatures.goblin.hp", "whole number", "'three'"]),
    "number for text": ('name = "Goblin"', "name = 3", ["creatures.goblin.name", "text in quotes"]),
    "list for text": ('name = "Goblin"', 'name = ["Goblin"]', ["creatures.goblin.name", "a list"]),
    "text for a list": ('powers = ["flare"]', 'powers = "flare"', ["characters.vex.powers", "a list in [ ]"]),
    "number for a table": ("[creatures.goblin]", "[creatures]\ntroll = 3\n[creatures.goblin]",
        ["creatures.troll"]),
    "too high": ("size = 2", "size = 20", ["creatures.ox.size", "from 1 to 6"]),
    "a name missing": ('name = "Goblin"\n', "", ["creatures.goblin.name", "missing"]),
    "a bad id": ("[creatures.goblin]", '[creatures."gob.lin"]', ["creatures.gob.lin", "an id"]),
    "schema missing": ("schema = 1\n", "", ["campaign.toml: schema: missing", "schema = 1"]),
    "schema newer": ("schema = 1", "schema = 2", ["campaign.toml", "schema = 2 is newer"]),
    "schema of another kind": ("schema = 1", 'schema = "one"', ["campaign.toml: schema"]),
    "schema of no kind": ("schema = 1", "schema = true", ["campaign.toml: schema"]),
    "include missing": ("seed = 11", 'include = ["people.toml"]', ["campaign.toml: include", "people.toml"]),
    "include of no list": ("seed = 11", 'include = "people.toml"',
        ["campaign.toml: include", "list of paths"]),
    "include from the root": ("seed = 11", 'include = ["/etc/*.toml"]',
        ["campaign.toml: include", "/etc/*.toml"]),
    "include of nothing": ("seed = 11", 'include = [""]', ["campaign.toml: include"]),
    "seed of letters": ("seed = 11", 'seed = "eleven"', ["campaign.toml: seed", "whole number"]),
    "unknown house rule": ("[characters.vex]", "[house]\nblodied = 1\n[characters.vex]",
        ["house.blodied", "'bloodied'"]),
    "bad house rule": ("[characters.vex]", '[house]\nbloodied = "always"\n[characters.vex]',
        ["house.bloodied", "'half-or-less'"]),
    "house rule too high": ("[characters.vex]", "[house]\nap_carry_over = 50\n[characters.vex]",
        ["house.ap_carry_over", "from 0 to 10"]),
    "house of no rules": ("seed = 11", "house = 3", ["campaign.toml: house"]),
    "unknown sign on the map": ("#.g.O.#", "#.g.O.X", ["encounters.ford.map", "row 3, column 7", "'X'"]),
    "too large for the map": ("size = 2", "size = 3",
        ["encounters.ford.map", "ox at E3 needs 3 x 3 squares"]),
    "too near on the map": ("#.g.O.#", "#..Og.#", ["encounters.ford.map", "ox at D3", "goblin is there"]),
    "nowhere on the map": ('g = "goblin"', 'g = "goblin", z = "ox"', ["encounters.ford.place.z", "nowhere"]),
    "terrain for a sign": ('g = "goblin"', '"#" = "goblin"', ["encounters.ford.place.#", "terrain"]),
    "unknown creature": ('g = "goblin"', 'g = "gobblin"', ["encounters.ford.place.g", "'goblin'"]),
    "unknown power": ('powers = ["flare"]', 'powers = ["flair"]',
        ["characters.vex.powers", "'flair'", "'flare'"]),
    "unknown status": ('status = "dazed"', 'status = "dased"', ["powers.flare.effect[1].status", "'dazed'"]),
    "status without a name": ('do = "apply", status = "dazed",', 'do = "apply",',
        ["powers.flare.effect[1]", "status"]),
    "unknown effect": ('do = "push"', 'do = "shove"', ["powers.hook.effect[1].do", "'push'"]),
    "push without squares": ('do = "push", amount = 2', 'do = "push"', ["powers.hook.effect[1]", "amount"]),
    "plugins of no list": ("seed = 11", "plugins = 3", ["campaign.toml: plugins"]),
    "bridge of no table": ("seed = 11", "bridge = 3", ["campaign.toml: bridge"]),
    "unknown bridge key": ("seed = 11", "bridge = { target = 3 }",
        ["bridge.target", "Did you mean 'targets'?"]),
}  # fmt: skip


@pytest.mark.parametrize("case", few_of(CAMPAIGN))
def test_a_mistake_in_the_campaign_names_file_and_key(case: str, strike: Strike, tmp_path: Path) -> None:
    old, new, named = CAMPAIGN[case]
    assert old in TEXT
    folder = make(tmp_path / "broken", TEXT.replace(old, new, 1))
    for words in ("roll skill vex Climbing", "status"):
        hint = refused(strike, folder, words, "campaign.toml", *named)["hint"]
        assert any(word in hint for word in ("Mend", "Fix", "Upgrade"))
    found = strike("doctor", folder)
    assert found.code == 3
    assert all(word in found.out for word in named), found.out


def test_every_mistake_is_told_at_once(strike: Strike, tmp_path: Path) -> None:
    text = (
        TEXT.replace("hp = 3", 'hp = "three"').replace("size = 2", "size = 20").replace('"flare"', '"flair"')
    )
    named = ("creatures.goblin.hp", "creatures.ox.size", "characters.vex.powers")
    refused(strike, make(tmp_path / "broken", text), "status", *named)


@pytest.mark.parametrize("words", COMMANDS)
def test_a_campaign_that_breaks_in_the_middle_of_play_is_played_as_it_was(
    words: str, folder: Path, strike: Strike
) -> None:
    """Every command says what is wrong, and that it isn't in effect yet; the next one without a fault is."""
    for played in ("session start", "combat start ford"):
        strike(played)
    (folder / "campaign.toml").write_text(TEXT.replace("hp = 3", "hp = = 3"))
    said = strike(words, folder)
    assert said.code in (0, 1), said  # the fight is under way
    assert "line 24" in said.err
    assert "not in effect yet" in said.err
    assert "line 24" in strike("doctor", folder).out
    make(folder)
    assert strike("undo").code == 0
    assert faults_found(folder) == []


def test_each_entry_is_replayed_with_the_campaign_of_then(folder: Path, strike: Strike) -> None:
    """A name, HP or a creature that has gone since is no difference; nor is a fault."""
    for played in ("session start", "combat start ford"):
        strike(played)
    for now in (
        TEXT.replace("Goblin", "Hobgoblin").replace("hp = 3", "hp = 7"),
        TEXT.replace("hp = 3", "hp =="),
    ):
        (folder / "campaign.toml").write_text(now)
        strike("roll die")
        replayed = strike("replay --verify --json").json["data"]
        assert replayed["differences"] == []
        assert replayed["reworded"] == 0
    assert len(list((folder / "journal").glob("campaign-*.z"))) == 2


def test_mistakes_in_an_included_file_name_that_file(strike: Strike, tmp_path: Path) -> None:
    folder = make(tmp_path / "broken", TEXT.replace("seed = 11", 'include = ["people/*.toml"]'))
    (folder / "people").mkdir()
    (folder / "people" / "sela.toml").write_text("[characters.sela]\nhp = 3\n")
    refused(strike, folder, "status", "people/sela.toml: characters.sela.name: missing")
    (folder / "people" / "sela.toml").write_text('[characters.sela]\nname = "Sela\n')
    # One that can't be read is set aside, and all else is played.
    assert "people/sela.toml is set aside: line 2: a quote is missing" in strike("status", folder).err
    (folder / "people" / "sela.toml").write_text('[characters.vex]\nname = "Vex"\n')
    said = strike("status", folder)
    assert "people/sela.toml: characters.vex: comes from campaign.toml already, which counts" in said.err
    (folder / "people" / "sela.toml").write_bytes(b'[characters.sela]\nname = "S\xe9la"\n')
    assert "people/sela.toml is set aside: it is not UTF-8" in strike("status", folder).err


def test_an_included_file_may_not_include_others(strike: Strike, tmp_path: Path) -> None:
    folder = make(tmp_path / "broken", TEXT.replace("seed = 11", 'include = ["more.toml"]'))
    (folder / "more.toml").write_text('include = ["people.toml"]\n')
    refused(strike, folder, "status", "more.toml: include")


def test_everything_in_the_folder_may_be_included(strike: Strike, tmp_path: Path) -> None:
    """What the tool keeps there is none of it."""
    folder = make(tmp_path / "all", TEXT.replace("seed = 11", 'include = ["*.toml"]'))
    (folder / "sela.toml").write_text('[characters.sela]\nname = "Sela"\n')
    (folder / "secrets.toml").write_text('[table]\nkey = "x"\n')
    for words in ("session start", "roll die", "combat start ford --party sela", "status"):
        assert strike(words, folder).code == 0, strike(words, folder)


def test_a_plugin_that_is_missing_is_said_with_the_nearest(strike: Strike, tmp_path: Path) -> None:
    folder = make(tmp_path / "pinned", TEXT.replace("seed = 11", 'plugins = ["elemments"]'))
    said = strike("status", folder)
    assert said.code == 0
    assert "The plugin 'elemments' is not installed. Did you mean 'elements'?" in said.err


def test_a_campaign_file_with_a_mark_of_a_windows_editor_is_read(strike: Strike, tmp_path: Path) -> None:
    folder = make(tmp_path / "windows")
    (folder / "campaign.toml").write_bytes(TEXT.replace("\n", "\r\n").encode("utf-8-sig"))
    assert strike("combat start ford", folder).code == 0


# state.toml and the journal


@pytest.fixture
def played(folder: Path, strike: Strike, once: Once) -> Path:
    lines = "session start", "combat start ford", "roll die", "session end", "session start", "roll die 3d6"
    once("an evening to break", folder, lambda: [strike(line) for line in lines])
    return folder


def test_a_state_of_a_newer_strike_is_left_alone(played: Path, strike: Strike) -> None:
    edit_state(played, "schema = 1", "schema = 2")
    for words in COMMANDS:
        error = refused(strike, played, words, "state.toml", "schema = 2", hint="Upgrade strike")
        assert "Nothing was changed" in error["hint"]


def test_a_state_that_says_nothing_is_refused_with_the_way_out(played: Path, strike: Strike) -> None:
    for text in ("", "# nothing\n", "[strike]\n", "strike = 3\n", "\x00\x00", "schema = 1\n"):
        with case(text):
            (played / "state.toml").write_text(text)
            refused(strike, played, "roll die", "state.toml", hint="move it away")
            (played / "state.toml").unlink()
            assert strike("roll die").code == 0
            assert faults_found(played) == []


def _line(folder: Path, number: int, text: bytes | None, file: str = "0001.jsonl") -> int:
    """Put something in the place of a line of the journal, or take it away; where it stood."""
    path = folder / "journal" / file
    lines = path.read_bytes().splitlines(keepends=True)
    start = sum(map(len, lines[:number]))
    lines[number : number + 1] = [] if text is None else [text]
    path.write_bytes(b"".join(lines))
    return start


_ENTRY = (
    b'{"seq":2,"at":"2026-11-01T20:00:00Z","session":1,"n":1,"command":"roll die","args":{},'
    b'"answers":[],"facts":[%s],"note":"%s"}\n'
)
_FACT = b'{"kind":"skill-roll","who":"vex","text":"","changes":[],%s}'
_ROLL = b'{"purpose":"","mode":"","who":"vex","sources":[],"modifiers":[],%s}'
GARBAGE = {
    "no JSON": b"garbage\n",
    "no entry": b'{"seq": 2}\n',
    "no object": b"[1, 2]\n",
    "no text": b"\xff\xfe\xfd\n",
    "half of a character": _ENTRY % (b"", b"\xed\xa0\x80"),
    "half of a character, as JSON writes it": _ENTRY % (b"", rb"\ud800"),
    "of two bytes a letter": (_ENTRY % (b"", b"x")).decode().encode("utf-16-le"),
    "parts of a list": _ENTRY % (_FACT % b'"parts":[]', b""),
    "faces of text": _ENTRY % (_FACT % b'"roll":%s' % (_ROLL % b'"sides":6,"faces":["6"]'), b""),
    "a die without sides": _ENTRY % (_FACT % b'"roll":%s' % (_ROLL % b'"faces":[6]'), b""),
    "empty": b"\n",
    "half": b'{"seq":2,"at":"2026\n',
}


@pytest.mark.parametrize("case", few_of(GARBAGE))
def test_a_line_of_the_journal_that_is_garbage_is_named_where_it_is_needed(
    case: str, played: Path, strike: Strike
) -> None:
    text = GARBAGE[case]
    size = (played / "journal" / "0001.jsonl").stat().st_size
    start = _line(played, 1, text)
    grown = (played / "journal" / "0001.jsonl").stat().st_size - size
    assert grown
    for words in ("replay --verify", "log --session 1", "session list"):
        named = f"journal/0001.jsonl, byte {start}: this line is not a journal entry"
        refused(strike, played, words, named, hint="doctor --mend")
    found = strike("doctor")
    assert found.code == 3
    assert "journal/0001.jsonl" in found.out
    # Play that doesn't need it goes on; nobody must stop an evening for it.
    assert strike("roll die").code == 0
    assert strike("status").code == 0
    # What was lost is not made up: without state.toml the journal is needed whole.
    (played / "state.toml").unlink()
    refused(strike, played, "roll die", "not a journal entry")
    assert strike("doctor --mend").code == 0
    assert strike("roll die").code == 0


def test_line_ends_of_windows_are_put_back(played: Path, strike: Strike) -> None:
    """Git and programs for sharing files may turn them round: no byte of an entry is lost."""
    before = contents(played)
    for file in (played / "journal").glob("*.jsonl"):
        file.write_bytes(file.read_bytes().replace(b"\n", b"\r\n"))
    refused(strike, played, "roll die", hint="doctor --mend")
    assert strike("doctor").code == 3
    assert "Windows line ends are replaced" in strike("doctor --mend").out
    assert contents(played) == before
    assert strike("roll die").code == 0
    assert faults_found(played) == []


def test_undo_stops_at_garbage(played: Path, strike: Strike) -> None:
    text = (played / "journal" / "0002.jsonl").read_bytes()
    (played / "journal" / "0002.jsonl").write_bytes(b"x" * (len(text) - 1) + b"\n")
    for words in ("undo", "roll die", "status"):
        named = "state.toml belongs to another journal: entry 6"
        refused(strike, played, words, named, hint="doctor --mend")


def test_a_journal_cut_short_is_told(played: Path, strike: Strike) -> None:
    path = played / "journal" / "0002.jsonl"
    path.write_bytes(path.read_bytes()[:-40])
    named = "journal/0002.jsonl is shorter than state.toml remembers"
    for words in COMMANDS:
        refused(strike, played, words, named, hint="Put the journal back from a copy")
    # The way out that the hint gives.
    (played / "state.toml").rename(played / "state.old")
    assert strike("roll die").code == 0
    assert written_state(played) == fold(entries(played))
    assert faults_found(played) == []


def test_a_line_taken_from_the_middle_is_found_by_the_doctor(played: Path, strike: Strike) -> None:
    _line(played, 1, None)
    found = strike("doctor")
    assert found.code == 3
    assert "entry 3 follows 1" in found.out


def test_a_whole_file_taken_from_the_journal_is_found_by_the_doctor(played: Path, strike: Strike) -> None:
    (played / "journal" / "0001.jsonl").unlink()
    found = strike("doctor")
    assert found.code == 3
    assert "follows 0" in found.out
    refused(strike, played, "undo 5", "0001.jsonl can't be read")
    assert strike("roll die").code == 0


def test_a_state_of_another_journal_is_refused(played: Path, strike: Strike, tmp_path: Path) -> None:
    """Files of two copies of a campaign mixed up: entries that don't follow are not taken in."""
    path = played / "journal" / "0002.jsonl"
    with Campaign(played) as campaign:
        last = campaign.journal.newest_entries(1)[0]
    line = json.dumps({**last, "seq": last["seq"] + 2}, ensure_ascii=False, separators=(",", ":"))
    path.write_bytes(path.read_bytes() + line.encode() + b"\n")
    named = f"entry {last['seq'] + 2} follows {last['seq']}"
    refused(strike, played, "roll die", named, hint="doctor --mend")


def _edited(before: object, now: object) -> dict[str, object]:
    return {"kind": "edited", "who": "", "text": "", "changes": [["characters.vex", before, now]]}


@pytest.mark.parametrize("together", [False, True], ids=["in two entries", "in one"])
def test_a_wrong_form_that_was_is_told_though_the_state_is_right(
    together: bool, played: Path, strike: Strike
) -> None:
    """Who reads an evening back meets what has been changed since: the entry is named."""
    wrong, right = _edited(None, "x"), _edited("x", None)
    with Campaign(played, writing=True) as campaign:
        first = campaign.head.seq + 1
        for facts in [[wrong, right]] if together else [[wrong], [right]]:
            state = reduce(apply_fact, facts, campaign.state)
            campaign.commit("hand edit", {}, [], facts, state)
    named = f"the content of entry {first} is in a wrong form", "characters.vex: should be a table"
    refused(strike, played, "session report", "journal/0002.jsonl, byte", *named)
    assert strike("status").code == 0


def test_an_older_state_beside_its_journal_is_brought_up(
    played: Path, strike: Strike, tmp_path: Path
) -> None:
    old = shutil.copy(played / "state.toml", tmp_path / "state.toml")
    for words in ("roll die", "session end", "session start", "undo", "roll skill vex Climbing --dice 5"):
        assert strike(words).code == 0
    state = written_state(played)
    shutil.copy(old, played / "state.toml")
    with Campaign(played) as campaign:
        assert campaign.state == state
    assert strike("roll die").code == 0
    assert written_state(played) == state
    assert faults_found(played) == []


# Text that is no text


def test_a_note_of_bytes_that_are_no_text_is_refused(played: Path, strike: Strike) -> None:
    before = contents(played)
    said = strike(["roll", "die", "--note", "caf\udce9", "--json"])
    assert said.code == 2
    assert contents(played) == before


def test_any_text_comes_back_as_it_was_given(played: Path, strike: Strike) -> None:
    for text in ("a\nb", "\x1b[31mred", "tab\there", "\u2028", "日本 🎲", '"quoted" \\', "\x00", "\x7f\r\n"):
        with case(text):
            strike("session end")
            assert strike(["session", "start", "--title", text]).code == 0
            assert written_state(played)["session"]["title"] == text
            assert entries(played)[-1]["args"]["title"] == text
            assert strike("log --last 1").code == 0
            assert faults_found(played) == []
            assert strike("undo").code == 0
            assert strike("redo").code == 0
            assert written_state(played)["session"]["title"] == text


@pytest.mark.slow
def test_where_nothing_was_played_what_needs_no_campaign_goes_on(folder: Path, strike: Strike) -> None:
    file = folder / "campaign.toml"
    file.write_text(file.read_text(encoding="utf-8") + "\nx = = 3\n", encoding="utf-8")
    for words in ("help next", "rule trick", "cheat", f"new {folder}-2", f"backup {folder}.zip",
                  f"restore {folder}.zip {folder}-3"):  # fmt: skip
        assert strike(words).code == 0, words
    line = len(file.read_text(encoding="utf-8").splitlines())
    said = strike("roll d6")
    assert said.code == 0 and f"line {line}: put quotes" in said.err and "not recorded" in said.err
    assert not (folder / "journal").exists()
    for words in ("status", "roll skill vex Climbing", "doctor"):
        said = strike(words)
        assert said.code == 3 and f"line {line}: put quotes" in said.out + said.err, words
