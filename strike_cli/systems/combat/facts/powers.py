"""Facts of fights about their beginning and end, and about the use of powers."""

from collections.abc import Sequence
from typing import Annotated

from strike_cli.kernel.statements import Clause, Decision, Fact, Named, Person, Reason, Words
from strike_cli.tabletop.gm_override_facts import SceneParked, SceneResumed

from .effects import Power


class PowerTold(Fact):
    """Somebody uses a power without a roll, on others or on nobody."""

    who: Person
    power: Power
    on: Sequence[Person] = ()

    headline = "{power}"
    says = "{who} uses {power}[ on {on:list}]."


class PowerUsed(Fact):
    """A use of a power is spent."""

    who: Person


class PowerRegained(Fact):
    """Somebody may use a spent power again."""

    who: Person
    power: Power

    event = "gain"
    tone = "good"
    headline = "{power} again"
    says = "{who} may use {power} again."


class Noted(Fact):
    """A note to the table, `what`, without any further effect by the rules.

    A note of a `power` begins with the power's name.
    """

    who: Person
    what: Reason
    power: Reason = ""

    says = "[{power}: ]{what}"


class NoEffect(Clause):
    """A power's Effect doesn't happen, since nobody can explain it (STR-TAC-26)."""

    power: Reason
    why: Words

    says = "[{power} has ]no Effect[: {why}]."


class WillUse(Clause):
    """An event: somebody is about to use a power."""

    who: Person
    power: Reason

    says = "{who} uses {power}"


class AnswerWith(Decision):
    """The decision whether to react with a power to an event that is coming, or has just happened."""

    who: Person
    power: Reason
    against: Person
    coming: Reason

    unseen = ("against",)
    asks = "[{coming}. ]Does {who} use {power}[ against {against}]?"
    options = {"use": "{who} uses {power}", "pass": "let it pass"}


class RegainWhich(Decision):
    """The choice of a spent power that somebody may use again."""

    who: Person

    asks = "Which power does {who} regain?"


Encounter = Annotated[str, Named("encounters")]
"""The id of an encounter, shown as the name of its fight."""


class FightStarted(Fact):
    """A fight begins (STR-TAC-01)."""

    encounter: Encounter
    goal: Words = ""

    style = "title"
    event = "scene"
    headline = "{encounter}"
    says = "{encounter} begins.[ The goal: {goal}.]"


class FightEnded(Fact):
    """A fight is won or lost, with the name of its Concession, or "none" (STR-TAC-19).

    `team_strikes` are the Strikes of all players.
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
    """A fight ends with no winner."""

    encounter: Encounter

    closes_scene = True
    names_scene = True
    event = "scene"
    says = "{encounter} is abandoned."


class FightParked(SceneParked):
    """A fight waits while another is played."""


class FightResumed(SceneResumed):
    """A fight that was parked goes on."""


class StrikesTaken(Clause):
    """A reason: a number of Strikes in a fight (STR-TAC-18)."""

    count: int

    says = "{count} {count:Strike|Strikes}"
