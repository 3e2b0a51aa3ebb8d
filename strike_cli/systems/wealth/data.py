"""Types of Wealth: values of sheets and the state, results of moves, and the tables of numbers."""

from __future__ import annotations

from typing import Annotated, NotRequired, TypedDict

from strike_cli.kernel.roll_types import RollTold
from strike_cli.systems.core.data import ConditionGoneData, HelperRollData
from strike_cli.tabletop.data import CharacterWritten
from strike_cli.validation import ListOf, Number
from strike_cli.validation_schemas_from_types import Default, PerFace

_RANK = Number(0, 3)
_PARCELS = ListOf(Number(0, 4))


class WealthOfCharacter(TypedDict):
    """The keys that Wealth adds to a character's sheet."""

    wealth: Annotated[int, _RANK, Default(1)]
    cash: Annotated[list[int], _PARCELS, Default([])]


class WealthKept(TypedDict, total=False):
    """A character's Wealth and cash parcels in the state.

    Each key is there once play has changed its value. Until then the value on the sheet counts.
    """

    wealth: Annotated[int, _RANK]
    cash: Annotated[list[int], _PARCELS]


class WealthWritten(CharacterWritten, WealthOfCharacter):
    """A character's sheet with the keys of Wealth."""


class WealthRow(TypedDict):
    """A row of a Wealth table (STR-CORE-27). A price out of reach has no `outcome`."""

    outcome: NotRequired[str]
    bonus: bool
    costs: int
    flaws: int


class WealthOnlyRow(TypedDict):
    """A column that needs no roll, with its only row."""

    row: WealthRow


class DealKept(TypedDict):
    """The record of a purchase, kept in case a Fallback follows.

    `what` is the thing to buy. If the deal failed, `flaws` has the Flaws that came from it, as pairs of owner
    and id.
    """

    what: str
    flaws: NotRequired[list[tuple[str, str]]]


class PoolNumbers(TypedDict):
    """The `size` of a pool, and how many of its members may be cash `parcels` (STR-CORE-28)."""

    size: int
    parcels: int


class WealthNumbers(TypedDict):
    """The tables of Wealth's `numbers.toml` (STR-CORE-26 to 30)."""

    ranks: list[str]
    prices: list[str]
    columns: dict[str, str]
    cheap: PerFace[WealthRow]
    same: PerFace[WealthRow]
    expensive: PerFace[WealthRow]
    automatic: WealthOnlyRow
    impossible: WealthOnlyRow
    pool: PoolNumbers
    recovery: dict[str, int]


class WealthDice(TypedDict):
    """A Wealth roll without its outcome. `roll` and `total` are None if the price needs no roll."""

    column: str
    roll: RollTold | None
    helpers: list[HelperRollData]
    total: int | None
    bonus: bool
    costs: int
    flaws: int


class WealthRollData(WealthDice):
    """The result of `roll wealth`."""

    outcome: str | None
    wealth: int
    price: int


class CostPaid(TypedDict):
    """A paid Cost: the payer, and the kind of the Cost."""

    who: str
    kind: str


class WealthBuyData(WealthDice):
    """The result of `wealth buy`."""

    who: str
    price: int
    what: str
    outcome: str
    got: bool
    broke_the_bank: bool
    paid: list[CostPaid]
    wealth: NotRequired[int]
    fallback: NotRequired[str]


class ParcelGiven(TypedDict):
    """A cash parcel in a pool: its owner and its rank."""

    who: str
    rank: int


class WealthPoolData(WealthBuyData):
    """The result of `wealth pool`."""

    members: list[str]
    parcels: list[ParcelGiven]


class DealSaved(TypedDict):
    """The result of a purchase that a Fallback has saved."""

    got: bool


class CashAddData(TypedDict):
    """The result of `wealth cash add`."""

    who: str
    rank: int
    cash: list[int]


class CashSpendData(CashAddData):
    """The result of `wealth cash spend`."""

    price: int
    what: str
    got: bool


class WealthInvestData(CashAddData):
    """The result of `wealth invest`."""

    wealth: int


class WealthRecoverData(ConditionGoneData):
    """The result of `wealth recover`."""

    wealth: int
    parcel: int | None
