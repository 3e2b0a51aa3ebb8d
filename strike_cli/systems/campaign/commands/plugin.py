"""`strike plugin`: list, show, write and check plugins and content packs."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from strike_cli.campaign.create import write_new_folder
from strike_cli.content.merged_content import Book, book_of_core_and_plugins, with_content_checked
from strike_cli.content.name_index import singular_of_kind
from strike_cli.content.schemas import content_kinds_of_plugins
from strike_cli.problems import PluginProblem, Usage, did_you_mean, listed
from strike_cli.registry import known_systems
from strike_cli.registry.installed_plugins import InstalledPlugin, import_object, plugin_index
from strike_cli.registry.plugin_declaration import API
from strike_cli.registry.plugin_discovery import RESERVED_NAMES
from strike_cli.tabletop.foreign_map_files import MapFormat
from strike_cli.terminal.argument_completions import FOLDER, FREE
from strike_cli.terminal.command_output import Block, Line, Result, Span, Table
from strike_cli.terminal.commands_and_options import Options, command, new_app

from . import argument_completions

TEMPLATES = Path(__file__).parent / "templates" / "plugin"
PLUGIN_NAME_PATTERN = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
PACKAGE = "package"
"""The folder of the templates that becomes the plugin's package."""


class PluginKind(StrEnum):
    """The purpose of a new plugin; each kind has a folder of templates."""

    CONTENT = "content"
    STATUS = "status"
    STEP = "step"
    TARGET = "target"
    MAP = "map"
    COMMAND = "command"
    SYSTEM = "system"


def write_plugin(name: str, folder: Path, *, kind: PluginKind, title: str) -> list[str]:
    """Write the files of a new plugin, and return their paths below `folder`.

    Raises Usage for a name or a folder that can't be used.
    """
    _must_be_usable_plugin_name(name, kind)
    key = name.replace("-", "_")
    package = f"strike_{key}"
    words = {
        "@name@": name,
        "@table@": key,
        "@TABLE@": key.upper(),
        "@package@": package,
        "@title@": title,
        "@api@": str(API),
        "@class@": "".join(part.capitalize() for part in name.split("-")),
    }
    files = {}
    for part in ("shared", kind):
        for file in sorted((TEMPLATES / part).rglob("*")):
            if file.is_file():
                path = file.relative_to(TEMPLATES / part).as_posix().removesuffix(".txt")
                path = re.sub(f"^{PACKAGE}/", f"{package}/", path)
                files[path] = re.sub(
                    "@[a-zA-Z]+@", lambda word: words[word[0]], file.read_text(encoding="utf-8")
                )
    write_new_folder(folder, files)
    return list(files)


def _must_be_usable_plugin_name(name: str, kind: PluginKind) -> None:
    if not PLUGIN_NAME_PATTERN.fullmatch(name):
        raise Usage(f"{name!r} can't name a plugin.", "Lower case letters, digits and -, as in frost-hills.")
    taken = {plugin.name: plugin.origin for plugin in plugin_index().plugins}
    if kind in (PluginKind.COMMAND, PluginKind.SYSTEM):
        taken |= {name: "strike itself" for _, name in RESERVED_NAMES}
        taken |= dict.fromkeys(
            [*known_systems(), *plugin_index().groups, *plugin_index().system_tables], "an installed system"
        )
    if by := taken.get(name) or taken.get(name.replace("-", "_")):
        raise Usage(f"The name {name!r} is taken by {by}.", "Choose another; nothing was written.")


app = new_app("""Plugins and content packs: list, show, write and check them.

    Example: `strike plugin list`
    """)


@command(app, "list", kind="reads")
def list_(options: Options) -> Result:
    """List every installed plugin and content pack, its parts, and whether the campaign uses it.

    Example: `strike plugin list`
    """
    found, book = _rescan_plugins_packs_and_book(options)
    rows: list[list[Span]] = [
        [
            (plugin.name, "command"),
            f"{plugin.distribution} {plugin.version}" if plugin.distribution else plugin.value,
            ("broken", "bad") if plugin.broken else ("loads", "good"),
            *([_use_words(plugin, book)] if book else []),
            ("-" if plugin.broken else _content_counts_words(_contents_of(plugin, book)), "dim"),
        ]
        for plugin in found
    ]
    blocks: list[Block] = [Table(["Plugin", "From", "", *([book.name] if book else []), "Brings"], rows)]
    blocks += [(plugin.broken, "bad") for plugin in found if plugin.broken]
    if book and book.unlisted:
        blocks.append("`strike doctor --upgrade` lists the plugins in use in campaign.toml.")
    data = [_plugin_data(plugin) | ({"use": _use_words(plugin, book)} if book else {}) for plugin in found]
    return Result("plugin list", {"plugins": data}, blocks)


def _use_words(plugin: InstalledPlugin, book: Book | None) -> str:
    """Return in words whether a campaign plays with a plugin; "" without a campaign."""
    if book is None:
        return ""
    if plugin.name in book.unlisted:
        return "in use, not listed"
    if all(each.name != plugin.name for each in book.plugins):
        return "not in use here"
    return "in use"


def _contents_of(plugin: InstalledPlugin, campaign_book: Book | None) -> dict[str, list[str]]:
    """Return the names of everything that a plugin or a pack contains, by kind.

    Kinds without any are left out.
    """
    campaign_book = (
        book_of_core_and_plugins([plugin.name])
        if plugin.distribution
        else campaign_book or book_of_core_and_plugins()
    )
    prefix = f"{plugin.namespace or plugin.name}:"
    found = {"systems": list(plugin.systems)}
    found |= {
        kind: [key for key in campaign_book.table(kind) if key.startswith(prefix)]
        for kind in content_kinds_of_plugins(campaign_book.registry)
    }
    found |= {"targets": list(plugin.targets), "handlers": list(plugin.handlers)}
    found |= {"map formats": list(plugin.map_formats), "languages": list(plugin.languages)}
    found |= {name: list(words) for name, words in plugin.words.items()}
    return {kind: names for kind, names in found.items() if names}


def _rescan_plugins_packs_and_book(options: Options) -> tuple[list[InstalledPlugin], Book | None]:
    """Return all installed plugins followed by all packs, and the campaign's book.

    The installed plugins are searched for again. The book is None without a campaign.
    """
    from strike_cli.registry.installed_plugins import plugin_index

    found = [with_content_checked(plugin) for plugin in plugin_index(anew=True).plugins]
    campaign = options.open_campaign_if_any()
    book = campaign.book if campaign else book_of_core_and_plugins()
    return [*found, *(pack for pack in book.plugins if not pack.distribution)], book if campaign else None


def _content_counts_words(contents: Mapping[str, list[str]]) -> str:
    return (
        ", ".join(
            f"{len(names)} {singular_of_kind(kind) if len(names) == 1 else kind}"
            for kind, names in contents.items()
        )
        or "-"
    )


def _plugin_data(plugin: InstalledPlugin) -> dict[str, object]:
    fields = plugin.field_values_by_name()
    del fields["file"]
    return {key: value for key, value in fields.items() if value or key != "broken"}


@command(app, "show", kind="reads")
def show(
    options: Options, name: Annotated[str, typer.Argument(metavar=argument_completions.PLUGIN)]
) -> Result:
    """Show the parts of a plugin or pack: systems with their commands, content, targets, handlers.

    Example: `strike plugin show core`
    """
    every, book = _rescan_plugins_packs_and_book(options)
    known = {plugin.name: plugin for plugin in every}
    if name not in known:
        raise Usage(
            f"There is no plugin {name!r}.{did_you_mean(name, known)}", f"Installed: {listed(known)}."
        )
    plugin = known[name]
    blocks: list[Block] = [[(name, "title"), (f"  {plugin.origin}", "dim")]]
    if plugin.broken:
        blocks.append((plugin.broken, "bad"))
        return Result("plugin show", {**_plugin_data(plugin), "brings": {}}, blocks)
    brings = _contents_of(plugin, book)
    for each in plugin.systems:
        system = known_systems()[each]
        commands = ", ".join(f"strike {group}" for group in system.groups)
        blocks.append([(f"{each}: ", "strong"), system.title, (f"  {commands}", "command")])
    blocks += [
        [(f"{kind}: ", "dim"), ", ".join(names)] for kind, names in brings.items() if kind != "systems"
    ]
    return Result("plugin show", {**_plugin_data(plugin), "brings": brings}, blocks)


@command(app, "new", kind="reads")
def new(
    options: Options,
    name: Annotated[str, typer.Argument(metavar=FREE, help="Its name in campaigns: frost-hills.")],
    directory: Annotated[
        str, typer.Argument(metavar=FOLDER.with_text("[DIR]"), help="A folder to make. Default: strike-NAME.")
    ] = "",
    kind: Annotated[PluginKind, typer.Option("--kind", help="Its kind.")] = PluginKind.CONTENT,
    system: Annotated[bool, typer.Option("--system", help="The same as --kind system.")] = False,
    title: Annotated[str, typer.Option("--title", help="Its name in prose: 'The Frost Hills'.")] = "",
) -> Result:
    """Write a plugin to edit, with its tests: content, a game system, or another kind.

    Example: `strike plugin new frost-hills --title "The Frost Hills"`
    """
    from strike_cli.command_line_splitting import quote_word_if_needed

    folder = Path(directory or f"strike-{name}")
    kind = PluginKind.SYSTEM if system else kind
    files = write_plugin(name, folder, kind=kind, title=title or name.replace("-", " ").capitalize())
    lines: list[Line] = [
        [(f"strike-{name} is in {folder}", "strong"), f": {listed(files)}."],
        [("Next: ", "dim"), (f"cd {quote_word_if_needed(str(folder))}", "command"), ", then"],
        [("      ", "dim"), ('pip install -e ".[dev]"', "command")],
        [("      ", "dim"), ("pytest", "command")],
    ]
    return Result("plugin new", {"folder": str(folder), "name": name, "files": files}, [*lines])


@command(app, "doctor", kind="reads")
def doctor(options: Options) -> Result:
    """Check all installed plugins, and load everything that they declare.

    Kinds of targets are checked without a tabletop (`bridge test`). If nothing is wrong so far, the example
    evenings of the plugins' systems are played. The exit code is 4 if something is wrong.

    Example: `strike plugin doctor`
    """
    from strike_bridge.target_contract import check_loadable_plugin_kinds
    from strike_bridge.targets import plugin_kind_faults as troubles_of_targets
    from strike_cli.plugin.changelog_renames import renamed_names_used_by
    from strike_cli.plugin.plugin_checks import plugin_faults

    known, _ = _rescan_plugins_packs_and_book(options)
    found = [plugin for plugin in known if plugin.distribution]
    troubles = [plugin.broken for plugin in known if plugin.broken]
    troubles += [fault for plugin in found if not plugin.broken for fault in plugin_faults(plugin)]
    troubles += troubles_of_targets()
    tried = list(check_loadable_plugin_kinds())
    troubles += [fault for one in tried for fault in one.faults]
    sick = bool(troubles)
    played = [name for plugin in found for name in plugin.systems if not sick and _system_has_example(name)]
    for name in played:
        troubles += _play_example_and_yield_failures(name)
    troubles = list(dict.fromkeys(troubles))
    not_tried = {f"target {one.kind}": one.not_tried for one in tried if one.not_tried}
    not_tried |= {
        f"map format {ending}": _NO_FILE
        for plugin in found
        for ending, reference in plugin.map_formats.items()
        if not sick and not _format_can_write(reference)
    }
    if sick:
        not_tried["evenings of examples"] = "fix these first"
    targets = [one.kind for one in tried if not one.not_tried]
    lines: list[Block] = [(trouble, "bad") for trouble in troubles]
    older = {
        plugin.name: renamed_names_used_by(plugin.value.partition(":")[0])
        for plugin in found
        if plugin.broken and 0 < plugin.api < API
    }
    lines += [
        Table([f"In {name}", "in this version of the plugin API"], [[was, now] for was, now in changes])
        for name, changes in older.items()
        if changes
    ]
    if not troubles:
        lines.append((f"{len(known)} plugins: everything they name loads.", "good"))
        lines += [(f"Evenings played to their end: {listed(played)}.", "good")] if played else []
        lines += [(f"Targets tried without a tabletop: {listed(targets)}.", "good")] if targets else []
    lines += [(f"Not tried: {what} ({why.rstrip('.')}).", "dim") for what, why in not_tried.items()]
    data = {
        "troubles": troubles,
        "played": played,
        "targets": targets,
        "not_tried": not_tried,
        "older": older,
    }
    return Result("plugin doctor", data, lines, problem=_doctor_problem(troubles))


def _doctor_problem(troubles: Sequence[str]) -> PluginProblem | None:
    if not troubles:
        return None
    count = "One thing is" if len(troubles) == 1 else f"{len(troubles)} things are"
    return PluginProblem(f"{count} broken.", "Fix or remove them.")


_NO_FILE = "it only reads files: `strike map show FILE`"
"""The reason why a map format is tried with an empty file alone."""


def _format_can_write(reference: str) -> bool:
    found: MapFormat = import_object(reference)
    return found.write is not None


EXAMPLE_SECONDS = 60.0
"""The most seconds that the evening of an example may take."""


def _system_has_example(name: str) -> bool:
    from strike_cli.registry import load_known_system

    return bool(load_known_system(name).example)


def _play_example_and_yield_failures(name: str) -> Iterator[str]:
    """Play the example of a system to its end in another process, and yield each failure.

    The process is stopped after EXAMPLE_SECONDS.
    """
    import subprocess
    import sys
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        words = ["demo", "--system", name, "--no-table", "--keep", "evening"]
        try:
            ran = subprocess.run(
                [sys.executable, "-m", "strike_cli", *words],
                cwd=folder,
                capture_output=True,
                text=True,
                timeout=EXAMPLE_SECONDS,
                check=False,
            )
        except subprocess.TimeoutExpired:
            yield f"The example of {name!r} did not end within {EXAMPLE_SECONDS:.0f} seconds."
            return
    if ran.returncode:
        said = (ran.stderr or ran.stdout).strip().splitlines()
        yield f"The example of {name!r} fails with exit code {ran.returncode}: {' '.join(said[-2:])}"
