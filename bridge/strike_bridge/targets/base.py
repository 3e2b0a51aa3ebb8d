"""The interface of a target, which receives what the bridge sends.

The class for a new kind of tabletop is a subclass of `Target`. A target makes requests and interprets
answers. The worker decides when to send or repeat a request, and when to give it up. So a target waits for
nothing and catches nothing. docs/targets/python.md explains step by step how to write a target.
"""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Callable, Collection, Generator, Iterable, Mapping, MutableMapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, ClassVar, Final, Literal, NamedTuple, TypeVar

from strike_cli.deprecated_api_names import HasOldNames, OldName, make_module_getattr_for_old_names
from strike_cli.kernel.state_changes import State
from strike_cli.problems import CampaignProblem, did_you_mean, listed
from strike_cli.tabletop.campaign_pictures import LARGEST, LARGEST_MAP, picture_place_unless_whole_map
from strike_cli.visibility.audience_view import AudienceView, make_audience_view

from ..address import HIDDEN as HIDDEN_KEY
from ..address import redact_address, redact_secrets_of_address
from ..consent import Terms
from ..http_conversation import PLANNED, Answer, Conversation, PreparedRequest, Request, Requests, Wire
from ..journal_results import Post
from ..picture_files import PictureFile, PictureSources, read_picture
from ..request_outcome import Outcome, OutcomeKind, outcome_of_answer, outcome_of_html_page
from ..settings import Option, Settings, checked_options_with_defaults, safe_address_or_raise
from ..state_projection import Payload, ShownTable, project_view, turn_order_as_list_by_readiness

if TYPE_CHECKING:
    from strike_cli.kernel.journal_types import StoredFact
    from strike_table.schemas import SquarePayload

    from ..payloads import (
        ReadToken,
        ResultExtras,
        ShownAside,
        ShownDecision,
        ShownExhibit,
        ShownImage,
        ShownOrder,
        ShownScene,
        ShownToken,
    )


__all__ = [
    "HIDDEN_KEY",
    "PLANNED",
    "Answer",
    "Asking",
    "Conversation",
    "Finding",
    "ListedToken",
    "Option",
    "Outcome",
    "OutcomeKind",
    "Payload",
    "PlayerAnswer",
    "Post",
    "PreparedRequest",
    "Request",
    "Requests",
    "Settings",
    "Supports",
    "TabletopValues",
    "Target",
    "Terms",
    "Wire",
    "differs",
    "value_for_token",
]  # fmt: skip

FIELDS_WITHOUT_MAP: tuple[Literal["track", "sides", "round", "over"], ...] = (
    "track",
    "sides",
    "round",
    "over",
)
"""The fields of a scene that have nothing to do with a map."""
FOG: Final = "fog"
"""The field of a scene's fog. A target that hides tokens from players by itself has a fog of its own."""

T = TypeVar("T")
Asking = Generator[Request, Answer, T]
"""A part of a conversation that returns a value: `scene = yield from self._scene()`."""


class Supports(NamedTuple):
    """The abilities of a kind of tabletop.

    Attributes:
        units: The units of positions: "squares" or "pixels".
        anchor: The point of a token that a position names: "top-left" or "center".
        hidden: It hides tokens and secret results from its players itself.
        hp: It shows HP.
        statuses: It shows statuses.
        turn_order: It shows the turn order.
        chat: It shows results.
        marks: It can mark an earlier result as undone.
        images: It takes pictures of creatures or maps.
        doors: It shows doors.
        zones: It shows zones.
        links: Its tokens have ids of its own, so ours must be linked to them.
        create: It can create missing tokens, if the settings allow that.
        find: It can list its tokens (`find_tokens`).
        read_back: It can report our tokens (`read_tokens`).
        read_results: It can say whether a result arrived (`has_result`).
        idempotent: It shows a result once, even if the result is sent twice.
        boardless: It shows scenes without a map, with their track and sides. A tabletop without this ability
            is sent only those creatures of such a scene that have a meter or a status.
        beside: It shows side scenes.
        asked: It shows open decisions.
        exhibits: It shows clocks, the day and handouts.
        any_order: It shows turns that are taken in any order or by whole sides. A tabletop without this
            ability is sent a list instead, in which creatures that may act come first.
        whole: It is sent scene, tokens and order together (`put_whole`).
    """

    units: str = "squares"
    anchor: str = "top-left"
    hidden: bool = False
    hp: bool = False
    statuses: bool = False
    turn_order: bool = False
    chat: bool = False
    marks: bool = False
    images: bool = False
    doors: bool = False
    zones: bool = False
    links: bool = False
    create: bool = False
    find: bool = False
    read_back: bool = False
    read_results: bool = False
    idempotent: bool = False
    boardless: bool = False
    beside: bool = False
    asked: bool = False
    exhibits: bool = False
    any_order: bool = False
    whole: bool = False

    def words(self) -> list[str]:
        """Return the names of the abilities that are True."""
        return [name for name, value in self._asdict().items() if value is True]


class ListedToken(NamedTuple):
    """A token in the target's list, with the id and the name that it has there.

    `ours` is our id, if the target stores it, else "". `made` is true if the bridge created the token, and
    false if the game master did.
    """

    id: str
    name: str
    ours: str = ""
    made: bool = True


class TabletopValues(NamedTuple):
    """The current values at a tabletop that somebody there may have edited.

    Attributes:
        tokens: Our tokens, as `read_tokens` returns them.
        gone: Our ids of the tokens that were deleted.
        doors: Whether each door in a wall is open, by the door's number in the scene.
        square_doors: Whether each door that fills a square is open, by the square's name.
    """

    tokens: Mapping[str, ReadToken]
    gone: Collection[str] = ()
    doors: Mapping[int, bool] = MappingProxyType({})
    square_doors: Mapping[str, bool] = MappingProxyType({})


class PlayerAnswer(NamedTuple):
    """A player's answer to an open decision, given at a tabletop.

    Attributes:
        id: The id of this press of the button.
        user: The player's id and name at the tabletop.
        decision: The decision, in sealed form.
        option: The chosen option.
        faces: The dice rolled at the tabletop, for each roll.
    """

    id: str
    user: tuple[str, str]
    decision: str
    option: str
    faces: list[list[int]]


class Finding(NamedTuple):
    """A finding of `bridge doctor`.

    Attributes:
        what: The finding in words.
        well: Whether everything is in order.
        remedy: What to do if something isn't in order.
        tried: Whether the check was made at all. If not, the finding proves nothing.
    """

    what: str
    well: bool = True
    remedy: str = ""
    tried: bool = True


def value_for_token(named: Mapping[str, object], id: str) -> str:
    """Return the value for a token in an option's table, or "" if the table has none.

    Args:
        named: The option's table.
        id: Our id of the token. The id is looked up first, then the id without its number: `goblin` for
            `goblin-2`.

    Returns:
        The value as text.
    """
    return str(named.get(id) or named.get(re.sub(r"-\d+$", "", id)) or "")


def differs(asked: object, told: object) -> bool:
    """Return whether a requested value and the value in the answer are both given, and differ.

    Args:
        asked: The value in the request; None or "" if it isn't given.
        told: The value in the answer; None or "" if it isn't given.
    """
    return asked not in (None, "") and told not in (None, "") and asked != told


class Target(HasOldNames):
    """A virtual tabletop; subclass it for a new kind.

    A method that sends something returns the requests for one change, in order. It returns a list, or a
    generator that yields a Request and receives the Answer to it. An empty list means that the target can't
    show the thing.

    The worker sends one request at a time, and stops if a request isn't applied. It later starts the same
    change again from its first request. If a request with `may_fail` is refused, the worker doesn't stop: the
    generator gets the answer and continues.
    """

    supports: Supports = Supports()
    default_url: ClassVar[str] = ""
    default_audience: ClassVar[str] = "players"
    default_preset: ClassVar[str] = ""
    recheck_delays: ClassVar[tuple[float, ...]] = ()
    """The delays in seconds after which an unanswered request that may still take effect is looked up again.
    After the last delay it can't take effect any more. Empty: it has taken effect at once, or never will."""
    keep_alive_after: ClassVar[float] = 0.0
    """Seconds without a request after which the worker calls `keep_alive`; 0: never."""
    most_combined: ClassVar[int] = 1
    """The maximum number of waiting results that one message may combine."""
    draws_effects: ClassVar[bool] = True
    """Whether the target uses `play` of results, the effects to draw. Else it is not made."""
    key_variable: ClassVar[str] = ""
    """The environment variable of its key; empty for a kind that needs no key."""
    key_words: ClassVar[str] = "key"
    """The name of the key in messages: "password", "webhook address"."""
    key_is_address: ClassVar[bool] = False
    """Whether the key is itself the address, with a secret in it; else the key is bound to the address in
    settings."""
    has_session: ClassVar[bool] = False
    """Whether `begin_session` exchanges the key for a session that expires (a cookie), kept in `session`."""
    OPTIONS: ClassVar[Mapping[str, Option]] = {}
    """The keys of `options` in campaign.toml. Any other is an error."""
    PRESETS: ClassVar[str] = ""
    """A TOML file beside the class's module, with [NAME.statuses] and [NAME.attributes] for each preset."""

    def __init__(self, settings: Settings, key: str = "", session: str = "") -> None:
        """Make the target for these settings.

        Raises:
            CampaignProblem: The address is invalid or isn't safe, an option is unknown or has an invalid
                value, or the preset is unknown.
        """
        self.name = settings.name
        self.settings = settings
        self.key = key
        self.session = session
        self.address = self.checked_address()
        self.options = checked_options_with_defaults(settings, self.OPTIONS)
        preset = self._chosen_or_default_preset()
        self.statuses: dict[str, str] = {**preset.get("statuses", {}), **settings.statuses}
        self.attributes: dict[str, str] = {**preset.get("attributes", {}), **settings.attributes}
        self.folder: Path | None = None
        """The campaign's folder, which holds the pictures."""
        self._portraits: PictureSources | None = None
        self._places: dict[tuple[object, str, str], dict[str, float] | None] = {}
        """Where pictures of maps lie on the grid, by their description, so that each is read once."""
        self.links: MutableMapping[str, str] = {}
        """Our id of a token to the target's. The worker stores it."""
        self.created_ids: Collection[str] = ()
        """Our ids of the linked tokens that the bridge created, and so may remove. The rest were there
        before."""
        self.acknowledged: Mapping[str, ShownToken] = {}
        """The tokens that the target acknowledged last, by our id."""
        self.recent_results: Sequence[str] = ()
        """The identities of the results that it was sent last."""
        self.everybody_ids: Collection[str] = ()
        """The ids of everybody in the scenes under way, hidden or gone, to look for their tokens there."""
        self.acknowledged_scene: ShownScene | None = None
        """The scene that the target had acknowledged when the worker began."""
        self.paths: Mapping[str, Sequence[SquarePayload]] = {}
        """The squares that tokens have walked since they were last sent, where that is known."""
        self.memory: MutableMapping[str, str] = {}
        """The values that it wants to find again after a restart. The worker stores them with its next
        save."""

    @classmethod
    def with_settings(cls, settings: Settings) -> type[Target]:
        """Return the class for a target with these settings.

        By default it is this class. A class whose abilities depend on the settings may return a subclass.

        Args:
            settings: The target's settings.

        Raises:
            CampaignProblem: The settings are faulty.
        """
        return cls

    @classmethod
    def sample_settings(cls) -> Mapping[str, object]:
        """Return settings for a target's table that are enough to try this kind of target.

        No real setup of the target is needed.
        """
        return {}

    def checked_address(self) -> str:
        """Return the target's address, without a slash at the end.

        Raises:
            CampaignProblem: The address isn't safe.
        """
        return safe_address_or_raise(self.settings, self.default_url)

    def option(self, name: str, kind: type[T]) -> T:
        """Return the value of the option `name`, which must be of the type `kind`.

        OPTIONS declares the options of a kind of target, with their types.
        """
        value = self.options[name]
        assert isinstance(value, kind)
        return value

    @property
    def for_gm(self) -> bool:
        """Whether the target may show hidden and secret things."""
        return (self.settings.audience or self.default_audience) == "gm"

    @property
    def may_create(self) -> bool:
        """Whether the bridge creates tokens that are missing at the target.

        It does if the target can create tokens, and the settings allow it.
        """
        return self.supports.create and self.settings.create

    def audience_view(self, state: State) -> AudienceView:
        """Return a state as the target's audience may see it."""
        return make_audience_view(state, self.settings.players._replace(gm=self.for_gm))

    def project(self, state: State) -> ShownTable:
        """Return what the target is to show for a state.

        It contains only what the target's audience may know, and pictures if the target takes them.
        """
        return self.project_view(self.audience_view(state))

    def project_view(self, view: AudienceView) -> ShownTable:
        """Return what the target is to show for an audience's view, without anything that it can't show."""
        supports = self.supports
        shown = project_view(view, every_boardless=supports.boardless)
        for token in shown.tokens.values():
            token["image"] = self._portrait_or_map_source(token["image"]) if supports.images else None
        for aside in shown.beside if supports.beside else ():
            for token in aside["tokens"]:
                token["image"] = None  # a creature with one is on the map with it
        if shown.scene is not None and (image := shown.scene.get("image")):
            shown = shown._replace(scene={**shown.scene, "image": self.map_picture(image)})
        if shown.scene is not None and not supports.boardless:
            scene: ShownScene = {**shown.scene}
            scene.pop(FOG, None)
            for key in FIELDS_WITHOUT_MAP:
                scene.pop(key, None)
            shown = shown._replace(scene=scene)
        if shown.order is not None and not supports.any_order:
            shown = shown._replace(order=turn_order_as_list_by_readiness(shown.order, shown.tokens))
        return shown._replace(
            beside=shown.beside if supports.beside else (),
            asked=tuple(map(self.prepare_decision, shown.asked)) if supports.asked else (),
            exhibits=shown.exhibits if supports.exhibits else (),
        )

    def prepare_decision(self, asked: ShownDecision) -> ShownDecision:
        """Return an open decision in the form that is sent to the target.

        The decision's `mark` is left out, because the decision's content could be guessed from the mark.
        """
        told: ShownDecision = {**asked}
        told.pop("mark", None)
        return told

    @property
    def combine_seconds(self) -> float:
        """The seconds for which a result without dice may wait for the next result.

        Both results are then sent in one message. 0 means that results don't wait.
        """
        seconds = self.options.get("gather", 0)
        return float(seconds) if isinstance(seconds, (int, float)) else 0

    def _portrait_or_map_source(self, image: ShownImage | None, largest: int = LARGEST) -> ShownImage | None:
        if not image or self.folder is None:
            return None
        if self._portraits is None:
            self._portraits = PictureSources(self.folder)
        return self._portraits.image_reference(image["file"], largest)

    def map_picture(self, image: ShownImage) -> ShownImage | None:
        """Return where the target gets the picture of a map from: a web address, or a file and its digest.

        If the picture doesn't cover the whole map, the result has its `place` on the grid, too.

        Args:
            image: The map's image, as the scene names it.

        Returns:
            If `image` has no digest: the address, or the file and its digest. The result is None if the
            picture can't be used, for example because the file is missing. If `image` has a digest: the file
            and its digest, if the picture has the same digest. If the picture has another digest, or can't be
            used, the result is only the file's name and the digest of `image`.
        """
        found = self._portrait_or_map_source(image, LARGEST_MAP)
        if "sha256" in image and (found is None or found["sha256"] != image["sha256"]):
            return {"file": image["file"], "sha256": image["sha256"]}
        if not found or "pixels" not in image:
            return found
        key = found.get("sha256"), repr(image["pixels"]), repr(image.get("offset"))
        if key not in self._places:
            picture = self.read_picture_file(found)
            self._places[key] = (
                picture_place_unless_whole_map(picture.content, image["pixels"], image.get("offset"))
                if picture
                else None
            )
        place = self._places[key]
        return {**found, "place": place} if place else found

    def read_picture_file(self, image: ShownImage | None) -> PictureFile | None:
        """Return the file that a scene's or token's `image` names; None if there is none."""
        return read_picture(self.folder, image) if self.folder else None

    # The connection

    @property
    def certificate(self) -> Path | None:
        """A certificate file to trust for this target, in place of the system's certificates."""
        return None

    @property
    def timeout(self) -> float | None:
        """The seconds to wait for an answer; None for the bridge's default."""
        return None

    @property
    def session_address(self) -> str:
        """The address at which a session is requested.

        It is the target's own address, unless a subclass overrides it.
        """
        return self.address

    def session_is_ending(self, now: float) -> bool:
        """Return whether the session is about to expire at the unix time `now`.

        If it is, the bridge logs in again before it sends the next request. By default, the result is False.
        """
        return False

    @property
    def session_end_statuses(self) -> Collection[int]:
        """The HTTP statuses which mean that the session has ended."""
        return (401,)

    def end_session(self) -> None:
        """Forget the session, so that a new one is requested."""
        self.session = ""

    def terms(self) -> Terms:
        """Return the terms that somebody must agree to before the target is sent anything."""
        return Terms(self.settings.kind, self.address, "gm" if self.for_gm else "players")

    def headers(self) -> dict[str, str]:
        """Return the headers that every request has; by default, there are none.

        If requests are only shown and not sent, `self.key` is "***".
        """
        return {}

    def prepare(self, request: Request, now: float) -> PreparedRequest:
        """Return one attempt at a request as it is sent.

        Override it to sign requests, or if the path is a secret. People are shown the path of `request`,
        never the path that is returned here.

        Args:
            request: The request to send.
            now: The unix time.
        """
        headers, content = request.encoded()
        return PreparedRequest(request.path, {**self.headers(), **headers}, content)

    def begin_session(self) -> Requests:
        """Request a session with the key, and store it in `self.session`.

        Only targets with `has_session` need this. It is called if there is no session, and once more if the
        target no longer accepts the session (401). The default requests nothing.
        """
        return []

    def secrets(self) -> list[str]:
        """Return the texts that must never be shown: the key and each word of it, and the session."""
        return [secret for secret in (self.key, *self.key.split(), self.session) if secret]

    def redact(self, text: str) -> str:
        """Return a text in which the target's secrets are replaced by `***`."""
        for secret in sorted(self.secrets(), key=len, reverse=True):
            text = text.replace(secret, HIDDEN_KEY)
        return redact_secrets_of_address(self.address, text)

    @property
    def shown_address(self) -> str:
        """The address for display, without the parts that may be a key."""
        return redact_address(self.address)

    # Sending

    def put_whole(self, shown: ShownTable) -> Requests:
        """Return the requests that show the current scene, tokens and order together.

        This is only for kinds of targets whose `whole` is True. For them it takes the place of `put_scene`,
        `put_token`, `remove_token` and `put_order`. The bridge's worker calls it only while there is a scene.
        """
        return []

    def put_scene(self, scene: ShownScene) -> Requests:
        """Return the requests that show a scene with its map.

        A scene without a map has no `rows`. Such a scene is sent only to kinds that support `boardless`.
        """
        return []

    def clear_scene(self) -> Requests:
        """Return the requests that clear the target; by default, there are none.

        They remove scenes, the turn order, open decisions, and the tokens that the bridge created.
        `self.created_ids` has strike's ids of these tokens.
        """
        return []

    def put_token(self, token: ShownToken, before: ShownToken | None) -> Requests:
        """Create or change a token, so that the target shows it as it is now.

        If the kind of target has `links`, a token has an id of ours and an id of the target's. `self.links`
        maps our ids to the target's ids. If our id isn't in `self.links` yet, a request with
        `creates=token["id"]` has to create the token. Once the target has answered this request, the link
        exists, and later requests can use it.

        Args:
            token: The token as it is now.
            before: The token as the target last acknowledged it; None for a new token.
        """
        return []

    def remove_token(self, id: str) -> Requests:
        """Remove a token, if it exists.

        If the token isn't in `self.created_ids`, the game master placed it: hide it, and never delete it.
        """
        return []

    def put_order(self, order: ShownOrder) -> Requests:
        """Show the round, whose turn it is, and the order."""
        return []

    def put_side_scenes(self, beside: list[ShownAside]) -> Requests:
        """Show the scenes beside the main scene.

        `beside` has all of them, each with its scene, tokens and turn order. A scene that isn't in it is no
        longer shown. Only targets that support `beside` need this method.
        """
        return []

    def put_decisions(self, asked: list[ShownDecision]) -> Requests:
        """Show the open decisions `asked`, in place of any shown before.

        It is called only for kinds of targets that support decisions (`supports.asked`).
        """
        return []

    def put_exhibits(self, exhibits: list[ShownExhibit]) -> Requests:
        """Show exactly these exhibits: clocks, the day and handouts.

        By default, nothing is sent. A target that can show exhibits declares `exhibits`, and overrides this
        method. The exhibits stay when a scene is cleared.
        """
        return []

    def extra_fields(self, session: int, before: State, facts: Sequence[StoredFact]) -> ResultExtras:
        """Return additional fields for the results of a journal entry. By default there are none.

        A field `board` is a map, which may have only the parts that players may know. It is given only to the
        first result of the entry that isn't secret. The other fields are given to all results of the entry.

        Args:
            session: The session's number.
            before: The state before the entry.
            facts: The entry's facts.
        """
        return {}

    def send_result(self, post: Post) -> Requests:
        """Return the requests that post a result, in words and dice. By default there are none.

        If `post.result["secret"]` is true, the result is for the game master alone.
        """
        return []

    def is_out_of_sight(self, token: ShownToken) -> bool:
        """Return whether a token must be hidden from players.

        The token of a hidden creature must be hidden. If a creature is defeated but not hidden, the setting
        `defeated` decides. The token of any other creature must be hidden while the creature isn't on the
        map.
        """
        if token["state"] == "out" and not token["hidden"]:
            return self.settings.defeated == "hide"
        return bool(token["hidden"] or token["position"] is None)

    def is_absent(self, token: ShownToken) -> bool:
        """Return whether the target's audience sees no token of a creature.

        Players see no token while the creature is hidden or off the map. If the settings hide the defeated,
        they see no token of a defeated creature, either. A target for the game master lacks only the tokens
        of creatures that are off the map and not defeated. Sending and `diff` both use this.
        """
        if token["state"] == "out":
            return not self.for_gm and self.is_out_of_sight(token)
        return token["away"] or (token["hidden"] and not self.for_gm)

    def is_sent(self, token: ShownToken) -> bool:
        """Return whether the target is sent this token at all.

        `diff` reports a token as missing at the target only if this is True.

        Args:
            token: The token.
        """
        return True

    def status_word(self, id: str, name: str) -> str | None:
        """Return the target's word for one of our statuses.

        Args:
            id: Our id of the status, such as `core:prone`.
            name: The name of the status, such as `Prone`.

        Returns:
            The word in the settings; "" for a status that isn't sent; None if the settings have no word.
        """
        bare = id.rpartition(":")[2]
        for key in (id, bare, name, name.lower()):
            if key in self.statuses:
                return self.statuses[key]
        return None

    def status_words(self, token: ShownToken) -> Iterable[str]:
        """Yield the target's words for the statuses of a token.

        If the settings have a word for a status, that word is used. If this word is "", the status isn't
        sent, and is left out. If the settings have no word for a status, strike's name of the status is used.
        """
        for id, name in zip(token["status_ids"], token["statuses"], strict=True):
            word = self.status_word(id, name)
            if word != "":
                yield name if word is None else word

    def meter_numbers(self, token: ShownToken, *, as_players: bool = False) -> dict[str, int]:
        """Return the numbers to store for a token's meters, by the places where the target stores them.

        The settings' `attributes` name these places. There, a meter's id stands for its value, and `max_ID`
        for its maximum. For the first meter, `hp` and `max_hp` can be used, too.

        If the token has true numbers for the game master, these are returned, unless `as_players` is True. A
        meter is left out if it has no place, or if its value isn't shown. A bar that is shown without numbers
        is also left out if its maximum has no place.
        """
        found: dict[str, int] = {}
        for number, meter in enumerate(token["meters"]):
            place, place_of_most = self.meter_places(meter["id"], first=number == 0)
            gm = None if as_players else meter["gm"]
            shown = gm or meter
            in_parts = meter["shown"] == "bar" and not gm
            if place and shown["value"] is not None and not (in_parts and not place_of_most):
                found[place] = shown["value"]
                if place_of_most:
                    found[place_of_most] = shown["value"] if shown["max"] is None else shown["max"]
        return found

    def meter_places(self, meter: str, *, first: bool) -> tuple[str, str]:
        """Return where the target stores a meter's value and its maximum.

        Both places come from the table `attributes` of the settings. If the table doesn't name a place, "" is
        returned for it.

        Args:
            meter: The meter's id.
            first: Whether it is the creature's first meter. If the table doesn't have the first meter's id,
                its keys `hp` and `max_hp` are used.
        """
        names = (meter, "hp") if first else (meter,)
        value, most = (
            next((self.attributes[key] for name in names if (key := prefix + name) in self.attributes), "")
            for prefix in ("", "max_")
        )
        return value, most

    # Pages that people have open

    @property
    def pages_are_outdated(self) -> bool:
        """Whether open pages of the target still show older values than those that were sent.

        If so, the bridge calls `update_pages` after it has sent all other changes.
        """
        return False

    def update_pages(self) -> Requests:
        """Return the requests that make open pages show the values sent; by default, there are none."""
        return []

    def keep_alive(self) -> Requests:
        """Return the requests that keep an idle connection open.

        The worker calls this after `keep_alive_after` seconds without a request. It doesn't matter if these
        requests fail.
        """
        return []

    # Answers

    def outcome(self, request: Request, answer: Answer, now: float) -> Outcome:
        """Return the outcome of a request, judged by its answer.

        Args:
            request: The request.
            answer: The answer to it.
            now: The unix time.
        """
        outcome = outcome_of_answer(
            answer.status, answer.headers, answer.body, now, gone_will_do=request.gone_will_do
        )
        page = outcome_of_html_page(answer.status, answer.body)
        if page is not None:
            return page
        if outcome.kind is OutcomeKind.APPLIED and request.method == "GET" and answer.json() is None:
            # Cut off on its way, or a page of something else: nobody may take it for "there is nothing".
            return Outcome(
                OutcomeKind.UNKNOWN, f"its answer to {request.words()} can't be read", status=answer.status
            )
        if (
            outcome.kind is OutcomeKind.APPLIED
            and 200 <= answer.status < 300
            and self.is_for_another_request(request, answer)
        ):
            return Outcome(OutcomeKind.UNKNOWN, "it gave the answer to another request", status=answer.status)
        return outcome

    def is_for_another_request(self, request: Request, answer: Answer) -> bool:
        """Return whether an answer belongs to another request, judged by the ids in both.

        Servers and proxies may mix up answers under load.
        """
        return False

    def remedy(self, outcome: Outcome) -> str:
        """Return advice on what to do about an outcome that stops the deliveries.

        Return "" if there is nothing to add to the outcome's reason.

        Args:
            outcome: The outcome of a request.
        """
        if outcome.unsure:
            push = f"`strike bridge push {self.name} --from"
            return f"{push} 12` goes on with result 12, {push} new` with the next one."
        if outcome.empty:
            return f"`strike bridge sync {self.name} --fresh` makes all tokens again."
        if outcome.untrusted:
            return "SSL_CERT_FILE=FILE trusts a certificate of your own (PEM), in place of the system's."
        if outcome.unreachable:
            return "Is it running? Is `url` right?" if self.settings.url or self.default_url else ""
        if outcome.status in (401, 403):
            return f"`strike bridge login {self.name}` enters another."
        if outcome.status in (404, 405) or 300 <= outcome.status < 400:
            given = self.settings.url or self.default_url
            return (
                "Is `url` right?"
                if given
                else (f"`strike bridge login {self.name}`, with the whole address.")
            )
        return ""

    def token_id(self, request: Request, answer: Answer) -> str:
        """Return the target's id of the token that a request with `creates` created.

        It is "" if the answer doesn't say it.
        """
        for path in (("id",), ("_id",), ("token", "id"), ("data", "id"), ("data", "_id")):
            found = answer.value(*path)
            if isinstance(found, str | int) and not isinstance(found, bool):
                return str(found)
        return ""

    # Reading: these methods ask at once, by `send_question`, and change nothing

    def read_tokens(self, wire: Wire) -> dict[str, ReadToken] | Outcome:
        """Ask the target for the tokens that we have sent to it, and return them by our ids.

        Only targets that declare `read_back` have this method.

        Returns:
            The tokens, with the fields that the target can report. If they can't be read, the outcome that
            says why.
        """
        raise NotImplementedError

    def read_values(self, wire: Wire) -> TabletopValues | Outcome:
        """Ask for the values of our tokens that people may have edited, for `strike bridge pull`.

        Only for kinds with `read_back`.
        """
        tokens = self.read_tokens(wire)
        return tokens if isinstance(tokens, Outcome) else TabletopValues(tokens)

    @classmethod
    def lets_players_answer(cls, settings: Settings) -> bool:
        """Return whether the settings let players answer open decisions at the tabletop.

        If so, `read_answers` and `show_answer_outcome` are used.
        """
        return False

    def read_answers(self, wire: Wire) -> list[PlayerAnswer] | Outcome:
        """Ask for players' answers, and return them oldest first.

        If they can't be read, the outcome that says why is returned.
        """
        return []

    def show_answer_outcome(
        self, wire: Wire, answered: PlayerAnswer, words: str, dice: Mapping[str, int] | None
    ) -> bool:
        """Show a player the outcome of their answer; return whether the target accepted this message.

        By default nothing is shown, and the result is True.

        Args:
            wire: The connection.
            answered: The answer.
            words: The outcome in words.
            dice: {n, sides} of the dice that the answer still needs before it counts; None for none.
        """
        return True

    def sent_number(self, token: ShownToken) -> int | None:
        """Return the HP value that the target was sent for a token; None if it was sent none."""
        if token["hp"] is None or token["hp_shown"] != "exact":
            return None
        value = token["hp"]["value"]
        return value if isinstance(value, int) else None

    def has_result(self, wire: Wire, post: Post) -> bool | Outcome:
        """Return whether the target shows a result as it was posted.

        Only kinds of target with `read_results` need this.

        Returns:
            True or False. If the target can't be asked, the outcome that says why.
        """
        raise NotImplementedError

    def find_tokens(self, wire: Wire) -> list[ListedToken] | Outcome:
        """Ask for all tokens at the target, ours or not, and return them. Only for kinds with `find`.

        Returns:
            The tokens; or the outcome that says why they can't be read.
        """
        raise NotImplementedError

    @property
    def recognizes_own(self) -> bool:
        """Whether the tokens that `find_tokens` returns say which of them are ours."""
        return self.supports.find

    def requires_key(self, wire: Wire) -> bool:
        """Return whether the target requires a key.

        A target requires a key if it refuses the request of `probe` without one. By default, this is assumed
        of every kind with a `key_variable`. A kind that can find out overrides this, and asks the server.

        Args:
            wire: The connection.
        """
        return bool(self.key_variable)

    @property
    def looks_up_first(self) -> bool:
        """Whether a worker should look up whether its first result has already arrived.

        It should if a look-up at the target is cheap.
        """
        return False

    @property
    def checks_links_first(self) -> bool:
        """Whether links are checked against `find_tokens` before tokens are sent.

        They should be if the target may give its tokens new ids.
        """
        return False

    def send_question(self, wire: Wire, request: Request) -> Answer | Outcome:
        """Send a question to the server, and return the answer.

        If the question can't be sent or doesn't succeed, the outcome is returned instead.
        """
        answer = wire.send(request)
        if isinstance(answer, Outcome):
            return answer
        outcome = self.outcome(request, answer, time.time())
        return answer if outcome.kind is OutcomeKind.APPLIED else outcome

    def run_conversation(self, wire: Wire, asking: Asking[T]) -> T | Outcome:
        """Send the requests of a generator now, one by one, outside of any step.

        Return the generator's result, or the outcome that stopped it.
        """
        try:
            request = next(asking)
            while True:
                answer = wire.send(request)
                if isinstance(answer, Outcome):
                    return answer
                outcome = self.outcome(request, answer, time.time())
                if not request.goes_on(outcome):
                    return outcome
                request = asking.send(answer)
        except StopIteration as ended:
            found: T = ended.value
            return found
        finally:
            asking.close()

    # Login and checks

    def login(self, wire: Wire, ask: Callable[[str, bool], str], tell: Callable[[str], None]) -> str:
        """Return the key, which a person enters or the target hands out.

        Args:
            wire: A connection without a key.
            ask: `ask(question, secret)` asks a person, without echo if secret.
            tell: Shows a line.
        """
        return ask(f"{self.key_words[:1].upper()}{self.key_words[1:]} of {self.name}", True)

    def probe(self) -> Request | None:
        """Return the cheapest request that needs the key and changes nothing; None if there is none."""
        return None

    def offline_findings(self, now: State) -> Iterable[Finding]:
        """Return the findings for `bridge doctor` that need no request. `now` is the campaign's state."""
        return []

    def own_findings(self, wire: Wire) -> Iterable[Finding]:
        """Return the findings for `bridge doctor` that only this kind of target has.

        An example is a finding on the key's scopes. By default there are none.
        """
        return []

    # Presets

    @classmethod
    def presets(cls) -> dict[str, Mapping[str, Mapping[str, str]]]:
        """Return the sets of status and attribute words that come with this kind, by name."""
        if not cls.PRESETS:
            return {}
        import tomllib

        module = sys.modules[cls.__module__].__file__ or ""
        return tomllib.loads(Path(module).with_name(cls.PRESETS).read_text(encoding="utf-8"))

    def _chosen_or_default_preset(self) -> Mapping[str, Mapping[str, str]]:
        name = self.settings.preset or self.default_preset
        if not name:
            return {}
        known = self.presets()
        if name not in known:
            hint = f"Known: {listed(sorted(known))}." if known else f"{self.settings.kind} has none."
            where = self.settings.where("preset")
            raise CampaignProblem(f"{where}: no preset {name!r}.{did_you_mean(name, known)}", hint)
        return known[name]

    # Old names

    told, tells, made = OldName("acknowledged"), OldName("is_sent"), OldName("created_ids")
    everybody, ground, ways = OldName("everybody_ids"), OldName("acknowledged_scene"), OldName("paths")
    recent, stay, stays = OldName("recent_results"), OldName("keep_alive"), OldName("keep_alive_after")
    gathers, draws, late = OldName("most_combined"), OldName("draws_effects"), OldName("recheck_delays")
    gather, told_number = OldName("combine_seconds"), OldName("sent_number")
    told_decision, occasion, shown = OldName("prepare_decision"), OldName("extra_fields"), OldName("project")
    shown_of, find_out = OldName("project_view"), OldName("run_conversation")
    asks_players, has_left = OldName("lets_players_answer"), OldName("is_absent")
    out_of_sight, is_anothers = OldName("is_out_of_sight"), OldName("is_for_another_request")
    session_ends, patience = OldName("session_end_statuses"), OldName("timeout")
    looks_first, finds_ours = OldName("looks_up_first"), OldName("recognizes_own")
    checks_links, minds_key = OldName("checks_links_first"), OldName("requires_key")
    look, redacted = OldName("read_values"), OldName("redact")
    sample = OldName("sample_settings")
    view = OldName("audience_view")
    picture = OldName("read_picture_file")
    is_ending = OldName("session_is_ending")
    begin = OldName("begin_session")
    put_beside = OldName("put_side_scenes")
    put_asked = OldName("put_decisions")
    status = OldName("status_word")
    numbers = OldName("meter_numbers")
    places = OldName("meter_places")
    is_behind = OldName("pages_are_outdated")
    catch_up = OldName("update_pages")
    tell_answer = OldName("show_answer_outcome")
    ask = OldName("send_question")
    trial = OldName("offline_findings")
    checks = OldName("own_findings")
    combine_within = OldName("combine_seconds")


_NEW_NAMES = {
    "Answered": "PlayerAnswer",
    "Found": "ListedToken",
    "Looked": "TabletopValues",
    "for_kind": "value_for_token",
}
"""The new names of exported objects, by their old names, which go on for a version."""
__getattr__ = make_module_getattr_for_old_names(__name__, _NEW_NAMES)
