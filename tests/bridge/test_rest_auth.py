"""How an API is got into by TOML alone: each kind, and where keys never go."""

from __future__ import annotations

import base64
import io
import json
from collections.abc import Iterator
from typing import Any

import pytest
from support.cases import case
from support.evening import Evening
from support.thorough import few_of

from strike_bridge.credential_store import keys_file
from strike_bridge.dry_run import dry_run
from strike_bridge.push_follow_and_sync import push
from strike_bridge.targets.base import Request
from strike_cli.problems import CampaignProblem

from .helpers import HASTY, Told, Typed, cursor_of, everything_kept, told, without_key
from .rest_helpers import hall, rest_target, settings_for, write_target
from .servers.base import Call, Reply, Server, running
from .servers.rest_apis import APIS, KEY, Api, Doors, OAuth, Pages

LINE = '[on.order]\nrequest = "PUT /turn"\nbody = { who = "{{ order.active }}" }\n'


def prepared(auth: str, request: Request, key: str = KEY) -> Any:
    """An attempt at a request."""
    url = "" if "address" in auth else "https://vtt.example/api"
    return rest_target(f"auth = {auth}\n{LINE}", key, url).prepare(request, 0.0)


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
    by_github = '{ kind = "hmac", header = "X-Hub-Signature-256", prefix = "sha256=" }'
    assert prepared(by_github, put).content == b'{"a":1}'
    # The example of GitHub's documentation of webhooks.
    hello = Request("POST", "/x", content=b"Hello, World!")
    digest = "757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17"
    signed = prepared(by_github, hello, "It's a Secret to Everybody").headers
    assert signed["x-hub-signature-256"] == f"sha256={digest}"


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
    text = f"{STANDARD}{LINE}"
    request = Request("POST", "/x", content=b'{"test": 2432232314}', event_id="msg_p5jXN8AQM9LWM0D4loKWxJek")
    headers = (
        rest_target(text, "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw").prepare(request, 1614265330.5).headers
    )
    assert headers["webhook-signature"] == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="
    assert headers["webhook-timestamp"] == "1614265330"
    with pytest.raises(CampaignProblem, match="isn't base64"):
        rest_target(text, "it's a secret").prepare(request, 1.0)


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
        settings = write_target(evening, f"auth = {auth}\n{LINE}", server.url)
        told(evening, settings)
        (form,) = [call.raw for call in server.calls if call.path == "/token"]
        assert form == f"grant_type=refresh_token&refresh_token={KEY}&client_id=me".encode()
        server.ends, server.revoked = 401, True
        evening.happen(("on", "", "", {"fight.active": "brann"}))
        told(evening, settings)
        assert server.logins == 2


def test_a_login_is_asked_for_once_after_a_403(evening: Evening, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STRIKE_REST_KEY", KEY)
    evening.start()
    with running(Refreshing()) as server:
        server.ends = 403
        login = '{ kind = "login", request = "POST /login", body = { key = "{{ key }}" }, token = "token" }'
        settings = write_target(evening, f"auth = {login}\n{LINE}", server.url)
        for _ in range(4):
            assert "403" in push(evening.folder, settings, HASTY).error
        assert server.logins == 2, "one at first, and one more: logins are few"


def test_what_keys_do_not_do_is_told_before(evening: Evening) -> None:
    for text, words in [
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
    ]:
        with case(text, words):
            settings = write_target(evening, f"{text}\n{LINE}", "https://vtt.example/api")
            with pytest.raises(CampaignProblem, match=words):
                without_key(evening, settings)


def test_only_a_login_sees_the_key() -> None:
    for event in ("on.order", "on.token", "on.result"):
        text = f'[{event}]\nrequest = "POST /x"\nbody = "{{{{ key }}}}"\n'
        with pytest.raises(CampaignProblem, match="no 'key' here"):
            rest_target(text)


@pytest.mark.parametrize("api", few_of(APIS), ids=lambda api: api.__name__)
def test_no_key_is_kept_or_shown(api: type[Api], fight: Evening, monkeypatch: pytest.MonkeyPatch) -> None:
    with hall(api, monkeypatch) as server:
        settings = settings_for(fight, server)
        shown = json.dumps(dry_run(fight.folder, settings))
        told(fight, settings)
        assert KEY not in shown + everything_kept(fight)
        wrong = f"{server.url}/wrong" if api.__name__ == "UpsideDown" else "wrong"
        monkeypatch.setenv("STRIKE_REST_KEY", wrong)
        fight.move("vex", "B3")
        before = len(server.calls)
        if isinstance(server, OAuth | Pages):
            keys_file(fight.folder).unlink()
        report = push(fight.folder, settings, HASTY)
        assert report.error
        assert not cursor_of(fight, settings).review
        assert len(server.calls) - before <= 2, "the queue waits"
        assert "wrong" not in report.error


class Nosy(Server):
    """Answers that nobody is let in, and hands out a token that quotes what it was sent."""

    def respond(self, call: Call) -> Reply:
        return Reply(200, {"access_token": "a b\r\nX-Evil: 1"})


@pytest.fixture
def oauth(fight: Told, monkeypatch: pytest.MonkeyPatch) -> Iterator[Told]:
    """A fight told to where a door hands out access tokens."""
    with hall(OAuth, monkeypatch) as server:
        yield fight.tell(server, settings_for(fight, server))


def test_the_secret_goes_to_the_door_alone_and_the_token_to_the_hall_alone(oauth: Told) -> None:
    for square in ("B2", "C2", "D2", "E2", "F2"):
        oauth.move("vex", square)
        oauth.told()
    at_hall = [call.headers.get("authorization", "") for call in oauth.server.calls]
    at_door = [call.headers.get("authorization", "") for call in oauth.server.doors.calls]
    assert all(each.startswith("Bearer a") for each in at_hall)
    assert all(each.startswith("Basic ") for each in at_door)
    assert KEY not in "".join(str(call) for call in oauth.server.calls)
    assert len(at_door) > 1, "asked for anew once it was not accepted"


def test_an_access_token_is_renewed_before_it_ends(oauth: Told, monkeypatch: pytest.MonkeyPatch) -> None:
    def respond(doors: Doors, call: Call) -> Reply:
        doors.handed += 1
        return Reply(200, {"access_token": f"a{doors.handed}", "expires_in": 1})

    monkeypatch.setattr(Doors, "respond", respond)
    oauth.told()
    assert oauth.server.doors.handed == len(oauth.server.calls), "one for each: they end at once"


def test_what_opens_no_door_holds_the_queue(fight: Evening, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STRIKE_REST_KEY", KEY)
    with running(Nosy()) as nosy, running(OAuth()) as server:
        table = server.table().replace("DOORS", nosy.url)
        settings = write_target(fight, table, server.url)
        report = push(fight.folder, settings, HASTY._replace(total=0.05))
        assert "returned no session" in report.error
        assert not server.calls


def test_login_asks_for_what_it_is_called(
    evening: Evening, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("strike_bridge.credential_store._keyring_module", lambda: None)
    bridge = Typed(evening.folder, capsys)
    write_target(evening, f'auth = {{ kind = "hmac", header = "x" }}\n{LINE}', "http://127.0.0.1:1")
    monkeypatch.setattr("sys.stdin", io.StringIO("s3cret\n"))
    assert "Signing secret of hall: kept" in bridge("login hall")
    write_target(evening, LINE, "http://127.0.0.1:1")
    assert "needs no key" in bridge("login hall", 2)


def test_what_is_agreed_to_names_every_request_and_where_the_secret_goes(oauth: Told) -> None:
    terms = without_key(oauth, oauth.settings).terms()
    assert terms.token_url == f"{oauth.server.doors.url}/token"
    assert "PUT /things/{{ token.id }}" in terms.requests
    assert "POST /lines" in terms.requests
    one, other = (rest_target(text).terms().digest() for text in (LINE, LINE.replace("PUT", "DELETE")))
    assert one != other, "a change asks again"
