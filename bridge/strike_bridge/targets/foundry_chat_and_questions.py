"""Results in Foundry's chat: messages with a card, and rolls with the faces that strike rolled.

Each message has an id that strike gives it. With the id, a message that is sent twice appears only once. The
id also finds the message again, to mark it when its result is undone. Some relays and modules don't keep ids:
then lines of text are sent. Before such a line is sent again, the chat is searched for it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from html import escape
from typing import TYPE_CHECKING

from strike_cli.problems import listed

from ..result_markup import find_headlines, format_roll
from .answers_and_pixel_grid import tables_in, value_at_path_of_keys
from .base import (
    Answer,
    Asking,
    Conversation,
    Finding,
    Outcome,
    OutcomeKind,
    Payload,
    PlayerAnswer,
    Post,
    Request,
    Wire,
    value_for_token,
)
from .foundry_documents import (
    FLAG,
    as_sentence,
    disable_rolls_and_lookups,
    message_heading,
    message_html,
    visible_text,
)
from .foundry_relay import FoundryRelay

if TYPE_CHECKING:
    from ..payloads import ShownDecision, ShownResult, ShownRoll


LATEST = 100
"""The number of recent chat messages that are searched for one of ours."""
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
NO_IDS = "keeps-no-ids"


class FoundryChat:
    """The part of the Foundry target that posts results and questions in the chat, and reads answers."""

    def __init__(self, relay: FoundryRelay) -> None:
        self._relay = relay
        self._target = relay.target

    def send_result(self, post: Post) -> Conversation:
        """Post a result in Foundry's chat.

        If the post only says that an earlier result was undone or redone (`post.mark`), update that result's
        message instead. A secret result is whispered to the game masters. If the world has no game master,
        return the outcome REJECTED. A relay older than version 3 is sent no results.
        """
        yield from self._relay.find_version_and_only_world()
        if self._relay.version < 3:
            return None
        whisper: list[str] = []
        if post.result["secret"]:
            answer = yield Request("GET", self._relay.path_in_world("/players"))
            masters = [str(user.get("id")) for user in tables_in(answer.value("users")) if user.get("isGM")]
            if not masters and not answer.planned:
                return Outcome(OutcomeKind.REJECTED, "there is no game master to whisper a secret result to")
            whisper = masters or ["<game masters>"]
        if NO_IDS in self._target.memory:
            return (yield from self._post_line(post, whisper))
        if post.mark:
            return (yield from self._update_undone_mark(message_id(post.result), post.result))
        return (yield from self._post_cards_in_one_message(post.result.get("parts", [post.result]), whisper))

    def _post_cards_in_one_message(self, parts: list[ShownResult], whisper: list[str]) -> Conversation:
        """Post results as one message, whose id is derived from the first of them.

        If a message with this id exists, some of the results were sent before. Those that are missing in it
        are then posted in another message.
        """
        said = {message_id(part): card_html(part) for part in parts}
        id, ids = next(iter(said)), [str(part["id"]) for part in parts]
        data: Payload = {
            "_id": id,
            "content": "<hr>".join(said.values()),
            "flavor": f"#{ids[0]}" if len(ids) == 1 else f"#{ids[0]} to #{ids[-1]}",
            "speaker": {"alias": self._target.options["alias"]},
            "rolls": [json.dumps(roll) for part in parts for roll in rolls_payload(part["dice"])],
            "flags": {FLAG: {"results": [{"id": each, "card": text} for each, text in said.items()]}},
            **({"whisper": whisper} if whisper else {}),
        }
        if data["rolls"]:
            data["sound"] = "sounds/dice.wav"
        body = {"entityType": "ChatMessage", "keepId": True, "data": data}
        answer = yield Request("POST", self._relay.path_in_world("/create"), body)
        if answer.planned:
            return None
        if answer.value("entity", "_id", default=id) != id:
            self._target.memory[NO_IDS] = "1"
        if answer.status == 400 and len(parts) > 1:
            # It may have been sent with fewer results before, which was forgotten.
            answer = yield Request("GET", self._relay.path_in_world("/get", uuid=f"ChatMessage.{id}"))
            known = {each["id"] for each in _cards_in(answer.value("data"))}
            missing = [part for part in parts if message_id(part) not in known]
            if known and missing and missing[0] != parts[0]:
                return (yield from self._post_cards_in_one_message(missing, whisper))
        return None

    def _update_undone_mark(self, id: str, result: ShownResult) -> Conversation:
        """Strike a result out in its message if the result is undone; restore it if it is redone.

        If the message was deleted, nothing happens.
        """
        answer = yield Request(
            "GET", self._relay.path_in_world("/get", uuid=f"ChatMessage.{id}"), may_fail=True
        )
        message = answer.value("data")
        if answer.status >= 300:
            answer = yield Request("GET", self._relay.path_in_world("/chat", limit=str(LATEST)))
            said = tables_in(answer.value("data", "messages"))
            message = next((each for each in said if any(one["id"] == id for one in _cards_in(each))), None)
        cards = [
            {**each, "undone": result["undone"]} if each["id"] == id else each for each in _cards_in(message)
        ]
        if not cards or not isinstance(message, Mapping):
            return None
        shown = "<hr>".join(
            mark_card_undone(str(each["card"])) if each.get("undone") else str(each["card"]) for each in cards
        )
        uuid = f"ChatMessage.{message.get('_id') or message.get('id')}"
        yield self._relay.update_request(uuid, {"content": shown, f"flags.{FLAG}.results": cards})._replace(
            gone_will_do=True
        )
        return None

    def _post_line(self, post: Post, whisper: list[str]) -> Conversation:
        """Post a result without rolls as a plain line in the chat.

        Such a line can't be marked as undone later. So if `post` is only such a mark, nothing is posted.
        """
        if post.mark:
            return None
        body: Payload = {
            "content": message_html(post),
            "alias": self._target.options["alias"],
            "flavor": message_heading(post),
        }
        if whisper:
            body["whisper"] = whisper
        yield Request("POST", self._relay.path_in_world("/chat"), body, absolute=False)
        return None

    def has_result(self, wire: Wire, post: Post) -> bool | Outcome:
        """Return whether Foundry's chat already has a result; if Foundry can't be asked, return the outcome.

        The chat has the result in three cases:

        - A message has the result's id.
        - A recent message contains the result.
        - A recent message has the same heading, such as `#12`, and the same text.

        If `post` only marks an earlier result as undone or redone, nothing is asked, and the result is False.
        """
        if post.mark:
            return False  # it does no harm to mark it once more
        id = message_id(post.result.get("parts", [post.result])[0])
        if NO_IDS not in self._target.memory:
            answer = self._target.send_question(
                wire, Request("GET", self._relay.path_in_world("/get", uuid=f"ChatMessage.{id}"))
            )
            if not isinstance(answer, Outcome) or not answer.gone:
                return answer if isinstance(answer, Outcome) else True
        answer = self._target.send_question(
            wire, Request("GET", self._relay.path_in_world("/chat", limit=str(LATEST)))
        )
        if isinstance(answer, Outcome):
            return answer
        if any(
            one["id"] == id for each in tables_in(answer.value("data", "messages")) for one in _cards_in(each)
        ):
            return True
        wanted = message_heading(post), visible_text(message_html(post))
        messages = tables_in(answer.value("data", "messages"))
        return any(
            (each.get("flavor"), visible_text(str(each.get("content")))) == wanted for each in messages
        )


# The parts of a message


def message_id(result: ShownResult) -> str:
    """Return a result's id in Foundry's form, sixteen letters and digits.

    A result keeps this id when it is undone. Results of another campaign, or of a restarted one, have other
    ids.
    """
    return foundry_id(json.dumps([result["id"], result["at"], result["text"], result["secret"]]))


def foundry_id(text: str) -> str:
    """Return an id in Foundry's form, sixteen letters and digits, derived from a text."""
    number = int.from_bytes(hashlib.sha256(text.encode()).digest(), "big")
    letters = []
    for _ in range(16):
        number, place = divmod(number, len(_LETTERS))
        letters.append(_LETTERS[place])
    return "".join(letters)


def card_html(result: ShownResult) -> str:
    """Return a result as HTML, with a collapsible list of the dice and their reasons."""
    lines = [*filter(None, [" · ".join(find_headlines(result))]), *str(result["text"]).splitlines()]
    lines = [disable_rolls_and_lookups(escape(line)) for line in lines if line.strip()]
    told = [f"<p><strong>{line}</strong></p>" for line in lines[:1]] + [
        f"<p>{line}</p>" for line in lines[1:]
    ]
    why = "".join(f"<li>{disable_rolls_and_lookups(format_roll(die))}</li>" for die in result["dice"])
    fold = f"<details><summary>Why</summary><ul>{why}</ul></details>" if why else ""
    return "".join(told) + fold


def mark_card_undone(html: str) -> str:
    """Return the HTML of a card with all its text struck out, and the word "Undone" above it."""
    return f"<p><em>Undone</em></p><s>{html}</s>"


def _cards_in(message: object) -> list[Payload]:
    """Return the results in a message that strike posted, each with its id and card.

    The list is empty for a message that strike didn't post.
    """
    found = tables_in(value_at_path_of_keys(message, f"flags.{FLAG}.results"))
    return [dict(each) for each in found if "id" in each and "card" in each]


def rolls_payload(dice: list[ShownRoll]) -> Iterator[Payload]:
    """Yield rolls in the form in which Foundry stores them.

    They have the faces that strike rolled; dice that don't count are included as inactive.
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


ASKED = "asked"
"""The memory key of the messages of open questions, by the digest of their contents."""
_LONGEST = 200
"""The maximum number of characters in one word of a message that somebody else wrote."""


class FoundryQuestions:
    """The part of a Foundry target that posts open decisions in the chat and reads the players' answers."""

    def __init__(self, relay: FoundryRelay) -> None:
        self._relay = relay
        self._target = relay.target

    def post_and_close_players_questions(self, asked: list[ShownDecision]) -> Conversation:
        """Post a message for each decision of a player, and close the messages of settled decisions.

        A message is posted only if the settings name a Foundry user for the decider. Decisions that are
        hidden from players are not posted. Nothing is posted or closed through a relay older than 3.
        """
        wanted = {
            foundry_id(one["decision"]): one
            for one in asked
            if not one["hidden"] and self._foundry_user_of(one["who"])
        }
        known: list[str] = json.loads(self._target.memory.get(ASKED, "[]"))
        if not wanted and not known:
            return None
        yield from self._relay.find_version_and_only_world()
        if self._relay.version < 3 or NO_IDS in self._target.memory:
            return None
        for id in known:
            if id not in wanted:
                yield self._question_change_request(id, {"over": True, "dice": None})._replace(
                    gone_will_do=True
                )
        for id, one in wanted.items():
            if id not in known:
                answer = yield self._public_question_request(id, one)
                if answer.status == 400:  # asked before, and taken back since
                    yield self._question_change_request(id, {"over": False, "dice": None})
        self._target.memory[ASKED] = json.dumps([*wanted])
        return None

    def _foundry_user_of(self, person: str) -> str:
        """Return the Foundry user that the settings name for a creature; "" if they name none.

        The settings may name the creature by its id or its name.
        """
        return value_for_token(self._target.option("players", dict), person)

    def _public_question_request(self, id: str, asked: ShownDecision) -> Request:
        words = [f"{asked['name']}: {asked['what']}", *asked["said"]]
        shown = "".join(f"<p>{disable_rolls_and_lookups(escape(line))}</p>" for line in words)
        options = [{"name": each["name"], "label": each["label"]} for each in asked["options"]]
        named = " · ".join(
            disable_rolls_and_lookups(escape(each["label"] or each["name"])) for each in options
        )
        question = {
            "decision": asked["decision"],
            "player": self._foundry_user_of(asked["who"]),
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
        return Request("POST", self._relay.path_in_world("/create"), body)

    def _question_change_request(self, id: str, changes: Mapping[str, object]) -> Request:
        data = {f"flags.{FLAG}.asked.{key}": value for key, value in changes.items()}
        return self._relay.update_request(f"ChatMessage.{id}", data)

    # Answers

    def read_recent_answers(self, wire: Wire) -> list[PlayerAnswer] | Outcome:
        """Return the answers in the newest messages, oldest first.

        Nothing is requested while no decision is open.
        """
        if json.loads(self._target.memory.get(ASKED, "[]")) == []:
            return []
        return self._target.run_conversation(wire, self._request_recent_answers())

    def _request_recent_answers(self) -> Asking[list[PlayerAnswer]]:
        answer = yield Request("GET", self._relay.path_in_world("/chat", limit=str(LATEST)))
        return [*_player_answers_in(answer)][::-1]

    def findings_on_users(self, wire: Wire) -> Iterator[Finding]:
        """Yield a finding on whether the users that the settings name exist in Foundry."""
        answer = self._target.send_question(wire, Request("GET", self._relay.path_in_world("/players")))
        if isinstance(answer, Outcome):
            yield Finding(as_sentence(answer.why), False)
            return
        users = tables_in(answer.value("users"))
        known = {str(user.get(key)) for user in users for key in ("id", "name")}
        wrong = [
            person
            for person in map(str, self._target.option("players", dict).values())
            if person not in known
        ]
        if wrong:
            names = listed([str(user.get("name")) for user in users])
            remedy = f"In {self._target.settings.where('options.players')}: its users are {names}."
            yield Finding(f"Nobody there is called {listed(wrong)}.", False, remedy)
        else:
            yield Finding("Every player who answers is a user there.")

    def show_outcome(
        self,
        wire: Wire,
        answered: PlayerAnswer,
        words: str,
        dice_with_d12_added_or_one_d4: Mapping[str, int] | None,
    ) -> bool:
        """Show the outcome of a player's answer in Foundry, next to the answer; return whether it worked.

        If dice are still to be rolled for the answer (`dice`), a button for this roll is added to the
        question. If a message no longer exists in Foundry, this doesn't count as a failure.
        """
        changes = [
            self._relay.update_request(f"ChatMessage.{answered.id}", {f"flags.{FLAG}.answer.came": words})
        ]
        if dice_with_d12_added_or_one_d4 is not None:
            wanted = {"option": answered.option, **dice_with_d12_added_or_one_d4}
            changes.append(self._question_change_request(foundry_id(answered.decision), {"dice": wanted}))
        for change in changes:
            came = self._target.send_question(wire, change)
            if isinstance(came, Outcome) and not (came.kind is OutcomeKind.REJECTED and came.gone):
                return False
        return True


def _player_answers_in(answer: Answer) -> Iterator[PlayerAnswer]:
    for message in tables_in(answer.value("data", "messages")):
        given = value_at_path_of_keys(message, f"flags.{FLAG}.answer")
        author = message.get("author")
        if not isinstance(given, Mapping) or not isinstance(author, Mapping):
            continue
        words = [given.get("decision"), given.get("option"), message.get("id"), author.get("id")]
        if all(isinstance(word, str) and 0 < len(word) <= _LONGEST for word in words):
            decision, option, id, user = map(str, words)
            yield PlayerAnswer(
                id, (user, str(author.get("name", ""))), decision, option, _rolled_faces_by_roll(message)
            )


def _rolled_faces_by_roll(message: Mapping[str, object]) -> list[list[int]]:
    """Return the faces of each roll in a message; an empty list for a roll without dice."""
    found = []
    for roll in tables_in(message.get("rolls")):
        results = [each for die in tables_in(roll.get("dice")) for each in tables_in(die.get("results"))]
        faces = [each.get("result") for each in results]
        found.append([face for face in faces if type(face) is int])
    return found
