"""The rules of Karma, CIN-01 to 11, with dice in hand."""

from __future__ import annotations

import pytest
from plugins.karma.conftest import CAMPAIGN, Table, begun, house
from support.cases import case

from strike_cli.plugin import Refused
from strike_cli.problems import ContentProblem
from strike_cli.registry.scenes_and_decisions_in_state import scenes_of

# Setting up


def test_luck_dice_and_pools(table: Table) -> None:
    """CIN-01: each player's Luck Die is their Instant Karma, and the Reaction Pool is as large as the Hero
    Dice."""
    data = table.play("start", encounter="yard", party=["ana", "bo"], first="bo", dice=[7, 2])
    assert data["karma"] == {"ana": 7, "bo": 2}
    assert (table.of("ana", "karma"), table.of("ana", "pool"), table.of("bo", "pool")) == (7, 3, 2)
    assert (table.of("viper", "pool"), table.of("viper", "karma")) == (4, None)


def test_what_is_established(yard: Table) -> None:
    """CIN-01: places, facts and counters that the encounter has."""
    assert (yard.of("ana", "at"), yard.of("bo", "at")) == ("by the well", None)
    assert (yard.get("facts"), yard.get("counters")) == (["The gate is barred."], {"Fire": 2})
    yard.play("counter", name="Fire", n=3)
    yard.play("place", "bo", at="on the wall")
    assert (yard.get("counters"), yard.of("bo", "at")) == ({"Fire": 3}, "on the wall")
    yard.play("counter", name="Fire", n=0)
    assert yard.get("counters") is None


def test_places_are_squares_where_there_is_a_map() -> None:
    """CIN-01."""
    crypt = begun(encounter="crypt")
    crypt.play("place", "ana", at="b2")
    assert crypt.of("ana", "at") == "B2"
    with pytest.raises(Refused, match="behind"):
        crypt.play("place", "ana", at="behind the well")


def test_a_sheet_must_say_hero_dice(table: Table) -> None:
    """CIN-01."""
    with pytest.raises(Refused, match="Dee has no Hero Dice on the sheet"):
        table.play("start", encounter="yard", party=["dee"], first="viper")
    with pytest.raises(ContentProblem, match="characters.ana.karma.luck: 'd7' is not one of 'd4', 'd6'"):
        Table(CAMPAIGN.replace('luck = "d8"', 'luck = "d7"'))


def test_a_group_must_be_a_creature() -> None:
    """CIN-10."""
    with pytest.raises(ContentProblem, match=r"yard\.karma\.groups\.thug: there is no such creature.*thugs"):
        Table(CAMPAIGN.replace("thugs = 3", "thug = 3"))


def test_the_first_initiative_is_ruled(table: Table) -> None:
    """CIN-02: the game master says who; unless that is said with the command, they are asked."""
    table.play("start", encounter="yard", party=["ana"], dice=[5], choices=["viper"])
    assert (table.get("active"), table.get("stage")) == ("viper", "open")


def test_the_first_initiative_of_a_group() -> None:
    """CIN-02: the group decides which of its members begins; one of one needs no decision."""
    for party, dice, choices, first in ((["ana", "bo"], [5, 4], ["bo"], "bo"), (["ana"], [5], [], "ana")):
        table = Table()
        args = {"encounter": "yard", "party": party, "first_group": "party"}
        table.play("start", **args, dice=dice, choices=choices)
        assert table.get("active") == first


def test_groups_roll_for_it_and_ties_again(table: Table) -> None:
    """CIN-02: a d20 each, the highest; before the Luck Dice."""
    args = {"encounter": "yard", "party": ["ana"], "roll": True}
    data = table.play("start", **args, dice=[12, 12, 3, 18, 6], choices=["thugs"])
    assert data["first_group"] == "enemies"
    assert [roll["faces"] for roll in data["rolls"]] == [[12], [12], [3], [18]]
    assert (table.of("ana", "karma"), table.get("active")) == (6, "thugs")


def test_first_initiatives_that_there_are_not() -> None:
    """CIN-02."""
    for args, says in (
        ({"first": "nobody"}, "'nobody' is not here"),
        ({"first_group": "guests"}, "not a group here"),
        ({"first": "ana", "roll": True}, "one way to decide"),
    ):
        with case(args, says):
            table = Table()
            with pytest.raises(Refused, match=says):
                table.play("start", encounter="yard", party=["ana"], **args)


# Passing


def test_passing_to_friend_or_foe(yard: Table) -> None:
    """CIN-03: to anybody who can still act in this round."""
    yard.turn("ana")
    assert yard.play("pass", "viper") == {"to": "viper", "from": "ana", "segment": 2, "due": []}
    yard.turn("viper", "bo")
    assert (yard.get("active"), yard.get("segment")) == ("bo", 3)


def test_one_action_a_round(yard: Table) -> None:
    """CIN-03: nobody is passed the initiative who has acted, nor acts without it, nor twice."""
    with pytest.raises(Refused, match="Ana has the initiative") as refused:
        yard.play("act", "bo")
    assert "strike karma act ana" in refused.value.hint
    with pytest.raises(Refused, match="Ana has yet to act"):
        yard.play("pass", "bo")
    yard.turn("ana")
    with pytest.raises(Refused, match="Ana has acted in this segment") as refused:
        yard.play("act", "ana")
    assert refused.value.hint == "`strike karma pass WHO`: bo, cy, viper, thugs."
    yard.play("pass", "bo")
    yard.turn("bo")
    with pytest.raises(Refused, match="Ana has acted in round 1") as refused:
        yard.play("pass", "ana")
    assert refused.value.hint == "Can receive it: cy, viper, thugs."


def test_the_last_one_says_who_begins(duel: Table) -> None:
    """CIN-03: anybody, themselves too, once nobody can act any more."""
    duel.turns("ana", "viper", "bo", "cy")
    data = duel.play("pass", "cy")
    assert (data["starter_next"], duel.get("stage"), duel.get("active")) == ("cy", "over", None)
    with pytest.raises(Refused, match="Round 1 is over"):
        duel.play("pass", "ana")
    assert duel.play("round")["first"] == "cy"
    assert (duel.get("round"), duel.get("segment"), duel.get("active")) == (2, 1, "cy")


def test_who_is_at_something_does_not_begin(duel: Table) -> None:
    """CIN-03: nobody with an uncompleted delayed or conditional action goes first in the next round."""
    duel.play("delay", "ana", what="a shot", open=True)
    duel.play("pass", "viper")
    duel.turn("viper", "bo")
    duel.play("when", "bo", **{"if": "he moves", "what": "shoots"})
    duel.play("pass", "cy")
    duel.play("act", "cy", no_roll=True, choices=["none"])
    for who in ("ana", "bo"):
        with pytest.raises(Refused, match="uncompleted action, and can't begin the next round") as refused:
            duel.play("pass", who)
        assert refused.value.hint == "Can receive it: cy, viper."


def test_some_act_more_than_once(table: Table) -> None:
    """CIN-03: as often as the sheet says; another one comes between, if anybody can."""
    args = {"encounter": "duel", "party": ["ana"], "creatures": {"hydra": 1}, "first": "hydra"}
    table.play("start", **args, dice=[5])
    table.turn("hydra")
    with pytest.raises(Refused, match="Hydra has just acted"):
        table.play("pass", "hydra")
    table.play("pass", "ana")
    table.turn("ana", "viper")
    table.turn("viper", "hydra")
    table.turn("hydra")
    with pytest.raises(Refused, match="Nobody has said who begins"):
        table.play("round")


def test_who_alone_can_act_goes_on(table: Table) -> None:
    """CIN-03."""
    args = {"encounter": "duel", "party": ["ana"], "creatures": {"hydra": 1}, "first": "viper"}
    table.play("start", **args, dice=[5])
    table.turn("viper", "ana")
    table.turn("ana", "hydra")
    table.turn("hydra", "hydra")
    assert (table.get("active"), table.get("segment")) == ("hydra", 4)


# Holding


def test_holding(yard: Table) -> None:
    """CIN-04: one isn't ready, can be passed the initiative later, and passes it to an opponent. No segment
    goes by."""
    yard.play("hold", "ana", to="viper")
    assert (yard.get("active"), yard.get("segment"), yard.of("ana", "held")) == ("viper", 1, True)
    yard.turn("viper", "ana")
    assert yard.get("active") == "ana"
    yard.turn("ana")
    assert yard.of("ana", "held") is None


def test_holding_passes_to_an_opponent(yard: Table) -> None:
    """CIN-04: to an ally only where no opponent can accept it."""
    with pytest.raises(Refused, match="Bo is an ally, and an opponent can accept it") as refused:
        yard.play("hold", "ana", to="bo")
    assert refused.value.hint == "Can be passed to: viper, thugs."


def test_holding_where_opponents_have_acted(duel: Table) -> None:
    """CIN-04."""
    duel.turn("ana", "viper")
    duel.turn("viper", "bo")
    with pytest.raises(Refused, match="Viper can't accept it"):
        duel.play("hold", "bo", to="viper")
    duel.play("hold", "bo", to="cy")
    assert duel.get("active") == "cy"


def test_the_last_one_can_not_hold(duel: Table) -> None:
    """CIN-04: where nobody else can accept it, one acts or lets the turn go."""
    duel.turns("ana", "viper", "bo")
    duel.play("pass", "cy")
    with pytest.raises(Refused, match="Nobody else can accept the initiative") as refused:
        duel.play("hold", "cy", to="ana")
    assert "--no-roll" in refused.value.hint
    duel.turn("cy")


def test_holding_goes_round_once(yard: Table) -> None:
    """CIN-04: nobody holds twice with nothing in between."""
    yard.play("hold", "ana", to="viper")
    yard.play("hold", "viper", to="ana")
    with pytest.raises(Refused, match="Ana has held already, and nothing has happened since"):
        yard.play("hold", "ana", to="viper")
    yard.turn("ana", "viper")
    yard.play("hold", "viper", to="bo")


# Delayed actions


def test_a_spell_takes_effect_at_the_beginning_of_its_segment(yard: Table) -> None:
    """CIN-05: the initiative is used as it is declared, the roll is made as it takes effect, before anybody
    acts."""
    data = yard.play("delay", "ana", what="a spell of fire", segments=2)
    assert (data["due"], yard.get("stage")) == (3, "acted")
    yard.play("pass", "bo")
    with pytest.raises(Refused, match="takes effect as segment 3 begins"):
        yard.play("complete", "ana")
    yard.turn("bo")
    assert yard.play("pass", "cy")["due"] == ["ana"]
    for move, args in (("act", {}), ("hold", {"to": "viper"})):
        with pytest.raises(
            Refused, match="Ana first: a spell of fire takes effect as segment 3 begins"
        ) as refused:
            yard.play(move, "cy", **args)
    assert "strike karma complete ana" in refused.value.hint
    data = yard.play("complete", "ana", dice=[5, 6, 1])
    assert (data["successes"], data["refreshed"], yard.of("ana", "delayed_action")) == (2, False, None)
    yard.turn("cy", "viper")


def test_an_aimed_shot_before_whoever_has_the_initiative(yard: Table) -> None:
    """CIN-05: at discretion it is resolved first if that is said before the other declares."""
    yard.play("delay", "ana", what="an aimed shot", open=True, **{"for": ["trope"]}, against=["d6"])
    with pytest.raises(Refused, match="only begun it in this segment"):
        yard.play("complete", "ana")
    yard.play("pass", "viper")
    with pytest.raises(Refused, match="Viper has yet to declare"):
        yard.play("complete", "ana")
    data = yard.play("complete", "ana", before=True, dice=[5, 1, 1, 8, 6])
    assert (data["roll"]["dice"], data["successes"], data["needed"], data["success"]) == (
        [6, 6, 6, 8], 2, 1, True,
    )  # fmt: skip
    assert (yard.get("active"), yard.get("stage")) == ("viper", "open")


def test_an_aimed_shot_after_it(yard: Table) -> None:
    """CIN-05: else after their action; whoever has the initiative still passes it."""
    yard.play("delay", "ana", what="an aimed shot", open=True)
    yard.play("pass", "viper")
    yard.turn("viper")
    with pytest.raises(Refused, match="is declared"):
        yard.play("complete", "ana", before=True)
    yard.play("complete", "ana", target=6, dice=[5, 6, 1])
    assert (yard.get("active"), yard.get("stage")) == ("viper", "acted")
    yard.play("pass", "bo")


def _carried(duel: Table, **delayed: object) -> Table:
    """Round 2, Viper first; Ana is at what she has begun in round 1."""
    duel.play("delay", "ana", what="a spell", **delayed)
    duel.play("pass", "viper")
    duel.turns("viper", "bo", "cy")
    duel.end_round("viper", choices=["continue"])
    return duel


def test_carried_over_it_keeps_the_initiative_back(duel: Table) -> None:
    """CIN-05: initiative doesn't refresh until it is completed, and does with it."""
    _carried(duel, open=True)
    duel.turn("viper")
    with pytest.raises(Refused, match="Ana is still busy: a spell") as refused:
        duel.play("pass", "ana")
    assert refused.value.hint == "Can receive it: bo, cy."
    assert duel.play("complete", "ana", dice=[1, 2, 3])["refreshed"]
    duel.play("pass", "ana")
    duel.turn("ana")


def test_abandoned_it_makes_available(duel: Table) -> None:
    """CIN-05: giving up makes one available, and no more: one acts when one is passed the initiative."""
    _carried(duel, segments=9)
    assert duel.play("abandon", "ana") == {"who": "ana", "kind": "delayed", "available": True}
    assert duel.get("active") == "viper"
    duel.turn("viper", "ana")


def test_segments_count_on_in_the_next_round(duel: Table) -> None:
    """CIN-05: four segments of the first round are behind it."""
    _carried(duel, segments=5)
    assert duel.of("ana", "delayed_action")["due"] == 2
    duel.turn("viper")
    assert duel.play("pass", "bo")["due"] == ["ana"]


def test_abandoned_in_its_own_round_it_brings_no_second_turn(yard: Table) -> None:
    """CIN-05: the initiative was used for it."""
    yard.play("delay", "ana", what="a shot", open=True)
    assert not yard.play("abandon", "ana")["available"]


def test_it_is_said_when_it_takes_effect(yard: Table) -> None:
    """CIN-05."""
    for args in ({}, {"segments": 2, "open": True}):
        with pytest.raises(Refused, match="When does it take effect"):
            yard.play("delay", "ana", what="a shot", **args)
    with pytest.raises(Refused, match="Bo has delayed nothing"):
        yard.play("complete", "bo")


def test_nobody_waits_for_segments_that_nobody_takes() -> None:
    """CIN-05: where everybody carries something over, the soonest takes effect at once."""
    table = begun(encounter="duel")
    table.play("out", "bo"), table.play("out", "cy")
    table.play("delay", "ana", what="a long spell", segments=7)
    table.play("pass", "viper")
    table.play("delay", "viper", what="a longer one", segments=9)
    data = table.play("round", choices=["continue", "continue"])
    assert (data["first"], data["due"]) == (None, ["ana"])
    with pytest.raises(Refused, match="Ana first: a long spell"):
        table.play("pass", "ana")
    table.play("complete", "ana", dice=[1, 1, 1])
    table.play("pass", "ana")
    assert (table.get("active"), table.of("viper", "delayed_action")["due"]) == ("ana", 4)


# Conditional actions


def test_a_condition_comes_before_what_brings_it_about(yard: Table) -> None:
    """CIN-06: the game master is asked as the other declares, and the order of what happens is the rule's."""
    yard.play("when", "ana", **{"if": "he goes for his gun", "what": "shoots him"}, against=["d6"])
    yard.play("pass", "viper")
    data = yard.play("act", "viper", what="draws", dice=[6, 6, 1, 1, 5, 5, 5, 5], choices=["ana"])
    assert data["triggered"] == ["ana"]
    assert [fact["kind"] for fact in yard.facts] == [
        "karma-declared", "karma-triggered", "karma-acted", "karma-acted",
    ]  # fmt: skip
    assert [fact["who"] for fact in yard.facts] == ["viper", "ana", "ana", "viper"]
    assert yard.of("ana", "conditional_action") is None


def test_a_condition_that_is_not_met_waits_on(yard: Table) -> None:
    """CIN-06."""
    yard.play("when", "ana", **{"if": "he goes for his gun", "what": "shoots him"})
    yard.play("pass", "viper")
    assert yard.play("act", "viper", what="talks", no_roll=True, choices=["none"])["triggered"] == []
    assert yard.of("ana", "conditional_action")["what"] == "shoots him"


def test_conditions_may_meet_conditions(yard: Table) -> None:
    """CIN-06: whatever brings one about, it comes first."""
    yard.play("when", "ana", **{"if": "he draws", "what": "shoots"}, no_roll=True)
    yard.play("pass", "bo")
    yard.play("when", "bo", **{"if": "anybody shoots", "what": "ducks"}, no_roll=True, choices=["none"])
    yard.play("pass", "viper")
    yard.play("act", "viper", what="draws", no_roll=True, choices=["ana", "bo"])
    assert [fact["who"] for fact in yard.facts if fact["kind"] == "karma-acted"] == ["bo", "ana", "viper"]


def test_what_is_no_action_may_meet_a_condition(yard: Table) -> None:
    """CIN-06: the table says that it has come about. It used the initiative as it was declared."""
    yard.play("when", "ana", **{"if": "it rains", "what": "runs"})
    assert yard.play("trigger", "ana", dice=[5, 5, 2])["successes"] == 2
    with pytest.raises(Refused, match="Ana waits for nothing"):
        yard.play("trigger", "ana")


def _waiting(duel: Table) -> Table:
    """Round 2, Viper first; Ana's condition of round 1 is carried over."""
    duel.play("when", "ana", **{"if": "he draws", "what": "shoots"}, no_roll=True)
    for who in ("viper", "bo", "cy"):
        duel.play("pass", who)
        duel.play("act", who, no_roll=True, choices=["none"])
    duel.end_round("viper", choices=["continue"])
    return duel


def test_carried_over_a_condition_uses_the_refreshed_initiative(duel: Table) -> None:
    """CIN-06: initiative refreshes normally, and is used when the condition comes about."""
    _waiting(duel)
    duel.play("act", "viper", what="draws", no_roll=True, choices=["ana"])
    with pytest.raises(Refused, match="Ana has acted in round 2"):
        duel.play("pass", "ana")


def test_carried_over_it_comes_about_with_initiative_only(duel: Table) -> None:
    """CIN-06: whoever has used it otherwise waits for the next round."""
    _waiting(duel)
    duel.play("act", "viper", no_roll=True, choices=["none"])
    duel.play("pass", "ana")
    duel.turn("ana")
    with pytest.raises(Refused, match="no initiative left in round 2"):
        duel.play("trigger", "ana")
    duel.play("pass", "bo")
    duel.play("act", "bo", no_roll=True)  # nobody is asked: it can't come about


def test_a_condition_of_who_has_the_initiative_uses_it(duel: Table) -> None:
    """CIN-06."""
    _waiting(duel)
    duel.play("act", "viper", no_roll=True, choices=["none"])
    duel.play("pass", "ana")
    duel.play("trigger", "ana")
    assert (duel.get("active"), duel.get("stage")) == ("ana", "acted")


def test_both_at_once_have_to_be_told_apart(duel: Table) -> None:
    """CIN-05, 06."""
    _waiting(duel)
    duel.play("act", "viper", no_roll=True, choices=["none"])
    duel.play("pass", "ana")
    duel.play("delay", "ana", what="a spell", open=True)
    with pytest.raises(Refused, match="Ana has both"):
        duel.play("abandon", "ana")
    assert duel.play("abandon", "ana", kind="conditional")["kind"] == "conditional"
    assert duel.play("abandon", "ana")["kind"] == "delayed"
    with pytest.raises(Refused, match="nothing to abandon"):
        duel.play("abandon", "ana")


# Reactions


def test_a_reaction_takes_the_pool(yard: Table) -> None:
    """CIN-07: its dice in place of the Hero Dice, and it is one smaller with each use."""
    data = yard.play("react", "ana", to="a chair", against=["2d6"], dice=[5, 2, 1, 6, 4])
    assert (data["dice"], data["pool_before"], data["pool_after"], data["mode"]) == (3, 3, 2, "pool")
    data = yard.play("react", "ana", dice=[1, 2])
    assert (data["dice"], data["pool_after"], data["failed"]) == (2, 1, True)


def test_a_tie_is_for_who_reacts(yard: Table) -> None:
    """CIN-07, 11."""
    assert not yard.play("react", "ana", against=["d6"], dice=[5, 2, 1, 6])["failed"]
    assert not yard.play("act", "ana", against=["d6"], dice=[5, 2, 1, 6])["success"]


def test_trope_and_trademark_join_the_pool(yard: Table) -> None:
    """CIN-07, 11."""
    data = yard.play("react", "ana", **{"for": ["gun", "trademark"]}, dice=[1, 1, 1, 8, 6])
    assert (data["roll"]["dice"], data["successes"]) == ([6, 6, 6, 8, 6], 2)


def test_an_empty_pool_fails_or_can_not(yard: Table) -> None:
    """CIN-07: without any dice a dodge fails by itself, and an attack of opportunity can't be made."""
    yard.set("karma.people.cy.pool", 0)
    data = yard.play("react", "cy", to="a knife")
    assert (data["mode"], data["failed"], data["roll"], data["pool_after"]) == ("none", True, None, 0)
    assert yard.texts == ["Cy reacts without any dice to a knife: it fails."]
    with pytest.raises(Refused, match="Cy has no dice to react with"):
        yard.play("react", "cy", optional=True)


def test_an_empty_pool_with_other_dice(yard: Table) -> None:
    """CIN-07: Trope, Trademark or other dice that apply make a reaction possible."""
    yard.set("karma.people.cy.pool", 0)
    data = yard.play("react", "cy", optional=True, **{"for": ["wizard"]}, dice=[10])
    assert (data["mode"], data["failed"], data["pool_before"], data["pool_after"]) == ("pool", False, 0, 0)
    assert yard.play("react", "cy", other=["2d4"], dice=[4, 4])["dice"] == 2


def test_a_passive_reaction(yard: Table) -> None:
    """CIN-07: the pool is kept out of it, and loses nothing."""
    data = yard.play("react", "ana", passive=True, **{"for": ["trope"]}, dice=[5])
    assert (data["mode"], data["dice"], data["pool_after"], data["failed"]) == ("passive", 1, 3, False)
    assert yard.play("react", "ana", passive=True)["mode"] == "none"
    yard.set("karma.people.ana.pool", 0)
    with pytest.raises(Refused, match="Reaction Pool is empty"):
        yard.play("react", "ana", passive=True)


def test_a_reaction_as_ones_action(yard: Table) -> None:
    """CIN-07: all Hero Dice, no die lost, and the turn is used."""
    yard.set("karma.people.bo.pool", 1)
    data = yard.play("react", "bo", as_action=True, dice=[5, 5])
    assert (data["mode"], data["dice"], data["pool_after"]) == ("action", 2, 1)
    yard.turn("ana")
    with pytest.raises(Refused, match="Bo has acted in round 1"):
        yard.play("pass", "bo")
    with pytest.raises(Refused, match="Bo has no action left in round 1"):
        yard.play("react", "bo", as_action=True)


def test_as_ones_action_while_one_has_the_initiative(yard: Table) -> None:
    """CIN-07: it uses the turn, and the initiative is passed on."""
    yard.play("react", "ana", as_action=True, dice=[5, 5, 5])
    yard.play("pass", "viper")


def test_a_reaction_without_a_roll_costs_nothing(yard: Table) -> None:
    """CIN-07: the pool shrinks when it is used."""
    data = yard.play("react", "ana", no_roll=True)
    assert (data["roll"], data["pool_after"], data["failed"]) == (None, 3, False)


# The order of things


def test_a_round_with_a_spell_an_aimed_shot_and_a_condition(yard: Table) -> None:
    """CIN-08: delayed actions, the declaration, conditions, the action, delayed actions, the pass."""
    told: list[tuple[str, str]] = []

    def play(move: str, who: str, **args: object) -> None:
        yard.play(move, who, **args)
        told.extend((fact["kind"].removeprefix("karma-"), fact["who"]) for fact in yard.facts)

    play("delay", "ana", what="a spell of fire", segments=3)
    play("pass", "bo")
    play("delay", "bo", what="an aimed shot", open=True)
    play("pass", "cy")
    play("when", "cy", **{"if": "Viper moves", "what": "throws a knife"})
    play("pass", "viper")
    play("complete", "ana", dice=[5, 5, 5], choices=["none"])
    play("act", "viper", what="runs", dice=[6, 5, 5, 5, 1], choices=["cy"])
    play("complete", "bo", dice=[5, 1])
    play("pass", "thugs")
    assert told == [
        ("delayed", "ana"),
        ("passed", "bo"),
        ("delayed", "bo"),
        ("passed", "cy"),
        ("set-condition", "cy"),
        ("passed", "viper"),
        ("completed", "ana"), ("acted", "ana"),
        ("declared", "viper"),
        ("triggered", "cy"), ("acted", "cy"),
        ("acted", "viper"),
        ("completed", "bo"), ("acted", "bo"),
        ("passed", "thugs"),
    ]  # fmt: skip


def test_a_round_is_not_over_while_somebody_can_act(duel: Table) -> None:
    """CIN-09."""
    with pytest.raises(Refused, match="Ana has the initiative, and round 1 goes on"):
        duel.play("round")
    duel.turn("ana")
    with pytest.raises(Refused, match="Can still act in round 1: Bo, Cy, Viper"):
        duel.play("round")
    duel.play("pass", "viper")
    duel.turns("viper", "bo", "cy")
    with pytest.raises(Refused, match="Nobody has said who begins the next round"):
        duel.play("round")


def test_everything_refreshes(duel: Table) -> None:
    """CIN-09: pools and initiative; Instant Karma doesn't."""
    duel.play("react", "ana", dice=[1, 1, 1])
    duel.play("karma", "ana", verb="spend", n=2, why="luck")
    duel.turns("ana", "viper", "bo", "cy")
    data = duel.end_round("ana")
    assert (data["round"], data["first"], data["uncompleted"], data["health"]) == (2, "ana", [], [])
    assert (duel.of("ana", "pool"), duel.of("ana", "karma")) == (3, 3)
    duel.turn("ana", "cy")


def _until_the_end(duel: Table) -> None:
    """Ana waits, Bo aims, Cy casts; Viper is the last of round 1."""
    duel.play("when", "ana", **{"if": "he draws", "what": "shoots"})
    duel.play("pass", "bo")
    duel.play("delay", "bo", what="an aimed shot", open=True, choices=["none"])
    duel.play("pass", "cy")
    duel.play("delay", "cy", what="a spell", segments=3, choices=["none"])
    duel.play("pass", "viper")
    duel.play("act", "viper", no_roll=True, choices=["none"])
    duel.play("pass", "viper")


def test_what_is_uncompleted_at_the_end(duel: Table) -> None:
    """CIN-09: completed if it can be, continued or abandoned; who abandons has their initiative back."""
    _until_the_end(duel)
    data = duel.play("round", choices=["abandon", "complete", "continue"], dice=[5, 6])
    assert data["uncompleted"] == [
        {"who": "ana", "kind": "conditional", "does": "abandon"},
        {"who": "bo", "kind": "delayed", "does": "complete"},
        {"who": "cy", "kind": "delayed", "does": "continue"},
    ]
    duel.turn("viper")
    assert duel.play("pass", "ana")["to"] == "ana"


def test_only_what_can_be_completed_is(duel: Table) -> None:
    """CIN-09: a spell before its segment isn't, nor what waits for a condition."""
    _until_the_end(duel)
    for choices in (["complete"], ["continue", "continue", "complete"]):
        with pytest.raises(Exception, match="complete"):
            duel.play("round", choices=choices)


def test_health_checks_are_asked_for(duel: Table) -> None:
    """CIN-09: of those who are required to, at the round's end, before the next begins."""
    duel.play("check", "ana", why="shot in the arm")
    duel.play("check", "ana", why="the fall")
    duel.turns("ana", "viper", "bo", "cy")
    data = duel.end_round("ana", choices=["failed"])
    assert data["health"] == [{"who": "ana", "why": "shot in the arm, the fall", "passed": False}]
    assert duel.of("ana", "health_due") is None
    kinds = [fact["kind"] for fact in duel.facts]
    assert kinds.index("karma-health-checked") < kinds.index("karma-round-began")


def test_health_checks_may_be_rolled() -> None:
    """CIN-09: by a house rule, with the Hero Dice."""
    duel = begun(house('health_check = "rolled"'), "duel")
    duel.play("check", "bo", why="poison")
    duel.turns("ana", "viper", "bo", "cy")
    assert duel.end_round("ana", dice=[5, 1])["health"] == [{"who": "bo", "why": "poison", "passed": True}]


def test_who_was_to_begin_and_is_gone(duel: Table) -> None:
    """CIN-09: then the game master shows the holder."""
    duel.turns("ana", "viper", "bo", "cy")
    duel.play("pass", "viper")
    duel.play("out", "viper", how="jumps into the river")
    assert duel.play("round", choices=["bo"])["first"] == "bo"


# Cards


def test_a_group_has_a_card_with_counters(yard: Table) -> None:
    """CIN-10: a counter less with each member who acts; its card is turned with the last."""
    yard.turn("ana", "thugs")
    yard.turn("thugs")
    assert yard.of("thugs", "taken") == 1
    yard.play("pass", "thugs")
    yard.turn("thugs", "thugs")
    yard.turn("thugs")
    with pytest.raises(Refused, match="Thugs has acted in round 1"):
        yard.play("pass", "thugs")


def test_all_cards_lie_face_down_again(yard: Table) -> None:
    """CIN-10: with the next round."""
    yard.turns("ana", "thugs", "thugs", "thugs", "viper", "bo", "cy")
    yard.end_round("thugs")
    yard.turns("thugs", "thugs", "thugs")
    yard.play("pass", "ana")


def test_one_of_a_group_is_at_something(yard: Table) -> None:
    """CIN-05, 10: carried over it keeps back the initiative of one; the others have theirs."""
    yard.turn("ana", "thugs")
    yard.play("delay", "thugs", what="a fire", open=True)
    for who in ("thugs", "thugs", "viper", "bo", "cy"):
        yard.play("pass", who)
        yard.turn(who)
    yard.end_round("cy", choices=["continue"])
    yard.turn("cy", "thugs")
    with pytest.raises(Refused, match="busy already: a fire"):
        yard.play("delay", "thugs", what="another", open=True)
    yard.turn("thugs", "thugs")
    yard.turn("thugs")
    with pytest.raises(Refused, match="Thugs is still busy: a fire"):
        yard.play("pass", "thugs")
    yard.play("complete", "thugs", dice=[1, 1])
    yard.play("pass", "thugs")
    yard.play("out", "thugs")
    assert (yard.get("active"), yard.of("thugs", "taken")) == (None, 2)


def test_one_of_a_group_is_out_of_it(yard: Table) -> None:
    """CIN-10."""
    yard.turn("ana", "thugs")
    yard.turn("thugs")
    assert yard.play("out", "thugs", how="runs")["left"] == 2
    yard.play("pass", "thugs")
    yard.turn("thugs")
    with pytest.raises(Refused, match="has acted"):
        yard.play("pass", "thugs")
    yard.play("out", "thugs"), yard.play("out", "thugs")
    with pytest.raises(Refused, match="Thugs is no longer in the scene: taken out"):
        yard.play("out", "thugs")


def test_who_is_out_leaves_the_initiative_to_the_game_master(yard: Table) -> None:
    """CIN-03, 10."""
    yard.play("out", "ana")
    assert (yard.get("active"), yard.get("stage")) == (None, "acted")
    yard.play("pass", "viper")
    assert yard.get("active") == "viper"


def test_the_last_counter_takes_the_initiative_with_it(yard: Table) -> None:
    """CIN-10."""
    yard.turn("ana", "thugs")
    yard.turn("thugs", "thugs")
    yard.turn("thugs", "thugs")
    yard.play("out", "thugs")
    assert (yard.get("active"), yard.of("thugs", "count")) == (None, 2)


def test_the_scene_everybody_can_show(yard: Table) -> None:
    """CIN-10: a pool of cards in the common form, with counters, Reaction Pools and what is delayed."""
    yard.play("hold", "ana", to="thugs")
    yard.play("delay", "thugs", what="a fire", segments=4)
    yard.play("pass", "bo")
    yard.turn("bo")
    (scene,) = scenes_of(yard.world.state)
    assert scene.order is not None
    assert (scene.order.kind, scene.order.active, scene.order.next) == (
        "pool", "bo", ("ana", "cy", "viper", "thugs"),
    )  # fmt: skip
    states = [(entry.who, entry.state, entry.members) for entry in scene.order.entries]
    assert sorted(states) == [
        ("ana", "held", 1), ("bo", "acted", 1), ("cy", "waiting", 1), ("thugs", "waiting", 2),
        ("viper", "waiting", 1),
    ]  # fmt: skip
    assert [str(meter) for meter in scene.people["bo"].meters] == ["2/2", "4"]
    assert [status.name for status in scene.people["thugs"].statuses] == ["Delayed: a fire, segment 5"]
    assert all(one.state == "up" for one in scene.people.values())


# The standard roll


def test_dice_that_show_enough_are_successes(yard: Table) -> None:
    """CIN-11: Hero Dice, Trope, Trademark; five or more; against nobody one is enough."""
    data = yard.play("act", "ana", **{"for": ["trope", "trademark"]}, dice=[5, 6, 4, 8, 1])
    assert (data["roll"]["dice"], data["successes"], data["needed"], data["success"]) == (
        [6, 6, 6, 8, 6], 3, 1, True,
    )  # fmt: skip
    assert yard.texts == ["Ana acts. 5,6,4 on 3d6, 8 on d8, 1 on d6: successes 3 of 1. Success."]


def test_what_a_die_has_to_show() -> None:
    """CIN-11: suited 4, neutral 5, unsuited 6. The target number is the actor's own: it changes nothing about
    what the opposition's dice need."""
    for target, alone, against in ((4, 3, 2), (5, 2, 1), (6, 1, 0)):
        assert begun().play("act", "ana", target=target, dice=[4, 5, 6])["successes"] == alone
        for move, more in (("act", {}), ("react", {"to": "the shot"})):
            with case(target, move):
                args = {"target": target, "against": ["2d6"], "dice": [4, 5, 1, 5, 4], **more}
                data = begun().play(move, "ana", **args)
                assert (data["successes"], data["needed"]) == (against, 1)


def test_against_dice_the_most_successes_win(yard: Table) -> None:
    """CIN-11: a tie is for the defender."""
    data = yard.play("act", "ana", against=["2d6", "d8"], dice=[5, 5, 1, 6, 1, 7])
    assert (data["successes"], data["needed"], data["success"]) == (2, 2, False)
    assert (data["against"]["dice"], data["against"]["faces"]) == ([6, 6, 8], [6, 1, 7])


def test_a_table_puts_in_its_own() -> None:
    """CIN-11: by house rules; dice larger than a d6 may have several successes."""
    for rules, successes, needed, success in (
        ("success_on = 4", 3, 1, True),
        ('standard_roll = "several"', 3, 1, True),
        ('standard_roll = "highest"', 10, 5, True),
        ('standard_roll = "total"', 19, 5, True),
    ):
        with case(rules, successes, needed, success):
            yard = begun(house(rules), first="cy")
            data = yard.play("act", "cy", **{"for": ["trope"]}, other=["d4"], dice=[5, 10, 4])
            assert (data["successes"], data["needed"], data["success"]) == (successes, needed, success)


def test_a_target_number_that_changes_nothing_is_refused() -> None:
    """CIN-11: by these house rules no die reads it, and against dice it is not what is enough either; also as
    something is declared: later it could not be played."""
    for rule in ("highest", "total"):
        table = begun(house(f'standard_roll = "{rule}"'))
        for move, args in (
            ("act", {"dice": [4, 5, 1, 5, 4]}), ("when", {"if": "he moves", "what": "shoots"}),
            ("delay", {"what": "a spell", "segments": 1}),
        ):  # fmt: skip
            with case(rule, move), pytest.raises(Refused, match="changes no die"):
                table.play(move, "ana", target=4, against=["2d6"], **args)
        assert table.play("act", "ana", target=4, dice=[1, 1, 2])["needed"] == 4


def my_roll() -> tuple[object, ...]:
    """A standard roll that another plugin might bring: odd faces count."""
    return (lambda face, sides, target: face % 2, sum, lambda target: 2, "odd faces")


def test_a_plugin_may_bring_another() -> None:
    """CIN-11."""
    table = begun(house('standard_roll = "homebrew:odd"'))
    where = {"calls": "plugins.karma.test_rules:my_roll"}
    table.world.book.handlers["homebrew:odd"] = where
    data = table.play("act", "ana", dice=[1, 3, 2])
    assert (data["successes"], data["needed"], data["success"]) == (2, 2, True)


def test_a_handler_that_there_is_not() -> None:
    """CIN-11."""
    table = begun(house('standard_roll = "homebrew:odd"'))
    with pytest.raises(Exception, match="No plugin has a handler 'homebrew:odd'"):
        table.play("act", "ana", dice=[1, 3, 2])
    with pytest.raises(ContentProblem, match="count, several, highest, total, or a plugin's handler"):
        Table(house('standard_roll = "best"'))


def test_dice_that_nobody_has() -> None:
    """CIN-11."""
    for args, says in (
        ({"for": ["luck"]}, "'luck' is not a Trope or Trademark here"),
        ({"against": ["d7"]}, "no dice 'd7'"),
        ({"other": ["9d6"]}, "no dice '9d6'"),
    ):
        with case(args, says):
            yard = begun()
            for move, more in (("act", {}), ("react", {}), ("delay", {"what": "x", "open": True})):
                with pytest.raises(Refused, match=says):
                    yard.play(move, "ana", **args, **more)


# Instant Karma


def test_instant_karma_is_spent(yard: Table) -> None:
    """CIN-01, 11: no more than there is; what it buys the table says."""
    assert yard.play("karma", "ana", verb="spend", n=3, why="the rope holds")["after"] == 2
    assert yard.texts == ["Ana spends 3 Instant Karma for the rope holds: 2 left."]
    with pytest.raises(Refused, match="can't spend 3 Instant Karma") as refused:
        yard.play("karma", "ana", verb="spend", n=3)
    assert refused.value.hint.startswith("2 are left")
    with pytest.raises(Refused, match="Viper has no Instant Karma"):
        yard.play("karma", "viper", verb="spend", n=1)
    assert yard.play("karma", "ana", verb="gain", n=1)["after"] == 3


def test_it_goes_with_the_scene(yard: Table) -> None:
    """CIN-01: Luck stays on the sheet."""
    assert yard.play("end", outcome="they are out")["outcome"] == "they are out"
    assert yard.world.get("karma") is None
    assert yard.play("start", encounter="yard", party=["ana"], first="ana", dice=[1])["karma"] == {"ana": 1}
