"""`strike plugin new`: what it writes is a distribution that installs, passes its own tests and plays."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from support.cli import Strike
from support.documents import Reader, examples_in
from support.plugins import install, play_with

from strike_cli.kernel.statements import classes_by_key
from strike_cli.plugin.testing import check_plugin
from strike_cli.registry import installed_plugins
from strike_cli.systems.campaign.commands.plugin import PluginKind, write_plugin

ROOT = Path(__file__).parents[2]
SYSTEMS = ROOT / "docs" / "systems.md"


class Elsewhere:
    """Python with one more folder of installed distributions, and caches of its own."""

    def __init__(self, place: Path) -> None:
        self.site = place / "site"
        self.env = os.environ | {"PYTHONPATH": str(self.site), "XDG_CACHE_HOME": str(place / "cache")}

    def install(self, *projects: Path) -> None:
        """Build the wheels of projects and install them."""
        here = ["--no-deps", "--no-build-isolation", "--target", str(self.site)]
        self.run("pip", "install", *here, *map(str, projects))

    def run(self, module: str, *words: str, cwd: Path | None = None) -> str:
        """What a module says, run as a program; it must succeed."""
        script = [sys.executable, "-m", module, *words]
        done = subprocess.run(script, env=self.env, cwd=cwd, capture_output=True, text=True, timeout=180)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def strike(self, *lines: str, cwd: Path) -> list[dict[str, Any]]:
        """The `data` of each of some commands of strike's, typed in one script."""
        script = cwd / "script.strike"
        script.write_text("\n".join(lines) + "\n")
        said = self.run("strike_cli", "batch", str(script), "--json", cwd=cwd)
        return [json.loads(line)["data"] for line in said.splitlines()]


@pytest.fixture
def elsewhere(tmp_path: Path) -> Elsewhere:
    return Elsewhere(tmp_path)


@pytest.mark.slow
def test_what_is_written_installs_and_passes_its_tests_and_plays(
    tmp_path: Path, strike: Strike, elsewhere: Elsewhere
) -> None:
    """A plugin of content, and a game system; both are installed at once, which is what takes long."""
    hills, duel, evening = tmp_path / "hills", tmp_path / "duel", tmp_path / "evening"
    said = strike.json(f"plugin new frost-hills {hills} --title 'The Frost Hills'")
    assert "strike_frost_hills/content.toml" in said["data"]["files"]
    strike(f"plugin new duel {duel} --system")
    elsewhere.install(hills, duel)
    assert "2 passed" in elsewhere.run("pytest", cwd=hills)
    assert "8 passed" in elsewhere.run("pytest", cwd=duel)
    elsewhere.run("strike_cli", "new", str(evening))
    campaign = evening / "campaign.toml"
    written = campaign.read_text().replace("schema = 1", "schema = 1\nseed = 5", 1)
    campaign.write_text(written.replace('["elements"]', '["elements", "frost-hills", "duel"]', 1))
    told = re.search("```sh\n(.*?)```", SYSTEMS.read_text(), re.DOTALL)
    assert told
    shown, _, pressed, _, _, status, *_ = elsewhere.strike(
        "plugin show frost-hills", "duel start vex brann", "duel press . brann --dice 6,1", "undo",
        "replay --verify", "status", "duel end", *told[1].splitlines(), cwd=evening,
    )  # fmt: skip
    assert shown["brings"] == {"conditions": ["frost-hills:soaked"], "statuses": ["frost-hills:slippery"]}
    assert pressed["left"] == {"vex": 4, "brann": 2}
    assert [scene["system"] for scene in status["scenes"]] == ["duel"]
    assert "strike duel press" in elsewhere.run("strike_cli", "duel", "press", "--help")


@pytest.mark.slow
@pytest.mark.parametrize("kind", PluginKind)
def test_each_kind_passes_its_own_tests_and_the_strictest_types(kind: PluginKind, tmp_path: Path) -> None:
    name = f"new-{kind}"
    project, site = tmp_path / "project", tmp_path / "site"
    write_plugin(name, project, kind=kind, title="New")
    install(f"strike-{name}", "0.1.0", f"{name} = strike_new_{kind}:plugin", site)
    places = [*map(str, (site, project, ROOT, *(ROOT / each for each in ("bridge", "plugins"))))]
    elsewhere = Elsewhere(tmp_path)
    elsewhere.env |= {"PYTHONPATH": os.pathsep.join(places), "MYPYPATH": os.pathsep.join(places[1:])}
    elsewhere.run("mypy", "--strict", f"strike_new_{kind}", "tests", cwd=project)
    elsewhere.run("pytest", "-q", "-Werror::UserWarning", "-Werror::DeprecationWarning", cwd=project)


@pytest.fixture
def installed_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., None]]:
    """Install a plugin that was written to a folder, for this test."""
    packages = []

    def install_here(name: str, project: Path) -> None:
        packages.append(f"strike_{name.replace('-', '_')}")
        install(f"strike-{name}", "0.1.0", f"{name} = {packages[-1]}:plugin", tmp_path / "site")
        places = (tmp_path / "site", project.resolve())
        monkeypatch.setattr(sys, "path", [*sys.path, *map(str, places)])
        monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
        installed_plugins.drop_plugin_index()

    yield install_here
    for kind in [
        each for each, cls in classes_by_key.items() if cls.__module__.partition(".")[0] in packages
    ]:
        del classes_by_key[kind]
    installed_plugins.drop_plugin_index()


@pytest.mark.parametrize("kind", PluginKind)
def test_each_kind_is_sound(kind: PluginKind, tmp_path: Path, installed_here: Callable[..., None]) -> None:
    name = f"new-{kind}"
    write_plugin(name, tmp_path / "project", kind=kind, title="New")
    installed_here(name, tmp_path / "project")
    check_plugin(name)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("core", "taken by strike-cli"),
        ("combat --system", "taken by an installed system"),
        ("session --system", "taken by"),
        ("roll --system", "taken by an installed system"),
        ("Frost", "can't name a plugin"),
        ("frost_hills", "can't name a plugin"),
    ],
)
def test_names_that_will_not_do(words: str, said: str, tmp_path: Path, strike: Strike) -> None:
    name, *options = words.split()
    refused = strike.json(f"plugin new {name} {tmp_path / 'new'} {' '.join(options)}", code=2)
    assert said in refused["error"]["message"]
    assert not (tmp_path / "new").exists()


def test_a_folder_with_something_in_it_is_left_alone(tmp_path: Path, strike: Strike) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    strike(f"plugin new frost {tmp_path}", code=2)
    assert "pyproject.toml" not in [path.name for path in tmp_path.iterdir()]


def test_the_changelog_says_where_each_name_of_version_1_is_now() -> None:
    """Each row names modules and names that are there."""
    text = (Path(__file__).parents[2] / "CHANGELOG.md").read_text("utf-8")
    table = text.partition("| version 1 | version 2 |")[2].partition("\n\n")[0]
    rows = [line.strip("| ").split(" | ") for line in table.splitlines() if "the same of" in line]
    assert len(rows) > 6
    for old, new in rows:
        module = import_module(new.split("`")[1])
        for name in old.split(" of ")[0].replace("`", "").split(", "):
            assert name in module.__all__, f"{module.__name__} has no {name}"


@pytest.mark.slow
def test_a_plugin_of_version_1_is_told_what_its_names_are_now(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, strike: Strike
) -> None:
    """As `plugin new --system` wrote it then: each of these rows it took to bring it up."""
    site = tmp_path / "site"
    site.mkdir()
    (site / "oldduel.py").write_text(
        "from strike_cli.plugin import Character, FactKind, Move, Plugin, Scope, System, scene_form\n"
        'plugin = Plugin("oldduel", systems=["oldduel:SYSTEM"])\n'
        'SYSTEM = System(\n    "oldduel",\n    scene="oldduel",\n'
        '    facts={"x": FactKind()},\n    worth=":worth",\n)\n'
    )
    install("oldduel", "1.0", "oldduel = oldduel:plugin", site)
    monkeypatch.setattr(sys, "path", [*sys.path, str(site)])
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    installed_plugins.drop_plugin_index()
    try:
        told = strike.json("plugin doctor", code=4)
    finally:
        installed_plugins.drop_plugin_index()
    (trouble,) = told["data"]["troubles"]
    assert "made for version 1 of the plugin API" in trouble
    rows = dict(told["data"]["older"]["oldduel"])
    assert rows["Character"] == "the same of strike_cli.plugin.commands"
    assert rows["scene_form"].endswith("scene_schema of strike_cli.plugin.forms")
    assert "fact_modules" in rows["FactKind"]
    assert "SceneTable" in rows["scene of System"]
    assert "evaluate" in rows["worth of System"]
    assert len(rows) == 5


def test_the_page_of_a_first_move_is_typed_and_shows_what_is_written(
    tmp_path: Path,
    folder: Path,
    strike: Strike,
    monkeypatch: pytest.MonkeyPatch,
    installed_here: Callable[..., None],
) -> None:
    page = (ROOT / "docs" / "first-move.md").read_text("utf-8")
    monkeypatch.chdir(tmp_path)
    reader = Reader(strike, monkeypatch)
    examples = [each for each in examples_in(page) if each.is_strikes]
    for example in examples[:2]:
        assert reader.type(example) is None
    installed_here("toast", Path())
    play_with(folder, "toast")
    monkeypatch.chdir(folder)
    assert len(examples) == 6
    for example in examples[2:]:
        assert reader.type(example) is None, example.typed
    written = "\n".join(file.read_text() for file in (tmp_path / "strike-toast").rglob("*.py"))
    blocks = re.findall("```python\n(.*?)```", page, re.DOTALL)
    assert len(blocks) == 5
    for block in blocks:
        assert block.strip("\n") in written
