"""What stands between the bridge and a target: TLS where none is meant, certificates, proxies, redirects.
Each is told in words that say what to change."""

from __future__ import annotations

import shutil
import socket
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import truststore
from support.evening import Evening

from strike_bridge.delivery_operations import push
from strike_bridge.doctor import check_target
from strike_bridge.http_transport import ssl_context
from strike_bridge.request_outcome import SPEAKS_HTTPS, OutcomeKind, outcome_of_answer
from strike_bridge.settings import Settings

from .helpers import HASTY, told
from .rest_helpers import write_target
from .servers.base import Call, Reply, Server, running

OWN = Path(__file__).parent / "servers" / "own_certificate.pem"
TABLE = '[on.order]\nrequest = "PUT /turn"\nbody = { who = "{{ order.active }}" }\n'
READ = '[read]\nrequest = "GET /things"\nid = "id"\n'
HURRIED = HASTY._replace(total=0.05)


class Hall(Server):
    """Takes everything."""

    def respond(self, call: Call) -> Reply:
        return Reply(200, [])


@contextmanager
def over_tls(server: Server) -> Iterator[Server]:
    """The same, behind a certificate of its own making."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(OWN)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    server.url = server.url.replace("http:", "https:")
    server.handle_error = lambda *_: None  # type: ignore[method-assign]
    with running(server) as found:
        yield found


@pytest.mark.slow
def test_a_certificate_of_ones_own(fight: Evening) -> None:
    with over_tls(Hall()) as server:
        settings = write_target(fight.folder, TABLE, server.url)
        report = push(fight.folder, settings, HURRIED)
        assert "its certificate can't be trusted: self" in report.error
        found = check_target(fight.folder, settings_with(fight, server))
        assert any('`ca = "FILE.pem"`' in each.remedy for each in found)
        shutil.copy(OWN, fight.folder / "hall.pem")
        told(fight.folder, write_target(fight.folder, TABLE, server.url, 'ca = "hall.pem"\n'))
        assert server.seen


def test_certificates_of_the_system_count(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("SSL_CERT_FILE", "SSL_CERT_DIR"):
        monkeypatch.delenv(name, raising=False)
    assert isinstance(ssl_context(), truststore.SSLContext), "it asks the system"


def settings_with(evening: Evening, server: Server) -> Settings:
    return write_target(evening.folder, TABLE + READ, server.url)


def test_http_where_https_is_spoken_and_the_other_way_round(fight: Evening) -> None:
    with over_tls(Hall()) as server:
        server.url = server.url.replace("https:", "http:")
        found = check_target(fight.folder, settings_with(fight, server))
        assert any(SPEAKS_HTTPS in each.what for each in found)
    with running(Hall()) as server:
        server.url = server.url.replace("http:", "https:")
        report = push(fight.folder, settings_with(fight, server), HURRIED)
        assert "this address speaks http, without TLS: write `http://` in `url`" in report.error
        assert not server.calls


@pytest.mark.parametrize(
    "said",
    [
        b"<h1>The plain HTTP request was sent to HTTPS port</h1>",
        b"Client sent an HTTP request to an HTTPS server.\n",
        b"Reason: You're speaking plain HTTP to an SSL-enabled server port.",
    ],
)
def test_servers_that_say_so_are_understood(said: bytes) -> None:
    assert outcome_of_answer(400, {}, said, 0.0).why == SPEAKS_HTTPS


@pytest.mark.parametrize(
    ("location", "shown"),
    [
        ("https://vtt.example/api/v2/tokens?key=s3cret", "leads to https://vtt.example/api/v2/tokens,"),
        ("/api/tokens/#x", "leads to /api/tokens/,"),
        ("https://user:s3cret@vtt.example/", "redirects are not followed"),
        ("/a\x1b[31m", "redirects are not followed"),
        ("", "redirects are not followed"),
    ],
)
def test_a_redirect_says_where_it_leads(location: str, shown: str) -> None:
    outcome = outcome_of_answer(301, {"location": location}, b"", 0.0)
    assert outcome.kind is OutcomeKind.REJECTED
    assert shown in outcome.why
    assert "s3cret" not in outcome.why
    assert outcome.why.isprintable()


@contextmanager
def a_proxy(says: bytes) -> Iterator[str]:
    """A proxy that answers whatever it is asked with this."""
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def serve() -> None:
            try:
                while True:
                    with listening.accept()[0] as asked:
                        asked.settimeout(2)
                        asked.recv(65536)
                        asked.sendall(says)
            except OSError:
                return

        threading.Thread(target=serve, daemon=True).start()
        yield f"127.0.0.1:{listening.getsockname()[1]}"
        listening.shutdown(socket.SHUT_RDWR)


@pytest.mark.parametrize(
    ("url", "says", "words"),
    [
        ("https://inn.example", b"HTTP/1.1 407 No\r\nContent-Length: 0\r\n\r\n", "needs a password"),
        ("https://inn.example", b"HTTP/1.1 502 No\r\nContent-Length: 0\r\n\r\n", "reached"),
        ("http://inn.example", b"HTTP/1.1 407 No\r\nContent-Length: 0\r\n\r\n", "needs a password"),
    ],
)
def test_a_proxy_is_named(
    evening: Evening, monkeypatch: pytest.MonkeyPatch, url: str, says: bytes, words: str
) -> None:
    for name in ("http_proxy", "https_proxy", "all_proxy", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)
    evening.start()
    with a_proxy(says) as address:
        monkeypatch.setenv(f"{url.partition(':')[0]}_proxy", f"http://gm:s3cret@{address}")
        settings = write_target(evening.folder, TABLE, url, "insecure = true\n")
        report = push(evening.folder, settings, HURRIED)
        assert words in report.error
        assert f"the proxy {address}" in report.error
        assert "s3cret" not in report.error
