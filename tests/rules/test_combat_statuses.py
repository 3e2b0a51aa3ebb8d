"""The statuses of STR-TAC-25, what ends them, and the engine that plays their reactions."""

from __future__ import annotations

from contextlib import nullcontext
from itertools import product
from typing import Any

import pytest
from support.cases import case
from support.game import Game, book_with
from support.told import words_of

from strike_cli.content.merged_content import Book, book_of_core_and_plugins
from strike_cli.kernel.procedure import Procedure, World
from strike_cli.problems import PluginProblem, Refused
from strike_cli.systems.combat.board.opportunity_attacks import may_take_opportunity
from strike_cli.systems.combat.commands.own_sheet_view import fight_part_of_own_sheet
from strike_cli.systems.combat.fight_state import Fight, combatant_path
from strike_cli.systems.combat.health_and_statuses import (
    duration_and_until_keys_of_step,
    find_status_instance_of_any_number,
    statuses_and_conditions_in_words,
)
from strike_cli.systems.combat.powers.powers_and_targets import PowerUse
from strike_cli.systems.combat.powers.step_play_and_summaries import WouldDoNothing
from strike_cli.systems.combat.reactions.status_and_trait_reactions import step_from_older_reaction


def give(game: Game, who: str, status: str, by: str = "", ends: str = "permanent", **more: Any) -> None:
    """A status by the game master's hand."""
    game.afflict(who, status, ends=ends, by=by, **more)


def turn_of(game: Game, who: str, dice: list[int], choose: list[str] | None = None) -> dict[str, Any]:
    """Pass to somebody's turn, whose start asks these dice."""
    from support.game import next_up

    for _ in range(8):
        if game.get("fight.active"):
            game.play("combat end-turn")
        if next_up(game) == who:
            return game.play("combat turn", dice=dice, choose=choose or [])
        game.play("combat turn")
    raise AssertionError


def test_nothing_of_the_core_statuses_is_left_to_the_game_master() -> None:
    """STR-TAC-25."""
    by_hand = [key for key, item in book_of_core_and_plugins().statuses.items() if "by_hand" in item]
    assert not [key for key in by_hand if key.startswith("core:")]


# --- Dominated


def test_the_dominated_act_by_anothers_will(game: Game) -> None:
    """STR-TAC-25: said at the start of the turn, recorded with each action, and asked of the dominator."""
    game.draw("VB.g").begin("goblin")
    give(game, "vex", "dominated", by="goblin")
    data = turn_of(game, "vex", [])
    assert data["decided_by"] == "goblin"
    assert "Goblin decides what Vex does." in game.texts()
    question = game.asked("combat attack", who="vex", targets=["brann"], power="trip", dice=[3])
    assert question.who == "goblin", "damage or effect is the dominator's choice"
    game.attack("vex", "brann", dice=[5])
    taken = next(fact for fact in game.facts if fact.kind == "action-taken")
    assert taken.details["decided_by"] == "goblin"
    assert not any("decided_by" in fact.details for fact in game.facts if fact.kind != "action-taken")


def test_nobody_else_is_decided_for(game: Game) -> None:
    """STR-TAC-25."""
    game.draw("VB.g").begin("vex")
    give(game, "brann", "dominated", by="goblin")
    game.attack("vex", "brann", dice=[5])
    assert "decided_by" not in next(f for f in game.facts if f.kind == "action-taken").details


# --- Marked


def test_the_marked_give_an_opportunity_when_they_leave_the_marker_out(game: Game) -> None:
    """STR-TAC-08, STR-TAC-25: before the attack is rolled; and only one a turn from that opponent."""
    game.draw("Vgg", "...").begin("goblin-1").put("goblin-1", hp=9)
    give(game, "goblin-1", "marked", by="vex")
    data = game.play("combat attack", who="goblin-1", targets=["goblin-2"], dice=[5], choose=["take"])
    assert [item["by"] for item in data["opportunities"]] == ["vex"]
    assert game.of("goblin-1", "hp") == 7
    kinds = [fact.kind for fact in game.facts]
    assert kinds.index("opportunity-taken") < kinds.index("attacked")


def test_the_marked_are_asked_before_they_leave_the_marker_out(game: Game) -> None:
    """STR-TAC-08: told who strikes for it; not the one who is attacked, nor who has struck this turn."""
    game.draw("gVpx.", ".....").begin("vex")
    give(game, "vex", "marked", by="goblin")
    question = game.asked("combat attack", who="vex", targets=["post"], confirms=True)
    assert question.labels[0] == "go on, giving an Opportunity to Goblin (2 damage)"
    state = game.state
    game.play("combat attack", who="vex", targets=["goblin"], confirms=True, dice=[5])
    game.state = state
    data = game.play("combat attack", who="vex", targets=["post"], confirms=True, choose=["stay"])
    assert (data["attacks"], game.of("vex", "hp"), game.get("fight.turn")) == ([], 10, None)
    game.set("fight.turn.opportunities", ["goblin>vex"])
    game.play("combat attack", who="vex", targets=["post"], confirms=True, dice=[5])


def test_the_marked_attack_the_marker_freely(game: Game) -> None:
    """STR-TAC-25: also where others are attacked with it."""
    game.draw("VgB").begin("goblin").put("goblin", hp=9)
    give(game, "goblin", "marked", by="vex")
    assert game.attack("goblin", "vex", dice=[4])["opportunities"] == []
    game.next_turn_of("goblin")
    both = game.play("combat attack", who="goblin", targets=["vex", "brann"], power="trip", dice=[4, 4])
    assert both["opportunities"] == []


def test_the_marked_do_not_shift_away_from_the_marker(game: Game) -> None:
    """STR-TAC-08, STR-TAC-25: next to the marker only, and before the shift."""
    game.draw("Vg..").begin("goblin").put("goblin", hp=9)
    give(game, "goblin", "marked", by="vex")
    moved = game.play("combat move", who="goblin", to="C1", shift=True, choose=["take"])
    assert moved["opportunities"][0]["by"] == "vex"
    game.next_turn_of("goblin")
    assert game.move("goblin", "D1", shift=True)["opportunities"] == [], "no longer next to it"


def test_a_shift_by_a_power_is_a_shift(game: Game) -> None:
    """STR-TAC-08, STR-TAC-25: Marked and shifting next to the marker, by whatever lets one shift; who drops
    of it doesn't."""
    book = book_with(
        'powers.skip = { action = "move", effect = [{ do = "shift", amount = 2, to = "self" }] }', "goblin"
    )
    game = Game(book).draw("Vg...").begin("goblin").put("goblin", hp=9)
    give(game, "goblin", "marked", by="vex")
    args = {"who": "goblin", "targets": [], "power": "skip"}
    game.play("combat use", **args, choose=["D1", "take"])
    assert (game.of("goblin", "hp"), game.of("goblin", "at")) == (7, "D1")
    game.put("goblin", at="B1", hp=1)
    game.next_turn_of("goblin")
    game.play("combat use", **args, choose=["D1", "take"])
    assert game.of("goblin", "out") == "taken-out"


def test_a_marked_creature_that_drops_doesnt_attack(game: Game) -> None:
    """STR-TAC-08: an Interrupt resolves before what gave it."""
    game.draw("gVB").begin("vex").put("vex", hp=1)
    give(game, "vex", "marked", by="goblin")
    assert game.play("combat attack", who="vex", targets=["brann"])["attacks"] == []
    assert "incapacitated" in game.statuses("vex")


def test_each_marker_counts(game: Game) -> None:
    """STR-TAC-25: stacking by source."""
    game.draw("VgB", "g..").begin("goblin-1").put("goblin-1", hp=9)
    give(game, "goblin-1", "marked", by="vex")
    give(game, "goblin-1", "marked", by="brann")
    data = game.play("combat attack", who="goblin-1", targets=["vex"], dice=[4], choose=["take"])
    assert [item["by"] for item in data["opportunities"]] == ["brann"]


# --- Flying and Invisible


def test_flying_and_melee(game: Game) -> None:
    """STR-TAC-25: no melee between fliers and others, melee between fliers, arrows both ways."""
    game.draw("Vp.", "B..").begin("vex").afflict("brann", "dazed")
    game.put("post", statuses=[{"id": "core:flying", "ends": "permanent"}])
    with pytest.raises(Refused, match="Flying"):
        game.attack("vex", "post", dice=[5])
    game.attack("vex", "post", power="core:ranged-basic", dice=[5])
    game.next_turn_of("vex")
    give(game, "vex", "flying")
    game.attack("vex", "post", dice=[5])
    game.next_turn_of("vex")
    with pytest.raises(Refused, match="Flying"):
        game.attack("vex", "brann", dice=[5])


def test_who_may_strike_at_whom_flies_off(book: Book) -> None:
    """STR-TAC-08, STR-TAC-25: those who fly and those who don't give each other no Opportunity."""
    for flying, open_ in (((), True), (("vex",), False), (("goblin",), False), (("vex", "goblin"), True)):
        with case(flying, open_):
            game = Game(book).draw("Vg").begin("vex")
            for who in flying:
                game.put(who, statuses=[{"id": "core:flying", "ends": "permanent"}])
            assert may_take_opportunity(Fight(game.world), "goblin", "vex") is open_


def test_of_the_same_status_twice_the_longer_holds(book: Book) -> None:
    """STR-TAC-25: what counts once stands once, for as long as the longer of the two."""
    for first, then, kept in (
        ("encounter", "turn-end", "encounter"),
        ("turn-end", "encounter", "encounter"),
        ("save", "encounter", "encounter"),
        ("encounter", "permanent", "permanent"),
    ):
        with case(first, then, kept):
            game = Game(book).draw("V.g").begin("vex").afflict("goblin", "slowed", ends=first)
            with nullcontext() if then == kept else pytest.raises(Refused, match="Slowed already"):
                game.afflict("goblin", "slowed", ends=then)
            assert [item["ends"] for item in game.of("goblin", "statuses")] == [kept]


def test_taking_off_next_to_an_enemy(game: Game) -> None:
    """STR-TAC-08: it gives an Opportunity, before it flies."""
    game.draw("Vg.g").begin("vex")
    give(game, "vex", "flying")
    assert game.of("vex", "hp") == 8, "from its neighbour alone"
    assert "flying" in game.statuses("vex")
    game.put("vex", statuses=[], hp=2)
    give(game, "vex", "flying")
    assert game.of("vex", "hp") == 2, "one a turn"


def test_invisible(game: Game) -> None:
    """STR-TAC-22, STR-TAC-25: on a turn on which it attacks itself it gives an Opportunity."""
    game.draw("Vg.B").begin("goblin").afflict("goblin", "invisible")
    data = game.attack("goblin", "brann", power="core:ranged-basic", dice=[4], choose=["take"])
    assert [item["by"] for item in data["opportunities"]] == ["vex"]


# --- Grabbed


def test_escaping(game_with: Any) -> None:
    """STR-TAC-25: a Move Action, and the house's number or more."""
    for target, die, free in ((4, 3, False), (4, 4, True), (6, 5, False)):
        with case(target, die):
            game = game_with(escape_target=target).draw("Vg..").begin("vex")
            give(game, "vex", "grabbed", by="goblin", ends="escape")
            with pytest.raises(Refused):
                game.move("vex", "A1")
            assert game.play("combat escape", who="vex", dice=[die])["ended"] is free
            assert ("grabbed" in game.statuses("vex")) is not free
            with pytest.raises(Refused, match="Move Action" if not free else "escape"):
                game.play("combat escape", who="vex")


def test_harried_escape(game: Game) -> None:
    """STR-TAC-25: escape rolls have Disadvantage."""
    game.draw("Vg..").begin("vex")
    give(game, "vex", "grabbed", by="goblin", ends="escape")
    give(game, "vex", "harried")
    assert game.play("combat escape", who="vex", dice=[6, 3])["ended"] is False


def test_which_hold_to_escape_from(game: Game) -> None:
    """STR-TAC-25: each grabber holds for itself."""
    game.draw("gVg").begin("vex")
    for goblin in ("goblin-1", "goblin-2"):
        give(game, "vex", "grabbed", by=goblin, ends="escape")
    asked = game.asked("combat escape", who="vex")
    assert asked.text == "Vex tries to escape, on 4 or more. From what?"
    assert asked.labels == ("Grabbed by Goblin 1", "Grabbed by Goblin 2")
    game.play("combat escape", who="vex", dice=[6], choose=["2-goblin-2"])
    assert [item["by"] for item in game.of("vex", "statuses")] == ["goblin-1"]


def test_a_grab_holds_within_reach(game: Game) -> None:
    """STR-TAC-25, gap B-25: while the grabber's reach does, which is two squares here."""
    game.draw("..Bg..").begin("brann")
    give(game, "goblin", "grabbed", by="brann", ends="escape")
    game.move("brann", "B1")
    assert game.statuses("goblin") == ["grabbed"]
    game.next_turn_of("brann")
    game.move("brann", "A1")
    assert game.statuses("goblin") == []


def test_a_grab_ends_when_the_held_one_is_pushed_away(game: Game) -> None:
    """STR-TAC-25, gap B-25: by whatever means they come apart."""
    game.draw("Bg....", "V.....").begin("vex").put("goblin", hp=20)
    give(game, "goblin", "grabbed", by="brann", ends="escape")
    game.attack("vex", "goblin", power="shove", dice=[5], choose=["D1"])
    assert game.statuses("goblin") == []


def test_a_grab_ends_when_the_grabber_is_down(book: Book) -> None:
    """STR-TAC-25, gap B-25: Incapacitated or Taken Out; what stays without them stays."""
    for damage in (10, 15):
        game = Game(book).draw(".Bg...").begin("brann").afflict("goblin", "slowed")
        give(game, "goblin", "grabbed", by="brann", ends="escape")
        game.play("combat damage", who="brann", amount=damage)
        assert game.statuses("goblin") == ["slowed"]


# --- Ongoing damage


def test_ongoing_damage_leaves_one_final_action(game: Game) -> None:
    """STR-TAC-25: before it brings somebody to 0 they have one Attack, Role or Move."""
    game.draw("Vp.g").begin("goblin").put("vex", hp=2)
    give(game, "vex", "ongoing", ends="save", value=3)
    turn_of(game, "vex", [])
    assert game.of("vex", "hp") == 2
    game.attack("vex", "post", dice=[5])
    assert game.of("vex", "hp") == -1
    assert "incapacitated" in game.statuses("vex")
    with pytest.raises(Refused, match="Stunned"):
        game.move("vex", "A2")
    assert game.get("fight.due") is None


def test_a_final_action_forgone(game: Game) -> None:
    """STR-TAC-25: the damage falls when the turn ends, before the Saving Throw."""
    game.draw("Vp.g").begin("goblin").put("vex", hp=3)
    give(game, "vex", "ongoing", ends="save", value=3)
    turn_of(game, "vex", [])
    data = game.play("combat end-turn", dice=[6])
    assert game.of("vex", "hp") == 0
    assert data["saves"][0]["ended"] is True


@pytest.mark.parametrize(("hp", "after"), [(4, 1), (-1, -4)])
def test_no_final_action_where_it_doesnt_bring_one_down(game: Game, hp: int, after: int) -> None:
    """STR-TAC-25: above it the damage just falls; who is down already has no action to take."""
    game.draw("Vp.g").begin("goblin")
    game.play("combat damage", who="vex", amount=10 - hp)
    give(game, "vex", "ongoing", value=3)
    turn_of(game, "vex", [3] if hp < 0 else [], ["ongoing"] if hp < 0 else [])
    assert game.of("vex", "hp") == after


def test_the_stunned_have_no_final_action(game: Game) -> None:
    """STR-TAC-25."""
    game.draw("Vp.g").begin("goblin").put("vex", hp=2)
    give(game, "vex", "ongoing", value=2)
    give(game, "vex", "stunned")
    turn_of(game, "vex", [1])
    assert game.of("vex", "hp") == -2, "2 for Ongoing, and 2 for the Comeback Roll's 1"


def test_ongoing_damage_of_two_sources(game: Game) -> None:
    """STR-TAC-25: each instance keeps its own end; the highest alone deals its damage."""
    game.draw("V..g", "...g").begin("goblin-1")
    give(game, "vex", "ongoing", by="goblin-1", ends="save", value=2)
    give(game, "vex", "ongoing", by="goblin-2", ends="turn-end", value=4)
    turn_of(game, "vex", [])
    assert game.of("vex", "hp") == 6, "4, not 6"
    assert [item["value"] for item in game.of("vex", "statuses")] == [2, 4]
    data = game.play("combat end-turn", dice=[3])
    assert [save["ended"] for save in data["saves"]] == [False]
    assert [item["value"] for item in game.of("vex", "statuses")] == [2]
    game.next_turn_of("vex")
    assert game.of("vex", "hp") == 4
    game.play("combat end-turn", dice=[4])
    assert game.statuses("vex") == ["bloodied"]


def test_the_highest_ongoing_damage_comes_alone(game: Game) -> None:
    """STR-TAC-25: one that ends of its own damage doesn't let the next in at the same start."""
    game.draw("V..g", "...g").begin("goblin-1")
    give(game, "vex", "ongoing", by="goblin-1", ends="save", value=2)
    give(game, "vex", "ongoing", by="goblin-2", ends="until", until="damaged", value=4)
    turn_of(game, "vex", [])
    assert (game.of("vex", "hp"), [item["value"] for item in game.of("vex", "statuses")]) == (6, [2])


def test_ongoing_damage_again_by_the_same(game: Game) -> None:
    """STR-TAC-25: of one giver and with one end only the higher is kept."""
    game.draw("V..g").begin("goblin")
    give(game, "vex", "ongoing", by="goblin", ends="save", value=2)
    with pytest.raises(Refused, match="already"):
        give(game, "vex", "ongoing", by="goblin", ends="save", value=1)
    give(game, "vex", "ongoing", by="goblin", ends="save", value=3)
    assert [item["value"] for item in game.of("vex", "statuses")] == [3]


def test_how_long_a_status_lasts_is_told(book: Book) -> None:
    """STR-TAC-25."""
    for ends, text in (
        ("save", "Vex is Dazed (save ends)."),
        ("turn-end", "Vex is Dazed until the end of Vex's next turn."),
        ("encounter", "Vex is Dazed (this fight)."),
        ("permanent", "Vex is Dazed."),
    ):
        with case(ends, text):
            game = Game(book).draw("V..g").begin("goblin")
            give(game, "vex", "dazed", ends=ends)
            assert game.texts() == [text]


def test_names_keep_their_letters(game: Game) -> None:
    """STR-TAC-25: a name begins a sentence as it is written."""
    game.draw("V..g").begin("goblin").put("goblin", name="von Reet")
    give(game, "vex", "dominated", by="goblin")
    turn_of(game, "vex", [])
    assert "von Reet decides what Vex does." in game.texts()


def test_each_instance_is_told(game: Game) -> None:
    """STR-TAC-25."""
    game.draw("V..g", "...g").begin("goblin-1")
    give(game, "vex", "ongoing", by="goblin-1", ends="save", value=2)
    give(game, "vex", "ongoing", by="goblin-2", ends="save", value=4)
    assert statuses_and_conditions_in_words(game.world, "vex") == [
        "Ongoing damage 2 by Goblin 1 (save ends)",
        "Ongoing damage 4 by Goblin 2 (save ends)",
    ]


def test_players_see_who_gave_them_a_status(game: Game) -> None:
    """STR-TAC-25: a combatant's by its name, else in the word that was given."""
    game.draw("V..g").begin("goblin")
    for giver in ("", "goblin", "the storm"):
        give(game, "vex", "marked", by=giver)
    shown = fight_part_of_own_sheet(game.world, "vex").statuses or ()
    assert [one.name for one in shown] == ["Marked", "Marked by Goblin", "Marked by the storm"]


# --- Frenzied and Panicked


def frenzy(game: Game, status: str, die: list[int], more: list[int] | None = None) -> dict[str, Any]:
    give(game, "vex", status, by="goblin")
    return turn_of(game, "vex", [*die, *(more or [])])


def test_a_one_is_domination_by_the_origin(book: Book) -> None:
    """STR-TAC-25: for this turn."""
    for status in ("frenzied", "panicked"):
        game = Game(book).draw("V....g").begin("goblin")
        assert frenzy(game, status, [1])["decided_by"] == "goblin"
        assert any(text.endswith(", Dominated.") for text in game.texts())
        game.play("combat end-turn")
        assert game.statuses("vex") == [status]


def test_a_frenzy_runs_at_its_origin(game: Game) -> None:
    """STR-TAC-25: a 2 is a run and a Melee Basic with Disadvantage, and the turn is over."""
    game.draw("V.....g").begin("goblin")
    frenzy(game, "frenzied", [2], [5, 4])
    assert (game.of("vex", "at"), game.of("goblin", "hp")) == ("F1", 1)
    for command, args in (
        ("attack", {"targets": ["goblin"], "dice": [5]}), ("move", {"to": "E1", "trade": True})
    ):  # fmt: skip
        with pytest.raises(Refused, match="used"):
            game.play(f"combat {command}", who="vex", **args)


def test_where_frenzies_and_panics_lead(book: Book) -> None:
    """STR-TAC-13, STR-TAC-25: a frenzy runs at its origin and strikes, with Disadvantage on a 2; on a 3 or 4
    it charges. A panic runs from it, on a 3 or 4 into cover, and shoots."""
    for status, die, rows, at, lost, reasons in (
        ("frenzied", 2, ("V.....g",), "F1", 3, ["Frenzied"]),
        ("frenzied", 2, ("V.........g",), "G1", 0, None),  # too far off it only runs
        ("frenzied", 2, ("V#g", ".#.", "..."), "C2", 3, ["Frenzied"]),  # the way that walking takes
        ("frenzied", 2, ("Vg.", "..."), "A1", 3, ["Frenzied"]),  # beside it, it need not run
        ("frenzied", 3, ("Vg...",), "A1", 3, []),  # a Melee Basic Attack
        ("frenzied", 4, ("Vg...",), "A1", 3, []),
        ("frenzied", 3, ("V.....g",), "F1", 3, []),
        ("frenzied", 4, ("V.....g",), "F1", 3, []),
        ("frenzied", 3, ("V..~...g",), "F1", 2, []),  # what can't charge runs and shoots
        ("panicked", 2, ("gV.....",), "G1", 0, None),  # 6 squares off, and range 5
        ("panicked", 2, ("gV..",), "D1", 2, ["Panicked"]),
        ("panicked", 2, ("g.V",), "C1", 2, ["Panicked"]),  # every way leads nearer
        ("panicked", 2, ("g.V", "..."), "C1", 2, ["Panicked"]),  # another square is as far off
        ("panicked", 2, ("..#..", ".g.#.", "##..V"), "E1", 0, None),  # as far off as others, further on foot
        ("panicked", 3, ("V....", "..#..", "...g."), "A1", 2, ["target in cover"]),
        ("panicked", 4, ("g.V...",), "F1", 2, ["Panicked"]),  # there is no cover
    ):
        with case(status, die, rows):
            game = Game(book).draw(*rows).begin("goblin").put("goblin", hp=20)
            if status == "panicked":
                game.afflict("goblin", "dazed")  # so that it doesn't strike at who flees
            dice = [] if reasons is None else [5, 5] if reasons else [5]
            frenzy(game, status, [die], dice)
            assert (game.of("vex", "at"), 20 - game.of("goblin", "hp")) == (at, lost)
            rolls = [fact.details["roll"] for fact in game.facts if fact.kind == "attacked"]
            found = [[words_of(source.reason) for source in roll.sources] for roll in rolls]
            assert found == ([] if reasons is None else [reasons])
            assert not [fact for fact in game.facts if fact.kind == "opportunity-taken"]


def test_a_frenzy_that_cant_move_stays(game: Game) -> None:
    """STR-TAC-25: Immobilized, it doesn't run."""
    game.draw("V.g.", "....").begin("goblin").afflict("vex", "immobilized")
    frenzy(game, "frenzied", [2])
    assert game.of("vex", "at") == "A1"


def test_what_high_panic_rolls_allow() -> None:
    """STR-TAC-25: the only attacks are Basic Attacks, a Charge's too; no improvised one, no power that is
    rolled; Role, Move and Free Actions as usual. It goes on in the next turn."""
    book = book_with(
        """
powers.kind-word = { action = "role", effect = [{ do = "note", text = "It helps.", to = "self" }] }
powers.jeer = { action = "role", range = 5, damage = 1 }
powers.dance = { effect = [{ do = "note", text = "Round and round.", to = "self" }] }
""",
        "vex",
    )
    for status, die in product(("frenzied", "panicked"), (5, 6)):
        game = Game(book).draw("V..p", "....", "g...").begin("goblin")
        frenzy(game, status, [die])
        for command, args in (
            ("use", {"targets": ["post"], "power": "jeer"}), ("use", {"targets": ["post"], "power": "sting"}),
            ("use", {"power": "dance"}), ("improvise", {"targets": ["post"], "what": ""}),
        ):  # fmt: skip
            with case(status, die, command, args), pytest.raises(Refused, match="Basic"):
                game.play(f"combat {command}", who="vex", **args)
        game.play("combat use", who="vex", targets=[], power="kind-word")
        game.play("combat charge", who="vex", target="post", dice=[5])
        game.move("vex", "A1")
        game.play("combat end-turn")
        assert game.statuses("vex") == [status]


def test_who_has_nobody_to_run_at_does_what_a_face_says_otherwise() -> None:
    """STR-TAC-25: so does who is struck down on the way; a step that came about has none in its place."""
    text = """
[statuses.giddy]
name = "Giddy"
reactions = [{ on = "turn-started", do = "roll", roll = "panic", faces = { 1-6 = [
  { do = "run-at", otherwise = [{ do = "apply", status = "dazed", duration = "save" }] },
  { do = "apply", status = "slowed", duration = "save" },
] } }]
"""
    for rows, after in (("V..",), ["dazed"]), (("V#g",), ["dazed"]), (("V..g",), ["slowed"]):
        game = Game(book_with(text)).draw(*rows).begin("vex")
        game.put("vex", statuses=[{"id": "giddy", "ends": "encounter"}])
        turn_of(game, "vex", [3])
        assert game.statuses("vex")[1:] == after


def test_what_a_face_says_is_done_one_after_the_other() -> None:
    """STR-TAC-25: statuses among the rest; what is only statuses leaves the turn."""
    text = """
[statuses.giddy]
name = "Giddy"
reactions = [{ on = "turn-started", do = "roll", roll = "panic", faces = { 1-3 = [
  { do = "apply", status = "slowed", duration = "save" },
  { do = "apply", status = "dazed", duration = "save" },
  { do = "melee" }, { do = "apply", status = "guarded", duration = "save" },
], 4-6 = [{ do = "apply", status = "slowed", duration = "save" }] } }]
"""
    book = book_with(text)
    for die, more, after in ((3, [5], ["slowed", "dazed", "guarded"]), (4, [], ["slowed"])):
        game = Game(book).draw("Vp.").begin("vex")
        game.put("vex", statuses=[{"id": "giddy", "ends": "encounter"}])
        turn_of(game, "vex", [die, *more])
        assert game.statuses("vex")[1:] == after
        assert game.of("post", "hp") == 99 - 3 * len(more)
        spent = {"attack": 1, "move": 1, "role": 1} if more else {}
        assert {key: game.get(f"fight.turn.{key}") for key in spent} == spent
        assert Fight(game.world).actions_taken() == sum(spent.values())


def test_a_panic_prefers_cover_that_it_can_shoot_from(game: Game) -> None:
    """STR-TAC-25: the nearest square from which it sees whom it shoots at, though it stands out of sight; who
    is in such cover stays."""
    game.draw("........", "..#...V.", "g.#.....", "........").begin("goblin").put("goblin", hp=20)
    assert not Fight(game.world).has_line_of_sight("goblin", "vex")
    frenzy(game, "panicked", [3], [5, 5])
    assert game.of("vex", "at") == "F3"
    turn_of(game, "vex", [3, 5, 5])
    assert (game.of("vex", "at"), game.of("goblin", "hp")) == ("F3", 16)


def test_without_a_giver_the_origin_dominates(game: Game) -> None:
    """STR-TAC-25: the origin is the nearest enemy then, and Dominated is by the origin."""
    game.draw("V.g....x.", ".........").begin("goblin")
    give(game, "vex", "frenzied", by="")
    assert turn_of(game, "vex", [1])["decided_by"] == "goblin"


def test_panic_rolls_and_what_weighs_on_them(game: Game) -> None:
    """STR-TAC-20, STR-TAC-25: Harried has Disadvantage; who can't act doesn't roll."""
    game.draw("V....g").begin("goblin")
    give(game, "vex", "harried")
    frenzy(game, "frenzied", [6, 1])
    assert "dominated" in game.statuses("vex")
    give(game, "vex", "stunned")
    game.next_turn_of("vex")


# --- durations by facts, stacking, depth


def test_until_a_fact(book: Book) -> None:
    """STR-TAC-25: durations by facts."""
    for until, command, args in (
        ("damaged", "damage", {"amount": 1}), ("moved", "move", {"to": "A2"})
    ):  # fmt: skip
        with case(until):
            game = Game(book).draw("Vp.g", "....").begin("vex")
            game.afflict("vex", "guarded", ends="until", until=until)
            game.play(f"combat {command}", who="vex", **args)
            assert "guarded" not in game.statuses("vex")


def test_until_attacked(game: Game) -> None:
    """STR-TAC-25."""
    game.draw("Vg").begin("goblin").afflict("vex", "guarded", ends="until", until="attacked")
    assert game.attack("goblin", "vex", dice=[4])["die"] == 3, "this attack still meets it"
    assert game.statuses("vex") == []


@pytest.mark.parametrize(("to", "target", "giver"), [("self", "post", "odo"), ("other", "vex", "post")])
def test_who_gives_what_a_reaction_applies(to: str, target: str, giver: str) -> None:
    """STR-TAC-25: to its holder, whoever gave the status that reacts; to the other, its holder. A duration by
    turns is that of who gets it; without one a save ends it."""
    text = """
[statuses.tar]
name = "Tar"
reactions = [{{ on = "hit", do = "apply", to = "{to}", status = "core:slowed"{lasts} }}]
"""
    for lasts, expected in (
        (', duration = "turn-start"', {"ends": "turn-start", "of": target}),
        ("", {"ends": "save"}),
    ):
        game = Game(book_with(text.format(to=to, lasts=lasts))).draw("Vp.O").begin("vex")
        game.put("post", statuses=[{"id": "tar", "ends": "encounter", "by": "odo"}])
        game.attack("vex", "post", dice=[4])
        (slowed,) = (item for item in game.of(target, "statuses") if item["id"] == "core:slowed")
        assert slowed == {"id": "core:slowed", "by": giver, **expected}


def test_what_waits_for_a_turn_that_never_comes_ends(book: Book) -> None:
    """STR-TAC-25: by turns of somebody who is Taken Out."""
    for lasts, ends in (
        ({"ends": "turn-start", "of": "goblin"}, True), ({"ends": "turn-end", "of": "goblin"}, True),
        ({"ends": "turn-start", "of": "vex"}, False), ({"ends": "encounter"}, False),
    ):  # fmt: skip
        with case(lasts):
            game = Game(book).draw("V.g").begin("vex")
            game.put("vex", statuses=[{"id": "core:slowed", "by": "goblin", **lasts}])
            game.play("combat damage", who="goblin", amount=99)
            assert (game.statuses("vex") == []) is ends


# --- the owner's order


def test_a_reaction_to_being_attacked(game: Game) -> None:
    """STR-TAC-25: hit or missed, once for each roll; the other is who attacked."""
    book = book_with(
        """
[statuses.spines]
name = "Spines"
harmful = false
reactions = [{ on = "attacked", do = "damage", to = "other", amount = 1 }]
"""
    )
    game = Game(book).draw("Vp").begin("vex").put("post", statuses=[{"id": "spines", "ends": "encounter"}])
    game.attack("vex", "post", dice=[5])
    assert game.of("vex", "hp") == 9
    game.next_turn_of("vex")
    game.attack("vex", "post", dice=[2])
    assert game.of("vex", "hp") == 8
    game.play("combat damage", who="post", amount=3)
    assert game.of("vex", "hp") == 8, "no attack, no spines"


def test_miss_tokens_set_off_nothing_of_a_hit() -> None:
    """STR-TAC-10: what a hit triggers for its maker doesn't come of a miss that tokens turned; the target
    is hit all the same."""
    book = book_with(
        """
statuses.joy = { harmful = false, reactions = [{ on = "hits", do = "heal", amount = 1 }] }
statuses.grief = { reactions = [{ on = "hit", do = "damage", to = "other", amount = 2 }] }
"""
    )
    game = Game(book).draw("Vp").begin("vex").put("vex", hp=8, miss_tokens=1)
    game.put("vex", statuses=[{"id": "joy", "ends": "encounter"}])
    game.put("post", statuses=[{"id": "grief", "ends": "encounter"}])
    game.attack("vex", "post", dice=[2], choose=["1"])
    assert game.of("vex", "hp") == 6
    game.next_turn_of("vex")
    game.attack("vex", "post", dice=[4])
    assert game.of("vex", "hp") == 5, "one for joy, two for grief"


def test_the_owner_orders_start_effects_where_it_matters(game: Game) -> None:
    """STR-TAC-03: healing and damage; a creature has no choice to make."""
    game.draw("V.g").begin("goblin").put("vex", hp=2).afflict("vex", "moss")
    give(game, "vex", "ongoing", value=2)
    game.play("combat end-turn")
    question = game.asked("combat turn")
    assert (question.who, question.options) == ("vex", ("moss", "ongoing"))
    assert question.labels == ("1 HP from Moss", "2 damage from Ongoing damage")
    game.play("combat turn", choose=["moss"])
    assert game.of("vex", "hp") == 1, "first healed, then hurt: no need of a final action"


@pytest.mark.parametrize(("hp", "asked"), [(10, True), (9, False), (3, False), (2, True)])
def test_whoever_heals_and_is_hurt_is_asked_only_where_it_matters(game: Game, hp: int, asked: bool) -> None:
    """STR-TAC-03: where healing first would be lost, or damage first would bring them down."""
    game.draw("V.g").begin("goblin").put("vex", hp=hp).afflict("vex", "moss")
    give(game, "vex", "ongoing", value=2)
    game.play("combat end-turn")
    assert (game.drive("combat turn", {}).pending is not None) is asked
    if asked:
        give(game, "vex", "panicked", by="goblin")
        assert len(game.asked("combat turn").options) == 3, "with a die that comes besides"


def test_the_owner_orders_saves_where_it_matters(game: Game) -> None:
    """STR-TAC-03: Harried first means that the other save may be free of it."""
    game.draw("V.g").begin("vex").afflict("vex", "dazed", "harried", ends="save")
    asked = game.asked("combat end-turn")
    assert asked.text == "Which save does Vex make first?"
    assert dict(zip(asked.options, asked.labels, strict=True)) == {
        "dazed": "Dazed (save ends)", "harried": "Harried (save ends)"
    }  # fmt: skip
    data = game.play("combat end-turn", dice=[4, 4, 4], choose=["harried"])
    assert [save["ended"] for save in data["saves"]] == [True, True]


def test_what_a_status_brings_along_may_weigh_on_a_save() -> None:
    """STR-TAC-03: so that the order of the saves matters."""
    game = Game(book_with('[statuses.rattled]\nname = "Rattled"\nimplies = ["core:harried"]\n'))
    game.draw("V.g").begin("vex").afflict("vex", "dazed", ends="save").afflict("vex", "rattled", ends="save")
    assert game.asked("combat end-turn").options == ("dazed", "rattled")


def test_creatures_are_rid_of_burdens_first(game: Game) -> None:
    """STR-TAC-03."""
    game.draw("V.g").begin("goblin").afflict("goblin", "dazed", "harried", ends="save")
    data = game.play("combat end-turn", dice=[4, 4, 4])
    assert [save["status"] for save in data["saves"]] == ["core:harried", "core:dazed"]


def test_which_save_is_which() -> None:
    """STR-TAC-03: of several of a kind each has its number; whatever weighs on any roll weighs on saves, too,
    and creatures are rid of burdens in the order in which they have them."""
    text = (
        '[statuses.cursed]\nname = "Cursed"\nstacks = "by-source"\nsources = [{ on = "any", gives = -1 }]\n'
    )
    book = book_with(text)
    held = [{"id": "core:dazed"}, {"id": "core:ongoing", "value": 2}, {"id": "cursed"},
            {"id": "core:ongoing", "value": 5}, {"id": "core:harried"}]  # fmt: skip
    for who in ("vex", "goblin"):
        game = Game(book).draw("V.g").begin(who)
        game.put(who, statuses=[{**status, "ends": "save"} for status in held])
        if who == "vex":
            names = ("dazed", "ongoing-2", "cursed", "ongoing-4", "harried")
            assert game.asked("combat end-turn").options == names
            continue
        game.play("combat end-turn", dice=[6] * 7)
        saved = [text.partition(":")[0] for text in game.texts() if "saves against" in text]
        assert [text.removeprefix("Goblin saves against ") for text in saved] == [
            "Cursed", "Harried", "Dazed", "Ongoing damage 2", "Ongoing damage"
        ]  # fmt: skip


def test_a_status_may_answer_ones_own_miss() -> None:
    """STR-TAC-25: and not one's own hit. It is a miss effect: the Dazed and the Prone have none."""
    book = book_with('statuses.clumsy = { reactions = [{ on = "misses", do = "damage", amount = 1 }] }')
    for statuses, die, hp in (([], 2, 9), ([], 5, 10), (["dazed"], 1, 10), (["prone"], 1, 10)):
        with case(statuses, die):
            game = Game(book).draw("V.p").begin("vex").afflict("vex", "clumsy", *statuses)
            game.attack("vex", "post", power="sting", dice=[die])
            assert game.of("vex", "hp") == hp


def test_once_a_turn_a_round_or_a_fight(game: Game) -> None:
    """STR-TAC-25: how often a status does something."""
    for once, healed in (("turn", [1, 1, 1]), ("round", [1, 0, 1]), ("scene", [1, 0, 0])):
        text = f"""
[statuses.spry]
name = "Spry"
harmful = false
reactions = [{{ on = "damaged", do = "heal", amount = 1, once = "{once}" }}]
"""
        game = Game(book_with(text)).draw("V.g").begin("vex").afflict("goblin", "spry")
        game.put("goblin", hp=40, max_hp=40)
        found = []
        for _ in range(3):
            before = game.of("goblin", "hp")
            for _ in range(2):
                game.play("combat damage", who="goblin", amount=2)
            found.append(game.of("goblin", "hp") - before + 4)
            game.next_turn()
        assert found == healed, once


def test_what_a_reaction_as_it_was_written_up_to_0_2_means() -> None:
    """Whom it is for, who does it, and what it ends; campaigns written then are read."""
    dazed = {"do": "apply", "status": "dazed"}
    gives = {**dazed, "by": "giver", "whose": "target"}
    run = {"do": "run-at"}
    lost = {"do": "lose-control", "to": "self"}
    for written, meant in (
        ({"do": "damage", "amount": "value"},
         {"do": "damage", "amount": {"of": "value"}, "to": "self", "by": "giver"}),
        ({"do": "damage", "amount": 2, "to": "other"},
         {"do": "damage", "amount": 2, "to": "other", "by": "giver"}),
        ({"do": "heal", "amount": 2, "on": "hit", "when": "unhurt", "once": "turn", "echoes": False},
         {"do": "heal", "amount": 2, "to": "self"}),
        (dazed, {**gives, "to": "self"}),
        ({**dazed, "to": "other"}, {**dazed, "to": "other", "whose": "target"}),
        ({"do": "end"}, {"do": "end", "to": "self", "this": True}),
        ({"do": "end", "status": "dazed"}, {"do": "end", "status": "dazed", "to": "self"}),
        ({"do": "opportunity", "to": "giver"}, {"do": "opportunity", "to": "giver"}),
        ({"do": "opportunity"}, {"do": "opportunity", "to": "enemies", "within": 1}),
        ({"do": "roll", "roll": "panic"}, {**lost, "roll": "panic"}),
        ({"do": "roll", "faces": {"1-3": [dazed, run], "4-6": [{**run, "otherwise": [dazed, run]}]}},
         {**lost, "faces": {"1-3": [gives, run], "4-6": [{**run, "otherwise": [gives, run]}]}}),
        ({"do": "roll", "faces": {"1-6": ["?", {**run, "otherwise": "?"}]}},
         {**lost, "faces": {"1-6": ["?", {**run, "otherwise": "?"}]}}),
    ):  # fmt: skip
        with case(written):
            assert step_from_older_reaction(written) == meant


def test_a_status_is_the_same_whatever_its_number_becomes(game: Game) -> None:
    """STR-TAC-25: and another where it is of another kind or giver, or ends otherwise."""
    game.draw("V.g").begin("vex")
    one = {"id": "core:ongoing", "ends": "turn-end", "by": "goblin", "of": "vex", "until": "moved"}
    for other in (
        {"id": "core:slowed"},
        {"ends": "turn-start"},
        {"by": "vex"},
        {"of": "goblin"},
        {"until": "hit"},
    ):
        with case(other):
            first, second = {**one, **other, "value": 1}, {**one, "value": 2, "later": True}
            game.put("vex", statuses=[first, second])
            assert find_status_instance_of_any_number(game.world, "vex", {**one, "value": 3}) == second
            assert find_status_instance_of_any_number(game.world, "vex", {**one, "by": "brann"}) is None


def test_damage_of_two_statuses_waits_for_one_final_action() -> None:
    """STR-TAC-25: what would bring somebody down at the start of a turn comes together after that action."""
    text = """
statuses.burning = { reactions = [{ on = "turn-started", do = "damage", amount = 3, final = true }] }
"""
    game = Game(book_with(text)).draw("V..g").begin("goblin").put("vex", hp=2)
    give(game, "vex", "ongoing", value=4)
    game.afflict("vex", "burning")
    game.next_turn()
    due = game.get("fight.due")
    assert (due["who"], due["amount"]) == ("vex", 7)
    assert sorted(why["status"] for why in due["why"]) == ["burning", "core:ongoing"]
    game.move("vex", "B1")
    assert game.of("vex", "hp") == -5


def test_who_falls_while_gaining_a_status_does_not_gain_it(game: Game) -> None:
    """STR-TAC-08, STR-TAC-25: a creature that takes off beside an enemy and is struck down."""
    game.draw("V.g").begin("vex").put("goblin", at="B1", hp=1)
    with pytest.raises(Refused):
        game.afflict("goblin", "flying", choose=["take"])
    game.put("goblin", hp=4).afflict("goblin", "flying", choose=["take"])
    assert (game.statuses("goblin")[-1], game.of("goblin", "hp")) == ("flying", 2)


def test_how_long_something_lasts_by_a_word(game: Game) -> None:
    """STR-TAC-25: a fact may stand in the place of a duration."""
    assert duration_and_until_keys_of_step(game.book, "damaged") == {"duration": "until", "until": "damaged"}
    assert duration_and_until_keys_of_step(game.book, "until", "moved") == {
        "duration": "until",
        "until": "moved",
    }
    assert duration_and_until_keys_of_step(game.book, "save") == {"duration": "save", "until": ""}


def test_who_begins_to_hide_is_told_so(game: Game) -> None:
    """STR-TAC-23: hiding first, and Hidden once it is done."""
    game.draw("V.#...", "..#..g", "..#...").begin("vex")
    game.play("combat hide", who="vex", now=False)
    assert statuses_and_conditions_in_words(game.world, "vex") == ["hiding"]
    game.play("combat hide", who="vex", now=True)
    assert statuses_and_conditions_in_words(game.world, "vex") == ["Hidden"]


def test_a_condition_says_on_which_rolls_of_a_fight_it_bears(game: Game) -> None:
    """STR-CORE-12, STR-TAC-20: Winded on attacks in the first round; others without such a word."""
    game.draw("V.g").begin("vex").set("characters.vex.conditions", ["core:winded", "core:injured"])
    assert statuses_and_conditions_in_words(game.world, "vex") == ["Winded (attacks in round 1)", "Injured"]


def test_an_ending_that_weighs_on_a_roll_is_ordered() -> None:
    """STR-TAC-03: who is Harried until their turn starts may roll in panic before or after; what only stands
    there is no matter of order."""
    book = book_with('[statuses.inked]\nname = "Inked"\n')
    for status, asked in (("core:harried", True), ("core:guarded", True), ("inked", False)):
        game = Game(book).draw("V....g", "......").begin("goblin").afflict("vex", status, ends="turn-start")
        give(game, "vex", "frenzied", by="goblin")
        game.play("combat end-turn")
        played = game.drive("combat turn", {}, [] if asked else [5])
        assert (played.pending is not None) is asked, status


def test_who_lies_by_something_else_gets_up_when_that_is_over() -> None:
    """STR-TAC-07: a status that brings Prone along; who doesn't lie doesn't stand up."""
    game = Game(book_with('[statuses.netted]\nname = "Netted"\nimplies = ["core:prone"]\n'))
    game.draw("V.g").begin("vex")
    with pytest.raises(Refused, match="Prone"):
        game.play("combat stand", who="vex")
    game.afflict("vex", "netted", ends="save")
    with pytest.raises(Refused, match="Vex can't stand up: Netted"):
        game.play("combat stand", who="vex")
    game.afflict("vex", "prone")
    game.play("combat stand", who="vex")
    assert (game.statuses("vex"), game.get("fight.turn.move")) == (["netted"], 1)


def stumble(world: World, use: PowerUse, holder: str) -> Procedure[None]:
    """What a plugin's handler may be: told which status it plays for, and whom it is about."""
    at = combatant_path(holder, "at")
    yield world.happen("moved", holder, f"{use.power['name']}: off they go.", {at: "E1"})


def test_a_status_may_do_what_a_plugin_says(game: Game) -> None:
    """STR-TAC-25: with all that its facts set off; Refused where no plugin brings it any more."""
    text = 'statuses.odd = { reactions = [{ on = "damaged", do = "damage", amount = 1 }] }'
    game = Game(book_with(text)).draw("V...").begin("vex")
    (reaction,) = game.book.statuses["odd"]["reactions"]
    reaction["steps"] = [{"do": "handler", "to": "self", "handler": "homebrew:odd"}]
    game.afflict("vex", "odd")
    with pytest.raises(PluginProblem, match="No installed plugin defines 'homebrew:odd'"):
        game.play("combat damage", who="vex", amount=1)
    game.book.handlers["homebrew:odd"] = {"calls": "rules.test_combat_statuses:stumble"}
    game.play("combat damage", who="vex", amount=1)
    assert (game.of("vex", "at"), game.of("vex", "hp")) == ("E1", 9)
    assert "Odd: off they go." in game.texts()


def test_the_giver_may_strike_at_who_gains_a_status() -> None:
    """STR-TAC-25: the giver alone, before it takes hold."""
    text = 'statuses.tagged = { reactions = [{ on = "gaining", do = "opportunity", to = "giver" }] }'
    game = Game(book_with(text)).draw("gVg").begin("vex").afflict("vex", "tagged", by="goblin-2")
    assert game.of("vex", "hp") == 8
    assert game.get("fight.turn.opportunities") == ["goblin-2>vex"]
    assert "Vex gives Goblin 2 an Opportunity by becoming Tagged." in game.texts()


def test_a_status_may_say_something() -> None:
    """STR-TAC-25: words for the table, when its moment comes."""
    text = 'statuses.cursed = { reactions = [{ on = "damaged", do = "note", text = "Crows gather." }] }'
    game = Game(book_with(text)).draw("V.g").begin("vex").afflict("vex", "cursed")
    game.play("combat damage", who="vex", amount=1)
    assert "Cursed: Crows gather." in game.texts()


def test_whoever_did_it_is_the_other_side_of_damage() -> None:
    """STR-TAC-25: what a reaction to damage does to the other one befalls who dealt it; nobody, where it has
    no doer."""
    text = """
[statuses.barbed]
name = "Barbed"
reactions = [{ on = "damaged", do = "apply", to = "other", status = "slowed", duration = "save" }]
"""
    game = Game(book_with(text)).draw("Vg", "B.").begin("vex").put("goblin", hp=20)
    game.put("goblin", statuses=[{"id": "barbed", "ends": "encounter"}])
    game.play("combat damage", who="goblin", amount=1)
    assert game.statuses("vex") == game.statuses("brann") == []
    game.attack("vex", "goblin", dice=[4])
    assert (game.statuses("vex"), game.statuses("brann")) == (["slowed"], [])


def test_what_lasts_until_an_attack_ends_when_it_is_over(game: Game) -> None:
    """STR-TAC-25: one's own; not a move, nor being attacked."""
    game.draw("V.g", "...").begin("goblin").afflict("vex", "guarded", ends="until", until="attacks", by="")
    game.attack("goblin", "vex", power="core:ranged-basic", dice=[4])
    game.next_turn_of("vex")
    game.move("vex", "A2")
    assert "guarded" in game.statuses("vex")
    game.attack("vex", "goblin", power="core:ranged-basic", dice=[4])
    assert "guarded" not in game.statuses("vex")


@pytest.mark.parametrize(
    ("step", "choose", "left"),
    [('status = "slowed", ', (), ["dazed"]), ("", ("dazed",), ["slowed"]), ('status = "prone", ', (), None)],
)
def test_a_saving_throw_against_one(step: str, choose: tuple[str, ...], left: list[str] | None) -> None:
    """STR-TAC-03: that which the power names, or which the one who has it chooses."""
    text = f"""
[powers.shake]
name = "Shake"
action = "role"
who = "self"
effect = [{{ do = "save", {step}to = "self" }}]
"""
    game = Game(book_with(text, "vex")).draw("V..g").begin("vex")
    game.afflict("vex", "slowed", "dazed", ends="save")
    if left is None:
        with pytest.raises(WouldDoNothing):
            game.play("combat use", who="vex", power="shake")
    else:
        game.play("combat use", who="vex", power="shake", dice=[4], choose=choose)
        assert game.statuses("vex") == left
