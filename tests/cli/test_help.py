"""Help: every command on one screen, a command's help however it is asked for, what can be done now, what
rules say, and where a mistake stands."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
from support.cases import case
from support.cli import Strike
from support.edits import append_to

from strike_cli import registry
from strike_cli.cli.shell import run_line_and_count_commands
from strike_cli.problems import CampaignProblem
from strike_cli.registry.numbered_rules import RULE_NUMBER, all_rules, rules_of
from strike_cli.terminal.invocation import Invocation
from strike_cli.untrusted_input import line_of_deepest_key_found

ROOT = Path(__file__).parents[2]


def test_an_evening_is_on_one_screen(in_campaign: Strike) -> None:
    """Twenty commands, each with a few words, by when one needs them."""
    said = in_campaign("--help").out
    lines = said.splitlines()
    assert len(lines) < 25 and max(map(len, lines)) <= 80
    moments = ("Before", "At the table", "In a fight", "After")
    assert [line.split("  ")[0] for line in lines[1:-2] if line[0] != " "] == list(moments)
    told = [line[13:] for line in lines[1:-2]]
    assert len(told) == 20 and all(re.search(r"\w {2,}\w", line) for line in told)
    assert in_campaign("help").out == said
    for more in ("help all", "help now", "tour"):
        assert more in said


def test_all_commands_are_told_in_a_few_words(in_campaign: Strike) -> None:
    """Of what the campaign uses; of other games the names."""
    said = in_campaign("help all").out
    words = set(re.findall(r"[\w-]+", said))
    assert [name for name in registry.command_apps_by_group() if name not in words] == [
        "override"
    ]  # `set` does it
    headings = ["At the table", "Before", "After", "Screens", "Files", "For developers"]
    assert re.findall("^[A-Z][a-z ]+$", said, re.MULTILINE) == headings
    assert re.search(r"^  combat +Fights on a grid$", said, re.MULTILINE)
    assert re.search(r"^Not in use here: .*Grit", said, re.MULTILINE)


def test_help_has_the_games_that_the_campaign_plays(strike: Strike, tmp_path: Path) -> None:
    strike(f"new {tmp_path / 'stair'} --system grit")
    for line in ("help", "help all"):
        lines = strike(f"-C {tmp_path / 'stair'} {line}").out.splitlines()
        words = {word for each in lines for word in each[:36].split()}
        assert "grit" in words and not {"combat", "conflict", "wealth", "karma"} & words


@pytest.mark.slow
def test_what_belongs_together_has_one_name(in_campaign: Strike) -> None:
    """The old name goes on working, and JSON keeps it."""
    for group, names in registry.top_level_commands_listed_in_groups().items():
        for name in names:
            assert in_campaign(f"help {group} {name}").out == in_campaign(f"help {name}").out
    assert in_campaign.json("players proposals")["command"] == "proposals"
    in_campaign("condition add vex winded")
    assert in_campaign.json("condition recover vex winded --rest minutes")["command"] == "recover"


def test_words_that_people_say_are_answered_with_what_is_meant(fight: Strike) -> None:
    for word, says in (
        ("hit g1", "combat attack"), ("miss", "combat attack"), ("skip", "combat next"),
        ("pass", "combat next"), ("save", "combat end-turn"), ("kill g1", "combat hp"),
        ("down g1", "combat hp"), ("buy rope", "wealth buy"), ("oops", "undo"),
    ):  # fmt: skip
        with case(word):
            said = fight(word, 2).err
            assert f"You mean `{says}`" in said
            fight(f"help {says}")
            assert f"`strike help {says}`" in said


def test_rules_are_found_by_words_of_other_games(in_campaign: Strike) -> None:
    """The campaign's own games first; what only another has is marked."""
    for words, id in (
        ("dying", "STR-TAC-15"), ("unconscious", "STR-TAC-15"), ("opportunity attack", "STR-TAC-08"),
        ("short rest", "STR-CORE-13"), ("critical", "STR-TAC-09"), ("surprise", "GRT-04"),
    ):  # fmt: skip
        with case(words):
            found = in_campaign.json(f"rule {words}")["data"]["rules"]
            assert id == found[0]["id"]
            assert ("which is not played here" in in_campaign(f"rule {words}").out) == (
                not id.startswith("STR")
            )


def test_aliases_are_in_the_overview(in_campaign: Strike, folder: Path) -> None:
    append_to(folder / "campaign.toml", '[aliases]\nkd = "attack . {1} -p trip"\n')
    assert re.search(r"^Aliases +kd$", in_campaign("help").out, re.MULTILINE)
    assert "kd stands for: attack . {1} -p trip" in in_campaign("help kd", None).out


@pytest.mark.slow
@pytest.mark.parametrize("line", ["combat", "combat attack", "roll skill", "combat status add"])
def test_help_of_a_command_is_its_help(in_campaign: Strike, line: str) -> None:
    assert in_campaign(f"help {line}").out == in_campaign(f"{line} --help").out


@pytest.mark.slow
def test_options_of_two_sides_are_listed_once(in_campaign: Strike) -> None:
    listed = re.findall("^│ (--[a-z-]+)", in_campaign("roll opposed --help").out, re.MULTILINE)
    assert "--adv" in listed and not [each for each in listed if re.search("-(ours|theirs)$", each[2:])]


def test_in_a_scene_its_verbs_need_no_group(fight: Strike, folder: Path) -> None:
    whole = fight("combat attack --help").out
    for line in ("help attack", "help att", "help a", "help c attack"):
        assert fight(line).out == whole
    run_line_and_count_commands(Invocation(str(folder)), "help attack")
    assert fight._capsys.readouterr().out == whole


def test_help_of_nothing_says_where_to_look(in_campaign: Strike) -> None:
    said = in_campaign("help flanking", 2).err
    assert "There is no command 'flanking'" in said and "strike rule flanking" in said


def test_now_between_scenes_is_what_one_would_type_next(in_campaign: Strike) -> None:
    told = in_campaign.json("help now")["data"]["now"]
    assert "session start" in told["next"] and "combat start ring" in told["next"]
    for step in told["next"]:
        assert in_campaign(f"{step} --dry-run", None).code != 2, step


def test_now_without_a_campaign(strike: Strike, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert "strike new my-campaign" in strike("help now").out


def test_now_in_a_scene_is_every_verb_that_is_legal(fight: Strike) -> None:
    said = fight("help now").out
    (scene,) = fight.json("help now")["data"]["now"]["scenes"]
    assert "move" in scene["verbs"] and "attack" in said and "in short" in said
    legal = {each["typed"] for each in fight.json("combat options")["data"]["options"]}
    assert legal
    for verb in ("move", "end-turn"):
        way = scene["verbs"][verb][0] if scene["verbs"][verb] else ""
        fight(f"{verb} {way} --dry-run", None)
        assert fight(f"{verb} {way} --dry-run", None).code in (0, 6)


def test_now_says_how_a_decision_is_answered(in_campaign: Strike) -> None:
    in_campaign("roll skill vex Swimming --unskilled --dice 6", 6)
    said = in_campaign("help now").out
    assert "strike choose learn" in said and "strike undo" in said


# Rules


@pytest.mark.slow
def test_every_number_that_is_named_has_its_rule() -> None:
    """In helps, in what is said, in documents; and every rule is somewhere in a system's file once."""
    places = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md"), ROOT / "campaign.example.toml"]
    for package in ("strike_cli", "plugins", "bridge"):
        places += [path for ending in ("py", "toml", "md") for path in (ROOT / package).rglob(f"*.{ending}")]
    known = all_rules()
    numbers = re.compile(r"\b(?:STR-(?:CORE|TC|CH|TAC)|GRT|CIN|WSH)-\d+a?\b")
    named = {number for path in places for number in numbers.findall(path.read_text(encoding="utf-8"))}
    assert len(named) > 100
    assert sorted(named - set(known)) == []
    assert sum(len(list(rules_of(each))) for each in registry.load_usable_systems() if each.rules) == len(
        known
    )


def test_rules_are_short_and_no_number_stands_alone() -> None:
    for rule in all_rules().values():
        assert re.fullmatch(RULE_NUMBER, rule.id)
        assert rule.title and 20 < len(rule.text) < 600, rule.id


def test_documents_reach_every_page_of_rules() -> None:
    text = (ROOT / "docs" / "rules.md").read_text(encoding="utf-8")
    linked = {(ROOT / "docs" / link).resolve() for link in re.findall(r"\]\((\.\./[^)]+rules\.md)\)", text)}
    assert linked == {
        registry.path_beside(each, each.rules).resolve()
        for each in registry.load_usable_systems()
        if each.rules
    }


def test_a_rule_is_found_by_its_number_or_by_words(strike: Strike) -> None:
    for typed in ("STR-TAC-04", "str-tac-04", "tac-04", "trading"):
        with case(typed):
            said = strike(f"rule {typed}").out
            assert said.startswith("STR-TAC-04  Trading actions\n") and "Role Action" in said


def test_a_beginning_and_common_words_list_what_fits(strike: Strike) -> None:
    listed = strike.json("rule GRT")["data"]["rules"]
    assert [each["id"] for each in listed] == [f"GRT-{number:02}" for number in range(1, 13)]
    assert "strike rule GRT-01" in strike("rule GRT").out
    assert [each["id"] for each in strike.json("rule flanking")["data"]["rules"]] == ["STR-TAC-20"]
    assert "`strike rule` lists" in strike("rule zzyzx", 2).err
    assert "WSH-20" in strike("rule").out


# Times and lines


@pytest.mark.skipif(os.name == "nt", reason="its zone is the system's")
def test_times_are_local_and_say_so(in_campaign: Strike, monkeypatch: pytest.MonkeyPatch) -> None:
    import time

    in_campaign("session start")
    monkeypatch.setenv("TZ", "XYZ-05:30")
    time.tzset()
    try:
        (entry,) = in_campaign.json("log --last 1")["data"]["entries"]
        hours, minutes = map(int, entry["at"][11:16].split(":"))
        here = divmod((hours * 60 + minutes + 330) % 1440, 60)
        told = in_campaign("log --last 1").out  # what happened, where the command's name stood
        assert told.startswith(f"#1 {here[0]:02}:{here[1]:02} Session 1 begins.")
        assert f"{here[0]:02}:{here[1]:02} XYZ" in in_campaign("session list").out
        assert "XYZ, 1 command" in in_campaign("session report").out
    finally:
        monkeypatch.undo()
        time.tzset()


def test_a_mistake_names_its_line(in_campaign: Strike, folder: Path) -> None:
    append_to(folder / "campaign.toml", '[creatures.heap]\nname = "Heap"\nhp = "many"\n')
    line = len((folder / "campaign.toml").read_text().splitlines())
    assert f"Write hp = 1 (line {line})" in in_campaign("status", 3).err


def test_lines_of_toml_are_found_as_far_as_keys_go() -> None:
    text = '[a.b]\nc = """\nd = 1\n"""\nd = 2\n[[x]]\n[a."e"]\n f.g = 3\n'
    assert [
        line_of_deepest_key_found(text, path.split(".")) for path in ("a.b.d", "a.e.f.g", "a.b.zz", "x", "no")
    ] == [5, 8, 1, 6, None]
    assert CampaignProblem.exit_code == 3
