"""The one list of game systems and plugins: what there is, and who brings it. Light: read at every start."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from ..kernel.statements import Fact, Statement, classes, find_class
from ..problems import CampaignProblem, PluginProblem
from . import installed
from .installed import KnownSystem, load_object

if TYPE_CHECKING:
    from .declaration import System

Made = TypeVar("Made")


class UnknownFact(Fact):
    """What is known of a kind of fact that no class says: a handler's plain sentence, or one of a plugin that
    is not here any more."""

    section = "Also"


def known_systems() -> Mapping[str, KnownSystem]:
    """Every system by its name, without importing any."""
    return installed.index().systems


def system(name: str) -> System:
    """A system, imported now. Raises PluginProblem where it can't be."""
    loaded, key = installed.index().loaded, f"the system {name}"
    if key not in loaded:
        from .hand import with_hand

        loaded[key] = with_hand(_load(known_systems()[name].reference))
    found: System = loaded[key]
    return found


def _load(reference: str) -> Any:
    loaded = installed.index().loaded
    if reference not in loaded:
        try:
            loaded[reference] = load_object(reference)
        except Exception as error:
            raise PluginProblem(
                f"The system {reference} can't be loaded: {type(error).__name__}: {error}",
                "Mend or remove the plugin that brings it.",
            ) from error
    return loaded[reference]


def systems() -> list[System]:
    """Every system, imported."""
    return [system(name) for name in known_systems()]


def beside(system: System, name: str) -> Path:
    """A file or folder that lies beside the module of a system."""
    module = known_systems()[system.name].reference.partition(":")[0]
    return Path(sys.modules[module].__file__ or "").with_name(name)


def made(reference: str, base: type[Made]) -> Made:
    """The one object of the class that a system names by a reference relative to nothing, or of `base` where
    it names none, imported and made at the first question. Raises PluginProblem for what can't be
    imported."""
    loaded = installed.index().loaded
    key = f"an object of {reference or base.__name__}"
    if key not in loaded:
        loaded[key] = (_load(reference) if reference else base)()
    found: Made = loaded[key]
    return found


def owner_of(name: str) -> str:
    """The name of the system that plays a move. Raises CampaignProblem where none does."""
    owner = installed.index().movers.get(name)
    if owner is None:
        raise CampaignProblem(
            f"This strike has no command {name!r}.",
            "A newer strike, or a plugin that is not installed, recorded it.",
        )
    return owner


def brought_by(name: str) -> str:
    """The distribution that brings a system, for people; nothing for strike's own."""
    own, *others = installed.index().plugins
    bringer = next((plugin for plugin in (own, *others) if name in plugin.systems), own)
    return bringer.origin if bringer.distribution != own.distribution else ""


def scene_systems() -> Mapping[str, System]:
    """Every system that has scenes, by the table of the state that holds the one under way."""
    return _scene_systems(installed.index())


@lru_cache(maxsize=1)
def _scene_systems(index: installed.Index) -> Mapping[str, System]:
    return {table: system(name) for table, name in index.scenes.items()}


def fact_class(kind: str) -> type[Fact]:
    """The class of a kind of fact, UnknownFact where there is none."""
    found = statement_class(kind)
    return found if found is not None and issubclass(found, Fact) else UnknownFact


def statement_class(kind: str) -> type[Statement] | None:
    """The class of what is told by a kind, or `kind:variant`, imported now; None where nobody declares it."""
    module = installed.index().statements.get(kind)
    if module is None:
        return classes.get(kind)
    if kind not in classes:
        try:
            import_module(module)
        except Exception as error:
            raise PluginProblem(
                f"{module} can't be loaded: {type(error).__name__}: {error}",
                "Mend or remove the plugin that brings it.",
            ) from error
    return classes.get(kind)


find_class[:] = [statement_class]


def kinds_told_by(system: System) -> Mapping[str, type[Fact]]:
    """Every kind of fact that a system declares, variants under what they are made of."""
    modules = {system.absolute(name) for name in system.fact_modules}
    known = installed.index().statements.items()
    kinds = [kind for kind, module in known if module in modules and ":" not in kind]
    return {kind: found for kind in kinds if (found := fact_class(kind)) is not UnknownFact}


def style_of(kind: str) -> str:
    """The style of a kind of fact on a terminal; nothing for most. Imports no system."""
    return installed.index().styles.get(kind, "")


def groups() -> Mapping[str, Mapping[str, str]]:
    """Every group of commands: name -> {command, or "" for the group itself: reference of its app}."""
    return installed.index().groups


def together() -> Mapping[str, Sequence[str]]:
    """Commands of the top level that may be typed below a group, too, and are listed there alone."""
    return installed.index().together


Procedure = Callable[..., Any]


def saved_by(move: str) -> Procedure:
    """The procedure of what else comes of a move whose failure is turned afterwards."""
    found = system(owner_of(move))
    procedure: Procedure = load_object(found.absolute(found.moves[move].saved))
    return procedure
