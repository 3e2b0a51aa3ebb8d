"""The first start: three things to do, and the tour, which is played as a learner would, slips and all."""

from __future__ import annotations

import contextlib
import io
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.cli import Ran, Strike

from strike_cli.campaign import Campaign
from strike_cli.problems import BridgeProblem
from strike_cli.systems.campaign.commands import table
from strike_cli.tour import LESSONS, read_lessons

STEPS = [step for lesson in read_lessons(LESSONS) for step in lesson.steps]


class Learner:
    """Types lines to `strike tour`, from a script."""

    def __init__(self, strike: Strike, folder: Path, patch: pytest.MonkeyPatch) -> None:
        self._strike = strike
        self._patch = patch
        self.folder = folder

    def types(self, *lines: str) -> Ran:
        with self._patch.context() as patch:
            patch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
            return self._strike(f"tour --keep {self.folder}")

    def played(self) -> list[str]:
        """The commands in effect, the first one first."""
        with Campaign(self.folder) as campaign:
            return [past.entry["command"] for past in campaign.commands_in_effect()][::-1]


@pytest.fixture
def learner(strike: Strike, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Learner:
    """Somebody who takes the tour in an empty folder, without a table to serve."""

    @contextlib.contextmanager
    def none_to_serve(*_: object, **__: object) -> Iterator[None]:
        raise BridgeProblem("The table needs starlette, which is not installed.", "pip install it.")
        yield

    monkeypatch.setattr(table, "running_table", none_to_serve)
    monkeypatch.chdir(tmp_path)
    return Learner(strike, tmp_path / "scratch", monkeypatch)


def before(line: str) -> list[str]:
    """What is typed before a step of the tour."""
    return [step.type for step in STEPS[: [step.type for step in STEPS].index(line)]]


def test_strike_alone_says_three_things_to_do(
    strike: Strike, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    said = strike("").out
    typed = [line for line in said.splitlines() if line.startswith("strike ") and "  " in line]
    assert [line.split()[1] for line in typed] == ["tour", "demo", "new"]


def test_strike_alone_lists_its_commands_where_there_is_a_campaign(in_campaign: Strike) -> None:
    assert in_campaign("").out == in_campaign("help").out


@pytest.mark.slow
def test_the_tour_plays_to_its_end_as_it_is_written(learner: Learner) -> None:
    ran = learner.types(*(step.type for step in STEPS))
    assert "That was the tour." in ran.out and "undone, so" not in " ".join(ran.out.split("2 of ")[1].split())
    for step in STEPS:
        assert " ".join(step.say.replace("`", "").split())[:40] in " ".join(ran.out.split())
        assert " ".join(step.then.replace("`", "").split())[-40:] in " ".join(ran.out.split())
    assert learner.played()[-1] == "session end"
    # What the lessons say that the dice came to.
    assert "rolls Climbing (Skilled): 5. Success." in ran.out and "4 of 2,4. Success." in ran.out


@pytest.mark.slow
def test_skipping_plays_the_same_tour(learner: Learner, strike: Strike) -> None:
    assert "That was the tour." in learner.types(*["skip"] * len(STEPS)).out
    skipped = learner.played()
    learner.folder = learner.folder.with_name("again")
    learner.types(*(step.type for step in STEPS))
    assert learner.played() == skipped


@pytest.mark.slow
@pytest.mark.parametrize(
    ("lines", "says"),
    [
        (["roll skill odo Climbing --unskilled"], "Vex rolls Climbing"),
        (["roll skill vex Sneaking"], "not the one this step needs"),
        (["session end"], "this step is about something else"),
        (["undo"], "undone, so"),
        (["roll skill vex Climbing --dice 5,5"], "A refused command changes nothing"),
        (['roll skill vex "Climb'], "Close every quote"),
        (["dance"], "There is no command 'dance'"),
        (["table"], "later in the tour"),
        (["shell"], "`shell` isn't"),
        (["status"], "Sela Quist"),
        (["again"], "strike rolls the die"),
        (["", "# nothing"], ""),
    ],
)
def test_a_typo_is_told_and_taken_back(learner: Learner, lines: list[str], says: str) -> None:
    """The step is asked for again, and is then what it would have been: the same roll."""
    step = "roll skill vex Climbing"
    ran = learner.types(*before(step), *lines, "roll vex climb")
    assert says in " ".join(f"{ran.out} {ran.err}".split())
    assert "rolls Climbing (Skilled): 5. Success." in ran.out
    assert "after 4 of" in ran.out
    assert learner.played() == ["session start", "roll skill"]


def test_dice_that_a_lesson_is_about_have_to_fall(learner: Learner) -> None:
    step = "roll skill odo Haggling --dice 3"
    ran = learner.types(*before(step), "roll skill odo Haggling --dice 5", step, "angry")
    assert "Other dice fell: 5." in ran.out
    assert "Odo Finch is Angry" in ran.out and f"after {len(before(step)) + 2} of" in ran.out


@pytest.mark.slow
def test_short_lines_are_as_good(learner: Learner) -> None:
    step = "attack g3 lantern --dice 3"
    attack = "strike combat attack vex g3 -p lan --dice 3"
    ran = learner.types(*before(step)[:-2], "m e5", "o", attack, "damage")
    assert "undone, so" not in " ".join(ran.out.split("2 of ")[1].split())
    assert f"after {len(before(step)) + 2} of" in ran.out


def test_the_scratch_campaign_is_gone_afterwards(
    strike: Strike, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setattr(sys, "stdin", io.StringIO("status\n"))
    assert "after 1 of" in strike("tour").out
    assert list(tmp_path.iterdir()) == []


def test_programs_are_sent_elsewhere(strike: Strike) -> None:
    assert "strike batch" in strike("tour --json", 2).json["error"]["hint"]


@pytest.mark.slow
def test_the_table_stays_up_beside_the_lessons(
    strike: Strike, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is told what is played, and is closed with the tour."""
    served = []
    real = table.running_bridge

    @contextlib.contextmanager
    def following(*args: object, **more: object) -> Iterator[table.RunningBridge]:
        with real(*args, **more) as bridge:  # type: ignore[arg-type]
            yield bridge
            bridge.wait_until_delivered()
            served.append([token["name"] for token in bridge.read_tokens()])

    monkeypatch.setattr(table, "running_bridge", following)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in before("finish --won"))))
    said = strike("tour").out
    assert "The table is ready: open http://127.0.0.1:" in said
    assert "Vex Marlowe" in served[0]
