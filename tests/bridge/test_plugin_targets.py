"""Kinds of target that plugins bring: the example's works, and broken or clashing ones are named."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from importlib.metadata import EntryPoint
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
from support.evening import Evening

from strike_bridge.dry_run import dry_run
from strike_bridge.settings import Settings
from strike_bridge.target_contract import PluginKindFaults, check_loadable_plugin_kinds
from strike_bridge.targets import KINDS, plugin_kind_faults, target_class_of_kind
from strike_bridge.targets.base import Requests
from strike_bridge.targets.table import TableTarget
from strike_cli.plugin import Plugin
from strike_cli.problems import CampaignProblem, PluginProblem
from strike_cli.registry import installed_plugins, plugin_discovery

from .helpers import cursor_of, everything_kept, told
from .servers.base import Call, Reply, Server, answers, applies_and, drops, running

EXAMPLE = Path(__file__).parents[2] / "plugins" / "example-homebrew"
TOPIC = "ferry-8f2kq0-that-nobody-may-know"


class Ntfy(Server):
    """A server of notifications: keeps what telephones show, refuses what is too long."""

    def __init__(self) -> None:
        super().__init__()
        self.shown: list[dict[str, Any]] = []

    def respond(self, call: Call) -> Reply:
        if call.method == "GET":
            return Reply(200, {"healthy": True})
        if call.body["topic"] != TOPIC or len(call.body["message"].encode()) > 4096:
            return Reply(400, {"code": 40000, "http": 400, "error": "invalid request"})
        self.shown.append(call.body)
        return Reply(200, {"id": "x", "event": "message"})


@pytest.fixture
def ntfy(monkeypatch: pytest.MonkeyPatch) -> Iterator[Ntfy]:
    monkeypatch.syspath_prepend(str(EXAMPLE))
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    monkeypatch.setenv("STRIKE_NTFY_TOPIC", TOPIC)
    with_plugins(monkeypatch, homebrew="example_homebrew:plugin")
    with running(Ntfy()) as server:
        yield server
    for name in [name for name in sys.modules if name.startswith("example_homebrew")]:
        del sys.modules[name]


def with_plugins(monkeypatch: pytest.MonkeyPatch, **plugins: str | Plugin) -> None:
    """Distributions with these plugins, by name, and of others the core alone."""
    points = []
    for name, plugin in {"core": "strike_cli.systems:plugin", **plugins}.items():
        if isinstance(plugin, Plugin):
            module = ModuleType(f"plugin_{name}")
            module.plugin = plugin  # type: ignore[attr-defined]
            monkeypatch.setitem(sys.modules, module.__name__, module)
            plugin = f"{module.__name__}:plugin"
        point = EntryPoint(name, plugin, plugin_discovery.ENTRY_POINT_GROUP)
        vars(point).update(dist=SimpleNamespace(name=f"strike-{name}", version="1.0"))
        points.append(point)
    for own in ("inn", "deaf-inn"):  # which all other tests here know
        monkeypatch.delitem(KINDS, own)
    monkeypatch.setattr("importlib.metadata.entry_points", lambda group: points)
    monkeypatch.setattr(installed_plugins, "read_cache_with_tables", lambda name, key: (None, {}))
    monkeypatch.setattr(installed_plugins, "write_cache", lambda name, key, value, tables: None)
    monkeypatch.setattr(installed_plugins, "_known", [])


def test_the_examples_target_tells_telephones(evening: Evening, ntfy: Ntfy) -> None:
    phones = Settings("phones", "ntfy", ntfy.url)
    seqs = [evening.roll(face) for face in (3, 5)]
    evening.happen(("said", "vex", "é" * 3000, {}))
    ntfy.faults = [answers(429), applies_and(drops)]
    told(evening.folder, phones)
    first, second, long = (each["message"] for each in ntfy.shown)
    assert (first[-1], second[-1], long) == ("3", "5", "é" * 2048)
    assert [item["id"] for item in cursor_of(evening.folder, phones).review] == [str(seqs[0])]
    shown = json.dumps(dry_run(evening.folder, phones._replace(name="others")))
    assert '"topic": "***"' in shown
    assert TOPIC not in shown + everything_kept(evening.folder)
    assert plugin_kind_faults() == []
    assert list(check_loadable_plugin_kinds()) == [PluginKindFaults("ntfy", [])]


def test_a_kind_of_two_plugins_is_an_error_that_names_both(monkeypatch: pytest.MonkeyPatch) -> None:
    """The one that comes second is switched off, whole."""
    inn = {"inn": "strike_bridge.targets.table:TableTarget"}
    both = {**inn, "pub": "strike_bridge.targets.table:TableTarget"}
    with_plugins(monkeypatch, one=Plugin("one", targets=inn), two=Plugin("two", targets=both))
    assert target_class_of_kind("inn") is TableTarget
    (trouble,) = installed_plugins.plugin_index().broken_messages
    assert re.search(r"strike-two 1\.0.*'inn'.*strike-one 1\.0", trouble)
    with pytest.raises(PluginProblem, match="no kind of target 'pub'.*strike-two 1.0 defines"):
        target_class_of_kind("pub")


def test_a_kind_that_comes_with_strike_stays_strikes(monkeypatch: pytest.MonkeyPatch) -> None:
    with_plugins(monkeypatch, one=Plugin("one", targets={"table": "nowhere:Nothing"}))
    assert target_class_of_kind("table") is TableTarget
    assert plugin_kind_faults() == [
        "strike-one 1.0 (one) defines a kind of target 'table', which is built in."
    ]


def test_what_can_not_be_loaded_is_named_with_who_brings_it(monkeypatch: pytest.MonkeyPatch) -> None:
    with_plugins(
        monkeypatch,
        gone=Plugin("gone", targets={"inn": "nowhere.at_all:Inn"}),
        odd=Plugin("odd", targets={"odd": "json:loads"}),
        broken="nowhere.at_all:plugin",
    )
    with pytest.raises(PluginProblem, match=r"'inn' can't be loaded from nowhere.at_all:Inn"):
        target_class_of_kind("inn")
    with pytest.raises(PluginProblem, match="no kind of target 'pub'.*Broken plugins: Plugin 'broken'"):
        target_class_of_kind("pub")
    assert [text.partition(" (")[0] for text in plugin_kind_faults()] == ["strike-gone 1.0", "strike-odd 1.0"]


class OneArgument(TableTarget):
    """A method and a constructor of a wrong form: Python minds only once they are called."""

    def put_order(self) -> Requests:  # type: ignore[override]
        return []


class NoKey(TableTarget):
    def __init__(self, settings: Settings) -> None:
        super().__init__(settings)


class Particular(TableTarget):
    def __init__(self, settings: Settings, key: str = "", session: str = "") -> None:
        raise CampaignProblem("It needs a `hall` in its options.", "Name one.")


def test_the_doctor_tries_plugins_targets_without_a_tabletop(monkeypatch: pytest.MonkeyPatch) -> None:
    """A wrong signature is told with who brings it; what can't be tried says so, and is not called well."""
    kinds = {
        "inn": "strike_bridge.targets.table:TableTarget",
        **{each.__name__.lower(): f"{__name__}:{each.__name__}" for each in (OneArgument, NoKey, Particular)},
    }
    with_plugins(monkeypatch, one=Plugin("one", targets=kinds))
    tried = {one.kind: one for one in check_loadable_plugin_kinds()}
    assert tried["inn"] == PluginKindFaults("inn", [])
    (fault, *_) = tried["oneargument"].faults
    assert "strike-one 1.0 (one): target 'oneargument': put_order: TypeError" in fault
    (fault,) = tried["nokey"].faults
    assert "strike-one 1.0 (one): target 'nokey' can't be made: TypeError" in fault
    assert tried["particular"] == PluginKindFaults("particular", [], "It needs a `hall` in its options.")
