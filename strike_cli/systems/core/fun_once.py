"""Fun once: what the party has tried is not tried again (STR-CORE-15)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from strike_cli.kernel.procedure import Procedure, World
from strike_cli.problems import Refused
from strike_cli.tabletop.people import display_name

from .facts.rolls import TaskTried


def fun_once(world: World, who: str, task: str, intent: str, changed: str = "") -> Procedure[None]:
    """Record a task and its intent, which are rolled for once, pass or fail, by anybody of the party.

    Without an intent nothing is recorded; `changed` says why it may be tried again. Raises Refused for what
    was tried.
    """
    if not intent:
        return
    before: Sequence[Mapping[str, str]] = world.get("tasks", [])
    same = next((item for item in before if _is_same(world, item, who, task, intent)), None)
    if same and not changed:
        by = display_name(world, same["who"]) or "Somebody"
        raise Refused(
            f"{by} has rolled for that already: {same['text']}.",
            "One roll decides, for the whole party (STR-CORE-15). If the situation changed dramatically, say "
            "how: --changed WHY.",
        )
    why = f", since {changed}" if changed else ""
    others = [item for item in before if item is not same]
    text = f"{task} to {intent}{why}"
    tried = {"who": who, "task": task.lower(), "intent": intent.lower(), "text": text}
    yield world.tell(TaskTried(who, text), {"tasks": [*others, tried]})


def _is_same(world: World, tried: Mapping[str, str], who: str, task: str, intent: str) -> bool:
    """Return whether that was tried, by the same party: characters are one, others each for themselves."""
    party = world.book.characters if world.book is not None else {}
    together = tried["who"] == who or (tried["who"] in party and who in party)
    return together and (tried["task"], tried["intent"]) == (task.lower(), intent.lower())
