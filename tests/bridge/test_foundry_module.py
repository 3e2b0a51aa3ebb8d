"""The companion module for Foundry: what is in the file that people install, and what it does in a stand-in
for Foundry's client (foundry_layer.mjs). It has not met a real one."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from strike_bridge.foundry_module_archive import make_archive, module_folder
from strike_bridge.targets.foundry_documents import FLAG
from strike_bridge.targets.foundry_statuses import OWN_EFFECT
from strike_cli.cli.app import run_command_line_or_complete

ROOT = Path(__file__).parents[2]
NODE = shutil.which("node")


def test_the_file_is_the_same_whenever_it_is_made_and_holds_one_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run_command_line_or_complete(["bridge", "module", "foundry", "--out", "a.zip"]) == 0
    assert "Data/modules" in capsys.readouterr().out
    assert Path("a.zip").read_bytes() == make_archive() == make_archive()
    with zipfile.ZipFile("a.zip") as packed:
        assert packed.testzip() is None
        names = packed.namelist()
        assert {entry.date_time[0] for entry in packed.infolist()} == {1980}
        manifest = json.loads(packed.read("strike/module.json"))
    assert names == sorted(names)
    assert all(name.startswith(f"{manifest['id']}/") for name in names)
    assert run_command_line_or_complete(["bridge", "module", "roll20"]) == 2
    assert "foundry" in capsys.readouterr().err


def test_the_manifest_says_what_foundry_asks_for_and_its_files_are_there() -> None:
    manifest = json.loads((module_folder() / "module.json").read_text(encoding="utf-8"))
    assert {"id", "title", "version", "compatibility"} <= manifest.keys(), "what every package has to say"
    assert manifest["id"] == FLAG, "the flags on our documents are those of an active package"
    assert manifest["compatibility"]["verified"] == "14"
    assert "not in a real world" in manifest["description"], "verified has more than we know without this"
    for name in [*manifest["esmodules"], *manifest["styles"]]:
        assert (module_folder() / name).is_file(), name


def test_a_release_says_where_it_and_the_next_one_are(tmp_path: Path) -> None:
    repository = "https://forge.example/strike/strike"
    made = [sys.executable, str(ROOT / ".ci" / "foundry-module"), repository, "v1.2.3", str(tmp_path)]
    subprocess.run(made, check=True)
    manifest = json.loads((tmp_path / "module.json").read_text(encoding="utf-8"))
    assert manifest["url"] == repository
    assert manifest["version"] == "1.2.3"
    assert manifest["manifest"] == f"{repository}/releases/latest/download/module.json"
    assert manifest["download"] == f"{repository}/releases/download/v1.2.3/strike-foundry.zip"
    with zipfile.ZipFile(tmp_path / manifest["download"].rpartition("/")[2]) as packed:
        assert json.loads(packed.read("strike/module.json")) == manifest
    workflow = (ROOT / ".github/workflows/release.yml").read_text(encoding="utf-8")
    assert '.ci/foundry-module "$GITHUB_SERVER_URL/$GITHUB_REPOSITORY" "$GITHUB_REF_NAME" dist' in workflow


def test_every_status_has_a_picture_and_every_picture_a_status() -> None:
    """Those that come with strike, and no picture asks for anything from elsewhere."""
    pictures = {
        file.stem: file.read_text(encoding="utf-8") for file in (module_folder() / "icons").glob("*.svg")
    }
    ours = tomllib.loads((ROOT / "strike_cli/systems/combat/statuses.toml").read_text(encoding="utf-8"))
    assert set(ours["statuses"]) <= pictures.keys()
    for name, text in pictures.items():
        assert ElementTree.fromstring(text).get("viewBox"), name
        assert not re.search(r"href|url\(|<script", text), name
    code = (module_folder() / "strike.js").read_text(encoding="utf-8")
    [named] = re.findall(r"STATUSES = \[(.*?)\]", code, re.DOTALL)
    assert set(re.findall(r'"([a-z]+)"', named)) == pictures.keys()
    assert f'"{OWN_EFFECT}"' in code


def test_the_files_are_in_the_wheel() -> None:
    data = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    forced = data["tool"]["hatch"]["build"]["targets"]["wheel"]["force-include"]
    assert forced["bridge/foundry-module"] == "strike_bridge/foundry-module"


@pytest.fixture(scope="module", params=[12, 13, 14])
def client(request: pytest.FixtureRequest) -> tuple[int, dict[str, Any]]:
    """What came of a start of Foundry with the module, by its generation."""
    if NODE is None:
        pytest.skip("node is not there")
    layer = Path(__file__).with_name("foundry_layer.mjs")
    module = module_folder() / "strike.js"
    done = subprocess.run(
        [NODE, layer, module, str(request.param)],
        capture_output=True, text=True, check=True, timeout=30,
    )  # fmt: skip
    return request.param, json.loads(done.stdout)


def test_statuses_are_added_where_the_world_has_none_of_that_name(client: tuple[int, dict[str, Any]]) -> None:
    generation, found = client
    ids = [status["id"] for status in found["statuses"]]
    assert ids[:3] == ["blind", "wm", "prone"], "the world's own stay as they are"
    assert len(ids) == len(set(ids))
    assert {"strike-dazed", "strike-ongoing"} <= set(ids)
    assert not {"strike-blinded", "strike-marked", "strike-prone"} & set(ids)
    assert (found["keys"] == ids) == (generation >= 14)
    [dazed] = [status for status in found["statuses"] if status["id"] == "strike-dazed"]
    assert dazed == {"id": "strike-dazed", "name": "Dazed", "img": "modules/strike/icons/dazed.svg"}


def test_effects_of_the_bridge_get_the_worlds_icon_or_ours(client: tuple[int, dict[str, Any]]) -> None:
    assert client[1]["effects"] == {
        "strike-dazed": "modules/strike/icons/dazed.svg",
        "strike-ongoing-3": "modules/strike/icons/ongoing.svg",
        "strike-marked": "systems/ours/marked.svg",
        "strike-prone": "icons/svg/falling.svg",
        "strike-moonstruck": "as it was",
        "poisoned": "as it was",
    }


def test_who_is_asked_gets_buttons_and_what_they_press_is_a_message_of_their_own(
    client: tuple[int, dict[str, Any]],
) -> None:
    asked = client[1]["asked"]
    picked, rolled = asked["picked"], asked["rolled"]
    assert picked["buttons"] == ["damage", "effect"] and picked["disabled"]
    [made] = picked["made"]
    assert made["flags"] == {FLAG: {"answer": {"decision": "d1", "option": "damage"}}} and not made["rolls"]
    assert rolled["buttons"][0] == "Roll 2d6 for strike"
    [made] = rolled["made"]
    assert made["rolls"][0]["formula"] == "2d6"
    assert made["flags"][FLAG]["answer"] == {"decision": "d1", "option": "damage"}
    [made] = asked["marked_up"]["made"]
    assert made["content"] == "<p>[ [/r 1d6]] &lt;b&gt;</p>"
    assert asked["by_id"]["buttons"] == picked["buttons"]
    assert asked["others"]["buttons"] == asked["over"]["buttons"] == []
    assert "strike-over" in asked["over"]["classes"]


def test_messages_of_the_bridge_are_marked_once_and_no_others(client: tuple[int, dict[str, Any]]) -> None:
    assert client[1]["messages"] == {
        "ours": ["strike-result"],
        "undone": ["strike-result", "strike-undone"],
        "token": [],
        "theirs": [],
    }
