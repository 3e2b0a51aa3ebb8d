"""Fights by Momentum in memory, in the small campaign of their tests."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from pathlib import Path
from typing import Any

from strike_cli.kernel.state_changes import apply_changes
from strike_cli.plugin import World
from strike_cli.plugin.testing import play

CAMPAIGN = Path(__file__).parents[1] / "plugins" / "momentum" / "campaign.toml"


class Fight:
    """A fight that is played by name: `fight("attack", who="kit", target="goblin", dice=[15, 3, 4])`."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.facts: list[dict[str, Any]] = []

    def __call__(
        self, name: str, *, dice: Sequence[int] = (), choices: Sequence[str] = (), **args: Any
    ) -> dict[str, Any]:
        given = {key.rstrip("_"): value for key, value in args.items()}
        done = play(self.world, f"momentum {name}", given, dice=dice, choices=choices)
        self.world = World(self.world.book, done.state)
        self.facts = done.facts
        return dict(done.data)

    def act(self, who: str, action: str, target: str = "", **more: Any) -> dict[str, Any]:
        """One of the actions that everybody has."""
        return self("act", who=who, action=action, **({"target": target} if target else {}), **more)

    def one(self, who: str) -> dict[str, Any]:
        """Somebody's table."""
        found: dict[str, Any] = self.world.state["momentum"]["people"][who]
        return found

    def statuses(self, who: str) -> list[str]:
        """Ids of what somebody has."""
        return [status["id"].removeprefix("momentum:") for status in self.one(who).get("statuses", ())]

    def set(self, who: str, **values: Any) -> None:
        """The game master's hand on somebody's table."""
        changes = [(f"momentum.people.{who}.{key}", None, value) for key, value in values.items()]
        self.world = World(self.world.book, apply_changes(self.world.state, changes))

    def place(self, **squares: str) -> None:
        """The game master's hand on where people stand."""
        for who, square in squares.items():
            self.set(who, at=square)

    def put(self, key: str, value: object) -> None:
        """Set a key of the scene; None takes it away. The state before stays as it was: it is remembered."""
        changes = [(f"momentum.{key}", None, value)]
        self.world = World(self.world.book, apply_changes(self.world.state, changes))

    def on_sheet(self, who: str, **values: Any) -> None:
        """Write something else on somebody's sheet, for the rest of this fight."""
        book = copy(self.world.book)
        kind = "characters" if who in book.characters else "creatures"
        table = getattr(book, kind)
        sheet = {**table[who], "momentum": {**table[who]["momentum"], **values}}
        setattr(book, kind, {**table, who: sheet})
        self.world = World(book, self.world.state)

    def turn_of(self, who: str) -> None:
        """End turns and begin them until it is somebody's."""
        for _ in range(20):
            if self.world.get("momentum.active"):
                if self.world.get("momentum.active") == who:
                    return
                self("end-turn")
            self("turn")
        raise AssertionError(f"it never is {who}'s turn")

    def said(self) -> str:
        """What the last command told."""
        return " ".join(fact["text"] for fact in self.facts)
