"""The compiler, which reads campaign.toml, included files and plugins' content, and merges them.

It checks everything against the schemas in `schemas.py`. `references.py` resolves the names in content.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from copy import copy
from pathlib import Path
from typing import TYPE_CHECKING

from strike_cli.refusals import NewerSchema, NotToml, Unreadable

from ..file_faults import Fault, Faults, Place
from ..included_and_stray_files import RULE, IncludedFiles, OutsideCampaign, is_inside, read_authored_file
from ..problems import CampaignProblem, ContentProblem, PluginProblem, did_you_mean, listed
from ..registry import installed_plugins, load_usable_systems
from ..registry.installed_plugins import InstalledPlugin, import_object
from ..untrusted_input import FileFormat, line_of_deepest_key_found, parse_toml
from ..user_folders_and_cache import file_stamp, is_older_than_stamp_step, read_cache, write_cache
from ..validation import ID, Kind, Number, OneOf, Record, TableOf, Text, unknown_key_advice
from . import CAMPAIGN_FILE, CONTENT_FOLDER
from .packs import find_packs_and_mark_broken, possible_pack_folders
from .references import MOST_FAULTS, References
from .schemas import (
    ALIASES,
    BACKUP,
    CAMPAIGN_HEAD,
    DICE,
    PLAYERS_PERMISSIONS,
    SCHEMA,
    SERVE,
    TARGET,
    Schemas,
    schema_source_files,
    schemas_of_working_systems,
    vocabulary_names,
)

if TYPE_CHECKING:
    from typing import NotRequired, TypedDict

    class AtTheTable(TypedDict, total=False):
        """The settings in `[table]`: what players may do from their phones, and whether maps have fog."""

        answers: str
        own_turn: str
        fog: bool
        signs: bool

    class CampaignHead(AtTheTable):
        """The compiled settings of a campaign: everything in campaign.toml that is no content."""

        name: str
        house: dict[str, object]
        targets: dict[str, object]
        aliases: dict[str, str]
        dice: Mapping[str, object]
        origins: list[str]
        backups: int
        seed: NotRequired[int]
        language: NotRequired[str]
        systems: NotRequired[list[str]]


SAMPLES = Path(__file__).parent / "samples"
"""Content that comes with strike, for campaigns to include: `include = ["strike:archetypes.toml"]`.

A plugin has such a folder beside its module: `include = ["grit:armory.toml"]`."""
CORE = "core"
"""The namespace of strike's own content."""
_NOT_INCLUDED = (CAMPAIGN_FILE, "state.toml", "secrets.toml")
_SETTING_KEYS = {*CAMPAIGN_HEAD, "house", "bridge", "aliases", "dice", "table", "serve", "backup"}
"""The keys of campaign.toml that are no kind of content."""
_PLAIN: dict[str, Kind] = {"dice": DICE, "seed": Number(0), "name": Text()}
"""Keys among those whose checked values are used unchanged."""


class PluginsUnlisted(ContentProblem):
    """The problem that a campaign uses content of `plugins` but doesn't list these plugins."""

    def __init__(self, faults: Iterable[Fault | str], hint: str, plugins: Sequence[str]) -> None:
        super().__init__(faults, hint)
        self.plugins = plugins


class Compiler:
    """The reader, checker and merger of a campaign's content.

    It collects faults, so that all of them can be reported at once.
    """

    def __init__(
        self,
        folder: Path | None,
        unwritten_files: Mapping[Path, bytes] | None = None,
        plugins: Iterable[str] = (),
    ) -> None:
        self.folder = folder
        self.more = unwritten_files or {}
        """Files that are not written yet, to be checked as if they were."""
        self.plugins = list(plugins)
        """The plugins, besides the core, of a book without a campaign."""
        self.stamps: dict[str, list[int] | None] = {}
        self.parsed: dict[tuple[Path, bytes], dict[str, object]] = {}
        """The parsed content of files, so that none is parsed twice."""
        self._reset(self.plugins)

    def _reset(self, plugins: Sequence[str]) -> None:
        """Discard everything read so far, and prepare to read with these plugins."""
        self.registry = installed_plugins.plugin_index().restrict_to_core_and_plugins(frozenset(plugins))
        self.order = [plugin.namespace for plugin in self._core_and_plugins_as_listed(plugins)]
        self.named = list(plugins)
        """Plugins that the files read so far name."""
        self.formats: dict[str, FileFormat] = {}
        self.clashes: list[str] = []
        """Names that several plugins define, each with the meaning that was chosen."""
        self.faults: Faults = []
        self.troubles: Faults = []
        self.left_out: Faults = []
        """Faults of things that play goes on without."""
        self.lacking: list[str] = []
        """The needs of the campaign that no plugin meets: content that may belong to them stays unread."""
        self.doubled: Faults = []
        """Things that two of the campaign's files define: the first counts."""
        self.set_aside: dict[str, str] = {}
        """Files of the campaign that can't be read, by name, with all their faults."""
        self.unread: list[Place | str] = []
        """Places of content that stays unread."""
        self.samples: dict[Path, str] = {}
        """Files of strike's or a plugin's, with the names that `include` uses for them."""
        self.in_folders: dict[Path, FileFormat] = {}
        """Files that belong to the campaign because of their folder."""
        self.tables: dict[str, dict[str, Mapping[str, object]]] = {}
        self.where: dict[str, str] = {}
        self.owner: dict[tuple[str, str], str] = {}
        self.unsound: set[tuple[str, str]] = set()
        self.text = b""
        self.forms: Schemas

    def _core_and_plugins_as_listed(self, plugins: Sequence[str]) -> list[InstalledPlugin]:
        """Return the core and these plugins, in the order in which the campaign lists them."""
        places = {name: place for place, name in enumerate([CORE, *plugins])}
        return sorted(self.registry.plugins, key=lambda plugin: places[plugin.name])

    def is_cacheable(self) -> bool:
        """Return whether the compiled content may be cached.

        It may not be cached if a plugin is broken. If somebody repairs the plugin, the time stamps of the
        files may stay the same, so the cache would seem up to date. Nor may it be cached if a file was
        changed just now: a second change might leave the file's time stamp as it is.
        """
        newest = max((stamp[0] for stamp in self.stamps.values() if stamp), default=0)
        return not self.troubles and not self.registry.off and is_older_than_stamp_step(newest)

    def compile(self) -> dict[str, object]:
        """Return the content of the campaign, checked and merged.

        If campaign.toml has a list of plugins, these are used. If it has no list, the plugins whose systems
        it names are used. If the campaign turns out to need further plugins, these are added, and "unlisted"
        in the result has their names. "troubles" has the faults that don't stop play.

        Raises:
            ContentProblem: There are faults that stop play; the problem has at most MOST_FAULTS of them. It
                is a PluginsUnlisted if listing a plugin would help.
            CampaignProblem: A file can't be read.
            PluginProblem: A plugin's version isn't the required one.
        """
        named, is_listed = self._named_plugins_and_whether_listed()
        problem: ContentProblem | None = None
        compiled: dict[str, object] = {}
        try:
            compiled = self._compile_with(named)
            if set(self.named) - {*named}:  # an included file names more plugins
                named, is_listed = self.named, True
                compiled = self._compile_with(named)
        except ContentProblem as caught:
            problem = caught
        mentioned = [] if is_listed else self._other_mentioned_plugins(named)
        if not mentioned and (self.folder is None or not (problem or self.left_out)):
            return compiled
        known = [*named, *mentioned]
        now = self._count_faults_in_trial_with(known) if mentioned else len(self.faults) + len(self.left_out)
        unlisted = mentioned + self._find_plugins_by_faults(known, now)
        if unlisted and not is_listed:
            return {**self._compile_with([*named, *unlisted]), "unlisted": unlisted}
        if problem is None:
            return compiled
        if unlisted:
            origins = [
                each.origin for each in installed_plugins.plugin_index().plugins if each.name in unlisted
            ]
            names = ", ".join(f'"{name}"' for name in (*named, *unlisted))
            line = f"plugins = [{names}]"
            raise PluginsUnlisted(
                problem.faults,
                f"{listed(origins)} has it: write {line}, or run `strike doctor --upgrade`.",
                unlisted,
            )
        raise problem

    def _named_plugins_and_whether_listed(self) -> tuple[list[str], bool]:
        """Return the plugins that campaign.toml names, and whether it contains a list of plugins.

        A plugin is named if it is in this list, or if campaign.toml names one of its systems. Campaigns of
        earlier versions have no list. They may use plugins that they don't name.
        """
        if self.folder is None:
            return self.plugins, True
        main = self.folder / CAMPAIGN_FILE
        if main.is_symlink() and not is_inside(self.folder, main):
            raise CampaignProblem(
                f"{main} is a link out of the campaign's folder.", "Put the file itself there."
            )
        data = self._parse_file_and_note_stamp(main)
        return _installed_plugins_named(data), "plugins" in data

    def _other_mentioned_plugins(self, named: Sequence[str]) -> list[str]:
        """Return the plugins, besides `named`, that the campaign's files or its state mention.

        A mention is a full id, an included file, a language, a kind of tabletop or a scene.
        """
        import re

        try:
            state = read_authored_file((self.folder or Path()) / "state.toml").decode("utf-8", "replace")
        except (OSError, ValueError):
            state = ""
        text = f"{self.text.decode('utf-8', 'replace')}\n{state}"
        found = []
        for plugin in installed_plugins.plugin_index().plugins[1:]:
            known = installed_plugins.plugin_index().systems
            tables = [table for name in plugin.systems if name in known for table in known[name].tables]
            words = [rf"[\"']{re.escape(plugin.namespace or plugin.name)}:"]
            words += [rf"(?m)^\[{re.escape(table)}[.\]]" for table in tables]
            words += [rf"[\"']{re.escape(kind)}[\"']" for kind in (*plugin.targets, *plugin.languages)]
            if plugin.name not in named and any(re.search(word, text) for word in words):
                found.append(plugin.name)
        return found

    def _find_plugins_by_faults(self, named: Sequence[str], fault_count: int) -> list[str]:
        """Return the plugins that the content seems to need besides `named`, found by counting faults.

        `named` has the plugins that are known to be needed. First, all other plugins are added, and the
        faults are counted. `fault_count` is the number of faults without the added plugins. If there aren't
        fewer faults with them, return [].

        Then each added plugin is removed for a test. If the number of faults doesn't rise, the plugin isn't
        needed.
        """
        others = [each.name for each in installed_plugins.plugin_index().plugins[1:] if not each.broken]
        others = [name for name in others if name not in named]
        if not others:
            return []
        least = self._count_faults_in_trial_with([*named, *others])
        if least >= fault_count:
            return []
        for name in list(others):
            fewer = [each for each in others if each != name]
            if self._count_faults_in_trial_with([*named, *fewer]) <= least:
                others = fewer
        return others

    def _count_faults_in_trial_with(self, plugins: Sequence[str]) -> int:
        """Return how many faults the content has if it is compiled with these plugins.

        The content is compiled by a copy of this compiler. This compiler keeps its own results.
        """
        trial = copy(self)
        with suppress(ContentProblem):
            trial._compile_with(plugins)
        return len(trial.faults) + len(trial.left_out)

    def _compile_with(self, plugins: Sequence[str]) -> dict[str, object]:
        """Read, check and merge all content, with these plugins, and return it in compiled form.

        Raises ContentProblem if there are faults.
        """
        from zlib import crc32

        self._reset(plugins)
        self.forms = schemas_of_working_systems(self.registry)
        self.formats = {
            ending: import_object(each.absolute(reference))
            for each in load_usable_systems(self.registry)
            for ending, reference in each.file_formats.items()
        }
        kinds = (*self.forms.campaign, *self.forms.settings, "handlers", *vocabulary_names(self.registry))
        self.tables = {kind: {} for kind in kinds}
        for file in _compiler_source_files(self.registry):
            self.stamps[file] = file_stamp(file)
        found = self._add_plugins_without_faults()
        head = self._default_settings()
        if self.folder is not None:
            head = self._add_campaign_files(found)
        self._resolve_references()
        doubled = self._first_faults_with_line_numbers(self.doubled)
        left_out = [*doubled, *self._first_faults_with_line_numbers(self.left_out)]
        if self.faults:
            hint = "Fix these and try again; `strike doctor` checks the whole campaign."
            raise ContentProblem([*self.troubles, *self._first_faults_with_line_numbers(self.faults)], hint)
        troubles = [*self._plugin_faults_not_in_lacking(), *self._faults_of_unmet_needs(), *left_out]
        return {
            "name": head["name"],
            "seed": head.get("seed"),
            "language": head.get("language", ""),
            "digest": f"{crc32(self.text):08x}",
            "house": head["house"],
            "targets": head["targets"],
            "aliases": head["aliases"],
            "dice": head["dice"],
            "answers": head["answers"],
            "own_turn": head["own_turn"],
            "fog": head["fog"],
            "signs": head["signs"],
            "origins": head["origins"],
            "backups": head["backups"],
            "systems": head.get("systems", []),
            **self.tables,
            "plugins": [plugin.field_values_by_name() for plugin in found],
            "unlisted": [],
            "clashes": list(dict.fromkeys(self.clashes)),
            "troubles": [fault.plain() for fault in troubles],
            "lacking": self.lacking,
            "set_aside": list(self.set_aside),
            "doubled": list(map(str, doubled)),
            "where": self.where,
        }

    def _first_faults_with_line_numbers(self, faults: Faults) -> Faults:
        """Return the first MOST_FAULTS faults with their line numbers, then one that counts the others."""
        told = [self._with_line_number(fault) for fault in faults[:MOST_FAULTS]]
        more = len(faults) - MOST_FAULTS
        return [*told, Fault(Place(), f"... and {more} more")] if more > 0 else told

    def _with_line_number(self, fault: Fault, folder: Path | None = None) -> Fault:
        """Return a fault with its line number, if the line is found in its file.

        `folder` is the one that contains the file, by default the campaign's.
        """
        place = fault.place
        path = (folder or self.folder or Path()) / place.file
        if not place.keys or str(path) not in self.stamps:
            return fault
        try:
            text = read_authored_file(path).decode("utf-8-sig")
            if form := self._file_format(path):
                line = form.line_of(text, path.stem, place)
            else:
                line = line_of_deepest_key_found(text, place.names())
        except (OSError, ValueError):
            return fault
        return Fault(place, fault.what, line)

    def _file_format(self, path: Path) -> FileFormat | None:
        """Return the format of a content file; None if it is TOML."""
        return self.in_folders.get(path) or self.formats.get(path.suffix.lower())

    def _default_settings(self) -> CampaignHead:
        return {
            "name": "",
            "house": {key: rule.default for key, rule in self.forms.house.items()},
            "targets": {},
            "aliases": {},
            "dice": {},
            "origins": [],
            "backups": 10,
            "answers": "off",
            "own_turn": "propose",
            "fog": False,
            "signs": True,
        }

    # Plugins

    def _add_plugins_without_faults(self) -> list[InstalledPlugin]:
        """Add the content of the plugins that have no faults; return all plugins, with broken ones marked.

        A plugin that uses an unknown name is broken. All content is then added again without the broken
        plugins. So a plugin that needs a broken one is found to be broken, too.
        """
        broken: dict[str, str] = {}
        while True:
            self.tables = {kind: {} for kind in self.tables}
            self.where, self.owner, self.troubles = {}, {}, []
            found = self._add_plugins(broken)
            dangling = {}
            for plugin in [plugin for plugin in found if not plugin.broken]:
                self._resolve_references(plugin.namespace)
                if self.faults:
                    dangling[plugin.value] = self._broken_plugin_message(plugin, self.faults)
                    self.faults = []
            if not dangling:
                return found
            broken |= dangling

    def _broken_plugin_message(self, plugin: InstalledPlugin, faults: Faults) -> str:
        """Return the message about a plugin with faults in its content.

        Raises ContentProblem for faults in strike's own content, since nearly all other content depends on
        it.
        """
        if plugin.namespace != CORE:
            return plugin.broken_message("; ".join(map(str, faults)))
        folder = Path(plugin.file).parent
        hint = f"These files are strike's own, in {folder}: fix them, or install strike again."
        placed = [_fault_in_plugin_file(plugin, fault) for fault in faults[:MOST_FAULTS]]
        raise ContentProblem([self._with_line_number(fault, folder) for fault in placed], hint)

    def _add_plugins(self, broken: Mapping[str, str]) -> list[InstalledPlugin]:
        """Add the content of the plugins and packs that work. Return all plugins and packs, broken or not.

        A broken plugin or pack has a message in its field `broken`. The argument `broken` has the messages
        about plugins that were found broken before, by the values of their entry points.
        """
        found = []
        for plugin in self._core_then_plugins_then_packs():
            plugin = plugin.but(broken=plugin.broken or broken.get(plugin.value, ""))
            if not plugin.broken:
                plugin = plugin.but(broken=self._add_plugin(plugin))
            trouble = Fault(Place(), plugin.broken)
            if plugin.broken and trouble not in self.troubles:
                self.troubles.append(trouble)
            found.append(plugin)
        return found

    def _add_plugin(self, plugin: InstalledPlugin) -> str:
        """Add the content of one plugin; return a message if it is broken, else "".

        A mistake in any of its files switches off the whole plugin, and nothing else.
        """
        self.stamps[plugin.file] = file_stamp(plugin.file)
        faults: Faults = []
        brought: list[tuple[str, str, Mapping[str, object]]] = []
        for file in plugin.content:
            try:
                data = self._parse_file_and_note_stamp(Path(plugin.file).parent / file)
            except CampaignProblem as problem:
                faults.append(Fault(Place(), problem.message))
                continue
            brought += self._plugin_items(plugin, file, data, faults)
        for name in plugin.words:
            if name not in (known := vocabulary_names(self.registry)):
                what = f"no system has a vocabulary {name!r}.{did_you_mean(name, known)}"
                faults.append(Fault(Place(), what))
        if faults:
            return self._broken_plugin_message(plugin, faults)
        for name, words in {"handlers": plugin.handlers, **plugin.words}.items():
            for key, what in words.items():
                self.tables[name][f"{plugin.namespace}:{key}"] = {"calls": what}
        for kind, full, item in brought:
            self.tables[kind][full] = item
            self.where[f"{kind}.{full}"] = plugin.origin
            self.owner[kind, full] = plugin.namespace
        return ""

    def _plugin_items(
        self, plugin: InstalledPlugin, file: str, data: Mapping[str, object], faults: Faults
    ) -> Iterator[tuple[str, str, Mapping[str, object]]]:
        """Yield the kind, full id and checked form of each item in one content file of a plugin."""
        content = self.forms.content
        for kind, value in data.items():
            place = Place(kind, file=file)
            if kind not in content:
                faults.append(Fault(place, f"there is no such kind of content.{did_you_mean(kind, content)}"))
                continue
            checked = TableOf(content[kind], ID).check(value, place, faults)
            items: dict[str, Mapping[str, object]] = checked  # type: ignore[assignment]  # things are tables
            for key, item in items.items():
                full = key if ":" in key else f"{plugin.namespace}:{key}"
                if full in self.tables[kind] and not item.get("override"):
                    there = self.where[f"{kind}.{full}"]
                    what = f"{full} comes from {there} already; say override = true to replace it"
                    faults.append(Fault(place / key, what))
                yield kind, full, item

    def _core_then_plugins_then_packs(self) -> Iterator[InstalledPlugin]:
        """Yield the core and the plugins in use, then every content pack."""
        yield from self._core_and_plugins_as_listed(self.named)
        taken = {plugin.namespace: plugin.origin for plugin in self.registry.plugins}
        for folder in possible_pack_folders(self.folder):
            self.stamps[str(folder)] = file_stamp(
                str(folder)
            )  # its stamp changes when a file is added or removed
            yield from find_packs_and_mark_broken(folder, taken, within=self.folder)

    def _resolve_references(self, owner: str = "") -> None:
        """Resolve the names in the content of one owner: a plugin's namespace, or "" for the campaign.

        Unknown names are faults. If play can go on without an item that has an unknown name, the item is left
        out.
        """
        owned = {
            kind: [
                id
                for id in self.tables[kind]
                if self.owner.get((kind, id), "") == owner and (kind, id) not in self.unsound
            ]
            for kind in self.forms.campaign
        }
        forms = self.forms.campaign
        one_by_one = tuple(forms) if self.lacking and not owner else self.forms.optional
        needed = {kind: ids for kind, ids in owned.items() if kind not in one_by_one}
        all_at_once = self._make_references(self.faults, owner)
        all_at_once.resolve_and_check_items(needed, forms)
        names = self._make_references([], owner)
        for kind in one_by_one:
            for id in owned[kind]:
                names.faults, names.before = [], len(self.left_out)
                whole = self.tables[kind][id]
                names.resolve_and_check_items({kind: [id]}, forms)
                if names.faults and self.lacking and not owner:
                    self._keep_resolvable_part(names, kind, id, whole)
                elif names.faults:
                    self._leave_out(kind, [id], names.faults)
                    names.forget(kind, id)

    def _make_references(self, faults: Faults, owner: str) -> References:
        return References(
            self.tables, self.where, faults, self.registry, self.order, self.clashes, namespace=owner
        )

    def _keep_resolvable_part(
        self, references: References, kind: str, id: str, item: Mapping[str, object]
    ) -> None:
        """Keep an item, but leave out its fields in which a name is unknown.

        A field that is left out gets its default, if it has one. If a required field is left out, or if what
        is left has faults, the whole item is left out.

        Args:
            references: Finds the items that names mean.
            kind: The kind of content.
            id: The item's full id.
            item: The item.
        """
        form, at = self.forms.campaign[kind], Place(kind, id, file=self.where.get(f"{kind}.{id}", ""))
        fields = form.fields if isinstance(form, Record) else {}
        kept = dict(item)
        for key, (field, default) in fields.items():
            references.faults = []
            if key in kept:
                field.resolve(kept[key], at / key, references)
            if references.faults:
                self.unread.append(at / key)
                del kept[key]
                if default not in (..., None):
                    kept[key] = list(default) if isinstance(default, list) else default
        references.faults = []
        self.tables[kind][id] = kept
        if is_whole := all(default is not ... or key in kept for key, (_, default) in fields.items()):
            references.resolve_and_check_items({kind: [id]}, self.forms.campaign)
        if references.faults or not is_whole:
            self.unread.append(at)
            self._leave_out(kind, [id], [])
            references.forget(kind, id)

    def _leave_out(self, kind: str, ids: Iterable[str], faults: Faults) -> None:
        """Remove items that have faults. Play can go on without these items."""
        self.left_out += faults
        for id in ids:
            self.tables[kind].pop(id, None)

    # The campaign

    def _add_campaign_files(self, plugins: list[InstalledPlugin]) -> CampaignHead:
        assert self.folder is not None
        main = self.folder / CAMPAIGN_FILE
        files = self._read_campaign_files(main)
        self.named = list(
            dict.fromkeys((*self.named, *(n for _, data in files for n in _installed_plugins_named(data))))
        )
        head = self._default_settings()
        head["name"] = self.folder.name
        self.lacking = self._unmet_needs([data for _, data in files], plugins)
        allowed = {*self.forms.campaign, *self.forms.settings, *_SETTING_KEYS}
        for path, data in files:
            file = self._include_name(path)
            for key, value in data.items():
                where = Place(key, file=file)
                if key not in allowed and self.lacking:
                    self.unread.append(where)
                elif key not in allowed:
                    self.faults.append(
                        Fault(where, f"no such key.{unknown_key_advice(key, dict.fromkeys(allowed))}")
                    )
                elif key == "include" and path != main:
                    self.faults.append(Fault(where, f"only {main.name} includes other files"))
                elif key == "plugins":
                    self._require_listed_plugin_versions(value, where, plugins)
                elif key in _SETTING_KEYS:
                    self._add_campaign_setting(head, key, value, where)
                else:
                    self._add_items_or_settings(key, value, where, file)
        return head

    def _add_items_or_settings(self, key: str, value: object, where: Place, file: str) -> None:
        """Add the items of a kind, or the settings of a system, from one key of a file."""
        if key in self.forms.campaign:
            self._add_items(
                key, self._check_items(key, TableOf(self.forms.campaign[key], ID), value, where), file
            )
            return
        faults: Faults = []
        checked = self.forms.settings[key].check(value, where, faults)
        self.left_out += faults
        self._add_items(key, {} if faults else {key: checked}, file)  # type: ignore[dict-item]  # a table

    def _add_campaign_setting(self, head: CampaignHead, key: str, value: object, where: Place) -> None:
        if key == "house":
            self._add_house_rules(head["house"], value, where)
        elif key == "bridge":
            self._add_targets(head["targets"], value, where)
        elif key == "aliases":
            head["aliases"] |= ALIASES.check(value, where, self.faults)  # type: ignore[arg-type]  # texts
        elif key == "table":
            table: AtTheTable = PLAYERS_PERMISSIONS.check(value, where, self.faults)  # type: ignore[assignment]  # of this form
            head["own_turn"] = table.get("own_turn", "propose")
            # Playing their own turn includes answering, by default.
            head["answers"] = table.get("answers", "on" if head["own_turn"] == "play" else "off")
            head["fog"] = table.get("fog", False)
            head["signs"] = table.get("signs", True)
        elif key == "serve":
            served = SERVE.check(value, where, self.faults)
            head["origins"] = served.get("origins", [])  # type: ignore[typeddict-item]  # texts
        elif key == "backup":
            head["backups"] = BACKUP.check(value, where, self.faults).get("keep", 10)  # type: ignore[typeddict-item]  # a number
        elif key == "systems":
            head["systems"] = self._system_names(value, where)
        elif key == "language":
            known = OneOf("", *self.registry.languages)
            language = "" if self.lacking else known.check(value, where, self.faults)
            head["language"] = language  # type: ignore[typeddict-item]  # a text
        elif key in _PLAIN:
            head[key] = _PLAIN[key].check(value, where, self.faults)  # type: ignore[literal-required]  # it is one

    def _unmet_needs(
        self, files: Sequence[Mapping[str, object]], plugins: Sequence[InstalledPlugin]
    ) -> list[str]:
        """Return lines about the files, plugins and systems that the campaign needs and that can't be used.

        There is a line for each file that is set aside. There is also a line for each plugin that is switched
        off, broken or missing. Unknown systems get a line only if no plugin is broken or missing.
        """
        sound = {plugin.name: plugin for plugin in plugins if not plugin.broken}
        broken = {plugin.name: plugin.broken for plugin in plugins if plugin.broken}
        systems, every = self.registry.systems, installed_plugins.plugin_index()
        off = (self.registry.off[name] for name in systems if name in self.registry.off)
        lines: dict[str, None] = {
            f"{name} is set aside: {_first_line(told).removeprefix(f'{name}: ')}.": None
            for name, told in self.set_aside.items()
        }
        lines |= dict.fromkeys(f"{reason} Its content is left out." for reason in off)
        unusable, unknown = dict[str, None](), dict[str, None]()
        for data in files:
            for name in _names_in_list_or_table(data.get("plugins")):
                if name in broken:
                    unusable[f"{broken[name]} Its content is left out."] = None
                elif name not in sound:
                    near = did_you_mean(name, [each.name for each in every.plugins])
                    unusable[f"The plugin {name!r} is not installed.{near}"] = None
            for name in _names_in_list_or_table(data.get("systems")):
                if name not in systems:
                    unknown[f"No plugin has the game system {name!r}.{did_you_mean(name, every.systems)}"] = (
                        None
                    )
        return [*lines, *(unusable or unknown)]

    def _plugin_faults_not_in_lacking(self) -> Faults:
        """Return the faults of plugins, except the faults that `self.lacking` reports already.

        `self.lacking` has lines about what the campaign needs and can't use.
        """
        said = "\n".join(self.lacking)
        return [fault for fault in self.troubles if fault.what not in said]

    def _faults_of_unmet_needs(self) -> Faults:
        """Return faults for everything that the campaign needs but can't use, or [] if nothing is missing.

        There is a fault for each file that was set aside, and for each missing plugin or system. If content
        was left out because of that, the last fault lists this content.
        """
        if not self.lacking:
            return []
        kept = [f"Left out because of that: {listed(map(str, self.unread), 20)}."] if self.unread else []
        brought = self.lacking[len(self.set_aside) :]
        return [Fault(Place(), line) for line in (*self.set_aside.values(), *brought, *kept)]

    def _check_items(
        self, kind: str, form: TableOf, value: object, where: Place
    ) -> dict[str, Mapping[str, object]]:
        """Check the items of one kind in a file; return them by name, and note their faults.

        Items without faults are returned. What happens with a faulty item depends on the campaign and on the
        kind. If the campaign lacks a plugin, only the readable part of the item is returned. Otherwise, if
        the kind is optional, the item is left out. In all other cases, the item is returned and marked as
        unsound.
        """
        if not isinstance(value, Mapping):
            form.check(value, where, self.faults)
            return {}
        items: dict[str, Mapping[str, object]] = {}
        for name, item in value.items():
            faults: Faults = []
            checked = form.check({name: item}, where, faults)
            if faults and self.lacking:
                items |= self._readable_part(form.item, name, item, where / name)
                continue
            if faults and kind in self.forms.optional:
                self.left_out += faults
                continue
            items |= checked  # type: ignore[arg-type]  # things are tables
            self.faults += faults
            if faults:
                self.unsound.add((kind, name))
        return items

    def _readable_part(
        self, form: Kind, name: str, item: object, where: Place
    ) -> dict[str, Mapping[str, object]]:
        """Return the part of an item that can be used although a plugin is missing, as `{name: part}`.

        The part has only the item's valid keys. The places of all other keys are added to `unread`. Return {}
        if a required key is missing or invalid.
        """
        if not isinstance(form, Record) or not isinstance(item, Mapping):
            self.unread.append(where)
            return {}
        kept = {key: item[key] for key in item if key in form.fields and form.fields[key][1] is ...}
        for key in item:
            faults: Faults = []
            form.check({**kept, key: item[key]}, where, faults)
            if not faults:
                kept[key] = item[key]
            elif key not in kept:
                self.unread.append(where / key)
        faults = []
        checked = form.check(kept, where, faults)
        if faults:
            self.unread.append(where)
        return {} if faults else {name: checked}

    def _read_campaign_files(self, main: Path) -> list[tuple[Path, dict[str, object]]]:
        data = self._parse_file_and_note_stamp(main)
        schema = data.get("schema")
        place = Place("schema", file=main.name)
        if schema is None:
            self.faults.append(Fault(place, f"missing; write schema = {SCHEMA} at the top"))
        elif not isinstance(schema, int) or isinstance(schema, bool) or schema < 1:
            self.faults.append(Fault(place, f"should be {SCHEMA}, not {schema!r}"))
        elif schema > SCHEMA:
            raise NewerSchema(main, schema, SCHEMA)
        files = [(main, data)]
        includes = data.get("include", [])
        if not isinstance(includes, list) or not all(isinstance(item, str) for item in includes):
            place = Place("include", file=main.name)
            self.faults.append(Fault(place, 'should be a list of paths, like ["characters/*.toml"]'))
            includes = []
        paths: dict[Path, None] = {}
        for pattern in (*includes, f"{CONTENT_FOLDER}/*.toml"):
            if self._names_listed_missing_plugin(pattern, data):
                self.unread.append(f"include: {pattern!r}")
                continue
            paths |= dict.fromkeys(self._included_files(main, pattern))
        for pattern, form in self._folder_patterns():
            faults, self.faults = self.faults, self.left_out  # their faults stop nothing
            within = dict.fromkeys(self._included_files(main, pattern), form)
            self.faults = faults
            self.in_folders |= within
            paths |= dict.fromkeys(within)
        paths |= dict.fromkeys(self.more)
        found = [
            (
                path,
                self._parse_file_and_note_stamp(
                    path, may_be_faulty=path not in self.samples and path not in self.more
                ),
            )
            for path in _unique_included_files(main, paths)
        ]
        # Strike's own files first, so that the campaign's may override them.
        return [*(item for item in found if item[0].parent == SAMPLES), *files,
                *(item for item in found if item[0].parent != SAMPLES)]  # fmt: skip

    def _folder_patterns(self) -> Iterator[tuple[str, FileFormat]]:
        """Yield the file patterns that systems declare, each with the format of its files.

        A file that matches such a pattern belongs to the campaign, even if campaign.toml doesn't include it.
        """
        for each in load_usable_systems(self.registry):
            for pattern, reference in (pair for of in each.content.values() for pair in of.files.items()):
                yield pattern, import_object(each.absolute(reference))

    def _included_files(self, main: Path, pattern: str) -> list[Path]:
        """Return the files that match one pattern of `include` in the campaign's file `main`.

        A pattern such as `strike:*.toml` matches files that come with strike. A plugin's namespace in place
        of `strike` means files of this plugin, if the campaign lists the plugin. campaign.toml and the files
        that strike writes beside it are never included.
        """
        whose, colon, name = pattern.partition(":")
        if colon and (samples := self._samples_folder(whose)):
            return self._sample_files(main, whose, samples, name)
        folder, place = main.parent, Place("include", file=main.name)
        for plugin in installed_plugins.plugin_index().plugins if colon else ():
            if plugin.namespace == whose:
                what = f"{pattern!r} comes with {plugin.origin}, which this campaign doesn't list"
                self.faults.append(Fault(place, what))
                return []
        try:
            found = IncludedFiles(folder, pattern)
        except OutsideCampaign as outside:
            at = f" at {outside}" if str(outside) != pattern else ""
            what = f"{pattern!r} is outside the campaign's folder{at}: {RULE}"
            self.faults.append(Fault(place, what))
            return []
        except (ValueError, OSError):
            self.faults.append(Fault(place, f"{pattern!r} is not a path inside the campaign's folder"))
            return []
        # Folders count too: a file added to one changes its stamp.
        for each in found.folders:
            self.stamps[str(each)] = file_stamp(str(each))
        if not found.files and not any(sign in pattern for sign in "*?["):
            self.faults.append(Fault(place, f"{pattern!r} is not there"))
        return [
            path for path in found.files if path.parent != folder or path.name.lower() not in _NOT_INCLUDED
        ]

    def _names_listed_missing_plugin(self, pattern: str, data: Mapping[str, object]) -> bool:
        """Return whether a pattern in `include` is for files of a plugin that isn't installed.

        The plugin must be in the campaign's list of plugins.
        """
        whose, colon, _ = pattern.partition(":")
        needed = _names_in_list_or_table(data.get("plugins")) if colon else ()
        return whose in needed and all(plugin.namespace != whose for plugin in self.registry.plugins)

    def _samples_folder(self, namespace: str) -> Path | None:
        """Return the folder with the sample files that campaigns can include.

        If `namespace` is "strike", it is strike's own folder. Otherwise it is the folder of the plugin with
        that namespace; None if there is no such plugin.
        """
        if namespace == "strike":
            return SAMPLES
        files = (Path(plugin.file) for plugin in self.registry.plugins if plugin.namespace == namespace)
        return next((file.parent / SAMPLES.name for file in files), None)

    def _sample_files(self, main: Path, namespace: str, folder: Path, name: str) -> list[Path]:
        known = {path.name: path for path in sorted(folder.glob("*.toml"))}
        self.samples |= {path: f"{namespace}:{file}" for file, path in known.items()}
        if name == "*.toml" and known:
            return list(known.values())
        if name not in known:
            there = f" There is {listed(known)}." if known else ""
            what = f"no {name!r} comes with {namespace}.{did_you_mean(name, known)}{there}"
            self.faults.append(Fault(Place("include", file=main.name), what))
        return [known[name]] if name in known else []

    def _parse_file_and_note_stamp(self, path: Path, *, may_be_faulty: bool = False) -> dict[str, object]:
        """Return the parsed content of a file, and note the file's stamp.

        If the file is `may_be_faulty` and has faults, or can't be read, its faults are noted, and {} is
        returned. Raises CampaignProblem for any other faulty file, and for a missing file.
        """
        self.stamps[str(path)] = file_stamp(str(path))
        try:
            raw = self.more[path] if path in self.more else read_authored_file(path)
        except FileNotFoundError:
            raise CampaignProblem(f"{path} is not there.", "`strike new DIR` makes a campaign.") from None
        except (OSError, ValueError) as error:
            if may_be_faulty:
                return self._ignore_faulty_file(path, [f"can't be read: {error}"])
            raise Unreadable(path, error, "Check the file and its permissions.") from None
        form = self._file_format(path)
        if not form and (path, raw) in self.parsed:
            self.text += raw
            return self.parsed[path, raw]
        if path not in self.in_folders:  # no rule reads those, so they don't belong to the digest
            self.text += raw
        try:
            if form:
                return form.read(_decode_text(raw), path.stem)
            read = _parse_sample_cached(raw) if path in self.samples else parse_toml(raw)
            self.parsed[path, raw] = read
            return read
        except ValueError as error:
            if may_be_faulty:
                return self._ignore_faulty_file(
                    path, _faults_in_text(raw, error, toml=form is None) or [str(error)]
                )
            if isinstance(error, UnicodeError):
                raise Unreadable(path, error, "Save it as UTF-8.") from None
            raise _file_problem(path, self._include_name(path), raw, error) from None

    def _ignore_faulty_file(self, path: Path, faults: Sequence[str]) -> dict[str, object]:
        """Note the faults of a file, which is ignored until it is fixed; return {} as its content."""
        name = self._include_name(path)
        if self._file_format(path):  # tables and scenes, on which nothing else depends
            self.left_out += [Fault(Place(file=name), fault) for fault in faults]
        else:
            self.set_aside[name] = "\n".join(f"{name}: {fault}" for fault in faults)
        return {}

    def _include_name(self, path: Path) -> str:
        """Return a file's name for `include`, with slashes on every system.

        For a file outside the campaign, return its whole path.
        """
        relative = Path(os.path.relpath(path, self.folder)).as_posix()
        return self.samples.get(path) or (path.as_posix() if relative.startswith("../") else relative)

    def _add_items(self, kind: str, items: Mapping[str, Mapping[str, object]], file: str) -> None:
        table = self.tables[kind]
        for key, item in items.items():
            place = self.where.get(f"{kind}.{key}")
            if place and not item.get("override"):
                fault = Fault(Place(kind, key, file=file), f"comes from {place} already")
                if kind in self.forms.optional:
                    self.left_out.append(fault)
                    continue
                if place != file and self.folder is not None and str(self.folder / place) in self.stamps:
                    what = f"comes from {place} already, which counts; remove it from one of the two"
                    self.doubled.append(Fault(fault.place, what))
                    continue
                self.faults.append(fault)
            table[key] = item
            self.where[f"{kind}.{key}"] = file

    def _add_house_rules(self, house: dict[str, object], value: object, where: Place) -> None:
        rules = self.forms.house
        for key, setting in _flatten_keys(value):
            place = Place(*key.split(".")).within(where)
            if key not in rules and self.lacking:
                self.unread.append(place)
            elif key not in rules:
                known = listed(sorted(rules), 30)
                self.faults.append(
                    Fault(place, f"no such house rule.{did_you_mean(key, rules)} Known: {known}.")
                )
            else:
                house[key] = rules[key].form.check(setting, place, self.faults)

    def _add_targets(self, targets: dict[str, object], value: object, where: Place) -> None:
        faults: Faults = []
        checked = Record(targets=TableOf(TARGET)).check(value, where, faults)
        targets.update(checked.get("targets", {}))  # type: ignore[call-overload]  # by their names
        for name, target in checked.get("targets", {}).items():  # type: ignore[attr-defined]  # by their names
            for key in ("kind", "base"):
                others = (
                    each
                    for each in installed_plugins.plugin_index().plugins
                    if each not in self.registry.plugins
                )
                if (
                    bringer := next((plugin for plugin in others if target.get(key) in plugin.targets), None)
                ) is not None:
                    what = f"{target[key]!r} comes with {bringer.origin}, which this campaign doesn't list"
                    faults.append(Fault(where / "targets" / name / key, what))
        depth = len(where.keys) + 1
        for fault in faults:
            name = str(fault.place.keys[depth]) if len(fault.place.keys) > depth else ""
            table = targets.get(name)
            if not isinstance(table, dict):
                self.faults.append(fault)
                continue
            # The fault stops that target, and never the game.
            self.left_out.append(fault)
            told = str(self._with_line_number(fault))
            table["fault"] = f"{table['fault']}\n{told}" if "fault" in table else told
        known: dict[str, str] = {}
        for name in targets:
            other = known.setdefault(name.lower(), name)
            if other != name:
                what = f"{other!r} differs in capitals alone: on some systems both would share one file"
                self.faults.append(Fault(where / "targets" / name, what))

    def _require_listed_plugin_versions(
        self, value: object, where: Place, plugins: list[InstalledPlugin]
    ) -> None:
        """Check the plugins that campaign.toml lists: `plugins = ["elements"]`, or a table with versions.

        Raises PluginProblem for another version than the required one. Missing plugins are reported
        elsewhere.
        """
        if isinstance(value, list):
            pins = {str(name): "" for name in value}
        elif isinstance(value, Mapping):
            pins = {str(name): str(version) for name, version in value.items()}
        else:
            self.faults.append(
                Fault(where, "should be a list of plugin names, or a table of name and version")
            )
            return
        by_name = {plugin.name: plugin for plugin in plugins}
        for name, version in pins.items():
            plugin = by_name.get(name)
            if plugin is None or plugin.broken:
                continue  # reported as lacking
            if version and not (plugin.version + ".").startswith(version.rstrip(".*") + "."):
                raise PluginProblem(
                    f"{where}: plugin {name!r} is {plugin.version}, and the campaign needs {version}.",
                    f"Install {plugin.distribution} {version}, or change the pin.",
                )

    def _system_names(self, value: object, where: Place) -> list[str]:
        if not isinstance(value, list):
            self.faults.append(Fault(where, "should be a list of the names of game systems"))
            return []
        return list(map(str, value))  # unknown names are reported as lacking


def _compiler_source_files(index: installed_plugins.PluginIndex) -> list[str]:
    """Return the source files of strike and its systems that affect the compiled form.

    Editing one of them outdates the cache.
    """
    here = Path(__file__).parent
    own = [here / name for name in ("compiler.py", "references.py", "schemas.py")]
    own += [
        here.parent / name
        for name in (
            "included_and_stray_files.py",
            "untrusted_input.py",
            "validation_schemas_from_types.py",
            "validation.py",
        )
    ]
    own += [here.parent / "tabletop" / name for name in ("status_effect_schemas.py", "rules_vocabulary.py")]
    forms = [*schema_source_files(index)]
    return [str(file) for file in [*own, *forms]]


def _parse_sample_cached(raw: bytes) -> dict[str, object]:
    """Return the parsed TOML of a file that campaigns may include, from strike or a plugin.

    The result is cached, because parsing takes a fifth of the time of a new campaign's first command. Reading
    the cache takes almost no time.
    """
    from zlib import crc32

    kept = f"sample-{crc32(raw):08x}.json"
    text = raw.decode("latin-1")
    found: object = read_cache(kept, text)
    if isinstance(found, dict):
        return found
    read = parse_toml(raw)
    with suppress(TypeError):  # a date can't be stored as JSON
        write_cache(kept, text, read)
    return read


def _fault_in_plugin_file(plugin: InstalledPlugin, fault: Fault) -> Fault:
    """Return a fault with its place in the content file of a plugin.

    If the item with the fault isn't found in that file, the fault is returned unchanged.
    """
    kind, *keys = fault.place.keys or ("",)
    if fault.place.file != plugin.origin or not keys:
        return fault
    bare, *below = str(keys[0]).rpartition(":")[2], *keys[1:]
    for file in plugin.content:
        told = parse_toml(read_authored_file(Path(plugin.file).parent / file)).get(str(kind))
        if isinstance(told, dict) and bare in told:
            return Fault(Place(kind, bare, *below, file=file), fault.what)
    return fault


def _first_line(message: str) -> str:
    return message.partition("\n")[0].rstrip(".")


def _installed_plugins_named(data: Mapping[str, object]) -> list[str]:
    """Return the installed plugins that a campaign's file names.

    The file names a plugin under `plugins`, or one of the plugin's systems under `systems`.
    """
    every = installed_plugins.plugin_index()
    bringers = filter(None, map(every.plugin_of_system, _names_in_list_or_table(data.get("systems"))))
    named = dict.fromkeys(
        (*_names_in_list_or_table(data.get("plugins")), *(plugin.name for plugin in bringers))
    )
    return [plugin for plugin in named if any(each.name == plugin for each in every.plugins)]


def _names_in_list_or_table(value: object) -> list[str]:
    """Return the names in a list, or the keys of a table; [] for anything else."""
    return list(map(str, value)) if isinstance(value, list | Mapping) else []


def _decode_text(raw: bytes) -> str:
    """Return a file's text. Raises UnicodeError that names the line with the first byte that isn't UTF-8."""
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise UnicodeError(f"line {line} is not UTF-8") from None


def _flatten_keys(table: object, prefix: str = "") -> list[tuple[str, object]]:
    if not isinstance(table, Mapping):
        return [(prefix.rstrip("."), table)]
    return [pair for key, value in table.items() for pair in _flatten_keys(value, f"{prefix}{key}.")]


def _unique_included_files(main: Path, paths: Iterable[Path]) -> list[Path]:
    """Return the included files, each only once, without campaign.toml (`main`).

    Paths that differ only in case may mean one file, such as `Sam.toml` and `sam.toml`. If they do, only the
    first is returned.
    """
    found, seen = [], {(str(main).lower(), _file_identity(main))}
    for path in paths:
        known = str(path).lower(), _file_identity(path)
        if known[1] is None or known not in seen:
            found.append(path)
            seen.add(known)
    return found


def _file_identity(path: Path) -> tuple[int, int] | None:
    """Return the device and inode numbers of a file.

    Return None if the file is missing or has no such numbers.
    """
    try:
        status = os.stat(path)
    except (OSError, ValueError):
        return None
    return (status.st_dev, status.st_ino) if status.st_ino else None


def _faults_in_text(raw: bytes, error: ValueError, *, toml: bool) -> list[str]:
    """Return the faults in the text of a file that couldn't be read.

    `error` is the error from reading the file. If the file is TOML and no fault is found in its text, the
    list is empty.
    """
    if isinstance(error, UnicodeError):
        return [f"{error}; save it as UTF-8"]
    from ..broken_toml import find_toml_faults

    return list(map(str, find_toml_faults(_decode_text(raw)))) if toml else [str(error)]


def _file_problem(path: Path, name: str, raw: bytes, error: ValueError) -> CampaignProblem:
    """Return the error to raise for an unreadable TOML file. It lists the faults."""
    faults = [f"{name}: {fault}" for fault in _faults_in_text(raw, error, toml=True)]
    if not faults:
        return NotToml(path, error, "Fix that line; nothing was changed.")
    return ContentProblem(faults, "Fix these and run `strike doctor` again. Nothing was changed.")
