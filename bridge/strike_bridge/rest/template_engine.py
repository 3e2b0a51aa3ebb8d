"""Templates: texts with `{{ }}` for the value of an expression, in Jinja2's syntax and sandbox.

A template can use only the values that it is given, and the filters below. It reads tables by key and lists
by number. Python's attributes and methods, loops, and the repetition of a text are refused. Time and size are
limited.
"""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache, wraps
from types import CodeType
from typing import ParamSpec, TypeGuard

import jinja2
from jinja2 import StrictUndefined, TemplateError, Undefined, nodes
from jinja2.runtime import Context
from jinja2.sandbox import ImmutableSandboxedEnvironment

from strike_cli.problems import did_you_mean, listed

MAX_CHARACTERS = 256 * 1024
"""The maximum number of characters in everything that one request is made of."""
SECONDS = 0.1
"""Seconds of processor time that one request's templates may take; a busy machine doesn't matter."""
_LARGEST_NUMBER = 10**18
_MOST_NODES = 300
_DEEPEST = 20
_FILTERS = (
    *("abs", "capitalize", "count", "d", "default", "dictsort", "e", "escape", "first", "float", "groupby"),
    *("int", "items", "last", "length", "list", "lower", "map", "max", "min", "reject", "rejectattr"),
    *("reverse", "select", "selectattr", "sort", "sum", "title", "trim", "truncate", "unique"),
    *("upper", "urlencode", "wordcount"),
)
"""The filters of Jinja2 that never make a text longer and always give the same result."""
_NODES = (
    *(nodes.Name, nodes.Const, nodes.List, nodes.Tuple, nodes.Dict, nodes.Pair, nodes.CondExpr),
    *(nodes.Filter, nodes.Test, nodes.Getattr, nodes.Getitem, nodes.Slice, nodes.Compare, nodes.Operand),
    *(nodes.Concat, nodes.Add, nodes.Sub, nodes.Mul, nodes.Div, nodes.FloorDiv, nodes.Mod),
    *(nodes.Neg, nodes.Pos, nodes.Not, nodes.And, nodes.Or, nodes.Call, nodes.Keyword),
)
_VALUE = "_value_code"
P = ParamSpec("P")


class RestTemplateFault(Exception):
    """Raised where a template, or a value for it, can't be used; its text says why."""


class _Skip:
    """A marker for a value whose key is left out of the body."""

    def __repr__(self) -> str:
        return "skip"


SKIP = _Skip()


class Base64(str):
    """A picture in base64, which doesn't count towards a request's size limit."""


class Placeholder(str):
    """A stand-in for a value from an answer, in requests that are shown and not sent."""


class AnswerPlaceholder(dict[str, object]):
    """A placeholder for an answer, in requests that are shown to people and not sent.

    Looking up any key gives a placeholder for the value, which is printed like `<answer.id>`.
    """

    def __init__(self, path: str) -> None:
        super().__init__()
        self.path = path

    def __missing__(self, key: object) -> AnswerPlaceholder:
        return AnswerPlaceholder(f"{self.path}.{key}")

    def __str__(self) -> str:
        return f"<{self.path}>"


class _Budget:
    """The time and size that the templates of one request may still use."""

    def __init__(self) -> None:
        self.restart()

    def restart(self) -> None:
        self.left, self.half = MAX_CHARACTERS, time.monotonic() + SECONDS / 2
        self.ends: float | None = None
        """When the processor time is used up; None before half of that time has passed by the wall clock,
        since reading the processor's clock costs as much as a template."""

    def spend_and_check_time(self, size: int) -> None:
        """Subtract `size` from the number of characters that may still be made, and check the time.

        Raises RestTemplateFault if no characters or no time are left.
        """
        self.left -= size
        if self.left < 0:
            raise RestTemplateFault(f"it makes more than {MAX_CHARACTERS // 1024} KiB")
        if time.monotonic() < self.half:
            return
        used = time.thread_time()
        if self.ends is None:
            self.ends = used + SECONDS / 2
        elif used > self.ends:
            raise RestTemplateFault(f"it takes longer than {SECONDS * 1000:.0f} ms")


class Environment(ImmutableSandboxedEnvironment):
    """Jinja2's environment, restricted to what templates may use."""

    intercepted_binops = frozenset(["*", "%", "**"])

    def __init__(self) -> None:
        super().__init__(undefined=StrictUndefined, optimized=False, keep_trailing_newline=True)
        self.budget = _Budget()
        self.globals.clear()
        limited = self._limited
        self.filters = {
            **{name: limited(self.filters[name]) for name in _FILTERS},
            "string": limited(scalar_to_text),
            "pick": limited(_pick_all_or_raise),
            "json": limited(_format_json),
            "tojson": limited(_format_json),
            "px": limited(_to_pixels),
            "round": limited(_round_half_to_even),
            "replace": limited(self._replace),
            "join": limited(self._join),
        }

    def _limited(self, filter: Callable[P, object]) -> Callable[P, object]:
        @wraps(filter)
        def limited(*given: P.args, **named: P.kwargs) -> object:
            self.budget.spend_and_check_time(0)
            came = filter(*given, **named)
            self.budget.spend_and_check_time(_outer_length_without_pictures(came))
            return came

        return limited

    def _replace(self, text: object, old: str, new: str) -> str:
        text, old, new = scalar_to_text(text), scalar_to_text(old), scalar_to_text(new)
        self.budget.spend_and_check_time(text.count(old) * len(new))
        return text.replace(old, new)

    def _join(self, values: Iterable[object], between: str = "", attribute: str | None = None) -> str:
        texts = [scalar_to_text(self._attribute_of(value, attribute)) for value in values]
        self.budget.spend_and_check_time(len(texts) * len(between))
        return scalar_to_text(between).join(texts)

    def _attribute_of(self, value: object, attribute: str | None) -> object:
        for part in attribute.split(".") if attribute else ():
            value = self.getitem(value, part)
        return value

    # Hooks of Jinja's sandbox

    def getattr(self, obj: object, attribute: str) -> object:
        """Return the value at a key of a table, for the syntax `token.name`."""
        return self.getitem(obj, attribute)

    def getitem(self, obj: object, argument: object) -> object:
        """Return `obj[argument]` for a table, a list or a text.

        A table takes any key. A list or a text takes a number or a slice. If there is no such value, return
        Jinja's undefined value, which raises an error when a template uses it. The attributes of Python
        objects can't be reached in this way.
        """
        try:
            if isinstance(obj, dict | Mapping):  # most are dicts, and the check for a Mapping is slow
                return obj[argument]
            if isinstance(obj, str | list | tuple) and isinstance(argument, int | slice):
                return obj[argument]
        except (LookupError, TypeError, ValueError):
            pass
        if isinstance(obj, Undefined):
            return obj
        return self.undefined(hint=_missing_key_message(obj, argument))

    def is_safe_attribute(self, obj: object, attr: str, value: object) -> bool:
        """Return False: templates may use no attribute."""
        return False

    def is_safe_callable(self, obj: object) -> bool:
        """Return whether an object is one of the functions that templates may call."""
        return isinstance(obj, KnownIdLookup)

    def call_binop(self, context: Context, operator: str, left: object, right: object) -> float:
        """Calculate with `*` and `%`, for numbers only.

        Repeating or formatting a text could make it endlessly long. Raises RestTemplateFault for other
        values, for `**`, and for a result that is too large.
        """
        if operator == "**" or not (_is_number(left) and _is_number(right)):
            raise RestTemplateFault(
                f"{operator} works only on numbers, not on {_type_in_words(left)} and {_type_in_words(right)}"
            )
        came = left * right if operator == "*" else left % right
        if abs(came) > _LARGEST_NUMBER:
            raise RestTemplateFault("the number is too large")
        return came


def _outer_length_without_pictures(value: object) -> int:
    if isinstance(value, Base64):
        return 0
    return len(value) if isinstance(value, str | list | tuple | dict) else 1


class KnownIdLookup:
    """The function `known(ID)` of templates: the target's id for one of our ids, or none."""

    def __init__(self, links: Mapping[str, str]) -> None:
        self._links = links

    def __call__(self, id: object) -> str | None:
        return self._links.get(str(id))


def _missing_key_message(obj: object, argument: object) -> str:
    if isinstance(obj, Mapping):
        return f"there is no {argument!r}.{did_you_mean(str(argument), map(str, obj))}"
    return f"{_type_in_words(obj)} has no {argument!r}"


def _is_number(value: object) -> TypeGuard[float]:
    """Return whether a value is a number. True and false aren't numbers.

    For an undefined name, raises UndefinedError, so that the error message names it.
    """
    if isinstance(value, Undefined):
        value._fail_with_undefined_error()
    return isinstance(value, int | float) and not isinstance(value, bool)


def _type_in_words(value: object) -> str:
    """Return words for a value's type, such as "a table", for messages."""
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "true or false"
    names = ((str, "text"), (int | float, "a number"), (Mapping, "a table"), (Sequence, "a list"))
    return next((name for kind, name in names if isinstance(value, kind)), "something else")


# Filters


def _pick_all_or_raise(table: object, *names: str) -> dict[str, object]:
    """Return a table with only the named keys. Raises RestTemplateFault if one is missing."""
    found = table if isinstance(table, Mapping) else {}
    lacking = [name for name in names if name not in found]
    if lacking:
        raise RestTemplateFault(f"pick: {_missing_key_message(table, lacking[0])}")
    return {name: found[name] for name in names}


def _format_json(value: object) -> str:
    return json.dumps(plain_data(value), ensure_ascii=False, separators=(",", ":"))


def _to_pixels(squares: object, grid: object, offset: object = 0) -> int | _Skip:
    """Return a length in squares as a number of pixels, rounded.

    If `squares` is None, return SKIP, so that the request leaves out the key.
    """
    if squares is None:
        return SKIP
    if not (_is_number(squares) and _is_number(grid) and _is_number(offset)):
        raise RestTemplateFault("px needs a number: {{ token.x | px(vars.grid) }}")
    return _round_finite_half_to_even(squares * grid + offset)


def _round_half_to_even(value: object, precision: int = 0) -> float:
    if not _is_number(value):
        raise RestTemplateFault(f"round needs a number, not {_type_in_words(value)}")
    if not -15 <= precision <= 15:
        raise RestTemplateFault("round takes -15 to 15 decimal places")
    return _round_finite_half_to_even(value) if precision == 0 else round(value, precision)


def _round_finite_half_to_even(value: float) -> int:
    if not math.isfinite(value):
        raise _not_a_number_fault()
    return round(value)


def _not_a_number_fault() -> RestTemplateFault:
    return RestTemplateFault("the result is not a number")


# Templates as they are read


class Expression:
    """A compiled expression, the content of one `{{ }}`."""

    def __init__(self, environment: Environment, code: CodeType) -> None:
        self._run = jinja2.Template.from_code(environment, code, {}).root_render_func

    def value(self, context: Context) -> object:
        """Return the expression's value in a context. Raises RestTemplateFault."""
        try:
            for _ in self._run(context):
                pass
            return plain_data(context.vars[_VALUE])
        except RestTemplateFault:
            raise
        except TemplateError as error:
            raise RestTemplateFault(_error_words(error)) from None
        except (TypeError, ValueError, ArithmeticError, LookupError, AttributeError) as error:
            raise RestTemplateFault(_error_words(error)) from None
        except RecursionError:
            raise _nesting_fault() from None


def _nesting_fault() -> RestTemplateFault:
    return RestTemplateFault("it is too deeply nested")


def _error_words(error: Exception) -> str:
    text = str(getattr(error, "message", None) or error)
    text = text.replace("'NoneType'", "none").replace("NoneType", "none").replace("'dict object'", "a table")
    return (
        text.replace("unsupported operand type(s) for", "it can't be computed:").rstrip(".")
        or type(error).__name__
    )


Names = Sequence[str]


class Template:
    """A compiled text with expressions in it.

    If the text is a single expression, the template's value is that expression's value, of any type.
    Otherwise the template's value is a text.
    """

    def __init__(self, environment: Environment, text: str, names: Names) -> None:
        """Compile a text. `names` are the variables that it may use. Raises RestTemplateFault."""
        self.environment = environment
        self.parts: list[str | Expression] = [
            part if isinstance(part, str) else Expression(environment, part)
            for part in _compile_text(text, tuple(names))
        ]

    def value(self, context: Context) -> object:
        """Return the template's value in a context. Raises RestTemplateFault."""
        if len(self.parts) == 1 and isinstance(self.parts[0], Expression):
            came = self.parts[0].value(context)
        else:
            came = "".join(self.rendered_parts(context, scalar_to_text))
        self.environment.budget.spend_and_check_time(_outer_length_without_pictures(came))
        return came

    def rendered_parts(self, context: Context, format_value: Callable[[object], str]) -> Iterator[str]:
        """Yield the template's parts as text; `format_value` formats the values of expressions."""
        for part in self.parts:
            yield part if isinstance(part, str) else format_value(part.value(context))


@lru_cache(maxsize=4096)
def _compile_text(text: str, names: Names) -> tuple[str | CodeType, ...]:
    """Return a text's parts, with its expressions compiled. Raises RestTemplateFault.

    The result is cached: targets are made anew for many commands, and compiling takes most of that time.
    """
    parser = _compiling_environment()
    return tuple(
        part if isinstance(part, str) else _compile_expression(parser, part)
        for part in _parse_parts(parser, text, names)
    )


def _compile_expression(parser: Environment, node: nodes.Expr) -> CodeType:
    body = nodes.Assign(nodes.Name(_VALUE, "store"), node, lineno=1)
    return parser.compile(nodes.Template([body], lineno=1).set_environment(parser))  # type: ignore[call-overload,no-any-return]  # a tree, too


@cache
def _compiling_environment() -> Environment:
    """Return the Jinja environment that parses and compiles templates. It renders nothing."""
    return Environment()


def _parse_parts(environment: Environment, text: str, names: Names) -> Iterator[str | nodes.Expr]:
    try:
        for _, kind, _ in environment.lex(text):
            if kind in ("block_begin", "comment_begin", "raw_begin"):
                raise RestTemplateFault(
                    "only {{ }} works here: write {{ '{%' }} for the characters themselves"
                )
        body = environment.parse(text).body
    except TemplateError as error:
        raise RestTemplateFault(f"it can't be read: {_error_words(error)}") from None
    except RecursionError:
        raise RestTemplateFault("it can't be read: it is too deeply nested") from None
    for output in body:
        if not isinstance(output, nodes.Output):
            raise RestTemplateFault("only {{ }} works here")
        for node in output.nodes:
            if isinstance(node, nodes.TemplateData):
                yield node.data
            else:
                _check_syntax(environment, node, names)
                yield _adapt_expression(node)


def _check_syntax(environment: Environment, node: nodes.Expr, names: Names) -> None:
    """Raise RestTemplateFault if an expression contains syntax or names that templates may not use."""
    every = [node, *node.find_all(nodes.Node)]
    if len(every) > _MOST_NODES:
        raise RestTemplateFault("it is too long: put parts of it into their own keys")
    for each in every:
        if isinstance(each, nodes.Pow):
            raise RestTemplateFault("powers (**) aren't allowed here")
        if not isinstance(each, _NODES):
            raise RestTemplateFault(f"{type(each).__name__.lower()} can't be used here")
        if isinstance(each, nodes.Name) and each.name not in names:
            raise RestTemplateFault(
                f"there is no {each.name!r} here.{did_you_mean(each.name, names)} Known: {listed(names)}"
            )
        if isinstance(each, nodes.Filter) and each.name not in environment.filters:
            raise RestTemplateFault(
                f"there is no filter {each.name!r}.{did_you_mean(each.name, environment.filters)}"
            )
        if isinstance(each, nodes.Test) and each.name not in environment.tests:
            raise RestTemplateFault(
                f"there is no test {each.name!r}.{did_you_mean(each.name, environment.tests)}"
            )
        if isinstance(each, nodes.Call) and not (
            isinstance(each.node, nodes.Name) and each.node.name == "known"
        ):
            raise RestTemplateFault(
                "only known(ID) can be called: use a filter, such as {{ token.name | upper }}"
            )


def _adapt_expression(node: nodes.Expr) -> nodes.Expr:
    """Return an expression adapted in two ways: `x if y` needs no else, `~` joins texts.

    If y is false, `x if y` gives none.
    """
    whole = nodes.List([node], lineno=1)
    for choice in whole.find_all(nodes.CondExpr):
        choice.expr2 = choice.expr2 or nodes.Const(None, lineno=choice.lineno)
    for above in [whole, *whole.find_all(nodes.Node)]:
        for field, value in above.iter_fields():
            if isinstance(value, nodes.Concat):
                setattr(above, field, _join_texts(value))
            elif isinstance(value, list):
                value[:] = [_join_texts(each) if isinstance(each, nodes.Concat) else each for each in value]
    return whole.items[0]


def _join_texts(concat: nodes.Concat) -> nodes.Expr:
    pieces = nodes.List(concat.nodes, lineno=concat.lineno)
    return nodes.Filter(pieces, "join", [], [], None, None, lineno=concat.lineno)


@lru_cache(maxsize=4096)
def names_keys_and_constants_mentioned(text: str) -> frozenset[str]:
    """Return the names that a template's expressions mention: variables, keys, and constant texts.

    A constant text is split at its dots, and each part counts as a name.
    """
    found: set[str] = set()
    for each in _compiling_environment().parse(text).find_all((nodes.Name, nodes.Getattr, nodes.Const)):
        if isinstance(each, nodes.Name):
            found.add(each.name)
        elif isinstance(each, nodes.Getattr):
            found.add(each.attr)
        elif isinstance(each, nodes.Const) and isinstance(each.value, str):
            found.update(each.value.split("."))
    return frozenset(found)


# Values as they go out


def scalar_to_text(value: object) -> str:
    """Return a value as text. Raises RestTemplateFault for a list or a table.

    None becomes "", true and false are in lower case, and whole floats have no decimal point.
    """
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if isinstance(value, str | int | float | AnswerPlaceholder):
        return str(value)
    raise RestTemplateFault(f"{_type_in_words(value)} can't be used in a text: write {{{{ ... | json }}}}")


def plain_data(value: object, depth: int = 0) -> object:
    """Return a value as plain JSON data, without list items that are SKIP.

    Raises RestTemplateFault for other types, for infinite numbers, and for data that is nested too deeply.
    """
    if value is SKIP or value is None or isinstance(value, bool | int):
        return value
    if isinstance(value, Undefined):
        value._fail_with_undefined_error()
    if isinstance(value, str):
        return value if type(value) in (str, Base64, Placeholder) else str(value)
    if isinstance(value, float):
        if not math.isfinite(value):
            raise _not_a_number_fault()
        return value
    if depth > _DEEPEST:
        raise _nesting_fault()
    if isinstance(value, AnswerPlaceholder):
        return Placeholder(value)
    if isinstance(value, Mapping):
        return {str(key): plain_data(each, depth + 1) for key, each in value.items()}
    if isinstance(value, list | tuple | Iterator):
        return [each for item in value if (each := plain_data(item, depth + 1)) is not SKIP]
    raise RestTemplateFault(f"{type(value).__name__.lower()} can't be sent")
