"""The payloads that a tabletop is sent for a state: scene, tokens, turn order, decisions, exhibits.

All values are absolute. They are made from the common form of a scene, so nothing here depends on a target, a
game system or a file.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple
from zlib import crc32

from strike_cli.kernel.statements import ENGLISH, Language
from strike_cli.tabletop.characters_and_names import name_from_id
from strike_cli.tabletop.distance_units import SQUARES
from strike_cli.tabletop.scene import Asked, Board, Meter, Order, Person, Scene, Side, TableItem
from strike_cli.tabletop.turn_order import ACTED, ACTING, DELAYED, HELD, OUT, WAITING, Entry
from strike_cli.visibility.audience_view import AudienceView, make_audience_view
from strike_cli.visibility.audiences import (
    Audience,
    AudienceMeter,
    is_person_secret,
    is_secret_zone,
    meter_shown_to,
    without_secret_statuses,
)

if TYPE_CHECKING:
    from strike_cli.tabletop.data import PictureKept, Points
    from strike_table.schemas import (
        HitPointsPayload,
        MeterNumbersPayload,
        PointPayload,
        SquarePayload,
        ZonePayload,
    )

    from .payloads import (
        DecisionWords,
        ShownAside,
        ShownBar,
        ShownCard,
        ShownDecision,
        ShownEntry,
        ShownExhibit,
        ShownFog,
        ShownImage,
        ShownMap,
        ShownMeter,
        ShownOrder,
        ShownRoll,
        ShownScene,
        ShownSide,
        ShownToken,
    )

LEFT = "left"
"""The state of a creature that left: unlike the fallen, it has no token any more."""
Payload = dict[str, object]
"""A JSON table of another program."""


class ShownTable(NamedTuple):
    """Everything that a tabletop shows.

    `scene` and `order` are None between scenes; `tokens` has the tokens by their creatures' ids. `beside` has
    the side scenes under way, `asked` the open decisions, and `exhibits` what stays on the table: clocks, the
    day, handouts.
    """

    scene: ShownScene | None
    tokens: dict[str, ShownToken]
    order: ShownOrder | None
    beside: tuple[ShownAside, ...] = ()
    asked: tuple[ShownDecision, ...] = ()
    exhibits: tuple[ShownExhibit, ...] = ()


EMPTY_TABLE = ShownTable(None, {}, None)


def project_state(
    state: Mapping[str, object],
    *,
    gm: bool = False,
    hp: str = "exact",
    every_boardless: bool = True,
    language: Language = ENGLISH,
) -> ShownTable:
    """Return what a tabletop shows of a state.

    Args:
        state: The state.
        gm: Whether only the game master sees the tabletop, or the tabletop itself hides things from players.
            If False, hidden creatures are left out.
        hp: How to show the meters of everybody outside the party: "exact", "bar", "wounds" or "none".
        every_boardless: Whether scenes without a map are shown, too. If False, such a scene is shown only if
            somebody in it has a meter or a status.
        language: The language of the texts.
    """
    return project_view(
        make_audience_view(state, Audience(gm, meters=hp, language=language)), every_boardless=every_boardless
    )


def project_view(view: AudienceView, *, every_boardless: bool = True) -> ShownTable:
    """Return what a tabletop shows of an audience's view.

    `every_boardless` says that the tabletop also shows scenes without a map. If it is False, such a scene is
    shown only if somebody in it has a meter or a status.
    """
    asked, exhibits = tuple(_decision_payloads(view)), tuple(map(_exhibit_payload, view.exhibits))
    scene = find_newest_shown_scene(view.scenes, every_boardless=every_boardless)
    if scene is None:
        return EMPTY_TABLE._replace(asked=asked, exhibits=exhibits)
    shown = _project_scene_tokens_and_order(scene, view)
    beside = [_project_scene_tokens_and_order(other, view) for other in view.scenes if other is not scene]
    if not (every_boardless or scene.board):
        shown = shown._replace(
            tokens={
                person: token
                for person, token in shown.tokens.items()
                if token["meters"] or token["statuses"]
            }
        )
    return shown._replace(beside=tuple(map(_side_scene_payload, beside)), asked=asked, exhibits=exhibits)


def find_newest_shown_scene(scenes: Sequence[Scene], *, every_boardless: bool = True) -> Scene | None:
    """Return the main scene for a tabletop: the newest with a map, or if none has one, the newest.

    It is None without scenes. If `every_boardless` is False, scenes without a map count only if somebody in
    them has a meter or a status.
    """
    fitting = [scene for scene in scenes if scene.board]
    if not fitting:
        fitting = [
            scene
            for scene in scenes
            if every_boardless or any(one.meters or one.statuses for one in scene.people.values())
        ]
    return next(reversed(fitting), None)


def _project_scene_tokens_and_order(scene: Scene, view: AudienceView) -> ShownTable:
    active = scene.order.active if scene.order else None
    tokens = {
        person: _token_payload(one, person == active, bool(scene.board), view.audience)
        for person, one in scene.people.items()
        if one.out != LEFT
    }
    return ShownTable(
        _scene_payload(scene, view),
        tokens,
        _order_payload_without_those_out(scene.order, scene.people) if scene.order else None,
    )


def project_scene(scene: Scene, audience: Audience) -> ShownTable:
    """Return what a tabletop shows of a scene that belongs to no campaign."""
    view = AudienceView(audience, [scene], {})
    return _project_scene_tokens_and_order(view.scenes[0], view)


def _side_scene_payload(shown: ShownTable) -> ShownAside:
    assert shown.scene is not None
    return {"scene": shown.scene, "tokens": list(shown.tokens.values()), "order": shown.order}


def _exhibit_payload(exhibit: TableItem) -> ShownExhibit:
    return {
        "id": exhibit.id,
        "kind": exhibit.kind,
        "name": exhibit.name,
        "text": str(exhibit.text),
        "filled": exhibit.filled,
        "segments": exhibit.segments,
        "image": {**exhibit.image} if exhibit.image else None,  # type: ignore[typeddict-item]  # a picture's keys
        "hidden": exhibit.hidden,
    }


def _scene_payload(scene: Scene, view: AudienceView) -> ShownScene:
    board = scene.board or Board()
    payload: ShownScene = {
        "id": scene_id(scene),
        "name": scene.name,
        "goal": scene.goal or None,
        **_map_rows_walls_and_doors(board),  # type: ignore[typeddict-item]  # the map lacks a scene's optional keys
        "image": picture_source(board.image) if board.image else None,
        "zones": _zone_payloads_marking_hidden(scene),
    }
    if scene.measure and scene.measure != SQUARES:
        payload["measure"] = scene.measure.field_values_by_name()
    if board.seen is not None:
        payload["fog"] = _fog_payload(scene, board, view)
    if scene.track:
        payload["track"] = {"name": scene.track.name, "steps": list(scene.track.steps), "at": scene.track.at}
    if scene.sides:
        payload["sides"] = [_side_payload(side, view.audience.gm and side.secret) for side in scene.sides]
    if not scene.order:
        payload["round"] = scene.round
    if scene.over:
        payload["over"] = True
    return payload


def _zone_payloads_marking_hidden(scene: Scene) -> list[ZonePayload]:
    zones = scene.board.zones if scene.board else ()
    return [
        {
            "id": zone.id,
            "name": zone.name,
            "kind": zone.kind,
            "squares": [at for square in zone.squares if (at := square_payload(square))],
            "hidden": is_secret_zone(zone, scene.people),
        }
        for zone in zones
    ]


def _fog_payload(scene: Scene, board: Board, view: AudienceView) -> ShownFog:
    """Return which squares the party has seen, and for the game master also the map as players see it."""
    seen = board.seen or ()
    marks = [
        "".join("." if (x, y) in seen else " " for x in range(len(row))) for y, row in enumerate(board.rows)
    ]
    if not view.audience.gm:
        return {"seen": marks, "ground": None}
    theirs = view.scene_for_players(scene)
    return {
        "seen": marks,
        "ground": {
            **_map_rows_walls_and_doors(theirs.board or Board()),
            "zones": _zone_payloads_marking_hidden(theirs),
        },
    }


def _map_rows_walls_and_doors(board: Board) -> ShownMap:
    """Return the ground of a map: its rows, walls, doors and lights.

    A door in a wall is a line from `at` to `to`. A door that fills a square is a sign in the rows. A one-way
    wall stops creatures that come from its left, as seen along its direction.
    """
    ground: ShownMap = {
        "rows": list(board.rows),
        "walls": _wall_lines(board.walls),
        "one_way_walls": _wall_lines(board.one_way_walls),
        "doors": [
            {
                "at": _point_payload(door["at"][0]),
                "to": _point_payload(door["at"][-1]),
                "open": bool(door.get("open")),
            }
            for door in board.doors
        ],
    }
    # Walls that stop only steps or only sight, and terrain walls: few maps have any.
    if board.see_through_walls:
        ground["see_through_walls"] = _wall_lines(board.see_through_walls)
    if board.walk_through_walls:
        ground["walk_through_walls"] = _wall_lines(board.walk_through_walls)
    if board.terrain_walls:
        ground["terrain_walls"] = _wall_lines(board.terrain_walls)
    if board.lights:
        ground["lights"] = [
            {
                "at": _point_payload(light["at"]),
                "range": light["range"],
                "color": light.get("color", "ffffffff"),
                "intensity": light.get("intensity", 1),
                "shadows": light.get("shadows", True),
            }
            for light in board.lights
        ]
    return ground


def _wall_lines(walls: Sequence[Points]) -> list[list[PointPayload]]:
    return [[_point_payload(point) for point in wall] for wall in walls]


def picture_source(image: PictureKept) -> ShownImage:
    """Return where a map's picture is: file, digest, pixels and offset, without its bytes."""
    kept: Mapping[str, object] = image
    return {key: kept[key] for key in _IMAGE if key in kept}  # type: ignore[return-value]  # those keys alone


_IMAGE = ("file", "sha256", "pixels", "offset")


def _point_payload(point: Sequence[float]) -> PointPayload:
    return {"x": point[0], "y": point[1]}


def scene_id(scene: Scene) -> str:
    """Return a scene's id in the campaign, or its key in the state if it was begun without an id."""
    return scene.id or scene.key


def _side_payload(side: Side, cards_hidden: bool) -> ShownSide:
    """Return a side of a scene as it is sent to a target.

    If `cards_hidden` is true, players may not see the side's cards. Each card is then marked as hidden.
    """
    cards: list[ShownCard] = [{"who": card.who, "what": card.what} for card in side.cards]
    if cards_hidden:
        cards = [{**card, "hidden": True} for card in cards]
    shown: ShownSide = {
        "id": side.id,
        "name": side.name,
        "intent": side.intent,
        "team": list(side.team),
        "numbers": dict(side.numbers),
        "traits": list(side.traits),
        "lost_traits": list(side.lost_traits),
        "cards": cards,
    }
    if side.taken is not None:
        shown["taken"] = side.taken
    return shown


def _order_payload_without_those_out(order: Order, people: Mapping[str, Person]) -> ShownOrder:
    return {
        "kind": order.kind,
        "round": order.round,
        "active": order.active,
        "next": list(order.next),
        "entries": [_order_entry(entry, people) for entry in order.entries if entry.state != OUT],
    }


_READY = {ACTING: 0, WAITING: 1, HELD: 3, DELAYED: 3, ACTED: 4}
_OF_ANOTHER_SIDE = 1
"""The amount added to the sort key of people whose side is not acting."""


def turn_order_as_list_by_readiness(order: ShownOrder, tokens: Mapping[str, ShownToken]) -> ShownOrder:
    """Return a turn order as a plain list, for a target that can't show other kinds of order.

    An order that is already a list is returned unchanged.

    In any other order, the people who may still act come first. If whole sides take turns, `active` in the
    result is None, because a side's turn belongs to no single person.
    """
    if order["kind"] == "list":
        return order
    if order["kind"] == "pool":
        entries = sorted(order["entries"], key=lambda entry: _READY.get(entry["state"], 1))
        return {**order, "kind": "list", "entries": entries}
    return {
        **order,
        "kind": "list",
        "active": None,
        "next": [],
        "entries": list(_side_members_by_readiness(order, tokens)),
    }


def _side_members_by_readiness(order: ShownOrder, tokens: Mapping[str, ShownToken]) -> Iterator[ShownEntry]:
    """Return people's entries, sorted by readiness, for a turn order in which sides act as a whole.

    First come those who may still act, then those who wait, then those who have acted. In each group the
    acting side comes first.
    """
    sides = {token["side"] for token in tokens.values()}
    own = {entry["id"]: entry for entry in order["entries"] if entry["id"] not in sides}
    found: list[tuple[int, ShownEntry]] = []
    for side in order["entries"]:
        for token in tokens.values():
            if token["side"] == side["id"] and token["state"] != "out":
                entry = own.get(token["id"]) or {**side, "id": token["id"], "state": "waiting"}
                later = 0 if side["id"] == order["active"] else _OF_ANOTHER_SIDE
                entry = {**entry, "hidden": True} if token["hidden"] else entry
                found.append((_READY.get(entry["state"], 1) + later, entry))
    return (entry for _, entry in sorted(found, key=lambda each: each[0]))


def _order_entry(entry: Entry, people: Mapping[str, Person]) -> ShownEntry:
    """Return the payload of an entry of the turn order.

    The entry is hidden if it belongs to a hidden creature, or to a side whose creatures are all hidden.
    """
    whose = (
        [people[entry.who]]
        if entry.who in people
        else [one for one in people.values() if one.side == entry.who]
    )
    shown: ShownEntry = {
        "id": entry.who,
        "initiative": entry.initiative,
        "state": entry.state,
        "count": entry.members,
    }
    return {**shown, "hidden": True} if whose and all(map(is_person_secret, whose)) else shown


def _token_payload(person: Person, active: bool, board: bool, audience: Audience) -> ShownToken:
    """Return the token of a creature.

    `board` says that the scene has a map, and `active` that it is the creature's turn. The token is `away` if
    its creature isn't on the scene's map. Statuses that are secret are left out for every audience, since a
    visible token shows all of its statuses.
    """
    statuses: dict[str, str] = {}
    for status in without_secret_statuses(person).statuses:
        statuses.setdefault(status.name, status.id)
    if person.hidden and not is_person_secret(person):
        statuses.setdefault("Hidden", "hidden")
    meters = [(meter, meter_shown_to(meter, person, audience)) for meter in person.meters]
    position, bar = square_payload(person.at), _first_meter_bar(meters[0][1] if meters else None)
    token: ShownToken = {
        "id": person.id,
        "name": person.name,
        "side": person.side or "enemies",
        "position": position,
        "away": board and position is None,
        "size": person.size,
        "hp": bar["hp"],
        "hp_shown": bar["hp_shown"],
        "wounds": bar["wounds"],
        "meters": [_meter_payload(meter, shown, audience) for meter, shown in meters],
        "statuses": list(statuses),
        "status_ids": list(statuses.values()),
        "hidden": is_person_secret(person),
        "initiative": person.initiative,
        "active": active,
        "state": person.state,
        "image": {"file": person.image} if person.image else None,
    }
    if meters and token["hp_shown"] != "exact" and audience.gm:
        token["gm_hp"] = {
            "value": person.meters[0].value,
            "max": person.meters[0].most or person.meters[0].value,
        }
    return token


def _first_meter_bar(first: AudienceMeter | None) -> ShownBar:
    """Return the HP fields of a token, made from the creature's first meter."""
    if first is None:
        return {"hp": None, "hp_shown": "exact", "wounds": None}
    hp: HitPointsPayload | None = None
    if first.value is not None:
        hp = {"value": first.value, "max": first.most or first.value}
    return {"hp": hp, "hp_shown": first.shown, "wounds": first.wounds}


def _meter_payload(meter: Meter, shown: AudienceMeter, audience: Audience) -> ShownMeter:
    itself: MeterNumbersPayload = {"value": meter.value, "max": meter.most}
    return {
        "id": meter.id,
        "name": meter.name,
        "one": meter.one,
        "sign": meter.sign,
        "value": shown.value,
        "max": shown.most,
        "shown": shown.shown,
        "wounds": shown.wounds,
        "gm": itself if audience.gm and shown.shown != "exact" else None,
    }


def _decision_payloads(view: AudienceView) -> Iterator[ShownDecision]:
    """Yield the open decisions in the form for targets, whether or not they belong to a scene.

    - If players know nothing of a decision, `hidden` is True.
    - If players know only a part of its words, the payload has that part, and `gm` has all of the words.
    - `mark` identifies the decision. It must be removed before the payload is sent.
    """
    ids = {scene.key: scene_id(scene) for scene in view.scenes}
    now = {person: one.name for person, one in view.people.items()}
    for key, decision in view.decisions.items():
        asked, names = decision.for_players or decision.asked, {**decision.names, **now}
        in_full = decision.asked if decision.asked != asked else None
        words = _decision_options_said_and_dice(asked, names, view.audience.language)
        yield {
            "id": ids.get(key) or f"{crc32(key.encode()):08x}",  # the key may name somebody hidden
            "scene": ids.get(key),
            "who": asked.who,
            "name": _capitalize_group(names.get(asked.who) or decision.decider),
            "what": asked.question,
            "options": words["options"],
            "said": words["said"],
            "dice": words["dice"],
            "hidden": decision.for_players is None,
            "gm": _decision_options_said_and_dice(in_full, names, view.audience.language)
            if in_full
            else None,
            "mark": decision.gm_mark,
        }


def _capitalize_group(words: str) -> str:
    """Return the name of a person or group, such as "the party", beginning with a capital letter."""
    return words[:1].upper() + words[1:]


def _decision_options_said_and_dice(
    decision: Asked, names: Mapping[str, str], language: Language
) -> DecisionWords:
    labels = decision.labels or ("",) * len(decision.options)
    pairs = zip(decision.options, labels, strict=False)
    dice: list[ShownRoll] = [
        {
            "who": names.get(roll.who) or name_from_id(roll.who),
            "purpose": language.purpose(roll.purpose),
            "sides": roll.sides,
            "each": [],
            "faces": list(roll.faces),
            "kept": None,
            "mode": "plain",
            "modifiers": [],
            "total": None,
        }
        for roll in decision.dice
    ]
    return {
        "options": [{"name": name, "label": label} for name, label in pairs],
        "said": list(decision.said),
        "dice": dice,
    }


def square_payload(square: str | None) -> SquarePayload | None:
    """Return a square such as `C7` as {"x": 2, "y": 6}, counted from 0; None for a text that is no square."""
    match = re.fullmatch(r"([A-Za-z]+)([1-9][0-9]*)", square or "", re.ASCII)
    if match is None:
        return None
    column = 0
    for letter in match[1].upper():
        column = column * 26 + ord(letter) - ord("A") + 1
    return {"x": column - 1, "y": int(match[2]) - 1}
