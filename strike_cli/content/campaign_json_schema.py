"""JSON Schema of the campaign's files, for editors and other programs.

The JSON Schema is made from the same schemas with which `validation` checks these files. So both agree. JSON
Schema can't express relations between keys; `strike doctor` checks those. Begin with `campaign_schema`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, cast

from ..bridge_target_schema import REST, TargetTableForm
from ..pages.html import MADE
from ..validation import (
    ID,
    Either,
    Flag,
    Kind,
    KnownItemId,
    ListOf,
    Number,
    OneOf,
    RealNumber,
    Record,
    Reference,
    TableOf,
    Text,
    UncheckedTable,
    VocabularyWord,
)
from .merged_content import Book
from .name_index import singular_of_kind
from .schemas import (
    ALIASES,
    BACKUP,
    CAMPAIGN_HEAD,
    DICE,
    SERVE,
    TARGET,
    Schemas,
    content_kinds_of_plugins,
    schemas_of_working_systems,
)

if TYPE_CHECKING:
    from strike_cli.validation import Fields

SCHEMA_FILE = "campaign.schema.json"
"""The schema's path in the first line (`#:schema`) of a campaign.toml that strike made."""
COMMENT = f"{MADE} schema"
DRAFT = "http://json-schema.org/draft-07/schema#"
"""The version of JSON Schema that TOML editors know."""
NO_OTHER = {"const": "a known key: editors complete the keys of this table"}
"""The schema of keys that a table doesn't allow.

For `false`, validators report the whole table, and TOML editors repeat that at each line. For this they
report the key alone, once."""
MOST_NAMES = 500
"""The most names of a kind that an editor offers."""
Schema = dict[str, object]
Names = Mapping[str, Sequence[str]]


class SchemaWriter:
    """A writer that makes JSON Schema from forms. A form is a schema of `validation`.

    `names` has the known names of each kind of content. Editors offer these names, and accept any other text,
    too.
    """

    def __init__(self, names: Names | None = None) -> None:
        self.names = names or {}
        self.definitions: Schema = {}
        self._used: dict[int, int] = {}
        self._called: dict[int, str] = {}
        self._kept: list[Kind] = []
        """Forms whose Python ids are in use: keeping them prevents a new object from getting the same id."""

    def as_document(self, title: str, form: Kind) -> Schema:
        """Return the schema of a form as a document of its own, with a title."""
        self._count_uses(form)
        body = self.schema_or_reference_of(form, "")
        whole = {"$comment": COMMENT, "$schema": DRAFT, "title": title, **body}
        return whole | ({"definitions": self.definitions} if self.definitions else {})

    def schema_or_reference_of(self, form: Kind, place: str) -> Schema:
        """Return the JSON Schema of a form. A large form that occurs several times becomes a reference.

        `place` is the key under which the form occurs; it names the reference's definition.
        """
        is_large = isinstance(form, Record | Either | TargetTableForm | ListOf) or (
            isinstance(form, OneOf) and len(form.values) > FEW
        )
        if not is_large or self._used.get(id(form), 0) < 2:
            return self._write_schema(form, place)
        if id(form) not in self._called:
            wanted = place or "table"
            taken, number = wanted, 2
            while taken in self.definitions:
                taken, number = f"{wanted}-{number}", number + 1
            name = self._called[id(form)] = taken
            self.definitions[name] = {}  # defined already when the form refers to itself
            self.definitions[name] = self._write_schema(form, place)
        return {"$ref": f"#/definitions/{self._called[id(form)]}"}

    def _count_uses(self, form: Kind) -> None:
        self._kept.append(form)
        self._used[id(form)] = self._used.get(id(form), 0) + 1
        if self._used[id(form)] == 1:
            for inner in _inner_forms(form):
                self._count_uses(inner)

    def _write_schema(self, form: Kind, place: str) -> Schema:
        if isinstance(form, Record):
            properties: Schema = {}
            for name, (kind, default) in form.fields.items():
                own = self.schema_or_reference_of(kind, name)
                said = default is not ... and default is not None and "$ref" not in own
                properties[name] = own | {"default": default} if said else own
            required = [name for name, (_, default) in form.fields.items() if default is ...]
            schema: Schema = {"type": "object", "properties": properties}
            return schema | ({"required": required} if required else {}) | {"additionalProperties": NO_OTHER}
        if isinstance(form, TableOf):
            keys = {"propertyNames": self.schema_or_reference_of(form.key, place)} if form.key else {}
            return {
                "type": "object",
                **keys,
                "additionalProperties": self.schema_or_reference_of(form.item, place),
            }
        if isinstance(form, ListOf):
            bounds: Schema = {"minItems": form.least or None, "maxItems": form.most}
            return {
                "type": "array",
                "items": self.schema_or_reference_of(form.item, place),
                **_drop_none(bounds),
            }
        if isinstance(form, Either):
            return {
                "anyOf": [
                    self.schema_or_reference_of(form.first, place),
                    self.schema_or_reference_of(form.second, place),
                ]
            }
        if isinstance(form, TargetTableForm):
            not_rest = {"properties": {"kind": {"not": {"const": REST}}}}
            others = {"allOf": [self.schema_or_reference_of(form.others, "target"), not_rest]}
            return {"anyOf": [self.schema_or_reference_of(form.rest, "rest-target"), others]}
        return self._plain_schema(form)

    def _plain_schema(self, form: Kind) -> Schema:
        if isinstance(form, KnownItemId):
            return {"type": "string", "enum": sorted(form.table)} if form.table else {"type": "string"}
        if isinstance(form, VocabularyWord):
            return {"anyOf": [{"enum": list(form.values)}, {"type": "string", "pattern": ":"}]}
        if isinstance(form, OneOf):
            return {"enum": list(form.values)}
        if isinstance(form, Number | RealNumber):
            kind = "integer" if isinstance(form, Number) else "number"
            return {"type": kind, **_drop_none({"minimum": form.low, "maximum": form.high})}
        if isinstance(form, Flag):
            return {"type": "boolean"}
        if isinstance(form, Reference):
            name = f"name-of-{form.kind}"
            if name not in self.definitions:
                offered = sorted(self.names.get(form.kind, ()))[:MOST_NAMES]
                any_text = {"type": "string", "description": f"The name of a {singular_of_kind(form.kind)}."}
                self.definitions[name] = {"anyOf": [{"enum": offered}, any_text]} if offered else any_text
            return {"$ref": f"#/definitions/{name}"}
        if isinstance(form, Text):
            wants = {"description": f"It should be {form.wants}."} if form.wants else {}
            return {"type": "string", "maxLength": form.most, **wants}
        return {"type": "object"} if isinstance(form, UncheckedTable) else {}


FEW = 4
"""The most values of a closed set that is written out at each use."""


def _inner_forms(form: Kind) -> Iterator[Kind]:
    if isinstance(form, Record):
        yield from (kind for kind, _ in form.fields.values())
    elif isinstance(form, Either):
        yield from (form.first, form.second)
    elif isinstance(form, TargetTableForm):
        yield from (form.rest, form.others)
    elif isinstance(form, ListOf):
        yield form.item
    elif isinstance(form, TableOf):
        yield from (each for each in (form.item, form.key) if each)


def _drop_none(table: Schema) -> Schema:
    return {key: value for key, value in table.items() if value is not None}


# Files


def schema_text(schema: Mapping[str, object]) -> str:
    """Return a schema as JSON text."""
    return json.dumps(schema, ensure_ascii=False, indent=1) + "\n"


def schema_writer_with_names_of(book: Book) -> SchemaWriter:
    """Return a schema writer that offers the names in a campaign.

    The names of strike's own content are offered without their namespace.
    """
    kinds = content_kinds_of_plugins(book.registry)
    return SchemaWriter({kind: [key.removeprefix("core:") for key in book.table(kind)] for kind in kinds})


def campaign_schema(book: Book) -> Schema:
    """Return the schema of campaign.toml."""
    return schema_writer_with_names_of(book).as_document(
        "campaign.toml", campaign_form(schemas_of_working_systems(book.registry))
    )


def campaign_form(forms: Schemas) -> Record:
    """Return the form of the whole campaign.toml."""
    return Record(
        **CAMPAIGN_HEAD,
        bridge=Record(targets=TableOf(TARGET)),
        aliases=ALIASES,
        dice=DICE,
        serve=SERVE,
        backup=BACKUP,
        house=_house_rules_form(forms),
        **_table_forms(forms.campaign),
        **forms.settings,
    )


def included_form(forms: Schemas) -> Record:
    """Return the form of an included file: the keys of campaign.toml except `include`, all optional."""
    whole = campaign_form(forms)
    fields = {name: (kind, None) for name, (kind, _) in whole.fields.items() if name != "include"}
    return Record(**fields)


def pack_form(forms: Schemas) -> Record:
    """Return the form of a content file of a plugin, or of a pack."""
    return Record(**_table_forms(forms.content))


def _table_forms(kinds: Mapping[str, Kind]) -> dict[str, Kind]:
    return {kind: TableOf(form, ID) for kind, form in kinds.items()}


def _house_rules_form(forms: Schemas) -> Record:
    """Return the schema of the house rules in campaign.toml.

    A dot in a rule's key stands for a table: `a.b` is the key `b` in the table `a`.
    """
    whole: dict[str, object] = {}
    for key, rule in forms.house.items():
        *above, last = key.split(".")
        table = whole
        for part in above:
            table = cast("dict[str, object]", table.setdefault(part, {}))
        table[last] = (rule.form, rule.default)
    return _record_of_nested_tables(whole)


def _record_of_nested_tables(table: Mapping[str, object]) -> Record:
    forms = {
        key: _record_of_nested_tables(item) if isinstance(item, dict) else item for key, item in table.items()
    }
    return Record(**cast("Fields", forms))
