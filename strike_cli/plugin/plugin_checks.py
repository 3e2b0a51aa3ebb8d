"""Checks that everything a plugin names exists and has the right type.

They load the plugin's references. Play loads a reference only when it is used.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from typing import is_typeddict

from ..content.command_data_schema import returned_typed_dict
from ..content.drafts import Draft
from ..content.map_picture_draw_and_shrink import draw_map
from ..content.system_checks import Checks
from ..kernel.procedure import Args
from ..kernel.statements import Language
from ..play.legal_options import Bot
from ..problems import Problem, did_you_mean
from ..registry import (
    fact_classes_by_kind,
    installed_plugins,
    load_known_system,
    load_usable_systems,
    path_beside,
)
from ..registry.fact_follower import EventResponses
from ..registry.gm_override_hooks import GmOverrideRules
from ..registry.installed_plugins import InstalledPlugin, import_object
from ..registry.system_declaration import Content, Move, Scope, System
from ..sim.simulation_hooks import SimulationRules
from ..tabletop.data import BoardKept
from ..tabletop.distance_units import Measure
from ..tabletop.foreign_map_files import MapFormat
from ..terminal.system_views import Views
from ..untrusted_input import FileFormat
from ..validation import Kind
from ..validation_schemas_from_types import form_of
from .declaration_checks import (
    faults_of_commands,
    faults_of_names_and_hooks,
    faults_of_statements,
    run_and_yield_error,
    signature_fault,
)

EXAMPLE_FILES = ("campaign.toml", "evening.strike")
"""The files of a system's example."""
Check = Callable[[object], str]
"""A check of the object that a reference leads to: it returns the fault, or "" where there is none."""


def plugin_faults(plugin: InstalledPlugin) -> Iterator[str]:
    """Yield the faults of an installed plugin, one line each.

    If the plugin is broken, the reason is the only line. Otherwise everything that the plugin refers to is
    checked, and each line begins with the plugin's name.
    """
    if plugin.broken:
        yield plugin.broken
        return
    found: list[str] = []
    try:
        found.extend(_faults_of_systems_and_references(plugin))
    except (Exception, SystemExit) as error:  # whatever it names may be anything
        found.append(f"can't be checked: {type(error).__name__}: {error}")
    yield from (
        f"Plugin {plugin.name!r} of {plugin.distribution} {plugin.version}: {fault}" for fault in found
    )


def _faults_of_systems_and_references(plugin: InstalledPlugin) -> Iterator[str]:
    for name in plugin.systems:
        yield from system_faults(load_known_system(name))
    for reference in plugin.handlers.values():
        yield from _reference_faults(reference, _fault_unless_callable)
    for reference in plugin.languages.values():
        yield from _reference_faults(reference, partial(_fault_unless_class_or_instance, Language))
    for reference in plugin.map_formats.values():
        faults = list(_reference_faults(reference, _fault_unless_usable_map_format))
        yield from faults or _faults_of_map_format(import_object(reference))
    word_classes = _vocabulary_classes()
    for name, words in plugin.words.items():
        if (kind := word_classes.get(name)) is None:
            yield f"no system has a vocabulary {name!r}"
            continue
        for reference in words.values():
            yield from _reference_faults(reference, partial(_fault_unless_class_or_instance, kind))


def _faults_of_map_format(format_: MapFormat) -> Iterator[str]:
    """Yield the faults that appear when a map format is tried out.

    The format gets an empty file to read. It also has to write a small map, and to read it back. What the
    format can't do at all, such as writing, isn't tried.
    """
    if format_.recognizes:
        yield from run_and_yield_error(
            f"`recognizes` of an empty file ({format_.title})", partial(format_.recognizes, b"")
        )
    if format_.read:
        yield from run_and_yield_error(
            f"`read` of an empty file ({format_.title})", partial(_read_empty_map, format_)
        )
    if format_.write:
        yield from run_and_yield_error(
            f"a map written and read ({format_.title})", partial(_write_and_read_small_map, format_)
        )


def _read_empty_map(format_: MapFormat) -> None:
    with suppress(Problem):
        format_.map_of(b"", "empty")


def _write_and_read_small_map(format_: MapFormat) -> None:
    board: BoardKept = {
        "rows": ["...."] * 3,
        "walls": [[[1, 0], [1, 2]]],
        "image": {"file": "a.png", "pixels": 9},
    }
    content = format_.content_of(board, draw_map(board["rows"], 9), 9)
    if format_.read:
        format_.map_of(content, "written")


def _vocabulary_classes() -> dict[str, type]:
    return {
        name: import_object(each.absolute(kind))
        for each in load_usable_systems()
        for name, kind in each.vocabularies.items()
    }


def _fault_unless_class_or_instance(kind: type, value: object) -> str:
    fits = issubclass(value, kind) if isinstance(value, type) else isinstance(value, kind)
    return "" if fits else f"is not a {kind.__name__}"


def system_faults(system: System) -> Iterator[str]:
    """Yield the faults of a system, one line for each.

    Faults of a move, a secret, the rules or the example begin with its name.
    """
    for name, move in system.moves.items():
        yield from (f"move {name!r}: {fault}" for fault in _faults_of_move(system, move))
    kinds = fact_classes_by_kind(system) if system.scene.secrets else ()
    for secret in system.scene.secrets:
        if not secret.path.startswith(f"{system.scene.key}.") or secret.revealed_by not in kinds:
            yield f"secret {secret.path!r}: not part of its scene, or not revealed by any fact of its own"
    for reference, check in _references_and_checks(system):
        yield from _reference_faults(system.absolute(reference), check)
    if system.rules and not path_beside(system, system.rules).is_file():
        yield f"rules {system.rules!r} is not a file beside it"
    if (
        installed_plugins.plugin_index().plugin_of_system(system.name)
        is not installed_plugins.plugin_index().plugins[0]
    ):
        for look in (faults_of_names_and_hooks, faults_of_statements, faults_of_commands):
            yield from _run_check(look, system)
    for file in EXAMPLE_FILES if system.example else ():
        if not (path_beside(system, system.example) / file).is_file():
            yield f"example {system.example!r} has no {file}"


def _run_check(check: Callable[[System], Iterator[str]], system: System) -> list[str]:
    """Return the faults that a check of a system finds.

    A failure of the check itself is a fault too.
    """
    found: list[str] = []
    try:
        found.extend(check(system))
    except (Exception, SystemExit) as error:
        found.append(f"can't be checked: {type(error).__name__}: {error}".rstrip(": "))
    return found


def _references_and_checks(system: System) -> Iterator[tuple[str, Check]]:
    """Yield the references in a system's declaration, each with a check for the object that it names.

    A reference is text that names an object in a module. The references of moves are left out.
    """
    for commands in system.commands.values():
        for app in [commands] if isinstance(commands, str) else commands.values():
            yield app, _fault_unless_app
    for kind in system.vocabularies.values():
        yield kind, _fault_unless_callable
    for form in system.state.values():
        yield form, _fault_unless_form_or_maker
    if system.sheets.state:
        yield system.sheets.state, lambda value: "" if is_typeddict(value) else _fault_unless_callable(value)
    for of in system.content.values():
        yield from _content_references(of)
    called = [system.touches, system.scene.read, system.scene.takes, system.exhibits]
    called += [*system.migrations, *system.meant.values(), *system.simulation.players.values()]
    yield from ((reference, _fault_unless_callable) for reference in called if reference)
    if system.scene.measure:
        yield system.scene.measure, partial(_fault_unless_class_or_instance, Measure)
    if system.simulation.rules:
        yield system.simulation.rules, partial(_fault_unless_class_or_instance, SimulationRules)
    for reference in (
        *system.file_formats.values(),
        *(at for of in system.content.values() for at in of.files.values()),
    ):
        yield reference, _fault_unless_file_format
    hooks = (
        *(
            (system.bot, Bot),
            (system.views, Views),
            (system.follows, EventResponses),
            (system.checks, Checks),
        ),
        (system.scene.hand, GmOverrideRules),
    )
    yield from (
        (reference, partial(_fault_unless_fitting_subclass, base)) for reference, base in hooks if reference
    )


def _content_references(content: Content) -> Iterator[tuple[str, Check]]:
    """Yield the references in the declaration of a kind of content, each with a check.

    A reference leads to an object, such as a class or a function. The check is for that object.
    """
    named: list[tuple[str, Check]] = [
        (content.form, _fault_unless_form),
        (content.fields, _fault_unless_fields),
    ]
    named += [
        (content.draft, partial(_fault_unless_class_or_instance, Draft)),
        (content.in_words, _fault_unless_callable),
        (content.explains, _fault_unless_callable),
    ]
    named += [(reference, _fault_unless_file_format) for reference in content.files.values()]
    yield from (pair for pair in named if pair[0])


def _faults_of_move(system: System, move: Move) -> Iterator[str]:
    if move.scope is Scope.SCENE and not system.scene.key:
        yield "belongs to a scene, and the system has none"
    if not move.by_hand:  # the frame's own, which takes the system first
        yield from _reference_faults(system.absolute(move.play), _fault_unless_procedure_with_args)
    for reference in (move.odds, move.saved):
        if reference:
            yield from _reference_faults(system.absolute(reference), _fault_unless_callable)


def _reference_faults(reference: str, check: Check) -> Iterator[str]:
    try:
        found: object = import_object(reference)
    except (Exception, SystemExit) as error:
        yield f"{reference} can't be loaded: {type(error).__name__}: {error}"
        return
    try:
        fault = check(found)
    except Exception as error:  # annotations that name nothing, say
        fault = f"can't be checked: {type(error).__name__}: {error}"
    if fault:
        yield f"{reference} {fault}"


def _fault_unless_fitting_subclass(base: type, value: object) -> str:
    """Return the fault of a value that should be a subclass of `base`; "" if there is none.

    A method that overrides one of the base class must take the same number of arguments. A method with a name
    that is only similar to one of the base class is a fault, too: it would never be called.
    """
    if not (isinstance(value, type) and issubclass(value, base)):
        return f"is not a class of {base.__name__}"
    known = [name for name in vars(base) if not name.startswith("_")]
    for name, own in vars(value).items():
        if name in known and not callable(vars(base)[name]):
            continue
        if name in known:
            count = len(inspect.signature(vars(base)[name]).parameters)
            if fault := signature_fault(own, name, "those of " + base.__name__, count):
                return fault
        elif callable(own) and not name.startswith("_") and (meant := did_you_mean(name, known)):
            return f"has {name!r}, which nothing calls.{meant}"
    return ""


def _fault_unless_file_format(value: object) -> str:
    return "" if isinstance(value, FileFormat) else "is not a FileFormat"


def _fault_unless_procedure_with_args(value: object) -> str:
    if not inspect.isgeneratorfunction(value):
        return "is not a procedure (a function that yields)"
    parameters = list(inspect.signature(value).parameters.values())
    if len(parameters) != 2:
        return "should take the world and its arguments"
    kind = parameters[1].annotation
    kind = value.__globals__.get(kind) if isinstance(kind, str) else kind
    if not (isinstance(kind, type) and issubclass(kind, Args)):
        return "should say the type of its arguments"
    returned_typed_dict(value)  # raises NameError where its annotation names nothing
    return ""


def _fault_unless_callable(value: object) -> str:
    return "" if callable(value) else "can't be called"


def _fault_unless_usable_map_format(value: object) -> str:
    if not isinstance(value, MapFormat):
        return "is not a MapFormat"
    if value.read is None and value.write is None:
        return "neither reads nor writes"
    return signature_fault(value.read, "read", "a file's content and its name", 2) or signature_fault(
        value.write, "write", "a map, its picture and that one's pixels to a square", 3
    )


def _fault_unless_app(value: object) -> str:
    from typer import Typer

    return "" if isinstance(value, Typer) else "is not a Typer app"


def _fault_unless_form(value: object) -> str:
    if is_typeddict(value):
        form_of(value)  # fails where an annotation names nothing
        return ""
    return "" if isinstance(value, Kind) else "is not a form, such as a TypedDict or a Record"


def _fault_unless_form_or_maker(value: object) -> str:
    return (
        "is not a form, and makes none" if _fault_unless_form(value) and _fault_unless_callable(value) else ""
    )


def _fault_unless_fields(value: object) -> str:
    return (
        "" if isinstance(value, dict) or not _fault_unless_form(value) else "is not a table of fields by name"
    )
