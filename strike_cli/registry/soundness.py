"""Whether what a plugin names is there: every reference loaded, which nothing else does before it is used."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from ..kernel.args import Args
from ..kernel.statements import Language
from ..reading import FileFormat
from ..tabletop.map_file import MapFormat
from ..validation import Kind
from . import beside, kinds_told_by, systems
from . import system as load_system
from .installed import Installed, load_object
from .system import Move, Scope, System

EXAMPLE = ("campaign.toml", "evening.strike")
"""The files of a system's example."""
Check = Callable[[Any], str]
"""What is wrong with what a reference leads to; nothing where it will do."""


def faults_of(plugin: Installed) -> Iterator[str]:
    """What is wrong with a plugin that was found: a line each, naming the plugin and the reference."""
    if plugin.broken:
        yield plugin.broken
        return
    found: list[str] = []
    try:
        found.extend(_faults_within(plugin))
    except (Exception, SystemExit) as error:  # whatever it names may be anything
        found.append(f"can't be looked through: {type(error).__name__}: {error}")
    yield from (
        f"Plugin {plugin.name!r} of {plugin.distribution} {plugin.version}: {fault}" for fault in found
    )


def _faults_within(plugin: Installed) -> Iterator[str]:
    for name in plugin.systems:
        yield from faults_of_system(load_system(name))
    for reference in plugin.handlers.values():
        yield from _loaded(reference, _is_callable)
    for reference in plugin.languages.values():
        yield from _loaded(reference, partial(_is_word, Language))
    for reference in plugin.map_formats.values():
        yield from _loaded(reference, _is_map_format)
    for name, words in plugin.words.items():
        if (kind := _vocabularies().get(name)) is None:
            yield f"no system has a vocabulary {name!r}"
            continue
        for reference in words.values():
            yield from _loaded(reference, partial(_is_word, kind))


def _vocabularies() -> dict[str, type]:
    """The class of what a word leads to, by the name of its vocabulary."""
    return {
        name: load_object(each.absolute(kind))
        for each in systems()
        for name, kind in each.vocabularies.items()
    }


def _is_word(kind: type, found: Any) -> str:
    fits = issubclass(found, kind) if isinstance(found, type) else isinstance(found, kind)
    return "" if fits else f"is no {kind.__name__}"


def faults_of_system(system: System) -> Iterator[str]:
    """What is wrong with a system: a line each, naming what of it."""
    for name, move in system.moves.items():
        yield from (f"move {name!r}: {fault}" for fault in _faults_of_move(system, move))
    kinds = kinds_told_by(system) if system.secrets else ()
    for secret in system.secrets:
        if not secret.path.startswith(f"{system.scene}.") or secret.revealed_by not in kinds:
            yield f"secret {secret.path!r}: not of its scene, or turned up by no fact of its own"
    for reference, check in _references(system):
        yield from _loaded(system.absolute(reference), check)
    if system.rules and not beside(system, system.rules).is_file():
        yield f"rules {system.rules!r} is no file beside it"
    for file in EXAMPLE if system.example else ():
        if not (beside(system, system.example) / file).is_file():
            yield f"example {system.example!r} has no {file}"


def _references(system: System) -> Iterator[tuple[str, Check]]:
    """Every reference of a system outside its moves, with what it should lead to."""
    for commands in system.commands.values():
        for app in [commands] if isinstance(commands, str) else commands.values():
            yield app, _is_app
    if system.nouns:
        yield system.nouns, _are_fields
    for form in (*system.content.values(), *system.prepared.values(), *system.settings.values()):
        yield form, _is_form
    for kind in system.vocabularies.values():
        yield kind, _is_callable
    for fields in system.sheets.values():
        yield fields, _are_fields
    for form in system.state.values():
        yield form, _is_form_or_makes_one
    called = [*system.in_words.values(), *system.explains.values()]
    called += [system.character_state, system.on_sheets, system.on_party, system.follows, system.exhibits]
    called += [system.own_sheet, system.own_rolls]
    called += [system.check_content, system.content_notes, system.campaign_checks, system.check_state]
    called += [system.touches, system.shows]
    called += [system.around, system.options, system.worth, system.foresees, system.also_shows]
    called += [system.takes]
    called += [system.evening.begins, system.evening.ends, system.evening.still_to_do]
    for reference in filter(None, called):
        yield reference, _is_callable
    for reference in (*system.file_formats.values(), *system.folders.values()):
        yield reference, _is_file_format


def _faults_of_move(system: System, move: Move) -> Iterator[str]:
    if move.scope is Scope.SCENE and not system.scene:
        yield "is about a scene, and the system has none"
    yield from _loaded(system.absolute(move.play), _is_procedure)
    for reference in (move.odds, move.saved):
        if reference:
            yield from _loaded(system.absolute(reference), _is_callable)


def _loaded(reference: str, check: Check) -> Iterator[str]:
    try:
        found = load_object(reference)
    except (Exception, SystemExit) as error:
        yield f"{reference} can't be loaded: {type(error).__name__}: {error}"
        return
    try:
        fault = check(found)
    except Exception as error:  # annotations that name nothing, say
        fault = f"can't be looked at: {type(error).__name__}: {error}"
    if fault:
        yield f"{reference} {fault}"


def _is_file_format(found: Any) -> str:
    return "" if isinstance(found, FileFormat) else "is no FileFormat"


def _is_procedure(found: Any) -> str:
    if not inspect.isgeneratorfunction(found):
        return "is no procedure: a function that yields"
    parameters = list(inspect.signature(found, eval_str=True).parameters.values())
    if len(parameters) != 2:
        return "should take the world and its arguments"
    kind = parameters[1].annotation
    return (
        ""
        if isinstance(kind, type) and issubclass(kind, Args)
        else "should say of which type its arguments are"
    )


def _is_callable(found: Any) -> str:
    return "" if callable(found) else "can't be called"


def _is_map_format(found: Any) -> str:
    if not isinstance(found, MapFormat):
        return "is no MapFormat"
    if found.read is None and found.write is None:
        return "neither reads nor writes"
    return _takes(found.read, "read", "a file's content and its name", 2) or _takes(
        found.write, "write", "a map, its picture and that one's pixels to a square", 3
    )


def _takes(called: Any, name: str, what: str, count: int) -> str:
    """What is wrong with a function that is called with so many arguments by their place."""
    if called is None:
        return ""
    if not callable(called):
        return f"has a `{name}` that can't be called"
    try:
        signature = inspect.signature(called)
    except ValueError:  # written in C, and it doesn't say
        return ""
    try:
        signature.bind(*[None] * count)
    except TypeError:
        return f"has a `{name}{signature}` that should take {count} arguments: {what}"
    return ""


def _is_app(found: Any) -> str:
    from typer import Typer

    return "" if isinstance(found, Typer) else "is no Typer app"


def _is_form(found: Any) -> str:
    return "" if isinstance(found, Kind) else "is no form, such as a Record"


def _is_form_or_makes_one(found: Any) -> str:
    return "is no form, and makes none" if _is_form(found) and _is_callable(found) else ""


def _are_fields(found: Any) -> str:
    return "" if isinstance(found, dict) else "is no table of fields by name"
