"""Action Points, Awesome Points, Tricks, Complications and the Fallback (rules.md, STR-CORE-21 to 24, 31)."""

from __future__ import annotations

import os
import tomllib
from typing import Any

import pytest
import tomli_w
from hypothesis import given, settings
from hypothesis import strategies as st
from support.cases import case
from support.game import Game, with_house
from support.party import do, with_party
from support.told import Listener, as_json

from strike_cli.campaign.state_checks import state_faults
from strike_cli.content.merged_content import Book
from strike_cli.kernel.procedure import Happen
from strike_cli.kernel.state_changes import apply_changes, changes_that_undo
from strike_cli.kernel.statements import say
from strike_cli.problems import Problem, Refused, Usage
from strike_cli.systems.core.facts.costs import Favor, FavorGained, Flaw, FlawGained, FlawUsed
from strike_cli.systems.core.points_tricks_and_fallback import (
    COMPLICATION_WAYS,
    complications_and_substitutes,
    has_unused_fallback,
    may_give_awesome_point,
    use_fallback,
)
from strike_cli.systems.core.skill_roll import changes_counting_skill_use
from strike_cli.systems.core.skills_tricks_and_complications import (
    present_complications_of,
    present_tricks_of,
)
from strike_cli.tabletop.characters_and_names import (
    action_points,
    fallback_of,
    person_and_others_of_same_player,
    slug,
)


@pytest.fixture
def party(book: Book) -> Game:
    """A game of the party of tests/support."""
    return Game(with_party(book))


def ap(game: Game, who: str) -> int:
    return action_points(game.world, who)


def end_and_start(game: Game) -> None:
    do(game, "session end")
    do(game, "session start")


# --- having, giving and spending


@pytest.mark.parametrize(("n", "comes_to"), [(1, 6), (3, 8), (20, 25)])
def test_there_is_no_cap_within_a_session(party: Game, n: int, comes_to: int) -> None:
    """STR-CORE-21: given Action Points stand, however many, until the session ends."""
    do(party, "session start")
    assert do(party, "ap give", who="vesna", n=n) == {"who": "vesna", "before": 5, "ap": comes_to}
    do(party, "session end")
    assert ap(party, "vesna") == 3


@pytest.mark.parametrize(("n", "left"), [(1, 1), (2, 0)])
def test_spending(party: Game, n: int, left: int) -> None:
    """STR-CORE-22: what is spent is gone, with the reason."""
    assert do(party, "ap spend", who="odo", n=n, why="a debt")["ap"] == left
    many = "an Action Point" if n == 1 else f"{n} Action Points"
    assert party.texts()[0].endswith(f" {many} ({left} left): a debt.")


@pytest.mark.parametrize(("who", "n"), [("brann", 1), ("vex", 2), ("vesna", 99)])
def test_nobody_spends_what_they_have_not(party: Game, who: str, n: int) -> None:
    """STR-CORE-22: refused below 0, and nothing has changed."""
    with pytest.raises(Refused, match="Action Point"):
        do(party, "ap spend", who=who, n=n)
    assert party.state == {}


# --- sessions


@pytest.mark.parametrize(("had", "at_start", "at_end"), [(0, 1, 1), (2, 2, 2), (3, 3, 3), (5, 5, 3)])
def test_golden_17(party: Game, had: int, at_start: int, at_end: int) -> None:
    """STR-CORE-21, golden example 17: 0 at the start becomes 1, 2 stays 2; 5 at the end becomes 3."""
    party.set("characters.vex.ap", had)
    do(party, "session start")
    assert ap(party, "vex") == at_start
    do(party, "session end")
    assert ap(party, "vex") == at_end


@pytest.mark.parametrize(("most", "kept"), [(0, 1), (3, 3), (10, 7)])
def test_what_is_given_between_sessions_is_carried_over_like_the_rest(
    book: Book, most: int, kept: int
) -> None:
    """STR-CORE-21: no more than the house's `ap_carry_over` comes from one session to the next."""
    game = Game(with_party(with_house(book, ap_carry_over=most)))
    do(game, "session start")
    do(game, "session end")
    game.set("characters.vesna.ap", 6)
    do(game, "awesome", giver="vex", who="vesna")
    assert ap(game, "vesna") == 7
    do(game, "session start")
    assert ap(game, "vesna") == kept


def test_a_new_session_starts_clean(party: Game) -> None:
    """STR-CORE-21, 31: nothing of the session before is left but its number, one higher."""
    party.set("session", {"number": 4, "open": False, "title": "Before", "more": ["x"]})
    party.set("characters.vex.last_roll", {"skill": "Climbing", "outcome": "twist", "costs": 0})
    do(party, "session start")
    assert party.get("session") == {"number": 5, "open": True, "started": "", "title": ""}
    assert party.get("characters.vex.last_roll") is None


# --- Awesome Points


def test_an_awesome_point_is_an_action_point_for_somebody_else(party: Game) -> None:
    """STR-CORE-21."""
    do(party, "session start")
    data = do(party, "awesome", giver="vex", who="brann", why="held the ferry alone.")
    assert data == {"from": "vex", "to": "brann", "why": "held the ferry alone", "ap": 2}
    assert party.texts()[0] == "Ana gives Brann the Awesome Point: held the ferry alone."
    assert ap(party, "vex") == 1


@pytest.mark.parametrize(("giver", "to"), [("vex", "vex"), ("vex", "rat"), ("rat", "vex"), ("odo", "odo")])
def test_nobody_awards_themselves(party: Game, giver: str, to: str) -> None:
    """STR-CORE-21: nor another character of the same player."""
    with pytest.raises(Refused, match="another player"):
        do(party, "awesome", giver=giver, who=to)


@pytest.mark.parametrize(("first", "second"), [("vex", "vex"), ("vex", "rat"), ("rat", "vex")])
@pytest.mark.parametrize("open_", [True, False])
def test_one_awesome_point_a_player_and_session(party: Game, first: str, second: str, open_: bool) -> None:
    """STR-CORE-21: whichever of their characters gives it; after the end it is still the same session."""
    do(party, "session start")
    do(party, "awesome", giver=first, who="brann")
    if not open_:
        do(party, "session end")
    through = "" if first == second else f", through {party.book.characters[first]['name']}"
    with pytest.raises(Refused, match=rf"already{through}\.$"):
        do(party, "awesome", giver=second, who="odo")
    assert not may_give_awesome_point(party.world, second)
    do(party, "awesome", giver="brann", who="vex")


def test_an_awesome_point_may_be_given_until_the_next_session_starts(party: Game) -> None:
    """STR-CORE-21: at the session's end too; it is not carried over."""
    do(party, "session start")
    do(party, "session end")
    do(party, "awesome", giver="vex", who="brann")
    do(party, "session start")
    assert may_give_awesome_point(party.world, "vex")
    assert may_give_awesome_point(party.world, "brann")  # one, though last session's was never given
    do(party, "awesome", giver="vex", who="brann")
    with pytest.raises(Refused):
        do(party, "awesome", giver="vex", who="brann")


def test_the_sessions_end_says_whose_awesome_point_is_left(party: Game) -> None:
    """STR-CORE-21: it may be given then; each player once, however many characters they play."""
    do(party, "session start")
    do(party, "awesome", giver="brann", who="vex")
    assert do(party, "session end")["awards_left"] == ["Ana", "Odo", "Vesna"]


def test_before_the_first_session_there_is_one_too(party: Game) -> None:
    """STR-CORE-21 (a ruling): what is played before the first `session start` counts as one session."""
    do(party, "awesome", giver="vex", who="brann")
    with pytest.raises(Refused):
        do(party, "awesome", giver="vex", who="brann")
    do(party, "session start")
    do(party, "awesome", giver="vex", who="brann")


@pytest.mark.parametrize("why", ["", "  ", "."])
def test_an_awesome_point_is_for_something(party: Game, why: str) -> None:
    """STR-CORE-21."""
    with pytest.raises(Usage, match="awesome"):
        do(party, "awesome", giver="vex", who="brann", why=why)


def test_who_has_no_player_plays_for_themselves(party: Game) -> None:
    """STR-CORE-21: two sheets without a player are not one person's."""
    assert person_and_others_of_same_player(party.world, "odo") == ["odo"]
    assert sorted(person_and_others_of_same_player(party.world, "rat")) == ["rat", "vex"]


def test_who_has_no_sheet_has_no_action_points(party: Game) -> None:
    """STR-CORE-21: as a character of whom nothing is written."""
    assert [ap(party, who) for who in ("goblin", "nobody")] == [0, 0]


# --- Tricks


@pytest.mark.parametrize("typed", ["Up the wall", "up the", "UP-THE-WALL", "up"])
def test_a_trick_is_a_success_with_a_bonus(party: Game, typed: str) -> None:
    """STR-CORE-22, 23: for an Action Point, and no dice."""
    data = do(party, "trick use", who="vex", trick=typed)
    assert data == {
        "who": "vex", "trick": "Up the wall", "skill": "Climbing", "outcome": "success", "bonus": True,
        "costs": 0, "ap": 0, "uses": 1, "of": 10,
    }  # fmt: skip
    assert "Success with a Bonus" in party.texts()[1]


@pytest.mark.parametrize(
    ("who", "trick", "error", "says"),
    [
        ("brann", "Holds it", Refused, "no Action Point"),
        ("vex", "Holds it", Refused, "no Trick"),
        ("vex", "", Refused, "no Trick"),
        ("rat", "Up the wall", Refused, "no Trick"),
        ("brann", "holds", Usage, "ambiguous"),
    ],
)
def test_tricks_refused(party: Game, who: str, trick: str, error: type[Problem], says: str) -> None:
    """STR-CORE-22, 23: only one's own, and not without an Action Point."""
    with pytest.raises(error, match=says):
        do(party, "trick use", who=who, trick=trick)


@pytest.mark.parametrize("doubts", [["Climbing"], ["sneaking", "climbing"]])
def test_lost_confidence_takes_the_tricks_of_that_skill(party: Game, doubts: list[str]) -> None:
    """STR-CORE-12: Tricks tied to what is doubted are unusable, others are not."""
    party.set("characters.vex.doubts", doubts)
    do(party, "ap give", who="vex")
    do(party, "trick use", who="vex", trick="Up the wall")  # doubts alone are no Condition
    party.set("characters.vex.conditions", ["core:lost-confidence"])
    with pytest.raises(Refused, match="Lost Confidence about Climbing"):
        do(party, "trick use", who="vex", trick="Up the wall")
    do(party, "trick use", who="vex", trick="A lock")


@pytest.mark.parametrize(("most", "after"), [(10, [1, 2, 3]), (2, [1, 2, 2]), (1, [1, 1, 1])])
def test_uses_of_a_trick_are_counted(book: Book, most: int, after: list[int]) -> None:
    """STR-CORE-32: each Trick by itself, up to the house's `trick_uses`."""
    game = Game(with_party(with_house(book, trick_uses=most)))
    do(game, "ap give", who="vex", n=5)
    assert [do(game, "trick use", who="vex", trick="up")["uses"] for _ in after] == after
    assert do(game, "trick use", who="vex", trick="a lock")["uses"] == 1


# --- Complications


@pytest.mark.parametrize("how", COMPLICATION_WAYS)
def test_a_complication_earns_an_action_point(party: Game, how: str) -> None:
    """STR-CORE-24: in any of the four ways, and the text says what follows."""
    data = do(party, "complication use", who="vex", complication="owes", how=how)
    assert data == {
        "who": "vex", "complication": "Owes the ferryman", "kind": "complication", "how": how, "ap": 2,
        "uses": 1, "of": 10, "earned": 0,
    }  # fmt: skip
    assert COMPLICATION_WAYS[how] in party.texts()[0]


def test_a_cost_may_be_used_as_a_complication(party: Game) -> None:
    """STR-CORE-24: a Condition, a Flaw, a Favor; by its name, id, or what it is about."""
    kinds = {
        "Angry": "condition", "core:angry": "condition", "the black rope": "flaw", "f1": "flaw",
        "frayed": "flaw", "The Order": "favor", "v1": "favor",
    }  # fmt: skip
    for typed in (*kinds, "the black roper"):
        with case(typed), pytest.raises(Refused):
            do(party, "complication use", who="vex", complication=typed)
    party.set("characters.vex.conditions", ["core:angry", "core:winded", "core:winded"])
    party.set("characters.vex.flaws", [{"id": "f1", "on": "the black rope", "text": "frayed"}])
    party.set("characters.vex.favors", [{"id": "v1", "to": "The Order"}])
    assert [one.kind for one in complications_and_substitutes(party.world, "vex")] == [
        "complication", "complication", "condition", "condition", "flaw", "favor",
    ]  # fmt: skip
    with pytest.raises(Refused) as refused:
        do(party, "complication use", who="vex", complication="the black roper")
    assert refused.value.message.endswith("Did you mean 'the black rope'?")
    for name in ("Wanted", "Angry", "Winded", "the black rope", "The Order"):
        assert repr(name) in refused.value.hint
    before = party.state
    for typed, kind in kinds.items():
        with case(typed):
            party.state = before
            assert do(party, "complication use", who="vex", complication=typed)["kind"] == kind
            assert ap(party, "vex") == 2


@pytest.mark.parametrize(
    ("who", "name", "how", "error"),
    [
        ("brann", "Wanted", "trouble", Refused),
        ("vex", "nothing", "trouble", Refused),
        ("vex", "...", "trouble", Refused),
        ("vex", "Wanted", "trubble", Usage),
        ("vex", "Wanted", "", Usage),
    ],
)
def test_complications_refused(party: Game, who: str, name: str, how: str, error: type[Problem]) -> None:
    """STR-CORE-24."""
    with pytest.raises(error):
        do(party, "complication use", who=who, complication=name, how=how)


@pytest.mark.parametrize(("need", "uses", "left", "earned"), [(10, 9, 9, 0), (10, 10, 0, 1), (3, 7, 1, 2)])
def test_the_counter_wraps(book: Book, need: int, uses: int, left: int, earned: int) -> None:
    """STR-CORE-32: at the house's `complication_uses`, all Complications together."""
    game = Game(with_party(with_house(book, complication_uses=need)))
    for number in range(uses):
        name = ("owes", "wanted")[number % 2]
        data = do(game, "complication use", who="vex", complication=name)
        assert ("earned." in game.texts()[0]) is ((number + 1) % need == 0)
    assert (data["uses"], data["earned"]) == (left, earned)


# --- the Fallback


def after_a_roll(game: Game, die: int, who: str = "odo", fallback: str = "keep") -> dict[str, Any]:
    """A Skilled roll of one's own Skill. Its Cost is waived; a Fallback is kept unless told otherwise."""
    skill = game.book.characters[who]["skills"][0]
    offered = [fallback] if die < 3 and has_unused_fallback(game.world, who) else []
    waived = ["waive"] if die in (1, 3) else []
    return game.play("roll skill", who=who, skill=skill, dice=[die], choose=[*offered, *waived])


@pytest.mark.parametrize(
    ("die", "costs", "says"), [(1, 1, "Success with a Cost."), (2, 0, "becomes a Success.")]
)
def test_golden_16(party: Game, die: int, costs: int, says: str) -> None:
    """STR-CORE-31, golden example 16: a Twist with a Cost becomes a Success with a Cost, a Twist a Success;
    a second use in the session is refused, and the next session has it back."""
    do(party, "session start")
    after_a_roll(party, die)
    data = do(party, "fallback", who="odo", text="he knows her mother.")
    assert (data["outcome"], data["costs"], data["fallback"]) == ("success", costs, "a kind word")
    turned = {"skill": "Cooking", "outcome": "success", "costs": costs}
    assert party.get("characters.odo.last_roll") == turned
    assert party.texts()[0].startswith("Odo falls back on a kind word: he knows her mother.")
    assert party.texts()[0].endswith(says)
    after_a_roll(party, 2)
    with pytest.raises(Refused, match="already"):
        do(party, "fallback", who="odo")
    end_and_start(party)
    with pytest.raises(Refused, match="no Skill Roll"):
        do(party, "fallback", who="odo")
    after_a_roll(party, 2)
    do(party, "fallback", who="odo")


@pytest.mark.parametrize("die", [3, 4, 5, 6])
def test_a_fallback_turns_twists_only(party: Game, die: int) -> None:
    """STR-CORE-31: and a refused one is not used up."""
    after_a_roll(party, die)
    with pytest.raises(Refused, match="was a Success"):
        do(party, "fallback", who="odo")
    assert has_unused_fallback(party.world, "odo")


def test_no_fallback_before_the_first_level_up(party: Game) -> None:
    """STR-CORE-31: it is gained there; until then there is none."""
    after_a_roll(party, 2, "vex")
    assert not has_unused_fallback(party.world, "vex")
    with pytest.raises(Refused, match="no Fallback yet"):
        do(party, "fallback", who="vex")
    do(party, "advance level-up", who="vex", fallback="planning")
    assert fallback_of(party.world, "vex") == "planning"
    do(party, "fallback", who="vex")


@pytest.mark.parametrize(("die", "costs"), [(1, 1), (2, 0)])
def test_a_fallback_inside_a_roll(party: Game, die: int, costs: int) -> None:
    """STR-CORE-31: the roll offers it where it shows a Twist, and comes to the Success."""
    data = after_a_roll(party, die, fallback="use")
    assert (data["outcome"], data["costs"], data["fallback"]) == ("success", costs, "a kind word")
    assert not has_unused_fallback(party.world, "odo")
    assert after_a_roll(party, die)["outcome"] == "twist"
    with pytest.raises(Refused, match="already"):
        do(party, "fallback", who="odo")


def test_use_fallback_hands_the_data_back(party: Game) -> None:
    """STR-CORE-31: a procedure that has rolled hands its data over and finds the Success in it."""
    world = party.world
    data = {"who": "odo", "skill": "Cooking", "outcome": "twist", "bonus": False, "costs": 1, "roll": {}}
    procedure = use_fallback(world, "odo", data, "Cooking")
    happened = next(procedure)
    assert isinstance(happened, Happen)
    world.state = apply_changes(world.state, happened.fact.changes)
    assert next(procedure, None) is None, "it asks for nothing more"
    assert (data["outcome"], data["costs"], data["fallback"]) == ("success", 1, "a kind word")
    assert world.get("characters.odo.last_roll") == {"skill": "Cooking", "outcome": "success", "costs": 1}


# --- everything at once

NAMES = st.sampled_from(["vex", "vex", "rat", "brann", "odo"])
TEXTS = st.sampled_from(["", "Up the wall", "Holds it", "Wanted", "New one"])
SKILLS = st.sampled_from(["", "Climbing", "hauling", "Fences", "Flying"])


def a_command(
    command: str, /, **args: st.SearchStrategy[Any]
) -> st.SearchStrategy[tuple[str, dict[str, Any]]]:
    return st.tuples(st.just(command), st.fixed_dictionaries(args))


ADVANCES = st.one_of(
    a_command("advance level-up", who=NAMES, fallback=TEXTS),
    a_command("advance level-up", who=NAMES, trick=TEXTS, skill=SKILLS),
    a_command("advance level-up", who=NAMES, complication=TEXTS, consent=st.booleans()),
    a_command("advance trick", who=NAMES, name=TEXTS, skill=SKILLS),
    a_command("advance complication", who=NAMES, name=TEXTS, consent=st.booleans()),
    a_command("advance swap-trick", who=NAMES, old=TEXTS, new=TEXTS, skill=SKILLS, consent=st.booleans()),
    a_command("advance swap-complication", who=NAMES, old=TEXTS, new=TEXTS),
    a_command("advance replace", who=NAMES, old=TEXTS, new=TEXTS, skill=SKILLS),
)
POINTS = st.one_of(
    a_command("ap give", who=NAMES, n=st.integers(1, 4)),
    a_command("ap spend", who=NAMES, n=st.integers(1, 4)),
    a_command("trick use", who=NAMES, trick=TEXTS),
    a_command(
        "complication use", who=NAMES, complication=TEXTS, how=st.sampled_from(list(COMPLICATION_WAYS))
    ),
)
COMMANDS = st.one_of(
    ADVANCES,
    ADVANCES,
    POINTS,
    a_command("awesome", giver=NAMES, who=NAMES),
    a_command("a roll", who=NAMES, die=st.integers(1, 6)),
    a_command("fallback", who=st.sampled_from(["odo", "vex"]), die=st.integers(1, 3)),
    st.one_of(a_command("session start"), a_command("session end"), POINTS),
)


def roll_by_hand(game: Game, who: str, die: int) -> None:
    """What a roll leaves behind that these rules read."""
    outcome = {1: ("twist", 1), 2: ("twist", 0), 3: ("success", 1)}.get(die, ("success", 0))
    skill = (game.book.characters[who]["skills"] or ["Any"])[0]
    last = {"skill": skill, "outcome": outcome[0], "costs": outcome[1]}
    game.set(f"characters.{who}.last_roll", last)
    for path, value in changes_counting_skill_use(game.world, who, skill).items():
        game.set(path, value)


@pytest.mark.slow
@settings(max_examples=2000 if os.environ.get("STRIKE_THOROUGH") else 30, deadline=None)
@given(st.lists(COMMANDS, min_size=20, max_size=60))
def test_whatever_is_played(book: Book, commands: list[tuple[str, dict[str, Any]]]) -> None:
    """STR-CORE-21 to 24, 31 to 33: Action Points never below 0; nobody awards themselves; one Awesome Point a
    player and one Fallback a character in a session; no name twice; every undo is exact."""
    game = Game(with_house(with_party(book), skill_uses_for_trick=2, complication_uses=3))
    awarded: set[tuple[int, str]] = set()
    fell_back: set[tuple[int, str]] = set()
    for name, drawn in commands:
        args = {key: value for key, value in drawn.items() if key != "die"}
        if "die" in drawn:
            roll_by_hand(game, args["who"], drawn["die"])
        if name == "a roll":
            continue
        before = game.state
        try:
            do(game, name, **args)
        except (Refused, Usage):
            assert game.state is before
            continue
        number = game.get("session.number", 0)
        for fact in game.facts:
            if fact.kind == "awesome-given":
                giver, to = person_and_others_of_same_player(game.world, fact.who), fact.details["to"]
                assert to not in giver
                key = (number, min(giver))
                assert key not in awarded
                awarded.add(key)
            elif fact.kind == "fallback-used":
                assert (number, fact.who) not in fell_back
                fell_back.add((number, fact.who))
        taken_back = changes_that_undo([as_json(fact) for fact in game.facts])
        assert apply_changes(game.state, taken_back) == before
        for who in game.book.characters:
            assert ap(game, who) >= 0
            for have in (present_tricks_of(game.world, who), present_complications_of(game.world, who)):
                names = [slug(one.name) for one in have]
                assert len(names) == len(set(names))
                assert all(names)
    assert state_faults(game.state, game.book) == []
    assert tomllib.loads(tomli_w.dumps(game.state)) == game.state


def test_of_a_flaw_or_a_favor_the_words_alone_are_kept_back() -> None:
    """Each field of a clause within a sentence is known or not by itself."""

    flaw, favor = Flaw("f1", "the rope", "cut by Shadow"), Favor("v1", "The Guild", "to spare Shadow")
    for fact, told in (
        (FlawGained("vex", flaw), "Vex has a Flaw on the rope (f1)."),
        (FavorGained("vex", favor), "Vex owes The Guild a Favor (v1)."),
        (FlawUsed("vex", flaw, "twist"), None),
        (FavorGained("vex", Favor("v1", "Shadow")), None),
    ):
        with case(fact):
            assert say(fact, Listener()) == told
