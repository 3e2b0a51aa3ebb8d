"""The value of a status to its holder, in HP, for as long as it is expected to last.

Derived from the status's contributions, so that those of plugins count, too.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from ..numbers import numbers
from ..steps import with_nested

if TYPE_CHECKING:
    from strike_cli.tabletop.contribution_schemas import BanWritten
    from strike_cli.tabletop.data import EffectWritten, StatusHeld

    from ..data import Combatant, ContentOfFights

TURNS: Mapping[str, float] = {"save": 2.0, "this-turn": 0.5, "encounter": 3.0, "permanent": 2.0, "until": 1.5}
"""Turns of its holder that a status lasts on average, by its duration: a Saving Throw ends it with an even
chance, at the end of each. Any other lasts one."""
HITS = 0.75
"""What of a power's damage an attack does on average."""
TAKEN = 2.0
"""HP of damage that somebody is expected to take in a round."""
SWAYED = 0.35
"""What of an attack's damage Advantage adds and Disadvantage takes; POINT each point of a modifier."""
POINT = 0.12
OTHER_ROLLS = 0.3
"""What Advantage or Disadvantage on other rolls is worth."""
LEAST = 0.2
"""What a status takes at least that says of itself that it harms, or gives whose reactions help."""
OF_ATTACKS: Mapping[str, float] = {
    "act": 1.0,
    "attack": 0.9,
    "decide": 2.0,
    "melee": 0.5,
    "ranged": 0.4,
    "move": 0.35,
}
"""What of somebody's attack a ban takes: who is Dominated strikes for the other side."""
OF_ONE_OF_TWO = 0.35
"""What is left to take where not all of a kind of action is banned, but those beyond a number."""
FLAT: Mapping[str, float] = {"role": 0.5, "non-basic": 0.5, "opportunity": 0.2, "shift": 0.1, "stand": 0.3}
BARE = 0.1
"""What any other ban is worth."""


def worth_of_status(book: ContentOfFights, combatant: Combatant, held: StatusHeld) -> float:
    """Return what a status is worth to its holder, in HP; below 0 where it harms."""
    status = book.statuses[held["id"]]
    value = int(held.get("value", 0))
    if not status["harmful"] and value and _keeps_off_its_number(status):
        return float(min(value, combatant["max_hp"]))
    lasts = 1.0 if _ends_itself(status, held["id"]) else TURNS.get(held["ends"], 1.0)
    return lasts * worth_of_a_turn(book, combatant, status, value)


def worth_of_a_turn(
    book: ContentOfFights, combatant: Combatant, status: EffectWritten, value: int = 0
) -> float:
    """Return what having a status for one of its holder's turns is worth, in HP; `value` is its number."""
    key = id(status), combatant["ref"], value
    kept_of, found = _known.get(key, (None, 0.0))
    if kept_of is not book:
        found = _worth(book, status, value, expected_damage(book, combatant["ref"]), deepest=3)
        if status["harmful"]:
            found = min(found, -LEAST)
        elif status.get("reactions"):
            found = max(found, LEAST)
        if len(_known) >= MOST_KNOWN:
            _known.clear()
        _known[key] = book, found
    return found


_known: dict[tuple[int, str, int], tuple[object, float]] = {}
MOST_KNOWN = 2000
"""Worths that are kept: they rest on the book alone."""


def _worth(book: ContentOfFights, status: EffectWritten, value: int, deals: float, deepest: int) -> float:
    total = -sum(_worth_of_ban(ban, deals) for ban in status.get("bans", ()))
    for source in status.get("sources", ()):
        of = (TAKEN if source["side"] == "against" else deals) if source["on"] == "attack" else 0.0
        gives = source["gives"]
        much = POINT * gives if isinstance(gives, int) else SWAYED if gives == "advantage" else -SWAYED
        worth = much * of if of else OTHER_ROLLS * much / SWAYED
        total += -worth if source["side"] == "against" else worth
    for remap in status.get("remaps", ()):
        total += -deals / 2 if remap["stage"] == "damage" else SWAYED * TAKEN
    for number in status.get("numbers", ()):
        gives = number.get("gives", 0)
        total += (-gives if number["of"] == "taken" else gives) / 2
    for reaction in status.get("reactions", ()):
        each = [_worth_of_step(book, step, value, deals, deepest) for step in with_nested(reaction["steps"])]
        total += max(each, key=abs, default=0.0) if len(each) > 1 else sum(each)
    if deepest:
        implied = (book.statuses[id] for id in status.get("implies", ()) if id in book.statuses)
        total += sum(_worth(book, other, 0, deals, deepest - 1) for other in implied)
    return total


def _worth_of_ban(ban: BanWritten, deals: float) -> float:
    action = ban["action"]
    if ban["side"] == "against":  # nobody gets at them
        return -TAKEN if action == "seen" else -TAKEN / 4
    share = OF_ONE_OF_TWO if ban.get("over") else 1.0
    return share * (OF_ATTACKS[action] * deals if action in OF_ATTACKS else FLAT.get(action, BARE))


def _worth_of_step(
    book: ContentOfFights, step: Mapping[str, object], value: int, deals: float, deepest: int
) -> float:
    """Return what a step of a reaction is worth to the holder of the status that has it, each time."""
    amount = step.get("amount", 0)
    much = float(amount if isinstance(amount, int) else value or 1)
    to, do = step.get("to", "self"), step["do"]
    if do in ("damage", "heal") and to == "self":
        return much if do == "heal" else -much
    if do == "damage":
        return much / 2
    if do == "opportunity":
        return -HITS * numbers()["defaults"]["opportunity_damage"] / 2
    if do == "lose-control":
        return -deals
    if do == "apply" and to == "self" and deepest:
        return _worth(book, book.statuses[str(step["status"])], 0, deals, deepest - 1)
    return 0.0


def expected_damage(book: ContentOfFights, ref: str) -> float:
    """Return the HP of damage that somebody's best attack is expected to do in a turn of theirs."""
    sheet = book.creatures.get(ref) or book.characters.get(ref) or {}
    basic = int(sheet.get("melee", {}).get("damage", numbers()["defaults"]["opportunity_damage"]))
    powers = [book.powers[power] for power in sheet.get("powers", ()) if power in book.powers]
    dealt = [int(power.get("damage", 0)) for power in powers if power.get("usage") != "encounter"]
    return HITS * max(basic, *dealt, 1)


def _ends_itself(status: EffectWritten, id: str) -> bool:
    """Return whether a reaction of a status ends it."""
    steps = (step for reaction in status.get("reactions", ()) for step in with_nested(reaction["steps"]))
    return any(step["do"] == "end" and step.get("status") == id for step in steps)


def _keeps_off_its_number(status: EffectWritten) -> bool:
    """Return whether a status reduces damage to its holder by its number."""
    steps = [step for reaction in status.get("reactions", ()) for step in with_nested(reaction["steps"])]
    return any(step["do"] == "reduce" and step["amount"] == {"of": "value"} for step in steps)
