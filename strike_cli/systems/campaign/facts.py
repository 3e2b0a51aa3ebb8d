"""Facts about an evening's frame: its beginning and end, and overrides. No rule is here."""

from strike_cli.kernel.statements import Code, Fact, Words


class SessionStarted(Fact):
    """An evening begins."""

    number: int
    title: Words = ""

    style = "title"
    event = "scene"
    headline = "Session {number}"
    says = "Session {number} begins[: {title}]."


class SessionEnded(Fact):
    """An evening ends."""

    number: int

    event = "scene"
    says = "Session {number} ends."


class SceneUsed(Fact):
    """Among several scenes under way, the verbs of another one take precedence."""

    system: Code

    gm_only = True
    says = "Next scene: {system}."


class Overridden(Fact):
    """The game master sets a value by hand; without a `value`, to nothing."""

    path: Code
    why: Words
    value: Words | None = None

    section = "By hand"
    gm_only = True
    says = "The game master sets {path} to {value:?{value}|nothing}: {why}."
