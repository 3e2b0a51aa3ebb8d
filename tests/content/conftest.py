"""Distributions with plugins to install and remove, and campaigns that use them."""

from __future__ import annotations

import importlib
import json
import os
import shutil
import sys
import time
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

import pytest
from support.swift import add_anew, compile_anew

from strike_cli.content.compiler import Compiler
from strike_cli.registry import installed_plugins, plugin_discovery

LONG_AGO = time.time() - 7200
_ticks = count(1)

BURNING = """\
[statuses.singed]
name = "Singed"
sources = [{ on = "attack", gives = "disadvantage" }]
"""


def settle(*paths: Path) -> None:
    """Make files look old, and each change to them like another moment."""
    for path in paths:
        moment = LONG_AGO + next(_ticks)
        os.utime(path, (moment, moment))


class Place:
    """A folder on Python's path where distributions are installed."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def install(
        self,
        distribution: str,
        *,
        version: str = "1.0",
        plugin: str = "",
        module: str | None = None,
        files: dict[str, str] | None = None,
        entry: str | None = None,
    ) -> Path:
        """Install a distribution with one plugin, in the place of an older version; returns its package."""
        plugin = plugin or distribution
        package = "plugin_" + distribution.replace("-", "_")
        files = {"content.toml": BURNING} if files is None else files
        if module is None:
            listed = ", ".join(f"{name!r}" for name in files)
            module = (
                f"from strike_cli.plugin import Plugin\nplugin = Plugin({plugin!r}, content=[{listed}])\n"
            )
        self.remove(distribution)
        info = self.folder / f"{distribution.replace('-', '_')}-{version}.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {distribution}\nVersion: {version}\n")
        entry = entry or f"{package}:plugin"
        (info / "entry_points.txt").write_text(f"[strike_cli.plugins]\n{plugin} = {entry}\n")
        (self.folder / package).mkdir()
        for name, text in {"__init__.py": module, **files}.items():
            self.write(self.folder / package / name, text)
        settle(self.folder)
        return self.folder / package

    def write(self, path: Path, text: str) -> None:
        """A file of a plugin, new or changed; Python forgets what it had imported of it."""
        path.write_text(text, encoding="utf-8", errors="surrogateescape")
        settle(path)
        self.forget()

    def remove(self, distribution: str) -> None:
        """Take a distribution away."""
        stem = distribution.replace("-", "_")
        for found in [*self.folder.glob(f"{stem}-*.dist-info"), self.folder / f"plugin_{stem}"]:
            shutil.rmtree(found, ignore_errors=True)
        settle(self.folder)
        self.forget()

    def forget(self) -> None:
        """A command of its own would import everything anew."""
        importlib.invalidate_caches()
        for name in [name for name in sys.modules if name.startswith("plugin_")]:
            del sys.modules[name]
        installed_plugins.drop_plugin_index()


@pytest.fixture(scope="session")
def installed(_environment: None, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache that knows what is installed where the tests are run from, and has no book."""
    folder = tmp_path_factory.mktemp("installed")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(folder))
        installed_plugins.plugin_index(anew=True)
    installed_plugins.drop_plugin_index()
    return folder


@pytest.fixture(autouse=True)
def _own_cache(
    request: pytest.FixtureRequest, installed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[None]:
    """A cache without a book; one without anything where a test counts how often the environment is asked."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    if "asked" not in request.fixturenames:
        shutil.copytree(installed, tmp_path / "cache")
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    monkeypatch.setattr(Compiler, "compile", compile_anew)
    monkeypatch.setattr(Compiler, "_add_plugins_without_faults", add_anew)
    installed_plugins.drop_plugin_index()
    yield
    installed_plugins.drop_plugin_index()


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Place]:
    """Where distributions can be installed."""
    folder = tmp_path / "site-packages"
    folder.mkdir()
    settle(folder)
    monkeypatch.setattr(sys, "path", [*sys.path, str(folder)])
    place = Place(folder)
    yield place
    place.forget()


@pytest.fixture
def campaign(tmp_path: Path) -> Callable[[str], Path]:
    """Writes a campaign.toml that plays with what is installed, the frame given; returns its folder."""

    def write(text: str = "") -> Path:
        folder = tmp_path / "campaign"
        folder.mkdir(exist_ok=True)
        entries = [each.read_text() for each in (tmp_path / "site-packages").glob("*/entry_points.txt")]
        if entries and "plugins =" not in text:
            names = sorted({line.split(" = ")[0] for each in entries for line in each.splitlines()[1:]})
            text = f"plugins = {json.dumps(names)}\n{text}"
        (folder / "campaign.toml").write_text("schema = 1\n" + text, encoding="utf-8")
        settle(folder / "campaign.toml", folder)
        return folder

    return write


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Notes each time the environment is asked, and each time a book is compiled."""
    noted: list[str] = []
    ask, compile_ = plugin_discovery.installed_entry_points, Compiler.compile

    def asking() -> list[plugin_discovery.EntryPoint]:
        noted.append("environment")
        return ask()

    def compiling(compiler: Compiler) -> dict[str, object]:
        noted.append("book")
        return compile_(compiler)

    monkeypatch.setattr(plugin_discovery, "installed_entry_points", asking)
    monkeypatch.setattr(Compiler, "compile", compiling)
    return noted
