"""Who may see what of a scene: nothing of an open decision, a team or an order tells of somebody hidden."""

from __future__ import annotations

from strike_cli.tabletop.scene import Asked, Card, Meter, Order, Person, Scene, Side
from strike_cli.tabletop.turn_order import Entry
from strike_cli.visibility.audiences import GM, PLAYERS, Audience
from strike_cli.visibility.known_scene import scene_for_audience

VEX = Person("vex", "Vex", "party", meters=(Meter("hp", "HP", 7, 10),))
LURKER = Person("lurker", "Reed Lurker", "enemies", hidden=True)


def scene_with(asked: Asked | None = None, *others: Person, **more: object) -> Scene:
    people = {one.id: one for one in (VEX, LURKER, *others)}
    return Scene("toy", "toy", "ford", "The Ford", people=people, asked=asked, **more)  # type: ignore[arg-type]


def asked(who: str = "vex", what: str = "attack whom", **more: object) -> Asked:
    return Asked(who, what, ("brann", "goblin", "pass"), ("7 HP", "unhurt", ""), **more)  # type: ignore[arg-type]


def test_a_decision_is_told_without_what_names_somebody_hidden() -> None:
    question = asked(said=("Vex moves.", "The reeds move where the Reed Lurker lies."))
    told = scene_for_audience(scene_with(question), PLAYERS).asked
    assert told == question._replace(said=("Vex moves.",))
    assert scene_for_audience(scene_with(question), GM).asked == question


def test_a_decision_that_somebody_hidden_takes_part_in_is_not_told() -> None:
    among = asked()._replace(options=("brann", "lurker", "pass"))
    for question in (asked(secret=True), asked("lurker"), asked(what="push lurker to"), among):
        assert scene_for_audience(scene_with(question), PLAYERS).asked is None
        assert scene_for_audience(scene_with(question), GM).asked == question


def test_where_numbers_are_kept_a_decision_is_told_without_words() -> None:
    question = asked(said=("Goblin takes 2 damage: 4 to 2.",))
    bar = Audience(meters="bar")
    goblin = Person("goblin", "Goblin", "enemies", meters=(Meter("hp", "HP", 2, 4),))
    told = scene_for_audience(scene_with(question, goblin), bar).asked
    assert (told.options, told.labels, told.said) == (("brann", "goblin", "pass"), (), ())
    told = scene_for_audience(scene_with(question), bar).asked
    assert told.said == question.said, "nobody here has numbers to keep"


def test_a_team_and_its_cards_are_without_who_is_hidden() -> None:
    cards = (Card("vex", "run"), Card("lurker", "hide"))
    told = scene_for_audience(
        scene_with(sides=(Side("ours", "Us", team=("vex", "lurker"), cards=cards),)), PLAYERS
    )
    assert told.sides[0].team == ("vex",)
    assert told.sides[0].cards == cards[:1]


def test_a_round_that_somebody_hidden_begins_is_not_begun_for_players() -> None:
    """Nor is there a gap among those who come next."""
    brann = Person("brann", "Brann", "party")
    after = ("vex", "lurker", "brann")
    waiting = tuple(map(Entry, after))
    last = Order("list", 1, tuple(Entry(who, "acted") for who in after), None, ("vex",), (), after)
    for active, left in (("lurker", ("vex", "brann")), (None, ("vex", "brann"))):
        now = Order("list", 2, waiting, active, left, left, after)
        told, before = (
            scene_for_audience(scene_with(None, brann, order=each), PLAYERS) for each in (now, last)
        )
        assert told.order == before.order
        assert (told.round, told.order.next) == (1, ("vex",))
    begun = Order("list", 2, waiting, "vex", ("lurker", "brann"), ("lurker", "brann"), after)
    order = scene_for_audience(scene_with(None, brann, order=begun), PLAYERS).order
    assert (order.round, order.active, order.next) == (2, "vex", ("brann",))


def test_a_side_of_which_nobody_is_seen_is_in_no_order() -> None:
    order = Order("sides", 1, (Entry("party"), Entry("enemies")), "enemies", ("party", "enemies"))
    told = scene_for_audience(scene_with(order=order), PLAYERS).order
    assert ([entry.who for entry in told.entries], told.active, told.next) == (["party"], None, ("party",))
    assert (
        scene_for_audience(
            scene_with(None, LURKER._replace(id="g", hidden=False), order=order), PLAYERS
        ).order
        == order
    )
