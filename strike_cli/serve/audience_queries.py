"""Queries of a campaign for an audience: table, legal options, status, log, texts for assistants."""

from __future__ import annotations

import contextlib
import secrets
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from starlette.types import Scope

from strike_table.access_control import watch_token
from strike_table.audience_views import LinkAudience as TableAudience

from ..campaign.redacted_journal import PlayersJournal
from ..campaign.session_snapshot import SecretItemFinder
from ..phones.player_page_data import PhoneSnapshot
from ..phones.players_api import PlayersAccess
from ..problems import Problem
from ..systems.campaign.commands.token_reach_and_sight import RangeFinder
from ..terminal.command_output import SCHEMA
from ..terminal.screen.campaign_view import audience_at_table, audience_view_for_players
from ..visibility.audiences import GM as EVERYTHING
from ..visibility.secret_picks import conceal_picks_in_entries, entry_numbers_left_undone
from .hosted_game import HostedGame

if TYPE_CHECKING:
    from ..phones.player_page_types import PhonePage
    from ..terminal.json_envelope_types import Envelope

GM, PLAYERS = "gm", "players"
SERVE_TARGET = "serve"
"""The bridge's name for the table that is read here."""
TABLE_SECONDS = 5.0
"""Seconds within which the table's views catch up with the campaign."""
MOST_ENTRIES = 500


class RequestAudience(NamedTuple):
    """The audience of a request: the game master, the players, or one character's player (`who`)."""

    id: str
    who: str = ""


class AudienceQueries:
    """Answers queries about a hosted campaign. Each answer shows what a certain audience may know.

    The bridge delivers the views of the table. It starts when such a view is first read. So programs that
    only play commands don't have to wait for the bridge.
    """

    def __init__(self, game: HostedGame) -> None:
        self.game = game
        self.folder: Path = game.folder
        self.key = secrets.token_urlsafe(32)
        """The key with which the bridge delivers; it is sent nowhere else."""
        self.door = PlayersAccess(self.folder, secrets.token_urlsafe(16))
        self.ranges = RangeFinder(self.folder)
        self.url = ""
        self._left = contextlib.ExitStack()
        self._settled: Callable[[float], bool] | None = None
        self._heard: PlayersJournal | None = None
        self._secret = SecretItemFinder()
        self._snapshot: tuple[int, PhoneSnapshot] | None = None

    def close(self) -> None:
        """Stop the bridge that delivers to the table's views."""
        self._left.close()

    def find_audience(self, word: str) -> RequestAudience | None:
        """Return the audience for "gm", "players" or a character's id; None if there is no such character."""
        if word in (GM, PLAYERS):
            return RequestAudience(word)
        known = self.game.call_on_game_thread(lambda: word in self.game.current_campaign.book.characters)
        return RequestAudience(PLAYERS, word) if _result_or_false_on_problem(known.result) else None

    # The table's views

    def start_and_await_table_views(self) -> bool:
        """Wait until the table's views show the present campaign; return False if that takes too long."""
        if self._settled is None:
            self._settled = self._start_delivery()
        return self._settled(TABLE_SECONDS)

    def _start_delivery(self) -> Callable[[float], bool]:
        """Let the bridge deliver to the table from now on; return a function that waits for it.

        The function takes a number of seconds, and returns whether everything was delivered within them.
        """
        from strike_bridge.delivery_record import load_or_make_cursor

        from ..systems.campaign.commands.table import DEFAULT_TABLE_TARGET, RunningTable, running_bridge

        running = RunningTable(self.key)
        running.url = self.url
        bridge = self._left.enter_context(
            running_bridge(self.folder, running, DEFAULT_TABLE_TARGET, name=SERVE_TARGET)
        )

        def wait_until_delivered(seconds: float) -> bool:
            newest = self.game.call_on_game_thread(lambda: self.game.current_campaign.head.seq).result()
            until = time.monotonic() + seconds
            while time.monotonic() < until and not bridge.ended.is_set():
                if load_or_make_cursor(self.folder, SERVE_TARGET).acknowledged >= newest:
                    return True
                time.sleep(0.005)
            return False

        return wait_until_delivered

    def table_request(self, scope: Scope, audience: RequestAudience) -> Scope:
        """Return a request as the table expects it: with the audience's link instead of the server's key."""
        link = TableAudience.GM if audience.id == GM else TableAudience.PLAYERS
        query = [
            pair
            for pair in scope["query_string"].split(b"&")
            if pair and pair.split(b"=")[0] not in (b"as", b"watch")
        ]
        query.append(b"watch=" + watch_token(self.key, link).encode())
        dropped = (b"authorization", b"origin")
        headers = [(name, value) for name, value in scope["headers"] if name not in dropped]
        return {**scope, "query_string": b"&".join(query), "headers": headers}

    # Views for players, made on the game's thread

    def proposable_moves_envelope(self, audience: RequestAudience) -> Envelope:
        """Return the envelope of the moves that the audience may propose.

        They are the moves of one character for that character's player, otherwise those of every character.
        """
        snapshot = self._current_snapshot()
        people = [audience.who] if audience.who else list(snapshot.book.characters)
        found = [
            {"who": person, "typed": " ".join(offer.words), "words": list(offer.words), "text": offer.text}
            for person in people
            for offer in (*snapshot.move_offers(person).values(), *snapshot.roll_offers(person).values())
        ]
        return _envelope_of_data("options", {"options": found})

    def status_known_to_players(self, audience: RequestAudience) -> Envelope:
        """Return the envelope of the present state as players know it: session, scenes, decisions, party."""
        snapshot = self._current_snapshot()
        number, is_open = snapshot.view.session_number_and_is_open
        data = {
            "name": snapshot.book.name,
            "session": number,
            "session_open": is_open,
            "scenes": [
                {
                    "system": scene.system,
                    "name": scene.name,
                    "goal": scene.goal,
                    "round": scene.round,
                    "active": scene.order.active if scene.order else None,
                }
                for scene in snapshot.view.scenes
            ],
            "pending": [
                {"who": each.asked.who, "asks": each.asked.question, "options": list(each.asked.options)}
                for each in snapshot.view.decisions.values()
            ],
            "party": [{"id": person, "name": snapshot.name(person)} for person in snapshot.book.characters],
        }
        return _envelope_of_data("status", data)

    def newest_log_entries_after(self, audience: RequestAudience, after: int, max_count: int) -> Envelope:
        """Return the newest journal entries, in an envelope.

        There are at most `max_count` entries, and never more than MOST_ENTRIES. Entries with the number
        `after` or a lower one are left out. Players get the entries as they may see them. The numbers are
        those of the players' own count.
        """
        campaign = self.game.current_campaign
        if audience.id != GM:
            if self._heard is None:
                self._heard = PlayersJournal(self._current_snapshot().view.audience)
            return _envelope_of_data(
                "log",
                {"entries": self._heard.newest_entries_after(campaign, after, min(max_count, MOST_ENTRIES))},
            )
        entries = campaign.journal.newest_entries(min(max_count, MOST_ENTRIES))
        entries = [entry for entry in entries if entry["seq"] > after]
        undone = entry_numbers_left_undone(entries)
        return _envelope_of_data(
            "log", {"entries": list(conceal_picks_in_entries(lambda: entries, EVERYTHING, undone))}
        )

    def phone_page(self, audience: RequestAudience) -> PhonePage:
        """Return the page that a player's phone shows. It may be called on any thread."""
        return self.door.page(audience.who)

    def _current_snapshot(self) -> PhoneSnapshot:
        campaign = self.game.current_campaign
        at = campaign.head.seq + self.game.changes * 10**9
        if self._snapshot is None or self._snapshot[0] != at:
            self._snapshot = (
                at,
                PhoneSnapshot(campaign.book, audience_view_for_players(campaign, self._secret)),
            )
        return self._snapshot[1]


def _result_or_false_on_problem(read_result: Callable[[], bool]) -> bool:
    try:
        return read_result()
    except Problem:
        return False


def _envelope_of_data(command: str, data: dict[str, object]) -> Envelope:
    return {
        "schema": SCHEMA,
        "ok": True,
        "command": command,
        "seq": None,
        "data": data,
        "facts": [],
        "pending": None,
        "exit": 0,
    }


# Text for assistants, made on the game's thread


def table_text_for_players(game: HostedGame) -> str:
    """Return the players' view of the table as text, as `watch --player` shows it."""
    from ..campaign_on_screen import campaign_on_one_screen
    from ..terminal.command_output import blocks_as_unwrapped_text

    campaign = game.current_campaign
    return blocks_as_unwrapped_text(
        campaign_on_one_screen(campaign, 4, 60, audience_at_table(campaign.book)), 100
    )


def newest_log_text_for_players(game: HostedGame) -> str:
    """Return the last 50 entries as text, as players may see them."""
    from ..terminal.command_output import blocks_as_unwrapped_text
    from ..terminal.journal_lines import newest_entry_lines

    campaign = game.current_campaign
    audience = audience_at_table(campaign.book)
    return blocks_as_unwrapped_text(
        [line for lines in newest_entry_lines(campaign, 50, audience) for line in lines]
    )


def sheet_text(snapshot: PhoneSnapshot, person: str) -> str:
    """Return a character's sheet as text.

    It has the content that the character's player sees on their page.
    """
    page = snapshot.page(person)
    lines = [f"{page['character']['name']}: {page['character']['concept']}"]
    lines += [f"{each['name']}: {each['value']}" for each in page["numbers"]]
    lines += [f"{each['name']}: {each['text'] or each['wounds']}" for each in page["meters"]]
    lines += [f"{each['name']}: {each['text']}" for each in page["statuses"]]
    for part in page["parts"]:
        lines.append(f"{part['title']}: {', '.join(str(item['name']) for item in part['items'])}")
    return "\n".join(lines)
