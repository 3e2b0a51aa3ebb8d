"""Checks of a system's declarations, made by using them as play does.

Commands are built with their help. Facts are put into words, and read back from the journal. Classes are
instantiated.
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

from ..kernel.statements import BeforeAfter, Clause, Decision, Statement, option_effect_words, say
from ..play.legal_options import Bot, bot_of
from ..play.playable_moves_and_time_limit import args_type
from ..problems import Problem
from ..registry import installed_plugins
from ..registry.fact_follower import event_responses_of
from ..registry.installed_plugins import gm_override_rules_of
from ..registry.plugin_failures import error_with_place
from ..registry.system_declaration import System
from ..tabletop.characters_and_names import GameMasterSpeaker
from ..terminal.move_commands import DeclaredCommand, commands_declared_in
from ..terminal.system_views import views_of
from ..validation_schemas_from_types import parse_annotation

NO_SAMPLE = object()
"""The value for a field of which no sample can be made."""


def run_and_yield_error(label: str, action: Callable[[], object]) -> Iterator[str]:
    """Run an action and yield its error, if it fails.

    `label` is put in front of the error.
    """
    try:
        action()
    except Problem as problem:
        yield f"{label}: {problem.message}"
    except (Exception, SystemExit) as error:  # whatever a plugin has may raise anything
        yield f"{label}: {error_with_place(error)}"


def signature_fault(function: object, name: str, arguments: str, count: int) -> str:
    """Return the fault of a function that can't take `count` positional arguments; "" if there is none.

    `name` is the function's name. `arguments` describes the arguments, for the message.
    """
    if function is None:
        return ""
    if not callable(function):
        return f"has a `{name}` that can't be called"
    try:
        signature = inspect.signature(function)
    except ValueError:  # a function in C without a signature; a built-in class can't do this work
        return f"has a `{name}` that is {function}" if isinstance(function, type) else ""
    try:
        signature.bind(*[None] * count)
    except TypeError:
        return f"has a `{name}{signature}` that should take {count} arguments: {arguments}"
    return ""


# Commands


def faults_of_commands(system: System) -> Iterator[str]:
    """Yield the faults of a system's commands.

    Each command is built with its help, and its signature is compared with its move.
    """
    own = {*installed_plugins.plugin_index().restrict_to_core_and_plugins(frozenset()).groups}
    for group, commands in system.commands.items():
        bringer = installed_plugins.plugin_index().plugin_of_system(system.name)
        if (
            group in own
            and bringer is not installed_plugins.plugin_index().plugins[0]
            and (isinstance(commands, str) or "" in commands)
        ):
            yield f"command {group!r} clashes with strike's own"
        references = [commands] if isinstance(commands, str) else commands.values()
        for reference in dict.fromkeys(references):
            yield from _faults_of_app(
                system, group, installed_plugins.import_object(system.absolute(reference))
            )


def _faults_of_app(system: System, group: str, app: typer.Typer) -> Iterator[str]:
    names = [str(item.name) for item in app.registered_commands]
    yield from (f"command {group} {name!r} is there twice" for name in names if names.count(name) > 1)
    for name, declared in commands_declared_in(app).items():
        yield from (f"command {group} {name}: {fault}" for fault in _faults_of_declared(system, declared))
    for item in app.registered_commands:
        yield from run_and_yield_error(
            f"command {group} {item.name}", partial(_check_command_and_help_build, app, item)
        )
    for inner in app.registered_groups:
        if inner.typer_instance is not None:
            yield from _faults_of_app(system, f"{group} {inner.name}", inner.typer_instance)


def _check_command_and_help_build(app: typer.Typer, item: CommandInfo) -> None:
    """Build one command of an app, and its help, to see whether that works.

    Raises TypeError if the command has no help. Any error of the build itself is raised, too.
    """
    alone = copy(app)
    alone.registered_commands, alone.registered_groups = [item], []
    built = typer.main.get_command(alone)
    command = getattr(built, "commands", {}).get(item.name, built)
    command.rich_markup_mode = None  # without the look: that costs ten times the rest, and can't fail
    command.get_help(command.make_context(item.name, [], resilient_parsing=True))
    if not (command.help or command.short_help):
        raise TypeError("it has no help: write a docstring")


def _faults_of_declared(system: System, declared: DeclaredCommand) -> Iterator[str]:
    """Yield the faults of a command's signature: the parts that don't fit the move it plays."""
    move = system.moves.get(declared.move)
    if move is None and declared.move not in installed_plugins.plugin_index().moves:
        yield f"plays {declared.move!r}, which is not a move"
        return
    try:
        names = [each.name.rstrip("_") for each in declared.parameters]
    except (Exception, SystemExit) as error:
        yield f"its signature can't be read: {type(error).__name__}: {error}".rstrip(": ")
        return
    for name, reader in declared.parsers.items():
        if fault := signature_fault(reader.read, "read", "the call and the word", 2):
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
    """Yield the faults in the facts, clauses and decisions of a system.

    Every template is compiled. A sample of each class is stored as in the journal, read back, and put into
    words.
    """
    for module in map(system.absolute, system.fact_modules):
        for cls in vars(import_module(module)).values():
            own = isinstance(cls, type) and issubclass(cls, Statement) and cls.__module__ == module
            if own and not cls.__name__.startswith("_") and not cls.has_variants:
                yield from (f"{cls.__name__}: {fault}" for fault in faults_of_statement_class(cls))


def faults_of_statement_class(cls: type[Statement]) -> Iterator[str]:
    """Yield the faults of a class of facts, clauses or decisions."""
    failed = list(run_and_yield_error("can't be made", cls.declaration))
    if failed:
        yield from failed
        return
    if issubclass(cls, Decision) and not getattr(cls, "asks", None):
        yield "has no question: write `asks`"
    sample = sample_statement(cls)
    speaker = GameMasterSpeaker()
    for name, template in cls.own_templates():
        if not isinstance(template, str):
            yield f"{name} is not text"
        elif sample is not None:
            yield from run_and_yield_error(name, partial(say, sample, speaker, name))
    if sample is None:
        return
    if isinstance(sample, Decision):
        for option in sample.options:
            yield from run_and_yield_error(
                f"options.{option}", partial(option_effect_words, sample, option, speaker)
            )
    yield from run_and_yield_error("in words", partial(say, sample, speaker))
    yield from run_and_yield_error("written and read", partial(_check_round_trip, cls, sample, speaker))


def _check_round_trip(cls: type[Statement], sample: Statement, speaker: GameMasterSpeaker) -> None:
    written = json.loads(json.dumps(sample.as_json(speaker)))
    if (again := cls.from_json(written)) != sample:
        raise ValueError(f"the journal has {again!r} of {sample!r}")


def sample_statement(cls: type[Statement]) -> Statement | None:
    """Return a made-up instance of a class; None if no value can be made up for one of its fields."""
    hints = get_type_hints(cls, include_extras=True)
    given = {name: _sample_value(hints[name]) for name in cls.field_types()}
    return None if any(each is NO_SAMPLE for each in given.values()) else cls(**given)


_PLAIN_SAMPLES: Mapping[object, object] = {str: "ana", int: 1, bool: True, float: 1.5, object: "ana"}


def _sample_value(annotation: object) -> object:
    """Return a made-up value for an annotation; NO_SAMPLE if none can be made up."""
    read = parse_annotation(annotation)
    if read.kind in _PLAIN_SAMPLES:
        return _PLAIN_SAMPLES[read.kind]
    if read.kind is BeforeAfter:
        return BeforeAfter(2, 1)
    if isinstance(read.kind, type) and issubclass(read.kind, Clause) and read.kind is not Clause:
        return sample_statement(read.kind) or NO_SAMPLE
    if read.kind is Union:
        return _sample_value(next(each for each in read.parts if each is not NoneType))
    if read.kind is Literal:
        return read.parts[0]
    samples = [_sample_value(each) for each in read.parts if each is not Ellipsis]
    if read.kind not in (Mapping, Sequence) or any(each is NO_SAMPLE for each in samples):
        return NO_SAMPLE
    return {samples[0]: samples[1]} if read.kind is Mapping else tuple(samples)


# Other declarations


def faults_of_names_and_hooks(system: System) -> Iterator[str]:
    """Yield the faults of a system's names and hooks: unknown names, classes that can't be made."""
    key = system.scene.key
    if key and key not in system.state:
        yield f"scene {key!r}: no such table of the state is declared: state={{{key!r}: FORM}}"
    for name, move in system.moves.items():
        if not move.by_hand:
            yield from run_and_yield_error(
                f"move {name!r}", partial(_check_argument_types, system.absolute(move.play))
            )
    yield from _faults_of_unknown_names(system)
    hooks: Mapping[str, Callable[[System], object]] = {
        "bot": bot_of,
        "views": views_of,
        "follows": event_responses_of,
        "hand": gm_override_rules_of,
    }
    for of, make in hooks.items():
        yield from run_and_yield_error(of, partial(make, system))
    if system.bot and type(bot_of(system)).options is Bot.options:
        yield "bot: its class has no `options`, so nothing is ever offered"


def _check_argument_types(play: str) -> None:
    args_type(play)._field_types()


def _faults_of_unknown_names(system: System) -> Iterator[str]:
    """Yield a fault for each name in a system's declaration that stands for nothing.

    An example is the name of a move that doesn't exist. The names in `scene.next_turn`, `scene.shorts`,
    `instead` and `counts` are checked.
    """
    for name in system.scene.next_turn:
        if name not in system.moves:
            yield f"scene.next_turn: {name!r} is not a move of it"
    for short, line in system.scene.shorts.items():
        if not line.strip():
            yield f"scene.shorts: {short!r} stands for nothing"
    for instead in system.instead:
        if instead not in installed_plugins.plugin_index().moves:
            yield f"instead: {instead!r} is not a move"
    for counted in system.counts.values():
        if counted.fact not in installed_plugins.plugin_index().statements:
            yield f"counts: no class has the fact {counted.fact!r}"
