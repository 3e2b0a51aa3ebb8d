"""Old names of the plugin API: each leads to the new one, and says so."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import pytest

from strike_cli.content.references import References
from strike_cli.deprecated_api_names import OldName

MODULES = ("plugin", *(f"plugin.{name}" for name in (
    "board", "commands", "dice", "encounters", "facts", "fights", "files", "forms", "parts", "refusals",
    "sim", "tactics", "telling", "testing", "views",
)))  # fmt: skip


@pytest.mark.parametrize("name", [*(f"strike_cli.{each}" for each in MODULES), "strike_bridge.targets.base"])
@pytest.mark.filterwarnings("ignore:strike_cli.plugin.telling is")
def test_an_old_name_is_the_new_one_with_a_warning(name: str) -> None:
    module: Any = import_module("strike_cli.plugin.facts" if name.endswith("telling") else name)
    for old, new in module._NEW_NAMES.items():
        with pytest.warns(DeprecationWarning, match=f"{old} is {new} now"):
            found = getattr(import_module(name), old)
        assert found is getattr(module, new)
        assert new in module.__all__


@pytest.mark.parametrize(
    ("module", "function", "args", "old", "new", "value"),
    [
        ("strike_cli.plugin.files", "toml_line", ("hp", 3), "so", "active", False),
        ("strike_cli.plugin.forms", "scene_schema", (), "person", "person_fields", {}),
    ],
)
def test_an_old_argument_is_the_new_one_with_a_warning(
    module: str, function: str, args: tuple[Any, ...], old: str, new: str, value: Any
) -> None:
    call = getattr(import_module(module), function)
    with pytest.warns(DeprecationWarning, match=f"{old}=. is {new}= now"):
        found = call(*args, **{old: value})
    assert type(found) is type(call(*args, **{new: value}))
    assert not isinstance(found, list) or found == call(*args, **{new: value})


def test_what_a_plugins_form_is_given_has_its_old_names() -> None:
    old = {name: each.new for name, each in vars(References).items() if isinstance(each, OldName)}
    assert old == {"fault": "add_fault", "thing": "resolved_item", "known": "id_if_known"}
    assert all(hasattr(References, new) for new in old.values())
