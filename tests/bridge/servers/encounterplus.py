"""Encounter+'s built-in server: no key, merges what it is sent, and rolls every dice expression it reads."""

from __future__ import annotations

import copy
import re
from typing import Any

from .base import Call, Reply, Server

_DICE = re.compile(r"\d*[dD](?:\d+|%)|(?<![\w-])[+-]\d+|(?<!\\)\[[^\]]*(?<!\\)\]\(/?roll")
_NOT_FOUND = Reply(404, {"message": "Not Found"})
_KEPT_MESSAGES = 30


class EncounterPlus(Server):
    """A map of 50 pixels a square, shifted by (10, 20), with tokens and their combatants."""

    def __init__(self, **tokens: str) -> None:
        super().__init__()
        self.tokens = {id: _token(id, name) for id, name in tokens.items()}
        self.combatants = {f"c-{id}": _combatant(f"c-{id}", name) for id, name in tokens.items()}
        for id, token in self.tokens.items():
            token["combatant"] = {"id": f"c-{id}"}
        self.messages: list[dict[str, Any]] = []
        self.rolled: list[str] = []
        self.has_map = self.has_campaign = True

    def respond(self, call: Call) -> Reply:
        if (call.method, call.path) == ("GET", "/api"):
            return Reply(200, self._game()) if self.has_campaign else _NOT_FOUND
        if (call.method, call.path) == ("POST", "/api/messages"):
            return self._post(call.body)
        match = re.fullmatch(r"/api/(tokens|combatants)/([^/]+)", call.path)
        kept = {"tokens": self.tokens, "combatants": self.combatants}[match[1]] if match else {}
        if match is None or match[2] not in kept:
            return _NOT_FOUND
        if call.method == "PATCH":
            _merge(kept[match[2]], call.body)
        return Reply(200, kept[match[2]])

    def _game(self) -> dict[str, Any]:
        grid = {"gridSize": 50, "gridOffsetX": 10, "gridOffsetY": 20}
        shown = {"id": "m-1", "name": "Cave", **grid, "tokens": list(self.tokens.values())}
        return {
            "version": "5.0",
            "game": {"round": 1, "turn": 1, "combatants": list(self.combatants.values())},
            **({"map": shown} if self.has_map else {}),
            "messages": self.messages[-_KEPT_MESSAGES:],
        }

    def _post(self, message: Any) -> Reply:
        if not isinstance(message, dict) or not isinstance(message.get("content"), str):
            return Reply(400, {"message": "Bad Request"})
        kept = {"id": f"m-{len(self.messages)}", "type": "chat", **copy.deepcopy(message)}
        if kept["content"].startswith("/"):
            kept["type"] = "command"
        dice = _DICE.findall(kept["content"])
        self.rolled += dice
        if dice:
            kept["type"] = "roll"
        self.messages.append(kept)
        return Reply(200, kept)


def _token(id: str, name: str) -> dict[str, Any]:
    return {"id": id, "name": name, "x": 0, "y": 0, "width": 1, "height": 1, "hidden": True, "rotation": 90}


def _combatant(id: str, name: str) -> dict[str, Any]:
    initiative = [{"id": f"i-{id}", "value": 0, "order": 1}]
    data = {"hp": {"current": 1, "maximum": 1, "temporary": 0}, "ac": 12}
    return {"id": id, "name": name, "data": data, "effects": [], "initiative": initiative, "notes": "mine"}


def _merge(kept: dict[str, Any], new: dict[str, Any]) -> None:
    for key, value in new.items():
        if isinstance(value, dict) and isinstance(kept.get(key), dict):
            _merge(kept[key], value)
        else:
            kept[key] = value
