"""Old names in the plugin API and in the bridge's targets.

They work for one more version, and each use warns. Begin with `OldName`.
"""

from __future__ import annotations

from typing import Any
from warnings import warn


class OldName:
    """The old name of a member of a class that derives from `HasOldNames`.

    Using the old name reads or sets the member with the new name. If a subclass still defines the old name,
    the subclass's definition is used in place of the new member.
    """

    def __init__(self, new: str) -> None:
        self.new = new

    def __set_name__(self, owner: type, name: str) -> None:
        self.owner, self.name = owner, name

    def __get__(self, instance: object, cls: type) -> Any:  # type: ignore[explicit-any]  # the member's own type
        below = cls.__mro__[: cls.__mro__.index(self.owner)]
        overrides = [each for each in below if self.name in vars(each)]
        if overrides:  # called by super() in an override of the old name
            return getattr(super(overrides[-1], cls if instance is None else instance), self.new)
        warn(f"{cls.__name__}.{self.name} is {self.new} now.", DeprecationWarning, stacklevel=2)
        return getattr(cls if instance is None else instance, self.new)

    def __set__(self, instance: object, value: object) -> None:
        setattr(instance, self.new, value)


class HasOldNames:
    """The base class of classes whose members may have an `OldName`."""

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
