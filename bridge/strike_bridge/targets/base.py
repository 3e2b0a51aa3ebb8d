"""What a target is: how it takes what the bridge sends. A new kind of tabletop is a subclass of Target.

A target makes requests and reads answers. When they are sent, repeated or given up is the worker's business,
so a target keeps nothing, waits for nothing and catches nothing.
"""

from __future__ import annotations

from collections.abc import MutableMapping
from typing import ClassVar, NamedTuple

from ..outcome import Outcome, of_answer
from ..project import Payload
from ..results import Post
from ..settings import Settings, checked_address
from ..wire import Answer, Request, Wire

HIDDEN_KEY = "***"


class Supports(NamedTuple):
    """What a kind of tabletop can do.

    `units` of positions ("squares" or "pixels") and their `anchor` ("top-left" or "center"); `hidden`: it
    keeps hidden tokens from its players by itself; `marks`: a result can later be marked as undone;
    `read_back`: what it shows can be asked for; `idempotent`: a result sent twice is shown once.
    """

    units: str = "squares"
    anchor: str = "top-left"
    hidden: bool = False
    hp: bool = False
    statuses: bool = False
    turn_order: bool = False
    chat: bool = False
    marks: bool = False
    read_back: bool = False
    idempotent: bool = False

    def words(self) -> list[str]:
        """The names of what it can do."""
        return [name for name, value in self._asdict().items() if value is True]


class Target:
    """A virtual tabletop. The methods that make requests return those that bring one thing about, in order;
    all but a result's are absolute, so that the worker may send them again. An empty list: it can't show it.
    """

    supports: ClassVar[Supports] = Supports()
    default_url: ClassVar[str] = ""
    key_variable: ClassVar[str] = ""
    """The environment's name for its key; empty for a kind that needs none."""

    def __init__(self, settings: Settings, key: str = "") -> None:
        """Raises CampaignProblem for an address that isn't safe."""
        self.name = settings.name
        self.settings = settings
        self.address = checked_address(settings, self.default_url)
        self.key = key

    def headers(self, key: str) -> dict[str, str]:
        """Headers of every request; `key` in the place of its own where they are only shown."""
        return {}

    def redacted(self, text: str) -> str:
        """A text from elsewhere, without the key that it may quote."""
        return text.replace(self.key, HIDDEN_KEY) if self.key else text

    # What it is sent

    def put_scene(self, scene: Payload) -> list[Request]:
        """The map and what the fight is about."""
        return []

    def clear_scene(self) -> list[Request]:
        """No scene any more, no tokens of ours, no turn order."""
        return []

    def put_token(self, token: Payload, before: Payload | None) -> list[Request]:
        """A token as it is now. `before` is what the target acknowledged last, None for one new to it."""
        return []

    def remove_token(self, id: str) -> list[Request]:
        """No such token any more; fine where there is none."""
        return []

    def put_order(self, order: Payload) -> list[Request]:
        """Round, whose turn it is, and the order."""
        return []

    def send_result(self, post: Post) -> list[Request]:
        """What happened, in words and dice."""
        return []

    # What it answers

    def outcome(self, request: Request, answer: Answer, now: float) -> Outcome:
        """What an answer means. `now` is unix time."""
        return of_answer(answer.status, answer.headers, answer.body, now, gone_will_do=request.gone_will_do)

    def took(self, request: Request, answer: Answer, links: MutableMapping[str, str]) -> None:
        """A request was applied: keep in `links` (our id to theirs) what later ones need of its answer."""

    # What it shows

    def read_tokens(self, wire: Wire) -> dict[str, Payload] | Outcome:
        """Our tokens as it shows them, by our id; or why they can't be told. Where `read_back`."""
        raise NotImplementedError

    def has_result(self, wire: Wire, post: Post) -> bool | Outcome:
        """Whether it shows a result as it was posted; or why that can't be told. Where `read_back`."""
        raise NotImplementedError
