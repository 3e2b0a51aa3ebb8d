"""Fun once: what the party has tried is not tried again (STR-CORE-15)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from strike_cli.kernel.procedure import Procedure, World
from strike_cli.problems import Refused
from strike_cli.tabletop.people import display_name

Args = Mapping[str, Any]


def fun_once(world: World, args: Args, skill: str) -> Procedure[None]:
    """The same task with the same intent is rolled for once, pass or fail, whoever of the party rolls.

    Args: who; optional: task (else the Skill), intent (without one nothing is kept), changed (why it may be
    tried again). Raises Refused for what was tried.
    """
    who, task, intent = args["who"], args.get("task") or skill, args.get("intent", "")
    if not intent:
        return
    before = world.get("tasks", [])
    same = next((item for item in before if _is_same(world, item, who, task, intent)), None)
    if same and not args.get("changed"):
        by = display_name(world, same["who"]) or "Somebody"
        raise Refused(
            f"{by} has rolled for that already: {same['text']}.",
            "One roll decides, for the whole party (STR-CORE-15). If the situation changed dramatically, say "
            "how: --changed WHY.",
        )
    why = f", since {args['changed']}" if args.get("changed") else ""
    kept = [item for item in before if item is not same]
    text = f"{task} to {intent}{why}"
    tried = {"who": who, "task": task.lower(), "intent": intent.lower(), "text": text}
    yield world.happen("task-tried", who, "", {"tasks": [*kept, tried]}, task=text)


def _is_same(world: World, tried: Mapping[str, str], who: str, task: str, intent: str) -> bool:
    """Whether that was tried, by the same party: characters are one, others each for themselves."""
    party = world.book.characters if world.book is not None else {}
    together = tried["who"] == who or (tried["who"] in party and who in party)
    return together and (tried["task"], tried["intent"]) == (task.lower(), intent.lower())
