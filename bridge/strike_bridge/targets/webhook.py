"""The target for any program that takes Standard Webhooks.

Each change is a signed event, as plain JSON or as a CloudEvent.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import re
import uuid
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import TYPE_CHECKING, ClassVar

from strike_cli.problems import CampaignProblem
from strike_cli.refusals import NotAnAddress

from ..request_outcome import outcome_of_answer
from .base import (
    HIDDEN_KEY,
    Answer,
    Conversation,
    Option,
    Outcome,
    OutcomeKind,
    Post,
    PreparedRequest,
    Request,
    Settings,
    Supports,
    Target,
    Wire,
)

if TYPE_CHECKING:
    from ..payloads import (
        ShownAside,
        ShownDecision,
        ShownExhibit,
        ShownImage,
        ShownOrder,
        ShownScene,
        ShownToken,
    )


PREFIX = "whsec_"
SECRET_BYTES = 32
_FEWEST_BYTES = 16


class WebhookTarget(Target):
    """A webhook, to which changes of the scene and results are sent as events.

    Effects that screens animate (`play`) are not sent. The position of a token is the square of its top left
    corner. The receiver must recognise events by `webhook-id`: two events with the same id are one.
    """

    supports = Supports(
        hp=True, statuses=True, turn_order=True, chat=True, marks=True, images=True, idempotent=True,
        boardless=True, beside=True, asked=True, exhibits=True, any_order=True,
    )  # fmt: skip
    draws_effects = False
    key_variable = "STRIKE_WEBHOOK_SECRET"
    key_words = "signing secret"
    OPTIONS: ClassVar = {
        "format": Option(str, "standard", "The form of a body.", ("standard", "cloudevents")),
        "source": Option(str, "/strike", "CloudEvents' `source`: an address unique to the campaign."),
    }

    def __init__(self, settings: Settings, key: str = "", session: str = "") -> None:
        """Make the target for these settings.

        Raises CampaignProblem for invalid settings, such as an invalid option `source` or a secret with which
        nothing can be signed.
        """
        super().__init__(settings, key, session)
        if not re.fullmatch(r"[!-~]+", self.option("source", str)):
            where, source = settings.where("options.source"), self.option("source", str)
            raise NotAnAddress(where, repr(source), "CloudEvents needs one, without spaces: /the-ferry.")
        self._signers = (
            []
            if key == HIDDEN_KEY
            else [_make_signer_checking_secret(secret, settings) for secret in key.split()]
        )

    # Sending

    def put_scene(self, scene: ShownScene) -> Conversation:
        """Send the event `strike.scene.updated` with the scene."""
        return self._send_event_with_repeatable_id("scene.updated", scene)

    def clear_scene(self) -> Conversation:
        """Send `strike.scene.cleared`, which also ends tokens, turn order, side scenes and open decisions."""
        return self._send_event_with_repeatable_id("scene.cleared", {})

    def put_token(self, token: ShownToken, before: ShownToken | None) -> Conversation:
        """Send `strike.token.updated` with the whole token.

        The file name of its picture is sent only to the game master, since it may reveal the creature.
        """
        whole = {**token, "image": self._without_file_name_for_players(token["image"])}
        return self._send_event_with_repeatable_id("token.updated", whole, token["id"])

    def remove_token(self, id: str) -> Conversation:
        """Send `strike.token.removed`."""
        return self._send_event_with_repeatable_id("token.removed", {"id": id}, id)

    def put_order(self, order: ShownOrder) -> Conversation:
        """Send `strike.order.updated`."""
        return self._send_event_with_repeatable_id("order.updated", order)

    def put_side_scenes(self, beside: list[ShownAside]) -> Conversation:
        """Send `strike.beside.updated` with all side scenes."""
        return self._send_event_with_repeatable_id("beside.updated", {"scenes": beside})

    def put_decisions(self, asked: list[ShownDecision]) -> Conversation:
        """Send `strike.asked.updated`, with all open decisions."""
        return self._send_event_with_repeatable_id("asked.updated", {"asked": asked})

    def put_exhibits(self, exhibits: list[ShownExhibit]) -> Conversation:
        """Send `strike.exhibits.updated` with clocks, the day and handouts.

        The file names of their pictures are sent only to the game master.
        """
        shown = [{**one, "image": self._without_file_name_for_players(one["image"])} for one in exhibits]
        return self._send_event_with_repeatable_id("exhibits.updated", {"exhibits": shown})

    def _without_file_name_for_players(self, image: ShownImage | None) -> ShownImage | None:
        if image is None or self.for_gm:
            return image
        shown: ShownImage = {**image}
        shown.pop("file", None)
        return shown

    def send_result(self, post: Post) -> list[Request]:
        """Return the request that sends a result, as an event `strike.result.created`.

        If the post only marks a result as undone or redone, the event is `strike.result.updated`, with the id
        of that result. The event has an id of its own, which is the same for each attempt. So a receiver can
        notice that it has the event already.
        """
        kind = "result.updated" if post.mark else "result.created"
        result = {key: value for key, value in post.result.items() if key != "play"}
        if "image" in post.result:
            result["image"] = self._without_file_name_for_players(post.result["image"])
        id = f"msg_{post.event or post.id}_{_event_digest(kind, result)}"
        return [self._unsigned_event_request(id, kind, result, post.result["id"], post.result["at"] or "")]

    def _send_event_with_repeatable_id(
        self, kind: str, data: Mapping[str, object], subject: str = ""
    ) -> Conversation:
        """Send the current value of something, such as a token, as an event.

        The event's id contains the number of events that the receiver has accepted so far. If an attempt
        fails, that number stays, so the next attempt has the same id. If a token returns to an earlier value,
        the number has grown, so the event gets a new id.
        """
        series = self.memory.setdefault("series", uuid.uuid4().hex[:12])
        taken = int(self.memory.get("taken", "0"))
        at = datetime.now(UTC).isoformat(timespec="seconds")
        yield self._unsigned_event_request(
            f"msg_{series}_{taken}_{_event_digest(kind, data)}", kind, data, subject, at
        )
        self.memory["taken"] = str(taken + 1)
        return None

    def _unsigned_event_request(
        self, id: str, kind: str, data: Mapping[str, object], subject: str, timestamp: str
    ) -> Request:
        kind, own = f"strike.{kind}", {"webhook-id": id}
        if self.options["format"] == "standard":
            return Request("POST", "", {"type": kind, "timestamp": timestamp, "data": data}, headers=own)
        event = {
            "specversion": "1.0",
            "id": id,
            "source": self.option("source", str),
            "type": kind,
            "time": timestamp,
            **({"subject": subject} if subject else {}),
            "datacontenttype": "application/json",
            "data": data,
        }
        # In lower case: CloudEvents' library for JavaScript takes no other.
        own["content-type"] = "application/cloudevents+json; charset=utf-8"
        return Request("POST", "", event, headers=own)

    # The connection

    def prepare(self, request: Request, now: float) -> PreparedRequest:
        """Return one attempt at a request, with its own timestamp and a signature for each secret."""
        headers, content = request.encoded()
        stamp = str(int(now))
        signed = b".".join([headers.get("webhook-id", "").encode(), stamp.encode(), content or b""])
        signatures = " ".join(signer(signed) for signer in self._signers)
        return PreparedRequest(
            request.path, {**headers, "webhook-timestamp": stamp, "webhook-signature": signatures}, content
        )

    def outcome(self, request: Request, answer: Answer, now: float) -> Outcome:
        """Return the outcome of a request from the receiver's answer.

        An answer with status 410 means that the receiver wants no more events. Then the target is switched
        off.
        """
        if answer.status == 410:
            why = "it answered 410: it wants no more events"
            return Outcome(OutcomeKind.REJECTED, why, all=True, off=True, status=410)
        return outcome_of_answer(answer.status, answer.headers, answer.body, now)  # its body means nothing

    def login(self, wire: Wire, ask: Callable[[str, bool], str], tell: Callable[[str], None]) -> str:
        """Ask the user for the secret with which events are signed, and return it.

        The user enters a secret that the receiver gave out. If the user enters nothing, a new secret is made.
        """
        given = ask(f"Signing secret of {self.name} (leave empty to create one)", True).strip()
        if given:
            for secret in given.split():
                _make_signer_checking_secret(secret, self.settings)
            return given
        tell("Created and stored a new secret. Give it to the receiver of the events.")
        import secrets

        return PREFIX + base64.b64encode(secrets.token_bytes(SECRET_BYTES)).decode()


def make_signature(secret: str, content: bytes) -> str:
    """Return the signature of an event for a webhook, as `v1,...`.

    `content` are the bytes to sign: `{id}.{timestamp}.{body}`. Raises ValueError if the secret isn't base64
    or is too short.
    """
    key = base64.b64decode(secret.removeprefix(PREFIX), validate=True)
    if len(key) < _FEWEST_BYTES:
        raise ValueError(f"a secret of {len(key)} bytes can be guessed")
    return "v1," + base64.b64encode(hmac.new(key, content, hashlib.sha256).digest()).decode()


def _make_signer_checking_secret(secret: str, settings: Settings) -> Callable[[bytes], str]:
    try:
        make_signature(secret, b"")
    except (ValueError, binascii.Error):
        raise CampaignProblem(
            f"The signing secret of {settings.name} is not valid.",
            f"It has the form {PREFIX} and base64, as `strike bridge login {settings.name}` makes it.",
        ) from None
    return lambda signed: make_signature(secret, signed)


def _event_digest(kind: str, data: Mapping[str, object]) -> str:
    text = json.dumps([kind, data], sort_keys=True).encode()
    return hashlib.sha256(text).hexdigest()[:16]
