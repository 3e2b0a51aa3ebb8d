"""JSON Schemas of the output of `--json` and of the journal's lines. `data` differs by command."""

from __future__ import annotations

from ..problems import BridgeProblem, CampaignProblem, ContentProblem, PluginProblem, Problem, Refused, Usage
from ..registry.remote_permissions import NotFromOutside
from .command_output import SCHEMA

TEXT = {"type": "string"}
TEXTS = {"type": "array", "items": TEXT}
WHOLE = {"type": "integer"}
PATH = {"type": "string", "description": "Its path in state.toml, the keys joined by dots."}
CHANGE = {
    "type": "array",
    "items": [PATH, {"description": "before; null is absence"}, {"description": "after; null is absence"}],
    "minItems": 3,
    "maxItems": 3,
}
SOURCE = {
    "type": "object",
    "properties": {"kind": TEXT, "reason": TEXT},
    "required": ["kind", "reason"],
    "additionalProperties": False,
}
MODIFIER = {
    "type": "object",
    "properties": {"value": WHOLE, "reason": TEXT},
    "required": ["value", "reason"],
    "additionalProperties": False,
}
ROLL = {
    "type": "object",
    "properties": {
        "purpose": TEXT,
        "who": TEXT,
        "sides": WHOLE,
        "faces": {"type": "array", "items": WHOLE, "description": "The natural faces."},
        "mode": TEXT,
        "kept": {"type": ["integer", "null"], "description": "The face that counts; null if all do."},
        "modifiers": {"type": "array", "items": {"$ref": "#/definitions/modifier"}},
        "total": WHOLE,
        "sources": {"type": "array", "items": {"$ref": "#/definitions/source"}},
        "dice": {"type": "array", "items": WHOLE, "description": "Sides of each, if they differ."},
    },
    "required": ["purpose", "who", "sides", "faces", "mode", "kept", "modifiers", "total", "sources"],
    "additionalProperties": False,
}
FACT = {
    "type": "object",
    "properties": {
        **dict.fromkeys(("kind", "who", "text"), TEXT),
        "changes": {"type": "array", "items": {"$ref": "#/definitions/change"}},
        "roll": {"$ref": "#/definitions/roll"},
        "without_hp": {"type": "string", "description": "The text without anybody's numbers."},
    },
    "required": ["kind", "who", "text", "changes"],
}
PENDING = {
    "type": "object",
    "properties": {
        "who": TEXT,
        "what": {"type": "string", "description": "The question's key, for scripts."},
        "asks": {"type": "string", "description": "The question in words, with its subject."},
        "options": TEXTS,
        "labels": TEXTS,
        "decides": {
            "enum": ["gm", "payer"],
            "description": "`gm`: the game master decides, not `who`. `payer`: `who` decides and pays.",
        },
    },
    "required": ["who", "what", "asks", "options", "labels"],
    "additionalProperties": False,
}
CODES = [
    kind.code
    for kind in (
        Problem,
        Refused,
        Usage,
        NotFromOutside,
        CampaignProblem,
        ContentProblem,
        PluginProblem,
        BridgeProblem,
    )
]
ERROR = {
    "type": "object",
    "properties": {"code": {"enum": CODES}, "message": TEXT, "hint": TEXT},
    "required": ["code", "message", "hint"],
    "additionalProperties": False,
}
DEFINITIONS = {
    "change": CHANGE,
    "fact": FACT,
    "modifier": MODIFIER,
    "pending": PENDING,
    "roll": ROLL,
    "source": SOURCE,
}
FACTS = {"type": "array", "items": {"$ref": "#/definitions/fact"}}


def envelope_schema() -> dict[str, object]:
    """Return the JSON Schema of the output with --json: the result of a command, or its refusal."""
    head = {"schema": {"const": SCHEMA}, "command": TEXT}
    done = {
        "properties": {
            **head,
            "ok": {"const": True},
            "seq": {"type": ["integer", "null"]},
            "data": {},
            "facts": FACTS,
            "pending": {"anyOf": [{"$ref": "#/definitions/pending"}, {"type": "null"}]},
        },
        "required": ["schema", "ok", "command", "seq", "data", "facts", "pending"],
        "additionalProperties": False,
    }
    found = {**done["properties"], "ok": {"const": False}, "error": ERROR}  # type: ignore[dict-item]  # schemas nest
    refused = {
        "properties": found,
        "required": ["schema", "ok", "command", "error"],
        "additionalProperties": False,
    }
    return {"type": "object", "anyOf": [done, refused], "definitions": DEFINITIONS}


def journal_line_schema() -> dict[str, object]:
    """Return the JSON Schema of one line of the journal."""
    answer = {"type": "array", "items": [TEXT, {}], "minItems": 2, "maxItems": 2}
    properties = {
        "seq": WHOLE,
        "at": {"type": "string", "description": "The time in UTC, by ISO 8601."},
        "session": WHOLE,
        "n": {"type": "integer", "description": "The rolls in effect before it, which seed its dice."},
        "command": TEXT,
        "args": {"type": "object"},
        "answers": {
            "type": "array",
            "items": answer,
            "description": "Each question, and the faces or the option that answered it.",
        },
        "facts": FACTS,
        "pending": {"type": "boolean", "description": "Whether a decision is open."},
        "secret": {"type": "boolean"},
        "open": {
            "type": "boolean",
            "description": "Its text is for players, though it names hidden creatures.",
        },
        "note": TEXT,
        "seed": WHOLE,
        "by": {"type": "string", "description": "The plugin that played it, or `mcp` for an assistant."},
        "act": {
            "type": "string",
            "description": "It is one action with the command before: undo takes both.",
        },
        "key": {"type": "string", "description": "A program's idempotency key."},
        "asked": {"type": "string", "description": "A hash of the request with that key."},
        "after": {"type": "string", "description": "A hash of the line before."},
        "prev": {"description": "The position of the command before it, for undo; null for none."},
        "head": {"description": "The position after undo or redo."},
    }
    required = ["seq", "at", "session", "n", "command", "args", "answers", "facts"]
    # Its facts are short: without empty fields, and without a roll's fields that follow from its faces.
    short = {"fact": {**FACT, "required": ["kind"]}, "roll": {**ROLL, "required": ["purpose", "faces"]}}
    definitions = DEFINITIONS | short
    return {"type": "object", "properties": properties, "required": required, "definitions": definitions}
