"""Discord's side of a channel's webhook: its limits, its pings, its words when it refuses."""

from __future__ import annotations

import re
from typing import Any

from .base import Call, Fault, Reply, Server, answers

ID, TOKEN = "1180000000000000001", "Sw0rdf1sh_and-a-token-that-nobody-may-see"
GM_ID, GM_TOKEN = "1180000000000000002", "An0ther_token-that-nobody-may-see"
THREAD = "1180000000000000777"
_CONTENT, _EMBEDS, _EMBED_TEXT, _DESCRIPTION = 2000, 10, 6000, 4096


def rate_limited(seconds: float, *, header: bool = True) -> Fault:
    """Too many: with a rounded header, as it is sent, or with the float in the body alone."""
    body = {"message": "You are being rate limited.", "retry_after": seconds, "global": False}
    return answers(429, {"Retry-After": str(seconds)} if header else {}, body)


class Discord(Server):
    """A webhook of the players' channel, which has a thread, and one of the game master's. `pinged` lists
    whom a message has called."""

    def __init__(self) -> None:
        super().__init__()
        self.webhook_url = f"{self.url}/api/webhooks/{ID}/{TOKEN}"
        self.gm_webhook_url = f"{self.url}/api/webhooks/{GM_ID}/{GM_TOKEN}"
        self.messages: list[dict[str, Any]] = []
        self.gm_messages: list[dict[str, Any]] = []
        self.threads: dict[str, list[dict[str, Any]]] = {THREAD: []}
        self.pinged: list[str] = []
        self.pictures: list[bytes] = []
        self.deleted = self.gm_deleted = False
        self.forum = False
        """Whether the channel is one of threads alone."""

    def refusal(self, call: Call) -> Reply | None:
        *_, version, _, id, token = call.path.split("/")
        if version != "v10":
            # An address without a version, as people copy it, is of version 6, which counts milliseconds.
            return Reply(400, {"message": "Which version?", "code": 0})
        if self.deleted or (self.gm_deleted and id == GM_ID) or id not in (ID, GM_ID):
            return Reply(404, {"message": "Unknown Webhook", "code": 10015})
        if token != {ID: TOKEN, GM_ID: GM_TOKEN}[id]:
            return Reply(401, {"message": "Invalid Webhook Token", "code": 50027})
        if call.query.get("thread_id", THREAD) not in self.threads:
            return Reply(404, {"message": "Unknown Channel", "code": 10003})
        return None

    def respond(self, call: Call) -> Reply:
        if call.method == "GET":
            # The webhook's own description has its token and its address in it.
            return Reply(200, {"id": ID, "name": "Strike", "token": TOKEN, "url": self.webhook_url})
        message = call.body
        wrong = _form_error(message)
        if wrong:
            return Reply(400, {"message": "Invalid Form Body", "code": 50035, "errors": wrong})
        where, thread = self.gm_messages if GM_ID in call.path else self.messages, call.query.get("thread_id")
        if "thread_name" in message and not self.forum:
            words = "Webhooks can only create threads in forum channels"
            return Reply(400, {"message": words, "code": 220003})
        if self.forum and not thread and "thread_name" not in message:
            words = "Webhooks posted to forum channels must have a thread_name or thread_id"
            return Reply(400, {"message": words, "code": 220001})
        if "thread_name" in message:
            thread = f"11800000000000010{len(self.threads):02}"
            self.threads[thread] = []
        if thread:
            where = self.threads[thread]
        self.pictures += [part for name, part in call.parts.items() if name != "payload_json"]
        kept = {"id": str(1190000000000000000 + len(where)), "content": "", "embeds": [], **message}
        kept["channel_id"] = thread or "1180000000000000555"
        where.append(kept)
        if message.get("allowed_mentions") != {"parse": []}:
            self.pinged += re.findall(r"@everyone|@here|<@[!&]?\d+>", message.get("content", ""))
        return Reply(200, kept) if call.query.get("wait") == "true" else Reply(204)


def _form_error(message: dict[str, Any]) -> dict[str, Any]:
    content, embeds = message.get("content", ""), message.get("embeds", [])
    if not content and not embeds:
        return {"_errors": [{"code": "EMPTY", "message": "Cannot send an empty message"}]}
    if len(content) > _CONTENT:
        return {"content": {"_errors": [{"message": "Must be 2000 or fewer in length."}]}}
    if len(embeds) > _EMBEDS:
        return {"embeds": {"_errors": [{"message": "Must be 10 or fewer in length."}]}}
    texts = [text for embed in embeds for text in (embed.get("title", ""), embed.get("description", ""))]
    if sum(map(len, texts)) > _EMBED_TEXT or any(len(text) > _DESCRIPTION for text in texts):
        return {"embeds": {"_errors": [{"message": "Embed size exceeds maximum size of 6000"}]}}
    return {}


def rendered(text: str) -> str:
    """What players read of a message: escapes are gone, and what was markup is marked with braces."""
    out, place = "", 0
    marks = r"\\([!-/:-@\[-`{-~])|(\*+|_+|~~|\|\||`+|\[|\]\()|(<[@#:a-z][^>]*>|@everyone|@here|https?://)"
    for match in re.finditer(marks + r"|(?:(?<=\n)|^)[ \t]*(#{1,3} |-# |>+ |[-*+] |\d+[.)] )", text):
        out += text[place : match.start()]
        out += match[1] or "{" + match[0] + "}"
        place = match.end()
    return out + text[place:]
