"""Each word by which `push`, `status`, `diff`, `sync`, `review` and `doctor` call something well: it is said
where it is so, then made wrong, and what is wrong is said."""

from __future__ import annotations

import ast
import contextlib
import os
import shutil
import time
from collections.abc import Callable, Iterator
from email.utils import formatdate
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from support.evening import Evening
from support.thorough import few_of

import strike_bridge
from strike_bridge import request_outcome
from strike_bridge.authenticated_wire import SessionWire
from strike_bridge.delivery_record import load_or_make_cursor
from strike_bridge.push_follow_and_sync import push
from strike_bridge.settings import Settings, settings_from_unchecked_table, target_file_path
from strike_bridge.target_differences import read_target_tokens
from strike_bridge.targets import make_target_checking_consent
from strike_bridge.worker_lock import try_to_hold_lock
from strike_cli.cli.app import run_command_line_or_complete
from strike_cli.problems import CampaignProblem

from .helpers import HASTY
from .rest_helpers import hall, settings_for
from .servers.base import Handler, Reply, Server, answers, running
from .servers.cozyvtt import BadCozy
from .servers.discord import Discord
from .servers.dungeon_revealer import PC_PASSWORD, DungeonRevealer
from .servers.encounterplus import EncounterPlus
from .servers.foundry import KEY, BadFoundry
from .servers.rest_apis import Pixels


class Hall:
    """A target that was told everything, and whoever types."""

    def __init__(
        self, evening: Evening, server: Pixels, capsys: pytest.CaptureFixture[str], patch: pytest.MonkeyPatch
    ) -> None:
        self.folder, self.evening, self.server = evening.folder, evening, server
        self.capsys, self.patch = capsys, patch
        self.settings = settings_for(evening, server)
        self.says("push")

    def says(self, line: str) -> str:
        run_command_line_or_complete(["-C", str(self.folder), "bridge", *line.split()])
        return " ".join("".join(self.capsys.readouterr()).split())

    def thing(self, **changes: Any) -> None:
        """Somebody changes Vex there."""
        thing = self.server.things[load_or_make_cursor(self.folder, "hall").links["vex"]]
        thing.update(changes)

    def note(self, **fields: Any) -> None:
        """What is kept of the target is another."""
        cursor = load_or_make_cursor(self.folder, "hall")
        for name, value in fields.items():
            setattr(cursor, name, value)
        cursor.save(self.folder)

    def write(self, old: str, new: str) -> None:
        self.evening.edit(old, new)

    def switch_off(self) -> None:
        self.note(off=load_or_make_cursor(self.folder, "hall").settings)

    def play(self) -> None:
        self.evening.roll(4)

    def reject(self) -> None:
        self.play()
        self.server.faults = [answers(422)]
        self.says("push")

    def fall_silent(self) -> None:
        for wait in ("FIRST_WAIT", "LONGEST_BACKOFF"):  # longer than a push waits: it tries once
            self.patch.setattr(request_outcome, wait, 1e9)
        self.server.always = self.server.gets = answers(500)
        self.play()
        self.says("push")

    def set_clock(self, seconds: float) -> None:
        self.patch.setattr(
            Handler, "date_time_string", lambda _: formatdate(time.time() + seconds, usegmt=True)
        )

    def unlink(self) -> None:
        self.write("create = true", "")
        self.note(links={})

    def restart_empty(self) -> None:
        self.server.things.clear()

    def restart_empty_and_move(self) -> None:
        self.restart_empty()
        self.evening.move("vex", "C3")


@pytest.fixture
def there(
    evening: Evening, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Iterator[Hall]:
    evening.start()
    with hall(Pixels, monkeypatch) as server:
        yield Hall(evening, server, capsys, monkeypatch)


Spoil = Callable[[Hall], object]


def served(**fields: Any) -> Spoil:
    return lambda there: [setattr(there.server, name, value) for name, value in fields.items()]


KEYED = "ok It answers and accepts the key."
WORDS: list[tuple[str, str, Spoil, str]] = [
    ("push", "up to date", Hall.fall_silent, "it answered 500"),
    ("push", "up to date", Hall.play, "delivered 1 result"),
    ("push", "up to date", Hall.reject, "1 to review"),
    ("push", "up to date", Hall.switch_off, "switched off"),
    ("push --yes", "up to date", Hall.play, "delivered 1 result"),
    ("push --yes", "up to date", Hall.restart_empty_and_move, "delivered 4 tokens"),
    ("sync", "delivered 4 tokens", Hall.restart_empty, "it no longer has any of our tokens"),
    ("sync", "delivered 4 tokens", served(always=answers(401)), "it does not accept the key"),
    ("status", "hall #2 0 - 0 - -", Hall.play, "hall #2 1"),
    ("status", "hall #2 0 - 0 - -", Hall.fall_silent, "it answered 500"),
    ("status", "hall #2 0 - 0 - -", Hall.reject, "hall #3 0 - 1"),
    ("diff", "No difference", partial(Hall.thing, x=700), "hall vex position"),
    ("diff", "No difference", partial(Hall.thing, x=-700), "off the map"),
    ("diff", "No difference", partial(Hall.thing, hp=1), "hall vex hp"),
    ("diff", "No difference", partial(Hall.thing, hp="dead"), "'dead' is not a number"),
    ("diff", "No difference", partial(Hall.thing, size=None), "read.y: it can't be"),
    ("diff", "No difference", partial(Hall.thing, tags=["Asleep"]), "hall vex statuses"),
    ("diff", "No difference", Hall.restart_empty, "hall vex token there missing"),
    ("diff", "No difference", served(gets=answers(503)), "it answered 503"),
    ("review", "nothing to review", Hall.reject, "it answered 422"),
    ("doctor", "Settings OK", partial(Hall.write, old="create = true", new='hp = "what"'), "hp: 'what'"),
    ("doctor", "can be filled in", partial(Hall.write, old="order.round", new="order.rund"), "'rund'"),
    ("doctor", KEYED, served(gets=answers(500)), "!! It answers, but wrongly"),
    ("doctor", KEYED, served(gets=answers(401)), "!! It answers, but it does not accept"),
    ("doctor", KEYED, served(refusal=lambda call: None), "-- It answers the same without the key"),
    ("doctor", "The clocks agree.", partial(Hall.set_clock, seconds=600), "seconds ahead of this one"),
    ("doctor", "Every token is linked", Hall.unlink, "!! Not linked"),
    ("doctor", "Every token is linked", Hall.restart_empty, "!! Links lead to missing tokens"),
    ("doctor", "It lists 4 things", served(respond=lambda _: Reply(200, {"data": 1})), "!! Its list"),
    ("doctor", "The path exists", partial(Hall.write, old="GET /api/t", new="GET /a/t"), "Not tried"),
    ("doctor", "It has received everything", Hall.reject, "!! 1 to review"),
    ("doctor", "It has received everything", Hall.play, "1 entry waits"),
    ("doctor", "It has received everything", Hall.fall_silent, "!! The last delivery failed"),
    ("doctor", "It has received everything", partial(Hall.note, doubt=["order"]), "!! A worker ended"),
]  # fmt: skip
"""A command, its word, what makes that wrong, what is said then."""


@pytest.mark.parametrize(
    ("line", "word", "spoil", "said"), few_of(WORDS), ids=lambda each: each if isinstance(each, str) else ""
)
def test_a_word_of_well_is_said_only_where_it_is_so(
    line: str, word: str, spoil: Spoil, said: str, there: Hall
) -> None:
    assert word in there.says(line)
    spoil(there)
    found = there.says(line)
    assert said in found
    assert word not in found


def test_up_to_date_is_not_said_while_another_worker_is_at_it(there: Hall) -> None:
    patience, _ = push.__defaults__ or ()
    there.patch.setattr(push, "__defaults__", (patience, 0.01))  # not the seconds that the other one has
    with try_to_hold_lock(target_file_path(there.folder, "hall", ".lock")):
        for line in ("sync", "push"):
            assert "hall: another worker is delivering to it already." in there.says(line)


def test_diff_says_which_agree_where_another_is_not_heard(there: Hall) -> None:
    with (there.folder / "campaign.toml").open("a") as file:
        file.write('[bridge.targets.mill]\nkind = "table"\nurl = "http://127.0.0.1:9"\n')
    found = there.says("diff")
    assert "No difference there: hall." in found
    assert "mill: it could not be reached" in found
    there.thing(x=700)
    assert "No difference" not in there.says("diff")


def test_nothing_is_told_before_the_first_push(there: Hall) -> None:
    shutil.rmtree(there.folder / "bridge")
    assert "It has received everything" not in there.says("doctor")


Kind = tuple[Callable[[], Server], dict[str, Any]]
KINDS: dict[str, Kind] = {
    "encounterplus": (partial(EncounterPlus, t1="Vex"), {}),
    "dungeon-revealer": (partial(DungeonRevealer, t1="V"), {}),
    "cozyvtt": (BadCozy, {"create": True}),
    "foundry": (BadFoundry, {"create": True, "options": {"players": {"vex": "Pia"}}}),
    "discord": (Discord, {"audience": "gm"}),
}
"""A stand-in of each, and what its table says."""
Wrong = Callable[[Any], object]
OF_KINDS: list[tuple[str, str, Wrong, str]] = [
    ("encounterplus", "the map Cave is on the player screen", lambda app: setattr(app, "has_map", False), ""),
    ("dungeon-revealer", "the password is the game master's", lambda app: os.environ.update(
        STRIKE_DUNGEON_REVEALER_PASSWORD=PC_PASSWORD), "!! the password is the players'"),
    ("dungeon-revealer", "the map The Cave, with a grid",
        lambda app: app.maps["cave"].update(grid=None), "!! "),
    ("cozyvtt", "The map The Ford has 5 tokens", lambda app: app.tokens.pop(), "has 4 tokens, 4 of them"),
    ("cozyvtt", "The map The Ford has 5 tokens", lambda app: app.maps.clear(), ""),
    ("foundry", "Every player who answers is a user",
        lambda app: app.world.users[1].update(name="Ana"), "!! Nobody there is called Pia"),
    ("foundry", "The key has all", lambda app: app.keys[KEY].remove("chat:write"), "!! The key lacks"),
    ("foundry", "The scene is The Ford", lambda app: setattr(app.world, "online", False), "!! "),
    ("discord", "the game master's webhook", lambda app: setattr(app, "gm_deleted", True), "404"),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "word", "spoil", "said"), OF_KINDS)
def test_a_word_of_a_kind_is_said_only_where_it_is_so(
    kind: str, word: str, spoil: Wrong, said: str, fight: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    make, table = KINDS[kind]
    with running(make()) as server:
        if isinstance(server, Discord):
            monkeypatch.setenv("STRIKE_DISCORD_WEBHOOK", f"{server.webhook_url} {server.gm_webhook_url}")
        url = "" if kind == "discord" else server.url
        there = settings_from_unchecked_table("there", {"kind": kind, "url": url, **table})

        def checked() -> str:
            target = make_target_checking_consent(fight.folder, there)
            with contextlib.closing(SessionWire(fight.folder, target)) as wire:
                found = wire.ask_catching_plugin_errors(lambda wire: list(wire.target.own_findings(wire)))
            assert isinstance(found, list)
            return " ".join(f"{'ok' if each.well else '!!'} {each.what}" for each in found)

        push(fight.folder, there, HASTY)
        assert f"ok {word}" in checked()
        spoil(server)
        assert said in checked()
        assert f"ok {word}" not in checked()


NEVER_WRONG = "It has received nothing yet."
OF_TESTS = "target_contract.py"
"""Words of `bridge test`, of a kind's code alone: test_kit.py has a kind that does everything wrong."""


@pytest.mark.slow
def test_every_word_of_doctor_is_among_them() -> None:
    words = {word.removeprefix("ok ") for line, word, *_ in WORDS if line == "doctor"}
    words |= {word for _, word, *_ in OF_KINDS}
    for file in Path(strike_bridge.__file__).parent.rglob("*.py"):
        if file.name == OF_TESTS:
            continue
        for call in ast.walk(ast.parse(file.read_text("utf-8"))):
            is_well = isinstance(call, ast.Call) and len(call.args) == 1 and not call.keywords
            if isinstance(call, ast.Call) and is_well and ast.unparse(call.func) == "Finding":
                begins = ast.unparse(call.args[0]).strip("f'\"").partition("{")[0].rstrip(": ")
                known = [NEVER_WRONG, *(word for word in words if word in begins or word.startswith(begins))]
                assert len(known) > 1 or begins == NEVER_WRONG, begins


def test_a_target_with_a_fault_is_told_so_before_what_it_can(tmp_path: Path) -> None:
    """`diff` said that such a target can't be asked, and to sync it, which was refused for the fault."""
    faulty = Settings("hall", "rest", fault="bridge.targets.hall.result: no such key")
    with pytest.raises(CampaignProblem, match="no such key"):
        read_target_tokens(tmp_path, faulty)
