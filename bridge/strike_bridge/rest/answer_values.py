"""Reads a server's answer, JSON or XML, and the values at paths in it.

Every value is checked before it is used.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, TypeGuard
from urllib.parse import quote, urljoin, urlsplit

import jmespath
from jmespath.exceptions import JMESPathError

from ..http_conversation import Answer
from .template_engine import Placeholder

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

    from strike_table.schemas import SquarePayload

LONGEST_ID = 200
_DEEPEST_XML = 60
_MOST_XML = 200_000
"""The maximum number of XML elements in an answer."""
FARTHEST = 10_000
"""The maximum number of squares from a map's corner at which a position is believed."""


class AnswerFault(Exception):
    """Raised where an answer, or a path into one, can't be used; its text says why."""


class JmesPath:
    """A compiled JMESPath expression, which leads to a value in an answer."""

    def __init__(self, text: str) -> None:
        """Compile an expression. Raises AnswerFault for a text that isn't one."""
        self.text = text
        try:
            self._compiled = jmespath.compile(text)
        except (JMESPathError, ValueError, RecursionError) as error:
            raise AnswerFault(
                f"{text!r} is not a JMESPath expression ({str(error).splitlines()[0]})"
            ) from None

    def find(self, data: object) -> object:
        """Return the value that the expression finds in `data`; None if it finds none or fails."""
        try:
            return self._compiled.search(data)
        except (JMESPathError, ValueError, TypeError, ArithmeticError, RecursionError):
            return None  # such as a function of a missing value


def is_found_and_not_false(value: object) -> bool:
    """Return whether a value that a path found is neither null, false nor empty."""
    return value is not None and value is not False and value not in ("", [], {})


def valid_id(value: object) -> str:
    """Return an answer's id as text; "" for a value that can't be an id."""
    if isinstance(value, Placeholder):
        return value
    if isinstance(value, bool) or not isinstance(value, str | int):
        return ""
    try:
        text = str(value)
    except ValueError:  # a number of thousands of digits
        return ""
    fits = 0 < len(text) <= LONGEST_ID and text.isprintable() and text.strip() and text not in (".", "..")
    return text if fits else ""


def square_at(x: object, y: object, size: tuple[int, int] | None) -> SquarePayload | None:
    """Return the square at a column and a row, which are rounded.

    If `x` or `y` isn't a number, or the square is off the map, return None. `size` is the map's width and
    height in squares, or None if they are unknown.
    """
    if not (is_finite_number(x) and is_finite_number(y)):
        return None
    column, row = round(x), round(y)
    width, height = size or (FARTHEST, FARTHEST)
    return {"x": column, "y": row} if 0 <= column < width and 0 <= row < height else None


def is_finite_number(value: object) -> TypeGuard[float]:
    """Return whether a value from a server is a number to calculate with, and no huge one either."""
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < HUGE


HUGE = 1e300
"""Whole numbers in JSON may have thousands of digits, which no float has."""


def rounded_number(value: object) -> int | None:
    """Return a number rounded to a whole one.

    It is None for any other value, and for numbers of a billion and more.
    """
    return round(value) if is_finite_number(value) and abs(value) < 10**9 else None


def graphql_or_jsonrpc_error_key(body: object) -> str:
    """Return the key under which the answer to a request with this body would report an error.

    It is `errors` if the body is one of GraphQL, `error` if it is one of JSON-RPC, and "" for any other body.
    """
    if not isinstance(body, Mapping):
        return ""
    if "jsonrpc" in body and "method" in body:
        return "error"
    return "errors" if isinstance(body.get("query"), str) and {*body} <= _GRAPHQL else ""


_GRAPHQL = {"query", "variables", "operationName", "extensions"}


# Reading


def parse_json(answer: Answer) -> object:
    """Return the body parsed as JSON; None if it isn't JSON."""
    return answer.json()


def parse_xml_or_none(answer: Answer) -> object:
    """Return the body parsed as XML; None if it isn't XML, is too large, or has a document type.

    An element becomes a table. Its children are entries by their names, and several children of one name are
    a list; attributes are entries named `@name`, and text beside them is `#text`. An element with text alone
    becomes that text. Document types are refused because their entities may unpack to gigabytes.
    """
    from xml.etree import ElementTree

    class WithoutDoctype(ElementTree.TreeBuilder):
        def doctype(self, *_: object) -> None:
            raise ValueError("it has a document type")

    try:
        if answer.body.count(b"<") > 2 * _MOST_XML:
            raise ValueError("it has too many elements")
        root = ElementTree.fromstring(answer.body, ElementTree.XMLParser(target=WithoutDoctype()))
        return {_local_name(root.tag): _element_value(root, 1)}
    except (ElementTree.ParseError, ValueError, LookupError):
        return None


def _element_value(element: Element, depth: int) -> object:
    """Return an XML element as a table or text. Raises ValueError if elements are nested too deeply."""
    if depth > _DEEPEST_XML:
        raise ValueError("its elements are too deeply nested")
    found: dict[str, list[object]] = {}
    for child in element:
        found.setdefault(_local_name(child.tag), []).append(_element_value(child, depth + 1))
    table: dict[str, object] = {f"@{_local_name(key)}": value for key, value in element.attrib.items()}
    table |= {name: values if len(values) > 1 else values[0] for name, values in found.items()}
    text = "".join([element.text or "", *(child.tail or "" for child in element)]).strip()
    return {**table, **({"#text": text} if text else {})} if table else text


def _local_name(name: str) -> str:
    return name.rpartition("}")[2].rpartition(":")[2]


READERS: Mapping[str, Callable[[Answer], object]] = {
    "json": parse_json,
    "xml": parse_xml_or_none,
    "none": lambda answer: None,
}


# Pages

_LINK = re.compile(r'<([^<>]*)>\s*((?:;\s*[\w-]+\s*=\s*(?:"[^"]*"|[^\s;,"]+)\s*)*)')
_NEXT = re.compile(r';\s*rel\s*=\s*(?:"([^"]*)"|([^\s;,"]+))', re.IGNORECASE)


def next_link(header: str) -> str:
    """Return the address of the next page from a Link header; "" if it names none."""
    for address, parameters in _LINK.findall(header):
        for quoted, bare in _NEXT.findall(parameters):
            if "next" in (quoted or bare).lower().split():
                return str(address)
    return ""


def next_page_path(address: str, base: str, asked_path: str) -> str:
    """Return the address of a next page, absolute or relative, as a path below the target's `base`.

    `asked_path` is the path of the request whose answer named the next page. Raises AnswerFault if the
    address isn't below `base`.
    """
    try:
        whole = urljoin(base + asked_path, address)
        same = urlsplit(whole)[:2] == urlsplit(base)[:2]
    except ValueError:
        same, whole = False, ""
    if not same or not whole.startswith(f"{base}/") or not whole.isascii() or not whole.isprintable():
        raise AnswerFault("its next page is at another address")
    return whole.removeprefix(base).partition("#")[0]


def add_page_cursor(path: str, param: str, cursor: str) -> str:
    """Return a path with a page cursor set in its query, as the parameter `param`."""
    head, _, query = path.partition("?")
    name = quote(param, safe="")
    kept = [each for each in query.split("&") if each and each.partition("=")[0] != name]
    return f"{head}?{'&'.join([*kept, name + '=' + quote(cursor, safe='')])}"
