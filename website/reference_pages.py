"""Make the website's reference pages from the program itself.

The pages list commands, keys, JSON, facts, rules and clauses. Texts on commands are taken from their help,
texts on keys from the schemas, and rules from their numbered texts. So nobody has to write these texts twice.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from typer.core import TyperArgument, TyperGroup

from strike_cli import registry, validation
from strike_cli.content.schemas import ALIASES, CAMPAIGN_HEAD, DICE, TARGET, schemas_of_working_systems
from strike_cli.registry.numbered_rules import clauses_of, rules_of
from strike_cli.registry.system_declaration import System
from strike_cli.session.command_catalogue import build_whole_group
from strike_cli.terminal.commands_and_options import AnyCommand, commands_of
from strike_cli.terminal.usage_refusals import Parameter

from . import api_reference

ROOT = Path(__file__).parents[1]
KEYS_OF_DATA = ROOT / "tests" / "data" / "keys.toml"
"""The keys of every command's `data`, against which the tests check every command."""
MADE = "<!-- Made from the program: change that. -->\n\n"
EVERYWHERE = "Everywhere"
"""The title of the panel with the options that every command takes."""


def reference_pages() -> dict[str, str]:
    """Return every generated page, by its path below `reference`."""
    return {
        "commands.md": MADE + command_index_page(),
        **{f"commands/{slug(title)}.md": MADE + page for title, page in command_pages_by_title().items()},
        "keys.md": MADE + keys_page(),
        "json.md": MADE + json_and_facts_page(),
        "rules.md": MADE + rules_page(),
        "clauses.md": MADE + rule_clauses_page(),
        **{name: MADE + page for name, page in api_reference.api_pages().items()},
    }


def slug(title: str) -> str:
    """Return a title in the form used in file names and anchors."""
    return re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")


# Commands


def all_commands_with_title_and_path() -> Iterator[tuple[str, str, AnyCommand]]:
    """Yield every command: the title of its group, its words, and the command itself."""
    from strike_cli.registry.installed_plugins import plugin_index

    for group, title in plugin_index().titles.items():
        yield from (
            (title, path, found) for path, found in command_and_subcommands(build_whole_group(group), group)
        )


def command_and_subcommands(command: AnyCommand, path: str) -> Iterator[tuple[str, AnyCommand]]:
    """Yield a command and all of its subcommands, each with its whole name.

    `path` is the whole name of `command`.
    """
    yield path, command
    for name, inner in command.commands.items() if isinstance(command, TyperGroup) else ():
        if isinstance(inner, AnyCommand):
            yield from command_and_subcommands(inner, f"{path} {name}")


def command_index_page() -> str:
    """Return the page of all commands by name, each with its first sentence."""
    lines = ["# Commands", "", "`strike help` lists them, `strike help COMMAND` explains one.", ""]
    lines += ["Every command takes `-C DIR`, `--json` and `--plain`. Commands that write files also take", "",
              *_option_table(_common_options("writes")), "", "Commands that play also take", "", *_option_table(_common_options("plays"))]  # fmt: skip
    title_before = ""
    for title, path, command in all_commands_with_title_and_path():
        if title != title_before:
            lines += ["", f"## {title}", "", "| | |", "|-|-|"]
            title_before = title
        if not isinstance(command, TyperGroup):
            where = f"commands/{slug(title)}.md#{slug(f'strike {path}')}"
            lines.append(
                f"| [`strike {path}`]({where}) | {_table_cell(first_sentence_of_help(command.help))} |"
            )
    return "\n".join(lines) + "\n"


def command_pages_by_title() -> dict[str, str]:
    """Return the pages about commands, by title.

    A page describes all commands under its title, with their help.
    """
    found: dict[str, list[str]] = {}
    for title, path, command in all_commands_with_title_and_path():
        found.setdefault(title, [f"# {title}", ""]).extend(_command_section(path, command))
    return {title: "\n".join(lines) + "\n" for title, lines in found.items()}


def _command_section(path: str, command: AnyCommand) -> Iterator[str]:
    yield f"## strike {path}"
    yield ""
    said, _, example = (command.help or "").partition("Example: ")
    yield from (*_paragraph_lines(said), "")
    if isinstance(command, TyperGroup):
        yield from ("Commands: " + ", ".join(f"`{name}`" for name in command.commands) + ".", "")
        return
    own = own_parameters(command)
    words = " ".join(placeholder_of(each) for each in own if isinstance(each, TyperArgument))
    yield from (f"`strike {path}{f' {words}' if words else ''}`", "")
    if example:
        yield from ("Example: " + " ".join(example.split()), "")
    if own:
        yield from (*_option_table(own), "")


def _common_options(kind: str) -> list[Parameter]:
    """Return the options that all commands of a kind share, as Typer has them."""
    wanted = {"writes": ("--dry-run", "--note", "--secret"),
              "plays": ("--dice", "--choose", "--seed", "--reroll", "--explain")}[kind]  # fmt: skip
    roll = commands_of(build_whole_group("roll"))["skill"]
    return [each for each in _all_parameters(roll) if set(wanted) & set(each.opts)]


def _option_table(params: Iterable[Parameter]) -> Iterator[str]:
    yield from ("| | |", "|-|-|")
    for each in params:
        if isinstance(each, TyperArgument):
            name = _code_cell(placeholder_of(each))
        else:
            metavar = "" if each.is_flag else f" {each.metavar or each.type.name.upper()}"
            names = [*each.opts, *each.secondary_opts]
            name = ", ".join(_code_cell(f"{one}{metavar if one.startswith('--') else ''}") for one in names)
        yield f"| {name} | {_table_cell(each.help or '')} |"


def own_parameters(command: AnyCommand) -> list[Parameter]:
    """Return the parameters of one command, without those that every command has."""
    return [
        each
        for each in _all_parameters(command)
        if each.rich_help_panel != EVERYWHERE and each.name != "help"
    ]


def _all_parameters(command: AnyCommand) -> list[Parameter]:
    return [each for each in command.params if isinstance(each, Parameter)]


def placeholder_of(argument: TyperArgument) -> str:
    """Return the word that stands for an argument's value in a command's usage."""
    return str(argument.metavar or argument.human_readable_name)


def first_sentence_of_help(text: str | None) -> str:
    """Return the first sentence of a help text."""
    flat = " ".join((text or "").partition("Example: ")[0].split())
    return re.split(r"(?<=[.])\s", flat, maxsplit=1)[0]


def _paragraph_lines(text: str) -> list[str]:
    return "\n\n".join(" ".join(each.split()) for each in text.split("\n\n")).strip().split("\n")


def _table_cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "&#124;").replace("<", "&lt;")


def _code_cell(text: str) -> str:
    """Return a text as code for a table's cell, in HTML.

    Backticks can't be used, because a bar in the text has to be escaped as HTML.
    """
    return f"<code>{_table_cell(text)}</code>"


# Keys of campaign.toml


def keys_page() -> str:
    """Return every key of campaign.toml, with its possible values and its default."""
    lines = [
        "# Keys of campaign.toml", "",
        "Every key there is, as strike checks it; what they are for is told in [campaign.toml](../campaign-file.md) "
        "and [powers](../power-reference.md). `ID` is a name of your own choosing, `[]` an item of a list. A key that isn't "
        "here is refused, with file, line and the nearest one. Systems that plugins bring have theirs among them.", "",
        "## The top", "", *_HEAD, *(_key_row(*told) for told in KeyLister().fields_and_keys_below(validation.Record(**CAMPAIGN_HEAD))), "",
    ]  # fmt: skip
    teller = KeyLister()
    for kind, path, form in schemas_in_campaign_file():
        rows = dict.fromkeys(_key_row(*told) for told in teller.keys_of(form, path))
        lines += [f"## {kind}", "", *_HEAD, *rows, ""]
    house = (f"| `house.{key}` | {_table_cell(possible_values_words(rule.form))} | `{_toml(rule.default)}` |"
             for key, rule in sorted(schemas_of_working_systems().house.items()))  # fmt: skip
    lines += ["## house", "", "Rules that tables play in several ways.", "", *_HEAD, *house, ""]
    return "\n".join(lines)


MOST_REPEATED_KEYS = 20
"""A table with more keys than this is described by a reference to an earlier one that has them all."""
_HEAD = ("| key | what it may be | unless written |", "|-|-|-|")


def schemas_in_campaign_file() -> Iterator[tuple[str, str, validation.Kind]]:
    """Yield the schemas of the parts of campaign.toml.

    Each item has a title, the place of the part in the file, and the part's schema.
    """
    for kind, form in sorted(schemas_of_working_systems().campaign.items()):
        yield kind, f"{kind}.ID", form
    yield from ((key, key, form) for key, form in sorted(schemas_of_working_systems().settings.items()))
    yield "aliases", "aliases", ALIASES
    yield "dice", "dice", DICE
    yield "bridge", "bridge.targets.ID", TARGET.others
    yield 'bridge, kind = "rest"', "bridge.targets.ID", TARGET.rest


class KeyLister:
    """A lister of the keys in schemas, which lists each table only once.

    If a table with the same keys was listed before, only a reference to it is given. This matters for the
    steps of powers: they appear in many places, and even inside each other.
    """

    def __init__(self) -> None:
        self._told: list[tuple[frozenset[str], str]] = []

    def keys_of(self, form: validation.Kind, path: str) -> Iterator[tuple[str, str, str]]:
        """Yield the keys in a schema, each with its path, its possible values, and its default.

        If a table has the same keys as a table that was listed before, only a reference to that table is
        yielded.
        """
        match form:
            case validation.Record():
                yield from self._keys_of_record(form, path)
            case validation.TableOf():
                yield f"{path}.ID", possible_values_words(form.item), ""
                yield from self.keys_of(form.item, f"{path}.ID")
            case validation.ListOf():
                yield from self.keys_of(form.item, f"{path}[]")
            case validation.Either():
                yield from self.keys_of(form.first, path)
                yield from self.keys_of(form.second, path)

    def _keys_of_record(self, form: validation.Record, path: str) -> Iterator[tuple[str, str, str]]:
        names = frozenset(form.fields)
        # The steps that lie deepest have some keys less: no further step may lie in them.
        many = len(names) > MOST_REPEATED_KEYS
        before = next((at for known, at in self._told if names == known or (many and names < known)), "")
        if before:
            yield path, f"a table with the keys of `{before}`", ""
            return
        self._told.append((names, path))
        yield from self.fields_and_keys_below(form, f"{path}.")

    def fields_and_keys_below(
        self, form: validation.Record, prefix: str = ""
    ) -> Iterator[tuple[str, str, str]]:
        """Yield a row for each key of a table, followed by rows for the keys below it.

        A row has the key's path, its possible values in words, and its default. Each path begins with
        `prefix`.
        """
        for name, (kind, default) in form.fields.items():
            yield f"{prefix}{name}", possible_values_words(kind), _default_cell(default)
            yield from self.keys_of(kind, f"{prefix}{name}")


def _key_row(key: str, possible_values: str, default: str) -> str:
    return f"| `{key}` | {_table_cell(possible_values)} | {default} |"


def _default_cell(default: object) -> str:
    if default is ...:
        return "required"
    return "" if default is None else f"`{_toml(default)}`"


def _toml(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return f'"{value}"'
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_toml, value))}]"
    return "{ }" if isinstance(value, Mapping) and not value else str(value)


def possible_values_words(form: validation.Kind) -> str:
    """Return the possible values of a form, in words."""
    match form:
        case validation.Reference():
            return f"the id or name of one of the {form.kind}"
        case validation.Either():
            return f"{possible_values_words(form.first)}; or {possible_values_words(form.second)}"
        case validation.ListOf():
            return f"a list, each {possible_values_words(form.item)}"
        case validation.TableOf():
            return f"a table of ids, each {possible_values_words(form.item)}"
        case validation.Record() | validation.UncheckedTable():
            return "a table"
    return _values_words_of_simple(form)


def _values_words_of_simple(form: validation.Kind) -> str:
    match form:
        case validation.Text():
            return f"text: {form.wants}" if form.wants else "text"
        case validation.Number():
            return f"a whole number{_bounds_ending(form.low, form.high)}"
        case validation.RealNumber():
            return f"squares{_bounds_ending(form.low, form.high)}"
        case validation.Flag():
            return "true or false"
        case validation.VocabularyWord():
            return f"{_values_as_code(form.values)}, or a plugin's word, plugin:name"
        case validation.OneOf():
            return _values_as_code(form.values)
    return "any value"


def _bounds_ending(low: object, high: object) -> str:
    if low is None:
        return ""
    return f" from {low:g} to {high:g}" if high is not None else f", {low:g} or more"


def _values_as_code(values: Iterable[object]) -> str:
    return ", ".join(f"`{_toml(value)}`" for value in values)


# JSON and facts


def json_and_facts_page() -> str:
    """Return the page about the output of `--json`, in Markdown.

    It describes the envelope, the keys of the commands' data, and the kinds of facts.
    """
    from strike_cli.terminal.command_output import Result

    envelope = Result("roll skill", {}).as_json()
    lines = [
        "# JSON and facts", "",
        "What programs read; how to use it is told in [scripting](../scripting.md). Keys are added, and never go "
        "([versions](../versions.md)).", "",
        "## The envelope", "", "`" + "`, `".join(envelope) + "`; where something is refused `error` with `code`, "
        "`message`, `hint`.", "",
        "## Data, by command", "",
        "`a.b` is the key `b` of the items of the list `a`. A command that isn't here gives what its scene, its "
        "sheets or its system has.", "",
        "| command | always | sometimes |", "|-|-|-|",
        *(f"| `{command}` | {_names_as_code(keys['always'])} | {_names_as_code(keys['sometimes'])} |"
          for command, keys in sorted(tomllib.loads(KEYS_OF_DATA.read_text(encoding="utf-8")).items())), "",
        "## Kinds of fact", "",
        "A fact is `{kind, who, text, changes}` and more of its own, in the `facts` of a command and in the "
        "journal. `changes` are `[path, before, after]`.", "",
    ]  # fmt: skip
    for system in registry.load_usable_systems():
        if registry.fact_classes_by_kind(system):
            lines += [f"### {system.title or system.name}", "", "| kind | in a report | what it means |",
                      "|-|-|-|", *_fact_rows(system), ""]  # fmt: skip
    return "\n".join(lines)


_NOTES = {
    "is_roll": "a roll", "highlight": "told in its scene's report", "closes_scene": "says what the scene came to",
    "begins_turn": "begins a turn", "gm_only": "players are never told", "discreet": "gives no secret pick away",
    "names_scene": "begins with the scene's name", "in_short": "left out within a scene",
}  # fmt: skip


def _fact_rows(system: System) -> Iterator[str]:
    for kind, fact in registry.fact_classes_by_kind(system).items():
        notes = ", ".join(words for field, words in _NOTES.items() if getattr(fact, field))
        yield f"| `{kind}` | {fact.section} | {notes} |"


def _names_as_code(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in sorted(names))


# Rules


def rule_clauses_page() -> str:
    """Return the page of clauses, the single statements of the games' rules.

    Each clause has its rule, and what covers it: a command, a test or a decision of the game master.
    """
    said = "What the games' texts say, in our own words. Commands are typed in the campaign that `strike new` makes."
    lines = ["# Clauses", "", said, ""]
    for system in registry.load_usable_systems():
        if found := clauses_of(system) if system.rules else ():
            lines += [
                f"## {system.title or system.name}",
                "",
                "| seed | rule | says | decided by |",
                "|-|-|-|-|",
            ]
        for one in found:
            typed = "<br>".join(f"`strike {line}`" for line in (*one.after, one.command))
            played = f"{typed}<br>{one.gives}" if one.command else f"`{one.test}`"
            by = f"The game master: {one.judged}" if one.judged else played
            rule = f"[{one.rule}](rules.md#{one.rule.lower()})"
            lines.append(f"| {one.seed} | {rule} | {one.says} | {by} |".replace("\n", " "))
        lines += [""] if found else []
    return "\n".join(lines)


def rules_page() -> str:
    """Return every rule by its number, in our own words, each with an anchor."""
    said = "The same as `strike rule`. They stand for the games' own books, as an index does."
    lines = ["# Rules by number", "", said, ""]
    for system in registry.load_usable_systems():
        if system.rules:
            lines += [f"## {system.title or system.name}", ""]
            for rule in rules_of(system):
                lines += [f"### {rule.id} {rule.title} {{ #{rule.id.lower()} }}", "", rule.text, ""]
    return "\n".join(lines)
