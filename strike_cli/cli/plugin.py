"""`strike plugin`: what is installed, and whether it is sound."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from ..content.book import bare_book
from ..content.schemas import content_kinds
from ..problems import PluginProblem, Usage, listed, nearest
from ..registry.installed import Installed
from ..terminal.options import Options, command, new_app
from ..terminal.result import Block, Result, Span, Table

app = new_app()


@app.callback()
def _group() -> None:
    """Plugins: what is installed, what each brings, whether it is sound.

    Example: `strike plugin list`
    """


@command(app, "list", kind="reads")
def list_(options: Options) -> Result:
    """Every plugin that is installed.

    Example: `strike plugin list`
    """
    book = bare_book()
    rows: list[list[Span]] = [
        [
            (plugin.name, "command"),
            f"{plugin.distribution} {plugin.version}",
            ("broken", "bad") if plugin.broken else ("sound", "good"),
        ]
        for plugin in book.plugins
    ]
    blocks: list[Block] = [Table(["Plugin", "From", ""], rows)]
    blocks += [(trouble, "bad") for trouble in book.troubles]
    return Result("plugin list", {"plugins": [_as_json(plugin) for plugin in book.plugins]}, blocks)


def _as_json(plugin: Installed) -> dict[str, Any]:
    """A plugin as `--json` shows it."""
    told = plugin._asdict()
    del told["file"]
    return {key: value for key, value in told.items() if value or key != "broken"}


@command(app, "show", kind="reads")
def show(options: Options, name: Annotated[str, typer.Argument(metavar="NAME")]) -> Result:
    """What one plugin brings.

    Example: `strike plugin show core`
    """
    book = bare_book()
    known = {plugin.name: plugin for plugin in book.plugins}
    if name not in known:
        raise Usage(f"There is no plugin {name!r}.{nearest(name, known)}", f"Installed: {listed(known)}.")
    plugin = known[name]
    prefix = f"{plugin.namespace or name}:"
    brings = {kind: [key for key in book.table(kind) if key.startswith(prefix)] for kind in content_kinds()}
    blocks: list[Block] = [[(name, "title"), (f"  {plugin.distribution} {plugin.version}", "dim")]]
    if plugin.broken:
        blocks.append((plugin.broken, "bad"))
    kinds = {"systems": list(plugin.systems), **brings, "targets": list(plugin.targets)}
    blocks += [[(f"{kind}: ", "dim"), ", ".join(keys)] for kind, keys in kinds.items() if keys]
    return Result("plugin show", {**_as_json(plugin), "brings": brings}, blocks)


@command(app, "doctor", kind="reads")
def doctor(options: Options) -> Result:
    """Check every plugin; exit code 4 where one is broken.

    Example: `strike plugin doctor`
    """
    from strike_bridge.targets import troubles as troubles_of_targets

    book = bare_book()
    troubles = [*book.troubles, *troubles_of_targets()]
    lines: list[Block] = [(trouble, "bad") for trouble in troubles]
    lines = lines or [(f"All {len(book.plugins)} plugins are sound.", "good")]
    problem = None
    if troubles:
        problem = PluginProblem(f"{len(troubles)} plugins are broken.", "Mend or remove what is named.")
    return Result("plugin doctor", {"troubles": troubles}, lines, problem=problem)
