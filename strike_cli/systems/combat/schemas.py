"""The forms of fights: statuses, powers, creatures, encounters, and the fight under way."""

from __future__ import annotations

from typing import Any

from strike_cli.problems import listed
from strike_cli.reading import is_number
from strike_cli.tabletop.contribution_schemas import CONTRIBUTIONS, DURATION, UNTIL_FACT, check_duration
from strike_cli.tabletop.grid import LEGEND, parse_square
from strike_cli.tabletop.pictures import WANTED, may_be_picture
from strike_cli.tabletop.vocabularies import DURATIONS, UNTIL
from strike_cli.validation import (
    NAME,
    Either,
    Faults,
    Flag,
    Known,
    ListOf,
    Measure,
    Names,
    Number,
    OneOf,
    Record,
    Reference,
    TableOf,
    Text,
    Word,
)

from .steps import CONDITIONS, PARTS, SHAPES, SIGHT, STEPS, WHOM, ZONE_ENDS

PICTURE = Text(may_be_picture, WANTED)

STATUS = Record(
    name=(NAME, ...),
    summary=(Text(), ""),
    implies=(ListOf(Reference("statuses")), []),
    harmful=(Flag(), True),
    flies=Flag(),  # whoever has it moves over others and difficult terrain
    ends_when=(ListOf(UNTIL_FACT), []),  # ends it whatever duration it was given
    stacks=(OneOf("once", "by-source", "highest"), "once"),
    override=(Flag(), False),
    **CONTRIBUTIONS,
)


def _check_step(step: dict[str, Any], where: str, faults: Faults) -> None:
    for key in STEPS[step["do"]].needs if step["do"] in STEPS else ():
        if key not in step:
            faults.append(f"{where}: {step['do']} needs {'an' if key[0] in 'ae' else 'a'} {key}")
    check_duration(step, where, faults)
    if step["do"] == "zone" and step.get("duration", "encounter") not in ZONE_ENDS:
        faults.append(f"{where}.duration: a zone ends at {listed(ZONE_ENDS)}")


EFFECT = Record(
    _check_step,
    do=(Word("steps", STEPS), ...),
    to=(OneOf(*WHOM), "target"),
    within=Number(1, 20),  # how near an ally, the allies or the enemies must be, in squares
    if_=OneOf(*CONDITIONS),
    if_status=Reference("statuses"),  # only for who has it
    status=Reference("statuses"),
    duration=DURATION,
    until=UNTIL_FACT,  # with duration "until"
    whose=OneOf("self", "target"),  # the turn that ends it: of who used the power, unless said
    amount=Number(0, 100),
    uses=OneOf("basic", "any"),  # what a granted attack may be made with
    name=Text(),
    text=Text(),
    difficult=Flag(),
    sight=OneOf(*SIGHT),
    handler=Reference("handlers"),
)


def _check_shape(power: dict[str, Any], where: str, faults: Faults) -> None:
    """What can't be right about whom a power comes to, whatever else there is."""
    shapes = [shape for shape in SHAPES if shape in power]
    if len(shapes) > 1:
        faults.append(f"{where}: has {' and '.join(shapes)}; a power has one area")
    if "area" in power and "range" not in power:
        faults.append(f"{where}: area needs a range: how far off the middle of it may be")
    if "damage" in power and not shapes and "reach" not in power and "range" not in power:
        faults.append(f"{where}: damage needs reach, range, {', '.join(SHAPES)}: whom it can hit")
    if "on" in power and power.get("action") not in ("interrupt", "free", "none"):
        faults.append(f"{where}: on: what happens by itself is an interrupt, free or no action")


POWER = Record(
    _check_shape,
    name=(Text(), ...),
    summary=(Text(), ""),
    action=(OneOf("attack", "move", "role", "free", "interrupt", "none"), "attack"),
    usage=(OneOf("at-will", "encounter"), "at-will"),
    kind=(OneOf("class", "role", "basic", "special"), "class"),
    ap=Number(0, 9),  # Action Points that it costs a player
    trigger=Text(),
    on=OneOf("missed", "hit"),  # a trigger that strike sees by itself
    reach=Number(1, 20),
    range=Number(1, 100),
    burst=Number(1, 20),  # around oneself
    area=Number(1, 20),  # a burst around a square in range
    line=Number(1, 100),
    cone=Number(1, 20),
    who=OneOf("enemies", "allies", "friends", "others", "any", "self"),
    targets=Either(str, OneOf("all"), Number(1, 20)),
    repeats=Flag(),  # whether one target may be named several times
    damage=Number(0, 100),
    bonus=(
        ListOf(Record(amount=(Number(1, 100), ...), if_=OneOf(*CONDITIONS), if_status=Reference("statuses"))),
        [],
    ),
    **{part: (ListOf(EFFECT), []) for part in PARTS},
    keywords=(ListOf(Text()), []),
    override=(Flag(), False),
)
SENSE = Record(
    name=(Text(), ...),
    ignores=(ListOf(Text()), ...),  # obscured, dark, hidden, invisible, walls, or a zone's name
    range=Number(1, 100),
)
_FIGHTER: dict[str, Any] = {
    "hp": Number(1, 500),
    "speed": Number(0, 50),
    "size": Number(1, 6),
    "powers": (ListOf(Reference("powers")), []),
    "statuses": (ListOf(Reference("statuses")), []),  # that a fight begins with
    "melee": Record(damage=(Number(0, 100), 2), reach=(Number(1, 20), 1)),
    # false for who has no ranged attack
    "ranged": Either(bool, OneOf(False), Record(damage=(Number(0, 100), 2), range=(Number(1, 100), 5))),
    "opportunity": Number(0, 100),
    "senses": (ListOf(SENSE), []),
}
# A trait that acts, like a status that never ends: a Miss Trigger is a reaction on `missed` or `misses`.
ACTING_TRAIT = Record(name=(NAME, ...), summary=(Text(), ""), **CONTRIBUTIONS)
CREATURE: dict[str, Any] = {
    "tier": (OneOf("stooge", "goon", "standard", "elite", "champion"), "standard"),
    "boxes": Number(1, 20),  # instead of HP; a hit of the threshold checks one
    "threshold": Number(1, 100),
    "turns": Number(1, 6),  # a round
    "shares_initiative": Flag(),  # with others of its kind
    "traits": (ListOf(Either(str, Text(), ACTING_TRAIT)), []),
    **_FIGHTER,
}
"""What a creature's sheet says of fights."""
CHARACTER: dict[str, Any] = {"role": (Text(), ""), "class": (Text(), ""), **_FIGHTER}
"""What a character's sheet says of fights."""

_SIGN = Text(lambda key: len(key) == 1, "one character of the map")
POLYLINE = ListOf(ListOf(Measure(-1, 1000), 2, 2), 2)
"""Points in squares from the map's top left corner: `[[0, 2], [3.5, 2]]`."""
DOOR = Record(at=(POLYLINE, ...), open=(Flag(), False))
SQUARES = ListOf(Text())
_GROUND: dict[str, Any] = {
    "name": (NAME, ...),
    "difficult": (Flag(), False),
    "obscured": (Flag(), False),
    "dark": (Flag(), False),
    "damage": (Number(0, 100), 0),
    "gm": (Flag(), False),  # players are not shown it
}
TERRAIN = Record(**_GROUND, wall=(Flag(), False))
ZONE = Record(**_GROUND, squares=(SQUARES, ...))
IMAGE = Record(file=(Text(), ...), sha256=(Text(), ...), pixels=(Number(1, 10_000), ...))
"""A picture of the map: a path from the campaign's folder, and pixels to a square."""
SQUARES_OF = ("party", "enemies")
"""What a sign of an encounter's map may stand for besides somebody."""


class _Encounter(Record):
    """An encounter. In `place` a sign names somebody, in `at` somebody has squares; of `goblin:4` the count
    is kept apart."""

    def resolve(self, value: Any, where: str, names: Names) -> Any:
        value = super().resolve(value, where, names)
        counts: dict[str, int] = {}
        place = {}
        for sign, who in value["place"].items():
            name, _, count = who.rpartition(":")
            if name and is_number(count) and not names.has("characters", who):
                counts[sign], who = int(count), name
            place[sign] = _somebody(who, f"{where}.place.{sign}", names)
        creatures = {
            names.full_id("creatures", who, f"{where}.creatures"): count
            for who, count in value["creatures"].items()
        }
        at = {_somebody(who, f"{where}.at.{who}", names): squares for who, squares in value["at"].items()}
        found = {**value, "place": place, "at": at, "creatures": creatures}
        return {**found, "counts": counts} if counts else found


def _somebody(who: str, where: str, names: Names) -> str:
    known = who in SQUARES_OF or names.has("characters", who)
    return who if known else names.full_id("creatures", who, where)


ENCOUNTER = _Encounter(
    name=(Text(), ...),
    goal=(Text(), ""),
    summary=(Text(), ""),
    map=(Text(), ""),  # not needed for a scene without squares
    place=(TableOf(Text(), _SIGN), {}),
    at=(TableOf(SQUARES), {}),  # who else stands where: creatures, characters, or "party"
    terrain=(TableOf(TERRAIN, _SIGN), {}),
    zones=(ListOf(ZONE), []),
    walls=(ListOf(POLYLINE), []),
    doors=(ListOf(DOOR), []),
    image=IMAGE,
    side=(TableOf(OneOf("party", "enemies")), {}),
    creatures=(TableOf(Number(1, 99)), {}),  # how many of each, on the squares for "enemies"
)


# What play changes


def _is_square(text: str) -> bool:
    try:
        parse_square(text)
    except ValueError:
        return False
    return True


def _is_row(text: str) -> bool:
    return all(sign in LEGEND for sign in text)


def parked_state(book: Any) -> TableOf:
    """`[parked_fights]` of state.toml: fights that wait, by the ids of their encounters."""
    return TableOf(scene_state(book))


def scene_state(book: Any) -> Record:
    """`[fight]` of state.toml."""
    square = Text(_is_square, "a square like C7")
    status = Record(
        id=(Known("statuses", book.statuses), ...),
        ends=(OneOf(*DURATIONS, *book.durations), ...),
        until=OneOf(*UNTIL, *book.moments),
        of=Text(),
        by=Text(),
        later=Flag(),
        value=Number(0),
    )
    combatant = Record(
        name=(Text(), ...),
        ref=(Text(), ...),
        side=(OneOf("party", "enemies"), ...),
        at=square,
        size=(Number(1, 6), ...),
        hp=(Number(), ...),
        max_hp=(Number(1), ...),
        initiative=Number(-10, 20),
        acted=Number(0),
        turns=Number(2),  # a round, where they are several
        taken=Number(2),  # turns in the round of `acted`, where they are several
        threshold=Number(1),  # damage that checks a box, where `hp` are boxes
        dented=Flag(),
        delayed=Flag(),
        prepared=Record(
            trigger=(Text(), ...), then=(Text(), ...), do=(OneOf("attack", "move", "charge"), ...)
        ),
        miss_tokens=Number(0),
        strikes=Number(0),
        improvised=Number(0),  # how often, in this fight
        statuses=ListOf(status),
        used=ListOf(Known("powers", book.powers)),
        hidden=Flag(),
        hiding=Number(0),  # the round in which it went out of sight
        was_bloodied=Flag(),
        out=OneOf("taken-out", "left"),
        image=PICTURE,  # as its sheet named it when it joined
    )
    zone = Record(
        name=(Text(), ...),
        squares=(ListOf(square), ...),
        by=Text(),
        damage=Number(0),
        difficult=Flag(),
        sight=OneOf(*SIGHT),
        secret=Flag(),
        ends=(OneOf(*ZONE_ENDS), ...),
        later=Flag(),
        hit=TableOf(Number(0)),  # the round in which it last hurt each
    )
    board = Record(
        rows=(ListOf(Text(_is_row, "a row of . # ~ + / and blanks")), ...),
        walls=ListOf(POLYLINE),
        doors=ListOf(Record(at=(POLYLINE, ...), open=(Flag(), ...))),
        image=IMAGE,
    )
    return Record(
        id=(Text(), ...),
        name=(Text(), ...),
        goal=Text(),
        bloodied=OneOf("less-than-half"),  # how this fight counts it, where it isn't half or less
        round=(Number(0), ...),
        active=Text(),
        turn=TableOf(Either(list, ListOf(Text()), Number(0))),
        interrupt=Text(),
        due=Record(who=(Text(), ...), amount=(Number(1), ...), why=(Text(), ...)),
        map=(board, ...),
        zones=TableOf(zone),
        order=ListOf(Text()),
        combatants=(TableOf(combatant), ...),
    )
