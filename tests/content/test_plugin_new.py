"""`strike plugin new`: what it writes is a distribution that installs, passes its own tests and plays."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from support.cli import Strike

SYSTEMS = Path(__file__).parents[2] / "docs" / "systems.md"


class Elsewhere:
    """Python with one more folder of installed distributions, and caches of its own."""

    def __init__(self, place: Path) -> None:
        self.site = place / "site"
        self.env = os.environ | {"PYTHONPATH": str(self.site), "XDG_CACHE_HOME": str(place / "cache")}

    def install(self, project: Path) -> None:
        """Build a project's wheel and install it."""
        self.run(
            "pip", "install", "--no-deps", "--no-build-isolation", "--target", str(self.site), str(project)
        )

    def run(self, module: str, *words: str, cwd: Path | None = None) -> str:
        """What a module says, run as a program; it must succeed."""
        script = [sys.executable, "-m", module, *words]
        done = subprocess.run(script, env=self.env, cwd=cwd, capture_output=True, text=True, timeout=120)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def strike(self, words: str, cwd: Path) -> dict[str, Any]:
        """The `data` of a command of strike's."""
        data: dict[str, Any] = json.loads(self.run("strike_cli", *words.split(), "--json", cwd=cwd))["data"]
        return data


@pytest.fixture
def elsewhere(tmp_path: Path) -> Elsewhere:
    return Elsewhere(tmp_path)


def test_a_plugin_of_content_installs_and_passes_its_tests(
    tmp_path: Path, strike: Strike, elsewhere: Elsewhere
) -> None:
    project = tmp_path / "hills"
    said = strike.json(f"plugin new frost-hills {project} --title 'The Frost Hills'")
    assert "strike_frost_hills/content.toml" in said["data"]["files"]
    elsewhere.install(project)
    assert "2 passed" in elsewhere.run("pytest", cwd=project)
    brings = elsewhere.strike("plugin show frost-hills", tmp_path)["brings"]
    assert brings == {"conditions": ["frost-hills:soaked"], "statuses": ["frost-hills:slippery"]}


def test_a_game_system_installs_and_passes_its_tests_and_plays(
    tmp_path: Path, strike: Strike, elsewhere: Elsewhere
) -> None:
    project, evening = tmp_path / "duel", tmp_path / "evening"
    strike(f"plugin new duel {project} --system")
    elsewhere.install(project)
    assert "8 passed" in elsewhere.run("pytest", cwd=project)
    elsewhere.strike(f"new {evening}", tmp_path)
    campaign = evening / "campaign.toml"
    campaign.write_text(campaign.read_text().replace("schema = 1", "schema = 1\nseed = 2", 1))
    elsewhere.strike("duel start vex brann", evening)
    assert elsewhere.strike("duel press . brann --dice 6,1", evening)["left"] == {"vex": 4, "brann": 2}
    elsewhere.strike("undo", evening)
    elsewhere.strike("replay --verify", evening)
    assert [scene["system"] for scene in elsewhere.strike("status", evening)["scenes"]] == ["duel"]
    elsewhere.strike("duel end", evening)
    for line in re.search("```sh\n(.*?)```", SYSTEMS.read_text(), re.DOTALL)[1].splitlines():
        elsewhere.strike(line.removeprefix("strike "), evening)
    assert "strike duel press" in elsewhere.run("strike_cli", "duel", "press", "--help")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("core", "taken by strike-cli"),
        ("combat --system", "taken by a system"),
        ("session --system", "taken by"),
        ("roll --system", "taken by a system"),
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
