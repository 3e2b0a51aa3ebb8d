"""The book: all that people wrote, from campaign.toml, its includes and the plugins, checked and merged.

Reading it anew costs tens of milliseconds, so the checked form is cached under the stamps of every file
it came from. Nothing here ever writes what people wrote.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from .. import __version__
from ..problems import CampaignProblem, ContentProblem, PluginProblem, Usage, listed, nearest
from . import CAMPAIGN_FILE, plugins

SCHEMA = 1
SAMPLES = Path(__file__).parent / "samples"
"""Content that comes with strike, for campaigns that include it: `include = ["strike:archetypes.toml"]`."""
_SAMPLES_SIGN = "strike:"
_NOT_INCLUDED = (CAMPAIGN_FILE, "state.toml", "secrets.toml")
_OWN_FILES = [
    str(Path(__file__).parent / file)
    for file in ("book.py", "forms.py", "schema.py", "../rules/numbers/house.toml")
]
"""What the checked form depends on besides what people wrote, where strike itself is being worked on."""
KINDS = ("conditions", "statuses", "powers", "creatures", "traits")
_STEP_NEEDS = {
    "apply": ("status",),
    "zone": ("name",),
    "note": ("text",),
    "handler": ("handler",),
    **dict.fromkeys(("damage", "heal", "push", "pull", "slide", "shift", "teleport"), ("amount",)),
}
"""What a step of a power can't do without."""


class Book:
    """What people wrote. Every attribute is a plain table; rules read them and never change them.

    `conditions`, `statuses`, `powers`, `creatures` and `traits` are keyed by full id: `core:dazed`,
    `elements:burning`, or a bare id for what the campaign itself brings. `handlers` are plugins' own, keyed
    by full id, and `calls` in one is its "module:function".
    """

    __slots__ = (
        "characters",
        "chases",
        "conditions",
        "conflicts",
        "creatures",
        "digest",
        "encounters",
        "handlers",
        "house",
        "name",
        "plugins",
        "powers",
        "seed",
        "statuses",
        "targets",
        "traits",
        "troubles",
        "where",
    )  # fmt: skip

    def __init__(self, compiled: Mapping[str, Any]) -> None:
        for slot in self.__slots__:
            setattr(self, slot, compiled[slot])

    name: str
    seed: int | None
    digest: str
    house: dict[str, Any]
    characters: dict[str, Any]
    creatures: dict[str, Any]
    conditions: dict[str, Any]
    statuses: dict[str, Any]
    powers: dict[str, Any]
    traits: dict[str, Any]
    encounters: dict[str, Any]
    handlers: dict[str, Any]
    conflicts: dict[str, Any]
    chases: dict[str, Any]
    targets: dict[str, Any]
    plugins: list[dict[str, Any]]
    troubles: list[str]
    where: dict[str, str]

    def find(self, kind: str, name: str) -> str:
        """The full id of a condition, status, power or creature named by id or by the part after the colon.

        Raises Usage naming the nearest, or the candidates where several fit.
        """
        table: Mapping[str, Any] = getattr(self, kind)
        found = matching(name, table)
        if len(found) == 1:
            return found[0]
        one = {"statuses": "status"}.get(kind, kind[:-1])
        if found:
            raise Usage(f"Which {one} is {name!r}: {listed(found)}?", "Give the full id.")
        shown = [key.rpartition(":")[2] for key in table]
        raise Usage(
            f"There is no {one} {name!r}.{nearest(name, [*shown, *table])}",
            f"`strike content list` shows all. Known: {listed(sorted(shown))}.",
        )


def matching(name: str, table: Mapping[str, Any]) -> list[str]:
    """Full ids that a name may mean: the id itself, else its last part, else a display name; case aside."""
    low = name.strip().lower().replace(" ", "-")
    tests: tuple[Callable[[str], bool], ...] = (
        lambda key: key.lower() == low,
        lambda key: key.rpartition(":")[2].lower() == low,
        lambda key: str(table[key].get("name", "")).lower() == name.strip().lower(),
    )
    for test in tests:
        found = [key for key in table if test(key)]
        if found:
            return found
    return []


def bare_book() -> Book:
    """The book of no campaign: the core's and the plugins' content, house rules at their defaults."""
    return _open("book-bare.json", None)


def open_book(folder: Path) -> Book:
    """The book of the campaign in `folder`, from the cache where no file has changed since.

    Raises ContentProblem with every mistake, CampaignProblem where a file can't be read.
    """
    from zlib import crc32

    return _open(f"book-{crc32(os.fsencode(os.path.abspath(folder))):08x}.json", folder)


def _open(name: str, folder: Path | None) -> Book:
    """From the cache of this name where it still holds."""
    key = [__version__, plugins.fingerprint()]
    kept = plugins.read_cache(name, key)
    if isinstance(kept, dict) and "stamps" in kept and _unchanged(kept["stamps"]):
        return Book(kept["compiled"])
    compiler = _Compiler(folder)
    compiled = compiler.compile()
    if compiler.settled():
        plugins.write_cache(name, key, {"stamps": compiler.stamps, "compiled": compiled})
    return Book(compiled)


def _stamp(path: str) -> list[int] | None:
    try:
        status = os.stat(path)
    except OSError:
        return None
    return [status.st_mtime_ns, status.st_size, status.st_ino]


def _unchanged(stamps: Mapping[str, Any]) -> bool:
    # A file that can't be read any more is said to be so, whatever is remembered of it.
    return all(_stamp(path) == kept and os.access(path, os.R_OK) for path, kept in stamps.items())


class _Compiler:
    """Reads, checks and merges; collects faults so that all are told at once."""

    def __init__(self, folder: Path | None) -> None:
        self.folder = folder
        self.stamps: dict[str, list[int] | None] = {}
        self.faults: list[str] = []
        self.troubles: list[str] = []
        self.tables: dict[str, dict[str, Any]] = {}
        self.where: dict[str, str] = {}
        self.owner: dict[tuple[str, str], str] = {}
        self.unsound: set[tuple[str, str]] = set()
        self.asking = ""
        self.text = b""

    def settled(self) -> bool:
        """Whether what was read may be kept: a plugin that is broken may be mended without a trace in any
        stamp, and a file that is very new may change once more within the same one."""
        newest = max((stamp[0] for stamp in self.stamps.values() if stamp), default=0)
        return not self.troubles and plugins.settled(newest)

    def compile(self) -> dict[str, Any]:
        from zlib import crc32

        from .forms import CAMPAIGN, house_defaults

        self.tables = {kind: {} for kind in (*CAMPAIGN, "handlers")}
        for file in _OWN_FILES:
            self.stamps[file] = _stamp(file)
        found = self._sound_plugins()
        head: dict[str, Any] = {"name": "", "house": house_defaults(), "targets": {}}
        if self.folder is not None:
            head = self._campaign(found)
        self._check_references()
        if self.faults:
            hint = "Mend what is named and try again; `strike doctor` checks the whole campaign."
            raise ContentProblem(self.faults, "\n".join([hint, *self.troubles]))
        return {
            "name": head["name"],
            "seed": head.get("seed"),
            "digest": f"{crc32(self.text):08x}",
            "house": head["house"],
            "targets": head["targets"],
            **self.tables,
            "plugins": found,
            "troubles": self.troubles,
            "where": self.where,
        }

    # Plugins

    def _plugins(self, broken: Mapping[str, str]) -> list[dict[str, Any]]:
        found = [dict(point) for point in plugins.discover()]
        for point in found:
            try:
                if point["value"] in broken:
                    raise PluginProblem(broken[point["value"]])
                self._plugin(point)
            except PluginProblem as problem:
                point["broken"] = problem.message
                self.troubles.append(problem.message)
        return found

    def _plugin(self, point: dict[str, Any]) -> None:
        """What one plugin brings. A mistake in any of its files switches it off whole, and nothing else."""
        plugin = plugins.load(point)
        point.update(namespace=plugin.name, targets=plugin.targets, commands=plugin.commands)
        module = plugins.load_object(point["value"].partition(":")[0] + ":__file__")
        self.stamps[module] = _stamp(module)
        faults: list[str] = []
        brought: list[tuple[str, str, Any]] = []
        for file in plugin.content:
            try:
                data = self._read(Path(module).parent / file)
            except CampaignProblem as problem:
                faults.append(problem.message)
                continue
            brought += self._plugin_items(point, file, data, faults)
        if faults:
            raise PluginProblem(
                f"Plugin {point['name']!r} of {point['distribution']} {point['version']} is broken: "
                + "; ".join(faults)
            )
        for key, what in plugin.handlers.items():
            self.tables["handlers"][f"{plugin.name}:{key}"] = {"calls": what}
        origin = f"{point['distribution']} {point['version']} ({point['name']})"
        for kind, full, item in brought:
            self.tables[kind][full] = item
            self.where[f"{kind}.{full}"] = origin
            self.owner[kind, full] = point["namespace"]

    def _plugin_items(
        self, point: Mapping[str, Any], file: str, data: Mapping[str, Any], faults: list[str]
    ) -> Iterator[tuple[str, str, Any]]:
        """Kind, full id and checked form of everything in one content file."""
        from .forms import CONTENT, ID
        from .schema import TableOf

        for kind, value in data.items():
            if kind not in CONTENT:
                faults.append(f"{file}: {kind}: no such kind of content.{nearest(kind, CONTENT)}")
                continue
            for key, item in TableOf(CONTENT[kind], ID).check(value, f"{file}: {kind}", faults).items():
                full = key if ":" in key else f"{point['namespace']}:{key}"
                if full in self.tables[kind] and not item.get("override"):
                    faults.append(
                        f"{file}: {kind}.{key}: {full} comes from "
                        f"{self.where[f'{kind}.{full}']} already; say override = true to replace it"
                    )
                yield kind, full, item

    # The campaign

    def _campaign(self, found: list[dict[str, Any]]) -> dict[str, Any]:
        from .forms import CAMPAIGN, ID, TARGET, house_defaults
        from .schema import Number, TableOf, Text

        assert self.folder is not None
        main = self.folder / CAMPAIGN_FILE
        files = self._files(main)
        head: dict[str, Any] = {"house": house_defaults(), "targets": {}, "name": self.folder.name}
        allowed = {*CAMPAIGN, "schema", "name", "seed", "include", "plugins", "house", "bridge", "summary"}
        for path, data in files:
            file = _SAMPLES_SIGN + path.name if path.parent == SAMPLES else os.path.relpath(path, self.folder)
            for key, value in data.items():
                where = f"{file}: {key}"
                if key not in allowed:
                    self.faults.append(
                        f"{where}: no such key.{nearest(key, allowed)} "
                        f"Known keys: {listed(sorted(allowed), 30)}."
                    )
                elif key in CAMPAIGN:
                    before = len(self.faults)
                    items = TableOf(CAMPAIGN[key], ID).check(value, where, self.faults)
                    self.unsound |= {
                        (key, name)
                        for name in items
                        if any(fault.startswith(f"{where}.{name}") for fault in self.faults[before:])
                    }
                    self._add(key, items, file)
                elif key == "include" and path != main:
                    self.faults.append(f"{where}: only {main.name} includes other files")
                elif key == "house":
                    self._house(head["house"], value, where)
                elif key == "bridge":
                    self._targets(head["targets"], value, where, TARGET)
                elif key == "plugins":
                    self._pins(value, where, found)
                elif key == "seed":
                    head["seed"] = Number(0).check(value, where, self.faults)
                elif key == "name":
                    head["name"] = Text().check(value, where, self.faults)
        return head

    def _files(self, main: Path) -> list[tuple[Path, dict[str, Any]]]:
        data = self._read(main)
        schema = data.get("schema")
        if schema is None:
            self.faults.append(f"{main.name}: schema: missing; write schema = {SCHEMA} at the top")
        elif not isinstance(schema, int) or isinstance(schema, bool) or schema < 1:
            self.faults.append(f"{main.name}: schema: should be {SCHEMA}, not {schema!r}")
        elif schema > SCHEMA:
            raise CampaignProblem(
                f"{main}: schema = {schema} is newer than this strike understands ({SCHEMA}).",
                "Upgrade strike: `pip install --upgrade strike-cli`. Nothing was changed.",
            )
        files = [(main, data)]
        includes = data.get("include", [])
        if not isinstance(includes, list) or not all(isinstance(item, str) for item in includes):
            self.faults.append(f'{main.name}: include: should be a list of paths, like ["characters/*.toml"]')
            includes = []
        paths: dict[Path, None] = {}
        for pattern in includes:
            paths |= dict.fromkeys(self._included(main, pattern))
        found = [(path, self._read(path)) for path in paths]
        # What comes with strike first, so that the campaign's own may override it.
        return [*(item for item in found if item[0].parent == SAMPLES), *files,
                *(item for item in found if item[0].parent != SAMPLES)]  # fmt: skip

    def _included(self, main: Path, pattern: str) -> list[Path]:
        """The files that a pattern means; never campaign.toml itself, nor what the tool keeps beside it.
        `strike:` in front means one of the files that come with strike."""
        if pattern.startswith(_SAMPLES_SIGN):
            return self._sample(main, pattern.removeprefix(_SAMPLES_SIGN))
        folder = main.parent
        try:
            paths = sorted(folder.glob(pattern))
        except (ValueError, NotImplementedError):
            self.faults.append(f"{main.name}: include: {pattern!r} is no path below the campaign's folder")
            return []
        # Folders count too: a file added to one changes its stamp.
        parent = (folder / pattern).parent
        while any(sign in str(parent.relative_to(folder)) for sign in "*?["):
            parent = parent.parent
        deep = parent != (folder / pattern).parent
        for place in [parent, *(path for path in (parent.rglob("*") if deep else ()) if path.is_dir())]:
            self.stamps[str(place)] = _stamp(str(place))
        if not paths and not any(sign in pattern for sign in "*?["):
            self.faults.append(f"{main.name}: include: {pattern!r} is not there")
        return [path for path in paths if path.parent != folder or path.name not in _NOT_INCLUDED]

    def _sample(self, main: Path, name: str) -> list[Path]:
        known = {path.name: path for path in sorted(SAMPLES.glob("*.toml"))}
        if name not in known:
            self.faults.append(
                f"{main.name}: include: no {name!r} comes with strike.{nearest(name, known)} "
                f"There is {listed(known)}."
            )
        return [known[name]] if name in known else []

    def _read(self, path: Path) -> dict[str, Any]:
        import tomllib

        self.stamps[str(path)] = _stamp(str(path))
        try:
            raw = path.read_bytes()
            self.text += raw
            return tomllib.loads(raw.decode("utf-8-sig"))
        except FileNotFoundError:
            raise CampaignProblem(f"{path} is not there.", "`strike new DIR` makes a campaign.") from None
        except (OSError, UnicodeDecodeError) as error:
            raise CampaignProblem(
                f"{path} can't be read: {error}.", "Check the file and its permissions."
            ) from None
        except tomllib.TOMLDecodeError as error:
            raise CampaignProblem(
                f"{path} is not valid TOML: {error}.", "Mend that line; nothing was changed."
            ) from None

    def _add(self, kind: str, items: Mapping[str, Any], file: str) -> None:
        table = self.tables[kind]
        for key, item in items.items():
            place = self.where.get(f"{kind}.{key}")
            if place and not item.get("override"):
                self.faults.append(f"{file}: {kind}.{key}: comes from {place} already")
            table[key] = item
            self.where[f"{kind}.{key}"] = file

    def _house(self, house: dict[str, Any], value: Any, where: str) -> None:
        from .forms import house_kinds

        kinds = house_kinds()
        for key, setting in _flat(value):
            if key not in kinds:
                known = listed(sorted(kinds), 30)
                self.faults.append(f"{where}.{key}: no such house rule.{nearest(key, kinds)} Known: {known}.")
            else:
                house[key] = kinds[key].check(setting, f"{where}.{key}", self.faults)

    def _targets(self, targets: dict[str, Any], value: Any, where: str, form: Any) -> None:
        from .schema import Record, TableOf

        checked = Record(targets=TableOf(form)).check(value, where, self.faults)
        targets.update(checked.get("targets", {}))

    def _pins(self, value: Any, where: str, found: list[dict[str, Any]]) -> None:
        """`plugins = ["elements"]`, or with the version that is needed: { elements = "0.1" }."""
        if isinstance(value, list):
            pins = {str(name): "" for name in value}
        elif isinstance(value, Mapping):
            pins = {str(name): str(version) for name, version in value.items()}
        else:
            self.faults.append(f"{where}: should be a list of plugin names, or a table of name and version")
            return
        there = {point["name"]: point for point in found}
        for name, version in pins.items():
            point = there.get(name)
            if point is None:
                raise PluginProblem(
                    f"{where}: plugin {name!r} is not installed.{nearest(name, there)}",
                    f"Install it, or take it out of plugins. Installed: {listed(sorted(there))}.",
                )
            if "broken" in point:
                raise PluginProblem(
                    f"{where}: {point['broken']}", "Mend the plugin, or take it out of plugins."
                )
            if version and not (point["version"] + ".").startswith(version.rstrip(".*") + "."):
                raise PluginProblem(
                    f"{where}: plugin {name!r} is {point['version']}, and the campaign needs {version}.",
                    f"Install {point['distribution']} {version}, or change the pin.",
                )

    # What names something else

    def _sound_plugins(self) -> list[dict[str, Any]]:
        """What plugins bring. One that names what isn't there is switched off, then what leans on it."""
        broken: dict[str, str] = {}
        while True:
            self.tables = {kind: {} for kind in self.tables}
            self.where, self.owner, self.troubles = {}, {}, []
            found = self._plugins(broken)
            dangling = {}
            for point in [point for point in found if "broken" not in point]:
                self._check_references(point["namespace"])
                if self.faults:
                    dangling[point["value"]] = (
                        f"Plugin {point['name']!r} of {point['distribution']} {point['version']} is broken: "
                        + "; ".join(self.faults)
                    )
                    self.faults = []
            if not dangling:
                return found
            broken |= dangling

    def _owned(self, kind: str, owner: str) -> list[tuple[str, Any]]:
        """The items of a kind that a plugin (by its namespace) or the campaign (\"\") brought."""
        return [
            (key, item)
            for key, item in self.tables[kind].items()
            if self.owner.get((kind, key), "") == owner and (kind, key) not in self.unsound
        ]

    def _check_references(self, owner: str = "") -> None:
        self.asking = owner
        for kind in ("characters", "creatures"):
            for key, item in self._owned(kind, owner):
                item["powers"] = [
                    self._resolve("powers", power, f"{self._at(kind, key)}.powers")
                    for power in item["powers"]
                ]
        for key, item in self._owned("powers", owner):
            self._check_power(item, self._at("powers", key))
        for key, item in self._owned("statuses", owner):
            item["implies"] = [
                self._resolve("statuses", name, f"{self._at('statuses', key)}.implies")
                for name in item["implies"]
            ]
        for kind in ("statuses", "conditions"):
            for key, item in self._owned(kind, owner):
                self._check_reactions(item["reactions"], f"{self._at(kind, key)}.reactions")
        for key, item in self._owned("creatures", owner):
            for number, trait in enumerate(item["traits"]):
                if not isinstance(trait, str):
                    at = f"{self._at('creatures', key)}.traits[{number + 1}].reactions"
                    self._check_reactions(trait["reactions"], at)
        for key, item in self._owned("conditions", owner):
            if escalates := item.get("escalates"):
                at = f"{self._at('conditions', key)}.escalates.to"
                item["escalates"] = {**escalates, "to": self._resolve("conditions", escalates["to"], at)}
        for key, item in self._owned("encounters", owner):
            self._check_encounter(key, item)
        for key, item in self._owned("traits", owner):
            for one, other in (("either", "either_when"), ("next_on", "next_defense")):
                if (one in item) != (other in item):
                    self.faults.append(f"{self._at('traits', key)}: {one} and {other} need each other")
        for key, item in self._owned("conflicts", owner):
            self._check_teams(key, item)

    def _check_reactions(self, reactions: list[dict[str, Any]], at: str) -> None:
        needs = {"damage": "amount", "heal": "amount", "note": "text", "roll": "faces", "handler": "handler"}
        for number, reaction in enumerate(reactions):
            where = f"{at}[{number + 1}]"
            need = needs.get(reaction["do"])
            if need and need not in reaction:
                self.faults.append(f"{where}: {reaction['do']} needs {need}")
            self._check_applied(reaction, where)
            if "handler" in reaction:
                reaction["handler"] = self._resolve("handlers", reaction["handler"], f"{where}.handler")
            if "faces" in reaction:
                reaction.setdefault("roll", "panic")
                self._check_faces(reaction["faces"], f"{where}.faces")

    def _check_faces(self, faces: dict[str, list[dict[str, Any]]], at: str) -> None:
        """Steps for each face of a d6, once."""
        seen: list[int] = []
        for span, steps in faces.items():
            first, _, last = span.partition("-")
            seen += range(int(first), int(last or first) + 1)
            for step in steps:
                for each in [step, *step["otherwise"]]:
                    self._check_applied(each, f"{at}.{span}")
        if sorted(seen) != [1, 2, 3, 4, 5, 6]:
            self.faults.append(f"{at}: should say once for each face from 1 to 6 what happens")

    def _check_applied(self, item: dict[str, Any], at: str) -> None:
        """A status that content applies: which, and until when (a save, where nothing is said)."""
        if item["do"] != "apply":
            return
        if "status" not in item:
            self.faults.append(f"{at}: apply needs a status")
            return
        self._resolve_status(item, "status", at)
        self._check_duration(item, at)

    def _check_duration(self, item: dict[str, Any], at: str) -> None:
        if item["do"] != "apply":
            return
        item.setdefault("duration", "save")
        if (item["duration"] == "until") != ("until" in item):
            self.faults.append(f'{at}: duration = "until" goes with until, the fact that ends it')

    def _check_power(self, power: dict[str, Any], at: str) -> None:
        from .forms import PARTS

        self.faults += shape_faults(power, at)
        for number, bonus in enumerate(power["bonus"]):
            self._resolve_status(bonus, "if_status", f"{at}.bonus[{number + 1}]")
        for part in PARTS:
            for number, step in enumerate(power[part]):
                self._check_step(step, f"{at}.{part}[{number + 1}]")

    def _check_step(self, step: dict[str, Any], at: str) -> None:
        from .forms import ZONE_ENDS

        for key in _STEP_NEEDS.get(step["do"], ()):
            if key not in step:
                self.faults.append(f"{at}: {step['do']} needs {'an' if key[0] in 'ae' else 'a'} {key}")
        self._resolve_status(step, "status", at)
        self._resolve_status(step, "if_status", at)
        self._check_duration(step, at)
        if step["do"] == "zone" and step.get("duration", "encounter") not in ZONE_ENDS:
            self.faults.append(f"{at}.duration: a zone ends at {listed(ZONE_ENDS)}")
        if "handler" in step:
            step["handler"] = self._resolve("handlers", step["handler"], f"{at}.handler")

    def _resolve_status(self, item: dict[str, Any], key: str, at: str) -> None:
        if key in item:
            item[key] = self._resolve("statuses", item[key], f"{at}.{key}")

    def _check_teams(self, key: str, item: dict[str, Any]) -> None:
        for side in ("team", "their_team"):
            for who in item[side]:
                if who not in self.tables["characters"]:
                    hint = nearest(who, self.tables["characters"])
                    self.faults.append(f"{self._at('conflicts', key)}.{side}: no character {who!r}.{hint}")

    def _check_encounter(self, key: str, item: dict[str, Any]) -> None:
        from .encounters import map_faults

        at = self._at("encounters", key)
        for name in ("place", "at"):
            refs: dict[str, Any] = item.get(name, {})
            for sign in list(refs):
                # In `place` a sign names somebody, in `at` somebody has squares.
                who = refs[sign] if name == "place" else sign
                if who not in ("party", "enemies", *self.tables["characters"]):
                    if name == "place":
                        who = self._counted(item, sign, who)
                    found = self._resolve("creatures", who, f"{at}.{name}.{sign}")
                    if name == "place":
                        refs[sign] = found
                    else:
                        refs[found] = refs.pop(sign)
        item["creatures"] = {
            self._resolve("creatures", who, f"{at}.creatures"): count
            for who, count in item["creatures"].items()
        }
        if not self.faults:
            tables = self.tables["creatures"], self.tables["characters"]
            faults = map_faults(item, lambda who: next((table[who] for table in tables if who in table), {}))
            self.faults += [f"{at}.{fault}" for fault in faults]

    def _counted(self, item: dict[str, Any], sign: str, who: str) -> str:
        """The creature of a sign; of `goblin:4` the count is kept apart."""
        name, _, count = who.rpartition(":")
        if not name or not count.isdigit():
            return who
        item.setdefault("counts", {})[sign] = int(count)
        return name

    def _at(self, kind: str, key: str) -> str:
        return f"{self.where.get(f'{kind}.{key}', '')}: {kind}.{key}"

    def _resolve(self, kind: str, name: Any, at: str) -> str:
        table = self.tables[kind]
        # A bare name means one's own thing first, whatever else bears that name.
        own = f"{self.asking}:{name}" if self.asking else ""
        found = [own] if own in table else matching(str(name), table)
        if len(found) == 1:
            return found[0]
        if found:
            self.faults.append(f"{at}: {name!r} may be {listed(found)}; give the full id")
        else:
            known = [key.rpartition(":")[2] for key in table]
            one = {"statuses": "status"}.get(kind, kind[:-1])
            self.faults.append(f"{at}: there is no {one} {name!r}.{nearest(str(name), known)}")
        return str(name)


def shape_faults(power: Mapping[str, Any], at: str) -> list[str]:
    """What can't be right about whom a power comes to, whatever else there is: a line each."""
    from .forms import SHAPES

    faults = []
    shapes = [shape for shape in SHAPES if shape in power]
    if len(shapes) > 1:
        faults.append(f"{at}: has {' and '.join(shapes)}; a power has one area")
    if "area" in power and "range" not in power:
        faults.append(f"{at}: area needs a range: how far off the middle of it may be")
    if "damage" in power and not shapes and "reach" not in power and "range" not in power:
        faults.append(f"{at}: damage needs reach, range, {', '.join(SHAPES)}: whom it can hit")
    if "on" in power and power.get("action") not in ("interrupt", "free", "none"):
        faults.append(f"{at}: on: what happens by itself is an interrupt, free or no action")
    return faults


def _flat(table: Any, prefix: str = "") -> list[tuple[str, Any]]:
    if not isinstance(table, Mapping):
        return [(prefix.rstrip("."), table)]
    return [pair for key, value in table.items() for pair in _flat(value, f"{prefix}{key}.")]
