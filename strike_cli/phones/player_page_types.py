"""The types of the JSON data from which a player's phone draws its page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NotRequired, TypedDict

if TYPE_CHECKING:
    from strike_bridge.payloads import ShownHeading, ShownLine, ShownRoll
    from strike_table.schemas import ExhibitPayload, ScenePayload, SquarePayload, TokenPayload


class PhoneCharacter(TypedDict):
    """The character of the player."""

    id: str
    name: str
    concept: str


class PhoneValue(TypedDict):
    """A named value on a sheet or in a scene; the value is in words."""

    name: str
    value: str


class PhoneMeter(TypedDict):
    """A meter, such as HP. `text` is its exact value, or "" if players may not know it."""

    name: str
    value: int | None
    max: int | None
    vital: bool
    wounds: str | None
    text: str


class PhoneStatus(TypedDict):
    """A status: its name, its effect (`text`), and a `note`, such as how long it lasts."""

    name: str
    text: str
    note: str


class PhoneItem(PhoneStatus):
    """An item on a sheet, such as a power, and whether it is used up."""

    used: bool


class PhoneSheetPart(TypedDict):
    """A part of a sheet, under a heading."""

    title: str
    items: list[PhoneItem]


class PhoneScene(TypedDict):
    """The scene that the character is in: the turn order, and the scene's own numbers (`standing`)."""

    name: str
    goal: str
    round: int
    yours: bool
    active: str
    next: list[str]
    standing: list[PhoneValue]


class PhoneMap(TypedDict):
    """The map: its tokens, which token is `mine`, and the squares in reach of moves and attacks."""

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
    """A decision that the player has to make. `said` has the lines of what led to it."""

    id: str
    asks: str
    options: list[PhoneOption]
    said: list[str]


class PhoneAwaitedDecision(TypedDict):
    """Another person's decision for which the scene waits, as far as this player may know it."""

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


class PhoneForecast(TypedDict):
    """The forecast of an offer, once it is computed."""

    chances: list[PhoneChance]
    gives: str
    expects: str
    way: list[str]
    far: str


class PhoneOffer(TypedDict):
    """An action that the player may propose.

    `what` is its label, and `whom` its target in words. The optional keys have its forecast, once it is
    computed.
    """

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
    """A player's proposal that the game master hasn't accepted or refused yet."""

    id: int
    text: str


class PhoneProposalOutcome(PhoneProposal):
    """A player's proposal that was accepted or refused, with the outcome and the reason."""

    outcome: str
    why: str


class PhoneEntry(TypedDict):
    """A journal entry, as far as players may see it."""

    head: ShownHeading | None
    lines: list[ShownLine]
    dice: list[ShownRoll]
    undone: bool


class PhonePage(TypedDict, total=False):
    """All data of a player's page.

    `position` changes whenever the page changes, except when slow forecasts are added later. `undo` is the
    offer to ask the game master to undo the player's last command.
    """

    campaign: str
    answers: str
    signs: bool
    plays: bool
    undo: str
    character: PhoneCharacter
    numbers: list[PhoneValue]
    meters: list[PhoneMeter]
    state: str | None
    scene: PhoneScene | None
    statuses: list[PhoneStatus]
    parts: list[PhoneSheetPart]
    map: PhoneMap | None
    decisions: list[PhoneQuestion]
    waits: PhoneAwaitedDecision | None
    rolls: list[PhoneRoll]
    position: str
    finding: bool
    exhibits: list[ExhibitPayload]
    offers: list[PhoneOffer]
    proposal: PhoneProposal | None
    told: PhoneProposalOutcome | None
    log: Sequence[PhoneEntry]
    version: str
