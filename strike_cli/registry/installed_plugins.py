"""Installed plugins, with their systems and targets, imported on first use.

Reading the environment and importing every plugin costs more than the rest of a command. So the result of
`plugin_discovery` is stored in the user's cache. A fingerprint of the installed distributions and the stamps
of the source files show whether the cache is up to date. The cache is read at every start, and this module
imports next to nothing. Begin with `plugin_index`.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, redirect_stdout, suppress
from functools import cache, cached_property, lru_cache
from importlib import import_module
from pathlib import Path
from types import ModuleType, TracebackType
from typing import TYPE_CHECKING, Literal, TypeVar

from .. import __version__
from ..immutable_records import Value
from ..kernel.statements import ENGLISH, Fact, Language, Statement, class_finders, classes_by_key
from ..problems import CampaignProblem, PluginProblem, Problem, Usage
from ..user_folders_and_cache import (
    LazyTable,
    are_files_unchanged,
    is_older_than_stamp_step,
    read_cache_with_tables,
    write_cache,
)

if TYPE_CHECKING:
    from ..kernel.state_changes import StateAndBook
    from .gm_override_hooks import GmOverrideRules
    from .system_declaration import System

Made = TypeVar("Made")
Loaded = TypeVar("Loaded")


class InstalledPlugin(Value):
    """An installed plugin or a content pack.

    A content pack has no distribution. Its `value` is the path of its file. If `broken` isn't empty, nothing
    of the plugin is used, and `broken` is the reason.
    """

    name: str
    value: str
    distribution: str
    version: str
    namespace: str = ""
    file: str = ""
    """The module with the Plugin; the content's files are in the same folder."""
    content: Sequence[str] = ()
    handlers: Mapping[str, str] = {}
    targets: Mapping[str, str] = {}
    map_formats: Mapping[str, str] = {}
    languages: Mapping[str, str] = {}
    words: Mapping[str, Mapping[str, str]] = {}
    systems: Sequence[str] = ()
    """Names of its systems."""
    api: int = 0
    """The version of the plugin API that it declares; 0 where it can't be read, and for packs."""
    broken: str = ""

    @property
    def origin(self) -> str:
        """The plugin's distribution, version and name, or the pack's file, in words for messages."""
        if not self.distribution:
            return f"the pack {self.value}"
        return f"{self.distribution} {self.version} ({self.name})"

    def broken_message(self, fault: str) -> str:
        """Return the message that this plugin is broken by a fault."""
        if not self.distribution:
            return f"Pack {self.name!r} ({self.value}) is broken: {fault}"
        return f"Plugin {self.name!r} of {self.distribution} {self.version} is broken: {fault}"


class KnownMove(Value):
    """The facts about a move that strike needs before it imports the move's code."""

    system: str
    """The name of the system that plays it."""
    play: str
    """The absolute reference of the procedure."""
    scope: Literal["nothing", "people", "scene", "table", "path"]
    sheets: bool
    named: bool
    stateless: bool
    begins_evening: bool
    passes: str
    by_hand: bool
    watched: bool
    """Whether its system responds to facts that it causes."""


class KnownSystem(Value):
    """The facts about a game system that are known before the system's code is imported.

    Some fields are references, which name a module and an attribute. The module is always named by its full
    path. A reference is "" if the system doesn't declare it.
    """

    name: str
    reference: str
    title: str
    scene: str
    tables: Sequence[str]
    """Its tables of state.toml."""
    groups: Mapping[str, Mapping[str, str]]
    styles: Mapping[str, str]
    """The styles of its kinds of fact, where they have one."""
    reads: str
    """Reference of the function that reads the table of its scene (`SceneTable.read`)."""
    measure: str
    """Reference of its measure of distances (`SceneTable.measure`)."""
    parked: str
    """The path of the table with its parked scenes."""
    views: str
    """Reference of its `Views`."""
    exhibits: str
    """Reference of the function for things on the table besides scenes."""
    follows: str
    """Reference of its `EventResponses`."""
    secrets: bool
    """Whether a side picks something in secret in its scenes."""
    evening: Mapping[str, Mapping[str, str]]
    """Its lines in the first screen of help (`Help.evening`)."""
    listed: Mapping[str, str]
    """The headings of `help all` with its commands (`Help.listed`)."""
    together: Mapping[str, Sequence[str]]
    """Commands that are listed under a group (`Help.together`)."""
    settles: bool
    """Whether a finished scene stays until it is settled (`SceneTable.settles`)."""
    frame: bool
    """Whether the system has no rules and belongs to every campaign."""
    state_version: int
    """The version of its state's form."""


class PluginIndex:
    """The index of everything that is installed.

    - `plugins`: all plugins, strike's own first.
    - `systems`: all systems, by name.
    - `moves`: the data of each move, by the move's name, as lists for `KnownMove`.
    - `statements`: the module of each class of statements, by the statement's kind.
    - `outside`: "played" or "read" for each command that may be sent from outside.
    - `styles`: the style of each kind of fact that has one.
    - `scenes`: the name of the system, for each scene's table in the state.
    - `groups`: the commands of each group from all systems, with the references of their apps.
    - `titles`: the heading of each group in lists, given by the first system that adds to the group.
    - `together`: the commands that are listed under a group.
    """

    def __init__(
        self,
        plugins: tuple[InstalledPlugin, ...],
        systems: Mapping[str, KnownSystem],
        *,
        moves: Mapping[str, Sequence[object]],
        statements: Mapping[str, str],
        outside: Mapping[str, str],
    ) -> None:
        self.plugins = plugins
        self.systems = systems
        self.moves = moves
        self.statements = statements
        self.outside = outside
        self.loaded: dict[str, object] = {}
        """Objects already loaded, by reference, as long as this index is valid."""
        self.loaded_systems: dict[str, System] = {}
        self.off: dict[str, str] = {}
        """Systems that are switched off for this run, since their code has failed: name -> reason."""
        self.failed: dict[str, str] = {}
        """Modules of plugins in which something failed that this run goes on without: name -> reason."""
        self._parts: dict[frozenset[str], PluginIndex] = {}
        self.scenes = {known.scene: name for name, known in systems.items() if known.scene}
        self.styles = {kind: style for known in systems.values() for kind, style in known.styles.items()}
        self.groups: dict[str, dict[str, str]] = {}
        self.titles: dict[str, str] = {}
        self.together: dict[str, tuple[str, ...]] = {}
        self.owners: dict[str, str] = {}
        """The owner of each name or command group: the first system that uses it."""
        for known in systems.values():
            for name in (known.name, *known.groups):
                self.owners.setdefault(name, known.name)
            for group, commands in known.groups.items():
                self.groups.setdefault(group, {}).update(commands)
                self.titles.setdefault(group, known.title)
            for group, names in known.together.items():
                self.together[group] = (*self.together.get(group, ()), *names)

    @property
    def map_formats_by_ending(self) -> dict[str, str]:
        """The references of the plugins' map formats, by the ending of their files.

        An example of an ending is `.dd2vtt`. A reference leads to a `MapFormat`.
        """
        return {ending: where for plugin in self.plugins for ending, where in plugin.map_formats.items()}

    @property
    def languages(self) -> dict[str, str]:
        """The languages of the installed plugins, by the words that campaign.toml can use for them.

        Each value is the reference to the `Language`.
        """
        return {word: where for plugin in self.plugins for word, where in plugin.languages.items()}

    @property
    def system_tables(self) -> set[str]:
        """The tables of state.toml that belong to systems."""
        return {table for known in self.systems.values() for table in known.tables}

    @cached_property
    def state_versions_above_first(self) -> Mapping[str, int]:
        """The version of each system's state; systems whose state still has its first form are left out."""
        return {name: known.state_version for name, known in self.systems.items() if known.state_version > 1}

    @cached_property
    def tables_shown_on_screens(self) -> frozenset[str]:
        """The names of the tables in the state that screens and tabletops show.

        They are the tables of scenes, and the tables of systems that show exhibits.
        """
        others = (table for known in self.systems.values() if known.exhibits for table in known.tables)
        return frozenset((*self.scenes, *others))

    def restrict_to_core_and_plugins(self, plugin_names: frozenset[str]) -> PluginIndex:
        """Return an index that has only the core and the plugins named in `plugin_names`.

        For example, these are the plugins that one campaign uses.
        """
        part = self._parts.get(plugin_names)
        if part is None:
            own, *others = self.plugins
            chosen = (own, *(plugin for plugin in others if plugin.name in plugin_names))
            brought = {name for plugin in chosen if not plugin.broken for name in plugin.systems}
            part = PluginIndex(
                chosen,
                {name: known for name, known in self.systems.items() if name in brought},
                moves=self.moves,
                statements=self.statements,
                outside=self.outside,
            )
            part.loaded, part.loaded_systems, part.off = self.loaded, self.loaded_systems, self.off
            self._parts[plugin_names] = part
        return part

    def plugin_of_system(self, system: str) -> InstalledPlugin | None:
        """Return the plugin that has a system, or None."""
        return self._plugins_by_system.get(system)

    @cached_property
    def _plugins_by_system(self) -> Mapping[str, InstalledPlugin]:
        return {name: plugin for plugin in reversed(self.plugins) for name in plugin.systems}

    @cached_property
    def broken_reasons(self) -> Mapping[str, str]:
        """The reason why a plugin or system can't be used at all, by the plugin's or the system's name."""
        return {
            name: plugin.broken
            for plugin in reversed(self.plugins)
            if plugin.broken
            for name in (plugin.name, *plugin.systems)
        }

    def names_of_systems_not_switched_off(self) -> Iterator[str]:
        """Yield the names of the systems that are not switched off."""
        return (name for name in self.systems if name not in self.off)

    @property
    def broken_messages(self) -> list[str]:
        """The messages about plugins that are broken, each once."""
        return list(dict.fromkeys(plugin.broken for plugin in self.plugins if plugin.broken))


LAZY_TABLES = ("moves", "statements", "outside")
"""The parts of the index that most commands need only one entry of, or none."""


def environment_fingerprint() -> list[object]:
    """Return a value that changes when a Python package is installed, upgraded or removed.

    It is made of strike's version, the path of Python, and the times at which the folders of packages last
    changed.
    """
    places: list[object] = [__version__, sys.executable]
    for entry in sys.path[1:]:  # the first is where the script is, or the current folder
        try:
            places.append([entry, os.stat(entry or ".").st_mtime_ns])
        except OSError:
            continue
    return places


_known: list[PluginIndex] = []


def plugin_index(*, anew: bool = False) -> PluginIndex:
    """Return the index of everything installed, from the cache if that is up to date.

    With `anew` the cache is ignored.
    """
    if anew:
        _known.clear()
    if not _known:
        _known.append(_read_index_or_discover_and_cache(anew))
    return _known[0]


def drop_plugin_index() -> None:
    """Drop the index after something was installed or removed while this process runs."""
    _known.clear()


def _read_index_or_discover_and_cache(anew: bool) -> PluginIndex:
    name, key = (
        f"plugins{sys.prefix.replace(os.sep, '-')[-80:].replace(':', '')}.json",
        environment_fingerprint(),
    )
    cached, lines = (None, {}) if anew else read_cache_with_tables(name, key)
    if isinstance(cached, dict) and are_files_unchanged(cached.get("stamps", {"": 0})):
        with suppress(KeyError, TypeError):  # an earlier strike cached another form
            plugins = tuple(InstalledPlugin(**plugin) for plugin in cached["plugins"])
            systems = {name: KnownSystem(*fields) for name, fields in cached["systems"].items()}
            return PluginIndex(plugins, systems, **{table: LazyTable(lines[table]) for table in LAZY_TABLES})
    from .plugin_discovery import PluginFinder

    finder = PluginFinder()
    found = finder.build_index()
    folders: list[tuple[str, int]] = key[2:]  # type: ignore[assignment]  # each with its stamp
    stamped = [stamp[0] for stamp in finder.stamps.values() if stamp]
    newest = max([0, *(changed for _, changed in folders), *stamped])
    # A broken plugin may be mended without a change of any stamp, so it isn't cached; one that hangs is,
    # so that it isn't waited for again.
    if is_older_than_stamp_step(newest) and not finder.may_be_mended:
        value = {
            "plugins": [plugin.field_values_by_name() for plugin in found.plugins],
            "systems": {name: known.field_values() for name, known in found.systems.items()},
            "stamps": finder.stamps,
        }
        write_cache(name, key, value, {table: getattr(found, table) for table in LAZY_TABLES})
    return found


def import_object(reference: str) -> Loaded:  # type: ignore[type-var]  # the caller's annotation names it
    """Import the object that `module:attribute` names, and return it."""
    module, _, attribute = reference.partition(":")
    found: Loaded = import_printing_to_stderr(module)  # type: ignore[assignment]  # until it is found
    for name in (attribute or "plugin").split("."):
        found = getattr(found, name)
    return found


def load_language(name: str, installed: PluginIndex) -> Language:
    """Return the language that the word `name` in campaign.toml means; English for "".

    Raises PluginProblem if no plugin in `installed` has such a language.
    """
    if name and name not in installed.languages:
        raise PluginProblem(
            f"No plugin has the language {name!r}.",
            "Install its plugin, or remove `language` from campaign.toml.",
        )
    return import_object(installed.languages[name]) if name else ENGLISH


def import_printing_to_stderr(name: str) -> ModuleType:
    """Import a module, and return it.

    On the main thread, everything that the module prints meanwhile goes to stderr. stdout is for the
    command's output.
    """
    module = sys.modules.get(name)
    # A module that another thread is importing is in sys.modules already: it is waited for.
    if module is not None and not getattr(module.__spec__, "_initializing", False):
        return module
    import threading

    # stdout is shared by all threads: a second redirection might restore the first one's stream.
    if threading.current_thread() is not threading.main_thread():
        return import_module(name)
    with redirect_stdout(sys.stderr):
        return import_module(name)


def load_plugin_word(book: object, vocabulary: str, word: str) -> Loaded:  # type: ignore[type-var]  # the caller's annotation names it
    """Return the object that a plugin defines for one of its words, such as `elements:ignite`.

    Plugins can add words to a vocabulary of a system; `Plugin.words` names the object for each word. `book`
    is the content of a campaign. Raises PluginProblem if `book` doesn't have the word, or if the object can't
    be loaded.
    """
    table: Mapping[str, Mapping[str, str]] = book.table(vocabulary)  # type: ignore[attr-defined]  # every book's
    if word not in table:
        raise PluginProblem(
            f"No installed plugin defines {word!r} in {vocabulary}.", "Install that plugin again."
        )
    return _load_word(vocabulary, word, table[word]["calls"])  # type: ignore[return-value]  # as above


@cache
def _load_word(vocabulary: str, word: str, reference: str) -> object:
    try:
        return import_object(reference)
    except (ImportError, AttributeError) as error:
        raise PluginProblem(
            f"{word!r} of the {vocabulary} can't be loaded: {error}.", "Fix or remove its plugin."
        ) from error


def all_kinds_of_target() -> Iterator[tuple[str, str, InstalledPlugin]]:
    """Yield the kind, reference and plugin of every kind of virtual tabletop (target)."""
    for plugin in plugin_index().plugins:
        for kind, reference in plugin.targets.items():
            yield kind, reference, plugin


# Systems, and what they say


class UnknownFact(Fact):
    """A fact whose kind has no class.

    It is a plain sentence that a handler reports, or a fact of a plugin that isn't installed.
    """

    section = "Also"


def known_systems() -> Mapping[str, KnownSystem]:
    """Return every system by its name, without importing any."""
    return plugin_index().systems


def load_known_system(name: str) -> System:
    """Import a system and return it. Raises PluginProblem if that fails."""
    loaded = plugin_index().loaded_systems
    if name not in loaded:
        from .gm_override_hooks import with_gm_overrides

        found: System = _load_object_once(known_systems()[name].reference)  # type: ignore[assignment]  # a system's reference
        loaded[name] = with_gm_overrides(found)
    return loaded[name]


def _loading_problem(name: str, error: Exception) -> PluginProblem:
    words = f"{name} can't be loaded: {type(error).__name__}: {error}"
    return PluginProblem(words, "Fix or remove its plugin.")


def _load_object_once(reference: str) -> object:
    loaded = plugin_index().loaded
    if reference not in loaded:
        try:
            loaded[reference] = import_object(reference)
        except Exception as error:
            raise _loading_problem(reference, error) from error
    return loaded[reference]


def load_usable_systems(installed: PluginIndex | None = None) -> list[System]:
    """Return every installed system, imported; with `installed`, only the systems in that index.

    A system that can't be imported, or has failed before, is left out.
    """
    found = []
    for name in (installed or plugin_index()).names_of_systems_not_switched_off():
        with contain_failures(name):
            found.append(load_known_system(name))
    return found


def plugin_index_of(world: StateAndBook) -> PluginIndex:
    """Return the index of the plugins that a world is played with.

    Without a book it is the index of the core alone.
    """
    of_book: PluginIndex | None = getattr(world.book, "registry", None)
    return of_book if of_book is not None else plugin_index().restrict_to_core_and_plugins(frozenset())


class contain_failures(AbstractContextManager[None]):  # noqa: N801  # used as a block
    """A block (`with contain_failures(system):`) for code of a system that the command can do without.

    If the code fails, the system's plugin is switched off for the rest of this run, and the program continues
    after the block. A refusal, Ctrl+C, and a failure of strike's own systems are raised.
    """

    def __init__(self, system: str) -> None:
        self.system = system

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool:
        if isinstance(error, Problem) and not isinstance(error, PluginProblem):
            return False  # a refusal on purpose
        return (
            isinstance(error, Exception | SystemExit)
            and switch_off_plugin_unless_core(self.system, error) is not None
        )


def switch_off_plugin_unless_core(system: str, error: BaseException) -> PluginProblem | None:
    """Switch off the plugin that has the system `system`, with all its systems, for the rest of this run.

    Return the problem to report. For strike's own systems and for an unknown system, switch nothing off and
    return None.
    """
    known = plugin_index()
    plugin = known.plugin_of_system(system)
    if plugin is None or plugin is known.plugins[0]:
        return None
    from .plugin_failures import failure_message

    reason = failure_message(plugin, error)
    known.off |= dict.fromkeys(plugin.systems, reason)
    return off_or_broken_problem(system)


def failure_messages() -> list[str]:
    """Return a message for each failure in this run, and for each system that was switched off.

    This uses the index of plugins only if it is already in memory. If it isn't, the result is empty.
    """
    return list(
        dict.fromkeys(why for known in _known for why in (*known.off.values(), *known.failed.values()))
    )


def must_be_able_to_play_system(system: str, plugins: Iterable[InstalledPlugin]) -> None:
    """Raise an error if a campaign can't play with the system `system`.

    `plugins` are the campaign's plugins. Raises PluginProblem for a system that is switched off, and Usage
    for a system of a plugin that the campaign doesn't list.
    """
    if problem := off_or_broken_problem(system):
        raise problem
    known = plugin_index()
    bringer = known.plugin_of_system(system)
    if bringer is None or bringer is known.plugins[0] or bringer.name in {plugin.name for plugin in plugins}:
        return
    raise Usage(
        f"This campaign doesn't play with {system!r}, of {bringer.origin}.",
        advice_to_list_plugin(bringer, plugins),
    )


def advice_to_list_plugin(bringer: InstalledPlugin, plugins: Iterable[InstalledPlugin]) -> str:
    """Return advice on using the plugin `bringer`, which the campaign's list of plugins leaves out."""
    own = [plugin.name for plugin in plugins if plugin.distribution][1:]
    names = ", ".join(f'"{each}"' for each in (*own, bringer.name))
    return f"To use it, write plugins = [{names}] in campaign.toml. Nothing was changed."


def off_or_broken_problem(name: str) -> PluginProblem | None:
    """Return the problem with a system or plugin that can't be used, otherwise None.

    A system may be switched off for this run, and a plugin may be broken.
    """
    known = plugin_index()
    reason = known.off.get(name) or known.broken_reasons.get(name)
    if not reason:
        return None
    return PluginProblem(reason, "Everything else works without it. `strike plugin doctor` checks it.")


def path_beside(system: System, file: str) -> Path:
    """Return the path of a file or folder that is beside a system's module.

    The system must have been imported.
    """
    module = known_systems()[system.name].reference.partition(":")[0]
    return Path(sys.modules[module].__file__ or "").with_name(file)


def shared_instance_of_class_or_base(reference: str, base: type[Made]) -> Made:
    """Return this process's only object of a class; the first call makes it.

    `reference` is the absolute reference of the class; "" means `base`. Raises PluginProblem if the class
    can't be imported.
    """
    loaded = plugin_index().loaded
    key = f"an object of {reference or base.__name__}"
    if key not in loaded:
        kind: type[Made] = _load_object_once(reference) if reference else base  # type: ignore[assignment]  # a subclass of `base`
        loaded[key] = kind()
    return loaded[key]  # type: ignore[return-value]  # that was made of it


def gm_override_rules_of(system: System) -> GmOverrideRules:
    """Return a system's additions to the game master's overrides.

    Raises PluginProblem if their class can't be imported.
    """
    from .gm_override_hooks import GmOverrideRules

    return shared_instance_of_class_or_base(system.absolute(system.scene.hand), GmOverrideRules)


def known_move(name: str) -> KnownMove:
    """Return the index's data of a move by name. Raises CampaignProblem if no installed system has it."""
    found = plugin_index().moves.get(name)
    if found is None:
        raise CampaignProblem(
            f"This strike has no command {name!r}.",
            "A newer strike, or a plugin that is not installed, recorded it.",
        )
    return KnownMove(*found)  # type: ignore[arg-type]  # the fields of one


def system_name_of_move(name: str) -> str:
    """Return the name of the system that plays a move. Raises CampaignProblem if none does."""
    return known_move(name).system


def plugin_origin_of_system(name: str) -> str:
    """Return the plugin that has a system, in words for messages; "" for strike's own systems."""
    known = plugin_index()
    bringer, own = known.plugin_of_system(name), known.plugins[0]
    return bringer.origin if bringer and bringer.distribution != own.distribution else ""


def systems_by_scene_key() -> Mapping[str, System]:
    """Return each system that has scenes, by the key of its scene in the state.

    A plugin's system that can't be loaded is left out.
    """
    return _systems_by_scene_key(plugin_index())


@lru_cache(maxsize=1)
def _systems_by_scene_key(known: PluginIndex) -> Mapping[str, System]:
    found = {}
    for table, name in known.scenes.items():
        with contain_failures(name):
            found[table] = load_known_system(name)
    return found


def fact_class(kind: str) -> type[Fact]:
    """Return the class of a kind of fact; UnknownFact if there is none."""
    found = statement_class(kind)
    return found if found is not None and issubclass(found, Fact) else UnknownFact


def statement_class(kind: str) -> type[Statement] | None:
    """Return the class of a statement. Its module is imported if necessary.

    `kind` is the statement's kind, or `kind:variant`. Return None if nobody declares such a class. Raises
    PluginProblem if the module can't be imported.
    """
    found = classes_by_key.get(kind)
    if found is not None:
        return found
    module = plugin_index().statements.get(kind)
    if module is None:
        return None
    try:
        import_module(module)
    except Exception as error:
        raise _loading_problem(module, error) from error
    return classes_by_key.get(kind)


class_finders[:] = [statement_class]


def fact_classes_by_kind(system: System) -> Mapping[str, type[Fact]]:
    """Return the fact classes that a system declares, by kind.

    Variants of a kind are left out. So are kinds whose class isn't found.
    """
    modules = {system.absolute(name) for name in system.fact_modules}
    known = plugin_index().statements.items()
    kinds = [kind for kind, module in known if module in modules and ":" not in kind]
    return {kind: found for kind in kinds if (found := fact_class(kind)) is not UnknownFact}


def style_of_fact(kind: str) -> str:
    """Return the terminal style of a kind of fact; "" for most. Imports no system."""
    return plugin_index().styles.get(kind, "")


def command_apps_by_group() -> Mapping[str, Mapping[str, str]]:
    """Return the groups of commands by name, each as a table of its commands.

    A group's table has the reference of each command's Typer app, by the command's name. The app of the group
    itself is under "".
    """
    return plugin_index().groups


def top_level_commands_listed_in_groups() -> Mapping[str, Sequence[str]]:
    """Return the top-level commands that help lists under a group, by the group's name.

    A user can also type such a command after the name of its group.
    """
    return plugin_index().together
