"""A scene as an audience may see it: people, map, turn order, sides, and the open decision."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from ..kernel.state_changes import cached_in_block
from ..tabletop.scene import Board, Order, Person, Scene, Side
from ..tabletop.turn_order import ACTED, WAITING, next_two_or_first_of_next_round
from .audiences import Audience, is_person_secret, is_secret_zone, without_secret_statuses
from .known_decisions import decision_for_audience

if TYPE_CHECKING:
    from ..tabletop.data import BoardKept


@cached_in_block
def scene_for_audience(scene: Scene, audience: Audience) -> Scene:
    """Return a scene as an audience may see it."""
    if audience.gm:
        return scene
    people = people_for_audience(scene, audience)
    order = _order_for_players(scene.order, scene.people, people) if scene.order else None
    return scene._replace(
        people=people,
        board=_board_for_players(scene.board, scene.people) if scene.board else None,
        order=order,
        round=order.round if order and order.kind == "list" else scene.round,
        sides=tuple(_side_for_audience(side, scene.people, people, audience) for side in scene.sides),
        asked=decision_for_audience(scene.asked, [scene], audience),
    )


def people_for_audience(scene: Scene, audience: Audience) -> Mapping[str, Person]:
    """Return the people of a scene that an audience may know of."""
    if audience.gm:
        return scene.people
    return {
        person: without_secret_statuses(one)
        for person, one in scene.people.items()
        if not is_person_secret(one)
    }


def _board_for_players(board: Board, people: Mapping[str, Person]) -> Board | None:
    """Return a map without secret zones and squares in the fog; None if the fog covers all of it."""
    zones = tuple(zone for zone in board.zones if not is_secret_zone(zone, people))
    if board.seen is None:
        return board._replace(zones=zones)
    from ..tabletop.fog import names_of_seen_among

    seen = board.seen
    known = _limit_board_except_zones_to_seen(board)
    zones = tuple(zone._replace(squares=names_of_seen_among(seen, zone.squares)) for zone in zones)
    return known._replace(zones=zones) if any(row.strip() for row in known.rows) else None


_seen_parts_of_maps: deque[tuple[Board, Board]] = deque(maxlen=8)
"""Recent maps with fog, each with its part on squares that were seen."""


def _limit_board_except_zones_to_seen(board: Board) -> Board:
    """Return a map with fog, reduced to the part that the party has seen. Its zones stay as they are.

    The result is cached, since a scene is read several times.
    """
    for known, ground in tuple(_seen_parts_of_maps):
        if known is board:
            return ground
    from ..tabletop.fog import seen_part_of_map

    whole: BoardKept = {
        "rows": board.rows,
        "walls": board.walls,
        "one_way_walls": board.one_way_walls,
        "see_through_walls": board.see_through_walls,
        "walk_through_walls": board.walk_through_walls,
        "terrain_walls": board.terrain_walls,
        "doors": board.doors,
        "lights": board.lights,
    }
    parts = seen_part_of_map(board.seen or (), whole)
    left = board._replace(
        rows=tuple(parts["rows"]),
        walls=tuple(parts["walls"]),
        one_way_walls=tuple(parts["one_way_walls"]),
        see_through_walls=tuple(parts["see_through_walls"]),
        walk_through_walls=tuple(parts["walk_through_walls"]),
        terrain_walls=tuple(parts["terrain_walls"]),
        doors=tuple(parts["doors"]),
        lights=tuple(parts["lights"]),
        image=None,
    )
    _seen_parts_of_maps.append((board, left))
    return left


def _order_for_players(order: Order, people: Mapping[str, Person], seen: Mapping[str, Person]) -> Order:
    # For players the turn of a side is over once only hidden people of it are left to act.
    hidden = {one.side for person, one in people.items() if person not in seen}
    kept_back = hidden - {one.side for one in seen.values() if one.state != "out"}

    def is_person_or_side_known(person: str | None) -> bool:
        return person in seen or (person not in people and person not in kept_back)  # a side, not a person

    entries = tuple(entry for entry in order.entries if is_person_or_side_known(entry.who))
    active = order.active if is_person_or_side_known(order.active) else None
    if order.kind != "list":
        after = tuple(filter(is_person_or_side_known, order.next)) or tuple(
            filter(is_person_or_side_known, order.again)
        )
        return order._replace(entries=entries, active=active, next=after)
    left, again = (
        tuple(filter(is_person_or_side_known, order.left)),
        tuple(filter(is_person_or_side_known, order.again)),
    )
    if _has_round_begun_unseen(order, is_person_or_side_known):
        # For players the round before has just ended.
        over = (entry.but(state=ACTED) if entry.state == WAITING else entry for entry in entries)
        entries, left, order = tuple(over), (), order._replace(round=order.round - 1)
    after = (
        next_two_or_first_of_next_round(left, again, active)
        if order.again
        else tuple(filter(is_person_or_side_known, order.next))
    )
    return order._replace(entries=entries, active=active, next=after, left=left, again=again)


def _has_round_begun_unseen(order: Order, is_known: Callable[[str | None], bool]) -> bool:
    """Return whether a new round has begun without the players' knowledge.

    Players learn of a new round when somebody whom they know of has a turn in it. The first round is known
    from the start. `is_person_or_side_known` returns whether players know of a person; for None it returns
    True.
    """
    is_begun = order.round > 1 and (not is_known(order.active) or order.left != order.again)
    return is_begun and [*filter(is_known, order.left)] == [*filter(is_known, order.again)]


def has_round_begun_unseen(scene: Scene) -> bool:
    """Return whether a round has begun that players must not know of yet.

    Players learn of a new round when somebody whom they know of has a turn in it. The first round is known
    from the start. If the turn order isn't a list, the result is False.
    """
    order, people = scene.order, scene.people
    if order is None or order.kind != "list":
        return False
    return _has_round_begun_unseen(
        order, lambda person: person is None or not is_person_secret(people[person])
    )


def _side_for_audience(
    side: Side, people: Mapping[str, Person], seen: Mapping[str, Person], audience: Audience
) -> Side:
    hidden = people.keys() - seen.keys()
    cards = [card for card in side.cards if card.who not in hidden]
    if side.secret and side.id != audience.side:
        cards = [card._replace(what=None) for card in cards]
    return side._replace(
        team=tuple(person for person in side.team if person not in hidden), cards=tuple(cards)
    )
