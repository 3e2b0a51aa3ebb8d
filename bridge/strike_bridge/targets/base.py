"""What a target is: how it takes what the bridge sends. A new kind of tabletop is a subclass of Target.

A target makes requests and reads answers. When they are sent, repeated or given up is the worker's business,
so a target waits for nothing and catches nothing. docs/targets/python.md walks through it.
"""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Callable, Collection, Generator, Iterable, Mapping, MutableMapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, ClassVar, Final, Literal, NamedTuple, TypeVar

from strike_cli.kernel.facts import State
from strike_cli.problems import CampaignProblem, listed, nearest
from strike_cli.tabletop.pictures import LARGEST, LARGEST_MAP, place_of
from strike_cli.visibility.view import AudienceView, view_for

from ..address import HIDDEN as HIDDEN_KEY
from ..address import displayed_address, redact_address
from ..consent import Terms
from ..messages import Post
from ..outcome import Outcome, OutcomeKind, of_answer, of_page
from ..pictures import PictureFile, Portraits, read_picture
from ..projection import Payload, ShownTable, list_by_turn, project_view
from ..settings import Option, Settings, checked_address, checked_options
from ..wire import PLANNED, Answer, Conversation, PreparedRequest, Request, Requests, Wire

if TYPE_CHECKING:
    from strike_cli.kernel.journal_types import FactKept
    from strike_table.schemas import SquarePayload

    from ..payloads import (
        ReadToken,
        ShownAside,
        ShownDecision,
        ShownExhibit,
        ShownImage,
        ShownOrder,
        ShownScene,
        ShownToken,
        ToldOccasion,
    )


__all__ = [
    "HIDDEN_KEY",
    "PLANNED",
    "Answer",
    "Answered",
    "Asking",
    "Conversation",
    "Finding",
    "Found",
    "Looked",
    "Option",
    "Outcome",
    "OutcomeKind",
    "Payload",
    "Post",
    "PreparedRequest",
    "Request",
    "Requests",
    "Settings",
    "Supports",
    "Target",
    "Terms",
    "Wire",
    "differs",
    "for_kind",
]  # fmt: skip

BOARDLESS: tuple[Literal["track", "sides", "round", "over"], ...] = ("track", "sides", "round", "over")
"""What a scene says that has nothing to do with a map."""
FOG: Final = "fog"
"""What it says of the fog: who keeps hidden tokens back by itself has a fog of its own."""

T = TypeVar("T")
Asking = Generator[Request, Answer, T]
"""Part of a conversation that comes to something: `scene = yield from self._scene()`."""


class Supports(NamedTuple):
    """The abilities of a kind of tabletop.

    `units` of positions ("squares" or "pixels") and their `anchor` ("top-left" or "center"). `links`: its
    tokens have ids of its own, so that ours must be linked to them; `create`: or made, where the settings
    allow it. `find`: its tokens can be listed (`find_tokens`). `read_back`: what it shows of our tokens can
    be asked for (`read_tokens`); `read_results`: whether a result arrived can be (`has_result`). `hidden`: it
    hides tokens and secret results from its players by itself. `marks`: a result can later be marked
    as undone. `images`: it takes pictures, of creatures or of maps. `idempotent`: a result sent twice is
    shown once. `boardless`: it shows a scene without a map, its track and its sides; one that doesn't is sent
    its people alone, where it has tokens of them. `beside`: it shows other scenes under way beside the main
    one. `asked`: it shows open decisions. `exhibits`: it shows clocks, the day and handouts. `any_order`: it
    shows turns in a pool and by sides; one that doesn't is sent a list of people, those first who may act.
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
        """Return the names of the abilities that it has."""
        return [name for name, value in self._asdict().items() if value is True]


class Found(NamedTuple):
    """A token as the target has it.

    It has the target's own id and name, and our id where the target stores it; `made` where the bridge made
    it, and not the game master.
    """

    id: str
    name: str
    ours: str = ""
    made: bool = True


class Looked(NamedTuple):
    """The state of everything at a tabletop that somebody may have changed.

    It holds our tokens, as `read_tokens` has them, the ids of those that were deleted there, and whether
    doors are open: those in walls by their number in the scene, those that fill a square by its name.
    """

    tokens: Mapping[str, ReadToken]
    gone: Collection[str] = ()
    doors: Mapping[int, bool] = MappingProxyType({})
    square_doors: Mapping[str, bool] = MappingProxyType({})


class Answered(NamedTuple):
    """A player's answer to an open decision, pressed at a tabletop.

    It holds the `id` of the press, the user's id and name there, the sealed decision, the option, and the
    faces of dice that were rolled there, roll by roll.
    """

    id: str
    user: tuple[str, str]
    decision: str
    option: str
    faces: list[list[int]]


class Finding(NamedTuple):
    """A finding of `bridge doctor`: whether it is well, and what to do where it isn't.

    What was not `tried` is not known to be well.
    """

    what: str
    well: bool = True
    remedy: str = ""
    tried: bool = True


def for_kind(named: Mapping[str, object], id: str) -> str:
    """Return the word for a token in a table of an option; empty where it has none.

    It stands under the token's id, or under the id without the number.
    """
    return str(named.get(id) or named.get(re.sub(r"-\d+$", "", id)) or "")


def differs(asked: object, told: object) -> bool:
    """Return whether an answer names another thing than was asked for.

    Where either names nothing, it is not known to differ.
    """
    return asked not in (None, "") and told not in (None, "") and asked != told


class Target:
    """A virtual tabletop.

    The methods that make requests return what brings one thing about, in order: a list, or a generator that
    yields a Request and is sent its Answer. The worker advances either strictly one request at a time and
    stops at the first that isn't applied; a step that was stopped is begun anew. Nothing yielded: the target
    can't show it.
    """

    supports: Supports = Supports()
    default_url: ClassVar[str] = ""
    default_audience: ClassVar[str] = "players"
    default_preset: ClassVar[str] = ""
    late: ClassVar[tuple[float, ...]] = ()
    """Where a request that nobody answered may be done all the same, later: after how many seconds it is
    looked up whether it was. After the last it won't be any more. Empty: it is done by then, or never."""
    stays: ClassVar[float] = 0.0
    """Seconds without a request after which the worker calls `stay`; 0: never."""
    gathers: ClassVar[int] = 1
    """How many results that wait one message may say."""
    draws: ClassVar[bool] = True
    """Whether it reads `play` of results: what happened, for who draws it. Else that is not made."""
    key_variable: ClassVar[str] = ""
    """The environment's name for its key; empty for a kind that needs none."""
    key_words: ClassVar[str] = "key"
    """What people call it: "password", "webhook address"."""
    key_is_address: ClassVar[bool] = False
    """Whether the key is itself the address, with a secret in it; else it is bound to the one in settings."""
    has_session: ClassVar[bool] = False
    """Whether `begin` exchanges the key for something of a while, such as a cookie, kept in `session`."""
    OPTIONS: ClassVar[Mapping[str, Option]] = {}
    """The keys of `options` in campaign.toml. Any other is an error."""
    PRESETS: ClassVar[str] = ""
    """A TOML file beside the class's module: [NAME.statuses], [NAME.attributes] for each preset."""

    def __init__(self, settings: Settings, key: str = "", session: str = "") -> None:
        """Make the target of these settings.

        Raises:
            CampaignProblem: The address isn't safe, or an option doesn't exist.
        """
        self.name = settings.name
        self.settings = settings
        self.key = key
        self.session = session
        self.address = self.checked_address()
        self.options = checked_options(settings, self.OPTIONS)
        preset = self._preset()
        self.statuses: dict[str, str] = {**preset.get("statuses", {}), **settings.statuses}
        self.attributes: dict[str, str] = {**preset.get("attributes", {}), **settings.attributes}
        self.folder: Path | None = None
        """The campaign's, where pictures are."""
        self._portraits: Portraits | None = None
        self._places: dict[tuple[object, str, str], dict[str, float] | None] = {}
        """Where pictures of maps lie, by what is told of them: each is read once."""
        self.links: MutableMapping[str, str] = {}
        """Our id of a token to the target's. The worker keeps it."""
        self.made: Collection[str] = ()
        """Those of them that the bridge created, and so may remove. The rest were there before."""
        self.told: Mapping[str, ShownToken] = {}
        """Tokens as it acknowledged them last, by our id."""
        self.recent: Sequence[str] = ()
        """Identities of the results that it was told last."""
        self.everybody: Collection[str] = ()
        """Everybody in the scenes under way, hidden or gone: what it shows of them is looked for."""
        self.ground: ShownScene | None = None
        """The scene that it acknowledged when the worker began."""
        self.ways: Mapping[str, Sequence[SquarePayload]] = {}
        """Of tokens that moved since they were told last, the squares they went, where that is known."""
        self.memory: MutableMapping[str, str] = {}
        """What it wants to find again after a restart. The worker keeps it with whatever it settles next."""

    @classmethod
    def with_settings(cls, settings: Settings) -> type[Target]:
        """Return the class of a target of these settings: another one where they say what it can do.

        Raises:
            CampaignProblem: The settings are faulty.
        """
        return cls

    @classmethod
    def sample(cls) -> Mapping[str, object]:
        """Return keys of its table for trials of a kind that nobody has set up."""
        return {}

    def checked_address(self) -> str:
        """Return its address, without a slash at the end.

        Raises:
            CampaignProblem: The address isn't safe.
        """
        return checked_address(self.settings, self.default_url)

    def option(self, name: str, kind: type[T]) -> T:
        """Return the value of a key of `options`, of the type that OPTIONS says it has."""
        value = self.options[name]
        assert isinstance(value, kind)
        return value

    @property
    def for_gm(self) -> bool:
        """Whether the target may show hidden and secret things."""
        return (self.settings.audience or self.default_audience) == "gm"

    @property
    def may_create(self) -> bool:
        """Whether tokens that it lacks are made: it can, and the settings allow it."""
        return self.supports.create and self.settings.create

    def view(self, state: State) -> AudienceView:
        """Return a state as the target's audience may know it."""
        return view_for(state, self.settings.players._replace(gm=self.for_gm))

    def shown(self, state: State) -> ShownTable:
        """Return what the target is to show of a state.

        It is what its audience may know, and has pictures where the target takes them.
        """
        return self.shown_of(self.view(state))

    def shown_of(self, view: AudienceView) -> ShownTable:
        """Return what the target is to show of an audience's view."""
        supports = self.supports
        shown = project_view(view, boardless=supports.boardless)
        for token in shown.tokens.values():
            token["image"] = self._portrait(token["image"]) if supports.images else None
        for aside in shown.beside if supports.beside else ():
            for token in aside["tokens"]:
                token["image"] = None  # a creature with one is on the map with it
        if shown.scene is not None and (image := shown.scene.get("image")):
            shown = shown._replace(scene={**shown.scene, "image": self.map_picture(image)})
        if shown.scene is not None and not supports.boardless:
            scene: ShownScene = {**shown.scene}
            scene.pop(FOG, None)
            for key in BOARDLESS:
                scene.pop(key, None)
            shown = shown._replace(scene=scene)
        if shown.order is not None and not supports.any_order:
            shown = shown._replace(order=list_by_turn(shown.order, shown.tokens))
        return shown._replace(
            beside=shown.beside if supports.beside else (),
            asked=tuple(map(self.told_decision, shown.asked)) if supports.asked else (),
            exhibits=shown.exhibits if supports.exhibits else (),
        )

    def told_decision(self, asked: ShownDecision) -> ShownDecision:
        """Return an open decision as the target is sent it.

        It lacks its mark, by which one could guess what it is made of.
        """
        told: ShownDecision = {**asked}
        told.pop("mark", None)
        return told

    @property
    def gather(self) -> float:
        """The seconds that a result without dice may wait for what comes next."""
        seconds = self.options.get("gather", 0)
        return float(seconds) if isinstance(seconds, (int, float)) else 0

    def _portrait(self, image: ShownImage | None, largest: int = LARGEST) -> ShownImage | None:
        if not image or self.folder is None:
            return None
        if self._portraits is None:
            self._portraits = Portraits(self.folder)
        return self._portraits.named(image["file"], largest)

    def map_picture(self, image: ShownImage) -> ShownImage | None:
        """Return a map's picture as it is now; with `sha256` it is that one alone.

        It has the `place` where it lies unless it covers the whole map.
        """
        found = self._portrait(image, LARGEST_MAP)
        if "sha256" in image and (found is None or found["sha256"] != image["sha256"]):
            return {"file": image["file"], "sha256": image["sha256"]}
        if not found or "pixels" not in image:
            return found
        key = found.get("sha256"), repr(image["pixels"]), repr(image.get("offset"))
        if key not in self._places:
            picture = self.picture(found)
            self._places[key] = (
                place_of(picture.content, image["pixels"], image.get("offset")) if picture else None
            )
        place = self._places[key]
        return {**found, "place": place} if place else found

    def picture(self, image: ShownImage | None) -> PictureFile | None:
        """Return the file that the `image` of a scene or a token names; None where there is none."""
        return read_picture(self.folder, image) if self.folder else None

    # How it is spoken to

    @property
    def certificate(self) -> Path | None:
        """The file of a certificate to trust it by, in place of those that the system trusts."""
        return None

    @property
    def patience(self) -> float | None:
        """The seconds to wait for it; None for as long as for any."""
        return None

    @property
    def session_address(self) -> str:
        """The address to ask for a session: its own, unless another hands it out."""
        return self.address

    def is_ending(self, now: float) -> bool:
        """Return whether the session ends about now, in unix time, so that another is asked for first."""
        return False

    @property
    def session_ends(self) -> Collection[int]:
        """The statuses that say that the session is over."""
        return (401,)

    def end_session(self) -> None:
        """Forget the session: another is asked for."""
        self.session = ""

    def terms(self) -> Terms:
        """Return the terms that somebody agrees to before it is sent anything."""
        return Terms(self.settings.kind, self.address, "gm" if self.for_gm else "players")

    def headers(self) -> dict[str, str]:
        """Return the headers of every request.

        Where requests are only shown, `key` is "***" here as everywhere.
        """
        return {}

    def prepare(self, request: Request, now: float) -> PreparedRequest:
        """Prepare one attempt, for a target that signs or stamps each, or whose path is itself a secret.

        A request's own path is shown to people; the path returned here is not.

        Args:
            request: The request to send.
            now: The unix time.
        """
        headers, content = request.encoded()
        return PreparedRequest(request.path, {**self.headers(), **headers}, content)

    def begin(self) -> Requests:
        """Ask for a session by the key, and put it into `self.session`. Where `has_session`.

        Sent when there is none, and once more when it is no longer accepted (401).
        """
        return []

    def secrets(self) -> list[str]:
        """Return what must never be shown: the key, each part of one that holds several, the session."""
        return [secret for secret in (self.key, *self.key.split(), self.session) if secret]

    def redacted(self, text: str) -> str:
        """Return a text from elsewhere without the secrets that it may quote."""
        for secret in sorted(self.secrets(), key=len, reverse=True):
            text = text.replace(secret, HIDDEN_KEY)
        return redact_address(self.address, text)

    @property
    def shown_address(self) -> str:
        """The address as people are shown it: without what may be a key in it."""
        return displayed_address(self.address)

    # What it is sent

    def put_whole(self, shown: ShownTable) -> Requests:
        """Show scene, tokens and order as they are now. Where `whole`.

        It takes the place of `put_scene`, `put_token`, `remove_token` and `put_order`; there is a scene.
        """
        return []

    def put_scene(self, scene: ShownScene) -> Requests:
        """Show the map, and what the scene is about.

        Without `rows` it has no map: only where `boardless`.
        """
        return []

    def clear_scene(self) -> Requests:
        """Remove the scene, here and beside, the tokens that we made, the turn order, and the open decisions.

        `self.made` holds the ids of the tokens that we made.
        """
        return []

    def put_token(self, token: ShownToken, before: ShownToken | None) -> Requests:
        """Show a token as it is now.

        Where `links`, `self.links` has the target's id; without one the token is to be created: the request
        that does so says `creates=token["id"]`, and before the conversation goes on the link is there.

        Args:
            token: The token as it is now.
            before: The token as the target acknowledged it last, None for one new to it.
        """
        return []

    def remove_token(self, id: str) -> Requests:
        """Remove a token; fine where there is none.

        One that is not in `self.made` is the game master's own: hide it where that is possible, and never
        delete it.
        """
        return []

    def put_order(self, order: ShownOrder) -> Requests:
        """Show the round, whose turn it is, and the order."""
        return []

    def put_beside(self, beside: list[ShownAside]) -> Requests:
        """Show the other scenes under way, each {scene, tokens, order}; all of them. Where `beside`."""
        return []

    def put_asked(self, asked: list[ShownDecision]) -> Requests:
        """Show the open decisions; all of them. Where `asked`."""
        return []

    def put_exhibits(self, exhibits: list[ShownExhibit]) -> Requests:
        """Show what lies on the table whatever is played; all of it. Where `exhibits`.

        Each is {id, kind, name, text, filled, segments, image, hidden}. They stay when scenes are cleared.
        """
        return []

    def occasion(self, session: int, before: State, facts: Sequence[FactKept]) -> ToldOccasion:
        """Return what the target wants to be sent with an entry's results besides, by key.

        A `board`, of what players may know, goes with a result that they see.

        Args:
            session: The session's number.
            before: The state before the entry.
            facts: What happened.
        """
        return {}

    def send_result(self, post: Post) -> Requests:
        """Post what happened, in words and dice.

        `post.result["secret"]`: for the game master's eyes.
        """
        return []

    def out_of_sight(self, token: ShownToken) -> bool:
        """Return whether players are not to see a token.

        They don't see a creature that hides, one that is not on the map, and one that is out where settings
        want the defeated hidden. The others lie where they fell.
        """
        if token["state"] == "out" and not token["hidden"]:
            return self.settings.defeated == "hide"
        return bool(token["hidden"] or token["position"] is None)

    def has_left(self, token: ShownToken) -> bool:
        """Return whether the audience has no token of a creature.

        So it is while it hides, is off the map, or is out where settings want the defeated hidden. What is
        sent and what `diff` expects both go by this.
        """
        if token["state"] == "out":
            return not self.for_gm and self.out_of_sight(token)
        return token["away"] or (token["hidden"] and not self.for_gm)

    def tells(self, token: ShownToken) -> bool:
        """Return whether it is sent anything of a token, so that its absence there is a difference."""
        return True

    def status(self, id: str, name: str) -> str | None:
        """Return the target's word for a status of ours (`core:prone`, `Prone`).

        None where settings name none. An empty one says that it should not be sent.
        """
        bare = id.rpartition(":")[2]
        for key in (id, bare, name, name.lower()):
            if key in self.statuses:
                return self.statuses[key]
        return None

    def numbers(self, token: ShownToken, *, as_players: bool = False) -> dict[str, int]:
        """Return the places of the meters that settings name, with the numbers that belong there.

        The first is stored as `hp` and `max_hp`, unless settings name it by its own id; the others as ID and
        `max_ID`. The game master's own target is given the number, unless `as_players`; a meter that isn't
        shown as a number is left out.
        """
        found: dict[str, int] = {}
        for number, meter in enumerate(token["meters"]):
            place, place_of_most = self.places(meter["id"], first=number == 0)
            gm = None if as_players else meter["gm"]
            shown = gm or meter
            in_parts = meter["shown"] == "bar" and not gm
            if place and shown["value"] is not None and not (in_parts and not place_of_most):
                found[place] = shown["value"]
                if place_of_most:
                    found[place_of_most] = shown["value"] if shown["max"] is None else shown["max"]
        return found

    def places(self, meter: str, *, first: bool) -> tuple[str, str]:
        """Return where the target stores a meter and its greatest, by the settings.

        Empty for what has no place.
        """
        names = (meter, "hp") if first else (meter,)
        value, most = (
            next((self.attributes[key] for name in names if (key := prefix + name) in self.attributes), "")
            for prefix in ("", "max_")
        )
        return value, most

    # What it wants besides

    @property
    def is_behind(self) -> bool:
        """Whether pages that people have open don't show what was sent.

        Then `catch_up` is asked for once tokens and order are settled.
        """
        return False

    def catch_up(self) -> Requests:
        """Have the pages that people have open show what was sent."""
        return []

    def stay(self) -> Requests:
        """Keep a connection alive that nothing was sent on for `stays` seconds. Nothing depends on it."""
        return []

    # What it answers

    def outcome(self, request: Request, answer: Answer, now: float) -> Outcome:
        """Return the meaning of an answer. `now` is unix time."""
        outcome = of_answer(
            answer.status, answer.headers, answer.body, now, gone_will_do=request.gone_will_do
        )
        page = of_page(answer.status, answer.body)
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
            and self.is_anothers(request, answer)
        ):
            return Outcome(OutcomeKind.UNKNOWN, "it gave the answer to another request", status=answer.status)
        return outcome

    def is_anothers(self, request: Request, answer: Answer) -> bool:
        """Return whether an answer belongs to another request, by the ids in both.

        Servers and what stands in front of them swap answers when they are hurried.
        """
        return False

    def remedy(self, outcome: Outcome) -> str:
        """Return what people can do about an outcome that holds up everything.

        Empty where the outcome's words say it.
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
        """Return the target's id of the token that a request with `creates` made.

        Empty where the answer doesn't say.
        """
        for path in (("id",), ("_id",), ("token", "id"), ("data", "id"), ("data", "_id")):
            found = answer.value(*path)
            if isinstance(found, str | int) and not isinstance(found, bool):
                return str(found)
        return ""

    # What it shows. These ask at once, by `ask`, and change nothing.

    def read_tokens(self, wire: Wire) -> dict[str, ReadToken] | Outcome:
        """Read our tokens as the target shows them, by our id. Where `read_back`.

        Returns:
            The tokens, with the fields that the target can report; or why they can't be read.
        """
        raise NotImplementedError

    def look(self, wire: Wire) -> Looked | Outcome:
        """Read what somebody may have changed of our tokens, for `strike bridge pull`. Where `read_back`."""
        tokens = self.read_tokens(wire)
        return tokens if isinstance(tokens, Outcome) else Looked(tokens)

    @classmethod
    def asks_players(cls, settings: Settings) -> bool:
        """Return whether players answer open decisions there, by its settings.

        Then `read_answers` and `tell_answer` are used.
        """
        return False

    def read_answers(self, wire: Wire) -> list[Answered] | Outcome:
        """Read what players have answered, the oldest first; or why that can't be read."""
        return []

    def tell_answer(self, wire: Wire, answered: Answered, words: str, dice: Mapping[str, int] | None) -> bool:
        """Let a player see what became of their answer, and return whether that arrived.

        Args:
            wire: The connection.
            answered: The answer.
            words: What became of it.
            dice: {n, sides} that it needs before it counts.
        """
        return True

    def told_number(self, token: ShownToken) -> int | None:
        """Return the number that it was sent for a token's first meter; None where it was sent none."""
        if token["hp"] is None or token["hp_shown"] != "exact":
            return None
        value = token["hp"]["value"]
        return value if isinstance(value, int) else None

    def has_result(self, wire: Wire, post: Post) -> bool | Outcome:
        """Look up whether the target shows a result as it was posted. Where `read_results`.

        Returns:
            Whether it does; or why that can't be looked up.
        """
        raise NotImplementedError

    def find_tokens(self, wire: Wire) -> list[Found] | Outcome:
        """Read the tokens that the target has, ours or not; or why that can't be done. Where `find`."""
        raise NotImplementedError

    @property
    def finds_ours(self) -> bool:
        """Whether `find_tokens` says which of them is which of ours."""
        return self.supports.find

    def minds_key(self, wire: Wire) -> bool:
        """Return whether what `probe` asks is refused without a key. Only asks."""
        return bool(self.key_variable)

    @property
    def looks_first(self) -> bool:
        """Whether the worker should look up first whether a result arrived, since that is cheap here."""
        return False

    @property
    def checks_links(self) -> bool:
        """Whether links are looked at (`find_tokens`) before tokens are sent.

        It is for a target that may begin its ids anew.
        """
        return False

    def ask(self, wire: Wire, request: Request) -> Answer | Outcome:
        """Return the answer to a question, or what the lack of one means."""
        answer = wire.send(request)
        if isinstance(answer, Outcome):
            return answer
        outcome = self.outcome(request, answer, time.time())
        return answer if outcome.kind is OutcomeKind.APPLIED else outcome

    def find_out(self, wire: Wire, asking: Asking[T]) -> T | Outcome:
        """Return the result of a part of a conversation, asked at once; or what stopped it."""
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

    # What people ask of it

    def login(self, wire: Wire, ask: Callable[[str, bool], str], tell: Callable[[str], None]) -> str:
        """Return the key, as people give it or as the target hands it out.

        Args:
            wire: A connection that has no key yet.
            ask: `ask(question, secret)` asks a person, without echo where secret.
            tell: Shows a line.
        """
        return ask(f"{self.key_words[:1].upper()}{self.key_words[1:]} of {self.name}", True)

    def probe(self) -> Request | None:
        """Return the cheapest question that needs the key and changes nothing; None where there is none."""
        return None

    def trial(self, now: State) -> Iterable[Finding]:
        """Return the findings of `bridge doctor` that need no request. `now` is the campaign's state."""
        return []

    def checks(self, wire: Wire) -> Iterable[Finding]:
        """Check scopes, world, scene: what `bridge doctor` looks at besides address, key, clock and links."""
        return []

    # Presets

    @classmethod
    def presets(cls) -> dict[str, Mapping[str, Mapping[str, str]]]:
        """Return the mappings that come with this kind, by name."""
        if not cls.PRESETS:
            return {}
        import tomllib

        module = sys.modules[cls.__module__].__file__ or ""
        return tomllib.loads(Path(module).with_name(cls.PRESETS).read_text(encoding="utf-8"))

    def _preset(self) -> Mapping[str, Mapping[str, str]]:
        name = self.settings.preset or self.default_preset
        if not name:
            return {}
        known = self.presets()
        if name not in known:
            hint = f"Known: {listed(sorted(known))}." if known else f"{self.settings.kind} has none."
            where = self.settings.where("preset")
            raise CampaignProblem(f"{where}: no preset {name!r}.{nearest(name, known)}", hint)
        return known[name]
