"""Steps of powers read back in full, as `strike content explain` says them: a clause for each, where a sheet
has a word or two (`steps.StepKind.sentence`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from .steps import (
    CONDITIONS,
    SCENE,
    USER,
    WHOM_TOLD,
    Step,
    amount_in_words,
    duration_in,
    load_part,
    step_in,
    until_in,
)

Telling = Callable[[Any, Step, str], str]
"""Called with the book, the step and whom it is for, in words: a clause that says all of it."""


def squares(book: Any, amount: Any) -> str:
    """`1 square`, `as many squares as half the damage dealt`."""
    if isinstance(amount, Mapping):
        return f"as many squares as {amount_in_words(book, amount)}"
    return f"{amount} square{'' if amount == 1 else 's'}"


def _tells(words: str, of_one: str = "") -> Telling:
    """Words with whom it is for in place of `{who}` and the step's amount in that of `{n}`, or how many
    `{squares}` it is; others where it is 1."""

    def telling(book: Any, step: Step, who: str) -> str:
        amount = step.get("amount", 1)
        said = of_one if of_one and amount == 1 else words
        return said.format(who=who, n=amount_in_words(book, amount), squares=squares(book, amount))

    return telling


def how_long(book: Any, step: Step) -> str:
    """How long a status or a zone of a step lasts: `until a Saving Throw ends it`."""
    if step["duration"] == "until":
        return str(until_in(book, step["until"]).given)
    duration = duration_in(book, step["duration"])
    whose = "its" if step.get("whose") == "target" else "the user's"
    return (duration.told or duration.given).format(whose, scene=SCENE)


def applied(book: Any, step: Step, who: str) -> str:
    """A status takes hold."""
    value = f" {amount_in_words(book, step['amount'])}" if "amount" in step else ""
    lasts = f", {how_long(book, step)}" if "duration" in step else ""
    return f"{who} is {book.statuses[step['status']]['name']}{value}{lasts}"


def ended(book: Any, step: Step, who: str) -> str:
    """A status ends."""
    return f"{who} is rid of {_status_or(book, step, 'one status that harms, chosen')}"


def saves(book: Any, step: Step, who: str) -> str:
    """A Saving Throw at once."""
    return f"{who} makes a Saving Throw at once against {_status_or(book, step, 'one status, chosen')}"


def _status_or(book: Any, step: Step, words: str) -> str:
    return str(book.statuses[step["status"]]["name"]) if "status" in step else words


def _displaced(words: str) -> Telling:
    said = _tells(words)

    def telling(book: Any, step: Step, who: str) -> str:
        return said(book, step, who) + (", each square chosen" if step.get("way") == "chosen" else "")

    return telling


damaged = _tells("{who} takes {n} damage")
healed = _tells("{who} regains {n} HP")
pushed = _displaced("{who} is pushed {squares} away")
pulled = _displaced("{who} is pulled {squares} nearer")
slid = _displaced("{who} is slid {squares} anywhere")
shifts = _displaced("{who} shifts up to {squares}")
teleported = _displaced("{who} is teleported up to {squares}")
swapped = _tells(f"{USER} and {{who}} change places")
tokens = _tells("{who} gets {n} Miss Tokens, if a player's", "{who} gets a Miss Token, if a player's")
strikes = _tells("{who} takes {n} Strikes, if a player's", "{who} takes a Strike, if a player's")
points = _tells("{who} gains {n} Action Points, if a player's", "{who} gains an Action Point, if a player's")
dismissed = _tells("{who}, if summoned, is gone")
regained = _tells("{who} may use one spent Encounter power of the class again")
rerolled = _tells("the die on the table is rolled again, and the new one counts")
reduced = _tells("it becomes {n} less")
prevented = _tells("it doesn't happen")


def moves(book: Any, step: Step, who: str) -> str:
    """A move for nothing."""
    far = f"up to {squares(book, step['amount'])}" if "amount" in step else "up to their Speed"
    return f"{who} may move {far}, giving Opportunities"


def zone(book: Any, step: Step, who: str) -> str:
    """A zone, with all that it does."""
    what = []
    if "amount" in step:
        what.append(f"{amount_in_words(book, step['amount'])} damage to who comes in or begins a turn in it")
    what += ["difficult terrain"] if step.get("difficult") else []
    sight = {"obscured": "who is in it is concealed", "dark": "who is in it can't be seen"}
    what += [sight[step["sight"]]] if "sight" in step else []
    what += ["a wall that nobody passes or sees through"] if step.get("blocks") else []
    what += ["cover for who is behind it"] if step.get("cover") else []
    what += [f"who stands in it is {book.statuses[step['status']]['name']}"] if "status" in step else []
    what += [f"for {step['who']} of its maker alone"] if "who" in step else []
    lasts = how_long(book, step) if "duration" in step else f"for the rest of the {SCENE}"
    where = f", within {step['spread']} of {who}" if "spread" in step else ""
    where += f", {step['length']} squares, drawn one by one" if "length" in step else ""
    where += ", that goes along" if step.get("along") else ""
    return f"a zone, {step['name']}{where}, {lasts}" + (f": {'; '.join(what)}" if what else "")


def _the_zone(step: Step) -> str:
    return f"the zone {step['zone']}" if "zone" in step else "the zone that it is about"


def zone_moved(book: Any, step: Step, who: str) -> str:
    """A zone goes elsewhere."""
    ways = {
        "chosen": ", each square chosen",
        "away": ", away from it",
        "nearer": ", nearer",
        "random": ", at random",
    }
    return (
        f"{_the_zone(step)} moves {squares(book, step.get('amount', 1))}{ways.get(step.get('way', ''), '')}"
    )


def zone_grown(book: Any, step: Step, who: str) -> str:
    """A zone becomes larger."""
    return f"{_the_zone(step)} grows by {squares(book, step.get('amount', 1))} all round"


def zone_ended(book: Any, step: Step, who: str) -> str:
    """A zone ends."""
    return f"{_the_zone(step)} ends"


def summoned(book: Any, step: Step, who: str) -> str:
    """Creatures come."""
    count, name = amount_in_words(book, step.get("amount", 1)), book.creatures[step["creature"]]["name"]
    near = f" within {step['near']}" if "near" in step else ""
    turns = {
        "own": "with turns of their own",
        "maker": "acting after who called them",
        "none": "without turns",
    }[step.get("turns", "own")]
    lasts = f", {how_long(book, step)}" if "duration" in step else ""
    stays = "; they stay when who called them is gone" if step.get("stays") else ""
    return f"{who} calls {count} x {name}{near}, {turns}{lasts}{stays}"


def attacks(book: Any, step: Step, who: str) -> str:
    """A granted attack."""
    words = "any attack of theirs" if step.get("uses") == "any" else "a basic attack"
    if "power" in step:
        words = str(book.powers[step["power"]]["name"])
    words += {"melee": " in melee", "ranged": " at range"}.get(step.get("range", ""), "")
    words += {"target": " at the target", "other": " at somebody else"}.get(step.get("at", ""), "")
    near = f" within {step['near']} of where the target stood" if "near" in step else ""
    return f"{who} may attack at once, with {words}{near}"


def noted(book: Any, step: Step, who: str) -> str:
    """What is left to the table."""
    return f"the table plays: {step['text'].rstrip('.')}"


def handled(book: Any, step: Step, who: str) -> str:
    """What a plugin's handler does."""
    return f"{who}: {step_in(book, step).sentence(book, step)} (a plugin's {step['handler']})"


def all_told(book: Any, steps: Iterable[Step], target: str = "the target") -> str:
    """Steps read back in full, one after the other; `target` is what that one is called."""
    return "; then ".join(tell(book, step, target) for step in steps) or "nothing"


def chosen(book: Any, step: Step, who: str) -> str:
    """One of several lists of steps."""
    by = who if step.get("by") == "target" else USER
    options = (f"{option['name']} ({all_told(book, option['steps'], who)})" for option in step["options"])
    return f"one of these, as {by} says: {', or '.join(options)}"


def repeated(book: Any, step: Step, who: str) -> str:
    """Steps done several times."""
    return f"{amount_in_words(book, step['amount'])} times: {all_told(book, step['steps'], who)}"


def rolled(book: Any, step: Step, who: str) -> str:
    """A die, and the steps of each face."""
    faces = (f"on {faces} {all_told(book, inner, who)}" for faces, inner in step["faces"].items())
    return f"a die for {who}: {'; '.join(faces)}"


def halved(book: Any, step: Step, who: str) -> str:
    """Half of what is coming."""
    return f"it is halved, rounded {step.get('half', 'down')}"


def redirected(book: Any, step: Step, who: str) -> str:
    """What is coming befalls somebody else."""
    return f"it befalls {USER if step['to'] == 'target' else who} instead"


def tell(book: Any, step: Step, target: str = "the target") -> str:
    """A step read back in full: `the target is pushed 2 squares away, where the target is flanked`."""
    kind, who = step_in(book, step), target if step["to"] == "target" else WHOM_TOLD[step["to"]]
    who += f" within {step['within']}" if "within" in step else ""
    who += f" of {target}" if step.get("from") == "target" else ""
    if kind.tells:
        words = str(load_part(kind.tells)(book, step, who))
    else:  # a plugin's, which has but the words of a sheet
        words = f"{who}: {kind.sentence(book, step).rstrip('.')}"
    return words + tell_if(book, step, who)


def tell_if(book: Any, step: Step, who: str = "the target") -> str:
    """What must be so for a step or for bonus damage, in full; empty for one without conditions."""
    words = f", {CONDITIONS[step['if']].told or CONDITIONS[step['if']].sentence}" if "if" in step else ""
    if "if_status" in step:
        words += f", where {who} is {book.statuses[step['if_status']]['name']}"
    return words
