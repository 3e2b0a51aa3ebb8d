"""Types of a fight's stored tables and of the results of its moves, with the checks of their values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, NotRequired, TypedDict

from strike_cli.plugin.dice import RollTold
from strike_cli.plugin.forms import COMBATANT, Default, Number, OneOf, form, form_of
from strike_cli.plugin.scene_tables import PersonKept, SceneHead

from .dice_notation import DICE, MAX_DICE_OF_A_KIND
from .fight_state import OPEN, OVER, PASSING

_DIE = OneOf(*DICE)
_Count = Annotated[int, Number(0)]


class StandardRollTold(TypedDict):
    """The result of a standard roll. `successes` is its score, and `needed` the score for a success."""

    roll: RollTold
    against: RollTold | None
    successes: int
    needed: int
    success: bool


class HealthChecked(TypedDict):
    """A Health Check: who made it, why, and whether it was passed."""

    who: str
    why: str
    passed: bool


class KarmaResolution(TypedDict):
    """An action that was carried out. Without a roll, the values of the roll are None."""

    who: str
    what: str
    roll: RollTold | None
    against: RollTold | None
    successes: int | None
    needed: int | None
    success: bool | None


class KarmaAbandonData(TypedDict):
    """The result of `karma abandon`.

    `available` is True if the actor can still act in this round.
    """

    who: str
    kind: str
    available: bool


class KarmaActData(KarmaResolution):
    """The result of `karma act`.

    `triggered` lists the combatants whose conditional actions the action triggered. `may_receive` lists the
    combatants to whom the initiative may now be passed.
    """

    triggered: list[str]
    may_receive: list[str]


class KarmaActionCounts(TypedDict):
    """The values by which `strike odds` tells apart the results of an action."""

    success: bool | None
    successes: int | None
    needed: int | None


KarmaWhenData = TypedDict(
    "KarmaWhenData", {"who": "str", "if": "str", "what": "str", "triggered": "list[str]"}
)
"""The result of `karma when`."""


KarmaTriggerData = TypedDict(
    "KarmaTriggerData",
    {
        "who": "str",
        "what": "str",
        "roll": "RollTold | None",
        "against": "RollTold | None",
        "successes": "int | None",
        "needed": "int | None",
        "success": "bool | None",
        "if": "str",
        "triggered": "list[str]",
    },
)
"""The result of `karma trigger`."""


class KarmaDelayData(TypedDict):
    """The result of `karma delay`."""

    who: str
    what: str
    due: int | None
    triggered: list[str]
    may_receive: list[str]


class KarmaCompleteData(KarmaResolution):
    """The result of `karma complete`."""

    triggered: list[str]
    refreshed: bool


class KarmaTrope(TypedDict):
    """A Trope or a Trademark on a sheet: its die, and its name (`what`)."""

    die: Annotated[str, _DIE]
    what: str


class KarmaSheet(TypedDict):
    """The table `karma` of a sheet."""

    hero: Annotated[int, Number(1, MAX_DICE_OF_A_KIND)]  # the number of Hero Dice, each a d6
    luck: NotRequired[Annotated[str, _DIE]]  # the Luck Die, which players roll for Instant Karma
    actions: Annotated[int, Number(1, 6), Default(1)]  # turns in a round
    trope: NotRequired[KarmaTrope]
    trademark: NotRequired[KarmaTrope]


class SheetWithKarma(TypedDict, total=False):
    """The keys that Karma adds to the sheets of characters and creatures."""

    karma: KarmaSheet


class KarmaSetting(TypedDict):
    """The table `karma` of an encounter."""

    groups: Annotated[
        Mapping[str, Annotated[int, Number(1, 99)]], Default({})
    ]  # how many creatures of a kind share a card
    at: Annotated[Mapping[str, str], Default({})]  # where people are, in words, if there is no map
    facts: Annotated[Sequence[str], Default([])]
    counters: Annotated[Mapping[str, _Count], Default({})]


class EncounterWithKarma(TypedDict, total=False):
    """The keys that Karma adds to encounters."""

    karma: KarmaSetting


_Rolling = TypedDict(
    "_Rolling",
    {
        "for": "list[str]",
        "target": "Annotated[int, Number(1)]",
        "against": "list[str]",
        "other": "list[str]",
        "no_roll": "bool",
    },
    total=False,
)
_ROLLING = form_of(_Rolling)


class _Waiting(TypedDict):
    what: str
    round: Annotated[int, Number(1)]
    roll: Annotated[dict[str, object], _ROLLING]
    secret: NotRequired[bool]


class KeptDelayed(_Waiting):
    """A delayed action that is not completed yet.

    `due` is the segment in which the action takes effect. The key is missing if the actor decides when.
    """

    segment: Annotated[int, Number(1)]
    due: NotRequired[Annotated[int, Number(1)]]


KeptConditional = TypedDict(
    "KeptConditional",
    {
        "if": "str",
        "what": "str",
        "round": "Annotated[int, Number(1)]",
        "roll": "Annotated[dict[str, object], _ROLLING]",
        "secret": "NotRequired[bool]",
    },
)
"""A conditional action whose condition is not met yet."""


@form(keys=COMBATANT)
class KarmaPerson(PersonKept):
    """A combatant in the fight, with their current numbers and uncompleted actions."""

    pool: _Count
    max_pool: Annotated[int, Number(1)]
    karma: NotRequired[_Count]
    health_due: NotRequired[list[str]]
    delayed_action: NotRequired[KeptDelayed]
    conditional_action: NotRequired[KeptConditional]


@form(keys={"turns": (OneOf("pool"), ...), "round": (Number(1), ...)})
class KarmaScene(SceneHead):
    """`[karma]` of state.toml: the fight under way."""

    name: str
    people: dict[str, KarmaPerson]
    segment: Annotated[int, Number(1)]
    stage: Annotated[str, OneOf(OPEN, PASSING, OVER)]
    starter: NotRequired[str]
    holds: NotRequired[list[str]]
    facts: NotRequired[list[str]]
    counters: NotRequired[dict[str, _Count]]


class KarmaSpentData(TypedDict):
    """The result of `karma karma`."""

    who: str
    before: int
    after: int
    why: str


class KarmaCheckData(TypedDict):
    """The result of `karma check`."""

    who: str
    health_due: list[str]


KarmaPlaceData = TypedDict("KarmaPlaceData", {"who": "str", "from": "str | None", "to": "str"})
"""The result of `karma place`."""


class KarmaCounterData(TypedDict):
    """The result of `karma counter`."""

    name: str
    before: int
    after: int


class KarmaOutData(TypedDict):
    """The result of `karma out`."""

    who: str
    how: str
    left: int


class KarmaEndData(TypedDict):
    """The result of `karma end`."""

    outcome: str
    rounds: int
    there: dict[str, list[str]]


KarmaPassData = TypedDict(
    "KarmaPassData",
    {
        "to": "str",
        "from": "NotRequired[str | None]",
        "segment": "NotRequired[int]",
        "due": "NotRequired[list[str]]",
        "round": "NotRequired[int]",
        "starter_next": "NotRequired[str]",
    },
)
"""The result of `karma pass`."""


class KarmaHoldData(TypedDict):
    """The result of `karma hold`."""

    who: str
    to: str
    segment: int


class KarmaReactData(TypedDict):
    """The result of `karma react`."""

    who: str
    to: str
    dice: int
    pool_before: int
    pool_after: int
    mode: str
    failed: bool
    roll: RollTold | None
    against: RollTold | None
    successes: NotRequired[int]
    needed: NotRequired[int]
    success: NotRequired[bool]


class KarmaReactionCounts(TypedDict):
    """The values by which `strike odds` tells apart the results of a reaction.

    `successes` is missing if no dice were rolled.
    """

    failed: bool
    successes: NotRequired[int]


class UncompletedAction(TypedDict):
    """An action that was uncompleted at the end of a round, and its actor's decision about it (`does`)."""

    who: str
    kind: str
    does: str


class KarmaRoundData(TypedDict):
    """The result of `karma round`."""

    round: int
    first: str | None
    uncompleted: list[UncompletedAction]
    health: list[HealthChecked]
    due: list[str]


class DelayedShown(TypedDict):
    """A delayed action in the data of `karma show`."""

    who: str
    what: str
    due: int | None


ConditionalShown = TypedDict("ConditionalShown", {"who": "str", "if": "str", "what": "str"})
"""A conditional action in the data of `karma show`."""


class GroupShown(TypedDict):
    """A group in `karma show`: the number of turns it has left, and the number it has taken."""

    left: int
    acted: int


class KarmaShown(TypedDict):
    """The fight in the output of `karma show --json`."""

    round: int
    segment: int
    stage: str
    holder: str | None
    may_receive: list[str]
    acted: list[str]
    held: list[str]
    delayed: list[DelayedShown]
    conditional: list[ConditionalShown]
    pools: dict[str, int]
    karma: dict[str, int]
    groups: dict[str, GroupShown]
    starter_next: str | None
    due: list[str]
    health_due: list[str]
    facts: list[str]
    counters: dict[str, int]


class KarmaStartData(TypedDict):
    """The result of `karma start`."""

    encounter: str
    people: list[str]
    rolls: list[RollTold]
    first_group: str | None
    first: str
    karma: dict[str, int]
