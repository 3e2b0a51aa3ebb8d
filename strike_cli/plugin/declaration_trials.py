"""Trials of a system's declarations, as play would use them.

Its commands are built with their help, its facts reported and read back from the journal, its classes made.
"""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import copy
from functools import partial
from importlib import import_module
from types import NoneType
from typing import Literal, Union, get_type_hints

import typer
from typer.models import CommandInfo

from ..kernel.statements import BeforeAfter, Clause, Decision, Statement, option_words, say
from ..play.legal_options import Bot, bot_of
from ..play.moves import args_type
from ..problems import Problem
from ..registry import installed
from ..registry.code_origin import error_words
from ..registry.declaration import System
from ..registry.fact_follower import follower_of
from ..registry.gm_override import hand_of
from ..tabletop.people import GameMaster
from ..terminal.declare import Declared, declared_in
from ..terminal.views import views_of
from ..type_forms import read_annotation

NO_SAMPLE = object()
"""The value for a field of which no sample can be made."""


def tried(what: str, action: Callable[[], object]) -> Iterator[str]:
    """Yield the error of an action that fails."""
    try:
        action()
    except Problem as problem:
        yield f"{what}: {problem.message}"
    except (Exception, SystemExit) as error:  # whatever a plugin has may raise anything
        yield f"{what}: {error_words(error)}"


def fault_of_signature(called: object, name: str, what: str, count: int) -> str:
    """Return the fault of a function that gets this many positional arguments; "" where there is none."""
    if called is None:
        return ""
    if not callable(called):
        return f"has a `{name}` that can't be called"
    try:
        signature = inspect.signature(called)
    except ValueError:  # a function in C without a signature; a built-in class can't do this work
        return f"has a `{name}` that is {called}" if isinstance(called, type) else ""
    try:
        signature.bind(*[None] * count)
    except TypeError:
        return f"has a `{name}{signature}` that should take {count} arguments: {what}"
    return ""


# Commands


def faults_of_commands(system: System) -> Iterator[str]:
    """Yield the faults of a system's commands: each is built, with its help, and must fit its move."""
    own = {*installed.index().only(frozenset()).groups}
    for group, commands in system.commands.items():
        bringer = installed.index().bringer_of(system.name)
        if (
            group in own
            and bringer is not installed.index().plugins[0]
            and (isinstance(commands, str) or "" in commands)
        ):
            yield f"command {group!r} clashes with strike's own"
        references = [commands] if isinstance(commands, str) else commands.values()
        for reference in dict.fromkeys(references):
            yield from _faults_of_app(system, group, installed.load_object(system.absolute(reference)))


def _faults_of_app(system: System, group: str, app: typer.Typer) -> Iterator[str]:
    names = [str(item.name) for item in app.registered_commands]
    yield from (f"command {group} {name!r} is there twice" for name in names if names.count(name) > 1)
    for name, declared in declared_in(app).items():
        yield from (f"command {group} {name}: {fault}" for fault in _faults_of_declared(system, declared))
    for item in app.registered_commands:
        yield from tried(f"command {group} {item.name}", partial(_show_help, app, item))
    for inner in app.registered_groups:
        if inner.typer_instance is not None:
            yield from _faults_of_app(system, f"{group} {inner.name}", inner.typer_instance)


def _show_help(app: typer.Typer, item: CommandInfo) -> None:
    """Build one command of an app, and its help."""
    alone = copy(app)
    alone.registered_commands, alone.registered_groups = [item], []
    built = typer.main.get_command(alone)
    command = getattr(built, "commands", {}).get(item.name, built)
    command.rich_markup_mode = None  # without the look: that costs ten times the rest, and can't fail
    command.get_help(command.make_context(item.name, [], resilient_parsing=True))
    if not (command.help or command.short_help):
        raise TypeError("it has no help: write a docstring")


def _faults_of_declared(system: System, declared: Declared) -> Iterator[str]:
    """Yield the parts of a command's signature that don't fit the move it plays."""
    move = system.moves.get(declared.move)
    if move is None and declared.move not in installed.index().moves:
        yield f"plays {declared.move!r}, which is not a move"
        return
    try:
        names = [each.name.rstrip("_") for each in declared.parameters]
    except (Exception, SystemExit) as error:
        yield f"its signature can't be read: {type(error).__name__}: {error}".rstrip(": ")
        return
    for name, reader in declared.readers.items():
        if fault := fault_of_signature(reader.read, "read", "the call and the word", 2):
            yield f"its word {name!r} {fault}"
    if move is None or move.by_hand:
        return
    kind = args_type(system.absolute(move.play))
    fields = {field.rstrip("_") for field in kind.FIELDS}
    lays_over = declared.function.__annotations__.get("return") not in (None, "None")
    for name in names:
        if name not in fields and not lays_over:
            yield f"its word {name!r} is not an argument of {declared.move!r}: {', '.join(sorted(fields))}"
    for field in kind.REQUIRED:
        if field.rstrip("_") not in names and not lays_over:
            yield f"it doesn't say {field!r}, which {declared.move!r} wants"


# Facts


def faults_of_statements(system: System) -> Iterator[str]:
    """Yield the faults in the facts and decisions of a system.

    Every template is read, and a sample of each class is written to the journal's form, read back, and
    reported.
    """
    for module in map(system.absolute, system.fact_modules):
        for cls in vars(import_module(module)).values():
            own = isinstance(cls, type) and issubclass(cls, Statement) and cls.__module__ == module
            if own and not cls.__name__.startswith("_") and not cls.has_variants:
                yield from (f"{cls.__name__}: {fault}" for fault in faults_of_class(cls))


def faults_of_class(cls: type[Statement]) -> Iterator[str]:
    """Yield the faults of a class of facts, clauses or decisions."""
    failed = list(tried("can't be made", cls.made))
    if failed:
        yield from failed
        return
    if issubclass(cls, Decision) and not getattr(cls, "asks", None):
        yield "has no question: write `asks`"
    sample = sample_of(cls)
    speaker = GameMaster()
    for name, template in cls.tellings():
        if not isinstance(template, str):
            yield f"{name} is not text"
        elif sample is not None:
            yield from tried(name, partial(say, sample, speaker, name))
    if sample is None:
        return
    if isinstance(sample, Decision):
        for option in sample.options:
            yield from tried(f"options.{option}", partial(option_words, sample, option, speaker))
    yield from tried("in words", partial(say, sample, speaker))
    yield from tried("written and read", partial(_read_back, cls, sample, speaker))


def _read_back(cls: type[Statement], sample: Statement, speaker: GameMaster) -> None:
    written = json.loads(json.dumps(sample.as_json(speaker)))
    if (again := cls.of_json(written)) != sample:
        raise ValueError(f"the journal has {again!r} of {sample!r}")


def sample_of(cls: type[Statement]) -> Statement | None:
    """Return a made-up object of a class; None where a field's type allows no made-up value."""
    hints = get_type_hints(cls, include_extras=True)
    given = {name: _sample(hints[name]) for name in cls.sorts()}
    return None if any(each is NO_SAMPLE for each in given.values()) else cls(**given)


_PLAIN: Mapping[object, object] = {str: "ana", int: 1, bool: True, float: 1.5, object: "ana"}


def _sample(of: object) -> object:
    """Return a made-up value of an annotation."""
    read = read_annotation(of)
    if read.kind in _PLAIN:
        return _PLAIN[read.kind]
    if read.kind is BeforeAfter:
        return BeforeAfter(2, 1)
    if isinstance(read.kind, type) and issubclass(read.kind, Clause) and read.kind is not Clause:
        return sample_of(read.kind) or NO_SAMPLE
    if read.kind is Union:
        return _sample(next(each for each in read.parts if each is not NoneType))
    if read.kind is Literal:
        return read.parts[0]
    samples = [_sample(each) for each in read.parts if each is not Ellipsis]
    if read.kind not in (Mapping, Sequence) or any(each is NO_SAMPLE for each in samples):
        return NO_SAMPLE
    return {samples[0]: samples[1]} if read.kind is Mapping else tuple(samples)


# Other declarations


def faults_of_parts(system: System) -> Iterator[str]:
    """Yield references in a system that lead nowhere, and classes that can't be instantiated."""
    key = system.scene.key
    if key and key not in system.state:
        yield f"scene {key!r}: no such table of the state is declared: state={{{key!r}: FORM}}"
    for name, move in system.moves.items():
        if not move.by_hand:
            yield from tried(f"move {name!r}", partial(_read_types, system.absolute(move.play)))
    yield from _names_of_nothing(system)
    hooks: Mapping[str, Callable[[System], object]] = {
        "bot": bot_of,
        "views": views_of,
        "follows": follower_of,
        "hand": hand_of,
    }
    for of, make in hooks.items():
        yield from tried(of, partial(make, system))
    if system.bot and type(bot_of(system)).options is Bot.options:
        yield "bot: its class has no `options`, so nothing is ever offered"


def _read_types(play: str) -> None:
    args_type(play)._kinds()


def _names_of_nothing(system: System) -> Iterator[str]:
    """Yield the words in a system's declarations that mean nothing."""
    for name in system.scene.next_turn:
        if name not in system.moves:
            yield f"scene.next_turn: {name!r} is not a move of it"
    for short, line in system.scene.shorts.items():
        if not line.strip():
            yield f"scene.shorts: {short!r} stands for nothing"
    for instead in system.instead:
        if instead not in installed.index().moves:
            yield f"instead: {instead!r} is not a move"
    for counted in system.counts.values():
        if counted.fact not in installed.index().statements:
            yield f"counts: no class has the fact {counted.fact!r}"
