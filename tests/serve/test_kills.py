"""`strike serve` is killed while it plays: each command was recorded once or not at all, as its key tells."""

from __future__ import annotations

import random
import subprocess
import sys
import threading
from contextlib import suppress
from pathlib import Path

import httpx
import pytest
from serve.conftest import KEY

import strike_cli

PROGRAM = """
import sys
from pathlib import Path
from strike_cli.serve.serve_command import run_http_server_in_thread
ready = lambda url: print(url, flush=True)
with run_http_server_in_thread(Path(sys.argv[1]), sys.argv[2], on_ready=ready) as (game, url):
    game.play_until_stopped()
"""


def begun(folder: Path) -> tuple[subprocess.Popen[str], str]:
    """A door in a process of its own, and its address."""
    ran = subprocess.Popen(
        [sys.executable, "-c", PROGRAM, str(folder), KEY], stdout=subprocess.PIPE, text=True
    )
    assert ran.stdout is not None
    return ran, ran.stdout.readline().strip()


def client_of(url: str) -> httpx.Client:
    headers = {"Authorization": f"Bearer {KEY}"}
    return httpx.Client(base_url=url, headers=headers, timeout=60, verify=False)


@pytest.mark.slow
def test_killed_again_and_again_each_key_played_once(campaign: Path) -> None:
    drawn = random.Random(7)
    asked = {f"key-{number}": ["roll", "die", f"{1 + number % 5}d6"] for number in range(400)}
    answers: dict[str, dict[str, object]] = {}
    for _ in range(5):
        door, url = begun(campaign)
        killed = threading.Timer(drawn.uniform(0.05, 0.4), door.kill)
        killed.start()
        with client_of(url) as http, suppress(httpx.TransportError):
            for key, words in asked.items():
                if key in answers and drawn.random() < 0.8:
                    continue
                answer = http.post("/api/v1/commands", json={"words": words, "key": key}).json()
                assert answers.setdefault(key, answer) == answer
        door.wait(60)
    door, url = begun(campaign)
    with client_of(url) as http:
        for key, words in asked.items():
            answer = http.post("/api/v1/commands", json={"words": words, "key": key}).json()
            assert answers.setdefault(key, answer) == answer
    door.kill()
    door.wait()
    keys = [entry["key"] for entry in strike_cli.Campaign(campaign).entries()]
    assert sorted(keys) == sorted(asked)


@pytest.mark.slow
def test_killed_in_the_middle_of_a_list_the_same_list_plays_what_is_left(campaign: Path) -> None:
    drawn = random.Random(11)
    listed = [
        {"words": ["roll", "die", f"{1 + number % 5}d6"], "key": f"key-{number}"} for number in range(400)
    ]
    recorded = [0]
    while recorded[-1] < len(listed):
        door, url = begun(campaign)
        with client_of(url) as http:
            killed = threading.Timer(drawn.uniform(0.05, 0.3), door.kill)
            if len(recorded) < 6:
                killed.start()
            with suppress(httpx.TransportError):
                answers = http.post("/api/v1/commands", json={"commands": listed}).json()["answers"]
                assert [each["seq"] for each in answers] == [*range(1, 1 + len(listed))]
        door.kill()
        door.wait(60)
        killed.cancel()
        keys = [entry["key"] for entry in strike_cli.Campaign(campaign).entries()]
        assert keys == [each["key"] for each in listed[: len(keys)]]
        recorded.append(len(keys))
    assert len({*recorded}) > 2, "it was killed in the middle"
