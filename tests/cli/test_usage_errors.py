"""What is typed is read as people mean it, and refused in strike's own words: texts without quotes, faces
without commas, words that a command doesn't take."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest
from support.cases import case
from support.cli import Strike

from strike_cli.campaign import Campaign
from strike_cli.campaign.create import create_campaign_folder
from strike_cli.command_line_splitting import split_words_keeping_apostrophes
from strike_cli.kernel.driver import default_of_decision, play_until_open_decision, refuse_more_dice
from strike_cli.kernel.procedure import World
from strike_cli.systems.combat.commands.attacks_and_powers import _parse_targets_and_note_power
from strike_cli.systems.combat.encounter.fight_setup import StartFight, play_start
from strike_cli.terminal.commands_and_options import Options
from strike_cli.terminal.invocation import UNATTENDED
from strike_cli.terminal.move_commands import Call, TwoReadings


def test_an_apostrophe_is_a_letter() -> None:
    """But around whole words, where older scripts have it for quotes."""
    for line, words in (
        ("note he's lying", ["note", "he's", "lying"]),
        ("undo '#63'", ["undo", "#63"]),
        ("note 'tis late", ["note", "'tis", "late"]),
        ("""note "he's the 'old' one" isn't he""", ["note", "he's the 'old' one", "isn't", "he"]),
        ("""add 'a "b" c' --x='two words'""", ["add", 'a "b" c', "--x=two words"]),
    ):
        assert split_words_keeping_apostrophes(line) == words


def test_a_note_needs_no_quotes(in_campaign: Strike) -> None:
    note = in_campaign("note --json the guard -- not --about --him lies --5").json["facts"][0]["note"]
    assert note == "the guard not --about --him lies --5"
    fact = in_campaign.json("note owes the --ferryman 5 --about vex odo --secret")["facts"][0]
    assert fact["note"] == "owes the --ferryman 5 odo"
    assert fact["about"] == ["vex"]


def test_an_option_holds_for_its_own_command_alone(in_campaign: Strike) -> None:
    """Also where the same command is typed again in one process: what nobody types is read once."""
    line = "roll skill vex Climbing --skilled"
    for typed in ("--adv rope --tag cold --secret --note late -d 4,5", "-d 5", "--dis mud -d 5,6"):
        in_campaign(f"{line} {typed}")
    first, plain, last = in_campaign.json("log --last 3")["data"]["entries"]
    assert (first["note"], first["secret"]) == ("late", True)
    assert not {"note", "secret"} & {*plain, *last}
    assert first["args"]["adv"] == ["rope"]
    assert not {"adv", "tags", "dis"} & {*plain["args"]}
    assert last["args"]["dis"] == ["mud"]


def test_why_and_note_take_all_words_up_to_an_option(in_campaign: Strike) -> None:
    in_campaign("combat start ring --party vex")
    said = in_campaign("combat damage vex 2 --why the cold -5 river --note it is winter --plain").out
    assert "the cold -5 river" in said
    entry = in_campaign.json("log --last 1")["data"]["entries"][0]
    assert entry["note"] == "it is winter"
    assert "the cold river" in in_campaign('combat damage --why "the cold river" vex 2').out


def test_faces_need_no_commas(strike: Strike) -> None:
    for line, faces in (
        ("roll die 2d6 -d 24", [2, 4]),
        ("roll die 2d6 -d2,4", [2, 4]),
        ("roll die d20 --dice 12", [12]),
        ("roll die d10 -d 10", [10]),
        ("roll die 2d10 -d 07", [10, 7]),
        ("roll die 3d8 -d 188", [1, 8, 8]),
        ("roll skill --skilled --adv rope -d 35", [3, 5]),
    ):
        with case(line):
            [roll] = strike.json(line)["data"].get("rolls") or [strike.json(line)["data"]["roll"]]
            assert roll["faces"] == faces


def test_faces_that_do_not_fit_are_refused(strike: Strike) -> None:
    for line in ("2d20 -d 127", "2d12 -d 35", "2d6 -d 07", "2d6 -d 246"):
        assert "Nothing was recorded" in strike(f"roll die {line}", 2).err


RAW = ("Missing", "Invalid value", "No such", "Got unexpected", "requires an argument", "is not a valid")


def test_refusals_are_in_own_words(in_campaign: Strike) -> None:
    for line, says in (
        ("combat foo", "`combat` has no 'foo'"),
        ("combat status ad", "`combat status` has no 'ad'"),
        ("combat --fast", "`combat` has no option --fast"),
        ("combat --plain show",
         "--plain comes after a command, not before it.\nSo: `strike combat show --plain`"),
        ("combat resume", "`combat resume` needs WHO: "),
        ("combat prepare vex attack g1", "needs --trigger TEXT: "),
        ("combat auto --turns 3", "has no option --turns.\nIt has --until-player, --fight, --bot"),
        ("combat attack vex --power", "needs --power P: "),
        ("combat turn vex odo", "takes no more words: 'vex odo' is left over"),
        ("wealth buy vex boat",
         "PRICE is a whole number from 0 to 4, not 'boat'.\nExample: `strike wealth buy"),
        ("log --last x", "--last N is a whole number from 1 on, not 'x'"),
        ("redo please", "N is a whole number, not 'please'"),
        ("combat attack vex g1 --pwoer trip", "Did you mean '--power'?"),
        ("odds xyz", "`odds` has no 'xyz'"),
    ):  # fmt: skip
        with case(line):
            ran = in_campaign(line, 2)
            assert says in ran.err
            assert not any(raw in ran.err for raw in RAW)
            assert "\n" in ran.err.strip()  # and what to type


def test_what_stands_before_a_command_is_said_to_belong_behind_it(strike: Strike) -> None:
    for line, says in (
        (
            "--dry-run roll die d6",
            "--dry-run comes after a command, not before it.\nSo: `strike roll die d6 --dry-run`",
        ),
        ("--note rain roll die d6", "So: `strike COMMAND --note TEXT`"),
        ("--foo status", "`strike` has no option --foo.\n"),
        ("-C", "-C has no value.\n"),
    ):
        with case(line):
            ran = strike(line, 2)
            assert says in ran.err
            assert not any(raw in ran.err for raw in RAW)


def test_what_is_missing_is_what_is_named(in_campaign: Strike) -> None:
    for line, says in (
        ("combat damage vex", "`combat damage` needs N"),
        ("combat damage 3", "`combat damage` needs WHO"),
        ("combat hp vex", "`combat hp` needs -4|+4|7"),
        ("combat status add prone", "needs WHO: "),
        ("combat attack g1 --power -d 3", "--power P has no value: -d is an option, too."),
        ("roll vex climb --adv --seed 3", "--adv REASON has no value: --seed is an option, too."),
    ):
        with case(line):
            said = in_campaign(line, 2).err
            assert says in said and "Example: `strike" in said


def test_a_count_behind_names_is_one_or_more(in_campaign: Strike) -> None:
    in_campaign("combat start ring --party vex --party odo")
    for count in (0, "00"):
        assert "too small" in in_campaign(f"combat token vex odo {count}", 2).err
    assert "Odo" in in_campaign("combat token vex odo 2").out


def test_an_option_behind_two_dashes_is_text(in_campaign: Strike) -> None:
    assert "--note -d" in in_campaign("note -- --note -d").out


@pytest.mark.parametrize("encounter", ["ford", "gallery", "last-lamp"])
def test_names_of_several_words_are_read_in_one_way_or_asked_about(encounter: str, tmp_path: Path) -> None:
    """Each TARGET POWER of an encounter, by their names without quotes or `with`, means just that, or is
    refused with both readings: none is guessed."""
    folder = create_campaign_folder(tmp_path / "road", seed=3)
    asked = count = 0
    with Campaign(folder) as campaign:
        world = World(campaign.book, {})
        begun = play_until_open_decision(
            play_start(world, StartFight(encounter=encounter, party=["vex", "odo"])),
            world,
            refuse_more_dice,
            default_of_decision,
        )
        assert begun.pending is None
        campaign.state = world.state
        people = world.state["fight"]["combatants"]
        for who, actor in people.items():
            sheet = campaign.book.characters.get(actor["ref"]) or campaign.book.creatures[actor["ref"]]
            powers = [key for key in sheet.get("powers", []) if "damage" in campaign.book.powers[key]]
            for (target, one), power in product(people.items(), powers):
                if target == who:
                    continue
                call = Call(Options({}, UNATTENDED), campaign, {"who": who})
                count += 1
                try:
                    found = _parse_targets_and_note_power(
                        call, f"{one['name']} {campaign.book.powers[power]['name']}".lower().split()
                    )
                except TwoReadings:
                    asked += 1
                else:
                    assert (found, call.typed["power"]) == ([target], power)
    assert 0 < count > asked * 8
