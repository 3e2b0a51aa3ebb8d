"""Old names in the plugin API and in the bridge's targets.

They work for one more version, and each use warns. Begin with `OldName`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import wraps
from importlib import import_module
from typing import Any, ParamSpec, TypeVar
from warnings import warn

Given = ParamSpec("Given")
Returned = TypeVar("Returned")


class OldName:
    """The old name of a member of a class that derives from `HasOldNames`.

    Using the old name reads or sets the member with the new name. If a subclass still defines the old name,
    the subclass's definition is used in place of the new member.
    """

    def __init__(self, new: str) -> None:
        self.new = new

    def __get__(self, instance: object, cls: type) -> Any:  # type: ignore[explicit-any]  # the member's own type
        owner, name = next(
            (base, name) for base in cls.__mro__ for name, each in vars(base).items() if each is self
        )
        overrides = [each for each in cls.__mro__[: cls.__mro__.index(owner)] if name in vars(each)]
        if overrides:  # called by super() in an override of the old name
            return getattr(super(overrides[-1], cls if instance is None else instance), self.new)
        warn(f"{cls.__name__}.{name} is {self.new} now.", DeprecationWarning, stacklevel=2)
        return getattr(cls if instance is None else instance, self.new)

    def __set__(self, instance: object, value: object) -> None:
        setattr(instance, self.new, value)


class HasOldNames:
    """The base class of classes whose members may have an `OldName`.

    A subclass may still define a member under its old name. Then that definition also becomes the member with
    the new name, and a warning is given.
    """

    def __init_subclass__(cls, **settings: object) -> None:
        super().__init_subclass__(**settings)
        old = {name: each for base in cls.__mro__[1:] for name, each in vars(base).items()}
        for name, value in list(vars(cls).items()):
            renamed = old.get(name)
            if isinstance(renamed, OldName) and not isinstance(value, OldName):
                warn(
                    f"{cls.__name__}.{name}: its name is {renamed.new} now.", DeprecationWarning, stacklevel=2
                )
                setattr(cls, renamed.new, value)


def accepts_old_arguments(
    **new_names: str,
) -> Callable[[Callable[Given, Returned]], Callable[Given, Returned]]:
    """Return a decorator that lets a function's arguments be given by their old names, with a warning.

    `new_names` maps the old names to the new ones.
    """

    def decorate(function: Callable[Given, Returned]) -> Callable[Given, Returned]:
        @wraps(function)
        def call(*args: Given.args, **named: Given.kwargs) -> Returned:
            for old in new_names.keys() & named.keys():
                warn(
                    f"{function.__name__}({old}=) is {new_names[old]}= now.", DeprecationWarning, stacklevel=2
                )
                named[new_names[old]] = named.pop(old)
            return function(*args, **named)

        return call

    return decorate


def add_old_names(cls: type, **new_names: str) -> None:
    """Give a NamedTuple the old names of its members.

    `new_names` has the new name for each old name. This function is needed because the body of a NamedTuple
    can't hold an `OldName`.
    """
    for old, new in new_names.items():
        setattr(cls, old, OldName(new))


def resolve_old_name_with_warning(module: str, new_names: Mapping[str, str], name: str) -> object:
    """Return the object that had the old name `name` in a module, and warn that the name is old.

    `new_names` maps the module's old names to its new names. Raises AttributeError if `name` isn't one of the
    old names.
    """
    if name not in new_names:
        raise AttributeError(f"{module} has no {name!r}")
    warn(f"{module}.{name} is {new_names[name]} now.", DeprecationWarning, stacklevel=3)
    return getattr(import_module(module), new_names[name])


def make_module_getattr_for_old_names(module: str, new_names: Mapping[str, str]) -> Callable[[str], object]:
    """Return a `__getattr__` for a module whose names have changed. It finds things by their old names.

    `new_names` has the new name for each old name. When an old name is used, the function warns and returns
    what the module has under the new name.
    """

    def find(name: str) -> object:
        return resolve_old_name_with_warning(module, new_names, name)

    return find
