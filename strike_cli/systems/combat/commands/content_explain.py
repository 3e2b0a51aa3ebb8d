"""`strike content explain` for fights: powers, statuses, traits, creatures, hazards and encounters in words.

Each `explain_...` function returns lines about one kind of content.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, cast

from strike_cli.registry.installed_plugins import load_plugin_word
from strike_cli.tabletop.data import SIDE_SQUARES
from strike_cli.tabletop.effects_in_plain_words import ExplainedLine, Explainer
from strike_cli.tabletop.encounters import unpadded_map_rows

from ..encounter.creatures_and_budgets import creature_numbers_with_tier_defaults
from ..encounter.objective import objective_words
from ..fight_state import area_shape_of
from ..health_and_statuses import ending_event_named
from ..powers.powers_and_targets import has_attack_roll, target_group_key
from ..rule_numbers import combat_numbers
from ..steps import PART_HEADINGS, PARTS, REACTION_EVENTS, SHAPES, USER, steps_with_nested, trigger_in_words
from ..steps.step import describe_status_steps, describe_step, if_clause_in_explanation
from .power_descriptions import power_details_in_one_line as power_in_words

if TYPE_CHECKING:
    from strike_cli.content.merged_content import Book
    from strike_cli.tabletop.data import EffectWritten, EncounterWritten, GroundWritten

    from ..data import FightDefaults, FighterWritten, PowerWritten
    from ..steps import StepTable

ACTION_WORDS = {
    "attack": "an Attack Action",
    "move": "a Move Action",
    "role": "a Role Action",
    "free": "a Free Action on your own turn",
    "interrupt": "no action: it interrupts",
    "none": "no action",
}
REACTION_PLAN_WORDS = {
    "always": "whenever it helps",
    "bloodied": "for somebody Bloodied",
    "deadly": "for somebody about to fall",
    "never": "never on their own",
}
TARGET_WORDS = {
    "enemies": ("enemy", "enemies"),
    "allies": ("ally", "allies"),
    "friends": ("ally, or yourself", "allies, or yourself"),
    "others": ("other creature", "other creatures"),
    "any": ("creature (or yourself)", "creatures (yourself included)"),
    "self": ("yourself", "yourself"),
}
"""The words for the possible targets of a power: for one target, and for several."""
KEYS_WITH_OWN_LINES = {
    *("name", "summary", "action", "usage", "ap", "kind", "trigger", "on", "befalls", "by", "near", "result"),
    *("plan", "once", "reach", "range", *SHAPES, "who", "targets", "repeats", "damage", "bonus", *PARTS),
    *("keywords", "override", "level", "uses", "recharge", "charges", "back", "hp"),
}
"""The keys of a power that have lines of their own. Others are shown as they are written."""


def explain_power(book: Book, table: PowerWritten) -> list[ExplainedLine]:
    """Explain a power: its cost, its targets, the results of its die, and each of its parts."""
    lines = [ExplainedLine("Takes", _action_cost_and_usage_words(table))]
    if "on" in table:
        plan = REACTION_PLAN_WORDS[table.get("plan", "always")]
        lines.append(
            ExplainedLine("Answers", f"it is asked for {trigger_in_words(table)}; creatures give it {plan}")
        )
    elif "trigger" in table:
        lines.append(ExplainedLine("When", f"{table['trigger'].rstrip('.')}: the table says when"))
    lines.append(ExplainedLine("Target", _target_and_range_words(table)))
    if has_attack_roll(table):
        lines.append(ExplainedLine("Die", _attack_table_words(table)))
    lines += [
        ExplainedLine(
            "More", f"{bonus['amount']} extra damage, not doubled{if_clause_in_explanation(book, bonus)}"
        )
        for bonus in table["bonus"]
    ]
    lines += _step_lines(book, table)
    lines += [
        ExplainedLine("Also", f"{key}: {value}")
        for key, value in table.items()
        if key not in KEYS_WITH_OWN_LINES and value
    ]
    if "level" in table:
        lines.append(ExplainedLine("Level", str(table["level"])))
    if table["keywords"]:
        lines.append(ExplainedLine("Keywords", ", ".join(table["keywords"])))
    return [*lines, *_named_status_lines(book, table)]


def _action_cost_and_usage_words(table: PowerWritten) -> str:
    words = [ACTION_WORDS[table["action"]]]
    words += (
        [f"{table['ap']} Action Point{'s' if table['ap'] > 1 else ''} (players only)"]
        if table.get("ap")
        else []
    )
    words += [f"{table['hp']} of your own HP"] if "hp" in table else []
    words.append(_usage_words(table))
    if "recharge" in table:
        words.append(f"a use returns on {table['recharge']} or more on a die at the start of your turn")
    if table["kind"] != "class":
        words.append({"role": "of the role", "basic": "a basic attack", "special": "special"}[table["kind"]])
    return ", ".join(words)


def _usage_words(table: PowerWritten) -> str:
    if "charges" in table:
        return (
            f"{table['charges']} charges, kept between fights, back with a {table.get('back', 'long')} rest"
        )
    if "uses" in table:
        return f"{table['uses']} times a fight"
    return "once a fight" if table["usage"] == "encounter" else "at will"


def _target_and_range_words(table: PowerWritten) -> str:
    one, several = TARGET_WORDS[target_group_key(table)]
    if shape := area_shape_of(table):
        far = table[shape]
        where = {
            "burst": f"within {far} of yourself",
            "area": f"within {far} of a square within {table.get('range')}",
            "line": f"in a line of {far} squares",
            "cone": f"in a quarter of a burst of {far}",
        }[shape]
        count = table.get("targets", "all")
        return f"{'all' if count == 'all' else f'up to {count}'} {several} {where}"
    if target_group_key(table) == "self":
        return "yourself"
    count = table.get("targets", 1)
    whom = f"all {several}" if count == "all" else f"up to {count} {several}" if count > 1 else f"one {one}"
    ways = [f"in melee, reach {table['reach']}"] if "reach" in table else []
    ways += [f"within {table['range']}"] if "range" in table else []
    again = ", the same one several times if you like" if table.get("repeats") else ""
    return f"{whom}, {' or '.join(ways) or 'at any range'}{again}"


def _attack_table_words(table: PowerWritten) -> str:
    """Return, in words, the result of each face of a power's attack die (STR-TAC-09).

    Faces with the same result are listed together.
    """
    damage, rows = table["damage"], combat_numbers()["attack"]
    found: dict[str, list[str]] = {}
    for face, row in sorted(rows.items(), reverse=True):
        if row["result"] == "miss":
            words = "a miss"
        else:
            deals = f"{damage * row['damage']} damage" if damage else ""
            both = " or " if row["result"] == "glancing" else " and "
            effect = "the Effect" if table["effect"] else ""
            words = both.join(part for part in (deals, effect) if part) or "a hit"
        found.setdefault(words, []).append(str(face))
    return "one for each target: " + "; ".join(
        f"{', '.join(faces)}: {words}" for words, faces in found.items()
    )


def _step_lines(book: Book, table: PowerWritten) -> Iterator[ExplainedLine]:
    for part in PARTS:
        head = (
            "Effect" if part in ("effect", "always") and not has_attack_roll(table) else PART_HEADINGS[part]
        )
        for step in table[part]:
            yield ExplainedLine(head, describe_step(book, step))


def _named_status_lines(book: Book, table: PowerWritten) -> Iterator[ExplainedLine]:
    steps = [step for part in PARTS for step in steps_with_nested(table[part])]
    named = dict.fromkeys(step["status"] for step in steps if "status" in step)
    for id in named:
        status = book.statuses[id]
        words = str(status["summary"]).rstrip(".") or "; ".join(
            line.text for line in _effect_lines(book, status)
        )
        yield ExplainedLine(str(status["name"]), words or "a label for the table")


# Statuses and traits


MOMENTS = {word: kind.held or f"at {word}" for word, kind in REACTION_EVENTS.items()}
"""The words for the moments before an event, from the point of view of a status's bearer."""


def _effect_lines(book: Book, table: EffectWritten) -> Iterator[ExplainedLine]:
    implied = ", ".join(str(book.statuses[one]["name"]) for one in table.get("implies", ()))
    if implied:
        yield ExplainedLine("Brings", implied)
    yield from Explainer(book, load_plugin_word, describe_status_steps, MOMENTS).explain_effects(table)
    if table.get("flies"):
        yield ExplainedLine("Moves", "over other creatures and difficult terrain")


STACKING_WORDS = {
    "once": "only one at a time: the longer one stays",
    "highest": "each has its own duration, and the largest number counts",
    "by-source": "one from each giver",
}


def explain_status(book: Book, table: EffectWritten) -> list[ExplainedLine]:
    """Explain a status: its effects, how it ends, and whether it is harmful."""
    lines = list(_effect_lines(book, table)) or [
        ExplainedLine("Does", "nothing by itself: a label for the table")
    ]
    lines += [ExplainedLine("Ends", f"{ending_event_named(book, fact).given}") for fact in table["ends_when"]]
    lines.append(
        ExplainedLine(
            "Kind", f"{'harmful' if table['harmful'] else 'helpful'}; {STACKING_WORDS[str(table['stacks'])]}"
        )
    )
    return lines


# Creatures


def explain_creature(book: Book, table: FighterWritten) -> list[ExplainedLine]:
    """Explain a creature: its HP or boxes, its movement, attacks and senses, its traits and powers."""
    tier, defaults = creature_numbers_with_tier_defaults(table), combat_numbers()["defaults"]
    turns = tier.get("turns", 1)
    stands = (
        f"{tier['boxes']} box{'es' if tier['boxes'] > 1 else ''}, checked by {tier['threshold']} damage"
        if "boxes" in tier
        else f"{tier['hp']} HP"
    )
    body = [f"Speed {table.get('speed', defaults['speed'])}"]
    body += [f"size {table['size']}"] if table.get("size", 1) > 1 else []
    body += [f"{turns} turns a round"] if turns > 1 else []
    body += ["one initiative die for all of its kind"] if tier.get("shares_initiative") else []
    body += ["begins unseen"] if table["hidden"] else []
    lines = [ExplainedLine("Tier", f"{table['tier']}: {stands}"), ExplainedLine("Body", ", ".join(body))]
    lines += _attack_and_fleeing_lines(table, defaults)
    lines += [
        ExplainedLine("Begins", f"as {book.statuses[one]['name']}, for the whole fight")
        for one in table["statuses"]
    ]
    lines += [
        ExplainedLine(
            "Sees",
            f"{sense['name']}: through {', '.join(sense['ignores'])}"
            + (f", within {sense['range']}" if "range" in sense else ""),
        )
        for sense in table["senses"]
    ]
    for aura in table.get("auras", ()):
        step = cast("StepTable", {"do": "zone", "to": "self", "along": True, "duration": "encounter", **aura})
        lines.append(ExplainedLine("Aura", describe_step(book, step).replace(USER, "it")))
    for trait in table["traits"]:
        lines += (
            [ExplainedLine("Trait", trait)] if isinstance(trait, str) else _trait_in_one_line(book, trait)
        )
    lines += [
        ExplainedLine(str(book.powers[key]["name"]), power_in_words(book, book.powers[key]))
        for key in table["powers"]
    ]
    return lines


def _attack_and_fleeing_lines(table: FighterWritten, defaults: FightDefaults) -> Iterator[ExplainedLine]:
    melee = table.get("melee", {"damage": defaults["basic_damage"], "reach": 1})
    ranged = table.get("ranged", {"damage": defaults["basic_damage"], "range": defaults["ranged"]})
    yield ExplainedLine("Melee", f"{melee['damage']} damage, reach {melee['reach']}")
    if ranged:
        yield ExplainedLine("Ranged", f"{ranged['damage']} damage, range {ranged['range']}")
    opportunity = table.get("opportunity", defaults["opportunity_damage"])
    yield ExplainedLine("Opportunity", f"{opportunity} damage, when an enemy leaves its reach")
    if "flees_at" in table:
        yield ExplainedLine("Flight", f"breaks off with {table['flees_at']} or less left")


def explain_creature_trait(book: Book, table: EffectWritten) -> list[ExplainedLine]:
    """Explain a creature's trait: its effects, or that it is only a label."""
    return list(_effect_lines(book, table)) or [
        ExplainedLine("Does", "nothing by itself: a label for the table")
    ]


def explain_hazard(book: Book, table: GroundWritten) -> list[ExplainedLine]:
    """Explain a hazard: its terrain, and the status that it gives to creatures inside."""
    lines = [ExplainedLine("Ground", _ground_name_and_property_words(table))]
    if "status" in table:
        status = book.statuses[table["status"]]
        lines.append(ExplainedLine("Gives", f"{status['name']}, for creatures inside"))
        lines += _effect_lines(book, status)
    return lines


def _trait_in_one_line(book: Book, trait: EffectWritten) -> Iterator[ExplainedLine]:
    does = "; ".join(line.text for line in _effect_lines(book, trait))
    yield ExplainedLine(str(trait["name"]), does or str(trait["summary"]) or "a label for the table")


# Encounters


def explain_encounter(book: Book, table: EncounterWritten) -> list[ExplainedLine]:
    """Explain an encounter: for example its goal, its map, its creatures and its zones."""
    rows = unpadded_map_rows(table)
    wide = max(map(len, rows), default=0)
    lines = [ExplainedLine("Goal", table["goal"])] if table["goal"] else []
    if objective := table.get("objective"):
        names = {
            combatant: _name_of_combatant_or_side(book, combatant)
            for combatant in objective.get("protect", ())
        }
        lines.append(ExplainedLine("Objective", objective_words(objective, names)))
    if "flees_at" in table:
        lines.append(
            ExplainedLine("Flight", f"the enemies break off once at most {table['flees_at']} are left")
        )
    lines.append(
        ExplainedLine("Map", f"{wide} by {len(rows)} squares" if rows else "none: a fight needs one")
    )
    lines += [
        ExplainedLine(f"Sign {sign}", _count_name_and_side_words(book, table, sign, combatant))
        for sign, combatant in table["place"].items()
    ]
    lines += [
        ExplainedLine("At", f"{_name_of_combatant_or_side(book, combatant)}: {', '.join(squares)}")
        for combatant, squares in table["at"].items()
    ]
    lines += [
        ExplainedLine("By count", f"{count} x {_name_of_combatant_or_side(book, combatant)}")
        for combatant, count in table["creatures"].items()
    ]
    lines += [
        ExplainedLine(f"Sign {sign}", _ground_name_and_property_words(ground))
        for sign, ground in table["terrain"].items()
    ]
    lines += [
        ExplainedLine("Zone", f"{_ground_name_and_property_words(zone)} on {', '.join(zone['squares'])}")
        for zone in table["zones"]
    ]
    return lines


def _count_name_and_side_words(book: Book, table: EncounterWritten, sign: str, combatant: str) -> str:
    count = table.get("counts", {}).get(sign)
    side = f", on the side of the {table['side'][sign]}" if sign in table["side"] else ""
    return f"{f'{count} x ' if count else ''}{_name_of_combatant_or_side(book, combatant)}{side}"


def _name_of_combatant_or_side(book: Book, combatant: str) -> str:
    if combatant in SIDE_SQUARES:
        return f"the {combatant}"
    return str((book.characters.get(combatant) or book.creatures[combatant])["name"])


def _ground_name_and_property_words(ground: GroundWritten) -> str:
    what = ["a wall"] if ground.get("wall") else []
    what += ["difficult"] if ground["difficult"] else []
    what += ["conceals creatures in it"] if ground["obscured"] else []
    what += ["creatures in it can't be seen"] if ground["dark"] else []
    what += (
        [f"{ground['damage']} damage to creatures that enter it or begin a turn there"]
        if ground["damage"]
        else []
    )
    what += ["hidden from players"] if ground["gm"] else []
    what += ["gives a status to creatures in it"] if "status" in ground else []
    return f"{ground['name']}" + (f" ({'; '.join(what)})" if what else "")
