"""Zones that go along, move, grow, block and cover; what goes off when somebody comes in; summons
(STR-TAC-21, 22, 24)."""

from __future__ import annotations

from copy import copy
from typing import Any

import pytest
from support.cases import case
from support.game import Game, book_with
from support.told import as_json

from strike_cli.content.merged_content import Book
from strike_cli.problems import Problem
from strike_cli.registry.scenes_and_decisions_in_state import scenes_of
from strike_cli.systems.combat.board.areas import with_combatant_and_zones_at
from strike_cli.systems.combat.board.move import destinations, provoked_by_move_to
from strike_cli.systems.combat.board.sight_and_hiding import CLEAR, is_in_cover_of_obstacle_or_zone, sight_of
from strike_cli.systems.combat.fight_state import Fight
from strike_cli.systems.combat.powers.step_play_and_summaries import WouldDoNothing
from strike_cli.systems.combat.validation import fight_state_faults
from strike_cli.tabletop.active_effects import effects_on
from strike_cli.tabletop.grid import parse_square
from strike_cli.tabletop.zones import zone_affects
from strike_cli.visibility.audiences import PLAYERS
from strike_cli.visibility.known_scene import scene_for_audience
from strike_cli.visibility.redaction import redact_each_fact_of_entry

TEXT = """
[powers]
dread = { action = "role", who = "self", effect = [
  { do = "zone", to = "self", name = "Dread", along = true, spread = 1, status = "shaky", who = "enemies" }] }
swell = { action = "role", who = "self", effect = [
  { do = "grow-zone", to = "self", zone = "Dread", amount = 2 }] }
fire = { action = "role", area = 1, range = 6, effect = [
  { do = "zone", to = "self", name = "Fire", amount = 2 }] }
fan = { action = "role", who = "self", effect = [
  { do = "move-zone", to = "self", zone = "Fire", amount = 2 },
  { do = "damage", to = "inside", zone = "Fire", amount = 1 }] }
chase-away = { action = "role", who = "self", effect = [
  { do = "move-zone", to = "self", zone = "Fire", amount = 1, way = "away" }] }
lure = { action = "role", range = 9, effect = [
  { do = "move-zone", zone = "Fire", amount = 1, way = "nearer" }] }
feed = { action = "role", who = "self", effect = [
  { do = "grow-zone", to = "self", zone = "Fire", amount = 1 }] }
douse = { action = "role", who = "self", effect = [{ do = "end-zone", to = "self", zone = "Fire" }] }
rampart = { action = "role", range = 5, who = "self", effect = [
  { do = "zone", to = "self", name = "Rampart", blocks = true, length = 3, duration = "turn-start" }] }
hedge = { action = "role", area = 1, range = 6, effect = [
  { do = "zone", to = "self", name = "Hedge", cover = true }] }
torch = { action = "role", who = "self", effect = [
  { do = "zone", to = "self", name = "Torch", along = true, spread = 2, sight = "light" }] }
gloom = { action = "role", who = "self", effect = [
  { do = "zone", to = "self", name = "Gloom", along = true, spread = 1, sight = "dark" }] }
mire = { action = "role", who = "self", effect = [
  { do = "zone", to = "self", name = "Mire", along = true, spread = 1, difficult = true, amount = 1 }] }
mine = { action = "role", range = 5, who = "self", effect = [
  { do = "zone", to = "self", name = "Mine", length = 1, status = "mined" }] }
puddle = { action = "role", range = 9, who = "self", effect = [
  { do = "zone", to = "self", name = "Puddle", length = 1, status = "wet" }] }
brambles = { action = "role", area = 1, range = 6, effect = [
  { do = "zone", to = "self", name = "Brambles", status = "caught" }] }
doom = { action = "role", area = 1, range = 6, effect = [
  { do = "zone", to = "self", name = "Doom", status = "doomed", duration = "turn-start" }] }
pack = { action = "role", who = "self", effect = [
  { do = "summon", to = "self", creature = "wolf", amount = 2, near = 2, turns = "maker" }] }
spirit = { action = "role", who = "self", effect = [
  { do = "summon", to = "self", creature = "wolf", turns = "own", duration = "turn-end" }] }
totem = { action = "role", who = "self", effect = [
  { do = "summon", to = "self", creature = "totem", turns = "none" }] }
howl = { action = "interrupt", on = "hit", effect = [
  { do = "summon", to = "self", creature = "wolf", turns = "maker" }] }
swarm = { action = "role", who = "self", effect = [
  { do = "summon", to = "self", creature = "wolf", amount = 9, near = 2, turns = "none" }] }
curb = { action = "role", who = "self", effect = [
  { do = "zone", to = "self", name = "Curb", blocks = true, length = 1 }] }
march = { action = "role", who = "self", effect = [{ do = "move-zone", to = "self", zone = "Rampart" }] }
drift = { action = "role", who = "self", effect = [
  { do = "move-zone", to = "self", zone = "Fire", way = "random" }] }
haul = { action = "role", who = "self", effect = [
  { do = "move-zone", to = "self", zone = "Mire" }, { do = "damage", to = "self", amount = 1 }] }
bloat = { action = "role", who = "self", effect = [
  { do = "grow-zone", to = "self", zone = "Mire", amount = 15 }] }
guard = { action = "role", who = "self", effect = [
  { do = "summon", to = "self", creature = "wolf", turns = "none", stays = true }] }
familiar = { action = "interrupt", on = "missed", effect = [
  { do = "summon", to = "self", creature = "wolf", turns = "none", duration = "turn-end" }] }
dawn = { action = "role", who = "self", effect = [
  { do = "summon", to = "self", creature = "wolf", turns = "none", duration = "turn-start" }] }
shade = { action = "role", who = "self", effect = [
  { do = "summon", to = "self", creature = "shade", turns = "maker" }] }
shades = { action = "role", who = "self", effect = [{ do = "summon", to = "self", creature = "shade" }] }
banish = { action = "role", range = 9, effect = [{ do = "dismiss" }, { do = "damage", amount = 1 }] }
toll = { action = "role", range = 5, who = "self", effect = [
  { do = "zone", to = "self", name = "Toll", length = 1, status = "tithed" }] }
release = { action = "role", who = "self", effect = [{ do = "dismiss", to = "summons" }] }

[statuses]
shaky = { sources = [{ on = "attack", gives = -1 }] }
wet = { reactions = [{ on = "turn-started", do = "steps", steps = [{ do = "end-zone", to = "self" }] }] }
caught = { reactions = [
  { on = "leaves", do = "steps", steps = [{ do = "damage", to = "self", amount = 2 }] }] }
doomed = { reactions = [
  { on = "zone-ends", do = "steps", steps = [{ do = "damage", to = "self", amount = 3 }] }] }
tithed = { reactions = [
  { on = "enters", do = "steps", steps = [{ do = "heal", to = "giver", amount = 3 }] }] }
calm = { harmful = false, numbers = [{ of = "taken", gives = -1 }] }

[statuses.mined]
name = "Mined"
[[statuses.mined.reactions]]
on = "enters"
do = "steps"
steps = [{ do = "end-zone", to = "self" }, { do = "damage", to = "self", amount = 3 }]

[statuses.stoking]
name = "Stoking"
[[statuses.stoking.reactions]]
on = "turn-started"
do = "steps"
steps = [{ do = "grow-zone", to = "self", zone = "Fire", amount = 1 }]

[creatures]
shade = { hp = 3, hidden = true, turns = 2 }
wolf = { hp = 3, melee = { damage = 1 } }
totem = { hp = 2, auras = [{ name = "Calm", spread = 2, status = "calm", who = "friends" }] }
"""


@pytest.fixture(scope="module")
def book() -> Book:
    return book_with(TEXT, "vex", "lurker")


def use(
    game: Game, power: str, at: str = "", choose: tuple[str, ...] = (), who: str = "vex", **more: Any
) -> None:
    game.play("combat use", who=who, power=power, at=at, choose=choose, **more)


def use_again(game: Game, *args: Any, **more: Any) -> None:
    game.set("fight.turn", {})
    use(game, *args, **more)


def held(game: Game, who: str) -> set[str]:
    return {one.id for one in effects_on(game.world, who)}


def test_an_aura_goes_along_and_is_for_enemies(game: Game) -> None:
    """It is where its maker is, and gives its status to enemies alone."""
    game.draw("VB...g..").begin("vex")
    use(game, "dread")
    assert held(game, "goblin") == held(game, "brann") == set()
    game.move("vex", "E1")
    assert game.get("fight.zones.dread.squares") == ["D1", "E1", "F1"]
    assert {fact.details["zone"] for fact in game.facts if fact.kind == "zone-moved"} == {"dread"}
    assert held(game, "goblin") == {"shaky"}


def test_a_move_is_reckoned_with_the_zones_that_go_along(game: Game) -> None:
    """STR-TAC-08, 21, 22: who is in the dark wherever they go gives no Opportunity; none is foretold."""
    game.draw("V.....", "##g###").begin("vex")
    past = parse_square("E1")
    assert provoked_by_move_to(Fight(game.world), "vex", past) == {"goblin"}
    use(game, "gloom")
    game.set("fight.turn", {})
    assert provoked_by_move_to(Fight(game.world), "vex", past) == set()
    foretold = with_combatant_and_zones_at(Fight(game.world), "vex", past)
    assert game.move("vex", "E1")["opportunities"] == []
    assert game.get("fight.zones.gloom.squares") == ["D1", "E1", "F1"]
    assert foretold.zones == game.get("fight.zones")


def test_an_aura_that_grows_stays_as_wide(game: Game) -> None:
    """Wherever its bearer goes afterwards; it takes in 20 squares around at most."""
    game.draw("V........g").begin("vex")
    use(game, "dread")
    use_again(game, "swell")
    assert game.get("fight.zones.dread.squares") == ["A1", "B1", "C1", "D1"]
    assert "Dread takes in A1 to D1." in game.texts()
    game.move("vex", "E1")
    assert game.get("fight.zones.dread.squares") == [f"{column}1" for column in "BCDEFGH"]
    game.set("fight.zones.dread.spread", 19)
    use_again(game, "swell")
    assert game.get("fight.zones.dread.spread") == 20


def test_what_goes_along_and_spreads_nowhere_is_on_ones_own_squares(game: Game) -> None:
    """STR-TAC-21: wherever they come to stand; and is no hindrance while they are Hidden."""
    game.draw("V....g").begin("vex")
    game.play("combat zone add", called="Halo", squares=["A1"], difficult=True)
    game.set("fight.zones.halo.along", "vex")
    game.move("vex", "C1")
    assert game.get("fight.zones.halo.squares") == ["C1"]
    for hidden in (False, True, False):
        game.put("vex", hidden=hidden or None)
        assert Fight(game.world).grid.is_difficult((2, 0)) is not hidden


def test_an_aura_does_all_that_its_sheet_says(game: Game) -> None:
    """STR-TAC-21, STR-TAC-22, STR-TAC-24: from the start of the fight."""
    does = {"difficult": True, "cover": True, "sight": "obscured", "status": "calm", "who": "others"}
    storm = {"name": "Storm", "spread": 1, "amount": 2, **does}
    game.book = copy(game.book)
    goblin = {**game.book.creatures["goblin"], "auras": [storm]}
    game.book.creatures = {**game.book.creatures, "goblin": goblin}
    game.draw("V....g")
    assert game.get("fight.zones.storm") == {
        "name": "Storm", "squares": ["E1", "F1"], "ends": "encounter", "by": "goblin", "along": "goblin",
        "spread": 1, "damage": 2, **does,
    }  # fmt: skip


def test_an_aura_ends_with_who_has_it(game: Game) -> None:
    game.draw("VB...g..").begin("vex")
    use(game, "dread")
    game.play("combat damage", who="vex", amount=40)
    assert game.get("fight.zones") in ({}, None)


def test_the_aura_of_who_is_hidden_sleeps(game: Game) -> None:
    """It would give them away; once they are seen it is there. Players are not shown it until then."""
    game.draw("V.l....g").begin("lurker")
    game.play("combat use", who="lurker", power="dread")
    game.move("lurker", "B1")
    assert game.of("lurker", "hidden")
    assert held(game, "vex") == set()
    assert zones_shown(game) == []
    game.play("combat reveal", who="lurker")
    assert held(game, "vex") == {"shaky"}
    assert zones_shown(game) == ["Dread"]


def test_players_hear_nothing_of_the_aura_of_who_is_hidden(game: Game) -> None:
    """Not that it appears, nor that it goes along; and no way is dearer for it."""
    game.draw("V.l....g", "........").begin("lurker")
    cost = destinations(Fight(game.world), "vex")
    for name, args in (
        ("combat use", {"who": "lurker", "power": "mire"}),
        ("combat move", {"who": "lurker", "to": "C2"}),
    ):
        before = game.state
        game.play(name, **args)
        facts = [as_json(fact) for fact in game.facts]
        told = [one.fact for one in redact_each_fact_of_entry({"facts": facts}, before, PLAYERS) if one.fact]
        assert "lurker" not in str(told).lower()
        assert "mire" not in str(told).lower()
    assert destinations(Fight(game.world), "vex") == cost
    game.play("combat reveal", who="lurker")
    assert destinations(Fight(game.world), "vex") != cost


def zones_shown(game: Game) -> list[str]:
    (scene,) = scenes_of(game.state)
    board = scene_for_audience(scene, PLAYERS).board
    assert board is not None
    return [zone.name for zone in board.zones]


def test_a_zone_is_moved_and_who_it_comes_over_is_hurt_by_what_the_power_says(game: Game) -> None:
    """Moving hurts nobody by itself; `inside` are those in it."""
    game.draw("V.........", "......g...", "..........").begin("vex")
    use(game, "fire", at="C2")
    game.next_turn_of("vex")
    use(game, "fan", choose=("east",))
    assert game.get("fight.zones.fire.squares")[0] == "D1"
    assert game.lost("goblin") == 0
    game.next_turn_of("vex")
    use(game, "fan", choose=("east",))
    assert game.lost("goblin") == 1


def test_a_zone_goes_straight_away_or_nearer(game: Game) -> None:
    """From its maker, or to the one whom the power is for, in each of eight directions."""
    game.draw(*["......."] * 7, "V.....g").begin("vex")
    use(game, "fire", at="D4")
    before = game.state
    for at, away, nearer in (
        ("B2", "E5", "C3"), ("D2", "D5", "D3"), ("F2", "C5", "E3"), ("B4", "E4", "C4"),
        ("F4", "C4", "E4"), ("B6", "E3", "C5"), ("D6", "D3", "D5"), ("F6", "C3", "E5"),
    ):  # fmt: skip
        for power, who, middle in (("chase-away", "vex", away), ("lure", "goblin", nearer)):
            with case(power, at):
                game.state = before
                game.put(who, at=at)
                use_again(game, power, targets=["goblin"] if power == "lure" else [])
                assert game.get("fight.zones.fire.squares")[4] == middle


def test_where_a_zone_may_be_moved(game: Game) -> None:
    """STR-TAC-21: anywhere; where it takes in most enemies and fewest friends comes first."""
    game.draw("V.........", ".B........", ".........g").begin("vex").put("goblin", at="H2")
    use(game, "fire", at="E2")
    game.set("fight.turn", {})
    options = game.asked("combat use", who="vex", power="fan").options
    assert len(options) == 9
    assert (options[:2], options[-1]) == (("east", "stay"), "west")


def test_where_a_zone_is_made() -> None:
    """STR-TAC-21: on the whole area of an area, whatever spread it has; around somebody; or where they
    stand."""
    made = 'effect = [{ do = "zone", name = "Ice"'
    head = 'action = "role"\nrange = 9\n'
    book = book_with(
        f'[powers.hail]\nname = "Hail"\narea = 2\n{head}{made}, spread = 1, to = "self" }}]\n'
        f'[powers.rime]\nname = "Rime"\n{head}{made}, spread = 1 }}]\n'
        f'[powers.frost]\nname = "Frost"\n{head}{made} }}]\n',
        "vex",
    )
    for power, aimed, squares in (
        ("hail", {"at": "C3"}, 25),
        ("rime", {"targets": ["post"]}, 9),
        ("frost", {"targets": ["post"]}, 1),
        ("frost", {"targets": ["ogre"]}, 4),
    ):
        with case(power, aimed):
            game = Game(book).draw("V......", ".....x.", "..p....", ".......", ".......").begin("vex")
            use(game, power, **aimed)
            assert len(game.get("fight.zones.ice.squares")) == squares


def test_an_area_reaches_round_no_corner(game: Game) -> None:
    """STR-TAC-12, 22: what its middle can't see is not in it."""
    game.draw("V.......", "....#...", "....#...", "........").begin("vex")
    use(game, "fire", at="D3")
    assert set(game.get("fight.zones.fire.squares")) == {"C2", "D2", "C3", "D3", "C4", "D4", "E4"}


@pytest.mark.parametrize(
    ("for_whom", "whom"),
    [
        ("any", "vex brann goblin"), ("friends", "vex brann"), ("allies", "brann"), ("enemies", "goblin"),
        ("others", "brann goblin"),
    ],
)  # fmt: skip
def test_whom_a_zone_is_for(for_whom: str, whom: str) -> None:
    """As seen from who made it; of nobody's it is for everybody, of who is hidden for nobody (STR-TAC-23)."""
    people: dict[str, Any] = {
        "vex": {"side": "party"},
        "brann": {"side": "party"},
        "goblin": {"side": "enemies"},
    }
    zone = {"by": "vex", "who": for_whom, "along": "vex"}
    assert [one for one in people if zone_affects(zone, one, people)] == whom.split()
    assert all(zone_affects({"who": for_whom}, one, people) for one in people)
    people["vex"]["hidden"] = True
    assert not any(zone_affects(zone, one, people) for one in people)


def test_what_is_told_of_a_zone(game: Game) -> None:
    game.draw("V..g").begin("vex")
    for does, words in (
        ({"damage": 2, "difficult": True}, "2 damage, difficult"),
        ({"sight": "dark"}, "completely obscured"),
        ({"sight": "obscured", "cover": True}, "obscured, cover"),
        ({"blocks": True}, "a wall"),
        ({}, "a zone"),
    ):
        with case(does):
            game.play("combat zone add", called="Mill", squares=["B1"], **does)
            assert game.texts() == [f"Mill: {words} on B1."]


def test_what_a_zones_status_does_may_be_about_the_zone(game: Game) -> None:
    """It is the one that its holder stands in, and no other of the kind."""
    game.draw("V.....g", ".......", ".......").begin("vex")
    use(game, "puddle", choose=("B1",))
    use_again(game, "puddle", choose=("F1",))
    game.next_turn_of("goblin")
    game.move("goblin", "F1")
    game.next_turn_of("goblin")
    assert [zone["squares"] for zone in game.get("fight.zones").values()] == [["B1"]]


def test_a_zone_grows_around_walls_between_squares(game: Game) -> None:
    game.draw("V.........", "..........", "..........").begin("vex")
    game.set("fight.map.walls", [[[6, 0], [6, 3]]])
    use(game, "fire", at="E2")
    use_again(game, "feed")
    assert {square[0] for square in game.get("fight.zones.fire.squares")} == set("CDEF")


def test_a_zone_grows_and_ends(game: Game) -> None:
    game.draw("V.........", "..........", "..........").begin("vex")
    use(game, "fire", at="E2")
    assert len(game.get("fight.zones.fire.squares")) == 9
    use_again(game, "feed")
    assert len(game.get("fight.zones.fire.squares")) == 15
    assert any(text.startswith("Fire takes in ") for text in game.texts())
    use_again(game, "douse")
    assert not game.get("fight.zones")


def test_a_wall_blocks_ways_and_sight_and_is_gone_again(game: Game) -> None:
    """Square by square, beside one another; nobody walks or sees through it until it ends."""
    game.draw("V..g", "....", "....").begin("vex")
    use(game, "rampart", choose=("C1", "C2", "C3"))
    fight = Fight(game.world)
    assert not fight.has_line_of_sight("vex", "goblin")
    assert fight.grid.is_blocked((2, 1))
    with pytest.raises(Problem, match="D2"):
        game.move("vex", "D2")
    assert fight_state_faults(game.state) == []
    game.next_turn_of("vex")
    assert not Fight(game.world).grid.is_blocked((2, 1))
    assert "Rampart is gone." in game.texts()


@pytest.mark.parametrize(
    ("rows", "drawn", "options"),
    [
        (("V.g", "..."), (), ("B1", "B2", "C2", "A2")),
        (("V.g", "..."), ("B1",), ("B2", "C2", "A2", "enough")),
        (("V.g", "..."), ("B1", "C2"), ("B2", "enough")),
        (("V.....", "..x...", "......"), (), ("B1", "C1", "D1", "E1", "B2", "E2", "B3", "E3", "F1", "A2")),
    ],
)
def test_where_a_wall_may_go_on(
    game: Game, rows: tuple[str, ...], drawn: tuple[str, ...], options: tuple[str, ...]
) -> None:
    """STR-TAC-21: on free squares beside the last, those nearest to an enemy first, all of a large one."""
    game.draw(*rows).begin("vex")
    asked = game.asked("combat use", who="vex", power="rampart", choose=drawn).options
    assert asked[: len(options)] == options


def test_a_wall_ends_where_there_is_no_room_for_more(game: Game) -> None:
    """STR-TAC-21: one square, of the three that it might have."""
    game.draw("V.g").begin("vex")
    use(game, "rampart", choose=("B1",))
    assert game.get("fight.zones.rampart.squares") == ["B1"]


def test_how_far_off_a_wall_may_begin(game: Game) -> None:
    """STR-TAC-21: within the power's range, or beside its maker; of very many places those nearest to enemies
    are offered."""
    game.draw(*["............"] * 3, "...V........", *["............"] * 4, "...........g").begin("vex")
    beside = [f"{column}{row}" for row in (5, 4, 3) for column in "EDC" if f"{column}{row}" != "D4"]
    assert sorted(game.asked("combat use", who="vex", power="curb").options) == sorted(beside)
    many = game.asked("combat use", who="vex", power="rampart").options
    assert (len(many), many[0], "A1" in many) == (40, "I6", False)


def test_a_wall_is_moved_over_its_own_squares_and_onto_nobody(game: Game) -> None:
    """STR-TAC-21: part of it stays ground that it took; where somebody stands it has a gap."""
    game.draw("V....", ".....", ".....", ".....", "....g").begin("vex")
    use(game, "rampart", choose=("C2", "C3", "C4"))
    game.put("goblin", at="C5")
    use_again(game, "march", choose=("south",))
    assert game.get("fight.zones.rampart.squares") == ["C3", "C4"]
    use_again(game, "march", choose=("stay",))
    assert game.get("fight.zones.rampart.squares") == ["C3", "C4"]


def test_a_zone_that_drifts(game: Game) -> None:
    """STR-TAC-21: by a die of eight, from north by the clock."""
    game.draw("V........", *["........."] * 7, "........g").begin("vex")
    use(game, "fire", at="E5")
    before = game.state
    for die, middle in enumerate(("E4", "F4", "F5", "F6", "E6", "D6", "D5", "D4"), 1):
        with case(die):
            game.state = before
            use_again(game, "drift", dice=[die])
            squares = game.get("fight.zones.fire.squares")  # column by column
            assert (len(squares), squares[4]) == (9, middle)


def test_what_goes_along_with_somebody_is_moved_by_nobody(game: Game) -> None:
    """STR-TAC-21: and grows to 20 squares around them at most."""
    game.draw("V" + "." * 30 + "g").begin("vex")
    use(game, "mire")
    assert game.get("fight.zones.mire.squares") == ["A1", "B1"]
    use_again(game, "haul")
    assert game.get("fight.zones.mire.squares") == ["A1", "B1"]
    for spread in (16, 20):
        use_again(game, "bloat")
        assert (game.get("fight.zones.mire.spread"), len(game.get("fight.zones.mire.squares"))) == (
            spread, spread + 1
        )  # fmt: skip


def test_a_status_does_something_about_the_zones_of_who_gave_it(game: Game) -> None:
    """STR-TAC-12, 21: by their name; another's of that name is left alone."""
    game.draw("V........g", "B.........", "..........").begin("vex")
    for by, square in (("vex", "E2"), ("brann", "B2")):
        game.play("combat zone add", called="Fire", squares=[square], by=by)
    status = {"id": "stoking", "by": "vex", "ends": "encounter"}
    game.put("goblin", statuses=[status])
    game.next_turn_of("goblin")
    assert [len(zone["squares"]) for zone in game.get("fight.zones").values()] == [9, 1]


def test_cover_that_a_power_makes(game: Game) -> None:
    """Who stands wholly in it, or behind it, is in cover; not from within."""
    game.draw("V......g", "........", "........").begin("vex")
    use(game, "hedge", at="E2")
    fight = Fight(game.world)
    assert is_in_cover_of_obstacle_or_zone(fight, "vex", "goblin", melee=False)
    game.put("goblin", at="E1")
    assert is_in_cover_of_obstacle_or_zone(Fight(game.world), "vex", "goblin", melee=False)
    game.put("vex", at="D1")
    assert not is_in_cover_of_obstacle_or_zone(Fight(game.world), "vex", "goblin", melee=False)


def test_light_in_the_dark(game: Game) -> None:
    """What a torch lights is seen, wherever its bearer goes; the rest of the dark stays dark (STR-TAC-22)."""
    game.draw("V....g..").begin("vex")
    game.play(
        "combat zone add", called="Night", squares=[f"{column}1" for column in "ABCDEFGH"], sight="dark"
    )
    assert sight_of(Fight(game.world), "vex", "goblin").unseen
    use(game, "torch")
    assert sight_of(Fight(game.world), "vex", "goblin").unseen
    game.move("vex", "D1")
    assert sight_of(Fight(game.world), "vex", "goblin").how == CLEAR


def test_it_goes_off_when_somebody_comes_in(game: Game) -> None:
    """Once, for the first who does, by whatever way."""
    game.draw("V....g").begin("vex")
    use(game, "mine", choose=("D1",))
    game.next_turn_of("goblin")
    game.put("goblin", hp=10, max_hp=10)
    game.move("goblin", "D1")
    assert game.lost("goblin") == 3
    assert not game.get("fight.zones")


def test_it_goes_off_when_somebody_goes_out(game: Game) -> None:
    """STR-TAC-21: not within it, and once for the way out of it; whoever never was in it is safe."""
    game.draw("V...g...", "........", "........").begin("vex")
    use(game, "brambles", at="E2")
    game.next_turn_of("goblin")
    game.put("goblin", hp=10, max_hp=10)
    game.move("goblin", "E3")
    assert game.lost("goblin") == 0
    game.next_turn_of("goblin")
    game.move("goblin", "H3")
    assert game.lost("goblin") == 2
    assert game.get("fight.zones")


def test_it_goes_off_when_the_zone_ends(game: Game) -> None:
    """At the start of its maker's next turn, for those who are there then."""
    game.draw("V....g.p", "........", "........").begin("vex")
    use(game, "doom", at="F2")
    game.next_turn_of("goblin")
    game.put("goblin", hp=10, max_hp=10)
    game.put("post", at="E3")
    game.next_turn_of("vex")
    assert (game.lost("goblin"), game.lost("post"), game.lost("vex")) == (3, 3, 0)


# Summons


def test_a_pack_acts_after_its_maker(game: Game) -> None:
    """On the maker's side, with a sheet and a turn of their own right after theirs; the decision is whose
    square is whose."""
    game.draw("V.....g", ".......", ".......").begin("vex")
    use(game, "pack", choose=("C1", "C2"))
    assert game.get("fight.order")[:3] == ["vex", "wolf-2", "wolf"]
    assert game.of("wolf", "side") == "party"
    assert game.next_turn()["who"] == "wolf-2"
    game.play("combat damage", who="vex", amount=40)
    assert game.of("wolf", "out") == game.of("wolf-2", "out") == "left"


@pytest.mark.parametrize(("first", "later"), [("vex", 1), ("goblin", 0)])
def test_who_is_called_in_anothers_turn_acts_after_their_maker(book: Book, first: str, later: int) -> None:
    """STR-TAC-02, 24: in this round if its maker has yet to act in it, or else from the next one on."""
    howling = copy(book)
    vex = book.characters["vex"]
    howling.characters = {**book.characters, "vex": {**vex, "powers": ["howl"]}}
    game = Game(howling).draw("Vg.", "...").begin(first)
    if first == "vex":
        game.next_turn()
    game.attack("goblin", "vex", dice=[5], choose=["use", "A2"])
    assert [game.next_turn()["who"] for _ in range(2)] == ["vex", "wolf"]
    assert game.get("fight.round") == 1 + later
    assert [game.next_turn()["who"] for _ in range(3)] == ["goblin", "vex", "wolf"]


def test_newcomers_come_after_whoever_rolled_more_and_their_summons(game: Game) -> None:
    """STR-TAC-02, 24: summons without a die of their own go by their maker's."""
    game.draw("V.....g", ".......", "......p").begin("vex")
    game.put("goblin", initiative=4)
    game.put("post", initiative=2)
    use(game, "pack", choose=("C1", "C2"))
    before = game.get("fight.order")
    game.play("combat join", ref="brann", at=["A3"], dice=[3])
    assert game.get("fight.order") == [*before[:4], "brann", "post"]
    game.play("combat join", ref="odo", at=["B3"], dice=[5])
    assert game.get("fight.order") == [*before[:3], "odo", before[3], "brann", "post"]


def summons(game: Game) -> list[str]:
    return [who for who, one in game.get("fight.combatants").items() if "summoned" in one]


def in_the_fight(game: Game) -> set[str]:
    return {who for who, one in game.get("fight.combatants").items() if "out" not in one}


def test_how_long_summons_stay(game: Game) -> None:
    """STR-TAC-24: until the start or the end of a turn of whoever called them, and of nobody else; called in
    another's turn, to the end of their maker's next."""
    game.draw("V.....g", ".......", ".......").begin("vex")
    assert set(game.asked("combat use", who="vex", power="dawn").options) == {"B1", "A2", "B2"}
    use(game, "dawn", choose=("B1",))
    game.next_turn()
    assert "wolf" in in_the_fight(game)
    game.attack("goblin", "vex", power="core:ranged-basic", dice=[2], choose=["use", "A2"])
    assert {"wolf", "wolf-2"} <= in_the_fight(game)
    game.play("combat end-turn")
    assert {"wolf", "wolf-2"} <= in_the_fight(game)
    game.play("combat turn")
    assert in_the_fight(game) == {"vex", "goblin", "wolf-2"}
    game.play("combat end-turn")
    assert in_the_fight(game) == {"vex", "goblin"}
    assert "Wolf 2 is gone." in game.texts()


def test_who_stays_when_their_maker_is_gone(game: Game) -> None:
    """STR-TAC-24: those of whom the power says so; the turn of one who goes is over."""
    game.draw("V.....g", ".......", ".......").begin("vex")
    use(game, "guard", choose=("B1",))
    use_again(game, "pack", choose=("C1", "C2"))
    assert game.next_turn()["who"] == "wolf-3"
    game.play("combat leave", who="vex", why="the story")
    assert in_the_fight(game) == {"goblin", "wolf"}
    assert (game.get("fight.active"), game.get("fight.turn")) == (None, None)
    assert game.next_turn()["who"] == "goblin"


def test_only_who_was_summoned_is_dismissed(game: Game) -> None:
    game.draw("V.....g", ".......", ".......").begin("vex")
    use(game, "guard", choose=("B1",))
    for who, left in (("goblin", {"vex", "goblin", "wolf"}), ("wolf", {"vex", "goblin"})):
        game.set("fight.turn", {})
        game.play("combat use", who="vex", power="banish", targets=[who])
        assert in_the_fight(game) == left


def test_summons_come_as_their_sheet_has_them(game: Game) -> None:
    """STR-TAC-24, 27: but in sight; with as many turns as they roll for, or one right after their maker."""
    game.draw("V.....g", ".......", ".......").begin("vex")
    use(game, "shade", choose=("B1",))
    use_again(game, "shades", choose=("A2",), dice=[1, 2])
    for who, turns in zip(summons(game), (1, 2), strict=True):
        assert game.of(who, "hidden") is None
        assert (Fight(game.world).turns_a_round(who), game.get("fight.order").count(who)) == (turns, turns)


def test_whoever_made_a_zone_gains_by_it(game: Game) -> None:
    """STR-TAC-21: what its status does may be for who made it."""
    game.draw("V....g").begin("vex").put("vex", hp=2)
    use(game, "toll", choose=("D1",))
    game.next_turn_of("goblin")
    game.move("goblin", "D1")
    assert game.of("vex", "hp") == 5


def test_no_more_than_six_are_there_at_one_time(game: Game) -> None:
    """STR-TAC-24: whatever a power says; in the place of one who is gone another may come."""
    game.draw("V....", ".....", "....g").begin("vex")
    places = ("A2", "B1", "B2", "C1", "C2", "C3")
    use(game, "swarm", choose=places)
    wolves = summons(game)
    assert len(wolves) == 6
    assert not {*wolves} & {*game.get("fight.order")}
    game.play("combat damage", who=wolves[0], amount=9)
    use_again(game, "swarm", choose=("A3",))
    assert len(summons(game)) == 7


def test_summons_come_on_any_side(game: Game) -> None:
    """STR-TAC-07: to every free square that is near enough; the nearest to an enemy first."""
    game.draw(*["......."] * 3, "...V...", *["......."] * 2, ".....g.").begin("vex")
    question = game.asked("combat use", who="vex", power="pack")
    around = {f"{column}{row}" for column in "BCDEF" for row in range(2, 7)} - {"D4"}
    assert set(question.options) - {"stay"} == around
    assert question.options[0] == "E6"


def test_a_summon_that_stays_for_a_turn(game: Game) -> None:
    """Called on one's own turn it stays until the end of the next one."""
    game.draw("V.....g", ".......", ".......").begin("vex")
    game.play("combat use", who="vex", power="spirit", choose=["B1"], dice=[1])
    assert "wolf" in game.get("fight.order")
    game.play("combat end-turn")
    assert game.of("wolf", "out") is None
    game.next_turn_of("vex")
    game.play("combat end-turn")
    assert game.of("wolf", "out") == "left"


def test_a_totem_has_an_aura_and_no_turns(game: Game) -> None:
    game.draw("V.....g", ".......", ".......").begin("vex")
    use(game, "totem", choose=("B1",))
    assert "totem" not in game.get("fight.order")
    assert held(game, "vex") == {"calm"}
    squares = [f"{column}{row}" for column in "ABCD" for row in "123"]
    assert game.get("fight.zones.calm") == {
        "name": "Calm", "squares": squares, "ends": "encounter", "by": "totem", "along": "totem",
        "spread": 2, "status": "calm", "who": "friends",
    }  # fmt: skip
    use_again(game, "release")
    assert game.of("totem", "out") == "left"
    assert held(game, "vex") == set()
    game.set("fight.turn", {})
    with pytest.raises(WouldDoNothing):
        use(game, "release")


def test_a_wall_by_hand_needs_free_squares(game: Game) -> None:
    game.draw("V..g").begin("vex")
    with pytest.raises(Problem, match="Goblin stands there"):
        game.play("combat zone add", called="Wall", squares=["C1", "D1"], blocks=True)
    game.play("combat zone add", called="Wall", squares=["C1"], blocks=True, cover=True)
    assert not Fight(game.world).has_line_of_sight("vex", "goblin")
