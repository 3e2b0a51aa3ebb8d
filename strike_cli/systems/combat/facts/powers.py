"""What fights say of their beginning and end, and of powers used."""

from collections.abc import Sequence
from typing import Annotated

from strike_cli.kernel.statements import Clause, Decision, Fact, Named, Person, Reason, Words
from strike_cli.tabletop.gm_override_facts import SceneParked, SceneResumed

from .effects import Power


class PowerTold(Fact):
    """Somebody uses a power that isn't rolled, on others than themselves or on nobody."""

    who: Person
    power: Power
    on: Sequence[Person] = ()

    headline = "{power}"
    says = "{who} uses {power}[ on {on:list}]."


class PowerUsed(Fact):
    """A use of a power is spent."""

    who: Person


class PowerRegained(Fact):
    """Somebody may use a power once more that they had used."""

    who: Person
    power: Power

    event = "gain"
    tone = "good"
    headline = "{power} again"
    says = "{who} may use {power} again."


class Noted(Fact):
    """Something to be known at the table that has no other effect by the rules: `what`, in words.

    A note of a `power` has its name before it.
    """

    who: Person
    what: Reason
    power: Reason = ""

    says = "[{power}: ]{what}"


class NoEffect(Clause):
    """A power's Effect doesn't happen: nobody can explain it (STR-TAC-26)."""

    power: Reason
    why: Words

    says = "[{power} has ]no Effect[: {why}]."


class WillUse(Clause):
    """Somebody is about to use a power."""

    who: Person
    power: Reason

    says = "{who} uses {power}"


class AnswerWith(Decision):
    """Whether to answer what is about to come, or has just come, with a power."""

    who: Person
    power: Reason
    against: Person
    coming: Reason

    unseen = ("against",)
    asks = "[{coming}. ]Does {who} use {power}[ against {against}]?"
    options = {"use": "{who} uses {power}", "pass": "let it pass"}


class RegainWhich(Decision):
    """Which spent power somebody may use again."""

    who: Person

    asks = "Which power does {who} regain?"


Encounter = Annotated[str, Named("encounters")]
"""The id of an encounter: its fight has its name."""


class FightStarted(Fact):
    """A fight begins (STR-TAC-01)."""

    encounter: Encounter
    goal: Words = ""

    style = "title"
    event = "scene"
    headline = "{encounter}"
    says = "{encounter} begins.[ The goal: {goal}.]"


class FightEnded(Fact):
    """A fight is won or lost, with its Concession by name, "none" for none (STR-TAC-19).

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
    """A reason: so many Strikes in a fight (STR-TAC-18)."""

    count: int

    says = "{count} {count:Strike|Strikes}"
