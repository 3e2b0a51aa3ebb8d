"""Questions and file templates of `strike content new power|status|creature|encounter`.

A few answers make a playable entry. The file lists further keys as comments.
"""

from __future__ import annotations

from collections.abc import Iterator

from strike_cli.content.drafts import (
    Answers,
    Draft,
    Question,
    number_reader,
    split_at_commas,
    split_at_semicolons,
    toml_line,
    toml_value,
    word_reader,
)
from strike_cli.systems.core.commands.condition_draft_and_checks import parse_roll_modifiers_at_semicolons
from strike_cli.tabletop.rules_vocabulary import DURATIONS, NUMBERS
from strike_cli.tabletop.status_effect_schemas import ACTION_KINDS

from ..rule_numbers import combat_numbers
from ..schemas import keys_of_step_class
from ..steps import COMPULSION_STEPS, REACTION_EVENTS, STEPS, WAYS, WHOM
from ..steps.step import step_class_of

NONE = "none"
DOCS_HINT = "docs/campaign-file.md has every key, docs/power-reference.md every part of a power."


# A power


ACTIONS = ("attack", "move", "role", "free", "interrupt")
TARGET_GROUPS = ("enemies", "allies", "friends", "others", "any", "self")


def _is_step_for_one_line(step_name: str) -> bool:
    """Return whether a step of this name can be typed on one line.

    The step's required keys must be among amount, name, status and text. Steps that compel a creature to act
    never fit.
    """
    keys = keys_of_step_class(step_class_of(None, {"do": step_name}))
    needs = {name for name, key in keys.items() if key.needed}
    return step_name not in COMPULSION_STEPS and needs <= {"amount", "name", "status", "text"}


def _parse_range(text: str) -> dict[str, object]:
    """Read a range: `reach 1 range 5`, `area 1 range 10`, `burst 2` or `self`.

    Raises ValueError for other text.
    """
    if text == "self":
        return {"who": "self"}
    found = text.split()
    pairs = list(zip(found[::2], found[1::2], strict=False))
    if (
        len(found) % 2
        or not pairs
        or any(way not in (*WAYS, "area") or not n.isdecimal() for way, n in pairs)
    ):
        raise ValueError(
            "like `reach 1`, `range 5`, `burst 2`, `area 1 range 10`, `line 5`, `cone 3` or `self`"
        )
    return {way: int(n) for way, n in pairs}


def parse_step_else_status(text: str) -> dict[str, object]:
    """Parse a step, or a status with duration: `push 2`, `heal 3 self`, `zone Mud 1`, `slowed turn-end`.

    The text may end with the word for the affected creatures. Raises ValueError for other text.
    """
    found = text.split()
    whom = {"to": found.pop()} if len(found) > 1 and found[-1] in WHOM else {}
    do, rest = found[0], found[1:]
    if do not in STEPS or do == "apply":
        return {**_parse_unchecked_status_step(rest if do == "apply" else found), **whom}
    if not _is_step_for_one_line(do):
        raise ValueError(f"a step short enough for a line; {do} needs more: write it in the file")
    step: dict[str, object] = {"do": do}
    if do == "note":
        return {**step, "text": " ".join(rest), **whom}
    if rest and rest[-1].isdecimal():
        step["amount"] = int(rest.pop())
    keys = keys_of_step_class(step_class_of(None, {"do": do}))
    if rest and keys.keys() & {"name", "status"}:
        step["name" if "name" in keys else "status"] = " ".join(rest)
    elif rest:
        raise ValueError(f"a step and a number, like `{do} 2`")
    return {**step, **whom}


def _parse_unchecked_status_step(steps: list[str]) -> dict[str, object]:
    if not steps:
        raise ValueError("a status, like `slowed turn-end`")
    step: dict[str, object] = {"do": "apply"}
    duration = steps.pop() if len(steps) > 1 and steps[-1] in DURATIONS else "save"
    if steps[-1].isdecimal():
        step["amount"] = int(steps.pop())
    return {**step, "status": "-".join(steps), "duration": duration}


def _parse_steps_at_semicolons(text: str) -> list[dict[str, object]]:
    return [parse_step_else_status(part) for part in split_at_semicolons(text)]


def _step_list_lines(key: str, steps: list[dict[str, object]], comment: str) -> Iterator[str]:
    yield f"# {comment}"
    if not steps:
        yield f"{key} = []"
        return
    yield f"{key} = ["
    yield from (f"  {toml_value(step)}," for step in steps)
    yield "]"


def _power_file_lines(name: str, key: str, answers: Answers) -> Iterator[str]:
    where, damage = _parse_range(answers["where"]), number_reader(0, 100, empty=NONE)(answers["damage"])
    action, answering = answers["action"], answers["answers"]
    yield f"# {name}: a power. {DOCS_HINT}"
    yield f"# `strike content explain {key}` reads it back, `strike content try {key}` plays it on dummies."
    yield f'# To have it, a character or a creature names it: powers = ["{key}"]'
    yield ""
    yield f"[powers.{key}]"
    yield from toml_line("name", name)
    yield from toml_line("summary", answers["summary"], "a line for the table")
    yield from toml_line("action", action, "attack, move, role, free, interrupt or none")
    yield from toml_line("usage", answers["usage"], "at-will, or encounter: once a fight")
    yield from toml_line("on", answering or "harmed", "the moment that triggers it", active=bool(answering))
    for way, far in where.items():
        yield from toml_line(way, far)
    if "who" not in where:
        so = answers["who"] != NONE
        yield from toml_line("who", answers["who"] if so else "enemies", "its legal targets", active=so)
    yield from toml_line(
        "damage",
        2 if damage is None else damage,
        "with damage, the power is rolled",
        active=damage is not None,
    )
    comment = "steps of its Effect, on a hit" if damage is not None else "steps, one after the other"
    yield from _step_list_lines("effect", _parse_steps_at_semicolons(answers["does"]), comment)
    yield "# More lists of steps: before (the roll), hit, miss, always."
    yield from toml_line("always", [{"do": "shift", "amount": 1, "to": "self"}], active=False)
    if damage is not None:
        yield from toml_line(
            "bonus", [{"amount": 2, "if": "flanked"}], "extra damage, not doubled", active=False
        )
    yield from toml_line("ap", 1, "its cost in Action Points, for players", active=False)
    yield from toml_line("keywords", split_at_commas(answers["keywords"]))


_POWER_QUESTIONS = (
    Question(
        "action",
        "Which action does it take: attack, move, role, free or interrupt?",
        "The action that it takes.",
        "attack",
        word_reader(*ACTIONS),
        ACTIONS,
    ),
    Question(
        "answers", "", "The moment that triggers it, for an interrupt.", "",
        word_reader(*REACTION_EVENTS, ""), [*REACTION_EVENTS]
    ),
    Question(
        "where",
        "What is its range? (reach 1, range 5, burst 2, area 1 range 10, line 5, cone 3, or self)",
        "Its range: `reach 1`, `range 5`, `burst 2`, `area 1 range 10`, `line 5`, `cone 3`, `self`.",
        "reach 1",
        _parse_range,
    ),
    Question(
        "who", "Who are legal targets: enemies, allies, friends, others or any?", "Its legal targets.",
        NONE, word_reader(*TARGET_GROUPS, NONE), TARGET_GROUPS,
    ),
    Question(
        "damage", "How much damage on a solid hit? (a number; none for a power that isn't rolled)",
        "Damage of a solid hit; without it, the power isn't rolled.", NONE, number_reader(0, 100, empty=NONE),
    ),
    Question(
        "does",
        "What else does it do? (push 2; slowed turn-end; heal 3 self; or nothing)",
        "Steps: `push 2; slowed turn-end; heal 3 self`.",
        "nothing",
        _parse_steps_at_semicolons,
    ),
    Question(
        "usage", "How often: at-will or encounter?", "How often.", "at-will",
        word_reader("at-will", "encounter"), ("at-will", "encounter"),
    ),
    Question("summary", "Describe it in a line.", "A line about it."),
    Question("keywords", "", "Keywords for other rules, like fire."),
)  # fmt: skip
POWER = Draft(
    "powers",
    _POWER_QUESTIONS,
    _power_file_lines,
    '"Mud Slap" --where "reach 1" --damage 3 --does "push 1; slowed turn-end"',
    ("strike content try {id}", "strike content explain {id}"),
)


# A status


def _parse_bans(text: str) -> list[dict[str, object]]:
    return [{"action": word_reader(*ACTION_KINDS)(word)} for word in split_at_commas(text)]


def _parse_number_changes(text: str) -> list[dict[str, object]]:
    """Read changes of numbers: `speed -2; taken 1`. Raises ValueError for other text."""
    found = []
    for part in split_at_semicolons(text):
        of, _, gives = part.partition(" ")
        if of not in NUMBERS or not gives.strip().lstrip("+-").isdecimal():
            raise ValueError(f"one of {', '.join(NUMBERS)} and a number, as in `speed -2`")
        found.append({"of": of, "gives": int(gives)})
    return found


def _status_file_lines(name: str, key: str, answers: Answers) -> Iterator[str]:
    sources, bans = parse_roll_modifiers_at_semicolons(answers["rolls"]), _parse_bans(answers["forbids"])
    changed, harm = _parse_number_changes(answers["numbers"]), number_reader(0, 50)(answers["each-turn"])
    yield f"# {name}: a status of fights. docs/status-reference.md says what it may do."
    yield f"# `strike content explain {key}` reads it back. A power gives it:"
    yield f'#   effect = [{{ do = "apply", status = "{key}", duration = "save" }}]'
    yield ""
    yield f"[statuses.{key}]"
    yield from toml_line("name", name)
    yield from toml_line("noun", True, f"somebody has {name}, and isn't {name}", active=False)
    yield from toml_line("summary", answers["summary"], "the text for the table")
    yield from toml_line("harmful", answers["harmful"] == "yes")
    yield '# Rolls that get Advantage, Disadvantage or a number; side = "against" for rolls at who has it.'
    yield from toml_line(
        "sources", sources or [{"on": "attack", "gives": "disadvantage"}], active=bool(sources)
    )
    yield "# What may not be done."
    yield from toml_line("bans", bans or [{"action": "shift"}], active=bool(bans))
    yield "# Damage dealt and taken, Speed, reach, range, being pushed."
    yield from toml_line("numbers", changed or [{"of": "speed", "gives": -2}], active=bool(changed))
    yield "# What follows from something that happens."
    hurts = {"do": "damage", "to": "self", "by": "giver", "amount": harm or 1}
    reaction = {"on": "turn-started", "steps": [hurts]}
    yield from toml_line("reactions", [reaction], active=bool(harm))
    yield "# What ends it, whatever duration it was given."
    yield from toml_line(
        "ends_when",
        split_at_commas(answers["ends"]) or ["damaged"],
        active=bool(split_at_commas(answers["ends"])),
    )


STATUS = Draft(
    "statuses",
    (
        Question(
            "harmful",
            "Is it harmful: yes or no?",
            "yes or no.",
            "yes",
            word_reader("yes", "no"),
            ("yes", "no"),
        ),
        Question(
            "rolls",
            "What does it do to rolls? (`attack disadvantage; attack against advantage`, or nothing)",
            "Kinds of roll and what they get: `attack disadvantage; attack against advantage`.",
            "nothing",
            parse_roll_modifiers_at_semicolons,
        ),
        Question(
            "forbids",
            "What does it forbid its bearer? (act, attack, move, shift, role, opportunity ..., or none)",
            "Forbidden actions, several with commas.",
            NONE,
            _parse_bans,
            [*ACTION_KINDS],
        ),
        Question(
            "numbers",
            "What numbers does it change? (`speed -2; taken 1; dealt -1`, or nothing)",
            "Numbers that it changes: `speed -2; taken 1`.",
            "nothing",
            _parse_number_changes,
        ),
        Question(
            "each-turn",
            "How much damage at the start of its bearer's turn?",
            "Damage at the start of the bearer's turn.",
            "0",
            number_reader(0, 50),
        ),
        Question(
            "ends", "", "Facts that end it: damaged, attacks, attacked, moved, apart, giver-down.", NONE
        ),
        Question("summary", "Describe it in a line.", "A line about it."),
    ),
    _status_file_lines,
    '"Mud in the Eyes" --rolls "attack disadvantage" --forbids opportunity',
    ("strike content explain {id}", 'strike content new power "..." --does "{id} save"'),
)


# A creature


TIERS = ("stooge", "goon", "standard", "elite", "champion")


def _parse_basic_attack(text: str) -> dict[str, int] | None:
    """Return the numbers of a typed basic attack, such as `2 reach 1` or `2 range 5`; None for `none`.

    A single number is the damage of an attack with reach 1. Raises ValueError for any other text.
    """
    found = text.split()
    if found == [NONE]:
        return None
    if len(found) == 1 and text.isdecimal():
        found += ["reach", "1"]
    if len(found) != 3 or found[1] not in ("reach", "range") or not (found[0] + found[2]).isdecimal():
        raise ValueError("damage and range, like `2 reach 1` or `2 range 5`, or none")
    return {"damage": int(found[0]), found[1]: int(found[2])}


def _creature_file_lines(name: str, key: str, answers: Answers) -> Iterator[str]:
    tier, hp = answers["tier"], number_reader(1, 500, empty="tier")(answers["hp"])
    melee, ranged = _parse_basic_attack(answers["melee"]), _parse_basic_attack(answers["ranged"])
    if answers.get("damage"):
        melee = {"reach": 1, **(melee or {}), "damage": int(answers["damage"])}
    yield f"# {name}: a creature. {DOCS_HINT}"
    yield f"# `strike combat start ENCOUNTER --with {key}:2` brings two; `strike combat join {key}` one more."
    yield ""
    yield f"[creatures.{key}]"
    yield from toml_line("name", name)
    yield from toml_line("summary", answers["summary"], "the name that players see")
    yield from toml_line("tier", tier, f"{', '.join(TIERS)}: HP, boxes and turns")
    usual = combat_numbers()["tiers"][tier].get("hp", 10)
    yield from toml_line("hp", hp or usual, "in place of the tier's value", active=hp is not None)
    yield from toml_line("speed", number_reader(0, 50)(answers["speed"]))
    yield from toml_line("size", 1, "squares on a side", active=False)
    if melee:
        yield from toml_line("melee", melee)
    yield from toml_line("ranged", ranged or False, "" if ranged else "it has no ranged attack")
    yield from toml_line(
        "opportunity", melee["damage"] if melee else 0, "damage, when an enemy leaves its reach"
    )
    yield from toml_line("powers", split_at_commas(answers["powers"]))
    yield from toml_line("statuses", ["flying"], "that it has at the start of a fight", active=False)
    yield "# A trait is a word for you, or a table that acts like a status."
    yield from toml_line("traits", split_at_commas(answers["traits"]))
    thorns = {"do": "damage", "to": "other", "amount": 1}
    trait = {"name": "Thorny", "reactions": [{"on": "missed", "steps": [thorns]}]}
    yield from toml_line("traits", [trait], active=False)
    yield from toml_line(
        "notes", "Runs when its leader falls.", "for you alone: its goals, its tactics", active=False
    )


CREATURE = Draft(
    "creatures",
    (
        Question(
            "tier",
            f"Of which tier: {', '.join(TIERS)}?",
            "Its tier, which sets its HP and turns.",
            "standard",
            word_reader(*TIERS),
            TIERS,
        ),
        Question("hp", "", "HP, in place of the tier's value.", "tier", number_reader(1, 500, empty="tier")),
        Question("speed", "Speed?", "Squares of a Move Action.", "6", number_reader(0, 50)),
        Question(
            "melee",
            "Its melee attack? (damage and reach; or none)",
            "`2 reach 1`.",
            "2 reach 1",
            _parse_basic_attack,
        ),
        Question("damage", "", "Damage of its melee attack.", "", number_reader(0, 100, empty=" ")),
        Question(
            "ranged",
            "Its ranged attack? (`2 range 5`; or none)",
            "`2 range 5`, or none.",
            NONE,
            _parse_basic_attack,
        ),
        Question(
            "powers",
            "Powers? (ids, with commas; or none)",
            "Ids of powers, with commas.",
            NONE,
            split_at_commas,
        ),
        Question(
            "traits", "Traits? (words for you, with commas; or none)", "Words for you.", NONE, split_at_commas
        ),
        Question("summary", "Describe it in a line.", "A line about it."),
    ),
    _creature_file_lines,
    '"Mud Crab" --tier goon --melee "2 reach 1"',
    ("strike content explain {id}", "strike combat start ENCOUNTER --with {id}:2"),
)


# An encounter


def _parse_map_size(text: str) -> tuple[int, int]:
    wide, _, high = text.partition("x")
    if not (wide.isdecimal() and high.isdecimal() and 6 <= int(wide) <= 60 and 4 <= int(high) <= 40):
        raise ValueError("columns x rows, from 6x4 to 60x40")
    return int(wide), int(high)


def _parse_enemy_counts(text: str) -> dict[str, int]:
    """Return the number of each creature that a text names: `goblin:3, ogre`.

    A creature without a number counts once. Raises ValueError if the text names no creature, or if a number
    isn't from 1 to 99.
    """
    found = {}
    for word in split_at_commas(text):
        combatant, _, count = (
            word.rpartition(":") if ":" in word and word.rpartition(":")[2].isdecimal() else (word, "", "1")
        )
        found[combatant] = int(count)
    if not found or not all(1 <= count <= 99 for count in found.values()):
        raise ValueError("creatures and how many, like `goblin:3, ogre`")
    return found


PARTY_SQUARES = 6


def _hall_map_rows_with_start_squares(wide: int, high: int) -> list[str]:
    """Return the rows of a hall with two rough patches, the party on the left and enemies on the right."""
    rows = [["#" if y in (0, high - 1) else "." for _ in range(wide)] for y in range(high)]
    middle = high // 2
    for number_ in range(PARTY_SQUARES):
        y = min(max(middle - 1 + number_ % 3, 1), high - 2)
        rows[y][1 + number_ // 3] = "P"
        if number_ < 3:
            rows[y][wide - 2] = "e"
    for x in (wide // 2, wide // 2 - 1):
        rows[1][x] = rows[high - 2][x] = "~"
    return ["".join(row) for row in rows]


def _encounter_file_lines(name: str, key: str, answers: Answers) -> Iterator[str]:
    yield f"# {name}: an encounter. docs/campaign-file.md has every key, docs/maps.md what maps may have."
    yield f"# `strike combat start {key}` begins it; --difficulty easy|normal|hard|deadly says how many come."
    yield "# The map: . floor  # wall  ~ difficult  + closed door  / open door  : obscured  % dark"
    yield ""
    yield f"[encounters.{key}]"
    yield from toml_line("name", name)
    yield from toml_line("goal", answers["goal"], "the players' goal, beyond winning")
    yield from toml_line("summary", answers["summary"])
    yield 'map = """'
    yield from _hall_map_rows_with_start_squares(*_parse_map_size(answers["size"]))
    yield '"""'
    yield from toml_line("place", {"P": "party", "e": "enemies"}, "the meaning of a sign on the map")
    yield "# How many of each come, on the squares for enemies and beside them."
    yield from toml_line("creatures", _parse_enemy_counts(answers["enemies"]))
    yield from toml_line("zones", [{"name": "Fog", "squares": ["F2:H4"], "obscured": True}], active=False)


ENCOUNTER = Draft(
    "encounters",
    (
        Question(
            "enemies",
            "Who is there? (creatures and how many: `goblin:3, ogre`)",
            "`goblin:3, ogre`.",
            "",
            _parse_enemy_counts,
        ),
        Question("goal", "What is the players' goal there, beyond winning?", "The players' goal."),
        Question(
            "size", "How large is the map? (columns x rows)", "Columns x rows.", "16x9", _parse_map_size
        ),
        Question("summary", "Describe the place in a line.", "A line about it."),
    ),
    _encounter_file_lines,
    '"The Mud Flats" --enemies goblin:3 --goal "Cross before the tide"',
    ("strike content explain {id}", "strike combat start {id}"),
)
