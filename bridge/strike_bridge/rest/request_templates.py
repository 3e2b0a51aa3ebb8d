"""Templates of configured requests: path, headers and body, and the condition for sending.

A value that is put into a path becomes a single segment of the path. A value in a query becomes a single
value there. So no id can change the destination.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple, cast
from urllib.parse import quote, urlencode

from jinja2.runtime import Context

from ..http_conversation import Request, encode_json
from .capabilities import are_idempotent
from .template_engine import (
    MAX_CHARACTERS,
    SKIP,
    Base64,
    Environment,
    Names,
    Placeholder,
    RestTemplateFault,
    Template,
    scalar_to_text,
)

if TYPE_CHECKING:
    from typing import Unpack

    from strike_cli.bridge_target_schema import ExchangeTable, ReadRequestTable

    from ..http_conversation import RequestFlags

Fault = Callable[[str, str], None]
"""A function that takes a key and the fault there."""
_FORBIDDEN_HEADERS = (
    "host",
    "content-length",
    "transfer-encoding",
    "connection",
    "cookie",
    "expect",
    "te",
    "upgrade",
)


class TemplateFaultAtKey(RestTemplateFault):
    """A fault of a template, with the key at which the template is written."""

    def __init__(self, key: str, words: str) -> None:
        super().__init__(words)
        self.key = key


class TemplateNode:
    """A part of a body: a template, a constant, or a list or table of such parts."""

    def __init__(self, environment: Environment, value: object, key: str, names: Names, fault: Fault) -> None:
        self.key = key
        self.table: dict[str, TemplateNode] | None = None
        self.items: list[TemplateNode] | None = None
        self.template: Template | None = None
        self.constant: object = None
        if isinstance(value, Mapping):
            self.table = {
                name: TemplateNode(environment, each, f"{key}.{name}", names, fault)
                for name, each in value.items()
            }
        elif isinstance(value, list):
            self.items = [
                TemplateNode(environment, each, f"{key}[{number}]", names, fault)
                for number, each in enumerate(value, 1)
            ]
        elif isinstance(value, str) and "{" in value:
            self.template = read_template(environment, value, key, names, fault)
        else:
            self.constant = value

    def value(self, context: Context) -> object:
        """Return this part of a request, with its templates filled in.

        `context` has the values of the templates' variables. Raises TemplateFaultAtKey.
        """
        if self.table is not None:
            found = {name: node.value(context) for name, node in self.table.items()}
            return {name: each for name, each in found.items() if each is not SKIP}
        if self.items is not None:
            return [each for node in self.items if (each := node.value(context)) is not SKIP]
        return self.constant if self.template is None else render_template(self.template, context, self.key)


def read_template(
    environment: Environment, text: str, key: str, names: Names, fault: Fault
) -> Template | None:
    """Return the compiled template; report an invalid text to `fault`, and return None."""
    try:
        return Template(environment, text, names)
    except RestTemplateFault as problem:
        fault(key, str(problem))
        return None


def render_template(template: Template, context: Context, key: str) -> object:
    """Fill in a template with the values of a context, and return the result.

    Raises TemplateFaultAtKey, which names `key`, if the template can't be filled in.
    """
    try:
        return template.value(context)
    except RestTemplateFault as problem:
        raise TemplateFaultAtKey(key, str(problem)) from None


class RequestLine:
    """A method, and a template for the path, such as `PATCH /tokens/{{ link.id }}`."""

    def __init__(self, environment: Environment, text: str, key: str, names: Names, fault: Fault) -> None:
        self.method, _, path = text.partition(" ")
        self.key = key
        self.path_text = path
        self.template = read_template(environment, path, key, names, fault)
        if self.template is not None:
            for part in self.template.parts:
                if isinstance(part, str) and not _has_only_path_characters(part):
                    fault(
                        key, f"{part!r} can't be in a path: no space, no character beyond ASCII, no #, no .."
                    )
                    break

    def path(self, context: Context) -> str:
        """Return the path of a request, with the values of `context` in place of the template's variables.

        Without a template, return "". Raises TemplateFaultAtKey if the path can't be made.
        """
        if self.template is None:
            return ""
        in_query = False

        def quoted(value: object) -> str:
            text = scalar_to_text(value)
            if in_query:
                return quote(text, safe="")
            if text in ("", ".", ".."):
                raise RestTemplateFault(f"{text!r} can't be part of a path")
            return quote(text, safe="<>" if isinstance(value, Placeholder) else "")

        found: list[str] = []
        try:
            for part in self.template.parts:
                if isinstance(part, str):
                    in_query = in_query or "?" in part
                found.append(part if isinstance(part, str) else quoted(part.value(context)))
        except RestTemplateFault as problem:
            raise TemplateFaultAtKey(self.key, str(problem)) from None
        path = "".join(found)
        if path and not is_safe_path(path):
            raise TemplateFaultAtKey(self.key, f"{path!r} is not a path")
        return path


def _has_only_path_characters(text: str) -> bool:
    return text.isascii() and text.isprintable() and not {" ", "#", "\\"} & {*text} and ".." not in text


def is_safe_path(path: str) -> bool:
    """Return whether a filled-in path may be appended to a target's address."""
    segments = path.partition("?")[0].split("/")
    return (
        path.startswith("/")
        and not path.startswith("//")
        and _has_only_path_characters(path)
        and "." not in segments
    )


class ConfiguredRequest(NamedTuple):
    """A configured request, with the templates of its path, headers and body.

    `when` is the condition for sending it. `before` is a request that is sent first; the templates may use
    the answer to it.
    """

    key: str
    line: RequestLine
    body: TemplateNode | None
    headers: Mapping[str, TemplateNode]
    when: Template | None
    before: RequestLine | None
    encoding: str
    idempotent: bool
    """Whether it may be sent twice without harm."""

    def should_send(self, context: Context) -> bool:
        """Return whether to send the request: True without a condition, or if the condition is met.

        The condition is a template, which is rendered in `context`. Raises TemplateFaultAtKey if that fails.
        """
        return self.when is None or bool(render_template(self.when, context, f"{self.key}.when"))

    def request(self, context: Context, **flags: Unpack[RequestFlags]) -> Request:
        """Return the request, after filling in its templates with the values in `context`.

        Raises TemplateFaultAtKey if a template can't be filled in.
        """
        headers = {name.lower(): _render_header(node, context) for name, node in self.headers.items()}
        body = None if self.body is None else self.body.value(context)
        encoded = encode_body(body, self.encoding, f"{self.key}.body")
        if encoded.content is not None:
            headers = {"content-type": encoded.kind, **headers}
        path = self.line.path(context)
        return Request(
            self.line.method,
            path,
            encoded.body,
            headers=headers,
            content=encoded.content,
            event=self.key,
            **flags,
        )


def _render_header(node: TemplateNode, context: Context) -> str:
    try:
        text = scalar_to_text(node.value(context))
    except TemplateFaultAtKey:
        raise
    except RestTemplateFault as problem:
        raise TemplateFaultAtKey(node.key, str(problem)) from None
    if not (text.isascii() and (text.isprintable() or not text)):
        raise TemplateFaultAtKey(node.key, "a header has only printable ASCII characters")
    return text


def read_request_even_with_faults(
    environment: Environment, asked: ReadRequestTable, key: str, names: Names, encoding: str, fault: Fault
) -> ConfiguredRequest | None:
    """Return a configured request with its templates compiled; None if the table has no `request`.

    Faults are reported to `fault`, each with its key.
    """
    table = cast("ExchangeTable", asked)  # a question has no `when` and no `before`
    if not table.get("request"):
        fault(f"{key}.request", 'missing: a method and a path, such as "PATCH /tokens/{{ link.id }}"')
        return None
    with_before = [*names, "before"] if "before" in table else [*names]
    before = None
    if "before" in table:
        before = RequestLine(environment, table["before"], f"{key}.before", names, fault)
        if before.method != "GET":
            fault(f"{key}.before", "it only reads: GET and a path")
    when = None
    if "when" in table:
        when = read_template(environment, table["when"], f"{key}.when", names, fault)
    headers = {
        name: TemplateNode(environment, text, f"{key}.headers.{name}", with_before, fault)
        for name, text in table.get("headers", {}).items()
    }
    line = RequestLine(environment, table["request"], f"{key}.request", with_before, fault)
    body = None
    if "body" in table:
        body = TemplateNode(environment, table["body"], f"{key}.body", with_before, fault)
        if encoding in ("form", "multipart") and body.table is None:
            fault(f"{key}.body", f"it should be a table, for encoding = {encoding!r}")
        if encoding == "text" and body.template is None and not isinstance(body.constant, str):
            fault(f"{key}.body", "it should be text, for encoding = 'text'")
    return ConfiguredRequest(key, line, body, headers, when, before, encoding, are_idempotent([table]))


def report_forbidden_headers(
    headers: Mapping[str, object], key: str, auth_headers: Sequence[str], fault: Fault
) -> None:
    """Report a fault for each header that a target's table may not set.

    These are the headers that the connection sets, and the headers in `auth_headers`, which authentication
    sets.
    """
    for name in headers:
        if name.lower() in _FORBIDDEN_HEADERS:
            fault(f"{key}.{name}", "a file can't set this header")
        elif name.lower() in auth_headers:
            fault(f"{key}.{name}", "auth sets this header: keys don't belong in campaign.toml")


# Bodies


class EncodedBody(NamedTuple):
    """An encoded body, with its content type `kind`.

    Either `body` is sent as JSON, or `content` is sent unchanged.
    """

    body: object = None
    content: bytes | None = None
    kind: str = ""


def encode_body(body: object, encoding: str, key: str) -> EncodedBody:
    """Return a filled-in body encoded as json, form, text or multipart.

    Raises TemplateFaultAtKey for a value that the encoding can't represent, and for a body that is too large.
    """
    if body is None:
        return EncodedBody()
    try:
        encoded = _ENCODINGS[encoding](body)
    except RestTemplateFault as problem:
        raise TemplateFaultAtKey(key, str(problem)) from None
    if (
        _size_of(encoded) > MAX_CHARACTERS
        and _size_of(_ENCODINGS[encoding](_without_pictures(body))) > MAX_CHARACTERS
    ):
        raise TemplateFaultAtKey(key, f"it makes more than {MAX_CHARACTERS // 1024} KiB")
    return encoded


def _size_of(encoded: EncodedBody) -> int:
    return len(encoded.content if encoded.content is not None else encode_json(encoded.body))


def _without_pictures(body: object) -> object:
    """Return a body without its base64 pictures, which the limit on its size doesn't count."""
    if isinstance(body, Base64):
        return Base64("")
    if isinstance(body, Mapping):
        return {key: _without_pictures(value) for key, value in body.items()}
    return [_without_pictures(each) for each in body] if isinstance(body, list) else body


def _body_left_for_json(body: object) -> EncodedBody:
    if body is SKIP:
        return EncodedBody()
    return EncodedBody(body)


def _form_body(body: object) -> EncodedBody:
    assert isinstance(body, Mapping)
    pairs = [(name, scalar_to_text(each)) for name, value in body.items() for each in _as_list(value)]
    return EncodedBody(None, urlencode(pairs).encode(), "application/x-www-form-urlencoded")


def _as_list(value: object) -> list[object]:
    return value if isinstance(value, list) else [value]


def _text_body(body: object) -> EncodedBody:
    return EncodedBody(None, scalar_to_text(body).encode(), "text/plain; charset=utf-8")


def _multipart_body(body: object) -> EncodedBody:
    """Return a table encoded as multipart form data.

    Each key of the table is the name of a part. Its value is the part, or a list of parts. A part is a text,
    or a table with the content in `base64` or `text`. Such a table may also have a `name` and a `type`.
    """
    assert isinstance(body, Mapping)
    parts = [_multipart_part(name, each) for name, value in body.items() for each in _as_list(value)]
    boundary = hashlib.sha256(b"\0".join(parts)).hexdigest()[:32]
    mark = f"--{boundary}".encode()
    content = b"".join(mark + b"\r\n" + part + b"\r\n" for part in parts) + mark + b"--\r\n"
    return EncodedBody(None, content, f"multipart/form-data; boundary={boundary}")


def _multipart_part(name: str, value: object) -> bytes:
    import base64
    import binascii

    head, content = f'form-data; name="{_percent_encode_part_name(name)}"', b""
    kind = ""
    if isinstance(value, Mapping):
        unknown = [key for key in value if key not in ("base64", "text", "name", "type")]
        if unknown:
            raise RestTemplateFault(f"a part has base64 or text, name and type, not {unknown[0]!r}")
        if value.get("name"):
            head += f'; filename="{_percent_encode_part_name(scalar_to_text(value["name"]))}"'
        kind = scalar_to_text(value.get("type"))
        try:
            content = base64.b64decode(scalar_to_text(value.get("base64")), validate=True)
        except (ValueError, binascii.Error):
            raise RestTemplateFault("base64 = what is none") from None
        content = content or scalar_to_text(value.get("text")).encode()
    else:
        content = scalar_to_text(value).encode()
    if not (kind.isascii() and (kind.isprintable() or not kind)):
        raise RestTemplateFault("a part's type has only printable ASCII characters")
    lines = [f"Content-Disposition: {head}", *([f"Content-Type: {kind}"] if kind else [])]
    return "\r\n".join([*lines, "", ""]).encode() + content


def _percent_encode_part_name(name: str) -> str:
    return quote(name, safe=" !#$&'()*+,-./:;<=>?@[]^_`{|}~")


_ENCODINGS: Mapping[str, Callable[[object], EncodedBody]] = {
    "json": _body_left_for_json,
    "form": _form_body,
    "text": _text_body,
    "multipart": _multipart_body,
}
