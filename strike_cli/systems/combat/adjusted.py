"""Numbers of somebody in a fight as statuses, conditions and traits change them: damage dealt and taken,
Speed, reach, range, squares of being pushed (docs/powers.md)."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from strike_cli.kernel.statements import Reason
from strike_cli.tabletop.contributions import ActiveEffect, numbers_on

from .bloodied import bloodied_at
from .facts.causes import Adds, Halves, Limits

if TYPE_CHECKING:
    from .fight import Fight

_known: deque[tuple[Any, Any, Any, frozenset[str]]] = deque(maxlen=4)


def changed_in(book: Any) -> frozenset[str]:
    """Which numbers anything in the book changes: where it is none, nobody has to be asked."""
    for statuses, conditions, creatures, found in _known:
        if statuses is book.statuses and conditions is book.conditions and creatures is book.creatures:
            return found
    found = frozenset(item["of"] for one in _definitions(book) for item in one.get("numbers", ()))
    _known.appendleft((book.statuses, book.conditions, book.creatures, found))
    return found


def _definitions(book: Any) -> Iterator[Mapping[str, Any]]:
    yield from book.statuses.values()
    yield from book.conditions.values()
    for creature in book.creatures.values():
        yield from (trait for trait in creature.get("traits", ()) if not isinstance(trait, str))


def adjusted(
    fight: Fight, who: str, of: str, number: int, other: str = "", keywords: Collection[str] = ()
) -> tuple[int, list[Reason]]:
    """A number (vocabularies.NUMBERS) as it is with all that changes it, 0 or more, and the reasons: first
    what adds and takes, then what halves, then what limits. `other` is who is on the other side of it,
    `keywords` those of the power that damage comes from."""
    book = fight.world.book
    newest = _known[0] if _known else None
    # As most often: nothing in the book changes any number, or not this one.
    if newest and newest[0] is book.statuses and newest[1] is book.conditions and newest[2] is book.creatures:
        if of not in newest[3]:
            return number, []
    elif of not in changed_in(book):
        return number, []
    changes = [
        (held, item)
        for held, item in numbers_on(fight.world, who, of)
        if ("only" not in item or not set(keywords).isdisjoint(item["only"]))
        and ("when" not in item or holds(fight, who, other, held, item["when"]))
    ]
    reasons = list[Reason]()
    for held, item in changes:
        if "gives" in item:
            number = max(number + item["gives"], 0)
            reasons.append(Adds(item["gives"], held.reason))
    for held, item in changes:
        if "half" in item:
            number = (number + (item["half"] == "up")) // 2
            reasons.append(Halves(held.reason))
    for held, item in changes:
        if "most" in item and number > item["most"]:
            number = item["most"]
            reasons.append(Limits(number, held.reason))
    return number, reasons


def holds(fight: Fight, who: str, other: str, held: ActiveEffect, word: str) -> bool:
    """Whether somebody, or the one on the other side, stands as a word says (vocabularies.STANDINGS)."""
    giver = held.instance.get("by", "")
    match word:
        case "from-giver":
            return bool(giver) and other == giver
        case "without-giver":
            return bool(giver) and other != giver and not fight.is_out(giver)
        case "first-round":
            return bool(fight.data["round"] == 1)
    one = other if word.startswith("other-") else who
    return bool(one) and stands(fight, one, word.removeprefix("other-"))


def stands(fight: Fight, one: str, word: str) -> bool:
    """Whether somebody is `bloodied`, `unhurt`, `alone` or `with-ally`."""
    combatant = fight.combatant(one)
    hp, most = int(combatant["hp"]), int(combatant["max_hp"])
    if word == "bloodied":
        return hp <= bloodied_at(most, fight.world.book.house["bloodied"])
    if word == "unhurt":
        return hp >= most
    near = fight.is_on_map(one) and bool(fight.allies_beside(one))
    return near == (word == "with-ally")
