"""`strike table`: the links that it prints, and who reaches it by which address."""

from __future__ import annotations

import socket
import sys
from pathlib import Path
from types import SimpleNamespace

import httpx
import pytest

from strike_bridge.credential_store import read_link_secrets_with_withdrawn
from strike_cli.phones.links import renew_link, withdraw_link
from strike_cli.problems import BridgeProblem
from strike_cli.systems.campaign.commands import table
from strike_table import serve

# Another of this machine's addresses: as good as one on a network, and there on every Linux.
ELSEWHERE = "127.0.0.2"
LINKS = table.Links(
    "http://127.0.0.1:4747", "http://127.0.0.1:4747/?watch=g", "http://192.0.2.5:4747/?watch=p"
)


@pytest.fixture
def campaign(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("STRIKE_TABLE_KEY", "the-key-of-this-table")
    return tmp_path


@pytest.mark.skipif(sys.platform != "linux", reason="needs a second address")
def test_any_port_is_one_that_is_free_on_every_address(monkeypatch):
    """What is free on one address may be taken on another: then another port is tried."""
    with socket.socket() as other:
        other.bind((ELSEWHERE, 0))
        other.listen()
        taken, listen, tried = other.getsockname()[1], serve._listen, []

        def unlucky(host, port):
            tried.append(host)
            return listen(host, taken if tried == ["127.0.0.1"] else port)

        monkeypatch.setattr(serve, "_listen", unlucky)
        listeners = serve._listen_on(["127.0.0.1", ELSEWHERE], 0)
    ports = {listener.getsockname()[1] for listener in listeners}
    for listener in listeners:
        listener.close()
    assert len(ports) == 1 and ports != {taken}
    assert len(tried) >= 3  # the first was taken


@pytest.mark.skipif(sys.platform != "linux", reason="needs a second address")
def test_on_the_network_only_links_show_the_table(campaign, monkeypatch):
    monkeypatch.setattr(serve, "lan_address", lambda: ELSEWHERE)
    told: list[table.Links] = []
    opened = {"lan": True, "tablet": True, "on_ready": told.append}
    with table.running_table(campaign, "The Salt Road", port=0, **opened) as running:
        (links,) = told
        for link, code in ((links.tablet_link, 200), (links.players_link, 403), (links.gm_link, 200)):
            assert httpx.get(link.replace("/?", "/acts?"), verify=False).status_code == code
        assert links.players_link.startswith(f"http://{ELSEWHERE}:")
        assert links.gm_link.startswith(running.url)
        assert httpx.get(f"{running.url}/api/v1/state", verify=False).json()["audience"] == "players"
        assert (
            httpx.get(links.players_link.replace("/?", "/api/v1/state?"), verify=False).json()["audience"]
            == "players"
        )
        assert (
            httpx.get(links.gm_link.replace("/?", "/api/v1/state?"), verify=False).json()["audience"] == "gm"
        )
        there = links.players_link.partition("/?")[0]
        assert httpx.get(f"{there}/", verify=False).status_code == 200, (
            "the page itself says that it needs a link"
        )
        assert httpx.get(f"{there}/api/v1/state", verify=False).status_code == 401
        assert httpx.get(f"{there}/", headers={"Host": "evil.example"}, verify=False).status_code == 421


@pytest.mark.parametrize("phones", [True, False])
def test_a_screen_shows_where_phones_come_in_where_they_may(campaign, monkeypatch, phones):
    monkeypatch.setattr(serve, "lan_address", lambda: "127.0.0.2")
    with table.running_table(campaign, "The Road", port=0, lan=True, phones=phones) as running:
        came = httpx.get(f"{running.url}/join.svg", verify=False)
    assert came.status_code == (200 if phones else 404)
    if phones:
        assert came.headers["X-Join"] == f"http://127.0.0.2:{running.url.rpartition(':')[2]}/play"
        assert came.text.startswith("<?xml") and "watch" not in came.headers["X-Join"]


def test_without_a_network_it_says_so(campaign, monkeypatch):
    monkeypatch.setattr(serve, "lan_address", lambda: None)
    with (
        pytest.raises(BridgeProblem, match="on no network"),
        table.running_table(campaign, "", port=0, lan=True),
    ):
        pass


@pytest.mark.parametrize("gm", [True, False])
def test_the_game_masters_link_is_shown_where_it_shows_more(gm, capsys):
    table._print_links(LINKS, gm=gm, codes=False, owlbear=False)
    told = capsys.readouterr().out
    assert ("watch=g" in told, "watch=p" in told) == (gm, True)


def test_the_qr_code_is_drawn_by_half_blocks_and_left_out_without_segno(monkeypatch):
    drawn = table._qr_code(LINKS.players_link)
    assert len(drawn.strip().splitlines()) < 25, "it fits a terminal"
    assert set("█▀▄") <= set(drawn)
    monkeypatch.setitem(sys.modules, "segno", None)
    assert table._qr_code(LINKS.players_link) == ""


def test_each_player_is_shown_a_link_of_their_own(campaign, capsys):
    party = {"vex": {"name": "Vex", "player": "Ana"}, "odo": {"name": "Odo"}}
    book = SimpleNamespace(characters=party, own_turn="ask", answers="ask")
    withdraw_link(campaign, "odo")
    table._print_players_links_and_rights(campaign, "http://192.0.2.5:4747", book)
    told = capsys.readouterr().out
    secret = read_link_secrets_with_withdrawn(campaign)["vex"]
    assert f"Vex (Ana)  http://192.0.2.5:4747/play#{secret}\n" in told
    assert "Odo  withdrawn; `strike players new odo` makes one" in told
    assert "strike accept" in told
    renew_link(campaign, "odo")
    book.answers = "off"
    table._print_players_links_and_rights(campaign, "http://192.0.2.5:4747", book)
    told = capsys.readouterr().out
    assert secret in told and read_link_secrets_with_withdrawn(campaign)["odo"] in told, (
        "a link holds from one evening to the next"
    )
    assert "answers" in told and len(table._qr_code(table.player_link(LINKS.url, secret)).splitlines()) < 25


def test_what_comes_to_a_proxys_port_is_never_this_machine(campaign):
    """Whatever the proxy says of itself: here it hides, as nginx does by default."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    told: list[table.Links] = []
    public = "https://play.example.org"
    with table.running_table(
        campaign, "The Salt Road", port=port, public=public, on_ready=told.append
    ) as running:
        (links,) = told
        proxied = f"http://127.0.0.1:{port}"
        assert (
            running.url != proxied
            and links.gm_link.startswith(running.url)
            and links.players_link.startswith(public)
        )
        gm = links.gm_link.partition("?")[2]
        for url, codes in ((running.url, (200, 200)), (proxied, (401, 403))):
            for path, code in zip(("api/v1/state", f"acts?{gm}"), codes, strict=True):
                assert httpx.get(f"{url}/{path}", verify=False).status_code == code, (url, path)
        assert httpx.get(f"{proxied}/api/v1/state?{gm}", verify=False).json()["audience"] == "gm"


def test_a_request_with_two_hosts_is_refused(campaign):
    import http.client

    with table.running_table(campaign, "The Salt Road", port=0) as running:
        line = http.client.HTTPConnection(running.url.removeprefix("http://"))
        line.putrequest("GET", "/api/v1/state", skip_host=True)
        line.putheader("Host", "127.0.0.1")
        line.putheader("Host", "evil.example")
        line.endheaders()
        assert line.getresponse().status in (400, 421)
        line.close()
