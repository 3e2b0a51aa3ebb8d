"""Run tabletop RPG nights from a terminal: the rules of *Strike!* as procedures, played by drivers.

For programs and notebooks there is `Campaign`: `from strike_cli import Campaign` (docs/python.md).
"""

__version__ = "0.1.0"
_IN = {
    "api": ("Campaign", "CampaignView", "Command", "Pending", "Played", "Preview"),
    "problems": ("CampaignProblem", "Finding", "Problem", "Refused", "Unsound", "Usage"),
}
"""What is imported when it is asked for, by the module that has it: every start reads this one.
Who checks types reads __init__.pyi."""


def later(package: str, names: dict[str, tuple[str, ...]], name: str) -> object:
    """What a package has from a module that is imported when one asks for it: `names` by that module.

    Raises AttributeError for what none of them has.
    """
    module = next((module for module, known in names.items() if name in known), None)
    if module is None:
        raise AttributeError(f"{package} has no {name!r}")
    from importlib import import_module

    found: object = getattr(import_module(f"strike_cli.{module}"), name)
    return found


def __getattr__(name: str) -> object:
    """What comes later."""
    return later(__name__, _IN, name)
