"""Modules that import each other, for types or late too, are few at a time: a circle is only read whole."""

from __future__ import annotations

import grimp
import pytest

PACKAGES = ("strike_cli", "strike_bridge", "strike_table", "strike_grit", "strike_karma", "strike_momentum")
MOST_MODULES = 4


@pytest.mark.slow  # it reads every file
def test_no_circle_of_imports_is_wider_than_four_modules() -> None:
    graph = grimp.build_graph(*PACKAGES, exclude_type_checking_imports=False)
    imports = {module: graph.find_upstream_modules(module) for module in graph.modules}
    assert len(imports) > 500
    circles = {
        frozenset([module, *(other for other in imported if module in imports[other])])
        for module, imported in imports.items()
    }
    assert [sorted(circle) for circle in circles if len(circle) > MOST_MODULES] == []
