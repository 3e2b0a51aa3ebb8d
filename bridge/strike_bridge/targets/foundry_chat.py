"""Results in Foundry's chat: messages with a card, and with rolls whose faces are strike's.

Each has an id of our own, so that it appears once however often it is sent, and can be marked when it is
undone. Relays and modules that don't keep ids get lines of text: those are searched for before they are
sent again.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from html import escape
from typing import TYPE_CHECKING

from ..markup import standing_out, told_die
from .base import Conversation, Outcome, OutcomeKind, Payload, Post, Request, Wire
from .foundry_documents import FLAG, content, flavor, inert, plain
from .foundry_relay import FoundryRelay
from .readers import at, items

if TYPE_CHECKING:
    from ..payloads import ToldDie, ToldResult


LATEST = 100
"""Chat messages that are looked through for one of ours."""
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
NO_IDS = "keeps-no-ids"


class FoundryChat:
    """The part of the target that sends results."""

    def __init__(self, relay: FoundryRelay) -> None:
        self._relay = relay
        self._target = relay.target

    def send(self, post: Post) -> Conversation:
        """Post a message, or an earlier one once more, where it is a mark.

        A secret one is whispered to the game masters, or not sent.
        """
        yield from self._relay.begin()
        if self._relay.version < 3:
            return None
        whisper: list[str] = []
        if post.result["secret"]:
            answer = yield Request("GET", self._relay.path("/players"))
            masters = [str(user.get("id")) for user in items(answer.value("users")) if user.get("isGM")]
            if not masters and not answer.planned:
                return Outcome(OutcomeKind.REJECTED, "there is no game master to whisper a secret result to")
            whisper = masters or ["<game masters>"]
        if NO_IDS in self._target.memory:
            return (yield from self._say_line(post, whisper))
        if post.mark:
            return (yield from self._mark(message_id(post.result), post.result))
        return (yield from self._say(post.result.get("parts", [post.result]), whisper))

    def _say(self, parts: list[ToldResult], whisper: list[str]) -> Conversation:
        """Post a message of our own id, that of the first result it says.

        One that is there already was said.
        """
        said = {message_id(part): card(part) for part in parts}
        id, ids = next(iter(said)), [str(part["id"]) for part in parts]
        data: Payload = {
            "_id": id,
            "content": "<hr>".join(said.values()),
            "flavor": f"#{ids[0]}" if len(ids) == 1 else f"#{ids[0]} to #{ids[-1]}",
            "speaker": {"alias": self._target.options["alias"]},
            "rolls": [json.dumps(roll) for part in parts for roll in rolls(part["dice"])],
            "flags": {FLAG: {"results": [{"id": each, "card": text} for each, text in said.items()]}},
            **({"whisper": whisper} if whisper else {}),
        }
        if data["rolls"]:
            data["sound"] = "sounds/dice.wav"
        body = {"entityType": "ChatMessage", "keepId": True, "data": data}
        answer = yield Request("POST", self._relay.path("/create"), body)
        if answer.planned:
            return None
        if answer.value("entity", "_id", default=id) != id:
            self._target.memory[NO_IDS] = "1"
        if answer.status == 400 and len(parts) > 1:
            # It may have said fewer of them, before we forgot that it did.
            answer = yield Request("GET", self._relay.path("/get", uuid=f"ChatMessage.{id}"))
            known = {each["id"] for each in _cards(answer.value("data"))}
            missing = [part for part in parts if message_id(part) not in known]
            if known and missing and missing[0] != parts[0]:
                return (yield from self._say(missing, whisper))
        return None

    def _mark(self, id: str, result: ToldResult) -> Conversation:
        """Strike out a result in its message where it is undone, or restore it where it is done again.

        Where the message is gone it is gone.
        """
        answer = yield Request("GET", self._relay.path("/get", uuid=f"ChatMessage.{id}"), may_fail=True)
        message = answer.value("data")
        if answer.status >= 300:
            answer = yield Request("GET", self._relay.path("/chat", limit=str(LATEST)))
            said = items(answer.value("data", "messages"))
            message = next((each for each in said if any(one["id"] == id for one in _cards(each))), None)
        cards = [
            {**each, "undone": result["undone"]} if each["id"] == id else each for each in _cards(message)
        ]
        if not cards or not isinstance(message, Mapping):
            return None
        shown = "<hr>".join(
            struck(str(each["card"])) if each.get("undone") else str(each["card"]) for each in cards
        )
        uuid = f"ChatMessage.{message.get('_id') or message.get('id')}"
        yield self._relay.update(uuid, {"content": shown, f"flags.{FLAG}.results": cards})._replace(
            gone_will_do=True
        )
        return None

    def _say_line(self, post: Post, whisper: list[str]) -> Conversation:
        """Post a line without rolls, of which only number and text can be looked for; it can't be marked."""
        if post.mark:
            return None
        body: Payload = {
            "content": content(post),
            "alias": self._target.options["alias"],
            "flavor": flavor(post),
        }
        if whisper:
            body["whisper"] = whisper
        yield Request("POST", self._relay.path("/chat"), body, absolute=False)
        return None

    def has(self, wire: Wire, post: Post) -> bool | Outcome:
        """Look up whether a message of its id is there, or one of the latest has its number and its text."""
        if post.mark:
            return False  # it does no harm to mark it once more
        id = message_id(post.result.get("parts", [post.result])[0])
        if NO_IDS not in self._target.memory:
            answer = self._target.ask(
                wire, Request("GET", self._relay.path("/get", uuid=f"ChatMessage.{id}"))
            )
            if not isinstance(answer, Outcome) or not answer.gone:
                return answer if isinstance(answer, Outcome) else True
        answer = self._target.ask(wire, Request("GET", self._relay.path("/chat", limit=str(LATEST))))
        if isinstance(answer, Outcome):
            return answer
        if any(one["id"] == id for each in items(answer.value("data", "messages")) for one in _cards(each)):
            return True
        wanted = flavor(post), plain(content(post))
        messages = items(answer.value("data", "messages"))
        return any((each.get("flavor"), plain(str(each.get("content")))) == wanted for each in messages)


# What a message is made of


def message_id(result: ToldResult) -> str:
    """Return sixteen letters and digits, as Foundry's ids are.

    They are the same for a result whatever becomes of it, others in another campaign or after it was begun
    anew.
    """
    return as_message_id(json.dumps([result["id"], result["at"], result["text"], result["secret"]]))


def as_message_id(named: str) -> str:
    """Return an id as Foundry's are, made of a text: the same for the same."""
    number = int.from_bytes(hashlib.sha256(named.encode()).digest(), "big")
    letters = []
    for _ in range(16):
        number, place = divmod(number, len(_LETTERS))
        letters.append(_LETTERS[place])
    return "".join(letters)


def card(result: ToldResult) -> str:
    """Return a result, and in a fold the dice with why they count as they do."""
    lines = [*filter(None, [" · ".join(standing_out(result))]), *str(result["text"]).splitlines()]
    lines = [inert(escape(line)) for line in lines if line.strip()]
    told = [f"<p><strong>{line}</strong></p>" for line in lines[:1]] + [
        f"<p>{line}</p>" for line in lines[1:]
    ]
    why = "".join(f"<li>{inert(told_die(die))}</li>" for die in result["dice"])
    fold = f"<details><summary>Why</summary><ul>{why}</ul></details>" if why else ""
    return "".join(told) + fold


def struck(said: str) -> str:
    """Return a card that counts no more."""
    return f"<p><em>Undone</em></p><s>{said}</s>"


def _cards(message: object) -> list[Payload]:
    """Return the results that a message says."""
    found = items(at(message, f"flags.{FLAG}.results"))
    return [dict(each) for each in found if "id" in each and "card" in each]


def rolls(dice: list[ToldDie]) -> Iterator[Payload]:
    """Yield the rolls in the form that Foundry stores them in.

    The faces are those that fell; what does not count is there and inactive.
    """
    for die in dice:
        faces = [face for face in die["faces"] if isinstance(face, int)]
        if not faces:
            continue
        kept = die["kept"] if len(faces) > 1 and die["kept"] in faces else None
        at = faces.index(kept) if kept is not None else -1
        results = [
            {
                "result": face,
                "active": at in (-1, number),
                **({"discarded": True} if at not in (-1, number) else {}),
            }
            for number, face in enumerate(faces)
        ]
        which = [("kh" if kept == max(faces) else "kl")] if kept is not None else []
        first = {
            "class": "Die", "options": {}, "evaluated": True, "number": len(faces), "faces": die["sides"],
            "modifiers": which, "results": results,
        }  # fmt: skip
        base = kept if kept is not None else sum(faces)
        total = die["total"] if isinstance(die["total"], int) else base
        terms, formula = [first], f"{len(faces)}d{die['sides']}{''.join(which)}"
        if total != base:
            sign, number = ("+", total - base) if total > base else ("-", base - total)
            terms += [
                {"class": "OperatorTerm", "options": {}, "evaluated": True, "operator": sign},
                {"class": "NumericTerm", "options": {}, "evaluated": True, "number": number},
            ]
            formula += f" {sign} {number}"
        named = ", ".join(part for part in (die["who"], die["purpose"]) if part)
        yield {
            "class": "Roll", "options": {"flavor": named}, "dice": [], "formula": formula, "terms": terms,
            "total": total, "evaluated": True,
        }  # fmt: skip
