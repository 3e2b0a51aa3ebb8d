"""A power in words: how far it goes, what it takes and what it does, for sheets and for looking it up."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from strike_cli.content.book import Book

Step = Mapping[str, Any]

LASTS = {
    "save": "save ends",
    "escape": "escape ends",
    "this-turn": "until this turn ends",
    "turn-start": "until the next turn starts",
    "turn-end": "until the next turn ends",
    "encounter": "for the fight",
    "permanent": "until ended",
}
UNTIL = {
    "damaged": "until damaged",
    "attacks": "until it attacks",
    "attacked": "until attacked",
    "moved": "until it moves",
    "apart": "until they are apart",
    "giver-down": "until who gave it is down",
}
IF = {
    "bloodied": "if Bloodied",
    "self-bloodied": "if oneself is Bloodied",
    "flanked": "if flanked",
    "adjacent": "if adjacent",
    "hidden": "if Hidden",
    "critical": "on a critical hit",
}
WHEN = {"before": "first", "effect": "", "hit": "on a hit", "miss": "on a miss", "always": "in any case"}
WHOM = {"target": "", "self": "oneself", "ally": "an ally", "allies": "allies", "enemies": "enemies"}
MOVES = {"push": "pushed", "pull": "pulled", "slide": "slid", "teleport": "teleported"}


def where(power: Mapping[str, Any]) -> str:
    """How far it goes: `reach 1`, `reach 1 or range 5`, `area 2 within 5`; `-` where it goes nowhere."""
    if "area" in power:
        return f"area {power['area']} within {power['range']}"
    ways = [f"{way} {power[way]}" for way in ("reach", "range", "burst", "line", "cone") if way in power]
    return " or ".join(ways) or "-"


def takes(power: Mapping[str, Any]) -> str:
    """What it takes besides an Attack Action: `role action, 1 AP, once a fight`; empty where that is all."""
    words = {"attack": [], "none": ["no action"], "interrupt": ["interrupt"]}.get(
        power["action"], [f"{power['action']} action"]
    )
    answers = {"missed": "when missed", "hit": "when hit"}.get(power.get("on", ""), power.get("trigger", ""))
    words = [*words, *([str(answers)] if answers else [])]
    words += [f"{power['ap']} AP"] if power.get("ap") else []
    words += ["once a fight"] if power["usage"] == "encounter" else []
    return ", ".join(words)


def does(book: Book, power: Mapping[str, Any]) -> str:
    """What it takes and what it does, in a line; `-` for an attack that does damage and no more."""
    parts = []
    for part, when in WHEN.items():
        steps = "; ".join(step_in_words(book, step) for step in power.get(part, ()))
        if steps:
            parts.append(f"{when}: {steps}" if when else steps)
    for bonus in power.get("bonus", ()):
        parts.append(f"+{bonus['amount']} damage{_if(book, bonus)}")
    return ": ".join(words for words in (takes(power), "; ".join(parts)) if words) or "-"


def in_words(book: Book, power: Mapping[str, Any]) -> str:
    """A power in a line: how far it goes, its damage, what it takes and what it does."""
    damage = f", {power['damage']} damage" if "damage" in power else ""
    return f"{where(power)}{damage}. {does(book, power)}"


def step_in_words(book: Book, step: Step) -> str:
    """One step of an effect: `Prone (save ends)`, `oneself: heals 3`, `pushed 2 if flanked`."""
    whom = WHOM[step["to"]] + (f" within {step['within']}" if "within" in step else "")
    words = _done(book, step).rstrip(".") + _if(book, step)
    return f"{whom}: {words}" if whom else words


def _done(book: Book, step: Step) -> str:
    amount = step.get("amount", 1)
    match step["do"]:
        case "apply":
            value = f" {amount}" if "amount" in step else ""
            return f"{_status(book, step)}{value}{_lasting(step)}"
        case "end":
            return f"ends {_status(book, step) if 'status' in step else 'a harmful status'}"
        case "damage":
            return f"{amount} more damage"
        case "heal":
            return f"heals {amount}"
        case "push" | "pull" | "slide" | "teleport":
            return f"{MOVES[step['do']]} {amount}"
        case "shift":
            return f"shifts {amount}"
        case "move":
            return f"moves up to {amount}" if "amount" in step else "moves"
        case "save":
            return "a Saving Throw at once"
        case "zone":
            return _zone(step)
        case "token":
            return "a Miss Token" if amount == 1 else f"{amount} Miss Tokens"
        case "strike":
            return "a Strike" if amount == 1 else f"{amount} Strikes"
        case "regain":
            return "an Encounter power again"
        case "attack":
            return "attacks" if step.get("uses") == "any" else "makes a basic attack"
        case "handler":
            return str(step.get("text") or step["handler"].rpartition(":")[2].replace("-", " "))
    return str(step.get("text", ""))


def _status(book: Book, step: Step) -> str:
    return str(book.statuses[step["status"]]["name"])


def _lasting(step: Step) -> str:
    if "duration" not in step:
        return ""
    words = UNTIL.get(step.get("until", "")) if step["duration"] == "until" else LASTS[step["duration"]]
    return f" ({words})"


def _zone(step: Step) -> str:
    what = [f"{step['amount']} damage"] if "amount" in step else []
    what += ["difficult"] if step.get("difficult") else []
    what += [str(step["sight"])] if "sight" in step else []
    return f"a zone of {step['name']}" + (f" ({', '.join(what)})" if what else "") + _lasting(step)


def _if(book: Book, step: Step) -> str:
    words = [IF[step["if"]]] if "if" in step else []
    words += [f"if {book.statuses[step['if_status']]['name']}"] if "if_status" in step else []
    return "".join(f" {word}" for word in words)
