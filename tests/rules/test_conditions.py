"""Conditions: gaining, escalating, recovering (STR-CORE-12, 13, 29)."""

from __future__ import annotations

from copy import copy
from typing import Any

import pytest
from support.cases import case
from support.game import Game, book_with

from strike_cli.content.merged_content import Book
from strike_cli.problems import ContentProblem, Refused
from strike_cli.systems.core.conditions import TIMES, recovery_words
from strike_cli.tabletop.rules_vocabulary import NEEDS


def add(game: Game, *names: str, who: str = "vex", about: tuple[str, ...] = ()) -> dict[str, Any]:
    """Give somebody core conditions; the data of the last."""
    data: dict[str, Any] = {}
    for name in names:
        data = game.play("condition add", who=who, condition=_full(name), about=list(about))
    return data


def recover(game: Game, name: str, who: str = "vex", **done: Any) -> dict[str, Any]:
    return game.play("recover", who=who, condition=_full(name), **done)


def held(game: Game, who: str = "vex") -> list[str]:
    return [key.removeprefix("core:") for key in game.get(f"characters.{who}.conditions", [])]


def _full(name: str) -> str:
    return name if name.startswith("own-") else f"core:{name}"


def with_condition(game: Game, key: str, **more: Any) -> Game:
    """The game with a condition of the campaign's own."""
    plain = {"name": key.title(), "severity": "minor", "summary": "", "doubts": False, "tags": []}
    game.book = copy(game.book)
    contributions: dict[str, Any] = {"sources": [], "bans": [], "remaps": [], "reactions": []}
    game.book.conditions = {**game.book.conditions, key: {**plain, **contributions, **more}}
    return game


# --- gaining


def test_a_rest_ends_what_it_can_for_all_who_rest(game: Game) -> None:
    """STR-CORE-13, STR-CORE-29: what so much rest ends by itself, a Condition that adds up once, and none
    that needs more than rest; who has nothing of that kind is not told of."""
    add(game, "winded", "angry", "injured", "broke", "broke")
    add(game, "short", who="brann")
    data = game.play("rest", who="vex", also=["brann", "odo"], rest="minutes")
    assert data["ended"] == {"vex": ["core:winded", "core:angry"]}
    assert data["left"] == {
        "vex": ["core:injured", "core:broke", "core:broke"], "brann": ["core:short"],
    }  # fmt: skip
    data = game.play("rest", who="vex", also=["brann"], rest="year")
    assert data["ended"] == {"vex": ["core:broke"], "brann": ["core:short"]}
    assert data["left"] == {"vex": ["core:injured", "core:broke"]}
    data = game.play("rest", who="brann", also=["odo"], rest="year")
    assert data == {"rest": "year", "ended": {}, "left": {}}, "time has passed all the same"
    assert game.texts() == ["Brann and Odo rest: it ends nothing."]


def test_third_winded_becomes_exhausted(game: Game) -> None:
    """STR-CORE-12, golden example 12: Winded, Winded, and the third is Exhausted with the Winded gone."""
    add(game, "winded", "winded")
    assert held(game) == ["winded", "winded"]
    assert game.texts() == ["Vex is Winded, twice now."]
    data = add(game, "winded")
    assert (data["condition"], data["escalated"]) == ("core:exhausted", True)
    assert held(game) == ["exhausted"]
    assert game.texts() == ["Vex is Winded a third time and so Exhausted."]


def test_which_conditions_add_up(book: Book) -> None:
    """STR-CORE-12, 29: Major Conditions and Broke are cumulative; three Shorts are replaced by one Broke, and
    three more Winded by the Exhausted that one has; what else one has stays where it is."""
    for gained, after in (
        (["short", "short", "angry", "short"], ["angry", "broke"]),
        (["short"] * 6, ["broke", "broke"]),
        (["winded"] * 6, ["exhausted"]),
        (["exhausted", "winded"], ["exhausted", "winded"]),
        (["winded", "injured", "winded", "winded"], ["injured", "exhausted"]),
        *(([name] * 2, [name] * 2) for name in ("injured", "sick", "shaken", "broke")),
    ):
        with case(gained):
            game = Game(book)
            add(game, *gained)
            assert held(game) == after


def test_minor_conditions_come_once(game: Game) -> None:
    """STR-CORE-12: a Minor Condition that doesn't escalate is held once; by hand a second is refused."""
    for name in ("angry", "exhausted"):
        add(game, name)
        with pytest.raises(Refused, match="already"):
            add(game, name)
    assert held(game) == ["angry", "exhausted"]


def test_lost_confidence_names_its_skills(game: Game) -> None:
    """STR-CORE-12: Lost Confidence touches the Skills that are named, and may come to touch more."""
    with pytest.raises(Refused, match="none is named"):
        add(game, "lost-confidence")
    add(game, "lost-confidence", about=("Climbing",))
    assert game.get("characters.vex.doubts") == ["Climbing"]
    assert game.texts() == ["Vex has Lost Confidence about Climbing."]
    data = add(game, "lost-confidence", about=("climbing", "Sneaking"))
    assert data["doubts"] == ["Climbing", "Sneaking"]
    assert held(game) == ["lost-confidence"]
    with pytest.raises(Refused, match="already"):
        add(game, "lost-confidence", about=("Sneaking",))


def test_a_condition_whose_name_is_a_noun_is_had(game: Game) -> None:
    """Vex has Marsh Cough, where Vex is Winded."""
    with_condition(game, "own-cough", name="Marsh Cough", noun=True)
    with pytest.raises(Refused, match="Vex does not have Marsh Cough"):
        game.play("condition remove", who="vex", condition="own-cough")
    add(game, "own-cough")
    assert game.texts() == ["Vex has Marsh Cough."]
    with pytest.raises(Refused, match="Vex has Marsh Cough already"):
        add(game, "own-cough")
    game.play("condition remove", who="vex", condition="own-cough")
    assert game.texts()[-1] == "Vex has Marsh Cough no longer."


def test_whatever_becomes_of_what_is_had_it_is_had(book: Book) -> None:
    """Where the name is a noun, or it is about Skills: as it comes, while it mends and is left untended,
    as it goes, and as it adds up."""
    for key in ("noun", "doubts"):
        about = ["climbing"] if key == "doubts" else []
        more = {
            key: True,
            "recovery": {"needs": ["day"], "times": 2, "text": "a day in bed"},
            "worsens": {"after": "day", "times": 2, "to": "core:sick"},
        }
        game = with_condition(Game(book), "own-cough", name="Marsh Cough", **more)
        with_condition(game, "own-rash", name="Marsh Cough", escalates={"to": "core:sick", "at": 2}, **more)
        for move, args, times in (
            ("condition add", {"condition": "own-cough", "about": about}, 1),
            ("rest", {"rest": "day"}, 2),
            ("condition remove", {"condition": "own-cough"}, 1),
            ("condition add", {"condition": "own-rash", "about": about}, 1),
            ("condition add", {"condition": "own-rash", "about": about}, 1),
        ):
            with case(key, move, args):
                game.play(move, who="vex", **args)
                had = [text.startswith("Vex has Marsh Cough") for text in game.texts()]
                assert had == [True] * times, game.texts()


def test_only_lost_confidence_is_about_skills(game: Game) -> None:
    with pytest.raises(Refused, match="not about Skills"):
        add(game, "winded", about=("Climbing",))


def test_own_escalation(game: Game) -> None:
    """STR-CORE-12: the list is open; a campaign's condition may escalate, or stack, too."""
    with_condition(game, "own-chill", escalates={"to": "core:sick", "at": 2})
    with_condition(game, "own-bruise", stacks=True)
    assert add(game, "own-chill")["condition"] == "own-chill"
    assert add(game, "own-chill")["condition"] == "core:sick"
    add(game, "own-bruise", "own-bruise")
    assert held(game) == ["sick", "own-bruise", "own-bruise"]


# --- losing


def test_remove_takes_the_last_instance(game: Game) -> None:
    add(game, "winded", "angry", "winded")
    data = game.play("condition remove", who="vex", condition="core:winded", why="a mistake")
    assert data["left"] == 1
    assert held(game) == ["winded", "angry"]
    assert game.texts() == ["Vex is Winded once less, 1 left (a mistake)."]
    for name in ("winded", "angry"):
        game.play("condition remove", who="vex", condition=f"core:{name}", why="")
    assert game.get("characters.vex") == {}


def test_what_is_not_held_is_neither_removed_nor_recovered_from(game: Game) -> None:
    add(game, "angry")
    with pytest.raises(Refused, match="not Winded") as refused:
        game.play("condition remove", who="vex", condition="core:winded", why="")
    assert "Angry" in refused.value.hint
    with pytest.raises(Refused, match="Vex is not Winded"):
        recover(game, "winded", rest="year")


# --- recovering

ENDS = [
    ("angry", {"rest": "minutes"}),
    ("winded", {"rest": "minutes"}),
    ("exhausted", {"rest": "long"}),
    ("injured", {"rest": "day", "doctor": True}),
    ("sick", {"rest": "day", "doctor": True}),
    ("shaken", {"cause_met": True}),
    ("short", {"rest": "week"}),
    ("broke", {"rest": "year"}),
]


def test_recovery(game: Game) -> None:
    """STR-CORE-13, 29: what is needed ends it; with any part of that missing it stays. Times are a ladder: a
    shorter one is refused, a longer one does."""
    for name, done in ENDS:
        with case(name):
            add(game, name)
            for missing in done:
                with pytest.raises(Refused, match="--"):
                    recover(game, name, **{key: value for key, value in done.items() if key != missing})
            assert held(game) == [name]
            needed = TIMES.index(done["rest"]) if "rest" in done else len(TIMES)
            for shorter in TIMES[:needed] if "rest" in done else ():
                with pytest.raises(Refused, match=f"--rest {done['rest']}"):
                    recover(game, name, **{**done, "rest": shorter})
            recover(game, name, **done)
            for longer in TIMES[needed:]:
                add(game, name)
                recover(game, name, **{**done, "rest": longer})
            assert held(game) == []


def test_lost_confidence_ends_with_success(game: Game) -> None:
    """STR-CORE-13: success with an affected Skill ends Lost Confidence, and the doubts with it."""
    add(game, "lost-confidence", about=("Climbing",))
    with pytest.raises(Refused, match="--succeeded"):
        recover(game, "lost-confidence", rest="year", doctor=True, cause_met=True)
    recover(game, "lost-confidence", succeeded=True)
    assert game.get("characters.vex") == {}
    assert game.texts()[0].startswith("Vex has Lost Confidence no longer")


def test_a_success_with_a_doubted_skill_ends_the_doubt_alone(game: Game) -> None:
    """STR-CORE-13: with the very Skill, and nothing else that one has."""
    add(game, "winded")
    add(game, "lost-confidence", about=("Climbing",))
    game.play("roll skill", who="vex", skill="Sneaking", skilled=True, known=True, dice=[5, 5])
    assert held(game) == ["winded", "lost-confidence"]
    game.play("roll skill", who="vex", skill="climbing", skilled=True, known=True, dice=[5, 5])
    assert held(game) == ["winded"]


def test_the_refusal_says_what_is_needed(game: Game) -> None:
    """STR-CORE-13."""
    add(game, "winded")
    with pytest.raises(Refused, match="^Winded: ten minutes and a drink: --rest minutes$"):
        recover(game, "winded")


def test_angry_stays_beside_another_minor_condition(book: Book) -> None:
    """STR-CORE-13: Angry doesn't end while another Minor Condition is held; a Major one doesn't matter."""
    for other in ("winded", "exhausted"):
        game = Game(book)
        add(game, "angry", other, "injured", "short")
        with pytest.raises(Refused, match="stays while Vex has another Minor Condition"):
            recover(game, "angry", rest="year")
        recover(game, other, rest="long")
        recover(game, "angry", rest="minutes")
        assert held(game) == ["injured", "short"]


def test_what_counts_ends_whole(game: Game) -> None:
    """STR-CORE-13, 29: a rest ends every Winded, a frugal week every Short."""
    add(game, "winded", "winded", "short", "short")
    recover(game, "winded", rest="minutes")
    recover(game, "short", rest="week")
    assert held(game) == []


def test_what_weighs_ends_one_by_one(game: Game) -> None:
    """STR-CORE-13, 29: each Injured, each Broke takes its own recovery."""
    add(game, "injured", "injured", "broke", "broke")
    assert recover(game, "injured", rest="day", doctor=True)["left"] == 1
    assert recover(game, "broke", rest="year")["left"] == 1
    assert held(game) == ["injured", "broke"]


def test_without_recovery_the_game_master_ends_it(game: Game) -> None:
    """STR-CORE-13: other conditions end when the game master says."""
    with_condition(game, "own-hexed", severity="major")
    add(game, "own-hexed")
    with pytest.raises(Refused, match="the game master says") as refused:
        recover(game, "own-hexed", rest="year", doctor=True, succeeded=True, cause_met=True)
    assert "condition remove vex own-hexed" in refused.value.hint


def test_own_recovery(game: Game) -> None:
    """STR-CORE-13: a campaign's condition brings its own needs."""
    with_condition(game, "own-chill", recovery={"needs": ["long", "doctor"], "text": "a fire and a nurse"})
    add(game, "own-chill")
    with pytest.raises(Refused, match="a fire and a nurse: --doctor$"):
        recover(game, "own-chill", rest="day")
    recover(game, "own-chill", rest="day", doctor=True)
    assert held(game) == []


def test_every_need_is_one_that_can_be_met(game: Game) -> None:
    """Each word that content may ask for is refused without its option, and met with all of them."""
    for need in NEEDS:
        with_condition(game, "own-test", recovery={"needs": [need], "text": "it"})
        add(game, "own-test", "angry")
        with pytest.raises(Refused):
            recover(game, "own-test")
        game.play("condition remove", who="vex", condition="core:angry", why="")
        recover(game, "own-test", rest="year", doctor=True, succeeded=True, cause_met=True)
        assert held(game) == []


# --- as content

OWN = """
[conditions.chill]
name = "Chill"
severity = "minor"
recovery = { needs = ["long"], text = "a night by a fire" }
escalates = { to = "sick", at = 2 }
"""


def test_content_names_what_it_becomes() -> None:
    """STR-CORE-12: in a file the short name of a condition will do."""
    chill = book_with(OWN).conditions["chill"]
    assert chill["escalates"] == {"to": "core:sick", "at": 2}
    assert recovery_words(chill) == "a night by a fire"


def test_mistakes_in_content_are_named() -> None:
    for old, new, fault in (
        ('"long"', '"nap"', "conditions.chill.recovery.needs"),
        ('to = "sick"', 'to = "sik"', "Did you mean 'sick'"),
        ("at = 2", "at = 1", "escalates.at"),
        (', text = "a night by a fire"', "", "recovery.text: missing"),
    ):
        with case(new), pytest.raises(ContentProblem) as problem:
            book_with(OWN.replace(old, new))
        assert fault in problem.value.message
