"""Run tabletop RPG nights from a terminal, by the rules of *Strike!* or of another game's plugin.

For programs and notebooks there is `Campaign`: `from strike_cli import Campaign` (docs/python.md).
"""

__version__ = "0.1.0"
_NAMES_BY_MODULE = {
    "api": ("Campaign", "CampaignView", "Command", "Pending", "Played", "Preview"),
    "problems": ("CampaignProblem", "Finding", "Problem", "Refused", "Unsound", "Usage"),
}
"""Names by module, imported on first use, since every start imports this module. Type checkers read
__init__.pyi.
"""


def import_on_first_use(package: str, names: dict[str, tuple[str, ...]], name: str) -> object:
    """Import and return the object called `name`, from the module under which `names` lists it.

    Module names are relative to strike_cli. If no module lists the name, raises AttributeError, whose message
    contains `package`.
    """
    module = next((module for module, known in names.items() if name in known), None)
    if module is None:
        raise AttributeError(f"{package} has no {name!r}")
    from importlib import import_module

    found: object = getattr(import_module(f"strike_cli.{module}"), name)
    return found


def __getattr__(name: str) -> object:
    """Import a public name on first use."""
    return import_on_first_use(__name__, _NAMES_BY_MODULE, name)
