"""`strike table`: serve the embedded table, a page in the browser that shows the game live."""

from __future__ import annotations

import contextlib
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple, Protocol

import typer

from strike_cli.campaign import Campaign
from strike_cli.problems import BridgeProblem, Usage, listed
from strike_cli.terminal.command_output import (
    Block,
    Result,
    blocks_as_unwrapped_text,
    print_blocks,
    write_text_to_stdout,
)
from strike_cli.terminal.commands_and_options import Options, command, new_app
from strike_cli.untrusted_input import replace_unprintable

if TYPE_CHECKING:
    from strike_bridge.consent import OwnTable
    from strike_bridge.payloads import ReadToken
    from strike_bridge.settings import Settings
    from strike_bridge.worker import DeliveryReport
    from strike_cli.content.merged_content import Book
    from strike_cli.phones.players_api import PlayersAccess
    from strike_table.gm_commands import GmCommands

    class _GmConsole(GmCommands, Protocol):
        """The object that plays commands from the game master's page, until the table closes."""

        def close(self) -> None:
            """Refuse every further command."""


app = new_app("The embedded table.")

TARGET = "table"
GM_CONSOLE = "strike_cli.serve.gm_console_and_pictures:GameMasterConsole"
"""The class that plays lines of the game master's page. It plays commands, so it is in a higher layer."""
PORT = 4747
THREAD_SWITCH_SECONDS = 0.001
"""Seconds after which a computing thread lets others run. Sending to thirty connections takes a turn for
each, and with Python's default would take five times as long.
"""
DEFAULT_TABLE_TARGET: dict[str, object] = {
    "kind": "table",
    "auto": False,
    "insecure": False,
    "audience": "gm",
}
"""The default for a target that campaign.toml doesn't have. Our own table keeps the game master's secrets
from players, so it is sent them.
"""


Port = Annotated[int, typer.Option("--port", metavar="N", min=0, max=65535, help="0 picks a free one.")]
Lan = Annotated[bool, typer.Option("--lan", help="Let other devices on this network see the table.")]
Follow = Annotated[bool, typer.Option("--follow/--no-follow", help="Also run the bridge to it.")]
Players = Annotated[
    bool, typer.Option("--players", help="Show a code for each player's phone to scan; implies --lan.")
]
Tablet = Annotated[
    bool, typer.Option("--tablet", help="Let a tablet of yours on this network play; implies --lan.")
]
NewKey = Annotated[
    bool,
    typer.Option("--new-key", help="Replace the key: older links stop working, except the players' own."),
]
Owlbear = Annotated[bool, typer.Option("--owlbear", help="Also serve an extension for Owlbear Rodeo.")]
Sites = Annotated[
    list[str] | None,
    typer.Option(
        "--origin", metavar="URL", help="A site whose pages may read the players' view; may be repeated."
    ),
]


Public = Annotated[
    str,
    typer.Option(
        "--public",
        metavar="URL",
        help="The address at a reverse proxy, such as https://play.example.org (docs/elsewhere.md).",
    ),
]


Yes = Annotated[bool, typer.Option("--yes", "-y", help="Open it to others without a question.")]


@command(app, "table", kind="reads")
def table(
    options: Options,
    port: Port = PORT,
    lan: Lan = False,
    follow: Follow = True,
    players: Players = False,
    tablet: Tablet = False,
    owlbear: Owlbear = False,
    origin: Sites = None,
    public: Public = "",
    new_key: NewKey = False,
    yes: Yes = False,
) -> Result:
    """Show the game live on a web page, until Ctrl-C: map, tokens, HP, statuses, turn order and log.

    Play in another terminal, and watch the page. Without --lan, only this computer can open it. The players'
    link never shows hidden things. Your own link does if the target's audience in campaign.toml is "gm".

    With --players each player gets a page on their phone, with their sheet and options. If `[table] answers`
    in campaign.toml allows it, they also answer decisions there, and propose actions for you to accept.
    `strike players` withdraws a link or makes another.

    With --tablet your own page can also play on another device of this network. Keep its link secret.

    With --origin, or `[serve] origins` in campaign.toml, another site's page can read the players' view. It
    can be an overlay or an extension of your VTT (docs/serve.md).

    With --public, players elsewhere connect through your reverse proxy, and links have its address
    (docs/elsewhere.md).

    Before strike opens a campaign to others for the first time, it asks you. In a script, --yes agrees.

    With --owlbear a room at owlbear.rodeo shows tokens, turns and results (docs/targets/owlbear.md).

    Example: `strike table --players`
    """
    with options.open_campaign() as campaign:
        folder, book = campaign.folder, campaign.book
    _must_be_table_target(target := book.targets.get(TARGET, DEFAULT_TABLE_TARGET))
    public = _checked_proxy_address(public)
    if tablet and public:
        raise Usage("--tablet and --public don't go together.", "A tablet can't play through a proxy.")
    lan = lan or tablet or (players and not public)
    ways = [way for way, is_open in (("network", lan), ("tablet", tablet), (public, public)) if is_open]
    ensure_and_record_agreement_to_open(options, folder, [*ways, *book.origins], yes)
    if new_key:
        _ensure_or_replace_table_key(folder, anew=True)

    def announce(links: Links) -> None:
        _print_links(links, gm=target.get("audience") == "gm", codes=not players, owlbear=owlbear)
        if players:
            _print_players_links_and_rights(folder, public or links.lan_address or links.url, book)

    to = {"phones": players, "owlbear": owlbear, "lan": lan, "tablet": tablet}
    sites = [*book.origins, *(origin or ())]
    with running_table(
        folder, book.name, port=port, **to, origins=sites, public=public, on_ready=announce
    ) as running:
        _serve_and_run_bridge_until_end(folder, running, target if follow else None)
    return Result("table", {"url": running.url}, [("The table is closed; its memory is kept.", "dim")])


WORDS_FOR_WAYS = {"network": "your network", "tablet": "a tablet that plays"}
"""The words for each way to open a table to others; any other way is a site."""


def ensure_and_record_agreement_to_open(
    options: Options, folder: Path, ways: Sequence[str], yes: bool
) -> None:
    """Make sure that the user has agreed to open a folder's game to others, and record the agreement.

    `ways` are the ways to open the game. The user is asked only if no earlier agreement covers them. With
    `yes` nobody is asked. Raises BridgeProblem if the user declines, or if nobody can be asked.
    """
    from strike_bridge.consent import is_agreed_to_open, record_agreement_to_open

    if not ways or is_agreed_to_open(folder, ways):
        return
    to = listed([WORDS_FOR_WAYS.get(way, f"pages of {way}") for way in ways])
    if not yes and options.interactive:
        write_text_to_stdout(
            blocks_as_unwrapped_text(
                [[(folder.name, "name"), f" was not opened to {to} from this computer before."]]
            )
        )
        with contextlib.suppress(EOFError):
            yes = input("Open it from now on? [y/N] ").strip().lower() in ("y", "yes")
    if not yes:
        message = f"{folder.name} was not opened to {to} from this computer before."
        raise BridgeProblem(message, "`--yes` opens it, from now on.")
    record_agreement_to_open(folder, ways)


def _serve_and_run_bridge_until_end(
    folder: Path, running: RunningTable, target: Mapping[str, object] | None
) -> None:
    """Wait until the table's server ends. With a `target`, run the bridge to the table meanwhile."""
    if target is None:
        running.wait_for_end_event_or_ctrl_c()
    else:
        with running_bridge(folder, running, target, _print_availability) as bridge:
            running.wait_for_end_event_or_ctrl_c(bridge.ended)
            bridge.raise_if_ended()
    running.raise_if_failed()


def _must_be_table_target(target: Mapping[str, object]) -> None:
    if target["kind"] != "table":
        raise Usage(
            f"bridge.targets.{TARGET} in campaign.toml is a {target['kind']}, not a table.",
            "Give it another name, so that `table` can be the embedded one.",
        )


def _checked_proxy_address(url: str) -> str:
    """Return a proxy's address without a final slash; "" for "". Raises Usage for a malformed one."""
    from urllib.parse import urlsplit

    parts = urlsplit(url)
    if url and (
        parts.scheme not in ("http", "https") or not parts.hostname or parts.path.strip("/") or parts.query
    ):
        raise Usage(
            f"{url!r} is not the address of a proxy.",
            "Like --public https://play.example.org, without a path.",
        )
    return url.rstrip("/")


def _print_availability(report: DeliveryReport) -> None:
    from .bridge import availability_line

    sys.stdout.write(blocks_as_unwrapped_text([availability_line(report)]))
    sys.stdout.flush()


class Links(NamedTuple):
    """The links to a table. A link that doesn't exist is "".

    `url` is the table's address on this machine. `gm_link` is the game master's link on this machine.
    `players_link` is the players' link for other devices. `lan_address` is the table's address on the
    network. `tablet_link` is a link that lets the game master play on another device.
    """

    url: str
    gm_link: str
    players_link: str = ""
    lan_address: str = ""
    tablet_link: str = ""


def _print_links(links: Links, *, gm: bool, codes: bool, owlbear: bool) -> None:
    """Print the table's links, and QR codes for some of them.

    QR codes are printed only to a terminal. If there is a link for a tablet, it gets a QR code. With `codes`,
    the players' link gets one, too.

    With `gm`, the game master's own link is printed. With `owlbear`, the steps for Owlbear Rodeo are printed.
    """
    lines: list[Block] = [[("The table is at ", ""), (links.url, "strong"), "  Ctrl-C ends it."]]
    if gm:
        lines.append([("Your own link  ", ""), (links.gm_link, "strong"), ("  shows hidden things", "dim")])
    else:
        lines.append([('A page of your own needs audience = "gm" in [bridge.targets.table].', "dim")])
    if links.players_link:
        lines.append([("Players' link  ", ""), (links.players_link, "strong")])
    if links.tablet_link:
        lines.append(
            [("Tablet's link  ", ""), (links.tablet_link, "strong"), ("  plays with your rights", "dim")]
        )
    write_text_to_stdout(blocks_as_unwrapped_text(lines))
    for link in (links.players_link if codes else "", links.tablet_link):
        if link and sys.stdout.isatty():
            write_text_to_stdout(_qr_code(link))
    if owlbear:
        write_text_to_stdout(blocks_as_unwrapped_text(owlbear_steps(links.url)))
    sys.stdout.flush()


def owlbear_steps(url: str) -> list[Block]:
    """Return the steps that the user takes to show the table in a room at Owlbear Rodeo."""
    port = url.rpartition(":")[2]
    address = f"http://localhost:{port}/owlbear/manifest.json"
    first = "In your profile there: Add Extension, this address. In the room: Extensions, switch it on;"
    then = "then Show the map in this scene, behind its button."
    return [[("Owlbear Rodeo  ", ""), (address, "strong")], [(first, "dim")], [(then, "dim")]]


def _print_players_links_and_rights(folder: Path, url: str, book: Book) -> None:
    """Print each player's own link with its QR code and short code, then the rights of phones."""
    from strike_cli.phones.links import current_code, format_code, get_or_make_link_secrets

    party = {person: _character_and_player_name(sheet) for person, sheet in book.characters.items()}
    taken = "play" if book.own_turn == "play" else book.answers
    for person, secret in get_or_make_link_secrets(folder, party).items():
        if not secret:
            lines: list[Block] = [
                [(party[person], "name"), f"  withdrawn; `strike players new {person}` makes one"]
            ]
            write_text_to_stdout(blocks_as_unwrapped_text(lines))
            continue
        link = player_link(url, secret)
        write_text_to_stdout(blocks_as_unwrapped_text([[(party[person], "name"), "  ", (link, "strong")]]))
        if sys.stdout.isatty():
            write_text_to_stdout(_qr_code(link))
        write_text_to_stdout(
            blocks_as_unwrapped_text(
                [
                    [
                        ("or this code at ", "dim"),
                        (url, "strong"),
                        "  ",
                        (format_code(current_code(secret)), "strong"),
                    ]
                ]
            )
        )
    waits = "waits for you: `strike accept`, `strike decline`, or + and - in `strike play`."
    told = {
        "off": 'They may look, but not answer; [table] answers = "ask" or "on" in campaign.toml lets them.',
        "ask": f"Their answers and proposals {waits}",
        "on": f"Their answers count at once; their proposals {waits}",
        "play": "Actions on their own turn count at once: `strike undo` takes one back.",
    }
    print_blocks([("Each link is secret: give it to that player alone. " + told[taken], "dim")])
    print_blocks([("A code works for half an hour; `strike players code` shows new ones.", "dim")])


def _character_and_player_name(sheet: Mapping[str, object]) -> str:
    """Return a character's name, with the player's if it is known: `Vex Marlowe (Ana)`."""
    return f"{sheet['name']} ({sheet['player']})" if sheet.get("player") else str(sheet["name"])


def player_link(url: str, secret: str) -> str:
    """Return a player's own link.

    The secret is behind the #, so that browsers don't send it to the server.
    """
    return f"{url}/play#{secret}"


def _qr_code(link: str) -> str:
    """Return a link as a QR code for the terminal; "" if segno isn't installed."""
    try:
        import segno  # only --lan needs it
    except ModuleNotFoundError:
        return ""
    import io

    drawn = io.StringIO()
    segno.make(link, error="l", micro=False).terminal(drawn, compact=True, border=2)
    return f"\n{drawn.getvalue()}\n"


class RunningTable:
    """A table that is being served: its address, its key, and the events of its start and end."""

    def __init__(self, key: str) -> None:
        self.url = self.players_address = ""
        self.key = key
        self.problem: BaseException | None = None
        self.up = threading.Event()
        self.stop = threading.Event()
        self.ended = threading.Event()

    def start_thread(self, serve: Callable[[], None]) -> None:
        """Call `serve` in a new thread. An error that ends it is kept as `problem`."""

        def serve_and_note_end() -> None:
            try:
                serve()
            except Exception as error:
                self.problem = error
            finally:
                self.ended.set()
                self.up.set()

        sys.setswitchinterval(THREAD_SWITCH_SECONDS)
        self.thread = threading.Thread(target=serve_and_note_end, name="table", daemon=True)
        self.thread.start()

    def mark_up_and_call_on_ready(self, links: Links, on_ready: Callable[[Links], None]) -> None:
        """Note that the server answers from now on, and call `on_ready` with its links."""
        self.url, self.players_address = links.url, links.players_link.partition("/?")[0]
        on_ready(links)
        self.up.set()

    def follow_phones_and_wait_until_up(self, port: int, access: PlayersAccess | None) -> None:
        """Wait until the table answers. If players have phones, also start a thread for their proposals.

        `access` is the players' access by phone; None if they have none. The thread ends the proposals that
        are out of date. Raises BridgeProblem if the table can't be served.
        """
        if access is not None:
            threading.Thread(
                target=access.watch_and_end_outdated_proposals, args=[self.stop], name="phones", daemon=True
            ).start()
        self.up.wait()
        if self.problem is not None:
            raise _serving_problem(self.problem, port)

    def end(self) -> None:
        """Stop the server, and wait up to 5 seconds for its thread."""
        self.stop.set()
        self.thread.join(5)

    def wait_for_end_event_or_ctrl_c(self, other_event: threading.Event | None = None) -> None:
        """Wait until Ctrl-C, until the server ends by itself, or until `other_event` is set."""
        with contextlib.suppress(KeyboardInterrupt):
            while not (self.ended.wait(0.2) or (other_event is not None and other_event.is_set())):
                pass

    def raise_if_failed(self) -> None:
        """Raise BridgeProblem if the table has ended with an error."""
        if self.problem is not None:
            raise BridgeProblem(
                f"The table has ended ({type(self.problem).__name__}: {self.problem}).",
                "Its memory is kept: start it again.",
            )


@contextlib.contextmanager
def running_table(
    folder: Path,
    title: str,
    *,
    port: int,
    lan: bool = False,
    phones: bool = False,
    tablet: bool = False,
    owlbear: bool = False,
    origins: Sequence[str] = (),
    public: str = "",
    on_ready: Callable[[Links], None] = lambda links: None,
) -> Iterator[RunningTable]:
    """Serve a campaign's table in a thread until the end of the block.

    With `lan`, other devices on the network can connect. With `phones`, players have pages of their own. With
    `tablet`, the game master's page can play from another device. With `owlbear`, a room at Owlbear Rodeo may
    show the table. Pages of `origins` may read the players' view. `public` is the address of a proxy for
    others, or "". `on_ready` gets the links once it is up. Raises BridgeProblem or Usage if it can't be.
    """
    named = checked_origins(origins, "The table")
    from strike_table.serve import serve

    from .token_reach_and_sight import RangeFinder

    key = _ensure_or_replace_table_key(folder)
    elsewhere, running = _network_address_if_lan(lan, phones), RunningTable(key)
    door, desk = _make_players_access(folder, key) if phones else None, _make_gm_console(folder)

    def store_port_and_mark_up(url: str) -> None:
        _ensure_or_replace_table_key(folder, int(url.rpartition(":")[2]))  # the target goes there from now on
        running.mark_up_and_call_on_ready(_make_links(url, key, elsewhere, public, port, tablet), on_ready)

    running.start_thread(
        lambda: serve(
            folder / "bridge" / "table",
            key,
            port=port,
            also_listen_on=[elsewhere] if elsewhere else [],
            allowed_hosts=_allowed_hosts(public),
            title=title,
            on_ready=store_port_and_mark_up,
            stop=running.stop,
            players=door,
            range_finder=RangeFinder(folder),
            on_watchers=lambda watchers: _set_callback_to_wake_watchers(door, watchers.wake_streams),
            owlbear_room=owlbear,
            origins=named,
            gm_commands=desk,
            tablet=tablet,
            proxied=bool(public),
            join_address=lambda: running.players_address if phones else "",
        )
    )
    try:
        running.follow_phones_and_wait_until_up(port, door)
        yield running
    finally:
        running.end()
        desk.close()


def checked_origins(origins: Iterable[str], server_words: str) -> list[str]:
    """Return the sites whose pages may read from a server, sorted, in the form that browsers send.

    `server_words` is the server in a message: `The table` or `strike serve`. Raises Usage for a malformed
    site, and BridgeProblem if the server's packages aren't installed.
    """
    try:
        from strike_table.access_control import AllowedOrigins
    except ModuleNotFoundError as error:
        raise BridgeProblem(
            f"{server_words} needs {error.name}, which is not installed.", 'pip install "strike-cli[table]"'
        ) from None
    try:
        return sorted(AllowedOrigins(origins).named)
    except ValueError as error:
        raise Usage(f"{error}.", "Like --origin https://example.org.") from None


def _ensure_or_replace_table_key(folder: Path, port: int = 0, *, anew: bool = False) -> str:
    from strike_bridge.credential_store import ensure_table_key
    from strike_cli.campaign.file_access import refuse_links_and_special_files_below

    key = ensure_table_key(folder, TARGET, port, replace_if_made_here=anew)
    refuse_links_and_special_files_below(folder / "bridge")
    return key


def _make_gm_console(folder: Path) -> _GmConsole:
    from strike_cli.registry.installed_plugins import import_object

    desk: _GmConsole = import_object(GM_CONSOLE)(folder)
    return desk


def _allowed_hosts(public: str) -> list[str]:
    from urllib.parse import urlsplit

    return [urlsplit(public).hostname or ""] if public else []


def _network_address_if_lan(lan: bool, network_is_optional: bool) -> str | None:
    """Return this computer's address on its network, or None if `lan` is false.

    If `lan` is true but the computer is on no network, `network_is_optional` decides. If
    `network_is_optional` is true, the result is None. If `network_is_optional` is false, BridgeProblem is
    raised.
    """
    from strike_table.serve import lan_address

    found = lan_address() if lan else None
    if lan and found is None and not network_is_optional:
        raise BridgeProblem(
            "This computer is on no network.", "Without --lan, only this computer shows the table."
        )
    return found


def _make_players_access(folder: Path, key: str) -> PlayersAccess:
    from strike_cli.phones.players_api import PlayersAccess

    return PlayersAccess(folder, key, _print_line)


def _make_links(url: str, key: str, network_host: str | None, public: str, port: int, tablet: bool) -> Links:
    """Return the links to a table.

    Args:
        url: The table's address on this machine.
        key: The table's key, from which the tokens in the links are derived.
        network_host: This computer's address on its network, or None.
        public: The address of a proxy that makes the table public; "" without a proxy.
        port: The port that devices on the network use if there is a proxy. Without a proxy they use the port
            in `url`.
        tablet: Whether to make one more link, with which the game master can play on another device.
    """
    from strike_table.serve import LinkAudience, http_url, watch_link

    there = http_url(network_host, port if public else int(url.rpartition(":")[2])) if network_host else ""
    link = watch_link(public or there, key) if public or there else ""
    acting = watch_link(there, key, LinkAudience.GM, acts=True) if tablet and there else ""
    return Links(url, watch_link(url, key, LinkAudience.GM), link, there, acting)


def _serving_problem(problem: BaseException, port: int) -> BridgeProblem:
    from strike_table.serve import FolderInUse, PortInUse

    if isinstance(problem, PortInUse):
        hint = "`strike table --port 0` picks a free port; end the other table to use this one."
        return PortTaken(f"Port {port} is in use, perhaps by another table.", hint)
    if isinstance(problem, FolderInUse):
        process = f" by process {problem.pid}" if problem.pid else ""
        at, end = (f" at {problem.url}", f"Open {problem.url}, or end") if problem.url else ("", "End")
        return BridgeProblem(
            f"This campaign's table is already served{at}{process}.",
            f"{end} it with Ctrl-C in its terminal to serve one here.",
        )
    return BridgeProblem(f"The table can't be served: {problem}.", "Check the port and the folder.")


def _print_line(line: str) -> None:
    write_text_to_stdout(f"{replace_unprintable(line)}\n")
    sys.stdout.flush()


def _set_callback_to_wake_watchers(access: PlayersAccess | None, wake_watchers: Callable[[], None]) -> None:
    if access is not None:
        access.on_change = wake_watchers


class PortTaken(BridgeProblem):
    """Raised if another program listens on the table's port."""


class RunningBridge:
    """A bridge that runs beside the table. When it has ended, its report is stored in `report`."""

    def __init__(self, folder: Path, settings: Settings, own: OwnTable) -> None:
        self.folder = folder
        self.settings = settings
        self.own_table = own
        self.ended = threading.Event()
        self.report: DeliveryReport | None = None
        """The bridge's report, once it has ended."""

    def raise_if_ended(self) -> None:
        """Raise BridgeProblem if the bridge has ended by itself."""
        if self.report is not None and self.ended.is_set():
            raise BridgeProblem(
                f"The bridge to the table has ended: {self.report.error}.",
                "The table's memory is kept: start it again.",
            )

    def wait_until_delivered(self, seconds: float = 10.0) -> None:
        """Wait until the table has acknowledged everything and shows it, for `seconds` at most."""
        from strike_bridge.delivery_record import load_or_make_cursor

        with Campaign(self.folder) as campaign:
            newest = campaign.head.seq
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            if (
                load_or_make_cursor(self.folder, self.settings.name).acknowledged >= newest
                and not self.read_token_differences()
            ):
                return
            time.sleep(0.05)

    def read_token_differences(self) -> list[dict[str, object]]:
        """Return the differences between the tokens that the table shows and the tokens in the campaign."""
        from strike_bridge.target_differences import diff_target

        return diff_target(self.folder, self.settings, self.own_table)

    def read_tokens(self) -> list[ReadToken]:
        """Read the tokens back from the table."""
        from strike_bridge.target_differences import read_target_tokens

        return list(read_target_tokens(self.folder, self.settings, self.own_table).values())


@contextlib.contextmanager
def running_bridge(
    folder: Path,
    running: RunningTable,
    target: Mapping[str, object],
    on_change: Callable[[DeliveryReport], None] = lambda report: None,
    *,
    name: str = TARGET,
) -> Iterator[RunningBridge]:
    """Run the bridge to a table that is served here, in a thread, while the `with` block runs.

    A table of the kind "table" also shows the session and the party between scenes. A second thread sends
    them.

    Args:
        folder: The campaign's folder.
        running: The table that is served.
        target: The target's settings.
        on_change: A function that is called in the bridge's thread when the bridge fails, and when it works
            again.
        name: The target's name in the bridge's records.
    """
    from strike_bridge.consent import OwnTable
    from strike_bridge.push_follow_and_sync import deliver_until_stopped
    from strike_bridge.settings import campaign_language, settings_from_unchecked_table

    from .bridge import report_of_crash

    settings = settings_from_unchecked_table(name, target)._replace(
        url=running.url, language=campaign_language(folder)
    )
    own = OwnTable(running.url, running.key)
    bridge, stop = RunningBridge(folder, settings, own), threading.Event()

    def follow_game() -> None:
        try:
            bridge.report = deliver_until_stopped(folder, settings, stop, on_change, own)
        except Exception as error:
            bridge.report = report_of_crash(name, error)
        bridge.ended.set()

    threads = [threading.Thread(target=follow_game, name="bridge", daemon=True)]
    if settings.kind == "table":
        from .intermission_sender import send_intermission_until_stopped

        between = (folder, running.url, running.key, stop)
        threads.append(
            threading.Thread(
                target=send_intermission_until_stopped, args=between, name="between", daemon=True
            )
        )
    for thread in threads:
        thread.start()
    try:
        yield bridge
    finally:
        stop.set()
        for thread in threads:
            thread.join(5)
