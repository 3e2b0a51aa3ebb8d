"""A tabletop with ids of its own, and the target for it: tokens must be linked or created, and a session is
asked for by password. What a target may count on is tried on it."""

from __future__ import annotations

from typing import Any, ClassVar

from strike_bridge.http_conversation import Request, Wire
from strike_bridge.journal_results import Post
from strike_bridge.state_projection import Payload
from strike_bridge.targets.base import Conversation, Finding, ListedToken, Option, Outcome, Supports, Target

from .base import Call, Reply, Server

PASSWORD = "the-word-at-the-door"


class Inn(Server):
    """Creates as often as it is asked to, forgets sessions when told to, and has a chat that shows all."""

    def __init__(self) -> None:
        super().__init__()
        self.tokens: dict[str, dict[str, Any]] = {}
        self.chat: list[dict[str, Any]] = []
        self.sessions = 0
        self.made = 0
        self.busy = False

    def add(self, name: str, **more: Any) -> str:
        self.made += 1
        id = f"t{self.made}"
        self.tokens[id] = {"id": id, "name": name, **more}
        return id

    def refusal(self, call: Call) -> Reply | None:
        if self.busy:
            return Reply(429)
        if call.path == "/login" or call.headers.get("cookie") == f"inn={self.sessions}":
            return None
        return Reply(401, {"error": f"who is {call.headers.get('cookie')}?"})

    def respond(self, call: Call) -> Reply:
        _, what, *rest = call.path.split("/")
        if what == "login":
            if call.body != {"password": PASSWORD}:
                return Reply(401, {"error": f"{call.body} is wrong"})
            self.sessions += 1
            return Reply(200, {"cookie": f"inn={self.sessions}"})
        if what == "chat":
            if call.method == "POST":
                self.chat.append(call.body)
            return Reply(200, self.chat)
        if call.method == "GET":
            return Reply(200, list(self.tokens.values()))
        if call.method == "POST":
            return Reply(201, {"token": {"id": self.add(**call.body)}})
        if rest[0] not in self.tokens:
            return Reply(404, {"error": "no such token"})
        if call.method == "DELETE":
            return Reply(200, self.tokens.pop(rest[0]))
        self.tokens[rest[0]].update(call.body)
        return Reply(200, self.tokens[rest[0]])


class InnTarget(Target):
    """Speaks to the Inn. Whether the chat can be asked for, and whether our ids are kept, is a matter of
    `options`, which no real kind would have."""

    supports = Supports(
        hp=True, chat=True, links=True, create=True, find=True, read_back=True, read_results=True
    )
    key_variable = "STRIKE_INN_PASSWORD"
    key_words = "password"
    has_session = True
    OPTIONS: ClassVar = {"world": Option(str, "", "Which world.")}

    def headers(self) -> dict[str, str]:
        return {"cookie": self.session} if self.session else {}

    def begin_session(self) -> Conversation:
        answer = yield Request("POST", "/login", {"password": self.key})
        self.session = answer.value("cookie")

    def put_token(self, token: Payload, before: Payload | None) -> Conversation:
        at = token["position"] or {}
        body = {"hp": token["hp"], "ours": token["id"], **at}
        if token["id"] not in self.links:
            yield Request("POST", "/tokens", {"name": token["name"], **body}, creates=token["id"])
        else:
            yield Request("PUT", f"/tokens/{self.links[token['id']]}", body)

    def remove_token(self, id: str) -> list[Request]:
        return (
            [Request("DELETE", f"/tokens/{self.links[id]}", gone_will_do=True)]
            if id in self.created_ids
            else []
        )

    def clear_scene(self) -> Conversation:
        for id in list(self.created_ids):
            yield from self.remove_token(id)

    def send_result(self, post: Post) -> list[Request]:
        return [Request("POST", "/chat", {"id": post.id, "text": post.result["text"]}, absolute=False)]

    def find_tokens(self, wire: Wire) -> list[ListedToken] | Outcome:
        answer = self.send_question(wire, Request("GET", "/tokens"))
        if isinstance(answer, Outcome):
            return answer
        return [ListedToken(each["id"], each["name"], each.get("ours", "")) for each in answer.json()]

    def read_tokens(self, wire: Wire) -> dict[str, Payload] | Outcome:
        answer = self.send_question(wire, Request("GET", "/tokens"))
        if isinstance(answer, Outcome):
            return answer
        ours = {theirs: id for id, theirs in self.links.items()}
        return {
            ours[each["id"]]: {"hp": each["hp"], "position": {"x": each["x"], "y": each["y"]}}
            for each in answer.json()
            if each["id"] in ours and "hp" in each
        }

    def has_result(self, wire: Wire, post: Post) -> bool | Outcome:
        answer = self.send_question(wire, Request("GET", "/chat"))
        return answer if isinstance(answer, Outcome) else any(line["id"] == post.id for line in answer.json())

    def probe(self) -> Request:
        return Request("GET", "/tokens")

    def own_findings(self, wire: Wire) -> list[Finding]:
        return [Finding("No world is named.", False, 'Write world = "..." under options.')]


class DeafInnTarget(InnTarget):
    """The same for who can't be asked anything."""

    supports = Supports(hp=True, chat=True, links=True, create=True)
