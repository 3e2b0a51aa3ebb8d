"""No key anywhere but where keys are kept and on its way: no file, log, error, traceback, process list."""

from __future__ import annotations

import json
import logging
import subprocess
import traceback
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from support.agreed import put_in_keys
from support.evening import Evening

from strike_bridge import targets
from strike_bridge.doctor import check_target
from strike_bridge.dry_run import dry_run
from strike_bridge.http_conversation import Request, Wire
from strike_bridge.journal_results import Post
from strike_bridge.push_follow_and_sync import push
from strike_bridge.settings import Settings
from strike_bridge.state_projection import Payload
from strike_bridge.target_differences import diff_target
from strike_bridge.targets.base import Conversation, ListedToken, Outcome
from strike_bridge.worker import Patience
from strike_bridge.worker_launcher import start_workers_and_list_not_agreed
from strike_cli.problems import Problem

from .servers.base import answers, running
from .servers.inn import PASSWORD, Inn, InnTarget

HASTY = Patience(0.1, 0.05, at_once=True)


class Blabbing(InnTarget):
    """A plugin full of mistakes, each of which quotes the password."""

    def put_token(self, token: Payload, before: Payload | None) -> Conversation:
        yield Request("GET", "/tokens")
        raise KeyError(f"no token for {self.key} in {self.session}")

    def send_result(self, post: Post) -> list[Request]:
        raise ValueError(self.key)

    def find_tokens(self, wire: Wire) -> list[ListedToken] | Outcome:
        raise LookupError(self.key)

    def read_tokens(self, wire: Wire) -> dict[str, Payload] | Outcome:
        raise RecursionError(self.key)


@pytest.fixture
def inn(monkeypatch: pytest.MonkeyPatch, evening: Evening) -> Iterator[Inn]:
    monkeypatch.delenv("STRIKE_INN_PASSWORD")
    put_in_keys(evening.folder, f'[targets.inn]\nkey = "{PASSWORD}"\n')
    monkeypatch.setitem(targets.KINDS, "blabbing", f"{__name__}:Blabbing")
    with running(Inn()) as server:
        yield server


def untold(folder: Path, *told: Any) -> None:
    """Neither the password nor a session is in what was told, nor in a file of the campaign."""
    for secret in (PASSWORD, "inn=1"):
        for each in told:
            assert secret not in str(each)
        for path in folder.rglob("*"):
            if path.is_file():
                assert secret.encode() not in path.read_bytes(), path


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["inn", "blabbing"])
def test_nothing_tells_a_key(evening: Evening, inn: Inn, kind: str, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    settings = Settings("inn", kind, inn.url, create=True)
    evening.start()
    told: list[Any] = []
    try:
        told.append(json.dumps(dry_run(evening.folder, settings)))
    except Problem as problem:
        told.append(problem)
    inn.faults = [answers(500, {}, {"error": PASSWORD}), answers(422, {}, {"error": f"no {PASSWORD}"})]
    told.append(push(evening.folder, settings, HASTY))
    inn.always = answers(403, {}, {"error": f"not with {PASSWORD} and inn=1"})
    evening.roll(1)
    told.append(push(evening.folder, settings, HASTY))
    told += check_target(evening.folder, settings)
    try:
        diff_target(evening.folder, settings)
    except Problem as problem:
        told += ["".join(traceback.format_exception(problem)).partition("During handling")[0], problem.hint]
    untold(evening.folder, *told, caplog.text)
    assert inn.sessions or kind == "blabbing"


def test_a_mistake_in_a_target_is_an_error_in_words_and_loses_nothing(fight: Evening, inn: Inn) -> None:
    settings = Settings("inn", "blabbing", inn.url, create=True)
    report = push(fight.folder, settings, HASTY)
    assert "blabbing failed (LookupError: ***)" in report.error
    assert report.lag == 2


def test_the_process_list_names_a_folder_and_a_target_and_no_key(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[Any] = []

    class Popen:
        def __init__(self, words: list[str], **more: Any) -> None:
            started.append((words, more))

    monkeypatch.setattr(subprocess, "Popen", Popen)
    start_workers_and_list_not_agreed(evening.folder, {"inn": {}})
    ((words, more),) = started
    assert words[-3:] == ["--auto", str(evening.folder), "inn"]
    assert "env" not in more
