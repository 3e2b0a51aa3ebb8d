"""The description of `strike serve`: it is sound, names each address and command, and answers keep to it."""

from __future__ import annotations

from typing import Any

import jsonschema
import pytest
from serve.conftest import Served
from support.cases import case

from strike_cli.registry.remote_permissions import remote_commands
from strike_cli.serve import openapi
from strike_cli.serve.http_app import ADDRESSES
from strike_cli.terminal.output_schemas import ERROR, PENDING, envelope_schema


@pytest.mark.slow
def test_it_passes_its_validator_and_has_every_command_and_address() -> None:
    from openapi_spec_validator import validate

    described = openapi.openapi_document()
    validate(described)
    assert {each["command"] for each in described["x-commands"]} == set(remote_commands())
    own = {*ADDRESSES}
    assert own <= set(described["paths"])
    for name in openapi.TABLE_ADDRESSES:
        assert any(path.startswith(f"/api/v1/{name}") for path in described["paths"]), name


def test_it_names_no_option_that_is_never_taken() -> None:
    for command in openapi.openapi_document()["x-commands"]:
        for option in command["options"]:
            assert not set(option["names"]) & {"--out", "--svg", "--html", "--workers", "--campaign"}


@pytest.mark.slow
def test_answers_keep_to_it(door: Served) -> None:
    door.post("combat", "start", "ford")
    door.post("combat", "initiative")
    described = openapi.openapi_document()
    for path in ("status", "options", "log", "tokens", "order", "scene", "state", "asked"):
        with case(path):
            for audience in ("gm", "players"):
                answer = door.get(path, **{"as": audience})
                assert keeps_to(described, f"/api/v1/{path}", "get", answer)


def test_envelopes_keep_to_it(door: Served) -> None:
    described = openapi.openapi_document()
    for line in ("status", "combat turn", "combat start ford", "init", "next", "export"):
        assert keeps_to(described, "/api/v1/commands", "post", door.post(*line.split()))
    listed = [{"words": ["status"], "key": "a"}, {"words": ["init"], "key": "a"}]
    answer = {"answers": door.post_all(*listed, keep_going=True)}
    assert keeps_to(described, "/api/v1/commands", "post", answer)


def keeps_to(described: dict[str, Any], path: str, method: str, answer: Any) -> bool:
    """Whether an answer has the form that is described."""
    content = described["paths"][path][method]["responses"]["200"]["content"]
    schema = {**content["application/json"]["schema"], "components": described["components"]}
    jsonschema.Draft202012Validator(schema).validate(answer)
    return True


def test_the_type_of_an_envelope_is_what_its_schema_says() -> None:
    from strike_cli.terminal.json_envelope_types import Envelope, EnvelopeError, EnvelopePending

    done, refused = envelope_schema()["anyOf"]  # type: ignore[misc]
    assert {*Envelope.__annotations__} - {"exit"} == {*done["properties"], *refused["properties"]}
    assert {*EnvelopeError.__annotations__} == {*ERROR["properties"]}
    assert {*EnvelopePending.__annotations__} == {*PENDING["properties"]}
