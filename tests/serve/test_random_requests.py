"""Requests by the hundred that the description of `strike serve` allows, and others: none makes it fail, and
each answer is one that is described. schemathesis is of `make soak`'s tools; without it nothing is tried."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis.errors import Unsatisfiable
from serve.conftest import KEY, Served, example, opened
from support.thorough import THOROUGH

schemathesis = pytest.importorskip("schemathesis", reason="`make soak` sets it up")

EXAMPLES = 1000 if THOROUGH else 12
STREAMS = "/events"
"""An address whose answer doesn't end."""


def _operations() -> list[Any]:
    """Each address, with a method."""
    from strike_cli.serve import openapi

    description = openapi.openapi_document()
    del description["paths"][STREAMS]
    schema = schemathesis.openapi.from_dict(description)
    return [found.ok() for found in schema.get_all_operations()]


@pytest.fixture(scope="module")
def asked_at_random(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A fight, behind a door."""
    with opened(example(tmp_path_factory.mktemp("any") / "campaign")) as found:
        found.post("combat", "start", "ford")
        found.post("combat", "initiative")
        yield found


@pytest.fixture(scope="module")
def line() -> Iterator[Any]:
    """A connection that stays open: to make one for each request takes as long as the answer."""
    import requests

    with requests.Session() as session:
        yield session


@pytest.mark.slow
@pytest.mark.parametrize("mode", schemathesis.GenerationMode, ids=lambda mode: mode.name.lower())
@pytest.mark.parametrize("operation", _operations(), ids=lambda operation: operation.label)
def test_no_request_makes_it_fail(asked_at_random: Served, line: Any, operation: Any, mode: Any) -> None:
    from schemathesis.checks import not_a_server_error
    from schemathesis.specs.openapi.checks import (
        content_type_conformance,
        response_schema_conformance,
        status_code_conformance,
    )

    forms = [content_type_conformance, response_schema_conformance, status_code_conformance]
    headers = {"Authorization": f"Bearer {KEY}"}

    @settings(max_examples=EXAMPLES, deadline=None, database=None, suppress_health_check=list(HealthCheck))
    @given(case=operation.as_strategy(generation_mode=mode))
    def ask(case: schemathesis.Case) -> None:
        answer = case.call(base_url=asked_at_random.url, headers=headers, session=line, timeout=60)
        assert answer.status_code < 500 or answer.status_code == 503, answer.text
        case.validate_response(answer, headers=headers, checks=[not_a_server_error, *forms])

    with suppress(Unsatisfiable):  # nothing can be wrong where there is nothing to say
        ask()
