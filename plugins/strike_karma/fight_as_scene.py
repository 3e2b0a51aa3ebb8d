"""The view of a stored fight as a Scene: cards, pools and uncompleted actions (CIN-10).

Every screen shows a Scene.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from strike_cli.plugin import World
from strike_cli.plugin.board import ACTED as FACE_UP
from strike_cli.plugin.board import ACTING, DELAYED, HELD, WAITING, Entry, Order, Scene, Status, read_scene

from .fight_state import OPEN, KarmaFight

if TYPE_CHECKING:
    from .data import KarmaPerson

METERS = {
    "pool": {"name": "Reaction Pool", "max": "max_pool", "vital": False},
    "karma": {"name": "Instant Karma", "vital": False},
}


def scene_of_state(system: str, key: str, table: Mapping[str, object]) -> Scene:
    """Return the Scene of a stored fight; `table` is the state's table `key`."""
    scene = read_scene(system, key, {**table, "meters": METERS})
    fight = KarmaFight(World(None, {"karma": dict(table)}))
    people = {
        combatant: one._replace(
            statuses=(*one.statuses, *_action_and_health_statuses(fight.people[combatant]))
        )
        for combatant, one in scene.people.items()
    }
    entries = tuple(_turn_order_card_of(fight, combatant) for combatant in fight.combatants_there())
    # Who may receive the initiative; at a round's end, who will
    starter = fight.data.get("starter")
    after, again = (
        tuple([starter] if starter else fight.next_holders_or_next_round_starters()),
        tuple(fight.possible_starters_of_next_round()),
    )
    order = Order("pool", fight.round, entries, fight.initiative_holder, after, again=again)
    return scene._replace(people=people, order=order)


def _turn_order_card_of(fight: KarmaFight, combatant: str) -> Entry:
    """Return a combatant's card in the turn order, with the number of turns or members left."""
    left = fight.turns_left(combatant)
    return Entry(
        combatant,
        _card_state(fight, combatant, left),
        None,
        left or int(fight.people[combatant].get("count", 1)),
    )


def _card_state(fight: KarmaFight, combatant: str, left: int) -> str:
    if combatant == fight.initiative_holder and fight.stage == OPEN:
        return ACTING
    if left:
        return HELD if fight.people[combatant].get(HELD) else WAITING
    return DELAYED if "delayed_action" in fight.people[combatant] else FACE_UP


def _action_and_health_statuses(person: KarmaPerson) -> Iterator[Status]:
    if "delayed_action" in person:
        hidden = bool(person["delayed_action"].get("secret"))
        yield Status("delayed", f"Delayed: {delayed_in_words(person)}", hidden)
    if "conditional_action" in person:
        waits = person["conditional_action"]
        yield Status("conditional", f"If {waits['if']}: {waits['what']}", bool(waits.get("secret")))
    if "health_due" in person:
        yield Status("health-check-due", "Health Check due")


def delayed_in_words(delayed_action: KarmaPerson) -> str:
    """Return a delayed action and when it is due, such as `a spell of fire, segment 4`."""
    delayed = delayed_action["delayed_action"]
    return f"{delayed['what']}, " + (f"segment {delayed['due']}" if "due" in delayed else "when they say")
