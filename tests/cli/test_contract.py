"""What scripts lean on: the JSON envelope, exit codes, where the campaign is found, names, help, batch."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import pytest
import typer
from support.cases import case
from support.cli import Strike
from support.edits import append_to

from strike_cli import registry
from strike_cli.cli.app import app as root

ENVELOPE = ["schema", "ok", "command", "seq", "data", "facts", "pending"]
FAILURE = ["schema", "ok", "command", "error"]
ROLL = {
    "purpose": str, "who": str, "sides": int, "faces": list, "mode": str, "kept": int,
    "modifiers": list, "total": int, "sources": list,
}  # fmt: skip


def fits(value: Any, form: Any) -> bool:
    """Whether a value has the promised keys with values of the promised kinds; more keys are welcome."""
    if isinstance(form, dict):
        return isinstance(value, dict) and all(key in value and fits(value[key], form[key]) for key in form)
    if isinstance(form, list):
        return isinstance(value, list) and all(fits(item, form[0]) for item in value)
    if isinstance(form, tuple):
        return any(fits(value, kind) for kind in form)
    if isinstance(form, type):
        return type(value) is form
    return bool(value == form)


def is_roll(value: Any) -> bool:
    """A roll with just the keys that the contract names, in their order."""
    return list(value) == list(ROLL) and fits(value, ROLL)


# --- the envelope


@pytest.mark.parametrize(
    ("line", "command", "form"),
    [
        ("roll die --dice 4", "roll die", {"rolls": [ROLL]}),
        ("roll die 3d20 --dice 4,20,1", "roll die", {"rolls": [ROLL]}),
        (
            "roll skill vex climbing --dice 4,3 --adv rope --help-from odo:skilled --help-dice 6",
            "roll skill",
            {
                "skilled": True, "roll": ROLL, "helpers": [{"name": "odo", "roll": ROLL, "added": int}],
                "total": 5, "outcome": "success", "bonus": False, "costs": 0, "can_learn": False,
            },
        ),
        (
            "roll opposed vex sneaking --against goblin watching --dice 6,2",
            "roll opposed",
            {
                "ours": ROLL, "theirs": ROLL, "winner": "ours", "margin": 4, "complete": True,
                "loser_options": [],
            },
        ),
        (
            "roll opposed vex sneaking --dice 4,4 --choose stand",
            "roll opposed",
            {
                "ours": ROLL, "theirs": ROLL, "winner": None, "margin": 0, "complete": False,
                "loser_options": [],
            },
        ),
        ("odds skill vex climbing", "odds skill",
         {"outcomes": [{"outcome": str, "bonus": bool, "costs": int, "probability": str, "p": float}]}),
        (
            "odds opposed vex sneaking",
            "odds opposed",
            {
                "outcomes": [
                    {"winner": (str, None), "margin": int, "complete": bool, "probability": str, "p": float}
                ],
            },
        ),
    ],
)  # fmt: skip
def test_what_rolls_and_odds_give(in_campaign: Strike, line: str, command: str, form: Any) -> None:
    """STR-CORE-02, 03, 16: one object on stdout with the promised keys in their order, nothing on stderr."""
    ran = in_campaign(f"{line} --json")
    envelope = ran.json
    assert ran.out.count("\n") == 1
    assert ran.err == ""
    assert list(envelope) == ENVELOPE
    assert [envelope[key] for key in ("schema", "ok", "command", "pending")] == [1, True, command, None]
    assert envelope["seq"] == (None if command.startswith("odds") else 1)
    assert fits(envelope["data"], form), envelope["data"]
    rolls = [envelope["data"][key] for key in ("roll", "ours", "theirs") if key in envelope["data"]]
    rolls += envelope["data"].get("rolls", [])
    rolls += [helper["roll"] for helper in envelope["data"].get("helpers", [])]
    assert all(map(is_roll, rolls))
    for fact in envelope["facts"]:
        assert fits(fact, {"kind": str, "who": str, "text": str, "changes": list})
        assert all(len(change) == 3 for change in fact["changes"])


def test_a_roll_in_full(in_campaign: Strike) -> None:
    """STR-CORE-04, STR-CORE-05: natural faces, the mode, what was kept, every reason."""
    data = in_campaign.json("roll skill vex climbing --dice 6,5 --dis rain --dis wind --mod 1 --mod -2")[
        "data"
    ]
    assert data["roll"] == {
        "purpose": "skill: Climbing", "who": "vex", "sides": 6, "faces": [6, 5],
        "mode": "disadvantage", "kept": 5,
        "modifiers": [{"value": 1, "reason": "modifier"}, {"value": -2, "reason": "modifier"}],
        "total": 4,
        "sources": [{"kind": "disadvantage", "reason": "rain"}, {"kind": "disadvantage", "reason": "wind"}],
    }  # fmt: skip


def test_odds_sum_to_one(strike: Strike) -> None:
    """STR-CORE-03, STR-CORE-16: exact fractions, with or without a campaign, best first."""
    unskilled = "odds skill --unskilled --adv x --help-from a:skilled"
    for line in ("odds skill --skilled", unskilled, "odds opposed"):
        with case(line):
            outcomes = strike.json(line)["data"]["outcomes"]
            assert sum(Fraction(item["probability"]) for item in outcomes) == 1
            assert all(item["p"] == round(float(Fraction(item["probability"])), 4) for item in outcomes)


ATTACK = {
    "target": str, "roll": ROLL, "tokens_spent": int, "die": int, "result": str, "damage": int,
    "effect": bool, "strike": bool, "hp_before": int, "hp_after": int, "statuses_added": list,
    "taken_out": bool,
}  # fmt: skip


def test_what_an_attack_gives(between: Strike) -> None:
    """STR-TAC-09: per target, and whether a Miss Token came of it."""
    envelope = between.json("combat attack vex goblin-1 goblin-2 --power trip --dice 6,1")
    assert list(envelope) == ENVELOPE
    assert envelope["command"] == "combat attack"
    data = envelope["data"]
    assert fits(data, {"attacks": [ATTACK], "miss_token": False, "opportunities": []})
    first, second = ({key: line[key] for key in ATTACK if key != "roll"} for line in data["attacks"])
    assert first == {
        "target": "goblin-1", "tokens_spent": 0, "die": 6, "result": "critical", "damage": 6, "effect": True,
        "strike": False, "hp_before": 4, "hp_after": -2, "statuses_added": [], "taken_out": True,
    }  # fmt: skip
    assert second == {
        "target": "goblin-2", "tokens_spent": 0, "die": 1, "result": "miss", "damage": 0, "effect": False,
        "strike": True, "hp_before": 4, "hp_after": 4, "statuses_added": [], "taken_out": False,
    }  # fmt: skip
    assert all(is_roll(line["roll"]) for line in data["attacks"])


def test_what_the_end_of_a_fight_gives(between: Strike) -> None:
    """STR-TAC-18, STR-TAC-19."""
    between("override fight.combatants.vex.strikes 4 --why test")
    data = between.json("combat finish --won")["data"]
    promised = {key: data[key] for key in ("won", "team_strikes", "concession")}
    assert promised == {"won": True, "team_strikes": 4, "concession": "major"}
    assert set(data["conditions"]) == {"vex"}
    assert "exhausted" in data["conditions"]["vex"].lower()


def test_a_failure(in_campaign: Strike) -> None:
    """Code, message and hint; nothing else on stdout, nothing at all on stderr."""
    ran = in_campaign("roll skill vexx climbing --json", 2)
    assert list(ran.json) == FAILURE
    assert ran.json == {
        "schema": 1, "ok": False, "command": "roll skill",
        "error": {
            "code": "usage", "message": "There is no character 'vexx' in The Mill. Did you mean 'Vex'?",
            "hint": ran.json["error"]["hint"],
        },
    }  # fmt: skip
    assert ran.err == ""


def test_a_failure_names_its_command(strike: Strike, folder: Path) -> None:
    """Wherever the options stand."""
    for line in (
        "--campaign {here} roll skill vexx --json",
        "-C {here} roll skill vexx --json",
        "roll skill -C {here} vexx --json",
        "roll skill vexx -C {here} --json",
    ):
        with case(line):
            assert strike(line.format(here=folder), 2).json["command"] == "roll skill"


def test_text_of_a_failure_goes_to_stderr(in_campaign: Strike) -> None:
    ran = in_campaign("roll skill vexx", 2)
    assert ran.out == ""
    assert "vexx" in ran.err
    assert "\033" not in ran.err


def test_a_decision_that_waits(between: Strike) -> None:
    """Exit code 6, `ok`, no data yet; who, what, the options; then the answer plays on."""
    envelope = between.json("combat attack vex goblin-1 --power trip --dice 3", 6)
    assert list(envelope) == ENVELOPE
    assert (envelope["ok"], envelope["data"]) == (True, None)
    assert fits(envelope["pending"], {"who": "vex", "what": "glancing", "asks": str, "options": list})
    assert envelope["pending"]["options"] == ["damage", "effect"]
    text = between("status").out
    assert "glancing" in text
    assert "strike choose damage" in text
    assert between.json("combat end-turn", 1)["error"]["code"] == "refused"
    answered = between.json("choose effect")
    assert answered["command"] == "combat attack"
    assert answered["data"]["attacks"][0]["statuses_added"] == ["core:prone"]
    assert between("choose effect", 1).err.startswith("No decision is open")


# --- exit codes


def test_exit_codes(in_campaign: Strike) -> None:
    """0 done, 1 the rules refuse, 2 usage, 3 campaign or data; the same in JSON, and a remedy with each."""
    for line, code, word in (
        ("status", 0, None),
        ("combat turn", 1, "refused"),
        ("session end", 1, "refused"),
        ("undo", 1, "refused"),
        ("choose damage", 1, "refused"),
        ("roll skill nobody", 2, "usage"),
        ("roll skill vex climbing --dice 9", 2, "usage"),
        ("roll skill vex climbing --dice x", 2, "usage"),
        ("roll skill vex climbing --dice 5,5", 2, "usage"),
        ("roll skill vex climbing --adv rope --dice 5", 2, "usage"),
        ("roll skill --no-such-option", 2, "usage"),
        ("roll skill --mod x", 2, "usage"),
        ("roll die 2e6", 2, "usage"),
        ("roll die 0d6", 2, "usage"),
        ("roll nothing", 2, "usage"),
        ("rll die", 2, "usage"),
        ("combat start nowhere", 2, "usage"),
        ("undo 0", 2, "usage"),
        ("content show nothing-like-it", 2, "usage"),
        ("-C nowhere status", 3, "campaign"),
        ("override characters.vex.ap -3 --why test", 3, "content"),
        ("override fight.round many --why test", 3, "content"),
        ("roll die", 0, None),
    ):
        with case(line):
            ran = in_campaign(line, code)
            assert bool(ran.err) is (code != 0)
            envelope = in_campaign.json(line, code)
            assert envelope["ok"] is (code == 0)
            if word:
                assert envelope["error"]["code"] == word
                assert envelope["error"]["message"]


def test_an_unknown_command_suggests(in_campaign: Strike) -> None:
    for line in ("roll opposd", "rll die", "combat sttus", "statsu"):
        with case(line):
            err = in_campaign(line, 2).err
            assert "Did you mean" in err
            assert "help`" in err


def test_a_broken_campaign_is_named(strike: Strike, folder: Path) -> None:
    """File, key, what is wrong and the nearest known word."""
    append_to(folder / "campaign.toml", '[house]\nbloodied = "half-or-les"\n')
    error = strike.json(f"-C {folder} status", 3)["error"]
    assert error["code"] == "content"
    assert "campaign.toml" in error["message"]
    assert "house.bloodied" in error["message"]
    assert "half-or-less" in error["message"]


# --- where the campaign is


def test_the_campaign_is_named_or_near(
    strike: Strike, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """-C before or after the command, STRIKE_CAMPAIGN, the nearest folder upward; in that order."""
    other = tmp_path / "other"
    other.mkdir()
    text = (folder / "campaign.toml").read_text()
    (other / "campaign.toml").write_text(text.replace("The Mill", "The Other Mill"))
    deep = folder / "notes" / "old"
    deep.mkdir(parents=True)

    def name(line: str = "status") -> str:
        return str(strike.json(line)["data"]["name"])

    assert name(f"-C {folder} status") == name(f"status -C {folder}") == "The Mill"
    assert name(f"status --campaign {folder / 'campaign.toml'}") == "The Mill"
    monkeypatch.setenv("STRIKE_CAMPAIGN", str(other))
    assert name() == "The Other Mill"
    assert name(f"-C {folder} status") == "The Mill"
    monkeypatch.chdir(deep)
    assert name() == "The Other Mill"
    monkeypatch.delenv("STRIKE_CAMPAIGN")
    assert name() == "The Mill"
    monkeypatch.chdir(tmp_path)
    error = strike.json("status", 3)["error"]
    assert error["code"] == "campaign"
    assert "-C" in error["hint"]


def test_rolls_and_odds_need_no_campaign(strike: Strike, tmp_path: Path) -> None:
    """STR-CORE-02: any names will do, nothing is kept, and a seed makes it repeatable."""
    for line in (
        "roll die 2d6 --seed 1",
        "roll skill --skilled --seed 1",
        "roll skill Ada Juggling --unskilled --help-from Bob:skilled --dice 5,2",
        "roll opposed Ada Juggling --against Bob Heckling --seed 1",
        "odds skill --unskilled",
        "odds opposed",
    ):
        with case(line):
            envelope = strike.json(line)
            assert envelope["seq"] is None
            assert strike.json(line)["data"] == envelope["data"]
            assert list(tmp_path.iterdir()) == []


def test_the_rest_needs_one(strike: Strike) -> None:
    for line in ("combat turn", "session start", "status", "undo", "log"):
        assert strike(line, 3).err


@pytest.mark.slow
def test_the_example_is_sound(strike: Strike, tmp_path: Path) -> None:
    """What `strike new` makes loads cleanly, and the doctor finds nothing."""
    strike("new lanterns")
    findings = strike.json("doctor -C lanterns")["data"]["findings"]
    assert findings
    assert all(finding["ok"] for finding in findings)
    assert strike.json("status -C lanterns")["data"]["troubles"] == []


# --- names


def test_names_by_a_unique_beginning(in_campaign: Strike) -> None:
    for name, who in (
        ("vex", "vex"),
        ("VEX", "vex"),
        ("Vex", "vex"),
        ("ves", "vesna"),
        ("b", "brann"),
        ("OD", "odo"),
        ("gob", "goblin"),
    ):
        with case(name):
            assert in_campaign.json(f"roll skill {name} --dice 5 --skilled")["data"]["who"] == who


def test_an_ambiguous_beginning_names_the_candidates(in_campaign: Strike) -> None:
    message = in_campaign.json("roll skill ve", 2)["error"]["message"]
    assert "vex" in message
    assert "vesna" in message


def test_an_unknown_name_suggests_the_nearest(in_campaign: Strike) -> None:
    for line, meant in (
        ("roll skill vx", "Vex"),
        ("roll skill brannn", "Brann"),
        ("combat start yrad", "yard"),
        ("content show dazd", "dazed"),
        ("content list statusses", "statuses"),
    ):
        with case(line):
            message = in_campaign.json(line, 2)["error"]["message"]
            assert "Did you mean" in message
            assert meant.lower() in message.lower()


def test_names_in_a_fight(between: Strike) -> None:
    """Ids or names of combatants, a dot for whose turn it is; squares in any case, powers by their name."""
    assert between.json("combat move . b2 --shift")["data"]["who"] == "vex"
    assert (
        between.json('combat attack VEX "Goblin 1" -p "plain cut" --dice 2')["data"]["power"] == "plain-cut"
    )
    assert "goblin-1, goblin-2" in between("combat attack vex gob", 2).err
    assert "7C" in between("combat move vex 7C", 2).err


# --- options that everything takes


def test_json_is_one_object_whatever_the_colour(in_campaign: Strike, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR")
    assert in_campaign.json("roll die")["ok"] is True


class Terminal:
    """A stream that says it is a terminal."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream

    def isatty(self) -> bool:
        return True

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


@pytest.mark.parametrize(
    ("option", "no_color", "coloured"), [("", False, True), ("", True, False), (" --plain", False, False)]
)
def test_colour_is_for_terminals_that_want_it(
    between: Strike, monkeypatch: pytest.MonkeyPatch, option: str, no_color: bool, coloured: bool
) -> None:
    """NO_COLOR and --plain are honoured."""
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setenv("NO_COLOR", "1") if no_color else monkeypatch.delenv("NO_COLOR")
    monkeypatch.setattr(sys, "stdout", Terminal(sys.stdout))
    assert ("\033[" in between(f"combat show{option}").out) is coloured


def test_a_note_and_a_secret_are_in_the_log(in_campaign: Strike) -> None:
    in_campaign('roll die --dice 4 --note "for luck" --secret')
    entry = in_campaign.json("log")["data"]["entries"][0]
    assert (entry["note"], entry["secret"]) == ("for luck", True)
    assert "for luck" in in_campaign("log").out


def test_explain_shows_what_made_a_roll(in_campaign: Strike) -> None:
    """STR-CORE-04: the faces, the mode, every reason."""
    text = in_campaign('roll skill vex climbing --dice 5,4 --adv "a good rope" --explain').out
    assert "advantage: a good rope" in text
    assert "faces 5, 4" in text


def test_reroll_is_in_the_log(in_campaign: Strike) -> None:
    in_campaign("roll die")
    in_campaign("undo")
    in_campaign("roll die --reroll")
    assert "dice rolled again" in in_campaign("log").out


# --- help


def helps(command: Any, path: str) -> Iterator[tuple[str, str]]:
    """The help text of a command and of all below it, by what one types."""
    yield path, command.help or ""
    for name, inner in getattr(command, "commands", {}).items():
        yield from helps(inner, f"{path} {name}")


@pytest.mark.slow
def test_every_command_has_a_worked_example() -> None:
    group = typer.main.get_command(root)
    found = [
        pair
        for name in registry.command_apps_by_group()
        for pair in helps(group.get_command(None, name), name)
    ]
    assert len(found) > 200
    assert [path for path, text in found if "Example" not in text] == []


@pytest.mark.slow
@pytest.mark.parametrize("name", ["", *registry.command_apps_by_group()], ids=lambda name: name or "strike")
def test_every_help_has_a_worked_example(strike: Strike, name: str) -> None:
    """As it is shown: of each group or one of its commands everyday, of all with STRIKE_THOROUGH=1."""
    group = typer.main.get_command(root)
    paths = [path for path, _ in helps(group.get_command(None, name), name)] if name else [""]
    if not os.environ.get("STRIKE_THOROUGH"):
        paths = [Random(name).choice(paths)]
    for path in paths:
        text = strike(f"{path} --help").out
        assert ("Example" if path else "New here: tour") in text, path
        assert ("Usage: strike" if path else "strike COMMAND") in text, path


# --- batch


def script(folder: Path, *lines: str) -> Path:
    path = folder / "prep.strike"
    path.write_text("\n".join(lines) + "\n")
    return path


def test_batch_plays_a_command_a_line(in_campaign: Strike, folder: Path) -> None:
    """Blank lines and comments are nothing, `strike` may stand in front, quotes work."""
    rolls = 'roll skill vex climbing --dice 5 --note "for luck"   # up the wall', "strike roll die --dice 4"
    path = script(folder, "# an evening", "session start", "", *rolls)
    assert "3 commands" in in_campaign(f"batch {path}").out
    entries = in_campaign.json("log")["data"]["entries"]
    assert [entry["command"] for entry in entries] == ["session start", "roll skill", "roll die"]
    assert entries[1]["note"] == "for luck"


def test_batch_stops_at_the_first_failure(in_campaign: Strike, folder: Path) -> None:
    """With its line number and its exit code; what came before it stays."""
    path = script(folder, "roll die --dice 4", "# next", "combat turn", "roll die --dice 5")
    ran = in_campaign(f"batch {path}", 1)
    assert "line 3" in ran.err
    assert "combat turn" in ran.err
    assert len(in_campaign.json("log")["data"]["entries"]) == 1


def test_batch_goes_on_where_it_is_told_to(in_campaign: Strike, folder: Path) -> None:
    path = script(folder, "roll die --dice 4", "combat turn", "roll skill nobody", "roll die --dice 5")
    ran = in_campaign(f"batch {path} --keep-going", None)
    assert ran.code == 1, "the first failure's code"
    assert "line 2" in ran.err
    assert "line 3" in ran.err
    assert len(in_campaign.json("log")["data"]["entries"]) == 2


def test_batch_gives_an_object_a_line(in_campaign: Strike, folder: Path) -> None:
    path = script(folder, "roll die --dice 4", "status", "combat turn", "roll die --dice 5")
    ran = in_campaign(f"batch {path} --keep-going --json", None)
    envelopes = [json.loads(line) for line in ran.out.splitlines()]
    assert [(item["command"], item["ok"]) for item in envelopes] == [
        ("roll die", True), ("status", True), ("combat turn", False), ("roll die", True),
    ]  # fmt: skip


def test_variables_of_a_script(in_campaign: Strike, folder: Path) -> None:
    """One is a word or part of one, whatever is in it; what is typed wins over what the script says."""
    path = script(
        folder,
        "let who = vex",
        'let why = "the $who of it"  # a comment',
        "roll skill $who climbing --dice 5 --note $why",
        "note 'costs $5, $$who, ${who}ing'",
    )
    in_campaign(f"batch {path} --set who=odo")
    rolled, note = in_campaign.json("log")["data"]["entries"]
    assert (rolled["args"]["who"], rolled["note"]) == ("odo", "the odo of it")
    assert "costs $5, $who, odoing" in note["facts"][0]["text"]
    in_campaign("undo 2")
    in_campaign(f"batch {path} --set 'why=two words; --secret'")
    assert in_campaign.json("log")["data"]["entries"][-2]["note"] == "two words; --secret"


def test_what_is_wrong_with_a_script(in_campaign: Strike, folder: Path) -> None:
    for line, given, said in (
        ("roll skill $whom climbing", "--set who=vex",
         "Line 1: there is no variable $whom. Did you mean 'who'?"),
        ("status", "--set who", "should be NAME=VALUE"),
        ('["note", 5]', "", "Line 1: a line in JSON is a list of words"),
        ('["note", ', "", "Line 1: this is not a list in JSON"),
    ):  # fmt: skip
        with case(line):
            assert said in in_campaign(f"batch {script(folder, line)} {given}", 2).err
            assert in_campaign.json("log")["data"]["entries"] == []


def test_a_line_may_be_words_in_json(in_campaign: Strike, folder: Path) -> None:
    in_campaign(f"batch {script(folder, json.dumps(['note', 'just so, $who']))}", 2)
    text = 'it is "just so"'
    in_campaign(f"batch {script(folder, json.dumps(['note', text]))}")
    assert text in in_campaign("log --last 1").out


def test_a_script_may_answer_what_it_is_asked(in_campaign: Strike, folder: Path) -> None:
    in_campaign(f"batch {script(folder, 'roll skill vex cooking --dice 6', 'choose learn')}")
    path = script(folder, "roll skill vex juggling --unskilled --dice 6", "roll die --dice 5")
    told = in_campaign(f"batch {path}", 6)
    assert "A decision is open" in told.err, "and it says so where nobody has"


def test_batch_of_nothing_and_of_no_file(in_campaign: Strike, folder: Path) -> None:
    in_campaign(f"batch {script(folder, '# nothing')}")
    assert "nowhere.strike" in in_campaign("batch nowhere.strike", 3).err
    path = script(folder, 'roll die --note "open')
    in_campaign(f"batch {path}", 2)


def test_batch_leaves_what_single_commands_would(strike: Strike, folder: Path, tmp_path: Path) -> None:
    """The same dice, the same state."""
    other = tmp_path / "other"
    shutil.copytree(folder, other)
    lines = [
        "roll die 4d6",
        "combat start ring --party vex --party brann",
        "combat initiative --dice 6,1,3,2",
        "undo",
    ]
    for line in lines:
        strike(f"-C {folder} {line}")
    strike(f"-C {other} batch {script(tmp_path, *lines)}")
    one, two = (strike.json(f"-C {place} log")["data"]["entries"] for place in (folder, other))
    assert [(e["command"], e["facts"]) for e in one] == [(e["command"], e["facts"]) for e in two]
    left = [tomllib.loads((place / "state.toml").read_text()) for place in (folder, other)]
    for state in left:
        # An entry knows when it was played: so do its hash, its length and the sum over all of it.
        for key in ("after", "end", "last", "check"):
            del state["strike"][key]
    assert left[0] == left[1]


# --- the real thing


def test_a_process_of_its_own(folder: Path) -> None:
    """The installed command: exit code, stdout and stderr as in this process; STRIKE_CAMPAIGN is read."""
    env = {**os.environ, "STRIKE_CAMPAIGN": str(folder)}

    def strike(*words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "strike_cli", *words],
            env=env,
            cwd=folder.parent,
            capture_output=True,
            text=True,
        )

    done = strike("roll", "skill", "vex", "climbing", "--dice", "5", "--json")
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout)["data"]["total"] == 5
    refused = strike("combat", "turn")
    assert (refused.returncode, refused.stdout) == (1, "")
    assert "no fight" in refused.stderr
