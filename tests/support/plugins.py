"""Plugins of the tests' own, installed for one test: an entry point and a place on Python's path."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from strike_cli.registry import installed

TOY = Path(__file__).parent.parent / "data" / "toy"


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
    installed.forget()
