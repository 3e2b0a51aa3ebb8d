"""Templates: what they come to, and what they can't be made to do."""

from __future__ import annotations

import base64
import contextlib
import time
from typing import Any

import pytest
from jinja2.runtime import Context
from support.cases import case

from strike_bridge.rest.request_templates import (
    TemplateFaultAtKey,
    TemplateNode,
    encode_body,
    read_request_even_with_faults,
)
from strike_bridge.rest.template_engine import (
    MAX_CHARACTERS,
    SKIP,
    Base64,
    Environment,
    KnownIdLookup,
    RestTemplateFault,
    Template,
)

TOKEN = {"name": "12", "x": 3, "y": None, "statuses": ["Prone", "On fire"], "hurt": True, "half": 0.5}
GIVEN: dict[str, Any] = {
    "token": TOKEN,
    "tokens": [{"name": "a", "x": 1}, {"name": "b", "x": 2}],
    "vars": {"grid": 70, "long": "y" * 20_000},
    "order": {"who": None},
    "link": {"id": "../../admin"},
    "known": KnownIdLookup({"vex": "t1"}),
    "skip": SKIP,
}


def environment() -> Environment:
    found = Environment()
    found.budget.restart()
    return found


def context(made: Environment, **more: Any) -> Context:
    return Context(made, {**GIVEN, **more}, None, {})


def value(text: str) -> Any:
    made = environment()
    template = Template(made, text, [*GIVEN])
    made.budget.restart()
    return template.value(context(made))


def test_what_templates_come_to() -> None:
    for text, comes_to in (
        ("{{ token.x * vars.grid }}", 210),
        ("{{ token.x }}", 3),
        ("{{ token.hurt }}", True),
        ("{{ token.y }}", None),
        ("at {{ token.x }}", "at 3"),
        ("{{ token.hurt }} {{ token.half * 4 }}{{ token.y }}", "true 2"),
        ("{{ token.statuses }}", ["Prone", "On fire"]),
        ("{{ token.statuses | join(', ') | upper }}", "PRONE, ON FIRE"),
        ("{{ tokens | map('pick', 'name', 'x') | list }}", [{"name": "a", "x": 1}, {"name": "b", "x": 2}]),
        ("{{ tokens | map(attribute='x') | sum }}", 3),
        ("{{ tokens | selectattr('x', 'gt', 1) | map(attribute='name') }}", ["b"]),
        ("{{ order.who.name if order.who }}", None),
        ("{{ token.lacking | default('none') }}", "none"),
        ("{{ known('vex') }} {{ known('lurker') }}", "t1 "),
        ("{{ token.x | px(vars.grid, 5) }}", 215),
        ("{{ token | pick('name', 'y') | json }}", '{"name":"12","y":null}'),
        ("{{ 'a' ~ token.hurt ~ token.x }}", "atrue3"),
        ("{{ token.name | replace('1', '&') | e }}", "&amp;2"),
        ("{{ '{{' }} and {{ '}}' }}", "{{ and }}"),
        ("plain { text } with }}", "plain { text } with }}"),
    ):  # fmt: skip
        with case(text, comes_to):
            came = value(text)
            assert came == comes_to
            assert type(came) in (str, int, float, bool, list, dict, type(None))


def test_text_stays_text_whatever_it_looks_like() -> None:
    """A goblin called 12, one called true, one called like a template."""
    made = environment()
    for name in ("12", "true", "None", "[1, 2]", "{{ vars.grid }}", "{% x %}", "0x10", "1e5", "\n12 "):
        for text in ("{{ token.name }}", "{{ (token.name) }}"):
            came = Template(made, text, ["token"]).value(context(made, token={"name": name}))
            assert came == name
            assert type(came) is str
    assert encode_body({"name": "12"}, "json", "body").body == {"name": "12"}


def test_what_templates_are_refused() -> None:
    for text, words in [
        ("{{ 'x' * 10**9 }}", "powers"),
        ("{{ 'x' * 1000000000 }}", r"\* works only on numbers"),
        ("{{ [1] * 1000000000 }}", r"\* works only on numbers"),
        ("{{ '%1000000000d' % 1 }}", "% works only on numbers"),
        ("{{ 9999999999 * 9999999999 }}", "number is too large"),
        ("{{ 1 / 0 }}", "zero"),
        ("{{ 1e300 * 1e10 }}", "too large"),
        ("{{ token.x | round(1000000000) }}", "round takes"),
        ("{{ token.name | center(1000000000) }}", "no filter 'center'"),
        ("{{ token.name | indent(1000000000) }}", "no filter"),
        ("{{ '{:>1000000000}' | format(1) }}", "no filter 'format'"),
        ("{{ [1, 2] | random }}", "no filter 'random'"),
        ("{{ range(1000000000) | list }}", "can be called"),
        ("{{ lipsum(n=1000) }}", "can be called"),
        ("{{ token.name.ljust(1000000000) }}", "can be called"),
        ("{{ ''.__class__ }}", "text has no '__class__'"),
        ("{{ token.__class__ }}", "there is no '__class__'"),
        ("{{ known.__init__ }}", "has no"),
        ("{{ known }}", "can't be sent"),
        ("{{ token | attr('keys') }}", "no filter 'attr'"),
        ("{{ self }}", "no 'self' here"),
        ("{{ config }}", "no 'config' here"),
        ("{{ cycler }}", "no 'cycler' here"),
        ("{{ toekn.x }}", "no 'toekn' here. Did you mean 'token'"),
        ("{{ token.nmae }}", "there is no 'nmae'. Did you mean 'name'"),
        ("{{ token.y * 2 }}", "none and a number"),
        ("{{ tokens | map(attribute='nmae') | list }}", "no 'nmae'"),
        ("{{ tokens | map('pick', 'nmae') | list }}", "no 'nmae'"),
        ("{% for a in tokens %}x{% endfor %}", "only {{ }}"),
        ("{% include '/etc/passwd' %}", "only {{ }}"),
        ("{# {{ token.name }} #}", "only {{ }}"),
        ("{{ token.name", "can't be read"),
        ("{{ token.name | nofilter }}", "no filter 'nofilter'"),
        ("{{ token.x is nothing }}", "no test 'nothing'"),
        ("at {{ token.statuses }}", "a list can't be used in a text"),
        ("{{ (token.x for token in tokens) }}", "can't be read"),
        ("{{ vars.long | replace('y', vars.long) }}", "more than 256 KiB"),
        ("{{ vars.long | list | join(vars.long) }}", "more than 256 KiB"),
        ("{{ [vars.long, vars.long] | map('replace', 'y', 'yyyyyyyyyyyyy') | list }}", "more than 256 KiB"),
        ("{{ " + "(" * 400 + "1" + ")" * 400 + " }}", "deep"),
        ("{{ " + "1 + " * 400 + "1 }}", "too long"),
    ]:  # fmt: skip
        with case(text, words):
            began = time.thread_time()
            with pytest.raises(RestTemplateFault, match=words):
                value(text)
            assert time.thread_time() - began < 2


@pytest.mark.slow
def test_a_request_takes_a_tenth_of_a_second_at_most() -> None:
    """Of the processor, all of its templates together: here each sorts 20,000 letters forty times."""
    made = environment()
    many = "{{ [" + ", ".join(["vars.long | list | sort | length"] * 40) + "] | sum }}"
    template = Template(made, many, [*GIVEN])
    made.budget.restart()
    made.budget.left = 10**12
    began = time.thread_time()
    with pytest.raises(RestTemplateFault, match="takes longer than 100 ms"):
        _ = [template.value(context(made)) for _ in range(100)]
    assert time.thread_time() - began < 1


@pytest.mark.parametrize("encoding", ["json", "form", "multipart"])
def test_a_body_has_its_pictures_besides(encoding: str) -> None:
    """However large: what else is in it has the limit for itself, in each encoding."""
    picture = Base64(base64.b64encode(b"\xfb\xff" * 1_000_000).decode())
    for text, fits in (("x" * 250_000, True), ("x" * 270_000, False)):
        with (
            contextlib.nullcontext() if fits else pytest.raises(TemplateFaultAtKey, match="more than 256 KiB")
        ):
            encode_body({"picture": picture, "text": text}, encoding, "on.token.body")


def test_a_body_has_an_end() -> None:
    made = environment()
    faults: list[tuple[str, str]] = []
    body = {str(number): "{{ vars.long }}" for number in range(20)}
    node = TemplateNode(made, body, "on.token.body", ["vars"], lambda *fault: faults.append(fault))
    made.budget.restart()
    with pytest.raises(TemplateFaultAtKey, match="more than 256 KiB"):
        node.value(context(made))
    assert not faults
    with pytest.raises(TemplateFaultAtKey, match="more than 256 KiB"):
        encode_body({"text": "é" * (MAX_CHARACTERS // 2)}, "json", "on.token.body")


def test_a_key_that_is_skip_is_left_out() -> None:
    made = environment()
    table = {"x": "{{ token.y | px(70) }}", "y": ["{{ skip }}", "{{ token.x }}"], "z": {"a": "{{ skip }}"}}
    node = TemplateNode(made, table, "body", [*GIVEN], lambda key, words: pytest.fail(words))
    assert node.value(context(made)) == {"y": [3], "z": {}}


def request(line: str, encoding: str = "json", body: Any = None, **more: Any) -> Any:
    """A request of an event, or the faults of its table."""
    made = environment()
    faults: list[str] = []
    table = {"request": line, **({} if body is None else {"body": body}), **more}
    found = read_request_even_with_faults(
        made, table, "on.token", [*GIVEN], encoding, lambda key, words: faults.append(key)
    )
    if faults:
        return faults
    assert found is not None
    made.budget.restart()
    return found.request(context(made))


def test_a_value_in_a_path_is_one_segment() -> None:
    assert request("GET /a/{{ token.name }}?b={{ vars.grid }}&c=d").path == "/a/12?b=70&c=d"
    assert request("GET /a/{{ 'b/c?d=e#f g' }}").path == "/a/b%2Fc%3Fd%3De%23f%20g"
    assert (
        request("GET /a?x={{ 'b&c=d#e/../..x' | replace('.', '-') }}").path == "/a?x=b%26c%3Dd%23e%2F--%2F--x"
    )
    assert request("POST").path == ""


def test_no_path_leads_elsewhere() -> None:
    for path in (
        "/tokens/{{ link.id }}", "/tokens/{{ '..' }}", "/tokens/{{ '.' }}/x", "/tokens/{{ '' }}",
        "/tokens/{{ token.y }}", "{{ '/x' }}", "{{ '.evil.com/' }}", "/{{ token.statuses }}", "/a/../b",
        "/a/./b", "/a#b", "/ä", "/a\\b",
    ):  # fmt: skip
        with case(path):
            faults = []
            with contextlib.suppress(TemplateFaultAtKey):
                faults = request(f"GET {path}")
            assert faults in ([], ["on.token.request"])


def test_a_header_ends_with_its_line() -> None:
    for text in ("a\r\nX-Evil: 1", "a\nb", "é", "\0"):
        with pytest.raises(TemplateFaultAtKey) as fault:
            request("GET /x", headers={"x-ours": "{{ " + repr(text) + " }}"})
        assert fault.value.key == "on.token.headers.x-ours"
    assert dict(request("GET /x", headers={"X-Ours": "{{ token.x }}"}).headers) == {"x-ours": "3"}


def test_forms_and_parts() -> None:
    body = {"a": "{{ token.name }}", "b": [1, "{{ token.hurt }}"], "c": "é&=", "d": "{{ skip }}"}
    form = request("POST /x", "form", body)
    assert form.content == b"a=12&b=1&b=true&c=%C3%A9%26%3D"
    assert form.headers["content-type"] == "application/x-www-form-urlencoded"
    picture = {"base64": "aGk=", "name": 'a"\r\n.png', "type": "image/png"}
    parts = request("POST /x", "multipart", {"a": 'x"\r\n', "file": picture})
    assert (
        b'name="file"; filename="a%22%0D%0A.png"\r\nContent-Type: image/png\r\n\r\nhi\r\n--' in parts.content
    )
    assert request("POST /x", "text", "<a>{{ '<' | e }}</a>").content == b"<a>&lt;</a>"
    assert request("POST /x", "form", "text") == ["on.token.body"]
    assert request("POST /x", "text", {"a": 1}) == ["on.token.body"]
