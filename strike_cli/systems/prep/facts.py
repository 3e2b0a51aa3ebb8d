"""Facts about preparation: random tables, clocks, scenes, days, handouts and notes. They contain no rules."""

from collections.abc import Mapping, Sequence
from typing import Annotated

from strike_cli.kernel.statements import Clause, Code, Fact, NamedId, Person, Words
from strike_cli.tabletop.dice import DiceRoll

ENDS = (".", "!", "?")
"""The marks that may end a sentence."""
RandomTable = Annotated[str, NamedId("tables")]
"""A random table of the book."""


class Drawn(Fact):
    """An entry is drawn from a random table. `what` is its text, with the dice in it already rolled."""

    table: RandomTable
    what: Words
    rolls: Sequence[DiceRoll]

    section = "Drawn"
    event = "reveal"
    says = "{table}: {what}"


# Clocks


class ClockMoved(Fact):
    """A clock is made, moved or removed: `what` is "added", "moved" or "removed".

    `then` is what happens now that the clock is full.
    """

    clock: Code
    segments: int
    name: Words
    what: str
    filled: int | None = None
    then: Words = ""

    section = "Clocks"
    style = "warn"
    event = "scene"
    headline = "{full:?{name} is full}"
    says = (
        "{what:added=A clock: {name}, {segments} segments."
        "|removed=The clock {name} is removed."
        "|moved={full:?{name} is full: {then:?{then}|{filled} of {segments}}{stops:?|.}"
        "|{name}: {filled} of {segments}.}}"
    )

    @property
    def full(self) -> bool:
        """Whether the clock was moved and all its segments are filled."""
        return self.what == "moved" and self.filled == self.segments

    @property
    def stops(self) -> bool:
        """Whether the text of `then` already ends with a full stop or the like."""
        return self.then.endswith(ENDS)


class ClockMovedInSecret(ClockMoved):
    """A clock that players don't see is made, moved or removed."""

    gm_only = True


class TableLaid(Fact):
    """At the start of an evening the public clocks are put on the table."""


# Scenes of an evening


class SceneBegun(Fact):
    """A prepared scene begins."""

    scene: Code
    name: Words

    section = "Scenes"
    style = "title"
    event = "scene"
    headline = "{name}"
    says = "Scene: {name}."


class SceneBegunInSecret(SceneBegun):
    """A prepared scene that is secret begins."""

    gm_only = True


class SceneEnded(Fact):
    """A prepared scene ends."""

    scene: Code
    name: Words

    event = "scene"
    says = "{name} is over."


class SceneEndedInSecret(SceneEnded):
    """A prepared scene that is secret ends."""

    gm_only = True


# Days


class DaysPassed(Fact):
    """A number of days pass.

    `date` is the new day, and `about` has the remarks on that day.
    """

    days: int
    date: Words
    about: Sequence[Clause] = ()

    section = "Days"
    style = "strong"
    event = "scene"
    headline = "{date}"
    says = "{days:A day|{days} days} later: {date}[, {about}]."


class DayNoted(Clause):
    """A remark on a day of the calendar: its weekday, or a holiday."""

    what: Words

    says = "{what}"


class MoonIs(Clause):
    """The phase of a moon on a day."""

    moon: Words
    phase: str

    says = "{moon} is {phase:full=full|new}"


class DaysNoted(Fact):
    """Remarks on the present day, or on days that have just passed.

    For the present day, `date` is that day, and `about` has the remarks on it. For days that have just
    passed, `date` is "", and `on_the_way` has the remarks on them.
    """

    on_the_way: Sequence[Clause] = ()
    date: Words = ""
    about: Sequence[Clause] = ()

    event = "scene"
    says = "{date:?It is {date}[, {about}]|On the way: {on_the_way}}."


class RestCounted(Fact):
    """The number of days for which people have rested is recorded."""


class DeadlineTold(Fact):
    """A deadline is set, due or settled.

    Attributes:
        what: "added" if it was set, "due" or "settled".
        date: The day of the deadline; "" if it is due today.
        left: The number of days until that day.
        then: What happens when the deadline is due.
    """

    deadline: Code
    name: Words
    what: str
    date: Words = ""
    left: int = 0
    then: Words = ""

    section = "Days"
    style = "warn"
    event = "scene"
    headline = "{what:due={name} is due|}"
    says = (
        "{what:added={name}: {date}, in {left:a day|{left} days}."
        "|settled={name} is settled."
        "|due={then:?{name}[ on {date}]: {then}{stops:?|.}"
        "|{name} {date:?was due on {date}|is due}.}}"
    )

    @property
    def stops(self) -> bool:
        """Whether the text of `then` already ends with a full stop or the like."""
        return self.then.endswith(ENDS)


class DeadlineToldInSecret(DeadlineTold):
    """A deadline that players don't see is set, due, or settled."""

    gm_only = True


# Handouts and notes


class HandoutShown(Fact):
    """A handout is shown to the players."""

    handout: Code
    name: Words
    image: Mapping[str, Code] | None = None

    section = "Handouts"
    event = "reveal"
    headline = "{name}"
    says = "Handout: {name}."


class HandoutRead(Fact):
    """The text of a handout, shortened for the log.

    `cut` is True if a part of the text was left out.
    """

    handout: Code
    words: Words
    cut: bool = False
    rolls: Sequence[DiceRoll] = ()

    event = "talk"
    says = "{words}{cut:? …}"


class HandoutHidden(Fact):
    """A handout is removed from the table."""

    name: Words

    says = "{name} is taken away."


class NoteTaken(Fact):
    """A note is written; it is about certain people, or about nobody in particular."""

    about: Sequence[Person]
    note: Words

    section = "Notes"
    event = "talk"
    says = "[{about}: ]{note}"
