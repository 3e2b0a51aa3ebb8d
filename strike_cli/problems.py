"""The errors that strike reports to people, each with a message and an exit code.

All of them are subclasses of `Problem`. `cli` turns them into text or JSON.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import ClassVar, ParamSpec, dataclass_transform

from .immutable_records import Value


class Problem(Exception):
    """An error with a message for people; the base class of strike's errors with such messages.

    `message` says what is wrong and where. `hint` says what to do next.
    """

    exit_code = 3
    code = "problem"

    def __init__(self, message: str, hint: str = "") -> None:
        message = cut_long_lines(message)
        super().__init__(message)
        self.message = message
        self.hint = hint


@dataclass_transform()
class TemplateRefusal:
    """The base class of refusals that several places share.

    A refusal's class derives from `TemplateRefusal` and from a kind of `Problem`. It declares fields, and a
    template (`says`) that makes the message from the fields. The field `hint` tells people what to do next.
    """

    says: ClassVar[str]

    def __init__(self, *values: object, **named: object) -> None:
        given = {**dict(zip(self.__annotations__, values, strict=False)), **named}
        vars(self).update(given)
        hint = getattr(self, "hint", "")
        super().__init__(self.says.format(**given), hint)  # type: ignore[call-arg]  # that of the class behind


class Refused(Problem):
    """Raised if the rules of the game don't allow a command."""

    exit_code = 1
    code = "refused"


Given = ParamSpec("Given")


def is_not_refused(check: Callable[Given, object], *args: Given.args, **kwargs: Given.kwargs) -> bool:
    """Return whether `check`, called with these arguments, doesn't raise Refused."""
    try:
        check(*args, **kwargs)
    except Refused:
        return False
    return True


class Usage(Problem):
    """The command was typed wrong: an unknown name, dice that don't fit, a missing option."""

    exit_code = 2
    code = "usage"
    words_known = 0
    """The number of known names beside the wrong one, where the words are in a list."""


class CampaignProblem(Problem):
    """Raised if the campaign's files can't be read, written or trusted."""

    exit_code = 3
    code = "campaign"


class ContentProblem(CampaignProblem):
    """The problem of one or more mistakes in what people wrote. `faults` has a line for each."""

    code = "content"

    def __init__(self, mistakes: Iterable[object], hint: str = "") -> None:
        faults = [cut_long_lines(str(fault)) for fault in mistakes]
        shown = faults if len(faults) < 9 else [*faults[:8], f"... and {len(faults) - 8} more"]
        super().__init__("\n".join(shown), hint)
        self.faults = faults


class Finding(Value):
    """A mistake that `strike doctor` found, with its file and key, and the remedy."""

    what: str
    hint: str = ""


class Unsound(CampaignProblem):
    """The problem of mistakes that `strike doctor` found; `findings` has each of them."""

    def __init__(self, findings: Iterable[Finding]) -> None:
        self.findings = tuple(findings)
        super().__init__(f"{len(self.findings)} findings.", "Each says how to fix it.")


class PluginProblem(Problem):
    """A plugin is broken, missing, or incompatible with another one."""

    exit_code = 4
    code = "plugin"


class BridgeProblem(Problem):
    """A failure to reach a virtual tabletop, or a refusal by it."""

    exit_code = 5
    code = "bridge"


PENDING_EXIT_CODE = 6
INTERRUPTED_EXIT_CODE = 130
"""The exit code that shells expect of a command ended by Ctrl-C."""


_LONGEST_WORD = 200
"""The longest word that is searched for among names: the cost of comparing grows with its square."""
_LONGEST_LINE = 1000


def cut_long_lines(text: str) -> str:
    """Return a message with each very long line reduced to its beginning and its end."""
    if len(text) <= _LONGEST_LINE:
        return text
    half = _LONGEST_LINE // 2
    lines = text.split("\n")
    return "\n".join(
        line if len(line) <= _LONGEST_LINE else f"{line[:half]} ... {line[-half:]}" for line in lines
    )


def did_you_mean(word: str, known: Iterable[str], alike: float = 0.6) -> str:
    """Return ` Did you mean X?` with the known word most similar to `word`; "" if none is similar.

    Args:
        word: The word that was typed.
        known: The words that it may mean.
        alike: The similarity that is needed, from 0 to 1.

    Returns:
        The question, with a space in front, or "".
    """
    from difflib import get_close_matches

    if len(word) > _LONGEST_WORD:
        return ""
    names = list(known)
    lowered = {name.lower(): name for name in names}
    close = get_close_matches(word.lower(), lowered, n=1, cutoff=alike)
    return f" Did you mean {lowered[close[0]]!r}?" if close else ""


def listed(words: Iterable[str], limit: int = 12) -> str:
    """Return words as a list for a sentence, `a, b, c`; "none" if there are no words.

    If there are more than `limit` words, the others are only counted at the end.
    """
    names = list(words)
    if len(names) > limit:
        return ", ".join(names[:limit]) + f" and {len(names) - limit} more"
    return ", ".join(names) or "none"


def as_sentence(words: str) -> str:
    """Return words as a sentence, with a capital letter and a full stop; "" for none."""
    return f"{words[:1].upper()}{words[1:]}{'' if not words or words.endswith('.') else '.'}"


def pluralize(count: int, singular: str, plural: str = "") -> str:
    """Return a number with its noun, such as `1 door` or `2 doors`.

    The plural is made with an s, unless `plural` is given: `3 entries` needs the plural "entries".
    """
    return f"{count} {singular if count == 1 else plural or singular + 's'}"
