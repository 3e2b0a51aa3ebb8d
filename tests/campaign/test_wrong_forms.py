"""Files in a form that nobody expects: one message with file, key and remedy, and `doctor` works on each."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from campaign.conftest import Strike, refused
from campaign.evening import TEXT, make
from support.cases import case
from support.thorough import few_of

from strike_cli.campaign import state_file
from strike_cli.cli.app import run_command_line_or_complete
from strike_cli.kernel.procedure import Choose
from strike_cli.play.command_execution import PerformedCommand
from strike_cli.terminal import move_commands
from strike_cli.untrusted_input import parse_toml

Spoil = Callable[[dict[str, Any]], None]


def _replaced(old: str, new: str) -> str:
    assert old in TEXT
    return TEXT.replace(old, new, 1)


CAMPAIGNS = {
    # what is written: (text, what the message must name)
    "include of the folder itself": (_replaced("seed = 11", 'include = ["."]'), "include: '.'"),
    "include of the root": (_replaced("seed = 11", 'include = ["/"]'), "include: '/'"),
    "include of an endless name": (_replaced("seed = 11", f'include = ["{"a" * 5000}"]'), "include: 'aaa"),
    "include with a zero": (_replaced("seed = 11", 'include = ["a\\u0000b"]'), "include: 'a\\x00b'"),
    "a name of megabytes": (_replaced('"Goblin"', f'"{"G" * 1_500_000}"'), "creatures.goblin.name"),
    "a key of megabytes": (_replaced("hp = 3", f"{'k' * 1_500_000} = 3"), "creatures.goblin.kkk"),
    "a file of megabytes": (TEXT + "#" * 9_000_000, "larger than 8 MiB"),
    "an id of 256 characters": (TEXT.replace("goblin", "g" * 256), "100 at most"),
    "lists 5000 deep": (_replaced("seed = 11", f"seed = {'[' * 5000}{']' * 5000}"), "64 deep"),
    "lists 100 deep": (_replaced("seed = 11", f"seed = {'[' * 100}{']' * 100}"), "seed[1]"),
    "tables 80 deep": (f"{TEXT}\n[{'.'.join('a' * 80)}]\n", "64 deep"),
    "a key of 200,000 parts": (f"{TEXT}\nx{'.a' * 200_000} = 1\n", "more than 64 parts (at line"),
    "a map of 20,000 rows": (TEXT.replace("#######\n", "#\n" * 20_000, 1), "encounters.ford.map"),
    "a number of 5000 digits": (_replaced("hp = 3", f"hp = {'9' * 5000}"), "number"),
    "a number beyond any": (_replaced("hp = 3", f"hp = {'9' * 40}"), "creatures.goblin.hp"),
}
LONG = {"a name of megabytes", "a key of megabytes"}


@pytest.mark.parametrize(
    "case", [pytest.param(name, marks=pytest.mark.slow if name in LONG else ()) for name in CAMPAIGNS]
)
def test_a_campaign_in_a_wrong_form_is_told(case: str, strike: Strike, tmp_path: Path) -> None:
    text, named = CAMPAIGNS[case]
    folder = make(tmp_path / "broken", text)
    error = refused(strike, folder, "status", "campaign.toml", named)
    assert len(error["message"]) < 5000
    for words in ("doctor", "doctor --mend"):
        found = strike(words, folder)
        assert found.code == 3
        assert named in found.out
        assert len(found.out) < 5000


def test_only_a_key_is_refused_for_its_dots() -> None:
    """A map's row with somebody on every other square, an address, a remark."""
    for form in ('"{}"', "'{}'", '"""\n{}\n"""', "'''\n{}\n'''", "1 # don't {}"):
        with case(form):
            dots = "g." * 300
            assert list(parse_toml(f"a = {form.format(dots)}".encode())) == ["a"]
            with pytest.raises(ValueError, match=r"more than 64 parts \(at line"):
                parse_toml(f"a = {form.format(dots)}\n{dots}g = 1".encode())


@pytest.mark.skipif(os.name == "nt", reason="names are longer there")
@pytest.mark.parametrize("folder_name", ["x" * 300, "/".join(["y" * 200] * 30)], ids=["one", "all"])
def test_a_folder_s_name_that_is_too_long_is_told(folder_name: str, strike: Strike, tmp_path: Path) -> None:
    for words in (["new", str(tmp_path / folder_name)], ["status", "-C", str(tmp_path / folder_name)]):
        assert run_command_line_or_complete(words) in (2, 3)


# The journal


def _fact(change: Callable[[dict[str, Any]], Any]) -> Spoil:
    return lambda entry: change(entry["facts"][0])


def _spoilt_line(folder: Path, number: int, spoil: Callable[[dict[str, Any]], object]) -> None:
    file = folder / "journal" / "0001.jsonl"
    lines = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
    spoil(lines[number])
    file.write_bytes(b"".join(json.dumps(line, separators=(",", ":")).encode() + b"\n" for line in lines))


def _deep(levels: int) -> Any:
    value: Any = 1
    for _ in range(levels):
        value = [value]
    return value


ENTRIES: dict[str, tuple[Spoil, str]] = {
    "no table of arguments": (lambda entry: entry.update(args=[]), "args"),
    "no command": (lambda entry: entry.pop("command"), "command"),
    "a session of text": (lambda entry: entry.update(session="one"), "session"),
    "a moment of numbers": (lambda entry: entry.update(at=5), "at"),
    "a number of true": (lambda entry: entry.update(n=True), "n is missing or of the wrong kind"),
    "a fact of text": (lambda entry: entry.update(facts=["x"]), "facts[1]"),
    "a name of a number": (
        lambda entry: entry.update(names={"person:vex": 0.5}),
        "`names` should be a table of texts",
    ),
    "a note of a list": (lambda entry: entry.update(note=[1]), "note"),
    "a fact without a kind": (_fact(lambda fact: fact.pop("kind")), "facts[1]: kind"),
    "a fact whose words are none": (_fact(lambda fact: fact.update(text=None)), "facts[1]: text"),
    "a change of two": (_fact(lambda fact: fact.update(changes=[["a", 1]])), "facts[1]: a change"),
    "a change of no path": (_fact(lambda fact: fact.update(changes=[["", 1, 2]])), "facts[1]: a change"),
    "a path of nothing": (_fact(lambda fact: fact.update(changes=[["a..b", 1, 2]])), "facts[1]: a change"),
    "an endless path": (_fact(lambda fact: fact.update(changes=[[".".join("a" * 5000), 1, 2]])),
        "facts[1]: a change"),
    "what is too deep": (_fact(lambda fact: fact.update(changes=[["a", None, _deep(90)]])), "64 deep"),
    "what is far too deep": (_fact(lambda fact: fact.update(changes=[["a", None, _deep(900)]])), ""),
    "a number too large": (_fact(lambda fact: fact.update(changes=[["characters.vex.ap", None, 10**30]])),
        "facts[1].changes[1][3]"),
    "a roll that is none": (_fact(lambda fact: fact["fields"].update(roll={"faces": 3})),
        "a roll in it is not a roll"),
    "places of nothing": (_fact(lambda fact: fact.update(places=[3])), "places"),
    "places of a number": (_fact(lambda fact: fact.update(places=3)), "places"),
    "a field that every fact has": (_fact(lambda fact: fact["fields"].update(changes=3)), "fields"),
    "half a character": (_fact(lambda fact: fact.update(text="\ud800")), "ends inside a character"),
}  # fmt: skip


@pytest.mark.parametrize("case", few_of(ENTRIES, 4))
def test_an_entry_in_a_wrong_form_is_told_and_mended(case: str, folder: Path, strike: Strike) -> None:
    spoil, named = ENTRIES[case]
    for _ in range(2):
        strike("roll die")
    kept = (folder / "state.toml").read_bytes()
    strike("roll die")
    assert (folder / "state.toml").read_bytes() != kept
    _spoilt_line(folder, 2, spoil)
    (folder / "state.toml").write_bytes(kept)  # as where the last one was not taken in yet
    for words in ("status", "log", "roll die", "session report 0"):
        refused(strike, folder, words, "journal/0001.jsonl, byte", named, hint="doctor --mend")
    assert strike("doctor").code == 3
    said = strike("doctor --mend")
    assert said.code == 0, said
    assert "2 entries can be read and are kept; #3 can't be read" in said.out
    assert strike("roll die").code == 0


def test_what_was_taken_back_without_a_number_is_none(folder: Path, strike: Strike) -> None:
    for words in ("roll die", "undo"):
        strike(words)
    _spoilt_line(folder, 1, lambda entry: entry["facts"][0]["fields"].pop("of"))
    (folder / "state.toml").unlink()
    assert strike("log").code == 0
    assert strike("session report 0").code in (0, 1)


# State


def _sealed(folder: Path, changed: Callable[[dict[str, Any]], object]) -> None:
    """Write a state as somebody can who knows how it is sealed."""
    found = state_file.read_state_file(folder)
    changed(found.state)
    (folder / "state.toml").write_bytes(state_file.render_state(found.head, found.state))


def test_a_forged_giant_is_told_and_not_counted(folder: Path, strike: Strike) -> None:
    """Its squares would be counted for ever."""
    for words in ("combat start ford", "combat initiative --dice 6,5,4,3", "combat turn"):
        strike(words)
    _sealed(folder, lambda state: state["fight"]["combatants"]["goblin"].update(size=2**40))
    for words in ("combat attack . goblin --dry-run", "combat map", "combat show", "combat options"):
        refused(strike, folder, words, "combatants.goblin.size")
    assert strike("doctor").code == 3


STATES: dict[str, tuple[dict[str, Any], str]] = {
    "characters of numbers": ({"characters": 3}, "characters"),
    "pending of a list": ({"pending": [1]}, "pending"),
    "a fight of text": ({"fight": "x"}, "fight"),
    "a fight of nothing": ({"fight": {"combatants": {"vex": 3}}}, "fight"),
    "a session without a number": ({"session": {"open": True}}, "session"),
}


@pytest.mark.parametrize("case", STATES)
def test_a_state_in_a_wrong_form_is_told_though_its_check_is_right(
    case: str, folder: Path, strike: Strike
) -> None:
    state, named = STATES[case]
    strike("roll die")
    found = state_file.read_state_file(folder)
    (folder / "state.toml").write_bytes(state_file.render_state(found.head, state))
    told = []
    for words in ("status", "combat show", "roll skill vex Climbing --dry-run", "session start", "log"):
        said = strike(f"{words} --json")
        assert said.code in range(7)
        told += [said.error["message"]] if said.code == 3 else []
    assert strike("doctor").code == 3
    assert any("state.toml" in message and named in message for message in told)


DECISIONS: dict[str, tuple[dict[str, Any], str]] = {
    "nobody's": ({"who": None}, "who: missing"),
    "without labels": ({"labels": None}, "labels: missing"),
    "too few labels": ({"labels": ["one"]}, "labels: 1 for 2 options"),
    "nothing to choose": ({"options": [], "labels": []}, "options: nothing to choose"),
}


def test_a_forged_decision_is_told(folder: Path, strike: Strike) -> None:
    """The form of what waits is known to the key: nothing that shows it meets another."""
    assert strike("roll skill vex Hauling --dice 6").code == 6
    found = state_file.read_state_file(folder)
    ((scene, right),) = found.state["pending"].items()
    for what, (spoilt, named) in DECISIONS.items():
        item = {key: value for key, value in (right | spoilt).items() if value is not None}
        with case(what):
            _sealed(folder, lambda state, item=item: state["pending"].update({scene: item}))
            refused(strike, folder, "status", f"state.toml: pending.{scene}.{named}")
            assert strike("doctor").code == 3
        (folder / "state.toml").write_bytes(state_file.render_state(found.head, found.state))


def test_a_state_that_no_reader_takes_is_told(folder: Path, strike: Strike) -> None:
    strike("roll die")
    for text in ("[" * 5000, "x = " + "9" * 5000, "\x00", "a" + ".a" * 200_000 + " = 1"):
        with case(text[:9]):
            (folder / "state.toml").write_text(text)
            for words in ("status", "roll die", "undo"):
                refused(strike, folder, words, "state.toml", hint="rebuilds it")
            for words in ("doctor", "doctor --mend"):
                assert "state.toml" in strike(words).out


def test_a_zero_character_in_a_file_s_name_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    for words in (["new", "a\0b"], ["batch", "a\0b"], ["status", "-C", "a\0b"]):
        assert run_command_line_or_complete(words) in (2, 3)
        assert capsys.readouterr().err


# What is typed


NINES = "9" * 5000
TYPED = [
    "roll die ²d6",
    "roll die d²",
    f"roll die d{NINES}",
    f"roll die --dice {NINES}",
    "roll die --dice ²",
    "combat start ford --with goblin:²",
    f"combat start ford --with goblin:{NINES}",
    f"override characters.vex.ap {NINES} --why x",
    f"override characters.vex.ap {'[' * 100}{']' * 100} --why x",
    f"undo {NINES}",
]


def test_a_number_that_is_none_gets_an_answer(folder: Path, strike: Strike) -> None:
    """Digits that are no numbers, and numbers that Python itself refuses to read."""
    for words in TYPED:
        with case(words[:40]):
            refused(strike, folder, words, code=2)


def test_a_digit_that_is_no_number_answers_no_question(
    folder: Path, strike: Strike, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = iter(["²", "bonus"])
    monkeypatch.setattr("builtins.input", lambda prompt: next(words))
    asked = PerformedCommand.__new__(PerformedCommand)
    asked.pending = Choose("vex", "unskilled-six", ("learn", "bonus"))
    monkeypatch.setattr("strike_cli.terminal.command_output.new_fact_and_reason_lines", lambda came: [])
    monkeypatch.setattr(
        "strike_cli.terminal.command_output.question_lines", lambda pending, is_answered_at_prompt: []
    )
    assert move_commands.ask_decision(asked) == "bonus"
