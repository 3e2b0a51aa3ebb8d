"""Random evenings: whatever is played, undone, chosen, refused or edited, the journal explains the state."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from pathlib import Path
from typing import Any
from unittest import mock

import hypothesis.strategies as st
import pytest
from campaign.evening import (
    TEXT,
    contents,
    edit_state,
    entries,
    faults_found,
    fold,
    forge,
    make,
    timeless,
    written_state,
)
from hypothesis import HealthCheck, settings
from hypothesis.stateful import RuleBasedStateMachine, precondition, rule
from support.cli import run_in

from strike_cli.campaign import Campaign, state_file

settings.register_profile("quick", max_examples=3, stateful_step_count=15)
settings.register_profile("thorough", max_examples=400, stateful_step_count=60)
SETTINGS = settings(
    settings.get_profile("thorough" if os.environ.get("STRIKE_THOROUGH") else "quick"),
    deadline=None,
    suppress_health_check=list(HealthCheck),
)

CAMPAIGN = TEXT.replace(
    'skills = ["Hauling"]',
    """skills = ["Hauling"]
tools = ["Pole"]
tricks = ["Feet like posts"]
complications = ["Too kind"]
cash = [1, 2]""",
)
WHO = st.sampled_from(["vex", "brann", "goblin", "ox"])
PARTY = st.sampled_from(["vex", "brann"])
SQUARES = st.sampled_from([f"{column}{row}" for column in "BCDEFG" for row in (2, 3, 4)])
SKILLS = st.sampled_from(["Climbing", "Hauling", "Sneaking", "Rowing"])
REASONS = st.sampled_from(["", "--adv rope", "--dis rain", "--adv rope --dis rain", "--mod 1"])
STATUSES = st.sampled_from(["dazed", "prone", "ongoing", "guarded", "weakened", "blinded", "slowed"])
ENDS = st.sampled_from(["save", "escape", "turn-start", "turn-end", "encounter", "permanent"])
PATHS = [
    "characters.vex.ap",
    "characters.brann.conditions",
    "fight.combatants.vex.hp",
    "fight.combatants.ox.at",
    "fight.active",
    "fight.turn",
    "fight",
    "session.title",
    "pending",
    "characters",
    "nowhere.x",
]
CHARACTER = st.sampled_from(
    [
        "condition add {who} winded --why rain",
        "condition add {who} angry --why rain",
        "condition remove {who} winded --why rain",
        "recover {who} winded --rest minutes",
        "skill learn {who} Rowing",
        "skill forget {who} Rowing",
        "flaw add {who} pole --text bent",
        "flaw use {who} f1",
        "flaw mend {who} f1",
        "favor add {who} Fences --text help",
        "favor repay {who} v1",
        "bonus bank {who} Sneaking --why plans",
        "bonus drop {who} b1",
        "ap give {who} --why luck",
        "ap spend {who} --why luck",
        "awesome vex brann --why ferry",
        "awesome brann vex --why rope",
        "trick use brann Feet",
        "complication use {who} Wanted --how twist",
        "complication use brann kind --how trouble",
        "fallback {who} --text rope",
        "wealth cash add {who} 2 --why purse",
        "wealth cash spend {who} 2 --for boat",
        "wealth buy {who} 1 --for rope",
        "wealth invest {who} 1",
        "roll linked {who} Hauling --for Sneaking --for-who vex",
        "roll group all Sneaking vex brann",
        "roll wealth --wealth 1 --price 2",
        "advance level-up {who}",
        "advance trick vex Pipes --skill Climbing",
    ]
)


def _exactly(value: Any) -> str:
    """A state as text that tells 1, 1.0 and true apart."""
    return json.dumps(value, sort_keys=True)


class Evenings(RuleBasedStateMachine):
    """Plays by the command line, and keeps a model of its own: the states that undo and redo lead to."""

    def __init__(self) -> None:
        super().__init__()
        self.place = Path(tempfile.mkdtemp(prefix="strike-"))
        self.folder = make(self.place / "causeway", CAMPAIGN)
        self.unsynced = mock.patch("os.fsync")  # the disk is not what is tested here
        self.unsynced.start()
        self.past: list[dict[str, Any]] = []
        self.now: dict[str, Any] = {}
        self.future: list[dict[str, Any]] = []
        self.recorded = 0

    def teardown(self) -> None:
        try:
            if self.recorded:
                assert self.run("replay --verify") == 0, self.said
            assert self.run("log") == 0
        finally:
            self.unsynced.stop()
            shutil.rmtree(self.place)

    def run(self, words: str | list[str]) -> int:
        """One command; `said` is what it printed."""
        code, self.said = run_in(self.folder, words)
        return code

    def play(self, words: str | list[str]) -> int:
        """A command that may be played or refused; every promise is looked at after it."""
        before = contents(self.folder)
        code = self.run(words)
        assert code in (0, 1, 2, 3, 6), (words, self.said)
        if code not in (0, 6):
            assert contents(self.folder) == before, words
            return code
        self.past, self.future = [*self.past, self.now], []
        self.now = self.look(1)
        self.move("undo", 1)
        self.move("redo", 1)
        return code

    def move(self, words: str, count: int) -> None:
        """Undo or redo: exactly the states that were there before."""
        before = contents(self.folder)
        taken, given = (self.past, self.future) if words == "undo" else (self.future, self.past)
        code = self.run(f"{words} {count}")
        if count > len(taken):
            assert code == 1, self.said
            assert contents(self.folder) == before
            return
        assert code == 0, self.said
        for _ in range(count):
            given.append(self.now)
            self.now = taken.pop()
        assert _exactly(self.look(1)) == _exactly(self.now), self.said

    def look(self, more: int) -> dict[str, Any]:
        """The state as it is, after that many more entries, with every promise about it checked."""
        found = entries(self.folder)
        self.recorded += more
        assert [entry["seq"] for entry in found] == list(range(1, self.recorded + 1))
        with Campaign(self.folder) as campaign:
            live, head = campaign.state, campaign.head
        on_disk = (self.folder / "state.toml").read_bytes()
        assert _exactly(live) == _exactly(fold(found)) == _exactly(written_state(self.folder))
        assert head.commands == len(self.past)
        assert state_file.render_state(head, live) == on_disk
        assert faults_found(self.folder) == []
        for who in live.get("characters", {}).values():
            assert who.get("ap", 0) >= 0
        for who in live.get("fight", {}).get("combatants", {}).values():
            assert who.get("miss_tokens", 0) >= 0
            assert who.get("strikes", 0) >= 0
            assert who["hp"] <= who["max_hp"]
        return live

    # Rolls and sessions

    @rule(
        who=PARTY,
        skill=SKILLS,
        reasons=REASONS,
        how=st.sampled_from(["", "--unskilled --dice 6", "--choose learn"]),
    )
    def roll_skill(self, who: str, skill: str, reasons: str, how: str) -> None:
        self.play(f"roll skill {who} {skill} {reasons} {how}")

    @rule(dice=st.sampled_from(["", "--dice 3,3", "--dice 5,4", "--dice 4,5", "--dice 6,1"]), skill=SKILLS)
    def roll_opposed(self, dice: str, skill: str) -> None:
        self.play(f"roll opposed vex {skill} --against brann {skill} --ours skilled --theirs skilled {dice}")

    @rule(words=st.sampled_from(["session start", "session end"]))
    def session(self, words: str) -> None:
        self.play(words)

    @rule(words=CHARACTER, who=PARTY)
    def character(self, words: str, who: str) -> None:
        self.play(words.format(who=who))

    # A fight

    @property
    def fight(self) -> dict[str, Any]:
        found: dict[str, Any] = self.now.get("fight", {})
        return found

    @rule(foe=WHO, square=SQUARES, doing=st.integers(0, 5), dice=st.integers(1, 6))
    def fight_on(self, foe: str, square: str, doing: int, dice: int) -> None:
        """What comes next in a fight, whatever stage it is at."""
        if not self.fight:
            self.play("combat start ford")
        elif not self.fight["round"]:
            self.play(f"combat initiative --dice {dice},4,{dice},3")
        elif not self.fight.get("active"):
            self.play("combat turn")
        elif doing == 0:
            self.play("combat end-turn")
        elif doing < 3:
            self.play(f"combat move . {square}")
        else:
            self.play(f"combat attack . {foe} --dice {dice}" if doing < 5 else f"combat attack . {foe}")

    @precondition(lambda self: self.fight)
    @rule(who=WHO, foe=WHO, power=st.sampled_from(["flare", "hook", "trample", "melee basic"]))
    def attack(self, who: str, foe: str, power: str) -> None:
        self.play(["combat", "attack", who, foe, "--power", power])

    @precondition(lambda self: self.fight)
    @rule(who=WHO, square=SQUARES, how=st.sampled_from(["", "--shift", "--trade"]))
    def walk(self, who: str, square: str, how: str) -> None:
        self.play(f"combat move {who} {square} {how}")

    @precondition(lambda self: self.fight)
    @rule(
        square=SQUARES, damage=st.integers(0, 2), how=st.sampled_from(["--obscured", "--dark", "--difficult"])
    )
    def add_zone(self, square: str, damage: int, how: str) -> None:
        self.play(f"combat zone add Fire {square} --damage {damage} {how}")

    @precondition(lambda self: self.fight)
    @rule(
        who=WHO,
        square=SQUARES,
        words=st.sampled_from(
            [
                "hide {who}",
                "hide {who} --now",
                "reveal {who}",
                "zone remove fire",
                "door open {square}",
                "door close {square}",
            ]
        ),
    )
    def change_the_ground(self, who: str, square: str, words: str) -> None:
        self.play("combat " + words.format(who=who, square=square))

    @precondition(lambda self: self.fight)
    @rule(who=WHO, words=st.sampled_from(["damage", "heal"]), amount=st.integers(0, 12))
    def harm(self, who: str, words: str, amount: int) -> None:
        self.play(f"combat {words} {who} {amount}")

    @precondition(lambda self: self.fight)
    @rule(who=WHO, status=STATUSES, ends=ENDS, value=st.integers(0, 2))
    def add_status(self, who: str, status: str, ends: str, value: int) -> None:
        self.play(f"combat status add {who} {status} --ends {ends} --value {value}")

    @precondition(lambda self: self.fight)
    @rule(who=WHO, status=STATUSES)
    def remove_status(self, who: str, status: str) -> None:
        self.play(f"combat status remove {who} {status}")

    @precondition(lambda self: self.fight)
    @rule(
        words=st.sampled_from(
            ["stand .", "turn", "end-turn", "finish", "finish --won", "finish --lost", "abandon"]
        )
    )
    def end(self, words: str) -> None:
        self.play(f"combat {words}")

    # Decisions

    @precondition(lambda self: self.now.get("pending"))
    @rule(number=st.integers(0, 9), sound=st.booleans())
    def choose(self, number: int, sound: bool) -> None:
        waiting = list(self.now["pending"].items())
        scene, item = waiting[number % len(waiting)]
        option = item["options"][number % len(item["options"])] if sound else "nonsense"
        code = self.play(["choose", option, "--for", scene])
        if not sound:
            assert code == 2, self.said
        elif code not in (0, 6):
            # Another decision may have changed what this one is about; then only undo is left.
            assert "is not an option here" in self.said or "The record" in self.said, self.said

    # The game master's hand

    @rule(
        path=st.sampled_from(PATHS),
        value=st.sampled_from(
            ["0", "3", "-1", "none", "vex", "C3", '["core:winded"]', "[]", "1.5", "{}", "2026-01-31"]
        ),
    )
    def override(self, path: str, value: str) -> None:
        self.play(["override", path, value, "--why", "a test"])

    @precondition(lambda self: "title" in self.now.get("session", {}))  # an override may take it away
    @rule(title=st.text(max_size=8))
    def edit_by_hand(self, title: str) -> None:
        if title == self.now["session"]["title"]:
            return
        import tomli_w

        old, new = (tomli_w.dumps({"title": text}) for text in (self.now["session"]["title"], title))
        edit_state(self.folder, old, new)
        assert self.run("roll die") == 0, self.said
        edited = {**self.now, "session": {**self.now["session"], "title": title}}
        self.past += [self.now, edited]
        self.future, self.now = [], edited
        assert _exactly(self.look(2)) == _exactly(edited)

    # Going back, looking, starting anew

    @rule(words=st.sampled_from(["undo", "redo"]), count=st.integers(1, 4))
    def go_back(self, words: str, count: int) -> None:
        self.move(words, count)

    @rule(
        words=st.sampled_from(
            ["status", "combat show", "combat map", "log", "session list", "roll die --dry-run"]
        )
    )
    def only_look(self, words: str) -> None:
        before = contents(self.folder)
        assert self.run(words) in (0, 1)
        assert contents(self.folder) == before

    @precondition(lambda self: self.recorded)
    @rule()
    def lose_the_state(self) -> None:
        (self.folder / "state.toml").unlink()
        with Campaign(self.folder) as campaign:
            assert _exactly(campaign.state) == _exactly(self.now)
        self.play("roll die")

    @rule(
        lines=st.lists(
            st.sampled_from(["roll die", "undo", "redo", "session start", "combat start ford"]), max_size=4
        )
    )
    def script(self, lines: list[str]) -> None:
        """What a script leaves is what the same commands leave one by one."""
        twin = Path(shutil.copytree(self.folder, self.place / "twin"))
        file = self.place / "prep.strike"
        file.write_text("\n".join(lines))
        self.run(["batch", "--keep-going", str(file)])
        left = contents(self.folder)
        alone, self.folder = self.folder, twin
        for words in lines:
            self.run(words)
        assert timeless(entries(alone)) == timeless(entries(twin))
        if self.recorded or entries(twin):
            assert _exactly(written_state(twin)) == _exactly(fold(entries(alone)))
        shutil.rmtree(twin)
        self.folder = alone
        assert contents(alone) == left
        # Back to where the model knows the way.
        self._follow(lines)

    def _follow(self, lines: list[str]) -> None:
        for entry in entries(self.folder)[self.recorded :]:
            if entry["command"] == "undo":
                self.future.append(self.now)
                self.now = self.past.pop()
            elif entry["command"] == "redo":
                self.past.append(self.now)
                self.now = self.future.pop()
            else:
                self.past.append(self.now)
                self.future = []
                self.now = fold(entries(self.folder)[: entry["seq"]])
            self.recorded += 1
        if self.recorded:
            assert _exactly(self.look(0)) == _exactly(self.now)


TestEvenings = pytest.mark.slow(Evenings.TestCase)
TestEvenings.settings = SETTINGS


# The journal against the rules

EVENING = [
    "session start",
    "roll skill vex Climbing --adv rope",
    "roll skill vex Hauling --dice 6 --choose learn",
    "roll opposed vex Sneaking --against brann Sneaking --ours skilled --theirs skilled --dice 5,4",
    "choose OPTION",
    "combat start ford",
    "combat initiative --dice 6,5,4,3",
    "combat turn",
    "combat attack vex goblin --dice 3",
    "combat end-turn",
    "combat turn",
    "undo",
    "redo",
    "combat status add vex dazed",
]


@pytest.fixture
def evening(folder: Path, strike: Any) -> Path:
    for words in EVENING:
        if words == "choose OPTION":
            waiting = written_state(folder)["pending"]["roll vex"]
            words = f"choose {waiting['options'][0]}"
        assert strike(words).code in (0, 6), words
    return folder


def test_an_evening_comes_out_the_same_again(evening: Path, strike: Any) -> None:
    said = strike("replay --verify --json")
    assert said.code == 0
    assert said.json["data"]["differences"] == []
    assert said.json["data"]["folded"] == len(EVENING)


def _answers(folder: Path) -> list[tuple[int, int]]:
    """Every recorded die: which entry, and which of its answers. What a command had rolled before a decision
    stands once more in the entry that decided it, and there it counts."""
    return [
        (number, which)
        for number, entry in enumerate(entries(folder))
        if not entry.get("pending")
        for which, (_, answer) in enumerate(entry["answers"])
        if isinstance(answer, list)
    ]


def test_a_recorded_face_that_was_tampered_with_is_found(evening: Path, strike: Any) -> None:
    (file,) = (evening / "journal").glob("*.jsonl")
    whole = file.read_bytes()
    lines = whole.splitlines(keepends=True)
    dice = _answers(evening)
    assert len(dice) > 6
    for number, which in dice:
        entry = json.loads(lines[number])
        face = entry["answers"][which][1][0]
        entry["answers"][which][1][0] = 1 if face == 6 else face + 1
        tampered = json.dumps(entry, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
        assert len(tampered) == len(lines[number])
        forge(file, b"".join([*lines[:number], tampered, *lines[number + 1 :]]))
        said = strike("replay --verify --json")
        assert said.code == 3, entry
        assert entry["seq"] in {difference["seq"] for difference in said.json["data"]["differences"]}
    forge(file, whole)
    assert strike("replay --verify").code == 0


def test_a_recorded_fact_that_was_tampered_with_is_found(evening: Path, strike: Any) -> None:
    (file,) = (evening / "journal").glob("*.jsonl")
    whole = file.read_bytes().decode()
    for old, new in (('"hp",3,', '"hp",2,'), ('"number":1', '"number":9'), ('"active","', '"active","x')):
        if old not in whole:
            continue
        file.write_bytes((whole.replace(old, new, 1).rstrip("\n")[: len(whole) - 1] + "\n").encode())
        said = strike("replay --verify")
        assert said.code == 3, old
    file.write_bytes(whole.encode())
    assert strike("replay --verify").code == 0


def test_a_fact_in_other_words_is_no_difference(evening: Path, strike: Any) -> None:
    (file,) = (evening / "journal").glob("*.jsonl")
    assert strike("replay --verify --json").json["data"]["reworded"] == 0
    forge(file, file.read_bytes().replace(b"Session 1 begins", b"Session 9 begins", 1))
    assert "1 entry is worded differently now" in strike("replay --verify").out
    assert strike("replay --verify --json").json["data"]["differences"] == []


def test_a_state_that_the_journal_does_not_explain_is_found(evening: Path, strike: Any) -> None:
    """Even where nothing tells that the file was edited."""
    with Campaign(evening) as campaign:
        fight = campaign.state["fight"]
        hp = {**fight, "name": "Another ford"}
        (evening / "state.toml").write_bytes(
            state_file.render_state(campaign.head, {**campaign.state, "fight": hp})
        )
    said = strike("replay --verify --json")
    assert said.code == 3
    (difference,) = said.json["data"]["differences"]
    assert "fight.name is 'Another ford'" in difference["what"]
    assert "fight.name" in " ".join(faults_found(evening))
