"""The drivers on a campaign on disk: seeded, entered and recorded dice, decisions that wait, undo."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path
from random import Random
from types import MappingProxyType
from typing import Any, cast

import pytest
import tomli_w
from support.cases import case
from support.evening import InFolder
from support.game import DEFAULTS
from support.journals import entries_of, linked_anew
from support.told import as_json

from strike_cli.campaign import Campaign
from strike_cli.kernel.driver import (
    DrivenPlay,
    EnteredDice,
    FacesNeeded,
    PartlyRealDice,
    RecordedAnswers,
    ScriptedChoices,
    SeededDice,
    default_of_decision,
    match_option,
    play_until_open_decision,
    refuse_more_dice,
)
from strike_cli.kernel.procedure import Choose, Happened, Prose, Roll, World
from strike_cli.kernel.state_changes import (
    apply_changes,
    apply_fact,
    change_removes_or_moves_key,
    changes_and_places_that_undo,
    look_up,
    places_to_restore,
    state_after_changes,
)
from strike_cli.play.command_execution import (
    PerformedCommand,
    PlaySettings,
    answer_decision_and_play_on,
    find_scene_with_open_decision,
    perform_command,
)
from strike_cli.play.replay import verify_campaign
from strike_cli.problems import CampaignProblem, Refused, Usage
from strike_cli.registry import installed_plugins
from strike_cli.systems.core.facts.costs import CostToPay
from strike_cli.tabletop.dice import DISADVANTAGE, Modifier, Source, roll_die


class Table(InFolder):
    """Somebody who types commands at one campaign, opening it anew for each."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def play(self, name: str, how: PlaySettings | None = None, /, **args: Any) -> PerformedCommand:
        with Campaign(self.folder, writing=True) as campaign:
            return perform_command(campaign, name, {**DEFAULTS.get(name, {}), **args}, how or PlaySettings())

    def roll(self, dice: str = "8d20", **how: Any) -> list[int]:
        """The faces of bare dice."""
        n, _, sides = dice.partition("d")
        came = self.play("roll die", PlaySettings(**how), n=int(n), sides=int(sides), who="")
        return list(came.data["rolls"][0]["faces"])

    def choose(self, *answers: str, **how: Any) -> PerformedCommand:
        with Campaign(self.folder, writing=True) as campaign:
            return answer_decision_and_play_on(
                campaign, find_scene_with_open_decision(campaign), PlaySettings(choices=answers, **how)
            )

    @property
    def state(self) -> dict[str, Any]:
        with Campaign(self.folder) as campaign:
            return campaign.state

    def entries(self) -> list[dict[str, Any]]:
        return entries_of(self.folder)

    def journal(self) -> list[Path]:
        return sorted((self.folder / "journal").glob("*.jsonl"))

    def files(self) -> dict[str, bytes]:
        """All that is on disk, but the lock."""
        found = (path for path in self.folder.rglob("*") if path.is_file() and path.name != ".lock")
        return {str(path.relative_to(self.folder)): path.read_bytes() for path in found}


@pytest.fixture
def table(folder: Path) -> Table:
    return Table(folder)


@pytest.fixture
def other(tmp_path: Path, folder: Path) -> Table:
    """Another campaign that began the same."""
    made = tmp_path / "other"
    made.mkdir()
    (made / "campaign.toml").write_bytes((folder / "campaign.toml").read_bytes())
    return Table(made)


@pytest.fixture
def ring(table: Table) -> Table:
    """A fight with Vex between two goblins, her turn."""
    begin(table)
    return table


def begin(table: Table) -> None:
    table.play("combat start", encounter="ring", party=["vex", "brann"])
    table.play("combat initiative", PlaySettings(dice=[6, 1, 3, 2]))
    table.play("combat turn")


BOTH = {"who": "vex", "targets": ["goblin-1", "goblin-2"], "power": "trip"}


def attack_that_asks(table: Table, **how: Any) -> PerformedCommand:
    """An attack on two goblins that waits for a glancing choice in the middle, its dice being seeded."""
    came = table.play("combat attack", PlaySettings(seed=seed_of_a_three(table), **how), **BOTH)
    assert came.pending is not None
    return came


def seed_of_a_three(table: Table) -> int:
    with Campaign(table.folder) as campaign:
        number = campaign.head.rolls
    first, second = Roll(1, 6, "", ""), Roll(1, 6, "", "")
    for seed in range(1000):
        dice = SeededDice(seed, number)
        if dice(first) == [3] and dice(second)[0] > 3:
            return seed
    raise AssertionError("no seed asks")


# --- seeded dice


def test_the_same_command_number_rolls_the_same(table: Table, other: Table) -> None:
    """STR-CORE-02: two campaigns of one seed roll alike, command by command; the next command otherwise."""
    first = [table.roll() for _ in range(4)]
    assert [other.roll() for _ in range(4)] == first
    assert len({tuple(faces) for faces in first}) == 4


def test_the_number_counts_the_rolls_in_effect(table: Table, other: Table) -> None:
    """No command without dice brings other ones, and which dice came before makes no difference."""
    other.play("session start")
    first = table.roll("1d6")
    assert other.roll("1d6") == first
    table.play("note", text="a breath")
    assert table.roll() == other.roll()
    for how in (PlaySettings(), PlaySettings(dice=[3] * 8)):
        table.undo()
        table.play("note", text="another")
        table.play("roll die", how, n=8, sides=20, who="")
    assert table.roll() == other.roll()


def test_undo_gives_the_same_dice_back(table: Table) -> None:
    """Nobody fishes for a better roll: undo and the same command again roll the same."""
    table.roll()
    first = table.roll()
    for _ in range(3):
        table.undo()
        assert table.roll() == first


def test_reroll_rolls_anew_and_says_so(table: Table) -> None:
    """Other dice than before, marked in the journal; the next command is not touched by it."""
    first = table.roll()
    assert "reroll" not in table.entries()[-1]
    table.undo()
    second = table.roll(reroll=True)
    assert second != first
    assert table.entries()[-1]["reroll"]
    table.undo()
    assert table.roll(reroll=True) not in (first, second)
    table.undo()
    assert table.roll() == first


def test_a_seed_may_be_named(table: Table) -> None:
    """--seed: its own dice, and the journal says which."""
    first = table.roll(seed=1)
    assert table.entries()[-1]["seeded"] == 1
    table.undo()
    assert table.roll(seed=2) != first
    table.undo()
    assert table.roll(seed=1) == first


def test_a_campaign_without_a_seed_gets_one_and_keeps_it(table: Table) -> None:
    path = table.folder / "campaign.toml"
    path.write_text(path.read_text().replace("seed = 20\n", ""))
    first = table.roll()
    table.undo()
    assert table.roll() == first


# --- entered dice


def test_dice_that_do_not_fit(table: Table) -> None:
    """STR-CORE-04: too few, too many, impossible: a usage error that says what was asked; nothing changes."""
    table.roll()
    before = table.files()
    for dice, message in (
        ([], "or more"),
        ([5], "or more"),
        ([5, 2, 1], "You gave 3 dice"),
        ([5, 7], "7 is not a face of a d6"),
        ([0, 5], "0 is not a face of a d6"),
    ):
        with case(dice), pytest.raises(Usage, match=message) as refusal:
            table.play("roll skill", PlaySettings(dice=dice), adv=["rope"])
        assert "2d6 for Vex" in refusal.value.message
        assert table.files() == before


def test_entered_dice_go_on_after_a_decision(ring: Table) -> None:
    """The dice so far stand; those still asked are entered with the choice."""
    assert ring.play("combat attack", PlaySettings(dice=[3]), **BOTH).pending is not None
    before = ring.files()
    with pytest.raises(Usage, match="or more"):
        ring.choose("damage", dice=[])
    assert ring.files() == before
    came = ring.choose("damage", dice=[4])
    assert [line["roll"]["faces"] for line in came.data["attacks"]] == [[3], [4]]


# --- recorded dice


@pytest.fixture
def evening(ring: Table) -> Table:
    """An evening with a bit of everything that is recorded."""
    attack_that_asks(ring)
    ring.choose("effect")
    ring.play("combat move", who="vex", to="B2", shift=True)
    ring.undo()
    ring.play("combat end-turn")
    for _ in range(3):
        ring.play("combat turn")
        who = ring.state["fight"]["active"]
        if who.startswith("goblin") and ring.state["fight"]["combatants"][who].get("statuses") is None:
            ring.play("combat attack", who=who, targets=["vex"])
        ring.play("combat end-turn")
    ring.play("roll die", n=3, sides=6, who="")
    ring.undo(2)
    ring.redo()
    ring.play("combat finish", result="won")
    return ring


def test_a_replay_gives_the_same_facts(evening: Table) -> None:
    """Every command played again from its recorded answers comes to the same, and so does the state."""
    with Campaign(evening.folder) as campaign:
        report = verify_campaign(campaign)
    assert report.differences == []
    assert report.folded == len(evening.entries())
    played = [
        e
        for e in evening.entries()
        if e["command"] in installed_plugins.plugin_index().moves and not e.get("pending")
    ]
    assert report.played == len(played) > 10


def test_a_replay_notices_other_dice(evening: Table) -> None:
    """A journal in which a die was changed doesn't come to the facts it has."""
    path = evening.journal()[0]
    lines = path.read_text().splitlines()
    at = next(n for n, line in enumerate(lines) if json.loads(line)["command"] == "combat initiative")
    assert '["initiative",[6]]' in lines[at]
    lines[at] = lines[at].replace('["initiative",[6]]', '["initiative",[5]]')
    path.write_bytes("".join(f"{line}\n" for line in lines).encode())
    linked_anew(evening.folder)
    with Campaign(evening.folder) as campaign:
        differences = verify_campaign(campaign).differences
    assert [item["command"] for item in differences][:1] == ["combat initiative"]


def test_redo_puts_back_the_recorded_answers(table: Table) -> None:
    """Redo needs no dice: what was rolled comes back, rerolls too."""
    table.play("roll skill", PlaySettings(dice=[6], choices=["learn"]), skill="Cooking", skilled=False)
    table.roll(reroll=True)
    after = table.state
    table.undo(2)
    assert table.state == {}
    table.redo()
    assert table.state["characters"]["vex"]["skills_learned"] == ["Cooking"]
    table.redo()
    assert table.state == after
    with pytest.raises(Refused):
        table.redo()


def test_something_else_played_ends_redo(table: Table) -> None:
    table.roll()
    table.undo()
    table.roll("2d6")
    with pytest.raises(Refused, match="nothing to redo"):
        table.redo()


def test_undo_after_do_is_as_if_nothing_had_been(evening: Table) -> None:
    """Back by any number of commands, and forth again, is the same state."""
    after = evening.state
    for count in (1, 4, 9):
        evening.undo(count)
        assert evening.state != after, count
        evening.redo(count)
        assert evening.state == after, count


def test_undoing_it_all_leaves_nothing(evening: Table) -> None:
    with Campaign(evening.folder) as campaign:
        in_effect = campaign.head.commands
    evening.undo(in_effect)
    assert evening.state == {}
    with pytest.raises(Refused, match="nothing to undo"):
        evening.undo()


# --- facts


def test_facts_are_absolute(evening: Table) -> None:
    """Each change says what was before and what is after; their fold is the state, at every entry."""
    state: dict[str, Any] = {}
    for entry in evening.entries():
        for fact in entry["facts"]:
            for path, before, after in fact["changes"]:
                assert look_up(state, path) == before, (entry["seq"], path)
                assert before != after
                state = apply_changes(state, [(path, before, after)])
    assert state == evening.state


def test_facts_of_what_was_undone_lead_back(evening: Table) -> None:
    """An undo is an entry of its own, with the same changes backwards."""
    before = evening.entries()[-1]
    evening.undo()
    undone = evening.entries()[-1]
    forth = [change for fact in before["facts"] for change in fact["changes"]]
    back = [change for fact in undone["facts"] for change in fact["changes"]]
    assert back == [[path, after, was] for path, was, after in reversed(forth)]
    assert undone["facts"][0]["of"] == [before["seq"]]


def test_a_refused_command_writes_nothing(ring: Table) -> None:
    before = ring.files()
    for name, args in (
        ("combat turn", {}),
        ("combat start", {"encounter": "yard", "party": ["vex"]}),
        ("combat attack", {"who": "goblin-1", "targets": ["vex"]}),
        ("combat move", {"who": "vex", "to": "Z9"}),
        ("session end", {}),
    ):
        with pytest.raises(Refused):
            ring.play(name, **args)
    assert ring.files() == before


def test_a_dry_run_writes_nothing_and_tells_the_truth(ring: Table) -> None:
    """What --dry-run shows is what then happens with the same dice: those of a seed, or on the table. The
    campaign's next dice it doesn't show."""
    before = ring.files()
    shown = ring.play("combat attack", PlaySettings(dry_run=True, seed=3), who="vex", targets=["goblin-1"])
    assert shown.seq is None
    tried = [ring.play("roll die", PlaySettings(dry_run=True), n=8, sides=20) for _ in range(2)]
    assert tried[0].facts == tried[1].facts
    assert ring.files() == before
    came = ring.play("combat attack", PlaySettings(seed=3), who="vex", targets=["goblin-1"])
    assert (came.data, came.facts) == (shown.data, shown.facts)
    ring.undo()
    assert ring.play("roll die", n=8, sides=20).answers != tried[0].answers


# --- decisions that wait


def test_a_decision_survives_closing_the_campaign(ring: Table, other: Table) -> None:
    """The command and the answers so far are data; what it goes on with is what it would have had at once."""
    seed = seed_of_a_three(ring)
    attack_that_asks(ring)
    waiting = ring.state["pending"]["fight"]
    assert (waiting["who"], waiting["what"], waiting["options"]) == ("vex", "glancing", ["damage", "effect"])
    assert ring.state["fight"]["combatants"]["goblin-1"]["hp"] == 4, "nothing has happened yet"
    ring.roll("1d6")  # the dice of others in between change nothing
    came = ring.choose("damage")

    begin(other)
    at_once = other.play("combat attack", PlaySettings(seed=seed, choices=["damage"]), **BOTH)
    assert came.data == at_once.data
    assert ring.state["fight"] == other.state["fight"]
    assert "pending" not in ring.state


def test_a_wrong_option_changes_nothing(ring: Table) -> None:
    attack_that_asks(ring)
    before = ring.files()
    for answers in (["run"], ["x"], [""], ["damage", "effect"]):
        with pytest.raises(Usage):
            ring.choose(*answers)
    assert ring.files() == before


def test_one_decision_may_lead_to_another(ring: Table) -> None:
    """Two glancing hits ask twice; each answer is kept."""
    ring.play("combat attack", PlaySettings(dice=[3]), **BOTH)
    second = ring.choose("damage", dice=[3])
    assert second.pending is not None
    assert second.data is None
    came = ring.choose("effect")
    assert [(line["damage"], line["effect"]) for line in came.data["attacks"]] == [(3, False), (0, True)]


def test_undoing_a_choice_leads_back_to_the_decision(ring: Table) -> None:
    """And undoing once more to before the command; the other choice goes on with the same dice."""
    before = ring.state
    attack_that_asks(ring)
    waiting = ring.state
    first = ring.choose("damage")
    after = ring.state
    ring.undo()
    assert ring.state == waiting
    second = ring.choose("effect")
    assert second.data["attacks"][1]["roll"] == first.data["attacks"][1]["roll"]
    ring.undo()
    assert ring.choose("damage").data == first.data
    assert ring.state == after
    ring.undo(2)
    assert ring.state == before


def test_nothing_else_happens_to_a_scene_that_waits(ring: Table) -> None:
    """Other scenes go on; what is about the whole table waits too."""
    attack_that_asks(ring)
    for name, args in (
        ("combat end-turn", {}),
        ("combat attack", BOTH),
        ("combat damage", {"who": "vex", "amount": 1}),
        ("combat abandon", {}),
        ("session start", {}),
    ):
        with pytest.raises(Refused, match="decision is open"):
            ring.play(name, **args)
    ring.roll("1d6")
    assert "pending" in ring.state


def test_a_choice_given_beforehand_asks_nothing(ring: Table) -> None:
    """--choose, in order; one too many is a usage error, and nothing is written."""
    before = ring.files()
    with pytest.raises(Usage, match="Nothing asked for the choice"):
        ring.play("combat attack", PlaySettings(dice=[3, 5], choices=["damage", "effect"]), **BOTH)
    with pytest.raises(Usage, match="is not an option here"):
        ring.play("combat attack", PlaySettings(dice=[3, 5], choices=["retreat"]), **BOTH)
    assert ring.files() == before
    assert ring.play("combat attack", PlaySettings(dice=[3, 5], choices=["dam"]), **BOTH).pending is None


def test_two_scenes_may_wait(ring: Table) -> None:
    """Each is answered by the name of its scene."""
    attack_that_asks(ring)
    ring.play("roll skill", PlaySettings(dice=[6]), who="odo", skill="Riding", skilled=False)
    assert set(ring.state["pending"]) == {"fight", "roll odo"}
    with Campaign(ring.folder, writing=True) as campaign:
        assert find_scene_with_open_decision(campaign, "fight") == "fight"
        with pytest.raises(Refused, match="Several"):
            find_scene_with_open_decision(campaign)
        answer_decision_and_play_on(campaign, "roll odo", PlaySettings(choices=["learn"]))
    assert set(ring.state["pending"]) == {"fight"}
    assert ring.state["characters"]["odo"]["skills_learned"] == ["Riding"]
    ring.choose("damage")
    assert "pending" not in ring.state


# --- the loop itself


def asks_three_things() -> Iterator[Any]:
    faces = yield Roll(2, 6, "luck", "vex")
    word = yield Choose("vex", "way", ("left", "right", "lead"))
    more = yield Roll(1, 20, "fate", "vex")
    return {"faces": faces, "word": word, "more": more}


def play(procedure: Iterator[Any], dice: Any, choice: Any = default_of_decision) -> DrivenPlay:
    return play_until_open_decision(procedure, World(None), dice, choice)


def replay(procedure: Iterator[Any], answers: list[Any], dice: Any = refuse_more_dice) -> DrivenPlay:
    recorded = RecordedAnswers(answers, dice, default_of_decision)
    return play(procedure, recorded.replay_dice, recorded.replay_choice)


def test_what_was_asked_and_answered_is_kept() -> None:
    """Every Roll with its natural faces, every Choose with its option, in order."""
    played = play(asks_three_things(), EnteredDice([5, 2, 17]), ScriptedChoices(["RIGHT"]))
    assert played.data == {"faces": [5, 2], "word": "right", "more": [17]}
    assert played.answers == [("luck", [5, 2]), ("way", "right"), ("fate", [17])]


def test_an_open_decision_stops_the_loop() -> None:
    played = play(asks_three_things(), EnteredDice([5, 2]))
    assert played.pending == Choose("vex", "way", ("left", "right", "lead"))
    assert played.data is None
    assert played.answers == [("luck", [5, 2])]


def test_recorded_answers_come_first_and_shift_no_dice() -> None:
    """A generator for each question: what is on record doesn't change what is still to be rolled."""
    whole = play(asks_three_things(), SeededDice(1, 2), ScriptedChoices(["left"]))
    assert replay(asks_three_things(), whole.answers[:2], SeededDice(1, 2)).data == whole.data


def test_a_record_that_does_not_fit_is_said() -> None:
    """Rules that now ask something else never go on with answers to another question."""
    for answers in (
        [("other", [5, 2])],
        [("luck", [5])],
        [("luck", [5, 9])],
        [("luck", [5, 7])],
        [("luck", [0, 5])],
        [("luck", [5, 2]), ("fate", [3])],
    ):
        with case(answers), pytest.raises(CampaignProblem):
            replay(asks_three_things(), answers)


def asks_by_ids() -> Iterator[Any]:
    faces = yield Roll(1, 6, "save: Winded", "vex", id="save:winded")
    way = yield Choose("vex", "way:goblin-1", ("left", "right"), default="left", formerly="Goblin 1: way")
    return {"faces": faces, "way": way}


def test_a_record_knows_an_answer_by_the_key_of_now_and_by_an_older_one() -> None:
    for roll, way in (("save:winded", "way:goblin-1"), ("save: Winded", "Goblin 1: way")):
        with case(roll, way):
            played = replay(asks_by_ids(), [(roll, [5]), (way, "right")])
            assert played.data == {"faces": [5], "way": "right"}
            assert played.answers == [("save:winded", [5]), ("way:goblin-1", "right")]


def asks_with_a_default() -> Iterator[Any]:
    ways = [(yield Choose("vex", "way", ("left", "right"), default="left"))]
    faces = yield Roll(1, 6, "luck", "vex")
    ways.append((yield Choose("vex", "way back", ("left", "right"), default="right")))
    return {"ways": ways, "faces": faces}


def test_a_default_is_taken_where_nobody_can_be_asked() -> None:
    """After the choices given; who can be asked is."""
    played = play(asks_with_a_default(), EnteredDice([5]), ScriptedChoices(["right"]))
    assert played.data == {"ways": ["right", "right"], "faces": [5]}
    assert ("way back", "right") in played.answers
    asked = play(asks_with_a_default(), EnteredDice([5]), ScriptedChoices(["right"], asking=True))
    assert asked.pending.what == "way back"


def test_a_record_from_before_a_question_was_asked() -> None:
    """What has a default came out so when nobody was asked: the record goes on without it."""
    for answers, ways in (
        ([("luck", [5])], ["left", "right"]),
        ([("way", "right"), ("luck", [5])], ["right", "right"]),
        ([("luck", [5]), ("way back", "left")], ["left", "left"]),
    ):
        with case(answers):
            assert replay(asks_with_a_default(), answers).data == {"ways": ways, "faces": [5]}


def test_a_die_of_other_sides() -> None:
    """STR-CORE-04, for plugins: two of them with Disadvantage, the worse kept."""
    asked: list[Roll] = []

    def dice(roll: Roll) -> list[int]:
        asked.append(roll)
        return [20, 17]

    roll = roll_die("vex", "luck", [Source(DISADVANTAGE, "fog")], [Modifier(2, "boots")], sides=20)
    played = play(roll, dice).data
    assert [(each.n, each.sides) for each in asked] == [(2, 20)]
    assert (played.total, played.sides) == (19, 20)


def test_options_by_a_unique_beginning() -> None:
    for word, option in (
        ("left", "left"),
        ("LEFT", "left"),
        ("r", "right"),
        (" ri ", "right"),
        ("lea", "lead"),
        ("lef", "left"),
    ):
        with case(word, option):
            assert match_option(Choose("vex", "way", ("left", "right", "lead")), word) == option


def test_what_is_no_option_is_refused_with_the_nearest() -> None:
    for word, hint in (("le", ""), ("", ""), ("rihgt", "Did you mean 'right'?"), ("up", "")):
        with case(word), pytest.raises(Usage) as refusal:
            match_option(Choose("vex", "way", ("left", "right", "lead")), word)
        assert hint in refusal.value.message, word
        assert "left, right, lead" in refusal.value.hint, word


def test_answers_in_words_of_ones_own() -> None:
    for word, options, answer in (
        ("flaw", ("flaw", "other"), "flaw"),
        ("flaw: the rope", ("flaw", "other"), "flaw: the rope"),
        (" FLAW the  rope ", ("flaw", "other"), "flaw: the  rope"),
        ("Flaw :the rope: frayed", ("flaw",), "flaw: the rope: frayed"),
        ("favor: Marla", ("flaw", "other"), "other: favor: Marla"),
        ("waive: it", ("waive", "other"), "other: waive: it"),
        (" two days lost ", ("flaw", "other"), "other: two days lost"),
        ("two days lost", ("flaw",), None),
        ("waive: it", ("waive",), None),
        ("rope", ("flaw", "other"), None),
    ):
        with case(word, options), pytest.raises(Usage) if answer is None else nullcontext():
            question = Choose("vex", "cost", options, about=CostToPay("vex", "vex", None))
            assert match_option(question, word) == answer


def test_a_procedure_asks_three_kinds_of_things_and_no_other() -> None:
    def wrong() -> Iterator[Any]:
        yield "please"

    with pytest.raises(TypeError):
        play(wrong(), refuse_more_dice)


def test_dice_beyond_a_question_are_for_what_follows(table: Table) -> None:
    """Whether somebody sits there to be asked or not: dice that were thrown are not lost, nor left over."""
    start = {"id": "", "name": "Roofs", "range": "far", "danger": 0}
    table.play("chase start", runners=["vex"], chasers=["goblin"], **start)
    table.play("chase run", action="risk")
    table.play("chase predict", action="flee", secret=False)
    drivers = {side: {"who": "", "adv": [], "dis": [], "mods": []} for side in ("runners", "chasers")}
    left_open = table.play("chase roll", PlaySettings(dice=[5, 4]), **drivers)
    assert left_open.faces_left == [4]
    waiting = table.files()
    with pytest.raises(Usage, match="You gave 2 dice"):
        table.choose("follow", dice=[1])
    with pytest.raises(Usage, match="You gave 2 dice"):
        table.choose("give-up", dice=[1])
    assert table.files() == waiting
    assert table.choose("give-up").faces_left == [4], "they are handed back"
    table.undo()
    kept = table.choose("follow")
    assert kept.data["chasers"]["faces"] == [4]
    table.undo(2)
    with Campaign(table.folder, writing=True) as campaign:
        asked = perform_command(
            campaign, "chase roll", drivers, PlaySettings(dice=[5, 4], keep_pending=False)
        )
        assert asked.pending is not None
        needless = PlaySettings(dice=[5, 4], choices=["give-up"], dry_run=True)
        assert perform_command(campaign, "chase roll", drivers, needless, asked).faces_left == [4]
        came = perform_command(
            campaign, "chase roll", drivers, PlaySettings(dice=[5, 4], choices=["follow"]), asked
        )
    assert (came.data["chasers"]["faces"], came.data["tie"]) == ([4], True)


def test_a_fact_as_the_journal_keeps_it() -> None:
    """Its details beside what every fact has; places only where there are any."""
    told, changes = Prose("rolled", "vex", "Vex rolls.", {"roll": 4}), (("a.b", None, 1),)
    plain = {"kind": "rolled", "who": "vex", "text": "Vex rolls.", "roll": 4, "changes": [["a.b", None, 1]]}
    assert as_json(Happened(told, changes)) == plain
    assert as_json(Happened(told, changes, ((0, "a"),))) == {**plain, "places": [[0, "a"]]}


def test_of_dice_on_the_table_each_is_asked_for_in_turn() -> None:
    """Those of some are asked for, one roll after the other; one may be left to strike, and those of others
    are from the start."""
    dice = PartlyRealDice(lambda roll: roll.who == "vex", [[3], None], lambda roll: [6] * roll.n)
    asked = [Roll(1, 6, "climb", "vex"), Roll(1, 6, "bite", "goblin"), Roll(2, 6, "climb on", "vex")]
    assert [dice(roll) for roll in asked] == [[3], [6], [6, 6]]
    last = Roll(1, 6, "reach the top", "vex")
    with pytest.raises(FacesNeeded) as wanted:
        dice(last)
    assert wanted.value.roll == last
    assert dice(Roll(1, 6, "bite", "goblin")) == [6]


def test_the_dice_of_a_seed_never_change() -> None:
    """Whoever undoes a command and plays it again, with a strike of years later, has the faces that they had:
    those of the seed, the command's number, how often it was rolled anew, and the question's number."""
    dice = SeededDice("mill", 4)
    three, one = Roll(3, 6, "climb", "vex"), Roll(1, 20, "a name", "")
    assert [dice(three), dice(one), dice(three)] == [[6, 4, 6], [4], [5, 2, 4]]
    assert SeededDice("mill", 4, salt=1)(three) == [1, 5, 2]
    assert SeededDice("mill", 5)(three) == [1, 1, 3]


def test_dice_that_are_wanting_are_named() -> None:
    for roll, words in (
        (Roll(1, 6, "climb", "vex"), "d6 for vex, climb"),
        (Roll(2, 6, "climb", "vex"), "2d6 for vex, climb"),
        (Roll(1, 20, "fate", ""), "d20, fate"),
    ):
        with case(roll), pytest.raises(Usage) as refusal:
            EnteredDice([])(roll)
        assert f"({words})" in refusal.value.message


def test_digits_without_a_comma_are_a_face_or_one_each() -> None:
    for digits, n, sides, faces in (
        ("52", 2, 6, [5, 2]),
        ("6", 1, 6, [6]),
        ("1", 1, 6, [1]),
        ("12", 1, 20, [12]),
        ("20", 1, 20, [20]),
        ("10", 1, 10, [10]),
        ("0", 1, 10, [10]),
        ("07", 2, 10, [10, 7]),
        ("70", 2, 10, [7, 10]),
        ("15", 2, 10, [1, 5]),
        ("15", 2, 9, [1, 5]),
        ("127", 2, 20, None),
        ("03", 1, 20, None),
        ("20", 2, 9, None),
        ("72", 2, 6, None),
    ):
        with case(digits, sides):
            dice, roll = EnteredDice([], undivided_digits=digits), Roll(n, sides, "luck", "vex")
            if faces is not None:
                assert dice(roll) == faces
                dice.check_all_used()
                continue
            with pytest.raises(Usage):
                dice(roll)


def test_dice_from_before_a_decision_come_first_and_may_be_left() -> None:
    one, two = Roll(1, 6, "luck", "vex"), Roll(2, 6, "fate", "vex")
    dice = EnteredDice([], entered=[3], undivided_digits="52")
    assert (dice(one), dice(two), dice.unused_faces()) == ([3], [5, 2], [])
    EnteredDice([], entered=[3]).check_all_used()
    dice = EnteredDice([5], entered=[3])
    assert (dice(one), dice.unused_faces()) == ([3], [5])
    with pytest.raises(Usage):
        dice.check_all_used()
    chosen = ScriptedChoices(["left"])
    with pytest.raises(Usage, match="'left'"):
        chosen.check_all_used()
    chosen(Choose("vex", "way", ("left", "right")))
    chosen.check_all_used()


def test_what_is_at_a_path() -> None:
    state = {"a": {"b": 0, "none": None}, "seen": MappingProxyType({"b": {"c": 2}}), "n": 1}
    for path, value in (
        ("a.b", 0),
        ("a.none", 9),
        ("a.c", 9),
        ("a.b.c", 9),
        ("n.b", 9),
        ("seen.b.c", 2),
        ("gone.b", 9),
        ("n", 1),
    ):
        with case(path):
            assert look_up(state, path, 9) == value


def test_what_comes_back_knows_what_came_next() -> None:
    """Of the same sort: a file has plain values before tables."""
    for path, follows in (
        ("a.x", [(0, "y")]),
        ("a.y", []),
        ("a.t", [(0, "u")]),
        ("a.u", []),
        ("a", [(0, "b")]),
        ("a.z", []),
    ):
        with case(path, follows):
            state = {"n": 1, "a": {"x": 1, "t": {"k": 1}, "y": 2, "u": {"k": 2}}, "b": {}}
            assert places_to_restore(state, [(path, look_up(state, path), None)]) == follows
            assert places_to_restore(state, [(path, look_up(state, path), 5)]) == []


LONG = [{"a": "x" * 60, "b": {"c": "y" * 60}}]
"""A list that a file has among its tables."""


def test_a_list_that_becomes_tables_comes_back_where_it_stood() -> None:
    """A file has short tables of a list within braces, among plain values, and long ones below."""
    for before, after in ((LONG, [{"a": 1}]), ([{"a": 1}], LONG), ([{"a": {"b": 1}}], None), (LONG, None)):
        with case(before, after):
            state = {"s": {"t": {"k": 1}, "n": 1, "list": before, "u": {"k": 2}, "m": 2}}
            state = tomllib.loads(tomli_w.dumps(state))  # as the next command reads it
            fact = World(None, state).tell(Prose("changed", "", "", {}), {"s.list": after}).fact
            kept = as_json(fact)
            now = tomllib.loads(tomli_w.dumps(apply_fact(state, kept)))
            assert tomli_w.dumps(apply_changes(now, *changes_and_places_that_undo([kept]))) == tomli_w.dumps(
                state
            )


ON_LINES: list[Any] = [
    *(
        0,
        -12,
        True,
        1.5,
        "",
        "plain",
        'a "quoted" word',
        "a \\ b",
        "a\tb",
        "a\x7fb",
        "ü\tü",
        "a\x01b",
        "a\nb",
        "Grünwald",
        "龍",
    ),
    *([], [1], {}, {"b": {}}, {"b c": 1}, {"ü": "x"}, {"a-b_c": [], "d": {"e": '"'}}, {"b": [1]}, {"": 1}),
]
"""Values that a file writes each in its own way."""


def test_a_list_is_among_the_tables_where_the_file_has_it_there() -> None:
    """To the character: the longest table that stands within braces, and the next longer one."""
    for value in ON_LINES:
        for pad in range(30, 82):
            one = {"v": value, "pad": "x" * pad}
            with case(one):
                tables = tomli_w.dumps({"k": [one]}).startswith("[[k]]")
                assert change_removes_or_moves_key([1], [one]) == tables
                assert change_removes_or_moves_key([one], [1]) == tables
                assert change_removes_or_moves_key([{"a": 1}, one], [1]) == tables
    for value in (*ON_LINES, [{}], [{"a": 1}, 1], [[{"a": 1}]]):
        with case(value):
            assert change_removes_or_moves_key([1], [value]) == tomli_w.dumps({"k": [value]}).startswith(
                "[[k]]"
            )


def test_what_is_taken_away_comes_back_where_it_stood() -> None:
    """A file is the same again after undo: its keys in the order in which they were."""
    for path in ("a.x", "a.y", "a.t", "a.u", "a", "b.k", "n"):
        with case(path):
            state = {
                "n": 1,
                "a": {"x": 1, "y": 2, "t": {"k": 1}, "u": {"k": 2}},
                "b": {"k": 1},
                "c": {"k": 2},
            }
            fact = World(None, state).happen("lost", "", "", {path: None, "c.k": 3}).fact
            now = apply_changes(state, fact.changes)
            assert (look_up(now, path), look_up(now, "c.k")) == (None, 3)
            kept = json.loads(json.dumps(as_json(fact)))
            assert tomli_w.dumps(apply_changes(now, *changes_and_places_that_undo([kept]))) == tomli_w.dumps(
                state
            )


def test_where_a_key_comes_back() -> None:
    """Before the one that came next, where that is still there; what is there already stays in its place."""
    state = {"a": 1, "c": 2, "d": 3}
    for path, before, order in (
        ("b", "c", "abcd"),
        ("b", "a", "bacd"),
        ("b", "gone", "acdb"),
        ("b", "", "acdb"),
        ("c", "a", "acd"),
    ):
        with case(path, before):
            changes, places = [(path, None, 9)], [(0, before)]
            after = apply_changes(state, changes, places)
            fact = as_json(Happened(Prose("back", "", "", {}), tuple(changes), tuple(places)))
            assert list(apply_fact(state, fact).items()) == list(after.items())
            assert ("".join(after), after[path]) == (order, 9)


def test_what_stays_the_same_is_no_change() -> None:
    """A file tells 1, 1.0 and true apart."""
    for before in (None, 0, 1, 1.0, True, False, "", "1", [1], {"k": 1}):
        for value in (None, 0, 1, 1.0, True, False, "", "1", [1], {"k": 1}):
            with case(before, value):
                state = {} if before is None else {"a": before}
                changes = World(None, state).happen("set", "", "", {"a": value}).fact.changes
                same = (type(before), before) == (type(value), value)
                assert changes == (() if same else (("a", before, value),))


def _twists(value: Any, random: Random) -> Any:
    """A value equal to another, though maybe of other types of numbers, or in another order of keys."""
    if isinstance(value, dict):
        return {key: _twists(value[key], random) for key in random.sample(list(value), len(value))}
    if isinstance(value, list):
        return [_twists(one, random) for one in value]
    return random.choice([one for one in (value, True, 1, 1.0, False, 0, 0.0, -0.0) if one == value])


def test_a_state_is_shared_by_equal_changes_alone() -> None:
    """Equal to a reader: True is no 1, at any depth, and the order of keys is seen."""
    random, shared, apart = Random(5), 0, 0
    for _ in range(400):
        value: Any = random.choice([0, 1, True, 1.0, "a"])
        for _ in range(random.randrange(3)):
            value = random.choice([[value], [value, 1], {"a": value, "b": 0}, {"c": {"d": value}, "a": True}])
        world, values = World(cast("Any", None), {"x": 5}), (value, _twists(value, random))
        first, second = (state_after_changes(world, [("x", 5, one), ("y", None, [])]) for one in values)
        assert [json.dumps(state["x"]) for state in (first, second)] == [*map(json.dumps, values)]
        assert (first is second) == (json.dumps(values[0]) == json.dumps(values[1]))
        shared, apart = shared + (first is second), apart + (first is not second)
    assert min(shared, apart) > 50
