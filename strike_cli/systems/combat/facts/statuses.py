"""Facts about statuses: their beginning, duration and end."""

from strike_cli.kernel.statements import Clause, Decision, Fact, Person, Reason, Shown
from strike_cli.tabletop.facts import Status


class Lasting(Clause):
    """The duration of a status or a zone, in words for its bearer.

    - `ends` is the kind of duration, such as "save" or "turn-end".
    - `of` is the creature whose turn ends the duration, if a turn does.
    - `next` is for "turn-end": True for the next turn of `of`, False for the present one.
    - `until` is for the kind "until": the event that ends the duration.
    - `words` and `after` are for a kind from a plugin: the text before and after the turn of `of`.
    """

    ends: str
    of: Person = ""
    next: bool = False
    until: str = ""
    words: Reason = ""
    after: Reason = ""
    own: bool = False

    says = (
        "{ends:save=(save ends)|escape=(until it escapes)|encounter=(this fight)|permanent="
        "|turn-start=until the start of {of's} next turn"
        "|turn-end=until the end of {of's} {next:?next turn|turn}"
        "|until={until:damaged=(until hurt)|attacks=(until it attacks)|attacked=(until attacked)"
        "|moved=(until moved)|apart=(while near)|giver-down=(while the giver stands)|[({words})]}"
        "|[({words}[{of's} turn][{after}])]}"
    )


class LastingInFull(Lasting):
    """The duration of a status in full words, for use in a question.

    An example is "until the start of Vex's next turn". If the sentence has just named the creature `of`,
    `own` is true. Then the words are "until the start of their next turn".
    """

    says = (
        "{ends:save=until a Saving Throw ends it|escape=until an escape roll ends it|encounter=for this fight"
        "|permanent=|turn-start=until the start of {own:?their|{of's}} next turn"
        "|turn-end=until the end of {own:?their|{of's}} {next:?next turn|turn}"
        "|until={until:damaged=until it is hurt|attacks=until it attacks|attacked=until it is attacked"
        "|moved=until it is moved|apart=while it stands near|giver-down=while the giver stands|[({words})]}"
        "|[({words}[{of's} turn][{after}])]}"
    )


class StatusIs(Clause):
    """A status, with its number (`value`), its giver (`by`) and its duration.

    Each of these three may be unset.
    """

    status: Status
    value: int | None = None
    by: Person = ""
    lasts: Lasting | None = None

    says = "{status}[ {value}][ by {by}][ {lasts}]"


class StatusGaining(Fact):
    """An event: a creature is about to gain a status from the creature `by`."""

    who: Person
    status: Status
    by: Person = ""


class StatusAdded(Fact):
    """A creature gains a status. It isn't reported if `silent`."""

    who: Person
    status: Status
    value: int | None = None
    lasts: Lasting | None = None
    silent: bool = False
    noun: bool = False

    event = "status"
    headline = "{who} {falls:?falls|{noun:?has|is} {status}}"
    says = "{silent:?|{who} {noun:?has|is} {status}[ {value}][ {lasts}].}"

    @property
    def falls(self) -> bool:
        """Whether the status is Incapacitated (STR-TAC-15)."""
        return self.status == "core:incapacitated"

    def shown(self) -> Shown:
        """Return how screens show the new status.

        A silent status isn't shown. Incapacitated is shown as a fall, and any other status as a status.
        """
        if self.falls and not self.silent:
            return Shown("fall", "bad")
        return Shown() if self.silent else Shown(self.event, self.tone)


class StatusEnded(Fact):
    """A status ends.

    `how` selects the report: "silent" for none, "back" for a return to the fight, "stands" for standing up
    from Prone, "" for the usual sentence.
    """

    who: Person
    status: Status
    how: str = ""
    noun: bool = False

    event = "status"
    headline = "{who} {noun:?no longer has|is no longer} {status}"
    says = (
        "{how:silent=|back={who} is back, and still Prone.|stands={who} stands up."
        "|{who} {noun:?no longer has|is no longer} {status}.}"
    )

    def shown(self) -> Shown:
        return Shown() if self.how == "silent" else Shown(self.event, self.tone)


class StatusNumber(Fact):
    """The number of a status goes up or down."""

    who: Person
    status: Status
    before: int
    after: int

    event = "status"
    says = "{who's} {status} goes from {before} to {after}."


class StatusLasts(Fact):
    """A status of a creature (`who`) doesn't end yet: it stays until the next turn.

    The status was given during the turn that would otherwise have ended it.
    """

    who: Person


class WhichStatus(Decision):
    """The question of which of a creature's statuses is meant.

    `power` is the power that asks, if a power does. `how` is what happens to the chosen status:

    - "end": it ends.
    - "save": the creature saves against it.
    - "escape": the creature tries to escape from it.
    - "order": the creature makes its Saving Throw against it first.
    """

    who: Person
    how: str
    power: Reason = ""

    asks = (
        "[{power}: ]{how:end=which status of {who} ends?|save=what does {who} save against?"
        "|escape=what does {who} try to get out of?|order=which save does {who} make first?}"
    )
