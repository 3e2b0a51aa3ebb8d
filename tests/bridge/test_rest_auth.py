"""How an API is got into by TOML alone: each kind, and where keys never go."""

from __future__ import annotations

import base64
import json
from typing import Any

import pytest
from support.evening import Evening
from support.thorough import few_of

from strike_bridge.credential_store import keys_file
from strike_bridge.delivery_operations import push
from strike_bridge.dry_run import dry_run
from strike_bridge.settings import Settings
from strike_bridge.targets import make_target_checking_consent, target_class
from strike_bridge.targets.base import Request
from strike_cli.cli.app import run_command_line_or_complete
from strike_cli.problems import CampaignProblem

from .helpers import HASTY, cursor_of, everything_kept, told
from .rest_helpers import hall, settings_for, write_target
from .servers.base import Call, Reply, Server, running
from .servers.rest_apis import APIS, KEY, Api, Doors, OAuth, Pages

LINE = '[on.order]\nrequest = "PUT /turn"\nbody = { who = "{{ order.active }}" }\n'


def prepared(auth: str, request: Request, key: str = KEY) -> Any:
    """An attempt at a request."""
    from strike_bridge.settings import settings_from_table
    from strike_cli.untrusted_input import parse_toml

    table = parse_toml(f"auth = {auth}\n{LINE}".encode())
    url = {} if "address" in auth else {"url": "https://vtt.example/api"}
    settings = settings_from_table("hall", {"kind": "rest", **url, **table})
    return target_class(settings)(settings, key).prepare(request, 0.0)


def test_kinds_of_auth() -> None:
    get, put = Request("GET", "/x?a=b"), Request("PUT", "/x", {"a": 1})
    assert prepared('{ kind = "none" }', get).headers == {}
    assert prepared('{ kind = "bearer" }', get).headers == {"authorization": f"Bearer {KEY}"}
    both = base64.b64encode(f"gm:{KEY}".encode()).decode()
    assert prepared('{ kind = "basic", user = "gm" }', get).headers == {"authorization": f"Basic {both}"}
    assert prepared('{ kind = "header", name = "X-Api-Key" }', get).headers == {"x-api-key": KEY}
    assert prepared('{ kind = "query", name = "k" }', get, "a&b=c#").path == "/x?a=b&k=a%26b%3Dc%23"
    assert prepared('{ kind = "query", name = "k" }', put).path == f"/x?k={KEY}"
    at = prepared('{ kind = "address" }', get, "https://hooks.example/secret/path/?token=1")
    assert at.path == "/secret/path/x?token=1&a=b"
    signed = prepared(
        '{ kind = "hmac", header = "x-hub-signature-256", prefix = "sha256=" }', put, "It's a Secret"
    )
    assert signed.content == b'{"a":1}'
    assert signed.headers["x-hub-signature-256"].startswith("sha256=")
    assert len(signed.headers["x-hub-signature-256"]) == 7 + 64


STANDARD = """[auth]
kind = "hmac"
key = "base64"
encoding = "base64"
sign = "{{ event.id }}.{{ event.time }}.{{ body }}"
[auth.headers]
webhook-id = "{{ event.id }}"
webhook-timestamp = "{{ event.time }}"
webhook-signature = "v1,{{ signature }}"
"""


def test_standard_webhooks_are_a_few_lines() -> None:
    """The published vector."""
    from strike_bridge.settings import settings_from_table
    from strike_cli.untrusted_input import parse_toml

    table = parse_toml(f"{STANDARD}{LINE}".encode())
    settings = settings_from_table("hall", {"kind": "rest", "url": "https://vtt.example/api", **table})
    request = Request("POST", "/x", content=b'{"test": 2432232314}', event_id="msg_p5jXN8AQM9LWM0D4loKWxJek")
    target = target_class(settings)(settings, "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
    headers = target.prepare(request, 1614265330.5).headers
    assert headers["webhook-signature"] == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="
    assert headers["webhook-timestamp"] == "1614265330"
    with pytest.raises(CampaignProblem, match="isn't base64"):
        target_class(settings)(settings, "it's a secret").prepare(request, 1.0)


class Refreshing(Api):
    """Hands out access tokens for a refresh token, each of which is good once."""

    def __init__(self) -> None:
        super().__init__()
        self.handed = 0
        self.logins = 0
        self.ends = 401
        self.revoked = False

    def respond(self, call: Call) -> Reply:
        if call.path == "/token":
            form = call.raw.decode()
            self.logins += 1
            want = f"refresh_token={KEY if not self.handed else f'r{self.handed}'}"
            assert want in form
            self.handed += 1
            self.revoked = False
            return Reply(200, {"access_token": f"a{self.handed}", "refresh_token": f"r{self.handed}"})
        if call.path == "/login":
            self.logins += 1
            return Reply(200, {"token": "t"})
        good = (
            not self.revoked and self.handed and call.headers.get("authorization") == f"Bearer a{self.handed}"
        )
        return Reply(200 if good else self.ends, {})


def test_refresh_tokens_are_handed_on(evening: Evening, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STRIKE_REST_KEY", KEY)
    evening.start()
    with running(Refreshing()) as server:
        asked = f'grant = "refresh_token", token_url = "{server.url}/token", client_id = "me"'
        auth = f'{{ kind = "oauth", {asked} }}'
        settings = write_target(evening.folder, f"auth = {auth}\n{LINE}", server.url)
        told(evening.folder, settings)
        (form,) = [call.raw for call in server.calls if call.path == "/token"]
        assert form == f"grant_type=refresh_token&refresh_token={KEY}&client_id=me".encode()
        server.ends, server.revoked = 401, True
        evening.happen(("on", "", "", {"fight.active": "brann"}))
        told(evening.folder, settings)
        assert server.logins == 2


def test_a_login_is_asked_for_once_after_a_403(evening: Evening, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STRIKE_REST_KEY", KEY)
    evening.start()
    with running(Refreshing()) as server:
        server.ends = 403
        login = '{ kind = "login", request = "POST /login", body = { key = "{{ key }}" }, token = "token" }'
        settings = write_target(evening.folder, f"auth = {login}\n{LINE}", server.url)
        for _ in range(4):
            assert "403" in push(evening.folder, settings, HASTY).error
        assert server.logins == 2, "one at first, and one more: logins are few"


def test_the_published_example_of_a_signature() -> None:
    """As GitHub's documentation of webhooks has it."""
    request = Request("POST", "/x", content=b"Hello, World!")
    signed = prepared(
        '{ kind = "hmac", header = "X-Hub-Signature-256", prefix = "sha256=" }',
        request,
        "It's a Secret to Everybody",
    )
    digest = "757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17"
    assert signed.headers["x-hub-signature-256"] == f"sha256={digest}"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('auth = { kind = "basic" }', "auth.user: missing"),
        ('auth = { kind = "bearer", name = "x" }', "auth.name: 'bearer' has no such key"),
        ('auth = { kind = "login", request = "POST /l", body = {} }', "cookie = "),
        ('auth = { kind = "oauth", client_id = "x", token_url = "http://door.example/" }', "not an address"),
        ('auth = { kind = "oauth", client_id = "x", token_url = "https://a:b@x.example/" }', "an address"),
        ('auth = { kind = "bearer" }\nheaders = { Authorization = "Bearer x" }', "auth sets this header"),
        ('auth = { kind = "header", name = "X-Key" }\nheaders = { x-key = "x" }', "auth sets this header"),
        ('auth = { kind = "hmac", header = "X-Sum" }\nheaders = { x-sum = "x" }', "auth sets this header"),
        ('headers = { Host = "evil.com" }', "a file can't set this"),
        ('headers = { Content-Length = "0" }', "a file can't set this"),
        ('headers = { cookie = "sid=1" }', "a file can't set this"),
        ('headers = { X-Key = "{{ key }}" }', "no 'key' here"),
        ('auth = { kind = "address" }', "the address is the key"),
    ],
)  # fmt: skip
def test_what_keys_do_not_do_is_told_before(evening: Evening, text: str, words: str) -> None:
    settings = write_target(evening.folder, f"{text}\n{LINE}", "https://vtt.example/api")
    with pytest.raises(CampaignProblem, match=words):
        make_target_checking_consent(evening.folder, settings, with_key=False)


def test_only_a_login_sees_the_key() -> None:
    for event in ("on.order", "on.token", "on.result"):
        text = f'[{event}]\nrequest = "POST /x"\nbody = "{{{{ key }}}}"\n'
        with pytest.raises(CampaignProblem, match="no 'key' here"):
            _made(text)


def _made(text: str) -> None:
    from strike_bridge.settings import settings_from_table
    from strike_cli.untrusted_input import parse_toml

    settings = settings_from_table(
        "hall", {"kind": "rest", "url": "http://127.0.0.1:1", **parse_toml(text.encode())}
    )
    target_class(settings)(settings)


@pytest.mark.parametrize("api", few_of(APIS), ids=lambda api: api.__name__)
def test_no_key_is_kept_or_shown(api: type[Api], fight: Evening, monkeypatch: pytest.MonkeyPatch) -> None:
    with hall(api, monkeypatch) as server:
        settings = settings_for(fight.folder, server)
        shown = json.dumps(dry_run(fight.folder, settings))
        told(fight.folder, settings)
        assert KEY not in shown + everything_kept(fight.folder)
        monkeypatch.setenv(
            "STRIKE_REST_KEY", f"{server.url}/wrong" if api.__name__ == "UpsideDown" else "wrong"
        )
        fight.move("vex", "B3")
        before = len(server.calls)
        if isinstance(server, OAuth | Pages):
            keys_file(fight.folder).unlink()
        report = push(fight.folder, settings, HASTY)
        assert report.error
        assert not cursor_of(fight.folder, settings).review
        assert len(server.calls) - before <= 2, "the queue waits"
        assert "wrong" not in report.error


class Nosy(Server):
    """Answers that nobody is let in, and hands out a token that quotes what it was sent."""

    def respond(self, call: Call) -> Reply:
        return Reply(200, {"access_token": "a b\r\nX-Evil: 1"})


def test_the_secret_goes_to_the_door_alone_and_the_token_to_the_hall_alone(
    fight: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    with hall(OAuth, monkeypatch) as server:
        assert isinstance(server, OAuth)
        settings = settings_for(fight.folder, server)
        for square in ("B2", "C2", "D2", "E2", "F2"):
            fight.move("vex", square)
            told(fight.folder, settings)
        at_hall = [call.headers.get("authorization", "") for call in server.calls]
        at_door = [call.headers.get("authorization", "") for call in server.doors.calls]
        assert all(each.startswith("Bearer a") for each in at_hall)
        assert all(each.startswith("Basic ") for each in at_door)
        assert KEY not in "".join(str(call) for call in server.calls)
        assert len(at_door) > 1, "asked for anew once it was not accepted"


def test_an_access_token_is_renewed_before_it_ends(fight: Evening, monkeypatch: pytest.MonkeyPatch) -> None:
    with hall(OAuth, monkeypatch) as server:
        assert isinstance(server, OAuth)
        settings = settings_for(fight.folder, server)
        monkeypatch.setattr(Doors, "respond", lambda doors, call: _short(doors))
        told(fight.folder, settings)
        refused = [call for call in server.calls if server.refusal(call)]
        assert server.doors.handed == len(server.calls), "one for each: they end at once"
        assert len(refused) <= len(server.calls)


def _short(doors: Doors) -> Reply:
    doors.handed += 1
    return Reply(200, {"access_token": f"a{doors.handed}", "expires_in": 1})


def test_what_opens_no_door_holds_the_queue(fight: Evening, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STRIKE_REST_KEY", KEY)
    with running(Nosy()) as nosy, running(OAuth()) as server:
        table = server.table().replace("DOORS", nosy.url)
        settings = write_target(fight.folder, table, server.url)
        report = push(fight.folder, settings, HASTY._replace(total=0.05))
        assert "returned no session" in report.error
        assert not server.calls


def test_login_asks_for_what_it_is_called(
    evening: Evening, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("strike_bridge.credential_store._keyring_module", lambda: None)
    write_target(evening.folder, f'auth = {{ kind = "hmac", header = "x" }}\n{LINE}', "http://127.0.0.1:1")
    monkeypatch.setattr("sys.stdin", __import__("io").StringIO("s3cret\n"))
    assert run_command_line_or_complete(["-C", str(evening.folder), "bridge", "login", "hall"]) == 0
    assert "Signing secret of hall: kept" in capsys.readouterr().out
    settings: Settings = write_target(evening.folder, LINE, "http://127.0.0.1:1")
    assert run_command_line_or_complete(["-C", str(evening.folder), "bridge", "login", settings.name]) == 2
    assert "needs no key" in capsys.readouterr().err


def test_what_is_agreed_to_names_every_request_and_where_the_secret_goes(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    with hall(OAuth, monkeypatch) as server:
        assert isinstance(server, OAuth)
        terms = make_target_checking_consent(
            evening.folder, settings_for(evening.folder, server), with_key=False
        ).terms()
        assert terms.token_url == f"{server.doors.url}/token"
        assert "PUT /things/{{ token.id }}" in terms.requests
        assert "POST /lines" in terms.requests
        one, other = (
            make_target_checking_consent(
                evening.folder, write_target(evening.folder, text, server.url), with_key=False
            ).terms()
            for text in (LINE, LINE.replace("PUT", "DELETE"))
        )
        assert one.digest() != other.digest(), "a change asks again"
