"""The form of each thing that people write: characters, creatures, powers, statuses, encounters.

One name here is one table in campaign.toml or in a plugin's content file. A key that is not here is an
error that names file, key and the nearest known one.
"""

from __future__ import annotations

from typing import Any

from ..pictures import WANTED, may_be_picture
from ..rules.conditions import NEEDS
from .schema import Anything, Either, Flag, ListOf, Measure, Number, OneOf, Record, TableOf, Text

ROLL_KINDS = (
    "any", "task", "attack", "skill", "opposed", "help", "save", "comeback", "initiative", "escape", "panic",
    "assess",
)  # fmt: skip
ACTION_KINDS = (
    "act", "attack", "move", "shift", "role", "opportunity", "miss-effect", "flank", "stand",
    "melee", "ranged", "seen", "non-basic", "decide",
)  # fmt: skip
DURATIONS = ("save", "escape", "this-turn", "turn-start", "turn-end", "until", "encounter", "permanent")
"""How long a status lasts: `this-turn` to the end of the turn under way, `turn-start` and `turn-end` to the
start or end of somebody's next turn, `until` to a fact."""

MOMENTS = (
    "turn-started", "turn-ended", "damaged", "attacks", "shifts", "moved", "attacked", "hit", "hits",
    "missed", "misses", "gaining",
)  # fmt: skip
"""When a reaction comes: `attacked`, `hit` and `missed` of the target of an attack, `hits` and `misses` of
its maker, `gaining` just before its own status takes hold."""
UNTIL = ("damaged", "attacks", "attacked", "moved", "apart", "giver-down")
"""Facts that end a status: about its holder, or `apart` and `giver-down` about who gave it."""


def _is_id(text: str) -> bool:
    return bool(text) and all(c.isalnum() or c in "-_:" for c in text) and text[0].isalnum()


def _are_faces(text: str) -> bool:
    first, _, last = text.partition("-")
    return first in tuple("123456") and (last or first) in tuple("123456") and first <= (last or first)


NAME = Text(lambda text: bool(text.strip()), "a name")
"""What is shown as a reason, too."""
ID = Text(_is_id, "an id: letters, digits, - and _ only")
PICTURE = Text(may_be_picture, WANTED)

SOURCE = Record(
    on=(OneOf(*ROLL_KINDS), ...),
    gives=(Either(int, Number(-6, 6), OneOf("advantage", "disadvantage")), ...),
    side=(OneOf("own", "against"), "own"),
    range=(OneOf("any", "melee", "ranged"), "any"),
    round=Number(1),
    tags=(ListOf(Text()), []),
)
BAN = Record(
    action=(OneOf(*ACTION_KINDS), ...),
    side=(OneOf("own", "against"), "own"),
    over=Number(0),
    unless=OneOf("alike"),  # the other one has it too
)
REMAP = Record(
    stage=(OneOf("die", "damage"), ...),
    side=(OneOf("own", "against"), "own"),
    faces=TableOf(Number(1, 6)),
    half=(Flag(), False),
)
_STEP: dict[str, Any] = {
    "do": (OneOf("apply", "run-at", "run-from", "take-cover", "charge", "melee", "ranged"), ...),
    "status": ID,
    "duration": OneOf(*DURATIONS),
    "until": OneOf(*UNTIL),
    "disadvantage": (Flag(), False),
}
# What a status makes its holder do. Where a step can't be taken, `otherwise` takes its place and ends it.
STEP = Record(**_STEP, otherwise=(ListOf(Record(**_STEP)), []))
REACTION = Record(
    on=(OneOf(*MOMENTS), ...),
    do=(OneOf("damage", "heal", "end", "apply", "opportunity", "roll", "note", "handler"), ...),
    amount=Either(int, Number(0), OneOf("value")),
    to=(OneOf("self", "giver", "other"), "self"),
    status=ID,
    duration=OneOf(*DURATIONS),
    until=OneOf(*UNTIL),
    when=OneOf("without-giver", "next-to-giver"),
    once=OneOf("turn"),
    final=(Flag(), False),  # before this damage brings somebody to 0 they get one final action
    roll=OneOf(*ROLL_KINDS),
    faces=TableOf(ListOf(STEP), Text(_are_faces, "a face or a span of faces of a d6, like 3-4")),
    text=Text(),
    handler=ID,
)
_CONTRIBUTIONS: dict[str, Any] = {
    "sources": (ListOf(SOURCE), []),
    "bans": (ListOf(BAN), []),
    "remaps": (ListOf(REMAP), []),
    "reactions": (ListOf(REACTION), []),
    "by_hand": Text(),  # what the game master still plays without help
}

RECOVERY = Record(needs=(ListOf(OneOf(*NEEDS)), ...), text=(Text(), ...))
CONDITION = Record(
    name=(NAME, ...),
    severity=(OneOf("minor", "major", "wealth"), ...),
    summary=(Text(), ""),
    recovery=RECOVERY,  # what ends it; without one the game master says
    escalates=Record(to=(ID, ...), at=(Number(2, 9), ...)),  # so many of it become one of another
    stacks=Flag(),  # whether each instance counts; unless said, those of Minor Conditions don't
    doubts=(Flag(), False),  # it touches Skills that are named when it is gained
    tags=(ListOf(Text()), []),
    override=(Flag(), False),
    **_CONTRIBUTIONS,
)
STATUS = Record(
    name=(NAME, ...),
    summary=(Text(), ""),
    implies=(ListOf(ID), []),
    harmful=(Flag(), True),
    flies=Flag(),  # whoever has it moves over others and difficult terrain
    ends_when=(ListOf(OneOf(*UNTIL)), []),  # ends it whatever duration it was given
    stacks=(OneOf("once", "by-source", "highest"), "once"),
    override=(Flag(), False),
    **_CONTRIBUTIONS,
)

ZONE_ENDS = ("turn-start", "turn-end", "encounter")
STEPS = (
    "apply", "end", "damage", "heal", "push", "pull", "slide", "shift", "teleport", "save", "zone", "token",
    "strike", "regain", "attack", "move", "note", "handler",
)  # fmt: skip
IF = ("bloodied", "self-bloodied", "flanked", "adjacent", "hidden", "critical")
"""What must be so for a step or for bonus damage, beside `if_status`: of the target, unless it says self."""
EFFECT = Record(
    do=(OneOf(*STEPS), ...),
    to=(OneOf("target", "self", "ally", "allies", "enemies"), "target"),
    within=Number(1, 20),  # how near an ally, the allies or the enemies must be, in squares
    if_=OneOf(*IF),
    if_status=ID,  # only for who has it
    status=ID,
    duration=OneOf(*DURATIONS),
    until=OneOf(*UNTIL),  # with duration "until"
    whose=OneOf("self", "target"),  # the turn that ends it: of who used the power, unless said
    amount=Number(0, 100),
    uses=OneOf("basic", "any"),  # what a granted attack may be made with
    name=Text(),
    text=Text(),
    difficult=Flag(),
    sight=OneOf("obscured", "dark"),
    handler=ID,
)
SHAPES = ("burst", "area", "line", "cone")
PARTS = ("before", "effect", "hit", "miss", "always")
"""When the steps of a power are done; docs/campaign-file.md says when that is."""
POWER = Record(
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
    bonus=(ListOf(Record(amount=(Number(1, 100), ...), if_=OneOf(*IF), if_status=ID)), []),
    **{part: (ListOf(EFFECT), []) for part in PARTS},
    keywords=(ListOf(Text()), []),
    override=(Flag(), False),
)
SENSE = Record(
    name=(Text(), ...),
    ignores=(ListOf(Text()), ...),  # obscured, dark, hidden, invisible, walls, or a zone's name
    range=Number(1, 100),
)
_BASICS: dict[str, Any] = {
    "hp": Number(1, 500),
    "speed": Number(0, 50),
    "size": Number(1, 6),
    "powers": (ListOf(ID), []),
    "statuses": (ListOf(ID), []),  # that a fight begins with
    "melee": Record(damage=(Number(0, 100), 2), reach=(Number(1, 20), 1)),
    # false for who has no ranged attack
    "ranged": Either(bool, OneOf(False), Record(damage=(Number(0, 100), 2), range=(Number(1, 100), 5))),
    "opportunity": Number(0, 100),
    "senses": (ListOf(SENSE), []),
    "image": PICTURE,  # for tabletops that show it
}
# A trait that acts, like a status that never ends: a Miss Trigger is a reaction on `missed` or `misses`.
ACTING_TRAIT = Record(name=(NAME, ...), summary=(Text(), ""), **_CONTRIBUTIONS)
CREATURE = Record(
    name=(Text(), ...),
    tier=(OneOf("stooge", "goon", "standard", "elite", "champion"), "standard"),
    summary=(Text(), ""),
    boxes=Number(1, 20),  # instead of HP; a hit of the threshold checks one
    threshold=Number(1, 100),
    turns=Number(1, 6),  # a round
    shares_initiative=Flag(),  # with others of its kind
    traits=(ListOf(Either(str, Text(), ACTING_TRAIT)), []),
    notes=(Text(), ""),
    hidden=(Flag(), False),
    override=(Flag(), False),
    **_BASICS,
)
_NAMED = Either(str, NAME, Record(name=(NAME, ...), skill=Text(), text=Text()))
CHARACTER = Record(
    name=(Text(), ...),
    player=(Text(), ""),
    concept=(Text(), ""),
    skills=(ListOf(Text()), []),
    tags=(TableOf(ListOf(Text())), {}),  # what a Skill is about, where a guess would be wrong
    connections=(ListOf(Text()), []),
    tools=(ListOf(Text()), []),
    tricks=(ListOf(_NAMED), []),
    complications=(ListOf(_NAMED), []),
    relationships=(ListOf(Text()), []),
    fallback=Text(),
    wealth=(Number(0, 3), 1),
    cash=(ListOf(Number(0, 4)), []),
    ap=(Number(0, 99), 1),
    role=(Text(), ""),
    class_=(Text(), ""),
    notes=(Text(), ""),
    **_BASICS,
)
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
ENCOUNTER = Record(
    name=(Text(), ...),
    goal=(Text(), ""),
    summary=(Text(), ""),
    map=(Text(), ...),
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
TRAIT = Record(
    name=(Text(), ...),
    summary=(Text(), ""),
    advance=Number(-9, 9),  # to its own rolls, every round
    defense=Number(-9, 9),
    either=Number(1, 9),  # to either, as its side chooses
    either_when=OneOf("before", "after"),  # the dice
    grows_advance=Number(1, 9),  # at each round's end
    grows_defense=Number(1, 9),
    hit_on=OneOf("draw", "push"),  # an extra Hit on the opponents
    next_on=OneOf("draw", "push"),  # when the opponents have `next_defense` for a round
    next_defense=Either(int, Number(-9, -1), OneOf("margin")),
    recover_on=OneOf("draw", "push"),
    ablates=Number(-9, -1),  # what a Hit on the opponents may do to their Defense instead
    drains=OneOf("instead", "as-well"),
    ignores_hits=Number(1, 9),
    ties=Flag(),
    irremovable=Flag(),
    strike_on_win=Number(1, 9),  # on the opponents when they win
    owed_on_win=ListOf(OneOf("minor", "major")),
    hit_for_loss=Flag(),
    by_hand=Text(),
    override=(Flag(), False),
)
CONFLICT = Record(
    name=(Text(), ...),
    intent=(Text(), ...),
    against=(Text(), ...),
    their_intent=(Text(), ...),
    advance=Number(0, 20),  # the opposition's; one less than there are players unless said
    defense=Number(0, 20),
    traits=(ListOf(Text()), []),
    our_traits=(ListOf(Text()), []),
    team=(ListOf(Text()), []),
    their_team=(ListOf(Text()), []),  # players on the other side too
    no_withdrawal=(Flag(), False),
    swaps=(TableOf(Text()), {}),  # an event of the double tie, and what comes in its place
    summary=(Text(), ""),
)
CHASE = Record(
    name=(Text(), ...),
    runners=(ListOf(Text()), ...),
    chasers=(ListOf(Text()), ...),
    range=(OneOf("close", "medium", "far"), "medium"),
    danger=(Number(0, 2), 0),
    summary=(Text(), ""),
)
TARGET = Record(
    kind=(Text(), ...),
    url=Text(),
    auto=(Flag(), False),
    insecure=(Flag(), False),
    audience=OneOf("players", "gm"),
    hp=(OneOf("exact", "bar", "wounds", "none"), "exact"),  # how enemies' HP is shown
    create=(Flag(), False),  # tokens that it lacks may be made
    statuses=TableOf(Text()),  # ours to theirs
    attributes=TableOf(Text()),  # "hp", "max_hp" to where it keeps them
    preset=Text(),
    options=Anything(),  # the kind's own, which knows them
)

CONTENT = {
    "conditions": CONDITION,
    "statuses": STATUS,
    "powers": POWER,
    "creatures": CREATURE,
    "traits": TRAIT,
}
"""What a plugin's content file, or a campaign, may bring."""

CAMPAIGN = {
    **CONTENT,
    "characters": CHARACTER,
    "encounters": ENCOUNTER,
    "conflicts": CONFLICT,
    "chases": CHASE,
}


def house_kinds() -> dict[str, OneOf | Number]:
    """The house-rule keys (rules.md, section E) and what each may be."""
    from ..rules.numbers import numbers

    kinds: dict[str, OneOf | Number] = {}
    for key, rule in numbers("house").items():
        kinds[key] = OneOf(*rule["values"]) if "values" in rule else Number(rule["low"], rule["high"])
    return kinds


def house_defaults() -> dict[str, Any]:
    """Every house rule as the game plays it unless a table says otherwise."""
    from ..rules.numbers import numbers

    return {key: rule["default"] for key, rule in numbers("house").items()}
