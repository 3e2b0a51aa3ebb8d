"""What stands between the bridge and a target: TLS where none is meant, certificates, proxies, redirects.
Each is told in words that say what to change."""

from __future__ import annotations

import shutil
import ssl
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import truststore
from support.cases import case
from support.evening import Evening

from strike_bridge.doctor import check_target
from strike_bridge.http_transport import ssl_context
from strike_bridge.push_follow_and_sync import push
from strike_bridge.request_outcome import SPEAKS_HTTPS, OutcomeKind, outcome_of_answer
from strike_bridge.settings import Settings

from .helpers import HASTY, told
from .rest_helpers import write_target
from .servers.base import Call, Reply, Server, running
from .servers.raw import Raw, Speak, says

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
        settings = write_target(fight, TABLE, server.url)
        report = push(fight.folder, settings, HURRIED)
        assert "its certificate can't be trusted: self" in report.error
        found = check_target(fight.folder, settings_with(fight, server))
        assert any('`ca = "FILE.pem"`' in each.remedy for each in found)
        shutil.copy(OWN, fight.folder / "hall.pem")
        told(fight, write_target(fight, TABLE, server.url, 'ca = "hall.pem"\n'))
        assert server.seen


def test_certificates_of_the_system_count(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("SSL_CERT_FILE", "SSL_CERT_DIR"):
        monkeypatch.delenv(name, raising=False)
    assert isinstance(ssl_context(), truststore.SSLContext), "it asks the system"


def settings_with(evening: Evening, server: Server) -> Settings:
    return write_target(evening, TABLE + READ, server.url)


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


def test_servers_that_say_so_are_understood() -> None:
    for said in [
        b"<h1>The plain HTTP request was sent to HTTPS port</h1>",
        b"Client sent an HTTP request to an HTTPS server.\n",
        b"Reason: You're speaking plain HTTP to an SSL-enabled server port.",
    ]:
        with case(said):
            assert outcome_of_answer(400, {}, said, 0.0).why == SPEAKS_HTTPS


def test_a_redirect_says_where_it_leads() -> None:
    for location, shown in [
        ("https://vtt.example/api/v2/tokens?key=s3cret", "leads to https://vtt.example/api/v2/tokens,"),
        ("/api/tokens/#x", "leads to /api/tokens/,"),
        ("https://user:s3cret@vtt.example/", "redirects are not followed"),
        ("/a\x1b[31m", "redirects are not followed"),
        ("", "redirects are not followed"),
    ]:
        with case(location, shown):
            outcome = outcome_of_answer(301, {"location": location}, b"", 0.0)
            assert outcome.kind is OutcomeKind.REJECTED
            assert shown in outcome.why
            assert "s3cret" not in outcome.why
            assert outcome.why.isprintable()


def test_a_proxy_is_named(
    evening: Evening, no_proxies: pytest.MonkeyPatch, raw: Callable[[Speak], Raw]
) -> None:
    evening.start()
    for scheme, status, words in (
        ("https", b"407 No", "needs a password"),
        ("https", b"502 No", "reached"),
        ("http", b"407 No", "needs a password"),
    ):
        with case(scheme, status):
            proxy = raw(says(b"HTTP/1.1 %s\r\nContent-Length: 0\r\n\r\n" % status))
            address = proxy.url.removeprefix("http://")
            no_proxies.setenv(f"{scheme}_proxy", f"http://gm:s3cret@{address}")
            settings = write_target(evening, TABLE, f"{scheme}://inn.example", "insecure = true\n")
            report = push(evening.folder, settings, HURRIED)
            assert words in report.error
            assert f"the proxy {address}" in report.error
            assert "s3cret" not in report.error
