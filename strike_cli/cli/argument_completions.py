"""Arguments of general commands with their completions: a decision, a system, a path in the state."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from ..kernel.state_changes import pending_decisions_in
from ..terminal.argument_completions import Metavar

if TYPE_CHECKING:
    from ..campaign import Campaign


def _open_decision_names(campaign: Campaign, typed: Mapping[str, object]) -> Iterator[str]:
    for key, item in pending_decisions_in(campaign.state).items():
        yield from (key, item["who"])


def _systems_with_open_scenes(campaign: Campaign, typed: Mapping[str, object]) -> Iterator[str]:
    from ..session.shorthand import systems_with_open_scenes

    return (system.name for system in systems_with_open_scenes(campaign.state))


def _paths_of_state_values(campaign: Campaign, typed: Mapping[str, object]) -> Iterator[str]:
    waiting: list[tuple[str, object]] = [("", campaign.state)]
    while waiting:
        path, value = waiting.pop()
        if isinstance(value, Mapping):
            waiting += [(f"{path}.{key}".lstrip("."), value[key]) for key in reversed(list(value))]
        else:
            yield path


DECISION = Metavar("SCENE|WHO", _open_decision_names)
"""An open decision, by its scene or by the person who decides."""
SYSTEM = Metavar("SYSTEM", _systems_with_open_scenes)
"""A game with a scene under way."""
PATH = Metavar("PATH", _paths_of_state_values)
"""A value of the state."""
