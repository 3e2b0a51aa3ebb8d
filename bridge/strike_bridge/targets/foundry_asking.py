"""Questions to players in Foundry's chat, and the buttons that players press.

A question is a message of ours, to which the companion module adds buttons. An answer is a message of the
player's own, which Foundry lets nobody write for another: its flags name the question and the answer, its
rolls have the faces. Whether it counts is the game's business.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from html import escape
from typing import TYPE_CHECKING

from strike_cli.problems import listed

from .base import (
    Answer,
    Answered,
    Asking,
    Conversation,
    Finding,
    Outcome,
    OutcomeKind,
    Request,
    Wire,
    for_kind,
)
from .foundry_chat import LATEST, NO_IDS, as_message_id
from .foundry_documents import FLAG, inert, sentence
from .foundry_relay import FoundryRelay
from .readers import at, items

if TYPE_CHECKING:
    from ..payloads import ShownDecision


ASKED = "asked"
"""What is remembered: the messages of questions that are open, by the digest of what they say."""
_LONGEST = 200
"""Characters of what somebody else's message may say in one word."""


class FoundryQuestions:
    """The part of the target that sends open decisions and reads their answers."""

    def __init__(self, relay: FoundryRelay) -> None:
        self._relay = relay
        self._target = relay.target

    def put(self, asked: list[ShownDecision]) -> Conversation:
        """Post a message for each decision that a player may answer there; those that are settled say so."""
        wanted = {as_message_id(one["decision"]): one for one in asked if self._asks(one)}
        known: list[str] = json.loads(self._target.memory.get(ASKED, "[]"))
        if not wanted and not known:
            return None
        yield from self._relay.begin()
        if self._relay.version < 3 or NO_IDS in self._target.memory:
            return None
        for id in known:
            if id not in wanted:
                yield self._change_question(id, {"over": True, "dice": None})._replace(gone_will_do=True)
        for id, one in wanted.items():
            if id not in known:
                answer = yield self._question(id, one)
                if answer.status == 400:  # asked before, and taken back since
                    yield self._change_question(id, {"over": False, "dice": None})
        self._target.memory[ASKED] = json.dumps([*wanted])
        return None

    def _asks(self, asked: ShownDecision) -> bool:
        return not asked["hidden"] and bool(self._player_of(asked["who"]))

    def _player_of(self, who: str) -> str:
        """Return the user, by id or name, that settings name for a creature."""
        return for_kind(self._target.option("players", dict), who)

    def _question(self, id: str, asked: ShownDecision) -> Request:
        words = [f"{asked['name']}: {asked['what']}", *asked["said"]]
        shown = "".join(f"<p>{inert(escape(line))}</p>" for line in words)
        options = [{"name": each["name"], "label": each["label"]} for each in asked["options"]]
        named = " · ".join(inert(escape(each["label"] or each["name"])) for each in options)
        question = {
            "decision": asked["decision"],
            "player": self._player_of(asked["who"]),
            "options": options,
            "over": False,
            "dice": None,
        }
        data = {
            "_id": id,
            "content": f"{shown}<p><em>{named}</em></p>",
            "speaker": {"alias": self._target.options["alias"]},
            "flags": {FLAG: {"asked": question}},
        }
        body = {"entityType": "ChatMessage", "keepId": True, "data": data}
        return Request("POST", self._relay.path("/create"), body)

    def _change_question(self, id: str, changes: Mapping[str, object]) -> Request:
        data = {f"flags.{FLAG}.asked.{key}": value for key, value in changes.items()}
        return self._relay.update(f"ChatMessage.{id}", data)

    # What comes back

    def answers(self, wire: Wire) -> list[Answered] | Outcome:
        """Read the answers in the newest messages, the oldest first.

        Nothing is asked while no question is open.
        """
        if json.loads(self._target.memory.get(ASKED, "[]")) == []:
            return []
        return self._target.find_out(wire, self._answers())

    def _answers(self) -> Asking[list[Answered]]:
        answer = yield Request("GET", self._relay.path("/chat", limit=str(LATEST)))
        return [*_answers_in(answer)][::-1]

    def checks(self, wire: Wire) -> Iterator[Finding]:
        """Check whether those who are to answer are users there."""
        answer = self._target.ask(wire, Request("GET", self._relay.path("/players")))
        if isinstance(answer, Outcome):
            yield Finding(sentence(answer.why), False)
            return
        users = items(answer.value("users"))
        known = {str(user.get(key)) for user in users for key in ("id", "name")}
        wrong = [who for who in map(str, self._target.option("players", dict).values()) if who not in known]
        if wrong:
            names = listed([str(user.get("name")) for user in users])
            remedy = f"In {self._target.settings.where('options.players')}: users there are {names}."
            yield Finding(f"Nobody there is called {listed(wrong)}.", False, remedy)
        else:
            yield Finding("Everybody who is to answer is a user there.")

    def tell(self, wire: Wire, answered: Answered, words: str, dice: Mapping[str, int] | None) -> bool:
        """Show beside the answer what became of it; where dice are wanted, the question has a button."""
        changes = [self._relay.update(f"ChatMessage.{answered.id}", {f"flags.{FLAG}.answer.came": words})]
        if dice is not None:
            wanted = {"option": answered.option, **dice}
            changes.append(self._change_question(as_message_id(answered.decision), {"dice": wanted}))
        for change in changes:
            came = self._target.ask(wire, change)
            if isinstance(came, Outcome) and not (came.kind is OutcomeKind.REJECTED and came.gone):
                return False
        return True


def _answers_in(answer: Answer) -> Iterator[Answered]:
    for message in items(answer.value("data", "messages")):
        given = at(message, f"flags.{FLAG}.answer")
        author = message.get("author")
        if not isinstance(given, Mapping) or not isinstance(author, Mapping):
            continue
        words = [given.get("decision"), given.get("option"), message.get("id"), author.get("id")]
        if all(isinstance(word, str) and 0 < len(word) <= _LONGEST for word in words):
            decision, option, id, user = map(str, words)
            yield Answered(id, (user, str(author.get("name", ""))), decision, option, _faces(message))


def _faces(message: Mapping[str, object]) -> list[list[int]]:
    """Return the faces of each roll of a message; an empty one for what is no roll of dice."""
    found = []
    for roll in items(message.get("rolls")):
        results = [each for die in items(roll.get("dice")) for each in items(die.get("results"))]
        faces = [each.get("result") for each in results]
        found.append([face for face in faces if type(face) is int])
    return found
