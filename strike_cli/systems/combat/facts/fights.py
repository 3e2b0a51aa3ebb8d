"""A fight as a whole: how it begins and ends, who comes to it and leaves."""

from typing import Annotated

from strike_cli.kernel.statements import Clause, Fact, Named, Words
from strike_cli.tabletop.gm_override_facts import SceneParked, SceneResumed

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
