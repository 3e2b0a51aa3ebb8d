"""Plugins of the tests' own, installed for one test: an entry point and a place on Python's path."""

from __future__ import annotations

import importlib
import sys
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from strike_cli.kernel.state_changes import apply_changes
from strike_cli.kernel.statements import classes_by_key
from strike_cli.plugin import World
from strike_cli.plugin.testing import MovePlayed, play, world_of
from strike_cli.registry import installed_plugins

from .cli import Strike

TOY = Path(__file__).parent.parent / "data" / "toy"


class GameInMemory:
    """A campaign of a plugin's game in memory: plays moves with dice and choices in hand."""

    game: str

    def __init__(self, campaign: str) -> None:
        self.world = world_of(campaign)
        self.facts: list[dict[str, Any]] = []

    def play(
        self, move: str, who: str = "", *, dice: Sequence[int] = (), choices: Sequence[str] = (), **args: Any
    ) -> dict[str, Any]:
        """The data of a move; every die and choice must be asked for."""
        args = {**({"who": who} if who else {}), **args}
        played: MovePlayed = play(self.world, f"{self.game} {move}", args, dice=dice, choices=choices)
        self.world = World(self.world.book, played.state)
        self.facts = played.facts
        data: dict[str, Any] = played.data
        return data

    def set(self, path: str, value: Any) -> None:
        """Set something of the state."""
        self.world = World(self.world.book, apply_changes(self.world.state, [(path, None, value)]))

    def of(self, who: str, key: str) -> Any:
        """Something of somebody in the scene."""
        return self.world.get(f"{self.game}.people.{who}.{key}")

    @property
    def texts(self) -> list[str]:
        """What was said of the last move."""
        return [fact["text"] for fact in self.facts if fact["text"]]


def install(name: str, version: str, entry: str, site: Path) -> None:
    """What makes a distribution installed that brings one plugin: its metadata."""
    info = site / f"{name.replace('-', '_')}-{version}.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
    (info / "entry_points.txt").write_text(f"[strike_cli.plugins]\n{entry}\n")


def play_with(folder: Path, *plugins: str) -> None:
    """Let a campaign name the plugins that it plays with."""
    file = folder / "campaign.toml"
    names = ", ".join(f'"{name}"' for name in plugins)
    file.write_text(f"plugins = [{names}]\n{file.read_text('utf-8')}", encoding="utf-8")


def install_toy(site: Path, patch: pytest.MonkeyPatch) -> None:
    """Install the toy system of tests/data/toy, for this process and those that it starts."""
    install("strike-toy", "1.0", "toy = toy:plugin", site)
    for place in (TOY, site):
        patch.setattr(sys, "path", [*sys.path, str(place)])
        patch.setenv("PYTHONPATH", str(place), prepend=":")
    patch.setenv("XDG_CACHE_HOME", str(site.parent / "cache-with-toy"))
    installed_plugins.drop_plugin_index()


def told_odds(strike: Strike, line: str, *keys: str) -> dict[Any, Fraction]:
    """What `odds` tells of a line: the chance of each value of this key, or of these together."""
    found = Counter[Any]()
    for one in strike.json(f"odds {line}")["data"]["outcomes"]:
        values = tuple(one[key] for key in keys)
        found[values if len(keys) > 1 else values[0]] += Fraction(one["probability"])  # type: ignore[assignment]
    return dict(found)


def shade() -> str:
    """The module of the toy system, as that of a plugin of another name."""
    return (TOY / "toy.py").read_text("utf-8").replace("toy", "shade").replace("Toy", "Shade")


def write_shade(site: Path, module: str, content: str = "") -> None:
    """Have that plugin be this, and nothing of what it was before be known."""
    (site / "shade.py").write_text(module, encoding="utf-8")
    (site / "shade.toml").write_text(content, encoding="utf-8")
    importlib.invalidate_caches()
    forget_shade()


def forget_shade() -> None:
    """Drop that plugin from this process: its module, its facts, what is known of plugins."""
    sys.modules.pop("shade", None)
    for kind in [kind for kind, cls in classes_by_key.items() if cls.__module__ == "shade"]:
        del classes_by_key[kind]
    installed_plugins.drop_plugin_index()
