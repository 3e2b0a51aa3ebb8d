"""Old names of the plugin API and of targets: called, read, set and overridden, they are the new ones."""

from __future__ import annotations

import pytest

from strike_bridge.targets.base import Target
from strike_cli.campaign.campaign import Campaign
from strike_cli.old_names import HasOldNames, OldName
from strike_cli.systems.combat.fight_state import Fight
from strike_cli.systems.combat.steps.step import EffectStep


class Step(HasOldNames):
    def describe(self) -> str:
        return "moved"

    told = OldName("describe")


class Push(Step):
    def describe(self) -> str:
        return f"pushed, {super().describe()}"


def test_an_old_name_is_the_new_one() -> None:
    for cls in (Step, Push):
        with pytest.warns(DeprecationWarning, match=rf"{cls.__name__}\.told is describe now"):
            assert cls().told() == cls().describe()


def test_an_override_of_an_old_name_overrides_the_new() -> None:
    with pytest.warns(DeprecationWarning, match="Shove.told: its name is describe now"):

        class Shove(Push):
            def told(self) -> str:
                return f"shoved, {super().told()}"

    class Slam(Shove):
        def describe(self) -> str:
            return f"slammed, {super().describe()}"

    assert Slam().describe() == "slammed, shoved, pushed, moved"


def test_values_and_attributes_go_on() -> None:
    with pytest.warns(DeprecationWarning, match="recheck_delays"):

        class Inn(Target):
            late = (15.0,)

    assert Inn.recheck_delays == (15.0,)
    inn = Target.__new__(Target)
    inn.made = {"vex"}  # type: ignore[assignment]
    assert inn.created_ids == {"vex"}


@pytest.mark.parametrize("cls", [EffectStep, Target, Fight, Campaign])
def test_each_old_name_has_its_new_one(cls: type) -> None:
    old = {name: each.new for name, each in vars(cls).items() if isinstance(each, OldName)}
    assert old
    assert not [
        name for name, new in old.items() if not (hasattr(cls, new) or new in cls.__init__.__code__.co_names)
    ]
