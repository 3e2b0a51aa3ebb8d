"""The discovery of plugins: each is imported once, and its parts are listed by name and reference.

A plugin that is broken, hangs, is newer than this strike or conflicts with another one is switched off with
one message; everything else keeps working.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple, TypeVar

from ..problems import PluginProblem, listed
from ..user_folders_and_cache import file_stamp
from ..validation_schemas_from_types import declared_fields
from .installed_plugins import (
    InstalledPlugin,
    KnownMove,
    KnownSystem,
    PluginIndex,
    import_object,
    import_printing_to_stderr,
)
from .plugin_declaration import API, Plugin
from .system_declaration import Content, Move, SceneTable, Scope, Sheets, Simulation, System

ENTRY_POINT_GROUP = "strike_cli.plugins"
CORE = "core"
IMPORT_SECONDS = 5.0
"""Seconds that a plugin may take to be imported before it counts as hanging."""

RESERVED_NAMES = [
    *(
        ("table of state.toml", name)
        for name in ("session", "characters", "pending", "parked", "made_up", "plugins", "versions", "strike")
    ),
    *(("kind of content", name) for name in ("characters", "creatures", "handlers", "house", "bridge")),
]
"""Names reserved by strike, which no system may use: what and name."""

OLDER_API_ADVICE = (
    "It was made for version {} of the plugin API, and this strike has {}: `strike plugin doctor` and "
    "CHANGELOG.md list the new names."
)
"""The advice where a plugin that can't be imported was written for an earlier version."""

T = TypeVar("T")


class EntryPoint(NamedTuple):
    """An entry point in strike's plugin group: name, value ("module:attribute"), and distribution."""

    name: str
    value: str
    distribution: str
    version: str

    @property
    def origin(self) -> str:
        """The distribution and its version, for messages."""
        return f"{self.distribution} {self.version}"


class StatementClass(NamedTuple):
    """A class of statements (facts and clauses), as the index stores it.

    `module` is its module, `style` its style on a terminal.
    """

    module: str
    style: str
    is_fact: bool


def installed_entry_points() -> list[EntryPoint]:
    """Return every installed entry point of strike's plugin group, the core's first."""
    from importlib.metadata import entry_points

    points = {
        (point.name, point.value, point.dist.name if point.dist else ""): EntryPoint(
            point.name,
            point.value,
            point.dist.name if point.dist else "",
            point.dist.version if point.dist else "",
        )
        for point in entry_points(group=ENTRY_POINT_GROUP)
    }
    # The core first: later ones may override its names.
    return sorted(points.values(), key=lambda found: (found.name != CORE, found))


_RESTORED_ATTRIBUTES = ("systems", "moves", "statements", "outside", "bringer")
"""Attributes of a finder that are restored where a plugin turns out broken."""


class PluginFinder:
    """A finder of plugins.

    It remembers the plugin that owns each name, so that it notices duplicates.
    """

    def __init__(self) -> None:
        self.stamps: dict[str, list[int] | None] = {}
        self.systems: dict[str, KnownSystem] = {}
        self.moves: dict[str, list[object]] = {}
        self.statements: dict[str, str] = {}
        self.outside: dict[str, str] = {}
        self.bringer = dict.fromkeys(RESERVED_NAMES, "strike itself")
        self.may_be_mended = False
        self._loaded: list[Plugin] = []
        self.api = 0
        """The API version declared by the plugin being read; 0 before that is known."""

    def build_index(self) -> PluginIndex:
        """Return the index of everything that is installed."""
        everything = installed_entry_points()
        names = Counter(found.name for found in everything)
        plugins = tuple(
            self._read_plugin_or_mark_broken(found)
            if names[found.name] == 1 or found.name == CORE
            else self._broken_as_duplicate(found, everything)
            for found in everything
        )
        self._stamp_exporting_modules()
        return PluginIndex(
            plugins, self.systems, moves=self.moves, statements=self.statements, outside=self.outside
        )

    def _stamp_exporting_modules(self) -> None:
        """Note the stamps of all modules that export a plugin.

        A package may re-export the plugin of one of its modules, whose changes count, too.
        """
        plugins = {*map(id, self._loaded)}
        for name, module in [*sys.modules.items()]:
            if not plugins.isdisjoint(map(id, getattr(module, "__dict__", {}).values())):
                self._note_file_of_module_or_package(name)

    def _broken_as_duplicate(self, entry: EntryPoint, everything: Iterable[EntryPoint]) -> InstalledPlugin:
        """Return a plugin marked as broken because another plugin has the same name.

        None of the plugins with that name is used.
        """
        self.may_be_mended = True
        theirs = sorted({one.origin for one in everything if one.name == entry.name})
        text = (
            f"{listed(theirs)} each bring a plugin {entry.name!r}. None of them is used: remove all but one."
        )
        return InstalledPlugin(*entry, broken=text)

    def _read_plugin_or_mark_broken(self, entry: EntryPoint) -> InstalledPlugin:
        before = [dict(vars(self)[name]) for name in _RESTORED_ATTRIBUTES]
        try:
            # The core has no time limit: strike can't do without it, and loading may be slow.
            if entry.name == CORE:
                return self._read_and_register_plugin(entry)
            return run_with_timeout(IMPORT_SECONDS, lambda: self._read_and_register_plugin(entry))
        except PluginProblem as problem:
            if entry.name == CORE:
                raise
            self._restore_registrations(before)
            self.may_be_mended = True
            api = self.api or _api_in_source(entry)
            older = f". {OLDER_API_ADVICE.format(api, API)}" if api < API else ""
            return InstalledPlugin(*entry, api=api, broken=problem.message.rstrip(".") + (older or "."))
        except TimeoutError:
            self._restore_registrations(before)
            text = (
                f"Plugin {entry.name!r} of {entry.origin} hangs: "
                f"it took over {IMPORT_SECONDS:.0f} s to import. "
                "`strike plugin doctor` tries it again."
            )
            return InstalledPlugin(*entry, broken=text)
        except Exception as error:  # its names may have any type
            if entry.name == CORE:
                raise
            self._restore_registrations(before)
            self.may_be_mended = True
            return InstalledPlugin(*entry, broken=_broken_problem(entry, _error_words(entry, error)).message)

    def _restore_registrations(self, before: Iterable[object]) -> None:
        vars(self).update(zip(_RESTORED_ATTRIBUTES, before, strict=True))

    def _read_and_register_plugin(self, entry: EntryPoint) -> InstalledPlugin:
        plugin = self._load_plugin(entry)
        self._loaded.append(plugin)
        file = str(self._note_file_of_module_or_package(entry.value) or "")
        self._claim_for_distribution("plugin", plugin.name, entry)
        for kind in plugin.targets:
            self._claim_for_distribution("kind of target", kind, entry)
        for ending in plugin.map_formats:
            self._claim_for_distribution("format of maps", ending, entry)
        for language in plugin.languages:
            self._claim_for_distribution("language", language, entry)
        names = []
        for reference in plugin.systems:
            system = self._load_system(entry, reference)
            names.append(system.name)
            self._add_system(entry, reference, system)
        return InstalledPlugin(
            *entry,
            namespace=plugin.name,
            file=file,
            content=plugin.content,
            handlers=plugin.handlers,
            targets=plugin.targets,
            map_formats=plugin.map_formats,
            languages=plugin.languages,
            words=plugin.words,
            systems=names,
            api=plugin.api,
        )

    def _load_plugin(self, entry: EntryPoint) -> Plugin:
        self.api = 0
        self._note_file_of_module_or_package(entry.value)
        plugin = _import_object(entry, entry.value)
        if not isinstance(plugin, Plugin):
            raise PluginProblem(
                f"Plugin {entry.name!r} of {entry.origin}: {entry.value} is not a Plugin.",
                "Its entry point should name a strike_cli.plugin.Plugin.",
            )
        if fault := plugin.fault():
            raise _broken_problem(entry, fault)
        self.api = plugin.api
        if plugin.api > API:
            raise _too_new_problem(entry, plugin.api)
        return plugin

    def _load_system(self, entry: EntryPoint, reference: str) -> System:
        system = _import_object(entry, reference)
        self._note_file_of_module_or_package(reference)
        if not isinstance(system, System):
            raise _broken_problem(entry, f"{reference} is not a System")
        if not (isinstance(system.name, str) and system.name):
            raise _broken_problem(entry, f"{reference} has {system.name!r} as its name")
        if wrong := _wrong_type_fault(system):
            raise _broken_problem(entry, f"{reference}: {wrong}")
        if system.api > API:
            raise _too_new_problem(entry, system.api)
        return system

    def _add_system(self, entry: EntryPoint, reference: str, system: System) -> None:
        from .gm_override_hooks import with_gm_overrides

        self._claim_for_distribution("system", system.name, entry)
        system = with_gm_overrides(system)
        statements = self._statement_classes(entry, system)
        self._claim_names(
            entry, system, statements, self._stamp_and_check_house_rules(entry, reference, system)
        )
        groups: dict[str, dict[str, str]] = {}
        for group, commands in system.commands.items():
            each = {"": commands} if isinstance(commands, str) else commands
            groups[group] = {name: system.absolute(where) for name, where in each.items()}
            for name in groups[group]:
                self._claim_for_distribution("command", f"{group} {name}".strip(), entry)
        styles = {kind: each.style for kind, each in statements.items() if each.style}
        self.systems[system.name] = _known_system(system, reference, groups, styles)
        self.moves |= {name: _known_move(system, move).field_values() for name, move in system.moves.items()}
        self.statements |= {kind: each.module for kind, each in statements.items()}
        self.outside |= _remote_commands(system)

    def _claim_names(
        self,
        entry: EntryPoint,
        system: System,
        statements: Mapping[str, StatementClass],
        house_rules: Iterable[str],
    ) -> None:
        """Claim the names of everything that a system declares, so that no other plugin may use them."""
        for what, names in (
            ("table of state.toml", system.state),
            ("kind of fact", [kind for kind, each in statements.items() if each.is_fact]),
            ("kind of clause", [kind for kind, each in statements.items() if not each.is_fact]),
            ("move", system.moves),
            (
                "kind of content",
                (*(kind for kind, of in system.content.items() if of.form), *system.vocabularies),
            ),
            ("house rule", house_rules),
        ):
            for name in names:
                self._claim_for_distribution(what, name, entry)
        for kind, of in system.content.items():
            for key in (
                declared_fields(_import_object(entry, system.absolute(of.fields))) if of.fields else ()
            ):
                self._claim_for_distribution(f"key of {kind}", key, entry)

    def _statement_classes(self, entry: EntryPoint, system: System) -> dict[str, StatementClass]:
        from ..kernel.statements import Fact, Statement

        known = {}
        for module in map(system.absolute, system.fact_modules):
            self._note_file_of_module_or_package(_import_and_return_module_name(entry, module))
            for cls in vars(sys.modules[module]).values():
                stated = isinstance(cls, type) and issubclass(cls, Statement) and cls.__module__ == module
                if stated and not cls.__name__.startswith("_"):
                    known[cls.key] = StatementClass(module, getattr(cls, "style", ""), issubclass(cls, Fact))
        return known

    def _stamp_and_check_house_rules(
        self, entry: EntryPoint, reference: str, system: System
    ) -> Iterable[str]:
        if not system.house:
            return ()
        import tomllib

        file = Path(self._note_file_of_module_or_package(reference) or "").with_name(system.house)
        self.stamps[str(file)] = file_stamp(str(file))
        try:
            rules = tomllib.loads(file.read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise _broken_problem(entry, f"{system.house}: {error}") from error
        for key, rule in rules.items():
            if not (rule.keys() >= {"default", "values"} or rule.keys() >= {"default", "low", "high"}):
                raise _broken_problem(
                    entry, f"{system.house}: {key}: needs default, and values, or low and high"
                )
        return rules

    def _claim_for_distribution(self, kind: str, name: str, entry: EntryPoint) -> None:
        """Claim a name for a plugin. Raises PluginProblem if another plugin has claimed it."""
        owner = f"plugin {entry.name!r} of {entry.origin}"
        other = self.bringer.setdefault((kind, name), owner)
        if other != owner:
            raise PluginProblem(
                f"P{owner[1:]} defines a {kind} {name!r}, and so does {other}.", "Remove one of them."
            )

    def _note_file_of_module_or_package(self, module_or_reference: str) -> str | None:
        """Find the file of a module that a reference names; record the file's stamp, and return the file.

        Nothing is imported for this. If the module isn't loaded, the file is that of its top-level package.
        Return None if there is no file.
        """
        module = module_or_reference.partition(":")[0]
        try:
            loaded = sys.modules.get(module)
            file = getattr(loaded, "__file__", None) or getattr(
                find_spec(module.partition(".")[0]), "origin", None
            )
        except (ImportError, ValueError):
            file = None
        if file:
            self.stamps[file] = file_stamp(file)
        return file


COMMANDS_OF_EVERY_SCENE = {"show": "read", "options": "read", "next": "played", "auto": "played"}
"""The commands that strike adds to systems with scenes, and whether they may be sent from outside."""


def _known_system(
    system: System, reference: str, groups: Mapping[str, Mapping[str, str]], styles: Mapping[str, str]
) -> KnownSystem:
    return KnownSystem(
        system.name,
        reference,
        system.title,
        system.scene.key,
        tuple(system.state),
        groups,
        styles,
        system.absolute(system.scene.read),
        system.absolute(system.scene.measure),
        system.path_of_parked_scenes,
        system.absolute(system.views),
        system.absolute(system.exhibits),
        system.absolute(system.follows),
        bool(system.scene.secrets),
        system.help.evening,
        system.help.listed,
        system.help.together,
        system.scene.settles,
        not system.rules,
        1 + len(system.migrations),
    )


def _known_move(system: System, move: Move) -> KnownMove:
    watched = move.scope is Scope.SCENE and bool(system.follows)
    return KnownMove(
        system.name,
        system.absolute(move.play),
        move.scope.value,
        move.sheets,
        move.named,
        move.stateless,
        move.begins_evening,
        move.passes,
        move.by_hand,
        watched,
    )


def _remote_commands(system: System) -> dict[str, str]:
    """Return the commands of a system that other programs may send, each with "played" or "read".

    If the system declares no such commands, the result is empty. Otherwise it has three sorts of commands:

    - Commands that the system declares in its own groups. Commands that it declares in other groups are
      ignored.
    - Commands that strike adds to the scenes of the system.
    - The odds of the system's moves, unless the system has its own odds commands.
    """
    declared = system.outside.named()
    if not declared:
        return {}
    own = {name: may for name, may in declared.items() if name.split()[0] in system.commands}
    added = {
        f"{system.name} {name}": may for name, may in COMMANDS_OF_EVERY_SCENE.items() if system.scene.key
    }
    if system.scene.people and system.scene.key:
        from .gm_override_hooks import COMMANDS

        added |= {f"{system.name} {name}": "played" for name in COMMANDS}
    if not system.scene.next_turn:
        added.pop(f"{system.name} next", None)
    odds = [move.removeprefix(f"{system.name} ") for move, each in system.moves.items() if each.odds]
    if "odds" in system.commands:
        odds = []  # the system has its own odds
    return {**added, **{f"odds {system.name} {move}": "read" for move in odds}, **own}


def _import_object(entry: EntryPoint, reference: str) -> object:
    try:
        return import_object(reference)
    except BaseException as error:  # any failure; no Ctrl+C arrives in this thread
        raise _broken_problem(entry, _error_words(entry, error)) from error


def _api_in_source(entry: EntryPoint) -> int:
    """Return the API version that a plugin declares in its source text.

    The text is read because the plugin can't be imported. If the text declares no version, the result is 1.
    If reading the text fails, the result is the present version.
    """
    try:
        spec = find_spec(entry.value.partition(":")[0])
        text = Path(spec.origin or "").read_text("utf-8") if spec else ""
    except (ImportError, ValueError, OSError):
        return API
    said = re.search(r"\bapi *= *(\d+)", text)
    return int(said[1]) if said else 1


def _wrong_type_fault(system: System) -> str:
    """Return a message if a field of a system has the wrong type, or "" if none has.

    Systems for an earlier version of strike's plugin interface have such fields.
    """
    for field, kind in (("scene", SceneTable), ("sheets", Sheets), ("simulation", Simulation)):
        if not isinstance(getattr(system, field), kind):
            return f"`{field}` should be a {kind.__name__}"
    content = system.content
    if not isinstance(content, Mapping) or not all(isinstance(of, Content) for of in content.values()):
        return "`content` should be a table of Content by kind"
    return ""


def _import_and_return_module_name(entry: EntryPoint, module: str) -> str:
    try:
        import_printing_to_stderr(module)
    except BaseException as error:  # the same
        raise _broken_problem(entry, _error_words(entry, error)) from error
    return module


def _error_words(entry: EntryPoint, error: BaseException) -> str:
    """Return an error's type and message, with the place in the plugin where the error arose.

    The place is the innermost line of the traceback that is in the plugin's package.
    """
    package = entry.value.partition(":")[0].partition(".")[0]

    def is_own(filename: str) -> bool:
        file = Path(filename)
        return package in (file.stem, *(parent.name for parent in file.parents))

    return error_words_with_place(error, is_own)


def error_words_with_place(error: BaseException, is_own: Callable[[str], object]) -> str:
    """Return a text with an error's place in own code, its type and its message.

    `is_own` says whether a file is own code. The place is the innermost line of the traceback in such a file.
    If there is no such line, no place is named.
    """
    place, trace = "", error.__traceback__
    while trace is not None:
        file = trace.tb_frame.f_code.co_filename
        if is_own(file):
            place = f"{file}, line {trace.tb_lineno}: "
        trace = trace.tb_next
    return place + f"{type(error).__name__}: {error}".rstrip(": ")


def _broken_problem(entry: EntryPoint, fault: str) -> PluginProblem:
    return PluginProblem(
        InstalledPlugin(*entry).broken_message(fault),
        f"Fix or remove {entry.distribution}; the rest of strike goes on without it.",
    )


def _too_new_problem(entry: EntryPoint, api: int) -> PluginProblem:
    return PluginProblem(
        f"Plugin {entry.name!r} of {entry.origin} needs a newer strike: it is made for version {api} of the "
        f"plugin API, and this one has {API}.",
        f"`pip install --upgrade strike-cli`, or an older {entry.distribution}.",
    )


def run_with_timeout(seconds: float, action: Callable[[], T]) -> T:
    """Run an action in a thread, and return its result.

    If the action takes more than `seconds`, TimeoutError is raised. The thread isn't stopped then, but it
    ends with the process at the latest. If the action raises an error, the error is raised here.
    """
    from threading import Thread

    came: list[T] = []
    failed: list[BaseException] = []

    def run_action() -> None:
        try:
            came.append(action())
        except BaseException as error:
            failed.append(error)

    thread = Thread(target=run_action, daemon=True)
    thread.start()
    thread.join(seconds)
    if thread.is_alive():
        raise TimeoutError
    if failed:
        raise failed[0]
    return came[0]
