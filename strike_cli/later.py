"""Modules of Python's own that Typer imports and hardly any command uses: imported when they are first used.

Together they are a tenth of what it takes to import Typer.
"""

import sys
from _thread import RLock
from collections.abc import Iterable
from importlib.machinery import PathFinder
from types import ModuleType
from typing import Any

SELDOM_USED = {
    "bz2": "_bz2",
    "ipaddress": "",
    "linecache": "",
    "lzma": "_lzma",
    "subprocess": "",
    "textwrap": "",
    "tokenize": "",
}
"""Modules, each with the extension that it is nothing without: `shutil` finds out by importing it whether it
is there. None is a package, and none does anything by being imported."""


class Later(ModuleType):
    """A module that is imported when something of it is asked for; from then on it is like any other."""

    def __getattr__(self, name: str) -> Any:
        # Who asks in another thread waits until all of it is there.
        with _importing:
            loader = self.__spec__.loader if self.__spec__ else None
            if loader is not None and type(self) is Later and self not in _under_way:
                _under_way.append(self)
                try:
                    loader.exec_module(self)
                    self.__class__ = ModuleType  # type: ignore[assignment]
                finally:
                    _under_way.remove(self)
        return ModuleType.__getattribute__(self, name)

    def __dir__(self) -> Iterable[str]:
        getattr(self, "__all__", None)
        return ModuleType.__dir__(self)


_importing = RLock()
_under_way: list[ModuleType] = []


def import_later() -> None:
    """Let these modules be imported when they are first used, as far as they are not imported yet."""
    for name, extension in SELDOM_USED.items():
        if name in sys.modules or (extension and PathFinder.find_spec(extension) is None):
            continue
        spec = PathFinder.find_spec(name)
        if spec is None or spec.loader is None:
            continue  # it is kept elsewhere, in a program of one file say: whoever imports it will find it
        module = Later(name)
        module.__spec__, module.__loader__ = spec, spec.loader
        module.__file__ = spec.origin
        vars(module)["__cached__"] = spec.cached
        sys.modules[name] = module
