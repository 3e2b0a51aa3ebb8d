"""Players' proposals from their phones, stored until the game master accepts or declines them.

They aren't part of the journal. They have a file next to the bridge's files.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from ..campaign.change_stamp import stamp_of_file
from ..command_line_splitting import quote_word_if_needed
from ..problems import Refused
from ..stored_data_check import fits_form

FILE = "bridge/proposals.json"
LARGEST = 1024 * 1024
"""The most bytes of the file."""
MOST_ENDED = 40
"""The ended proposals that are stored for phones to show."""


class Proposal(NamedTuple):
    """A proposal of a player or an assistant: the command that plays it, and a description for people.

    `words` are the command without `strike`. `faces` has the faces of the player's own dice. `answers` is the
    mark of the decision that the proposal answers, or "" if it answers none. `by` is "mcp" for an assistant's
    proposal. `who` is the player's character; it is "" if the assistant acts for the game master.
    """

    id: int
    who: str
    words: tuple[str, ...]
    text: str
    faces: tuple[int, ...] = ()
    answers: str = ""
    by: str = ""

    @property
    def command_line(self) -> str:
        """The typed command of this proposal, without the word `strike`.

        If the player rolled dice for it, the option `--dice` with their faces is added.
        """
        words = " ".join(map(quote_word_if_needed, self.words))
        return f"{words} --dice {','.join(map(str, self.faces))}" if self.faces else words


class ProposalOutcome(NamedTuple):
    """How a proposal ended: "accepted", "declined" or "outdated", and the reason."""

    id: int
    who: str
    text: str
    outcome: str
    why: str = ""


class Proposals(NamedTuple):
    """The open proposals (`waiting`), oldest first, and the outcomes of the last closed ones (`ended`)."""

    waiting: tuple[Proposal, ...] = ()
    ended: tuple[ProposalOutcome, ...] = ()
    last: int = 0
    """The number that was given last: none is given twice."""

    def open_proposal_of(self, character: str) -> Proposal | None:
        """Return the open proposal of a character's player; None if there is none."""
        return next((one for one in self.waiting if one.who == character and not one.by), None)

    def open_assistant_proposal(self) -> Proposal | None:
        """Return the open proposal of an assistant; None if there is none."""
        return next((one for one in self.waiting if one.by), None)

    def last_outcome_of(self, character: str) -> ProposalOutcome | None:
        """Return the outcome of the last closed proposal of a character's player; None if there is none."""
        return next((end for end in reversed(self.ended) if end.who == character), None)


NO_PROPOSALS = Proposals()


def read_proposals(folder: Path) -> Proposals:
    """Return the proposals of a campaign; none if their file is missing or faulty."""
    from ..campaign.file_access import read_plain_file

    try:
        kept = json.loads(read_plain_file(folder / FILE, LARGEST))
    except (OSError, ValueError, RecursionError):
        return NO_PROPOSALS
    if not fits_form(kept, _FORM):
        return NO_PROPOSALS
    waiting = ({name: one[name] for name in Proposal._fields if name in one} for one in kept["waiting"])
    return Proposals(
        tuple(
            Proposal(**{**one, "words": tuple(one["words"]), "faces": tuple(one["faces"])}) for one in waiting
        ),
        tuple(ProposalOutcome(*(one[name] for name in ProposalOutcome._fields)) for one in kept["ended"]),
        kept["last"],
    )


_FORM = {
    "waiting": [
        {"id": int, "who": str, "words": [str], "text": str, "faces": [int], "answers": str, "by?": str}
    ],
    "ended": [{"id": int, "who": str, "text": str, "outcome": str, "why": str}],
    "last": int,
}


def add_or_replace_proposal(
    folder: Path,
    character: str,
    words: Sequence[str],
    text: str,
    faces: Sequence[int] = (),
    answers: str = "",
    by: str = "",
) -> Proposal:
    """Store a new proposal, and return it.

    A player's new proposal replaces the player's earlier one. The arguments are the fields of `Proposal`;
    `by` names an assistant, or is "" for a player.

    Raises Refused if an assistant makes a proposal while another one of an assistant is open. Raises
    CampaignProblem if the proposal can't be stored.
    """
    made: list[Proposal] = []

    def replace_or_add_to_waiting(now: Proposals) -> Proposals:
        if by and (waits := now.open_assistant_proposal()) is not None:
            raise Refused(
                f"Proposal {waits.id} waits for the game master: {waits.text}.",
                "Wait until it is accepted or declined.",
            )
        made.append(Proposal(now.last + 1, character, tuple(words), text, tuple(faces), answers, by))
        others = tuple(one for one in now.waiting if one.by or by or one.who != character)
        return now._replace(waiting=(*others, *made), last=now.last + 1)

    _change_stored_proposals(folder, replace_or_add_to_waiting)
    return made[0]


def find_open_proposal(folder: Path, number_or_zero: int = 0) -> Proposal:
    """Return the open proposal with this number; with 0 the oldest open one.

    Raises Refused if there is no such proposal.
    """
    waiting = read_proposals(folder).waiting
    if not waiting:
        raise Refused(
            "Nobody has proposed anything.", "Players propose on their phones: `strike table --players`."
        )
    for one in waiting:
        if number_or_zero in (0, one.id):
            return one
    known = ", ".join(str(one.id) for one in waiting)
    raise Refused(f"Proposal {number_or_zero} is not open.", f"Open: {known}. `strike proposals` shows them.")


def end_proposal(folder: Path, proposal: Proposal, outcome_or_withdrawn: str = "", why: str = "") -> bool:
    """Remove an open proposal, and store its outcome for the player; return whether it was open.

    If `outcome_or_withdrawn` is "", the player has withdrawn the proposal, and nothing is stored. `why` is
    the reason that the player reads. Raises CampaignProblem if the file can't be written.
    """
    found: list[Proposal] = []

    def remove_and_store_outcome(now: Proposals) -> Proposals:
        found.extend(one for one in now.waiting if one.id == proposal.id)
        left = tuple(one for one in now.waiting if one.id != proposal.id)
        ended = now.ended
        if found and outcome_or_withdrawn:
            ended = (
                *ended,
                ProposalOutcome(proposal.id, proposal.who, proposal.text, outcome_or_withdrawn, why),
            )[-MOST_ENDED:]
        return now._replace(waiting=left, ended=ended)

    _change_stored_proposals(folder, remove_and_store_outcome)
    return bool(found)


def _change_stored_proposals(folder: Path, change: Callable[[Proposals], Proposals]) -> None:
    from strike_bridge.worker_lock import try_to_hold_lock

    from ..campaign.file_access import replace_file_without_sync, unwritable_problem, write_scratch

    path = folder / FILE
    try:
        with try_to_hold_lock(path.with_name(".proposals.lock"), wait=5):
            now = change(read_proposals(folder))
            kept = {
                "waiting": [one._asdict() for one in now.waiting],
                "ended": [one._asdict() for one in now.ended],
                "last": now.last,
            }
            replace_file_without_sync(
                write_scratch(path, json.dumps(kept, ensure_ascii=False).encode()), path
            )
    except OSError as error:
        raise unwritable_problem(path, error) from None


def proposals_stamp(folder: Path) -> object:
    """Return a value that changes when a proposal is made or ends."""
    return stamp_of_file(os.path.join(folder, FILE))
