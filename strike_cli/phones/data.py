"""The data of a phone's page, in the form that the page gets."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NotRequired, TypedDict

if TYPE_CHECKING:
    from strike_bridge.payloads import ToldDie, ToldHead, ToldLine
    from strike_table.schemas import ExhibitPayload, ScenePayload, SquarePayload, TokenPayload


class PhoneCharacter(TypedDict):
    """A player's character."""

    id: str
    name: str
    concept: str


class PhoneNumber(TypedDict):
    """A number on a sheet."""

    name: str
    value: str


class PhoneMeter(TypedDict):
    """A meter; `text` is the exact number, where players may know it."""

    name: str
    value: int | None
    max: int | None
    vital: bool
    wounds: str | None
    text: str


class PhoneStatus(TypedDict):
    """A status: its effect, and its present state."""

    name: str
    text: str
    note: str


class PhoneItem(PhoneStatus):
    """An item on a sheet."""

    used: bool


class PhonePart(TypedDict):
    """A part of a sheet, under a heading."""

    title: str
    items: list[PhoneItem]


class PhoneScene(TypedDict):
    """The scene that a character is in: whose turn it is, who comes next, and the scene's numbers."""

    name: str
    goal: str
    round: int
    yours: bool
    active: str
    next: list[str]
    standing: list[PhoneNumber]


class PhoneMap(TypedDict):
    """The map, with the player's own tokens; and the squares in reach, once they are known."""

    scene: ScenePayload
    tokens: list[TokenPayload]
    active: str | None
    mine: str
    moves: list[SquarePayload]
    attacks: list[SquarePayload]


class PhoneOption(TypedDict):
    """An option of a decision."""

    name: str
    label: str


class PhoneQuestion(TypedDict):
    """A decision of the player's own."""

    id: str
    asks: str
    options: list[PhoneOption]
    said: list[str]


class PhoneWait(TypedDict):
    """Somebody else's decision that the scene waits for, and what it may be about."""

    who: str
    asks: str
    options: list[str]


class PhoneRoll(TypedDict):
    """A roll that the player may propose."""

    id: str
    name: str
    n: int
    sides: int


class PhoneChance(TypedDict):
    """An outcome and its chance."""

    name: str
    p: float


class PhoneExpectation(TypedDict):
    """The forecast of an offer, once computed."""

    chances: list[PhoneChance]
    gives: str
    expects: str
    way: list[str]
    far: str


class PhoneOffer(TypedDict):
    """A move that the player may propose."""

    id: str
    what: str
    whom: str
    targets: list[str]
    square: str
    ends: bool
    """Whether it ends the turn under way."""
    spends: str
    """The name of what the offer uses up."""
    chances: NotRequired[list[PhoneChance]]
    gives: NotRequired[str]
    expects: NotRequired[str]
    way: NotRequired[list[str]]
    far: NotRequired[str]


class PhoneProposal(TypedDict):
    """A player's proposal that is open."""

    id: int
    text: str


class PhoneEnd(PhoneProposal):
    """The outcome of a proposal."""

    outcome: str
    why: str


class PhoneEntry(TypedDict):
    """A command, as far as players may know of it."""

    head: ToldHead | None
    lines: list[ToldLine]
    dice: list[ToldDie]
    undone: bool


class PhonePage(TypedDict, total=False):
    """A player's whole page.

    `position` identifies everything that the page depends on, except slow computations. `undo` is the offer
    to ask for an undo of the player's last act.
    """

    campaign: str
    answers: str
    signs: bool
    plays: bool
    undo: str
    character: PhoneCharacter
    numbers: list[PhoneNumber]
    meters: list[PhoneMeter]
    state: str | None
    scene: PhoneScene | None
    statuses: list[PhoneStatus]
    parts: list[PhonePart]
    map: PhoneMap | None
    decisions: list[PhoneQuestion]
    waits: PhoneWait | None
    rolls: list[PhoneRoll]
    position: str
    finding: bool
    exhibits: list[ExhibitPayload]
    offers: list[PhoneOffer]
    proposal: PhoneProposal | None
    told: PhoneEnd | None
    log: Sequence[PhoneEntry]
    version: str
