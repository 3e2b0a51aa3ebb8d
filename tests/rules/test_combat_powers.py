"""Powers of every kind: health aimed, what they take, what their steps do (STR-TAC-03, 04, 12, 20)."""

from __future__ import annotations

import tomllib
from contextlib import suppress
from copy import deepcopy
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from support.cases import case
from support.game import Game, book_with, with_house

from strike_cli.content.merged_content import Book, open_book
from strike_cli.problems import Refused
from strike_cli.refusals import CantStandUp, TargetHidden
from strike_cli.systems.combat.board.areas import may_aim_area_at
from strike_cli.systems.combat.bots.legal_options import count_unlisted_aims, legal_actions_worth_listing
from strike_cli.systems.combat.fight_state import Fight
from strike_cli.systems.combat.powers.powers_and_targets import (
    aim_power,
    aim_power_with_reach_of_first_steps,
    basic_attack_reaching_targets,
    grants_another_attack,
    require_power_as_user_has_it,
)
from strike_cli.systems.combat.powers.step_play_and_summaries import WouldDoNothing
from strike_cli.systems.combat.steps.step import step_class_of
from strike_cli.tabletop.characters_and_names import TooFewPoints

DATA = Path(__file__).parent.parent / "data"
ARMS = tomllib.loads((DATA / "arms.toml").read_text())


@pytest.fixture(scope="module")
def armory(tmp_path_factory: pytest.TempPathFactory, _environment: None) -> Book:
    """The small campaign with those powers in it; Vex, Brann and Odo have them all."""
    folder = tmp_path_factory.mktemp("armory")
    text = (DATA / "campaign.toml").read_text() + (DATA / "arms.toml").read_text()
    (folder / "campaign.toml").write_text(text)
    book = open_book(folder)
    for who in ("vex", "brann", "odo"):
        book.characters[who] = {
            **deepcopy(book.characters[who]),
            "powers": [*ARMS["powers"], "last-word", "trip"],
        }
    return book


@pytest.fixture
def arms(armory: Book, monkeypatch: pytest.MonkeyPatch) -> Game:
    """A game with that book; an `i` on the map is an imp, an `h` a hag."""
    from support import game

    monkeypatch.setattr(game, "CREATURES", {**game.CREATURES, "i": "imp", "h": "hag"})
    return Game(armory)


def use(game: Game, who: str, power: str, *targets: str, **more: Any) -> dict[str, Any]:
    return game.play("combat use", who=who, power=power, targets=list(targets), **more)


def hp(game: Game, *people: str) -> list[int]:
    return [game.of(who, "hp") for who in people]


def test_every_step_of_the_form_is_played() -> None:
    """STR-TAC-12: what may be written is what is done."""
    from strike_cli.systems.combat.steps.step import STEPS, EffectStep

    for do in STEPS:
        kind = step_class_of(None, {"do": do})
        assert kind.play is not EffectStep.play
        assert kind.summarize is not EffectStep.summarize


# --- what is not rolled


def test_a_role_power_just_happens(arms: Game) -> None:
    """STR-TAC-03, 09: no damage icon, no roll; a Role Action, and the end of a status they choose."""
    arms.draw("V.B", "..g").begin("vex").put("brann", hp=5)
    arms.afflict("brann", "slowed", "dazed", ends="save")
    data = use(arms, "vex", "mend", "brann", choose=["dazed"])
    assert (data["targets"], data["attacks"], hp(arms, "brann")) == (["brann"], [], [8])
    assert arms.statuses("brann") == ["slowed"]
    with pytest.raises(Refused, match="Role Action"):
        use(arms, "vex", "mend", "brann")


def test_whom_a_power_is_for_and_how_far(arms: Game) -> None:
    """STR-TAC-12: allies in range and in sight."""
    arms.draw("V.g.O", "##...", "S....").begin("vex")
    before = arms.state
    for target, why in (
        ("goblin", "is for allies"), ("vex", "is for allies"), ("odo", "4 squares away"), ("vesna", "wall")
    ):  # fmt: skip
        with case(target), pytest.raises(Refused, match=why):
            use(arms, "vex", "mend", target)
    assert arms.state == before


def test_who_needs_no_target_needs_none_named(arms: Game) -> None:
    """STR-TAC-03, 12: a Free Action for oneself: a save at once, and a Miss Token; once a fight."""
    arms.draw("Vg").begin("vex").afflict("vex", "slowed", ends="save")
    use(arms, "vex", "breather", dice=[4])
    assert (arms.statuses("vex"), arms.of("vex", "miss_tokens")) == ([], 1)
    assert arms.get("fight.turn") is None, "a Free Action takes none of the three"
    with pytest.raises(Refused, match="has used Breather"):
        use(arms, "vex", "breather")
    with pytest.raises(Refused, match="needs a target"):
        use(arms, "vex", "mend")


def test_a_free_action_is_for_ones_own_turn(arms: Game) -> None:
    """STR-TAC-03: and not for who is Stunned."""
    arms.draw("VgB").begin("vex")
    with pytest.raises(Refused, match="turn"):
        use(arms, "brann", "stance")
    arms.afflict("vex", "stunned")
    with pytest.raises(Refused, match="Stunned"):
        use(arms, "vex", "stance")


def test_an_interrupt_comes_in_anybodys_turn_and_costs_what_it_says(arms: Game) -> None:
    """STR-TAC-12, STR-CORE-22: an Action Trigger takes an Action Point; who has none is refused."""
    arms.draw("VgB").begin("goblin").put("vex", hp=5)
    use(arms, "vex", "second-wind")
    assert (hp(arms, "vex"), arms.get("characters.vex.ap")) == ([7], 0)
    for who in ("vex", "brann"):
        before = arms.state
        with pytest.raises(TooFewPoints):
            use(arms, who, "second-wind")
        assert arms.state == before
    arms.afflict("vex", "stunned")
    with pytest.raises(Refused):
        use(arms, "vex", "second-wind")


def test_all_in_range(arms: Game) -> None:
    """STR-TAC-12: everybody whom it is for and reaches, unless some are named."""
    arms.draw("VB.O", "..S.", "g...").begin("vex")
    for who in ("vex", "brann", "odo", "vesna"):
        arms.put(who, hp=5)
    assert use(arms, "vex", "chorus")["targets"] == ["brann", "vesna", "vex"]
    assert hp(arms, "vex", "brann", "odo", "vesna") == [6, 6, 5, 6]


FOR = """
[powers.word]
name = "Word"
action = "role"
kind = "role"
who = "{who}"
range = 5
effect = [{{ do = "damage", amount = 1 }}]
"""


def test_whom_who_means() -> None:
    """STR-TAC-12: a power's `who`, seen from who uses it."""
    for who, may in (
        ("enemies", {"goblin"}),
        ("allies", {"brann"}),
        ("friends", {"vex", "brann"}),
        ("others", {"brann", "goblin"}),
        ("any", {"vex", "brann", "goblin"}),
        ("self", {"vex"}),
    ):
        with case(who, may):
            game = Game(book_with(FOR.format(who=who), "vex")).draw("VBg").begin("vex")
            fight = Fight(game.world)
            power = require_power_as_user_has_it(fight, "vex", "word")
            found = set()
            for target in ("vex", "brann", "goblin"):
                with suppress(Refused):
                    found |= set(aim_power(fight, "vex", power, [target]).targets)
            assert found == may


def test_whom_a_step_is_for() -> None:
    """STR-TAC-12: allies and enemies of who uses the power, as near as is said and no further."""
    for to, hurt in (
        ('to = "allies"', {"brann", "odo"}),
        ('to = "allies", within = 2', {"brann"}),
        ('to = "allies", within = 1', set()),
        ('to = "enemies"', {"goblin", "post"}),
        ('to = "enemies", within = 3', {"goblin"}),
        ('to = "enemies", within = 2', set()),
        ('to = "self"', {"vex"}),
    ):
        with case(to, hurt):
            text = FOR.format(who="self").replace("do =", f"{to}, do =")
            text = text.replace("}]", '}, { do = "token", to = "self" }]')
            game = Game(book_with(text, "vex")).draw("V.Bg.O.p").begin("vex")
            everybody = ("vex", "brann", "odo", "goblin", "post")
            before = {who: game.of(who, "hp") for who in everybody}
            use(game, "vex", "word")
            assert {who for who in everybody if game.of(who, "hp") < before[who]} == hurt


def test_a_basic_attack_is_in_melee_as_far_as_one_reaches(book: Book) -> None:
    """STR-TAC-13: in melee where it can be, else ranged."""
    for reach, gap, power in ((1, 1, "melee"), (1, 2, "ranged"), (2, 2, "melee"), (2, 3, "ranged")):
        with case(reach, gap, power):
            game = Game(book).draw(f"V{'.' * (gap - 1)}g").begin("vex")
            game.book = deepcopy(game.book)
            game.book.characters["vex"].setdefault("melee", {})["reach"] = reach
            assert (
                basic_attack_reaching_targets(Fight(game.world), "vex", ["goblin"]) == f"core:{power}-basic"
            )


# --- areas


def test_who_is_in_an_area(arms: Game) -> None:
    """STR-TAC-12: bursts around oneself and around a square, lines, and cones of a quarter turn."""
    arms.draw("V.g.B.", "....g.", ".g....", "......").begin("vex")
    arms.put("goblin-2", at="F2")
    fight = Fight(arms.world)
    for power, at, inside in (
        ("war-cry", "", ["goblin-1", "goblin-3"]),
        ("fireball", "E1", ["goblin-2", "brann"]),
        ("fireball", "C4", ["goblin-3"]),
        ("ray", "C1", ["goblin-1", "brann"]),
        ("ray", "F1", ["goblin-1", "brann"]),
        ("ray", "B3", ["goblin-3"]),
        ("ray", "A4", []),
        ("breath", "C1", ["goblin-1"]),
        ("breath", "A3", ["goblin-3"]),
        ("breath", "C3", ["goblin-1", "goblin-3"]),
    ):
        chosen = {"id": power, **arms.book.powers[power]}
        with case(power, at):
            if inside:
                assert sorted(aim_power(fight, "vex", chosen, [], at).targets) == sorted(inside)
            else:
                with pytest.raises(Refused, match="would hit nobody"):
                    aim_power(fight, "vex", chosen, [], at)


def test_the_unseen_are_in_an_area_too(arms: Game) -> None:
    """STR-TAC-22: a burst needs no eyes; walls keep out."""
    arms.draw("V#g", "l##", "...").begin("vex").afflict("goblin", "invisible")
    arms.put("goblin", at="A3")
    assert sorted(use(arms, "vex", "war-cry")["targets"]) == ["goblin", "lurker"]
    arms.next_turn_of("vex")
    arms.put("goblin", at="C1")
    assert use(arms, "vex", "war-cry")["targets"] == ["lurker"]


def test_an_area_is_aimed_at_those_named_sparing_friends(arms: Game) -> None:
    """STR-TAC-12: of all squares that take in those named, one with no friend in it."""
    arms.draw("V..B.gg", ".......").begin("vex")
    data = arms.attack("vex", "goblin-1", power="fireball", dice=[2])
    assert data["targets"] == ["goblin-1"]
    assert data["at"] == "F1"
    assert arms.get("fight.zones.embers.squares")


def test_aims_that_are_refused(arms: Game) -> None:
    """STR-TAC-12: out of range, not inside, not for them; nothing happens."""
    arms.draw("VBg....", ".......", ".......", ".......", ".......", ".......", "g......").begin("vex")
    before = arms.state
    for power, targets, at, why in (
        ("fireball", [], "G7", "can't be aimed"),
        ("fireball", ["goblin-2"], "C1", "not in the area"),
        ("fireball", ["goblin-1", "goblin-2"], "", "No area"),
        ("breath", ["brann"], "B1", "is for enemies"),
        ("war-cry", [], "B1", "isn't aimed at a square"),
        ("ray", [], "A1", "can't be aimed"),
    ):
        with case(power, targets, at), pytest.raises(Refused, match=why):
            use(arms, "vex", power, *targets, at=at)
    assert arms.state == before


def test_an_area_is_aimed_as_far_as_its_range(arms: Game) -> None:
    """STR-TAC-12: in every direction alike."""
    arms.draw(*["." * 13] * 6, "......V......", *["." * 13] * 5, "g............").begin("vex")
    fight, power = Fight(arms.world), {"range": 5, "area": 1}
    for right, down in product((-1, 0, 1), repeat=2):
        if right or down:
            assert may_aim_area_at(fight, "vex", power, (6 + 5 * right, 6 + 5 * down))
            assert not may_aim_area_at(fight, "vex", power, (6 + 6 * right, 6 + 6 * down))


def test_areas_are_offered_once_for_each_group_in_them(arms: Game) -> None:
    """STR-TAC-12: squares that take in the same people are one and the same choice."""
    arms.draw("V...", "....", "...g", "..g.").begin("vex")
    arms.put("vex", statuses=None)
    offered = [
        option.args.targets for option in legal_actions_worth_listing(arms.world, "vex", ("power",))
        if getattr(option.args, "power", "") == "fireball"
    ]  # fmt: skip
    assert offered
    assert len(offered) == len({tuple(sorted(targets)) for targets in offered})


def test_an_area_gives_no_opportunity_and_minds_no_cover(arms: Game) -> None:
    """STR-TAC-08, 22: only a ranged attack next to an enemy does."""
    arms.draw("Vg...").begin("vex")
    data = arms.attack("vex", "goblin", power="ray", at="B1", dice=[5])
    assert data["opportunities"] == []
    arms.next_turn_of("vex")
    assert arms.attack("vex", "goblin", power="double-tap", dice=[2])["opportunities"]


# --- several rolls


def test_one_target_twice_and_hidden_helps_the_first_attack_only(arms: Game) -> None:
    """STR-TAC-20: a roll each, in the order named; Hidden counts for the first."""
    arms.draw("V...p").begin("vex").put("vex", hidden=True)
    data = arms.attack("vex", "post", "post", power="double-tap", dice=[2, 5, 6])
    assert [line["roll"]["mode"] for line in data["attacks"]] == ["advantage", "plain"]
    assert [line["damage"] for line in data["attacks"]] == [1, 2]
    assert not arms.of("vex", "hidden")


def test_who_is_taken_out_is_attacked_no_more(arms: Game) -> None:
    """STR-TAC-15: the second shot at a fallen goblin isn't rolled."""
    arms.draw("V...g").begin("vex").put("goblin", hp=1)
    assert len(arms.attack("vex", "goblin", "goblin", power="double-tap", dice=[5])["attacks"]) == 1


# --- what follows a roll


@pytest.mark.parametrize(
    ("die", "flank", "prone", "damage"),
    [(5, False, False, 2), (5, True, False, 4), (5, True, True, 5), (6, True, False, 6), (6, False, True, 5)],
)
def test_bonus_damage_is_not_doubled(arms: Game, die: int, flank: bool, prone: bool, damage: int) -> None:
    """STR-TAC-09: a 6 doubles the printed number only."""
    arms.draw("VpB" if flank else "Vp.", "...").begin("vex")
    if prone:
        arms.afflict("post", "prone")
    dice = [die, 1] if flank or prone else [die]
    data = arms.attack("vex", "post", power="backstab", dice=dice, choose=["stay"])
    assert data["damage"] == damage


def test_the_house_may_double_it(arms: Game) -> None:
    """STR-TAC-09: `crit_doubles_bonus`."""
    arms.book = with_house(arms.book, crit_doubles_bonus=True)
    arms.draw("VpB", "...").begin("vex")
    data = arms.attack("vex", "post", power="backstab", dice=[6, 1], choose=["stay"])
    assert data["damage"] == 8
    assert any("8 damage from Backstab (+4 flanked)" in text for text in arms.texts())


def test_what_a_hit_triggers_and_what_a_miss(arms: Game) -> None:
    """STR-TAC-10, golden example 36: a Miss that Miss Tokens make a Hit triggers nothing on a Hit."""
    for die, held, spend, result, extras, lost in (
        (5, 0, [], "solid", 1, 2),
        (3, 0, [], "glancing", 1, 2),
        (2, 0, [], "miss", 0, 1),
        (2, 1, ["1"], "glancing", 0, 2),
        (1, 2, ["2"], "solid", 0, 2),
        (3, 1, ["1"], "solid", 1, 2),
    ):
        with case(die, held, spend, result, extras, lost):
            arms.state = {}
            arms.draw("Vp", "..").begin("vex").put("vex", miss_tokens=held)
            data = arms.attack("vex", "post", power="backstab", dice=[die], choose=[*spend, "stay"])
            assert (data["result"], hp(arms, "post")) == (result, [99 - lost])
            assert arms.of("vex", "strikes", 0) == extras + (die == 1)


def test_no_miss_effects_for_the_dazed(arms: Game) -> None:
    """STR-TAC-25: No O/M is for who has the status; the other step is done whatever the roll."""
    arms.draw("Vp", "..").begin("vex").afflict("vex", "dazed")
    arms.attack("vex", "post", power="backstab", dice=[2], choose=["stay"])
    assert hp(arms, "post") == [99]


def test_what_is_done_on_a_critical_only(arms: Game) -> None:
    """STR-TAC-09."""
    arms.draw("Vp", "..").begin("vex")
    for die in (5, 6):
        arms.attack("vex", "post", power="backstab", dice=[die], choose=["stay"])
        assert any("It bleeds" in text for text in arms.texts()) is (die == 6)
        arms.next_turn_of("vex")


def test_steps_before_the_roll_and_steps_that_move(arms: Game) -> None:
    """STR-TAC-07, 12: a shift of one's own, so that it comes a square further; then a pull and a slide,
    where the attacker says."""
    arms.draw("V....p", "......", "......").begin("vex")
    with pytest.raises(Refused, match="5 squares"):
        arms.attack("vex", "post", power="yank", dice=[5])
    arms.put("post", at="E1")
    arms.attack("vex", "post", power="yank", dice=[5], choose=["B1", "C2"])
    assert (arms.of("vex", "at"), arms.of("post", "at")) == ("B1", "C2")


def test_how_much_further_first_steps_of_ones_own_bring_a_power() -> None:
    """STR-TAC-12: as many squares as they are, in melee, at range and around oneself; what is for others, is
    no way or has to be rolled brings nobody nearer."""
    one, two = "amount = 1", "amount = 2"
    cases = (
        (f'{{ do = "shift", to = "self", {two} }}', 2),
        (f'{{ do = "teleport", to = "self", {two} }}', 2),
        (f'{{ do = "move", to = "self", {two} }}', 2),
        (f'{{ do = "shift", to = "self", {one} }}, {{ do = "move", to = "self", {two} }}', 3),
        ('{ do = "move", to = "self" }', 0),
        ('{ do = "shift", to = "self", amount = { die = 4 } }', 0),
        (f'{{ do = "shift", to = "ally", {two} }}', 0),
        (f'{{ do = "heal", to = "self", {two} }}', 0),
    )
    for way in ("reach", "range", "burst"):
        head = f'name = "Try"\n{way} = 1\ndamage = 1\n'
        text = "".join(f"[powers.try-{n}]\n{head}before = [{steps}]\n" for n, (steps, _) in enumerate(cases))
        game = Game(book_with(text, "vex")).draw("V.p......").begin("vex")
        for number, (steps, further) in enumerate(cases):
            power = game.book.powers[f"try-{number}"]
            for apart in range(1, 6):
                with case(way, steps, apart):
                    fight = Fight(game.put("post", at=f"{'ABCDEF'[apart]}1").world)
                    aim = partial(
                        aim_power_with_reach_of_first_steps,
                        fight,
                        "vex",
                        {"id": f"try-{number}", **power},
                        ["post"],
                    )
                    if apart <= 1 + further:
                        assert aim().targets == ("post",)
                    else:
                        with pytest.raises(Refused):
                            aim()


def test_who_does_not_come_near_enough_attacks_nobody(arms: Game) -> None:
    """STR-TAC-12: after the steps before the roll, the reach is what it is."""
    arms.draw("V...p", ".....").begin("vex")
    data = arms.attack("vex", "post", power="yank", choose=["A2"])
    assert (data["attacks"], data["targets"], data["miss_token"]) == ([], [], False)


def test_a_step_away_spares_the_opportunity(arms: Game) -> None:
    """STR-TAC-08: whoever shifts away first shoots from there."""
    arms.draw("gV....", "......").begin("vex")
    data = arms.attack("vex", "goblin", power="hop-and-shoot", dice=[5], choose=["C1"])
    assert (data["opportunities"], data["damage"]) == ([], 2)


def test_a_move_action_that_is_a_power(arms: Game) -> None:
    """STR-TAC-12: it takes the Move Action and gives no Opportunity."""
    arms.draw("Vg....").begin("vex").afflict("vex", "prone")
    data = use(arms, "vex", "blink", choose=["D1"])
    assert (arms.of("vex", "at"), arms.statuses("vex"), data["opportunities"]) == ("D1", [], [])
    with pytest.raises(Refused, match="Move Action"):
        use(arms, "vex", "blink")


def test_a_move_for_others(arms: Game) -> None:
    """STR-TAC-08, 12: so many squares, with the Opportunities that a walk gives."""
    arms.draw("V..B.O", "...g..").begin("vex")
    use(arms, "vex", "march", choose=["B1", "stay"])
    assert (arms.of("brann", "at"), arms.of("odo", "at")) == ("B1", "F1")
    assert hp(arms, "brann") == [8]


def test_a_power_that_would_do_nothing_is_refused(arms: Game) -> None:
    """STR-TAC-12, STR-TAC-13: nobody is in it, or nobody needs it; neither action nor power is spent."""
    arms.draw("VB......g", ".........").begin("vex")
    before = arms.state
    listed = legal_actions_worth_listing(arms.world, "vex", ["power"])
    for power, targets, why in (
        ("war-cry", [], "War Cry would hit nobody"),
        ("breath", [], "Breath would hit nobody"),
        ("mend", ["brann"], "Mend would do nothing"),
        ("chorus", [], "Chorus would do nothing"),
        ("core:rally", [], "Rally would do nothing"),
    ):
        with case(power):
            with pytest.raises(Refused, match=why):
                use(arms, "vex", power, *targets)
            assert power not in [option.args.power for option in listed]
    assert arms.state == before


def test_what_is_idle_besides_something_else_is_told(arms: Game) -> None:
    """STR-TAC-12."""
    arms.draw("VB......g", ".........").begin("vex").put("brann", hp=8)
    use(arms, "vex", "mend", "brann")
    assert "Mend: Brann has nothing that it could end." in arms.texts()
    arms.next_turn_of("vex")
    arms.put("brann", hp=9)
    use(arms, "vex", "chorus")
    assert "Vex regains nothing from Chorus." in arms.texts()
    use(arms, "vex", "breather")
    assert "Breather: Vex has nothing to save against." in arms.texts()


def test_a_zone_lasts_for_the_fight_unless_said() -> None:
    """STR-TAC-21."""
    text = FOR.format(who="self").replace('"damage", amount = 1', '"zone", to = "self", name = "Oil"')
    game = Game(book_with(text, "vex")).draw("V.g").begin("vex")
    use(game, "vex", "word")
    assert [zone["ends"] for zone in game.get("fight.zones").values()] == ["encounter"]


def test_a_zone_by_hand_is_plain_unless_said(game: Game) -> None:
    """STR-TAC-21: no damage, no difficult terrain, nothing hidden, to the fight's end."""
    game.draw("V.g").begin("vex")
    data = game.play("combat zone add", called="Oil", squares=["B1"])
    assert data == {"zone": "oil", "name": "Oil", "squares": ["B1"], "ends": "encounter"}


def test_what_somebody_has_already_is_told(arms: Game) -> None:
    """STR-TAC-25: the same status of the same giver again comes to nothing, and what nobody has doesn't
    end."""
    book = book_with(
        """
[powers]
glue = { action = "role", kind = "role", who = "enemies", range = 3, effect = [
  { do = "apply", status = "core:slowed", duration = "encounter" },
  { do = "apply", status = "mud", duration = "encounter" },
  { do = "end", status = "core:dazed" },
  { do = "damage", amount = 1 }] }

[statuses]
mud = { name = "Mud in the Eyes", noun = true }
""",
        "vex",
    )
    game = Game(book).draw("Vp").begin("vex")
    for again in (False, True):
        data = use(game, "vex", "glue", "post")
        assert ("Glue: Training Post is Slowed already." in game.texts()) is again, (data, game.texts())
        assert ("Glue: Training Post has Mud in the Eyes already." in game.texts()) is again
        assert all(fact.details["power_of"] == "vex" for fact in game.facts if fact.kind == "noted")
        assert "status-ended" not in [fact.kind for fact in game.facts]
        if not again:
            game.next_turn_of("vex")


def test_every_reason_of_damage_is_told(arms: Game) -> None:
    """STR-TAC-09, STR-TAC-25: what a bonus is for, and what halves, all of it and rounded down."""
    arms.draw("VpB", "...").begin("vex").afflict("vex", "weakened").afflict("post", "prone")
    use(arms, "vex", "backstab", "post", dice=[4, 1], choose=["stay"])
    reasons = "2 damage from Backstab (+2 flanked, +1 Prone, half: Weakened)"
    assert any(reasons in text for text in arms.texts())


def test_a_step_that_is_for_the_bloodied(arms: Game) -> None:
    """STR-TAC-12: conditions look at the target; the status lasts until the target's own turn ends."""
    arms.draw("V.g").begin("vex")
    with pytest.raises(Refused, match="Dread would do nothing now"):
        use(arms, "vex", "dread", "goblin")
    arms.play("combat damage", who="goblin", amount=2)
    use(arms, "vex", "dread", "goblin")
    assert arms.statuses("goblin") == ["bloodied", "slowed"]
    arms.next_turn_of("goblin")
    arms.play("combat end-turn")
    assert "slowed" not in arms.statuses("goblin")


# --- granted attacks


def test_a_granted_attack_is_out_of_turn_and_for_no_action(arms: Game) -> None:
    """STR-TAC-04: an ally of one's choice, any of their attacks, whom they like."""
    arms.draw("V.Bp", "O...").begin("vex")
    use(arms, "vex", "command", choose=["brann", "last-word", "post"], dice=[5])
    assert hp(arms, "post") == [95]
    assert "last-word" in arms.of("brann", "used")
    assert arms.get("fight.turn") == {"role": 1}


def test_what_grants_an_attack() -> None:
    """STR-TAC-04: in any part, by itself or within another step."""
    attack, note = {"do": "attack"}, {"do": "note", "text": "It hums."}
    choice = [{"name": "A", "steps": [note]}, {"name": "B", "steps": [attack]}]
    for steps, grants in (
        ([note], False),
        ([note, attack], True),
        ([{"do": "choose", "options": choice}], True),
        ([{"do": "repeat", "amount": 2, "steps": [note]}], False),
        ([{"do": "roll", "faces": {"1-3": [], "4-6": [attack]}}], True),
    ):
        for part in ("effect", "hit", "miss", "always"):
            with case(part, steps):
                assert grants_another_attack({"id": "x", part: steps}) is grants


def test_not_even_a_named_attack_that_is_granted_grants_one() -> None:
    """STR-TAC-04: it hits, and what it would grant comes to nothing, and says so."""
    text = """
powers.order = { action = "role", effect = [{ do = "attack", to = "ally", within = 5, power = "lead-on" }] }
powers.lead-on = { reach = 1, damage = 1, hit = [{ do = "attack", to = "ally", within = 5 }] }
"""
    game = Game(book_with(text, "vex", "brann")).draw("VpB", "...").begin("vex")
    data = use(game, "vex", "order", choose=["post"], dice=[5, 1])
    assert "Vex can't attack now." in game.texts()
    assert [fact.who for fact in game.facts if fact.kind == "attacked"] == ["brann"]
    assert (data["attacks"], data["miss_token"], data["opportunities"]) == ([], False, [])


def test_a_granted_attack_may_be_passed_up(arms: Game) -> None:
    """STR-TAC-04: it is a may."""
    arms.draw("VpB").begin("vex")
    data = arms.attack("vex", "post", power="follow-me", dice=[5, 1], choose=["pass"])
    assert data["damage"] == 1
    assert hp(arms, "post") == [98]


def test_nobody_stunned_or_out_of_reach_attacks(arms: Game) -> None:
    """STR-TAC-04, 25: the grant comes to nothing, and says so."""
    arms.draw("V.Bp").begin("vex").afflict("brann", "stunned")
    use(arms, "vex", "command")
    assert any("can't attack" in text for text in arms.texts())


def test_a_granted_attack_is_one_that_they_still_have(arms: Game) -> None:
    """STR-TAC-04, STR-TAC-12: neither one that is spent nor one that grants an attack, which would be enough
    to lead from attack to attack."""
    arms.draw("V.Bp", "....").begin("vex")
    for used in ([], ["last-word"]):
        arms.put("brann", used=used)
        question = arms.asked("combat use", who="vex", power="command", targets=[], at="")
        assert question.what == "attack with"
        assert {"follow-me", "last-word", "melee-basic"}.intersection(question.options) == {
            "melee-basic", "last-word"
        }.difference(used)  # fmt: skip


@pytest.mark.parametrize(
    ("range_", "rows", "attacks"),
    [
        ("melee", ("Vp..O", "....."), False),
        ("melee", ("Vp...", ".O..."), True),
        ("ranged", ("Vp..O", "....."), True),
        ("ranged", ("Vp...", ".O..."), False),
    ],
)
def test_a_granted_attack_may_have_to_be_in_melee_or_at_range(
    range_: str, rows: tuple[str, ...], attacks: bool
) -> None:
    """STR-TAC-04: an ally who can't make such a one makes none."""
    text = f"""
[powers.signal]
name = "Signal"
action = "role"
effect = [{{ do = "attack", to = "ally", within = 5, range = "{range_}" }}]
"""
    game = Game(book_with(text, "vex")).draw(*rows).begin("vex")
    more: dict[str, Any] = {"dice": [5], "choose": ["post"]} if attacks else {}
    use(game, "vex", "signal", **more)
    assert any(fact.kind == "attacked" for fact in game.facts) is attacks


def test_the_most_hurt_ally_comes_first_where_one_is_healed(game: Game) -> None:
    """STR-TAC-12: by how much each lacks, not by how little is left."""
    text = """
powers.salve = { action = "role", effect = [{ do = "heal", amount = 2, to = "ally", within = 5 }] }
"""
    game = Game(book_with(text, "vex")).draw("VBOS..p").begin("vex")
    game.put("brann", hp=8).put("odo", hp=5).put("vesna", hp=4, max_hp=6)
    assert game.asked("combat use", who="vex", power="salve", targets=[]).options == ("odo", "brann", "vesna")
    use(game, "vex", "salve", choose=["vesna"])
    assert hp(game, "brann", "odo", "vesna") == [8, 5, 6]


# --- answers


def test_a_creature_answers_a_miss(arms: Game) -> None:
    """STR-TAC-09, 12: a Miss Trigger of the target's own, as an Interrupt, unless a status removes it."""
    arms.draw(".Vi.").begin("vex")
    arms.attack("vex", "imp", dice=[2])
    assert arms.of("vex", "at") == "A1"
    arms.next_turn_of("vex")
    arms.put("vex", at="B1").afflict("imp", "dazed")
    arms.attack("vex", "imp", dice=[2], choose=["0"])
    assert arms.of("vex", "at") == "B1"


def test_a_player_is_asked_and_nothing_answers_an_answer(arms: Game) -> None:
    """STR-TAC-12: Spite for a hit, at an Action Point; the hag's own Spite doesn't answer it."""
    arms.draw("Vh").begin("hag")
    before = arms.state
    arms.attack("hag", "vex", dice=[5], choose=["pass"])
    arms.state = before
    arms.attack("hag", "vex", dice=[5, 5], choose=["use"])
    assert (hp(arms, "vex", "hag"), arms.get("characters.vex.ap")) == ([8, 19], 0)
    arms.next_turn_of("hag")
    arms.attack("hag", "vex", dice=[5])  # no Action Point, no question
    arms.next_turn_of("vex")
    arms.attack("vex", "hag", dice=[5, 4])  # creatures have no points to spend
    assert hp(arms, "vex") == [5]


def test_what_is_no_attack_is_not_attacked_with(arms: Game) -> None:
    """STR-TAC-09: `use` is for it."""
    arms.draw("Vg").begin("vex")
    with pytest.raises(Refused, match="not an attack"):
        arms.attack("vex", "goblin", power="war-cry")


# --- what a Move Action, a move and an aim may be


def test_an_attack_action_traded_for_a_power_that_moves(arms: Game) -> None:
    """STR-TAC-04: a second Move Action, whichever it is; listed so, too."""
    arms.draw("V....g", "......").begin("vex")
    assert "use vex blink" in [
        str(option) for option in legal_actions_worth_listing(arms.world, "vex", ["power"])
    ]
    assert count_unlisted_aims(arms.world, "vex") == {}
    arms.move("vex", "A2")
    with pytest.raises(Refused, match="has used the Move Action"):
        use(arms, "vex", "blink")
    assert "use vex blink --trade" in [
        str(option) for option in legal_actions_worth_listing(arms.world, "vex", ["power"])
    ]
    use(arms, "vex", "blink", trade=True, choose=["C1"])
    assert arms.of("vex", "at") == "C1"
    with pytest.raises(Refused, match="Move Action"):
        use(arms, "vex", "blink", trade=True)
    with pytest.raises(Refused, match="Attack Action"):
        arms.attack("vex", "goblin", power="ray", dice=[4])


DASH = """
[powers]
dash = { action = "role", effect = [{ do = "move", amount = 8, to = "self" }] }
whisper = { action = "role", who = "enemies", effect = [
  { do = "apply", status = "slowed", duration = "save" }] }

[statuses]
pinned = { bans = [{ action = "stand" }] }
"""


def test_a_move_of_a_power_goes_as_far_as_it_says() -> None:
    """STR-TAC-07: further than Speed, if it says so; what limits moving limits it."""
    game = Game(book_with(DASH, "vex")).draw("V.........g").begin("vex")
    before = game.state
    question = game.asked("combat use", who="vex", power="dash", targets=[])
    assert question.options[0] == "I1"
    use(game, "vex", "dash", choose=["I1"])
    assert game.of("vex", "at") == "I1"
    game.state = before
    game.afflict("vex", "slowed")
    assert game.asked("combat use", who="vex", power="dash", targets=[]).options == ("C1", "B1", "stay")


def test_a_power_without_a_range_does_not_find_the_hidden() -> None:
    """STR-TAC-23: they can't be targeted."""
    game = Game(book_with(DASH, "vex")).draw("V.........g").begin("vex")
    game.put("goblin", hidden=True)
    with pytest.raises(TargetHidden):
        use(game, "vex", "whisper", "goblin")
    game.put("goblin", hidden=None)
    use(game, "vex", "whisper", "goblin")


def test_whom_a_power_finds_that_cant_be_seen() -> None:
    """STR-TAC-12, STR-TAC-22: at an enemy eyes are needed, rolled or not; at an ally no more than a line
    without walls; what has no range needs neither."""
    text = """
powers.curse = { action = "role", range = 5, effect = [{ do = "damage", amount = 1 }] }
powers.whisper = { action = "role", effect = [{ do = "apply", status = "dazed" }] }
"""
    game = Game(book_with(text, "vex")).draw("V.B..p", "....##", "....#S").begin("vex")
    game.afflict("brann", "invisible").afflict("post", "invisible")
    for power in ("sting", "curse"):
        with pytest.raises(Refused, match="can't see Training Post from there: Invisible"):
            use(game, "vex", power, "post")
    with pytest.raises(Refused, match="can't see Vesna from there: a wall"):
        use(game, "vex", "curse", "vesna")
    for power, target in (("curse", "brann"), ("whisper", "post"), ("whisper", "vesna")):
        game.set("fight.turn.role", 0)
        use(game, "vex", power, target)
    assert (game.of("brann", "hp"), game.statuses("post")[-1:], game.statuses("vesna")) == (
        9, ["dazed"], ["dazed"],
    )  # fmt: skip


def test_whom_a_power_is_for_unless_it_says() -> None:
    """STR-TAC-12: an area is for all in it but who makes it, an attack for others; what is neither may be for
    oneself."""
    text = """
powers.pulse = { action = "role", burst = 1, effect = [{ do = "damage", amount = 1 }] }
powers.prick = { action = "role", range = 5, effect = [{ do = "damage", amount = 1 }] }
powers.cheer = { action = "role", range = 5, who = "friends", effect = [{ do = "damage", amount = 1 }] }
"""
    game = Game(book_with(text, "vex")).draw("BVp", "O.g").begin("vex")
    use(game, "vex", "pulse")
    assert hp(game, "vex", "brann", "odo", "post", "goblin") == [10, 9, 9, 98, 3]
    with pytest.raises(Refused, match="Vex can't attack itself"):
        use(game, "vex", "sting", "vex")
    game.set("fight.turn.role", 0)
    use(game, "vex", "prick", "vex")
    game.set("fight.turn.role", 0)
    with pytest.raises(Refused, match="Cheer is for its user and allies, not for Goblin"):
        use(game, "vex", "cheer", "goblin")
    use(game, "vex", "cheer", "brann")
    assert hp(game, "vex", "brann") == [9, 8]


def test_an_effect_that_nobody_can_explain_does_not_happen(game: Game) -> None:
    """STR-TAC-26: the roll and its damage come all the same, and the reason is told."""
    game.draw("Vp").begin("vex")
    data = use(game, "vex", "sting", "post", no_effect="It is made of straw", dice=[5])
    assert (data["attacks"][0]["damage"], game.statuses("post")) == (1, [])
    assert "Sting has no Effect: It is made of straw." in game.texts()


def test_what_would_do_nothing_to_anybody_is_refused() -> None:
    """STR-TAC-12: a step for who has a status, where nobody has it; and an earlier one may leave nobody to a
    later one."""
    text = """
[powers]
wring = { name = "Wring", action = "role", range = 5, effect = [
  { do = "damage", amount = 4, if_status = "slowed" },
  { do = "apply", status = "dazed", if_status = "slowed" }] }
"""
    game = Game(book_with(text, "vex")).draw("V.g").begin("vex")
    with pytest.raises(WouldDoNothing):
        use(game, "vex", "wring", "goblin", confirms=True)
    game.afflict("goblin", "slowed")
    use(game, "vex", "wring", "goblin", confirms=True)
    assert game.of("goblin", "out")
    assert not any(fact.kind == "status-added" for fact in game.facts)


def test_what_keeps_somebody_down(game: Game) -> None:
    """STR-TAC-07, STR-TAC-15: a status may ban standing up; the Incapacitated lie as long as they are it."""
    game = Game(book_with(DASH)).draw("V.g").begin("vex").afflict("vex", "prone").afflict("vex", "pinned")
    with pytest.raises(CantStandUp, match="Pinned"):
        game.play("combat stand", who="vex")
    game.put("vex", statuses=[{"id": "core:incapacitated", "ends": "permanent"}])
    with pytest.raises(CantStandUp, match="Incapacitated"):
        game.play("combat stand", who="vex")


def test_who_falls_to_an_answer_pushes_nobody() -> None:
    """STR-TAC-09, STR-TAC-15: what the hit does besides still comes, where it can; the attack is not
    refused."""
    text = 'statuses.spines = { reactions = [{ on = "hit", do = "damage", to = "other", amount = 20 }] }'
    game = Game(book_with(text)).draw(".Vp...").begin("vex")
    game.put("post", statuses=[{"id": "spines", "ends": "encounter"}])
    data = game.attack("vex", "post", power="shove", dice=[5])
    assert (data["result"], game.of("vex", "out"), game.of("post", "at")) == ("solid", "taken-out", "C1")


def test_powers_of_one_name_from_two_places_are_told_apart() -> None:
    """STR-TAC-04, STR-TAC-12: each can be chosen, by its whole id where the last part is not enough."""
    text = """
powers."north:cut" = { name = "Northern Cut", reach = 1, damage = 2 }
powers."south:cut" = { name = "Southern Cut", reach = 1, damage = 3 }
powers.go-on = { name = "Go on", action = "role", effect = [{ do = "attack", to = "ally", uses = "any" }] }
"""
    game = Game(book_with(text, "vex", "brann")).draw("VBp").begin("vex")
    question = game.asked("combat use", who="vex", targets=[], power="go-on")
    assert {"north:cut", "south:cut", "melee-basic"} <= set(question.options)
    listed = {
        str(option)
        for option in legal_actions_worth_listing(game.put("vex", at="C2").world, "vex", ["power"])
    }
    assert not [words for words in listed if words.endswith("--power cut")]


def test_one_of_several_expended_powers_is_regained() -> None:
    """STR-TAC-13: an Encounter power of the class, as its owner chooses, and no other kind."""
    text = 'powers.salve = { action = "free", who = "self", effect = [{ do = "regain", to = "self" }] }'
    for number in (1, 2, 3):
        kind = "class" if number < 3 else "special"
        text += f'\npowers.feat-{number} = {{ usage = "encounter", kind = "{kind}", reach = 1, damage = 1 }}'
    game = Game(book_with(text, "vex")).draw("V.g").begin("vex")
    game.put("vex", used=["feat-1", "feat-2", "feat-3"])
    before = game.state
    question = game.asked("combat use", who="vex", power="salve")
    assert (question.options, question.labels) == (("feat-1", "feat-2"), ("Feat 1", "Feat 2"))
    use(game, "vex", "salve", choose=["feat-2"])
    assert game.of("vex", "used") == ["feat-1", "feat-3"]
    assert game.texts()[-1] == "Vex may use Feat 2 again."
    use(game, "vex", "salve")
    assert game.of("vex", "used") == ["feat-3"]
    game.state = before
    game.put("vex", used=["feat-3"])
    with pytest.raises(WouldDoNothing):
        use(game, "vex", "salve")


def test_what_is_aimed_anew_is_aimed_at_each_one(arms: Game) -> None:
    """STR-TAC-12: whoever is out of range by then is left out, whoever isn't is shot at, from afar."""
    book = book_with(
        """
[powers]
hop-and-spray = { name = "Hop and Spray", range = 3, targets = 2, damage = 2, before = [
  { do = "shift", amount = 1, to = "self" }] }
""",
        "vex",
    )
    game = Game(book).draw("...V...gp", ".........").begin("vex")
    game.put("goblin", at="E1").put("post", at="A1").put("vex", at="D1")
    data = game.play(
        "combat attack",
        who="vex",
        power="hop-and-spray",
        targets=["goblin", "post"],
        choose=["C1"],
        dice=[4, 4],
    )
    assert [attack["target"] for attack in data["attacks"]] == ["goblin", "post"]
    game.next_turn_of("vex")
    game.put("post", at="F2").put("vex", at="D1").put("goblin", at="A1")
    data = game.play(
        "combat attack", who="vex", power="hop-and-spray", targets=["goblin", "post"], choose=["E1"], dice=[4]
    )
    assert [attack["target"] for attack in data["attacks"]] == ["post"]


def test_a_shot_after_a_shift_flanks_nobody(arms: Game) -> None:
    """STR-TAC-20: it is Ranged, though somebody stands on the other side."""
    arms.draw("V.gB", "....").begin("vex").afflict("goblin", "dazed")
    data = arms.attack("vex", "goblin", power="hop-and-shoot", choose=["B1"], dice=[4])
    assert data["roll"]["sources"] == []


def test_the_end_of_a_status_that_nobody_has_is_nothing() -> None:
    """STR-TAC-12: a power that only ends one status is for those who have it."""
    text = """
powers.help-up = { action = "role", range = 3, who = "allies", effect = [{ do = "end", status = "prone" }] }
"""
    game = Game(book_with(text, "vex")).draw("VB.g").begin("vex").afflict("brann", "slowed")
    with pytest.raises(WouldDoNothing):
        use(game, "vex", "help-up", "brann")
    game.afflict("brann", "prone")
    use(game, "vex", "help-up", "brann")
    assert game.statuses("brann") == ["slowed"]


def test_statuses_of_steps_for_all_are_told_by_whom_they_took_hold_of() -> None:
    """STR-TAC-12: each target under its id."""
    text = """
[powers]
dazzle = { name = "Dazzle", action = "role", burst = 2, who = "enemies", effect = [
  { do = "apply", status = "slowed", duration = "save" }] }
"""
    game = Game(book_with(text, "vex")).draw("gVg").begin("vex")
    data = use(game, "vex", "dazzle")
    assert {who: list(added) for who, added in data["statuses_added"].items()} == {
        "goblin-1": ["core:slowed"], "goblin-2": ["core:slowed"],
    }  # fmt: skip


@pytest.mark.parametrize(("hidden", "more"), [(True, 2), (False, 0)])
def test_more_damage_by_who_is_hidden_from_the_target(hidden: bool, more: int) -> None:
    """STR-TAC-12, STR-TAC-23."""
    text = 'powers.ambush = { reach = 1, damage = 2, bonus = [{ amount = 2, if = "hidden" }] }'
    game = Game(book_with(text, "vex")).draw("Vp").begin("vex")
    if hidden:
        game.put("vex", hidden=True)
    dice = [4, 4] if hidden else [4]
    assert game.attack("vex", "post", power="ambush", dice=dice)["damage"] == 2 + more


def test_a_step_says_how_much(armory: Book) -> None:
    """STR-TAC-12."""
    for step, says in (
        ({"do": "heal", "amount": 3}, "heals 3"),
        ({"do": "push", "amount": 2}, "pushed 2"),
        ({"do": "shift", "amount": 1}, "shifts 1"),
        ({"do": "token"}, "a Miss Token"),
        ({"do": "token", "amount": 2}, "2 Miss Tokens"),
        ({"do": "strike", "amount": 2}, "2 Strikes"),
        ({"do": "zone", "name": "Oil"}, "a zone, Oil"),
        ({"do": "zone", "name": "Oil", "difficult": True}, "a zone, Oil (difficult)"),
        ({"do": "zone", "name": "Fog", "amount": 1, "sight": "dark"}, "a zone, Fog (1 damage, dark)"),
    ):
        with case(step):
            assert step_class_of(armory, step)(step).summarize(armory) == says


def test_whom_a_step_of_an_attack_is_for() -> None:
    """STR-TAC-12: of an attack on the goblin."""
    for to, within, struck in (
        ("target", 0, {"goblin"}), ("self", 0, {"vex"}), ("allies", 5, {"brann", "odo"}),
        ("enemies", 5, {"goblin", "post"}),
    ):  # fmt: skip
        with case(to, within, struck):
            near = f", within = {within}" if within else ""
            step = f'{{ do = "apply", status = "slowed", duration = "save", to = "{to}"{near} }}'
            text = f'[powers.ripple]\nname = "Ripple"\nreach = 1\ndamage = 0\nhit = [{step}]\n'
            game = Game(book_with(text, "vex")).draw("Vg..", "BO.p").begin("vex")
            game.attack("vex", "goblin", power="ripple", dice=[5])
            everybody = ("vex", "brann", "odo", "goblin", "post")
            assert {who for who in everybody if game.statuses(who) == ["slowed"]} == struck
