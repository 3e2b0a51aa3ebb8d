"""Short lines: verbs of the scene without their group, beginnings, letters, aliases; names as people say
them; who acts left out; turns and what is taken back of them."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest
from support.cases import case
from support.cli import Strike
from support.edits import append_to

from strike_cli import registry
from strike_cli.campaign import Campaign
from strike_cli.cli.app import root_command
from strike_cli.cli.shell import short_form_blocks
from strike_cli.problems import Usage
from strike_cli.session.command_catalogue import expand_short_line
from strike_cli.session.shorthand import implied_command
from strike_cli.session.typed_line import command_for_answer, command_words_of_line
from strike_cli.terminal.command_output import blocks_as_unwrapped_text
from strike_cli.terminal.invocation import Invocation


def command(strike: Strike, line: str, code: int = 0) -> str:
    """The command that a line turns out to be, in the contract's name."""
    return str(strike.json(line, code)["command"])


def test_a_verb_of_the_scene_needs_no_group(fight: Strike) -> None:
    assert command(fight, "move vex B2 --shift --dry-run") == "combat move"
    assert command(fight, "status add vex prone --dry-run") == "combat status add"
    assert command(fight, "map") == "combat map"
    assert command(fight, "map show ring") == "map show"
    assert command(fight, "status") == "status"


def test_of_two_scenes_the_newer_is_meant_or_the_one_in_use(fight: Strike) -> None:
    fight("chase start roofs --runners vex --chasers goblin --range close")
    assert command(fight, "show") == "chase show"
    assert command(fight, "flee") == "chase run"
    assert command(fight, "turn --dry-run", 1) == "combat turn"  # only the fight has it
    fight("use combat")
    assert command(fight, "show") == "combat show"
    fight("undo")
    assert command(fight, "show") == "chase show"
    assert "'c' could be chase, combat" in fight("scene use c", 2).err
    assert "No scene of 'x' is under way" in fight("scene use x", 2).err
    fight("scene use comb")
    assert command(fight, "show") == "combat show"


def test_beginnings_and_letters(fight: Strike, folder: Path) -> None:
    for line, whole in {
        "att vex goblin-1": ["combat", "attack", "vex", "goblin-1"],
        "a vex goblin-1": ["combat", "attack", "vex", "goblin-1"],
        "c show": ["combat", "show"],
        "comb att vex": ["combat", "attack", "vex"],
        "n": ["combat", "next"],
        "z": ["undo"],
        "combat sho": ["combat", "show"],
        "charac li": ["character", "list"],
    }.items():
        assert expand_short_line(line.split(), Invocation(str(folder))) == whole


def test_what_may_be_several_is_said_and_what_is_none_has_the_nearest(fight: Strike) -> None:
    (first, *_) = fight("st", 2).err.splitlines()
    assert sorted(first.removeprefix("'st' is ambiguous: ").rstrip(".").split(", ")) == [
        "stand",
        "start",
        "status",
        "strike",
    ]
    assert "Did you mean 'attack'?" in fight("atack vex goblin-1", 2).err


def test_without_a_scene_a_verb_says_where_it_belongs(in_campaign: Strike) -> None:
    said = in_campaign("attack vex goblin-1", 2).err
    assert "No scene under way has 'attack'" in said
    assert "`strike combat attack vex goblin-1`" in said and "`strike help now`" in said


def test_without_a_scene_a_letter_says_what_it_is_short_for(in_campaign: Strike) -> None:
    assert "No scene under way has 'a', for 'attack'." in in_campaign("a goblin-1", 2).err
    assert "combat start" in in_campaign("n").out


def test_one_letter_that_stands_for_nothing_begins_nothing(in_campaign: Strike, folder: Path) -> None:
    in_campaign("n x", 2)  # the letter of `next`, where no scene is under way; no beginning of `new`
    in_campaign("d", 2)
    assert not (folder / "x").exists()


def test_of_a_campaign_of_another_game_its_own_verbs_are_named(
    strike: Strike, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    strike(f"new {tmp_path}/hatch --system karma")
    monkeypatch.chdir(tmp_path / "hatch")
    assert "`strike help karma hold`" in strike("hold", 2).err
    begins = strike("help now").out
    assert "strike karma start wreck" in begins
    assert "combat" not in begins
    strike("karma start wreck", 6)
    said = strike("options", 2).err
    assert "`strike karma options`. A decision is open" in said
    assert "combat" not in said
    assert "A decision is open before it begins" in strike("karma show", 1).err
    assert "karma start" not in strike("help now").out


def test_a_refused_short_line_names_the_command_it_meant(fight: Strike) -> None:
    said = fight.json("move vex Z9", 1)
    assert said["command"] == "combat move"


def test_aliases_of_the_campaign_and_of_the_user(
    fight: Strike, folder: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    own = tmp_path / "config" / "strike" / "aliases.toml"
    own.parent.mkdir(parents=True)
    own.write_text('[aliases]\nlast = "log --last {1}"\n')
    append_to(
        folder / "campaign.toml",
        '[aliases]\nhit = "attack . {1} -p trip {*}"\ngo = "move"\nzero = "note {0}"\n',
    )
    path = Invocation(str(folder))
    assert expand_short_line(["last", "3"], path) == ["log", "--last", "3"]
    assert expand_short_line(["hit", "g1", "--dice", "4"], path) == [
        "combat", "attack", ".", "g1", "-p", "trip", "--dice", "4"
    ]  # fmt: skip
    assert expand_short_line(["go", "b2"], path) == ["combat", "move", "b2"]
    assert expand_short_line(["zero", "one"], path) == ["note", "{0}", "one"], "words count from 1"
    assert "it needs 1 word after" in fight("hit", 2).err
    assert "hit = attack" in blocks_as_unwrapped_text(short_form_blocks(folder))


def test_an_alias_may_not_hide_a_command(in_campaign: Strike, folder: Path) -> None:
    append_to(folder / "campaign.toml", '[aliases]\nroll = "log"\n')
    said = in_campaign("status", 3).err
    assert "aliases.roll: 'roll' is not a word of letters and digits that is not a command" in said


def test_names_are_labels_ids_and_words_of_names(fight: Strike) -> None:
    for name in ("g1", "G1", "goblin-1", "1"):
        data = fight.json(f"attack vex {name} --dry-run --dice 6 ")["data"]
        assert "goblin-1" in data["targets"]
    assert "'gob' is ambiguous: goblin-1, goblin-2" in fight("attack vex gob", 2).err


def test_who_acts_may_be_left_out_in_their_turn(fight: Strike) -> None:
    said = fight.json("move B2 --shift --dry-run")["data"]
    assert said["who"] == "vex"
    said = fight.json("attack g1 trip --dry-run --dice 6")["data"]
    assert (said["who"], said["power"]) == ("vex", "trip")
    assert fight.json("rally --dry-run", 1)["error"]["code"] == "refused"
    assert "needs SQUARE" in fight("move", 2).err
    assert "is Vex's turn" in fight("rally odo", 1).err  # written out, somebody else is meant
    of = fight.json("odds attack goblin-1")["data"]["of"]
    assert (of["who"], of["targets"]) == ("vex", ["goblin-1"])
    assert fight.json("odds attack odo goblin-1")["data"]["of"]["who"] == "odo"


def test_one_name_where_two_are_needed_asks_whom(fight: Strike) -> None:
    assert "needs a target" in fight("attack vex", 2).err


def test_next_ends_a_turn_and_begins_the_following(fight: Strike, folder: Path) -> None:
    fight("next")
    with Campaign(folder) as campaign:
        assert campaign.state["fight"]["active"] == "odo"
        assert [past.entry["command"] for past in campaign.commands_in_effect()][:2] == [
            "combat turn",
            "combat end-turn",
        ]
    fight("end-turn")
    fight("next")
    with Campaign(folder) as campaign:
        assert campaign.state["fight"]["active"].startswith("goblin")


def test_a_turn_a_round_and_back_to_a_number_are_taken_back(fight: Strike, folder: Path) -> None:
    fight("move B2 --shift")
    fight("token vex")
    data = fight.json("undo --turn")["data"]["of"]
    assert [one["command"] for one in data] == ["combat token", "combat move"]
    assert "Nothing has been played in this turn yet" in fight("undo --turn", 1).err
    fight("next")
    seq = fight.json("token odo")["seq"]
    fight("token odo")
    data = fight.json(f"undo '#{seq}'")["data"]["of"]
    assert [one["seq"] for one in data] == [seq + 1, seq]
    assert "no command #1 to take back" in fight("undo '#999'", 1).err.replace("#999", "#1")
    fight("undo --round")
    with Campaign(folder) as campaign:
        assert campaign.state["fight"]["round"] == 1
        assert not campaign.state["fight"].get("active")


def test_what_an_open_decision_offers_may_be_typed(fight: Strike, folder: Path) -> None:
    fight("combat attack vex goblin-1 --power trip --dice 3", code=6)
    assert command_for_answer(folder, ["effect"]) == ["choose", "--for", "fight", "effect"]
    assert command_for_answer(folder, ["2"]) == ["choose", "--for", "fight", "effect"]
    assert command_for_answer(folder, ["eff"]) == ["choose", "--for", "fight", "effect"]
    assert command_for_answer(folder, ["undo"]) is None
    assert command_for_answer(folder, ["d"]) == ["choose", "--for", "fight", "damage"]
    fight("choose --for vex damage")


def test_a_command_written_out_is_not_looked_up(
    fight: Strike, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def never(*_: object) -> None:
        raise AssertionError("looked up")

    monkeypatch.setattr("strike_cli.session.shorthand.ShortForms.__init__", never)
    assert expand_short_line(["combat", "attack", "vex"], Invocation(str(folder))) == [
        "combat",
        "attack",
        "vex",
    ]
    assert expand_short_line(["status"], Invocation(str(folder))) == ["status"]
    assert root_command().name == "strike"


def test_dice_with_arithmetic(strike: Strike) -> None:
    for line, dice, total in (
        ("roll 2d6+3", "4,2", 9),
        ("roll 4d6kh3 --seed 1", "6,1,5,3", 14),
        ("roll die 2d20kl", "17,4", 4),
        ("roll d6-1+2", "3", 4),
    ):
        with case(line):
            data = strike.json(f"{line.replace(' --seed 1', '')} --dice {dice}")
            assert (data["command"], data["data"]["total"]) == ("roll die", total)


def test_a_roll_says_by_its_words_which_it_is(in_campaign: Strike) -> None:
    assert in_campaign.json("roll vex climb --dice 5")["command"] == "roll skill"
    assert "is not dice" in in_campaign("roll die 2d6kh3", 2).err


def test_a_slip_in_a_skill_is_no_unskilled_roll(in_campaign: Strike) -> None:
    said = in_campaign("roll skill vex Climbingg", 2).err
    assert "Did you mean 'Climbing'?" in said
    assert "--unskilled" in said
    assert in_campaign.json("roll skill vex Climbingg --unskilled --dice 5")["data"]["skilled"] is False
    in_campaign("roll skill vex Cooking --dice 5")  # like nothing that anybody has
    assert "--ours unskilled" in in_campaign("roll opposed vex Climbig", 2).err


def test_an_option_is_not_swallowed_as_a_skill(in_campaign: Strike) -> None:
    said = in_campaign("roll opposed --against odo --dice 5,2", 2).err
    assert "--against odo: their Skill is missing" in said


def test_a_last_word_that_is_neither_somebody_nor_a_power_says_so(fight: Strike) -> None:
    refused = fight("attack g1 zzz", 2).err
    assert "'zzz' is not in this fight, and not a power of Vex" in refused
    assert "trip" in refused


def test_another_scenes_words_are_known_too(in_campaign: Strike) -> None:
    in_campaign("chase start roofs --runners vex --chasers goblin --range close")
    in_campaign("combat start ring --party odo")
    assert "Runners pick" in in_campaign("flee").out


def test_a_verb_called_strike_is_one_at_the_prompt(in_campaign: Strike, folder: Path) -> None:
    """`strike vex` gives a Strike in a fight; `strike roll die` is a line as in bash."""
    in_campaign("combat start ring --party vex")
    assert command_words_of_line(folder, "strike vex", ()) == ["strike", "vex"]
    assert command_words_of_line(folder, "strike roll die", ()) == ["roll", "die"]
    with pytest.raises(Usage, match="Close every quote"):
        command_words_of_line(folder, 'roll "d6', ())
    with pytest.raises(Usage, match="isn't played from here"):
        command_words_of_line(folder, "shell", ("shell",))


def test_what_next_played_is_one_act(in_campaign: Strike) -> None:
    """Undone and put back as one, also among several; the journal has a command each."""
    for line in ("combat start ring --party vex --party odo", "combat initiative --dice 6,5,1,1", "n"):
        in_campaign(line)
    first = in_campaign.json("combat show")["data"]
    in_campaign("n")
    before = in_campaign.json("combat show")["data"]
    taken = in_campaign.json("undo")["data"]["of"]
    assert [one["command"] for one in taken] == ["combat turn", "combat end-turn"]
    assert in_campaign.json("combat show")["data"] == first
    put_back = in_campaign.json("redo")["data"]["of"]
    assert [one["command"] for one in put_back] == ["combat end-turn", "combat turn"]
    assert in_campaign.json("combat show")["data"] == before
    in_campaign("note so far")
    assert len(in_campaign.json("undo 3")["data"]["of"]) == 4
    for nonsense in ("0", "-1"):
        assert f"redo {nonsense}: give a number of 1 or more" in in_campaign(f"redo -- {nonsense}", 2).err
    assert len(in_campaign.json("redo 3")["data"]["of"]) == 4
    assert "Only" in in_campaign("undo 9", 1).err


def test_a_group_is_asked_of_every_system_that_may_mean_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """One that knows no command for the words leaves them to the next."""
    silent = SimpleNamespace(meant={"roll": "operator:not_"}, absolute=str)
    systems = [silent, *registry.load_usable_systems()]
    monkeypatch.setattr("strike_cli.registry.load_usable_systems", lambda: systems)
    assert implied_command("roll", ["vex", "climbing"]) == "skill"
