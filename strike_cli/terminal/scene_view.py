"""Shows any scene on a screen: as a line, in a prompt, or in full.

It uses the common form of scenes, and knows no system.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

from ..tabletop.scene import SURPRISED, Order, Person, Scene, Side, Track
from ..tabletop.turn_order import ACTED, DELAYED, HELD, WAITING
from .battlemap.labels_and_marks import (
    all_ids_by_turn_order_down_last,
    is_hidden_by_fog_and_not_party,
    map_labels,
)
from .command_output import Block, Line, NumberHeading, Picture, Span, Table

Square = tuple[int, int]


def map_picture(scene: Scene, *, path: Sequence[Square] = (), reach: Collection[Square] = ()) -> Picture:
    """Return the map of a scene as a block.

    The map can also show a walk and a range of movement: `path` has the squares of the walk, and `reach` has
    the squares where a move may end.
    """
    from .battlemap import map_with_legend  # most callers show no map

    return Picture(
        lambda width: map_with_legend.map_and_legend_as_plain_text(scene, width, path=path, reach=reach),
        lambda width: map_with_legend.map_and_legend_as_rich_text(scene, width, path=path, reach=reach),
        lambda width: map_with_legend.map_and_legend_lines_in_rich_styles(
            scene, width, path=path, reach=reach
        ),
    )


def id_name_round_and_active_of_scene(scene: Scene) -> dict[str, object]:
    """Return a short form of a scene, for `strike status --json`."""
    return {
        "id": scene.id,
        "name": scene.name,
        "round": scene.round,
        "active": scene.order.active if scene.order else None,
    }


def meters_by_id_of_sheet(scenes: Iterable[Scene], ref: str) -> dict[str, dict[str, int | None]]:
    """Return the meters of the people whose sheet is `ref`, by the meters' ids.

    The people are those in the scenes under way.
    """
    return {
        meter.id: {"value": meter.value, "max": meter.most}
        for one in _people_of_sheet(scenes, ref)
        for meter in one.meters
    }


def _people_of_sheet(scenes: Iterable[Scene], ref: str) -> Iterator[Person]:
    return (one for scene in scenes for one in scene.people.values() if one.ref == ref)


def meter_cells_by_heading(scenes: Sequence[Scene], refs: Iterable[str]) -> dict[str, dict[str, Span]]:
    """Return table cells with the meters of people.

    The outer key is the heading of the column, and the inner key is the id of the person's sheet.
    """
    columns: dict[str, dict[str, Span]] = {}
    for ref in refs:
        for one in _people_of_sheet(scenes, ref):
            for meter in one.meters:
                columns.setdefault(NumberHeading(meter.name), {})[ref] = str(meter)
    return columns


def scene_state_line(scene: Scene) -> Line:
    """Return the state of a scene, `The Ford: round 2, Vex's turn.`, with the command that shows it."""
    show: Span = (f"strike {scene.system} show", "command")
    if scene.over:
        return [f"{scene.name} is over: ", show]
    if scene.order and not scene.round:
        return [f"{scene.name} is set up: ", show]
    return [f"{_scene_name_round_and_turn(scene)}. ", show]


def _scene_name_round_and_turn(scene: Scene) -> str:
    turn = (
        f", {possessive_name(scene, scene.order.active)} turn" if scene.order and scene.order.active else ""
    )
    return f"{scene.name}: round {scene.round}{turn}" if scene.round else scene.name


def possessive_name(scene: Scene, person_or_side: str) -> str:
    """Return the possessive of a name: `Vex's`, or `Rakers'` for a side or a group."""
    name, entries = (
        _person_name_or_capitalized_side_id(scene, person_or_side),
        scene.order.entries if scene.order else (),
    )
    several = person_or_side not in scene.people or any(
        each.who == person_or_side and each.members > 1 for each in entries
    )
    return f"{name}'" if several and name.endswith("s") else f"{name}'s"


def _person_name_or_capitalized_side_id(scene: Scene, person_or_side: str) -> str:
    return (
        scene.people[person_or_side].name if person_or_side in scene.people else person_or_side.capitalize()
    )


def prompt_words_of_scene(scene: Scene) -> str:
    """Return a scene in a few words for a prompt, such as `round 2, vex`."""
    if scene.order:
        if scene.round:
            return f"round {scene.round}, {scene.order.active or 'next'}"
        return scene.name.lower() if scene.id.startswith("made-up") else scene.id
    return scene.key


def map_or_other_scene_blocks(scene: Scene) -> list[Block]:
    """Return a scene as blocks, to be printed.

    A scene with a map is drawn as the map with its people. Below it are the people who may still act. Any
    other scene has a title and the blocks of `blocks_without_map_and_people`. If it has people but no sides,
    a table of its people follows.
    """
    if scene.board and scene.board.rows:
        return [map_picture(scene), *to_act_lines_unless_list(scene)]
    title: Block = [(_scene_name_round_and_turn(scene), "title"), (" is over." if scene.over else "", "dim")]
    people = [_people_table(scene)] if scene.people and not scene.sides else []
    return [title, *blocks_without_map_and_people(scene), *people]


def blocks_without_map_and_people(scene: Scene) -> list[Block]:
    """Return the blocks of a scene without its map and its table of people.

    They are the goal, the track, the initiative cards, and the table of sides, as far as the scene has these.
    """
    blocks: list[Block] = [[("Goal: ", "dim"), scene.goal]] if scene.goal else []
    if scene.track:
        blocks.append(track_steps_line(scene.track))
    blocks += to_act_lines_unless_list(scene) if scene.order and scene.order.kind == "pool" else []
    blocks += [_sides_table(scene)] if scene.sides else []
    return blocks


def to_act_lines_unless_list(scene: Scene) -> list[Line]:
    """Return the lines that say who may still act and who has acted.

    If the scene has no turn order, there are no lines. If it has a list of turns, there are none either,
    because the list shows the same. If sides act in turn, only the people of the acting side are named.
    """
    return [] if scene.order is None or scene.order.kind == "list" else people_by_turn_state_lines(scene)


def people_by_turn_state_lines(scene: Scene) -> list[Line]:
    """Return lines with the people of a scene, grouped by what they have done in this round.

    The groups are: still to act, acted, holding, delaying, surprised. Only people who are up are listed. If
    sides act in turn, only the acting side is listed. If the scene has initiative cards, return lines with
    the cards instead. If no round has begun in a scene with turns in a fixed order, return no lines.
    """
    order = scene.order
    if order is None or not (order.round or order.kind != "list"):
        return []
    if order.kind == "pool":
        return _initiative_card_lines(scene, order)
    named: dict[str, dict[str, None]] = {state: {} for state in _TURN_STATE_LABELS}
    everybody = {one.side for one in scene.people.values()}
    sides = {order.active} if order.kind == "sides" else everybody
    for entry in order.entries:
        one = scene.people.get(entry.who)
        if one and one.state == "up" and entry.state in named and one.side in sides:
            named[SURPRISED.id if SURPRISED in one.statuses else entry.state][one.name] = None
    return [[(_TURN_STATE_LABELS[state], "dim"), ", ".join(names)] for state, names in named.items() if names]


_TURN_STATE_LABELS = {
    WAITING: "To act: ", ACTED: "Acted: ", HELD: "Holding: ", DELAYED: "Delaying: ",
    SURPRISED.id: "Surprised: ",
}  # fmt: skip


def _initiative_card_lines(scene: Scene, order: Order) -> list[Line]:
    """Return two lines of initiative cards: those face down, and those face up.

    A card is face up once the person has acted or delays. The acting person is marked. A group's card has the
    number of its members.
    """
    rows: dict[str, list[Span]] = {"Face down: ": [], "Face up: ": []}
    for entry in order.entries:
        one = scene.people.get(entry.who)
        if one is None or one.state == "out":
            continue
        row = rows["Face up: " if entry.state in (ACTED, DELAYED) else "Face down: "]
        mark = "▸" if entry.who == order.active else ""
        more = f" x{entry.members}" if entry.members > 1 else ""
        words = f", {entry.state}" if entry.state in (HELD, DELAYED) else ""
        row += [" "] if row else []
        row.append((f"{mark}[{one.name}{more}{words}]", "name" if mark else "dim"))
    return [[(label, "dim"), *(row or ["none"])] for label, row in rows.items()]


def track_steps_line(track: Track) -> Line:
    """Return a track with its present step in brackets: `caught - close - [medium] - far - escaped`."""
    spans: list[Span] = [(f"{track.name}: ", "dim")]
    for number, step in enumerate(track.steps):
        spans += [(" - ", "dim")] if number else []
        spans.append((f"[{step}]", "name") if step == track.at else (step, "dim"))
    return spans


def _people_table(scene: Scene) -> Table:
    """Return a table of the people in turn order.

    It has a column for each meter that at least one of them has.
    """
    meters = {meter.id: meter.name for one in scene.people.values() for meter in one.meters}
    states = {entry.who: entry.state for entry in scene.order.entries} if scene.order else {}
    places = any(one.at for one in scene.people.values())
    short = map_labels(scene) if scene.order else {}
    rows: list[list[Span]] = []
    for person in all_ids_by_turn_order_down_last(scene):
        one = scene.people[person]
        acting = scene.order is not None and person == scene.order.active
        row: list[Span] = [
            "▸" if acting else "",
            *([(short[person], "name")] if short else []),
            (one.name, "dim" if one.state == "out" else "name"),
            one.side,
        ]
        row += [one.at or "-"] if places else []
        row += [next((str(meter) for meter in one.meters if meter.id == id), "-") for id in meters]
        words = [status.name for status in one.statuses]
        words += ["Hidden"] if one.hidden else ["Not seen yet"] if is_hidden_by_fog_and_not_party(one) else []
        if one.state != "up" and not (one.down and one.down.capitalize() in words):
            words.append(one.out.replace("-", " ") or one.down or one.state)
        rows.append([*row, states.get(person, ""), ", ".join(words) or "-"])
    headings = [
        "",
        *([""] if short else []),
        "Who",
        "Side",
        *(["At"] if places else []),
        *(NumberHeading(name) for name in meters.values()),
    ]
    return Table([*headings, "Turn" if states else "", "Statuses"], rows)


def _sides_table(scene: Scene) -> Table:
    """Return a table with a column for each side.

    The picks come first, since there is often too little room for everything.
    """
    rows: list[list[Span]] = []
    numbers = dict.fromkeys(name for side in scene.sides for name in side.numbers)
    if not scene.over:
        rows.append(
            [("This round", "dim"), *(_picks_and_missing_picks_in_words(scene, side) for side in scene.sides)]
        )
    rows += [[(name, "dim"), *(str(side.numbers.get(name, "-")) for side in scene.sides)] for name in numbers]
    tells: dict[str, Callable[[Side], str]] = {
        "Wants": lambda side: side.intent,
        "Who": lambda side: ", ".join(
            _person_name_or_capitalized_side_id(scene, person) + (" (out)" if _is_out(scene, person) else "")
            for person in side.team
        ),
        "Traits": lambda side: ", ".join([*side.traits, *(f"{name} (lost)" for name in side.lost_traits)]),
    }
    for what, tell in tells.items():
        cells = [tell(side) for side in scene.sides]
        rows += [[(what, "dim"), *(cell or "-" for cell in cells)]] if any(cells) else []
    return Table(["", *(side.name for side in scene.sides)], rows)


def _is_out(scene: Scene, person: str) -> bool:
    return person in scene.people and scene.people[person].state == "out"


def _picks_and_missing_picks_in_words(scene: Scene, side: Side) -> str:
    """Return a side's picks in words, and who has yet to pick.

    If a pick is still secret, the words say only that it was made.
    """
    lines = []
    for card in side.cards:
        what = card.what or "picked, in secret"
        lines.append(f"{_person_name_or_capitalized_side_id(scene, card.who)}: {what}" if card.who else what)
    picked = {card.who for card in side.cards}
    left = [person for person in side.team if person not in picked and not _is_out(scene, person)]
    if not lines:
        return "not chosen yet"
    if "" not in picked and left:
        lines.append(
            f"not yet: {', '.join(_person_name_or_capitalized_side_id(scene, person) for person in left)}"
        )
    return "; ".join(lines)
