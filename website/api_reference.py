"""The reference of the plugin API, made from the code.

It has every module that a plugin may import, with all listed names, their signatures, and their docstrings.
"""

from __future__ import annotations

import ast
import inspect
import re
import sys
from collections.abc import Iterator, Mapping
from enum import Enum
from functools import cache
from importlib import import_module
from importlib.util import resolve_name
from inspect import Signature, formatannotation, signature
from pathlib import Path
from types import ModuleType
from typing import Annotated, NamedTuple, get_args, get_origin

PACKAGE = "strike_cli.plugin"
MODULES = (
    "", "parts", "facts", "commands", "forms", "board", "dice", "views", "scene_tables", "files",
    "sim", "fights",
    "tactics", "encounters", "handlers", "refusals", "testing",
)  # fmt: skip
"""The modules in reading order; the first is the package itself."""


def api_pages() -> dict[str, str]:
    """Return a page for each module, and one that lists them all."""
    modules = [import_module(f"{PACKAGE}.{name}" if name else PACKAGE) for name in MODULES]
    return {"api.md": _index_page(modules), **{_page_path(each): _module_page(each) for each in modules}}


def names_of(module: ModuleType) -> list[str]:
    """Return the names that a module lists: classes first, then functions, then plain values."""
    return sorted(module.__all__, key=lambda name: (_rank(getattr(module, name)), name.lower()))


def _rank(value: object) -> int:
    return 0 if inspect.isclass(value) else 1 if inspect.isfunction(value) else 2


def _page_path(module: ModuleType) -> str:
    return f"api/{module.__name__.removeprefix(PACKAGE).strip('.') or 'plugin'}.md"


def _index_page(modules: list[ModuleType]) -> str:
    lines = [
        "# The plugin API", "",
        "Everything that a plugin may import from strike, made of the code. [Plugins](../plugins.md) and "
        "[systems](../systems.md) teach it; what may change is told in [versions](../versions.md).", "",
    ]  # fmt: skip
    for module in modules:
        lines += [
            f"## {module.__name__}",
            "",
            f"{_first_sentence(inspect.getdoc(module))}",
            "",
            "| | |",
            "|-|-|",
        ]
        for name in names_of(module):
            said = _first_sentence(doc_of(module, name))
            lines.append(f"| [`{name}`]({_page_path(module)}#{name.lower()}) | {_table_cell(said)} |")
        lines.append("")
    return "\n".join(lines)


def _module_page(module: ModuleType) -> str:
    lines = [f"# {module.__name__}", "", *_docstring_lines(inspect.getdoc(module)), ""]
    for name in names_of(module):
        found = getattr(module, name)
        lines += [f"## {name} {{ #{name.lower()} }}", ""]
        if inspect.isclass(found):
            lines += _class_lines(found)
        elif inspect.isfunction(found):
            lines += [
                *_code_block(f"{name}{_signature_text(signature(found))}"),
                *_docstring_lines(inspect.getdoc(found)),
                "",
            ]
        else:
            value = _value_code(found)
            lines += [
                *(_code_block(f"{name} = {value}") if value else ()),
                *_docstring_lines(doc_of(module, name)),
                "",
            ]
    return "\n".join(lines)


def _class_lines(kind: type) -> Iterator[str]:
    fields = fields_of(kind)
    if not fields and "__init__" in vars(kind):
        yield from _code_block(
            f"{kind.__name__}{_signature_text(signature(vars(kind)['__init__']), bound=True)}"
        )
    yield from (*_docstring_lines(vars(kind).get("__doc__")), "")
    if fields:
        yield from ("| field | type | unless given | |", "|-|-|-|-|")
        for each in fields:
            default = f"`{_table_cell(each.default)}`" if each.default else ""
            yield f"| `{each.name}` | `{_table_cell(each.type)}` | {default} | {_table_cell(each.doc)} |"
        yield ""
    for name, method in methods_of(kind).items():
        yield from (f"### {kind.__name__}.{name}", "")
        function = method.__func__ if isinstance(method, classmethod | staticmethod) else method
        if callable(function):
            bound = not isinstance(method, staticmethod)
            yield from _code_block(f"{name}{_signature_text(signature(function), bound=bound)}")
        yield from (*_docstring_lines(inspect.getdoc(function)), "")


class Field(NamedTuple):
    """A field of a class: its name, its type and default as written, and its description."""

    name: str
    type: str
    default: str
    doc: str


def fields_of(kind: type) -> list[Field]:
    """Return the public fields that a class declares with a type, in their order.

    For an Enum, its members are returned, too.
    """
    node = _class_node(kind)
    fields = []
    for item, text in _statements_with_docs(node.body if node else []):
        name = ast.unparse(item.target) if isinstance(item, ast.AnnAssign) else "_"
        if isinstance(item, ast.AnnAssign) and not name.startswith("_"):
            default = ast.unparse(item.value) if item.value else ""
            fields.append(Field(name, ast.unparse(item.annotation), default, text))
        elif isinstance(item, ast.Assign) and issubclass(kind, Enum):
            fields.append(Field(ast.unparse(item.targets[0]), "", ast.unparse(item.value), text))
    return fields


def methods_of(kind: type) -> Mapping[str, object]:
    """Return the public methods and properties that a class defines itself."""
    node = _class_node(kind)
    written = {item.name for item in (node.body if node else []) if isinstance(item, ast.FunctionDef)}
    return {name: own for name, own in vars(kind).items() if name in written and not name.startswith("_")}


def doc_of(module: ModuleType, name: str) -> str:
    """Return the docstring of a module's name; for a plain value, the string below its definition.

    Return "" if there is none.
    """
    found = getattr(module, name)
    if inspect.isclass(found) or inspect.isfunction(found):
        return inspect.getdoc(found) or ""
    if hasattr(found, "__wrapped__"):  # a function that remembers
        return inspect.getdoc(inspect.unwrap(found)) or ""
    for item, text in _statements_with_docs(_tree_of(_defining_module(module.__name__, name)).body):
        target = item.targets[0] if isinstance(item, ast.Assign) else getattr(item, "target", None)
        if isinstance(target, ast.Name) and target.id == name:
            return text
        if isinstance(target, ast.Tuple) and name in [getattr(each, "id", "") for each in target.elts]:
            return text
    return ""


def _defining_module(module: str, name: str) -> str:
    """Return the module that defines a name which another module re-exports."""
    home = _imported_names(module).get(name)
    return _defining_module(home, name) if home else module


@cache
def _imported_names(module: str) -> Mapping[str, str]:
    """Return, for each name that a module imports with `from ... import`, the module that it comes from."""
    package = import_module(module).__package__ or ""
    found: dict[str, str] = {}
    for item in ast.walk(_tree_of(module)):
        if isinstance(item, ast.ImportFrom):
            home = resolve_name("." * item.level + (item.module or ""), package)
            found = dict.fromkeys((each.name for each in item.names), home) | found
    return found


@cache
def _tree_of(module: str) -> ast.Module:
    return ast.parse(Path(sys.modules[module].__file__ or "").read_text(encoding="utf-8"))


def _class_node(kind: type) -> ast.ClassDef | None:
    body = _tree_of(kind.__module__).body
    return next(
        (each for each in body if isinstance(each, ast.ClassDef) and each.name == kind.__name__), None
    )


def _statements_with_docs(body: list[ast.stmt]) -> Iterator[tuple[ast.stmt, str]]:
    """Yield each statement with its documentation.

    The documentation is the string right after the statement. If there is no string, it is "".
    """
    for item, after in zip(body, [*body[1:], None], strict=True):
        text = ""
        if isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant):
            text = inspect.cleandoc(after.value.value) if isinstance(after.value.value, str) else ""
        yield item, text


def _signature_text(signature: Signature, *, bound: bool = False) -> str:
    """Return the parameters and the return type as written. With `bound`, leave out `self`."""
    parameters = list(signature.parameters.values())[bound:]
    text = str(signature.replace(parameters=parameters)).replace("'", "")
    text = re.sub(r"<\w[^()\n]*? at 0x\w+>", "...", text)
    return text if len(text) < 90 else text.replace("(", "(\n    ", 1).replace(", ", ",\n    ")


def _value_code(value: object) -> str:
    """Return a value as the code to show for it, or "" if its code would explain nothing.

    Code is shown for texts, numbers, tuples and types with brackets, such as `list[str]`.
    """
    if isinstance(value, str | int | float | tuple):
        return repr(value)
    if get_origin(value) is Annotated:
        of = get_args(value)[0]  # what stands beside it is for the program
        return f"Annotated[{getattr(of, '__forward_arg__', None) or formatannotation(of)}, ...]"
    return str(value).replace("typing.", "") if get_origin(value) else ""


def _code_block(text: str) -> Iterator[str]:
    yield from ("```python", text, "```", "")


def _docstring_lines(doc: str | None) -> list[str]:
    """Return the lines of a docstring, without their common indentation.

    The text can be used as Markdown. What is indented in it is shown as code.
    """
    return inspect.cleandoc(doc or "").split("\n")


def _first_sentence(doc: str | None) -> str:
    flat = " ".join((doc or "").split("\n\n")[0].split())
    return re.split(r"(?<=[.])\s", flat, maxsplit=1)[0]


def _table_cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "&#124;").replace("<", "&lt;")
