"""A tabletop that is hostile or broken: what it answers has a size and an end, and nothing is lost."""

from __future__ import annotations

import contextlib
import gzip
import json
import os
import random
import re
import socket
import subprocess
import sys
import time
import tracemalloc
import zlib
from collections.abc import Callable

import pytest
from support.agreed import agree_to
from support.evening import Evening
from support.thorough import few_of

from strike_bridge import http_conversation, http_transport, wait_reasons_report
from strike_bridge.http_conversation import Answer, PreparedRequest, Request, Wire
from strike_bridge.request_outcome import Outcome, OutcomeKind

from .helpers import Typed, cursor_of, point_at
from .servers.base import answers
from .servers.inn import PASSWORD
from .servers.raw import Raw, Speak, says
from .servers.table import KEY, BadTable
from .servers.webhook import Receiver

OK = b"HTTP/1.1 200 OK\r\n"


def body(encoding: str, content: bytes) -> bytes:
    return OK + f"Content-Encoding: {encoding}\r\nContent-Length: {len(content)}\r\n\r\n".encode() + content


def bomb(encoding: str) -> bytes:
    """Kilobytes that unpack to many megabytes."""
    packer = zlib.compressobj(9, wbits=31 if "gzip" in encoding else 15)
    blank = bytes(1_000_000)
    packed = b"".join(packer.compress(blank) for _ in range(40)) + packer.flush()
    if "," in encoding:
        packed = gzip.compress(packed, 9)
    return packed


def drips_headers(line: socket.socket) -> None:
    line.sendall(OK)
    while True:
        line.sendall(b"X-And-More: yes\r\n")
        time.sleep(0.02)


def early_hints(line: socket.socket) -> None:
    while True:
        line.sendall(b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n")
        time.sleep(0.01)


def flood_of_hints(line: socket.socket) -> None:
    while True:
        line.sendall(b"HTTP/1.1 103 Early Hints\r\n\r\n" * 1000)


def drips_first_line(line: socket.socket) -> None:
    for byte in OK * 1000:
        line.sendall(bytes([byte]))
        time.sleep(0.05)


def endless_header(line: socket.socket) -> None:
    line.sendall(OK + b"X-Long: ")
    while True:
        line.sendall(b"a" * 65536)


def endless_body(line: socket.socket) -> None:
    line.sendall(OK + b"Transfer-Encoding: chunked\r\n\r\n")
    while True:
        line.sendall(b"10000\r\n" + b"a" * 65536 + b"\r\n")


def sent_to(url: str, method: str = "GET") -> Answer | Outcome:
    content = b"{}" if method == "POST" else None
    with contextlib.closing(
        Wire(url, lambda request, now: PreparedRequest(request.path, {}, content))
    ) as wire:
        return wire.send(Request(method, "/tokens"))


@pytest.mark.parametrize(
    "speak", few_of([drips_headers, early_hints, flood_of_hints, drips_first_line, endless_header])
)
def test_an_exchange_ends_whatever_comes_in_place_of_an_answer(
    raw: Callable[[Speak], Raw], speak: Speak, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(http_conversation, "EXCHANGE_TIMEOUT", 0.15)
    began = time.monotonic()
    came = sent_to(raw(speak).url, "POST")
    assert time.monotonic() - began < 20
    assert isinstance(came, Outcome)
    assert came.kind is OutcomeKind.UNKNOWN, "it may have been done all the same"


@pytest.mark.parametrize("also", [b"", b"together", b"later"])
def test_what_a_server_says_unasked_is_no_answer_to_what_is_asked_next(
    raw: Callable[[Speak], Raw], also: bytes
) -> None:
    def speak(line: socket.socket) -> None:
        whole = OK + b"Content-Length: 1\r\n\r\n%d"
        line.sendall(whole % server.heard + (OK + b"Content-Length: 1\r\n\r\n9") * (also == b"together"))
        if also == b"later":
            line.sendall(OK + b"Content-Length: 1\r\n\r\n9")
        if line.recv(65536):
            server.heard += 1
            line.sendall(whole % server.heard)
            line.recv(1)

    server = raw(speak)
    answers = []
    with contextlib.closing(Wire(server.url, lambda request, now: PreparedRequest(request.path, {}))) as wire:
        for _ in range(2):
            answers.append(wire.send(Request("GET", "/tokens")))
            time.sleep(0.05)
    assert [answer.body for answer in answers if isinstance(answer, Answer)] == [b"1", b"2"]


def test_an_answer_that_comes_before_all_was_said_is_heard(raw: Callable[[Speak], Raw]) -> None:
    def speak(line: socket.socket) -> None:
        line.sendall(b"HTTP/1.1 413 Too Large\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
        line.shutdown(socket.SHUT_WR)
        while line.recv(65536):
            pass

    wire = Wire(raw(speak).url, lambda request, now: PreparedRequest("/tokens", {}, b"a" * 3_000_000))
    with contextlib.closing(wire):
        came = wire.send(Request("POST", "/tokens"))
    assert isinstance(came, Answer)
    assert came.status == 413


SECONDS = float(os.environ.get("SOAK_SECONDS", "inf"))
FIGURES = os.environ.get("SOAK_FIGURES")
PARTS = [
    *(b"HTTP/1.1 %d OK\r\n" % code for code in (100, 103, 200, 201, 204, 301, 400, 404, 429, 500, 503, 999)),
    *(b"HTTP/1.1 200\r\n", b"HTTP/9.9 200 OK\r\n", b"ICY 200 OK\r\n", b"\x16\x03\x01\x00\r\n", b"\r\n"),
    *(b"Content-Length: %s\r\n" % size for size in (b"0", b"5", b"-1", b"9" * 30, b"x", b"5, 6")),
    *(
        b"Transfer-Encoding: chunked\r\n",
        b"Transfer-Encoding: gzip, chunked\r\n",
        b"Content-Encoding: gzip\r\n",
    ),
    *(b"Retry-After: %s\r\n" % when for when in (b"-1", b"1e999", b"9" * 40, b"Thu, 99 Foo 9999", b"\xff")),
    *(b"Location: http://127.0.0.1:1/\r\n", b"Set-Cookie: a=b\r\n", b": \r\n", b"A" * 9000 + b": b\r\n"),
    *(b"\r\n", b"\r\n\r\n", b"{}", b"[" * 3000, b'{"id": 1e999}', b"\xff\xfe", b"5\r\nhello\r\n0\r\n\r\n"),
    *(b"ffffffffffffffff\r\n", gzip.compress(b"0" * 10**6), gzip.compress(gzip.compress(b"0" * 10**6))),
]


def test_any_bytes_in_place_of_an_answer_come_to_an_end(
    raw: Callable[[Speak], Raw], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(http_conversation, "EXCHANGE_TIMEOUT", 0.4)
    deadline, tried = time.monotonic() + SECONDS, 0
    chance = random.Random(int(os.environ.get("SOAK_SEED", 1)))
    for _ in range(500 if os.environ.get("STRIKE_THOROUGH") else 15):
        if time.monotonic() > deadline:
            break
        said = chance.choice(PARTS[:12]) + b"".join(chance.choices(PARTS, k=chance.randrange(1, 8)))
        cut = said[: chance.randrange(len(said))] if chance.random() < 0.3 else said
        began = time.monotonic()
        came = sent_to(raw(says(cut)).url, chance.choice(["GET", "POST"]))
        assert isinstance(came, Answer | Outcome), cut
        assert time.monotonic() - began < 20, cut
        tried += 1
    if FIGURES:
        with open(FIGURES, "a", encoding="utf-8") as file:
            file.write(f"answers {tried}\n")


@pytest.mark.parametrize("encoding", few_of(["gzip", "gzip, gzip", "deflate", "gzip,deflate"], 4))
def test_a_body_is_measured_unpacked(raw: Callable[[Speak], Raw], encoding: str) -> None:
    packed = bomb(encoding)
    assert len(packed) < 50_000
    server = raw(says(body(encoding, packed)))
    tracemalloc.start()
    came = sent_to(server.url)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert isinstance(came, Answer)
    assert came.status == 200
    assert len(came.body) <= http_transport.MOST_READ
    assert peak < 4 * http_transport.MOST_READ
    assert came.json() is None, "nobody takes it for an answer"


@pytest.mark.parametrize("wbits", [31, 15, -15])
def test_a_body_that_is_packed_is_read(raw: Callable[[Speak], Raw], wbits: int) -> None:
    packer = zlib.compressobj(wbits=wbits)
    packed = packer.compress(b'{"id": "' + b"v" * 300_000 + b'"}') + packer.flush()
    came = sent_to(raw(says(body("gzip" if wbits == 31 else "deflate", packed))).url)
    assert isinstance(came, Answer)
    assert came.value("id") == "v" * 300_000


def test_a_body_has_an_end(raw: Callable[[Speak], Raw]) -> None:
    came = sent_to(raw(endless_body).url)
    assert isinstance(came, Answer)
    assert len(came.body) <= http_transport.MOST_READ


@pytest.mark.slow
def test_a_process_that_is_sent_gigabytes_stays_small(evening: Evening, raw: Callable[[Speak], Raw]) -> None:
    """From outside, with the system's own limit on what it may have."""
    resource = pytest.importorskip("resource")
    evening.start()
    point_at(evening, raw(says(body("gzip", bomb("gzip") * 40))).url)
    agree_to(evening.folder)
    doctor = subprocess.run(
        [sys.executable, "-m", "strike_cli", "-C", str(evening.folder), "bridge", "doctor"],
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (700_000_000, 700_000_000)),
        env={**os.environ, "STRIKE_TABLE_KEY": KEY},
        capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip
    assert doctor.returncode == 5
    assert "It answers, but wrongly: its answer to GET /api/v1" in doctor.stdout, doctor.stdout
    assert "Traceback" not in doctor.stderr


# What fails before a byte is sent


@pytest.mark.parametrize(
    ("variable", "address", "words"),
    few_of(
        [
            ("ALL_PROXY", "socks5://127.0.0.1:1", "SOCKS needs"),  # the package isn't among those for tests
            ("ALL_PROXY", "gopher://127.0.0.1:1", "can't speak gopher"),
            ("HTTPS_PROXY", "http://user:s3cret", "it is not an address"),
            ("https_proxy", "http://", "it is not an address"),
            ("https_proxy", "http://127.0.0.1:1", "reached"),
            ("SSL_CERT_FILE", "/nowhere.pem", "SSL_CERT_FILE"),
        ]
    ),
)
def test_a_proxy_that_cannot_be_used_holds_the_queue(
    evening: Evening, capsys: pytest.CaptureFixture[str], no_proxies: pytest.MonkeyPatch, variable: str,
    address: str, words: str,
) -> None:  # fmt: skip
    no_proxies.setenv(variable, address)
    point_at(evening, "https://inn.example")
    no_proxies.setenv("STRIKE_TABLE_KEY_TABLE", PASSWORD)
    for face in range(1, 4):
        evening.roll(face)
    bridge = Typed(evening.folder, capsys)
    said = bridge("push", 5)
    assert words in said and "3 entries wait." in said
    assert len(said.splitlines()) <= 2
    assert "s3cret" not in said
    assert bridge("review") == "There is nothing to review.\n"
    assert words in bridge("doctor", 5)


# What is for review, all at once


def test_all_that_is_for_review_is_settled_at_once(
    bridge: Typed, evening: Evening, bad_table: BadTable
) -> None:
    def refuse(*faces: int) -> None:
        bad_table.faults = [answers(422)] * len(faces)
        for face in faces:
            evening.roll(face)
        bridge("push")

    evening.start()
    bridge("push")
    refuse(1, 2, 3)
    assert "Nothing says which item" in bridge("resend table", 2)
    assert "Both an ID and --all are given" in bridge("resend table 3 --all", 2)
    before = len(bad_table.results)
    bad_table.faults = [lambda handler: handler.apply(), answers(422)]
    assert "1 other before it arrived" in bridge("resend table --all", 5)
    assert len(bridge.json("review")["data"]["review"]) == 2
    assert bridge("resend table --all") == "table accepted 4, 5.\n"
    assert [result["id"] for result in bad_table.results[before:]] == ["3", "4", "5"]
    assert "nothing was up for review" in bridge("resend table --all")
    refuse(4, 5)
    assert bridge.json("drop table --all")["data"] == {"target": "table", "ids": ["6", "7"]}
    assert bridge("review") == "There is nothing to review.\n"


# What it says meanwhile


@pytest.mark.slow
def test_who_waits_is_told_for_what_after_two_seconds(
    bridge: Typed, evening: Evening, bad_table: BadTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(wait_reasons_report, "AFTER", 0.1)
    evening.roll(3)
    bad_table.delay = 0.25
    bad_table.faults = [answers(503, {"Retry-After": "0.3"})]
    said = bridge("push")
    assert re.search(r"^table: waiting for its answer to \w+ /api/v1/\S+ \.\.\.$", said, re.MULTILINE)
    assert re.search(r"^table: it answered 503; the next attempt is in \d+ s \.\.\.$", said, re.MULTILINE)
    bad_table.delay = 0
    monkeypatch.setattr(wait_reasons_report, "AFTER", 60)
    evening.roll(4)
    assert "waiting" not in bridge("push")


def test_a_long_wait_that_is_asked_for_is_told_with_its_day(
    bridge: Typed, evening: Evening, bad_table: BadTable
) -> None:
    evening.roll(3)
    bad_table.always = answers(429, {"Retry-After": "99999999999"})
    bridge("push", 5)
    cursor = cursor_of(evening, "table")
    assert cursor.next_attempt is not None
    assert 3500 < cursor.next_attempt - time.time() <= 3600
    cursor.next_attempt += 86_400
    cursor.save(evening.folder)
    assert re.search(r"Next attempt on \d{4}-\d\d-\d\d at \d\d:\d\d:\d\d", bridge("push", 5))


# What doctor says of it


@pytest.mark.slow
def test_doctor_says_of_a_webhook_what_is_known(
    evening: Evening, receiver: Receiver, capsys: pytest.CaptureFixture[str]
) -> None:
    server, bridge = receiver, Typed(evening.folder, capsys)
    evening.set_targets(f'[bridge.targets.hook]\nkind = "webhook"\nurl = "{server.url}"\n')
    evening.roll(3)
    said = bridge("doctor")
    assert "Settings OK" in said and "Not contacted" in said and "1 entry waits" in said
    assert not server.calls
    server.always = answers(401)
    bridge("push", 5)
    said = bridge("doctor", 5)
    assert re.search("The last delivery failed: .* 401", said)
    server.always = answers(503, {"Retry-After": "600"})
    bridge("push", 5)
    said = bridge("doctor", 5)
    assert re.search(r"failed: it answered 503\. Next attempt at \d\d:\d\d:\d\d on 20\d\d-", said)
    server.shutdown()
    server.server_close()
    cursor = cursor_of(evening, "hook")
    cursor.asked_to_wait = False
    cursor.save(evening.folder)
    bridge("push", 5)
    assert "The last delivery failed: " in bridge("doctor", 5)
    rows = bridge.json("doctor", 5)["data"]["findings"]
    assert [row["ok"] for row in rows] == [True, True, False, True], json.dumps(rows)
