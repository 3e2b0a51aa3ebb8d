"""The declaration of a plugin, and the version of the plugin API.

A plugin declares the names of what it adds to strike, and references to the code.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

API = 2
"""The version of the plugin API. A plugin that declares a newer one is switched off with a message; the
changes of version 2 for plugins written for 1 are in CHANGELOG.md."""


class Plugin:
    """What a distribution adds to strike, as its entry point names it.

    `name` is the namespace of its ids: content `burning` of plugin `elements` is `elements:burning`. `api` is
    the version of the plugin API that the plugin is written for: 1 unless declared. `content` lists TOML
    files beside the module that has the Plugin. `systems` has references of `System`s. `targets` maps a kind
    of virtual tabletop to the reference of its class. `handlers` maps the name that powers and reactions use
    to the reference of a procedure. `languages` maps the word in campaign.toml ("de") to the reference of its
    `Language`. `map_formats` maps the ending of a file (".dd2vtt") to the reference of its `MapFormat`.
    `words` maps a system's vocabulary to its new words, each with a reference: `{"steps": {"ignite":
    "strike_elements.steps:IGNITE"}}`.
    """

    def __init__(
        self,
        name: str,
        *,
        api: int = 1,
        content: Sequence[str] = (),
        systems: Sequence[str] = (),
        targets: Mapping[str, str] | None = None,
        handlers: Mapping[str, str] | None = None,
        map_formats: Mapping[str, str] | None = None,
        languages: Mapping[str, str] | None = None,
        words: Mapping[str, Mapping[str, str]] | None = None,
    ) -> None:
        self.name = name
        self.api = api
        self.content = list(content)
        self.systems = list(systems)
        self.targets = dict(targets or {})
        self.handlers = dict(handlers or {})
        self.map_formats = dict(map_formats or {})
        self.languages = dict(languages or {})
        self.words = dict(words or {})

    def fault(self) -> str:
        """Return a message about values of the wrong type; "" if the plugin can be used."""
        named = [self.name, *self.content, *self.systems]
        named += self.words
        tables = (self.targets, self.handlers, self.map_formats, self.languages, *self.words.values())
        named += [text for table in tables for pair in table.items() for text in pair]
        if all(isinstance(text, str) for text in named) and isinstance(self.api, int):
            return ""
        return 'its name and all references should be text, with code written as "module:object"'
