"""A state.toml that strike wrote is read back as Python's reader of TOML reads it."""

from __future__ import annotations

import datetime
import tomllib
from typing import Any

import pytest
import tomli_w
from hypothesis import given, settings
from hypothesis import strategies as some
from support.cases import case

from strike_cli.campaign import state_file
from strike_cli.campaign.state_file import StateHead, parse_own_format, render_state
from strike_cli.untrusted_input import parse_toml

keys = some.text(some.sampled_from("abz09-_"), min_size=1, max_size=6) | some.text(max_size=4)
texts = some.text(max_size=10) | some.text(some.sampled_from('ab "={}[],.#\\\t\n'), max_size=12)
plain = some.booleans() | some.integers(-(2**62), 2**62) | some.floats() | texts
values = some.recursive(
    plain,
    lambda inner: some.lists(inner, max_size=4) | some.dictionaries(keys, inner, max_size=4),
    max_leaves=12,
)


def _same(one: Any, other: Any) -> bool:
    """Equal, in the same order, of the same types; not-a-number is itself."""
    return repr(one) == repr(other)


@pytest.mark.slow
@settings(max_examples=300)
@given(some.dictionaries(keys, values, max_size=5))
def test_what_is_read_is_what_python_reads(written: dict[str, Any]) -> None:
    text = tomli_w.dumps(written)
    found = parse_own_format(text.encode())
    assert found is None or _same(found, tomllib.loads(text))


names = some.text(some.sampled_from("abz09-_"), min_size=1, max_size=6)
usual = some.recursive(
    some.booleans() | some.integers(-99, 99) | some.text(some.sampled_from("ab =,.#{}[]é"), max_size=8),
    lambda inner: some.dictionaries(names, inner, max_size=4),
    max_leaves=8,
)
lists = some.lists(some.text(some.sampled_from("ab, ={}"), max_size=5), max_size=3) | some.lists(
    some.dictionaries(
        names, some.integers(0, 9) | some.text(some.sampled_from("ab, ={}"), max_size=30), max_size=4
    ),
    max_size=3,
)
lists |= some.lists(
    some.lists(some.integers(0, 9) | some.text(some.sampled_from("a],[ "), max_size=5), max_size=2)
)


@pytest.mark.slow
@settings(max_examples=300)
@given(some.dictionaries(names, usual | lists, max_size=5))
def test_what_states_are_made_of_is_read_without_python_s_reader(written: dict[str, Any]) -> None:
    text = tomli_w.dumps(written)
    assert _same(parse_own_format(text.encode()), tomllib.loads(text))


def test_another_form_is_left_to_python_s_reader() -> None:
    for text in [
        "a = 2020-01-01", "a = inf", "a = 0x10", "a = 1_000", "a = '''b'''", "a.b = 1", "a=1", "a = 1 # one",
        "[a]\n[a]", "[a]]", "[[a]", "a = 1\na = 2", "a = [\n1,", "a = [[1]]\n", '"a b" = 1', "[a.'b']",
        "a = -", "a = true no", "a = 1\n[[a]]", 'a = "\\U0001F600"', "a = [\n    [\n        1,\n    ],\n]",
        "a = 9223372036854775808",
        "\ufeffa = 1", "a = " + "{ a = " * 100 + "1" + " }" * 100, "a", "a = ", "a = NaN", "a = 1,",
        f"a = {datetime.time(1, 2)}", "a = [\n    { b c = 1 },\n]", 'a = [\n    { "b c" = 1 },\n]',
    ]:  # fmt: skip
        with case(text):
            found = parse_own_format(text.encode())
            if found is not None:
                assert _same(found, tomllib.loads(text))


def test_letters_that_are_none_are_left_to_python_s_reader() -> None:
    assert parse_own_format(b"a = \xff") is None


def test_an_edited_state_is_read_by_python_s_reader(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    read = []
    monkeypatch.setattr(state_file, "parse_toml", lambda raw: read.append(raw) or parse_toml(raw))
    raw = render_state(StateHead(3), {"fight": {"round": 1}})
    (tmp_path / "state.toml").write_bytes(raw)
    found = state_file.read_state_file(tmp_path)
    assert found is not None
    assert (found.state, found.edited, read) == ({"fight": {"round": 1}}, False, [])
    (tmp_path / "state.toml").write_bytes(raw.replace(b"round = 1", b"round = 2"))
    found = state_file.read_state_file(tmp_path)
    assert found is not None
    assert (found.state, found.edited, len(read)) == ({"fight": {"round": 2}}, True, 1)
