"""Checks of fights and of the content for fights, which `doctor` and `content check` make."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Literal, cast

from strike_cli.content.system_checks import ContentWithoutEffect
from strike_cli.file_faults import Fault, Faults, Place
from strike_cli.kernel.state_changes import State
from strike_cli.problems import did_you_mean, listed, pluralize
from strike_cli.registry.installed_plugins import import_object
from strike_cli.tabletop.data import SIDE_SQUARES
from strike_cli.tabletop.encounters import (
    parse_areas,
    read_layout,
    terrain_by_sign_with_built_in,
    unpadded_map_rows,
)
from strike_cli.tabletop.grid import LEGEND, Grid, Square, footprint, format_square, parse_square
from strike_cli.tabletop.rules_vocabulary import OF_ZONES

from .bots.tactics_habits import habit_fault
from .encounter.creatures_and_budgets import creature_numbers_with_tier_defaults
from .schemas import check_no_status_only_words, check_step_keys
from .steps import PARTS, StepTable, nested_step_lists, steps_of_reaction, steps_with_nested

if TYPE_CHECKING:
    from strike_cli.content.merged_content import Book
    from strike_cli.tabletop.data import EffectWritten, EncounterWritten

    from .data import FighterWritten, FightState, PowerWritten
    from .steps import Part


SheetLookup = Callable[[str], "FighterWritten"]

LARGEST_MAP = 1000
"""The most squares of a map in width and in height."""


def map_faults(encounter: EncounterWritten, sheet_of: SheetLookup) -> Faults:
    """Return the faults of an encounter's map. Each fault names its place within the encounter.

    `sheet_of` is a function that returns the sheet of a creature or character by its id. For an id without a
    sheet, such as the word for the party, it returns an empty sheet.
    """
    faults = [*_sign_faults(encounter), *_square_faults(encounter)]
    return faults or (_creature_room_faults(encounter, sheet_of) if unpadded_map_rows(encounter) else [])


def _sign_faults(encounter: EncounterWritten) -> Faults:
    rows, placed = unpadded_map_rows(encounter), encounter["place"]
    faults: Faults = []
    seen = set("".join(rows))
    for sign, combatant in placed.items():
        if sign in LEGEND:
            what = f"that sign is terrain; choose another for {combatant!r}"
            faults.append(Fault(Place("place", sign), what))
        elif sign not in seen:
            faults.append(Fault(Place("place", sign), f"{sign!r} is nowhere on the map"))
    for sign in encounter["terrain"]:
        if sign in LEGEND or sign in placed:
            what = f"{sign!r} has a meaning already; choose another sign"
            faults.append(Fault(Place("terrain", sign), what))
    known = {*LEGEND, *placed, *terrain_by_sign_with_built_in(encounter)}
    for number, row in enumerate(rows, 1):
        for column, sign in enumerate(row, 1):
            if sign not in known:
                what = (
                    f"row {number}, column {column}: {sign!r} is neither terrain (. floor, # wall, "
                    "~ difficult, + door, / open door, : obscured, % dark) nor in place or terrain"
                )
                faults.append(Fault(Place("map"), what))
    return faults


def _square_faults(encounter: EncounterWritten) -> Faults:
    rows = unpadded_map_rows(encounter)
    faults: Faults = []
    high, wide = len(rows), max(map(len, rows), default=0)
    if max(high, wide) > LARGEST_MAP:
        return [Fault(Place("map"), f"{wide} x {high} squares; {LARGEST_MAP} is the most")]
    named = [(Place("at", ref), squares) for ref, squares in encounter["at"].items()]
    for number, zone in enumerate(encounter["zones"], 1):
        named.append((Place("zones", number, "squares"), zone["squares"]))
    aim = encounter.get("objective", {})
    named += [(Place("objective", key), aim[key]) for key in ("reach", "hold") if key in aim]
    for where, texts in named:
        try:
            off = [square for square in parse_areas(texts) if not (square[0] < wide and square[1] < high)]
        except ValueError as error:
            faults.append(Fault(where, str(error)))
            continue
        if off:
            faults.append(Fault(where, f"{format_square(off[0])} is outside the map"))
    return faults


def _creature_room_faults(encounter: EncounterWritten, sheet_of: SheetLookup) -> Faults:
    """Return a fault for each creature that doesn't fit on its squares.

    A large creature extends to the right of its square and down.
    """
    layout = read_layout(encounter)
    grid = Grid(layout.board["rows"])
    faults: Faults = []
    taken: dict[Square, str] = {}
    for sign, combatant in layout.place.items():
        size = sheet_of(combatant).get("size", 1)
        for place in layout.squares.get(sign, ()):
            for square in footprint(place, size):
                if grid.is_blocked(square) or square in taken:
                    blocking = taken.get(square, "a wall or the edge")
                    room = f"{size} x {size} squares" if size > 1 else "the square"
                    needs = f"{combatant} at {format_square(place)} needs {room}"
                    faults.append(Fault(Place("map"), f"{needs}, and {blocking} is there"))
                    break
                taken[square] = combatant
    return faults


def fight_rule_faults_of_content_item(
    kind: str, id: str, tables: Mapping[str, Mapping[str, object]]
) -> Faults:
    """Return the faults that the rules of fights find in one item of the book.

    Each fault has its place in the item. `kind` and `id` name the item. `tables` has all items of the book,
    by kind and id. The names that the item uses were checked before.
    """
    if kind in ("creatures", "characters") and id in SIDE_SQUARES:
        what = f"the word stands for the squares of the {id} on an encounter's map; choose another id"
        return [Fault(Place(), what)]
    if kind in ("creatures", "characters"):
        return list(_tactics_faults(cast("FighterWritten", tables[kind][id])))
    if kind == "powers":
        power = cast("PowerWritten", tables[kind][id])
        steps = {part: power.get(part, ()) for part in PARTS}
        return [*_plugin_step_faults(steps, tables["steps"]), *_summon_hp_with_boxes_faults(steps, tables)]
    if kind in ("statuses", "conditions"):
        return _status_or_condition_faults(kind, cast("EffectWritten", tables[kind][id]), tables["steps"])
    if kind != "encounters":
        return []
    sheets = cast("Mapping[str, FighterWritten]", {**tables["characters"], **tables["creatures"]})
    return map_faults(cast("EncounterWritten", tables[kind][id]), lambda combatant: sheets.get(combatant, {}))


def _status_or_condition_faults(
    kind: str, effect: EffectWritten, plugin_steps: Mapping[str, object]
) -> Faults:
    faults: Faults = []
    if kind == "conditions":
        check_no_status_only_words(effect, Place(), faults, "Condition")
    return faults or [
        fault.within(Place("reactions", number))
        for number, one in enumerate(effect["reactions"], 1)
        for fault in _plugin_step_faults({"steps": steps_of_reaction(one)}, plugin_steps)
    ]


def _tactics_faults(sheet: FighterWritten) -> Iterator[Fault]:
    for number, text in enumerate(sheet.get("tactics", ()), 1):
        if fault := habit_fault(text, sheet.get("powers", ())):
            yield Fault(Place("tactics", number), fault)


def _plugin_step_faults(
    parts: Mapping[Part, Sequence[StepTable]] | Mapping[str, Sequence[StepTable]],
    plugin_steps: Mapping[str, object],
) -> Iterator[Fault]:
    """Yield the faults in the steps that plugins define.

    Missing keys are faults, and so are keys that the step's class doesn't know. strike's own steps are
    checked by `schemas`.
    """
    for part, steps in parts.items():
        yield from _plugin_step_faults_in_list(steps, Place(part), plugin_steps)


def _summon_hp_with_boxes_faults(
    parts: Mapping[Part, Sequence[StepTable]], tables: Mapping[str, Mapping[str, object]]
) -> Iterator[Fault]:
    """Yield a fault for each step that sets the HP of a summoned creature which has boxes."""
    for part, steps in parts.items():
        for step in steps_with_nested(steps):
            if "hp" not in step:
                continue
            if "boxes" in creature_numbers_with_tier_defaults(
                cast("Mapping[str, object]", tables["creatures"][step["creature"]])
            ):
                what = f"summon: {step['creature']} has boxes, so it can't be given HP"
                yield Fault(Place(part), what)


def _plugin_step_faults_in_list(
    steps: Iterable[StepTable], where: Place, plugin_steps: Mapping[str, object]
) -> Iterator[Fault]:
    for number, step in enumerate(steps, 1):
        if step["do"] in plugin_steps:
            faults: Faults = []
            check_step_keys(
                import_object(cast("Mapping[str, str]", plugin_steps[step["do"]])["calls"]),
                {**step},
                where / number,
                faults,
            )
            yield from faults
        for inside, inner in nested_step_lists(step):
            yield from _plugin_step_faults_in_list(inner, where / number / inside, plugin_steps)


def fight_state_faults(state: State) -> Faults:
    """Return the faults of the fight under way.

    A fault is the turn of a creature that isn't in the fight, or a creature in a wall, off the map, or on an
    occupied square.
    """
    fight = cast("FightState", state["fight"])
    return [*_unknown_combatant_faults(fight), *_combatant_place_faults(fight)]


def _unknown_combatant_faults(fight: FightState) -> Faults:
    combatants = fight["combatants"]
    here = Place("fight")
    named = [(here / "order", combatant) for combatant in fight.get("order", [])]
    key: Literal["active", "interrupt"]
    for key in ("active", "interrupt"):
        named += [(here / key, fight[key])] if key in fight else []
    named += [(here / "due" / "who", fight["due"]["who"])] if "due" in fight else []
    return [
        Fault(place, f"{combatant!r} is not in the fight.{did_you_mean(combatant, combatants)}")
        for place, combatant in named
        if combatant not in combatants
    ]


def _combatant_place_faults(fight: FightState) -> Faults:
    grid = Grid(fight["map"]["rows"])
    walls = {
        parse_square(square)
        for zone in fight.get("zones", {}).values()
        if zone.get("blocks")
        for square in zone["squares"]
    }
    taken: dict[Square, str] = {}
    faults: Faults = []
    for combatant_id, combatant in fight["combatants"].items():
        if "at" not in combatant or "out" in combatant:
            continue
        where = Place("fight", "combatants", combatant_id, "at")
        squares = footprint(parse_square(combatant["at"]), combatant["size"])
        others = [taken[square] for square in squares if square in taken]
        if any(grid.is_blocked(square) or square in walls for square in squares):
            faults.append(Fault(where, f"{combatant['at']} is outside the map or in a wall"))
        elif others:
            faults.append(Fault(where, f"{combatant['at']} is taken by {others[0]}"))
        taken.update(dict.fromkeys(squares, combatant_id))
    return faults


def unused_content_and_short_map_rows(book: Book) -> Iterator[ContentWithoutEffect]:
    """Yield the parts of the book that have no effect in play, and the maps with short rows.

    Each comes with its place and an explanation. It is also marked as surely a mistake, or as possibly
    intended. For example, a status that no rule gives may be intended, since the game master can give it by a
    command.
    """
    given, of_zones, had = _used_statuses_and_powers(book)
    for key, status in book.statuses.items():
        for number, reaction in enumerate(status["reactions"], 1):
            if reaction["on"] in OF_ZONES and key not in of_zones:
                where = Place("statuses", key, "reactions", number, "on")
                yield ContentWithoutEffect(
                    where, f"{reaction['on']} needs a zone, and no zone gives {key}", True
                )
        if key not in given and key not in of_zones:
            yield ContentWithoutEffect(
                Place("statuses", key),
                "no rule gives it; `strike combat status add WHO STATUS` gives it by hand",
            )
    for key in book.powers:
        if key not in had:
            yield ContentWithoutEffect(
                Place("powers", key), "nobody has it: put it among the powers of a character or creature"
            )
    yield from _maps_with_short_rows(book)


def _used_statuses_and_powers(book: Book) -> tuple[set[str], set[str], set[str]]:
    """Return three sets of ids from the campaign's content.

    They are the statuses that something gives, the statuses that zones give, and the powers that somebody has
    or that an effect uses for an attack.
    """
    given, of_zones, had = set[str](), set[str](), set[str]()
    for kind in ("powers", "statuses", "conditions", "creatures", "characters"):
        for item in _nested_tables([*book.table(kind).values()]):
            _collect_given_statuses(item, given, of_zones)
            if item.get("do") == "attack" and "power" in item:
                had.add(str(item["power"]))
    for item in _nested_tables([*book.encounters.values(), *book.table("hazards").values()]):
        given.update(_names_listed(item, "statuses"))
        if "status" in item:
            of_zones.add(str(item["status"]))
    for sheet in (*book.characters.values(), *book.creatures.values()):
        had.update(sheet.get("powers", ()))
    return given, of_zones, had


def _maps_with_short_rows(book: Book) -> Iterator[ContentWithoutEffect]:
    """Yield a note for each map with rows of different lengths.

    A map that has blanks, which mark the void, gets no note.
    """
    for key, encounter in book.encounters.items():
        rows = unpadded_map_rows(encounter)
        wide = max(map(len, rows), default=0)
        short = [f"{number}" for number, row in enumerate(rows, 1) if len(row) < wide]
        if short and " " not in "".join(rows):
            most = pluralize(wide, "square")
            what = f"row {listed(short)} is shorter than the longest, {most}: the missing squares are void"
            yield ContentWithoutEffect(Place("encounters", key, "map"), what)


def _nested_tables(value: object) -> Iterator[Mapping[str, object]]:
    """Yield every table in a value, at any depth, and the value itself if it is a table."""
    if isinstance(value, Mapping):
        yield value
        value = [*value.values()]
    for one in value if isinstance(value, list) else ():
        yield from _nested_tables(one)


def _collect_given_statuses(item: Mapping[str, object], given: set[str], of_zones: set[str]) -> None:
    """Find the statuses that a table of content gives, and add them to one of two sets.

    Statuses that a zone gives are added to `of_zones`, all others to `given`. A table may give a status by a
    step, by an aura, at the start of a fight, or by implying it.
    """
    for key in ("implies", "statuses"):
        given.update(_names_listed(item, key))
    if "status" not in item or "of" in item:  # in an amount, `status` is what is measured
        return
    if item.get("do") == "zone" or ("do" not in item and "spread" in item):
        of_zones.add(str(item["status"]))
    elif item.get("do") not in ("end", "save", "lower"):
        given.add(str(item["status"]))


def _names_listed(item: Mapping[str, object], key: str) -> Iterator[str]:
    names = item.get(key)
    yield from map(str, names) if isinstance(names, list) else ()
