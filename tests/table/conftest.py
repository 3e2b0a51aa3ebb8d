"""Tables to test against: one called in this process, and real ones on a free port that end by themselves."""

from __future__ import annotations

import asyncio
import os
import queue
import shutil
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any

import httpx
import pytest

from strike_cli.campaign.create import create_campaign_folder
from strike_cli.serve.gm_console_and_pictures import GameMasterConsole
from strike_table import serve as serving
from strike_table.app import create_app
from strike_table.serve import serve
from strike_table.table_store import TableStore

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Dialog, Page

KEY = "the-key-of-this-table"
HOLDING_KEY = {"Authorization": f"Bearer {KEY}"}
HOME = "http://127.0.0.1:4747"
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
CALM = (
    "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync --disable-software-rasterizer --num-raster-threads=1"
)


SCENE = {
    "id": "ambush",
    "name": "Ambush at the ford",
    "goal": "Hold the bridge",
    "rows": ["########", "#..~~..#", "#......+", "#......#", "########"],
    "doors": [],
    "zones": [],
    "walls": [],
    "one_way_walls": [],
    "see_through_walls": [],
    "walk_through_walls": [],
    "terrain_walls": [],
    "image": None,
    "fog": None,
    "round": None,
    "over": False,
    "track": None,
    "sides": [],
}


def token(token_id: str = "vex", **changes: Any) -> dict[str, Any]:
    return {
        "id": token_id,
        "name": token_id.replace("-", " ").title(),
        "side": "party",
        "position": {"x": 2, "y": 2},
        "size": 1,
        "hp": {"value": 7, "max": 10},
        "hp_shown": "exact",
        "wounds": None,
        "gm_hp": None,
        "meters": [],
        "statuses": [],
        "hidden": False,
        "initiative": 4,
        "active": False,
        "state": "up",
        "image": None,
    } | changes


def result(seq: int = 1, **changes: Any) -> dict[str, Any]:
    return {
        "id": str(seq),
        "seq": seq,
        "title": f"Result {seq}",
        "text": "Hit for 4 damage.",
        "dice": [
            {
                "who": "Vex",
                "purpose": "attack",
                "sides": 6,
                "each": [],
                "faces": [5, 2],
                "kept": 5,
                "mode": "advantage",
                "modifiers": [],
                "total": 5,
            }
        ],
        "at": "2026-01-31T20:15:00Z",
        "undone": False,
        "secret": False,
        "play": None,
    } | changes


class Asker:
    """Asks a table in this process, holding its key unless told otherwise."""

    def __init__(self, store: TableStore, **options: Any) -> None:
        self._app = create_app(store, KEY, **options)

    def __call__(
        self,
        method: str,
        path: str,
        *,
        key: str | None = KEY,
        base: str = HOME,
        peer: str = "127.0.0.1",
        headers: dict[str, str] | None = None,
        **request: Any,
    ) -> httpx.Response:
        sent = {"Authorization": f"Bearer {key}".encode()} if key else {}
        sent |= {name: value.encode() for name, value in (headers or {}).items()}

        async def ask() -> httpx.Response:
            transport = httpx.ASGITransport(self._app, client=(peer, 50_000))
            async with httpx.AsyncClient(transport=transport, base_url=base) as client:
                return await client.request(method, path, headers=sent, **request)

        with ThreadPoolExecutor(1) as elsewhere:  # in this thread a browser may have a loop of its own
            return elsewhere.submit(asyncio.run, ask()).result()


class Running:
    """A table that serves, and a client that holds its key."""

    def __init__(self, data_dir: Path, port: int = 0, title: str = "", **options: Any) -> None:
        self._stop = threading.Event()
        ready: queue.Queue[str | BaseException] = queue.Queue()

        def kept(*given: Any, **named: Any) -> TableStore:
            self.store = TableStore(*given, **named)
            return self.store

        def run() -> None:
            try:
                serving.TableStore = kept  # type: ignore[misc, assignment]
                chosen = {"port": port, "title": title, **options}
                serve(data_dir, KEY, on_ready=ready.put, stop=self._stop, **chosen)
            except BaseException as problem:
                ready.put(problem)

        self._title = title
        self._thread = threading.Thread(target=run, daemon=True)  # a test that fails may not end it
        self._thread.start()
        try:
            url = ready.get(timeout=60)
        finally:
            serving.TableStore = TableStore  # type: ignore[misc]
        if isinstance(url, BaseException):
            self._thread.join()
            raise url
        self.url = url
        self.port = httpx.URL(url).port
        self.client = httpx.Client(base_url=url, headers=HOLDING_KEY, timeout=60, verify=False)

    def begin_anew(self, data_dir: Path) -> None:
        """As if nothing had ever been told: a page that is open sees it at once."""
        on_change = self.store.on_change
        self.store.__init__(data_dir, title=self._title)  # type: ignore[misc]
        self.store.on_change = on_change
        on_change()

    def tell(self, method: str, path: str, body: object = None) -> httpx.Response:
        """Deliver to the API. Fails when it is refused."""
        answer = self.client.request(method, f"/api/v1/{path}", json=body)
        assert answer.is_success, answer.text
        return answer

    def token(self, token_id: str = "vex", **changes: Any) -> None:
        """Have somebody stand there, or stand otherwise."""
        self.tell("PUT", f"tokens/{token_id}", token(token_id, **changes))

    def result(self, seq: int = 1, **changes: Any) -> None:
        """Have something happen."""
        self.tell("POST", "results", result(seq, **changes))

    def end(self) -> None:
        """Have it end, without waiting for that."""
        self.client.close()
        self._stop.set()

    def stop(self) -> None:
        self.end()
        self._thread.join(timeout=60)
        assert not self._thread.is_alive(), "the table didn't end"


@pytest.fixture
def data_dir(tmp_path: Path) -> Path:
    return tmp_path / "table"


@pytest.fixture
def ask(data_dir: Path) -> Asker:
    return Asker(TableStore(data_dir, title="The Salt Road"))


@pytest.fixture
def asker() -> type[Asker]:
    return Asker


@pytest.fixture(scope="package")
def started() -> Iterator[list[Running]]:
    """All tables that a module has started. Each takes a moment to end, so they are awaited together."""
    started: list[Running] = []
    yield started
    for running in started:
        running.stop()


@pytest.fixture
def start(data_dir: Path, started: list[Running]) -> Iterator[Callable[..., Running]]:
    """Starts tables; those that still run are ended after the test."""
    first = len(started)

    def begin(**options: Any) -> Running:
        running = Running(options.pop("data_dir", data_dir), **options)
        started.append(running)
        return running

    yield begin
    for running in started[first:]:
        running.end()


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Callable[..., GameMasterConsole]]:
    """Opens new campaigns at the game master's desk."""
    opened: list[GameMasterConsole] = []

    def make(system: str = "") -> GameMasterConsole:
        folder = create_campaign_folder(tmp_path / f"road{len(opened) or ''}", seed=7, system=system)
        opened.append(GameMasterConsole(folder))
        return opened[-1]

    yield make
    for each in opened:
        each.close()


@pytest.fixture
def a_token() -> Callable[..., dict[str, Any]]:
    return token


@pytest.fixture
def a_result() -> Callable[..., dict[str, Any]]:
    return result


@pytest.fixture
def scene() -> dict[str, Any]:
    return SCENE | {}


# A browser


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    program = next(filter(None, map(shutil.which, BROWSERS)), None)
    if program is None:
        missing = f"no browser found, looked for {', '.join(BROWSERS)}"
        if os.environ.get("STRIKE_REQUIRE_BROWSER") == "1":
            pytest.fail(missing)
        pytest.skip(missing)
    from playwright.sync_api import sync_playwright

    # For no longer than a module: while it is there, nobody else in this thread may run a loop. A folder
    # without __init__.py is no package to pytest: a fixture of that scope would stay for the session.
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=CALM.split())
        yield browser
        browser.close()


@pytest.fixture(scope="package")
def one_table(started: list[Running], tmp_path_factory: pytest.TempPathFactory) -> Running:
    started.append(Running(tmp_path_factory.mktemp("one") / "table", title="The Salt Road"))
    return started[-1]


@pytest.fixture
def table(one_table: Running, data_dir: Path) -> Running:
    """A table that knows nothing yet. It is the same one for a module, and so is the page: loading costs more
    than all that is tested."""
    one_table.begin_anew(data_dir)
    return one_table


@pytest.fixture
def staged(table: Running) -> Running:
    """The same table with a scene on it."""
    table.tell("PUT", "scene", SCENE)
    return table


@pytest.fixture(scope="module")
def one_page(browser: Browser) -> Page:
    return browser.new_page()


@pytest.fixture
def page(one_page: Page) -> Iterator[Page]:
    """A wide page that fails its test when anything goes wrong on it, even unseen."""
    wrong: list[str] = []

    def on_dialog(dialog: Dialog) -> None:
        wrong.append(f"dialog: {dialog.message}")
        dialog.dismiss()

    listeners = {
        "dialog": on_dialog,
        "pageerror": lambda error: wrong.append(str(error)),
        "console": lambda said: wrong.append(said.text) if "Content Security Policy" in said.text else None,
    }
    one_page.set_viewport_size({"width": 1440, "height": 900})
    one_page.emulate_media(color_scheme="light", reduced_motion="reduce")
    for event, listener in listeners.items():
        one_page.on(event, listener)
    yield one_page
    # It stays where it is until the next test goes elsewhere: empty pages in between cost a process each.
    for event, listener in listeners.items():
        one_page.remove_listener(event, listener)
    assert wrong == []


@pytest.fixture
def timed(browser: Browser) -> Iterator[Page]:
    """A page of its own whose clock can be stopped: what lasts for a second lasts until it has been seen."""
    page = browser.new_page(viewport={"width": 1440, "height": 900}, reduced_motion="reduce")
    page.clock.install()
    yield page
    page.close()
