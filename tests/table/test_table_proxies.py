"""The files of docs/elsewhere.md, behind the proxies that they are for: Debian's nginx and Caddy."""

from __future__ import annotations

import re
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from strike_table.access_control import watch_token
from strike_table.audience_views import LinkAudience
from strike_table.gm_commands import HEADER

from .conftest import KEY
from .test_table_acting import Noted

PAGE = (Path(__file__).parents[2] / "docs/elsewhere.md").read_text("utf-8")
NAME = "play.example.org"
PLAYERS, GM = watch_token(KEY), watch_token(KEY, LinkAudience.GM)

pytestmark = pytest.mark.slow


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


def block(language: str) -> str:
    found = re.search(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)
    assert found
    return found[1]


def nginx(folder: Path, port: int, table: int) -> list[str]:
    cert, key = folder / "cert.pem", folder / "cert.key"
    made = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", f"/CN={NAME}"]
    subprocess.run([*made, "-keyout", key, "-out", cert], check=True, capture_output=True)
    server = block("nginx").replace("listen 443", f"listen 127.0.0.1:{port}").replace(":4747", f":{table}")
    server = server.replace(f"/etc/ssl/{NAME}.pem", str(cert)).replace(f"/etc/ssl/{NAME}.key", str(key))
    temporary = "".join(
        f"{kind}_temp_path {folder}/{kind};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    (folder / "nginx.conf").write_text(
        f"daemon off; pid {folder}/pid; error_log {folder}/error.log; events {{}}"
        f"http {{ access_log off; {temporary} {server} }}"
    )
    return ["nginx", "-p", str(folder), "-c", str(folder / "nginx.conf"), "-e", str(folder / "error.log")]


def caddy(folder: Path, port: int, table: int) -> list[str]:
    site = block("caddy").replace(NAME, f"https://{NAME}:{port}", 1).replace(":4747", f":{table}")
    site = site.replace("{\n", "{\n\tbind 127.0.0.1\n\ttls internal\n", 1)
    options = "{\n\tadmin off\n\tskip_install_trust\n\tauto_https disable_redirects\n}\n"
    (folder / "Caddyfile").write_text(options + site)
    return ["caddy", "run", "--config", str(folder / "Caddyfile"), "--adapter", "caddyfile"]


@pytest.fixture(params=["nginx", "caddy"])
def outside(request: pytest.FixtureRequest, start: Any, tmp_path: Path) -> Iterator[Any]:
    """A table, and who asks it by its name through a proxy."""
    program = request.param
    if shutil.which(program) is None:
        pytest.skip(f"{program} is not installed: apt-get install {program}")
    table = start(allowed_hosts=[NAME], gm_commands=Noted())
    port = free_port()
    words = {"nginx": nginx, "caddy": caddy}[program](tmp_path, port, table.port)
    running = subprocess.Popen(
        words,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env={"PATH": "/usr/sbin:/usr/bin", "HOME": str(tmp_path)},
    )
    client = httpx.Client(
        base_url=f"https://127.0.0.1:{port}", headers={"Host": NAME}, verify=False, timeout=60,
        event_hooks={"request": [lambda asked: asked.extensions.update(sni_hostname=NAME)]},
    )  # fmt: skip
    try:
        for _ in range(600):
            try:
                client.get("/api/v1")
                break
            except httpx.TransportError:
                assert running.poll() is None, "the proxy has ended"
                time.sleep(0.1)
        yield table, client
    finally:
        client.close()
        running.terminate()
        running.wait(10)


def test_links_and_events_come_through_and_nothing_acts(outside: Any, scene: Any) -> None:
    table, client = outside
    assert client.get("/").status_code == 200
    assert client.get("/play").status_code == 200
    assert client.get("/api/v1/state").status_code == 401, "nobody is at this machine who comes by a proxy"
    table.tell("PUT", "scene", scene)
    assert client.get("/api/v1/state", params={"watch": PLAYERS}).json()["audience"] == "players"
    assert client.get("/api/v1/state", params={"watch": GM}).json()["audience"] == "gm"

    token = httpx.get(f"{table.url}/acts", params={"watch": GM}).json()["token"]
    for method in ("GET", "POST"):
        came = client.request(method, "/acts", params={"watch": GM}, headers={HEADER: token})
        assert (came.status_code, came.json()["error"]["code"]) == (403, "not_here")

    origin = {"Origin": f"https://{NAME}"}
    ping = {"scene": "ambush", "x": 1, "y": 1}
    assert (
        client.post("/api/v1/ping", params={"watch": PLAYERS}, json=ping, headers=origin).status_code == 204
    )
    evil = {"Origin": "https://evil.example"}
    assert client.post("/api/v1/ping", params={"watch": PLAYERS}, json=ping, headers=evil).status_code == 403
    assert client.get("/api/v1/own", headers={"Authorization": "Bearer guessed"}).status_code in (401, 404)

    with client.stream("GET", "/events", params={"watch": PLAYERS}) as events:
        lines = events.iter_lines()
        assert next(line for line in lines if line.startswith("event:")) == "event: snapshot"
        table.token()
        assert next(line for line in lines if line.startswith("event:")) == "event: token", (
            "nobody holds it back"
        )
