"""`strike bridge login`, `link`, `unlink` and `doctor`, as they are typed."""

from __future__ import annotations

import io
import os
import sys
import types
from collections.abc import Callable, Iterator

import pytest
from support.evening import Evening

from strike_bridge import doctor
from strike_bridge.credential_store import keys_file

from .helpers import Typed
from .servers.base import running
from .servers.inn import PASSWORD, Inn


@pytest.fixture
def inn(monkeypatch: pytest.MonkeyPatch) -> Iterator[Inn]:
    monkeypatch.delenv("STRIKE_INN_PASSWORD")
    with running(Inn()) as server:
        yield server


@pytest.fixture
def bridge(evening: Evening, inn: Inn, capsys: pytest.CaptureFixture[str]) -> Typed:
    table = f'[bridge.targets.inn]\nkind = "inn"\nurl = "{inn.url}"\noptions = {{ world = "w" }}\n'
    evening.set_targets(table)
    evening.start()
    return Typed(evening.folder, capsys)


@pytest.fixture
def types_in(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    return lambda text: monkeypatch.setattr(sys, "stdin", io.StringIO(text))


def test_a_password_is_asked_for_kept_and_tried(
    bridge: Typed, inn: Inn, types_in: Callable[[str], None]
) -> None:
    said = bridge("doctor inn", 5)
    assert "There is no password for inn." in said
    assert "strike bridge login inn" in said
    types_in("guessed\n")
    assert str(keys_file(bridge.folder)) in bridge("login inn")
    assert "401" in bridge("doctor", 5)
    types_in(f"{PASSWORD}\n")
    said = bridge("login inn")
    assert PASSWORD not in said
    file = keys_file(bridge.folder)
    assert PASSWORD in file.read_text(encoding="utf-8")
    assert os.name == "nt" or file.stat().st_mode & 0o777 == 0o600
    others = [path for path in bridge.folder.rglob("*") if path.is_file()]
    assert not any(PASSWORD.encode() in path.read_bytes() for path in others)
    inn.busy = True
    said = bridge("doctor", 5)
    assert "It answers, but wants fewer requests: it answered 429." in said
    assert "Is `url` right?" not in said
    inn.busy = False
    said = bridge("doctor", 5)
    assert "It answers and accepts the key." in said
    assert "The clocks agree." in said
    assert "No world is named." in said
    assert "Not linked: Vex, Brann, Goblin 1" in said


def test_a_keyring_that_works_is_used_and_one_that_does_not_is_not(
    bridge: Typed, types_in: Callable[[str], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    store: dict[tuple[str, str], str] = {}
    desktop = types.ModuleType("keyring")
    monkeypatch.setitem(sys.modules, "keyring", desktop)
    desktop.__spec__ = types.SimpleNamespace()  # type: ignore[assignment]

    def fails(*_: str) -> None:
        raise RuntimeError("no store here")

    desktop.set_password = desktop.get_password = fails  # type: ignore[attr-defined]
    types_in("one\n")
    assert str(keys_file(bridge.folder)) in bridge("login inn")
    desktop.set_password = lambda a, b, key: store.update({(a, b): key})  # type: ignore[attr-defined]
    desktop.get_password = lambda a, b: store.get((a, b))  # type: ignore[attr-defined]
    types_in(f"{PASSWORD}\n")
    assert "in the keyring" in bridge("login inn")
    assert list(store.values()) == [PASSWORD]
    assert "accepts the key" in bridge("doctor", 5)  # though the file has another


@pytest.fixture
def known(bridge: Typed, monkeypatch: pytest.MonkeyPatch) -> Typed:
    monkeypatch.setenv("STRIKE_INN_PASSWORD_INN", PASSWORD)
    return bridge


def test_links_by_id_and_by_name(known: Typed, inn: Inn) -> None:
    bridge = known
    inn.add("Vex")
    inn.add("A goblin")
    assert "nothing to link" not in bridge("link")
    assert "inn has no token for vex, brann" in bridge("push") + bridge("status")
    said = bridge("link --auto")
    assert "vex is Vex (t1)" in said
    assert "nothing is named like Brann, Goblin 1" in said
    assert "goblin-1 is t2 at inn" in bridge("link goblin-1 t2")
    assert bridge.json("link")["data"]["links"][:2] == [
        {"target": "inn", "id": "vex", "theirs": "t1", "made": False},
        {"target": "inn", "id": "goblin-1", "theirs": "t2", "made": False},
    ]
    bridge("push")
    assert inn.tokens["t2"]["hp"] == {"value": 4, "max": 4}
    del inn.tokens["t2"]
    assert "Links lead to missing tokens: goblin-1" in bridge("doctor", 5)
    assert "no longer t2" in bridge("unlink gob")
    assert "no token 'x'" in bridge("link vex x", 2)
    assert "no link 'brann'" in bridge("unlink brann", 2)
    assert "Link to which token?" in bridge("link vex", 2)


def test_doctor_tells_of_a_clock_and_of_a_server_that_is_away(
    known: Typed, inn: Inn, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(doctor, "SKEW", -1.0)
    assert "this one." in known("doctor", 5)
    inn.shutdown()
    inn.server_close()
    assert "Nobody answers" in known("doctor", 5)


def test_what_has_our_ids_needs_no_links(evening: Evening, capsys: pytest.CaptureFixture[str]) -> None:
    assert "nothing to link at table" in Typed(evening.folder, capsys)("link", 2)


def test_settings_that_only_the_kind_can_judge_are_found_by_both_doctors(
    known: Typed, evening: Evening
) -> None:
    evening.edit("world =", "wrold =")
    words = "bridge.targets.inn.options.wrold: "
    assert words in known("doctor", 5)
    assert words in known.strike("doctor", 3)
