"""Level-ups, new Tricks and Complications, and changing those one has (rules.md, STR-CORE-31 to 33)."""

from __future__ import annotations

import pytest
from support.cases import case
from support.game import Game, with_house
from support.party import do, with_party

from strike_cli.content.merged_content import Book
from strike_cli.problems import Refused, Usage
from strike_cli.systems.core.skill_roll import changes_counting_skill_use, uses_towards_trick
from strike_cli.systems.core.skills_tricks_and_complications import (
    present_complications_of,
    present_tricks_of,
)
from strike_cli.tabletop.characters_and_names import has_skill, skills_and_connections_of, slug


@pytest.fixture
def party(book: Book) -> Game:
    """A game of the party of tests/support."""
    return Game(with_party(book))


def tricks(game: Game, who: str = "vex") -> dict[str, str]:
    """Name to Skill."""
    return {trick.name: trick.skill for trick in present_tricks_of(game.world, who)}


def complications(game: Game, who: str = "vex") -> list[str]:
    return [one.name for one in present_complications_of(game.world, who)]


ON_SHEET = {"Up the wall": "Climbing", "A lock is only a question": ""}
TROUBLES = ["Owes the ferryman", "Wanted"]


# --- sheets


def test_two_tricks_and_two_complications_as_on_the_sheet(party: Game) -> None:
    """STR-CORE-23, 24: plain names, or tables that say more."""
    assert tricks(party) == ON_SHEET
    assert present_tricks_of(party.world, "vex")[0].text == "Anything with a drainpipe."
    assert complications(party) == TROUBLES
    assert present_complications_of(party.world, "vex")[1].text == "There is a drawing."
    assert tricks(party, "goblin") == {}


def test_slugs() -> None:
    """Names as keys of the state: a path can name them."""
    for name, key in (
        ("Climbing", "climbing"),
        ("Sleight of Hand", "sleight-of-hand"),
        ("  Swearing, in 3 Tongues! ", "swearing-in-3-tongues"),
        ("Öl & Étoile", "öl-étoile"),
        ("a.b", "a-b"),
        ("", "-"),
        ("?!", "-"),
    ):
        with case(name, key):
            assert slug(name) == key


def test_connections_are_skills(party: Game) -> None:
    """STR-CORE-14: a Trick may be a narrow use of one."""
    assert skills_and_connections_of(party.world, "vex") == ["Climbing", "Sneaking", "Fences"]
    assert not has_skill(party.world, "brann", "Fences")


# --- counting


@pytest.mark.parametrize("skill", ["Climbing", "climbing", "Fences"])
def test_uses_of_a_skill_are_counted_up_to_the_house_number(book: Book, skill: str) -> None:
    """STR-CORE-32: `skill_uses_for_trick`; a full counter waits."""
    game = Game(with_house(with_party(book), skill_uses_for_trick=2))
    for after in (1, 2):
        sets = changes_counting_skill_use(game.world, "vex", skill)
        assert sets == {f"characters.vex.skill_uses.{slug(skill)}": after}
        for path, value in sets.items():
            game.set(path, value)
    assert changes_counting_skill_use(game.world, "vex", skill) == {}
    assert uses_towards_trick(game.world, "vex", skill) == 2


def test_only_ones_own_skills_count(party: Game) -> None:
    """STR-CORE-06, 32 (a ruling): an Unskilled roll is no use of a Skill that one has; one that was learned
    counts."""
    for who, skill in (("vex", "Cooking"), ("vex", ""), ("goblin", "Climbing")):
        with case(who, skill):
            assert changes_counting_skill_use(party.world, who, skill) == {}
    party.set("characters.vex.skills_learned", ["Sleight of Hand"])
    assert list(changes_counting_skill_use(party.world, "vex", "sleight of hand").values()) == [1]


# --- level-ups


def test_the_first_level_up_brings_the_fallback(party: Game) -> None:
    """STR-CORE-31: with its text; later ones bring a Trick or a Complication (STR-CORE-32)."""
    first = do(party, "advance level-up", who="vex", fallback=" planning ")
    assert first == {"who": "vex", "levels": 1, "gains": "fallback", "name": "planning"}
    second = do(party, "advance level-up", who="vex", trick="Up the drain", skill="climbing")
    assert second == {"who": "vex", "levels": 2, "gains": "trick", "name": "Up the drain"}
    third = do(party, "advance level-up", who="vex", complication="Famous", consent=True)
    assert third == {"who": "vex", "levels": 3, "gains": "complication", "name": "Famous"}
    assert party.facts[-1].details["by"] == "level-up"
    assert tricks(party) == {**ON_SHEET, "Up the drain": "Climbing"}
    assert complications(party) == [*TROUBLES, "Famous"]


def test_first_level_ups_refused(party: Game) -> None:
    """STR-CORE-31."""
    new = {"trick": "Up", "skill": "Climbing"}
    for args in ({}, {"fallback": "  "}, new, {"fallback": "planning", **new}):
        with case(args), pytest.raises(Refused, match="Fallback"):
            do(party, "advance level-up", who="vex", **args)


def test_later_level_ups_refused(party: Game) -> None:
    """STR-CORE-31, 32: who has a Fallback on the sheet is past the first level-up."""
    for args, error, says in (
        ({}, Refused, "one of two"),
        ({"fallback": "another"}, Refused, "already"),
        ({"trick": "Up", "skill": "Cooking", "complication": "Famous"}, Refused, "one of two"),
        ({"trick": "Soup"}, Usage, "Skill"),
        ({"trick": "Soup", "skill": "Flying"}, Refused, "Flying"),
        ({"trick": "!", "skill": "Cooking"}, Usage, "needs a name"),
        ({"complication": "Famous"}, Refused, "consent"),
    ):
        with case(args), pytest.raises(error, match=says):
            do(party, "advance level-up", who="odo", **args)
    assert party.get("characters") is None


# --- new Tricks and Complications


@pytest.mark.parametrize(("need", "uses", "ok"), [(6, 5, False), (6, 6, True), (3, 3, True), (7, 6, False)])
def test_a_skill_used_often_brings_a_trick(book: Book, need: int, uses: int, ok: bool) -> None:
    """STR-CORE-32: tied to that Skill, and its counter begins again."""
    game = Game(with_house(with_party(book), skill_uses_for_trick=need))
    game.set("characters.vex.skill_uses", {"climbing": uses, "sneaking": 1})
    if not ok:
        with pytest.raises(Refused, match=f"{uses} of {need}"):
            do(game, "advance trick", who="vex", name="Up the drain", skill="Climbing")
        return
    do(game, "advance trick", who="vex", name="Up the drain", skill="climbing")
    assert tricks(game)["Up the drain"] == "Climbing"
    assert game.get("characters.vex.skill_uses") == {"sneaking": 1}
    with pytest.raises(Refused, match="0 of"):
        do(game, "advance trick", who="vex", name="Another", skill="Climbing")


def test_new_tricks_refused(party: Game) -> None:
    """STR-CORE-23, 32: a name of its own, a Skill of one's own."""
    party.set("characters.vex.skill_uses.climbing", 6)
    for name, skill, error in (
        ("Up the wall", "Climbing", Refused), ("up-the-WALL", "Climbing", Refused), ("?", "Climbing", Usage),
        ("New", "Flying", Refused),
    ):  # fmt: skip
        with case(name, skill), pytest.raises(error):
            do(party, "advance trick", who="vex", name=name, skill=skill)


@pytest.mark.parametrize(("need", "uses", "left"), [(10, 10, None), (10, 13, 3), (4, 9, 5), (3, 13, 10)])
def test_uses_of_complications_bring_one(book: Book, need: int, uses: int, left: int | None) -> None:
    """STR-CORE-32: at the house's number, which is taken off the counter."""
    game = Game(with_house(with_party(book), complication_uses=need))
    game.set("characters.vex.complication_uses", uses)
    assert do(game, "advance complication", who="vex", name="Famous")["by"] == "uses"
    assert complications(game) == [*TROUBLES, "Famous"]
    assert game.get("characters.vex.complication_uses") == left


@pytest.mark.parametrize("uses", [0, 9, 10])
def test_the_story_brings_a_complication_if_the_group_agrees(party: Game, uses: int) -> None:
    """STR-CORE-32: whatever was counted, which stays; without consent only the count brings one."""
    party.set("characters.vex.complication_uses", uses)
    if uses < 10:
        with pytest.raises(Refused, match="of 10"):
            do(party, "advance complication", who="vex", name="Famous")
    assert do(party, "advance complication", who="vex", name="Famous", consent=True)["by"] == "story"
    assert party.texts() == ["Vex has a new Complication, by the story, with the group's consent: Famous."]
    assert party.get("characters.vex.complication_uses") == uses


def test_new_complications_refused(party: Game) -> None:
    """STR-CORE-24."""
    for name, error in (("Wanted", Refused), ("wanted!", Refused), (" ", Usage)):
        with case(name), pytest.raises(error):
            do(party, "advance complication", who="vex", name=name, consent=True)


# --- changing them


def test_swapping_a_trick_needs_everybodys_consent(party: Game) -> None:
    """STR-CORE-33: the refusal says why; with it the new one has the old one's Skill, and no uses yet."""
    party.set("characters.vex.trick_uses", {"up-the-wall": 4, "a-lock-is-only-a-question": 1})
    with pytest.raises(Refused, match="everybody's consent") as refusal:
        do(party, "advance swap-trick", who="vex", old="up", new="Over the roof")
    assert "--consent" in refusal.value.hint
    do(party, "advance swap-trick", who="vex", old="up", new="Over the roof", consent=True)
    assert tricks(party) == {"A lock is only a question": "", "Over the roof": "Climbing"}
    assert party.get("characters.vex.trick_uses") == {"a-lock-is-only-a-question": 1}


def test_swapping_to_another_skill_and_back(party: Game) -> None:
    """STR-CORE-33: what the sheet has comes back as the sheet has it, and the state keeps nothing of it."""
    do(party, "advance swap-trick", who="vex", old="up", new="Softly", skill="sneaking", consent=True)
    assert tricks(party)["Softly"] == "Sneaking"
    do(party, "advance swap-trick", who="vex", old="softly", new="Up the wall", consent=True)
    assert tricks(party) == ON_SHEET
    assert present_tricks_of(party.world, "vex")[0].text
    assert party.get("characters.vex") in (None, {})


def test_swapping_a_complication_is_its_owners_to_decide(party: Game) -> None:
    """STR-CORE-33: no consent is asked for."""
    do(party, "advance swap-complication", who="vex", old="wanted", new="Pardoned")
    assert complications(party) == ["Owes the ferryman", "Pardoned"]
    do(party, "advance swap-complication", who="vex", old="pardoned", new="Wanted")
    assert complications(party) == TROUBLES
    assert party.get("characters.vex") in (None, {})


def test_what_makes_no_sense_any_more_is_replaced_at_once(party: Game) -> None:
    """STR-CORE-33: a Trick or a Complication, without anybody's consent; what is gained in play too."""
    assert do(party, "advance replace", who="vex", old="up", new="Over")["kind"] == "trick"
    assert do(party, "advance replace", who="vex", old="over", new="Under")["skill"] == "Climbing"
    assert do(party, "advance replace", who="vex", old="wanted", new="Pardoned")["kind"] == "complication"
    assert tricks(party) == {"A lock is only a question": "", "Under": "Climbing"}
    assert complications(party) == ["Owes the ferryman", "Pardoned"]


def test_changes_refused(party: Game) -> None:
    """STR-CORE-33: only one's own, and only for one that is new."""
    for name, args, error in (
        ("swap-trick", {"old": "Wanted", "new": "X", "consent": True}, Refused),
        ("swap-trick", {"old": "up", "new": "A lock is only a question", "consent": True}, Refused),
        ("swap-trick", {"old": "up", "new": "Up the wall", "consent": True}, Refused),
        ("swap-trick", {"old": "up", "new": " ", "consent": True}, Usage),
        ("swap-trick", {"old": "up", "new": "X", "skill": "Flying", "consent": True}, Refused),
        ("swap-complication", {"old": "up", "new": "X"}, Refused),
        ("swap-complication", {"old": "wanted", "new": "Owes the ferryman"}, Refused),
        ("replace", {"old": "nothing", "new": "X"}, Refused),
        ("replace", {"old": "wanted", "new": "X", "skill": "Climbing"}, Usage),
    ):
        with case(name, args), pytest.raises(error):
            do(party, f"advance {name}", who="vex", **args)
    assert party.state == {}


def test_a_sheet_that_catches_up_has_nothing_twice(party: Game) -> None:
    """STR-CORE-32: people write what was gained on the sheet, or strike out what is gone, as they like."""
    party.set("characters.vex.tricks_gained", [{"name": "up the WALL", "skill": "Climbing"}])
    party.set("characters.vex.complications_lost", ["Long gone"])
    assert tricks(party) == ON_SHEET
    do(party, "advance replace", who="vex", old="up", new="Over")
    assert tricks(party) == {"A lock is only a question": "", "Over": "Climbing"}
