"""Moments that statuses react to, each by what brings it about (STR-TAC-09, 12, 21)."""

from __future__ import annotations

from copy import copy

import pytest
from support.cases import case
from support.game import Game, book_with
from support.told import text_of, words_of

from strike_cli.content.merged_content import Book
from strike_cli.systems.combat.facts.turns_and_actions import DoingWhile
from strike_cli.systems.combat.reactions.reaction_events_and_moments import Moment
from strike_cli.tabletop.rules_vocabulary import MOMENTS, MomentKind

TEXT = """
[powers]
skip = { name = "Skip", action = "role", who = "self", effect = [
  { do = "shift", to = "self", amount = 1 }] }
heave = { name = "Heave", action = "role", range = 5, effect = [{ do = "push", amount = 1 }] }

[statuses]
watchful = { reactions = [%s] }
"""
NOTED = '{{ on = "{word}", do = "note", text = "{word}" }}'
WAITING = MomentKind("delayed", "until somebody waits", "until somebody waits")
"""A moment as a plugin brings it."""


@pytest.fixture(scope="module")
def book() -> Book:
    return book_with(TEXT % ", ".join(NOTED.format(word=word) for word in MOMENTS), "vex", "goblin")


@pytest.fixture
def game(book: Book) -> Game:
    return Game(book).draw("V..g.", ".....", "....p").begin("vex")


def watch(game: Game, who: str) -> None:
    game.put(who, statuses=[{"id": "watchful", "ends": "encounter"}])


def noted(game: Game) -> list[str]:
    """The moments that came, in their order."""
    texts = [text_of(fact) for fact in game.facts if fact.kind == "noted"]
    return [text.removeprefix("Watchful: ") for text in texts if text.startswith("Watchful: ")]


@pytest.mark.parametrize(
    ("die", "attacker", "target"),
    [
        (5, ["attacks", "hits"], ["damaged", "hit", "attacked"]),
        (2, ["attacks", "misses"], ["missed", "attacked"]),
    ],
)
def test_moments_of_an_attack(game: Game, die: int, attacker: list[str], target: list[str]) -> None:
    """STR-TAC-09: for its maker, and for its target."""
    before = game.put("goblin", at="B1").state
    for who, moments in (("vex", attacker), ("goblin", target)):
        game.state = before
        watch(game, who)
        game.attack("vex", "goblin", dice=[die])
        assert sorted(noted(game)) == sorted(moments)


def test_moments_of_going_somewhere(game: Game) -> None:
    """STR-TAC-07: a shift is one before it happens, by an action or by a power; every step is one, also of
    who is pushed."""
    before = game.state
    for who, command, args, moments in (
        ("vex", "combat move", {"to": "C2"}, ["moved", "moved"]),
        ("vex", "combat move", {"to": "B1", "shift": True}, ["shifts", "moved"]),
        ("vex", "combat use", {"power": "skip", "choose": ["B1"]}, ["shifts", "moved"]),
        ("goblin", "combat use", {"power": "heave", "targets": ["goblin"]}, ["moved"]),
    ):
        with case(command, args):
            game.state = before
            watch(game, who)
            game.play(command, who="vex", **args)
            assert noted(game) == moments
    game.play("combat leave", who="goblin", why="the story")
    assert noted(game) == [], "who is nowhere stands nowhere else"


def test_moments_of_a_turn_and_of_harm(game: Game) -> None:
    """STR-TAC-03: damage of 0 is none."""
    watch(game, "goblin")
    game.play("combat damage", who="goblin", amount=1)
    assert noted(game) == ["damaged"]
    game.play("combat heal", who="goblin", amount=1)
    assert noted(game) == []
    game.play("combat end-turn")
    game.play("combat turn")
    assert noted(game) == ["turn-started"]
    game.play("combat end-turn")
    assert noted(game) == ["turn-ended"]
    game.play("combat status add", who="post", status="watchful", ends="encounter")
    assert noted(game) == ["gaining"]


def test_moments_of_a_zone(game: Game) -> None:
    """STR-TAC-21: of who comes in, goes out, or stands in it as it ends, and of nobody else."""
    zone = {"by": "vex", "damage": 0, "difficult": False, "secret": False, "status": "watchful"}
    game.play("combat zone add", called="Mist", squares=["B2", "C2", "E3"], **zone)
    game.move("vex", "B1")
    assert noted(game) == []
    game.next_turn_of("vex")
    game.move("vex", "C2")
    assert [word for word in noted(game) if word != "moved"] == ["enters"]
    game.next_turn_of("vex")
    game.move("vex", "B2", shift=True)
    assert not {"enters", "leaves"} & set(noted(game))
    game.next_turn_of("vex")
    game.move("vex", "B1", shift=True)
    assert [word for word in noted(game) if word not in ("moved", "shifts")] == ["leaves"]
    game.play("combat zone remove", zone="mist")
    assert noted(game) == ["zone-ends"], "the post's"


def test_a_moment_that_a_plugin_brings(book: Book) -> None:
    """By the kind of fact that it names, for whom that is about; no other fact is one."""
    brought = copy(book)
    brought.moments = {"x:waiting": {"calls": f"{__name__}:WAITING"}}
    status = book.statuses["watchful"]
    steps = [{**status["reactions"][0]["steps"][0], "text": "x:waiting"}]
    reaction = {**status["reactions"][0], "on": "x:waiting", "steps": steps}
    brought.statuses = {**book.statuses, "watchful": {**status, "reactions": [reaction]}}
    game = Game(brought).draw("V...g").begin("vex")
    watch(game, "vex")
    game.play("combat delay", who="vex")
    assert noted(game) == ["x:waiting"]
    game.play("combat turn")
    game.play("combat end-turn")
    game.play("combat resume", who="vex")
    assert noted(game) == []


def test_what_a_holder_does_in_words() -> None:
    """As the reason of an Opportunity has it, in any language."""
    for moment, act, words in (
        (Moment("shifts", "vex", act="shifting"), "shifting", "shifting while Marked"),
        (Moment("shifts", "vex", act="attacking"), "attacking", "attacking while Marked"),
        (Moment("hit", "vex"), "being", "being while Marked"),
        (Moment("x:waiting", "vex", act="waiting"), "", "waiting while Marked"),
        (Moment("gaining", "vex"), "", "becoming Marked"),
    ):
        with case(moment, words):
            said = moment.act_while_in_status("Marked")
            assert words_of(said) == words
            assert not act or said == DoingWhile(act, "Marked")
