"""Facts of fights about the use of powers, and about the beginning and end of a fight."""

from collections.abc import Sequence
from typing import Annotated

from strike_cli.kernel.statements import Clause, Decision, Fact, NamedId, Person, Reason, Words
from strike_cli.tabletop.scene_change_facts import SceneParked, SceneResumed

from .effects_and_causes import Power


class PowerTold(Fact):
    """A creature uses a power without an attack roll.

    `on` are the creatures on which it is used, if there are any.
    """

    who: Person
    power: Power
    on: Sequence[Person] = ()

    headline = "{power}"
    says = "{who} uses {power}[ on {on:list}]."


class PowerUsed(Fact):
    """A creature spends a use of a power."""

    who: Person


class PowerRegained(Fact):
    """A creature may use a spent power again."""

    who: Person
    power: Power

    event = "gain"
    tone = "good"
    headline = "{power} again"
    says = "{who} may use {power} again."


class Noted(Fact):
    """A note for the players that has no effect by the rules.

    With `power`, it begins with the power's name.
    """

    who: Person
    what: Reason
    power: Reason = ""

    says = "[{power}: ]{what}"


class NoEffect(Clause):
    """A note that a power's Effect doesn't happen: nobody could explain how it works here (STR-TAC-26)."""

    power: Reason
    why: Words

    says = "[{power} has ]no Effect[: {why}]."


class WillUse(Clause):
    """An event: `who` is about to use a power."""

    who: Person
    power: Reason

    says = "{who} uses {power}"


class AnswerWith(Decision):
    """The question whether `who` reacts with a power to the event `coming`."""

    who: Person
    power: Reason
    against: Person
    coming: Reason

    unseen = ("against",)
    asks = "[{coming}. ]Does {who} use {power}[ against {against}]?"
    options = {"use": "{who} uses {power}", "pass": "let it pass"}


class RegainWhich(Decision):
    """The choice of a spent power that a creature may use again."""

    who: Person

    asks = "Which power does {who} regain?"


Encounter = Annotated[str, NamedId("encounters")]
"""The id of an encounter. It is shown as the encounter's name."""


class FightStarted(Fact):
    """A fight begins (STR-TAC-01)."""

    encounter: Encounter
    goal: Words = ""

    style = "title"
    event = "scene"
    headline = "{encounter}"
    says = "{encounter} begins.[ The goal: {goal}.]"


class FightEnded(Fact):
    """A fight is won or lost (STR-TAC-19).

    `concession` is the key of the Concession, "none" if there is none. `team_strikes` is the total of the
    players' Strikes.
    """

    encounter: Encounter
    won: bool
    team_strikes: int
    concession: str = "none"
    goal: Words = ""

    style = "title"
    closes_scene = True
    names_scene = True
    event = "scene"
    headline = "The fight is {won:?won|lost}"
    says = (
        "{encounter} is {won:?won.{concession:none=[ The goal is reached: {goal}.]"
        "|minor= A Minor Concession: the goal is reached, but not everything went well."
        "|major= A Major Concession: a bad omen, or the goal is one step short."
        "|pyrrhic= A Pyrrhic victory: the goal is out of reach.}"
        "|lost. The game master says what it costs.}"
    )


class FightAbandoned(Fact):
    """A fight ends without a winner."""

    encounter: Encounter

    closes_scene = True
    names_scene = True
    event = "scene"
    says = "{encounter} is abandoned."


class FightParked(SceneParked):
    """A fight is set aside while another scene is played."""


class FightResumed(SceneResumed):
    """A fight that was set aside goes on."""


class StrikesTaken(Clause):
    """A reason: the number of Strikes that were taken in a fight (STR-TAC-18)."""

    count: int

    says = "{count} {count:Strike|Strikes}"
