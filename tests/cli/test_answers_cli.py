"""Answers at the table: asked in the middle of a command, given later, replayed, undone, counted by odds."""

from __future__ import annotations

from pathlib import Path

import pytest
from cli.conftest import Typed
from support.cli import Strike
from support.edits import append_to, replace_in

from strike_cli.cli.play import ScreenBackend
from strike_cli.kernel.procedure import Choose
from strike_cli.kernel.statements import ENGLISH
from strike_cli.problems import Usage
from strike_cli.registry.scenes_and_decisions_in_state import decision_to_show
from strike_cli.session.typed_line import CommandsAtQuestion, command_for_answer
from strike_cli.terminal.command_output import open_decision_lines
from strike_cli.terminal.move_commands import decision_answered_by

POWERS = """
[powers]
luck = { name = "Luck", action = "interrupt", usage = "encounter", on = "rolled", result = "hit", effect = [
  { do = "reroll" }] }
parry = { name = "Parry", action = "interrupt", on = "harmed", once = "round", effect = [
  { do = "reduce", amount = 1 }] }
"""


@pytest.fixture
def fight(in_campaign: Strike, folder: Path) -> Strike:
    """Vex, who has Luck and Parry, between two goblins; the turn of the first."""
    append_to(folder / "campaign.toml", POWERS)
    replace_in(folder / "campaign.toml", 'powers = ["trip",', 'powers = ["luck", "parry", "trip",')
    for line in ("start ring --party vex --party brann", "initiative --dice 1,3,6,2", "turn"):
        in_campaign(f"combat {line}")
    return in_campaign


@pytest.mark.slow
def test_a_decision_with_the_die_on_the_table(fight: Strike) -> None:
    """The command waits with its die; what is chosen goes on from there; the journal says the same again."""
    before = fight.json("combat show")["data"]
    asked = fight("combat attack goblin-1 vex --dice 6,2", 6).out
    assert "A decision for Vex: Goblin 1's die against Vex: 6, a critical hit." in asked
    assert fight.json("status")["data"]
    fight("choose use --dice 4,4", 6)
    after = fight("choose use").out
    assert "Parry" in after
    assert fight.json("replay --verify")["data"]["differences"] == []
    assert all(finding["ok"] for finding in fight.json("doctor")["data"]["findings"])
    fight("undo")
    assert fight.json("combat show")["data"] == before


def test_odds_say_what_an_answer_makes_of_an_attack(fight: Strike) -> None:
    """Flanked, 8 in 9 hit; of these Luck has each rolled again: 64 in 81."""
    assert "79.0%" in fight("odds attack goblin-1 vex").out


def test_a_decision_is_shown_by_names_and_known_by_its_key(fight: Strike) -> None:
    """What people read may be worded anew: a journal knows its answers by the key."""
    shown = fight("combat attack goblin-1 vex --dice 6,2", 6).out
    assert "Does Vex use Luck against Goblin 1?" in shown
    assert "Luck against Goblin 1" in fight("status").out
    assert "Does Vex use Luck against Goblin 1?" in fight("combat end-turn", 1).err
    assert fight.json("status")["data"]["pending"][0]["what"] == "luck against goblin-1"
    fight("choose use --dice 4,4", 6)
    (entry,) = fight.json("log --last 1")["data"]["entries"]
    assert ["luck against goblin-1", "use"] in entry["answers"]


def test_a_decision_without_words_is_shown_by_its_key() -> None:
    """As it stands in states of before there were any."""
    item = {"who": "vex", "what": "opportunity against goblin-1", "options": ["take", "pass"]}
    assert decision_to_show(item).question == "opportunity against goblin-1"
    assert "opportunity against goblin-1" in str(open_decision_lines(item, ENGLISH)[0])


# Costs in one's own words


def costs(strike: Strike) -> list[str]:
    """What was paid last, in words."""
    return [line for line in strike("log").out.splitlines() if "Cost:" in line or "Flaw on" in line]


def test_a_cost_in_ones_own_words(in_campaign: Strike) -> None:
    """STR-CORE-09: what is on no sheet is told and kept, and replays."""
    assert "other" in in_campaign.json("roll vex climb --dice 3", 6)["pending"]["options"]
    assert "Vex pays a Cost: the guard hears." in in_campaign("choose the guard hears").out
    assert in_campaign.json("log --last 1")["data"]["entries"][0]["answers"][-1] == [
        "cost",
        "other: the guard hears",
    ]
    in_campaign("undo")
    in_campaign("redo")
    assert "Vex pays a Cost: the guard hears." in costs(in_campaign)[-1]
    in_campaign("replay --verify")
    assert "the ferry leaves" in in_campaign('roll vex climb --dice 3 --cost "other:the ferry leaves"').out


def test_a_flaw_says_on_what_and_counts(in_campaign: Strike) -> None:
    in_campaign("roll vex climb --dice 3", 6)
    assert "a Flaw on black rope" in in_campaign("choose flaw black rope").out
    faces = in_campaign.json('roll vex climb --using "black rope" --dice 3,6 --cost waive')["data"]["roll"]
    assert faces["mode"] == "disadvantage"


def test_own_words_at_the_prompt(in_campaign: Strike, folder: Path) -> None:
    """What may be a command with a slip in it is no answer, and what is a command stays one."""
    in_campaign("roll vex climb --dice 3", 6)
    option = ["choose", "--for", "roll vex", "other: the guard hears"]
    assert command_for_answer(folder, ["the", "guard", "hears"]) == option
    assert command_for_answer(folder, ["flaw", "knots"]) == [*option[:3], "flaw: knots"]
    assert command_for_answer(folder, ["flaw", "add", "vex", "boots"]) is None
    with pytest.raises(Usage, match="roll"):
        command_for_answer(folder, ["rool", "vex", "climb"])


def test_at_a_terminal_a_flaw_is_asked_for_its_words(in_campaign: Strike, at_terminal: Typed) -> None:
    asked = at_terminal("flaw", "the lamp oil")
    assert "a Flaw on the lamp oil" in in_campaign("roll vex climb --dice 3").out
    assert asked == ["? ", "What has the Flaw? "]


ATTACK = "attack goblin-1 vex -d 6,2"


@pytest.mark.usefixtures("at_shell")
def test_a_question_lets_go(fight: Strike, folder: Path, at_terminal: Typed) -> None:
    """A command of another scene, or of none, is played, and the question is put again; one of the same scene
    is refused with the choices; so is what is neither."""
    at_terminal(ATTACK, "note he lies", "roll skill odo Climbing --skilled -d 4")
    told = "".join(fight(f"-C {folder} shell")[1:])
    assert told.count("A decision for Vex: Goblin 1's die") == 2  # asked, and put again
    log = [entry["command"] for entry in fight.json("log")["data"]["entries"]]
    assert log[-2:] == ["note", "roll skill"]
    at_terminal("move e5", "fumble")
    told = "".join(fight(f"-C {folder} shell")[1:])
    assert told.count("use, pass") + told.count("use and pass") == 2
    assert [entry["command"] for entry in fight.json("log")["data"]["entries"]] == log
    fight("choose 2", 6)  # by its number


def test_of_two_open_questions_each_gets_its_answer(fight: Strike, folder: Path) -> None:
    """An option is for the decision that has it; a number for the newest, which the prompt shows; what fits
    both is asked about."""
    fight(ATTACK, 6)
    fight("roll skill odo Haggling --unskilled -d 1", 6)
    waiting = fight.json("status")["data"]["pending"]
    assert len(waiting) == 2
    newest = waiting[-1]["options"]
    words = command_for_answer(folder, ["2"])
    assert words is not None
    assert words[-1] == newest[1]
    assert command_for_answer(folder, ["use"]) == ["choose", "--for", "fight", "use"]
    # On the screen of `play` the decision that it shows is the one that a number is for.
    assert ScreenBackend(folder).command_words_of_line("2", "fight") == ["choose", "--for", "fight", "pass"]
    with pytest.raises(Usage, match="several open decisions"):
        decision_answered_by(
            {"a": {**waiting[0], "about": None}, "b": waiting[-1] | {"options": ["used"]}}, "us"
        )


def test_a_slip_at_a_question_is_neither_an_answer_nor_a_command(folder: Path) -> None:
    """Also where no other decision waits that it might answer."""
    asides = CommandsAtQuestion(folder)
    question = Choose("vex", "pays", ("rope", "oil"))
    typed = {line: asides(line, question) for line in ("xyzzy", "rope", "2", "status")}
    assert typed == {"xyzzy": False, "rope": False, "2": False, "status": True}
    assert asides.lines == ["status"]
