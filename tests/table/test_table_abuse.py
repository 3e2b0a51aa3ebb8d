"""The table is a server that anybody in the room can reach: whatever they send, it answers and goes on.

`STRIKE_THOROUGH=1` goes on with it for SOAK_MINUTES, by default thirty.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import logging
import os
import random
import socket
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from support.cases import case
from support.soak import SEED

from strike_table.access_control import watch_token
from strike_table.app import TableHandlers
from strike_table.connection_limits import ServerLimits, network_for_limits, raise_file_limit

from .abuse import DEEDS, KEY, STRANGE_HOSTS, Line, crowd, head, keyed
from .browsing import becomes

pytestmark = pytest.mark.slow

SECONDS = 60 * float(os.environ.get("SOAK_MINUTES", 30)) if os.environ.get("STRIKE_THOROUGH") else 1.5
HASTY: dict[str, Any] = {"head": 0.6, "body": 0.6, "stall": 1.0, "linger": 0.5, "grace": 3}
AT_ONCE = 20.0
"""Seconds in which the game master is answered, whatever others do. Generous: other tests run beside."""
LONELY = {"Connection": "close"}
anywhere = pytest.mark.skipif(sys.platform != "linux", reason="needs a second address of this machine")


class Served:
    """A table in a process of its own, and what stood on its terminal when it had ended."""

    def __init__(self, directory: Path, **limits: Any) -> None:
        script = Path(__file__).with_name("served.py")
        command = [sys.executable, str(script), str(directory), KEY, str(SECONDS + 120), json.dumps(limits)]
        self.directory = directory
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        assert self.process.stdout is not None
        self.url = self.process.stdout.readline().strip()
        self.port = httpx.URL(self.url).port or 0
        self.client = httpx.Client(
            base_url=self.url, headers={"Authorization": f"Bearer {KEY}"}, timeout=AT_ONCE
        )

    def is_well(self) -> None:
        """The bridge is let in, and so is a page."""
        assert self.client.put("/api/v1/order", json={"round": 1, "entries": []}).is_success
        assert httpx.get(f"{self.url}/api/v1/state", headers=LONELY, timeout=AT_ONCE, verify=False).is_success

    def end(self) -> str:
        """End it, and see what it has complained of."""
        self.client.close()
        _, complaints = self.process.communicate(timeout=60)
        assert self.process.returncode == 0
        log = self.directory / "defects.log"
        return complaints + (log.read_text("utf-8") if log.exists() else "")


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """One for all, hasty; in the end nothing may stand on its terminal."""
    table = Served(tmp_path_factory.mktemp("table"), **HASTY)
    yield table
    assert table.end() == ""


@pytest.fixture(autouse=True)
def well_afterwards(request: pytest.FixtureRequest) -> Iterator[None]:
    yield
    if "served" in request.fixturenames:
        request.getfixturevalue("served").is_well()


# Half-sent
def test_half_a_head_is_answered_and_ends(served: Served) -> None:
    halves = ("G", "GET / HTTP/1.1\r\n", head()[:-2])
    with contextlib.ExitStack() as stack:
        began = time.monotonic()
        lines = [stack.enter_context(Line(served.port)).say(half) for half in halves]
        assert [line.status() for line in lines] == [408] * 3
        assert time.monotonic() - began > HASTY["head"] * 0.8, "but not before its time"
        assert all(line.ends(AT_ONCE) for line in lines)


def test_a_head_that_comes_byte_by_byte_has_no_more_time(served: Served) -> None:
    with Line(served.port) as line:
        deadline = time.monotonic() + AT_ONCE
        line.socket.settimeout(0.1)
        while time.monotonic() < deadline:
            line.say("a")
            try:
                if line.socket.recv(100):
                    break
            except TimeoutError:
                continue
            except ConnectionError:
                break
        assert time.monotonic() < deadline
        assert line.ends(AT_ONCE)


def test_a_line_that_says_nothing_ends(served: Served) -> None:
    with Line(served.port) as line:
        assert line.ends(AT_ONCE)


def test_the_next_request_of_a_line_has_its_time_too(served: Served) -> None:
    with Line(served.port) as line:
        assert line.say(head(path="/api/v1")).status() == 200
        began = time.monotonic()
        assert line.say("G").ends(AT_ONCE)
        assert time.monotonic() - began > HASTY["head"] * 0.8


def test_half_a_body_is_answered_and_ends(served: Served) -> None:
    with Line(served.port) as line:
        line.say(keyed("PUT", "/api/v1/order", Content_Length="1000"), '{"round"')
        assert line.status() == 408
        assert line.ends(AT_ONCE)


# Endless and far too large
@pytest.mark.parametrize("how", [{"Content_Length": "9" * 18}, {"Transfer_Encoding": "chunked"}])
@pytest.mark.parametrize("key", [True, False])
def test_a_body_that_never_ends_is_answered_and_ends(served: Served, how: dict[str, str], key: bool) -> None:
    with Line(served.port) as line:
        line.say((keyed if key else head)("PUT", "/api/v1/order", **how))
        piece = b"4000\r\n" + b" " * 0x4000 + b"\r\n"
        stop = threading.Event()

        def pump() -> None:
            while not stop.is_set():
                try:
                    line.socket.sendall(piece)
                except OSError:
                    return

        pumping = threading.Thread(target=pump)
        pumping.start()
        try:
            assert line.status() == (413 if key else 401)
            pumping.join(AT_ONCE)
            assert not pumping.is_alive(), "nobody takes it any more"
        finally:
            stop.set()
            line.close()
            pumping.join()


def status_of(served: Served, words: str) -> int:
    with Line(served.port) as line:
        return line.say(words).status()


def test_a_page_that_has_seen_an_absurd_number_gets_everything(served: Served) -> None:
    many = "9" * 5000
    assert status_of(served, head("GET", "/events", Last_Event_ID=many)) == 200
    assert status_of(served, head("GET", f"/events?after={many}")) == 200


def test_a_number_of_thousands_of_digits_is_a_bad_request(served: Served) -> None:
    entry = '{"round":1,"entries":[{"id":"v","initiative":1' + "0" * 380 + "}]}"
    for words in (
        keyed("GET", "/api/v1/results?after=" + "9" * 5000),
        keyed("PUT", "/api/v1/order", Content_Length="9" * 5000),
        keyed("PUT", "/api/v1/order", Content_Length="5001") + "1" + "0" * 5000,
        keyed("PUT", "/api/v1/order", Content_Length="429") + entry,
        keyed("PUT", "/api/v1/order", Transfer_Encoding="chunked") + "f" * 5000 + "\r\n",
    ):
        with case(words[:80]):
            assert status_of(served, words) == 400


def test_a_head_that_is_far_too_long_is_a_bad_request(served: Served) -> None:
    assert status_of(served, "GET /" + "a" * 1_000_000) == 400


def test_a_strange_host_is_another_host(served: Served) -> None:
    for path, host in itertools.product(("/", "/api/v1/state/"), STRANGE_HOSTS):
        with case(path, host):
            assert status_of(served, head(path=path, host=host)) in (400, 421)


def test_a_picture_that_nobody_takes_ends(served: Served) -> None:
    """Answers that pile up unread hold no more than a little memory, and not for long."""
    with Line(served.port) as line:
        line.socket.settimeout(0.3)
        line.say(head(path="/static/table.js") * 2000)
        deadline = time.monotonic() + AT_ONCE
        while time.monotonic() < deadline:
            try:
                line.socket.sendall(b"x")
            except TimeoutError:
                pass
            except OSError:
                break
            time.sleep(0.1)
        assert time.monotonic() < deadline, "it was cut"


# Many


def worst_wait(served: Served, seconds: float) -> float:
    """How long the bridge and a page had to wait for an answer, at worst."""
    worst, ends = 0.0, time.monotonic() + seconds
    while time.monotonic() < ends:
        began = time.monotonic()
        served.is_well()
        worst = max(worst, time.monotonic() - began)
        time.sleep(0.05)
    return worst


@pytest.mark.skipif(sys.platform == "win32", reason="files are counted otherwise there")
def test_two_thousand_lines_lock_nobody_out(served: Served) -> None:
    """From this machine itself, where the bridge and the game master's own page come from."""
    with crowd(served.port, 1000, "") as silent, crowd(served.port, 1000, "GET / HTTP/1.1\r\n") as half:
        assert worst_wait(served, 1.0) < AT_ONCE
        becomes(lambda: sum(map(is_closed, silent + half)), 2000)


@anywhere
def test_open_pages_of_one_address_are_limited_and_lock_nobody_out(tmp_path: Path) -> None:
    # A busy machine is slow to send so many heads: of lines without one most would close, told of nothing.
    served = Served(tmp_path, **HASTY | {"head": AT_ONCE, "waiting": 2000})
    link = f"/events?watch={watch_token(KEY)}"
    with crowd(served.port, 2000, head(path=link), "127.0.0.2") as lines:
        assert worst_wait(served, 1.0) < AT_ONCE
        # The others are told so, as long as they have the patience to listen.
        limit = ServerLimits().served
        becomes(lambda: told_to(lines), lambda said: said["200"] == limit and said["429"] > 500)
        with Line(served.port, "127.0.0.2") as line:
            assert line.say(head(path=link)).status() == 429
        with Line(served.port, "127.0.0.2") as line:
            mine = f"/events?watch={watch_token(KEY)}"
            assert line.say(keyed("GET", mine)).status() == 200, "the game master is not counted"
    assert served.end() == ""


@anywhere
def test_a_whole_table_behind_one_address_is_let_in(served: Served) -> None:
    """Thirty phones and thirty screens behind a router or a proxy, each with six requests under way."""
    link = f"/events?watch={watch_token(KEY)}"
    with crowd(served.port, 360, head(path=link), "127.0.0.2") as lines:
        for line in lines:
            line.setblocking(True)
            line.settimeout(AT_ONCE)
        assert {line.recv(12)[-3:].decode() for line in lines} == {"200"}


def told_to(lines: list[socket.socket]) -> Counter[str]:
    """How many of them have which status before them."""
    said = Counter[str]()
    for line in lines:
        with contextlib.suppress(OSError):
            said[line.recv(12, socket.MSG_PEEK)[-3:].decode()] += 1
    return said


def is_closed(line: Any) -> bool:
    try:
        while line.recv(4096):
            pass
    except BlockingIOError:
        return False
    except OSError:
        return True
    return True


def test_where_there_are_too_few_files_the_rest_are_sent_away(tmp_path: Path) -> None:
    table = Served(tmp_path, **HASTY, lines=30)
    with crowd(table.port, 200, "") as lines:
        becomes(lambda: sum(map(is_closed, lines)), lambda closed: closed >= 170)
        becomes(lambda: sum(map(is_closed, lines)), 200)  # those within have said nothing for too long
        table.is_well()
    assert table.end() == ""


def test_the_system_is_asked_for_more_files() -> None:
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (256, hard))
        assert raise_file_limit(1000) == 1000
        assert resource.getrlimit(resource.RLIMIT_NOFILE)[0] == 1000
        assert raise_file_limit(10**9) > 1000
        assert raise_file_limit(100) > 1000, "never fewer than there are"
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def test_an_ipv6_network_is_one_address() -> None:
    one, same, other = map(network_for_limits, ("2001:db8::1", "2001:db8::ffff:1", "2001:db8:1::1"))
    assert one == same != other
    assert network_for_limits("192.0.2.1") != network_for_limits("192.0.2.2")


# All of it
def test_seconds_of_abuse_leave_it_well_and_its_terminal_empty(tmp_path: Path) -> None:
    """Four strangers do what they can think of; the bridge tells on, a page sees all of it."""
    table = Served(tmp_path, **HASTY)
    ends = time.monotonic() + SECONDS
    done, wrong = Counter[str](), list[str]()

    def harass(seed: int) -> None:
        rng = random.Random(seed)
        while time.monotonic() < ends:
            deed = rng.choice(DEEDS)
            mark = rng.getstate()
            try:
                deed(table.port, rng)
                done[deed.__name__] += 1
            except ConnectionRefusedError as error:
                wrong.append(f"{deed.__name__}: {error}")
                return
            except ConnectionError:
                done[f"{deed.__name__}, cut"] += 1
            except (AssertionError, TimeoutError) as error:
                rng.setstate(mark)
                wrong.append(f"{deed.__name__}: {error!r} (seed {seed})")

    strangers = [threading.Thread(target=harass, args=[SEED * 1000 + each]) for each in range(4)]
    for stranger in strangers:
        stranger.start()
    worst = 0.0
    for number in itertools.count(1):
        if time.monotonic() > ends:
            break
        began = time.monotonic()
        result = {"id": str(number), "seq": number, "title": f"Result {number}"}
        assert table.client.post("/api/v1/results", json=result).is_success
        worst = max(worst, time.monotonic() - began)
        time.sleep(0.05)
    for stranger in strangers:
        stranger.join()
    table.is_well()
    newest = table.client.get("/api/v1/state").json()["results"]
    print(f"{done.total()} deeds, {number - 1} results told, at worst {worst:.2f} s each; {dict(done)}")
    assert wrong == []
    assert worst < AT_ONCE
    assert str(number - 1) in {result["id"] for result in newest}
    assert table.end() == ""


def test_a_defect_of_ours_is_a_line_and_the_rest_in_a_file(
    start: Any, data_dir: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    async def failing(table: TableHandlers, request: Any) -> None:
        raise ZeroDivisionError("\x1b[31mwords of a stranger")

    monkeypatch.setattr(TableHandlers, "get_supported_features", failing)
    table = start()
    for _ in range(3):
        assert table.client.get("/api/v1").status_code == 500
    logging.getLogger("asyncio").error("Accepting failed\nwith much more")
    said = capfd.readouterr().err
    assert said.count("\n") == 2
    assert "ZeroDivisionError" in said and "Traceback" not in said and "\x1b" not in said
    assert "Traceback" in (data_dir / "defects.log").read_text("utf-8")
    assert table.client.get("/api/v1/tokens").is_success


def test_what_the_end_of_the_table_cuts_short_is_no_defect(
    start: Any, data_dir: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    begun = threading.Event()

    async def waiting(table: TableHandlers, request: Any) -> None:
        begun.set()
        await asyncio.sleep(600)

    monkeypatch.setattr(TableHandlers, "get_supported_features", waiting)
    monkeypatch.setattr("strike_table.serve._PATIENCE", 0)
    table = start()
    with socket.create_connection(("127.0.0.1", table.port)) as line:
        line.sendall(f"GET /api/v1 HTTP/1.1\r\nHost: 127.0.0.1:{table.port}\r\n\r\n".encode())
        assert begun.wait(10)
        table.stop()
    assert capfd.readouterr().err == ""
    assert not (data_dir / "defects.log").exists()


def test_it_ends_in_order_in_the_middle_of_requests(tmp_path: Path) -> None:
    table = Served(tmp_path)
    with Line(table.port) as half, Line(table.port) as body, Line(table.port) as page:
        half.say("GET / HT")
        body.say(keyed("PUT", "/api/v1/order", Content_Length="1000"), '{"round"')
        assert page.say(head(path="/events")).status() == 200
        assert table.end() == "", "nobody waits for half a request"
