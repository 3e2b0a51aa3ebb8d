"""Scenes as a virtual tabletop shows them: scene, tokens, turn order, other scenes, open decisions.

Values are absolute, and read from the form in which every scene can be shown. Nothing here depends on a
target, a system or a file.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple
from zlib import crc32

from strike_cli.kernel.statements import ENGLISH, Language
from strike_cli.tabletop.distance_measure import SQUARES
from strike_cli.tabletop.people import default_name
from strike_cli.tabletop.scene import Asked, Board, Exhibit, Meter, Order, Person, Scene, Side
from strike_cli.tabletop.turn_order import ACTED, ACTING, DELAYED, HELD, OUT, WAITING, Entry
from strike_cli.visibility.audience import (
    Audience,
    ToldMeter,
    is_secret,
    is_secret_zone,
    meter_for,
    without_secrets,
)
from strike_cli.visibility.audience_view import AudienceView, view_for

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
        ShownScene,
        ShownSide,
        ShownToken,
        ToldDie,
    )

LEFT = "left"
"""The state of a creature that left: unlike the fallen, it has no token any more."""
Payload = dict[str, object]
"""A JSON table of another program."""


class ShownTable(NamedTuple):
    """The view of a table: `scene` and `order` are None between scenes; tokens are keyed by person.

    `beside` are other scenes under way, each {scene, tokens, order}; `asked` the open decisions; `exhibits`
    what is always on the table: clocks, the day, handouts.
    """

    scene: ShownScene | None
    tokens: dict[str, ShownToken]
    order: ShownOrder | None
    beside: tuple[ShownAside, ...] = ()
    asked: tuple[ShownDecision, ...] = ()
    exhibits: tuple[ShownExhibit, ...] = ()


NOTHING = ShownTable(None, {}, None)


def project(
    state: Mapping[str, object],
    *,
    gm: bool = False,
    hp: str = "exact",
    boardless: bool = True,
    language: Language = ENGLISH,
) -> ShownTable:
    """Return the table that a tabletop shows for a state.

    `gm`: only the game master sees the tabletop, or it hides things from its players by itself; else hidden
    creatures are left out entirely. `hp`: how the meters of everybody but the party are shown: "exact",
    "bar", "wounds" or "none". `boardless`: it shows scenes without a map; without it, only people with
    something to show on a token are sent.
    """
    return project_view(view_for(state, Audience(gm, meters=hp, language=language)), boardless=boardless)


def project_view(view: AudienceView, *, boardless: bool = True) -> ShownTable:
    """Return the table that a tabletop shows for an audience's view."""
    asked, exhibits = tuple(_decisions(view)), tuple(map(_exhibit, view.exhibits))
    scene = find_shown_scene(view.scenes, boardless=boardless)
    if scene is None:
        return NOTHING._replace(asked=asked, exhibits=exhibits)
    shown = _project_scene(scene, view)
    beside = [_project_scene(other, view) for other in view.scenes if other is not scene]
    if not (boardless or scene.board):
        shown = shown._replace(
            tokens={
                person: token
                for person, token in shown.tokens.items()
                if token["meters"] or token["statuses"]
            }
        )
    return shown._replace(beside=tuple(map(_aside, beside)), asked=asked, exhibits=exhibits)


def find_shown_scene(scenes: Sequence[Scene], *, boardless: bool = True) -> Scene | None:
    """Return the one scene that a tabletop shows: the newest with a map, else the newest.

    Where it shows none without a map: else the newest whose people have something to show on a token.
    """
    fitting = [scene for scene in scenes if scene.board]
    if not fitting:
        fitting = [
            scene
            for scene in scenes
            if boardless or any(one.meters or one.statuses for one in scene.people.values())
        ]
    return next(reversed(fitting), None)


def _project_scene(scene: Scene, view: AudienceView) -> ShownTable:
    active = scene.order.active if scene.order else None
    tokens = {
        person: _token(one, person == active, bool(scene.board), view.audience)
        for person, one in scene.people.items()
        if one.out != LEFT
    }
    return ShownTable(_scene(scene, view), tokens, _order(scene.order, scene.people) if scene.order else None)


def project_scene(scene: Scene, audience: Audience) -> ShownTable:
    """Return the table that a tabletop shows for a scene outside of any campaign."""
    view = AudienceView(audience, [scene], {})
    return _project_scene(view.scenes[0], view)


def _aside(shown: ShownTable) -> ShownAside:
    assert shown.scene is not None
    return {"scene": shown.scene, "tokens": list(shown.tokens.values()), "order": shown.order}


def _exhibit(exhibit: Exhibit) -> ShownExhibit:
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


def _scene(scene: Scene, view: AudienceView) -> ShownScene:
    """Return the ground of a scene, or the subject of a scene without a map."""
    board = scene.board or Board()
    payload: ShownScene = {
        "id": scene_id(scene),
        "name": scene.name,
        "goal": scene.goal or None,
        **_ground(board),  # type: ignore[typeddict-item]  # which has none of the rarer keys of a scene
        "image": image_of(board.image) if board.image else None,
        "zones": _zones(scene),
    }
    if scene.measure and scene.measure != SQUARES:
        payload["measure"] = scene.measure.as_dict()
    if board.seen is not None:
        payload["fog"] = _fog(scene, board, view)
    if scene.track:
        payload["track"] = {"name": scene.track.name, "steps": list(scene.track.steps), "at": scene.track.at}
    if scene.sides:
        payload["sides"] = [_side(side, view.audience.gm and side.secret) for side in scene.sides]
    if not scene.order:
        payload["round"] = scene.round
    if scene.over:
        payload["over"] = True
    return payload


def _zones(scene: Scene) -> list[ZonePayload]:
    zones = scene.board.zones if scene.board else ()
    return [
        {
            "id": zone.id,
            "name": zone.name,
            "kind": zone.kind,
            "squares": [at for square in zone.squares if (at := position_of(square))],
            "hidden": is_secret_zone(zone, scene.people),
        }
        for zone in zones
    ]


def _fog(scene: Scene, board: Board, view: AudienceView) -> ShownFog:
    """Return which squares the party has seen, row by row.

    An audience that sees everything also gets the ground as players see it.
    """
    seen = board.seen or ()
    marks = [
        "".join("." if (x, y) in seen else " " for x in range(len(row))) for y, row in enumerate(board.rows)
    ]
    if not view.audience.gm:
        return {"seen": marks, "ground": None}
    theirs = view.for_players(scene)
    return {"seen": marks, "ground": {**_ground(theirs.board or Board()), "zones": _zones(theirs)}}


def _ground(board: Board) -> ShownMap:
    """Return the fixed parts of a map.

    A door is a line from `at` to `to`; doors that fill a square are in the rows. A one-way wall stops a
    creature that comes from the left of its direction.
    """
    ground: ShownMap = {
        "rows": list(board.rows),
        "walls": _lines(board.walls),
        "one_way_walls": _lines(board.one_way_walls),
        "doors": [
            {"at": _point(door["at"][0]), "to": _point(door["at"][-1]), "open": bool(door.get("open"))}
            for door in board.doors
        ],
    }
    # Walls that stop only steps or only sight, and terrain walls: few maps have any.
    if board.see_through_walls:
        ground["see_through_walls"] = _lines(board.see_through_walls)
    if board.walk_through_walls:
        ground["walk_through_walls"] = _lines(board.walk_through_walls)
    if board.terrain_walls:
        ground["terrain_walls"] = _lines(board.terrain_walls)
    if board.lights:
        ground["lights"] = [
            {
                "at": _point(light["at"]),
                "range": light["range"],
                "color": light.get("color", "ffffffff"),
                "intensity": light.get("intensity", 1),
                "shadows": light.get("shadows", True),
            }
            for light in board.lights
        ]
    return ground


def _lines(walls: Sequence[Points]) -> list[list[PointPayload]]:
    return [[_point(point) for point in wall] for wall in walls]


def image_of(image: PictureKept) -> ShownImage:
    """Return the source of a map's picture, not its bytes.

    `tabletop.pictures` reads them for a target that takes it. A creature's current picture, and a map's
    without `sha256`, is read from its file by `Target.project`.
    """
    kept: Mapping[str, object] = image
    return {key: kept[key] for key in _IMAGE if key in kept}  # type: ignore[return-value]  # those keys alone


_IMAGE = ("file", "sha256", "pixels", "offset")


def _point(point: Sequence[float]) -> PointPayload:
    return {"x": point[0], "y": point[1]}


def scene_id(scene: Scene) -> str:
    """Return a scene's id in the campaign; for a scene begun by name alone, the name of its place."""
    return scene.id or scene.key


def _side(side: Side, hidden: bool) -> ShownSide:
    """Return a side.

    A card whose `what` is None lies face down, and one that is `hidden` does so for players.
    """
    cards: list[ShownCard] = [{"who": card.who, "what": card.what} for card in side.cards]
    if hidden:
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


def _order(order: Order, people: Mapping[str, Person]) -> ShownOrder:
    return {
        "kind": order.kind,
        "round": order.round,
        "active": order.active,
        "next": list(order.next),
        "entries": [_entry(entry, people) for entry in order.entries if entry.state != OUT],
    }


_READY = {ACTING: 0, WAITING: 1, HELD: 3, DELAYED: 3, ACTED: 4}
_OF_ANOTHER_SIDE = 1
"""The amount added to the sort key of people whose side is not acting."""


def list_by_turn(order: ShownOrder, tokens: Mapping[str, ShownToken]) -> ShownOrder:
    """Return a turn order for a target that knows only lists of people: those who may act come first.

    Within sides everybody acts side by side, so it is nobody's own turn.
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
        "entries": list(_order_by_sides(order, tokens)),
    }


def _order_by_sides(order: ShownOrder, tokens: Mapping[str, ShownToken]) -> Iterator[ShownEntry]:
    """Yield who has yet to act, the acting side first; then who holds or delays, then who has acted."""
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


def _entry(entry: Entry, people: Mapping[str, Person]) -> ShownEntry:
    """Return an order entry; it is hidden for a hidden creature, and for a side of hidden creatures only."""
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
    return {**shown, "hidden": True} if whose and all(map(is_secret, whose)) else shown


def _token(person: Person, active: bool, board: bool, audience: Audience) -> ShownToken:
    """Return the token of a creature.

    `away`: the creature is not on the map; without a map, nobody is away. Secrets are left out for everybody:
    a visible token shows what it has.
    """
    statuses: dict[str, str] = {}
    for status in without_secrets(person).statuses:
        statuses.setdefault(status.name, status.id)
    if person.hidden and not is_secret(person):
        statuses.setdefault("Hidden", "hidden")
    meters = [(meter, meter_for(meter, person, audience)) for meter in person.meters]
    position, bar = position_of(person.at), _bar(meters[0][1] if meters else None)
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
        "meters": [_meter(meter, shown, audience) for meter, shown in meters],
        "statuses": list(statuses),
        "status_ids": list(statuses.values()),
        "hidden": is_secret(person),
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


def _bar(first: ToldMeter | None) -> ShownBar:
    """Return the first meter, which tabletops show as a bar and most call HP."""
    if first is None:
        return {"hp": None, "hp_shown": "exact", "wounds": None}
    hp: HitPointsPayload | None = None
    if first.value is not None:
        hp = {"value": first.value, "max": first.most or first.value}
    return {"hp": hp, "hp_shown": first.shown, "wounds": first.wounds}


def _meter(meter: Meter, shown: ToldMeter, audience: Audience) -> ShownMeter:
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


def _decisions(view: AudienceView) -> Iterator[ShownDecision]:
    """Yield the open decisions, of scenes and outside of them.

    A decision of which players know only a part has all of it under `gm`; one that they don't know of is
    `hidden`. `mark` must be removed before a target is sent it.
    """
    ids = {scene.key: scene_id(scene) for scene in view.scenes}
    now = {person: one.name for person, one in view.people.items()}
    for key, decision in view.decisions.items():
        asked, names = decision.for_players or decision.asked, {**decision.names, **now}
        in_full = decision.asked if decision.asked != asked else None
        words = _decision_words(asked, names, view.audience.language)
        yield {
            "id": ids.get(key) or f"{crc32(key.encode()):08x}",  # the key may name somebody hidden
            "scene": ids.get(key),
            "who": asked.who,
            "name": _capitalize_group(names.get(asked.who) or decision.decider),
            "what": asked.asks,
            "options": words["options"],
            "said": words["said"],
            "dice": words["dice"],
            "hidden": decision.for_players is None,
            "gm": _decision_words(in_full, names, view.audience.language) if in_full else None,
            "mark": decision.mark,
        }


def _capitalize_group(words: str) -> str:
    """Return the name of the person or group that decides, such as "the party", with a capital letter."""
    return words[:1].upper() + words[1:]


def _decision_words(asked: Asked, names: Mapping[str, str], language: Language) -> DecisionWords:
    labels = asked.labels or ("",) * len(asked.options)
    pairs = zip(asked.options, labels, strict=False)
    dice: list[ToldDie] = [
        {
            "who": names.get(roll.who) or default_name(roll.who),
            "purpose": language.purpose(roll.purpose),
            "sides": roll.sides,
            "each": [],
            "faces": list(roll.faces),
            "kept": None,
            "mode": "plain",
            "modifiers": [],
            "total": None,
        }
        for roll in asked.dice
    ]
    return {
        "options": [{"name": name, "label": label} for name, label in pairs],
        "said": list(asked.said),
        "dice": dice,
    }


def position_of(square: str | None) -> SquarePayload | None:
    """Return a square, such as `C7`, as {"x": 2, "y": 6}: column and row from 0.

    None for a creature that is not on the map.
    """
    match = re.fullmatch(r"([A-Za-z]+)([1-9][0-9]*)", square or "", re.ASCII)
    if match is None:
        return None
    column = 0
    for letter in match[1].upper():
        column = column * 26 + ord(letter) - ord("A") + 1
    return {"x": column - 1, "y": int(match[2]) - 1}
