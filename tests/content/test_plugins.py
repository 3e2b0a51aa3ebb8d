"""Plugins found, broken, at odds and pinned: discovery is cached, and none takes the tool down."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import threading
import time
import tomllib
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from content.conftest import BURNING, Place, settle
from support.cases import case
from support.thorough import few_of, some_of

from strike_bridge.target_contract import check_target_kind
from strike_cli import user_folders_and_cache
from strike_cli.cli.app import run_command_line_or_complete
from strike_cli.content.merged_content import book_of_core_and_plugins, open_book
from strike_cli.problems import ContentProblem, PluginProblem
from strike_cli.registry import installed_plugins, plugin_discovery

Write = Callable[..., Path]
PYPROJECT = Path(__file__).parents[2] / "pyproject.toml"


def _names() -> list[str]:
    return [plugin.name for plugin in installed_plugins.plugin_index().plugins]


def _theirs() -> list[str]:
    """The names of the plugins that a test has installed."""
    shipped = tomllib.loads(PYPROJECT.read_text("utf-8"))["project"]["entry-points"]["strike_cli.plugins"]
    return [name for name in _names() if name not in shipped]


def with_ours(*others: str) -> list[str]:
    """Names of plugins in the order in which they are listed: the core, then those that come with strike and
    others by name."""
    shipped = tomllib.loads(PYPROJECT.read_text("utf-8"))["project"]["entry-points"]["strike_cli.plugins"]
    return ["core", *sorted([*(shipped.keys() - {"core"}), *others])]


# Discovery


def test_the_environment_is_asked_once(place: Place, asked: list[str]) -> None:
    place.install("marsh")
    for _ in range(3):
        assert _names() == with_ours("marsh")
    assert asked == ["environment"]


def test_what_is_installed_upgraded_and_removed_is_noticed(place: Place, asked: list[str]) -> None:
    assert "marsh" not in _names()
    place.install("marsh")
    assert "marsh" in _names()
    assert "marsh:singed" in book_of_core_and_plugins(_theirs()).statuses
    place.install("marsh", version="2.0", files={"content.toml": BURNING.replace("singed", "scorched")})
    assert [
        plugin.version for plugin in installed_plugins.plugin_index().plugins if plugin.name == "marsh"
    ] == ["2.0"]
    assert "marsh:scorched" in book_of_core_and_plugins(_theirs()).statuses
    assert "marsh:singed" not in book_of_core_and_plugins(_theirs()).statuses
    place.remove("marsh")
    assert "marsh" not in _names()
    assert "marsh:scorched" not in book_of_core_and_plugins(_theirs()).statuses
    assert asked.count("environment") == 4


def test_the_check_of_targets_goes_on_by_its_old_name() -> None:
    sys.modules.pop("strike_bridge.contract", None)
    with pytest.warns(DeprecationWarning, match="strike_bridge.contract is target_contract now"):
        assert import_module("strike_bridge.contract").check is check_target_kind


def test_the_core_comes_first_and_the_rest_in_a_fixed_order(place: Place) -> None:
    for name in ("zephyr", "aurora"):
        place.install(name)
    assert _names() == with_ours("aurora", "zephyr")


@pytest.mark.parametrize(("old", "new"), [("kept", "scene_tables"), ("telling", "facts")])
def test_an_old_module_of_the_api_warns_and_has_what_the_new_one_has(old: str, new: str) -> None:
    sys.modules.pop(f"strike_cli.plugin.{old}", None)
    with pytest.warns(DeprecationWarning, match=f"plugin.{old} is strike_cli.plugin.{new} now"):
        was = import_module(f"strike_cli.plugin.{old}")
    now = import_module(f"strike_cli.plugin.{new}")
    assert all(getattr(was, name) is getattr(now, name) for name in was.__all__)
    assert old == "kept" or set(was.__all__) == set(now.__all__)


@pytest.mark.slow
def test_real_commands_notice_a_new_distribution(place: Place, tmp_path: Path) -> None:
    env = os.environ | {"PYTHONPATH": str(place.folder)}

    def listed() -> list[str]:
        words = [sys.executable, "-m", "strike_cli", "plugin", "list", "--json"]
        done = subprocess.run(words, env=env, capture_output=True, text=True, timeout=60, cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        return [plugin["name"] for plugin in json.loads(done.stdout)["data"]["plugins"]]

    assert listed() == with_ours()
    place.install("marsh")
    assert listed() == with_ours("marsh")
    place.remove("marsh")
    assert listed() == with_ours()


@pytest.mark.parametrize(
    "kept", few_of(["", "{", "[]", "null", '{"key": 1}', '{"key": 1, "value": 2}', "\x00"])
)
def test_a_damaged_cache_is_no_trouble(kept: str, place: Place, campaign: Write) -> None:
    folder = campaign()
    open_book(folder)
    book_of_core_and_plugins(_theirs())
    files = list(user_folders_and_cache.cache_folder().iterdir())
    assert len(files) == 3
    for file in files:
        file.write_text(kept)
    assert "core:dazed" in open_book(folder).statuses
    assert "core:dazed" in book_of_core_and_plugins(_theirs()).statuses


def _kept(file: Path) -> Any:
    """Key and value, behind the line that says whether the file is whole."""
    return json.loads(file.read_bytes().split(b"\n")[1])


def test_a_cache_of_another_form_is_no_trouble(campaign: Write) -> None:
    folder = campaign()
    open_book(folder)
    for file in user_folders_and_cache.cache_folder().glob("book-*"):
        kept = _kept(file)
        user_folders_and_cache.write_cache(file.name, kept["key"], {"name": "older"})
    assert "core:dazed" in open_book(folder).statuses


def test_what_an_earlier_strike_kept_of_plugins_is_no_trouble() -> None:
    installed_plugins.plugin_index()
    files = list(user_folders_and_cache.cache_folder().glob("plugins*"))
    assert files
    for file in files:
        kept = _kept(file)
        kept["value"]["systems"] = {name: fields[:3] for name, fields in kept["value"]["systems"].items()}
        user_folders_and_cache.write_cache(file.name, kept["key"], kept["value"])
    installed_plugins.drop_plugin_index()
    assert "combat" in installed_plugins.plugin_index().systems


def test_a_cache_that_can_not_be_written_is_no_trouble(
    tmp_path: Path, campaign: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "no-folder").write_text("")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "no-folder"))
    assert "core:dazed" in open_book(campaign()).statuses
    assert "core" in _names()


# Broken ones

PLUGIN = "from strike_cli.plugin import Plugin\n"


def code(text: str) -> dict[str, Any]:
    return {"module": text}


def content(text: str) -> dict[str, Any]:
    return {"files": {"content.toml": text}}


BROKEN: dict[str, tuple[dict[str, Any], list[str]]] = {
    "leads nowhere": ({"entry": "plugin_nowhere:plugin"}, ["plugin_nowhere"]),
    "raises": (code("1 / 0"), ["ZeroDivisionError"]),
    "ends the process": (code("import sys; sys.exit(3)"), ["SystemExit"]),
    "is no Python": (code("plugin = ("), ["SyntaxError"]),
    "needs what is missing": (code("import no_such_module"), ["no_such_module"]),
    "reaches into strike": (code("from strike_cli.plugin import NoSuchThing"), ["NoSuchThing"]),
    "has no plugin": (code("x = 1"), ["plugin"]),
    "is not a Plugin": (code("plugin = 1"), ["is not a Plugin"]),
    "is made wrong": (code(PLUGIN + "plugin = Plugin()"), ["TypeError"]),
    "has a number for a name": (code(PLUGIN + "plugin = Plugin(3)"), ["should be text"]),
    "has a class for a target": (
        code(PLUGIN + "plugin = Plugin('marsh', targets={'x': Plugin})"), ["should be text"],
    ),
    "lists a file that is missing": (
        code(PLUGIN + "plugin = Plugin('marsh', content=['no.toml'])"), ["no.toml"],
    ),
    "broken TOML": (content("name =\n"), ["line 1"]),
    "unknown kind": (content("[stati.singed]\nname = 'x'"), ["content.toml: stati", "'statuses'"]),
    "kind of no table": (content("statuses = 3"), ["content.toml: statuses", "should be a table"]),
    "item of no table": (content("[statuses]\nsinged = 3"), ["statuses.singed", "should be a table"]),
    "unknown key": (content(BURNING + "summmary = 'x'"), ["statuses.singed.summmary", "'summary'"]),
    "a bad id": (content("[statuses.'sin.ged']\nname = 'x'"), ["statuses.sin.ged", "an id"]),
    "a bad contribution": (content(BURNING.replace("attack", "atack")), ["sources[1].on", "'attack'"]),
    "a name of nothing": (content("[statuses.x]\nname = 'x'\nimplies = ['dased']"), ["implies", "'dazed'"]),
    "no text": (content("[statuses.singed]\nname = 'S\udce9'"), ["content.toml"]),
    "a clash with the core": (
        content("[statuses.'core:dazed']\nname = 'Dazed'"), ["core:dazed", "strike-cli", "override = true"],
    ),
}  # fmt: skip
"""What a plugin is installed with, and what is told of it."""


def _check_switched_off(
    place: Place, write: Write, named: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    """The plugin is off and named with its distribution; everything else goes on, the other plugin too."""
    place.install("upland")
    folder = write('[characters.vex]\nname = "Vex"\n')
    for book in (book_of_core_and_plugins(_theirs()), open_book(folder)):
        (trouble,) = map(str, book.troubles)
        for word in ("'marsh'", "wet-marsh", *named):
            assert word in trouble, trouble
        assert not [key for kind in ("statuses", "powers") for key in getattr(book, kind) if "marsh" in key]
        assert "core:dazed" in book.statuses
        assert "upland:singed" in book.statuses
    for words in ("doctor", "plugin list", *some_of(["status", "roll die", "content list"])):
        code = run_command_line_or_complete([*words.split(), "-C", str(folder)])
        assert code == (3 if words == "doctor" else 0), words
    assert named[0] in capsys.readouterr().out
    assert run_command_line_or_complete(["plugin", "doctor"]) == 4
    assert "wet-marsh" in capsys.readouterr().out


@pytest.mark.slow
@pytest.mark.parametrize("broken", BROKEN)
def test_a_broken_plugin_is_switched_off(
    broken: str, place: Place, campaign: Write, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its code, its content, or its entry point."""
    installed, named = BROKEN[broken]
    place.install("wet-marsh", plugin="marsh", **installed)
    _check_switched_off(place, campaign, named, capsys)


def test_nothing_of_a_plugin_with_one_broken_file_is_in_play(place: Place, campaign: Write) -> None:
    files = {
        "good.toml": BURNING + "[statuses.'core:dazed']\nname = 'D'\noverride = true\n",
        "bad.toml": "[[[",
    }
    place.install("marsh", files=files)
    book = open_book(campaign())
    assert "marsh:singed" not in book.statuses
    assert book.statuses["core:dazed"]["name"] == "Dazed"
    assert "bad.toml" in str(book.troubles[0])


def test_a_plugin_that_is_mended_is_in_play_at_once(place: Place, campaign: Write) -> None:
    """Although nothing but its own file has changed."""
    package = place.install("marsh", module="1 / 0")
    folder = campaign()
    assert open_book(folder).troubles
    assert book_of_core_and_plugins(_theirs()).troubles
    place.write(package / "__init__.py", PLUGIN + "plugin = Plugin('marsh', content=['content.toml'])\n")
    assert not open_book(folder).troubles
    assert "marsh:singed" in open_book(folder).statuses
    assert "marsh:singed" in book_of_core_and_plugins(_theirs()).statuses


def test_a_plugin_that_its_package_passes_on_is_read_anew_when_it_changes(place: Place) -> None:
    package = place.install("marsh", module="from .declared import plugin")
    for ending in (".road", ".ford"):
        formats = f"map_formats={{{ending!r}: 'json:loads'}}"
        place.write(package / "declared.py", f"{PLUGIN}plugin = Plugin('marsh', {formats})\n")
        assert ending in installed_plugins.plugin_index().map_formats_by_ending


def test_a_campaign_that_leans_on_a_broken_plugin_says_which(place: Place, campaign: Write) -> None:
    place.install("wet-marsh", plugin="marsh", module="1 / 0")
    folder = campaign("plugins = []")
    text = 'schema = 1\n[statuses.soaked]\nname = "Soaked"\nimplies = ["marsh:singed"]\n'
    (folder / "campaign.toml").write_text(text)  # as an earlier strike's, which lists none
    with pytest.raises(ContentProblem) as raised:
        open_book(folder)
    assert re.search(r"statuses\.soaked\.implies\[1\]: .*'marsh:singed'", raised.value.message)
    assert "wet-marsh" in raised.value.faults[0], "first what the others follow from"
    assert "ZeroDivisionError" in raised.value.faults[0]


# Clashes and overrides


def test_a_clash_of_two_distributions_names_both(place: Place, campaign: Write) -> None:
    place.install("marsh")
    place.install("upland", files={"content.toml": BURNING.replace("singed", "'marsh:singed'")})
    book = open_book(campaign())
    (trouble,) = map(str, book.troubles)
    for word in ("'upland'", "upland 1.0", "marsh:singed", "marsh 1.0 (marsh)", "override = true"):
        assert word in trouble
    assert book.where["statuses.marsh:singed"].startswith("marsh 1.0")


def test_two_distributions_with_one_name_of_a_plugin_are_told_apart(place: Place, campaign: Write) -> None:
    place.install("marsh-one", plugin="marsh")
    place.install("marsh-two", plugin="marsh")
    book = open_book(campaign())
    (trouble,) = map(str, book.troubles)
    assert "marsh-one 1.0" in trouble
    assert "marsh-two 1.0" in trouble
    assert "marsh:singed" not in book.statuses, "nobody said which of them is meant"


def test_a_declared_override_replaces_what_it_names(place: Place, campaign: Write) -> None:
    text = "[statuses.'core:dazed']\nname = 'Dazed by marsh lights'\noverride = true\n"
    place.install("marsh", files={"content.toml": text})
    book = open_book(campaign())
    assert not book.troubles
    assert book.statuses["core:dazed"]["name"] == "Dazed by marsh lights"
    assert book.where["statuses.core:dazed"] == "marsh 1.0 (marsh)"
    place.remove("marsh")
    assert open_book(campaign()).statuses["core:dazed"]["name"] == "Dazed"


def test_a_campaign_overrides_only_where_it_says_so(place: Place, campaign: Write) -> None:
    place.install("marsh")
    with pytest.raises(ContentProblem, match=r"marsh:singed: comes from marsh 1\.0"):
        open_book(campaign('[statuses."marsh:singed"]\nname = "Scorched"\n'))
    book = open_book(campaign('[statuses."marsh:singed"]\nname = "Scorched"\noverride = true\n'))
    assert book.statuses["marsh:singed"]["name"] == "Scorched"


# What a campaign plays with

HIDDEN = '[statuses.prone]\nname = "Flat"\n[conditions.sodden]\nname = "Sodden"\nseverity = "minor"\n'
"""What would be in the way of a campaign that never heard of it."""


def earlier(folder: Path, text: str) -> Path:
    """A campaign as an earlier strike had it: it lists no plugins."""
    (folder / "campaign.toml").write_text(f"schema = 1\n{text}", encoding="utf-8")
    settle(folder / "campaign.toml")
    return folder


def test_nothing_of_a_plugin_is_in_a_campaign_that_does_not_name_it(
    place: Place, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A status called as one of the core's made every command of a new campaign end with 3."""
    place.install("marsh", files={"content.toml": HIDDEN})
    folder = tmp_path / "new"
    assert run_command_line_or_complete(["new", str(folder)]) == 0
    assert run_command_line_or_complete(["status", "-C", str(folder)]) == 0
    book = open_book(folder)
    assert not [id for kind in ("statuses", "conditions") for id in book.table(kind) if "marsh:" in id]
    assert book.find("statuses", "prone") == "core:prone"
    capsys.readouterr()
    assert run_command_line_or_complete(["plugin", "list", "-C", str(folder), "--json"]) == 0
    plugins = json.loads(capsys.readouterr().out)["data"]["plugins"]
    uses = {plugin["name"]: plugin["use"] for plugin in plugins}
    assert (uses["marsh"], uses["elements"], uses["grit"]) == ("not in use here", "in use", "not in use here")


@pytest.mark.parametrize(
    ("text", "state"),
    [
        ('[statuses.wet]\nname = "Wet"\nimplies = ["marsh:sodden-boots"]\n', ""),
        ('[statuses.wet]\nname = "Wet"\nimplies = ["sodden-boots"]\n', ""),
        ("", '[characters.vex]\nstatuses = ["marsh:sodden-boots"]\n'),
    ],
)
def test_a_campaign_of_an_earlier_strike_plays_on_and_is_listed(
    text: str, state: str, place: Place, campaign: Write
) -> None:
    """By full id, by a name that only one has, and by what play has left; `doctor --upgrade` writes it."""
    place.install("marsh", files={"content.toml": BURNING.replace("singed", "sodden-boots")})
    folder = earlier(campaign(), text)
    (folder / "state.toml").write_text(state) if state else None
    book = open_book(folder)
    assert book.unlisted == ["marsh"]
    assert "marsh:sodden-boots" in book.statuses
    (folder / "state.toml").unlink(missing_ok=True)
    assert run_command_line_or_complete(["doctor", "--upgrade", "-C", str(folder)]) == 0
    assert 'schema = 1\nplugins = ["marsh"]\n' in (folder / "campaign.toml").read_text()
    assert not open_book(folder).unlisted


def test_a_list_that_lacks_one_says_which(place: Place, campaign: Write) -> None:
    place.install("marsh")
    folder = campaign('plugins = ["elements"]\n[statuses.wet]\nname = "Wet"\nimplies = ["singed"]\n')
    with pytest.raises(ContentProblem) as raised:
        open_book(folder)
    assert 'write plugins = ["elements", "marsh"]' in raised.value.hint
    run_command_line_or_complete(["doctor", "--upgrade", "-C", str(folder)])
    assert 'plugins = ["elements", "marsh"]\n' in (folder / "campaign.toml").read_text()
    assert open_book(folder).statuses["wet"]["implies"] == ["marsh:singed"]


def test_a_game_is_played_where_it_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "new"
    run_command_line_or_complete(["new", str(folder)])
    for words in ("start ford", "next", "show", "options"):
        assert run_command_line_or_complete(["grit", *words.split(), "-C", str(folder)]) == 2
        told = " ".join(capsys.readouterr().err.split())
        assert "This campaign doesn't play with 'grit', of strike-cli" in told
        assert 'write plugins = ["elements", "grit"] in campaign.toml' in told


# Game systems

SYSTEM = """\
from strike_cli.plugin import Args, Bot, Move, Plugin, Scope, System
from strike_cli.plugin.parts import Content, SceneTable
from strike_cli.plugin.facts import Fact, Person
plugin = Plugin("marsh", systems=["plugin_wet_marsh:MARSH"])
class Wade(Args):
    who: str
class Damaged(Fact):
    who: Person
    says = "{{who}} is wet."
def play_wade(world, args: Wade):
    yield world.tell(Damaged(args.who))
    return {{}}
class Misspelt(Bot):
    def evalute(self, world, side): ...
class TakesLess(Bot):
    def options(world): ...
MARSH = System("marsh", {more})
"""
"""The module of a plugin with a system of its own."""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("more", "named"),
    [
        ("api=99", "needs a newer strike"),
        ("scene=SceneTable('fight'), state={'fight': 'x:y'}", "defines a table of state.toml 'fight'"),
        ("fact_modules=['plugin_wet_marsh']", "defines a kind of fact 'damaged'"),
        ("moves={'combat attack': Move('x:y')}", "defines a move 'combat attack'"),
        ("content={'statuses': Content('x:y')}", "defines a kind of content 'statuses'"),
        ("content={'encounters': Content('x:y', prepared=True)}", "defines a kind of content 'encounters'"),
        ("commands={'combat': 'x:y'}", "defines a command 'combat'"),
        ("state={'session': 'x:y'}", "defines a table of state.toml 'session'"),
        ("house='no.toml'", "no.toml"),
        ("content={'characters': Content(fields='plugin_wet_marsh:nothing')}", "AttributeError"),
    ],
)
def test_a_system_at_odds_with_others_is_switched_off(
    more: str, named: str, place: Place, campaign: Write, capsys: pytest.CaptureFixture[str]
) -> None:
    """One message that names its distribution; all the rest works."""
    place.install("wet-marsh", plugin="marsh", module=SYSTEM.format(more=more))
    _check_switched_off(place, campaign, [named], capsys)
    assert "marsh" not in installed_plugins.plugin_index().systems


def test_a_plugin_made_for_a_later_strike_is_switched_off(place: Place) -> None:
    module = (
        "from strike_cli.plugin import Plugin\nplugin = Plugin('marsh', api=99, content=['content.toml'])\n"
    )
    place.install("wet-marsh", plugin="marsh", module=module)
    (trouble,) = installed_plugins.plugin_index().broken_messages
    assert "of wet-marsh 1.0 needs a newer strike" in trouble
    assert "marsh:singed" not in book_of_core_and_plugins(_theirs()).statuses


def test_keys_and_house_rules_are_told_apart_too(place: Place) -> None:
    for n, key in ((1, "hp"), (2, "marsh_depth"), (3, "marsh_depth")):
        sheets = f"content={{'characters': Content(fields='plugin_marsh_{n}:KEYS')}}, house='house.toml'"
        module = (
            SYSTEM.format(more=sheets).replace("wet_marsh", f"marsh_{n}").replace('"marsh"', f'"marsh{n}"')
        )
        module += f"from strike_cli.plugin.forms import Number\nKEYS = {{'{key}': Number(0)}}\n"
        house = {"house.toml": f"[marsh{n}]\nvalues = ['a', 'b']\ndefault = 'a'\n"}
        place.install(f"marsh-{n}", plugin=f"marsh{n}", module=module, files=house)
    hp, depth = installed_plugins.plugin_index().broken_messages
    assert "marsh-1 1.0 defines a key of characters 'hp'" in hp
    assert (
        "marsh-3 1.0 defines a key of characters 'marsh_depth', and so does plugin 'marsh2' of marsh-2 1.0"
        in depth
    )
    assert book_of_core_and_plugins(_theirs()).house["marsh2"] == "a"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("more", "named"),
    few_of(
        [
            ("moves={'marsh wade': Move('plugin_wet_marsh:wade')}", "plugin_wet_marsh:wade can't be loaded"),
            ("moves={'marsh wade': Move('plugin_wet_marsh:SYSTEM')}", "can't be loaded"),
            ("moves={'marsh wade': Move('plugin_wet_marsh:Wade')}", "is not a procedure"),
            ("moves={'marsh wade': Move('plugin_wet_marsh:play_wade', Scope.SCENE)}",
             "belongs to a scene, and the system has none"),
            ("commands={'marsh': 'plugin_wet_marsh:Wade'}", "is not a Typer app"),
            ("state={'marsh': 'plugin_wet_marsh:plugin'}", "is not a form"),
            ("content={'mud': Content('plugin_wet_marsh:Wade')}", "is not a form"),
            ("bot='plugin_wet_marsh:nothing'", "plugin_wet_marsh:nothing can't be loaded"),
            ("bot='plugin_wet_marsh:Wade'", "is not a class of Bot"),
            ("bot='plugin_wet_marsh:Misspelt'",
             "has 'evalute', which nothing calls. Did you mean 'evaluate'?"),
            ("bot='plugin_wet_marsh:TakesLess'", "has a `options(world)` that should take 2 arguments"),
        ],
        4,
    ),
)  # fmt: skip
def test_the_doctor_loads_all_that_a_plugin_names(
    more: str, named: str, place: Place, capsys: pytest.CaptureFixture[str]
) -> None:
    """What nobody has used yet may be broken: `plugin doctor` finds it, and names who brings it."""
    place.install("wet-marsh", plugin="marsh", module=SYSTEM.format(more=more))
    assert run_command_line_or_complete(["plugin", "doctor", "--json"]) == 4
    troubles = json.loads(capsys.readouterr().out)["data"]["troubles"]
    assert [trouble for trouble in troubles if "wet-marsh 1.0" in trouble and named in trouble], troubles
    assert run_command_line_or_complete(["plugin", "list", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["data"]["plugins"]


_OF_A_SYSTEM = (
    PLUGIN
    + "from strike_cli.plugin import System\n"
    + "from strike_cli.plugin.parts import Content\n"
    + "plugin = Plugin('marsh', systems=['plugin_wet_marsh:S'])\n"
)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("module", "named"),
    few_of(
        [
            ("raise KeyboardInterrupt", "KeyboardInterrupt"),
            (PLUGIN + "plugin = Plugin('marsh', words={'steps': 3})", "AttributeError"),
            (_OF_A_SYSTEM + "S = System(None)", "has None as its name"),
            (_OF_A_SYSTEM + "S = System('marsh', commands=['marsh'])", "AttributeError"),
            (_OF_A_SYSTEM + "S = System('marsh', content=3)", "`content` should be a table of Content"),
            (_OF_A_SYSTEM + "S = System('marsh', scene='marsh')", "`scene` should be a SceneTable"),
            (
                _OF_A_SYSTEM + "S = System('marsh', worth='marsh:worth')",
                "made for version 1 of the plugin API",
            ),
            ("from strike_cli.plugin import Evening", "made for version 1 of the plugin API"),
            (_OF_A_SYSTEM + "S = System('marsh', fact_modules=3)", "TypeError"),
            (_OF_A_SYSTEM + "S = System('marsh', house=3)", "TypeError"),
            (
                _OF_A_SYSTEM
                + "NO = 3\n"
                + "S = System('marsh', content={'characters': Content(fields='plugin_wet_marsh:NO')})",
                "TypeError",
            ),
        ],
        4,
    ),
)
def test_list_and_doctor_work_whatever_a_plugin_is_made_of(
    module: str, named: str, place: Place, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each took the tool down. The plugin is switched off, with its distribution and what is wrong."""
    place.install("wet-marsh", plugin="marsh", module=module)
    assert run_command_line_or_complete(["plugin", "list", "--json"]) == 0
    plugins = {one["name"]: one for one in json.loads(capsys.readouterr().out)["data"]["plugins"]}
    assert "wet-marsh 1.0" in plugins["marsh"]["broken"]
    assert named in plugins["marsh"]["broken"]
    assert run_command_line_or_complete(["plugin", "doctor", "--json"]) == 4
    troubles = json.loads(capsys.readouterr().out)["data"]["troubles"]
    assert plugins["marsh"]["broken"] in troubles


def test_a_plugin_that_hangs_is_not_waited_for(
    place: Place, campaign: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its distribution is named, and it is waited for once, not at every start."""
    monkeypatch.setattr(plugin_discovery, "IMPORT_SECONDS", 0.2)
    place.install("slow-marsh", plugin="marsh", module="import time\ntime.sleep(600)\n")
    (trouble,) = map(str, open_book(campaign()).troubles)
    assert "Plugin 'marsh' of slow-marsh 1.0 hangs" in trouble
    monkeypatch.setattr(plugin_discovery, "installed_entry_points", lambda: 1 / 0)
    installed_plugins.drop_plugin_index()
    assert trouble.startswith(installed_plugins.plugin_index().broken_messages[0])


# Pins


def test_a_pin_that_holds_is_no_trouble(place: Place, campaign: Write) -> None:
    place.install("wet-marsh", plugin="marsh", version="1.10.2")
    for pin in ('["marsh"]', '{ marsh = "1" }', '{ marsh = "1.10" }', '{ marsh = "1.10.*" }'):
        with case(pin):
            assert not open_book(campaign(f"plugins = {pin}\n")).lacking


def test_systems_that_a_campaign_plays_are_looked_for(campaign: Write) -> None:
    open_book(campaign('systems = ["grit", "combat"]\n'))
    (missing,) = open_book(campaign('systems = ["grt"]\n')).lacking
    assert missing == "No plugin has the game system 'grt'. Did you mean 'grit'?"
    assert len(open_book(campaign('systems = ["grt", "karmma"]\n')).lacking) == 2
    one = open_book(campaign('plugins = ["marsh"]\nsystems = ["bog"]\n')).lacking
    assert len(one) == 1 and "'marsh' is not installed" in one[0]  # the plugin may have the system
    with pytest.raises(ContentProblem, match="systems: should be a list"):
        open_book(campaign('systems = "grit"\n'))


@pytest.mark.parametrize(
    ("pin", "named"),
    [
        ('{ marsh = "1.1" }', "plugin 'marsh' is 1.10.2, and the campaign needs 1.1."),
        ('{ marsh = "2" }', "plugin 'marsh' is 1.10.2, and the campaign needs 2."),
    ],
)
def test_a_pin_that_does_not_hold_ends_with_code_4(
    pin: str, named: str, place: Place, campaign: Write, capsys: pytest.CaptureFixture[str]
) -> None:
    place.install("wet-marsh", plugin="marsh", version="1.10.2")
    folder = campaign(f"plugins = {pin}\n")
    with pytest.raises(PluginProblem):
        open_book(folder)
    for words in ("roll die", "status"):
        capsys.readouterr()
        assert run_command_line_or_complete([*words.split(), "-C", str(folder), "--json"]) == 4
        error = json.loads(capsys.readouterr().out)["error"]
        assert f"campaign.toml: plugins: {named}" in error["message"]
        assert error["hint"].startswith("Install")


def test_a_pin_on_a_broken_plugin_says_why(place: Place, campaign: Write) -> None:
    place.install("wet-marsh", plugin="marsh", module="1 / 0")
    (missing,) = open_book(campaign('plugins = ["marsh"]\n')).lacking
    assert re.search(r"wet-marsh 1\.0 is broken: \S+\.py, line \d+: ZeroDivisionError", missing)


def test_a_pin_is_looked_at_anew_when_the_plugin_goes(place: Place, campaign: Write) -> None:
    place.install("marsh")
    folder = campaign('plugins = ["marsh"]\n')
    open_book(folder)
    place.remove("marsh")
    assert "'marsh' is not installed" in open_book(folder).lacking[0]
    place.install("marsh")
    open_book(folder)


def test_stdout_is_what_it_was_whoever_imports_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A thread that began to import before another one, and ended before it."""
    waiting = "import time\ntime.sleep({})\n"
    (tmp_path / "slow_marsh.py").write_text(waiting.format(0.03))
    (tmp_path / "slower_marsh.py").write_text(waiting.format(0.06))
    monkeypatch.syspath_prepend(str(tmp_path))
    stdout = sys.stdout
    other = threading.Thread(target=installed_plugins.import_printing_to_stderr, args=["slow_marsh"])
    other.start()
    time.sleep(0.01)
    installed_plugins.import_printing_to_stderr("slower_marsh")
    other.join()
    assert sys.stdout is stdout


def test_a_module_that_another_thread_imports_is_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not handed out half made: a table opens its campaign in several threads."""
    (tmp_path / "half_marsh.py").write_text(
        "import threading\nbegun, go_on = threading.Event(), threading.Event()\n"
        "begun.set()\ngo_on.wait(30)\nwhole = True\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    with ThreadPoolExecutor(2) as threads:
        first = threads.submit(installed_plugins.import_object, "half_marsh:whole")
        while "half_marsh" not in sys.modules or not hasattr(sys.modules["half_marsh"], "begun"):
            time.sleep(0.001)
        sys.modules["half_marsh"].begun.wait(30)
        second = threads.submit(installed_plugins.import_object, "half_marsh:whole")
        time.sleep(0.02)  # without this it would not have looked yet; longer proves no more
        sys.modules["half_marsh"].go_on.set()
        assert [each.result(30) for each in (first, second)] == [True, True]


def test_strikes_own_systems_are_not_taken_for_hanging(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a machine under load an import takes longer than a plugin may."""

    def too_late(seconds: float, action: Callable[[], Any]) -> Any:
        raise TimeoutError

    monkeypatch.setattr(plugin_discovery, "run_with_timeout", too_late)
    found = {each.name: each.broken for each in plugin_discovery.PluginFinder().build_index().plugins}
    assert not found["core"]
    assert "hangs" in found["grit"]


def test_a_campaign_without_plugins_reads_nothing_of_theirs(tmp_path: Path) -> None:
    """Once what is installed is known: no module of a plugin is imported, and no file beside one opened."""
    folder = tmp_path / "mill"
    folder.mkdir()
    text = (Path(__file__).parents[1] / "data" / "campaign.toml").read_text("utf-8")
    (folder / "campaign.toml").write_text(f"plugins = []\n{text}", encoding="utf-8")
    watch = (
        "import sys\n"
        "seen = []\n"
        "reads = ('open', 'import')\n"
        "sys.addaudithook(lambda event, args: seen.append(str(args[0])) if event in reads else None)\n"
        "from strike_cli.cli.app import run_command_line_or_complete\n"
        "run = run_command_line_or_complete\n"
        "codes = [run(['-C', sys.argv[1], *line.split()]) for line in sys.argv[2:]]\n"
        "print([each for each in seen if 'strike_elements' in each or 'strike_grit' in each], codes)\n"
    )
    lines = ["roll skill vex Climbing --dice 6", "status", "log"]
    words = [sys.executable, "-c", watch, str(folder), *lines]
    for _ in ("at first", "then"):
        done = subprocess.run(words, capture_output=True, text=True, timeout=60, check=False)
    assert done.stdout.splitlines()[-1] + done.stderr == "[] [0, 0, 0]"
