"""The book: a campaign's content from campaign.toml, its includes and plugins, checked and merged.

Reading it anew takes tens of milliseconds, so its checked form is cached under the stamps of its source
files. Nothing here changes a source file.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import strike_cli.user_folders_and_cache as user_cache

from ..deprecated_api_names import OldName
from ..file_faults import Fault, PlainFault
from ..kernel.procedure import Rulebook
from ..kernel.state_changes import MADE_UP
from ..kernel.statements import Language
from ..problems import Usage, did_you_mean, listed
from ..registry import installed_plugins
from ..registry.installed_plugins import InstalledPlugin
from .name_index import NameIndex, singular_of_kind

if TYPE_CHECKING:
    from ..kernel.procedure import Table
    from ..kernel.state_changes import State

MOST_READ_AT_ONCE = 8
"""The most things of a kind that are read at once: of larger tables each thing is read when needed."""
IN_PLAY = "made up in play"
"""The "file" of things that the game master makes up in a scene."""
READ_AT_ONCE = ("house",)
"""Kinds that rules ask for all the time."""


class Book(Rulebook):
    """The content of a campaign: plain tables, which rules read and never change.

    Besides the attributes named here, there is an attribute for each kind of content that a system declares,
    and for each vocabulary of a system. Each of these attributes has its items by full id, such as
    `core:dazed`. Items of the campaign itself have a plain id without a colon. `handlers` has the handlers
    that plugins define, by full id. The key `calls` of a handler is the "module:function" of its code.
    """

    seed: int | None
    digest: str
    handlers: Mapping[str, Mapping[str, str]]
    targets: Table
    aliases: Mapping[str, str]
    dice: Table
    answers: str
    """Whether players may answer from their phones: "off", "ask" or "on"."""
    own_turn: str
    """The effect of players' commands in their own turn: "propose" them, or "play" them at once."""
    language: str
    """The campaign's language, by the word of the plugin that has it; "" for English."""
    origins: list[str]
    """Sites whose pages may read the players' data."""
    backups: int
    """How many automatic backups are kept, each made at the end of an evening; 0 makes none."""
    signs: bool
    """Whether players may show signs from their phones."""
    fog: bool
    """Whether maps have fog, unless their encounters say otherwise."""
    systems: list[str]
    """The systems that campaign.toml lists; empty where it lists none."""
    plugins: list[InstalledPlugin]
    """The plugins and packs that the campaign plays with, strike's own first."""
    unlisted: list[str]
    """Plugins that the campaign uses without listing them, as campaigns of earlier versions may."""
    troubles: list[Fault]
    clashes: list[str]
    """Names in the campaign's files that several plugins define, with the meaning that was chosen."""
    lacking: list[str]
    """The needs of the campaign that no plugin meets, a line each. Content that may be of them is unread."""
    set_aside: list[str]
    """Files of the campaign that can't be read: `lacking` says what is wrong with each."""
    doubled: list[str]
    """A line for each thing that two files of the campaign define."""

    def __init__(self, compiled: Mapping[str, object], unread: Mapping[str, bytes] | None = None) -> None:
        tables = vars(self)
        tables.update(compiled)
        self.plugins = [InstalledPlugin(**plugin) for plugin in tables["plugins"]]
        self._played_with = frozenset(plugin.name for plugin in self.plugins if plugin.distribution)
        self.troubles = [Fault.of(plain) for plain in tables["troubles"]]
        self._unread = unread or {}
        """The lines of large tables whose things haven't been asked for yet."""
        self._made_up: Mapping[str, object] = {}
        self._locale: Language | None = None
        self._written: Book | None = None
        """The book without content made up in play, if this one has any."""

    def __getattr__(self, kind: str) -> Table:
        """Return the table of all items of a kind, at its first use.

        Raises AttributeError for an unknown kind.
        """
        if kind not in vars(self).get("_unread", ()):
            raise AttributeError(f"The book has no {kind}: no installed system has them.")
        table: Mapping[str, object] = user_cache.LazyTable(self._unread[kind])
        setattr(self, kind, table)
        return table

    def __contains__(self, kind: str) -> bool:
        """Return whether the book has a table of a kind."""
        return kind in vars(self) or kind in self._unread

    def with_made_up(self, state: State) -> Book:
        """Return the book with the creatures and encounters that the game master made up in play.

        The made-up items are taken from `state`. If a file of the campaign has an item with the same id,
        there are two cases. While a scene uses the made-up item, the book has the made-up item. At any other
        time, it has the file's item.
        """
        made: Mapping[str, Mapping[str, object]] = state.get(MADE_UP, {})  # type: ignore[assignment]  # its form
        if made is self._made_up:
            return self
        written = self._written or self
        if not made:
            return written
        book = Book.__new__(Book)
        vars(book).update(vars(written))
        book._written, book.where = written, dict(written.where)
        book._made_up = made
        for kind, things in made.items():
            table = written.table(kind)
            if doubled := things.keys() & table.keys():
                book._made_up = {}  # the scene that uses it may be over by the next command
                from ..tabletop.new_creatures_and_made_up_content import is_used_in_any_scene

                things = {
                    id: it
                    for id, it in things.items()
                    if id not in doubled or is_used_in_any_scene(state, id)
                }
            setattr(book, kind, {**table, **things})
            book.where |= {f"{kind}.{id}": IN_PLAY for id in things}
        return book

    def is_made_up(self, kind: str, id: str) -> bool:
        """Return whether the game master made up this item in play, so that no file has it."""
        return self.where.get(f"{kind}.{id}") == IN_PLAY

    @property
    def registry(self) -> installed_plugins.PluginIndex:
        """The registry of the plugins that the campaign plays with."""
        return installed_plugins.plugin_index().restrict_to_core_and_plugins(self._played_with)

    def compiled(self) -> dict[str, object]:
        """Return the whole book in plain form, with sorted keys. `Book` can be made from it again."""
        whole = {**vars(self), **{kind: dict(getattr(self, kind)) for kind in self._unread}}
        for own in ("_unread", "_made_up", "_written", "_played_with", "_locale"):
            del whole[own]
        whole["plugins"] = [plugin.field_values_by_name() for plugin in self.plugins]
        whole["troubles"] = [trouble.plain() for trouble in self.troubles]
        return dict(sorted(whole.items()))

    def locale(self) -> Language:
        """Return the campaign's language. Raises PluginProblem if no plugin provides this language."""
        if self._locale is None:
            self._locale = installed_plugins.load_language(self.language, self.registry)
        return self._locale

    def table(self, kind: str) -> Table:
        """Return the items of a kind, by full id. Raises KeyError for an unknown kind."""
        if kind not in self:
            raise KeyError(kind)
        found: Mapping[str, object] = getattr(self, kind)
        return found

    def ids_matching(self, kind: str, name: str) -> list[str]:
        """Return the full ids of the items that a name may mean, among the items of one kind.

        Return [] if no item has such a name. There are several ids only if none of the items takes
        precedence, for example if two items have the same display name.
        """
        namespaces = [plugin.namespace for plugin in self.plugins if plugin.distribution]
        return NameIndex(self.table(kind), namespaces).ids_in_first_namespace(name)

    def find(self, kind: str, name: str) -> str:
        """Return the full id of an item.

        `name` is its full id, the part of the id after the colon, or its display name. Raises Usage if
        nothing fits, with the nearest name; or if several items fit, with their ids.
        """
        table = self.table(kind)
        found = self.ids_matching(kind, name)
        if len(found) == 1:
            return found[0]
        one = singular_of_kind(kind)
        if found:
            several = [f"{id} of {self.where.get(f'{kind}.{id}', 'nobody')}" for id in found]
            raise Usage(f"Which {one} is {name!r}: {listed(several)}?", "Give the full id.")
        shown = [key.rpartition(":")[2] for key in table]
        from strike_cli.refusals import UnknownName

        raise UnknownName(
            one,
            repr(name),
            did_you_mean(name, [*shown, *table]),
            " ".join([f"`strike content list` shows all. Known: {listed(sorted(shown))}.", *self.lacking]),
        )

    matching = OldName("ids_matching")


def book_of_core_and_plugins(plugins: Iterable[str] = ()) -> Book:
    """Return a book without a campaign.

    It has the content of the core and of these plugins, and the default house rules.
    """
    names = sorted({*plugins})
    return _open_or_compile(f"book-bare{''.join(f'-{name}' for name in names)}.json"[-100:], None, names)


def with_content_checked(plugin: InstalledPlugin) -> InstalledPlugin:
    """Return an installed plugin, marked as broken if its content has faults."""
    if plugin.broken or plugin is installed_plugins.plugin_index().plugins[0]:
        return plugin
    return next(each for each in book_of_core_and_plugins([plugin.name]).plugins if each.name == plugin.name)


def open_book(folder: Path) -> Book:
    """Return the book of the campaign in `folder`, from the cache if no file has changed since.

    Raises ContentProblem with the mistakes in the content, and CampaignProblem if a file can't be read.
    """
    from zlib import crc32

    return _open_or_compile(f"book-{crc32(os.fsencode(os.path.abspath(folder))):08x}.json", folder)


def _open_or_compile(cache_name: str, folder: Path | None, plugins: Iterable[str] = ()) -> Book:
    """Return the book from the cache called `cache_name`; compile it if the cache isn't up to date.

    `folder` is the campaign's folder. It is None for a book without a campaign. Such a book has the content
    of `plugins`.
    """
    key = installed_plugins.environment_fingerprint()
    cached, unread = user_cache.read_cache_with_tables(cache_name, key)
    if (
        isinstance(cached, dict)
        and has_current_form(cached, unread)
        and user_cache.are_files_unchanged(cached["stamps"])
    ):
        return Book(cached["compiled"], unread)
    from .compiler import Compiler

    compiler = Compiler(folder, plugins=plugins)
    compiled = compiler.compile()
    if compiler.is_cacheable():
        large = {
            kind: table
            for kind, table in compiled.items()
            if isinstance(table, dict) and len(table) > MOST_READ_AT_ONCE and kind not in READ_AT_ONCE
        }
        others = {kind: table for kind, table in compiled.items() if kind not in large}
        user_cache.write_cache(cache_name, key, {"stamps": compiler.stamps, "compiled": others}, large)
    return Book(compiled)


def has_current_form(stored: Mapping[str, object], unread: Mapping[str, bytes]) -> bool:
    """Return whether a cached book has the form that this version of strike reads.

    Another version of strike may have written the cache in another form. `stored` is the cached book.
    `unread` has the tables that are cached separately from the book, by kind.
    """
    stamps, compiled = stored.get("stamps"), stored.get("compiled")
    if not isinstance(stamps, dict) or not isinstance(compiled, dict):
        return False
    plugins, troubles = compiled.get("plugins"), compiled.get("troubles")
    return (
        all(isinstance(compiled.get(key), str) for key in ("name", "answers", "own_turn", "language"))
        and all(isinstance(compiled.get(key), bool) for key in ("fog", "signs"))
        and isinstance(compiled.get("backups"), int)
        and isinstance(plugins, list)
        and isinstance(troubles, list)
        and all(isinstance(trouble, dict) and trouble.keys() == _OF_TROUBLES for trouble in troubles)
        and isinstance(compiled.get("systems"), list)
        and isinstance(compiled.get("set_aside"), list)
        and isinstance(compiled.get("doubled"), list)
        and isinstance(compiled.get("unlisted"), list)
        and isinstance(compiled.get("clashes"), list)
        and isinstance(compiled.get("origins"), list)
        and all(isinstance(plugin, dict) and plugin.keys() <= _OF_PLUGINS for plugin in plugins)
        and all(kind in unread or isinstance(compiled.get(kind), dict) for kind in _TABLES)
    )


_OF_PLUGINS = frozenset(InstalledPlugin.FIELDS)
_OF_TROUBLES = PlainFault.__required_keys__
_TABLES = ("house", "targets", "aliases", "dice", "where", "characters", "creatures", "handlers")
