"""What Tab offers: what would be legal in each place, through real shells, and never names of files where no
file is meant."""

from __future__ import annotations

import inspect
import os
import select
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import pytest
from support.cases import case
from support.cli import Strike
from support.edits import append_to

from strike_cli import registry
from strike_cli.cli import shell_completion
from strike_cli.cli.app import root_command
from strike_cli.session import tab_completion
from strike_cli.session.tab_completion import quoted_completions_with_blank
from strike_cli.terminal.argument_completions import FILES, FOLDERS, Metavar

FREE = {
    None, "TEXT", "TEXT...", "[TEXT...]", "REASON", "WHY", "NEW", "VALUE", "WHAT", "SELLER", "ON", "JSON",
    "URL",
    # numbers and dice
    "N", "N[:REASON]", "N,N", "N,N,N,N,N", "N:TYPE,...", "[N|#SEQ]", "-4|+4|7", "2%", "A/D", "R/C", "DAYS",
    "DICE", "[DICE]", "ROLL", "ROLL:REASON", "d6", "d8", "d10", "4d6", "d6,d6", "3,5", "5,2", "5,2|ask",
    # several things in one word
    "A,B", "NAME=VALUE", "PATH=VALUE", "EVENT:OTHER", "tcp://HOST:PORT",
}  # fmt: skip
"""What a place is called for which nothing could be offered."""
SHELLS = ("bash", "zsh", "fish")


def offered(line: str) -> list[str]:
    """What may follow a line, whose last word is under way."""
    before, _, last = line.rpartition(" ")
    return list(tab_completion.find_completions(before.split(), last).words)


# Every place


def places(command: Any, context: Any, name: str) -> Iterator[tuple[Any, Any]]:
    here = command.make_context(name, [], parent=context, resilient_parsing=True)
    for inner, each in getattr(command, "commands", {}).items():
        yield from places(each, here, inner)
    if not hasattr(command, "commands"):
        yield from ((here, place) for place in command.params)


def is_number(context: Any, place: Any) -> bool:
    declared = context.command.callback.__wrapped__
    annotation = inspect.signature(declared).parameters[place.name].annotation
    return {int, float} & {annotation.__origin__, *get_args(annotation.__origin__)} != set()


@pytest.mark.slow
def test_every_place_that_names_something_is_completed() -> None:
    """All arguments and options with a value, but numbers and what is listed as free."""
    for group in registry.command_apps_by_group():
        with case(group):
            root = root_command().make_context("strike", [], resilient_parsing=True)
            assert [
                f"{context.command_path} {place.name} ({place.metavar})"
                for context, place in places(root_command().get_command(root, group), root, group)
                if not getattr(place, "is_flag", False) and not is_number(context, place)
                if not isinstance(place.metavar, Metavar) and place.metavar not in FREE
            ] == []


# What is legal


def test_what_may_stand_there_is_offered(fight: Strike) -> None:
    for line, some in (
        ("att", ["attack"]),
        ("attack ", ["goblin-1", "vex"]),
        ("attack vex ", ["goblin-1"]),
        ("combat attack . g1 ", ["trip", "--power"]),
        ("attack g1 tr", ["trip"]),
        ("attack vex goblin-1 --power ", ["trip"]),
        ("move B", ["B2"]),
        ("combat use vex ", ["trip"]),
        ("combat status add vex pro", ["prone"]),
        ("-C /nowhere roll skill ", []),
        ("help comb", ["combat"]),
        ("rule STR-TAC-0", ["STR-TAC-04"]),
        ("roll skill vex Cl", ["Climbing"]),
        ("undo --", ["--turn"]),
        ("scene use ", ["combat"]),
        ("content list ", ["statuses"]),
        ("override fight.combatants.vex.", ["fight.combatants.vex.hp"]),
    ):
        with case(line):
            found = offered(line)
            assert [word for word in some if word not in found] == []
            assert some or not found


def test_squares_are_those_that_a_move_accepts(fight: Strike) -> None:
    squares = offered("combat move . ")
    assert squares and "A1" in [*squares, "A1"]
    for square in squares:
        assert fight(f"combat move . {square} --dry-run", None).code in (0, 6)
    told = fight.json("combat map --reach vex")["data"]["reach"]
    assert sorted(squares) == sorted(told)


def test_nobody_out_of_the_fight_is_offered_and_no_power_of_others(fight: Strike) -> None:
    assert "brann" not in offered("combat attack ")
    own = set(offered("combat use odo "))
    assert own and not {"trip"} & own - set(fight("character show odo").out.lower().split())


def test_open_decisions_are_completed_and_nothing_else_for_them(in_campaign: Strike) -> None:
    assert offered("choose ") == []
    in_campaign("roll skill vex Swimming --unskilled --dice 6", 6)
    assert offered("choose ") == ["learn", "bonus"]
    assert "vex" in offered("choose --for ")


def test_what_somebody_has_is_offered_to_be_taken_away(in_campaign: Strike) -> None:
    assert offered("condition remove vex ") == []
    in_campaign("condition add vex winded")
    in_campaign("flaw add vex 'black rope'")
    assert offered("condition remove vex ") == ["winded"] == offered("recover vex ")
    assert offered("condition remove odo ") == []
    assert offered("flaw mend vex ") == ["f1"]
    assert offered("roll skill vex Climbing --using ") == ["black rope"]


def test_the_campaign_of_the_line_is_asked(
    in_campaign: Strike, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("STRIKE_CAMPAIGN", raising=False)
    monkeypatch.chdir(tmp_path)
    assert offered("character show ") == []
    assert "vex" in offered(f"-C {folder} character show ")
    assert "vex" in offered(f"character show -C {folder} ")


def test_the_shell_of_strike_offers_the_same(fight: Strike) -> None:
    assert quoted_completions_with_blank("combat attack vex ", "gob") == ["goblin-1 ", "goblin-2 "]


def test_files_are_offered_where_a_file_is_meant() -> None:
    assert tab_completion.find_completions(["batch"], "").place == FILES
    assert tab_completion.find_completions(["-C"], "").place == FOLDERS
    assert tab_completion.find_completions(["character", "show"], "").place == ""


def test_commands_that_help_leaves_out_are_offered_once_begun(in_campaign: Strike) -> None:
    listed = ["targets", "push", "sync", "run", "status", "diff", "review", "link", "connect", "pull"]
    assert sorted(offered("bridge ")) == sorted(listed)
    assert [offered(f"bridge {begun}") for begun in ("lo", "res")] == [["login"], ["resend"]]


def test_before_a_letter_the_commands_of_an_evening_are_offered(in_campaign: Strike) -> None:
    """With one, all that begin so."""
    first = offered("")
    assert {"help", "status", "session", "fight"} <= {*first} and len(first) < 25
    assert "override" not in first and "override" in offered("over")
    in_campaign("combat start ring --party vex")
    assert {"initiative", "status"} <= {*offered("")}


# Real shells


def script(shell: str) -> str:
    ran = subprocess.run(
        [sys.executable, "-m", "strike_cli", "--show-completion", shell],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    return ran.stdout


BASH = """
{script}
COMP_WORDBREAKS=$' \\t\\n"\\'><=;|&(:'
ask() {{
    COMP_LINE="$1"; COMP_POINT=${{#1}}; COMPREPLY=()
    compopt() {{ :; }}
    _strike_completion strike "${{1##* }}" ""
    printf '%s\\n' "${{COMPREPLY[@]}}" "====="
}}
{asks}
complete -p strike
"""
FISH = "{script}\n{asks}\n"


def own_strike(tmp_path: Path) -> Path:
    """A program of this name, in a folder for the path."""
    program = tmp_path / "bin" / "strike"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m strike_cli "$@"\n')
    program.chmod(0o755)
    return program


def asked(shell: str, tmp_path: Path, lines: list[str]) -> list[list[str]]:
    """What a real shell offers after each line, typed in a folder with files in it."""
    if shutil.which(shell) is None:
        pytest.skip(f"no {shell} here")
    place = own_strike(tmp_path).parent
    quoted = [line.replace("'", "'\\''") for line in lines]
    if shell == "bash":
        text = BASH.format(script=script(shell), asks="\n".join(f"ask '{line}'" for line in quoted))
    else:
        asks = "\n".join(f"complete -C '{line}'; echo =====" for line in lines)
        text = FISH.format(script=script(shell), asks=asks)
    env = {**os.environ, "PATH": f"{place}{os.pathsep}{os.environ['PATH']}", "HOME": str(tmp_path)}
    norc = ["--norc"] if shell == "bash" else ["--no-config"]
    ran = subprocess.run([shell, *norc, "-c", text], env=env, capture_output=True, text=True, timeout=60)
    assert ran.stderr == ""
    answers = [part.split("\n") for part in ran.stdout.split("=====\n")]
    return [[word for word in part if word] for part in answers]


LINES = [
    "strike attack . gob",
    "strike roll skill vex Nothing",
    "strike roll skill vex Pick",
    "strike -C ",
    "strike batch e",
]


@pytest.mark.slow
@pytest.mark.parametrize("shell", ["bash", "fish"])
def test_a_shell_offers_it(shell: str, fight: Strike, folder: Path, tmp_path: Path) -> None:
    append_to(folder / "campaign.toml", '[characters.pip]\nname = "Pip"\nskills = ["Picking Locks"]\n')
    (folder / "evening.txt").write_text("status\n")
    (folder / "packs").mkdir(exist_ok=True)
    answers = asked(
        shell, tmp_path, [*LINES, "strike roll skill pip Pick", 'strike roll skill pip "Picking L']
    )
    goblins, nothing, none, folders, files, spaced, quoted = answers[:7]
    assert goblins == ["goblin-1", "goblin-2"]
    assert nothing == none == []  # no file is offered where a Skill is meant
    assert any(word.startswith("packs") for word in folders)
    assert not any("evening" in word for word in folders)
    assert any(word.startswith("evening.txt") for word in files)
    spoken = "Picking\\ Locks" if shell == "bash" else "Picking Locks"
    assert spaced == [spoken] and [word.strip('"') for word in quoted] == ["Picking Locks"]
    if shell == "bash":
        assert "-o nosort -F _strike_completion strike" in " ".join(answers[-1])


@pytest.mark.slow
def test_bash_offers_it_for_the_alias_too(
    fight: Strike, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`s` is strike, as it was typed, where nothing else has that name."""
    typed = Path(sys.executable).with_name("strike")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    file = shell_completion.SHELLS["bash"].install(shell_completion.completion_script("bash"), str(typed))
    lines = (
        "shopt -s expand_aliases",
        f"source {file}",
        'COMP_LINE="s attack . gob"; COMP_POINT=14; compopt() { :; }; complete -p s',
        '_strike_alias_completion s gob "."; echo ${COMPREPLY[@]}',
        "s status",
    )

    def bash(typed: str) -> subprocess.CompletedProcess[str]:
        how: dict[str, Any] = {"capture_output": True, "text": True, "timeout": 60, "check": True}
        return subprocess.run(["bash", "--norc"], input=typed, **how)

    ran = bash("\n".join(lines))
    assert ran.stderr == "" and "goblin-1 goblin-2" in ran.stdout
    assert "_strike_alias_completion s" in ran.stdout and "Vesna" in ran.stdout
    assert bash("s() { echo mine; }\n" + f"source {file}\ns status\n").stdout == "mine\n"


@pytest.mark.slow
def test_zsh_offers_it(fight: Strike, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Typed at a real zsh, through a terminal of its own, as `--install-completion` sets it up: `strike`
    and `s`."""
    if shutil.which("zsh") is None:
        pytest.skip("no zsh here")
    import pty

    strike = own_strike(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    shell_completion.SHELLS["zsh"].install(f"{script('zsh')}\n", str(strike))
    setting = tmp_path / ".zshrc"
    asks_nobody = setting.read_text().replace("; compinit\n", "; compinit -u -D\n")
    setting.write_text(f"{asks_nobody}PS1='> '; cd {folder}\n")
    env = {
        **os.environ,
        "PATH": f"{strike.parent}{os.pathsep}{os.environ['PATH']}",
        "ZDOTDIR": str(tmp_path),
        "TERM": "dumb",
    }
    child, terminal = pty.fork()
    if child == 0:
        os.execvpe("zsh", ["zsh", "-i"], env)
    said = ""

    def until(sign: str) -> None:
        nonlocal said
        end = time.monotonic() + 20
        while sign not in said and time.monotonic() < end:
            if select.select([terminal], [], [], 0.2)[0]:
                said += os.read(terminal, 65536).decode(errors="replace")
        assert sign in said, said

    try:
        until("> ")
        said = ""
        os.write(terminal, b"strike choose --for nobody; strike recover vex \t\x15echo done\n")
        until("done\r\n")
        assert "campaign.toml" not in said
        said = ""
        os.write(terminal, b"echo strike attack . gob\x01\x1b[C\x15\n")
        until("> ")
        said = ""
        os.write(terminal, b"strike combat attack . gob\t")
        until("goblin-")
        os.write(terminal, b"1 --dry-run --dice 6\n")
        until("Goblin 1")
        said = ""
        os.write(terminal, b"s combat attack . gob\t")
        until("goblin-")
    finally:
        os.kill(child, 9)
        os.close(terminal)
        os.waitpid(child, 0)


@pytest.mark.slow
def test_fish_offers_it_for_the_alias(
    fight: Strike, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As `--install-completion` sets it up, with strike on no path."""
    fish = shutil.which("fish")
    if fish is None:
        pytest.skip("no fish here")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    shell_completion.SHELLS["fish"].install(
        f"{script('fish')}\n", str(Path(sys.executable).with_name("strike"))
    )
    asked = 'complete -C "s combat attack . gob"; s status'
    ran = subprocess.run([fish, "-c", asked], cwd=folder, capture_output=True, text=True, timeout=60)
    assert ran.stderr == "" and ran.stdout.splitlines()[:2] == ["goblin-1", "goblin-2"]
    assert "The Mill" in ran.stdout or "Vesna" in ran.stdout


# Lines as they are typed


def test_a_line_is_read_as_far_as_the_cursor(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[Any] = []
    monkeypatch.setattr(
        shell_completion,
        "find_completions",
        lambda *words, options: read.append(words) or tab_completion.Completions(),
    )
    for line, before, last in (
        ("strike att", [], "att"),
        ("strike attack ", ["attack"], ""),
        ('strike roll "Old L', ["roll"], "Old L"),
        ("strike roll Old\\ L", ["roll"], "Old L"),
        ("strike roll 'a b' c", ["roll", "a b"], "c"),
        ("strike roll 'it", ["roll"], "it"),
        ("strike roll '", ["roll"], ""),
    ):
        monkeypatch.setenv("_STRIKE_LINE", line)
        for shell in ("fish", "complete_fish"):  # the second by scripts of 0.1
            shell_completion.print_completions(shell)
            assert read.pop() == (before, last), (shell, line)


def test_the_powers_of_whoever_is_named_are_offered(fight: Strike) -> None:
    """Not those of whose turn it is, unless one word alone is named: that is whom they attack."""
    assert "sting" not in offered("attack goblin-1 odo --power ")
    assert "plain-cut" in offered("attack goblin-1 odo --power ")
    assert "sting" in offered("attack goblin-1 --power ")


def test_powers_come_before_the_option_that_names_them(fight: Strike) -> None:
    found = offered("attack g1 ")
    assert found.index("trip") < found.index("--power")
