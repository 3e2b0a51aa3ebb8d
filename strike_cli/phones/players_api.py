"""The requests of players' devices: open a page by a link, answer decisions, make proposals.

An answer is played as if the game master had typed it, unless another entry was recorded since the page was
made.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cached_property
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from strike_table.player_pages import PlayerRequestRefused

from ..campaign.campaign import MovedOn
from ..campaign.change_stamp import journal_and_state_stamp, poll_interval
from ..campaign.redacted_journal import NewestPlayersEntries
from ..campaign.session_snapshot import SecretItemFinder
from ..content import CAMPAIGN_FILE
from ..kernel.driver import FacesNeeded
from ..problems import CampaignProblem, Problem
from ..session.python_session import Session
from ..tabletop.dice_notation import DiceFault
from ..tabletop.scene import Person
from ..terminal.invocation import ASK, UNATTENDED, GivenOptions
from ..terminal.screen.campaign_view import audience_view_for_players
from ..untrusted_input import replace_unprintable
from ..visibility.audiences import PARTY
from . import proposals
from .links import ValidLinks
from .maps_and_handouts import PlayersTableMaker, cached_map_tile, players_table_maker, read_shown_picture
from .player_page_data import (
    Offer,
    PhoneDecision,
    PhoneSnapshot,
    last_undoable_command,
    offer_of_dice_if_prefixed,
    phone_entry,
)

if TYPE_CHECKING:
    from ..campaign import Campaign
    from ..kernel.procedure import Roll
    from ..tabletop.own_sheet_types import OwnRoll
    from ..visibility.audiences import Audience
    from .player_page_types import PhonePage

NEWS_FIRST = 0.25
"""Seconds after a command in which phones get the news, and no slow computation begins."""
OUTDATED_AFTER = 1.0
"""Seconds after which a proposal that is no longer possible is removed. Until then somebody may be accepting
it: it is played before it is ended.
"""
RECENT = 12
"""Entries of the journal that a phone shows, as far as its player may know them."""
GONE = "That was decided already, or taken back: look again."
MOVED_ON = "The game has moved on since: look again."
NO_FACES = "Those faces don't fit that roll."
OFF = "Your game master takes no answers from phones now: say it at the table."
TRIES = 5
"""How often an answer is tried while others play."""
BUSY = "It can't be sent just now: try again, or tell your game master."


class PlayersAccess:
    """The access of players to one campaign.

    `seal` is a secret text: with it, the ids of decisions don't reveal what is decided (`PhoneSnapshot`).
    `tell` is called with a line for people when a player has played something or proposed it. `on_change` is
    called when phones have something new to show.
    """

    def __init__(self, folder: Path, seal: str, tell: Callable[[str], None] = lambda line: None) -> None:
        self.folder = folder
        self.on_change: Callable[[], None] = lambda: None
        self.secret = SecretItemFinder()
        self._seal = seal
        self._tell = tell
        self._links = ValidLinks(folder)
        self._written = os.path.join(folder, CAMPAIGN_FILE)
        self._lock = threading.Lock()
        self._seen: object = None
        self._snapshot: PhoneSnapshot | None = None
        self._heard: tuple[Audience, NewestPlayersEntries] | None = None
        self._rung = 0.0
        """The time of the latest news."""
        self._unfit: dict[int, float] = {}
        """The times since when open proposals have been impossible, by number."""
        self._watched: dict[str, float] = {}
        """The time when each character's page was last looked at."""
        self._opened = threading.Event()
        """Set when a page was looked at since the last search for forecasts."""

    # Links and pages

    def character_with_secret(self, secret: str) -> str | None:
        """Return the character whose link has this secret; None if there is none, or links can't be read."""
        with suppress(CampaignProblem):
            return self._links.character_with_secret(secret)
        return None

    def secret_for_recent_code(self, code: str) -> str | None:
        """Return the secret of the link to which a typed code leads; None for an invalid code.

        It is also None if the links can't be read.
        """
        with suppress(CampaignProblem):
            return self._links.secret_for_recent_code(code)
        return None

    def page(self, character: str, *, at_once: bool = False) -> PhonePage:
        """Return a player's page. With `at_once` it leaves out moves that aren't computed yet.

        Raises PlayerRequestRefused if the campaign can't be read, or the character is no longer in it.
        """
        snapshot = self._current_or_last_snapshot()
        if character not in snapshot.book.characters:
            raise PlayerRequestRefused("gone", "Your character is no longer in this campaign.", 404)
        self._watched[character] = time.monotonic()
        self._opened.set()
        with self._lock:
            return snapshot.page(character, at_once=at_once)

    def _current_or_last_snapshot(self) -> PhoneSnapshot:
        """Return a snapshot of the campaign as it is now. All phones share the snapshot.

        While the campaign can't be read, return the last snapshot. Raises PlayerRequestRefused if there is
        none yet.
        """
        with self._lock:
            seen = self.stamp()
            if self._snapshot is None or seen != self._seen:
                proposed = proposals.read_proposals(
                    self.folder
                )  # before the campaign, so that none is newer than it
                try:
                    earlier, self._snapshot = (
                        self._snapshot,
                        self._make_snapshot_without_forecasts(self._session.current_campaign(), proposed),
                    )
                    if earlier is not None:
                        self._snapshot.reuse_forecasts_if_same_knowledge(earlier)
                except Problem as problem:  # somebody may be in the middle of an edit
                    if self._snapshot is None:
                        raise PlayerRequestRefused(
                            "busy", "The campaign can't be read now.", 503
                        ) from problem
                self._seen = seen
            return self._snapshot

    def _make_snapshot_without_forecasts(
        self, campaign: Campaign, proposed: proposals.Proposals
    ) -> PhoneSnapshot:
        view = audience_view_for_players(campaign, self.secret)
        audience = view.audience
        if self._heard is None or self._heard[0] != audience:
            self._heard = audience, NewestPlayersEntries(audience, RECENT)
        party = {
            character: Person(character, one["name"], PARTY)
            for character, one in campaign.book.characters.items()
        }
        heard = (
            phone_entry(entry, audience.language, party | view.people)
            for entry in self._heard[1].newest_entries(campaign)
        )
        log = [told for told in heard if told["lines"]]
        last = last_undoable_command(campaign)
        seq = campaign.head.seq
        return PhoneSnapshot(
            campaign.book, view, self._seal, log, proposed, self._players_table_maker, last, seq
        )

    def picture_seen_by(self, character: str, digest: str) -> tuple[bytes, str] | None:
        """Return the bytes and type of a picture that the character sees, on the map or as a handout.

        Return None for any other picture.
        """
        snapshot = self._current_or_last_snapshot()
        with self._lock:
            ground = snapshot.map_of_character(character)
        shown = {**snapshot.players_table.pictures, **(ground.pictures if ground else {})}
        found = read_shown_picture(self.folder, shown, digest)
        return found and (found.content, found.media_type)

    def tile(self, character: str, name: str, size: int) -> bytes | None:
        """Return a tile of the map that the character sees, `size` pixels to a square.

        Only a map with fog has tiles. Return None if the character's map has no tile with this name.
        """
        snapshot = self._current_or_last_snapshot()
        with self._lock:
            ground = snapshot.map_of_character(character)
        return cached_map_tile(ground, name, size) if ground else None

    def stamp(self) -> object:
        """Return a value that changes whenever phones have something new to show."""
        return (
            journal_and_state_stamp(self.folder, [self._written]),
            proposals.proposals_stamp(self.folder),
            self._links.stamp(),
        )

    def watch_and_end_outdated_proposals(self, stop: threading.Event) -> None:
        """Watch the campaign until `stop` is set: call `on_change` at every change, and compute forecasts.

        Also end proposals that have become impossible.
        """
        foresight = threading.Thread(
            target=self._compute_forecasts_until_stopped, args=[stop], name="foresight", daemon=True
        )
        foresight.start()
        seen: object = None
        while not stop.wait(poll_interval(self._rung)):
            now = self.stamp()
            if now != seen:
                self._rung = time.monotonic()
                self.on_change()
            if now != seen or self._unfit:
                seen = now
                with suppress(Exception):  # a system's failure must not end this thread: the page reports it
                    self._end_outdated_proposals(self._current_or_last_snapshot())
        self._opened.set()
        foresight.join(5)

    def _compute_forecasts_until_stopped(self, stop: threading.Event) -> None:
        """Compute legal moves and forecasts for the open pages until `stop` is set.

        It waits NEWS_FIRST seconds after each change, so that phones get the news of a command first.
        """
        while self._opened.wait() and not stop.is_set():
            if (rest := self._rung + NEWS_FIRST - time.monotonic()) > 0:
                stop.wait(rest)
                continue
            self._opened.clear()
            with suppress(Exception):
                self._compute_for_open_pages_until_change(self._current_or_last_snapshot(), stop)

    def _compute_for_open_pages_until_change(self, snapshot: PhoneSnapshot, stop: threading.Event) -> None:
        """Compute the legal moves of each player whose page is open, and a forecast of each move.

        For each player, the moves that have a square as target come last. The computation stops as soon as
        the campaign changes.
        """
        for character, when in [*self._watched.items()]:
            if time.monotonic() - when > 60 or character not in snapshot.book.characters:
                continue
            if stop.is_set() or self.stamp() != self._seen:
                return
            if character not in snapshot.characters_with_computed_offers:
                found_out = snapshot.compute_offers_and_ranges(
                    character
                )  # which takes a while: nobody waits for it
                with self._lock:
                    snapshot.store_offers_and_ranges(character, found_out)
                self.on_change()
            left = [
                each for each in snapshot.move_offers(character).values() if each.id not in snapshot.previews
            ]
            for offer in sorted(left, key=lambda each: bool(each.square)):
                if stop.is_set() or self.stamp() != self._seen:
                    return
                found = snapshot.compute_forecast_for_player(character, offer)
                with self._lock:
                    snapshot.store_forecast(offer.id, found)
            if left:
                self.on_change()

    def _end_outdated_proposals(self, snapshot: PhoneSnapshot) -> None:
        """End the proposals that have been impossible for OUTDATED_AFTER seconds.

        Whether a proposal is possible is judged by what players know.
        """
        now, unfit = time.monotonic(), dict[int, float]()
        for one in snapshot.proposed.waiting:
            with self._lock:
                fits = snapshot.is_proposal_offered_or_by_assistant(one)
            if fits:
                continue
            unfit[one.id] = self._unfit.get(one.id, now)
            if now - unfit[one.id] >= OUTDATED_AFTER:
                with suppress(Problem):
                    proposals.end_proposal(self.folder, one, "outdated")
        self._unfit = unfit

    # Answers and proposals

    def play_or_propose_answer(
        self, character: str, decision: str, option: str, faces: list[list[int]], device: str = ""
    ) -> dict[str, object]:
        """Answer an open decision of a character. `device` names the device if it isn't a phone.

        If the answer was played, `taken` is true in the result. If the game master has to accept it first,
        `proposal` has the number of the proposal. If the player has to roll dice first, `dice` has these
        dice. Raises PlayerRequestRefused if the answer is refused, for example because the decision is no
        longer open.
        """
        for _ in range(TRIES):
            snapshot = self._current_or_last_snapshot()
            _require_answers_allowed(snapshot)
            found = self._decision_of_character(snapshot, character, decision)
            if found is None:
                raise PlayerRequestRefused("gone", GONE)
            if option not in found.options:
                raise PlayerRequestRefused("not_offered", "That was not one of the answers.")
            if snapshot.book.answers == "ask":
                return self._propose_answer(snapshot, character, found, option)
            words, _ = found.command_and_text_for_answer(option)
            note = f"answered in {device}" if device else ""
            try:
                self._play_with_faces(snapshot, character, words, faces, note, entered=found.entered)
            except MovedOn:
                continue  # perhaps in another scene: the decision may be unchanged
            except FacesNeeded as wanted:
                if wanted.roll.who in snapshot.own_ids(character):
                    return _request_for_faces(snapshot, wanted.roll)
                return self._propose_answer(snapshot, character, found, option)  # others roll: ask first
            where = f"in {device}" if device else "from their phone"
            self._tell(f"{snapshot.name(character)} answers {where}: {found.asks}: {option}")
            self.on_change()
            return {"taken": True, "proposal": None, "dice": None}
        raise PlayerRequestRefused("busy", BUSY, 503)

    def decider_and_question(self, decision: str) -> tuple[str, str]:
        """Return the character who has to make an open decision, and its question.

        Both are "" for an unknown id.
        """
        snapshot = self._current_or_last_snapshot()
        for character in snapshot.book.characters:
            if found := self._decision_of_character(snapshot, character, decision):
                return character, found.asks
        return "", ""

    def _decision_of_character(
        self, snapshot: PhoneSnapshot, character: str, id: str
    ) -> PhoneDecision | None:
        with self._lock:
            return next((each for each in snapshot.open_decisions(character) if each.id == id), None)

    def _play_with_faces(
        self,
        snapshot: PhoneSnapshot,
        character: str,
        words: Sequence[str],
        faces: Sequence[list[int]],
        note: str = "",
        *,
        entered: bool = False,
    ) -> None:
        """Play a player's command with the faces of their dice, unless the game has gone on since `snapshot`.

        If some of the faces aren't used, nothing is played. `note` is recorded with the command. With
        `entered`, earlier dice of the command were entered by hand, so all its dice are physical. Raises
        MovedOn if the game has gone on, FacesNeeded if more faces are needed, and PlayerRequestRefused if the
        command is refused.
        """
        left = list(faces)

        def next_faces(roll: Roll, name: str) -> list[int]:
            if not left:
                raise FacesNeeded(roll)
            if not _faces_fit_roll(roll, left[:1]):
                raise PlayerRequestRefused("not_offered", NO_FACES)
            return left.pop(0)

        how = UNATTENDED._replace(
            leaves_decisions_open=True,
            skips_confirmation=True,
            player=character,
            expected_last_entry=snapshot.seq,
            face_source=next_faces,
            dice=ASK if entered else "",
        )
        try:
            if faces:  # first try the faces, recording nothing
                self._session.play_for_result(words, how._replace(given=GivenOptions(dry_run=True)))
                if left:
                    raise PlayerRequestRefused("not_offered", NO_FACES)
                left = list(faces)
            self._session.play_for_result(words, how._replace(given=GivenOptions(note=note)))
        except CampaignProblem as problem:
            raise PlayerRequestRefused("busy", BUSY, 503) from problem
        except MovedOn:
            raise
        except Problem as problem:
            raise _refusal_for_player(snapshot, problem) from problem

    @cached_property
    def _players_table_maker(self) -> PlayersTableMaker:
        return players_table_maker(self.folder)

    @cached_property
    def _session(self) -> Session:
        return Session(self.folder)

    def _propose_answer(
        self, snapshot: PhoneSnapshot, character: str, decision: PhoneDecision, option: str
    ) -> dict[str, object]:
        words, text = decision.command_and_text_for_answer(option)
        return self._add_and_announce_proposal(snapshot, character, words, text, answers=decision.mark)

    def _add_and_announce_proposal(
        self,
        snapshot: PhoneSnapshot,
        character: str,
        words: Sequence[str],
        text: str,
        faces: Sequence[int] = (),
        answers: str = "",
    ) -> dict[str, object]:
        one = proposals.add_or_replace_proposal(self.folder, character, words, text, faces, answers)
        self._tell(
            f"{snapshot.name(character)} proposes: {one.text}  "
            f"(strike accept {one.id}, strike decline {one.id})"
        )
        self.on_change()
        return {"taken": False, "proposal": one.id, "dice": None}

    def propose_or_play_in_own_turn(
        self, character: str, offer: str, position: str, faces: list[list[int]]
    ) -> dict[str, object]:
        """Propose an offered move to the game master, or play it at once.

        It is played at once if players may play their own turns, and if it is the character's own action in
        the character's own turn.

        In the result, `taken` says whether the move was played. If it became a proposal, `proposal` has the
        proposal's number. If the player has to roll dice first, `dice` describes them.

        Raises PlayerRequestRefused if the move is no longer possible.
        """
        snapshot, found = self._current_offer_or_typed_dice(character, offer, position)
        if snapshot.book.own_turn == "play" and snapshot.is_own_action_in_own_or_side_turn(character, found):
            return self._play_offer_or_propose(snapshot, character, found, faces)
        if faces and not _faces_fit_roll(found.roll, faces):
            raise PlayerRequestRefused("not_offered", NO_FACES)
        try:
            return self._add_and_announce_proposal(
                snapshot, character, found.words, found.text, [*chain(*faces)]
            )
        except Problem as problem:
            raise PlayerRequestRefused("busy", BUSY, 503) from problem

    def _current_offer_or_typed_dice(
        self, character: str, offer_id_or_dice: str, position: str
    ) -> tuple[PhoneSnapshot, Offer]:
        """Return an offer that was made to a player's phone, with the snapshot that the offer comes from.

        `position` says which state of the page the player saw when choosing the offer. Raises
        PlayerRequestRefused if the page has changed since then, or if there is no such offer.
        """
        snapshot = self._current_or_last_snapshot()
        _require_answers_allowed(snapshot)
        try:
            if dice := offer_of_dice_if_prefixed(offer_id_or_dice):
                return snapshot, dice
        except DiceFault as fault:
            raise PlayerRequestRefused("not_offered", fault.as_usage.message) from None
        with self._lock:
            if position != snapshot.page(character)["position"]:
                raise PlayerRequestRefused("moved_on", MOVED_ON)
            undo = snapshot.undo_offer_of(character)
            if undo and undo.id == offer_id_or_dice:
                return snapshot, undo
            found = snapshot.roll_offers(character).get(offer_id_or_dice) or snapshot.move_offers(
                character
            ).get(offer_id_or_dice)
        if found is None:
            raise PlayerRequestRefused("not_offered", "That was not one of your options.")
        return snapshot, found

    def _play_offer_or_propose(
        self, snapshot: PhoneSnapshot, character: str, offer: Offer, faces: list[list[int]]
    ) -> dict[str, object]:
        """Play a player's offer at once, as if the game master had typed it, or make it a proposal.

        If the player has to roll, and the faces are missing, the reply asks for the faces. If somebody else
        has to roll, the offer becomes a proposal. If the offer is played, an open proposal of the player is
        withdrawn. Raises PlayerRequestRefused if the game has changed in the meantime.
        """
        try:
            self._play_with_faces(snapshot, character, offer.words, faces)
        except MovedOn:
            raise PlayerRequestRefused("moved_on", MOVED_ON) from None
        except FacesNeeded as wanted:
            if wanted.roll.who in snapshot.own_ids(character):
                return _request_for_faces(snapshot, wanted.roll)
            return self._add_and_announce_proposal(snapshot, character, offer.words, offer.text)
        if (waits := snapshot.proposed.open_proposal_of(character)) is not None:
            proposals.end_proposal(self.folder, waits)  # they have done something else instead
        self._tell(f"{snapshot.name(character)} plays: {offer.text}  (strike undo takes it back)")
        self.on_change()
        return {"taken": True, "proposal": None, "dice": None}

    def withdraw_proposal(self, character: str, number: int) -> None:
        """Withdraw the player's proposal with this number. Raises PlayerRequestRefused if it isn't open."""
        one = next(
            (each for each in proposals.read_proposals(self.folder).waiting if each.id == number), None
        )
        try:
            if one is None or one.who != character or not proposals.end_proposal(self.folder, one):
                raise PlayerRequestRefused("gone", "That is no longer waiting.", 404)
        except Problem as problem:
            raise PlayerRequestRefused("busy", BUSY, 503) from problem

    def sign_sender_name_or_refuse(self, character: str) -> str:
        """Return the name of a character whose player may show a sign.

        Raises PlayerRequestRefused if signs are switched off.
        """
        snapshot = self._current_or_last_snapshot()
        if not snapshot.book.signs:
            raise PlayerRequestRefused("switched_off", "Your game master has switched signs off.", 403)
        return snapshot.name(character)


def _request_for_faces(snapshot: PhoneSnapshot, roll: Roll) -> dict[str, object]:
    """Return the reply that asks a player's phone for the faces of the player's own dice for a roll."""
    dice = {"n": roll.n, "sides": roll.sides, "for": snapshot.purpose_of_roll_for_players(roll)}
    return {"taken": False, "proposal": None, "dice": dice}


def _faces_fit_roll(roll: Roll | OwnRoll | None, faces: Sequence[Sequence[int]]) -> bool:
    """Return whether `faces` has exactly one roll, and the dice of `roll` could show it.

    The number of dice must be that of `roll`, and each die must have such a face. If `roll` is None, return
    False.
    """
    if roll is None or len(faces) != 1:
        return False
    return len(faces[0]) == roll.n and all(1 <= face <= roll.sides for face in faces[0])


def _require_answers_allowed(snapshot: PhoneSnapshot) -> None:
    if snapshot.book.answers == "off":
        raise PlayerRequestRefused("switched_off", OFF, 403)


def _refusal_for_player(snapshot: PhoneSnapshot, problem: Problem) -> PlayerRequestRefused:
    """Return the refusal for a player, without the rules' reason if that would reveal somebody hidden."""
    from ..play.command_execution import DecisionWaits

    words = problem.message
    view = snapshot.view
    if view.names_anything_hidden_from_players(words) or (
        isinstance(problem, DecisionWaits) and view.has_hidden_decision
    ):
        words = "That can't be done now: ask your game master."
    return PlayerRequestRefused("refused", replace_unprintable(words))
