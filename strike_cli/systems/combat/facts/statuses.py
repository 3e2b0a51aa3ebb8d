"""Facts about statuses: their beginning, duration and end."""

from strike_cli.kernel.statements import Clause, Decision, Fact, Person, Reason, Shown
from strike_cli.tabletop.facts import Status


class Lasting(Clause):
    """The duration of a status or a zone, in words for its bearer.

    `ends` is the kind of duration. For the start or end of a turn, `of` is the creature whose turn it is;
    `next` is true for its next turn, false for the present one. For "until", `until` is the kind of event.
    For a plugin's kind, the text is `words`, then the turn of `of` (if set), then `after`.
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
    """The duration of a status in words that need no context, for use in a question.

    `own` is true if the creature `of` was named just before, so that "their" is enough.
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
        """Return the display: nothing for a silent status, a fall for Incapacitated, else a status."""
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
    """A status that would have ended with this turn stays until the next."""

    who: Person


class WhichStatus(Decision):
    """The choice of one of a creature's statuses. `power` is set if a power asks for it.

    `how` is the purpose: "end" ends the status, "save" saves against it, "escape" escapes from it, "order"
    makes its Saving Throw the first of several.
    """

    who: Person
    how: str
    power: Reason = ""

    asks = (
        "[{power}: ]{how:end=which status of {who} ends?|save=what does {who} save against?"
        "|escape=what does {who} try to get out of?|order=which save does {who} make first?}"
    )
