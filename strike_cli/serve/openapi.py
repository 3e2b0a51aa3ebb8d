"""The OpenAPI 3.1 description of `strike serve`.

It describes the server's own addresses, the table's addresses, and every command that may be requested. Begin
with `openapi_document`.
"""

from __future__ import annotations

import json
from copy import deepcopy
from functools import lru_cache
from typing import TYPE_CHECKING

from strike_table.schemas import openapi_description

from .. import __version__
from ..registry.remote_permissions import PLAYED, remote_commands
from ..terminal.output_schemas import DEFINITIONS, envelope_schema

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import NotRequired, TypedDict

    class Operation(TypedDict, total=False):
        """An operation in OpenAPI, with the keys that strike's description uses."""

        parameters: list[Node]
        responses: dict[str, Node]

    class PathItem(TypedDict):
        """The OpenAPI description of an address of the table that takes only GET requests."""

        parameters: NotRequired[list[Node]]
        get: Operation

    class EnvelopeForm(TypedDict):
        """One of the possible schemas of an envelope: that of a result, or that of an error."""

        properties: dict[str, object]
        required: list[str]


TABLE_ADDRESSES = (
    *("state", "scene", "tokens", "order", "beside", "asked", "exhibits", "evening", "results", "images"),
    *("sight", "ranges"),
)
"""Addresses that are read in the table's form, below /api/v1."""
COMMAND_FIELDS = ("words", "dice", "choose", "note", "secret", "dry_run", "key")
"""The keys of a command's body."""
LIST_FIELDS = ("commands", "keep_going")
"""The keys of the body of a list of commands."""

Node = dict[str, object]
_TEXT: Node = {"type": "string"}
_BEARER = [{"key": list[str]()}]
_AUDIENCE_PARAMETER: Node = {
    "name": "as",
    "in": "query",
    "required": False,
    "schema": {"type": "string", "default": "gm", "examples": ["gm", "players", "vex"]},
    "description": "The audience: the game master, the players, or one player by their character's id.",
}
_COMMAND_SCHEMA: Node = {
    "type": "object",
    "required": ["words"],
    "additionalProperties": False,
    "properties": {
        "words": {
            "type": "array",
            "minItems": 1,
            "maxItems": 200,
            "items": {"type": "string", "maxLength": 10_000},
            "description": "The command as typed after `strike`, one word an item; x-commands lists them.",
            "examples": [["roll", "skill", "vex", "Climbing"]],
        },
        "dice": {
            "type": "array",
            "maxItems": 200,
            "items": {"type": "integer", "minimum": 0, "maximum": 1000},
            "description": "Natural faces of dice that were rolled elsewhere, in the order asked.",
        },
        "choose": {
            "type": "array",
            "maxItems": 200,
            "items": {"type": "string", "maxLength": 200},
            "description": "Answers to decisions, in the order asked.",
        },
        "note": {"type": "string", "maxLength": 10_000, "description": "The reason, kept in the log."},
        "secret": {"type": "boolean", "default": False, "description": "Keep it from the players' screens."},
        "dry_run": {"type": "boolean", "default": False, "description": "Only show what would happen."},
        "key": {
            "type": "string",
            "maxLength": 200,
            "description": "An idempotency key of your own: repeated, it plays nothing twice.",
        },
    },
}
_COMMANDS_SCHEMA: Node = {
    "type": "object",
    "required": ["commands"],
    "additionalProperties": False,
    "properties": {
        "commands": {
            "type": "array",
            "minItems": 1,
            "maxItems": 500,
            "items": {"$ref": "#/components/schemas/Command"},
            "description": "Played in order, up to the first that fails.",
        },
        "keep_going": {
            "type": "boolean",
            "default": False,
            "description": "Go on after a command that fails.",
        },
    },
}
_ANSWERS_SCHEMA: Node = {
    "type": "object",
    "required": ["answers"],
    "additionalProperties": False,
    "properties": {
        "answers": {
            "type": "array",
            "minItems": 1,
            "items": {
                "anyOf": [{"$ref": "#/components/schemas/Envelope"}, {"$ref": "#/components/schemas/Error"}]
            },
            "description": "The answer to each command that was tried, in order.",
        }
    },
}


def openapi_document() -> Node:
    """Return the complete OpenAPI description, as a copy that may be changed."""
    return deepcopy(_cached_document(tuple(sorted(remote_commands().items()))))


@lru_cache(maxsize=2)
def _cached_document(known: tuple[tuple[str, str], ...]) -> Node:
    table = json.loads(openapi_description())
    schemas = table["components"]["schemas"]
    shared = _convert_schema(DEFINITIONS)
    paths: dict[str, Node] = {
        "/api/v1/commands": {
            "post": {
                "summary": "Play a command, or a list of them, each once for its key",
                "requestBody": {
                    "required": True,
                    "content": {"application/json": {"schema": _any_of_schemas("Command", "Commands")}},
                },
                "responses": _responses(_any_of_schemas("Envelope", "Answers"), "409", "413", "429", "503"),
            }
        },
        "/api/v1/options": {
            "get": _envelope_operation("The options now", _name_parameter("system"), _name_parameter("who"))
        },
        "/api/v1/odds": {
            "get": _envelope_operation("The odds of a roll, as `strike odds`", _WORDS_PARAMETER)
        },
        "/api/v1/status": {"get": _envelope_operation("The state of the game")},
        "/api/v1/log": {
            "get": _envelope_operation(
                "The commands that were played", _count_parameter("after"), _count_parameter("last")
            )
        },
        "/api/v1/own": {"get": _object_operation("The page of a character's player; `as` names them")},
        "/api/v1/schema": {"get": _object_operation("The form of envelopes, as JSON Schema")},
        "/openapi.json": {"get": _object_operation("This description")},
    }
    for path, each in table["paths"].items():
        name = path.removeprefix("/api/v1/").partition("/")[0]
        if "get" in each and (path == "/events" or (path.startswith("/api/v1/") and name in TABLE_ADDRESSES)):
            paths[path] = _table_operation(each)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "strike serve",
            "version": __version__,
            "description": "Commands in, envelopes out; the scene as each audience may see it.",
        },
        "servers": [{"url": "http://127.0.0.1:4748"}],
        "security": _BEARER,
        "paths": paths,
        "components": {
            "securitySchemes": {"key": {"type": "http", "scheme": "bearer"}},
            "responses": table["components"]["responses"],
            "schemas": {
                **schemas,
                **{_envelope_name(name): node for name, node in shared.items()},
                "Command": _COMMAND_SCHEMA,
                "Commands": _COMMANDS_SCHEMA,
                "Answers": _ANSWERS_SCHEMA,
                "Envelope": _envelope_schema(),
            },
        },
        "x-commands": [_describe_command(name, may) for name, may in known],
    }


def _describe_command(name: str, use: str) -> Node:
    """Return the description of a command for programs: its help, its arguments and its options.

    `use` is "played" if the command plays a move, or "read" if the command only reads.
    """
    from ..session.command_catalogue import find_command_and_name_in_line
    from ..terminal.commands_and_options import declared_command_of

    found, _ = find_command_and_name_in_line(name.split())
    declared = declared_command_of(found)
    assert found is not None
    assert declared is not None
    wanted = [each for each in found.params if each.name not in declared.parameters_refused_outside]
    return {
        "command": name,
        "plays": use == PLAYED,
        "help": " ".join((found.help or "").split("\n\n")[0].split()),
        "arguments": [
            {"name": each.human_readable_name, "required": each.required, "many": each.nargs != 1}
            for each in wanted
            if each.param_type_name == "argument"
        ],
        "options": [
            {
                "names": list(each.opts),
                "flag": bool(getattr(each, "is_flag", False)),
                "help": getattr(each, "help", None) or "",
            }
            for each in wanted
            if each.param_type_name == "option" and not str(each.name).startswith("common_")
        ],
    }


def _envelope_schema() -> Node:
    node = _convert_schema(envelope_schema())
    node.pop("definitions", None)
    forms: list[EnvelopeForm] = node["anyOf"]  # type: ignore[assignment]  # as `envelope` has them
    for each in forms:
        each["properties"]["exit"] = {"type": "integer", "description": "As of the command line."}
        each["required"] = [*each["required"], "exit"]
    return node


def _convert_schema(node: Mapping[str, object]) -> Node:
    """Return a part of a JSON Schema, converted from draft 7 to draft 2020-12.

    References to other schemas are changed so that they point into the OpenAPI document.
    """
    found = {name: _convert_value(each) for name, each in node.items()}
    if isinstance(reference := found.get("$ref"), str):
        found["$ref"] = f"#/components/schemas/{_envelope_name(reference.rpartition('/')[2])}"
    if isinstance(found.get("items"), list):
        found["prefixItems"] = found.pop("items")
    return found


def _convert_value(value: object) -> object:
    if isinstance(value, list):
        return [_convert_value(each) for each in value]
    return _convert_schema(value) if isinstance(value, dict) else value


def _envelope_name(definition: str) -> str:
    return f"Envelope{definition.capitalize()}"


def _responses(schema: Node, *codes: str) -> Node:
    ok: Node = {"description": "The result.", "content": {"application/json": {"schema": schema}}}
    return {"200": ok, **{code: _ERRORS[code] for code in ("400", "401", "403", *codes)}}


def _error_response(description: str) -> Node:
    schema = {"$ref": "#/components/schemas/Error"}
    return {"description": description, "content": {"application/json": {"schema": schema}}}


_ERRORS = {
    "400": _error_response("The request is malformed."),
    "401": _error_response("The key is missing or wrong."),
    "403": _error_response("A forged Host, a page of another site, or nothing for this audience."),
    "404": _error_response("Not found."),
    "409": _error_response("The idempotency key was used for another command."),
    "413": _error_response("The request is too large."),
    "429": _error_response("Too many commands wait."),
    "503": _error_response("Another command is writing; nothing was played."),
}
_WORDS_PARAMETER: Node = {
    "name": "words",
    "in": "query",
    "required": True,
    "schema": {"type": "array", "minItems": 1, "maxItems": 200, "items": _TEXT},
    "examples": {"skill": {"value": ["skill", "vex", "Climbing"]}},
}


def _name_parameter(name: str) -> Node:
    schema = {"type": "string", "minLength": 1, "maxLength": 200, "pattern": "^[^-]"}
    return {"name": name, "in": "query", "required": False, "schema": schema}


def _count_parameter(name: str) -> Node:
    schema = {"type": "integer", "minimum": 0, "maximum": 999_999_999}
    return {"name": name, "in": "query", "required": False, "schema": schema}


def _any_of_schemas(*schemas: str) -> Node:
    return {"anyOf": [{"$ref": f"#/components/schemas/{name}"} for name in schemas]}


def _envelope_operation(summary: str, *parameters: Node) -> Node:
    return {
        "summary": summary,
        "parameters": [*parameters, _AUDIENCE_PARAMETER],
        "responses": _responses({"$ref": "#/components/schemas/Envelope"}, "429", "503"),
    }


def _object_operation(summary: str) -> Node:
    return {
        "summary": summary,
        "parameters": [_AUDIENCE_PARAMETER],
        "responses": _responses({"type": "object"}, "404", "503"),
    }


def _table_operation(path: PathItem) -> Node:
    """Return the OpenAPI description of one of the table's addresses.

    The parameter `as`, which names the audience, is added to the description.
    """
    found = {name: node for name, node in path.items() if name == "parameters"}
    get = {name: node for name, node in path["get"].items() if name not in ("security", "tags")}
    get["parameters"] = [*path["get"].get("parameters", []), _AUDIENCE_PARAMETER]
    get["responses"] = {
        **{code: _ERRORS[code] for code in ("400", "403", "503")},
        **path["get"]["responses"],
        "401": _ERRORS["401"],
    }
    return {**found, "get": get}
