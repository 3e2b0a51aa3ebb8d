"""Of each game that comes with strike: its page has every command, its demo plays to the end, its example is
whole, and nothing of it is loaded before it is played. What pages show: tests/cli/test_documents.py."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from support.cli import Strike
from support.documents import SystemPage

from strike_cli.content.merged_content import open_book
from strike_cli.plugin.testing import Contract


class Game(NamedTuple):
    """A game, how its demo ends, how its scenes start, and what random evenings begin with."""

    name: str
    ends: str
    start: str
    begin: Sequence[tuple[str, dict[str, Any]]]


GAMES = [
    Game("grit", "the party holds the field", "", [("grit start", {"encounter": "gallery"})]),
    Game(
        "karma",
        "the chest is theirs",
        " --first ana",
        [("karma start", {"encounter": "sluice", "first_group": "enemies"})],
    ),
    Game(
        "momentum",
        "The party has won",
        "",
        [("momentum start", {"encounter": "dome"}), ("momentum initiative", {})],
    ),
]


@pytest.fixture(params=GAMES, ids=lambda game: game.name)
def game(request: pytest.FixtureRequest) -> Game:
    found: Game = request.param
    return found


@pytest.fixture
def example(game: Game, strike: Strike, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Strike:
    """The command line in the example campaign."""
    strike(f"new example --system {game.name}")
    monkeypatch.chdir(tmp_path / "example")
    return strike


def test_it_has_every_command(game: Game, example: Strike) -> None:
    SystemPage(game.name).check_commands(example)


@pytest.mark.slow
def test_the_demo_ends(game: Game, strike: Strike) -> None:
    SystemPage(game.name).check_demo(strike, game.ends)


@pytest.mark.slow
def test_the_example_is_whole(game: Game, example: Strike) -> None:
    """Every encounter begins, and random evenings in it keep the contract."""
    for encounter in open_book(Path.cwd()).encounters:
        example(f"{game.name} start {encounter}{game.start}")
        example(f"{game.name} end")
    campaign = SystemPage(game.name).campaign
    Contract(game.name, campaign=campaign, begin=game.begin).check(evenings=2)


STRIKES = re.compile(
    r"Action Points?\b|Awesome|Bloodied|Wealth|Twist|\btier\b|stooge|Winded|Flaw|Favor|Tricks?\b|"
    r"Miss Token|\bInit\b"
)
"""Words that are Strike!'s alone; Momentum has Action Points, Tiers and an Initiative of its own."""
SCREENS = ("--help", "creature list", "creature add --help", "character list", "character add --help",
           "condition list", "character show {who}", "status", "prep", "session start",
           "{game} start {encounter}{start}", "{game} show", "status", "{game} options", "help now",
           "session end", "session report")  # fmt: skip


@pytest.mark.slow
def test_no_screen_has_words_of_strikes(game: Game, example: Strike) -> None:
    """In a campaign that doesn't play Strike!."""
    book = open_book(Path.cwd())
    own = {"momentum": {"Action Point", "Action Points", "tier", "Init"}}.get(game.name, set())
    words = {"game": game.name, "who": next(iter(book.characters)), "start": game.start}
    for screen in SCREENS:
        typed = screen.format(**words, encounter=game.begin[0][1]["encounter"])
        said = example(typed, None)
        found = set(STRIKES.findall(said.out + said.err)) - own
        assert not found, f"{typed}: {found}\n{said.out}"
    assert not re.search(r"│ (skill|attack|conflict|chase|wealth) ", example("odds --help").out)
    refused = example("odds skill --skilled", 1).err
    assert f"strike {game.name}" in refused


def test_status_says_who_is_surprised(
    strike: Strike, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And who has acted, who holds their turn, with meters."""
    strike("new example --system momentum")
    monkeypatch.chdir(tmp_path / "example")
    for typed in ("start dome --surprised warden", "initiative", "turn", "end-turn", "turn", "hold"):
        strike(f"momentum {typed}")
    said = strike("status").out
    assert "Acted: Ilse\nDelaying: Tam\nSurprised: Orchard Warden\n" in said
    assert "Vitality  AP  RP" in said


@pytest.mark.slow
def test_it_starts_no_more_than_it_needs() -> None:
    """Knowing that the systems are there imports none of their rules."""
    own = tuple(f"strike_{each.name}." for each in GAMES)
    code = (
        "import sys; from strike_cli.registry import load_usable_systems; load_usable_systems();"
        f"print(sorted(name for name in sys.modules if name.startswith({own})))"
    )
    for _ in range(2):  # the first look at plugins is kept
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == str([f"strike_{each.name}.system" for each in GAMES])


def test_the_model_of_a_roll_that_a_plugin_brings() -> None:
    """CIN-11: the handler in the document of karma is one."""
    from strike_karma.standard_roll import RollMethod

    (source,) = re.findall(r"^```python\n(.*?)^```", SystemPage("karma").text, re.DOTALL | re.MULTILINE)
    names: dict[str, object] = {}
    exec(source, names)
    method = RollMethod(*names["odd_dice"]())  # type: ignore[operator]
    assert method.combine_scores(method.score_die(face, 6, 5) for face in (1, 2, 3)) == 2


@pytest.mark.slow
def test_the_demo_has_a_table(strike: Strike) -> None:
    """With the table open, what it shows at the end is as the campaign has it."""
    data = strike.json("demo --system momentum")["data"]
    assert (data["tokens_equal"], data["tokens"]) == (True, 8)
