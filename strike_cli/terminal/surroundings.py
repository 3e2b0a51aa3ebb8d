"""What many commands have in common: the campaign that a script keeps open, who is asked in the place of a
terminal, and for whom outside they are played."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from ..values import Value

if TYPE_CHECKING:
    from ..campaign import Campaign
    from ..kernel.procedure import Roll
    from ..registry.outside import Asker, Given
    from .result import Result

FacesOf = Callable[["Roll", str], "list[int] | None"]
"""Who asks for the faces of a roll, by the name of whose it is; None for one that is left to strike. Raises
Refused where the command is taken back."""


class OutsideCall(Value):
    """Who outside a command is played for, and what they say beside its words."""

    __slots__ = ("asker", "given")

    def __init__(
        self,
        asker: Asker,
        given: Given,
    ) -> None:
        self.asker = asker
        self.given = given


class _Surroundings:
    """What many commands share: the campaign that a script keeps open, and who is asked in a terminal's
    place."""

    campaign: Campaign | None = None
    unattended = False
    asking = False
    dice: str | None = None
    faces_of: FacesOf | None = None
    taken_by: Callable[[Result], None] | None = None
    """Who takes what came of a command, in the place of a terminal."""
    player = ""
    by = ""
    outside: OutsideCall | None = None


surroundings = _Surroundings()


ASK = "ask"
"""What --dice is where somebody shall be asked for the faces of every roll."""


@contextlib.contextmanager
def dice_for_all(typed: str | None) -> Iterator[None]:
    """Let every command of the block that says nothing of its dice have these."""
    surroundings.dice = typed
    try:
        yield
    finally:
        surroundings.dice = None


@contextlib.contextmanager
def unattended() -> Iterator[None]:
    """Ask nobody anything in the block, terminal or not: decisions stay pending."""
    surroundings.unattended = True
    try:
        yield
    finally:
        surroundings.unattended = False


@contextlib.contextmanager
def asked_elsewhere(faces_of: FacesOf) -> Iterator[None]:
    """Ask nobody at the terminal in the block, but leave every decision open for whoever shows it, those too
    that would be taken by default. The faces of dice on the table are asked of `faces_of`."""
    surroundings.asking, surroundings.faces_of = True, faces_of
    try:
        with unattended():
            yield
    finally:
        surroundings.asking, surroundings.faces_of = False, None


@contextlib.contextmanager
def results_to(taken_by: Callable[[Result], None]) -> Iterator[None]:
    """In the block what comes of commands is printed nowhere: it is handed over."""
    before, surroundings.taken_by = surroundings.taken_by, taken_by
    try:
        yield
    finally:
        surroundings.taken_by = before


def is_collected() -> bool:
    """Whether somebody takes what comes of commands, in the place of a terminal."""
    return surroundings.taken_by is not None


@contextlib.contextmanager
def from_phone(player: str, by: str = "") -> Iterator[None]:
    """Commands of the block come from the phone of a character's player, or from an assistant (`by`), which
    the journal keeps."""
    surroundings.player, surroundings.by = player, by
    shared = surroundings.campaign
    marks = shared.marks if shared is not None else {}
    try:
        yield
    finally:
        surroundings.player = surroundings.by = ""
        if shared is not None:
            shared.marks = marks


@contextlib.contextmanager
def from_outside(asker: Asker, given: Given) -> Iterator[None]:
    """Commands of the block are asked for from outside: what may not be asked for is refused before anything
    is looked at (`registry.outside`)."""
    before, surroundings.outside = surroundings.outside, OutsideCall(asker, given)
    try:
        yield
    finally:
        surroundings.outside = before


def in_a_script() -> bool:
    """Whether a script keeps the campaign open, and sees to what follows its commands."""
    return surroundings.campaign is not None


@contextlib.contextmanager
def shared(campaign: Campaign) -> Iterator[None]:
    """Let every command in the block use this open campaign, and keep it open."""
    with in_place(campaign), campaign.keep_open():
        yield


@contextlib.contextmanager
def in_place(campaign: Campaign | None) -> Iterator[None]:
    """Let every command in the block use this campaign, which is open; None lets each open its own."""
    before, surroundings.campaign = surroundings.campaign, campaign
    try:
        yield
    finally:
        surroundings.campaign = before
