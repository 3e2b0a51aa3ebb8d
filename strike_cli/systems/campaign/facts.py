"""Facts about sessions, and about what the game master sets by hand. They contain no rules."""

from strike_cli.kernel.statements import Code, Fact, Words


class SessionStarted(Fact):
    """A session begins."""

    number: int
    title: Words = ""

    style = "title"
    event = "scene"
    headline = "Session {number}"
    says = "Session {number} begins[: {title}]."


class SessionEnded(Fact):
    """A session ends."""

    number: int

    event = "scene"
    says = "Session {number} ends."


class SceneUsed(Fact):
    """The game master chooses one of several scenes under way.

    The verbs of its `system` then take precedence over those of the other scenes.
    """

    system: Code

    gm_only = True
    says = "Next scene: {system}."


class Overridden(Fact):
    """The game master sets or removes the value at `path` by hand.

    If `value` is None, the value at `path` is removed.
    """

    path: Code
    why: Words
    value: Words | None = None

    section = "By hand"
    gm_only = True
    says = "The game master sets {path} to {value:?{value}|nothing}: {why}."
